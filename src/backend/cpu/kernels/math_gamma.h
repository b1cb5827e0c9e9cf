/*
 * math_gamma.h - the gamma function of f32, computed in f64.
 *
 * Stirling's series at a + 8, divided by a*(a + 1)*...*(a + 7); the reflection formula up to 0. The first term left out is
 * below 1e-15, and the logarithm's error grows to some 1e-13 in the power: nothing in f32, but too much for an f64 result.
 */
#ifndef ASH__MATH_GAMMA_H
#define ASH__MATH_GAMMA_H
#include "backend/cpu/kernels/math_exp.h"
#include "backend/cpu/kernels/math_log.h"
#include "backend/cpu/kernels/math_trig.h"

/* 0 < a <= 48 */
INLINE double tgamma_positive(double a)
{
    const double z = a + 8, w = 1 / z;
    const double series =
        w * POLY7(MAD_F64, w * w, 0x1.5555555555555p-4, -0x1.6c16c16c16c17p-9, 0x1.a01a01a01a01ap-11, -0x1.3813813813814p-11,
                  0x1.b951e2b18ff23p-11, -0x1.f6ab0d9993c7dp-10, 0x1.a41a41a41a41ap-8);
    const double log_gamma = (z - 0.5) * log_corrected(z, 0, 0) - z + (0x1.d67f1c864beb5p-1 + series); /* log(2*pi)/2 */
    const double product = a * (a + 1) * (a + 2) * (a + 3) * (a + 4) * (a + 5) * (a + 6) * (a + 7);
    return exp_shifted(log_gamma, 0) / product;
}
/* From 36 on it is infinite in f32, and from -47 down 0. */
INLINE float tgamma_f32(float x)
{
    const double wide = (double)x, reflected = wide > 0 ? wide : 1 - wide, a = reflected > 48 ? 48 : reflected;
    const double positive = tgamma_positive(a), negative = 0x1.921fb54442d18p+1 / (sinpi_f64(wide) * positive);
    const double y = wide > 0 ? positive : negative;
    return (float)(wide < 0 && rint_f64(wide) == wide ? (double)NAN : y);
}
#endif
