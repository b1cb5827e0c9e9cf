/*
 * library.c - the CUDA driver, opened at run time, and how many devices it has.
 *
 * Looked for once: the file that ASHLAR_CUDA_LIBRARY names, or else libcuda.so.1. Never closed: the driver starts threads.
 * Whatever is wrong is told in a way that says what to do, and only when a device of CUDA is asked for.
 */
#include "backend/cuda/library.h"

#include <dlfcn.h>
#include <glob.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "core/error.h"
#include "core/settings.h"

ash__cu_library ash__cu;

static pthread_once_t once = PTHREAD_ONCE_INIT; /* the rest is constant after `look` */
static char fault[400];
static int device_count, version;
static pid_t process;

typedef int get_entry(const char *name, void **entry, int version, uint64_t flags);
typedef int get_entry_and_status(const char *name, void **entry, int version, uint64_t flags, int *status);

/* ---- entries */

/* ISO C does not convert an address to a function's. */
static bool take_symbol(void *handle, const char *name, void *place)
{
    void *const address = dlsym(handle, name);
    memcpy(place, &address, sizeof address);
    return address;
}

bool ash__cu_take(void *library, const char *path, const char *least, const ash__cu_place *places, size_t count, void *table,
                  char fault_text[ASH__CU_FAULT])
{
    size_t k = 0;
    while (k < count && take_symbol(library, places[k].name, (char *)table + places[k].offset))
        k++;
    if (k < count)
        snprintf(fault_text, ASH__CU_FAULT, "%.128s has no %s; %s or newer is needed", path, places[k].name, least);
    return k == count;
}

static void *open_at(const char *at, char path[ASH__CU_PATH])
{
    void *const handle = dlopen(at, RTLD_NOW | RTLD_LOCAL);
    if (handle)
        snprintf(path, ASH__CU_PATH, "%s", at);
    return handle;
}

void *ash__cu_open(const char *file, char path[ASH__CU_PATH])
{
    static const char *const variables[] = {"CUDA_HOME", "CUDA_PATH"}, *const folders[] = {"/usr/local/cuda",
                                                                                           "/usr/local/cuda-*", "/opt/cuda"};
    void *handle = open_at(file, path);
    for (int k = 0; k < 5 && !handle; k++) {
        const char *const folder = k < 2 ? getenv(variables[k]) : folders[k - 2];
        char pattern[512];
        glob_t found;
        if (!folder || !*folder)
            continue;
        snprintf(pattern, sizeof pattern, "%.400s/lib*/%s*", folder, file);
        if (glob(pattern, 0, NULL, &found) == 0) {
            for (size_t i = 0; i < found.gl_pathc && !handle; i++)
                handle = open_at(found.gl_pathv[i], path);
            globfree(&found);
        }
    }
    return handle;
}

static void *entry_named(get_entry *old, get_entry_and_status *new, const char *name)
{
    void *entry = NULL;
    int status = 0;
    const int error = new ? new (name, &entry, ASH__CU_ASKED, 0, &status) : old(name, &entry, ASH__CU_ASKED, 0);
    return error ? NULL : entry;
}

/* Says which of the two it is: no driver of CUDA, or an old one. */
static bool has_no_entries(void *handle, const char *path)
{
    if (dlsym(handle, "cuInit"))
        snprintf(fault, sizeof fault, "%.128s is a driver older than CUDA 11.4; install NVIDIA's driver 470 or newer", path);
    else
        snprintf(fault, sizeof fault, "%.128s has no cuInit: it is not CUDA's driver; set ASHLAR_CUDA_LIBRARY", path);
    return false;
}

static bool take_entries(void *handle, const char *path)
{
    static const struct {
        const char *name;
        size_t offset;
    } entries[] = {
#define ASH__CU_ENTRY(NAME, PARAMETERS) {#NAME, offsetof(ash__cu_library, NAME)},
        ASH__CU_FUNCTIONS(ASH__CU_ENTRY)
#undef ASH__CU_ENTRY
    };
    get_entry *old = NULL;
    get_entry_and_status *new = NULL;
    if (!take_symbol(handle, "cuGetProcAddress_v2", &new) && !take_symbol(handle, "cuGetProcAddress", &old))
        return has_no_entries(handle, path);
    for (size_t k = 0; k < sizeof entries / sizeof entries[0]; k++) {
        void *const entry = entry_named(old, new, entries[k].name);
        if (!entry) {
            snprintf(fault, sizeof fault, "%.128s has no %s of CUDA 11.4; install NVIDIA's driver 470 or newer", path,
                     entries[k].name);
            return false;
        }
        memcpy((char *)&ash__cu + entries[k].offset, &entry, sizeof entry);
    }
    return true;
}

/* ---- looking */

/* What to do about an error of cuInit. */
static const char *advice(int error)
{
    switch (error) {
    case CUDA_ERROR_STUB_LIBRARY:
        return "this is the toolkit's stub, which only links: set ASHLAR_CUDA_LIBRARY to the driver's libcuda.so.1";
    case CUDA_ERROR_NO_DEVICE:
        return "there is no NVIDIA GPU, or CUDA_VISIBLE_DEVICES hides it";
    case CUDA_ERROR_SYSTEM_NOT_READY:
        return "the machine is not ready: is nvidia-fabricmanager running?";
    case CUDA_ERROR_SYSTEM_DRIVER_MISMATCH:
        return "libcuda and the kernel's module are of different versions: restart the machine, or load the module anew";
    case CUDA_ERROR_COMPAT_NOT_SUPPORTED_ON_DEVICE:
        return "the compatibility package of libcuda does not serve this GPU: use the driver's own libcuda.so.1";
    default:
        return "is the kernel's module loaded, and may this user open /dev/nvidia*? nvidia-smi tells more";
    }
}

static void start(const char *path)
{
    const int error = ash__cu.cuInit(0);
    if (error) {
        const char *name = NULL;
        if (ash__cu.cuGetErrorName(error, &name) || !name)
            name = "an unknown error";
        snprintf(fault, sizeof fault, "cuInit of %.64s failed with CUDA error %d, %.64s: %s", path, error, name, advice(error));
        return;
    }
    if (ash__cu.cuDriverGetVersion(&version))
        version = ASH__CU_ASKED;
    if (ash__cu.cuDeviceGetCount(&device_count))
        device_count = 0;
    if (!device_count)
        snprintf(fault, sizeof fault, "CUDA knows no device: %s", advice(CUDA_ERROR_NO_DEVICE));
}

static void look(void)
{
    const char *const given = ash__cuda_setting(), *const path = given ? given : "libcuda.so.1";
    process = getpid();
    if (strcmp(path, "off") == 0) {
        snprintf(fault, sizeof fault, "ASHLAR_CUDA_LIBRARY is off");
        return;
    }
    void *const handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (!handle)
        snprintf(fault, sizeof fault, "%.200s; install NVIDIA's driver, or set ASHLAR_CUDA_LIBRARY", dlerror());
    else if (take_entries(handle, path))
        start(path);
}

int ash__cu_devices(void)
{
    pthread_once(&once, look);
    return device_count;
}

const char *ash__cu_missing(void)
{
    pthread_once(&once, look);
    return device_count ? NULL : fault;
}

int ash__cu_version(void)
{
    pthread_once(&once, look);
    return version;
}

ash_status ash__cu_check_process(const char *function)
{
    pthread_once(&once, look);
    if (process == getpid())
        return ASH_OK;
    return ash__fail(ASH_ERR_DEVICE, function,
                     "CUDA was started before this process was forked, and does not work in it; use it in the parent, or fork "
                     "before the first use of a device");
}
