/*
 * math_exp.h - exponentials and hyperbolic functions.
 *
 * exp(x) = 2^k * exp(r), k the integer nearest to x/ln 2, r = x - k*ln 2 in [-0.347, 0.347], with ln 2 in two parts of which
 * the first has room for k (W. J. Cody and W. Waite, Software Manual for the Elementary Functions, 1980).
 */
#ifndef ASH__MATH_EXP_H
#define ASH__MATH_EXP_H
#include "backend/cpu/kernels/math_base.h"

/* ---- f64 --------------------------------------------------------------------------------------------------------------------
 */

/* exp(r) - 1 - r */
INLINE double exp_rest(double r)
{
    const double q = POLY11(MAD_F64, r, 0x1p-1, 0x1.5555555555557p-3, 0x1.5555555555558p-5, 0x1.11111111100dep-7,
                            0x1.6c16c16c15202p-10, 0x1.a01a01abe67b5p-13, 0x1.a01a01acf8d19p-16, 0x1.71de02367f22ap-19,
                            0x1.27e4ccd2b2ee1p-22, 0x1.af4ddf12afa19p-26, 0x1.1f8b4455eda73p-29);
    return r * r * q;
}
/* exp(x) * 2^shift for |x| < 1000 */
INLINE double exp_shifted(double x, double shift)
{
    const double t = MAD_F64(x, LOG2E_F64, INTEGER_F64), k = t - INTEGER_F64;
    const double r = (x - k * LN2_HI) - k * LN2_LO;
    return scaled_f64(1 + (r + exp_rest(r)), t + shift);
}
INLINE double exp_f64(double x)
{
    const double y = exp_shifted(x, 0), low = x < -745.2 ? 0 : y;
    return x > 709.8 ? INFINITY : low;
}
INLINE double exp2_f64(double x)
{
    const double t = x + INTEGER_F64, r = (x - (t - INTEGER_F64)) * LN2_F64;
    const double y = scaled_f64(1 + (r + exp_rest(r)), t), low = x < -1075.5 ? 0 : y;
    return x >= 1024 ? INFINITY : low;
}
/* 2^k * (p + (1 - 2^-k)), p = exp(r) - 1: the difference is exact until it does not matter. */
INLINE double expm1_f64(double x)
{
    const double t = MAD_F64(x, LOG2E_F64, INTEGER_F64), k = t - INTEGER_F64;
    const double hi = x - k * LN2_HI, lo = k * LN2_LO, r = hi - lo, c = (hi - r) - lo;
    const double rest = c + exp_rest(r), one = 1 - power2_f64(k > 60 ? -60 : k < -60 ? 60 : -k);
    const double y = scaled_f64(one + (r + rest), t);
    const double low = x < -37.5 ? -1 : y, high = x > 709.8 ? INFINITY : low;
    return abs_f64(x) < 0x1p-54 ? x : high;
}
/* Above 1, exp(a)/2 - exp(-a)/2; halved by the exponent, so that nothing overflows too early. */
INLINE double sinh_f64(double x)
{
    const double a = abs_f64(x), z = x * x;
    const double p = POLY8(MAD_F64, z, 0x1.5555555555555p-3, 0x1.1111111111199p-7, 0x1.a01a01a007b20p-13, 0x1.71de3a6822dbap-19,
                           0x1.ae64420d06a16p-26, 0x1.6130a74514baap-33, 0x1.a6dbc489ba1c4p-41, 0x1.c1d685a178963p-48);
    const double e = exp_shifted(a, -1), large = a > 711 ? INFINITY : e - 0.25 / e;
    return copysign_f64(a < 1 ? a + a * z * p : large, x);
}
INLINE double cosh_f64(double x)
{
    const double a = abs_f64(x), e = exp_shifted(a, -1), y = e + 0.25 / e;
    return a > 711 ? INFINITY : y;
}
INLINE double tanh_f64(double x)
{
    const double a = abs_f64(x), e = expm1_f64(2 * a), y = e / (e + 2);
    return copysign_f64(a > 22 ? 1 : y, x);
}

/* ---- f32 --------------------------------------------------------------------------------------------------------------------
 */

INLINE float exp_rest_f32(float r)
{
    const float q =
        POLY6(MAD_F32, r, 0x1p-1f, 0x1.555556p-3f, 0x1.5554eap-5f, 0x1.1110acp-7f, 0x1.6d431ep-10f, 0x1.a17df6p-13f);
    return r * r * q;
}
INLINE float exp_unscaled_f32(float x, float *t)
{
    *t = MAD_F32(x, 0x1.715476p+0f, INTEGER_F32);
    const float k = *t - INTEGER_F32,
                r = MAD_F32(k, -0x1.7f7d1cp-20f, MAD_F32(k, -0x1.62e4p-1f, x)); /* ln 2: 16 bits, and 24 */
    return (r + exp_rest_f32(r)) + 1;
}
INLINE float exp_f32(float x)
{
    float t;
    const float unscaled = exp_unscaled_f32(x, &t), y = scaled_f32(unscaled, t), high = x > 88.8f ? INFINITY : y;
    return x < -104 ? 0 : high;
}
INLINE float exp2_f32(float x)
{
    const float t = x + INTEGER_F32, r = (x - (t - INTEGER_F32)) * 0x1.62e43p-1f;
    const float y = scaled_f32((r + exp_rest_f32(r)) + 1, t), high = x >= 128 ? INFINITY : y;
    return x < -150 ? 0 : high;
}
INLINE float tanh_f32(float x)
{
    const float a = abs_f32(x), z = x * x;
    const float p = POLY5(MAD_F32, z, -0x1.55553ap-2f, 0x1.110852p-3f, -0x1.b85cd2p-5f, 0x1.52de8cp-6f, -0x1.78bebp-8f);
    const float b = a > 10 ? 10 : a, large = 1 - 2 / (exp_f32(2 * b) + 1);
    const float y = a < 0.625f ? MAD_F32(a * z, p, a) : large;
    return copysign_f32(a != a ? a : y, x);
}
#endif
