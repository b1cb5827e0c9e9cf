/* host.c - elements of an array where the host can read and write them. */
#include "core/host.h"

#include <string.h>

#include "backend/backend.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/implicit.h"

static bool is_implicit(const ash_array *a, ash__access access)
{
    return !(access & (ASH__ASKED | ASH__OWN)) && a->buffer->device->backend != &ash__cpu_backend;
}

static ash_status read_bytes(const char *function, ash__buffer *b, ash__access access, size_t offset, void *to, size_t nbytes)
{
    const int asked = access & ASH__ASKED ? 1 : 0;
    ash__asked += asked;
    const ash_status status = b->device->backend->read(function, b, offset, to, nbytes);
    ash__asked -= asked;
    return status;
}

static ash_status write_bytes(const char *function, ash__buffer *b, ash__access access, size_t offset, const void *from,
                              size_t nbytes)
{
    const int asked = access & ASH__ASKED ? 1 : 0;
    ash__asked += asked;
    const ash_status status = b->device->backend->write(function, b, offset, from, nbytes);
    ash__asked -= asked;
    return status;
}

ash_status ash__host_wait(const char *function, const ash_array *a, ash__access access)
{
    const ash__backend *const backend = a->buffer->device->backend;
    const int asked = access & ASH__ASKED ? 1 : 0;
    if (!backend->settle)
        return ASH_OK;
    ash__asked += asked;
    const ash_status status = backend->settle(function, a->buffer, access & ASH__WRITE);
    ash__asked -= asked;
    return status;
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
    const bool implicit = is_implicit(a, h->access);
    ash_status status = implicit && h->access & ASH__READ ? ash__implicit_copy(h->function, a, h->nbytes, true) : ASH_OK;
    if (!status && implicit && h->access & ASH__WRITE)
        status = ash__implicit_copy(h->function, a, h->nbytes, false);
    if (status || (!(h->access & ASH__READ) && !gaps))
        return status;
    return read_bytes(h->function, a->buffer, h->access, h->offset, h->copy, h->nbytes);
}

ash_status ash__host_open(ash__host *h, const char *function, const ash_array *a, ash__access access)
{
    *h = (ash__host){.function = function, .array = a, .access = access, .data = ash__data(a)};
    if (access & ASH__READ && is_implicit(a, access)) {
        const ash_status status = ash__implicit_host(function, ash__device(a), "it reads elements");
        if (status)
            return status;
    }
    if (a->buffer->hosted)
        return ash__host_wait(function, a, access);
    return a->size ? copy_in(h) : ASH_OK;
}

ash_status ash__host_close(ash__host *h, ash_status status)
{
    ash__buffer *const buffer = h->array->buffer;
    if (h->copy && !status && h->access & ASH__WRITE)
        status = write_bytes(h->function, buffer, h->access, h->offset, h->copy, h->nbytes);
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
    if (is_implicit(a, access) && ash__implicit_host(function, ash__device(a), "no kernel does this"))
        return NULL;
    return ash__host_wait(function, a, access) ? NULL : ash__data(a);
}

static size_t offset_of(const ash_array *a, const char *at)
{
    return (size_t)(at - (const char *)a->buffer->data);
}

ash_status ash__host_get(const char *function, const ash_array *a, const char *at, ash__access access, void *element)
{
    ash__buffer *const b = a->buffer;
    const size_t size = ash_dtype_size(a->dtype);
    ash_status status = ASH_OK;
    if (!b->hosted) {
        status = is_implicit(a, access) ? ash__implicit_copy(function, a, size, true) : ASH_OK;
        return status ? status : read_bytes(function, b, access, offset_of(a, at), element, size);
    }
    status = ash__host_wait(function, a, ASH__READ | (access & ASH__ASKED));
    if (!status)
        memcpy(element, at, size);
    return status;
}

ash_status ash__host_put(const char *function, const ash_array *a, char *at, const void *element)
{
    ash__buffer *const b = a->buffer;
    if (!b->hosted)
        return write_bytes(function, b, ASH__ASKED, offset_of(a, at), element, ash_dtype_size(a->dtype));
    const ash_status status = ash__host_wait(function, a, ASH__WRITE | ASH__ASKED);
    if (!status)
        memcpy(at, element, ash_dtype_size(a->dtype));
    return status;
}
