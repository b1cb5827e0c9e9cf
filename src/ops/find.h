/* find.h - which elements are looked for. */
#ifndef ASH__FIND_H
#define ASH__FIND_H
#include "ashlar/order.h"
#include "ops/operands.h"

/* The function of an element of a that is true where it is found: the predicate, or x -> x != 0. NULL with an error. */
ash_function *ash__find_function(const char *function, const ash_array *a, const char *predicate);
/* The expression of column k of `rank` of indices, of a position p among `size`: `inner` elements lie behind the axis, whose
 * size is n. */
const char *ash__column_text(const ash_device *device, int64_t size, int64_t k, int64_t rank);
/* A program made of it gives bool, as it must. */
ash_status ash__find_check(const char *function, ash_dtype result);
#endif
