/* host.c - elements of an array where the host can read and write them. */
#include "core/host.h"

#include <string.h>

#include "backend/backend.h"
#include "core/alloc.h"
#include "core/error.h"

ash_status ash__host_wait(const char *function, const ash_array *a, ash__access access)
{
    const ash__backend *const backend = a->buffer->device->backend;
    return backend->settle ? backend->settle(function, a->buffer, access & ASH__WRITE) : ASH_OK;
}

/* Bytes from the first to the last that belongs to an element. */
static ash_status copy_in(ash__host *h)
{
    const ash_array *const a = h->array;
    const int64_t item = (int64_t)ash_dtype_size(a->dtype);
    int64_t low, high;
    ash__extent(a->shape, a->stride, a->rank, &low, &high);
    h->offset = (size_t)(a->offset + low);
    h->nbytes = (size_t)(high + item - low);
    if (!(h->copy = ash__alloc(h->function, 1, h->nbytes)))
        return ASH_ERR_MEMORY;
    h->data = h->copy - low;
    const bool gaps = (int64_t)h->nbytes > a->size * item; /* bytes between the elements are written back as they are */
    if (h->access == ASH__WRITE && !gaps)
        return ASH_OK;
    return a->buffer->device->backend->read(h->function, a->buffer, h->offset, h->copy, h->nbytes);
}

ash_status ash__host_open(ash__host *h, const char *function, const ash_array *a, ash__access access)
{
    *h = (ash__host){.function = function, .array = a, .access = access, .data = ash__data(a)};
    if (a->buffer->hosted)
        return ash__host_wait(function, a, access);
    return a->size ? copy_in(h) : ASH_OK;
}

ash_status ash__host_close(ash__host *h, ash_status status)
{
    ash__buffer *const buffer = h->array->buffer;
    if (h->copy && !status && h->access & ASH__WRITE)
        status = buffer->device->backend->write(h->function, buffer, h->offset, h->copy, h->nbytes);
    ash__free(h->copy);
    return status;
}

char *ash__host_at(const char *function, const ash_array *a, ash__access access)
{
    if (!a->buffer->hosted) {
        ash__fail(ASH_ERR_UNSUPPORTED, function,
                  "this is done by the host, which cannot reach private memory of %s; use shared arrays", ash__device(a)->name);
        return NULL;
    }
    return ash__host_wait(function, a, access) ? NULL : ash__data(a);
}

static size_t offset_of(const ash_array *a, const char *at)
{
    return (size_t)(at - (const char *)a->buffer->data);
}

ash_status ash__host_get(const char *function, const ash_array *a, const char *at, void *element)
{
    ash__buffer *const b = a->buffer;
    if (!b->hosted)
        return b->device->backend->read(function, b, offset_of(a, at), element, ash_dtype_size(a->dtype));
    const ash_status status = ash__host_wait(function, a, ASH__READ);
    if (!status)
        memcpy(element, at, ash_dtype_size(a->dtype));
    return status;
}

ash_status ash__host_put(const char *function, const ash_array *a, char *at, const void *element)
{
    ash__buffer *const b = a->buffer;
    if (!b->hosted)
        return b->device->backend->write(function, b, offset_of(a, at), element, ash_dtype_size(a->dtype));
    const ash_status status = ash__host_wait(function, a, ASH__WRITE);
    if (!status)
        memcpy(at, element, ash_dtype_size(a->dtype));
    return status;
}
