/*
 * layer.c - an OpenCL layer for tests: a device that lacks something, and calls that fail. See opencl_layer.h.
 *
 * A call that is made to fail is not made, but for those that release and wait, which have no second chance: they are made and
 * then report an error.
 */
#define CL_TARGET_OPENCL_VERSION 300
#include <CL/cl_layer.h>

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "opencl_layer.h"

enum { BUFFERS = 4096 };

static const struct _cl_icd_dispatch *next;
static struct _cl_icd_dispatch own;

static bool no_f64, no_unified, whole;
static size_t most_group, most_local, most_allocation, most_memory;

/* The rest is guarded. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int64_t until_failure, live[LAYER_KINDS];
static const char *refused, *failed_name;
static int failed_code;
static size_t memory_used;
static struct buffer {
    cl_mem memory;
    size_t nbytes;
    char *host; /* of memory that is not used in place */
    bool counts;
} buffers[BUFFERS];

/* ---- which calls fail */

static bool fails(const char *name, int code)
{
    pthread_mutex_lock(&lock);
    const bool now = (until_failure > 0 && --until_failure == 0) || (refused && strcmp(refused, name) == 0);
    if (now) {
        failed_name = name;
        failed_code = code;
    }
    pthread_mutex_unlock(&lock);
    return now;
}

static void count(layer_kind kind, int change)
{
    pthread_mutex_lock(&lock);
    live[kind] += change;
    pthread_mutex_unlock(&lock);
}

static void fail_at(int64_t n)
{
    pthread_mutex_lock(&lock);
    until_failure = n;
    failed_name = n ? NULL : failed_name;
    pthread_mutex_unlock(&lock);
}
static void refuse(const char *name)
{
    pthread_mutex_lock(&lock);
    refused = name;
    failed_name = NULL;
    pthread_mutex_unlock(&lock);
}
static const char *failed(void)
{
    return failed_name;
}
static int code(void)
{
    return failed_code;
}
static int64_t live_of(layer_kind kind)
{
    pthread_mutex_lock(&lock);
    const int64_t n = live[kind];
    pthread_mutex_unlock(&lock);
    return n;
}

extern const layer_control opencl_layer;
__attribute__((visibility("default"))) const layer_control opencl_layer = {fail_at, refuse, failed, code, live_of};

/* ---- what the device says of itself */

static cl_int answer(const void *value, size_t nbytes, size_t room, void *to, size_t *size)
{
    if (size)
        *size = nbytes;
    if (to && room < nbytes)
        return CL_INVALID_VALUE;
    if (to)
        memcpy(to, value, nbytes);
    return CL_SUCCESS;
}

static void take_word(char *list, const char *word)
{
    for (char *at; (at = strstr(list, word));)
        memmove(at, at + strlen(word), strlen(at + strlen(word)) + 1);
}

static cl_int without_words(cl_device_id device, cl_device_info what, size_t room, void *to, size_t *size)
{
    char list[8192] = "";
    const cl_int error = next->clGetDeviceInfo(device, what, sizeof list, list, NULL);
    if (error)
        return error;
    take_word(list, "cl_khr_fp64");
    take_word(list, "cl_khr_int64_base_atomics");
    take_word(list, "cl_khr_int64_extended_atomics");
    return answer(list, strlen(list) + 1, room, to, size);
}

/* Extensions and features with their versions. */
static cl_int without_names(cl_device_id device, cl_device_info what, size_t room, void *to, size_t *size)
{
    cl_name_version list[256];
    size_t nbytes = 0, kept = 0;
    const cl_int error = next->clGetDeviceInfo(device, what, sizeof list, list, &nbytes);
    if (error)
        return error;
    for (size_t k = 0; k < nbytes / sizeof list[0]; k++)
        if (!strstr(list[k].name, "fp64") && !strstr(list[k].name, "int64"))
            list[kept++] = list[k];
    return answer(list, kept * sizeof list[0], room, to, size);
}

static cl_int lowered(cl_device_id device, cl_device_info what, size_t most, size_t width, size_t room, void *to, size_t *size)
{
    uint64_t value = 0; /* little-endian */
    const cl_int error = next->clGetDeviceInfo(device, what, width, &value, NULL);
    if (error)
        return error;
    value = value < most ? value : most;
    return answer(&value, width, room, to, size);
}

static cl_int device_info(cl_device_id device, cl_device_info what, size_t room, void *to, size_t *size)
{
    static const uint64_t zero;
    if (no_f64 && what == CL_DEVICE_DOUBLE_FP_CONFIG)
        return answer(&zero, sizeof(cl_device_fp_config), room, to, size);
    if (no_f64 && (what == CL_DEVICE_PREFERRED_VECTOR_WIDTH_DOUBLE || what == CL_DEVICE_NATIVE_VECTOR_WIDTH_DOUBLE))
        return answer(&zero, sizeof(cl_uint), room, to, size);
    if (no_f64 && what == CL_DEVICE_EXTENSIONS)
        return without_words(device, what, room, to, size);
    if (no_f64 && (what == CL_DEVICE_EXTENSIONS_WITH_VERSION || what == CL_DEVICE_OPENCL_C_FEATURES))
        return without_names(device, what, room, to, size);
    if (no_unified && what == CL_DEVICE_HOST_UNIFIED_MEMORY)
        return answer(&zero, sizeof(cl_bool), room, to, size);
    if (most_group && what == CL_DEVICE_MAX_WORK_GROUP_SIZE)
        return lowered(device, what, most_group, sizeof(size_t), room, to, size);
    if (most_local && what == CL_DEVICE_LOCAL_MEM_SIZE)
        return lowered(device, what, most_local, sizeof(cl_ulong), room, to, size);
    if (most_allocation && what == CL_DEVICE_MAX_MEM_ALLOC_SIZE)
        return lowered(device, what, most_allocation, sizeof(cl_ulong), room, to, size);
    if (most_memory && what == CL_DEVICE_GLOBAL_MEM_SIZE)
        return lowered(device, what, most_memory, sizeof(cl_ulong), room, to, size);
    return next->clGetDeviceInfo(device, what, room, to, size);
}

static cl_int CL_API_CALL get_device_info(cl_device_id device, cl_device_info what, size_t room, void *to, size_t *size)
{
    return fails("clGetDeviceInfo", CL_OUT_OF_RESOURCES) ? CL_OUT_OF_RESOURCES : device_info(device, what, room, to, size);
}

/* ---- buffers */

static struct buffer *find(cl_mem memory)
{
    for (int k = 0; k < BUFFERS; k++)
        if (buffers[k].memory == memory)
            return &buffers[k];
    return NULL;
}

static struct buffer find_copy(cl_mem memory)
{
    pthread_mutex_lock(&lock);
    const struct buffer *const found = find(memory);
    const struct buffer copy = found ? *found : (struct buffer){.memory = NULL};
    pthread_mutex_unlock(&lock);
    return copy;
}

static bool has_room(size_t nbytes)
{
    pthread_mutex_lock(&lock);
    const bool room = !most_memory || nbytes <= most_memory - memory_used;
    pthread_mutex_unlock(&lock);
    return room;
}

static void keep(cl_mem memory, size_t nbytes, void *host, bool counts)
{
    pthread_mutex_lock(&lock);
    struct buffer *const place = find(NULL);
    if (!place)
        abort();
    *place = (struct buffer){memory, nbytes, host, counts};
    memory_used += counts ? nbytes : 0;
    live[LAYER_MEMORY]++;
    pthread_mutex_unlock(&lock);
}

static cl_mem CL_API_CALL create_buffer(cl_context context, cl_mem_flags flags, size_t nbytes, void *host, cl_int *error)
{
    const bool copied = no_unified && (flags & CL_MEM_USE_HOST_PTR), counts = !host || copied;
    cl_int wrong = CL_SUCCESS;
    if (fails("clCreateBuffer", CL_MEM_OBJECT_ALLOCATION_FAILURE) || (counts && !has_room(nbytes)))
        wrong = CL_MEM_OBJECT_ALLOCATION_FAILURE;
    else if (most_allocation && nbytes > most_allocation)
        wrong = CL_INVALID_BUFFER_SIZE;
    if (wrong) {
        *error = wrong;
        return NULL;
    }
    if (copied)
        flags = (flags & ~(cl_mem_flags)CL_MEM_USE_HOST_PTR) | CL_MEM_COPY_HOST_PTR;
    cl_mem memory = next->clCreateBuffer(context, flags, nbytes, host, error);
    if (memory)
        keep(memory, nbytes, copied ? host : NULL, counts);
    return memory;
}

static cl_int CL_API_CALL release_memory(cl_mem memory)
{
    const bool now = fails("clReleaseMemObject", CL_OUT_OF_RESOURCES);
    pthread_mutex_lock(&lock);
    struct buffer *const b = find(memory);
    if (b) {
        memory_used -= b->counts ? b->nbytes : 0;
        *b = (struct buffer){.memory = NULL};
        live[LAYER_MEMORY]--;
    }
    pthread_mutex_unlock(&lock);
    const cl_int error = next->clReleaseMemObject(memory);
    return now ? CL_OUT_OF_RESOURCES : error;
}

static void *CL_API_CALL map_buffer(cl_command_queue queue, cl_mem memory, cl_bool blocking, cl_map_flags flags, size_t offset,
                                    size_t nbytes, cl_uint waits, const cl_event *wait, cl_event *event, cl_int *error)
{
    if (fails("clEnqueueMapBuffer", CL_MAP_FAILURE)) {
        *error = CL_MAP_FAILURE;
        return NULL;
    }
    char *const host = find_copy(memory).host;
    if (!host)
        return next->clEnqueueMapBuffer(queue, memory, blocking, flags, offset, nbytes, waits, wait, event, error);
    *error = next->clEnqueueReadBuffer(queue, memory, CL_TRUE, offset, nbytes, host + offset, waits, wait, event);
    return *error ? NULL : host + offset;
}

static cl_int CL_API_CALL unmap_memory(cl_command_queue queue, cl_mem memory, void *mapped, cl_uint waits, const cl_event *wait,
                                       cl_event *event)
{
    if (fails("clEnqueueUnmapMemObject", CL_OUT_OF_RESOURCES))
        return CL_OUT_OF_RESOURCES;
    const struct buffer b = find_copy(memory);
    if (!b.host)
        return next->clEnqueueUnmapMemObject(queue, memory, mapped, waits, wait, event);
    return next->clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, b.nbytes, b.host, waits, wait, event);
}

static cl_int CL_API_CALL write_buffer(cl_command_queue queue, cl_mem memory, cl_bool blocking, size_t offset, size_t nbytes,
                                       const void *host, cl_uint waits, const cl_event *wait, cl_event *event)
{
    if (fails("clEnqueueWriteBuffer", CL_OUT_OF_RESOURCES))
        return CL_OUT_OF_RESOURCES;
    const struct buffer b = find_copy(memory);
    char *const all = whole && offset == 0 && nbytes < b.nbytes ? malloc(b.nbytes) : NULL;
    if (!all || next->clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, b.nbytes, all, waits, wait, NULL)) {
        free(all);
        return next->clEnqueueWriteBuffer(queue, memory, blocking, offset, nbytes, host, waits, wait, event);
    }
    memcpy(all, host, nbytes);
    const cl_int error = next->clEnqueueWriteBuffer(queue, memory, CL_TRUE, 0, b.nbytes, all, 0, NULL, event);
    free(all);
    return error;
}

/* ---- programs and launches */

static cl_program CL_API_CALL create_program(cl_context context, cl_uint texts, const char **text, const size_t *length,
                                             cl_int *error)
{
    static const char before[] = "#undef cl_khr_fp64\n#define double the_device_has_no_double\n#line 1\n";
    if (fails("clCreateProgramWithSource", CL_OUT_OF_HOST_MEMORY) || texts != 1 || length) {
        *error = CL_OUT_OF_HOST_MEMORY;
        return NULL;
    }
    const char *const both[] = {no_f64 ? before : "", text[0]};
    cl_program program = next->clCreateProgramWithSource(context, 2, (const char **)(uintptr_t)both, NULL, error);
    count(LAYER_PROGRAMS, program != NULL);
    return program;
}

static cl_int CL_API_CALL launch(cl_command_queue queue, cl_kernel kernel, cl_uint axes, const size_t *offset,
                                 const size_t *global, const size_t *local, cl_uint waits, const cl_event *wait,
                                 cl_event *event)
{
    cl_device_id device = NULL;
    cl_ulong used = 0;
    if (fails("clEnqueueNDRangeKernel", CL_OUT_OF_RESOURCES))
        return CL_OUT_OF_RESOURCES;
    if (most_group && local[0] > most_group)
        return CL_INVALID_WORK_GROUP_SIZE;
    if (most_local && !next->clGetCommandQueueInfo(queue, CL_QUEUE_DEVICE, sizeof device, &device, NULL) &&
        !next->clGetKernelWorkGroupInfo(kernel, device, CL_KERNEL_LOCAL_MEM_SIZE, sizeof used, &used, NULL) &&
        used > most_local)
        return CL_OUT_OF_RESOURCES;
    const cl_int error = next->clEnqueueNDRangeKernel(queue, kernel, axes, offset, global, local, waits, wait, event);
    count(LAYER_EVENTS, !error && event);
    return error;
}

/* ---- the others: counted, and passed on */

/* X(function, own name, error, parameters, arguments) */
#define PLAIN(X)                                                                                                          \
    X(clGetPlatformInfo, platform_info, CL_OUT_OF_HOST_MEMORY,                                                            \
      (cl_platform_id p, cl_platform_info what, size_t room, void *to, size_t *size), (p, what, room, to, size))          \
    X(clGetDeviceIDs, device_ids, CL_OUT_OF_HOST_MEMORY,                                                                  \
      (cl_platform_id p, cl_device_type type, cl_uint room, cl_device_id * d, cl_uint * n), (p, type, room, d, n))        \
    X(clGetProgramBuildInfo, build_info, CL_OUT_OF_HOST_MEMORY,                                                           \
      (cl_program p, cl_device_id d, cl_program_build_info what, size_t room, void *to, size_t *size),                    \
      (p, d, what, room, to, size))                                                                                       \
    X(clBuildProgram, build_program, CL_OUT_OF_RESOURCES,                                                                 \
      (cl_program p, cl_uint n, const cl_device_id *d, const char *o, void (*f)(cl_program, void *), void *c),            \
      (p, n, d, o, f, c))                                                                                                 \
    X(clSetKernelArg, set_argument, CL_OUT_OF_HOST_MEMORY, (cl_kernel k, cl_uint n, size_t size, const void *v),          \
      (k, n, size, v))                                                                                                    \
    X(clEnqueueReadBuffer, read_buffer, CL_OUT_OF_RESOURCES,                                                              \
      (cl_command_queue q, cl_mem m, cl_bool b, size_t o, size_t n, void *to, cl_uint c, const cl_event *w, cl_event *e), \
      (q, m, b, o, n, to, c, w, e))                                                                                       \
    X(clGetEventInfo, event_info, CL_OUT_OF_RESOURCES,                                                                    \
      (cl_event event, cl_event_info what, size_t room, void *to, size_t *size), (event, what, room, to, size))           \
    X(clEnqueueBarrierWithWaitList, barrier, CL_OUT_OF_HOST_MEMORY,                                                       \
      (cl_command_queue q, cl_uint n, const cl_event *w, cl_event *e), (q, n, w, e))                                      \
    X(clFlush, flush, CL_OUT_OF_HOST_MEMORY, (cl_command_queue q), (q))
#define DEFINE_PLAIN(NAME, OWN, CODE, PARAMETERS, ARGUMENTS)     \
    static cl_int CL_API_CALL OWN PARAMETERS                     \
    {                                                            \
        return fails(#NAME, CODE) ? CODE : next->NAME ARGUMENTS; \
    }
PLAIN(DEFINE_PLAIN)

/* X(function, own name, error, type, change of what is live, kind) */
#define ENDING(X)                                                                                    \
    X(clReleaseEvent, release_event, CL_OUT_OF_RESOURCES, cl_event, -1, LAYER_EVENTS)                \
    X(clRetainEvent, retain_event, CL_OUT_OF_RESOURCES, cl_event, 1, LAYER_EVENTS)                   \
    X(clReleaseProgram, release_program, CL_OUT_OF_RESOURCES, cl_program, -1, LAYER_PROGRAMS)        \
    X(clReleaseKernel, release_kernel, CL_OUT_OF_RESOURCES, cl_kernel, -1, LAYER_KERNELS)            \
    X(clReleaseCommandQueue, release_queue, CL_OUT_OF_RESOURCES, cl_command_queue, -1, LAYER_QUEUES) \
    X(clFinish, finish, CL_OUT_OF_RESOURCES, cl_command_queue, 0, LAYER_QUEUES)
#define DEFINE_ENDING(NAME, OWN, CODE, TYPE, CHANGE, KIND) \
    static cl_int CL_API_CALL OWN(TYPE x)                  \
    {                                                      \
        const bool now = fails(#NAME, CODE);               \
        const cl_int error = next->NAME(x);                \
        count(KIND, CHANGE);                               \
        return now ? CODE : error;                         \
    }
ENDING(DEFINE_ENDING)

static cl_int CL_API_CALL wait_for(cl_uint n, const cl_event *event)
{
    const bool now = fails("clWaitForEvents", CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    const cl_int error = next->clWaitForEvents(n, event);
    return now ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST : error;
}

static cl_kernel CL_API_CALL create_kernel(cl_program program, const char *name, cl_int *error)
{
    if (fails("clCreateKernel", CL_OUT_OF_HOST_MEMORY)) {
        *error = CL_OUT_OF_HOST_MEMORY;
        return NULL;
    }
    cl_kernel kernel = next->clCreateKernel(program, name, error);
    count(LAYER_KERNELS, kernel != NULL);
    return kernel;
}

static cl_command_queue CL_API_CALL create_queue(cl_context context, cl_device_id device, cl_command_queue_properties how,
                                                 cl_int *error)
{
    if (fails("clCreateCommandQueue", CL_OUT_OF_RESOURCES)) {
        *error = CL_OUT_OF_RESOURCES;
        return NULL;
    }
    cl_command_queue queue = next->clCreateCommandQueue(context, device, how, error);
    count(LAYER_QUEUES, queue != NULL);
    return queue;
}

static cl_context CL_API_CALL create_context(const cl_context_properties *properties, cl_uint devices,
                                             const cl_device_id *device,
                                             void (*notify)(const char *, const void *, size_t, void *), void *with,
                                             cl_int *error)
{
    if (fails("clCreateContext", CL_OUT_OF_HOST_MEMORY)) {
        *error = CL_OUT_OF_HOST_MEMORY;
        return NULL;
    }
    return next->clCreateContext(properties, devices, device, notify, with, error);
}

/* ---- the layer itself */

static size_t number_of(const char *settings, const char *word)
{
    const char *const at = strstr(settings, word);
    return at ? strtoull(at + strlen(word), NULL, 10) : 0;
}

static void read_settings(void)
{
    const char *const given = getenv("ASHLAR_LAYER"), *const settings = given ? given : "";
    no_f64 = strstr(settings, "f64=off");
    no_unified = strstr(settings, "unified=off");
    whole = strstr(settings, "whole=on");
    most_group = number_of(settings, "group=");
    most_local = number_of(settings, "local=");
    most_allocation = number_of(settings, "allocation=");
    most_memory = number_of(settings, "memory=");
    until_failure = (int64_t)number_of(settings, "fail=");
}

CL_API_ENTRY __attribute__((visibility("default"))) cl_int CL_API_CALL clGetLayerInfo(cl_layer_info what, size_t room, void *to,
                                                                                      size_t *size)
{
    const cl_layer_api_version version = CL_LAYER_API_VERSION_100;
    return what == CL_LAYER_API_VERSION ? answer(&version, sizeof version, room, to, size) : CL_INVALID_VALUE;
}

CL_API_ENTRY __attribute__((visibility("default"))) cl_int CL_API_CALL clInitLayer(cl_uint entries,
                                                                                   const struct _cl_icd_dispatch *target,
                                                                                   cl_uint *own_entries,
                                                                                   const struct _cl_icd_dispatch **own_table)
{
    const size_t given = entries * sizeof(void *);
    next = target;
    memcpy(&own, target, given < sizeof own ? given : sizeof own);
    read_settings();
    own.clGetDeviceInfo = get_device_info;
    own.clCreateContext = create_context;
    own.clCreateCommandQueue = create_queue;
    own.clCreateBuffer = create_buffer;
    own.clReleaseMemObject = release_memory;
    own.clEnqueueMapBuffer = map_buffer;
    own.clEnqueueUnmapMemObject = unmap_memory;
    own.clEnqueueWriteBuffer = write_buffer;
    own.clCreateProgramWithSource = create_program;
    own.clCreateKernel = create_kernel;
    own.clEnqueueNDRangeKernel = launch;
    own.clWaitForEvents = wait_for;
#define TAKE(NAME, OWN, ...) own.NAME = OWN;
    PLAIN(TAKE)
    ENDING(TAKE)
    *own_entries = sizeof own / sizeof(void *);
    *own_table = &own;
    return CL_SUCCESS;
}
