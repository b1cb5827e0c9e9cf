/*
 * elementwise_parts.c - rounding to integers, remainders, parts and classes of f32 and f64. All of them are exact.
 */
#include <math.h>

#include "backend/cpu/kernels/elementwise.h"
#include "backend/cpu/kernels/float_parts.h"

/* ---- remainders: r in [0, |y|) and the quotient's parity, from an exact x - q*y ------------------------------------------ */

/* f32 in f64: a quotient below 2^28 that is no integer is 2^-52 of itself or more away from one, so it is cut rightly, and
 * q*y has 52 bits. */
static inline bool fmod_rare_f32(float x, float y)
{
    return fabs((double)x) >= fabs((double)y) * 0x1p28;
}
static inline double magnitude_mod_f32(float x, float y, double *q)
{
    const double a = fabs((double)x), b = fabs((double)y);
    *q = trunc_f64(a / b);
    return b > FLT_MAX ? a : a - *q * b;
}

#if FUSED
/* A quotient below 2^52 may have been rounded up to an integer: q is then one too large, and x - q*y, still exact, negative. */
static inline bool fmod_rare_f64(double x, double y)
{
    return fabs(x) >= fabs(y) * 0x1p52;
}
static inline double magnitude_mod_f64(double x, double y, double *q)
{
    const double a = fabs(x), b = fabs(y), p = trunc_f64(a / b), r = __builtin_fma(-p, b, a);
    *q = r < 0 ? p - 1 : p;
    return b > DBL_MAX ? a : r < 0 ? r + b : r;
}
#else
static inline bool fmod_rare_f64(double x, double y)
{
    return x == x && y == y;
}
static inline double magnitude_mod_f64(double x, double y, double *q)
{
    *q = 0;
    return x + y;
}
#endif

#define DEFINE_REMAINDERS(T, FMOD, REMAINDER)                                                \
    static inline ash__##T fmod_##T(ash__##T x, ash__##T y)                                  \
    {                                                                                        \
        double q;                                                                            \
        const ash__##T r = (ash__##T)magnitude_mod_##T(x, y, &q);                            \
        return copysign_##T(r, x);                                                           \
    }                                                                                        \
    /* r or r - |y|, whichever is nearer to 0; halfway, the one with the even quotient */    \
    static inline ash__##T remainder_##T(ash__##T x, ash__##T y)                             \
    {                                                                                        \
        double q;                                                                            \
        const double r = magnitude_mod_##T(x, y, &q), b = fabs((double)y), rest = b - r;     \
        const bool odd = q * 0.5 != trunc_f64(q * 0.5), up = r > rest || (r == rest && odd); \
        const ash__##T result = (ash__##T)(up ? r - b : r);                                  \
        return T##_from(T##_bits(result) ^ T##_sign(x));                                     \
    }                                                                                        \
    static inline ash__##T with_sign_of_divisor_##T(ash__##T r, ash__##T y)                  \
    {                                                                                        \
        const bool other = (T##_sign(r) ^ T##_sign(y)) != 0;                                 \
        return r == 0 ? copysign_##T(r, y) : other ? r + y : r;                              \
    }                                                                                        \
    static inline ash__##T fldmod_##T(ash__##T x, ash__##T y)                                \
    {                                                                                        \
        return with_sign_of_divisor_##T(fmod_##T(x, y), y);                                  \
    }                                                                                        \
    static inline ash__##T slow_fldmod_##T(ash__##T x, ash__##T y)                           \
    {                                                                                        \
        return with_sign_of_divisor_##T(FMOD(x, y), y);                                      \
    }                                                                                        \
    LOOP2_PATCHED(fmod_loop_##T, ash__##T, fmod_##T, fmod_rare_##T, FMOD)                    \
    LOOP2_PATCHED(remainder_loop_##T, ash__##T, remainder_##T, fmod_rare_##T, REMAINDER)     \
    LOOP2_PATCHED(fldmod_loop_##T, ash__##T, fldmod_##T, fmod_rare_##T, slow_fldmod_##T)
DEFINE_REMAINDERS(f32, fmodf, remainderf)
DEFINE_REMAINDERS(f64, fmod, remainder)

/* ---- the rest */

/* C's fmin and fmax, with -0.0 below 0.0: a comparison with NaN is false and leaves the other choice. */
#define DEFINE_REST(T, SMALLEST, LARGEST)                                                          \
    static inline ash__##T fmin_##T(ash__##T x, ash__##T y)                                        \
    {                                                                                              \
        const ash__##T tie = T##_from(T##_bits(x) | T##_bits(y)), m = x < y ? x : y;               \
        return y != y ? x : x == y ? tie : m;                                                      \
    }                                                                                              \
    static inline ash__##T fmax_##T(ash__##T x, ash__##T y)                                        \
    {                                                                                              \
        const ash__##T tie = T##_from(T##_bits(x) & T##_bits(y)), m = x > y ? x : y;               \
        return y != y ? x : x == y ? tie : m;                                                      \
    }                                                                                              \
    static inline ash__##T fdim_##T(ash__##T x, ash__##T y)                                        \
    {                                                                                              \
        const ash__##T more = x - y;                                                               \
        return x <= y ? 0 : more;                                                                  \
    }                                                                                              \
    LOOP1(floor_loop_##T, ash__##T, ash__##T, floor_##T(x))                                        \
    LOOP1(ceil_loop_##T, ash__##T, ash__##T, ceil_##T(x))                                          \
    LOOP1(trunc_loop_##T, ash__##T, ash__##T, trunc_##T(x))                                        \
    LOOP1(round_loop_##T, ash__##T, ash__##T, round_##T(x))                                        \
    LOOP1(rint_loop_##T, ash__##T, ash__##T, rint_##T(x))                                          \
    LOOP2(fdim_loop_##T, v, v, ash__##T, ash__##T, fdim_##T(x, y))                                 \
    LOOP2(fmin_loop_##T, v, v, ash__##T, ash__##T, fmin_##T(x, y))                                 \
    LOOP2(fmax_loop_##T, v, v, ash__##T, ash__##T, fmax_##T(x, y))                                 \
    LOOP2(copysign_loop_##T, v, v, ash__##T, ash__##T, copysign_##T(x, y))                         \
    LOOP2(nextafter_loop_##T, v, v, ash__##T, ash__##T, nextafter_##T(x, y))                       \
    LOOP2(ldexp_loop_##T, v, v, ash__##T, ash__##T, ldexp_##T(x, y))                               \
    LOOP1(logb_loop_##T, ash__##T, ash__##T, logb_##T(x))                                          \
    LOOP1(isnan_loop_##T, ash__##T, ash__bool, x != x)                                             \
    LOOP1(isinf_loop_##T, ash__##T, ash__bool, abs_##T(x) > LARGEST)                               \
    LOOP1(isfinite_loop_##T, ash__##T, ash__bool, abs_##T(x) <= LARGEST)                           \
    LOOP1(isnormal_loop_##T, ash__##T, ash__bool, abs_##T(x) >= SMALLEST && abs_##T(x) <= LARGEST) \
    LOOP1(signbit_loop_##T, ash__##T, ash__bool, T##_bits(x) >> (8 * sizeof x - 1))
DEFINE_REST(f32, FLT_MIN, FLT_MAX)
DEFINE_REST(f64, DBL_MIN, DBL_MAX)

/* ---- tables ---------------------------------------------------------------------------------------------------------------
 */

#define PARTS(ID) [ASH__OP_##ID - ASH__PARTS_FIRST]
#define PARTS_TABLE(T)                                                                                                \
    {                                                                                                                 \
        PARTS(FLOOR) = floor_loop_##T, PARTS(CEIL) = ceil_loop_##T, PARTS(TRUNC) = trunc_loop_##T,                    \
        PARTS(ROUND) = round_loop_##T, PARTS(RINT) = rint_loop_##T, PARTS(FMOD) = fmod_loop_##T,                      \
        PARTS(REMAINDER) = remainder_loop_##T, PARTS(FLDMOD) = fldmod_loop_##T, PARTS(FDIM) = fdim_loop_##T##_vv,     \
        PARTS(FMIN) = fmin_loop_##T##_vv, PARTS(FMAX) = fmax_loop_##T##_vv, PARTS(COPYSIGN) = copysign_loop_##T##_vv, \
        PARTS(NEXTAFTER) = nextafter_loop_##T##_vv, PARTS(LDEXP) = ldexp_loop_##T##_vv, PARTS(LOGB) = logb_loop_##T,  \
        PARTS(ISNAN) = isnan_loop_##T, PARTS(ISINF) = isinf_loop_##T, PARTS(ISFINITE) = isfinite_loop_##T,            \
        PARTS(ISNORMAL) = isnormal_loop_##T, PARTS(SIGNBIT) = signbit_loop_##T,                                       \
    }

extern const ash__parts_table ASH__TABLE(ash__parts);
const ash__parts_table ASH__TABLE(ash__parts) = {{PARTS_TABLE(f32), PARTS_TABLE(f64)}};
