/*
 * triangular.c - systems with a triangle.
 *
 * Only the lower triangle from the left is written out: an upper one is a lower one backwards, and a solve from the right is
 * one from the left of the transposed. A triangle is halved: the upper half is solved, its product taken from the lower half's
 * right sides, which are solved then; small triangles are solved row by row by the kernel.
 * N. J. Higham 2002, chapter 8: each x is the exact solution for a triangle within n roundings of the given one.
 */
#include "backend/cpu/factor.h"

static void solve_block(ash__factoring *f, const ash__matrix *a, bool unit, const ash__matrix *b)
{
    const int64_t n = a->rows;
    const ash__matrix triangle = ash__dense_block(f->triangle, n, n, f->item, false);
    ash__copy_block(f, &triangle, a);
    int64_t first = 0;
    if (b->col == (int64_t)f->item && b->row % (int64_t)f->item == 0) { /* where it lies, but for the last few columns */
        first = b->cols / ASH__FACTOR_PAD * ASH__FACTOR_PAD;
        f->loop->solve(n, f->triangle, n, unit, b->data, b->row / (int64_t)f->item, first);
    }
    for (; first < b->cols; first += ASH__FACTOR_RIGHT) {
        const int64_t k = b->cols - first < ASH__FACTOR_RIGHT ? b->cols - first : ASH__FACTOR_RIGHT;
        const ash__matrix part = ash__part_of(b, 0, n, first, k), right = ash__padded_block(f, f->right, n, k, false);
        ash__copy_block(f, &right, &part);
        f->loop->solve(n, f->triangle, n, unit, f->right, k + ASH__FACTOR_PAD, k);
        ash__copy_block(f, &part, &right);
    }
}

void ash__solve_lower(ash__factoring *f, const ash__matrix *a, bool unit, const ash__matrix *b)
{
    const int64_t n = a->rows, k = b->cols;
    if (f->failed || !n || !k)
        return;
    if (n <= ASH__FACTOR_BLOCK) {
        solve_block(f, a, unit, b);
        return;
    }
    const int64_t top = ash__first_half(n, ASH__FACTOR_BLOCK), rest = n - top;
    const ash__matrix a11 = ash__part_of(a, 0, top, 0, top), a21 = ash__part_of(a, top, rest, 0, top),
                      a22 = ash__part_of(a, top, rest, top, rest);
    const ash__matrix b1 = ash__part_of(b, 0, top, 0, k), b2 = ash__part_of(b, top, rest, 0, k);
    ash__solve_lower(f, &a11, unit, &b1);
    ash__subtract_product(f, &b2, &a21, &b1);
    ash__solve_lower(f, &a22, unit, &b2);
}
