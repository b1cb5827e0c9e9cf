/* find.h - which elements are looked for. */
#ifndef ASH__FIND_H
#define ASH__FIND_H
#include "ashlar/order.h"
#include "ops/operands.h"

/* The function of an element of a that is true where it is found: the predicate, or x -> x != 0. NULL with an error. */
ash_function *ash__find_function(const char *function, const ash_array *a, const char *predicate);
/* A program made of it gives bool, as it must. */
ash_status ash__find_check(const char *function, ash_dtype result);
#endif
