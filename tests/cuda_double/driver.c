/*
 * driver.c - exported entries: errors, devices, contexts, and finding entries by their names.
 */
#include "driver.h"

#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>

#include "entries.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static bool initialised;
static context primary[CONTEXTS];
static _Thread_local context *stack[CONTEXTS];
static _Thread_local int depth;

void driver_lock(void)
{
    pthread_mutex_lock(&lock);
}

void driver_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

context *current(void)
{
    return depth ? stack[depth - 1] : NULL;
}

static result refusal(const char *entry, wants what)
{
    const result asked = (result)setting_failure(entry);
    const context *const c = current();
    if (asked) {
        if (c && asked >= 700 && asked < 720 && asked != CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES)
            current()->error = (int)asked;
        return asked;
    }
    if (what >= WANTS_INIT && !initialised)
        return misuse(entry, CUDA_ERROR_NOT_INITIALIZED, "called before cuInit");
    if (what >= WANTS_CONTEXT && !c)
        return misuse(entry, CUDA_ERROR_INVALID_CONTEXT, "no context is current on this thread");
    if (what >= WANTS_CONTEXT && !c->alive)
        return misuse(entry, CUDA_ERROR_CONTEXT_IS_DESTROYED, "the current context is destroyed");
    return what == WANTS_LIVE ? (result)c->error : CUDA_SUCCESS;
}

result driver_begin(const char *entry, wants what)
{
    if (queue_calling())
        return misuse(entry, CUDA_ERROR_NOT_PERMITTED, "called by a function that is queued");
    driver_lock();
    const result r = refusal(entry, what);
    if (r)
        driver_unlock();
    return r;
}

result driver_end(result r)
{
    driver_unlock();
    return r;
}

result misuse(const char *entry, result r, const char *format, ...)
{
    char words[512];
    va_list list;
    va_start(list, format);
    vsnprintf(words, sizeof words, format, list);
    va_end(list);
    report("%s: %s", entry, words);
    return r;
}

/* ---- handles */

static struct handle {
    handle_kind kind;
    void *handle;
    context *context;
} * handles;
static size_t count, room;

void handle_add(handle_kind kind, void *handle, context *c)
{
    if (count == room) {
        room = room ? 2 * room : 64;
        handles = realloc(handles, room * sizeof *handles);
        if (!handles)
            abort();
    }
    handles[count++] = (struct handle){kind, handle, c};
}

bool handle_known(handle_kind kind, const void *handle)
{
    for (size_t k = 0; k < count; k++)
        if (handles[k].handle == handle && handles[k].kind == kind)
            return true;
    return false;
}

void handle_remove(handle_kind kind, void *handle)
{
    for (size_t k = 0; k < count; k++)
        if (handles[k].handle == handle && handles[k].kind == kind) {
            handles[k] = handles[--count];
            return;
        }
}

void report_leaks(const context *c, const char *when)
{
    static const char *const name[] = {"contexts", "streams", "events", "modules"};
    size_t left[4] = {0};
    for (size_t k = 0; k < count; k++)
        left[handles[k].kind] += handles[k].context == c;
    for (int kind = A_STREAM; kind <= A_MODULE; kind++)
        if (left[kind])
            report("%s: %zu %s are left", when, left[kind], name[kind]);
    for (size_t k = 0; memory_each(k); k++) {
        const range *const r = memory_each(k);
        if (r->context == c && r->kind != OF_MODULE && r->serial)
            report("%s: allocation %u of %llu bytes is left", when, r->serial, (unsigned long long)r->nbytes);
    }
}

/* ---- errors and names */

EXPORT result cuGetErrorName(int error, const char **text)
{
    switch (error) {
#define ERROR_NAME(NAME, NUMBER, TEXT) \
    case NUMBER:                       \
        *text = "CUDA_" #NAME;         \
        return CUDA_SUCCESS;
        ERRORS(ERROR_NAME)
    }
    *text = NULL;
    return CUDA_ERROR_INVALID_VALUE;
}

EXPORT result cuGetErrorString(int error, const char **text)
{
    switch (error) {
#define ERROR_TEXT(NAME, NUMBER, TEXT) \
    case NUMBER:                       \
        *text = TEXT;                  \
        return CUDA_SUCCESS;
        ERRORS(ERROR_TEXT)
    }
    *text = NULL;
    return CUDA_ERROR_INVALID_VALUE;
}

static void *own_symbol(const char *symbol)
{
    static void *self;
    Dl_info info;
    if (!self && dladdr(&lock, &info))
        self = dlopen(info.dli_fname, RTLD_NOW | RTLD_NOLOAD);
    return self ? dlsym(self, symbol) : NULL;
}

/* symbol status: 0 found, 1 not found, 2 not in this version */
EXPORT result cuGetProcAddress_v2(const char *name, void **function, int version, u64 flags, int *status)
{
    static const struct {
        const char *name;
        int since;
        const char *symbol;
    } row[] = {
#define ENTRY_ROW(NAME, SINCE, SYMBOL) {#NAME, SINCE, #SYMBOL},
        ENTRIES(ENTRY_ROW)};
    (void)flags;
    *function = NULL;
    if (status)
        *status = 1;
    for (size_t k = 0; k < sizeof row / sizeof row[0]; k++) {
        if (strcmp(row[k].name, name) != 0)
            continue;
        const bool there = row[k].since <= version && row[k].since <= setting()->driver;
        if (there && (!*function))
            *function = own_symbol(row[k].symbol);
        if (status)
            *status = *function ? 0 : 2;
    }
    return *function ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

EXPORT result cuGetProcAddress(const char *name, void **function, int version, u64 flags)
{
    return cuGetProcAddress_v2(name, function, version, flags, NULL);
}

/* ---- devices */

/* A crash of the host at memory of the device says so, and goes on. */
static void on_crash(int number, siginfo_t *info, void *rest)
{
    char words[256];
    const u64 address = (u64)(uintptr_t)info->si_addr;
    (void)rest;
    if (memory_find(address) || memory_is_device(address))
        report("the host uses %#llx: %s", (unsigned long long)address, memory_words(address, 1, words, sizeof words));
    signal(number, SIG_DFL);
}

static void explain_crashes(void)
{
    struct sigaction before, own = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO};
    if (sigaction(SIGSEGV, NULL, &before) == 0 && before.sa_handler == SIG_DFL)
        sigaction(SIGSEGV, &own, NULL);
}

EXPORT result cuInit(unsigned flags)
{
    const result asked = (result)setting_failure("cuInit");
    if (asked)
        return asked;
    if (flags)
        return misuse("cuInit", CUDA_ERROR_INVALID_VALUE, "flags must be 0");
    if (setting()->devices == 0)
        return CUDA_ERROR_NO_DEVICE;
    if (!initialised)
        explain_crashes();
    initialised = true;
    return CUDA_SUCCESS;
}

EXPORT result cuDriverGetVersion(int *version)
{
    *version = setting()->driver;
    return CUDA_SUCCESS;
}

static bool is_device(int device)
{
    return device >= 0 && device < setting()->devices && device < CONTEXTS;
}

EXPORT result cuDeviceGetCount(int *number)
{
    BEGIN(WANTS_INIT);
    *number = setting()->devices;
    END(CUDA_SUCCESS);
}

EXPORT result cuDeviceGet(int *device, int ordinal)
{
    BEGIN(WANTS_INIT);
    *device = ordinal;
    END(is_device(ordinal) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE);
}

EXPORT result cuDeviceGetName(char *name, int length, int device)
{
    BEGIN(WANTS_INIT);
    if (length > 0)
        snprintf(name, (size_t)length, "double of CUDA, device %d", device);
    END(is_device(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE);
}

EXPORT result cuDeviceGetUuid_v2(unsigned char *uuid, int device)
{
    BEGIN(WANTS_INIT);
    memset(uuid, 0xCD, 16);
    uuid[15] = (unsigned char)device;
    END(is_device(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE);
}

EXPORT result cuDeviceTotalMem_v2(size_t *nbytes, int device)
{
    BEGIN(WANTS_INIT);
    *nbytes = setting()->memory;
    END(is_device(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE);
}

static int attribute_of(int attribute)
{
    static const struct {
        int attribute, value;
    } row[] = {
        {1, 1024},                                  /* MAX_THREADS_PER_BLOCK */
        {2, 1024},                                  /* MAX_BLOCK_DIM_X, Y, Z */
        {3, 1024},     {4, 64},    {5, 0x7fffffff}, /* MAX_GRID_DIM_X, Y, Z */
        {6, 65535},    {7, 65535}, {8, 49152},      /* MAX_SHARED_MEMORY_PER_BLOCK */
        {9, 65536},                                 /* TOTAL_CONSTANT_MEMORY */
        {10, LANES},                                /* WARP_SIZE */
        {12, 65536},                                /* MAX_REGISTERS_PER_BLOCK */
        {13, 1000000},                              /* CLOCK_RATE */
        {14, 512},                                  /* TEXTURE_ALIGNMENT */
        {15, 1},                                    /* GPU_OVERLAP */
        {16, 4},                                    /* MULTIPROCESSOR_COUNT */
        {19, 1},                                    /* CAN_MAP_HOST_MEMORY */
        {31, 1},                                    /* CONCURRENT_KERNELS */
        {36, 1000000},                              /* MEMORY_CLOCK_RATE */
        {37, 256},                                  /* GLOBAL_MEMORY_BUS_WIDTH */
        {38, 1 << 20},                              /* L2_CACHE_SIZE */
        {39, 2048},                                 /* MAX_THREADS_PER_MULTIPROCESSOR */
        {40, 2},                                    /* ASYNC_ENGINE_COUNT */
        {41, 1},                                    /* UNIFIED_ADDRESSING */
        {78, 1},                                    /* STREAM_PRIORITIES_SUPPORTED */
        {81, 233472},                               /* MAX_SHARED_MEMORY_PER_MULTIPROCESSOR */
        {82, 65536},                                /* MAX_REGISTERS_PER_MULTIPROCESSOR */
        {83, 1},                                    /* MANAGED_MEMORY */
        {89, 1},                                    /* CONCURRENT_MANAGED_ACCESS */
        {90, 1},                                    /* COMPUTE_PREEMPTION_SUPPORTED */
        {91, 1},                                    /* CAN_USE_HOST_POINTER_FOR_REGISTERED_MEM */
        {95, 1},                                    /* COOPERATIVE_LAUNCH */
        {97, 232448},                               /* MAX_SHARED_MEMORY_PER_BLOCK_OPTIN */
        {99, 1},                                    /* HOST_REGISTER_SUPPORTED */
        {106, 32},                                  /* MAX_BLOCKS_PER_MULTIPROCESSOR */
        {111, 1024},                                /* RESERVED_SHARED_MEMORY_PER_BLOCK */
        {115, 1},                                   /* MEMORY_POOLS_SUPPORTED */
    };
    for (size_t k = 0; k < sizeof row / sizeof row[0]; k++)
        if (row[k].attribute == attribute)
            return row[k].value;
    return attribute == 75 ? setting()->major : attribute == 76 ? setting()->minor : 0;
}

EXPORT result cuDeviceGetAttribute(int *value, int attribute, int device)
{
    BEGIN(WANTS_INIT);
    if (!setting_attribute(attribute, value))
        *value = attribute_of(attribute);
    END(!is_device(device) ? CUDA_ERROR_INVALID_DEVICE : attribute < 1 ? CUDA_ERROR_INVALID_VALUE : CUDA_SUCCESS);
}

EXPORT result cuDeviceCanAccessPeer(int *can, int device, int peer)
{
    BEGIN(WANTS_INIT);
    *can = device != peer;
    END(is_device(device) && is_device(peer) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE);
}

/* ---- contexts */

static void open_context(context *c, int device, bool is_primary)
{
    *c = (context){.device = device, .primary = is_primary, .alive = true};
    c->legacy = stream_new(c, false);
    c->per_thread = stream_new(c, false);
    handle_add(A_CONTEXT, c, c);
}

static void close_context(context *c, const char *when)
{
    queue_run_all(c);
    report_leaks(c, when);
    c->alive = false;
    c->legacy->alive = c->per_thread->alive = false;
    for (size_t k = count; k-- > 0;)
        if (handles[k].context == c) {
            if (handles[k].kind == A_MODULE)
                module_free(handles[k].handle);
            if (handles[k].kind == AN_EVENT)
                free(handles[k].handle);
            handles[k] = handles[--count];
        }
    for (size_t k = 0; memory_each(k);)
        if (memory_each(k)->context == c)
            memory_give(memory_each(k)->address);
        else
            k++;
}

EXPORT result cuDevicePrimaryCtxRetain(context **c, int device)
{
    BEGIN(WANTS_INIT);
    if (!is_device(device))
        END(CUDA_ERROR_INVALID_DEVICE);
    if (!primary[device].alive)
        open_context(&primary[device], device, true);
    primary[device].held++;
    *c = &primary[device];
    END(CUDA_SUCCESS);
}

EXPORT result cuDevicePrimaryCtxRelease_v2(int device)
{
    BEGIN(WANTS_INIT);
    if (!is_device(device))
        END(CUDA_ERROR_INVALID_DEVICE);
    if (primary[device].held == 0)
        END(misuse(__func__, CUDA_ERROR_INVALID_CONTEXT, "the primary context is not retained"));
    if (--primary[device].held == 0)
        close_context(&primary[device], "the primary context is released");
    END(CUDA_SUCCESS);
}

EXPORT result cuDevicePrimaryCtxReset_v2(int device)
{
    BEGIN(WANTS_INIT);
    if (!is_device(device))
        END(CUDA_ERROR_INVALID_DEVICE);
    if (primary[device].alive) {
        const int held = primary[device].held;
        primary[device].error = primary[device].error ? primary[device].error : CUDA_ERROR_UNKNOWN; /* the rest is dropped */
        queue_run_all(&primary[device]);
        close_context(&primary[device], "the primary context is reset");
        open_context(&primary[device], device, true);
        primary[device].held = held;
    }
    END(CUDA_SUCCESS);
}

EXPORT result cuDevicePrimaryCtxGetState(int device, unsigned *flags, int *active)
{
    BEGIN(WANTS_INIT);
    *flags = 0;
    *active = is_device(device) && primary[device].alive;
    END(is_device(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE);
}

EXPORT result cuDevicePrimaryCtxSetFlags_v2(int device, unsigned flags)
{
    BEGIN(WANTS_INIT);
    (void)flags;
    END(is_device(device) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_DEVICE);
}

EXPORT result cuCtxCreate_v2(context **c, unsigned flags, int device)
{
    BEGIN(WANTS_INIT);
    (void)flags;
    if (!is_device(device))
        END(CUDA_ERROR_INVALID_DEVICE);
    if (!(*c = calloc(1, sizeof **c)))
        abort();
    open_context(*c, device, false);
    if (depth < CONTEXTS)
        stack[depth++] = *c;
    END(CUDA_SUCCESS);
}

EXPORT result cuCtxDestroy_v2(context *c)
{
    BEGIN(WANTS_INIT);
    if (!handle_known(A_CONTEXT, c) || c->primary)
        END(misuse(__func__, CUDA_ERROR_INVALID_CONTEXT, "%p is no context that was created", (void *)c));
    close_context(c, "a context is destroyed");
    if (current() == c)
        depth--;
    END(CUDA_SUCCESS); /* the struct stays: others may hold it */
}

static bool is_context(context *c)
{
    return handle_known(A_CONTEXT, c);
}

EXPORT result cuCtxSetCurrent(context *c)
{
    BEGIN(WANTS_INIT);
    if (c && !is_context(c))
        END(misuse(__func__, CUDA_ERROR_INVALID_CONTEXT, "%p is no context", (void *)c));
    if (depth)
        depth--;
    if (c)
        stack[depth++] = c;
    END(CUDA_SUCCESS);
}

EXPORT result cuCtxGetCurrent(context **c)
{
    BEGIN(WANTS_INIT);
    *c = current();
    END(CUDA_SUCCESS);
}

EXPORT result cuCtxPushCurrent_v2(context *c)
{
    BEGIN(WANTS_INIT);
    if (!is_context(c))
        END(misuse(__func__, CUDA_ERROR_INVALID_CONTEXT, "%p is no context", (void *)c));
    if (depth == CONTEXTS)
        END(misuse(__func__, CUDA_ERROR_INVALID_VALUE, "%d contexts are pushed", depth));
    stack[depth++] = c;
    END(CUDA_SUCCESS);
}

EXPORT result cuCtxPopCurrent_v2(context **c)
{
    BEGIN(WANTS_INIT);
    if (!depth)
        END(misuse(__func__, CUDA_ERROR_INVALID_CONTEXT, "no context is current on this thread"));
    depth--;
    if (c)
        *c = stack[depth];
    END(CUDA_SUCCESS);
}

EXPORT result cuCtxGetDevice(int *device)
{
    BEGIN(WANTS_CONTEXT);
    *device = current()->device;
    END(CUDA_SUCCESS);
}

EXPORT result cuCtxSynchronize(void)
{
    BEGIN(WANTS_LIVE);
    queue_run_all(current());
    END((result)current()->error);
}

EXPORT result cuCtxGetApiVersion(context *c, unsigned *version)
{
    BEGIN(WANTS_INIT);
    (void)c;
    *version = 3020;
    END(CUDA_SUCCESS);
}

EXPORT result cuCtxGetStreamPriorityRange(int *least, int *greatest)
{
    BEGIN(WANTS_CONTEXT);
    *least = *greatest = 0;
    END(CUDA_SUCCESS);
}

EXPORT result cuCtxEnablePeerAccess(context *peer, unsigned flags)
{
    BEGIN(WANTS_LIVE);
    (void)peer, (void)flags;
    END(CUDA_SUCCESS);
}
