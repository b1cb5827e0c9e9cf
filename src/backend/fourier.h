/* fourier.h - what a task of kind ASH__TASK_FOURIER says further. */
#ifndef ASH__BACKEND_FOURIER_H
#define ASH__BACKEND_FOURIER_H
#include <stdbool.h>
#include <stdint.h>

typedef enum ash__fourier_kind {
    ASH__FOURIER_COMPLEX, /* n complex numbers to n complex numbers */
    ASH__FOURIER_REAL,    /* n real numbers to the first n/2 + 1 of their transform; forward */
    ASH__FOURIER_HALF     /* such to n real numbers; backward. Imaginary parts that cannot be are not looked at */
} ash__fourier_kind;

/* out[j] = scale * sum over k of operand[0][k] * exp(-+2*pi*i*j*k/n) along task.axis; + when it is backward. The shape is that
 * of operand[0]; parts are f32 or f64, the same on both sides. out may be operand[0] exactly, when both are complex. */
struct ash__fourier {
    ash__fourier_kind kind;
    bool backward;
    int64_t n; /* >= 1 */
    double scale;
};

/* exp(-2*pi*i*k/n), 0 <= k < n < 2^60: real part and imaginary part, to be rounded to f32, or with `wide` to f64. */
void ash__root_of(bool wide, int64_t k, int64_t n, long double out[2]);
#endif
