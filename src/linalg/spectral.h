/* spectral.h - what the operations of this folder take from each other. `function` is the public function that was called. */
#ifndef ASH__LINALG_SPECTRAL_H
#define ASH__LINALG_SPECTRAL_H
#include "core/array.h"

ash_array *ash__svdvals(const char *function, const ash_array *a, ash_resources *given);
/* p is 1, 2 or inf. */
ash_array *ash__opnorm(const char *function, const ash_array *a, double p, ash_resources *given);
/* A row of numbers 0, 1 ... size - 1 (i64), or with column a column of them. */
ash_array *ash__numbers(const char *function, ash_resources *resources, ash_storage storage, int64_t size, bool column);
#endif
