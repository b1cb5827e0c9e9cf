/*
 * reduce.c - sums, extrema and other folds along axes.
 *
 * The axes are put in the order of memory and then form four groups, from slowest to fastest: kept (`groups` positions),
 * reduced (`rows`), kept (`width`), reduced (`run`). Element (g, r, j, f) has number ((g*rows + r)*width + j)*run + f. Runs are
 * folded in place, short ones several at a time; rows are folded into a row of accumulators. Where the innermost axis is
 * reduced there is one run an output; where it is kept there are only rows; both meet where a short inner axis is reduced
 * together with an outer one.
 *
 * Order of operations: a run of more than a block is cut into blocks. Rows go to 128/width accumulators each in turn (one from
 * 128 columns on), 32 rows to each, which is a block: the same lanes as in a run. Blocks are joined pairwise in order; those of
 * f32 sums in f64, which is rounded once at the end. So a sum is within about 38 roundings of its own type and log2 of the
 * number of blocks of f64 (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., SIAM 2002, chapter 4),
 * whatever the number of threads: these share out outputs or, where there are few, segments of blocks.
 *
 * Invariant: no two threads write one output element.
 */
#include "backend/cpu/combine.h"
#include "backend/cpu/fold.h"
#include "backend/cpu/plan.h"
#include "backend/cpu/threads.h"
#include "core/shape.h"

enum {
    ROWS_A_LANE = ASH__FOLD_BLOCK / ASH__LANES,
    BLOCKS_AT_ONCE = 16, /* folded before any is joined: joining holds up the loads of the next block */
    RESULTS = 4096,      /* results, or rows' results, held by a part */
    SHARES = 4           /* items for each thread, so that they end together */
};

typedef struct part {
    ash__window window;
    ash__sink sink;
    char *results, *extra, *accumulator, *levels;
    int faults;
} part;

typedef struct reduction {
    const ash__task *task;
    const ash__kernels *kernels;
    const ash__fold_table *folds;
    ash_dtype type, wide; /* of elements; of joined blocks */
    size_t size, wide_size;
    int planes;
    int64_t groups, rows, width, run;
    int64_t outputs;
    int64_t lanes, block_rows; /* rows */
    int64_t tile, tiles;       /* columns that are folded together */
    int64_t blocks;            /* of one output */
    int64_t segments, segment_blocks;
    int64_t items, parts;
    ash__axis_list kept, order;
    char *partial; /* segments > 1: the joined blocks of each item */
    size_t partial_size;
    part *part;
} reduction;

/* ---- the end of a result */

static void init_value(const reduction *r, int plane, ash_dtype type, ash__scalar *value)
{
    value->bits = 0;
    memcpy(value, r->task->init + (size_t)plane * r->size, r->size);
    if (type != r->type)
        value->f64 = (double)value->f32;
}

/* Folds init and, where asked, the old output into n results of one type and stores them. plane: changed. */
static void finish(const reduction *r, part *p, int64_t first, int64_t n, ash_dtype type, char *const plane[ASH__PLANES])
{
    const size_t size = ash__type_size(type);
    void (*const join)(void *, const void *, int64_t, int64_t) = r->folds->columns->fold[r->task->fold][type];
    char *const old[ASH__PLANES] = {p->extra, p->extra + ASH__SINK_RUN * size};
    for (int64_t done = 0, m; done < n && (r->task->has_init || r->task->accumulate); done += m) {
        m = n - done < ASH__SINK_RUN ? n - done : ASH__SINK_RUN;
        for (int k = 0; k < r->planes && r->task->has_init; k++) {
            ash__scalar value;
            init_value(r, k, type, &value);
            r->kernels->layout->splat[size == 8 ? 3 : size == 4 ? 2 : size == 2](p->extra, &value, m);
            join(plane[k] + (size_t)done * size, p->extra, 1, m);
        }
        if (r->task->accumulate)
            ash__sink_get(&p->sink, first + done, m, type, old);
        for (int k = 0; k < r->planes && r->task->accumulate; k++)
            join(plane[k] + (size_t)done * size, old[k], 1, m);
    }
    ash__sink_put(&p->sink, first, n, type, (const char *const *)plane);
}

static char *direct(const reduction *r, const part *p, int64_t first, int64_t n)
{
    return r->planes > 1 || r->task->has_init || r->task->accumulate ? NULL : ash__sink_direct(&p->sink, first, n, r->type);
}

/* ---- joining blocks */

typedef struct joiner {
    void (*join)(void *d, const void *a, int64_t rows, int64_t width);
    int64_t n;
} joiner;

static void join_blocks(void *context, char *earlier, const char *later)
{
    const joiner *const j = context;
    j->join(earlier, later, 1, j->n);
}

/* For results of n columns, all planes one after the other. */
static ash__counter counter_for(const reduction *r, joiner *j, int64_t n, char *levels)
{
    j->join = r->folds->columns->fold[r->task->fold][r->wide];
    j->n = n * r->planes;
    return (ash__counter){join_blocks, j, levels, (size_t)j->n * r->wide_size, 0, 0};
}

static void as_wide(const reduction *r, char *to, const char *from, int64_t n)
{
    if (r->type == r->wide)
        memcpy(to, from, (size_t)n * r->size);
    else
        r->folds->columns->widen((double *)(void *)to, (const float *)(const void *)from, n);
}

static void push_plane(const reduction *r, const ash__counter *c, int plane, const char *from, int64_t n)
{
    as_wide(r, ash__counter_next(c) + (size_t)(plane * n) * r->wide_size, from, n);
}

/* ---- runs: one output each */

/* Outputs lo .. hi - 1 of short runs. */
static void fold_short_runs(const reduction *r, part *p, int64_t lo, int64_t hi)
{
    void (*const rows)(void *, const void *, int64_t, int64_t) = r->folds->rows->fold[r->task->fold][r->type];
    const int64_t each = ASH__FOLD_BLOCK / r->run;
    for (int64_t q = lo, n; q < hi; q += n) {
        const char *plane[ASH__PLANES];
        char *const result[ASH__PLANES] = {p->results, p->results + RESULTS * r->size};
        n = hi - q < each ? hi - q : each;
        ash__window_get(&p->window, q * r->run, n * r->run, hi * r->run, plane);
        char *const to = direct(r, p, q, n);
        for (int k = 0; k < r->planes; k++)
            rows(to ? to : result[k], plane[k], r->run, n);
        if (!to)
            finish(r, p, q, n, r->type, result);
    }
}

/* n blocks from element `first` on, `end` the last one's, as value[plane][0] to [n - 1], of the elements' type. */
static void fold_each(const reduction *r, part *p, int64_t first, int64_t end, int64_t n,
                      char value[ASH__PLANES][BLOCKS_AT_ONCE * sizeof(ash__scalar)])
{
    void (*const fold)(void *, const void *, int64_t) = r->folds->blocks->fold[r->task->fold][r->type];
    ash__evaluator *const e = p->window.evaluator;
    const char *plane[ASH__PLANES];
    const bool in_place = ash__evaluates_in_place(e);
    if (in_place)
        ash__window_get(&p->window, first, end - first < ASH__FOLD_BLOCK ? end - first : ASH__FOLD_BLOCK, end, plane);
    for (int64_t i = 0, m; i < n; i++, first += m) {
        ash__scalar one;
        m = end - first < ASH__FOLD_BLOCK ? end - first : ASH__FOLD_BLOCK;
        if (r->planes == 1 && ash__fold_natively(e, r->task->fold, r->type, first, m, &one)) {
            memcpy(value[0] + (size_t)i * r->size, &one, r->size);
            continue;
        }
        if (!in_place)
            ash__window_get(&p->window, first, m, end, plane);
        for (int k = 0; k < r->planes; k++) {
            fold(value[k] + (size_t)i * r->size, plane[k], m);
            plane[k] += m * (int64_t)r->size;
        }
    }
}

/* Is the order of no consequence, not even to the last bit? */
static bool is_exact(const reduction *r)
{
    return !ash__is_float(r->type) || r->task->fold == ASH__FOLD_MIN || r->task->fold == ASH__FOLD_MAX;
}

/* Joins BLOCKS_AT_ONCE values as a counter would, first with second, third with fourth and so on, to one at `to`. */
static void join_all(const reduction *r, const char *value, char *to)
{
    void (*const rows)(void *, const void *, int64_t, int64_t) = r->folds->rows->fold[r->task->fold][r->wide];
    char wide[2][BLOCKS_AT_ONCE * sizeof(ash__scalar)];
    int64_t n = BLOCKS_AT_ONCE, now = 0;
    as_wide(r, wide[now], value, n);
    for (n /= 2; n > 0; n /= 2, now = !now)
        rows(wide[!now], wide[now], 2, n);
    memcpy(to, wide[now], r->wide_size);
}

static void push_blocks(const reduction *r, ash__counter *c, char value[ASH__PLANES][BLOCKS_AT_ONCE * sizeof(ash__scalar)],
                        int64_t n)
{
    if (n == BLOCKS_AT_ONCE) {
        for (int k = 0; k < r->planes; k++)
            join_all(r, value[k], ash__counter_next(c) + (size_t)k * r->wide_size);
        ash__counter_push_joined(c, BLOCKS_AT_ONCE);
        return;
    }
    for (int64_t i = 0; i < n; i++) {
        for (int k = 0; k < r->planes; k++)
            as_wide(r, ash__counter_next(c) + (size_t)k * r->wide_size, value[k] + (size_t)i * r->size, 1);
        ash__counter_push(c);
    }
}

/* Blocks b0 .. b1 - 1 of output q, joined. Gives where the planes lie, wide_size apart. */
static char *fold_blocks(const reduction *r, part *p, int64_t q, int64_t b0, int64_t b1)
{
    joiner j;
    ash__counter c = counter_for(r, &j, 1, p->levels);
    const int64_t start = q * r->run, end = b1 * ASH__FOLD_BLOCK < r->run ? start + b1 * ASH__FOLD_BLOCK : start + r->run;
    if (is_exact(r) && ash__evaluates_in_place(p->window.evaluator)) { /* as one block of any length */
        const char *plane[ASH__PLANES];
        const int64_t first = start + b0 * ASH__FOLD_BLOCK;
        ash__window_get(&p->window, first, end - first, end, plane);
        r->folds->blocks->fold[r->task->fold][r->type](ash__counter_next(&c), plane[0], end - first);
        ash__counter_push(&c);
        return ash__counter_end(&c);
    }
    for (int64_t b = b0, n; b < b1; b += n) {
        _Alignas(64) char value[ASH__PLANES][BLOCKS_AT_ONCE * sizeof(ash__scalar)];
        n = b1 - b < BLOCKS_AT_ONCE ? b1 - b : BLOCKS_AT_ONCE;
        fold_each(r, p, start + b * ASH__FOLD_BLOCK, end, n, value);
        push_blocks(r, &c, value, n);
    }
    return ash__counter_end(&c);
}

/* Outputs lo .. hi - 1 of runs of up to a block. */
static void fold_block_runs(const reduction *r, part *p, int64_t lo, int64_t hi)
{
    char *const result[ASH__PLANES] = {p->results, p->results + ASH__SINK_RUN * r->size};
    for (int64_t q = lo, n; q < hi; q += n) {
        n = hi - q < ASH__SINK_RUN ? hi - q : ASH__SINK_RUN;
        for (int64_t i = 0; i < n; i++) {
            const char *plane[ASH__PLANES];
            ash__window_get(&p->window, (q + i) * r->run, r->run, hi * r->run, plane);
            for (int k = 0; k < r->planes; k++)
                r->folds->blocks->fold[r->task->fold][r->type](result[k] + (size_t)i * r->size, plane[k], r->run);
        }
        finish(r, p, q, n, r->type, result);
    }
}

/* ---- rows: accumulators for `width` outputs */

/* The rows of one block go to r->lanes rows of accumulators in turn. Adds rows number q .. q + n - 1 of the block. */
static void add_rows(const reduction *r, char *accumulator, int64_t w, const char *x, int64_t q, int64_t n)
{
    void (*const columns)(void *, const void *, int64_t, int64_t) = r->folds->columns->fold[r->task->fold][r->type];
    const size_t row = (size_t)w * r->size;
    while (n > 0) {
        const int64_t lane = q % r->lanes, left = r->lanes - lane;
        int64_t m = n < left ? n : left;
        if (q < r->lanes)
            memcpy(accumulator + (size_t)lane * row, x, (size_t)m * row);
        else if (lane == 0 && n >= r->lanes)
            columns(accumulator, x, n / r->lanes, (m = n / r->lanes * r->lanes, r->lanes * w));
        else
            columns(accumulator + (size_t)lane * row, x, 1, m * w);
        x += (size_t)m * row;
        q += m;
        n -= m;
    }
}

/* Halves: lane j with j + h; lanes that got no row take no part. */
static void fold_lanes(const reduction *r, char *accumulator, int64_t w, int64_t filled)
{
    const size_t row = (size_t)w * r->size;
    for (int64_t h = r->lanes / 2; h > 0; h /= 2) {
        if (filled > h)
            r->folds->columns->fold[r->task->fold][r->type](accumulator, accumulator + (size_t)h * row, 1, (filled - h) * w);
        filled = filled < h ? filled : h;
    }
}

static size_t accumulator_size(const reduction *r)
{
    return (size_t)(r->tile * r->lanes) * r->size;
}

/* Rows from .. from + n - 1 of group g, columns j .. j + w - 1: one block, to the planes' accumulators. */
static void fold_row_block(const reduction *r, part *p, int64_t g, int64_t from, int64_t n, int64_t j, int64_t w)
{
    const int64_t fit = ASH__FOLD_BLOCK / (r->width * r->run), each = w < r->width || fit < 1 ? 1 : fit;
    for (int64_t q = 0, m; q < n; q += m) {
        const char *plane[ASH__PLANES];
        const int64_t first = ((g * r->rows + from + q) * r->width + j) * r->run;
        m = n - q < each ? n - q : each;
        ash__window_get(&p->window, first, m * w * r->run,
                        each == 1 ? first + w * r->run : r->groups * r->rows * r->width * r->run, plane);
        for (int k = 0; k < r->planes; k++) {
            const char *x = plane[k];
            if (r->run > 1) {
                r->folds->rows->fold[r->task->fold][r->type](p->results, x, r->run, m * w);
                x = p->results;
            }
            add_rows(r, p->accumulator + (size_t)k * accumulator_size(r), w, x, q, m);
        }
    }
    for (int k = 0; k < r->planes; k++)
        fold_lanes(r, p->accumulator + (size_t)k * accumulator_size(r), w, n < r->lanes ? n : r->lanes);
}

/* Blocks b0 .. b1 - 1 of a tile, joined. */
static char *fold_row_blocks(const reduction *r, part *p, int64_t g, int64_t b0, int64_t b1, int64_t j, int64_t w)
{
    joiner joining;
    ash__counter c = counter_for(r, &joining, w, p->levels);
    for (int64_t b = b0; b < b1; b++) {
        const int64_t from = b * r->block_rows, n = r->rows - from < r->block_rows ? r->rows - from : r->block_rows;
        fold_row_block(r, p, g, from, n, j, w);
        for (int k = 0; k < r->planes; k++)
            push_plane(r, &c, k, p->accumulator + (size_t)k * accumulator_size(r), w);
        ash__counter_push(&c);
    }
    return ash__counter_end(&c);
}

/* ---- items: a run or a tile of columns, or one segment of its blocks */

static bool of_rows(const reduction *r)
{
    return r->width > 1 || r->rows > 1;
}

static void fold_item(const reduction *r, part *p, int64_t item)
{
    const int64_t unit = item / r->segments, segment = item % r->segments, g = unit / r->tiles, j = unit % r->tiles * r->tile;
    const int64_t w = r->width - j < r->tile ? r->width - j : r->tile, q = g * r->width + j;
    const int64_t b0 = segment * r->segment_blocks,
                  b1 = b0 + r->segment_blocks < r->blocks ? b0 + r->segment_blocks : r->blocks;
    if (of_rows(r) && r->blocks == 1) {
        char *const plane[ASH__PLANES] = {p->accumulator, p->accumulator + accumulator_size(r)};
        fold_row_block(r, p, g, 0, r->rows, j, w);
        finish(r, p, q, w, r->type, plane);
        return;
    }
    char *const joined = of_rows(r) ? fold_row_blocks(r, p, g, b0, b1, j, w) : fold_blocks(r, p, q, b0, b1);
    char *const plane[ASH__PLANES] = {joined, joined + (size_t)w * r->wide_size};
    if (r->segments > 1)
        memcpy(r->partial + (size_t)item * r->partial_size, joined, (size_t)(w * r->planes) * r->wide_size);
    else
        finish(r, p, q, w, r->wide, plane);
}

static void fold_part(void *context, int64_t number)
{
    reduction *const r = context;
    part *const p = &r->part[number];
    const int64_t lo = r->items / r->parts * number + r->items % r->parts * number / r->parts,
                  hi = r->items / r->parts * (number + 1) + r->items % r->parts * (number + 1) / r->parts;
    if (!of_rows(r) && r->run <= ASH__LANES)
        fold_short_runs(r, p, lo, hi);
    else if (!of_rows(r) && r->blocks == 1)
        fold_block_runs(r, p, lo, hi);
    else
        for (int64_t item = lo; item < hi; item++)
            fold_item(r, p, item);
    p->faults = ash__evaluator_faults(p->window.evaluator);
}

/* Joins the segments of each unit, by one thread: few bytes. */
static void join_segments(const reduction *r)
{
    part *const p = &r->part[0];
    for (int64_t unit = 0; unit < r->items / r->segments; unit++) {
        const int64_t g = unit / r->tiles, j = unit % r->tiles * r->tile, w = r->width - j < r->tile ? r->width - j : r->tile;
        joiner joining;
        ash__counter c = counter_for(r, &joining, w, p->levels);
        for (int64_t s = 0; s < r->segments; s++) {
            memcpy(ash__counter_next(&c), r->partial + (size_t)(unit * r->segments + s) * r->partial_size, c.nbytes);
            ash__counter_push(&c);
        }
        char *const joined = ash__counter_end(&c), *const plane[ASH__PLANES] = {joined, joined + (size_t)w * r->wide_size};
        finish(r, p, g * r->width + j, w, r->wide, plane);
    }
}

/* ---- the shape of the work */

static void arrange_axes(reduction *r)
{
    const ash__task *const task = r->task;
    const uint32_t reduced = task->reduced, kept = ~reduced;
    ash__axis_list all, run, columns, rows;
    ash__axis_list_sorted(&all, task, ~(uint32_t)0, false);
    ash__axis_list_split(&all, task, reduced, &run);
    ash__axis_list_sorted(&rows, task, reduced, false);
    const int64_t outer = rows.rank - run.rank; /* reduced axes further out */
    if (!outer || run.count > ASH__LANES) {     /* long runs are folded whole, whatever lies further out */
        ash__axis_list_sorted(&r->order, task, kept, false);
        r->kept = r->order;
        ash__axis_list_append(&r->order, &rows);
        r->groups = r->kept.count;
        r->rows = r->width = 1;
        r->run = rows.count;
    } else {
        uint32_t bits = 0, used = 0;
        ash__axis_list_split(&all, task, kept, &columns);
        for (int64_t k = 0; k < run.rank; k++)
            used |= (uint32_t)1 << run.axis[k];
        for (int64_t k = 0; k < columns.rank; k++)
            used |= (uint32_t)1 << columns.axis[k];
        bits = ~used;
        ash__axis_list_sorted(&r->order, task, bits & kept, false);
        ash__axis_list_sorted(&rows, task, bits & reduced, false);
        r->kept = r->order;
        r->groups = r->order.count;
        r->rows = rows.count;
        r->width = columns.count;
        r->run = run.count;
        ash__axis_list_append(&r->kept, &columns);
        ash__axis_list_append(&r->order, &rows);
        ash__axis_list_append(&r->order, &columns);
        ash__axis_list_append(&r->order, &run);
    }
    r->outputs = r->groups * r->width;
}

static void cut(reduction *r)
{
    r->lanes = 1;
    while (r->lanes * 2 * r->width <= ASH__LANES && of_rows(r))
        r->lanes *= 2;
    r->block_rows = ROWS_A_LANE * r->lanes;
    r->blocks = of_rows(r) ? ash__ceiling(r->rows, r->block_rows) : ash__ceiling(r->run, ASH__FOLD_BLOCK);
    r->tile = ASH__FOLD_BLOCK / (of_rows(r) ? r->run : 1);
    r->tile = r->tile < r->width ? r->tile : r->width;
    r->tiles = ash__ceiling(r->width, r->tile);
    const int64_t units = r->groups * r->tiles;
    r->parts = ash__fold_parts(r->task, r->outputs * r->rows * r->run);
    r->segment_blocks = r->blocks;
    if (r->parts > 1 && units < SHARES * r->parts && r->blocks > 1)
        r->segment_blocks = ash__segment_blocks(r->blocks, ash__ceiling(SHARES * r->parts, units));
    r->segments = ash__ceiling(r->blocks, r->segment_blocks);
    r->items = units * r->segments;
    r->parts = r->parts < r->items ? r->parts : r->items;
}

static void set_reduction(reduction *r, const ash__task *task)
{
    memset(r, 0, sizeof *r);
    r->task = task;
    r->kernels = ash__cpu_kernels();
    r->folds = r->kernels->fold;
    r->planes = ash__is_complex(task->program->dtype) ? 2 : 1;
    r->type = ash__machine(ash__part(task->program->dtype));
    r->wide = r->type == ASH_F32 && task->fold == ASH__FOLD_SUM ? ASH_F64 : r->type;
    r->size = ash__type_size(r->type);
    r->wide_size = ash__type_size(r->wide);
    arrange_axes(r);
}

/* ---- memory */

static size_t part_size(const reduction *r)
{
    const size_t level = (size_t)(r->tile * r->planes) * r->wide_size;
    return ash__round_up(ASH__SINK_SCRATCH) + ash__round_up(RESULTS * ASH__PLANES * r->size) +
           ash__round_up(ASH__SINK_RUN * ASH__PLANES * sizeof(double)) +
           ash__round_up(accumulator_size(r) * (size_t)r->planes) +
           ash__round_up(level * (size_t)ash__counter_levels(r->blocks));
}

static char *set_part(const reduction *r, part *p, char *at)
{
    ash__sink_set(&p->sink, &r->task->out, r->task, &r->kept, at);
    at += ash__round_up(ASH__SINK_SCRATCH);
    p->results = at;
    at += ash__round_up(RESULTS * ASH__PLANES * r->size);
    p->extra = at;
    at += ash__round_up(ASH__SINK_RUN * ASH__PLANES * sizeof(double));
    p->accumulator = at;
    at += ash__round_up(accumulator_size(r) * (size_t)r->planes);
    p->levels = at;
    p->window.log = __builtin_ctzll((unsigned long long)r->size);
    p->window.evaluator = ash__evaluator_new(r->task, r->order.axis, r->order.rank);
    return at + ash__round_up((size_t)(r->tile * r->planes) * r->wide_size * (size_t)ash__counter_levels(r->blocks));
}

/* Runs the parts and gathers their faults; the status of a failed evaluator has been reported. */
static ash_status run_parts(reduction *r, int *faults)
{
    ash_status status = ASH_OK;
    for (int64_t k = 0; k < r->parts; k++)
        if (!r->part[k].window.evaluator)
            status = ASH_ERR_MEMORY;
    if (status == ASH_OK) {
        ash__parallel(r->parts, fold_part, r);
        if (r->segments > 1)
            join_segments(r);
    }
    for (int64_t k = 0; k < r->parts; k++) {
        *faults |= r->part[k].faults;
        ash__evaluator_free(r->part[k].window.evaluator);
    }
    return status;
}

static ash_status run(reduction *r, int *faults)
{
    cut(r);
    r->partial_size = (size_t)(r->tile * r->planes) * r->wide_size;
    const size_t parts = ash__round_up((size_t)r->parts * sizeof(part)), each = part_size(r);
    const size_t partial = r->segments > 1 ? (size_t)r->items * r->partial_size : 0;
    char *const memory = ash__spare_take(parts + (size_t)r->parts * each + partial);
    if (!memory)
        return ash__plan_fail(r->task, ASH_ERR_MEMORY);
    char *at = memory + parts;
    r->part = (part *)(void *)memory;
    memset(r->part, 0, parts);
    for (int64_t k = 0; k < r->parts; k++)
        at = set_part(r, &r->part[k], at);
    r->partial = at;
    const ash_status status = run_parts(r, faults);
    ash__spare_give(memory);
    return status;
}

/* ---- nothing to fold: init, or the neutral element */

static ash_status fill(reduction *r)
{
    if (r->task->accumulate && !r->task->has_init)
        return ASH_OK;
    part *const p = ash__spare_take(ash__round_up(sizeof(part)) + part_size(r));
    if (!p)
        return ash__plan_fail(r->task, ASH_ERR_MEMORY);
    memset(p, 0, sizeof *p);
    p->results = (char *)p + ash__round_up(sizeof(part));
    p->extra = p->results + ash__round_up(RESULTS * ASH__PLANES * r->size);
    ash__sink_set(&p->sink, &r->task->out, r->task, &r->kept,
                  p->extra + ash__round_up(ASH__SINK_RUN * ASH__PLANES * sizeof(double)));
    for (int64_t q = 0, n; q < r->outputs; q += n) {
        char *const plane[ASH__PLANES] = {p->results, p->results + ASH__SINK_RUN * r->size};
        n = r->outputs - q < ASH__SINK_RUN ? r->outputs - q : ASH__SINK_RUN;
        for (int k = 0; k < r->planes; k++) {
            const ash__scalar value = ash__fold_neutral(r->task->fold, r->type, r->task->has_init);
            r->kernels->layout->splat[__builtin_ctzll((unsigned long long)r->size)](plane[k], &value, n);
        }
        finish(r, p, q, n, r->type, plane);
    }
    ash__spare_give(p);
    return ASH_OK;
}

ash_status ash__cpu_reduce(const ash__task *given)
{
    ash__loader loader;
    ash__task task = *given;
    reduction r;
    int faults = 0;
    task.program = ash__fold_program(given->program, &loader);
    if (task.fold == ASH__FOLD_FUNCTION)
        return ash__cpu_reduce_function(&task);
    set_reduction(&r, &task);
    if (r.outputs == 0)
        return ASH_OK;
    if (r.rows == 0 || r.run == 0)
        return fill(&r);
    const ash_status status = run(&r, &faults);
    return status ? status : ash__task_fault(given, faults);
}
