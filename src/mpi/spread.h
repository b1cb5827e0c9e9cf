/* spread.h - one array on the root, in parts that lie on the ranks: what gather and scatter share. */
#ifndef ASH__MPI_SPREAD_H
#define ASH__MPI_SPREAD_H
#include "mpi/group.h"

typedef struct ash__mpi_spread {
    const char *function;
    bool gathers; /* the parts go into the whole; else they come from it */
    bool varying; /* the parts may be of different sizes */
    const char *whole_name, *part_name;
    const ash_array *whole; /* on the root */
    const ash_array *part;
    int root;
} ash__mpi_spread;

ash_status ash__mpi_do_spread(const ash__mpi_spread *spread, MPI_Comm comm, const ash_mpi_spread_options *options);
#endif
