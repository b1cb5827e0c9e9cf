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

/* ---- singular values and eigenvalues ----------------------------------------------------------------------------------- */

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

ASH__END

#if !defined(ASHLAR_CDEF) && !defined(__cplusplus)
#define ash_svd(...) ASH__KW1(ash_svd_opt, ash_svd_options, __VA_ARGS__, ASH_SIZED(ash_svd_options))
#define ash_svdvals(...) ASH__KW1(ash_svdvals_opt, ash_spectral_options, __VA_ARGS__, ASH_SIZED(ash_spectral_options))
#define ash_eigh(...) ASH__KW1(ash_eigh_opt, ash_eigh_options, __VA_ARGS__, ASH_SIZED(ash_eigh_options))
#define ash_eigvalsh(...) ASH__KW1(ash_eigvalsh_opt, ash_eigh_options, __VA_ARGS__, ASH_SIZED(ash_eigh_options))
#define ash_eig(...) ASH__KW1(ash_eig_opt, ash_spectral_options, __VA_ARGS__, ASH_SIZED(ash_spectral_options))
#define ash_eigvals(...) ASH__KW1(ash_eigvals_opt, ash_spectral_options, __VA_ARGS__, ASH_SIZED(ash_spectral_options))
#endif
#endif
