/* threads.h - the thread pool of the CPU device: spins up to 100 microseconds, then sleeps; survives fork. */
#ifndef ASH__THREADS_H
#define ASH__THREADS_H
#include "ashlar/base.h"

typedef void ash__job(void *context, int64_t part); /* part 0 .. parts - 1 */

/* Runs job for every part and returns when all are done. Part k always goes to the same thread for equal `parts`
 * (contiguous shares), so that each finds its data in its own cache. Called from inside a job, or while another thread runs
 * one, it runs the parts itself, in order. */
void ash__parallel(int64_t parts, ash__job *job, void *context);
/* Into how many parts to split work of `bytes` traffic and about `nanoseconds` of computing: 1 below the threshold. */
int64_t ash__parts_for(int64_t bytes, int64_t nanoseconds);
/* Where part `part` of n things begins when parts are as equal as can be; n for part == parts. */
static inline int64_t ash__part_start(int64_t n, int64_t part, int64_t parts)
{
    return (int64_t)((__int128_t)n * part / parts);
}
int64_t ash__thread_count(void);
ash_status ash__set_thread_count(int64_t count); /* 0: one per processor the process may use */
/* nbytes as whole cache lines: where the next part of a block of memory may begin. */
static inline size_t ash__round_up(size_t nbytes)
{
    return (nbytes + 63) & ~(size_t)63;
}
/* Scratch of the calling thread, at least nbytes, 64-byte aligned, kept for the next call; NULL when there is no memory. */
void *ash__scratch(size_t nbytes);
/* A block of at least nbytes, 64-byte aligned, from the few that each thread keeps; NULL when there is no memory. Given back,
 * on any thread, it is kept there or freed. */
void *ash__spare_take(size_t nbytes);
void ash__spare_give(void *block);
#endif
