/*
 * halo.c - the borders of an array from its neighbours in a grid.
 *
 * Along each axis two messages: the first elements of its own for the neighbour below, whose halo above they are, and the other
 * way round. They are slices over the whole extent of the other axes, halos that came before included; that is how a corner
 * gets from the diagonal neighbour to here, by way of one they have in common.
 */
#include <ashlar/array.h>
#include <ashlar/view.h>

#include "mpi/group.h"
#include "mpi/transfer.h"

typedef struct halo {
    ash__mpi_group group;
    ash_array *a;
    int64_t rank; /* of the array */
    int axes;     /* of the grid */
    int64_t axis[ASH_MAX_RANK], width[ASH_MAX_RANK];
} halo;

static ash_status check_grid(halo *h)
{
    const char *f = h->group.function;
    int kind = MPI_UNDEFINED;
    ash_status status = ash__mpi_result(f, MPI_Topo_test(h->group.given, &kind));
    if (!status && kind != MPI_CART)
        status = ash__mpi_fail(ASH_ERR_ARGUMENT, f, "comm has no Cartesian grid; make it with MPI_Cart_create");
    if (!status)
        status = ash__mpi_result(f, MPI_Cartdim_get(h->group.given, &h->axes));
    if (!status && h->axes > h->rank)
        status = ash__mpi_fail(ASH_ERR_SHAPE, f, "a has rank %lld; the grid of comm has %d axes", (long long)h->rank, h->axes);
    return status;
}

static ash_status check_axis(halo *h, int k, int64_t axis, int64_t width)
{
    const char *f = h->group.function;
    h->axis[k] = axis < 0 ? axis + h->rank : axis;
    h->width[k] = width;
    if (h->axis[k] < 0 || h->axis[k] >= h->rank)
        return ash__mpi_fail(ASH_ERR_BOUNDS, f, "axis %lld is out of bounds for rank %lld", (long long)axis,
                             (long long)h->rank);
    for (int j = 0; j < k; j++)
        if (h->axis[j] == h->axis[k])
            return ash__mpi_fail(ASH_ERR_ARGUMENT, f, "axis %lld is named twice", (long long)axis);
    if (width < 0)
        return ash__mpi_fail(ASH_ERR_ARGUMENT, f, "the width is %lld; it is at least 0", (long long)width);
    const int64_t size = ash_shape(h->a)[h->axis[k]];
    if (size < 3 * width)
        return ash__mpi_fail(ASH_ERR_SHAPE, f,
                             "axis %lld has size %lld; two halos of %lld and as many elements between them "
                             "are wanted",
                             (long long)h->axis[k], (long long)size, (long long)width);
    return ASH_OK;
}

static ash_status check(halo *h, int64_t width, const ash_mpi_halo_options *o)
{
    const char *f = h->group.function;
    ash__mpi_layout layout;
    ash_status status = ash__mpi_layout_of(f, "a", h->a, true, ASH_ROW_MAJOR, &layout);
    if (status)
        return status;
    h->rank = ash_rank(h->a);
    status = check_grid(h);
    if (!status && o->axes.axis && o->axes.count != h->axes)
        status =
            ash__mpi_fail(ASH_ERR_ARGUMENT, f, ".axes names %lld axes; the grid has %d", (long long)o->axes.count, h->axes);
    if (!status && o->widths.size && o->widths.rank != h->axes)
        status = ash__mpi_fail(ASH_ERR_ARGUMENT, f, ".widths has %lld numbers; the grid has %d axes", (long long)o->widths.rank,
                               h->axes);
    for (int k = 0; k < h->axes && !status; k++)
        status = check_axis(h, k, o->axes.axis ? o->axes.axis[k] : k, o->widths.size ? o->widths.size[k] : width);
    ash__mpi_say_dtype(&h->group, layout.dtype);
    ash__mpi_say_number(&h->group, ASH_ERR_SHAPE, "rank of the array", h->rank);
    return status;
}

/* `width` places along an axis, from `start` on. NULL with an error. */
static ash_array *border(const halo *h, int k, int64_t start)
{
    return ash_slice(h->a, start, start + h->width[k], .axes = ASH_AXES(h->axis[k]));
}

/* The elements from `own` on go to one neighbour, the halo at `start` comes from the other. */
static ash_status pass(const halo *h, int k, int64_t own, int dest, int64_t start, int source)
{
    const char *f = h->group.function;
    ash_mpi_message from, to;
    ash_array *out = border(h, k, start);
    ash__mpi_expected expected = {.array = out};
    int64_t bytes;
    MPI_Status found;
    const ash_status made = ash__mpi_message_whole(f, "a", border(h, k, own), false, ASH_ROW_MAJOR, &from, &bytes);
    ash_status status = ash__mpi_message_whole(f, "a", out, true, ASH_ROW_MAJOR, &to, &expected.bytes);
    status = made ? made : status;
    if (status) /* the neighbours wait: they get nothing, which they report */
        from = to = (ash_mpi_message){.datatype = MPI_BYTE};
    const ash_status passed = ash__mpi_result(f, MPI_Sendrecv(from.address, from.count, from.datatype, dest, 0, to.address,
                                                              to.count, to.datatype, source, 0, h->group.comm, &found));
    status = status ? status : passed;
    if (!status)
        status = ash__mpi_check_received(f, &expected, &found);
    ash_mpi_buffer_release(&from);
    ash_mpi_buffer_release(&to);
    return status;
}

static ash_status exchange_axis(const halo *h, int k)
{
    const int64_t w = h->width[k], n = ash_shape(h->a)[h->axis[k]];
    int below, above;
    ash_status status = ash__mpi_result(h->group.function, MPI_Cart_shift(h->group.given, k, 1, &below, &above));
    if (status || !w)
        return status;
    status = pass(h, k, w, below, n - w, above);
    const ash_status other = pass(h, k, n - 2 * w, above, 0, below);
    return status ? status : other;
}

/* All of them, whatever fails: the neighbours wait. */
static ash_status exchange_axes(const halo *h)
{
    ash_status status = ASH_OK;
    for (int k = 0; k < h->axes; k++) {
        const ash_status now = exchange_axis(h, k);
        status = status ? status : now;
    }
    return status;
}

ash_status ash_mpi_halo_exchange_opt(ash_array *a, MPI_Comm comm, int64_t width, const ash_mpi_halo_options *options)
{
    static const char f[] = "ash_mpi_halo_exchange";
    halo h = {.a = a};
    ash_mpi_halo_options o;
    ash_status status = ash__mpi_begin_group(f, comm, &h.group);
    if (status)
        return status;
    const int64_t scope = ash_scope_open();
    status = scope < 0 ? ASH_ERR_MEMORY : ash__mpi_read_options(f, &o, sizeof o, options);
    if (!status)
        status = check(&h, width, &o);
    status = ash__mpi_agree(&h.group, status);
    if (!status)
        status = exchange_axes(&h);
    ash_scope_close(scope);
    ash__mpi_end_group(&h.group);
    return status;
}
