/* spectral.h - what the operations of this folder take from each other. `function` is the public function that was called. */
#ifndef ASH__LINALG_SPECTRAL_H
#define ASH__LINALG_SPECTRAL_H
#include "ashlar/spectral.h"
#include "core/array.h"
#include "linalg/factoring.h"

/* Belong to the scope that is open. */
ash_svd_result ash__svd(const char *function, const ash_array *a, ash_resources *given);
ash_array *ash__svdvals(const char *function, const ash_array *a, ash_resources *given);
/* In the scope that is open: a product, and the inverses of square matrices by LU in the dtype of ash__factor_dtype. */
ash_array *ash__multiply(const char *function, const ash_array *a, const ash_array *b, ash_resources *given);
ash_array *ash__inverse(const char *function, const ash_array *a, ash__factor_check check, ash_resources *given);
/* p is 1, 2 or inf. */
ash_array *ash__opnorm(const char *function, const ash_array *a, double p, ash_resources *given);
/* The tolerances of ash_matrix_rank and ash_pinv, defaults put in. */
bool ash__rank_tolerances(const char *function, const ash_array *a, double *rtol, double *atol);
/* An elementwise text of (s, m, r, t): singular values, the largest beside each, rtol, atol. */
ash_array *ash__values_text(const char *function, const char *text, const ash_array *values, double rtol, double atol,
                            ash_resources *given);
/* A row of numbers 0, 1 ... size - 1 (i64), or with column a column of them. */
ash_array *ash__numbers(const char *function, ash_resources *resources, ash_storage storage, int64_t size, bool column);
#endif
