/* gather.c - the arrays of all ranks, one behind the other on one of them. */
#include "mpi/spread.h"

ash_status ash_mpi_gather_opt(ash_array *out, const ash_array *a, int root, MPI_Comm comm,
                              const ash_mpi_spread_options *options)
{
    const ash__mpi_spread spread = {.function = "ash_mpi_gather",
                                    .gathers = true,
                                    .varying = false,
                                    .whole_name = "out",
                                    .part_name = "a",
                                    .whole = out,
                                    .part = a,
                                    .root = root};
    return ash__mpi_do_spread(&spread, comm, options);
}

ash_status ash_mpi_gatherv_opt(ash_array *out, const ash_array *a, int root, MPI_Comm comm,
                               const ash_mpi_spread_options *options)
{
    const ash__mpi_spread spread = {.function = "ash_mpi_gatherv",
                                    .gathers = true,
                                    .varying = true,
                                    .whole_name = "out",
                                    .part_name = "a",
                                    .whole = out,
                                    .part = a,
                                    .root = root};
    return ash__mpi_do_spread(&spread, comm, options);
}
