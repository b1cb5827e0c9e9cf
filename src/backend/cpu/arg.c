/*
 * arg.c - where the first minimum or maximum is.
 *
 * A block is folded to its extreme, which is as fast as the fold alone; only a block whose extreme beats all before it is
 * searched, and that for the first element with the very bits of the extreme. So of equal elements the first wins, the first
 * NaN beats everything, and -0.0 is below 0.0, whatever the blocks. The reduced axes are walked in logical order, for the index
 * counts in it; of the kept ones, those that lie closer together than any reduced axis form rows, as in reduce.c.
 */
#include "backend/cpu/fold.h"
#include "backend/cpu/plan.h"
#include "backend/cpu/threads.h"
#include "core/shape.h"

enum { SHARES = 4, STRIP = 64, BATCH = 256 }; /* BATCH: results stored together */

typedef struct part {
    ash__window window;
    ash__sink index, value;
    char *extreme, *joined; /* of the block's rows; of it and all before */
    char *best;             /* value of each column */
    int64_t *place;         /* and where it is */
    int faults;
} part;

typedef struct candidate {
    ash__scalar best;
    int64_t place;
} candidate;

typedef struct search {
    const ash__task *task;
    const ash__fold_table *folds;
    ash_dtype type;
    size_t size;
    int64_t groups, rows, width; /* element ((g*rows) + r)*width + j */
    int64_t tile, tiles, blocks, segments, segment_blocks, items, parts;
    ash__axis_list kept, order;
    candidate *partial;
    part *part;
} search;

static bool is_nan(const search *s, const void *value)
{
    if (s->type == ASH_F32) {
        float x;
        memcpy(&x, value, sizeof x);
        return x != x;
    }
    if (s->type == ASH_F64) {
        double x;
        memcpy(&x, value, sizeof x);
        return x != x;
    }
    return false;
}

/* Does `later` beat `best`, both values of the type? */
static bool beats(const search *s, const void *best, const void *later)
{
    ash__scalar joined = {.bits = 0};
    memcpy(&joined, best, s->size);
    s->folds->columns->fold[s->task->fold][s->type](&joined, later, 1, 1);
    return memcmp(&joined, best, s->size) != 0 && !is_nan(s, best);
}

/* ---- one column: runs of blocks */

static candidate search_run(const search *s, part *p, int64_t g, int64_t b0, int64_t b1)
{
    candidate c = {.place = -1};
    const int64_t start = g * s->rows, end = b1 * ASH__FOLD_BLOCK < s->rows ? start + b1 * ASH__FOLD_BLOCK : start + s->rows;
    for (int64_t b = b0; b < b1; b++) {
        const char *plane[ASH__PLANES];
        ash__scalar extreme = {.bits = 0};
        const int64_t first = start + b * ASH__FOLD_BLOCK, n = end - first < ASH__FOLD_BLOCK ? end - first : ASH__FOLD_BLOCK;
        const bool natively = ash__fold_natively(p->window.evaluator, s->task->fold, s->type, first, n, &extreme);
        if (natively && c.place >= 0 && !beats(s, &c.best, &extreme))
            continue;
        ash__window_get(&p->window, first, n, s->blocks == 1 ? s->groups * s->rows : end, plane);
        if (!natively)
            s->folds->blocks->fold[s->task->fold][s->type](&extreme, plane[0], n);
        if (c.place >= 0 && !beats(s, &c.best, &extreme))
            continue;
        const int64_t at = s->folds->blocks->first[s->type](plane[0], &extreme, n);
        c.place = first - start + at;
        memcpy(&c.best, plane[0] + (size_t)at * s->size, s->size);
        if (is_nan(s, &c.best))
            break;
    }
    return c;
}

static void put(const search *s, part *p, int64_t first, int64_t n, const int64_t *place, const void *best)
{
    const char *const index[ASH__PLANES] = {(const char *)place, NULL}, *const value[ASH__PLANES] = {best, NULL};
    ash__sink_put(&p->index, first, n, ASH_I64, index);
    if (s->task->value.data)
        ash__sink_put(&p->value, first, n, s->type, value);
}

/* All of groups lo .. hi - 1. */
static void search_runs(const search *s, part *p, int64_t lo, int64_t hi)
{
    for (int64_t g = lo, n; g < hi; g += n) {
        n = hi - g < BATCH ? hi - g : BATCH;
        for (int64_t k = 0; k < n; k++) {
            const candidate c = search_run(s, p, g + k, 0, s->blocks);
            p->place[k] = c.place;
            memcpy(p->best + (size_t)k * s->size, &c.best, s->size);
        }
        put(s, p, g, n, p->place, p->best);
    }
}

/* ---- rows of columns */

/* Column j of the block's n rows has a new best: the first row that has it. */
static void take(const search *s, part *p, const char *x, int64_t j, int64_t w, int64_t row, int64_t n)
{
    const char *const extreme = p->extreme + (size_t)j * s->size;
    char *const best = p->best + (size_t)j * s->size;
    if (row > 0 && is_nan(s, best))
        return;
    for (int64_t k = 0; k < n; k++) {
        const char *const element = x + (size_t)(k * w + j) * s->size;
        if (memcmp(element, extreme, s->size) == 0 || (is_nan(s, extreme) && is_nan(s, element))) {
            memcpy(best, element, s->size);
            p->place[j] = row + k;
            return;
        }
    }
}

/* Rows from .. from + n - 1 of columns, n * w elements at x. */
static void search_rows(const search *s, part *p, const char *x, int64_t w, int64_t row, int64_t n)
{
    void (*const columns)(void *, const void *, int64_t, int64_t) = s->folds->columns->fold[s->task->fold][s->type];
    const size_t width = (size_t)w * s->size;
    memcpy(p->extreme, x, width);
    columns(p->extreme, x + width, n - 1, w);
    memcpy(p->joined, row ? p->best : p->extreme, width);
    columns(p->joined, p->extreme, 1, w);
    for (int64_t j = 0; j < w; j += STRIP) {
        const int64_t m = w - j < STRIP ? w - j : STRIP;
        if (row > 0 && memcmp(p->joined + (size_t)j * s->size, p->best + (size_t)j * s->size, (size_t)m * s->size) == 0)
            continue;
        for (int64_t k = j; k < j + m; k++)
            if (row == 0 || memcmp(p->joined + (size_t)k * s->size, p->best + (size_t)k * s->size, s->size) != 0)
                take(s, p, x, k, w, row, n);
    }
}

static void search_columns(const search *s, part *p, int64_t g, int64_t j, int64_t w)
{
    const int64_t fit = ASH__FOLD_BLOCK / s->width, each = w < s->width || fit < 1 ? 1 : fit;
    for (int64_t row = 0, n; row < s->rows; row += n) {
        const char *plane[ASH__PLANES];
        const int64_t first = (g * s->rows + row) * s->width + j;
        n = s->rows - row < each ? s->rows - row : each;
        ash__window_get(&p->window, first, n * w, each == 1 ? first + w : s->groups * s->rows * s->width, plane);
        search_rows(s, p, plane[0], w, row, n);
    }
    put(s, p, g * s->width + j, w, p->place, p->best);
}

/* ---- sharing */

static void search_part(void *context, int64_t number)
{
    search *const s = context;
    part *const p = &s->part[number];
    const int64_t lo = s->items / s->parts * number + s->items % s->parts * number / s->parts,
                  hi = s->items / s->parts * (number + 1) + s->items % s->parts * (number + 1) / s->parts;
    if (s->width > 1)
        for (int64_t item = lo; item < hi; item++) {
            const int64_t j = item % s->tiles * s->tile;
            search_columns(s, p, item / s->tiles, j, s->width - j < s->tile ? s->width - j : s->tile);
        }
    else if (s->segments > 1)
        for (int64_t item = lo; item < hi; item++) {
            const int64_t b0 = item % s->segments * s->segment_blocks, b1 = b0 + s->segment_blocks;
            s->partial[item] = search_run(s, p, item / s->segments, b0, b1 < s->blocks ? b1 : s->blocks);
        }
    else
        search_runs(s, p, lo, hi);
    p->faults = ash__evaluator_faults(p->window.evaluator);
}

static void join_segments(const search *s)
{
    for (int64_t g = 0; g < s->groups; g++) {
        const candidate *const c = s->partial + g * s->segments;
        int64_t best = 0;
        for (int64_t k = 1; k < s->segments; k++)
            if (beats(s, &c[best].best, &c[k].best))
                best = k;
        put(s, &s->part[0], g, 1, &c[best].place, &c[best].best);
    }
}

static void set_search(search *s, const ash__task *task)
{
    ash__axis_list all, columns, reduced;
    memset(s, 0, sizeof *s);
    s->task = task;
    s->folds = ash__cpu_kernels()->fold;
    s->type = ash__machine(task->program->dtype);
    s->size = ash__type_size(s->type);
    ash__axis_list_sorted(&all, task, ~(uint32_t)0, false);
    ash__axis_list_sorted(&reduced, task, task->reduced, true);
    ash__axis_list_split(&all, task, ~task->reduced, &columns);
    if (!reduced.rank) { /* each element is its own extreme */
        columns.rank = 0;
        columns.count = 1;
    }
    uint32_t used = task->reduced;
    for (int64_t k = 0; k < columns.rank; k++)
        used |= (uint32_t)1 << columns.axis[k];
    ash__axis_list_sorted(&s->order, task, ~used, false);
    s->groups = s->order.count;
    s->rows = reduced.count;
    s->width = columns.count;
    s->kept = s->order;
    ash__axis_list_append(&s->kept, &columns);
    ash__axis_list_append(&s->order, &reduced);
    ash__axis_list_append(&s->order, &columns);
}

static void cut(search *s)
{
    s->blocks = ash__ceiling(s->rows, ASH__FOLD_BLOCK);
    s->tile = s->width < ASH__FOLD_BLOCK ? s->width : ASH__FOLD_BLOCK;
    s->tiles = ash__ceiling(s->width, s->tile);
    const int64_t units = s->groups * s->tiles;
    s->parts = ash__fold_parts(s->task, s->groups * s->rows * s->width);
    s->segment_blocks = s->blocks;
    if (s->parts > 1 && s->width == 1 && units < SHARES * s->parts && s->blocks > 1)
        s->segment_blocks = ash__segment_blocks(s->blocks, ash__ceiling(SHARES * s->parts, units));
    s->segments = s->width == 1 ? ash__ceiling(s->blocks, s->segment_blocks) : 1;
    s->items = units * s->segments;
    s->parts = s->parts < s->items ? s->parts : s->items;
}

/* ---- memory */

static int64_t most_results(const search *s)
{
    return s->tile > BATCH ? s->tile : BATCH;
}

static size_t part_size(const search *s)
{
    return ASH__SINK_SCRATCH + 3 * ash__round_up((size_t)most_results(s) * s->size) +
           ash__round_up((size_t)most_results(s) * sizeof(int64_t));
}

static void set_part(const search *s, part *p, char *at)
{
    const size_t row = ash__round_up((size_t)most_results(s) * s->size);
    ash__sink_set(&p->index, &s->task->out, s->task, &s->kept, at);
    if (s->task->value.data)
        ash__sink_set(&p->value, &s->task->value, s->task, &s->kept, at);
    at += ASH__SINK_SCRATCH;
    p->extreme = at;
    p->joined = at + row;
    p->best = at + 2 * row;
    p->place = (int64_t *)(void *)(at + 3 * row);
    p->window.log = __builtin_ctzll((unsigned long long)s->size);
    p->window.evaluator = ash__evaluator_new(s->task, s->order.axis, s->order.rank);
}

static ash_status run_parts(search *s, char *memory, int *faults)
{
    bool ready = true;
    for (int64_t k = 0; k < s->parts; k++) {
        set_part(s, &s->part[k], memory + (size_t)k * part_size(s));
        ready = ready && s->part[k].window.evaluator;
    }
    if (ready) {
        ash__parallel(s->parts, search_part, s);
        if (s->segments > 1)
            join_segments(s);
    }
    for (int64_t k = 0; k < s->parts; k++) {
        *faults |= s->part[k].faults;
        ash__evaluator_free(s->part[k].window.evaluator);
    }
    return ready ? ASH_OK : ASH_ERR_MEMORY;
}

ash_status ash__cpu_arg(const ash__task *given)
{
    ash__loader loader;
    ash__task task = *given;
    search s;
    int faults = 0;
    task.program = ash__fold_program(given->program, &loader);
    set_search(&s, &task);
    if (s.groups == 0 || s.width == 0 || s.rows == 0)
        return ASH_OK;
    cut(&s);
    const size_t parts = ash__round_up((size_t)s.parts * sizeof(part)),
                 partial = s.segments > 1 ? ash__round_up((size_t)s.items * sizeof(candidate)) : 0;
    char *const memory = ash__spare_take(parts + partial + (size_t)s.parts * part_size(&s));
    if (!memory)
        return ash__plan_fail(given, ASH_ERR_MEMORY);
    memset(memory, 0, parts);
    s.part = (part *)(void *)memory;
    s.partial = (candidate *)(void *)(memory + parts);
    const ash_status status = run_parts(&s, memory + parts + partial, &faults);
    ash__spare_give(memory);
    return status ? status : ash__task_fault(given, faults);
}
