/*
 * math_arc.h - inverse sine, cosine and tangent.
 *
 * asin a = a + a*z*P(z) for a = |x| <= 1/2, z = a^2; above, asin a = pi/2 - 2*asin(sqrt(z)) with z = (1 - a)/2, which is exact.
 * The root is kept as f + c with an f so short that its square is exact (FreeBSD's msun, e_asin.c).
 * atan a = base + atan t, t in [-0.4143, 0.4143], with base one of 0, pi/4, pi/2 and one division for t.
 */
#ifndef ASH__MATH_ARC_H
#define ASH__MATH_ARC_H
#include "backend/cpu/kernels/math_base.h"

/* ---- f64 --------------------------------------------------------------------------------------------------------------------
 */

/* z*P(z) = asin(sqrt z)/sqrt z - 1 for z <= 1/4 */
INLINE double asin_rest(double z)
{
    return z * POLY13(MAD_F64, z, 0x1.5555555555578p-3, 0x1.333333332df8p-4, 0x1.6db6db7226013p-5, 0x1.f1c71a8dc5852p-6,
                      0x1.6e8bdfa6515ap-6, 0x1.1c49e2bbc90d3p-6, 0x1.ca20ce222f292p-7, 0x1.757b78e5fd9bfp-7,
                      0x1.6173fbcec7d5fp-7, 0x1.e2be09f20c166p-9, 0x1.6492d768a8393p-6, -0x1.5954b9d3b31e6p-6,
                      0x1.0bb07368cd7c5p-5);
}
/* sqrt z = hi + lo */
INLINE pair short_root(double z, double s)
{
    const double f = upper_half(s), c = (z - f * f) / (s + f);
    return pair_of(f, z > 0 ? c : 0);
}
INLINE double asin_f64(double x)
{
    const double a = abs_f64(x), z = a < 0.5 ? a * a : 0.5 * (1 - a), s = sqrt(z), r = asin_rest(z);
    const pair root = short_root(z, s);
    const double rest = 2 * s * r - (0.5 * PI_LO - 2 * root.lo);
    const double large = 0.25 * PI_HI - (rest - (0.25 * PI_HI - 2 * root.hi)), y = a < 0.5 ? a + a * r : large;
    return copysign_f64(a > 1 ? (double)NAN : y, x);
}
INLINE double acos_f64(double x)
{
    const double a = abs_f64(x), z = a < 0.5 ? a * a : 0.5 * (1 - a), s = sqrt(z), r = asin_rest(z);
    const pair root = short_root(z, s);
    const double small = 0.5 * PI_HI - (x - (0.5 * PI_LO - x * r));
    const double negative = 2 * (0.5 * PI_HI - (s + (r * s - 0.5 * PI_LO))), positive = 2 * (root.hi + (r * s + root.lo));
    const double large = x < 0 ? negative : positive, y = a < 0.5 ? small : large;
    return a > 1 ? (double)NAN : y;
}

/* base + (t + t*z*P(z)) = base + atan t */
INLINE double atan_sum(pair base, double t)
{
    const double z = t * t;
    const double p =
        POLY12(MAD_F64, z, -0x1.5555555555555p-2, 0x1.99999999997c5p-3, -0x1.249249247e7f0p-3, 0x1.c71c71baee5b2p-4,
               -0x1.745d1529b6424p-4, 0x1.3b1376d05ee8dp-4, -0x1.110ce41fcb7d1p-4, 0x1.e179cf812af3ep-5, -0x1.abab4b4e053b0p-5,
               0x1.71985e7cfcd90p-5, -0x1.13a85bea11fd6p-5, 0x1.f75acdfb8b652p-7);
    return base.hi + (t + (base.lo + t * z * p));
}
/* atan of n/d, both from 0 to infinity and below 2^1022, in the right half plane or, mirrored, in the left one */
INLINE double atan_quotient(double n, double d, bool left)
{
    const bool high = n > 2.414 * d, low = n < 0.4142 * d;
    const double p = high ? -d : low ? n : n - d, q = high ? n : low ? d : n + d, t = p / q;
    const double quarters = high ? 2 : low ? 0 : 1, turned = left ? 4 - quarters : quarters;
    return atan_sum(pair_of(turned * (0.25 * PI_HI), turned * (0.25 * PI_LO)), left ? -t : t);
}
INLINE double atan_f64(double x)
{
    const double a = abs_f64(x), y = atan_quotient(a > 0x1p60 ? 0x1p60 : a, 1, false);
    return copysign_f64(y, x);
}
INLINE double atan2_f64(double y, double x)
{
    const double n = abs_f64(y), d = abs_f64(x);
    const bool large = n > 0x1p1000 || d > 0x1p1000, both = n > DBL_MAX && d > DBL_MAX;
    const double scale = large ? 0x1p-10 : 1;
    const double p = both ? 1 : n * scale, q = both || (n == 0 && d == 0) ? 1 : d * scale;
    const double r = atan_quotient(p, q, f64_sign(x) != 0);
    return copysign_f64(x != x || y != y ? x + y : r, y);
}
#endif
