/*
 * histogram.c - how many values lie between neighbouring edges.
 *
 * Bins are found by bisection. On a processor each work-item counts a chunk of the values on its own; on a GPU all count by
 * atomic additions. Counts of chunks have 32 bits and are added up.
 */
#include "backend/gpu/searching.h"

enum { CHUNKS = 4, LEAST = 4096, MOST = 1 << 30 }; /* chunks for each unit; values of one */

/* Chunks are no shorter than there are bins, so that counts do not outweigh values. */
static int64_t chunk_of(const ash__gpu_searching *s)
{
    const int64_t n = s->numbered.n, parts = s->alone ? (int64_t)s->work.gpu->units * CHUNKS : 1;
    const int64_t least = s->numbered.bins > LEAST ? s->numbered.bins : LEAST;
    int64_t chunk = (n + parts - 1) / parts;
    chunk = chunk > least ? chunk : least;
    return chunk < MOST ? chunk : MOST;
}

static ash_status run(ash__gpu_searching *s)
{
    ash__gpu_search_numbers *const x = &s->numbered;
    void *counts;
    x->bins = s->task->count - 1;
    x->chunk = chunk_of(s);
    const int64_t chunks = (x->n + x->chunk - 1) / x->chunk, words = (chunks ? chunks : 1) * x->bins;
    ash_status status = ash__gpu_scratch(&s->work, (size_t)words * 4, &counts);
    if (!status)
        status = ash__gpu_rows_zero(&s->work, counts, words);
    if (!status && x->n)
        status = ash__gpu_searching_run(s, "count", s->alone ? chunks : x->n, s->alone ? 1 : ASH__GPU_SEARCHERS, 3,
                                        (void *const[]){s->memory[0], s->memory[1], counts});
    return status ? status
                  : ash__gpu_searching_run(s, "add_up", x->bins, ASH__GPU_SEARCHERS, 2, (void *const[]){counts, s->memory[2]});
}

ash_status ash__gpu_histogram(ash_resources *resources, const ash__task *task, const char **why)
{
    ash__gpu_searching s = {.numbers = true};
    if ((*why = ash__gpu_searching_begin(&s, resources, task)))
        return ASH_OK;
    ash_status status = ash__gpu_work_begin(&s.work);
    if (!status) {
        ash__gpu_searching_place(&s);
        status = run(&s);
    }
    return ash__gpu_work_end(&s.work, status);
}
