/*
 * factor_cholesky.c - the lower triangle L of L L^H. N. J. Higham 2002, chapter 10.
 *
 * Halved: L of the first half, the block below it by a triangular solve from the right, the product of that block with its own
 * adjoint taken from the second half's lower triangle, then that half.
 */
#include "backend/cpu/factor.h"

/* The lower triangle of c -= x x^H; squares on the diagonal are taken whole, what lies above them is not touched. */
static void subtract_square(ash__factoring *f, const ash__matrix *c, const ash__matrix *x)
{
    const int64_t n = c->rows;
    if (n <= 2 * ASH__FACTOR_BLOCK) {
        ash__matrix adjoint = ash__transposed(x);
        adjoint.conjugated = ash__is_complex(f->dtype) && !x->conjugated;
        ash__subtract_product(f, c, x, &adjoint);
        return;
    }
    const int64_t top = ash__first_half(n, ASH__FACTOR_BLOCK), rest = n - top, k = x->cols;
    const ash__matrix c11 = ash__part_of(c, 0, top, 0, top), c21 = ash__part_of(c, top, rest, 0, top),
                      c22 = ash__part_of(c, top, rest, top, rest);
    const ash__matrix x1 = ash__part_of(x, 0, top, 0, k), x2 = ash__part_of(x, top, rest, 0, k);
    ash__matrix adjoint = ash__transposed(&x1);
    adjoint.conjugated = ash__is_complex(f->dtype) && !x1.conjugated;
    subtract_square(f, &c11, &x1);
    ash__subtract_product(f, &c21, &x2, &adjoint);
    subtract_square(f, &c22, &x2);
}

int64_t ash__factor_cholesky(ash__factoring *f, const ash__matrix *a)
{
    const int64_t n = a->rows;
    if (n <= ASH__FACTOR_BLOCK) {
        const ash__matrix block = ash__padded_block(f, f->triangle, n, n, true);
        ash__copy_block(f, &block, a);
        const int64_t info = f->loop->cholesky(n, f->triangle, n + ASH__FACTOR_PAD);
        ash__copy_block(f, a, &block);
        return info;
    }
    const int64_t top = ash__first_half(n, ASH__FACTOR_BLOCK), rest = n - top;
    const ash__matrix a11 = ash__part_of(a, 0, top, 0, top), a21 = ash__part_of(a, top, rest, 0, top),
                      a22 = ash__part_of(a, top, rest, top, rest);
    const int64_t info = ash__factor_cholesky(f, &a11);
    if (info || f->failed)
        return info;
    ash__matrix l11 = a11, transposed = ash__transposed(&a21); /* X L^H = B is conj(L) X^T = B^T */
    l11.conjugated = ash__is_complex(f->dtype);
    ash__solve_lower(f, &l11, false, &transposed);
    subtract_square(f, &a22, &a21);
    const int64_t later = f->failed ? 0 : ash__factor_cholesky(f, &a22);
    return later ? later + top : 0;
}
