/*
 * wrap.c - an array over memory that the program owns.
 *
 * The memory is never copied. One size may be inferred from the number of elements; with strides given, the elements that
 * the shape reaches must lie within it (data points to the first element, which negative strides may reach before).
 */
#include "core/error.h"
#include "core/options.h"
#include "ops/task.h"

/* Fills in the one inferred size, and checks that the sizes take all of the count elements. */
static ash_status infer(const char *function, ash_dims shape, int64_t count, int64_t *size)
{
    int64_t inferred = -1;
    for (int64_t k = 0; k < shape.rank; k++) {
        size[k] = shape.size[k];
        if (size[k] != ASH_INFER)
            continue;
        if (inferred >= 0)
            return ash__fail(ASH_ERR_ARGUMENT, function, "sizes of axes %lld and %lld are both to be inferred; one can be",
                             (long long)inferred, (long long)k);
        inferred = k;
        size[k] = 1;
    }
    int64_t known = 0;
    char text[ASH__SHAPE_TEXT];
    const ash_status status = ash__check_shape(function, (ash_dims){size, shape.rank}, 1, &known);
    if (status)
        return status;
    ash__shape_text(text, sizeof text, shape.size, shape.rank);
    if (inferred < 0)
        return known == count ? ASH_OK
                              : ash__fail(ASH_ERR_SHAPE, function, "shape %s takes %lld elements, given %lld", text,
                                          (long long)known, (long long)count);
    if (known == 0 || count % known)
        return ash__fail(ASH_ERR_SHAPE, function, "%lld elements cannot be divided by the %lld of the given sizes of %s",
                         (long long)count, (long long)known, text);
    size[inferred] = count / known;
    return ASH_OK;
}

/* Strides in bytes, and where the lowest element lies relative to the first: from 0 down. */
static ash_status strides_of(const char *function, ash_dims shape, const ash_wrap_options *o, int64_t item, int64_t *stride,
                             int64_t *low)
{
    *low = 0;
    if (!o->strides.size && !o->strides.rank) {
        ash__strides_for(o->layout, shape.size, shape.rank, item, stride);
        return ASH_OK;
    }
    if (o->strides.rank != shape.rank)
        return ash__fail(ASH_ERR_ARGUMENT, function, "%lld strides for rank %lld", (long long)o->strides.rank,
                         (long long)shape.rank);
    const bool empty = ash__count(shape.size, shape.rank) == 0;
    int64_t high = 0;
    for (int64_t k = 0; k < shape.rank; k++) {
        int64_t reach = 0;
        if (__builtin_mul_overflow(o->strides.size[k], item, &stride[k]) ||
            __builtin_mul_overflow(stride[k], empty ? 0 : shape.size[k] - 1, &reach) ||
            __builtin_add_overflow(reach < 0 ? *low : high, reach, reach < 0 ? low : &high))
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
    int64_t size[ASH_MAX_RANK], stride[ASH_MAX_RANK], low, elements;
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
    if (shape.rank < 0 || shape.rank > ASH_MAX_RANK) {
        ash__fail(ASH_ERR_SHAPE, f, "rank %lld; ranks 0 to %d are supported", (long long)shape.rank, ASH_MAX_RANK);
        return NULL;
    }
    if (shape.rank && !shape.size) {
        ash__null(f, "shape");
        return NULL;
    }
    if (infer(f, shape, count, size) || ash__check_shape(f, (ash_dims){size, shape.rank}, (size_t)item, &elements) ||
        strides_of(f, (ash_dims){size, shape.rank}, &o, item, stride, &low))
        return NULL;
    const size_t align = ash__alignment_of(dtype);
    if ((uintptr_t)data % align) {
        ash__fail(ASH_ERR_ARGUMENT, f, "data is at %p, which is not aligned to the %zu bytes of %s", data, align,
                  ash_dtype_name(dtype));
        return NULL;
    }
    ash__buffer *buffer = ash__buffer_wrap(f, r->device, data ? (char *)data + low : data, (size_t)count * (size_t)item,
                                           o.readonly, o.deferred, o.deleter, o.context);
    if (!buffer)
        return NULL;
    ash_array *a = ash__array_over(f, buffer, r, ASH_SHARED, dtype, size, stride, shape.rank, -low, NULL);
    if (!a) /* the memory stays the caller's */
        buffer->deleter = NULL;
    ash__buffer_release(buffer);
    return a;
}
