/*
 * fold_scan.c - running folds.
 *
 * Where the order of operations changes the bits (sums and products of floats) it is fixed, whatever the width of vectors:
 * a part is 64 bytes of elements, scanned by doubling (each element with the one 1, 2, 4 ... before it: W. D. Hillis, G. L.
 * Steele, Data parallel algorithms, CACM 29 (1986)); a group is four parts. What came before a group is one number, which for
 * sums of f32 is kept in f64, as is the block's total; it is rounded once for each group, not for each element before it.
 *
 * A total is the balanced tree over each group, then the groups in order: the same whether it is taken while scanning or
 * alone. The last group is filled up with neutral elements, which change no bit of any other.
 */
#include "backend/cpu/kernels/fold_vectors.h"

enum { PART = 64, PARTS = 4 }; /* bytes; parts of a group */

/* v[k]: each element with the one s before it in the same part. */
#define DOUBLE_WITHIN(s, V, WIDTH, VOP)        \
    if (s < LANES_PER_##WIDTH)                 \
        for (int k = VECTORS - 1; k >= 0; k--) \
            v[k] = VOP(V, SHUFFLE(WIDTH, SHIFTED, s, (k % (PART / VECTOR) ? v[k - 1] : neutral), v[k]), v[k]);
/* The same for a distance of m whole vectors. */
#define DOUBLE_VECTORS(m, V, WIDTH, VOP)       \
    if (m < PART / VECTOR)                     \
        for (int k = VECTORS - 1; k >= m; k--) \
            if (k % (PART / VECTOR) >= m)      \
                v[k] = VOP(V, v[k - m], v[k]);
#if VECTOR == 64
#define IF_LANES_16(...) __VA_ARGS__
#define IF_LANES_8(...) __VA_ARGS__
#elif VECTOR == 32
#define IF_LANES_16(...)
#define IF_LANES_8(...) __VA_ARGS__
#else
#define IF_LANES_16(...)
#define IF_LANES_8(...)
#endif
#define DOUBLE_32(V, VOP)                    \
    DOUBLE_WITHIN(1, V, 32, VOP)             \
    DOUBLE_WITHIN(2, V, 32, VOP)             \
    IF_LANES_8(DOUBLE_WITHIN(4, V, 32, VOP)) \
    IF_LANES_16(DOUBLE_WITHIN(8, V, 32, VOP)) DOUBLE_VECTORS(1, V, 32, VOP) DOUBLE_VECTORS(2, V, 32, VOP)
#define DOUBLE_64(V, VOP)                    \
    DOUBLE_WITHIN(1, V, 64, VOP)             \
    IF_LANES_8(DOUBLE_WITHIN(2, V, 64, VOP)) \
    IF_LANES_16(DOUBLE_WITHIN(4, V, 64, VOP)) DOUBLE_VECTORS(1, V, 64, VOP) DOUBLE_VECTORS(2, V, 64, VOP)

#define SPLAT(V, x) ((x) - (V){0}) /* not by adding 0, which would lose the sign of -0.0 */

#define DEFINE_SCAN(NAME, T, SUM, V, U, WIDTH, VOP, NEUTRAL)                                                            \
    static inline __attribute__((always_inline)) void group_##NAME(T *d, const T *x, SUM carry, SUM *total)             \
    {                                                                                                                   \
        enum { LANES = LANES_PER_##WIDTH, PER_PART = PART / VECTOR, VECTORS = PARTS * PER_PART };                       \
        const V neutral = SPLAT(V, (T)(NEUTRAL)), so_far = SPLAT(V, (T)VOP(SUM, carry, *total));                        \
        V v[VECTORS], t[PARTS];                                                                                         \
        for (int k = 0; k < VECTORS; k++)                                                                               \
            v[k] = *(const U *)(x + k * LANES);                                                                         \
        DOUBLE_##WIDTH(V, VOP) for (int p = 0; p < PARTS; p++)                                                          \
        {                                                                                                               \
            const V last = v[p * PER_PART + PER_PART - 1];                                                              \
            t[p] = SHUFFLE(WIDTH, LAST, 0, last, last);                                                                 \
        }                                                                                                               \
        const V t01 = VOP(V, t[0], t[1]), t23 = VOP(V, t[2], t[3]), all = VOP(V, t01, t23);                             \
        const V before[PARTS] = {so_far, VOP(V, so_far, t[0]), VOP(V, so_far, t01), VOP(V, so_far, VOP(V, t01, t[2]))}; \
        for (int k = 0; k < VECTORS; k++)                                                                               \
            *(U *)(d + k * LANES) = VOP(V, before[k / PER_PART], v[k]);                                                 \
        *total = VOP(SUM, *total, (SUM)all[0]);                                                                         \
    }                                                                                                                   \
    static void scan_##NAME(void *out, const void *a, const void *carry, void *total, int64_t n)                        \
    {                                                                                                                   \
        enum { GROUP = PARTS * PART / (int)sizeof(T) };                                                                 \
        T *d = out, rest[GROUP];                                                                                        \
        const T *x = a;                                                                                                 \
        const SUM c = *(const SUM *)carry;                                                                              \
        SUM t = (SUM)(NEUTRAL);                                                                                         \
        int64_t i = 0;                                                                                                  \
        for (; i + GROUP <= n; i += GROUP)                                                                              \
            group_##NAME(d + i, x + i, c, &t);                                                                          \
        if (i < n) {                                                                                                    \
            for (int j = 0; j < GROUP; j++)                                                                             \
                rest[j] = i + j < n ? x[i + j] : (T)(NEUTRAL);                                                          \
            group_##NAME(rest, rest, c, &t);                                                                            \
            memcpy(d + i, rest, (size_t)(n - i) * sizeof(T));                                                           \
        }                                                                                                               \
        *(SUM *)total = t;                                                                                              \
    }                                                                                                                   \
    /* Neighbours are added in pairs, vector by vector, until a lane is a group. */                                     \
    static void total_##NAME(void *total, const void *a)                                                                \
    {                                                                                                                   \
        enum { LANES = LANES_PER_##WIDTH, VECTORS = PARTS * PART / VECTOR, GROUP = VECTORS * LANES };                   \
        const T *x = a;                                                                                                 \
        SUM sum = (SUM)(NEUTRAL);                                                                                       \
        for (int64_t i = 0; i < ASH__FOLD_BLOCK; i += LANES * GROUP) {                                                  \
            V g[LANES], v[VECTORS];                                                                                     \
            for (int q = 0; q < LANES; q++) {                                                                           \
                for (int k = 0; k < VECTORS; k++)                                                                       \
                    v[k] = *(const U *)(x + i + q * GROUP + k * LANES);                                                 \
                for (int w = VECTORS / 2; w > 0; w /= 2)                                                                \
                    for (int k = 0; k < w; k++)                                                                         \
                        v[k] = VOP(V, SHUFFLE(WIDTH, EVENS, 0, v[2 * k], v[2 * k + 1]),                                 \
                                   SHUFFLE(WIDTH, ODDS, 0, v[2 * k], v[2 * k + 1]));                                    \
                g[q] = v[0];                                                                                            \
            }                                                                                                           \
            for (int w = LANES / 2; w > 0; w /= 2)                                                                      \
                for (int k = 0; k < w; k++)                                                                             \
                    g[k] = VOP(V, SHUFFLE(WIDTH, EVENS, 0, g[2 * k], g[2 * k + 1]),                                     \
                               SHUFFLE(WIDTH, ODDS, 0, g[2 * k], g[2 * k + 1]));                                        \
            for (int q = 0; q < LANES; q++)                                                                             \
                sum = VOP(SUM, sum, (SUM)g[0][q]);                                                                      \
        }                                                                                                               \
        *(SUM *)total = sum;                                                                                            \
    }
DEFINE_SCAN(sum_f32, float, double, v_f32, u_f32, 32, V_SUM, -0.0f)
DEFINE_SCAN(sum_f64, double, double, v_f64, u_f64, 64, V_SUM, -0.0)
DEFINE_SCAN(prod_f32, float, float, v_f32, u_f32, 32, V_PROD, 1.0f)
DEFINE_SCAN(prod_f64, double, double, v_f64, u_f64, 64, V_PROD, 1.0)

/* Folds that are exact in any order go one by one. The total of a block alone: from the last element with nothing carried. */
#define DEFINE_EXACT_SCAN(NAME, T, W, OP, NEUTRAL)                                               \
    static void scan_##NAME(void *out, const void *a, const void *carry, void *total, int64_t n) \
    {                                                                                            \
        T *d = out, s = *(const T *)carry, t = (T)(NEUTRAL);                                     \
        const T *x = a;                                                                          \
        for (int64_t i = 0; i < n; i++) {                                                        \
            t = OP(T, W, t, x[i]);                                                               \
            s = OP(T, W, s, x[i]);                                                               \
            d[i] = s;                                                                            \
        }                                                                                        \
        *(T *)total = t;                                                                         \
    }
INT_FOLDS(DEFINE_EXACT_SCAN)

#define DEFINE_EXTREME_SCAN(WIDTH, FOLD)                                                                       \
    static void scan_##FOLD##_f##WIDTH(void *out, const void *a, const void *carry, void *total, int64_t n)    \
    {                                                                                                          \
        bits_##WIDTH *d = out;                                                                                 \
        const bits_##WIDTH *x = a;                                                                             \
        extremes_##WIDTH s = extremes_of_##WIDTH(*(const bits_##WIDTH *)carry), t = extremes_of_##WIDTH(x[0]); \
        for (int64_t i = 0; i < n; i++) {                                                                      \
            t = extremes_with_##WIDTH(t, x[i]);                                                                \
            s = extremes_with_##WIDTH(s, x[i]);                                                                \
            d[i] = FOLD##_bits_##WIDTH(s);                                                                     \
        }                                                                                                      \
        *(bits_##WIDTH *)total = FOLD##_bits_##WIDTH(t);                                                       \
    }
DEFINE_EXTREME_SCAN(32, min)
DEFINE_EXTREME_SCAN(32, max)
DEFINE_EXTREME_SCAN(64, min)
DEFINE_EXTREME_SCAN(64, max)

/* Row after row: every column on its own. */
#define DEFINE_SCAN_COLUMNS(NAME, T, W, OP, NEUTRAL)                                               \
    static void columns_##NAME(void *out, const void *a, void *state, int64_t rows, int64_t width) \
    {                                                                                              \
        T *d = out, *s = state;                                                                    \
        const T *x = a;                                                                            \
        for (; rows > 0; rows--, d += width, x += width)                                           \
            ASH__IVDEP for (int64_t j = 0; j < width; j++) d[j] = s[j] = OP(T, W, s[j], x[j]);     \
    }
ALL_FOLDS(DEFINE_SCAN_COLUMNS)

#define DEFINE_EXTREME_SCAN_COLUMNS(WIDTH, FOLD)                                                              \
    static void columns_##FOLD##_f##WIDTH(void *out, const void *a, void *state, int64_t rows, int64_t width) \
    {                                                                                                         \
        bits_##WIDTH *d = out, *s = state;                                                                    \
        const bits_##WIDTH *x = a;                                                                            \
        for (; rows > 0; rows--, d += width, x += width)                                                      \
            ASH__IVDEP for (int64_t j = 0; j < width; j++) d[j] = s[j] =                                      \
                FOLD##_bits_##WIDTH(extremes_with_##WIDTH(extremes_of_##WIDTH(s[j]), x[j]));                  \
    }
DEFINE_EXTREME_SCAN_COLUMNS(32, min)
DEFINE_EXTREME_SCAN_COLUMNS(32, max)
DEFINE_EXTREME_SCAN_COLUMNS(64, min)
DEFINE_EXTREME_SCAN_COLUMNS(64, max)

static void columns_wide(float *d, const float *a, double *s, int64_t rows, int64_t width)
{
    for (; rows > 0; rows--, d += width, a += width)
        ASH__IVDEP for (int64_t j = 0; j < width; j++)
        {
            s[j] += (double)a[j];
            d[j] = (float)s[j];
        }
}

const ash__fold_scans ASH__TABLE(ash__fold_scans) = {
    .scan = {FOLD_ENTRIES(scan)},
    .total = {FLOAT_ENTRIES(ASH__FOLD_SUM, total_sum), FLOAT_ENTRIES(ASH__FOLD_PROD, total_prod)},
    .columns = {FOLD_ENTRIES(columns)},
    .columns_wide = columns_wide,
};
