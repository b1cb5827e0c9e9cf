/*
 * opencl.c - an OpenCL device beside cpu:0 on the same machine: maps, sums, fused sums, scans, and what a launch costs.
 *
 * The goals are those of an OpenCL driver for the processor (PoCL), which has the same cores and memory: the time of cpu:0 with
 * all its threads / the time of the device. Any other device only reports. Skipped with a line where there is none.
 */
#include <math.h>
#include <stdio.h>

#include "ashlar/ashlar.h"
#include "bench.h"

typedef struct place {
    ash_resources *resources;
    ash_array *a, *b, *out;
} place;

static void map_into(void *p)
{
    const place *const w = p;
    ash_map_into(w->out, "(a, b) -> a*b + 1f", w->a, w->b);
    ash_wait(w->out);
}
static void sum(void *p)
{
    const place *const w = p;
    ash_array *const s = ash_sum(w->a);
    ash_wait(s);
    ash_release(s);
}
static void fused_sum(void *p)
{
    const place *const w = p;
    ash_array *const s = ash_map_reduce("(a, b) -> (a - b)^2", "+", w->a, w->b);
    ash_wait(s);
    ash_release(s);
}
static void column_sum(void *p)
{
    const place *const w = p;
    ash_array *const table = ash_reshape(w->a, ASH_SHAPE(-1, 1000)), *const s = ash_sum(table, .axes = ASH_AXES(0));
    ash_wait(s);
    ash_release(s);
    ash_release(table);
}
static void scan_into(void *p)
{
    const place *const w = p;
    ash_scan_into(w->out, "+", w->a);
    ash_wait(w->out);
}
static void enqueue(void *p)
{
    const place *const w = p;
    ash_map_into(w->out, "(a, b) -> a*b + 1f", w->a, w->b);
}

static place set_place(const char *device, int64_t n)
{
    place w = {.resources = ash_resources_new(device)};
    w.a = ash_range(0, n, .dtype = ASH_F32, .resources = w.resources);
    w.b = ash_fill_new(ASH_SHAPE(n), 0.25f, .resources = w.resources);
    w.out = ash_zeros(ASH_SHAPE(n), .resources = w.resources);
    return w;
}

static void end_place(const place *w)
{
    ash_release(w->a);
    ash_release(w->b);
    ash_release(w->out);
    ash_resources_release(w->resources);
}

enum { GOAL_ELEMENTS = 10000000 };

static void compare(const char *what, void (*run)(void *), place *device, place *host, double goal)
{
    double best = 0;
    const int64_t n = ash_size(host->a);
    for (int t = 0; t < TRIES; t++) {
        candidate c[] = {{.name = "device", .run = run, .context = device}, {.name = "cpu:0", .run = run, .context = host}};
        timing_run(c, 2, 3e-4);
        best = fmax(best, time_of(&c[1], n) / time_of(&c[0], n));
    }
    if (n < GOAL_ELEMENTS) /* where launches cost more than the elements */
        printf("cl   %-44s %9lld  %8.2f x cpu:0\n", what, (long long)n, best);
    else
        report("cl", what, n, best, "x cpu:0", false, goal, noise(n));
}

static double enqueue_time(place *w)
{
    double best = INFINITY;
    for (int k = 0; k < 2000; k++) {
        const double start = timing_now();
        enqueue(w);
        best = fmin(best, timing_now() - start);
        ash_wait(w->out);
    }
    return 1e6 * best;
}

void bench_opencl(void)
{
    if (!ash_device_open("opencl:0")) {
        printf("cl   skipped: %s\n", ash_error_text());
        return;
    }
    for (int64_t n = 1000000; n <= 10000000; n *= 10) {
        place device = set_place("opencl:0", n), host = set_place("cpu:0", n);
        compare("elementwise a*b + 1", map_into, &device, &host, 0.85);
        compare("sum", sum, &device, &host, 0.8);
        compare("sum of (a - b)^2", fused_sum, &device, &host, 0.8);
        compare("sums of 1000 columns", column_sum, &device, &host, 0.8);
        compare("inclusive scan", scan_into, &device, &host, 0.7);
        end_place(&device);
        end_place(&host);
    }
    place small = set_place("opencl:0", 1000);
    report("cl", "a map of 1000 elements, until it is queued", 1000, enqueue_time(&small), "us", true, 10, 1.5);
    end_place(&small);
}
