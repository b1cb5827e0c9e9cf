/* scan.c - running folds. Expected values are worked out by hand, or by a plain loop in the test. */
#include <complex.h>

#include "test.h"

static void small_cases(void)
{
    ash_array *a = ash_f32(3, 1, 2), *i = ash_i32(3, 1, 2), *none = ash_empty(ASH_SHAPE(0), .dtype = ASH_I32);
    CHECK_FLOATS(ash_cumsum(a), 3, 4, 6);
    CHECK_FLOATS(ash_cumprod(a), 3, 3, 6);
    CHECK_FLOATS(ash_scan("max", a), 3, 3, 3);
    CHECK_FLOATS(ash_scan("min", a), 3, 1, 1);
    CHECK_INTS(ash_scan("|", i), 3, 3, 3);
    CHECK_INTS(ash_scan("&", i), 3, 1, 0);
    CHECK_INTS(ash_scan("^", i), 3, 2, 0);
    CHECK_INTS(ash_scan("&&", ash_i32(3, 0, 1)), 1, 0, 0);
    CHECK_INTS(ash_scan("||", ash_f32(0, -0.0, NAN, 0)), 0, 0, 1, 1);
    CHECK_INTS(ash_scan("(a, b) -> a + b", i), 3, 4, 6); /* needs no init */
    CHECK_INTS(ash_scan("(a, b) -> b != 0 ? b : a", ash_i32(1, 0, 5, 0, 0, 2)), 1, 1, 5, 5, 5, 2);
    CHECK_FLOATS(ash_scan("+", a, .init = ASH_OPERAND(10.0f)), 13, 14, 16);
    CHECK_FLOATS(ash_scan("+", a, .exclusive = true), 0, 3, 4);
    CHECK_FLOATS(ash_scan("*", a, .exclusive = true), 1, 3, 3);
    CHECK_FLOATS(ash_scan("+", a, .exclusive = true, .init = ASH_OPERAND(10)), 10, 13, 14);
    CHECK_FLOATS(ash_scan("max", a, .exclusive = true, .init = ASH_OPERAND(-1.0f)), -1, 3, 3);
    CHECK_INTS(ash_scan("(a, b) -> a + b", i, .exclusive = true, .init = ASH_OPERAND(0)), 0, 3, 4);
    CHECK_INTS(ash_scan("&", i, .exclusive = true), -1, 3, 1);
    CHECK_SHAPE(ash_cumsum(none), 0);
    ash_array *lone = ash_cumsum(ash_fill_new(ASH_SHAPE(), 7));
    CHECK_SCALAR(lone);
    CHECK(ash_item_i64(lone) == 7 && ash_dtype_of(lone) == ASH_I64);
    CHECK_FLOATS(ash_scan("max", ash_f32(1, 5, NAN, 2)), 1, 5, NAN, NAN);
    CHECK_FLOATS(ash_scan("min", ash_f32(NAN, 5)), NAN, NAN);
    const ash_array *z = ash_cumprod(ash_c_f32(1 + I, 2, I)); /* 1+i, 2+2i, -2+2i */
    CHECK(ash_get_c_f32(ash_contiguous(ash_copy(z, .storage = ASH_SHARED)), 2).re == -2);
    CHECK(ash_item_c_f32(ash_sum(z)).re == 1 && ash_item_c_f32(ash_sum(z)).im == 5);
}

static void small_everywhere(void **state)
{
    (void)state;
    everywhere(small_cases, false);
}

static void result_dtypes(void **state)
{
    (void)state;
    static const struct {
        ash_dtype a, cumsum, plus, max;
    } cases[] = {
        {ASH_BOOL, ASH_I64, ASH_I64, ASH_BOOL}, {ASH_I8, ASH_I64, ASH_I8, ASH_I8},    {ASH_U8, ASH_U64, ASH_U8, ASH_U8},
        {ASH_I64, ASH_I64, ASH_I64, ASH_I64},   {ASH_U32, ASH_U64, ASH_U32, ASH_U32}, {ASH_F16, ASH_F16, ASH_F16, ASH_F16},
        {ASH_F32, ASH_F32, ASH_F32, ASH_F32},   {ASH_C_F64, ASH_C_F64, ASH_C_F64, 0}, {ASH_BF16, ASH_BF16, ASH_BF16, ASH_BF16},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        ASH_SCOPE(scope);
        ash_array *a = ash_ones(ASH_SHAPE(4), .dtype = cases[i].a), *s = ash_cumsum(a), *p = ash_scan("+", a),
                  *m = ash_scan("max", a);
        CHECK(s && ash_dtype_of(s) == cases[i].cumsum && p && ash_dtype_of(p) == cases[i].plus);
        CHECK(cases[i].max ? m && ash_dtype_of(m) == cases[i].max : !m);
        if (!m)
            CHECK_ERROR_PARTS(ASH_ERR_DTYPE, "ash_scan: ", "order");
        CHECK_FLOATS(ash_map("x -> real(x)", s), 1, 2, 3, 4);
    }
    ASH_SCOPE(scope);
    CHECK_INTS(ash_scan("+", ash_i8(100, 100)), 100, -56); /* wraps */
    CHECK_INTS(ash_cumsum(ash_i8(100, 100)), 100, 200);
    /* f16 ones stall at 2048 when each partial sum is rounded; these are summed in f32 */
    ash_array *h = ash_cumsum(ash_fill_new(ASH_SHAPE(4096), ash_operand_float(ASH_F16, 1)));
    CHECK(ash_get_f32(ash_map("x -> f32(x)", h), 4095) == 4096);
}

/* Every axis, both layouts, views, against a loop over the indices. */
static void along_axes(void **state)
{
    (void)state;
    static const int64_t shape[3] = {5, 7, 4};
    for
        EACH_LAYOUT(layout)
    for (int64_t axis = -1; axis < 3; axis++)
        for (int exclusive = 0; exclusive < 2; exclusive++) {
            ASH_SCOPE(scope);
            ash_array *a = counting(1, ASH_F32, ((ash_dims){shape, 3}), layout);
            double want[140];
            for (int64_t i = 0; i < 140; i++) {
                const int64_t step = axis < 0 ? 1 : axis == 0 ? 28 : axis == 1 ? 4 : 1, size = axis < 0 ? 140 : shape[axis];
                const int64_t at = i / step % size;
                want[i] = at          ? want[i - step] + (exclusive ? (double)(i - step) + 1 : (double)i + 1)
                          : exclusive ? 0
                                      : (double)i + 1;
            }
            ash_array *r = axis < 0 ? ash_cumsum(a, .exclusive = exclusive != 0)
                                    : ash_cumsum(a, .axes = ASH_AXES(axis % 2 ? axis - 3 : axis), .exclusive = exclusive != 0);
            check_shape(r, shape, 3, __FILE__, __LINE__);
            check_floats(r, want, 140, __FILE__, __LINE__);
            CHECK(ash_layout_of(r) == layout);
            ash_array *in = ash_zeros(ASH_SHAPE(5, 14, 4), .layout = layout);
            ash_array *view = ash_slice(in, 0, 14, .axes = ASH_AXES(1), .step = 2);
            CHECK_OK(ash_copy_into(view, a));
            CHECK(ash_equal(axis < 0 ? ash_cumsum(view, .exclusive = exclusive != 0)
                                     : ash_cumsum(view, .axes = ASH_AXES(axis), .exclusive = exclusive != 0),
                            r));
        }
    ASH_SCOPE(scope);
    ash_array *m = ash_reshape(ash_i32(1, 2, 3, 4, 5, 6), ASH_SHAPE(2, 3));
    CHECK_INTS(ash_cumsum(m, .order = ASH_COL_MAJOR), 1, 7, 15, 5, 12, 21); /* down the columns, one after the other */
    CHECK_INTS(ash_cumsum(ash_transpose(m)), 1, 5, 7, 12, 15, 21);
    CHECK_INTS(ash_cumsum(ash_slice(m, ASH_OPEN, ASH_OPEN, .axes = ASH_AXES(1), .step = -1), .axes = ASH_AXES(1)), 3, 5, 6, 6,
               11, 15);
}

/* Sizes around blocks, one column beside another; sums of ones count. */
static void sizes(void **state)
{
    (void)state;
    static const int64_t lengths[] = {0, 1, 2, 3, 10, 127, 128, 129, 1023, 1024, 1025, 4095, 4096, 4097, 10000, 16384, 16385};
    for (int i = 0; i < COUNT(lengths); i++)
        for
            EACH_LAYOUT(layout)
            {
                ASH_SCOPE(scope);
                const int64_t n = lengths[i];
                ash_array *ones = ash_ones(ASH_SHAPE(n, 3), .dtype = ASH_I32, .layout = layout),
                          *count = ash_range(INT64_C(1), n + 1);
                ash_array *want = ash_broadcast_to(ash_reshape(count, ASH_SHAPE(n, 1)), ASH_SHAPE(n, 3));
                CHECK(ash_equal(ash_cumsum(ones, .axes = ASH_AXES(0)), want));
                CHECK(ash_equal(ash_scan("(a, b) -> a + b", ones, .axes = ASH_AXES(0)), want));
                CHECK(ash_equal(ash_cumsum(ash_transpose(ones), .axes = ASH_AXES(1)), ash_transpose(want)));
                CHECK(ash_equal(ash_cumsum(ash_ones(ASH_SHAPE(n))), count));
            }
    ASH_SCOPE(scope);
    ash_array *long_row = ash_ones(ASH_SHAPE(2, 300000)), *tall = ash_ones(ASH_SHAPE(300000, 2));
    CHECK(ash_get_f32(ash_cumsum(long_row, .axes = ASH_AXES(1)), 1, 299999) == 300000);
    CHECK(ash_get_f32(ash_cumsum(tall, .axes = ASH_AXES(0)), 299999, 1) == 300000);
    CHECK(ash_get_f32(ash_cumsum(tall), 299999, 1) == 600000);
    ash_array *deep = ash_ones(ASH_SHAPE(1, 7, 5, 2));
    CHECK_ALL(ash_cumsum(deep, .axes = ASH_AXES(0)), 1);
}

static void same_for_any_threads(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *a = ash_map("x -> 1/(1 + f32(x))", ash_range(0, 300000)), *r[3];
    for (int t = 1; t <= 3; t++) {
        CHECK_OK(ash_set_threads(t));
        r[t - 1] = ash_cumsum(a);
    }
    CHECK_OK(ash_set_threads(0));
    CHECK(ash_equal(r[0], r[1]) && ash_equal(r[0], r[2]));
    CHECK(ash_allclose(ash_slice(r[0], 299999, 300000),
                       ash_sum(ash_reshape(a, ASH_SHAPE(1, 300000)), .axes = ASH_AXES(1), .drop = true)));
}

static void into(void)
{
    ash_array *a = ash_i32(3, 1, 2), *wide = ash_zeros(ASH_SHAPE(3), .dtype = ASH_I64), *f = ash_zeros(ASH_SHAPE(3)),
              *i8 = ash_i8(9, 9, 9);
    CHECK_OK(ash_scan_into(wide, "+", a));
    CHECK_INTS(wide, 3, 4, 6);
    CHECK_OK(ash_scan_into(f, "+", a));
    CHECK_FLOATS(f, 3, 4, 6);
    CHECK_OK(ash_scan_into(i8, "*", a));
    CHECK_INTS(i8, 3, 3, 6);
    ash_array *bytes = ash_zeros(ASH_SHAPE(13), .dtype = ASH_U8), *askew = ash_reinterpret(ash_slice(bytes, 1, 13), ASH_I32);
    CHECK_OK(ash_scan_into(askew, "+", ash_i32(1, 2, 3))); /* results at an odd address */
    CHECK_INTS(askew, 1, 3, 6);
    CHECK_OK(ash_max_into(askew, ash_reshape(ash_i32(1, 2, 3, 4, 5, 6), ASH_SHAPE(3, 2)), .axes = ASH_AXES(1)));
    CHECK_INTS(askew, 2, 4, 6);
    CHECK(ash_scan_into(i8, "*", ash_i32(100, 10, 1)) == ASH_ERR_VALUE);
    CHECK_ERROR_HAS(ASH_ERR_VALUE, "ash_scan_into: ");
    CHECK_INTS(i8, 3, 3, 6);
    CHECK(ash_scan_into(i8, "+", f) == ASH_ERR_DTYPE);
    CHECK_ERROR_PARTS(ASH_ERR_DTYPE, "ash_scan_into: ", "f32", "i8");
    ash_array *u32 = ash_zeros(ASH_SHAPE(300), .dtype = ASH_U32); /* a wider output is what is added in */
    CHECK_OK(ash_scan_into(u32, "+", ash_ones(ASH_SHAPE(300), .dtype = ASH_U8)));
    CHECK(ash_equal(u32, ash_range(1, 301)));
    CHECK_OK(ash_scan_into(u32, "+", ash_ones(ASH_SHAPE(300), .dtype = ASH_BOOL)));
    CHECK(ash_equal(u32, ash_range(1, 301)));
    CHECK_OK(ash_scan_into(a, "+", a)); /* in place */
    CHECK_INTS(a, 3, 4, 6);
    CHECK_OK(ash_scan_into(a, "+", a, .exclusive = true));
    CHECK_INTS(a, 0, 3, 7);
    CHECK_OK(ash_scan_into(a, "+", ash_slice(a, ASH_OPEN, ASH_OPEN, .step = -1)));
    CHECK_INTS(a, 7, 10, 10);
    CHECK_OK(ash_scan_into(ash_slice(a, 1, 3), "+", ash_slice(a, 0, 2)));
    CHECK_INTS(a, 7, 7, 17);
    CHECK(ash_scan_into(a, "+", wide, .axes = ASH_AXES(0)) == ASH_OK); /* i64 to i32: checked, and fits */
    CHECK_INTS(a, 3, 7, 13);
    CHECK(ash_scan_into(a, "+", ash_i32(1, 2)) == ASH_ERR_SHAPE);
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_scan_into: ", "(3)", "(2)");
    CHECK(ash_scan_into(NULL, "+", a) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_scan_into: out is NULL");
    CHECK_INTS(a, 3, 7, 13);
}

static void into_everywhere(void **state)
{
    (void)state;
    everywhere(into, false);
}

static void refused(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *a = ash_f32(1, 2, 3);
    CHECK(!ash_scan("max", a, .exclusive = true));
    CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_scan: ", "max", ".init");
    CHECK(!ash_scan("(a, b) -> a + b", a, .exclusive = true));
    CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_scan: ", ".init");
    CHECK(!ash_cumsum(a, .axes = ASH_AXES(1)));
    CHECK_ERROR_PARTS(ASH_ERR_BOUNDS, "ash_cumsum: ", "1");
    CHECK(!ash_cumsum(a, .axes = ASH_AXES(0, 0)));
    CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_cumsum: ", "axes");
    CHECK(!ash_cumsum(a, .axes = ASH_AXES()));
    CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_cumsum: ", "axes");
    CHECK(!ash_cumsum(a, .axes = ASH_AXES(0), .order = ASH_ROW_MAJOR));
    CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_cumsum: ", ".order");
    CHECK(!ash_scan("&", a));
    CHECK_ERROR_PARTS(ASH_ERR_DTYPE, "ash_scan: ", "\"&\"", "f32");
    CHECK(!ash_cumsum((ash_array *)NULL));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_cumsum: operand 0 is NULL");
    CHECK(!ash_scan(NULL, a));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_scan: the operator is NULL");
    CHECK(!ash_scan("(a, b, c) -> a", a));
    CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_scan: ", "two");
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(small_everywhere),     TEST(result_dtypes),   TEST(along_axes), TEST(sizes),
                                       TEST(same_for_any_threads), TEST(into_everywhere), TEST(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
