/*
 * math.c - the elementary functions of every level: special values, mpmath's values, and a sweep against long double.
 *
 * Errors are in units of the last place of the exact result (of the smallest subnormal below that). The bounds are those of
 * docs/accuracy.md; ASHLAR_MATH_REPORT=100 in the environment sweeps that much longer and prints the largest errors met as its
 * table.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/kernels.h"
#include "reference/math_values.h"
#include "xorshift.h"

#define COUNT(a) ((int)(sizeof(a) / sizeof(a)[0]))
enum { BATCH = 1024, LEVELS = 4 };

static double uniform(double lo, double hi)
{
    return lo + (hi - lo) * ((double)(next_random() >> 11) * 0x1p-53);
}

/* Kept, because the processor is asked each time, which takes long in a virtual machine. */
static const ash__kernels *level(int number)
{
    static const ash__kernels *kept[5];
    if (!kept[number])
        kept[number] = ash__cpu_kernels_at(number);
    return kept[number] || number > 1 ? kept[number] : ash__cpu_kernels();
}

/* ---- operands in either type */

typedef struct batch {
    ash_dtype type;
    union {
        double f64[BATCH];
        float f32[BATCH];
    } x, y, r;
} batch;

static void put(batch *b, int i, double x, double y)
{
    if (b->type == ASH_F32) {
        b->x.f32[i] = (float)x;
        b->y.f32[i] = (float)y;
    } else {
        b->x.f64[i] = x;
        b->y.f64[i] = y;
    }
}
static double x_of(const batch *b, int i)
{
    return b->type == ASH_F32 ? (double)b->x.f32[i] : b->x.f64[i];
}
static double y_of(const batch *b, int i)
{
    return b->type == ASH_F32 ? (double)b->y.f32[i] : b->y.f64[i];
}
static double result_of(const batch *b, int i)
{
    return b->type == ASH_F32 ? (double)b->r.f32[i] : b->r.f64[i];
}
static void run(const ash__kernels *kernels, ash__op op, batch *b, int n)
{
    ash__kernel_for(kernels->elementwise, op, b->type, 0)(&b->r, &b->x, ash__op_arity(op) > 1 ? &b->y : NULL, NULL, n);
}

/* |got - want| in last places of want; 1e9 for a wrong infinity, NaN or sign of zero. A result that rounds to infinity may also
 * be the largest number. */
static double error_of(ash_dtype type, double got, long double want, double rest)
{
    const int digits = type == ASH_F32 ? FLT_MANT_DIG : DBL_MANT_DIG, least = type == ASH_F32 ? -149 : -1074;
    const double rounded = type == ASH_F32 ? (double)(float)want : (double)want;
    if (isnan(rounded))
        return isnan(got) ? 0 : 1e9;
    if (isinf(rounded))
        return got == rounded || (!isinf(want) && fabs(got) >= (type == ASH_F32 ? (double)FLT_MAX : DBL_MAX)) ? 0 : 1e9;
    if (isnan(got) || (want == 0 && (got != 0 || !signbit(got) != !signbit(want))))
        return 1e9;
    int e = least + digits;
    if (want != 0)
        frexpl(want, &e);
    const int unit = e - digits > least ? e - digits : least;
    return isinf(got) ? 1e9 : (double)ldexpl(fabsl(((long double)got - want) - (long double)rest), -unit);
}

/* ---- the functions, their bounds and the ranges of the sweep */

static const long double pi = 3.14159265358979323846264338327950288L;
static long double turn(long double x, int quarters) /* sin of pi*x and that many quarters more */
{
    const long double whole = fmodl(x, 2), k = rintl(2 * whole), r = pi * (whole - k / 2);
    const int q = ((isfinite(k) ? (int)k : 0) + quarters) & 3;
    const long double s = sinl(r), c = cosl(r), value = q & 1 ? c : s;
    return q & 2 ? -value : value;
}
static long double sinpi_l(long double x)
{
    const long double y = turn(x, 0);
    return y == 0 ? copysignl(0, x) : y;
}
static long double cospi_l(long double x)
{
    return turn(x, 1) + 0.0L;
}

typedef struct function {
    ash__op op;
    long double (*one)(long double), (*two)(long double, long double);
    double f64, f32; /* bounds */
    double range[3][2];
} function;
static const function functions[] = {
    {ASH__OP_SQRT, sqrtl, NULL, 0.5, 0.5, {{0, 100}, {0, 1e10}, {1, 4}}},
    {ASH__OP_CBRT, cbrtl, NULL, 0.7, 0.51, {{-100, 100}, {-1e10, 1e10}, {0.5, 4}}},
    {ASH__OP_EXP, expl, NULL, 1.0, 1.0, {{-10, 10}, {-745, 710}, {-104, 89}}},
    {ASH__OP_EXP2, exp2l, NULL, 1.2, 1.0, {{-10, 10}, {-1075, 1024}, {-150, 128}}},
    {ASH__OP_EXPM1, expm1l, NULL, 1.6, 0.51, {{-1, 1}, {-40, 710}, {-17, 89}}},
    {ASH__OP_LOG, logl, NULL, 1.0, 1.0, {{0.5, 2}, {0, 1e6}, {0.9, 1.1}}},
    {ASH__OP_LOG2, log2l, NULL, 1.0, 2.5, {{0.5, 2}, {0, 1e6}, {0.9, 1.1}}},
    {ASH__OP_LOG10, log10l, NULL, 1.0, 2.5, {{0.5, 2}, {0, 1e6}, {0.9, 1.1}}},
    {ASH__OP_LOG1P, log1pl, NULL, 1.0, 0.51, {{-0.5, 1}, {-1, 1000}, {-0.01, 0.01}}},
    {ASH__OP_SIN, sinl, NULL, 1.0, 1.6, {{-10, 10}, {-1e5, 1e5}, {-1e15, 1e15}}},
    {ASH__OP_COS, cosl, NULL, 1.0, 1.6, {{-10, 10}, {-1e5, 1e5}, {-1e15, 1e15}}},
    {ASH__OP_TAN, tanl, NULL, 2.0, 1.5, {{-10, 10}, {-1e5, 1e5}, {-1e15, 1e15}}},
    {ASH__OP_SINPI, sinpi_l, NULL, 1.5, 0.51, {{-2, 2}, {-1000, 1000}, {-1e15, 1e15}}},
    {ASH__OP_COSPI, cospi_l, NULL, 1.5, 0.51, {{-2, 2}, {-1000, 1000}, {-1e15, 1e15}}},
    {ASH__OP_ASIN, asinl, NULL, 1.0, 0.51, {{-1, 1}, {-0.6, 0.6}, {0.99, 1}}},
    {ASH__OP_ACOS, acosl, NULL, 1.0, 0.51, {{-1, 1}, {-0.6, 0.6}, {0.99, 1}}},
    {ASH__OP_ATAN, atanl, NULL, 1.6, 0.51, {{-3, 3}, {-100, 100}, {-0.5, 0.5}}},
    {ASH__OP_SINH, sinhl, NULL, 2.0, 0.51, {{-2, 2}, {-711, 711}, {-90, 90}}},
    {ASH__OP_COSH, coshl, NULL, 2.0, 0.51, {{-2, 2}, {-711, 711}, {-90, 90}}},
    {ASH__OP_TANH, tanhl, NULL, 2.5, 2.0, {{-1, 1}, {-25, 25}, {-0.1, 0.1}}},
    {ASH__OP_ASINH, asinhl, NULL, 1.0, 0.51, {{-1, 1}, {-100, 100}, {-1e9, 1e9}}},
    {ASH__OP_ACOSH, acoshl, NULL, 1.0, 0.51, {{1, 2}, {1, 100}, {1, 1e9}}},
    {ASH__OP_ATANH, atanhl, NULL, 1.0, 0.51, {{-1, 1}, {-0.3, 0.3}, {0.99, 1}}},
    {ASH__OP_ERF, erfl, NULL, 1.7, 0.51, {{-3, 3}, {-7, 7}, {-0.5, 0.5}}},
    {ASH__OP_ERFC, erfcl, NULL, 2.3, 0.51, {{-3, 3}, {-7, 27}, {0, 1}}},
    {ASH__OP_LGAMMA, lgammal, NULL, 1.0, 0.51, {{0.1, 5}, {-20, 200}, {0, 1e6}}},
    {ASH__OP_TGAMMA, tgammal, NULL, 1.0, 0.51, {{0.1, 5}, {0, 171}, {-100, 0}}},
    {ASH__OP_POW, NULL, powl, 1.5, 0.51, {{0, 3}, {-50, 50}, {0, 0}}},
    {ASH__OP_ATAN2, NULL, atan2l, 2.0, 0.51, {{-3, 3}, {-100, 100}, {0, 0}}},
    {ASH__OP_HYPOT, NULL, hypotl, 1.5, 0.51, {{-3, 3}, {-100, 100}, {0, 0}}},
};
static double worst[COUNT(functions)][2][LEVELS + 1];

static void check(int number, const ash__kernels *kernels, int f, const batch *b, int i, double error)
{
    const double bound = b->type == ASH_F32 ? functions[f].f32 : functions[f].f64;
    double *w = &worst[f][b->type == ASH_F32][number];
    *w = error > *w ? error : *w;
    if (!(error <= bound))
        fail_msg("%s: %s(%a, %a) in %s is %a, %.3g last places off", kernels->level, ash__op_name(functions[f].op), x_of(b, i),
                 y_of(b, i), b->type == ASH_F32 ? "f32" : "f64", result_of(b, i), error);
}

/* ---- mpmath's values */

static void values_match_mpmath(void **state)
{
    (void)state;
    static batch b;
    for (int number = 1; number <= LEVELS; number++)
        for (int type = ASH_F32; level(number) && type <= ASH_F64; type++)
            for (int f = 0; f < COUNT(functions); f++) {
                int which[BATCH], n = 0;
                b.type = (ash_dtype)type;
                for (int v = 0; v < COUNT(values); v++) {
                    const struct value *e = &values[v];
                    if (e->op != (int)functions[f].op ||
                        (type == ASH_F32 && ((double)(float)e->x != e->x || (double)(float)e->y != e->y)))
                        continue;
                    put(&b, n, e->x, e->y);
                    which[n++] = v;
                }
                run(level(number), functions[f].op, &b, n);
                for (int i = 0; i < n; i++)
                    check(number, level(number), f, &b, i,
                          error_of(b.type, result_of(&b, i), (long double)values[which[i]].hi, values[which[i]].lo));
            }
}

/* ---- a sweep */

/* kind 0 to 2: over a range; 3: all bits, so mostly huge, tiny, infinite or NaN */
static void fill(batch *b, const function *f, int kind)
{
    for (int i = 0; i < BATCH; i++) {
        const uint64_t u = next_random(), v = next_random();
        double x, y = f->two ? uniform(f->range[1][0], f->range[1][1]) : 0;
        if (kind < 3)
            x = f->two && kind == 1   ? exp(uniform(-30, 30))
                : f->two && kind == 2 ? uniform(0.9, 1.1)
                                      : uniform(f->range[kind][0], f->range[kind][1]);
        else
            memcpy(&x, &u, sizeof x);
        if (kind == 2 && f->op == ASH__OP_POW)
            y *= 20;
        if (kind == 3 && f->two && i % 2)
            memcpy(&y, &v, sizeof y);
        put(b, i, x, y);
        if (kind == 3 && b->type == ASH_F32) {
            const uint32_t s = (uint32_t)(u >> 16), t = (uint32_t)(v >> 16);
            memcpy(&b->x.f32[i], &s, sizeof s);
            if (f->two && i % 2)
                memcpy(&b->y.f32[i], &t, sizeof t);
        }
    }
}
/* How much more than usual is asked for: 0, or the number in ASHLAR_MATH_REPORT. */
static int report_rounds(void)
{
    const char *asked = getenv("ASHLAR_MATH_REPORT");
    return asked ? (atoi(asked) > 0 ? atoi(asked) : 1) : 0;
}
static void check_against_long_double(int f, batch *b)
{
    static long double want[BATCH];
    for (int i = 0; i < BATCH; i++) {
        const long double x = (long double)x_of(b, i), y = (long double)y_of(b, i);
        want[i] = functions[f].one ? functions[f].one(x) : functions[f].two(x, y);
    }
    for (int number = 1; number <= LEVELS; number++) {
        if (!level(number))
            continue;
        run(level(number), functions[f].op, b, BATCH);
        for (int i = 0; i < BATCH; i++)
            check(number, level(number), f, b, i, error_of(b->type, result_of(b, i), want[i], 0));
    }
}
static void skip_without_long_double(const char *name)
{
    if (LDBL_MANT_DIG < 64) {
        print_message("[  SKIPPED ] %s: long double is no more exact than f64 here\n", name);
        skip();
    }
}
static void sweep_matches_long_double(void **state)
{
    (void)state;
    static batch b;
    skip_without_long_double(__func__);
    for (int f = 0; f < COUNT(functions); f++)
        for (int type = ASH_F32; type <= ASH_F64; type++)
            for (int round = 0; round < 4 * (3 + report_rounds()); round++) {
                b.type = (ash_dtype)type;
                fill(&b, &functions[f], round % 4);
                check_against_long_double(f, &b);
            }
}
/* f32 at a stride over all bits: 0, infinities, NaN and subnormals among them */
static void stride_matches_long_double(void **state)
{
    (void)state;
    static batch b;
    const uint64_t step = report_rounds() ? 0x100000000u / ((uint64_t)report_rounds() * 20000) + 1 : 700001;
    b.type = ASH_F32;
    skip_without_long_double(__func__);
    for (int f = 0; f < COUNT(functions); f++)
        for (uint64_t bits = 0, count = 0; functions[f].one && bits >> 32 == 0; bits += step) {
            const uint32_t u = (uint32_t)bits;
            memcpy(&b.x.f32[count++ % BATCH], &u, sizeof u);
            if (count % BATCH == 0)
                check_against_long_double(f, &b);
        }
}

/* ---- C17 annex F */

#define INF (double)INFINITY
#define NOT_A_NUMBER (double)NAN
static const struct {
    ash__op op;
    double x, y, want;
} specials[] = {
    {ASH__OP_SQRT, -0.0, 0, -0.0},
    {ASH__OP_SQRT, -1, 0, NOT_A_NUMBER},
    {ASH__OP_SQRT, INF, 0, INF},
    {ASH__OP_CBRT, 0.0, 0, 0.0},
    {ASH__OP_CBRT, -0.0, 0, -0.0},
    {ASH__OP_CBRT, -INF, 0, -INF},
    {ASH__OP_CBRT, -27, 0, -3},
    {ASH__OP_CBRT, 1000, 0, 10},
    {ASH__OP_EXP, 0.0, 0, 1},
    {ASH__OP_EXP, -0.0, 0, 1},
    {ASH__OP_EXP, INF, 0, INF},
    {ASH__OP_EXP, -INF, 0, 0.0},
    {ASH__OP_EXP, 1e30, 0, INF},
    {ASH__OP_EXP, -1e30, 0, 0.0},
    {ASH__OP_EXP2, 0.0, 0, 1},
    {ASH__OP_EXP2, INF, 0, INF},
    {ASH__OP_EXP2, -INF, 0, 0.0},
    {ASH__OP_EXP2, 10, 0, 1024},
    {ASH__OP_EXP2, -126, 0, 0x1p-126},
    {ASH__OP_EXP2, 1e30, 0, INF},
    {ASH__OP_EXPM1, 0.0, 0, 0.0},
    {ASH__OP_EXPM1, -0.0, 0, -0.0},
    {ASH__OP_EXPM1, INF, 0, INF},
    {ASH__OP_EXPM1, -INF, 0, -1},
    {ASH__OP_EXPM1, -1e30, 0, -1},
    {ASH__OP_LOG, 0.0, 0, -INF},
    {ASH__OP_LOG, -0.0, 0, -INF},
    {ASH__OP_LOG, 1, 0, 0.0},
    {ASH__OP_LOG, -1, 0, NOT_A_NUMBER},
    {ASH__OP_LOG, INF, 0, INF},
    {ASH__OP_LOG, -INF, 0, NOT_A_NUMBER},
    {ASH__OP_LOG2, 0.0, 0, -INF},
    {ASH__OP_LOG2, 1, 0, 0.0},
    {ASH__OP_LOG2, 8, 0, 3},
    {ASH__OP_LOG2, 0x1p-140, 0, -140},
    {ASH__OP_LOG2, -1, 0, NOT_A_NUMBER},
    {ASH__OP_LOG2, INF, 0, INF},
    {ASH__OP_LOG10, 0.0, 0, -INF},
    {ASH__OP_LOG10, 1, 0, 0.0},
    {ASH__OP_LOG10, 1000, 0, 3},
    {ASH__OP_LOG10, -1, 0, NOT_A_NUMBER},
    {ASH__OP_LOG10, INF, 0, INF},
    {ASH__OP_LOG1P, 0.0, 0, 0.0},
    {ASH__OP_LOG1P, -0.0, 0, -0.0},
    {ASH__OP_LOG1P, -1, 0, -INF},
    {ASH__OP_LOG1P, -2, 0, NOT_A_NUMBER},
    {ASH__OP_LOG1P, INF, 0, INF},
    {ASH__OP_LOG1P, -INF, 0, NOT_A_NUMBER},
    {ASH__OP_SIN, 0.0, 0, 0.0},
    {ASH__OP_SIN, -0.0, 0, -0.0},
    {ASH__OP_SIN, INF, 0, NOT_A_NUMBER},
    {ASH__OP_SIN, -INF, 0, NOT_A_NUMBER},
    {ASH__OP_COS, 0.0, 0, 1},
    {ASH__OP_COS, -0.0, 0, 1},
    {ASH__OP_COS, 1e-30, 0, 1},
    {ASH__OP_COS, INF, 0, NOT_A_NUMBER},
    {ASH__OP_TAN, 0.0, 0, 0.0},
    {ASH__OP_TAN, -0.0, 0, -0.0},
    {ASH__OP_TAN, INF, 0, NOT_A_NUMBER},
    {ASH__OP_SINPI, 0.0, 0, 0.0},
    {ASH__OP_SINPI, -0.0, 0, -0.0},
    {ASH__OP_SINPI, 3, 0, 0.0},
    {ASH__OP_SINPI, -2, 0, -0.0},
    {ASH__OP_SINPI, 0.5, 0, 1},
    {ASH__OP_SINPI, 1.5, 0, -1},
    {ASH__OP_SINPI, 1e30, 0, 0.0},
    {ASH__OP_SINPI, INF, 0, NOT_A_NUMBER},
    {ASH__OP_COSPI, 0.0, 0, 1},
    {ASH__OP_COSPI, 1, 0, -1},
    {ASH__OP_COSPI, 0.5, 0, 0.0},
    {ASH__OP_COSPI, -1.5, 0, 0.0},
    {ASH__OP_COSPI, 1e30, 0, 1},
    {ASH__OP_COSPI, -INF, 0, NOT_A_NUMBER},
    {ASH__OP_ASIN, 0.0, 0, 0.0},
    {ASH__OP_ASIN, -0.0, 0, -0.0},
    {ASH__OP_ASIN, 1.5, 0, NOT_A_NUMBER},
    {ASH__OP_ASIN, -INF, 0, NOT_A_NUMBER},
    {ASH__OP_ACOS, 1, 0, 0.0},
    {ASH__OP_ACOS, -1.5, 0, NOT_A_NUMBER},
    {ASH__OP_ACOS, INF, 0, NOT_A_NUMBER},
    {ASH__OP_ATAN, 0.0, 0, 0.0},
    {ASH__OP_ATAN, -0.0, 0, -0.0},
    {ASH__OP_ATAN, INF, 0, 0x1.921fb54442d18p+0},
    {ASH__OP_ATAN, -INF, 0, -0x1.921fb54442d18p+0},
    {ASH__OP_ATAN2, 0.0, -0.0, 0x1.921fb54442d18p+1},
    {ASH__OP_ATAN2, -0.0, -0.0, -0x1.921fb54442d18p+1},
    {ASH__OP_ATAN2, 0.0, 0.0, 0.0},
    {ASH__OP_ATAN2, -0.0, 0.0, -0.0},
    {ASH__OP_ATAN2, 0.0, -1, 0x1.921fb54442d18p+1},
    {ASH__OP_ATAN2, -0.0, 5, -0.0},
    {ASH__OP_ATAN2, -1, 0.0, -0x1.921fb54442d18p+0},
    {ASH__OP_ATAN2, 2, -0.0, 0x1.921fb54442d18p+0},
    {ASH__OP_ATAN2, 1, -INF, 0x1.921fb54442d18p+1},
    {ASH__OP_ATAN2, -1, INF, -0.0},
    {ASH__OP_ATAN2, INF, 1, 0x1.921fb54442d18p+0},
    {ASH__OP_ATAN2, INF, -INF, 0x1.2d97c7f3321d2p+1},
    {ASH__OP_ATAN2, -INF, INF, -0x1.921fb54442d18p-1},
    {ASH__OP_ATAN2, NOT_A_NUMBER, 1, NOT_A_NUMBER},
    {ASH__OP_ATAN2, INF, NOT_A_NUMBER, NOT_A_NUMBER},
    {ASH__OP_SINH, 0.0, 0, 0.0},
    {ASH__OP_SINH, -0.0, 0, -0.0},
    {ASH__OP_SINH, INF, 0, INF},
    {ASH__OP_SINH, -INF, 0, -INF},
    {ASH__OP_SINH, -1e30, 0, -INF},
    {ASH__OP_COSH, 0.0, 0, 1},
    {ASH__OP_COSH, -INF, 0, INF},
    {ASH__OP_COSH, 1e30, 0, INF},
    {ASH__OP_TANH, 0.0, 0, 0.0},
    {ASH__OP_TANH, -0.0, 0, -0.0},
    {ASH__OP_TANH, INF, 0, 1},
    {ASH__OP_TANH, -INF, 0, -1},
    {ASH__OP_ASINH, 0.0, 0, 0.0},
    {ASH__OP_ASINH, -0.0, 0, -0.0},
    {ASH__OP_ASINH, INF, 0, INF},
    {ASH__OP_ASINH, -INF, 0, -INF},
    {ASH__OP_ACOSH, 1, 0, 0.0},
    {ASH__OP_ACOSH, 0.5, 0, NOT_A_NUMBER},
    {ASH__OP_ACOSH, -INF, 0, NOT_A_NUMBER},
    {ASH__OP_ACOSH, INF, 0, INF},
    {ASH__OP_ATANH, 0.0, 0, 0.0},
    {ASH__OP_ATANH, -0.0, 0, -0.0},
    {ASH__OP_ATANH, 1, 0, INF},
    {ASH__OP_ATANH, -1, 0, -INF},
    {ASH__OP_ATANH, 2, 0, NOT_A_NUMBER},
    {ASH__OP_ATANH, INF, 0, NOT_A_NUMBER},
    {ASH__OP_ERF, 0.0, 0, 0.0},
    {ASH__OP_ERF, -0.0, 0, -0.0},
    {ASH__OP_ERF, INF, 0, 1},
    {ASH__OP_ERF, -INF, 0, -1},
    {ASH__OP_ERFC, INF, 0, 0.0},
    {ASH__OP_ERFC, -INF, 0, 2},
    {ASH__OP_ERFC, 0.0, 0, 1},
    {ASH__OP_ERFC, 1e30, 0, 0.0},
    {ASH__OP_LGAMMA, 1, 0, 0.0},
    {ASH__OP_LGAMMA, 2, 0, 0.0},
    {ASH__OP_LGAMMA, 0.0, 0, INF},
    {ASH__OP_LGAMMA, -3, 0, INF},
    {ASH__OP_LGAMMA, INF, 0, INF},
    {ASH__OP_LGAMMA, -INF, 0, INF},
    {ASH__OP_TGAMMA, 0.0, 0, INF},
    {ASH__OP_TGAMMA, -0.0, 0, -INF},
    {ASH__OP_TGAMMA, -3, 0, NOT_A_NUMBER},
    {ASH__OP_TGAMMA, -INF, 0, NOT_A_NUMBER},
    {ASH__OP_TGAMMA, INF, 0, INF},
    {ASH__OP_TGAMMA, 5, 0, 24},
    {ASH__OP_TGAMMA, 1, 0, 1},
    {ASH__OP_HYPOT, INF, NOT_A_NUMBER, INF},
    {ASH__OP_HYPOT, NOT_A_NUMBER, -INF, INF},
    {ASH__OP_HYPOT, NOT_A_NUMBER, 1, NOT_A_NUMBER},
    {ASH__OP_HYPOT, -0.0, 0.0, 0.0},
    {ASH__OP_HYPOT, -3, 4, 5},
    {ASH__OP_HYPOT, 0x1p127, 0, 0x1p127},
    {ASH__OP_POW, 0.0, -3, INF},
    {ASH__OP_POW, -0.0, -3, -INF},
    {ASH__OP_POW, -0.0, -2, INF},
    {ASH__OP_POW, 0.0, -INF, INF},
    {ASH__OP_POW, -0.0, -0.5, INF},
    {ASH__OP_POW, -0.0, 3, -0.0},
    {ASH__OP_POW, -0.0, 2, 0.0},
    {ASH__OP_POW, 0.0, 0.5, 0.0},
    {ASH__OP_POW, -1, INF, 1},
    {ASH__OP_POW, -1, -INF, 1},
    {ASH__OP_POW, 1, NOT_A_NUMBER, 1},
    {ASH__OP_POW, NOT_A_NUMBER, 0.0, 1},
    {ASH__OP_POW, NOT_A_NUMBER, -0.0, 1},
    {ASH__OP_POW, NOT_A_NUMBER, 1, NOT_A_NUMBER},
    {ASH__OP_POW, 2, NOT_A_NUMBER, NOT_A_NUMBER},
    {ASH__OP_POW, -8, 1.0 / 3, NOT_A_NUMBER},
    {ASH__OP_POW, 0.5, -INF, INF},
    {ASH__OP_POW, 2, -INF, 0.0},
    {ASH__OP_POW, 0.5, INF, 0.0},
    {ASH__OP_POW, -2, INF, INF},
    {ASH__OP_POW, -INF, -3, -0.0},
    {ASH__OP_POW, -INF, -2, 0.0},
    {ASH__OP_POW, -INF, 3, -INF},
    {ASH__OP_POW, -INF, 0.5, INF},
    {ASH__OP_POW, INF, -1, 0.0},
    {ASH__OP_POW, INF, 0.5, INF},
    {ASH__OP_POW, 2, 10, 1024},
    {ASH__OP_POW, -2, 3, -8},
    {ASH__OP_POW, 10, 5, 100000},
    {ASH__OP_POW, 3, 4, 81},
    {ASH__OP_POW, 1e30, 1e30, INF},
    {ASH__OP_POW, 1e30, -1e30, 0.0},
    {ASH__OP_POW, 2, -1074, 0x1p-1074},
};
static void special_values_are_exact(void **state)
{
    (void)state;
    static batch b;
    for (int number = 1; number <= LEVELS; number++)
        for (int type = ASH_F32; level(number) && type <= ASH_F64; type++)
            for (int i = 0; i < COUNT(specials); i++) {
                b.type = (ash_dtype)type;
                for (int j = 0; j < 19; j++) /* in vectors, and in what is left over */
                    put(&b, j, specials[i].x, specials[i].y);
                run(level(number), specials[i].op, &b, 19);
                const double want = type == ASH_F32 ? (double)(float)specials[i].want : specials[i].want;
                for (int j = 0; j < 19; j += 18) {
                    const double got = result_of(&b, j);
                    if (isnan(want) ? !isnan(got) : got != want || !signbit(got) != !signbit(want))
                        fail_msg("%s: %s(%g, %g) in %s is %a, not %a", level(number)->level, ash__op_name(specials[i].op),
                                 specials[i].x, specials[i].y, type == ASH_F32 ? "f32" : "f64", got, want);
                }
            }
}
static void nan_stays(void **state)
{
    (void)state;
    static batch b;
    for (int number = 1; number <= LEVELS; number++)
        for (int type = ASH_F32; level(number) && type <= ASH_F64; type++)
            for (int f = 0; f < COUNT(functions); f++) {
                b.type = (ash_dtype)type;
                for (int j = 0; j < 9; j++)
                    put(&b, j, NOT_A_NUMBER, NOT_A_NUMBER);
                run(level(number), functions[f].op, &b, 9);
                for (int j = 0; j < 9; j++)
                    if (!isnan(result_of(&b, j)))
                        fail_msg("%s: %s of NaN is %a", level(number)->level, ash__op_name(functions[f].op), result_of(&b, j));
            }
}

/* Rare arguments among others, results over the arguments, every short length: the loops that patch. */
static void lengths_and_places(void **state)
{
    (void)state;
    static batch b, c;
    for (int number = 1; number <= LEVELS; number++)
        for (int type = ASH_F32; level(number) && type <= ASH_F64; type++)
            for (int f = 0; f < COUNT(functions); f++) {
                const size_t size = type == ASH_F32 ? sizeof(float) : sizeof(double);
                const ash__op op = functions[f].op;
                ash__kernel *kernel = ash__kernel_for(level(number)->elementwise, op, (ash_dtype)type, 0);
                b.type = (ash_dtype)type;
                fill(&b, &functions[f], 1);
                for (int i = 0; i < BATCH; i += 37)
                    put(&b, i, i % 2 ? 1e30 : -1e25, 2);
                run(level(number), op, &b, BATCH);
                for (int n = 0; n < 70; n++) {
                    memset(&c.r, 0x5a, sizeof c.r);
                    kernel((char *)&c.r + size, (char *)&b.x + size, ash__op_arity(op) > 1 ? (char *)&b.y + size : NULL, NULL,
                           n);
                    for (int i = 0; i < n; i++)
                        if (memcmp((char *)&c.r + (size_t)(i + 1) * size, (char *)&b.r + (size_t)(i + 1) * size, size) != 0 &&
                            !isnan(result_of(&b, i + 1)))
                            fail_msg("%s: %s of %d elements differs at %d", level(number)->level, ash__op_name(op), n, i);
                    assert_int_equal(((unsigned char *)&c.r)[(size_t)(n + 1) * size], 0x5a);
                }
                for (int place = 0; place < ash__op_arity(op); place++) {
                    memcpy(&c, &b, sizeof c);
                    void *d = place ? (void *)&c.y : (void *)&c.x;
                    kernel(d, &c.x, ash__op_arity(op) > 1 ? &c.y : NULL, NULL, BATCH);
                    for (int i = 0; i < BATCH; i++)
                        if (memcmp((char *)d + (size_t)i * size, (char *)&b.r + (size_t)i * size, size) != 0 &&
                            !isnan(result_of(&b, i)))
                            fail_msg("%s: %s in place differs at %d", level(number)->level, ash__op_name(op), i);
                }
            }
}

static void report(void)
{
    for (int f = 0; f < COUNT(functions) && report_rounds(); f++) {
        printf("| %s |", ash__op_name(functions[f].op));
        for (int type = 0; type < 2; type++)
            for (int number = 1; number <= LEVELS; number++)
                printf(" %.2f |", worst[f][!type][number]);
        printf("\n");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(values_match_mpmath),
                                       cmocka_unit_test(sweep_matches_long_double),
                                       cmocka_unit_test(stride_matches_long_double),
                                       cmocka_unit_test(special_values_are_exact),
                                       cmocka_unit_test(nan_stays),
                                       cmocka_unit_test(lengths_and_places)};
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    report();
    return failed;
}
