/*
 * group.h - functions that all ranks of a communicator call together.
 *
 * They work in a duplicate of the communicator, so that their messages are never taken for the program's; it is made by the
 * first of them and kept as an attribute. Before any element moves the ranks agree that the call is the same on all of them.
 */
#ifndef ASH__MPI_GROUP_H
#define ASH__MPI_GROUP_H
#include "mpi/types.h"

enum { ASH__MPI_FACTS = 8 };

typedef struct ash__mpi_fact {
    ash_status status; /* of the error when it is not the same everywhere */
    const char *what;
    bool number; /* a message tells the values; else they are numbers for texts and the like */
    int64_t value;
} ash__mpi_fact;

typedef struct ash__mpi_group {
    const char *function;
    MPI_Comm given, comm; /* the program's; the duplicate, which has the same ranks and returns errors */
    int rank, ranks;
    bool strided; /* set before ash__mpi_agree: here; after: anywhere */
    int facts;
    ash__mpi_fact fact[ASH__MPI_FACTS];
} ash__mpi_group;

/* Ended by ash__mpi_end_group when this gave ASH_OK, and only then. */
ash_status ash__mpi_begin_group(const char *function, MPI_Comm comm, ash__mpi_group *group);
void ash__mpi_end_group(ash__mpi_group *group);

/* What has to be the same on all ranks. Each rank names the same facts in the same order, or has failed. */
void ash__mpi_say_number(ash__mpi_group *group, ash_status status, const char *what, int64_t value);
/* What a message does not show: texts, lists and the like, by their bytes. */
void ash__mpi_say_bytes(ash__mpi_group *group, const char *what, const void *bytes, size_t n);
void ash__mpi_say_dtype(ash__mpi_group *group, ash_dtype dtype);
/* Dtype and size; whether it is strided. */
void ash__mpi_say_array(ash__mpi_group *group, const ash__mpi_layout *layout);

/* status: of what was checked here. ASH_OK when all ranks have it and agree; else a failure on every rank. */
ash_status ash__mpi_agree(ash__mpi_group *group, ash_status status);

/* Messages inside a group; other things than sizes have been settled. NULL request: waits. */
ash_status ash__mpi_pass(const ash__mpi_group *group, const ash_mpi_message *message, int dest, MPI_Request *request);
ash_status ash__mpi_take(const ash__mpi_group *group, const ash_mpi_message *message, int source, MPI_Request *request);
#endif
