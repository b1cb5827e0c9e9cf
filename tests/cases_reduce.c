/*
 * cases_reduce.c - reports from the field about reductions: axes, neutral elements, ties, NaN, accumulation width, empty
 * inputs, and views as operands (A01 to A09, A17).
 *
 * The expected values were made with NumPy or by hand when the cases were collected; each case runs on every device and for
 * both storage modes.
 */
#include "test.h"

static ash_array *column_10000(ash_layout layout) { return counting(1, ASH_F32, ASH_SHAPE(10000, 1, 1), layout); }

static void sum_along_length_one(void)
{
    for EACH_LAYOUT(layout) {
        ash_array *x = column_10000(layout);
        CHECK(ash_equal(ash_sum(x, .axes = ASH_AXES(2)), x));
        CHECK(ash_equal(ash_sum(x, .axes = ASH_AXES(1)), x));
        ash_array *both = ash_sum(x, .axes = ASH_AXES(1, 2));
        CHECK(ash_equal(both, x));
        CHECK_SHAPE(both, 10000, 1, 1);
        CHECK(ash_item_f32(ash_sum(x)) == 50005000);
        CHECK(ash_item_f32(ash_sum(both)) == 50005000);
    }
}
static void a01_axis_of_length_one(void **state)
{
    (void)state;
    everywhere(sum_along_length_one, false);
}

static void sum_over_five_axes(void)
{
    for EACH_LAYOUT(layout) {
        ash_array *x = counting(0, ASH_F64, ASH_SHAPE(3, 2, 3, 3, 3, 3), layout);
        CHECK_FLOATS(ash_sum(x, .axes = ASH_AXES(0, 1, 3, 4, 5)), 34911, 39285, 43659);
        CHECK_FLOATS(ash_sum(x, .axes = ASH_AXES(5, 0, 4, 1, 3), .drop = true), 34911, 39285, 43659);
        CHECK_FLOATS(ash_sum(x, .axes = ASH_AXES(-1, 0, -2, 1, -3)), 34911, 39285, 43659);
        CHECK(ash_item_f64(ash_sum(x)) == 117855);
        CHECK(!ash_sum(x, .axes = ASH_AXES(0, 0)));
        CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_sum: ", "0");
        CHECK(!ash_sum(x, .axes = ASH_AXES(5, -1)));
        CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_sum: ", "-1");
        CHECK(!ash_sum(x, .axes = ASH_AXES(6)));
        CHECK_ERROR_PARTS(ASH_ERR_BOUNDS, "ash_sum: ", "6");
        CHECK(!ash_sum(x, .axes = ASH_AXES(-7)));
        CHECK_ERROR_PARTS(ASH_ERR_BOUNDS, "ash_sum: ", "-7", "6");
    }
}
static void a02_several_axes(void **state)
{
    (void)state;
    everywhere(sum_over_five_axes, true);
}

static void idle_lanes(void)
{
    static const int64_t lengths[] = {1, 31, 33, 255, 257, 1000, 1025};
    for (int i = 0; i < COUNT(lengths); i++) {
        CHECK(ash_item_f32(ash_min(ash_fill_new(ASH_SHAPE(lengths[i]), 5.0f))) == 5);
        CHECK(ash_item_f32(ash_max(ash_fill_new(ASH_SHAPE(lengths[i]), -5.0f))) == -5);
        ash_array *sevens = ash_fill_new(ASH_SHAPE(lengths[i]), INT32_C(7));
        CHECK(ash_item_i32(ash_reduce("&", sevens)) == 7);
        CHECK(ash_item_bool(ash_all(ash_map("x -> x == 7", sevens))));
    }
    CHECK(ash_item_f32(ash_prod(ash_fill_new(ASH_SHAPE(20), 2.0f))) == 1048576);
}
static void a03_idle_lanes(void **state)
{
    (void)state;
    everywhere(idle_lanes, false);
}

static void first_of_equals(void)
{
    float *x = calloc(1000000, sizeof *x);
    CHECK(x);
    x[1] = x[163840] = 1;
    ash_array *a = ash_from_host(x, ASH_F32, ASH_SHAPE(1000000));
    CHECK(ash_item_i64(ash_argmax(a)) == 1);
    CHECK(ash_item_i64(ash_argmin(a)) == 0);
    CHECK(ash_item_i64(ash_find_max(a).index) == 1);
    /* the same in rows: the index is along the axis */
    ash_array *rows = ash_reshape(a, ASH_SHAPE(1000, 1000));
    ash_array *index = ash_argmax(rows, .axes = ASH_AXES(1), .drop = true);
    int64_t host[1000];
    CHECK_OK(ash_to_host(index, host, sizeof host));
    for (int i = 0; i < 1000; i++)
        CHECK(host[i] == (i == 0 ? 1 : i == 163 ? 840 : 0));
    free(x);
    CHECK(ash_item_i64(ash_argmax(ash_u32(0, 0, 0))) == 0);
    CHECK(ash_item_i64(ash_argmax(ash_i64(INT64_MIN))) == 0);
    CHECK(ash_item_i64(ash_argmax(ash_f32(-INFINITY, -INFINITY))) == 0);
}
static void first_of_equals_f64(void)
{
    CHECK(ash_item_i64(ash_argmin(ash_f64(DBL_MAX, DBL_MAX, DBL_MAX))) == 0);
    CHECK(ash_item_i64(ash_argmax(ash_f64(-INFINITY, -INFINITY))) == 0);
}
static void a04_first_of_equals(void **state)
{
    (void)state;
    everywhere(first_of_equals, false);
    everywhere(first_of_equals_f64, true);
}

static void nan_agreement(void)
{
    static const struct {
        double x[4];
        int n, first;
    } cases[] = {{{NAN}, 1, 0},
                 {{3, NAN, 1, 5}, 4, 1},
                 {{1, 2, NAN}, 3, 2},
                 {{INFINITY, NAN, -INFINITY}, 3, 1},
                 {{-1, -2, NAN}, 3, 2}};
    static const ash_dtype dtypes[] = {ASH_F32, ASH_F16};
    static const int64_t padded[] = {0, 33, 1000, 5000};
    for (int c = 0; c < COUNT(cases); c++)
        for (int d = 0; d < COUNT(dtypes); d++)
            for (int p = 0; p < COUNT(padded); p++) {
                ASH_SCOPE(scope);
                double x[5000] = {0};
                memcpy(x, cases[c].x, sizeof cases[c].x);
                const int64_t n = padded[p] ? padded[p] : cases[c].n;
                ash_array *a = ash_from_host(x, ASH_F64, ASH_SHAPE(n), .dtype = dtypes[d]);
                CHECK(isnan(ash_item_f32(ash_max(a))) && isnan(ash_item_f32(ash_min(a))));
                CHECK(ash_item_i64(ash_argmax(a)) == cases[c].first && ash_item_i64(ash_argmin(a)) == cases[c].first);
                ash_find_result least = ash_find_min(a), most = ash_find_max(a);
                CHECK(isnan(ash_item_f32(least.value)) && ash_item_i64(least.index) == cases[c].first);
                CHECK(isnan(ash_item_f32(most.value)) && ash_item_i64(most.index) == cases[c].first);
                ash_extrema_result extrema = ash_extrema(a);
                CHECK(isnan(ash_item_f32(extrema.min)) && isnan(ash_item_f32(extrema.max)));
            }
    for EACH_LAYOUT(layout) {
            ash_array *m =
                ash_from_host(((double[]){1, 5, 3, NAN, 2, 6}), ASH_F64, ASH_SHAPE(2, 3), .dtype = ASH_F32, .layout = layout);
            CHECK_INTS(ash_argmax(m, .axes = ASH_AXES(0)), 1, 0, 1);
            CHECK_INTS(ash_argmax(m, .axes = ASH_AXES(1)), 1, 0);
            CHECK_INTS(ash_argmin(m, .axes = ASH_AXES(0)), 1, 1, 0);
            CHECK_INTS(ash_argmin(m, .axes = ASH_AXES(1)), 0, 0);
            CHECK_FLOATS(ash_max(m, .axes = ASH_AXES(0)), NAN, 5, 6);
            CHECK_FLOATS(ash_min(m, .axes = ASH_AXES(0)), NAN, 2, 3);
            CHECK_FLOATS(ash_max(m, .axes = ASH_AXES(1)), 5, NAN);
            CHECK(ash_item_i64(ash_argmax(m)) == 3); /* row-major whatever the layout */
    }
}
static void a05_nan(void **state)
{
    (void)state;
    everywhere(nan_agreement, false);
}

static void mean_of_small_integers(void)
{
    ash_array *a = ash_fill_new(ASH_SHAPE(100), (int16_t)16000), *b = ash_fill_new(ASH_SHAPE(300), (uint8_t)255);
    CHECK(ash_dtype_of(ash_mean(a)) == ASH_F64 && ash_item_f64(ash_mean(a)) == 16000);
    CHECK(ash_dtype_of(ash_sum(a)) == ASH_I64 && ash_item_i64(ash_sum(a)) == 1600000);
    CHECK(ash_item_f64(ash_mean(b)) == 255);
    CHECK(ash_dtype_of(ash_sum(b)) == ASH_U64 && ash_item_u64(ash_sum(b)) == 76500);
}
static void a06_mean_of_small_integers(void **state)
{
    (void)state;
    everywhere(mean_of_small_integers, true);
}

static void float_sums(void)
{
    for EACH_LAYOUT(layout) {
        CHECK_ALL(ash_sum(ash_ones(ASH_SHAPE(3000, 115), .dtype = ASH_F16, .layout = layout), .axes = ASH_AXES(0)), 3000);
        CHECK_ALL(ash_sum(ash_ones(ASH_SHAPE(115, 3000), .dtype = ASH_F16, .layout = layout), .axes = ASH_AXES(1)), 3000);
    }
    CHECK_FLOATS(ash_mean(ash_ones(ASH_SHAPE(65520), .dtype = ASH_F16)), 1);
    CHECK_FLOATS(ash_sum(ash_ones(ASH_SHAPE(65519), .dtype = ASH_F16)), 65504);
    CHECK_FLOATS(ash_sum(ash_ones(ASH_SHAPE(65520), .dtype = ASH_F16)), INFINITY);
    CHECK_NEAR((double)ash_item_f32(ash_sum(ash_fill_new(ASH_SHAPE(1000000), 0.1f))), 100000.0015, 1e-5);
}
static void a07_float_sums(void **state)
{
    (void)state;
    everywhere(float_sums, false);
}

static void empty_arrays(void)
{
    ash_array *v = ash_ones(ASH_SHAPE(2)), *e = ash_slice(v, 0, 0);
    CHECK_SHAPE(e, 0);
    CHECK(ash_item_f32(ash_sum(ash_map("x -> -x", e))) == 0);
    CHECK_SHAPE(ash_map("x -> -x + 1", e), 0);
    for (int64_t axis = 0; axis < 3; axis++)
        CHECK_SHAPE(ash_cumsum(ash_zeros(ASH_SHAPE(2, 4, 0)), .axes = ASH_AXES(axis)), 2, 4, 0);
    CHECK_SHAPE(ash_cumsum(ash_zeros(ASH_SHAPE(2, 4, 0))), 2, 4, 0);
    ash_array *seven = ash_cumsum(ash_fill_new(ASH_SHAPE(), 7.0f));
    CHECK_SCALAR(seven);
    CHECK_FLOATS(seven, 7);
    float none[1] = {3};
    CHECK_OK(ash_to_host(e, none, 0));
    CHECK(none[0] == 3);
    CHECK_SHAPE(ash_from_host(none, ASH_F32, ASH_SHAPE(0)), 0);
    CHECK_SHAPE(ash_copy(e), 0);
    char text[128];
    snprintf(text, sizeof text, "ash.vector f32[0] %s%s view []", here.device, here.storage == ASH_PRIVATE ? " private" : "");
    CHECK_TEXT(e, text);
}
static void a08_empty_arrays(void **state)
{
    (void)state;
    everywhere(empty_arrays, false);
}

/* An extreme of nothing has no value; an empty result is fine. */
static void check_empty_extreme(const ash_array *result, const char *name, const char *shape)
{
    CHECK(!result);
    CHECK_ERROR_PARTS(ASH_ERR_VALUE, name, "empty", shape);
}
static void zero_dimension(void)
{
    ash_array *a = ash_zeros(ASH_SHAPE(0, 1)), *b = ash_zeros(ASH_SHAPE(3, 0)), *c = ash_zeros(ASH_SHAPE(0, 50));
    CHECK_SHAPE(ash_argmax(a, .axes = ASH_AXES(1), .drop = true), 0);
    CHECK_SHAPE(ash_argmax(a, .axes = ASH_AXES(1)), 0, 1);
    check_empty_extreme(ash_argmax(a, .axes = ASH_AXES(0)), "ash_argmax: ", "(0, 1)");
    CHECK_SHAPE(ash_argmax(b, .axes = ASH_AXES(0), .drop = true), 0);
    check_empty_extreme(ash_argmax(b, .axes = ASH_AXES(1)), "ash_argmax: ", "(3, 0)");
    CHECK_SHAPE(ash_argmin(c, .axes = ASH_AXES(1), .drop = true), 0);
    check_empty_extreme(ash_argmin(c, .axes = ASH_AXES(0)), "ash_argmin: ", "(0, 50)");
    check_empty_extreme(ash_argmax(a), "ash_argmax: ", "(0, 1)");
    check_empty_extreme(ash_argmin(b), "ash_argmin: ", "(3, 0)");
    check_empty_extreme(ash_argmax(c), "ash_argmax: ", "(0, 50)");

    CHECK_SHAPE(ash_max(a, .axes = ASH_AXES(1)), 0, 1);
    check_empty_extreme(ash_max(a, .axes = ASH_AXES(0)), "ash_max: ", "(0, 1)");
    CHECK_SHAPE(ash_min(b, .axes = ASH_AXES(0)), 1, 0);
    check_empty_extreme(ash_min(b), "ash_min: ", "(3, 0)");
    check_empty_extreme(ash_find_max(c).value, "ash_find_max: ", "(0, 50)");
    check_empty_extreme(ash_extrema(c).min, "ash_extrema: ", "(0, 50)");
    CHECK_FLOATS(ash_max(b, .axes = ASH_AXES(1), .init = ASH_OPERAND(4.0f), .drop = true), 4, 4, 4);

    CHECK_FLOATS(ash_sum(b, .axes = ASH_AXES(1)), 0, 0, 0);
    CHECK_FLOATS(ash_prod(b, .axes = ASH_AXES(1)), 1, 1, 1);
    CHECK(ash_item_f32(ash_sum(c)) == 0 && ash_item_f32(ash_prod(c)) == 1);
    CHECK(!ash_item_bool(ash_any(c)) && ash_item_bool(ash_all(c)) && ash_item_i64(ash_count(c)) == 0);
}
static void a09_zero_dimension(void **state)
{
    (void)state;
    everywhere(zero_dimension, false);
}

static void views_reduced(void)
{
    CHECK(ash_item_i64(ash_sum(ash_slice(ash_i32(-1, -1, -1, -1), 2, 3))) == -1);

    ash_array *down = counting(1, ASH_I64, ASH_SHAPE(2, 1024, 16), ASH_ROW_MAJOR);
    ash_array *up = ash_slice(down, ASH_OPEN, ASH_OPEN, .axes = ASH_AXES(0), .step = -1);
    CHECK_STRIDES(up, -16384, 16, 1);
    ash_array *sums = ash_sum(up, .axes = ASH_AXES(1), .drop = true);
    CHECK_SHAPE(sums, 2, 16);
    int64_t host[2][16];
    CHECK_OK(ash_to_host(sums, host, sizeof host));
    for (int k = 0; k < 16; k++)
        CHECK(host[0][k] == 25158656 + 1024 * k && host[1][k] == 8381440 + 1024 * k);
    ash_array *max = ash_max(up, .axes = ASH_AXES(1)), *min = ash_min(up, .axes = ASH_AXES(1));
    CHECK(ash_equal(ash_slice(max, ASH_OPEN, ASH_OPEN, .step = -1), ash_max(down, .axes = ASH_AXES(1))));
    CHECK(ash_equal(ash_slice(min, ASH_OPEN, ASH_OPEN, .step = -1), ash_min(down, .axes = ASH_AXES(1))));
}
static void plane_reduced(void)
{
    /* value = column-major linear index: row-major counting of the reversed shape, transposed */
    ash_array *x = ash_permute(counting(0, ASH_F64, ASH_SHAPE(4, 51, 51), ASH_ROW_MAJOR), ASH_AXES(2, 1, 0));
    CHECK(ash_layout_of(x) == ASH_COL_MAJOR);
    ash_array *plane = ash_view(x, 0, ASH_ALL, ASH_ALL);
    CHECK(ash_item_f64(ash_mean(plane)) == 5176.5 && ash_item_f64(ash_sum(plane)) == 1056006);
}
static void a17_views_reduced(void **state)
{
    (void)state;
    everywhere(views_reduced, false);
    everywhere(plane_reduced, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a01_axis_of_length_one), TEST(a02_several_axes),          TEST(a03_idle_lanes), TEST(a04_first_of_equals),
        TEST(a05_nan),                TEST(a06_mean_of_small_integers), TEST(a07_float_sums), TEST(a08_empty_arrays),
        TEST(a09_zero_dimension),     TEST(a17_views_reduced),
    };
    return cmocka_run_group_tests_name("cases: reductions", tests, NULL, NULL);
}
