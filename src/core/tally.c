/* tally.c - the list of the threads' counts, and what threads that have ended left behind. */
#include "core/tally.h"

#include <pthread.h>

#include "core/state.h"

_Thread_local ash__tally ash__own_tally;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static ash__tally *first;
static int64_t left[ASH__COUNTS];

static void take_out(ash__tally *t)
{
    for (int i = 0; i < ASH__COUNTS; i++) {
        left[i] += atomic_load_explicit(&t->count[i], memory_order_relaxed);
        atomic_store_explicit(&t->count[i], 0, memory_order_relaxed);
    }
    if (t->before)
        t->before->next = t->next;
    else
        first = t->next;
    if (t->next)
        t->next->before = t->before;
    t->listed = false;
}

/* A forked child has one thread: the memory of the others may be used again for stacks, so they leave the list. */
static void before_fork(void) { pthread_mutex_lock(&lock); }
static void in_parent(void) { pthread_mutex_unlock(&lock); }
static void in_child(void)
{
    for (ash__tally *t = first, *next; t; t = next) {
        next = t->next;
        if (t != &ash__own_tally)
            take_out(t);
    }
    pthread_mutex_unlock(&lock);
}
static void guard_fork(void) { pthread_atfork(before_fork, in_parent, in_child); }

void ash__tally_list(ash__tally *t)
{
    pthread_once(&once, guard_fork);
    ash__state_register(&ash__own_state); /* takes it off the list when the thread ends */
    pthread_mutex_lock(&lock);
    t->before = NULL;
    t->next = first;
    if (first)
        first->before = t;
    first = t;
    t->listed = true;
    pthread_mutex_unlock(&lock);
}

void ash__tally_unlist(ash__tally *t)
{
    pthread_mutex_lock(&lock);
    if (t->listed)
        take_out(t);
    pthread_mutex_unlock(&lock);
}

int64_t ash__tally_sum(ash__tally_kind what)
{
    pthread_mutex_lock(&lock);
    int64_t sum = left[what];
    for (ash__tally *t = first; t; t = t->next)
        sum += atomic_load_explicit(&t->count[what], memory_order_relaxed);
    pthread_mutex_unlock(&lock);
    return sum;
}
