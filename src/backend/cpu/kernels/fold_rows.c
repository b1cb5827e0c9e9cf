/*
 * fold_rows.c - many short rows, each folded to one element.
 *
 * A block folds lane j with lane j + 64, j + 32 and so on; in a row of at most 128 elements those are elements. Steps of a
 * vector and more add whole vectors of one row. The last steps, inside a vector, are done for as many rows at once as a
 * vector has lanes: two vectors with blocks of w lanes, one row's each, make one with blocks of w/2 lanes, until lane k holds
 * row k. That is one addition and two shuffles a row. Rows that are shorter than a vector are read with what follows them;
 * lanes beyond the row's length are left out by masks. Rows of 2, 4 and 8 fill whole vectors and enter the tree below its top.
 *
 * Types of less than four bytes, and rare folds, go row by row.
 */
#include "backend/cpu/kernels/fold_vectors.h"

/* One row, or a lane's share of it: halves as in fold_block.c. */
#define DEFINE_ROW(NAME, T, W, OP, NEUTRAL)                     \
    static inline T row_##NAME(const T *x, int64_t length)      \
    {                                                           \
        T s[ASH__LANES];                                        \
        int64_t m = length, w = ASH__LANES / 2;                 \
        if (m == 1)                                             \
            return x[0];                                        \
        while (w >= m)                                          \
            w /= 2;                                             \
        for (int64_t j = 0; j < w; j++)                         \
            s[j] = j + w < m ? OP(T, W, x[j], x[j + w]) : x[j]; \
        for (w /= 2; w > 0; w /= 2)                             \
            for (int64_t j = 0; j < w; j++)                     \
                s[j] = OP(T, W, s[j], s[j + w]);                \
        return s[0];                                            \
    }
#define DEFINE_ROWS_SIMPLE(NAME, T, W, OP, NEUTRAL)                            \
    DEFINE_ROW(NAME, T, W, OP, NEUTRAL)                                        \
    static void rows_##NAME(void *d, const void *a, int64_t length, int64_t n) \
    {                                                                          \
        for (int64_t k = 0; k < n; k++)                                        \
            ((T *)d)[k] = row_##NAME((const T *)a + k * length, length);       \
    }

#define DEFINE_PAIR_EXTREME(NAME, T, FOLD, WIDTH)                                  \
    static inline T NAME(T x, T y)                                                 \
    {                                                                              \
        uint##WIDTH##_t p, q;                                                      \
        memcpy(&p, &x, sizeof p);                                                  \
        memcpy(&q, &y, sizeof q);                                                  \
        p = FOLD##_bits_##WIDTH(extremes_with_##WIDTH(extremes_of_##WIDTH(p), q)); \
        memcpy(&x, &p, sizeof x);                                                  \
        return x;                                                                  \
    }
DEFINE_PAIR_EXTREME(pair_min_f32, float, min, 32)
DEFINE_PAIR_EXTREME(pair_max_f32, float, max, 32)
DEFINE_PAIR_EXTREME(pair_min_f64, double, min, 64)
DEFINE_PAIR_EXTREME(pair_max_f64, double, max, 64)
#define OP_MIN_f32(T, W, x, y) pair_min_f32(x, y)
#define OP_MAX_f32(T, W, x, y) pair_max_f32(x, y)
#define OP_MIN_f64(T, W, x, y) pair_min_f64(x, y)
#define OP_MAX_f64(T, W, x, y) pair_max_f64(x, y)

/* Operations of two vectors. Integer extremes select by the comparison's mask; extremes of floats by the rules of bits. */
#define V_AND(V, a, b) ((a) & (b))
#define V_OR(V, a, b) ((a) | (b))
#define V_XOR(V, a, b) ((a) ^ (b))
#define SELECT(I, m, a, b) (((m) & (I)(a)) | (~(m) & (I)(b)))
#define V_MIN_int(V, I, a, b) ((V)SELECT(I, (I)((b) < (a)), b, a))
#define V_MAX_int(V, I, a, b) ((V)SELECT(I, (I)((b) > (a)), b, a))
#define V_MIN_i32(V, a, b) V_MIN_int(V, v_i32, a, b)
#define V_MIN_u32(V, a, b) V_MIN_int(V, v_i32, a, b)
#define V_MIN_i64(V, a, b) V_MIN_int(V, v_i64, a, b)
#define V_MIN_u64(V, a, b) V_MIN_int(V, v_i64, a, b)
#define V_MAX_i32(V, a, b) V_MAX_int(V, v_i32, a, b)
#define V_MAX_u32(V, a, b) V_MAX_int(V, v_i32, a, b)
#define V_MAX_i64(V, a, b) V_MAX_int(V, v_i64, a, b)
#define V_MAX_u64(V, a, b) V_MAX_int(V, v_i64, a, b)
#define V_MIN_f32(V, a, b) vector_min_f32(a, b)
#define V_MAX_f32(V, a, b) vector_max_f32(a, b)
#define V_MIN_f64(V, a, b) vector_min_f64(a, b)
#define V_MAX_f64(V, a, b) vector_max_f64(a, b)

/* best and-ed (or-ed) with an equal element: that is the zero of the right sign. */
#define DEFINE_VECTOR_EXTREME(NAME, V, I, LESS, ZERO, NOT_A_NUMBER)                                          \
    static inline V NAME(V a, V b)                                                                           \
    {                                                                                                        \
        const I best = SELECT(I, (I)(b LESS a), b, a), equal = (I)(a == b), nan = (I)(a != a) | (I)(b != b); \
        return (V)SELECT(I, nan, (I){0} + (NOT_A_NUMBER), ZERO);                                             \
    }
DEFINE_VECTOR_EXTREME(vector_min_f32, v_f32, v_i32, <, best | ((v_i32)b & equal), 0x7fc00000)
DEFINE_VECTOR_EXTREME(vector_max_f32, v_f32, v_i32, >, best &((v_i32)b | ~equal), 0x7fc00000)
DEFINE_VECTOR_EXTREME(vector_min_f64, v_f64, v_i64, <, best | ((v_i64)b & equal), 0x7ff8000000000000)
DEFINE_VECTOR_EXTREME(vector_max_f64, v_f64, v_i64, >, best &((v_i64)b | ~equal), 0x7ff8000000000000)

/*
 * The tree inside vectors: v[p] and v[p + w] with blocks of 2w lanes become v[p] with blocks of w. Started at w lanes (half a
 * vector for whole rows), it leaves row k in lane k. mask[w], for rows shorter than a vector: which lanes have a partner.
 */
#define TREE_STEP(w, NAME, V, WIDTH, VOP)                                                           \
    if (w < LANES_PER_##WIDTH && w <= top) {                                                        \
        for (int p = 0; p < w; p++) {                                                               \
            const V low = SHUFFLE(WIDTH, EVEN_BLOCKS, w, v[p], v[p + w]),                           \
                    high = SHUFFLE(WIDTH, ODD_BLOCKS, w, v[p], v[p + w]), both = VOP(V, low, high); \
            v[p] = masked ? (V)SELECT(v_i##WIDTH, mask[w], both, low) : both;                       \
        }                                                                                           \
    }
/* Smaller vectors than 2w lanes have no such step, but its text must compile. */
#define STEP_8_32(NAME, V, VOP) STEP_IF_16(TREE_STEP(8, NAME, V, 32, VOP))
#define STEP_4_32(NAME, V, VOP) STEP_IF_8(TREE_STEP(4, NAME, V, 32, VOP))
#define STEP_4_64(NAME, V, VOP) STEP_IF_16(TREE_STEP(4, NAME, V, 64, VOP))
#define STEP_2_64(NAME, V, VOP) STEP_IF_8(TREE_STEP(2, NAME, V, 64, VOP))
#if VECTOR == 64
#define STEP_IF_16(...) __VA_ARGS__
#define STEP_IF_8(...) __VA_ARGS__
#elif VECTOR == 32
#define STEP_IF_16(...)
#define STEP_IF_8(...) __VA_ARGS__
#else
#define STEP_IF_16(...)
#define STEP_IF_8(...)
#endif
#define TREE_32(NAME, V, VOP) \
    STEP_8_32(NAME, V, VOP) STEP_4_32(NAME, V, VOP) TREE_STEP(2, NAME, V, 32, VOP) TREE_STEP(1, NAME, V, 32, VOP)
#define TREE_64(NAME, V, VOP) STEP_4_64(NAME, V, VOP) STEP_2_64(NAME, V, VOP) TREE_STEP(1, NAME, V, 64, VOP)

#define DEFINE_ROWS(NAME, T, W, OP, V, U, WIDTH, VOP)                                                                         \
    DEFINE_ROW(NAME, T, W, OP, 0)                                                                                             \
    static inline __attribute__((always_inline)) V tree_##NAME(V *v, int top, bool masked, const v_i##WIDTH *mask)            \
    {                                                                                                                         \
        TREE_##WIDTH(NAME, V, VOP) return v[0];                                                                               \
    }                                                                                                                         \
    /* A row longer than a vector: its vectors folded to one. The last may be short: its lanes beyond `rest` are left out. */ \
    static inline __attribute__((always_inline)) V fold_row_##NAME(const T *x, int64_t vectors, v_i##WIDTH rest)              \
    {                                                                                                                         \
        V s[ASH__LANES / LANES_PER_##WIDTH / 2];                                                                              \
        int64_t w = ASH__LANES / LANES_PER_##WIDTH / 2;                                                                       \
        while (w >= vectors)                                                                                                  \
            w /= 2;                                                                                                           \
        for (int64_t j = 0; j < w; j++) {                                                                                     \
            s[j] = *(const U *)(x + j * LANES_PER_##WIDTH);                                                                   \
            if (j + w < vectors) {                                                                                            \
                const V other = *(const U *)(x + (j + w) * LANES_PER_##WIDTH), both = VOP(V, s[j], other);                    \
                s[j] = j + w == vectors - 1 ? (V)SELECT(v_i##WIDTH, rest, both, s[j]) : both;                                 \
            }                                                                                                                 \
        }                                                                                                                     \
        for (w /= 2; w > 0; w /= 2)                                                                                           \
            for (int64_t j = 0; j < w; j++)                                                                                   \
                s[j] = VOP(V, s[j], s[j + w]);                                                                                \
        return s[0];                                                                                                          \
    }                                                                                                                         \
    /* Rows of a power of two below a vector: vectors hold whole rows, and only the order of the results is another. */       \
    static inline __attribute__((always_inline)) void whole_##NAME(T *d, const T *x, int length)                              \
    {                                                                                                                         \
        V v[LANES_PER_##WIDTH];                                                                                               \
        for (int p = 0; p < length; p++)                                                                                      \
            v[p] = *(const U *)(x + p * LANES_PER_##WIDTH);                                                                   \
        V r = tree_##NAME(v, length / 2, false, NULL);                                                                        \
        if (length == 2)                                                                                                      \
            r = SHUFFLE(WIDTH, COLUMN_MAJOR, 2, r, r);                                                                        \
        STEP_IF_8(if (length == 4) r = SHUFFLE(WIDTH, COLUMN_MAJOR, 4, r, r);)                                                \
        STEP_IF_16(if (length == 8) r = SHUFFLE(WIDTH, COLUMN_MAJOR, 8, r, r);)                                               \
        *(U *)d = r;                                                                                                          \
    }                                                                                                                         \
    static void rows_##NAME(void *out, const void *a, int64_t length, int64_t n)                                              \
    {                                                                                                                         \
        enum { LANES = LANES_PER_##WIDTH };                                                                                   \
        T *d = out;                                                                                                           \
        const T *x = a;                                                                                                       \
        int64_t k = 0;                                                                                                        \
        const int64_t vectors = (length + LANES - 1) / LANES, padding = vectors * LANES - length;                             \
        const int64_t safe = n - (padding + length - 1) / length; /* rows whose vectors end inside the data */                \
        v_i##WIDTH mask[LANES], lane, rest = {0};                                                                             \
        V v[LANES];                                                                                                           \
        for (int l = 0; l < LANES; l++)                                                                                       \
            lane[l] = l;                                                                                                      \
        rest = (v_i##WIDTH)(lane < (v_i##WIDTH){0} + (T##_lane)(LANES - padding));                                            \
        for (int w = LANES / 2; w > 0; w /= 2)                                                                                \
            mask[w] = (v_i##WIDTH)((lane & (w - 1)) + w < (v_i##WIDTH){0} + (T##_lane)length);                                \
        if (length == 2)                                                                                                      \
            for (; k + LANES <= n; k += LANES)                                                                                \
                whole_##NAME(d + k, x + k * 2, 2);                                                                            \
        else if (LANES > 4 && length == 4)                                                                                    \
            for (; k + LANES <= n; k += LANES)                                                                                \
                whole_##NAME(d + k, x + k * 4, 4);                                                                            \
        else if (LANES > 8 && length == 8)                                                                                    \
            for (; k + LANES <= n; k += LANES)                                                                                \
                whole_##NAME(d + k, x + k * 8, 8);                                                                            \
        else if (length > 1 && length < LANES)                                                                                \
            for (; k + LANES <= safe; k += LANES) {                                                                           \
                for (int p = 0; p < LANES; p++)                                                                               \
                    v[p] = *(const U *)(x + (k + p) * length);                                                                \
                *(U *)(d + k) = tree_##NAME(v, LANES / 2, true, mask);                                                        \
            }                                                                                                                 \
        else if (length == LANES)                                                                                             \
            for (; k + LANES <= n; k += LANES) {                                                                              \
                for (int p = 0; p < LANES; p++)                                                                               \
                    v[p] = *(const U *)(x + (k + p) * LANES);                                                                 \
                *(U *)(d + k) = tree_##NAME(v, LANES / 2, false, mask);                                                       \
            }                                                                                                                 \
        else if (length > LANES)                                                                                              \
            for (; k + LANES <= safe; k += LANES) {                                                                           \
                for (int p = 0; p < LANES; p++)                                                                               \
                    v[p] = fold_row_##NAME(x + (k + p) * length, vectors, rest);                                              \
                *(U *)(d + k) = tree_##NAME(v, LANES / 2, false, mask);                                                       \
            }                                                                                                                 \
        for (; k < n; k++)                                                                                                    \
            d[k] = row_##NAME(x + k * length, length);                                                                        \
    }
typedef int32_t float_lane;
typedef int64_t double_lane;
typedef int32_t int32_t_lane;
typedef int32_t uint32_t_lane;
typedef int64_t int64_t_lane;
typedef int64_t uint64_t_lane;

DEFINE_ROWS(sum_f32, float, float, OP_SUM, v_f32, u_f32, 32, V_SUM)
DEFINE_ROWS(sum_f64, double, double, OP_SUM, v_f64, u_f64, 64, V_SUM)
DEFINE_ROWS(sum_u32, uint32_t, uint32_t, OP_SUM, v_u32, u_u32, 32, V_SUM)
DEFINE_ROWS(sum_u64, uint64_t, uint64_t, OP_SUM, v_u64, u_u64, 64, V_SUM)
DEFINE_ROWS(min_f32, float, float, OP_MIN_f32, v_f32, u_f32, 32, V_MIN_f32)
DEFINE_ROWS(max_f32, float, float, OP_MAX_f32, v_f32, u_f32, 32, V_MAX_f32)
DEFINE_ROWS(min_f64, double, double, OP_MIN_f64, v_f64, u_f64, 64, V_MIN_f64)
DEFINE_ROWS(max_f64, double, double, OP_MAX_f64, v_f64, u_f64, 64, V_MAX_f64)
DEFINE_ROWS(min_i32, int32_t, int32_t, OP_MIN, v_i32, u_i32, 32, V_MIN_i32)
DEFINE_ROWS(max_i32, int32_t, int32_t, OP_MAX, v_i32, u_i32, 32, V_MAX_i32)
DEFINE_ROWS(min_u32, uint32_t, uint32_t, OP_MIN, v_u32, u_u32, 32, V_MIN_u32)
DEFINE_ROWS(max_u32, uint32_t, uint32_t, OP_MAX, v_u32, u_u32, 32, V_MAX_u32)
DEFINE_ROWS(min_i64, int64_t, int64_t, OP_MIN, v_i64, u_i64, 64, V_MIN_i64)
DEFINE_ROWS(max_i64, int64_t, int64_t, OP_MAX, v_i64, u_i64, 64, V_MAX_i64)
DEFINE_ROWS(min_u64, uint64_t, uint64_t, OP_MIN, v_u64, u_u64, 64, V_MIN_u64)
DEFINE_ROWS(max_u64, uint64_t, uint64_t, OP_MAX, v_u64, u_u64, 64, V_MAX_u64)

NARROW_INT_FOLDS(DEFINE_ROWS_SIMPLE)
BIT_FOLDS(DEFINE_ROWS_SIMPLE)
DEFINE_ROWS_SIMPLE(prod_u32, uint32_t, uint32_t, OP_PROD, 1)
DEFINE_ROWS_SIMPLE(prod_u64, uint64_t, uint64_t, OP_PROD, 1)
DEFINE_ROWS_SIMPLE(prod_f32, float, float, OP_PROD, 1)
DEFINE_ROWS_SIMPLE(prod_f64, double, double, OP_PROD, 1)
DEFINE_ROWS_SIMPLE(min_i8, int8_t, int8_t, OP_MIN, 0)
DEFINE_ROWS_SIMPLE(max_i8, int8_t, int8_t, OP_MAX, 0)
DEFINE_ROWS_SIMPLE(min_u8, uint8_t, uint8_t, OP_MIN, 0)
DEFINE_ROWS_SIMPLE(max_u8, uint8_t, uint8_t, OP_MAX, 0)
DEFINE_ROWS_SIMPLE(min_i16, int16_t, int16_t, OP_MIN, 0)
DEFINE_ROWS_SIMPLE(max_i16, int16_t, int16_t, OP_MAX, 0)
DEFINE_ROWS_SIMPLE(min_u16, uint16_t, uint16_t, OP_MIN, 0)
DEFINE_ROWS_SIMPLE(max_u16, uint16_t, uint16_t, OP_MAX, 0)

const ash__fold_rows ASH__TABLE(ash__fold_rows) = {.fold = {FOLD_ENTRIES(rows)}};
