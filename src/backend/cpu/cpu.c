/*
 * cpu.c - the CPU device: the table of its backend.
 *
 * Work is done when `run` returns, so there is nothing to wait for. Large blocks of memory are mapped on their own and ask
 * for huge pages: a fresh page of 4 KiB costs more than the arithmetic on it.
 */
#include "backend/cpu/cpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "backend/cpu/kernels.h"
#include "backend/cpu/native/native.h"
#include "backend/cpu/threads.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/pool.h"
#include "core/tally.h"
#include "expr/program.h"

enum { MAPPED = 32 << 20, HUGE_PAGE = 2 << 20 }; /* bytes: blocks from MAPPED on are mapped */

static int cpu_count(void)
{
    return 1;
}

/* The text after "model name : " in a line of /proc/cpuinfo. */
static bool model_name(char *text, size_t size)
{
    char line[256];
    bool found = false;
    FILE *const file = fopen("/proc/cpuinfo", "re");
    if (!file)
        return false;
    while (!found && fgets(line, sizeof line, file)) {
        const char *const colon = strchr(line, ':');
        if (strncmp(line, "model name", 10) != 0 || !colon)
            continue;
        line[strcspn(line, "\n")] = 0;
        snprintf(text, size, "%s", colon + (colon[1] == ' ' ? 2 : 1));
        found = text[0] != 0;
    }
    fclose(file);
    return found;
}

static ash_status cpu_open(const char *function, ash_device *device)
{
    (void)function;
    struct utsname machine;
    if (!model_name(device->description, sizeof device->description))
        snprintf(device->description, sizeof device->description, "%s", uname(&machine) >= 0 ? machine.machine : "CPU");
    const long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    device->memory = pages > 0 && page > 0 ? (size_t)pages * (size_t)page : 0;
    device->f64 = device->f16 = device->unified = true;
    return ASH_OK;
}

static size_t mapped_size(size_t nbytes)
{
    return (nbytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
}

/* Whole huge pages: more is mapped than needed and the ends are given back. */
static void *map_memory(size_t nbytes)
{
    const size_t size = mapped_size(nbytes);
    if (size < nbytes || size > PTRDIFF_MAX - HUGE_PAGE)
        return NULL;
    char *const start = mmap(NULL, size + HUGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (start == MAP_FAILED)
        return NULL;
    const size_t before = (HUGE_PAGE - (uintptr_t)start % HUGE_PAGE) % HUGE_PAGE;
    if (before)
        munmap(start, before);
    if (before < HUGE_PAGE)
        munmap(start + before + size, HUGE_PAGE - before);
#ifdef MADV_HUGEPAGE
    madvise(start + before, size, MADV_HUGEPAGE); /* advice: refused where there are none */
#endif
    return start + before;
}

static void *cpu_allocate(const ash_device *device, bool hosted, size_t nbytes)
{
    (void)device, (void)hosted;
    if (nbytes > PTRDIFF_MAX - ASH__ALIGN || ash__allocation_fails())
        return NULL;
    if (nbytes >= MAPPED)
        return map_memory(nbytes);
    return aligned_alloc(ASH__ALIGN, (nbytes + ASH__ALIGN - 1) / ASH__ALIGN * ASH__ALIGN);
}

static void cpu_deallocate(const ash_device *device, void *data, size_t nbytes)
{
    (void)device;
    if (nbytes < MAPPED)
        free(data);
    else if (munmap(data, mapped_size(nbytes)))
        ash__tally_add(ASH__COUNT_FAILURES, 1);
}

static ash_status cpu_run(ash_resources *resources, const ash__task *task)
{
    (void)resources;
    switch (task->kind) {
    case ASH__TASK_MAP:
        return ash__cpu_map(task);
    case ASH__TASK_REDUCE:
        return ash__cpu_reduce(task);
    case ASH__TASK_ARG:
        return ash__cpu_arg(task);
    case ASH__TASK_VARIANCE:
        return ash__cpu_variance(task);
    case ASH__TASK_SCAN:
        return ash__cpu_scan(task);
    case ASH__TASK_COPY:
        return ash__cpu_copy(task);
    case ASH__TASK_GATHER:
        return ash__cpu_gather(task);
    case ASH__TASK_SORT:
        return ash__cpu_sort(task);
    case ASH__TASK_SEARCH:
        return ash__cpu_search(task);
    case ASH__TASK_HISTOGRAM:
        return ash__cpu_histogram(task);
    case ASH__TASK_SCATTER:
        return ash__cpu_scatter(task);
    case ASH__TASK_SELECT:
        return ash__cpu_select(task);
    case ASH__TASK_RANDOM:
        return ash__cpu_random(task);
    case ASH__TASK_PRODUCT:
        return ash__cpu_product(task);
    case ASH__TASK_FACTOR:
        return ash__cpu_factor(task);
    case ASH__TASK_FOURIER:
        return ash__cpu_fourier(task);
    case ASH__TASK_KERNEL:
        return ash__cpu_kernel(task);
    }
    return ash__fail(ASH_ERR_UNSUPPORTED, task->function, "task %d is unknown to cpu:0", (int)task->kind);
}

static ash_status cpu_wait(ash_resources *resources)
{
    (void)resources;
    return ASH_OK;
}

static bool cpu_idle(ash_resources *resources)
{
    (void)resources;
    return true;
}

/* The pool of the operands' device; a device that has no kernel for a task lends its operands, but its blocks are not the
 * host's addresses: then that of cpu:0. */
static ash__pool *work_pool(const ash__task *task)
{
    const ash_device *const device = task->operand[0].buffer->device;
    return device->backend == &ash__cpu_backend ? device->pool : ash__device_named(task->function, "cpu:0")->pool;
}

void *ash__work_take(const ash__task *task, size_t nbytes)
{
    return ash__pool_take(work_pool(task), task->function, true, nbytes);
}

void ash__work_give(const ash__task *task, void *memory, size_t nbytes)
{
    ash__pool_give(work_pool(task), memory, true, nbytes);
}

static const char *cpu_level(void)
{
    return ash__cpu_kernels()->level;
}

const ash__backend ash__cpu_backend = {
    .name = "cpu",
    .count = cpu_count,
    .open = cpu_open,
    .allocate = cpu_allocate,
    .deallocate = cpu_deallocate,
    .run = cpu_run,
    .prepare = ash__map_prepare,
    .run_again = ash__native_run_again,
    .wait = cpu_wait,
    .idle = cpu_idle,
    .set_threads = ash__set_thread_count,
    .threads = ash__thread_count,
    .level = cpu_level,
};
