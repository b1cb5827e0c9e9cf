/*
 * factor.c - LU, Cholesky, QR, triangles, and what is solved with them.
 *
 * Large results are judged by their residuals, computed here in f64: LAPACK's test ratios |P A - L U| / (n u |A|) and the like
 * (LAPACK Working Note 41) must stay below 30, and are about 1. Small results are written out, from NumPy or by hand.
 */
#include <complex.h>

#include "core/alloc.h"
#include "test.h"

typedef double complex z;
enum { RATIO = 30 };

static const ash_dtype dtypes[] = {ASH_F32, ASH_F64, ASH_C_F32, ASH_C_F64};
#define EACH_FACTORED(dtype) (const ash_dtype *dtype = dtypes; dtype < dtypes + COUNT(dtypes); dtype++)

static double unit_of(ash_dtype dtype)
{
    return dtype == ASH_F32 || dtype == ASH_C_F32 ? 0x1p-24 : 0x1p-53;
}
static bool is_complex(ash_dtype dtype)
{
    return dtype == ASH_C_F32 || dtype == ASH_C_F64;
}
static int64_t smaller(int64_t m, int64_t n)
{
    return m < n ? m : n;
}

/* ---- numbers that look random: xorshift64*, S. Vigna, ACM TOMS 42 (2016); from -1 to 1, in steps that f32 holds */

static uint64_t seed = 1;
static double next(void)
{
    seed ^= seed >> 12;
    seed ^= seed << 25;
    seed ^= seed >> 27;
    return (double)((seed * UINT64_C(2685821657736338717)) >> 42) * 0x1p-21 - 1;
}

/* ---- matrices on the host, row by row */

static z *host_of(const ash_array *a)
{
    const int64_t n = ash_size(a);
    if (!a)
        FAIL("NULL where an array was wanted");
    z *m = calloc((size_t)n + 1, sizeof *m);
    CHECK_OK(ash_to_host_as(a, m, (size_t)n * sizeof *m, ASH_C_F64));
    return m;
}
/* The 1-norm. */
static double norm(const z *a, int64_t m, int64_t n)
{
    double most = 0;
    for (int64_t j = 0; j < n; j++) {
        double sum = 0;
        for (int64_t i = 0; i < m; i++)
            sum += cabs(a[i * n + j]);
        most = sum > most || isnan(sum) ? sum : most;
    }
    return most;
}
/* r -= f b, in parts: products of C look for infinities, which takes several times as long. */
static void subtract_multiple(z *r, z f, const z *b, int64_t n)
{
    const double re = creal(f), im = cimag(f), *const x = (const double *)b;
    double *const y = (double *)r;
    for (int64_t j = 0; j < n; j++) {
        y[2 * j] -= re * x[2 * j] - im * x[2 * j + 1];
        y[2 * j + 1] -= re * x[2 * j + 1] + im * x[2 * j];
    }
}
/* c - a b of a m by k, b k by n; c NULL: 0 */
static z *residual(const z *c, const z *a, const z *b, int64_t m, int64_t k, int64_t n)
{
    z *r = calloc((size_t)(m * n) + 1, sizeof *r);
    for (int64_t i = 0; i < m; i++) {
        for (int64_t j = 0; j < n && c; j++)
            r[i * n + j] = c[i * n + j];
        for (int64_t p = 0; p < k; p++)
            subtract_multiple(r + i * n, a[i * k + p], b + p * n, n);
    }
    return r;
}
static z *adjoint(const z *a, int64_t m, int64_t n)
{
    z *t = calloc((size_t)(m * n) + 1, sizeof *t);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < n; j++)
            t[j * m + i] = conj(a[i * n + j]);
    return t;
}
static void check_ratio(const char *what, double error, double size, int64_t n, ash_dtype dtype, int line)
{
    const double ratio = error / (unit_of(dtype) * (double)(n > 1 ? n : 1) * (size > 0 ? size : 1));
    if (!(ratio <= RATIO))
        fail_here(__FILE__, line, "%s, %s, n = %d: ratio %g", what, ash_dtype_name(dtype), (int)n, ratio);
}
#define CHECK_RATIO(what, error, size, n, dtype) check_ratio(what, error, size, n, dtype, __LINE__)

/* ---- matrices of the library, in every form that a matrix can lie in memory */

enum { FORMS = 6 };
static ash_array *in_form(int form, ash_array *a, ash_array *adjoint_of)
{
    switch (form) {
    case 1:
        return ash_contiguous(a, .layout = ASH_COL_MAJOR);
    case 2: { /* both axes backwards */
        ash_array *turned = ash_copy(ash_slice(ash_slice(a, ASH_OPEN, ASH_OPEN, .axes = ASH_AXES(-1), .step = -1), ASH_OPEN,
                                               ASH_OPEN, .axes = ASH_AXES(-2), .step = -1));
        return ash_slice(ash_slice(turned, ASH_OPEN, ASH_OPEN, .axes = ASH_AXES(-1), .step = -1), ASH_OPEN, ASH_OPEN,
                         .axes = ASH_AXES(-2), .step = -1);
    }
    case 3: /* a transposed view */
        return ash_transpose(ash_copy(ash_transpose(a)));
    case 4: /* a conjugated one */
        return ash_adjoint(adjoint_of);
    case 5: /* every second row and column */
        return ash_slice(
            ash_slice(ash_repeat(ash_repeat(a, 2, .axis = -1), 2, .axis = -2), 0, ASH_OPEN, .axes = ASH_AXES(-1), .step = 2), 0,
            ASH_OPEN, .axes = ASH_AXES(-2), .step = 2);
    default:
        return a;
    }
}
static ash_array *from_numbers(const z *value, ash_dtype dtype, int64_t m, int64_t n)
{
    double *real = calloc((size_t)(m * n) + 1, sizeof *real);
    for (int64_t i = 0; i < m * n; i++)
        real[i] = creal(value[i]);
    ash_array *a = is_complex(dtype) ? ash_from_host(value, ASH_C_F64, ASH_SHAPE(m, n), .dtype = dtype)
                                     : ash_from_host(real, ASH_F64, ASH_SHAPE(m, n), .dtype = dtype);
    free(real);
    return a;
}
static ash_array *matrix_from(const z *value, ash_dtype dtype, int64_t m, int64_t n, int form)
{
    z *turned = adjoint(value, m, n);
    ash_array *a = in_form(form, from_numbers(value, dtype, m, n), from_numbers(turned, dtype, n, m));
    free(turned);
    return a;
}
static z *random_numbers(ash_dtype dtype, int64_t count)
{
    z *value = calloc((size_t)count + 1, sizeof *value);
    for (int64_t i = 0; i < count; i++) {
        const double re = next(), im = next();
        value[i] = is_complex(dtype) ? re + im * I : re;
    }
    return value;
}
static ash_array *random_matrix(ash_dtype dtype, int64_t m, int64_t n, int form)
{
    z *value = random_numbers(dtype, m * n);
    ash_array *a = matrix_from(value, dtype, m, n, form);
    free(value);
    return a;
}
/* B B^H + n I, rounded to what the dtype holds. */
static ash_array *positive_matrix(ash_dtype dtype, int64_t n, int form)
{
    z *b = random_numbers(dtype, n * n), *t = adjoint(b, n, n), *a = residual(NULL, b, t, n, n, n);
    for (int64_t i = 0; i < n; i++) {
        for (int64_t j = 0; j < i; j++) {
            a[i * n + j] = (float)-creal(a[i * n + j]) - (float)cimag(a[i * n + j]) * I;
            a[j * n + i] = conj(a[i * n + j]);
        }
        a[i * n + i] = (float)-creal(a[i * n + i]) + (float)n;
    }
    ash_array *made = matrix_from(a, dtype, n, n, form);
    free(b);
    free(t);
    free(a);
    return made;
}

static bool in_f64(ash_dtype dtype)
{
    return dtype == ASH_F64 || dtype == ASH_C_F64;
}
static bool here_can(ash_dtype dtype)
{
    return !in_f64(dtype) || here_has_f64();
}

/* ---- LU */

static void check_lu(ash_array *a, ash_lu_factors f, ash_dtype dtype)
{
    const int64_t m = ash_shape(a)[0], n = ash_shape(a)[1], k = smaller(m, n);
    CHECK(f.lu && f.pivots);
    CHECK(ash_dtype_of(f.lu) == dtype && ash_dtype_of(f.pivots) == ASH_I64);
    CHECK_SHAPE(f.lu, m, n);
    CHECK_SHAPE(f.pivots, k);
    ash_array *p = ash_lu_permutation(f), *l = ash_lu_lower(f), *u = ash_lu_upper(f);
    CHECK_SHAPE(l, m, k);
    CHECK_SHAPE(u, k, n);
    z *pa = host_of(ash_take(a, p)), *hl = host_of(l), *hu = host_of(u), *r = residual(pa, hl, hu, m, k, n);
    for (int64_t i = 0; i < m; i++)
        for (int64_t j = 0; j < k; j++)
            CHECK(fabs(creal(hl[i * k + j])) + fabs(cimag(hl[i * k + j])) <= 2 && (j != i || hl[i * k + j] == 1));
    CHECK_RATIO("P A - L U", norm(r, m, n), norm(pa, m, n), k, dtype);
    free(pa);
    free(hl);
    free(hu);
    free(r);
}
static void lu_of_sizes(void)
{
    static const int64_t sizes[][2] = {{0, 0}, {0, 3},  {3, 0},  {1, 1},   {2, 2},   {3, 3},    {7, 7},   {1, 5},
                                       {5, 1}, {20, 9}, {9, 20}, {64, 64}, {65, 65}, {130, 70}, {70, 130}};
    for
        EACH_FACTORED(dtype)
    for (int s = 0; s < COUNT(sizes) && here_can(*dtype); s++)
        for (int form = 0; form < FORMS; form++) {
            ASH_SCOPE(scope);
            ash_array *a = random_matrix(*dtype, sizes[s][0], sizes[s][1], form);
            check_lu(a, ash_lu(a), *dtype);
        }
}

/* ---- solving */

/* |b - a x| / (|a| |x|) */
static void check_solution(const char *what, ash_array *a, ash_array *x, ash_array *b, ash_dtype dtype)
{
    const int64_t m = ash_shape(a)[0], n = ash_shape(a)[1], k = ash_rank(b) == 1 ? 1 : ash_shape(b)[1];
    CHECK(x && ash_dtype_of(x) == dtype && ash_rank(x) == ash_rank(b));
    z *ha = host_of(a), *hx = host_of(x), *hb = host_of(b), *r = residual(hb, ha, hx, m, n, k);
    CHECK_RATIO(what, norm(r, m, k), norm(ha, m, n) * norm(hx, n, k), n, dtype);
    free(ha);
    free(hx);
    free(hb);
    free(r);
}
static void solve_sizes(void)
{
    static const int64_t sizes[] = {0, 1, 2, 3, 7, 64, 65, 130};
    for
        EACH_FACTORED(dtype)
    for (int s = 0; s < COUNT(sizes) && here_can(*dtype); s++)
        for (int form = 0; form < FORMS; form++) {
            ASH_SCOPE(scope);
            const int64_t n = sizes[s];
            ash_array *a = random_matrix(*dtype, n, n, form), *b = random_matrix(*dtype, n, 5, FORMS - 1 - form);
            check_solution("solve", a, ash_solve(a, b), b, *dtype);
            ash_array *v = ash_squeeze(ash_slice(b, 1, 2, .axes = ASH_AXES(1)), .axes = ASH_AXES(1));
            check_solution("solve for a vector", a, ash_solve(a, v), v, *dtype);
            const ash_lu_factors f = ash_lu(a);
            check_solution("lu_solve", a, ash_lu_solve(f, b), b, *dtype);
            ash_array *x = ash_copy(b);
            CHECK_OK(ash_lu_solve_into(x, f, x));
            check_solution("lu_solve_into", a, x, b, *dtype);
        }
}

/* ---- Cholesky */

static void cholesky_of_sizes(void)
{
    static const int64_t sizes[] = {0, 1, 2, 3, 7, 64, 65, 130};
    for
        EACH_FACTORED(dtype)
    for (int s = 0; s < COUNT(sizes) && here_can(*dtype); s++)
        for (int form = 0; form < 2 * FORMS; form++) {
            ASH_SCOPE(scope);
            const int64_t n = sizes[s];
            const bool upper = form >= FORMS;
            ash_array *a = positive_matrix(*dtype, n, form % FORMS), *b = random_matrix(*dtype, n, 3, form % FORMS);
            ash_array *hidden = ash_copy(a); /* the other triangle must not matter */
            for (int64_t i = 0; i < n; i++)
                CHECK_OK(ash_fill(upper ? ash_view(hidden, i, ASH_RANGE(0, i)) : ash_view(hidden, ASH_RANGE(0, i), i), NAN));
            ash_array *l = ash_cholesky(hidden, .upper = upper), *low = upper ? ash_adjoint(l) : l;
            CHECK(l && ash_dtype_of(l) == *dtype);
            z *ha = host_of(a), *hl = host_of(low), *t = adjoint(hl, n, n), *r = residual(ha, hl, t, n, n, n);
            for (int64_t i = 0; i < n; i++)
                for (int64_t j = i; j < n; j++)
                    CHECK(j > i ? hl[i * n + j] == 0 : creal(hl[i * n + i]) > 0 && cimag(hl[i * n + i]) == 0);
            CHECK_RATIO("A - L L^H", norm(r, n, n), norm(ha, n, n), n, *dtype);
            check_solution("cholesky_solve", a, ash_cholesky_solve(l, b, .upper = upper), b, *dtype);
            CHECK_OK(ash_cholesky_into(hidden, hidden, .upper = upper));
            CHECK(ash_equal(hidden, l));
            ash_array *x = ash_copy(b);
            CHECK_OK(ash_cholesky_solve_into(x, l, x, .upper = upper));
            check_solution("cholesky_solve_into", a, x, b, *dtype);
            free(ha);
            free(hl);
            free(t);
            free(r);
        }
}

/* ---- QR and least squares */

static void check_qr(ash_array *a, ash_qr_result f, int64_t k, ash_dtype dtype)
{
    const int64_t m = ash_shape(a)[0], n = ash_shape(a)[1];
    CHECK(f.q && f.r && ash_dtype_of(f.q) == dtype && ash_dtype_of(f.r) == dtype);
    CHECK_SHAPE(f.q, m, k);
    CHECK_SHAPE(f.r, k, n);
    z *ha = host_of(a), *q = host_of(f.q), *r = host_of(f.r), *t = adjoint(q, m, k),
      *e = calloc((size_t)(k * k) + 1, sizeof *e);
    for (int64_t i = 0; i < k; i++) {
        e[i * k + i] = 1;
        for (int64_t j = 0; j < i && j < n; j++)
            CHECK(r[i * n + j] == 0);
    }
    z *fit = residual(ha, q, r, m, k, n), *square = residual(e, t, q, k, m, k);
    CHECK_RATIO("A - Q R", norm(fit, m, n), norm(ha, m, n), m, dtype);
    CHECK_RATIO("I - Q^H Q", norm(square, k, k), 1, m, dtype);
    free(ha);
    free(q);
    free(r);
    free(t);
    free(e);
    free(fit);
    free(square);
}
static void qr_of_sizes(void)
{
    static const int64_t sizes[][2] = {{0, 0}, {0, 3},  {3, 0},  {1, 1},   {2, 2},    {7, 7},   {1, 5},
                                       {5, 1}, {20, 9}, {9, 20}, {65, 65}, {130, 70}, {70, 130}};
    for
        EACH_FACTORED(dtype)
    for (int s = 0; s < COUNT(sizes) && here_can(*dtype); s++)
        for (int form = 0; form < FORMS; form++) {
            ASH_SCOPE(scope);
            const int64_t m = sizes[s][0], n = sizes[s][1];
            ash_array *a = random_matrix(*dtype, m, n, form);
            check_qr(a, ash_qr(a), smaller(m, n), *dtype);
            check_qr(a, ash_qr(a, .full = true), m, *dtype);
        }
}
/* The residual of least squares is orthogonal to the columns; the shortest solution lies in the space of the rows. */
static void least_squares(void)
{
    static const int64_t sizes[][2] = {{1, 1}, {5, 1}, {1, 5}, {20, 9}, {9, 20}, {130, 70}, {70, 130}, {65, 65}};
    for
        EACH_FACTORED(dtype)
    for (int s = 0; s < COUNT(sizes) && here_can(*dtype); s++)
        for (int form = 0; form < FORMS; form++) {
            ASH_SCOPE(scope);
            const int64_t m = sizes[s][0], n = sizes[s][1];
            ash_array *a = random_matrix(*dtype, m, n, form), *b = random_matrix(*dtype, m, 3, form);
            ash_array *x = ash_lstsq(a, b);
            CHECK_SHAPE(x, n, 3);
            if (m <= n)
                check_solution("lstsq, wide", a, x, b, *dtype);
            z *ha = host_of(a), *t = adjoint(ha, m, n), *hx = host_of(x), *hb = host_of(b);
            z *r = residual(hb, ha, hx, m, n, 3), *normal = residual(NULL, t, r, n, m, 3);
            if (m > n)
                CHECK_RATIO("A^H (b - A x)", norm(normal, n, 3), norm(ha, m, n) * norm(ha, m, n) * norm(hx, n, 3), m, *dtype);
            if (m > n) {
                const ash_qr_factors f = ash_qr_compact(a);
                CHECK(ash_equal(ash_qr_solve(f, b), x));
                ash_array *v = ash_squeeze(ash_slice(b, 1, 2, .axes = ASH_AXES(1)), .axes = ASH_AXES(1));
                CHECK_SHAPE(ash_qr_solve(f, v), n);
            }
            free(ha);
            free(t);
            free(hx);
            free(hb);
            free(r);
            free(normal);
        }
}

/* ---- triangles */

static void triangles(void)
{
    static const int64_t sizes[] = {0, 1, 2, 7, 33, 65, 130};
    for
        EACH_FACTORED(dtype)
    for (int s = 0; s < COUNT(sizes) && here_can(*dtype); s++)
        for (int form = 0; form < FORMS; form++)
            for (int kind = 0; kind < 8; kind++) {
                ASH_SCOPE(scope);
                const int64_t n = sizes[s];
                const bool upper = kind & 1, unit = kind & 2, right = kind & 4;
                z *value = random_numbers(*dtype, n * n);
                for (int64_t i = 0; i < n * n; i++)
                    value[i] = i / n == i % n ? (unit ? NAN : 2 + value[i]) : value[i] / (double)n;
                ash_array *a = matrix_from(value, *dtype, n, n, form);
                for (int64_t i = 0; i < n; i++)
                    value[i * n + i] = unit ? 1 : value[i * n + i];
                ash_array *full = from_numbers(value, *dtype, n, n);
                ash_array *t = upper ? ash_triu(full) : ash_tril(full);
                ash_array *b = right ? random_matrix(*dtype, 6, n, form) : random_matrix(*dtype, n, 6, form);
                ash_array *x = ash_triangular_solve(a, b, .upper = upper, .unit = unit, .right = right);
                if (right)
                    check_solution("x t = b", ash_transpose(t), ash_transpose(x), ash_transpose(b), *dtype);
                else
                    check_solution("t x = b", t, x, b, *dtype);
                CHECK_OK(ash_triangular_solve_into(b, a, b, .upper = upper, .unit = unit, .right = right));
                CHECK(ash_equal(b, x));
                free(value);
            }
}

/* ---- A37: what cannot be done says so */

static ash_array *square(ash_dtype dtype, double a, double b, double c, double d)
{
    return ash_from_host(((double[]){a, b, c, d}), ASH_F64, ASH_SHAPE(2, 2), .dtype = dtype);
}
static void check_near(const ash_array *a, const double *want, int64_t n, double most, int line)
{
    double got[64];
    if (!a || ash_size(a) != n)
        fail_here(__FILE__, line, "%s where %d elements were wanted", a ? ash_shape_text(a) : "NULL", (int)n);
    CHECK_OK(ash_to_host_as(a, got, (size_t)n * sizeof *got, ASH_F64));
    for (int64_t i = 0; i < n; i++)
        if (!(fabs(got[i] - want[i]) <= most))
            fail_here(__FILE__, line, "element %d is %.17g, not %.17g", (int)i, got[i], want[i]);
}
#define CHECK_CLOSE(a, most, ...) \
    check_near(a, (const double[]){__VA_ARGS__}, COUNT(((const double[]){__VA_ARGS__})), most, __LINE__)

static void a37_a_factorization_that_cannot_be_done_says_so_in(ash_dtype d)
{
    const double eps = 2 * unit_of(d);
    CHECK(!ash_cholesky(square(d, 1, 1, 1, 1)));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_cholesky: a is not positive definite at order 2");
    CHECK(!ash_cholesky(square(d, NAN, NAN, NAN, NAN)));
    CHECK_ERROR(ASH_ERR_VALUE,
                "ash_cholesky: a is not positive definite at order 1: element (0, 0), nan, is not a finite number");
    ash_array *a = ash_from_host(((double[]){4, 12, -16, 12, 37, -43, -16, -43, 98}), ASH_F64, ASH_SHAPE(3, 3), .dtype = d);
    CHECK_FLOATS(ash_cholesky(a), 2, 0, 0, 6, 1, 0, -8, 5, 3);
    CHECK_FLOATS(ash_cholesky(a, .upper = true), 2, 6, -8, 0, 1, 5, 0, 0, 3);
    CHECK(!ash_cholesky(ash_map("x -> -x", a)));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_cholesky: a is not positive definite at order 1");
    ash_array *batch = ash_stack(ASH_ARRAYS(square(d, 2, 1, 1, 2), square(d, 1, 1, 1, 1)));
    CHECK(!ash_cholesky(batch));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_cholesky: member (1) of a is not positive definite at order 2");
    ash_array *l = ash_cholesky(batch, .no_check = true);
    CHECK_CLOSE(ash_view(l, 0), 2 * eps, sqrt(2), 0, sqrt(0.5), sqrt(1.5));
    CHECK_INTS(ash_factor_info(l), 0, 2);
    ash_array *zeros = ash_zeros(ASH_SHAPE(2, 2), .dtype = d), *dependent = square(d, 1, 2, 2, 4);
    ash_array *b = ash_convert(ash_f32(1, 2), d);
    CHECK(!ash_solve(zeros, b));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_solve: a is singular at pivot 1");
    CHECK(!ash_solve(dependent, b));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_solve: a is singular at pivot 2");
    CHECK(!ash_inv(zeros));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_inv: a is singular at pivot 1");
    CHECK(!ash_inv(dependent));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_inv: a is singular at pivot 2");
    ash_array *turn = square(d, 0, 1, 1, 0);
    CHECK_FLOATS(ash_solve(turn, b), 2, 1);
    const ash_qr_result f = ash_qr(turn);
    double q[4], r[4];
    CHECK_OK(ash_to_host_as(f.q, q, sizeof q, ASH_F64));
    CHECK_OK(ash_to_host_as(f.r, r, sizeof r, ASH_F64));
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            CHECK(fabs(q[i] * q[j] + q[2 + i] * q[2 + j] - (i == j)) <= 4 * eps);
            CHECK(fabs(q[2 * i] * r[j] + q[2 * i + 1] * r[2 + j] - (i != j)) <= 4 * eps);
        }
}
static void a37_a_factorization_that_cannot_be_done_says_so(void)
{
    for
        EACH_FACTORED(dtype)
    if (here_can(*dtype))
        a37_a_factorization_that_cannot_be_done_says_so_in(*dtype);
}

/* Numbers that are not finite are named, wherever they are and whatever the factorization. */
static void not_finite(void)
{
    static const double bad[] = {NAN, INFINITY, -INFINITY};
    static const char *const word[] = {"nan", "inf", "-inf"};
    char want[200];
    for
        EACH_FACTORED(dtype)
    for (int k = 0; k < COUNT(bad) && here_can(*dtype); k++)
            for
                EACH_LAYOUT(layout)
                {
                    ASH_SCOPE(scope);
                    ash_array *a = ash_contiguous(positive_matrix(*dtype, 40, 0), .layout = layout),
                              *b = ash_ones(ASH_SHAPE(40));
                    CHECK_OK(ash_fill(ash_view(a, 35, 7), bad[k]));
                    CHECK(!ash_lu(a).lu);
                    snprintf(want, sizeof want, "ash_lu: element (35, 7), %s, is not a finite number", word[k]);
                    CHECK_ERROR(ASH_ERR_VALUE, want);
                    CHECK(!ash_qr(a).q);
                    CHECK_ERROR_HAS(ASH_ERR_VALUE, "ash_qr: element (35, 7)");
                    CHECK(!ash_cholesky(a));
                    CHECK_ERROR_HAS(ASH_ERR_VALUE, "ash_cholesky: a is not positive definite at order 36: element (35, 7)");
                    CHECK(!ash_solve(a, b));
                    CHECK_ERROR_HAS(ASH_ERR_VALUE, "ash_solve: element (35, 7)");
                    CHECK(!ash_lstsq(a, b));
                    CHECK_ERROR_HAS(ASH_ERR_VALUE, "ash_lstsq: element (35, 7)");
                    CHECK(!ash_inv(a));
                    CHECK_ERROR_HAS(ASH_ERR_VALUE, "ash_inv: element (35, 7)");
                    CHECK(!ash_det(a));
                    CHECK_ERROR_HAS(ASH_ERR_VALUE, "ash_det: element (35, 7)");
                    CHECK(!ash_slogdet(a).sign);
                    CHECK_ERROR_HAS(ASH_ERR_VALUE, "ash_slogdet: element (35, 7)");
                    CHECK(ash_cholesky(a, .upper = true)); /* it lies in the triangle that is not read */
                    CHECK(!ash_cholesky(ash_transpose(a), .upper = true));
                    CHECK_ERROR_HAS(ASH_ERR_VALUE, "ash_cholesky: a is not positive definite at order 36: element (7, 35)");
                    /* unchecked, it is told by the factors */
                    CHECK_INTS(ash_factor_info(ash_lu(a, .no_check = true).lu), 1);
                    CHECK_INTS(ash_factor_info(ash_cholesky(a, .no_check = true)), 1);
                }
    ash_array *three = ash_ones(ASH_SHAPE(2, 3, 4, 4));
    CHECK_OK(ash_fill(ash_view(three, 1, 2, 3, 0), NAN));
    CHECK(!ash_lu(ash_view(three, ASH_RANGE(1, 2))).lu); /* the first member that fails, in row-major order */
    CHECK_ERROR(ASH_ERR_VALUE, "ash_lu: member (0, 0) of a is singular at pivot 2");
    CHECK(!ash_qr(three).q);
    CHECK_ERROR(ASH_ERR_VALUE, "ash_qr: element (1, 2, 3, 0), nan, is not a finite number");
}

/* ---- determinants */

static void determinants(void)
{
    for
        EACH_FACTORED(dtype)
        {
            if (!here_can(*dtype))
                continue;
            ash_array *turn = square(*dtype, 0, 1, 1, 0), *d = ash_det(turn);
            CHECK_SCALAR(d);
            CHECK(ash_dtype_of(d) == *dtype);
            CHECK_FLOATS(d, -1);
            CHECK_FLOATS(ash_det(square(*dtype, 1, 2, 2, 4)), 0);
            CHECK_FLOATS(ash_det(square(*dtype, 2, 0, 0, 3)), 6);
            CHECK_FLOATS(ash_det(ash_zeros(ASH_SHAPE(0, 0), .dtype = *dtype)), 1);
            ash_array *batch =
                ash_stack(ASH_ARRAYS(square(*dtype, 0, 1, 1, 0), square(*dtype, 1, 2, 2, 4), square(*dtype, 0, -1, 1, 0)));
            CHECK_SHAPE(ash_det(batch), 3);
            CHECK_FLOATS(ash_det(batch), -1, 0, 1);
            const ash_slogdet_result s = ash_slogdet(batch);
            CHECK(ash_dtype_of(s.sign) == *dtype);
            CHECK(ash_dtype_of(s.logabsdet) == (in_f64(*dtype) ? ASH_F64 : ASH_F32));
            CHECK_FLOATS(s.sign, -1, 0, 1);
            CHECK_FLOATS(s.logabsdet, 0, -INFINITY, 0);
            CHECK_FLOATS(ash_slogdet(ash_zeros(ASH_SHAPE(0, 0), .dtype = *dtype)).sign, 1);
            CHECK_FLOATS(ash_slogdet(ash_zeros(ASH_SHAPE(0, 0), .dtype = *dtype)).logabsdet, 0);
            CHECK_SHAPE(ash_det(ash_zeros(ASH_SHAPE(0, 2, 2), .dtype = *dtype)), 0);
            CHECK_CLOSE(ash_map("real", ash_logdet(square(*dtype, 2, 0, 0, 3))), 2e-7, log(6.0));
            CHECK_FLOATS(ash_map("real", ash_logdet(square(*dtype, 1, 2, 2, 4))), -INFINITY);
            /* the product overflows; and with a 0 among its factors it does not matter */
            ash_array *large = ash_map("(x, e) -> x * e", square(*dtype, 1, 0, 0, 1),
                                       *dtype == ASH_F64 || *dtype == ASH_C_F64 ? ash_f64(1e300) : ash_f32(1e30f));
            CHECK_FLOATS(ash_map("abs", ash_det(large)), INFINITY);
            CHECK_CLOSE(ash_slogdet(large).logabsdet, 1e-3, in_f64(*dtype) ? 600 * log(10.0) : 60 * log(10.0));
            ash_array *three = ash_zeros(ASH_SHAPE(3, 3), .dtype = *dtype);
            CHECK_OK(ash_copy_into(ash_view(three, ASH_RANGE(0, 2), ASH_RANGE(0, 2)), large));
            CHECK_FLOATS(ash_det(three), 0);
        }
    CHECK(!ash_logdet(square(ASH_F32, 0, 1, 1, 0)));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_logdet: the determinant is negative; ash_slogdet gives its sign and its size");
    /* of a complex matrix: det = 2i */
    ash_array *c = ash_from_host(((float complex[]){2, 0, 0, I}), ASH_C_F32, ASH_SHAPE(2, 2));
    CHECK_FLOATS(ash_map("imag", ash_det(c)), 2);
    CHECK_CLOSE(ash_map("real", ash_logdet(c)), 2e-7, log(2.0));
    CHECK_CLOSE(ash_map("imag", ash_logdet(c)), 2e-7, acos(0.0));
    CHECK_FLOATS(ash_map("imag", ash_slogdet(c).sign), 1);
}

/* ---- dtypes */

static void promoted(void)
{
    const bool f64 = !strstr(here.device, "f64=off");
    for
        EACH_DTYPE(dtype, ASH_BOOL, ASH_F64)
        {
            ash_array *two = ash_from_host(((double[]){1, 1, 0, 1}), ASH_F64, ASH_SHAPE(2, 2), .dtype = dtype);
            if (!two) { /* f64 where there is none */
                CHECK_ERROR_HAS(ASH_ERR_DTYPE, "does not support f64");
                continue;
            }
            const bool lifted = dtype < ASH_F16 || dtype == ASH_F64;
            if (lifted && !f64) {
                char want[2][120];
                snprintf(want[0], sizeof want[0], "ash_lu: %s does not support f64 values; use f32", here.device);
                snprintf(want[1], sizeof want[1], "ash_solve: %s does not support f64 values; use f32", here.device);
                CHECK(!ash_lu(two).lu);
                CHECK_ERROR(ASH_ERR_DTYPE, want[0]);
                CHECK(!ash_solve(two, two));
                CHECK_ERROR(ASH_ERR_DTYPE, want[1]);
                ash_array *x = ash_solve(two, ash_f32(3, 1)); /* integers give way to the floats of the other */
                CHECK(dtype == ASH_F64 || ash_dtype_of(x) == ASH_F32);
                CHECK_FLOATS(x, 2, 1);
                continue;
            }
            const ash_dtype want = lifted ? ASH_F64 : ASH_F32;
            CHECK(ash_dtype_of(ash_lu(two).lu) == want);
            CHECK(ash_dtype_of(ash_qr(two).r) == want);
            CHECK(ash_dtype_of(ash_cholesky(ash_eye(3, .dtype = dtype))) == want);
            CHECK(ash_dtype_of(ash_det(two)) == want);
            CHECK(ash_dtype_of(ash_inv(two)) == want);
            CHECK_FLOATS(ash_inv(two), 1, -1, 0, 1);
            CHECK(ash_dtype_of(ash_solve(two, two)) == want);
            CHECK_FLOATS(ash_solve(two, two), 1, 0, 0, 1);
            CHECK_FLOATS(ash_det(two), 1);
            CHECK_FLOATS(ash_triangular_solve(two, two, .upper = true), 1, 0, 0, 1);
        }
    for
        EACH_DTYPE(dtype, ASH_C_I8, ASH_C_F64)
        {
            const bool lifted = dtype < ASH_C_F16 || dtype == ASH_C_F64;
            if (lifted && !f64)
                continue;
            ash_array *two = ash_from_host(((double[]){1, 1, 0, 1}), ASH_F64, ASH_SHAPE(2, 2), .dtype = dtype);
            const ash_dtype want = lifted ? ASH_C_F64 : ASH_C_F32;
            CHECK(ash_dtype_of(ash_lu(two).lu) == want && ash_dtype_of(ash_det(two)) == want);
            CHECK_FLOATS(ash_map("real", ash_inv(two)), 1, -1, 0, 1);
            CHECK_FLOATS(ash_map("real", ash_triangular_solve(two, ash_i8(3, 1), .upper = true)), 2, 1);
        }
    ash_array *shared = ash_eye(2, .storage = ASH_SHARED), *apart = ash_ones(ASH_SHAPE(2), .storage = ASH_PRIVATE);
    CHECK(ash_storage_of(ash_solve(shared, apart)) == ASH_SHARED && ash_storage_of(ash_lstsq(shared, apart)) == ASH_SHARED);
    CHECK(ash_storage_of(ash_solve(ash_contiguous(ash_adapt(shared, .storage = ASH_PRIVATE)), apart)) == ASH_PRIVATE);
    CHECK(ash_dtype_of(ash_solve(ash_eye(2), ash_c_f32(1 + I, 2))) == ASH_C_F32);
    CHECK_FLOATS(ash_map("imag", ash_solve(ash_eye(2), ash_c_f32(1 + I, 2))), 1, 0);
}

/* ---- batches */

static void batches(void)
{
    ash_array *a = ash_map("x -> sin(x) + 2f", counting(0, ASH_F32, ASH_SHAPE(3, 1, 4, 4), ASH_ROW_MAJOR));
    ash_array *b = ash_map("x -> cos(x)", counting(0, ASH_F32, ASH_SHAPE(2, 4, 5), ASH_ROW_MAJOR));
    ash_array *x = ash_solve(a, b), *columns = ash_contiguous(a, .layout = ASH_COL_MAJOR);
    CHECK_SHAPE(x, 3, 2, 4, 5);
    CHECK(ash_equal(x, ash_solve(columns, b)));
    const ash_lu_factors f = ash_lu(a);
    CHECK_SHAPE(f.pivots, 3, 1, 4);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 2; j++)
            CHECK(ash_equal(ash_view(x, i, j), ash_solve(ash_view(a, i, 0), ash_view(b, j))));
    ash_array *v = ash_f32(1, 2, 3, 4), *y = ash_solve(a, v);
    CHECK_SHAPE(y, 3, 1, 4);
    for (int i = 0; i < 3; i++)
        CHECK(ash_equal(ash_view(y, i, 0), ash_solve(ash_view(a, i, 0), v)));
    CHECK_SHAPE(ash_lstsq(ash_view(a, ASH_ALL, ASH_ALL, ASH_ALL, ASH_RANGE(0, 2)), b), 3, 2, 2, 5);
    CHECK_SHAPE(ash_lstsq(ash_view(a, ASH_ALL, ASH_ALL, ASH_RANGE(0, 2), ASH_ALL), ash_f32(1, 2)), 3, 1, 4);
    CHECK_SHAPE(ash_lstsq(ash_view(a, ASH_ALL, ASH_ALL, ASH_RANGE(0, 2), ASH_ALL), ash_view(b, ASH_ALL, ASH_RANGE(0, 2))), 3, 2,
                4, 5);
    CHECK_SHAPE(ash_qr(a).q, 3, 1, 4, 4);
    CHECK_SHAPE(ash_lu_permutation(f), 3, 1, 4);
    CHECK_SHAPE(ash_triangular_solve(a, b), 3, 2, 4, 5);
    CHECK_SHAPE(ash_triangular_solve(a, ash_transpose(b), .right = true), 3, 2, 5, 4);
    CHECK_SHAPE(ash_triangular_solve(a, v, .right = true), 3, 1, 4);
    CHECK(ash_equal(ash_triangular_solve(a, v, .right = true), ash_triangular_solve(ash_transpose(a), v, .upper = true)));
    CHECK_SHAPE(ash_inv(a), 3, 1, 4, 4);
    CHECK_SHAPE(ash_det(a), 3, 1);
    CHECK_SHAPE(ash_slogdet(a).sign, 3, 1);
    CHECK_INTS(ash_factor_info(f.lu), 0, 0, 0);
    /* nothing in the batch, or nothing in the matrices */
    CHECK_SHAPE(ash_solve(ash_ones(ASH_SHAPE(0, 2, 2)), ash_ones(ASH_SHAPE(2, 3))), 0, 2, 3);
    CHECK_SHAPE(ash_solve(ash_ones(ASH_SHAPE(0, 0)), ash_ones(ASH_SHAPE(0))), 0);
    CHECK_SHAPE(ash_solve(ash_eye(2), ash_ones(ASH_SHAPE(2, 0))), 2, 0);
    CHECK_SHAPE(ash_inv(ash_ones(ASH_SHAPE(0, 0))), 0, 0);
    CHECK_SHAPE(ash_cholesky(ash_ones(ASH_SHAPE(5, 0, 0))), 5, 0, 0);
    CHECK_SHAPE(ash_lstsq(ash_ones(ASH_SHAPE(0, 3)), ash_ones(ASH_SHAPE(0, 2))), 3, 2);
    CHECK_FLOATS(ash_lstsq(ash_ones(ASH_SHAPE(0, 3)), ash_ones(ASH_SHAPE(0))), 0, 0, 0);
    CHECK_SHAPE(ash_lstsq(ash_ones(ASH_SHAPE(3, 0)), ash_ones(ASH_SHAPE(3, 2))), 0, 2);
}

/* ---- large ones: the blocks inside blocks; 160 gave NaN where others cut at 128 */

static void large(void)
{
    for
        EACH_FACTORED(dtype)
    for (int64_t n = 160; n <= 300 && here_can(*dtype); n += 140) {
        ASH_SCOPE(scope);
        ash_array *a = random_matrix(*dtype, n, n, n == 160), *b = random_matrix(*dtype, n, 140, 0);
        check_lu(a, ash_lu(a), *dtype);
        check_solution("solve", a, ash_solve(a, b), b, *dtype);
        check_qr(a, ash_qr(a), n, *dtype);
        ash_array *p = positive_matrix(*dtype, n, n == 300);
        check_solution("cholesky_solve", p, ash_cholesky_solve(ash_cholesky(p), b), b, *dtype);
        ash_array *t = ash_tril(p);
        check_solution("t x = b", t, ash_triangular_solve(t, b), b, *dtype);
        ash_array *e = ash_eye(n, .dtype = *dtype);
        check_solution("inv", a, ash_inv(a), e, *dtype);
    }
}

/* Two threads: the same bits, of one large matrix and of many small ones. */
static void by_threads(void)
{
    for
        EACH_FACTORED(dtype)
        {
            ASH_SCOPE(scope);
            ash_array *a = random_matrix(*dtype, 300, 300, 0), *b = random_matrix(*dtype, 300, 200, 1);
            ash_array *many = ash_reshape(random_matrix(*dtype, 300, 300, 0), ASH_SHAPE(225, 20, 20)), *one[7];
            for (int64_t threads = 1; threads <= 2; threads++) {
                CHECK_OK(ash_set_threads(threads));
                ash_array *now[] = {ash_lu(a).lu,
                                    ash_solve(a, b),
                                    ash_qr(a).q,
                                    ash_lu(many).lu,
                                    ash_inv(many),
                                    ash_qr(many).r,
                                    ash_cholesky(ash_map("(x, e) -> x + 300*e", a, ash_eye(300, .dtype = *dtype)))};
                for (int k = 0; k < COUNT(now); k++)
                    if (threads == 1)
                        one[k] = now[k];
                    else
                        CHECK(now[k] && ash_equal(now[k], one[k]));
            }
        }
    CHECK_OK(ash_set_threads(0));
}

/* ---- A40: inputs stay as they were, also views, lent read-only memory and the layouts that suit best */

typedef struct kept {
    ash_array *a;
    unsigned char *bytes;
    size_t nbytes;
} kept;
/* The bytes of the whole buffer that a lies in. */
static kept keep(ash_array *a)
{
    ash_array *whole = ash_parent(a);
    while (whole != ash_parent(whole))
        whole = ash_parent(whole);
    kept k = {whole, NULL, ash_nbytes(whole)};
    k.bytes = malloc(k.nbytes + 1);
    CHECK_OK(ash_to_host(whole, k.bytes, k.nbytes));
    return k;
}
static void check_kept(kept *k)
{
    unsigned char *now = malloc(k->nbytes + 1);
    CHECK_OK(ash_to_host(k->a, now, k->nbytes));
    CHECK(memcmp(now, k->bytes, k->nbytes) == 0);
    free(now);
    free(k->bytes);
}
static void a40_inputs_stay_as_they_were(void)
{
    for
        EACH_FACTORED(dtype)
    for (int form = 0; form <= FORMS && here_can(*dtype); form++) {
        ASH_SCOPE(scope);
        const int64_t n = 70;
        ash_array *a = positive_matrix(*dtype, n, form % FORMS), *b = random_matrix(*dtype, n, n, form % FORMS);
        void *memory = NULL;
        if (form == FORMS) { /* lent, not to be written */
            memory = malloc(ash_nbytes(a));
            CHECK_OK(ash_to_host(a, memory, ash_nbytes(a)));
            a = ash_wrap(memory, *dtype, n * n, ASH_SHAPE(n, n), .readonly = true);
        }
        ash_array *l = ash_cholesky(a), *u = ash_cholesky(a, .upper = true);
        const ash_lu_factors f = ash_lu(a);
        const ash_qr_factors q = ash_qr_compact(a);
        kept k[] = {keep(a), keep(b), keep(f.lu), keep(f.pivots), keep(l), keep(u), keep(q.qr), keep(q.tau)};
        CHECK(ash_lu(a).lu && ash_lu(b).lu && ash_qr(a).q && ash_qr(b, .full = true).q && ash_cholesky(a) && ash_inv(a) &&
              ash_det(a) && ash_slogdet(b).sign && ash_solve(a, b) && ash_lstsq(a, b) && ash_lu_solve(f, b) &&
              ash_lu_lower(f) && ash_lu_upper(f) && ash_lu_permutation(f) && ash_cholesky_solve(l, b) &&
              ash_cholesky_solve(u, b, .upper = true) && ash_qr_solve(q, b) && ash_triangular_solve(a, b) &&
              ash_triangular_solve(a, b, .upper = true, .right = true, .unit = true) && ash_factor_info(f.lu) &&
              ash_diagonal_solve(ash_diagonal(a), b));
        for (int i = 0; i < COUNT(k); i++)
            check_kept(&k[i]);
        free(memory);
    }
}

/* ---- factors used again */

static void used_again(void)
{
    for
        EACH_FACTORED(dtype)
        {
            if (!here_can(*dtype))
                continue;
            ASH_SCOPE(scope);
            ash_array *a = random_matrix(*dtype, 40, 40, 0), *b = random_matrix(*dtype, 40, 40, 1),
                      *c = random_matrix(*dtype, 40, 4, 0);
            const ash_lu_factors f = ash_lu(a);
            const void *where = ash_storage_of(f.lu) == ASH_SHARED ? ash_map_host(f.lu) : NULL;
            CHECK_OK(ash_lu_into(f, b));
            const ash_lu_factors once = ash_lu(ash_copy(b, .layout = ash_layout_of(f.lu))); /* that may decide the last bits */
            CHECK(ash_equal(f.lu, once.lu) && ash_equal(f.pivots, once.pivots));
            check_solution("lu_into", b, ash_lu_solve(f, c), c, *dtype);
            CHECK(!where || where == ash_map_host(f.lu));
            ash_array *own = ash_copy(a);
            const ash_lu_factors in_place = {own, f.pivots};
            CHECK_OK(ash_lu_into(in_place, own));
            CHECK(ash_equal(own, ash_lu(a).lu));
            /* over a transposed view of itself */
            ash_array *turned = ash_copy(a);
            CHECK_OK(ash_lu_into(((ash_lu_factors){turned, f.pivots}), ash_transpose(turned)));
            CHECK(ash_equal(turned, ash_lu(ash_copy(ash_transpose(a), .layout = ASH_ROW_MAJOR)).lu));
            /* a view of every second row and column is written between its neighbours only */
            ash_array *wide = ash_zeros(ASH_SHAPE(80, 80), .dtype = *dtype);
            ash_array *part = ash_view(wide, ASH_RANGE(0, ASH_OPEN, 2), ASH_RANGE(1, ASH_OPEN, 2));
            CHECK_OK(ash_lu_into(((ash_lu_factors){part, f.pivots}), a));
            CHECK(ash_equal(part, ash_lu(a).lu));
            CHECK_FLOATS(ash_map("real", ash_sum(ash_view(wide, ASH_RANGE(1, ASH_OPEN, 2)))), 0);
            CHECK(ash_lu_into(f, ash_zeros(ASH_SHAPE(40, 40), .dtype = *dtype)) == ASH_ERR_VALUE);
            CHECK_ERROR(ASH_ERR_VALUE, "ash_lu_into: a is singular at pivot 1");
            CHECK_OK(ash_lu_into(f, ash_zeros(ASH_SHAPE(40, 40), .dtype = *dtype), .no_check = true));
            CHECK_INTS(ash_factor_info(f.lu), 1);
        }
}

/* ---- singular and deficient */

static void singular(void)
{
    /* rows 0 to 3 of rank 3: NumPy's matrix_rank */
    ash_array *a = ash_from_rows(
        ASH_ROWS(ASH_ROW(float, 1, 2, 3), ASH_ROW(float, 2, 4, 1), ASH_ROW(float, -1, -2, 5), ASH_ROW(float, 3, 6, 2)));
    CHECK(!ash_lstsq(a, ash_f32(1, 2, 3, 4)));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_lstsq: a has rank 2, and 3 is wanted: column 1 depends on those before it");
    CHECK(!ash_lstsq(ash_transpose(a), ash_f32(1, 2, 3)));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_lstsq: a has rank 2, and 3 is wanted: row 1 depends on those before it");
    CHECK(!ash_qr_solve(ash_qr_compact(a), ash_f32(1, 2, 3, 4)));
    CHECK_ERROR_HAS(ASH_ERR_VALUE, "ash_qr_solve: a has rank 2");
    CHECK(!ash_lstsq(ash_zeros(ASH_SHAPE(3, 2)), ash_f32(1, 2, 3)));
    CHECK_ERROR_HAS(ASH_ERR_VALUE, "ash_lstsq: a has rank 0, and 2 is wanted: column 0");
    /* a zero on the diagonal of a triangle is no error */
    ash_array *t = ash_from_rows(ASH_ROWS(ASH_ROW(float, 0, 0), ASH_ROW(float, 1, 1)));
    CHECK_FLOATS(ash_triangular_solve(t, ash_f32(1, 1)), INFINITY, -INFINITY);
    CHECK_FLOATS(ash_triangular_solve(t, ash_f32(0, 1)), NAN, NAN);
    CHECK_FLOATS(ash_triangular_solve(t, ash_f32(2, 5), .unit = true), 2, 3);
    CHECK_FLOATS(ash_diagonal_solve(ash_f32(2, 4), ash_f32(1, 2)), 0.5, 0.5);
    CHECK_FLOATS(ash_diagonal_solve(ash_f32(2, 4), ash_reshape(ash_f32(1, 2, 3, 4), ASH_SHAPE(2, 2))), 0.5, 1, 0.75, 1);
    CHECK(!ash_diagonal_solve(ash_f32(2, 4, 0, 0), ash_f32(1, 2, 3, 4)));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_diagonal_solve: element 2 of d is 0");
    CHECK(!ash_diagonal_solve(ash_reshape(ash_f32(2, 4, 0, 0), ASH_SHAPE(2, 2)), ash_f32(1, 2)));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_diagonal_solve: element (1, 0) of d is 0");
    /* spec-arrays.md 1.12.8: the first diagonal element that is not positive */
    ash_array *d = ash_from_rows(ASH_ROWS(ASH_ROW(float, 1, 0, 0), ASH_ROW(float, 0, 2, 0), ASH_ROW(float, 0, 0, -3)));
    CHECK_INTS(ash_factor_info(ash_cholesky(d, .no_check = true)), 3);
    CHECK_FLOATS(ash_cholesky(d, .no_check = true), 1, 0, 0, 0, sqrtf(2), 0, NAN, NAN, NAN);
    CHECK_INTS(ash_factor_info(ash_lu(ash_zeros(ASH_SHAPE(3, 3)), .no_check = true).lu), 1);
    CHECK_INTS(ash_factor_info(ash_lu(d).lu), 0);
    CHECK_INTS(ash_lu(ash_reshape(ash_f32(1, 2, 3, 4), ASH_SHAPE(2, 2))).pivots, 1, 1);
    CHECK_INTS(ash_lu_permutation(ash_lu(ash_reshape(ash_f32(1, 2, 3, 4), ASH_SHAPE(2, 2)))), 1, 0);
    CHECK_FLOATS(ash_lu(ash_reshape(ash_f32(1, 2, 4, 4), ASH_SHAPE(2, 2))).lu, 4, 4, 0.25, 1);
}

/* What is known of a matrix: the rest of it is not read, and the solution is that of the whole. */
static void structured(void)
{
    for
        EACH_FACTORED(dtype)
    for (int form = 0; form < FORMS && here_can(*dtype); form++)
        for (ash_structure s = ASH_GENERAL; s < ASH_DIAGONAL; s = (ash_structure)(s + 1)) {
            ASH_SCOPE(scope);
            const int64_t n = 40;
            const bool upper =
                s == ASH_SYMMETRIC_UPPER || s == ASH_HERMITIAN_UPPER || s == ASH_TRIANGULAR_UPPER || s == ASH_UNIT_UPPER;
            const bool hermitian = s == ASH_HERMITIAN_LOWER || s == ASH_HERMITIAN_UPPER;
            const bool unit = s == ASH_UNIT_LOWER || s == ASH_UNIT_UPPER, general = s == ASH_GENERAL;
            z *given = random_numbers(*dtype, n * n), *full = calloc((size_t)(n * n), sizeof *full);
            for (int64_t i = 0; i < n; i++)
                for (int64_t j = 0; j < n; j++) {
                    z *own = &given[i * n + j];
                    *own = i == j ? *own + 3 : s >= ASH_TRIANGULAR_LOWER ? *own / (double)n : *own;
                    if (general || i == j || (upper ? j > i : j < i))
                        full[i * n + j] = i != j ? *own : unit ? 1 : hermitian ? creal(*own) : *own;
                    if (unit && i == j)
                        *own = NAN;
                }
            for (int64_t i = 0; i < n && !general; i++)
                for (int64_t j = 0; j < n; j++)
                    if (upper ? j < i : j > i) {
                        given[i * n + j] = NAN;
                        if (s < ASH_TRIANGULAR_LOWER)
                            full[i * n + j] = hermitian ? conj(full[j * n + i]) : full[j * n + i];
                    }
            ash_array *a = matrix_from(given, *dtype, n, n, form), *b = random_matrix(*dtype, n, 3, form);
            check_solution("solve, with a structure", from_numbers(full, *dtype, n, n), ash_solve(a, b, .structure = s), b,
                           *dtype);
            if (hermitian || general) {
                ash_array *p = positive_matrix(*dtype, n, form);
                check_solution("solve, positive", p, ash_solve(p, b, .structure = s, .positive = true), b, *dtype);
            }
            free(given);
            free(full);
        }
    CHECK_FLOATS(ash_solve(ash_f32(2, 4), ash_f32(1, 2), .structure = ASH_DIAGONAL), 0.5, 0.5);
    ash_array *q = ash_eye(2), *v = ash_f32(1, 2);
    CHECK(!ash_solve(q, v, .structure = ASH_TRIANGULAR_LOWER, .positive = true));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_solve: .positive is for general and Hermitian matrices");
    CHECK(!ash_solve(ash_convert(q, ASH_C_F32), v, .structure = ASH_SYMMETRIC_LOWER, .positive = true));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_solve: .positive is for general and Hermitian matrices");
    CHECK(!ash_solve(q, v, .structure = (ash_structure)11));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_solve: unknown structure 11");
    CHECK(!ash_solve(ash_map("x -> -x", q), v, .positive = true));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_solve: a is not positive definite at order 1");
}

/* Numbers whose squares overflow or vanish. */
static void far_from_one(void)
{
    for
        EACH_FACTORED(dtype)
    for (int k = 0; k < 2 && here_can(*dtype); k++) {
        ASH_SCOPE(scope);
        const double by = in_f64(*dtype) ? (k ? 0x1p-1000 : 0x1p1000) : (k ? 0x1p-110 : 0x1p110);
        ash_array *a = random_matrix(*dtype, 20, 9, 0), *scaled = ash_like(a);
        CHECK_OK(
            ash_map_into(scaled, "(x, by) -> x * by", a, in_f64(*dtype) ? ash_operand_f64(by) : ash_operand_f32((float)by)));
        const ash_qr_result f = ash_qr(a), g = ash_qr(scaled);
        z *q = host_of(f.q), *p = host_of(g.q), *r = host_of(f.r), *s = host_of(g.r);
        for (int64_t i = 0; i < 20 * 9; i++)
            CHECK(cabs(q[i] - p[i]) <= 64 * unit_of(*dtype));
        for (int64_t i = 0; i < 9 * 9; i++)
            CHECK(cabs(r[i] - s[i] / by) <= 64 * unit_of(*dtype) * 9);
        free(q);
        free(p);
        free(r);
        free(s);
        ash_array *t = ash_view(scaled, ASH_RANGE(0, 9)), *b = random_matrix(*dtype, 9, 2, 0);
        z *x = host_of(ash_solve(ash_view(a, ASH_RANGE(0, 9)), b)), *y = host_of(ash_solve(t, b));
        for (int i = 0; i < 18; i++)
            CHECK(cabs(x[i] - y[i] * by) <= 1e4 * unit_of(*dtype) * cabs(x[i]));
        free(x);
        free(y);
    }
}

/* ---- what is refused */

static void refused(void)
{
    ash_array *a = ash_ones(ASH_SHAPE(3, 4)), *q = ash_eye(3), *v = ash_f32(1, 2, 3), *out = ash_fill_new(ASH_SHAPE(3), 7.0f);
    CHECK(!ash_solve(a, v));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_solve: a has shape (3, 4); matrices must be square");
    CHECK(!ash_cholesky(a) && !ash_inv(a) && !ash_det(a) && !ash_slogdet(a).sign && !ash_logdet(a));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_cholesky: a has shape (3, 4); matrices must be square");
    CHECK(!ash_triangular_solve(a, v));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_triangular_solve: a has shape (3, 4); matrices must be square");
    CHECK(!ash_lu(v).lu);
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_lu: a has shape (3); rank 2 or more is wanted");
    CHECK(!ash_solve(q, ash_f32(1, 2)));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_solve: b has shape (2) and a (3, 3); 3 rows are wanted");
    CHECK(!ash_solve(q, ash_fill_new(ASH_SHAPE(), 1.0f)));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_solve: b has shape () and a (3, 3); 3 rows are wanted");
    CHECK(!ash_triangular_solve(q, ash_ones(ASH_SHAPE(2, 4)), .right = true));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_triangular_solve: b has shape (2, 4) and a (3, 3); 3 columns are wanted");
    CHECK(!ash_solve(ash_ones(ASH_SHAPE(2, 3, 3)), ash_ones(ASH_SHAPE(4, 3, 1))));
    CHECK_ERROR_HAS(ASH_ERR_SHAPE, "ash_solve: shapes (2) and (4) do not broadcast");
    CHECK(!ash_lu(NULL).lu);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_lu: a is NULL");
    CHECK(!ash_solve(q, NULL));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_solve: b is NULL");
    const ash_lu_factors none = {NULL, NULL}, f = ash_lu(q);
    CHECK(!ash_lu_solve(none, v));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_lu_solve: f.lu is NULL");
    CHECK(!ash_lu_solve(((ash_lu_factors){f.lu, ash_i64(0, 1)}), v));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_lu_solve: f.lu has shape (3, 3) and f.pivots (2)");
    CHECK(!ash_lu_solve(((ash_lu_factors){f.lu, ash_i64(1, 2, 3)}), v)); /* as LAPACK counts them */
    CHECK_ERROR(ASH_ERR_VALUE, "ash_lu_solve: a pivot is not a row at or below its own");
    CHECK(!ash_lu_permutation(((ash_lu_factors){f.lu, ash_i64(1, 2, 3)})));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_lu_permutation: a pivot is not a row at or below its own");
    CHECK(!ash_lu_solve(((ash_lu_factors){f.lu, ash_i32(0, 1, 2)}), v));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_lu_solve: f.pivots are i32; i64 is wanted");
    CHECK(ash_lu_into(f, a) == ASH_ERR_SHAPE);
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_lu_into: a has shape (3, 4) and f.lu (3, 3)");
    CHECK(ash_lu_into(f, ash_eye(3, .dtype = ASH_C_F32)) == ASH_ERR_DTYPE);
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_lu_into: a is c_f32 and f.lu f32");
    CHECK(ash_lu_solve_into(ash_ones(ASH_SHAPE(4)), f, v) == ASH_ERR_SHAPE);
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_lu_solve_into: out has shape (4); (3) is wanted");
    CHECK(ash_triangular_solve_into(ash_i32(0, 0, 0), q, v) == ASH_ERR_DTYPE);
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_triangular_solve_into: out is i32; the result is f32");
    CHECK(ash_triangular_solve_into(ash_broadcast_to(ash_f32(1), ASH_SHAPE(3)), q, v) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_triangular_solve_into: out is read-only");
    CHECK(ash_cholesky_into(out, a) == ASH_ERR_SHAPE);
    CHECK_ERROR_HAS(ASH_ERR_SHAPE, "ash_cholesky_into: a has shape (3, 4)");
    CHECK(ash_cholesky_into(ash_ones(ASH_SHAPE(2, 2)), ash_zeros(ASH_SHAPE(2, 2))) == ASH_ERR_VALUE);
    CHECK_ERROR(ASH_ERR_VALUE, "ash_cholesky_into: a is not positive definite at order 1");
    CHECK_ALL(out, 7);
    CHECK(!ash_qr_solve(ash_qr_compact(a), v));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_qr_solve: f.qr has shape (3, 4); at least as many rows as columns are wanted");
    CHECK(!ash_diagonal_solve(ash_fill_new(ASH_SHAPE(), 1.0f), v));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_diagonal_solve: d has shape (); the elements of a diagonal are wanted");
    CHECK_OK(ash_triangular_solve_into(out, q, v));
    CHECK_FLOATS(out, 1, 2, 3);
    /* a conjugated view is written as what it shows */
    ash_array *under = ash_zeros(ASH_SHAPE(2, 2), .dtype = ASH_C_F32),
              *z2 = ash_reshape(ash_c_f32(1 + I, 2, 3 - I, 4 * I), ASH_SHAPE(2, 2));
    CHECK_OK(ash_triangular_solve_into(ash_adjoint(under), ash_eye(2), z2));
    CHECK(ash_equal(ash_adjoint(under), z2));
}

EVERYWHERE(lu, lu_of_sizes)
EVERYWHERE(solve, solve_sizes)
EVERYWHERE(cholesky, cholesky_of_sizes)
EVERYWHERE(qr, qr_of_sizes)
EVERYWHERE(lstsq, least_squares)
EVERYWHERE(triangular_solve, triangles)

EVERYWHERE(a37, a37_a_factorization_that_cannot_be_done_says_so)
EVERYWHERE(no_finite_numbers, not_finite)
EVERYWHERE(det, determinants)
EVERYWHERE(promotion, promoted)
EVERYWHERE(batch, batches)
EVERYWHERE(a40, a40_inputs_stay_as_they_were)
EVERYWHERE(reuse, used_again)
EVERYWHERE(deficient, singular)
EVERYWHERE(structures, structured)
EVERYWHERE(extreme_sizes, far_from_one)
EVERYWHERE(errors, refused)

static void blocks(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    large();
}
static void threads(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    by_threads();
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(lu),         TEST(solve),
                                       TEST(cholesky),   TEST(qr),
                                       TEST(lstsq),      TEST(triangular_solve),
                                       TEST(a37),        TEST(no_finite_numbers),
                                       TEST(det),        TEST(promotion),
                                       TEST(batch),      TEST(a40),
                                       TEST(reuse),      TEST(deficient),
                                       TEST(structures), TEST(extreme_sizes),
                                       TEST(errors),     TEST(blocks),
                                       TEST(threads)};
    return cmocka_run_group_tests_name("factor", tests, NULL, NULL);
}
