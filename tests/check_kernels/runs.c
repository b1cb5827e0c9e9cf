/*
 * runs.c - the texts that operations make for a GPU: their plans are made, and kernels compiled and launched, by a driver that
 * only writes texts to files. What kernels would have computed is zeros.
 */
#include "runs.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ashlar/ashlar.h"
#include "backend/gpu/gpu.h"
#include "core/pool.h"

enum { UNITS = 100, WARP = 32, MANY = 1 << 20, SLOT = 63 };

static struct {
    const char *folder, *operation;
    int count, failed;
} writing;

/* ---- the driver: memory is the host's, queues and events are all one */

static ash_status opened(const char *function, const ash_device *device, void **queue)
{
    (void)function, (void)device;
    *queue = &writing;
    return ASH_OK;
}

static ash_status nothing(const char *function, void *queue)
{
    (void)function, (void)queue;
    return ASH_OK;
}

static ash_status after(const char *function, void *queue, void *event)
{
    (void)function, (void)queue, (void)event;
    return ASH_OK;
}

static bool is_done(void *event)
{
    (void)event;
    return true;
}

static void leave(void *what)
{
    (void)what;
}

static ash_status share(const char *function, const ash_device *device, void *host, size_t nbytes, void **memory)
{
    (void)function, (void)device, (void)nbytes;
    *memory = host;
    return ASH_OK;
}

static ash_status map(const char *function, void *queue, void *memory, size_t nbytes, void **mapped)
{
    (void)function, (void)queue, (void)nbytes;
    *mapped = memory;
    return ASH_OK;
}

static ash_status unmap(const char *function, void *queue, void *memory, void *mapped)
{
    (void)function, (void)queue, (void)memory, (void)mapped;
    return ASH_OK;
}

static void *allocate(const ash_device *device, size_t nbytes)
{
    (void)device;
    return calloc(1, nbytes);
}

static ash_status read_bytes(const char *function, void *queue, void *memory, size_t offset, void *host, size_t nbytes)
{
    (void)function, (void)queue;
    memcpy(host, (char *)memory + offset, nbytes);
    return ASH_OK;
}

static ash_status write_bytes(const char *function, void *queue, void *memory, size_t offset, const void *host, size_t nbytes)
{
    (void)function, (void)queue;
    memcpy((char *)memory + offset, host, nbytes);
    return ASH_OK;
}

static ash_status compile(const char *function, const ash_device *device, const char *text, void **program)
{
    char path[512];
    (void)function, (void)device;
    snprintf(path, sizeof path, "%s/run-%s-%d.cl", writing.folder, writing.operation, writing.count++);
    FILE *const file = fopen(path, "w");
    const bool written = file && fputs(text, file) >= 0;
    if (!file || fclose(file) || !written) {
        fprintf(stderr, "%s: not written\n", path);
        writing.failed = 1;
    }
    *program = &writing;
    return ASH_OK;
}

static ash_status launch(const char *function, void *queue, void *program, const ash__launch *l, void **event, bool *fresh)
{
    (void)function, (void)queue, (void)program, (void)l;
    *event = &writing;
    *fresh = false;
    return ASH_OK;
}

/* The maker's library, where it has one. */
static bool lapack_room(const char *function, void *queue, const ash__lapack *what, size_t *nbytes, ash_status *status)
{
    (void)function, (void)queue, (void)what;
    *nbytes = 1;
    *status = ASH_OK;
    return true;
}

static ash_status lapack(const char *function, void *queue, const ash__lapack *what, void **event)
{
    (void)function, (void)queue, (void)what;
    *event = &writing;
    return ASH_OK;
}

static ash__driver driver = {
    .queue_open = opened,
    .submit = nothing,
    .finish = nothing,
    .after = after,
    .event_wait = nothing,
    .event_done = is_done,
    .event_keep = leave,
    .event_free = leave,
    .share = share,
    .map = map,
    .unmap = unmap,
    .allocate = allocate,
    .read = read_bytes,
    .write = write_bytes,
    .memory_free = leave,
    .compile = compile,
    .program_free = leave,
    .launch = launch,
};

static const ash__backend backend = {.name = "texts", ASH__GPU_TABLE};
static ash_device device = {.name = "texts:0", .backend = &backend, .slot = SLOT, .f64 = true, .f16 = true};
static ash_resources resources = {.lasting = true, .device = &device};

static bool open_device(void)
{
    ash__gpu *const gpu = ash__gpu_new("kernel-texts", &driver);
    if (!gpu)
        return false;
    gpu->device = &device;
    gpu->exact_f32 = true;
    gpu->largest = SIZE_MAX;
    gpu->units = UNITS;
    gpu->warp = WARP;
    gpu->tensors = true;
    device.state = gpu;
    device.pool = ash__pool_new("kernel-texts", &device);
    return device.pool != NULL;
}

/* ---- operations */

static ash_array *line(ash_dtype dtype)
{
    return ash_zeros(ASH_SHAPE(MANY), .dtype = dtype);
}

static ash_array *matrix(ash_dtype dtype, int64_t rows, int64_t cols)
{
    return ash_zeros(ASH_SHAPE(rows, cols), .dtype = dtype);
}

static void maps(void)
{
    ash_map("(a, b) -> a*b + 2f", line(ASH_F32), line(ASH_F32));
    ash_map("(a, b) -> a*b", line(ASH_C_F64), line(ASH_C_F64));
    ash_map("exp", line(ASH_F32));
    ash_map("sin", line(ASH_F64));
    ash_map("(a, b) -> pow(a, b)", line(ASH_F64), line(ASH_F64));
    ash_map("(a, b) -> a / b", line(ASH_I32), line(ASH_I32));
    ash_map("(a, b) -> a + b", line(ASH_U8), line(ASH_U8));
    ash_map("(a, b) -> a + b", line(ASH_F16), line(ASH_F16));
    ash_copy(ash_transpose(matrix(ASH_F32, 999, 1001)));
}

static void reductions(void)
{
    static const ash_dtype dtypes[] = {ASH_F32, ASH_F64, ASH_U8, ASH_C_F32};
    for (size_t k = 0; k < sizeof dtypes / sizeof dtypes[0]; k++) {
        ASH_SCOPE(scope);
        ash_sum(line(dtypes[k]));
        ash_sum(matrix(dtypes[k], 1000, 1000), .axes = ASH_AXES(0));
        ash_sum(matrix(dtypes[k], 100000, 10), .axes = ASH_AXES(1));
        ash_sum(matrix(dtypes[k], 100000, 10), .axes = ASH_AXES(0));
    }
    ash_max(line(ASH_F32));
    ash_argmin(line(ASH_F64));
    ash_find_max(matrix(ASH_F32, 1000, 1000), .axes = ASH_AXES(0));
    ash_reduce("(a, b) -> a*b + a + b", line(ASH_F32));
    ash_map_reduce("(a, b) -> (a - b)^2", "+", line(ASH_F32), line(ASH_F32));
}

static void scans(void)
{
    static const ash_dtype dtypes[] = {ASH_F32, ASH_F64, ASH_I64, ASH_C_F64};
    for (size_t k = 0; k < sizeof dtypes / sizeof dtypes[0]; k++) {
        ASH_SCOPE(scope);
        ash_cumsum(line(dtypes[k]));
        ash_cumsum(matrix(dtypes[k], 1000, 1000), .axes = ASH_AXES(1));
        ash_cumsum(matrix(dtypes[k], 1000, 1000), .axes = ASH_AXES(0));
        ash_cumsum(matrix(dtypes[k], 100000, 10), .axes = ASH_AXES(1));
    }
    ash_scan("max", line(ASH_F32));
    ash_cumsum(line(ASH_F64), .exclusive = true);
    ash_scan("(a, b) -> a*b + a + b", line(ASH_F32));
}

static void variances(void)
{
    ash_var(line(ASH_F32));
    ash_var(line(ASH_F64));
    ash_var(matrix(ASH_F32, 1000, 1000), .axes = ASH_AXES(1));
    ash_var(matrix(ASH_F32, 1000, 1000), .axes = ASH_AXES(0));
}

static void sorting(void)
{
    ash_sort(line(ASH_U32));
    ash_sort(line(ASH_F64));
    ash_sortperm(line(ASH_F32));
    ash_sort_by_key(line(ASH_I64), line(ASH_F32));
    ash_top_k(line(ASH_F32), 10);
    ash_sort(matrix(ASH_F32, 10000, 50));
    ash_sort(line(ASH_F32), .less = "(a, b) -> a*a < b*b");
    ash_search_sorted(line(ASH_F64), line(ASH_F64));
    ash_histogram(line(ASH_F32), 100);
    ash_unique(line(ASH_I32));
}

static void selection(void)
{
    ash_array *const at = line(ASH_I64), *const a = line(ASH_F32);
    ash_find(line(ASH_BOOL));
    ash_select(line(ASH_F32), line(ASH_BOOL));
    ash_take(line(ASH_F32), at);
    ash_put(a, at, line(ASH_F32));
    ash_put(a, at, line(ASH_F32), .accumulate = true);
}

static void randoms(void)
{
    ash_rand(ASH_SHAPE(MANY), .dtype = ASH_F32);
    ash_randn(ASH_SHAPE(MANY), .dtype = ASH_F64);
    ash_randexp(ASH_SHAPE(MANY), .dtype = ASH_F32);
    ash_randint(0, 1000, ASH_SHAPE(MANY));
}

static void products(void)
{
    static const ash_dtype dtypes[] = {ASH_F32, ASH_F64, ASH_I64, ASH_F16, ASH_C_F64};
    for (size_t k = 0; k < sizeof dtypes / sizeof dtypes[0]; k++) {
        ASH_SCOPE(scope);
        ash_matmul(matrix(dtypes[k], 500, 300), matrix(dtypes[k], 300, 700));
        ash_matmul(matrix(dtypes[k], 500, 300), ash_zeros(ASH_SHAPE(300), .dtype = dtypes[k]));
    }
    ash_matmul(matrix(ASH_F32, 300, 500), ash_transpose(matrix(ASH_F32, 1, 500)));
}

/* By matrix units, and by large tiles. */
static void tensor_products(void)
{
    ash_matmul(matrix(ASH_F16, 2048, 300), matrix(ASH_F16, 300, 2048));
    ash_matmul(matrix(ASH_BF16, 2048, 300), matrix(ASH_BF16, 300, 2048));
    setenv("ASHLAR_TF32", "1", 1);
    ash_matmul(matrix(ASH_F32, 2048, 300), matrix(ASH_F32, 300, 2048));
    unsetenv("ASHLAR_TF32");
    ash_matmul(matrix(ASH_F32, 2048, 300), matrix(ASH_F32, 300, 2048));
    ash_matmul(matrix(ASH_I32, 2048, 300), matrix(ASH_I32, 300, 2048));
}

static void transforms(void)
{
    static const int64_t lengths[] = {16, 1024, 1000, 997, 1 << 16};
    for (size_t k = 0; k < sizeof lengths / sizeof lengths[0]; k++) {
        ash_fft(ash_zeros(ASH_SHAPE(lengths[k]), .dtype = ASH_C_F32));
        ash_fft(ash_zeros(ASH_SHAPE(lengths[k]), .dtype = ASH_C_F64));
    }
    ash_rfft(ash_zeros(ASH_SHAPE(1 << 16), .dtype = ASH_F32));
}

static void factors(void)
{
    static const ash_dtype dtypes[] = {ASH_F32, ASH_C_F64};
    for (size_t k = 0; k < sizeof dtypes / sizeof dtypes[0]; k++) {
        ASH_SCOPE(scope);
        ash_array *const a = matrix(dtypes[k], 300, 300), *const b = matrix(dtypes[k], 300, 5);
        ash_lu(a);
        ash_cholesky(a);
        ash_qr(a);
        ash_solve(a, b);
        ash_triangular_solve(a, b);
    }
}

/* What is ours where a library of the device's maker factors. */
static void library_factors(void)
{
    driver.lapack_room = lapack_room;
    driver.lapack = lapack;
    factors();
    driver.lapack = NULL;
}

static const struct {
    const char *name;
    void (*run)(void);
} operations[] = {{"map", maps},           {"reduce", reductions}, {"scan", scans},
                  {"variance", variances}, {"sort", sorting},      {"select", selection},
                  {"random", randoms},     {"product", products},  {"tensor", tensor_products},
                  {"fourier", transforms}, {"factor", factors},    {"lapack", library_factors}};

int write_runs(const char *folder)
{
    writing.folder = folder;
    if (!open_device())
        return fprintf(stderr, "no device of texts: %s\n", ash_error_text()), 1;
    ASH_WITH_RESOURCES(&resources);
    for (size_t k = 0; k < sizeof operations / sizeof operations[0]; k++) {
        ASH_SCOPE(scope);
        writing.operation = operations[k].name;
        writing.count = 0;
        operations[k].run();
        ash_error_clear(); /* of a matrix of zeros: what is singular */
        if (writing.count == 0) {
            fprintf(stderr, "%s made no text\n", operations[k].name);
            writing.failed = 1;
        }
    }
    return writing.failed;
}
