/*
 * convert.c - cvt: forms of those that kernels use most, and one function for all others.
 *
 * PTX ISA, "Data Movement and Conversion: cvt". A float to an integer saturates; NaN gives 0, and from f64 or to 64 bits the
 * number with the highest bit alone. Columns have the width of the type, with 16 bits for 8: the decoder resizes others.
 */
#include "convert.h"

#include <fenv.h>

#define SIZE_OF(NAME, BYTES, SIGNED, REAL) [NUMBER_##NAME] = BYTES,
#define IS_SIGNED(NAME, BYTES, SIGNED, REAL) [NUMBER_##NAME] = SIGNED,
#define IS_REAL(NAME, BYTES, SIGNED, REAL) [NUMBER_##NAME] = REAL,
static const u8 size_of[] = {NUMBERS(SIZE_OF)}, is_signed[] = {NUMBERS(IS_SIGNED)}, is_real[] = {NUMBERS(IS_REAL)};

size_t number_size(number n)
{
    return size_of[n];
}

static u64 cut(u64 bits, size_t nbytes)
{
    return nbytes == 8 ? bits : bits & (((u64)1 << 8 * nbytes) - 1);
}

static s64 extended(u64 bits, size_t nbytes)
{
    return (s64)(bits << (64 - 8 * nbytes)) >> (64 - 8 * nbytes);
}

static f64 real_of(u64 bits, number n)
{
    return n == NUMBER_f16    ? f16_value((u16)bits)
           : n == NUMBER_bf16 ? bf16_value((u16)bits)
           : n == NUMBER_f32  ? (f64)real32((u32)bits)
                              : real64(bits);
}

static u64 least(number n)
{
    return is_signed[n] ? (u64)0 - ((u64)1 << (8 * size_of[n] - 1)) : 0;
}

static u64 most(number n)
{
    return (u64)-1 >> (64 - 8 * size_of[n] + is_signed[n]);
}

static u64 integer_of_real(f64 x, number to, number from)
{
    const f64 end = ldexp(1, 8 * size_of[to] - is_signed[to]);
    if (x != x)
        return from == NUMBER_f64 || size_of[to] == 8 ? (u64)1 << (8 * size_of[to] - 1) : 0;
    if (x >= end)
        return most(to);
    if (is_signed[to])
        return x < -end ? least(to) : (u64)(s64)x;
    return x <= 0 ? 0 : (u64)x;
}

static const int host_mode[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD, FE_TONEAREST};

/* Once, from f64: for f32 by the host's rounding. */
static u64 bits_of_real(f64 x, number to, rounding mode)
{
    if (to == NUMBER_f16)
        return f16_of(x, mode);
    if (to == NUMBER_bf16)
        return bf16_of(x, mode);
    if (to == NUMBER_f64)
        return bits64(x);
    fesetround(host_mode[mode]);
    volatile f32 result = (f32) * (volatile f64 *)&x;
    fesetround(FE_TONEAREST);
    return bits32(nan32(result));
}

static u64 real_of_integer(u64 bits, const conversion *how)
{
    volatile u64 x = bits;
    volatile f32 small;
    volatile f64 large;
    if (size_of[how->to] == 2)
        return bits_of_real(is_signed[how->from] ? (f64)(s64)bits : (f64)bits, how->to, how->mode);
    fesetround(host_mode[how->mode]);
    if (how->to == NUMBER_f32)
        small = is_signed[how->from] ? (f32)(s64)x : (f32)x;
    else
        large = is_signed[how->from] ? (f64)(s64)x : (f64)x;
    fesetround(FE_TONEAREST);
    return how->to == NUMBER_f32 ? bits32(small) : bits64(large);
}

static u64 clamped_integer(u64 bits, const conversion *how)
{
    const s128 x = is_signed[how->from] ? (s128)(s64)bits : (s128)bits;
    const s128 low = is_signed[how->to] ? (s128)(s64)least(how->to) : 0, high = (s128)most(how->to);
    return (u64)(x < low ? low : x > high ? high : x);
}

static f64 limited(f64 x, const conversion *how)
{
    const f64 largest = how->to == NUMBER_f16 ? 65504 : how->to == NUMBER_bf16 ? 0x1.fep127 : 0x1.fffffep127;
    if (how->saturate)
        x = SATURATED(x);
    if (how->relu)
        x = x != x ? x : x > 0 ? x : 0;
    if (how->finite && x == x)
        x = fmin(fmax(x, -largest), largest);
    return x;
}

u64 convert_bits(const conversion *how, u64 bits)
{
    const size_t wide = size_of[how->to];
    bits = cut(bits, size_of[how->from]);
    if (!is_real[how->from]) {
        if (is_signed[how->from])
            bits = (u64)extended(bits, size_of[how->from]);
        return cut(is_real[how->to] ? real_of_integer(bits, how) : how->saturate ? clamped_integer(bits, how) : bits, wide);
    }
    if (how->flush && how->from == NUMBER_f32)
        bits = bits32(flushed(real32((u32)bits)));
    const f64 x = real_of(bits, how->from);
    if (!is_real[how->to])
        return cut(integer_of_real(integral(x, how->mode), how->to, how->from), wide);
    const f64 kept = limited(how->to_integral ? integral(x, how->mode) : x, how);
    const u64 result = bits_of_real(kept, how->to, how->to_integral ? TO_NEAREST : how->mode);
    return how->flush && how->to == NUMBER_f32 ? bits32(flushed(real32((u32)result))) : result;
}

static u64 column_lane(const void *column, size_t width, int lane)
{
    return width == 8 ? ((const u64 *)column)[lane] : width == 4 ? ((const u32 *)column)[lane] : ((const u16 *)column)[lane];
}

/* 8 bits fill their column as their type says. */
void convert_any(void *d, const void *x, const void *y, const void *z, const void *w, unsigned active)
{
    const conversion *const how = w;
    const size_t from = size_of[how->from] == 1 ? 2 : size_of[how->from], to = size_of[how->to] == 1 ? 2 : size_of[how->to];
    (void)y, (void)z;
    for (int l = 0; l < LANES; l++) {
        if (!(active >> l & 1))
            continue;
        const u64 r = convert_bits(how, column_lane(x, from, l));
        if (to == 8)
            ((u64 *)d)[l] = r;
        else if (to == 4)
            ((u32 *)d)[l] = (u32)r;
        else
            ((u16 *)d)[l] = (u16)(how->to == NUMBER_s8 ? (u64)(s64)(s8)r : r);
    }
}

void convert_pair(void *d, const void *x, const void *y, const void *z, const void *w, unsigned active)
{
    (void)z;
    for (int l = 0; l < LANES; l++)
        if (active >> l & 1)
            ((u32 *)d)[l] = (u32)(convert_bits(w, ((const u32 *)x)[l]) << 16 | convert_bits(w, ((const u32 *)y)[l]));
}

void convert_tf32(void *d, const void *x, const void *y, const void *z, const void *w, unsigned active)
{
    const conversion *const how = w;
    (void)y, (void)z;
    for (int l = 0; l < LANES; l++)
        if (active >> l & 1)
            ((f32 *)d)[l] = tf32_of(((const f32 *)x)[l], how->mode);
}

/* ---- forms */

/* D: the type, DC: the type of its column */
#define TO(X, D, DC, S, SC) X##1(cvt_##D##_##S, "cvt." #D "." #S, DC, SC, (D)(S)x)
/* clang-format off */
#define TO_INTEGERS(X, S, SC)                                              \
    TO(X, u8, u16, S, SC)                                                  \
    TO(X, s8, s16, S, SC)                                                  \
    TO(X, u16, u16, S, SC)                                                 \
    TO(X, s16, s16, S, SC)                                                 \
    TO(X, u32, u32, S, SC)                                                 \
    TO(X, s32, s32, S, SC)                                                 \
    TO(X, u64, u64, S, SC)                                                 \
    TO(X, s64, s64, S, SC)                                                 \
    X##1(cvt_f32_##S, "cvt.rn.f32." #S, f32, SC, (f32)(S)x)                \
    X##1(cvt_f64_##S, "cvt.rn.f64." #S " cvt.f64." #S, f64, SC, (f64)(S)x)

#define INTEGRAL(X, F, SUFFIX, NAN_OF)                                      \
    X##1(cvt_rni_##F, "cvt.rni." #F "." #F, F, F, NAN_OF(rint##SUFFIX(x)))  \
    X##1(cvt_rzi_##F, "cvt.rzi." #F "." #F, F, F, NAN_OF(trunc##SUFFIX(x))) \
    X##1(cvt_rmi_##F, "cvt.rmi." #F "." #F, F, F, NAN_OF(floor##SUFFIX(x))) \
    X##1(cvt_rpi_##F, "cvt.rpi." #F "." #F, F, F, NAN_OF(ceil##SUFFIX(x)))

/* Within the range of s32 alone, and otherwise the end that it passes. */
#define WITHIN32(X, NAN_GIVES) ((X) >= 0x1p31f ? INT32_MAX : (X) < -0x1p31f ? INT32_MIN : (X) == (X) ? (s32)(X) : (NAN_GIVES))

#define LIST(X)                                                                       \
    TO_INTEGERS(X, u8, u16)                                                           \
    TO_INTEGERS(X, s8, s16)                                                           \
    TO_INTEGERS(X, u16, u16)                                                          \
    TO_INTEGERS(X, s16, s16)                                                          \
    TO_INTEGERS(X, u32, u32)                                                          \
    TO_INTEGERS(X, s32, s32)                                                          \
    TO_INTEGERS(X, u64, u64)                                                          \
    TO_INTEGERS(X, s64, s64)                                                          \
    INTEGRAL(X, f32, f, nan32)                                                        \
    INTEGRAL(X, f64, , AS_IS)                                                         \
    X##1(cvt_f64_f32, "cvt.f64.f32", f64, f32, x)                                     \
    X##1(cvt_f32_f64, "cvt.rn.f32.f64", f32, f64, nan32((f32)x))                      \
    X##1(cvt_rzi_s32_f32, "cvt.rzi.s32.f32", s32, f32, WITHIN32(x, 0))                \
    X##1(cvt_rzi_s32_f64, "cvt.rzi.s32.f64", s32, f64, WITHIN32(trunc(x), INT32_MIN)) \
    X##1(cvt_f32_f16, "cvt.f32.f16", f32, u16, nan32((f32)f16_value(x)))              \
    X##1(cvt_f32_bf16, "cvt.f32.bf16", f32, u16, nan32((f32)bf16_value(x)))           \
    X##1(resize_16_32, "~resize.16.32", u16, u32, x)                                  \
    X##1(resize_16_64, "~resize.16.64", u16, u64, x)                                  \
    X##1(resize_32_64, "~resize.32.64", u32, u64, x)                                  \
    X##1(resize_u32_16, "~resize.u32.16", u32, u16, x)                                \
    X##1(resize_s32_16, "~resize.s32.16", s32, s16, x)                                \
    X##1(resize_u64_16, "~resize.u64.16", u64, u16, x)                                \
    X##1(resize_s64_16, "~resize.s64.16", s64, s16, x)                                \
    X##1(resize_u64_32, "~resize.u64.32", u64, u32, x)                                \
    X##1(resize_s64_32, "~resize.s64.32", s64, s32, x)
/* clang-format on */

DEFINE_FORMS(convert_forms, LIST)
