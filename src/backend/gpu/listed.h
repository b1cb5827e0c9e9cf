/* listed.h - elements from and to the places that lists name, and the parts that sorting shares. */
#ifndef ASH__GPU_LISTED_H
#define ASH__GPU_LISTED_H
#include "backend/gpu/rows.h"

/* The kernels of these kinds of task: *why as in gpu.c. */
ash_status ash__gpu_copy(ash_resources *resources, const ash__task *task, const char **why);
ash_status ash__gpu_gather(ash_resources *resources, const ash__task *task, const char **why);
ash_status ash__gpu_scatter(ash_resources *resources, const ash__task *task, const char **why);
ash_status ash__gpu_select(ash_resources *resources, const ash__task *task, const char **why);
ash_status ash__gpu_sort(ash_resources *resources, const ash__task *task, const char **why);
ash_status ash__gpu_search(ash_resources *resources, const ash__task *task, const char **why);
ash_status ash__gpu_histogram(ash_resources *resources, const ash__task *task, const char **why);

/* The whole buffer of a span: lists lead anywhere in it. */
void ash__gpu_touch_all(ash__gpu_work *w, const ash__span *span, bool writes);
/* A list of `count` i64: where it is touched, or a copy of the host's. */
ash_status ash__gpu_list_place(ash__gpu_work *w, const ash__span *list, int64_t count, ash__gpu_place *place);
/* ASH_ERR_BOUNDS, of which nothing has been said, when one of them is not within 0 .. bound - 1. Waits. */
ash_status ash__gpu_list_check(ash__gpu_work *w, ash__gpu_place list, int64_t count, int64_t bound);

/* out[.., j, ..] = source[.., list[.., j, ..], ..] over a shape. */
typedef struct ash__gpu_taking {
    const ash__span *out, *source; /* touched; source all of it */
    const int64_t *shape, rank, axis;
    ash__gpu_place list;
    const int64_t *list_stride;
    const char *list_type; /* "i64" or "u32" */
} ash__gpu_taking;
ash_status ash__gpu_gather_by(ash__gpu_work *w, const ash__gpu_taking *taking);

/* ---- keys: what is defined before kernels/keys.c; flip as there. sort.c */
uint64_t ash__gpu_key_flip(ash_dtype dtype, bool descending);
void ash__gpu_put_keys(char *to, size_t size, ash_dtype dtype, int width, uint64_t flip);

/* ---- radix sort: radix.c */

/* Lines of n unsigned keys each, one behind the other; a position (u32) with each where wanted. */
typedef struct ash__gpu_keys {
    int64_t lines, n;
    int width; /* 1: keys of 8 bytes, 0: of 4 */
    int bits;  /* of a key, from the lowest, in which keys may differ */
    bool positions;
    void *key[2], *position[2];
    int at; /* which of the two holds them now */
} ash__gpu_keys;
/* Working memory for keys, to be written to key[0]; then the sort: keys and positions end in [at], stable. */
ash_status ash__gpu_keys_room(ash__gpu_work *w, ash__gpu_keys *k);
ash_status ash__gpu_keys_sort(ash__gpu_work *w, ash__gpu_keys *k);
/* Positions alone, in the order of task->combine: to k->position[k->at]. line: how many elements of working memory lie between
 * neighbours along each axis. merge.c */
ash_status ash__gpu_merge_sort(ash__gpu_work *w, const ash__task *task, const int64_t *line, ash__gpu_keys *k);
/* NULL, or why keys so many cannot be sorted. */
const char *ash__gpu_keys_lack(int64_t n);
#endif
