/* linalg.h - linear algebra: products of matrices and vectors, and matrices made of their diagonals. */
#ifndef ASHLAR_LINALG_H
#define ASHLAR_LINALG_H
#include "base.h"
#include "index.h"
ASH__BEGIN

/* What is known of a matrix: the rest of it is not read. Not given: general. */
typedef enum ash_structure {
    ASH_STRUCTURE_DEFAULT = 0,
    ASH_GENERAL = 1,
    ASH_SYMMETRIC_LOWER = 2, /* the diagonal and what lies below it; the rest mirrors it */
    ASH_SYMMETRIC_UPPER = 3,
    ASH_HERMITIAN_LOWER = 4, /* the mirrored part is conjugated, the diagonal real whatever its imaginary parts are */
    ASH_HERMITIAN_UPPER = 5,
    ASH_TRIANGULAR_LOWER = 6, /* zeros above the diagonal */
    ASH_TRIANGULAR_UPPER = 7,
    ASH_UNIT_LOWER = 8, /* ones on the diagonal, which is not read either */
    ASH_UNIT_UPPER = 9,
    ASH_DIAGONAL = 10 /* the operand is the vector of the diagonal */
} ash_structure;

typedef struct ash_matmul_options {
    size_t struct_size;
    ash_resources *resources;
    ash_dtype dtype; /* of the result, and what is added up in; default the promotion of both */
    ash_layout layout;
    ash_storage storage;
    ash_memory *memory;
    ash_structure a_structure, b_structure;
} ASH__KEYWORDS ash_matmul_options;

typedef struct ash_gemm_options {
    size_t struct_size;
    ash_resources *resources;
    ash_operand alpha; /* default 1 */
    ash_operand beta;  /* default 0 */
    ash_structure a_structure, b_structure;
} ASH__KEYWORDS ash_gemm_options;

typedef struct ash_matmul_into_options {
    size_t struct_size;
    ash_resources *resources;
    ash_structure a_structure, b_structure;
} ASH__KEYWORDS ash_matmul_into_options;

typedef struct ash_dot_options {
    size_t struct_size;
    ash_resources *resources;
    ash_dtype dtype; /* of the result, and what is added up in; default the promotion of both */
} ASH__KEYWORDS ash_dot_options;

typedef struct ash_outer_options {
    size_t struct_size;
    ash_resources *resources;
    ash_dtype dtype; /* default the promotion of both */
    ash_layout layout;
    ash_storage storage;
    ash_memory *memory;
} ASH__KEYWORDS ash_outer_options;

typedef struct ash_axpy_options {
    size_t struct_size;
    ash_resources *resources;
} ASH__KEYWORDS ash_axpy_options;

typedef struct ash_diag_options {
    size_t struct_size;
    ash_resources *resources;
    int64_t k; /* the diagonal: above the main one (positive) or below */
    ash_layout layout;
} ASH__KEYWORDS ash_diag_options;

typedef struct ash_banded_options {
    size_t struct_size;
    ash_resources *resources;
    ash_dtype dtype; /* default the promotion of all */
    ash_layout layout;
} ASH__KEYWORDS ash_banded_options;

/*
 * What all products share.
 *
 * Operands are borrowed, of any strides, layout and storage: a transposed or an adjoint view costs no copy. Both have to be on
 * one device (ASH_ERR_DEVICE), where the work is queued on .resources or else on the current ones. docs/linalg.md says more.
 */

/**
 * The product of two matrices, of a matrix and a vector, or of two vectors; of many at once where there are leading axes.
 *
 * Shape   (..., m, k) and (..., k, n) to (..., m, n), the leading axes broadcast. A vector on the left counts as one row, one
 *         on the right as one column, and that axis is left out of the result. k = 0 gives zeros.
 * Dtype   .dtype, which must hold the promotion of both; default the promotion. Operands are converted to it and added up in
 *         it: i8 with .dtype = ASH_I32 does not wrap at i8. Any but a record.
 * Exact   integers, modulo 2^w; bool is "any of the ands". f32 and f64 within k*u/(1 - k*u) * |a| |b|; f16 and bf16 are added
 *         up in f32 and rounded once. The same bits for any number of threads; other bits below level v3, which has no fused
 *         multiply-add.
 * Source  Goto, van de Geijn, Anatomy of high-performance matrix multiplication, ACM TOMS 34(3), 2008.
 *
 * @param a        borrowed, rank at least 1.
 * @param b        borrowed, rank at least 1.
 * @param options  .dtype; .layout (default that of the first operand with the result's shape; where neither has it,
 *                 column-major if both are); .storage (shared wins), .memory (that of a), .resources; .a_structure and
 *                 .b_structure: what else is known of the operands.
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_SHAPE (names both shapes), ASH_ERR_DTYPE,
 *                 ASH_ERR_DEVICE, ASH_ERR_ARGUMENT, ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_matmul_opt(const ash_array *a, const ash_array *b, const ash_matmul_options *options ASH__DEFAULT);

/**
 * As ash_matmul, written into an array that is there.
 *
 * Shape   that of ash_matmul; out is not broadcast.
 * Dtype   out's, which must hold the promotion of a and b.
 * Exact   as ash_matmul.
 *
 * @param out      written; must not share memory with a or b.
 * @param a        borrowed, rank at least 1.
 * @param b        borrowed, rank at least 1.
 * @param options  .a_structure, .b_structure, .resources.
 * @return         ASH_OK, ASH_ERR_SHAPE, ASH_ERR_DTYPE, ASH_ERR_DEVICE, ASH_ERR_ARGUMENT (out is read-only, or shares memory
 *                 with an operand), ASH_ERR_RELEASED or ASH_ERR_MEMORY; out is untouched then.
 */
ASH_API ash_status ash_matmul_into_opt(ash_array *out, const ash_array *a, const ash_array *b,
                                       const ash_matmul_into_options *options ASH__DEFAULT);

/**
 * A product added to a matrix, c = alpha a b + beta c:
 * ash_gemm_into(c, a, b, .alpha = ASH_OPERAND(2.0f), .beta = ASH_OPERAND(1.0f)).
 *
 * Shape   that of ash_matmul; c is not broadcast. With an inner axis of size 0 it becomes beta c.
 * Dtype   c's, which must hold the promotion of a and b. alpha and beta are converted to it and may not be of a higher kind
 *         (a float with integers, a complex number with real ones).
 * Exact   as ash_matmul. Zeros are strong: with beta 0 c is not read, with alpha 0 neither a nor b is, so that no NaN passes.
 *
 * @param c        written; must not share memory with a or b.
 * @param a        borrowed, rank at least 1.
 * @param b        borrowed, rank at least 1.
 * @param options  .alpha (default 1) and .beta (default 0), scalars or arrays of one element; .a_structure, .b_structure,
 *                 .resources.
 * @return         ASH_OK, ASH_ERR_SHAPE, ASH_ERR_DTYPE (also for a double given to a device without f64), ASH_ERR_VALUE (alpha
 *                 or beta does not fit c's dtype), ASH_ERR_DEVICE, ASH_ERR_ARGUMENT (c is read-only, or shares memory with an
 *                 operand), ASH_ERR_RELEASED or ASH_ERR_MEMORY; c is untouched then.
 */
ASH_API ash_status ash_gemm_into_opt(ash_array *c, const ash_array *a, const ash_array *b,
                                     const ash_gemm_options *options ASH__DEFAULT);

/**
 * The sum of the products of the elements of two vectors. Neither is conjugated: that is ash_vdot.
 *
 * Shape   (n) and (n) to rank 0; n = 0 gives 0.
 * Dtype   as ash_matmul.
 * Exact   as ash_matmul.
 *
 * @param a        borrowed, rank 1.
 * @param b        borrowed, rank 1.
 * @param options  .dtype, .resources.
 * @return         a new array, its scope's or the caller's; NULL with an error as from ash_matmul.
 */
ASH_API ash_array *ash_dot_opt(const ash_array *a, const ash_array *b, const ash_dot_options *options ASH__DEFAULT);

/**
 * The sum of the products of the conjugated elements of a and those of b, in row-major order.
 *
 * Shape   any two of one size, to rank 0.
 * Dtype   as ash_matmul.
 * Exact   as ash_matmul.
 *
 * @param a        borrowed.
 * @param b        borrowed.
 * @param options  .dtype, .resources.
 * @return         a new array, its scope's or the caller's; NULL with an error as from ash_matmul.
 */
ASH_API ash_array *ash_vdot_opt(const ash_array *a, const ash_array *b, const ash_dot_options *options ASH__DEFAULT);

/**
 * The matrix of all products of an element of a and one of b; neither is conjugated.
 *
 * Shape   (m) and (n) to (m, n).
 * Dtype   .dtype, which must hold the promotion of both; default the promotion. Any but a record.
 * Exact   each product is rounded once.
 *
 * @param a        borrowed, rank 1.
 * @param b        borrowed, rank 1.
 * @param options  .dtype .layout (default row-major) .storage .memory .resources.
 * @return         a new array, its scope's or the caller's; NULL with an error as from ash_matmul.
 */
ASH_API ash_array *ash_outer_opt(const ash_array *a, const ash_array *b, const ash_outer_options *options ASH__DEFAULT);

/**
 * An array times a factor added to another, y = alpha x + y.
 *
 * Shape   x broadcasts to y's shape.
 * Dtype   y's, as ash_map_into converts. alpha may not be of a higher kind.
 * Exact   as ash_map_into, "(a, x, y) -> a*x + y". The zero is strong: with alpha 0 y stays as it is, whatever x holds.
 *
 * @param y        written; may overlap x in any way.
 * @param alpha    a scalar, or an array of one element.
 * @param x        borrowed.
 * @param options  .resources.
 * @return         ASH_OK, ASH_ERR_SHAPE, ASH_ERR_DTYPE, ASH_ERR_VALUE, ASH_ERR_DEVICE, ASH_ERR_ARGUMENT (y is read-only),
 *                 ASH_ERR_RELEASED or ASH_ERR_MEMORY; y is untouched then.
 */
ASH_API ash_status ash_axpy_into_opt(ash_array *y, const ash_operand *alpha, const ash_array *x,
                                     const ash_axpy_options *options ASH__DEFAULT);

/**
 * The sum of two arrays, each times a factor, y = alpha x + beta y.
 *
 * Shape   x broadcasts to y's shape.
 * Dtype   y's, as ash_map_into converts. alpha and beta may not be of a higher kind.
 * Exact   as ash_map_into. Zeros are strong: with beta 0 y is not read, with alpha 0 x is not.
 *
 * @param y        written; may overlap x in any way.
 * @param alpha    a scalar, or an array of one element.
 * @param x        borrowed.
 * @param beta     a scalar, or an array of one element.
 * @param options  .resources.
 * @return         ASH_OK, or ASH_ERR_ARGUMENT and the others of ash_axpy_into.
 */
ASH_API ash_status ash_axpby_into_opt(ash_array *y, const ash_operand *alpha, const ash_array *x, const ash_operand *beta,
                                      const ash_axpy_options *options ASH__DEFAULT);

/**
 * A square matrix with a vector on a diagonal and zeros elsewhere. (The diagonal of a matrix is ash_diagonal.)
 *
 * Shape   (n) to (n + |k|, n + |k|).
 * Dtype   that of v, any.
 * Exact   yes.
 *
 * @param v        borrowed, rank 1.
 * @param options  .k: the diagonal, where column - row = k; default the main one. .layout, default row-major.
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_SHAPE, ASH_ERR_ARGUMENT, ASH_ERR_RELEASED or
 *                 ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_diag_opt(const ash_array *v, const ash_diag_options *options ASH__DEFAULT);

/**
 * A matrix with vectors on diagonals and zeros elsewhere: ash_banded(ASH_ARRAYS(below, main, above), ASH_SHAPE(-1, 0, 1)).
 *
 * Shape   the smallest square matrix that has room for all.
 * Dtype   .dtype, default the promotion of all; records must be of one dtype.
 * Exact   converted as ash_from_host does.
 *
 * @param vectors    at least one, of rank 1, all on one device; borrowed.
 * @param diagonals  for each vector its diagonal, column - row; all different.
 * @param options    .dtype .layout (default row-major) .resources.
 * @return           a new array, its scope's or the caller's; NULL with ASH_ERR_ARGUMENT (not as many diagonals as vectors, or
 *                   one given twice), ASH_ERR_SHAPE, ASH_ERR_DTYPE, ASH_ERR_DEVICE, ASH_ERR_VALUE, ASH_ERR_RELEASED or
 *                   ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_banded_opt(ash_arrays vectors, ash_dims diagonals, const ash_banded_options *options ASH__DEFAULT);

ASH__END

#if !defined(ASHLAR_CDEF) && !defined(__cplusplus)
#define ash_matmul(...) ASH__KW2(ash_matmul_opt, ash_matmul_options, __VA_ARGS__, ASH_SIZED(ash_matmul_options))
#define ash_matmul_into(...) \
    ASH__KW3(ash_matmul_into_opt, ash_matmul_into_options, __VA_ARGS__, ASH_SIZED(ash_matmul_into_options))
#define ash_gemm_into(...) ASH__KW3(ash_gemm_into_opt, ash_gemm_options, __VA_ARGS__, ASH_SIZED(ash_gemm_options))
#define ash_dot(...) ASH__KW2(ash_dot_opt, ash_dot_options, __VA_ARGS__, ASH_SIZED(ash_dot_options))
#define ash_vdot(...) ASH__KW2(ash_vdot_opt, ash_dot_options, __VA_ARGS__, ASH_SIZED(ash_dot_options))
#define ash_outer(...) ASH__KW2(ash_outer_opt, ash_outer_options, __VA_ARGS__, ASH_SIZED(ash_outer_options))
#define ASH__AXPY(y, alpha, x, ...) \
    ash_axpy_into_opt(y, (const ash_operand[]){ASH_OPERAND(alpha)}, x, &(ash_axpy_options){__VA_ARGS__})
#define ash_axpy_into(...) ASH__AXPY(__VA_ARGS__, ASH_SIZED(ash_axpy_options))
#define ASH__AXPBY(y, alpha, x, beta, ...)                                                                        \
    ash_axpby_into_opt(y, (const ash_operand[]){ASH_OPERAND(alpha)}, x, (const ash_operand[]){ASH_OPERAND(beta)}, \
                       &(ash_axpy_options){__VA_ARGS__})
#define ash_axpby_into(...) ASH__AXPBY(__VA_ARGS__, ASH_SIZED(ash_axpy_options))
#define ash_diag(...) ASH__KW1(ash_diag_opt, ash_diag_options, __VA_ARGS__, ASH_SIZED(ash_diag_options))
#define ash_banded(...) ASH__KW2(ash_banded_opt, ash_banded_options, __VA_ARGS__, ASH_SIZED(ash_banded_options))
#endif
#endif
