/*
 * reduce.c - elements of all ranks combined.
 *
 * MPI wants the same count and datatype on every rank, so what is combined is always a run of dense elements. Where all arrays
 * are dense, and are combined in their own dtype, they are reduced where they are. Else all ranks go through their arrays a
 * piece at a time, by way of a dense array of one piece: never a copy of a view, and never more than a megabyte or so.
 *
 * A rank that fails on the way goes on combining: the others wait for it.
 */
#include <ashlar/array.h>
#include <ashlar/map.h>
#include <ashlar/view.h>
#include <string.h>

#include "mpi/group.h"
#include "mpi/operator.h"

enum { PIECE = 1 << 17, RUN = 1 << 30 }; /* elements, and numbers, that are combined at once: equal on all ranks */

/* Dense elements of the operator's dtype, and of the array's where that is another one. */
typedef struct work {
    ash_array *same, *wide;
    void *memory; /* of what is combined */
} work;

typedef struct reduction {
    ash__mpi_group group;
    ash__mpi_layout layout;
    ash__mpi_operator op;
    bool all; /* every rank has the result, not only the root */
    int root;
    ash_array *a;     /* its row-major order is that of the message */
    work whole, rest; /* one piece; what is left for the last one */
} reduction;

static bool gets_result(const reduction *r)
{
    return r->all || r->root == r->group.rank;
}

static ash_status combine(const reduction *r, void *elements, int64_t n)
{
    const int count = (int)(n * r->op.parts);
    int code;
    ash__mpi_begin_combining(&r->op);
    if (r->all)
        code = MPI_Allreduce(MPI_IN_PLACE, elements, count, r->op.type, r->op.op, r->group.comm);
    else if (gets_result(r))
        code = MPI_Reduce(MPI_IN_PLACE, elements, count, r->op.type, r->op.op, r->root, r->group.comm);
    else
        code = MPI_Reduce(elements, NULL, count, r->op.type, r->op.op, r->root, r->group.comm);
    const ash_status status = ash__mpi_end_combining(r->group.function);
    return code == MPI_SUCCESS ? status : ash__mpi_result(r->group.function, code);
}

static ash_status combine_in_place(const reduction *r)
{
    const int64_t most = RUN / r->op.parts;
    ash_status status = ASH_OK;
    for (int64_t at = 0; at < r->layout.elements; at += most) {
        const int64_t left = r->layout.elements - at;
        const ash_status now = combine(r, r->layout.first + at * ash__mpi_item(&r->layout), left < most ? left : most);
        status = status ? status : now;
    }
    return status;
}

static ash_status combine_piece(const reduction *r, const work *w, int64_t at, int64_t n)
{
    ash_status status = ash_copy_range(w->same, 0, r->a, at, n);
    if (!status && w->wide)
        status = ash_map_into(w->wide, "x -> x", w->same);
    const ash_status combined = combine(r, w->memory, n);
    status = status ? status : combined;
    if (status || !gets_result(r))
        return status;
    if (w->wide)
        status = ash_map_into(w->same, "x -> x", w->wide);
    return status ? status : ash_copy_range(r->a, at, w->same, 0, n);
}

static ash_status combine_pieces(const reduction *r)
{
    ash_status status = ASH_OK;
    for (int64_t at = 0; at < r->layout.elements; at += PIECE) {
        const int64_t left = r->layout.elements - at;
        const ash_status now = combine_piece(r, left < PIECE ? &r->rest : &r->whole, at, left < PIECE ? left : PIECE);
        status = status ? status : now;
    }
    return status;
}

/* ---- what is needed for it */

/* Working arrays of n elements; of none nothing is made. */
static ash_status make_work(const reduction *r, int64_t n, work *w)
{
    ash_elements e;
    if (!n)
        return ASH_OK;
    w->same = ash_empty(((ash_dims){&n, 1}), .dtype = r->layout.dtype, .storage = ASH_SHARED);
    if (r->op.dtype != r->layout.dtype)
        w->wide = ash_empty(((ash_dims){&n, 1}), .dtype = r->op.dtype, .storage = ASH_SHARED);
    const ash_array *last = r->op.dtype != r->layout.dtype ? w->wide : w->same;
    const ash_status status = ash_elements_of(r->group.function, "a", w->same ? last : NULL, true, &e, sizeof e);
    w->memory = status ? NULL : e.first;
    return status;
}

/* The array with its axes reversed: its row-major order is a's column-major one. */
static ash_array *reversed(const ash_array *a)
{
    int64_t axes[ASH_MAX_RANK];
    const int64_t rank = ash_rank(a);
    for (int64_t k = 0; k < rank; k++)
        axes[k] = rank - 1 - k;
    return ash_permute(a, (ash_axes){axes, rank});
}

/* In a scope: all arrays made here end with it. */
static ash_status prepare(reduction *r, ash_array *a, const char *text, ash_layout order)
{
    const char *f = r->group.function;
    ash_status status = ash__mpi_layout_of(f, "a", a, gets_result(r), order, &r->layout);
    if (status)
        return status;
    r->a = order == ASH_COL_MAJOR ? reversed(a) : a;
    status = r->a ? ash__mpi_operator_for(f, text, r->layout.dtype, &r->op) : ASH_ERR_MEMORY;
    if (status)
        return status;
    ash__mpi_say_array(&r->group, &r->layout);
    r->group.strided |= r->op.dtype != r->layout.dtype;
    ash__mpi_say_number(&r->group, ASH_ERR_ARGUMENT, "root", r->root);
    ash__mpi_say_bytes(&r->group, "operator", text, strlen(text));
    return ASH_OK;
}

/* By pieces: all ranks, when all have the memory for it. */
static ash_status reduce_pieces(reduction *r)
{
    ash_status status = make_work(r, r->layout.elements < PIECE ? 0 : PIECE, &r->whole);
    if (!status)
        status = make_work(r, r->layout.elements % PIECE, &r->rest);
    status = ash__mpi_agree(&r->group, status);
    return status ? status : combine_pieces(r);
}

static ash_status reduce(reduction r, const char *f, ash_array *a, const char *text, MPI_Comm comm,
                         const ash_mpi_options *options)
{
    ash_mpi_options o;
    ash_status status = ash__mpi_begin_group(f, comm, &r.group);
    if (status)
        return status;
    const int64_t scope = ash_scope_open();
    status = scope < 0 ? ASH_ERR_MEMORY : ash__mpi_read_options(f, &o, sizeof o, options);
    if (!status && !r.all)
        status = ash__mpi_check_rank(f, "root", r.root, r.group.comm);
    if (!status)
        status = prepare(&r, a, text, o.order);
    status = ash__mpi_agree(&r.group, status);
    if (!status)
        status = r.group.strided ? reduce_pieces(&r) : combine_in_place(&r);
    ash__mpi_end_operator(&r.op);
    ash_scope_close(scope);
    ash__mpi_end_group(&r.group);
    return status;
}

ash_status ash_mpi_allreduce_opt(ash_array *a, const char *op, MPI_Comm comm, const ash_mpi_options *options)
{
    return reduce((reduction){.all = true}, "ash_mpi_allreduce", a, op, comm, options);
}

ash_status ash_mpi_reduce_opt(ash_array *a, const char *op, int root, MPI_Comm comm, const ash_mpi_options *options)
{
    return reduce((reduction){.root = root}, "ash_mpi_reduce", a, op, comm, options);
}
