/*
 * wrap.c - an array over memory that the program owns.
 *
 * The memory is never copied. One size may be inferred from the number of elements. Data points to the first element; with
 * strides given, the buffer is what the shape reaches from there, before it too where a stride is negative.
 */
#include "core/error.h"
#include "core/options.h"
#include "ops/task.h"

/* Strides in bytes, and where the lowest and the highest element lie relative to the first. */
static ash_status strides_of(const char *function, ash_dims shape, const ash_wrap_options *o, int64_t item, int64_t *stride,
                             int64_t *low, int64_t *high)
{
    const int64_t count = ash__count(shape.size, shape.rank);
    *low = 0;
    *high = count ? (count - 1) * item : 0;
    if (!o->strides.size && !o->strides.rank) {
        ash__strides_for(o->layout, shape.size, shape.rank, item, stride);
        return ASH_OK;
    }
    if (o->strides.rank != shape.rank)
        return ash__fail(ASH_ERR_ARGUMENT, function, "%lld strides for rank %lld", (long long)o->strides.rank,
                         (long long)shape.rank);
    const bool empty = count == 0;
    *high = 0;
    for (int64_t k = 0; k < shape.rank; k++) {
        int64_t reach = 0;
        if (__builtin_mul_overflow(o->strides.size[k], item, &stride[k]) ||
            __builtin_mul_overflow(stride[k], empty ? 0 : shape.size[k] - 1, &reach) ||
            __builtin_add_overflow(reach < 0 ? *low : *high, reach, reach < 0 ? low : high))
            return ash__fail(ASH_ERR_ARGUMENT, function, "stride %lld of axis %lld is too large", (long long)o->strides.size[k],
                             (long long)k);
        if (empty)
            stride[k] = 0;
    }
    return ASH_OK;
}

ash_array *ash_wrap_opt(void *data, ash_dtype dtype, int64_t count, ash_dims shape, const ash_wrap_options *options)
{
    static const char f[] = "ash_wrap";
    ash_wrap_options o;
    int64_t size[ASH_MAX_RANK], stride[ASH_MAX_RANK], low, high;
    if (!ash__read_options(f, &o, sizeof o, options))
        return NULL;
    ash_resources *r = ash__resources_for(f, o.resources);
    if (!r || ash__check_dtype(f, r->device, dtype))
        return NULL;
    const int64_t item = (int64_t)ash_dtype_size(dtype);
    if (count < 0) {
        ash__fail(ASH_ERR_ARGUMENT, f, "count is %lld; it must not be negative", (long long)count);
        return NULL;
    }
    if (!data && count) {
        ash__null(f, "data");
        return NULL;
    }
    if (o.layout < ASH_LAYOUT_DEFAULT || o.layout > ASH_COL_MAJOR) {
        ash__fail(ASH_ERR_ARGUMENT, f, "unknown layout %d; expected ASH_ROW_MAJOR or ASH_COL_MAJOR", (int)o.layout);
        return NULL;
    }
    if (ash__infer_shape(f, shape, (size_t)item, count, size) ||
        strides_of(f, (ash_dims){size, shape.rank}, &o, item, stride, &low, &high))
        return NULL;
    const size_t align = ash__alignment_of(dtype);
    if ((uintptr_t)data % align) {
        ash__fail(ASH_ERR_ARGUMENT, f, "data is at %p, which is not aligned to the %zu bytes of %s", data, align,
                  ash_dtype_name(dtype));
        return NULL;
    }
    const size_t nbytes = count ? (size_t)(high - low + item) : 0;
    ash__buffer *buffer = ash__buffer_wrap(f, r->device, data ? (char *)data + low : data, nbytes, o.readonly, o.deferred,
                                           o.deleter, o.context);
    if (!buffer)
        return NULL;
    ash_array *a = ash__array_over(f, buffer, r, ASH_SHARED, dtype, size, stride, shape.rank, -low, NULL);
    if (!a)
        ash__buffer_disclaim(buffer); /* the memory stays the caller's */
    ash__buffer_release(buffer);
    return a;
}
