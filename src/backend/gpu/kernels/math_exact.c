/*
 * math_exact.c - what is exact and made otherwise than on the CPU: quotients and powers of integers, remainders of floats.
 */

/* ---- integers: a zero divisor gives 0, the smallest number by -1 wraps */

#define DEFINE_DIVISION(T, U, NEGATIVE)                              \
    FN T idiv_##T(T x, T y)                                          \
    {                                                                \
        const bool turned = NEGATIVE(y == (T)-1), zero = y == 0;     \
        const T q = (T)(x / (turned || zero ? (T)1 : y));            \
        return zero ? (T)0 : turned ? (T)((U)0 - (U)x) : q;          \
    }                                                                \
    FN T irem_##T(T x, T y)                                          \
    {                                                                \
        return y == 0 ? (T)0 : (T)((U)x - (U)idiv_##T(x, y) * (U)y); \
    }                                                                \
    FN T ifld_##T(T x, T y)                                          \
    {                                                                \
        const T r = irem_##T(x, y);                                  \
        const bool below = NEGATIVE(r != 0 && (r < 0) != (y < 0));   \
        return (T)((U)idiv_##T(x, y) - (U)below);                    \
    }                                                                \
    FN T imod_##T(T x, T y)                                          \
    {                                                                \
        const T r = irem_##T(x, y);                                  \
        const bool below = NEGATIVE(r != 0 && (r < 0) != (y < 0));   \
        return below ? (T)((U)r + (U)y) : r;                         \
    }
#define SIGNED(X) (X)
#define UNSIGNED(X) false
DEFINE_DIVISION(i8, u32, SIGNED)
DEFINE_DIVISION(i16, u32, SIGNED)
DEFINE_DIVISION(i32, u32, SIGNED)
DEFINE_DIVISION(i64, u64, SIGNED)
DEFINE_DIVISION(u8, u32, UNSIGNED)
DEFINE_DIVISION(u16, u32, UNSIGNED)
DEFINE_DIVISION(u32, u32, UNSIGNED)
DEFINE_DIVISION(u64, u64, UNSIGNED)

/* By squaring. A negative exponent: 1 and -1 have powers, and all others 0, with a fault. */
#define DEFINE_POWER(T, U, NEGATIVE)                                                    \
    FN T ipow_##T(T x, T y)                                                             \
    {                                                                                   \
        U base = (U)x, result = 1;                                                      \
        for (u64 n = NEGATIVE(y < 0) ? (u64)(y & 1) : (u64)y; n; n >>= 1, base *= base) \
            result *= n & 1 ? base : (U)1;                                              \
        return NEGATIVE(y < 0 && x != 1 && x != (T)-1) ? (T)0 : (T)result;              \
    }
DEFINE_POWER(i8, u32, SIGNED)
DEFINE_POWER(i16, u32, SIGNED)
DEFINE_POWER(i32, u32, SIGNED)
DEFINE_POWER(i64, u64, SIGNED)
DEFINE_POWER(u8, u32, UNSIGNED)
DEFINE_POWER(u16, u32, UNSIGNED)
DEFINE_POWER(u32, u32, UNSIGNED)
DEFINE_POWER(u64, u64, UNSIGNED)

/* ---- remainders of floats, by division of their fractions as integers, STEP bits of the quotient a time */

/* |x| = m*2^e, the least e 1 for all subnormals too */
typedef struct fraction {
    u64 m;
    i32 e;
} fraction;
#define DEFINE_FRACTION(T, U, BITS, FIRST, TOP)                                      \
    FN fraction fraction_##T(T x)                                                    \
    {                                                                                \
        const U u = BITS(x) & (U)TOP, e = u >> FIRST, m = u & (((U)1 << FIRST) - 1); \
        fraction r;                                                                  \
        r.m = (u64)(e ? m | (U)1 << FIRST : m);                                      \
        r.e = e ? (i32)e : 1;                                                        \
        return r;                                                                    \
    }
DEFINE_FRACTION(f32, u32, F32_BITS, 23, 0x7fffffffu)
DEFINE_FRACTION(f64, u64, F64_BITS, 52, 0x7fffffffffffffffu)

/* |x| mod |y| as a multiple of the last place of y, or of x where |x| < |y|; both finite, y not 0 */
FN u64 fraction_mod(fraction x, fraction y, i32 step, bool *odd)
{
    u64 q = x.m / y.m, r = x.m - q * y.m;
    for (i32 left = x.e - y.e; left > 0; left -= step) {
        const i32 n = left < step ? left : step;
        const u64 shifted = r << n;
        q = shifted / y.m;
        r = shifted - q * y.m;
    }
    *odd = q & 1;
    return r;
}
/* m*2^(e - bias) without rounding, m below 2^24 and 2^53 */
FN f32 from_fraction_f32(u64 m, i32 e)
{
    const i32 k = e - 150, first = k / 2;
    return (f32)(i32)m * power2_f32(first) * power2_f32(k - first);
}
FN f64 from_fraction_f64(u64 m, i32 e)
{
    const i32 k = e - 1075, first = k / 2;
    return (f64)m * power2_f64((f64)first) * power2_f64((f64)(k - first));
}

/* REMAINDER: to the nearest quotient, halfway to the even one; |x| < |y|/2 is its own. FLDMOD: with the sign of the divisor. */
#define DEFINE_REMAINDERS(T, F, STEP, LARGEST)                                                        \
    FN F fmod_##T(F x, F y)                                                                           \
    {                                                                                                 \
        const F a = abs_##T(x), b = abs_##T(y);                                                       \
        bool odd;                                                                                     \
        if (!(a <= LARGEST && b > 0))                                                                 \
            return b >= 0 && x == x ? (F)NAN : x + y;                                                 \
        if (a < b)                                                                                    \
            return x;                                                                                 \
        const fraction n = fraction_##T(x), d = fraction_##T(y);                                      \
        return copysign_##T(from_fraction_##T(fraction_mod(n, d, STEP, &odd), d.e), x);               \
    }                                                                                                 \
    FN F remainder_##T(F x, F y)                                                                      \
    {                                                                                                 \
        const F a = abs_##T(x), b = abs_##T(y);                                                       \
        bool odd = false;                                                                             \
        if (!(a <= LARGEST && b > 0))                                                                 \
            return b >= 0 && x == x ? (F)NAN : x + y;                                                 \
        const fraction n = fraction_##T(x), d = fraction_##T(y);                                      \
        const F r = a < b ? a : from_fraction_##T(fraction_mod(n, d, STEP, &odd), d.e), rest = b - r; \
        const F result = r > rest || (r == rest && odd) ? r - b : r;                                  \
        return T##_from(T##_bits(result) ^ T##_sign(x));                                              \
    }                                                                                                 \
    FN F fldmod_##T(F x, F y)                                                                         \
    {                                                                                                 \
        const F r = fmod_##T(x, y);                                                                   \
        const bool other = (T##_sign(r) ^ T##_sign(y)) != 0;                                          \
        return r == 0 ? copysign_##T(r, y) : other ? r + y : r;                                       \
    }
DEFINE_REMAINDERS(f32, f32, 40, FLT_MAX)
DEFINE_REMAINDERS(f64, f64, 11, DBL_MAX)

/* ---- f32 whose form on the CPU is f64, rounded; without f64 the language's own */

#define wide_cbrt(X) WIDE1(cbrt_f64, cbrt, X)
#define wide_expm1(X) WIDE1(expm1_f64, expm1, X)
#define wide_log1p(X) WIDE1(log1p_f64, log1p, X)
#define wide_tan(X) WIDE1(any_tan_f64, tan, X)
#define wide_sinpi(X) WIDE1(sinpi_f64, sinpi, X)
#define wide_cospi(X) WIDE1(cospi_f64, cospi, X)
#define wide_asin(X) WIDE1(asin_f64, asin, X)
#define wide_acos(X) WIDE1(acos_f64, acos, X)
#define wide_atan(X) WIDE1(atan_f64, atan, X)
#define wide_sinh(X) WIDE1(sinh_f64, sinh, X)
#define wide_cosh(X) WIDE1(cosh_f64, cosh, X)
#define wide_asinh(X) WIDE1(asinh_f64, asinh, X)
#define wide_acosh(X) WIDE1(acosh_f64, acosh, X)
#define wide_atanh(X) WIDE1(atanh_f64, atanh, X)
#define wide_erf(X) WIDE1(erf_f64, erf, X)
#define wide_erfc(X) WIDE1(erfc_f64, erfc, X)
#define wide_atan2(X, Y) WIDE2(atan2_f64, atan2, X, Y)
#define wide_pow(X, Y) WIDE2(pow_f32, pow, X, Y)
#define wide_hypot(X, Y) WIDE2(hypot_f32, hypot, X, Y)
FN f32 own_ldexp(f32 x, f32 y)
{
    const f32 low = y < -400 ? -400 : y, k = low > 400 ? 400 : low;
    return y != y ? y : ldexp(x, (i32)k);
}
#define wide_ldexp(X, Y) WIDE2(ldexp_f32, own_ldexp, X, Y)
