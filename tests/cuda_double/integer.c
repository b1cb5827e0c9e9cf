/*
 * integer.c - forms of integer arithmetic (PTX ISA, chapters "Integer Arithmetic" and "Extended-Precision Integer").
 *
 * What wraps is compiled to wrap (-fwrapv). A division by 0 gives all ones, as devices do; the manual leaves it unspecified.
 */
#include "lanes.h"

#define MIN(X, Y) ((X) < (Y) ? (X) : (Y))
#define MAX(X, Y) ((X) > (Y) ? (X) : (Y))
#define CLAMPED32(X) ((X) < INT32_MIN ? INT32_MIN : (X) > INT32_MAX ? INT32_MAX : (X))

/* clang-format off */
/* B bits, W of a product */
#define ONE_WIDTH(X, B, W)                                                                                    \
    X##2(add_##B, "add.u" #B " add.s" #B, u##B, u##B, u##B, x + y)                                            \
    X##2(sub_##B, "sub.u" #B " sub.s" #B, u##B, u##B, u##B, x - y)                                            \
    X##2(mul_##B, "mul.lo.u" #B " mul.lo.s" #B, u##B, u##B, u##B, (u64)x * y)                                 \
    X##2(mul_hi_u##B, "mul.hi.u" #B, u##B, u##B, u##B, (u##W)((u##W)x * y) >> B)                              \
    X##2(mul_hi_s##B, "mul.hi.s" #B, s##B, s##B, s##B, (s##W)((s##W)x * y) >> B)                              \
    X##3(mad_##B, "mad.lo.u" #B " mad.lo.s" #B, u##B, u##B, u##B, u##B, (u64)x * y + z)                       \
    X##3(mad_hi_u##B, "mad.hi.u" #B, u##B, u##B, u##B, u##B, ((u##W)((u##W)x * y) >> B) + z)                  \
    X##3(mad_hi_s##B, "mad.hi.s" #B, s##B, s##B, s##B, s##B, ((s##W)((s##W)x * y) >> B) + z)                  \
    X##3(sad_u##B, "sad.u" #B, u##B, u##B, u##B, u##B, z + (x < y ? y - x : x - y))                           \
    X##3(sad_s##B, "sad.s" #B, u##B, s##B, s##B, u##B, z + (x < y ? (u##B)y - (u##B)x : (u##B)x - (u##B)y))   \
    X##2(div_u##B, "div.u" #B, u##B, u##B, u##B, y ? x / y : (u##B) - 1)                                      \
    X##2(div_s##B, "div.s" #B, s##B, s##B, s##B, y == 0    ? (s##B) - 1 : y == -1 ? (s##B) - (u##B)x : x / y) \
    X##2(rem_u##B, "rem.u" #B, u##B, u##B, u##B, y ? x % y : x)                                               \
    X##2(rem_s##B, "rem.s" #B, s##B, s##B, s##B, y == 0    ? x : y == -1 ? 0 : x % y)                         \
    X##1(abs_##B, "abs.s" #B, s##B, s##B, x < 0 ? -x : x)                                                     \
    X##1(neg_##B, "neg.s" #B, s##B, s##B, -x)                                                                 \
    X##2(min_u##B, "min.u" #B, u##B, u##B, u##B, MIN(x, y))                                                   \
    X##2(min_s##B, "min.s" #B, s##B, s##B, s##B, MIN(x, y))                                                   \
    X##2(max_u##B, "max.u" #B, u##B, u##B, u##B, MAX(x, y))                                                   \
    X##2(max_s##B, "max.s" #B, s##B, s##B, s##B, MAX(x, y))

#define WIDENING(X, B, W)                                                         \
    X##2(mul_wide_u##B, "mul.wide.u" #B, u##W, u##B, u##B, (u##W)x * y)           \
    X##2(mul_wide_s##B, "mul.wide.s" #B, s##W, s##B, s##B, (s##W)x * y)           \
    X##3(mad_wide_u##B, "mad.wide.u" #B, u##W, u##B, u##B, u##W, (u##W)x * y + z) \
    X##3(mad_wide_s##B, "mad.wide.s" #B, s##W, s##B, s##B, s##W, (s##W)x * y + z)

/* The carry is a predicate of its own: the decoder writes add.cc as carry_out and add. A borrow is its complement nowhere:
 * sub.cc sets it where it borrows. */
#define CARRYING(X, B)                                                                                     \
    X##3(addc_##B, "~addc." #B, u##B, u##B, u##B, pred, x + y + z)                                         \
    X##3P(addc_carry_##B, "~addc.carry." #B, u##B, u##B, pred, (u##B)(x + y) < x || (u##B)(x + y + z) < z) \
    X##3(subc_##B, "~subc." #B, u##B, u##B, u##B, pred, x - y - z)                                         \
    X##3P(subc_carry_##B, "~subc.carry." #B, u##B, u##B, pred, x < y || (x == y && z))

#define SATURATING(X)                                                                           \
    X##2(add_sat, "add.sat.s32", s32, s32, s32, CLAMPED32((s64)x + y))                          \
    X##2(sub_sat, "sub.sat.s32", s32, s32, s32, CLAMPED32((s64)x - y))                          \
    X##3(mad_hi_sat, "mad.hi.sat.s32", s32, s32, s32, s32, CLAMPED32(((s64)x * y >> 32) + z))   \
    X##2(mul24_u32, "mul24.lo.u32", u32, u32, u32, (x & 0xffffff) * (y & 0xffffff))             \
    X##2(mul24_s32, "mul24.lo.s32", s32, s32, s32, (s32)(x << 8) / 256 * ((s32)(y << 8) / 256))

#define BYTE(TYPE, X, K) ((s64)(TYPE)((X) >> 8 * (K)))
#define HALF(TYPE, X, K) ((s64)(TYPE)((X) >> 16 * (K)))
#define DOT4(A, B)                                                                                   \
    (BYTE(A, x, 0) * BYTE(B, y, 0) + BYTE(A, x, 1) * BYTE(B, y, 1) + BYTE(A, x, 2) * BYTE(B, y, 2) + \
     BYTE(A, x, 3) * BYTE(B, y, 3))
#define DOT2(A, B, K) (HALF(A, x, 0) * BYTE(B, y, K) + HALF(A, x, 1) * BYTE(B, y, K + 1))
#define DOTS(X, A, AB, AH, B, BB)                                                               \
    X##3(dp4a_##A##_##B, "dp4a." #A "." #B, u32, u32, u32, u32, z + (u32)DOT4(AB, BB))          \
    X##3(dp2a_lo_##A##_##B, "dp2a.lo." #A "." #B, u32, u32, u32, u32, z + (u32)DOT2(AH, BB, 0)) \
    X##3(dp2a_hi_##A##_##B, "dp2a.hi." #A "." #B, u32, u32, u32, u32, z + (u32)DOT2(AH, BB, 2))

/* Two halves of a word at once (sm_90). */
#define PAIR(F, H) ((u32)(u16)F(HALF(H, x, 0), HALF(H, y, 0)) | (u32)(u16)F(HALF(H, x, 1), HALF(H, y, 1)) << 16)
#define SUM(X, Y) ((X) + (Y))
#define PAIRS(X)                                                         \
    X##2(add_16x2, "add.u16x2 add.s16x2", u32, u32, u32, PAIR(SUM, u16)) \
    X##2(min_u16x2, "min.u16x2", u32, u32, u32, PAIR(MIN, u16))          \
    X##2(min_s16x2, "min.s16x2", u32, u32, u32, PAIR(MIN, s16))          \
    X##2(max_u16x2, "max.u16x2", u32, u32, u32, PAIR(MAX, u16))          \
    X##2(max_s16x2, "max.s16x2", u32, u32, u32, PAIR(MAX, s16))

#define LIST(X)                    \
    ONE_WIDTH(X, 16, 32)           \
    ONE_WIDTH(X, 32, 64)           \
    ONE_WIDTH(X, 64, 128)          \
    WIDENING(X, 16, 32)            \
    WIDENING(X, 32, 64)            \
    CARRYING(X, 32)                \
    CARRYING(X, 64)                \
    SATURATING(X)                  \
    PAIRS(X)                       \
    DOTS(X, u32, u8, u16, u32, u8) \
    DOTS(X, u32, u8, u16, s32, s8) \
    DOTS(X, s32, s8, s16, u32, u8) \
    DOTS(X, s32, s8, s16, s32, s8)
/* clang-format on */

DEFINE_FORMS(integer_forms, LIST)
