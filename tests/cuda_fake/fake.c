/*
 * fake.c - what stands for a CUDA driver, and for NVRTC, that something is wrong with: for the texts of errors.
 *
 * FAKE_CUDA says what: words apart by blanks, "init=999", "count=0", "version=11040", "capability=61", "retain=46",
 * "pointers=0" (no common address space), "lacks=cuLaunchKernel"; FAKE_NVRTC is the compiler's version. Everything works but
 * what is named, as far as the opening of a device goes; nothing runs. Compiled with OLD, it has no cuGetProcAddress.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define EXPORTED __attribute__((visibility("default")))

/* The number behind the word in FAKE_CUDA. */
static int told(const char *word, int otherwise)
{
    const char *const all = getenv("FAKE_CUDA"), *const at = all ? strstr(all, word) : NULL;
    return at ? atoi(at + strlen(word)) : otherwise;
}

EXPORTED int cuInit(unsigned flags);
EXPORTED int cuInit(unsigned flags)
{
    (void)flags;
    return told("init=", 0);
}

/* ---- NVRTC */

EXPORTED int nvrtcVersion(int *major, int *minor);
EXPORTED int nvrtcVersion(int *major, int *minor)
{
    const char *const version = getenv("FAKE_NVRTC");
    return sscanf(version ? version : "12.4", "%d.%d", major, minor) == 2 ? 0 : 1;
}
EXPORTED int nvrtcGetNumSupportedArchs(int *count);
EXPORTED int nvrtcGetNumSupportedArchs(int *count)
{
    *count = 2;
    return 0;
}
EXPORTED int nvrtcGetSupportedArchs(int *list);
EXPORTED int nvrtcGetSupportedArchs(int *list)
{
    list[0] = 75;
    list[1] = 90;
    return 0;
}
#define NOTHING(NAME)        \
    EXPORTED int NAME(void); \
    EXPORTED int NAME(void)  \
    {                        \
        return 1;            \
    }
NOTHING(nvrtcCreateProgram)
NOTHING(nvrtcDestroyProgram)
NOTHING(nvrtcCompileProgram)
NOTHING(nvrtcGetProgramLogSize)
NOTHING(nvrtcGetProgramLog)
NOTHING(nvrtcGetPTXSize)
#ifndef OLD
NOTHING(nvrtcGetPTX)

/* ---- entries */

static int version(int *value)
{
    *value = told("version=", 12040);
    return 0;
}
static int count(int *value)
{
    *value = told("count=", 1);
    return 0;
}
static int name(char *to, int room, int device)
{
    (void)device;
    return snprintf(to, (size_t)room, "Fake") < 0;
}
static int attribute(int *value, int which, int device)
{
    (void)device;
    const int capability = told("capability=", 90);
    *value = which == 1 ? 1024 : which == 75 ? capability / 10 : which == 76 ? capability % 10 : 0;
    if (which == 41)
        *value = told("pointers=", 1);
    return 0;
}
static int retain(void **context, int device)
{
    (void)device;
    *context = context;
    return told("retain=", 0);
}
static int error_name(int error, const char **text)
{
    (void)error;
    *text = "NAME";
    return 0;
}
static int nothing(void)
{
    return 0;
}

typedef int any(void);
EXPORTED int cuGetProcAddress_v2(const char *entry, void **place, int asked, uint64_t flags, int *status);
EXPORTED int cuGetProcAddress_v2(const char *entry, void **place, int asked, uint64_t flags, int *status)
{
    static const struct {
        const char *name;
        any *entry;
    } known[] = {{"cuInit", (any *)cuInit},
                 {"cuDriverGetVersion", (any *)version},
                 {"cuDeviceGetCount", (any *)count},
                 {"cuDeviceGetName", (any *)name},
                 {"cuDeviceGetAttribute", (any *)attribute},
                 {"cuDevicePrimaryCtxRetain", (any *)retain},
                 {"cuGetErrorName", (any *)error_name}};
    (void)asked, (void)flags, (void)status;
    any *found = nothing;
    const char *const all = getenv("FAKE_CUDA"), *const lacks = all ? strstr(all, "lacks=") : NULL;
    if (lacks && strcmp(lacks + 6, entry) == 0)
        return 500;
    for (size_t k = 0; k < sizeof known / sizeof known[0]; k++)
        if (strcmp(known[k].name, entry) == 0)
            found = known[k].entry;
    memcpy(place, &found, sizeof found);
    return 0;
}
#endif
