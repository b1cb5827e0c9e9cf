/*
 * random.c - goal 18: uniform and normal f32, in elements per nanosecond and beside a loop with NumPy's generator.
 *
 * NumPy itself, which takes one word at a time by a call, is in numpy_peer.py: a fifth and a twelfth of its time are the goals.
 */
#include <math.h>

#include "ashlar/ashlar.h"
#include "bench.h"
#include "hand.h"

typedef struct drawing {
    int64_t n;
    ash_array *out;
    float *memory;
} drawing;

static void ours_uniform(void *p)
{
    ash_rand_into_opt(((drawing *)p)->out, NULL);
}
static void ours_normal(void *p)
{
    ash_randn_into_opt(((drawing *)p)->out, NULL);
}
static void by_hand(void *p)
{
    drawing *d = p;
    hand_uniform(d->memory, d->n);
}

/* Elements per nanosecond, and time of the loop / time of ours: the best of a few tries. */
static void measure(void (*ours)(void *), drawing *d, double *speed, double *ratio)
{
    *speed = *ratio = 0;
    for (int t = 0; t < TRIES; t++) {
        candidate c[] = {{.name = "ours", .run = ours, .context = d}, {.name = "loop", .run = by_hand, .context = d}};
        timing_run(c, 2, 3e-4);
        *speed = fmax(*speed, 1e-9 * (double)d->n / time_of(&c[0], d->n));
        *ratio = fmax(*ratio, time_of(&c[1], d->n) / time_of(&c[0], d->n));
    }
}

void bench_random(void)
{
    for (int64_t n = 10000; n <= 10000000; n *= n == 10000 ? 100 : 10) {
        drawing d = {.n = n, .out = ash_zeros(ASH_SHAPE(n))};
        double speed, ratio;
        d.memory = ash_map_host(d.out);
        measure(ours_uniform, &d, &speed, &ratio);
        report("18", "uniform f32", n, speed, "Gelem/s", false, 2.7, noise(n));
        report("18", "uniform f32", n, ratio, "x PCG64 loop", false, 3, noise(n));
        measure(ours_normal, &d, &speed, &ratio);
        report("18", "normal f32", n, speed, "Gelem/s", false, 1.4, noise(n));
        ash_release(d.out);
    }
}
