/*
 * sort.c - sorting, positions, keys with values, parts of the order, and whether something is in order.
 *
 * Expected values are NumPy's (sort, stable argsort) or written by hand from the order that order.h promises; long arrays are
 * compared with the C library's qsort on pairs of value and position.
 */
#include "test.h"

ASH_RECORD(star, (f32, mass), (i16, number));

/* ---- small ones by hand */

static ash_array *matrix(void) { return ash_reshape(ash_i32(3, 1, 2, 9, 8, 7), ASH_SHAPE(2, 3)); }

static void small(void)
{
    ash_array *a = ash_f32(3, 1, 2), *m = matrix();
    CHECK_TEXT_HERE(ash_sort(a), "ash.vector f32[3] cpu:0 [1.0 2.0 3.0]");
    CHECK_TEXT_HERE(ash_sort(a, .descending = true), "ash.vector f32[3] cpu:0 [3.0 2.0 1.0]");
    CHECK_TEXT_HERE(ash_sortperm(a), "ash.vector i64[3] cpu:0 [1 2 0]");
    CHECK_FLOATS(a, 3, 1, 2);
    CHECK_INTS(ash_sort(m, .axes = ASH_AXES(1)), 1, 2, 3, 7, 8, 9);
    CHECK_INTS(ash_sort(m, .axes = ASH_AXES(0)), 3, 1, 2, 9, 8, 7);
    CHECK_INTS(ash_sort(m, .axes = ASH_AXES(0), .descending = true), 9, 8, 7, 3, 1, 2);
    CHECK_INTS(ash_sortperm(m, .axes = ASH_AXES(-1)), 1, 2, 0, 2, 1, 0);
    ash_array *flat = ash_sort(m, .flat = true);
    CHECK_SHAPE(flat, 6);
    CHECK_INTS(flat, 1, 2, 3, 7, 8, 9);
    CHECK_INTS(ash_sortperm(m, .flat = true), 1, 2, 0, 5, 4, 3);
    CHECK_INTS(ash_sortperm(ash_transpose(m), .flat = true), 2, 4, 0, 5, 3, 1); /* row-major in what is given */
    ash_array *columns = ash_copy(m, .layout = ASH_COL_MAJOR);
    CHECK(ash_layout_of(ash_sort(columns, .axes = ASH_AXES(1))) == ASH_COL_MAJOR);
    CHECK_INTS(ash_sort(columns, .axes = ASH_AXES(1)), 1, 2, 3, 7, 8, 9);
    CHECK_INTS(ash_sort(ash_broadcast_to(ash_i8(2, 1), ASH_SHAPE(2, 2)), .axes = ASH_AXES(1)), 1, 2, 1, 2);
    CHECK_INTS(ash_sort(ash_slice(m, ASH_OPEN, ASH_OPEN, .axes = ASH_AXES(1), .step = -2), .axes = ASH_AXES(1)), 2, 3, 7, 9);
    ash_array *one = ash_fill_new(ASH_SHAPE(), INT8_C(5));
    CHECK_INTS(ash_sort(one), 5);
    CHECK_SHAPE(ash_sort(one), );
    CHECK_INTS(ash_sortperm(one), 0);
    CHECK_SHAPE(ash_sort(ash_empty(ASH_SHAPE(0))), 0);
    CHECK_SHAPE(ash_sortperm(ash_empty(ASH_SHAPE(3, 0)), .axes = ASH_AXES(0)), 3, 0);
    CHECK(ash_storage_of(ash_sort(a)) == here.storage);
}

/* -0.0 before 0.0, infinities at the ends of the numbers, NaNs of either sign last. */
static void special_values(void)
{
    static const ash_dtype floats[] = {ASH_F16, ASH_BF16, ASH_F32, ASH_F64};
    for (int k = 0; k < COUNT(floats); k++) {
        char want[160];
        if (floats[k] == ASH_F64 && strstr(here.device, "f64=off"))
            continue;
        const float host[] = {NAN, 1, 0.0f, INFINITY, -0.0f, -INFINITY, -1, -NAN};
        ash_array *a = ash_from_host(host, ASH_F32, ASH_SHAPE(8));
        a = ash_convert(a, floats[k]);
        snprintf(want, sizeof want, "ash.vector %s[8] cpu:0 [-inf -1.0 -0.0  0.0  1.0  inf  nan  nan]",
                 ash_dtype_name(floats[k]));
        CHECK_TEXT_HERE(ash_sort(a), want);
        CHECK_INTS(ash_sortperm(a), 5, 6, 4, 2, 1, 3, 0, 7);
        snprintf(want, sizeof want, "ash.vector %s[8] cpu:0 [ nan  nan  inf  1.0  0.0 -0.0 -1.0 -inf]",
                 ash_dtype_name(floats[k]));
        CHECK_TEXT_HERE(ash_sort(a, .descending = true), want);
        CHECK_INTS(ash_sortperm(a, .descending = true), 0, 7, 3, 1, 2, 4, 6, 5);
    }
    CHECK_INTS(ash_sort(ash_bool(true, false, true, false)), 0, 0, 1, 1);
    CHECK_INTS(ash_sort(ash_i8(INT8_MAX, -1, INT8_MIN, 0)), INT8_MIN, -1, 0, INT8_MAX);
    CHECK_INTS(ash_sort(ash_i64(INT64_MAX, -1, INT64_MIN, 0)), INT64_MIN, -1, 0, INT64_MAX);
    ash_array *u = ash_sort(ash_u64(UINT64_MAX, 1, INT64_MAX, (uint64_t)INT64_MAX + 1), .descending = true);
    CHECK_INTS(ash_sortperm(u), 3, 2, 1, 0);
    CHECK(ash_item_u64(ash_take(u, ash_i64(0))) == UINT64_MAX);
}

/* ---- cases from the field */

static void a08_sort_of_nothing(void)
{
    ash_array *e = ash_take(ash_ones(ASH_SHAPE(2)), ash_empty(ASH_SHAPE(0), .dtype = ASH_I64));
    CHECK_SHAPE(ash_sort(e), 0);
    CHECK_SHAPE(ash_sortperm(e), 0);
    CHECK_SHAPE(ash_sort(e, .descending = true, .less = "(x, y) -> x < y"), 0);
    CHECK_FLOATS(ash_sort(ash_fill_new(ASH_SHAPE(), 7.0f)), 7);
}

static void a12_every_value_is_kept(void)
{
    ash_array *i = ash_range(0, 200, .dtype = ASH_I32), *p = ash_sortperm(ash_map("i -> i % 4", i));
    CHECK_INTS(ash_slice(p, 0, 5), 0, 4, 8, 12, 16);
    CHECK_INTS(ash_slice(p, 50, 53), 1, 5, 9);
    CHECK_INTS(ash_slice(p, 150, 153), 3, 7, 11);
    CHECK_INTS(ash_slice(p, 199, 200), 199);
    CHECK_INTS(ash_map_reduce("(x, y) -> x != y ? 1 : 0", "+", ash_sort(ash_take(i, p)), i), 0);
    static const struct {
        int64_t n, ends[3], sum;
    } cases[] = {{512, {0}, 0},
                 {513, {0}, 33981827},
                 {1000, {877, 927, 977}, 251507250},
                 {5000, {4877, 4927, 4977}, 31454436250},
                 {100000, {0}, 0}};
    for (int c = 0; c < COUNT(cases); c++) {
        const int64_t n = cases[c].n;
        ash_array *j = ash_range(0, n), *k = ash_map("i -> i32(37*i % 50 + 1)", j), *q = ash_sortperm(k);
        CHECK_INTS(ash_slice(q, 0, 6), 0, 50, 100, 150, 200, 250);
        if (cases[c].ends[0])
            CHECK_INTS(ash_slice(q, n - 3, n), cases[c].ends[0], cases[c].ends[1], cases[c].ends[2]);
        if (cases[c].sum)
            CHECK(ash_item_i64(ash_map_reduce("(p, j) -> p*(j + 1)", "+", q, j)) == cases[c].sum);
        ash_array *sorted = ash_take(k, q);
        CHECK(ash_is_sorted(sorted) && ash_equal(sorted, ash_sort(k)) && ash_equal(ash_sort(q), j));
    }
}

static void a13_nan_leaves_the_rest_sorted(void)
{
    ash_array *a = ash_f32(3, NAN, 1, 2, NAN, 0), *x = ash_map("i -> f32(4096 - i)", ash_range(0, 4096));
    CHECK_FLOATS(ash_sort(a), 0, 1, 2, 3, NAN, NAN);
    CHECK_INTS(ash_sortperm(a), 5, 2, 3, 0, 1, 4);
    CHECK_FLOATS(ash_sort(a, .descending = true), NAN, NAN, 3, 2, 1, 0);
    CHECK_INTS(ash_sortperm(a, .descending = true), 1, 4, 0, 3, 2, 5);
    CHECK_FLOATS(ash_sort(ash_f32(5, NAN, 4)), 4, 5, NAN);
    CHECK_OK(ash_fill(ash_slice(x, 123, 124), NAN));
    CHECK_OK(ash_fill(ash_slice(x, 2000, 2001), NAN));
    ash_array *s = ash_sort(x), *d = ash_sort(x, .descending = true);
    CHECK_FLOATS(ash_slice(s, 4092, 4096), 4095, 4096, NAN, NAN);
    CHECK(ash_is_sorted(s) && ash_item_i64(ash_count(s, .predicate = "isnan")) == 2);
    CHECK_FLOATS(ash_slice(d, 0, 4), NAN, NAN, 4096, 4095);
    CHECK(ash_is_sorted(d, .descending = true));
    CHECK(ash_equal(ash_take(x, ash_slice(ash_sortperm(x), 0, 4094)), ash_slice(s, 0, 4094)));
    CHECK_INTS(ash_slice(ash_sortperm(x), 4094, 4096), 123, 2000);
}

static void a14_descending_is_stable(void)
{
    CHECK_INTS(ash_sortperm(ash_i64(0, 1, 0), .descending = true), 1, 0, 2);
    ash_array *a = ash_i64(1, 2, 3, 3, 2, 1), *tens = ash_fill_new(ASH_SHAPE(30), INT64_C(10));
    CHECK_INTS(ash_sortperm(a), 0, 5, 1, 4, 2, 3);
    CHECK_INTS(ash_sortperm(a, .descending = true), 2, 3, 1, 4, 0, 5);
    CHECK(ash_equal(ash_sortperm(tens), ash_range(0, 30)));
    CHECK(ash_equal(ash_sortperm(tens, .descending = true), ash_range(0, 30)));
}

static void a18_transposed_view(void)
{
    ash_array *t = ash_transpose(ash_reshape(ash_f32(3, 1, 4, 2), ASH_SHAPE(2, 2))), *c = ash_view(t, ASH_ALL, ASH_RANGE(1, 2));
    CHECK_FLOATS(ash_sort(t, .axes = ASH_AXES(0)), 1, 2, 3, 4);
    CHECK_INTS(ash_sortperm(t, .axes = ASH_AXES(0)), 1, 1, 0, 0);
    CHECK_FLOATS(ash_map("t -> t*t", t), 9, 16, 1, 4);
    CHECK_FLOATS(ash_sort(c, .axes = ASH_AXES(0)), 2, 4);
    CHECK_INTS(ash_sortperm(c, .axes = ASH_AXES(0)), 1, 0);
    CHECK_FLOATS(ash_map("t -> t*t", c), 16, 4);
}

/* ---- orders of one's own */

static void by_a_key(void)
{
    ash_array *a = ash_f32(-3, 1, -2, 2);
    CHECK_FLOATS(ash_sort(a, .by = "x -> abs(x)"), 1, -2, 2, -3);
    CHECK_FLOATS(ash_sort(a, .by = "abs", .descending = true), -3, -2, 2, 1);
    CHECK_INTS(ash_sortperm(a, .by = "x -> abs(x)"), 1, 2, 3, 0);
    CHECK_INTS(ash_sort(ash_i32(7, 4, 9, 2), .by = "x -> x % 2 == 0"), 7, 9, 4, 2); /* false first */
    const star stars[] = {{2.5f, 1}, {0.5f, 2}, {1.5f, 3}};
    star got[3];
    ash_array *s = ash_from_host(stars, star_dtype(), ASH_SHAPE(3));
    CHECK_OK(ash_to_host(ash_sort(s, .by = "s -> s.mass"), got, sizeof got));
    CHECK(got[0].number == 2 && got[1].number == 3 && got[2].number == 1 && got[2].mass == 2.5f);
    CHECK_INTS(ash_sortperm(s, .less = "(s, t) -> s.number > t.number"), 2, 1, 0);
}

static void by_a_comparison(void)
{
    CHECK_FLOATS(ash_sort(ash_f32(3, 1, 2), .less = "(x, y) -> x > y"), 3, 2, 1);
    CHECK_FLOATS(ash_sort(ash_f32(3, 1, 2), .less = "(x, y) -> x > y", .descending = true), 1, 2, 3);
    CHECK_INTS(ash_sortperm(ash_i64(1, 2, 3, 3, 2, 1), .less = "(x, y) -> x < y"), 0, 5, 1, 4, 2, 3);
    CHECK_INTS(ash_sortperm(ash_i64(1, 2, 3, 3, 2, 1), .less = "(x, y) -> x < y", .descending = true), 2, 3, 1, 4, 0, 5);
    /* stable, and equal to the plain order, for every length up to a few batches and beyond */
    static const int64_t lengths[] = {0, 1, 2, 3, 4, 5, 63, 64, 65, 1023, 1024, 1025, 4097, 70000};
    for (int k = 0; k < COUNT(lengths); k++) {
        ash_array *x = ash_map("i -> i32((i*7919 + i*i % 83) % 101)", ash_range(0, lengths[k]));
        CHECK(ash_equal(ash_sortperm(x, .less = "(x, y) -> x < y"), ash_sortperm(x)));
        CHECK(ash_equal(ash_sortperm(x, .less = "(x, y) -> x < y", .descending = true), ash_sortperm(x, .descending = true)));
    }
    ash_array *m = ash_map("i -> i16(i*31 % 17)", ash_reshape(ash_range(0, 60), ASH_SHAPE(3, 5, 4)));
    for (int64_t axis = 0; axis < 3; axis++)
        CHECK(ash_equal(ash_sort(m, .axes = ASH_AXES(axis), .less = "(x, y) -> x < y"), ash_sort(m, .axes = ASH_AXES(axis))));
    /* a comparison that makes no sense gives some order of the same elements */
    ash_array *any = ash_sort(ash_range(0, 3000), .less = "(x, y) -> x % 3 <= y % 3");
    CHECK(ash_equal(ash_sort(any), ash_range(0, 3000)));
}

static void keys_and_values(void)
{
    ash_array *keys = ash_f32(3, 1, 2), *rows = ash_reshape(ash_i64(1, 2, 3, 4, 5, 6), ASH_SHAPE(3, 2));
    ash_key_values r = ash_sort_by_key(keys, ash_i16(30, 10, 20));
    CHECK_FLOATS(r.keys, 1, 2, 3);
    CHECK_INTS(r.values, 10, 20, 30);
    r = ash_sort_by_key(keys, rows, .descending = true);
    CHECK_FLOATS(r.keys, 3, 2, 1);
    CHECK_INTS(r.values, 1, 2, 5, 6, 3, 4);
    r = ash_sort_by_key(rows, ash_map("x -> -x", rows), .axes = ASH_AXES(0), .by = "x -> -x");
    CHECK_INTS(r.keys, 5, 6, 3, 4, 1, 2);
    CHECK_INTS(r.values, -5, -6, -3, -4, -1, -2);
    r = ash_sort_by_key(rows, ash_map("x -> 10*x", rows), .flat = true, .descending = true);
    CHECK_INTS(r.values, 60, 50, 40, 30, 20, 10);
    const star stars[] = {{2.5f, 1}, {0.5f, 2}, {1.5f, 3}};
    star got[3];
    r = ash_sort_by_key(ash_u8(2, 1, 1), ash_from_host(stars, star_dtype(), ASH_SHAPE(3)));
    CHECK_OK(ash_to_host(r.values, got, sizeof got));
    CHECK(got[0].number == 2 && got[1].number == 3 && got[2].number == 1);
}

/* expected values by hand: the order of 2 1 2 1 is 1 3 0 2, descending 0 2 1 3 */
static void keys_and_lists(void)
{
    const star stars[] = {{2.5f, 1}, {0.5f, 2}, {1.5f, 3}, {3.5f, 4}};
    star got[4];
    ash_array *keys = ash_u8(2, 1, 2, 1), *rows = ash_reshape(ash_i64(1, 2, 3, 4, 5, 6, 7, 8), ASH_SHAPE(4, 2)),
              *records = ash_from_host(stars, star_dtype(), ASH_SHAPE(4)),
              *cube = ash_insert_axis(ash_transpose(ash_reshape(ash_range(0, 8), ASH_SHAPE(2, 4))), 1);
    ash_key_lists r = ash_sort_by_key(keys, ASH_ARRAYS(ash_f32(0.5, 1.5, 2.5, 3.5), rows, records, cube, keys));
    CHECK_INTS(r.keys, 1, 1, 2, 2);
    CHECK_FLOATS(r.values[0], 1.5, 3.5, 0.5, 2.5);
    CHECK_INTS(r.values[1], 3, 4, 7, 8, 1, 2, 5, 6);
    CHECK_OK(ash_to_host(r.values[2], got, sizeof got));
    CHECK(got[0].number == 2 && got[1].number == 4 && got[2].number == 1 && got[3].number == 3);
    CHECK(ash_shape(r.values[3])[0] == 4 && ash_rank(r.values[3]) == 3);
    CHECK_INTS(ash_reshape(ash_contiguous(r.values[3]), ASH_SHAPE(8)), 1, 5, 3, 7, 0, 4, 2, 6);
    CHECK_INTS(r.values[4], 1, 1, 2, 2);
    CHECK(!r.values[5] && !r.values[ASH_MAX_VALUES - 1]);
    const ash_key_lists down = ash_sort_by_key(keys, ASH_ARRAYS(ash_i16(10, 20, 30, 40), rows), .descending = true);
    CHECK_INTS(down.values[0], 10, 30, 20, 40);
    CHECK_INTS(down.values[1], 1, 2, 5, 6, 3, 4, 7, 8);
    /* keys by a function and by a comparison: the order of -2 1 -3 0 by abs is 3 1 0 2, by x > y is 1 3 0 2 */
    ash_array *z = ash_i32(-2, 1, -3, 0), *place = ash_i8(0, 1, 2, 3);
    r = ash_sort_by_key(z, ASH_ARRAYS(place, ash_map("complex", ash_f32(0, 1, 2, 3), ash_f32(5, 6, 7, 8))), .by = "abs");
    CHECK_INTS(r.keys, 0, 1, -2, -3);
    CHECK_INTS(r.values[0], 3, 1, 0, 2);
    CHECK_FLOATS(ash_map("imag", r.values[1]), 8, 6, 5, 7);
    r = ash_sort_by_key(z, ASH_ARRAYS(place, records), .less = "(x, y) -> x > y");
    CHECK_INTS(r.keys, 1, 0, -2, -3);
    CHECK_INTS(r.values[0], 1, 3, 0, 2);
    /* along either axis, and flat */
    ash_array *m = ash_reshape(ash_i64(3, 1, 2, 4, 6, 5), ASH_SHAPE(2, 3));
    const ash_arrays two = ASH_ARRAYS(ash_map("x -> 10*x", m), ash_map("x -> f32(-x)", m));
    r = ash_sort_by_key(m, two, .axes = ASH_AXES(1));
    CHECK_INTS(r.keys, 1, 2, 3, 4, 5, 6);
    CHECK_INTS(r.values[0], 10, 20, 30, 40, 50, 60);
    CHECK_FLOATS(r.values[1], -1, -2, -3, -4, -5, -6);
    r = ash_sort_by_key(m, two, .axes = ASH_AXES(-2), .descending = true);
    CHECK_INTS(r.keys, 4, 6, 5, 3, 1, 2);
    CHECK_INTS(r.values[0], 40, 60, 50, 30, 10, 20);
    CHECK_FLOATS(r.values[1], -4, -6, -5, -3, -1, -2);
    r = ash_sort_by_key(m, two, .flat = true);
    CHECK_INTS(r.values[0], 10, 20, 30, 40, 50, 60);
    CHECK_FLOATS(r.values[1], -1, -2, -3, -4, -5, -6);
    r = ash_sort_by_key(ash_f32(), ASH_ARRAYS(ash_i8(), ash_zeros(ASH_SHAPE(0, 3))));
    CHECK(ash_size(r.keys) == 0 && ash_shape(r.values[1])[1] == 3);
    r = ash_sort_by_key(ash_reshape(ash_f32(7), ASH_SHAPE()), ASH_ARRAYS(ash_reshape(ash_i8(3), ASH_SHAPE())));
    CHECK_INTS(r.values[0], 3);

    CHECK(!ash_sort_by_key(keys, ASH_ARRAYS(keys, rows, ash_i8(1, 2))).keys);
    CHECK_ERROR_HAS(ASH_ERR_SHAPE, "ash_sort_by_key: values[2] have shape (2) and keys (4)");
    CHECK(!ash_sort_by_key(keys, ASH_ARRAYS(keys, rows), .flat = true).values[0]);
    CHECK_ERROR_HAS(ASH_ERR_SHAPE, "ash_sort_by_key: values[1] have shape (4, 2) and keys (4)");
    CHECK(!ash_sort_by_key(keys, ASH_ARRAYS(keys, NULL)).keys);
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_sort_by_key: values[1]");
    CHECK(!ash_sort_by_key(keys, ((ash_arrays){NULL, 0})).keys);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_sort_by_key: 0 arrays of values are given; 1 to 16 are wanted");
    CHECK(!ash_sort_by_key(keys, ((ash_arrays){NULL, 2})).keys);
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_sort_by_key: values");
}

static void parts_of_the_order(void)
{
    ash_array *a = ash_i32(5, 1, 4, 2, 3), *m = matrix();
    CHECK_INTS(ash_partial_sort(a, 0, 2), 1, 2);
    CHECK_INTS(ash_partial_sort(a, 2, 1), 3);
    CHECK_INTS(ash_partial_sort(a, 1, 3, .descending = true), 4, 3, 2);
    CHECK_INTS(ash_partial_sort(m, 1, 2, .axes = ASH_AXES(1)), 2, 3, 8, 9);
    CHECK_SHAPE(ash_partial_sort(m, 2, 0, .axes = ASH_AXES(0)), 0, 3);
    CHECK_INTS(ash_partial_sort(ash_i32(-3, 1, -2), 0, 2, .by = "abs"), 1, -2);
    ash_top top = ash_top_k(ash_f32(1, 5, 5, NAN, 2), 3);
    CHECK_FLOATS(top.values, NAN, 5, 5);
    CHECK_INTS(top.positions, 3, 1, 2);
    top = ash_top_k(m, 1, .axes = ASH_AXES(0));
    CHECK_INTS(top.values, 9, 8, 7);
    CHECK_INTS(top.positions, 1, 1, 1);
    top = ash_top_k(a, 2, .by = "x -> -x");
    CHECK_INTS(top.values, 1, 2);
    CHECK_INTS(top.positions, 1, 3);
    CHECK_SHAPE(ash_top_k(ash_fill_new(ASH_SHAPE(), 1.0f), 0).values, 0);
    /* many equal ones across the ends of what is wanted: the first in order of position */
    ash_array *x = ash_map("i -> i64(i % 3) * 2305843009213693952", ash_range(0, 9000)),
              *p = ash_sortperm(x, .descending = true);
    top = ash_top_k(x, 4500);
    CHECK(ash_equal(top.positions, ash_slice(p, 0, 4500)) && ash_equal(top.values, ash_take(x, top.positions)));
}

static void in_order(void)
{
    CHECK(ash_is_sorted(ash_empty(ASH_SHAPE(0))) && ash_is_sorted(ash_i8(3)) && ash_is_sorted(ash_fill_new(ASH_SHAPE(), 1.0f)));
    CHECK(ash_is_sorted(ash_f32(-INFINITY, -0.0f, 0.0f, 1, NAN, NAN)) && !ash_is_sorted(ash_f32(0.0f, -0.0f)));
    CHECK(!ash_is_sorted(ash_f32(NAN, 1)) && ash_is_sorted(ash_f32(NAN, 1, 0.0f, -0.0f), .descending = true));
    CHECK(ash_is_sorted(ash_bool(false, true, true)) && !ash_is_sorted(ash_bool(true, false)));
    CHECK(ash_is_sorted(ash_u64(0, UINT64_MAX)) && !ash_is_sorted(ash_i64(1, INT64_MIN)));
    CHECK(ash_is_sorted(matrix(), .axes = ASH_AXES(0)) && !ash_is_sorted(matrix(), .axes = ASH_AXES(1)));
    CHECK(!ash_is_sorted(matrix(), .flat = true) && ash_is_sorted(ash_i32(1, -2, 3), .by = "abs"));
    CHECK(ash_is_sorted(ash_i32(3, 2, 2, 1), .less = "(x, y) -> x > y"));
    CHECK(!ash_is_sorted(ash_i32(3, 2, 2, 1), .less = "(x, y) -> x < y"));
}

static void into_arrays(void)
{
    ash_array *a = ash_i32(3, 1, 2), *out = ash_empty(ASH_SHAPE(3), .dtype = ASH_I32),
              *p = ash_empty(ASH_SHAPE(3), .dtype = ASH_I64);
    CHECK_OK(ash_sort_into(out, a));
    CHECK_INTS(out, 1, 2, 3);
    CHECK_OK(ash_sortperm_into(p, a, .descending = true));
    CHECK_INTS(p, 0, 2, 1);
    CHECK_OK(ash_sort_into(a, a, .descending = true));
    CHECK_INTS(a, 3, 2, 1);
    CHECK_OK(ash_sort_into(a, a, .by = "x -> (x + 1) % 3"));
    CHECK_INTS(a, 2, 3, 1);
    ash_array *v = ash_i32(9, 1, 5, 3), *tail = ash_slice(v, 1, 4), *head = ash_slice(v, 0, 3);
    CHECK_OK(ash_sort_into(tail, head)); /* overlaps */
    CHECK_INTS(v, 9, 1, 5, 9);
    ash_array *back = ash_slice(v, ASH_OPEN, ASH_OPEN, .step = -1);
    CHECK_OK(ash_sort_into(back, v));
    CHECK_INTS(v, 9, 9, 5, 1);
}

/* ---- faults */

static void refused(void)
{
    ash_array *m = matrix(), *a = ash_f32(1, 2), *out = ash_f32(8, 9), *z = ash_c_f32(1, 2);
    CHECK(!ash_sort(m));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_sort: a has rank 2; say along which axis, as in .axes = ASH_AXES(0), or .flat = true");
    CHECK(!ash_sort(m, .axes = ASH_AXES(2)));
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_sort: axis 2 is out of bounds for rank 2");
    CHECK(!ash_sort(m, .axes = ASH_AXES(0, 1)));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_sort: 2 axes; elements are ordered along one");
    CHECK(!ash_sortperm(m, .axes = ASH_AXES(0), .flat = true));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_sortperm: .flat and .axes exclude each other");
    CHECK(!ash_sort(a, .by = "x -> x", .less = "(x, y) -> x < y"));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_sort: .by and .less exclude each other");
    CHECK(!ash_sort(z));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_sort: the elements are c_f32, which have no order; .by or .less gives one");
    CHECK(!ash_sort(z, .by = "x -> x"));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_sort: \"x -> x\" gives c_f32, which has no order; a real number is wanted");
    CHECK(!ash_sort(a, .less = "(x, y) -> x - y"));
    CHECK_ERROR_HAS(ASH_ERR_DTYPE, "gives f32; a bool is wanted: whether the first comes before the second");
    CHECK(!ash_sort(a, .less = "x -> x > 1"));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_sort: ");
    CHECK(!ash_sort(ash_i32(4, 0, 2, 1), .less = "(x, y) -> div(x, y) > 1"));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_sort: integer division by zero");
    CHECK(!ash_is_sorted(z));
    CHECK_ERROR_HAS(ASH_ERR_DTYPE, "ash_is_sorted: the elements are c_f32");
    CHECK(ash_sort_into(out, m, .flat = true) == ASH_ERR_DTYPE);
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_sort_into: out is f32; i32 is wanted");
    CHECK(ash_sort_into(out, ash_f32(1, 2, 3)) == ASH_ERR_SHAPE);
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_sort_into: out has shape (2); (3) is wanted");
    CHECK(ash_sort_into(ash_broadcast_to(ash_f32(1), ASH_SHAPE(2)), a) == ASH_ERR_ARGUMENT); /* read-only */
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_sort_into: ");
    CHECK(ash_sortperm_into(out, a) == ASH_ERR_DTYPE);
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_sortperm_into: out is f32; i64 is wanted");
    ash_array *i = ash_i64(2, 1);
    CHECK(ash_sortperm_into(i, i) == ASH_ERR_ARGUMENT);
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_sortperm_into: out shares memory with a");
    CHECK_INTS(i, 2, 1);
    CHECK_FLOATS(out, 8, 9);
    CHECK(!ash_sort_by_key(a, ash_transpose(m)).keys);
    CHECK_ERROR_HAS(ASH_ERR_SHAPE, "ash_sort_by_key: values have shape (3, 2) and keys (2)");
    CHECK(!ash_partial_sort(a, 1, 2));
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_partial_sort: 2 elements from position 1 on are out of bounds for size 2");
    CHECK(!ash_partial_sort(a, -1, 1));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_partial_sort: first -1 and count 1; neither may be negative");
    CHECK(!ash_top_k(a, 3).values);
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_top_k: k is 3; 0 to 2, the size of the axis, is wanted");
    CHECK(!ash_top_k(a, 1, .descending = true).values);
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_top_k: .descending has no meaning here");
    CHECK(!ash_sort(NULL));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_sort: ");
}

/* ---- long ones against qsort */

typedef struct pair {
    int64_t rank, position; /* rank: of the value in the order, as an integer */
} pair;
static int compare_pairs(const void *a, const void *b)
{
    const pair *const p = a, *const q = b;
    return p->rank != q->rank ? (p->rank < q->rank ? -1 : 1) : (p->position > q->position) - (p->position < q->position);
}

enum { PATTERNS = 6 };
static int64_t pattern(int kind, int64_t i, int64_t n, uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u; /* Knuth's linear congruential generator */
    const int64_t random = (int64_t)(*state >> 33);
    switch (kind) {
    case 0:
        return random;
    case 1:
        return i; /* in order already */
    case 2:
        return n - i;
    case 3:
        return random % 5;
    case 4:
        return random % 16 ? 7 : random; /* nearly all alike */
    default:
        return (i % 2 ? i : n - i) / 3;
    }
}

static void long_one(int64_t n, int kind, ash_dtype dtype)
{
    ASH_SCOPE(scope);
    pair *const pairs = malloc((size_t)(n + 1) * sizeof *pairs);
    int64_t *const host = malloc((size_t)(n + 1) * sizeof *host), *const want = malloc((size_t)(n + 1) * sizeof *want);
    uint64_t state = (uint64_t)(n + kind);
    for (int64_t i = 0; i < n; i++)
        host[i] = pattern(kind, i, n, &state) % (dtype == ASH_I8    ? 100
                                                 : dtype == ASH_U16 ? 65536
                                                 : dtype == ASH_F32 ? 16000000
                                                 : dtype == ASH_I32 ? INT32_MAX
                                                                    : INT64_MAX);
    ash_array *a = ash_convert(ash_from_host(host, ASH_I64, ASH_SHAPE(n)), dtype);
    for (int descending = 0; descending < 2; descending++) {
        for (int64_t i = 0; i < n; i++)
            pairs[i] = (pair){descending ? -host[i] : host[i], i};
        qsort(pairs, (size_t)n, sizeof *pairs, compare_pairs);
        for (int64_t i = 0; i < n; i++)
            want[i] = pairs[i].position;
        ash_array *p = ash_from_host(want, ASH_I64, ASH_SHAPE(n));
        if (!ash_equal(ash_sortperm(a, .descending = descending), p))
            FAIL("sortperm of %lld %s, pattern %d, descending %d", (long long)n, ash_dtype_name(dtype), kind, descending);
        if (!ash_equal(ash_sort(a, .descending = descending), ash_take(a, p)))
            FAIL("sort of %lld %s, pattern %d, descending %d", (long long)n, ash_dtype_name(dtype), kind, descending);
        const int64_t first = n / 3, count = n / 7;
        if (!ash_equal(ash_partial_sort(a, first, count, .descending = descending),
                       ash_take(a, ash_slice(p, first, first + count))))
            FAIL("partial sort of %lld %s, pattern %d", (long long)n, ash_dtype_name(dtype), kind);
    }
    free(pairs);
    free(host);
    free(want);
}

static void long_ones(void **state)
{
    (void)state;
    static const int64_t lengths[] = {5,   15,  16,   17,    33,    127,   128,   129,   255,
                                      256, 257, 1000, 65536, 65537, 65567, 65664, 150001};
    static const ash_dtype dtypes[] = {ASH_I8, ASH_U16, ASH_I32, ASH_F32, ASH_I64};
    for (int threads = 1; threads <= 2; threads++) {
        CHECK_OK(ash_set_threads(threads));
        for (int k = 0; k < COUNT(lengths); k++)
            for (int kind = 0; kind < PATTERNS; kind++)
                for (int d = 0; d < COUNT(dtypes); d++)
                    if (dtypes[d] != ASH_U16 || lengths[k] < 16000)
                        if (SLOW == 1 || (k + kind + d) % SLOW == 0)
                            long_one(lengths[k], kind, dtypes[d]);
    }
    CHECK_OK(ash_set_threads(0));
    long_one(SLOW == 1 ? 4000000 : 200000, 0, ASH_I8);
    /* 16-bit keys are counted when there are many */
    ASH_SCOPE(scope);
    ash_array *h = ash_map("i -> u16(i*40503 % 65536)", ash_range(0, 262144));
    CHECK(ash_equal(ash_sort(h), ash_map("i -> u16(div(i, 4))", ash_range(0, 262144))));
    CHECK(ash_equal(ash_sort(ash_map("i -> i16(i % 65536 - 32768)", ash_range(0, 131072)), .descending = true),
                    ash_map("i -> i16(32767 - div(i, 2))", ash_range(0, 131072))));
}

/* Lines that lie side by side, more and fewer than are loaded together. */
static void columns_and_rows(void)
{
    static const int64_t shapes[][3] = {{5, 3, 17}, {1, 200, 40}, {40, 200, 1}, {4, 5000, 4}, {2, 1, 33}};
    for (int k = 0; k < COUNT(shapes); k++) {
        const int64_t n = shapes[k][0] * shapes[k][1] * shapes[k][2];
        ash_array *a = ash_map("i -> f32(i*7919 % 1009)", ash_range(0, n));
        a = ash_reshape(a, ASH_SHAPE(shapes[k][0], shapes[k][1], shapes[k][2]));
        for (int64_t axis = 0; axis < 3; axis++) {
            /* the same lines, moved to the end, dense */
            ash_array *moved = axis == 2   ? ash_share(a)
                               : axis == 1 ? ash_contiguous(ash_permute(a, ASH_AXES(0, 2, 1)))
                                           : ash_contiguous(ash_permute(a, ASH_AXES(1, 2, 0)));
            ash_array *want = ash_sort(moved, .axes = ASH_AXES(2)), *at = ash_sortperm(moved, .axes = ASH_AXES(2));
            ash_array *got = ash_sort(a, .axes = ASH_AXES(axis)), *p = ash_sortperm(a, .axes = ASH_AXES(axis));
            got = axis == 2 ? got : axis == 1 ? ash_permute(got, ASH_AXES(0, 2, 1)) : ash_permute(got, ASH_AXES(1, 2, 0));
            p = axis == 2 ? p : axis == 1 ? ash_permute(p, ASH_AXES(0, 2, 1)) : ash_permute(p, ASH_AXES(1, 2, 0));
            CHECK(ash_equal(got, want) && ash_equal(p, at) && ash_is_sorted(want, .axes = ASH_AXES(2)));
        }
    }
}

EVERYWHERE(small_arrays, small)
EVERYWHERE(order_of_values, special_values)
EVERYWHERE(a08, a08_sort_of_nothing)
EVERYWHERE(a12, a12_every_value_is_kept)
EVERYWHERE(a13, a13_nan_leaves_the_rest_sorted)
EVERYWHERE(a14, a14_descending_is_stable)
EVERYWHERE(a18, a18_transposed_view)
EVERYWHERE(key_functions, by_a_key)
EVERYWHERE(comparisons, by_a_comparison)
EVERYWHERE(sort_by_key, keys_and_values)
EVERYWHERE(sort_all_by_key, keys_and_lists)
EVERYWHERE(partial_sort_and_top_k, parts_of_the_order)
EVERYWHERE(is_sorted, in_order)
EVERYWHERE(into, into_arrays)
EVERYWHERE(faults, refused)
EVERYWHERE(lines, columns_and_rows)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(small_arrays),
                                       TEST(order_of_values),
                                       TEST(a08),
                                       TEST(a12),
                                       TEST(a13),
                                       TEST(a14),
                                       TEST(a18),
                                       TEST(key_functions),
                                       TEST(comparisons),
                                       TEST(sort_by_key),
                                       TEST(sort_all_by_key),
                                       TEST(partial_sort_and_top_k),
                                       TEST(is_sorted),
                                       TEST(into),
                                       TEST(faults),
                                       TEST(lines),
                                       TEST(long_ones)};
    return cmocka_run_group_tests_name("sorting", tests, NULL, NULL);
}
