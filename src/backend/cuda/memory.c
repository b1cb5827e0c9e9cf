/*
 * memory.c - memory of a CUDA device, and the host's as the device's.
 *
 * Shared storage is managed memory, which moves to whoever uses it, where host and device may use it at once; small blocks, the
 * results of sums and the like, and all where they may not, are pinned memory of the host that the device reads over its bus.
 * Before a kernel uses a block that the host had, it is sent to the device as a whole, for faults of a GPU are dear; to the
 * host go pages as it touches them, but for blocks of a few pages.
 *
 * Memory that a program lends for a call is used in place where the device reaches it: any memory where there is such hardware,
 * else what CUDA has pinned or manages. Other memory is copied there and back: to pin it for one call would cost as much.
 */
#include "backend/cuda/cuda.h"

#include <stdlib.h>

#include "core/alloc.h"
#include "core/buffer.h"
#include "core/tally.h"

enum { SMALL = 1 << 15, FEW_PAGES = 1 << 20 };

static ash__cu_memory *new_memory(ash__cu_device *device, ash__cu_kind kind, void *host, size_t nbytes)
{
    ash__cu_memory *const m = calloc(1, sizeof *m);
    if (m)
        *m = (ash__cu_memory){.device = device, .kind = kind, .host = host, .nbytes = nbytes};
    return m;
}

/* ---- of the device's own */

/* In the order of the device's own queue, which is then waited for, so that every queue may use it. */
static int allocate_in_order(ash__cu_device *d, uint64_t *pointer, size_t nbytes)
{
    int error = ash__cu.cuMemAllocAsync(pointer, nbytes, d->own.stream);
    if (error == CUDA_ERROR_OUT_OF_MEMORY && !ash__cu.cuStreamSynchronize(d->own.stream) &&
        !ash__cu.cuMemPoolTrimTo(d->pool, 0))
        error = ash__cu.cuMemAllocAsync(pointer, nbytes, d->own.stream);
    return error ? error : ash__cu.cuStreamSynchronize(d->own.stream);
}

static int allocate_private(ash__cu_device *d, uint64_t *pointer, size_t nbytes)
{
    return d->pool ? allocate_in_order(d, pointer, nbytes) : ash__cu.cuMemAlloc(pointer, nbytes);
}

static int free_private(ash__cu_device *d, uint64_t pointer)
{
    return d->pool ? ash__cu.cuMemFreeAsync(pointer, d->own.stream) : ash__cu.cuMemFree(pointer);
}

void *ash__cu_allocate(const ash_device *device, size_t nbytes)
{
    ash__cu_device *const d = ash__cu_of(device);
    ash__cu_memory *const m = new_memory(d, ASH__CU_PRIVATE, NULL, nbytes);
    if (!m)
        return NULL;
    const ash__cu_call call = ash__cu_begin(d);
    const int error = call.error ? call.error : allocate_private(d, &m->pointer, nbytes);
    if (!ash__cu_end(NULL, &call, "cuMemAlloc", error))
        return m;
    free(m);
    return NULL;
}

void *ash__cu_address(void *memory)
{
    return (void *)(uintptr_t)((const ash__cu_memory *)memory)->pointer;
}

/* ---- shared */

static int allocate_pinned(ash__cu_memory *m)
{
    const unsigned flags = CU_MEMHOSTALLOC_PORTABLE | CU_MEMHOSTALLOC_DEVICEMAP;
    int error = ash__cu.cuMemHostAlloc(&m->host, m->nbytes, flags);
    if (!error && (error = ash__cu.cuMemHostGetDevicePointer(&m->pointer, m->host, 0)))
        ash__cu.cuMemFreeHost(m->host);
    return error;
}

static int allocate_managed(ash__cu_memory *m)
{
    const int error = ash__cu.cuMemAllocManaged(&m->pointer, m->nbytes, CU_MEM_ATTACH_GLOBAL);
    m->host = (void *)(uintptr_t)m->pointer;
    return error;
}

void *ash__cu_allocate_shared(const ash_device *device, size_t nbytes, void **host)
{
    ash__cu_device *const d = ash__cu_of(device);
    const bool managed = d->managed && nbytes > SMALL;
    ash__cu_memory *const m = new_memory(d, managed ? ASH__CU_MANAGED : ASH__CU_PINNED, NULL, nbytes);
    if (!m)
        return NULL;
    const ash__cu_call call = ash__cu_begin(d);
    const int error = call.error ? call.error : managed ? allocate_managed(m) : allocate_pinned(m);
    if (ash__cu_end(NULL, &call, "cuMemHostAlloc", error)) {
        free(m);
        return NULL;
    }
    *host = m->host;
    return m;
}

void ash__cu_move(ash__cu_queue *queue, ash__cu_memory *m)
{
    if (m->kind != ASH__CU_MANAGED || m->moved)
        return;
    ash__cu.cuMemPrefetchAsync(m->pointer, m->nbytes, m->device->number, queue->stream);
    m->moved = true;
}

/* ---- lent */

/* Does the device reach this memory of the host's, and where? */
static bool reaches(const ash__cu_device *d, void *host, size_t nbytes, uint64_t *pointer)
{
    uint64_t first = 0, last = 0;
    *pointer = (uintptr_t)host;
    if (d->pageable)
        return true;
    if (ash__cu.cuPointerGetAttribute(&first, CU_POINTER_DEVICE_POINTER, *pointer) ||
        ash__cu.cuPointerGetAttribute(&last, CU_POINTER_DEVICE_POINTER, *pointer + nbytes - 1) || !first ||
        last - first != nbytes - 1)
        return false;
    *pointer = first;
    return true;
}

/* As far from a multiple of ASH__ALIGN as on the host: kernels have been chosen by the alignment there. */
static size_t skew_of(const ash__cu_memory *m)
{
    return (uintptr_t)m->host % ASH__ALIGN;
}

static int copy_lent(ash__cu_memory *m)
{
    ash__cu_device *const d = m->device;
    m->kind = ASH__CU_COPY;
    int error = allocate_private(d, &m->pointer, m->nbytes + skew_of(m));
    if (error)
        return error;
    m->pointer += skew_of(m);
    error = ash__cu_copy_in(&d->own, m->pointer, m->host, m->nbytes);
    if (!error)
        error = ash__cu.cuStreamSynchronize(d->own.stream); /* another queue is going to use it */
    if (error)
        free_private(d, m->pointer - skew_of(m));
    return error;
}

ash_status ash__cu_share(const char *function, const ash_device *device, void *host, size_t nbytes, void **memory)
{
    ash__cu_device *const d = ash__cu_of(device);
    ash__cu_memory *const m = ash__alloc(function, 1, sizeof *m);
    if (!m)
        return ASH_ERR_MEMORY;
    *m = (ash__cu_memory){.device = d, .kind = ASH__CU_LENT, .host = host, .nbytes = nbytes};
    const ash__cu_call call = ash__cu_begin(d);
    int error = call.error;
    if (!error && !reaches(d, host, nbytes, &m->pointer))
        error = copy_lent(m);
    const ash_status status = ash__cu_end(function, &call, "cuMemcpyHtoDAsync", error);
    if (!status)
        *memory = m;
    else
        ash__free(m);
    return status;
}

/* What is queued for it has been waited for. */
ash_status ash__cu_map(const char *function, void *queue, void *memory, size_t nbytes, void **mapped)
{
    ash__cu_queue *const q = queue;
    ash__cu_memory *const m = memory;
    *mapped = m->host;
    if (m->kind != ASH__CU_COPY && m->kind != ASH__CU_MANAGED)
        return ASH_OK;
    const ash__cu_call call = ash__cu_begin(m->device);
    int error = call.error;
    if (!error && m->kind == ASH__CU_COPY)
        error = ash__cu_copy_out(q, m->host, m->pointer, nbytes);
    else if (!error && m->nbytes <= FEW_PAGES)
        ash__cu.cuMemPrefetchAsync(m->pointer, m->nbytes, CU_DEVICE_CPU, q->stream); /* a hint */
    m->moved = false;
    return ash__cu_end(function, &call, "cuMemcpyDtoHAsync", error);
}

/* A copy of lent memory is made anew for the next call: the host has nothing to tell it. */
ash_status ash__cu_unmap(const char *function, void *queue, void *memory, void *mapped)
{
    (void)function, (void)queue, (void)memory, (void)mapped;
    return ASH_OK;
}

/* ---- the end */

void ash__cu_memory_free(void *memory)
{
    ash__cu_memory *const m = memory;
    const ash__cu_call call = ash__cu_begin(m->device);
    int error = call.error;
    if (!error && (m->kind == ASH__CU_PRIVATE || m->kind == ASH__CU_COPY))
        error = free_private(m->device, m->pointer - (m->kind == ASH__CU_COPY ? skew_of(m) : 0));
    else if (!error && m->kind == ASH__CU_MANAGED)
        error = ash__cu.cuMemFree(m->pointer);
    else if (!error && m->kind == ASH__CU_PINNED)
        error = ash__cu.cuMemFreeHost(m->host);
    if (ash__cu_end(NULL, &call, "cuMemFree", error))
        ash__tally_add(ASH__COUNT_FAILURES, 1);
    free(m);
}
