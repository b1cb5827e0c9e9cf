/*
 * wrap.c - an array over memory that the program owns.
 *
 * The memory is never copied. One size may be inferred from the number of elements. Data points to the first element; with
 * strides given, the buffer is what the shape reaches from there, before it too where a stride is negative.
 */
#include "ops/wrap.h"

#include "backend/backend.h"
#include "core/error.h"
#include "core/options.h"

/* Strides in bytes, and where the lowest and the highest element lie relative to the first. A stride that no element needs may
 * have any value: in an empty array it becomes 0, along a size of 1, where its bytes are too many, that of an element. */
static ash_status strides_of(const char *function, const ash__foreign *f, int64_t item, int64_t *stride, int64_t *low,
                             int64_t *high)
{
    const int64_t *const size = f->shape.size, count = ash__count(size, f->shape.rank);
    *low = 0;
    *high = count ? (count - 1) * item : 0;
    if (!f->stride || !count) {
        ash__strides_for(f->layout, size, f->shape.rank, item, stride);
        return ASH_OK;
    }
    *high = 0;
    for (int64_t k = 0; k < f->shape.rank; k++) {
        int64_t reach = 0;
        const bool fits = !__builtin_mul_overflow(f->stride[k], item, &stride[k]);
        if (size[k] == 1) {
            stride[k] = fits ? stride[k] : item;
            continue;
        }
        if (!fits || __builtin_mul_overflow(stride[k], size[k] - 1, &reach) ||
            __builtin_add_overflow(reach < 0 ? *low : *high, reach, reach < 0 ? low : high))
            return ash__fail(ASH_ERR_ARGUMENT, function, "stride %lld of axis %lld is too large", (long long)f->stride[k],
                             (long long)k);
    }
    return ASH_OK;
}

/* Every element has an address, that of the first is aligned, and the bytes can be counted. */
static ash_status check_addresses(const char *function, const ash__foreign *f, int64_t item, int64_t low, int64_t high)
{
    const size_t align = ash__alignment_of(f->dtype);
    uintptr_t first, end;
    if ((uintptr_t)f->data % align)
        return ash__fail(ASH_ERR_ARGUMENT, function, "data is at %p, which is not aligned to the %zu bytes of %s", f->data,
                         align, ash_dtype_name(f->dtype));
    if (__builtin_add_overflow((uintptr_t)f->data, low, &first) || __builtin_add_overflow((uintptr_t)f->data, high, &end) ||
        __builtin_add_overflow(end, item, &end) || end - first > INT64_MAX)
        return ash__fail(ASH_ERR_ARGUMENT, function, "elements %lld to %lld bytes from data at %p have no address",
                         (long long)low, (long long)high, f->data);
    return ASH_OK;
}

/* Is it memory that the device knows, and the host not? */
static ash_status find_out(const char *function, ash_resources *resources, ash__buffer *b)
{
    const ash__lending *const lending = resources->device->backend->lending;
    return lending ? lending->wrap(function, resources, b->data, b->nbytes, &b->block, &b->hosted) : ASH_OK;
}

/* The memory stays the caller's. */
static void disclaim(ash__buffer *b)
{
    if (b->block)
        b->device->backend->lending->disclaim(b->block);
    b->block = NULL;
    ash__buffer_disclaim(b);
}

ash_array *ash__wrap(const char *function, ash_resources *resources, const ash__foreign *f)
{
    const int64_t item = (int64_t)ash_dtype_size(f->dtype);
    const bool empty = ash__count(f->shape.size, f->shape.rank) == 0;
    int64_t stride[ASH_MAX_RANK], low, high;
    if (strides_of(function, f, item, stride, &low, &high) || (!empty && check_addresses(function, f, item, low, high)))
        return NULL;
    static _Alignas(ASH__ALIGN) char nothing[1]; /* no array is at NULL, to which not even 0 may be added */
    char *const lowest = f->data ? (char *)f->data + low : nothing;
    ash__buffer *buffer = ash__buffer_wrap(function, resources->device, lowest, empty ? 0 : (size_t)(high - low + item),
                                           f->readonly, f->deferred, f->deleter, f->context);
    if (!buffer)
        return NULL;
    ash_array *a = NULL;
    if (empty || !find_out(function, resources, buffer))
        a = ash__array_over(function, buffer, resources, buffer->hosted ? ASH_SHARED : ASH_PRIVATE, f->dtype, f->shape.size,
                            stride, f->shape.rank, -low, NULL);
    if (!a)
        disclaim(buffer);
    ash__buffer_release(buffer);
    return a;
}

ash_array *ash_wrap_opt(void *data, ash_dtype dtype, int64_t count, ash_dims shape, const ash_wrap_options *options)
{
    static const char f[] = "ash_wrap";
    ash_wrap_options o;
    int64_t size[ASH_MAX_RANK];
    if (!ash__read_options(f, &o, sizeof o, options))
        return NULL;
    ash_resources *r = ash__resources_for(f, o.resources);
    if (!r || ash__check_dtype(f, r->device, dtype))
        return NULL;
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
    if (ash__infer_shape(f, shape, ash_dtype_size(dtype), count, size))
        return NULL;
    const bool strided = o.strides.size || o.strides.rank;
    if (strided && o.strides.rank != shape.rank) {
        ash__fail(ASH_ERR_ARGUMENT, f, "%lld strides for rank %lld", (long long)o.strides.rank, (long long)shape.rank);
        return NULL;
    }
    return ash__wrap(f, r,
                     &(ash__foreign){.data = data,
                                     .dtype = dtype,
                                     .shape = {size, shape.rank},
                                     .stride = strided ? o.strides.size : NULL,
                                     .layout = o.layout,
                                     .readonly = o.readonly,
                                     .deferred = o.deferred,
                                     .deleter = o.deleter,
                                     .context = o.context});
}
