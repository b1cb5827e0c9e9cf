/*
 * jacobi.c - singular values and symmetric eigenvalues by plane rotations, for where there is no LAPACK.
 *
 * Real and complex matrices, in single or double precision, all become pairs of f64 here: one text for four dtypes. Singular
 * values: pairs of columns are turned until all are orthogonal (Hestenes), and then they are u times the values. Eigenvalues:
 * the rotation from both sides that makes one element 0 (Jacobi), over all of them in turn. Source: J. Demmel, K. Veselic,
 * Jacobi's method is more accurate than QR, SIAM J. Matrix Anal. Appl. 13 (1992) 1204-1245.
 */
#include "linalg/jacobi.h"

#include <float.h>
#include <math.h>

#include "core/alloc.h"
#include "core/error.h"

enum { SWEEPS = 60 };

typedef struct number {
    double re, im;
} number;

/* A matrix of numbers in column-major order. */
typedef struct matrix {
    int64_t rows, columns;
    number *at;
} matrix;

static number *column(matrix a, int64_t k)
{
    return a.at + k * a.rows;
}
static double square(number x)
{
    return x.re * x.re + x.im * x.im;
}

/* Sums run in lanes, so that no addition waits for the one before it. */
enum { LANES = 8 };

static double add_lanes(const double lane[LANES])
{
    return ((lane[0] + lane[1]) + (lane[2] + lane[3])) + ((lane[4] + lane[5]) + (lane[6] + lane[7]));
}

static double squares(const number *x, int64_t n)
{
    double sum[LANES] = {0};
    int64_t i = 0;
    for (; i + LANES <= n; i += LANES)
        for (int k = 0; k < LANES; k++)
            sum[k] += square(x[i + k]);
    for (; i < n; i++)
        sum[0] += square(x[i]);
    return add_lanes(sum);
}

/* The sum of conj(x)*y. */
static number inner(const number *x, const number *y, int64_t n)
{
    double re[LANES] = {0}, im[LANES] = {0};
    for (int64_t i = 0; i < n; i += LANES)
        for (int k = 0; k < (n - i < LANES ? (int)(n - i) : LANES); k++) {
            const number a = x[i + k], b = y[i + k];
            re[k] += a.re * b.re + a.im * b.im;
            im[k] += a.re * b.im - a.im * b.re;
        }
    return (number){add_lanes(re), add_lanes(im)};
}

/* A rotation of two vectors after the second has been multiplied by conj(e), |e| = 1. */
typedef struct rotation {
    double c, s;
    number e;
} rotation;

/* The one that makes [p g; conj(g) q] diagonal, g != 0: by the smaller angle. */
static rotation rotation_for(double p, double q, number g)
{
    const double size = hypot(g.re, g.im), z = (q - p) / (2 * size);
    const double t = (z < 0 ? -1 : 1) / (fabs(z) + hypot(1, z)), c = 1 / sqrt(1 + t * t);
    return (rotation){c, c * t, {g.re / size, g.im / size}};
}

static void rotate(number *x, number *y, int64_t n, rotation r)
{
    for (int64_t i = 0; i < n; i++) {
        number *const p = x + i, *const q = y + i;
        const number a = *p, b = {q->re * r.e.re + q->im * r.e.im, q->im * r.e.re - q->re * r.e.im};
        *p = (number){r.c * a.re - r.s * b.re, r.c * a.im - r.s * b.im};
        *q = (number){r.s * a.re + r.c * b.re, r.s * a.im + r.c * b.im};
    }
}

/* ---- in and out of f64 */

static number load(ash_dtype dtype, const void *elements, int64_t i)
{
    switch (dtype) {
    case ASH_F32:
        return (number){(double)((const float *)elements)[i], 0};
    case ASH_F64:
        return (number){((const double *)elements)[i], 0};
    case ASH_C_F32:
        return (number){(double)((const float *)elements)[2 * i], (double)((const float *)elements)[2 * i + 1]};
    default:
        return ((const number *)elements)[i];
    }
}

static void store(ash_dtype dtype, void *elements, int64_t i, number x)
{
    switch (dtype) {
    case ASH_F32:
        ((float *)elements)[i] = (float)x.re;
        break;
    case ASH_F64:
        ((double *)elements)[i] = x.re;
        break;
    case ASH_C_F32:
        ((float *)elements)[2 * i] = (float)x.re;
        ((float *)elements)[2 * i + 1] = (float)x.im;
        break;
    default:
        ((number *)elements)[i] = x;
    }
}

static void set_identity(matrix a)
{
    for (int64_t k = 0; k < a.columns; k++)
        for (int64_t i = 0; i < a.rows; i++)
            column(a, k)[i] = (number){i == k, 0};
}

/* order: the places of n values from the largest on. */
static void sort_down(const double *value, int64_t n, int64_t *order)
{
    for (int64_t k = 0; k < n; k++) {
        int64_t at = k;
        for (; at > 0 && value[order[at - 1]] < value[k]; at--)
            order[at] = order[at - 1];
        order[at] = k;
    }
}

/* ---- singular values */

/* Turns all pairs of columns of w once, and those of v with them. size: room for the squares of the columns, which a turn
 * changes by what it takes from one and gives the other. How many pairs had to be turned. */
static int64_t sweep_columns(matrix w, matrix v, double *size)
{
    const double little = DBL_EPSILON * sqrt((double)w.rows);
    int64_t turned = 0;
    for (int64_t k = 0; k < w.columns; k++)
        size[k] = squares(column(w, k), w.rows);
    for (int64_t p = 0; p < w.columns; p++)
        for (int64_t q = p + 1; q < w.columns; q++) {
            const number g = inner(column(w, p), column(w, q), w.rows);
            if (hypot(g.re, g.im) <= little * sqrt(size[p]) * sqrt(size[q]) || size[p] < DBL_MIN || size[q] < DBL_MIN)
                continue;
            const rotation r = rotation_for(size[p], size[q], g);
            rotate(column(w, p), column(w, q), w.rows, r);
            rotate(column(v, p), column(v, q), v.rows, r);
            const double moved = r.s / r.c * hypot(g.re, g.im);
            size[p] = fmax(size[p] - moved, 0);
            size[q] = size[q] + moved;
            turned++;
        }
    return turned;
}

/* Makes column k a unit vector at right angles to those before it: from the axes in turn, one of which has that much left. */
static void complete(matrix u, int64_t k)
{
    number *const x = column(u, k);
    for (int64_t axis = 0; axis < u.rows; axis++) {
        for (int64_t i = 0; i < u.rows; i++)
            x[i] = (number){i == (axis + k) % u.rows, 0};
        double left = 1;
        for (int pass = 0; pass < 2; pass++) {
            for (int64_t j = 0; j < k; j++) {
                const number *const y = column(u, j), g = inner(y, x, u.rows);
                for (int64_t i = 0; i < u.rows; i++)
                    x[i] = (number){x[i].re - g.re * y[i].re + g.im * y[i].im, x[i].im - g.re * y[i].im - g.im * y[i].re};
            }
            const double size = sqrt(squares(x, u.rows));
            left = pass ? left : size;
            for (int64_t i = 0; i < u.rows && size > 0; i++)
                x[i] = (number){x[i].re / size, x[i].im / size};
        }
        if (left > 0.5 / sqrt((double)u.rows))
            return;
    }
}

/* Columns of w in the order of their sizes, as unit vectors, into u; those that are 0, and the ones w lacks, are made up. */
static void take_left(matrix w, const double *size, const int64_t *order, matrix u)
{
    for (int64_t k = 0; k < u.columns; k++) {
        const double s = k < w.columns ? size[order[k]] : 0;
        if (s * s < DBL_MIN) { /* has not been turned */
            complete(u, k);
            continue;
        }
        for (int64_t i = 0; i < w.rows; i++)
            column(u, k)[i] = (number){column(w, order[k])[i].re / s, column(w, order[k])[i].im / s};
    }
}

/* The matrix, or, so that it has no more columns than rows, its adjoint. */
static void load_tall(ash_dtype dtype, const void *a, int64_t m, int64_t n, matrix w)
{
    for (int64_t j = 0; j < n; j++)
        for (int64_t i = 0; i < m; i++) {
            const number x = load(dtype, a, j * m + i);
            if (m >= n)
                column(w, j)[i] = x;
            else
                column(w, i)[j] = (number){x.re, -x.im};
        }
}

/* Column k of x, conjugated, becomes row k of y (which has `rows`); or, not flipped, column k as it is. */
static void store_columns(ash_dtype dtype, void *y, int64_t rows, matrix x, const int64_t *order, bool flipped)
{
    for (int64_t k = 0; k < x.columns; k++)
        for (int64_t i = 0; i < x.rows; i++) {
            const number z = column(x, order ? order[k] : k)[i];
            store(dtype, y, flipped ? i * rows + k : k * rows + i, (number){z.re, flipped ? -z.im : z.im});
        }
}

ash_status ash__jacobi_svd(const char *function, ash_dtype dtype, char job, int64_t m, int64_t n, const void *a, void *values,
                           void *u, void *vt, int32_t *info)
{
    const int64_t tall = m > n ? m : n, k = m < n ? m : n, left = job == 'A' ? tall : k;
    number *const block = ash__alloc(function, tall * k + k * k + tall * left, sizeof *block);
    double *const size = block ? ash__alloc(function, k, sizeof *size) : NULL;
    int64_t *const order = size ? ash__alloc(function, k, sizeof *order) : NULL;
    if (order) {
        const matrix w = {tall, k, block}, v = {k, k, block + tall * k}, q = {tall, left, block + tall * k + k * k};
        int64_t turned = 1;
        load_tall(dtype, a, m, n, w);
        set_identity(v);
        for (int sweep = 0; sweep < SWEEPS && turned; sweep++)
            turned = sweep_columns(w, v, size);
        *info = (int32_t)turned;
        for (int64_t j = 0; j < k; j++)
            size[j] = sqrt(squares(column(w, j), tall));
        sort_down(size, k, order);
        for (int64_t j = 0; j < k; j++)
            store(ash__part(dtype), values, j, (number){size[order[j]], 0});
        if (job != 'N') {
            take_left(w, size, order, q);
            if (m >= n) {
                store_columns(dtype, u, m, q, NULL, false);
                store_columns(dtype, vt, n, v, order, true);
            } else { /* of the adjoint: left and right change places */
                store_columns(dtype, u, m, v, order, false);
                store_columns(dtype, vt, left, q, NULL, true);
            }
        }
    }
    ash__free(order);
    ash__free(size);
    ash__free(block);
    return order ? ASH_OK : ash__last_status();
}

/* ---- eigenvalues */

static void load_hermitian(ash_dtype dtype, const void *a, char uplo, matrix h)
{
    for (int64_t j = 0; j < h.rows; j++)
        for (int64_t i = j; i < h.rows; i++) {
            const number x = load(dtype, a, uplo == 'L' ? j * h.rows + i : i * h.rows + j);
            const double im = i == j ? 0 : uplo == 'L' ? x.im : -x.im; /* of the element below the diagonal */
            column(h, j)[i] = (number){x.re, im};
            column(h, i)[j] = (number){x.re, -im};
        }
}

/* Makes each element off the diagonal 0 once that is more than `little`. How many were. */
static int64_t sweep_elements(matrix h, matrix v, double little)
{
    const int64_t n = h.rows;
    int64_t turned = 0;
    for (int64_t p = 0; p < n; p++)
        for (int64_t q = p + 1; q < n; q++) {
            const number g = column(h, q)[p];
            if (hypot(g.re, g.im) <= little)
                continue;
            number *const x = column(h, p), *const y = column(h, q);
            const double first = x[p].re, second = y[q].re;
            const rotation r = rotation_for(first, second, g);
            const double moved = r.s / r.c * hypot(g.re, g.im);
            rotate(x, y, n, r);
            rotate(column(v, p), column(v, q), v.rows, r);
            x[q] = y[p] = (number){0, 0};
            x[p] = (number){first - moved, 0};
            y[q] = (number){second + moved, 0};
            for (int64_t j = 0; j < n; j++) { /* the rows mirror the columns */
                column(h, j)[p] = (number){x[j].re, -x[j].im};
                column(h, j)[q] = (number){y[j].re, -y[j].im};
            }
            turned++;
        }
    return turned;
}

ash_status ash__jacobi_eigh(const char *function, ash_dtype dtype, char job, char uplo, int64_t n, void *a, void *values,
                            int32_t *info)
{
    number *const block = ash__alloc(function, 2 * n * n, sizeof *block);
    double *const value = block ? ash__alloc(function, n, sizeof *value) : NULL;
    int64_t *const order = value ? ash__alloc(function, n, sizeof *order) : NULL;
    if (order) {
        const matrix h = {n, n, block}, v = {job == 'V' ? n : 0, n, block + n * n};
        int64_t turned = 1;
        load_hermitian(dtype, a, uplo, h);
        set_identity(v);
        const double little = DBL_EPSILON / 4 * sqrt(squares(h.at, n * n)) / (double)n;
        for (int sweep = 0; sweep < SWEEPS && turned; sweep++)
            turned = sweep_elements(h, v, little);
        *info = (int32_t)turned;
        for (int64_t k = 0; k < n; k++)
            value[k] = -column(h, k)[k].re; /* ascending */
        sort_down(value, n, order);
        for (int64_t k = 0; k < n; k++)
            store(ash__part(dtype), values, k, (number){-value[order[k]], 0});
        if (job == 'V')
            store_columns(dtype, a, n, v, order, false);
    }
    ash__free(order);
    ash__free(value);
    ash__free(block);
    return order ? ASH_OK : ash__last_status();
}
