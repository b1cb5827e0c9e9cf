/*
 * kernel.c - a user's kernel on the CPU: groups shared out to the threads, the work-items of a group one after another.
 *
 * kernel->run(group, first) runs the items first, first + 1 ... in a loop that a compiler can see through. An item that calls
 * ASH_BARRIER is left where it is: the rest of the group is begun on another stack, by the same function, and so on until all
 * are waiting or done; then the first one goes on. So a kernel without barriers costs nothing for them, and one with barriers
 * has a stack for each item. That the turn goes round in the order of the items is all that a barrier is.
 *
 * Each part of the groups has its own note of the first fault; the lowest part's is reported, which for any number of threads
 * is that of the first group in order.
 */
#include <setjmp.h>
#include <string.h>

#include "backend/cpu/cpu.h"
#include "backend/cpu/fiber.h"
#include "backend/cpu/threads.h"
#include "backend/kernel.h"
#include "core/error.h"

enum { ITEM_NANOSECONDS = 50, SEVERAL = 16 }; /* what an item is taken to need; parts for each thread, for groups may differ */

typedef enum trouble { NONE, NO_MEMORY, NOT_ALL_WAIT } trouble;

typedef struct waiting { /* of a fiber: the item that it began with is the only one that may wait on it */
    int64_t first, waits;
    bool ended;
} waiting;

/* What one part of the work has: group->own. */
typedef struct worker {
    const ash__launching *launching;
    ash_kernel_group group;
    ash_kernel_argument argument[ASH_KERNEL_PARAMETERS];
    ash_kernel_fault fault;
    trouble trouble;
    ash__fiber_set *set; /* NULL until an item waits */
    waiting *fiber;      /* of the group that is run */
    int fibers, current;
    jmp_buf leave; /* the group cannot be run */
} worker;

typedef struct work {
    const ash__launching *launching;
    int64_t groups[3], all, parts;
    size_t waiting, local, own; /* bytes of a part: for what waits; that a group shares; of both and of its worker */
    char *block;                /* parts of `own` bytes */
} work;

/* ---- barriers */

static int next_fiber(const worker *w)
{
    int k = w->current;
    do {
        k = k + 1 < w->fibers ? k + 1 : 0;
        if (!w->fiber[k].ended)
            return k;
    } while (k != w->current);
    return 0; /* which waits for the others to end */
}

static void switch_to(worker *w, int to)
{
    const int from = w->current;
    w->current = to;
    if (from != to)
        ash__fiber_switch(w->set, from, to);
}

static void fiber_main(void *context)
{
    worker *const w = context;
    const int me = w->current;
    w->launching->kernel->run(&w->group, w->fiber[me].first);
    w->fiber[me].ended = true;
    switch_to(w, next_fiber(w));
}

/* The rest of the group, from item `first` on. */
static void start_rest(worker *w, int64_t first)
{
    if (!w->set && !(w->set = ash__fibers_take())) {
        w->trouble = NO_MEMORY;
        longjmp(w->leave, 1); /* the first item of the first group that waits: on the thread's own stack */
    }
    const int k = w->fibers++;
    w->fiber[k] = (waiting){.first = first};
    ash__fiber_start(w->set, k, fiber_main, w);
    switch_to(w, k);
}

void ash_kernel_barrier(ash_kernel_item *item)
{
    worker *const w = item->group->own;
    const int64_t number = (item->id[0] * item->local_size[1] + item->id[1]) * item->local_size[2] + item->id[2];
    const int64_t items = item->local_size[0] * item->local_size[1] * item->local_size[2];
    const bool first_time = !item->waited;
    if (w->launching->chosen) {
        w->fault.parameter = ASH__KERNEL_NO_GROUPS;
        return;
    }
    item->waited = true;
    w->fiber[w->current].waits++;
    if (number != w->fiber[w->current].first)
        w->trouble = NOT_ALL_WAIT; /* items before it have passed */
    if (first_time && number + 1 < items)
        start_rest(w, number + 1);
    else
        switch_to(w, next_fiber(w));
}

char *ash_kernel_outside(const ash_kernel_view *view, int64_t axis, int64_t index)
{
    if (!view->fault->parameter)
        *view->fault = (ash_kernel_fault){.parameter = view->parameter, .axis = axis, .index = index};
    return (char *)view->fault->sink;
}

/* ---- groups */

static void run_group(worker *w, waiting *fiber)
{
    w->fiber = fiber;
    w->fiber[0] = (waiting){.first = 0};
    w->fibers = 1;
    w->current = 0;
    if (setjmp(w->leave))
        return;
    w->launching->kernel->run(&w->group, 0);
    w->fiber[0].ended = true;
    switch_to(w, next_fiber(w));
    for (int k = 1; k < w->fibers; k++)
        if (w->fiber[k].waits != w->fiber[0].waits)
            w->trouble = NOT_ALL_WAIT;
}

static void set_group(const work *all, worker *w, int64_t number)
{
    const ash__launching *const l = w->launching;
    for (int k = 2; k >= 0; number /= all->groups[k--]) {
        w->group.group[k] = number % all->groups[k];
        w->group.start[k] = w->group.group[k] * l->local[k];
        const int64_t rest = l->global[k] - w->group.start[k];
        w->group.local[k] = l->local[k] < rest ? l->local[k] : rest;
    }
}

static void set_arguments(const work *all, worker *w, char *local)
{
    const ash__launching *const l = all->launching;
    for (int64_t k = 0; k < l->kernel->count; k++) {
        const ash_kernel_parameter *const p = &l->kernel->parameter[k];
        w->argument[k] = l->argument[k];
        w->argument[k].view.fault = &w->fault;
        w->argument[k].local = local;
        if (p->kind == ASH_KERNEL_LOCAL)
            local += ash__round_up((size_t)p->count * ash__kernel_value_size(p->dtype));
    }
    w->group.axes = l->axes;
    w->group.seed = l->seed;
    w->group.argument = w->argument;
    w->group.fault = &w->fault;
    w->group.own = w;
    memcpy(w->group.global, l->global, sizeof l->global);
    memcpy(w->group.groups, all->groups, sizeof all->groups);
}

static worker *worker_of(const work *all, int64_t part)
{
    return (worker *)(void *)(all->block + (size_t)part * all->own);
}

static void run_part(void *context, int64_t part)
{
    const work *const all = context;
    worker *const w = worker_of(all, part);
    char *const behind = (char *)w + ash__round_up(sizeof *w);
    const int64_t end = ash__part_start(all->all, part + 1, all->parts);
    w->launching = all->launching;
    set_arguments(all, w, behind + all->waiting);
    for (int64_t k = ash__part_start(all->all, part, all->parts); k < end && !w->trouble && !w->fault.parameter; k++) {
        set_group(all, w, k);
        run_group(w, (waiting *)(void *)behind);
    }
    if (w->set)
        ash__fibers_give(w->set);
}

/* ---- the task */

static ash_status report(const ash__task *task, const worker *w)
{
    const ash__launching *const l = w->launching;
    const char *const name = task->launching->kernel->name;
    switch (w->trouble) {
    case NO_MEMORY:
        return ash__fail(ASH_ERR_MEMORY, task->function, "no memory for the groups of kernel %s", name);
    case NOT_ALL_WAIT:
        return ash__fail(ASH_ERR_ARGUMENT, task->function, "kernel %s: not every work-item of a group reached the barrier",
                         name);
    case NONE:
        break;
    }
    return w->fault.parameter ? ash__kernel_fault_error(task->function, l, &w->fault) : ASH_OK;
}

static int64_t bytes_of(const ash__launching *l)
{
    int64_t bytes = 0;
    for (int64_t k = 0; k < l->kernel->count; k++)
        if (l->kernel->parameter[k].kind <= ASH_KERNEL_INOUT)
            bytes += l->argument[k].view.length * (int64_t)ash_dtype_size(l->kernel->parameter[k].dtype);
    return bytes;
}

ash_status ash__cpu_kernel(const ash__task *task)
{
    const ash__launching *const l = task->launching;
    work all = {.launching = l, .all = 1};
    for (int k = 0; k < 3; k++) {
        all.groups[k] = (l->global[k] + l->local[k] - 1) / l->local[k];
        all.all *= all.groups[k];
    }
    for (int64_t k = 0; k < l->kernel->count; k++) {
        const ash_kernel_parameter *const p = &l->kernel->parameter[k];
        if (p->kind == ASH_KERNEL_LOCAL)
            all.local += ash__round_up((size_t)p->count * ash__kernel_value_size(p->dtype));
    }
    const int64_t items = l->global[0] * l->global[1] * l->global[2];
    const int64_t wanted = ash__parts_for(bytes_of(l), items * ITEM_NANOSECONDS);
    all.parts = wanted > 1 ? ash__thread_count() * SEVERAL : 1;
    all.parts = wanted < all.parts ? wanted : all.parts;
    all.parts = all.all < all.parts ? all.all : all.parts;
    all.waiting = ash__round_up((size_t)(l->local[0] * l->local[1] * l->local[2]) * sizeof(waiting));
    all.own = ash__round_up(sizeof(worker)) + all.waiting + all.local;
    all.block = ash__spare_take((size_t)all.parts * all.own);
    if (!all.block)
        return ash__fail(ASH_ERR_MEMORY, task->function, "no memory for the groups of kernel %s", l->kernel->name);
    for (int64_t part = 0; part < all.parts; part++)
        memset(worker_of(&all, part), 0, sizeof(worker));
    ash__parallel(all.parts, run_part, &all);
    ash_status status = ASH_OK;
    for (int64_t part = 0; part < all.parts && !status; part++)
        status = report(task, worker_of(&all, part));
    ash__spare_give(all.block);
    return status;
}
