/* indices.h - arrays of indices: lists of them that tasks can read, and whether all are in bounds. */
#ifndef ASH__INDICES_H
#define ASH__INDICES_H
#include "core/array.h"

/* How a list is stored beside an array: as that is, and so that the host can read it where the CPU runs tasks. */
ash_storage ash__list_storage(const ash_array *on);
/* The indices as dense i64 in a layout, stored so, unchecked: the indices themselves with one more reference, or a copy. The
 * caller's alone. */
ash_array *ash__index_list(const char *function, const ash_array *indices, ash_layout layout, ash_resources *given);
/* Always a copy, whose elements may be changed. */
ash_array *ash__index_copy(const char *function, const ash_array *indices, ash_layout layout, ash_resources *given);
/* The vector first, first + step ... of count indices, for arrays on the device of a. */
ash_array *ash__index_steps(const char *function, const ash_array *a, int64_t first, int64_t count, int64_t step,
                            ash_resources *given);
/* Each of such a list is within 0 .. n - 1 (negative ones are out of bounds). n is the size of that axis, for the message. */
ash_status ash__index_check(const char *function, const ash_array *list, ash_layout layout, int64_t axis, int64_t n,
                            ash_resources *given);
/* The error for a list of which it is known that one is not. */
ash_status ash__index_fail(const char *function, const ash_array *list, ash_layout layout, int64_t axis, int64_t n);
#endif
