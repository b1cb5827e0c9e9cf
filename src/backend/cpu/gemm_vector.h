/* gemm_vector.h - the product of a matrix and a vector, which is read once: nothing of it is packed. */
#ifndef ASH__GEMM_VECTOR_H
#define ASH__GEMM_VECTOR_H
#include "backend/cpu/gemm_pack.h"

/* Working memory of a product. */
size_t ash__vector_bytes(const ash__pack *a, const ash__pack *x);
/* y = alpha A x + beta y for columns x and y; y of the dtype that is computed with, as are alpha and beta (NULL: 1 and 0). */
void ash__multiply_vector(const ash__pack *a, const ash__pack *x, const ash__matrix *y, const void *alpha, const void *beta,
                          int threads, char *memory);
#endif
