/* gather.c - the arrays of all ranks, one behind the other on one of them. */
#include "mpi/spread.h"

static ash_status gather(const char *function, bool varying, ash_array *out, const ash_array *a, int root, MPI_Comm comm,
                         const ash_mpi_spread_options *options)
{
    const ash__mpi_spread spread = {.function = function,
                                    .gathers = true,
                                    .varying = varying,
                                    .whole_name = "out",
                                    .part_name = "a",
                                    .whole = out,
                                    .part = a,
                                    .root = root};
    return ash__mpi_do_spread(&spread, comm, options);
}

ash_status ash_mpi_gather_opt(ash_array *out, const ash_array *a, int root, MPI_Comm comm,
                              const ash_mpi_spread_options *options)
{
    return gather("ash_mpi_gather", false, out, a, root, comm, options);
}

ash_status ash_mpi_gatherv_opt(ash_array *out, const ash_array *a, int root, MPI_Comm comm,
                               const ash_mpi_spread_options *options)
{
    return gather("ash_mpi_gatherv", true, out, a, root, comm, options);
}
