/* peak.c - how fast this processor multiplies and adds at most; compiled with fused multiply-adds. */
#include "hand.h"

/* 16 chains of 64 bytes each: more than any processor has under way. */
#define DEFINE_MULTIPLY_ADD(NAME, T)                                         \
    void hand_multiply_add_##NAME(T *o, int64_t n)                           \
    {                                                                        \
        typedef T wide __attribute__((vector_size(64)));                     \
        enum { CHAINS = 16, EACH = CHAINS * 64 / sizeof(T) };                \
        wide s[CHAINS] = {0}, x = {0}, y = {0};                              \
        x += o[0] * 0 + (T)0.5;                                              \
        y += o[1] * 0 + (T)1;                                                \
        for (int64_t i = 0; i < n; i += EACH) {                              \
            _Pragma("GCC unroll 16") for (int k = 0; k < CHAINS; k++) s[k] = s[k] * x + y; \
        }                                                                    \
        for (int k = 1; k < CHAINS; k++)                                     \
            s[0] += s[k];                                                    \
        o[0] += s[0][0] * 0;                                                 \
    }
DEFINE_MULTIPLY_ADD(f32, float)
DEFINE_MULTIPLY_ADD(f64, double)
