/* compare.c - ash_equal and ash_allclose. */
#include <complex.h>

#include "test.h"

/* A complex number of two parts: NaN + 0*I would be NaN in both. */
static ash_array *one(double re, double im)
{
    return ash_fill_new(ASH_SHAPE(1), ash_operand_complex(ASH_C_F32, re, im));
}

static void values(void)
{
    ash_array *a = ash_f32(1, 2, 3), *nan = ash_f32(1, NAN), *zero = ash_f32(0.0, 1), *minus = ash_f32(-0.0, 1);
    CHECK(ash_equal(a, a) && ash_equal(a, ash_f32(1, 2, 3)) && !ash_equal(a, ash_f32(1, 2, 4)));
    CHECK(!ash_equal(nan, nan) && ash_equal(nan, nan, .identical = true));
    CHECK(ash_equal(zero, minus) && !ash_equal(zero, minus, .identical = true) && ash_equal(minus, minus, .identical = true));
    CHECK(!ash_equal(a, ash_f32(1, 2)) && !ash_equal(a, ash_reshape(a, ASH_SHAPE(3, 1)))); /* other shapes: false, no error */
    CHECK(!ash_equal(ash_f32(1), ash_fill_new(ASH_SHAPE(), 1.0f)) &&
          ash_equal(ash_fill_new(ASH_SHAPE(), 1), ash_fill_new(ASH_SHAPE(), 1)));
    CHECK(ash_equal(ash_empty(ASH_SHAPE(2, 0)), ash_empty(ASH_SHAPE(2, 0))) &&
          !ash_equal(ash_empty(ASH_SHAPE(2, 0)), ash_empty(ASH_SHAPE(0, 2))));
    CHECK(ash_equal(ash_transpose(ash_reshape(a, ASH_SHAPE(1, 3))), ash_reshape(a, ASH_SHAPE(3, 1))));
    CHECK(ash_equal(ash_c_f32(1 + I), ash_c_f32(1 + I)) && !ash_equal(ash_c_f32(1 + I), ash_c_f32(1 - I)));
    CHECK(ash_equal(ash_c_f32(2), ash_f32(2)) && !ash_equal(ash_c_f32(2 + I), ash_f32(2)));
    CHECK(ash_equal(one(NAN, -0.0), one(NAN, -0.0), .identical = true));
    CHECK(!ash_equal(one(NAN, -0.0), one(NAN, 0.0), .identical = true));
    ash_array *z = ash_reshape(ash_c_f32(1 + I, 2), ASH_SHAPE(1, 2));
    CHECK(ash_equal(ash_adjoint(z), ash_reshape(ash_c_f32(1 - I, 2), ASH_SHAPE(2, 1))));
}

static void values_everywhere(void **state)
{
    (void)state;
    everywhere(values, false);
}

/* By value, whatever the dtypes: an integer beside a float that rounds to it is not equal to it. */
static void dtypes(void **state)
{
    (void)state;
    static const struct {
        ash_operand a, b;
        bool want;
    } cases[] = {
        {{ASH_OPERAND_SCALAR, ASH_I8, {.i = 1}}, {ASH_OPERAND_SCALAR, ASH_F64, {.f = 1}}, true},
        {{ASH_OPERAND_SCALAR, ASH_BOOL, {.i = 1}}, {ASH_OPERAND_SCALAR, ASH_F32, {.f = 1}}, true},
        {{ASH_OPERAND_SCALAR, ASH_BOOL, {.i = 1}}, {ASH_OPERAND_SCALAR, ASH_I32, {.i = 2}}, false},
        {{ASH_OPERAND_SCALAR, ASH_I64, {.i = INT64_MIN}}, {ASH_OPERAND_SCALAR, ASH_U64, {.i = INT64_MIN}}, false},
        {{ASH_OPERAND_SCALAR, ASH_I64, {.i = -1}}, {ASH_OPERAND_SCALAR, ASH_U64, {.i = -1}}, false},
        {{ASH_OPERAND_SCALAR, ASH_I64, {.i = 5}}, {ASH_OPERAND_SCALAR, ASH_U8, {.i = 5}}, true},
        {{ASH_OPERAND_SCALAR, ASH_I64, {.i = 9007199254740993}},
         {ASH_OPERAND_SCALAR, ASH_F64, {.f = 9007199254740992.0}},
         false},
        {{ASH_OPERAND_SCALAR, ASH_I64, {.i = 9007199254740992}},
         {ASH_OPERAND_SCALAR, ASH_F64, {.f = 9007199254740992.0}},
         true},
        {{ASH_OPERAND_SCALAR, ASH_I32, {.i = 16777217}}, {ASH_OPERAND_SCALAR, ASH_F32, {.f = 16777216}}, false},
        {{ASH_OPERAND_SCALAR, ASH_I64, {.i = INT64_MAX}}, {ASH_OPERAND_SCALAR, ASH_F64, {.f = 0x1p63}}, false},
        {{ASH_OPERAND_SCALAR, ASH_I64, {.i = INT64_MIN}}, {ASH_OPERAND_SCALAR, ASH_F64, {.f = -0x1p63}}, true},
        {{ASH_OPERAND_SCALAR, ASH_U64, {.i = -1}}, {ASH_OPERAND_SCALAR, ASH_F32, {.f = 0x1p64}}, false},
        {{ASH_OPERAND_SCALAR, ASH_U64, {.i = INT64_MIN}}, {ASH_OPERAND_SCALAR, ASH_F32, {.f = 0x1p63}}, true},
        {{ASH_OPERAND_SCALAR, ASH_I32, {.i = 70000}}, {ASH_OPERAND_SCALAR, ASH_F16, {.f = INFINITY}}, false},
        {{ASH_OPERAND_SCALAR, ASH_I32, {.i = 0}}, {ASH_OPERAND_SCALAR, ASH_F64, {.f = NAN}}, false},
        {{ASH_OPERAND_SCALAR, ASH_I32, {.i = 1}}, {ASH_OPERAND_SCALAR, ASH_F64, {.f = 1.5}}, false},
        {{ASH_OPERAND_SCALAR, ASH_F16, {.f = 0.5}}, {ASH_OPERAND_SCALAR, ASH_F64, {.f = 0.5}}, true},
        {{ASH_OPERAND_SCALAR, ASH_F32, {.f = (double)0.1f}}, {ASH_OPERAND_SCALAR, ASH_F64, {.f = 0.1}}, false},
        {{ASH_OPERAND_SCALAR, ASH_I32, {.i = 3}}, {ASH_OPERAND_SCALAR, ASH_C_F32, {.c = {3, 0}}}, true},
        {{ASH_OPERAND_SCALAR, ASH_I32, {.i = 3}}, {ASH_OPERAND_SCALAR, ASH_C_F32, {.c = {3, 1}}}, false},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        ASH_SCOPE(scope);
        ash_array *a = ash_fill_new_opt(ASH_SHAPE(3), &cases[i].a, NULL),
                  *b = ash_fill_new_opt(ASH_SHAPE(3), &cases[i].b, NULL);
        if (ash_equal(a, b) != cases[i].want || ash_equal(b, a) != cases[i].want)
            FAIL("case %d: %s, %s", i, ash_equal(a, b) ? "true" : "false", ash_equal(b, a) ? "true" : "false");
    }
}

ASH_RECORD(inner, (i8, tag), (f64, value));
ASH_RECORD(outer, (inner, part), (f32, x, 3), (u8, end));
ASH_RECORD(other, (f32, x));

static void records(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    outer p[2], q[2];
    memset(p, 0x55, sizeof p); /* what lies between the fields differs */
    memset(q, 0xAA, sizeof q);
    for (int i = 0; i < 2; i++) {
        p[i].part.tag = q[i].part.tag = (int8_t)i;
        p[i].part.value = q[i].part.value = 2.5;
        for (int k = 0; k < 3; k++)
            p[i].x[k] = q[i].x[k] = (float)k;
        p[i].end = q[i].end = 7;
    }
    ash_array *a = ash_from_host(p, outer_dtype(), ASH_SHAPE(2)), *b = ash_from_host(q, outer_dtype(), ASH_SHAPE(2));
    CHECK(ash_equal(a, b) && ash_equal(a, b, .identical = true) && ash_equal(ash_slice(a, 1, 2), ash_slice(b, 1, 2)));
    q[1].x[2] = NAN;
    b = ash_from_host(q, outer_dtype(), ASH_SHAPE(2));
    CHECK(!ash_equal(a, b) && !ash_equal(b, b) && ash_equal(b, b, .identical = true));
    q[1].x[2] = 2;
    q[0].part.value = 3;
    b = ash_from_host(q, outer_dtype(), ASH_SHAPE(2));
    CHECK(!ash_equal(a, b));
    CHECK(!ash_equal(a, ash_zeros(ASH_SHAPE(2), .dtype = other_dtype())) && !ash_equal(a, ash_f32(1, 2)));
    CHECK(!ash_allclose(a, a));
    CHECK_ERROR_PARTS(ASH_ERR_DTYPE, "ash_allclose: ", "outer");
}

static void close(void)
{
    ash_array *a = ash_f32(1, 1000, -2), *b = ash_f32(1.0001, 1000.1, -2.0002);
    CHECK(ash_allclose(a, a) && ash_allclose(a, b) && !ash_allclose(a, b, .rtol = 1e-5)); /* default sqrt(2^-23) = 3.45e-4 */
    CHECK(!ash_allclose(a, b, .atol = 0.01) && ash_allclose(a, b, .atol = 0.11));         /* rtol is 0 then */
    CHECK(ash_allclose(a, b, .rtol = 1e-4, .atol = 1e-4) && !ash_allclose(ash_f32(0, 1), ash_f32(1e-6, 1)));
    CHECK(ash_allclose(ash_f32(INFINITY, -INFINITY), ash_f32(INFINITY, -INFINITY)) &&
          !ash_allclose(ash_f32(INFINITY), ash_f32(-INFINITY)));
    CHECK(!ash_allclose(ash_f32(1), ash_f32(INFINITY)) && !ash_allclose(ash_f32(INFINITY), ash_f32(1), .atol = 1e30));
    CHECK(!ash_allclose(ash_f32(NAN), ash_f32(NAN)) && ash_allclose(ash_f32(NAN, 1), ash_f32(NAN, 1), .nan_equal = true));
    CHECK(!ash_allclose(ash_f32(NAN), ash_f32(1), .nan_equal = true) && !ash_allclose(a, ash_f32(1, 1000)));
    CHECK(ash_allclose(ash_i32(1, 2), ash_i32(1, 2)) && !ash_allclose(ash_i32(1, 2), ash_i32(1, 3)) &&
          ash_allclose(ash_i32(1, 2), ash_i32(1, 3), .atol = 1));
    CHECK(!ash_allclose(ash_i64(9007199254740993), ash_i64(9007199254740992))); /* integers: exact without a tolerance */
    CHECK(ash_allclose(ash_u8(3), ash_u8(5), .atol = 2) && !ash_allclose(ash_u8(3), ash_u8(5), .atol = 1.5));
    CHECK(ash_allclose(ash_c_f32(1 + I), ash_c_f32(1 + 1.0001 * I)) && !ash_allclose(ash_c_f32(1 + I), ash_c_f32(1 + 1.1 * I)));
    CHECK(ash_allclose(ash_c_f32(3 + 4 * I), ash_c_f32(0), .atol = 5) &&
          !ash_allclose(ash_c_f32(3 + 4 * I), ash_c_f32(0), .atol = 4.9));
    CHECK(ash_allclose(one(NAN, 0), one(1, NAN), .nan_equal = true));
    ash_array *h = ash_map_with("x -> x", ASH_OPERANDS(ash_f32(100, 200)), .dtype = ASH_F16);
    CHECK(ash_allclose(h, ash_f32(101, 201)) && !ash_allclose(h, ash_f32(104, 200)));
    CHECK(ash_allclose(ash_empty(ASH_SHAPE(0)), ash_empty(ASH_SHAPE(0))));
    CHECK(!ash_allclose(a, b, .rtol = -1));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_allclose: ");
}

static void close_everywhere(void **state)
{
    (void)state;
    everywhere(close, false);
}

static void refused(void **state)
{
    (void)state;
    ash_resources *r = ash_resources_new("cpu:0?f64=off");
    {
        ASH_SCOPE(scope);
        ash_array *a = ash_f32(1), *b = NULL;
        {
            ASH_WITH_RESOURCES(r);
            b = ash_f32(1);
        }
        CHECK(!ash_equal(a, NULL));
        CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_equal: operand 1 is NULL");
        CHECK(!ash_equal(NULL, a));
        CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_equal: operand 0 is NULL");
        CHECK(!ash_allclose(a, NULL));
        CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_allclose: operand 1 is NULL");
        CHECK(!ash_equal(a, b));
        CHECK_ERROR_PARTS(ASH_ERR_DEVICE, "ash_equal: ", "cpu:0?f64=off", "on cpu:0;");
        CHECK(!ash_allclose(b, a));
        CHECK_ERROR_PARTS(ASH_ERR_DEVICE, "ash_allclose: ", "cpu:0?f64=off");
        ash_array *gone = ash_f32(1);
        CHECK_OK(ash_discard(gone));
        CHECK(!ash_equal(gone, a));
        CHECK_ERROR_HAS(ASH_ERR_RELEASED, "ash_equal: operand 0");
    }
    ash_resources_release(r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(values_everywhere), TEST(dtypes), TEST(records), TEST(close_everywhere),
                                       TEST(refused)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
