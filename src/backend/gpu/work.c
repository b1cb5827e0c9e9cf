/*
 * work.c - one task on a device: the memory that its kernels touch, working memory, and launches.
 *
 * Memory is the host's, shared with the device in place; ranges that meet are shared as one. Work is done when `end` returns.
 */
#include "backend/gpu/work.h"

#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"
#include "core/error.h"

/* ---- what is touched */

static void add_range(ash__gpu_work *w, ash__gpu_range r)
{
    for (int i = 0; i < w->ranges; i++)
        if (w->range[i].low < r.high && r.low < w->range[i].high) { /* they meet: one range, which may meet others now */
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
    add_range(w, (ash__gpu_range){.low = low - (uintptr_t)low % ASH__ALIGN, .high = high, .writes = writes});
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

/* ---- from begin to end */

ash_status ash__gpu_work_begin(ash__gpu_work *w)
{
    ash_status status = ASH_OK;
    pthread_mutex_lock(&w->gpu->lock);
    w->begun = true;
    if (!w->resources->queue)
        status = w->gpu->driver->queue_open(w->function, w->resources->device, &w->resources->queue);
    for (int i = 0; i < w->ranges && !status; i++)
        status = w->gpu->driver->share(w->function, w->resources->device, w->range[i].low,
                                       (size_t)(w->range[i].high - w->range[i].low), &w->range[i].memory);
    return status;
}

ash_status ash__gpu_scratch(ash__gpu_work *w, size_t nbytes, void **memory)
{
    const int at = w->scratches;
    void *const host = ash__gpu_allocate(w->resources->device, nbytes);
    if (!host)
        return ash__fail(ASH_ERR_MEMORY, w->function, "%s has no memory for %zu bytes", w->resources->device->name, nbytes);
    const ash_status status = w->gpu->driver->share(w->function, w->resources->device, host, nbytes, &w->scratch[at]);
    if (status) {
        free(host);
        return status;
    }
    w->scratch_host[at] = host;
    w->scratch_size[at] = nbytes;
    *memory = w->scratch[w->scratches++];
    return ASH_OK;
}

ash_status ash__gpu_upload(ash__gpu_work *w, const void *host, size_t nbytes, void **memory)
{
    const ash_status status = ash__gpu_scratch(w, nbytes, memory);
    if (!status)
        memcpy(w->scratch_host[w->scratches - 1], host, nbytes);
    return status;
}

ash_status ash__gpu_launch(ash__gpu_work *w, const char *text, const ash__launch *launch)
{
    void *program;
    const ash_status status = ash__gpu_compiled(w->function, w->resources->device, text, &program);
    w->launched |= !status;
    return status ? status : w->gpu->driver->launch(w->function, w->resources->queue, program, launch);
}

ash_status ash__gpu_fetch(ash__gpu_work *w, void *memory, size_t offset, void *host, size_t nbytes)
{
    int at = 0;
    while (at < w->scratches - 1 && w->scratch[at] != memory)
        at++;
    const ash_status status = w->gpu->driver->wait(w->function, w->resources->queue, memory, w->scratch_size[at]);
    if (!status)
        memcpy(host, (char *)w->scratch_host[at] + offset, nbytes);
    return status;
}

ash_status ash__gpu_work_end(ash__gpu_work *w, ash_status status)
{
    const ash__driver *const driver = w->gpu->driver;
    for (int i = 0; i < w->ranges && w->launched; i++)
        if (w->range[i].memory && w->range[i].writes) {
            const size_t nbytes = (size_t)(w->range[i].high - w->range[i].low);
            const ash_status waited = driver->wait(w->function, w->resources->queue, w->range[i].memory, nbytes);
            status = status ? status : waited;
        }
    for (int i = 0; i < w->ranges; i++)
        if (w->range[i].memory)
            driver->end_sharing(w->range[i].memory);
    for (int i = 0; i < w->scratches; i++) {
        driver->end_sharing(w->scratch[i]);
        free(w->scratch_host[i]);
    }
    if (w->begun)
        pthread_mutex_unlock(&w->gpu->lock);
    return status;
}
