/*
 * matrix_functions.c - what stands on singular values and products: pseudo-inverse, rank, condition, powers, exponentials.
 *
 * Exponentials are those of tests/reference/expm.py, with 80 digits; conditions are NumPy's (linalg.cond, f64); the
 * pseudo-inverse is checked by the four equations that define it, powers by integers known by hand.
 */
#include <complex.h>

#include "linalg/lapack.h"
#include "test.h"

typedef double complex number;

static double epsilon(ash_dtype d)
{
    return d == ASH_F64 || d == ASH_C_F64 ? DBL_EPSILON : (double)FLT_EPSILON;
}
static const ash_dtype dtypes[] = {ASH_F32, ASH_F64, ASH_C_F32, ASH_C_F64};
static bool possible(ash_dtype d)
{
    return here_has_f64() || epsilon(d) > DBL_EPSILON;
}

/* Multiples of 1/64 between -1 and 1. */
static ash_array *draw(ash_dtype dtype, ash_dims shape)
{
    static uint32_t seed = 99;
    number x[4096];
    int64_t n = 1;
    for (int64_t k = 0; k < shape.rank; k++)
        n *= shape.size[k];
    CHECK(n <= 4096);
    for (int64_t i = 0; i < n; i++) {
        double part[2];
        for (int k = 0; k < 2; k++) {
            seed = seed * 1664525 + 1013904223;
            part[k] = (double)(seed >> 25) / 64 - 1;
        }
        x[i] = dtype >= ASH_C_I8 ? part[0] + part[1] * I : part[0];
    }
    return ash_from_host(x, ASH_C_F64, shape, .dtype = dtype, .layout = seed & 1024 ? ASH_ROW_MAJOR : ASH_COL_MAJOR);
}

static double distance(const ash_array *a, const ash_array *b)
{
    return value_of(ash_norm(ash_map("(x, y) -> x - y", a, b), .p = ASH_OPERAND(INFINITY)));
}

/* ---- pseudo-inverse, rank, condition */

static void check_pinv(const ash_array *a)
{
    const ash_array *const p = ash_pinv(a);
    if (!p)
        FAIL("no pseudo-inverse");
    CHECK(ash_storage_of(p) == here.storage);
    const int64_t r = ash_rank(a), m = ash_shape(a)[r - 2], n = ash_shape(a)[r - 1];
    CHECK(ash_shape(p)[r - 2] == n && ash_shape(p)[r - 1] == m);
    if (!ash_size(a))
        return;
    const double size = value_of(ash_max(ash_opnorm(a))), back = value_of(ash_max(ash_opnorm(p)));
    const double most = 20 * (double)(m > n ? m : n) * epsilon(ash_dtype_of(p)) * size * back;
    const ash_array *const ap = ash_matmul(a, p), *const pa = ash_matmul(p, a);
    CHECK(distance(ash_matmul(ap, a), a) <= most * size);
    CHECK(distance(ash_matmul(pa, p), p) <= most * back);
    ash_array *const ap_turned = ash_adjoint(ap), *const pa_turned = ash_adjoint(pa);
    CHECK(distance(ap, ap_turned) <= most && distance(pa, pa_turned) <= most);
}
static void pseudo_inverses(void)
{
    static const int64_t sizes[][2] = {{0, 0}, {0, 3}, {3, 0}, {1, 1}, {2, 2}, {5, 3}, {3, 5}, {20, 20}};
    for (int d = 0; d < COUNT(dtypes); d++) {
        if (!possible(dtypes[d]))
            continue;
        ASH_SCOPE(scope);
        for (int k = 0; k < COUNT(sizes); k++)
            check_pinv(draw(dtypes[d], (ash_dims){sizes[k], 2}));
        check_pinv(ash_ones(ASH_SHAPE(3, 4), .dtype = dtypes[d])); /* of rank 1 */
        check_pinv(ash_zeros(ASH_SHAPE(3, 4), .dtype = dtypes[d]));
        check_pinv(ash_adjoint(draw(dtypes[d], ASH_SHAPE(3, 2, 4))));
        check_pinv(ash_slice(draw(dtypes[d], ASH_SHAPE(2, 3, 4)), ASH_OPEN, ASH_OPEN, .axes = ASH_AXES(2), .step = -1));
    }
    const ash_array *a = ash_reshape(ash_f32(1, 0, 0, 0, 1e-4f, 0), ASH_SHAPE(2, 3));
    CHECK_FLOATS(ash_pinv(a, .rtol = 1e-3), 1, 0, 0, 0, 0, 0);
    CHECK_FLOATS(ash_pinv(a, .atol = 1e-3), 1, 0, 0, 0, 0, 0);
    CHECK_NEAR(value_of(ash_view(ash_pinv(a), 1, 1)), 1e4, 1e-5);
}
static void ranks(void)
{
    CHECK_INTS(ash_matrix_rank(ash_eye(4)), 4);
    CHECK_INTS(ash_matrix_rank(ash_ones(ASH_SHAPE(4, 3))), 1);
    CHECK_INTS(ash_matrix_rank(ash_zeros(ASH_SHAPE(4, 3))), 0);
    CHECK_INTS(ash_matrix_rank(ash_zeros(ASH_SHAPE(2, 0, 3))), 0, 0);
    CHECK(ash_dtype_of(ash_matrix_rank(ash_eye(4))) == ASH_I64);
    const ash_array *a = ash_reshape(ash_f32(1, 0, 0, 1e-4f), ASH_SHAPE(2, 2));
    CHECK_INTS(ash_matrix_rank(a), 2);
    CHECK_INTS(ash_matrix_rank(a, .rtol = 1e-3), 1);
    CHECK_INTS(ash_matrix_rank(a, .atol = 1e-3), 1);
    CHECK_INTS(ash_matrix_rank(a, .atol = 1e-5), 2);
    CHECK_INTS(ash_matrix_rank(ash_stack(ASH_ARRAYS(a, ash_ones(ASH_SHAPE(2, 2))))), 2, 1);
    CHECK(!ash_matrix_rank(a, .rtol = -1));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_matrix_rank: rtol is -1 and atol 0; neither may be negative or NaN");
    CHECK(!ash_pinv(ash_fill_new(ASH_SHAPE(1, 2), (float)NAN)));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_pinv: element (0, 0) is nan; finite numbers are wanted");
}
static void conditions(void)
{
    if (here_has_f64()) {
        double h[16];
        for (int i = 0; i < 16; i++)
            h[i] = 1.0 / (i / 4 + i % 4 + 1);
        const ash_array *hilbert = ash_from_host(h, ASH_F64, ASH_SHAPE(4, 4));
        CHECK_NEAR(value_of(ash_cond(hilbert)), 15513.73873892924, 1e-9);
        CHECK_NEAR(value_of(ash_cond(hilbert, .p = ASH_OPERAND(1))), 28375, 1e-9);
        CHECK_NEAR(value_of(ash_cond(hilbert, .p = ASH_OPERAND(INFINITY))), 28375, 1e-9);
    }
    for (int k = 0; k < 3; k++) {
        const double p = k == 2 ? (double)INFINITY : k + 1;
        CHECK_FLOATS(ash_cond(ash_eye(3), .p = ASH_OPERAND(p)), 1);
        CHECK_FLOATS(ash_cond(ash_zeros(ASH_SHAPE(2, 2)), .p = ASH_OPERAND(p)), (double)INFINITY);
        CHECK_FLOATS(ash_cond(ash_zeros(ASH_SHAPE(0, 0)), .p = ASH_OPERAND(p)), 0);
        CHECK_FLOATS(ash_cond(ash_stack(ASH_ARRAYS(ash_eye(2), ash_zeros(ASH_SHAPE(2, 2)))), .p = ASH_OPERAND(p)), 1,
                     (double)INFINITY);
        CHECK(!ash_cond(ash_fill_new(ASH_SHAPE(2, 2), (float)NAN), .p = ASH_OPERAND(p)));
        CHECK_ERROR_HAS(ASH_ERR_VALUE, "ash_cond: ");
    }
    CHECK_NEAR(value_of(ash_cond(ash_reshape(ash_f32(3, 0, 0, 0, 4, 0), ASH_SHAPE(2, 3)))), 4.0 / 3, 1e-6);
    CHECK(!ash_cond(ash_ones(ASH_SHAPE(2, 3)), .p = ASH_OPERAND(1)));
    CHECK_ERROR_HAS(ASH_ERR_SHAPE, "ash_cond: ");
    CHECK(!ash_cond(ash_ones(ASH_SHAPE(2, 2)), .p = ASH_OPERAND(3)));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_cond: .p is 3; 1, 2 or inf are wanted");
}
static void of_values(void **state)
{
    (void)state;
    everywhere(pseudo_inverses, false);
    everywhere(ranks, false);
    everywhere(conditions, false);
}

/* ---- powers */

static void powers(void)
{
    const ash_array *f = ash_reshape(ash_i64(1, 1, 1, 0), ASH_SHAPE(2, 2)); /* Fibonacci's */
    CHECK_INTS(ash_matrix_power(f, 0), 1, 0, 0, 1);
    CHECK_INTS(ash_matrix_power(f, 1), 1, 1, 1, 0);
    CHECK_INTS(ash_matrix_power(f, 2), 2, 1, 1, 1);
    CHECK_INTS(ash_matrix_power(f, 10), 89, 55, 55, 34);
    CHECK_INTS(ash_matrix_power(f, 90), INT64_C(4660046610375530309), INT64_C(2880067194370816120),
               INT64_C(2880067194370816120), INT64_C(1779979416004714189));
    CHECK_INTS(ash_matrix_power(ash_convert(f, ASH_I8), 12), -23, -112, -112, 89); /* 233, 144 modulo 256 */
    CHECK(ash_dtype_of(ash_matrix_power(ash_convert(f, ASH_I8), 12)) == ASH_I8);
    const ash_array *x = ash_reshape(ash_f32(2, 0, 0, -1), ASH_SHAPE(2, 2));
    CHECK_FLOATS(ash_matrix_power(x, 5), 32, 0, 0, -1);
    CHECK_FLOATS(ash_matrix_power(x, -3), 0.125, 0, 0, -1);
    CHECK_FLOATS(ash_matrix_power(x, -1), 0.5, 0, 0, -1);
    CHECK_FLOATS(ash_matrix_power(ash_stack(ASH_ARRAYS(x, ash_eye(2))), 3), 8, 0, 0, -1, 1, 0, 0, 1);
    CHECK_FLOATS(ash_matrix_power(ash_stack(ASH_ARRAYS(x, x)), 0), 1, 0, 0, 1, 1, 0, 0, 1);
    CHECK_FLOATS(ash_matrix_power(ash_eye(3), INT64_MIN), 1, 0, 0, 0, 1, 0, 0, 0, 1);
    CHECK_FLOATS(ash_matrix_power(ash_eye(1), INT64_MAX), 1);
    CHECK_SHAPE(ash_matrix_power(ash_zeros(ASH_SHAPE(3, 0, 0)), 4), 3, 0, 0);
    const ash_array *z = ash_reshape(ash_c_f32(0, 1 * I, 1, 0), ASH_SHAPE(2, 2));
    CHECK_FLOATS(ash_map("imag", ash_matrix_power(z, 2)), 1, 0, 0, 1);
    CHECK_FLOATS(ash_map("imag", ash_matrix_power(ash_adjoint(z), 2)), -1, 0, 0, -1);
    CHECK_FLOATS(ash_map("imag", z), 0, 1, 0, 0);
    CHECK(!ash_matrix_power(ash_ones(ASH_SHAPE(2, 3)), 2));
    CHECK_ERROR_HAS(ASH_ERR_SHAPE, "ash_matrix_power: ");
    CHECK(!ash_matrix_power(ash_ones(ASH_SHAPE(2, 2)), -1));
    CHECK_ERROR_HAS(ASH_ERR_VALUE, "ash_matrix_power: ");
    if (here_has_f64())
        CHECK_FLOATS(ash_matrix_power(ash_reshape(ash_i32(2, 0, 0, 4), ASH_SHAPE(2, 2)), -1), 0.5, 0, 0, 0.25);
}
static void whole_powers(void **state)
{
    (void)state;
    everywhere(powers, false);
}

/* ---- exponentials: by tests/reference/expm.py */

static const double plain[] = {-0x1.e355ce69b19a9p+0, -0x1.43a7fafb558e8p+2, 0x1.54e4772fdcc89p+2,
                               0x1.28f22bd3adacap+1,  -0x1.52fc792a58247p+1, 0x1.2175fae6e631fp+2,
                               -0x1.e19a63d84d0cap+1, -0x1.44c3dc4dd1ec9p+2, 0x1.3bb6c38f352c1p+2};
static const double large[] = {-0x1.1183f5284c43fp-1, 0x1.97c3728fa90efp-2,  0x1.a1ed08c3e9df4p-6,
                               -0x1.0f4c52b22f66bp+0, 0x1.94753213b4408p-1,  0x1.9e89d6b27eef3p-5,
                               0x1.14ec6ccf3bc77p-3,  -0x1.9cd83da9c9772p-4, -0x1.a7203dfa673ccp-8};
static const double tiny[] = {0x1.000000044b830p+0, 0x1.12e0be8df4e3fp-29, -0x1.9c511dd4ef55ep-29, 0x1.000000112e0bfp+0};
static const double uneven[] = {0x1.5bf0a8b145769p+1, 0x1.1eea13192a3e2p+20, 0x0.0p+0, 0x1.78b56362cef38p-2};
static const double turned[] = {0x1.18a78ee48a7b1p-1, -0x1.64d35843700c3p-4, 0x1.29962a1a9f729p-2, -0x1.8ee39acc3f4e1p+0,
                                0x1.d9492552e72abp-1, -0x1.447e104597717p-1, 0x1.bf132a9016e96p-4, -0x1.f34a2db9ab351p-1};
static const struct {
    int64_t n;
    double a[9];
    const double *want;
    double units; /* of the last place, of the largest element */
} exponentials[] = {
    {3, {0.5, -1, 2, 3, 0.25, -0.75, 1, -2, 1.5}, plain, 30},
    {3, {-49, 24, 0, -64, 31, 1, 2, -3, -17}, large, 30000}, /* ill-conditioned */
    {2, {1e-9, 2e-9, -3e-9, 4e-9}, tiny, 2},
    {2, {1, 1e6, 0, -1}, uneven, 30},
};
static void known_exponentials(void)
{
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int k = 0; k < COUNT(exponentials); k++) {
            if (!possible(dtypes[d]))
                continue;
            ASH_SCOPE(scope);
            const int64_t n = exponentials[k].n;
            const ash_array *a = ash_from_host(exponentials[k].a, ASH_F64, ASH_SHAPE(n, n), .dtype = dtypes[d]);
            const ash_array *e = ash_expm(a);
            if (!e)
                FAIL("no exponential");
            CHECK(ash_dtype_of(e) == dtypes[d] && ash_storage_of(e) == here.storage);
            number got[9];
            double most = 0;
            CHECK_OK(ash_to_host_as(e, got, (size_t)(n * n) * sizeof *got, ASH_C_F64));
            for (int i = 0; i < n * n; i++)
                most = fmax(most, fabs(exponentials[k].want[i]));
            for (int i = 0; i < n * n; i++)
                if (!(cabs(got[i] - exponentials[k].want[i]) <= exponentials[k].units * epsilon(dtypes[d]) * most))
                    FAIL("%s, matrix %d: element %d is %.17g, not %.17g", ash_dtype_name(dtypes[d]), k, i, creal(got[i]),
                         exponentials[k].want[i]);
        }
}
static void more_exponentials(void)
{
    const ash_array *z = ash_reshape(ash_c_f32(0.5 + 1 * I, -2 * I, 1 - 1 * I, -0.25), ASH_SHAPE(2, 2));
    number got[8];
    const ash_array *stack = ash_stack(ASH_ARRAYS(z, ash_map("x -> 0*x", z)));
    CHECK_OK(ash_to_host_as(ash_expm(stack), got, sizeof got, ASH_C_F64));
    for (int i = 0; i < 4; i++) {
        CHECK(cabs(got[i] - (turned[2 * i] + turned[2 * i + 1] * I)) <= 8 * (double)FLT_EPSILON);
        CHECK(got[4 + i] == (i % 3 == 0));
    }
    CHECK_OK(ash_to_host_as(ash_expm(ash_adjoint(z)), got, 4 * sizeof *got, ASH_C_F64)); /* of the adjoint: the adjoint */
    for (int i = 0; i < 4; i++) {
        const int t = 2 * (i % 2) + i / 2;
        CHECK(cabs(got[i] - (turned[2 * t] - turned[2 * t + 1] * I)) <= 8 * (double)FLT_EPSILON);
    }
    /* each of a stack by itself: diagonals of very different size, 0 among them */
    const double powers_of[] = {0, 1e-30, 1, -20, 60, -1e5, 1e-3};
    ash_array *diagonals[7];
    for (int k = 0; k < 7; k++)
        diagonals[k] = ash_eye(2, .value = ASH_OPERAND((float)powers_of[k]));
    ash_array *const list =
        ash_stack(ASH_ARRAYS(diagonals[0], diagonals[1], diagonals[2], diagonals[3], diagonals[4], diagonals[5], diagonals[6]));
    float each[28];
    CHECK_OK(ash_to_host(ash_expm(list), each, sizeof each));
    for (int k = 0; k < 7; k++) {
        const double x = (double)(float)powers_of[k], want = exp(x);
        CHECK(fabs((double)each[4 * k] - want) <= 8 * (1 + fabs(x)) * (double)FLT_EPSILON * want + 0x1p-149);
        CHECK(each[4 * k + 3] == each[4 * k] && each[4 * k + 1] == 0 && each[4 * k + 2] == 0);
    }
    /* a turn by t */
    const double t = 2;
    float turn[4];
    CHECK_OK(ash_to_host(ash_expm(ash_reshape(ash_f32(0, -2, 2, 0), ASH_SHAPE(2, 2))), turn, sizeof turn));
    CHECK(fabs((double)turn[0] - cos(t)) < 1e-6 && fabs((double)turn[1] + sin(t)) < 1e-6);
    /* nilpotent: 1 + a, exactly */
    CHECK_FLOATS(ash_expm(ash_reshape(ash_f32(0, 3, 0, 0), ASH_SHAPE(2, 2))), 1, 3, 0, 1);
    CHECK_SHAPE(ash_expm(ash_zeros(ASH_SHAPE(2, 0, 0))), 2, 0, 0);
    CHECK_SHAPE(ash_expm(ash_zeros(ASH_SHAPE(0, 2, 2))), 0, 2, 2);
    CHECK(ash_layout_of(ash_expm(ash_transpose(ash_ones(ASH_SHAPE(3, 3))))) == ASH_COL_MAJOR);
    CHECK(ash_dtype_of(ash_expm(ash_zeros(ASH_SHAPE(2, 2), .dtype = ASH_BF16))) == ASH_F32);
    CHECK(!ash_expm(ash_ones(ASH_SHAPE(2, 3))));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_expm: a has shape (2, 3); matrices must be square");
    CHECK(!ash_expm(ash_reshape(ash_f32(1, 2, INFINITY, 4), ASH_SHAPE(2, 2))));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_expm: element (1, 0) is inf; finite numbers are wanted");
    if (here_has_f64()) {
        CHECK(ash_dtype_of(ash_expm(ash_zeros(ASH_SHAPE(2, 2), .dtype = ASH_I8))) == ASH_F64);
        /* e^a e^-a = 1 */
        const ash_array *a = draw(ASH_C_F64, ASH_SHAPE(3, 20, 20));
        const ash_array *one = ash_matmul(ash_expm(a), ash_expm(ash_map("x -> -x", a)));
        CHECK(distance(one, ash_eye(20, .dtype = ASH_F64)) <= 1e-8);
    }
}
static void matrix_exponentials(void **state)
{
    (void)state;
    everywhere(known_exponentials, false);
    everywhere(more_exponentials, false);
}

/* Nothing but results is left in the caller's scope. */
static void results_alone(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    const ash_array *a = draw(ASH_F64, ASH_SHAPE(2, 4, 4)), *z = draw(ASH_C_F32, ASH_SHAPE(3, 3));
    int64_t live = ash_live_arrays();
#define ALONE(count, call) (CHECK(call), CHECK(ash_live_arrays() == live + (count)), live = ash_live_arrays(), (void)0)
    ALONE(3, ash_svd(a).u);
    ALONE(1, ash_svdvals(z));
    ALONE(2, ash_eigh(z).values);
    ALONE(1, ash_pinv(z));
    ALONE(1, ash_matrix_rank(a));
    ALONE(1, ash_cond(a));
    ALONE(1, ash_cond(z, .p = ASH_OPERAND(1)));
    ALONE(1, ash_matrix_power(z, 7));
    ALONE(1, ash_matrix_power(z, -7));
    ALONE(1, ash_matrix_power(z, 0));
    ALONE(1, ash_expm(a));
    ALONE(1, ash_norm(a));
    ALONE(1, ash_norm(z, .p = ASH_OPERAND(3), .axes = ASH_AXES(0), .drop = true));
    ALONE(1, ash_normalize(a, .axes = ASH_AXES(-1)));
    ALONE(1, ash_opnorm(a));
    ALONE(1, ash_opnorm(a, .p = ASH_OPERAND(1)));
    ALONE(1, ash_trace(a));
    ALONE(1, ash_kron(a, z));
    const ash_array *const row = ash_view(z, 0);
    live++;
    ALONE(1, ash_cross(z, row));
    ALONE(3, ash_givens(1.0f, 2.0f).c);
    ALONE(0, !ash_is_symmetric(a) && !ash_is_triu(z) && !ash_is_diagonal(z));
    ALONE(1, ash_mirror(z));
}

/* Work is done where the argument is, whatever the current device. */
static void elsewhere(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    const ash_array *a = draw(ASH_F64, ASH_SHAPE(2, 4, 4)), *z = draw(ASH_C_F64, ASH_SHAPE(3, 3)),
                    *h = ash_convert(z, ASH_C_F16);
    ash_resources *const narrow = ash_resources_new("cpu:0?f64=off");
    {
        ASH_WITH_RESOURCES(narrow);
        ASH_SCOPE(inner);
        const ash_array *const results[] = {ash_svd(a).vt,
                                            ash_svdvals(z),
                                            ash_eigh(a).vectors,
                                            ash_pinv(a),
                                            ash_matrix_rank(z),
                                            ash_cond(a),
                                            ash_cond(a, .p = ASH_OPERAND(1)),
                                            ash_cond(h, .p = ASH_OPERAND(1)),
                                            ash_matrix_power(a, 3),
                                            ash_matrix_power(a, -3),
                                            ash_matrix_power(a, 0),
                                            ash_expm(a),
                                            ash_expm(h),
                                            ash_norm(a),
                                            ash_norm(z, .p = ASH_OPERAND(3)),
                                            ash_norm(h),
                                            ash_norm(ash_slice(z, 0, 0)),
                                            ash_normalize(a),
                                            ash_normalize(ash_slice(z, 0, 0)),
                                            ash_opnorm(a),
                                            ash_opnorm(h, .p = ASH_OPERAND(1)),
                                            ash_trace(a),
                                            ash_kron(a, z),
                                            ash_cross(z, z),
                                            ash_givens(a, 1.0).s,
                                            ash_mirror(z)};
        for (int k = 0; k < COUNT(results); k++) {
            if (!results[k])
                FAIL("result %d is missing", k);
            CHECK(strcmp(ash_device_name(ash_device_of(results[k])), "cpu:0") == 0);
        }
        CHECK(!ash_is_symmetric(a) && !ash_is_triu(z));
        CHECK_OK(ash_rotate_into(ash_view(z, 0), ash_view(z, 1), 0.6, 0.8));
        CHECK_OK(ash_mirror_into(ash_copy(z), z));
    }
    ash_resources_release(narrow);
}

int main(void)
{
    ash_status status;
    if (!ash__lapack_there("test", &status))
        print_message("no LAPACK is here: singular values come without one (Debian: libopenblas0)\n");
    const struct CMUnitTest tests[] = {TEST(of_values), TEST(whole_powers), TEST(matrix_exponentials), TEST(results_alone),
                                       TEST(elsewhere)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
