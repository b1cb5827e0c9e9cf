/* peak.c - how fast this processor multiplies and adds at most; compiled with fused multiply-adds. */
#include "hand.h"

/* 16 chains of 64 bytes each, more than any processor has under way. They begin with numbers that the compiler does not know:
 * equal ones would become one chain. */
#define EACH_CHAIN _Pragma("GCC unroll 16") for (int k = 0; k < CHAINS; k++)
#define DEFINE_MULTIPLY_ADD(NAME, T)                          \
    void hand_multiply_add_##NAME(T *o, int64_t n)            \
    {                                                         \
        typedef T wide __attribute__((vector_size(64)));      \
        enum { CHAINS = 16, EACH = CHAINS * 64 / sizeof(T) }; \
        const wide x = o[0] * 0 + (wide){0} + (T)0.5;         \
        const wide y = o[1] * 0 + (wide){0} + (T)1;           \
        wide s[CHAINS];                                       \
        EACH_CHAIN s[k] = (wide){0} + o[k];                   \
        for (int64_t i = 0; i < n; i += EACH) {               \
            EACH_CHAIN s[k] = s[k] * x + y;                   \
        }                                                     \
        EACH_CHAIN o[0] += s[k][0] * 0;                       \
    }
DEFINE_MULTIPLY_ADD(f32, float)
DEFINE_MULTIPLY_ADD(f64, double)
