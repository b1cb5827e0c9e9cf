/* gemm_pack.h - blocks of matrices laid out for the tiles of a product. */
#ifndef ASH__GEMM_PACK_H
#define ASH__GEMM_PACK_H
#include "backend/cpu/gemm.h"
#include "backend/cpu/kernels.h"

/* How the elements of one matrix become those that are computed with. */
typedef struct ash__pack {
    const ash__kernels *kernels;
    const ash__product_loops *loops;
    const ash__matrix *matrix;
    ash_dtype dtype; /* of the matrix */
    ash_dtype work;  /* computed with: F32, F64, U32, U64 */
    bool complex;    /* the product is: two planes */
    bool plain;      /* the matrix is as it is computed with: real, general, at whole steps */
} ash__pack;

ash__pack ash__pack_of(const ash__matrix *matrix, ash_dtype dtype, ash_dtype work, bool complex);
/* What a real dtype is computed with in products of `inner` terms. */
ash_dtype ash__work_dtype(ash_dtype part, int64_t inner);

enum { ASH__LINE = 256 }; /* elements of a line, at most */
/* Elements k to k + n - 1 of row i, side by side: real parts, and imaginary ones where the product is complex. */
void ash__read_line(const ash__pack *p, int64_t i, int64_t k, int64_t n, char *re, char *im);
/* n elements as they are computed with, complex parts in turn, to places of the matrix's dtype, step bytes apart. */
void ash__write_line(const ash__pack *p, char *to, int64_t step, const char *from, int64_t n);
/* n elements of the matrix's dtype, step bytes apart, as they are computed with, complex parts in turn. */
void ash__widen_line(const ash__pack *p, char *to, const char *from, int64_t step, int64_t n);

/* rows x cols elements from (i, k) on, in rows that lie step bytes apart: cols <= ASH__LINE. */
void ash__pack_rows(const ash__pack *p, int64_t i, int64_t k, int64_t rows, int64_t cols, char *re, char *im, int64_t step);
#endif
