/*
 * math_base.h - what the elementary functions share: polynomials, sums and products without error, powers of two.
 *
 * The functions of math_*.h are branch free, so that loops over them become vector code: every case is computed and selected
 * at the end, and what C leaves undefined (shifts, conversions out of range) is avoided in all of them. Integers in f64 lanes
 * are handled as the low bits of a float, because below AVX-512 vectors have no conversions of 64-bit numbers. Their accuracy
 * is in docs/accuracy.md; the polynomials come from tests/reference/polynomials.py.
 *
 * They are kernel text of GPU devices, too (src/backend/gpu/library.c): no name is a word of OpenCL C, such as half. Functions
 * whose name ends in _rare say for which arguments the branch-free form is not meant; a loop gives those to libm.
 */
#ifndef ASH__MATH_BASE_H
#define ASH__MATH_BASE_H
#include "backend/cpu/kernels/float_parts.h"

/* a*b + c where a second rounding does no harm. */
#if FUSED
#define MAD_F32(a, b, c) FMA_F32(a, b, c)
#define MAD_F64(a, b, c) FMA_F64(a, b, c)
#else
#define MAD_F32(a, b, c) ((a) * (b) + (c))
#define MAD_F64(a, b, c) ((a) * (b) + (c))
#endif

/* Polynomials by Horner's rule, lowest coefficient first; MAD is MAD_F32 or MAD_F64. */
#define POLY2(MAD, t, a, b) MAD(b, t, a)
#define POLY3(MAD, t, a, ...) MAD(POLY2(MAD, t, __VA_ARGS__), t, a)
#define POLY4(MAD, t, a, ...) MAD(POLY3(MAD, t, __VA_ARGS__), t, a)
#define POLY5(MAD, t, a, ...) MAD(POLY4(MAD, t, __VA_ARGS__), t, a)
#define POLY6(MAD, t, a, ...) MAD(POLY5(MAD, t, __VA_ARGS__), t, a)
#define POLY7(MAD, t, a, ...) MAD(POLY6(MAD, t, __VA_ARGS__), t, a)
#define POLY8(MAD, t, a, ...) MAD(POLY7(MAD, t, __VA_ARGS__), t, a)
#define POLY9(MAD, t, a, ...) MAD(POLY8(MAD, t, __VA_ARGS__), t, a)
#define POLY10(MAD, t, a, ...) MAD(POLY9(MAD, t, __VA_ARGS__), t, a)
#define POLY11(MAD, t, a, ...) MAD(POLY10(MAD, t, __VA_ARGS__), t, a)
#define POLY12(MAD, t, a, ...) MAD(POLY11(MAD, t, __VA_ARGS__), t, a)
#define POLY13(MAD, t, a, ...) MAD(POLY12(MAD, t, __VA_ARGS__), t, a)
#define POLY14(MAD, t, a, ...) MAD(POLY13(MAD, t, __VA_ARGS__), t, a)
#define POLY15(MAD, t, a, ...) MAD(POLY14(MAD, t, __VA_ARGS__), t, a)
#define POLY16(MAD, t, a, ...) MAD(POLY15(MAD, t, __VA_ARGS__), t, a)
#define POLY17(MAD, t, a, ...) MAD(POLY16(MAD, t, __VA_ARGS__), t, a)
#define POLY18(MAD, t, a, ...) MAD(POLY17(MAD, t, __VA_ARGS__), t, a)
#define POLY19(MAD, t, a, ...) MAD(POLY18(MAD, t, __VA_ARGS__), t, a)
#define POLY20(MAD, t, a, ...) MAD(POLY19(MAD, t, __VA_ARGS__), t, a)
#define POLY21(MAD, t, a, ...) MAD(POLY20(MAD, t, __VA_ARGS__), t, a)
#define POLY22(MAD, t, a, ...) MAD(POLY21(MAD, t, __VA_ARGS__), t, a)
#define POLY23(MAD, t, a, ...) MAD(POLY22(MAD, t, __VA_ARGS__), t, a)

#define LN2_F64 0x1.62e42fefa39efp-1
#define LN2_HI 0x1.62e42ffp-1 /* 28 bits: a product with an exponent is exact */
#define LN2_LO -0x1.718432a1b0e26p-35
#define LOG2E_F64 0x1.71547652b82fep+0
#define PI_HI 0x1.921fb54442d18p+1
#define PI_LO 0x1.1a62633145c07p-53

/* ---- numbers in two parts: hi + lo, |lo| at most half the last place of hi ------------------------------------------------
 */

typedef struct pair {
    double hi, lo;
} pair;
INLINE pair pair_of(double hi, double lo)
{
    const pair p = {hi, lo};
    return p;
}

/* Sums without error (Knuth; Dekker's when |a| >= |b|). */
INLINE pair two_sum(double a, double b)
{
    const double s = a + b, v = s - a;
    return pair_of(s, (a - (s - v)) + (b - v));
}
INLINE pair fast_two_sum(double a, double b)
{
    const double s = a + b;
    return pair_of(s, b - (s - a));
}
/* The upper 21 bits of the fraction: a product of two such numbers is exact. */
INLINE double upper_half(double x)
{
    return f64_from(f64_bits(x) & 0xffffffff00000000u);
}
/* A product without error, when nothing overflows or underflows: by fma, or by Dekker's halves. */
#if FUSED
INLINE pair two_product(double a, double b)
{
    const double p = a * b;
    return pair_of(p, FMA_F64(a, b, -p));
}
#else
INLINE pair two_product(double a, double b)
{
    const double p = a * b;
    const double ta = 0x1.0000002p27 * a, tb = 0x1.0000002p27 * b;
    const double ah = ta - (ta - a), bh = tb - (tb - b), al = a - ah, bl = b - bh;
    return pair_of(p, ((ah * bh - p) + ah * bl + al * bh) + al * bl);
}
#endif

/* ---- exponents as integers in the low bits of a float -------------------------------------------------------------------- */

#define INTEGER_F64 0x1.8p52 /* t = x + INTEGER_F64 has the integer nearest to x in its low bits */
#define INTEGER_F32 0x1.8p23f

/* y * 2^k, k the low bits of t, |k| < 2048: in two factors, so that neither overflows and a subnormal is rounded once. The
 * shift is unsigned, with an offset: arithmetic ones on 64 bits are not vectorised below AVX-512. */
INLINE double scaled_f64(double y, double t)
{
    const uint64_t k = f64_bits(t) - f64_bits(INTEGER_F64), first = ((k + 4096) >> 1) - 2048;
    return y * f64_from((first + 1023) << 52) * f64_from((k - first + 1023) << 52);
}
INLINE float scaled_f32(float y, float t)
{
    const uint32_t k = f32_bits(t) - f32_bits(INTEGER_F32), first = ((k + 512) >> 1) - 256;
    return y * f32_from((first + 127) << 23) * f32_from((k - first + 127) << 23);
}
#endif
