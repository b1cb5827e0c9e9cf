/*
 * order.h - sorting, searching and counting.
 *
 * The order of real numbers is total: -inf ... -0.0, 0.0 ... inf, then every NaN, all NaNs being equal; false before true.
 * Descending is the exact reverse, NaNs first. Complex numbers and records have no order of their own: .by or .less gives one.
 */
#ifndef ASHLAR_ORDER_H
#define ASHLAR_ORDER_H
#include "base.h"
ASH__BEGIN

typedef struct ash_sort_options {
    size_t struct_size;
    ash_resources *resources;
    ash_axes axes;     /* one axis; a vector needs none */
    const char *by;    /* the order is that of this function of the elements, "x -> abs(x)": of a real dtype or bool */
    const char *less;  /* "(x, y) -> x.m < y.m": whether x comes before y; in place of the order of numbers */
    bool descending;
    bool flat;         /* all elements, in row-major order, as a vector */
} ASH__KEYWORDS ash_sort_options;

typedef struct ash_search_options {
    size_t struct_size;
    ash_resources *resources;
    bool right;      /* behind equal elements, not in front of them */
    bool descending; /* that is how `sorted` is ordered */
} ASH__KEYWORDS ash_search_options;

typedef struct ash_unique_options {
    size_t struct_size;
    ash_resources *resources;
    const char *by; /* elements of which this function is equal count as one, of which the first stays */
    bool sorted;    /* in ascending order (of .by), not in the order in which they were first seen */
    bool positions; /* also where each was first seen */
    bool inverse;   /* also which of them each element is */
    bool counts;    /* also how often each occurs */
} ASH__KEYWORDS ash_unique_options;

typedef struct ash_find_options {
    size_t struct_size;
    ash_resources *resources;
    const char *predicate; /* of the elements, "x -> x > 1f"; default: they are not 0 */
    bool flat;             /* ash_find: positions in row-major order, whatever the rank */
} ASH__KEYWORDS ash_find_options;

typedef struct ash_histogram_options {
    size_t struct_size;
    ash_resources *resources;
    ash_operand low, high; /* real scalars: where the first bin begins and the last one ends; default min and max of a */
    const ash_array *edges; /* in place of all that: a vector of bins + 1 ascending edges */
} ASH__KEYWORDS ash_histogram_options;

typedef struct ash_key_values {
    ash_array *keys, *values;
} ash_key_values;

enum { ASH_MAX_VALUES = 16 };

typedef struct ash_key_lists {
    ash_array *keys, *values[ASH_MAX_VALUES]; /* values[k] is array k of the list that was given, then NULL */
} ash_key_lists;

typedef struct ash_top {
    ash_array *values, *positions;
} ash_top;

typedef struct ash_unique_result {
    ash_array *values, *positions, *inverse, *counts; /* NULL where it was not asked for */
} ash_unique_result;

typedef struct ash_histogram_result {
    ash_array *counts, *edges;
} ash_histogram_result;

/**
 * Elements in order along an axis.
 *
 * Shape   that of a; with .flat a vector of as many elements.
 * Dtype   that of a: real or bool; with .by or .less any.
 * Exact   yes; equal elements keep their order, also in descending order. NaNs come back as NaNs, without their payloads.
 *
 * @param a        borrowed; any strides. Rank 0 is sorted.
 * @param options  .axes (one; needed from rank 2 on), .flat, .descending, .by, .less.
 * @return         a new array in a's storage and layout, its scope's or the caller's; NULL with ASH_ERR_ARGUMENT (no axis, or
 *                 several; options that exclude each other; a function that is none), ASH_ERR_BOUNDS (an axis),
 *                 ASH_ERR_DTYPE (no order, a key or comparison of another dtype), ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_sort_opt(const ash_array *a, const ash_sort_options *options ASH__DEFAULT);

/**
 * The same into an array that is there. out may be a, or overlap it: as if a had been copied first.
 *
 * Shape   out has the result's.
 * Dtype   out has that of a.
 * Exact   yes.
 *
 * @param out      written; untouched when anything fails.
 * @param a        borrowed.
 * @param options  as for ash_sort.
 * @return         ASH_OK, ASH_ERR_SHAPE, ASH_ERR_DTYPE, ASH_ERR_DEVICE, ASH_ERR_ARGUMENT (read-only) or an error as from
 *                 ash_sort.
 */
ASH_API ash_status ash_sort_into_opt(ash_array *out, const ash_array *a, const ash_sort_options *options ASH__DEFAULT);

/**
 * Where the elements in order come from: their positions along the axis, so that for a vector ash_take(a, p) is sorted.
 *
 * Shape   that of a; with .flat a vector of positions in row-major order.
 * Dtype   i64; a may be of any dtype that ash_sort takes.
 * Exact   stable: positions of equal elements ascend, also in descending order.
 *
 * @param a        borrowed.
 * @param options  as for ash_sort.
 * @return         a new array, its scope's or the caller's; NULL with an error as from ash_sort.
 */
ASH_API ash_array *ash_sortperm_opt(const ash_array *a, const ash_sort_options *options ASH__DEFAULT);

/**
 * The same into an array that is there, which may not overlap a.
 *
 * Shape   out has the result's.
 * Dtype   out is i64.
 * Exact   stable.
 *
 * @param out      written; untouched when anything fails.
 * @param a        borrowed.
 * @param options  as for ash_sort.
 * @return         ASH_OK, ASH_ERR_SHAPE, ASH_ERR_DTYPE, ASH_ERR_DEVICE, ASH_ERR_ARGUMENT or an error as from ash_sort.
 */
ASH_API ash_status ash_sortperm_into_opt(ash_array *out, const ash_array *a, const ash_sort_options *options ASH__DEFAULT);

/**
 * Keys in order, and values moved along with them.
 *
 * Shape   values has the shape of keys and follows it element by element; or keys is a vector, and values has as many slices
 *         along axis 0, which move as a whole.
 * Dtype   those of keys (as in ash_sort) and of values (any, records too).
 * Exact   stable.
 *
 * @param keys     borrowed.
 * @param values   on the same device; borrowed.
 * @param options  as for ash_sort; .flat where values has the shape of keys.
 * @return         two new arrays, their scope's or the caller's; both NULL with ASH_ERR_SHAPE, ASH_ERR_DEVICE or an error as
 *                 from ash_sort.
 */
ASH_API ash_key_values ash_sort_by_key_opt(const ash_array *keys, const ash_array *values,
                                           const ash_sort_options *options ASH__DEFAULT);

/**
 * Keys in order, and several arrays of values moved along with them: ash_sort_by_key(keys, ASH_ARRAYS(x, y)).values[1].
 *
 * Shape   each of values as in ash_sort_by_key_opt; they may differ.
 * Dtype   those of keys (as in ash_sort) and of values (any, records too).
 * Exact   stable.
 *
 * @param keys     borrowed.
 * @param values   1 to ASH_MAX_VALUES arrays, on the same device; borrowed.
 * @param options  as for ash_sort; .flat where all values have the shape of keys.
 * @return         as many new arrays and the keys, their scope's or the caller's; all NULL with ASH_ERR_SHAPE, ASH_ERR_DEVICE
 *                 (names the array), ASH_ERR_ARGUMENT (none, or too many) or an error as from ash_sort.
 */
ASH_API ash_key_lists ash_sort_all_by_key_opt(const ash_array *keys, ash_arrays values,
                                              const ash_sort_options *options ASH__DEFAULT);

/**
 * Some of the elements in order: those that would be at positions first to first + count - 1 along the axis if all were sorted.
 * Takes time in proportion to the size, whatever first is, and to count * log(count).
 *
 * Shape   that of a with the axis of size count; with .flat, and of rank 0, a vector of count elements.
 * Dtype   that of a, as in ash_sort.
 * Exact   yes.
 *
 * @param a        borrowed.
 * @param first    from 0.
 * @param count    >= 0; all within the axis.
 * @param options  as for ash_sort.
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_BOUNDS, ASH_ERR_ARGUMENT (negative) or an error
 *                 as from ash_sort.
 */
ASH_API ash_array *ash_partial_sort_opt(const ash_array *a, int64_t first, int64_t count,
                                        const ash_sort_options *options ASH__DEFAULT);

/**
 * The k largest elements along an axis, largest first (NaNs before all), and where they are; of equal ones the first. The k
 * smallest: ash_partial_sort, or .by = "x -> -x".
 *
 * Shape   that of a with the axis of size k; with .flat, and of rank 0, a vector.
 * Dtype   values: that of a; positions: i64, along the axis.
 * Exact   yes.
 *
 * @param a        borrowed.
 * @param k        0 to the size of the axis.
 * @param options  as for ash_sort, but for .descending: that is what it is.
 * @return         two new arrays, their scope's or the caller's; both NULL with ASH_ERR_BOUNDS (k) or an error as from
 *                 ash_sort.
 */
ASH_API ash_top ash_top_k_opt(const ash_array *a, int64_t k, const ash_sort_options *options ASH__DEFAULT);

/**
 * Whether elements are in order along an axis, in all lines.
 *
 * Shape   any; nothing and one element are in order.
 * Dtype   as in ash_sort.
 * Exact   yes.
 *
 * @param a        borrowed; waited for.
 * @param options  as for ash_sort.
 * @return         true or false; false with an error as from ash_sort.
 */
ASH_API bool ash_is_sorted_opt(const ash_array *a, const ash_sort_options *options ASH__DEFAULT);

/**
 * Where values belong in a sorted vector: before the first element that is not smaller, or with .right before the first that
 * is larger. 0 to the vector's size.
 *
 * Shape   that of values.
 * Dtype   i64. sorted and values are real or bool, and are compared as numbers: no rounding between integers and floats.
 * Exact   yes, when sorted is in order; else some position without meaning.
 *
 * @param sorted   a vector in the order of ash_sort (.descending: of ash_sort with it); borrowed.
 * @param values   an array on the same device, or a scalar.
 * @param options  .right, .descending.
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_SHAPE (no vector), ASH_ERR_DTYPE, ASH_ERR_DEVICE,
 *                 ASH_ERR_ARGUMENT, ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_search_sorted_opt(const ash_array *sorted, const ash_operand *values,
                                         const ash_search_options *options ASH__DEFAULT);

/**
 * The different elements, each once, in the order in which they first occur (in row-major order) or sorted. Equal means of
 * equal rank in the order: all NaNs are one, -0.0 and 0.0 are two.
 *
 * Shape   values, positions, counts: a vector of as many as there are. inverse: that of a.
 * Dtype   values: that of a: real or bool, with .by any; the others i64.
 * Exact   values[inverse] is a (ash_take), counts sum to its size, positions are row-major.
 *
 * @param a        borrowed; waited for.
 * @param options  .sorted, .by; .positions, .inverse, .counts ask for more than the values.
 * @return         new arrays, their scope's or the caller's; all NULL with ASH_ERR_DTYPE (no order), ASH_ERR_ARGUMENT,
 *                 ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_unique_result ash_unique_opt(const ash_array *a, const ash_unique_options *options ASH__DEFAULT);

/**
 * Where elements are true, in row-major order.
 *
 * Shape   (n) positions for rank 0 and 1; (n, rank) indices from rank 2 on; with .flat always (n), row-major positions.
 * Dtype   i64; a is real or bool (NaN is true), or anything of which .predicate gives a bool.
 * Exact   yes.
 *
 * @param a        borrowed; waited for.
 * @param options  .predicate, .flat.
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_DTYPE, ASH_ERR_ARGUMENT (a predicate that is
 *                 none), ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_find_opt(const ash_array *a, const ash_find_options *options ASH__DEFAULT);

/**
 * The row-major position of the first true element.
 *
 * Shape   any.
 * Dtype   as in ash_find.
 * Exact   yes.
 *
 * @param a        borrowed; waited for.
 * @param options  .predicate.
 * @return         the position; -1 where there is none, or with an error as from ash_find.
 */
ASH_API int64_t ash_find_first_opt(const ash_array *a, const ash_find_options *options ASH__DEFAULT);

/**
 * The row-major position of the last true element.
 *
 * Shape   any.
 * Dtype   as in ash_find.
 * Exact   yes.
 *
 * @param a        borrowed; waited for.
 * @param options  .predicate.
 * @return         the position; -1 where there is none, or with an error as from ash_find.
 */
ASH_API int64_t ash_find_last_opt(const ash_array *a, const ash_find_options *options ASH__DEFAULT);

/**
 * How many elements fall into each of a row of bins. Bin k holds edges[k] <= x < edges[k + 1], the last one its upper edge too.
 * What lies outside, and NaN, is not counted.
 *
 * Shape   counts: (bins); edges: (bins + 1).
 * Dtype   counts: i64; edges: f64 for integers, bool and f64, f32 for other floats, or those given. a is real or bool.
 * Exact   counts, for the edges that are returned. Edge k is low + k*((high - low)/bins) in f64, the last is high; in f32
 *         rounded.
 *
 * @param a        borrowed; any shape; waited for.
 * @param bins     >= 1; with .edges their number less 1, or 0.
 * @param options  .low and .high (finite, low < high, their difference finite), default the least and the largest element, and
 *                 half a unit, or a unit in the last place, to either side when these are equal, 0 and 1 when there is none;
 *                 or .edges, of which neighbours may be equal.
 * @return         two new arrays, their scope's or the caller's; both NULL with ASH_ERR_ARGUMENT (bins, range), ASH_ERR_VALUE
 *                 (an element is not finite and no range is given; edges do not ascend), ASH_ERR_DTYPE, ASH_ERR_SHAPE,
 *                 ASH_ERR_DEVICE, ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_histogram_result ash_histogram_opt(const ash_array *a, int64_t bins,
                                               const ash_histogram_options *options ASH__DEFAULT);

ASH__END

#if !defined(ASHLAR_CDEF) && !defined(__cplusplus)
#define ash_sort(...) ASH__KW1(ash_sort_opt, ash_sort_options, __VA_ARGS__, ASH_SIZED(ash_sort_options))
#define ash_sort_into(...) ASH__KW2(ash_sort_into_opt, ash_sort_options, __VA_ARGS__, ASH_SIZED(ash_sort_options))
#define ash_sortperm(...) ASH__KW1(ash_sortperm_opt, ash_sort_options, __VA_ARGS__, ASH_SIZED(ash_sort_options))
#define ash_sortperm_into(...) ASH__KW2(ash_sortperm_into_opt, ash_sort_options, __VA_ARGS__, ASH_SIZED(ash_sort_options))
#define ASH__SORT_BY_KEY(keys, values, ...)                                                  \
    _Generic((values), ash_arrays: ash_sort_all_by_key_opt, default: ash_sort_by_key_opt)(keys, values, \
                                                                                      &(ash_sort_options){__VA_ARGS__})
#define ash_sort_by_key(...) ASH__SORT_BY_KEY(__VA_ARGS__, ASH_SIZED(ash_sort_options))
#define ash_partial_sort(...) ASH__KW3(ash_partial_sort_opt, ash_sort_options, __VA_ARGS__, ASH_SIZED(ash_sort_options))
#define ash_top_k(...) ASH__KW2(ash_top_k_opt, ash_sort_options, __VA_ARGS__, ASH_SIZED(ash_sort_options))
#define ash_is_sorted(...) ASH__KW1(ash_is_sorted_opt, ash_sort_options, __VA_ARGS__, ASH_SIZED(ash_sort_options))
#define ASH__SEARCH(sorted, values, ...) \
    ash_search_sorted_opt(sorted, (const ash_operand[]){ASH_OPERAND(values)}, &(ash_search_options){__VA_ARGS__})
#define ash_search_sorted(...) ASH__SEARCH(__VA_ARGS__, ASH_SIZED(ash_search_options))
#define ash_unique(...) ASH__KW1(ash_unique_opt, ash_unique_options, __VA_ARGS__, ASH_SIZED(ash_unique_options))
#define ash_find(...) ASH__KW1(ash_find_opt, ash_find_options, __VA_ARGS__, ASH_SIZED(ash_find_options))
#define ash_find_first(...) ASH__KW1(ash_find_first_opt, ash_find_options, __VA_ARGS__, ASH_SIZED(ash_find_options))
#define ash_find_last(...) ASH__KW1(ash_find_last_opt, ash_find_options, __VA_ARGS__, ASH_SIZED(ash_find_options))
#define ash_histogram(...) ASH__KW2(ash_histogram_opt, ash_histogram_options, __VA_ARGS__, ASH_SIZED(ash_histogram_options))
#endif
#endif
