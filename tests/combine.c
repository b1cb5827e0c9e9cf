/*
 * combine.c - arrays put together, turned, shifted, repeated, chosen and picked from.
 *
 * Values are NumPy's (concatenate, stack, flip, roll, rot90, repeat, tile, where, take), written out; for every dtype, layout
 * and stride there are identities: what is cut and joined, turned four times, or shifted there and back is what it was.
 */
#include <complex.h>

#include "core/alloc.h"
#include "test.h"

ASH_RECORD(spot, (f32, x, 2), (i16, n));
ASH_RECORD(page, (u8, byte, 5000)); /* larger than any block of zeros kept ready */

static ash_array *matrix(void) { return ash_reshape(ash_i64(1, 2, 3, 4, 5, 6), ASH_SHAPE(2, 3)); }

static void joined(void)
{
    ash_array *a = ash_i64(1, 2, 3), *b = ash_i64(4, 5, 6), *m = matrix();
    CHECK_INTS(ash_concat(ASH_ARRAYS(a, ash_i64(4))), 1, 2, 3, 4);
    CHECK_INTS(ash_concat(ASH_ARRAYS(a)), 1, 2, 3);
    CHECK_INTS(ash_concat(ASH_ARRAYS(m, m)), 1, 2, 3, 4, 5, 6, 1, 2, 3, 4, 5, 6);
    CHECK_INTS(ash_concat(ASH_ARRAYS(m, ash_slice(m, 1, 3, .axes = ASH_AXES(1))), .axis = 1), 1, 2, 3, 2, 3, 4, 5, 6, 5, 6);
    CHECK_INTS(ash_concat(ASH_ARRAYS(m, m), .axis = -1), 1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6);
    ash_array *columns = ash_concat(ASH_ARRAYS(a, b), .axis = 1); /* the axis after the last: columns */
    CHECK_SHAPE(columns, 3, 2);
    CHECK_INTS(columns, 1, 4, 2, 5, 3, 6);
    ash_array *seven = ash_fill_new(ASH_SHAPE(), INT64_C(7));
    CHECK_INTS(ash_concat(ASH_ARRAYS(seven, a, seven)), 7, 1, 2, 3, 7); /* rank 0 counts as one element */
    ash_array *blocks =
        ash_concat(ASH_ARRAYS(ash_reshape(ash_i64(1, 2), ASH_SHAPE(1, 2)), ash_reshape(ash_i64(3), ASH_SHAPE(1, 1))),
                   .axes = ASH_AXES(0, 1));
    CHECK_SHAPE(blocks, 2, 3);
    CHECK_INTS(blocks, 1, 2, 0, 0, 0, 3);
    CHECK_SHAPE(ash_concat(ASH_ARRAYS(ash_empty(ASH_SHAPE(0, 3)), ash_ones(ASH_SHAPE(2, 3)))), 2, 3);
    CHECK_SHAPE(ash_concat(ASH_ARRAYS(ash_empty(ASH_SHAPE(0)), ash_empty(ASH_SHAPE(0)))), 0);
    ash_array *mixed = ash_concat(ASH_ARRAYS(ash_i8(1, 2), ash_f32(0.5)));
    CHECK(ash_dtype_of(mixed) == ASH_F32);
    CHECK_FLOATS(mixed, 1, 2, 0.5);
    CHECK(ash_dtype_of(ash_concat(ASH_ARRAYS(ash_u8(1), ash_bool(true)), .dtype = ASH_I32)) == ASH_I32);
    CHECK(ash_layout_of(ash_concat(ASH_ARRAYS(m, m), .layout = ASH_COL_MAJOR)) == ASH_COL_MAJOR);
    CHECK(ash_storage_of(mixed) == here.storage);
}

static void blocks_of_large_records(void)
{
    static page ones, got[4];
    memset(&ones, 1, sizeof ones);
    memset(got, 2, sizeof got);
    ash_array *one = ash_from_host(&ones, page_dtype(), ASH_SHAPE(1, 1)),
              *zeros = ash_zeros(ASH_SHAPE(4), .dtype = page_dtype());
    CHECK_OK(ash_to_host(zeros, got, sizeof got));
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 5000; i++)
            CHECK(got[k].byte[i] == 0);
    CHECK_OK(ash_to_host(ash_concat(ASH_ARRAYS(one, one), .axes = ASH_AXES(0, 1)), got, sizeof got));
    for (int k = 0; k < 4; k++)
        for (int i = 0; i < 5000; i++)
            CHECK(got[k].byte[i] == (k == 0 || k == 3));
}

static void stacked(void)
{
    ash_array *a = ash_i64(1, 2, 3), *b = ash_i64(4, 5, 6);
    ash_array *rows = ash_stack(ASH_ARRAYS(a, b)), *columns = ash_stack(ASH_ARRAYS(a, b), .axis = -1);
    CHECK_SHAPE(rows, 2, 3);
    CHECK_INTS(rows, 1, 2, 3, 4, 5, 6);
    CHECK_SHAPE(columns, 3, 2);
    CHECK_INTS(columns, 1, 4, 2, 5, 3, 6);
    ash_array *middle = ash_stack(ASH_ARRAYS(matrix(), matrix()), .axis = 1);
    CHECK_SHAPE(middle, 2, 2, 3);
    CHECK_INTS(middle, 1, 2, 3, 1, 2, 3, 4, 5, 6, 4, 5, 6);
    CHECK_INTS(ash_stack(ASH_ARRAYS(ash_fill_new(ASH_SHAPE(), INT64_C(1)), ash_fill_new(ASH_SHAPE(), INT64_C(2)))), 1, 2);
    CHECK_SHAPE(ash_stack(ASH_ARRAYS(ash_empty(ASH_SHAPE(2, 0)), ash_empty(ASH_SHAPE(2, 0)))), 2, 2, 0);
}

static void turned(void)
{
    ash_array *a = ash_i64(1, 2, 3), *m = matrix(), *q = ash_reshape(ash_i64(1, 2, 3, 4), ASH_SHAPE(2, 2));
    CHECK_INTS(ash_reverse(a), 3, 2, 1);
    CHECK_INTS(a, 1, 2, 3);
    CHECK_INTS(ash_reverse(m), 6, 5, 4, 3, 2, 1);
    CHECK_INTS(ash_reverse(m, .axes = ASH_AXES(0)), 4, 5, 6, 1, 2, 3);
    CHECK_INTS(ash_reverse(m, .axes = ASH_AXES(-1)), 3, 2, 1, 6, 5, 4);
    CHECK_SHAPE(ash_reverse(ash_empty(ASH_SHAPE(0, 3))), 0, 3);
    CHECK_SCALAR(ash_reverse(ash_ones(ASH_SHAPE())));
    CHECK_INTS(ash_rot90(q), 2, 4, 1, 3);
    CHECK_INTS(ash_rot90(q, .turns = 2), 4, 3, 2, 1);
    CHECK_INTS(ash_rot90(q, .turns = -1), 3, 1, 4, 2);
    CHECK_INTS(ash_rot90(q, .turns = 4), 1, 2, 3, 4);
    CHECK_INTS(ash_rot90(q, .axes = ASH_AXES(1, 0)), 3, 1, 4, 2);
    CHECK_SHAPE(ash_rot90(m), 3, 2);
    CHECK_INTS(ash_rot90(m), 3, 6, 2, 5, 1, 4);
}

static void shifted(void)
{
    ash_array *a = ash_i64(0, 1, 2, 3, 4, 5, 6, 7, 8, 9), *m = matrix();
    CHECK_INTS(ash_roll(a, ASH_SHAPE(2)), 8, 9, 0, 1, 2, 3, 4, 5, 6, 7);
    CHECK_INTS(ash_roll(a, ASH_SHAPE(-2)), 2, 3, 4, 5, 6, 7, 8, 9, 0, 1);
    CHECK_INTS(ash_roll(a, ASH_SHAPE(INT64_MIN)), 8, 9, 0, 1, 2, 3, 4, 5, 6, 7); /* -2^63 is 2 modulo 10 */
    CHECK_INTS(ash_roll(m, ASH_SHAPE(1)), 4, 5, 6, 1, 2, 3);
    CHECK_INTS(ash_roll(m, ASH_SHAPE(1, -1)), 5, 6, 4, 2, 3, 1);
    CHECK_INTS(ash_roll(m, ASH_SHAPE(1), .axes = ASH_AXES(-1)), 3, 1, 2, 6, 4, 5);
    CHECK_INTS(ash_roll(m, ASH_SHAPE()), 1, 2, 3, 4, 5, 6);
    CHECK_SHAPE(ash_roll(ash_empty(ASH_SHAPE(0, 2)), ASH_SHAPE(1, 1)), 0, 2);
}

static void repeated(void)
{
    ash_array *a = ash_i64(1, 2), *m = ash_reshape(ash_i64(1, 2, 3, 4), ASH_SHAPE(2, 2));
    CHECK_INTS(ash_repeat(a, 2), 1, 1, 2, 2);
    CHECK_INTS(ash_repeat(m, 2), 1, 2, 1, 2, 3, 4, 3, 4);
    CHECK_INTS(ash_repeat(m, 3, .axis = 1), 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4, 4);
    CHECK_INTS(ash_repeat(ash_transpose(m), 2, .axis = -1), 1, 1, 3, 3, 2, 2, 4, 4);
    CHECK_SHAPE(ash_repeat(m, 0), 0, 2);
    CHECK_INTS(ash_tile(a, ASH_SHAPE(3)), 1, 2, 1, 2, 1, 2);
    CHECK_SHAPE(ash_tile(ash_i64(0, 1, 2), ASH_SHAPE(2, 2)), 2, 6);
    CHECK_INTS(ash_tile(ash_i64(0, 1, 2), ASH_SHAPE(2, 2)), 0, 1, 2, 0, 1, 2, 0, 1, 2, 0, 1, 2);
    CHECK_INTS(ash_tile(m, ASH_SHAPE(2)), 1, 2, 1, 2, 3, 4, 3, 4);
    CHECK_INTS(ash_tile(m, ASH_SHAPE(2, 1)), 1, 2, 3, 4, 1, 2, 3, 4);
    CHECK_SHAPE(ash_tile(a, ASH_SHAPE(2, 1, 2)), 2, 1, 4);
    CHECK_SHAPE(ash_tile(m, ASH_SHAPE(0, 2)), 0, 4);
    CHECK_INTS(ash_tile(a, ASH_SHAPE()), 1, 2);
    CHECK_INTS(ash_tile(ash_fill_new(ASH_SHAPE(), INT64_C(5)), ASH_SHAPE(3)), 5, 5, 5);
}

static void chosen(void)
{
    ash_array *c = ash_bool(true, false, true), *x = ash_i64(1, 2, 3);
    CHECK_INTS(ash_where(c, x, INT64_C(0)), 1, 0, 3);
    CHECK_INTS(ash_where(ash_i8(0, 5, 0), x, ash_i64(7, 8, 9)), 7, 2, 9);
    ash_array *wide = ash_where(ash_reshape(ash_bool(true, false), ASH_SHAPE(2, 1)), x, ash_f32(0.5, 1.5, 2.5));
    CHECK(ash_dtype_of(wide) == ASH_F32);
    CHECK_FLOATS(wide, 1, 2, 3, 0.5, 1.5, 2.5);
    CHECK(ash_layout_of(ash_where(true, matrix(), 0, .layout = ASH_COL_MAJOR)) == ASH_COL_MAJOR);
}

static void picked(void)
{
    ash_array *a = ash_i64(10, 20, 30, 40), *m = matrix();
    CHECK_INTS(ash_take(a, ash_i64(2, 0, 0, 3)), 30, 10, 10, 40);
    CHECK_INTS(ash_take(m, ash_i32(1, 0, 1)), 4, 5, 6, 1, 2, 3, 4, 5, 6);
    CHECK_INTS(ash_take(m, ash_u8(2, 0), .axis = 1), 3, 1, 6, 4);
    CHECK_INTS(ash_take(m, ash_i8(2), .axis = -1), 3, 6);
    ash_array *one = ash_fill_new(ASH_SHAPE(), INT64_C(1)); /* one index: the axis is gone */
    CHECK_SHAPE(ash_take(m, one), 3);
    CHECK_INTS(ash_take(m, one), 4, 5, 6);
    CHECK_SCALAR(ash_take(a, one));
    ash_array *table = ash_reshape(ash_u16(0, 2, 1, 1, 2, 0), ASH_SHAPE(3, 2));
    ash_array *rows = ash_take(m, table, .axis = 1);
    CHECK_SHAPE(rows, 2, 3, 2);
    CHECK_INTS(rows, 1, 3, 2, 2, 3, 1, 4, 6, 5, 5, 6, 4);
    ash_array *turned = ash_take(ash_contiguous(m, .layout = ASH_COL_MAJOR), ash_transpose(table), .axis = 1);
    CHECK_SHAPE(turned, 2, 2, 3);
    CHECK(ash_layout_of(turned) == ASH_COL_MAJOR);
    CHECK_INTS(turned, 1, 2, 3, 3, 2, 1, 4, 5, 6, 6, 5, 4);
    ash_array *column = ash_reshape(ash_i64(2, 0), ASH_SHAPE(2, 1)); /* dense in both layouts */
    CHECK_INTS(ash_take(ash_contiguous(m, .layout = ASH_COL_MAJOR), column, .axis = 1), 3, 1, 6, 4);
    CHECK_INTS(ash_take(ash_contiguous(m, .layout = ASH_COL_MAJOR), ash_reshape(ash_i64(1, 0), ASH_SHAPE(1, 2))), 4, 5, 6, 1, 2,
               3);
    CHECK_SHAPE(ash_take(m, ash_empty(ASH_SHAPE(0, 4), .dtype = ASH_I64)), 0, 4, 3);
    ash_array *bytes = ash_zeros(ASH_SHAPE(17), .dtype = ASH_U8), *askew = ash_reinterpret(ash_slice(bytes, 1, 17), ASH_I64);
    CHECK_OK(ash_copy_into(askew, ash_i64(3, 1))); /* indices at an odd address */
    CHECK_INTS(ash_take(a, askew), 40, 20);
    CHECK_SHAPE(ash_take(ash_empty(ASH_SHAPE(3, 0)), ash_i64(1, 1)), 2, 0);
    CHECK_SHAPE(ash_take(ash_empty(ASH_SHAPE(0)), ash_empty(ASH_SHAPE(0), .dtype = ASH_I64)), 0);
}

/* Many elements, so that threads share them: (i * 7919) mod n of a range is that number; rows and columns of a matrix. */
static void picked_many(void)
{
    enum { N = 300007 }; /* prime */
    ash_array *i = ash_convert(ash_range(0, N), ASH_I64), *index = ash_map("i -> i * 7919 % 300007", i);
    CHECK(ash_equal(ash_take(i, index), index, .identical = true));
    CHECK(ash_equal(ash_take(ash_slice(i, ASH_OPEN, ASH_OPEN, .step = -1), index), ash_map("(i) -> 300006 - i", index)));
    ash_array *m = ash_reshape(ash_range(0, 1200000), ASH_SHAPE(1000, 1200)), *last = ash_range(0, 1000);
    ash_array *back = ash_map("i -> 999 - i", last);
    CHECK(ash_equal(ash_take(m, back), ash_slice(m, ASH_OPEN, ASH_OPEN, .step = -1)));
    CHECK(ash_equal(ash_take(m, back, .axis = 1), ash_view(m, ASH_ALL, ASH_RANGE(999, ASH_OPEN, -1))));
    CHECK(ash_equal(ash_take(ash_transpose(m), back), ash_transpose(ash_take(m, back, .axis = 1))));
}

/* ---- every dtype, layout and stride */

static bool same(ash_array *a, const ash_array *b) { return ash_equal(a, b, .identical = true); }

static void identities_of(const ash_array *x)
{
    ash_array *first = ash_slice(x, 0, 1), *rest = ash_slice(x, 1, ASH_OPEN);
    CHECK(same(ash_concat(ASH_ARRAYS(first, rest)), x));
    CHECK(same(ash_concat(ASH_ARRAYS(ash_slice(x, 0, 2, .axes = ASH_AXES(1)), ash_slice(x, 2, ASH_OPEN, .axes = ASH_AXES(1))),
                          .axis = 1),
               x));
    CHECK(same(ash_view(ash_stack(ASH_ARRAYS(x, ash_reverse(x)), .axis = 2), ASH_ALL, ASH_ALL, 0), x));
    CHECK(same(ash_reverse(ash_reverse(x)), x));
    CHECK(same(ash_reverse(x, .axes = ASH_AXES(0)), ash_slice(x, ASH_OPEN, ASH_OPEN, .step = -1)));
    CHECK(same(ash_rot90(ash_rot90(x), .turns = 3), x) && same(ash_rot90(x, .turns = 2), ash_reverse(x)));
    CHECK(same(ash_roll(ash_roll(x, ASH_SHAPE(1, -2)), ASH_SHAPE(-1, 2)), x) && same(ash_roll(x, ASH_SHAPE(3, 5)), x));
    CHECK(same(ash_take(x, ash_i64(2, 1, 0)), ash_reverse(x, .axes = ASH_AXES(0))));
    CHECK(same(ash_take(x, ash_i8(4, 3, 2, 1, 0), .axis = 1), ash_reverse(x, .axes = ASH_AXES(1))));
    CHECK(same(ash_take(x, ash_reshape(ash_i64(0, 1, 2, 0, 1, 2), ASH_SHAPE(2, 3))), ash_stack(ASH_ARRAYS(x, x))));
    CHECK(same(ash_slice(ash_repeat(x, 3), 1, ASH_OPEN, .step = 3), x));
    CHECK(same(ash_view(ash_tile(x, ASH_SHAPE(2, 2)), ASH_RANGE(3, 6), ASH_RANGE(5, 10)), x));
}

static void identities_here(void)
{
    for EACH_DTYPE (dtype, ASH_BOOL, ASH_C_F64) {
            ash_array *x = fifteen_numbers(dtype);
            if (!x)
                continue;
            identities_of(x);
            identities_of(ash_contiguous(x, .layout = ASH_COL_MAJOR));
            identities_of(ash_view(ash_tile(x, ASH_SHAPE(2, 2)), ASH_RANGE(ASH_OPEN, ASH_OPEN, -2), ASH_RANGE(0, 10, 2)));
    }
    spot parts[15];
    for (int i = 0; i < 15; i++)
        parts[i] = (spot){{(float)i, -(float)i}, (int16_t)(3 * i)};
    identities_of(ash_from_host(parts, spot_dtype(), ASH_SHAPE(3, 5)));
    ash_array *z = ash_reshape(ash_c_f32(1 + 2 * I, 2, 3 - I, 4 * I), ASH_SHAPE(2, 2)); /* conjugates are copied as such */
    CHECK(same(ash_concat(ASH_ARRAYS(ash_adjoint(z), ash_adjoint(z))),
               ash_tile(ash_contiguous(ash_adjoint(z)), ASH_SHAPE(2, 1))));
    CHECK(same(ash_reverse(ash_reverse(ash_adjoint(z))), ash_adjoint(z)));
    ash_array *columns = ash_adjoint(z); /* results are in the layout of the argument */
    CHECK(ash_layout_of(ash_reverse(columns)) == ASH_COL_MAJOR);
    CHECK(ash_layout_of(ash_roll(columns, ASH_SHAPE(1))) == ASH_COL_MAJOR);
    CHECK(ash_layout_of(ash_take(columns, ash_i64(0, 1))) == ASH_COL_MAJOR);
    CHECK(same(ash_roll(ash_adjoint(z), ASH_SHAPE(2)), ash_adjoint(z)));
    CHECK(same(ash_take(ash_adjoint(z), ash_i64(0, 1)), ash_adjoint(z)));
}

static void a15_index_out_of_range(void)
{
    ash_array *p = ash_f32(10, 20, 30, 40, 50);
    CHECK(!ash_take(p, ash_i64(0, 1, 2, 3, 5, 4)));
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_take: index 5 at (4) is out of bounds for axis 0 of size 5");
    CHECK(!ash_take(p, ash_u64(UINT64_C(1) << 63)));
    CHECK_ERROR_HAS(ASH_ERR_VALUE, "9223372036854775808");
    CHECK(!ash_take(p, ash_i64(-1)));
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_take: index -1 at (0) is out of bounds for axis 0 of size 5");
    CHECK_FLOATS(ash_take(p, ash_u8(4)), 50);
}

static void faults_here(void)
{
    ash_array *a = ash_i64(1, 2, 3), *m = matrix();
    CHECK(!ash_concat_opt((ash_arrays){NULL, 0}, NULL));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_concat: 0 arrays are given; at least one is wanted");
    CHECK(!ash_concat(ASH_ARRAYS(a, (ash_array *)NULL)));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_concat: array 1 is NULL");
    CHECK(!ash_concat(ASH_ARRAYS(m, ash_ones(ASH_SHAPE(2, 2)))));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_concat: array 1 has shape (2, 2) and array 0 (2, 3): axis 1 must be equal");
    CHECK(!ash_concat(ASH_ARRAYS(m, m), .axis = 3));
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_concat: axis 3 is out of bounds for arrays of rank 2");
    CHECK(!ash_concat(ASH_ARRAYS(m, m), .axes = ASH_AXES(0, -2)));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "twice");
    CHECK(!ash_concat(ASH_ARRAYS(a, ash_empty(ASH_SHAPE(1), .dtype = spot_dtype()))));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_concat: array 1 is spot, and those before it i64");
    CHECK(!ash_stack(ASH_ARRAYS(a, ash_i64(1, 2))));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_stack: array 1 has shape (2) and array 0 (3)");
    CHECK(!ash_reverse(a, .axes = ASH_AXES(1)));
    CHECK_ERROR_HAS(ASH_ERR_BOUNDS, "axis 1");
    CHECK(!ash_roll(a, ASH_SHAPE(1, 2)));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_roll: 2 shifts for rank 1");
    CHECK(!ash_rot90(a));
    CHECK_ERROR_HAS(ASH_ERR_SHAPE, "(3)");
    CHECK(!ash_repeat(a, -1));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_repeat: count -1; it must not be negative");
    CHECK(!ash_repeat(a, INT64_MAX));
    CHECK_ERROR_HAS(ASH_ERR_SHAPE, "2^63 - 1");
    CHECK(!ash_tile(a, ASH_SHAPE(2, -1)));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "-1");
    CHECK(!ash_where(ash_bool(true, false), a, a));
    CHECK_ERROR_HAS(ASH_ERR_SHAPE, "ash_where: ");
    CHECK(!ash_take(a, ash_i64(0, 3)));
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_take: index 3 at (1) is out of bounds for axis 0 of size 3");
    CHECK(!ash_take(m, ash_reshape(ash_i64(0, 1, 1, 0, 5, 7), ASH_SHAPE(3, 2))));
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_take: index 5 at (2, 0) is out of bounds for axis 0 of size 2");
    CHECK(!ash_take(m, ash_i64(INT64_MIN), .axis = 1));
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_take: index -9223372036854775808 at (0) is out of bounds for axis 1 of size 3");
    CHECK(!ash_take(ash_empty(ASH_SHAPE(0)), ash_i64(0)));
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_take: index 0 at (0) is out of bounds for axis 0 of size 0");
    CHECK(!ash_take(a, ash_u64(UINT64_MAX)));
    CHECK_ERROR_HAS(ASH_ERR_VALUE, "18446744073709551615");
    CHECK(!ash_take(a, ash_i64(0), .axis = 1));
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_take: axis 1 is out of bounds for rank 1");
    CHECK(!ash_take(ash_ones(ASH_SHAPE()), ash_i64(0)));
    CHECK_ERROR_HAS(ASH_ERR_BOUNDS, "axis 0");
    CHECK(!ash_take(a, ash_f32(0)));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_take: indices are f32; an integer dtype is wanted");
    CHECK(!ash_take(a, NULL));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "indices");
    ash_array *deep = ash_zeros(ASH_SHAPE(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1), .dtype = ASH_I64);
    CHECK(!ash_take(deep, deep));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_take: the result would have rank 33; ranks 0 to 32 are supported");
}

/* ---- no memory */

static ash_array *concat_converted(const ash_array *m)
{
    return ash_concat(ASH_ARRAYS(m, ash_f32(1, 2)), .axes = ASH_AXES(0, 1));
}
static ash_array *stack_two(const ash_array *m) { return ash_stack(ASH_ARRAYS(m, m), .axis = 1); }
static ash_array *reverse_all(const ash_array *m) { return ash_reverse(m); }
static ash_array *roll_both(const ash_array *m) { return ash_roll(m, ASH_SHAPE(1, 1)); }
static ash_array *repeat_strided(const ash_array *m) { return ash_repeat(ash_transpose(m), 2); }
static ash_array *tile_wide(const ash_array *m) { return ash_tile(m, ASH_SHAPE(2, 3, 2)); }
static ash_array *where_broadcast(const ash_array *m) { return ash_where(true, m, 1.5f); }

static ash_array *take_rows(const ash_array *m) { return ash_take(ash_adjoint(m), ash_i32(2, 0)); }

/* The n-th allocation fails, for every n there is: an error each time, and nothing is left. */
static void without_memory(void **state)
{
    (void)state;
    static ash_array *(*const make[])(const ash_array *) = {concat_converted, stack_two, reverse_all,    roll_both,
                                                            repeat_strided,   tile_wide, where_broadcast, take_rows};
    ASH_SCOPE(all);
    ash_array *m = matrix();
    for (int k = 0; k < COUNT(make); k++) {
        bool done = false;
        for (int64_t n = 1; !done; n++) {
            ASH_SCOPE(scope);
            CHECK_OK(ash_pool_trim(ash_default_device(), 0));
            ash__fail_allocation(n);
            ash_array *made = make[k](m);
            ash__fail_allocation(0);
            done = made != NULL;
            if (!done)
                CHECK_ERROR_HAS(ASH_ERR_MEMORY, "");
        }
    }
}

EVERYWHERE(concat_and_its_axes, joined)
EVERYWHERE(concat_of_large_records, blocks_of_large_records)
EVERYWHERE(stack, stacked)
EVERYWHERE(reverse_and_rot90, turned)
EVERYWHERE(roll, shifted)
EVERYWHERE(repeat_and_tile, repeated)
EVERYWHERE(where, chosen)
EVERYWHERE(take, picked)
EVERYWHERE(take_by_threads, picked_many)
EVERYWHERE(identities, identities_here)
EVERYWHERE(a15, a15_index_out_of_range)
EVERYWHERE(faults, faults_here)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(concat_and_its_axes), TEST(concat_of_large_records), TEST(stack),
                                       TEST(reverse_and_rot90), TEST(roll), TEST(repeat_and_tile), TEST(where),
                                       TEST(take), TEST(take_by_threads), TEST(identities), TEST(a15), TEST(faults),
                                       TEST(without_memory)};
    return cmocka_run_group_tests_name("combine", tests, NULL, NULL);
}
