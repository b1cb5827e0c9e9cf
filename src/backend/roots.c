/*
 * roots.c - roots of unity for transforms, in a wider type than they are stored in.
 *
 * Angles are reduced to an eighth of a turn in integers.
 */
#include <math.h>

#include "backend/fourier.h"

void ash__root_of(bool wide, int64_t k, int64_t n, long double out[2])
{
    static const long double eighth = 0.785398163397448309615660845819875721L;
    int64_t a = 8 * k; /* eighths of a turn, times n */
    const bool lower = a > 4 * n;
    a = lower ? 8 * n - a : a;
    const bool left = a > 2 * n;
    a = left ? 4 * n - a : a;
    const bool steep = a > n;
    a = steep ? 2 * n - a : a;
    long double c, s;
    if (wide) {
        const long double angle = eighth * (long double)a / (long double)n;
        c = cosl(angle);
        s = sinl(angle);
    } else { /* twice the digits of f32 are enough */
        const double angle = (double)eighth * (double)a / (double)n;
        c = (long double)cos(angle);
        s = (long double)sin(angle);
    }
    out[0] = steep ? s : c;
    out[1] = steep ? c : s;
    out[0] = left ? -out[0] : out[0];
    out[1] = lower ? out[1] : -out[1];
}
