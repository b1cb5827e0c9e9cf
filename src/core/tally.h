/*
 * tally.h - counts that every thread keeps for itself and that are added up when somebody asks.
 *
 * A shared counter costs an array as much as its arithmetic. A thread adds to its own with plain loads and stores; the sum
 * over all threads, those that have ended included, is exact whenever they are quiet.
 */
#ifndef ASH__TALLY_H
#define ASH__TALLY_H
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

typedef enum ash__tally_kind {
    ASH__COUNT_ARRAYS,      /* handles that exist */
    ASH__COUNT_ALLOCATIONS, /* bookkeeping blocks and buffers asked for, since the start */
    ASH__COUNT_BUFFERS,     /* given back, since the start */
    ASH__COUNT_RESOURCES,   /* ended, since the start */
    ASH__COUNT_FAILURES,    /* to give memory or a queue back to the system or a driver, since the start */
    ASH__COUNTS
} ash__tally_kind;

typedef struct ash__tally {
    atomic_llong count[ASH__COUNTS];
    struct ash__tally *next, *before;
    bool listed;
} ash__tally;

extern _Thread_local ash__tally ash__own_tally;

void ash__tally_list(ash__tally *tally);   /* before the first count */
void ash__tally_unlist(ash__tally *tally); /* at the thread's end; its counts stay in the sum */
int64_t ash__tally_sum(ash__tally_kind what);

static inline void ash__tally_add(ash__tally_kind what, int64_t change)
{
    ash__tally *t = &ash__own_tally;
    if (__builtin_expect(!t->listed, 0))
        ash__tally_list(t);
    const long long now = atomic_load_explicit(&t->count[what], memory_order_relaxed);
    atomic_store_explicit(&t->count[what], now + change, memory_order_relaxed);
}
#endif
