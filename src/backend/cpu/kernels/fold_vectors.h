/*
 * fold_vectors.h - vectors as wide as the level's registers, and shuffles of two of them.
 *
 * A shuffle is a rule from a lane of the result to a lane of the pair of arguments (0 to n - 1 the first, n to 2n - 1 the
 * second); the rules below are macros of the number of lanes, a step and the lane, constant when compiled.
 */
#ifndef ASH__FOLD_VECTORS_H
#define ASH__FOLD_VECTORS_H
#include "backend/cpu/kernels/fold_ops.h"

#if defined(__AVX512F__)
#define VECTOR 64
#define LANES_32(F, s) LANES_16_OF(F, 16, s)
#define LANES_64(F, s) LANES_8_OF(F, 8, s, 0)
#define LANES_PER_32 16
#define LANES_PER_64 8
#elif defined(__AVX2__)
#define VECTOR 32
#define LANES_32(F, s) LANES_8_OF(F, 8, s, 0)
#define LANES_64(F, s) LANES_4_OF(F, 4, s, 0)
#define LANES_PER_32 8
#define LANES_PER_64 4
#else
#define VECTOR 16
#define LANES_32(F, s) LANES_4_OF(F, 4, s, 0)
#define LANES_64(F, s) LANES_2_OF(F, 2, s, 0)
#define LANES_PER_32 4
#define LANES_PER_64 2
#endif
#define LANES_2_OF(F, n, s, l) F(n, s, l), F(n, s, l + 1)
#define LANES_4_OF(F, n, s, l) LANES_2_OF(F, n, s, l), LANES_2_OF(F, n, s, l + 2)
#define LANES_8_OF(F, n, s, l) LANES_4_OF(F, n, s, l), LANES_4_OF(F, n, s, l + 4)
#define LANES_16_OF(F, n, s) LANES_8_OF(F, n, s, 0), LANES_8_OF(F, n, s, 8)

#if defined(__clang__)
#define SHUFFLE(WIDTH, F, s, a, b) __builtin_shufflevector(a, b, LANES_##WIDTH(F, s))
#else
#define SHUFFLE(WIDTH, F, s, a, b) __builtin_shuffle(a, b, (v_i##WIDTH){LANES_##WIDTH(F, s)})
#endif

/* Blocks of w lanes of both arguments in turn: the even blocks, or the odd ones. */
#define EVEN_BLOCKS(n, w, l) ((l) / (w) % 2 * (n) + (l) / (2 * (w)) * (2 * (w)) + (l) % (w))
#define ODD_BLOCKS(n, w, l) (EVEN_BLOCKS(n, w, l) + (w))
#define EVENS(n, s, l) (2 * (l)) /* lanes 0, 2, 4 ... of the pair */
#define ODDS(n, s, l) (2 * (l) + 1)
#define SHIFTED(n, s, l) ((n) - (s) + (l)) /* the second argument moved up by s lanes, filled from the first */
#define LOWERED(n, s, l) (((l) + (s)) % (n)) /* the first argument moved down by s lanes */
#define LAST(n, s, l) ((l)*0 + (n)-1)      /* the last lane of the first argument everywhere */
#define COLUMN_MAJOR(n, s, l) ((l) % ((n) / (s)) * (s) + (l) / ((n) / (s))) /* lanes as (n/s, s), read by columns */

/* v_f32: a vector; u_f32: one at any element's address, of any type. */
#define DEFINE_VECTOR(NAME, T)                               \
    typedef T v_##NAME __attribute__((vector_size(VECTOR))); \
    typedef T u_##NAME __attribute__((vector_size(VECTOR), aligned(sizeof(T)), may_alias));
DEFINE_VECTOR(f32, float)
DEFINE_VECTOR(f64, double)
DEFINE_VECTOR(i32, int32_t)
DEFINE_VECTOR(i64, int64_t)
DEFINE_VECTOR(u32, uint32_t)
DEFINE_VECTOR(u64, uint64_t)

#define V_SUM(V, a, b) ((a) + (b))
#define V_PROD(V, a, b) ((a) * (b))
#endif
