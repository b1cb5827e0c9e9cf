/*
 * nvrtc.c - CUDA's compiler, NVRTC, opened at run time: kernel text becomes PTX, which the driver makes code of.
 *
 * Looked for once: the file that ASHLAR_NVRTC_LIBRARY names; else libnvrtc.so of the driver's own version of CUDA, for PTX of a
 * newer one is refused by the driver, then of older ones; by the system's loader and then where toolkits are installed. Never
 * closed. It needs no device.
 */
#include "backend/cuda/nvrtc.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cuda/library.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/settings.h"

/* X(name, parameters); all return an error, 0 for none */
#define NVRTC_FUNCTIONS(X)                                                                                                    \
    X(nvrtcVersion, (int *major, int *minor))                                                                                 \
    X(nvrtcGetNumSupportedArchs, (int *count))                                                                                \
    X(nvrtcGetSupportedArchs, (int *list))                                                                                    \
    X(nvrtcCreateProgram,                                                                                                     \
      (void **program, const char *text, const char *name, int headers, const char *const *header, const char *const *names)) \
    X(nvrtcDestroyProgram, (void **program))                                                                                  \
    X(nvrtcCompileProgram, (void *program, int count, const char *const *options))                                            \
    X(nvrtcGetProgramLogSize, (void *program, size_t *size))                                                                  \
    X(nvrtcGetProgramLog, (void *program, char *log))                                                                         \
    X(nvrtcGetPTXSize, (void *program, size_t *size))                                                                         \
    X(nvrtcGetPTX, (void *program, char *ptx))

enum { NEWEST = 13, OLDEST = 11, ARCHITECTURES = 64 };

typedef struct nvrtc_library {
#define NVRTC_MEMBER(NAME, PARAMETERS) int(*NAME) PARAMETERS;
    NVRTC_FUNCTIONS(NVRTC_MEMBER)
#undef NVRTC_MEMBER
} nvrtc_library;
static nvrtc_library nvrtc;

static pthread_once_t once = PTHREAD_ONCE_INIT;       /* the rest is constant after `look` */
static char fault[ASH__CU_FAULT], from[ASH__CU_PATH]; /* why there is none; the file it is */
static int version, architectures, architecture[ARCHITECTURES];

/* ---- looking */

static bool take_functions(void *handle, const char *path)
{
    static const ash__cu_place functions[] = {
#define NVRTC_FUNCTION(NAME, PARAMETERS) {#NAME, offsetof(nvrtc_library, NAME)},
        NVRTC_FUNCTIONS(NVRTC_FUNCTION)
#undef NVRTC_FUNCTION
    };
    return ash__cu_take(handle, path, "NVRTC 11.2", functions, sizeof functions / sizeof functions[0], &nvrtc, fault);
}

static void *open_version(int major)
{
    char file[32];
    snprintf(file, sizeof file, major == 11 ? "libnvrtc.so.11.2" : "libnvrtc.so.%d", major); /* so they are called */
    return ash__cu_open(file, from);
}

static void *find(void)
{
    const char *const given = ash__nvrtc_setting();
    if (given) {
        void *const handle = dlopen(given, RTLD_NOW | RTLD_LOCAL);
        snprintf(from, sizeof from, "%.199s", given);
        if (!handle)
            snprintf(fault, sizeof fault, "%.200s, which ASHLAR_NVRTC_LIBRARY names", dlerror());
        return handle;
    }
    void *handle = NULL;
    const int of_driver = ash__cu_version() / 1000 < NEWEST ? ash__cu_version() / 1000 : NEWEST;
    for (int major = of_driver; major >= OLDEST && !handle; major--)
        handle = open_version(major);
    for (int major = NEWEST; major > of_driver && !handle; major--) /* to be told that it is too new */
        handle = open_version(major);
    if (!handle)
        snprintf(fault, sizeof fault,
                 "there is no libnvrtc.so.%d; install NVRTC of CUDA %d (it comes with the toolkit, and as the Python package "
                 "nvidia-cuda-nvrtc), or set ASHLAR_NVRTC_LIBRARY",
                 of_driver, of_driver);
    return handle;
}

static void look(void)
{
    void *const handle = find();
    int major = 0, minor = 0, count = 0;
    if (!handle || !take_functions(handle, from))
        return;
    if (nvrtc.nvrtcVersion(&major, &minor) || nvrtc.nvrtcGetNumSupportedArchs(&count) || count < 1 || count > ARCHITECTURES ||
        nvrtc.nvrtcGetSupportedArchs(architecture)) {
        snprintf(fault, sizeof fault, "%.128s does not tell its version and architectures; set ASHLAR_NVRTC_LIBRARY", from);
        return;
    }
    const int driver = ash__cu_version() / 1000;
    if (major > driver)
        snprintf(
            fault, sizeof fault,
            "%.128s is NVRTC %d.%d and the driver knows CUDA %d.%d, which refuses its code; install a newer driver, or NVRTC "
            "%d and set ASHLAR_NVRTC_LIBRARY",
            from, major, minor, driver, ash__cu_version() % 1000 / 10, driver);
    architectures = count;
    version = 1000 * major + 10 * minor;
}

ash_status ash__nvrtc_check(const char *function, const char *device)
{
    pthread_once(&once, look);
    return fault[0] ? ash__fail(ASH_ERR_DEVICE, function, "%s needs NVRTC to compile kernels: %s", device, fault) : ASH_OK;
}

int ash__nvrtc_version(void)
{
    pthread_once(&once, look);
    return version;
}

int ash__nvrtc_architecture(const char *function, const char *device, int capability)
{
    int best = 0;
    for (int k = 0; k < architectures; k++)
        if (architecture[k] <= capability && architecture[k] > best)
            best = architecture[k];
    if (!best)
        ash__fail(ASH_ERR_DEVICE, function,
                  "%s has compute capability %d.%d, for which NVRTC %d.%d does not compile; install an older one, and set "
                  "ASHLAR_NVRTC_LIBRARY",
                  device, capability / 10, capability % 10, version / 1000, version % 1000 / 10);
    return best;
}

/* ---- compiling */

#define PLAIN "-default-device" /* functions that do not say are the device's */
#define EXACT "--fmad=false"    /* nothing is contracted; all else is exact anyway */
#define LANGUAGE "--std=c++17"
#define QUIET "-w" /* no warnings, which would stand before the errors */

void ash__nvrtc_identity(int for_architecture, char *identity, size_t size)
{
    snprintf(identity, size, "PTX of NVRTC %d, compute_%d " PLAIN " " EXACT " " LANGUAGE, version, for_architecture);
}

static ash_status refused(const char *function, void *program, int error)
{
    char log[512] = "";
    size_t size = 0;
    char *const all = !nvrtc.nvrtcGetProgramLogSize(program, &size) && size ? calloc(1, size + 1) : NULL;
    if (all && !nvrtc.nvrtcGetProgramLog(program, all))
        snprintf(log, sizeof log, "%.500s", all);
    free(all);
    return ash__fail(ASH_ERR_DEVICE, function, "nvrtcCompileProgram failed with NVRTC's error %d: %s", error,
                     log[0] ? log : "it does not say why");
}

static char *ptx_of(const char *function, void *program)
{
    size_t size = 0;
    int error = nvrtc.nvrtcGetPTXSize(program, &size);
    char *const ptx = error ? NULL : ash__alloc(function, 1, size + 1);
    if (ptx)
        error = nvrtc.nvrtcGetPTX(program, ptx);
    if (!error)
        return ptx;
    ash__fail(ASH_ERR_DEVICE, function, "nvrtcGetPTX failed with NVRTC's error %d", error);
    ash__free(ptx);
    return NULL;
}

char *ash__nvrtc_compile(const char *function, const char *text, int for_architecture)
{
    char target[40];
    const char *const options[] = {target, PLAIN, EXACT, LANGUAGE, QUIET};
    void *program = NULL;
    snprintf(target, sizeof target, "--gpu-architecture=compute_%d", for_architecture);
    int error = nvrtc.nvrtcCreateProgram(&program, text, "kernel", 0, NULL, NULL);
    if (error) {
        ash__fail(ASH_ERR_DEVICE, function, "nvrtcCreateProgram failed with NVRTC's error %d", error);
        return NULL;
    }
    error = nvrtc.nvrtcCompileProgram(program, sizeof options / sizeof options[0], options);
    if (error)
        refused(function, program, error);
    char *const ptx = error ? NULL : ptx_of(function, program);
    nvrtc.nvrtcDestroyProgram(&program);
    return ptx;
}
