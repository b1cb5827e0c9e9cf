/* mask.h - where a mask is true. */
#ifndef ASH__MASK_H
#define ASH__MASK_H
#include "core/array.h"

/* The positions of what is true in a bool array, in row-major order of its indices, as an i64 vector in that storage. The
 * caller's alone. */
ash_array *ash__mask_positions(const char *function, const ash_array *mask, ash_storage storage, ash_resources *given);
#endif
