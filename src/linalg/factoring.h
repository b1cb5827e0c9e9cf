/*
 * factoring.h - what the factorizations and solves share: matrices copied to the dtype that is computed in, tasks run over a
 * batch, right sides, and the errors that the numbers make.
 *
 * Whatever a function here makes belongs to the innermost scope; each public function opens one of its own, keeps its results
 * and closes it.
 */
#ifndef ASH__FACTORING_H
#define ASH__FACTORING_H
#include "ashlar/factor.h"
#include "backend/factor.h"
#include "core/array.h"

/* The call that is under way. */
typedef struct ash__factor_call {
    const char *function;
    ash_resources *given;
} ash__factor_call;

/* Sizes of the last two axes, and the smaller one. */
static inline int64_t ash__rows_of(const ash_array *a) { return a->shape[a->rank - 2]; }
static inline int64_t ash__columns_of(const ash_array *a) { return a->shape[a->rank - 1]; }
static inline int64_t ash__steps_of(const ash_array *a)
{
    return ash__rows_of(a) < ash__columns_of(a) ? ash__rows_of(a) : ash__columns_of(a);
}
/* The dtype that numbers are factored in: f64 for integers and bool, f32 for f16 and bf16, complex likewise; 0 for records. */
ash_dtype ash__factor_dtype(ash_dtype dtype);
/* NULL, discarded, rank below 2, no numbers, or with square not so. */
ash_status ash__check_matrix(const ash__factor_call *c, const char *name, const ash_array *a, bool square);
/* a in the dtype, in a layout of its own: dense, not conjugated, never a itself. */
ash_array *ash__factor_copy(const ash__factor_call *c, const ash_array *a, ash_dtype dtype);
/* A new array beside a. */
ash_array *ash__factor_new(const ash__factor_call *c, const ash_array *like, ash_dtype dtype, const int64_t *shape,
                           int64_t rank, ash_layout layout);
/* A new array: the batch axes of a and then `tail` sizes. */
ash_array *ash__factor_beside(const ash__factor_call *c, const ash_array *a, ash_dtype dtype, const int64_t *tail,
                              int64_t count);
/* Rows row .. and columns column .. of the last two axes, as a view. */
ash_array *ash__factor_part(const ash__factor_call *c, const ash_array *a, int64_t row, int64_t rows, int64_t column,
                            int64_t columns);
/* The last two axes exchanged, as a view; with adjoint conjugated too. */
ash_array *ash__factor_turned(const ash__factor_call *c, const ash_array *a, bool adjoint);
/* The diagonal of the last two axes, as a view. */
ash_array *ash__factor_diagonal(const ash__factor_call *c, const ash_array *a);
/* Ones there, in f32, f64 or complex of these. */
ash_status ash__factor_unit(const ash__factor_call *c, ash_array *a);

/* ---- tasks */

/* One task over the last two axes of out. Operands are broadcast to the batch axes of out; operand[1] and value are vectors. */
typedef struct ash__factor_work {
    struct ash__factor say;
    ash_array *out;
    const ash_array *operand[2];
    ash_array *value;
    int64_t count;
} ash__factor_work;
ash_status ash__factor_run(const ash__factor_call *c, const ash__factor_work *work);

/* Which faults of the numbers are errors. */
typedef enum ash__factor_check { ASH__CHECK_ALL, ASH__CHECK_FINITE, ASH__CHECK_NONE } ash__factor_check;
/* LU, CHOLESKY, QR in place in out (a copy of a, which is for messages). */
ash_status ash__factor_in_place(const ash__factor_call *c, ash__factor_op op, bool upper, const ash_array *a, ash_array *out,
                                ash_array *value, ash__factor_check check);

/* ---- right sides */

typedef struct ash__right {
    ash_array *x;      /* what is solved in place: b over the batch axes of both, in the dtype */
    ash_array *matrix; /* the same with two last axes: a vector as a column */
    bool vector;
} ash__right;
/* b is a vector when its rank is 1. rows: what its second last axis (a vector's only one) must be. shape: of the matrix that
 * it is a right side of, whose batch axes it is broadcast to, in messages called `name`. */
ash_status ash__right_begin(ash__right *r, const ash__factor_call *c, const char *name, const ash_array *a, int64_t rows,
                            const ash_array *b, ash_dtype dtype);
/* r->matrix from r->x and r->vector. */
ash_status ash__right_column(const ash__factor_call *c, ash__right *r);
/* The first n rows of x, or elements of the vectors, as an array of their own. */
ash_array *ash__right_top(const ash__factor_call *c, const ash__right *r, int64_t n);
/* The dtype that a and b are computed in together; 0 with an error. */
ash_dtype ash__right_dtype(const ash__factor_call *c, const ash_array *a, const ash_array *b);
/* out = x for a function that ends in _into: shape and dtype kind are checked. */
ash_status ash__right_into(const ash__factor_call *c, ash_array *out, const ash_array *x);

/* The public functions inside others, messages in the name of c->function. */
ash_status ash__lu_make(const ash__factor_call *c, const ash_array *a, ash_dtype dtype, ash__factor_check check,
                        ash_lu_factors *f);
ash_array *ash__cholesky_make(const ash__factor_call *c, const ash_array *a, ash_dtype dtype, bool upper,
                              ash__factor_check check);
ash_status ash__check_lu(const ash__factor_call *c, ash_lu_factors f, bool square);
ash_status ash__qr_make(const ash__factor_call *c, const ash_array *a, ash_dtype dtype, ash_qr_factors *f);
ash_array *ash__qr_solve(const ash__factor_call *c, ash_qr_factors f, const ash_array *b);
/* I, rows by columns, for each of the batch axes of `like`, in its dtype. */
ash_array *ash__factor_identity(const ash__factor_call *c, const ash_array *like, ash_dtype dtype, int64_t rows,
                                int64_t columns);
/* The new x of the public functions that solve, checks and all. */
ash_array *ash__cholesky_solve(const ash__factor_call *c, const ash_array *l, const ash_array *b, bool upper);
ash_array *ash__triangular_solve(const ash__factor_call *c, const ash_array *a, const ash_array *b,
                                 const ash_triangular_options *o);
ash_array *ash__diagonal_solve(const ash__factor_call *c, const ash_array *d, const ash_array *b);
/* x = A^-1 x with LU factors. */
ash_status ash__lu_apply(const ash__factor_call *c, ash_lu_factors f, ash_array *x);
/* x = T^-1 x */
ash_status ash__triangle_apply(const ash__factor_call *c, const ash_array *a, bool upper, bool unit, ash_array *x);
/* x = Q x, with adjoint Q^H x */
ash_status ash__reflect_apply(const ash__factor_call *c, ash_qr_factors f, bool adjoint, ash_array *x);
/* Full rank of R, count by count: a value error else, which calls what depends on others "row" or "column". */
ash_status ash__check_rank(const ash__factor_call *c, const ash_array *qr, int64_t count, const char *what);
#endif
