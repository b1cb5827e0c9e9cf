/*
 * factor_qr.c - QR by Householder reflectors, and products with Q.
 *
 * A panel is factored by the kernel; its reflectors together are I - V T V^H, which is applied to the columns behind it by
 * three products (R. Schreiber, C. Van Loan, SIAM J. Sci. Stat. Comput. 10 (1989), 53). T is made again from V and tau when Q
 * is applied later, so a factored matrix takes no more room than it did.
 */
#include "backend/cpu/factor.h"

static char *scale_at(const ash__factoring *f, char *own, int64_t i)
{
    return own + (size_t)i * f->item;
}

/* The panel in f->block as V: zeros above the diagonal, ones on it; and its T, row by row, in f->triangle. */
static void make_reflectors(ash__factoring *f, int64_t rows, int64_t columns, const char *tau)
{
    const ash__element one = ash__real_scalar(f, 1);
    const int64_t ld = rows + ASH__FACTOR_PAD;
    for (int64_t j = 0; j < columns; j++) {
        char *const column = f->block + (size_t)(j * ld) * f->item;
        memset(column, 0, (size_t)j * f->item);
        memcpy(column + (size_t)j * f->item, &one, f->item);
    }
    f->loop->join(rows, columns, f->block, ld, tau, f->triangle);
}

/* c -= V T V^H c, with adjoint c -= V T^H V^H c; V and T are in f. */
static void apply_block(ash__factoring *f, int64_t rows, int64_t width, bool adjoint, const ash__matrix *c)
{
    const bool complex = ash__is_complex(f->dtype);
    const ash__matrix v = ash__padded_block(f, f->block, rows, width, true);
    const ash__matrix t = ash__dense_block(f->triangle, width, width, f->item, false);
    ash__matrix v_adjoint = ash__transposed(&v), t_adjoint = ash__transposed(&t);
    v_adjoint.conjugated = t_adjoint.conjugated = complex;
    for (int64_t first = 0; first < c->cols; first += ASH__FACTOR_WIDE) {
        const int64_t k = c->cols - first < ASH__FACTOR_WIDE ? c->cols - first : ASH__FACTOR_WIDE;
        const ash__matrix part = ash__part_of(c, 0, rows, first, k);
        const ash__matrix w = ash__dense_block(f->more, width, k, f->item, false);
        const ash__matrix tw = ash__dense_block(f->more + (size_t)(width * k) * f->item, width, k, f->item, false);
        ash__set_product(f, &w, &v_adjoint, &part);
        ash__set_product(f, &tw, adjoint ? &t_adjoint : &t, &w);
        ash__subtract_product(f, &part, &v, &tw);
    }
}

void ash__factor_qr(ash__factoring *f, const ash__matrix *a, char *tau, int64_t step)
{
    const int64_t m = a->rows, n = a->cols, steps = m < n ? m : n;
    ash__element own[ASH__FACTOR_BLOCK];
    for (int64_t first = 0; first < steps && !f->failed; first += ASH__FACTOR_BLOCK) {
        const int64_t rows = m - first, width = steps - first < ASH__FACTOR_BLOCK ? steps - first : ASH__FACTOR_BLOCK;
        const ash__matrix panel = ash__part_of(a, first, rows, first, width);
        const ash__matrix rest = ash__part_of(a, first, rows, first + width, n - first - width);
        const ash__matrix block = ash__padded_block(f, f->block, rows, width, true);
        ash__copy_block(f, &block, &panel);
        f->loop->reflect(rows, width, f->block, rows + ASH__FACTOR_PAD, own);
        ash__copy_block(f, &panel, &block);
        for (int64_t i = 0; i < width; i++)
            memcpy(tau + (first + i) * step, scale_at(f, (char *)own, i), f->item);
        if (rest.cols) {
            make_reflectors(f, rows, width, (const char *)own);
            apply_block(f, rows, width, true, &rest);
        }
    }
}

void ash__apply_reflectors(ash__factoring *f, const ash__matrix *v, const char *tau, int64_t step, bool adjoint,
                           const ash__matrix *c)
{
    const int64_t blocks = (v->cols + ASH__FACTOR_BLOCK - 1) / ASH__FACTOR_BLOCK;
    ash__element own[ASH__FACTOR_BLOCK];
    for (int64_t b = 0; b < blocks && !f->failed; b++) {
        const int64_t first = (adjoint ? b : blocks - 1 - b) * ASH__FACTOR_BLOCK, rows = v->rows - first;
        const int64_t width = v->cols - first < ASH__FACTOR_BLOCK ? v->cols - first : ASH__FACTOR_BLOCK;
        const ash__matrix panel = ash__part_of(v, first, rows, first, width), part = ash__part_of(c, first, rows, 0, c->cols);
        const ash__matrix block = ash__padded_block(f, f->block, rows, width, true);
        ash__copy_block(f, &block, &panel);
        for (int64_t i = 0; i < width; i++)
            memcpy(scale_at(f, (char *)own, i), tau + (first + i) * step, f->item);
        make_reflectors(f, rows, width, (const char *)own);
        apply_block(f, rows, width, adjoint, &part);
    }
}
