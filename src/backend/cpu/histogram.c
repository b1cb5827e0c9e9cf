/*
 * histogram.c - how many values lie between neighbouring edges.
 *
 * Where edges are about evenly spaced, the bin of a value is computed and then put right by comparing the value with the
 * edges, all in f64, which holds every value of the dtypes this is done for. Else, and for integers of 64 bits, the edges
 * but for the last one are searched for those not greater, and the last one alone, which tells what is beyond it. Both are
 * exact. Each part of the values has counts of its own; they are added at the end.
 */
#include <math.h>

#include "backend/cpu/cpu.h"
#include "backend/cpu/plan.h"
#include "backend/cpu/search.h"
#include "backend/cpu/threads.h"
#include "core/convert.h"
#include "core/error.h"

typedef struct counting {
    const ash__task *task;
    ash__searcher bin, last;
    double *edge, scale; /* of evenly spaced edges; NULL: they are searched */
    int64_t bins, parts;
    int64_t *counts; /* bins + 1 for each part; the first is for what lies outside */
} counting;

/* ---- edges that are evenly spaced */

static double clamped(double x, double most)
{
    return x > 0 ? x < most ? x : most : 0; /* NaN: 0 */
}

static bool wide_integer(ash_dtype d)
{
    return d == ASH_I64 || d == ASH_U64;
}

/* Does each edge's bin come out of arithmetic, give or take one? */
static bool is_even(const counting *c)
{
    bool even = isfinite(c->scale);
    for (int64_t k = 0; even && k <= c->bins; k++)
        even = fabs((c->edge[k] - c->edge[0]) * c->scale - (double)k) <= 1;
    return even;
}

static void load_even(counting *c, double *memory)
{
    const ash__span *const edges = &c->task->operand[0];
    c->edge = memory;
    if (wide_integer(edges->dtype) || wide_integer(c->task->operand[1].dtype)) {
        c->edge = NULL;
        return;
    }
    ash__convert_run((char *)memory, sizeof(double), ASH_F64, edges->data, edges->stride[0], edges->dtype, c->bins + 1, false);
    c->scale = (double)c->bins / (c->edge[c->bins] - c->edge[0]);
    if (!is_even(c))
        c->edge = NULL;
}

/* The values of a block as f64. */
static void widen(const counting *c, double *x, const char *values, int64_t n)
{
    const ash__elementwise_table *const t = ash__cpu_kernels()->elementwise;
    const ash_dtype dtype = c->task->operand[1].dtype;
    float half[ASH__SEARCH_BLOCK];
    const size_t item = ash_dtype_size(dtype);
    char aligned[ASH__SEARCH_BLOCK * sizeof(double)] __attribute__((aligned(64)));
    if ((uintptr_t)values % item)
        values = memcpy(aligned, values, (size_t)n * item);
    if (ash__is_half(dtype)) {
        ash__load16_for(t, dtype)(half, values, NULL, NULL, n);
        values = (const char *)half;
    }
    ash__convert_for(t, ash__machine(dtype), ASH_F64)(x, values, NULL, NULL, n);
}

static void count_even(const counting *c, const char *values, int64_t n, int64_t *count)
{
    double x[ASH__SEARCH_BLOCK];
    const double *const edge = c->edge, low = edge[0], high = edge[c->bins], scale = c->scale, most = (double)(c->bins - 1);
    widen(c, x, values, n);
    for (int64_t i = 0; i < n; i++) {
        int64_t k = (int64_t)clamped((x[i] - low) * scale, most);
        while (k > 0 && x[i] < edge[k])
            k--;
        while (k < c->bins - 1 && x[i] >= edge[k + 1])
            k++;
        count[x[i] >= low && x[i] <= high ? k + 1 : 0]++;
    }
}

/* ---- any edges */

static void count_searched(const counting *c, const char *values, int64_t n, int64_t *count)
{
    int64_t bin[ASH__SEARCH_BLOCK], beyond[ASH__SEARCH_BLOCK];
    ash__search(&c->bin, values, n, bin);
    ash__search(&c->last, values, n, beyond);
    for (int64_t i = 0; i < n; i++)
        count[beyond[i] ? 0 : bin[i]]++;
}

/* The bins' lower edges, and the last edge, as keys in memory. */
static void load_searched(counting *c, char *memory, size_t bin_bytes)
{
    const ash__span *const edges = &c->task->operand[0];
    c->bin = (ash__searcher){.kernels = ash__cpu_kernels(),
                             .sorted = edges->dtype,
                             .values = c->task->operand[1].dtype,
                             .keys = memory,
                             .count = c->bins,
                             .right = true,
                             .numbers = true};
    c->last = c->bin;
    c->last.keys = memory + bin_bytes;
    c->last.count = 1;
    c->last.right = false;
    ash__searcher_load(&c->bin, edges->data, edges->stride[0]);
    ash__searcher_load(&c->last, edges->data + c->bins * edges->stride[0], edges->stride[0]);
}

/* ---- the task */

static void count_part(void *context, int64_t part)
{
    const counting *const c = context;
    const ash__task *const t = c->task;
    const int64_t n = t->shape[0], item = (int64_t)ash_dtype_size(t->operand[1].dtype);
    const int64_t end = ash__part_start(n, part + 1, c->parts);
    int64_t *const count = c->counts + part * (c->bins + 1);
    memset(count, 0, (size_t)(c->bins + 1) * sizeof *count);
    for (int64_t at = ash__part_start(n, part, c->parts), m; at < end; at += m) {
        m = end - at < ASH__SEARCH_BLOCK ? end - at : ASH__SEARCH_BLOCK;
        (c->edge ? count_even : count_searched)(c, t->operand[1].data + at * item, m, count);
    }
}

ash_status ash__cpu_histogram(const ash__task *task)
{
    const ash_dtype edges = task->operand[0].dtype, values = task->operand[1].dtype;
    const int64_t n = task->shape[0];
    counting c = {.task = task, .bins = task->count - 1, .parts = ash__parts_for(n * 8, n * 5)};
    /* counts of a part should not outweigh its values */
    while (c.parts > 1 && n / c.parts < c.bins)
        c.parts--;
    const size_t bin_bytes = ash__searcher_bytes(edges, values, c.bins), last_bytes = ash__searcher_bytes(edges, values, 1);
    const size_t edge_bytes = (size_t)task->count * sizeof(double);
    const size_t nbytes = bin_bytes + last_bytes + edge_bytes + (size_t)(c.parts * (c.bins + 1)) * sizeof(int64_t);
    char *const memory = ash__work_take(task, nbytes);
    if (!memory)
        return ash__last_status();
    load_even(&c, (double *)(void *)(memory + bin_bytes + last_bytes));
    if (!c.edge)
        load_searched(&c, memory, bin_bytes);
    c.counts = (int64_t *)(void *)(memory + bin_bytes + last_bytes + edge_bytes);
    ash__parallel(c.parts, count_part, &c);
    int64_t *const out = (int64_t *)(void *)task->out.data;
    for (int64_t k = 0; k < c.bins; k++) {
        out[k] = 0;
        for (int64_t part = 0; part < c.parts; part++)
            out[k] += c.counts[part * (c.bins + 1) + k + 1];
    }
    ash__work_give(task, memory, nbytes);
    return ASH_OK;
}
