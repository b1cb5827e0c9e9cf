/* shape.h - arithmetic of shapes and strides; no array in sight. Strides are bytes. */
#ifndef ASH__SHAPE_H
#define ASH__SHAPE_H
#include "ashlar/base.h"

/* Sizes >= 0, rank 0 to 32, and the product of the sizes (a 0 anywhere makes it 0) times item bytes below 2^63. */
ash_status ash__check_shape(const char *function, ash_dims shape, size_t item, int64_t *count);
/* A shape for count elements, with at most one size ASH_INFER: the sizes, all known and checked. */
ash_status ash__infer_shape(const char *function, ash_dims shape, size_t item, int64_t count, int64_t *size);
int64_t ash__count(const int64_t *shape, int64_t rank); /* of a shape that has been checked */
static inline int64_t ash__ceiling(int64_t a, int64_t b) /* a / b, rounded up; a >= 1 */
{
    return (a - 1) / b + 1;
}
void ash__strides_for(ash_layout layout, const int64_t *shape, int64_t rank, int64_t item, int64_t *stride);
/* Do the axes step as one, so that the row-major position within them times *step is an offset? *step: 0 where they have one
 * element. */
bool ash__one_step(const int64_t *shape, const int64_t *stride, int64_t rank, int64_t *step);
bool ash__dense(ash_layout layout, const int64_t *shape, const int64_t *stride, int64_t rank, int64_t item);
/* The index of the element at a position, not negative, in the order of that layout. */
void ash__index_at(ash_layout layout, const int64_t *shape, int64_t rank, int64_t position, int64_t *index);
/* Bytes that the elements span: *low <= 0 and *high, relative to the first element; the end is *high + item. */
void ash__extent(const int64_t *shape, const int64_t *stride, int64_t rank, int64_t *low, int64_t *high);
/* axis from -rank to rank - 1, made non-negative; a bounds error otherwise. */
ash_status ash__check_axis(const char *function, int64_t axis, int64_t rank, int64_t *out);
/* A list of axes as bits; not given: all. A repeated axis is an argument error. */
ash_status ash__check_axes(const char *function, ash_axes axes, int64_t rank, uint32_t *bits);
/* Joins the shape of an operand, which has that number, into out (rank *rank) by the broadcasting rule; a shape error names
 * both shapes and the axis. */
ash_status ash__broadcast(const char *function, int operand, int64_t *out, int64_t *rank, const int64_t *shape,
                          int64_t shape_rank);
/* "(2, 3)"; never more than size bytes. Gives back buffer. */
char *ash__shape_text(char *buffer, size_t size, const int64_t *shape, int64_t rank);
#define ASH__SHAPE_TEXT 256

/*
 * A walk over all runs of up to 4 arrays of one shape in an order of its own choosing (or in logical row-major order):
 * axes that are contiguous together are merged, size-1 axes left out; run elements lie step[k] bytes apart.
 *
 *     ash__walk w;
 *     for (bool more = ash__walk_begin(&w, ...); more; more = ash__walk_next(&w))
 *         loop(w.run, w.at[0], w.step[0], w.at[1], w.step[1]);
 */
typedef struct ash__walk {
    int64_t run;
    char *at[4];
    int64_t step[4];
    int count;             /* arrays */
    int64_t rank;          /* outer axes */
    int64_t size[32], index[32];
    int64_t stride[4][32];
} ash__walk;
/* logical: runs follow row-major order of the indices. false when there is no element. */
bool ash__walk_begin(ash__walk *w, bool logical, const int64_t *shape, int64_t rank, int count, char *const *data,
                     const int64_t *const *stride);
bool ash__walk_next(ash__walk *w);
#endif
