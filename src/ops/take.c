/*
 * take.c - elements, or slices along an axis, from the places an array of indices names.
 *
 * Indices are read on the host before anything is queued: all are within the axis, or there is no result. The backend gets them
 * dense, as i64 from 0 on, in the order in which the result's axes for them lie in memory, where they are one axis.
 */
#include "ashlar/index.h"
#include "core/error.h"
#include "core/options.h"
#include "core/shape.h"
#include "ops/place.h"
#include "ops/run.h"
#include "ops/task.h"

static ash_status check_indices(const char *function, const ash_array *a, const ash_array *indices)
{
    const ash_status status = ash__check_array(function, "indices", indices);
    if (status)
        return status;
    if (!ash__is_integer(indices->dtype))
        return ash__fail(ASH_ERR_DTYPE, function, "indices are %s; an integer dtype is wanted%s",
                         ash_dtype_name(indices->dtype), indices->dtype == ASH_BOOL ? " (ash_find gives those of a mask)" : "");
    if (a->rank - 1 + indices->rank > ASH_MAX_RANK)
        return ash__fail(ASH_ERR_SHAPE, function, "the result would have rank %d; ranks 0 to %d are supported",
                         (int)(a->rank - 1 + indices->rank), ASH_MAX_RANK);
    if (ash__device(indices) != ash__device(a))
        return ash__fail(ASH_ERR_DEVICE, function, "indices are on %s and a on %s", ash__device(indices)->name,
                         ash__device(a)->name);
    return ASH_OK;
}

/* The indices as dense i64 that the host can read, in a layout; a new array always when `fresh`. The caller's alone. */
static ash_array *listed(const char *function, const ash_array *indices, ash_layout layout, bool fresh, ash_resources *given)
{
    if (!fresh && indices->dtype == ASH_I64 && indices->storage == ASH_SHARED &&
        ash__dense(layout, indices->shape, indices->stride, indices->rank, 8))
        return ash_retain(indices);
    const ash__make make = {.resources = ash__resources_on(function, ash__device(indices), given),
                            .dtype = ASH_I64,
                            .layout = layout,
                            .storage = ASH_SHARED};
    const int64_t barrier = make.resources ? ash_scope_open_barrier() : -1;
    ash_array *list = barrier < 0 ? NULL : ash__array_new(function, ash__dims(indices), &make);
    if (list && ash__convert_elements(function, list, indices, false, given)) {
        ash_release(list);
        list = NULL;
    }
    ash_scope_close(barrier);
    return list;
}

/* Whether all are in 0 .. n - 1: none has its sign bit set, nor n - 1 less it. */
static bool all_within(const int64_t *index, int64_t count, int64_t n)
{
    uint64_t signs = 0;
    for (int64_t j = 0; j < count; j++)
        signs |= (uint64_t)index[j] | ((uint64_t)(n - 1) - (uint64_t)index[j]);
    return !(signs >> 63);
}

/* The first index outside -n .. n - 1, or the count. */
static int64_t first_outside(const int64_t *index, int64_t count, int64_t n)
{
    int64_t j = 0;
    while (j < count && index[j] >= -n && index[j] < n)
        j++;
    return j;
}

/* "ash_take: index 5 at (4) is out of bounds for axis 0 of size 5" */
static void fail_index(const char *function, const ash_array *list, int64_t bad, ash_layout layout, int64_t axis, int64_t n)
{
    int64_t at[ASH_MAX_RANK];
    char place[ASH__SHAPE_TEXT];
    ash__index_at(layout, list->shape, list->rank, bad, at);
    ash__fail(ASH_ERR_BOUNDS, function, "index %lld at %s is out of bounds for axis %lld of size %lld",
              (long long)((const int64_t *)(const void *)ash__data(list))[bad],
              ash__shape_text(place, sizeof place, at, list->rank), (long long)axis, (long long)n);
}

/* The indices as a list in which each is within 0 .. n - 1. The caller's alone. */
static ash_array *checked(const char *function, const ash_array *indices, ash_layout layout, int64_t axis, int64_t n,
                          ash_resources *given)
{
    ash_array *list = listed(function, indices, layout, false, given);
    if (!list || ash_wait(list))
        goto fail;
    const int64_t *const given_index = (const int64_t *)(const void *)ash__data(list);
    if (all_within(given_index, list->size, n))
        return list;
    const int64_t bad = first_outside(given_index, list->size, n);
    if (bad < list->size) {
        fail_index(function, list, bad, layout, axis, n);
        goto fail;
    }
    ash_array *own = listed(function, indices, layout, true, given); /* some count from the end */
    ash_release(list);
    list = own;
    if (!list || ash_wait(list))
        goto fail;
    int64_t *const index = (int64_t *)(void *)ash__data(list);
    for (int64_t j = 0; j < list->size; j++)
        index[j] += index[j] < 0 ? n : 0;
    return list;
fail:
    ash_release(list);
    return NULL;
}

/* The backend's task: the result's axes for the indices are one, after `axis` others. */
static ash_status gather(const char *function, ash_array *out, const ash_array *a, const ash_array *list, ash_layout layout,
                         int64_t axis, ash_resources *given)
{
    int64_t shape[ASH_MAX_RANK], stride[ASH_MAX_RANK];
    const int64_t step = layout == ASH_COL_MAJOR || list->rank < 2 ? axis : axis + list->rank - 1;
    for (int64_t k = 0; k < a->rank; k++) {
        const int64_t at = k <= axis ? k : k + list->rank - 1;
        shape[k] = k == axis ? list->size : out->shape[at];
        stride[k] = k != axis ? out->stride[at] : list->rank ? out->stride[step] : 0;
    }
    const ash__span operand[2] = {ash__span_of(a), ash__span_of(list)};
    const ash__task task = {.kind = ASH__TASK_GATHER,
                            .function = function,
                            .rank = a->rank,
                            .shape = shape,
                            .operand_count = 2,
                            .operand = operand,
                            .out = {out->buffer, ash__data(out), stride, out->dtype},
                            .axis = axis};
    ash_resources *r = ash__resources_on(function, ash__device(out), given);
    return r ? ash__run_on(r, &task) : ash__last_status();
}

static ash_array *taken(const char *function, const ash_array *a, const ash_array *indices, int64_t axis, ash_resources *given)
{
    int64_t shape[2 * ASH_MAX_RANK], rank = 0;
    for (int64_t k = 0; k < a->rank; k++)
        if (k != axis)
            shape[rank++] = a->shape[k];
        else
            for (int64_t j = 0; j < indices->rank; j++)
                shape[rank++] = indices->shape[j];
    const ash_layout layout = ash__layout_like(a);
    ash_array *list = checked(function, indices, layout, axis, a->shape[axis], given);
    ash_array *out = list ? ash__result_like(function, a, (ash_dims){shape, rank}, layout, given) : NULL;
    if (out && out->size && gather(function, out, a, list, layout, axis, given)) {
        ash_release(out);
        out = NULL;
    }
    ash_release(list);
    return out;
}

ash_array *ash_take_opt(const ash_array *a, const ash_array *indices, const ash_take_options *options)
{
    static const char f[] = "ash_take";
    ash_take_options o;
    int64_t axis;
    if (!ash__read_options(f, &o, sizeof o, options) || ash__check_array(f, "a", a) ||
        ash__check_axis(f, o.axis, a->rank, &axis) || check_indices(f, a, indices))
        return NULL;
    ash_array *plain = ash__plain(f, a, a->dtype, false, o.resources);
    ash_array *out = plain ? taken(f, plain, indices, axis, o.resources) : NULL;
    ash_release(plain);
    return out;
}
