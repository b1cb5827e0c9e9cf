/*
 * factor.c - the unblocked ends of factorizations and triangular solves, on small blocks that lie column by column (or, for the
 * right sides of a solve, row by row), so that every inner loop has unit stride.
 *
 * Behind the elements of each column (or row) there is room for a vector, which is computed with, whatever is there. Two loops
 * do the arithmetic: y -= X a, which keeps a piece of y in registers while it runs over the columns of X, and sums of products.
 * LU and Cholesky take a column at a time and bring it up to date by the columns before it (left-looking). Nothing here is
 * fused; sums of products depend on the width of vectors, the rest does not.
 */
#include <float.h>
#include <math.h>
#include <string.h>

#include "backend/cpu/kernels.h"
#include "backend/cpu/kernels/fold_vectors.h"
#include "backend/cpu/kernels/loop.h"

/* Compiled once, not once more for each call that has a constant among its arguments. */
#if defined(__clang__)
#define APART __attribute__((noinline, hot))
#else
#define APART __attribute__((noinline, noclone, hot))
#endif
/* What does little but call the loops: compiled for size. */
#define CALLS __attribute__((cold))
/* In a loop over the few elements that make no vector: a compiler would make vector loops of it, larger than the real one. */
#define ONE_BY_ONE() __asm__ volatile("")

/* Scalars of a step, in f64 for every dtype: they are few, and f32 neither overflows nor vanishes there. */
typedef struct number {
    double re, im;
} number;

static inline float magnitude_f32(float x)
{
    return fabsf(x);
}
static inline float magnitude_c_f32(float x)
{
    return fabsf(x);
}
static inline double magnitude_f64(double x)
{
    return fabs(x);
}
static inline double magnitude_c_f64(double x)
{
    return fabs(x);
}

#define SWAPPED(n, s, l) ((l) ^ 1) /* the two parts of each complex number */

#define NAME(f) f##_f32
#define T float
#define V v_f32
#define I v_i32
#define I_PART int32_t
#define U u_f32
#define SWAP(v) SHUFFLE(32, SWAPPED, 0, v, v)
#define LANES LANES_PER_32
#define PARTS 1
#define SAFE_LOW 1e-15f
#define SAFE_HIGH 1e15f
#define LARGEST FLT_MAX
#include "backend/cpu/kernels/factor_typed.h"
#undef NAME
#undef PARTS
#define NAME(f) f##_c_f32
#define PARTS 2
#include "backend/cpu/kernels/factor_typed.h"
#undef NAME
#undef T
#undef V
#undef I
#undef I_PART
#undef U
#undef SWAP
#undef LANES
#undef PARTS
#undef SAFE_LOW
#undef SAFE_HIGH
#undef LARGEST

#define NAME(f) f##_f64
#define T double
#define V v_f64
#define I v_i64
#define I_PART int64_t
#define U u_f64
#define SWAP(v) SHUFFLE(64, SWAPPED, 0, v, v)
#define LANES LANES_PER_64
#define PARTS 1
#define SAFE_LOW 1e-140
#define SAFE_HIGH 1e140
#define LARGEST DBL_MAX
#include "backend/cpu/kernels/factor_typed.h"
#undef NAME
#undef PARTS
#define NAME(f) f##_c_f64
#define PARTS 2
#include "backend/cpu/kernels/factor_typed.h"

#define TABLE(s)                                                                                              \
    {                                                                                                         \
        .lu = lu_##s, .cholesky = cholesky_##s, .solve = solve_##s, .reflect = reflect_##s, .join = join_##s, \
        .finite = finite_##s                                                                                  \
    }
const ash__factor_table ASH__TABLE(ash__factor) = {.of = {TABLE(f32), TABLE(f64), TABLE(c_f32), TABLE(c_f64)}};
