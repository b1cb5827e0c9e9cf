/*
 * cusolver.c - factorizations by cuSOLVER, opened at run time where it is installed (theirs.h): its calls of 64-bit sizes.
 *
 * Its matrices have their columns in order. The lower triangle of a Hermitian one whose rows are in order is the upper triangle
 * of the one it takes it for, and so is the factor.
 */
#include <stdlib.h>

#include "backend/cuda/cuda.h"
#include "backend/cuda/theirs.h"
#include "backend/factor.h"
#include "core/alloc.h"
#include "core/settings.h"

/* X(name, parameters); all return a status, 0 for success */
#define CUSOLVER_FUNCTIONS(X)                                                                                                  \
    X(cusolverDnCreate, (void **handle))                                                                                       \
    X(cusolverDnSetStream, (void *handle, void *stream))                                                                       \
    X(cusolverDnCreateParams, (void **parameters))                                                                             \
    X(cusolverDnXpotrf_bufferSize, (void *handle, void *parameters, int triangle, int64_t n, int a_type, const void *a,        \
                                    int64_t a_lead, int compute, size_t *device, size_t *host))                                \
    X(cusolverDnXpotrf, (void *handle, void *parameters, int triangle, int64_t n, int a_type, void *a, int64_t a_lead,         \
                         int compute, void *device, size_t device_size, void *host, size_t host_size, int *info))              \
    X(cusolverDnXgetrf_bufferSize, (void *handle, void *parameters, int64_t m, int64_t n, int a_type, const void *a,           \
                                    int64_t a_lead, int compute, size_t *device, size_t *host))                                \
    X(cusolverDnXgetrf,                                                                                                        \
      (void *handle, void *parameters, int64_t m, int64_t n, int a_type, void *a, int64_t a_lead, int64_t *pivots,             \
       int compute, void *device, size_t device_size, void *host, size_t host_size, int *info))                                \
    X(cusolverDnXgeqrf_bufferSize, (void *handle, void *parameters, int64_t m, int64_t n, int a_type, const void *a,           \
                                    int64_t a_lead, int tau_type, const void *tau, int compute, size_t *device, size_t *host)) \
    X(cusolverDnXgeqrf,                                                                                                        \
      (void *handle, void *parameters, int64_t m, int64_t n, int a_type, void *a, int64_t a_lead, int tau_type, void *tau,     \
       int compute, void *device, size_t device_size, void *host, size_t host_size, int *info))

enum { LOWER, UPPER };                       /* of cublas_api.h of CUDA 11 to 13 */
enum { LEAST_SIDE = 128, MOST_MEMBERS = 4 }; /* what pays */

typedef struct cusolver_library {
#define CUSOLVER_MEMBER(NAME, PARAMETERS) int(*NAME) PARAMETERS;
    CUSOLVER_FUNCTIONS(CUSOLVER_MEMBER)
#undef CUSOLVER_MEMBER
} cusolver_library;
static cusolver_library cusolver;

/* Of cusolver_common.h. */
static const char *name_of(int status)
{
    static const char *const names[] = {NULL,
                                        "CUSOLVER_STATUS_NOT_INITIALIZED",
                                        "CUSOLVER_STATUS_ALLOC_FAILED",
                                        "CUSOLVER_STATUS_INVALID_VALUE",
                                        "CUSOLVER_STATUS_ARCH_MISMATCH",
                                        "CUSOLVER_STATUS_MAPPING_ERROR",
                                        "CUSOLVER_STATUS_EXECUTION_FAILED",
                                        "CUSOLVER_STATUS_INTERNAL_ERROR",
                                        "CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED",
                                        "CUSOLVER_STATUS_NOT_SUPPORTED",
                                        "CUSOLVER_STATUS_ZERO_PIVOT",
                                        "CUSOLVER_STATUS_INVALID_LICENSE"};
    return status < 0 || status >= (int)(sizeof names / sizeof names[0]) ? NULL : names[status];
}

static const ash__cu_place functions[] = {
#define CUSOLVER_FUNCTION(NAME, PARAMETERS) {#NAME, offsetof(cusolver_library, NAME)},
    CUSOLVER_FUNCTIONS(CUSOLVER_FUNCTION)
#undef CUSOLVER_FUNCTION
};
static ash__theirs library = {.name = "cuSOLVER",
                              .package = "nvidia-cusolver",
                              .has_no = "such factorization",
                              .stem = "libcusolver.so.",
                              .version = {11, 11, 12},
                              .variable = "ASHLAR_CUSOLVER_LIBRARY",
                              .setting = ash__cusolver_setting,
                              .functions = functions,
                              .count = sizeof functions / sizeof functions[0],
                              .table = &cusolver,
                              .status_name = name_of,
                              .no_memory = 2,
                              .not_supported = 9,
                              .create = &cusolver.cusolverDnCreate,
                              .set_stream = &cusolver.cusolverDnSetStream,
                              .create_name = "cusolverDnCreate",
                              .stream_name = "cusolverDnSetStream",
                              .lock = PTHREAD_MUTEX_INITIALIZER};

/* What all calls of one task have in common. */
typedef struct errand {
    void *handle, *parameters;
    int type, triangle;
    size_t device, host; /* bytes to work in */
} errand;

/* In the device's context. */
static int begin(errand *e, ash__cu_queue *q, const ash__lapack *t, const char **called)
{
    static void *parameters[ASH__THEIRS_DEVICES];
    void **const kept = &parameters[q->device->number];
    *e = (errand){.type = ash__theirs_type(t->dtype), .triangle = t->a.turned ? LOWER : UPPER};
    int failed = ash__theirs_handle(&library, q, &e->handle, called);
    if (failed)
        return failed;
    *called = "cusolverDnCreateParams";
    if (!*kept)
        failed = cusolver.cusolverDnCreateParams(kept);
    if (failed)
        *kept = NULL;
    e->parameters = *kept;
    return failed;
}

static int size(errand *e, const ash__lapack *t, const void *a, const char **called)
{
    switch (t->op) {
    case ASH__FACTOR_LU:
        *called = "cusolverDnXgetrf_bufferSize";
        return cusolver.cusolverDnXgetrf_bufferSize(e->handle, e->parameters, t->rows, t->cols, e->type, a, t->a.lead, e->type,
                                                    &e->device, &e->host);
    case ASH__FACTOR_CHOLESKY:
        *called = "cusolverDnXpotrf_bufferSize";
        return cusolver.cusolverDnXpotrf_bufferSize(e->handle, e->parameters, e->triangle, t->rows, e->type, a, t->a.lead,
                                                    e->type, &e->device, &e->host);
    default:
        *called = "cusolverDnXgeqrf_bufferSize";
        return cusolver.cusolverDnXgeqrf_bufferSize(e->handle, e->parameters, t->rows, t->cols, e->type, a, t->a.lead, e->type,
                                                    a, e->type, &e->device, &e->host);
    }
}

static int call(const errand *e, const ash__lapack *t, void *a, void *vector, void *device, void *host, int *info,
                const char **called)
{
    switch (t->op) {
    case ASH__FACTOR_LU:
        *called = "cusolverDnXgetrf";
        return cusolver.cusolverDnXgetrf(e->handle, e->parameters, t->rows, t->cols, e->type, a, t->a.lead, vector, e->type,
                                         device, e->device, host, e->host, info);
    case ASH__FACTOR_CHOLESKY:
        *called = "cusolverDnXpotrf";
        return cusolver.cusolverDnXpotrf(e->handle, e->parameters, e->triangle, t->rows, e->type, a, t->a.lead, e->type, device,
                                         e->device, host, e->host, info);
    default:
        *called = "cusolverDnXgeqrf";
        return cusolver.cusolverDnXgeqrf(e->handle, e->parameters, t->rows, t->cols, e->type, a, t->a.lead, e->type, vector,
                                         e->type, device, e->device, host, e->host, info);
    }
}

/* Every member; memory of the host is worked in until the stream is done. */
static int each_member(const errand *e, ash__cu_queue *q, const ash__lapack *t, void *host, const char **called)
{
    const int64_t size = (int64_t)ash_dtype_size(t->dtype), steps = t->rows < t->cols ? t->rows : t->cols;
    const int64_t item = t->op == ASH__FACTOR_LU ? (int64_t)sizeof(int64_t) : size;
    char *const a = ash__theirs_reach(q, t->a.memory, t->a.start), *const vector = ash__theirs_reach(q, t->vector, 0);
    int *const info = ash__theirs_reach(q, t->info, 0);
    void *const device = ash__theirs_reach(q, t->work, 0);
    int failed = 0;
    for (int64_t k = 0; k < t->count && !failed; k++)
        failed = call(e, t, a + k * t->a.each * size, vector + k * steps * item, device, host, info + k, called);
    if (host)
        ash__cu.cuStreamSynchronize(q->stream); /* what it says, the event behind this says too */
    return failed;
}

/* begin, and how much is worked in. */
static int prepare(errand *e, ash__cu_queue *q, const ash__lapack *t, const char **called)
{
    const int failed = begin(e, q, t, called);
    return failed ? failed : size(e, t, ash__theirs_reach(q, t->a.memory, t->a.start), called);
}

static int factorize(ash__cu_queue *q, const void *what, const char **called)
{
    const ash__lapack *const t = what;
    errand e;
    int failed = prepare(&e, q, t, called);
    if (failed)
        return failed;
    void *const host = e.host && !ash__allocation_fails() ? malloc(e.host) : NULL;
    failed = e.host && !host ? library.no_memory : each_member(&e, q, t, host, called);
    free(host);
    return failed;
}

typedef struct question {
    const ash__lapack *what;
    size_t *nbytes;
} question;

static int ask(ash__cu_queue *q, const void *what, const char **called)
{
    const question *const of = what;
    errand e;
    const int failed = prepare(&e, q, of->what, called);
    *of->nbytes = failed || !e.device ? 1 : e.device;
    return failed;
}

bool ash__cu_lapack_room(const char *function, void *queue, const ash__lapack *t, size_t *nbytes, ash_status *status)
{
    const bool pays = t->rows >= LEAST_SIDE && t->cols >= LEAST_SIDE && t->count <= MOST_MEMBERS;
    if (!ash__theirs_takes(function, &library, queue, true, pays, status))
        return false;
    return *status || ash__theirs_ask(function, &library, queue, ask, &(question){t, nbytes}, status);
}

ash_status ash__cu_lapack(const char *function, void *queue, const ash__lapack *t, void **event)
{
    ash_status status;
    ash__theirs_run(function, &library, queue, factorize, t, true, event, &status);
    return status;
}
