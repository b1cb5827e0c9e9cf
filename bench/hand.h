/* hand.h - the loops a C programmer would write, which the library is measured against. */
#ifndef HAND_H
#define HAND_H
#include <stdint.h>

void hand_copy(float *o, const float *a, int64_t n);
float hand_read(const float *a, int64_t n); /* the least that reads every element: 128 lanes or-ed together */
void hand_square_plus_1(float *o, const float *a, int64_t n);
void hand_hypot(float *o, const float *x, const float *y, int64_t n);       /* sqrt(x*x + y*y) */
void hand_gauss(float *o, const float *x, float c, int64_t n);              /* exp(-x*x/2)*c */
void hand_polynomial(float *o, const float *x, int64_t n);                  /* degree 5 by Horner: 5 products, 5 sums */
void hand_take(float *o, const float *a, const int64_t *at, int64_t n);     /* o[i] = a[at[i]], or 0 where that is no place */
void hand_add(float *o, const float *a, const float *b, int64_t n);
void hand_uniform(float *o, int64_t n); /* in [0, 1), by PCG64, two numbers a step */
/* native.c's */
void hand_choose(float *o, const float *a, const float *x, const float *y, int64_t n); /* a > 0.5 ? x : y */
void hand_square_plus_1_f64(double *o, const double *a, int64_t n);
void hand_hypot_f64(double *o, const double *x, const double *y, int64_t n);
void hand_mixed(double *o, const float *x, const double *y, int64_t n);                /* x*y + 1 */
void hand_bits(int32_t *o, const int32_t *x, const int32_t *y, int64_t n);             /* ((x << 3) ^ y)*x + (y >> 5) */
void hand_within(uint8_t *o, const float *x, const float *y, int64_t n);               /* 0.2 < x && x < 0.8 && x != y */
float hand_square_distance(const float *x, const float *y, int64_t n);                 /* sum of (x - y)^2 in 128 lanes */
/* peak.c: n multiply-adds in registers; o has 16 numbers */
void hand_multiply_add_f32(float *o, int64_t n);
void hand_multiply_add_f64(double *o, int64_t n);
#endif
