/* fold.h - sums, extrema and other folds, one element after the other. Floats are added where the sum is exact. */
#ifndef MODELS_FOLD_H
#define MODELS_FOLD_H
#include "model.h"

typedef enum fold { SUM, PROD, MIN, MAX, ANY, ALL, HOW_MANY, ARGMIN, ARGMAX } fold;

typedef struct total {
    uint64_t part[2]; /* of integers, modulo 2^64 */
    double real[2];   /* of floats */
    int64_t seen, at; /* elements; where the one that counts was */
    bool truth;
    unsigned char best[16];
} total;
void take_in(total *t, fold what, ash_dtype dtype, const char *element, int64_t place);
void put_total(void *out, const total *t, fold what, ash_dtype dtype); /* of the result's dtype */

uint64_t wrapped(ash_dtype real, const void *element); /* modulo 2^64 */
bool is_nan(ash_dtype real, const void *element);
/* A NaN beats all numbers, the first of equal ones the others. */
bool beats(ash_dtype real, const void *x, const void *y, bool largest);
ash_dtype summed_dtype(ash_dtype dtype);
ash_dtype folded_dtype(fold what, ash_dtype dtype);

typedef struct fold_axes {
    bool folded[MODEL_RANK], all, drop;
} fold_axes;
/* False: there is an element for which there is nothing to choose from. mask: NULL, or the elements that take part. */
bool fold_model(model *out, const model *a, fold what, const fold_axes *f, const model *mask);
#endif
