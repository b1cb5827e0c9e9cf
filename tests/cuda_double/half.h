/*
 * half.h - f16 and bf16 (and tf32, which is f32 with 10 bits behind the point): values by way of f64, which holds them exactly.
 */
#ifndef DOUBLE_HALF_H
#define DOUBLE_HALF_H
#include "real.h"

typedef enum { TO_NEAREST, TO_ZERO, DOWN, UP, TO_NEAREST_AWAY } rounding;

static inline f64 f16_value(u16 h)
{
    const int exponent = h >> 10 & 31, fraction = h & 1023;
    if (exponent == 31)
        return fraction ? NAN : h >> 15 ? -INFINITY : INFINITY;
    const f64 size = exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24);
    return h >> 15 ? -size : size;
}

static inline f64 bf16_value(u16 h)
{
    return (f64)real32((u32)h << 16);
}

f64 integral(f64 x, rounding mode);
u16 f16_of(f64 x, rounding mode);
u16 bf16_of(f64 x, rounding mode);
f32 tf32_of(f32 x, rounding mode);
#endif
