/*
 * cublas.c - a double of cuBLAS for tests, never installed: the entries that src/backend/cuda/cublas.c uses, in plain loops, on
 * memory that it reaches through the driver. It finds fault with arguments where cuBLAS would.
 *
 * CUBLAS_DOUBLE_FAULT=create=N, gemm=N or trsm=N: that call answers with status N. cublas_double_calls: products that were
 * done; cublas_double_solves: triangles.
 */
#include "elements.h"
#include "handle.h"

enum { INVALID_VALUE = 7, NOT_SUPPORTED = 15 };
enum { OP_N, OP_T, OP_C };
enum { COMPUTE_32F = 68, COMPUTE_64F = 70, COMPUTE_32F_FAST_TF32 = 77 };

enum { MAGIC = 0xb1a5 };

EXPORT int cublas_double_calls, cublas_double_solves;

EXPORT int cublasCreate_v2(void **result)
{
    return make_handle(result, MAGIC, "CUBLAS_DOUBLE_FAULT");
}

EXPORT int cublasSetStream_v2(void *which, void *stream)
{
    return set_stream(which, MAGIC, stream);
}

/* ---- products */

typedef struct matrix {
    int op, lead;
    int64_t rows, cols, each; /* as they lie: columns in order */
    char *bytes;
} matrix;

static size_t bytes_of(const matrix *m, int type, int count)
{
    return (size_t)((m->cols - 1) * m->lead + m->rows + (int64_t)(count - 1) * (m->each < 0 ? -m->each : m->each)) *
           size_of(type);
}

static int fetch(matrix *m, uint64_t from, int type, int count)
{
    const size_t nbytes = bytes_of(m, type, count);
    m->bytes = malloc(nbytes);
    return !m->bytes || driver.out(m->bytes, from, nbytes);
}

static double complex element(const matrix *m, int type, int member, int64_t i, int64_t j)
{
    const int64_t row = m->op == OP_N ? i : j, col = m->op == OP_N ? j : i;
    const double complex z = get(m->bytes + (size_t)(member * m->each + col * m->lead + row) * size_of(type), type);
    return m->op == OP_C ? conj(z) : z;
}

static int are_wrong(const handle *h, const matrix *a, const matrix *b, const matrix *c, int m, int n, int k, int count,
                     int type, int compute)
{
    const int is_wide = type == R_64F || type == C_64F;
    if (!has_stream(h, MAGIC))
        return NOT_INITIALIZED;
    if (m < 1 || n < 1 || k < 1 || count < 1 || a->op < OP_N || a->op > OP_C || b->op < OP_N || b->op > OP_C ||
        a->lead < a->rows || b->lead < b->rows || c->lead < m || (count > 1 && c->each < (int64_t)c->lead * (n - 1) + m))
        return INVALID_VALUE;
    return (is_wide && compute != COMPUTE_64F) || (!is_wide && compute != COMPUTE_32F && compute != COMPUTE_32F_FAST_TF32)
               ? NOT_SUPPORTED
               : 0;
}

EXPORT int cublasGemmStridedBatchedEx(void *which, int a_op, int b_op, int m, int n, int k, const void *alpha, const void *a_at,
                                      int a_type, int a_lead, long long a_each, const void *b_at, int b_type, int b_lead,
                                      long long b_each, const void *beta, void *c_at, int c_type, int c_lead, long long c_each,
                                      int count, int compute, int algorithm)
{
    matrix a = {a_op, a_lead, a_op == OP_N ? m : k, a_op == OP_N ? k : m, a_each, NULL};
    matrix b = {b_op, b_lead, b_op == OP_N ? k : n, b_op == OP_N ? n : k, b_each, NULL};
    matrix c = {OP_N, c_lead, m, n, c_each, NULL};
    const handle *const h = which;
    const int wrong = are_wrong(h, &a, &b, &c, m, n, k, count, a_type, compute);
    const int scalar = a_type == R_16F || a_type == R_16BF ? R_32F : a_type;
    if (fault("CUBLAS_DOUBLE_FAULT", "gemm") || wrong || a_type != b_type || a_type != c_type || algorithm != -1)
        return fault("CUBLAS_DOUBLE_FAULT", "gemm") ? fault("CUBLAS_DOUBLE_FAULT", "gemm") : wrong ? wrong : NOT_SUPPORTED;
    if (driver.wait(h->stream) || fetch(&a, (uintptr_t)a_at, a_type, count) || fetch(&b, (uintptr_t)b_at, a_type, count) ||
        fetch(&c, (uintptr_t)c_at, a_type, count))
        return INVALID_VALUE;
    const double complex by = get(alpha, scalar), times = get(beta, scalar);
    for (int q = 0; q < count; q++)
        for (int64_t j = 0; j < n; j++)
            for (int64_t i = 0; i < m; i++) {
                char *const at = c.bytes + (size_t)(q * c.each + j * c.lead + i) * size_of(a_type);
                double complex sum = 0;
                for (int64_t p = 0; p < k; p++)
                    sum += element(&a, a_type, q, i, p) * element(&b, a_type, q, p, j);
                put(at, a_type, by * sum + (times == 0 ? 0 : times * get(at, a_type)));
            }
    const int failed = driver.in((uintptr_t)c_at, c.bytes, bytes_of(&c, a_type, count));
    free(a.bytes);
    free(b.bytes);
    free(c.bytes);
    cublas_double_calls++;
    return failed ? INVALID_VALUE : 0;
}

/* ---- triangles */

enum { LEFT, RIGHT };
enum { LOWER, UPPER };

/* op(A)[i][j], with ones on the diagonal where it counts as such. */
static double complex coefficient(const matrix *a, int type, int unit, int64_t i, int64_t j)
{
    return unit && i == j ? 1 : element(a, type, 0, i, j);
}

/* One column of B, or where A is on the right one row, whose numbers are `step` elements apart. */
static void substitute(const matrix *a, int type, int upper, int unit, int right, int64_t n, char *b, int64_t step)
{
    const int backwards = upper != right; /* x op(A) = b counts the other way round */
    for (int64_t k = 0; k < n; k++) {
        const int64_t i = backwards ? n - 1 - k : k;
        double complex sum = get(b + (size_t)(i * step) * size_of(type), type);
        for (int64_t q = 0; q < k; q++) {
            const int64_t j = backwards ? n - 1 - q : q;
            sum -= (right ? coefficient(a, type, unit, j, i) : coefficient(a, type, unit, i, j)) *
                   get(b + (size_t)(j * step) * size_of(type), type);
        }
        put(b + (size_t)(i * step) * size_of(type), type, sum / coefficient(a, type, unit, i, i));
    }
}

static int solve(int type, void *which, int side, int triangle, int op, int unit, int rows, int cols, const void *alpha,
                 const void *a_at, int a_lead, void *b_at, int b_lead)
{
    const handle *const h = which;
    const int n = side == LEFT ? rows : cols, right = side == RIGHT, upper = (triangle == UPPER) != (op != OP_N);
    matrix a = {op, a_lead, n, n, 0, NULL}, b = {OP_N, b_lead, rows, cols, 0, NULL};
    if (fault("CUBLAS_DOUBLE_FAULT", "trsm"))
        return fault("CUBLAS_DOUBLE_FAULT", "trsm");
    if (!has_stream(h, MAGIC))
        return NOT_INITIALIZED;
    if (rows < 1 || cols < 1 || a_lead < n || b_lead < rows || (side != LEFT && side != RIGHT) ||
        (triangle != LOWER && triangle != UPPER) || op < OP_N || op > OP_C || (unit != 0 && unit != 1) || get(alpha, type) != 1)
        return INVALID_VALUE;
    if (driver.wait(h->stream) || fetch(&a, (uintptr_t)a_at, type, 1) || fetch(&b, (uintptr_t)b_at, type, 1))
        return INVALID_VALUE;
    for (int64_t k = 0; k < (right ? rows : cols); k++)
        substitute(&a, type, upper, unit, right, n, b.bytes + (size_t)(right ? k : k * b_lead) * size_of(type),
                   right ? b_lead : 1);
    const int failed = driver.in((uintptr_t)b_at, b.bytes, bytes_of(&b, type, 1));
    free(a.bytes);
    free(b.bytes);
    cublas_double_solves++;
    return failed ? INVALID_VALUE : 0;
}

#define TRSM(LETTER, TYPE)                                                                                        \
    EXPORT int cublas##LETTER##trsm_v2(void *which, int side, int triangle, int op, int unit, int rows, int cols, \
                                       const void *alpha, const void *a, int a_lead, void *b, int b_lead)         \
    {                                                                                                             \
        return solve(TYPE, which, side, triangle, op, unit, rows, cols, alpha, a, a_lead, b, b_lead);             \
    }
TRSM(S, R_32F)
TRSM(D, R_64F)
TRSM(C, C_32F)
TRSM(Z, C_64F)
