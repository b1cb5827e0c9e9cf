/* matrices.h - products of matrices and what else checks factors, in complex numbers of f64. */
#ifndef CONFORMANCE_MATRICES_H
#define CONFORMANCE_MATRICES_H
#include "trial.h"

model wide(const model *m);                            /* c_f64 */
model product(const model *a, const model *b);         /* of the last two axes; those in front are the same */
model adjoint_of(const model *a);                      /* of the last two axes */
model identity_like(const model *a, int64_t n);        /* for every matrix of a */
model column(const model *v);                          /* a vector as a matrix of one column */
model narrow(const model *wide, ash_dtype dtype);      /* rounded */
model square(double diagonal, bool hermitian);         /* of the trial's dtype, from its shape, well conditioned */
void check_close(const model *got, const model *want); /* both wide; within the operation's bound, in the trial's dtype */
const model *given(void);                              /* the last result */
#endif
