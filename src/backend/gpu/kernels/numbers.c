/*
 * numbers.c - random words and the normal numbers of a pair of them, as src/backend/cpu/kernels/random.c computes them.
 *
 * In the words of user.c, which has them from kernel.h; behind the prelude they are said here. No multiplication is fused with
 * an addition.
 */
#ifndef ASH__INLINE
typedef i32 int32_t;
typedef u32 uint32_t;
typedef u64 uint64_t;
#define ASH_HAS_F64 F64
#define ASH__INLINE FN
#define ash__upper_u32(A, B) ((u32)((u64)(A) * (B) >> 32))
#define ash__f32_bits(X) F32_BITS(X)
#define ash__bits_f32(X) BITS_F32(X)
#define ash__f64_bits(X) F64_BITS(X)
#define ash__bits_f64(X) BITS_F64(X)
#endif

/* Philox4x32-10: docs/random.md. */
ASH__INLINE void ash_kernel_words(uint64_t seed, uint64_t item, uint64_t call, uint32_t *word)
{
    uint32_t k0 = (uint32_t)seed, k1 = (uint32_t)(seed >> 32);
    uint32_t x0 = (uint32_t)item, x1 = (uint32_t)(item >> 32), x2 = (uint32_t)call, x3 = (uint32_t)(call >> 32);
    _Pragma("unroll")
    for (int round = 0; round < 10; round++) {
        const uint32_t high0 = ash__upper_u32(x0, 0xd2511f53u), low0 = x0 * 0xd2511f53u;
        const uint32_t high1 = ash__upper_u32(x2, 0xcd9e8d57u), low1 = x2 * 0xcd9e8d57u;
        x0 = high1 ^ x1 ^ k0;
        x1 = low1;
        x2 = high0 ^ x3 ^ k1;
        x3 = low0;
        k0 += 0x9e3779b9u;
        k1 += 0xbb67ae85u;
    }
    word[0] = x0;
    word[1] = x1;
    word[2] = x2;
    word[3] = x3;
}

/* ---- logarithms of (w + 1/2) / 2^bits, and numbers that are made of them */

ASH__INLINE float ash__log_word32(uint32_t w)
{
    const float high = (float)(int32_t)(w >> 16) * 0x1p16f, low = (float)(int32_t)(w & 0xffff) + 0.5f;
    const uint32_t e = (ash__f32_bits(high + low) + (0x3f800000u - 0x3f3504f3u)) & 0x7f800000u;
    const float f = ((high - ash__bits_f32(e)) + low) * ash__bits_f32(0x7f000000u - e);
    const float k = (float)((int32_t)(e >> 23) - (127 + 32));
    float p = 0x1.1b4126p-4f;
    p = p * f + -0x1.e2e8ecp-4f;
    p = p * f + 0x1.e650fap-4f;
    p = p * f + -0x1.fb4354p-4f;
    p = p * f + 0x1.2332bcp-3f;
    p = p * f + -0x1.5562e2p-3f;
    p = p * f + 0x1.99a546p-3f;
    p = p * f + -0x1.ffffeep-3f;
    p = p * f + 0x1.555546p-2f;
    return k * 0x1.63p-1f + (f + (-0.5f * f * f + (k * -0x1.bd0106p-13f + f * f * f * p)));
}
ASH__INLINE void ash__normal_f32(float scale, uint32_t u, uint32_t w, float *pair)
{
    const float high = (float)(int32_t)(u >> 16) * 0x1p-18f, low = ((float)(int32_t)(u >> 3 & 0x1fff) + 0.5f) * 0x1p-31f;
    const float y = high + low, rest = (high - y) + low, z = y * y;
    const float p = ((-0x1.2da132p-1f * z + 0x1.465ee8p+1f) * z + -0x1.4abbbap+2f) * z + -0x1.a0f36cp-24f;
    const float q = ((0x1.d47d64p-3f * z + -0x1.55b146p+0f) * z + 0x1.03c1aep+2f) * z + -0x1.3bd3ccp+2f;
    const float s = y * 0x1.921fb6p+1f + (y * p + rest * 0x1.921fb6p+1f), c = 1 + (z * q - rest * (y * 0x1.3bd3ccp+3f));
    const float r = sqrt(scale * ash__log_word32(w)), sine = u & 1 ? c : s, cosine = u & 1 ? s : c;
    pair[0] = r * ash__bits_f32(ash__f32_bits(sine) ^ (u & 2) << 30);
    pair[1] = r * ash__bits_f32(ash__f32_bits(cosine) ^ (u & 4) << 29);
}

#if ASH_HAS_F64
ASH__INLINE double ash__log_word64(uint64_t w)
{
    const double high = ash__bits_f64(w >> 32 | 0x4530000000000000ul) - 0x1p84;
    const double low = ash__bits_f64((w & 0xffffffffu) | 0x4330000000000000ul) - (0x1p52 - 0.5);
    const uint64_t e = (ash__f64_bits(high + low) + (0x3ff0000000000000ul - 0x3fe6a09e667f3bcdul)) & 0x7ff0000000000000ul;
    const double f = ((high - ash__bits_f64(e)) + low) * ash__bits_f64(0x7fe0000000000000ul - e), square = 0.5 * f * f;
    const double k = ash__bits_f64(e >> 52 | 0x4330000000000000ul) - (0x1p52 + 1023 + 64), s = f / (2 + f), z = s * s;
    double r = 0x1.2e940322e9f8fp-3;
    r = r * z + 0x1.39adf12264ae8p-3;
    r = r * z + 0x1.7465b96d2a135p-3;
    r = r * z + 0x1.c71c54e50bb10p-3;
    r = r * z + 0x1.2492493ddd71dp-2;
    r = r * z + 0x1.9999999985764p-2;
    r = r * z + 0x1.555555555557cp-1;
    return k * 0x1.62e42ffp-1 - ((square - (s * (0.5 * f * f + z * r) + k * -0x1.718432a1b0e26p-35)) - f);
}
ASH__INLINE void ash__normal_f64(double scale, uint64_t u, uint64_t w, double *pair)
{
    const double y = ((double)(u >> 3) + 0.5) * 0x1p-63, z = y * y;
    double p = -0x1.6c5b93983c0b1p-16, q = -0x1.bc3f652f0c265p-16;
    p = p * z + 0x1.e8eed159ae936p-12;
    p = p * z + -0x1.e3074b502de1fp-8;
    p = p * z + 0x1.50783485cc006p-4;
    p = p * z + -0x1.32d2cce62ac24p-1;
    p = p * z + 0x1.466bc6775aad9p+1;
    p = p * z + -0x1.4abbce625be53p+2;
    p = p * z + -0x1.b7812aeef4b9fp-1;
    q = q * z + -0x1.96cc84820f57ap-14;
    q = q * z + 0x1.f99fdfbce35afp-10;
    q = q * z + -0x1.a6d1c789b5d12p-6;
    q = q * z + 0x1.e1f506619f819p-3;
    q = q * z + -0x1.55d3c7e3b8a8ep+0;
    q = q * z + 0x1.03c1f081b5a34p+2;
    q = q * z + -0x1.3bd3cc9be45dep+2;
    const double s = y * p + 4 * y, c = 1 + z * q;
    const double r = sqrt(scale * ash__log_word64(w)), sine = u & 1 ? c : s, cosine = u & 1 ? s : c;
    pair[0] = r * ash__bits_f64(ash__f64_bits(sine) ^ (u & 2) << 62);
    pair[1] = r * ash__bits_f64(ash__f64_bits(cosine) ^ (u & 4) << 61);
}
#endif

#ifdef ASH__DEVICE /* as kernel.h declares them */

ASH__INLINE void ash_kernel_normal_f32(uint32_t u, uint32_t w, float *pair)
{
    ash__normal_f32(-2, u, w, pair);
}
ASH__INLINE float ash_kernel_exponential_f32(uint32_t w)
{
    return -ash__log_word32(w);
}
#if ASH_HAS_F64
ASH__INLINE void ash_kernel_normal_f64(uint64_t u, uint64_t w, double *pair)
{
    ash__normal_f64(-2, u, w, pair);
}
ASH__INLINE double ash_kernel_exponential_f64(uint64_t w)
{
    return -ash__log_word64(w);
}
#endif
#endif
