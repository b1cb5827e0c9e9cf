/*
 * cublas.c - matrix products and triangular solves by cuBLAS, opened at run time where it is installed (theirs.h).
 *
 * Its matrices have their columns in order, so one of rows is the transposed one: C = A B becomes C^T = B^T A^T, and A X = B is
 * X^T A^T = B^T where B has rows.
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
       int c_lead, long long c_each, int count, int compute, int algorithm))                                             \
    X(cublasStrsm_v2, TRSM_PARAMETERS)                                                                                   \
    X(cublasDtrsm_v2, TRSM_PARAMETERS)                                                                                   \
    X(cublasCtrsm_v2, TRSM_PARAMETERS)                                                                                   \
    X(cublasZtrsm_v2, TRSM_PARAMETERS)
#define TRSM_PARAMETERS                                                                                                  \
    (void *handle, int side, int triangle, int a_op, int diagonal, int rows, int cols, const void *alpha, const void *a, \
     int a_lead, void *b, int b_lead)

/* Of cublas_api.h of CUDA 11 to 13. */
enum { OP_N, OP_T, OP_C };
enum { LEFT, RIGHT };
enum { LOWER, UPPER };
enum { COMPUTE_32F = 68, COMPUTE_64F = 70, COMPUTE_32F_FAST_TF32 = 77, GEMM_DEFAULT = -1 };

/* What pays: products of so many rows, columns and inner elements, triangles of so many rows in so few members. */
enum { LEAST_SIDE = 64, LEAST_TRIANGLE = 128, MOST_TRIANGLES = 4 };

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
                              .has_no = "such product or solve: it wants floats of one dtype, rows or columns that lie in "
                                        "order, fewer than 2^31 of them, and at most one axis of members",
                              .stem = "libcublas.so.",
                              .version = {11, 12, 13},
                              .variable = "ASHLAR_CUBLAS_LIBRARY",
                              .setting = ash__cublas_setting,
                              .functions = functions,
                              .count = sizeof functions / sizeof functions[0],
                              .table = &cublas,
                              .status_name = name_of,
                              .no_memory = 3,
                              .not_supported = 15,
                              .create = &cublas.cublasCreate_v2,
                              .set_stream = &cublas.cublasSetStream_v2,
                              .create_name = "cublasCreate",
                              .stream_name = "cublasSetStream",
                              .lock = PTHREAD_MUTEX_INITIALIZER};

/* ---- products */

static int compute_of(ash_dtype dtype)
{
    return ash__part(dtype) == ASH_F64               ? COMPUTE_64F
           : dtype == ASH_F32 && ash__tf32_setting() ? COMPUTE_32F_FAST_TF32
                                                     : COMPUTE_32F;
}

static int op_of(const ash__gemm_matrix *m)
{
    return m->conjugated ? OP_C : m->turned ? OP_T : OP_N;
}

/* Alignment to elements is what all of cuBLAS's algorithms can do. */
static bool are_ints(const int64_t *numbers, int count)
{
    for (int k = 0; k < count; k++)
        if (numbers[k] < 1 || numbers[k] > INT32_MAX)
            return false;
    return true;
}

static bool pays(const ash__gemm *g)
{
    return g->rows >= LEAST_SIDE && g->cols >= LEAST_SIDE && g->inner >= LEAST_SIDE;
}

static void *reach(ash__cu_queue *q, const ash__gemm_matrix *m)
{
    return ash__theirs_reach(q, m->memory, m->start);
}

static int multiply(ash__cu_queue *q, const void *what, const char **called)
{
    const ash__gemm *const g = what;
    const int type = ash__theirs_type(g->dtype);
    void *handle;
    const int failed = ash__theirs_handle(&library, q, &handle, called);
    if (failed)
        return failed;
    *called = "cublasGemmStridedBatchedEx";
    return cublas.cublasGemmStridedBatchedEx(handle, op_of(&g->b), op_of(&g->a), (int)g->cols, (int)g->rows, (int)g->inner,
                                             g->alpha, reach(q, &g->b), type, (int)g->b.lead, g->b.each, reach(q, &g->a), type,
                                             (int)g->a.lead, g->a.each, g->beta, reach(q, &g->c), type, (int)g->c.lead,
                                             g->c.each, (int)g->count, compute_of(g->dtype), GEMM_DEFAULT);
}

bool ash__cu_gemm(const char *function, void *queue, const ash__gemm *g, void **event, ash_status *status)
{
    const bool can = g && are_ints((const int64_t[]){g->rows, g->cols, g->inner, g->count, g->c.lead, g->a.lead, g->b.lead}, 7);
    if (!ash__theirs_takes(function, &library, queue, can, can && pays(g), status))
        return false;
    return *status || ash__theirs_run(function, &library, queue, multiply, g, false, event, status);
}

/* ---- triangles */

/* B as it lies for cuBLAS, B or B^T, and A beside it. */
static int solve(ash__cu_queue *q, const void *what, const char **called)
{
    static const char *const names[] = {"cublasStrsm", "cublasDtrsm", "cublasCtrsm", "cublasZtrsm"};
    int(*const trsm[])
        TRSM_PARAMETERS = {cublas.cublasStrsm_v2, cublas.cublasDtrsm_v2, cublas.cublasCtrsm_v2, cublas.cublasZtrsm_v2};
    static const double wide[2] = {1, 0};
    static const float narrow[2] = {1, 0};
    const ash__trsm *const t = what;
    const bool is_wide = ash__part(t->dtype) == ASH_F64, left = t->b.turned;
    const int which = 2 * ash__is_complex(t->dtype) + is_wide, op = t->a.turned == left ? OP_N : OP_T;
    const int64_t size = (int64_t)ash_dtype_size(t->dtype);
    void *handle;
    int failed = ash__theirs_handle(&library, q, &handle, called);
    if (failed)
        return failed;
    *called = names[which];
    const char *const a = reach(q, &t->a);
    char *const b = reach(q, &t->b);
    for (int64_t k = 0; k < t->count && !failed; k++)
        failed = trsm[which](handle, left ? LEFT : RIGHT, t->upper == t->a.turned ? UPPER : LOWER, t->a.conjugated ? OP_C : op,
                             t->unit, (int)(left ? t->rows : t->cols), (int)(left ? t->cols : t->rows),
                             is_wide ? (const void *)wide : (const void *)narrow, a + k * t->a.each * size, (int)t->a.lead,
                             b + k * t->b.each * size, (int)t->b.lead);
    return failed;
}

static int prepare(ash__cu_queue *q, const void *what, const char **called)
{
    void *handle;
    (void)what;
    return ash__theirs_handle(&library, q, &handle, called);
}

bool ash__cu_trsm_room(const char *function, void *queue, const ash__trsm *t, size_t *nbytes, ash_status *status)
{
    const bool can = are_ints((const int64_t[]){t->rows, t->cols, t->a.lead, t->b.lead}, 4);
    const bool pays = t->rows >= LEAST_TRIANGLE && t->count <= MOST_TRIANGLES;
    *nbytes = 0;
    if (!ash__theirs_takes(function, &library, queue, can, pays, status))
        return false;
    return *status || ash__theirs_ask(function, &library, queue, prepare, t, status);
}

ash_status ash__cu_trsm(const char *function, void *queue, const ash__trsm *t, void **event)
{
    ash_status status;
    ash__theirs_run(function, &library, queue, solve, t, true, event, &status);
    return status;
}
