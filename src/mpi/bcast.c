/*
 * bcast.c - the elements of one rank for all.
 *
 * Dense arrays go through MPI_Bcast, a billion units at a time. When a rank has a strided one, MPI's own algorithms are no
 * help: they cut a message by counts of its datatype, which differ between the ranks then. So the message goes down a binomial
 * tree, whole, from view to view.
 */
#include "mpi/group.h"

static ash_status dense(const ash__mpi_group *g, const ash__mpi_layout *l, int root)
{
    enum { MOST = 1 << 30 };
    const int64_t units = ash__mpi_units(l);
    ash_status status = ASH_OK;
    for (int64_t at = 0; at < units && !status; at += MOST) {
        const int n = (int)(units - at < MOST ? units - at : MOST);
        status = ash__mpi_result(g->function, MPI_Bcast(l->first + at * l->unit_bytes, n, l->unit, root, g->comm));
    }
    return status;
}

/* Ranks are counted from the root: rank r has the message from r with its highest bit cleared. */
static ash_status tree(const ash__mpi_group *g, const ash_mpi_message *message, int root)
{
    const int me = (g->rank - root + g->ranks) % g->ranks;
    int bit = 1;
    ash_status status = ASH_OK;
    while (bit <= me)
        bit <<= 1;
    if (me)
        status = ash__mpi_take(g, message, (me - bit / 2 + root) % g->ranks, NULL);
    for (; me + bit < g->ranks && !status; bit <<= 1)
        status = ash__mpi_pass(g, message, (me + bit + root) % g->ranks, NULL);
    return status;
}

ash_status ash_mpi_bcast_opt(ash_array *a, int root, MPI_Comm comm, const ash_mpi_options *options)
{
    static const char f[] = "ash_mpi_bcast";
    ash_mpi_message message = {.datatype = MPI_DATATYPE_NULL};
    ash_mpi_options o;
    ash__mpi_group g;
    ash__mpi_layout layout;
    ash_status status = ash__mpi_begin_group(f, comm, &g);
    if (status)
        return status;
    status = ash__mpi_read_options(f, &o, sizeof o, options);
    if (!status)
        status = ash__mpi_check_rank(f, "root", root, g.comm);
    if (!status)
        status = ash__mpi_layout_of(f, "a", a, g.rank != root, o.order, &layout);
    if (!status)
        status = ash__mpi_message_of(f, &layout, 0, layout.elements, &message);
    if (!status) {
        ash__mpi_say_number(&g, ASH_ERR_ARGUMENT, "root", root);
        ash__mpi_say_array(&g, &layout);
    }
    status = ash__mpi_agree(&g, status);
    if (!status)
        status = g.strided ? tree(&g, &message, root) : dense(&g, &layout, root);
    ash_mpi_buffer_release(&message);
    ash__mpi_end_group(&g);
    return status;
}
