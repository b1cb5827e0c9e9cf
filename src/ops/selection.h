/*
 * selection.h - the elements that the items of an index stand for: a view, some of whose axes are picked from by lists.
 *
 * Integers, ranges, whole and new axes make one view. Each array of indices, and each mask, picks from axes of its own of that
 * view (outer indexing): the result's axes are those of the items, one after the other. A list may stand for several axes, as a
 * mask of rank 2 does, or for none; it then holds row-major positions within them.
 */
#ifndef ASH__SELECTION_H
#define ASH__SELECTION_H
#include "core/array.h"

typedef struct ash__pick {
    ash_array *list;    /* dense i64 stored as ash__list_storage says, in the selection's layout; its shape is what the result
                         * gets. This selection's alone, unless it stands for one axis */
    int64_t axis, axes; /* it stands for `axes` of the view's, from `axis` on */
    bool distinct;      /* no two are equal, as of a mask */
    int64_t from_axis;  /* of the array indexed, for messages */
    bool checked;       /* all are known to be in bounds */
} ash__pick;

typedef struct ash__selection {
    const char *function;
    ash_resources *given;
    ash_layout layout; /* order of lists of rank 2 and more */
    ash_array *view;
    int64_t rank, size, shape[ASH_MAX_RANK]; /* of the result */
    int64_t count;
    ash__pick pick[ASH_MAX_RANK]; /* in the order of the items */
} ash__selection;

/* Reads the items and checks all but whether lists are in bounds. On failure there is nothing to end. */
ash_status ash__select_items(ash__selection *s, const char *function, const ash_array *a, const ash_index *item, int64_t count,
                             ash_layout layout, ash_resources *given);
/* The same by one item, for which a is the vector of its elements in row-major order. */
ash_status ash__select_linear(ash__selection *s, const char *function, const ash_array *a, const ash_index *item, int64_t count,
                              ash_layout layout, ash_resources *given);
/* One axis by an array of indices, the others whole. */
ash_status ash__select_axis(ash__selection *s, const char *function, const ash_array *a, int64_t axis, const ash_array *indices,
                            ash_layout layout, ash_resources *given);
/* Checks lists that have not been: to be done before anything is written. */
ash_status ash__selection_check(ash__selection *s);
void ash__selection_end(ash__selection *s);

/* A new array of the elements selected, like a. */
ash_array *ash__selection_get(ash__selection *s, const ash_array *a);

/* Do the axes that a pick stands for step as one? */
bool ash__pick_is_run(const ash__pick *pick, const int64_t *shape, const int64_t *stride);
/* *step: where the axes that a pick of s stands for step as one, that. Else its list is turned into byte offsets; 1. */
ash_status ash__pick_step(const ash__selection *s, ash__pick *pick, const int64_t *shape, const int64_t *stride, int64_t *step);
#endif
