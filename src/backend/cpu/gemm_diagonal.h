/* gemm_diagonal.h - the product of a diagonal matrix and another. */
#ifndef ASH__GEMM_DIAGONAL_H
#define ASH__GEMM_DIAGONAL_H
#include "backend/cpu/gemm_pack.h"

/* c = alpha D B + beta c, D the diagonal matrix that d reads; c of the dtype that is computed with, as are alpha and beta
 * (NULL: 1 and 0). */
void ash__multiply_diagonal(const ash__pack *d, const ash__pack *b, const ash__matrix *c, const void *alpha, const void *beta,
                            int threads);
#endif
