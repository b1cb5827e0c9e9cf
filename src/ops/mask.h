/* mask.h - where a mask is true. */
#ifndef ASH__MASK_H
#define ASH__MASK_H
#include "core/array.h"

/* The positions of what is true in a bool array, in row-major order of its indices, as a new i64 vector of that storage. */
ash_array *ash__mask_positions(const char *function, const ash_array *mask, ash_storage storage, ash_resources *given);
/* The elements of a where a mask of its shape is true, in that order: a new vector like a. The elements of a, which is not
 * conjugated, have 1, 2, 4, 8 or 16 bytes. */
ash_array *ash__mask_select(const char *function, const ash_array *a, const ash_array *mask, ash_resources *given);
static inline bool ash__mask_selects(ash_dtype dtype) /* have they? */
{
    const size_t n = ash_dtype_size(dtype);
    return n <= 16 && (n & (n - 1)) == 0;
}
#endif
