/*
 * cusolver.c - a double of cuSOLVER for tests, never installed: the entries that src/backend/cuda/cusolver.c uses, one column
 * after the other, on memory that it reaches through the driver. It finds fault with arguments where cuSOLVER would, writes all
 * of the memory to work in, reads one triangle of what is positive, and refuses diagonals of such that are not real.
 *
 * CUSOLVER_DOUBLE_FAULT=create=N, params=N, size=N or run=N: that call answers with status N. cusolver_double_calls: matrices
 * that were factored.
 */
#include <math.h>

#include "elements.h"
#include "handle.h"

enum { INVALID_VALUE = 3, NOT_SUPPORTED = 9 };
enum { LOWER, UPPER };
enum { MAGIC = 0x501e, HOST_ROOM = 48 };

static int parameters_magic = MAGIC;

EXPORT int cusolver_double_calls;

EXPORT int cusolverDnCreate(void **result)
{
    return make_handle(result, MAGIC, "CUSOLVER_DOUBLE_FAULT");
}

EXPORT int cusolverDnSetStream(void *which, void *stream)
{
    return set_stream(which, MAGIC, stream);
}

EXPORT int cusolverDnCreateParams(void **result)
{
    *result = &parameters_magic;
    return fault("CUSOLVER_DOUBLE_FAULT", "params");
}

/* ---- a call */

typedef struct call {
    const handle *h;
    int type, compute;
    int64_t m, n, lead;
    void *at;            /* the matrix */
    void *device, *host; /* to work in */
    size_t device_size, host_size;
    char *bytes; /* of the matrix, while it is here */
} call;

static size_t room_of(const call *c)
{
    return (size_t)(c->m + c->n) * size_of(c->type);
}

static int is_wrong(const call *c, const void *parameters)
{
    if (!has_stream(c->h, MAGIC) || parameters != &parameters_magic)
        return NOT_INITIALIZED;
    if (c->type != R_32F && c->type != R_64F && c->type != C_32F && c->type != C_64F)
        return NOT_SUPPORTED;
    return c->m < 1 || c->n < 1 || c->lead < c->m || !c->at || c->type != c->compute ? INVALID_VALUE : 0;
}

static int sizes(call c, const void *parameters, size_t *device, size_t *host)
{
    const int wrong = is_wrong(&c, parameters);
    *device = room_of(&c);
    *host = HOST_ROOM;
    return fault("CUSOLVER_DOUBLE_FAULT", "size") ? fault("CUSOLVER_DOUBLE_FAULT", "size") : wrong;
}

static size_t nbytes_of(const call *c)
{
    return (size_t)((c->n - 1) * c->lead + c->m) * size_of(c->type);
}

/* Takes the matrix, when all that comes before it is done; what is worked in becomes numbers that are none. */
static int begin(call *c, const void *parameters)
{
    const int wrong = is_wrong(c, parameters);
    if (fault("CUSOLVER_DOUBLE_FAULT", "run") || wrong)
        return wrong ? wrong : fault("CUSOLVER_DOUBLE_FAULT", "run");
    if (c->device_size < room_of(c) || c->host_size < HOST_ROOM || !c->device || !c->host)
        return INVALID_VALUE;
    char *const spoilt = malloc(c->device_size);
    c->bytes = malloc(nbytes_of(c));
    memset(spoilt, 0xff, c->device_size);
    memset(c->host, 0xff, c->host_size);
    const int failed = driver.wait(c->h->stream) || driver.in((uintptr_t)c->device, spoilt, c->device_size) ||
                       driver.out(c->bytes, (uintptr_t)c->at, nbytes_of(c));
    free(spoilt);
    return failed ? INVALID_VALUE : 0;
}

static int end(call *c, int *info, int found)
{
    const int failed = driver.in((uintptr_t)c->at, c->bytes, nbytes_of(c)) || driver.in((uintptr_t)info, &found, sizeof found);
    free(c->bytes);
    cusolver_double_calls++;
    return failed ? INVALID_VALUE : 0;
}

static char *place(const call *c, int64_t i, int64_t j)
{
    return c->bytes + (size_t)(j * c->lead + i) * size_of(c->type);
}
static double complex at(const call *c, int64_t i, int64_t j)
{
    return get(place(c, i, j), c->type);
}
static void set(const call *c, int64_t i, int64_t j, double complex z)
{
    put(place(c, i, j), c->type, z);
}
static double size(double complex z)
{
    return fabs(creal(z)) + fabs(cimag(z));
}

/* ---- LU */

EXPORT int cusolverDnXgetrf_bufferSize(void *h, void *parameters, int64_t m, int64_t n, int type, const void *a, int64_t lead,
                                       int compute, size_t *device, size_t *host)
{
    return sizes((call){.h = h, .type = type, .compute = compute, .m = m, .n = n, .lead = lead, .at = (void *)(uintptr_t)a},
                 parameters, device, host);
}

static int lu(const call *c, int64_t *pivots)
{
    int found = 0;
    for (int64_t j = 0; j < c->m && j < c->n; j++) {
        int64_t best = j;
        for (int64_t i = j + 1; i < c->m; i++)
            best = size(at(c, i, j)) > size(at(c, best, j)) ? i : best;
        pivots[j] = best + 1;
        for (int64_t k = 0; k < c->n && best != j; k++) {
            const double complex x = at(c, j, k);
            set(c, j, k, at(c, best, k));
            set(c, best, k, x);
        }
        if (at(c, j, j) == 0) {
            found = found ? found : (int)j + 1;
            continue;
        }
        for (int64_t i = j + 1; i < c->m; i++) {
            set(c, i, j, at(c, i, j) / at(c, j, j));
            for (int64_t k = j + 1; k < c->n; k++)
                set(c, i, k, at(c, i, k) - at(c, i, j) * at(c, j, k));
        }
    }
    return found;
}

EXPORT int cusolverDnXgetrf(void *h, void *parameters, int64_t m, int64_t n, int type, void *a, int64_t lead, int64_t *pivots,
                            int compute, void *device, size_t device_size, void *host, size_t host_size, int *info)
{
    call c = {h, type, compute, m, n, lead, a, device, host, device_size, host_size, NULL};
    const int wrong = begin(&c, parameters);
    if (wrong)
        return wrong;
    const size_t nbytes = (size_t)(m < n ? m : n) * sizeof(int64_t);
    int64_t *const found = calloc(1, nbytes);
    const int info_found = lu(&c, found), failed = driver.in((uintptr_t)pivots, found, nbytes);
    free(found);
    return end(&c, info, info_found) || failed ? INVALID_VALUE : 0;
}

/* ---- Cholesky */

EXPORT int cusolverDnXpotrf_bufferSize(void *h, void *parameters, int triangle, int64_t n, int type, const void *a,
                                       int64_t lead, int compute, size_t *device, size_t *host)
{
    const int wrong =
        sizes((call){.h = h, .type = type, .compute = compute, .m = n, .n = n, .lead = lead, .at = (void *)(uintptr_t)a},
              parameters, device, host);
    return wrong ? wrong : triangle == LOWER || triangle == UPPER ? 0 : INVALID_VALUE;
}

/* L[i][j], which of an upper triangle is the conjugate of U[j][i]. */
static double complex of_lower(const call *c, int upper, int64_t i, int64_t j)
{
    return upper ? conj(at(c, j, i)) : at(c, i, j);
}
static void set_lower(const call *c, int upper, int64_t i, int64_t j, double complex z)
{
    if (upper)
        set(c, j, i, conj(z));
    else
        set(c, i, j, z);
}

static int cholesky(const call *c, int upper)
{
    for (int64_t j = 0; j < c->n; j++) {
        double sum = creal(at(c, j, j));
        for (int64_t k = 0; k < j; k++)
            sum -= creal(of_lower(c, upper, j, k) * conj(of_lower(c, upper, j, k)));
        if (!(sum > 0))
            return (int)j + 1;
        set(c, j, j, sqrt(sum));
        for (int64_t i = j + 1; i < c->n; i++) {
            double complex x = of_lower(c, upper, i, j);
            for (int64_t k = 0; k < j; k++)
                x -= of_lower(c, upper, i, k) * conj(of_lower(c, upper, j, k));
            set_lower(c, upper, i, j, x / at(c, j, j));
        }
    }
    return 0;
}

EXPORT int cusolverDnXpotrf(void *h, void *parameters, int triangle, int64_t n, int type, void *a, int64_t lead, int compute,
                            void *device, size_t device_size, void *host, size_t host_size, int *info)
{
    call c = {h, type, compute, n, n, lead, a, device, host, device_size, host_size, NULL};
    const int wrong = begin(&c, parameters);
    if (wrong || (triangle != LOWER && triangle != UPPER))
        return wrong ? wrong : INVALID_VALUE;
    for (int64_t j = 0; j < n; j++)
        if (cimag(at(&c, j, j)) != 0)
            return INVALID_VALUE;
    return end(&c, info, cholesky(&c, triangle == UPPER));
}

/* ---- QR */

EXPORT int cusolverDnXgeqrf_bufferSize(void *h, void *parameters, int64_t m, int64_t n, int type, const void *a, int64_t lead,
                                       int tau_type, const void *tau, int compute, size_t *device, size_t *host)
{
    return tau && tau_type == type ? cusolverDnXgetrf_bufferSize(h, parameters, m, n, type, a, lead, compute, device, host)
                                   : INVALID_VALUE;
}

/* LAPACK's reflector of column j: H^H x is real and has one number, H = I - tau v v^H. */
static double complex reflector(const call *c, int64_t j)
{
    const double complex alpha = at(c, j, j);
    double most = size(alpha), sum = 0;
    for (int64_t i = j + 1; i < c->m; i++)
        most = fmax(most, size(at(c, i, j)));
    for (int64_t i = j + 1; i < c->m && most > 0; i++)
        sum += creal(at(c, i, j) / most * conj(at(c, i, j) / most));
    if (sum == 0 && cimag(alpha) == 0)
        return 0;
    const double length = most * sqrt(sum + creal(alpha / most * conj(alpha / most)));
    const double beta = creal(alpha) > 0 || (creal(alpha) == 0 && !signbit(creal(alpha))) ? -length : length;
    for (int64_t i = j + 1; i < c->m; i++)
        set(c, i, j, at(c, i, j) / (alpha - beta));
    set(c, j, j, beta);
    return (beta - alpha) / beta;
}

static void qr(const call *c, char *tau)
{
    for (int64_t j = 0; j < c->m && j < c->n; j++) {
        char *const own = tau + (size_t)j * size_of(c->type);
        put(own, c->type, reflector(c, j));
        const double complex by = conj(get(own, c->type));
        for (int64_t k = j + 1; k < c->n; k++) {
            double complex sum = at(c, j, k);
            for (int64_t i = j + 1; i < c->m; i++)
                sum += conj(at(c, i, j)) * at(c, i, k);
            set(c, j, k, at(c, j, k) - by * sum);
            for (int64_t i = j + 1; i < c->m; i++)
                set(c, i, k, at(c, i, k) - at(c, i, j) * by * sum);
        }
    }
}

EXPORT int cusolverDnXgeqrf(void *h, void *parameters, int64_t m, int64_t n, int type, void *a, int64_t lead, int tau_type,
                            void *tau, int compute, void *device, size_t device_size, void *host, size_t host_size, int *info)
{
    call c = {h, type, compute, m, n, lead, a, device, host, device_size, host_size, NULL};
    const int wrong = begin(&c, parameters);
    if (wrong || tau_type != type)
        return wrong ? wrong : INVALID_VALUE;
    const size_t nbytes = (size_t)(m < n ? m : n) * size_of(type);
    char *const found = malloc(nbytes);
    qr(&c, found);
    const int failed = driver.in((uintptr_t)tau, found, nbytes);
    free(found);
    return end(&c, info, 0) || failed ? INVALID_VALUE : 0;
}
