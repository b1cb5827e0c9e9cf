/*
 * gpu.c - the table of a backend that every driver gets: memory, queues, and where a task runs.
 *
 * Memory is the host's and shared with the device, which is why only devices of unified memory can be opened yet; private
 * storage is the same memory. So a task without a kernel runs on the CPU backend, in place, and a trace says so.
 *
 * Each resources have a queue of their own, made at the first launch. Work is done when `run` returns: the layers above read,
 * write and reuse memory at host addresses without asking the queue, so nothing may be under way behind them.
 */
#include "backend/gpu/gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/alloc.h"
#include "core/error.h"

enum { PAGE = 4096 };

ash__gpu *ash__gpu_new(const char *function, const ash__driver *driver)
{
    ash__gpu *const gpu = ash__alloc(function, 1, sizeof *gpu);
    if (!gpu)
        return NULL;
    gpu->driver = driver;
    gpu->process = getpid();
    pthread_mutex_init(&gpu->lock, NULL);
    return gpu;
}

/* ---- memory: of the host, whole pages where it is a page or more, so that a device can map it */

void *ash__gpu_allocate(const ash_device *device, size_t nbytes)
{
    (void)device;
    if (nbytes > PTRDIFF_MAX - PAGE || ash__allocation_fails())
        return NULL;
    const size_t alignment = nbytes < PAGE ? ASH__ALIGN : PAGE;
    return aligned_alloc(alignment, (nbytes + alignment - 1) / alignment * alignment);
}

void ash__gpu_deallocate(const ash_device *device, void *data, size_t nbytes)
{
    (void)device, (void)nbytes;
    free(data);
}

/* ---- queues */

ash_status ash__gpu_wait(ash_resources *resources)
{
    (void)resources; /* nothing is under way */
    return ASH_OK;
}

bool ash__gpu_idle(ash_resources *resources)
{
    (void)resources;
    return true;
}

void ash__gpu_end(ash_resources *resources)
{
    ash__gpu *const gpu = resources->device->state;
    if (resources->queue && gpu->process == getpid())
        gpu->driver->queue_close(resources->queue);
    resources->queue = NULL;
}

/* ---- tasks */

static ash_status run_on_host(ash_resources *resources, const ash__task *task, const char *why)
{
    if (__builtin_expect(ash__tracing(), 0))
        fprintf(stderr, "%s: the host does this for %s: %s\n", task->function, resources->device->name, why);
    return ash__cpu_backend.run(resources, task);
}

/* *why: set, and nothing done, when there is no kernel for this task: why not. */
typedef ash_status kernels(ash_resources *resources, const ash__task *task, const char **why);

static kernels *kernels_for(ash__task_kind kind)
{
    static kernels *const known[] = {
        [ASH__TASK_MAP] = ash__gpu_map,
        [ASH__TASK_COPY] = ash__gpu_map,
    };
    return (unsigned)kind < sizeof known / sizeof known[0] ? known[kind] : NULL;
}

ash_status ash__gpu_run(ash_resources *resources, const ash__task *task)
{
    const ash__gpu *const gpu = resources->device->state;
    kernels *const run = kernels_for(task->kind);
    const char *why = NULL;
    if (!run)
        return run_on_host(resources, task, "no kernel does this kind of work yet");
    if (gpu->process != getpid())
        return ash__fail(ASH_ERR_DEVICE, task->function, "%s was opened before this process was forked; use it in the parent",
                         resources->device->name);
    const ash_status status = run(resources, task, &why);
    return why ? run_on_host(resources, task, why) : status;
}
