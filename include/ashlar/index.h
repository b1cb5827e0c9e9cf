/* index.h - arrays put together, turned, shifted, repeated and picked from. Every function here makes a new array. */
#ifndef ASHLAR_INDEX_H
#define ASHLAR_INDEX_H
#include "base.h"
#include "map.h"
ASH__BEGIN

/* A borrowed list of arrays. */
typedef struct ash_arrays {
    const ash_array *const *array;
    int64_t count;
} ash_arrays;

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
 * The elements, or slices along an axis, that indices name: ash_take(a, ash_i64(0, 2, -1), .axis = 1) is three columns.
 *
 * Shape   that of a with the axis replaced by the axes of indices: none for rank 0, several for a matrix of indices.
 * Dtype   that of a, any.
 * Exact   yes.
 *
 * @param a        borrowed, rank at least 1.
 * @param indices  any integer dtype and rank, on a's device; from 0, or negative from the end; an index may repeat. Borrowed.
 *                 They are read before anything is queued, which waits for them.
 * @param options  .axis, negative from the end; default 0.
 * @return         a new array in a's layout and storage, its scope's or the caller's; NULL with ASH_ERR_BOUNDS (an index or the
 *                 axis), ASH_ERR_DTYPE (indices are not integers), ASH_ERR_SHAPE (rank above ASH_MAX_RANK), ASH_ERR_VALUE (an
 *                 index above 2^63 - 1), ASH_ERR_DEVICE, ASH_ERR_ARGUMENT, ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_take_opt(const ash_array *a, const ash_array *indices, const ash_take_options *options ASH__DEFAULT);

ASH__END

#if !defined(ASHLAR_CDEF) && !defined(__cplusplus)
#define ASH_ARRAYS(...)                                \
    ((ash_arrays){(const ash_array *const[]){__VA_ARGS__}, \
                  (int64_t)(sizeof((const ash_array *const[]){__VA_ARGS__}) / sizeof(const ash_array *))})
#define ash_concat(...) ASH__KW1(ash_concat_opt, ash_concat_options, __VA_ARGS__, ASH_SIZED(ash_concat_options))
#define ash_stack(...) ASH__KW1(ash_stack_opt, ash_stack_options, __VA_ARGS__, ASH_SIZED(ash_stack_options))
#define ash_reverse(...) ASH__KW1(ash_reverse_opt, ash_reverse_options, __VA_ARGS__, ASH_SIZED(ash_reverse_options))
#define ash_roll(...) ASH__KW2(ash_roll_opt, ash_roll_options, __VA_ARGS__, ASH_SIZED(ash_roll_options))
#define ash_rot90(...) ASH__KW1(ash_rot90_opt, ash_rot90_options, __VA_ARGS__, ASH_SIZED(ash_rot90_options))
#define ash_repeat(...) ASH__KW2(ash_repeat_opt, ash_repeat_options, __VA_ARGS__, ASH_SIZED(ash_repeat_options))
#define ash_take(...) ASH__KW2(ash_take_opt, ash_take_options, __VA_ARGS__, ASH_SIZED(ash_take_options))
#define ASH__WHERE(condition, x, y, ...)                                                                 \
    ash_where_opt((const ash_operand[]){ASH_OPERAND(condition)}, (const ash_operand[]){ASH_OPERAND(x)}, \
                  (const ash_operand[]){ASH_OPERAND(y)}, &(ash_map_options){__VA_ARGS__})
#define ash_where(...) ASH__WHERE(__VA_ARGS__, ASH_SIZED(ash_map_options))
#endif
#endif
