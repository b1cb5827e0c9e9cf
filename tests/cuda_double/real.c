/*
 * real.c - forms of floating-point arithmetic to nearest even, extrema, signs, and the approximations.
 *
 * PTX ISA, chapter "Floating-Point Instructions". An approximation gives here what is nearest to the exact result: within the
 * bounds of the manual, but not the bits of a device, of which no test may hold.
 */
#include "real.h"

static inline f32 min32(f32 x, f32 y)
{
    const f32 least = x < y || y != y ? x : y;
    return nan32(x == y ? real32(bits32(x) | bits32(y)) : least);
}

static inline f32 max32(f32 x, f32 y)
{
    const f32 most = x > y || y != y ? x : y;
    return nan32(x == y ? real32(bits32(x) & bits32(y)) : most);
}

static inline f64 min64(f64 x, f64 y)
{
    const f64 least = x < y || y != y ? x : y;
    return x == y ? real64(bits64(x) | bits64(y)) : least;
}

static inline f64 max64(f64 x, f64 y)
{
    const f64 most = x > y || y != y ? x : y;
    return x == y ? real64(bits64(x) & bits64(y)) : most;
}

#define EITHER_NAN(F, X, Y) ((X) != (X) || (Y) != (Y) ? real32(0x7fffffff) : F(X, Y))
#define SIGN_XOR(F, X, Y) real32((bits32(F(fabsf(X), fabsf(Y))) & 0x7fffffff) | ((bits32(X) ^ bits32(Y)) & 0x80000000))

/* The high half of a number of f64 alone is read and written, and subnormal numbers are 0. */
static f64 high_half(f64 x)
{
    const f64 kept = real64(bits64(x) & 0xffffffff00000000u);
    return fabs(kept) < 0x1p-1022 ? copysign(0, kept) : kept;
}

static f64 nearest_half(f64 x)
{
    return x == x && fabs(x) <= 0x1.fffffp1023 ? high_half(real64(bits64(x) + 0x80000000u)) : x;
}

/* clang-format off */
/* TEXT: what follows the name; IN, OUT: what is done to operands and results */
#define ARITHMETIC32(X, TAG, TEXT, IN, OUT)                                                                  \
    X##2(add_##TAG, "add.rn" TEXT " add" TEXT, f32, f32, f32, nan32(OUT(IN(x) + IN(y))))                     \
    X##2(sub_##TAG, "sub.rn" TEXT " sub" TEXT, f32, f32, f32, nan32(OUT(IN(x) - IN(y))))                     \
    X##2(mul_##TAG, "mul.rn" TEXT " mul" TEXT, f32, f32, f32, nan32(OUT(IN(x) * IN(y))))                     \
    X##3(fma_##TAG, "fma.rn" TEXT " mad.rn" TEXT, f32, f32, f32, f32, nan32(OUT(fmaf(IN(x), IN(y), IN(z)))))

#define OTHERS32(X, TAG, TEXT, F)                                                                    \
    X##2(div_##TAG, "div.rn" TEXT, f32, f32, f32, nan32(F(F(x) / F(y))))                             \
    X##1(sqrt_##TAG, "sqrt.rn" TEXT, f32, f32, nan32(sqrtf(F(x))))                                   \
    X##1(rcp_##TAG, "rcp.rn" TEXT, f32, f32, nan32(F(1 / F(x))))                                     \
    X##2(min_##TAG, "min" TEXT, f32, f32, f32, min32(F(x), F(y)))                                    \
    X##2(max_##TAG, "max" TEXT, f32, f32, f32, max32(F(x), F(y)))                                    \
    X##3(min3_##TAG, "min3" TEXT, f32, f32, f32, f32, min32(min32(F(x), F(y)), F(z)))                \
    X##3(max3_##TAG, "max3" TEXT, f32, f32, f32, f32, max32(max32(F(x), F(y)), F(z)))                \
    X##1(neg_##TAG, "neg" TEXT, f32, f32, -F(x))                                                     \
    X##1(abs_##TAG, "abs" TEXT, f32, f32, fabsf(F(x)))                                               \
    X##2(div_approx_##TAG, "div.approx" TEXT " div.full" TEXT, f32, f32, f32, nan32(F(F(x) / F(y)))) \
    X##1(rcp_approx_##TAG, "rcp.approx" TEXT, f32, f32, nan32(F(1 / F(x))))                          \
    X##1(sqrt_approx_##TAG, "sqrt.approx" TEXT, f32, f32, nan32(sqrtf(F(x))))                        \
    X##1(rsqrt_approx_##TAG, "rsqrt.approx" TEXT, f32, f32, nan32((f32)(1 / sqrt(F(x)))))            \
    X##1(ex2_approx_##TAG, "ex2.approx" TEXT, f32, f32, nan32(F((f32)exp2((f64)F(x)))))              \
    X##1(lg2_approx_##TAG, "lg2.approx" TEXT, f32, f32, nan32((f32)log2((f64)F(x))))                 \
    X##1(sin_approx_##TAG, "sin.approx" TEXT, f32, f32, nan32(F((f32)sin((f64)F(x)))))               \
    X##1(cos_approx_##TAG, "cos.approx" TEXT, f32, f32, nan32((f32)cos((f64)F(x))))

#define NAN_AND_SIGN(X, TAG, TEXT, F)                                                                  \
    X##2(min_nan_##TAG, "min" TEXT ".NaN.f32", f32, f32, f32, EITHER_NAN(min32, F(x), F(y)))           \
    X##2(max_nan_##TAG, "max" TEXT ".NaN.f32", f32, f32, f32, EITHER_NAN(max32, F(x), F(y)))           \
    X##2(min_xorsign_##TAG, "min" TEXT ".xorsign.abs.f32", f32, f32, f32, SIGN_XOR(min32, F(x), F(y))) \
    X##2(max_xorsign_##TAG, "max" TEXT ".xorsign.abs.f32", f32, f32, f32, SIGN_XOR(max32, F(x), F(y)))

#define ARITHMETIC64(X)                                                                                \
    X##2(add_f64, "add.rn.f64 add.f64", f64, f64, f64, x + y)                                          \
    X##2(sub_f64, "sub.rn.f64 sub.f64", f64, f64, f64, x - y)                                          \
    X##2(mul_f64, "mul.rn.f64 mul.f64", f64, f64, f64, x * y)                                          \
    X##3(fma_f64, "fma.rn.f64 mad.rn.f64", f64, f64, f64, f64, fma(x, y, z))                           \
    X##2(div_f64, "div.rn.f64", f64, f64, f64, x / y)                                                  \
    X##1(sqrt_f64, "sqrt.rn.f64", f64, f64, sqrt(x))                                                   \
    X##1(rcp_f64, "rcp.rn.f64", f64, f64, 1 / x)                                                       \
    X##2(min_f64, "min.f64", f64, f64, f64, min64(x, y))                                               \
    X##2(max_f64, "max.f64", f64, f64, f64, max64(x, y))                                               \
    X##1(neg_f64, "neg.f64", f64, f64, -x)                                                             \
    X##1(abs_f64, "abs.f64", f64, f64, fabs(x))                                                        \
    X##1(rcp_approx_f64, "rcp.approx.ftz.f64", f64, f64, nearest_half(1 / high_half(x)))               \
    X##1(rsqrt_approx_ftz_f64, "rsqrt.approx.ftz.f64", f64, f64, nearest_half(1 / sqrt(high_half(x)))) \
    X##1(rsqrt_approx_f64, "rsqrt.approx.f64", f64, f64, 1 / sqrt(x))

/* The sign is that of the first operand. */
#define OF_BOTH(X, F, SUFFIX, LEAST)                                                                    \
    X##2(copysign_##F, "copysign." #F, F, F, F, copysign##SUFFIX(y, x))                                 \
    X##1P(finite_##F, "testp.finite." #F, F, fabs##SUFFIX(x) < (F)INFINITY)                             \
    X##1P(infinite_##F, "testp.infinite." #F, F, fabs##SUFFIX(x) == (F)INFINITY)                        \
    X##1P(number_##F, "testp.number." #F, F, x == x)                                                    \
    X##1P(nan_##F, "testp.notanumber." #F, F, x != x)                                                   \
    X##1P(normal_##F, "testp.normal." #F, F, fabs##SUFFIX(x) >= LEAST && fabs##SUFFIX(x) < (F)INFINITY) \
    X##1P(subnormal_##F, "testp.subnormal." #F, F, fabs##SUFFIX(x) < LEAST && x != 0)

#define LIST(X)                                                                  \
    ARITHMETIC32(X, f32, ".f32", AS_IS, AS_IS)                                   \
    ARITHMETIC32(X, ftz_f32, ".ftz.f32", flushed, flushed)                       \
    ARITHMETIC32(X, sat_f32, ".sat.f32", AS_IS, SATURATED)                       \
    ARITHMETIC32(X, ftz_sat_f32, ".ftz.sat.f32", flushed, FLUSHED_SATURATED)     \
    OTHERS32(X, f32, ".f32", AS_IS)                                              \
    OTHERS32(X, ftz_f32, ".ftz.f32", flushed)                                    \
    NAN_AND_SIGN(X, f32, "", AS_IS)                                              \
    NAN_AND_SIGN(X, ftz_f32, ".ftz", flushed)                                    \
    X##1(tanh_approx_f32, "tanh.approx.f32", f32, f32, nan32((f32)tanh((f64)x))) \
    ARITHMETIC64(X)                                                              \
    OF_BOTH(X, f32, f, 0x1p-126f)                                                \
    OF_BOTH(X, f64, , 0x1p-1022)
/* clang-format on */

DEFINE_FORMS(real_forms, LIST)
