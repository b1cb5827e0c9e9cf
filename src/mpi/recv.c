/*
 * recv.c - one array from another process.
 *
 * The message is looked at first: one of another size stays where it is, and nothing has been written. MPI orders the messages
 * of one sender, so the one that is received then is the one looked at, as long as no other thread receives from the same
 * source and tag.
 */
#include <ashlar/array.h>
#include <ashlar/dtype.h>

#include "mpi/transfer.h"

ash_status ash__mpi_check_source(const char *function, int source, MPI_Comm comm)
{
    return source == MPI_ANY_SOURCE ? ASH_OK : ash__mpi_check_peer(function, "source", source, comm);
}

ash_status ash__mpi_check_received(const char *function, const ash__mpi_expected *x, const MPI_Status *status)
{
    if (status->MPI_SOURCE == MPI_PROC_NULL) {
        if (x->received)
            *x->received = (ash_mpi_received){.source = MPI_PROC_NULL, .tag = MPI_ANY_TAG};
        return ASH_OK;
    }
    MPI_Count count = 0;
    const int code = MPI_Get_elements_x(status, MPI_BYTE, &count);
    if (code != MPI_SUCCESS)
        return ash__mpi_result(function, code);
    const int64_t bytes = (int64_t)count, item = (int64_t)ash_dtype_size(ash_dtype_of(x->array));
    if (bytes > x->bytes || bytes % item || (bytes < x->bytes && !x->shorter))
        return ash__mpi_fail(ASH_ERR_SHAPE, function,
                             "the message from rank %d has %lld bytes; a has shape %s, %lld bytes of %s%s", status->MPI_SOURCE,
                             (long long)bytes, ash_shape_text(x->array), (long long)x->bytes,
                             ash_dtype_name(ash_dtype_of(x->array)),
                             bytes < x->bytes && bytes % item == 0 ? " (pass .shorter = true to take fewer)" : "");
    if (x->received)
        *x->received = (ash_mpi_received){.source = status->MPI_SOURCE, .tag = status->MPI_TAG, .count = bytes / item};
    return ASH_OK;
}

static ash_status receive(const char *f, ash_array *a, int source, int tag, MPI_Comm comm, const ash_mpi_recv_options *o)
{
    ash_mpi_message message = {.datatype = MPI_DATATYPE_NULL};
    ash__mpi_expected expected = {.array = a, .shorter = o->shorter, .received = o->received};
    MPI_Status found;
    ash_status status = ash__mpi_message_whole(f, "a", a, true, o->order, &message, &expected.bytes);
    if (!status)
        status = ash__mpi_check_source(f, source, comm);
    if (!status)
        status = ash__mpi_result(f, MPI_Probe(source, tag, comm, &found));
    if (!status)
        status = ash__mpi_check_received(f, &expected, &found);
    if (!status)
        status = ash__mpi_result(f, MPI_Recv(message.address, message.count, message.datatype, found.MPI_SOURCE, found.MPI_TAG,
                                             comm, MPI_STATUS_IGNORE));
    ash_mpi_buffer_release(&message);
    return status;
}

ash_status ash_mpi_recv_opt(ash_array *a, int source, int tag, MPI_Comm comm, const ash_mpi_recv_options *options)
{
    static const char f[] = "ash_mpi_recv";
    ash_mpi_recv_options o;
    if (!ash_read_options(f, &o, sizeof o, options))
        return ASH_ERR_ARGUMENT;
    ash_status status = ash__mpi_enter(f, comm);
    if (status)
        return status;
    status = receive(f, a, source, tag, comm, &o);
    ash__mpi_leave(comm);
    return status;
}
