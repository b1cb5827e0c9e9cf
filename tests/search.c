/*
 * search.c - positions in sorted vectors, and counts of values between edges.
 *
 * Expected values are NumPy's (searchsorted, histogram), those of mixed dtypes by hand: numbers are compared as numbers.
 */
#include "test.h"

static void positions(void)
{
    ash_array *s = ash_f32(1, 2, 2, 4), *v = ash_f32(0, 1, 2, 3, 4, 5, NAN);
    CHECK_TEXT_HERE(ash_search_sorted(s, ash_f32(2, 3)), "ash.vector i64[2] cpu:0 [1 3]");
    CHECK_INTS(ash_search_sorted(s, v), 0, 0, 1, 3, 3, 4, 4);
    CHECK_INTS(ash_search_sorted(s, v, .right = true), 0, 1, 3, 3, 4, 4, 4);
    ash_array *d = ash_f32(4, 2, 2, 1);
    CHECK_INTS(ash_search_sorted(d, v, .descending = true), 4, 3, 1, 1, 0, 0, 0);
    CHECK_INTS(ash_search_sorted(d, v, .descending = true, .right = true), 4, 4, 3, 1, 1, 0, 0);
    ash_array *one = ash_search_sorted(s, 3.0f);
    CHECK_SHAPE(one, );
    CHECK_INTS(one, 3);
    CHECK_INTS(ash_search_sorted(s, 3), 3);
    ash_array *m = ash_transpose(ash_reshape(ash_f32(0, 1, 2, 3, 4, 5), ASH_SHAPE(2, 3))), *p = ash_search_sorted(s, m);
    CHECK_SHAPE(p, 3, 2);
    CHECK_INTS(p, 0, 3, 0, 3, 1, 4);
    CHECK(ash_layout_of(p) == ASH_COL_MAJOR);
    CHECK_INTS(ash_search_sorted(ash_slice(s, ASH_OPEN, ASH_OPEN, .step = -1), v, .descending = true), 4, 3, 1, 1, 0, 0, 0);
    CHECK_INTS(ash_search_sorted(s, ash_slice(v, ASH_OPEN, ASH_OPEN, .step = -2)), 4, 3, 1, 0);
    CHECK_INTS(ash_search_sorted(ash_empty(ASH_SHAPE(0)), v), 0, 0, 0, 0, 0, 0, 0);
    CHECK_SHAPE(ash_search_sorted(s, ash_empty(ASH_SHAPE(2, 0))), 2, 0);
    ash_array *bytes = ash_zeros(ASH_SHAPE(9), .dtype = ASH_U8), *askew = ash_reinterpret(ash_slice(bytes, 1, 9), ASH_F32);
    CHECK_OK(ash_copy_into(askew, ash_f32(3, 0))); /* values at an odd address */
    CHECK_INTS(ash_search_sorted(s, askew), 3, 0);
    CHECK(ash_storage_of(ash_search_sorted(ash_copy(s, .storage = ASH_SHARED), ash_copy(v, .storage = ASH_PRIVATE))) ==
          ASH_SHARED);
    /* the order is that of sorting: zeros differ, NaNs are alike */
    ash_array *z = ash_f32(-0.0f, 0.0f, NAN, NAN);
    CHECK_INTS(ash_search_sorted(z, ash_f32(-0.0f, 0.0f, NAN)), 0, 1, 2);
    CHECK_INTS(ash_search_sorted(z, ash_f32(-0.0f, 0.0f, NAN), .right = true), 1, 2, 4);
    CHECK_INTS(ash_search_sorted(ash_bool(false, true), ash_bool(true, false)), 1, 0);
}

/* An integer that no float is, limits of one dtype in another, and the zeros, which an integer 0 equals both. */
static void mixed_dtypes(void)
{
    ash_array *i = ash_i64(INT64_MIN, -1, 0, INT64_C(9007199254740993), INT64_MAX), *u = ash_u64(0, INT64_MAX, UINT64_MAX);
    CHECK_INTS(ash_search_sorted(i, u), 2, 4, 5);
    CHECK_INTS(ash_search_sorted(i, u, .right = true), 3, 5, 5);
    CHECK_INTS(ash_search_sorted(u, i), 0, 0, 0, 1, 1);
    CHECK_INTS(ash_search_sorted(u, i, .right = true), 0, 0, 1, 1, 2);
    CHECK_INTS(ash_search_sorted(ash_i8(-5, 0, 5), ash_u8(0, 5, 255)), 1, 2, 3);
    ash_array *f = ash_f32(-INFINITY, -0.5f, -0.0f, 0.0f, 0.5f, INFINITY, NAN);
    CHECK_INTS(ash_search_sorted(f, ash_i32(-1, 0, 1)), 1, 2, 5);
    CHECK_INTS(ash_search_sorted(f, ash_i32(-1, 0, 1), .right = true), 1, 4, 5);
    CHECK_INTS(ash_search_sorted(i, f), 0, 2, 2, 2, 3, 5, 5);
    CHECK_INTS(ash_search_sorted(i, f, .right = true), 0, 2, 3, 3, 3, 5, 5);
    if (strstr(here.device, "f64=off"))
        return;
    ash_array *d = ash_f64(9007199254740992.0, 9007199254740994.0);
    CHECK_INTS(ash_search_sorted(d, INT64_C(9007199254740993)), 1);
    CHECK_INTS(ash_search_sorted(d, INT64_C(9007199254740993), .right = true), 1);
    CHECK_INTS(ash_search_sorted(i, d), 3, 4);
    CHECK_INTS(ash_search_sorted(ash_f32(0.1f), 0.1), 0); /* 0.1f is the larger */
    CHECK_INTS(ash_search_sorted(ash_i64(INT64_MAX), 9223372036854775808.0), 1);
    CHECK_INTS(ash_search_sorted(ash_f64(9223372036854775808.0), INT64_MAX, .right = true), 0);
    CHECK_INTS(ash_search_sorted(ash_f64(18446744073709551616.0), UINT64_MAX), 0);
}

static void many(void)
{
    ash_array *s = ash_map("i -> i32(3*i)", ash_range(0, 1000)),
              *v = ash_map("i -> i32(i*7919 % 3100 - 50)", ash_range(0, 300000));
    CHECK(ash_equal(ash_search_sorted(s, v), ash_map("v -> v <= 0 ? i64(0) : min(i64(1000), div(i64(v) + 2, 3))", v)));
    CHECK(ash_equal(ash_search_sorted(s, v, .right = true),
                    ash_map("v -> v < 0 ? i64(0) : min(i64(1000), div(i64(v), 3) + 1)", v)));
}

static void counts(void)
{
    ash_histogram_result h =
        ash_histogram(ash_f32(1, 2, 1, 0, 4, NAN, -1, 4.5f), 4, .low = ASH_OPERAND(0), .high = ASH_OPERAND(4));
    CHECK_INTS(h.counts, 1, 2, 1, 1);
    CHECK_FLOATS(h.edges, 0, 1, 2, 3, 4);
    CHECK(ash_dtype_of(h.counts) == ASH_I64 && ash_dtype_of(h.edges) == ASH_F32 && ash_storage_of(h.counts) == here.storage);
    h = ash_histogram(ash_f32(0, 1, 2, 3), 2);
    CHECK_INTS(h.counts, 2, 2);
    CHECK_FLOATS(h.edges, 0, 1.5, 3);
    h = ash_histogram(ash_f32(3, 3), 2); /* no width: half a unit to either side */
    CHECK_INTS(h.counts, 0, 2);
    CHECK_FLOATS(h.edges, 2.5, 3, 3.5);
    h = ash_histogram(ash_empty(ASH_SHAPE(0)), 2);
    CHECK_INTS(h.counts, 0, 0);
    CHECK_FLOATS(h.edges, 0, 0.5, 1);
    ash_array *edges = ash_i32(0, 1, 4, 4, 9);
    h = ash_histogram(ash_u8(0, 1, 3, 4, 9, 10), 0, .edges = edges);
    CHECK_INTS(h.counts, 1, 2, 0, 2);
    CHECK(h.edges == edges);
    ash_release(h.edges);
    h = ash_histogram(ash_f32(-0.0f, 0.0f), 1, .edges = ash_f32(0, 1)); /* zeros are one number here */
    CHECK_INTS(h.counts, 2);
    h = ash_histogram(ash_transpose(ash_reshape(ash_f32(0, 1, 2, 3, 4, 5), ASH_SHAPE(2, 3))), 3);
    CHECK_INTS(h.counts, 2, 2, 2);
    if (!strstr(here.device, "f64=off")) {
        h = ash_histogram(ash_bool(true, false, true), 2);
        CHECK_INTS(h.counts, 1, 2);
        CHECK_FLOATS(h.edges, 0, 0.5, 1);
        CHECK(ash_dtype_of(h.edges) == ASH_F64);
        CHECK_INTS(ash_histogram(ash_range(0, 300000), 3).counts, 100000, 100000, 100000);
        /* 2^53 + 1 and 2^63 - 1 are no f64: the range holds them all the same */
        CHECK_INTS(ash_histogram(ash_i64(INT64_C(9007199254740993), INT64_C(9007199254740995)), 1).counts, 2);
        CHECK_INTS(ash_histogram(ash_i64(INT64_MIN, INT64_MAX), 2).counts, 1, 1);
        CHECK_INTS(ash_histogram(ash_u64(0, UINT64_MAX), 1).counts, 2);
    }
}

static void refused(void)
{
    ash_array *m = ash_ones(ASH_SHAPE(2, 2)), *v = ash_f32(1, 2), *z = ash_c_f32(1);
    CHECK(!ash_search_sorted(m, v));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_search_sorted: sorted has rank 2; a vector is wanted");
    CHECK(!ash_search_sorted(z, v));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_search_sorted: sorted holds c_f32, which have no order");
    CHECK(!ash_search_sorted(v, z));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_search_sorted: values are c_f32, which have no order");
    CHECK(!ash_search_sorted(v, (ash_array *)NULL));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_search_sorted: ");
    CHECK(!ash_histogram(v, 0).counts);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_histogram: 0 bins; 1 or more are wanted");
    CHECK(!ash_histogram(v, 2, .low = ASH_OPERAND(3), .high = ASH_OPERAND(1)).counts);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_histogram: the range from 3 to 1; the first must be less, and the difference finite");
    CHECK(!ash_histogram(v, 2, .low = ASH_OPERAND(NAN)).counts);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_histogram: .low is nan; a finite number is wanted");
    CHECK(!ash_histogram(v, 2, .high = ASH_OPERAND(v)).counts);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_histogram: .high is an array; a real scalar is wanted");
    CHECK(!ash_histogram(ash_f32(1, INFINITY), 2).counts);
    CHECK_ERROR(ASH_ERR_VALUE, "ash_histogram: an element is inf; with .low and .high such are left out");
    CHECK(!ash_histogram(v, 0, .edges = ash_f32(1, 3, 2)).counts);
    CHECK_ERROR(ASH_ERR_VALUE, "ash_histogram: .edges do not ascend");
    CHECK(!ash_histogram(v, 3, .edges = ash_f32(1, 3)).counts);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_histogram: 3 bins and 2 edges; 0 or 1 bins are wanted");
    CHECK(!ash_histogram(v, 0, .edges = ash_f32(1)).counts);
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_histogram: .edges have rank 1 and 1 elements; a vector of 2 or more is wanted");
    CHECK(!ash_histogram(v, 0, .edges = v, .low = ASH_OPERAND(1)).counts);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_histogram: .edges and .low exclude each other");
    CHECK(!ash_histogram(z, 1).counts);
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_histogram: the elements are c_f32, which have no order");
}

EVERYWHERE(search_sorted, positions)
EVERYWHERE(numbers_of_other_dtypes, mixed_dtypes)
EVERYWHERE(many_values, many)
EVERYWHERE(histogram, counts)
EVERYWHERE(faults, refused)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(search_sorted), TEST(numbers_of_other_dtypes), TEST(many_values), TEST(histogram),
                                       TEST(faults)};
    return cmocka_run_group_tests_name("searching and counting", tests, NULL, NULL);
}
