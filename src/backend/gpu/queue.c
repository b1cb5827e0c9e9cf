/*
 * queue.c - queues of launches, and waiting for one of them.
 *
 * A queue keeps the events of its last launches. What is older than these is done when the oldest of them is. Launches are
 * submitted in batches, at once where the queue has nothing to do.
 */
#include <stdlib.h>

#include "backend/gpu/gpu.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/implicit.h"
#include "core/settings.h"
#include "core/trace.h"

ash_status ash__gpu_queue_for(const char *function, ash_resources *resources, ash__gpu_queue **queue)
{
    ash__gpu *const gpu = resources->device->state;
    const ash_status wrong = ash__batch_setting(&gpu->batch);
    if (wrong)
        return wrong;
    if (!resources->queue && gpu->idle) {
        ash__gpu_queue *const q = gpu->idle;
        gpu->idle = q->next;
        resources->queue = q;
    }
    if (!resources->queue) {
        ash__gpu_queue *const q = ash__alloc(function, 1, sizeof *q);
        const ash_status status = q ? gpu->driver->queue_open(function, resources->device, &q->own) : ASH_ERR_MEMORY;
        if (status) {
            ash__free(q);
            return status;
        }
        q->other = gpu->queue;
        gpu->queue = q;
        resources->queue = q;
    }
    *queue = resources->queue;
    return ASH_OK;
}

void ash__gpu_end(ash_resources *resources)
{
    ash__gpu *const gpu = resources->device->state;
    ash__gpu_queue *const q = resources->queue;
    if (!q)
        return;
    pthread_mutex_lock(&gpu->lock);
    if (gpu->driver->queue_leave && !ash__gpu_in_other_process(gpu))
        gpu->driver->queue_leave(q->own);
    q->next = gpu->idle;
    gpu->idle = q;
    pthread_mutex_unlock(&gpu->lock);
    resources->queue = NULL;
}

ash_status ash__gpu_submit(const char *function, ash__gpu *gpu, ash__gpu_queue *queue)
{
    const ash_status status = queue->waiting ? gpu->driver->submit(function, queue->own) : ASH_OK;
    if (!status)
        queue->waiting = 0;
    return status;
}

/* ---- tickets */

static void **event_at(ash__gpu_queue *q, uint64_t ticket)
{
    return &q->event[ticket % ASH__GPU_EVENTS];
}

/* The first ticket from this one on whose event is kept. */
static uint64_t kept_from(const ash__gpu_queue *q, uint64_t ticket)
{
    const uint64_t oldest = q->issued < ASH__GPU_EVENTS ? 1 : q->issued - ASH__GPU_EVENTS + 1;
    return ticket > oldest ? ticket : oldest;
}

/* Everything up to the ticket is done. */
static void set_done(ash__gpu *gpu, ash__gpu_queue *q, uint64_t ticket)
{
    for (uint64_t t = kept_from(q, q->done + 1); t <= ticket; t++) {
        void **const event = event_at(q, t);
        if (*event)
            gpu->driver->event_free(*event);
        *event = NULL;
    }
    if (ticket > q->done)
        q->done = ticket;
}

ash_status ash__gpu_issued(const char *function, ash__gpu *gpu, ash__gpu_queue *q, void *event)
{
    void **const place = event_at(q, ++q->issued);
    if (*place)
        gpu->driver->event_free(*place);
    *place = event;
    return ++q->waiting >= gpu->batch || q->done + 1 == q->issued ? ash__gpu_submit(function, gpu, q) : ASH_OK;
}

ash_status ash__gpu_record(const char *function, ash__gpu *gpu, ash__gpu_queue *queue)
{
    void *event = NULL;
    const ash_status status = gpu->driver->record(function, queue->own, &event);
    return status ? status : ash__gpu_issued(function, gpu, queue, event);
}

ash_status ash__gpu_after(const char *function, ash__gpu *gpu, ash__gpu_queue *queue, ash__gpu_mark mark)
{
    ash__gpu_queue *const q = mark.queue;
    if (!q || q == queue || mark.ticket <= q->done)
        return ASH_OK;
    const ash_status status = ash__gpu_submit(function, gpu, q);
    return status ? status : gpu->driver->after(function, queue->own, *event_at(q, kept_from(q, mark.ticket)));
}

ash_status ash__gpu_finish(const char *function, ash__gpu *gpu, ash__gpu_mark mark)
{
    ash__gpu_queue *const q = mark.queue;
    if (!q || mark.ticket <= q->done)
        return ASH_OK;
    ash_status status = ash__gpu_submit(function, gpu, q);
    if (status)
        return status;
    ash__implicit_waits();
    const uint64_t ticket = kept_from(q, mark.ticket);
    void *const event = *event_at(q, ticket);
    gpu->driver->event_keep(event);
    pthread_mutex_unlock(&gpu->lock);
    const double start = ash__trace_clock();
    status = gpu->driver->event_wait(function, event);
    if (__builtin_expect(start > 0, 0))
        ash__trace_wait(function, gpu->device, start);
    pthread_mutex_lock(&gpu->lock);
    gpu->driver->event_free(event);
    set_done(gpu, q, ticket); /* a launch that failed is over too, and has been reported */
    return status;
}

void ash__gpu_finish_all(ash__gpu *gpu)
{
    for (ash__gpu_queue *q = gpu->queue; q; q = q->other)
        ash__gpu_finish(NULL, gpu, (ash__gpu_mark){q, q->issued});
}

bool ash__gpu_finished(ash__gpu *gpu, ash__gpu_mark mark)
{
    ash__gpu_queue *const q = mark.queue;
    if (!q || mark.ticket <= q->done)
        return true;
    if (ash__gpu_submit(NULL, gpu, q))
        return false;
    const uint64_t ticket = kept_from(q, mark.ticket);
    if (!gpu->driver->event_done(*event_at(q, ticket)))
        return false;
    set_done(gpu, q, ticket);
    return true;
}

/* ---- the end of the process */

static pthread_mutex_t guard_lock = PTHREAD_MUTEX_INITIALIZER;
static ash__gpu *guarded;

static void wait_for_all(void)
{
    pthread_mutex_lock(&guard_lock);
    ash__gpu *const first = guarded;
    pthread_mutex_unlock(&guard_lock);
    for (ash__gpu *gpu = first; gpu; gpu = gpu->also) {
        if (ash__gpu_in_other_process(gpu))
            continue;
        pthread_mutex_lock(&gpu->lock);
        ash__gpu_finish_all(gpu);
        pthread_mutex_unlock(&gpu->lock);
    }
}

/* A driver whose own end comes first would run what is queued with parts of it gone. What is called at the end is called in the
 * reverse order, so this has to come after all that the driver makes for a kernel: each time that one has been compiled. */
ash_status ash__gpu_guard(const char *function, ash__gpu *gpu, ash__gpu_queue *queue)
{
    ash__asked++; /* a part of compiling */
    const ash_status status = ash__gpu_finish(function, gpu, (ash__gpu_mark){queue, queue->issued});
    ash__asked--;
    pthread_mutex_lock(&guard_lock);
    if (!gpu->guarded) {
        gpu->guarded = true;
        gpu->also = guarded;
        guarded = gpu;
    }
    atexit(wait_for_all);
    pthread_mutex_unlock(&guard_lock);
    return status;
}

/* ---- of resources */

static ash__gpu_mark all_of(const ash_resources *resources)
{
    ash__gpu_queue *const q = resources->queue;
    return (ash__gpu_mark){q, q ? q->issued : 0};
}

ash_status ash__gpu_wait(ash_resources *resources)
{
    ash__gpu *const gpu = resources->device->state;
    const char *const function = "ash_sync";
    if (!resources->queue)
        return ASH_OK;
    if (ash__gpu_check_process(function, gpu))
        return ASH_ERR_DEVICE;
    pthread_mutex_lock(&gpu->lock);
    const ash_status status = ash__gpu_finish(function, gpu, all_of(resources));
    pthread_mutex_unlock(&gpu->lock);
    ash__gpu_give_back(gpu);
    return status;
}

bool ash__gpu_idle(ash_resources *resources)
{
    ash__gpu *const gpu = resources->device->state;
    if (!resources->queue || ash__gpu_in_other_process(gpu))
        return true;
    pthread_mutex_lock(&gpu->lock);
    const bool idle = ash__gpu_finished(gpu, all_of(resources));
    pthread_mutex_unlock(&gpu->lock);
    return idle;
}
