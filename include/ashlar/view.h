/* view.h - arrays over the memory of another array. No function here copies an element. */
#ifndef ASHLAR_VIEW_H
#define ASHLAR_VIEW_H
#include "base.h"
ASH__BEGIN

typedef struct ash_slice_options {
    size_t struct_size;
    ash_resources *resources;
    ash_axes axes; /* the one axis to cut; default the first */
    int64_t step;  /* default 1; negative goes backwards */
} ASH__KEYWORDS ash_slice_options;

typedef struct ash_reshape_options {
    size_t struct_size;
    ash_resources *resources;
    ash_layout order; /* the order in which elements are read and laid out; default row-major */
} ASH__KEYWORDS ash_reshape_options;

typedef struct ash_squeeze_options {
    size_t struct_size;
    ash_resources *resources;
    ash_axes axes; /* default: all of size 1 */
} ASH__KEYWORDS ash_squeeze_options;

typedef struct ash_reinterpret_options {
    size_t struct_size;
    ash_resources *resources;
    bool add_axis; /* the parts of an element become a new last axis, or a last axis becomes one element */
} ASH__KEYWORDS ash_reinterpret_options;

typedef struct ash_diagonal_options {
    size_t struct_size;
    ash_resources *resources;
    int64_t offset; /* above (positive) or below (negative) the main diagonal */
    ash_axes axes;  /* the two axes; default the last two */
} ASH__KEYWORDS ash_diagonal_options;

/**
 * A range of one axis.
 *
 * Shape   that axis gets the elements start, start + step ... before stop; the others stay.
 * Dtype   that of a, any.
 *
 * @param a        borrowed; the view keeps its memory alive.
 * @param start    -n to n (n - 1 when going backwards), negative from the end; ASH_OPEN: from the first in the step's
 *                 direction.
 * @param stop     -n to n, negative from the end, itself left out; ASH_OPEN: through the last.
 * @param options  .axes (one; default 0), .step (default 1; negative goes backwards).
 * @return         a view, its scope's or the caller's; NULL with ASH_ERR_BOUNDS, ASH_ERR_ARGUMENT, ASH_ERR_RELEASED or
 *                 ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_slice_opt(const ash_array *a, int64_t start, int64_t stop,
                                 const ash_slice_options *options ASH__DEFAULT);

/**
 * A mix of integers, ranges, whole and new axes: ash_view(a, 0, ASH_RANGE(1, 3), ASH_ALL, ASH_NEW_AXIS).
 *
 * Shape   an integer drops its axis, ASH_NEW_AXIS adds one of size 1; axes that are not named stay whole.
 * Dtype   that of a, any.
 *
 * @param a      borrowed; the view keeps its memory alive.
 * @param index  count entries; integers and ends of ranges may be negative, from the end. No arrays: those are for ash_index.
 * @param count  at most the rank of a, new axes not counted. Integers 0 may follow.
 * @return       a view, its scope's or the caller's; NULL with ASH_ERR_BOUNDS, ASH_ERR_ARGUMENT, ASH_ERR_SHAPE,
 *               ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_view_at(const ash_array *a, const ash_index *index, int64_t count);

/**
 * The same elements under another shape. Never copies.
 *
 * Shape   any with as many elements; one size may be ASH_INFER. Elements are read and laid out in row-major order, with .order
 *         = ASH_COL_MAJOR in column-major order.
 * Dtype   that of a, any.
 *
 * @param a        borrowed; the view keeps its memory alive.
 * @param shape    sizes of the result.
 * @param options  .order.
 * @return         a view, its scope's or the caller's; NULL with ASH_ERR_SHAPE (other count), ASH_ERR_ARGUMENT (two sizes to
 *                 infer), ASH_ERR_UNSUPPORTED (the strides of a cannot express it: the text names both ways out),
 *                 ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_reshape_opt(const ash_array *a, ash_dims shape, const ash_reshape_options *options ASH__DEFAULT);

/**
 * The last two axes exchanged.
 *
 * Shape   (..., m, n) to (..., n, m); a vector of n becomes (1, n); rank 0 is given back itself.
 * Dtype   that of a, any.
 *
 * @param a  borrowed; the view keeps its memory alive.
 * @return   a view, its scope's or the caller's; NULL with ASH_ERR_ARGUMENT, ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_transpose(const ash_array *a);

/**
 * The transpose, conjugated: reading gives conjugates, and what is written is stored conjugated. For real dtypes it is
 * ash_transpose.
 *
 * Shape   as ash_transpose.
 * Dtype   that of a, any.
 * Exact   yes.
 *
 * @param a  borrowed; the view keeps its memory alive.
 * @return   a view, its scope's or the caller's; NULL with ASH_ERR_ARGUMENT, ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_adjoint(const ash_array *a);

/**
 * Axes in another order: axis k of the result is axis axes[k] of a.
 *
 * Shape   sizes in the new order.
 * Dtype   that of a, any.
 *
 * @param a     borrowed; the view keeps its memory alive.
 * @param axes  each axis of a once; negative counts from the end.
 * @return      a view, its scope's or the caller's; NULL with ASH_ERR_ARGUMENT (no permutation), ASH_ERR_BOUNDS,
 *              ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_permute(const ash_array *a, ash_axes axes);

/**
 * One more axis, of size 1.
 *
 * Shape   rank + 1.
 * Dtype   that of a, any.
 *
 * @param a     borrowed; the view keeps its memory alive.
 * @param axis  where it stands in the result: -rank - 1 to rank.
 * @return      a view, its scope's or the caller's; NULL with ASH_ERR_BOUNDS, ASH_ERR_SHAPE (rank 32), ASH_ERR_RELEASED or
 *              ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_insert_axis(const ash_array *a, int64_t axis);

/**
 * Axes of size 1 left out.
 *
 * Shape   the others stay.
 * Dtype   that of a, any.
 *
 * @param a        borrowed; the view keeps its memory alive.
 * @param options  .axes: which; default all of size 1.
 * @return         a view, its scope's or the caller's; NULL with ASH_ERR_SHAPE (an axis named has another size),
 *                 ASH_ERR_BOUNDS, ASH_ERR_ARGUMENT, ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_squeeze_opt(const ash_array *a, const ash_squeeze_options *options ASH__DEFAULT);

/**
 * An array as if it were larger: axes of size 1, and missing leading ones, repeat their element.
 *
 * Shape   the one given; the shape of a must equal it from the last axis on, but for sizes of 1.
 * Dtype   that of a, any.
 *
 * @param a      borrowed; the view keeps its memory alive.
 * @param shape  sizes of the result.
 * @return       a view, its scope's or the caller's, read-only when an element repeats; NULL with ASH_ERR_SHAPE,
 *               ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_broadcast_to(const ash_array *a, ash_dims shape);

/**
 * The same bytes as elements of another dtype.
 *
 * Shape   equal sizes: that of a. Else the axis whose elements lie side by side (the last, or else the first) holds as many
 *         bytes of the new dtype; with .add_axis the parts of an element become a new last axis, or a last axis becomes one
 *         element.
 * Dtype   the one given; any, also from and to records.
 *
 * @param a        borrowed, not conjugated; the view keeps its memory alive. Its elements may lie at any byte.
 * @param dtype    of the result.
 * @param options  .add_axis.
 * @return         a view, its scope's or the caller's; NULL with ASH_ERR_SHAPE (the bytes are no whole number of elements; rank
 *                 0 of another size), ASH_ERR_UNSUPPORTED (no dense axis; conjugated), ASH_ERR_DTYPE, ASH_ERR_RELEASED or
 *                 ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_reinterpret_opt(const ash_array *a, ash_dtype dtype,
                                       const ash_reinterpret_options *options ASH__DEFAULT);

/**
 * The diagonal of two axes, as the last axis.
 *
 * Shape   the two axes leave; their diagonal's length, 0 when .offset is outside, is appended.
 * Dtype   that of a, any.
 *
 * @param a        borrowed, rank at least 2; the view keeps its memory alive.
 * @param options  .offset above (positive) or below the main diagonal; .axes: rows and columns, default the last two.
 * @return         a view, its scope's or the caller's; NULL with ASH_ERR_SHAPE (rank below 2), ASH_ERR_ARGUMENT,
 *                 ASH_ERR_BOUNDS, ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_diagonal_opt(const ash_array *a, const ash_diagonal_options *options ASH__DEFAULT);

/**
 * One field of every record.
 *
 * Shape   that of a; an inner array of n adds a last axis of n.
 * Dtype   the field's.
 *
 * @param a     borrowed, of a record dtype; the view keeps its memory alive.
 * @param name  of the field.
 * @return      a view, its scope's or the caller's; NULL with ASH_ERR_DTYPE (no record), ASH_ERR_ARGUMENT (no such field),
 *              ASH_ERR_SHAPE (rank 32), ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_field(const ash_array *a, const char *name);

ASH__END

#if !defined(ASHLAR_CDEF) && !defined(__cplusplus)
#define ash_slice(...) ASH__KW3(ash_slice_opt, ash_slice_options, __VA_ARGS__, ASH_SIZED(ash_slice_options))
#define ash_view(a, ...) \
    ash_view_at(a, (const ash_index[]){ASH__EACH(ASH__INDEX_ITEM, , __VA_ARGS__)}, ASH__COUNT(__VA_ARGS__))
#define ash_reshape(...) ASH__KW2(ash_reshape_opt, ash_reshape_options, __VA_ARGS__, ASH_SIZED(ash_reshape_options))
#define ash_squeeze(...) ASH__KW1(ash_squeeze_opt, ash_squeeze_options, __VA_ARGS__, ASH_SIZED(ash_squeeze_options))
#define ash_reinterpret(...) \
    ASH__KW2(ash_reinterpret_opt, ash_reinterpret_options, __VA_ARGS__, ASH_SIZED(ash_reinterpret_options))
#define ash_diagonal(...) ASH__KW1(ash_diagonal_opt, ash_diagonal_options, __VA_ARGS__, ASH_SIZED(ash_diagonal_options))
#endif
#endif
