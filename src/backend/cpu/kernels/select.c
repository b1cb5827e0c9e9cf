/*
 * select.c - what a mask of bytes leaves of elements, or of their positions, side by side.
 *
 * Without vectors every element is written where the next one goes, which moves on if it was chosen: no branch depends on the
 * mask, but for groups of 8 of which none is. With them a table has, for each pattern of 8, the places of those that are
 * chosen, which a shuffle brings together; at v4 the processor does that without a table. A vector is stored whole as long as
 * that many elements are still to come: what lies behind the last one belongs to somebody else.
 */
#include "backend/cpu/kernels/loop.h"

#include <string.h>
#ifdef __SSE4_1__
#include <immintrin.h>
#endif

#define INLINED static inline __attribute__((always_inline))

/* ---- counts */

#if defined(__AVX512BW__) && defined(__AVX512VL__)
/* Which of the next 64 bytes, or n if that is less, are not 0. */
INLINED uint64_t sixty_four_bits(const uint8_t *mask, int64_t n)
{
    const __m512i m = n >= 64 ? _mm512_loadu_si512(mask) : _mm512_maskz_loadu_epi8(~(~UINT64_C(0) << (n & 63)), mask);
    return _mm512_test_epi8_mask(m, m);
}
#endif

#if defined(__AVX512BW__) && defined(__AVX512VL__)
static int64_t count_mask(const void *mask, int64_t n)
{
    const uint8_t *m = mask;
    int64_t count = 0;
    for (; n > 0; n -= 64, m += 64)
        count += __builtin_popcountll(sixty_four_bits(m, n));
    return count;
}
#else
static int64_t count_mask(const void *mask, int64_t n)
{
    const uint8_t *m = mask;
    int64_t count = 0, i = 0;
    while (i + 64 <= n) {
        uint64_t lanes[8] = {0}, pairs = 0; /* of bytes: up to 255 rounds */
        const int64_t end = n - i > 255 * 64 ? i + 255 * 64 : n;
        for (; i + 64 <= end; i += 64)
            for (int k = 0; k < 8; k++) {
                uint64_t x;
                memcpy(&x, m + i + 8 * k, sizeof x);
                x |= x >> 4;
                x |= x >> 2;
                x |= x >> 1;
                lanes[k] += x & 0x0101010101010101u;
            }
        for (int k = 0; k < 8; k++)
            pairs += (lanes[k] & 0x00ff00ff00ff00ffu) + (lanes[k] >> 8 & 0x00ff00ff00ff00ffu);
        count += (int64_t)((pairs & 0xffff) + (pairs >> 16 & 0xffff) + (pairs >> 32 & 0xffff) + (pairs >> 48));
    }
    for (; i < n; i++)
        count += m[i] != 0;
    return count;
}
#endif

/* ---- elements, 8 at a time */

/* EIGHT may write 8 elements of S bytes at d, and moves that on and room down by those that are chosen. */
#define DEFINE_EIGHTS(S, EIGHT)                                                            \
    static void compact##S(void *D, const void *A, const void *M, int64_t n, int64_t room) \
    {                                                                                      \
        char *d = D;                                                                       \
        const char *s = A;                                                                 \
        const uint8_t *mask = M;                                                           \
        for (; n >= 8 && room >= 8; n -= 8, s += 8 * (S), mask += 8) {                     \
            uint64_t m;                                                                    \
            memcpy(&m, mask, sizeof m);                                                    \
            if (!m)                                                                        \
                continue;                                                                  \
            EIGHT;                                                                         \
        }                                                                                  \
        for (int64_t i = 0; i < n && room > 0; i++)                                        \
            if (mask[i]) {                                                                 \
                memcpy(d, s + i * (S), S);                                                 \
                d += (S);                                                                  \
                room--;                                                                    \
            }                                                                              \
    }
#define ONE_BY_ONE(S)              \
    char *const start = d;         \
    for (int i = 0; i < 8; i++) {  \
        memcpy(d, s + i * (S), S); \
        d += mask[i] ? (S) : 0;    \
    }                              \
    room -= (d - start) / (S)

#ifdef __SSE4_1__

/* The places of the set bits of m, one byte each, from the lowest on. */
#define PLACE(m, i) ((uint64_t)((m) >> (i)&1 ? (i) : 0) << 8 * __builtin_popcount((m) & ((1u << (i)) - 1)))
#define PLACES(m) \
    (PLACE(m, 0) | PLACE(m, 1) | PLACE(m, 2) | PLACE(m, 3) | PLACE(m, 4) | PLACE(m, 5) | PLACE(m, 6) | PLACE(m, 7))
#define FOUR(m) PLACES(m), PLACES((m) + 1), PLACES((m) + 2), PLACES((m) + 3)
#define SIXTEEN(m) FOUR(m), FOUR((m) + 4), FOUR((m) + 8), FOUR((m) + 12)
#define SIXTY_FOUR(m) SIXTEEN(m), SIXTEEN((m) + 16), SIXTEEN((m) + 32), SIXTEEN((m) + 48)
static const uint64_t places[256] = {SIXTY_FOUR(0u), SIXTY_FOUR(64u), SIXTY_FOUR(128u), SIXTY_FOUR(192u)};

INLINED uint32_t eight_bits(uint64_t m)
{
    const __m128i zero = _mm_cmpeq_epi8(_mm_cvtsi64_si128((int64_t)m), _mm_setzero_si128());
    return ~(uint32_t)_mm_movemask_epi8(zero) & 255;
}
#define FIND_PLACES                         \
    const uint32_t bits = eight_bits(m);    \
    const int c = __builtin_popcount(bits); \
    const __m128i place = _mm_cvtsi64_si128((int64_t)places[bits])

#define EIGHT_1                                                          \
    FIND_PLACES;                                                         \
    const __m128i x = _mm_loadl_epi64((const __m128i *)(const void *)s); \
    _mm_storel_epi64((__m128i *)(void *)d, _mm_shuffle_epi8(x, place));  \
    d += c;                                                              \
    room -= c
#define EIGHT_2                                                                                 \
    FIND_PLACES;                                                                                \
    const __m128i x = _mm_loadu_si128((const __m128i *)(const void *)s);                        \
    const __m128i low = _mm_add_epi8(place, place), high = _mm_add_epi8(low, _mm_set1_epi8(1)); \
    _mm_storeu_si128((__m128i *)(void *)d, _mm_shuffle_epi8(x, _mm_unpacklo_epi8(low, high)));  \
    d += 2 * c;                                                                                 \
    room -= c
DEFINE_EIGHTS(1, EIGHT_1)
DEFINE_EIGHTS(2, EIGHT_2)
#else
DEFINE_EIGHTS(1, ONE_BY_ONE(1))
DEFINE_EIGHTS(2, ONE_BY_ONE(2))
#endif

#if defined(__AVX512BW__) && defined(__AVX512VL__)

/* 64 mask bytes, then W elements at a time, in lanes of BITS. Only the end needs masked loads and stores; the former take twice
 * the time for what is in no cache. */
#define DEFINE_COMPRESS(S, W, BITS, CHOSEN)                                                                                  \
    static void compact##S(void *D, const void *A, const void *M, int64_t n, int64_t room)                                   \
    {                                                                                                                        \
        char *d = D;                                                                                                         \
        const char *s = A;                                                                                                   \
        const uint8_t *mask = M;                                                                                             \
        for (; n > 0; n -= 64, s += 64 * (S), mask += 64) {                                                                  \
            const bool whole = n >= 64;                                                                                      \
            uint64_t bits = sixty_four_bits(mask, n);                                                                        \
            const char *from = s;                                                                                            \
            for (; bits; bits >>= (W), from += (W) * (S)) {                                                                  \
                const uint32_t k = (uint32_t)bits & (uint32_t)((1u << (W)) - 1), lanes = (CHOSEN);                           \
                const int c = __builtin_popcount(lanes);                                                                     \
                const __m512i x = whole ? _mm512_loadu_si512(from) : _mm512_maskz_loadu_epi##BITS((MASK_##BITS)lanes, from); \
                const __m512i v = _mm512_maskz_compress_epi##BITS((MASK_##BITS)lanes, x);                                    \
                if (room >= (W))                                                                                             \
                    _mm512_storeu_si512(d, v);                                                                               \
                else                                                                                                         \
                    _mm512_mask_storeu_epi##BITS(d, (MASK_##BITS)((1u << c) - 1), v);                                        \
                d += c * ((BITS) / 8);                                                                                       \
                room -= __builtin_popcount(k);                                                                               \
            }                                                                                                                \
        }                                                                                                                    \
    }
#define MASK_32 __mmask16
#define MASK_64 __mmask8
DEFINE_COMPRESS(4, 16, 32, k)
DEFINE_COMPRESS(8, 8, 64, k)
DEFINE_COMPRESS(16, 4, 64, _pdep_u32(k, 0x55) * 3)

#elif defined(__AVX2__)

#define EIGHT_4                                                                                             \
    FIND_PLACES;                                                                                            \
    const __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)s);                                 \
    _mm256_storeu_si256((__m256i *)(void *)d, _mm256_permutevar8x32_epi32(x, _mm256_cvtepu8_epi32(place))); \
    d += 4 * c;                                                                                             \
    room -= c
/* The half elements that lie at 2 and 2 + 1 times a place. */
INLINED int four_of_8(char *d, const char *s, uint32_t bits)
{
    const __m256i place = _mm256_cvtepu8_epi64(_mm_cvtsi64_si128((int64_t)places[bits]));
    const __m256i twice = _mm256_add_epi64(_mm256_slli_epi64(place, 1), _mm256_slli_epi64(place, 33));
    const __m256i x = _mm256_loadu_si256((const __m256i *)(const void *)s);
    const __m256i halves = _mm256_add_epi64(twice, _mm256_set1_epi64x(INT64_C(1) << 32));
    _mm256_storeu_si256((__m256i *)(void *)d, _mm256_permutevar8x32_epi32(x, halves));
    return __builtin_popcount(bits);
}
#define EIGHT_8                                                    \
    const uint32_t bits = eight_bits(m);                           \
    const int low = four_of_8(d, s, bits & 15);                    \
    const int c = low + four_of_8(d + 8 * low, s + 32, bits >> 4); \
    d += 8 * c;                                                    \
    room -= c
DEFINE_EIGHTS(4, EIGHT_4)
DEFINE_EIGHTS(8, EIGHT_8)
DEFINE_EIGHTS(16, ONE_BY_ONE(16))

#else

DEFINE_EIGHTS(4, ONE_BY_ONE(4))
DEFINE_EIGHTS(8, ONE_BY_ONE(8))
DEFINE_EIGHTS(16, ONE_BY_ONE(16))

#endif

/* ---- positions: those in a stretch of the mask, counted from its start, then the same in 64 bits */

/* So long that they fit 16 bits, and are in L1 when they are widened. Room for 16 more: vectors are stored whole. */
enum { NEAR = 2048 };

#if defined(__AVX512BW__) && defined(__AVX512VL__)

/* 16 at a time: their numbers are packed as elements are, cut to 16 bits. */
INLINED int sixteen_positions(uint16_t *p, uint64_t bits, __m512i number)
{
    const __mmask16 chosen = (__mmask16)bits;
    const __m512i v = _mm512_maskz_compress_epi32(chosen, number);
    _mm256_storeu_si256((__m256i *)(void *)p, _mm512_cvtepi32_epi16(v));
    return __builtin_popcount(chosen);
}

static int near_positions(uint16_t *near, const uint8_t *mask, int64_t n)
{
    const __m512i lanes = _mm512_setr_epi32(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
    int c = 0;
    for (int64_t i = 0; i < n; i += 64) {
        const uint64_t bits = sixty_four_bits(mask + i, n - i);
        for (int k = 0; bits && k < 64; k += 16)
            c += sixteen_positions(near + c, bits >> k, _mm512_add_epi32(lanes, _mm512_set1_epi32((int)i + k)));
    }
    return c;
}

#else

/* Of the next 16, counted from `first`, to p, which has room for 16. */
INLINED int sixteen_positions(uint16_t *p, const uint8_t *mask, int first)
{
#ifdef __SSE4_1__
    const __m128i zero = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(const void *)mask), _mm_setzero_si128());
    const uint32_t bits = ~(uint32_t)_mm_movemask_epi8(zero) & 0xffff;
    const __m128i low = _mm_cvtepu8_epi16(_mm_cvtsi64_si128((int64_t)places[bits & 255]));
    const __m128i high = _mm_cvtepu8_epi16(_mm_cvtsi64_si128((int64_t)places[bits >> 8]));
    const int c = __builtin_popcount(bits & 255);
    _mm_storeu_si128((__m128i *)(void *)p, _mm_add_epi16(low, _mm_set1_epi16((short)first)));
    _mm_storeu_si128((__m128i *)(void *)(p + c), _mm_add_epi16(high, _mm_set1_epi16((short)(first + 8))));
    return __builtin_popcount(bits);
#else
    int c = 0;
    for (int i = 0; i < 16; i++) {
        p[c] = (uint16_t)(first + i);
        c += mask[i] != 0;
    }
    return c;
#endif
}

static int near_positions(uint16_t *near, const uint8_t *mask, int64_t n)
{
    int c = 0;
    int64_t i = 0;
    for (; i + 16 <= n; i += 16)
        c += sixteen_positions(near + c, mask + i, (int)i);
    for (; i < n; i++) {
        near[c] = (uint16_t)i;
        c += mask[i] != 0;
    }
    return c;
}

#endif

static void positions(int64_t *d, int64_t first, const void *M, int64_t n, int64_t room)
{
    (void)room; /* no more than those are written */
    uint16_t near[NEAR + 16];
    const uint8_t *mask = M;
    for (int64_t at = 0; at < n; at += NEAR) {
        const int c = near_positions(near, mask + at, n - at < NEAR ? n - at : NEAR);
        for (int j = 0; j < c; j++)
            d[j] = first + at + near[j];
        d += c;
    }
}

const ash__select_table ASH__TABLE(ash__select) = {
    .count = count_mask,
    .compact = {compact1, compact2, compact4, compact8, compact16},
    .positions = positions,
};
