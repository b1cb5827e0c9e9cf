/*
 * reduce.c - folds along axes on the device, and where the first minimum or maximum is.
 *
 * The axes form groups as on the CPU (src/backend/cpu/reduce.c), so that floats are added in the same order: kept axes,
 * folded ones and, where these are not the fastest, kept columns and a short folded run inside. Blocks of 4096 elements, or of
 * 32 rows, are folded by one team of work-items each; their results are joined pairwise, 64 at a time.
 *
 * A function of two elements need not commute: outputs are cut into chunks of neighbours in logical order.
 */
#include <string.h>

#include "backend/gpu/fold.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/shape.h"

enum {
    LANES = 128,
    BLOCK = 4096,
    LANE_ROWS = BLOCK / LANES, /* rows of a block for each lane of rows */
    JOINED = 64,               /* blocks that a work-item joins; where a launch costs more than that: */
    JOINED_ALONE = 4096,
    JOIN_LOCAL = 32,
    LEVELS = 7,  /* of blocks that a work-item joins */
    TILE = 1024, /* columns that one work-item folds: rows are read in long pieces */
    SIDE = 16,   /* short outputs that one work-item folds at once */
    SHORT = 32,  /* elements of an output that one work-item folds alone where groups are wanted */
    TEAMS = 4,   /* of a group, where a warp is one */
    SMALL_LOCAL = 64,
    LEAST_CHUNK = 256,
    MORE_PARAMETERS = 128
};

typedef enum kind { SHORTS, RUNS, TILES, DENSE, SCATTERED, CHUNKS } kind; /* as in kernel text */

typedef struct plan {
    const ash__task *task;
    const ash_device *device;
    ash__gpu_fold fold;
    ash__gpu_walk walk;
    ash__gpu_work work;
    kind kind;
    bool one_by_one;
    int groups, folded, columns, run; /* axes */
    int team, lanes, local, run_lanes, beside, joined, join_local;
    int64_t outputs;
    int64_t items, each, blocks, length, width, side, tiles, run_length; /* params of kernel text; side: lanes */
} plan;

/* ---- axes */

static uint32_t long_axes(const ash__task *task)
{
    uint32_t axes = 0;
    for (int64_t axis = 0; axis < task->rank; axis++)
        if (task->shape[axis] != 1)
            axes |= (uint32_t)1 << axis;
    return axes;
}

static void set_axes(plan *p)
{
    const ash__task *const task = p->task;
    const uint32_t all = long_axes(task), kept = all & ~task->reduced, reduced = p->fold.empty ? 0 : all & task->reduced;
    const bool logical = p->fold.arg || task->fold == ASH__FOLD_FUNCTION;
    uint32_t run = logical ? 0 : ash__gpu_fastest_axes(task, all, reduced), columns = 0;
    if (task->fold != ASH__FOLD_FUNCTION && reduced != run && ash__gpu_axes_count(task, run) <= LANES)
        columns = ash__gpu_fastest_axes(task, all & ~run, kept);
    else
        run = 0;
    if (!columns)
        run = 0;
    p->groups = ash__gpu_walk_axes(&p->walk, task, kept & ~columns, ASH__GPU_BY_OPERANDS);
    p->folded = ash__gpu_walk_axes(&p->walk, task, reduced & ~run, logical ? ASH__GPU_LOGICAL : ASH__GPU_BY_OPERANDS);
    p->columns = ash__gpu_walk_axes(&p->walk, task, columns, ASH__GPU_BY_OPERANDS);
    p->run = ash__gpu_walk_axes(&p->walk, task, run, ASH__GPU_BY_OPERANDS);
    p->length = p->fold.empty ? 0 : ash__gpu_axes_count(task, reduced & ~run);
    p->width = ash__gpu_axes_count(task, columns);
    p->run_length = ash__gpu_axes_count(task, run);
    p->outputs = ash__gpu_axes_count(task, kept);
}

/* Do rows of all columns follow each other at the columns' step, so that a block is one line? */
static bool is_dense(const plan *p)
{
    if (p->folded != 1 || p->columns != 1 || p->run)
        return false;
    const int rows = p->groups, columns = rows + 1;
    for (int k = 1; k <= p->walk.operands; k++)
        if (p->walk.stride[rows][k] != p->walk.stride[columns][k] * p->walk.size[columns])
            return false;
    return true;
}

/* ---- how the work is shared out */

/* Work-items, or teams, that keep the device busy. */
static int64_t wanted(const plan *p)
{
    const ash__gpu *const gpu = p->device->state;
    return p->one_by_one ? 8 * gpu->units : 64 * gpu->units;
}

static int power_from(int64_t n)
{
    int power = 1;
    while (power < n)
        power *= 2;
    return power;
}

static void set_team(plan *p, bool alone)
{
    p->team = alone ? 1 : LANES;
    p->lanes = alone ? LANES : 1;
    p->local = alone ? 1 : LANES;
}

static int64_t between(int64_t x, int64_t least, int64_t most)
{
    return x < least ? least : x > most ? most : x;
}

static void share_runs(plan *p)
{
    const bool is_short = p->length <= (p->one_by_one ? SIDE : SHORT);
    const int warp = ash__gpu_warp(p->device->state);
    p->kind = is_short ? SHORTS : RUNS;
    p->blocks = p->length ? ash__ceiling(p->length, BLOCK) : 1;
    p->items = p->outputs * p->blocks;
    set_team(p, p->one_by_one || is_short);
    if (warp && !is_short) {
        p->team = warp;
        p->lanes = LANES / warp;
        p->local = (((const ash__gpu *)p->device->state)->warp ? TEAMS : 1) * warp; /* elsewhere teams meet at barriers */
    }
    if (p->length <= LANES && p->team == 1)
        p->lanes = power_from(p->length);
    if (is_short) {
        p->beside = p->one_by_one ? SIDE : 1;
        p->local = p->one_by_one ? 1 : SMALL_LOCAL;
    }
    p->each = 1;
    if (p->one_by_one)
        p->each = between(p->items / (2 * wanted(p)), 1, 4 * BLOCK / between(p->length, 1, BLOCK));
}

static void share_columns(plan *p)
{
    set_team(p, p->one_by_one);
    p->side = 1;
    while (p->side * 2 * p->width <= LANES)
        p->side *= 2;
    p->kind = p->side == 1 ? TILES : is_dense(p) ? DENSE : SCATTERED;
    if (p->one_by_one && p->kind == TILES)
        p->lanes = p->width < TILE ? power_from(p->width) : TILE;
    p->tiles = ash__ceiling(p->width, p->lanes * p->team);
    const int64_t units = p->outputs / p->width * p->tiles, blocks = ash__ceiling(p->length, LANE_ROWS * p->side);
    p->each = 1;
    while (p->each < 1 << (LEVELS - 1) && ash__ceiling(blocks, p->each) * units > wanted(p))
        p->each *= 2;
    p->blocks = ash__ceiling(blocks, p->each);
    p->items = units * p->blocks;
    p->run_lanes = power_from(p->run_length);
}

static void share_chunks(plan *p)
{
    const int64_t many = p->one_by_one ? wanted(p) : SMALL_LOCAL * wanted(p);
    p->kind = CHUNKS;
    p->team = 1;
    p->lanes = 1;
    p->local = p->one_by_one && p->outputs < 16 * many ? 1 : SMALL_LOCAL;
    p->each = LEAST_CHUNK;
    while (ash__ceiling(p->length ? p->length : 1, p->each) * p->outputs > many && p->each < p->length)
        p->each *= 2;
    p->blocks = p->length ? ash__ceiling(p->length, p->each) : 1;
    p->items = p->outputs * p->blocks;
}

static bool is_blocked(const plan *p)
{
    return p->blocks > 1 || p->columns > 0;
}

static void share(plan *p)
{
    p->one_by_one = ash__gpu_one_by_one(p->device->state);
    p->side = p->tiles = 1;
    p->run_lanes = p->beside = 1;
    if (p->task->fold == ASH__FOLD_FUNCTION)
        share_chunks(p);
    else if (p->columns)
        share_columns(p);
    else
        share_runs(p);
    const bool joins_alone = p->one_by_one && p->blocks > JOINED;
    p->joined = joins_alone ? JOINED_ALONE : JOINED;
    p->join_local = joins_alone ? 1 : JOIN_LOCAL;
}

/* NULL, or why there is no kernel. */
static const char *make_plan(plan *p)
{
    const ash__task *const task = p->task;
    const char *why = ash__gpu_fold_set(&p->fold, p->device, task);
    if (!why)
        why = ash__gpu_walk_spans(&p->walk, task);
    if (why)
        return why;
    p->fold.empty = ash__gpu_axes_count(task, task->reduced) == 0;
    if (p->fold.empty) /* no operand is read */
        p->walk.form.spans = 1, p->walk.operands = 0;
    if (task->value.data && (p->fold.value = ash__gpu_walk_add_span(&p->walk, &task->value)) < 0)
        return "the function has too many operands for a kernel";
    p->walk.form.faults = p->fold.faults;
    set_axes(p);
    share(p);
    ash__gpu_walk_touch(&p->walk, task, &p->work);
    return ash__gpu_walk_form(&p->walk, &p->work, p->local, MORE_PARAMETERS);
}

/* ---- text */

/* Can the four lanes of an item be read at once? */
static bool has_fours(const plan *p)
{
    enum { ALIGNMENT = 16 };
    const ash__gpu_form *const form = &p->walk.form;
    if (p->kind != RUNS || p->lanes != 4 || p->folded != 1 || p->fold.planes != 1 || !ash__gpu_fold_is_direct(&p->fold, form))
        return false;
    const int span = 1 + p->fold.program->ins[0].arg[0];
    /* of the address, and of the place in the memory: a driver may have a copy of it elsewhere */
    uint64_t bits = (uint64_t)(uintptr_t)p->walk.span[span]->data | p->fold.program->ins[0].offset |
                    (uint64_t)ash__gpu_place_of(&p->work, p->walk.span[span]).start;
    for (int axis = 0; axis + 1 < form->rank; axis++)
        bits |= (uint64_t)p->walk.stride[axis][span];
    return bits % ALIGNMENT == 0;
}

static void put_kernels(ash__text *text, const void *context)
{
    static const char *const kinds[] = {"SHORTS", "RUNS", "TILES", "DENSE", "SCATTERED", "CHUNKS"};
    const plan *const p = context;
    const ash__gpu_form *const form = &p->walk.form;
    ash__gpu_put_head(text, p->device->f64, form->wide);
    ash__gpu_put_walk(text, form);
    ash__gpu_put_fold(text, &p->fold, p->fold.empty && !p->task->has_init);
    if (!p->fold.empty)
        ash__gpu_put_value(text, &p->fold, form);
    ash__gpu_put_finish(text, &p->fold, form, is_blocked(p));
    if (has_fours(p))
        ash__gpu_put_source(text, &p->fold);
    for (int k = 0; k < (int)(sizeof kinds / sizeof kinds[0]); k++)
        ash__put(text, "#define %s %d\n", kinds[k], k);
    ash__put(text, "#define KIND %s\n#define EMPTY %d\n#define BLOCKED %d\n", kinds[p->kind], p->fold.empty, is_blocked(p));
    ash__put(text, "#define GROUPS %d\n#define FOLDED %d\n#define COLUMNS %d\n#define RUN %d\n", p->groups, p->folded,
             p->columns, p->run);
    ash__put(text, "#define TEAM %d\n#define LANES %d\n#define RUN_LANES %d\n#define SIDE %d\n", p->team, p->lanes,
             p->run_lanes, p->beside);
    ash__put(text, "#define LEVELS %d\n#define JOINED %d\n#define JOIN_LOCAL %d\n", LEVELS, p->joined, p->join_local);
    ash__put(text, "#define FOURS %d\n#define IN_REGISTERS %d\n", has_fours(p), !p->one_by_one);
    ash__put(text, "#define MORE_MEMORY %s\n", is_blocked(p) ? "G char *partials," : "");
    ash__gpu_put_text(text, ash__gpu_fold_text);
    ash__gpu_put_text(text, ash__gpu_reduce_text);
}

/* ---- launching */

/* The struct `params` of kernel text. */
static void fill(const plan *p, int64_t items, int64_t blocks, ash__gpu_parameters *to)
{
    ash__gpu_walk_parameters(&p->walk, &p->work, to);
    ash__gpu_add_bytes(to, p->task->init, sizeof p->task->init);
    const int64_t numbers[] = {items, p->each, blocks, p->length, p->width, p->side, p->tiles, p->run_length};
    for (int k = 0; k < (int)(sizeof numbers / sizeof numbers[0]); k++)
        ash__gpu_add_index(to, numbers[k]);
}

static ash_status launch_fold(plan *p, const char *text, void *partials)
{
    static const char *const names[] = {"shorts", "runs", "columns", "columns", "columns", "chunks"};
    ash__gpu_parameters with = {.length = 0};
    fill(p, p->items, p->blocks, &with);
    const int64_t teams = p->kind <= RUNS ? ash__ceiling(p->items, p->each) : p->items;
    const ash__launch launch = {
        .kernel = names[p->kind], .global = {ash__gpu_round_up(teams * p->team, p->local), 1}, .local = (size_t)p->local};
    return ash__gpu_walk_launch(&p->walk, &p->work, text, launch, (void *const[2]){partials, NULL}, &with);
}

/* Joins `blocks` partial results of each output. */
static ash_status launch_join(plan *p, const char *text, void *from, void *to, int64_t blocks)
{
    ash__gpu_parameters with = {.length = 0};
    const int64_t items = p->outputs * ash__ceiling(blocks, p->joined);
    fill(p, items, blocks, &with);
    const ash__launch launch = {
        .kernel = "join", .global = {ash__gpu_round_up(items, p->join_local), 1}, .local = (size_t)p->join_local};
    return ash__gpu_walk_launch(&p->walk, &p->work, text, launch, (void *const[2]){from, to}, &with);
}

static ash_status launch_all(void *context, const char *text)
{
    plan *const p = context;
    void *partials[2] = {NULL, NULL};
    ash_status status = ASH_OK;
    if (is_blocked(p)) {
        const size_t nbytes = ash__gpu_fold_bytes(&p->fold, p->walk.form.wide) * (size_t)p->outputs;
        status = ash__gpu_scratch(&p->work, nbytes * (size_t)p->blocks, &partials[0]);
        if (!status)
            status = ash__gpu_scratch(&p->work, nbytes * (size_t)ash__ceiling(p->blocks, p->joined), &partials[1]);
    }
    if (!status)
        status = launch_fold(p, text, partials[0]);
    int from = 0;
    for (int64_t blocks = p->blocks; is_blocked(p) && !status; blocks = ash__ceiling(blocks, p->joined), from = !from) {
        status = launch_join(p, text, partials[from], partials[!from], blocks);
        if (blocks <= p->joined)
            break;
    }
    return status;
}

/* Is there nothing to be done? */
static bool is_nothing(const ash__task *task)
{
    const bool empty = ash__gpu_axes_count(task, task->reduced) == 0;
    if (ash__gpu_axes_count(task, ~task->reduced) == 0)
        return true;
    if (task->kind == ASH__TASK_ARG)
        return empty;
    return empty && !task->has_init && (task->accumulate || task->fold == ASH__FOLD_FUNCTION);
}

ash_status ash__gpu_reduce(ash_resources *resources, const ash__task *task, const char **why)
{
    if (is_nothing(task))
        return ASH_OK;
    plan p = {.task = task, .device = resources->device, .work = ash__gpu_work_of(resources, task->function)};
    if ((*why = make_plan(&p)))
        return ASH_OK;
    return ash__gpu_walk_run(&p.walk, &p.work, task, put_kernels, launch_all, &p);
}
