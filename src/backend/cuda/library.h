/*
 * library.h - the part of CUDA's driver API that is used, declared here, so that no header of it is needed; opened at run time.
 *
 * Contexts, streams, events, modules and functions are pointers that nobody looks behind; device pointers are numbers of 64
 * bits. Entries are asked for by name as CUDA 11.4 has them, whatever the driver's version: that is what cuGetProcAddress is
 * for. Numbers are those of NVIDIA's documentation of the driver API.
 */
#ifndef ASH__CUDA_LIBRARY_H
#define ASH__CUDA_LIBRARY_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "ashlar/error.h"

enum { ASH__CU_ASKED = 11040 }; /* the version whose entries are taken: the oldest driver that will do */

/* X(name, parameters); all return an error, 0 for none */
#define ASH__CU_FUNCTIONS(X)                                                                                                  \
    X(cuInit, (unsigned flags))                                                                                               \
    X(cuDriverGetVersion, (int *version))                                                                                     \
    X(cuGetErrorName, (int error, const char **name))                                                                         \
    X(cuGetErrorString, (int error, const char **text))                                                                       \
    X(cuDeviceGetCount, (int *count))                                                                                         \
    X(cuDeviceGet, (int *device, int number))                                                                                 \
    X(cuDeviceGetName, (char *name, int room, int device))                                                                    \
    X(cuDeviceTotalMem, (size_t * nbytes, int device))                                                                        \
    X(cuDeviceGetAttribute, (int *value, int attribute, int device))                                                          \
    X(cuDevicePrimaryCtxRetain, (void **context, int device))                                                                 \
    X(cuDevicePrimaryCtxRelease, (int device))                                                                                \
    X(cuCtxGetCurrent, (void **context))                                                                                      \
    X(cuCtxPushCurrent, (void *context))                                                                                      \
    X(cuCtxPopCurrent, (void **context))                                                                                      \
    X(cuCtxSynchronize, (void))                                                                                               \
    X(cuStreamCreate, (void **stream, unsigned flags))                                                                        \
    X(cuStreamDestroy, (void *stream))                                                                                        \
    X(cuStreamSynchronize, (void *stream))                                                                                    \
    X(cuStreamGetCtx, (void *stream, void **context))                                                                         \
    X(cuStreamWaitEvent, (void *stream, void *event, unsigned flags))                                                         \
    X(cuEventCreate, (void **event, unsigned flags))                                                                          \
    X(cuEventDestroy, (void *event))                                                                                          \
    X(cuEventRecord, (void *event, void *stream))                                                                             \
    X(cuEventQuery, (void *event))                                                                                            \
    X(cuEventSynchronize, (void *event))                                                                                      \
    X(cuMemAlloc, (uint64_t * pointer, size_t nbytes))                                                                        \
    X(cuMemFree, (uint64_t pointer))                                                                                          \
    X(cuMemAllocAsync, (uint64_t * pointer, size_t nbytes, void *stream))                                                     \
    X(cuMemFreeAsync, (uint64_t pointer, void *stream))                                                                       \
    X(cuDeviceGetDefaultMemPool, (void **pool, int device))                                                                   \
    X(cuMemPoolTrimTo, (void *pool, size_t keep))                                                                             \
    X(cuMemAllocManaged, (uint64_t * pointer, size_t nbytes, unsigned flags))                                                 \
    X(cuMemHostAlloc, (void **pointer, size_t nbytes, unsigned flags))                                                        \
    X(cuMemFreeHost, (void *pointer))                                                                                         \
    X(cuMemHostGetDevicePointer, (uint64_t * device, void *host, unsigned flags))                                             \
    X(cuMemPrefetchAsync, (uint64_t pointer, size_t nbytes, int device, void *stream))                                        \
    X(cuMemcpyHtoDAsync, (uint64_t to, const void *from, size_t nbytes, void *stream))                                        \
    X(cuMemcpyDtoHAsync, (void *to, uint64_t from, size_t nbytes, void *stream))                                              \
    X(cuPointerGetAttribute, (void *value, int attribute, uint64_t pointer))                                                  \
    X(cuModuleLoadDataEx, (void **module, const void *image, unsigned count, int *options, void **values))                    \
    X(cuModuleUnload, (void *module))                                                                                         \
    X(cuModuleGetFunction, (void **function, void *module, const char *name))                                                 \
    X(cuFuncGetAttribute, (int *value, int attribute, void *function))                                                        \
    X(cuLaunchKernel, (void *function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x, unsigned block_y, \
                       unsigned block_z, unsigned shared, void *stream, void **parameters, void **extra))

typedef struct ash__cu_library {
#define ASH__CU_MEMBER(NAME, PARAMETERS) int(*NAME) PARAMETERS;
    ASH__CU_FUNCTIONS(ASH__CU_MEMBER)
#undef ASH__CU_MEMBER
} ash__cu_library;

/* errors */
enum {
    CUDA_ERROR_INVALID_VALUE = 1,
    CUDA_ERROR_OUT_OF_MEMORY = 2,
    CUDA_ERROR_DEINITIALIZED = 4,
    CUDA_ERROR_STUB_LIBRARY = 34,
    CUDA_ERROR_DEVICE_UNAVAILABLE = 46,
    CUDA_ERROR_NO_DEVICE = 100,
    CUDA_ERROR_ECC_UNCORRECTABLE = 214,
    CUDA_ERROR_INVALID_PTX = 218,
    CUDA_ERROR_NVLINK_UNCORRECTABLE = 220,
    CUDA_ERROR_JIT_COMPILER_NOT_FOUND = 221,
    CUDA_ERROR_UNSUPPORTED_PTX_VERSION = 222,
    CUDA_ERROR_CONTAINED = 226,
    CUDA_ERROR_NOT_READY = 600,
    CUDA_ERROR_ILLEGAL_ADDRESS = 700,
    CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES = 701,
    CUDA_ERROR_LAUNCH_TIMEOUT = 702,
    CUDA_ERROR_ASSERT = 710,
    CUDA_ERROR_HARDWARE_STACK_ERROR = 714,
    CUDA_ERROR_LAUNCH_FAILED = 719,
    CUDA_ERROR_SYSTEM_NOT_READY = 802,
    CUDA_ERROR_SYSTEM_DRIVER_MISMATCH = 803,
    CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE = 804,
    CUDA_ERROR_UNKNOWN = 999
};

/* of devices, pointers and functions; flags; options of the loader */
enum {
    CU_DEVICE_MAX_THREADS_PER_BLOCK = 1,
    CU_DEVICE_MAX_SHARED_MEMORY_PER_BLOCK = 8,
    CU_DEVICE_MULTIPROCESSOR_COUNT = 16,
    CU_DEVICE_UNIFIED_ADDRESSING = 41,
    CU_DEVICE_COMPUTE_CAPABILITY_MAJOR = 75,
    CU_DEVICE_COMPUTE_CAPABILITY_MINOR = 76,
    CU_DEVICE_MANAGED_MEMORY = 83,
    CU_DEVICE_PAGEABLE_MEMORY_ACCESS = 88,
    CU_DEVICE_CONCURRENT_MANAGED_ACCESS = 89,
    CU_DEVICE_MEMORY_POOLS_SUPPORTED = 115,
    CU_POINTER_MEMORY_TYPE = 2,
    CU_POINTER_DEVICE_POINTER = 3,
    CU_POINTER_IS_MANAGED = 8,
    CU_POINTER_DEVICE_ORDINAL = 9,
    CU_FUNC_MAX_THREADS_PER_BLOCK = 0,
    CU_STREAM_NON_BLOCKING = 1,
    CU_EVENT_DISABLE_TIMING = 2,
    CU_MEM_ATTACH_GLOBAL = 1,
    CU_MEMHOSTALLOC_PORTABLE = 1,
    CU_MEMHOSTALLOC_DEVICEMAP = 2,
    CU_DEVICE_CPU = -1,
    CU_MEMORYTYPE_HOST = 1,
    CU_MEMORYTYPE_DEVICE = 2,
    CU_JIT_ERROR_LOG_BUFFER = 5,
    CU_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6
};

/* Constant from the first call of one of the functions below on; filled when there is a device. */
extern ash__cu_library ash__cu;

/* Looked for once: the file that ASHLAR_CUDA_LIBRARY names, or else libcuda.so.1. */
int ash__cu_devices(void);
const char *ash__cu_missing(void); /* why there is no device, or NULL when there is one */
int ash__cu_version(void);         /* of the driver: 12040 is CUDA 12.4 */
/* A device error in a process that was forked from the one that looked: CUDA does not survive that. */
ash_status ash__cu_check_process(const char *function);

/* ---- other libraries than the driver's, whose functions are found by dlsym */

typedef struct ash__cu_place {
    const char *name;
    size_t offset; /* in the table */
} ash__cu_place;
enum { ASH__CU_FAULT = 400 }; /* bytes of a text that says why there is no library */
/* Fills a table of addresses; or says in `fault` what the file lacks, and from which version on it has that. */
bool ash__cu_take(void *library, const char *path, const char *least, const ash__cu_place *places, size_t count, void *table,
                  char fault[ASH__CU_FAULT]);
/* Where the system's loader looks, then where toolkits are; `path` becomes the file it is. NULL: it is not there. */
enum { ASH__CU_PATH = 200 };
void *ash__cu_open(const char *file, char path[ASH__CU_PATH]);
#endif
