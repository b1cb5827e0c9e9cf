/*
 * timing.h - interleaved timing of candidates that do the same work.
 *
 * Every round times each candidate once, in rotated order, so that what the machine does besides hits all of them alike.
 * A sample repeats its candidate until it lasts long enough for the clock. The minimum over the rounds is a sample that
 * nothing interrupted; the median is steadier where memory is the limit. Only ratios of one run mean anything.
 */
#ifndef TIMING_H
#define TIMING_H
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

enum { CANDIDATES = 8, ROUNDS = 61 };

typedef struct candidate {
    const char *name;
    void (*run)(void *context);
    void *context;
    long repeats;
    double sample[ROUNDS]; /* seconds a call; sorted after timing_run */
} candidate;

static inline double timing_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static inline int timing_order(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static inline double timing_sample(const candidate *c)
{
    const double start = timing_now();
    for (long j = 0; j < c->repeats; j++)
        c->run(c->context);
    return (timing_now() - start) / (double)c->repeats;
}

/* So many repeats that a sample lasts at least `seconds`. */
static inline void timing_calibrate(candidate *c, double seconds)
{
    c->repeats = 1;
    c->run(c->context);
    for (double t = timing_sample(c); t * (double)c->repeats < seconds && c->repeats < 1L << 28; t = timing_sample(c))
        c->repeats *= 2;
}

static inline void timing_run(candidate *c, int count, double seconds)
{
    for (int i = 0; i < count; i++)
        timing_calibrate(&c[i], seconds);
    for (int r = 0; r < ROUNDS; r++)
        for (int i = 0; i < count; i++) {
            candidate *now = &c[(i + r) % count];
            now->sample[r] = timing_sample(now);
        }
    for (int i = 0; i < count; i++)
        qsort(c[i].sample, ROUNDS, sizeof(double), timing_order);
}

static inline double timing_min(const candidate *c) { return c->sample[0]; }
static inline double timing_median(const candidate *c) { return c->sample[ROUNDS / 2]; }
#endif
