/* map.h - function strings over arrays: maps, reductions, scans, and comparisons of whole arrays. */
#ifndef ASHLAR_MAP_H
#define ASHLAR_MAP_H
#include "base.h"
ASH__BEGIN

typedef struct ash_map_options {
    size_t struct_size;
    ash_resources *resources;
    ash_dtype dtype; /* of the result; default the function's */
    ash_layout layout;
    ash_storage storage;
    ash_memory *memory;
} ASH__KEYWORDS ash_map_options;

typedef struct ash_reduce_options {
    size_t struct_size;
    ash_resources *resources;
    ash_axes axes;         /* default all, and then the result has rank 0 */
    ash_operand init;      /* folded in once */
    ash_operand where;     /* a bool array that broadcasts to the operands' shape: only these elements take part */
    const char *predicate; /* any, all, count: the elements' test; default the element itself */
    bool drop;             /* leave the reduced axes out instead of keeping them with size 1 */
    bool population;       /* var and std: divide by n, not n - 1 */
    bool accumulate;       /* _into: fold into what is there */
} ASH__KEYWORDS ash_reduce_options;

typedef struct ash_scan_options {
    size_t struct_size;
    ash_resources *resources;
    ash_axes axes;    /* one axis; default: the elements in logical order (.order), in the shape of a */
    ash_operand init; /* folded in first, once */
    bool exclusive;   /* element i leaves itself out; the first is init, or the operator's neutral element */
    ash_layout order; /* of a flat scan; default row-major */
} ASH__KEYWORDS ash_scan_options;

typedef struct ash_close_options {
    size_t struct_size;
    ash_resources *resources;
    double rtol; /* default sqrt of the dtype's epsilon; 0 when atol is given */
    double atol;
    bool nan_equal;
} ASH__KEYWORDS ash_close_options;

typedef struct ash_equal_options {
    size_t struct_size;
    ash_resources *resources;
    bool identical; /* NaN equals NaN, and 0.0 differs from -0.0 */
} ASH__KEYWORDS ash_equal_options;

/*
 * What all functions here share.
 *
 * A function is a text: "x -> x^2 + 1", "(a, b) -> a*b + 2f", or a bare name, "sqrt". docs/functions.md has the language.
 * Texts are compiled once and remembered. Every fault in a text is ASH_ERR_ARGUMENT or ASH_ERR_DTYPE, with its position and a
 * caret under it (ash_error). An operand is a borrowed array of any strides and storage, or a C scalar with the dtype of its C
 * type; arrays have to be on one device (ASH_ERR_DEVICE), where the work is queued on .resources or else on the current ones.
 * Work on shared and private arrays never moves to the host by itself.
 *
 * Every function can fail with ASH_ERR_ARGUMENT (a NULL, an option that does not fit), ASH_ERR_RELEASED (an array that was
 * discarded), ASH_ERR_DEVICE and ASH_ERR_MEMORY; named below are the others. A fault that only the elements show (an
 * integer divided by zero, a value that does not fit) is ASH_ERR_VALUE. On failure no output has changed and nothing is left
 * behind. A returned array is the innermost scope's or the caller's.
 */

/* ---- functions, compiled once */
/**
 * Compiles a function string, to be given wherever a text can be.
 *
 * @param text  borrowed; copied.
 * @return      the caller's, to be ended by ash_function_release; NULL with ASH_ERR_ARGUMENT and the position of the fault.
 */
ASH_API ash_function *ash_function_new(const char *text);

/**
 * Ends a function. Calls that are under way keep what they need of it.
 *
 * @param function  NULL is fine.
 */
ASH_API void ash_function_release(ash_function *function);

/**
 * The text a function was made from.
 *
 * @param function  borrowed.
 * @return          borrowed, as long as the function; "" with ASH_ERR_ARGUMENT for NULL.
 */
ASH_API const char *ash_function_text(const ash_function *function);

/* ---- maps */
/**
 * A function of the elements of arrays and scalars, broadcast against each other, in one pass.
 *
 * Shape   the operands' shapes joined: last axes aligned, a missing leading axis is 1, and 1 gives way to any size (0 too).
 *         Scalars have no axes; scalars alone give rank 0.
 * Dtype   the function's for the operands' dtypes (promotion, never the values); with .dtype converted as a cast converts:
 *         toward zero, saturating. Records pass where the function returns an operand as it is.
 * Units   whatever the function makes of the operands'.
 * Exact   each operation is rounded once in its dtype (f16 and bf16 are computed in f32 and rounded when stored); integers
 *         wrap. docs/accuracy.md has the errors of exp, sin and the like.
 *
 * @param function  borrowed; a text or a compiled function, with as many parameters as operands.
 * @param operands  up to 1023 arrays and scalars: ASH_OPERANDS(a, 2.0f).
 * @param options   NULL, or .dtype; .layout (default: of the first operand that has the result's shape, row-major when that
 *                  one is strided); .storage (default: shared when any operand is); .memory (default: of the first array);
 *                  .resources.
 * @return          a new array, the scope's or the caller's; NULL with ASH_ERR_SHAPE (naming both shapes and the axis),
 *                  ASH_ERR_VALUE or ASH_ERR_DTYPE, also for a double given to a device without f64.
 */
ASH_API ash_array *ash_map_opt(const char *function, ash_operands operands, const ash_map_options *options ASH__DEFAULT);
ASH_API ash_array *ash_map_function_opt(const ash_function *function, ash_operands operands,
                                        const ash_map_options *options ASH__DEFAULT);

/**
 * As ash_map, written into an array that is there. Operands may overlap it in any way: the result is as if they had been copied
 * first (and they are not, where element i of the operand is element i of out, or where they share no bytes).
 *
 * Shape   operands broadcast to out's shape; out is not broadcast.
 * Dtype   out's. Wider dtypes and floats are converted and rounded once; a narrower integer or bool is checked element by
 *         element (ASH_ERR_VALUE); a lower kind (float to integer, complex to real) needs a cast in the function
 *         (ASH_ERR_DTYPE). Through an adjoint view the conjugate is stored.
 *
 * @param out       borrowed, writable; untouched on failure.
 * @param function  borrowed; a text or a compiled function.
 * @param operands  arrays and scalars.
 * @param options   NULL, or .resources; what out has settled cannot be given.
 * @return          ASH_OK, ASH_ERR_SHAPE, ASH_ERR_DTYPE, ASH_ERR_VALUE; ASH_ERR_ARGUMENT for a read-only out.
 */
ASH_API ash_status ash_map_into_opt(ash_array *out, const char *function, ash_operands operands,
                                    const ash_map_options *options ASH__DEFAULT);
ASH_API ash_status ash_map_into_function_opt(ash_array *out, const ash_function *function, ash_operands operands,
                                             const ash_map_options *options ASH__DEFAULT);

/**
 * A function of arrays of any shapes, element by element in row-major order of the indices, until the shortest ends. Nothing
 * is broadcast.
 *
 * Shape   a vector as long as the smallest array; arrays of one shape keep it. An array of rank 0 has one element; scalars
 *         are repeated.
 * Dtype   that of ash_map.
 * Exact   as ash_map.
 *
 * @param function  borrowed; a text or a compiled function.
 * @param operands  arrays and scalars.
 * @param options   NULL, or those of ash_map.
 * @return          a new array, the scope's or the caller's; NULL with ASH_ERR_DTYPE or ASH_ERR_VALUE.
 */
ASH_API ash_array *ash_zip_map_opt(const char *function, ash_operands operands, const ash_map_options *options ASH__DEFAULT);
ASH_API ash_array *ash_zip_map_function_opt(const ash_function *function, ash_operands operands,
                                            const ash_map_options *options ASH__DEFAULT);

/**
 * As ash_zip_map, into the first elements, in row-major order, of an array that is there; the rest of it stays.
 *
 * Shape   out's size limits the count as an operand's does.
 * Dtype   out's, by the rule of ash_map_into.
 *
 * @param out       borrowed, writable; any overlap with the operands; untouched on failure.
 * @param function  borrowed; a text or a compiled function.
 * @param operands  arrays and scalars.
 * @param options   NULL, or .resources.
 * @return          ASH_OK, ASH_ERR_DTYPE, ASH_ERR_VALUE; ASH_ERR_ARGUMENT for a read-only out.
 */
ASH_API ash_status ash_zip_map_into_opt(ash_array *out, const char *function, ash_operands operands,
                                        const ash_map_options *options ASH__DEFAULT);
ASH_API ash_status ash_zip_map_into_function_opt(ash_array *out, const ash_function *function, ash_operands operands,
                                                 const ash_map_options *options ASH__DEFAULT);

/*
 * ---- reductions: the rules they share
 *
 * Axes      .axes names them, each from -rank to rank - 1, none twice; they stay with size 1, or go with .drop. Without .axes
 *           everything is folded to an array of rank 0 (read it with ash_item). An empty list folds nothing: each element is
 *           folded with .init alone. A size of 0 along a folded axis leaves .init or the neutral element.
 * Operator  "+" "*" "min" "max" "&&" "||" "&" "|" "^", or a function string of two parameters that is associative; elements
 *           keep their order, so it need not be commutative. The neutral element of a function string is not known:
 *           it is .init. "&&" and "||" take elements as x != 0 and give bool; "&" "|" "^" take integers and bool.
 * Dtype     the operator's on two elements: small integers wrap, bool + bool and bool * bool are i64. .init is one element
 *           more, folded in once: a wider or higher dtype lifts the result (f32 with a double gives f64), a narrower one does
 *           not lower it. f16 and bf16 are accumulated in f32 and rounded once, at the end.
 * Where     a bool array (or scalar) that broadcasts to the operands' shape: only elements where it is true take part. min,
 *           max then need .init, for there may be no such element; of a function string .init must be neutral.
 * NaN       min and max are NaN when any element is; -0.0 is below 0.0. Complex numbers have no order.
 * Into      out has the shape of the result with the axes kept or left out; without .axes, when its rank is the operands', the
 *           axes where it has size 1 are folded. Its dtype takes the result as ash_map_into would; when it is wider and of
 *           the same kind, elements are added in it. .accumulate folds into what is there, once more per call. Out may
 *           overlap the operands.
 * Exact     integers. Results are the same for any number of threads. Floats are added in blocks of 4096, each in 128 lanes,
 *           and blocks are joined pairwise: error within k*u/(1 - k*u) * sum|a_i|, k = 39 + max(0, ceil(log2(n/4096))), u the
 *           unit roundoff. Source: N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., SIAM 2002, chapter 4.
 *
 * Failures, besides those of maps: ASH_ERR_BOUNDS for an axis that is not there, ASH_ERR_VALUE for min and max of nothing.
 */
/**
 * Folds a function of arrays along axes, broadcasting, in one pass and without a temporary.
 *
 * Shape   that of ash_map with the folded axes kept as 1, dropped, or all gone.
 * Dtype   the operator's on the function's results.
 * Exact   the function as ash_map, sums within the bound above.
 *
 * @param function  borrowed; a text or a compiled function, with as many parameters as operands.
 * @param op        borrowed; an operator or a function string.
 * @param operands  arrays and scalars.
 * @param options   NULL, or .axes .drop .init .where .resources.
 * @return          a new array, the scope's or the caller's; NULL with ASH_ERR_SHAPE, ASH_ERR_DTYPE, ASH_ERR_BOUNDS or
 *                  ASH_ERR_VALUE.
 */
ASH_API ash_array *ash_map_reduce_opt(const char *function, const char *op, ash_operands operands,
                                      const ash_reduce_options *options ASH__DEFAULT);
ASH_API ash_array *ash_map_reduce_function_opt(const ash_function *function, const char *op, ash_operands operands,
                                               const ash_reduce_options *options ASH__DEFAULT);

/**
 * As ash_map_reduce, into an array that is there.
 *
 * @param out       borrowed, writable; untouched on failure.
 * @param function  borrowed.
 * @param op        borrowed; an operator or a function string.
 * @param operands  arrays and scalars.
 * @param options   NULL, or .axes .init .where .accumulate .resources.
 * @return          ASH_OK, ASH_ERR_SHAPE, ASH_ERR_DTYPE, ASH_ERR_BOUNDS or ASH_ERR_VALUE; ASH_ERR_ARGUMENT for a read-only out.
 */
ASH_API ash_status ash_map_reduce_into_opt(ash_array *out, const char *function, const char *op, ash_operands operands,
                                           const ash_reduce_options *options ASH__DEFAULT);

/**
 * Folds one array along axes: ash_reduce("max", a), ash_reduce("(a, b) -> a + b", a, .init = ASH_OPERAND(0)).
 *
 * Shape   (..., n, ...) to (..., 1, ...) for each axis folded, or without it, or rank 0: see above.
 * Dtype   the operator's on two elements; nothing is widened, i8 + i8 wraps.
 * Exact   integers; float sums within the bound above.
 *
 * @param op       borrowed; an operator or a function string.
 * @param a        borrowed.
 * @param options  NULL, or .axes .drop .init .where .resources.
 * @return         a new array, the scope's or the caller's; NULL with ASH_ERR_DTYPE, ASH_ERR_BOUNDS, ASH_ERR_VALUE, or
 *                 ASH_ERR_SHAPE for the mask.
 */
ASH_API ash_array *ash_reduce_opt(const char *op, const ash_array *a, const ash_reduce_options *options ASH__DEFAULT);

/**
 * As ash_reduce, into an array that is there.
 *
 * @param out      borrowed, writable; untouched on failure.
 * @param op       borrowed; an operator or a function string.
 * @param a        borrowed; may overlap out.
 * @param options  NULL, or .axes .init .where .accumulate .resources.
 * @return         ASH_OK, ASH_ERR_SHAPE, ASH_ERR_DTYPE, ASH_ERR_BOUNDS or ASH_ERR_VALUE; ASH_ERR_ARGUMENT for a read-only out.
 */
ASH_API ash_status ash_reduce_into_opt(ash_array *out, const char *op, const ash_array *a,
                                       const ash_reduce_options *options ASH__DEFAULT);

/**
 * Sum, and product, along axes.
 *
 * Shape   (..., n, ...) to (..., 1, ...) for each axis folded, or without it, or rank 0: see above. n = 0 gives 0, and 1.
 * Dtype   bool and signed integers become i64, unsigned ones u64, and wrap modulo 2^64; complex integers by their parts;
 *         floats stay.
 * Units   a sum has those of a, a product those of a to the power n.
 * Exact   integers; float sums within the bound above, products within n*u relative.
 *
 * @param a        borrowed; any strides, any device.
 * @param options  NULL for all axes; .axes .drop; .init, folded in once; .where; .resources.
 * @return         a new array, the scope's or the caller's; NULL with ASH_ERR_DTYPE (records), ASH_ERR_BOUNDS, or ASH_ERR_SHAPE
 *                 for the mask.
 */
ASH_API ash_array *ash_sum_opt(const ash_array *a, const ash_reduce_options *options ASH__DEFAULT);
ASH_API ash_array *ash_prod_opt(const ash_array *a, const ash_reduce_options *options ASH__DEFAULT);

/**
 * Smallest, and largest, element along axes. NaN when any element is; -0.0 < 0.0.
 *
 * Shape   as ash_sum. Of nothing there is none: ASH_ERR_VALUE, naming the shape, unless .init is given or the result has no
 *         elements either.
 * Dtype   that of a; bool too (false < true).
 * Units   those of a.
 * Exact   always.
 *
 * @param a        borrowed; real.
 * @param options  NULL, or .axes .drop .init .where .resources; .where needs .init.
 * @return         a new array, the scope's or the caller's; NULL with ASH_ERR_DTYPE (complex numbers, records), ASH_ERR_BOUNDS
 *                 or ASH_ERR_VALUE.
 */
ASH_API ash_array *ash_min_opt(const ash_array *a, const ash_reduce_options *options ASH__DEFAULT);
ASH_API ash_array *ash_max_opt(const ash_array *a, const ash_reduce_options *options ASH__DEFAULT);

/**
 * Arithmetic mean along axes. Of nothing it is NaN.
 *
 * Shape   as ash_sum.
 * Dtype   floats and complex floats keep theirs (f16 and bf16 are added in f32: no overflow on the way); integers and bool
 *         give f64, or f32 on a device without it.
 * Units   those of a.
 * Exact   the sum's bound, and one rounding for the division.
 *
 * @param a        borrowed.
 * @param options  NULL, or .axes .drop .where (the mean of those) .resources.
 * @return         a new array, the scope's or the caller's; NULL with ASH_ERR_DTYPE (records), ASH_ERR_BOUNDS, or ASH_ERR_SHAPE
 *                 for the mask.
 */
ASH_API ash_array *ash_mean_opt(const ash_array *a, const ash_reduce_options *options ASH__DEFAULT);

/**
 * Variance, and standard deviation, its square root, along axes: the squared distances from the mean, added, divided by n - 1,
 * or by n with .population. NaN where that divisor is not positive.
 *
 * Shape   as ash_sum.
 * Dtype   as ash_mean; of complex numbers it is real, with |x - mean|^2.
 * Units   those of a, squared; of the standard deviation those of a.
 * Exact   two passes, the mean first: about (n + 3)*u relative at worst, some u in practice.
 * Source  T. F. Chan, G. H. Golub, R. J. LeVeque, The American Statistician 37 (1983) 242-247.
 *
 * @param a        borrowed.
 * @param options  NULL, or .axes .drop .where .population .resources.
 * @return         a new array, the scope's or the caller's; NULL with ASH_ERR_DTYPE (records), ASH_ERR_BOUNDS, or ASH_ERR_SHAPE
 *                 for the mask.
 */
ASH_API ash_array *ash_var_opt(const ash_array *a, const ash_reduce_options *options ASH__DEFAULT);
ASH_API ash_array *ash_std_opt(const ash_array *a, const ash_reduce_options *options ASH__DEFAULT);

/**
 * Is any element true, are all, and how many are: not 0 (a NaN is not). Of nothing: false, true, 0.
 *
 * Shape   as ash_sum.
 * Dtype   bool; i64 for the count, to which .init is added.
 * Exact   always.
 *
 * @param a        borrowed; numbers, also complex ones.
 * @param options  NULL, or .axes .drop .init .where .resources; .predicate, a function string of one parameter whose result
 *                 is taken in place of the element: ash_any(a, .predicate = "x -> x > 3").
 * @return         a new array, the scope's or the caller's; NULL with ASH_ERR_DTYPE, ASH_ERR_BOUNDS, or ASH_ERR_SHAPE for the
 *                 mask.
 */
ASH_API ash_array *ash_any_opt(const ash_array *a, const ash_reduce_options *options ASH__DEFAULT);
ASH_API ash_array *ash_all_opt(const ash_array *a, const ash_reduce_options *options ASH__DEFAULT);
ASH_API ash_array *ash_count_opt(const ash_array *a, const ash_reduce_options *options ASH__DEFAULT);

/**
 * Where the smallest, and the largest, element is. Of equal ones the first; a NaN is the smallest and the largest, and the
 * first of these is meant, so that a[argmax(a)] is max(a).
 *
 * Shape   as ash_sum.
 * Dtype   i64: the row-major index within the folded axes, whatever the layout of a; without .axes that of all of a.
 * Exact   always.
 *
 * @param a        borrowed; real.
 * @param options  NULL, or .axes .drop .resources.
 * @return         a new array, the scope's or the caller's; NULL with ASH_ERR_VALUE (nothing along the axes; the shape is
 *                 named), ASH_ERR_DTYPE (complex numbers, records) or ASH_ERR_BOUNDS.
 */
ASH_API ash_array *ash_argmin_opt(const ash_array *a, const ash_reduce_options *options ASH__DEFAULT);
ASH_API ash_array *ash_argmax_opt(const ash_array *a, const ash_reduce_options *options ASH__DEFAULT);

/**
 * The functions of these names, into an array that is there.
 *
 * @param out      borrowed, writable; untouched on failure.
 * @param a        borrowed; may overlap out.
 * @param options  NULL, or .axes .init .where .accumulate .resources; any, all, count: also .predicate.
 * @return         ASH_OK, ASH_ERR_SHAPE, ASH_ERR_DTYPE, ASH_ERR_BOUNDS or ASH_ERR_VALUE; ASH_ERR_ARGUMENT for a read-only out.
 */
ASH_API ash_status ash_sum_into_opt(ash_array *out, const ash_array *a, const ash_reduce_options *options ASH__DEFAULT);
ASH_API ash_status ash_prod_into_opt(ash_array *out, const ash_array *a, const ash_reduce_options *options ASH__DEFAULT);
ASH_API ash_status ash_min_into_opt(ash_array *out, const ash_array *a, const ash_reduce_options *options ASH__DEFAULT);
ASH_API ash_status ash_max_into_opt(ash_array *out, const ash_array *a, const ash_reduce_options *options ASH__DEFAULT);
ASH_API ash_status ash_any_into_opt(ash_array *out, const ash_array *a, const ash_reduce_options *options ASH__DEFAULT);
ASH_API ash_status ash_all_into_opt(ash_array *out, const ash_array *a, const ash_reduce_options *options ASH__DEFAULT);
ASH_API ash_status ash_count_into_opt(ash_array *out, const ash_array *a, const ash_reduce_options *options ASH__DEFAULT);

typedef struct ash_extrema_result {
    ash_array *min, *max;
} ash_extrema_result;
typedef struct ash_find_result {
    ash_array *value, *index; /* index: i64, row-major within the reduced axes */
} ash_find_result;

/**
 * Smallest and largest element along axes: what ash_min and ash_max give.
 *
 * Shape   as ash_sum, both.
 * Dtype   that of a.
 * Exact   always.
 *
 * @param a        borrowed; real.
 * @param options  NULL, or those of ash_min.
 * @return         two new arrays, the scope's or the caller's; both NULL with the failures of ash_min.
 */
ASH_API ash_extrema_result ash_extrema_opt(const ash_array *a, const ash_reduce_options *options ASH__DEFAULT);

/**
 * Smallest, and largest, element and where it is, in one pass: what ash_min and ash_argmin, or ash_max and ash_argmax, give.
 *
 * Shape   as ash_sum, both.
 * Dtype   that of a, and i64.
 * Exact   always.
 *
 * @param a        borrowed; real.
 * @param options  NULL, or those of ash_argmin.
 * @return         two new arrays, the scope's or the caller's; both NULL with the failures of ash_argmin (ASH_ERR_VALUE ...).
 */
ASH_API ash_find_result ash_find_min_opt(const ash_array *a, const ash_reduce_options *options ASH__DEFAULT);
ASH_API ash_find_result ash_find_max_opt(const ash_array *a, const ash_reduce_options *options ASH__DEFAULT);

/* ---- scans */
/**
 * Running fold: element i of the result is the fold of elements 0 to i, or with .exclusive of those before i.
 *
 * Shape   that of a. Along .axes (one axis), or without it through all elements in row-major order (.order). Rank 0 is one
 *         element.
 * Dtype   the rules of reductions: the operator's on two elements, lifted by .init. i8 + i8 wraps, bool + bool is i64.
 * Units   those of the fold.
 * Exact   integers; floats with an error that grows with the number of elements at most, and the same for any number of
 *         threads. A NaN stays once met.
 *
 * @param op       borrowed; an operator of reductions, or an associative function string (which needs no .init here).
 * @param a        borrowed.
 * @param options  NULL, or .axes .order .init (folded in first, once) .exclusive .resources. An exclusive scan starts with
 *                 .init or the neutral element; min, max and function strings have none and need .init.
 * @return         a new array, laid out as a is, the scope's or the caller's; NULL with ASH_ERR_DTYPE or ASH_ERR_BOUNDS.
 */
ASH_API ash_array *ash_scan_opt(const char *op, const ash_array *a, const ash_scan_options *options ASH__DEFAULT);

/**
 * As ash_scan, into an array that is there; a itself is fine.
 *
 * Shape   out has a's.
 * Dtype   out takes the results as ash_map_into would; a wider one of the same kind is what elements are added in.
 *
 * @param out      borrowed, writable; any overlap; untouched on failure.
 * @param op       borrowed; an operator or a function string.
 * @param a        borrowed.
 * @param options  NULL, or those of ash_scan.
 * @return         ASH_OK, ASH_ERR_SHAPE, ASH_ERR_DTYPE, ASH_ERR_BOUNDS or ASH_ERR_VALUE; ASH_ERR_ARGUMENT for a read-only out.
 */
ASH_API ash_status ash_scan_into_opt(ash_array *out, const char *op, const ash_array *a,
                                     const ash_scan_options *options ASH__DEFAULT);

/**
 * Running sum, and product: ash_scan by "+" and "*" with the dtypes of ash_sum.
 *
 * Shape   that of a.
 * Dtype   bool and signed integers become i64, unsigned ones u64, and wrap modulo 2^64; floats stay.
 * Units   those of a sum, or of a product.
 * Exact   as ash_scan.
 *
 * @param a        borrowed.
 * @param options  NULL, or those of ash_scan.
 * @return         a new array, laid out as a is, the scope's or the caller's; NULL with ASH_ERR_DTYPE or ASH_ERR_BOUNDS.
 */
ASH_API ash_array *ash_cumsum_opt(const ash_array *a, const ash_scan_options *options ASH__DEFAULT);
ASH_API ash_array *ash_cumprod_opt(const ash_array *a, const ash_scan_options *options ASH__DEFAULT);

/* ---- whole arrays compared; both wait */
/**
 * Do two arrays have one shape and equal elements? NaN is unequal to itself and 0.0 equals -0.0; with .identical the other
 * way round in both. Numbers are compared by value whatever their dtypes; records, which must be of one dtype, field by
 * field, without the padding.
 *
 * @param a, b     borrowed.
 * @param options  NULL, or .identical .resources.
 * @return         false also on failure (ash_failed tells), and for shapes or record dtypes that differ, which is none.
 */
ASH_API bool ash_equal_opt(const ash_array *a, const ash_array *b, const ash_equal_options *options ASH__DEFAULT);

/**
 * Do two arrays have one shape, and is |a - b| <= atol + rtol*|b| for every pair, or a == b?
 *
 * Units   rtol has none; atol those of a and b.
 * Exact   computed in f32 when both are floats of at most 32 bits, else in f64; integers without a tolerance are compared
 *         exactly.
 *
 * @param a, b     borrowed; numbers.
 * @param options  NULL, or .rtol (default: the square root of the coarser dtype's epsilon, f32 3.45e-4, f64 1.49e-8, f16 0.031,
 *                 bf16 0.088, integers 0; 0 when .atol is given), .atol (default 0), .nan_equal (a NaN is close to a NaN),
 *                 .resources.
 * @return         false also on failure (ash_failed tells), and for shapes that differ, which is none.
 */
ASH_API bool ash_allclose_opt(const ash_array *a, const ash_array *b, const ash_close_options *options ASH__DEFAULT);

ASH__END

#if !defined(ASHLAR_CDEF) && !defined(__cplusplus)
/* C cannot tell an operand from a designator, so a list of operands either stands bare at the end and leaves no room for
 * keywords, or is one argument, ASH_OPERANDS(...), and keywords follow: the form with _with. */
#define ASH__TEXT_OR(function, text, compiled) \
    _Generic((function), char *: text, const char *: text, ash_function *: compiled, const ash_function *: compiled)
#define ash_map(function, ...) \
    ASH__TEXT_OR(function, ash_map_opt, ash_map_function_opt)(function, ASH_OPERANDS(__VA_ARGS__), NULL)
#define ASH__MAP_WITH(text, compiled, function, operands, ...) \
    ASH__TEXT_OR(function, text, compiled)(function, operands, &(ash_map_options){__VA_ARGS__})
#define ash_map_with(...) ASH__MAP_WITH(ash_map_opt, ash_map_function_opt, __VA_ARGS__, ASH_SIZED(ash_map_options))
#define ash_map_into(out, function, ...) \
    ASH__TEXT_OR(function, ash_map_into_opt, ash_map_into_function_opt)(out, function, ASH_OPERANDS(__VA_ARGS__), NULL)
#define ASH__INTO_WITH(text, compiled, out, function, operands, ...) \
    ASH__TEXT_OR(function, text, compiled)(out, function, operands, &(ash_map_options){__VA_ARGS__})
#define ash_map_into_with(...) \
    ASH__INTO_WITH(ash_map_into_opt, ash_map_into_function_opt, __VA_ARGS__, ASH_SIZED(ash_map_options))
#define ash_zip_map(function, ...) \
    ASH__TEXT_OR(function, ash_zip_map_opt, ash_zip_map_function_opt)(function, ASH_OPERANDS(__VA_ARGS__), NULL)
#define ash_zip_map_with(...) \
    ASH__MAP_WITH(ash_zip_map_opt, ash_zip_map_function_opt, __VA_ARGS__, ASH_SIZED(ash_map_options))
#define ash_zip_map_into(out, function, ...) \
    ASH__TEXT_OR(function, ash_zip_map_into_opt, ash_zip_map_into_function_opt)(out, function, ASH_OPERANDS(__VA_ARGS__), NULL)
#define ash_map_reduce(function, op, ...) \
    ASH__TEXT_OR(function, ash_map_reduce_opt, ash_map_reduce_function_opt)(function, op, ASH_OPERANDS(__VA_ARGS__), NULL)
#define ASH__MAP_REDUCE_WITH(function, op, operands, ...)                       \
    ASH__TEXT_OR(function, ash_map_reduce_opt, ash_map_reduce_function_opt)     \
    (function, op, operands, &(ash_reduce_options){__VA_ARGS__})
#define ash_map_reduce_with(...) ASH__MAP_REDUCE_WITH(__VA_ARGS__, ASH_SIZED(ash_reduce_options))
#define ash_map_reduce_into_with(...) \
    ASH__KW4(ash_map_reduce_into_opt, ash_reduce_options, __VA_ARGS__, ASH_SIZED(ash_reduce_options))
#define ash_reduce(...) ASH__KW2(ash_reduce_opt, ash_reduce_options, __VA_ARGS__, ASH_SIZED(ash_reduce_options))
#define ash_reduce_into(...) ASH__KW3(ash_reduce_into_opt, ash_reduce_options, __VA_ARGS__, ASH_SIZED(ash_reduce_options))
#define ASH__REDUCE(f, ...) ASH__KW1(f, ash_reduce_options, __VA_ARGS__, ASH_SIZED(ash_reduce_options))
#define ASH__REDUCE_INTO(f, ...) ASH__KW2(f, ash_reduce_options, __VA_ARGS__, ASH_SIZED(ash_reduce_options))
#define ash_sum(...) ASH__REDUCE(ash_sum_opt, __VA_ARGS__)
#define ash_prod(...) ASH__REDUCE(ash_prod_opt, __VA_ARGS__)
#define ash_min(...) ASH__REDUCE(ash_min_opt, __VA_ARGS__)
#define ash_max(...) ASH__REDUCE(ash_max_opt, __VA_ARGS__)
#define ash_mean(...) ASH__REDUCE(ash_mean_opt, __VA_ARGS__)
#define ash_var(...) ASH__REDUCE(ash_var_opt, __VA_ARGS__)
#define ash_std(...) ASH__REDUCE(ash_std_opt, __VA_ARGS__)
#define ash_any(...) ASH__REDUCE(ash_any_opt, __VA_ARGS__)
#define ash_all(...) ASH__REDUCE(ash_all_opt, __VA_ARGS__)
#define ash_count(...) ASH__REDUCE(ash_count_opt, __VA_ARGS__)
#define ash_argmin(...) ASH__REDUCE(ash_argmin_opt, __VA_ARGS__)
#define ash_argmax(...) ASH__REDUCE(ash_argmax_opt, __VA_ARGS__)
#define ash_extrema(...) ASH__REDUCE(ash_extrema_opt, __VA_ARGS__)
#define ash_find_min(...) ASH__REDUCE(ash_find_min_opt, __VA_ARGS__)
#define ash_find_max(...) ASH__REDUCE(ash_find_max_opt, __VA_ARGS__)
#define ash_sum_into(...) ASH__REDUCE_INTO(ash_sum_into_opt, __VA_ARGS__)
#define ash_prod_into(...) ASH__REDUCE_INTO(ash_prod_into_opt, __VA_ARGS__)
#define ash_min_into(...) ASH__REDUCE_INTO(ash_min_into_opt, __VA_ARGS__)
#define ash_max_into(...) ASH__REDUCE_INTO(ash_max_into_opt, __VA_ARGS__)
#define ash_any_into(...) ASH__REDUCE_INTO(ash_any_into_opt, __VA_ARGS__)
#define ash_all_into(...) ASH__REDUCE_INTO(ash_all_into_opt, __VA_ARGS__)
#define ash_count_into(...) ASH__REDUCE_INTO(ash_count_into_opt, __VA_ARGS__)
#define ash_scan(...) ASH__KW2(ash_scan_opt, ash_scan_options, __VA_ARGS__, ASH_SIZED(ash_scan_options))
#define ash_scan_into(...) ASH__KW3(ash_scan_into_opt, ash_scan_options, __VA_ARGS__, ASH_SIZED(ash_scan_options))
#define ash_cumsum(...) ASH__KW1(ash_cumsum_opt, ash_scan_options, __VA_ARGS__, ASH_SIZED(ash_scan_options))
#define ash_cumprod(...) ASH__KW1(ash_cumprod_opt, ash_scan_options, __VA_ARGS__, ASH_SIZED(ash_scan_options))
#define ash_equal(...) ASH__KW2(ash_equal_opt, ash_equal_options, __VA_ARGS__, ASH_SIZED(ash_equal_options))
#define ash_allclose(...) ASH__KW2(ash_allclose_opt, ash_close_options, __VA_ARGS__, ASH_SIZED(ash_close_options))
#endif
#endif
