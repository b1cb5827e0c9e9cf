/*
 * convert.h - checked conversion of host elements, one run at a time.
 *
 * Two modes: truncating (toward zero; what the dtype cannot hold is refused, as are NaN and infinities for integers and
 * finite numbers too large for a float) and exact (any change of value is refused). Complex to real is refused unless the
 * imaginary part is 0; real to complex is fine; bool takes 0 and 1 (truncating: what truncates to them).
 */
#ifndef ASH__CONVERT_H
#define ASH__CONVERT_H
#include "core/dtype.h"

/* Converts n elements; strides in bytes. Returns n, or the position of the first element that is refused (elements before
 * it have been written). Plain dtypes only; equal dtypes are copied, records too. */
int64_t ash__convert_run(char *to, int64_t to_step, ash_dtype to_dtype, const char *from, int64_t from_step,
                         ash_dtype from_dtype, int64_t n, bool exact);
/* The error for an element that was refused: "element 0, 3000000000, does not fit i32"; from rank 2 "element (1, 2)". */
ash_status ash__convert_fail(const char *function, const int64_t *index, int64_t rank, const char *from, ash_dtype from_dtype,
                             ash_dtype to_dtype, bool exact);
/* Which side of a conversion is a conjugated array: memory that holds the conjugates. They are two, because conjugating an
 * integer part wraps in its own dtype. */
enum { ASH__FROM_CONJUGATED = 1, ASH__TO_CONJUGATED = 2 };
/* All elements of one shape (strides in bytes), with the error above. Nothing is guaranteed about what was written before
 * a failure. conjugated: the sides above, added; of no meaning for a real side. */
ash_status ash__convert_all(const char *function, const int64_t *shape, int64_t rank, char *to, const int64_t *to_stride,
                            ash_dtype to_dtype, const char *from, const int64_t *from_stride, ash_dtype from_dtype, bool exact,
                            int conjugated);
/* Flips the sign of the imaginary parts of n complex elements that lie side by side; nothing for other dtypes. */
void ash__conjugate(char *elements, ash_dtype dtype, int64_t n);
#endif
