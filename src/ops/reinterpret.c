/*
 * reinterpret.c - the same bytes as elements of another dtype.
 *
 * Elements of another size need an axis whose elements lie side by side: the last, or else the first (column-major). It
 * grows or shrinks; or, with .add_axis, the parts of an element become a new last axis, and the reverse.
 */
#include "ashlar/view.h"
#include "core/array.h"
#include "core/error.h"
#include "core/options.h"

typedef struct shape {
    int64_t size[ASH_MAX_RANK], stride[ASH_MAX_RANK], rank;
} shape;

/* The axis along which elements lie side by side, or -1. */
static int64_t dense_axis(const ash_array *a, int64_t item)
{
    if (a->rank && (a->stride[a->rank - 1] == item || a->shape[a->rank - 1] <= 1))
        return a->rank - 1;
    return a->rank && (a->stride[0] == item || a->shape[0] <= 1) ? 0 : -1;
}

static ash_status no_dense_axis(const char *function, const ash_array *a, ash_dtype dtype)
{
    if (a->rank == 0)
        return ash__fail(ASH_ERR_SHAPE, function,
                         "cannot reinterpret a zero-dimensional array of %s as %s: their sizes are %zu and %zu bytes",
                         ash_dtype_name(a->dtype), ash_dtype_name(dtype), ash_dtype_size(a->dtype), ash_dtype_size(dtype));
    return ash__fail(ASH_ERR_UNSUPPORTED, function,
                     "neither the last nor the first axis of a holds its elements side by side; use ash_contiguous first");
}

static ash_status scale_axis(const char *function, const ash_array *a, ash_dtype dtype, int64_t item, int64_t new_item,
                             shape *s)
{
    const int64_t axis = dense_axis(a, item);
    if (axis < 0)
        return no_dense_axis(function, a, dtype);
    int64_t nbytes;
    if (__builtin_mul_overflow(a->shape[axis], item, &nbytes) || nbytes % new_item)
        return ash__fail(
            ASH_ERR_SHAPE, function,
            "axis %lld of %lld elements of %s has %lld bytes, which is no whole number of %lld-byte elements of %s",
            (long long)axis, (long long)a->shape[axis], ash_dtype_name(a->dtype), (long long)(a->shape[axis] * item),
            (long long)new_item, ash_dtype_name(dtype));
    s->size[axis] = nbytes / new_item;
    s->stride[axis] = new_item;
    return ASH_OK;
}

static ash_status add_axis(const char *function, const ash_array *a, ash_dtype dtype, int64_t item, int64_t new_item, shape *s)
{
    if (new_item <= item) {
        if (item % new_item)
            return ash__fail(ASH_ERR_SHAPE, function, "%s of %lld bytes is no whole number of %lld-byte elements of %s",
                             ash_dtype_name(a->dtype), (long long)item, (long long)new_item, ash_dtype_name(dtype));
        if (a->rank == ASH_MAX_RANK)
            return ash__fail(ASH_ERR_SHAPE, function, "the view would have rank %d; ranks 0 to %d are supported",
                             ASH_MAX_RANK + 1, ASH_MAX_RANK);
        s->size[s->rank] = item / new_item;
        s->stride[s->rank++] = new_item;
        return ASH_OK;
    }
    if (a->rank == 0)
        return no_dense_axis(function, a, dtype);
    const int64_t last = a->rank - 1;
    if (new_item % item || a->shape[last] != new_item / item || a->stride[last] != item)
        return ash__fail(ASH_ERR_SHAPE, function, "the last axis of a, of %lld elements of %s, is not one %lld-byte %s",
                         (long long)a->shape[last], ash_dtype_name(a->dtype), (long long)new_item, ash_dtype_name(dtype));
    s->rank--;
    return ASH_OK;
}

ash_array *ash_reinterpret_opt(const ash_array *a, ash_dtype dtype, const ash_reinterpret_options *options)
{
    static const char f[] = "ash_reinterpret";
    ash_reinterpret_options o;
    if (!ash__read_options(f, &o, sizeof o, options) || ash__check_array(f, "a", a) ||
        ash__check_dtype(f, ash__device(a), dtype))
        return NULL;
    if (a->conjugated) {
        ash__fail(ASH_ERR_UNSUPPORTED, f, "a is conjugated: its bytes are not its values; use ash_contiguous first");
        return NULL;
    }
    const int64_t item = (int64_t)ash_dtype_size(a->dtype), new_item = (int64_t)ash_dtype_size(dtype);
    shape s = {.rank = a->rank};
    for (int32_t k = 0; k < a->rank; k++)
        s.size[k] = a->shape[k], s.stride[k] = a->stride[k];
    ash_status status = ASH_OK;
    if (o.add_axis)
        status = add_axis(f, a, dtype, item, new_item, &s);
    else if (item != new_item)
        status = scale_axis(f, a, dtype, item, new_item, &s);
    return status ? NULL : ash__view(f, a, dtype, s.size, s.stride, s.rank, a->offset);
}
