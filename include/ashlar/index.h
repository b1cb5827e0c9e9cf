/* index.h - arrays put together, turned, shifted, repeated, picked from and written into. No function here makes a view. */
#ifndef ASHLAR_INDEX_H
#define ASHLAR_INDEX_H
#include "base.h"
#include "map.h"
ASH__BEGIN

typedef struct ash_concat_options {
    size_t struct_size;
    ash_resources *resources;
    ash_dtype dtype;
    ash_layout layout;
    ash_storage storage;
    ash_memory *memory;
    int64_t axis;  /* default 0 */
    ash_axes axes; /* several at once, in place of .axis: blocks along the diagonal, zeros elsewhere */
} ASH__KEYWORDS ash_concat_options;

typedef struct ash_stack_options {
    size_t struct_size;
    ash_resources *resources;
    ash_dtype dtype;
    ash_layout layout;
    ash_storage storage;
    ash_memory *memory;
    int64_t axis; /* of the result; default 0 */
} ASH__KEYWORDS ash_stack_options;

typedef struct ash_reverse_options {
    size_t struct_size;
    ash_resources *resources;
    ash_axes axes; /* default all */
} ASH__KEYWORDS ash_reverse_options;

typedef struct ash_roll_options {
    size_t struct_size;
    ash_resources *resources;
    ash_axes axes; /* as many as shifts; default the first ones */
} ASH__KEYWORDS ash_roll_options;

typedef struct ash_rot90_options {
    size_t struct_size;
    ash_resources *resources;
    int64_t turns; /* default 1; negative ones go the other way */
    ash_axes axes; /* from the first towards the second; default 0 and 1 */
} ASH__KEYWORDS ash_rot90_options;

typedef struct ash_repeat_options {
    size_t struct_size;
    ash_resources *resources;
    int64_t axis; /* default 0 */
} ASH__KEYWORDS ash_repeat_options;

typedef struct ash_take_options {
    size_t struct_size;
    ash_resources *resources;
    int64_t axis; /* default 0 */
} ASH__KEYWORDS ash_take_options;

typedef struct ash_index_options {
    size_t struct_size;
    ash_resources *resources;
    bool linear; /* one item, for which a is the vector of its elements in row-major order */
} ASH__KEYWORDS ash_index_options;

typedef struct ash_index_into_options {
    size_t struct_size;
    ash_resources *resources;
    bool exact;
    bool linear; /* as in ash_index_options */
} ASH__KEYWORDS ash_index_into_options;

typedef struct ash_select_options {
    size_t struct_size;
    ash_resources *resources;
    ash_axes axes; /* one: slices along it */
} ASH__KEYWORDS ash_select_options;

typedef struct ash_triangle_options {
    size_t struct_size;
    ash_resources *resources;
    int64_t k; /* the diagonal: above the main one (positive) or below */
} ASH__KEYWORDS ash_triangle_options;

typedef struct ash_put_options {
    size_t struct_size;
    ash_resources *resources;
    int64_t axis;    /* default 0 */
    bool accumulate; /* values are added to what is there, each one of several for one place too */
    bool exact;
} ASH__KEYWORDS ash_put_options;

/**
 * Arrays one behind the other along an axis: ash_concat(ASH_ARRAYS(a, b), .axis = 1).
 *
 * Shape   sizes add along the axis; the others must be equal. An array of lower rank counts as having axes of size 1 behind its
 *         own, and the axis may be the one after the last: two vectors along axis 1 are the columns of a matrix.
 * Dtype   .dtype, default the promotion of all; records must be of one dtype.
 * Exact   converted as ash_from_host does.
 *
 * @param arrays   at least one, all on one device; borrowed.
 * @param options  .axis, or .axes for blocks along a diagonal; .dtype .layout .storage .resources .memory. Shared storage wins.
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_SHAPE naming the array and the axis,
 *                 ASH_ERR_DTYPE, ASH_ERR_DEVICE, ASH_ERR_BOUNDS, ASH_ERR_ARGUMENT, ASH_ERR_VALUE, ASH_ERR_RELEASED or
 *                 ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_concat_opt(ash_arrays arrays, const ash_concat_options *options ASH__DEFAULT);

/**
 * Arrays of one shape along a new axis.
 *
 * Shape   that of each, with an axis of as many as there are arrays put in.
 * Dtype   .dtype, default the promotion of all; records must be of one dtype.
 * Exact   converted as ash_from_host does.
 *
 * @param arrays   at least one, all on one device; borrowed.
 * @param options  .axis of the result, negative from its end; .dtype .layout .storage .resources .memory. Shared storage wins.
 * @return         a new array, its scope's or the caller's; NULL with an error as from ash_concat.
 */
ASH_API ash_array *ash_stack_opt(ash_arrays arrays, const ash_stack_options *options ASH__DEFAULT);

/**
 * Elements in the opposite order along axes.
 *
 * Shape   that of a.
 * Dtype   that of a, any.
 * Exact   yes.
 *
 * @param a        borrowed.
 * @param options  .axes; default all.
 * @return         a new array, its scope's or the caller's (a view without a copy: ash_slice with .step = -1); NULL with
 *                 ASH_ERR_BOUNDS, ASH_ERR_ARGUMENT, ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_reverse_opt(const ash_array *a, const ash_reverse_options *options ASH__DEFAULT);

/**
 * Elements shifted along axes; what leaves at one end comes in at the other. ash_roll(a, ASH_SHAPE(1, -2)).
 *
 * Shape   that of a.
 * Dtype   that of a, any.
 * Exact   yes.
 *
 * @param a        borrowed.
 * @param shifts   for each axis: element i goes to i + shift, modulo the size.
 * @param options  .axes: as many; default the first ones.
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_ARGUMENT, ASH_ERR_BOUNDS, ASH_ERR_RELEASED or
 *                 ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_roll_opt(const ash_array *a, ash_dims shifts, const ash_roll_options *options ASH__DEFAULT);

/**
 * Quarter turns in the plane of two axes, from the first towards the second: (1 2 / 3 4) becomes (2 4 / 1 3).
 *
 * Shape   the two sizes change places at every turn.
 * Dtype   that of a, any.
 * Exact   yes.
 *
 * @param a        borrowed, rank at least 2.
 * @param options  .turns (default 1), .axes (two; default 0 and 1).
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_SHAPE, ASH_ERR_ARGUMENT, ASH_ERR_BOUNDS,
 *                 ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_rot90_opt(const ash_array *a, const ash_rot90_options *options ASH__DEFAULT);

/**
 * Every element several times in a row along an axis: 1 2 becomes 1 1 2 2.
 *
 * Shape   that size times count; 0 gives an empty array.
 * Dtype   that of a, any.
 * Exact   yes.
 *
 * @param a        borrowed, rank at least 1.
 * @param count    >= 0.
 * @param options  .axis; default 0.
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_ARGUMENT (negative count), ASH_ERR_BOUNDS,
 *                 ASH_ERR_SHAPE, ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_repeat_opt(const ash_array *a, int64_t count, const ash_repeat_options *options ASH__DEFAULT);

/**
 * The whole array several times along each axis: 1 2 becomes 1 2 1 2.
 *
 * Shape   sizes times counts, aligned at the last axis; missing ones on either side are 1; 0 gives an empty array.
 * Dtype   that of a, any.
 * Exact   yes.
 *
 * @param a       borrowed.
 * @param counts  each >= 0.
 * @return        a new array, its scope's or the caller's; NULL with ASH_ERR_ARGUMENT (negative count), ASH_ERR_SHAPE,
 *                ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_tile(const ash_array *a, ash_dims counts);

/**
 * Elements of x where a condition holds and of y elsewhere; the three broadcast. ash_map("(c, x, y) -> c ? x : y", ...).
 *
 * Shape   the joined one.
 * Dtype   the promotion of x and y; any but a record.
 * Exact   yes; x and y are converted to their promotion.
 *
 * @param condition  an array or scalar; a number other than 0 counts as true.
 * @param x          an array or scalar.
 * @param y          an array or scalar.
 * @param options    as for ash_map.
 * @return           a new array, its scope's or the caller's; NULL with an error as from ash_map.
 */
ASH_API ash_array *ash_where_opt(const ash_operand *condition, const ash_operand *x, const ash_operand *y,
                                 const ash_map_options *options ASH__DEFAULT);

/**
 * The elements, or slices along an axis, that indices name: ash_take(a, ash_i64(0, 2, 2), .axis = 1) is three columns.
 *
 * Shape   that of a with the axis replaced by the axes of indices: none for rank 0, several for a matrix of indices.
 * Dtype   that of a, any.
 * Exact   yes.
 *
 * @param a        borrowed, rank at least 1.
 * @param indices  borrowed, of any integer dtype, each from 0 to size - 1: a negative one is out of bounds. All are checked
 *                 before anything is copied.
 * @param options  .axis; default 0.
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_BOUNDS (names the index and its place; no such
 *                 axis), ASH_ERR_DTYPE (indices are not integers), ASH_ERR_SHAPE (rank above ASH_MAX_RANK), ASH_ERR_VALUE (an
 *                 index above 2^63 - 1), ASH_ERR_DEVICE, ASH_ERR_ARGUMENT, ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_take_opt(const ash_array *a, const ash_array *indices, const ash_take_options *options ASH__DEFAULT);

/**
 * Elements by any mix of items: ash_index(a, 1, ASH_RANGE(0, 3), ash_i64(2, 0), mask). Each array acts on an axis of its own.
 *
 * Shape   the axes of the items one after the other: none for an integer; one for a range, ASH_ALL or ASH_NEW_AXIS; those of
 *         an array of indices; one, of as many as are true, for a mask, which stands for as many axes of a as it has. Axes that
 *         are not named stay whole. An empty list or mask gives an empty result.
 * Dtype   that of a, any.
 * Exact   yes.
 *
 * @param a        borrowed.
 * @param items    count items, borrowed. Integers and ends of ranges may be negative, from the end. Arrays of indices, of any
 *                 integer dtype, may not. A mask is bool, of the shape of the axes it stands for; what it selects comes in
 *                 row-major order. All are checked before anything is copied.
 * @param count    of items; they name at most the axes of a, new ones not counted. Integers 0 may follow.
 * @param options  .linear: one item counts the elements of a in row-major order, whatever its strides, as in
 *                 ash_index_with(a, ASH_INDICES(ash_i64(4, 0)), .linear = true).
 * @return         a new array, never a view, its scope's or the caller's; NULL with ASH_ERR_BOUNDS (names the index, its place
 *                 and the axis), ASH_ERR_SHAPE (a mask does not fit; rank above ASH_MAX_RANK), ASH_ERR_DTYPE (neither integers
 *                 nor bool), ASH_ERR_VALUE (an index above 2^63 - 1), ASH_ERR_ARGUMENT, ASH_ERR_DEVICE, ASH_ERR_RELEASED or
 *                 ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_index_opt(const ash_array *a, const ash_index *items, int64_t count,
                                 const ash_index_options *options ASH__DEFAULT);

/**
 * Writes to the elements that ash_index would select: ash_index_into(out, value, ASH_ALL, ash_i64(1, 0)).
 *
 * Shape   only the count of elements must match, both in row-major order; a scalar, or an array of rank 0, goes to all. Where
 *         nothing is selected, nothing is done and value is not looked at.
 * Dtype   converted as ash_copy_into does: toward zero; what the dtype of out cannot hold is an error.
 * Exact   yes. Where items name an element more than once, the last value in row-major order stays, for any number of threads.
 *
 * @param out      written; untouched after a failure.
 * @param value    an array or scalar, borrowed. It, and the items, may share memory with out: as if they had been copied first.
 * @param items    as for ash_index.
 * @param count    of items.
 * @param options  .exact: any change of value by the conversion is an error; .linear.
 * @return         ASH_OK, ASH_ERR_SHAPE (another count; a mask does not fit), ASH_ERR_BOUNDS, ASH_ERR_VALUE, ASH_ERR_DTYPE,
 *                 ASH_ERR_ARGUMENT (out is read-only), ASH_ERR_DEVICE, ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_status ash_index_into_opt(ash_array *out, const ash_operand *value, const ash_index *items, int64_t count,
                                      const ash_index_into_options *options ASH__DEFAULT);

/**
 * Writes slices along an axis to the places that indices name: ash_put(a, ash_i64(0, 2), values, .axis = 1).
 *
 * Shape   values broadcast to what ash_take(a, indices) would give.
 * Dtype   converted as ash_copy_into does. With .accumulate: integers wrap, bool is a logical or, f16 and bf16 are added in f32
 *         and rounded; any but a record.
 * Exact   yes. Of several values for one element the last in row-major order stays; with .accumulate each is added, in that
 *         order, for any number of threads.
 *
 * @param a        written; untouched after a failure. Rank at least 1.
 * @param indices  borrowed, of any integer dtype, each from 0 to size - 1.
 * @param values   an array or scalar, borrowed. Both may share memory with a: as if they had been copied first.
 * @param options  .axis (default 0), .accumulate, .exact.
 * @return         ASH_OK, ASH_ERR_BOUNDS (names the index and its place; no such axis), ASH_ERR_SHAPE (values do not
 *                 broadcast), ASH_ERR_DTYPE, ASH_ERR_VALUE, ASH_ERR_ARGUMENT (a is read-only), ASH_ERR_DEVICE,
 *                 ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_status ash_put_opt(ash_array *a, const ash_array *indices, const ash_operand *values,
                               const ash_put_options *options ASH__DEFAULT);

/**
 * The elements, or with .axes the slices along an axis, where a mask is true.
 *
 * Shape   a vector of as many elements as are true, in row-major order; with .axes that of a, the axis as long as that.
 * Dtype   that of a, any.
 * Exact   yes.
 *
 * @param a        borrowed; waited for.
 * @param mask     bool, borrowed; of the shape of a, with .axes a vector as long as the axis.
 * @param options  .axes: one.
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_SHAPE (names both shapes), ASH_ERR_DTYPE (the
 *                 mask is not bool), ASH_ERR_BOUNDS, ASH_ERR_ARGUMENT, ASH_ERR_DEVICE, ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_select_opt(const ash_array *a, const ash_array *mask, const ash_select_options *options ASH__DEFAULT);

/**
 * Elements on and above a diagonal of the last two axes, zeros below it.
 *
 * Shape   that of a.
 * Dtype   that of a, any.
 * Exact   yes.
 *
 * @param a        borrowed, rank at least 2.
 * @param options  .k: the diagonal, where column - row = k; default the main one.
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_SHAPE (rank below 2), ASH_ERR_ARGUMENT,
 *                 ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_triu_opt(const ash_array *a, const ash_triangle_options *options ASH__DEFAULT);

/**
 * Elements on and below a diagonal of the last two axes, zeros above it.
 *
 * Shape   that of a.
 * Dtype   that of a, any.
 * Exact   yes.
 *
 * @param a        borrowed, rank at least 2.
 * @param options  .k: the diagonal, where column - row = k; default the main one.
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_SHAPE (rank below 2), ASH_ERR_ARGUMENT,
 *                 ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_tril_opt(const ash_array *a, const ash_triangle_options *options ASH__DEFAULT);

ASH__END

#if !defined(ASHLAR_CDEF) && !defined(__cplusplus)
#define ash_concat(...) ASH__KW1(ash_concat_opt, ash_concat_options, __VA_ARGS__, ASH_SIZED(ash_concat_options))
#define ash_stack(...) ASH__KW1(ash_stack_opt, ash_stack_options, __VA_ARGS__, ASH_SIZED(ash_stack_options))
#define ash_reverse(...) ASH__KW1(ash_reverse_opt, ash_reverse_options, __VA_ARGS__, ASH_SIZED(ash_reverse_options))
#define ash_roll(...) ASH__KW2(ash_roll_opt, ash_roll_options, __VA_ARGS__, ASH_SIZED(ash_roll_options))
#define ash_rot90(...) ASH__KW1(ash_rot90_opt, ash_rot90_options, __VA_ARGS__, ASH_SIZED(ash_rot90_options))
#define ash_repeat(...) ASH__KW2(ash_repeat_opt, ash_repeat_options, __VA_ARGS__, ASH_SIZED(ash_repeat_options))
#define ash_take(...) ASH__KW2(ash_take_opt, ash_take_options, __VA_ARGS__, ASH_SIZED(ash_take_options))
#define ash_index(a, ...) \
    ash_index_opt(a, (const ash_index[]){ASH__EACH(ASH__INDEX_ITEM, , __VA_ARGS__)}, ASH__COUNT(__VA_ARGS__), NULL)
#define ash_index_with(...) ASH__KW3(ash_index_opt, ash_index_options, __VA_ARGS__, ASH_SIZED(ash_index_options))
#define ash_index_into(out, value, ...)                                                                            \
    ash_index_into_opt(out, (const ash_operand[]){ASH_OPERAND(value)},                                             \
                       (const ash_index[]){ASH__EACH(ASH__INDEX_ITEM, , __VA_ARGS__)}, ASH__COUNT(__VA_ARGS__), NULL)
#define ASH__INDEX_INTO(out, value, items, count, ...) \
    ash_index_into_opt(out, (const ash_operand[]){ASH_OPERAND(value)}, items, count, &(ash_index_into_options){__VA_ARGS__})
#define ash_index_into_with(...) ASH__INDEX_INTO(__VA_ARGS__, ASH_SIZED(ash_index_into_options))
#define ash_select(...) ASH__KW2(ash_select_opt, ash_select_options, __VA_ARGS__, ASH_SIZED(ash_select_options))
#define ash_triu(...) ASH__KW1(ash_triu_opt, ash_triangle_options, __VA_ARGS__, ASH_SIZED(ash_triangle_options))
#define ash_tril(...) ASH__KW1(ash_tril_opt, ash_triangle_options, __VA_ARGS__, ASH_SIZED(ash_triangle_options))
#define ASH__PUT(a, indices, values, ...) \
    ash_put_opt(a, indices, (const ash_operand[]){ASH_OPERAND(values)}, &(ash_put_options){__VA_ARGS__})
#define ash_put(...) ASH__PUT(__VA_ARGS__, ASH_SIZED(ash_put_options))
#define ASH__WHERE(condition, x, y, ...)                                                                 \
    ash_where_opt((const ash_operand[]){ASH_OPERAND(condition)}, (const ash_operand[]){ASH_OPERAND(x)}, \
                  (const ash_operand[]){ASH_OPERAND(y)}, &(ash_map_options){__VA_ARGS__})
#define ash_where(...) ASH__WHERE(__VA_ARGS__, ASH_SIZED(ash_map_options))
#endif
#endif
