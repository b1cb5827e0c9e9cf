/* alltoall.c - a part of every rank's array for every rank. */
#include "mpi/exchange.h"

ash_status ash_mpi_alltoall_opt(ash_array *out, const ash_array *a, MPI_Comm comm, const ash_mpi_options *options)
{
    return ash__mpi_exchange_all("ash_mpi_alltoall", false, out, a, comm, options);
}
