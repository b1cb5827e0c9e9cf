/*
 * lending.c - memory and streams that the GPU layer and other libraries have in common.
 *
 * Memory of others is a block like any, so that queues wait for each other on it; what its owner was promised at the end, a
 * deleter, comes when no queued work uses it. Nobody waits for that: it is looked for whenever something is queued or waited
 * for. A stream of theirs is a queue like any, until its resources go.
 */
#include <stdlib.h>

#include "backend/gpu/gpu.h"
#include "core/alloc.h"
#include "core/deferred.h"
#include "core/error.h"
#include "core/state.h"

typedef struct ash__gpu_lent {
    ash__gpu_block block; /* first: a buffer has its address */
    struct ash__gpu_lent *next;
    void (*deleter)(void *context);
    void *context;
    bool deferred;
} lent;

/* ---- their memory */

/* What was queued so far is the block's last writer. */
static ash_status come_after(const char *function, ash_resources *resources, ash__gpu_block *b)
{
    ash__gpu_queue *queue;
    pthread_mutex_lock(&b->gpu->lock);
    ash_status status = ash__gpu_queue_for(function, resources, &queue);
    if (!status)
        status = ash__gpu_record(function, b->gpu, queue);
    if (!status) {
        b->last = queue;
        status = ash__gpu_used(function, queue, b, true);
    }
    pthread_mutex_unlock(&b->gpu->lock);
    return status;
}

static void disclaim(void *block)
{
    lent *const l = block;
    l->block.gpu->driver->memory_free(l->block.memory);
    free(l);
}

static ash_status wrap(const char *function, ash_resources *resources, void *address, size_t nbytes, void **block, bool *hosted)
{
    ash__gpu *const gpu = resources->device->state;
    void *memory = NULL;
    *block = NULL;
    if (ash__gpu_in_other_process(gpu))
        return ASH_OK;
    ash_status status = gpu->driver->wrap(function, resources->device, address, nbytes, &memory, hosted);
    if (status || !memory)
        return status;
    lent *const l = ash__alloc(function, 1, sizeof *l);
    if (!l) {
        gpu->driver->memory_free(memory);
        return ASH_ERR_MEMORY;
    }
    l->block = (ash__gpu_block){.gpu = gpu, .address = address, .nbytes = nbytes, .hosted = *hosted, .memory = memory};
    status = come_after(function, resources, &l->block);
    if (status)
        disclaim(l);
    else
        *block = l;
    return status;
}

static void give_back(lent *l)
{
    if (l->deferred)
        ash__deferred_add(l->context);
    else if (l->deleter)
        l->deleter(l->context);
    disclaim(l);
}

static void unwrap(ash__buffer *buffer)
{
    lent *const l = buffer->block;
    ash__gpu *const gpu = l->block.gpu;
    if (ash__process_ends || ash__gpu_in_other_process(gpu))
        return; /* the driver may be gone, or is another process's */
    l->deleter = buffer->deleter;
    l->context = buffer->context;
    l->deferred = buffer->deferred;
    pthread_mutex_lock(&gpu->lock);
    const bool done = ash__gpu_block_done(&l->block, true);
    if (!done) {
        l->next = gpu->ended;
        gpu->ended = l;
    }
    pthread_mutex_unlock(&gpu->lock);
    if (done)
        give_back(l);
}

/* One that is done, off the list; NULL: there is none. */
static lent *take_done(ash__gpu *gpu)
{
    pthread_mutex_lock(&gpu->lock);
    lent **place = &gpu->ended;
    while (*place && !ash__gpu_block_done(&(*place)->block, true))
        place = &(*place)->next;
    lent *const l = *place;
    if (l)
        *place = l->next;
    pthread_mutex_unlock(&gpu->lock);
    return l;
}

void ash__gpu_give_back(ash__gpu *gpu)
{
    if (!__atomic_load_n(&gpu->ended, __ATOMIC_RELAXED))
        return;
    for (lent *l; (l = take_done(gpu));)
        give_back(l);
}

/* ---- streams */

static ash_status set_stream(const char *function, ash_resources *resources, void *stream)
{
    ash__gpu *const gpu = resources->device->state;
    ash__gpu_queue *const q = ash__alloc(function, 1, sizeof *q);
    const ash_status status = q ? gpu->driver->queue_over(function, resources->device, stream, &q->own) : ASH_ERR_MEMORY;
    if (status) {
        ash__free(q);
        return status;
    }
    pthread_mutex_lock(&gpu->lock);
    q->other = gpu->queue;
    gpu->queue = q;
    pthread_mutex_unlock(&gpu->lock);
    resources->queue = q;
    return ASH_OK;
}

static ash_status stream_of(const char *function, ash_resources *resources, void **stream)
{
    ash__gpu *const gpu = resources->device->state;
    ash__gpu_queue *queue;
    if (ash__gpu_check(function, resources->device))
        return ASH_ERR_DEVICE;
    pthread_mutex_lock(&gpu->lock);
    const ash_status status = ash__gpu_queue_for(function, resources, &queue);
    if (!status)
        *stream = gpu->driver->stream_of(queue->own);
    pthread_mutex_unlock(&gpu->lock);
    return status;
}

/* The stream waits for a mark. The lock is held. */
static ash_status follow(const char *function, ash__gpu *gpu, ash__gpu_mark mark, void *stream)
{
    ash__gpu_queue *const q = mark.queue;
    if (!q || mark.ticket <= q->done)
        return ASH_OK;
    void *event = NULL; /* of all that is queued: that of the mark may be gone */
    const ash_status status = gpu->driver->record(function, q->own, &event);
    if (status)
        return status;
    const ash_status after = gpu->driver->stream_after(function, gpu->device, stream, event);
    gpu->driver->event_free(event);
    return after;
}

static ash_status before(const char *function, ash__buffer *buffer, void *stream)
{
    ash__gpu_block *const b = buffer->block;
    if (ash__gpu_check(function, buffer->device))
        return ASH_ERR_DEVICE;
    pthread_mutex_lock(&b->gpu->lock);
    ash_status status = follow(function, b->gpu, b->writer, stream);
    for (int k = 0; k < ASH__GPU_READERS && !status; k++)
        status = follow(function, b->gpu, b->reader[k], stream);
    pthread_mutex_unlock(&b->gpu->lock);
    return status;
}

/* ---- their work on our memory */

static ash_status begin(const char *function, ash_resources *resources, ash__buffer *buffer, bool writes, uint64_t *address)
{
    ash__gpu_block *const b = buffer->block;
    ash__gpu_queue *queue;
    if (ash__gpu_check(function, buffer->device))
        return ASH_ERR_DEVICE;
    pthread_mutex_lock(&b->gpu->lock);
    ash_status status = ash__gpu_queue_for(function, resources, &queue);
    if (!status)
        status = ash__gpu_claim(function, queue, b, writes);
    if (!status)
        *address = (uintptr_t)b->gpu->driver->address(b->memory);
    pthread_mutex_unlock(&b->gpu->lock);
    return status;
}

static ash_status end(const char *function, ash_resources *resources, ash__buffer *buffer, bool writes)
{
    ash__gpu_block *const b = buffer->block;
    ash__gpu_queue *queue;
    if (ash__gpu_check(function, buffer->device))
        return ASH_ERR_DEVICE;
    pthread_mutex_lock(&b->gpu->lock);
    ash_status status = ash__gpu_queue_for(function, resources, &queue);
    if (!status)
        status = ash__gpu_record(function, b->gpu, queue);
    if (!status)
        status = ash__gpu_used(function, queue, b, writes);
    pthread_mutex_unlock(&b->gpu->lock);
    return status;
}

static int kind_of(const ash__buffer *buffer)
{
    const ash__gpu_block *const b = buffer->block;
    return b->gpu->driver->kind(b->memory);
}

const ash__lending ash__gpu_lending = {
    .wrap = wrap,
    .unwrap = unwrap,
    .disclaim = disclaim,
    .set_stream = set_stream,
    .stream = stream_of,
    .before = before,
    .begin = begin,
    .end = end,
    .kind = kind_of,
};
