/*
 * float_parts.h - rounding, signs, exponents and neighbours of floats, in forms that every level vectorises.
 *
 * The rounding mode is to nearest even, as everywhere in the library.
 */
#ifndef ASH__FLOAT_PARTS_H
#define ASH__FLOAT_PARTS_H
#include <float.h>
#include <math.h>

#include "backend/cpu/kernels/bits.h"

INLINE uint32_t f32_sign(float x)
{
    return f32_bits(x) & 0x80000000u;
}
INLINE uint64_t f64_sign(double x)
{
    return f64_bits(x) & 0x8000000000000000u;
}
INLINE float abs_f32(float x)
{
    return f32_from(f32_bits(x) & 0x7fffffffu);
}
INLINE double abs_f64(double x)
{
    return f64_from(f64_bits(x) & 0x7fffffffffffffffu);
}
INLINE float copysign_f32(float x, float y)
{
    return f32_from((f32_bits(x) & 0x7fffffffu) | f32_sign(y));
}
INLINE double copysign_f64(double x, double y)
{
    return f64_from((f64_bits(x) & 0x7fffffffffffffffu) | f64_sign(y));
}

/* ---- to integers ------------------------------------------------------------------------------------------------------------
 */

#if !defined(__x86_64__) || defined(__SSE4_1__)
#define DEFINE_ROUNDING(T, F, ROUNDED, RINT, FLOOR, CEIL, TRUNC) \
    INLINE F rint_##T(F x)                                       \
    {                                                            \
        return RINT(x);                                          \
    }                                                            \
    INLINE F floor_##T(F x)                                      \
    {                                                            \
        return FLOOR(x);                                         \
    }                                                            \
    INLINE F ceil_##T(F x)                                       \
    {                                                            \
        return CEIL(x);                                          \
    }                                                            \
    INLINE F trunc_##T(F x)                                      \
    {                                                            \
        return TRUNC(x);                                         \
    }
#else
/* ROUNDED: numbers from here on are integers, and adding it rounds smaller ones to integers. */
#define DEFINE_RINT(T, F, ROUNDED)                           \
    INLINE F rint_##T(F x)                                   \
    {                                                        \
        const F a = abs_##T(x), r = (a + ROUNDED) - ROUNDED; \
        return a < ROUNDED ? copysign_##T(r, x) : x;         \
    }
#define DEFINE_ROUNDING(T, F, ROUNDED, RINT, FLOOR, CEIL, TRUNC) \
    DEFINE_RINT(T, F, ROUNDED)                                   \
    INLINE F floor_##T(F x)                                      \
    {                                                            \
        const F r = rint_##T(x), below = r - 1;                  \
        return r > x ? below : r;                                \
    }                                                            \
    INLINE F ceil_##T(F x)                                       \
    {                                                            \
        const F r = rint_##T(x), above = copysign_##T(r + 1, x); \
        return r < x ? above : r;                                \
    }                                                            \
    INLINE F trunc_##T(F x)                                      \
    {                                                            \
        return copysign_##T(floor_##T(abs_##T(x)), x);           \
    }
#endif
DEFINE_ROUNDING(f32, float, 0x1p23f, rintf, floorf, ceilf, truncf)
DEFINE_ROUNDING(f64, double, 0x1p52, rint, floor, ceil, trunc)

/* Adding the largest number below 0.5, because 0.5 itself would lift that number to 1. */
#define DEFINE_ROUND(T, F, BELOW_HALF)                     \
    INLINE F round_##T(F x)                                \
    {                                                      \
        return trunc_##T(x + copysign_##T(BELOW_HALF, x)); \
    }
DEFINE_ROUND(f32, float, 0x1.fffffep-2f)
DEFINE_ROUND(f64, double, 0x1.fffffffffffffp-2)

/* ---- exponents --------------------------------------------------------------------------------------------------------------
 */

/* 2^k for an integer k from -1022 to 1023, without the conversion to integers that vectors lack: the sum has k in its low bits.
 */
INLINE double power2_f64(double k)
{
    return f64_from((f64_bits(k + 0x1.8p52) + 1023) << 52);
}
INLINE float power2_f32(int32_t k)
{
    return f32_from((uint32_t)(k + 127) << 23);
}

/* x * 2^trunc(y), rounded once: in f64, which holds every exponent met. */
INLINE float ldexp_f32(float x, float y)
{
    const float low = y < -400 ? -400 : y, k = low > 400 ? 400 : low;
    const float result = (float)((double)x * power2_f64((double)trunc_f32(k)));
    return y != y ? y : result;
}
/* One step of at most 2^1023 or at least 2^-969 while the exponent is beyond a normal number. A product that is subnormal after
 * a step down ends as 0 or the smallest subnormal's neighbour whatever its rounding, so nothing is rounded twice. */
INLINE double ldexp_step(double x, double *k)
{
    const double step = *k > 1023 ? 1023 : *k < -1022 ? -969 : 0;
    *k -= step;
    return x * power2_f64(step);
}
INLINE double ldexp_f64(double x, double y)
{
    const double low = y < -3000 ? -3000 : y;
    double k = trunc_f64(low > 3000 ? 3000 : low);
    double r = ldexp_step(x, &k);
    r = ldexp_step(r, &k);
    k = k > 1023 ? 1023 : k < -1022 ? -1022 : k;
    r *= power2_f64(k);
    return y != y ? y : r;
}

INLINE float logb_f32(float x)
{
    const float a = abs_f32(x), normal = a < FLT_MIN ? a * 0x1p24f : a;
    const int32_t e = (int32_t)(f32_bits(normal) >> 23) - (a < FLT_MIN ? 127 + 24 : 127);
    const float finite = a == 0 ? -INFINITY : (float)e;
    return a <= FLT_MAX ? finite : a;
}
INLINE double logb_f64(double x)
{
    const double a = abs_f64(x), normal = a < DBL_MIN ? a * 0x1p54 : a;
    const double e = f64_from(f64_bits(normal) >> 52 | 0x4330000000000000u) - 0x1p52;
    const double finite = a == 0 ? -INFINITY : e - (a < DBL_MIN ? 1023 + 54 : 1023);
    return a <= DBL_MAX ? finite : a;
}

/* ---- neighbours: one up or down in the order of the bits --------------------------------------------------------------------
 */

#define DEFINE_NEXTAFTER(T, F, U)                                                         \
    INLINE F nextafter_##T(F x, F y)                                                      \
    {                                                                                     \
        const U u = T##_bits(x), away = (x < y) == (T##_sign(x) == 0);                    \
        const F next = T##_from(away ? u + 1 : u - 1), first = T##_from(T##_sign(y) | 1); \
        const F moved = x == 0 ? first : next;                                            \
        const F number = x == y ? y : moved;                                              \
        return x != x ? x : y != y ? y : number;                                          \
    }
DEFINE_NEXTAFTER(f32, float, uint32_t)
DEFINE_NEXTAFTER(f64, double, uint64_t)
#endif
