/*
 * math_trig.h - sine, cosine and tangent, of x and of pi*x.
 *
 * x = k*pi/2 + r, |r| <= pi/4, and k mod 4 says which of sin r and cos r it is and its sign. pi/2 is taken in four parts, the
 * first three of 33 bits, so that their products with k < 2^20 are exact (Cody and Waite); every difference keeps its error.
 * The polynomials in r.hi with a term for r.lo are arranged as in FreeBSD's msun (k_sin.c, k_cos.c). Larger arguments are rare
 * and go to libm, which reduces them by as many digits of pi as it takes.
 */
#ifndef ASH__MATH_TRIG_H
#define ASH__MATH_TRIG_H
#include "backend/cpu/kernels/math_base.h"

/* ---- f64 -------------------------------------------------------------------------------------------------------------------- */

INLINE bool trig_rare_f64(double x)
{
    return abs_f64(x) > 0x1p20;
}
/* r, and k in the low bits of t */
INLINE pair trig_reduced(double x, double *t)
{
    *t = x * 0x1.45f306dc9c883p-1 + INTEGER_F64;
    const double k = *t - INTEGER_F64;
    const pair a = two_sum(x - k * 0x1.921fb54400000p+0, -k * 0x1.0b4611a600000p-34);
    const pair b = two_sum(a.hi, -k * 0x1.3198a2e000000p-69);
    return fast_two_sum(b.hi, (a.lo + b.lo) - k * 0x1.b839a252049c1p-104);
}
INLINE double sin_of_reduced(pair r)
{
    const double z = r.hi * r.hi, v = z * r.hi;
    const double s = POLY5(MAD_F64, z, 0x1.111111110fd31p-7, -0x1.a01a019c8a7a6p-13, 0x1.71de35d01fe5cp-19,
                           -0x1.ae5ea28f84ac4p-26, 0x1.5da2999801d41p-33);
    return r.hi - ((z * (0.5 * r.lo - v * s) - r.lo) - v * -0x1.555555555554dp-3);
}
INLINE double cos_of_reduced(pair r)
{
    const double z = r.hi * r.hi, half = 0.5 * z, w = 1 - half;
    const double c = POLY6(MAD_F64, z, 0x1.5555555555553p-5, -0x1.6c16c16c15f2ap-10, 0x1.a01a019ddff31p-16,
                           -0x1.27e4f8cef123cp-22, 0x1.1eea66860378ep-29, -0x1.8fe963c7e2a2bp-37);
    return w + (((1 - w) - half) + (z * z * c - r.hi * r.lo));
}
/* s or c by the parity of the quarter, with the sign of its half */
INLINE double quarter(uint64_t k, double s, double c)
{
    return f64_from(f64_bits(k & 1 ? c : s) ^ (k & 2) << 62);
}
INLINE double sin_f64(double x)
{
    double t;
    const pair r = trig_reduced(x, &t);
    const double y = quarter(f64_bits(t), sin_of_reduced(r), cos_of_reduced(r));
    return x == 0 ? x : y;
}
INLINE double cos_f64(double x)
{
    double t;
    const pair r = trig_reduced(x, &t);
    return quarter(f64_bits(t) + 1, sin_of_reduced(r), cos_of_reduced(r));
}
INLINE double tan_f64(double x)
{
    double t;
    const pair r = trig_reduced(x, &t);
    const double s = sin_of_reduced(r), c = cos_of_reduced(r);
    const bool odd = f64_bits(t) & 1;
    const double y = (odd ? -c : s) / (odd ? s : c);
    return x == 0 ? x : y;
}

/* x = k/2 + r, |r| <= 1/4: exact. t has k mod 4 in its low bits. */
INLINE double turn_reduced(double x, double *t)
{
    const double y = x - 2 * rint_f64(0.5 * x);
    *t = 2 * y + INTEGER_F64;
    return y - 0.5 * (*t - INTEGER_F64);
}
INLINE double sinpi_of_reduced(double r)
{
    const double z = r * r;
    const double p = POLY8(MAD_F64, z, 0x1.0fdaa22168c23p-6, -0x1.4abbce625be51p+2, 0x1.466bc6775a78cp+1, -0x1.32d2cce5df463p-1,
                           0x1.5078341f155f5p-4, -0x1.e306bbd5907dfp-8, 0x1.e88b6e8e001e5p-12,
                           -0x1.514cfd4133404p-16);
    return r * 3.125 + r * p;
}
INLINE double cospi_of_reduced(double r)
{
    const double z = r * r;
    return 1 + z * POLY8(MAD_F64, z, -0x1.3bd3cc9be45dep+2, 0x1.03c1f081b5a34p+2, -0x1.55d3c7e3b8a8ep+0, 0x1.e1f506619f819p-3,
                           -0x1.a6d1c789b5d12p-6, 0x1.f99fdfbce35afp-10, -0x1.96cc84820f57ap-14,
                           -0x1.bc3f652f0c265p-16);
}
/* Zeros have the sign of x in sinpi and are positive in cospi (IEEE 754-2019, 9.2). */
INLINE double sinpi_f64(double x)
{
    double t;
    const double r = turn_reduced(x, &t), y = quarter(f64_bits(t), sinpi_of_reduced(r), cospi_of_reduced(r));
    return y == 0 ? copysign_f64(0, x) : y;
}
INLINE double cospi_f64(double x)
{
    double t;
    const double r = turn_reduced(x, &t), y = quarter(f64_bits(t) + 1, sinpi_of_reduced(r), cospi_of_reduced(r));
    return y + 0.0;
}

/* ---- f32 -------------------------------------------------------------------------------------------------------------------- */

/*
 * x = k*pi + r, |r| <= pi/2 and a little, k an integer for the sine and a half more for the cosine. With fma: pi in three parts
 * of 24 bits; x - k*PI1 is exact, because both are multiples of 2^-23 and it is below 2, and each step after it is rounded
 * once. Without: in f64.
 */
INLINE bool trig_rare_f32(float x)
{
    return abs_f32(x) > 0x1p17f;
}
INLINE float sin_of_half_turn(float x, float t, float k)
{
#ifdef __FMA__
    const float r = __builtin_fmaf(k, 0x1.777a5cp-24f, __builtin_fmaf(k, -0x1.921fb6p+1f, x));
    const float s = __builtin_fmaf(k, 0x1.ee59dap-49f, r), z = s * s;
    const float p = POLY4(MAD_F32, z, -0x1.55554ep-3f, 0x1.110f0ap-7f, -0x1.9f75f8p-13f, 0x1.5debaep-19f);
    const float y = MAD_F32(s * z, p, s);
#else
    const double s = ((double)x - (double)k * 0x1.921fb544p+1) - (double)k * 0x1.0b4611a626331p-33, z = s * s;
    const double p = POLY4(MAD_F64, z, -0x1.55554ep-3, 0x1.110f0ap-7, -0x1.9f75f8p-13, 0x1.5debaep-19);
    const float y = (float)(s + s * z * p);
#endif
    return f32_from(f32_bits(y) ^ f32_bits(t) << 31);
}
INLINE float sin_f32(float x)
{
    const float t = MAD_F32(x, 0x1.45f306p-2f, INTEGER_F32), y = sin_of_half_turn(x, t, t - INTEGER_F32);
    return x == 0 ? x : y;
}
INLINE float cos_f32(float x)
{
    const float t = MAD_F32(x, 0x1.45f306p-2f, -0.5f) + INTEGER_F32;
    return sin_of_half_turn(x, t + 1, (t - INTEGER_F32) + 0.5f);
}
#endif
