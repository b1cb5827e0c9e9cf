/*
 * driver.h - what the exported entries share. An entry begins with BEGIN and ends with END; between them it holds the driver's
 * lock.
 */
#ifndef DOUBLE_DRIVER_H
#define DOUBLE_DRIVER_H
#include <stdio.h>
#include <stdlib.h>

#include "queue.h"
#include "settings.h"

/* clang-format off */
/* CUresult: the name, its number, what cuGetErrorString says */
#define ERRORS(X)                                                                                               \
    X(SUCCESS, 0, "no error")                                                                                   \
    X(ERROR_INVALID_VALUE, 1, "invalid argument")                                                               \
    X(ERROR_OUT_OF_MEMORY, 2, "out of memory")                                                                  \
    X(ERROR_NOT_INITIALIZED, 3, "initialization error")                                                         \
    X(ERROR_DEINITIALIZED, 4, "driver shutting down")                                                           \
    X(ERROR_STUB_LIBRARY, 34, "CUDA driver is a stub library")                                                  \
    X(ERROR_DEVICE_UNAVAILABLE, 46, "CUDA-capable device(s) is/are busy or unavailable")                        \
    X(ERROR_NO_DEVICE, 100, "no CUDA-capable device is detected")                                               \
    X(ERROR_INVALID_DEVICE, 101, "invalid device ordinal")                                                      \
    X(ERROR_INVALID_IMAGE, 200, "device kernel image is invalid")                                               \
    X(ERROR_INVALID_CONTEXT, 201, "invalid device context")                                                     \
    X(ERROR_NO_BINARY_FOR_GPU, 209, "no kernel image is available for execution on the device")                 \
    X(ERROR_INVALID_PTX, 218, "a PTX JIT compilation failed")                                                   \
    X(ERROR_UNSUPPORTED_PTX_VERSION, 222, "the provided PTX was compiled with an unsupported toolchain.")       \
    X(ERROR_INVALID_SOURCE, 300, "device kernel image is invalid")                                              \
    X(ERROR_FILE_NOT_FOUND, 301, "file not found")                                                              \
    X(ERROR_OPERATING_SYSTEM, 304, "OS call failed or operation not supported on this OS")                      \
    X(ERROR_INVALID_HANDLE, 400, "invalid resource handle")                                                     \
    X(ERROR_NOT_FOUND, 500, "named symbol not found")                                                           \
    X(ERROR_NOT_READY, 600, "device not ready")                                                                 \
    X(ERROR_ILLEGAL_ADDRESS, 700, "an illegal memory access was encountered")                                   \
    X(ERROR_LAUNCH_OUT_OF_RESOURCES, 701, "too many resources requested for launch")                            \
    X(ERROR_LAUNCH_TIMEOUT, 702, "the launch timed out and was terminated")                                     \
    X(ERROR_PEER_ACCESS_ALREADY_ENABLED, 704, "peer access is already enabled")                                 \
    X(ERROR_CONTEXT_IS_DESTROYED, 709, "context is destroyed")                                                  \
    X(ERROR_ASSERT, 710, "device-side assert triggered")                                                        \
    X(ERROR_HOST_MEMORY_ALREADY_REGISTERED, 712, "part or all of the requested memory range is already mapped") \
    X(ERROR_HOST_MEMORY_NOT_REGISTERED, 713, "pointer does not correspond to a registered memory region")       \
    X(ERROR_ILLEGAL_INSTRUCTION, 715, "an illegal instruction was encountered")                                 \
    X(ERROR_MISALIGNED_ADDRESS, 716, "misaligned address")                                                      \
    X(ERROR_LAUNCH_FAILED, 719, "unspecified launch failure")                                                   \
    X(ERROR_NOT_PERMITTED, 800, "operation not permitted")                                                      \
    X(ERROR_NOT_SUPPORTED, 801, "operation not supported")                                                      \
    X(ERROR_SYSTEM_DRIVER_MISMATCH, 803, "system has unsupported display driver / cuda driver combination")     \
    X(ERROR_UNKNOWN, 999, "unknown error")
/* clang-format on */
#define ERROR_ID(NAME, NUMBER, TEXT) CUDA_##NAME = NUMBER,
typedef enum { ERRORS(ERROR_ID) } result;

#define EXPORT __attribute__((visibility("default")))

/* What an entry wants: nothing, cuInit, a current context, one without a sticky error. */
typedef enum { WANTS_NOTHING, WANTS_INIT, WANTS_CONTEXT, WANTS_LIVE } wants;

result driver_begin(const char *entry, wants what);
result driver_end(result r);
#define BEGIN(WANTS)                                       \
    const result refused_ = driver_begin(__func__, WANTS); \
    if (refused_)                                          \
    return refused_
#define END(RESULT) return driver_end(RESULT)

context *current(void);
/* The stream of a handle: NULL and 1 the default of old, 2 that of the thread. NULL, with a report, when it is none. */
stream *stream_of(void *handle);
/* A misuse: reports it and gives the error. */
__attribute__((format(printf, 3, 4))) result misuse(const char *entry, result r, const char *format, ...);

/* ---- handles that are alive */
typedef enum { A_CONTEXT, A_STREAM, AN_EVENT, A_MODULE } handle_kind;
void handle_add(handle_kind kind, void *handle, context *c);
bool handle_known(handle_kind kind, const void *handle);
void handle_remove(handle_kind kind, void *handle);
void report_leaks(const context *c, const char *when);

enum { CONTEXTS = 64 };
#endif
