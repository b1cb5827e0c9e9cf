/*
 * lending.c - what a CUDA device has in common with other libraries: streams of theirs, and memory by its address.
 */
#include <stdlib.h>

#include "backend/cuda/cuda.h"
#include "core/alloc.h"
#include "core/error.h"

enum { KIND_CUDA = 2, KIND_CUDA_HOST = 3, KIND_CUDA_MANAGED = 13 }; /* DLPack's */

/* ---- streams */

static ash_status check_stream(const char *function, ash__cu_device *d, void *stream)
{
    void *context = NULL;
    const ash__cu_call call = ash__cu_begin(d);
    const int error = call.error ? call.error : ash__cu.cuStreamGetCtx(stream, &context);
    const ash_status status = ash__cu_end(function, &call, "cuStreamGetCtx", error);
    if (status || context == d->context)
        return status;
    return ash__fail(ASH_ERR_ARGUMENT, function,
                     "the stream is of another device or context than %s, whose primary context it "
                     "must belong to",
                     d->name);
}

ash_status ash__cu_queue_over(const char *function, const ash_device *device, void *stream, void **queue)
{
    ash__cu_device *const d = ash__cu_of(device);
    if (check_stream(function, d, stream))
        return ash__last_status();
    ash__cu_queue *const q = ash__alloc(function, 1, sizeof *q);
    if (!q)
        return ASH_ERR_MEMORY;
    *q = (ash__cu_queue){.device = d, .stream = stream, .lent = true};
    *queue = q;
    return ASH_OK;
}

/* Where that fails, the device's own stream is what there always is. */
void ash__cu_queue_leave(void *queue)
{
    ash__cu_queue *const q = queue;
    void *theirs = q->stream, *ours = NULL;
    if (!q->lent)
        return;
    const ash__cu_call call = ash__cu_begin(q->device);
    int error = call.error;
    ash__cu_event *const last = error ? NULL : ash__cu_record(q, &error);
    if (!error)
        error = ash__cu.cuStreamCreate(&ours, CU_STREAM_NON_BLOCKING);
    q->stream = error ? q->device->own.stream : ours;
    if (last)
        ash__cu.cuStreamWaitEvent(q->stream, last->event, 0);
    else if (!call.error)
        ash__cu.cuStreamSynchronize(theirs);
    if (last)
        ash__cu_event_free(last);
    q->lent = false;
    ash__cu_end(NULL, &call, "cuStreamCreate", error);
}

void *ash__cu_stream_of(void *queue)
{
    return ((const ash__cu_queue *)queue)->stream;
}

ash_status ash__cu_stream_after(const char *function, const ash_device *device, void *stream, void *event)
{
    ash__cu_queue theirs = {.device = ash__cu_of(device), .stream = stream};
    return ash__cu_after(function, &theirs, event);
}

ash_status ash__cu_record_event(const char *function, void *queue, void **event)
{
    ash__cu_queue *const q = queue;
    const ash__cu_call call = ash__cu_begin(q->device);
    int error = call.error;
    if (!error)
        *event = ash__cu_record(q, &error);
    return ash__cu_end(function, &call, "cuEventRecord", error);
}

/* ---- memory */

static bool ask(int attribute, uint64_t pointer, int *value)
{
    return !ash__cu.cuPointerGetAttribute(value, attribute, pointer);
}

/* Memory of the device, of another one, or managed: what the host has is lent for a call as anywhere. In its context. */
static ash_status look_at(const char *function, const ash__cu_device *d, uint64_t first, uint64_t last, bool *known,
                          bool *hosted)
{
    int type = 0, type_at_end = 0, managed = 0, number = -1;
    *known = false;
    if (!ask(CU_POINTER_IS_MANAGED, first, &managed))
        managed = 0;
    if (!ask(CU_POINTER_MEMORY_TYPE, first, &type) || (type != CU_MEMORYTYPE_DEVICE && !managed))
        return ASH_OK;
    if (!ask(CU_POINTER_DEVICE_ORDINAL, first, &number) || (number != d->number && !managed))
        return ash__fail(ASH_ERR_DEVICE, function, "the memory is of CUDA's device %d; %s takes its own", number, d->name);
    if (!ask(CU_POINTER_MEMORY_TYPE, last, &type_at_end) || type_at_end != type)
        return ash__fail(ASH_ERR_ARGUMENT, function, "%llu bytes from %p are not all memory of %s",
                         (unsigned long long)(last - first + 1), (void *)(uintptr_t)first, d->name);
    *known = true;
    *hosted = managed && d->managed;
    return ASH_OK;
}

ash_status ash__cu_wrap(const char *function, const ash_device *device, void *address, size_t nbytes, void **memory,
                        bool *hosted)
{
    ash__cu_device *const d = ash__cu_of(device);
    const uint64_t first = (uintptr_t)address;
    bool known = false;
    *memory = NULL;
    const ash__cu_call call = ash__cu_begin(d);
    const ash_status found = call.error ? ASH_OK : look_at(function, d, first, first + nbytes - 1, &known, hosted);
    const ash_status status = ash__cu_end(function, &call, NULL, call.error);
    if (found || status || !known)
        return found ? found : status;
    ash__cu_memory *const m = ash__alloc(function, 1, sizeof *m);
    if (!m)
        return ASH_ERR_MEMORY;
    *m = (ash__cu_memory){
        .device = d, .kind = ASH__CU_LENT, .pointer = first, .host = *hosted ? address : NULL, .nbytes = nbytes};
    *memory = m;
    return ASH_OK;
}

int ash__cu_kind_of(const void *memory)
{
    const ash__cu_memory *const m = memory;
    return m->kind == ASH__CU_PINNED ? KIND_CUDA_HOST : m->host ? KIND_CUDA_MANAGED : KIND_CUDA;
}
