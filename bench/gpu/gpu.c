/*
 * gpu.c - what a GPU is made to do beside what it can: times of operations on one device, as parts of the speed with which it
 * copies its own memory, or of the multiply-adds that it does, both measured first; and beside CuPy's times.
 *
 *     ashlar-bench-gpu [--device NAME] [--elements N] [--peer FILE] [--output FILE]
 *
 * Without --device the last device there is, which is no processor's where the machine has another. Arrays are private. A time
 * is that of calls one behind the other, with one wait at their end: the least of several samples. FILE of --peer has lines
 * "NAME<tab>SECONDS" (cupy_peer.py); the output is Markdown. On CUDA devices what NVIDIA has libraries for is timed twice: by
 * our kernels and by theirs.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "ashlar/ashlar.h"

enum { SAMPLES = 7, CHAIN = 64, PEERS = 64 };
static const double sample_seconds = 0.05;

typedef struct operands {
    ash_resources *resources;
    int64_t n, side;                /* elements of vectors; rows and columns of matrices */
    ash_array *a, *b, *out;         /* f32 */
    ash_array *d, *keys, *mask, *z; /* f64, u32, bool, c_f32: a power of two of them */
    ash_array *m[3];                /* matrices: f32, f64, f16 */
    int64_t points;                 /* of z */
} operands;

typedef enum unit { BYTES, FLOPS_F32, FLOPS_F64, ELEMENTS } unit;

/* ---- operations */

static void done(ash_array *result)
{
    ash_release(result);
}

static void copy(operands *o)
{
    ash_copy_into(o->out, o->a);
}
static void multiply_add(operands *o)
{
    ash_map_into(o->out, "(a, b) -> a*b + 1f", o->a, o->b);
}
static void exponential(operands *o)
{
    ash_map_into(o->out, "exp", o->a);
}
static void sine(operands *o)
{
    done(ash_map("sin", o->d));
}
static void sum(operands *o)
{
    done(ash_sum(o->a));
}
static void sum_f64(operands *o)
{
    done(ash_sum(o->d));
}
static void fused(operands *o)
{
    done(ash_map_reduce("(a, b) -> (a - b)^2", "+", o->a, o->b));
}
static void of_rows(operands *o, ash_axes axes)
{
    ash_array *const table = ash_reshape(o->a, ASH_SHAPE(-1, 1000));
    done(ash_sum(table, .axes = axes));
    done(table);
}
static void row_sums(operands *o)
{
    of_rows(o, ASH_AXES(1));
}
static void column_sums(operands *o)
{
    of_rows(o, ASH_AXES(0));
}
static void extreme(operands *o)
{
    done(ash_argmax(o->a));
}
static void variance(operands *o)
{
    done(ash_var(o->a));
}
static void scan(operands *o)
{
    ash_scan_into(o->out, "+", o->a);
}
static void scan_f64(operands *o)
{
    done(ash_cumsum(o->d));
}
static void sort_keys(operands *o)
{
    done(ash_sort(o->keys));
}
static void sort_f64(operands *o)
{
    done(ash_sort(o->d));
}
static void order(operands *o)
{
    done(ash_sortperm(o->a));
}
static void top(operands *o)
{
    const ash_top t = ash_top_k(o->a, 100);
    done(t.values);
    done(t.positions);
}
static void selected(operands *o)
{
    done(ash_select(o->a, o->mask));
}
static void uniform(operands *o)
{
    ash_rand_into(o->out);
}
static void normal(operands *o)
{
    ash_randn_into(o->out);
}
static void product_f32(operands *o)
{
    done(ash_matmul(o->m[0], o->m[0]));
}
static void product_f64(operands *o)
{
    done(ash_matmul(o->m[1], o->m[1]));
}
static void product_f16(operands *o)
{
    done(ash_matmul(o->m[2], o->m[2]));
}
static void transform(operands *o)
{
    done(ash_fft(o->z));
}
static void transforms(operands *o)
{
    ash_array *const table = ash_reshape(o->z, ASH_SHAPE(-1, 1024));
    done(ash_fft(table, .axes = ASH_AXES(1)));
    done(table);
}

/* The multiply-adds of CHAIN of them for each element. */
static void chain(operands *o, const ash_array *of)
{
    static char text[CHAIN * 24];
    char *end = text + snprintf(text, sizeof text, "a -> ");
    for (int k = 0; k < CHAIN; k++)
        end += sprintf(end, "fma(");
    end += sprintf(end, "a");
    for (int k = 0; k < CHAIN; k++)
        end += sprintf(end, ", 0.75%s, a)", of == o->a ? "f" : "");
    done(ash_map(text, of));
}
static void chain_f32(operands *o)
{
    chain(o, o->a);
}
static void chain_f64(operands *o)
{
    chain(o, o->d);
}

/* ---- timing */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double sample(operands *o, void (*run)(operands *), long repeats)
{
    const double start = now();
    for (long k = 0; k < repeats; k++)
        run(o);
    ash_sync(o->resources);
    return (now() - start) / (double)repeats;
}

/* Seconds; NAN where it fails. */
static double time_of(operands *o, void (*run)(operands *))
{
    long repeats = 1;
    sample(o, run, 1); /* compiles */
    double best = sample(o, run, 1);
    while (best * (double)repeats < sample_seconds && repeats < 1 << 20) {
        repeats *= 2;
        best = sample(o, run, repeats);
    }
    for (int k = 0; k < SAMPLES; k++)
        best = fmin(best, sample(o, run, repeats));
    return ash_failed() ? (double)NAN : best;
}

/* ---- CuPy's times */

typedef struct peer {
    char name[32];
    double seconds;
} peer;

static peer peers[PEERS];

static void read_peers(const char *path)
{
    FILE *const file = path ? fopen(path, "r") : NULL;
    for (int k = 0; file && k < PEERS && fscanf(file, "%31[^\t]\t%lf\n", peers[k].name, &peers[k].seconds) == 2;)
        k++;
    if (file)
        fclose(file);
}

static double peer_of(const char *name)
{
    for (int k = 0; k < PEERS; k++)
        if (strcmp(peers[k].name, name) == 0)
            return peers[k].seconds;
    return 0;
}

/* ---- the table */

static const struct {
    const char *name, *what;
    void (*run)(operands *);
    unit unit;
    double
        per_element; /* bytes, or operations: of matrices for each of their elements and rows, of transforms for each point */
    enum { VECTOR, MATRIX, POINTS } over; /* NVIDIA has libraries for the last two */
} cases[] = {
    {"multiply_add", "a*b + 1, f32", multiply_add, BYTES, 12, VECTOR},
    {"exp", "exp, f32", exponential, BYTES, 8, VECTOR},
    {"sin_f64", "sin, f64", sine, BYTES, 16, VECTOR},
    {"sum", "sum, f32", sum, BYTES, 4, VECTOR},
    {"sum_f64", "sum, f64", sum_f64, BYTES, 8, VECTOR},
    {"fused", "sum of (a - b)^2, f32", fused, BYTES, 8, VECTOR},
    {"row_sums", "sums of rows of 1000, f32", row_sums, BYTES, 4, VECTOR},
    {"column_sums", "sums of 1000 columns, f32", column_sums, BYTES, 4, VECTOR},
    {"argmax", "argmax, f32", extreme, BYTES, 4, VECTOR},
    {"var", "variance, f32", variance, BYTES, 4, VECTOR},
    {"cumsum", "running sum, f32", scan, BYTES, 8, VECTOR},
    {"cumsum_f64", "running sum, f64", scan_f64, BYTES, 16, VECTOR},
    {"sort", "sort, u32", sort_keys, ELEMENTS, 8, VECTOR},
    {"sort_f64", "sort, f64", sort_f64, ELEMENTS, 16, VECTOR},
    {"sortperm", "positions in order, f32", order, ELEMENTS, 12, VECTOR},
    {"top", "the 100 largest, f32", top, ELEMENTS, 4, VECTOR},
    {"select", "select by a mask, f32", selected, BYTES, 7, VECTOR},
    {"rand", "uniform numbers, f32", uniform, BYTES, 4, VECTOR},
    {"randn", "normal numbers, f32", normal, BYTES, 4, VECTOR},
    {"matmul", "product, f32", product_f32, FLOPS_F32, 2, MATRIX},
    {"matmul_f64", "product, f64", product_f64, FLOPS_F64, 2, MATRIX},
    {"matmul_f16", "product, f16", product_f16, FLOPS_F32, 2, MATRIX},
    {"fft", "one transform, c_f32", transform, BYTES, 16, POINTS},
    {"ffts", "transforms of 1024, c_f32", transforms, BYTES, 16, POINTS},
};

static ash_array *with_noise(operands *o, ash_dtype dtype, ash_dims shape)
{
    return ash_rand(shape, .dtype = dtype, .resources = o->resources);
}

static bool make_operands(operands *o)
{
    const ash_dims line = ASH_SHAPE(o->n), square = ASH_SHAPE(o->side, o->side);
    ash_array **const all[] = {&o->a, &o->b, &o->out, &o->d, &o->m[0], &o->m[1], &o->m[2], &o->z};
    for (o->points = 1024; 2 * o->points <= o->n;)
        o->points *= 2;
    o->a = with_noise(o, ASH_F32, line);
    o->b = with_noise(o, ASH_F32, line);
    o->out = with_noise(o, ASH_F32, line);
    o->d = with_noise(o, ASH_F64, line);
    o->keys = ash_randint(0u, 4000000000u, line, .dtype = ASH_U32, .resources = o->resources);
    o->mask = o->a ? ash_map("a -> a < 0.25f", o->a) : NULL;
    o->z = with_noise(o, ASH_C_F32, ASH_SHAPE(o->points));
    o->m[0] = with_noise(o, ASH_F32, square);
    o->m[1] = with_noise(o, ASH_F64, square);
    o->m[2] = o->m[0] ? ash_convert(o->m[0], ASH_F16) : NULL;
    for (size_t k = 0; k < sizeof all / sizeof all[0]; k++)
        if (!*all[k])
            return false;
    return o->keys && o->mask;
}

typedef struct most {
    double bytes, f32, f64; /* a second */
} most;

static most measure_most(operands *o)
{
    const double operations = 2.0 * CHAIN * (double)o->n;
    return (most){8.0 * (double)o->n / time_of(o, copy), operations / time_of(o, chain_f32),
                  operations / time_of(o, chain_f64)};
}

static void put_case(FILE *to, operands *o, int k, const most *m, const char *whose)
{
    const double n = cases[k].over == MATRIX   ? (double)o->side * (double)o->side * (double)o->side
                     : cases[k].over == POINTS ? (double)o->points
                                               : (double)o->n;
    const double t = time_of(o, cases[k].run), work = n * cases[k].per_element / t, other = peer_of(cases[k].name);
    if (isnan(t)) {
        fprintf(to, "| %s%s | not done: %s | | | |\n", cases[k].what, whose, ash_error_text());
        ash_error_clear();
        return;
    }
    const bool flops = cases[k].unit == FLOPS_F32 || cases[k].unit == FLOPS_F64;
    const double limit = cases[k].unit == FLOPS_F32 ? m->f32 : cases[k].unit == FLOPS_F64 ? m->f64 : m->bytes;
    fprintf(to, "| %s%s | %.3g ms | %.4g %s | %.2f |", cases[k].what, whose, t * 1e3,
            cases[k].unit == ELEMENTS ? n / t * 1e-6 : work * 1e-9,
            cases[k].unit == ELEMENTS ? "million/s"
            : flops                   ? "GFLOP/s"
                                      : "GB/s",
            work / limit);
    if (other > 0)
        fprintf(to, " %.2f |\n", other / t);
    else
        fprintf(to, " |\n");
    fflush(to);
}

static void put_both(FILE *to, operands *o, int k, const most *m)
{
    const char *const asked = getenv("ASHLAR_CUDA_LIBRARIES");
    char *const before = asked ? strdup(asked) : NULL;
    setenv("ASHLAR_CUDA_LIBRARIES", "ours", 1);
    put_case(to, o, k, m, ", ours");
    setenv("ASHLAR_CUDA_LIBRARIES", "theirs", 1);
    put_case(to, o, k, m, ", theirs");
    if (before)
        setenv("ASHLAR_CUDA_LIBRARIES", before, 1);
    else
        unsetenv("ASHLAR_CUDA_LIBRARIES");
    free(before);
}

static void put_table(FILE *to, operands *o)
{
    const ash_device *const device = ash_resources_device(o->resources);
    const most m = measure_most(o);
    fprintf(
        to,
        "# GPU benchmark\n\nMade by `make bench-gpu` on %s, %s, with %lld elements and matrices of %lld rows.\n\n"
        "It copies %.4g GB/s (read and written), and does %.4g GFLOP/s of f32 and %.4g of f64, in chains of %d multiply-adds\n"
        "an element: what follows is a part of one of these. Sorts have the part of what moving their elements once takes.\n"
        "The last column is the time of CuPy / the time of the library, where CuPy is installed.\n\n"
        "| operation | time | speed | of the measured limit | CuPy |\n|---|---|---|---|---|\n",
        ash_device_name(device), ash_device_description(device), (long long)o->n, (long long)o->side, m.bytes * 1e-9,
        m.f32 * 1e-9, m.f64 * 1e-9, CHAIN);
    for (int k = 0; k < (int)(sizeof cases / sizeof cases[0]); k++)
        if (cases[k].over != VECTOR && strncmp(ash_device_name(device), "cuda", 4) == 0)
            put_both(to, o, k, &m);
        else
            put_case(to, o, k, &m, "");
}

int main(int count, char **argument)
{
    const char *device = NULL, *peer_path = NULL, *output = NULL;
    operands o = {.n = 1 << 26};
    for (int k = 1; k + 1 < count; k += 2) {
        if (strcmp(argument[k], "--device") == 0)
            device = argument[k + 1];
        else if (strcmp(argument[k], "--elements") == 0)
            o.n = atoll(argument[k + 1]) / 1000 * 1000;
        else if (strcmp(argument[k], "--peer") == 0)
            peer_path = argument[k + 1];
        else if (strcmp(argument[k], "--output") == 0)
            output = argument[k + 1];
    }
    o.n = o.n / 1000 * 1000;
    if (count % 2 == 0 || o.n < 2000)
        return fprintf(stderr, "ashlar-bench-gpu [--device NAME] [--elements N] [--peer FILE] [--output FILE]\n"), 2;
    for (o.side = 128; o.side < 4096 && 4 * o.side * o.side <= o.n;)
        o.side *= 2;
    if (!device) {
        const ash_device *const last = ash_device_at(ash_device_count() - 1);
        device = last ? ash_device_name(last) : "cpu:0";
    }
    if (strncmp(device, "cpu", 3) == 0)
        return fprintf(stderr, "no GPU: neither CUDA nor OpenCL knows a device\n"), 77;
    ash_set_default_storage(ASH_PRIVATE);
    o.resources = ash_resources_new(device);
    if (o.resources)
        ash_resources_push(o.resources);
    if (!o.resources || !make_operands(&o))
        return fprintf(stderr, "%s\n", ash_error_text()), 1;
    read_peers(peer_path);
    FILE *const to = output ? fopen(output, "w") : stdout;
    if (!to)
        return fprintf(stderr, "%s: not written\n", output), 1;
    put_table(to, &o);
    return output ? fclose(to) != 0 : 0;
}
