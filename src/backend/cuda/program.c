/*
 * program.c - kernel text as code of the device, and launches.
 *
 * NVRTC makes PTX, and the driver makes code of it for the device there is: so a device that is newer than NVRTC works too.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/cuda.h"
#include "backend/cuda/nvrtc.h"
#include "core/alloc.h"
#include "core/disk.h"
#include "core/error.h"

enum { KERNELS = 16, ARGUMENTS = 64 }; /* of one program; of one launch */
enum { MOST_Y = 65535, TURNED = 16 };  /* groups along y of a grid; bytes of shared memory that say it was turned round */

typedef struct program {
    ash__cu_device *device;
    void *module;
    char *ptx;   /* NULL: not kept */
    int kernels; /* those asked for */
    struct {
        void *function;
        char name[32];
    } kernel[KERNELS];
} program;

/* ---- code */

static ash_status load_failed(const char *function, const ash__cu_call *call, int error, const char *log)
{
    const ash_status status = ash__cu_end(NULL, call, NULL, error);
    const int nvrtc = ash__nvrtc_version(), driver = ash__cu_version();
    if (!function)
        return status;
    if (error == CUDA_ERROR_UNSUPPORTED_PTX_VERSION)
        return ash__fail(ASH_ERR_DEVICE, function,
                         "the driver of %s, of CUDA %d.%d, does not take what NVRTC %d.%d makes; install a newer driver, or "
                         "NVRTC %d.%d and set ASHLAR_NVRTC_LIBRARY",
                         call->device->name, driver / 1000, driver % 1000 / 10, nvrtc / 1000, nvrtc % 1000 / 10, driver / 1000,
                         driver % 1000 / 10);
    if (error == CUDA_ERROR_JIT_COMPILER_NOT_FOUND)
        return ash__fail(ASH_ERR_DEVICE, function,
                         "the driver of %s does not find its compiler, libnvidia-ptxjitcompiler.so.1; install it (it is part "
                         "of NVIDIA's driver)",
                         call->device->name);
    if (!log[0])
        return ash__cu_end(function, &(ash__cu_call){.device = call->device, .error = call->error}, "cuModuleLoadDataEx",
                           error);
    return ash__fail(status, function, "cuModuleLoadDataEx of %s failed with CUDA error %d: %s", call->device->name, error,
                     log);
}

/* A program of PTX, which ends with a 0. */
static ash_status load(const char *function, ash__cu_device *d, const char *ptx, program **result)
{
    char log[512] = "";
    int option[] = {CU_JIT_ERROR_LOG_BUFFER, CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES};
    void *value[] = {log, (void *)(uintptr_t)(sizeof log - 1)}, *module = NULL;
    program *const p = ash__allocation_fails() ? NULL : calloc(1, sizeof *p);
    if (!p)
        return function ? ash__fail(ASH_ERR_MEMORY, function, "no memory for %zu bytes", sizeof *p) : ASH_ERR_MEMORY;
    const ash__cu_call call = ash__cu_begin(d);
    const int error = call.error ? call.error : ash__cu.cuModuleLoadDataEx(&module, ptx, 2, option, value);
    const ash_status status = error ? load_failed(function, &call, error, log) : ash__cu_end(function, &call, NULL, 0);
    if (status) {
        free(p);
        return status;
    }
    *p = (program){.device = d, .module = module};
    *result = p;
    return ASH_OK;
}

ash_status ash__cu_compile(const char *function, const ash_device *device, const char *text, void **result)
{
    ash__cu_device *const d = ash__cu_of(device);
    program *p = NULL;
    bool stored = false;
    char *const ptx = ash__nvrtc_compile(function, text, d->architecture);
    const ash_status status = ptx ? load(function, d, ptx, &p) : ash__last_status();
    if (!status && !ash__disk_open(&stored) && stored)
        p->ptx = ptx;
    else
        ash__free(ptx);
    *result = p;
    return status;
}

/* PTX is kept for this, until it is asked for. */
ash_status ash__cu_program_binary(const char *function, void *which, void **bytes, size_t *nbytes)
{
    program *const p = which;
    if (!p->ptx)
        return function ? ash__fail(ASH_ERR_DEVICE, function, "the program's PTX is gone") : ASH_ERR_DEVICE;
    *bytes = p->ptx;
    *nbytes = strlen(p->ptx) + 1;
    p->ptx = NULL;
    return ASH_OK;
}

ash_status ash__cu_program_load(const char *function, const ash_device *device, const void *bytes, size_t nbytes, void **result)
{
    program *p = NULL;
    if (!nbytes || ((const char *)bytes)[nbytes - 1] || !strstr(bytes, ".version") || !strstr(bytes, ".entry"))
        return function ? ash__fail(ASH_ERR_DEVICE, function, "the bytes are no PTX") : ASH_ERR_DEVICE;
    const ash_status status = load(function, ash__cu_of(device), bytes, &p);
    *result = p;
    return status;
}

/* A module is not to go while its code runs, and programs go seldom: all that is queued is waited for. */
void ash__cu_program_free(void *which)
{
    program *const p = which;
    const ash__cu_call call = ash__cu_begin(p->device);
    int error = call.error ? call.error : ash__cu.cuCtxSynchronize();
    if (!error)
        error = ash__cu.cuModuleUnload(p->module);
    ash__cu_end(NULL, &call, "cuModuleUnload", error);
    ash__free(p->ptx);
    ash__free(p);
}

/* ---- work */

/* The program's kernel of this name, found when first asked for. */
static int function_named(program *p, const char *name, void **function)
{
    for (int k = 0; k < p->kernels; k++)
        if (strcmp(p->kernel[k].name, name) == 0) {
            *function = p->kernel[k].function;
            return 0;
        }
    const int error = ash__cu.cuModuleGetFunction(function, p->module, name);
    if (!error && p->kernels < KERNELS) {
        p->kernel[p->kernels].function = *function;
        snprintf(p->kernel[p->kernels++].name, sizeof p->kernel[0].name, "%s", name);
    }
    return error;
}

static int start(ash__cu_queue *q, void *kernel, const ash__launch *l)
{
    void *argument[ARGUMENTS];
    for (int k = 0; k < l->memories; k++) {
        ash__cu_memory *const m = l->memory[k];
        ash__cu_move(q, m);
        argument[k] = &m->pointer;
    }
    memcpy(&argument[l->memories], &l->parameters, sizeof l->parameters); /* it is only read */
    const size_t groups[2] = {l->global[0] / l->local, l->global[1]};
    const bool turned = groups[1] > MOST_Y; /* kernels/prelude.c */
    const size_t x = groups[turned], y = groups[!turned];
    if (x > INT32_MAX || y > MOST_Y)
        return CUDA_ERROR_INVALID_VALUE;
    return ash__cu.cuLaunchKernel(kernel, (unsigned)x, (unsigned)y, 1, (unsigned)l->local, 1, 1, turned ? TURNED : 0, q->stream,
                                  argument, NULL);
}

/* Which kernel wants more than the device has. */
static ash_status too_large(const char *function, const ash__cu_call *call, const char *name, void *kernel, size_t local)
{
    int most = 0;
    if (ash__cu.cuFuncGetAttribute(&most, CU_FUNC_MAX_THREADS_PER_BLOCK, kernel))
        most = 0;
    ash__cu_end(NULL, call, NULL, 0);
    return ash__fail(ASH_ERR_DEVICE, function, "%s runs at most %d work-items of a group of kernel %s, which has %zu",
                     call->device->name, most, name, local);
}

ash_status ash__cu_launch(const char *function, void *queue, void *which, const ash__launch *l, void **event, bool *fresh)
{
    ash__cu_queue *const q = queue;
    const char *const name = l->kernel ? l->kernel : "run", *called = "cuModuleGetFunction";
    void *kernel = NULL;
    *fresh = false;
    const ash__cu_call call = ash__cu_begin(q->device);
    int error = call.error ? call.error : function_named(which, name, &kernel);
    if (!error) {
        called = "cuLaunchKernel";
        error = start(q, kernel, l);
        if (error == CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES && function)
            return too_large(function, &call, name, kernel, l->local);
    }
    if (!error) {
        called = "cuEventRecord";
        *event = ash__cu_record(q, &error);
    }
    return ash__cu_end(function, &call, called, error);
}
