/*
 * gpu.c - the table of a backend that every driver gets: memory, queues, and where a task runs.
 *
 * A task without a kernel runs on the CPU backend, in place, after what is queued for its memory, and a trace says so; with
 * memory that the host cannot reach it is refused.
 */
#include "backend/gpu/dense.h"
#include "backend/gpu/listed.h"

#include <unistd.h>

#include "backend/factor.h"
#include "backend/kernel.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/implicit.h"

ash__gpu *ash__gpu_new(const char *function, const ash__driver *driver)
{
    ash__gpu *const gpu = ash__alloc(function, 1, sizeof *gpu);
    if (!gpu)
        return NULL;
    gpu->driver = driver;
    gpu->process = getpid();
    pthread_mutex_init(&gpu->lock, NULL);
    pthread_cond_init(&gpu->compiled, NULL);
    return gpu;
}

bool ash__gpu_in_other_process(const ash__gpu *gpu)
{
    return gpu->process != getpid();
}

ash_status ash__gpu_check_process(const char *function, const ash__gpu *gpu)
{
    if (!ash__gpu_in_other_process(gpu))
        return ASH_OK;
    return ash__fail(ASH_ERR_DEVICE, function, "%s was opened before this process was forked; use it in the parent",
                     gpu->device->name);
}

ash_status ash__gpu_check(const char *function, const ash_device *device)
{
    const ash__gpu *const gpu = device->state;
    if (ash__gpu_check_process(function, gpu))
        return ASH_ERR_DEVICE;
    return gpu->driver->check ? gpu->driver->check(function, device) : ASH_OK;
}

/* ---- tasks */

/* For all that a task touches. */
typedef ash_status on_span(const ash_resources *resources, const ash__task *task, const char *why, const ash__span *span,
                           bool writes);

static ash_status for_all_spans(on_span *does, const ash_resources *resources, const ash__task *task, const char *why)
{
    ash_status status = ASH_OK;
    for (int64_t k = 0; k < task->operand_count && !status; k++)
        status = does(resources, task, why, &task->operand[k], task->launching && task->launching->written[k]);
    if (!status)
        status = does(resources, task, why, &task->out, true);
    if (!status)
        status = does(resources, task, why, &task->value, true);
    if (!status && task->factor)
        status = does(resources, task, why, &task->factor->info, true);
    return status;
}

static ash_status refuse_private(const ash_resources *resources, const ash__task *task, const char *why, const ash__span *span,
                                 bool writes)
{
    (void)writes;
    if (!span->data || !span->buffer || span->buffer->hosted)
        return ASH_OK;
    return ash__fail(ASH_ERR_UNSUPPORTED, task->function,
                     "%s cannot do this (%s), and the host cannot reach private arrays; use shared ones",
                     resources->device->name, why);
}

/* The host gets it. */
static ash_status settle(const ash_resources *resources, const ash__task *task, const char *why, const ash__span *span,
                         bool writes)
{
    (void)resources, (void)why;
    return span->data && span->buffer ? ash__gpu_settle(task->function, span->buffer, writes) : ASH_OK;
}

static ash_status run_on_host(ash_resources *resources, const ash__task *task, const char *why)
{
    ash_status status = for_all_spans(refuse_private, resources, task, why);
    if (!status)
        status = ash__implicit_host(task->function, resources->device, why);
    if (!status)
        status = for_all_spans(settle, resources, task, why);
    if (status)
        return status;
    return ash__cpu_backend.run(resources, task);
}

/* *why: set, and nothing done, when there is no kernel for this task: why not. */
typedef ash_status kernels(ash_resources *resources, const ash__task *task, const char **why);

static kernels *kernels_for(ash__task_kind kind)
{
    static kernels *const known[] = {
        [ASH__TASK_MAP] = ash__gpu_map,           [ASH__TASK_COPY] = ash__gpu_copy,
        [ASH__TASK_RANDOM] = ash__gpu_random,     [ASH__TASK_PRODUCT] = ash__gpu_product,
        [ASH__TASK_REDUCE] = ash__gpu_reduce,     [ASH__TASK_SCAN] = ash__gpu_scan,
        [ASH__TASK_VARIANCE] = ash__gpu_variance, [ASH__TASK_ARG] = ash__gpu_reduce,
        [ASH__TASK_GATHER] = ash__gpu_gather,     [ASH__TASK_SCATTER] = ash__gpu_scatter,
        [ASH__TASK_SELECT] = ash__gpu_select,     [ASH__TASK_SORT] = ash__gpu_sort,
        [ASH__TASK_SEARCH] = ash__gpu_search,     [ASH__TASK_HISTOGRAM] = ash__gpu_histogram,
        [ASH__TASK_FACTOR] = ash__gpu_factor,     [ASH__TASK_FOURIER] = ash__gpu_fourier,
        [ASH__TASK_KERNEL] = ash__gpu_kernel,
    };
    return (unsigned)kind < sizeof known / sizeof known[0] ? known[kind] : NULL;
}

ash_status ash__gpu_run(ash_resources *resources, const ash__task *task)
{
    kernels *const run = kernels_for(task->kind);
    const char *why = NULL;
    if (!run)
        return run_on_host(resources, task, "no kernel does this kind of work yet");
    if (ash__gpu_check_process(task->function, resources->device->state))
        return ASH_ERR_DEVICE;
    const ash_status status = run(resources, task, &why);
    return why ? run_on_host(resources, task, why) : status;
}
