/*
 * views.c - every function of view.h: what the view shows, that it shares memory, what it refuses, and who holds whom.
 *
 * Expected values follow by hand from the counting arrays that the views are cut from.
 */
#include <complex.h>

#include "test.h"

ASH_RECORD(spin, (f32, up), (f32, down));
ASH_RECORD(particle, (f32, x, 3), (i32, id), (spin, s));
ASH_RECORD(xyz, (f32, x), (f32, y), (f32, z));
ASH_RECORD(weighted, (xyz, p), (f32, w));

static ash_array *six(void) { return ash_i64(0, 1, 2, 3, 4, 5); }
static ash_array *two_by_three(ash_layout layout) { return counting(1, ASH_F32, ASH_SHAPE(2, 3), layout); }

/* ---- slices ----------------------------------------------------------------------------------------------------------------
 */

static void slices(void)
{
    ash_array *v = six();
    CHECK_INTS(ash_slice(v, 1, 4), 1, 2, 3);
    CHECK_INTS(ash_slice(v, 1, -1), 1, 2, 3, 4);
    CHECK_INTS(ash_slice(v, -2, ASH_OPEN), 4, 5);
    CHECK_INTS(ash_slice(v, ASH_OPEN, 2), 0, 1);
    CHECK_INTS(ash_slice(v, ASH_OPEN, ASH_OPEN, .step = 2), 0, 2, 4);
    CHECK_INTS(ash_slice(v, 1, ASH_OPEN, .step = 3), 1, 4);
    CHECK_INTS(ash_slice(v, 0, 6, .step = 100), 0);
    CHECK_INTS(ash_slice(v, ASH_OPEN, ASH_OPEN, .step = -1), 5, 4, 3, 2, 1, 0);
    CHECK_INTS(ash_slice(v, ASH_OPEN, ASH_OPEN, .step = -2), 5, 3, 1);
    CHECK_INTS(ash_slice(v, 4, 1, .step = -1), 4, 3, 2);
    CHECK_INTS(ash_slice(v, 2, ASH_OPEN, .step = -1), 2, 1, 0);
    CHECK_SHAPE(ash_slice(v, 3, 3), 0);
    CHECK_SHAPE(ash_slice(v, 6, 6), 0);
    CHECK_SHAPE(ash_slice(v, 0, 0), 0);
    CHECK_SHAPE(ash_slice(ash_zeros(ASH_SHAPE(0)), ASH_OPEN, ASH_OPEN, .step = -1), 0);

    for EACH_LAYOUT(layout) {
        ash_array *m = two_by_three(layout);
        CHECK_FLOATS(ash_slice(m, 1, 2), 4, 5, 6);
        ash_array *columns = ash_slice(m, 0, 2, .axes = ASH_AXES(1));
        CHECK_SHAPE(columns, 2, 2);
        CHECK_FLOATS(columns, 1, 2, 4, 5);
        CHECK_FLOATS(ash_slice(m, ASH_OPEN, ASH_OPEN, .axes = ASH_AXES(-1), .step = -2), 3, 1, 6, 4);
        CHECK_OK(ash_fill(columns, 0));
        CHECK_FLOATS(m, 0, 0, 3, 0, 0, 6);
        CHECK(ash_shares_memory(m, columns) && ash_is_view(columns) && ash_parent(columns) == m);
    }
}
static void slices_refused(void)
{
    ash_array *v = six(), *m = two_by_three(ASH_ROW_MAJOR);
    CHECK(!ash_slice(v, 0, 7));
    CHECK_ERROR_PARTS(ASH_ERR_BOUNDS, "ash_slice: ", "7", "6");
    CHECK(!ash_slice(v, 7, 7));
    CHECK_ERROR_PARTS(ASH_ERR_BOUNDS, "ash_slice: ", "7", "6");
    CHECK(!ash_slice(v, -7, 2));
    CHECK_ERROR_PARTS(ASH_ERR_BOUNDS, "ash_slice: ", "-7", "6");
    CHECK(!ash_slice(v, 0, -8));
    CHECK_ERROR_PARTS(ASH_ERR_BOUNDS, "ash_slice: ", "-8", "6");
    CHECK(!ash_slice(v, 6, 0, .step = -1));
    CHECK_ERROR_PARTS(ASH_ERR_BOUNDS, "ash_slice: ", "6");
    CHECK(!ash_slice(m, 0, 1, .axes = ASH_AXES(2)));
    CHECK_ERROR_PARTS(ASH_ERR_BOUNDS, "ash_slice: ", "axis 2", "2");
    CHECK(!ash_slice(m, 0, 1, .axes = ASH_AXES(0, 1)));
    CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_slice: ", "2");
    CHECK(!ash_slice(ash_zeros(ASH_SHAPE()), 0, 1));
    CHECK_ERROR_HAS(ASH_ERR_BOUNDS, "ash_slice: ");
    CHECK(!ash_slice(NULL, 0, 1));
    CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_slice: ", "NULL");
}
static void slice(void **state)
{
    (void)state;
    everywhere(slices, false);
    everywhere(slices_refused, false);
}

/* ---- ash_view */

static void mixed_entries(void)
{
    for EACH_LAYOUT(layout) {
        ash_array *c = counting(0, ASH_I32, ASH_SHAPE(2, 3, 4), layout);
        ash_array *row = ash_view(c, 1, 2, ASH_ALL);
        CHECK_SHAPE(row, 4);
        CHECK_INTS(row, 20, 21, 22, 23);
        CHECK_INTS(ash_view(c, -1, -1, -1), 23);
        CHECK_SCALAR(ash_view(c, 0, 0, 0));
        ash_array *mixed = ash_view(c, ASH_ALL, 1, ASH_RANGE(3, ASH_OPEN, -2));
        CHECK_SHAPE(mixed, 2, 2);
        CHECK_INTS(mixed, 7, 5, 19, 17);
        CHECK_SHAPE(ash_view(c, ASH_NEW_AXIS, 0, ASH_ALL, ASH_NEW_AXIS, ASH_RANGE(0, 2)), 1, 3, 1, 2);
        CHECK_SHAPE(ash_view(c, 1), 3, 4); /* the axes that follow are whole */
        CHECK_SHAPE(ash_view(c, ASH_RANGE(0, 0), ASH_ALL, 1), 0, 3);
        CHECK_INTS(ash_view(c, ASH_RANGE(ASH_OPEN, ASH_OPEN, -1), 0, 0), 12, 0);
        CHECK_OK(ash_fill(ash_view(c, ASH_ALL, ASH_ALL, 0), -1));
        CHECK_INTS(ash_view(c, 0, 0), -1, 1, 2, 3);
        const int64_t k = 2;
        CHECK_INTS(ash_view(c, 0, k, 3), 11);
    }
    ash_array *v = six();
    CHECK_TEXT_HERE(ash_copy(ash_view(v, ASH_RANGE(ASH_OPEN, ASH_OPEN, -2))), "ash.vector i64[3] cpu:0 [5 3 1]");
}
static void mixed_entries_refused(void)
{
    ash_array *c = counting(0, ASH_I32, ASH_SHAPE(2, 3, 4), ASH_ROW_MAJOR);
    CHECK(!ash_view(c, 2));
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_view: index 2 is out of bounds for axis 0 of size 2");
    CHECK(!ash_view(c, 0, -4));
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_view: index -4 is out of bounds for axis 1 of size 3");
    CHECK(!ash_view(c, ASH_ALL, ASH_ALL, ASH_RANGE(0, 5)));
    CHECK_ERROR_PARTS(ASH_ERR_BOUNDS, "ash_view: ", "5", "4", "axis 2");
    CHECK(!ash_view(c, 0, 0, 0, 1));
    CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_view: ", "3");
    CHECK(!ash_view(c, ASH_RANGE(0, 2, 0)));
    CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_view: ", "step");
}
static void view(void **state)
{
    (void)state;
    everywhere(mixed_entries, false);
    everywhere(mixed_entries_refused, false);
}

/* ---- reshape: never copies */

static void reshapes(void)
{
    ash_array *v = six();
    ash_array *m = ash_reshape(v, ASH_SHAPE(2, ASH_INFER));
    CHECK_SHAPE(m, 2, 3);
    CHECK_INTS(m, 0, 1, 2, 3, 4, 5);
    CHECK(ash_shares_memory(v, m) && ash_parent(m) == v);
    CHECK_SHAPE(ash_reshape(m, ASH_SHAPE(ASH_INFER)), 6);
    CHECK_SHAPE(ash_reshape(m, ASH_SHAPE(1, 6, 1)), 1, 6, 1);
    CHECK_SCALAR(ash_reshape(ash_slice(v, 2, 3), ASH_SHAPE()));
    CHECK_SHAPE(ash_reshape(ash_fill_new(ASH_SHAPE(), 1), ASH_SHAPE(1, 1, 1)), 1, 1, 1);

    /* column-major order: read down the columns, and laid out so */
    ash_array *f = ash_reshape(v, ASH_SHAPE(2, 3), .order = ASH_COL_MAJOR);
    CHECK_INTS(f, 0, 2, 4, 1, 3, 5);
    CHECK(ash_layout_of(f) == ASH_COL_MAJOR);
    CHECK_INTS(ash_reshape(f, ASH_SHAPE(6), .order = ASH_COL_MAJOR), 0, 1, 2, 3, 4, 5);
    CHECK_INTS(ash_reshape(f, ASH_SHAPE(3, 2), .order = ASH_COL_MAJOR), 0, 3, 1, 4, 2, 5);

    /* strides that can express it */
    CHECK_INTS(ash_reshape(ash_slice(v, ASH_OPEN, ASH_OPEN, .step = -1), ASH_SHAPE(3, 2)), 5, 4, 3, 2, 1, 0);
    CHECK_INTS(ash_reshape(ash_slice(v, ASH_OPEN, ASH_OPEN, .step = 2), ASH_SHAPE(3, 1)), 0, 2, 4);
    ash_array *rows = ash_slice(counting(0, ASH_I64, ASH_SHAPE(4, 6), ASH_ROW_MAJOR), 0, 4, .axes = ASH_AXES(1));
    ash_array *split = ash_reshape(rows, ASH_SHAPE(2, 2, 2, 2));
    CHECK_INTS(split, 0, 1, 2, 3, 6, 7, 8, 9, 12, 13, 14, 15, 18, 19, 20, 21);
    CHECK_STRIDES(split, 12, 6, 2, 1);
    CHECK_SHAPE(ash_reshape(ash_broadcast_to(ash_ones(ASH_SHAPE(1)), ASH_SHAPE(6)), ASH_SHAPE(2, 3)), 2, 3);

    /* empty shapes are interchangeable */
    ash_array *empty = ash_zeros(ASH_SHAPE(0));
    CHECK_SHAPE(ash_reshape(empty, ASH_SHAPE(0, 0)), 0, 0);
    CHECK_SHAPE(ash_reshape(empty, ASH_SHAPE(1, 0, 0)), 1, 0, 0);
    CHECK_SHAPE(ash_reshape(ash_zeros(ASH_SHAPE(3, 0)), ASH_SHAPE(0, 5)), 0, 5);
    CHECK_SHAPE(ash_reshape(empty, ASH_SHAPE(2, ASH_INFER)), 2, 0);
}
static void reshapes_refused(void)
{
    ash_array *v = six(), *f = two_by_three(ASH_COL_MAJOR);
    CHECK(!ash_reshape(v, ASH_SHAPE(4, 2)));
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_reshape: ", "6", "(4, 2)");
    CHECK(!ash_reshape(v, ASH_SHAPE(4, ASH_INFER)));
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_reshape: ", "6", "4");
    CHECK(!ash_reshape(v, ASH_SHAPE(ASH_INFER, ASH_INFER)));
    CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_reshape: ", "0", "1");
    CHECK(!ash_reshape(v, ASH_SHAPE(0, ASH_INFER)));
    CHECK_ERROR_HAS(ASH_ERR_SHAPE, "ash_reshape: ");
    CHECK(!ash_reshape(f, ASH_SHAPE(6)));
    CHECK_ERROR_PARTS(ASH_ERR_UNSUPPORTED, "ash_reshape: ", ".order", "ash_contiguous");
    CHECK_INTS(ash_reshape(f, ASH_SHAPE(6), .order = ASH_COL_MAJOR), 1, 4, 2, 5, 3, 6);
    CHECK_INTS(ash_reshape(ash_contiguous(f), ASH_SHAPE(6)), 1, 2, 3, 4, 5, 6);
    CHECK(!ash_reshape(ash_transpose(two_by_three(ASH_ROW_MAJOR)), ASH_SHAPE(2, 3)));
    CHECK_ERROR_PARTS(ASH_ERR_UNSUPPORTED, "ash_reshape: ", ".order", "ash_contiguous");
    CHECK(!ash_reshape(v, ASH_SHAPE(6), .order = ASH_STRIDED));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_reshape: ");
}
static void reshape(void **state)
{
    (void)state;
    everywhere(reshapes, false);
    everywhere(reshapes_refused, false);
}

/* ---- transposes, adjoints, permutations */

static void transposes(void)
{
    for EACH_LAYOUT(layout) {
        ash_array *m = two_by_three(layout), *t = ash_transpose(m);
        CHECK_SHAPE(t, 3, 2);
        CHECK_FLOATS(t, 1, 4, 2, 5, 3, 6);
        CHECK(ash_layout_of(t) == (layout == ASH_ROW_MAJOR ? ASH_COL_MAJOR : ASH_ROW_MAJOR));
        CHECK(ash_parent(t) == m && ash_shares_memory(t, m));
        CHECK_FLOATS(ash_transpose(t), 1, 2, 3, 4, 5, 6);
        ash_array *c = ash_transpose(counting(0, ASH_F32, ASH_SHAPE(2, 2, 3), layout));
        CHECK_SHAPE(c, 2, 3, 2);
        CHECK_FLOATS(c, 0, 3, 1, 4, 2, 5, 6, 9, 7, 10, 8, 11);
    }
    ash_array *v = six(), *row = ash_transpose(v);
    CHECK_SHAPE(row, 1, 6);
    CHECK_INTS(row, 0, 1, 2, 3, 4, 5);
    ash_array *s = ash_fill_new(ASH_SHAPE(), 3);
    CHECK(ash_transpose(s) == s && ash_adjoint(s) == s);
    CHECK(ash_adjoint(ash_zeros(ASH_SHAPE(2, 3))) != NULL);
    CHECK_FLOATS(ash_adjoint(two_by_three(ASH_ROW_MAJOR)), 1, 4, 2, 5, 3, 6); /* real: the transpose */
}
static void transpose(void **state)
{
    (void)state;
    everywhere(transposes, false);
}

static ash_array *complex_2x2(void) { return ash_reshape(ash_c_f32(1 + 2 * I, 3 - 1 * I, 4 * I, 5), ASH_SHAPE(2, 2)); }
static ash_array *re(const ash_array *a) { return ash_map("real", a); }
static ash_array *im(const ash_array *a) { return ash_map("imag", a); }

static void adjoints(void)
{
    ash_array *a = complex_2x2(), *h = ash_adjoint(a);
    CHECK_FLOATS(re(h), 1, 0, 3, 5);
    CHECK_FLOATS(im(h), -2, -4, 1, 0);
    CHECK_FLOATS(im(ash_adjoint(h)), 2, -1, 4, 0);
    CHECK_FLOATS(im(ash_transpose(h)), -2, 1, -4, 0); /* conjugated, in the order of a */
    CHECK_FLOATS(im(ash_slice(h, 0, 1)), -2, -4);     /* a view of an adjoint conjugates too */
    CHECK_FLOATS(im(ash_copy(h)), -2, -4, 1, 0);
    CHECK_FLOATS(im(ash_contiguous(h)), -2, -4, 1, 0);
    CHECK_FLOATS(im(ash_sum(h, .axes = ASH_AXES(1), .drop = true)), -6, 1);
    ash_complex_f32 host[4];
    CHECK_OK(ash_to_host(h, host, sizeof host));
    CHECK(host[0].im == -2 && host[1].im == -4 && host[2].re == 3 && host[2].im == 1);
    CHECK_TEXT_HERE(ash_copy(h), "ash.matrix c_f32[2×2] col-major cpu:0\n [[1.0-2.0i 0.0-4.0i]\n  [3.0+1.0i 5.0-0.0i]]");
    CHECK_SHAPE(ash_adjoint(ash_c_f32(1 + 2 * I, 3)), 1, 2);

    /* what is written is conjugated on its way into the parent; through a transpose it is not */
    CHECK_OK(ash_map_into(h, "(h, z) -> h + z", h, ash_fill_new(ASH_SHAPE(), 0.0f + 10.0f * I)));
    CHECK_FLOATS(im(h), 8, 6, 11, 10);
    CHECK_FLOATS(im(a), -8, -11, -6, -10);
    CHECK_OK(ash_fill(ash_slice(h, 0, 1), 1.0f + 1.0f * I));
    CHECK_FLOATS(im(a), -1, -11, -1, -10);
    CHECK_OK(ash_copy_into(h, complex_2x2()));
    CHECK_FLOATS(im(a), -2, -4, 1, 0);
    CHECK_OK(ash_copy_into(ash_transpose(a), complex_2x2()));
    CHECK_FLOATS(im(a), 2, 4, -1, 0);
    /* ... in its own dtype: the 3 becomes an i16 before it becomes -3, which no unsigned number is */
    ash_array *wide = ash_zeros(ASH_SHAPE(1, 1), .dtype = ASH_C_I16);
    ash_array *narrow = ash_convert(ash_reshape(ash_c_f32(1 + 3 * I), ASH_SHAPE(1, 1)), ASH_C_U8);
    CHECK_OK(ash_copy_into(ash_adjoint(wide), narrow));
    CHECK_INTS(im(wide), -3);
    CHECK_OK(ash_copy_into(ash_adjoint(wide), ash_adjoint(narrow)));
    CHECK_INTS(im(wide), -253);
    CHECK_OK(ash_fill(ash_adjoint(narrow), 2.0f + 5.0f * I));
    CHECK_INTS(im(narrow), 251);
    CHECK_INTS(im(ash_adjoint(narrow)), 5);
    ASH_ALLOW_SCALAR;
    CHECK_OK(ash_set_c_f32(h, ((ash_complex_f32){7, 7}), 0, 1));
    CHECK(ash_get_c_f32(h, 0, 1).im == 7 && ash_get_c_f32(a, 1, 0).im == -7);
}
static void adjoint_text(void)
{
    CHECK_TEXT(ash_adjoint(complex_2x2()),
               "ash.matrix c_f32[2×2] col-major cpu:0 view\n [[1.0-2.0i 0.0-4.0i]\n  [3.0+1.0i 5.0-0.0i]]");
}
static void adjoint(void **state)
{
    (void)state;
    everywhere(adjoints, false);
    ASH_SCOPE(scope);
    adjoint_text();
}

static void permutations(void)
{
    for EACH_LAYOUT(layout) {
        ash_array *c = counting(0, ASH_I16, ASH_SHAPE(2, 3, 4), layout);
        ash_array *p = ash_permute(c, ASH_AXES(2, 0, 1));
        CHECK_SHAPE(p, 4, 2, 3);
        CHECK_INTS(ash_view(p, 1), 1, 5, 9, 13, 17, 21);
        CHECK(ash_equal(ash_permute(p, ASH_AXES(1, 2, 0)), c));
        CHECK(ash_equal(ash_permute(c, ASH_AXES(-1, -3, -2)), p));
        CHECK(ash_equal(ash_permute(c, ASH_AXES(0, 1, 2)), c));
    }
    CHECK_SCALAR(ash_permute(ash_zeros(ASH_SHAPE()), ASH_AXES()));
    ash_array *c = ash_zeros(ASH_SHAPE(2, 3, 4));
    CHECK(!ash_permute(c, ASH_AXES(0, 1)));
    CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_permute: ", "2", "3");
    CHECK(!ash_permute(c, ASH_AXES(0, 1, 1)));
    CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_permute: ", "1");
    CHECK(!ash_permute(c, ASH_AXES(0, 1, 3)));
    CHECK_ERROR_PARTS(ASH_ERR_BOUNDS, "ash_permute: ", "3");
}
static void permute(void **state)
{
    (void)state;
    everywhere(permutations, false);
}

/* ---- axes added, left out, repeated */

static void axes_of_size_one(void)
{
    ash_array *m = two_by_three(ASH_ROW_MAJOR);
    CHECK_SHAPE(ash_insert_axis(m, 0), 1, 2, 3);
    CHECK_SHAPE(ash_insert_axis(m, 1), 2, 1, 3);
    CHECK_SHAPE(ash_insert_axis(m, 2), 2, 3, 1);
    CHECK_SHAPE(ash_insert_axis(m, -1), 2, 3, 1); /* counted in the result */
    CHECK_SHAPE(ash_insert_axis(m, -3), 1, 2, 3);
    CHECK_SHAPE(ash_insert_axis(ash_zeros(ASH_SHAPE()), 0), 1);
    CHECK(!ash_insert_axis(m, 3));
    CHECK_ERROR_PARTS(ASH_ERR_BOUNDS, "ash_insert_axis: ", "3");
    CHECK(!ash_insert_axis(m, -4));
    CHECK_ERROR_PARTS(ASH_ERR_BOUNDS, "ash_insert_axis: ", "-4");

    ash_array *thin = ash_reshape(m, ASH_SHAPE(1, 2, 1, 3, 1));
    CHECK_SHAPE(ash_squeeze(thin), 2, 3);
    CHECK_SHAPE(ash_squeeze(thin, .axes = ASH_AXES(0, -1)), 2, 1, 3);
    CHECK_SHAPE(ash_squeeze(thin, .axes = ASH_AXES()), 1, 2, 1, 3, 1);
    CHECK_SCALAR(ash_squeeze(ash_ones(ASH_SHAPE(1, 1))));
    CHECK_FLOATS(ash_squeeze(thin), 1, 2, 3, 4, 5, 6);
    CHECK(!ash_squeeze(thin, .axes = ASH_AXES(1)));
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_squeeze: ", "axis 1", "2");
    CHECK(!ash_squeeze(thin, .axes = ASH_AXES(5)));
    CHECK_ERROR_PARTS(ASH_ERR_BOUNDS, "ash_squeeze: ", "5");
}
static void insert_and_squeeze(void **state)
{
    (void)state;
    everywhere(axes_of_size_one, false);
}

static void broadcasts(void)
{
    ash_array *v = ash_f32(1, 2, 3), *b = ash_broadcast_to(v, ASH_SHAPE(2, 3));
    CHECK_SHAPE(b, 2, 3);
    CHECK_STRIDES(b, 0, 1);
    CHECK_FLOATS(b, 1, 2, 3, 1, 2, 3);
    CHECK(ash_is_readonly(b) && !ash_is_readonly(v) && ash_shares_memory(b, v));
    CHECK(ash_fill(b, 0) == ASH_ERR_ARGUMENT);
    CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_fill: ", "read-only");
    CHECK(ash_map_into(ash_slice(b, 0, 1), "x -> 0f", b) == ASH_ERR_ARGUMENT);
    CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_map_into: ", "read-only");
    CHECK_FLOATS(v, 1, 2, 3);
    CHECK_SHAPE(ash_broadcast_to(ash_zeros(ASH_SHAPE(1, 3)), ASH_SHAPE(0, 3)), 0, 3);
    CHECK_FLOATS(ash_broadcast_to(ash_fill_new(ASH_SHAPE(), 4.0f), ASH_SHAPE(2, 2)), 4, 4, 4, 4);
    CHECK(!ash_broadcast_to(v, ASH_SHAPE(3, 2)));
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_broadcast_to: ", "(3)", "(3, 2)");
    CHECK(!ash_broadcast_to(ash_zeros(ASH_SHAPE(2, 3)), ASH_SHAPE(3)));
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_broadcast_to: ", "(2, 3)", "(3)");
    CHECK(!ash_broadcast_to(v, ASH_SHAPE(INT64_MAX, 3)));
    CHECK_ERROR_HAS(ASH_ERR_SHAPE, "ash_broadcast_to: ");
}
static void broadcast(void **state)
{
    (void)state;
    everywhere(broadcasts, false);
}

/* ---- reinterpretation, diagonals, fields */

static void reinterpretations(void)
{
    ash_array *w = ash_u32(0x01020304, 0x05060708);
    CHECK_INTS(ash_reinterpret(w, ASH_U8), 4, 3, 2, 1, 8, 7, 6, 5);
    ash_array *split = ash_reinterpret(w, ASH_U8, .add_axis = true);
    CHECK_SHAPE(split, 2, 4);
    CHECK_INTS(split, 4, 3, 2, 1, 8, 7, 6, 5);
    ash_array *back = ash_reinterpret(split, ASH_U32, .add_axis = true);
    CHECK_SHAPE(back, 2);
    CHECK_INTS(back, 0x01020304, 0x05060708);
    CHECK_INTS(ash_reinterpret(ash_f32(1, -2), ASH_U32), 0x3f800000, 0xc0000000);
    CHECK_INTS(ash_reinterpret(ash_slice(w, ASH_OPEN, ASH_OPEN, .step = -1), ASH_I32), 0x05060708, 0x01020304);
    ash_array *z = ash_reinterpret(ash_f32(1, 2, 3, 4), ASH_C_F32);
    CHECK_SHAPE(z, 2);
    CHECK_FLOATS(im(z), 2, 4);
    CHECK_SHAPE(ash_reinterpret(z, ASH_F32, .add_axis = true), 2, 2);
    CHECK_SCALAR(ash_reinterpret(ash_fill_new(ASH_SHAPE(), 1.0f), ASH_I32));
    CHECK_SHAPE(ash_reinterpret(ash_fill_new(ASH_SHAPE(), 1.0f), ASH_U8, .add_axis = true), 4);

    CHECK(!ash_reinterpret(ash_fill_new(ASH_SHAPE(), 1.0f), ASH_U8));
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_reinterpret: ", "f32", "u8");
    CHECK(!ash_reinterpret(ash_u8(1, 2, 3), ASH_U16));
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_reinterpret: ", "3", "u16");
    CHECK(!ash_reinterpret(ash_slice(ash_u8(1, 2, 3, 4), ASH_OPEN, ASH_OPEN, .step = 2), ASH_U16));
    CHECK_ERROR_HAS(ASH_ERR_UNSUPPORTED, "ash_reinterpret: ");
    CHECK(!ash_reinterpret(w, (ash_dtype)99));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_reinterpret: unsupported dtype 99");
}
static void reinterpret(void **state)
{
    (void)state;
    everywhere(reinterpretations, false);
    ASH_SCOPE(scope);
    here.device = "cpu:0?f64=off";
    ash_resources *weak = ash_resources_new(here.device);
    ASH_WITH_RESOURCES(weak);
    ash_resources_release(weak);
    CHECK(!ash_reinterpret(ash_i64(1, 2), ASH_F64));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_reinterpret: cpu:0?f64=off does not support f64 values; use f32");
}

static void diagonals(void)
{
    for EACH_LAYOUT(layout) {
        ash_array *m = counting(0, ASH_F32, ASH_SHAPE(3, 4), layout);
        CHECK_FLOATS(ash_diagonal(m), 0, 5, 10);
        CHECK_FLOATS(ash_diagonal(m, .offset = 1), 1, 6, 11);
        CHECK_FLOATS(ash_diagonal(m, .offset = 3), 3);
        CHECK_FLOATS(ash_diagonal(m, .offset = -2), 8);
        CHECK_SHAPE(ash_diagonal(m, .offset = 4), 0);
        CHECK_SHAPE(ash_diagonal(m, .offset = -3), 0);
        CHECK_OK(ash_fill(ash_diagonal(m), -1));
        CHECK_FLOATS(m, -1, 1, 2, 3, 4, -1, 6, 7, 8, 9, -1, 11);
        ash_array *c = counting(0, ASH_F32, ASH_SHAPE(2, 3, 3), layout), *d = ash_diagonal(c);
        CHECK_SHAPE(d, 2, 3);
        CHECK_FLOATS(d, 0, 4, 8, 9, 13, 17);
        CHECK_FLOATS(ash_diagonal(c, .axes = ASH_AXES(0, 1)), 0, 12, 1, 13, 2, 14); /* the diagonal is the last axis */
    }
    CHECK(!ash_diagonal(ash_zeros(ASH_SHAPE(3))));
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_diagonal: ", "(3)");
    CHECK(!ash_diagonal(ash_zeros(ASH_SHAPE(3, 3)), .axes = ASH_AXES(1, 1)));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_diagonal: ");
    CHECK(!ash_diagonal(ash_zeros(ASH_SHAPE(3, 3)), .axes = ASH_AXES(0)));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_diagonal: ");
}
static void diagonal(void **state)
{
    (void)state;
    everywhere(diagonals, false);
}

static void fields(void)
{
    const particle host[3] = {{{1, 2, 3}, 7, {0.5f, 1}}, {{4, 5, 6}, 8, {1.5f, 2}}, {{7, 8, 9}, 9, {2.5f, 3}}};
    ash_array *all = ash_from_host(host, particle_dtype(), ASH_SHAPE(3));
    ash_array *x = ash_field(all, "x"), *id = ash_field(all, "id"), *s = ash_field(all, "s");
    CHECK_SHAPE(x, 3, 3); /* an inner array is a last axis */
    CHECK_FLOATS(x, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    CHECK_INTS(id, 7, 8, 9);
    CHECK(ash_dtype_of(s) == spin_dtype());
    CHECK_FLOATS(ash_field(s, "down"), 1, 2, 3);
    CHECK_OK(ash_fill(id, 0));
    CHECK_FLOATS(ash_sum(x, .axes = ASH_AXES(0), .drop = true), 12, 15, 18);
    CHECK_INTS(ash_field(all, "id"), 0, 0, 0);
    CHECK_TEXT_HERE(ash_copy(ash_slice(all, 0, 1)),
                    "ash.vector particle[1] cpu:0 [(x = [1.0 2.0 3.0], id = 0, s = (up = 0.5, down = 1.0))]");

    const weighted parts[2] = {{{1, 2, 3}, 4}, {{5, 6, 7}, 8}};
    ash_array *inner = ash_field(ash_from_host(parts, weighted_dtype(), ASH_SHAPE(2)), "p");
    CHECK(ash_byte_strides(inner)[0] == 16 && ash_strides(inner)[0] == -1);
    CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_strides: ", "16", "12");
    CHECK_FLOATS(ash_field(inner, "y"), 2, 6);

    CHECK(!ash_field(all, "mass"));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_field: particle has no field mass");
    CHECK(!ash_field(ash_f32(1), "x"));
    CHECK_ERROR_PARTS(ASH_ERR_DTYPE, "ash_field: ", "f32");
    CHECK(!ash_field(all, NULL));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_field: ");
}
static void field(void **state)
{
    (void)state;
    everywhere(fields, false);
}

/* ---- parents, lifetimes, 32 axes */

static void parents(void **state)
{
    (void)state;
    const int64_t live = ash_live_arrays();
    ash_array *v = six(), *m = ash_reshape(v, ASH_SHAPE(2, 3)), *row = ash_view(m, 1);
    CHECK(ash_parent(row) == m && ash_parent(m) == v && !ash_is_view(v));
    ash_array *flat = ash_parent(v); /* of an array that is no view: its whole buffer */
    CHECK_SHAPE(flat, 6);
    CHECK(ash_shares_memory(flat, v) && flat == ash_parent(v) && !ash_is_view(flat));
    ash_release(v);
    ash_release(m);
    CHECK_INTS(row, 3, 4, 5); /* a view keeps its buffer */
    CHECK_INTS(ash_parent(ash_parent(row)), 0, 1, 2, 3, 4, 5);
    ash_release(row);
    CHECK(ash_live_arrays() == live);

    float memory[12] = {0};
    ash_array *lent = ash_wrap(&memory[2], ASH_F32, 6, ASH_SHAPE(2, 3));
    CHECK_SHAPE(ash_parent(lent), 6);
    CHECK(ash_map_host(ash_parent(lent)) == &memory[2]);
    CHECK_OK(ash_unmap_host(ash_parent(lent)));
    ash_release(lent);
    CHECK(ash_live_arrays() == live);
}

static void long_chain(void **state)
{
    (void)state;
    const int64_t live = ash_live_arrays();
    ash_array *v = ash_f32(1, 2, 3);
    for (int i = 0; i < 200000; i++) { /* a recursion this deep would overflow the stack */
        ash_array *next = ash_slice(v, ASH_OPEN, ASH_OPEN, .step = -1);
        ash_release(v);
        v = next;
    }
    CHECK_FLOATS(v, 1, 2, 3);
    ash_release(v);
    CHECK(ash_live_arrays() == live);
}

static void axes_32(void)
{
    int64_t shape[33], reversed[32];
    for (int k = 0; k < 32; k++) {
        shape[k] = k % 8 == 3 ? 2 : 1;
        reversed[k] = 31 - k;
    }
    ash_array *a = ash_reshape(counting(0, ASH_F32, ASH_SHAPE(16), ASH_ROW_MAJOR), ((ash_dims){shape, 32}));
    CHECK(ash_rank(a) == 32 && ash_size(a) == 16);
    ash_array *p = ash_permute(a, ((ash_axes){reversed, 32}));
    CHECK_FLOATS(ash_reshape(ash_contiguous(p), ASH_SHAPE(16)), 0, 8, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15);
    CHECK_FLOATS(ash_squeeze(ash_sum(ash_map("(x, y) -> x + y", a, a), .axes = ASH_AXES(3, 11, 19))), 112, 128);
    CHECK(!ash_insert_axis(a, 0));
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_insert_axis: ", "33", "32");
    char text[4096];
    CHECK(ash_format(text, sizeof text, a) < sizeof text);
}
static void rank_32(void **state)
{
    (void)state;
    everywhere(axes_32, false);
}

/* Views keep the storage, the device and the read-only flag of what they were made from. */
static void inherited(void)
{
    const float memory[4] = {1, 2, 3, 4};
    ash_array *lent = ash_wrap((void *)(uintptr_t)memory, ASH_F32, 4, ASH_SHAPE(2, 2), .readonly = true);
    CHECK(ash_is_readonly(lent) && ash_is_readonly(ash_transpose(lent)) && ash_is_readonly(ash_slice(lent, 0, 1)));
    CHECK(ash_fill(ash_transpose(lent), 0) == ASH_ERR_ARGUMENT);
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "read-only");
    CHECK(!ash_is_readonly(ash_copy(lent)) && !ash_is_readonly(ash_map("x -> x", lent)));
    ash_array *a = ash_zeros(ASH_SHAPE(2, 2)), *t = ash_transpose(a);
    CHECK(ash_storage_of(t) == here.storage && strcmp(ash_device_name(ash_device_of(t)), here.device) == 0);
    CHECK(ash_resources_of(t) == ash_resources_of(a) && ash_memory_of(t) == ash_memory_of(a));
}
static void inheritance(void **state)
{
    (void)state;
    everywhere(inherited, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(slice),
        TEST(view),
        TEST(reshape),
        TEST(transpose),
        TEST(adjoint),
        TEST(permute),
        TEST(insert_and_squeeze),
        TEST(broadcast),
        TEST(reinterpret),
        TEST(diagonal),
        TEST(field),
        TEST(parents),
        TEST(long_chain),
        TEST(rank_32),
        TEST(inheritance),
    };
    return cmocka_run_group_tests_name("views", tests, NULL, NULL);
}
