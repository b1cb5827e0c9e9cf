/*
 * concat.c - arrays one behind the other along axes, or along a new one.
 *
 * The result is made once and every array copied to its place in it. Along several axes at once the blocks lie on the
 * diagonal, and zeros around them.
 */
#include "ashlar/index.h"

#include <stdio.h>

#include "core/alloc.h"
#include "core/error.h"
#include "core/options.h"
#include "ops/place.h"
#include "ops/task.h"

/* What is being put together. */
typedef struct joining {
    const char *function;
    ash_arrays arrays;
    ash__make make;
    uint32_t along; /* bit k: sizes add along axis k */
    int64_t rank, shape[ASH_MAX_RANK];
    ash_resources *given;
} joining;

static int64_t size_of(const ash_array *a, int64_t axis) { return axis < a->rank ? a->shape[axis] : 1; }

/* One array that takes part: dtype, storage and device. */
static ash_status take(joining *j, int64_t k)
{
    const ash_array *a = j->arrays.array[k], *first = j->arrays.array[0];
    char name[32];
    snprintf(name, sizeof name, "array %lld", (long long)k);
    const ash_status status = ash__check_array(j->function, name, a);
    if (status)
        return status;
    if (ash__device(a) != ash__device(first))
        return ash__fail_operand(ASH_ERR_DEVICE, j->function, (int)k, "array %lld is on %s and array 0 on %s", (long long)k,
                                 ash__device(a)->name, ash__device(first)->name);
    const ash_dtype joined = k == 0 || a->dtype == j->make.dtype ? a->dtype : ash_dtype_promote(j->make.dtype, a->dtype);
    if (!joined)
        return ash__fail_operand(ASH_ERR_DTYPE, j->function, (int)k, "array %lld is %s, and those before it %s", (long long)k,
                                 ash_dtype_name(a->dtype), ash_dtype_name(j->make.dtype));
    j->make.dtype = joined;
    if (a->storage == ASH_SHARED)
        j->make.storage = ASH_SHARED;
    return ASH_OK;
}

static ash_status begin(joining *j, const char *function, ash_arrays arrays, ash_resources *given)
{
    *j = (joining){.function = function, .arrays = arrays, .make = {.storage = ASH_PRIVATE}, .given = given};
    if (arrays.count < 1)
        return ash__fail(ASH_ERR_ARGUMENT, function, "%lld arrays are given; at least one is wanted", (long long)arrays.count);
    if (!arrays.array)
        return ash__null(function, "arrays");
    ash_status status = ASH_OK;
    for (int64_t k = 0; k < arrays.count && !status; k++)
        status = take(j, k);
    if (status)
        return status;
    j->make.resources = ash__resources_on(function, ash__device(arrays.array[0]), given);
    j->make.memory = arrays.array[0]->buffer->memory;
    return j->make.resources ? ASH_OK : ash__last_status();
}

/* The result's shape. Sizes along the axes add; the others are those of array 0. */
static ash_status join_shapes(joining *j)
{
    for (int64_t axis = 0; axis < j->rank; axis++) {
        int64_t *const size = &j->shape[axis];
        *size = size_of(j->arrays.array[0], axis);
        for (int64_t k = 1; k < j->arrays.count; k++) {
            const ash_array *a = j->arrays.array[k];
            if (!(j->along >> axis & 1) && size_of(a, axis) != *size)
                return ash__fail_operand(ASH_ERR_SHAPE, j->function, (int)k,
                                         "array %lld has shape %s and array 0 %s: axis %lld must be equal", (long long)k,
                                         ash_shape_text(a), ash_shape_text(j->arrays.array[0]), (long long)axis);
            if ((j->along >> axis & 1) && __builtin_add_overflow(*size, size_of(a, axis), size))
                return ash__fail(ASH_ERR_SHAPE, j->function, "the sizes along axis %lld add to more than 2^63 - 1",
                                 (long long)axis);
        }
    }
    return ASH_OK;
}

static ash_status put(const joining *j, ash_array *out, const ash_array *a, const int64_t *at)
{
    int64_t shape[ASH_MAX_RANK], stride[ASH_MAX_RANK], offset = 0;
    ash_array *plain = ash__plain(j->function, a, out->dtype, false, j->given);
    if (!plain)
        return ash__last_status();
    for (int64_t k = 0; k < j->rank; k++) {
        shape[k] = size_of(a, k);
        stride[k] = k < a->rank ? plain->stride[k] : 0;
        offset += at[k] * out->stride[k];
    }
    const ash_status status = ash__copy_strided(j->function, out, shape, j->rank, ash__data(out) + offset, out->stride, plain,
                                                ash__data(plain), stride, j->given);
    ash_release(plain);
    return status;
}

static ash_array *join(const joining *j)
{
    int64_t at[ASH_MAX_RANK] = {0};
    ash_array *out = ash__array_new(j->function, (ash_dims){j->shape, j->rank}, &j->make);
    if (!out)
        return NULL;
    ash_status status = __builtin_popcount(j->along) > 1 ? ash__fill_zeros(j->function, out, j->given) : ASH_OK;
    for (int64_t k = 0; k < j->arrays.count && !status; k++) {
        status = put(j, out, j->arrays.array[k], at);
        for (int64_t axis = 0; axis < j->rank; axis++)
            if (j->along >> axis & 1)
                at[axis] += size_of(j->arrays.array[k], axis);
    }
    if (status) {
        ash_release(out);
        return NULL;
    }
    return out;
}

static int64_t highest_rank(ash_arrays arrays)
{
    int64_t rank = 0;
    for (int64_t k = 0; k < arrays.count; k++)
        if (arrays.array[k]->rank > rank)
            rank = arrays.array[k]->rank;
    return rank;
}

/* The axes, which may be the one after the last too. */
static ash_status read_axes(joining *j, const ash_concat_options *o)
{
    const ash_axes axes = o->axes.axis ? o->axes : (ash_axes){&o->axis, 1};
    const int64_t top = highest_rank(j->arrays);
    if (o->axes.axis && o->axis)
        return ash__fail(ASH_ERR_ARGUMENT, j->function, ".axis and .axes are both given");
    if (o->axes.axis && !o->axes.count)
        return ash__fail(ASH_ERR_ARGUMENT, j->function, "no axis is given");
    j->rank = top;
    for (int64_t i = 0; i < axes.count; i++) {
        const int64_t axis = axes.axis[i] < 0 ? axes.axis[i] + top : axes.axis[i];
        if (axis < 0 || axis > top || axis >= ASH_MAX_RANK)
            return ash__fail(ASH_ERR_BOUNDS, j->function, "axis %lld is out of bounds for arrays of rank %lld",
                             (long long)axes.axis[i], (long long)top);
        if (j->along >> axis & 1)
            return ash__fail(ASH_ERR_ARGUMENT, j->function, "axis %lld is given twice", (long long)axes.axis[i]);
        j->along |= UINT32_C(1) << axis;
        j->rank = axis == top ? top + 1 : j->rank;
    }
    return ASH_OK;
}

/* What the options ask of the result; the rest stays as the arrays gave it. */
static void set_result(joining *j, ash_dtype dtype, ash_layout layout, ash_storage storage, ash_memory *memory)
{
    j->make.dtype = dtype ? dtype : j->make.dtype;
    j->make.layout = layout;
    j->make.storage = storage ? storage : j->make.storage;
    j->make.memory = memory ? memory : j->make.memory;
}

ash_array *ash_concat_opt(ash_arrays arrays, const ash_concat_options *options)
{
    static const char f[] = "ash_concat";
    ash_concat_options o;
    joining j;
    if (!ash__read_options(f, &o, sizeof o, options) || begin(&j, f, arrays, o.resources) || read_axes(&j, &o) ||
        join_shapes(&j))
        return NULL;
    set_result(&j, o.dtype, o.layout, o.storage, o.memory);
    return join(&j);
}

/* ---- along a new axis: each array with an axis of size 1 put in */

static ash_status check_equal(const char *function, ash_arrays arrays)
{
    for (int64_t k = 1; k < arrays.count; k++)
        if (!ash_same_shape(arrays.array[k], arrays.array[0]))
            return ash__fail_operand(ASH_ERR_SHAPE, function, (int)k, "array %lld has shape %s and array 0 %s", (long long)k,
                                     ash_shape_text(arrays.array[k]), ash_shape_text(arrays.array[0]));
    return ASH_OK;
}

static ash_array *with_axis(const char *function, const ash_array *a, int64_t axis)
{
    int64_t shape[ASH_MAX_RANK], stride[ASH_MAX_RANK];
    for (int64_t k = 0; k <= a->rank; k++) {
        shape[k] = k == axis ? 1 : a->shape[k - (k > axis)];
        stride[k] = k == axis ? 0 : a->stride[k - (k > axis)];
    }
    return ash__view(function, a, a->dtype, shape, stride, a->rank + 1, a->offset);
}

ash_array *ash_stack_opt(ash_arrays arrays, const ash_stack_options *options)
{
    static const char f[] = "ash_stack";
    ash_stack_options o;
    joining j;
    int64_t axis;
    if (!ash__read_options(f, &o, sizeof o, options) || begin(&j, f, arrays, o.resources) || check_equal(f, arrays) ||
        ash__check_axis(f, o.axis, arrays.array[0]->rank + 1, &axis))
        return NULL;
    if (arrays.array[0]->rank == ASH_MAX_RANK) {
        ash__fail(ASH_ERR_SHAPE, f, "the result would have rank %d; ranks 0 to %d are supported", ASH_MAX_RANK + 1,
                  ASH_MAX_RANK);
        return NULL;
    }
    const ash_array **view = ash__alloc(f, arrays.count, sizeof *view);
    const int64_t barrier = view ? ash_scope_open_barrier() : -1;
    ash_status status = barrier < 0 ? ash__last_status() : ASH_OK;
    for (int64_t k = 0; k < arrays.count && !status; k++)
        if (!(view[k] = with_axis(f, arrays.array[k], axis)))
            status = ash__last_status();
    ash_scope_close(barrier);
    ash_array *out = NULL;
    if (!status) {
        j.arrays.array = view;
        j.rank = arrays.array[0]->rank + 1;
        j.along = UINT32_C(1) << axis;
        set_result(&j, o.dtype, o.layout, o.storage, o.memory);
        out = join_shapes(&j) ? NULL : join(&j);
    }
    for (int64_t k = 0; view && k < arrays.count; k++)
        ash_release((ash_array *)(uintptr_t)view[k]);
    ash__free(view);
    return out;
}
