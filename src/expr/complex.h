/*
 * complex.h - complex arithmetic as operations on real and imaginary parts. Parts are of one machine type. A missing
 * imaginary part (im = -1) is exactly 0: sums, products and quotients with it cost what real ones do.
 */
#ifndef ASH__COMPLEX_H
#define ASH__COMPLEX_H
#include "expr/cast.h"

/* Parts of integers too. */
ash__pair ash__complex_add(ash__builder *b, ash__pair x, ash__pair y);
ash__pair ash__complex_sub(ash__builder *b, ash__pair x, ash__pair y);
ash__pair ash__complex_mul(ash__builder *b, ash__pair x, ash__pair y);
ash__pair ash__complex_neg(ash__builder *b, ash__pair x);

/* Of floats. x/y: scaled so that nothing overflows or underflows on the way; x/0 is NaN + NaN i. */
ash__pair ash__complex_div(ash__builder *b, ash__pair x, ash__pair y);
/* exp(y log x), but 0^y is 1 for y = 0 and 0 for y with a positive real part. */
ash__pair ash__complex_pow(ash__builder *b, ash__pair x, ash__pair y);
/* The elementary function `op` of x (im >= 0); false when there is none. */
bool ash__complex_function(ash__builder *b, ash__op op, ash__pair x, ash__pair *result);
#endif
