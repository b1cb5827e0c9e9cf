/*
 * request.c - messages under way.
 *
 * A request holds a view of the array, not the array: the memory stays whatever becomes of the handle, ash_discard included.
 */
#include <ashlar/array.h>
#include <ashlar/error.h>
#include <ashlar/view.h>
#include <stdlib.h>

#include "mpi/transfer.h"

struct ash_mpi_request {
    MPI_Request request;
    MPI_Comm comm;
    ash_mpi_message message;
    ash_array *held;
    bool receives, done;
    MPI_Status status;
    int code; /* of the test that found it done */
    ash__mpi_expected expected;
};

/* A view of all of a that no scope has. */
static ash_array *hold(const ash_array *a)
{
    const int64_t barrier = ash_scope_open_barrier();
    ash_array *held = barrier < 0 ? NULL : ash_view_at(a, NULL, 0);
    ash_scope_close(barrier);
    return held;
}

static void end(ash_mpi_request *r)
{
    ash_mpi_buffer_release(&r->message);
    ash_release(r->held);
    free(r);
}

/* All but the start. NULL with an error. */
static ash_mpi_request *prepare(const char *f, const ash_array *a, bool receives, MPI_Comm comm, ash_layout order)
{
    ash_mpi_request *r = malloc(sizeof *r);
    if (!r) {
        ash__mpi_fail(ASH_ERR_MEMORY, f, "no memory for a request");
        return NULL;
    }
    *r = (ash_mpi_request){.request = MPI_REQUEST_NULL, .comm = comm, .receives = receives};
    if (!ash__mpi_message_whole(f, "a", a, receives, order, &r->message, &r->expected.bytes))
        r->held = hold(a);
    r->expected.array = r->held;
    if (!r->held) {
        end(r);
        return NULL;
    }
    return r;
}

ash_mpi_request *ash_mpi_isend_opt(const ash_array *a, int dest, int tag, MPI_Comm comm, const ash_mpi_options *options)
{
    static const char f[] = "ash_mpi_isend";
    ash_mpi_options o;
    if (!ash_read_options(f, &o, sizeof o, options) || ash__mpi_enter(f, comm))
        return NULL;
    ash_mpi_request *r = ash__mpi_check_peer(f, "dest", dest, comm) ? NULL : prepare(f, a, false, comm, o.order);
    if (r && ash__mpi_result(
                 f, MPI_Isend(r->message.address, r->message.count, r->message.datatype, dest, tag, comm, &r->request))) {
        end(r);
        r = NULL;
    }
    ash__mpi_leave(comm);
    return r;
}

ash_mpi_request *ash_mpi_irecv_opt(ash_array *a, int source, int tag, MPI_Comm comm, const ash_mpi_recv_options *options)
{
    static const char f[] = "ash_mpi_irecv";
    ash_mpi_recv_options o;
    if (!ash_read_options(f, &o, sizeof o, options) || ash__mpi_enter(f, comm))
        return NULL;
    ash_mpi_request *r = ash__mpi_check_source(f, source, comm) ? NULL : prepare(f, a, true, comm, o.order);
    if (r) {
        r->expected.shorter = o.shorter;
        r->expected.received = o.received;
        if (ash__mpi_result(
                f, MPI_Irecv(r->message.address, r->message.count, r->message.datatype, source, tag, comm, &r->request))) {
            end(r);
            r = NULL;
        }
    }
    ash__mpi_leave(comm);
    return r;
}

/* A NULL: passes a pending error on, as arrays do. */
static ash_status refuse_null(const char *f)
{
    ash_elements none;
    return ash_elements_of(f, "request", NULL, false, &none, sizeof none);
}

ash_status ash_mpi_wait(ash_mpi_request *r)
{
    static const char f[] = "ash_mpi_wait";
    if (!r)
        return refuse_null(f);
    ash_status status = ash__mpi_enter(f, r->comm);
    if (status) /* MPI has ended, and the message with it */
        return end(r), status;
    if (!r->done)
        r->code = MPI_Wait(&r->request, &r->status);
    status = ash__mpi_result(f, r->code);
    if (!status && r->receives)
        status = ash__mpi_check_received(f, &r->expected, &r->status);
    ash__mpi_leave(r->comm);
    end(r);
    return status;
}

ash_status ash_mpi_wait_all(ash_mpi_request *const *requests, int64_t count)
{
    ash_status first = ASH_OK;
    if (count && !requests)
        return refuse_null("ash_mpi_wait_all");
    for (int64_t i = 0; i < count; i++) {
        const ash_status status = requests[i] ? ash_mpi_wait(requests[i]) : ASH_OK;
        first = first ? first : status;
    }
    return first;
}

bool ash_mpi_test(ash_mpi_request *r)
{
    static const char f[] = "ash_mpi_test";
    int done = 0;
    if (!r)
        return refuse_null(f), false;
    if (r->done || ash__mpi_enter(f, r->comm))
        return r->done;
    const int code = MPI_Test(&r->request, &done, &r->status);
    r->done = done || code != MPI_SUCCESS;
    r->code = code;
    ash__mpi_leave(r->comm);
    return r->done;
}
