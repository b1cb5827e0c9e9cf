/* sorting.h - a sort as the options ask for it: keys, lines and order; for the operations that are made of one. */
#ifndef ASH__SORTING_H
#define ASH__SORTING_H
#include "ashlar/order.h"
#include "core/array.h"

struct ash__program;

typedef struct ash__sorting {
    const char *function;
    ash_array *a;                /* what is sorted: not conjugated; with .flat the vector of all elements. Held */
    ash_array *keys;             /* held; may be a */
    struct ash__program *less;   /* of two keys; NULL: their own order */
    ash_resources *given;
    int64_t axis, n;             /* rank 0 counts as one line of one element */
    bool descending;
    int64_t first, count;        /* what part of the order is wanted; all of it to begin with */
} ash__sorting;

/* Checks a and the options, reads them, and computes the keys. On failure there is nothing to end. */
ash_status ash__sorting_begin(ash__sorting *s, const char *function, const ash_array *a, const ash_sort_options *o);
void ash__sorting_end(ash__sorting *s);

/* a without conjugation, as a vector of its elements in row-major order when flat. The caller's alone. */
ash_array *ash__sorting_lines(const char *function, const ash_array *a, bool flat, ash_resources *given);
/* Of the results: that of s->a with the axis cut to s->count. size: room for ASH_MAX_RANK. */
ash_dims ash__sorting_shape(const ash__sorting *s, int64_t *size);
/* A new array for elements of `like`, or (dtype i64) positions, in that shape, in the caller's scope. */
ash_array *ash__sorting_result(const ash__sorting *s, const ash_array *like, ash_dtype dtype);
/* Sorts: elements of `payload`, which has the shape of s->a (or is it), to values, and positions; either may be NULL. values
 * may be s->a exactly where that is the payload and has its own order. */
ash_status ash__sorting_run(const ash__sorting *s, const ash_array *payload, ash_array *values, ash_array *positions);
/* A new array of elements in order, of positions. */
ash_array *ash__sorting_values(const ash__sorting *s);
ash_array *ash__sorting_positions(const ash__sorting *s);
/* out is writable, on the device, of the dtype and of the result's shape. */
ash_status ash__sorting_check_out(const ash__sorting *s, const ash_array *out, ash_dtype dtype);
#endif
