/*
 * cases_shape.c - reports from the field about shapes: products that overflow, zeros and negatives, reinterpretation at odd
 * offsets, what counts as contiguous (A33 to A35).
 */
#include "test.h"

ASH_RECORD(triple, (f64, a), (f64, b), (f64, c));

/* Too large is a shape error where it cannot be counted, a memory error where it is only not to be had. */
static void check_too_large(const ash_array *a, ash_status status, const char *function)
{
    ash_error e;
    CHECK(!a && ash_error_take(&e, sizeof e) && e.status == status && strcmp(e.function, function) == 0);
    CHECK(!strstr(e.cause, "negative") && (status == ASH_ERR_MEMORY || !strstr(e.cause, "memory")));
}
static void check_negative(const ash_array *a, const char *function)
{
    CHECK(!a);
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, function, "negative", "-");
}

static void shape_arithmetic(void)
{
    const int64_t big = INT64_C(1) << 62, ten7 = 10000000;
    check_too_large(ash_zeros(ASH_SHAPE(2, 2, 5, 5581, 8681, 49477, 384773), .dtype = ASH_I64), ASH_ERR_SHAPE, "ash_zeros");
    check_too_large(ash_empty(ASH_SHAPE(ten7, ten7, ten7, 10 * ten7), .dtype = ASH_I64), ASH_ERR_SHAPE, "ash_empty");
    check_too_large(ash_empty(ASH_SHAPE(big, big), .dtype = ASH_I64), ASH_ERR_SHAPE, "ash_empty");
    check_too_large(ash_empty(ASH_SHAPE(INT64_C(1) << 61), .dtype = ASH_I64), ASH_ERR_SHAPE, "ash_empty");
    check_too_large(ash_ones(ASH_SHAPE(INT64_MAX), .dtype = ASH_I8), ASH_ERR_MEMORY, "ash_ones");
    CHECK_SHAPE(ash_zeros(ASH_SHAPE(0, big, big), .dtype = ASH_I64), 0, big, big);
    CHECK_SHAPE(ash_zeros(ASH_SHAPE(big, big, 0), .dtype = ASH_I64), big, big, 0);
    CHECK_SHAPE(ash_zeros(ASH_SHAPE(big, 0, big), .dtype = ASH_I64), big, 0, big);
    ash_array *none = ash_zeros(ASH_SHAPE(0, INT64_MAX, INT64_MAX));
    CHECK(ash_size(none) == 0 && ash_nbytes(none) == 0 && ash_item_f32(ash_sum(none)) == 0);

    check_negative(ash_zeros(ASH_SHAPE(0, -10)), "ash_zeros: ");
    check_negative(ash_zeros(ASH_SHAPE(-10, 0)), "ash_zeros: ");
    check_negative(ash_empty(ASH_SHAPE(-1, -1)), "ash_empty: ");
    check_negative(ash_ones(ASH_SHAPE(-4, 2, 0)), "ash_ones: ");
    check_negative(ash_zeros(ASH_SHAPE(INT64_MAX, INT64_MAX, -1)), "ash_zeros: ");
    check_negative(ash_fill_new(ASH_SHAPE(-2), 1), "ash_fill_new: ");
    float memory[4] = {0};
    check_negative(ash_from_host(memory, ASH_F32, ASH_SHAPE(-2, -2)), "ash_from_host: ");
    check_negative(ash_wrap(memory, ASH_F32, 4, ASH_SHAPE(-2, 2)), "ash_wrap: ");
    check_negative(ash_reshape(ash_zeros(ASH_SHAPE(4)), ASH_SHAPE(-2, -2)), "ash_reshape: ");
    check_negative(ash_broadcast_to(ash_zeros(ASH_SHAPE(1)), ASH_SHAPE(-2)), "ash_broadcast_to: ");
    check_negative(ash_like(ash_zeros(ASH_SHAPE(1)), .shape = ASH_SHAPE(3, -2)), "ash_like: ");

    int64_t sizes[33];
    for (int i = 0; i < 33; i++)
        sizes[i] = 1;
    CHECK(ash_rank(ash_zeros(((ash_dims){sizes, 32}))) == 32);
    CHECK(!ash_zeros(((ash_dims){sizes, 33})));
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_zeros: ", "33", "32");
    CHECK(!ash_zeros(((ash_dims){sizes, -1})));
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_zeros: ", "-1");
}
static void factorials(void)
{
    /* 20! can be counted, 21! cannot; of both there is no memory */
    check_too_large(ash_empty(ASH_SHAPE(2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20), .dtype = ASH_I8),
                    ASH_ERR_MEMORY, "ash_empty");
    check_too_large(
        ash_empty(ASH_SHAPE(2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21), .dtype = ASH_I8),
        ASH_ERR_SHAPE, "ash_empty");
    ash_array *view = ash_broadcast_to(ash_ones(ASH_SHAPE(), .dtype = ASH_I8),
                                       ASH_SHAPE(2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20));
    CHECK(ash_size(view) == 2432902008176640000);
}
static void a33_shape_arithmetic(void **state)
{
    (void)state;
    everywhere(shape_arithmetic, false);
    everywhere(factorials, false);
}

static void reinterpreted_offsets(void)
{
    ash_array *v = counting(0, ASH_I16, ASH_SHAPE(10), ASH_ROW_MAJOR);
    ash_array *w = ash_reinterpret(ash_slice(v, 1, 9), ASH_I32);
    CHECK_INTS(w, 131073, 262147, 393221, 524295); /* little-endian */
    CHECK_INTS(ash_map("x -> x + 1", w), 131074, 262148, 393222, 524296);
    CHECK(ash_item_i64(ash_sum(w)) == 131073 + 262147 + 393221 + 524295);
    CHECK(!ash_reinterpret(ash_slice(v, 1, 8), ASH_I32));
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_reinterpret: ", "7", "i16", "i32");
}
static void reinterpreted_records(void)
{
    ash_array *r = ash_reinterpret(ash_slice(counting(1, ASH_F64, ASH_SHAPE(10), ASH_ROW_MAJOR), 1, 10), triple_dtype());
    CHECK_SHAPE(r, 3);
    CHECK_FLOATS(ash_field(r, "a"), 2, 5, 8);
    CHECK_FLOATS(ash_field(r, "b"), 3, 6, 9);
    CHECK_FLOATS(ash_field(r, "c"), 4, 7, 10);
    CHECK_TEXT_HERE(
        ash_copy(r),
        "ash.vector triple[3] cpu:0 [ (a = 2.0, b = 3.0, c = 4.0)  (a = 5.0, b = 6.0, c = 7.0) (a = 8.0, b = 9.0, c = 10.0)]");
}
static void a34_reinterpreted_offsets(void **state)
{
    (void)state;
    everywhere(reinterpreted_offsets, false);
    everywhere(reinterpreted_records, true);
}

static bool both_ways(const ash_array *a)
{
    return ash_is_contiguous(a) && ash_is_contiguous(a, .layout = ASH_COL_MAJOR);
}
static void contiguity(void)
{
    ash_array *column = ash_zeros(ASH_SHAPE(5, 1), .layout = ASH_COL_MAJOR);
    CHECK_STRIDES(column, 1, 5);
    CHECK(both_ways(column) && ash_contiguous(column, .layout = ASH_COL_MAJOR) == column && ash_contiguous(column) == column);
    ash_array *row = ash_zeros(ASH_SHAPE(1, 5));
    CHECK(both_ways(row) && ash_contiguous(row, .layout = ASH_COL_MAJOR) == row);

    /* one element, stride -1: the bytes are those of that element */
    ash_array *one = ash_slice(ash_u16(512, 3), 1, 0, .step = -1);
    CHECK_SHAPE(one, 1);
    ash_array *bytes = ash_reinterpret(one, ASH_U8);
    CHECK_INTS(bytes, 3, 0);
    CHECK_INTS(ash_map("x -> x + 0", bytes), 3, 0);

    ash_array *cube = ash_zeros(ASH_SHAPE(4, 4, 4));
    ash_array *empty = ash_view(cube, ASH_RANGE(0, 4, 2), ASH_RANGE(1, 1), ASH_RANGE(0, 4, 2));
    CHECK_SHAPE(empty, 2, 0, 2);
    CHECK(both_ways(empty) && ash_layout_of(empty) == ASH_ROW_MAJOR);

    ash_array *swapped = ash_permute(counting(0, ASH_F32, ASH_SHAPE(2, 3, 4), ASH_ROW_MAJOR), ASH_AXES(1, 0, 2));
    CHECK_SHAPE(swapped, 3, 2, 4);
    CHECK_STRIDES(swapped, 4, 12, 1);
    CHECK(!ash_is_contiguous(swapped) && !ash_is_contiguous(swapped, .layout = ASH_COL_MAJOR));
    CHECK(ash_layout_of(swapped) == ASH_STRIDED);
    ash_array *dense = ash_contiguous(swapped);
    CHECK(dense != swapped && ash_layout_of(dense) == ASH_ROW_MAJOR && ash_equal(dense, swapped));
}
static void contiguity_of_bytes(void)
{
    ash_array *bytes = ash_reinterpret(ash_ones(ASH_SHAPE(3, 1), .dtype = ASH_F64), ASH_U8);
    CHECK_SHAPE(bytes, 3, 8);
    CHECK_STRIDES(bytes, 8, 1);
    CHECK(ash_is_contiguous(bytes) && !ash_is_contiguous(bytes, .layout = ASH_COL_MAJOR));
    CHECK(ash_layout_of(bytes) == ASH_ROW_MAJOR);
}
static void a35_contiguity(void **state)
{
    (void)state;
    everywhere(contiguity, false);
    everywhere(contiguity_of_bytes, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(a33_shape_arithmetic), TEST(a34_reinterpreted_offsets), TEST(a35_contiguity)};
    return cmocka_run_group_tests_name("cases: shapes", tests, NULL, NULL);
}
