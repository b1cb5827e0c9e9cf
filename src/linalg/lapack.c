/*
 * lapack.c - LAPACK, opened at run time, through its Fortran symbols with 32-bit integers.
 *
 * Looked for once: the file that ASHLAR_LAPACK names, or else OpenBLAS, or else the reference LAPACK. Fortran takes every
 * argument by address and, behind the others, the length of each text; so one C type serves the two real dtypes and another
 * the two complex ones.
 *
 * Invariant: no routine is ever called with an argument that it would refuse, because some print and stop the process then.
 */
#include "linalg/lapack.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/error.h"
#include "core/host.h"
#include "core/settings.h"
#include "ops/run.h"

enum { SVD, EIGH, EIG, ROUTINES, DTYPES = 4 };

typedef void routine(void);
typedef void svd_real(const char *job, const int32_t *m, const int32_t *n, void *a, const int32_t *lda, void *s, void *u,
                      const int32_t *ldu, void *vt, const int32_t *ldvt, void *work, const int32_t *lwork, int32_t *iwork,
                      int32_t *info, size_t job_length);
typedef void svd_complex(const char *job, const int32_t *m, const int32_t *n, void *a, const int32_t *lda, void *s, void *u,
                         const int32_t *ldu, void *vt, const int32_t *ldvt, void *work, const int32_t *lwork, void *rwork,
                         int32_t *iwork, int32_t *info, size_t job_length);
typedef void eigh_real(const char *job, const char *uplo, const int32_t *n, void *a, const int32_t *lda, void *w, void *work,
                       const int32_t *lwork, int32_t *iwork, const int32_t *liwork, int32_t *info, size_t job_length,
                       size_t uplo_length);
typedef void eigh_complex(const char *job, const char *uplo, const int32_t *n, void *a, const int32_t *lda, void *w, void *work,
                          const int32_t *lwork, void *rwork, const int32_t *lrwork, int32_t *iwork, const int32_t *liwork,
                          int32_t *info, size_t job_length, size_t uplo_length);
typedef void eig_real(const char *left, const char *right, const int32_t *n, void *a, const int32_t *lda, void *wr, void *wi,
                      void *vl, const int32_t *ldvl, void *vr, const int32_t *ldvr, void *work, const int32_t *lwork,
                      int32_t *info, size_t left_length, size_t right_length);
typedef void eig_complex(const char *left, const char *right, const int32_t *n, void *a, const int32_t *lda, void *w, void *vl,
                         const int32_t *ldvl, void *vr, const int32_t *ldvr, void *work, const int32_t *lwork, void *rwork,
                         int32_t *info, size_t left_length, size_t right_length);

/* ---- the library */

typedef enum state { UNKNOWN, ABSENT, WRONG, READY } state;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static state found; /* under the lock, as is the rest */
static char fault[256];
static routine *routines[ROUTINES][DTYPES]; /* constant once found is READY */

static routine *symbol(void *library, const char *name)
{
    void *const address = dlsym(library, name);
    routine *f = NULL;
    memcpy(&f, &address, sizeof f); /* ISO C does not convert one to the other */
    return f;
}

/* Are integers of 32 bits? A routine that tells its version writes one, and leaves the rest of a wider place alone. */
static bool narrow(void *library)
{
    typedef void version(void *major, void *minor, void *patch);
    int64_t number[3] = {-1, -1, -1};
    routine *const f = symbol(library, "ilaver_");
    if (!f)
        return true; /* older than 3.1: all of them are */
    ((version *)f)(&number[0], &number[1], &number[2]);
    return (uint64_t)number[0] >> 32 == UINT32_MAX || (uint64_t)number[0] << 32 == UINT64_C(0xffffffff00000000);
}

/* Takes all routines of a library, or none: what is missing is told in `fault`. */
static bool take_routines(void *library, const char *path)
{
    static const char *const names[ROUTINES][DTYPES] = {{"sgesdd_", "dgesdd_", "cgesdd_", "zgesdd_"},
                                                        {"ssyevd_", "dsyevd_", "cheevd_", "zheevd_"},
                                                        {"sgeev_", "dgeev_", "cgeev_", "zgeev_"}};
    for (int k = 0; k < ROUTINES; k++)
        for (int d = 0; d < DTYPES; d++)
            if (!(routines[k][d] = symbol(library, names[k][d]))) {
                snprintf(fault, sizeof fault, "%.128s has no %s", path, names[k][d]);
                return false;
            }
    if (narrow(library))
        return true;
    snprintf(fault, sizeof fault, "%.128s has integers of 64 bits; a LAPACK with 32-bit integers is wanted", path);
    return false;
}

static bool open_file(const char *path)
{
    void *const library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        snprintf(fault, sizeof fault, "%.200s", dlerror());
        return false;
    }
    return take_routines(library, path); /* never closed: it may have started threads */
}

static state look(void)
{
    static const char *const files[] = {"libopenblas.so.0", "liblapack.so.3"};
    const char *const given = ash__lapack_setting();
    if (given && strcmp(given, "off") == 0)
        return ABSENT;
    if (given)
        return open_file(given) ? READY : WRONG;
    for (size_t k = 0; k < sizeof files / sizeof files[0]; k++)
        if (open_file(files[k]))
            return READY;
    return ABSENT;
}

static state find_library(char why[sizeof fault])
{
    pthread_mutex_lock(&lock);
    if (found == UNKNOWN)
        found = look();
    const state s = found;
    memcpy(why, fault, sizeof fault);
    pthread_mutex_unlock(&lock);
    return s;
}

bool ash__lapack_there(const char *function, ash_status *status)
{
    char why[sizeof fault];
    const state s = find_library(why);
    *status = s != WRONG ? ASH_OK
                         : ash__fail(ASH_ERR_UNSUPPORTED, function,
                                     "ASHLAR_LAPACK is no LAPACK: %s; install libopenblas0 or "
                                     "liblapack3, or set ASHLAR_LAPACK",
                                     why);
    return s == READY;
}

ash_status ash__lapack_need(const char *function)
{
    ash_status status;
    if (ash__lapack_there(function, &status) || status)
        return status;
    return ash__fail(ASH_ERR_UNSUPPORTED, function,
                     "this needs LAPACK; install libopenblas0 or liblapack3, or set ASHLAR_LAPACK");
}

void ash__lapack_forget(void)
{
    pthread_mutex_lock(&lock);
    found = UNKNOWN;
    pthread_mutex_unlock(&lock);
}

static int slot(ash_dtype dtype)
{
    return (ash__is_complex(dtype) ? 2 : 0) + (ash__part(dtype) == ASH_F64);
}

/* ---- working memory */

/* What a routine answered when asked for its best size: a float, perhaps rounded down. */
static int64_t asked(ash_dtype dtype, const double answer[2])
{
    float single;
    memcpy(&single, answer, sizeof single);
    return ash__part(dtype) == ASH_F64 ? (int64_t)answer[0] : (int64_t)((double)single * (1 + 0x1p-22)) + 1;
}

static int64_t larger(int64_t a, int64_t b)
{
    return a > b ? a : b;
}
static bool fits(int64_t n)
{
    return n <= INT32_MAX;
}

static ash_status too_large(const char *function, int64_t m, int64_t n)
{
    return ash__fail(ASH_ERR_UNSUPPORTED, function, "a matrix of shape (%lld, %lld) is too large for LAPACK's 32-bit integers",
                     (long long)m, (long long)n);
}

static ash_status take_work(const char *function, ash_resources *r, ash_dtype dtype, int64_t size, int64_t reals,
                            int64_t integers, ash__lapack_work *w)
{
    const int64_t item = (int64_t)ash_dtype_size(dtype), part = (int64_t)ash_dtype_size(ash__part(dtype));
    const int64_t bytes = item * size + part * reals + 4 * integers;
    *w = (ash__lapack_work){.size = (int32_t)size, .reals = (int32_t)(fits(reals) ? reals : 0), .integers = (int32_t)integers};
    w->block = ash__temporary(function, r, ASH_SHARED, ASH_U8, &bytes, 1);
    if (!w->block)
        return ash__last_status();
    char *const bytes_of = ash__host_at(function, w->block, ASH__WRITE | ASH__OWN);
    if (!bytes_of)
        return ash__last_status();
    w->work = bytes_of;
    w->real = bytes_of + item * size;
    w->integer = (int32_t *)(void *)(bytes_of + item * size + part * reals);
    return ASH_OK;
}

/* ---- singular values */

static int32_t svd(ash_dtype dtype, char job, int64_t m, int64_t n, void *a, void *s, void *u, void *vt, void *work,
                   int32_t size, void *real, int32_t *integer)
{
    const int32_t rows = (int32_t)m, columns = (int32_t)n, ldvt = job == 'A' || n < m ? columns : rows;
    int32_t info = 0;
    routine *const f = routines[SVD][slot(dtype)];
    if (ash__is_complex(dtype))
        ((svd_complex *)f)(&job, &rows, &columns, a, &rows, s, u, &rows, vt, &ldvt, work, &size, real, integer, &info, 1);
    else
        ((svd_real *)f)(&job, &rows, &columns, a, &rows, s, u, &rows, vt, &ldvt, work, &size, integer, &info, 1);
    return info;
}

ash_status ash__lapack_svd_work(const char *function, ash_resources *r, ash_dtype dtype, char job, int64_t m, int64_t n,
                                ash__lapack_work *w)
{
    const int64_t k = m < n ? m : n, most = larger(m, n);
    const bool complex = ash__is_complex(dtype);
    double answer[2] = {0, 0};
    int32_t integer;
    if (most > INT32_MAX)
        return too_large(function, m, n);
    const int64_t size = job == 'N' ? 3 * k + larger(most, 7 * k) : 4 * k * k + 7 * k + most;
    if (!fits(size))
        return too_large(function, m, n);
    const int64_t reals = !complex ? 0 : job == 'N' ? 7 * k : larger(5 * k * k + 5 * k, 2 * most * k + 2 * k * k + k);
    svd(dtype, job, m, n, answer, answer, answer, answer, answer, -1, answer, &integer);
    const int64_t best = larger(asked(dtype, answer), size);
    return take_work(function, r, dtype, fits(best) ? best : size, reals, 8 * k, w);
}

int32_t ash__lapack_svd(ash_dtype dtype, char job, int64_t m, int64_t n, void *a, void *s, void *u, void *vt,
                        const ash__lapack_work *w)
{
    return svd(dtype, job, m, n, a, s, u, vt, w->work, w->size, w->real, w->integer);
}

/* ---- eigenvalues of symmetric and Hermitian matrices */

static int32_t eigh(ash_dtype dtype, char job, char uplo, int64_t order, void *a, void *values, const ash__lapack_work *w)
{
    const int32_t n = (int32_t)order;
    int32_t info = 0;
    routine *const f = routines[EIGH][slot(dtype)];
    if (ash__is_complex(dtype))
        ((eigh_complex *)f)(&job, &uplo, &n, a, &n, values, w->work, &w->size, w->real, &w->reals, w->integer, &w->integers,
                            &info, 1, 1);
    else
        ((eigh_real *)f)(&job, &uplo, &n, a, &n, values, w->work, &w->size, w->integer, &w->integers, &info, 1, 1);
    return info;
}

ash_status ash__lapack_eigh_work(const char *function, ash_resources *r, ash_dtype dtype, char job, int64_t n,
                                 ash__lapack_work *w)
{
    const bool complex = ash__is_complex(dtype), vectors = job == 'V';
    if (n > INT32_MAX / 8 || (vectors && !fits(1 + 6 * n + 2 * n * n)))
        return too_large(function, n, n);
    const int64_t size = complex ? vectors ? 2 * n + n * n : n + 1 : vectors ? 1 + 6 * n + 2 * n * n : 2 * n + 1;
    const int64_t reals = !complex ? 0 : vectors ? 1 + 5 * n + 2 * n * n : n;
    double answer[2] = {0, 0}, real[2] = {0, 0};
    int32_t integer = 0;
    const ash__lapack_work ask = {.work = answer, .real = real, .integer = &integer, .size = -1, .reals = -1, .integers = -1};
    eigh(dtype, job, 'L', n, answer, answer, &ask);
    const int64_t best = larger(asked(dtype, answer), size);
    return take_work(function, r, dtype, fits(best) ? best : size, reals, vectors ? 3 + 5 * n : 1, w);
}

int32_t ash__lapack_eigh(ash_dtype dtype, char job, char uplo, int64_t n, void *a, void *values, const ash__lapack_work *w)
{
    return eigh(dtype, job, uplo, n, a, values, w);
}

/* ---- eigenvalues of any square matrix */

static int32_t eig(ash_dtype dtype, char job, int64_t order, void *a, void *values, void *vectors, const ash__lapack_work *w)
{
    const int32_t n = (int32_t)order;
    const char none = 'N';
    int32_t info = 0;
    routine *const f = routines[EIG][slot(dtype)];
    if (ash__is_complex(dtype))
        ((eig_complex *)f)(&none, &job, &n, a, &n, values, vectors, &n, vectors, &n, w->work, &w->size, w->real, &info, 1, 1);
    else
        ((eig_real *)f)(&none, &job, &n, a, &n, values, (char *)values + (size_t)order * ash_dtype_size(dtype), vectors, &n,
                        vectors, &n, w->work, &w->size, &info, 1, 1);
    return info;
}

ash_status ash__lapack_eig_work(const char *function, ash_resources *r, ash_dtype dtype, char job, int64_t n,
                                ash__lapack_work *w)
{
    const bool complex = ash__is_complex(dtype);
    if (n > INT32_MAX / 4)
        return too_large(function, n, n);
    const int64_t size = complex ? 2 * n : 4 * n;
    double answer[2] = {0, 0}, unused[2] = {0, 0};
    const ash__lapack_work ask = {.work = answer, .real = unused, .size = -1};
    eig(dtype, job, n, unused, unused, unused, &ask);
    const int64_t best = larger(asked(dtype, answer), size);
    return take_work(function, r, dtype, fits(best) ? best : size, complex ? 2 * n : 0, 0, w);
}

int32_t ash__lapack_eig(ash_dtype dtype, char job, int64_t n, void *a, void *values, void *vectors, const ash__lapack_work *w)
{
    return eig(dtype, job, n, a, values, vectors, w);
}
