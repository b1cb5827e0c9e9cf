/* allgather.c - the arrays of all ranks, one behind the other on all of them. */
#include "mpi/exchange.h"

ash_status ash_mpi_allgather_opt(ash_array *out, const ash_array *a, MPI_Comm comm, const ash_mpi_options *options)
{
    return ash__mpi_exchange_all("ash_mpi_allgather", true, out, a, comm, options);
}
