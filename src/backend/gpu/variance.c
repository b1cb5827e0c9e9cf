/*
 * variance.c - means and squared deviations from them on the device.
 *
 * Blocks of 4096 elements, or of 64 rows of columns, get their moments in two passes; moments are joined pairwise, 64 at a
 * time.
 */
#include <string.h>

#include "backend/gpu/fold.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/shape.h"

enum { RUN_BLOCK = 4096, ROW_BLOCK = 64, JOINED = 64, LANES = 64, MOST_COLUMNS = 512, LOCAL = 32, MORE_PARAMETERS = 80 };

typedef struct plan {
    const ash__task *task;
    const ash_device *device;
    ash__gpu_fold fold;
    ash__gpu_walk walk;
    ash__gpu_work work;
    bool one_by_one;
    int groups, folded, columns; /* axes */
    int lanes, team, mean;       /* team: items that share a block; mean: its span, or 0 */
    ash_dtype wide;
    int64_t outputs, n, length, width, tiles, blocks, items;
} plan;

static void set_axes(plan *p)
{
    const ash__task *const task = p->task;
    const uint32_t kept = ~task->reduced, reduced = p->fold.empty ? 0 : task->reduced;
    const uint32_t columns = ash__gpu_axes_count(task, reduced) > 1 ? ash__gpu_fastest_axes(task, UINT32_MAX, kept) : 0;
    p->groups = ash__gpu_walk_axes(&p->walk, task, kept & ~columns, ASH__GPU_BY_OPERANDS);
    p->folded = ash__gpu_walk_axes(&p->walk, task, reduced, ASH__GPU_BY_OPERANDS);
    p->columns = ash__gpu_walk_axes(&p->walk, task, columns, ASH__GPU_BY_OPERANDS);
    p->outputs = ash__gpu_axes_count(task, kept);
    p->width = ash__gpu_axes_count(task, columns);
    p->n = ash__gpu_axes_count(task, task->reduced);
    p->length = p->n;
}

static void share(plan *p)
{
    p->lanes = p->one_by_one ? LANES : 1;
    p->team = !p->one_by_one && !p->columns && p->length >= LANES ? LANES : 1;
    if (p->columns && p->one_by_one)
        while (p->lanes < MOST_COLUMNS && p->lanes < p->width)
            p->lanes *= 2;
    p->tiles = p->columns ? ash__ceiling(p->width, p->lanes) : 1;
    p->blocks = p->length ? ash__ceiling(p->length, p->columns ? ROW_BLOCK : RUN_BLOCK) : 0;
    p->items = p->outputs / p->width * p->tiles * p->blocks;
}

/* NULL, or why there is no kernel. */
static const char *make_plan(plan *p)
{
    const char *why = ash__gpu_fold_set(&p->fold, p->device, p->task);
    if (!why)
        why = ash__gpu_walk_spans(&p->walk, p->task);
    if (why)
        return why;
    p->one_by_one = ash__gpu_one_by_one(p->device->state);
    p->wide = p->device->f64 ? ASH_F64 : ASH_F32;
    p->fold.empty = ash__gpu_axes_count(p->task, p->task->reduced) == 0;
    if (p->fold.empty)
        p->walk.form.spans = 1, p->walk.operands = 0;
    if (p->task->value.data && (p->mean = ash__gpu_walk_add_span(&p->walk, &p->task->value)) < 0)
        return "the function has too many operands for a kernel";
    p->walk.form.faults = p->fold.faults;
    set_axes(p);
    share(p);
    ash__gpu_walk_touch(&p->walk, p->task, &p->work);
    return ash__gpu_walk_form(&p->walk, &p->work, LOCAL, MORE_PARAMETERS);
}

/* ---- text */

static void put_kernels(ash__text *text, const void *context)
{
    const plan *const p = context;
    const ash__gpu_form *const form = &p->walk.form;
    const char *const wide = ash__gpu_type(p->wide), *const type = ash__gpu_type(p->fold.type);
    ash__gpu_put_head(text, p->device->f64, form->wide);
    ash__gpu_put_walk(text, form);
    ash__put(text, "typedef %s T;\ntypedef %s W;\ntypedef %s A;\n", type, wide, !p->columns && p->length < LANES ? wide : type);
    ash__gpu_put_odd(text, form);
    if (p->fold.empty)
        ash__put(text, "#define VALUE(AT, I, X0, X1) (void)0\n");
    else
        ash__gpu_put_value(text, &p->fold, form);
    ash__put(text, "#define GROUPS %d\n#define FOLDED %d\n#define COLUMNS %d\n#define LANES %d\n", p->groups, p->folded,
             p->columns, p->lanes);
    ash__put(text, "#define EMPTY %d\n#define MEAN %d\n#define TEAM %d\n", p->fold.empty, p->mean, p->team);
    ash__put(text, "#define KEEP(X) ");
    ash__gpu_put_kept(text, form, 0, 0, p->task->out.dtype, p->wide, "X");
    if (p->mean) {
        ash__put(text, "#define KEEP_MEAN(X) ");
        ash__gpu_put_kept(text, form, p->mean, 0, p->task->value.dtype, p->wide, "X");
    }
    ash__gpu_put_text(text, ash__gpu_variance_text);
}

/* ---- launching */

static void add_wide(const plan *p, ash__gpu_parameters *to, double x)
{
    const float narrow = (float)x;
    if (p->wide == ASH_F64)
        ash__gpu_add_bytes(to, &x, sizeof x);
    else
        ash__gpu_add_bytes(to, &narrow, sizeof narrow);
}

static ash_status launch(plan *p, const char *text, const char *kernel, void *const more[2], int64_t items, int64_t blocks,
                         int team)
{
    ash__gpu_parameters with = {.length = 0};
    ash__gpu_walk_parameters(&p->walk, &p->work, &with);
    const int64_t numbers[] = {items, blocks, p->length, p->width, p->tiles};
    for (int k = 0; k < (int)(sizeof numbers / sizeof numbers[0]); k++)
        ash__gpu_add_index(&with, numbers[k]);
    add_wide(p, &with, (double)p->n);
    add_wide(p, &with, (double)p->n - p->task->correction);
    with.length = (with.length + 7) / 8 * 8;
    const int local = team > 1 ? team : LOCAL;
    const ash__launch l = {.kernel = kernel, .global = {ash__gpu_round_up(items * team, local), 1}, .local = (size_t)local};
    return ash__gpu_walk_launch(&p->walk, &p->work, text, l, more, &with);
}

static ash_status launch_all(void *context, const char *text)
{
    plan *const p = context;
    const size_t each = 4 * ash_dtype_size(p->wide) * (size_t)p->outputs;
    const int64_t chunks = p->blocks ? ash__ceiling(p->blocks, JOINED) : 1;
    void *moments[2] = {NULL, NULL};
    ash_status status = ash__gpu_scratch(&p->work, each * (size_t)(p->blocks ? p->blocks : 1), &moments[0]);
    if (!status)
        status = ash__gpu_scratch(&p->work, each * (size_t)chunks, &moments[1]);
    if (!status && p->blocks)
        status = launch(p, text, "blocks", (void *const[2]){moments[0], NULL}, p->items, p->blocks, p->team);
    int from = 0;
    for (int64_t blocks = p->blocks; !status; blocks = ash__ceiling(blocks, JOINED), from = !from) {
        const int64_t left = blocks ? ash__ceiling(blocks, JOINED) : 1;
        status = launch(p, text, "join", (void *const[2]){moments[from], moments[!from]}, p->outputs * left, blocks, 1);
        if (left == 1)
            break;
    }
    return status;
}

ash_status ash__gpu_variance(ash_resources *resources, const ash__task *task, const char **why)
{
    if (ash__gpu_axes_count(task, ~task->reduced) == 0)
        return ASH_OK;
    plan p = {.task = task, .device = resources->device, .work = ash__gpu_work_of(resources, task->function)};
    if ((*why = make_plan(&p)))
        return ASH_OK;
    return ash__gpu_walk_run(&p.walk, &p.work, task, put_kernels, launch_all, &p);
}
