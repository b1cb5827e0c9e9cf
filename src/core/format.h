/* format.h - elements as text: fewest digits that read back in their own dtype. */
#ifndef ASH__FORMAT_H
#define ASH__FORMAT_H
#include "core/dtype.h"

enum { ASH__CELL = 96 }; /* room for any cell but a record's */
/* As snprintf. element: address of one element of any dtype; conjugate: shown with the imaginary part's sign flipped. */
size_t ash__format_element(char *buffer, size_t size, ash_dtype dtype, const char *element, bool conjugate);
size_t ash__format_f64(char *buffer, size_t size, double x); /* "1.0", "1e-6", "inf", "nan", "-0.0" */
size_t ash__format_f32(char *buffer, size_t size, float x);
#endif
