/*
 * factoring.h - what factor.c and factor_theirs.c share: a task that factors or solves, parts of its matrices, and its kernels.
 */
#ifndef ASH__GPU_FACTORING_H
#define ASH__GPU_FACTORING_H
#include "backend/factor.h"
#include "backend/gpu/dense.h"

enum { ASH__GPU_FACTOR_GROUP = 64 };                          /* work-items; as many as a panel has columns, or more */
enum { ASH__GPU_FACTOR_COPY = 9, ASH__GPU_FACTOR_TAKE = 10 }; /* FACTOR of kernel text; those before are factor.c's */

/* Structs of kernel text. */
typedef struct ash__gpu_factor_block {
    int64_t at, row, col, member;
    int32_t span, conjugated;
} ash__gpu_factor_block;
typedef struct ash__gpu_factor_parameters {
    ash__gpu_batch at;
    ash__gpu_factor_block a, b, v, w;
    int64_t rows, cols, first, steps;
    int32_t lower, turned, unit, spoils;
    int64_t info_at;
} ash__gpu_factor_parameters;

/* A matrix or vector of each member. */
typedef struct ash__gpu_factor_matrix {
    ash__gpu_factor_block is;
    void *memory;
} ash__gpu_factor_matrix;

typedef struct ash__gpu_factoring {
    ash__gpu_work work;
    ash__gpu_room room;
    const ash__task *task;
    const struct ash__factor *say;
    ash_dtype dtype;
    bool alone;
    int64_t members, rows, cols, item;
    ash__gpu_batch at;
    void *memory[4];
    ash__gpu_factor_matrix panel, joined, apart[2]; /* reflectors: V, T, and two of so many rows as a panel has columns */
} ash__gpu_factoring;

/* ---- factor.c */

/* Working memory of `rows` rows of `cols` elements for each member. */
ash_status ash__gpu_factor_room(ash__gpu_factoring *f, int64_t rows, int64_t cols, ash__gpu_factor_matrix *m);
/* groups: along the first axis; members along the second, or with 0 along the first. */
ash_status ash__gpu_factor_launch(ash__gpu_factoring *f, int which, ash__gpu_factor_parameters *p,
                                  const ash__gpu_factor_matrix *a, const ash__gpu_factor_matrix *b,
                                  const ash__gpu_factor_matrix *v, const ash__gpu_factor_matrix *w, int64_t groups);
/* info of what is to be factored (of CHOLESKY the lower triangle): its first element that is no finite number. */
ash_status ash__gpu_factor_fault(ash__gpu_factoring *f, const ash__gpu_factor_matrix *a);
/* The rows of columns col .. col + cols - 1 as pivots first to first + steps - 1 say. */
ash_status ash__gpu_factor_exchange(ash__gpu_factoring *f, const ash__gpu_factor_matrix *a, const ash__gpu_factor_matrix *pivot,
                                    int64_t col, int64_t cols, int64_t first, int64_t steps);
/* The end of LU and CHOLESKY: what is not of a factor, and what could not be computed. */
ash_status ash__gpu_factor_spoil(ash__gpu_factoring *f, const ash__gpu_factor_matrix *a, const ash__gpu_factor_matrix *pivot);

/* ---- factor_theirs.c: by a library of the device's maker; false: it is for our kernels */

/* LU, CHOLESKY (the lower triangle) and QR, with all that belongs to them. */
bool ash__gpu_factor_theirs(ash__gpu_factoring *f, const ash__gpu_factor_matrix *a, const ash__gpu_factor_matrix *vector,
                            ash_status *status);
/* TRIANGULAR; with pivots, which are rows, LU_SOLVE. */
bool ash__gpu_solve_theirs(ash__gpu_factoring *f, const ash__gpu_factor_matrix *a, const ash__gpu_factor_matrix *pivot,
                           const ash__gpu_factor_matrix *b, ash_status *status);
#endif
