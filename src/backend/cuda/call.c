/*
 * call.c - calls into CUDA: the context they are made in, and what their errors mean.
 */
#include <stdio.h>

#include "backend/cuda/cuda.h"
#include "core/error.h"

/* Ends the context: every later call fails, and no memory in it can be read again. */
static bool is_sticky(int error)
{
    return error == CUDA_ERROR_ECC_UNCORRECTABLE || error == CUDA_ERROR_NVLINK_UNCORRECTABLE || error == CUDA_ERROR_CONTAINED ||
           error == CUDA_ERROR_ILLEGAL_ADDRESS || error == CUDA_ERROR_LAUNCH_TIMEOUT || error == CUDA_ERROR_ASSERT ||
           (error >= CUDA_ERROR_HARDWARE_STACK_ERROR && error <= CUDA_ERROR_LAUNCH_FAILED);
}

ash__cu_call ash__cu_begin(ash__cu_device *device)
{
    ash__cu_call call = {.device = device, .error = atomic_load(&device->lost)};
    void *current = NULL;
    if (call.error || (!ash__cu.cuCtxGetCurrent(&current) && current == device->context))
        return call;
    call.error = ash__cu.cuCtxPushCurrent(device->context);
    call.pushed = !call.error;
    return call;
}

static ash_status lost(const char *function, const ash__cu_device *device, int error)
{
    const char *text = NULL;
    if (ash__cu.cuGetErrorString(error, &text) || !text)
        text = "an unknown error";
    return ash__fail(ASH_ERR_DEVICE, function,
                     "%s was lost: a kernel ended with CUDA error %d, %s; its arrays are gone, and CUDA works again in a new "
                     "process only (compute-sanitizer finds the kernel)",
                     device->name, error, text);
}

ash_status ash__cu_end(const char *function, const ash__cu_call *call, const char *name, int error)
{
    void *current;
    const char *word = NULL, *text = NULL;
    if (call->pushed)
        ash__cu.cuCtxPopCurrent(&current);
    if (!error && !call->error)
        return ASH_OK;
    if (is_sticky(error))
        atomic_store(&call->device->lost, error);
    const int was = atomic_load(&call->device->lost);
    const ash_status status = error == CUDA_ERROR_OUT_OF_MEMORY ? ASH_ERR_MEMORY : ASH_ERR_DEVICE;
    if (!function)
        return status;
    if (was)
        return lost(function, call->device, was);
    if (call->error) {
        error = call->error;
        name = "cuCtxPushCurrent";
    }
    if (ash__cu.cuGetErrorName(error, &word) || !word)
        word = "unknown";
    if (ash__cu.cuGetErrorString(error, &text) || !text)
        text = "it does not say why";
    return ash__fail(status, function, "%s of %s failed with CUDA error %d, %s: %s", name, call->device->name, error, word,
                     text);
}

ash_status ash__cu_check(const char *function, const ash_device *device)
{
    const ash__cu_device *const d = ash__cu_of(device);
    const int was = atomic_load(&d->lost);
    return was ? lost(function, d, was) : ASH_OK;
}

int ash__cu_ask(int number, int attribute)
{
    int value = 0;
    return ash__cu.cuDeviceGetAttribute(&value, attribute, number) ? 0 : value;
}
