/* operand.h - scalar operands as the bytes of one element. */
#ifndef ASH__OPERAND_H
#define ASH__OPERAND_H
#include "core/dtype.h"

enum { ASH__SCALAR_BYTES = 16 }; /* of the largest plain dtype */
/* Is a plain element zero, of either sign? */
bool ash__element_is_zero(const void *element, ash_dtype dtype);
/* Writes the element that a scalar operand stands for. A dtype error when its dtype is none, or a record's. */
ash_status ash__operand_bytes(const char *function, const ash_operand *scalar, unsigned char bytes[ASH__SCALAR_BYTES]);
#endif
