/*
 * spectral.h - singular values, eigenvalues and what stands on them; norms and small products.
 *
 * The last two axes of an array are the rows and columns of matrices; the axes in front of them make a stack, each matrix of
 * which is worked on by itself. Views of any strides, transposed and conjugated ones among them, are fine, and no argument is
 * changed. docs/spectral.md has the conventions, what needs LAPACK, and what is done without it.
 */
#ifndef ASHLAR_SPECTRAL_H
#define ASHLAR_SPECTRAL_H
#include "base.h"
#include "index.h"
ASH__BEGIN

typedef struct ash_spectral_options {
    size_t struct_size;
    ash_resources *resources;
} ASH__KEYWORDS ash_spectral_options;

typedef struct ash_svd_options {
    size_t struct_size;
    ash_resources *resources;
    bool full; /* all rows of vt and columns of u, where there are more than min(m, n) */
} ASH__KEYWORDS ash_svd_options;

typedef struct ash_eigh_options {
    size_t struct_size;
    ash_resources *resources;
    bool upper; /* the triangle that is read; default the lower one */
} ASH__KEYWORDS ash_eigh_options;

typedef struct ash_rank_options {
    size_t struct_size;
    ash_resources *resources;
    double rtol; /* values up to rtol times the largest count as 0; default max(m, n) * epsilon; 0 when atol is given */
    double atol; /* and those up to atol */
} ASH__KEYWORDS ash_rank_options;

typedef struct ash_norm_options {
    size_t struct_size;
    ash_resources *resources;
    ash_operand p; /* a real scalar: .p = ASH_OPERAND(1); default 2 */
    ash_axes axes; /* default all, and then the norm has rank 0 */
    bool drop;     /* leave the axes out instead of keeping them with size 1 */
} ASH__KEYWORDS ash_norm_options;

typedef struct ash_opnorm_options {
    size_t struct_size;
    ash_resources *resources;
    ash_operand p; /* 1, 2 or inf; default 2 */
} ASH__KEYWORDS ash_opnorm_options;

typedef struct ash_trace_options {
    size_t struct_size;
    ash_resources *resources;
    int64_t offset; /* of the diagonal: above the main one (positive) or below */
} ASH__KEYWORDS ash_trace_options;

typedef struct ash_cross_options {
    size_t struct_size;
    ash_resources *resources;
    ash_axes axes; /* the one axis that the vectors lie along, of the result; default the last */
} ASH__KEYWORDS ash_cross_options;

typedef struct ash_mirror_options {
    size_t struct_size;
    ash_resources *resources;
    bool upper;      /* the triangle that stays; default the lower one */
    bool conjugated; /* the other side becomes its conjugate */
} ASH__KEYWORDS ash_mirror_options;

/* a = u * diag(s) * vt */
typedef struct ash_svd_result {
    ash_array *u;
    ash_array *s;
    ash_array *vt;
} ash_svd_result;

typedef struct ash_eigh_result {
    ash_array *values;  /* real, ascending */
    ash_array *vectors; /* in columns, orthonormal */
} ash_eigh_result;

typedef struct ash_eig_result {
    ash_array *values;  /* complex, in no order */
    ash_array *vectors; /* in columns, of norm 1 */
} ash_eig_result;

/* (c s / -conj(s) c) (a / b) = (r / 0), c real, c^2 + |s|^2 = 1 */
typedef struct ash_givens_result {
    ash_array *c;
    ash_array *s;
    ash_array *r;
} ash_givens_result;

/* ---- singular values and eigenvalues -------------------------------------------------------------------- */

/**
 * Singular value decomposition: matrices as u * diag(s) * vt, u and vt with orthonormal columns and rows, s descending.
 *
 * Shape   (..., m, n) to (..., m, k), (..., k) and (..., k, n), k = min(m, n); with .full (..., m, m), (..., k), (..., n, n).
 *         Without elements u and vt are as much of the identity.
 * Dtype   f32 for f16, bf16 and f32; f64 for f64, integers and bool; complex of these: u and vt complex, s real.
 * Exact   |a - u*s*vt| and the departure of u and vt from orthonormal within max(m, n) * 10 units in the last place of |a| and
 *         of 1; values above the largest number are inf.
 * Source  LAPACK's divide and conquer (gesdd); without LAPACK, one-sided Jacobi rotations.
 *
 * @param a        borrowed; waited for. Every element has to be finite.
 * @param options  .full.
 * @return         three new arrays, their scope's or the caller's; all NULL with ASH_ERR_SHAPE (rank below 2), ASH_ERR_DTYPE,
 *                 ASH_ERR_VALUE (names an element that is not finite; no convergence), ASH_ERR_UNSUPPORTED (too large; the
 *                 setting ASHLAR_LAPACK names no LAPACK), ASH_ERR_ARGUMENT, ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_svd_result ash_svd_opt(const ash_array *a, const ash_svd_options *options ASH__DEFAULT);

/**
 * Singular values alone, which takes a third of the time, descending.
 *
 * Shape   (..., m, n) to (..., min(m, n)).
 * Dtype   f32 or f64, as the s of ash_svd.
 * Exact   each within max(m, n) * 10 units in the last place of the largest.
 * Source  as ash_svd.
 *
 * @param a        borrowed; waited for. Every element has to be finite.
 * @param options  none of its own.
 * @return         a new array, its scope's or the caller's; NULL with an error as from ash_svd.
 */
ASH_API ash_array *ash_svdvals_opt(const ash_array *a, const ash_spectral_options *options ASH__DEFAULT);

/**
 * Eigenvalues, ascending, and vectors of symmetric and Hermitian matrices: a * vectors = vectors * diag(values). Only one
 * triangle is read, and of a complex diagonal only its real parts.
 *
 * Shape   (..., n, n) to (..., n) and (..., n, n), the vectors in columns.
 * Dtype   f32 for f16, bf16 and f32; f64 for f64, integers and bool; complex of these: vectors complex, values real.
 * Exact   |a*v - v*w| and the departure of v from orthonormal within n * 10 units in the last place of |a| and of 1.
 * Source  LAPACK's divide and conquer (syevd, heevd); without LAPACK, Jacobi rotations.
 *
 * @param a        borrowed; waited for. Every element of the triangle has to be finite.
 * @param options  .upper: the triangle that is read; default the lower one.
 * @return         two new arrays, their scope's or the caller's; both NULL with ASH_ERR_SHAPE (not square) or an error as from
 *                 ash_svd.
 */
ASH_API ash_eigh_result ash_eigh_opt(const ash_array *a, const ash_eigh_options *options ASH__DEFAULT);

/**
 * Eigenvalues of symmetric and Hermitian matrices alone, ascending.
 *
 * Shape   (..., n, n) to (..., n).
 * Dtype   f32 or f64, as the values of ash_eigh.
 * Exact   each within n * 10 units in the last place of the largest.
 * Source  as ash_eigh.
 *
 * @param a        borrowed; waited for. Every element of the triangle has to be finite.
 * @param options  .upper: the triangle that is read; default the lower one.
 * @return         a new array, its scope's or the caller's; NULL with an error as from ash_eigh.
 */
ASH_API ash_array *ash_eigvalsh_opt(const ash_array *a, const ash_eigh_options *options ASH__DEFAULT);

/**
 * Eigenvalues and right eigenvectors of any square matrices: a * vectors = vectors * diag(values). Needs LAPACK.
 *
 * Shape   (..., n, n) to (..., n) and (..., n, n), the vectors in columns, of norm 1.
 * Dtype   complex, also for a real a: c_f32 for f16, bf16 and f32; c_f64 for f64, integers and bool. Of a real a values come in
 *         conjugate pairs, the one with the positive imaginary part first.
 * Exact   |a*v - v*w| within n * 10 units in the last place of |a|. Vectors of equal values need not be independent.
 * Source  LAPACK (geev).
 *
 * @param a        borrowed; waited for. Every element has to be finite.
 * @param options  none of its own.
 * @return         two new arrays, their scope's or the caller's; both NULL with ASH_ERR_UNSUPPORTED (there is no LAPACK: names
 *                 what to install), ASH_ERR_SHAPE (not square) or an error as from ash_svd.
 */
ASH_API ash_eig_result ash_eig_opt(const ash_array *a, const ash_spectral_options *options ASH__DEFAULT);

/**
 * Eigenvalues of any square matrices alone. Needs LAPACK.
 *
 * Shape   (..., n, n) to (..., n).
 * Dtype   complex, as the values of ash_eig.
 * Exact   those of a matrix within n * 10 units in the last place of |a| from a.
 * Source  LAPACK (geev).
 *
 * @param a        borrowed; waited for. Every element has to be finite.
 * @param options  none of its own.
 * @return         a new array, its scope's or the caller's; NULL with an error as from ash_eig.
 */
ASH_API ash_array *ash_eigvals_opt(const ash_array *a, const ash_spectral_options *options ASH__DEFAULT);

/* ---- what stands on them -------------------------------------------------------------------- */

/**
 * Pseudo-inverse (Moore and Penrose): of all x for which |a*x - 1| is least, the smallest.
 *
 * Shape   (..., m, n) to (..., n, m).
 * Dtype   that of the u of ash_svd.
 * Exact   within max(m, n) * 20 units in the last place of its norm, times the condition of what is not left out.
 * Source  singular values above max(atol, rtol * largest) are inverted, the others left out.
 *
 * @param a        borrowed; waited for. Every element has to be finite.
 * @param options  .rtol (default max(m, n) * epsilon), .atol.
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_ARGUMENT (a negative tolerance) or an error as
 *                 from ash_svd.
 */
ASH_API ash_array *ash_pinv_opt(const ash_array *a, const ash_rank_options *options ASH__DEFAULT);

/**
 * Rank of matrices: how many singular values are above max(atol, rtol * largest).
 *
 * Shape   (..., m, n) to (...).
 * Dtype   i64.
 *
 * @param a        borrowed; waited for. Every element has to be finite.
 * @param options  .rtol (default max(m, n) * epsilon), .atol.
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_ARGUMENT (a negative tolerance) or an error as
 *                 from ash_svd.
 */
ASH_API ash_array *ash_matrix_rank_opt(const ash_array *a, const ash_rank_options *options ASH__DEFAULT);

/**
 * Condition of matrices: the norm times that of the inverse; with p = 2 the largest singular value by the smallest. inf where
 * there is no inverse, 0 without elements.
 *
 * Shape   (..., m, n) to (...); with p = 1 and inf square.
 * Dtype   f32 or f64, as the s of ash_svd.
 * Exact   to a relative error of about itself times max(m, n) units in the last place.
 *
 * @param a        borrowed; waited for. Every element has to be finite.
 * @param options  .p: 1, 2 or inf; default 2.
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_ARGUMENT (another p), ASH_ERR_SHAPE (not square)
 *                 or an error as from ash_svd.
 */
ASH_API ash_array *ash_cond_opt(const ash_array *a, const ash_opnorm_options *options ASH__DEFAULT);

/**
 * Whole powers of square matrices; negative ones of the inverse. The power 0 is the identity.
 *
 * Shape   (..., n, n), that of a.
 * Dtype   that of a; integers wrap, bool is "any of the ands". Of a negative power that of ash_inv.
 * Exact   integers, but for negative powers; others as at most 2 * log2(|power|) products by ash_matmul.
 *
 * @param a        borrowed.
 * @param power    any.
 * @param options  none of its own.
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_SHAPE (not square), ASH_ERR_DTYPE (a record),
 *                 ASH_ERR_VALUE (a negative power of a singular matrix), ASH_ERR_ARGUMENT, ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_matrix_power_opt(const ash_array *a, int64_t power,
                                        const ash_spectral_options *options ASH__DEFAULT);

/**
 * Exponentials of square matrices, 1 + a + a^2/2 + a^3/6 + ... (not of their elements: that is ash_map("exp", a)).
 *
 * Shape   (..., n, n), that of a.
 * Dtype   f32 for f16, bf16 and f32; f64 for f64, integers and bool; complex of these.
 * Exact   to about the condition of the exponential times n units in the last place of its norm.
 * Source  A. H. Al-Mohy, N. J. Higham, SIAM J. Matrix Anal. Appl. 31 (2009) 970-989: scaling, Pade approximant, squaring.
 *
 * @param a        borrowed; waited for. Every element has to be finite.
 * @param options  none of its own.
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_SHAPE (not square), ASH_ERR_DTYPE,
 *                 ASH_ERR_VALUE (names an element that is not finite), ASH_ERR_ARGUMENT, ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_expm_opt(const ash_array *a, const ash_spectral_options *options ASH__DEFAULT);

/* ---- norms -------------------------------------------------------------------- */

/**
 * The p-norm of elements, (sum |x|^p)^(1/p), of a whole array of any rank or along axes: ash_norm(a, .p = ASH_OPERAND(1)).
 *
 * Of p = inf and -inf it is the largest and the smallest |x|; of 0 how many are not 0. A matrix gets its Frobenius norm from
 * p = 2. No square or power overflows or underflows on the way. NaN gives NaN. No element at all: 0, whatever p is.
 *
 * Shape   (..., n, ...) to (..., 1, ...) for each axis; without axes rank 0.
 * Dtype   that of the floats of a, also for complex numbers; integers and bool give f64. Any but a record.
 * Exact   f16, bf16 and f32 within 1 unit in the last place, where the device has f64; else, and f64, within log2 n + 4, and
 *         that of pow for a p other than 0, 1, 2 and infinities. Norms above the largest number are inf.
 *
 * @param a        borrowed; any strides.
 * @param options  .p, any real number (default 2), .axes, .drop.
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_ARGUMENT (p is nan, complex or an array),
 *                 ASH_ERR_BOUNDS, ASH_ERR_DTYPE, ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_norm_opt(const ash_array *a, const ash_norm_options *options ASH__DEFAULT);

/**
 * Elements divided by their norm, of the whole array or along axes. Elements that are all 0 give NaN.
 *
 * Shape   that of a.
 * Dtype   that of a; integers and bool give f64, complex integers c_f64. Any but a record.
 * Exact   as ash_norm, and one division; also where the norm itself is beyond the range of the dtype.
 *
 * @param a        borrowed; any strides.
 * @param options  .p (default 2), .axes.
 * @return         a new array, its scope's or the caller's; NULL with an error as from ash_norm.
 */
ASH_API ash_array *ash_normalize_opt(const ash_array *a, const ash_norm_options *options ASH__DEFAULT);

/**
 * Norms of matrices as operators: the largest sum of |x| down a column (p = 1), along a row (p = inf), or the largest singular
 * value (p = 2). Without elements 0. The Frobenius norm is ash_norm over the two axes.
 *
 * Shape   (..., m, n) to (...).
 * Dtype   as ash_norm.
 * Exact   p = 1, inf: as ash_norm. p = 2: as ash_svdvals, and so are its errors.
 *
 * @param a        borrowed, rank at least 2; with p = 2 waited for, and every element has to be finite.
 * @param options  .p: 1, 2 or inf; default 2.
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_SHAPE, ASH_ERR_ARGUMENT (another p) or an error
 *                 as from ash_svd.
 */
ASH_API ash_array *ash_opnorm_opt(const ash_array *a, const ash_opnorm_options *options ASH__DEFAULT);

/* ---- small products -------------------------------------------------------------------- */

/**
 * The sum of a diagonal of the last two axes.
 *
 * Shape   (..., m, n) to (...), square or not. No diagonal, or an empty one: 0.
 * Dtype   as ash_sum: integers and bool become 64 bits wide.
 * Exact   as ash_sum.
 *
 * @param a        borrowed, rank at least 2.
 * @param options  .offset: of the diagonal, above the main one (positive) or below.
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_SHAPE, ASH_ERR_DTYPE, ASH_ERR_ARGUMENT,
 *                 ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_trace_opt(const ash_array *a, const ash_trace_options *options ASH__DEFAULT);

/**
 * Cross products of vectors of three along an axis; the others broadcast.
 *
 * Shape   the joined one.
 * Dtype   the promotion of both; bool gives i64. Any but a record.
 * Exact   integers; of floats each element is two products and a difference, rounded one by one.
 *
 * @param a, b     borrowed, on one device.
 * @param options  .axes: one axis of the result, of size 3 in both; default the last.
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_SHAPE, ASH_ERR_DTYPE, ASH_ERR_BOUNDS,
 *                 ASH_ERR_ARGUMENT, ASH_ERR_DEVICE, ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_cross_opt(const ash_array *a, const ash_array *b, const ash_cross_options *options ASH__DEFAULT);

/**
 * Kronecker product: every element of a times the whole of b.
 *
 * Shape   the product of the sizes along each axis, aligned at the last one; missing ones are 1.
 * Dtype   the promotion of both; bool gives i64. Any but a record.
 * Exact   one multiplication for each element.
 *
 * @param a, b     borrowed, on one device, of any rank.
 * @param options  none of its own.
 * @return         a new array in the layout of a, its scope's or the caller's; NULL with ASH_ERR_SHAPE (too large),
 *                 ASH_ERR_DTYPE, ASH_ERR_UNSUPPORTED (more than 16 axes along which both extend), ASH_ERR_DEVICE,
 *                 ASH_ERR_ARGUMENT, ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_kron_opt(const ash_array *a, const ash_array *b,
                                const ash_spectral_options *options ASH__DEFAULT);

/**
 * Givens rotations that turn pairs (a, b) to (r, 0): ash_givens(3.0, 4.0) has c 0.6, s 0.8 and r 5.
 *
 * c is real and not negative; of a real a, r has its sign. b = 0 gives c = 1, s = 0. Neither squares nor lengths leave the
 * range on the way.
 *
 * Shape   the joined one; scalars give rank 0.
 * Dtype   s and r: the promotion of both, f32 for f16 and bf16, f64 for integers. c: real.
 * Exact   within 4 units in the last place.
 * Source  E. Anderson, LAPACK Working Note 304, 2022.
 *
 * @param a, b     arrays or scalars, borrowed.
 * @param options  none of its own.
 * @return         three new arrays, their scope's or the caller's; all NULL with ASH_ERR_SHAPE, ASH_ERR_DTYPE, ASH_ERR_DEVICE,
 *                 ASH_ERR_ARGUMENT, ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_givens_result ash_givens_opt(const ash_operand *a, const ash_operand *b,
                                         const ash_spectral_options *options ASH__DEFAULT);

/**
 * Turns two arrays, in place: x becomes c*x + s*y and, at once, y becomes c*y - conj(s)*x.
 *
 * Shape   x and y of one shape, to which c and s broadcast.
 * Dtype   as ash_map_into: what c and s lift x and y to must not be of a higher kind than these are.
 * Exact   two products and a sum, rounded one by one.
 *
 * @param x, y     written; untouched after a failure. Views of one array are fine; what is in both gets the value of y.
 * @param c, s     arrays or scalars, borrowed.
 * @param options  none of its own.
 * @return         ASH_OK, ASH_ERR_SHAPE, ASH_ERR_DTYPE, ASH_ERR_ARGUMENT (x is y; read-only), ASH_ERR_DEVICE,
 *                 ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_status ash_rotate_into_opt(ash_array *x, ash_array *y, const ash_operand *c, const ash_operand *s,
                                       const ash_spectral_options *options ASH__DEFAULT);

/**
 * Reflects two arrays, in place: x becomes c*x + s*y and, at once, y becomes conj(s)*x - c*y.
 *
 * Shape   as ash_rotate_into.
 * Dtype   as ash_rotate_into.
 * Exact   as ash_rotate_into.
 *
 * @param x, y     written; untouched after a failure. Views of one array are fine; what is in both gets the value of y.
 * @param c, s     arrays or scalars, borrowed.
 * @param options  none of its own.
 * @return         ASH_OK or an error as from ash_rotate_into.
 */
ASH_API ash_status ash_reflect_into_opt(ash_array *x, ash_array *y, const ash_operand *c, const ash_operand *s,
                                        const ash_spectral_options *options ASH__DEFAULT);

/* ---- what matrices look like -------------------------------------------------------------------- */

/**
 * Whether all matrices equal their transposes (ash_is_symmetric), or their adjoints (ash_is_hermitian), exactly.
 *
 * Shape   (..., m, n); not square: false. Without elements: true.
 * Dtype   any but a record. A NaN equals nothing.
 * Exact   yes.
 *
 * @param a        borrowed, rank at least 2; waited for.
 * @param options  none of its own.
 * @return         true or false; false with ASH_ERR_SHAPE, ASH_ERR_DTYPE, ASH_ERR_ARGUMENT, ASH_ERR_RELEASED or
 *                 ASH_ERR_MEMORY.
 */
ASH_API bool ash_is_symmetric_opt(const ash_array *a, const ash_spectral_options *options ASH__DEFAULT);
ASH_API bool ash_is_hermitian_opt(const ash_array *a, const ash_spectral_options *options ASH__DEFAULT);

/**
 * Whether all elements below a diagonal (ash_is_triu), or above one (ash_is_tril), are 0, in all matrices.
 *
 * Shape   (..., m, n), square or not. Without elements: true.
 * Dtype   any but a record. A NaN is not 0.
 * Exact   yes.
 *
 * @param a        borrowed, rank at least 2; waited for.
 * @param options  .k: the diagonal, where column - row = k; default the main one.
 * @return         true or false; false with an error as from ash_is_symmetric.
 */
ASH_API bool ash_is_triu_opt(const ash_array *a, const ash_triangle_options *options ASH__DEFAULT);
ASH_API bool ash_is_tril_opt(const ash_array *a, const ash_triangle_options *options ASH__DEFAULT);

/**
 * Whether all elements off the main diagonal are 0, in all matrices.
 *
 * Shape   (..., m, n), square or not. Without elements: true.
 * Dtype   any but a record. A NaN is not 0.
 * Exact   yes.
 *
 * @param a        borrowed, rank at least 2; waited for.
 * @param options  none of its own.
 * @return         true or false; false with an error as from ash_is_symmetric.
 */
ASH_API bool ash_is_diagonal_opt(const ash_array *a, const ash_spectral_options *options ASH__DEFAULT);

/**
 * Matrices with one triangle of a on both sides of the diagonal, which stays as it is.
 *
 * Shape   (..., n, n), that of a.
 * Dtype   that of a, any but a record.
 * Exact   yes.
 *
 * @param a        borrowed.
 * @param options  .upper: the triangle that stays, default the lower one; .conjugated: the other side becomes its conjugate.
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_SHAPE (not square), ASH_ERR_DTYPE,
 *                 ASH_ERR_ARGUMENT, ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_mirror_opt(const ash_array *a, const ash_mirror_options *options ASH__DEFAULT);

/**
 * The same into an array, which may be a itself.
 *
 * Shape   out and a: (..., n, n); a broadcasts to out.
 * Dtype   as ash_map_into.
 * Exact   yes.
 *
 * @param out      written; untouched after a failure.
 * @param a        borrowed.
 * @param options  .upper, .conjugated.
 * @return         ASH_OK, ASH_ERR_SHAPE, ASH_ERR_DTYPE, ASH_ERR_ARGUMENT (read-only), ASH_ERR_DEVICE, ASH_ERR_RELEASED or
 *                 ASH_ERR_MEMORY.
 */
ASH_API ash_status ash_mirror_into_opt(ash_array *out, const ash_array *a, const ash_mirror_options *options ASH__DEFAULT);

ASH__END

#if !defined(ASHLAR_CDEF) && !defined(__cplusplus)
#define ash_svd(...) ASH__KW1(ash_svd_opt, ash_svd_options, __VA_ARGS__, ASH_SIZED(ash_svd_options))
#define ash_svdvals(...) ASH__KW1(ash_svdvals_opt, ash_spectral_options, __VA_ARGS__, ASH_SIZED(ash_spectral_options))
#define ash_eigh(...) ASH__KW1(ash_eigh_opt, ash_eigh_options, __VA_ARGS__, ASH_SIZED(ash_eigh_options))
#define ash_eigvalsh(...) ASH__KW1(ash_eigvalsh_opt, ash_eigh_options, __VA_ARGS__, ASH_SIZED(ash_eigh_options))
#define ash_eig(...) ASH__KW1(ash_eig_opt, ash_spectral_options, __VA_ARGS__, ASH_SIZED(ash_spectral_options))
#define ash_eigvals(...) ASH__KW1(ash_eigvals_opt, ash_spectral_options, __VA_ARGS__, ASH_SIZED(ash_spectral_options))
#define ash_pinv(...) ASH__KW1(ash_pinv_opt, ash_rank_options, __VA_ARGS__, ASH_SIZED(ash_rank_options))
#define ash_matrix_rank(...) ASH__KW1(ash_matrix_rank_opt, ash_rank_options, __VA_ARGS__, ASH_SIZED(ash_rank_options))
#define ash_cond(...) ASH__KW1(ash_cond_opt, ash_opnorm_options, __VA_ARGS__, ASH_SIZED(ash_opnorm_options))
#define ash_matrix_power(...) \
    ASH__KW2(ash_matrix_power_opt, ash_spectral_options, __VA_ARGS__, ASH_SIZED(ash_spectral_options))
#define ash_expm(...) ASH__KW1(ash_expm_opt, ash_spectral_options, __VA_ARGS__, ASH_SIZED(ash_spectral_options))
#define ash_norm(...) ASH__KW1(ash_norm_opt, ash_norm_options, __VA_ARGS__, ASH_SIZED(ash_norm_options))
#define ash_normalize(...) ASH__KW1(ash_normalize_opt, ash_norm_options, __VA_ARGS__, ASH_SIZED(ash_norm_options))
#define ash_opnorm(...) ASH__KW1(ash_opnorm_opt, ash_opnorm_options, __VA_ARGS__, ASH_SIZED(ash_opnorm_options))
#define ash_trace(...) ASH__KW1(ash_trace_opt, ash_trace_options, __VA_ARGS__, ASH_SIZED(ash_trace_options))
#define ash_cross(...) ASH__KW2(ash_cross_opt, ash_cross_options, __VA_ARGS__, ASH_SIZED(ash_cross_options))
#define ash_kron(...) ASH__KW2(ash_kron_opt, ash_spectral_options, __VA_ARGS__, ASH_SIZED(ash_spectral_options))
#define ASH__GIVENS(a, b, ...)                                                              \
    ash_givens_opt((const ash_operand[]){ASH_OPERAND(a)}, (const ash_operand[]){ASH_OPERAND(b)}, \
                   &(ash_spectral_options){__VA_ARGS__})
#define ash_givens(...) ASH__GIVENS(__VA_ARGS__, ASH_SIZED(ash_spectral_options))
#define ASH__TURN(f, x, y, c, s, ...)                                                            \
    f(x, y, (const ash_operand[]){ASH_OPERAND(c)}, (const ash_operand[]){ASH_OPERAND(s)}, \
      &(ash_spectral_options){__VA_ARGS__})
#define ash_rotate_into(...) ASH__TURN(ash_rotate_into_opt, __VA_ARGS__, ASH_SIZED(ash_spectral_options))
#define ash_reflect_into(...) ASH__TURN(ash_reflect_into_opt, __VA_ARGS__, ASH_SIZED(ash_spectral_options))
#define ash_is_symmetric(...) ASH__KW1(ash_is_symmetric_opt, ash_spectral_options, __VA_ARGS__, ASH_SIZED(ash_spectral_options))
#define ash_is_hermitian(...) ASH__KW1(ash_is_hermitian_opt, ash_spectral_options, __VA_ARGS__, ASH_SIZED(ash_spectral_options))
#define ash_is_triu(...) ASH__KW1(ash_is_triu_opt, ash_triangle_options, __VA_ARGS__, ASH_SIZED(ash_triangle_options))
#define ash_is_tril(...) ASH__KW1(ash_is_tril_opt, ash_triangle_options, __VA_ARGS__, ASH_SIZED(ash_triangle_options))
#define ash_is_diagonal(...) ASH__KW1(ash_is_diagonal_opt, ash_spectral_options, __VA_ARGS__, ASH_SIZED(ash_spectral_options))
#define ash_mirror(...) ASH__KW1(ash_mirror_opt, ash_mirror_options, __VA_ARGS__, ASH_SIZED(ash_mirror_options))
#define ash_mirror_into(...) ASH__KW2(ash_mirror_into_opt, ash_mirror_options, __VA_ARGS__, ASH_SIZED(ash_mirror_options))
#endif
#endif
