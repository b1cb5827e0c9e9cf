/* indices.h - arrays of indices, read and checked on the host before anything is queued. */
#ifndef ASH__INDICES_H
#define ASH__INDICES_H
#include "core/array.h"

/* The indices as dense i64 in a layout, which the host can read, each within 0 .. n - 1 (negative ones are out of bounds): the
 * indices themselves with one more reference, or a copy. n is the size of that axis, for the message. The caller's alone. */
ash_array *ash__index_list(const char *function, const ash_array *indices, ash_layout layout, int64_t axis, int64_t n,
                           ash_resources *given);
#endif
