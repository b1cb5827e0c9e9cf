/* scatter.h - values written to the elements that a selection stands for. */
#ifndef ASH__SCATTER_H
#define ASH__SCATTER_H
#include "ops/selection.h"

/* What is to be written: an array that values come from, or else one element for all. */
typedef struct ash__values {
    const ash_array *array; /* NULL: element */
    const unsigned char *element;
    int64_t stride[ASH_MAX_RANK]; /* of the array over the selection's shape, bytes */
} ash__values;

/* Writes values, which have the dtype and the conjugation of out and share no memory with it, to what s selects of out; or adds
 * them. */
ash_status ash__scatter(ash__selection *s, ash_array *out, const ash__values *values, bool accumulate);
/* a as an array of out's dtype and conjugation that does not overlap out: itself with one more reference, or a row-major copy.
 * dense: in row-major order. The caller's alone. */
ash_array *ash__values_for(const char *function, const ash_array *out, const ash_array *a, bool dense, bool exact,
                           ash_resources *given);
#endif
