/*
 * expr_complex.c - complex arithmetic and elementary functions, as the compiler splits them into real operations.
 *
 * The real operations are libm's here, so what is measured is the splitting. Values are from mpmath (reference/complex.h) and,
 * on branch cuts and at infinity, from C17 annex G.6.
 */
#include "test.h"

#include "evaluate.h"
#include "reference/complex.h"

static element evaluate(const char *text, int n, const element *in)
{
    char bytes[3][16];
    const char *operand[3];
    ash__argument argument[3];
    const ash__target target = {.rule = ASH__RULE_NATURAL, .device = "cpu:0", .f64 = true};
    element result = {0};
    for (int k = 0; k < n; k++) {
        argument[k] = (ash__argument){in[k].dtype, in[k].conjugated};
        write_element(&in[k], bytes[k]);
        operand[k] = bytes[k];
    }
    ash_function *f = ash__function_open("ash_map", text);
    ash__program *p = f ? ash__function_program("ash_map", f, n, argument, &target) : NULL;
    if (!p)
        fail_msg("%s: %s", text, ash_error_text());
    else
        run_program(p, operand, &result);
    ash__program_release(p);
    ash_function_release(f);
    return result;
}

/* Units in the last place of the modulus, for both parts. */
static long double modulus_ulps(ash_dtype part, const element *got, long double re, long double im)
{
    const long double size = fmaxl(fabsl(re), fabsl(im));
    int exponent;
    frexpl(size, &exponent);
    const long double unit = ldexpl(1, exponent - (part == ASH_F32 ? 24 : 53));
    return fmaxl(fabsl(got->re - re), fabsl(got->im - im)) / unit;
}

static void check_modulus(const char *text, const element *in, int n, long double re, long double im, double ulps)
{
    const ash_dtype dtype = in[0].dtype, part = ash__part(dtype);
    const element got = evaluate(text, n, in);
    const long double off = modulus_ulps(part, &got, re, im);
    if (got.dtype != dtype || !(off <= (long double)ulps))
        fail_msg("%s of %La%+Lai in %s: %La%+Lai, wanted %La%+Lai: %.1Lf ulp", text, in[0].re, in[0].im, ash_dtype_name(dtype),
                 got.re, got.im, re, im, off);
}

static void unary_functions(void **state)
{
    (void)state;
    for (int k = 0; k < COUNT(unary); k++) {
        char text[32];
        snprintf(text, sizeof text, "z -> %s(z)", unary[k].name);
        const element wide_z = {ASH_C_F64, (long double)unary[k].x, (long double)unary[k].y, false};
        const element z = {ASH_C_F32, (long double)unary[k].x, (long double)unary[k].y, false};
        check_modulus(text, &wide_z, 1, (long double)unary[k].re, (long double)unary[k].im, 3);
        check_modulus(text, &z, 1, (long double)unary[k].re, (long double)unary[k].im, 3);
    }
}

static void binary_operations(void **state)
{
    (void)state;
    for (int k = 0; k < COUNT(binary); k++) {
        char text[32];
        const long double re = (long double)binary[k].re, im = (long double)binary[k].im;
        snprintf(text, sizeof text, "(x, y) -> x %s y", binary[k].name);
        const element x[2] = {{ASH_C_F64, (long double)binary[k].a, (long double)binary[k].b, false},
                              {ASH_C_F64, (long double)binary[k].c, (long double)binary[k].d, false}};
        /* a power's relative error grows with the exponent times the logarithm */
        const double ulps = binary[k].name[0] == '^' ? 64 : 4;
        check_modulus(text, x, 2, re, im, ulps);
        if (fmaxl(fabsl(re), fabsl(im)) > 3e38L || fmaxl(fabsl(re), fabsl(im)) < 1e-37L)
            continue;
        const element y[2] = {{ASH_C_F32, x[0].re, x[0].im, false}, {ASH_C_F32, x[1].re, x[1].im, false}};
        check_modulus(text, y, 2, re, im, ulps);
    }
}

#define INF HUGE_VAL
#define PI 3.14159265358979323846

/* Signs of zero count. NaN: any. */
static const struct {
    const char *function;
    double x, y, re, im;
} special[] = {
    /* sqrt: cut along the negative real axis; infinite imaginary part: infinite, also with NaN */
    {"sqrt", -4, 0.0, 0.0, 2}, {"sqrt", -4, -0.0, 0.0, -2}, {"sqrt", 0.0, 0.0, 0.0, 0.0}, {"sqrt", -0.0, -0.0, 0.0, -0.0},
    {"sqrt", NAN, INF, INF, INF}, {"sqrt", 1, -INF, INF, -INF}, {"sqrt", INF, 2, INF, 0.0}, {"sqrt", -INF, 2, 0.0, INF},
    {"sqrt", -INF, -2, 0.0, -INF}, {"sqrt", INF, NAN, INF, NAN},
    {"sqrt", 0x1p1023, 0x1p1023, 0x1.8dc42193d5c03p+511, 0x1.49852f983efddp+510},
    {"sqrt", 0x1p-1074, 0.0, 0x1p-537, 0.0}, {"sqrt", 0.0, 0x1p-1073, 0x1p-537, 0x1p-537},
    {"log", -1, 0.0, 0.0, PI}, {"log", -1, -0.0, 0.0, -PI}, {"log", 0.0, 0.0, -INF, 0.0}, {"log", -0.0, 0.0, -INF, PI},
    {"log", INF, NAN, INF, NAN}, {"log", -INF, 3, INF, PI}, {"log", INF, INF, INF, PI / 4},
    {"log", 0x1p1023, 0x1p1023, 0x1.62b7d369a5aa8p+9, PI / 4},
    {"exp", 0.0, -0.0, 1, -0.0}, {"exp", INF, 0.0, INF, 0.0}, {"exp", -INF, 2, -0.0, 0.0}, {"exp", NAN, 0.0, NAN, 0.0},
    {"exp", 709.9, 0x1.921fb54442d18p+0, 0x1.3d865d17687b5p+970, INF},
    {"asin", 2, 0.0, PI / 2, 0x1.5124271980435p+0}, {"asin", 2, -0.0, PI / 2, -0x1.5124271980435p+0},
    {"asin", -2, 0.0, -PI / 2, 0x1.5124271980435p+0}, {"asin", -2, -0.0, -PI / 2, -0x1.5124271980435p+0},
    {"acos", 2, 0.0, 0.0, -0x1.5124271980435p+0}, {"acos", 2, -0.0, 0.0, 0x1.5124271980435p+0},
    {"acos", -2, 0.0, PI, -0x1.5124271980435p+0}, {"acos", -2, -0.0, PI, 0x1.5124271980435p+0},
    {"atan", 0.0, 2, PI / 2, 0x1.193ea7aad030bp-1}, {"atan", -0.0, 2, -PI / 2, 0x1.193ea7aad030bp-1},
    {"acosh", -2, 0.0, 0x1.5124271980435p+0, PI}, {"acosh", -2, -0.0, 0x1.5124271980435p+0, -PI},
    {"acosh", 0.5, 0.0, 0.0, PI / 3}, {"acosh", 0.5, -0.0, 0.0, -PI / 3},
    {"asinh", 0.0, 2, 0x1.5124271980435p+0, PI / 2}, {"asinh", -0.0, 2, -0x1.5124271980435p+0, PI / 2},
    {"atanh", 2, 0.0, 0x1.193ea7aad030bp-1, PI / 2}, {"atanh", 2, -0.0, 0x1.193ea7aad030bp-1, -PI / 2},
    {"atanh", INF, 1, 0.0, PI / 2}, {"atanh", 0x1p600, -1, 0x1p-600, -PI / 2},
    {"sinh", INF, 0.0, INF, 0.0}, {"sinh", 0.0, 1, 0.0, 0x1.aed548f090ceep-1}, {"cosh", -INF, 0.0, INF, -0.0},
    {"cosh", 0.0, 0.0, 1, 0.0}, {"tanh", INF, 1, 1, 0.0}, {"tanh", -INF, 1, -1, 0.0}, {"tanh", NAN, 0.0, NAN, 0.0},
    {"tanh", 50, 0.25, 1, 0x1.97477e4f19a6dp-145}, {"sin", 0.0, -0.0, 0.0, -0.0}, {"tan", -0.0, 0.0, -0.0, 0.0},
    {"conj", 1, -0.0, 1, 0.0},
};

static void special_values(void **state)
{
    (void)state;
    for (int k = 0; k < COUNT(special); k++) {
        char text[32];
        snprintf(text, sizeof text, "%s", special[k].function);
        const element z = {ASH_C_F64, (long double)special[k].x, (long double)special[k].y, false};
        const element w = evaluate(text, 1, &z);
        const long double re = (long double)special[k].re, im = (long double)special[k].im;
        if (!(ulps_between(ASH_F64, w.re, re) <= 4) || !(ulps_between(ASH_F64, w.im, im) <= 4))
            fail_msg("%s(%a%+ai) = %La%+Lai, wanted %La%+Lai", text, special[k].x, special[k].y, w.re, w.im, re, im);
    }
}

/* Reports from the field: the modulus of the whole range, and division without overflow on the way. Per part. */
static const struct {
    const char *text;
    ash_dtype dtype;
    long double x[4];
    long double re, im;
    double ulps;
} field[] = {
    {"(x, y) -> abs(x)", ASH_C_F32, {1e20L, 1e20L}, 1.4142136e20L, 0, 2},
    {"(x, y) -> abs(x)", ASH_C_F32, {2.5e-20L, -3e-20L}, 3.9051247e-20L, 0, 2},
    {"(x, y) -> abs(x)", ASH_C_F32, {0, 0}, 0, 0, 0},
    {"(x, y) -> abs(x)", ASH_C_F32, {HUGE_VALL, NAN}, HUGE_VALL, 0, 0},
    {"(x, y) -> sqrt(x)", ASH_C_F32, {1e20L, 1e20L}, 1.0986841e10L, 4.5508987e9L, 2},
    {"(x, y) -> sqrt(x)", ASH_C_F32, {2.5e-20L, -3e-20L}, 1.7895704e-10L, -8.3818995e-11L, 2},
    {"(x, y) -> log(x)", ASH_C_F32, {1e20L, 1e20L}, 46.398275L, 0.78539816L, 2},
    {"(x, y) -> log(x)", ASH_C_F32, {2.5e-20L, -3e-20L}, -44.689412L, -0.87605806L, 2},
    {"(x, y) -> x/y", ASH_C_F64, {1e201L, 1e201L, 1e200L, 1e200L}, 10, 0, 4},
    {"(x, y) -> 1/x", ASH_C_F64, {1e300L, 1e300L}, 5e-301L, -5e-301L, 4},
    {"(x, y) -> 1/x", ASH_C_F64, {1e-301L, 1e-301L}, 5e300L, -5e300L, 4},
    {"(x, y) -> x/abs(x)", ASH_C_F32, {-501, -1e20L}, -5.01e-18L, -1, 4},
    {"(x, y) -> 1/x", ASH_C_F32, {3, 4}, 0.12L, -0.16L, 4},
    {"(x, y) -> x^-1", ASH_C_F32, {3, 4}, 0.12L, -0.16L, 4},
    {"(x, y) -> 1/x", ASH_C_F32, {0, 0}, NAN, NAN, 0},
    {"(x, y) -> x/y", ASH_C_F64, {0x1.8p1023L, 0x1.8p1023L, 0x1.8p1023L, 0x1.8p1023L}, 1, 0, 4},
    {"(x, y) -> x/y", ASH_C_F64, {0x1p-1074L, 0x1p-1074L, 0x1p-1074L, 0x1p-1074L}, 1, 0, 4},
    {"(x, y) -> x/y", ASH_C_F64, {0x1p1023L, 0, 0, 0x1p-40L}, 0, -HUGE_VALL, 4},
    {"(x, y) -> x/y", ASH_C_F64, {0x1.ffp1023L, 0x1.ffp1023L, 1, 1}, 0x1.ffp1023L, 0, 4},
    {"(x, y) -> x^0", ASH_C_F32, {0, 0}, 1, 0, 0},
    {"(x, y) -> x^2", ASH_C_F32, {3, 4}, -7, 24, 0},
    {"(x, y) -> x^y", ASH_C_F64, {0, 0, 0, 0}, 1, 0, 0},
    {"(x, y) -> x^y", ASH_C_F64, {0, 0, 2, 1}, 0, 0, 0},
    {"(x, y) -> x^0.5", ASH_C_F64, {-4, 0}, 1.2246467991473532e-16L, 2, 4},
    {"(x, y) -> abs2(x)", ASH_C_F32, {3, 4}, 25, 0, 0},
    {"(x, y) -> arg(x)", ASH_C_F64, {-1, 0}, 3.14159265358979323846L, 0, 1},
};

static void field_values(void **state)
{
    (void)state;
    for (int k = 0; k < COUNT(field); k++) {
        const element in[2] = {{field[k].dtype, field[k].x[0], field[k].x[1], false},
                               {field[k].dtype, field[k].x[2], field[k].x[3], false}};
        const element w = evaluate(field[k].text, 2, in);
        const ash_dtype part = ash__part(field[k].dtype);
        const long double unsigned_zero = field[k].im == 0 && w.im == 0 ? w.im : field[k].im;
        const long double zero = field[k].re == 0 && w.re == 0 ? w.re : field[k].re;
        if (!(ulps_between(part, w.re, zero) <= (long double)field[k].ulps + 0.5L) ||
            !(ulps_between(part, w.im, unsigned_zero) <= (long double)field[k].ulps + 0.5L))
            fail_msg("%s, row %d: %Lg %+Lgi, wanted %Lg %+Lgi", field[k].text, k, w.re, w.im, field[k].re, field[k].im);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(unary_functions),
        cmocka_unit_test(binary_operations),
        cmocka_unit_test(special_values),
        cmocka_unit_test(field_values),
    };
    return cmocka_run_group_tests_name("expr_complex", tests, NULL, NULL);
}
