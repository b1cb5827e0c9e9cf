/*
 * cublas.c - matrix products by cuBLAS, opened at run time where it is installed (theirs.h).
 *
 * It counts columns, so a product of rows is that of the transposed matrices: C^T = B^T A^T.
 *
 * A device has one handle, used under the device's lock; it works in the stream that it is told before each product. Where none
 * can be made, or cuBLAS does not support a product, our kernels do it, unless it must be theirs.
 */
#include "backend/cuda/cuda.h"
#include "backend/cuda/theirs.h"
#include "core/settings.h"

/* X(name, parameters); all return a status, 0 for success */
#define CUBLAS_FUNCTIONS(X)                                                                                              \
    X(cublasCreate_v2, (void **handle))                                                                                  \
    X(cublasSetStream_v2, (void *handle, void *stream))                                                                  \
    X(cublasGemmStridedBatchedEx,                                                                                        \
      (void *handle, int a_op, int b_op, int m, int n, int k, const void *alpha, const void *a, int a_type, int a_lead,  \
       long long a_each, const void *b, int b_type, int b_lead, long long b_each, const void *beta, void *c, int c_type, \
       int c_lead, long long c_each, int count, int compute, int algorithm))

/* Of cublas_api.h and library_types.h of CUDA 11 to 13. */
enum { OP_N, OP_T, OP_C };
enum { R_32F = 0, R_64F = 1, R_16F = 2, C_32F = 4, C_64F = 5, R_16BF = 14 };
enum { COMPUTE_32F = 68, COMPUTE_64F = 70, COMPUTE_32F_FAST_TF32 = 77, GEMM_DEFAULT = -1 };
enum { STATUS_NOT_SUPPORTED = 15 };

enum { LEAST_SIDE = 64, DEVICES = 64 };

typedef struct cublas_library {
#define CUBLAS_MEMBER(NAME, PARAMETERS) int(*NAME) PARAMETERS;
    CUBLAS_FUNCTIONS(CUBLAS_MEMBER)
#undef CUBLAS_MEMBER
} cublas_library;
static cublas_library cublas;

static const char *name_of(int status)
{
    static const struct {
        int status;
        const char *name;
    } names[] = {
        {1, "CUBLAS_STATUS_NOT_INITIALIZED"}, {3, "CUBLAS_STATUS_ALLOC_FAILED"},   {7, "CUBLAS_STATUS_INVALID_VALUE"},
        {8, "CUBLAS_STATUS_ARCH_MISMATCH"},   {11, "CUBLAS_STATUS_MAPPING_ERROR"}, {13, "CUBLAS_STATUS_EXECUTION_FAILED"},
        {14, "CUBLAS_STATUS_INTERNAL_ERROR"}, {15, "CUBLAS_STATUS_NOT_SUPPORTED"}, {16, "CUBLAS_STATUS_LICENSE_ERROR"}};
    for (size_t k = 0; k < sizeof names / sizeof names[0]; k++)
        if (names[k].status == status)
            return names[k].name;
    return NULL;
}

static const ash__cu_place functions[] = {
#define CUBLAS_FUNCTION(NAME, PARAMETERS) {#NAME, offsetof(cublas_library, NAME)},
    CUBLAS_FUNCTIONS(CUBLAS_FUNCTION)
#undef CUBLAS_FUNCTION
};
static ash__theirs library = {.name = "cuBLAS",
                              .package = "nvidia-cublas",
                              .has_no = "such product: it wants floats of one dtype, rows or columns that lie in order, and at "
                                        "most one axis of members",
                              .stem = "libcublas.so.",
                              .version = {11, 12, 13},
                              .variable = "ASHLAR_CUBLAS_LIBRARY",
                              .setting = ash__cublas_setting,
                              .functions = functions,
                              .count = sizeof functions / sizeof functions[0],
                              .table = &cublas,
                              .status_name = name_of,
                              .no_memory = 3,
                              .lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- products */

static int type_of(ash_dtype dtype)
{
    switch (dtype) {
    case ASH_F16:
        return R_16F;
    case ASH_BF16:
        return R_16BF;
    case ASH_F64:
        return R_64F;
    case ASH_C_F32:
        return C_32F;
    case ASH_C_F64:
        return C_64F;
    default:
        return R_32F;
    }
}

static int compute_of(ash_dtype dtype)
{
    return dtype == ASH_F64 || dtype == ASH_C_F64    ? COMPUTE_64F
           : dtype == ASH_F32 && ash__tf32_setting() ? COMPUTE_32F_FAST_TF32
                                                     : COMPUTE_32F;
}

static int op_of(const ash__gemm_matrix *m)
{
    return m->conjugated ? OP_C : m->turned ? OP_T : OP_N;
}

/* cuBLAS counts in int, and alignment to elements is what all of its algorithms can do. */
static bool fits(const ash__gemm *g)
{
    const int64_t numbers[] = {g->rows, g->cols, g->inner, g->count, g->c.lead, g->a.lead, g->b.lead};
    for (size_t k = 0; k < sizeof numbers / sizeof numbers[0]; k++)
        if (numbers[k] < 1 || numbers[k] > INT32_MAX)
            return false;
    return true;
}

static bool pays(const ash__gemm *g)
{
    return g->rows >= LEAST_SIDE && g->cols >= LEAST_SIDE && g->inner >= LEAST_SIDE;
}

static void *address_of(ash__cu_queue *q, const ash__gemm_matrix *m)
{
    ash__cu_memory *const memory = m->memory;
    ash__cu_move(q, memory);
    return (void *)(uintptr_t)(memory->pointer + (uint64_t)m->start);
}

/* In the device's context, under its lock, as handles are. */
static void *handles[DEVICES];
static bool has_failed[DEVICES]; /* to make a handle: not tried again unless it must be */

static int multiply(ash__cu_queue *q, const ash__gemm *g, const char **called)
{
    void **const handle = &handles[q->device->number];
    int status = 0;
    *called = "cublasCreate";
    if (!*handle && (status = cublas.cublasCreate_v2(handle))) {
        *handle = NULL;
        has_failed[q->device->number] = true;
        return status;
    }
    *called = "cublasSetStream";
    if ((status = cublas.cublasSetStream_v2(*handle, q->stream)))
        return status;
    *called = "cublasGemmStridedBatchedEx";
    const int type = type_of(g->dtype);
    return cublas.cublasGemmStridedBatchedEx(
        *handle, op_of(&g->b), op_of(&g->a), (int)g->cols, (int)g->rows, (int)g->inner, g->alpha, address_of(q, &g->b), type,
        (int)g->b.lead, g->b.each, address_of(q, &g->a), type, (int)g->a.lead, g->a.each, g->beta, address_of(q, &g->c), type,
        (int)g->c.lead, g->c.each, (int)g->count, compute_of(g->dtype), GEMM_DEFAULT);
}

bool ash__cu_gemm(const char *function, void *queue, const ash__gemm *g, void **event, ash_status *status)
{
    ash__cu_queue *const q = queue;
    const int number = q->device->number;
    const bool can = g && number < DEVICES && fits(g);
    const char *called = NULL;
    int failed = 0;
    if (!ash__theirs_takes(function, &library, can, can && pays(g) && !has_failed[number], status))
        return false;
    if (*status)
        return true;
    const ash__cu_call call = ash__cu_begin(q->device);
    int error = call.error;
    if (!error && (failed = multiply(q, g, &called)) == 0)
        *event = ash__cu_record(q, &error);
    *status = ash__cu_end(failed ? NULL : function, &call, "cuEventRecord", error);
    const bool ours = !handles[number] || failed == STATUS_NOT_SUPPORTED;
    return !failed || ash__theirs_failed(function, &library, q->device->name, called, failed, ours, status);
}
