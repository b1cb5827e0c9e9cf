/*
 * threads.c - the thread pool of the CPU device.
 *
 * One job runs at a time. Each worker has a state of its own, on a cache line of its own, which the caller sets to OFFERED; the
 * worker claims it, runs its share, and sets it back to IDLE. The caller runs its own share, then takes back whatever
 * shares no worker has claimed yet, and waits only for those being run: a worker that is still waking up, or that the
 * system does not let run, costs nothing. Shares are contiguous, so part k meets the same cache at every call.
 *
 * A worker spins for 100 microseconds, for a sleeping one takes as long to wake, and then sleeps on a condition. Starting
 * is left to the first job, in a forked child too: there the handler below makes the pool empty again.
 *
 * Invariant: the job's description changes only while no worker is RUNNING; a worker reads it only after its claim.
 */
#include "backend/cpu/threads.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "core/alloc.h"
#include "core/error.h"

enum {
    MOST_THREADS = 1024,
    SPIN_NANOSECONDS = 100000,
    SPINS_PER_LOOK = 64,    /* pauses between two looks at the clock */
    SPINS_PER_YIELD = 4096, /* pauses of a waiting caller before it lets others run */
    PART_BYTES = 128 * 1024, /* traffic, and time, that pay for a part: two from 256 KiB, or 5 microseconds, on; at 64 KiB
                              * the cache lines that go from core to core can cost more than all the work */
    PART_NANOSECONDS = 2500,
    LINE = 64
};

typedef enum worker_state { IDLE, OFFERED, RUNNING, ASLEEP, STOPPED } worker_state;

typedef struct worker {
    _Alignas(LINE) atomic_int state;
    pthread_t thread;
    pthread_cond_t wake;
    int64_t number; /* 1 and up; the caller is 0 */
} worker;

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER; /* held by the thread that runs a job, or changes the pool */
static pthread_mutex_t sleep_lock = PTHREAD_MUTEX_INITIALIZER;
static worker workers[MOST_THREADS];
static int64_t started;           /* workers; behind the gate */
static atomic_bool closed;        /* the process is ending: no more threads */
static atomic_llong wanted;       /* threads, the caller included; 0: not decided yet */
static _Thread_local bool inside; /* a job */

static struct {
    ash__job *run;
    void *context;
    int64_t parts, threads;
} job;

/* ---- how many */

static int64_t processors(void)
{
#if defined(__linux__)
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0)
        return CPU_COUNT(&set);
#endif
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? n : 1;
}

static int64_t default_count(void)
{
    int64_t n = processors();
    const char *const text = getenv("ASHLAR_THREADS");
    if (text && *text) {
        char *end;
        const long long given = strtoll(text, &end, 10);
        if (*end == 0 && given > 0)
            n = given;
    }
    return n < 1 ? 1 : n > MOST_THREADS ? MOST_THREADS : n;
}

int64_t ash__thread_count(void)
{
    long long n = atomic_load_explicit(&wanted, memory_order_relaxed);
    if (n == 0) {
        long long none = 0;
        n = default_count();
        if (!atomic_compare_exchange_strong(&wanted, &none, n))
            n = none;
    }
    return n;
}

ash_status ash__set_thread_count(int64_t count)
{
    if (count < 0 || count > MOST_THREADS)
        return ash__fail(ASH_ERR_ARGUMENT, "ash_set_threads", "%lld threads; it must be 0 (one per processor) to %d",
                         (long long)count, MOST_THREADS);
    atomic_store(&wanted, count ? count : default_count());
    return ASH_OK;
}

int64_t ash__parts_for(int64_t bytes, int64_t nanoseconds)
{
    const int64_t by_bytes = bytes / PART_BYTES, by_time = nanoseconds / PART_NANOSECONDS;
    const int64_t parts = by_bytes > by_time ? by_bytes : by_time;
    if (parts < 2 || inside)
        return 1;
    const int64_t threads = ash__thread_count();
    return parts < threads ? parts : threads;
}

/* ---- workers */

static inline void pause_briefly(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

static int64_t now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

static void run_share(int64_t number)
{
    const int64_t to = job.parts * (number + 1) / job.threads;
    for (int64_t k = job.parts * number / job.threads; k < to; k++)
        job.run(job.context, k);
}

/* Spins while there is nothing to do, then sleeps; returns the state met. */
static int await(worker *w)
{
    const int64_t start = now();
    for (;;) {
        for (int k = 0; k < SPINS_PER_LOOK; k++) {
            const int state = atomic_load_explicit(&w->state, memory_order_relaxed);
            if (state != IDLE)
                return state;
            pause_briefly();
        }
        if (now() - start > SPIN_NANOSECONDS)
            break;
    }
    int state = IDLE;
    if (!atomic_compare_exchange_strong(&w->state, &state, ASLEEP))
        return state;
    pthread_mutex_lock(&sleep_lock);
    while ((state = atomic_load(&w->state)) == ASLEEP)
        pthread_cond_wait(&w->wake, &sleep_lock);
    pthread_mutex_unlock(&sleep_lock);
    return state;
}

static void *worker_main(void *context)
{
    worker *const w = context;
    inside = true; /* whatever runs here is part of a job */
    for (;;) {
        int state = await(w);
        if (state == STOPPED)
            return NULL;
        if (state != OFFERED ||
            !atomic_compare_exchange_strong_explicit(&w->state, &state, RUNNING, memory_order_acquire, memory_order_relaxed))
            continue;
        run_share(w->number);
        atomic_store_explicit(&w->state, IDLE, memory_order_release);
    }
}

static void set_state(worker *w, worker_state state)
{
    if (atomic_exchange(&w->state, state) != ASLEEP)
        return;
    pthread_mutex_lock(&sleep_lock);
    pthread_cond_signal(&w->wake);
    pthread_mutex_unlock(&sleep_lock);
}

static bool start_worker(int64_t number)
{
    worker *const w = &workers[number];
    sigset_t all, before;
    w->number = number;
    atomic_store(&w->state, IDLE);
    if (pthread_cond_init(&w->wake, NULL) != 0)
        return false;
    sigfillset(&all); /* signals are for the threads of the program */
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const bool fine = pthread_create(&w->thread, NULL, worker_main, w) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    if (!fine)
        pthread_cond_destroy(&w->wake);
    return fine;
}

/* In the child no worker lives on, and the gate may have been held by another thread. */
static void after_fork(void)
{
    static const pthread_mutex_t open = PTHREAD_MUTEX_INITIALIZER;
    memcpy(&gate, &open, sizeof gate);
    memcpy(&sleep_lock, &open, sizeof sleep_lock);
    for (int64_t k = 1; k <= started; k++)
        atomic_store(&workers[k].state, IDLE);
    started = 0;
}

/* Workers 1 to count - 1, as many as the system gives; returns how many threads there are. */
static int64_t start_workers(int64_t count)
{
    static bool handler;
    if (!handler)
        handler = pthread_atfork(NULL, NULL, after_fork) == 0;
    while (started < count - 1 && handler && start_worker(started + 1))
        started++;
    return started + 1 < count ? started + 1 : count;
}

static void stop_workers(void)
{
    pthread_mutex_lock(&gate);
    for (int64_t k = 1; k <= started; k++)
        set_state(&workers[k], STOPPED);
    for (int64_t k = 1; k <= started; k++) {
        pthread_join(workers[k].thread, NULL);
        pthread_cond_destroy(&workers[k].wake);
    }
    started = 0;
    pthread_mutex_unlock(&gate);
}

/* ---- jobs */

static void wait_for(worker *w)
{
    for (unsigned k = 1; atomic_load_explicit(&w->state, memory_order_acquire) == RUNNING; k++)
        if (k % SPINS_PER_YIELD)
            pause_briefly();
        else
            sched_yield();
}

static void run_alone(int64_t parts, ash__job *run, void *context)
{
    for (int64_t k = 0; k < parts; k++)
        run(context, k);
}

static void run_together(int64_t threads)
{
    job.threads = threads;
    for (int64_t k = 1; k < threads; k++)
        set_state(&workers[k], OFFERED);
    run_share(0);
    for (int64_t k = 1; k < threads; k++) {
        int state = OFFERED;
        if (atomic_compare_exchange_strong(&workers[k].state, &state, IDLE))
            run_share(k);
    }
    for (int64_t k = 1; k < threads; k++)
        wait_for(&workers[k]);
}

void ash__parallel(int64_t parts, ash__job *run, void *context)
{
    int64_t threads = parts > 1 && !inside ? ash__thread_count() : 1;
    if (threads > parts)
        threads = parts;
    if (threads <= 1 || atomic_load_explicit(&closed, memory_order_relaxed) || pthread_mutex_trylock(&gate) != 0) {
        run_alone(parts, run, context);
        return;
    }
    threads = start_workers(threads);
    job.run = run;
    job.context = context;
    job.parts = parts;
    inside = true;
    if (threads > 1)
        run_together(threads);
    else
        run_alone(parts, run, context);
    inside = false;
    pthread_mutex_unlock(&gate);
}

/* ---- memory of threads */

enum { SPARES = 4, LEAST_SPARE = 16 * 1024, MOST_SPARE = 4 << 20 };

typedef struct block {
    _Alignas(LINE) size_t nbytes; /* that follow the head */
} block;

typedef struct memory {
    block *scratch;
    block *spare[SPARES];
} memory;

static pthread_key_t key;
static atomic_int key_made; /* 0: not yet, 1: yes, -1: never */
static _Thread_local memory mine;
static _Thread_local bool registered;

static void free_memory(void *context)
{
    memory *const m = context;
    free(m->scratch);
    m->scratch = NULL;
    for (int k = 0; k < SPARES; k++) {
        free(m->spare[k]);
        m->spare[k] = NULL;
    }
    registered = false;
}

static void make_key(void)
{
    atomic_store(&key_made, pthread_key_create(&key, free_memory) == 0 ? 1 : -1);
}

/* False where nothing would free what this thread keeps. */
static bool keeps(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    if (registered)
        return true;
    pthread_once(&once, make_key);
    registered = atomic_load(&key_made) == 1 && pthread_setspecific(key, &mine) == 0;
    return registered;
}

/* At the end of the process, and before the library is unloaded: its code must not go while a worker, or the end of another
 * thread, may still come to it. */
static __attribute__((destructor)) void close_pool(void)
{
    atomic_store(&closed, true);
    if (inside) /* exit() was called from a job */
        return;
    stop_workers();
    free_memory(&mine);
    int made = 1;
    if (atomic_compare_exchange_strong(&key_made, &made, -1))
        pthread_key_delete(key);
}

static block *new_block(size_t nbytes)
{
    if (nbytes > PTRDIFF_MAX - 2 * sizeof(block) || ash__allocation_fails())
        return NULL;
    nbytes = (nbytes + LINE - 1) / LINE * LINE;
    block *const b = aligned_alloc(LINE, sizeof *b + nbytes);
    if (b)
        b->nbytes = nbytes;
    return b;
}

void *ash__scratch(size_t nbytes)
{
    if (mine.scratch && mine.scratch->nbytes >= nbytes)
        return mine.scratch + 1;
    if (!keeps())
        return NULL;
    block *const b = new_block(nbytes < LEAST_SPARE ? LEAST_SPARE : nbytes + nbytes / 4);
    if (!b)
        return NULL;
    free(mine.scratch);
    mine.scratch = b;
    return b + 1;
}

void *ash__spare_take(size_t nbytes)
{
    int best = -1;
    for (int k = 0; k < SPARES; k++)
        if (mine.spare[k] && mine.spare[k]->nbytes >= nbytes && (best < 0 || mine.spare[k]->nbytes < mine.spare[best]->nbytes))
            best = k;
    if (best >= 0) {
        block *const b = mine.spare[best];
        mine.spare[best] = NULL;
        return b + 1;
    }
    block *const b = new_block(nbytes < LEAST_SPARE ? LEAST_SPARE : nbytes);
    return b ? b + 1 : NULL;
}

void ash__spare_give(void *data)
{
    block *b = (block *)data - 1;
    if (b->nbytes <= MOST_SPARE && keeps())
        for (int k = 0; k < SPARES && b; k++)
            if (!mine.spare[k] || mine.spare[k]->nbytes < b->nbytes) {
                block *const smaller = mine.spare[k];
                mine.spare[k] = b;
                b = smaller;
            }
    free(b);
}
