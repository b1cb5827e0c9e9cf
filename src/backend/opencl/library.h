/*
 * library.h - the part of OpenCL 1.2 that is used, declared here, so that no header of it is needed; opened at run time.
 *
 * Handles are pointers that nobody looks behind. Numbers are those of the OpenCL specification.
 */
#ifndef ASH__OPENCL_LIBRARY_H
#define ASH__OPENCL_LIBRARY_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef void notify_buffer(const char *text, const void *data, size_t size, void *context);
typedef void notify_program(void *program, void *context);

/* X(result, name, parameters) */
#define ASH__CL_FUNCTIONS(X)                                                                                                   \
    X(int32_t, clGetPlatformIDs, (uint32_t room, void **platform, uint32_t *count))                                            \
    X(int32_t, clGetPlatformInfo, (void *platform, uint32_t what, size_t room, void *value, size_t *size))                     \
    X(int32_t, clGetDeviceIDs, (void *platform, uint64_t type, uint32_t room, void **device, uint32_t *count))                 \
    X(int32_t, clGetDeviceInfo, (void *device, uint32_t what, size_t room, void *value, size_t *size))                         \
    X(void *, clCreateContext,                                                                                                 \
      (const intptr_t *properties, uint32_t count, void *const *device, notify_buffer *notify, void *context, int32_t *error)) \
    X(int32_t, clReleaseContext, (void *context))                                                                              \
    X(void *, clCreateCommandQueue, (void *context, void *device, uint64_t properties, int32_t *error))                        \
    X(int32_t, clReleaseCommandQueue, (void *queue))                                                                           \
    X(void *, clCreateBuffer, (void *context, uint64_t flags, size_t nbytes, void *host, int32_t *error))                      \
    X(int32_t, clReleaseMemObject, (void *memory))                                                                             \
    X(void *, clCreateProgramWithSource,                                                                                       \
      (void *context, uint32_t count, const char **text, const size_t *length, int32_t *error))                                \
    X(int32_t, clBuildProgram,                                                                                                 \
      (void *program, uint32_t count, void *const *device, const char *options, notify_program *notify, void *context))        \
    X(int32_t, clGetProgramBuildInfo, (void *program, void *device, uint32_t what, size_t room, void *value, size_t *size))    \
    X(int32_t, clReleaseProgram, (void *program))                                                                              \
    X(int32_t, clGetProgramInfo, (void *program, uint32_t what, size_t room, void *value, size_t *size))                       \
    X(void *, clCreateProgramWithBinary,                                                                                       \
      (void *context, uint32_t count, void *const *device, const size_t *length, const unsigned char *const *binary,           \
       int32_t *state, int32_t *error))                                                                                        \
    X(void *, clCreateKernel, (void *program, const char *name, int32_t *error))                                               \
    X(int32_t, clReleaseKernel, (void *kernel))                                                                                \
    X(int32_t, clSetKernelArg, (void *kernel, uint32_t number, size_t size, const void *value))                                \
    X(int32_t, clEnqueueNDRangeKernel,                                                                                         \
      (void *queue, void *kernel, uint32_t axes, const size_t *offset, const size_t *global, const size_t *local,              \
       uint32_t count, void *const *wait, void **event))                                                                       \
    X(void *, clEnqueueMapBuffer,                                                                                              \
      (void *queue, void *memory, uint32_t blocking, uint64_t flags, size_t offset, size_t size, uint32_t count,               \
       void *const *wait, void **event, int32_t *error))                                                                       \
    X(int32_t, clEnqueueUnmapMemObject,                                                                                        \
      (void *queue, void *memory, void *mapped, uint32_t count, void *const *wait, void **event))                              \
    X(int32_t, clEnqueueReadBuffer,                                                                                            \
      (void *queue, void *memory, uint32_t blocking, size_t offset, size_t size, void *host, uint32_t count,                   \
       void *const *wait, void **event))                                                                                       \
    X(int32_t, clEnqueueWriteBuffer,                                                                                           \
      (void *queue, void *memory, uint32_t blocking, size_t offset, size_t size, const void *host, uint32_t count,             \
       void *const *wait, void **event))                                                                                       \
    X(int32_t, clEnqueueBarrierWithWaitList, (void *queue, uint32_t count, void *const *wait, void **event))                   \
    X(int32_t, clWaitForEvents, (uint32_t count, void *const *event))                                                          \
    X(int32_t, clGetEventInfo, (void *event, uint32_t what, size_t room, void *value, size_t *size))                           \
    X(int32_t, clRetainEvent, (void *event))                                                                                   \
    X(int32_t, clReleaseEvent, (void *event))                                                                                  \
    X(int32_t, clFlush, (void *queue))                                                                                         \
    X(int32_t, clFinish, (void *queue))

typedef struct ash__cl_library {
#define ASH__CL_MEMBER(RESULT, NAME, PARAMETERS) RESULT(*NAME) PARAMETERS;
    ASH__CL_FUNCTIONS(ASH__CL_MEMBER)
#undef ASH__CL_MEMBER
} ash__cl_library;

enum {
    CL_TRUE = 1,
    CL_DEVICE_NOT_FOUND = -1,
    CL_MEM_OBJECT_ALLOCATION_FAILURE = -4,
    CL_OUT_OF_RESOURCES = -5,
    CL_OUT_OF_HOST_MEMORY = -6,
    CL_BUILD_PROGRAM_FAILURE = -11,
    CL_INVALID_BUFFER_SIZE = -61,
    CL_PLATFORM_VERSION = 0x0901,
    CL_PLATFORM_NAME = 0x0902,
    CL_DEVICE_TYPE = 0x1000,
    CL_DEVICE_MAX_COMPUTE_UNITS = 0x1002,
    CL_DEVICE_TYPE_CPU = 2,
    CL_DEVICE_MAX_WORK_GROUP_SIZE = 0x1004,
    CL_DEVICE_MAX_MEM_ALLOC_SIZE = 0x1010,
    CL_DEVICE_SINGLE_FP_CONFIG = 0x101B,
    CL_DEVICE_GLOBAL_MEM_SIZE = 0x101F,
    CL_DEVICE_AVAILABLE = 0x1027,
    CL_DEVICE_NAME = 0x102B,
    CL_DEVICE_VENDOR = 0x102C,
    CL_DRIVER_VERSION = 0x102D,
    CL_DEVICE_VERSION = 0x102F,
    CL_DEVICE_EXTENSIONS = 0x1030,
    CL_DEVICE_HOST_UNIFIED_MEMORY = 0x1035,
    CL_FP_DENORM = 1,
    CL_FP_INF_NAN = 2,
    CL_FP_ROUND_TO_NEAREST = 4,
    CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT = 128,
    CL_MEM_READ_WRITE = 1,
    CL_MEM_USE_HOST_PTR = 8,
    CL_MAP_READ = 1,
    CL_MAP_WRITE = 2,
    CL_EVENT_COMMAND_EXECUTION_STATUS = 0x11D3,
    CL_COMPLETE = 0,
    CL_PROGRAM_BINARY_SIZES = 0x1165,
    CL_PROGRAM_BINARIES = 0x1166,
    CL_PROGRAM_BUILD_LOG = 0x1183
};
#define CL_DEVICE_TYPE_ALL UINT32_MAX

enum { ASH__CL_DEVICES = 64 };
typedef struct ash__cl_device {
    void *platform, *device;
} ash__cl_device;

/* Looked for once, as ASHLAR_OPENCL says. NULL when there is none. */
const ash__cl_library *ash__cl_open(void);
/* All devices of all platforms, in their order; constant from the first call on. */
int ash__cl_devices(const ash__cl_device **device);
/* Why there is no device, or NULL when there is one. */
const char *ash__cl_missing(void);
#endif
