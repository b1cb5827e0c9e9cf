/*
 * exchange.c - every rank gets a part from every rank.
 *
 * Dense arrays go through MPI_Allgather and MPI_Alltoall. Else, and where a count does not fit an int, step k exchanges with
 * the ranks k before and behind, message by message: parts of views have datatypes of their own, so nothing is copied.
 */
#include "mpi/exchange.h"

#include <ashlar/array.h>
#include <ashlar/dtype.h>
#include <limits.h>

typedef struct parts {
    ash__mpi_group group;
    bool all;
    ash__mpi_layout out, a;
    int64_t elements; /* in a part */
} parts;

static ash_status check(parts *p, ash_array *out, const ash_array *a, const ash_mpi_options *o)
{
    const char *f = p->group.function;
    ash_status status = ash__mpi_layout_of(f, "a", a, false, o->order, &p->a);
    if (!status)
        status = ash__mpi_layout_of(f, "out", out, true, o->order, &p->out);
    if (status)
        return status;
    const int64_t ranks = p->group.ranks;
    ash__mpi_say_array(&p->group, &p->a);
    p->group.strided |= !p->out.dense;
    p->elements = p->all ? p->a.elements : p->a.elements / ranks;
    if (p->out.dtype != p->a.dtype)
        return ash__mpi_fail(ASH_ERR_DTYPE, f, "out is %s, but a is %s", ash_dtype_name(p->out.dtype),
                             ash_dtype_name(p->a.dtype));
    if (!p->all && p->a.elements % ranks)
        return ash__mpi_fail(ASH_ERR_SHAPE, f, "a has %lld elements, which are no equal parts for %lld ranks",
                             (long long)p->a.elements, (long long)ranks);
    if (p->out.elements != p->elements * ranks)
        return ash__mpi_fail(ASH_ERR_SHAPE, f, "out has %lld elements; %lld are wanted", (long long)p->out.elements,
                             (long long)(p->elements * ranks));
    if (ash_shares_memory(out, a))
        return ash__mpi_fail(ASH_ERR_ARGUMENT, f, "out and a share memory");
    return ASH_OK;
}

/* The part for rank `to` goes there, and that of rank `from` comes. */
static ash_status step(const parts *p, int to, int from)
{
    const char *f = p->group.function;
    ash_mpi_message here = {.datatype = MPI_DATATYPE_NULL}, there = here;
    const ash_status made = ash__mpi_message_of(f, &p->a, p->all ? 0 : to * p->elements, p->elements, &there);
    ash_status status = ash__mpi_message_of(f, &p->out, from * p->elements, p->elements, &here);
    status = made ? made : status;
    if (!status)
        status = ash__mpi_result(f, MPI_Sendrecv(there.address, there.count, there.datatype, to, 0, here.address, here.count,
                                                 here.datatype, from, 0, p->group.comm, MPI_STATUS_IGNORE));
    ash_mpi_buffer_release(&here);
    ash_mpi_buffer_release(&there);
    return status;
}

static ash_status steps(const parts *p)
{
    const int ranks = p->group.ranks, me = p->group.rank;
    ash_status status = ASH_OK;
    for (int k = 0; k < ranks && !status; k++)
        status = step(p, (me + k) % ranks, (me - k + ranks) % ranks);
    return status;
}

static ash_status dense(const parts *p)
{
    const int n = (int)(p->elements * p->a.parts);
    return ash__mpi_result(p->group.function, (p->all ? MPI_Allgather : MPI_Alltoall)(p->a.first, n, p->a.unit, p->out.first, n,
                                                                                      p->a.unit, p->group.comm));
}

ash_status ash__mpi_exchange_all(const char *function, bool all, ash_array *out, const ash_array *a, MPI_Comm comm,
                                 const ash_mpi_options *options)
{
    parts p = {.all = all};
    ash_mpi_options o;
    ash_status status = ash__mpi_begin_group(function, comm, &p.group);
    if (status)
        return status;
    status = ash__mpi_read_options(function, &o, sizeof o, options);
    if (!status)
        status = check(&p, out, a, &o);
    status = ash__mpi_agree(&p.group, status);
    if (!status)
        status = p.group.strided || ash__mpi_units(&p.out) > INT_MAX ? steps(&p) : dense(&p);
    ash__mpi_end_group(&p.group);
    return status;
}
