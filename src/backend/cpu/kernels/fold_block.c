/*
 * fold_block.c - one run of elements folded to one, and the first element with a given value.
 *
 * Element i goes into lane i mod 128, and the lanes are folded in halves: lane j with lane j + 64, then j + 32, down to one.
 * In a run of fewer than 128 elements the lanes without an element take no part. The lanes are independent, so this is the
 * order of operations whatever the width of the vectors.
 */
#include "backend/cpu/kernels/fold_vectors.h"

/* Folds m lanes to s[0]. All of them: in steps of a length that the compiler knows, for loops of a few elements cost more than
 * the whole block. */
#define HALVE(T, W, OP, w)                   \
    for (int j = 0; j < (w); j++)            \
        s[j] = OP(T, W, s[j], s[j + (w)]);
#define DEFINE_HALVES(NAME, T, W, OP, NEUTRAL)                          \
    static inline T halves_##NAME(T *s, int64_t m)                      \
    {                                                                   \
        if (m == ASH__LANES) {                                          \
            HALVE(T, W, OP, 64)                                         \
            HALVE(T, W, OP, 32)                                         \
            HALVE(T, W, OP, 16)                                         \
            HALVE(T, W, OP, 8)                                          \
            const T a = OP(T, W, s[0], s[4]), b = OP(T, W, s[1], s[5]); \
            const T c = OP(T, W, s[2], s[6]), d = OP(T, W, s[3], s[7]); \
            const T x = OP(T, W, a, c), y = OP(T, W, b, d);             \
            return OP(T, W, x, y);                                      \
        }                                                               \
        for (int64_t w = ASH__LANES / 2; w > 0; w /= 2) {               \
            for (int64_t j = 0; j < w && j + w < m; j++)                \
                s[j] = OP(T, W, s[j], s[j + w]);                        \
            m = m < w ? m : w;                                          \
        }                                                               \
        return s[0];                                                    \
    }

#define DEFINE_BLOCK(NAME, T, W, OP, NEUTRAL)                   \
    DEFINE_HALVES(NAME, T, W, OP, NEUTRAL)                      \
    static void block_##NAME(void *d, const void *a, int64_t n) \
    {                                                           \
        const T *x = a;                                         \
        T s[ASH__LANES];                                        \
        if (n < ASH__LANES) {                                   \
            memcpy(s, x, (size_t)n * sizeof(T));                \
            *(T *)d = halves_##NAME(s, n);                      \
            return;                                             \
        }                                                       \
        int64_t i = ASH__LANES;                                 \
        memcpy(s, x, sizeof s);                                 \
        for (; i + ASH__LANES <= n; i += ASH__LANES)            \
            for (int j = 0; j < ASH__LANES; j++)                \
                s[j] = OP(T, W, s[j], x[i + j]);                \
        for (int64_t j = 0; i + j < n; j++)                     \
            s[j] = OP(T, W, s[j], x[i + j]);                    \
        *(T *)d = halves_##NAME(s, ASH__LANES);                 \
    }
FLOAT_FOLDS(DEFINE_BLOCK)
INT_FOLDS(DEFINE_BLOCK)

#if VECTOR == 64
/* Whole rows of lanes, all of them in 8 or 16 of the 32 registers. The loop must stay rolled, with loads in the order of
 * memory: unrolled by the compiler, blocks from beyond L2 take a third longer (Zen 5). */
#define FOLD_WITHIN(w, WIDTH, V, VOP) \
    if (w < LANES_PER_##WIDTH)        \
        s[0] = VOP(V, s[0], SHUFFLE(WIDTH, LOWERED, w, s[0], s[0]));
#define DEFINE_WHOLE(NAME, T, V, U, WIDTH, VOP)                 \
    static void whole_##NAME(void *d, const void *a, int64_t n) \
    {                                                           \
        enum { M = ASH__LANES / LANES_PER_##WIDTH };            \
        const U *y = a, *const end = y + n / LANES_PER_##WIDTH; \
        V s[M];                                                 \
        if (n % ASH__LANES || n == 0) {                         \
            block_##NAME(d, a, n);                              \
            return;                                             \
        }                                                       \
        UNROLL for (int j = 0; j < M; j++) s[j] = *y++;         \
        while (y < end) {                                       \
            UNROLL for (int j = 0; j < M; j++)                  \
            {                                                   \
                s[j] = VOP(V, s[j], y[j]);                      \
            }                                                   \
            y += M;                                             \
            __asm__ volatile("" : "+r"(y));                     \
        }                                                       \
        UNROLL for (int w = M / 2; w > 0; w /= 2)               \
        {                                                       \
            UNROLL for (int j = 0; j < w; j++)                  \
            {                                                   \
                s[j] = VOP(V, s[j], s[j + w]);                  \
            }                                                   \
        }                                                       \
        FOLD_WITHIN(8, WIDTH, V, VOP)                           \
        FOLD_WITHIN(4, WIDTH, V, VOP)                           \
        FOLD_WITHIN(2, WIDTH, V, VOP)                           \
        FOLD_WITHIN(1, WIDTH, V, VOP)                           \
        *(T *)d = s[0][0];                                      \
    }
DEFINE_WHOLE(sum_f32, float, v_f32, u_f32, 32, V_SUM)
DEFINE_WHOLE(sum_f64, double, v_f64, u_f64, 64, V_SUM)
DEFINE_WHOLE(sum_u32, uint32_t, v_u32, u_u32, 32, V_SUM)
DEFINE_WHOLE(sum_u64, uint64_t, v_u64, u_u64, 64, V_SUM)
#define block_sum_f32 whole_sum_f32
#define block_sum_f64 whole_sum_f64
#define block_sum_u32 whole_sum_u32
#define block_sum_u64 whole_sum_u64
#endif

/*
 * Extremes of floats. They are exact in any order, and three accumulators of 32 lanes stay in the registers. With three
 * operations a vector the processor looks no more than a quarter of a block ahead, so a whole block fetches the next one.
 */
enum { BIT_LANES = 32, LINE = 64 };
#define HALVE_EXTREMES(w)                                                 \
    for (int j = 0; j < (w); j++) {                                       \
        most[j] = most[j + (w)] > most[j] ? most[j + (w)] : most[j];      \
        least[j] = least[j + (w)] < least[j] ? least[j + (w)] : least[j]; \
        top[j] = top[j + (w)] > top[j] ? top[j + (w)] : top[j];           \
    }
#define DEFINE_EXTREME_BLOCK(WIDTH, FOLD, S, U)                            \
    static void block_##FOLD##_f##WIDTH(void *d, const void *a, int64_t n) \
    {                                                                      \
        const bits_##WIDTH *x = a;                                         \
        S most[BIT_LANES];                                                 \
        U least[BIT_LANES], top[BIT_LANES];                                \
        const int64_t ahead = n < ASH__FOLD_BLOCK ? 0 : ASH__FOLD_BLOCK;   \
        int64_t i = 0;                                                     \
        if (n < BIT_LANES) {                                               \
            extremes_##WIDTH e = extremes_of_##WIDTH(x[0]);                \
            for (i = 1; i < n; i++)                                        \
                e = extremes_with_##WIDTH(e, x[i]);                        \
            *(bits_##WIDTH *)d = FOLD##_bits_##WIDTH(e);                   \
            return;                                                        \
        }                                                                  \
        for (int j = 0; j < BIT_LANES; j++)                                \
            most[j] = (S)x[0], least[j] = top[j] = x[0];                   \
        for (; i + BIT_LANES <= n; i += BIT_LANES) {                       \
            for (int j = 0; j < BIT_LANES; j += LINE / (int)sizeof(U))     \
                __builtin_prefetch(x + i + j + ahead, 0, 3);               \
            for (int j = 0; j < BIT_LANES; j++) {                          \
                const U y = x[i + j];                                      \
                most[j] = (S)y > most[j] ? (S)y : most[j];                 \
                least[j] = y < least[j] ? y : least[j];                    \
                top[j] = y > top[j] ? y : top[j];                          \
            }                                                              \
        }                                                                  \
        HALVE_EXTREMES(16)                                                 \
        HALVE_EXTREMES(8)                                                  \
        HALVE_EXTREMES(4)                                                  \
        HALVE_EXTREMES(2)                                                  \
        HALVE_EXTREMES(1)                                                  \
        extremes_##WIDTH e = {most[0], least[0], top[0]};                  \
        for (; i < n; i++)                                                 \
            e = extremes_with_##WIDTH(e, x[i]);                            \
        *(bits_##WIDTH *)d = FOLD##_bits_##WIDTH(e);                       \
    }
DEFINE_EXTREME_BLOCK(32, min, int32_t, uint32_t)
DEFINE_EXTREME_BLOCK(32, max, int32_t, uint32_t)
DEFINE_EXTREME_BLOCK(64, min, int64_t, uint64_t)
DEFINE_EXTREME_BLOCK(64, max, int64_t, uint64_t)

/* Whole strips are tested without a branch inside; the strip that has the element is walked. */
enum { STRIP = 64 };
typedef uint8_t uint8_t_any;
typedef uint16_t uint16_t_any;
typedef bits_32 uint32_t_any; /* floats too are compared by their bits */
typedef bits_64 uint64_t_any;
#define DEFINE_FIND(NAME, U, CONDITION)                           \
    static int64_t find_##NAME(const void *a, U value, int64_t n) \
    {                                                             \
        const U##_any *x = a;                                     \
        int64_t i = 0;                                            \
        ASH__UNUSED(value);                                       \
        for (; i + STRIP <= n; i += STRIP) {                      \
            U any = 0;                                            \
            for (int j = 0; j < STRIP; j++)                       \
                any |= (U)(CONDITION(x[i + j], value));           \
            if (any)                                              \
                break;                                            \
        }                                                         \
        while (i < n && !(CONDITION(x[i], value)))                \
            i++;                                                  \
        return i;                                                 \
    }
#define IS_VALUE(x, value) (x) == (value)
#define IS_NAN_32(x, value) ((x)&0x7fffffffu) > 0x7f800000u
#define IS_NAN_64(x, value) ((x)&UINT64_C(0x7fffffffffffffff)) > UINT64_C(0x7ff0000000000000)
DEFINE_FIND(u8, uint8_t, IS_VALUE)
DEFINE_FIND(u16, uint16_t, IS_VALUE)
DEFINE_FIND(u32, uint32_t, IS_VALUE)
DEFINE_FIND(u64, uint64_t, IS_VALUE)
DEFINE_FIND(nan_32, uint32_t, IS_NAN_32)
DEFINE_FIND(nan_64, uint64_t, IS_NAN_64)

static int64_t first_u8(const void *a, const void *value, int64_t n)
{
    return find_u8(a, *(const uint8_t *)value, n);
}
static int64_t first_u16(const void *a, const void *value, int64_t n)
{
    return find_u16(a, *(const uint16_t *)value, n);
}
static int64_t first_u32(const void *a, const void *value, int64_t n)
{
    return find_u32(a, *(const uint32_t *)value, n);
}
static int64_t first_u64(const void *a, const void *value, int64_t n)
{
    return find_u64(a, *(const uint64_t *)value, n);
}
static int64_t first_f32(const void *a, const void *value, int64_t n)
{
    uint32_t bits;
    memcpy(&bits, value, sizeof bits);
    return IS_NAN_32(bits, 0) ? find_nan_32(a, bits, n) : find_u32(a, bits, n);
}
static int64_t first_f64(const void *a, const void *value, int64_t n)
{
    uint64_t bits;
    memcpy(&bits, value, sizeof bits);
    return IS_NAN_64(bits, 0) ? find_nan_64(a, bits, n) : find_u64(a, bits, n);
}

const ash__fold_blocks ASH__TABLE(ash__fold_blocks) = {
    .fold = {FOLD_ENTRIES(block)},
    .first = {[ASH_BOOL] = first_u8,
              [ASH_I8] = first_u8,
              [ASH_U8] = first_u8,
              [ASH_I16] = first_u16,
              [ASH_U16] = first_u16,
              [ASH_I32] = first_u32,
              [ASH_U32] = first_u32,
              [ASH_I64] = first_u64,
              [ASH_U64] = first_u64,
              [ASH_F32] = first_f32,
              [ASH_F64] = first_f64},
};
