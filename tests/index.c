/*
 * index.c - elements picked from, and written to, places that integers, ranges, index arrays and masks name.
 *
 * Values are those of NumPy's ix_ indexing and of Julia's getindex and setindex!, written out. Identities: what a selection
 * gives, written back through it, is what it was; several index arrays are takes one after the other.
 */
#include <complex.h>

#include "core/alloc.h"
#include "test.h"

ASH_RECORD(dot, (f32, x, 2), (i16, n));

static ash_array *matrix(void)
{
    return ash_reshape(ash_i64(1, 2, 3, 4, 5, 6), ASH_SHAPE(2, 3));
}
static bool same(ash_array *a, const ash_array *b)
{
    return ash_equal(a, b, .identical = true);
}
static ash_array *scalar(int64_t x)
{
    return ash_fill_new(ASH_SHAPE(), x);
}
static ash_array *none(void)
{
    return ash_empty(ASH_SHAPE(0), .dtype = ASH_I64);
}

/* ---- ash_index */

static void got(void)
{
    ash_array *m = matrix(), *v = ash_i64(10, 20, 30, 40);
    CHECK_INTS(ash_index(v, ash_i64(3, 0, 0)), 40, 10, 10);
    CHECK_INTS(ash_index(v, ash_u8(3)), 40);
    CHECK_INTS(ash_index(v, ash_bool(1, 0, 0, 1)), 10, 40);
    CHECK_SCALAR(ash_index(v, scalar(2)));
    CHECK_INTS(ash_index(v, scalar(2)), 30);
    CHECK_SCALAR(ash_index(v, -1));
    CHECK_INTS(ash_index(v, ASH_RANGE(ASH_OPEN, ASH_OPEN, -2)), 40, 20);
    CHECK_SHAPE(ash_index(m, ASH_ALL, 0), 2);
    CHECK_INTS(ash_index(m, ASH_ALL, 0), 1, 4);
    CHECK_INTS(ash_index(m, -1), 4, 5, 6);
    CHECK_INTS(ash_index(m, 1, ash_i32(2, 0)), 6, 4);
    CHECK_INTS(ash_index(m, ash_i64(1, 0), ash_i64(2, 0)), 6, 4, 3, 1); /* outer: rows and columns */
    CHECK_INTS(ash_index(m, ash_i64(1), ASH_RANGE(2, ASH_OPEN, -1)), 6, 5, 4);
    ash_array *table = ash_reshape(ash_i64(0, 2, 1, 1, 2, 0), ASH_SHAPE(3, 2));
    ash_array *x = ash_index(m, ash_i64(1, 0), ASH_NEW_AXIS, table);
    CHECK_SHAPE(x, 2, 1, 3, 2);
    CHECK_INTS(x, 4, 6, 5, 5, 6, 4, 1, 3, 2, 2, 3, 1);
    CHECK_SCALAR(ash_index(m, scalar(1), scalar(2)));
    CHECK_INTS(ash_index(m, scalar(1), scalar(2)), 6);
    CHECK_INTS(ash_index(m, ash_bool(0, 1), ash_bool(1, 0, 1)), 4, 6);
    ash_array *mask = ash_map("x -> x % 2 == 0", m);
    CHECK_SHAPE(ash_index(m, mask), 3);
    CHECK_INTS(ash_index(m, mask), 2, 4, 6);
    CHECK_INTS(ash_index(ash_transpose(m), ash_transpose(mask)), 4, 2, 6);
    CHECK_INTS(ash_index(ash_view(m, ASH_ALL, ASH_RANGE(ASH_OPEN, ASH_OPEN, -1)), mask), 2, 6, 4);
    CHECK(ash_index(m, ASH_ALL) != m && !ash_is_view(ash_index(m, ASH_ALL)));
    CHECK_INTS(ash_index_opt(ash_fill_new(ASH_SHAPE(), INT64_C(7)), NULL, 0, NULL), 7);
    CHECK_INTS(ash_index_with(m, ASH_INDICES(ASH_ALL, ash_i64(1)), .resources = ash_current_resources()), 2, 5);
}

/* A mask of rank 2 within rank 4: numpy x[:, mask, [1, 0]] of arange(48).reshape(2, 2, 3, 4) */
static void got_by_masks(void)
{
    ash_array *x = ash_reshape(ash_range(0, 48), ASH_SHAPE(2, 2, 3, 4));
    ash_array *mask = ash_reshape(ash_bool(0, 1, 0, 1, 0, 1), ASH_SHAPE(2, 3));
    ash_array *y = ash_index(x, ASH_ALL, mask, ash_i64(1, 0));
    CHECK_SHAPE(y, 2, 3, 2);
    CHECK_INTS(y, 5, 4, 13, 12, 21, 20, 29, 28, 37, 36, 45, 44);
    ash_array *turned = ash_permute(x, ASH_AXES(0, 2, 1, 3)); /* axes that do not step as one */
    y = ash_index(turned, 1, ash_transpose(mask), ASH_RANGE(0, 4, 3));
    CHECK_SHAPE(y, 3, 2);
    CHECK_INTS(y, 36, 39, 28, 31, 44, 47);
    y = ash_index(x, ash_i64(1), mask, ash_i64(0, 3, 3)); /* more lists than two, of several axes each */
    CHECK_INTS(y, 28, 31, 31, 36, 39, 39, 44, 47, 47);
    CHECK_SHAPE(ash_index(x, ASH_ALL, ash_map("m -> false", mask)), 2, 0, 4);
    ash_array *yes = ash_map("x -> x == 5", ash_fill_new(ASH_SHAPE(), 5)); /* a mask of no axes */
    CHECK_SHAPE(ash_index(ash_i64(1, 2), yes), 1, 2);
    CHECK_SHAPE(ash_index(ash_i64(1, 2), ash_map("y -> !y", yes)), 0, 2);
    CHECK_INTS(ash_index(ash_fill_new(ASH_SHAPE(), 9), yes), 9);
}

static void got_empty(void)
{
    ash_array *m = ash_ones(ASH_SHAPE(3, 4), .dtype = ASH_I16);
    CHECK_SHAPE(ash_index(m, none()), 0, 4);
    CHECK_SHAPE(ash_index(m, ASH_ALL, none()), 3, 0);
    CHECK_SHAPE(ash_index(m, 1, none()), 0);
    CHECK_SHAPE(ash_index(m, none(), 1), 0);
    CHECK_SHAPE(ash_index(m, ash_reshape(none(), ASH_SHAPE(2, 0)), ash_i64(1)), 2, 0, 1);
    CHECK(ash_dtype_of(ash_index(m, none())) == ASH_I16);
    CHECK_SHAPE(ash_index(ash_empty(ASH_SHAPE(0, 3)), ash_empty(ASH_SHAPE(0), .dtype = ASH_BOOL), ash_i64(2, 0)), 0, 2);
}

static void results_like_a(void)
{
    ash_array *m = ash_contiguous(matrix(), .layout = ASH_COL_MAJOR);
    ash_array *table = ash_reshape(ash_i64(0, 2, 1, 1, 2, 0), ASH_SHAPE(3, 2));
    ash_array *x = ash_index(m, ash_i64(1, 0), table);
    CHECK(ash_layout_of(x) == ASH_COL_MAJOR && ash_storage_of(x) == here.storage);
    CHECK_INTS(x, 4, 6, 5, 5, 6, 4, 1, 3, 2, 2, 3, 1);
    CHECK_INTS(ash_index(m, ASH_ALL, ash_transpose(table)), 1, 2, 3, 3, 2, 1, 4, 5, 6, 6, 5, 4);
    ash_array *z = ash_reshape(ash_c_f32(1 + 2 * I, 2, 3 - I, 4 * I), ASH_SHAPE(2, 2));
    CHECK(same(ash_index(ash_adjoint(z), ash_i64(0, 1)), ash_adjoint(z)));
    CHECK(same(ash_index(ash_adjoint(z), ASH_ALL), ash_adjoint(z)));
}

/* ---- ash_index_into */

static void written(void)
{
    ash_array *m = matrix(), *v = ash_i64(1, 2, 3, 4);
    CHECK_OK(ash_index_into(v, ash_i64(30, 10), ash_i64(2, 0)));
    CHECK_INTS(v, 10, 2, 30, 4);
    CHECK_OK(ash_index_into(v, 7, ash_i64(1, 1, 3)));
    CHECK_INTS(v, 10, 7, 30, 7);
    CHECK_OK(ash_index_into(v, 2.9f, 0)); /* converted toward zero, as ash_fill does */
    CHECK_INTS(v, 2, 7, 30, 7);
    CHECK_OK(ash_index_into(v, ash_f32(-1.5f, 2.5f), ash_bool(0, 1, 1, 0)));
    CHECK_INTS(v, 2, -1, 2, 7);
    CHECK_OK(ash_index_into(m, ash_i64(1, 2, 3, 4), ash_i64(1, 0), ash_i64(2, 0))); /* four elements, whatever the shape */
    CHECK_INTS(m, 4, 2, 3, 2, 5, 1);
    CHECK_OK(ash_index_into(m, ash_reshape(ash_i64(7, 8, 9), ASH_SHAPE(3, 1)), 0));
    CHECK_INTS(m, 7, 8, 9, 2, 5, 1);
    CHECK_OK(ash_index_into(m, scalar(0), ash_map("x -> x > 6", m)));
    CHECK_INTS(m, 0, 0, 0, 2, 5, 1);
    CHECK_OK(ash_index_into(ash_transpose(m), ash_i64(1, 2, 3), ash_transpose(ash_map("x -> x == 0", m))));
    CHECK_INTS(m, 1, 2, 3, 2, 5, 1);
    CHECK_OK(ash_index_into_with(m, 4, ASH_INDICES(ASH_ALL, ash_i64(1)), .exact = true));
    CHECK_INTS(m, 1, 4, 3, 2, 4, 1);
    CHECK_OK(ash_index_into_opt(m, (const ash_operand[]){ASH_OPERAND(6)}, NULL, 0, NULL));
    CHECK_ALL(m, 6);
    CHECK_OK(ash_index_into(m, ash_i64(1, 2, 3, 4), ASH_ALL, ASH_RANGE(2, ASH_OPEN, -2)));
    CHECK_INTS(m, 2, 6, 1, 4, 6, 3);
}

/* numpy: x = zeros((2, 3, 2, 3)); x[np.ix_([1, 0], range(3), [1], [2, 0])] = arange(12).reshape(2, 3, 1, 2) */
static void written_between_axes(void)
{
    ash_array *x = ash_zeros(ASH_SHAPE(2, 3, 2, 3), .dtype = ASH_I32);
    ash_array *y = ash_range(1, 13, .dtype = ASH_I32);
    CHECK_OK(ash_index_into(x, y, ash_i64(1, 0), ASH_ALL, 1, ash_i64(2, 0)));
    CHECK_INTS(ash_view(x, ASH_ALL, ASH_ALL, 0), 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    CHECK_INTS(ash_view(x, ASH_ALL, ASH_ALL, 1), 8, 0, 7, 10, 0, 9, 12, 0, 11, 2, 0, 1, 4, 0, 3, 6, 0, 5);
    CHECK(same(ash_index(x, ash_i64(1, 0), ASH_ALL, 1, ash_i64(2, 0)), ash_reshape(y, ASH_SHAPE(2, 3, 2))));
}

static void written_nothing(void)
{
    ash_array *m = matrix();
    CHECK_OK(ash_index_into(m, ash_i64(1, 2, 3), none()));
    CHECK_OK(ash_index_into(m, ash_c_f32(1 + I), ash_bool(0, 0), ASH_ALL));
    CHECK_OK(ash_index_into(m, ash_zeros(ASH_SHAPE(1), .dtype = dot_dtype()), ASH_RANGE(1, 1)));
    CHECK_INTS(m, 1, 2, 3, 4, 5, 6);
}

static void written_overlapping(void)
{
    ash_array *v = ash_i64(1, 2, 3, 4, 0);
    CHECK_OK(ash_index_into(v, ash_slice(v, 0, 4), ash_i64(1, 2, 3, 4)));
    CHECK_INTS(v, 1, 1, 2, 3, 4);
    CHECK_OK(ash_index_into(v, ash_slice(v, ASH_OPEN, ASH_OPEN, .step = -1), ASH_ALL));
    CHECK_INTS(v, 4, 3, 2, 1, 1);
    CHECK_OK(ash_index_into(v, ash_i64(5, 6, 7, 8, 9), v)); /* the indices are what is written over */
    CHECK_INTS(v, 4, 9, 7, 6, 5);
    ash_array *b = ash_bool(1, 0, 1);
    CHECK_OK(ash_index_into(b, false, b));
    CHECK_INTS(b, 0, 0, 0);
    ash_array *z = ash_reshape(ash_c_f32(1 + 2 * I, 2, 3 - I, 4 * I), ASH_SHAPE(2, 2)), *h = ash_adjoint(z);
    CHECK_OK(ash_index_into(h, ash_c_f32(5 + 6 * I), 0, ash_i64(1))); /* stored conjugated */
    CHECK_FLOATS(ash_map("imag", z), 2, 0, -6, 4);
    CHECK_OK(ash_index_into(h, 1 + 1 * I, ash_i64(1), 0));
    CHECK_FLOATS(ash_map("imag", z), 2, -1, -6, 4);
    CHECK_OK(ash_index_into(z, h, ASH_ALL));
    CHECK_FLOATS(ash_map("imag", z), -2, 6, 1, -4);
}

/* ---- ash_put */

static void put(void)
{
    ash_array *m = matrix(), *v = ash_i64(1, 2, 3, 4);
    CHECK_OK(ash_put(v, ash_i64(3, 0), ash_i64(40, 10)));
    CHECK_INTS(v, 10, 2, 3, 40);
    CHECK_OK(ash_put(m, ash_u8(2, 0), ash_i64(7, 8), .axis = 1)); /* broadcast to both rows */
    CHECK_INTS(m, 8, 2, 7, 8, 5, 7);
    CHECK_OK(ash_put(m, ash_i64(1), 0));
    CHECK_INTS(m, 8, 2, 7, 0, 0, 0);
    CHECK_OK(ash_put(m, scalar(1), ash_i64(1, 2, 3)));
    CHECK_INTS(m, 8, 2, 7, 1, 2, 3);
    ash_array *table = ash_reshape(ash_i64(0, 2, 2, 1), ASH_SHAPE(2, 2));
    CHECK_OK(ash_put(m, table, ash_reshape(ash_i64(1, 2, 3, 4, 5, 6, 7, 8), ASH_SHAPE(2, 2, 2)), .axis = -1));
    CHECK_INTS(m, 1, 4, 3, 5, 8, 7);
    CHECK_OK(ash_put(m, table, ash_i64(5, 6), .axis = 1)); /* 5 6 / 5 6 at 0 2 / 2 1 of each row */
    CHECK_INTS(m, 5, 6, 5, 5, 6, 5);
    CHECK_OK(ash_put(m, none(), ash_empty(ASH_SHAPE(0, 3))));
}

/* Sums of what one place gets: numpy.add.at */
static void accumulated(void)
{
    ash_array *v = ash_i64(1, 2, 3, 4), *m = matrix();
    CHECK_OK(ash_put(v, ash_i64(1, 1, 3, 1), ash_i64(10, 20, 30, 40), .accumulate = true));
    CHECK_INTS(v, 1, 72, 3, 34);
    CHECK_OK(ash_put(v, ash_i64(0, 0, 0), 5, .accumulate = true));
    CHECK_INTS(v, 16, 72, 3, 34);
    CHECK_OK(ash_put(m, ash_i64(0, 0), ash_i64(1, 2, 3), .accumulate = true));
    CHECK_INTS(m, 3, 6, 9, 4, 5, 6);
    CHECK_OK(ash_put(ash_transpose(m), ash_i64(2, 2), ash_reshape(ash_i64(1, 2, 3, 4), ASH_SHAPE(2, 2)), .accumulate = true));
    CHECK_INTS(m, 3, 6, 13, 4, 5, 12);
    ash_array *u = ash_u8(250, 1);
    CHECK_OK(ash_put(u, ash_i64(0, 0), ash_i64(3, 4), .accumulate = true)); /* wraps */
    CHECK_INTS(u, 1, 1);
    ash_array *b = ash_bool(0, 1, 0);
    CHECK_OK(ash_put(b, ash_i64(0, 0, 1), ash_bool(1, 1, 0), .accumulate = true));
    CHECK_INTS(b, 1, 1, 0);
    ash_array *z = ash_c_f32(1 + I, 2);
    CHECK_OK(ash_put(z, ash_i64(0, 1, 0), ash_c_f32(1 + 2 * I, 3 * I, 10), .accumulate = true));
    CHECK_FLOATS(ash_map("real", z), 12, 2);
    CHECK_FLOATS(ash_map("imag", z), 3, 3);
    for (ash_dtype half = ASH_F16; half <= ASH_BF16;
         half = (ash_dtype)(half + 1)) { /* 1 is lost beside 4096 of f16, and 512 of bf16 */
        ash_array *h = ash_fill_new(ASH_SHAPE(1), half == ASH_F16 ? 4096.0f : 512.0f, .dtype = half);
        CHECK_OK(ash_put(h, ash_i64(0, 0, 0, 0), 1, .accumulate = true));
        CHECK_FLOATS(h, half == ASH_F16 ? 4096 : 512);
        CHECK_OK(ash_put(h, ash_i64(0), 64, .accumulate = true));
        CHECK_FLOATS(h, half == ASH_F16 ? 4160 : 576);
    }
}

/* ---- cases */

/* The assigning half of A15; tests/combine.c has the other. */
static void a15_index_out_of_range(void)
{
    ash_array *z = ash_zeros(ASH_SHAPE(5, 5)), *p = ash_f32(10, 20, 30, 40, 50);
    CHECK(ash_index_into(z, 1, ash_i64(7)) == ASH_ERR_BOUNDS);
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_index_into: index 7 at (0) is out of bounds for axis 0 of size 5");
    CHECK(ash_index_into(z, 1, ash_i64(0, 7)) == ASH_ERR_BOUNDS);
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_index_into: index 7 at (1) is out of bounds for axis 0 of size 5");
    CHECK(ash_put(z, ash_i64(0, 7), 1) == ASH_ERR_BOUNDS);
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_put: index 7 at (1) is out of bounds for axis 0 of size 5");
    CHECK(ash_index_into(z, 1, ASH_ALL, ash_i64(-1)) == ASH_ERR_BOUNDS);
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_index_into: index -1 at (0) is out of bounds for axis 1 of size 5");
    CHECK(ash_index_into(z, 1, ash_u64(UINT64_C(1) << 63)) == ASH_ERR_VALUE);
    CHECK_ERROR_HAS(ASH_ERR_VALUE, "9223372036854775808");
    CHECK_ALL(z, 0);
    CHECK(!ash_index(p, ash_i64(0, 1, 2, 3, 5, 4)));
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_index: index 5 at (4) is out of bounds for axis 0 of size 5");
    CHECK_FLOATS(ash_index(p, ash_u8(4)), 50);
}

static void a16_repeated_indices(void)
{
    for (int threads = 1; threads <= 2; threads++) {
        CHECK_OK(ash_set_threads(threads));
        for (int k = 0; k < 100; k++) {
            ASH_SCOPE(scope);
            ash_array *r = ash_reshape(ash_range(0.0f, 20.0f), ASH_SHAPE(4, 5));
            ash_array *s = ash_reshape(ash_range(100.0f, 120.0f), ASH_SHAPE(4, 5));
            CHECK_OK(ash_index_into(r, s, ASH_ALL, ash_i64(1, 1, 1, 1, 1)));
            CHECK_FLOATS(r, 0, 104, 2, 3, 4, 5, 109, 7, 8, 9, 10, 114, 12, 13, 14, 15, 119, 17, 18, 19);
        }
    }
    CHECK_OK(ash_set_threads(0));
}

/* Large enough that threads share the work: the last of the values for each place, and the sum of all, are known. */
static void many(void)
{
    enum { N = 400000, PLACES = 1000 };
    for (int threads = 1; threads <= 3; threads++) {
        ASH_SCOPE(scope);
        CHECK_OK(ash_set_threads(threads));
        ash_array *i = ash_range(0, N, .dtype = ASH_I64), *at = ash_map("i -> i % 1000", i);
        ash_array *v = ash_zeros(ASH_SHAPE(PLACES), .dtype = ASH_I64);
        CHECK_OK(ash_index_into(v, i, at));
        CHECK(ash_equal(v, ash_range(N - PLACES, N)));
        CHECK_OK(ash_put(v, at, 1, .accumulate = true));
        CHECK(ash_equal(v, ash_range(N - PLACES + N / PLACES, N + N / PLACES)));
        /* wide rows, one of them twice; columns */
        ash_array *m = ash_zeros(ASH_SHAPE(4, N), .dtype = ASH_I64), *two = ash_stack(ASH_ARRAYS(i, ash_map("i -> -i", i)));
        CHECK_OK(ash_index_into(m, two, ash_i64(2, 2)));
        CHECK(same(ash_view(m, 2), ash_map("i -> -i", i)) && !ash_item_bool(ash_any(ash_view(m, ash_index_range(0, 2, 1)))));
        CHECK_OK(ash_put(m, ash_i64(3, 3), two, .accumulate = true));
        CHECK(!ash_item_bool(ash_any(ash_view(m, 3))));
        CHECK_OK(ash_index_into(ash_transpose(m), ash_transpose(two), ASH_ALL, ash_i64(0, 0)));
        CHECK(same(ash_view(m, 0), ash_map("i -> -i", i)));
        /* more pairs than are listed at once; the second of two equal rows stays */
        ash_array *pairs = ash_stack(ASH_ARRAYS(ash_map("i -> -2*i", i), ash_map("i -> 3*i", i)));
        CHECK_OK(ash_index_into(m, pairs, ash_i64(1, 1), ash_map("i -> 399999 - i", i)));
        CHECK(same(ash_view(m, 1), ash_map("i -> 3 * (399999 - i)", i)));
        CHECK_OK(ash_index_into(m, i, 1, ash_map("i -> i >= 0", i)));
        CHECK(same(ash_view(m, 1), i));
        CHECK(same(ash_index(m, ash_i64(1), ash_map("i -> i % 2 == 0", i)),
                   ash_reshape(ash_range(0, N, .step = ASH_OPERAND(2)), ASH_SHAPE(1, N / 2))));
    }
    CHECK_OK(ash_set_threads(0));
}

/* ---- every dtype, layout and stride */

static void identities_of(const ash_array *x)
{
    ash_array *rows = ash_i64(2, 0), *columns = ash_i8(4, 1, 1);
    ash_array *picked = ash_index(x, rows, columns);
    CHECK(same(picked, ash_take(ash_take(x, rows), columns, .axis = 1)));
    ash_array *y = ash_copy(x);
    CHECK_OK(ash_index_into(y, picked, rows, columns));
    CHECK(same(y, x));
    ash_array *mask = ash_reshape(ash_bool(1, 0, 1, 1, 0, 0, 1, 0, 0, 1, 1, 1, 0, 1, 0), ASH_SHAPE(3, 5));
    ash_array *chosen = ash_index(x, mask);
    CHECK(same(chosen, ash_take(ash_reshape(ash_contiguous(x), ASH_SHAPE(15)), ash_i64(0, 2, 3, 6, 9, 10, 11, 13))));
    ash_array *z = ash_reverse(x), *back = ash_view(z, ASH_RANGE(ASH_OPEN, ASH_OPEN, -1), ASH_RANGE(ASH_OPEN, ASH_OPEN, -1));
    CHECK(same(back, x));
    CHECK_OK(ash_index_into(z, chosen, mask));
    CHECK(same(ash_index(z, mask), chosen));
    CHECK_OK(ash_put(back, ash_i64(0, 1, 2), x));
    CHECK(same(back, x));
    CHECK_OK(ash_put(back, ash_i64(0, 0, 3), ash_index(x, ASH_ALL, ash_i64(1, 2, 4)), .axis = 1));
    CHECK(same(ash_view(back, ASH_ALL, 0), ash_view(x, ASH_ALL, 2)) &&
          same(ash_view(back, ASH_ALL, 3), ash_view(x, ASH_ALL, 4)));
}

static void identities_here(void)
{
    for
        EACH_DTYPE(dtype, ASH_BOOL, ASH_C_F64)
        {
            ash_array *x = fifteen_numbers(dtype);
            if (!x)
                continue;
            identities_of(x);
            identities_of(ash_contiguous(x, .layout = ASH_COL_MAJOR));
            identities_of(ash_view(ash_tile(x, ASH_SHAPE(2, 2)), ASH_RANGE(ASH_OPEN, ASH_OPEN, -2), ASH_RANGE(0, 10, 2)));
        }
    dot dots[15];
    memset(dots, 0, sizeof dots);
    for (int i = 0; i < 15; i++) {
        dots[i].x[0] = (float)i;
        dots[i].n = (int16_t)(3 * i);
    }
    identities_of(ash_from_host(dots, dot_dtype(), ASH_SHAPE(3, 5)));
}

/* ---- zeros behind the last axis, and one item for all axes; expected values by hand */

static void more_zeros(void)
{
    ash_array *m = matrix();
    CHECK_SCALAR(ash_index(m, 1, 2, 0));
    CHECK_INTS(ash_index(m, 1, 2, 0, 0), 6);
    CHECK_INTS(ash_index(m, ASH_ALL, ash_i64(1), 0), 2, 5);
    CHECK_SHAPE(ash_index(m, 0, 1, 0, ASH_NEW_AXIS), 1);
    CHECK_INTS(ash_index(scalar(7), 0, 0), 7);
    CHECK_INTS(ash_view(m, 1, ASH_ALL, 0), 4, 5, 6);
    ash_index items[100] = {ash_index_at(1), ash_index_all()};
    for (int i = 2; i < 100; i++)
        items[i] = ash_index_at(0);
    CHECK_INTS(ash_index_opt(m, items, 100, NULL), 4, 5, 6);
    CHECK_INTS(ash_view_at(m, items, 100), 4, 5, 6);
    items[99] = ash_index_at(-1);
    CHECK(!ash_index_opt(m, items, 100, NULL));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "only integers 0 may follow");
    CHECK(!ash_view(m, 0, 0, ASH_ALL));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_view: more indices than the 2 axes of a; only integers 0 may follow");
    CHECK_OK(ash_index_into(m, 9, 0, 1, 0));
    CHECK_INTS(m, 1, 9, 3, 4, 5, 6);
}

static void single_elements(void **state)
{
    (void)state;
    ASH_SCOPE(scope); /* shared storage, which the host may read one by one */
    ash_array *m = ash_reshape(ash_i64(1, 2, 3, 4, 5, 6), ASH_SHAPE(2, 3));
    CHECK(ash_get_i64(m, 1, 2, 0, 0) == 6);
    CHECK_OK(ash_set_i64(m, 8, 0, 0, 0));
    CHECK(ash_get_i64(m, 0, 0) == 8);
    CHECK(ash_get_i64(m, 1, 2, 1) == 0);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_get_i64: 3 indices for an array of rank 2");
    CHECK(ash_get_i64(m, 4) == 0);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_get_i64: 1 indices for an array of rank 2");
    CHECK(ash_set_i64_at(m, 1, NULL, 2) == ASH_ERR_ARGUMENT);
    ash_error_clear();
}

#define LINEAR(a, item) ash_index_with(a, ASH_INDICES(item), .linear = true)
#define LINEAR_INTO(a, value, item) ash_index_into_with(a, value, ASH_INDICES(item), .linear = true)

/* 1 2 3 / 4 5 6 in several forms of strides */
static void linear_in(ash_array *m)
{
    CHECK_SCALAR(LINEAR(m, 4));
    CHECK_INTS(LINEAR(m, 4), 5);
    CHECK_INTS(LINEAR(m, -6), 1);
    CHECK_SHAPE(LINEAR(m, ASH_ALL), 6);
    CHECK_INTS(LINEAR(m, ASH_ALL), 1, 2, 3, 4, 5, 6);
    CHECK_INTS(LINEAR(m, ASH_RANGE(1, 6, 2)), 2, 4, 6);
    CHECK_INTS(LINEAR(m, ASH_RANGE(-2, 0, -3)), 5, 2);
    CHECK_SHAPE(LINEAR(m, ASH_RANGE(3, 3)), 0);
    ash_array *index = ash_i64(5, 0, 5, 3), *table = ash_reshape(ash_i16(5, 4, 3, 2), ASH_SHAPE(2, 2));
    CHECK_INTS(LINEAR(m, index), 6, 1, 6, 4);
    CHECK_INTS(index, 5, 0, 5, 3);
    CHECK_SHAPE(LINEAR(m, table), 2, 2);
    CHECK_INTS(LINEAR(m, table), 6, 5, 4, 3);
    CHECK_INTS(LINEAR(m, ash_transpose(table)), 6, 4, 5, 3);
    CHECK_SCALAR(LINEAR(m, scalar(2)));
    CHECK_INTS(LINEAR(m, scalar(2)), 3);
    CHECK_SHAPE(LINEAR(m, none()), 0);
    CHECK_INTS(LINEAR(m, ash_bool(1, 0, 0, 1, 0, 1)), 1, 4, 6);
    CHECK_INTS(LINEAR(m, ash_map("x -> x > 4", m)), 5, 6);
    CHECK(!LINEAR(m, 6));
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_index: index 6 is out of bounds for axis 0 of size 6");
    CHECK(!LINEAR(m, ash_i64(0, 6)));
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_index: index 6 at (1) is out of bounds for axis 0 of size 6");
    CHECK(!LINEAR(m, ash_i64(-1)));
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_index: index -1 at (0) is out of bounds for axis 0 of size 6");
    CHECK(!LINEAR(m, ASH_RANGE(0, 7)));
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_index: stop 7 is out of bounds for axis 0 of size 6");
    CHECK(!LINEAR(m, ash_bool(1, 0, 1)));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_index: index 0 is a mask of shape (3); the shape of a, (2, 3), or a vector of its 6 "
                               "elements is wanted");
    CHECK(!ash_index_with(m, ASH_INDICES(0, 1), .linear = true));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_index: 2 indices with .linear; one is wanted");
    CHECK(!LINEAR(m, ASH_NEW_AXIS));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_index: a new axis makes no linear index");
    CHECK(!LINEAR(m, ash_f32(1)));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_index: index 0 is f32; integers, or bool for a mask, are wanted");

    CHECK_OK(LINEAR_INTO(m, 10, 4));
    CHECK_INTS(m, 1, 2, 3, 4, 10, 6);
    CHECK_OK(LINEAR_INTO(m, ash_i32(20, 21), ASH_RANGE(2, 4)));
    CHECK_INTS(m, 1, 2, 20, 21, 10, 6);
    CHECK_OK(LINEAR_INTO(m, ash_i64(30, 31, 32), ash_i64(5, 1, 5))); /* the last of two stays */
    CHECK_INTS(m, 1, 31, 20, 21, 10, 32);
    CHECK_OK(LINEAR_INTO(m, 7, ash_bool(0, 0, 1, 1, 0, 0)));
    CHECK_INTS(m, 1, 31, 7, 7, 10, 32);
    CHECK_OK(LINEAR_INTO(m, m, ASH_RANGE(ASH_OPEN, ASH_OPEN, -1)));
    CHECK_INTS(m, 32, 10, 7, 7, 31, 1);
    CHECK(LINEAR_INTO(m, 0, ash_i64(1, 6)) == ASH_ERR_BOUNDS);
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_index_into: index 6 at (1) is out of bounds for axis 0 of size 6");
    CHECK_INTS(m, 32, 10, 7, 7, 31, 1);
}

static void linear(void)
{
    linear_in(matrix());
    linear_in(ash_transpose(ash_reshape(ash_i64(1, 4, 2, 5, 3, 6), ASH_SHAPE(3, 2))));
    linear_in(ash_copy(matrix(), .layout = ASH_COL_MAJOR));
    linear_in(ash_view(ash_reshape(ash_i64(0, 6, 5, 4, 0, 3, 2, 1), ASH_SHAPE(2, 4)), ASH_RANGE(ASH_OPEN, ASH_OPEN, -1),
                       ASH_RANGE(ASH_OPEN, 0, -1)));
    ash_array *z = ash_map("x -> complex(x, -x)", ash_reshape(ash_f32(1, 2, 3, 4), ASH_SHAPE(2, 2)));
    CHECK_FLOATS(ash_map("imag", LINEAR(ash_adjoint(z), ash_i64(1, 2))), 3, 2);
    CHECK_INTS(LINEAR(scalar(4), 0), 4);
    CHECK_SHAPE(LINEAR(scalar(4), ash_i64(0, 0)), 2);
    CHECK_INTS(LINEAR(scalar(4), ASH_ALL), 4);
    CHECK(ash_size(LINEAR(ash_zeros(ASH_SHAPE(2, 0)), ASH_ALL)) == 0);
    CHECK(!LINEAR(ash_zeros(ASH_SHAPE(2, 0)), 0));
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_index: index 0 is out of bounds for axis 0 of size 0");
    /* long enough for the device to check the list: every third of 0 to 29999, transposed in memory */
    ash_array *big = ash_copy(ash_reshape(ash_range(0, 30000), ASH_SHAPE(100, 300)), .layout = ASH_COL_MAJOR);
    CHECK(same(LINEAR(big, ash_range(0, 30000, .step = ASH_OPERAND(3))), ash_range(0, 30000, .step = ASH_OPERAND(3))));
}

/* ---- faults */

static void faults_here(void)
{
    ash_array *a = ash_i64(1, 2, 3), *m = matrix();
    CHECK(!ash_view(m, ash_i64(0)));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_view: a view cannot pick elements by an array; use ash_index, which copies them");
    CHECK(!ash_index(m, 2));
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_index: index 2 is out of bounds for axis 0 of size 2");
    CHECK(!ash_index(m, ASH_ALL, ash_reshape(ash_i64(0, 1, 3, 2), ASH_SHAPE(2, 2))));
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_index: index 3 at (1, 0) is out of bounds for axis 1 of size 3");
    CHECK(!ash_index(m, 0, ash_i64(0), 1));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_index: more indices than the 2 axes of a; only integers 0 may follow");
    CHECK(!ash_index(a, 0, ash_i64(0)));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_index: more indices than the 1 axes of a; only integers 0 may follow");
    CHECK(!ash_index(a, ash_map("x -> x > 1", m)));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_index: more indices than the 1 axes of a; only integers 0 may follow");
    CHECK(!ash_index(m, ASH_ALL, ash_bool(1, 0)));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_index: index 1 is a mask of shape (2), but the axes of a from 1 on have shape (3)");
    CHECK(!ash_index(a, ash_f32(0)));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_index: index 0 is f32; integers, or bool for a mask, are wanted");
    CHECK(!ash_index(a, (ash_array *)NULL));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_index: index 0 is NULL");
    CHECK(!ash_index_opt(a, NULL, 1, NULL));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "items");
    ash_array *deep = ash_zeros(ASH_SHAPE(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1), .dtype = ASH_I64);
    CHECK(!ash_index(deep, deep));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_index: the result would have rank 33; ranks 0 to 32 are supported");
    CHECK(ash_index_into(m, ash_i64(1, 2), ash_i64(0), ASH_ALL) == ASH_ERR_SHAPE);
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_index_into: value has shape (2), 2 elements, but 3 are selected, of shape (1, 3)");
    CHECK(ash_index_into(m, ash_c_f32(1 + I), 0, ash_i64(0)) == ASH_ERR_VALUE);
    CHECK_ERROR_HAS(ASH_ERR_VALUE, "1.0+1.0i");
    CHECK(ash_index_into_with(m, 1.5f, ASH_INDICES(0), .exact = true) == ASH_ERR_VALUE);
    CHECK_ERROR_HAS(ASH_ERR_VALUE, "1.5");
    CHECK(ash_index_into(ash_broadcast_to(a, ASH_SHAPE(2, 3)), 1, ash_i64(0)) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_index_into: out is read-only");
    CHECK(ash_index_into(m, (ash_array *)NULL, ash_i64(0)) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_index_into: value is NULL");
    CHECK(ash_put(m, ash_i64(0), ash_i64(1, 2)) == ASH_ERR_SHAPE);
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_put: values have shape (2), which does not broadcast to (1, 3)");
    CHECK(ash_put(m, ash_f32(0), 1) == ASH_ERR_DTYPE);
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_put: indices are f32; an integer dtype is wanted");
    CHECK(ash_put(m, ash_i64(0), ash_f32(1e30f, 0, 0)) == ASH_ERR_VALUE);
    CHECK_ERROR_HAS(ASH_ERR_VALUE, "ash_put: element 0, 1e30, does not fit i64");
    ash_array *r = ash_zeros(ASH_SHAPE(2), .dtype = dot_dtype());
    CHECK(ash_put(r, ash_i64(0), r, .accumulate = true) == ASH_ERR_DTYPE);
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_put: dot cannot be added");
    CHECK_INTS(m, 1, 2, 3, 4, 5, 6);
}

EVERYWHERE(index_of_items, got)
EVERYWHERE(masks, got_by_masks)
EVERYWHERE(empty, got_empty)
EVERYWHERE(layout_and_storage, results_like_a)
EVERYWHERE(index_into, written)
EVERYWHERE(index_into_between_axes, written_between_axes)
EVERYWHERE(index_into_nothing, written_nothing)
EVERYWHERE(index_into_overlap, written_overlapping)
EVERYWHERE(put_values, put)
EVERYWHERE(put_accumulate, accumulated)
EVERYWHERE(a15, a15_index_out_of_range)
EVERYWHERE(a16, a16_repeated_indices)
EVERYWHERE(many_by_threads, many)
EVERYWHERE(identities, identities_here)
EVERYWHERE(zeros_behind, more_zeros)
EVERYWHERE(one_for_all_axes, linear)
EVERYWHERE(faults, faults_here)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(index_of_items),
                                       TEST(masks),
                                       TEST(empty),
                                       TEST(layout_and_storage),
                                       TEST(index_into),
                                       TEST(index_into_between_axes),
                                       TEST(index_into_nothing),
                                       TEST(index_into_overlap),
                                       TEST(put_values),
                                       TEST(put_accumulate),
                                       TEST(a15),
                                       TEST(a16),
                                       TEST(many_by_threads),
                                       TEST(identities),
                                       TEST(zeros_behind),
                                       TEST(single_elements),
                                       TEST(one_for_all_axes),
                                       TEST(faults)};
    return cmocka_run_group_tests_name("index", tests, NULL, NULL);
}
