/* exchange.h - every rank gets a part from every rank: what allgather and alltoall share. */
#ifndef ASH__MPI_EXCHANGE_H
#define ASH__MPI_EXCHANGE_H
#include "mpi/group.h"

/* all: each rank's whole array goes to all; else its r-th part goes to rank r. */
ash_status ash__mpi_exchange_all(const char *function, bool all, ash_array *out, const ash_array *a, MPI_Comm comm,
                                 const ash_mpi_options *options);
#endif
