/* search.h - positions of values in a sorted vector. */
#ifndef ASH__CPU_SEARCH_H
#define ASH__CPU_SEARCH_H
#include "backend/cpu/kernels.h"

enum { ASH__SEARCH_BLOCK = 1024 };

/*
 * A sorted vector as keys. Where values have its dtype these are the keys of sorting; else both become 64-bit keys of the
 * vector's kind of number (floats as f64, signed, unsigned), and a value between two of these stands for the one on the side
 * that the search is for.
 */
typedef struct ash__searcher {
    const ash__kernels *kernels;
    ash_dtype sorted, values;
    void *keys;    /* count of them, and a block's behind them for each thread's use: see ash__search_room */
    int64_t count;
    int width;     /* of the keys; 1 where the dtypes differ */
    bool right;    /* how many are not greater, instead of how many are less */
    bool numbers;  /* -0.0 counts as 0.0 */
} ash__searcher;

/* Bytes of the keys of count elements. */
size_t ash__searcher_bytes(ash_dtype sorted, ash_dtype values, int64_t count);
/* s: everything but the keys is set, keys points to room for them. sorted: count elements, stride bytes apart. */
void ash__searcher_load(ash__searcher *s, const char *sorted, int64_t stride);
/* position[i] of n <= ASH__SEARCH_BLOCK dense values, at any address. */
void ash__search(const ash__searcher *s, const char *values, int64_t n, int64_t *position);
#endif
