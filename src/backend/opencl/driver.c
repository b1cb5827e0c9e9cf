/*
 * driver.c - the driver table over OpenCL 1.2: one context per device, in-order queues, host memory used in place.
 *
 * A failed call is a memory error where OpenCL says so and else a device error; the text names the function and the code.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/gpu/gpu.h"
#include "backend/opencl/library.h"
#include "backend/opencl/opencl.h"
#include "core/alloc.h"
#include "core/error.h"

static const char options[] = "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt", options_without[] = "-cl-std=CL1.2";

typedef struct opened {
    void *device, *context;
} opened;

enum { KERNELS = 16 }; /* of one program */
typedef struct program {
    void *program;
    int kernels;
    void *kernel[KERNELS]; /* those asked for */
    char name[KERNELS][32];
} program;

static opened *own(const ash_device *device)
{
    return ((const ash__gpu *)device->state)->own;
}

static ash_status failed(const char *function, const char *call, int32_t code)
{
    const bool memory = code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES ||
                        code == CL_OUT_OF_HOST_MEMORY || code == CL_INVALID_BUFFER_SIZE;
    return ash__fail(memory ? ASH_ERR_MEMORY : ASH_ERR_DEVICE, function, "%s failed with OpenCL's error %d%s", call, (int)code,
                     memory ? ", no memory" : "");
}

/* ---- queues and memory */

static ash_status queue_open(const char *function, const ash_device *device, void **queue)
{
    int32_t error = 0;
    *queue = ash__cl_open()->clCreateCommandQueue(own(device)->context, own(device)->device, 0, &error);
    return *queue ? ASH_OK : failed(function, "clCreateCommandQueue", error);
}

static void queue_close(void *queue)
{
    ash__cl_open()->clReleaseCommandQueue(queue); /* what is queued is still done */
}

static ash_status share(const char *function, const ash_device *device, void *host, size_t nbytes, void **memory)
{
    int32_t error = 0;
    const uint64_t flags = CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR;
    *memory = ash__cl_open()->clCreateBuffer(own(device)->context, flags, nbytes, host, &error);
    return *memory ? ASH_OK : failed(function, "clCreateBuffer", error);
}

static void end_sharing(void *memory)
{
    ash__cl_open()->clReleaseMemObject(memory);
}

/* ---- programs */

static ash_status build_failed(const char *function, const opened *o, void *built, int32_t code)
{
    char log[512] = "";
    size_t size = 0;
    char *all = NULL;
    if (!ash__cl_open()->clGetProgramBuildInfo(built, o->device, CL_PROGRAM_BUILD_LOG, 0, NULL, &size) && size)
        all = calloc(1, size + 1);
    if (all && !ash__cl_open()->clGetProgramBuildInfo(built, o->device, CL_PROGRAM_BUILD_LOG, size, all, NULL))
        snprintf(log, sizeof log, "%.500s", all);
    free(all);
    if (code != CL_BUILD_PROGRAM_FAILURE)
        return failed(function, "clBuildProgram", code);
    return ash__fail(ASH_ERR_DEVICE, function, "clBuildProgram failed: %s", log[0] ? log : "OpenCL does not say why");
}

static ash_status compile(const char *function, const ash_device *device, const char *text, void **result)
{
    const ash__cl_library *const cl = ash__cl_open();
    const opened *const o = own(device);
    const bool exact = ((const ash__gpu *)device->state)->exact_f32;
    int32_t error = 0;
    program *const p = ash__alloc(function, 1, sizeof *p);
    if (!p)
        return ASH_ERR_MEMORY;
    ash_status status = ASH_OK;
    if (!(p->program = cl->clCreateProgramWithSource(o->context, 1, &text, NULL, &error)))
        status = failed(function, "clCreateProgramWithSource", error);
    else if ((error = cl->clBuildProgram(p->program, 1, &o->device, exact ? options : options_without, NULL, NULL)))
        status = build_failed(function, o, p->program, error);
    if (!status) {
        *result = p;
        return ASH_OK;
    }
    if (p->program)
        cl->clReleaseProgram(p->program);
    ash__free(p);
    return status;
}

static void program_free(void *which)
{
    program *const p = which;
    for (int k = 0; k < p->kernels; k++)
        ash__cl_open()->clReleaseKernel(p->kernel[k]);
    ash__cl_open()->clReleaseProgram(p->program);
    ash__free(p);
}

/* ---- work */

/* The program's kernel of this name, made when first asked for. NULL with *error. */
static void *kernel_named(program *p, const char *name, int32_t *error)
{
    for (int k = 0; k < p->kernels; k++)
        if (strcmp(p->name[k], name) == 0)
            return p->kernel[k];
    *error = CL_OUT_OF_HOST_MEMORY; /* more than there are in any text */
    void *const kernel = p->kernels < KERNELS ? ash__cl_open()->clCreateKernel(p->program, name, error) : NULL;
    if (kernel) {
        snprintf(p->name[p->kernels], sizeof p->name[0], "%s", name);
        p->kernel[p->kernels++] = kernel;
    }
    return kernel;
}

static ash_status launch(const char *function, void *queue, void *which, const ash__launch *l)
{
    const ash__cl_library *const cl = ash__cl_open();
    const size_t local[2] = {l->local, 1};
    int32_t error = 0;
    void *const kernel = kernel_named(which, l->kernel ? l->kernel : "run", &error);
    if (!kernel)
        return failed(function, "clCreateKernel", error);
    for (int k = 0; k < l->memories && !error; k++)
        error = cl->clSetKernelArg(kernel, (uint32_t)k, sizeof(void *), &l->memory[k]);
    if (!error)
        error = cl->clSetKernelArg(kernel, (uint32_t)l->memories, l->nbytes, l->parameters);
    if (error)
        return failed(function, "clSetKernelArg", error);
    error = cl->clEnqueueNDRangeKernel(queue, kernel, 2, NULL, l->global, local, 0, NULL, NULL);
    return error ? failed(function, "clEnqueueNDRangeKernel", error) : ASH_OK;
}

/* Mapping is what makes memory that the device used in place the host's again. */
static ash_status wait_for(const char *function, void *queue, void *memory, size_t nbytes)
{
    const ash__cl_library *const cl = ash__cl_open();
    int32_t error = 0;
    void *const mapped = cl->clEnqueueMapBuffer(queue, memory, CL_TRUE, CL_MAP_READ, 0, nbytes, 0, NULL, NULL, &error);
    if (!mapped)
        return failed(function, "clEnqueueMapBuffer", error);
    error = cl->clEnqueueUnmapMemObject(queue, memory, mapped, 0, NULL, NULL);
    if (error)
        return failed(function, "clEnqueueUnmapMemObject", error);
    error = cl->clFinish(queue);
    return error ? failed(function, "clFinish", error) : ASH_OK;
}

const ash__driver ash__opencl_driver = {
    .queue_open = queue_open,
    .queue_close = queue_close,
    .share = share,
    .end_sharing = end_sharing,
    .compile = compile,
    .program_free = program_free,
    .launch = launch,
    .wait = wait_for,
};

/* ---- opening */

ash_status ash__opencl_start(const char *function, ash_device *device)
{
    const uint64_t exact = CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
    const ash__cl_library *const cl = ash__cl_open();
    const ash__cl_device *list;
    ash__cl_devices(&list);
    uint64_t config = 0, largest = 0;
    int32_t error = 0;
    opened *const o = ash__alloc(function, 1, sizeof *o);
    ash__gpu *const gpu = o ? ash__gpu_new(function, &ash__opencl_driver) : NULL;
    if (gpu) {
        o->device = list[device->index].device;
        cl->clGetDeviceInfo(o->device, CL_DEVICE_SINGLE_FP_CONFIG, sizeof config, &config, NULL);
        cl->clGetDeviceInfo(o->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest, NULL);
        gpu->exact_f32 = (config & exact) == exact;
        gpu->largest = (size_t)largest;
        gpu->own = o;
        o->context = cl->clCreateContext(NULL, 1, &o->device, NULL, NULL, &error);
        if (o->context) {
            device->state = gpu;
            return ASH_OK;
        }
    }
    const ash_status status = gpu ? failed(function, "clCreateContext", error) : ASH_ERR_MEMORY;
    ash__free(gpu);
    ash__free(o);
    return status;
}
