/*
 * scan.c - running folds along an axis, or over all elements in logical order, on the device.
 *
 * The axes are those of the CPU (src/backend/cpu/scan.c): lines or, where 16 columns or more lie side by side, rows of columns.
 * Lines that are too few to keep the device busy are cut into blocks: all blocks are folded, what each starts from is found
 * from that, and then they are scanned.
 *
 * Invariant: a work-item reads a block, a line or a column before it writes it, and no other reads it, so the output may be
 * the operand itself.
 */
#include <string.h>

#include "backend/gpu/fold.h"
#include "backend/gpu/rows.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/shape.h"

enum {
    BLOCK = 4096,
    LEAST_WIDTH = 16,
    SMALL_LOCAL = 64,
    LEAST_TILE = 64,
    MOST_TILE = 1024,
    LEAST_GROUPED = 32, /* elements of a line that a group scans */
    GROUP_LOCAL = 256, /* work-items of a group that scans 256 or 1024 of them, or blocks; of SMALL_LOCAL of them SMALL_LOCAL */
    MOST_COLUMNS = 1024, /* lines so long are scanned by groups where columns are fewer than the device wants */
    MORE_PARAMETERS = 64
};

typedef struct plan {
    const ash__task *task;
    const ash_device *device;
    ash__gpu_fold fold;
    ash__gpu_walk walk;
    ash__gpu_work work;
    bool one_by_one, doubling;
    int groups, line, columns; /* axes */
    int local, tile;
    bool shared;                /* blocks of one line among work-items, or groups */
    bool grouped, looking_back; /* by groups, a line or a block each; blocks find by themselves what came before */
    int sweeps;
    int64_t lines, length, width, blocks, items;
} plan;

/* ---- the shape of the work */

/* Work-items, or groups, that keep the device busy. */
static int64_t wanted(const plan *p)
{
    const ash__gpu *const gpu = p->device->state;
    return gpu->units * (p->one_by_one ? 4 : 256);
}

/* Are columns so few and so long that groups do better, which read them with gaps? */
static bool are_few(const plan *p, uint32_t others, int64_t length)
{
    return !p->one_by_one && p->task->fold != ASH__FOLD_FUNCTION && length > MOST_COLUMNS &&
           ash__gpu_axes_count(p->task, others) * 4 < wanted(p);
}

static void set_axes(plan *p)
{
    const ash__task *const task = p->task;
    uint32_t all = task->rank == 32 ? UINT32_MAX : ((uint32_t)1 << task->rank) - 1, scanned = all, columns = 0;
    if (task->axis >= 0) {
        scanned = (uint32_t)1 << task->axis;
        columns = task->shape[task->axis] == 1 ? 0 : ash__gpu_fastest_axes(task, all, all & ~scanned);
        if (ash__gpu_axes_count(task, columns) < LEAST_WIDTH || are_few(p, all & ~scanned, task->shape[task->axis]))
            columns = 0;
    }
    p->groups = ash__gpu_walk_axes(&p->walk, task, all & ~scanned & ~columns, ASH__GPU_BY_OPERANDS);
    p->line =
        ash__gpu_walk_axes(&p->walk, task, scanned, task->axis < 0 && task->col_major ? ASH__GPU_REVERSED : ASH__GPU_LOGICAL);
    p->columns = ash__gpu_walk_axes(&p->walk, task, columns, ASH__GPU_BY_OPERANDS);
    p->lines = ash__gpu_axes_count(task, all & ~scanned & ~columns);
    p->length = ash__gpu_axes_count(task, scanned);
    p->width = ash__gpu_axes_count(task, columns);
}

static void share_groups(plan *p)
{
    const ash__gpu *const gpu = p->device->state;
    p->local = p->length <= SMALL_LOCAL ? SMALL_LOCAL : GROUP_LOCAL;
    p->sweeps = p->length <= GROUP_LOCAL ? 1 : p->length <= 4 * GROUP_LOCAL ? 4 : BLOCK / GROUP_LOCAL;
    p->tile = 1;
    p->blocks = ash__ceiling(p->length, (int64_t)p->local * p->sweeps);
    p->shared = p->blocks > 1 && p->lines < 8 * gpu->units;
    p->looking_back = p->shared && ash__gpu_warp(gpu) && p->lines * p->blocks <= INT32_MAX;
    p->items = p->shared ? p->lines * p->blocks : p->lines;
}

static void share_items(plan *p)
{
    const ash__gpu *const gpu = p->device->state;
    p->blocks = ash__ceiling(p->length, BLOCK);
    p->tile = p->one_by_one ? LEAST_TILE : 1;
    while (p->one_by_one && p->tile < MOST_TILE && p->tile * gpu->units < p->width * p->lines)
        p->tile *= 2; /* rows are read in long pieces */
    p->shared = !p->columns && p->blocks > 1 && p->lines < wanted(p);
    p->items = p->columns ? p->lines * ash__ceiling(p->width, p->tile) : p->shared ? p->lines * p->blocks : p->lines;
    p->local = p->one_by_one && (p->columns || p->length > BLOCK / 8 || p->items < SMALL_LOCAL * wanted(p)) ? 1 : SMALL_LOCAL;
}

static void share(plan *p)
{
    p->grouped = !p->one_by_one && !p->columns && p->length >= LEAST_GROUPED && p->task->fold != ASH__FOLD_FUNCTION;
    if (p->grouped)
        share_groups(p);
    else
        share_items(p);
}

/* NULL, or why there is no kernel. */
static const char *make_plan(plan *p)
{
    const char *why = ash__gpu_fold_set(&p->fold, p->device, p->task);
    if (!why)
        why = ash__gpu_walk_spans(&p->walk, p->task);
    if (why)
        return why;
    const ash__fold fold = p->task->fold;
    p->one_by_one = ash__gpu_one_by_one(p->device->state);
    p->doubling = ash__is_float(p->fold.type) && (fold == ASH__FOLD_SUM || fold == ASH__FOLD_PROD);
    p->walk.form.faults = p->fold.faults;
    set_axes(p);
    share(p);
    ash__gpu_walk_touch(&p->walk, p->task, &p->work);
    return ash__gpu_walk_form(&p->walk, &p->work, p->local, MORE_PARAMETERS);
}

/* ---- text */

/* A part as a vector: doubled, each element with the one 1, 2, 4 ... before it; or as one sum of neighbours in pairs. */
static void put_vectors(ash__text *text, const plan *p)
{
    ash__put(text, "#define OPERATOR %s\n", p->task->fold == ASH__FOLD_SUM ? "+" : "*");
    ash__put(text, "#define SHIFTED __builtin_shufflevector\n");
    if (p->fold.type == ASH_F32)
        ash__put(text, "typedef float16 V;\n"
                       "#define LOAD(K, P) vload16(K, P)\n"
                       "#define STORE(X, K, P) vstore16(X, K, P)\n"
                       "#define LAST(X) (X).sf\n"
                       "FN V DOUBLED(V x)\n{\n"
                       "    const V n = (V)(NEUTRAL0);\n"
                       "    x = SHIFTED(n, x, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30) OPERATOR x;\n"
                       "    x = SHIFTED(n, x, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29) OPERATOR x;\n"
                       "    x = SHIFTED(n, x, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27) OPERATOR x;\n"
                       "    return SHIFTED(n, x, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23) OPERATOR x;\n}\n"
                       "FN T0 TREE(V x)\n{\n"
                       "    const float8 a = x.even OPERATOR x.odd;\n"
                       "    const float4 b = a.even OPERATOR a.odd;\n"
                       "    const float2 c = b.even OPERATOR b.odd;\n"
                       "    return c.x OPERATOR c.y;\n}\n");
    else
        ash__put(text, "typedef double8 V;\n"
                       "#define LOAD(K, P) vload8(K, P)\n"
                       "#define STORE(X, K, P) vstore8(X, K, P)\n"
                       "#define LAST(X) (X).s7\n"
                       "FN V DOUBLED(V x)\n{\n"
                       "    const V n = (V)(NEUTRAL0);\n"
                       "    x = SHIFTED(n, x, 7, 8, 9, 10, 11, 12, 13, 14) OPERATOR x;\n"
                       "    x = SHIFTED(n, x, 6, 7, 8, 9, 10, 11, 12, 13) OPERATOR x;\n"
                       "    return SHIFTED(n, x, 4, 5, 6, 7, 8, 9, 10, 11) OPERATOR x;\n}\n"
                       "FN T0 TREE(V x)\n{\n"
                       "    const double4 a = x.even OPERATOR x.odd;\n"
                       "    const double2 b = a.even OPERATOR a.odd;\n"
                       "    return b.x OPERATOR b.y;\n}\n");
}

/* Elements and results that lie side by side in memory as they are. */
static void put_direct(ash__text *text, const plan *p)
{
    const ash__gpu_form *const form = &p->walk.form;
    const int64_t size = (int64_t)ash_dtype_size(p->fold.type);
    const bool direct = ash__gpu_fold_is_direct(&p->fold, form) && form->step[0] == size && p->line <= 1 &&
                        !p->task->exclusive && p->task->out.dtype == p->fold.type && !form->odd[0];
    ash__put(text, "#define DIRECT %d\n", direct);
    ash__gpu_put_source(text, &p->fold);
    ash__put(text, "#define TARGET(I) (G T0 *)(m0 + at[0] + (I) * %d)\n", (int)size);
}

static void put_kernels(ash__text *text, const void *context)
{
    const plan *const p = context;
    const ash__gpu_form *const form = &p->walk.form;
    const ash__task *const task = p->task;
    const bool vectors = p->doubling && p->one_by_one && p->fold.planes == 1;
    ash__gpu_put_head(text, p->device->f64, form->wide);
    ash__gpu_put_walk(text, form);
    ash__gpu_put_fold(text, &p->fold, false);
    ash__gpu_put_value(text, &p->fold, form);
    ash__gpu_put_store(text, &p->fold, form, false);
    ash__put(text, "#define SHOWN0 %s\n", task->fold == ASH__FOLD_SUM ? "0" : "NEUTRAL0");
    if (form->step[0] == ASH__GPU_ANY)
        ash__put(text, "#define STEP0 w->stride[(RANK - 1) * SPANS]\n");
    else
        ash__put(text, "#define STEP0 %d\n", (int)form->step[0]);
    ash__put(text, "#define GROUPS %d\n#define FOLDED %d\n#define COLUMNS %d\n#define TILE %d\n", p->groups, p->line,
             p->columns, p->tile);
    ash__put(text, "#define INIT %d\n#define EXCLUSIVE %d\n#define FUNCTION %d\n", task->has_init, task->exclusive,
             task->fold == ASH__FOLD_FUNCTION);
    ash__put(text, "#define DOUBLING %d\n#define VECTORS %d\n#define SHARED_BLOCKS %d\n#define MORE_MEMORY %s\n", p->doubling,
             vectors, p->shared, p->shared ? "G char *memory," : "");
    ash__put(text, "#define GROUPED %d\n#define LOOK_BACK %d\n#define SWEEPS %d\n", p->grouped, p->looking_back, p->sweeps);
    if (vectors) {
        put_vectors(text, p);
        put_direct(text, p);
    }
    ash__gpu_put_text(text, ash__gpu_fold_text);
    ash__gpu_put_text(text, ash__gpu_scan_text);
    if (p->grouped)
        ash__gpu_put_text(text, ash__gpu_scan_groups_text);
}

/* ---- launching */

static ash_status launch(plan *p, const char *text, const char *kernel, void *carried, int64_t items)
{
    ash__gpu_parameters with = {.length = 0};
    ash__gpu_walk_parameters(&p->walk, &p->work, &with);
    ash__gpu_add_bytes(&with, p->task->init, sizeof p->task->init);
    const int64_t numbers[] = {items, p->blocks, p->length, p->width};
    for (int k = 0; k < (int)(sizeof numbers / sizeof numbers[0]); k++)
        ash__gpu_add_index(&with, numbers[k]);
    const size_t local = (size_t)p->local;
    const ash__launch l = {.kernel = kernel,
                           .global = {p->grouped ? (size_t)items * local : ash__gpu_round_up(items, p->local), 1},
                           .local = local};
    return ash__gpu_walk_launch(&p->walk, &p->work, text, l, (void *const[2]){carried, NULL}, &with);
}

/* What groups publish: kernels/scan_groups.c. */
static ash_status launch_looking_back(plan *p, const char *text)
{
    void *memory = NULL;
    const int64_t words = p->items * (int64_t)ash_dtype_size(p->fold.wide) + p->items + 1;
    ash_status status = ash__gpu_scratch(&p->work, (size_t)words * 4, &memory);
    if (!status)
        status = ash__gpu_rows_zero(&p->work, memory, words);
    return status ? status : launch(p, text, "lines", memory, p->items);
}

static ash_status launch_shared(plan *p, const char *text)
{
    void *carried = NULL;
    ash_status status = ash__gpu_scratch(&p->work, (size_t)p->items * 2 * ash_dtype_size(p->fold.wide), &carried);
    if (!status)
        status = launch(p, text, "totals", carried, p->items);
    if (!status)
        status = launch(p, text, "carries", carried, p->lines);
    return status ? status : launch(p, text, "lines", carried, p->items);
}

static ash_status launch_all(void *context, const char *text)
{
    plan *const p = context;
    if (p->looking_back)
        return launch_looking_back(p, text);
    if (p->shared)
        return launch_shared(p, text);
    return launch(p, text, p->columns ? "columns" : "lines", NULL, p->items);
}

ash_status ash__gpu_scan(ash_resources *resources, const ash__task *task, const char **why)
{
    for (int64_t axis = 0; axis < task->rank; axis++)
        if (task->shape[axis] == 0)
            return ASH_OK;
    plan p = {.task = task, .device = resources->device, .work = ash__gpu_work_of(resources, task->function)};
    if ((*why = make_plan(&p)))
        return ASH_OK;
    return ash__gpu_walk_run(&p.walk, &p.work, task, put_kernels, launch_all, &p);
}
