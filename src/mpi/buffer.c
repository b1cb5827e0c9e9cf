/* buffer.c - an array as the arguments of MPI's own functions. */
#include "mpi/types.h"

ash_mpi_message ash_mpi_buffer_opt(const ash_array *a, const ash_mpi_options *options)
{
    static const char f[] = "ash_mpi_buffer";
    ash_mpi_message message = {.datatype = MPI_DATATYPE_NULL};
    ash_mpi_options o;
    int64_t bytes;
    if (!ash_read_options(f, &o, sizeof o, options) || ash__mpi_enter(f, MPI_COMM_WORLD))
        return message;
    ash__mpi_message_whole(f, "a", a, false, o.order, &message, &bytes);
    ash__mpi_leave(MPI_COMM_WORLD);
    return message;
}
