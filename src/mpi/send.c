/* send.c - one array from one process to another. */
#include "mpi/transfer.h"

ash_status ash__mpi_check_peer(const char *function, const char *name, int rank, MPI_Comm comm)
{
    return rank == MPI_PROC_NULL ? ASH_OK : ash__mpi_check_rank(function, name, rank, comm);
}

static ash_status send(const char *f, const ash_array *a, int dest, int tag, MPI_Comm comm, ash_layout order)
{
    ash_mpi_message message = {.datatype = MPI_DATATYPE_NULL};
    int64_t bytes;
    ash_status status = ash__mpi_message_whole(f, "a", a, false, order, &message, &bytes);
    if (!status)
        status = ash__mpi_check_peer(f, "dest", dest, comm);
    if (!status)
        status = ash__mpi_result(f, MPI_Send(message.address, message.count, message.datatype, dest, tag, comm));
    ash_mpi_buffer_release(&message);
    return status;
}

ash_status ash_mpi_send_opt(const ash_array *a, int dest, int tag, MPI_Comm comm, const ash_mpi_options *options)
{
    static const char f[] = "ash_mpi_send";
    ash_mpi_options o;
    if (!ash_read_options(f, &o, sizeof o, options))
        return ASH_ERR_ARGUMENT;
    ash_status status = ash__mpi_enter(f, comm);
    if (status)
        return status;
    status = send(f, a, dest, tag, comm, o.order);
    ash__mpi_leave(comm);
    return status;
}
