/* blocks.c - parts of matrices of any strides: taken, turned, copied, multiplied. */
#include "backend/cpu/factor.h"

#include <stdlib.h>

#include "core/convert.h"

int64_t ash__first_half(int64_t n, int64_t block)
{
    return (n / 2 + block - 1) / block * block;
}

ash__matrix ash__part_of(const ash__matrix *m, int64_t row, int64_t rows, int64_t column, int64_t columns)
{
    return (ash__matrix){.data = m->data + row * m->row + column * m->col,
                         .rows = rows,
                         .cols = columns,
                         .row = m->row,
                         .col = m->col,
                         .conjugated = m->conjugated};
}

ash__matrix ash__rows_reversed(const ash__matrix *m)
{
    ash__matrix r = *m;
    r.data += m->rows ? (m->rows - 1) * m->row : 0;
    r.row = -m->row;
    return r;
}

ash__matrix ash__reversed(const ash__matrix *m)
{
    ash__matrix r = ash__rows_reversed(m);
    r.data += m->cols ? (m->cols - 1) * m->col : 0;
    r.col = -m->col;
    return r;
}

ash__matrix ash__dense_block(char *data, int64_t rows, int64_t columns, size_t item, bool by_columns)
{
    const int64_t size = (int64_t)item;
    return (ash__matrix){.data = data,
                         .rows = rows,
                         .cols = columns,
                         .row = by_columns ? size : size * columns,
                         .col = by_columns ? size * rows : size};
}

ash__matrix ash__padded_block(const ash__factoring *f, char *data, int64_t rows, int64_t columns, bool by_columns)
{
    const int64_t item = (int64_t)f->item, lines = by_columns ? columns : rows, length = by_columns ? rows : columns;
    const int64_t step = (length + ASH__FACTOR_PAD) * item;
    for (int64_t k = 0; k < lines; k++)
        memset(data + k * step + length * item, 0, (size_t)(ASH__FACTOR_PAD * item));
    return (ash__matrix){
        .data = data, .rows = rows, .cols = columns, .row = by_columns ? item : step, .col = by_columns ? step : item};
}

/* With a size that is a constant where it is called, each copy is one load and one store. */
static inline __attribute__((always_inline)) void copy_sized(const ash__matrix *to, const ash__matrix *from, size_t size)
{
    /* along the axis that steps less far: of a matrix in memory and working memory, the former matters */
    const bool by_rows = llabs(to->col) + llabs(from->col) <= llabs(to->row) + llabs(from->row);
    const int64_t outer = by_rows ? to->rows : to->cols, inner = by_rows ? to->cols : to->rows;
    const int64_t to_outer = by_rows ? to->row : to->col, to_inner = by_rows ? to->col : to->row;
    const int64_t from_outer = by_rows ? from->row : from->col, from_inner = by_rows ? from->col : from->row;
    for (int64_t i = 0; i < outer; i++) {
        char *p = to->data + i * to_outer;
        const char *q = from->data + i * from_outer;
        for (int64_t j = 0; j < inner; j++, p += to_inner, q += from_inner)
            memcpy(p, q, size);
    }
}

void ash__copy_block(const ash__factoring *f, const ash__matrix *to, const ash__matrix *from)
{
    if (f->item == 4)
        copy_sized(to, from, 4);
    else if (f->item == 8)
        copy_sized(to, from, 8);
    else
        copy_sized(to, from, 16);
    if (from->conjugated)
        ash__conjugate(to->data, f->dtype, to->rows * to->cols);
}

/* ---- products */

ash__element ash__real_scalar(const ash__factoring *f, double x)
{
    ash__element s = {.d = {0, 0}};
    if (ash__part(f->dtype) == ASH_F32)
        s.f[0] = (float)x;
    else
        s.d[0] = x;
    return s;
}

void ash__subtract_product(ash__factoring *f, const ash__matrix *c, const ash__matrix *a, const ash__matrix *b)
{
    const ash__element minus = ash__real_scalar(f, -1), one = ash__real_scalar(f, 1);
    if (!f->failed && c->rows && c->cols && a->cols && !ash__gemm(f->dtype, c, a, b, &minus, &one, f->threads))
        f->failed = true;
}

void ash__set_product(ash__factoring *f, const ash__matrix *c, const ash__matrix *a, const ash__matrix *b)
{
    if (!f->failed && c->rows && c->cols && !ash__gemm(f->dtype, c, a, b, NULL, NULL, f->threads))
        f->failed = true;
}
