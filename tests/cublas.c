/*
 * cublas.c - products of CUDA devices by cuBLAS: which are its, that they are right, and what is said when it cannot serve.
 *
 * On the doubles of CUDA's driver and of cuBLAS (theirs_double). Factors are small whole numbers, so results are exact in every
 * dtype; what they have to be comes from loops over doubles here.
 */
#include <complex.h>

#include "theirs.h"

enum { MOST = 12 * 12 * 3 };

static int calls(void)
{
    return counted("ASHLAR_CUBLAS_LIBRARY", "cublas_double_calls");
}

static bool is_complex(ash_dtype dtype)
{
    return dtype == ASH_C_F32 || dtype == ASH_C_F64;
}

/* Whole numbers from -2 to 2, and such imaginary parts. */
static double complex number(int seed, int64_t i, bool paired)
{
    return (double)((i * 7 + seed) % 5 - 2) + (paired ? I * (double)((i * 3 + seed) % 5 - 2) : 0);
}

static ash_array *numbers(int seed, ash_dtype dtype, ash_dims shape)
{
    double complex value[MOST];
    double real[MOST];
    int64_t n = 1;
    for (int64_t k = 0; k < shape.rank; k++)
        n *= shape.size[k];
    CHECK(n <= MOST);
    for (int64_t i = 0; i < n; i++) {
        value[i] = number(seed, i, is_complex(dtype));
        real[i] = creal(value[i]);
    }
    return ash_from_host(is_complex(dtype) ? (void *)value : (void *)real, is_complex(dtype) ? ASH_C_F64 : ASH_F64, shape,
                         .dtype = dtype);
}

enum { AS_IS, COLUMNS, TRANSPOSED, ADJOINT, WAYS };

/* The elements of numbers(seed, ...), which lie in another way. */
static ash_array *lying(int seed, ash_dtype dtype, int64_t rows, int64_t cols, int way)
{
    ash_array *const a = numbers(seed, dtype, ASH_SHAPE(rows, cols));
    return way == COLUMNS      ? ash_contiguous(a, .layout = ASH_COL_MAJOR)
           : way == TRANSPOSED ? ash_transpose(ash_contiguous(ash_transpose(a), .layout = ASH_ROW_MAJOR))
           : way == ADJOINT    ? ash_adjoint(ash_contiguous(ash_adjoint(a), .layout = ASH_ROW_MAJOR))
                               : a;
}

static void check_product(const ash_array *c, int64_t count, int64_t rows, int64_t inner, int64_t cols, bool paired, double by,
                          const double complex *more)
{
    double complex got[MOST];
    CHECK(c != NULL);
    CHECK_OK(ash_to_host_as(c, got, sizeof got[0] * (size_t)(count * rows * cols), ASH_C_F64));
    for (int64_t q = 0; q < count; q++)
        for (int64_t i = 0; i < rows; i++)
            for (int64_t j = 0; j < cols; j++) {
                const int64_t at = (q * rows + i) * cols + j;
                double complex want = more ? more[at] : 0;
                for (int64_t k = 0; k < inner; k++)
                    want += by * number(1, (q * rows + i) * inner + k, paired) * number(2, (q * inner + k) * cols + j, paired);
                if (got[at] != want)
                    FAIL("member %d, element (%d, %d) is %g + %gi, not %g + %gi", (int)q, (int)i, (int)j, creal(got[at]),
                         cimag(got[at]), creal(want), cimag(want));
            }
}

/* ---- what is right */

static const ash_dtype dtypes[] = {ASH_F16, ASH_BF16, ASH_F32, ASH_F64, ASH_C_F32, ASH_C_F64};

static void every_dtype_and_layout(void **state)
{
    static const int64_t sizes[][3] = {{5, 7, 6}, {1, 4, 3}, {4, 3, 1}, {3, 1, 2}, {1, 1, 1}};
    (void)state;
    ash_resources *const r = begin("theirs");
    ASH_WITH_RESOURCES(r);
    for (int d = 0; d < COUNT(dtypes); d++)
        for (int s = 0; s < COUNT(sizes); s++)
            for (int way = 0; way < WAYS * WAYS; way++) {
                ASH_SCOPE(scope);
                const int64_t rows = sizes[s][0], inner = sizes[s][1], cols = sizes[s][2];
                const bool adjoint = way % WAYS == ADJOINT || way / WAYS == ADJOINT;
                if ((s > 0 && way % (WAYS + 1)) || (adjoint && (s > 0 || !is_complex(dtypes[d]))))
                    continue;
                ash_array *const a = lying(1, dtypes[d], rows, inner, way % WAYS), *const b = lying(2, dtypes[d], inner, cols,
                                                                                                    way / WAYS);
                const int before = calls();
                /* BLAS has no conjugate that is not transposed, which such a factor would be of a result in columns */
                const int forms = adjoint ? 1 : 2;
                for (int k = 0; k < forms; k++)
                    check_product(ash_matmul(a, b, .layout = k ? ASH_COL_MAJOR : ASH_ROW_MAJOR), 1, rows, inner, cols,
                                  is_complex(dtypes[d]), 1, NULL);
                assert_int_equal(calls(), before + forms);
            }
    ash_resources_release(r);
    NO_ERROR();
}

static void stacks_and_factors(void **state)
{
    (void)state;
    ash_resources *const r = begin("theirs");
    ASH_WITH_RESOURCES(r);
    for (int d = 0; d < COUNT(dtypes); d++) {
        ASH_SCOPE(scope);
        const bool paired = is_complex(dtypes[d]);
        ash_array *const a = numbers(1, dtypes[d], ASH_SHAPE(3, 4, 5)), *const b = numbers(2, dtypes[d], ASH_SHAPE(3, 5, 6));
        const int before = calls();
        check_product(ash_matmul(a, b), 3, 4, 5, 6, paired, 1, NULL);
        ash_array *const c = numbers(3, dtypes[d], ASH_SHAPE(3, 4, 6));
        double complex more[3 * 4 * 6];
        for (int i = 0; i < COUNT(more); i++)
            more[i] = -2 * number(3, i, paired);
        CHECK_OK(ash_gemm_into(c, a, b, .alpha = ash_operand_f64(3), .beta = ash_operand_f64(-2)));
        check_product(c, 3, 4, 5, 6, paired, 3, more);
        assert_int_equal(calls(), before + 2);
    }
    ash_resources_release(r);
    NO_ERROR();
}

/* ---- whose */

static void small_products_are_ours(void **state)
{
    (void)state;
    ash_resources *const r = begin("auto");
    ASH_WITH_RESOURCES(r);
    ASH_SCOPE(scope);
    const int before = calls();
    check_product(ash_matmul(numbers(1, ASH_F32, ASH_SHAPE(5, 7)), numbers(2, ASH_F32, ASH_SHAPE(7, 6))), 1, 5, 7, 6, false, 1,
                  NULL);
    assert_int_equal(calls(), before);
    ash_array *const large = ash_ones(ASH_SHAPE(64, 64), .dtype = ASH_F32);
    CHECK_ALL(ash_matmul(large, large), 64);
    assert_int_equal(calls(), before + 1);
    ash_array *const whole = ash_ones(ASH_SHAPE(64, 64), .dtype = ASH_I32); /* cuBLAS has none of these: nobody is told */
    CHECK_ALL(ash_matmul(whole, whole), 64);
    CHECK_ALL(ash_matmul(large, large, .a_structure = ASH_DIAGONAL), 1);
    setenv("ASHLAR_CUDA_LIBRARIES", "ours", 1);
    CHECK_ALL(ash_matmul(large, large), 64);
    assert_int_equal(calls(), before + 1);
    ash_resources_release(r);
    NO_ERROR();
}

static void what_must_be_theirs_and_cannot(void **state)
{
    static const char want[] =
        "ash_matmul: ASHLAR_CUDA_LIBRARIES is theirs, but cuBLAS has no such product or solve: it wants "
        "floats of one dtype, rows or columns that lie in order, fewer than 2^31 of them, and at most one axis of members; set "
        "it to auto";
    (void)state;
    ash_resources *const r = begin("theirs");
    ASH_WITH_RESOURCES(r);
    ASH_SCOPE(scope);
    ash_array *const i = ash_ones(ASH_SHAPE(4, 4), .dtype = ASH_I32), *const f = ash_ones(ASH_SHAPE(8, 8), .dtype = ASH_F32);
    CHECK(!ash_matmul(i, i));
    CHECK_ERROR(ASH_ERR_UNSUPPORTED, want);
    ash_array *const apart = ash_view(f, ASH_RANGE(ASH_OPEN, ASH_OPEN, 2), ASH_RANGE(ASH_OPEN, ASH_OPEN, 2));
    CHECK(!ash_matmul(apart, apart));
    CHECK_ERROR(ASH_ERR_UNSUPPORTED, want);
    ash_resources_release(r);
}

/* ---- what is wrong */

static ash_array *product_of_ones(void)
{
    ash_array *const a = ash_ones(ASH_SHAPE(64, 64), .dtype = ASH_F32);
    return ash_matmul(a, a);
}
static bool is_64(const ash_array *c)
{
    return ash_item_f32(ash_max(c)) == 64 && ash_item_f32(ash_min(c)) == 64;
}

static const wrong faults[] = {
    {"libnone.so.1", "", "theirs", ASH_ERR_DEVICE, ", which ASHLAR_CUBLAS_LIBRARY names"},
    {"libnone.so.1", "", "auto", ASH_OK, NULL},
    {"libm.so.6", "", "theirs", ASH_ERR_DEVICE, "libm.so.6 has no cublasCreate_v2; cuBLAS of CUDA 11 or newer is needed"},
    {NULL, "create=1", "theirs", ASH_ERR_DEVICE,
     "cublasCreate of cuda:0 failed with cuBLAS status 1, CUBLAS_STATUS_NOT_INITIALIZED; ASHLAR_CUDA_LIBRARIES=ours does "
     "without"},
    {NULL, "create=3", "theirs", ASH_ERR_MEMORY, "CUBLAS_STATUS_ALLOC_FAILED"},
    {NULL, "create=1", "auto", ASH_OK, NULL},
    {NULL, "gemm=15", "auto", ASH_OK, NULL},
    {NULL, "gemm=13", "auto", ASH_ERR_DEVICE, "cublasGemmStridedBatchedEx of cuda:0 failed with cuBLAS status 13"},
    {NULL, "gemm=15", "theirs", ASH_ERR_DEVICE, "CUBLAS_STATUS_NOT_SUPPORTED"},
};

static void failures_are_told(void **state)
{
    static const work w = {"ASHLAR_CUBLAS_LIBRARY", "CUBLAS_DOUBLE_FAULT", product_of_ones, is_64};
    (void)state;
    check_failures(&w, faults, COUNT(faults));
}

static void cublas_has_the_entries(void **state)
{
    static const char *const names[] = {"cublasCreate_v2", "cublasSetStream_v2", "cublasGemmStridedBatchedEx",
                                        "cublasStrsm_v2",  "cublasDtrsm_v2",     "cublasCtrsm_v2",
                                        "cublasZtrsm_v2"};
    (void)state;
    check_entries("libcublas.so.", 13, 11, names, COUNT(names));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failures_are_told), /* first: CUDA does not survive a fork */
        cmocka_unit_test(every_dtype_and_layout),  cmocka_unit_test(stacks_and_factors),
        cmocka_unit_test(small_products_are_ours), cmocka_unit_test(what_must_be_theirs_and_cannot),
        cmocka_unit_test(cublas_has_the_entries),
    };
    return run_with_double("ASHLAR_CUBLAS_LIBRARY", tests, COUNT(tests));
}
