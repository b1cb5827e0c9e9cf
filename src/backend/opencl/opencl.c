/* opencl.c - the OpenCL devices: how they are listed and opened. */
#include "backend/opencl/opencl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/gpu/gpu.h"
#include "backend/opencl/library.h"
#include "core/alloc.h"
#include "core/error.h"

enum { GROUP = 256 }; /* work-items that a group must be able to have */

static int count_devices(void)
{
    const ash__cl_device *device;
    return ash__cl_devices(&device);
}

/* A number the device tells; 0 when it does not. */
static uint64_t ask(const ash__cl_library *cl, void *device, uint32_t what, size_t size)
{
    uint64_t value = 0; /* little-endian: the first bytes are the low ones */
    return cl->clGetDeviceInfo(device, what, size, &value, NULL) ? 0 : value;
}

static bool has_word(const char *list, const char *word)
{
    const size_t length = strlen(word);
    for (const char *at = list; (at = strstr(at, word)); at += length)
        if ((at == list || at[-1] == ' ') && (at[length] == ' ' || !at[length]))
            return true;
    return false;
}

static ash_status read_extensions(const char *function, const ash__cl_library *cl, void *handle, ash_device *device)
{
    size_t size = 0;
    char *list = NULL;
    int32_t error = cl->clGetDeviceInfo(handle, CL_DEVICE_EXTENSIONS, 0, NULL, &size);
    if (!error && !(list = ash__alloc(function, 1, size + 1)))
        return ASH_ERR_MEMORY;
    if (!error)
        error = cl->clGetDeviceInfo(handle, CL_DEVICE_EXTENSIONS, size, list, NULL);
    device->f64 = !error && has_word(list, "cl_khr_fp64");
    device->f16 = !error && has_word(list, "cl_khr_fp16");
    ash__free(list);
    return error ? ash__fail(ASH_ERR_DEVICE, function, "clGetDeviceInfo failed with OpenCL's error %d", (int)error) : ASH_OK;
}

static void describe(const ash__cl_library *cl, const ash__cl_device *at, ash_device *device)
{
    char name[256] = "", platform[256] = "";
    if (cl->clGetDeviceInfo(at->device, CL_DEVICE_NAME, sizeof name, name, NULL))
        name[0] = 0;
    if (cl->clGetPlatformInfo(at->platform, CL_PLATFORM_NAME, sizeof platform, platform, NULL))
        platform[0] = 0;
    snprintf(device->description, sizeof device->description, "%.80s (%.40s)", name, platform);
    device->memory = (size_t)ask(cl, at->device, CL_DEVICE_GLOBAL_MEM_SIZE, 8);
    device->unified = ask(cl, at->device, CL_DEVICE_HOST_UNIFIED_MEMORY, 4) != 0;
}

static ash_status open_device(const char *function, ash_device *device)
{
    const ash__cl_library *const cl = ash__cl_open();
    const ash__cl_device *list;
    ash__cl_devices(&list);
    const ash__cl_device *const at = &list[device->index];
    describe(cl, at, device);
    const ash_status status = read_extensions(function, cl, at->device, device);
    if (status)
        return status;
    if (!ask(cl, at->device, CL_DEVICE_AVAILABLE, 4))
        return ash__fail(ASH_ERR_DEVICE, function, "opencl:%d, %s, is not available", device->index, device->description);
    const uint64_t group = ask(cl, at->device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(size_t));
    if (group < GROUP)
        return ash__fail(ASH_ERR_UNSUPPORTED, function, "opencl:%d, %s, has groups of %llu work-items at most; %d are needed",
                         device->index, device->description, (unsigned long long)group, GROUP);
    return ash__opencl_start(function, device);
}

const ash__backend ash__opencl_backend = {
    .name = "opencl",
    .count = count_devices,
    .missing = ash__cl_missing,
    .open = open_device,
    ASH__GPU_TABLE,
};
