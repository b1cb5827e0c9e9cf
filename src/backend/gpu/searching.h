/* searching.h - values among elements in ascending order: what searches and histograms share. */
#ifndef ASH__GPU_SEARCHING_H
#define ASH__GPU_SEARCHING_H
#include "backend/gpu/listed.h"

enum { ASH__GPU_SEARCHERS = 64 }; /* work-items of a group */

typedef struct ash__gpu_search_numbers { /* `search` of kernels/search.c */
    int64_t n, count, sorted, step, value, value_step, out, chunk, bins;
} ash__gpu_search_numbers;

typedef struct ash__gpu_searching {
    const ash__task *task;
    const ash__span *sorted, *values;
    bool numbers; /* -0.0 is 0.0: a histogram */
    bool alone;
    ash__gpu_work work;
    void *memory[3]; /* sorted, values, out */
    ash__gpu_search_numbers numbered;
} ash__gpu_searching;

/* numbers is set. Touches the spans. Why there is no kernel, or NULL. */
const char *ash__gpu_searching_begin(ash__gpu_searching *s, ash_resources *resources, const ash__task *task);
/* After the work has begun: memory and numbers. */
void ash__gpu_searching_place(ash__gpu_searching *s);
void ash__gpu_searching_put(const ash__gpu_searching *s, char *defines, size_t size);
ash_status ash__gpu_searching_run(ash__gpu_searching *s, const char *kernel, int64_t items, int local, int memories,
                                  void *const *memory);
#endif
