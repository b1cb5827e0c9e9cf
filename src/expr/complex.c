/*
 * complex.c - complex arithmetic and elementary functions, split into real operations.
 *
 * No branches: both sides are computed and one is selected. The principal values and branch cuts are those of C (C17 annex G)
 * and W. Kahan, Branch cuts for complex elementary functions, in: The state of the art in numerical analysis, Oxford 1987;
 * so is the sign of zero on a cut. Where an infinity meets a NaN or 0 the value may be NaN where C says infinity, except for
 * abs, sqrt, exp and log.
 */
#include "expr/complex.h"

#include <float.h>

/* ---- shorthands: b is the builder everywhere; T the machine type of x */

#define ADD(x, y) ash__b2(b, ASH__OP_ADD, x, y)
#define SUB(x, y) ash__b2(b, ASH__OP_SUB, x, y)
#define MUL(x, y) ash__b2(b, ASH__OP_MUL, x, y)
#define DIV(x, y) ash__b2(b, ASH__OP_DIV, x, y)
#define NEG(x) ash__b1(b, ASH__OP_NEG, x)
#define ABS(x) ash__b1(b, ASH__OP_ABS, x)
#define FN(op, x) ash__b1(b, ASH__OP_##op, x)
#define FN2(op, x, y) ash__b2(b, ASH__OP_##op, x, y)
#define LESS(x, y) ash__b2(b, ASH__OP_LT, x, y)
#define SELECT(c, x, y) ash__bselect(b, c, x, y)
#define NUMBER(x) ash__bfloat(b, T, x)
#define IS_ZERO(x) ash__b2(b, ASH__OP_EQ, x, NUMBER(0))

static ash_dtype type_of(const ash__builder *b, int x) { return x < 0 ? ASH_F64 : ash__type_of(b, x); }

/* ---- arithmetic */

ash__pair ash__complex_add(ash__builder *b, ash__pair x, ash__pair y)
{
    const int im = x.im < 0 ? y.im : y.im < 0 ? x.im : ADD(x.im, y.im);
    return (ash__pair){ADD(x.re, y.re), im};
}

ash__pair ash__complex_sub(ash__builder *b, ash__pair x, ash__pair y)
{
    const int im = y.im < 0 ? x.im : x.im < 0 ? NEG(y.im) : SUB(x.im, y.im);
    return (ash__pair){SUB(x.re, y.re), im};
}

ash__pair ash__complex_neg(ash__builder *b, ash__pair x)
{
    return (ash__pair){NEG(x.re), x.im < 0 ? -1 : NEG(x.im)};
}

ash__pair ash__complex_mul(ash__builder *b, ash__pair x, ash__pair y)
{
    if (x.im < 0 || y.im < 0) {
        const int im = x.im >= 0 ? MUL(x.im, y.re) : y.im >= 0 ? MUL(x.re, y.im) : -1;
        return (ash__pair){MUL(x.re, y.re), im};
    }
    const int re = SUB(MUL(x.re, y.re), MUL(x.im, y.im));
    return (ash__pair){re, ADD(MUL(x.re, y.im), MUL(x.im, y.re))};
}

/* The larger magnitude's exponent, kept in a range where 2^-k and the scaled parts are normal numbers; 0, infinities and NaN
 * come out at its ends. */
static int exponent_of(ash__builder *b, ash__pair x)
{
    const ash_dtype T = type_of(b, x.re);
    const double limit = T == ASH_F32 ? 120 : 1000;
    const int size = x.im < 0 ? ABS(x.re) : FN2(FMAX, ABS(x.re), ABS(x.im));
    return FN2(FMAX, FN2(FMIN, FN(LOGB, size), NUMBER(limit)), NUMBER(-limit));
}

static ash__pair scale(ash__builder *b, ash__pair x, int factor)
{
    return (ash__pair){MUL(x.re, factor), x.im < 0 ? -1 : MUL(x.im, factor)};
}

/*
 * x conj(y) / |y|^2 with both scaled by powers of two to about 1, as in the example of C17 annex G.5.1, which scales y alone.
 * The squares then neither overflow nor underflow, nothing is rounded by the scaling, and each part has three roundings and
 * the division's.
 */
ash__pair ash__complex_div(ash__builder *b, ash__pair x, ash__pair y)
{
    if (y.im < 0)
        return (ash__pair){DIV(x.re, y.re), x.im < 0 ? -1 : DIV(x.im, y.re)};
    const ash_dtype T = type_of(b, x.re);
    const int one = NUMBER(1), kx = exponent_of(b, x), ky = exponent_of(b, y);
    const ash__pair u = scale(b, x, FN2(LDEXP, one, NEG(kx))), v = scale(b, y, FN2(LDEXP, one, NEG(ky)));
    const int square = ADD(MUL(v.re, v.re), MUL(v.im, v.im)), back = SUB(kx, ky);
    ash__pair q;
    if (u.im < 0)
        q = (ash__pair){MUL(u.re, v.re), NEG(MUL(u.re, v.im))};
    else
        q = (ash__pair){ADD(MUL(u.re, v.re), MUL(u.im, v.im)), SUB(MUL(u.im, v.re), MUL(u.re, v.im))};
    return (ash__pair){FN2(LDEXP, DIV(q.re, square), back), FN2(LDEXP, DIV(q.im, square), back)};
}

/* ---- square root, exponential, logarithm */

/*
 * With t = sqrt((|x| + |z|)/2): t + i y/2t in the right half plane, |y|/2t +- i t in the left (Kahan 1987). Very large and
 * very small z are scaled by a power of 4 first, so that |x| + |z| neither overflows nor loses bits.
 */
static ash__pair complex_sqrt(ash__builder *b, ash__pair z)
{
    const ash_dtype T = type_of(b, z.re);
    const double most = T == ASH_F32 ? (double)FLT_MAX : DBL_MAX, least = T == ASH_F32 ? (double)FLT_MIN : DBL_MIN;
    const double up = T == ASH_F32 ? 0x1p48 : 0x1p108;
    const int size = FN2(FMAX, ABS(z.re), ABS(z.im));
    const int large = LESS(NUMBER(most / 4), size), small = LESS(size, NUMBER(least * up / 4));
    const int down_or_up = SELECT(large, NUMBER(0x1p-4), SELECT(small, NUMBER(up), NUMBER(1)));
    const int back = SELECT(large, NUMBER(0x1p2), SELECT(small, NUMBER(T == ASH_F32 ? 0x1p-24 : 0x1p-54), NUMBER(1)));
    const ash__pair w = scale(b, z, down_or_up);

    const int modulus = FN2(HYPOT, w.re, w.im);
    const int t = FN(SQRT, MUL(ADD(ABS(w.re), modulus), NUMBER(0.5)));
    const int other = SELECT(IS_ZERO(t), ABS(w.im), DIV(MUL(ABS(w.im), NUMBER(0.5)), t));
    const int left = LESS(w.re, NUMBER(0)), infinite = FN(ISINF, z.im);
    const int re = MUL(SELECT(left, other, t), back), im = MUL(SELECT(left, t, other), back);
    return (ash__pair){SELECT(infinite, ABS(z.im), re), FN2(COPYSIGN, SELECT(infinite, ABS(z.im), im), z.im)};
}

/* exp(x) overflows before exp(x) cos(y) does: a factor e^10 is kept apart near the end of the range. */
static ash__pair complex_exp(ash__builder *b, ash__pair z)
{
    const ash_dtype T = type_of(b, z.re);
    const int large = LESS(NUMBER(T == ASH_F32 ? 88 : 709), z.re);
    const int e = FN(EXP, SELECT(large, SUB(z.re, NUMBER(10)), z.re));
    const int factor = SELECT(large, NUMBER(0x1.5829dcf95056p+14), NUMBER(1));
    const int real = IS_ZERO(z.im), zero = IS_ZERO(e);
    const int re = MUL(MUL(e, FN(COS, z.im)), factor), im = MUL(MUL(e, FN(SIN, z.im)), factor);
    /* exp(x + 0i) is real also where exp(x) is infinite; exp(-inf + iy) is 0 for any y */
    const int re_or_zero = SELECT(zero, FN2(COPYSIGN, NUMBER(0), FN(COS, z.im)), re);
    const int im_or_zero = SELECT(zero, FN2(COPYSIGN, NUMBER(0), FN(SIN, z.im)), im);
    return (ash__pair){SELECT(real, MUL(e, factor), re_or_zero), SELECT(real, z.im, im_or_zero)};
}

/*
 * log |z| near |z| = 1 is half of log1p(|z|^2 - 1), with |z|^2 - 1 = (a-1)(a+1) + b^2 for the larger part a: the absolute error
 * stays at a few units of the last place of 1. unit: 1, or the logarithm of the base.
 */
static ash__pair complex_log(ash__builder *b, ash__pair z, ash__op op, double per_unit)
{
    const ash_dtype T = type_of(b, z.re);
    const double most = T == ASH_F32 ? (double)FLT_MAX : DBL_MAX;
    const int x = ABS(z.re), y = ABS(z.im), a = FN2(FMAX, x, y), c = FN2(FMIN, x, y), one = NUMBER(1);
    const int large = LESS(NUMBER(most / 4), a), shrink = SELECT(large, NUMBER(0x1p-2), one);
    const int modulus = FN2(HYPOT, MUL(x, shrink), MUL(y, shrink));
    const int far = ADD(ash__b1(b, op, modulus), SELECT(large, NUMBER(0x1.62e42fefa39efp+0 * per_unit), NUMBER(0)));
    const int square = ADD(MUL(SUB(a, one), ADD(a, one)), MUL(c, c));
    const int near = MUL(FN(LOG1P, square), NUMBER(0.5 * per_unit));
    const int is_near = FN2(AND, LESS(NUMBER(0.7), modulus), LESS(modulus, NUMBER(1.5)));
    return (ash__pair){SELECT(is_near, near, far), MUL(FN2(ATAN2, z.im, z.re), NUMBER(per_unit))};
}

static ash__pair natural_log(ash__builder *b, ash__pair z) { return complex_log(b, z, ASH__OP_LOG, 1); }

ash__pair ash__complex_pow(ash__builder *b, ash__pair x, ash__pair y)
{
    const ash_dtype T = type_of(b, x.re);
    const int zero = NUMBER(0);
    const ash__pair z = {x.re, x.im < 0 ? zero : x.im};
    const ash__pair power = complex_exp(b, ash__complex_mul(b, y, natural_log(b, z)));
    const int of_zero = FN2(AND, IS_ZERO(z.re), IS_ZERO(z.im));
    const int none = y.im < 0 ? IS_ZERO(y.re) : FN2(AND, IS_ZERO(y.re), IS_ZERO(y.im));
    const int vanishes = FN2(AND, of_zero, LESS(zero, y.re));
    const int re = SELECT(none, NUMBER(1), SELECT(vanishes, zero, power.re));
    return (ash__pair){re, SELECT(FN2(OR, none, vanishes), zero, power.im)};
}

/* ---- trigonometric and hyperbolic functions */

/* a times b, which is 0 (with the sign of the product) where b is 0, also if a is infinite. */
static int times_or_zero(ash__builder *b, int x, int y)
{
    const ash_dtype T = type_of(b, x);
    return SELECT(IS_ZERO(y), MUL(FN2(COPYSIGN, NUMBER(1), x), y), MUL(x, y));
}

static ash__pair complex_sinh(ash__builder *b, ash__pair z)
{
    const int re = times_or_zero(b, FN(COS, z.im), FN(SINH, z.re)), im = times_or_zero(b, FN(COSH, z.re), FN(SIN, z.im));
    return (ash__pair){re, im};
}

static ash__pair complex_cosh(ash__builder *b, ash__pair z)
{
    return (ash__pair){MUL(FN(COSH, z.re), FN(COS, z.im)), times_or_zero(b, FN(SINH, z.re), FN(SIN, z.im))};
}

/* Kahan's: with t = tan y, s = sinh x, d = 1 + (1 + t^2) s^2, tanh z = (1 + t^2) sqrt(1 + s^2) s / d + i t / d; far out
 * +-1 + 4i sin y cos y exp(-2|x|). */
static ash__pair complex_tanh(ash__builder *b, ash__pair z)
{
    const ash_dtype T = type_of(b, z.re);
    const double limit = T == ASH_F32 ? 11 : 22;
    const int one = NUMBER(1), is_far = LESS(NUMBER(limit), ABS(z.re));
    const int t = FN(TAN, z.im), beta = ADD(one, MUL(t, t));
    const int s = FN(SINH, FN2(FMAX, FN2(FMIN, z.re, NUMBER(limit)), NUMBER(-limit))), rho = FN(SQRT, ADD(one, MUL(s, s)));
    const int d = ADD(one, MUL(MUL(beta, s), s));
    const int decay = FN(EXP, MUL(NUMBER(-2), ABS(z.re)));
    const int sc = MUL(MUL(FN(SIN, z.im), FN(COS, z.im)), NUMBER(4));
    const int far_re = FN2(COPYSIGN, one, z.re), far_im = MUL(sc, decay);
    const int nan = FN(ISNAN, z.re); /* FMIN and FMAX have dropped it */
    const int re = SELECT(is_far, far_re, DIV(MUL(MUL(beta, rho), s), d)), im = SELECT(is_far, far_im, DIV(t, d));
    return (ash__pair){SELECT(nan, z.re, re), SELECT(nan, SELECT(IS_ZERO(z.im), z.im, z.re), im)};
}

/* i z and its undoing: f(z) = -i g(i z) for sin from sinh, tan from tanh, asinh from asin, atan from atanh. */
static ash__pair turned(ash__builder *b, ash__pair z) { return (ash__pair){NEG(z.im), z.re}; }
static ash__pair turned_back(ash__builder *b, ash__pair z) { return (ash__pair){z.im, NEG(z.re)}; }

static ash__pair complex_sin(ash__builder *b, ash__pair z) { return turned_back(b, complex_sinh(b, turned(b, z))); }
static ash__pair complex_cos(ash__builder *b, ash__pair z) { return complex_cosh(b, turned(b, z)); }
static ash__pair complex_tan(ash__builder *b, ash__pair z) { return turned_back(b, complex_tanh(b, turned(b, z))); }

/* ---- inverse functions: Kahan 1987, with sqrt(1 - z) and sqrt(1 + z) kept apart so that no cut gets lost */

static ash__pair sqrt_of_sum(ash__builder *b, double one, ash__pair z)
{
    const ash_dtype T = type_of(b, z.re);
    return complex_sqrt(b, (ash__pair){ADD(z.re, NUMBER(one)), z.im});
}

static ash__pair sqrt_of_difference(ash__builder *b, ash__pair z)
{
    const ash_dtype T = type_of(b, z.re);
    return complex_sqrt(b, (ash__pair){SUB(NUMBER(1), z.re), NEG(z.im)});
}

static ash__pair complex_asin(ash__builder *b, ash__pair z)
{
    const ash__pair minus = sqrt_of_difference(b, z), plus = sqrt_of_sum(b, 1, z);
    const int re = FN2(ATAN2, z.re, SUB(MUL(minus.re, plus.re), MUL(minus.im, plus.im)));
    return (ash__pair){re, FN(ASINH, SUB(MUL(minus.re, plus.im), MUL(minus.im, plus.re)))};
}

static ash__pair complex_acos(ash__builder *b, ash__pair z)
{
    const ash_dtype T = type_of(b, z.re);
    const ash__pair minus = sqrt_of_difference(b, z), plus = sqrt_of_sum(b, 1, z);
    const int re = MUL(NUMBER(2), FN2(ATAN2, minus.re, plus.re));
    return (ash__pair){re, FN(ASINH, SUB(MUL(plus.re, minus.im), MUL(plus.im, minus.re)))};
}

static ash__pair complex_acosh(ash__builder *b, ash__pair z)
{
    const ash_dtype T = type_of(b, z.re);
    const ash__pair minus = sqrt_of_sum(b, -1, z), plus = sqrt_of_sum(b, 1, z);
    const int re = FN(ASINH, ADD(MUL(minus.re, plus.re), MUL(minus.im, plus.im)));
    return (ash__pair){re, MUL(NUMBER(2), FN2(ATAN2, minus.im, plus.re))};
}

/* log1p(4|x| / ((1-|x|)^2 + y^2)) / 4 with the sign of x; half of the angle of (1+x)(1-x) - y^2 + 2iy. Where the squares may
 * overflow the real part is that of 1/z. */
static ash__pair complex_atanh(ash__builder *b, ash__pair z)
{
    const ash_dtype T = type_of(b, z.re);
    const int one = NUMBER(1), x = ABS(z.re), gap = SUB(one, x), y2 = MUL(z.im, z.im);
    const int ratio = DIV(MUL(NUMBER(4), x), ADD(MUL(gap, gap), y2));
    const int infinite = FN2(OR, FN(ISINF, z.re), FN(ISINF, z.im));
    const int size = FN2(HYPOT, x, z.im), is_far = LESS(NUMBER(T == ASH_F32 ? 0x1p60 : 0x1p500), size);
    const int near = MUL(FN(LOG1P, ratio), NUMBER(0.25)), far = DIV(DIV(x, size), size);
    const int grown = SELECT(infinite, NUMBER(0), SELECT(is_far, far, near));
    const int angle = FN2(ATAN2, MUL(NUMBER(2), z.im), SUB(MUL(gap, ADD(one, x)), y2));
    const int quarter = FN2(COPYSIGN, NUMBER(0x1.921fb54442d18p+0), z.im);
    return (ash__pair){FN2(COPYSIGN, grown, z.re), SELECT(infinite, quarter, MUL(angle, NUMBER(0.5)))};
}

static ash__pair complex_asinh(ash__builder *b, ash__pair z) { return turned_back(b, complex_asin(b, turned(b, z))); }
static ash__pair complex_atan(ash__builder *b, ash__pair z) { return turned_back(b, complex_atanh(b, turned(b, z))); }

bool ash__complex_function(ash__builder *b, ash__op op, ash__pair x, ash__pair *result)
{
    typedef ash__pair function(ash__builder *, ash__pair);
    static function *const functions[ASH__OP_COUNT] = {
        [ASH__OP_SQRT] = complex_sqrt,   [ASH__OP_EXP] = complex_exp,     [ASH__OP_LOG] = natural_log,
        [ASH__OP_SIN] = complex_sin,     [ASH__OP_COS] = complex_cos,     [ASH__OP_TAN] = complex_tan,
        [ASH__OP_ASIN] = complex_asin,   [ASH__OP_ACOS] = complex_acos,   [ASH__OP_ATAN] = complex_atan,
        [ASH__OP_SINH] = complex_sinh,   [ASH__OP_COSH] = complex_cosh,   [ASH__OP_TANH] = complex_tanh,
        [ASH__OP_ASINH] = complex_asinh, [ASH__OP_ACOSH] = complex_acosh, [ASH__OP_ATANH] = complex_atanh,
    };
    const bool log2 = op == ASH__OP_LOG2, log10 = op == ASH__OP_LOG10;
    if (log2 || log10)
        *result = complex_log(b, x, op, log2 ? 0x1.71547652b82fep+0 : 0x1.bcb7b1526e50ep-2);
    else if (functions[op])
        *result = functions[op](b, x);
    else
        return false;
    return true;
}
