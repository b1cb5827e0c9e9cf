/*
 * fold_deviations.c - sums of deviations from a given mean and of their squares.
 *
 * The mean is one rounding off, so the sum of deviations is not 0; from it the caller corrects both the mean and the sum of
 * squares: T. F. Chan, G. H. Golub, R. J. LeVeque, Algorithms for computing the sample variance, The American Statistician
 * 37 (1983), equation 1.7. Lanes are those of fold_block.c; their totals are added in double, as all is in a short run.
 */
#include "backend/cpu/kernels/fold_ops.h"

enum { HALF = ASH__LANES / 2 };

static inline double halves(double *s)
{
    for (int w = HALF / 2; w > 0; w /= 2)
        for (int j = 0; j < w; j++)
            s[j] += s[j + w];
    return s[0];
}

#define DEFINE_DEVIATIONS(NAME, T)                                                                                    \
    /* Every other run of 64 elements from x on, into 64 lanes, which are added to s and q: all fits in registers. */ \
    static inline void lanes_##NAME(const T *x, int64_t n, T mean, double *s, double *q)                              \
    {                                                                                                                 \
        T hs[HALF] = {0}, hq[HALF] = {0};                                                                             \
        int64_t i = 0;                                                                                                \
        for (; i + HALF <= n; i += ASH__LANES)                                                                        \
            for (int j = 0; j < HALF; j++) {                                                                          \
                const T d = x[i + j] - mean;                                                                          \
                hs[j] += d;                                                                                           \
                hq[j] += d * d;                                                                                       \
            }                                                                                                         \
        for (int64_t j = 0; i + j < n; j++) {                                                                         \
            const T d = x[i + j] - mean;                                                                              \
            hs[j] += d;                                                                                               \
            hq[j] += d * d;                                                                                           \
        }                                                                                                             \
        for (int j = 0; j < HALF; j++) {                                                                              \
            s[j] += (double)hs[j];                                                                                    \
            q[j] += (double)hq[j];                                                                                    \
        }                                                                                                             \
    }                                                                                                                 \
    static void block_##NAME(double sum[2], const void *a, double mean, int64_t n)                                    \
    {                                                                                                                 \
        const T *x = a;                                                                                               \
        double s[HALF] = {0}, q[HALF] = {0};                                                                          \
        if (n < HALF) {                                                                                               \
            for (int64_t i = 0; i < n; i++) {                                                                         \
                const double d = (double)x[i] - mean;                                                                 \
                s[0] += d;                                                                                            \
                q[0] += d * d;                                                                                        \
            }                                                                                                         \
            sum[0] = s[0];                                                                                            \
            sum[1] = q[0];                                                                                            \
            return;                                                                                                   \
        }                                                                                                             \
        lanes_##NAME(x, n, (T)mean, s, q);                                                                            \
        lanes_##NAME(x + HALF, n - HALF, (T)mean, s, q);                                                              \
        sum[0] = halves(s);                                                                                           \
        sum[1] = halves(q);                                                                                           \
    }                                                                                                                 \
    static void columns_##NAME(void *sum, void *square, const void *a, const void *mean, int64_t rows, int64_t width) \
    {                                                                                                                 \
        T *s = sum, *q = square;                                                                                      \
        const T *x = a, *m = mean;                                                                                    \
        for (; rows > 0; rows--, x += width)                                                                          \
            ASH__IVDEP for (int64_t j = 0; j < width; j++)                                                            \
            {                                                                                                         \
                const T d = x[j] - m[j];                                                                              \
                s[j] += d;                                                                                            \
                q[j] += d * d;                                                                                        \
            }                                                                                                         \
    }
DEFINE_DEVIATIONS(f32, float)
DEFINE_DEVIATIONS(f64, double)

const ash__fold_deviations ASH__TABLE(ash__fold_deviations) = {
    .block = {[ASH_F32] = block_f32, [ASH_F64] = block_f64},
    .columns = {[ASH_F32] = columns_f32, [ASH_F64] = columns_f64},
};
