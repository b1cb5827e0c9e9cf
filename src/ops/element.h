/* element.h - a value that a caller gave as one element of a dtype. */
#ifndef ASH__ELEMENT_H
#define ASH__ELEMENT_H
#include "core/array.h"

enum { ASH__LARGEST_ELEMENT = 65536 }; /* bytes that can be filled with */
/* A scalar, or an array of one element of any dtype that converts, as one element of dtype; conjugated: as it lies in an
 * array that is. */
ash_status ash__element_of(const char *function, const ash_operand *value, ash_dtype dtype, bool conjugated, bool exact,
                           unsigned char element[ASH__LARGEST_ELEMENT]);
#endif
