/*
 * elementwise_float.c - arithmetic, comparisons and selection of f32 and f64.
 *
 * Each operation is rounded once, so the bits are the same on every level; MULADD rounds twice, FMA once.
 */
#include <math.h>

#include "backend/cpu/kernels/bits.h"
#include "backend/cpu/kernels/elementwise.h"

/* Zeros of either sign compare equal: the bits decide. A comparison with NaN is false and leaves y, which is right unless x
 * is the NaN. */
#define DEFINE_EXTREMA(T)                                                            \
    static inline ash__##T smaller_##T(ash__##T x, ash__##T y)                       \
    {                                                                                \
        const ash__##T tie = T##_from(T##_bits(x) | T##_bits(y)), m = x < y ? x : y; \
        return x != x ? x : x == y ? tie : m;                                        \
    }                                                                                \
    static inline ash__##T larger_##T(ash__##T x, ash__##T y)                        \
    {                                                                                \
        const ash__##T tie = T##_from(T##_bits(x) & T##_bits(y)), m = x > y ? x : y; \
        return x != x ? x : x == y ? tie : m;                                        \
    }
DEFINE_EXTREMA(f32)
DEFINE_EXTREMA(f64)

#define DEFINE_FLOAT(T, FABS, FMA)                                  \
    LOOP2_COMMUTES(add_##T, ash__##T, ash__##T, x + y)              \
    LOOP2_ALL(sub_##T, ash__##T, ash__##T, x - y)                   \
    LOOP2_COMMUTES(mul_##T, ash__##T, ash__##T, x *y)               \
    LOOP2_ALL(div_##T, ash__##T, ash__##T, x / y)                   \
    LOOP1(neg_##T, ash__##T, ash__##T, -x)                          \
    LOOP1(abs_##T, ash__##T, ash__##T, FABS(x))                     \
    LOOP1(sign_##T, ash__##T, ash__##T, x > 0 ? 1 : x < 0 ? -1 : x) \
    LOOP3_MULTIPLY(muladd_##T, ash__##T, x *y + z)                  \
    LOOP3_MULTIPLY(mulsub_##T, ash__##T, x *y - z)                  \
    LOOP3_MULTIPLY(mulmul_##T, ash__##T, x *y *z)                   \
    LOOP2_COMMUTES(sumsq_##T, ash__##T, ash__##T, x *x + y * y)     \
    LOOP2_ALL(sqdiff_##T, ash__##T, ash__##T, (x - y) * (x - y))    \
    LOOP3_MULTIPLY(fma_##T, ash__##T, FMA(x, y, z))                 \
    LOOP2_COMMUTES(min_##T, ash__##T, ash__##T, smaller_##T(x, y))  \
    LOOP2_COMMUTES(max_##T, ash__##T, ash__##T, larger_##T(x, y))   \
    LOOP2_COMMUTES(eq_##T, ash__##T, ash__bool, x == y)             \
    LOOP2_COMMUTES(ne_##T, ash__##T, ash__bool, x != y)             \
    LOOP2_ALL(lt_##T, ash__##T, ash__bool, x < y)                   \
    LOOP2_ALL(le_##T, ash__##T, ash__bool, x <= y)                  \
    LOOP3_SELECT(select_##T, ash__##T)
DEFINE_FLOAT(f32, fabsf, fmaf)
DEFINE_FLOAT(f64, fabs, fma)

#define FLOAT_TABLE(T)                                                                                                      \
    {                                                                                                                       \
        {                                                                                                                   \
            BASIC(ADD) = ROW2(add_##T), BASIC(SUB) = ROW2(sub_##T), BASIC(MUL) = ROW2(mul_##T), BASIC(DIV) = ROW2(div_##T), \
            BASIC(NEG) = ROW1(neg_##T), BASIC(ABS) = ROW1(abs_##T), BASIC(SIGN) = ROW1(sign_##T),                           \
            BASIC(MULADD) = ROW3_MULTIPLY(muladd_##T), BASIC(MULSUB) = ROW3_MULTIPLY(mulsub_##T),                           \
            BASIC(MULMUL) = ROW3_MULTIPLY(mulmul_##T), BASIC(SUMSQ) = ROW2(sumsq_##T), BASIC(SQDIFF) = ROW2(sqdiff_##T),    \
            BASIC(FMA) = ROW3_MULTIPLY(fma_##T), BASIC(MIN) = ROW2(min_##T), BASIC(MAX) = ROW2(max_##T),                    \
            BASIC(EQ) = ROW2(eq_##T), BASIC(NE) = ROW2(ne_##T), BASIC(LT) = ROW2(lt_##T), BASIC(LE) = ROW2(le_##T),         \
            BASIC(SELECT) = ROW3_SELECT(select_##T),                                                                        \
        }                                                                                                                   \
    }

extern const ash__basic_table ASH__TABLE(ash__basic_float)[2];
const ash__basic_table ASH__TABLE(ash__basic_float)[2] = {FLOAT_TABLE(f32), FLOAT_TABLE(f64)};
