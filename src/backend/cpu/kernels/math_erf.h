/*
 * math_erf.h - the error function and its complement.
 *
 * erf a = a + a*P(a^2) below 1. erfc a = exp(-a^2) * Q(q)/(1 + 2a) from 1/4 on, where (1 + 2a)*exp(a^2)*erfc(a) varies little
 * and is a polynomial in q = (a - 3.5)/(a + 3.5) (M. M. Shepherd and J. G. Laframboise, Math. Comp. 36, 1981). The square, the
 * exponential and the quotient are kept in two parts, because their errors would add up.
 */
#ifndef ASH__MATH_ERF_H
#define ASH__MATH_ERF_H
#include "backend/cpu/kernels/math_exp.h"

/* exp(-a^2) = (hi + lo)*2^k, k in the low bits of t; a < 28 */
INLINE pair exp_of_square(double a, double *t)
{
    const pair square = two_product(a, a);
    *t = MAD_F64(square.hi, -LOG2E_F64, INTEGER_F64);
    const double k = *t - INTEGER_F64;
    const pair r = two_sum(-square.hi - k * LN2_HI, -k * LN2_LO), sum = two_sum(r.hi, exp_rest(r.hi));
    const pair y = fast_two_sum(1, sum.hi);
    return pair_of(y.hi, y.lo + (sum.lo + (r.lo - square.lo) * y.hi));
}
INLINE double erfc_large(double a)
{
    double t;
    const double b = a < 28 ? a : 28, q = (b - 3.5) / (b + 3.5);
    const double p = POLY23(MAD_F64, q, 0x1.3e0a99a0ee914p+0, -0x1.1ebd220ea593dp-3, -0x1.59e2c284b0ef5p-7,
                            0x1.8f702ec6b34a2p-4, -0x1.d76830c354a96p-4, 0x1.686106046b815p-4, -0x1.8ff5ef76824dep-5,
                            0x1.38ec6671fd708p-6, -0x1.143c4cc7cd2acp-8, -0x1.3cf36b8e8439dp-12, 0x1.27e66ca79007dp-11,
                            -0x1.fda8dcd46d077p-14, -0x1.66e479c836a73p-15, 0x1.97065cbe24dc4p-16, 0x1.38f3d7724766ap-19,
                            -0x1.ffd8c8465ea1ep-19, -0x1.b576da9289d7fp-25, 0x1.41953eeddde18p-21, 0x1.46b4c130794e5p-32,
                            -0x1.8b9e57478b8dap-24, -0x1.60df16fe7f48p-28, 0x1.5ae6e81102e83p-27, 0x1.d5b7959c8cf78p-30);
    const pair e = exp_of_square(b, &t), d = fast_two_sum(b > 0.5 ? 2 * b : 1, b > 0.5 ? 1 : 2 * b), n = two_product(e.hi, p);
    const double y = n.hi / d.hi;
    const pair back = two_product(y, d.hi);
    const double rest = ((n.hi - back.hi) - back.lo) + (n.lo + e.lo * p - y * d.lo);
    return scaled_f64(y + rest / d.hi, t);
}
/* erf a - a for 0 <= a <= 1 */
INLINE double erf_rest(double a)
{
    const double z = a * a;
    return a * POLY12(MAD_F64, z, 0x1.06eba8214db68p-3, -0x1.812746b0379c2p-2, 0x1.ce2f21a041017p-4, -0x1.b82ce31206292p-6,
                      0x1.565bccfa9a3ccp-8, -0x1.c02db072ec08bp-11, 0x1.f9a2bf736732ap-14, -0x1.f4ca94938d06cp-17,
                      0x1.b9827af9bb2bdp-20, -0x1.5c16e2cee6d65p-23, 0x1.d784948923186p-27, -0x1.ace003e7b5054p-31);
}
INLINE double erf_f64(double x)
{
    const double a = abs_f64(x), y = a < 1 ? a + erf_rest(a) : 1 - erfc_large(a);
    return copysign_f64(x != x ? x : y, x);
}
INLINE double erfc_f64(double x)
{
    const double a = abs_f64(x), small = (1 - x) - copysign_f64(erf_rest(a), x), large = erfc_large(a);
    const double y = a < 0.25 ? small : x < 0 ? 2 - large : large;
    return x != x ? x : y;
}
#endif
