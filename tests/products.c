/*
 * products.c - products of matrices and vectors, and matrices made of their diagonals.
 *
 * Sums are made anew here by plain loops in long double; a float may be off by what k roundings of the products' magnitudes
 * amount to (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., SIAM 2002, section 3.5), an integer not at
 * all. Small values are NumPy's, or by hand.
 */
#include <complex.h>

#include "core/alloc.h"
#include "test.h"

typedef long double _Complex sum;
ASH_RECORD(spot, (f32, x, 2), (i16, n));

static bool has_f64(void)
{
    return ash_device_can(ash_resources_device(ash_current_resources()), ASH_CAP_F64);
}
static bool is_complex(ash_dtype d)
{
    return d >= ASH_C_I8;
}
static ash_dtype part_of(ash_dtype d)
{
    return is_complex(d) ? (ash_dtype)(d - ASH_C_I8 + ASH_I8) : d;
}
static bool is_float(ash_dtype d)
{
    return part_of(d) >= ASH_F16;
}

/* ---- numbers, and views of them ------------------------------------------------------------------------------------------ */

static uint64_t seed = 1;
static int64_t draw(int64_t n)
{
    seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (int64_t)((seed >> 33) % (uint64_t)n);
}

/* Integers from -8 to 8 (from 0 without a sign), floats of few digits between -1 and 1. */
static ash_array *numbers(ash_dtype dtype, ash_dims shape)
{
    const ash_dtype part = part_of(dtype);
    int64_t n = 1;
    for (int64_t k = 0; k < shape.rank; k++)
        n *= shape.size[k];
    double _Complex *const value = calloc((size_t)n + 1, sizeof *value);
    for (int64_t i = 0; i < n; i++)
        for (int side = 0; side < 2; side++) {
            const double x = part == ASH_BOOL                    ? (double)(draw(4) == 0)
                             : is_float(part)                    ? (double)(draw(2001) - 1000) / 1024
                             : part >= ASH_U8 && part <= ASH_U64 ? (double)draw(9)
                                                                 : (double)(draw(17) - 8);
            value[i] += side == 0 ? x : is_complex(dtype) ? x * I : 0;
        }
    ash_array *a = ash_from_host(value, ASH_C_F64, shape, .dtype = dtype);
    free(value);
    CHECK(a);
    return a;
}

enum { AS_IS, COLUMNS, TRANSPOSED, ADJOINT, REVERSED, SPREAD, WAYS };
/* The same elements, lying in another way. */
static ash_array *lying(const ash_array *a, int way)
{
    ash_array *turned;
    switch (way) {
    case COLUMNS:
        return ash_contiguous(a, .layout = ASH_COL_MAJOR);
    case TRANSPOSED:
        return ash_transpose(ash_contiguous(ash_transpose(a), .layout = ASH_ROW_MAJOR));
    case ADJOINT:
        turned = ash_copy(ash_adjoint(a));
        return ash_adjoint(turned);
    case REVERSED:
        return ash_slice(ash_reverse(a, .axes = ASH_AXES(1)), ASH_OPEN, ASH_OPEN, .axes = ASH_AXES(1), .step = -1);
    case SPREAD:
        turned = ash_reverse(ash_repeat(ash_repeat(a, 2), 3, .axis = 1));
        return ash_view(turned, ASH_RANGE(ASH_OPEN, ASH_OPEN, -2), ASH_RANGE(ASH_OPEN, ASH_OPEN, -3));
    default:
        return ash_share((ash_array *)(uintptr_t)a);
    }
}

static double _Complex *values(const ash_array *a)
{
    double _Complex *const v = calloc((size_t)ash_size(a) + 1, sizeof *v);
    CHECK_OK(ash_to_host_as(a, v, (size_t)ash_size(a) * sizeof *v, ASH_C_F64));
    return v;
}

/* ---- the check ----------------------------------------------------------------------------------------------------------- */

static long double wrapped(ash_dtype part, long double x)
{
    const int64_t i = (int64_t)x;
    switch (part) {
    case ASH_BOOL:
        return x != 0;
    case ASH_I8:
        return (int8_t)i;
    case ASH_I16:
        return (int16_t)i;
    case ASH_I32:
        return (int32_t)i;
    case ASH_U8:
        return (uint8_t)i;
    case ASH_U16:
        return (uint16_t)i;
    case ASH_U32:
        return (uint32_t)i;
    case ASH_U64:
        return (double)(uint64_t)i; /* as it is read back */
    default:
        return (long double)i;
    }
}

/* How far a float may be off: k roundings of the sum of magnitudes, and for the half types one of the result. */
static long double allowed(ash_dtype dtype, int64_t k, long double magnitude, long double size)
{
    switch (part_of(dtype)) {
    case ASH_F16:
        return (long double)(k + 8) * 0x1p-24L * magnitude * 3 + size * 0x1p-10L + 0x1p-24L;
    case ASH_BF16:
        return (long double)(k + 8) * 0x1p-24L * magnitude * 3 + size * 0x1p-7L;
    case ASH_F32:
        return (long double)(k + 8) * 0x1p-24L * magnitude * 3;
    case ASH_F64:
        return (long double)(k + 8) * 0x1p-53L * magnitude * 3;
    default:
        return 0;
    }
}

/* c = alpha a b + beta before, of matrices; before may be NULL. */
static void check_product(const ash_array *c, const ash_array *a, const ash_array *b, sum alpha, sum beta,
                          const ash_array *before, int line)
{
    if (!c)
        fail_here(__FILE__, line, "no product");
    const int64_t m = ash_shape(a)[0], k = ash_shape(a)[1], n = ash_shape(b)[1];
    const ash_dtype dtype = ash_dtype_of(c), part = part_of(dtype);
    CHECK_SHAPE(c, m, n);
    double _Complex *const x = values(a), *const y = values(b), *const got = values(c),
                           *const old = before ? values(before) : NULL;
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++) {
            long double re = 0, im = 0, magnitude = 0;
            for (int64_t p = 0; p < k; p++) {
                const double *const u = (double *)&x[i * k + p], *const v = (double *)&y[p * n + j];
                re += (long double)u[0] * v[0] - (long double)u[1] * v[1];
                im += (long double)u[0] * v[1] + (long double)u[1] * v[0];
                magnitude += (fabs(u[0]) + fabs(u[1])) * (fabs(v[0]) + fabs(v[1]));
            }
            sum s = re + im * I;
            s = alpha * s + (old ? beta * old[i * n + j] : 0);
            magnitude = cabsl(alpha) * magnitude + (old ? cabsl(beta * old[i * n + j]) : 0);
            if (!is_float(part))
                s = wrapped(part, creall(s)) + (is_complex(dtype) ? wrapped(part, cimagl(s)) * I : 0);
            if (!(cabsl(got[i * n + j] - s) <= allowed(dtype, k, magnitude, cabsl(s))))
                fail_here(__FILE__, line, "%s (%d, %d) times (%d, %d): element (%d, %d) is %.9g%+.9gi, not %.9g%+.9gi",
                          ash_dtype_name(dtype), (int)m, (int)k, (int)k, (int)n, (int)i, (int)j, creal(got[i * n + j]),
                          cimag(got[i * n + j]), (double)creall(s), (double)cimagl(s));
        }
    free(x);
    free(y);
    free(got);
    free(old);
}
#define CHECK_PRODUCT(c, a, b) check_product(c, a, b, 1, 0, NULL, __LINE__)
#define CHECK_GEMM(c, a, b, alpha, beta, before) check_product(c, a, b, alpha, beta, before, __LINE__)

/* ---- values -------------------------------------------------------------------------------------------------------------- */

static ash_array *two_by_three(void)
{
    return ash_reshape(ash_i64(1, 2, 3, 4, 5, 6), ASH_SHAPE(2, 3));
}

/* numpy.matmul of the same. */
static void small_values(void)
{
    ash_array *m = two_by_three(), *t = ash_transpose(m), *v = ash_i64(1, -1, 2), *w = ash_i64(2, 3);
    CHECK_INTS(ash_matmul(m, t), 14, 32, 32, 77);
    CHECK_INTS(ash_matmul(t, m), 17, 22, 27, 22, 29, 36, 27, 36, 45);
    CHECK_INTS(ash_matmul(m, v), 5, 11);
    CHECK_SHAPE(ash_matmul(m, v), 2);
    CHECK_INTS(ash_matmul(w, m), 14, 19, 24);
    CHECK_SCALAR(ash_matmul(v, v));
    CHECK_INTS(ash_matmul(v, v), 6);
    CHECK_INTS(ash_dot(v, ash_i64(4, 5, 6)), 11);
    CHECK_INTS(ash_outer(w, v), 2, -2, 4, 3, -3, 6);
    ash_array *z = ash_c_f32(1 + 2 * I, 3 - I), *u = ash_c_f32(2 * I, 1 + I);
    CHECK_FLOATS(ash_map("real", ash_dot(z, u)), 0); /* (1+2i)2i + (3-i)(1+i) = -4+2i + 4+2i */
    CHECK_FLOATS(ash_map("imag", ash_dot(z, u)), 4);
    CHECK_FLOATS(ash_map("real", ash_vdot(z, u)), 6); /* (1-2i)2i + (3+i)(1+i) = 4+2i + 2+4i */
    CHECK_FLOATS(ash_map("imag", ash_vdot(z, u)), 6);
    CHECK_INTS(ash_vdot(m, ash_reshape(ash_i64(1, 0, 0, 0, 0, 2), ASH_SHAPE(3, 2))), 13);
    CHECK_INTS(ash_vdot(t, ash_i64(1, 0, 0, 0, 0, 2)), 13);
    CHECK_INTS(ash_matmul(ash_bool(true, false, true), ash_bool(false, true, true)), 1);
    CHECK(ash_dtype_of(ash_matmul(ash_bool(true), ash_bool(true))) == ASH_BOOL);
    CHECK_INTS(ash_matmul(ash_bool(true, false, true), ash_bool(false, true, false)), 0);
}

static void batches(void)
{
    ash_array *a = counting(0, ASH_F32, ASH_SHAPE(2, 1, 2, 3), ASH_ROW_MAJOR);
    ash_array *b = counting(0, ASH_F32, ASH_SHAPE(3, 3, 2), ASH_COL_MAJOR);
    ash_array *c = ash_matmul(a, b);
    CHECK_SHAPE(c, 2, 3, 2, 2);
    for (int64_t i = 0; i < 2; i++)
        for (int64_t j = 0; j < 3; j++)
            CHECK(ash_equal(ash_view(c, i, j), ash_matmul(ash_view(a, i, 0), ash_view(b, j))));
    CHECK_FLOATS(ash_view(c, 1, 2), 298, 319, 424, 454); /* NumPy */
    CHECK_SHAPE(ash_matmul(a, ash_ones(ASH_SHAPE(3))), 2, 1, 2);
    CHECK_SHAPE(ash_matmul(ash_ones(ASH_SHAPE(2)), a), 2, 1, 3);
    CHECK_FLOATS(ash_matmul(ash_ones(ASH_SHAPE(2)), a), 3, 5, 7, 15, 17, 19);
    CHECK_FLOATS(ash_matmul(a, ash_ones(ASH_SHAPE(3))), 3, 12, 21, 30);
    CHECK_SHAPE(ash_matmul(ash_empty(ASH_SHAPE(0, 2, 3)), ash_ones(ASH_SHAPE(3, 4))), 0, 2, 4);
    /* so many that threads share them */
    ash_array *many = counting(0, ASH_I32, ASH_SHAPE(500, 8, 8), ASH_ROW_MAJOR), *square = ash_matmul(many, many);
    ash_array *one = ash_view(many, 499);
    CHECK(ash_equal(ash_view(square, 499), ash_matmul(one, one)));
    CHECK(ash_equal(ash_view(square, ASH_RANGE(0, 500, 7)),
                    ash_matmul(ash_view(many, ASH_RANGE(0, 500, 7)), ash_view(many, ASH_RANGE(0, 500, 7)))));
    CHECK_PRODUCT(ash_matmul(one, one), one, one);
}

static void dtypes(void)
{
    ash_array *i = ash_fill_new(ASH_SHAPE(1, 20), (signed char)100), *t = ash_transpose(i);
    ash_array *wide = ash_matmul(i, t, .dtype = ASH_I32);
    CHECK(ash_dtype_of(wide) == ASH_I32);
    CHECK_INTS(wide, 200000);
    CHECK_INTS(ash_matmul(i, t), 64); /* 200000 modulo 256 */
    CHECK_FLOATS(ash_matmul(i, t, .dtype = ASH_F32), 200000);
    CHECK_INTS(ash_matmul(ash_i16(300, 300), ash_i16(300, 300), .dtype = ASH_I32), 180000);
    CHECK_INTS(ash_dot(ash_i8(100, 100), ash_i8(100, 100), .dtype = ASH_I64), 20000);
    CHECK(ash_dtype_of(ash_matmul(ash_i8(1), ash_u16(1))) == ASH_U16);
    CHECK(ash_dtype_of(ash_matmul(ash_i64(1), ash_f32(1))) == ASH_F32);
    CHECK(ash_dtype_of(ash_matmul(ash_f32(1), ash_c_f32(1))) == ASH_C_F32);
    CHECK_INTS(ash_matmul(ash_i8(-1), ash_u8(1)), 255); /* u8, modulo 2^8 */
    CHECK_INTS(ash_matmul(ash_bool(true, true), ash_i64(3, 4)), 7);
    CHECK_INTS(ash_matmul(ash_bool(true, true), ash_bool(true, true), .dtype = ASH_I64), 2);
    CHECK_FLOATS(ash_map("imag", ash_matmul(ash_f32(2, 3), ash_c_f32(1 + I, -2 * I))), -4);
    /* 2049 ones: a sum in f16 would stay at 2048, and rounded once 2049 is 2048, but 2050 is there */
    ash_array *ones = ash_ones(ASH_SHAPE(2050), .dtype = ASH_F16);
    CHECK_FLOATS(ash_matmul(ones, ones), 2050);
    ash_array *bones = ash_ones(ASH_SHAPE(1000), .dtype = ASH_BF16);
    CHECK_FLOATS(ash_matmul(bones, bones), 1000);
    CHECK(ash_dtype_of(ash_matmul(ones, ash_ones(ASH_SHAPE(2050), .dtype = ASH_BF16))) == ASH_F32);
    CHECK_INTS(ash_matmul(ash_u64(UINT64_MAX, 3), ash_u64(2, 1)), 1);
    CHECK_INTS(ash_matmul(ash_i64(INT64_MAX), ash_i64(2)), -2);
    CHECK(!ash_matmul(ash_f32(1), ash_f32(1), .dtype = ASH_I32));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_matmul: .dtype is i32, which does not hold the product of f32 and f32, f32");
    CHECK(!ash_matmul(ash_c_f32(1), ash_f32(1), .dtype = ASH_F32));
    CHECK_ERROR_HAS(ASH_ERR_DTYPE, "which does not hold");
    CHECK(!ash_matmul(ash_empty(ASH_SHAPE(1), .dtype = spot_dtype()), ash_f32(1)));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_matmul: a is spot and b is f32, which have no product");
}

static void layouts_of_results(void)
{
    ash_array *r = ash_ones(ASH_SHAPE(3, 3)), *c = ash_ones(ASH_SHAPE(3, 3), .layout = ASH_COL_MAJOR);
    ash_array *tall = ash_ones(ASH_SHAPE(4, 3), .layout = ASH_COL_MAJOR);
    CHECK(ash_layout_of(ash_matmul(r, c)) == ASH_ROW_MAJOR);
    CHECK(ash_layout_of(ash_matmul(c, r)) == ASH_COL_MAJOR);
    CHECK(ash_layout_of(ash_matmul(tall, r)) == ASH_COL_MAJOR); /* tall has the result's shape */
    CHECK(ash_layout_of(ash_matmul(ash_transpose(tall), ash_ones(ASH_SHAPE(4, 2), .layout = ASH_COL_MAJOR))) == ASH_ROW_MAJOR);
    CHECK(ash_layout_of(ash_matmul(tall, ash_ones(ASH_SHAPE(3, 2), .layout = ASH_COL_MAJOR))) == ASH_COL_MAJOR);
    CHECK(ash_layout_of(ash_matmul(c, c, .layout = ASH_ROW_MAJOR)) == ASH_ROW_MAJOR);
    CHECK(ash_storage_of(ash_matmul(r, c)) == here.storage);
    CHECK(ash_storage_of(ash_matmul(ash_ones(ASH_SHAPE(2, 2), .storage = ASH_PRIVATE),
                                    ash_ones(ASH_SHAPE(2, 2), .storage = ASH_SHARED))) == ASH_SHARED);
    CHECK(ash_layout_of(ash_outer(ash_f32(1, 2), ash_f32(1, 2, 3), .layout = ASH_COL_MAJOR)) == ASH_COL_MAJOR);
}

/* ---- every dtype, way of lying and size ---------------------------------------------------------------------------------- */

static const int64_t sizes[] = {0, 1, 2, 3, 7, 16, 17, 64, 65, 130, 300};

static int64_t a_size(void)
{
    return sizes[draw(draw(4) ? COUNT(sizes) - 2 : COUNT(sizes))];
}

static void matmul_of_random(ash_dtype dtype)
{
    ASH_SCOPE(scope);
    const int64_t m = a_size(), k = a_size(), n = a_size();
    if (m * n * k > 300000 / SLOW)
        return;
    ash_array *a = numbers(dtype, ASH_SHAPE(m, k)), *b = numbers(dtype, ASH_SHAPE(k, n));
    ash_array *x = lying(a, (int)draw(WAYS)), *y = lying(b, (int)draw(WAYS));
    CHECK(x && y);
    CHECK_PRODUCT(ash_matmul(x, y, .layout = layouts[draw(2)]), a, b);
    ash_array *before = numbers(dtype, ASH_SHAPE(m, n)), *c = lying(before, COLUMNS + (int)draw(WAYS - 1));
    if (!m || !n || c == before)
        return;
    before = ash_copy(before);
    const int alpha = (int)draw(dtype == ASH_BOOL ? 2 : 3), beta = (int)draw(dtype == ASH_BOOL ? 2 : 3);
    const ash_operand by =
        is_complex(dtype) ? ash_operand_complex(ASH_C_F32, alpha, is_float(dtype)) : ash_operand_i8((signed char)alpha);
    const sum factor = is_complex(dtype) && is_float(dtype) ? alpha + 1.0L * I : alpha;
    if (is_complex(dtype) && !is_float(dtype)) { /* a complex number of integers is no scalar of C */
        CHECK_OK(ash_gemm_into(c, x, y, .alpha = ASH_OPERAND((signed char)alpha), .beta = ASH_OPERAND((signed char)beta)));
        CHECK_GEMM(c, a, b, alpha, beta, before);
        return;
    }
    CHECK_OK(ash_gemm_into(c, x, y, .alpha = by, .beta = ASH_OPERAND((signed char)beta)));
    CHECK_GEMM(c, a, b, factor, beta, before);
}

static void every_dtype(void)
{
    for
        EACH_DTYPE(dtype, ASH_BOOL, ASH_C_F64)
    if (has_f64() || part_of(dtype) != ASH_F64)
        for (int round = 0; round < 24 / SLOW; round++)
            matmul_of_random(dtype);
}

static void mixed_dtypes(void)
{
    for (int round = 0; round < 300 / SLOW; round++) {
        ASH_SCOPE(scope);
        const ash_dtype one = (ash_dtype)(1 + draw(ASH_C_F64)), other = (ash_dtype)(1 + draw(ASH_C_F64));
        const int64_t m = 1 + draw(20), k = draw(80), n = 1 + draw(20);
        if (!has_f64() && (part_of(one) == ASH_F64 || part_of(other) == ASH_F64))
            continue;
        ash_array *a = numbers(one, ASH_SHAPE(m, k)), *b = numbers(other, ASH_SHAPE(k, n));
        ash_array *c = ash_matmul(lying(a, (int)draw(WAYS)), lying(b, (int)draw(WAYS)));
        CHECK(ash_dtype_of(c) == ash_dtype_promote(one, other));
        CHECK_PRODUCT(c, a, b);
    }
}

/* A whole block and more in each direction; the bits do not depend on how anything lies, nor on the threads. */
static void large_product_of(ash_dtype dtype)
{
    ASH_SCOPE(scope);
    ash_array *a = numbers(dtype, ASH_SHAPE(300, 270)), *b = numbers(dtype, ASH_SHAPE(270, 130)), *c = ash_matmul(a, b);
    CHECK_PRODUCT(c, a, b);
    for (int way = 0; way < WAYS; way++) {
        CHECK(ash_equal(ash_matmul(lying(a, way), b), c, .identical = true));
        CHECK(ash_equal(ash_matmul(a, lying(b, way), .layout = ASH_COL_MAJOR), c, .identical = true));
    }
    if (is_float(dtype)) {
        ash_array *d = numbers(dtype, ASH_SHAPE(300, 130)), *sums[WAYS];
        for (int way = 0; way < WAYS; way++) {
            sums[way] = way == AS_IS ? ash_copy(d) : lying(d, way);
            CHECK_OK(ash_gemm_into(sums[way], a, b, .alpha = ASH_OPERAND(0.7f), .beta = ASH_OPERAND(0.3f)));
            CHECK(ash_equal(sums[way], sums[0], .identical = true));
        }
    }
    CHECK_OK(ash_set_threads(3));
    CHECK(ash_equal(ash_matmul(a, b), c, .identical = true));
    CHECK(ash_equal(ash_matmul(ash_transpose(b), ash_transpose(a)), ash_transpose(c), .identical = true));
    CHECK_OK(ash_set_threads(1));
    CHECK(ash_equal(ash_matmul(a, b), c, .identical = true));
    CHECK_OK(ash_set_threads(0));
}
/* More columns than are packed at once, of few rows; and a batch that is shared out. */
static void wide_product_of(ash_dtype dtype, int64_t n)
{
    ASH_SCOPE(scope);
    ash_array *a = numbers(dtype, ASH_SHAPE(3, 9)), *b = numbers(dtype, ASH_SHAPE(9, n));
    CHECK_PRODUCT(ash_matmul(a, b), a, b);
    CHECK_PRODUCT(ash_matmul(ash_transpose(b), ash_transpose(a)), ash_transpose(b), ash_transpose(a));
    ash_array *x = numbers(dtype, ASH_SHAPE(400, 24)), *many = ash_broadcast_to(x, ASH_SHAPE(300, 400, 24));
    ash_array *y = numbers(dtype, ASH_SHAPE(300, 24, 3)), *alone = ash_matmul(many, y);
    CHECK_OK(ash_set_threads(3));
    CHECK(ash_equal(ash_matmul(many, y), alone, .identical = true));
    CHECK_OK(ash_set_threads(0));
    CHECK_PRODUCT(ash_view(alone, 299), x, ash_view(y, 299));
}
/* A sum that is made of pieces, strided and not. */
static void long_sum_of(ash_dtype dtype)
{
    ASH_SCOPE(scope);
    ash_array *a = numbers(dtype, ASH_SHAPE(1, 200001)), *b = numbers(dtype, ASH_SHAPE(200001, 1));
    ash_array *total = ash_matmul(a, b);
    CHECK_PRODUCT(total, a, b);
    CHECK_PRODUCT(ash_matmul(lying(a, SPREAD), b), a, b);
    CHECK_OK(ash_set_threads(3));
    CHECK(ash_equal(ash_matmul(a, b), total, .identical = true));
    CHECK_OK(ash_set_threads(0));
}
static void large_products(void)
{
    long_sum_of(ASH_F32);
    long_sum_of(ASH_I64);
    wide_product_of(ASH_F32, 5000);
    if (has_f64())
        wide_product_of(ASH_C_F64, 1100);
    static const ash_dtype list[] = {ASH_F32, ASH_C_F32, ASH_I32, ASH_U16, ASH_F64, ASH_C_F64};
    for (int k = 0; k < COUNT(list) - (has_f64() ? 0 : 2) && (SLOW == 1 || k < 2); k++)
        large_product_of(list[k]);
}

/* Vectors of many elements, lying in either direction of a matrix. */
static void vectors_of(ash_dtype dtype)
{
    ASH_SCOPE(scope);
    for (int64_t n = 1; n <= 3000; n = 3 * n + 1) {
        ash_array *m = numbers(dtype, ASH_SHAPE(37, n)), *v = numbers(dtype, ASH_SHAPE(n, 1)),
                  *flat = ash_reshape(v, ASH_SHAPE(n));
        ash_array *rows = numbers(dtype, ASH_SHAPE(1, 37));
        for (int way = 0; way < WAYS; way++) {
            ash_array *x = lying(m, way);
            CHECK_PRODUCT(ash_insert_axis(ash_matmul(x, flat), 1), m, v);
            CHECK_PRODUCT(ash_matmul(x, lying(v, way)), m, v);
            CHECK_PRODUCT(ash_matmul(rows, x), rows, m);
        }
        CHECK_PRODUCT(ash_reshape(ash_dot(flat, flat), ASH_SHAPE(1, 1)), ash_transpose(v), v);
        CHECK_PRODUCT(ash_outer(ash_reshape(rows, ASH_SHAPE(37)), flat), ash_transpose(rows), ash_transpose(v));
    }
}
static void vectors(void)
{
    static const ash_dtype list[] = {ASH_F32, ASH_C_F32, ASH_I8, ASH_F16, ASH_F64, ASH_C_F64};
    for (int k = 0; k < COUNT(list) - (has_f64() ? 0 : 2); k++)
        vectors_of(list[k]);
}

/* ---- structured operands ------------------------------------------------------------------------------------------------- */

/* What a structure makes of a matrix, as a function of the row, the column, the element and its mirror image. */
static const struct {
    ash_structure structure;
    const char *full;
} meanings[] = {
    {ASH_SYMMETRIC_LOWER, "(i, j, x, y) -> j <= i ? x : y"},
    {ASH_SYMMETRIC_UPPER, "(i, j, x, y) -> j >= i ? x : y"},
    {ASH_HERMITIAN_LOWER, "(i, j, x, y) -> j < i ? x : j > i ? conj(y) : real(x)"},
    {ASH_HERMITIAN_UPPER, "(i, j, x, y) -> j > i ? x : j < i ? conj(y) : real(x)"},
    {ASH_TRIANGULAR_LOWER, "(i, j, x, y) -> j <= i ? x : x - x"},
    {ASH_TRIANGULAR_UPPER, "(i, j, x, y) -> j >= i ? x : x - x"},
    {ASH_UNIT_LOWER, "(i, j, x, y) -> j < i ? x : j > i ? x - x : x - x + 1"},
    {ASH_UNIT_UPPER, "(i, j, x, y) -> j > i ? x : j < i ? x - x : x - x + 1"},
};

static bool is_lower(ash_structure s)
{
    return s % 2 == 0;
}
static bool is_unit(ash_structure s)
{
    return s == ASH_UNIT_LOWER || s == ASH_UNIT_UPPER;
}

/* The same with NaN where nothing is to be read. */
static ash_array *poisoned(const ash_array *a, ash_structure s)
{
    const int64_t n = ash_shape(a)[0];
    ash_array *p = ash_copy(a), *i = ash_reshape(ash_range(0, n), ASH_SHAPE(n, 1)), *j = ash_range(0, n);
    ash_array *unread = is_lower(s) ? ash_map("(i, j) -> j > i", i, j) : ash_map("(i, j) -> j < i", i, j);
    if (is_unit(s))
        unread = ash_map("(u, i, j) -> u || i == j", unread, i, j);
    CHECK_OK(ash_index_into(p, NAN, unread));
    return p;
}

static void structured(ash_dtype dtype, int64_t n, int64_t other)
{
    ash_array *a = numbers(dtype, ASH_SHAPE(n, n)), *b = numbers(dtype, ASH_SHAPE(n, other)), *t = ash_transpose(b);
    ash_array *i = ash_reshape(ash_range(0, n), ASH_SHAPE(n, 1)), *j = ash_range(0, n);
    for (int k = 0; k < COUNT(meanings); k++) {
        const ash_structure s = meanings[k].structure;
        ash_array *full = ash_map(meanings[k].full, i, j, a, ash_transpose(a)), *p = poisoned(a, s);
        CHECK(full);
        CHECK(ash_dtype_of(full) == dtype);
        for (int way = 0; way < WAYS; way++) {
            ash_array *x = lying(p, way);
            CHECK_PRODUCT(ash_matmul(x, b, .a_structure = s), full, b);
            CHECK_PRODUCT(ash_matmul(t, x, .b_structure = s, .layout = ASH_COL_MAJOR), t, full);
        }
        CHECK_PRODUCT(ash_matmul(p, p, .a_structure = s, .b_structure = s), full, full);
        CHECK_PRODUCT(ash_insert_axis(ash_matmul(p, ash_view(b, ASH_ALL, 0), .a_structure = s), 1), full,
                      ash_view(b, ASH_ALL, ASH_RANGE(0, 1)));
        ash_array *c = ash_ones(ASH_SHAPE(n, other), .dtype = dtype), *before = ash_copy(c);
        CHECK_OK(ash_gemm_into(c, p, b, .a_structure = s, .alpha = ASH_OPERAND(2.0f), .beta = ASH_OPERAND(-1.0f)));
        CHECK_GEMM(c, full, b, 2, -1, before);
    }
    ash_array *d = ash_view(a, ASH_ALL, 0), *full = ash_diag(d);
    CHECK_PRODUCT(ash_matmul(d, b, .a_structure = ASH_DIAGONAL), full, b);
    CHECK_PRODUCT(ash_matmul(t, d, .b_structure = ASH_DIAGONAL), t, full);
    CHECK_PRODUCT(ash_matmul(d, d, .a_structure = ASH_DIAGONAL, .b_structure = ASH_DIAGONAL), full, full);
}

static void structures(void)
{
    structured(ASH_F32, 5, 3);
    structured(ASH_F32, 67, 35);
    structured(ASH_C_F32, 9, 66);
    structured(ASH_F16, 6, 4);
    if (has_f64() && SLOW == 1) {
        structured(ASH_F64, 19, 4);
        structured(ASH_C_F64, 65, 2);
        structured(ASH_F64, 260, 3);
    }
    ash_array *d = ash_reshape(ash_f32(1, 2, 3, 4), ASH_SHAPE(2, 2)), *ones = ash_ones(ASH_SHAPE(2, 3));
    CHECK_FLOATS(ash_matmul(d, ones, .a_structure = ASH_DIAGONAL), 1, 1, 1, 2, 2, 2, 3, 3, 3, 4, 4,
                 4); /* a batch of diagonals */
    ash_array *bad = ash_reshape(ash_f32(NAN, 1, INFINITY, 2), ASH_SHAPE(2, 2)), *two = ash_f32(2, 3);
    CHECK_FLOATS(ash_matmul(two, bad, .a_structure = ASH_DIAGONAL), NAN, 2, INFINITY, 6); /* zeros take no part */
    CHECK_FLOATS(ash_matmul(bad, two, .b_structure = ASH_DIAGONAL), NAN, 3, INFINITY, 6);
    ash_array *i = ash_reshape(ash_i64(1, 9, 2, 3), ASH_SHAPE(2, 2));
    CHECK_INTS(ash_matmul(i, i, .a_structure = ASH_SYMMETRIC_LOWER), 5, 15, 8, 27);
    CHECK(!ash_matmul(ones, d, .a_structure = ASH_SYMMETRIC_LOWER));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_matmul: a has shape (2, 3); with .a_structure it must be square");
    CHECK(!ash_matmul(d, ones, .b_structure = (ash_structure)11));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_matmul: .b_structure is 11, which is none");
}

/* ---- cases from the field ------------------------------------------------------------------------------------------------ */

static void a36_product_of_identity(ash_dtype dtype, int64_t n)
{
    ash_array *four = ash_convert(ash_f32(1, 2, 3, 4), dtype);
    ash_array *a = n == 2 ? ash_reshape(four, ASH_SHAPE(2, 2)) : numbers(dtype, ASH_SHAPE(n, n));
    static const float junk[] = {NAN, INFINITY};
    for (int k = 0; k < COUNT(junk); k++) {
        ash_array *c = ash_fill_new(ASH_SHAPE(n, n), junk[k], .dtype = dtype);
        CHECK_OK(ash_gemm_into(c, a, ash_eye(n, .dtype = dtype), .beta = ASH_OPERAND(0.0f)));
        CHECK(ash_equal(c, a));
    }
    ash_array *bad = ash_fill_new(ASH_SHAPE(n, n), NAN, .dtype = dtype), *c = ash_copy(a);
    CHECK_OK(ash_gemm_into(c, bad, a, .alpha = ASH_OPERAND(0), .beta = ASH_OPERAND(1)));
    CHECK(ash_equal(c, a));
    CHECK_OK(ash_gemm_into(c, bad, a, .alpha = ASH_OPERAND(-0.0f), .beta = ASH_OPERAND(2)));
    CHECK(ash_equal(c, ash_map("a -> 2*a", a)));
}

static void a36_matrix_product_at_the_edges(void)
{
    ash_array *a = ash_empty(ASH_SHAPE(2, 0)), *b = ash_empty(ASH_SHAPE(0, 3));
    CHECK_FLOATS(ash_matmul(a, b), 0, 0, 0, 0, 0, 0);
    ash_array *c = ash_reshape(ash_f32(1, 2, 3, 4, 5, 6), ASH_SHAPE(2, 3));
    CHECK_OK(ash_gemm_into(c, a, b, .alpha = ASH_OPERAND(1), .beta = ASH_OPERAND(1)));
    CHECK_FLOATS(c, 1, 2, 3, 4, 5, 6);
    CHECK_OK(ash_gemm_into(c, a, b, .alpha = ASH_OPERAND(1), .beta = ASH_OPERAND(2)));
    CHECK_FLOATS(c, 2, 4, 6, 8, 10, 12);
    CHECK_OK(ash_fill(c, NAN));
    CHECK_OK(ash_gemm_into(c, a, b, .beta = ASH_OPERAND(0)));
    CHECK_ALL(c, 0);
    static const ash_dtype list[] = {ASH_F32, ASH_C64, ASH_F64, ASH_C128};
    for (int k = 0; k < COUNT(list) - (has_f64() ? 0 : 2); k++) {
        a36_product_of_identity(list[k], 2);
        a36_product_of_identity(list[k], 65);
    }
    ash_array *batch = ash_matmul(ash_empty(ASH_SHAPE(3, 2, 0)), ash_empty(ASH_SHAPE(3, 0, 3)));
    CHECK_SHAPE(batch, 3, 2, 3);
    CHECK_ALL(batch, 0);
    CHECK_SHAPE(ash_matmul(ash_empty(ASH_SHAPE(0, 4)), ash_ones(ASH_SHAPE(4, 3))), 0, 3);
    ash_array *halves = ash_fill_new(ASH_SHAPE(2, 3), 3.0f, .dtype = ASH_F16);
    CHECK_OK(ash_gemm_into(halves, ash_empty(ASH_SHAPE(2, 0), .dtype = ASH_F16), ash_empty(ASH_SHAPE(0, 3), .dtype = ASH_F16),
                           .beta = ASH_OPERAND(2)));
    CHECK_ALL(halves, 6);
    CHECK_FLOATS(ash_dot(ash_empty(ASH_SHAPE(0)), ash_empty(ASH_SHAPE(0))), 0);
}

/* The bytes of operands stay, lent read-only memory and views included. */
static void a40_inputs_stay(void)
{
    enum { N = 41000 };
    float *const memory = malloc(N * sizeof *memory), *const copy = malloc(N * sizeof *memory);
    for (int i = 0; i < N; i++)
        memory[i] = copy[i] = (float)(i % 7);
    const ash_array *all = ash_wrap(memory, ASH_F32, N, ASH_SHAPE(N), .readonly = true);
    const ash_array *m = ash_reshape(all, ASH_SHAPE(205, 200)),
                    *columns = ash_reshape(all, ASH_SHAPE(205, 200), .order = ASH_COL_MAJOR);
    CHECK(m && columns);
    CHECK(ash_matmul(all, all) && ash_matmul(m, ash_transpose(m)) && ash_matmul(ash_transpose(columns), columns));
    CHECK(ash_matmul(ash_slice(m, ASH_OPEN, ASH_OPEN, .step = -2), ash_adjoint(m)));
    CHECK(ash_matmul(ash_slice(m, 0, 200), ash_slice(m, 0, 200), .a_structure = ASH_SYMMETRIC_UPPER));
    CHECK(memcmp(memory, copy, N * sizeof *memory) == 0);
    free(memory);
    free(copy);
}

/* ---- faults -------------------------------------------------------------------------------------------------------------- */

static void faults(void)
{
    ash_array *m = ash_ones(ASH_SHAPE(2, 3)), *c = ash_ones(ASH_SHAPE(2, 2)), *t = ash_ones(ASH_SHAPE(3, 2));
    CHECK(!ash_matmul(m, m));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_matmul: a has shape (2, 3) and b (2, 3): the inner sizes 3 and 2 differ");
    CHECK(!ash_matmul(m, ash_f32(1, 2)));
    CHECK_ERROR_HAS(ASH_ERR_SHAPE, "(2, 3) and b (2): the inner sizes 3 and 2 differ");
    CHECK(!ash_matmul(ash_ones(ASH_SHAPE()), m));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_matmul: a has shape (); a vector or a matrix is wanted");
    CHECK(!ash_matmul(ash_ones(ASH_SHAPE(2, 2, 3)), ash_ones(ASH_SHAPE(4, 3, 2))));
    CHECK_ERROR_HAS(ASH_ERR_SHAPE, "ash_matmul: ");
    CHECK(!ash_matmul(NULL, m));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_matmul: a is NULL");
    CHECK(!ash_dot(m, m));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_dot: a has shape (2, 3); a vector is wanted");
    CHECK(!ash_dot(ash_f32(1), ash_f32(1, 2)));
    CHECK_ERROR_HAS(ASH_ERR_SHAPE, "the inner sizes 1 and 2 differ");
    CHECK(!ash_vdot(m, c));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_vdot: a has shape (2, 3) and b (2, 2): the sizes differ");
    CHECK(ash_gemm_into(c, m, m) == ASH_ERR_SHAPE);
    CHECK_ERROR_HAS(ASH_ERR_SHAPE, "the inner sizes 3 and 2 differ");
    CHECK(ash_gemm_into(m, m, t) == ASH_ERR_SHAPE);
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_gemm_into: the output has shape (2, 3), but a (2, 3) times b (3, 2) is (2, 2)");
    CHECK(ash_gemm_into(c, c, c) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_gemm_into: output matrix must not be aliased with input matrix");
    CHECK(ash_matmul_into(c, ash_ones(ASH_SHAPE(2, 2)), ash_transpose(c)) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_matmul_into: output matrix must not be aliased with input matrix");
    ash_array *big = ash_ones(ASH_SHAPE(4, 2)); /* neighbours are fine */
    CHECK_OK(ash_matmul_into(ash_slice(big, 0, 2), ash_slice(big, 2, 4), c));
    CHECK(ash_gemm_into(ash_broadcast_to(ash_ones(ASH_SHAPE(1, 2)), ASH_SHAPE(2, 2)), m, t) == ASH_ERR_ARGUMENT);
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "read-only");
    CHECK(ash_gemm_into(c, m, t, .alpha = ASH_OPERAND(m)) == ASH_ERR_SHAPE);
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_gemm_into: .alpha has shape (2, 3); one element is wanted");
    CHECK(ash_gemm_into(c, m, t, .beta = ash_operand_complex(ASH_C_F32, 1, 0)) == ASH_ERR_DTYPE);
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_gemm_into: .beta is c_f32, which does not convert to f32 by itself");
    ash_array *i = ash_ones(ASH_SHAPE(2, 2), .dtype = ASH_I8);
    CHECK(ash_gemm_into(ash_ones(ASH_SHAPE(2, 2), .dtype = ASH_I8), i, i, .alpha = ASH_OPERAND(1.0f)) == ASH_ERR_DTYPE);
    CHECK_ERROR_HAS(ASH_ERR_DTYPE, ".alpha is f32");
    CHECK(ash_gemm_into(ash_ones(ASH_SHAPE(2, 2), .dtype = ASH_I8), i, i, .alpha = ASH_OPERAND(1000)) == ASH_ERR_VALUE);
    CHECK_ERROR_HAS(ASH_ERR_VALUE, "1000");
    CHECK(ash_gemm_into(i, m, t) == ASH_ERR_DTYPE);
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_gemm_into: the output is i8, which does not hold the product of f32 and f32, f32");
    CHECK_ALL(c, 1);
    if (has_f64())
        CHECK_OK(ash_gemm_into(c, m, t, .alpha = ASH_OPERAND(2.0)));
    else {
        CHECK(ash_gemm_into(c, m, t, .alpha = ASH_OPERAND(2.0)) == ASH_ERR_DTYPE);
        char want[120];
        snprintf(want, sizeof want, "ash_gemm_into: .alpha is f64, which %s does not support; pass 2.0f", here.device);
        CHECK_ERROR_HAS(ASH_ERR_DTYPE, want);
    }
}

static void other_device(void **context)
{
    (void)context;
    ash_array *a = ash_ones(ASH_SHAPE(2, 2)), *b = ash_adapt(a, .device = "cpu:0?f64=off");
    CHECK(!ash_matmul(a, b));
    CHECK_ERROR(ASH_ERR_DEVICE, "ash_matmul: b is on cpu:0?f64=off and a on cpu:0");
    ash_release(a);
    ash_release(b);
}

/* ---- sums of arrays, matrices of diagonals ------------------------------------------------------------------------------- */

static void sums(void)
{
    ash_array *y = ash_f32(1, 2, 3), *x = ash_f32(10, 20, 30), *bad = ash_fill_new(ASH_SHAPE(3), NAN);
    CHECK_OK(ash_axpy_into(y, 2.0f, x));
    CHECK_FLOATS(y, 21, 42, 63);
    CHECK_OK(ash_axpby_into(y, 1.0f, x, -1.0f));
    CHECK_FLOATS(y, -11, -22, -33);
    CHECK_OK(ash_axpy_into(y, 0.0f, bad));
    CHECK_FLOATS(y, -11, -22, -33);
    CHECK_OK(ash_axpby_into(y, 0, bad, 2));
    CHECK_FLOATS(y, -22, -44, -66);
    CHECK_OK(ash_axpby_into(bad, 1, x, 0));
    CHECK_FLOATS(bad, 10, 20, 30);
    CHECK_OK(ash_axpby_into(bad, 0, x, 0));
    CHECK_ALL(bad, 0);
    CHECK_OK(ash_axpy_into(y, ash_fill_new(ASH_SHAPE(1), 2), ash_slice(y, ASH_OPEN, ASH_OPEN, .step = -1)));
    CHECK_FLOATS(y, -154, -132, -110); /* as if x had been copied first */
    ash_array *i = ash_i8(100, 1), *z = ash_c_f32(1, I);
    CHECK_OK(ash_axpy_into(i, (signed char)2, ash_i8(100, 1)));
    CHECK_INTS(i, 44, 3);
    CHECK_OK(ash_axpy_into(z, ash_operand_complex(ASH_C_F32, 0, 1), ash_f32(1, 2)));
    CHECK_FLOATS(ash_map("imag", z), 1, 3);
    CHECK_OK(ash_axpy_into(ash_adjoint(ash_reshape(z, ASH_SHAPE(1, 2))), 1, ash_ones(ASH_SHAPE(2, 1))));
    CHECK_FLOATS(ash_map("real", z), 2, 1);
    CHECK(ash_axpy_into(y, 1.0f, ash_f32(1, 2)) == ASH_ERR_SHAPE);
    CHECK_ERROR_HAS(ASH_ERR_SHAPE, "ash_axpy_into: ");
    CHECK(ash_axpy_into(y, 0.0f, ash_f32(1, 2)) == ASH_ERR_SHAPE);
    CHECK_ERROR_HAS(ASH_ERR_SHAPE, "ash_axpy_into: ");
    CHECK(ash_axpy_into(i, 0.5f, i) == ASH_ERR_DTYPE);
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_axpy_into: alpha is f32, which does not convert to i8 by itself");
}

static void diagonals(void)
{
    ash_array *v = ash_i64(1, 2);
    CHECK_INTS(ash_diag(v), 1, 0, 0, 2);
    CHECK_INTS(ash_diag(v, .k = 1), 0, 1, 0, 0, 0, 2, 0, 0, 0);
    CHECK_INTS(ash_diag(v, .k = -1), 0, 0, 0, 1, 0, 0, 0, 2, 0);
    CHECK_SHAPE(ash_diag(ash_empty(ASH_SHAPE(0))), 0, 0);
    CHECK_SHAPE(ash_diag(ash_empty(ASH_SHAPE(0)), .k = 2), 2, 2);
    CHECK(ash_layout_of(ash_diag(v, .layout = ASH_COL_MAJOR)) == ASH_COL_MAJOR);
    CHECK(ash_equal(ash_diagonal(ash_diag(v, .k = -3), .offset = -3), v));
    ash_array *z = ash_reshape(ash_c_f32(1 + I, 2), ASH_SHAPE(2, 1)), *bar = ash_view(ash_adjoint(z), 0);
    CHECK_FLOATS(ash_map("imag", ash_diag(bar)), -1, 0, 0, 0);
    ash_array *band = ash_banded(ASH_ARRAYS(ash_i64(1, 2), ash_i64(3, 4, 5), ash_f32(6, 7)), ASH_SHAPE(-1, 0, 1));
    CHECK(ash_dtype_of(band) == ASH_F32);
    CHECK_FLOATS(band, 3, 6, 0, 1, 4, 7, 0, 2, 5);
    CHECK(!ash_banded(ASH_ARRAYS(v, v), ASH_SHAPE(0)));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_banded: 2 vectors and 1 diagonals are given; one of each belong together");
    CHECK(!ash_banded(ASH_ARRAYS(v, v), ASH_SHAPE(1, 1)));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_banded: diagonal 1 is given twice");
    CHECK(!ash_diag(ash_ones(ASH_SHAPE(2, 2))));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_diag: vector 0 has shape (2, 2)");
    CHECK(!ash_diag(NULL));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_diag: v is NULL");
}

/* ---- without memory ------------------------------------------------------------------------------------------------------ */

static bool products_of_all_kinds(const ash_array *m, const ash_array *h, ash_array *c)
{
    ASH_SCOPE(scope);
    if (!ash_matmul(m, ash_transpose(m)) || ash_matmul_into(c, m, ash_transpose(m)) || !ash_matmul(h, ash_transpose(h)))
        return false;
    if (!ash_vdot(ash_transpose(m), ash_transpose(m)) || !ash_diag(ash_view(m, 0)) ||
        !ash_outer(ash_view(m, 0), ash_view(m, 1)))
        return false;
    return ash_axpy_into(c, 0.0f, c) == ASH_OK &&
           ash_banded(ASH_ARRAYS(ash_view(m, 0), ash_view(h, 0)), ASH_SHAPE(0, 1)) != NULL;
}

static void without_memory(void **context)
{
    (void)context;
    ASH_SCOPE(scope);
    ash_array *m = numbers(ASH_F32, ASH_SHAPE(70, 70)), *h = numbers(ASH_F16, ASH_SHAPE(70, 70)),
              *c = ash_zeros(ASH_SHAPE(70, 70));
    bool done = false;
    for (int64_t n = 1; !done && n < 500; n++) {
        const int64_t live = ash_live_arrays();
        ash__fail_allocation(n);
        done = products_of_all_kinds(m, h, c);
        ash__fail_allocation(0);
        CHECK(ash_live_arrays() == live);
        if (!done)
            CHECK_ERROR_HAS(ASH_ERR_MEMORY, "");
    }
    CHECK(done);
}

EVERYWHERE(values_by_hand, small_values)
EVERYWHERE(batched, batches)
EVERYWHERE(promotion, dtypes)
EVERYWHERE(results, layouts_of_results)
EVERYWHERE(random_products, every_dtype)
EVERYWHERE(random_mixes, mixed_dtypes)
EVERYWHERE(blocks_and_threads, large_products)
EVERYWHERE(with_vectors, vectors)
EVERYWHERE(with_structure, structures)
EVERYWHERE(a36, a36_matrix_product_at_the_edges)
EVERYWHERE(a40, a40_inputs_stay)
EVERYWHERE(wrong_arguments, faults)
EVERYWHERE(axpy, sums)
EVERYWHERE(diag, diagonals)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(values_by_hand),
                                       TEST(batched),
                                       TEST(promotion),
                                       TEST(results),
                                       TEST(random_products),
                                       TEST(random_mixes),
                                       TEST(blocks_and_threads),
                                       TEST(with_vectors),
                                       TEST(with_structure),
                                       TEST(a36),
                                       TEST(a40),
                                       TEST(wrong_arguments),
                                       TEST(other_device),
                                       TEST(axpy),
                                       TEST(diag),
                                       TEST(without_memory)};
    return cmocka_run_group_tests_name("products", tests, NULL, NULL);
}
