/*
 * operator.h - what a reduction does with two elements: an operator of MPI's where that is what ash_reduce would do, else the
 * library's own function on them.
 */
#ifndef ASH__MPI_OPERATOR_H
#define ASH__MPI_OPERATOR_H
#include "mpi/layout.h"

typedef struct ash__mpi_operator {
    MPI_Op op;
    MPI_Datatype type;            /* of what is combined; freed by ash__mpi_end_operator where it was made */
    int64_t parts;                /* how many of them in an element */
    bool made;                    /* type: an element of several numbers that must stay together */
    ash_dtype dtype;              /* in which elements are combined: wider than the array's for f16 and bf16 */
    const ash_function *function; /* of an operator of our own */
    ash_function *compiled;       /* the same, when it is to be released */
} ash__mpi_operator;

/* text: "+" "*" "min" "max" "&&" "||" "&" "|" "^", or a function string. Ended by ash__mpi_end_operator after ASH_OK. */
ash_status ash__mpi_operator_for(const char *function, const char *text, ash_dtype dtype, ash__mpi_operator *op);
void ash__mpi_end_operator(ash__mpi_operator *op);

/* The operator of this thread's reduction, which MPI calls without a word of whose it is. After it: how it went. */
void ash__mpi_begin_combining(const ash__mpi_operator *op);
ash_status ash__mpi_end_combining(const char *function);
#endif
