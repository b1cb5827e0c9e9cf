/* bits.h - floats as bits and back, and the parts of IEEE 754 numbers that kernels handle as integers. */
#ifndef ASH__BITS_H
#define ASH__BITS_H
#include <stdint.h>
#include <string.h>

/* A function left out of line would keep the loop around it from being vectorised. */
#if defined(__GNUC__) || defined(__clang__)
#define INLINE static inline __attribute__((always_inline))
#else
#define INLINE static inline
#endif

/* a*b + c, rounded once; FUSED: in one instruction */
#if defined(__FMA__) || defined(__ARM_FEATURE_FMA)
#define FUSED 1
#else
#define FUSED 0
#endif
#define FMA_F32(a, b, c) __builtin_fmaf(a, b, c)
#define FMA_F64(a, b, c) __builtin_fma(a, b, c)

INLINE uint32_t f32_bits(float x)
{
    uint32_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}
INLINE float f32_from(uint32_t u)
{
    float x;
    memcpy(&x, &u, sizeof x);
    return x;
}
INLINE uint64_t f64_bits(double x)
{
    uint64_t u;
    memcpy(&u, &x, sizeof u);
    return u;
}
INLINE double f64_from(uint64_t u)
{
    double x;
    memcpy(&x, &u, sizeof x);
    return x;
}
#endif
