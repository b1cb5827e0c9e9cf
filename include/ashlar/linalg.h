/* linalg.h - linear algebra: products of matrices and vectors. */
#ifndef ASHLAR_LINALG_H
#define ASHLAR_LINALG_H
#include "base.h"
ASH__BEGIN

/* What is known of a matrix: the rest of it is not read. Not given: general. */
typedef enum ash_structure {
    ASH_STRUCTURE_DEFAULT = 0,
    ASH_GENERAL = 1,
    ASH_SYMMETRIC_LOWER = 2, /* the diagonal and what lies below it; the rest mirrors it */
    ASH_SYMMETRIC_UPPER = 3,
    ASH_HERMITIAN_LOWER = 4, /* the mirrored part is conjugated, the diagonal real whatever its imaginary parts are */
    ASH_HERMITIAN_UPPER = 5,
    ASH_TRIANGULAR_LOWER = 6, /* zeros above the diagonal */
    ASH_TRIANGULAR_UPPER = 7,
    ASH_UNIT_LOWER = 8, /* ones on the diagonal, which is not read either */
    ASH_UNIT_UPPER = 9,
    ASH_DIAGONAL = 10 /* the operand is the vector of the diagonal */
} ash_structure;

ASH__END
#endif
