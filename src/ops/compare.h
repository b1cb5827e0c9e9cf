/* compare.h - what ash_equal and ash_allclose share. */
#ifndef ASH__COMPARE_H
#define ASH__COMPARE_H
#include "core/array.h"

/* Both there, on one device. shape: whether they have one shape. false with an error. */
bool ash__compare_check(const char *function, const ash_array *a, const ash_array *b, bool *shape);
/* Does the text give true for every pair of elements? Operands: the two arrays, then any scalars. Waits. */
bool ash__all_pairs(const char *function, const char *text, ash_operands operands, ash_resources *given);
#endif
