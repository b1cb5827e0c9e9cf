/* norm.h - norms of the elements of an array along axes, for the operations that are made of them. */
#ifndef ASH__NORM_H
#define ASH__NORM_H
#include "core/array.h"

/* p from an option: `standard` when it was not given. An argument error for an array, a complex number and NaN. */
ash_status ash__norm_order(const char *function, const ash_operand *given, double standard, double *p);
/* The dtypes of a norm of a: what is summed in, with room for the squares of f32 where the device has f64, and what the
 * result is rounded to. A dtype error for records, and for integers on a device without f64. */
ash_status ash__norm_dtypes(const char *function, const ash_array *a, ash_dtype *compute, ash_dtype *result);
/* x rounded to dtype, in the caller's scope. */
ash_array *ash__norm_rounded(const char *function, const ash_array *x, ash_dtype dtype, ash_resources *given);
#endif
