/*
 * call.h - around every call of MPI: is it there, its errors as ours.
 *
 * A communicator whose error handler aborts, which is MPI's default, would end the program at the first error. So the handlers
 * of the communicators that a call concerns are set to return the code, and put back afterwards.
 */
#ifndef ASH__MPI_CALL_H
#define ASH__MPI_CALL_H
#include <stdint.h>

#include "ashlar/extend.h"
#include "ashlar/mpi.h"

ash_status ash__mpi_fail(ash_status status, const char *function, const char *format, ...)
    __attribute__((format(printf, 3, 4), cold));
/* The status of an MPI code, reported with MPI's text unless it is MPI_SUCCESS. */
ash_status ash__mpi_result(const char *function, int code);

/* Is MPI running, and comm a communicator? Then errors of comm and of handles without one are returned until ash__mpi_leave,
 * which has to be called if this gave ASH_OK, and only then. */
ash_status ash__mpi_enter(const char *function, MPI_Comm comm);
void ash__mpi_leave(MPI_Comm comm);

/* Between MPI_Init and MPI_Finalize? Never fails. */
bool ash__mpi_running(void);

/* 0 <= rank < size of comm; else an argument error with the argument's name. */
ash_status ash__mpi_check_rank(const char *function, const char *name, int rank, MPI_Comm comm);

/* Calls `end` when MPI_Finalize begins, once. For what is kept from call to call. */
ash_status ash__mpi_at_end(const char *function, void (*end)(void));

/* ash_read_options, with a status. */
ash_status ash__mpi_read_options(const char *function, void *to, size_t size, const void *from);

/* Does the MPI library say that it reads and writes the memory of devices? */
bool ash__mpi_device_aware(void);

/* The lock of all that calls share. */
void ash__mpi_lock(void);
void ash__mpi_unlock(void);
#endif
