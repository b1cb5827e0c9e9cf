/*
 * factor.h - factorizations on the CPU: one matrix of any strides at a time, in place.
 *
 * Blocks are factored by the kernels, in working memory where they lie column by column; everything else is products
 * (gemm.h) on halves of the matrix. So no algorithm depends on how a matrix lies in memory: a transposed or reversed view turns
 * an upper triangle into a lower one and a solve from the right into one from the left.
 */
#ifndef ASH__CPU_FACTOR_H
#define ASH__CPU_FACTOR_H
#include "backend/cpu/gemm.h"
#include "backend/cpu/kernels.h"
#include "backend/factor.h"

enum {
    ASH__FACTOR_BLOCK = 32,  /* columns that the kernels take at once */
    ASH__FACTOR_RIGHT = 128, /* columns of right sides that are solved at once */
    ASH__FACTOR_WIDE = 512   /* columns that reflectors are applied to at once */
};

/* What one factorization works with. */
typedef struct ash__factoring {
    const ash__factor_loops *loop;
    ash_dtype dtype;
    size_t item;
    int threads;
    char *block;    /* working memory: a panel of the most rows met by ASH__FACTOR_BLOCK columns */
    char *triangle; /* ASH__FACTOR_BLOCK squared elements */
    char *right;    /* ASH__FACTOR_BLOCK by ASH__FACTOR_RIGHT elements */
    char *more;     /* reflectors: two of ASH__FACTOR_BLOCK by ASH__FACTOR_WIDE elements */
    bool failed;    /* for want of memory */
} ash__factoring;

/* One element. */
typedef union ash__element {
    float f[2];
    double d[2];
} ash__element;

/* ---- blocks.c */

/* About half of n, in whole blocks of that size. */
int64_t ash__first_half(int64_t n, int64_t block);
ash__element ash__real_scalar(const ash__factoring *f, double x); /* as an element of f->dtype */
/* Rows row .. row + rows - 1 and columns column .. of m. */
ash__matrix ash__part_of(const ash__matrix *m, int64_t row, int64_t rows, int64_t column, int64_t columns);
/* Of a square matrix: both axes backwards, so that an upper triangle becomes a lower one. */
ash__matrix ash__reversed(const ash__matrix *m);
ash__matrix ash__rows_reversed(const ash__matrix *m);
ash__matrix ash__dense_block(char *data, int64_t rows, int64_t columns, size_t item, bool by_columns);
/* Column by column, or row by row, with ASH__FACTOR_PAD zeros behind each. */
ash__matrix ash__padded_block(const ash__factoring *f, char *data, int64_t rows, int64_t columns, bool by_columns);
/* to = from, same shape. Where `from` is conjugated, to is a dense block. */
void ash__copy_block(const ash__factoring *f, const ash__matrix *to, const ash__matrix *from);
/* c -= a b */
void ash__subtract_product(ash__factoring *f, const ash__matrix *c, const ash__matrix *a, const ash__matrix *b);
/* c = a b */
void ash__set_product(ash__factoring *f, const ash__matrix *c, const ash__matrix *a, const ash__matrix *b);

/* ---- one algorithm each; info as ASH__FACTOR_... has it */

/* b = a^-1 b with the lower triangle of a. */
void ash__solve_lower(ash__factoring *f, const ash__matrix *a, bool unit, const ash__matrix *b); /* triangular.c */
int64_t ash__factor_lu(ash__factoring *f, const ash__matrix *a, char *pivot, int64_t step);      /* factor_lu.c */
/* b = A^-1 b from the factors and the exchanges. */
void ash__solve_lu(ash__factoring *f, const ash__matrix *lu, const char *pivot, int64_t step, const ash__matrix *b);
int64_t ash__factor_cholesky(ash__factoring *f, const ash__matrix *a);                 /* factor_cholesky.c */
void ash__factor_qr(ash__factoring *f, const ash__matrix *a, char *tau, int64_t step); /* factor_qr.c */
void ash__apply_reflectors(ash__factoring *f, const ash__matrix *v, const char *tau, int64_t step, bool adjoint,
                           const ash__matrix *c);
#endif
