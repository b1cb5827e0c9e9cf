/*
 * adapt.c - arrays, trees and C structs brought to a target.
 *
 * Values and texts are written by hand. For views of every kind there is an identity: a view of an array, adapted, is that view
 * of the array, adapted; for dtypes another: there and back is what it was.
 */
#include <complex.h>

#include "core/alloc.h"
#include "test.h"

ASH_RECORD(point, (f64, x), (f64, y));
ASH_RECORD(body, (u8, tag), (point, at, 2), (c_f64, z), (f64, m, 3), (i16, n));
ASH_RECORD(single, (f64, x));
ASH_RECORD(plain, (i32, i), (f32, x), (bf16, b));

static const ash_target narrow = ASH_TARGET(.rule = ASH_F64_TO_F32);
static const ash_target moved = ASH_TARGET(.device = "cpu:0?f64=off", .rule = ASH_F64_TO_F32);

static void check_tree(const ash_tree *t, const char *want, const char *file, int line)
{
    char text[4096];
    ash_tree_format(text, sizeof text, t);
    if (strcmp(text, want) != 0)
        fail_here(file, line, "text\n  got  %s\n  want %s", text, want);
}
#define CHECK_TREE(t, text) check_tree(t, text, __FILE__, __LINE__)

/* ---- A44 -------------------------------------------------------------------------------------------------------------------
 */

static ash_tree *a44_record(void)
{
    ash_tree *t = ash_tree_new();
    ash_tree_put(t, "w", ash_f64(1, 2));
    ash_tree_put(t, "idx", ash_i64(0, 1));
    ash_tree_put(t, "n", 5);
    ash_tree_put(t, "name", "a");
    ash_tree_put(t, "v", ash_slice(ash_f64(1, 2, 3), 1, 3));
    ash_tree_put(t, "z", ash_c_f64(1 + 2 * I));
    return t;
}
static void a44_floats_only(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_tree *t = a44_record();
    const char *before = "(w = ash.vector f64[2] cpu:0 [1.0 2.0], idx = ash.vector i64[2] cpu:0 [0 1], n = 5, name = \"a\", "
                         "v = ash.vector f64[2] cpu:0 view [2.0 3.0], z = ash.vector c_f64[1] cpu:0 [1.0+2.0i])";
    CHECK_TREE(ash_tree_adapt(t, .device = "cpu:0?f64=off", .rule = ASH_F64_TO_F32),
               "(w = ash.vector f32[2] cpu:0?f64=off [1.0 2.0], idx = ash.vector i64[2] cpu:0?f64=off [0 1], n = 5, "
               "name = \"a\", v = ash.vector f32[2] cpu:0?f64=off view [2.0 3.0], "
               "z = ash.vector c_f32[1] cpu:0?f64=off [1.0+2.0i])");
    CHECK(!ash_tree_adapt(t, .device = "cpu:0?f64=off"));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_tree_adapt: w: cpu:0?f64=off does not support f64 values; use f32");
    CHECK(ash_tree_adapt(t, .device = "cpu:0") == t);
    CHECK_TREE(ash_tree_adapt(t, .floats = ASH_F16),
               "(w = ash.vector f16[2] cpu:0 [1.0 2.0], idx = ash.vector i64[2] cpu:0 [0 1], n = 5, name = \"a\", "
               "v = ash.vector f16[2] cpu:0 view [2.0 3.0], z = ash.vector c_f16[1] cpu:0 [1.0+2.0i])");
    CHECK(!ash_tree_adapt(t, .dtype = ASH_F16)); /* a number with an imaginary part is no f16 */
    CHECK_ERROR(ASH_ERR_VALUE, "ash_tree_adapt: z: element 0, 1.0+2.0i, is not a real number");
    CHECK_OK(ash_tree_put(t, "z", 0));
    CHECK_TREE(ash_tree_adapt(t, .dtype = ASH_F16),
               "(w = ash.vector f16[2] cpu:0 [1.0 2.0], idx = ash.vector f16[2] cpu:0 [0.0 1.0], n = 5, name = \"a\", "
               "v = ash.vector f16[2] cpu:0 view [2.0 3.0], z = 0)");
    t = a44_record();
    CHECK_TREE(ash_tree_adapt(t, .storage = ASH_PRIVATE),
               "(w = ash.vector f64[2] cpu:0 private [1.0 2.0], idx = ash.vector i64[2] cpu:0 private [0 1], n = 5, "
               "name = \"a\", v = ash.vector f64[2] cpu:0 private view [2.0 3.0], "
               "z = ash.vector c_f64[1] cpu:0 private [1.0+2.0i])");
    CHECK_TREE(t, before);
}

/* ---- views -----------------------------------------------------------------------------------------------------------------
 */

static ash_array *sliced(const ash_array *a)
{
    return ash_slice(a, 1, 3, .axes = ASH_AXES(1));
}
static ash_array *backwards(const ash_array *a)
{
    return ash_slice(a, ASH_OPEN, ASH_OPEN, .axes = ASH_AXES(-1), .step = -2);
}
static ash_array *turned(const ash_array *a)
{
    return ash_transpose(a);
}
static ash_array *conjugated(const ash_array *a)
{
    return ash_adjoint(a);
}
static ash_array *permuted(const ash_array *a)
{
    return ash_permute(a, ASH_AXES(1, 2, 0));
}
static ash_array *reshaped(const ash_array *a)
{
    return ash_reshape(a, ASH_SHAPE(4, ASH_INFER), .order = ash_layout_of(a));
}
static ash_array *longer(const ash_array *a)
{
    return ash_insert_axis(a, 1);
}
static ash_array *squeezed(const ash_array *a)
{
    return ash_squeeze(ash_slice(a, 1, 2));
}
static ash_array *repeated(const ash_array *a)
{
    return ash_broadcast_to(ash_slice(a, 0, 1), ash_dims_of(a));
}
static ash_array *diagonal(const ash_array *a)
{
    return ash_diagonal(a, .offset = 1, .axes = ASH_AXES(0, 2));
}
static ash_array *element(const ash_array *a)
{
    return ash_view(a, 1, -1, 2);
}
static ash_array *nothing(const ash_array *a)
{
    return ash_slice(a, 1, 1);
}
static ash_array *mixed(const ash_array *a)
{
    const ash_array *turned_back = ash_adjoint(ash_view(a, ASH_NEW_AXIS, ASH_RANGE(-1, ASH_OPEN, -1), ASH_ALL, 1));
    return ash_view(turned_back, 0, ASH_ALL, ASH_RANGE(0, 2));
}
static ash_array *far_down(const ash_array *a)
{
    ash_array *v = ash_slice(a, 0, ASH_OPEN);
    for (int i = 0; i < 40; i++)
        v = ash_transpose(v);
    return v;
}
static ash_array *(*const views[])(const ash_array *a) = {sliced,   backwards, turned,   conjugated, permuted,
                                                          reshaped, longer,    squeezed, repeated,   diagonal,
                                                          element,  nothing,   mixed,    far_down};

/* Wherever they are. */
static bool same_elements(const ash_array *a, const ash_array *b)
{
    const size_t nbytes = (size_t)ash_size(a) * ash_dtype_size(ash_dtype_of(a));
    char *const x = calloc(2, nbytes + 1), *const y = x + nbytes;
    CHECK_OK(ash_to_host(a, x, nbytes));
    CHECK_OK(ash_to_host(b, y, nbytes));
    const bool same = memcmp(x, y, nbytes) == 0;
    free(x);
    return same;
}

static void same_but_place(const ash_array *got, const ash_array *want)
{
    CHECK(got && want && ash_is_view(got) == ash_is_view(want) && ash_is_readonly(got) == ash_is_readonly(want));
    CHECK(ash_dtype_of(got) == ash_dtype_of(want) && ash_same_shape(got, want));
    for (int64_t k = 0; k < ash_rank(got); k++)
        CHECK(ash_strides(got)[k] == ash_strides(want)[k]);
    CHECK(same_elements(got, want));
    if (ash_is_view(got)) {
        CHECK(ash_same_shape(ash_parent(got), ash_parent(want)));
        CHECK((got == ash_parent(got)) == (want == ash_parent(want)));
    }
}

/* What a is on cpu:0, with that dtype. */
static void views_of(ash_dtype from, ash_dtype to)
{
    for
        EACH_LAYOUT(layout)
        {
            ash_array *a = counting(1, from, ASH_SHAPE(2, 4, 3), layout);
            if (ash_dtype_of(a) == ASH_C_F64)
                a = ash_map("x -> x*(1 + 2im)", a);
            CHECK_OK(ash_failed() ? ASH_ERR_INTERNAL : ASH_OK);
            ash_array *b = ash_convert(a, to);
            for (int i = 0; i < COUNT(views); i++) {
                ASH_SCOPE(one);
                ash_array *v = views[i](a);
                same_but_place(ash_adapt(v, .like = &narrow), views[i](b));
                same_but_place(ash_adapt(v, .dtype = to, .storage = ASH_PRIVATE),
                               views[i](ash_copy(b, .storage = ASH_PRIVATE)));
                CHECK(ash_adapt(v, .storage = here.storage) == v);
                ash_array *far = ash_adapt(v, .device = "cpu:0?f64=off", .like = &narrow);
                CHECK(far && ash_device_of(far) == ash_device_open("cpu:0?f64=off"));
                ash_array *near = ash_adapt(far, .device = "cpu:0");
                same_but_place(near, views[i](b));
                CHECK(ash_adapt(near, .like = &narrow) == near); /* idempotent */
            }
        }
}
static void views_of_all(void)
{
    views_of(ASH_F64, ASH_F32);
    views_of(ASH_C_F64, ASH_C_F32);
}
static void views_stay_views(void **state)
{
    (void)state;
    everywhere(views_of_all, true);
}

static void chains_have_their_parents(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *base = counting(0, ASH_F64, ASH_SHAPE(3, 4), ASH_ROW_MAJOR);
    ash_array *rows = ash_slice(base, 1, 3), *column = ash_view(rows, ASH_ALL, 2), *other = ash_transpose(base);
    ash_tree *t = ash_tree_new();
    ash_tree_put(t, "column", column);
    ash_tree_put(t, "other", other);
    ash_tree_put(t, "base", base);
    ash_tree *u = ash_tree_adapt(t, .like = &narrow);
    ash_array *c = ash_tree_get(u, "column"), *o = ash_tree_get(u, "other"), *b = ash_tree_get(u, "base");
    CHECK(ash_parent(ash_parent(c)) == b && ash_parent(o) == b && !ash_is_view(b));
    CHECK_SHAPE(ash_parent(c), 2, 4);
    CHECK_FLOATS(c, 6, 10);
    CHECK_OK(ash_fill(c, 0.0f)); /* the same memory */
    CHECK_FLOATS(b, 0, 1, 2, 3, 4, 5, 0, 7, 8, 9, 0, 11);
    CHECK_FLOATS(column, 6, 10);
    CHECK(ash_tree_adapt(u, .like = &narrow) == u);
}

static void very_long_chain(void **state)
{
    (void)state;
    ash_array *v = ash_f64(1, 2, 3, 4);
    for (int i = 0; i < 200000; i++) {
        ash_array *next = ash_slice(v, 0, ASH_OPEN);
        ash_release(v);
        v = next;
    }
    ash_array *b = ash_adapt(v, .like = &narrow);
    CHECK_FLOATS(b, 1, 2, 3, 4);
    ash_release(v);
    ash_release(b);
}

/* Views of views, chosen by a fixed sequence of numbers. */
static uint32_t sequence;
static int64_t below(int64_t n)
{
    sequence = sequence * 1664525U + 1013904223U;
    return (int64_t)(sequence >> 16) % n;
}
static ash_array *some_view(ash_array *a)
{
    const int64_t rank = ash_rank(a), axis = rank ? below(rank) : 0, n = rank ? ash_shape(a)[axis] : 1;
    int64_t axes[4] = {0, 1, 2, 3}, sizes[8] = {0};
    switch (below(9)) {
    case 0:
        return rank && n ? ash_slice(a, below(n), ASH_OPEN, .axes = ASH_AXES(axis), .step = 1 + below(3)) : a;
    case 1:
        return rank && n ? ash_slice(a, below(n), ASH_OPEN, .axes = ASH_AXES(axis), .step = -1 - below(3)) : a;
    case 2:
        return ash_adjoint(a);
    case 3:
        for (int64_t k = 0; k < rank; k++) {
            const int64_t other = below(rank), kept = axes[k];
            axes[k] = axes[other], axes[other] = kept;
        }
        return ash_permute(a, (ash_axes){axes, rank});
    case 4:
        return rank < 4 ? ash_insert_axis(a, below(rank + 1)) : a;
    case 5:
        return ash_squeeze(a);
    case 6:
        return rank > 1 ? ash_diagonal(a) : a;
    case 7:
        for (int64_t k = 0; k < rank; k++)
            sizes[k] = ash_shape(a)[k] == 1 ? 1 + below(3) : ash_shape(a)[k];
        return ash_broadcast_to(a, (ash_dims){sizes, rank});
    default: {
        ash_array *flat = ash_reshape(a, ASH_SHAPE(ASH_INFER), .order = (ash_layout)(1 + below(2)));
        ash_error_clear(); /* not every array can be seen so */
        return flat ? flat : a;
    }
    }
}
static void views_of_views(void **state)
{
    (void)state;
    for (int i = 0; i < 3000; i++) {
        ASH_SCOPE(scope);
        sequence = (uint32_t)i;
        const bool is_complex = below(2);
        ash_array *base = counting(1, ASH_F64, ASH_SHAPE(2 + below(3), 1 + below(4), 1 + below(3)), (ash_layout)(1 + below(2)));
        base = is_complex ? ash_map("x -> x + 1im*x^2", base) : base;
        ash_array *v = base;
        for (int64_t depth = 1 + below(6); depth > 0; depth--)
            v = some_view(v);
        ash_array *b = ash_adapt(v, .like = &moved), *far = b;
        NO_ERROR();
        CHECK(ash_equal(ash_adapt(b, .device = "cpu:0"), ash_convert(v, is_complex ? ASH_C_F32 : ASH_F32)));
        CHECK(ash_is_view(b) == ash_is_view(v) && ash_is_readonly(b) == ash_is_readonly(v));
        for (int64_t k = 0; k < ash_rank(b); k++)
            CHECK(ash_strides(b)[k] == ash_strides(v)[k]);
        for (; ash_is_view(v); v = ash_parent(v), far = ash_parent(far))
            CHECK(ash_is_view(far) && ash_same_shape(far, v));
        CHECK(!ash_is_view(far) && ash_layout_of(far) == ash_layout_of(v));
    }
}

/* Elements with gaps between, steps back, and axes in an order of their own. */
static void foreign_memory(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    double data[60];
    for (int i = 0; i < 60; i++)
        data[i] = i;
    static const int64_t steps[][3] = {{20, 5, 1}, {1, 20, 4}, {4, 1, 20}, {-20, 4, 1}, {20, -4, -1}, {-1, 20, 5}};
    for (int i = 0; i < COUNT(steps); i++) {
        ASH_SCOPE(one);
        const int64_t *s = steps[i];
        const int64_t low = (s[0] < 0 ? 2 * s[0] : 0) + (s[1] < 0 ? 2 * s[1] : 0) + (s[2] < 0 ? 2 * s[2] : 0);
        ash_array *a = ash_wrap(data - low, ASH_F64, 27, ASH_SHAPE(3, 3, 3), .strides = ((ash_dims){s, 3}), .readonly = true);
        ash_array *b = ash_adapt(a, .like = &narrow);
        CHECK(b && !ash_is_view(b) && !ash_is_readonly(b) && ash_nbytes(ash_parent(b)) == 27 * 4); /* no gap, no step back */
        CHECK(ash_equal(b, ash_convert(a, ASH_F32)));
        for (int k = 0; k < 3; k++)
            for (int j = 0; j < 3; j++)
                CHECK((llabs(s[k]) < llabs(s[j])) == (ash_strides(b)[k] < ash_strides(b)[j]));
        for (int n = 0; n < COUNT(views); n++) {
            if (views[n] == reshaped || views[n] == element || views[n] == mixed) /* of that shape only */
                continue;
            ash_array *v = ash_adapt(views[n](a), .like = &narrow);
            CHECK(ash_equal(v, ash_convert(views[n](a), ASH_F32)));
            CHECK(ash_is_view(v) && ash_is_readonly(v) == (views[n] == repeated));
        }
    }
}

/* ---- records ---------------------------------------------------------------------------------------------------------------
 */

static const body bodies[2] = {
    {1, {{1, 2}, {3, 4}}, {5, 6}, {7, 8, 9}, 10},
    {2, {{-1, -2}, {-3, -4}}, {-5, -6}, {-7, -8, -9}, -10},
};
static const char bodies_text[] =
    "(tag = 1, at = [(x = 1.0, y = 2.0) (x = 3.0, y = 4.0)], z = 5.0+6.0i, m = [7.0 8.0 9.0], n = 10)";

static void check_bodies(const ash_array *b)
{
    char text[512];
    CHECK(ash_format(text, sizeof text, b) > 0 && strstr(text, bodies_text));
    CHECK_FLOATS(ash_field(ash_field(b, "at"), "y"), 2, 4, -2, -4);
    CHECK_FLOATS(ash_field(b, "m"), 7, 8, 9, -7, -8, -9);
    CHECK_INTS(ash_field(b, "n"), 10, -10);
}

static void records_field_by_field(void)
{
    ash_array *a = ash_from_host(bodies, body_dtype(), ASH_SHAPE(2)), *b = ash_adapt(a, .like = &narrow);
    const ash_dtype dtype = ash_dtype_of(b);
    ash_field_info field;
    check_bodies(a);
    check_bodies(b);
    CHECK(strcmp(ash_dtype_name(dtype), "body") == 0 && dtype != body_dtype());
    static const struct {
        const char *name;
        size_t offset;
        int64_t count;
    } want[] = {{"tag", 0, 1}, {"at", 4, 2}, {"z", 20, 1}, {"m", 28, 3}, {"n", 40, 1}}; /* as a C compiler lays it out */
    CHECK(ash_dtype_size(dtype) == 44 && ash_dtype_field_count(dtype) == COUNT(want));
    for (int i = 0; i < COUNT(want); i++)
        CHECK(ash_dtype_field(dtype, i, &field) && strcmp(field.name, want[i].name) == 0 && field.offset == want[i].offset &&
              field.count == want[i].count);
    CHECK(ash_adapt(b, .like = &narrow) == b);
    CHECK(ash_dtype_of(ash_adapt(a, .like = &narrow)) == dtype);
    CHECK_TEXT(ash_adapt(ash_from_host(((single[]){{0.1}}), single_dtype(), ASH_SHAPE(1)), .device = "cpu:0",
                         .storage = ASH_SHARED, .floats = ASH_F16),
               "ash.vector single[1] cpu:0 [(x = 0.1)]");
    check_bodies(ash_adapt(b, .floats = ASH_F64));
    CHECK(ash_dtype_of(ash_adapt(b, .floats = ASH_F64)) == body_dtype()); /* there and back */

    ash_array *p = ash_zeros(ASH_SHAPE(2), .dtype = plain_dtype());
    CHECK(ash_adapt(p, .like = &narrow) == p);
    CHECK(ash_dtype_size(ash_dtype_of(ash_adapt(p, .bf16 = true, .like = &narrow))) == 12);
    CHECK(!ash_adapt(p, .dtype = ASH_F32));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_adapt: plain does not convert to f32");
    CHECK(!ash_adapt(a, .device = "cpu:0?f64=off"));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_adapt: cpu:0?f64=off does not support f64 values; use f32 (in body.at.x)");
}
static void records(void **state)
{
    (void)state;
    everywhere(records_field_by_field, true);
}

static void fields_stay_views(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *a = ash_from_host(bodies, body_dtype(), ASH_SHAPE(2)), *b;
    b = ash_adapt(ash_field(a, "m"), .like = &narrow);
    CHECK_TEXT(b, "ash.matrix f32[2×3] strided cpu:0 view\n [[ 7.0  8.0  9.0]\n  [-7.0 -8.0 -9.0]]");
    CHECK(ash_byte_strides(b)[0] == 44 && ash_byte_strides(b)[1] == 4 && ash_dtype_size(ash_dtype_of(ash_parent(b))) == 44);
    b = ash_adapt(ash_field(ash_field(ash_slice(a, 1, 2), "at"), "y"), .like = &moved);
    CHECK_TEXT(b, "ash.matrix f32[1×2] strided cpu:0?f64=off view [[-2.0 -4.0]]");
    CHECK(strcmp(ash_dtype_name(ash_dtype_of(ash_parent(ash_parent(ash_parent(b))))), "body") == 0);
    b = ash_adapt(ash_slice(ash_field(a, "tag"), ASH_OPEN, ASH_OPEN, .step = -1), .like = &narrow);
    CHECK(ash_is_view(b) && ash_byte_strides(b)[0] == -44);
    CHECK_INTS(b, 2, 1);
    b = ash_adapt(ash_field(a, "m"), .dtype = ASH_F32); /* the record itself has no such dtype */
    CHECK_TEXT(b, "ash.matrix f32[2×3] row-major cpu:0\n [[ 7.0  8.0  9.0]\n  [-7.0 -8.0 -9.0]]");

    ash_array *z = ash_c_f64(1 + 2 * I, 3 + 4 * I), *parts = ash_reinterpret(z, ASH_F64, .add_axis = true);
    b = ash_adapt(parts, .like = &narrow);
    CHECK_TEXT(b, "ash.matrix f32[2×2] row-major cpu:0 view\n [[1.0 2.0]\n  [3.0 4.0]]");
    CHECK(ash_dtype_of(ash_parent(b)) == ASH_C_F32);
    CHECK_FLOATS(ash_adapt(ash_view(parts, ASH_ALL, 1), .like = &narrow), 2, 4);
}

ASH_RECORD(gap, (i32, a), (f64, m), (i32, b)); /* 24 bytes; in f32 12 */
ASH_RECORD(bytes, (f64, m), (u8, b, 8));

static void views_across_fields(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    static const gap gaps[2] = {{.a = 1, .m = 2, .b = 3}, {.a = 4, .m = 5, .b = 6}};
    ash_array *a = ash_from_host(gaps, gap_dtype(), ASH_SHAPE(2)), *words = ash_reinterpret(a, ASH_I64, .add_axis = true);
    ash_array *firsts = ash_view(words, ASH_ALL, 0); /* a, and the gap behind it */
    ash_array *b = ash_adapt(firsts, .like = &narrow);
    CHECK(!ash_is_view(ash_parent(b)) && ash_dtype_of(ash_parent(b)) == ASH_I64);
    CHECK(ash_equal(b, firsts) && ash_equal(ash_parent(b), words));
    static const bytes some[2] = {{1, {1, 0, 0, 0, 0, 0, 0, 0}}, {2, {0, 1, 0, 0, 0, 0, 0, 0}}};
    ash_array *field = ash_field(ash_from_host(some, bytes_dtype(), ASH_SHAPE(2)), "b");
    b = ash_adapt(ash_reinterpret(field, ASH_U64), .like = &narrow); /* all within the field: 12 bytes from one to the next */
    CHECK_INTS(b, 1, 256);
    CHECK(ash_is_view(b) && ash_byte_strides(b)[0] == 12 && ash_is_view(ash_parent(b)));
}

/* Windows over a vector: elements of the base overlap, so views of it are arrays of their own. */
static void overlapping_memory(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    double data[] = {1, 2, 3, 4, 5, 6};
    ash_array *a = ash_wrap(data, ASH_F64, 12, ASH_SHAPE(4, 3), .strides = ASH_SHAPE(1, 1), .readonly = true);
    NO_ERROR();
    CHECK_FLOATS(ash_adapt(a, .like = &narrow), 1, 2, 3, 2, 3, 4, 3, 4, 5, 4, 5, 6);
    CHECK_FLOATS(ash_adapt(ash_transpose(a), .like = &narrow), 1, 2, 3, 4, 2, 3, 4, 5, 3, 4, 5, 6);
    CHECK_FLOATS(ash_adapt(ash_slice(a, 1, 3), .like = &narrow), 2, 3, 4, 3, 4, 5);
    CHECK_FLOATS(ash_adapt(ash_diagonal(a), .like = &narrow), 1, 3, 5);
}

static void bytes_seen_as_something_else(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *whole = ash_i64(INT64_C(0x3ff0000000000000), INT64_C(0x4000000000000000)); /* 1.0 and 2.0 */
    ash_array *b = ash_adapt(ash_reinterpret(whole, ASH_F64), .like = &narrow);
    CHECK_TEXT(b, "ash.vector f32[2] cpu:0 [1.0 2.0]"); /* an array of its own */
    b = ash_adapt(ash_slice(ash_reinterpret(whole, ASH_F64), 1, 2), .like = &narrow);
    CHECK_TEXT(b, "ash.vector f32[1] cpu:0 view [2.0]");
    CHECK_TEXT(ash_parent(b), "ash.vector f32[2] cpu:0 [1.0 2.0]");
    b = ash_adapt(ash_reinterpret(whole, ASH_U8), .device = "cpu:0?f64=off"); /* no byte changes */
    CHECK(ash_is_view(b) && ash_size(b) == 16 && ash_dtype_of(ash_parent(b)) == ASH_I64);
    b = ash_adapt(ash_reinterpret(ash_f64(1), ASH_U8), .like = &narrow);
    CHECK(!ash_is_view(b));
    CHECK_INTS(b, 0, 0, 0, 0, 0, 0, 0xf0, 0x3f);
    ash_array *pairs = ash_reinterpret(ash_f64(1, 2, 3, 4), ASH_C_F64);
    CHECK_TEXT(ash_adapt(pairs, .like = &narrow), "ash.vector c_f32[2] cpu:0 [1.0+2.0i 3.0+4.0i]");
}

/* ---- dtypes ----------------------------------------------------------------------------------------------------------------
 */

static ash_dtype narrowed(ash_dtype d)
{
    return d == ASH_F64 ? ASH_F32 : d == ASH_C_F64 ? ASH_C_F32 : d;
}
static ash_dtype halved(ash_dtype d)
{
    return d >= ASH_F16 && d <= ASH_F64 ? ASH_F16 : d >= ASH_C_F16 && d <= ASH_C_F64 ? ASH_C_F16 : d;
}

static void every_dtype(void)
{
    for
        EACH_DTYPE(dtype, ASH_BOOL, ASH_C_F64)
        {
            ASH_SCOPE(one);
            ash_array *a = ash_ones(ASH_SHAPE(2, 3), .dtype = dtype), *b = ash_adapt(a, .like = &narrow);
            CHECK(ash_dtype_of(b) == narrowed(dtype) && (b == a) == (narrowed(dtype) == dtype));
            CHECK(ash_equal(a, b) && ash_storage_of(b) == here.storage);
            b = ash_adapt(a, .floats = ASH_F16);
            CHECK(ash_dtype_of(b) == halved(dtype) && (b == a) == (halved(dtype) == dtype));
            b = ash_adapt(b, .dtype = dtype);
            CHECK(ash_dtype_of(b) == dtype && ash_equal(a, b));
            CHECK(ash_dtype_of(ash_adapt(a, .dtype = ASH_C_F32)) == ASH_C_F32);
            const ash_dtype wide = dtype == ASH_BF16 ? ASH_F32 : dtype == ASH_C_BF16 ? ASH_C_F32 : narrowed(dtype);
            CHECK(ash_dtype_of(ash_adapt(a, .bf16 = true, .like = &narrow)) == wide);
            CHECK_SHAPE(ash_adapt(ash_empty(ASH_SHAPE(0, 3), .dtype = dtype), .floats = ASH_F16), 0, 3);
            CHECK_SCALAR(ash_adapt(ash_ones(ASH_SHAPE(), .dtype = dtype), .floats = ASH_F16));
        }
}
static void dtypes(void **state)
{
    (void)state;
    everywhere(every_dtype, true);
}

static void values_that_do_not_fit(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *large = ash_f64(1, 1e300, INFINITY, NAN), *fine = ash_f64(INFINITY, -INFINITY, NAN, 1e-300);
    CHECK(!ash_adapt(large, .like = &narrow));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_adapt: element 1, 1e300, does not fit f32");
    CHECK_FLOATS(ash_adapt(fine, .like = &narrow), INFINITY, -INFINITY, NAN, 0);
    CHECK(!ash_adapt(ash_slice(large, 2, 4), .like = &narrow)); /* the parent moves as a whole */
    CHECK_ERROR(ASH_ERR_VALUE, "ash_adapt: its parent: element 1, 1e300, does not fit f32");
    body one = bodies[0];
    one.at[1].y = -1e300;
    CHECK(!ash_adapt(ash_from_host(&one, body_dtype(), ASH_SHAPE(1)), .like = &narrow));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_adapt: at.y: element (0, 1), -1e300, does not fit f32");
    CHECK(!ash_adapt(ash_f32(-1), .dtype = ASH_U8));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_adapt: element 0, -1.0, does not fit u8");
    CHECK_INTS(ash_adapt(ash_f32(1.75, -1.75), .dtype = ASH_I8), 1, -1);
}

/* The bytes of what goes in are the same afterwards, whatever it is. */
static void a40_inputs_stay(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    static const double _Complex values[6] = {1 + 2 * I, 3, -1 * I, 5 - 1 * I, 1e39, 0.1 * I};
    double _Complex lent[6];
    memcpy(lent, values, sizeof lent);
    ash_array *a = ash_wrap(lent, ASH_C_F64, 6, ASH_SHAPE(2, 3), .readonly = true), *v = ash_adjoint(ash_slice(a, 0, 1));
    ash_array *own = ash_from_host(values, ASH_C_F64, ASH_SHAPE(2, 3), .layout = ASH_COL_MAJOR);
    ash_array *const inputs[] = {a, v, own, ash_transpose(own)};
    for (int i = 0; i < COUNT(inputs); i++) {
        CHECK(!ash_adapt(inputs[i], .like = &narrow)); /* 1e39 */
        ash_error_clear();
        CHECK(!ash_adapt(inputs[i], .dtype = ASH_F64));
        ash_error_clear();
        CHECK(ash_adapt(inputs[i], .storage = ASH_PRIVATE) && ash_adapt(inputs[i], .dtype = ASH_C_F64) == inputs[i]);
    }
    CHECK(memcmp(lent, values, sizeof lent) == 0);
    CHECK(ash_equal(a, own, .identical = true) && ash_equal(v, ash_adjoint(ash_slice(own, 0, 1))));
    CHECK(ash_is_readonly(a) && !ash_is_readonly(ash_adapt(a, .storage = ASH_PRIVATE)));
}

/* ---- targets ---------------------------------------------------------------------------------------------------------------
 */

static void what_is_given_wins(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_resources *r = ash_resources_new("cpu:0"), *weak = ash_resources_new("cpu:0?f64=off");
    const ash_target far = ASH_TARGET(.device = "cpu:0?f64=off", .storage = ASH_PRIVATE, .like = &narrow);
    const ash_target further = ASH_TARGET(.storage = ASH_SHARED, .like = &far);
    ash_array *a = ash_f64(1, 2);
    CHECK_TEXT(ash_adapt(a, .like = &far), "ash.vector f32[2] cpu:0?f64=off private [1.0 2.0]");
    CHECK_TEXT(ash_adapt(a, .like = &further), "ash.vector f32[2] cpu:0?f64=off [1.0 2.0]");
    CHECK_TEXT(ash_adapt(a, .device = "cpu:0", .like = &further), "ash.vector f32[2] cpu:0 [1.0 2.0]");
    CHECK_TEXT(ash_adapt(a, .resources = r, .like = &further), "ash.vector f32[2] cpu:0 [1.0 2.0]");
    CHECK_TEXT(ash_adapt(a, .dtype = ASH_I8, .like = &further), "ash.vector i8[2] cpu:0?f64=off [1 2]");
    CHECK_TEXT(ash_adapt(a, .floats = ASH_BF16, .like = &further), "ash.vector bf16[2] cpu:0?f64=off [1.0 2.0]");
    CHECK(ash_adapt(a, .resources = r) == a && ash_adapt_opt(a, NULL) == a);
    CHECK(ash_resources_of(ash_adapt(a, .resources = weak, .rule = ASH_F64_TO_F32)) == weak);
    CHECK_TEXT(ash_adapt(a, .resources = weak, .device = "cpu:0?f64=off", .like = &narrow),
               "ash.vector f32[2] cpu:0?f64=off [1.0 2.0]");
    ash_array *huge = ash_adapt(a, .memory = ash_memory_malloc());
    CHECK(huge != a && ash_memory_of(huge) == ash_memory_malloc() && ash_adapt(huge, .memory = ash_memory_malloc()) == huge);
    CHECK(ash_memory_of(ash_adapt(huge, .like = &narrow)) == ash_memory_malloc());
    ash_resources_release(r);
    ash_resources_release(weak);
}

static void targets_that_cannot_be(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *a = ash_f32(1), *gone = ash_f32(2), *view = ash_slice(gone, 0, 1);
    ash_resources *weak = ash_resources_new("cpu:0?f64=off");
    ash_target circle = ASH_TARGET(.storage = ASH_PRIVATE);
    circle.like = &circle;
    CHECK(!ash_adapt(a, .dtype = ASH_F16, .rule = ASH_F64_TO_F32));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_adapt: .dtype and .rule are both given; they exclude each other");
    CHECK(!ash_adapt(a, .floats = ASH_F16, .dtype = ASH_F16));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_adapt: .dtype and .floats are both given; they exclude each other");
    CHECK(!ash_adapt(a, .floats = ASH_I32));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_adapt: .floats is i32; it must be f16, bf16, f32 or f64");
    CHECK(!ash_adapt(a, .bf16 = true));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_adapt: .bf16 says what .rule does; give both");
    CHECK(!ash_adapt(a, .rule = (ash_rule)7));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_adapt: unknown rule 7; there is ASH_F64_TO_F32");
    CHECK(!ash_adapt(a, .dtype = (ash_dtype)200));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_adapt: unsupported dtype 200");
    CHECK(!ash_adapt(a, .storage = (ash_storage)9));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_adapt: unknown storage 9; expected ASH_SHARED or ASH_PRIVATE");
    CHECK(!ash_adapt(a, .like = &circle));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_adapt: more than 16 targets take from each other by .like");
    CHECK(!ash_adapt(a, .device = "cpu:0", .resources = weak));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_adapt: .device is cpu:0 and .resources are on cpu:0?f64=off");
    CHECK(!ash_adapt(a, .device = "nowhere:3"));
    CHECK_ERROR_PARTS(ASH_ERR_DEVICE, "ash_adapt: ", "nowhere:3");
    CHECK(!ash_adapt(NULL, .storage = ASH_PRIVATE));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_adapt: a is NULL");
    CHECK(!ash_adapt_opt(a, &(ash_target){.storage = ASH_PRIVATE}));
    CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_adapt: struct_size is 0");
    CHECK_OK(ash_discard(gone));
    CHECK(!ash_adapt(gone, .storage = ASH_PRIVATE));
    CHECK_ERROR_PARTS(ASH_ERR_RELEASED, "ash_adapt: a was discarded");
    CHECK(ash_adapt(view, .like = &narrow) == view);
    CHECK_TEXT(ash_adapt(view, .dtype = ASH_F64), "ash.vector f64[1] cpu:0 [2.0]"); /* its parent cannot move with it */
    CHECK(!ash_tree_adapt(NULL, .storage = ASH_PRIVATE));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_tree_adapt: t is NULL");
    ash_resources_release(weak);

    CHECK(!ash_ones(ASH_SHAPE(-1))); /* an older error stays what it is */
    CHECK(!ash_adapt(ash_f64(1e300), .like = &narrow));
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_ones: ");
    ash_tree *t = ash_tree_new();
    ash_tree_put(t, "a", ash_f64(1e300));
    CHECK(!ash_ones(ASH_SHAPE(-1)) && !ash_tree_adapt(t, .like = &narrow));
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_ones: ");
}

/* ---- trees -----------------------------------------------------------------------------------------------------------------
 */

static void shared_leaves(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *a = ash_f64(1, 2);
    ash_tree *t = ash_tree_new(), *layer = ash_tree_new(), *fixed = ash_tree_new(), *list = ash_tree_new();
    ash_tree_put(layer, "w", a);
    ash_tree_put(fixed, "i", ash_i32(1));
    ash_tree_push(list, a);
    ash_tree_push(list, ash_transpose(a));
    ash_tree_put(t, "one", layer);
    ash_tree_put(t, "two", layer);
    ash_tree_put(t, "fixed", fixed);
    ash_tree_put(t, "list", list);
    const int64_t live = ash_live_arrays();
    ash_tree *u = ash_tree_adapt(t, .like = &narrow);
    CHECK(ash_live_arrays() == live + 2);
    CHECK(ash_tree_get(u, "one.w") == ash_tree_get(u, "list.0") &&
          ash_parent(ash_tree_get(u, "list.1")) == ash_tree_get(u, "one.w"));
    CHECK(ash_tree_child(u, "one") == ash_tree_child(u, "two") && ash_tree_child(u, "fixed") == fixed);
    CHECK(ash_tree_get(t, "one.w") == a && ash_tree_adapt(u, .like = &narrow) == u);
}

static void one_tree_in_many_places(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_tree *t = ash_tree_new();
    ash_tree_push(t, ash_f64(1));
    for (int i = 0; i < 60; i++) {
        ash_tree *both = ash_tree_new();
        ash_tree_push(both, t);
        ash_tree_push(both, t);
        t = both;
    }
    ash_tree *u = ash_tree_adapt(t, .like = &narrow);
    CHECK(ash_tree_arrays(u) == INT64_C(1) << 60 && ash_tree_at(u, 0) == ash_tree_at(u, 1));
}

static void all_or_nothing(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_tree *t = ash_tree_new(), *layers = ash_tree_new(), *layer = ash_tree_new();
    ash_tree_put(layer, "w", ash_f64(1));
    ash_tree_put(layer, "b", ash_slice(ash_f64(1, 1e39, 2), 2, 3));
    ash_tree_push(layers, ash_f64(3));
    ash_tree_push(layers, layer);
    ash_tree_put(t, "layers", layers);
    const int64_t live = ash_live_arrays();
    CHECK(!ash_tree_adapt(t, .like = &narrow));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_tree_adapt: layers.1.b: its parent: element 1, 1e39, does not fit f32");
    CHECK(ash_live_arrays() == live);
    CHECK_OK(ash_discard(ash_tree_get(t, "layers.0")));
    CHECK(!ash_tree_adapt(t, .like = &narrow));
    CHECK_ERROR_PARTS(ASH_ERR_RELEASED, "ash_tree_adapt: layers.0: a was discarded");
}

static void scalars(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_tree *t = ash_tree_new();
    ash_tree_push(t, 0.1);
    ash_tree_push(t, 1.0 + 2.0 * I);
    ash_tree_push(t, 7);
    ash_tree_push(t, (bool)true);
    ash_tree_push(t, UINT64_MAX);
    ash_operand x;
    CHECK(ash_tree_adapt(t, .like = &narrow) == t);
    ash_tree *u = ash_tree_adapt(t, .scalars = true, .like = &narrow);
    CHECK_TREE(u, "(0.1, 1.0+2.0i, 7, true, 18446744073709551615)");
    CHECK(ash_tree_get_f64(u, "0") == (double)0.1f);
    CHECK_OK(ash_tree_get_scalar(u, "1", &x));
    CHECK(x.dtype == ASH_C_F32 && ash_tree_at(u, 2) == ash_tree_at(t, 2));
    CHECK(!ash_tree_adapt(t, .scalars = true, .dtype = ASH_F32)); /* 1 + 2i */
    CHECK_ERROR(ASH_ERR_VALUE, "ash_tree_adapt: 1: value 1.0+2.0i is not a real number");
    t = ash_tree_new();
    ash_tree_push(t, 2.5);
    ash_tree_push(t, 7);
    ash_tree_push(t, UINT64_MAX);
    CHECK_TREE(ash_tree_adapt(t, .scalars = true, .dtype = ASH_U64), "(2, 7, 18446744073709551615)");
    CHECK_TREE(ash_tree_adapt(t, .scalars = true, .dtype = ASH_C_F64), "(2.5+0.0i, 7.0+0.0i, 1.8446744073709552e19+0.0i)");
    ash_tree_push(t, 1e39);
    CHECK(!ash_tree_adapt(t, .scalars = true, .like = &narrow));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_tree_adapt: 3: value 1e39 does not fit f32");
}

/* ---- a function over a tree */

static ash_array *twice(const ash_array *a, void *context)
{
    ++*(int *)context;
    ash_array *temporary = ash_map("x -> 2*x", a);
    return ash_map("x -> x + 0", temporary);
}
static ash_array *itself(const ash_array *a, void *context)
{
    ++*(int *)context;
    return ash_tree_get(ash_tree_new(), "nowhere") ? NULL : (ash_error_clear(), ash_share(a));
}
static ash_array *refuse_integers(const ash_array *a, void *context)
{
    (void)context;
    return ash_dtype_of(a) == ASH_I32 ? NULL : ash_share(a);
}
static ash_array *fail_at_integers(const ash_array *a, void *context)
{
    (void)context;
    return ash_dtype_of(a) == ASH_I32 ? ash_reshape(a, ASH_SHAPE(7)) : ash_share(a);
}

static void mapped(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *a = ash_f64(1, 2);
    ash_tree *t = ash_tree_new(), *list = ash_tree_new();
    ash_tree_push(list, a);
    ash_tree_push(list, ash_i32(5));
    ash_tree_put(t, "a", a);
    ash_tree_put(t, "n", 3);
    ash_tree_put(t, "list", list);
    int calls = 0;
    const int64_t live = ash_live_arrays();
    ash_tree *u = ash_tree_map(t, twice, &calls);
    CHECK_TREE(u, "(a = ash.vector f64[2] cpu:0 [2.0 4.0], n = 3, list = (ash.vector f64[2] cpu:0 [2.0 4.0], "
                  "ash.vector i32[1] cpu:0 [10]))");
    CHECK(calls == 2 && ash_live_arrays() == live + 2 && ash_tree_get(u, "a") == ash_tree_get(u, "list.0"));
    CHECK(ash_tree_map(t, itself, &calls) == t && calls == 4);
    CHECK(!ash_tree_map(t, refuse_integers, NULL));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_tree_map: list.1: the function's result is NULL");
    CHECK(!ash_tree_map(t, fail_at_integers, NULL));
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_reshape: list.1: ");
    CHECK(!ash_tree_map(t, NULL, NULL) && !ash_tree_map(NULL, twice, &calls));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_tree_map: function is NULL");
    CHECK(ash_live_arrays() == live + 2);
}

/* ---- C structs -------------------------------------------------------------------------------------------------------------
 */

typedef struct layer {
    ash_array *weight, *bias[2];
    float rate;
} layer;
typedef struct model {
    int n;
    layer hidden[2];
    ash_array *index;
    const char *name;
} model;
static const ash_member layer_members[] = {ASH_ARRAY_MEMBER(layer, weight), ASH_ARRAY_MEMBER(layer, bias)};
static const ash_member model_members[] = {ASH_STRUCT_MEMBER(model, layer, hidden, layer_members),
                                           ASH_ARRAY_MEMBER(model, index)};
static const ash_struct_info model_info = ASH_STRUCT_INFO(model, model_members);

static model make_model(void)
{
    ash_array *w = ash_f64(1, 2);
    return (model){.n = 5,
                   .hidden = {{w, {ash_f64(3), NULL}, 0.5f}, {ash_transpose(w), {NULL, ash_f32(4)}, 0.25f}},
                   .index = ash_i64(0, 1),
                   .name = "m"};
}

static void structs(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    const model m = make_model();
    model out = {.n = -1};
    CHECK_OK(ash_adapt_struct(&out, &m, &model_info, .like = &narrow));
    CHECK(out.n == 5 && out.hidden[0].rate == 0.5f && out.hidden[1].rate == 0.25f && strcmp(out.name, "m") == 0);
    CHECK_TEXT(out.hidden[0].weight, "ash.vector f32[2] cpu:0 [1.0 2.0]");
    CHECK_TEXT(out.hidden[1].weight, "ash.matrix f32[1×2] row-major cpu:0 view [[1.0 2.0]]");
    CHECK(ash_parent(out.hidden[1].weight) == out.hidden[0].weight && out.index == m.index);
    CHECK(out.hidden[1].bias[1] == m.hidden[1].bias[1] && !out.hidden[0].bias[1]);
    CHECK_FLOATS(out.hidden[0].bias[0], 3);
    CHECK(ash_dtype_of(m.hidden[0].weight) == ASH_F64);

    model same = m;
    CHECK_OK(ash_adapt_struct(&same, &same, &model_info, .storage = ASH_PRIVATE));
    CHECK(ash_storage_of(same.index) == ASH_PRIVATE && ash_storage_of(m.index) == ASH_SHARED);
}

static void structs_of_the_caller(void **state)
{
    (void)state;
    model m, out;
    {
        ASH_SCOPE(scope);
        m = make_model();
        const int64_t barrier = ash_scope_open_barrier();
        CHECK_OK(ash_adapt_struct(&out, &m, &model_info, .like = &narrow));
        ash_scope_close(barrier);
    }
    CHECK_FLOATS(out.hidden[1].weight, 1, 2);
    CHECK_INTS(out.index, 0, 1); /* the one of m, held once more */
    for (int i = 0; i < 2; i++) {
        ash_release(out.hidden[i].weight);
        ash_release(out.hidden[i].bias[0]);
        ash_release(out.hidden[i].bias[1]);
    }
    ash_release(out.index);
}

static void structs_that_cannot_be(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    model m = make_model(), out = {.n = -1};
    m.hidden[1].bias[0] = ash_f64(1e39);
    const int64_t live = ash_live_arrays();
    CHECK(ash_adapt_struct(&out, &m, &model_info, .like = &narrow) == ASH_ERR_VALUE);
    CHECK_ERROR(ASH_ERR_VALUE, "ash_adapt_struct: hidden[1].bias[0]: element 0, 1e39, does not fit f32");
    CHECK(out.n == -1 && !out.index && ash_live_arrays() == live);
    CHECK(ash_adapt_struct(&out, &m, &model_info, .device = "cpu:0?f64=off") == ASH_ERR_DTYPE);
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_adapt_struct: hidden[0].weight: cpu:0?f64=off does not support f64 values; use f32");
    m.index = ash_ones(ASH_SHAPE(-1));
    CHECK(ash_adapt_struct(&out, &m, &model_info, .storage = ASH_PRIVATE) == ASH_ERR_SHAPE); /* passed on */
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_ones: ");
    CHECK(ash_adapt_struct(NULL, &m, &model_info, .like = &narrow) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_adapt_struct: out is NULL");
    const ash_member outside[] = {{"x", ASH_MEMBER_ARRAYS, sizeof(model) - 4, 8, 8, NULL, 0}};
    const ash_struct_info wrong = ASH_STRUCT_INFO(model, outside);
    CHECK(ash_adapt_struct(&out, &m, &wrong, .like = &narrow) == ASH_ERR_ARGUMENT);
    CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_adapt_struct: member x, 8 bytes", "does not lie inside its struct");
    static const ash_member none[] = {{"x", (ash_member_kind)3, 0, 8, 8, NULL, 0}},
                            odd[] = {{"x", ASH_MEMBER_ARRAYS, 0, 8, 3, NULL, 0}},
                            empty[] = {{"x", ASH_MEMBER_STRUCTS, 0, 8, 8, NULL, 1}};
    static const struct {
        ash_struct_info info;
        const char *text;
    } faults[] = {
        {{8, none, 1}, "ash_adapt_struct: member x is neither arrays nor structs"},
        {{8, odd, 1}, "ash_adapt_struct: member x of 8 bytes is no list of elements of 3"},
        {{8, empty, 1}, "ash_adapt_struct: member x has no list of members"},
        {{8, NULL, 1}, "ash_adapt_struct: info->member is NULL"},
    };
    for (int i = 0; i < COUNT(faults); i++) {
        CHECK(ash_adapt_struct(&out, &m, &faults[i].info, .like = &narrow) == ASH_ERR_ARGUMENT);
        CHECK_ERROR(ASH_ERR_ARGUMENT, faults[i].text);
    }
    ash_member endless[] = {{"s", ASH_MEMBER_STRUCTS, 0, 8, 8, NULL, 1}};
    endless[0].inner = endless;
    const ash_struct_info circle = {8, endless, 1};
    CHECK(ash_adapt_struct(&out, &m, &circle, .like = &narrow) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_adapt_struct: structs nest more than 64 deep");
    CHECK(out.n == -1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a44_floats_only),
        TEST(views_stay_views),
        TEST(chains_have_their_parents),
        TEST(very_long_chain),
        TEST(views_of_views),
        TEST(foreign_memory),
        TEST(records),
        TEST(fields_stay_views),
        TEST(views_across_fields),
        TEST(overlapping_memory),
        TEST(bytes_seen_as_something_else),
        TEST(dtypes),
        TEST(values_that_do_not_fit),
        TEST(a40_inputs_stay),
        TEST(what_is_given_wins),
        TEST(targets_that_cannot_be),
        TEST(shared_leaves),
        TEST(one_tree_in_many_places),
        TEST(all_or_nothing),
        TEST(scalars),
        TEST(mapped),
        TEST(structs),
        TEST(structs_of_the_caller),
        TEST(structs_that_cannot_be),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
