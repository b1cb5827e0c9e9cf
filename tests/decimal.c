/*
 * decimal.c (test) - floats to text and back against Python and NumPy; tests/reference/decimal_texts.py made the values.
 */
#include "test.h"

#include <locale.h>

#include "core/decimal.h"
#include "core/dtype.h"
#include "core/format.h"

#include "reference/decimal_texts.h"

static void check_shortest(double x, const ash__float_format *format, const char *digits, int point)
{
    char digit[17];
    int at;
    const int count = ash__shortest(digit, &at, x, format);
    if (count != (int)strlen(digits) || memcmp(digit, digits, (size_t)count) != 0 || at != point)
        FAIL("%a gives 0.%.*se%d, not 0.%se%d", x, count, digit, at, digits, point);
}

static double from_text(const char *text, const ash__float_format *format)
{
    ash__decimal d;
    if (ash__decimal_parse(&d, text, strlen(text)) != strlen(text))
        FAIL("\"%s\" was not read to its end", text);
    return ash__decimal_to_float(&d, format);
}

static void fewest_digits(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT(shortest_f64); i++) {
        double x;
        memcpy(&x, &shortest_f64[i].bits, sizeof x);
        check_shortest(x, &ash__format_of_f64, shortest_f64[i].digits, shortest_f64[i].point);
    }
    for (int i = 0; i < COUNT(shortest_f32); i++) {
        float x;
        memcpy(&x, &shortest_f32[i].bits, sizeof x);
        check_shortest((double)x, &ash__format_of_f32, shortest_f32[i].digits, shortest_f32[i].point);
    }
    for (int i = 0; i < COUNT(shortest_f16); i++)
        check_shortest((double)ash__f16_to_f32(shortest_f16[i].bits), &ash__format_of_f16, shortest_f16[i].digits,
                       shortest_f16[i].point);
}

/* Every finite value of the 16-bit floats reads back from its own text. */
static void narrow_floats_return(void **state)
{
    (void)state;
    char text[ASH__CELL];
    for (unsigned h = 0; h <= 0xffff; h++) {
        const uint16_t bits = (uint16_t)h;
        const double half = (double)ash__f16_to_f32(bits), brain = (double)ash__bf16_to_f32(bits);
        if (isfinite(half)) {
            ash__format_element(text, sizeof text, ASH_F16, (const char *)&bits, false);
            assert_int_equal(ash__f16_from_f64(from_text(text, &ash__format_of_f16)), bits);
        }
        if (isfinite(brain)) {
            ash__format_element(text, sizeof text, ASH_BF16, (const char *)&bits, false);
            assert_int_equal(ash__bf16_from_f64(from_text(text, &ash__format_of_bf16)), bits);
        }
    }
}

static void nearest_number(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT(nearest); i++) {
        double want;
        float want_f32;
        memcpy(&want, &nearest[i].f64, sizeof want);
        memcpy(&want_f32, &nearest[i].f32, sizeof want_f32);
        const double got = from_text(nearest[i].text, &ash__format_of_f64),
                     got_f32 = from_text(nearest[i].text, &ash__format_of_f32);
        if (memcmp(&got, &want, sizeof got) != 0 || memcmp(&got_f32, &(double){(double)want_f32}, sizeof got_f32) != 0)
            FAIL("%s is read as %a and %a, not %a and %a", nearest[i].text, got, got_f32, want, (double)want_f32);
    }
}

static void what_is_a_number(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t used;
        ash__decimal_kind kind;
    } cases[] = {
        {"12", 2, ASH__DECIMAL_INTEGER},    {"-12", 3, ASH__DECIMAL_INTEGER},  {"+1.", 3, ASH__DECIMAL_FLOAT},
        {"1e5", 3, ASH__DECIMAL_FLOAT},     {"1e", 1, ASH__DECIMAL_INTEGER},   {"1e+", 1, ASH__DECIMAL_INTEGER},
        {".", 0, ASH__DECIMAL_NONE},        {"", 0, ASH__DECIMAL_NONE},        {"-", 0, ASH__DECIMAL_NONE},
        {"e5", 0, ASH__DECIMAL_NONE},       {"0x10", 1, ASH__DECIMAL_INTEGER}, {"1,5", 1, ASH__DECIMAL_INTEGER},
        {"1.5.2", 3, ASH__DECIMAL_FLOAT},   {"inf", 3, ASH__DECIMAL_INFINITE}, {"-Infinity", 9, ASH__DECIMAL_INFINITE},
        {"infi", 3, ASH__DECIMAL_INFINITE}, {"NaN", 3, ASH__DECIMAL_NAN},      {"n", 0, ASH__DECIMAL_NONE},
        {" 1", 0, ASH__DECIMAL_NONE},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        ash__decimal d;
        const size_t used = ash__decimal_parse(&d, cases[i].text, strlen(cases[i].text));
        if (used != cases[i].used || d.kind != cases[i].kind)
            FAIL("\"%s\": %zu bytes, kind %d", cases[i].text, used, (int)d.kind);
    }
}

static void integers_are_exact(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        uint64_t magnitude;
        bool fits, whole;
    } cases[] = {
        {"18446744073709551615", UINT64_MAX, true, true},
        {"18446744073709551616", 0, false, true},
        {"18446744073709551615.75", UINT64_MAX, true, false},
        {"000000000000000000000000000007", 7, true, true},
        {"9007199254740993", 9007199254740993U, true, true},
        {"9007199254740993.0", 9007199254740993U, true, true},
        {"1e18", 1000000000000000000U, true, true},
        {"1e20", 0, false, true},
        {"0e999", 0, true, true},
        {"12345e-2", 123, true, false},
        {"0.00000000000000000000000000000000001", 0, true, false},
        {"1.5e1", 15, true, true},
        {"100000000000000000000e-20", 1, true, true},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        ash__decimal d;
        uint64_t magnitude = 0;
        bool whole = false;
        ash__decimal_parse(&d, cases[i].text, strlen(cases[i].text));
        const bool fits = ash__decimal_to_u64(&d, &magnitude, &whole);
        if (fits != cases[i].fits || (fits && (magnitude != cases[i].magnitude || whole != cases[i].whole)))
            FAIL("\"%s\": %d %" PRIu64 " %d", cases[i].text, fits, magnitude, whole);
    }
}

static void layout_of_digits(void **state)
{
    (void)state;
    static const struct {
        double x;
        const char *text;
    } cases[] = {
        {0.0, "0.0"},
        {-0.0, "-0.0"},
        {1.0, "1.0"},
        {10.0, "10.0"},
        {100.25, "100.25"},
        {0.5, "0.5"},
        {0.0001, "0.0001"},
        {1e-5, "0.00001"},
        {9.99e-6, "9.99e-6"},
        {1e-6, "1e-6"},
        {1.5e300, "1.5e300"},
        {1e16, "1e16"},
        {1e15, "1000000000000000.0"},
        {9999999999999998.0, "9999999999999998.0"},
        {1.25e16, "1.25e16"},
        {-1.5e-300, "-1.5e-300"},
        {INFINITY, "inf"},
        {-INFINITY, "-inf"},
        {NAN, "nan"},
        {-NAN, "nan"},
        {5e-324, "5e-324"},
        {-1.7976931348623157e308, "-1.7976931348623157e308"},
    };
    char text[ASH__CELL];
    for (int i = 0; i < COUNT(cases); i++) {
        const size_t n = ash__format_f64(text, sizeof text, cases[i].x);
        assert_string_equal(text, cases[i].text);
        assert_int_equal(n, strlen(cases[i].text));
    }
    ash__format_f32(text, sizeof text, 0.1f);
    assert_string_equal(text, "0.1");
    assert_int_equal(ash__format_f64(text, 4, 123.5), 5); /* as snprintf: cut, and the whole length */
    assert_string_equal(text, "123");
}

/* A comma as the decimal point of the process changes nothing. */
static void no_locale(void **state)
{
    (void)state;
    static const char *const names[] = {"de_DE.UTF-8", "fr_FR.UTF-8", "de_DE", "C.UTF-8"};
    char text[ASH__CELL];
    for (int i = 0; i < COUNT(names); i++)
        if (setlocale(LC_ALL, names[i])) {
            ash__format_f64(text, sizeof text, 1234.5);
            assert_string_equal(text, "1234.5");
            assert_true(from_text("1234.5", &ash__format_of_f64) == 1234.5);
        }
    setlocale(LC_ALL, "C");
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(fewest_digits),    TEST(narrow_floats_return), TEST(nearest_number),
                                       TEST(what_is_a_number), TEST(integers_are_exact),   TEST(layout_of_digits),
                                       TEST(no_locale)};
    return cmocka_run_group_tests_name("decimal", tests, NULL, NULL);
}
