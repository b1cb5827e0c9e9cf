/*
 * warm.c - calls made ahead by a thread of the library's, so that kernels are compiled before they are needed.
 *
 * Threads that nobody has waited for are joined when the library goes: a driver's compiler must not run into a process that
 * ends.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#include "core/alloc.h"
#include "core/device.h"
#include "core/error.h"
#include "core/state.h"

struct ash_warming {
    pthread_t thread;
    pid_t process;
    ash_warm_calls *calls;
    void *context;
    ash_resources *resources;
    atomic_bool done;
    ash_error error;
    ash_warming *next, *before; /* of those not waited for */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static ash_warming *first;

/* A child of fork must not inherit a lock that some other thread held. */
static void take(void)
{
    pthread_mutex_lock(&lock);
}
static void give(void)
{
    pthread_mutex_unlock(&lock);
}
static void guard_fork(void)
{
    pthread_atfork(take, give, give);
}

static void *make_calls(void *context)
{
    ash_warming *const w = context;
    const int64_t mark = ash_resources_push(w->resources), scope = ash_scope_open();
    if (w->calls)
        w->calls(w->context);
    else
        ash_warm(NULL);
    ash_sync(NULL);
    ash_error_take(&w->error, sizeof w->error);
    ash_scope_close(scope);
    ash_resources_pop(mark);
    atomic_store(&w->done, true);
    return NULL;
}

static void enlist(ash_warming *w)
{
    pthread_once(&once, guard_fork);
    take();
    w->next = first;
    if (first)
        first->before = w;
    first = w;
    give();
}

static void take_out(ash_warming *w)
{
    take();
    *(w->before ? &w->before->next : &first) = w->next;
    if (w->next)
        w->next->before = w->before;
    give();
}

static void end(ash_warming *w)
{
    ash_resources_release(w->resources);
    ash__free(w);
}

ash_warming *ash_warm_start(ash_warm_calls *calls, void *context, ash_resources *resources)
{
    static const char f[] = "ash_warm_start";
    const ash_resources *const r = ash__resources_for(f, resources);
    ash_warming *const w = r ? ash__alloc(f, 1, sizeof *w) : NULL;
    if (!w)
        return NULL;
    w->calls = calls;
    w->context = context;
    w->process = getpid();
    w->resources = ash__resources_new(f, r->device);
    const int cause = w->resources ? pthread_create(&w->thread, NULL, make_calls, w) : 0;
    if (cause)
        ash__fail(ASH_ERR_MEMORY, f, "the system gives no thread: %s", strerror(cause));
    if (!w->resources || cause) {
        end(w);
        return NULL;
    }
    enlist(w);
    return w;
}

ash_status ash_warm_wait(ash_warming *w)
{
    static const char f[] = "ash_warm_wait";
    if (!w)
        return ASH_OK;
    if (w->process != getpid())
        return ash__fail(ASH_ERR_ARGUMENT, f, "the calls are made by process %ld, which was forked", (long)w->process);
    take_out(w); /* from now on it is joined here alone */
    pthread_join(w->thread, NULL);
    const ash_error error = w->error;
    end(w);
    return error.status ? ash__fail(error.status, error.function, "%s", error.cause) : ASH_OK;
}

bool ash_warm_done(const ash_warming *w)
{
    return !w || w->process != getpid() || atomic_load(&w->done);
}

__attribute__((destructor)) static void join_all(void)
{
    for (const ash_warming *w = first; w; w = w->next)
        if (w->process == getpid())
            pthread_join(w->thread, NULL);
}
