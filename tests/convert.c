/*
 * convert.c (test) - checked conversion of host elements: every pair of plain dtypes, both modes, the texts.
 *
 * What an element must become is found here in two independent ways: integers and floats go through __int128 and long double
 * (64 bits of precision hold every i64, u64 and f64), and tables of values worked out by hand.
 */
#include "test.h"

#include "core/convert.h"
#include "core/dtype.h"
#include "core/format.h"

/* ---- texts, through ash_from_host */

static void texts(void **state)
{
    (void)state;
    static const struct {
        double x;
        ash_dtype dtype;
        bool exact;
        const char *text;
    } refused[] = {
        {-2.0, ASH_U8, false, "element 0, -2.0, does not fit u8"},
        {NAN, ASH_I16, false, "element 0, nan, is not a finite number"},
        {NAN, ASH_I32, false, "element 0, nan, is not a finite number"},
        {NAN, ASH_I64, false, "element 0, nan, is not a finite number"},
        {NAN, ASH_BOOL, false, "element 0, nan, is not a finite number"},
        {INFINITY, ASH_I64, false, "element 0, inf, is not a finite number"},
        {68469.13, ASH_U16, false, "element 0, 68469.13, does not fit u16"},
        {9223372036854775808.0, ASH_I64, false, "element 0, 9.223372036854776e18, does not fit i64"},
        {18446744073709551616.0, ASH_U64, false, "element 0, 1.8446744073709552e19, does not fit u64"},
        {-9223372036854777856.0, ASH_I64, false, NULL},
        {2.0, ASH_BOOL, false, "element 0, 2.0, does not fit bool"},
        {-1.0, ASH_BOOL, false, "element 0, -1.0, does not fit bool"},
        {1e40, ASH_F32, false, "element 0, 1e40, does not fit f32"},
        {1e300, ASH_F32, true, "element 0, 1e300, does not fit f32"},
        {65520, ASH_F16, false, "element 0, 65520.0, does not fit f16"},
        {0x1.fffffep127, ASH_BF16, false, NULL}, /* 7F7FFFFF */
        {0.7, ASH_I64, true, "element 0, 0.7, is not an integer"},
        {-0.5, ASH_U8, true, "element 0, -0.5, is not an integer"},
        {0.5, ASH_BOOL, true, "element 0, 0.5, is not an integer"},
        {300.5, ASH_U8, true, "element 0, 300.5, does not fit u8"},
        {0.1, ASH_F32, true, "element 0, 0.1, is not exactly representable in f32"},
        {1.0 + 0x1p-11, ASH_F16, true, NULL},
        {1e-300, ASH_BF16, true, "element 0, 1e-300, is not exactly representable in bf16"},
        {0.1, ASH_C_F32, true, "element 0, 0.1, is not exactly representable in c_f32"},
    };
    for (int i = 0; i < COUNT(refused); i++) {
        char text[256];
        assert_null(ash_from_host(&refused[i].x, ASH_F64, ASH_SHAPE(1), .dtype = refused[i].dtype, .exact = refused[i].exact));
        snprintf(text, sizeof text, "ash_from_host: %s", refused[i].text ? refused[i].text : "element 0, ");
        if (refused[i].text)
            CHECK_ERROR(ASH_ERR_VALUE, text);
        else
            CHECK_ERROR_HAS(ASH_ERR_VALUE, text);
    }
}

static void texts_of_integers(void **state)
{
    (void)state;
    static const struct {
        int64_t x;
        ash_dtype dtype;
        bool exact;
        const char *text;
    } refused[] = {
        {3000000000, ASH_I32, false, "element 0, 3000000000, does not fit i32"},
        {324938, ASH_U8, false, "element 0, 324938, does not fit u8"},
        {300, ASH_I8, false, "element 0, 300, does not fit i8"},
        {-1, ASH_U64, false, "element 0, -1, does not fit u64"},
        {2, ASH_BOOL, true, "element 0, 2, does not fit bool"},
        {70000, ASH_F16, false, "element 0, 70000, does not fit f16"},
        {16777217, ASH_F32, true, "element 0, 16777217, is not exactly representable in f32"},
        {INT64_MAX, ASH_F64, true, "element 0, 9223372036854775807, is not exactly representable in f64"},
        {257, ASH_BF16, true, "element 0, 257, is not exactly representable in bf16"},
        {(int64_t)1 << 62 | 1, ASH_BF16, true, "element 0, 4611686018427387905, is not exactly representable in bf16"},
    };
    for (int i = 0; i < COUNT(refused); i++) {
        char text[256];
        assert_null(ash_from_host(&refused[i].x, ASH_I64, ASH_SHAPE(1), .dtype = refused[i].dtype, .exact = refused[i].exact));
        snprintf(text, sizeof text, "ash_from_host: %s", refused[i].text);
        CHECK_ERROR(ASH_ERR_VALUE, text);
    }
    const uint64_t top = UINT64_MAX;
    assert_null(ash_from_host(&top, ASH_U64, ASH_SHAPE(1), .dtype = ASH_I64));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_from_host: element 0, 18446744073709551615, does not fit i64");
}

/* Elements are named by index, the first in row-major order whatever the layout; complex values whole. */
static void texts_of_places(void **state)
{
    (void)state;
    const double six[] = {0, 1, 2, 3, 4, 300};
    for
        EACH_LAYOUT(layout)
        {
            assert_null(ash_from_host(six, ASH_F64, ASH_SHAPE(2, 3), .dtype = ASH_U8, .layout = layout));
            CHECK_ERROR(ASH_ERR_VALUE, "ash_from_host: element (1, 2), 300.0, does not fit u8");
        }
    const double two[] = {NAN, 1, 1, NAN}; /* column-major: the NaN at (1, 1) lies last, the one at (0, 0) first */
    assert_null(ash_from_host(two, ASH_F64, ASH_SHAPE(2, 2), .dtype = ASH_I8, .strides = ASH_SHAPE(1, 2)));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_from_host: element (0, 0), nan, is not a finite number");
    assert_null(ash_from_host(six + 5, ASH_F64, ASH_SHAPE(), .dtype = ASH_U8));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_from_host: value 300.0 does not fit u8");
    const double complex_value[] = {1, 2, 1, 0, 1, 1e300};
    assert_null(ash_from_host(complex_value, ASH_C_F64, ASH_SHAPE(3), .dtype = ASH_F64));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_from_host: element 0, 1.0+2.0i, is not a real number");
    assert_null(ash_from_host(complex_value, ASH_C_F64, ASH_SHAPE(3), .dtype = ASH_C_F32));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_from_host: element 2, 1.0+1e300i, does not fit c_f32");
    const double not_finite[] = {1, NAN};
    assert_null(ash_from_host(not_finite, ASH_C_F64, ASH_SHAPE(1), .dtype = ASH_C_I8));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_from_host: element 0, 1.0+nani, is not a finite number");
}

static void good_values(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK_INTS(ash_from_host(((double[]){0.7, 2.2, -1.5}), ASH_F64, ASH_SHAPE(3), .dtype = ASH_I64), 0, 2, -1);
    CHECK_INTS(ash_from_host(((double[]){255.9, -0.9}), ASH_F64, ASH_SHAPE(2), .dtype = ASH_U8), 255, 0);
    CHECK_INTS(ash_from_host(((double[]){9223372036854774784.0, -0x1p63}), ASH_F64, ASH_SHAPE(2), .dtype = ASH_I64),
               9223372036854774784, INT64_MIN);
    CHECK_FLOATS(ash_from_host(((double[]){INFINITY, NAN, -INFINITY}), ASH_F64, ASH_SHAPE(3), .dtype = ASH_F32, .exact = true),
                 INFINITY, NAN, -INFINITY);
    CHECK_FLOATS(ash_from_host(((double[]){65519, -65519.99}), ASH_F64, ASH_SHAPE(2), .dtype = ASH_F16), 65504, -65504);
    CHECK_INTS(ash_from_host(((double[]){0.9, 1.9, -0.9}), ASH_F64, ASH_SHAPE(3), .dtype = ASH_BOOL), 0, 1, 0);
    CHECK_FLOATS(ash_from_host(((double[]){1, 0, 2, -0.0}), ASH_C_F64, ASH_SHAPE(2), .dtype = ASH_F32), 1, 2);
    CHECK_FLOATS(ash_from_host(((uint8_t[]){0, 1, 7}), ASH_BOOL, ASH_SHAPE(3), .dtype = ASH_F64), 0, 1, 1);
    /* 2^62 + 2^54 + 1 lies just above halfway between two bf16: a detour through f64 would round it down */
    const int64_t above = ((int64_t)1 << 62) + ((int64_t)1 << 54) + 1;
    CHECK_FLOATS(ash_from_host(&above, ASH_I64, ASH_SHAPE(1), .dtype = ASH_BF16), 0x1.02p62);
    const uint64_t tie = ((uint64_t)1 << 63) + ((uint64_t)1 << 55); /* a tie: to even */
    CHECK_FLOATS(ash_from_host(&tie, ASH_U64, ASH_SHAPE(1), .dtype = ASH_BF16), 0x1p63);
    const double halfway[] = {1 + 0x1p-8 + 0x1p-40}; /* f32 would make a tie of it */
    CHECK_FLOATS(ash_from_host(halfway, ASH_F64, ASH_SHAPE(1), .dtype = ASH_BF16), 1 + 0x1p-7);
}

/* ---- every pair, against exact arithmetic */

/* Values near the edges of every dtype; each is stored into the source dtype when that holds it. */
static const long double edges[] = {0.0L,
                                    -0.0L,
                                    1.0L,
                                    -1.0L,
                                    2.0L,
                                    0.5L,
                                    -0.5L,
                                    0.7L,
                                    1.5L,
                                    -1.5L,
                                    127.0L,
                                    128.0L,
                                    -128.0L,
                                    -129.0L,
                                    254.9L,
                                    255.0L,
                                    255.5L,
                                    256.0L,
                                    257.0L,
                                    2049.0L,
                                    32767.0L,
                                    32768.0L,
                                    -32768.0L,
                                    -32769.0L,
                                    65504.0L,
                                    65519.0L,
                                    65520.0L,
                                    65535.0L,
                                    65536.0L,
                                    16777216.0L,
                                    16777217.0L,
                                    2147483647.0L,
                                    2147483648.0L,
                                    -2147483648.0L,
                                    -2147483649.0L,
                                    4294967295.0L,
                                    4294967296.0L,
                                    9007199254740992.0L,
                                    9007199254740993.0L,
                                    0x1p62L + 0x1p54L + 1,
                                    9223372036854774784.0L,
                                    9223372036854775807.0L,
                                    9223372036854775808.0L,
                                    -9223372036854775808.0L,
                                    18446744073709551615.0L,
                                    18446744073709549568.0L,
                                    18446744073709551616.0L,
                                    1e-8L,
                                    6e-8L,
                                    1e30L,
                                    3.4e38L,
                                    3.4028235e38L,
                                    3.5e38L,
                                    1e300L,
                                    -1e300L};

/* Bits of precision, exponent of the smallest step, and the first power of two that overflows, of a float dtype. */
static void float_shape(ash_dtype dtype, int *bits, int *lowest, int *end)
{
    *bits = dtype == ASH_F16 ? 11 : dtype == ASH_BF16 ? 8 : dtype == ASH_F32 ? 24 : 53;
    *lowest = dtype == ASH_F16 ? -24 : dtype == ASH_BF16 ? -133 : dtype == ASH_F32 ? -149 : -1074;
    *end = dtype == ASH_F16 ? 16 : dtype == ASH_F64 ? 1024 : 128;
}

/* x rounded to nearest even in a float dtype; infinite when it overflows. */
static long double rounded(long double x, ash_dtype dtype)
{
    int bits, lowest, end, e;
    if (x == 0 || !isfinite(x))
        return x;
    float_shape(dtype, &bits, &lowest, &end);
    frexpl(x, &e);
    const int step = e - bits < lowest ? lowest : e - bits;
    const long double y = ldexpl(rintl(ldexpl(x, -step)), step);
    return fabsl(y) >= ldexpl(1, end) ? copysignl(INFINITY, x) : y;
}

static bool limits(ash_dtype dtype, long double *low, long double *high)
{
    const int bits = 8 * (int)ash_dtype_size(dtype);
    if (ash__is_float(dtype))
        return false;
    *low = ash__is_signed(dtype) ? -ldexpl(1, bits - 1) : 0;
    *high = dtype == ASH_BOOL ? 1 : ldexpl(1, ash__is_signed(dtype) ? bits - 1 : bits) - 1;
    return true;
}

/* What the value x becomes; false when it is refused. */
static bool model(long double x, ash_dtype to, bool exact, long double *y)
{
    long double low, high;
    if (limits(to, &low, &high)) {
        *y = truncl(x);
        return isfinite(x) && *y >= low && *y <= high && (!exact || *y == x);
    }
    *y = rounded(x, to);
    return !(isinf(*y) && isfinite(x)) && (!exact || *y == x || isnan(x));
}

static long double load(const char *p, ash_dtype dtype)
{
    union {
        uint8_t b;
        int8_t i8;
        int16_t i16;
        int32_t i32;
        int64_t i64;
        uint8_t u8;
        uint16_t u16;
        uint32_t u32;
        uint64_t u64;
        float f32;
        double f64;
    } u;
    memcpy(&u, p, ash_dtype_size(dtype));
    switch ((int)dtype) {
    case ASH_I8:
        return u.i8;
    case ASH_I16:
        return u.i16;
    case ASH_I32:
        return u.i32;
    case ASH_I64:
        return u.i64;
    case ASH_U16:
        return u.u16;
    case ASH_U32:
        return u.u32;
    case ASH_U64:
        return u.u64;
    case ASH_F16:
        return ash__f16_to_f32(u.u16);
    case ASH_BF16:
        return ash__bf16_to_f32(u.u16);
    case ASH_F32:
        return u.f32;
    case ASH_F64:
        return u.f64;
    default:
        return u.u8;
    }
}

/* Stores a value that the dtype holds exactly. */
static void store(char *p, ash_dtype dtype, long double x)
{
    const size_t size = ash_dtype_size(dtype);
    if (dtype == ASH_F64)
        memcpy(p, &(double){(double)x}, 8);
    else if (dtype == ASH_F32)
        memcpy(p, &(float){(float)x}, 4);
    else if (dtype == ASH_F16)
        memcpy(p, &(uint16_t){ash__f16_from_f64((double)x)}, 2);
    else if (dtype == ASH_BF16)
        memcpy(p, &(uint16_t){ash__bf16_from_f64((double)x)}, 2);
    else if (x < 0)
        memcpy(p, &(int64_t){(int64_t)x}, size);
    else
        memcpy(p, &(uint64_t){(uint64_t)x}, size);
}

static bool same(long double a, long double b)
{
    return a == b || (isnan(a) && isnan(b));
}

static void check_pair(ash_dtype from, ash_dtype to, bool exact, long double value)
{
    char source[16] = {0}, target[16];
    long double x, y;
    if (!model(value, from, true, &x))
        return; /* the source has no such value */
    store(source, from, x);
    memset(target, 0x55, sizeof target);
    const bool takes = model(x, to, exact, &y);
    const int64_t done = ash__convert_run(target, 16, to, source, 16, from, 1, exact);
    if (done != takes || (takes && !same(load(target, to), y)))
        FAIL("%Lg from %s to %s%s: %s, %Lg; wanted %s, %Lg", x, ash_dtype_name(from), ash_dtype_name(to),
             exact ? ", exact" : "", done ? "taken" : "refused", load(target, to), takes ? "taken" : "refused", y);
}

static void every_pair(void **state)
{
    (void)state;
    for
        EACH_DTYPE(from, ASH_BOOL, ASH_F64)
        for
            EACH_DTYPE(to, ASH_BOOL, ASH_F64)
        for (int exact = 0; exact < 2; exact++) {
            for (int i = 0; i < COUNT(edges); i++)
                check_pair(from, to, exact, edges[i]);
            check_pair(from, to, exact, INFINITY);
            check_pair(from, to, exact, -INFINITY);
            check_pair(from, to, exact, NAN);
        }
}

/* Long runs, strided runs and complex numbers give what single elements give, and stop at the first that is refused. */
static void runs(void **state)
{
    (void)state;
    enum { N = 1500 };
    static char from[N * 32], to[N * 32], one[16];
    for
        EACH_DTYPE(f, ASH_BOOL, ASH_C_F64)
        for
            EACH_DTYPE(t, ASH_BOOL, ASH_C_F64)
            {
                const int64_t fs = (int64_t)ash_dtype_size(f), ts = (int64_t)ash_dtype_size(t);
                for (int strided = 0; strided < 2; strided++)
                    for (int bad = 0; bad < 2; bad++) {
                        const int64_t from_step = strided ? 2 * fs : fs, to_step = strided ? 2 * ts : ts;
                        memset(from, 0, sizeof from);
                        for (int64_t i = 0; i < N; i++)
                            store(from + i * from_step, ash__part(f), ash__part(f) == ASH_BOOL ? i % 2 : i % 100);
                        for (int64_t i = 0; i < N && ash__part(t) == ASH_BOOL; i++)
                            store(from + i * from_step, ash__part(f), i % 2);
                        int64_t want = N;
                        if (bad && f != ASH_BOOL && !ash__is_complex(f) && t == ASH_BOOL) {
                            want = 1234;
                            store(from + want * from_step, f, 3);
                        }
                        const int64_t done = ash__convert_run(to, to_step, t, from, from_step, f, N, true);
                        if (done != want)
                            FAIL("%s to %s: %" PRId64, ash_dtype_name(f), ash_dtype_name(t), done);
                        for (int64_t i = 0; i < want; i += 97) {
                            assert_int_equal(ash__convert_run(one, 16, t, from + i * from_step, 16, f, 1, true), 1);
                            if (memcmp(one, to + i * to_step, (size_t)ts) != 0)
                                FAIL("%s to %s: element %" PRId64, ash_dtype_name(f), ash_dtype_name(t), i);
                        }
                    }
            }
}

static void conjugates(void **state)
{
    (void)state;
    const double z[] = {1, 2, 3, -0.0, NAN, 5};
    float to[6];
    const int64_t shape[] = {3}, from_stride[] = {16}, to_stride[] = {8};
    assert_int_equal(ash__convert_all("test", shape, 1, (char *)to, to_stride, ASH_C_F32, (const char *)z, from_stride,
                                      ASH_C_F64, false, ASH__FROM_CONJUGATED),
                     ASH_OK);
    assert_true(to[0] == 1 && to[1] == -2 && to[2] == 3 && to[3] == 0 && !signbit(to[3]) && isnan(to[4]) && to[5] == -5);
    int8_t wraps[] = {1, -128, 2, 3}, copy[4];
    const int64_t two[] = {2}, step[] = {2};
    assert_int_equal(ash__convert_all("test", two, 1, (char *)copy, step, ASH_C_I8, (const char *)wraps, step, ASH_C_I8, false,
                                      ASH__FROM_CONJUGATED),
                     ASH_OK);
    assert_true(copy[0] == 1 && copy[1] == -128 && copy[2] == 2 && copy[3] == -3);
    const double big[] = {0, 0, 1, 300};
    int8_t small[4];
    const int64_t big_step[] = {16};
    assert_int_equal(ash__convert_all("test", two, 1, (char *)small, step, ASH_C_I8, (const char *)big, big_step, ASH_C_F64,
                                      false, ASH__FROM_CONJUGATED),
                     ASH_ERR_VALUE);
    CHECK_ERROR(ASH_ERR_VALUE, "test: element 1, 1.0-300.0i, does not fit c_i8");
    const uint16_t narrow[] = {1, 3, 2, 0};
    const int64_t from[] = {4}, wide[] = {16};
    int64_t got[4];
    const struct {
        int sides;
        int64_t first; /* imaginary part: conjugated in u16 it wraps, in i64 it does not */
    } sided[] = {
        {0, 3}, {ASH__FROM_CONJUGATED, 65533}, {ASH__TO_CONJUGATED, -3}, {ASH__FROM_CONJUGATED | ASH__TO_CONJUGATED, -65533}};
    for (int i = 0; i < COUNT(sided); i++) {
        assert_int_equal(ash__convert_all("test", two, 1, (char *)got, wide, ASH_C_I64, (const char *)narrow, from, ASH_C_U16,
                                          false, sided[i].sides),
                         ASH_OK);
        assert_true(got[0] == 1 && got[1] == sided[i].first && got[2] == 2 && got[3] == 0);
    }
}

ASH_RECORD(convert_a, (i32, x), (f32, y));
ASH_RECORD(convert_b, (i32, x), (f32, z));

static void records(void **state)
{
    (void)state;
    convert_a a[2] = {{1, 2}, {3, 4}}, b[2];
    const int64_t shape[] = {2}, forward[] = {sizeof(convert_a)}, back[] = {-(int64_t)sizeof(convert_a)};
    assert_int_equal(ash__convert_all("test", shape, 1, (char *)&b[1], back, convert_a_dtype(), (const char *)a, forward,
                                      convert_a_dtype(), true, 0),
                     ASH_OK);
    assert_true(b[0].x == 3 && b[1].x == 1 && b[0].y == 4 && b[1].y == 2);
    assert_int_equal(ash__convert_all("test", shape, 1, (char *)b, forward, convert_b_dtype(), (const char *)a, forward,
                                      convert_a_dtype(), true, 0),
                     ASH_ERR_DTYPE);
    CHECK_ERROR(ASH_ERR_DTYPE, "test: convert_a does not convert to convert_b");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(texts), TEST(texts_of_integers), TEST(texts_of_places), TEST(good_values), TEST(every_pair),
        TEST(runs),  TEST(conjugates),        TEST(records)};
    return cmocka_run_group_tests_name("convert", tests, NULL, NULL);
}
