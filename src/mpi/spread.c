/*
 * spread.c - one array on the root, in parts that lie on the ranks.
 *
 * The root exchanges a message with each rank, all at once: some elements of the whole in a row, whose datatype is made for
 * them, so neither the whole nor a part has to be dense. MPI's own functions with varying counts do no better: they are the
 * same exchange, with one datatype and displacements that fit an int.
 */
#include "mpi/spread.h"

#include <ashlar/array.h>
#include <ashlar/dtype.h>
#include <stdlib.h>

typedef struct state {
    ash__mpi_group group;
    const ash__mpi_spread *spread;
    ash__mpi_layout whole, part;
    ash_mpi_message message; /* of the part */
    /* on the root: */
    int64_t *counts;
    MPI_Request *requests;
    ash_mpi_message *messages;
} state;

static bool is_root(const state *s)
{
    return s->group.rank == s->spread->root;
}

/* ---- how many elements each rank has */

/* On the root: what the ranks have. */
static ash_status learn_counts(state *s)
{
    return ash__mpi_result(s->spread->function, MPI_Gather(&s->part.elements, 1, MPI_INT64_T, s->counts, 1, MPI_INT64_T,
                                                           s->spread->root, s->group.comm));
}

static ash_status given_counts(state *s, ash_dims counts)
{
    const char *f = s->spread->function;
    if (counts.rank != s->group.ranks)
        return ash__mpi_fail(ASH_ERR_ARGUMENT, f, ".counts has %lld numbers; there are %d ranks", (long long)counts.rank,
                             s->group.ranks);
    if (counts.size[s->group.rank] != s->part.elements)
        return ash__mpi_fail(ASH_ERR_SHAPE, f, "%s has %lld elements; .counts says %lld for rank %d", s->spread->part_name,
                             (long long)s->part.elements, (long long)counts.size[s->group.rank], s->group.rank);
    for (int i = 0; i < s->group.ranks && is_root(s); i++)
        s->counts[i] = counts.size[i];
    return ASH_OK;
}

static ash_status equal_counts(state *s)
{
    for (int i = 0; i < s->group.ranks && is_root(s); i++)
        s->counts[i] = s->part.elements;
    return ASH_OK;
}

static ash_status check_sum(const state *s)
{
    int64_t sum = 0;
    for (int i = 0; i < s->group.ranks; i++)
        sum += s->counts[i];
    if (sum == s->whole.elements)
        return ASH_OK;
    return ash__mpi_fail(ASH_ERR_SHAPE, s->spread->function, "%s has %lld elements; the ranks have %lld in all",
                         s->spread->whole_name, (long long)s->whole.elements, (long long)sum);
}

/* ---- messages */

static ash_status prepare_root(state *s)
{
    const char *f = s->spread->function;
    int64_t at = 0;
    for (int i = 0; i < s->group.ranks; at += s->counts[i++]) {
        const ash_status status = ash__mpi_message_of(f, &s->whole, at, s->counts[i], s->messages + i);
        if (status)
            return status;
    }
    return ASH_OK;
}

static ash_status pass_or_take(const state *s, bool takes, const ash_mpi_message *message, int rank, MPI_Request *request)
{
    return takes ? ash__mpi_take(&s->group, message, rank, request) : ash__mpi_pass(&s->group, message, rank, request);
}

static ash_status exchange(state *s)
{
    const bool gathers = s->spread->gathers;
    if (!is_root(s))
        return pass_or_take(s, !gathers, &s->message, s->spread->root, NULL);
    ash_status status = ASH_OK;
    int started = 0;
    for (; started < s->group.ranks && !status; started += !status)
        status = pass_or_take(s, gathers, s->messages + started, started, s->requests + started);
    if (!status) /* the root's own part */
        status = pass_or_take(s, !gathers, &s->message, s->group.rank, NULL);
    for (int i = 0; i < started; i++) {
        const ash_status done = ash__mpi_result(s->spread->function, MPI_Wait(s->requests + i, MPI_STATUS_IGNORE));
        status = status ? status : done;
    }
    return status;
}

/* ---- what is checked, and the whole of it */

static ash_status make_lists(state *s)
{
    const size_t n = (size_t)s->group.ranks;
    s->counts = malloc(n * sizeof *s->counts);
    s->requests = malloc(n * sizeof *s->requests);
    s->messages = malloc(n * sizeof *s->messages);
    for (size_t i = 0; i < n && s->messages; i++)
        s->messages[i].datatype = MPI_DATATYPE_NULL;
    return s->counts && s->requests && s->messages
               ? ASH_OK
               : ash__mpi_fail(ASH_ERR_MEMORY, s->spread->function, "no memory for %d ranks", s->group.ranks);
}

static void end_lists(state *s)
{
    for (int i = 0; i < s->group.ranks && s->messages; i++)
        ash_mpi_buffer_release(s->messages + i);
    ash_mpi_buffer_release(&s->message);
    free(s->counts);
    free(s->requests);
    free(s->messages);
}

static ash_status read_part(state *s, ash_layout order)
{
    const ash__mpi_spread *p = s->spread;
    const ash_status status = ash__mpi_layout_of(p->function, p->part_name, p->part, !p->gathers, order, &s->part);
    return status ? status : ash__mpi_message_of(p->function, &s->part, 0, s->part.elements, &s->message);
}

static ash_status read_whole(state *s, ash_layout order)
{
    const ash__mpi_spread *p = s->spread;
    ash_status status = ash__mpi_layout_of(p->function, p->whole_name, p->whole, p->gathers, order, &s->whole);
    if (!status && s->whole.dtype != s->part.dtype)
        status = ash__mpi_fail(ASH_ERR_DTYPE, p->function, "%s is %s, but %s is %s", p->whole_name,
                               ash_dtype_name(s->whole.dtype), p->part_name, ash_dtype_name(s->part.dtype));
    if (!status && ash_shares_memory(p->whole, p->part))
        status = ash__mpi_fail(ASH_ERR_ARGUMENT, p->function, "%s and %s share memory", p->whole_name, p->part_name);
    return status;
}

static ash_status prepare(state *s, const ash_mpi_spread_options *o)
{
    const ash__mpi_spread *p = s->spread;
    ash_status status = ash__mpi_check_rank(p->function, "root", p->root, s->group.comm);
    if (!status)
        status = read_part(s, o->order);
    if (!status && is_root(s))
        status = read_whole(s, o->order);
    if (!status && is_root(s))
        status = make_lists(s);
    if (!status && p->varying && o->counts.size)
        status = given_counts(s, o->counts);
    if (!status && !p->varying)
        status = o->counts.size ? ash__mpi_fail(ASH_ERR_ARGUMENT, p->function,
                                                ".counts is for parts of different sizes; they "
                                                "are equal here")
                                : equal_counts(s);
    ash__mpi_say_number(&s->group, ASH_ERR_ARGUMENT, "root", p->root);
    ash__mpi_say_bytes(&s->group, ".counts", o->counts.size, o->counts.size ? (size_t)o->counts.rank * sizeof(int64_t) : 0);
    ash__mpi_say_dtype(&s->group, s->part.dtype);
    ash__mpi_say_number(&s->group, ASH_ERR_SHAPE, "number of elements", p->varying ? 0 : s->part.elements);
    return status;
}

/* All that can go wrong before elements move. */
static ash_status settle(state *s, ash_status status, const ash_mpi_spread_options *o)
{
    if (!status)
        status = prepare(s, o);
    if (s->spread->varying && !o->counts.size) {
        status = ash__mpi_agree(&s->group, status);
        if (!status)
            status = learn_counts(s);
        else
            return status;
    }
    if (!status && is_root(s))
        status = check_sum(s);
    if (!status && is_root(s))
        status = prepare_root(s);
    return ash__mpi_agree(&s->group, status);
}

ash_status ash__mpi_do_spread(const ash__mpi_spread *spread, MPI_Comm comm, const ash_mpi_spread_options *options)
{
    state s = {.spread = spread, .message = {.datatype = MPI_DATATYPE_NULL}};
    ash_mpi_spread_options o;
    ash_status status = ash__mpi_begin_group(spread->function, comm, &s.group);
    if (status)
        return status;
    status = settle(&s, ash__mpi_read_options(spread->function, &o, sizeof o, options), &o);
    if (!status)
        status = exchange(&s);
    end_lists(&s);
    ash__mpi_end_group(&s.group);
    return status;
}
