/* cast.h - a value as its parts, and explicit conversion between plain dtypes. */
#ifndef ASH__CAST_H
#define ASH__CAST_H
#include "expr/builder.h"

/* The parts of a real or complex value: numbers of values, im = -1 for a real one. */
typedef struct ash__pair {
    int re, im;
} ash__pair;

/* An operand, or a field of it at offset; conjugated: it is an adjoint. */
ash__pair ash__load_pair(ash__builder *b, int operand, ash_dtype dtype, uint32_t offset, bool conjugated);
/* What a cast in a function string gives: truncating, saturating from floats, wrapping between integers, rounded once; f16
 * and bf16 are rounded here and now. Complex to real is the real part; to bool is x != 0. */
ash__pair ash__cast(ash__builder *b, ash__pair x, ash_dtype from, ash_dtype to);
/* The same for one part. */
int ash__cast_part(ash__builder *b, int x, ash_dtype from, ash_dtype to);
#endif
