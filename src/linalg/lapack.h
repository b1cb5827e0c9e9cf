/*
 * lapack.h - LAPACK, opened at run time: its routines for singular values and eigenvalues, one matrix at a time.
 *
 * Matrices are dense in column-major order and finite: what LAPACK makes of anything else is its own business, and
 * OpenBLAS 0.3.21 answers 0 for NaN. Routines give back LAPACK's info: 0, or how many values did not converge. They overwrite
 * a. dtype is f32, f64, c_f32 or c_f64 throughout.
 */
#ifndef ASH__LAPACK_H
#define ASH__LAPACK_H
#include "core/array.h"

/* Is there one? False without an error where none was found or the setting says "off": what needs none goes on without it.
 * False with an error (ash__last_status) when the setting names a file that is no LAPACK. */
bool ash__lapack_there(const char *function, ash_status *status);
/* As above, but its absence is ASH_ERR_UNSUPPORTED, which names what to install. */
ash_status ash__lapack_need(const char *function);
/* For tests: the setting is read, and the library looked for, once more. */
void ash__lapack_forget(void);

/* Working memory of a routine, for any number of matrices of one size. */
typedef struct ash__lapack_work {
    ash_array *block; /* ended by ash_release */
    void *work;       /* of the dtype */
    void *real;       /* of its part; complex routines only */
    int32_t *integer;
    int32_t size, reals, integers;
} ash__lapack_work;

/* job: 'N', 'S' or 'A', LAPACK's letters for no vectors, the first min(m, n), all. s is of the part's dtype. */
ash_status ash__lapack_svd_work(const char *function, ash_resources *r, ash_dtype dtype, char job, int64_t m, int64_t n,
                                ash__lapack_work *w);
int32_t ash__lapack_svd(ash_dtype dtype, char job, int64_t m, int64_t n, void *a, void *s, void *u, void *vt,
                        const ash__lapack_work *w);
/* job: 'N' or 'V'; uplo: 'L' or 'U', the triangle that is read. Vectors, in columns, replace a. values of the part's dtype. */
ash_status ash__lapack_eigh_work(const char *function, ash_resources *r, ash_dtype dtype, char job, int64_t n,
                                 ash__lapack_work *w);
int32_t ash__lapack_eigh(ash_dtype dtype, char job, char uplo, int64_t n, void *a, void *values, const ash__lapack_work *w);
/* job: 'N' or 'V', right vectors. Of a complex dtype: values (n) and vectors (n, n) of it. Of a real one: values is n real
 * parts and then n imaginary ones, and of a pair of conjugate values the two columns of vectors are real and imaginary part of
 * the first one's vector. */
ash_status ash__lapack_eig_work(const char *function, ash_resources *r, ash_dtype dtype, char job, int64_t n,
                                ash__lapack_work *w);
int32_t ash__lapack_eig(ash_dtype dtype, char job, int64_t n, void *a, void *values, void *vectors, const ash__lapack_work *w);
#endif
