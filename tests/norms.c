/*
 * norms.c - norms, small products, rotations, and what matrices look like.
 *
 * Norms are those of tests/reference/norms.py, with 60 digits; kron, cross and trace are NumPy's, written out; rotations are
 * checked by what they do. Extreme elements have norms known by hand.
 */
#include <complex.h>

#include "test.h"


/* ---- norms */

/* By tests/reference/norms.py: p, then the norms of the vectors below. */
static const struct {
    double p, real, nonzero, imaginary;
} cases[] = {
    {0, 0x1.c000000000000p+2, 0x1.c000000000000p+2, 0x1.8000000000000p+1},
    {0.5, 0x1.71091940914e8p+6, 0x1.71091940914e8p+6, 0x1.5d39258df1550p+4},
    {1, 0x1.1c20000000000p+4, 0x1.1c20000000000p+4, 0x1.01f83d9abfb42p+3},
    {1.5, 0x1.6028ca14bcc47p+3, 0x1.6028ca14bcc47p+3, 0x1.87af62fa2398fp+2},
    {2, 0x1.1ec678e57d46dp+3, 0x1.1ec678e57d46dp+3, 0x1.6000000000000p+2},
    {3, 0x1.e8c1fc7963617p+2, 0x1.e8c1fc7963617p+2, 0x1.481f3bddad185p+2},
    {-1, 0x0.0p+0, 0x1.e9774b2e80832p-8, 0x0.0p+0},
    {-2.5, 0x0.0p+0, 0x1.fff6c4b3a5a3ep-8, 0x0.0p+0},
    {INFINITY, 0x1.c000000000000p+2, 0x1.c000000000000p+2, 0x1.4000000000000p+2},
    {-INFINITY, 0x0.0p+0, 0x1.0000000000000p-7, 0x0.0p+0},
};
static const double real[8] = {3, -4, 0, 1.5, -0.25, 7, 0.0078125, -2}, nonzero[7] = {3, -4, 1.5, -0.25, 7, 0.0078125, -2};
static const double complex imaginary[4] = {3 + 4 * I, -1 * I, 0, 0.5 - 2 * I};

static void orders(void)
{
    for
        EACH_DTYPE(dtype, ASH_F16, ASH_F64)
        {
            if (dtype == ASH_F64 && !here_has_f64())
                continue;
            const double eps = dtype == ASH_F64   ? 4 * DBL_EPSILON
                               : dtype == ASH_F32 ? 4 * (double)FLT_EPSILON
                               : dtype == ASH_F16 ? 0x1p-10
                                                  : 0x1p-7;
            const ash_array *a = ash_from_host(real, ASH_F64, ASH_SHAPE(8), .dtype = dtype);
            const ash_array *b = ash_from_host(nonzero, ASH_F64, ASH_SHAPE(7), .dtype = dtype);
            const ash_array *z =
                ash_from_host(imaginary, ASH_C_F64, ASH_SHAPE(4), .dtype = (ash_dtype)(dtype - ASH_F64 + ASH_C_F64));
            for (int k = 0; k < COUNT(cases); k++) {
                const ash_array *const n = ash_norm(a, .p = ASH_OPERAND(cases[k].p));
                CHECK_SCALAR(n);
                CHECK(ash_dtype_of(n) == dtype && ash_storage_of(n) == here.storage);
                CHECK_NEAR(value_of(n), cases[k].real, eps);
                CHECK_NEAR(value_of(ash_norm(b, .p = ASH_OPERAND(cases[k].p))), cases[k].nonzero, eps);
                CHECK_NEAR(value_of(ash_norm(z, .p = ASH_OPERAND(cases[k].p))), cases[k].imaginary, eps);
                CHECK(ash_dtype_of(ash_norm(z, .p = ASH_OPERAND(cases[k].p))) == dtype);
            }
            CHECK_NEAR(value_of(ash_norm(a)), cases[4].real, eps);
            CHECK_NEAR(
                value_of(ash_norm(ash_slice(ash_adjoint(ash_reshape(z, ASH_SHAPE(2, 2))), ASH_OPEN, ASH_OPEN, .step = -1))),
                cases[4].imaginary, eps);
        }
}
static void all_orders(void **state)
{
    (void)state;
    everywhere(orders, false);
}

static void along_axes(void)
{
    const ash_array *a = counting(1, ASH_F32, ASH_SHAPE(2, 3, 4), ASH_COL_MAJOR);
    CHECK_SHAPE(ash_norm(a, .axes = ASH_AXES(1)), 2, 1, 4);
    CHECK_SHAPE(ash_norm(a, .axes = ASH_AXES(0, -1), .drop = true), 3);
    CHECK_FLOATS(ash_norm(a, .axes = ASH_AXES(0, -1), .drop = true, .p = ASH_OPERAND(1)), 68, 100, 132);
    CHECK_FLOATS(ash_norm(a, .axes = ASH_AXES(0, -1), .drop = true, .p = ASH_OPERAND(INFINITY)), 16, 20, 24);
    CHECK_FLOATS(ash_norm(a, .axes = ASH_AXES(0, -1), .p = ASH_OPERAND(-INFINITY)), 1, 5, 9);
    const ash_array *t = ash_reshape(ash_f32(3, 4, 6, 8), ASH_SHAPE(2, 2));
    CHECK_FLOATS(ash_norm(t, .axes = ASH_AXES(1), .drop = true), 5, 10);
    CHECK_FLOATS(ash_norm(t, .axes = ASH_AXES(1), .drop = true, .p = ASH_OPERAND(0)), 2, 2);
    CHECK_FLOATS(ash_norm(ash_transpose(t), .axes = ASH_AXES(0)), 5, 10);
    CHECK_FLOATS(ash_norm(ash_broadcast_to(ash_f32(3), ASH_SHAPE(2, 4)), .axes = ASH_AXES(1), .drop = true), 6, 6);
    CHECK(value_of(ash_norm(ash_fill_new(ASH_SHAPE(), -2.0f))) == 2);
    /* nothing: 0 */
    for (int k = 0; k < COUNT(cases); k++) {
        CHECK(value_of(ash_norm(ash_zeros(ASH_SHAPE(0)), .p = ASH_OPERAND(cases[k].p))) == 0);
        CHECK_FLOATS(ash_norm(ash_zeros(ASH_SHAPE(2, 0)), .p = ASH_OPERAND(cases[k].p), .axes = ASH_AXES(1), .drop = true), 0,
                     0);
        CHECK_SHAPE(ash_norm(ash_zeros(ASH_SHAPE(2, 0)), .p = ASH_OPERAND(cases[k].p), .axes = ASH_AXES(0)), 1, 0);
        CHECK(isnan(value_of(ash_norm(ash_f32(1, NAN, 2), .p = ASH_OPERAND(cases[k].p)))) == (cases[k].p != 0));
    }
    CHECK_NEAR(value_of(ash_norm(ash_f32(1.9, 1, -1.9), .p = ASH_OPERAND(3000))), 1.9, 1e-3); /* 1.9^3000 is no f64 */
    CHECK_NEAR(value_of(ash_norm(ash_f32(1.9, 1.5, -1.9), .p = ASH_OPERAND(-3000))), 1.5, 1e-3);
    CHECK_NEAR(value_of(ash_norm(ash_c_f32(1 + 1 * I, 0.5), .p = ASH_OPERAND(5000))), sqrt(2), 1e-3);
    CHECK(value_of(ash_norm(ash_f32(0, 0), .p = ASH_OPERAND(3))) == 0);
    CHECK(value_of(ash_norm(ash_f32(INFINITY, INFINITY), .p = ASH_OPERAND(-3))) == INFINITY);
    CHECK(value_of(ash_norm(ash_f32(1, -INFINITY))) == INFINITY);
    CHECK(value_of(ash_norm(ash_f32(1, -INFINITY), .p = ASH_OPERAND(3))) == INFINITY);
}
static void axes(void **state)
{
    (void)state;
    everywhere(along_axes, false);
}

/* floatmax/2, floatmin*2 and beyond: (3, 4, 12) times s has norm 13 s. */
static void extremes(void)
{
    static const double tiny[] = {0x1p-1060, 0x1p-1020, 0x1p-700, 0x1p-520, 0x1p510, 0x1p700, 0x1p1019};
    static const double small[] = {0x1p-140, 0x1p-125, 0x1p-80, 0x1p-62, 0x1p62, 0x1p80, 0x1p123};
    for (int k = 0; k < 7; k++)
        for (int wide = 0; wide < (here_has_f64() ? 2 : 1); wide++) {
            const double s = wide ? tiny[k] : small[k], eps = wide ? 4 * DBL_EPSILON : 4 * (double)FLT_EPSILON;
            const double v[3] = {3 * s, -4 * s, 12 * s};
            const double complex z[2] = {3 * s - 4 * s * I, 12 * s * I};
            const ash_array *a = ash_from_host(v, ASH_F64, ASH_SHAPE(3), .dtype = wide ? ASH_F64 : ASH_F32);
            const ash_array *b = ash_from_host(z, ASH_C_F64, ASH_SHAPE(2), .dtype = wide ? ASH_C_F64 : ASH_C_F32);
            CHECK_NEAR(value_of(ash_norm(a)), 13 * s, eps);
            CHECK_NEAR(value_of(ash_norm(b)), 13 * s, eps);
            CHECK_NEAR(value_of(ash_norm(a, .p = ASH_OPERAND(1))), 19 * s, eps);
            CHECK_NEAR(value_of(ash_norm(a, .p = ASH_OPERAND(INFINITY))), 12 * s, eps);
            const double cubes = cbrt(27 + 64 + 1728) * s, inverse = s / sqrt(1 / 9.0 + 1 / 16.0 + 1 / 144.0);
            const double unit_of_last = wide ? 0x1p-1074 : 0x1p-149;
            CHECK(fabs(value_of(ash_norm(a, .p = ASH_OPERAND(3))) - cubes) <= eps * cubes + unit_of_last);
            CHECK(fabs(value_of(ash_norm(a, .p = ASH_OPERAND(-2))) - inverse) <= eps * inverse + unit_of_last);
            double unit[3];
            CHECK_OK(ash_to_host_as(ash_normalize(a), unit, sizeof unit, ASH_F64));
            CHECK_NEAR(unit[0], 3 / 13.0, eps);
            CHECK_NEAR(unit[1], -4 / 13.0, eps);
            CHECK_NEAR(unit[2], 12 / 13.0, eps);
            double complex units[2];
            CHECK_OK(ash_to_host_as(ash_normalize(b), units, sizeof units, ASH_C_F64));
            CHECK_NEAR(creal(units[0]), 3 / 13.0, eps);
            CHECK_NEAR(cimag(units[0]), -4 / 13.0, eps);
            CHECK_NEAR(cimag(units[1]), 12 / 13.0, eps);
        }
    /* the norm is too large for the dtype, the unit vector is not */
    const ash_array *most = ash_from_host(((double[]){FLT_MAX, (double)FLT_MAX}), ASH_F64, ASH_SHAPE(2), .dtype = ASH_F32);
    CHECK(value_of(ash_norm(most)) == INFINITY);
    float half[2];
    CHECK_OK(ash_to_host(ash_normalize(most), half, sizeof half));
    CHECK_ULPS_F32(half[0], (float)sqrt(0.5), 2);
    if (here_has_f64()) {
        double both[2];
        CHECK_OK(ash_to_host(ash_normalize(ash_f64(DBL_MAX, -DBL_MAX)), both, sizeof both));
        CHECK_ULPS(both[0], sqrt(0.5), 2);
        CHECK_OK(ash_to_host(ash_normalize(ash_f64(DBL_MAX, -DBL_MAX), .p = ASH_OPERAND(1)), both, sizeof both));
        CHECK(both[0] == 0.5 && both[1] == -0.5);
    }
}
static void extreme_elements(void **state)
{
    (void)state;
    everywhere(extremes, false);
}

static void other_dtypes(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    for
        EACH_DTYPE(dtype, ASH_BOOL, ASH_U64)
        {
            const ash_array *a = ash_from_host(((double[]){1, 0, 1, 1, 1}), ASH_F64, ASH_SHAPE(5), .dtype = dtype);
            CHECK(ash_dtype_of(ash_norm(a)) == ASH_F64);
            CHECK_FLOATS(ash_norm(a), 2);
            CHECK_FLOATS(ash_norm(a, .p = ASH_OPERAND(1)), 4);
            CHECK_FLOATS(ash_normalize(a), 0.5, 0, 0.5, 0.5, 0.5);
        }
    CHECK_FLOATS(ash_norm(ash_i8(-128, 96)), 160); /* |-128| does not fit i8 */
    CHECK_FLOATS(ash_norm(ash_i8(-128), .p = ASH_OPERAND(INFINITY)), 128);
    CHECK_FLOATS(ash_norm(ash_u64(UINT64_MAX)), 0x1p64);
    CHECK(ash_dtype_of(ash_normalize(ash_convert(ash_c_f32(3, 4 * I), ASH_C_I8))) == ASH_C_F64);
    CHECK_FLOATS(ash_norm(ash_c_f32(3, 4 * I)), 5);
    CHECK_SHAPE(ash_normalize(ash_zeros(ASH_SHAPE(0, 3))), 0, 3);
    const ash_array *t = ash_reshape(ash_f32(3, 4, 6, 8), ASH_SHAPE(2, 2));
    CHECK_NEAR(value_of(ash_view(ash_normalize(t, .axes = ASH_AXES(1)), 1, 0)), 0.6, 1e-6);
    CHECK_FLOATS(ash_normalize(t, .axes = ASH_AXES(1), .p = ASH_OPERAND(INFINITY)), 0.75, 1, 0.75, 1);
    CHECK(isnan(value_of(ash_view(ash_normalize(ash_f32(0, 0)), 0))));
}

static void operator_norms(void)
{
    const ash_array *a = ash_reshape(ash_f32(1, -2, 3, 4, 5, -6), ASH_SHAPE(2, 3));
    CHECK_FLOATS(ash_opnorm(a, .p = ASH_OPERAND(1)), 9);
    CHECK_FLOATS(ash_opnorm(a, .p = ASH_OPERAND(INFINITY)), 15);
    CHECK_FLOATS(ash_opnorm(ash_transpose(a), .p = ASH_OPERAND(1)), 15);
    CHECK_NEAR(value_of(ash_opnorm(a)), 9.225027715260929, 1e-6); /* numpy.linalg.norm(a, 2) */
    CHECK_FLOATS(ash_opnorm(ash_reshape(ash_f32(3, 0, 0, 4), ASH_SHAPE(2, 2)), .p = ASH_OPERAND(2)), 4);
    for (int k = 0; k < 3; k++) {
        const double p = k == 2 ? (double)INFINITY : k + 1;
        CHECK_FLOATS(ash_opnorm(ash_zeros(ASH_SHAPE(2, 0)), .p = ASH_OPERAND(p)), 0);
        CHECK_FLOATS(ash_opnorm(ash_zeros(ASH_SHAPE(0, 2)), .p = ASH_OPERAND(p)), 0);
        CHECK_SHAPE(ash_opnorm(ash_zeros(ASH_SHAPE(4, 0, 2, 2)), .p = ASH_OPERAND(p)), 4, 0);
        CHECK(ash_dtype_of(ash_opnorm(a, .p = ASH_OPERAND(p))) == ASH_F32);
        CHECK(ash_dtype_of(ash_opnorm(ash_convert(a, ASH_F16), .p = ASH_OPERAND(p))) == ASH_F16);
    }
    const ash_array *stack = ash_stack(ASH_ARRAYS(a, ash_map("x -> 2f*x", a)));
    CHECK_FLOATS(ash_opnorm(stack, .p = ASH_OPERAND(1)), 9, 18);
    const ash_array *z = ash_reshape(ash_c_f32(3 + 4 * I, 0, 0, 1), ASH_SHAPE(2, 2));
    CHECK_NEAR(value_of(ash_opnorm(z)), 5, 1e-6);
    CHECK_FLOATS(ash_opnorm(ash_adjoint(z), .p = ASH_OPERAND(1)), 5);
}
static void opnorms(void **state)
{
    (void)state;
    everywhere(operator_norms, false);
}

ASH_RECORD(spot, (f32, x), (i16, n));
static void refused(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    const ash_array *a = ash_ones(ASH_SHAPE(2, 2));
    CHECK(!ash_norm(a, .p = ASH_OPERAND(NAN)));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_norm: .p is nan; a number was wanted");
    CHECK(!ash_norm(a, .p = ASH_OPERAND(a)));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_norm: .p is an array; a real number was wanted");
    CHECK(!ash_norm(a, .axes = ASH_AXES(2)));
    CHECK_ERROR_HAS(ASH_ERR_BOUNDS, "ash_norm: ");
    CHECK(!ash_norm(ash_zeros(ASH_SHAPE(2), .dtype = spot_dtype())));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_norm: a is spot; numbers were wanted");
    CHECK(!ash_opnorm(a, .p = ASH_OPERAND(3)));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_opnorm: .p is 3; 1, 2 or inf are wanted");
    CHECK(!ash_opnorm(ash_f32(1)));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_opnorm: a has shape (1); rank 2 or more is wanted");
    CHECK(!ash_opnorm(ash_reshape(ash_f32(1, NAN, 1, 1), ASH_SHAPE(2, 2))));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_opnorm: element (0, 1) is nan; finite numbers are wanted");
    CHECK(!ash_normalize(a, .drop = true));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_normalize: .drop has no meaning here");
    CHECK(!ash_trace(ash_f32(1)));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_trace: a has shape (1); rank 2 or more is wanted");
    CHECK(!ash_cross(ash_f32(1, 2), ash_f32(1, 2)));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_cross: a has shape (2); vectors of 3 are wanted along axis -1");
    CHECK(!ash_cross(ash_f32(1, 2, 3), ash_fill_new(ASH_SHAPE(), 1)));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_cross: b has shape (); vectors of 3 are wanted");
    CHECK(!ash_kron(a, ash_zeros(ASH_SHAPE(2), .dtype = spot_dtype())));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_kron: a is f32 and b spot; numbers were wanted");
    CHECK(!ash_is_triu(ash_f32(1)));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_is_triu: a has shape (1); rank 2 or more is wanted");
    CHECK(!ash_mirror(ash_ones(ASH_SHAPE(2, 3))));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_mirror: a has shape (2, 3); matrices must be square");
    ash_array *x = ash_f32(1, 2, 3);
    CHECK(ash_rotate_into(x, x, 1.0f, 0.0f) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_rotate_into: x and y are the same memory");
    CHECK(ash_rotate_into(x, ash_f32(1), 1.0f, 0.0f) == ASH_ERR_SHAPE);
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_rotate_into: x has shape (3) and y (1)");
    CHECK(ash_reflect_into(x, ash_i32(1, 2, 3), 1.0f, 0.0f) == ASH_ERR_DTYPE);
    CHECK_ERROR_HAS(ASH_ERR_DTYPE, "ash_reflect_into: ");
    CHECK_FLOATS(x, 1, 2, 3);
    CHECK(!ash_norm(NULL));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_norm: a is NULL");
}

/* ---- small products */

static void products(void)
{
    const ash_array *m = counting(1, ASH_I32, ASH_SHAPE(2, 3), ASH_COL_MAJOR), *v = ash_i32(1, 2);
    CHECK_INTS(ash_trace(m), 6);
    CHECK(ash_dtype_of(ash_trace(m)) == ASH_I64);
    CHECK_INTS(ash_trace(m, .offset = 1), 8);
    CHECK_INTS(ash_trace(m, .offset = 5), 0);
    CHECK_INTS(ash_trace(ash_zeros(ASH_SHAPE(0, 0), .dtype = ASH_I8)), 0);
    CHECK_FLOATS(ash_trace(counting(0, ASH_F32, ASH_SHAPE(2, 2, 2), ASH_ROW_MAJOR)), 3, 11);
    /* numpy.kron */
    CHECK_INTS(ash_kron(v, ash_i32(10, 1)), 10, 1, 20, 2);
    const ash_array *k = ash_kron(m, ash_i32(1, 10));
    CHECK_SHAPE(k, 2, 6);
    CHECK_INTS(k, 1, 10, 2, 20, 3, 30, 4, 40, 5, 50, 6, 60);
    CHECK(ash_layout_of(k) == ASH_COL_MAJOR);
    const ash_array *q = ash_kron(ash_eye(2), ash_reshape(ash_f32(1, 2, 3, 4), ASH_SHAPE(2, 2)));
    CHECK_FLOATS(q, 1, 2, 0, 0, 3, 4, 0, 0, 0, 0, 1, 2, 0, 0, 3, 4);
    CHECK_FLOATS(ash_kron(ash_transpose(ash_reshape(ash_f32(1, 2), ASH_SHAPE(1, 2))), ash_f32(1, 3)), 1, 3, 2, 6);
    CHECK_FLOATS(ash_kron(ash_fill_new(ASH_SHAPE(), 2.0f), ash_f32(1, 3)), 2, 6);
    CHECK_SHAPE(ash_kron(ash_ones(ASH_SHAPE(2, 0)), ash_ones(ASH_SHAPE(3, 4, 5))), 3, 8, 0);
    CHECK_INTS(ash_kron(ash_bool(1, 0), ash_bool(1, 1)), 1, 1, 0, 0);
    const ash_array *z = ash_reshape(ash_c_f32(1 + 2 * I, 0, 0, 3), ASH_SHAPE(2, 2));
    CHECK_FLOATS(ash_map("imag", ash_kron(ash_adjoint(z), ash_f32(1, 2))), -2, -4, 0, 0, 0, 0, 0, 0);
    const ash_array *deep = ash_ones(ASH_SHAPE(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2));
    CHECK(ash_size(ash_kron(deep, deep)) == 4);
    /* numpy.cross */
    CHECK_FLOATS(ash_cross(ash_f32(1, 2, 3), ash_f32(4, 5, 6)), -3, 6, -3);
    CHECK_INTS(ash_cross(ash_i8(1, 2, 3), ash_i16(4, 5, 6)), -3, 6, -3);
    CHECK(ash_dtype_of(ash_cross(ash_i8(1, 2, 3), ash_i16(4, 5, 6))) == ASH_I16);
    const ash_array *rows = ash_reshape(ash_f32(1, 0, 0, 0, 1, 0), ASH_SHAPE(2, 3));
    CHECK_FLOATS(ash_cross(rows, ash_f32(0, 0, 1)), 0, -1, 0, 1, 0, 0);
    CHECK_FLOATS(ash_cross(ash_f32(0, 0, 1), rows), 0, 1, 0, -1, 0, 0);
    const ash_array *columns =
        ash_cross(ash_transpose(rows), ash_reshape(ash_f32(0, 0, 1), ASH_SHAPE(3, 1)), .axes = ASH_AXES(0));
    CHECK_SHAPE(columns, 3, 2);
    CHECK_FLOATS(columns, 0, 1, -1, 0, 0, 0);
    CHECK_SHAPE(ash_cross(ash_zeros(ASH_SHAPE(0, 3)), ash_f32(0, 0, 1)), 0, 3);
    CHECK_SHAPE(ash_cross(ash_zeros(ASH_SHAPE(4, 1, 3)), ash_zeros(ASH_SHAPE(5, 3))), 4, 5, 3);
}
static void small_products(void **state)
{
    (void)state;
    everywhere(products, false);
}

/* ---- rotations */

static void givens(void)
{
    static const float pairs[][2] = {
        {3, 4},  {-3, 4}, {3, -4},        {-3, -4},          {0, 2},          {0, -2},    {2, 0},
        {-2, 0}, {0, 0},  {3e30f, 4e30f}, {3e-35f, -4e-35f}, {1e-30f, 1e30f}, {3e38f, 0}, {FLT_MAX / 2, FLT_MAX / 2}};
    for (int k = 0; k < COUNT(pairs); k++) {
        const float a = pairs[k][0], b = pairs[k][1];
        const ash_givens_result g = ash_givens(a, b);
        const double c = value_of(g.c), s = value_of(g.s), r = value_of(g.r), most = 4 * (double)FLT_EPSILON;
        CHECK_SCALAR(g.c);
        CHECK(ash_dtype_of(g.c) == ASH_F32 && ash_dtype_of(g.r) == ASH_F32);
        CHECK(c >= 0 && fabs(c * c + s * s - 1) <= most);
        CHECK_NEAR(r, (a < 0 ? -1 : 1) * hypot((double)a, (double)b), most);
        CHECK(fabs(c * (double)a + s * (double)b - r) <= most * fabs(r));
        CHECK(fabs(c * (double)b - s * (double)a) <= most * fabs(r));
    }
    const ash_givens_result none = ash_givens(2.0f, 0.0f);
    CHECK(value_of(none.c) == 1 && value_of(none.s) == 0 && value_of(none.r) == 2);
    const ash_givens_result rows = ash_givens(ash_f32(3, 0, 5), ash_f32(4, 2, 0));
    CHECK_FLOATS(rows.r, 5, 2, 5);
    CHECK_FLOATS(rows.c, 0.6f, 0, 1);
    static const float complex twos[][2] = {
        {3 + 4 * I, 12}, {1 * I, 2 - 3 * I}, {0, -2 * I}, {2 - 1 * I, 0}, {1e30f, 1e30f * I}};
    for (int k = 0; k < COUNT(twos); k++) {
        const float complex a = twos[k][0], b = twos[k][1];
        const ash_givens_result g = ash_givens(a, b);
        CHECK(ash_dtype_of(g.c) == ASH_F32 && ash_dtype_of(g.s) == ASH_C_F32);
        double complex s, r;
        const double c = value_of(g.c),
                     most = 4 * (double)FLT_EPSILON * hypot(cabs((double complex)a), cabs((double complex)b));
        CHECK_OK(ash_to_host_as(g.s, &s, sizeof s, ASH_C_F64));
        CHECK_OK(ash_to_host_as(g.r, &r, sizeof r, ASH_C_F64));
        CHECK(c >= 0 && fabs(c * c + creal(s * conj(s)) - 1) <= 4 * (double)FLT_EPSILON);
        CHECK(cabs(c * (double complex)a + s * (double complex)b - r) <= most);
        CHECK(cabs(c * (double complex)b - conj(s) * (double complex)a) <= most);
    }
    CHECK(!ash_givens(ash_zeros(ASH_SHAPE(2), .dtype = spot_dtype()), 1.0f).c);
    CHECK_ERROR_HAS(ASH_ERR_DTYPE, "ash_givens: ");
    CHECK(!ash_givens(ash_f32(1, 2), ash_f32(1, 2, 3)).c);
    CHECK_ERROR_HAS(ASH_ERR_SHAPE, "ash_givens: ");
}
static void turned(void)
{
    ash_array *x = ash_f32(1, 2, 3), *y = ash_f32(4, 5, 6);
    CHECK_OK(ash_rotate_into(x, y, 0.5f, 2.0f)); /* c x + s y, c y - s x */
    CHECK_FLOATS(x, 8.5, 11, 13.5);
    CHECK_FLOATS(y, 0, -1.5, -3);
    x = ash_f32(1, 2, 3), y = ash_f32(4, 5, 6);
    CHECK_OK(ash_reflect_into(x, y, 0.5f, 2.0f)); /* c x + s y, s x - c y */
    CHECK_FLOATS(x, 8.5, 11, 13.5);
    CHECK_FLOATS(y, 0, 1.5, 3);
    ash_array *z = ash_c_f32(1, 1 * I), *w = ash_c_f32(2, 3);
    CHECK_OK(ash_rotate_into(z, w, 1.0f, ash_c_f32(1 * I, 2)));
    CHECK_FLOATS(ash_map("real", z), 1, 6);
    CHECK_FLOATS(ash_map("imag", z), 2, 1);
    CHECK_FLOATS(ash_map("real", w), 2, 3);
    CHECK_FLOATS(ash_map("imag", w), 1, -2);
    /* rows of a column-major matrix, a column at a time backwards */
    ash_array *m = counting(1, ASH_F32, ASH_SHAPE(2, 3), ASH_COL_MAJOR);
    CHECK_OK(ash_rotate_into(ash_view(m, 0), ash_slice(ash_view(m, 1), ASH_OPEN, ASH_OPEN, .step = -1), 0.0f, 1.0f));
    CHECK_FLOATS(m, 6, 5, 4, -3, -2, -1);
    CHECK_OK(ash_rotate_into(ash_zeros(ASH_SHAPE(0)), ash_zeros(ASH_SHAPE(0)), 1.0f, 0.0f));
}
static void rotations(void **state)
{
    (void)state;
    everywhere(givens, false);
    everywhere(turned, false);
}

/* ---- what matrices look like */

static void looks(void)
{
    /* every k from -4 to 4, every shape: against the definition */
    static const int64_t shapes[][2] = {{0, 0}, {0, 2}, {2, 0}, {1, 1}, {3, 3}, {2, 4}, {4, 2}};
    for (int s = 0; s < COUNT(shapes); s++)
        for (int64_t at = -4; at <= 4; at++) /* the one diagonal that is not 0 */
            for (int64_t k = -4; k <= 4; k++) {
                float value[16] = {0};
                bool upper = true, lower = true;
                for (int64_t i = 0; i < shapes[s][0]; i++)
                    for (int64_t j = 0; j < shapes[s][1]; j++)
                        if (j - i == at) {
                            value[i * shapes[s][1] + j] = NAN;
                            upper &= at >= k;
                            lower &= at <= k;
                        }
                const ash_dims shape = {shapes[s], 2};
                const ash_array *a = ash_from_host(value, ASH_F32, shape);
                CHECK(ash_is_triu(a, .k = k) == upper && ash_is_tril(a, .k = k) == lower);
                if (k == 0)
                    CHECK(ash_is_diagonal(a) == (upper && lower));
            }
    const ash_array *a = ash_reshape(ash_f32(1, 2, 2, 5), ASH_SHAPE(2, 2)),
                    *b = ash_reshape(ash_f32(1, 2, 3, 5), ASH_SHAPE(2, 2));
    const ash_array *z = ash_reshape(ash_c_f32(1, 2 * I, -2 * I, 3), ASH_SHAPE(2, 2));
    CHECK(ash_is_symmetric(a) && ash_is_hermitian(a) && !ash_is_symmetric(b) && !ash_is_hermitian(b));
    CHECK(!ash_is_symmetric(z) && ash_is_hermitian(z) && ash_is_hermitian(ash_adjoint(z)));
    CHECK(!ash_is_hermitian(ash_reshape(ash_c_f32(1 * I), ASH_SHAPE(1, 1))));
    CHECK(!ash_is_symmetric(ash_ones(ASH_SHAPE(2, 3))) && ash_is_symmetric(ash_ones(ASH_SHAPE(0, 0))));
    CHECK(ash_is_symmetric(ash_stack(ASH_ARRAYS(a, a))) && !ash_is_symmetric(ash_stack(ASH_ARRAYS(a, b))));
    CHECK(!ash_is_symmetric(ash_fill_new(ASH_SHAPE(1, 1), NAN)));
    CHECK(ash_is_triu(ash_bool(1, 1, 0, 1) ? ash_reshape(ash_bool(1, 1, 0, 1), ASH_SHAPE(2, 2)) : NULL));
    /* mirrors */
    CHECK_FLOATS(ash_mirror(b), 1, 3, 3, 5);
    CHECK_FLOATS(ash_mirror(b, .upper = true), 1, 2, 2, 5);
    CHECK_FLOATS(ash_map("imag", ash_mirror(z, .conjugated = true)), 0, 2, -2, 0);
    CHECK_FLOATS(ash_map("imag", ash_mirror(z)), 0, -2, -2, 0);
    ash_array *c = ash_copy(b, .layout = ASH_COL_MAJOR);
    CHECK_OK(ash_mirror_into(c, c));
    CHECK_FLOATS(c, 1, 3, 3, 5);
    CHECK_SHAPE(ash_mirror(ash_zeros(ASH_SHAPE(2, 0, 0))), 2, 0, 0);
    CHECK(ash_is_symmetric(ash_mirror(counting(0, ASH_I16, ASH_SHAPE(2, 5, 5), ASH_ROW_MAJOR))));
}
static void matrices(void **state)
{
    (void)state;
    everywhere(looks, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(all_orders), TEST(axes),           TEST(extreme_elements), TEST(other_dtypes), TEST(opnorms),
        TEST(refused),    TEST(small_products), TEST(rotations),        TEST(matrices),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
