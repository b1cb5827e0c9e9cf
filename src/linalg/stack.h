/*
 * stack.h - the last two axes of an array as a stack of matrices, on the host in the form that LAPACK wants.
 *
 * Temporaries of a stack have the shape (count, columns, rows), dense, so that each matrix lies in column-major order; they
 * belong to the caller alone when made inside a barrier. Results are new arrays in the caller's scope.
 */
#ifndef ASH__STACK_H
#define ASH__STACK_H
#include "core/array.h"

typedef struct ash__stack {
    const char *function;
    const ash_array *a;
    ash_resources *given, *resources;
    ash_dtype dtype; /* computed in: f32, f64 or complex of these */
    int64_t outer;   /* axes in front of the last two */
    int64_t count, rows, columns;
} ash__stack;

/* Checks a: rank 2 or more, numbers (integers and bool are taken as f64, f16 and bf16 as f32), on a device that computes in
 * that dtype. Waits for it. */
ash_status ash__stack_begin(ash__stack *s, const char *function, const ash_array *a, ash_resources *given);
ash_status ash__stack_square(const ash__stack *s);
/* The stack's elements, converted. */
ash_array *ash__stack_copy(const ash__stack *s);
/* Uninitialised: matrices of another size and dtype; columns 1 for vectors. */
ash_array *ash__stack_temporary(const ash__stack *s, ash_dtype dtype, int64_t rows, int64_t columns);
/* ASH_ERR_VALUE naming an element of copy that is not finite, where there is one. triangle: 0 for all, 'U' or 'L' for that one
 * alone. */
ash_status ash__stack_finite(const ash__stack *s, const ash_array *copy, char triangle);
/* Are all of n values of the part's dtype finite? What a LAPACK gives back is not taken on trust. */
bool ash__stack_sound(ash_dtype dtype, const void *values, int64_t n);
/* A temporary as a result: matrices, or vectors of the axis `rows`. Layout, storage and memory are those of a. */
ash_array *ash__stack_result(const ash__stack *s, const ash_array *temporary, bool vectors);
/* Brings a matrix whose largest element is very small or very large near 1, by a power of two: gives back its exponent, which
 * ash__stack_unscale adds to count values of the part's dtype. 0: nothing was done. */
int ash__stack_scale(ash_dtype dtype, void *matrix, int64_t elements);
void ash__stack_unscale(ash_dtype dtype, void *values, int64_t count, int exponent);
/* Matrix number i of a temporary, and in words: "matrix (0, 2): ", or nothing where there is but one. */
char *ash__stack_at(const ash_array *temporary, int64_t i);
const char *ash__stack_name(const ash__stack *s, int64_t i, char *buffer, size_t size);
#endif
