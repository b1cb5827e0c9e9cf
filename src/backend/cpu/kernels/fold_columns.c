/*
 * fold_columns.c - rows folded into a row of accumulators, one after the other.
 *
 * Four rows are taken at a time, so that an accumulator is read and written once for four additions; each still receives
 * its rows in order.
 */
#include "backend/cpu/kernels/fold_ops.h"

#define DEFINE_COLUMNS(NAME, T, W, OP, NEUTRAL)                                                 \
    static void columns_##NAME(void *d, const void *a, int64_t rows, int64_t width)             \
    {                                                                                           \
        T *s = d;                                                                               \
        const T *x = a;                                                                         \
        for (; rows >= 4; rows -= 4, x += 4 * width) {                                          \
            const T *y = x + width, *z = y + width, *w = z + width;                             \
            ASH__IVDEP for (int64_t j = 0; j < width; j++)                                      \
            {                                                                                   \
                const T p = OP(T, W, s[j], x[j]), q = OP(T, W, p, y[j]), r = OP(T, W, q, z[j]); \
                s[j] = OP(T, W, r, w[j]);                                                       \
            }                                                                                   \
        }                                                                                       \
        for (; rows > 0; rows--, x += width)                                                    \
            ASH__IVDEP for (int64_t j = 0; j < width; j++) s[j] = OP(T, W, s[j], x[j]);         \
    }
ALL_FOLDS(DEFINE_COLUMNS)

#define DEFINE_EXTREME_COLUMNS(WIDTH, FOLD)                                                             \
    static void columns_##FOLD##_f##WIDTH(void *d, const void *a, int64_t rows, int64_t width)          \
    {                                                                                                   \
        bits_##WIDTH *s = d;                                                                            \
        const bits_##WIDTH *x = a;                                                                      \
        for (; rows >= 4; rows -= 4, x += 4 * width) {                                                  \
            const bits_##WIDTH *y = x + width, *z = y + width, *w = z + width;                          \
            ASH__IVDEP for (int64_t j = 0; j < width; j++)                                              \
            {                                                                                           \
                const extremes_##WIDTH p = extremes_with_##WIDTH(extremes_of_##WIDTH(s[j]), x[j]),      \
                                       q = extremes_with_##WIDTH(extremes_with_##WIDTH(p, y[j]), z[j]); \
                s[j] = FOLD##_bits_##WIDTH(extremes_with_##WIDTH(q, w[j]));                             \
            }                                                                                           \
        }                                                                                               \
        for (; rows > 0; rows--, x += width)                                                            \
            ASH__IVDEP for (int64_t j = 0; j < width; j++) s[j] =                                       \
                FOLD##_bits_##WIDTH(extremes_with_##WIDTH(extremes_of_##WIDTH(s[j]), x[j]));            \
    }
DEFINE_EXTREME_COLUMNS(32, min)
DEFINE_EXTREME_COLUMNS(32, max)
DEFINE_EXTREME_COLUMNS(64, min)
DEFINE_EXTREME_COLUMNS(64, max)

static void widen(double *d, const float *a, int64_t n)
{
    ASH__IVDEP for (int64_t i = 0; i < n; i++) d[i] = (double)a[i];
}

static void round_f32(float *d, const double *a, int64_t n)
{
    ASH__IVDEP for (int64_t i = 0; i < n; i++) d[i] = (float)a[i];
}

const ash__fold_columns ASH__TABLE(ash__fold_columns) = {
    .fold = {FOLD_ENTRIES(columns)},
    .widen = widen,
    .round = round_f32,
};
