/*
 * layout.h - an array as MPI sees it: where its first number lies, and nested loops of steps over the others.
 *
 * The unit is a predefined datatype: an element is `parts` of them (two for a complex integer, as many bytes as a record has).
 * Loops that continue one another are joined, so a dense array is one loop and a slice of rows is two, whatever the rank.
 */
#ifndef ASH__MPI_LAYOUT_H
#define ASH__MPI_LAYOUT_H
#include "mpi/call.h"

typedef struct ash__mpi_layout {
    char *first;
    ash_dtype dtype;
    MPI_Datatype unit;
    int64_t unit_bytes;
    int64_t parts; /* units in an element */
    int64_t elements;
    bool dense; /* the units lie one behind the other, in the order of the message */
    int rank;   /* loops, the outermost first; 0: one unit, or none */
    int64_t size[ASH_MAX_RANK + 1];
    int64_t stride[ASH_MAX_RANK + 1]; /* bytes */
} ash__mpi_layout;

/* The unit of a dtype: dtype, unit, unit_bytes and parts are set, all else is 0. */
void ash__mpi_unit_of(ash_dtype dtype, ash__mpi_layout *layout);
/* Reads an array. What cannot be a message is refused: see mpi.h. order 0 is row-major. */
ash_status ash__mpi_layout_of(const char *function, const char *name, const ash_array *a, bool writes, ash_layout order,
                              ash__mpi_layout *layout);
static inline int64_t ash__mpi_units(const ash__mpi_layout *l)
{
    return l->elements * l->parts;
}
static inline int64_t ash__mpi_item(const ash__mpi_layout *l)
{
    return l->parts * l->unit_bytes;
}
/* A number that is equal for equal dtypes in all processes, whatever the order in which records were described. */
int64_t ash__mpi_dtype_key(ash_dtype dtype);
#endif
