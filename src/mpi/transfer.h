/* transfer.h - what sending, receiving and requests share. */
#ifndef ASH__MPI_TRANSFER_H
#define ASH__MPI_TRANSFER_H
#include "mpi/types.h"

/* A rank of comm, or MPI_PROC_NULL. */
ash_status ash__mpi_check_peer(const char *function, const char *name, int rank, MPI_Comm comm);
/* The same, or MPI_ANY_SOURCE. */
ash_status ash__mpi_check_source(const char *function, int source, MPI_Comm comm);

/* What is expected of a message. */
typedef struct ash__mpi_expected {
    const ash_array *array;
    int64_t bytes;              /* of the array */
    bool shorter;               /* fewer are fine */
    ash_mpi_received *received; /* filled in, or NULL */
} ash__mpi_expected;

/* Is the message that the status tells of one that was expected? */
ash_status ash__mpi_check_received(const char *function, const ash__mpi_expected *expected, const MPI_Status *status);
#endif
