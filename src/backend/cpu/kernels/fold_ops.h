/*
 * fold_ops.h - the operations of folds, and the machine types each is written for.
 *
 * Integers fold alike whatever their sign, but for min and max, so sums, products and bit operations are written for the
 * unsigned types alone; a bool is 0 or 1, so its logical operations are those of u8. Every operation has a neutral element
 * that changes no bit of the other operand: -0.0 for sums of floats (0.0 would turn -0.0 into 0.0).
 */
#ifndef ASH__FOLD_OPS_H
#define ASH__FOLD_OPS_H
#include <float.h>
#include <math.h>
#include <string.h>

#include "backend/cpu/kernels/loop.h"

/* Operations of two elements, the earlier one first; T the type, W the type to compute in. */
#define OP_SUM(T, W, x, y) ((T)((W)(x) + (W)(y)))
#define OP_PROD(T, W, x, y) ((T)((W)(x) * (W)(y)))
#define OP_AND(T, W, x, y) ((T)((W)(x) & (W)(y)))
#define OP_OR(T, W, x, y) ((T)((W)(x) | (W)(y)))
#define OP_XOR(T, W, x, y) ((T)((W)(x) ^ (W)(y)))
#define OP_MIN(T, W, x, y) ((y) < (x) ? (y) : (x))
#define OP_MAX(T, W, x, y) ((y) > (x) ? (y) : (x))

/*
 * Lists of folds: X(name, T, W, operation, neutral).
 * FLOAT_FOLDS are the ones whose result depends on the order of operations.
 */
#define FLOAT_FOLDS(X)                       \
    X(sum_f32, float, float, OP_SUM, -0.0f)  \
    X(sum_f64, double, double, OP_SUM, -0.0) \
    X(prod_f32, float, float, OP_PROD, 1.0f) \
    X(prod_f64, double, double, OP_PROD, 1.0)
#define WIDE_INT_FOLDS(X)                       \
    X(sum_u32, uint32_t, uint32_t, OP_SUM, 0)   \
    X(sum_u64, uint64_t, uint64_t, OP_SUM, 0)   \
    X(prod_u32, uint32_t, uint32_t, OP_PROD, 1) \
    X(prod_u64, uint64_t, uint64_t, OP_PROD, 1)
#define NARROW_INT_FOLDS(X)                   \
    X(sum_u8, uint8_t, uint32_t, OP_SUM, 0)   \
    X(sum_u16, uint16_t, uint32_t, OP_SUM, 0) \
    X(prod_u8, uint8_t, uint32_t, OP_PROD, 1) \
    X(prod_u16, uint16_t, uint32_t, OP_PROD, 1)
#define BIT_FOLDS(X)                                   \
    X(and_u8, uint8_t, uint32_t, OP_AND, UINT8_MAX)    \
    X(and_u16, uint16_t, uint32_t, OP_AND, UINT16_MAX) \
    X(and_u32, uint32_t, uint32_t, OP_AND, UINT32_MAX) \
    X(and_u64, uint64_t, uint64_t, OP_AND, UINT64_MAX) \
    X(or_u8, uint8_t, uint32_t, OP_OR, 0)              \
    X(or_u16, uint16_t, uint32_t, OP_OR, 0)            \
    X(or_u32, uint32_t, uint32_t, OP_OR, 0)            \
    X(or_u64, uint64_t, uint64_t, OP_OR, 0)            \
    X(xor_u8, uint8_t, uint32_t, OP_XOR, 0)            \
    X(xor_u16, uint16_t, uint32_t, OP_XOR, 0)          \
    X(xor_u32, uint32_t, uint32_t, OP_XOR, 0)          \
    X(xor_u64, uint64_t, uint64_t, OP_XOR, 0)
#define INT_EXTREMES(X)                                \
    X(min_i8, int8_t, int8_t, OP_MIN, INT8_MAX)        \
    X(min_i16, int16_t, int16_t, OP_MIN, INT16_MAX)    \
    X(min_i32, int32_t, int32_t, OP_MIN, INT32_MAX)    \
    X(min_i64, int64_t, int64_t, OP_MIN, INT64_MAX)    \
    X(min_u8, uint8_t, uint8_t, OP_MIN, UINT8_MAX)     \
    X(min_u16, uint16_t, uint16_t, OP_MIN, UINT16_MAX) \
    X(min_u32, uint32_t, uint32_t, OP_MIN, UINT32_MAX) \
    X(min_u64, uint64_t, uint64_t, OP_MIN, UINT64_MAX) \
    X(max_i8, int8_t, int8_t, OP_MAX, INT8_MIN)        \
    X(max_i16, int16_t, int16_t, OP_MAX, INT16_MIN)    \
    X(max_i32, int32_t, int32_t, OP_MAX, INT32_MIN)    \
    X(max_i64, int64_t, int64_t, OP_MAX, INT64_MIN)    \
    X(max_u8, uint8_t, uint8_t, OP_MAX, 0)             \
    X(max_u16, uint16_t, uint16_t, OP_MAX, 0)          \
    X(max_u32, uint32_t, uint32_t, OP_MAX, 0)          \
    X(max_u64, uint64_t, uint64_t, OP_MAX, 0)
#define INT_FOLDS(X) WIDE_INT_FOLDS(X) NARROW_INT_FOLDS(X) BIT_FOLDS(X) INT_EXTREMES(X)
#define ALL_FOLDS(X) FLOAT_FOLDS(X) INT_FOLDS(X) /* but the extremes of floats, which have their own loops */

/* Entries of a table [fold][machine type] for kernels called PREFIX_sum_f32 and so on. */
#define INT_ENTRIES(FOLD, P)                                                                                \
    [FOLD][ASH_I8] = P##_u8, [FOLD][ASH_U8] = P##_u8, [FOLD][ASH_I16] = P##_u16, [FOLD][ASH_U16] = P##_u16, \
    [FOLD][ASH_I32] = P##_u32, [FOLD][ASH_U32] = P##_u32, [FOLD][ASH_I64] = P##_u64, [FOLD][ASH_U64] = P##_u64
#define FLOAT_ENTRIES(FOLD, P) [FOLD][ASH_F32] = P##_f32, [FOLD][ASH_F64] = P##_f64
#define EXTREME_ENTRIES(FOLD, P)                                                                                \
    [FOLD][ASH_BOOL] = P##_u8, [FOLD][ASH_I8] = P##_i8, [FOLD][ASH_U8] = P##_u8, [FOLD][ASH_I16] = P##_i16,     \
    [FOLD][ASH_U16] = P##_u16, [FOLD][ASH_I32] = P##_i32, [FOLD][ASH_U32] = P##_u32, [FOLD][ASH_I64] = P##_i64, \
    [FOLD][ASH_U64] = P##_u64, FLOAT_ENTRIES(FOLD, P)
#define FOLD_ENTRIES(PREFIX)                                                                        \
    INT_ENTRIES(ASH__FOLD_SUM, PREFIX##_sum), FLOAT_ENTRIES(ASH__FOLD_SUM, PREFIX##_sum),           \
        INT_ENTRIES(ASH__FOLD_PROD, PREFIX##_prod), FLOAT_ENTRIES(ASH__FOLD_PROD, PREFIX##_prod),   \
        EXTREME_ENTRIES(ASH__FOLD_MIN, PREFIX##_min), EXTREME_ENTRIES(ASH__FOLD_MAX, PREFIX##_max), \
        [ASH__FOLD_AND][ASH_BOOL] = PREFIX##_and_u8,                                                \
        INT_ENTRIES(ASH__FOLD_AND, PREFIX##_and), [ASH__FOLD_OR][ASH_BOOL] = PREFIX##_or_u8,        \
        INT_ENTRIES(ASH__FOLD_OR, PREFIX##_or), [ASH__FOLD_XOR][ASH_BOOL] = PREFIX##_xor_u8,        \
        INT_ENTRIES(ASH__FOLD_XOR, PREFIX##_xor)

/*
 * Extremes of floats (NaN if any is, always the same NaN, so that its bits do not depend on the order; -0.0 below 0.0) from
 * the extremes of their bits: three integer operations an element, where comparing floats with these rules takes six. A
 * float is a sign and a magnitude, so its bits grow with the number where the sign is plus, and against it where it is minus:
 *
 *     top    the largest as unsigned:  the least element, if any is negative; a negative NaN, if there is one
 *     most   the largest as signed:    the greatest element, if any is positive; a positive NaN, if there is one
 *     least  the smallest as unsigned: the element nearest to zero: the least if none is negative, the greatest if all are
 */
#define DEFINE_EXTREMES(WIDTH, S, U, INF, NOT_A_NUMBER)                                 \
    typedef U bits_##WIDTH __attribute__((may_alias));                                  \
    typedef struct extremes_##WIDTH {                                                   \
        S most;                                                                         \
        U least, top;                                                                   \
    } extremes_##WIDTH;                                                                 \
    static inline extremes_##WIDTH extremes_of_##WIDTH(U x)                             \
    {                                                                                   \
        return (extremes_##WIDTH){(S)x, x, x};                                          \
    }                                                                                   \
    static inline extremes_##WIDTH extremes_with_##WIDTH(extremes_##WIDTH e, U x)       \
    {                                                                                   \
        e.most = (S)x > e.most ? (S)x : e.most;                                         \
        e.least = x < e.least ? x : e.least;                                            \
        e.top = x > e.top ? x : e.top;                                                  \
        return e;                                                                       \
    }                                                                                   \
    static inline U min_bits_##WIDTH(extremes_##WIDTH e)                                \
    {                                                                                   \
        const U best = (S)e.top < 0 ? e.top : e.least;                                  \
        const bool nan = (e.most > (S)(INF)) | (e.top > ((INF) | (U)1 << (WIDTH - 1))); \
        return nan ? (NOT_A_NUMBER) : best;                                             \
    }                                                                                   \
    static inline U max_bits_##WIDTH(extremes_##WIDTH e)                                \
    {                                                                                   \
        const U best = e.most < 0 ? e.least : (U)e.most;                                \
        const bool nan = (e.most > (S)(INF)) | (e.top > ((INF) | (U)1 << (WIDTH - 1))); \
        return nan ? (NOT_A_NUMBER) : best;                                             \
    }
DEFINE_EXTREMES(32, int32_t, uint32_t, UINT32_C(0x7f800000), UINT32_C(0x7fc00000))
DEFINE_EXTREMES(64, int64_t, uint64_t, UINT64_C(0x7ff0000000000000), UINT64_C(0x7ff8000000000000))
#endif
