/*
 * map.c - ash_map, ash_map_into, ash_zip_map and their forms: shapes, dtypes, layouts, overlap, what is refused.
 *
 * Expected values are worked out by hand, or follow from an identity that the comment names.
 */
#include <complex.h>

#include "test.h"

/* ---- shapes */

static void shapes_join(void)
{
    static const struct {
        int64_t a_rank, a[4], b_rank, b[4], rank, shape[4];
    } cases[] = {
        {0, {0}, 0, {0}, 0, {0}},          {1, {3}, 0, {0}, 1, {3}},
        {2, {2, 3}, 1, {3}, 2, {2, 3}},    {2, {2, 1}, 2, {1, 3}, 2, {2, 3}},
        {1, {3}, 2, {2, 1}, 2, {2, 3}},    {3, {4, 1, 2}, 2, {5, 1}, 3, {4, 5, 2}},
        {2, {1, 1}, 2, {0, 1}, 2, {0, 1}}, {2, {2, 0}, 2, {2, 1}, 2, {2, 0}},
        {1, {0}, 2, {3, 1}, 2, {3, 0}},    {4, {1, 1, 1, 1}, 1, {1}, 4, {1, 1, 1, 1}},
    };
    for (int i = 0; i < COUNT(cases); i++)
        for (int swapped = 0; swapped < 2; swapped++) {
            ASH_SCOPE(scope);
            ash_array *a = ash_ones(((ash_dims){cases[i].a, cases[i].a_rank}));
            ash_array *b = ash_ones(((ash_dims){cases[i].b, cases[i].b_rank}));
            ash_array *c = swapped ? ash_map("(x, y) -> x + y", b, a) : ash_map("(x, y) -> x + y", a, b);
            check_shape(c, cases[i].shape, cases[i].rank, __FILE__, __LINE__);
            CHECK_ALL(c, 2);
        }
}

static void shapes_everywhere(void **state)
{
    (void)state;
    everywhere(shapes_join, false);
}

/* Every kind of operand at once: dense, broadcast along either axis, transposed, reversed, a scalar, a rank-0 array. */
static void strides_mix(void)
{
    for
        EACH_LAYOUT(layout)
        {
            ASH_SCOPE(scope);
            ash_array *dense = counting(0, ASH_F32, ASH_SHAPE(3, 4), layout);
            ash_array *turned = ash_transpose(counting(0, ASH_F32, ASH_SHAPE(4, 3), layout));
            ash_array *row = ash_f32(100, 200, 300, 400), *column = ash_reshape(ash_f32(1000, 2000, 3000), ASH_SHAPE(3, 1));
            ash_array *back = ash_slice(dense, ASH_OPEN, ASH_OPEN, .axes = ASH_AXES(1), .step = -1);
            ash_array *lone = ash_fill_new(ASH_SHAPE(), 10000.0f);
            ash_array *r =
                ash_map("(a, b, c, d, e, f, g) -> a + b + c + d + e + f + g", dense, turned, row, column, back, lone, 0.5f);
            CHECK(ash_layout_of(r) == layout);
            double want[12];
            for (int i = 0; i < 3; i++)
                for (int j = 0; j < 4; j++)
                    want[4 * i + j] =
                        (4 * i + j) + (3 * j + i) + 100 * (j + 1) + 1000 * (i + 1) + (4 * i + 3 - j) + 10000 + 0.5;
            check_floats(r, want, 12, __FILE__, __LINE__);
        }
}

static void strides_everywhere(void **state)
{
    (void)state;
    everywhere(strides_mix, false);
}

static void shape_errors(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *a = ash_ones(ASH_SHAPE(2, 3)), *b = ash_ones(ASH_SHAPE(2)), *out = ash_zeros(ASH_SHAPE(3));
    CHECK(!ash_map("(x, y) -> x + y", a, b));
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_map: ", "(2, 3)", "(2)", "axis");
    CHECK(ash_map_into(out, "(x, y) -> x + y", a, 1.0f) == ASH_ERR_SHAPE); /* out is not broadcast, nor made smaller */
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_map_into: ", "(2, 3)", "(3)");
    CHECK(ash_map_into(a, "x -> x", b) == ASH_ERR_SHAPE);
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_map_into: ", "(2)", "(2, 3)");
    CHECK_ALL(out, 0);
    CHECK_ALL(a, 1);
    /* a product of sizes beyond what can be counted */
    ash_array *one = ash_ones(ASH_SHAPE(1));
    ash_array *tall = ash_broadcast_to(one, ASH_SHAPE(INT64_C(1) << 40, 1)),
              *wide = ash_broadcast_to(one, ASH_SHAPE(INT64_C(1) << 40));
    CHECK(!ash_map("(x, y) -> x + y", tall, wide));
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_map: ", "2^63");
    CHECK(!ash_map_reduce("(x, y) -> x + y", "+", tall, wide));
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_map_reduce: ", "2^63");
}

/* ---- dtypes, layout, storage, memory */

static void result_dtypes(void **state)
{
    (void)state;
    static const struct {
        const char *function;
        ash_dtype a, b, want;
    } cases[] = {
        {"(x, y) -> x + y", ASH_I8, ASH_I8, ASH_I8},        {"(x, y) -> x + y", ASH_BOOL, ASH_BOOL, ASH_I64},
        {"(x, y) -> x + y", ASH_I32, ASH_U32, ASH_U32},     {"(x, y) -> x * y", ASH_I64, ASH_F16, ASH_F16},
        {"(x, y) -> x + y", ASH_F16, ASH_BF16, ASH_F32},    {"(x, y) -> x + y", ASH_F32, ASH_F64, ASH_F64},
        {"(x, y) -> x < y", ASH_F32, ASH_I8, ASH_BOOL},     {"(x, y) -> x / y", ASH_I32, ASH_I32, ASH_F64},
        {"(x, y) -> x + y", ASH_C_F32, ASH_F32, ASH_C_F32}, {"(x, y) -> i16(x + y)", ASH_F32, ASH_F32, ASH_I16},
        {"(x, y) -> x + 2*y", ASH_U8, ASH_U8, ASH_U8},      {"(x, y) -> x", ASH_BF16, ASH_F64, ASH_BF16},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        ASH_SCOPE(scope);
        ash_array *r = ash_map(cases[i].function, ash_ones(ASH_SHAPE(2), .dtype = cases[i].a),
                               ash_ones(ASH_SHAPE(2), .dtype = cases[i].b));
        if (!r || ash_dtype_of(r) != cases[i].want)
            FAIL("%s of %s and %s is %s, not %s", cases[i].function, ash_dtype_name(cases[i].a), ash_dtype_name(cases[i].b),
                 r ? ash_dtype_name(ash_dtype_of(r)) : "NULL", ash_dtype_name(cases[i].want));
    }
}

static void options_of_the_result(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *a = counting(0, ASH_F32, ASH_SHAPE(2, 3), ASH_COL_MAJOR), *p = ash_ones(ASH_SHAPE(2, 3), .storage = ASH_PRIVATE);
    CHECK(ash_layout_of(ash_map("x -> -x", a)) == ASH_COL_MAJOR);
    CHECK(ash_layout_of(ash_map("(r, x) -> r + x", ash_f32(1, 2, 3), a)) ==
          ASH_COL_MAJOR); /* the first of the result's shape */
    CHECK(ash_layout_of(ash_map("(x, y) -> x + y", ash_transpose(a), ash_ones(ASH_SHAPE(3, 2)))) == ASH_ROW_MAJOR);
    CHECK(ash_layout_of(ash_map("x -> x", ash_slice(a, 0, 3, .axes = ASH_AXES(1), .step = 2))) == ASH_COL_MAJOR ||
          ash_layout_of(ash_map("x -> x", ash_slice(a, 0, 3, .axes = ASH_AXES(1), .step = 2))) == ASH_ROW_MAJOR);
    CHECK(ash_layout_of(ash_map_with("x -> x", ASH_OPERANDS(a), .layout = ASH_ROW_MAJOR)) == ASH_ROW_MAJOR);
    CHECK(ash_storage_of(ash_map("(x, y) -> x + y", p, a)) == ASH_SHARED);
    CHECK(ash_storage_of(ash_map("(x, y) -> x + y", p, p)) == ASH_PRIVATE);
    CHECK(ash_storage_of(ash_map_with("x -> x", ASH_OPERANDS(a), .storage = ASH_PRIVATE)) == ASH_PRIVATE);
    ash_array *cast = ash_map_with("x -> x*100", ASH_OPERANDS(a), .dtype = ASH_I8); /* saturates as i8() does */
    CHECK(ash_dtype_of(cast) == ASH_I8);
    CHECK_INTS(cast, 0, 100, 127, 127, 127, 127);
    ash_array *m = ash_ones(ASH_SHAPE(2, 3), .memory = ash_memory_malloc());
    CHECK(ash_memory_of(ash_map("(x, y) -> x + y", m, a)) == ash_memory_malloc());
    CHECK(ash_memory_of(ash_map_with("x -> x", ASH_OPERANDS(m), .memory = ash_memory_pool())) == ash_memory_pool());
    CHECK(ash_map_into_with(a, "x -> x", ASH_OPERANDS(m), .dtype = ASH_F32) == ASH_ERR_ARGUMENT);
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_map_into: .dtype");
    CHECK(!ash_map_opt("x -> x", ASH_OPERANDS(a), &(ash_map_options){.dtype = ASH_F32}));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "struct_size");
}

static void scalars(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *s = ash_map("(a, b) -> a + b", 2, 3); /* scalars alone: rank 0 */
    CHECK_SCALAR(s);
    CHECK(ash_dtype_of(s) == ASH_I32 && ash_item_i32(s) == 5);
    CHECK(ash_item_u64(ash_map("x -> x", UINT64_MAX)) == UINT64_MAX);
    CHECK(ash_item_i64(ash_map("x -> x", INT64_MIN)) == INT64_MIN);
    CHECK(ash_item_i8(ash_map("x -> x", (int8_t)-128)) == -128);
    CHECK(ash_item_bool(ash_map("x -> !x", (bool)false)));
    const ash_operand half = ash_operand_float(ASH_F16, 0.1);
    CHECK(ash_item_f64(ash_map("x -> f64(x)", half)) == 0.0999755859375); /* 0.1 in binary16 */
    const ash_complex_f64 z =
        ash_item_c_f64(ash_map("(x, y) -> x*y", ash_operand_complex(ASH_C_F64, 1, 2), ash_operand_complex(ASH_C_F64, 3, -1)));
    CHECK(z.re == 5 && z.im == 5);
    const ash_operand none = {0};
    CHECK(!ash_map("x -> x", none));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "operand 0");
    ash_operand record = ash_operand_integer((ash_dtype)300, 1);
    CHECK(!ash_map("x -> x", record));
    CHECK_ERROR_HAS(ASH_ERR_DTYPE, "operand 0");
}

static void no_f64(void **state)
{
    (void)state;
    ash_resources *r = ash_resources_new("cpu:0?f64=off");
    {
        ASH_SCOPE(scope);
        ASH_WITH_RESOURCES(r);
        ash_array *a = ash_f32(3, 1, 2);
        CHECK(!ash_map("(x, s) -> x*s", a, 2.0));
        CHECK_ERROR(ASH_ERR_DTYPE,
                    "ash_map: operand s is f64, which cpu:0?f64=off does not support; pass 2.0f or cast with f32()");
        CHECK(ash_map_into(a, "(x, s) -> x*s", a, -0.5) == ASH_ERR_DTYPE);
        CHECK_ERROR(ASH_ERR_DTYPE,
                    "ash_map_into: operand s is f64, which cpu:0?f64=off does not support; pass -0.5f or cast with f32()");
        CHECK(!ash_map("(x, s) -> x*s", a, (double)INFINITY));
        CHECK_ERROR_HAS(ASH_ERR_DTYPE, "operand s is f64");
        CHECK(!ash_map("(x, s) -> x*s", a, ash_operand_complex(ASH_C_F64, 1, 0)));
        CHECK_ERROR_HAS(ASH_ERR_DTYPE, "operand s is c_f64");
        CHECK_FLOATS(a, 3, 1, 2);
        /* what the message advises works */
        CHECK_FLOATS(ash_map("(x, s) -> x*f32(s)", a, 2.0), 6, 2, 4);
        CHECK_FLOATS(ash_map("(x, s) -> x*s", a, 2.0f), 6, 2, 4);
        CHECK(!ash_map("(x, s) -> x*f32(s) + s", a, 2.0));
        CHECK_ERROR_HAS(ASH_ERR_DTYPE, "operand s is f64");
        CHECK_FLOATS(ash_map("x -> 2.0*x", a), 6, 2, 4); /* a literal follows the operand beside it */
        CHECK(!ash_map("x -> f64(x)", a));
        CHECK_ERROR_HAS(ASH_ERR_DTYPE, "f64");
        CHECK(!ash_map_with("x -> x", ASH_OPERANDS(a), .dtype = ASH_F64));
        CHECK_ERROR_HAS(ASH_ERR_DTYPE, "ash_map: cpu:0?f64=off does not support f64");
        ash_array *elsewhere = ash_map_with("x -> x", ASH_OPERANDS(1.0f), .resources = ash_current_resources());
        CHECK(ash_device_of(elsewhere) == ash_device_of(a));
    }
    {
        ASH_SCOPE(scope);
        ash_array *a = ash_f32(1), *b = NULL;
        {
            ASH_WITH_RESOURCES(r);
            b = ash_f32(1);
        }
        CHECK(!ash_map("(x, y) -> x + y", a, b));
        CHECK_ERROR_PARTS(ASH_ERR_DEVICE, "ash_map: ", "cpu:0?f64=off", "on cpu:0;");
        CHECK(ash_map_into(a, "x -> x", b) == ASH_ERR_DEVICE);
        CHECK_ERROR_PARTS(ASH_ERR_DEVICE, "ash_map_into: ", "cpu:0?f64=off");
        CHECK(!ash_map_with("x -> x", ASH_OPERANDS(a), .resources = r));
        CHECK_ERROR_PARTS(ASH_ERR_DEVICE, "ash_map: ", "cpu:0?f64=off");
    }
    ash_resources_release(r);
}

ASH_RECORD(point, (f32, x), (i64, n));

static void records_pass(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    const point host[2] = {{.x = 1, .n = 2}, {.x = 3, .n = 4}};
    ash_array *a = ash_from_host(host, point_dtype(), ASH_SHAPE(2)), *out = ash_zeros(ASH_SHAPE(2), .dtype = point_dtype());
    ash_array *b = ash_map("p -> p", ash_slice(a, ASH_OPEN, ASH_OPEN, .step = -1));
    point got[2];
    CHECK(ash_dtype_of(b) == point_dtype());
    CHECK_OK(ash_to_host(b, got, sizeof got));
    CHECK(got[0].x == 3 && got[0].n == 4 && got[1].x == 1 && got[1].n == 2);
    CHECK_FLOATS(ash_map("p -> p.x + f32(p.n)", a), 3, 7);
    CHECK_OK(ash_map_into(out, "p -> p", a));
    CHECK_FLOATS(ash_field(out, "x"), 1, 3);
    CHECK_OK(ash_map_into(ash_field(out, "x"), "p -> p.x*10", out)); /* a field of the operand itself */
    CHECK_FLOATS(ash_field(out, "x"), 10, 30);
    CHECK_INTS(ash_field(out, "n"), 2, 4);
    CHECK(!ash_map("(p, x) -> p + x", a, 1));
    CHECK_ERROR_HAS(ASH_ERR_DTYPE, "ash_map: ");
}

/* ---- into */

static void into_dtypes(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *i8 = ash_i8(1, 2, 3), *f32 = ash_f32(0.1, 1e30, 3), *truth = ash_bool(true, true, true);
    CHECK_OK(ash_map_into(f32, "x -> 2*x", i8)); /* to a higher kind */
    CHECK_FLOATS(f32, 2, 4, 6);
    CHECK_OK(ash_map_into(f32, "(x, s) -> x*s", i8, 0.1)); /* computed in f64, rounded once */
    CHECK_FLOATS(f32, (double)0.1f, (double)(float)(2 * 0.1), (double)(float)(3 * 0.1));
    CHECK(ash_map_into(i8, "x -> x", f32) == ASH_ERR_DTYPE);
    CHECK_ERROR_PARTS(ASH_ERR_DTYPE, "ash_map_into: ", "f32", "i8");
    CHECK_INTS(i8, 1, 2, 3);
    CHECK_OK(ash_map_into(i8, "x -> i8(x*100)", f32));
    CHECK_INTS(i8, 10, 20, 30);
    CHECK_OK(ash_map_into(i8, "x -> x + 97", ash_i64(0, 10, 30))); /* narrower: checked */
    CHECK_INTS(i8, 97, 107, 127);
    CHECK(ash_map_into(i8, "x -> x + 98", ash_i64(0, 10, 30)) == ASH_ERR_VALUE);
    CHECK_ERROR_HAS(ASH_ERR_VALUE, "ash_map_into: ");
    CHECK_INTS(i8, 97, 107, 127); /* and untouched */
    CHECK_OK(ash_map_into(truth, "x -> x", ash_i32(1, 0, 1)));
    CHECK_INTS(truth, 1, 0, 1);
    CHECK(ash_map_into(truth, "x -> x", ash_i32(1, 2, 1)) == ASH_ERR_VALUE);
    CHECK_ERROR_HAS(ASH_ERR_VALUE, "ash_map_into: ");
    CHECK_INTS(truth, 1, 0, 1);
    /* f64 to f16 in one rounding: 1 + 2^-11 + 2^-40 is above the tie, f32 would lose that */
    ash_array *h = ash_zeros(ASH_SHAPE(1), .dtype = ASH_F16);
    CHECK_OK(ash_map_into(h, "x -> x", ash_f64(1 + 0x1p-11 + 0x1p-40)));
    CHECK_FLOATS(h, 1 + 0x1p-10);
}

/* a fault in one element leaves out untouched, also where out is an operand */
static void faults(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *a = ash_i32(7, 8, 9), *zero = ash_i32(1, 0, 3);
    CHECK(ash_map_into(a, "(x, y) -> div(x, y)", a, zero) == ASH_ERR_VALUE);
    CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_map_into: ", "zero");
    CHECK_INTS(a, 7, 8, 9);
    CHECK(!ash_map("(x, y) -> div(x, y)", a, zero));
    CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_map: ", "zero");
    CHECK_OK(ash_map_into(a, "(x, y) -> div(x, y)", a, ash_i32(2, 2, 2)));
    CHECK_INTS(a, 3, 4, 4);
}

static void adjoints(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *z = ash_reshape(ash_c_f32(1 + 2 * I, 3 - I, 5, 7 * I), ASH_SHAPE(2, 2)),
              *out = ash_zeros(ASH_SHAPE(2, 2), .dtype = ASH_C_F32);
    CHECK_OK(ash_map_into(ash_adjoint(out), "x -> 2*x", z)); /* out = (2 z)^H */
    CHECK(ash_get_c_f32(out, 0, 0).re == 2 && ash_get_c_f32(out, 0, 0).im == -4);
    CHECK(ash_get_c_f32(out, 0, 1).re == 10 && ash_get_c_f32(out, 0, 1).im == 0);
    CHECK(ash_get_c_f32(out, 1, 0).re == 6 && ash_get_c_f32(out, 1, 0).im == 2);
    CHECK(ash_equal(ash_map("x -> 2*x", ash_adjoint(z)), out));
    CHECK_OK(ash_map_into(z, "x -> x", ash_adjoint(z))); /* overlap with another mapping */
    CHECK(ash_get_c_f32(z, 0, 1).re == 5 && ash_get_c_f32(z, 1, 0).re == 3 && ash_get_c_f32(z, 1, 0).im == 1);
}

/* Every way for operand and output to share memory, against the result of doing it with a copy. */
static void overlap(void)
{
    static const struct {
        int64_t out[3], in[3]; /* start, stop, step along axis 0 */
    } cases[] = {
        {{0, 8, 1}, {0, 8, 1}},  {{0, 8, 1}, {7, ASH_OPEN, -1}},
        {{1, 8, 1}, {0, 7, 1}},  {{0, 7, 1}, {1, 8, 1}},
        {{0, 8, 2}, {1, 8, 2}},  {{0, 4, 1}, {4, 8, 1}},
        {{0, 4, 1}, {0, 8, 2}},  {{0, 8, 2}, {0, 4, 1}},
        {{7, 3, -1}, {0, 4, 1}}, {{3, ASH_OPEN, -1}, {3, ASH_OPEN, -1}},
        {{4, 8, 1}, {2, 6, 1}},  {{2, 3, 1}, {2, 3, 1}},
    };
    for (int i = 0; i < COUNT(cases); i++)
        for (int broadcast = 0; broadcast < 2; broadcast++) {
            ASH_SCOPE(scope);
            ash_array *a = counting(0, ASH_I32, ASH_SHAPE(8, 3), ASH_ROW_MAJOR), *b = ash_copy(a);
            const int64_t *o = cases[i].out, *p = cases[i].in;
            ash_array *out = ash_slice(a, o[0], o[1], .step = o[2]), *in = ash_slice(a, p[0], p[1], .step = p[2]);
            ash_array *copy = ash_copy(in), *want = ash_slice(b, o[0], o[1], .step = o[2]);
            if (broadcast) { /* the first row of the operand, for all rows */
                in = ash_slice(in, 0, 1);
                copy = ash_slice(copy, 0, 1);
            }
            CHECK_OK(ash_map_into(out, "(x, y) -> 2*x + y", in, out));
            CHECK_OK(ash_map_into(want, "(x, y) -> 2*x + y", copy, want));
            if (!ash_equal(a, b))
                FAIL("case %d, broadcast %d", i, broadcast);
        }
}

static void overlap_everywhere(void **state)
{
    (void)state;
    everywhere(overlap, false);
}

static void transposed_in_place(void **state)
{
    (void)state;
    for (int64_t n = 1; n <= 200; n = n * 3 + 1) { /* h + h^T is symmetric: h[i,j] + h[j,i] = (n + 1)(i + j) */
        ASH_SCOPE(scope);
        ash_array *h = counting(0, ASH_F32, ASH_SHAPE(n, n), ASH_ROW_MAJOR);
        CHECK_OK(ash_map_into(h, "(x, y) -> x + y", h, ash_transpose(h)));
        ash_array *i = ash_reshape(ash_range(0, n), ASH_SHAPE(n, 1)), *j = ash_range(0, n);
        ash_array *want = ash_map("(i, j, n) -> (n + 1)*(i + j)", i, j, n);
        CHECK(ash_equal(h, want));
    }
}

static void refused(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *a = ash_f32(1, 2), *lent = ash_broadcast_to(ash_f32(1), ASH_SHAPE(2));
    CHECK(!ash_map("x -> x", (ash_array *)NULL));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_map: operand 0 is NULL");
    CHECK(!ash_map("(x, y) -> x + y", a, (ash_array *)NULL));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_map: operand 1 is NULL");
    CHECK(!ash_map((const char *)NULL, a));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_map: the function is NULL");
    CHECK(!ash_map((const ash_function *)NULL, a));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_map: the function is NULL");
    CHECK(!ash_map("(x, y) -> x + y", a));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_map: ");
    CHECK(!ash_map("x -> x +", a));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_map: ");
    CHECK(ash_map_into(NULL, "x -> x", a) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_map_into: out is NULL");
    CHECK(ash_map_into(lent, "x -> x", a) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_map_into: out is read-only");
    ash_array *gone = ash_f32(1, 2);
    CHECK_OK(ash_discard(gone));
    CHECK(!ash_map("x -> x", gone));
    CHECK_ERROR_HAS(ASH_ERR_RELEASED, "ash_map: operand 0");
    CHECK(ash_map_into(gone, "x -> x", a) == ASH_ERR_RELEASED);
    CHECK_ERROR_HAS(ASH_ERR_RELEASED, "ash_map_into: out");
    CHECK(!ash_map_opt("x -> x", ((ash_operands){NULL, -1}), NULL));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "-1 operands");
    const ash_operand one = ash_operand_array(a);
    CHECK(ash_map_into_opt(a, "x -> x", (ash_operands){&one, -1}, NULL) == ASH_ERR_ARGUMENT);
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "-1 operands");
    CHECK_FLOATS(ash_map_opt("() -> 1f", (ash_operands){NULL, 0}, NULL), 1);
}

/* The first cause stays; a failure of its own has its own status; what can succeed does. */
static void pending_errors(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *a = ash_f32(1, 2, 3), *bad = ash_map("(x, y) -> x + y", a, ash_f32(1, 2));
    CHECK(!bad && ash_map_into(a, "x -> x + 1", bad) == ASH_ERR_SHAPE);
    CHECK(ash_map_into(a, "x -> x + ", a) == ASH_ERR_ARGUMENT);
    CHECK(ash_map_into(a, "x -> x + 1", a) == ASH_OK);
    CHECK_FLOATS(a, 2, 3, 4);
    ash_error e;
    CHECK(ash_error_take(&e, sizeof e) && e.status == ASH_ERR_SHAPE && e.later == 1 && strcmp(e.function, "ash_map") == 0);
}

static void compiled(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_function *f = ash_function_new("(x, y) -> x*y + 1");
    ash_array *a = ash_i32(1, 2, 3), *out = ash_zeros(ASH_SHAPE(3), .dtype = ASH_I64);
    CHECK(strcmp(ash_function_text(f), "(x, y) -> x*y + 1") == 0);
    CHECK_INTS(ash_map(f, a, 10), 11, 21, 31);
    CHECK_FLOATS(ash_map(f, a, 0.5f), 1.5, 2, 2.5);
    CHECK_OK(ash_map_into(out, f, a, a));
    CHECK_INTS(out, 2, 5, 10);
    CHECK_OK(ash_zip_map_into(out, f, a, ash_i32(5, 5)));
    CHECK_INTS(out, 6, 11, 10);
    CHECK_INTS(ash_zip_map(f, a, ash_i32(5, 5)), 6, 11);
    CHECK(ash_item_i64(ash_map_reduce(f, "+", a, 1)) == 9);
    ash_function_release(f);
    ash_function_release(NULL);
    CHECK(!ash_function_new("x ->"));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_function_new: ");
}

static void many_operands(void **state)
{
    (void)state;
    enum { MANY = 200 };
    ASH_SCOPE(scope);
    ash_operand operand[MANY];
    char text[4096] = "(";
    for (int k = 0; k < MANY; k++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%sx%d", k ? "," : "", k);
    strcat(text, ") -> ");
    for (int k = 0; k < MANY; k++)
        snprintf(text + strlen(text), sizeof text - strlen(text), "%sx%d", k ? "+" : "", k);
    for (int k = 0; k < MANY; k++) {
        ash_array *a = ash_fill_new(ASH_SHAPE(3), (float)k);
        operand[k] = k == 3   ? ash_operand_f32(3)
                     : k == 4 ? ash_operand_array(ash_fill_new(ASH_SHAPE(1), 4.0f))
                     : k == 5 ? ash_operand_array(ash_slice(a, ASH_OPEN, ASH_OPEN, .step = -1))
                              : ash_operand_array(a);
    }
    ash_array *sum = ash_map_opt(text, (ash_operands){operand, MANY}, NULL);
    CHECK_FLOATS(sum, 19900, 19900, 19900);
    ash_array *first = (ash_array *)(uintptr_t)operand[0].value.array;
    CHECK_OK(ash_map_into_opt(first, text, (ash_operands){operand, MANY}, NULL));
    CHECK_FLOATS(first, 19900, 19900, 19900);
    CHECK(ash_item_f32(ash_map_reduce_opt(text, "max", (ash_operands){operand, MANY}, NULL)) == 39800);
}

/* Nothing stays behind and nothing changes when any allocation fails; extern: tests link the static library. */
void ash__fail_allocation(int64_t n);
static void memory_failures(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *a = counting(0, ASH_I32, ASH_SHAPE(3, 3), ASH_ROW_MAJOR);
    for (int64_t n = 1; n < 100; n++) {
        const int64_t live = ash_live_arrays();
        ash__fail_allocation(n);
        const ash_status status = ash_map_into(a, "(x, y, z) -> div(x*y, z) + 1", a, ash_transpose(a), 1);
        ash__fail_allocation(0);
        if (!status)
            break;
        CHECK(status == ASH_ERR_MEMORY);
        CHECK_ERROR_HAS(ASH_ERR_MEMORY, "");
        CHECK_INTS(a, 0, 1, 2, 3, 4, 5, 6, 7, 8);
        CHECK(ash_live_arrays() <= live + 1); /* the transpose may have been made */
    }
    CHECK_INTS(a, 1, 4, 13, 4, 17, 36, 13, 36, 65);
}

/* ---- zip */

static void zips(void)
{
    for
        EACH_LAYOUT(layout)
        {
            ASH_SCOPE(scope);
            ash_array *m = counting(0, ASH_F32, ASH_SHAPE(2, 3), layout), *v = ash_f32(10, 20, 30, 40);
            ash_array *r = ash_zip_map("(x, y) -> x + y", m, v);
            CHECK_SHAPE(r, 4);
            CHECK_FLOATS(r, 10, 21, 32, 43); /* row-major order of the indices, whatever the layout */
            r = ash_zip_map("(x, y) -> x + y", ash_transpose(m), v);
            CHECK_FLOATS(r, 10, 23, 31, 44);
            r = ash_zip_map("(x, y, s) -> x + y*s", m, m, 2.0f);
            CHECK_SHAPE(r, 2, 3);
            CHECK_FLOATS(r, 0, 3, 6, 9, 12, 15);
            r = ash_zip_map("(x, y) -> x + y", v, ash_fill_new(ASH_SHAPE(), 5.0f));
            CHECK_SHAPE(r, 1);
            CHECK_FLOATS(r, 15);
            CHECK_SHAPE(ash_zip_map("(x, y) -> x + y", v, ash_empty(ASH_SHAPE(2, 0))), 0);
            CHECK_SCALAR(ash_zip_map("x -> x", 1.0f));

            ash_array *out = ash_fill_new(ASH_SHAPE(3, 2), -1.0f, .layout = layout);
            CHECK_OK(ash_zip_map_into(out, "(x, y) -> x + y", m, ash_f32(100, 200, 300))); /* the rest of out stays */
            CHECK_FLOATS(out, 100, 201, 302, -1, -1, -1);
            CHECK_OK(ash_zip_map_into(out, "x -> x", ash_f32(1, 2, 3, 4, 5, 6, 7, 8)));
            CHECK_FLOATS(out, 1, 2, 3, 4, 5, 6);
            CHECK_OK(ash_zip_map_into(ash_transpose(out), "x -> 10*x", ash_f32(1, 2, 3, 4)));
            CHECK_FLOATS(out, 10, 40, 20, 4, 30, 6);
            CHECK_OK(ash_zip_map_into(out, "s -> s", 9.0f)); /* a scalar has no end */
            CHECK_ALL(out, 9);
            ash_array *deep = ash_zeros(ASH_SHAPE(2, 3, 4), .layout = layout);
            CHECK_OK(ash_zip_map_into(deep, "x -> x", counting(1, ASH_F32, ASH_SHAPE(18), ASH_ROW_MAJOR)));
            double want[24] = {0};
            for (int i = 0; i < 18; i++)
                want[i] = i + 1;
            check_floats(deep, want, 24, __FILE__, __LINE__);
        }
}

static void zips_everywhere(void **state)
{
    (void)state;
    everywhere(zips, false);
}

static void zips_overlap(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *a = ash_f32(1, 2, 3, 4);
    CHECK_OK(ash_zip_map_into(a, "x -> x", ash_slice(a, ASH_OPEN, ASH_OPEN, .step = -1)));
    CHECK_FLOATS(a, 4, 3, 2, 1);
    CHECK_OK(ash_zip_map_into(a, "x -> 2*x", ash_slice(a, 1, 4)));
    CHECK_FLOATS(a, 6, 4, 2, 1);
    CHECK_OK(ash_zip_map_into(a, "x -> 2*x", ash_slice(a, 0, 2)));
    CHECK_FLOATS(a, 12, 8, 2, 1);
    ash_array *i = ash_i32(8, 8, 8);
    CHECK(ash_zip_map_into(i, "(x, y) -> div(x, y)", i, ash_i32(1, 0)) == ASH_ERR_VALUE);
    CHECK_ERROR_HAS(ASH_ERR_VALUE, "ash_zip_map_into: ");
    CHECK_INTS(i, 8, 8, 8);
    CHECK(ash_zip_map_into(i, "x -> x", ash_f32(1)) == ASH_ERR_DTYPE);
    CHECK_ERROR_HAS(ASH_ERR_DTYPE, "ash_zip_map_into: ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(shapes_everywhere),
        TEST(strides_everywhere),
        TEST(shape_errors),
        TEST(result_dtypes),
        TEST(options_of_the_result),
        TEST(scalars),
        TEST(no_f64),
        TEST(records_pass),
        TEST(into_dtypes),
        TEST(faults),
        TEST(adjoints),
        TEST(overlap_everywhere),
        TEST(refused),
        TEST(transposed_in_place),
        TEST(pending_errors),
        TEST(compiled),
        TEST(many_operands),
        TEST(memory_failures),
        TEST(zips_everywhere),
        TEST(zips_overlap),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
