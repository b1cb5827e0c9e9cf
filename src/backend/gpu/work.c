/*
 * work.c - one task on a device: the memory that its kernels touch, working memory, and launches.
 *
 * Memory from the pool is claimed by its block and marked at each launch, and may be in use when `end` returns. Other memory
 * (the program's own, a mapped file) is lent to the device, by ranges since it may overlap, and is the host's again then.
 */
#include "backend/gpu/work.h"

#include "core/alloc.h"
#include "core/error.h"
#include "core/implicit.h"
#include "core/pool.h"
#include "core/trace.h"

/* ---- what is touched */

static void add_range(ash__gpu_work *w, ash__gpu_range r)
{
    for (int i = 0; i < w->ranges; i++)
        if (w->range[i].block == r.block && w->range[i].low < r.high &&
            r.low < w->range[i].high) { /* they meet: one range, which may meet others now */
            r.low = w->range[i].low < r.low ? w->range[i].low : r.low;
            r.high = w->range[i].high > r.high ? w->range[i].high : r.high;
            r.writes |= w->range[i].writes;
            w->range[i] = w->range[--w->ranges];
            i = -1;
        }
    w->range[w->ranges++] = r;
}

void ash__gpu_touch(ash__gpu_work *w, const ash__span *span, const int64_t *shape, int64_t rank, bool writes)
{
    char *low = span->data, *high = low + ash_dtype_size(span->dtype);
    for (int64_t axis = 0; axis < rank && span->stride; axis++) {
        const int64_t far = (shape[axis] - 1) * span->stride[axis];
        low += far < 0 ? far : 0;
        high += far > 0 ? far : 0;
    }
    ash__gpu_block *const block = ash__gpu_block_of(span->buffer);
    if (block)
        low = block->address;
    else if (!w->gpu->driver->exact)
        low -= (uintptr_t)low % ASH__ALIGN;
    add_range(w, (ash__gpu_range){.block = block, .low = low, .high = high, .writes = writes});
}

int64_t ash__gpu_longest(const ash__gpu_work *w)
{
    int64_t longest = 0;
    for (int i = 0; i < w->ranges; i++)
        if (w->range[i].high - w->range[i].low > longest)
            longest = w->range[i].high - w->range[i].low;
    return longest;
}

const char *ash__gpu_unreachable(const ash__gpu_work *w)
{
    return (size_t)ash__gpu_longest(w) > w->gpu->largest ? "an operand is larger than the device's largest buffer" : NULL;
}

ash__gpu_place ash__gpu_place_of(const ash__gpu_work *w, const ash__span *span)
{
    for (int i = 0; i < w->ranges; i++)
        if (span->data >= w->range[i].low && span->data < w->range[i].high)
            return (ash__gpu_place){w->range[i].memory, span->data - w->range[i].low};
    return (ash__gpu_place){0};
}

/* ---- waiting */

/* The lock is held: an error where `finish` would wait, and must not. */
static ash_status may_wait(const ash__gpu_work *w)
{
    return w->queue->issued > w->queue->done ? ash__implicit_may_wait(w->function, w->gpu->device) : ASH_OK;
}

/* The lock is held: everything that was queued is done. */
static ash_status finish(ash__gpu_work *w)
{
    return ash__gpu_finish(w->function, w->gpu, (ash__gpu_mark){w->queue, w->queue->issued});
}

/* ---- from begin to end */

/* What a driver had no memory for may fit when all that is queued is done and what the pool keeps is given back. `pending` is
 * what ash__pending said before, which is not to be dropped. */
static bool make_room(const ash__gpu_work *w, ash_status pending)
{
    if (!pending)
        ash_error_clear();
    pthread_mutex_lock(&w->gpu->lock);
    ash__gpu_finish_all(w->gpu);
    pthread_mutex_unlock(&w->gpu->lock);
    ash__pool_trim(w->resources->device->pool, 0);
    return true;
}

/* The lock is held. */
static ash_status reach(ash__gpu_work *w, ash__gpu_range *r)
{
    if (!r->block && r->memory)
        return ASH_OK;
    if (!r->block)
        return w->gpu->driver->share(w->function, w->resources->device, r->low, (size_t)(r->high - r->low), &r->memory);
    const ash_status status = ash__gpu_claim(w->function, w->queue, r->block, r->writes);
    r->memory = r->block->memory;
    return status;
}

static ash_status begin(ash__gpu_work *w)
{
    bool lent = false;
    for (int i = 0; i < w->ranges; i++)
        lent |= !w->range[i].block;
    ash__gpu_give_back(w->gpu);
    pthread_mutex_lock(&w->gpu->lock);
    ash_status status = lent ? ash__implicit_may_wait(w->function, w->gpu->device) : ASH_OK; /* `end` waits */
    if (!status)
        status = ash__gpu_queue_for(w->function, w->resources, &w->queue);
    for (int i = 0; i < w->ranges && !status; i++)
        status = reach(w, &w->range[i]);
    pthread_mutex_unlock(&w->gpu->lock);
    return status;
}

ash_status ash__gpu_work_begin(ash__gpu_work *w)
{
    const ash_status pending = ash__pending(), status = begin(w);
    return status == ASH_ERR_MEMORY && make_room(w, pending) ? begin(w) : status;
}

ash_status ash__gpu_scratch(ash__gpu_work *w, size_t nbytes, void **memory)
{
    ash__gpu_block *const block = ash__pool_take(w->resources->device->pool, w->function, false, nbytes);
    if (!block)
        return ASH_ERR_MEMORY;
    w->scratch[w->scratches] = block;
    w->scratch_size[w->scratches++] = nbytes;
    *memory = block->memory;
    pthread_mutex_lock(&w->gpu->lock);
    const ash_status status = ash__gpu_claim(w->function, w->queue, block, true);
    pthread_mutex_unlock(&w->gpu->lock);
    return status;
}

ash_status ash__gpu_upload(ash__gpu_work *w, const void *host, size_t nbytes, void **memory)
{
    const double start = ash__trace_clock();
    ash_status status = ash__gpu_scratch(w, nbytes, memory);
    if (status)
        return status;
    pthread_mutex_lock(&w->gpu->lock);
    status = may_wait(w);
    if (!status)
        status = finish(w); /* as writing does */
    if (!status)
        status = w->gpu->driver->write(w->function, w->queue->own, *memory, 0, host, nbytes);
    pthread_mutex_unlock(&w->gpu->lock);
    if (__builtin_expect(ash__tracing(), 0) && !status)
        ash__trace_copy(w->function, w->gpu->device, nbytes, false, start);
    return status;
}

/* The lock is held. What was queued counts as using everything, so that nobody else takes it before. */
static ash_status mark_all(ash__gpu_work *w)
{
    ash_status status = ASH_OK;
    for (int i = 0; i < w->ranges && !status; i++)
        if (w->range[i].block)
            status = ash__gpu_used(w->function, w->queue, w->range[i].block, w->range[i].writes);
    for (int i = 0; i < w->scratches && !status; i++)
        status = ash__gpu_used(w->function, w->queue, w->scratch[i], true);
    return status;
}

/* What the driver has just queued. The lock is held. */
static ash_status note_launch(ash__gpu_work *w, void *event)
{
    w->launched = true;
    const ash_status status = ash__gpu_issued(w->function, w->gpu, w->queue, event), marked = mark_all(w);
    return status ? status : marked;
}

/* *full: the driver has no memory to run it, and nothing was queued. */
static ash_status launch_locked(ash__gpu_work *w, const char *text, const ash__launch *launch, bool *full)
{
    ash__gpu_program *program;
    void *event = NULL;
    bool fresh = false;
    ash_status status = ash__gpu_compiled(w->function, w->resources->device, text, &program);
    if (status)
        return status;
    const bool stored = program->fresh;
    status = w->gpu->driver->launch(w->function, w->queue->own, program->program, launch, &event, &fresh);
    *full = status == ASH_ERR_MEMORY;
    if (status)
        return status;
    status = note_launch(w, event);
    if (!status && fresh)
        status = ash__gpu_guard(w->function, w->gpu, w->queue);
    if (fresh || stored)
        ash__gpu_store(w->gpu, text);
    return status;
}

bool ash__gpu_gemm(ash__gpu_work *w, const ash__gemm *what, ash_status *status)
{
    void *event = NULL;
    pthread_mutex_lock(&w->gpu->lock);
    const bool theirs = w->gpu->driver->gemm(w->function, w->queue->own, what, &event, status);
    if (theirs && !*status)
        *status = note_launch(w, event);
    pthread_mutex_unlock(&w->gpu->lock);
    return theirs;
}

#define ASKED_FIRST(NAME)                                                                                      \
    bool ash__gpu_##NAME##_room(ash__gpu_work *w, const ash__##NAME *what, size_t *nbytes, ash_status *status) \
    {                                                                                                          \
        pthread_mutex_lock(&w->gpu->lock);                                                                     \
        const bool theirs = w->gpu->driver->NAME##_room(w->function, w->queue->own, what, nbytes, status);     \
        pthread_mutex_unlock(&w->gpu->lock);                                                                   \
        return theirs;                                                                                         \
    }                                                                                                          \
    ash_status ash__gpu_##NAME(ash__gpu_work *w, const ash__##NAME *what)                                      \
    {                                                                                                          \
        void *event = NULL;                                                                                    \
        pthread_mutex_lock(&w->gpu->lock);                                                                     \
        ash_status status = w->gpu->driver->NAME(w->function, w->queue->own, what, &event);                    \
        if (!status)                                                                                           \
            status = note_launch(w, event);                                                                    \
        pthread_mutex_unlock(&w->gpu->lock);                                                                   \
        return status;                                                                                         \
    }
ASKED_FIRST(dft)
ASKED_FIRST(trsm)
ASKED_FIRST(lapack)
#undef ASKED_FIRST

static ash_status launch_once(ash__gpu_work *w, const char *text, const ash__launch *launch, bool *full)
{
    pthread_mutex_lock(&w->gpu->lock);
    const ash_status status = launch_locked(w, text, launch, full);
    pthread_mutex_unlock(&w->gpu->lock);
    return status;
}

ash_status ash__gpu_launch(ash__gpu_work *w, const char *text, const ash__launch *launch)
{
    bool full = false;
    const ash_status pending = ash__pending(), status = launch_once(w, text, launch, &full);
    return full && make_room(w, pending) ? launch_once(w, text, launch, &full) : status;
}

ash_status ash__gpu_fetch(ash__gpu_work *w, void *memory, size_t offset, void *host, size_t nbytes)
{
    const double start = ash__trace_clock();
    pthread_mutex_lock(&w->gpu->lock);
    ash_status status = ash__implicit_may_wait(w->function, w->gpu->device);
    if (!status && w->queue->issued == w->queue->done)
        ash__implicit_waits(); /* it has waited already: for a kernel's first run */
    if (!status)
        status = finish(w);
    if (!status)
        status = w->gpu->driver->read(w->function, w->queue->own, memory, offset, host, nbytes);
    pthread_mutex_unlock(&w->gpu->lock);
    if (__builtin_expect(ash__tracing(), 0) && !status)
        ash__trace_copy(w->function, w->gpu->device, nbytes, true, start);
    return status;
}

/* The host's again, before the task is over: nobody asks a queue for memory that is not from the pool. The lock is held. */
static ash_status give_back(ash__gpu_work *w, const ash__gpu_range *r)
{
    const ash__driver *const driver = w->gpu->driver;
    void *mapped;
    ash_status status = ASH_OK;
    if (r->writes && w->launched) {
        status = driver->map(w->function, w->queue->own, r->memory, (size_t)(r->high - r->low), &mapped);
        if (!status)
            status = driver->unmap(w->function, w->queue->own, r->memory, mapped);
        if (!status)
            status = driver->finish(w->function, w->queue->own);
    }
    driver->memory_free(r->memory);
    return status;
}

ash_status ash__gpu_work_end(ash__gpu_work *w, ash_status status)
{
    bool lent = false;
    for (int i = 0; i < w->ranges; i++)
        lent |= !w->range[i].block && w->range[i].memory;
    if (lent) {
        pthread_mutex_lock(&w->gpu->lock);
        const ash_status finished = finish(w);
        status = status ? status : finished;
        for (int i = 0; i < w->ranges; i++)
            if (!w->range[i].block && w->range[i].memory) {
                const ash_status given = give_back(w, &w->range[i]);
                status = status ? status : given;
            }
        pthread_mutex_unlock(&w->gpu->lock);
    }
    for (int i = 0; i < w->scratches; i++)
        ash__pool_give(w->resources->device->pool, w->scratch[i], false, w->scratch_size[i]);
    return status;
}
