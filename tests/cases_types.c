/*
 * cases_types.c - reports from the field about arithmetic between types, integer division, conversions, and complex functions
 * (A24 to A31).
 *
 * Expected values: exact integer arithmetic, bit arithmetic, and C's complex functions in double precision.
 */
#include <complex.h>

#include "test.h"

static void u64_with_i64(void)
{
    ash_array *i = ash_i64(INT64_MAX, -1, 9007199254740993);
    ash_array *u = ash_u64(UINT64_C(9223372036854775808), UINT64_MAX, 9007199254740992);
    CHECK_INTS(ash_map("(i, u) -> i == u", i, u), 0, 0, 0);
    CHECK_INTS(ash_map("(i, u) -> i < u", i, u), 1, 1, 0);
    CHECK_INTS(ash_map("(i, u) -> i > u", i, u), 0, 0, 1);
    CHECK_INTS(ash_map("(i, u) -> u == i", i, u), 0, 0, 0);
    CHECK_INTS(ash_map("(i, u) -> u > i", i, u), 1, 1, 0);
    CHECK_INTS(ash_map("(i, u) -> u <= i", i, u), 0, 0, 1);
    CHECK_INTS(ash_map("(i, u) -> u != i", i, u), 1, 1, 1);
    ash_array *eight = ash_map("(a, b) -> a + b", ash_i64(5), ash_u64(3));
    CHECK(ash_dtype_of(eight) == ASH_U64); /* equal width: unsigned wins */
    CHECK_INTS(eight, 8);
    CHECK_INTS(ash_map("(a, b) -> a + b", ash_u64(UINT64_C(1) << 60), ash_i64(1)), 1152921504606846977);
}
static void a24_u64_with_i64(void **state)
{
    (void)state;
    everywhere(u64_with_i64, false);
}

/* The quotient goes toward zero and the remainder has the sign of the dividend, as in C; fld and mod are the floored pair. */
static const char QUOTIENT[] = "(a, b) -> div(a, b)", REMAINDER[] = "(a, b) -> a % b";
static const char FLOORED_QUOTIENT[] = "(a, b) -> fld(a, b)", FLOORED_REMAINDER[] = "(a, b) -> mod(a, b)";

static void division_at_the_edges(void)
{
    static const struct {
        ash_dtype dtype;
        int64_t least;
    } types[] = {{ASH_I8, INT8_MIN}, {ASH_I16, INT16_MIN}, {ASH_I32, INT32_MIN}, {ASH_I64, INT64_MIN}};
    static const int64_t by_zero[] = {0, 7, -7};
    for (int t = 0; t < COUNT(types); t++) {
        const ash_dtype dtype = types[t].dtype;
        ash_array *least = ash_from_host(&types[t].least, ASH_I64, ASH_SHAPE(1), .dtype = dtype);
        ash_array *minus = ash_from_host(((int64_t[]){-1}), ASH_I64, ASH_SHAPE(1), .dtype = dtype);
        CHECK_INTS(ash_map(QUOTIENT, least, minus), types[t].least);
        CHECK_INTS(ash_map(REMAINDER, least, minus), 0);
        CHECK_INTS(ash_map(FLOORED_QUOTIENT, least, minus), types[t].least);
        CHECK_INTS(ash_map(FLOORED_REMAINDER, least, minus), 0);
        for (int z = 0; z < COUNT(by_zero); z++) {
            const int64_t value = z ? by_zero[z] : types[t].least;
            ash_array *a = ash_from_host(&value, ASH_I64, ASH_SHAPE(1), .dtype = dtype);
            ash_array *zero = ash_zeros(ASH_SHAPE(1), .dtype = dtype);
            static const char *const functions[] = {QUOTIENT, REMAINDER, FLOORED_QUOTIENT, FLOORED_REMAINDER};
            for (int f = 0; f < COUNT(functions); f++) {
                CHECK(!ash_map(functions[f], a, zero));
                CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_map: ", "zero");
            }
        }
        ash_array *a = ash_from_host(((int64_t[]){-7, 7, -7, 7, -1, 1, -5, 5}), ASH_I64, ASH_SHAPE(8), .dtype = dtype);
        ash_array *b = ash_from_host(((int64_t[]){2, 2, -2, -2, 3, -3, 3, -3}), ASH_I64, ASH_SHAPE(8), .dtype = dtype);
        CHECK_INTS(ash_map(QUOTIENT, a, b), -3, 3, 3, -3, 0, 0, -1, -1);
        CHECK_INTS(ash_map(REMAINDER, a, b), -1, 1, -1, 1, -1, 1, -2, 2);
        CHECK_INTS(ash_map(FLOORED_QUOTIENT, a, b), -4, 3, 3, -4, -1, -1, -2, -2);
        CHECK_INTS(ash_map(FLOORED_REMAINDER, a, b), 1, 1, -1, -1, 2, -2, 1, -1);
    }
    CHECK_INTS(ash_map(QUOTIENT, ash_i8(120), ash_i8(-27)), -4);
    CHECK_INTS(ash_map(REMAINDER, ash_i8(120), ash_i8(-27)), 12);
    CHECK_INTS(ash_map(FLOORED_QUOTIENT, ash_i8(120), ash_i8(-27)), -5);
    CHECK_INTS(ash_map(FLOORED_REMAINDER, ash_i8(120), ash_i8(-27)), -15);
}
static void a25_integer_division(void **state)
{
    (void)state;
    everywhere(division_at_the_edges, false);
}

static void integers_stay_integers(void)
{
    CHECK_INTS(ash_map("abs", ash_i32(-16777217, 16777217, -16777219)), 16777217, 16777217, 16777219);
    CHECK_INTS(ash_map("x -> abs(x)", ash_i64(-16777217, -8589934599, -INT64_MAX)), 16777217, 8589934599, INT64_MAX);
    CHECK_INTS(ash_map("abs", ash_i64(INT64_MIN)), INT64_MIN);
    ash_array *a = ash_i64(1, 2, 3), *b = ash_i64(9007199254740993, 9007199254740992);
    CHECK(ash_item_i64(ash_max(a)) == 3 && ash_item_i64(ash_min(a)) == 1 && ash_item_i64(ash_argmax(a)) == 2);
    CHECK(ash_item_i64(ash_max(b)) == 9007199254740993 && ash_item_i64(ash_min(b)) == 9007199254740992);
    CHECK(ash_item_i64(ash_argmax(b)) == 0 && ash_item_i64(ash_argmin(b)) == 1);
}
static void a26_integers_stay_integers(void **state)
{
    (void)state;
    everywhere(integers_stay_integers, false);
}

static void f32_with_f16(void)
{
    ash_array *x = ash_f32(0.5, 0.25, 0.75), *y = ash_f16(0, 1, 2), *max = ash_map("(x, y) -> max(x, y)", x, y);
    CHECK(ash_dtype_of(max) == ASH_F32);
    CHECK_FLOATS(max, 0.5, 1, 2);
    CHECK_FLOATS(ash_map("(x, y) -> x + y", x, y), 0.5, 1.25, 2.75);
    CHECK_OK(ash_map_into(x, "(x, y) -> x + y", x, y));
    CHECK_FLOATS(x, 0.5, 1.25, 2.75);
}
static void a27_f32_with_f16(void **state)
{
    (void)state;
    everywhere(f32_with_f16, false);
}

static void host_values(void)
{
    static const struct {
        double value;
        ash_dtype dtype;
        const char *text;
    } bad[] = {
        {-2, ASH_U8, "-2.0"},
        {NAN, ASH_I16, "nan"},
        {NAN, ASH_I32, "nan"},
        {NAN, ASH_I64, "nan"},
        {INFINITY, ASH_I64, "inf"},
        {68469.13, ASH_U16, "68469.13"},
        {0x1p63, ASH_I64, "9.223372036854776e18"},
        {324938, ASH_U8, "324938.0"},
        {300, ASH_I8, "300.0"},
        {3e9, ASH_I32, "3000000000.0"},
        {1e40, ASH_F32, "1e40"},
        {65520, ASH_F16, "65520.0"},
    };
    for (int i = 0; i < COUNT(bad); i++) {
        const double host[3] = {0, 0, bad[i].value};
        CHECK(!ash_from_host(host, ASH_F64, ASH_SHAPE(3), .dtype = bad[i].dtype));
        if (isfinite(bad[i].value))
            CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_from_host: element 2, ", bad[i].text, "does not fit",
                              ash_dtype_name(bad[i].dtype));
        else
            CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_from_host: element 2, ", bad[i].text, "is not a finite number");
    }
    CHECK(!ash_from_host(((int64_t[]){1, 2, 324938, 4}), ASH_I64, ASH_SHAPE(2, 2), .dtype = ASH_U8));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_from_host: element (1, 0), 324938, does not fit u8");

    CHECK_INTS(ash_from_host(((double[]){0.7, 2.2, -1.5}), ASH_F64, ASH_SHAPE(3), .dtype = ASH_I64), 0, 2, -1);
    CHECK_INTS(ash_from_host(((double[]){255.9, -0.9}), ASH_F64, ASH_SHAPE(2), .dtype = ASH_U8), 255, 0);
    CHECK_INTS(ash_from_host(((double[]){9223372036854774784.0}), ASH_F64, ASH_SHAPE(1), .dtype = ASH_I64),
               9223372036854774784);
    CHECK_FLOATS(ash_from_host(((double[]){INFINITY, NAN}), ASH_F64, ASH_SHAPE(2), .dtype = ASH_F32), INFINITY, NAN);
    CHECK_FLOATS(ash_from_host(((double[]){65519}), ASH_F64, ASH_SHAPE(1), .dtype = ASH_F16), 65504);

    /* a cast between arrays saturates, and NaN becomes 0 */
    ash_array *x = ash_f32(-2, NAN, INFINITY, -INFINITY, 300, 0.7f, -1.5f);
    CHECK_INTS(ash_map("x -> u8(x)", x), 0, 0, 255, 0, 255, 0, 0);
    CHECK_INTS(ash_map("x -> i8(x)", x), -2, 0, 127, -128, 127, 0, -1);
    CHECK_INTS(ash_map("x -> i32(x)", x), -2, 0, INT32_MAX, INT32_MIN, 300, 0, -1);
    CHECK_INTS(ash_map("x -> i64(x)", x), -2, 0, INT64_MAX, INT64_MIN, 300, 0, -1);
}
static void a28_values_that_do_not_fit(void **state)
{
    (void)state;
    everywhere(host_values, false);
}

static ash_array *from_bits(const uint32_t *bits, int64_t n)
{
    return ash_from_host(bits, ASH_F32, ASH_SHAPE(n));
}
static void bf16_rounding(void)
{
    static const uint32_t bits[] = {0x3E89CCD5, 0x3F808000, 0x3F818000, 0x3F80C000, 0x7F7FFFFF,
                                    0x7F800001, 0xFF800001, 0x7F800000, 0x80000000};
    static const uint16_t want[] = {0x3E8A, 0x3F80, 0x3F82, 0x3F81, 0x7F80, 0, 0, 0x7F80, 0x8000};
    uint16_t got[9];
    ash_array *half = ash_map("x -> bf16(x)", from_bits(bits, 9));
    CHECK(ash_dtype_of(half) == ASH_BF16);
    CHECK_OK(ash_to_host(half, got, sizeof got));
    for (int i = 0; i < 9; i++)
        CHECK(i == 5 || i == 6 ? (got[i] & 0x7F80) == 0x7F80 && (got[i] & 0x7F) != 0 : got[i] == want[i]);
    /* from the host: the same, and what is too large is refused */
    for (int i = 0; i < 9; i++) {
        ash_array *one = ash_from_host(&bits[i], ASH_F32, ASH_SHAPE(1), .dtype = ASH_BF16);
        if (i == 4) {
            CHECK(!one);
            CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_from_host: element 0, 3.4028235e38, does not fit bf16");
            continue;
        }
        CHECK_OK(ash_to_host(one, got, sizeof got[0]));
        CHECK(i == 5 || i == 6 ? (got[0] & 0x7F80) == 0x7F80 && (got[0] & 0x7F) != 0 : got[0] == want[i]);
    }
    /* from f64 in one rounding: just above the middle of 0x3F80 and 0x3F81, and its f32 is the middle */
    const double above = 1 + 0x1p-8 + 0x1p-40;
    CHECK_OK(ash_to_host(ash_from_host(&above, ASH_F64, ASH_SHAPE(1), .dtype = ASH_BF16), got, sizeof got[0]));
    CHECK(got[0] == 0x3F81);
    const double above16 = 1 + 0x1p-11 + 0x1p-40;
    CHECK_OK(ash_to_host(ash_from_host(&above16, ASH_F64, ASH_SHAPE(1), .dtype = ASH_F16), got, sizeof got[0]));
    CHECK(got[0] == 0x3C01);
}
static void halves_from_f64_arrays(void)
{
    uint16_t got[1];
    CHECK_OK(ash_to_host(ash_map("x -> bf16(x)", ash_f64(1 + 0x1p-8 + 0x1p-40)), got, sizeof got));
    CHECK(got[0] == 0x3F81);
    CHECK_OK(ash_to_host(ash_map("x -> f16(x)", ash_f64(1 + 0x1p-11 + 0x1p-40)), got, sizeof got));
    CHECK(got[0] == 0x3C01);
    CHECK_OK(ash_to_host(ash_convert(ash_f64(1 + 0x1p-11 + 0x1p-40), ASH_F16), got, sizeof got));
    CHECK(got[0] == 0x3C01);
    ash_array *out = ash_zeros(ASH_SHAPE(1), .dtype = ASH_F16);
    CHECK_OK(ash_map_into(out, "x -> x", ash_f64(1 + 0x1p-11 + 0x1p-40)));
    CHECK_OK(ash_to_host(out, got, sizeof got));
    CHECK(got[0] == 0x3C01);
}
static void a29_bf16_rounding(void **state)
{
    (void)state;
    everywhere(bf16_rounding, false);
    everywhere(halves_from_f64_arrays, true);
}

static void complex_modulus(void)
{
    const ash_complex_f32 z[] = {{1e20f, 1e20f}, {2.5e-20f, -3e-20f}, {0, 0}, {INFINITY, NAN}};
    ash_array *a = ash_from_host(z, ASH_C_F32, ASH_SHAPE(4)), *abs = ash_map("abs", a);
    float modulus[4];
    ash_complex_f32 root[4], log[4];
    CHECK(ash_dtype_of(abs) == ASH_F32);
    CHECK_OK(ash_to_host(abs, modulus, sizeof modulus));
    CHECK_OK(ash_to_host(ash_map("sqrt", a), root, sizeof root));
    CHECK_OK(ash_to_host(ash_map("log", a), log, sizeof log));
    CHECK(modulus[2] == 0 && isinf(modulus[3]) && modulus[3] > 0);
    for (int i = 0; i < 2; i++) {
        const double _Complex wide = (double)z[i].re + (double)z[i].im * I;
        CHECK_ULPS_F32(modulus[i], (float)cabs(wide), 2);
        CHECK_ULPS_F32(root[i].re, (float)creal(csqrt(wide)), 2);
        CHECK_ULPS_F32(root[i].im, (float)cimag(csqrt(wide)), 2);
        CHECK_ULPS_F32(log[i].re, (float)creal(clog(wide)), 2);
        CHECK_ULPS_F32(log[i].im, (float)cimag(clog(wide)), 2);
    }
}
static void a30_complex_modulus(void **state)
{
    (void)state;
    everywhere(complex_modulus, false);
}

static void check_complex(const ash_array *a, double re, double im)
{
    ash_complex_f64 z = ash_item_c_f64(a);
    NO_ERROR();
    CHECK_ULPS(z.re, re, 4);
    CHECK_ULPS(z.im, im, 4);
}
static void c128_division(void)
{
    ash_array *wide = ash_map("(a, b) -> a / b", 1e201 + 1e201 * I, 1e200 + 1e200 * I);
    check_complex(wide, 10, 0);
    check_complex(ash_map("z -> 1/z", 1e300 + 1e300 * I), 5e-301, -5e-301);
    check_complex(ash_map("z -> 1/z", 1e-301 + 1e-301 * I), 5e300, -5e300);
}
static void c64_division(void)
{
    const ash_complex_f32 a = {-501, -1e20f}, b = {3, 4};
    ash_complex_f32 z = ash_item_c_f32(ash_map("z -> z / abs(z)", ash_from_host(&a, ASH_C_F32, ASH_SHAPE())));
    CHECK_ULPS_F32(z.re, -5.01e-18f, 4);
    CHECK_ULPS_F32(z.im, -1, 4);
    ash_array *third = ash_map("z -> 1/z", ash_from_host(&b, ASH_C_F32, ASH_SHAPE()));
    CHECK(ash_dtype_of(third) == ASH_C_F32);
    z = ash_item_c_f32(third);
    CHECK_ULPS_F32(z.re, 0.12f, 4);
    CHECK_ULPS_F32(z.im, -0.16f, 4);
    /* 1/0: no number, but no failure either */
    z = ash_item_c_f32(ash_map("z -> 1/z", ash_zeros(ASH_SHAPE(), .dtype = ASH_C_F32)));
    CHECK(!isfinite(z.re) && !isfinite(z.im));
    NO_ERROR();
}
static void a31_complex_division(void **state)
{
    (void)state;
    everywhere(c128_division, true);
    everywhere(c64_division, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a24_u64_with_i64),  TEST(a25_integer_division), TEST(a26_integers_stay_integers), TEST(a27_f32_with_f16),
        TEST(a28_values_that_do_not_fit), TEST(a29_bf16_rounding), TEST(a30_complex_modulus), TEST(a31_complex_division),
    };
    return cmocka_run_group_tests_name("cases: types", tests, NULL, NULL);
}
