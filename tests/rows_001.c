/*
 * rows_001.c - the acceptance rows of the document on fixed-size arrays, as far as they concern ordinary arrays.
 *
 * The values were worked out apart from the library: by hand, or by the document itself. A row that needs a module that is
 * not built has no function here; CASES.md says what it waits for.
 */
#include "test.h"

static ash_array *source(void)
{
    return ash_from_host(((int64_t[]){10, 20, 30, 14}), ASH_I64, ASH_SHAPE(2, 2));
}

static void row_001_01(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *a = ash_empty(ASH_SHAPE(3), .dtype = ASH_F64);
    char text[256];
    CHECK_SHAPE(a, 3);
    CHECK_STRIDES(a, 1);
    CHECK(ash_dtype_of(a) == ASH_F64 && ash_format(text, sizeof text, a) > 0);
    CHECK(strncmp(text, "ash.vector f64[3] cpu:0 [", 25) == 0);
}

static void row_001_02(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *A = ash_empty(ASH_SHAPE(2, 2), .dtype = ASH_F64);
    CHECK_SHAPE(A, 2, 2);
    CHECK(ash_dtype_of(A) == ASH_F64 && ash_size(A) == 4);
}

static void row_001_03(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK_TEXT(source(), "ash.matrix i64[2×2] row-major cpu:0\n [[10 20]\n  [30 14]]");
}

static void row_001_04(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *arr = source(), *A = ash_copy(arr);
    CHECK_OK(ash_set_i64(A, 99, 0, 0));
    CHECK_TEXT(arr, "ash.matrix i64[2×2] row-major cpu:0\n [[10 20]\n  [30 14]]");
    CHECK_INTS(A, 99, 20, 30, 14);
}

static void row_001_05(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK_TEXT(ash_convert(source(), ASH_F64), "ash.matrix f64[2×2] row-major cpu:0\n [[10.0 20.0]\n  [30.0 14.0]]");
}

static void row_001_06(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK_TEXT(ash_transpose(source()), "ash.matrix i64[2×2] col-major cpu:0 view\n [[10 30]\n  [20 14]]");
}

static void row_001_07(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    static const ash_target keep = ASH_TARGET(.device = "cpu:0");
    ash_array *t = ash_transpose(source()), *b = ash_adapt(t, .like = &keep), *c = ash_adapt(t, .device = "cpu:0?f64=off");
    CHECK(b == t);
    CHECK_TEXT(b, "ash.matrix i64[2×2] col-major cpu:0 view\n [[10 30]\n  [20 14]]");
    CHECK_TEXT(c, "ash.matrix i64[2×2] col-major cpu:0?f64=off view\n [[10 30]\n  [20 14]]"); /* where it is a new one */
    CHECK_STRIDES(c, 1, 2);
    CHECK_SHAPE(ash_parent(c), 2, 2);
}

static void row_001_08(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *a = ash_empty(ASH_SHAPE(2), .dtype = ASH_F64), *A = ash_empty(ASH_SHAPE(3, 3), .dtype = ASH_F64);
    CHECK(ash_rank(a) == 1 && ash_size(a) == 2 && ash_rank(A) == 2 && ash_size(A) == 9);
}

static void row_001_09(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    int64_t v[6] = {1, 2, 3, 4, 5, 6};
    ash_array *lent = ash_wrap(v, ASH_I64, 6, ASH_SHAPE(2, 3));
    CHECK_SHAPE(lent, 2, 3);
    CHECK(ash_map_host(lent) == v);
    CHECK_OK(ash_unmap_host(lent));
    ash_array *w = ash_i64(1, 2, 3, 4, 5, 6);
    CHECK(ash_parent(ash_reshape(w, ASH_SHAPE(2, 3))) == w);
}

static void row_001_10(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    for EACH_LAYOUT(layout) {
        int64_t v[6] = {1, 2, 3, 4, 5, 6};
        ash_array *lent = ash_wrap(v, ASH_I64, 6, ASH_SHAPE(2, 3), .layout = layout);
        CHECK_OK(ash_set_i64(lent, 60, 1, 2));
        CHECK(v[5] == 60 && v[0] == 1 && v[4] == 5);
    }
}

static void row_001_11(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    int64_t v[6] = {1, 2, 3, 4, 5, 6};
    CHECK_SHAPE(ash_wrap(v, ASH_I64, 6, ASH_SHAPE(2, ASH_INFER)), 2, 3);
    CHECK(!ash_wrap(v, ASH_I64, 6, ASH_SHAPE(ASH_INFER, ASH_INFER)));
    CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_wrap: ", "0", "1");
    CHECK(!ash_wrap(v, ASH_I64, 6, ASH_SHAPE(2, 4)));
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_wrap: ", "6", "8");
    CHECK(!ash_wrap(v, ASH_I64, 6, ASH_SHAPE(4, ASH_INFER)));
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_wrap: ", "6", "4");
}

/* There is no function that changes the length of an array; the same memory is wrapped again after a realloc. */
static void row_001_12(void **state)
{
    (void)state;
    int64_t *v = calloc(6, sizeof *v);
    ash_array *a = ash_wrap(v, ASH_I64, 6, ASH_SHAPE(6));
    CHECK_OK(ash_fill(a, 3));
    ash_release(a);
    int64_t *longer = realloc(v, 12 * sizeof *v);
    CHECK(longer);
    ash_array *b = ash_wrap(longer, ASH_I64, 12, ASH_SHAPE(12));
    CHECK_OK(ash_fill(b, 4));
    CHECK(longer[0] == 4 && longer[11] == 4);
    ash_release(b);
    free(longer);
}

static void row_001_37(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *a = ash_f32(3, 1, 2);
    CHECK(isnan(ash_get_f32(a, 3)));
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_get_f32: index 3 is out of bounds for axis 0 of size 3");
    CHECK(isnan(ash_get_f32(a, -1)));
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_get_f32: index -1 is out of bounds for axis 0 of size 3");
    CHECK(ash_set_f32(a, 1, 3) == ASH_ERR_BOUNDS);
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_set_f32: index 3 is out of bounds for axis 0 of size 3");
    CHECK_FLOATS(a, 3, 1, 2);
}

static void row_001_28(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *b = ash_adapt(source(), .storage = ASH_PRIVATE);
    CHECK_TEXT(b, "ash.matrix i64[2×2] row-major cpu:0 private\n [[10 20]\n  [30 14]]");
    CHECK_SHAPE(b, 2, 2);
    CHECK_INTS(b, 10, 20, 30, 14);
}

/* A target has no field for static dimensions: what comes out is an ordinary array. */
static void row_001_30(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *b = ash_adapt(source(), .dtype = ASH_F64);
    CHECK_TEXT(b, "ash.matrix f64[2×2] row-major cpu:0\n [[10.0 20.0]\n  [30.0 14.0]]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(row_001_01), TEST(row_001_02), TEST(row_001_03), TEST(row_001_04), TEST(row_001_05), TEST(row_001_06),
        TEST(row_001_07), TEST(row_001_08), TEST(row_001_09), TEST(row_001_10), TEST(row_001_11), TEST(row_001_12),
        TEST(row_001_28), TEST(row_001_30), TEST(row_001_37),
    };
    return cmocka_run_group_tests_name("rows of document 001", tests, NULL, NULL);
}
