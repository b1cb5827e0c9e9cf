/*
 * cublas.c - a double of cuBLAS for tests, never installed: the entries that src/backend/cuda/cublas.c uses, in plain loops, on
 * memory that it reaches through the driver. It finds fault with arguments where cuBLAS would.
 *
 * CUBLAS_DOUBLE_FAULT=create=N or gemm=N: that call answers with status N. cublas_double_calls: products that were done.
 */
#include "reach.h"

enum { NOT_INITIALIZED = 1, INVALID_VALUE = 7, NOT_SUPPORTED = 15 };
enum { OP_N, OP_T, OP_C };
enum { R_32F = 0, R_64F = 1, R_16F = 2, C_32F = 4, C_64F = 5, R_16BF = 14 };
enum { COMPUTE_32F = 68, COMPUTE_64F = 70, COMPUTE_32F_FAST_TF32 = 77 };

typedef struct handle {
    uint32_t magic;
    void *stream;
} handle;
enum { MAGIC = 0xb1a5 };

EXPORT int cublas_double_calls;

EXPORT int cublasCreate_v2(void **result)
{
    if (fault("CUBLAS_DOUBLE_FAULT", "create"))
        return fault("CUBLAS_DOUBLE_FAULT", "create");
    handle *const h = calloc(1, sizeof *h);
    if (!h || find_driver())
        return NOT_INITIALIZED;
    h->magic = MAGIC;
    *result = h;
    return 0;
}

EXPORT int cublasSetStream_v2(void *which, void *stream)
{
    handle *const h = which;
    if (!h || h->magic != MAGIC)
        return NOT_INITIALIZED;
    h->stream = stream;
    return 0;
}

/* ---- elements */

static size_t size_of(int type)
{
    return type == R_32F ? 4 : type == R_64F || type == C_32F ? 8 : type == C_64F ? 16 : 2;
}

static float from_bits(uint32_t bits)
{
    float x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

static double complex get(const char *at, int type)
{
    uint16_t half;
    float x[2];
    double y[2];
    switch (type) {
    case R_16F:
        memcpy(&half, at, sizeof half);
        return (half & 0x8000 ? -1 : 1) * (half & 0x7c00 ? (double)((half & 0x3ff) | 0x400) : 2.0 * (half & 0x3ff)) *
               (double)from_bits((uint32_t)(127 - 25 + (half >> 10 & 31)) << 23);
    case R_16BF:
        memcpy(&half, at, sizeof half);
        return (double)from_bits((uint32_t)half << 16);
    case R_32F:
        memcpy(x, at, 4);
        return (double)x[0];
    case C_32F:
        memcpy(x, at, 8);
        return (double)x[0] + I * (double)x[1];
    case R_64F:
        memcpy(y, at, 8);
        return y[0];
    default:
        memcpy(y, at, 16);
        return y[0] + I * y[1];
    }
}

/* Of small whole numbers, which tests have: f16 and bf16 hold them. */
static void put(char *at, int type, double complex z)
{
    const float x[2] = {(float)creal(z), (float)cimag(z)};
    const double y[2] = {creal(z), cimag(z)};
    uint32_t bits;
    memcpy(&bits, x, sizeof bits);
    const uint16_t bf16 = (uint16_t)(bits >> 16),
                   f16 = (uint16_t)((bits >> 16 & 0x8000) |
                                    (x[0] == 0 ? 0 : ((bits >> 23 & 255) - 112) << 10 | (bits >> 13 & 0x3ff)));
    memcpy(at,
           type == R_16F                         ? (const void *)&f16
           : type == R_16BF                      ? (const void *)&bf16
           : size_of(type) == 4 || type == C_32F ? (const void *)x
                                                 : (const void *)y,
           size_of(type));
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
    if (!h || h->magic != MAGIC || !h->stream)
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
