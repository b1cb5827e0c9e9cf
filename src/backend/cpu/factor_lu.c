/*
 * factor_lu.c - LU factors with rows exchanged for the largest pivot.
 *
 * Columns are halved (S. Toledo, SIAM J. Matrix Anal. Appl. 18 (1997), 1065): the left half is factored, the right one brought
 * up to date by a triangular solve and a product, and factored below. A few columns are factored by the kernel.
 */
#include "backend/cpu/factor.h"

static int64_t *pivot_at(char *pivot, int64_t step, int64_t i)
{
    return (int64_t *)(void *)(pivot + i * step);
}

static inline __attribute__((always_inline)) void swap_sized(char *p, char *q, int64_t step, int64_t n, size_t size)
{
    for (int64_t j = 0; j < n; j++, p += step, q += step) {
        char was[16];
        memcpy(was, p, size);
        memcpy(p, q, size);
        memcpy(q, was, size);
    }
}

static void swap_rows(size_t item, char *p, char *q, int64_t step, int64_t n)
{
    if (item == 4)
        swap_sized(p, q, step, n, 4);
    else if (item == 8)
        swap_sized(p, q, step, n, 8);
    else
        swap_sized(p, q, step, n, 16);
}

/* Exchanges rows of a as steps first to end - 1 did. Columns in groups, so that a group's rows stay in the cache. */
static void exchange(const ash__factoring *f, const ash__matrix *a, const char *pivot, int64_t step, int64_t first, int64_t end)
{
    enum { GROUP = 8 };
    const bool by_rows = a->col == (int64_t)f->item || a->col == -(int64_t)f->item;
    const int64_t group = by_rows ? a->cols : GROUP;
    for (int64_t j = 0; j < a->cols; j += group)
        for (int64_t i = first; i < end; i++) {
            const int64_t k = *pivot_at((char *)(uintptr_t)pivot, step, i), n = a->cols - j < group ? a->cols - j : group;
            char *const at = a->data + j * a->col;
            if (k != i)
                swap_rows(f->item, at + i * a->row, at + k * a->row, a->col, n);
        }
}

/* A few columns, in working memory. Pivots count from the first row of a. */
static int64_t factor_panel(ash__factoring *f, const ash__matrix *a, char *pivot, int64_t step)
{
    const int64_t steps = a->rows < a->cols ? a->rows : a->cols;
    const ash__matrix panel = ash__padded_block(f, f->block, a->rows, a->cols, true);
    int64_t own[ASH__FACTOR_BLOCK];
    ash__copy_block(f, &panel, a);
    const int64_t info = f->loop->lu(a->rows, a->cols, f->block, a->rows + ASH__FACTOR_PAD, own);
    ash__copy_block(f, a, &panel);
    for (int64_t i = 0; i < steps; i++)
        *pivot_at(pivot, step, i) = own[i];
    return info;
}

/* a has at least as many rows as columns, or is one panel. */
static int64_t factor_tall(ash__factoring *f, const ash__matrix *a, char *pivot, int64_t step)
{
    const int64_t m = a->rows, n = a->cols;
    if (n <= ASH__FACTOR_BLOCK / 2)
        return factor_panel(f, a, pivot, step);
    const int64_t left = ash__first_half(n, ASH__FACTOR_BLOCK / 2), right = n - left;
    const ash__matrix a1 = ash__part_of(a, 0, m, 0, left), a2 = ash__part_of(a, 0, m, left, right);
    const ash__matrix a11 = ash__part_of(a, 0, left, 0, left), a12 = ash__part_of(a, 0, left, left, right),
                      a21 = ash__part_of(a, left, m - left, 0, left), a22 = ash__part_of(a, left, m - left, left, right);
    const int64_t info = factor_tall(f, &a1, pivot, step);
    exchange(f, &a2, pivot, step, 0, left);
    ash__solve_lower(f, &a11, true, &a12);
    ash__subtract_product(f, &a22, &a21, &a12);
    const int64_t later = f->failed ? 0 : factor_tall(f, &a22, pivot + left * step, step);
    if (f->failed)
        return 0;
    exchange(f, &a21, pivot + left * step, step, 0, right);
    for (int64_t i = left; i < n; i++)
        *pivot_at(pivot, step, i) += left;
    return info ? info : later ? later + left : 0;
}

int64_t ash__factor_lu(ash__factoring *f, const ash__matrix *a, char *pivot, int64_t step)
{
    const int64_t m = a->rows, n = a->cols;
    if (n <= m)
        return n ? factor_tall(f, a, pivot, step) : 0;
    if (!m)
        return 0;
    const ash__matrix square = ash__part_of(a, 0, m, 0, m), rest = ash__part_of(a, 0, m, m, n - m);
    const int64_t info = factor_tall(f, &square, pivot, step);
    if (!f->failed) {
        exchange(f, &rest, pivot, step, 0, m);
        ash__solve_lower(f, &square, true, &rest);
    }
    return info;
}

void ash__solve_lu(ash__factoring *f, const ash__matrix *lu, const char *pivot, int64_t step, const ash__matrix *b)
{
    const ash__matrix upper = ash__reversed(lu), backwards = ash__rows_reversed(b);
    exchange(f, b, pivot, step, 0, lu->rows);
    ash__solve_lower(f, lu, true, b);
    ash__solve_lower(f, &upper, false, &backwards);
}
