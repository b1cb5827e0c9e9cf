/*
 * fold_deviations.c - sums of deviations from a given mean and of their squares.
 *
 * The mean is one rounding off, so the sum of deviations is not 0; from it the caller corrects both the mean and the sum of
 * squares: T. F. Chan, G. H. Golub, R. J. LeVeque, Algorithms for computing the sample variance, The American Statistician
 * 37 (1983), equation 1.7. Lanes are those of fold_block.c; their totals are added in double.
 */
#include "backend/cpu/kernels/fold_ops.h"

static inline double halves(double *s)
{
    for (int w = ASH__LANES / 2; w > 0; w /= 2)
        for (int j = 0; j < w; j++)
            s[j] += s[j + w];
    return s[0];
}

#define DEFINE_DEVIATIONS(NAME, T)                                                                                       \
    static void block_##NAME(double sum[2], const void *a, double mean, int64_t n)                                       \
    {                                                                                                                    \
        const T *x = a;                                                                                                  \
        const T m = (T)mean;                                                                                             \
        T s[ASH__LANES] = {0}, q[ASH__LANES] = {0};                                                                      \
        double wide[2][ASH__LANES];                                                                                      \
        for (int half = 0; half < ASH__LANES; half += ASH__LANES / 2) { /* half the lanes at a time stay in registers */ \
            T *hs = s + half, *hq = q + half;                                                                            \
            int64_t i = half;                                                                                            \
            for (; i + ASH__LANES / 2 <= n; i += ASH__LANES)                                                             \
                for (int j = 0; j < ASH__LANES / 2; j++) {                                                               \
                    const T d = x[i + j] - m;                                                                            \
                    hs[j] += d;                                                                                          \
                    hq[j] += d * d;                                                                                      \
                }                                                                                                        \
            for (int64_t j = 0; i + j < n; j++) {                                                                        \
                const T d = x[i + j] - m;                                                                                \
                hs[j] += d;                                                                                              \
                hq[j] += d * d;                                                                                          \
            }                                                                                                            \
        }                                                                                                                \
        for (int j = 0; j < ASH__LANES; j++) {                                                                           \
            wide[0][j] = (double)s[j];                                                                                   \
            wide[1][j] = (double)q[j];                                                                                   \
        }                                                                                                                \
        sum[0] = halves(wide[0]);                                                                                        \
        sum[1] = halves(wide[1]);                                                                                        \
    }                                                                                                                    \
    static void columns_##NAME(void *sum, void *square, const void *a, const void *mean, int64_t rows, int64_t width)    \
    {                                                                                                                    \
        T *s = sum, *q = square;                                                                                         \
        const T *x = a, *m = mean;                                                                                       \
        for (; rows > 0; rows--, x += width)                                                                             \
            ASH__IVDEP for (int64_t j = 0; j < width; j++)                                                               \
            {                                                                                                            \
                const T d = x[j] - m[j];                                                                                 \
                s[j] += d;                                                                                               \
                q[j] += d * d;                                                                                           \
            }                                                                                                            \
    }
DEFINE_DEVIATIONS(f32, float)
DEFINE_DEVIATIONS(f64, double)

const ash__fold_deviations ASH__TABLE(ash__fold_deviations) = {
    .block = {[ASH_F32] = block_f32, [ASH_F64] = block_f64},
    .columns = {[ASH_F32] = columns_f32, [ASH_F64] = columns_f64},
};
