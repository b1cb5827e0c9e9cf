/*
 * gemm_diagonal.c - the product of a diagonal matrix and another: each row times one number.
 *
 * Not a product with zeros in it: what is infinite or NaN in one row of B leaves the other rows alone.
 */
#include "backend/cpu/gemm_diagonal.h"

#include "backend/cpu/threads.h"

typedef struct diagonal {
    const ash__pack *d, *b;
    const ash__matrix *c;
    const void *alpha, *beta;
    int64_t parts;
} diagonal;

enum { REAL = 8 }; /* bytes that one of any dtype takes at most */

/* Elements j to j + n - 1 of row i, of which factor has the real part, the imaginary one and that negated. */
static void multiply_line(const diagonal *g, int64_t i, int64_t j, int64_t n, char factor[3][REAL])
{
    _Alignas(64) char line[2][ASH__LINE * REAL], sum[2][ASH__LINE * REAL];
    const ash__product_loops *const l = g->d->loops;
    const ash__matrix *const c = g->c;
    char *const to = c->data + i * c->row + j * c->col;
    ash__read_line(g->b, i, j, n, line[0], line[1]);
    memset(sum[0], 0, (size_t)(n * l->item));
    l->columns(sum[0], line[0], 0, factor[0], 1, n);
    if (!g->d->complex) {
        l->merge(to, c->row, c->col, sum[0], n, 1, n, g->alpha, g->beta);
        return;
    }
    memset(sum[1], 0, (size_t)(n * l->item));
    l->columns(sum[0], line[1], 0, factor[2], 1, n);
    l->columns(sum[1], line[1], 0, factor[0], 1, n);
    l->columns(sum[1], line[0], 0, factor[1], 1, n);
    l->merge_complex(to, c->row, c->col, sum[0], sum[1], n, 1, n, g->alpha, g->beta);
}

static void multiply_rows(void *context, int64_t part)
{
    const diagonal *const g = context;
    const int64_t end = ash__part_start(g->c->rows, part + 1, g->parts), cols = g->c->cols;
    for (int64_t i = ash__part_start(g->c->rows, part, g->parts); i < end; i++) {
        _Alignas(8) char factor[3][REAL];
        ash__read_line(g->d, i, i, 1, factor[0], factor[1]);
        if (g->d->complex) {
            memcpy(factor[2], factor[1], REAL);
            g->d->loops->negate(factor[2], 1);
        }
        for (int64_t j = 0; j < cols; j += ASH__LINE)
            multiply_line(g, i, j, cols - j < ASH__LINE ? cols - j : ASH__LINE, factor);
    }
}

void ash__multiply_diagonal(const ash__pack *d, const ash__pack *b, const ash__matrix *c, const void *alpha, const void *beta,
                            int threads)
{
    diagonal g = {.d = d, .b = b, .c = c, .alpha = alpha, .beta = beta, .parts = threads < c->rows ? threads : c->rows};
    if (g.parts > 1)
        ash__parallel(g.parts, multiply_rows, &g);
    else
        multiply_rows(&g, 0);
}
