/*
 * queue.c - streams as queues, and events, which are used again.
 */
#include "backend/cuda/cuda.h"

#include <stdlib.h>

#include "core/alloc.h"

ash_status ash__cu_queue_open(const char *function, const ash_device *device, void **queue)
{
    ash__cu_queue *const q = ash__alloc(function, 1, sizeof *q);
    if (!q)
        return ASH_ERR_MEMORY;
    q->device = ash__cu_of(device);
    const ash__cu_call call = ash__cu_begin(q->device);
    /* non-blocking: work of other libraries on the default stream is not waited for, nor does it wait */
    const int error = call.error ? call.error : ash__cu.cuStreamCreate(&q->stream, CU_STREAM_NON_BLOCKING);
    const ash_status status = ash__cu_end(function, &call, "cuStreamCreate", error);
    *queue = status ? NULL : q;
    if (status)
        ash__free(q);
    return status;
}

ash_status ash__cu_submit(const char *function, void *queue)
{
    (void)function, (void)queue; /* a launch is on its way as soon as it is made */
    return ASH_OK;
}

ash_status ash__cu_finish(const char *function, void *queue)
{
    ash__cu_queue *const q = queue;
    const ash__cu_call call = ash__cu_begin(q->device);
    return ash__cu_end(function, &call, "cuStreamSynchronize",
                       call.error ? call.error : ash__cu.cuStreamSynchronize(q->stream));
}

ash_status ash__cu_after(const char *function, void *queue, void *event)
{
    ash__cu_queue *const q = queue;
    const ash__cu_event *const e = event;
    const ash__cu_call call = ash__cu_begin(q->device);
    return ash__cu_end(function, &call, "cuStreamWaitEvent",
                       call.error ? call.error : ash__cu.cuStreamWaitEvent(q->stream, e->event, 0));
}

/* ---- events */

static ash__cu_event *take_spare(ash__cu_device *device)
{
    pthread_mutex_lock(&device->lock);
    ash__cu_event *const e = device->spare;
    if (e)
        device->spare = e->next;
    pthread_mutex_unlock(&device->lock);
    return e;
}

static void give_spare(ash__cu_event *e)
{
    pthread_mutex_lock(&e->device->lock);
    e->next = e->device->spare;
    e->device->spare = e;
    pthread_mutex_unlock(&e->device->lock);
}

ash__cu_event *ash__cu_record(ash__cu_queue *queue, int *error)
{
    ash__cu_event *e = take_spare(queue->device);
    *error = 0;
    if (!e && !(e = ash__allocation_fails() ? NULL : calloc(1, sizeof *e)))
        *error = CUDA_ERROR_OUT_OF_MEMORY;
    else if (!e->event)
        *error = ash__cu.cuEventCreate(&e->event, CU_EVENT_DISABLE_TIMING);
    if (!*error)
        *error = ash__cu.cuEventRecord(e->event, queue->stream);
    if (e)
        e->device = queue->device;
    if (e && *error)
        give_spare(e);
    if (*error)
        return NULL;
    atomic_store(&e->refs, 1);
    return e;
}

ash_status ash__cu_event_wait(const char *function, void *event)
{
    const ash__cu_event *const e = event;
    const ash__cu_call call = ash__cu_begin(e->device);
    return ash__cu_end(function, &call, "cuEventSynchronize", call.error ? call.error : ash__cu.cuEventSynchronize(e->event));
}

bool ash__cu_event_done(void *event)
{
    const ash__cu_event *const e = event;
    const ash__cu_call call = ash__cu_begin(e->device);
    const int error = call.error ? call.error : ash__cu.cuEventQuery(e->event);
    ash__cu_end(NULL, &call, "cuEventQuery", error == CUDA_ERROR_NOT_READY ? 0 : error);
    return error != CUDA_ERROR_NOT_READY; /* what failed is over too */
}

void ash__cu_event_keep(void *event)
{
    ash__cu_event *const e = event;
    atomic_fetch_add(&e->refs, 1);
}

void ash__cu_event_free(void *event)
{
    ash__cu_event *const e = event;
    if (atomic_fetch_sub(&e->refs, 1) == 1)
        give_spare(e);
}
