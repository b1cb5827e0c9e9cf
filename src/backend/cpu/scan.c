/*
 * scan.c - running folds along an axis, or over all elements in logical order.
 *
 * The axes are ordered so that element (g, i, j) has number (g*length + i)*width + j, i running along the scan. With width 1
 * that is lines, each in blocks; else rows of independent columns, folded one row after the other.
 *
 * A block of a line starts from the fold of all blocks before it, and gives its own total to the next; those totals are
 * added in f64 for sums of f32. So the error grows with the number of blocks in f64 and, inside a block, as fold_scan.c says,
 * and what a block starts from can be had without scanning: several threads first take the totals, then scan. Columns of f32
 * sums are kept in f64 and rounded at each row.
 *
 * Invariant: a block is read before it is written and touched by one thread, so the output may be the operand itself.
 */
#include "backend/cpu/combine.h"
#include "backend/cpu/plan.h"
#include "backend/cpu/threads.h"
#include "core/shape.h"

enum {
    LEAST_WIDTH = 16, /* of rows: fewer columns are scanned as lines */
    LEAST_TILE = 256, /* of columns given to a thread */
    SHARES = 4
};

typedef struct part {
    ash__evaluator *evaluator;
    ash__sink sink;
    char *out[ASH__PLANES];   /* a block of results and one element more */
    char *state[ASH__PLANES]; /* columns: the fold so far, of type wide */
    char *spare;              /* a row whose contents are not wanted */
} part;

typedef struct scan {
    const ash__task *task;
    const ash__kernels *kernels;
    const ash__fold_scans *scans;
    ash_dtype type, wide;
    size_t size, wide_size;
    int planes;
    ash__scalar start[ASH__PLANES]; /* of type wide: init, or a neutral element that changes no bit */
    ash__scalar shown[ASH__PLANES]; /* of type `type`: what an exclusive scan begins with */
    int64_t groups, length, width;
    int64_t blocks, tile, tiles, items, parts;
    ash__axis_list order;
    ash__scalar *carry; /* lines shared among threads: totals, then what each block starts from [line][block][plane] */
    part *part;
} scan;

/* ---- values of two types */

static ash__scalar narrowed(const scan *s, ash__scalar x)
{
    ash__scalar y = x;
    if (s->type != s->wide)
        y.f32 = (float)x.f64;
    return y;
}

static void add_total(const scan *s, ash__scalar *carry, ash__scalar total)
{
    s->kernels->fold->columns->fold[s->task->fold][s->wide](carry, &total, 1, 1);
}

/* ---- lines */

/* One block, or a short line: n elements to d (exclusive: and one more). carry: from before it to after it; NULL: a line of
 * its own. first: does the line begin here? */
static void scan_block(const scan *s, int k, char *d, const char *x, int64_t n, ash__scalar *carry, bool first)
{
    ash__scalar own = s->start[k], total = {.bits = 0}, *const c = carry ? carry : &own;
    const ash__scalar from = narrowed(s, *c);
    if (s->task->exclusive) {
        memcpy(d, first ? &s->shown[k] : &from, s->size);
        d += s->size;
    }
    s->scans->scan[s->task->fold][s->type](d, x, c, &total, n);
    add_total(s, c, total);
}

static char *direct(const scan *s, const part *p, int64_t first, int64_t n)
{
    return s->planes > 1 || s->task->exclusive ? NULL : ash__sink_direct(&p->sink, first, n, s->type);
}

static void put(const scan *s, part *p, int64_t first, int64_t n)
{
    ash__sink_put(&p->sink, first, n, s->type, (const char *const *)p->out);
}

/* Block b of a line. */
static void scan_line_block(const scan *s, part *p, int64_t line, int64_t b, ash__scalar carry[ASH__PLANES])
{
    const void *plane[ASH__PLANES];
    const int64_t at = b * ASH__FOLD_BLOCK, first = line * s->length + at;
    const int64_t n = s->length - at < ASH__FOLD_BLOCK ? s->length - at : ASH__FOLD_BLOCK;
    ash__evaluate(p->evaluator, first, n, &plane[0], &plane[1]);
    char *const to = direct(s, p, first, n);
    for (int k = 0; k < s->planes; k++)
        scan_block(s, k, to ? to : p->out[k], plane[k], n, &carry[k], b == 0);
    if (!to)
        put(s, p, first, n);
}

static void scan_long_lines(const scan *s, part *p, int64_t lo, int64_t hi)
{
    for (int64_t line = lo; line < hi; line++) {
        ash__scalar carry[ASH__PLANES] = {s->start[0], s->start[1]};
        for (int64_t b = 0; b < s->blocks; b++)
            scan_line_block(s, p, line, b, carry);
    }
}

/* Lines of up to half a block, many at a time. */
static void scan_short_lines(const scan *s, part *p, int64_t lo, int64_t hi)
{
    const int64_t each = ASH__FOLD_BLOCK / s->length;
    const size_t nbytes = (size_t)s->length * s->size;
    for (int64_t line = lo, m; line < hi; line += m) {
        const void *plane[ASH__PLANES];
        m = hi - line < each ? hi - line : each;
        ash__evaluate(p->evaluator, line * s->length, m * s->length, &plane[0], &plane[1]);
        char *const to = direct(s, p, line * s->length, m * s->length);
        for (int k = 0; k < s->planes; k++)
            for (int64_t i = 0; i < m; i++) /* the one element more of a line is the first of the next, which comes after it */
                scan_block(s, k, (to ? to : p->out[k]) + (size_t)i * nbytes, (const char *)plane[k] + (size_t)i * nbytes,
                           s->length, NULL, true);
        if (!to)
            put(s, p, line * s->length, m * s->length);
    }
}

/* ---- lines shared among threads: items are blocks */

static void take_total(const scan *s, part *p, int64_t item)
{
    const void *plane[ASH__PLANES];
    const int64_t line = item / s->blocks, b = item % s->blocks;
    if (b == s->blocks - 1)
        return; /* nothing follows */
    ash__evaluate(p->evaluator, line * s->length + b * ASH__FOLD_BLOCK, ASH__FOLD_BLOCK, &plane[0], &plane[1]);
    for (int k = 0; k < s->planes; k++) {
        ash__scalar *const total = &s->carry[item * ASH__PLANES + k];
        total->bits = 0;
        if (s->scans->total[s->task->fold][s->type])
            s->scans->total[s->task->fold][s->type](total, plane[k]);
        else
            s->kernels->fold->blocks->fold[s->task->fold][s->type](total, plane[k], ASH__FOLD_BLOCK);
    }
}

/* Totals become what each block starts from. */
static void carry_on(const scan *s)
{
    for (int64_t line = 0; line < s->groups; line++)
        for (int k = 0; k < s->planes; k++) {
            ash__scalar c = s->start[k];
            for (int64_t b = 0; b < s->blocks; b++) {
                ash__scalar *const at = &s->carry[(line * s->blocks + b) * ASH__PLANES + k];
                const ash__scalar total = *at;
                *at = c;
                if (b < s->blocks - 1)
                    add_total(s, &c, total);
            }
        }
}

static int64_t share(int64_t items, int64_t parts, int64_t number)
{
    return items / parts * number + items % parts * number / parts;
}

static void total_part(void *context, int64_t number)
{
    const scan *const s = context;
    for (int64_t item = share(s->items, s->parts, number); item < share(s->items, s->parts, number + 1); item++)
        take_total(s, &s->part[number], item);
}

static void block_part(void *context, int64_t number)
{
    const scan *const s = context;
    for (int64_t item = share(s->items, s->parts, number); item < share(s->items, s->parts, number + 1); item++)
        scan_line_block(s, &s->part[number], item / s->blocks, item % s->blocks, &s->carry[item * ASH__PLANES]);
}

/* ---- columns */

/* One row of columns; the type of the state is wide. */
static void scan_rows(const scan *s, char *d, const char *x, char *state, int64_t rows, int64_t w)
{
    if (s->type != s->wide)
        s->scans->columns_wide((float *)(void *)d, (const float *)(const void *)x, (double *)(void *)state, rows, w);
    else
        s->scans->columns[s->task->fold][s->type](d, x, state, rows, w);
}

/* As above, but d gets the state before each row. */
static void scan_rows_before(const scan *s, part *p, int k, const char *x, int64_t row, int64_t rows, int64_t w)
{
    const size_t nbytes = (size_t)w * s->size;
    char *d = p->out[k];
    for (int64_t i = 0; i < rows; i++, d += nbytes, x += nbytes) {
        if (row + i == 0)
            s->kernels->layout->splat[__builtin_ctzll((unsigned long long)s->size)](d, &s->shown[k], w);
        else if (s->type != s->wide)
            s->kernels->fold->columns->round((float *)(void *)d, (const double *)(void *)p->state[k], w);
        else
            memcpy(d, p->state[k], nbytes);
        scan_rows(s, p->spare, x, p->state[k], 1, w);
    }
}

static void scan_columns(const scan *s, part *p, int64_t g, int64_t j, int64_t w)
{
    const int64_t each = w < s->width ? 1 : ASH__FOLD_BLOCK / s->width;
    for (int k = 0; k < s->planes; k++)
        s->kernels->layout->splat[__builtin_ctzll((unsigned long long)s->wide_size)](p->state[k], &s->start[k], w);
    for (int64_t row = 0, m; row < s->length; row += m) {
        const void *plane[ASH__PLANES];
        const int64_t first = (g * s->length + row) * s->width + j;
        m = s->length - row < each ? s->length - row : each;
        ash__evaluate(p->evaluator, first, m * w, &plane[0], &plane[1]);
        char *const to = direct(s, p, first, m * w);
        for (int k = 0; k < s->planes; k++)
            if (s->task->exclusive)
                scan_rows_before(s, p, k, plane[k], row, m, w);
            else
                scan_rows(s, to ? to : p->out[k], plane[k], p->state[k], m, w);
        if (!to)
            put(s, p, first, m * w);
    }
}

static void scan_part(void *context, int64_t number)
{
    const scan *const s = context;
    part *const p = &s->part[number];
    const int64_t lo = share(s->items, s->parts, number), hi = share(s->items, s->parts, number + 1);
    for (int64_t item = lo; item < hi && s->width > 1; item++) {
        const int64_t j = item % s->tiles * s->tile;
        scan_columns(s, p, item / s->tiles, j, s->width - j < s->tile ? s->width - j : s->tile);
    }
    if (s->width == 1 && s->length <= ASH__FOLD_BLOCK / 2)
        scan_short_lines(s, p, lo, hi);
    else if (s->width == 1)
        scan_long_lines(s, p, lo, hi);
}

/* ---- the shape of the work */

void ash__scan_axes(const ash__task *task, int64_t least_width, ash__axis_list *order, int64_t *groups, int64_t *length,
                    int64_t *width)
{
    ash__axis_list columns = {.count = 1};
    *groups = *width = 1;
    order->rank = 0;
    order->count = 1;
    if (task->axis < 0) {
        for (int64_t k = 0; k < task->rank; k++)
            ash__axis_list_add(order, task, task->col_major ? task->rank - 1 - k : k);
        *length = order->count;
        return;
    }
    const uint32_t scanned = (uint32_t)1 << task->axis;
    ash__axis_list_sorted(order, task, ~(uint32_t)0, false);
    ash__axis_list_split(order, task, ~scanned, &columns);
    if (task->shape[task->axis] == 1 || columns.count < least_width) {
        columns.rank = 0;
        columns.count = 1;
    }
    uint32_t used = scanned;
    for (int64_t k = 0; k < columns.rank; k++)
        used |= (uint32_t)1 << columns.axis[k];
    ash__axis_list_sorted(order, task, ~used, false);
    *groups = order->count;
    *length = task->shape[task->axis];
    *width = columns.count;
    ash__axis_list_add(order, task, task->axis);
    ash__axis_list_append(order, &columns);
}

static void set_start(scan *s)
{
    for (int k = 0; k < s->planes; k++) {
        ash__scalar init = {.bits = 0};
        memcpy(&init, s->task->init + (size_t)k * s->size, s->size);
        s->shown[k] = s->task->has_init ? init : ash__fold_neutral(s->task->fold, s->type, false);
        s->start[k] = s->task->has_init ? init : ash__fold_neutral(s->task->fold, s->wide, true);
        if (s->task->has_init && s->type != s->wide)
            s->start[k].f64 = (double)init.f32;
    }
}

static void set_scan(scan *s, const ash__task *task)
{
    memset(s, 0, sizeof *s);
    s->task = task;
    s->kernels = ash__cpu_kernels();
    s->scans = s->kernels->fold->scans;
    s->planes = ash__is_complex(task->program->dtype) ? 2 : 1;
    s->type = ash__machine(ash__part(task->program->dtype));
    s->wide = s->type == ASH_F32 && task->fold == ASH__FOLD_SUM ? ASH_F64 : s->type;
    s->size = ash__type_size(s->type);
    s->wide_size = ash__type_size(s->wide);
    set_start(s);
    ash__scan_axes(task, LEAST_WIDTH, &s->order, &s->groups, &s->length, &s->width);
}

static void cut(scan *s)
{
    s->parts = ash__fold_parts(s->task, s->groups * s->length * s->width);
    s->blocks = ash__ceiling(s->length, ASH__FOLD_BLOCK);
    s->tile = s->width < ASH__FOLD_BLOCK ? s->width : ASH__FOLD_BLOCK;
    if (s->parts > 1 && s->groups * ash__ceiling(s->width, s->tile) < s->parts && s->width >= 2 * LEAST_TILE) {
        const int64_t fair = ash__ceiling(s->width, s->parts);
        s->tile = fair < LEAST_TILE ? LEAST_TILE : fair < s->tile ? fair : s->tile;
    }
    s->tiles = ash__ceiling(s->width, s->tile);
    s->items = s->groups * s->tiles;
}

/* ---- memory */

static size_t part_size(const scan *s)
{
    const size_t planes = (size_t)s->planes, row = ash__round_up((size_t)s->tile * s->wide_size);
    return ASH__SINK_SCRATCH + planes * ash__round_up((ASH__FOLD_BLOCK + 1) * s->size) +
           (s->width > 1 ? (planes + 1) * row : 0);
}

static bool set_part(const scan *s, part *p, char *at)
{
    const size_t row = ash__round_up((size_t)s->tile * s->wide_size);
    ash__sink_set(&p->sink, &s->task->out, s->task, &s->order, at);
    at += ASH__SINK_SCRATCH;
    for (int k = 0; k < s->planes; k++, at += ash__round_up((ASH__FOLD_BLOCK + 1) * s->size))
        p->out[k] = at;
    for (int k = 0; k < s->planes; k++, at += row)
        p->state[k] = at;
    p->spare = at;
    p->evaluator = ash__evaluator_new(s->task, s->order.axis, s->order.rank);
    return p->evaluator != NULL;
}

/* Few long lines are shared out by blocks, in two passes. */
static bool shares_blocks(const scan *s)
{
    return s->width == 1 && s->parts > 1 && s->groups < SHARES * s->parts && s->blocks > 4;
}

static ash_status run_parts(scan *s, char *memory)
{
    for (int64_t k = 0; k < s->parts; k++)
        if (!set_part(s, &s->part[k], memory + (size_t)k * part_size(s)))
            return ASH_ERR_MEMORY;
    if (!s->carry) {
        ash__parallel(s->parts, scan_part, s);
    } else {
        ash__parallel(s->parts, total_part, s);
        carry_on(s);
        ash__parallel(s->parts, block_part, s);
    }
    return ASH_OK;
}

static ash_status run(scan *s, int *faults)
{
    cut(s);
    const bool blocks = shares_blocks(s);
    if (blocks)
        s->items = s->groups * s->blocks;
    s->parts = s->parts < s->items ? s->parts : s->items;
    const size_t parts = ash__round_up((size_t)s->parts * sizeof(part));
    const size_t carry = blocks ? ash__round_up((size_t)s->items * ASH__PLANES * sizeof(ash__scalar)) : 0;
    char *const memory = ash__spare_take(parts + carry + (size_t)s->parts * part_size(s));
    if (!memory)
        return ash__plan_fail(s->task, ASH_ERR_MEMORY);
    memset(memory, 0, parts);
    s->part = (part *)(void *)memory;
    s->carry = blocks ? (ash__scalar *)(void *)(memory + parts) : NULL;
    const ash_status status = run_parts(s, memory + parts + carry);
    for (int64_t k = 0; k < s->parts; k++) {
        *faults |= s->part[k].evaluator ? ash__evaluator_faults(s->part[k].evaluator) : 0;
        ash__evaluator_free(s->part[k].evaluator);
    }
    ash__spare_give(memory);
    return status;
}

ash_status ash__cpu_scan(const ash__task *given)
{
    ash__loader loader;
    ash__task task = *given;
    scan s;
    int faults = 0;
    task.program = ash__fold_program(given->program, &loader);
    for (int64_t k = 0; k < task.rank; k++)
        if (task.shape[k] == 0)
            return ASH_OK;
    if (task.fold == ASH__FOLD_FUNCTION)
        return ash__cpu_scan_function(&task);
    set_scan(&s, &task);
    const ash_status status = run(&s, &faults);
    return status ? status : ash__task_fault(given, faults);
}
