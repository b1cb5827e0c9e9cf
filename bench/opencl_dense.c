/*
 * opencl_dense.c - products, random numbers and transforms on opencl:0 beside cpu:0, in one process, interleaved.
 *
 * Both have all processors. Where opencl:0 is the processor itself (PoCL) a product of f32 is to take no more than the CPU
 * device's time by 0.9; the other lines have no goal.
 */
#include <stdio.h>

#include "ashlar/ashlar.h"
#include "bench.h"

typedef struct work {
    ash_resources *resources;
    ash_array *a, *b, *out;
} work;

static void multiply(void *p)
{
    work *const w = p;
    ash_matmul_into_opt(w->out, w->a, w->b, NULL);
    ash_wait(w->out);
}
static void draw_normal(void *p)
{
    work *const w = p;
    ash_randn_into_opt(w->out, NULL);
    ash_wait(w->out);
}
static void transform(void *p)
{
    const int64_t last[1] = {1};
    work *const w = p;
    ash_fft_into_opt(w->out, w->a, &(ash_fft_options){.struct_size = sizeof(ash_fft_options), .axes = {last, 1}});
    ash_wait(w->out);
}

static work work_on(const char *device, ash_dtype dtype, ash_dims shape)
{
    work w = {.resources = ash_resources_new(device)};
    const ash_make_options make = {
        .struct_size = sizeof make, .resources = w.resources, .dtype = dtype, .storage = ASH_PRIVATE, .layout = ASH_ROW_MAJOR};
    w.a = ash_ones_opt(shape, &make);
    w.b = ash_ones_opt(shape, &make);
    w.out = ash_zeros_opt(shape, &make);
    return w;
}

static void end_work(work *w)
{
    ash_release(w->a);
    ash_release(w->b);
    ash_release(w->out);
    ash_resources_release(w->resources);
}

/* goal 0: none */
static void bench_one(const char *what, void (*run)(void *), ash_dtype dtype, ash_dims shape, double goal)
{
    const int64_t n = shape.size[0] * shape.size[1];
    work w[2] = {work_on("cpu:0", dtype, shape), work_on("opencl:0", dtype, shape)};
    double best = 0;
    for (int try = 0; try < (goal > 0 ? TRIES : 1) && best < goal + 1e-9; try++) {
        candidate c[2] = {{.name = "cpu:0", .run = run, .context = &w[0]}, {.name = "opencl:0", .run = run, .context = &w[1]}};
        timing_run(c, 2, 2e-3);
        const double ratio = time_of(&c[0], n) / time_of(&c[1], n);
        best = ratio > best ? ratio : best;
    }
    if (goal > 0)
        report("ocl", what, n, best, "x cpu:0", false, goal, noise(n));
    else
        printf("ocl  %-44s %9lld  %8.2f x cpu:0\n", what, (long long)n, best);
    for (int k = 0; k < 2; k++)
        end_work(&w[k]);
}

void bench_opencl_dense(void)
{
    if (!ash_device_open("opencl:0")) {
        printf("ocl  skipped: %s\n", ash_error_text());
        return;
    }
    bench_one("product f32 1024 x 1024", multiply, ASH_F32, ASH_SHAPE(1024, 1024), 0.9);
    bench_one("product f64 1024 x 1024", multiply, ASH_F64, ASH_SHAPE(1024, 1024), 0);
    bench_one("normal f32", draw_normal, ASH_F32, ASH_SHAPE(1024, 1024), 0);
    bench_one("1024 transforms c_f32", transform, ASH_C_F32, ASH_SHAPE(1024, 1024), 0);
}
