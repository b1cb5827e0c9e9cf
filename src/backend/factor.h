/*
 * factor.h - what a task that factors matrices, or solves with factors, says further.
 *
 * The last two axes of the task's shape are the rows and columns of out, the axes before them a batch. Every operand has a
 * stride for each axis of the shape; that of a batch axis may be 0. Vectors (pivots, scales of reflectors) step along the
 * second last axis and have stride 0 along the last. out is always overwritten in place and of f32, f64, c_f32 or c_f64, not
 * conjugated, as are the matrices that operand[0] holds. operand[0] and out share no byte, or are the same (LU, CHOLESKY, QR).
 *
 * Faults of the numbers are no errors of the task: they go to info, one i64 for each member of the batch.
 */
#ifndef ASH__FACTOR_H
#define ASH__FACTOR_H
#include "backend/backend.h"

typedef enum ash__factor_op {
    ASH__FACTOR_LU,       /* out = L + U - I of its rows exchanged; value: for each of min(rows, columns) steps the row, counted
                             * from 0, that was exchanged with it (i64). info: the first pivot, from 1, that is 0 or
                             * overflowed */
    ASH__FACTOR_LU_SOLVE, /* out = A^-1 out; operand[0], rows by rows, and operand[1] are what LU made */
    ASH__FACTOR_CHOLESKY, /* out = L of L L^H, zeros above; only the lower triangle is read; the diagonal counts as real. With
                             * upper the same of U^H U. info: the order, from 1, of the first leading minor that is not
                             * positive */
    ASH__FACTOR_QR,       /* out = R on and above the diagonal, below it the reflectors v of Q = H1 H2 ..., H = I - tau v v^H
                             * with v = (0 ... 0 1 v); value: the tau, of out's dtype, min(rows, columns) of them */
    ASH__FACTOR_REFLECT,  /* out = Q out, with adjoint Q^H out: operand[0], operand[1] are what QR made, `count` reflectors */
    ASH__FACTOR_TRIANGULAR /* out = A^-1 out, operand[0] is A, rows by rows, of which one triangle is read. A diagonal of zeros
                             * gives infinities and NaN */
} ash__factor_op;

/* info of LU, CHOLESKY and QR where an element that is read is no finite number: -1 - its row-major position in the matrix.
 * Where info is not 0, the factors of LU and CHOLESKY have NaN in place of what could not be computed; LU goes on behind a
 * pivot of 0. */
struct ash__factor {
    ash__factor_op op;
    bool upper;      /* CHOLESKY, TRIANGULAR: that triangle is read */
    bool unit;       /* TRIANGULAR: the diagonal counts as ones and is not read */
    bool conjugated; /* TRIANGULAR, LU_SOLVE: A is the conjugate of what operand[0] holds */
    bool adjoint;    /* REFLECT */
    ash__span info;  /* LU, CHOLESKY, QR: strides of the batch axes are used */
};
#endif
