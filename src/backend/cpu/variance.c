/*
 * variance.c - the mean, and the sum of squared deviations from it divided by n - correction.
 *
 * A block gets its own mean, then, still in cache, the sums of deviations from it and of their squares, which also correct
 * the mean. So nothing large is ever subtracted from something large. Blocks are joined pairwise, in double:
 *
 *     d = mean_b - mean_a     mean = mean_a + d*n_b/n     M2 = M2_a + M2_b + d^2*n_a*n_b/n
 *
 * A mean is kept as a number near it, the first block's, and what is missing, lest d lose the digits that they share.
 *
 * T. F. Chan, G. H. Golub, R. J. LeVeque, Algorithms for computing the sample variance: analysis and recommendations, The
 * American Statistician 37 (1983), equations 1.5 (joining) and 1.7 (the corrected two-pass sum).
 *
 * Runs and rows, and their cutting into blocks, are as in reduce.c: a block of rows is 32 for each of 128/width lanes.
 */
#include <math.h>

#include "backend/cpu/fold.h"
#include "backend/cpu/plan.h"
#include "backend/cpu/threads.h"
#include "core/shape.h"

enum { SHARES = 4, ROWS_A_LANE = ASH__FOLD_BLOCK / ASH__LANES, BATCH = 256, TILE = 1024, SHORT = 32 };

typedef struct part {
    ash__window window;
    ash__sink variance, mean;
    char *accumulator[3]; /* of the type: sums; then means, sums of deviations and of squares */
    double *result[2];    /* BATCH or a tile's */
    char *levels;
    int faults;
} part;

typedef struct spread {
    const ash__task *task;
    const ash__kernels *kernels;
    ash_dtype type;
    size_t size;
    int64_t groups, rows, width; /* element (g*rows + r)*width + j; width 1: a run of `rows` */
    int64_t n;                   /* elements of one output */
    int64_t lanes, block, blocks, tile, tiles, segments, segment_blocks, items, parts;
    ash__axis_list kept, order;
    char *partial;
    size_t moment_size; /* of a tile's moments */
    part *part;
} spread;

/* ---- moments: n; then, w of each, numbers near the means, the means less these, sums of squared deviations */

enum { NEAR, OFF, SQUARES, MOMENTS };
static double *moment_at(char *moment, int which, int64_t w)
{
    return (double *)(void *)moment + 1 + which * w;
}
static size_t moment_bytes(int64_t w)
{
    return (size_t)(MOMENTS * w + 1) * sizeof(double);
}

static void join_moments(void *context, char *earlier, const char *later)
{
    const int64_t w = *(const int64_t *)context;
    double *const n = (double *)(void *)earlier, *const near_a = n + 1, *const off_a = near_a + w, *const squares = off_a + w;
    const double *const b = (const double *)(const void *)later, *const near_b = b + 1, *const off_b = near_b + w;
    const double all = *n + *b, share = *b / all, cross = *n * share;
    for (int64_t j = 0; j < w; j++) {
        const double d = (near_b[j] - near_a[j]) + (off_b[j] - off_a[j]);
        squares[j] += off_b[w + j] + d * d * cross;
        off_a[j] += d * share;
    }
    *n = all;
}

static ash__counter counter_for(const int64_t *w, char *levels)
{
    return (ash__counter){join_moments, (void *)(uintptr_t)w, levels, moment_bytes(*w), 0, 0};
}

/* Column j of n elements about `about`, the sums of whose deviations and squares are s and q. */
static void set_moment(char *moment, int64_t w, int64_t j, double about, double s, double q, double n)
{
    const double squares = q - s * (s / n);
    moment_at(moment, NEAR, w)[j] = about;
    moment_at(moment, OFF, w)[j] = s / n;
    moment_at(moment, SQUARES, w)[j] = squares < 0 ? 0 : squares; /* below 0 by rounding alone */
}

/* ---- runs */

static double element(const spread *s, const char *a, int64_t j)
{
    return s->type == ASH_F32 ? (double)((const float *)(const void *)a)[j] : ((const double *)(const void *)a)[j];
}

static double block_mean(const spread *s, const char *x, int64_t n)
{
    ash__scalar sum;
    s->kernels->fold->blocks->fold[ASH__FOLD_SUM][s->type](&sum, x, n);
    double mean = (s->type == ASH_F32 ? (double)sum.f32 : sum.f64) / (double)n;
    if (s->type == ASH_F32 && !isfinite(mean)) { /* a sum beyond f32 of elements that are not */
        mean = 0;
        for (int64_t i = 0; i < n; i++)
            mean += (double)((const float *)(const void *)x)[i] / (double)n;
    }
    return mean;
}

/* Fewer elements than the vector loops are for: two passes in double. */
static void short_run(const spread *s, const char *x, int64_t n, char *moment)
{
    double about = 0, sum = 0, squares = 0;
    for (int64_t i = 0; i < n; i++)
        about += element(s, x, i);
    about /= (double)n;
    for (int64_t i = 0; i < n; i++) {
        const double d = element(s, x, i) - about;
        sum += d;
        squares += d * d;
    }
    set_moment(moment, 1, 0, about, sum, squares, (double)n);
}

static void long_run(const spread *s, const char *x, int64_t n, char *moment)
{
    double sum[2], about = block_mean(s, x, n);
    if (s->type == ASH_F32)
        about = (double)(float)about;
    s->kernels->fold->deviations->block[s->type](sum, x, about, n);
    set_moment(moment, 1, 0, about, sum[0], sum[1], (double)n);
}

static char *run_blocks(const spread *s, part *p, int64_t g, int64_t b0, int64_t b1)
{
    const int64_t one = 1, start = g * s->rows, end = b1 * s->block < s->rows ? start + b1 * s->block : start + s->rows;
    ash__counter c = counter_for(&one, p->levels);
    for (int64_t b = b0; b < b1; b++) {
        const char *plane[ASH__PLANES];
        const int64_t first = start + b * s->block, n = end - first < s->block ? end - first : s->block;
        ash__window_get(&p->window, first, n, s->blocks == 1 ? s->groups * s->rows : end, plane);
        char *const moment = ash__counter_next(&c);
        *(double *)(void *)moment = (double)n;
        if (n < SHORT)
            short_run(s, plane[0], n, moment);
        else
            long_run(s, plane[0], n, moment);
        ash__counter_push(&c);
    }
    return ash__counter_end(&c);
}

/* ---- rows */

/* Both passes over a block of rows: the first adds elements, the second deviations and squares. */
static void row_pass(const spread *s, part *p, bool second, int64_t first, int64_t n, int64_t w)
{
    const int64_t stride = s->width, pattern = s->lanes * w;
    const int64_t each = w < s->width ? 1 : ASH__FOLD_BLOCK / pattern * s->lanes; /* so that each begins in lane 0 */
    for (int64_t q = 0, m; q < n; q += m) {
        const char *plane[ASH__PLANES];
        m = n - q < each ? n - q : each;
        ash__window_get(&p->window, first + q * stride, m * w, first + q * stride + m * w, plane);
        const int64_t whole = m / s->lanes, rest = m % s->lanes;
        const char *const tail = plane[0] + (size_t)(whole * pattern) * s->size;
        char *const *const a = p->accumulator;
        if (second) {
            void (*const add)(void *, void *, const void *, const void *, int64_t, int64_t) =
                s->kernels->fold->deviations->columns[s->type];
            add(a[1], a[2], plane[0], a[0], whole, pattern);
            add(a[1], a[2], tail, a[0], 1, rest * w);
        } else {
            void (*const add)(void *, const void *, int64_t, int64_t) = s->kernels->fold->columns->fold[ASH__FOLD_SUM][s->type];
            add(a[1], plane[0], whole, pattern);
            add(a[1], tail, 1, rest * w);
        }
    }
}

/* Lane rows of one accumulator joined in halves to the first. */
static void fold_lanes(const spread *s, char *accumulator, int64_t w)
{
    for (int64_t h = s->lanes / 2; h > 0; h /= 2)
        s->kernels->fold->columns->fold[ASH__FOLD_SUM][s->type](accumulator, accumulator + (size_t)(h * w) * s->size, 1, h * w);
}

static void set_element(const spread *s, char *a, int64_t j, double x)
{
    if (s->type == ASH_F32)
        ((float *)(void *)a)[j] = (float)x;
    else
        ((double *)(void *)a)[j] = x;
}

/* One block of rows of columns j .. j + w - 1 to a moment. */
static void row_block(const spread *s, part *p, int64_t first, int64_t n, int64_t w, char *moment)
{
    const size_t nbytes = (size_t)(s->lanes * w) * s->size;
    char *const *const a = p->accumulator;
    memset(a[1], 0, nbytes);
    row_pass(s, p, false, first, n, w);
    fold_lanes(s, a[1], w);
    for (int64_t j = 0; j < w; j++)
        set_element(s, a[0], j, element(s, a[1], j) / (double)n);
    for (int64_t k = 1; k < s->lanes; k++)
        memcpy(a[0] + (size_t)(k * w) * s->size, a[0], (size_t)w * s->size);
    memset(a[1], 0, nbytes);
    memset(a[2], 0, nbytes);
    row_pass(s, p, true, first, n, w);
    fold_lanes(s, a[1], w);
    fold_lanes(s, a[2], w);
    *(double *)(void *)moment = (double)n;
    for (int64_t j = 0; j < w; j++)
        set_moment(moment, w, j, element(s, a[0], j), element(s, a[1], j), element(s, a[2], j), (double)n);
}

static char *row_blocks(const spread *s, part *p, int64_t g, int64_t b0, int64_t b1, int64_t j, int64_t w)
{
    ash__counter c = counter_for(&w, p->levels);
    for (int64_t b = b0; b < b1; b++) {
        const int64_t from = b * s->block, n = s->rows - from < s->block ? s->rows - from : s->block;
        row_block(s, p, (g * s->rows + from) * s->width + j, n, w, ash__counter_next(&c));
        ash__counter_push(&c);
    }
    return ash__counter_end(&c);
}

/* ---- results */

static double divided(const spread *s, double squares)
{
    const double n = (double)s->n - s->task->correction;
    return n > 0 ? squares / n : (double)NAN;
}

/* Of n outputs: means; sums of squares, which become variances. */
static void put(const spread *s, part *p, int64_t first, int64_t n, const double *mean, double *squares)
{
    for (int64_t k = 0; k < n; k++)
        squares[k] = divided(s, squares[k]);
    const char *const variance[ASH__PLANES] = {(const char *)squares, NULL}, *const middle[ASH__PLANES] = {(const char *)mean,
                                                                                                           NULL};
    ash__sink_put(&p->variance, first, n, ASH_F64, variance);
    if (s->task->value.data)
        ash__sink_put(&p->mean, first, n, ASH_F64, middle);
}

static void put_moment(const spread *s, part *p, int64_t first, int64_t w, char *moment)
{
    double *const mean = moment_at(moment, NEAR, w), *const off = moment_at(moment, OFF, w);
    for (int64_t j = 0; j < w; j++)
        mean[j] += off[j];
    put(s, p, first, w, mean, moment_at(moment, SQUARES, w));
}

/* Groups lo .. hi - 1 of runs. */
static void spread_runs(const spread *s, part *p, int64_t lo, int64_t hi)
{
    for (int64_t g = lo, n; g < hi; g += n) {
        n = hi - g < BATCH ? hi - g : BATCH;
        for (int64_t k = 0; k < n; k++) {
            char *const moment = run_blocks(s, p, g + k, 0, s->blocks);
            p->result[0][k] = *moment_at(moment, NEAR, 1) + *moment_at(moment, OFF, 1);
            p->result[1][k] = *moment_at(moment, SQUARES, 1);
        }
        put(s, p, g, n, p->result[0], p->result[1]);
    }
}

/* ---- sharing */

static void spread_part(void *context, int64_t number)
{
    spread *const s = context;
    part *const p = &s->part[number];
    const int64_t lo = s->items / s->parts * number + s->items % s->parts * number / s->parts,
                  hi = s->items / s->parts * (number + 1) + s->items % s->parts * (number + 1) / s->parts;
    if (s->width == 1 && s->segments == 1)
        spread_runs(s, p, lo, hi);
    for (int64_t item = lo; item < hi && (s->width > 1 || s->segments > 1); item++) {
        const int64_t unit = item / s->segments, g = unit / s->tiles, j = unit % s->tiles * s->tile;
        const int64_t w = s->width - j < s->tile ? s->width - j : s->tile;
        const int64_t b0 = item % s->segments * s->segment_blocks,
                      b1 = b0 + s->segment_blocks < s->blocks ? b0 + s->segment_blocks : s->blocks;
        char *const moment = s->width > 1 ? row_blocks(s, p, g, b0, b1, j, w) : run_blocks(s, p, g, b0, b1);
        if (s->segments > 1)
            memcpy(s->partial + (size_t)item * s->moment_size, moment, moment_bytes(w));
        else
            put_moment(s, p, g * s->width + j, w, moment);
    }
    p->faults = ash__evaluator_faults(p->window.evaluator);
}

static void join_segments(const spread *s)
{
    part *const p = &s->part[0];
    for (int64_t unit = 0; unit < s->items / s->segments; unit++) {
        const int64_t j = unit % s->tiles * s->tile, w = s->width - j < s->tile ? s->width - j : s->tile;
        ash__counter c = counter_for(&w, p->levels);
        for (int64_t k = 0; k < s->segments; k++) {
            memcpy(ash__counter_next(&c), s->partial + (size_t)(unit * s->segments + k) * s->moment_size, c.nbytes);
            ash__counter_push(&c);
        }
        put_moment(s, p, unit / s->tiles * s->width + j, w, ash__counter_end(&c));
    }
}

static void set_spread(spread *s, const ash__task *task)
{
    ash__axis_list all, columns, reduced;
    memset(s, 0, sizeof *s);
    s->task = task;
    s->kernels = ash__cpu_kernels();
    s->type = ash__machine(task->program->dtype);
    s->size = ash__type_size(s->type);
    ash__axis_list_sorted(&all, task, ~(uint32_t)0, false);
    ash__axis_list_sorted(&reduced, task, task->reduced, false);
    ash__axis_list_split(&all, task, ~task->reduced, &columns);
    if (!reduced.rank) {
        columns.rank = 0;
        columns.count = 1;
    }
    uint32_t used = task->reduced;
    for (int64_t k = 0; k < columns.rank; k++)
        used |= (uint32_t)1 << columns.axis[k];
    ash__axis_list_sorted(&s->order, task, ~used, false);
    s->groups = s->order.count;
    s->rows = s->n = reduced.count;
    s->width = columns.count;
    s->kept = s->order;
    ash__axis_list_append(&s->kept, &columns);
    ash__axis_list_append(&s->order, &reduced);
    ash__axis_list_append(&s->order, &columns);
}

static void cut(spread *s)
{
    s->lanes = 1;
    while (s->width > 1 && s->lanes * 2 * s->width <= ASH__LANES)
        s->lanes *= 2;
    s->block = s->width > 1 ? ROWS_A_LANE * s->lanes : ASH__FOLD_BLOCK;
    s->blocks = s->rows ? ash__ceiling(s->rows, s->block) : 1;
    s->tile = s->width < TILE ? s->width : TILE;
    s->tiles = ash__ceiling(s->width, s->tile);
    const int64_t units = s->groups * s->tiles;
    s->parts = ash__fold_parts(s->task, s->groups * s->rows * s->width);
    s->segment_blocks = s->blocks;
    if (s->parts > 1 && units < SHARES * s->parts && s->blocks > 1)
        s->segment_blocks = ash__segment_blocks(s->blocks, ash__ceiling(SHARES * s->parts, units));
    s->segments = ash__ceiling(s->blocks, s->segment_blocks);
    s->items = units * s->segments;
    s->parts = s->parts < s->items ? s->parts : s->items;
    s->moment_size = moment_bytes(s->tile);
}

/* ---- memory */

static size_t accumulator_size(const spread *s)
{
    return ash__round_up((size_t)(s->lanes * s->tile) * s->size);
}

static size_t part_size(const spread *s)
{
    return ASH__SINK_SCRATCH + 3 * accumulator_size(s) + 2 * BATCH * sizeof(double) +
           ash__round_up(s->moment_size * (size_t)ash__counter_levels(s->blocks));
}

static void set_part(const spread *s, part *p, char *at)
{
    ash__sink_set(&p->variance, &s->task->out, s->task, &s->kept, at);
    if (s->task->value.data)
        ash__sink_set(&p->mean, &s->task->value, s->task, &s->kept, at);
    at += ASH__SINK_SCRATCH;
    for (int k = 0; k < 3; k++)
        p->accumulator[k] = at + (size_t)k * accumulator_size(s);
    at += 3 * accumulator_size(s);
    for (int k = 0; k < 2; k++)
        p->result[k] = (double *)(void *)at + k * BATCH;
    p->levels = at + 2 * BATCH * sizeof(double);
}

static ash_status run_parts(spread *s, int *faults)
{
    bool ready = true;
    for (int64_t k = 0; k < s->parts; k++) {
        s->part[k].window.log = __builtin_ctzll((unsigned long long)s->size);
        s->part[k].window.evaluator = ash__evaluator_new(s->task, s->order.axis, s->order.rank);
        ready = ready && s->part[k].window.evaluator;
    }
    if (ready) {
        ash__parallel(s->parts, spread_part, s);
        if (s->segments > 1)
            join_segments(s);
    }
    for (int64_t k = 0; k < s->parts; k++) {
        *faults |= s->part[k].faults;
        ash__evaluator_free(s->part[k].window.evaluator);
    }
    return ready ? ASH_OK : ASH_ERR_MEMORY;
}

/* Of no elements: 0/0 twice. */
static void fill(const spread *s, part *p)
{
    for (int64_t q = 0, n; q < s->groups * s->width; q += n) {
        n = s->groups * s->width - q < BATCH ? s->groups * s->width - q : BATCH;
        for (int64_t k = 0; k < n; k++)
            p->result[0][k] = p->result[1][k] = (double)NAN;
        put(s, p, q, n, p->result[0], p->result[1]);
    }
}

ash_status ash__cpu_variance(const ash__task *given)
{
    ash__loader loader;
    ash__task task = *given;
    spread s;
    int faults = 0;
    ash_status status = ASH_OK;
    task.program = ash__fold_program(given->program, &loader);
    set_spread(&s, &task);
    if (s.groups == 0 || s.width == 0)
        return ASH_OK;
    cut(&s);
    const size_t parts = ash__round_up((size_t)s.parts * sizeof(part)),
                 partial = s.segments > 1 ? (size_t)s.items * s.moment_size : 0;
    char *const memory = ash__spare_take(parts + (size_t)s.parts * part_size(&s) + partial);
    if (!memory)
        return ash__plan_fail(given, ASH_ERR_MEMORY);
    memset(memory, 0, parts);
    s.part = (part *)(void *)memory;
    s.partial = memory + parts + (size_t)s.parts * part_size(&s);
    for (int64_t k = 0; k < s.parts; k++)
        set_part(&s, &s.part[k], memory + parts + (size_t)k * part_size(&s));
    if (s.n)
        status = run_parts(&s, &faults);
    else
        fill(&s, &s.part[0]);
    ash__spare_give(memory);
    return status ? status : ash__task_fault(given, faults);
}
