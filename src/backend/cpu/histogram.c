/*
 * histogram.c - how many values lie between neighbouring edges.
 *
 * The bin of a value is found by searching the edges, but for the last one, for those not greater: exact for any edges, and
 * for bins of equal width no slower than computing a bin and putting it right. Another search, of the last edge alone, tells
 * which values are beyond it. Each part of the values has counts of its own; they are added at the end.
 */
#include "backend/cpu/cpu.h"
#include "backend/cpu/search.h"
#include "backend/cpu/threads.h"
#include "core/error.h"

typedef struct counting {
    const ash__task *task;
    ash__searcher bin, last;
    int64_t bins, parts;
    int64_t *counts; /* bins + 1 for each part; the first is for what lies below */
} counting;

static void count_block(const counting *c, const char *values, int64_t n, int64_t *count)
{
    int64_t bin[ASH__SEARCH_BLOCK], beyond[ASH__SEARCH_BLOCK];
    ash__search(&c->bin, values, n, bin);
    ash__search(&c->last, values, n, beyond);
    for (int64_t i = 0; i < n; i++)
        count[beyond[i] ? 0 : bin[i]]++;
}

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
        count_block(c, t->operand[1].data + at * item, m, count);
    }
}

/* The bins' lower edges, and the last edge, as keys in memory. */
static void load_edges(counting *c, char *memory, size_t bin_bytes)
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

ash_status ash__cpu_histogram(const ash__task *task)
{
    const ash_dtype edges = task->operand[0].dtype, values = task->operand[1].dtype;
    const int64_t n = task->shape[0];
    counting c = {.task = task, .bins = task->count - 1, .parts = ash__parts_for(n * 8, n * 10)};
    /* counts of a part should not outweigh its values */
    while (c.parts > 1 && n / c.parts < c.bins)
        c.parts--;
    const size_t bin_bytes = ash__searcher_bytes(edges, values, c.bins), last_bytes = ash__searcher_bytes(edges, values, 1);
    const size_t nbytes = bin_bytes + last_bytes + (size_t)(c.parts * (c.bins + 1)) * sizeof(int64_t);
    char *const memory = ash__work_take(task, nbytes);
    if (!memory)
        return ash__last_status();
    load_edges(&c, memory, bin_bytes);
    c.counts = (int64_t *)(void *)(memory + bin_bytes + last_bytes);
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
