/*
 * memory.c - memory of a device: the host's, which the device uses in place, and its own.
 *
 * A block knows its last writer and the readers since, so that work on another queue, and the host, wait for what they need.
 * Hosted memory is the host's or the device's at a time, which matters where a driver keeps a copy: the host gets it when it
 * settles a buffer, and the device at the next launch that touches it. Memory of the device's own has addresses too, so that
 * spans are the same everywhere: where the driver has none, those of a range in which nothing can be read.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backend/gpu/gpu.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/implicit.h"
#include "core/state.h"
#include "core/tally.h"
#include "core/trace.h"

enum { PAGE = 4096, HUGE_PAGE = 2 << 20, MANY_PAGES = 8 << 20 };

ash__gpu_block *ash__gpu_block_of(const ash__buffer *buffer)
{
    return buffer->block;
}

/* ---- blocks */

/* Where the driver has none of its own making. Whole pages where it is a page or more, so that a device can map it; huge ones
 * where there are many, for a processor as the device looks up each. */
static void *host_memory(size_t nbytes)
{
    const size_t alignment = nbytes < PAGE ? ASH__ALIGN : nbytes < MANY_PAGES ? PAGE : HUGE_PAGE;
    const size_t size = (nbytes + alignment - 1) / alignment * alignment;
    void *const memory = aligned_alloc(alignment, size);
#ifdef MADV_HUGEPAGE
    if (memory && alignment == HUGE_PAGE)
        madvise(memory, size, MADV_HUGEPAGE); /* advice: refused where there are none */
#endif
    return memory;
}

static void *empty_range(size_t nbytes)
{
    void *const at = mmap(NULL, nbytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return at == MAP_FAILED ? NULL : at;
}

static void free_block(ash__gpu_block *b)
{
    const ash__driver *const driver = b->gpu->driver;
    const bool theirs = b->hosted ? driver->allocate_shared != NULL : driver->address != NULL;
    if (b->memory)
        driver->memory_free(b->memory);
    if (b->address && !theirs && b->hosted)
        free(b->address);
    else if (b->address && !theirs)
        munmap(b->address, b->nbytes);
    free(b);
}

/* What was released may be the driver's again only when the work that uses it is done. */
static void *own_memory(ash__gpu *gpu, const ash_device *device, size_t nbytes)
{
    void *const memory = gpu->driver->allocate(device, nbytes);
    if (memory)
        return memory;
    pthread_mutex_lock(&gpu->lock);
    ash__gpu_finish_all(gpu);
    pthread_mutex_unlock(&gpu->lock);
    return gpu->driver->allocate(device, nbytes);
}

static bool fill_hosted(ash__gpu_block *b, const ash_device *device)
{
    const ash__driver *const driver = b->gpu->driver;
    void *host = NULL;
    if (driver->allocate_shared)
        b->memory = driver->allocate_shared(device, b->nbytes, &host);
    b->address = driver->allocate_shared ? host : host_memory(b->nbytes);
    return b->address;
}

static bool fill_private(ash__gpu_block *b, const ash_device *device)
{
    const ash__driver *const driver = b->gpu->driver;
    if (!driver->address && !(b->address = empty_range(b->nbytes)))
        return false;
    b->memory = own_memory(b->gpu, device, b->nbytes);
    if (b->memory && driver->address)
        b->address = driver->address(b->memory);
    return b->memory;
}

void *ash__gpu_allocate(const ash_device *device, bool hosted, size_t nbytes)
{
    ash__gpu *const gpu = device->state;
    if (nbytes > PTRDIFF_MAX - PAGE || ash__allocation_fails() || ash__gpu_in_other_process(gpu))
        return NULL;
    ash__gpu_block *const b = calloc(1, sizeof *b);
    if (!b)
        return NULL;
    *b = (ash__gpu_block){.gpu = gpu, .nbytes = nbytes, .hosted = hosted};
    if (hosted ? fill_hosted(b, device) : fill_private(b, device))
        return b;
    free_block(b);
    return NULL;
}

void *ash__gpu_address(void *block)
{
    return ((ash__gpu_block *)block)->address;
}

/* With the lock held. */
static ash_status finish_all(const char *function, ash__gpu_block *b, bool readers)
{
    ash_status status = ash__gpu_finish(function, b->gpu, b->writer);
    for (int k = 0; k < ASH__GPU_READERS && readers; k++) {
        const ash_status finished = ash__gpu_finish(function, b->gpu, b->reader[k]);
        status = status ? status : finished;
    }
    return status;
}

static bool unfinished(ash__gpu_mark mark)
{
    return mark.queue && mark.ticket > mark.queue->done;
}

/* With the lock held: an error where finish_all would wait and must not. */
static ash_status may_finish(const char *function, const ash__gpu_block *b, bool readers)
{
    bool waits = unfinished(b->writer);
    for (int k = 0; k < ASH__GPU_READERS && readers; k++)
        waits |= unfinished(b->reader[k]);
    return waits ? ash__implicit_may_wait(function, b->gpu->device) : ASH_OK;
}

/* With the lock held: the host gets what it can reach. */
static ash_status map_block(const char *function, ash__gpu_block *b)
{
    if (!b->hosted || !b->memory || b->mapped)
        return ASH_OK;
    return b->gpu->driver->map(function, b->last->own, b->memory, b->nbytes, &b->mapped);
}

static ash_status unmap_block(const char *function, ash__gpu_queue *queue, ash__gpu_block *b)
{
    const ash_status status = b->mapped ? b->gpu->driver->unmap(function, queue->own, b->memory, b->mapped) : ASH_OK;
    if (!status)
        b->mapped = NULL;
    return status;
}

void ash__gpu_deallocate(const ash_device *device, void *block, size_t nbytes)
{
    (void)device, (void)nbytes;
    ash__gpu_block *const b = block;
    if (ash__process_ends || ash__gpu_in_other_process(b->gpu))
        return; /* the driver may be gone, or is another process's */
    const ash__driver *const driver = b->gpu->driver;
    pthread_mutex_lock(&b->gpu->lock);
    ash_status status = finish_all(NULL, b, true);
    if (status && b->last)
        status = driver->finish(NULL, b->last->own);
    if (b->mapped && !unmap_block(NULL, b->last, b))
        driver->finish(NULL, b->last->own);
    pthread_mutex_unlock(&b->gpu->lock);
    if (!status) /* else it may be in use for ever */
        free_block(b);
    else
        ash__tally_add(ASH__COUNT_FAILURES, 1);
}

/* ---- on the device */

ash_status ash__gpu_claim(const char *function, ash__gpu_queue *queue, ash__gpu_block *b, bool writes)
{
    ash__gpu *const gpu = b->gpu;
    ash_status status = ash__gpu_after(function, gpu, queue, b->writer);
    for (int k = 0; k < ASH__GPU_READERS && writes && !status; k++)
        status = ash__gpu_after(function, gpu, queue, b->reader[k]);
    if (!status && !b->memory)
        status = gpu->driver->share(function, gpu->device, b->address, b->nbytes, &b->memory);
    b->last = queue;
    return status ? status : unmap_block(function, queue, b);
}

/* A place for another reader: its own, an empty or finished one, or that of one which this queue waits for from now on. */
static ash__gpu_mark *reader_place(const char *function, ash__gpu_queue *queue, ash__gpu_block *b, ash_status *status)
{
    for (int k = 0; k < ASH__GPU_READERS; k++)
        if (b->reader[k].queue == queue)
            return &b->reader[k];
    for (int k = 0; k < ASH__GPU_READERS; k++)
        if (!b->reader[k].queue || b->reader[k].ticket <= b->reader[k].queue->done)
            return &b->reader[k];
    *status = ash__gpu_after(function, b->gpu, queue, b->reader[0]);
    return &b->reader[0];
}

ash_status ash__gpu_used(const char *function, ash__gpu_queue *queue, ash__gpu_block *b, bool writes)
{
    const ash__gpu_mark now = {queue, queue->issued};
    ash_status status = ASH_OK;
    if (writes) {
        b->writer = now;
        memset(b->reader, 0, sizeof b->reader);
    } else {
        *reader_place(function, queue, b, &status) = now;
    }
    return status;
}

/* ---- on the host */

ash_status ash__gpu_settle(const char *function, ash__buffer *buffer, bool writes)
{
    ash__gpu_block *const b = ash__gpu_block_of(buffer);
    if (!b) /* the device does not keep what is not from its pool */
        return ASH_OK;
    const ash__driver *const driver = b->gpu->driver;
    if (ash__gpu_in_other_process(b->gpu)) /* which need not even have the driver's memory */
        return b->last || b->memory ? ash__gpu_check_process(function, b->gpu) : ASH_OK;
    pthread_mutex_lock(&b->gpu->lock);
    ash_status status = b->last && driver->check ? driver->check(function, b->gpu->device) : ASH_OK;
    if (!status)
        status = may_finish(function, b, writes);
    if (!status && b->last)
        status = finish_all(function, b, writes);
    if (!status && b->last)
        status = map_block(function, b);
    pthread_mutex_unlock(&b->gpu->lock);
    return status;
}

bool ash__gpu_block_done(ash__gpu_block *b, bool readers)
{
    bool done = ash__gpu_finished(b->gpu, b->writer);
    for (int k = 0; k < ASH__GPU_READERS && readers && done; k++)
        done = ash__gpu_finished(b->gpu, b->reader[k]);
    return done;
}

bool ash__gpu_settled(const ash__buffer *buffer, bool writes)
{
    ash__gpu_block *const b = ash__gpu_block_of(buffer);
    if (!b || ash__gpu_in_other_process(b->gpu))
        return true;
    pthread_mutex_lock(&b->gpu->lock);
    const bool done = ash__gpu_block_done(b, writes);
    pthread_mutex_unlock(&b->gpu->lock);
    return done;
}

/* A queue to copy by, with the lock held: the last one that used the block, else any. */
static ash_status copying_queue(const char *function, ash__gpu_block *b, ash__gpu_queue **queue)
{
    if (!b->last) {
        ash_resources none = {.device = b->gpu->device};
        const ash_status status = ash__gpu_queue_for(function, &none, &b->last);
        if (status)
            return status;
        b->last->next = b->gpu->idle; /* lent only: resources may have it too, and then both are in order */
        b->gpu->idle = b->last;
    }
    *queue = b->last;
    return ASH_OK;
}

/* Waits for what the block's last users are doing, and copies bytes to `to` or from `from`. */
static ash_status move_bytes(const char *function, ash__buffer *buffer, size_t offset, void *to, const void *from,
                             size_t nbytes)
{
    ash__gpu_block *const b = ash__gpu_block_of(buffer);
    ash__gpu_queue *queue = NULL;
    if (ash__gpu_check_process(function, b->gpu))
        return ASH_ERR_DEVICE;
    pthread_mutex_lock(&b->gpu->lock);
    ash_status status = may_finish(function, b, from != NULL);
    if (!status)
        status = finish_all(function, b, from != NULL);
    if (!status)
        status = copying_queue(function, b, &queue);
    const double start = ash__trace_clock();
    if (!status && to)
        status = b->gpu->driver->read(function, queue->own, b->memory, offset, to, nbytes);
    else if (!status)
        status = b->gpu->driver->write(function, queue->own, b->memory, offset, from, nbytes);
    if (!status && from && b->gpu->driver->record)
        status = ash__gpu_record(function, b->gpu, queue);
    if (!status && from && b->gpu->driver->record)
        status = ash__gpu_used(function, queue, b, true);
    pthread_mutex_unlock(&b->gpu->lock);
    if (__builtin_expect(start > 0, 0) && !status)
        ash__trace_copy(function, b->gpu->device, nbytes, to != NULL, start);
    return status;
}

ash_status ash__gpu_read(const char *function, ash__buffer *buffer, size_t offset, void *host, size_t nbytes)
{
    return move_bytes(function, buffer, offset, host, NULL, nbytes);
}

ash_status ash__gpu_write(const char *function, ash__buffer *buffer, size_t offset, const void *host, size_t nbytes)
{
    return move_bytes(function, buffer, offset, NULL, host, nbytes);
}
