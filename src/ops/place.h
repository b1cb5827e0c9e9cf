/* place.h - arrays copied into parts of others, for the operations that only move elements. */
#ifndef ASH__PLACE_H
#define ASH__PLACE_H
#include "core/array.h"

/* a as an array of dtype that is not conjugated: itself with one more reference, or a converted copy in the layout of a. Dense
 * in row-major order when that is asked for. Belongs to the caller alone. */
ash_array *ash__plain(const char *function, const ash_array *a, ash_dtype dtype, bool dense, ash_resources *given);
/* a as a dense array of its dtype that is not conjugated, in either layout: itself with one more reference, or a copy in
 * row-major order. *layout: which. Belongs to the caller alone. */
ash_array *ash__either_dense(const char *function, const ash_array *a, ash_layout *layout, ash_resources *given);
/* A new array for a result of a: its device, storage and memory backend; layout 0: that of a. In the caller's scope. */
ash_array *ash__result_like(const char *function, const ash_array *a, ash_dims shape, ash_layout layout, ash_resources *given);
/* Copies elements over one shape from addresses and byte strides within a to such within out. Equal dtypes, none conjugated. */
ash_status ash__copy_strided(const char *function, ash_array *out, const int64_t *shape, int64_t rank, char *to,
                             const int64_t *to_stride, const ash_array *a, const char *from, const int64_t *from_stride,
                             ash_resources *given);
/* ash_roll under another name: a new array in the caller's scope, after all checks. */
ash_array *ash__roll(const char *function, const ash_array *a, ash_dims shifts, ash_axes axes, ash_resources *given);
#endif
