/*
 * jacobi.h - singular values and symmetric eigenvalues by plane rotations, for where there is no LAPACK.
 *
 * For matrices of a few hundred rows: slow beyond that, and not less exact. Arguments as in lapack.h, but that a stays.
 * *info: 0, or how many pairs of columns were still being turned when it gave up. Computed in f64, whatever the dtype.
 */
#ifndef ASH__JACOBI_H
#define ASH__JACOBI_H
#include "core/array.h"

ash_status ash__jacobi_svd(const char *function, ash_dtype dtype, char job, int64_t m, int64_t n, const void *a, void *values,
                           void *u, void *vt, int32_t *info);
/* With job 'V' the vectors, in columns, replace a. */
ash_status ash__jacobi_eigh(const char *function, ash_dtype dtype, char job, char uplo, int64_t n, void *a, void *values,
                            int32_t *info);
#endif
