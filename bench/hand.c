/*
 * hand.c - the loops a C programmer would write: fused, restrict, compiled for this machine with full optimisation.
 *
 * The exponential is branch-free so that the loop vectorises: 2^k * e^r by Cody and Waite's reduction (W. J. Cody and
 * W. Waite, Software Manual for the Elementary Functions, 1980, chapter 6) and a Taylor polynomial of degree 7 in r.
 */
#include "hand.h"

#include <string.h>

void hand_copy(float *restrict o, const float *restrict a, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        o[i] = a[i] + 0.0f; /* not memcpy: the same loop as the others, without their arithmetic */
}

float hand_read(const float *a, int64_t n)
{
    enum { LANES = 128 };
    uint32_t lane[LANES] = {0}, all = 0;
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int j = 0; j < LANES; j++) {
            uint32_t bits;
            memcpy(&bits, &a[i + j], sizeof bits);
            lane[j] |= bits;
        }
    for (; i < n; i++) {
        uint32_t bits;
        memcpy(&bits, &a[i], sizeof bits);
        all |= bits;
    }
    for (int j = 0; j < LANES; j++)
        all |= lane[j];
    float result;
    memcpy(&result, &all, sizeof result);
    return result;
}

void hand_square_plus_1(float *restrict o, const float *restrict a, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        o[i] = a[i] * a[i] + 1.0f;
}

void hand_hypot(float *restrict o, const float *restrict x, const float *restrict y, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        o[i] = __builtin_sqrtf(x[i] * x[i] + y[i] * y[i]);
}

static inline float exponential(float x)
{
    const float shifted = x * 1.44269504f + 12582912.0f; /* 1.5 * 2^23: the nearest integer lands in the low bits */
    const float k = shifted - 12582912.0f;
    const float r = (x - k * 0.693145752f) - k * 1.42860677e-6f;
    float p = 1.98412698e-4f;
    p = p * r + 1.38888889e-3f;
    p = p * r + 8.33333333e-3f;
    p = p * r + 4.16666667e-2f;
    p = p * r + 1.66666667e-1f;
    p = p * r + 0.5f;
    p = p * (r * r) + r + 1.0f;
    uint32_t bits;
    float scale;
    memcpy(&bits, &shifted, sizeof bits);
    bits = (bits - 0x4b400000u + 127) << 23;
    memcpy(&scale, &bits, sizeof scale);
    const float y = p * scale;
    return x < -87.0f ? 0.0f : y;
}

void hand_gauss(float *restrict o, const float *restrict x, float c, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        o[i] = exponential(-x[i] * x[i] / 2.0f) * c;
}

void hand_polynomial(float *restrict o, const float *restrict x, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        o[i] = ((((0.1f * x[i] + 0.2f) * x[i] + 0.3f) * x[i] + 0.4f) * x[i] + 0.5f) * x[i] + 0.6f;
}

void hand_add(float *restrict o, const float *restrict a, const float *restrict b, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        o[i] = a[i] + b[i];
}

void hand_take(float *restrict o, const float *restrict a, const int64_t *restrict at, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        o[i] = (uint64_t)at[i] < (uint64_t)n ? a[at[i]] : 0;
}

/* PCG XSL-RR 128/64, M. E. O'Neill, HMC-CS-2014-0905: what NumPy's default generator is. */
void hand_uniform(float *o, int64_t n)
{
    static __uint128_t state = 1;
    const __uint128_t factor = (__uint128_t)0x2360ed051fc65da4 << 64 | 0x4385df649fccf645, step = 1;
    __uint128_t s = state;
    for (int64_t i = 0; i < n; i++) {
        s = s * factor + step;
        const uint64_t x = (uint64_t)(s >> 64) ^ (uint64_t)s, turn = (uint64_t)(s >> 122), y = x >> turn | x << (-turn & 63);
        o[i] = (float)((uint32_t)y >> 8) * 0x1p-24f;
        if (++i < n)
            o[i] = (float)(y >> 40) * 0x1p-24f;
    }
    state = s;
}

void hand_choose(float *restrict o, const float *restrict a, const float *restrict x, const float *restrict y, int64_t n)
{
    for (int64_t i = 0; i < n; i++) {
        const float yes = x[i], no = y[i]; /* both are read, so that the loop vectorises */
        o[i] = a[i] > 0.5f ? yes : no;
    }
}

void hand_square_plus_1_f64(double *restrict o, const double *restrict a, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        o[i] = a[i] * a[i] + 1.0;
}

void hand_hypot_f64(double *restrict o, const double *restrict x, const double *restrict y, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        o[i] = __builtin_sqrt(x[i] * x[i] + y[i] * y[i]);
}

void hand_mixed(double *restrict o, const float *restrict x, const double *restrict y, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        o[i] = (double)x[i] * y[i] + 1.0;
}

void hand_bits(int32_t *restrict o, const int32_t *restrict x, const int32_t *restrict y, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        o[i] = (int32_t)((((uint32_t)x[i] << 3) ^ (uint32_t)y[i]) * (uint32_t)x[i] + (uint32_t)(y[i] >> 5));
}

void hand_within(uint8_t *restrict o, const float *restrict x, const float *restrict y, int64_t n)
{
    for (int64_t i = 0; i < n; i++)
        o[i] = (0.2f < x[i]) & (x[i] < 0.8f) & (x[i] != y[i]);
}

float hand_square_distance(const float *x, const float *y, int64_t n)
{
    enum { LANES = 128 };
    float lane[LANES] = {0};
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int j = 0; j < LANES; j++)
            lane[j] += (x[i + j] - y[i + j]) * (x[i + j] - y[i + j]);
    for (int j = 0; i + j < n; j++)
        lane[j] += (x[i + j] - y[i + j]) * (x[i + j] - y[i + j]);
    for (int w = LANES / 2; w > 0; w /= 2)
        for (int j = 0; j < w; j++)
            lane[j] += lane[j + w];
    return lane[0];
}
