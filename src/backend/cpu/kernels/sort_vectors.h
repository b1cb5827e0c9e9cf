/*
 * sort_vectors.h - vectors of unsigned keys of 4 and 8 bytes, where they can be packed by a mask: v4. (With AVX2, by a table
 * and a shuffle, parting and sorting by registers took 0.8 to 1.4 times as long as sorting by bytes: not worth it.)
 *
 *     V                     a vector; LANES_32 or LANES_64 keys; MASK_32, MASK_64: a bit for each
 *     load, store           the lanes of a mask alone; the others load as the largest key
 *     all                   one key in every lane
 *     least, most, choose   of two vectors; choose: of the second in the lanes of the mask, else of the first
 *     below, not_below      in which lanes a < b, or a >= b
 *     pack                  the lanes of a mask side by side; what is behind them does not matter
 *     turn                  lane l becomes lane l ^ d
 *     zip                   lanes of two vectors in turns: the lower (0) or the upper half (1) of the result
 *
 * ROWS vectors are sorted in registers. Stores that pack are slow on some processors: vectors are packed in registers.
 */
#ifndef ASH__SORT_VECTORS_H
#define ASH__SORT_VECTORS_H
#include "backend/cpu/kernels/bits.h"

#if defined(__AVX512F__) && defined(__AVX512BW__) && defined(__AVX512DQ__) && defined(__AVX512VL__)
#include <immintrin.h>
#define V __m512i
#define MASK_32 __mmask16
#define MASK_64 __mmask8
enum { LANES_32 = 16, LANES_64 = 8 };
#define ROWS 16

#define DEFINE_VECTOR(S)                                                                                                \
    INLINE V load_##S(const void *p, MASK_##S m) { return _mm512_mask_loadu_epi##S(_mm512_set1_epi32(-1), m, p); }      \
    INLINE void store_##S(void *p, MASK_##S m, V v) { _mm512_mask_storeu_epi##S(p, m, v); }                             \
    INLINE V least_##S(V a, V b) { return _mm512_min_epu##S(a, b); }                                                    \
    INLINE V most_##S(V a, V b) { return _mm512_max_epu##S(a, b); }                                                     \
    INLINE V choose_##S(MASK_##S m, V a, V b) { return _mm512_mask_mov_epi##S(a, m, b); }                               \
    INLINE MASK_##S below_##S(V a, V b) { return _mm512_cmplt_epu##S##_mask(a, b); }                                    \
    INLINE MASK_##S not_below_##S(V a, V b) { return _mm512_cmpge_epu##S##_mask(a, b); }                                \
    INLINE V pack_##S(MASK_##S m, V v) { return _mm512_maskz_compress_epi##S(m, v); }
DEFINE_VECTOR(32)
DEFINE_VECTOR(64)
INLINE V all_32(uint32_t x) { return _mm512_set1_epi32((int)x); }
INLINE V all_64(uint64_t x) { return _mm512_set1_epi64((long long)x); }
INLINE V turn_32(V v, int d)
{
    const V lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    return _mm512_permutexvar_epi32(_mm512_xor_si512(lanes, _mm512_set1_epi32(d)), v);
}
INLINE V turn_64(V v, int d)
{
    const V lanes = _mm512_setr_epi64(0, 1, 2, 3, 4, 5, 6, 7);
    return _mm512_permutexvar_epi64(_mm512_xor_si512(lanes, _mm512_set1_epi64(d)), v);
}
INLINE V zip_32(V a, V b, int half)
{
    const V at = half ? _mm512_setr_epi32(8, 24, 9, 25, 10, 26, 11, 27, 12, 28, 13, 29, 14, 30, 15, 31)
                      : _mm512_setr_epi32(0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23);
    return _mm512_permutex2var_epi32(a, at, b);
}
INLINE V zip_64(V a, V b, int half)
{
    const V at = half ? _mm512_setr_epi64(4, 12, 5, 13, 6, 14, 7, 15) : _mm512_setr_epi64(0, 8, 1, 9, 2, 10, 3, 11);
    return _mm512_permutex2var_epi64(a, at, b);
}
#endif
#endif
