/*
 * gemm.c - tiles of matrix products: a few rows by one or two vectors of columns.
 *
 * This file alone is compiled with -ffp-contract=fast: a product and a sum are one fused multiply-add where the level has it
 * (v3 and v4), so that results differ in their last bits from those of v1 and v2. Complex products are made of four real ones
 * over planes of real and imaginary parts, and integers are multiplied unsigned, modulo 2^32 or 2^64.
 */
#if defined(__AVX2__)
#include <immintrin.h>
#endif

#include "backend/cpu/kernels/bits.h"
#include "backend/cpu/kernels/loop.h"

/* alpha sum is rounded before c is added to it: so it is where it lies in memory between. */
#define ROUNDED(x) __asm__ volatile("" : "+m"(x) : : "memory")

/* Bytes of a vector, and rows of the tallest tile: its sums, two vectors and a broadcast fill the registers. */
#if defined(__AVX512F__)
#define VECTOR 64
#define HEIGHT 8
#elif defined(__AVX__)
#define VECTOR 32
#define HEIGHT 6
#else
#define VECTOR 16
#define HEIGHT 6
#endif

/* The first n <= VECTOR bytes from p on, a multiple of 4, then zeros. */
typedef char bytes __attribute__((vector_size(VECTOR)));
static inline __attribute__((always_inline)) bytes first_bytes(const void *p, int64_t n)
{
#if defined(__AVX512F__)
    return (bytes)_mm512_maskz_loadu_epi32((__mmask16)((1u << n / 4) - 1), p);
#elif defined(__AVX2__)
    static const int32_t mask[16] = {-1, -1, -1, -1, -1, -1, -1, -1};
    return (bytes)_mm256_maskload_epi32(p, _mm256_loadu_si256((const __m256i *)(const void *)(mask + 8 - n / 4)));
#else
    bytes x = {0};
    memcpy(&x, p, (size_t)n);
    return x;
#endif
}

#define SMALL_TILES 1
#define T float
#define NAME(x) x##_f32
#include "backend/cpu/kernels/gemm_tiles.h"
#define T double
#define NAME(x) x##_f64
#include "backend/cpu/kernels/gemm_tiles.h"
#undef SMALL_TILES

#define SMALL_TILES 0
#define T uint32_t
#define NAME(x) x##_u32
#include "backend/cpu/kernels/gemm_tiles.h"
#define T uint64_t
#define NAME(x) x##_u64
#include "backend/cpu/kernels/gemm_tiles.h"

/* The rows of a panel of the widest tiles are two vectors each. */
static void copy_rows(char *d, int64_t d_step, const char *s, int64_t s_step, int64_t rows, size_t n)
{
    if (n == 2 * VECTOR)
        for (int64_t i = 0; i < rows; i++)
            memcpy(d + i * d_step, s + i * s_step, 2 * VECTOR);
    else
        for (int64_t i = 0; i < rows; i++)
            memcpy(d + i * d_step, s + i * s_step, n);
}

const ash__product_table ASH__TABLE(ash__product) = {
    .loops = {[ASH_F32] = &loops_f32, [ASH_F64] = &loops_f64, [ASH_U32] = &loops_u32, [ASH_U64] = &loops_u64},
    .copy = copy_rows};
