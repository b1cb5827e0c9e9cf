/* moments.h - what mean, var and std share: in which dtype they compute, and how many elements took part. */
#ifndef ASH__MOMENTS_H
#define ASH__MOMENTS_H
#include "ops/reduction.h"

typedef struct ash__moment {
    const char *function;
    const ash_array *a;
    ash_reduce_options o;
    ash_dtype compute; /* f32 or f64, or complex of these: what elements are taken in */
    ash_dtype result;  /* of the mean: compute, but for f16 and bf16, which keep their dtype */
    ash__axes axes;
} ash__moment;

/* Reads the options and checks a. */
bool ash__moment_begin(ash__moment *m, const char *function, unsigned uses, const ash_array *a,
                       const ash_reduce_options *options);
/* The sums of the elements, or of a text's results over (a, mean), divided by how many there were, less correction (not below
 * 0: then NaN), in dtype m->compute; kept: with the axes kept whatever the options say. */
ash_array *ash__moment_mean(const ash__moment *m, bool kept);
ash_array *ash__moment_divide(const ash__moment *m, ash_array *sum, bool kept, double correction);
/* x in dtype `result`, in its own memory where that is its dtype. x is consumed. text: applied on the way. */
ash_array *ash__moment_finish(const ash__moment *m, ash_array *x, const char *text, ash_dtype result);
/* The options with the axes named and kept. */
ash_reduce_options ash__moment_kept(const ash__moment *m);
#endif
