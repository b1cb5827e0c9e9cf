/*
 * half.c - rounding to f16, bf16 and tf32, and forms of arithmetic with f16 and bf16.
 *
 * A result of one operation is exact in f64, or rounded there so much finer that rounding once more is what one rounding gives
 * (sums, products and fused products of numbers of 11 bits within the range of f16; bf16: of numbers not 2^40 apart).
 */
#include "half.h"

f64 integral(f64 x, rounding mode)
{
    switch (mode) {
    case TO_ZERO:
        return trunc(x);
    case DOWN:
        return floor(x);
    case UP:
        return ceil(x);
    case TO_NEAREST_AWAY:
        return round(x);
    default:
        return rint(x);
    }
}

/* x with `places` bits behind the first, its last place not below 2^least. */
static f64 shortened(f64 x, int places, int least, rounding mode)
{
    int exponent;
    if (x == 0 || x != x || isinf(x))
        return x;
    frexp(x, &exponent);
    const int last = exponent - 1 - places > least ? exponent - 1 - places : least;
    return ldexp(integral(ldexp(x, -last), mode), last);
}

static int stays_finite(f64 x, rounding mode) /* what is too large, rounded towards zero */
{
    return mode == TO_ZERO || (mode == DOWN && x > 0) || (mode == UP && x < 0);
}

u16 f16_of(f64 x, rounding mode)
{
    const u16 sign = signbit(x) ? 0x8000 : 0;
    const f64 size = fabs(shortened(x, 10, -24, mode));
    int exponent;
    if (x != x)
        return 0x7fff;
    if (size >= 65520)
        return sign | (!isinf(x) && stays_finite(x, mode) ? 0x7bff : 0x7c00);
    if (size > 65504)
        return sign | 0x7c00;
    if (size < 0x1p-14)
        return sign | (u16)ldexp(size, 24);
    const f64 fraction = frexp(size, &exponent); /* in [1/2, 1) */
    return (u16)(sign | ((exponent + 14) << 10) | ((int)ldexp(fraction, 11) & 1023));
}

u16 bf16_of(f64 x, rounding mode)
{
    const u16 sign = signbit(x) ? 0x8000 : 0;
    const f64 size = fabs(shortened(x, 7, -133, mode));
    if (x != x)
        return 0x7fff;
    if (size >= 0x1p128)
        return sign | (!isinf(x) && stays_finite(x, mode) ? 0x7f7f : 0x7f80);
    return sign | (u16)(bits32((f32)size) >> 16);
}

f32 tf32_of(f32 x, rounding mode)
{
    return nan32((f32)shortened(x, 10, -136, mode));
}

static f64 least_of(f64 x, f64 y)
{
    return x == y ? (signbit(x) ? x : y) : x < y || y != y ? x : y;
}

static f64 most_of(f64 x, f64 y)
{
    return x == y ? (signbit(x) ? y : x) : x > y || y != y ? x : y;
}

#define ADDED(X, Y) ((X) + (Y))
#define SUBTRACTED(X, Y) ((X) - (Y))
#define MULTIPLIED(X, Y) ((X) * (Y))

#define ONE(F, OP, X, Y) F##_of(OP(F##_value((u16)(X)), F##_value((u16)(Y))), TO_NEAREST)
#define TWO(F, OP) ((u32)ONE(F, OP, x, y) | (u32)ONE(F, OP, x >> 16, y >> 16) << 16)
#define FUSED(F, X, Y, Z) F##_of(fma(F##_value((u16)(X)), F##_value((u16)(Y)), F##_value((u16)(Z))), TO_NEAREST)

/* clang-format off */
#define BINARY(X, F, NAME, OP, TEXT, TEXT2)                 \
    X##2(NAME##_##F, TEXT, u16, u16, u16, ONE(F, OP, x, y)) \
    X##2(NAME##_##F##x2, TEXT2, u32, u32, u32, TWO(F, OP))

#define COMPARISON(X, F, OP, C, UNORDERED)        \
    X##2P(OP##_##F, "setp." #OP "." #F, u16, u16, \
          F##_value(x) C F##_value(y) || (UNORDERED && (F##_value(x) != F##_value(x) || F##_value(y) != F##_value(y))))

#define TYPES(X, F)                                                                        \
    BINARY(X, F, add, ADDED, "add.rn." #F " add." #F, "add.rn." #F "x2 add." #F "x2")      \
    BINARY(X, F, sub, SUBTRACTED, "sub.rn." #F " sub." #F, "sub.rn." #F "x2 sub." #F "x2") \
    BINARY(X, F, mul, MULTIPLIED, "mul.rn." #F " mul." #F, "mul.rn." #F "x2 mul." #F "x2") \
    BINARY(X, F, min, least_of, "min." #F, "min." #F "x2")                                 \
    BINARY(X, F, max, most_of, "max." #F, "max." #F "x2")                                  \
    X##3(fma_##F, "fma.rn." #F, u16, u16, u16, u16, FUSED(F, x, y, z))                     \
    X##3(fma_##F##x2, "fma.rn." #F "x2", u32, u32, u32, u32,                               \
        (u32)FUSED(F, x, y, z) | (u32)FUSED(F, x >> 16, y >> 16, z >> 16) << 16)           \
    X##1(neg_##F, "neg." #F, u16, u16, x ^ 0x8000)                                         \
    X##1(neg_##F##x2, "neg." #F "x2", u32, u32, x ^ 0x80008000u)                           \
    X##1(abs_##F, "abs." #F, u16, u16, x & 0x7fff)                                         \
    X##1(abs_##F##x2, "abs." #F "x2", u32, u32, x & 0x7fff7fffu)                           \
    COMPARISON(X, F, eq, ==, 0)                                                            \
    COMPARISON(X, F, lt, <, 0)                                                             \
    COMPARISON(X, F, le, <=, 0)                                                            \
    COMPARISON(X, F, gt, >, 0)                                                             \
    COMPARISON(X, F, ge, >=, 0)                                                            \
    COMPARISON(X, F, neu, !=, 0)                                                           \
    COMPARISON(X, F, equ, ==, 1)                                                           \
    COMPARISON(X, F, ltu, <, 1)                                                            \
    COMPARISON(X, F, leu, <=, 1)                                                           \
    COMPARISON(X, F, gtu, >, 1)                                                            \
    COMPARISON(X, F, geu, >=, 1)

#define LIST(X)    \
    TYPES(X, f16)  \
    TYPES(X, bf16)
/* clang-format on */

DEFINE_FORMS(half_forms, LIST)
