/* axes.h - which axes a reduction folds, and the shape that is left. */
#ifndef ASH__AXES_H
#define ASH__AXES_H
#include "core/shape.h"

typedef struct ash__axes {
    uint32_t reduced; /* bit k: axis k is folded */
    bool drop;        /* the result leaves them out, else keeps them with size 1 */
    int64_t rank;     /* of the result */
    int64_t shape[ASH_MAX_RANK];
    int64_t list[ASH_MAX_RANK], count; /* the folded axes */
    int64_t folded;                    /* elements folded into one */
} ash__axes;

/* From the options of a reduction over `shape`: axes not given is all of them, and then they are left out. */
ash_status ash__axes_set(ash__axes *x, const char *function, ash_axes axes, bool drop, const int64_t *shape, int64_t rank);
/* For an output that is there: its shape is that with the axes kept or with them left out. Axes not given are those where
 * out has size 1, when its rank is the operands'. */
ash_status ash__axes_into(ash__axes *x, const char *function, ash_axes axes, const int64_t *shape, int64_t rank, ash_dims out);
/* Strides of the result over the axes of the iteration space: 0 on the folded ones. */
void ash__axes_strides(const ash__axes *x, int64_t rank, const int64_t *of_result, int64_t *stride);
#endif
