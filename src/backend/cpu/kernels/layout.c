/*
 * layout.c - moving elements without looking at them: strided runs, repeats, transposes, interleaving.
 *
 * One template per element size (1, 2, 4, 8, 16 bytes), compiled once per level. Steps that vectorise (one element back, every
 * second element) have loops with the step as a constant; the rest is a plain loop, which beats the gather instruction on
 * the processors measured. Transposes go through square tiles of vector registers: log2(N) rounds of interleaving row i with
 * row i + N/2 rotate the bits of (row, column) until the two have changed places; 64 x 64 blocks keep a cache line's
 * neighbours at hand.
 *
 * Elements may lie at any address: fields of packed records do.
 */
#include <string.h>

#include "backend/cpu/kernels/loop.h"

/* Stores never meet the elements still to be loaded. Clang sees that from `restrict` alone. */
#if defined(__GNUC__) && !defined(__clang__)
#define IVDEP _Pragma("GCC ivdep")
#else
#define IVDEP
#endif
#define ANY __attribute__((aligned(1), may_alias))

typedef uint8_t ANY e1;
typedef uint16_t ANY e2;
typedef uint32_t ANY e4;
typedef uint64_t ANY e8;
typedef struct ANY e16 {
    e8 part[2];
} e16;

#if defined(__AVX512BW__) && defined(__AVX512VL__)
enum { FILL = 64 };
#elif defined(__AVX2__)
enum { FILL = 32 };
#else
enum { FILL = 16 };
#endif
typedef uint8_t fill1 __attribute__((vector_size(FILL)));
typedef uint16_t fill2 __attribute__((vector_size(FILL)));
typedef uint32_t fill4 __attribute__((vector_size(FILL)));
typedef uint64_t fill8 __attribute__((vector_size(FILL)));

/* ---- strided runs */

#define STEPPED(T, STEP)            \
    IVDEP                           \
    for (int64_t i = 0; i < n; i++) \
    to[i] = from[i * (STEP)]

#define DEFINE_GATHER(S, T)                                                \
    static void gather##S(void *d, const void *s, int64_t step, int64_t n) \
    {                                                                      \
        T *restrict to = d;                                                \
        const T *restrict from = s;                                        \
        switch (step) {                                                    \
        case S:                                                            \
            memcpy(d, s, (size_t)n *S);                                    \
            return;                                                        \
        case -S:                                                           \
            STEPPED(T, -1);                                                \
            return;                                                        \
        case 2 * S:                                                        \
            STEPPED(T, 2);                                                 \
            return;                                                        \
        default:                                                           \
            for (int64_t i = 0; i < n; i++)                                \
                to[i] = *(const T *)((const char *)s + i * step);          \
        }                                                                  \
    }

#define DEFINE_SCATTER(S, T)                                                \
    static void scatter##S(void *d, int64_t step, const void *s, int64_t n) \
    {                                                                       \
        const T *restrict from = s;                                         \
        if (step == S) {                                                    \
            memcpy(d, s, (size_t)n *S);                                     \
        } else if (step == -S) {                                            \
            T *restrict to = d;                                             \
            IVDEP                                                           \
            for (int64_t i = 0; i < n; i++)                                 \
                to[-i] = from[i];                                           \
        } else {                                                            \
            for (int64_t i = 0; i < n; i++)                                 \
                *(T *)((char *)d + i * step) = from[i];                     \
        }                                                                   \
    }

/* ---- repeats */

#define DEFINE_SPLAT(S, T)                                  \
    static void splat##S(void *d, const void *s, int64_t n) \
    {                                                       \
        T *restrict to = d;                                 \
        const T x = *(const T *)s;                          \
        for (int64_t i = 0; i < n; i++)                     \
            to[i] = x;                                      \
    }

#define REPEATED(T, K)                    \
    for (int64_t i = 0; i < m; i++)       \
        for (int64_t j = 0; j < (K); j++) \
    to[i * (K) + j] = from[i]

/* Any other count: whole vectors, which write past the element's last copy where the next element's come later anyway; the
 * last elements, whose vectors would reach past the end, one by one. */
#define DEFINE_EXPAND(S, T)                                                    \
    static void expand_any##S(T *to, const T *from, int64_t m, int64_t repeat) \
    {                                                                          \
        enum { LANES = FILL / S };                                             \
        const int64_t vectors = (repeat + LANES - 1) / LANES;                  \
        const int64_t over = vectors * LANES - repeat;                         \
        const int64_t safe = m - (over + repeat - 1) / repeat;                 \
        int64_t i = 0;                                                         \
        for (; i < safe; i++) {                                                \
            const fill##S x = (fill##S){0} + from[i];                          \
            for (int64_t v = 0; v < vectors; v++)                              \
                memcpy(to + i * repeat + v * LANES, &x, FILL);                 \
        }                                                                      \
        for (; i < m; i++)                                                     \
            splat##S(to + i * repeat, from + i, repeat);                       \
    }                                                                          \
    static void expand##S(void *d, const void *s, int64_t m, int64_t repeat)   \
    {                                                                          \
        T *restrict to = d;                                                    \
        const T *restrict from = s;                                            \
        switch (repeat) {                                                      \
        case 1:                                                                \
            memcpy(d, s, (size_t)m *S);                                        \
            return;                                                            \
        case 2:                                                                \
            REPEATED(T, 2);                                                    \
            return;                                                            \
        case 3:                                                                \
            REPEATED(T, 3);                                                    \
            return;                                                            \
        case 4:                                                                \
            REPEATED(T, 4);                                                    \
            return;                                                            \
        case 8:                                                                \
            REPEATED(T, 8);                                                    \
            return;                                                            \
        default:                                                               \
            expand_any##S(to, from, m, repeat);                                \
        }                                                                      \
    }

/* ---- interleaving */

#define DEFINE_ZIP(S, T)                                                 \
    static void zip##S(void *d, const void *a, const void *b, int64_t n) \
    {                                                                    \
        T *restrict to = d;                                              \
        const T *restrict x = a, *restrict y = b;                        \
        IVDEP                                                            \
        for (int64_t i = 0; i < n; i++) {                                \
            to[2 * i] = x[i];                                            \
            to[2 * i + 1] = y[i];                                        \
        }                                                                \
    }

/* ---- transposes */

/* The widest vectors that this level interleaves in one or two instructions; 16-bit elements across 512 bits and bytes
 * across 256 would take four. */
#if defined(__AVX512BW__) && defined(__AVX512VL__)
enum { WIDE1 = 16, WIDE2 = 32, WIDE4 = 64, WIDE8 = 64 };
#elif defined(__AVX2__)
enum { WIDE1 = 16, WIDE2 = 16, WIDE4 = 32, WIDE8 = 32 };
#else
enum { WIDE1 = 16, WIDE2 = 16, WIDE4 = 16, WIDE8 = 16 };
#endif
enum { TILE1 = WIDE1, TILE2 = WIDE2 / 2, TILE4 = WIDE4 / 4, TILE8 = WIDE8 / 8, BLOCK = 64 };
/* Bytes: a source beyond L2 is fetched AHEAD, for 64 rows are more streams than the hardware follows. */
enum { FAR = 1 << 20, AHEAD = 256 };

typedef uint8_t wide1 __attribute__((vector_size(WIDE1)));
typedef uint16_t wide2 __attribute__((vector_size(WIDE2)));
typedef uint32_t wide4 __attribute__((vector_size(WIDE4)));
typedef uint64_t wide8 __attribute__((vector_size(WIDE8)));

#define LOW2(a, b) __builtin_shufflevector(a, b, 0, 2)
#define HIGH2(a, b) __builtin_shufflevector(a, b, 1, 3)
#define LOW4(a, b) __builtin_shufflevector(a, b, 0, 4, 1, 5)
#define HIGH4(a, b) __builtin_shufflevector(a, b, 2, 6, 3, 7)
#define LOW8(a, b) __builtin_shufflevector(a, b, 0, 8, 1, 9, 2, 10, 3, 11)
#define HIGH8(a, b) __builtin_shufflevector(a, b, 4, 12, 5, 13, 6, 14, 7, 15)
#define LOW16(a, b) __builtin_shufflevector(a, b, 0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23)
#define HIGH16(a, b) __builtin_shufflevector(a, b, 8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)

#define DEFINE_TILE(S, T, N)                                                                                            \
    static inline __attribute__((always_inline)) void round##S(wide##S *to, const wide##S *from)                        \
    {                                                                                                                   \
        UNROLL                                                                                                          \
        for (int i = 0; i < N / 2; i++) {                                                                               \
            to[2 * i] = LOW##N(from[i], from[i + N / 2]);                                                               \
            to[2 * i + 1] = HIGH##N(from[i], from[i + N / 2]);                                                          \
        }                                                                                                               \
    }                                                                                                                   \
    static inline __attribute__((always_inline)) void tile##S(char *d, int64_t ld, const char *s, int64_t ls, bool far) \
    {                                                                                                                   \
        wide##S a[N], b[N];                                                                                             \
        if (far)                                                                                                        \
            for (int i = 0; i < N; i++)                                                                                 \
                __builtin_prefetch(s + i * ls + AHEAD);                                                                 \
        UNROLL                                                                                                          \
        for (int i = 0; i < N; i++)                                                                                     \
            memcpy(&a[i], s + i * ls, sizeof a[i]);                                                                     \
        UNROLL                                                                                                          \
        for (int w = 1; w < N; w *= 4) {                                                                                \
            round##S(b, a);                                                                                             \
            if (2 * w < N)                                                                                              \
                round##S(a, b);                                                                                         \
        }                                                                                                               \
        const wide##S *const last = N == 4 || N == 16 ? a : b;                                                          \
        UNROLL                                                                                                          \
        for (int i = 0; i < N; i++)                                                                                     \
            memcpy(d + i * ld, &last[i], sizeof last[i]);                                                               \
    }

/* The right and lower edges that no whole tile covers. */
#define DEFINE_EDGE(S, T)                                                                           \
    static void edge##S(char *d, int64_t ld, const char *s, int64_t ls, int64_t rows, int64_t cols) \
    {                                                                                               \
        for (int64_t j = 0; j < cols; j++)                                                          \
            for (int64_t i = 0; i < rows; i++)                                                      \
                *(T *)(d + j * ld + i * S) = *(const T *)(s + i * ls + j * S);                      \
    }

#define DEFINE_TRANSPOSE(S, T, N)                                                                        \
    DEFINE_TILE(S, T, N)                                                                                 \
    static void transpose##S(void *d, int64_t ld, const void *s, int64_t ls, int64_t rows, int64_t cols) \
    {                                                                                                    \
        char *const to = d;                                                                              \
        const char *const from = s;                                                                      \
        const int64_t r = rows / N * N, c = cols / N * N;                                                \
        const bool far = rows * cols * S > FAR;                                                          \
        for (int64_t i0 = 0; i0 < r; i0 += BLOCK)                                                        \
            for (int64_t j = 0; j < c; j += N)                                                           \
                for (int64_t i = i0; i < r && i < i0 + BLOCK; i += N)                                    \
                    tile##S(to + j * ld + i * S, ld, from + i * ls + j * S, ls, far);                    \
        edge##S(to + c * ld, ld, from + c * S, ls, r, cols - c);                                         \
        edge##S(to + r * S, ld, from + r * ls, ls, rows - r, cols);                                      \
    }

#define DEFINE_MOVES(S, T) DEFINE_GATHER(S, T) DEFINE_SCATTER(S, T) DEFINE_SPLAT(S, T) DEFINE_EDGE(S, T)
DEFINE_MOVES(1, e1)
DEFINE_MOVES(2, e2)
DEFINE_MOVES(4, e4)
DEFINE_MOVES(8, e8)
DEFINE_MOVES(16, e16)
DEFINE_EXPAND(1, e1)
DEFINE_EXPAND(2, e2)
DEFINE_EXPAND(4, e4)
DEFINE_EXPAND(8, e8)
DEFINE_ZIP(1, e1)
DEFINE_ZIP(2, e2)
DEFINE_ZIP(4, e4)
DEFINE_ZIP(8, e8)

#if defined(__AVX512BW__) && defined(__AVX512VL__)
DEFINE_TRANSPOSE(1, e1, 16)
DEFINE_TRANSPOSE(2, e2, 16)
DEFINE_TRANSPOSE(4, e4, 16)
DEFINE_TRANSPOSE(8, e8, 8)
#elif defined(__AVX2__)
DEFINE_TRANSPOSE(1, e1, 16)
DEFINE_TRANSPOSE(2, e2, 8)
DEFINE_TRANSPOSE(4, e4, 8)
DEFINE_TRANSPOSE(8, e8, 4)
#else
DEFINE_TRANSPOSE(1, e1, 16)
DEFINE_TRANSPOSE(2, e2, 8)
DEFINE_TRANSPOSE(4, e4, 4)
DEFINE_TRANSPOSE(8, e8, 2)
#endif

static void expand16(void *d, const void *s, int64_t m, int64_t repeat)
{
    for (int64_t i = 0; i < m; i++)
        splat16((e16 *)d + i * repeat, (const e16 *)s + i, repeat);
}

/* An element fills a register already: blocks of 8 x 8 use each cache line whole. */
static void transpose16(void *d, int64_t ld, const void *s, int64_t ls, int64_t rows, int64_t cols)
{
    enum { N = 8 };
    for (int64_t i = 0; i < rows; i += N)
        for (int64_t j = 0; j < cols; j += N)
            edge16((char *)d + j * ld + i * 16, ld, (const char *)s + i * ls + j * 16, ls, rows - i < N ? rows - i : N,
                   cols - j < N ? cols - j : N);
}

/* ---- indices */

static bool within(const int64_t *index, int64_t n, int64_t bound)
{
    uint64_t outside = 0;
    IVDEP
    for (int64_t i = 0; i < n; i++)
        outside |= (uint64_t)index[i] >= (uint64_t)bound;
    return !outside;
}

extern const ash__layout_table ASH__CAT(ash__layout_, ASH__LEVEL);
const ash__layout_table ASH__CAT(ash__layout_, ASH__LEVEL) = {
    .gather = {gather1, gather2, gather4, gather8, gather16},
    .scatter = {scatter1, scatter2, scatter4, scatter8, scatter16},
    .splat = {splat1, splat2, splat4, splat8, splat16},
    .expand = {expand1, expand2, expand4, expand8, expand16},
    .within = within,
    .zip = {zip1, zip2, zip4, zip8},
    .transpose = {transpose1, transpose2, transpose4, transpose8, transpose16},
};
