/*
 * random.c - words of the Philox generators, and numbers made of words.
 *
 * Philox (J. K. Salmon et al., Parallel random numbers: as easy as 1, 2, 3, SC 2011) enciphers a counter. A vector holds whole
 * counters in the order of memory, so that words come out as they are stored: lanes x0 x1 x2 x3 of one counter, then those of
 * the next. A round multiplies the even lanes, x0 and x2, which gives lo0 hi0 lo1 hi1 in their places; in reverse that is
 * hi1 lo1 hi0 lo0, and the even ones of these take x1 and x3, which a shift brings there, and the round's keys by exclusive or.
 * With two words a counter the same holds in pairs. All this is for little-endian machines.
 *
 * Numbers have the same bits on every level: no fused multiply-add is used, and nothing that rounds is left to the compiler.
 */
#include "backend/cpu/kernels/loop.h"
#include "backend/cpu/kernels/math_base.h"

/* The functions of math_log.h and math_trig.h that are used here have the same bits everywhere when they are made of these. */
#undef MAD_F32
#undef MAD_F64
#define MAD_F32(a, b, c) ((a) * (b) + (c))
#define MAD_F64(a, b, c) ((a) * (b) + (c))
#include "backend/cpu/kernels/math_log.h"
#include "backend/cpu/kernels/math_trig.h"

/* ---- words */

#if defined(__AVX512F__)
#include <immintrin.h>
enum { VECTOR = 64, VECTORS = 8 }; /* bytes of one; how many are computed side by side, for rounds wait for one another */
#define LIST(a, b, c, d) a, b, c, d, 4 + a, 4 + b, 4 + c, 4 + d, 8 + a, 8 + b, 8 + c, 8 + d, 12 + a, 12 + b, 12 + c, 12 + d
#elif defined(__AVX2__)
#include <immintrin.h>
enum { VECTOR = 32, VECTORS = 8 };
#define LIST(a, b, c, d) a, b, c, d, 4 + a, 4 + b, 4 + c, 4 + d
#else
#ifdef __SSE2__
#include <emmintrin.h>
#endif
enum { VECTOR = 16, VECTORS = 4 };
#define LIST(a, b, c, d) a, b, c, d
#endif
#ifdef __clang__
#define SHUFFLE(x, a, b, c, d) __builtin_shufflevector(x, x, LIST(a, b, c, d))
#else
#define SHUFFLE(x, a, b, c, d) __builtin_shuffle(x, (words){LIST(a, b, c, d)})
#endif
typedef uint64_t wide __attribute__((vector_size(VECTOR)));
typedef uint32_t words __attribute__((vector_size(VECTOR)));
enum { LANES = VECTOR / 4, HALF = VECTOR / 8 };

/* Products of the even 32-bit lanes. gcc 12 makes three multiplications of what is one instruction. */
INLINE wide product(wide a, wide b)
{
#if defined(__AVX512F__)
    return (wide)_mm512_mul_epu32((__m512i)a, (__m512i)b);
#elif defined(__AVX2__)
    return (wide)_mm256_mul_epu32((__m256i)a, (__m256i)b);
#elif defined(__SSE2__)
    return (wide)_mm_mul_epu32((__m128i)a, (__m128i)b);
#else
    return (a & UINT32_MAX) * (b & UINT32_MAX);
#endif
}

/* The 64-bit lanes a b a b ... */
INLINE wide in_turns(uint64_t a, uint64_t b)
{
    wide v;
    for (int i = 0; i < HALF; i++)
        v[i] = i % 2 ? b : a;
    return v;
}

/* d: the words of the counters item, item + 1, ... n of them, a multiple of ASH__RANDOM_STEP. */
#define DEFINE_WORDS(NAME, ROUNDS, SHUFFLED, MULTIPLIERS, KEYS, FIRST, NEXT)                      \
    static void NAME(uint32_t *d, const uint32_t key[2], uint64_t item, uint64_t call, int64_t n) \
    {                                                                                             \
        const wide multiplier = MULTIPLIERS;                                                      \
        wide round[ROUNDS], counter = FIRST;                                                      \
        for (uint32_t r = 0; r < ROUNDS; r++)                                                     \
            round[r] = KEYS;                                                                      \
        const wide next = NEXT;                                                                   \
        for (int64_t i = 0; i < n; i += VECTORS * LANES) {                                        \
            wide x[VECTORS];                                                                      \
            for (int v = 0; v < VECTORS; v++, counter += next)                                    \
                x[v] = counter;                                                                   \
            for (int r = 0; r < ROUNDS; r++)                                                      \
                for (int v = 0; v < VECTORS; v++) {                                               \
                    const words p = (words)product(x[v], multiplier);                             \
                    x[v] = (wide)SHUFFLED ^ x[v] >> 32 ^ round[r];                                \
                }                                                                                 \
            memcpy(d + i, x, sizeof x);                                                           \
        }                                                                                         \
    }
/* The counter of lane pair i: of Philox4x32 a half of one, of Philox2x32 a whole one, in whose upper half `call` is added. */
INLINE wide first_of_4(uint64_t item, uint64_t call)
{
    wide v = in_turns(item, call);
    for (int i = 0; i < HALF; i += 2)
        v[i] += (uint64_t)i / 2;
    return v;
}
INLINE wide first_of_2(uint64_t item, uint64_t call)
{
    wide v;
    for (int i = 0; i < HALF; i++)
        v[i] = item + (uint64_t)i + (call << 32);
    return v;
}
DEFINE_WORDS(words_of_4, 10, SHUFFLE(p, 3, 2, 1, 0), in_turns(0xd2511f53u, 0xcd9e8d57u),
             in_turns(key[0] + r * 0x9e3779b9u, key[1] + r * 0xbb67ae85u), first_of_4(item, call), in_turns(HALF / 2, 0))
DEFINE_WORDS(words_of_2, 7, SHUFFLE(p, 1, 0, 3, 2), in_turns(0xd256d193u, 0xd256d193u),
             in_turns(key[0] + r * 0x9e3779b9u, key[0] + r * 0x9e3779b9u), first_of_2(item, call), in_turns(HALF, HALF))

/* Two words as one number, the first the lower half, as they lie in memory. */
typedef uint64_t word64 __attribute__((may_alias));

/* One rounding, on every level; below AVX-512 vectors have no such conversion. */
INLINE double f64_of(uint64_t x)
{
#ifdef __AVX512DQ__
    return (double)x;
#else
    const double high = f64_from(x >> 32 | 0x4530000000000000u) - (0x1p84 + 0x1p52);
    return high + f64_from((x & 0xffffffffu) | 0x4330000000000000u);
#endif
}

/* ---- uniform */

static void truth(void *d, const uint32_t *w, int64_t n)
{
    uint8_t *const b = d;
    for (int64_t i = 0; i < n; i++)
        b[i] = w[i] & 1;
}
/* (0, 1]: the products are exact, so that each sum is rounded once. */
static void uniform_f32(void *d, const uint32_t *w, int64_t n)
{
    float *const x = d;
    for (int64_t i = 0; i < n; i++)
        x[i] = (float)w[i] * 0x1p-32f + 0x1p-33f;
}
static void uniform_f64(void *d, const uint32_t *w, int64_t n)
{
    double *const x = d;
    const word64 *const u = (const word64 *)(const void *)w;
    for (int64_t i = 0; i < n; i++)
        x[i] = f64_of(u[i]) * 0x1p-64 + 0x1p-65;
}

/* ---- logarithms of (w + 1/2) / 2^bits, which is below 1 */

/* w + 1/2 = 2^e * (1 + f). The halves of w, and their differences from 2^e, are exact, so f is rounded once. */
INLINE float log_word(uint32_t w)
{
    const float high = (float)(int32_t)(w >> 16) * 0x1p16f, low = (float)(int32_t)(w & 0xffff) + 0.5f;
    const uint32_t e = (f32_bits(high + low) + (0x3f800000u - 0x3f3504f3u)) & 0x7f800000u;
    const float f = ((high - f32_from(e)) + low) * f32_from(0x7f000000u - e);
    const float k = (float)((int32_t)(e >> 23) - (127 + 32));
    return k * 0x1.63p-1f + (f + (-0.5f * f * f + (k * -0x1.bd0106p-13f + log_cubic_f32(f))));
}
INLINE double log_word64(uint64_t w)
{
    const double high = f64_from(w >> 32 | 0x4530000000000000u) - 0x1p84;
    const double low = f64_from((w & 0xffffffffu) | 0x4330000000000000u) - (0x1p52 - 0.5);
    const uint64_t e = (f64_bits(high + low) + (0x3ff0000000000000u - 0x3fe6a09e667f3bcdu)) & 0x7ff0000000000000u;
    const double f = ((high - f64_from(e)) + low) * f64_from(0x7fe0000000000000u - e), half = 0.5 * f * f;
    const double k = f64_from(e >> 52 | 0x4330000000000000u) - (0x1p52 + 1023 + 64);
    return k * LN2_HI - ((half - (log_rest(f) + k * LN2_LO)) - f);
}

static void exponential_f32(void *d, const uint32_t *w, int64_t n)
{
    float *const x = d;
    for (int64_t i = 0; i < n; i++)
        x[i] = -log_word(w[i]);
}
static void exponential_f64(void *d, const uint32_t *w, int64_t n)
{
    double *const x = d;
    const word64 *const u = (const word64 *)(const void *)w;
    for (int64_t i = 0; i < n; i++)
        x[i] = -log_word64(u[i]);
}

/* ---- normal: G. E. P. Box and M. E. Muller, Annals of Mathematical Statistics 29 (1958). The angle comes from the first word
 * of two, as an octant, its low 3 bits, and a position within it, y (+ rest); the radius from the second. */

INLINE void normal_pair_f32(float *x, uint32_t u, uint32_t w, float scale)
{
    const float high = (float)(int32_t)(u >> 16) * 0x1p-18f, low = ((float)(int32_t)(u >> 3 & 0x1fff) + 0.5f) * 0x1p-31f;
    const float y = high + low, rest = (high - y) + low, z = y * y;
    const float p = POLY4(MAD_F32, z, -0x1.a0f36cp-24f, -0x1.4abbbap+2f, 0x1.465ee8p+1f, -0x1.2da132p-1f);
    const float q = POLY4(MAD_F32, z, -0x1.3bd3ccp+2f, 0x1.03c1aep+2f, -0x1.55b146p+0f, 0x1.d47d64p-3f);
    const float s = y * 0x1.921fb6p+1f + (y * p + rest * 0x1.921fb6p+1f), c = 1 + (z * q - rest * (y * 0x1.3bd3ccp+3f));
    const float r = sqrtf(scale * log_word(w)), sine = u & 1 ? c : s, cosine = u & 1 ? s : c;
    x[0] = r * f32_from(f32_bits(sine) ^ (u & 2) << 30);
    x[1] = r * f32_from(f32_bits(cosine) ^ (u & 4) << 29);
}
INLINE void normal_pair_f64(double *x, uint64_t u, uint64_t w, double scale)
{
    const double y = (f64_of(u >> 3) + 0.5) * 0x1p-63, s = sinpi_of_reduced(y), c = cospi_of_reduced(y);
    const double r = sqrt(scale * log_word64(w)), sine = u & 1 ? c : s, cosine = u & 1 ? s : c;
    x[0] = r * f64_from(f64_bits(sine) ^ (u & 2) << 62);
    x[1] = r * f64_from(f64_bits(cosine) ^ (u & 4) << 61);
}
/* scale: -2, or -1 for parts of complex numbers. Words come in pairs also where n is odd. */
static void normal_f32(void *d, const uint32_t *w, double scale, int64_t n)
{
    float *const x = d, by = (float)scale;
    for (int64_t i = 0; i < n / 2; i++)
        normal_pair_f32(x + 2 * i, w[2 * i], w[2 * i + 1], by);
    if (n % 2) {
        float last[2];
        normal_pair_f32(last, w[n - 1], w[n], by);
        x[n - 1] = last[0];
    }
}
static void normal_f64(void *d, const uint32_t *w, double scale, int64_t n)
{
    double *const x = d;
    const word64 *const u = (const word64 *)(const void *)w;
    for (int64_t i = 0; i < n / 2; i++)
        normal_pair_f64(x + 2 * i, u[2 * i], u[2 * i + 1], scale);
    if (n % 2) {
        double last[2];
        normal_pair_f64(last, u[n - 1], u[n], scale);
        x[n - 1] = last[0];
    }
}

/* ---- integers in a range: the whole part of span times the words as a fraction of 1 */

static void range_of_2(uint64_t *d, const uint32_t *w, uint64_t low, uint64_t span, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        d[i] = low + ((w[2 * i + 1] * span + (w[2 * i] * span >> 32)) >> 32);
}
static void range_of_4(uint64_t *d, const uint32_t *w, uint64_t low, uint64_t span, int64_t n)
{
    const word64 *const u = (const word64 *)(const void *)w;
    for (int64_t i = 0; i < n; i++) {
        const uint64_t below = u[2 * i], above = u[2 * i + 1];
        const __uint128_t carry = (__uint128_t)below * span >> 64, whole = (__uint128_t)above * span;
        d[i] = low + (span ? (uint64_t)((whole + carry) >> 64) : above);
    }
}

extern const ash__random_table ASH__TABLE(ash__random);
const ash__random_table ASH__TABLE(ash__random) = {
    .words = {words_of_4, words_of_2},
    .truth = truth,
    .uniform = {uniform_f32, uniform_f64},
    .exponential = {exponential_f32, exponential_f64},
    .normal = {normal_f32, normal_f64},
    .range_of_2 = range_of_2,
    .range_of_4 = range_of_4,
};
