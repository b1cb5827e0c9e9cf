/*
 * elementwise_int.c - arithmetic, bits, comparisons and selection of integers and bool.
 *
 * Arithmetic is done unsigned, so it wraps. What does not depend on the sign is compiled once per width, for the unsigned
 * type, and serves the signed type and bool too.
 *
 * Quotients of up to 32 bits are taken in floating point, which has vector instructions. That is exact: a quotient x/y that is
 * no integer is 1/y or more away from one, relative to itself 1/x or more, which is above 2^-16 (2^-32) and so far above the
 * rounding error 2^-24 (2^-53); rounding cannot reach the integer, and cutting the fraction gives the right answer.
 */
#include "backend/cpu/kernels/elementwise.h"

/* ---- quotients toward zero; y is not 0; the smallest number by -1 wraps ---------------------------------------------------
 */

static inline int32_t quotient_i8(int32_t x, int32_t y)
{
    return (int32_t)((float)x / (float)y);
}
#define quotient_i16 quotient_i8
static inline uint32_t quotient_u8(uint32_t x, uint32_t y)
{
    return (uint32_t)(int32_t)((float)(int32_t)x / (float)(int32_t)y);
}
#define quotient_u16 quotient_u8
static inline int32_t quotient_i32(int32_t x, int32_t y)
{
    const double q = (double)x / (double)y;
    return (int32_t)(q >= 0x1p31 ? -0x1p31 : q);
}
/* Below AVX-512 only signed numbers have vector conversions: shifted by 2^31, there and back. */
static inline double f64_of_u32(uint32_t x)
{
    return (double)(int32_t)(x ^ 0x80000000u) + 0x1p31;
}
static inline uint32_t quotient_u32(uint32_t x, uint32_t y)
{
    const double q = f64_of_u32(x) / f64_of_u32(y);
    const uint32_t top = q >= 0x1p31 ? 0x80000000u : 0;
    return (uint32_t)(int32_t)(q >= 0x1p31 ? q - 0x1p31 : q) ^ top;
}
static inline int64_t quotient_i64(int64_t x, int64_t y)
{
    return y == -1 ? (int64_t)(0 - (uint64_t)x) : x / y;
}
static inline uint64_t quotient_u64(uint64_t x, uint64_t y)
{
    return x / y;
}

/* q and r: quotient toward zero and remainder. A zero divisor gives 0 and a fault. */
#define LOOP_DIVIDE(NAME, T, W, EXPRESSION)                                                      \
    ASH__KERNEL(NAME##_##T)                                                                      \
    {                                                                                            \
        ash__##T *d = D, bad = 0;                                                                \
        const ash__##T *a = A, *b = B;                                                           \
        ASH__IVDEP for (int64_t i = 0; i < n; i++)                                               \
        {                                                                                        \
            const ash__##T x = a[i], zero = b[i] == 0, y = (ash__##T)(b[i] | zero);              \
            const ash__##T q = (ash__##T)quotient_##T(x, y), r = (ash__##T)((W)x - (W)q * (W)y); \
            ASH__UNUSED(r);                                                                      \
            bad |= zero;                                                                         \
            d[i] = (ash__##T)(zero ? 0 : (EXPRESSION));                                          \
        }                                                                                        \
        *(int *)C |= bad ? ASH__FAULT_DIVIDE : 0;                                                \
    }

/* ---- powers by squaring -----------------------------------------------------------------------------------------------------
 */

static inline uint64_t power_bits(uint64_t base, uint64_t exponent)
{
    uint64_t result = 1;
    for (; exponent; exponent >>= 1, base *= base)
        result *= exponent & 1 ? base : 1;
    return result;
}
static inline int64_t power_signed(int64_t base, int64_t exponent, int *fault)
{
    if (exponent >= 0)
        return (int64_t)power_bits((uint64_t)base, (uint64_t)exponent);
    if (base != 1 && base != -1) {
        *fault = ASH__FAULT_POWER;
        return 0;
    }
    return exponent & 1 ? base : 1;
}
static inline uint64_t power_unsigned(uint64_t base, uint64_t exponent, int *fault)
{
    ASH__UNUSED(fault);
    return power_bits(base, exponent);
}
#define LOOP_POWER(T, POWER)                            \
    ASH__KERNEL(ipow_##T)                               \
    {                                                   \
        ash__##T *d = D;                                \
        const ash__##T *a = A, *b = B;                  \
        int fault = 0;                                  \
        for (int64_t i = 0; i < n; i++)                 \
            d[i] = (ash__##T)POWER(a[i], b[i], &fault); \
        *(int *)C |= fault;                             \
    }

/* ---- the same bits for either sign: U is the unsigned type, W the type to compute in, BITS the width ------------------------
 */

/* To the left by one count for all. It is looked at before the loop: gcc takes the choice out of a loop, too, but then has
 * lost that the count is small and shifts in wider lanes. */
#define LOOP_SHIFT_LEFT(NAME, T, BITS)                                        \
    ASH__KERNEL(NAME##_vs)                                                    \
    {                                                                         \
        T *d = D;                                                             \
        const T *a = A, count = *(const T *)B;                                \
        ASH__UNUSED(C);                                                       \
        if (count >= BITS) {                                                  \
            memset(d, 0, (size_t)n * sizeof(T));                              \
            return;                                                           \
        }                                                                     \
        ASH__IVDEP for (int64_t i = 0; i < n; i++) d[i] = (T)(a[i] << count); \
    }

#define DEFINE_BITS(U, W, BITS)                                                       \
    LOOP2_COMMUTES(add_##U, ash__##U, ash__##U, (W)x + (W)y)                          \
    LOOP2_ALL(sub_##U, ash__##U, ash__##U, (W)x - (W)y)                               \
    LOOP2_COMMUTES(mul_##U, ash__##U, ash__##U, (W)x *(W)y)                           \
    LOOP1(neg_##U, ash__##U, ash__##U, 0 - (W)x)                                      \
    LOOP3_MULTIPLY(muladd_##U, ash__##U, (W)x *(W)y + (W)z)                           \
    LOOP3_MULTIPLY(mulsub_##U, ash__##U, (W)x *(W)y - (W)z)                           \
    LOOP3_MULTIPLY(mulmul_##U, ash__##U, (W)x *(W)y *(W)z)                            \
    LOOP2_COMMUTES(sumsq_##U, ash__##U, ash__##U, (W)x *(W)x + (W)y *(W)y)            \
    LOOP2_ALL(sqdiff_##U, ash__##U, ash__##U, ((W)x - (W)y) * ((W)x - (W)y))          \
    LOOP2_COMMUTES(and_##U, ash__##U, ash__##U, x &y)                                 \
    LOOP2_COMMUTES(or_##U, ash__##U, ash__##U, x | y)                                 \
    LOOP2_COMMUTES(xor_##U, ash__##U, ash__##U, x ^ y)                                \
    LOOP1(not_##U, ash__##U, ash__##U, ~x)                                            \
    LOOP2(shl_##U, v, v, ash__##U, ash__##U, y < BITS ? (W)x << (y & (BITS - 1)) : 0) \
    LOOP_SHIFT_LEFT(shl_##U, ash__##U, BITS)                                          \
    LOOP2_COMMUTES(eq_##U, ash__##U, ash__bool, x == y)                               \
    LOOP2_COMMUTES(ne_##U, ash__##U, ash__bool, x != y)                               \
    LOOP3_SELECT(select_##U, ash__##U)
DEFINE_BITS(u8, uint32_t, 8)
DEFINE_BITS(u16, uint32_t, 16)
DEFINE_BITS(u32, uint32_t, 32)
DEFINE_BITS(u64, uint64_t, 64)

/* ---- what depends on the sign ---------------------------------------------------------------------------------------------
 */

#define DEFINE_ORDER(T)                                        \
    LOOP2_COMMUTES(min_##T, ash__##T, ash__##T, x < y ? x : y) \
    LOOP2_COMMUTES(max_##T, ash__##T, ash__##T, x > y ? x : y) \
    LOOP2_ALL(lt_##T, ash__##T, ash__bool, x < y)              \
    LOOP2_ALL(le_##T, ash__##T, ash__bool, x <= y)
#define DEFINE_SIGNED(T, W, BITS)                                                      \
    DEFINE_ORDER(T)                                                                    \
    LOOP1(abs_##T, ash__##T, ash__##T, x < 0 ? 0 - (W)x : (W)x)                        \
    LOOP1(sign_##T, ash__##T, ash__##T, (x > 0) - (x < 0))                             \
    LOOP_DIVIDE(idiv, T, W, q)                                                         \
    LOOP_DIVIDE(irem, T, W, r)                                                         \
    LOOP_DIVIDE(ifld, T, W, (W)q - (W)(r != 0 && (r ^ y) < 0))                         \
    LOOP_DIVIDE(imod, T, W, r != 0 && (r ^ y) < 0 ? (W)r + (W)y : (W)r)                \
    LOOP_POWER(T, power_signed)                                                        \
    LOOP2(shr_##T, v, v, ash__##T, ash__##T, x >> (y >= 0 && y < BITS ? y : BITS - 1)) \
    LOOP2(shr_##T, v, s, ash__##T, ash__##T, x >> (y >= 0 && y < BITS ? y : BITS - 1))
#define DEFINE_UNSIGNED(T, W, BITS)                                                \
    DEFINE_ORDER(T)                                                                \
    LOOP1(abs_##T, ash__##T, ash__##T, x)                                          \
    LOOP1(sign_##T, ash__##T, ash__##T, x > 0)                                     \
    LOOP_DIVIDE(idiv, T, W, q)                                                     \
    LOOP_DIVIDE(irem, T, W, r)                                                     \
    LOOP_POWER(T, power_unsigned)                                                  \
    LOOP2(shr_##T, v, v, ash__##T, ash__##T, y < BITS ? x >> (y & (BITS - 1)) : 0) \
    LOOP2(shr_##T, v, s, ash__##T, ash__##T, y < BITS ? x >> (y & (BITS - 1)) : 0)
DEFINE_SIGNED(i8, uint32_t, 8)
DEFINE_SIGNED(i16, uint32_t, 16)
DEFINE_SIGNED(i32, uint32_t, 32)
DEFINE_SIGNED(i64, uint64_t, 64)
DEFINE_UNSIGNED(u8, uint32_t, 8)
DEFINE_UNSIGNED(u16, uint32_t, 16)
DEFINE_UNSIGNED(u32, uint32_t, 32)
DEFINE_UNSIGNED(u64, uint64_t, 64)

LOOP1(not_bool, ash__bool, ash__bool, x ^ 1)

/* ---- tables ---------------------------------------------------------------------------------------------------------------
 */

#define ROW_SHIFT(NAME)            \
    {                              \
        NAME##_vv, NULL, NAME##_vs \
    }
/* U names the unsigned type of the same width; FLD and MOD: floor division, which is plain division of unsigned numbers. */
#define INT_TABLE(T, U, FLD, MOD)                                                                                              \
    {                                                                                                                          \
        {                                                                                                                      \
            BASIC(ADD) = ROW2(add_##U), BASIC(SUB) = ROW2(sub_##U), BASIC(MUL) = ROW2(mul_##U), BASIC(NEG) = ROW1(neg_##U),    \
            BASIC(ABS) = ROW1(abs_##T), BASIC(MULADD) = ROW3_MULTIPLY(muladd_##U), BASIC(MULSUB) = ROW3_MULTIPLY(mulsub_##U),  \
            BASIC(MULMUL) = ROW3_MULTIPLY(mulmul_##U), BASIC(SUMSQ) = ROW2(sumsq_##U), BASIC(SQDIFF) = ROW2(sqdiff_##U),       \
            BASIC(MIN) = ROW2(min_##T), BASIC(MAX) = ROW2(max_##T), BASIC(SIGN) = ROW1(sign_##T),                              \
            BASIC(IDIV) = ROW1(idiv_##T), BASIC(IREM) = ROW1(irem_##T), BASIC(IFLD) = ROW1(FLD##_##T),                         \
            BASIC(IMOD) = ROW1(MOD##_##T), BASIC(IPOW) = ROW1(ipow_##T), BASIC(AND) = ROW2(and_##U), BASIC(OR) = ROW2(or_##U), \
            BASIC(XOR) = ROW2(xor_##U), BASIC(NOT) = ROW1(not_##U), BASIC(SHL) = ROW_SHIFT(shl_##U),                           \
            BASIC(SHR) = ROW_SHIFT(shr_##T), BASIC(EQ) = ROW2(eq_##U), BASIC(NE) = ROW2(ne_##U), BASIC(LT) = ROW2(lt_##T),     \
            BASIC(LE) = ROW2(le_##T), BASIC(SELECT) = ROW3_SELECT(select_##U),                                                 \
        }                                                                                                                      \
    }

extern const ash__basic_table ASH__TABLE(ash__basic_int)[9];
const ash__basic_table ASH__TABLE(ash__basic_int)[9] = {
    {{BASIC(MIN) = ROW2(and_u8), BASIC(MAX) = ROW2(or_u8), BASIC(AND) = ROW2(and_u8), BASIC(OR) = ROW2(or_u8),
      BASIC(XOR) = ROW2(xor_u8), BASIC(NOT) = ROW1(not_bool), BASIC(EQ) = ROW2(eq_u8), BASIC(NE) = ROW2(ne_u8),
      BASIC(LT) = ROW2(lt_u8), BASIC(LE) = ROW2(le_u8), BASIC(SELECT) = ROW3_SELECT(select_u8)}},
    INT_TABLE(i8, u8, ifld, imod),
    INT_TABLE(i16, u16, ifld, imod),
    INT_TABLE(i32, u32, ifld, imod),
    INT_TABLE(i64, u64, ifld, imod),
    INT_TABLE(u8, u8, idiv, irem),
    INT_TABLE(u16, u16, idiv, irem),
    INT_TABLE(u32, u32, idiv, irem),
    INT_TABLE(u64, u64, idiv, irem),
};
