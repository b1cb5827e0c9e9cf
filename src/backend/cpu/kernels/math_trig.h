/*
 * math_trig.h - sine, cosine and tangent, of x and of pi*x.
 *
 * x = k*pi/2 + r, |r| <= pi/4, and k mod 4 says which of sin r and cos r it is and its sign. pi/2 is taken in four parts, the
 * first three of 33 bits, so that their products with k < 2^20 are exact (Cody and Waite); every difference keeps its error.
 * The polynomials in r.hi with a term for r.lo are arranged as in FreeBSD's msun (k_sin.c, k_cos.c). Larger arguments are rare
 * and go to libm's long double functions, which reduce them by as many digits of pi as it takes (its double ones do not: glibc
 * 2.36 is 8 last places off at cos(0x1.6ac5b262ca1ffp849)).
 */
#ifndef ASH__MATH_TRIG_H
#define ASH__MATH_TRIG_H
#include "backend/cpu/kernels/math_base.h"

/* ---- f64 --------------------------------------------------------------------------------------------------------------------
 */

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
    const double z = r.hi * r.hi, halved = 0.5 * z, w = 1 - halved;
    const double c = POLY6(MAD_F64, z, 0x1.5555555555553p-5, -0x1.6c16c16c15f2ap-10, 0x1.a01a019ddff31p-16,
                           -0x1.27e4f8cef123cp-22, 0x1.1eea66860378ep-29, -0x1.8fe963c7e2a2bp-37);
    return w + (((1 - w) - halved) + (z * z * c - r.hi * r.lo));
}
/* s or c by the parity of the quarter, with the sign of its half */
INLINE double quarter(uint64_t k, double s, double c)
{
    return f64_from(f64_bits(k & 1 ? c : s) ^ (k & 2) << 62);
}
INLINE double sin_of_parts(pair r, double t, double x)
{
    const double y = quarter(f64_bits(t), sin_of_reduced(r), cos_of_reduced(r));
    return x == 0 ? x : y;
}
INLINE double cos_of_parts(pair r, double t)
{
    return quarter(f64_bits(t) + 1, sin_of_reduced(r), cos_of_reduced(r));
}
INLINE double tan_of_parts(pair r, double t, double x)
{
    const double s = sin_of_reduced(r), c = cos_of_reduced(r);
    const bool odd = f64_bits(t) & 1;
    const double y = (odd ? -c : s) / (odd ? s : c);
    return x == 0 ? x : y;
}
INLINE double sin_f64(double x)
{
    double t;
    const pair r = trig_reduced(x, &t);
    return sin_of_parts(r, t, x);
}
INLINE double cos_f64(double x)
{
    double t;
    const pair r = trig_reduced(x, &t);
    return cos_of_parts(r, t);
}
INLINE double tan_f64(double x)
{
    double t;
    const pair r = trig_reduced(x, &t);
    return tan_of_parts(r, t, x);
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
    const double p =
        POLY8(MAD_F64, z, -0x1.b7812aeef4b9fp-1, -0x1.4abbce625be53p+2, 0x1.466bc6775aad9p+1, -0x1.32d2cce62ac24p-1,
              0x1.50783485cc006p-4, -0x1.e3074b502de1fp-8, 0x1.e8eed159ae936p-12, -0x1.6c5b93983c0b1p-16);
    return MAD_F64(r, p, 4 * r);
}
INLINE double cospi_of_reduced(double r)
{
    const double z = r * r;
    return 1 + z * POLY8(MAD_F64, z, -0x1.3bd3cc9be45dep+2, 0x1.03c1f081b5a34p+2, -0x1.55d3c7e3b8a8ep+0, 0x1.e1f506619f819p-3,
                         -0x1.a6d1c789b5d12p-6, 0x1.f99fdfbce35afp-10, -0x1.96cc84820f57ap-14, -0x1.bc3f652f0c265p-16);
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

/* ---- f32 --------------------------------------------------------------------------------------------------------------------
 */

/*
 * As above, with pi/2 in three parts of 24 bits and fma: x - k*PI1 is exact, because both are multiples of 2^-24 and it is
 * below 1, and each step after it is rounded once. Without fma, in f64.
 */
INLINE bool trig_rare_f32(float x)
{
    return abs_f32(x) > 0x1p16f;
}
#if FUSED
INLINE float trig_reduced_f32(float x, float *t)
{
    *t = MAD_F32(x, 0x1.45f306p-1f, INTEGER_F32);
    const float k = *t - INTEGER_F32, r = FMA_F32(k, 0x1.777a5cp-25f, FMA_F32(k, -0x1.921fb6p+0f, x));
    return FMA_F32(k, 0x1.ee59dap-50f, r);
}
#else
INLINE float trig_reduced_f32(float x, float *t)
{
    *t = MAD_F32(x, 0x1.45f306p-1f, INTEGER_F32);
    const float k = *t - INTEGER_F32;
    return (float)(((double)x - (double)k * 0x1.921fb544p+0) - (double)k * 0x1.0b4611a626331p-34);
}
#endif
INLINE float quarter_f32(float r, uint32_t k)
{
    const float z = r * r;
    const float p = POLY3(MAD_F32, z, -0x1.555544p-3f, 0x1.1106bcp-7f, -0x1.991672p-13f);
    const float q = POLY3(MAD_F32, z, 0x1.55554ep-5f, -0x1.6c0e16p-10f, 0x1.9a5ae2p-16f);
    const float s = MAD_F32(r * z, p, r), c = MAD_F32(z, MAD_F32(z, q, -0.5f), 1);
    return f32_from(f32_bits(k & 1 ? c : s) ^ (k & 2) << 30);
}
INLINE float sin_f32(float x)
{
    float t;
    const float r = trig_reduced_f32(x, &t), y = quarter_f32(r, f32_bits(t));
    return x == 0 ? x : y;
}
INLINE float cos_f32(float x)
{
    float t;
    const float r = trig_reduced_f32(x, &t);
    return quarter_f32(r, f32_bits(t) + 1);
}
#endif
