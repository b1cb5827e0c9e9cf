/*
 * math_log.h - logarithms and inverse hyperbolic functions.
 *
 * x = 2^k * m, m in [sqrt(1/2), sqrt(2)), f = m - 1, s = f/(2 + f): log m = f - (f^2/2 - s*(f^2/2 + z*R(z))), z = s^2, which
 * keeps the exact f apart from what is rounded. The method, with the two parts of log2 and log10, is that of FreeBSD's msun
 * (e_log.c, e_log2.c, after K. C. Ng).
 */
#ifndef ASH__MATH_LOG_H
#define ASH__MATH_LOG_H
#include "backend/cpu/kernels/math_base.h"

/* ---- f64 --------------------------------------------------------------------------------------------------------------------
 */

typedef struct log_parts {
    double k, f;
} log_parts;

/* x > 0; a subnormal is scaled first. */
INLINE log_parts log_split(double x)
{
    const double normal = x < DBL_MIN ? x * 0x1p54 : x, base = x < DBL_MIN ? 0x1p52 + 1023 + 54 : 0x1p52 + 1023;
    const uint64_t u = f64_bits(normal), e = (u + (0x3ff0000000000000u - 0x3fe6a09e667f3bcdu)) >> 52;
    const log_parts p = {f64_from(e | 0x4330000000000000u) - base, f64_from(u - (e << 52) + 0x3ff0000000000000u) - 1};
    return p;
}
/* s*(f^2/2 + z*R(z)) */
INLINE double log_rest(double f)
{
    const double s = f / (2 + f), z = s * s;
    const double r = POLY7(MAD_F64, z, 0x1.555555555557cp-1, 0x1.9999999985764p-2, 0x1.2492493ddd71dp-2, 0x1.c71c54e50bb10p-3,
                           0x1.7465b96d2a135p-3, 0x1.39adf12264ae8p-3, 0x1.2e940322e9f8fp-3);
    return s * (0.5 * f * f + z * r);
}
/* log(x*(1 + c)*2^shift) for a positive finite x and a c below the rounding error of x */
INLINE double log_corrected(double x, double c, double shift)
{
    const log_parts p = log_split(x);
    const double k = p.k + shift, f = p.f, square = 0.5 * f * f;
    return k * LN2_HI - ((square - (log_rest(f) + (k * LN2_LO + c))) - f);
}
/* log of 0, of negative numbers, of infinity and NaN */
INLINE double log_special(double x, double y)
{
    const double zero = x == 0 ? -INFINITY : y, negative = x < 0 ? (double)NAN : zero;
    return x <= DBL_MAX ? negative : x;
}
INLINE double log_f64(double x)
{
    return log_special(x, log_corrected(x, 0, 0));
}
INLINE double log1p_f64(double x)
{
    const double u = 1 + x, c = x > 1 ? 1 - (u - x) : x - (u - 1);
    const double y = log_special(u, log_corrected(u, x > 0x1p60 ? 0 : c / u, 0));
    return x == 0 ? x : y;
}
/* log m in two parts, the first short enough for exact products with the first part of a factor */
INLINE pair log_pair(double f)
{
    const double square = 0.5 * f * f, hi = upper_half(f - square);
    return pair_of(hi, ((f - hi) - square) + log_rest(f));
}
INLINE double log2_f64(double x)
{
    const double factor_hi = 0x1.71547p+0, factor_lo = 0x1.94ae0bf85ddf4p-22; /* 1/ln 2 */
    const log_parts p = log_split(x);
    const pair m = log_pair(p.f), y = two_sum(p.k, m.hi * factor_hi);
    return log_special(x, y.hi + (y.lo + ((m.lo + m.hi) * factor_lo + m.lo * factor_hi)));
}
INLINE double log10_f64(double x)
{
    const double factor_hi = 0x1.bcb7bp-2, factor_lo = 0x1.526e50e32a6abp-26; /* 1/ln 10 */
    const double log10_2_hi = 0x1.34413509f7800p-2, log10_2_lo = 0x1.fef311f12b358p-46;
    const log_parts p = log_split(x);
    const pair m = log_pair(p.f), y = two_sum(p.k * log10_2_hi, m.hi * factor_hi);
    return log_special(x, y.hi + (y.lo + (p.k * log10_2_lo + ((m.lo + m.hi) * factor_lo + m.lo * factor_hi))));
}

/*
 * log(a + sqrt(a^2 + 1)) and its like: the sum u is rounded, and what it lacks goes into the correction of the logarithm. That
 * also holds near u = 1, where the correction is most of the result.
 */
INLINE double log_of_sum(double a, double root, double root_lo)
{
    const pair u = a > root ? fast_two_sum(a, root) : fast_two_sum(root, a);
    return log_corrected(u.hi, (u.lo + root_lo) / u.hi, 0);
}
/* what sqrt(x.hi + x.lo) is more than root */
INLINE double sqrt_rest(pair x, double root)
{
    const pair square = two_product(root, root);
    const double rest = ((x.hi - square.hi) - square.lo + x.lo) / (2 * root);
    return root > 0 ? rest : 0;
}
INLINE double asinh_f64(double x)
{
    const double a = abs_f64(x), b = a > 0x1p28 ? 1 : a; /* b keeps what is not used finite */
    const pair square = two_product(b, b), sum = two_sum(square.hi, 1);
    const pair v = {sum.hi, sum.lo + square.lo};
    const double root = sqrt(v.hi), y = log_of_sum(b, root, sqrt_rest(v, root)), large = log_corrected(a, 0, 1);
    const double positive = a > 0x1p28 ? large : y, number = a < 0x1p-28 ? a : positive;
    return copysign_f64(a <= DBL_MAX ? number : a, x);
}
INLINE double acosh_f64(double x)
{
    const double b = x > 0x1p28 ? 1 : x, less = b - 1;
    const pair more = two_sum(b, 1), product = two_product(less, more.hi), v = {product.hi, product.lo + less * more.lo};
    const double root = sqrt(v.hi), y = log_of_sum(b, root, sqrt_rest(v, root)), large = log_corrected(x, 0, 1);
    const double number = x > 0x1p28 ? large : y, valid = x < 1 ? (double)NAN : number;
    return x <= DBL_MAX ? valid : x;
}
/* half the logarithm of (1 + a)/(1 - a) */
INLINE double atanh_f64(double x)
{
    const double a = abs_f64(x);
    const pair n = fast_two_sum(1, a), d = fast_two_sum(1, -a);
    const double q = n.hi / d.hi;
    const pair back = two_product(q, d.hi);
    const double c = (((n.hi - back.hi) - back.lo) + (n.lo - q * d.lo)) / n.hi;
    const double y = 0.5 * log_corrected(q, c, 0), one = a == 1 ? INFINITY : y, number = a > 1 ? (double)NAN : one;
    return copysign_f64(a < 0x1p-28 ? a : number, x);
}

/* ---- f32: log(1 + f) = f + (f^3*P(f) - f^2/2) */

typedef struct log_parts_f32 {
    float k, f;
} log_parts_f32;

INLINE log_parts_f32 log_split_f32(float x)
{
    const bool small = x < FLT_MIN;
    const uint32_t u = f32_bits(small ? x * 0x1p23f : x), e = (u + (0x3f800000u - 0x3f3504f3u)) >> 23;
    const log_parts_f32 p = {(float)((int32_t)e - (small ? 127 + 23 : 127)), f32_from(u - (e << 23) + (127u << 23)) - 1};
    return p;
}
/* f^3*P(f) */
INLINE float log_cubic_f32(float f)
{
    const float p = POLY9(MAD_F32, f, 0x1.555546p-2f, -0x1.ffffeep-3f, 0x1.99a546p-3f, -0x1.5562e2p-3f, 0x1.2332bcp-3f,
                          -0x1.fb4354p-4f, 0x1.e650fap-4f, -0x1.e2e8ecp-4f, 0x1.1b4126p-4f);
    return f * f * f * p;
}
INLINE float log_special_f32(float x, float y)
{
    const float zero = x == 0 ? -INFINITY : y, negative = x < 0 ? NAN : zero;
    return x <= FLT_MAX ? negative : x;
}
INLINE float log_f32(float x)
{
    const log_parts_f32 p = log_split_f32(x);
    const float rest = MAD_F32(-0.5f * p.f, p.f, MAD_F32(p.k, -0x1.bd0106p-13f, log_cubic_f32(p.f)));
    return log_special_f32(x, MAD_F32(p.k, 0x1.63p-1f, p.f + rest));
}
/* The logarithm times a factor whose rounding errors stay small: with k apart, powers of 2 are exact. */
INLINE float log2_f32(float x)
{
    const log_parts_f32 p = log_split_f32(x);
    const float rest = MAD_F32(-0.5f * p.f, p.f, log_cubic_f32(p.f));
    return log_special_f32(x, p.k + MAD_F32(p.f, 0x1.715476p+0f, rest * 0x1.715476p+0f));
}
INLINE float log10_f32(float x)
{
    const log_parts_f32 p = log_split_f32(x);
    const float rest = MAD_F32(-0.5f * p.f, p.f, log_cubic_f32(p.f)), f = MAD_F32(p.f, 0x1.bcb7b2p-2f, rest * 0x1.bcb7b2p-2f);
    return log_special_f32(x, MAD_F32(p.k, 0x1.344p-2f, MAD_F32(p.k, 0x1.3509f8p-18f, f)));
}
#endif
