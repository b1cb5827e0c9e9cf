/*
 * sendrecv.c - one array sent and another received.
 *
 * Started both, then the message that comes is looked at before it is taken: so one of another size is an error as in
 * ash_mpi_recv, and what was sent still arrives.
 */
#include <ashlar/array.h>

#include "mpi/transfer.h"

static ash_status exchange(const char *f, const ash_mpi_message *from, int dest, const ash_mpi_message *to, int source, int tag,
                           MPI_Comm comm, const ash__mpi_expected *expected)
{
    MPI_Request sending;
    MPI_Status found;
    ash_status status = ash__mpi_result(f, MPI_Isend(from->address, from->count, from->datatype, dest, tag, comm, &sending));
    if (status)
        return status;
    status = ash__mpi_result(f, MPI_Probe(source, tag, comm, &found));
    if (!status)
        status = ash__mpi_check_received(f, expected, &found);
    if (!status)
        status = ash__mpi_result(
            f, MPI_Recv(to->address, to->count, to->datatype, found.MPI_SOURCE, found.MPI_TAG, comm, MPI_STATUS_IGNORE));
    const ash_status sent = ash__mpi_result(f, MPI_Wait(&sending, MPI_STATUS_IGNORE));
    return status ? status : sent;
}

ash_status ash__mpi_exchange(const char *f, const ash_array *a, int dest, ash_array *out, int source, int tag, MPI_Comm comm,
                             ash_layout order)
{
    ash_mpi_message from = {.datatype = MPI_DATATYPE_NULL}, to = {.datatype = MPI_DATATYPE_NULL};
    ash__mpi_expected expected = {.array = out};
    int64_t sent;
    ash_status status = ash__mpi_message_whole(f, "a", a, false, order, &from, &sent);
    if (!status)
        status = ash__mpi_message_whole(f, "out", out, true, order, &to, &expected.bytes);
    if (!status)
        status = ash__mpi_check_peer(f, "dest", dest, comm);
    if (!status)
        status = ash__mpi_check_source(f, source, comm);
    if (!status)
        status = exchange(f, &from, dest, &to, source, tag, comm, &expected);
    ash_mpi_buffer_release(&from);
    ash_mpi_buffer_release(&to);
    return status;
}

ash_status ash_mpi_sendrecv_opt(const ash_array *a, int dest, ash_array *out, int source, int tag, MPI_Comm comm,
                                const ash_mpi_options *options)
{
    static const char f[] = "ash_mpi_sendrecv";
    ash_mpi_options o;
    if (!ash_read_options(f, &o, sizeof o, options))
        return ASH_ERR_ARGUMENT;
    ash_status status = ash__mpi_enter(f, comm);
    if (status)
        return status;
    if (a && out && ash_shares_memory(a, out))
        status = ash__mpi_fail(ASH_ERR_ARGUMENT, f, "a and out share memory");
    else
        status = ash__mpi_exchange(f, a, dest, out, source, tag, comm, o.order);
    ash__mpi_leave(comm);
    return status;
}
