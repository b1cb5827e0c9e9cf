/*
 * cusolver.c - factorizations and solves of CUDA devices by cuSOLVER and cuBLAS: which are theirs, and what is said when they
 * cannot serve.
 *
 * On the doubles of CUDA's driver and of both (theirs_double). That results are right in all their forms is what factor.c says,
 * which runs on them too; here is one matrix, a[i][j] = min(i, j) from 1 on, whose factors L and L^T have ones alone.
 */
#include "theirs.h"

static int factored(void)
{
    return counted("ASHLAR_CUSOLVER_LIBRARY", "cusolver_double_calls");
}
static int solved(void)
{
    return counted("ASHLAR_CUBLAS_LIBRARY", "cublas_double_solves");
}

static ash_array *least(int64_t n, ash_dtype dtype)
{
    ash_array *const i = ash_range(1, n + 1);
    return ash_convert(ash_map("min", ash_reshape(i, ASH_SHAPE(n, 1)), ash_reshape(i, ASH_SHAPE(1, n))), dtype);
}
static bool are_alike(const ash_array *a, const ash_array *b)
{
    return a && b && ash_item_bool(ash_all(ash_map("(a, b) -> a == b", a, b)));
}
static ash_array *ones_below(int64_t n, ash_dtype dtype)
{
    return ash_tril(ash_ones(ASH_SHAPE(n, n), .dtype = dtype));
}

/* ---- whose */

/* Every factorization of one of n rows, and what comes of it; the number of those that were theirs. */
static int factor(int64_t n, ash_dtype dtype, ash_layout layout)
{
    ASH_SCOPE(scope);
    const int before = factored();
    ash_array *const a = ash_contiguous(least(n, dtype), .layout = layout), *const l = ones_below(n, dtype);
    CHECK(are_alike(ash_lu(a).lu, ash_ones(ASH_SHAPE(n, n), .dtype = dtype)));
    CHECK(are_alike(ash_cholesky(a), l) && are_alike(ash_cholesky(a, .upper = true), ash_transpose(l)));
    const ash_qr_result f = ash_qr(a);
    CHECK(ash_item_f64(ash_max(ash_map("(a, b) -> f64(abs(a - b))", ash_matmul(f.q, f.r), a))) <= 1e-5 * (double)(n * n));
    NO_ERROR();
    return factored() - before;
}

static void factorizations(void **state)
{
    static const ash_dtype dtypes[] = {ASH_F32, ASH_F64, ASH_C_F32, ASH_C_F64};
    (void)state;
    ash_resources *const r = begin("theirs");
    ASH_WITH_RESOURCES(r);
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int64_t n = 1; n < 8; n += 3)
            for (int k = 0; k < 2; k++)
                assert_int_equal(factor(n, dtypes[d], k ? ASH_COL_MAJOR : ASH_ROW_MAJOR), 4);
    setenv("ASHLAR_CUDA_LIBRARIES", "auto", 1);
    assert_int_equal(factor(127, ASH_F32, ASH_ROW_MAJOR), 0);
    assert_int_equal(factor(128, ASH_F64, ASH_ROW_MAJOR), 4);
    setenv("ASHLAR_CUDA_LIBRARIES", "ours", 1);
    assert_int_equal(factor(128, ASH_F64, ASH_COL_MAJOR), 0);
    ash_resources_release(r);
}

/* So many systems of n rows, by a triangle and by LU; x has ones. The number of triangles that were theirs. */
static int solve(int64_t members, int64_t n, ash_dtype dtype)
{
    ASH_SCOPE(scope);
    const int before = solved();
    const ash_dims stack = ASH_SHAPE(members, n, n);
    ash_array *const a = ash_copy(ash_broadcast_to(least(n, dtype), stack));
    ash_array *const l = ash_copy(ash_broadcast_to(ones_below(n, dtype), stack));
    ash_array *const one = ash_ones(ASH_SHAPE(members, n, 1), .dtype = dtype);
    CHECK(are_alike(ash_triangular_solve(l, ash_matmul(l, one)), one));
    CHECK(are_alike(ash_solve(a, ash_matmul(a, one)), one));
    NO_ERROR();
    return solved() - before;
}

static void solves(void **state)
{
    (void)state;
    ash_resources *const r = begin("theirs");
    ASH_WITH_RESOURCES(r);
    assert_int_equal(solve(1, 5, ASH_F32), 3);
    assert_int_equal(solve(3, 5, ASH_C_F64), 9);
    setenv("ASHLAR_CUDA_LIBRARIES", "auto", 1);
    assert_int_equal(solve(1, 127, ASH_F64), 0);
    assert_int_equal(solve(1, 128, ASH_F64), 3);
    assert_int_equal(solve(5, 128, ASH_F64), 0);
    setenv("ASHLAR_CUDA_LIBRARIES", "ours", 1);
    assert_int_equal(solve(1, 128, ASH_F64), 0);
    ash_resources_release(r);
}

/* ---- what is wrong */

static ash_array *lu_of_least(void)
{
    return ash_lu(least(128, ASH_F64)).lu;
}
static bool is_of_ones(const ash_array *lu)
{
    return are_alike(lu, ash_ones(ASH_SHAPE(128, 128), .dtype = ASH_F64));
}
static const wrong lu_faults[] = {
    {"libnone.so.1", "", "theirs", ASH_ERR_DEVICE, ", which ASHLAR_CUSOLVER_LIBRARY names"},
    {"libnone.so.1", "", "auto", ASH_OK, NULL},
    {"libm.so.6", "", "theirs", ASH_ERR_DEVICE, "libm.so.6 has no cusolverDnCreate; cuSOLVER of CUDA 11 or newer is needed"},
    {NULL, "create=7", "theirs", ASH_ERR_DEVICE,
     "cusolverDnCreate of cuda:0 failed with cuSOLVER status 7, CUSOLVER_STATUS_INTERNAL_ERROR; "
     "ASHLAR_CUDA_LIBRARIES=ours does without"},
    {NULL, "create=7", "auto", ASH_OK, NULL},
    {NULL, "params=2", "theirs", ASH_ERR_MEMORY, "cusolverDnCreateParams of cuda:0 failed with cuSOLVER status 2"},
    {NULL, "size=3", "theirs", ASH_ERR_DEVICE, "cusolverDnXgetrf_bufferSize of cuda:0 failed with cuSOLVER status 3"},
    {NULL, "size=99", "theirs", ASH_ERR_DEVICE, "cuSOLVER status 99, which has no name"},
    {NULL, "size=9", "auto", ASH_OK, NULL},
    {NULL, "run=6", "auto", ASH_ERR_DEVICE,
     "cusolverDnXgetrf of cuda:0 failed with cuSOLVER status 6, CUSOLVER_STATUS_EXECUTION_FAILED"},
};

static ash_array *solve_of_ones(void)
{
    ash_array *const l = ones_below(128, ASH_F64);
    return ash_triangular_solve(l, ash_sum(l, .axes = ASH_AXES(1)));
}
static bool are_ones(const ash_array *x)
{
    return are_alike(x, ash_ones(ASH_SHAPE(128), .dtype = ASH_F64));
}
static const wrong solve_faults[] = {
    {"libnone.so.1", "", "theirs", ASH_ERR_DEVICE, ", which ASHLAR_CUBLAS_LIBRARY names"},
    {"libnone.so.1", "", "auto", ASH_OK, NULL},
    {NULL, "create=1", "auto", ASH_OK, NULL},
    {NULL, "trsm=13", "auto", ASH_ERR_DEVICE, "cublasDtrsm of cuda:0 failed with cuBLAS status 13"},
};

static void failures_are_told(void **state)
{
    static const work lu = {"ASHLAR_CUSOLVER_LIBRARY", "CUSOLVER_DOUBLE_FAULT", lu_of_least, is_of_ones},
                      triangle = {"ASHLAR_CUBLAS_LIBRARY", "CUBLAS_DOUBLE_FAULT", solve_of_ones, are_ones};
    (void)state;
    check_failures(&lu, lu_faults, COUNT(lu_faults));
    check_failures(&triangle, solve_faults, COUNT(solve_faults));
}

static void cusolver_has_the_entries(void **state)
{
    static const char *const names[] = {"cusolverDnCreate", "cusolverDnSetStream",         "cusolverDnCreateParams",
                                        "cusolverDnXpotrf", "cusolverDnXpotrf_bufferSize", "cusolverDnXgetrf",
                                        "cusolverDnXgeqrf", "cusolverDnXgetrf_bufferSize", "cusolverDnXgeqrf_bufferSize"};
    (void)state;
    check_entries("libcusolver.so.", 12, 11, names, COUNT(names));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failures_are_told), /* first: CUDA does not survive a fork */
        cmocka_unit_test(factorizations),
        cmocka_unit_test(solves),
        cmocka_unit_test(cusolver_has_the_entries),
    };
    return run_with_double("ASHLAR_CUSOLVER_LIBRARY", tests, COUNT(tests));
}
