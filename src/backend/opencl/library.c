/*
 * library.c - OpenCL's loader, opened at run time, and the devices that it knows.
 *
 * Looked for once: the file that ASHLAR_OPENCL names, or else libOpenCL.so.1. Never closed: drivers start threads. Of its
 * platforms those count whose name has ASHLAR_OPENCL_PLATFORM in it, in capitals or not.
 */
#include "backend/opencl/library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "core/settings.h"

static pthread_once_t once = PTHREAD_ONCE_INIT;
static ash__cl_library library; /* this and the rest: constant after `look` */
static bool opened;
static char fault[320];
static ash__cl_device devices[ASH__CL_DEVICES];
static int device_count;

/* ISO C does not convert an address to a function's. */
static bool take_symbol(void *handle, const char *name, void *place)
{
    void *const address = dlsym(handle, name);
    memcpy(place, &address, sizeof address);
    return address;
}

static bool take_functions(void *handle, const char *path)
{
#define ASH__CL_TAKE(RESULT, NAME, PARAMETERS)                          \
    if (!take_symbol(handle, #NAME, &library.NAME)) {                   \
        snprintf(fault, sizeof fault, "%.128s has no %s", path, #NAME); \
        return false;                                                   \
    }
    ASH__CL_FUNCTIONS(ASH__CL_TAKE)
#undef ASH__CL_TAKE
    return true;
}

static void add_devices(void *platform)
{
    void *device[ASH__CL_DEVICES];
    uint32_t count = 0;
    if (library.clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, ASH__CL_DEVICES, device, &count))
        return;
    for (uint32_t d = 0; d < count && d < ASH__CL_DEVICES && device_count < ASH__CL_DEVICES; d++)
        devices[device_count++] = (ash__cl_device){platform, device[d]};
}

static void find_devices(void)
{
    const char *const wanted = ash__opencl_platform_setting();
    char names[160] = "";
    void *platform[16];
    uint32_t platforms = 0;
    bool met = false;
    if (library.clGetPlatformIDs(16, platform, &platforms))
        platforms = 0;
    for (uint32_t p = 0; p < platforms && p < 16; p++) {
        char name[64] = "";
        if (library.clGetPlatformInfo(platform[p], CL_PLATFORM_NAME, sizeof name, name, NULL))
            name[0] = 0;
        const size_t length = strlen(names);
        snprintf(names + length, sizeof names - length, "%s%s", length ? ", " : "", name);
        if (wanted && !strcasestr(name, wanted))
            continue;
        met = true;
        add_devices(platform[p]);
    }
    if (!device_count && wanted && !met && platforms)
        snprintf(fault, sizeof fault, "no platform of OpenCL has \"%.64s\" (ASHLAR_OPENCL_PLATFORM) in its name; there is %s",
                 wanted, names);
    else if (!device_count)
        snprintf(fault, sizeof fault, "OpenCL knows no device; install a driver, such as pocl-opencl-icd");
}

static void look(void)
{
    const char *const given = ash__opencl_setting(), *const path = given ? given : "libOpenCL.so.1";
    if (strcmp(path, "off") == 0) {
        snprintf(fault, sizeof fault, "ASHLAR_OPENCL is off");
        return;
    }
    void *const handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        snprintf(fault, sizeof fault, "%.200s; install ocl-icd-libopencl1, or set ASHLAR_OPENCL", dlerror());
    opened = handle && take_functions(handle, path);
    if (opened)
        find_devices();
}

const ash__cl_library *ash__cl_open(void)
{
    pthread_once(&once, look);
    return opened ? &library : NULL;
}

int ash__cl_devices(const ash__cl_device **device)
{
    pthread_once(&once, look);
    *device = devices;
    return device_count;
}

const char *ash__cl_missing(void)
{
    pthread_once(&once, look);
    return device_count ? NULL : fault;
}
