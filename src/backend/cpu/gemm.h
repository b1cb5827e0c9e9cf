/* gemm.h - the matrix product of the CPU device, for whatever is made of matrix products. */
#ifndef ASH__GEMM_H
#define ASH__GEMM_H
#include "ashlar/linalg.h"
#include "core/dtype.h"

/* Elements anywhere in memory; those of ASH_DIAGONAL as if they were on the diagonal of the whole matrix. */
typedef struct ash__matrix {
    char *data;
    int64_t rows, cols;
    int64_t row, col; /* steps in bytes, either sign */
    bool conjugated;
    ash_structure structure; /* 0: general, as c always is */
    ash_dtype dtype;         /* 0: that of the product, to which others are converted; c always has that */
} ash__matrix;
ash__matrix ash__transposed(const ash__matrix *m);

/* C = alpha A B + beta C for one plain dtype; alpha, beta of that dtype, NULL: 1 and 0. beta 0 never reads C, alpha 0 never
 * reads A, B. No overlap of C with A or B. threads: how many may take part (1: this one alone). false: no memory.
 *
 * Each element is a sum in runs of 256 products: those of a run are added one by one in order, the runs in order. It depends
 * neither on the threads nor on how the matrices lie. Integers are computed modulo 2^w; f16 and bf16 in f32, rounded once; of
 * bool the sum is "or". */
bool ash__gemm(ash_dtype dtype, const ash__matrix *c, const ash__matrix *a, const ash__matrix *b, const void *alpha,
               const void *beta, int threads);

/* The same in two steps, so that nothing is written before there is memory for all of many products: how many bytes one works
 * in, which the factors do not change, and the product in these, 64-byte aligned. */
size_t ash__gemm_bytes(ash_dtype dtype, const ash__matrix *c, const ash__matrix *a, const ash__matrix *b, int threads);
void ash__gemm_in(char *memory, ash_dtype dtype, const ash__matrix *c, const ash__matrix *a, const ash__matrix *b,
                  const void *alpha, const void *beta, int threads);
#endif
