/* cuda.c - the CUDA devices: how they are listed and opened, and the driver's table. */
#include "backend/cuda/cuda.h"

#include <stdio.h>
#include <string.h>

#include "backend/cuda/nvrtc.h"
#include "core/alloc.h"
#include "core/error.h"

enum { GROUP = 256 }; /* work-items that a group must be able to have */

const ash__driver ash__cuda_driver = {
    .check = ash__cu_check,
    .queue_open = ash__cu_queue_open,
    .submit = ash__cu_submit,
    .finish = ash__cu_finish,
    .after = ash__cu_after,
    .event_wait = ash__cu_event_wait,
    .event_done = ash__cu_event_done,
    .event_keep = ash__cu_event_keep,
    .event_free = ash__cu_event_free,
    .exact = true,
    .share = ash__cu_share,
    .map = ash__cu_map,
    .unmap = ash__cu_unmap,
    .allocate_shared = ash__cu_allocate_shared,
    .allocate = ash__cu_allocate,
    .address = ash__cu_address,
    .read = ash__cu_read,
    .write = ash__cu_write,
    .memory_free = ash__cu_memory_free,
    .queue_over = ash__cu_queue_over,
    .queue_leave = ash__cu_queue_leave,
    .stream_of = ash__cu_stream_of,
    .stream_after = ash__cu_stream_after,
    .record = ash__cu_record_event,
    .wrap = ash__cu_wrap,
    .kind = ash__cu_kind_of,
    .compile = ash__cu_compile,
    .program_free = ash__cu_program_free,
    .program_binary = ash__cu_program_binary,
    .program_load = ash__cu_program_load,
    .launch = ash__cu_launch,
    .gemm = ash__cu_gemm,
    .dft_room = ash__cu_dft_room,
    .dft = ash__cu_dft,
    .trsm_room = ash__cu_trsm_room,
    .trsm = ash__cu_trsm,
    .lapack_room = ash__cu_lapack_room,
    .lapack = ash__cu_lapack,
};

/* ---- opening */

static void describe(int number, ash_device *device)
{
    char name[128] = "";
    if (ash__cu.cuDeviceGetName(name, sizeof name, number))
        name[0] = 0;
    snprintf(device->description, sizeof device->description, "%.64s (compute %d.%d, CUDA %d.%d)", name,
             ash__cu_ask(number, CU_DEVICE_COMPUTE_CAPABILITY_MAJOR), ash__cu_ask(number, CU_DEVICE_COMPUTE_CAPABILITY_MINOR),
             ash__cu_version() / 1000, ash__cu_version() % 1000 / 10);
    if (ash__cu.cuDeviceTotalMem(&device->memory, number))
        device->memory = 0;
    device->f64 = device->f16 = true;
    device->unified = ash__cu_ask(number, CU_DEVICE_PAGEABLE_MEMORY_ACCESS) != 0;
}

static ash_status check_device(const char *function, const ash_device *device, int number)
{
    if (!ash__cu_ask(number, CU_DEVICE_UNIFIED_ADDRESSING))
        return ash__fail(ASH_ERR_UNSUPPORTED, function, "cuda:%d, %s, has addresses of its own; one address space is needed",
                         device->index, device->description);
    if (ash__cu_ask(number, CU_DEVICE_MAX_THREADS_PER_BLOCK) < GROUP)
        return ash__fail(ASH_ERR_UNSUPPORTED, function, "cuda:%d, %s, has groups of %d work-items at most; %d are needed",
                         device->index, device->description, ash__cu_ask(number, CU_DEVICE_MAX_THREADS_PER_BLOCK), GROUP);
    return ASH_OK;
}

static ash_status open_context(const char *function, ash__cu_device *d)
{
    const int error = ash__cu.cuDevicePrimaryCtxRetain(&d->context, d->number);
    const char *name = NULL;
    if (!error)
        return ASH_OK;
    if (ash__cu.cuGetErrorName(error, &name) || !name)
        name = "unknown";
    return ash__fail(error == CUDA_ERROR_OUT_OF_MEMORY ? ASH_ERR_MEMORY : ASH_ERR_DEVICE, function,
                     "cuDevicePrimaryCtxRetain of %s failed with CUDA error %d, %s%s", d->name, error, name,
                     error == CUDA_ERROR_DEVICE_UNAVAILABLE ? ": another process has the device to itself"
                     : error == CUDA_ERROR_OUT_OF_MEMORY    ? ": other processes have its memory"
                                                            : "");
}

static ash_status open_own_queue(const char *function, ash__cu_device *d)
{
    const ash__cu_call call = ash__cu_begin(d);
    int error = call.error;
    d->own.device = d;
    if (!error)
        error = ash__cu.cuStreamCreate(&d->own.stream, CU_STREAM_NON_BLOCKING);
    if (!error && ash__cu_ask(d->number, CU_DEVICE_MEMORY_POOLS_SUPPORTED) &&
        ash__cu.cuDeviceGetDefaultMemPool(&d->pool, d->number))
        d->pool = NULL;
    return ash__cu_end(function, &call, "cuStreamCreate", error);
}

static ash_status start(const char *function, ash__cu_device *d, const ash_device *device)
{
    pthread_mutex_init(&d->lock, NULL);
    d->name = device->name;
    d->managed =
        ash__cu_ask(d->number, CU_DEVICE_MANAGED_MEMORY) && ash__cu_ask(d->number, CU_DEVICE_CONCURRENT_MANAGED_ACCESS);
    d->pageable = device->unified;
    d->capability = 10 * ash__cu_ask(d->number, CU_DEVICE_COMPUTE_CAPABILITY_MAJOR) +
                    ash__cu_ask(d->number, CU_DEVICE_COMPUTE_CAPABILITY_MINOR);
    d->architecture = ash__nvrtc_architecture(function, d->name, d->capability);
    ash_status status = d->architecture ? open_context(function, d) : ASH_ERR_DEVICE;
    if (status)
        return status;
    status = open_own_queue(function, d);
    if (status)
        ash__cu.cuDevicePrimaryCtxRelease(d->number);
    return status;
}

static ash_status open_device(const char *function, ash_device *device)
{
    int number = 0;
    if (ash__cu_check_process(function))
        return ASH_ERR_DEVICE;
    const int error = ash__cu.cuDeviceGet(&number, device->index);
    if (error)
        return ash__fail(ASH_ERR_DEVICE, function, "cuDeviceGet of cuda:%d failed with CUDA error %d", device->index, error);
    describe(number, device);
    if (check_device(function, device, number) || ash__nvrtc_check(function, device->name))
        return ash__last_status();
    ash__cu_device *const d = ash__alloc(function, 1, sizeof *d);
    ash__gpu *const gpu = d ? ash__gpu_new(function, &ash__cuda_driver) : NULL;
    ash_status status = ASH_ERR_MEMORY;
    if (gpu) {
        d->number = number;
        status = start(function, d, device);
    }
    if (status) {
        ash__free(gpu);
        ash__free(d);
        return status;
    }
    gpu->own = d;
    gpu->device = device;
    gpu->exact_f32 = true;
    ash__nvrtc_identity(d->architecture, gpu->identity, sizeof gpu->identity);
    gpu->warp = 32;
    gpu->tensors = d->architecture >= 80;
    gpu->largest = device->memory;
    gpu->units =
        ash__cu_ask(number, CU_DEVICE_MULTIPROCESSOR_COUNT) > 0 ? ash__cu_ask(number, CU_DEVICE_MULTIPROCESSOR_COUNT) : 1;
    device->state = gpu;
    return ASH_OK;
}

const ash__backend ash__cuda_backend = {
    .name = "cuda",
    .count = ash__cu_devices,
    .missing = ash__cu_missing,
    .open = open_device,
    .lending = &ash__gpu_lending,
    ASH__GPU_TABLE,
};
