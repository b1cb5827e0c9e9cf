/*
 * cuda.c - a program's own CUDA streams as resources, and its own work on arrays, in the order of everything else.
 */
#include "ashlar/cuda.h"

#include "backend/backend.h"
#include "core/array.h"
#include "core/error.h"

static const ash__lending *lending_of(const char *function, const ash_device *device)
{
    if (!device->backend->lending)
        ash__fail(ASH_ERR_UNSUPPORTED, function, "%s is no CUDA device", device->name);
    return device->backend->lending;
}

ash_resources *ash_cuda_resources(const char *device, void *stream)
{
    static const char f[] = "ash_cuda_resources";
    const ash_device *const d = ash__device_named(f, device);
    const ash__lending *const lending = d ? lending_of(f, d) : NULL;
    ash_resources *const r = lending ? ash__resources_new(f, d) : NULL;
    if (!r || !lending->set_stream(f, r, stream))
        return r;
    ash_resources_release(r);
    return NULL;
}

ash_status ash_cuda_stream(ash_resources *resources, void **stream)
{
    static const char f[] = "ash_cuda_stream";
    ash_resources *const r = ash__resources_for(f, resources);
    if (!r || !stream)
        return r ? ash__null(f, "stream") : ash__last_status();
    const ash__lending *const lending = lending_of(f, r->device);
    return lending ? lending->stream(f, r, stream) : ASH_ERR_UNSUPPORTED;
}

/* The resources to work on, when the array can be worked on; NULL with an error. */
static ash_resources *check(const char *function, const ash_array *a, bool writes, ash_resources *given)
{
    const ash_status status = writes ? ash__check_writable(function, "a", a) : ash__check_array(function, "a", a);
    if (status || !lending_of(function, ash__device(a)))
        return NULL;
    if (a->buffer->block)
        return ash__resources_on(function, ash__device(a), given);
    ash__fail(ASH_ERR_UNSUPPORTED, function, "a is in memory of the host's that was lent; ash_copy gives memory of %s",
              ash__device(a)->name);
    return NULL;
}

ash_status ash_cuda_begin(const ash_array *a, bool writes, ash_resources *resources, uint64_t *pointer)
{
    static const char f[] = "ash_cuda_begin";
    uint64_t address = 0;
    ash_resources *const r = check(f, a, writes, resources);
    if (!r || !pointer)
        return r ? ash__null(f, "pointer") : ash__last_status();
    const ash_status status = r->device->backend->lending->begin(f, r, a->buffer, writes, &address);
    if (!status)
        *pointer = address + (uint64_t)(ash__data(a) - (char *)a->buffer->data);
    return status;
}

ash_status ash_cuda_end(const ash_array *a, bool writes, ash_resources *resources)
{
    static const char f[] = "ash_cuda_end";
    ash_resources *const r = check(f, a, writes, resources);
    return r ? r->device->backend->lending->end(f, r, a->buffer, writes) : ash__last_status();
}
