/*
 * fft.c - goal 23: Fourier transforms, beside FFTW where that is installed.
 *
 * Both work from one array into another, by plans that were made before; FFTW's are measured ones, which takes seconds for the
 * larger sizes. 5*n*log2(n) operations are counted for complex numbers and half as many for real ones.
 */
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>

#include "ashlar/ashlar.h"
#include "bench.h"

typedef struct fftw {
    void *library;
    void *(*plan)(int rank, const int *n, void *in, void *out, int sign, unsigned flags);
    void *(*plan_real)(int rank, const int *n, void *in, void *out, unsigned flags);
    void (*execute)(const void *plan);
    void (*destroy)(void *plan);
    void (*cleanup)(void);
} fftw;

typedef struct transform {
    ash_array *in, *out;
    ash_fft_plan *plan;
    const fftw *other;
    void *other_plan;
} transform;

/* prefix: fftw or fftwf */
static bool open_fftw(fftw *f, const char *file, const char *prefix)
{
    static const char *const names[] = {"plan_dft", "plan_dft_r2c", "execute", "destroy_plan", "cleanup"};
    void **const entry[] = {(void **)&f->plan, (void **)&f->plan_real, (void **)&f->execute, (void **)&f->destroy,
                            (void **)&f->cleanup};
    f->library = dlopen(file, RTLD_NOW);
    for (int k = 0; f->library && k < 5; k++) {
        char name[32];
        snprintf(name, sizeof name, "%s_%s", prefix, names[k]);
        *entry[k] = dlsym(f->library, name);
        if (!*entry[k])
            return false;
    }
    return f->library;
}

static void ours_fft(void *p)
{
    transform *t = p;
    ash_fft_execute_into(t->out, t->plan, t->in);
}
static void fftw_fft(void *p)
{
    transform *t = p;
    t->other->execute(t->other_plan);
}

static void fill(ash_array *a, int64_t n, bool wide)
{
    void *const x = ash_map_host(a);
    for (int64_t k = 0; k < n; k++)
        if (wide)
            ((double *)x)[k] = sin(1.7 * (double)k);
        else
            ((float *)x)[k] = (float)sin(1.7 * (double)k);
}

static void bench_one(const fftw *f, ash_dtype dtype, ash_dims shape)
{
    const bool real = dtype < ASH_C_I8, wide = dtype == ASH_F64 || dtype == ASH_C_F64;
    int64_t n = 1, half[2];
    int sizes[2];
    for (int64_t k = 0; k < shape.rank; k++) {
        n *= shape.size[k];
        sizes[k] = (int)shape.size[k];
        half[k] = real && k == shape.rank - 1 ? shape.size[k] / 2 + 1 : shape.size[k];
    }
    transform t = {.other = f};
    t.plan = ash_fft_plan_new(real ? ASH_FFT_REAL : ASH_FFT_FORWARD, shape, .dtype = dtype);
    t.in = ash_empty(shape, .dtype = dtype);
    t.out = ash_empty(((ash_dims){half, shape.rank}), .dtype = wide ? ASH_C_F64 : ASH_C_F32);
    t.other_plan = real ? f->plan_real((int)shape.rank, sizes, ash_map_host(t.in), ash_map_host(t.out), 0)
                        : f->plan((int)shape.rank, sizes, ash_map_host(t.in), ash_map_host(t.out), -1, 0);
    fill(t.in, real ? n : 2 * n, wide); /* after planning, which writes there */
    double best = 0, seconds = INFINITY;
    for (int k = 0; k < TRIES; k++) {
        candidate c[] = {{.name = "ours", .run = ours_fft, .context = &t}, {.name = "FFTW", .run = fftw_fft, .context = &t}};
        timing_run(c, 2, 3e-4);
        best = fmax(best, time_of(&c[1], n) / time_of(&c[0], n));
        seconds = fmin(seconds, timing_min(&c[0]));
    }
    char what[64];
    snprintf(what, sizeof what, "fft %s, %s, %.1f Gflop/s", ash_dtype_name(dtype), shape.rank == 2 ? "a matrix" : "a vector",
             (real ? 2.5 : 5) * (double)n * log2((double)n) / seconds * 1e-9);
    report("23", what, n, best, "x FFTW", false, 0.35, noise(n));
    f->destroy(t.other_plan);
    ash_fft_plan_release(t.plan);
    ash_release(t.in);
    ash_release(t.out);
}

void bench_fft(void)
{
    static const ash_dtype dtypes[] = {ASH_C_F32, ASH_C_F64, ASH_F32};
    for (int d = 0; d < 3; d++) {
        const bool wide = dtypes[d] == ASH_C_F64;
        fftw f = {0};
        if (!open_fftw(&f, wide ? "libfftw3.so.3" : "libfftw3f.so.3", wide ? "fftw" : "fftwf")) {
            printf("23   skipped for %s: FFTW is not installed (Debian: libfftw3-%s3)\n", ash_dtype_name(dtypes[d]),
                   wide ? "double" : "single");
            continue;
        }
        bench_one(&f, dtypes[d], ASH_SHAPE(1 << 10));
        bench_one(&f, dtypes[d], ASH_SHAPE(1 << 16));
        bench_one(&f, dtypes[d], ASH_SHAPE(1 << 20));
        bench_one(&f, dtypes[d], ASH_SHAPE(1024, 1024));
        f.cleanup();
        dlclose(f.library);
    }
}
