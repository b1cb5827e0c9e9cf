/* fourier_real.h - transforms of one line of real numbers, and back: dense lines, which may be the same memory. */
#ifndef ASH__CPU_FOURIER_REAL_H
#define ASH__CPU_FOURIER_REAL_H
#include "backend/cpu/fourier.h"

/* t is for real numbers of an even length (form REAL, of half that), or for a line of the odd one. */
size_t ash__real_work(const ash__transform *t);
/* n real numbers at x to n/2 + 1 complex ones at z, and back. */
void ash__real_forward(const ash__lining *l, const ash__transform *t, const char *x, char *z, double scale);
void ash__real_backward(const ash__lining *l, const ash__transform *t, const char *z, char *x, double scale);
/* The other half of spectra of an odd n, in rows of `width`: X[n - k] is the conjugate of X[k]. */
void ash__real_mirror(const ash__lining *l, ash__planes x, int64_t n, int64_t width);
#endif
