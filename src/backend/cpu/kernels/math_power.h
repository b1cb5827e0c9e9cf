/*
 * math_power.h - cube root, hypotenuse, power.
 */
#ifndef ASH__MATH_POWER_H
#define ASH__MATH_POWER_H
#include "backend/cpu/kernels/math_exp.h"
#include "backend/cpu/kernels/math_log.h"

/* ---- cube root */

/*
 * x = m * 2^3q, m in [1/2, 4): a polynomial with 9 bits, a step of Halley's iteration to 26, cut to 21 so that its square is
 * exact, and a last step that adds what is missing (as in FreeBSD's s_cbrt.c).
 */
INLINE double cbrt_f64(double x)
{
    const double a = abs_f64(x);
    const bool small = a < DBL_MIN;
    const uint64_t u = f64_bits(small ? a * 0x1p54 : a);
    const double e = f64_from(u >> 52 | 0x4330000000000000u) - (0x1p52 + 1023);
    const double q = (e * (1.0 / 3) + INTEGER_F64) - INTEGER_F64;
    const double m = f64_from((u & 0xfffffffffffffu) | 0x3ff0000000000000u) * power2_f64(e - 3 * q);
    const double p = POLY5(MAD_F64, m, 0x1.fdd548p-2, 0x1.6d14eep-1, -0x1.105a08p-2, 0x1.f281fap-5, -0x1.679d12p-8);
    const double p3 = p * p * p, t = upper_half(p * (p3 + 2 * m) / (2 * p3 + m));
    const double r = m / (t * t), y = (t + t * (r - t) / (2 * t + r)) * power2_f64(small ? q - 18 : q);
    return a > 0 && a <= DBL_MAX ? copysign_f64(y, x) : x;
}
INLINE float cbrt_f32(float x)
{
    return (float)cbrt_f64((double)x);
}

/* ---- hypotenuse */

/* Scaled, so that no square overflows, or underflows unless the other is far larger. */
INLINE double hypot_f64(double x, double y)
{
    const double a = abs_f64(x), b = abs_f64(y), most = a > b ? a : b;
    const double scale = most > 0x1p500 ? 0x1p-600 : most < 0x1p-400 ? 0x1p600 : 1;
    const double back = most > 0x1p500 ? 0x1p600 : most < 0x1p-400 ? 0x1p-600 : 1;
    const double p = a * scale, q = b * scale, h = sqrt(MAD_F64(p, p, q * q)) * back;
    return a > DBL_MAX || b > DBL_MAX ? INFINITY : h;
}
INLINE float hypot_f32(float x, float y)
{
    const double a = (double)x, b = (double)y, h = sqrt(a * a + b * b);
    return abs_f32(x) > FLT_MAX || abs_f32(y) > FLT_MAX ? INFINITY : (float)h;
}

/* ---- power */

/* What C says of x^y apart from r = |x|^y for positive finite |x| and finite y: signs, 0, infinity, NaN (C17, F.10.4.4). */
#define DEFINE_POW_SPECIAL(T, F, LARGEST)                                                           \
    INLINE F pow_special_##T(F x, F y, F r)                                                         \
    {                                                                                               \
        const F a = abs_##T(x), whole = rint_##T(y), halved = 0.5f * y;                             \
        const bool integer = whole == y, odd = integer && rint_##T(halved) != halved;               \
        const F grows = y > 0 ? (F)INFINITY : 0, shrinks = y > 0 ? 0 : (F)INFINITY;                 \
        const F by_base = a > LARGEST ? grows : a == 0 ? shrinks : r;                               \
        const F by_power = abs_##T(y) > LARGEST ? (a == 1 ? 1 : a > 1 ? grows : shrinks) : by_base; \
        const F magnitude = x < 0 && a <= LARGEST && !integer ? (F)NAN : by_power;                  \
        const F signed_result = T##_from(T##_bits(magnitude) | (odd ? T##_sign(x) : 0));            \
        const F number = x != x || y != y ? x + y : signed_result;                                  \
        return x == 1 || y == 0 ? 1 : number;                                                       \
    }
DEFINE_POW_SPECIAL(f32, float, FLT_MAX)
DEFINE_POW_SPECIAL(f64, double, DBL_MAX)

/* In f64, where 2^(y*log2 x) needs no care: 2^-42 of the logarithm is 2^-35 of the result. */
INLINE float pow_f32(float x, float y)
{
    const log_parts p = log_split((double)abs_f32(x));
    const double s = p.f / (2 + p.f), z = s * s;
    const double l = POLY5(MAD_F64, z, 0x1.55555555f3258p-1, 0x1.9999970271309p-2, 0x1.2493f2eb49b31p-2, 0x1.c633f3b44daccp-3,
                           0x1.90a2af644dc97p-3);
    const double e = (double)y * (p.k + LOG2E_F64 * (2 * s + s * z * l));
    const double low = e < -160 ? -160 : e, c = low > 130 ? 130 : low, t = c + INTEGER_F64, r = c - (t - INTEGER_F64);
    const double q = POLY7(MAD_F64, r, 0x1.62e42fef95ed3p-1, 0x1.ebfbe045fe519p-3, 0x1.c6b08dc5e0209p-5, 0x1.3b2a1b67d4bcp-7,
                           0x1.5d874c7da5bb4p-10, 0x1.4440076126b82p-13, 0x1.00dc4c3d33fc1p-16);
    return pow_special_f32(x, y, (float)((1 + r * q) * power2_f64(t - INTEGER_F64)));
}

#if FUSED
/*
 * The logarithm needs 10 bits more than a double, because y may multiply its error by 1000. log m = 2s + s*z*(2/3 + z*P(z))
 * with s = f/(2 + f) and z = s^2 in two parts; z*P is below 2^-6 of 2/3 and may be a double.
 */
INLINE pair pair_product(pair a, pair b)
{
    const pair p = two_product(a.hi, b.hi);
    return pair_of(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}
INLINE pair log2_pair(double x)
{
    const log_parts p = log_split(x);
    const pair d = fast_two_sum(2, p.f);
    const double s_hi = p.f / d.hi;
    const pair s = {s_hi, (FMA_F64(-s_hi, d.hi, p.f) - s_hi * d.lo) / d.hi};
    const pair z = pair_product(s, s);
    const double w = z.hi * POLY7(MAD_F64, z.hi, 0x1.999999999999fp-2, 0x1.249249248e499p-2, 0x1.c71c71d80546dp-3,
                                  0x1.745d09dffae52p-3, 0x1.3b18bd1aced49p-3, 0x1.1018314ff11a9p-3, 0x1.087e05c1af61ep-3);
    pair c = fast_two_sum(0x1.5555555555555p-1, w);
    c.lo += 0x1.5555555555555p-55;
    const pair cubic = pair_product(pair_product(z, s), c);
    pair m = fast_two_sum(2 * s.hi, cubic.hi);
    m.lo += 2 * s.lo + cubic.lo;
    const pair l = pair_product(m, pair_of(LOG2E_F64, 0x1.777d0ffda0d24p-56)), sum = two_sum(p.k, l.hi);
    return fast_two_sum(sum.hi, sum.lo + l.lo);
}
INLINE double pow_f64(double x, double y)
{
    const pair l = log2_pair(abs_f64(x)), p = two_product(y, l.hi);
    const double low = p.hi < -1100 ? -1100 : p.hi, e = low > 1100 ? 1100 : low, t = e + INTEGER_F64;
    const double rest = abs_f64(p.hi) < 1100 ? p.lo + y * l.lo : 0, r = ((e - (t - INTEGER_F64)) + rest) * LN2_F64;
    return pow_special_f64(x, y, scaled_f64(1 + (r + exp_rest(r)), t));
}
#endif
#endif
