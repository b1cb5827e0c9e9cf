/* factor.c - factors and what is solved with them, by putting them together again; include/ashlar/factor.h. */
#include "matrices.h"

#include <math.h>
#include <string.h>

/* The last result, wide; false where there is none. */
static bool take_wide(model *out)
{
    if (!worked())
        return false;
    *out = wide(given());
    return true;
}

/* Right-hand sides for a. */
static argument give_sides(const model *a)
{
    int64_t shape[MODEL_RANK];
    memcpy(shape, a->shape, sizeof shape);
    shape[a->rank - 1] = 5;
    return give(now.dtype, shape, a->rank, TAME);
}

static void check_solved(const model *a, const model *b)
{
    model x;
    if (!take_wide(&x))
        return;
    const model m = wide(a), got = product(&m, &x), want = wide(b);
    check_close(&got, &want);
}

/* ---- LU */

/* m with the rows of each matrix in the order of p. */
static model permuted(const model *m, const model *p)
{
    const int64_t rows = m->shape[m->rank - 2], columns = m->shape[m->rank - 1];
    const model out = model_copy(m);
    for (int64_t i = 0; i < m->size; i++) {
        const int64_t row = i / columns, stack = row / rows;
        model_put(&out, i, m, (stack * rows + model_i64(p)[row]) * columns + i % columns);
    }
    return out;
}

static void run_lu(void)
{
    const argument a = give_here(TAME);
    const ash_lu_factors f = ash_lu(a.array);
    result(f.lu);
    if (!worked())
        return;
    result(f.pivots);
    result(ash_lu_permutation(f));
    const model p = *given();
    model lower, upper;
    result(ash_lu_lower(f));
    take_wide(&lower);
    result(ash_lu_upper(f));
    take_wide(&upper);
    const model got = product(&lower, &upper), m = wide(&a.value), want = permuted(&m, &p);
    scale(9);
    check_close(&got, &want);
    result(ash_factor_info(f.lu));
}
static void run_lu_into(void)
{
    const model m = square(2, false);
    const argument a = give_model(&m), lu = give_out(&m);
    const model none = model_new(ASH_I64, m.shape, m.rank - 1);
    const argument pivots = give_out(&none);
    const ash_lu_factors f = {lu.array, pivots.array};
    result_status(ash_lu_into(f, a.array), &lu);
}
static void run_lu_solve(void)
{
    const model m = square(2, false);
    const argument a = give_model(&m), b = give_sides(&m);
    result(ash_lu_solve(ash_lu(a.array), b.array));
    check_solved(&m, &b.value);
}
static void run_lu_solve_into(void)
{
    const model m = square(2, false);
    const argument a = give_model(&m), b = give_sides(&m), out = give_out(&b.value);
    result_status(ash_lu_solve_into(out.array, ash_lu(a.array), out.array), &out);
    check_solved(&m, &b.value);
}

/* ---- Cholesky */

static void check_cholesky(const model *a)
{
    model l;
    if (!take_wide(&l))
        return;
    const model right = adjoint_of(&l), got = product(&l, &right), want = wide(a);
    check_close(&got, &want);
}
static void run_cholesky(void)
{
    const model m = square(4, true);
    const argument a = give_model(&m);
    result(ash_cholesky(a.array));
    check_cholesky(&m);
}
static void run_cholesky_into(void)
{
    const model m = square(4, true);
    const argument out = give_out(&m);
    result_status(ash_cholesky_into(out.array, out.array), &out);
    check_cholesky(&m);
}
static void run_cholesky_solve(void)
{
    const model m = square(4, true);
    const argument a = give_model(&m), b = give_sides(&m), out = give_out(&b.value);
    ash_array *const l = ash_cholesky(a.array);
    result(ash_cholesky_solve(l, b.array));
    check_solved(&m, &b.value);
    result_status(ash_cholesky_solve_into(out.array, l, b.array), &out);
    check_solved(&m, &b.value);
}

/* ---- QR */

static void run_qr(void)
{
    const argument a = give_here(TAME);
    const ash_qr_result f = ash_qr(a.array);
    model q, r;
    result(f.q);
    if (!take_wide(&q))
        return;
    result(f.r);
    take_wide(&r);
    scale(9 * sqrt((double)now.shape[now.rank - 2]));
    const model got = product(&q, &r), want = wide(&a.value);
    check_close(&got, &want);
    const model turned = adjoint_of(&q), square_of_q = product(&turned, &q), one = identity_like(&q, q.shape[q.rank - 1]);
    check_close(&square_of_q, &one);
}
static void run_qr_solve(void)
{
    const model m = square(2, false);
    const argument a = give_model(&m), b = give_sides(&m);
    const ash_qr_factors f = ash_qr_compact(a.array);
    scale(9);
    result(f.qr);
    if (!worked())
        return;
    result(f.tau);
    result(ash_qr_solve(f, b.array));
    check_solved(&m, &b.value);
}
static void run_lstsq(void)
{
    const model m = square(2, false);
    const argument a = give_model(&m), b = give_sides(&m);
    result(ash_lstsq(a.array, b.array));
    check_solved(&m, &b.value);
}

/* ---- solving */

/* Of a triangle only that is read. */
static model triangle_of(const model *m, bool upper)
{
    const int64_t n = m->shape[m->rank - 1];
    const model out = model_copy(m), zero = model_new(m->dtype, NULL, 0);
    for (int64_t i = 0; i < m->size; i++)
        if (upper ? i / n % n > i % n : i / n % n < i % n)
            model_put(&out, i, &zero, 0);
    return out;
}
static void run_triangular_solve(void)
{
    const bool upper = now.turn % 2;
    const model m = square(2, false), t = triangle_of(&m, upper);
    const argument a = give_model(&m), b = give_sides(&m), out = give_out(&b.value);
    result(ash_triangular_solve(a.array, b.array, .upper = upper));
    check_solved(&t, &b.value);
    result_status(ash_triangular_solve_into(out.array, a.array, out.array, .upper = upper), &out);
    check_solved(&t, &b.value);
}
static void run_diagonal_solve(void)
{
    const argument d = give(now.dtype, &now.shape[now.rank - 2], 1, TAME), b = give_here(TAME);
    scale(4);
    result(ash_diagonal_solve(d.array, b.array));
}
static void run_solve(void)
{
    const model m = square(2, false);
    const argument a = give_model(&m), b = give_sides(&m);
    result(ash_solve(a.array, b.array));
    check_solved(&m, &b.value);
}
static void run_solve_positive(void)
{
    const model m = square(4, true);
    const argument a = give_model(&m), b = give_sides(&m);
    result(ash_solve(a.array, b.array, .positive = true));
    check_solved(&m, &b.value);
}
static void run_inv(void)
{
    const model m = square(2, false);
    const argument a = give_model(&m);
    model x;
    result(ash_inv(a.array));
    if (!take_wide(&x))
        return;
    const model w = wide(&m), got = product(&w, &x), want = identity_like(&w, m.shape[m.rank - 1]);
    check_close(&got, &want);
}

/* Each pivot is about 2: a product of them is no number that is too large. */
static void run_det(void)
{
    const model m = square(2, false);
    const argument a = give_model(&m);
    result(ash_det(a.array));
}
static void run_logdet(void)
{
    const model m = square(4, true);
    const argument a = give_model(&m);
    scale(50);
    result(ash_logdet(a.array));
}
static void run_slogdet(void)
{
    const model m = square(2, false);
    const argument a = give_model(&m);
    const ash_slogdet_result got = ash_slogdet(a.array);
    scale(50);
    result(got.sign);
    if (worked())
        result(got.logabsdet);
}

#define FLOATING (SINGLES | COMPLEX_SINGLES)
const operation factor_operations[] = {
    {"lu", run_lu, FLOATING, WITH_ROWS, SOLVED, SOLVED, HOST_READS},
    {"lu_into", run_lu_into, FLOATING, WITH_ROWS, SOLVED, SOLVED, 0},
    {"lu_solve", run_lu_solve, FLOATING, WITH_ROWS, SOLVED, SOLVED, 0},
    {"lu_solve_into", run_lu_solve_into, FLOATING, WITH_ROWS, SOLVED, SOLVED, 0},
    {"cholesky", run_cholesky, FLOATING, WITH_ROWS, SOLVED, SOLVED, 0},
    {"cholesky_into", run_cholesky_into, FLOATING, WITH_ROWS, SOLVED, SOLVED, 0},
    {"cholesky_solve", run_cholesky_solve, FLOATING, WITH_ROWS, SOLVED, SOLVED, 0},
    {"qr", run_qr, FLOATING, WITH_ROWS, SOLVED, SOLVED, 0},
    {"qr_solve", run_qr_solve, FLOATING, WITH_ROWS, SOLVED, SOLVED, 0},
    {"lstsq", run_lstsq, FLOATING, WITH_ROWS, SOLVED, SOLVED, 0},
    {"triangular_solve", run_triangular_solve, FLOATING, WITH_ROWS, SOLVED, SOLVED, 0},
    {"diagonal_solve", run_diagonal_solve, FLOATING, WITH_ROWS, SOLVED, SOLVED, 0},
    {"solve", run_solve, FLOATING, WITH_ROWS, SOLVED, SOLVED, 0},
    {"solve_positive", run_solve_positive, FLOATING, WITH_ROWS, SOLVED, SOLVED, 0},
    {"inv", run_inv, FLOATING, WITH_ROWS, SOLVED, SOLVED, 0},
    {"det", run_det, FLOATING, WITH_ROWS, SOLVED, SOLVED, 0},
    {"logdet", run_logdet, FLOATING, WITH_ROWS, SOLVED, SOLVED, 0},
    {"slogdet", run_slogdet, FLOATING, WITH_ROWS, SOLVED, SOLVED, 0},
    {NULL, NULL, 0, 0, EXACT, EXACT, 0},
};
