/*
 * types.h - messages: address, count and datatype of the elements of a layout, or of some of them in a row.
 *
 * Derived datatypes are kept from call to call, for a program sends the same views over and over.
 */
#ifndef ASH__MPI_TYPES_H
#define ASH__MPI_TYPES_H
#include "mpi/layout.h"

/* The elements from `start` on, `count` of them. Ended by ash_mpi_buffer_release, the datatype being MPI_DATATYPE_NULL after a
 * failure. */
ash_status ash__mpi_message_of(const char *function, const ash__mpi_layout *layout, int64_t start, int64_t count,
                               ash_mpi_message *message);
/* Of an array: all of it. */
ash_status ash__mpi_message_whole(const char *function, const char *name, const ash_array *a, bool writes, ash_layout order,
                                  ash_mpi_message *message, int64_t *bytes);
#endif
