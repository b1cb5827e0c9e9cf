/*
 * sendrecv.c - one array sent and another received.
 *
 * The message that comes is looked at before it is taken. One of another size is dropped, for the other side may wait until
 * it is taken before it takes ours. (Not by receiving it into too small a place: Open MPI 4.1 writes on, when it is a message
 * to oneself.)
 */
#include <ashlar/array.h>
#include <stdlib.h>

#include "mpi/transfer.h"

/* Receives a message into memory of its own, and forgets it. */
static void drop(const char *f, const MPI_Status *found, MPI_Comm comm)
{
    MPI_Count bytes = 0;
    MPI_Get_elements_x(found, MPI_BYTE, &bytes);
    const ash__mpi_layout all = {.first = malloc((size_t)bytes + 1),
                                 .unit = MPI_BYTE,
                                 .unit_bytes = 1,
                                 .parts = 1,
                                 .elements = (int64_t)bytes,
                                 .dense = true,
                                 .rank = 1,
                                 .size = {(int64_t)bytes},
                                 .stride = {1}};
    ash_mpi_message message;
    if (all.first && !ash__mpi_message_of(f, &all, 0, all.elements, &message)) {
        MPI_Recv(message.address, message.count, message.datatype, found->MPI_SOURCE, found->MPI_TAG, comm, MPI_STATUS_IGNORE);
        ash_mpi_buffer_release(&message);
    }
    free(all.first);
}

static ash_status take(const char *f, const ash_mpi_message *to, const MPI_Status *found, MPI_Comm comm,
                       const ash__mpi_expected *expected)
{
    const ash_status status = ash__mpi_check_received(f, expected, found);
    if (!status)
        return ash__mpi_result(
            f, MPI_Recv(to->address, to->count, to->datatype, found->MPI_SOURCE, found->MPI_TAG, comm, MPI_STATUS_IGNORE));
    drop(f, found, comm);
    return status;
}

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
        status = take(f, to, &found, comm, expected);
    const ash_status sent = ash__mpi_result(f, MPI_Wait(&sending, MPI_STATUS_IGNORE));
    return status ? status : sent;
}

static ash_status sendrecv(const char *f, const ash_array *a, int dest, ash_array *out, int source, int tag, MPI_Comm comm,
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
        status = sendrecv(f, a, dest, out, source, tag, comm, o.order);
    ash__mpi_leave(comm);
    return status;
}
