/*
 * double.h - the double of libcuda in its own tests: entries by name, and short words to use them.
 */
#ifndef TEST_DOUBLE_H
#define TEST_DOUBLE_H
#include <dlfcn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "test.h"

typedef uint64_t u64;
typedef uint32_t u32;

/* NAME(result, parameters): looked up at the first call. */
#define ENTRIES(X)                                                                                                    \
    X(cuInit, (unsigned))                                                                                             \
    X(cuDeviceGetAttribute, (int *, int, int))                                                                        \
    X(cuDevicePrimaryCtxRetain, (void **, int))                                                                       \
    X(cuDevicePrimaryCtxRelease_v2, (int))                                                                            \
    X(cuDevicePrimaryCtxReset_v2, (int))                                                                              \
    X(cuCtxPushCurrent_v2, (void *))                                                                                  \
    X(cuCtxPopCurrent_v2, (void **))                                                                                  \
    X(cuCtxSynchronize, (void))                                                                                       \
    X(cuModuleLoadDataEx, (void **, const void *, unsigned, int *, void **))                                          \
    X(cuModuleUnload, (void *))                                                                                       \
    X(cuModuleGetFunction, (void **, void *, const char *))                                                           \
    X(cuModuleGetGlobal_v2, (u64 *, size_t *, void *, const char *))                                                  \
    X(cuLaunchKernel, (void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **, \
         void **))                                                                                                    \
    X(cuMemAlloc_v2, (u64 *, size_t))                                                                                 \
    X(cuMemFree_v2, (u64))                                                                                            \
    X(cuMemAllocAsync, (u64 *, size_t, void *))                                                                       \
    X(cuMemFreeAsync, (u64, void *))                                                                                  \
    X(cuMemAllocManaged, (u64 *, size_t, unsigned))                                                                   \
    X(cuMemHostAlloc, (void **, size_t, unsigned))                                                                    \
    X(cuMemFreeHost, (void *))                                                                                        \
    X(cuMemcpyHtoD_v2, (u64, const void *, size_t))                                                                   \
    X(cuMemcpyDtoH_v2, (void *, u64, size_t))                                                                         \
    X(cuMemcpyHtoDAsync_v2, (u64, const void *, size_t, void *))                                                      \
    X(cuMemcpyDtoHAsync_v2, (void *, u64, size_t, void *))                                                            \
    X(cuMemsetD32Async, (u64, u32, size_t, void *))                                                                   \
    X(cuStreamCreate, (void **, unsigned))                                                                            \
    X(cuStreamDestroy_v2, (void *))                                                                                   \
    X(cuStreamSynchronize, (void *))                                                                                  \
    X(cuStreamWaitEvent, (void *, void *, unsigned))                                                                  \
    X(cuEventCreate, (void **, unsigned))                                                                             \
    X(cuEventDestroy_v2, (void *))                                                                                    \
    X(cuEventRecord, (void *, void *))                                                                                \
    X(cuEventQuery, (void *))                                                                                         \
    X(cuEventSynchronize, (void *))                                                                                   \
    X(cuLaunchHostFunc, (void *, void (*)(void *), void *))                                                           \
    X(cuPointerGetAttribute, (void *, int, u64))                                                                      \
    X(cuGetErrorName, (int, const char **))

#define ENTRY_POINTER(NAME, PARAMETERS) TEST_USE static int(*NAME) PARAMETERS;
ENTRIES(ENTRY_POINTER)

static void *context;

TEST_USE static void open_double(void)
{
    void *const library = dlopen(DOUBLE, RTLD_NOW | RTLD_LOCAL);
    if (!library) {
        fprintf(stderr, "%s\n", dlerror());
        exit(1);
    }
#define ENTRY_FOUND(NAME, PARAMETERS)              \
    {                                              \
        void *const found = dlsym(library, #NAME); \
        CHECK(found);                              \
        memcpy(&NAME, &found, sizeof found);       \
    }
    ENTRIES(ENTRY_FOUND)
    CHECK(cuInit(0) == 0 && cuDevicePrimaryCtxRetain(&context, 0) == 0 && cuCtxPushCurrent_v2(context) == 0);
}

#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"

TEST_USE static void *module_of(const char *text)
{
    char log[512] = "";
    int option[2] = {5, 6}; /* the buffer of errors and its size */
    void *value[2] = {log, (void *)(uintptr_t)sizeof log}, *module = NULL;
    if (cuModuleLoadDataEx(&module, text, 2, option, value))
        fail_here(__FILE__, __LINE__, "%s", log);
    return module;
}

TEST_USE static void *function_of(void *module, const char *name)
{
    void *function = NULL;
    CHECK(cuModuleGetFunction(&function, module, name) == 0);
    return function;
}

TEST_USE static u64 device_bytes(size_t nbytes)
{
    u64 pointer = 0;
    CHECK(cuMemAlloc_v2(&pointer, nbytes) == 0);
    return pointer;
}
#endif
