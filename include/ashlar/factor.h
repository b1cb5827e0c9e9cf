/*
 * factor.h - matrices factored (LU, Cholesky, QR), and what is solved with factors.
 *
 * The last two axes are rows and columns; axes before them are a batch, of which each member is a matrix of its own. Any
 * strides, either layout, conjugated views; arguments are never changed. Integers and bool are computed in f64 (an error on a
 * device without it), f16 and bf16 in f32, complex numbers of these likewise, and that is what results are. a and b are
 * promoted to one dtype; integers give way to the other's floats.
 *
 * A right side b of rank 1 is a vector; of higher rank it is a matrix, whose columns are the right sides, with batch axes in
 * front that broadcast against those of a.
 *
 * Every function can fail with ASH_ERR_ARGUMENT (a NULL), ASH_ERR_RELEASED, ASH_ERR_DEVICE, ASH_ERR_MEMORY, ASH_ERR_DTYPE (a
 * record; f64 on a device that lacks it) and ASH_ERR_SHAPE (rank below 2, not square where that is wanted, rows that do not
 * fit); named below are the others. A matrix that is factored must hold finite numbers: ASH_ERR_VALUE names the first that is
 * not. docs/solve.md has more.
 */
#ifndef ASHLAR_FACTOR_H
#define ASHLAR_FACTOR_H
#include "base.h"
#include "linalg.h"
ASH__BEGIN

typedef struct ash_lu_options {
    size_t struct_size;
    ash_resources *resources;
    bool no_check; /* a pivot of 0, or a number that is not finite, is no error: ash_factor_info tells */
} ASH__KEYWORDS ash_lu_options;

typedef struct ash_cholesky_options {
    size_t struct_size;
    ash_resources *resources;
    bool upper;    /* a = U^H U, and the upper triangle of a is read; default a = L L^H, and the lower one */
    bool no_check; /* ash_cholesky: what is not positive definite is no error: ash_factor_info tells */
} ASH__KEYWORDS ash_cholesky_options;

typedef struct ash_qr_options {
    size_t struct_size;
    ash_resources *resources;
    bool full; /* q is square and r has the shape of a; default as many columns of q and rows of r as a has at least */
} ASH__KEYWORDS ash_qr_options;

typedef struct ash_triangular_options {
    size_t struct_size;
    ash_resources *resources;
    bool upper; /* the upper triangle of a is read; default the lower one */
    bool unit;  /* the diagonal counts as ones and is not read */
    bool right; /* x a = b; default a x = b */
} ASH__KEYWORDS ash_triangular_options;

typedef struct ash_solve_options {
    size_t struct_size;
    ash_resources *resources;
    ash_structure structure; /* of a, of which no more than that is read: triangular and diagonal ones need no factors */
    bool positive;           /* a is positive definite: Cholesky, of the lower triangle unless .structure has the upper one */
} ASH__KEYWORDS ash_solve_options;

typedef struct ash_factor_options {
    size_t struct_size;
    ash_resources *resources;
} ASH__KEYWORDS ash_factor_options;

/* L and U in one matrix, L below the diagonal, its ones left out; and for each of min(rows, columns) steps the row, from 0,
 * that was exchanged with it (i64), first to last. */
typedef struct ash_lu_factors {
    ash_array *lu, *pivots;
} ash_lu_factors;

/* R on and above the diagonal; below it, without their first element, which is 1, the vectors v of the reflectors I - tau v v^H
 * whose product, first to last, is Q; and the tau. */
typedef struct ash_qr_factors {
    ash_array *qr, *tau;
} ash_qr_factors;

typedef struct ash_qr_result {
    ash_array *q, *r;
} ash_qr_result;

typedef struct ash_slogdet_result {
    ash_array *sign, *logabsdet;
} ash_slogdet_result;

/* ---- LU */
/**
 * LU factors, P a = L U, the largest of each column as the pivot.
 *
 * Shape   a (..., m, n), of any m and n: lu (..., m, n), pivots (..., min(m, n)).
 * Dtype   lu that of a, promoted as above; pivots i64.
 * Exact   |P a - L U| <= k u |L| |U|, k = min(m, n), by elements; in practice some u max|a|.
 * Source  Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., chapter 9; Toledo 1997.
 *
 * @param a        borrowed.
 * @param options  .no_check.
 * @return         two new arrays, their scope's or the caller's; both NULL with ASH_ERR_VALUE (a pivot is 0: "singular at pivot
 *                 2", counted from 1, for a batch with the member; an element is not finite) or an error as above.
 */
ASH_API ash_lu_factors ash_lu_opt(const ash_array *a, const ash_lu_options *options ASH__DEFAULT);

/**
 * The same into factors that are there, whose storage is used again. f.lu may be a.
 *
 * Shape   a has that of f.lu.
 * Dtype   f.lu has what ash_lu would give.
 * Exact   as ash_lu.
 *
 * @param f        written; after a failure with ASH_ERR_VALUE or ASH_ERR_MEMORY of no use until it is written again.
 * @param a        borrowed.
 * @param options  .no_check.
 * @return         ASH_OK, ASH_ERR_VALUE as from ash_lu, ASH_ERR_SHAPE, ASH_ERR_DTYPE, ASH_ERR_ARGUMENT (read-only).
 */
ASH_API ash_status ash_lu_into_opt(ash_lu_factors f, const ash_array *a, const ash_lu_options *options ASH__DEFAULT);

/**
 * The x of a x = b from the LU factors of a.
 *
 * Shape   f.lu (..., n, n); b (n) or (..., n, k); x (..., n) or (..., n, k), the batch axes joined.
 * Dtype   the promotion of f.lu and b.
 * Exact   as ash_solve. After .no_check a pivot of 0 gives infinities and NaN.
 *
 * @param f        borrowed.
 * @param b        borrowed.
 * @param options  .resources.
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_VALUE (f.pivots are none) or an error as above.
 */
ASH_API ash_array *ash_lu_solve_opt(ash_lu_factors f, const ash_array *b, const ash_factor_options *options ASH__DEFAULT);

/**
 * The same into an array that is there, which may be b.
 *
 * Shape   out has the result's.
 * Dtype   out holds the result's: that, or a wider one.
 * Exact   as ash_lu_solve.
 *
 * @param out      written; untouched when anything fails.
 * @param f        borrowed.
 * @param b        borrowed.
 * @param options  .resources.
 * @return         ASH_OK, ASH_ERR_SHAPE, ASH_ERR_DTYPE, ASH_ERR_ARGUMENT (read-only) or an error as from ash_lu_solve.
 */
ASH_API ash_status ash_lu_solve_into_opt(ash_array *out, ash_lu_factors f, const ash_array *b,
                                         const ash_factor_options *options ASH__DEFAULT);

/**
 * The order of the rows in P a: row i of it is row p[i] of a, ash_take(a, p).
 *
 * Shape   f.lu (..., m, n): p (..., m).
 * Dtype   i64.
 * Exact   yes.
 *
 * @param f        borrowed; waited for.
 * @param options  .resources.
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_VALUE (f.pivots are none) or an error as above.
 */
ASH_API ash_array *ash_lu_permutation_opt(ash_lu_factors f, const ash_factor_options *options ASH__DEFAULT);

/**
 * L of LU factors, its ones filled in.
 *
 * Shape   f.lu (..., m, n): (..., m, min(m, n)).
 * Dtype   that of f.lu.
 * Exact   yes.
 *
 * @param f        borrowed.
 * @param options  .resources.
 * @return         a new array, its scope's or the caller's; NULL with an error as above.
 */
ASH_API ash_array *ash_lu_lower_opt(ash_lu_factors f, const ash_factor_options *options ASH__DEFAULT);

/**
 * U of LU factors.
 *
 * Shape   f.lu (..., m, n): (..., min(m, n), n).
 * Dtype   that of f.lu.
 * Exact   yes.
 *
 * @param f        borrowed.
 * @param options  .resources.
 * @return         a new array, its scope's or the caller's; NULL with an error as above.
 */
ASH_API ash_array *ash_lu_upper_opt(ash_lu_factors f, const ash_factor_options *options ASH__DEFAULT);

/**
 * What .no_check passed over: for each member of a batch the first element of the diagonal, from 1, that is 0 or not finite; 0
 * where there is none.
 *
 * Shape   lu or l (..., m, n): (...).
 * Dtype   i64.
 * Exact   yes.
 *
 * @param factor   borrowed: the lu of ash_lu, or what ash_cholesky gave.
 * @param options  .resources.
 * @return         a new array, its scope's or the caller's; NULL with an error as above.
 */
ASH_API ash_array *ash_factor_info_opt(const ash_array *factor, const ash_factor_options *options ASH__DEFAULT);

/* ---- Cholesky */
/**
 * The Cholesky factor of a positive definite matrix, a = L L^H with L lower triangular, or with .upper a = U^H U.
 *
 * Shape   a (..., n, n): the same; zeros in the other triangle.
 * Dtype   that of a, promoted as above.
 * Exact   |a - L L^H| <= (n + 1) u |L| |L^H| by elements, to first order.
 * Source  Higham 2002, chapter 10.
 *
 * @param a        borrowed; only one triangle is read, and the diagonal counts as real.
 * @param options  .upper, .no_check.
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_VALUE ("not positive definite at order 2",
 *                 counted from 1, for a batch with the member; an element is not finite) or an error as above.
 */
ASH_API ash_array *ash_cholesky_opt(const ash_array *a, const ash_cholesky_options *options ASH__DEFAULT);

/**
 * The same into an array that is there, which may be a.
 *
 * Shape   out has that of a.
 * Dtype   out holds the result's: that, or a wider one.
 * Exact   as ash_cholesky.
 *
 * @param out      written; untouched when anything fails.
 * @param a        borrowed.
 * @param options  .upper, .no_check.
 * @return         ASH_OK, ASH_ERR_SHAPE, ASH_ERR_DTYPE, ASH_ERR_ARGUMENT (read-only) or an error as from ash_cholesky.
 */
ASH_API ash_status ash_cholesky_into_opt(ash_array *out, const ash_array *a, const ash_cholesky_options *options ASH__DEFAULT);

/**
 * The x of a x = b from the Cholesky factor of a.
 *
 * Shape   l (..., n, n); b (n) or (..., n, k); x (..., n) or (..., n, k), the batch axes joined.
 * Dtype   the promotion of l and b.
 * Exact   the exact solution for a matrix within about 3 n u |L| |L^H| of a.
 *
 * @param l        borrowed; the other triangle is not read.
 * @param b        borrowed.
 * @param options  .upper: as it was for ash_cholesky.
 * @return         a new array, its scope's or the caller's; NULL with an error as above.
 */
ASH_API ash_array *ash_cholesky_solve_opt(const ash_array *l, const ash_array *b,
                                          const ash_cholesky_options *options ASH__DEFAULT);

/**
 * The same into an array that is there, which may be b.
 *
 * Shape   out has the result's.
 * Dtype   out holds the result's: that, or a wider one.
 * Exact   as ash_cholesky_solve.
 *
 * @param out      written; untouched when anything fails.
 * @param l        borrowed.
 * @param b        borrowed.
 * @param options  .upper.
 * @return         ASH_OK, ASH_ERR_SHAPE, ASH_ERR_DTYPE, ASH_ERR_ARGUMENT (read-only) or an error as from ash_cholesky_solve.
 */
ASH_API ash_status ash_cholesky_solve_into_opt(ash_array *out, const ash_array *l, const ash_array *b,
                                               const ash_cholesky_options *options ASH__DEFAULT);

/* ---- QR */
/**
 * QR factors, a = q r, q with orthonormal columns and r upper triangular.
 *
 * Shape   a (..., m, n), k = min(m, n): q (..., m, k), r (..., k, n); with .full q (..., m, m), r (..., m, n).
 * Dtype   that of a, promoted as above.
 * Exact   columns of a - q r within about m n u of a's; q^H q within m n u of I. The diagonal of r is real and has the sign
 *         opposite to that of the (real part of the) element it replaced, as LAPACK's: often negative.
 * Source  Householder reflectors in blocks: Higham 2002, chapter 19; Schreiber and Van Loan 1989.
 *
 * @param a        borrowed.
 * @param options  .full.
 * @return         two new arrays, their scope's or the caller's; both NULL with ASH_ERR_VALUE (an element is not finite) or an
 *                 error as above.
 */
ASH_API ash_qr_result ash_qr_opt(const ash_array *a, const ash_qr_options *options ASH__DEFAULT);

/**
 * QR factors as they are computed, for ash_qr_solve: less work, and no more room than a.
 *
 * Shape   a (..., m, n): qr (..., m, n), tau (..., min(m, n)).
 * Dtype   that of a, promoted as above.
 * Exact   as ash_qr.
 *
 * @param a        borrowed.
 * @param options  .resources.
 * @return         two new arrays, their scope's or the caller's; both NULL with ASH_ERR_VALUE (an element is not finite) or an
 *                 error as above.
 */
ASH_API ash_qr_factors ash_qr_compact_opt(const ash_array *a, const ash_factor_options *options ASH__DEFAULT);

/**
 * The x for which |a x - b| is least, from the QR factors of a.
 *
 * Shape   f.qr (..., m, n) with m >= n; b (m) or (..., m, k); x (..., n) or (..., n, k), the batch axes joined.
 * Dtype   the promotion of f.qr and b.
 * Exact   as ash_lstsq.
 *
 * @param f        borrowed; waited for.
 * @param b        borrowed.
 * @param options  .resources.
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_VALUE (a has no full rank, as ash_lstsq says) or
 *                 an error as above.
 */
ASH_API ash_array *ash_qr_solve_opt(ash_qr_factors f, const ash_array *b, const ash_factor_options *options ASH__DEFAULT);

/* ---- triangles */
/**
 * The x of a x = b for a triangular a; the transposed and the adjoint are views: ash_triangular_solve(ash_adjoint(l), b,
 * .upper = true).
 *
 * Shape   a (..., n, n); b (n) or (..., n, k); x (..., n) or (..., n, k), the batch axes joined. With .right b is (n) or
 *         (..., k, n).
 * Dtype   the promotion of a and b.
 * Exact   the exact solution for a triangle within n u |a| by elements. A 0 on the diagonal gives infinities and NaN, no error.
 * Source  Higham 2002, chapter 8.
 *
 * @param a        borrowed; only one triangle is read.
 * @param b        borrowed.
 * @param options  .upper, .unit, .right.
 * @return         a new array, its scope's or the caller's; NULL with an error as above.
 */
ASH_API ash_array *ash_triangular_solve_opt(const ash_array *a, const ash_array *b,
                                            const ash_triangular_options *options ASH__DEFAULT);

/**
 * The same into an array that is there, which may be b.
 *
 * Shape   out has the result's.
 * Dtype   out holds the result's: that, or a wider one.
 * Exact   as ash_triangular_solve.
 *
 * @param out      written; untouched when anything fails.
 * @param a        borrowed.
 * @param b        borrowed.
 * @param options  .upper, .unit, .right.
 * @return         ASH_OK, ASH_ERR_SHAPE, ASH_ERR_DTYPE, ASH_ERR_ARGUMENT (read-only) or an error as from ash_triangular_solve.
 */
ASH_API ash_status ash_triangular_solve_into_opt(ash_array *out, const ash_array *a, const ash_array *b,
                                                 const ash_triangular_options *options ASH__DEFAULT);

/**
 * The x of D x = b for a diagonal matrix D, given by its diagonal.
 *
 * Shape   d (..., n); b (n) or (..., n, k); x (..., n) or (..., n, k), the batch axes joined.
 * Dtype   the promotion of d and b.
 * Exact   each quotient is rounded once (complex ones to a few u).
 *
 * @param d        borrowed; waited for.
 * @param b        borrowed.
 * @param options  .resources.
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_VALUE (names the element of d that is 0) or an
 *                 error as above.
 */
ASH_API ash_array *ash_diagonal_solve_opt(const ash_array *d, const ash_array *b,
                                          const ash_factor_options *options ASH__DEFAULT);

/* ---- equations */
/**
 * The x of a x = b: by LU with partial pivoting, or as the structure of a allows.
 *
 * Shape   a (..., n, n), of ASH_DIAGONAL (..., n); b (n) or (..., n, k); x (..., n) or (..., n, k), the batch axes joined.
 * Dtype   the promotion of a and b.
 * Exact   the exact solution for a matrix within about 3 n u |L| |U| of a; so within that times its condition number.
 *
 * @param a        borrowed.
 * @param b        borrowed.
 * @param options  .structure (ASH_GENERAL), .positive.
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_VALUE ("singular at pivot 2", "not positive
 *                 definite at order 2", counted from 1; an element of a is not finite; one of a diagonal is 0; a triangle is
 *                 not looked at), ASH_ERR_ARGUMENT (no such structure; .positive of one that is not Hermitian) or an error as
 *                 above.
 */
ASH_API ash_array *ash_solve_opt(const ash_array *a, const ash_array *b, const ash_solve_options *options ASH__DEFAULT);

/**
 * The x for which |a x - b| is least; of a wide a, where many have a x = b, the shortest.
 *
 * Shape   a (..., m, n); b (m) or (..., m, k); x (..., n) or (..., n, k), the batch axes joined.
 * Dtype   the promotion of a and b.
 * Exact   the exact solution for a matrix within about m n u |a| of a.
 * Source  QR: Higham 2002, chapter 20.
 *
 * @param a        borrowed, of full rank. It counts as less when |r_ii| <= max(m, n) eps max|r_jj| for an element of R's
 *                 diagonal.
 * @param b        borrowed.
 * @param options  .resources.
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_VALUE (names the rank found and the first column,
 *                 of a wide a the first row, that depends on those before it; an element of a is not finite) or an error as
 *                 above.
 */
ASH_API ash_array *ash_lstsq_opt(const ash_array *a, const ash_array *b, const ash_factor_options *options ASH__DEFAULT);

/**
 * The inverse of a matrix. ash_solve(a, b) is faster and more exact than ash_inv(a) times b.
 *
 * Shape   a (..., n, n): the same.
 * Dtype   that of a, promoted as above.
 * Exact   each column as ash_solve gives it.
 *
 * @param a        borrowed.
 * @param options  .resources.
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_VALUE as from ash_solve, or an error as above.
 */
ASH_API ash_array *ash_inv_opt(const ash_array *a, const ash_factor_options *options ASH__DEFAULT);

/**
 * The determinant: the product of the pivots of LU. Exactly 0 when one of them is 0; that of a 0 by 0 matrix is 1.
 *
 * Shape   a (..., n, n): (...); of a matrix rank 0.
 * Dtype   that of a, promoted as above.
 * Exact   the exact determinant of a matrix within n u |L| |U| of a, times 1 + n u. Large ones overflow: ash_slogdet.
 *
 * @param a        borrowed.
 * @param options  .resources.
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_VALUE (an element is not finite) or an error as
 *                 above.
 */
ASH_API ash_array *ash_det_opt(const ash_array *a, const ash_factor_options *options ASH__DEFAULT);

/**
 * The logarithm of the determinant: of a real matrix a real number, -inf for 0; of a complex one a complex number, whose
 * imaginary part is between -pi and pi.
 *
 * Shape   a (..., n, n): (...).
 * Dtype   that of a, promoted as above.
 * Exact   as ash_slogdet.
 *
 * @param a        borrowed; waited for.
 * @param options  .resources.
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_VALUE (a real determinant is negative; an element
 *                 is not finite) or an error as above.
 */
ASH_API ash_array *ash_logdet_opt(const ash_array *a, const ash_factor_options *options ASH__DEFAULT);

/**
 * The determinant as sign * exp(logabsdet), which does not overflow. The sign is 1, -1, or 0 (and logabsdet -inf); of a complex
 * matrix a number of size 1.
 *
 * Shape   a (..., n, n): both (...).
 * Dtype   sign that of a, promoted as above; logabsdet its real part's.
 * Exact   n logarithms of pivots, added.
 *
 * @param a        borrowed.
 * @param options  .resources.
 * @return         two new arrays, their scope's or the caller's; both NULL with ASH_ERR_VALUE (an element is not finite) or an
 *                 error as above.
 */
ASH_API ash_slogdet_result ash_slogdet_opt(const ash_array *a, const ash_factor_options *options ASH__DEFAULT);

ASH__END

#if !defined(ASHLAR_CDEF) && !defined(__cplusplus)
#define ASH__FACTOR1(f, ...) ASH__KW1(f, ash_factor_options, __VA_ARGS__, ASH_SIZED(ash_factor_options))
#define ASH__FACTOR2(f, ...) ASH__KW2(f, ash_factor_options, __VA_ARGS__, ASH_SIZED(ash_factor_options))
#define ash_lu(...) ASH__KW1(ash_lu_opt, ash_lu_options, __VA_ARGS__, ASH_SIZED(ash_lu_options))
#define ash_lu_into(...) ASH__KW2(ash_lu_into_opt, ash_lu_options, __VA_ARGS__, ASH_SIZED(ash_lu_options))
#define ash_lu_solve(...) ASH__FACTOR2(ash_lu_solve_opt, __VA_ARGS__)
#define ash_lu_solve_into(...) ASH__KW3(ash_lu_solve_into_opt, ash_factor_options, __VA_ARGS__, ASH_SIZED(ash_factor_options))
#define ash_lu_permutation(...) ASH__FACTOR1(ash_lu_permutation_opt, __VA_ARGS__)
#define ash_lu_lower(...) ASH__FACTOR1(ash_lu_lower_opt, __VA_ARGS__)
#define ash_lu_upper(...) ASH__FACTOR1(ash_lu_upper_opt, __VA_ARGS__)
#define ash_factor_info(...) ASH__FACTOR1(ash_factor_info_opt, __VA_ARGS__)
#define ash_cholesky(...) ASH__KW1(ash_cholesky_opt, ash_cholesky_options, __VA_ARGS__, ASH_SIZED(ash_cholesky_options))
#define ash_cholesky_into(...) \
    ASH__KW2(ash_cholesky_into_opt, ash_cholesky_options, __VA_ARGS__, ASH_SIZED(ash_cholesky_options))
#define ash_cholesky_solve(...) \
    ASH__KW2(ash_cholesky_solve_opt, ash_cholesky_options, __VA_ARGS__, ASH_SIZED(ash_cholesky_options))
#define ash_cholesky_solve_into(...) \
    ASH__KW3(ash_cholesky_solve_into_opt, ash_cholesky_options, __VA_ARGS__, ASH_SIZED(ash_cholesky_options))
#define ash_qr(...) ASH__KW1(ash_qr_opt, ash_qr_options, __VA_ARGS__, ASH_SIZED(ash_qr_options))
#define ash_qr_compact(...) ASH__FACTOR1(ash_qr_compact_opt, __VA_ARGS__)
#define ash_qr_solve(...) ASH__FACTOR2(ash_qr_solve_opt, __VA_ARGS__)
#define ash_triangular_solve(...) \
    ASH__KW2(ash_triangular_solve_opt, ash_triangular_options, __VA_ARGS__, ASH_SIZED(ash_triangular_options))
#define ash_triangular_solve_into(...) \
    ASH__KW3(ash_triangular_solve_into_opt, ash_triangular_options, __VA_ARGS__, ASH_SIZED(ash_triangular_options))
#define ash_diagonal_solve(...) ASH__FACTOR2(ash_diagonal_solve_opt, __VA_ARGS__)
#define ash_solve(...) ASH__KW2(ash_solve_opt, ash_solve_options, __VA_ARGS__, ASH_SIZED(ash_solve_options))
#define ash_lstsq(...) ASH__FACTOR2(ash_lstsq_opt, __VA_ARGS__)
#define ash_inv(...) ASH__FACTOR1(ash_inv_opt, __VA_ARGS__)
#define ash_det(...) ASH__FACTOR1(ash_det_opt, __VA_ARGS__)
#define ash_logdet(...) ASH__FACTOR1(ash_logdet_opt, __VA_ARGS__)
#define ash_slogdet(...) ASH__FACTOR1(ash_slogdet_opt, __VA_ARGS__)
#endif
#endif
