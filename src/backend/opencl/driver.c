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
#include "core/tally.h"

static const char options[] = "-cl-std=CL1.2 -cl-fp32-correctly-rounded-divide-sqrt", options_without[] = "-cl-std=CL1.2";

typedef struct opened {
    void *device, *context;
} opened;

enum { KERNELS = 16 }; /* of one program */
typedef struct kernel {
    void *kernel;
    char name[32];
    uint64_t sizes; /* bit k: launched with 2^k or more work-items */
} kernel;
typedef struct program {
    void *program;
    int kernels;
    kernel kernel[KERNELS]; /* those asked for */
} program;

static opened *own(const ash_device *device)
{
    return ((const ash__gpu *)device->state)->own;
}

static ash_status failed(const char *function, const char *call, int32_t code)
{
    const bool memory = code == CL_MEM_OBJECT_ALLOCATION_FAILURE || code == CL_OUT_OF_RESOURCES ||
                        code == CL_OUT_OF_HOST_MEMORY || code == CL_INVALID_BUFFER_SIZE;
    const ash_status status = memory ? ASH_ERR_MEMORY : ASH_ERR_DEVICE;
    return function
               ? ash__fail(status, function, "%s failed with OpenCL's error %d%s", call, (int)code, memory ? ", no memory" : "")
               : status;
}

static ash_status checked(const char *function, const char *call, int32_t code)
{
    return code ? failed(function, call, code) : ASH_OK;
}

static void given_back(int32_t error)
{
    if (error)
        ash__tally_add(ASH__COUNT_FAILURES, 1);
}

/* ---- queues and events */

static ash_status queue_open(const char *function, const ash_device *device, void **queue)
{
    int32_t error = 0;
    *queue = ash__cl_open()->clCreateCommandQueue(own(device)->context, own(device)->device, 0, &error);
    return *queue ? ASH_OK : failed(function, "clCreateCommandQueue", error);
}

static ash_status submit(const char *function, void *queue)
{
    return checked(function, "clFlush", ash__cl_open()->clFlush(queue));
}

static ash_status finish(const char *function, void *queue)
{
    return checked(function, "clFinish", ash__cl_open()->clFinish(queue));
}

static ash_status after(const char *function, void *queue, void *event)
{
    return checked(function, "clEnqueueBarrierWithWaitList",
                   ash__cl_open()->clEnqueueBarrierWithWaitList(queue, 1, &event, NULL));
}

static ash_status event_wait(const char *function, void *event)
{
    return checked(function, "clWaitForEvents", ash__cl_open()->clWaitForEvents(1, &event));
}

static bool event_done(void *event)
{
    int32_t state = CL_COMPLETE;
    const int32_t error =
        ash__cl_open()->clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof state, &state, NULL);
    return !error && state <= CL_COMPLETE; /* a wait will say what is wrong */
}

static void event_keep(void *event)
{
    ash__cl_open()->clRetainEvent(event);
}

static void event_free(void *event)
{
    ash__cl_open()->clReleaseEvent(event);
}

/* ---- memory */

static ash_status share(const char *function, const ash_device *device, void *host, size_t nbytes, void **memory)
{
    int32_t error = 0;
    const uint64_t flags = CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR;
    *memory = ash__cl_open()->clCreateBuffer(own(device)->context, flags, nbytes, host, &error);
    if (*memory)
        return ASH_OK;
    char call[48];
    snprintf(call, sizeof call, "clCreateBuffer of %zu bytes", nbytes);
    return failed(function, call, error);
}

static ash_status map(const char *function, void *queue, void *memory, size_t nbytes, void **mapped)
{
    int32_t error = 0;
    *mapped = ash__cl_open()->clEnqueueMapBuffer(queue, memory, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, 0, nbytes, 0, NULL, NULL,
                                                 &error);
    return *mapped ? ASH_OK : failed(function, "clEnqueueMapBuffer", error);
}

static ash_status unmap(const char *function, void *queue, void *memory, void *mapped)
{
    return checked(function, "clEnqueueUnmapMemObject",
                   ash__cl_open()->clEnqueueUnmapMemObject(queue, memory, mapped, 0, NULL, NULL));
}

static void *allocate(const ash_device *device, size_t nbytes)
{
    int32_t error = 0;
    return ash__cl_open()->clCreateBuffer(own(device)->context, CL_MEM_READ_WRITE, nbytes, NULL, &error);
}

static ash_status read_bytes(const char *function, void *queue, void *memory, size_t offset, void *host, size_t nbytes)
{
    return checked(function, "clEnqueueReadBuffer",
                   ash__cl_open()->clEnqueueReadBuffer(queue, memory, CL_TRUE, offset, nbytes, host, 0, NULL, NULL));
}

static ash_status write_bytes(const char *function, void *queue, void *memory, size_t offset, const void *host, size_t nbytes)
{
    return checked(function, "clEnqueueWriteBuffer",
                   ash__cl_open()->clEnqueueWriteBuffer(queue, memory, CL_TRUE, offset, nbytes, host, 0, NULL, NULL));
}

static void memory_free(void *memory)
{
    given_back(ash__cl_open()->clReleaseMemObject(memory));
}

/* ---- programs */

static ash_status build_failed(const char *function, const opened *o, void *built, int32_t code)
{
    char log[512] = "";
    size_t size = 0;
    if (!function)
        return ASH_ERR_DEVICE;
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

/* As ash__alloc; without a word where function is NULL. */
static void *take(const char *function, size_t nbytes)
{
    return function ? ash__alloc(function, 1, nbytes) : ash__allocation_fails() ? NULL : calloc(1, nbytes);
}

static const char *options_for(bool exact)
{
    return exact ? options : options_without;
}

/* Builds what was created of text or of bytes, which may have failed with this error. */
static ash_status build(const char *function, const char *call, const ash_device *device, void *created, int32_t error,
                        void **result)
{
    const ash__cl_library *const cl = ash__cl_open();
    const opened *const o = own(device);
    const char *const with = options_for(((const ash__gpu *)device->state)->exact_f32);
    program *const p = created ? take(function, sizeof *p) : NULL;
    ash_status status = created ? p ? ASH_OK : ASH_ERR_MEMORY : failed(function, call, error);
    if (!status && (error = cl->clBuildProgram(created, 1, &o->device, with, NULL, NULL)))
        status = build_failed(function, o, created, error);
    if (!status) {
        p->program = created;
        *result = p;
        return ASH_OK;
    }
    if (created)
        cl->clReleaseProgram(created);
    ash__free(p);
    return status;
}

static ash_status compile(const char *function, const ash_device *device, const char *text, void **result)
{
    int32_t error = 0;
    void *const made = ash__cl_open()->clCreateProgramWithSource(own(device)->context, 1, &text, NULL, &error);
    return build(function, "clCreateProgramWithSource", device, made, error, result);
}

static ash_status program_load(const char *function, const ash_device *device, const void *bytes, size_t nbytes, void **result)
{
    const opened *const o = own(device);
    const unsigned char *const binary = bytes;
    int32_t error = 0, state = 0;
    void *const made = ash__cl_open()->clCreateProgramWithBinary(o->context, 1, &o->device, &nbytes, &binary, &state, &error);
    return build(function, "clCreateProgramWithBinary", device, made, error, result);
}

static ash_status program_binary(const char *function, void *which, void **bytes, size_t *nbytes)
{
    const ash__cl_library *const cl = ash__cl_open();
    void *const of = ((const program *)which)->program;
    size_t size = 0;
    int32_t error = cl->clGetProgramInfo(of, CL_PROGRAM_BINARY_SIZES, sizeof size, &size, NULL);
    if (error || !size)
        return failed(function, "clGetProgramInfo", error);
    unsigned char *binary = take(function, size);
    if (!binary)
        return ASH_ERR_MEMORY;
    if ((error = cl->clGetProgramInfo(of, CL_PROGRAM_BINARIES, sizeof binary, &binary, NULL))) {
        free(binary);
        return failed(function, "clGetProgramInfo", error);
    }
    *bytes = binary;
    *nbytes = size;
    return ASH_OK;
}

static void program_free(void *which)
{
    program *const p = which;
    for (int k = 0; k < p->kernels; k++)
        ash__cl_open()->clReleaseKernel(p->kernel[k].kernel);
    ash__cl_open()->clReleaseProgram(p->program);
    ash__free(p);
}

/* ---- work */

/* The program's kernel of this name, made when first asked for. NULL with *error. */
static kernel *kernel_named(program *p, const char *name, int32_t *error)
{
    for (int k = 0; k < p->kernels; k++)
        if (strcmp(p->kernel[k].name, name) == 0)
            return &p->kernel[k];
    *error = CL_OUT_OF_HOST_MEMORY; /* more than there are in any text */
    void *const made = p->kernels < KERNELS ? ash__cl_open()->clCreateKernel(p->program, name, error) : NULL;
    if (!made)
        return NULL;
    kernel *const k = &p->kernel[p->kernels++];
    k->kernel = made;
    snprintf(k->name, sizeof k->name, "%s", name);
    return k;
}

/* Drivers compile a kernel when it is first run, and PoCL again for launches of other sizes. */
static bool is_fresh(kernel *k, const ash__launch *l)
{
    const uint64_t items = (uint64_t)l->global[0] * l->global[1];
    const uint64_t size = (uint64_t)1 << (63 - __builtin_clzll(items | 1));
    const bool fresh = !(k->sizes & size);
    k->sizes |= size;
    return fresh;
}

static ash_status launch(const char *function, void *queue, void *which, const ash__launch *l, void **event, bool *fresh)
{
    const ash__cl_library *const cl = ash__cl_open();
    const size_t local[2] = {l->local, 1};
    int32_t error = 0;
    kernel *const named = kernel_named(which, l->kernel ? l->kernel : "run", &error);
    if (!named)
        return failed(function, "clCreateKernel", error);
    void *const own_kernel = named->kernel;
    *fresh = is_fresh(named, l);
    for (int k = 0; k < l->memories && !error; k++)
        error = cl->clSetKernelArg(own_kernel, (uint32_t)k, sizeof(void *), &l->memory[k]);
    if (!error)
        error = cl->clSetKernelArg(own_kernel, (uint32_t)l->memories, l->nbytes, l->parameters);
    if (error)
        return failed(function, "clSetKernelArg", error);
    error = cl->clEnqueueNDRangeKernel(queue, own_kernel, 2, NULL, l->global, local, 0, NULL, event);
    return checked(function, "clEnqueueNDRangeKernel", error);
}

const ash__driver ash__opencl_driver = {
    .queue_open = queue_open,
    .submit = submit,
    .finish = finish,
    .after = after,
    .event_wait = event_wait,
    .event_done = event_done,
    .event_keep = event_keep,
    .event_free = event_free,
    .share = share,
    .map = map,
    .unmap = unmap,
    .allocate = allocate,
    .read = read_bytes,
    .write = write_bytes,
    .memory_free = memory_free,
    .compile = compile,
    .program_free = program_free,
    .program_binary = program_binary,
    .program_load = program_load,
    .launch = launch,
};

/* ---- opening */

static void set_identity(ash__gpu *gpu, const ash__cl_device *d)
{
    static const uint32_t of_device[] = {CL_DEVICE_NAME, CL_DEVICE_VENDOR, CL_DEVICE_VERSION, CL_DRIVER_VERSION};
    const ash__cl_library *const cl = ash__cl_open();
    ash__text text = {gpu->identity, sizeof gpu->identity, 0};
    char word[256] = "";
    cl->clGetPlatformInfo(d->platform, CL_PLATFORM_VERSION, sizeof word, word, NULL);
    ash__put(&text, "%s\n%.120s", options_for(gpu->exact_f32), word);
    for (size_t k = 0; k < sizeof of_device / sizeof of_device[0]; k++) {
        word[0] = 0;
        cl->clGetDeviceInfo(d->device, of_device[k], sizeof word, word, NULL);
        ash__put(&text, "\n%.80s", word);
    }
}

ash_status ash__opencl_start(const char *function, ash_device *device)
{
    const uint64_t exact = CL_FP_DENORM | CL_FP_INF_NAN | CL_FP_ROUND_TO_NEAREST | CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT;
    const ash__cl_library *const cl = ash__cl_open();
    const ash__cl_device *list;
    ash__cl_devices(&list);
    uint64_t config = 0, largest = 0, type = 0;
    uint32_t units = 0;
    int32_t error = 0;
    const char *call = NULL;
    opened *const o = ash__alloc(function, 1, sizeof *o);
    ash__gpu *const gpu = o ? ash__gpu_new(function, &ash__opencl_driver) : NULL;
    if (gpu) {
        o->device = list[device->index].device;
        error = cl->clGetDeviceInfo(o->device, CL_DEVICE_SINGLE_FP_CONFIG, sizeof config, &config, NULL);
        error = error ? error : cl->clGetDeviceInfo(o->device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof largest, &largest, NULL);
        error = error ? error : cl->clGetDeviceInfo(o->device, CL_DEVICE_TYPE, sizeof type, &type, NULL);
        error = error ? error : cl->clGetDeviceInfo(o->device, CL_DEVICE_MAX_COMPUTE_UNITS, sizeof units, &units, NULL);
        call = error ? "clGetDeviceInfo" : "clCreateContext";
        gpu->exact_f32 = (config & exact) == exact;
        gpu->largest = (size_t)largest;
        gpu->processor = (type & CL_DEVICE_TYPE_CPU) != 0;
        gpu->units = units > 0 && units < 1024 ? (int)units : 1;
        gpu->own = o;
        set_identity(gpu, &list[device->index]);
        gpu->device = device;
        if (!error && (o->context = cl->clCreateContext(NULL, 1, &o->device, NULL, NULL, &error))) {
            device->state = gpu;
            return ASH_OK;
        }
    }
    const ash_status status = gpu ? failed(function, call, error) : ASH_ERR_MEMORY;
    ash__free(gpu);
    ash__free(o);
    return status;
}
