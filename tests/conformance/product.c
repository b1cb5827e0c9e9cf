/* product.c - products of matrices and vectors, and matrices of vectors; include/ashlar/linalg.h. */
#include "matrices.h"

#include <math.h>
#include <string.h>

enum { COLUMNS = 21 };

static uint64_t part_at(const model *m, int64_t i, int part)
{
    const ash_dtype real = part_of(m->dtype);
    return wrapped(real, (const char *)model_at(m, i) + (size_t)part * ash_dtype_size(real));
}

/* Of integers, modulo 2^64: the low bytes are what is wanted. */
static model integer_product(const model *a, const model *b)
{
    const int64_t m = a->shape[a->rank - 2], inner = a->shape[a->rank - 1], n = b->shape[b->rank - 1];
    int64_t shape[MODEL_RANK];
    memcpy(shape, a->shape, sizeof shape);
    shape[a->rank - 1] = n;
    const model out = model_new(a->dtype, shape, a->rank);
    const bool complex = is_complex(a->dtype);
    for (int64_t at = 0; at < out.size; at++) {
        const int64_t stack = at / (m * n), i = at / n % m, j = at % n;
        uint64_t sum[2] = {0, 0};
        for (int64_t k = 0; k < inner; k++) {
            const int64_t x = (stack * m + i) * inner + k, y = (stack * inner + k) * n + j;
            const uint64_t p = part_at(a, x, 0), q = complex ? part_at(a, x, 1) : 0, r = part_at(b, y, 0),
                           s = complex ? part_at(b, y, 1) : 0;
            sum[0] += p * r - q * s;
            sum[1] += p * s + q * r;
        }
        sum[0] = a->dtype == ASH_BOOL ? sum[0] != 0 : sum[0];
        for (int part = 0; part <= complex; part++)
            memcpy((char *)model_at(&out, at) + (size_t)part * out.nbytes / 2, &sum[part], out.nbytes >> complex);
    }
    return out;
}

static model product_of(const model *a, const model *b)
{
    if (!is_float(part_of(a->dtype)))
        return integer_product(a, b);
    const model x = wide(a), y = wide(b), z = product(&x, &y);
    scale(4 * (double)a->shape[a->rank - 1]);
    return narrow(&z, a->dtype);
}

/* What stands on the right: as many stacks, COLUMNS columns. */
static argument give_right(int64_t rows, int64_t columns)
{
    int64_t shape[MODEL_RANK];
    memcpy(shape, now.shape, sizeof shape);
    shape[now.rank - 2] = rows;
    shape[now.rank - 1] = columns;
    return give(now.dtype, shape, now.rank, TAME);
}

static void run_matmul(void)
{
    const argument a = give_here(TAME), b = give_right(now.shape[now.rank - 1], COLUMNS);
    const model want = product_of(&a.value, &b.value);
    result(ash_matmul(a.array, b.array));
    expect(&want);
}

/* Both turned: the product of adjoints. */
static void run_matmul_adjoint(void)
{
    const argument a = give_here(TAME), b = give_right(COLUMNS, now.shape[now.rank - 2]);
    const model x = wide(&a.value), y = wide(&b.value), p = adjoint_of(&x), q = adjoint_of(&y), z = product(&p, &q),
                want = narrow(&z, now.dtype);
    scale(4 * (double)now.shape[now.rank - 2]);
    result(ash_matmul(ash_adjoint(a.array), ash_adjoint(b.array)));
    expect(&want);
}

static void run_matmul_vector(void)
{
    const argument a = give_here(TAME), v = give(now.dtype, &now.shape[now.rank - 1], 1, TAME);
    scale(4 * (double)now.shape[now.rank - 1]);
    result(ash_matmul(a.array, v.array));
    if (now.rank != 2)
        return;
    const model b = column(&v.value), want = product_of(&a.value, &b), flat = model_flat(&want);
    expect(&flat);
}

/* A symmetric matrix of which one triangle is read. */
static void run_matmul_structure(void)
{
    const model m = square(2, true);
    const argument a = give_model(&m), b = give_right(m.shape[m.rank - 1], 9);
    scale(16);
    result(ash_matmul(a.array, b.array, .a_structure = ASH_HERMITIAN_LOWER));
    const model want = product_of(&m, &b.value);
    scale(16);
    expect(&want);
}

static void run_matmul_into(void)
{
    const argument a = give_here(TAME), b = give_right(now.shape[now.rank - 1], COLUMNS);
    const model want = product_of(&a.value, &b.value), start = model_new(now.dtype, want.shape, want.rank);
    const argument out = give_out(&start);
    result_status(ash_matmul_into(out.array, a.array, b.array), &out);
    expect(&want);
}

static void run_gemm(void)
{
    const argument a = give_here(TAME), b = give_right(now.shape[now.rank - 1], 9), c = give_right(now.shape[now.rank - 2], 9),
                   out = give_out(&c.value);
    scale(8 * (double)now.shape[now.rank - 1] + 8);
    result_status(ash_gemm_into(out.array, a.array, b.array, .alpha = ASH_OPERAND(2), .beta = ASH_OPERAND(3)), &out);
}

static void run_dot(void)
{
    const argument a = give_here(TAME), b = give_here(TAME);
    result(ash_dot(a.array, b.array));
    const model row = model_reshape(&a.value, (const int64_t[]){1, a.value.size}, 2), other = column(&b.value),
                z = product_of(&row, &other), want = model_reshape(&z, NULL, 0);
    scale(4 * (double)a.value.size);
    expect(&want);
}
static void run_vdot(void)
{
    const argument a = give_here(TAME), b = give_here(TAME);
    scale(4 * (double)a.value.size);
    result(ash_vdot(a.array, b.array));
}
static void run_outer(void)
{
    const int64_t n = 5;
    const argument a = give_here(TAME), b = give(now.dtype, &n, 1, TAME);
    result(ash_outer(a.array, b.array));
    const model x = column(&a.value), row = model_reshape(&b.value, (const int64_t[]){1, n}, 2), want = product_of(&x, &row);
    expect(&want);
}

static void run_axpy(void)
{
    const argument x = give_here(TAME), y = give_here(TAME), out = give_out(&y.value);
    result_status(ash_axpy_into(out.array, 3, x.array), &out);
}
static void run_axpby(void)
{
    const argument x = give_here(TAME), y = give_here(TAME), out = give_out(&y.value);
    result_status(ash_axpby_into(out.array, 3, x.array, 2), &out);
}

static void run_diag(void)
{
    const int64_t n = now.shape[0] < 50 ? now.shape[0] : 50, size = n + 1;
    const argument v = give(now.dtype, &n, 1, ANYTHING);
    result(ash_diag(v.array, .k = 1, .layout = now.layout));
    const model want = model_new(now.dtype, (const int64_t[]){size, size}, 2);
    for (int64_t i = 0; i < n; i++)
        model_put(&want, i * size + i + 1, &v.value, i);
    expect(&want);
}
static void run_banded(void)
{
    const int64_t n = now.shape[0] < 50 ? now.shape[0] : 50, more = n + 1;
    const argument v = give(now.dtype, &n, 1, ANYTHING), w = give(now.dtype, &more, 1, ANYTHING);
    result(ash_banded(ASH_ARRAYS(v.array, w.array), ASH_SHAPE(-1, 0), .layout = now.layout));
    const model want = model_new(now.dtype, (const int64_t[]){more, more}, 2);
    for (int64_t i = 0; i < more; i++) {
        model_put(&want, i * more + i, &w.value, i);
        if (i < n)
            model_put(&want, (i + 1) * more + i, &v.value, i);
    }
    expect(&want);
}

#define FLOATING (FLOATS | COMPLEX_FLOATS)
const operation product_operations[] = {
    {"matmul", run_matmul, NUMBERS, WITH_ROWS, SUMMED, SUMMED, 0},
    {"matmul_adjoint", run_matmul_adjoint, FLOATING, WITH_ROWS, SUMMED, SUMMED, 0},
    {"matmul_vector", run_matmul_vector, NUMBERS, WITH_ROWS, SUMMED, SUMMED, 0},
    {"matmul_structure", run_matmul_structure, FLOATING, WITH_ROWS, SUMMED, SUMMED, 0},
    {"matmul_into", run_matmul_into, NUMBERS, WITH_ROWS, SUMMED, SUMMED, 0},
    {"gemm_into", run_gemm, NUMBERS, WITH_ROWS, SUMMED, SUMMED, 0},
    {"dot", run_dot, NUMBERS, VECTORS, SUMMED, SUMMED, 0},
    {"vdot", run_vdot, NUMBERS, EVERY_EDGE, SUMMED, SUMMED, 0},
    {"outer", run_outer, NUMBERS, VECTORS, SUMMED, SUMMED, 0},
    {"axpy_into", run_axpy, NUMBERS, EVERY_EDGE, EXACT, EXACT, 0},
    {"axpby_into", run_axpby, NUMBERS, EVERY_EDGE, EXACT, EXACT, 0},
    {"diag", run_diag, ALL_DTYPES, VECTORS, EXACT, EXACT, 0},
    {"banded", run_banded, ALL_DTYPES, VECTORS, EXACT, EXACT, 0},
    {NULL, NULL, 0, 0, EXACT, EXACT, 0},
};
