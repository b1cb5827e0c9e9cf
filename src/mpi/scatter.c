/* scatter.c - parts of one rank's array for all. */
#include "mpi/spread.h"

static ash_status scatter(const char *function, bool varying, ash_array *out, const ash_array *a, int root, MPI_Comm comm,
                          const ash_mpi_spread_options *options)
{
    const ash__mpi_spread spread = {.function = function,
                                    .gathers = false,
                                    .varying = varying,
                                    .whole_name = "a",
                                    .part_name = "out",
                                    .whole = a,
                                    .part = out,
                                    .root = root};
    return ash__mpi_do_spread(&spread, comm, options);
}

ash_status ash_mpi_scatter_opt(ash_array *out, const ash_array *a, int root, MPI_Comm comm,
                               const ash_mpi_spread_options *options)
{
    return scatter("ash_mpi_scatter", false, out, a, root, comm, options);
}

ash_status ash_mpi_scatterv_opt(ash_array *out, const ash_array *a, int root, MPI_Comm comm,
                                const ash_mpi_spread_options *options)
{
    return scatter("ash_mpi_scatterv", true, out, a, root, comm, options);
}
