/*
 * driver_module.c - exported entries: modules, functions, launches.
 */
#include "driver.h"

#include "run.h"

enum { LOG_ROOM = 4096 };
enum { MOST_SHARED = 49152, MOST_SHARED_ASKED = 232448, MAX_DYNAMIC_SHARED = 8 }; /* bytes of a block; the attribute */

/* PTX of CUDA 11.4 is 7.4, of 12.x 8.x, of 13.x 9.x; what a driver reads: its own and what is older */
static int newest_version(void)
{
    const int major = setting()->driver / 1000, minor = setting()->driver / 10 % 100;
    return major >= 13 ? 90 + minor : major == 12 ? 80 + (minor > 8 ? 8 : minor) : 70 + minor;
}

static u64 memory_for_module(void *state, u64 nbytes)
{
    return memory_take(state, nbytes, OF_MODULE);
}

static void *host_of(u64 address)
{
    return memory_find(address)->host;
}

static result refused_module(module *m, char *log)
{
    if (m->version > newest_version()) {
        snprintf(log, LOG_ROOM, "ptxas fatal: unsupported .version %d.%d; current version is '%d.%d'", m->version / 10,
                 m->version % 10, newest_version() / 10, newest_version() % 10);
        return CUDA_ERROR_UNSUPPORTED_PTX_VERSION;
    }
    if (m->target > 10 * setting()->major + setting()->minor) {
        snprintf(log, LOG_ROOM, "ptxas fatal: SM version specified by .target is higher than default SM version assumed");
        return CUDA_ERROR_INVALID_PTX;
    }
    return CUDA_SUCCESS;
}

static void unload(module *m)
{
    if (m->memory)
        memory_give(m->memory);
    module_free(m);
}

/* As ptx-0, ptx-1, ... in the folder of the setting. */
static void keep(const char *image)
{
    static unsigned kept;
    char path[512];
    snprintf(path, sizeof path, "%s/ptx-%u", setting()->keep, kept++);
    FILE *const file = fopen(path, "w");
    if (!file)
        return;
    fputs(image, file);
    fclose(file);
}

static result load(module **m, const char *image, char *log)
{
    if (memcmp(image, "\177ELF", 4) == 0) {
        snprintf(log, LOG_ROOM, "machine code, which is not interpreted: PTX is wanted");
        return CUDA_ERROR_NO_BINARY_FOR_GPU;
    }
    if (setting()->keep)
        keep(image);
    *m = module_parse(image, memory_for_module, host_of, current(), log, LOG_ROOM);
    if (!*m) {
        report("cuModuleLoadData: %s", log);
        return CUDA_ERROR_INVALID_PTX;
    }
    const result r = refused_module(*m, log);
    if (r) {
        unload(*m);
        *m = NULL;
        return r;
    }
    (*m)->context = current();
    handle_add(A_MODULE, *m, current());
    return CUDA_SUCCESS;
}

/* 3 and 4: the buffer of the log and its size, 5 and 6: of that of errors */
static void give_log(const char *log, unsigned count, const int *option, void **value)
{
    char *room = NULL;
    size_t size = 0;
    for (unsigned k = 0; k < count; k++) {
        if (option[k] == 5)
            room = value[k];
        if (option[k] == 6)
            size = (size_t)(uintptr_t)value[k];
        if (option[k] == 3 && value[k])
            *(char *)value[k] = 0;
    }
    if (room && size)
        snprintf(room, size, "%s", log);
}

EXPORT result cuModuleLoadDataEx(module **m, const void *image, unsigned count, const int *option, void **value)
{
    char log[LOG_ROOM] = "";
    BEGIN(WANTS_LIVE);
    const result r = load(m, image, log);
    give_log(log, count, option, value);
    END(r);
}

EXPORT result cuModuleLoadData(module **m, const void *image)
{
    char log[LOG_ROOM] = "";
    BEGIN(WANTS_LIVE);
    END(load(m, image, log));
}

EXPORT result cuModuleUnload(module *m)
{
    BEGIN(WANTS_CONTEXT);
    if (!handle_known(A_MODULE, m))
        END(misuse(__func__, CUDA_ERROR_INVALID_HANDLE, "%p is no module", (void *)m));
    queue_run_all(m->context); /* a device waits for what runs of it */
    handle_remove(A_MODULE, m);
    unload(m);
    END(CUDA_SUCCESS);
}

EXPORT result cuModuleGetFunction(const kernel **f, module *m, const char *name)
{
    BEGIN(WANTS_LIVE);
    if (!handle_known(A_MODULE, m))
        END(misuse(__func__, CUDA_ERROR_INVALID_HANDLE, "%p is no module", (void *)m));
    *f = module_kernel(m, name);
    END(*f ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND);
}

EXPORT result cuModuleGetGlobal_v2(u64 *address, size_t *nbytes, module *m, const char *name)
{
    BEGIN(WANTS_LIVE);
    if (!handle_known(A_MODULE, m))
        END(misuse(__func__, CUDA_ERROR_INVALID_HANDLE, "%p is no module", (void *)m));
    for (u32 k = 0; k < m->variables; k++)
        if (strcmp(m->variable[k].name, name) == 0) {
            if (address)
                *address = m->variable[k].address;
            if (nbytes)
                *nbytes = m->variable[k].nbytes;
            END(CUDA_SUCCESS);
        }
    END(CUDA_ERROR_NOT_FOUND);
}

static bool is_kernel(const kernel *f)
{
    return f && handle_known(A_MODULE, f->module);
}

EXPORT result cuFuncGetAttribute(int *value, int attribute, const kernel *f)
{
    BEGIN(WANTS_LIVE);
    if (!is_kernel(f))
        END(CUDA_ERROR_INVALID_HANDLE);
    const int of[] = {f->most_threads ? (int)f->most_threads : 1024,
                      (int)f->shared_bytes,
                      0,
                      (int)f->local_bytes,
                      32,
                      f->module->version,
                      f->module->target,
                      0,
                      f->most_dynamic ? (int)f->most_dynamic : MOST_SHARED - (int)f->shared_bytes,
                      0};
    const bool known = attribute >= 0 && (size_t)attribute < sizeof of / sizeof of[0];
    *value = known ? of[attribute] : 0;
    END(known ? CUDA_SUCCESS : CUDA_ERROR_INVALID_VALUE);
}

EXPORT result cuFuncSetAttribute(kernel *f, int attribute, int value)
{
    BEGIN(WANTS_LIVE);
    if (!is_kernel(f))
        END(CUDA_ERROR_INVALID_HANDLE);
    if (attribute == MAX_DYNAMIC_SHARED && (value < 0 || (u64)value + f->shared_bytes > MOST_SHARED_ASKED))
        END(misuse(__func__, CUDA_ERROR_INVALID_VALUE, "%s: %d bytes of dynamic shared memory", f->name, value));
    if (attribute == MAX_DYNAMIC_SHARED)
        f->most_dynamic = (u32)value;
    END(CUDA_SUCCESS);
}

EXPORT result cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const kernel *f, int threads, size_t shared)
{
    BEGIN(WANTS_LIVE);
    (void)shared;
    *blocks = threads > 0 ? 2048 / threads : 0;
    END(is_kernel(f) ? CUDA_SUCCESS : CUDA_ERROR_INVALID_HANDLE);
}

/* NULL: a launch may have these sizes. */
static const char *wrong_sizes(const kernel *f, const u32 *grid, const u32 *size, u32 shared)
{
    const u64 threads = (u64)size[0] * size[1] * size[2];
    if (!grid[0] || !grid[1] || !grid[2] || !threads)
        return "a size is 0";
    if (grid[0] > 0x7fffffff || grid[1] > 65535 || grid[2] > 65535)
        return "the grid is too large";
    if (threads > 1024 || size[0] > 1024 || size[1] > 1024 || size[2] > 64)
        return "a block is too large";
    if (f->most_threads && threads > f->most_threads)
        return "a block is larger than the kernel's .maxntid";
    if (f->wanted_threads[0] && memcmp(f->wanted_threads, size, sizeof f->wanted_threads) != 0)
        return "a block is not the kernel's .reqntid";
    if (f->shared_bytes > MOST_SHARED)
        return "there is more static shared memory than 48 KiB";
    if (f->shared_bytes + (u64)shared > MOST_SHARED && shared > f->most_dynamic)
        return "there is more shared memory than 48 KiB, or than was asked for";
    if (f->parameter_bytes > (f->module->target >= 70 ? 32764u : 4096u))
        return "the parameters are too large";
    return NULL;
}

static u8 *parameters_of(const kernel *f, void **parameters)
{
    u8 *const bytes = calloc(1, f->parameter_bytes + 16u);
    if (!bytes)
        abort();
    for (u32 k = 0; k < f->parameters; k++)
        memcpy(bytes + f->parameter[k].offset, parameters[k], f->parameter[k].nbytes);
    return bytes;
}

static result launch_kernel(const kernel *f, const u32 *grid, const u32 *size, u32 shared, void *handle, void **parameters)
{
    stream *const s = stream_of(handle);
    if (!s || !is_kernel(f))
        return misuse("cuLaunchKernel", CUDA_ERROR_INVALID_HANDLE, "%p in %p is no kernel in a stream", (const void *)f,
                      handle);
    const char *const wrong = wrong_sizes(f, grid, size, shared);
    if (wrong)
        return misuse("cuLaunchKernel", CUDA_ERROR_INVALID_VALUE, "%s: %s; grid (%u, %u, %u), block (%u, %u, %u), shared %u",
                      f->name, wrong, grid[0], grid[1], grid[2], size[0], size[1], size[2], shared);
    if (f->module->context != s->context)
        return misuse("cuLaunchKernel", CUDA_ERROR_INVALID_CONTEXT, "%s is of another context than the stream", f->name);
    if (f->parameters && !parameters)
        return misuse("cuLaunchKernel", CUDA_ERROR_INVALID_VALUE, "%s wants %u parameters", f->name, f->parameters);
    command *const c = command_new(DO_LAUNCH);
    launch *const l = calloc(1, sizeof *l);
    if (!l)
        abort();
    l->kernel = f;
    l->dynamic = shared;
    memcpy(l->grid, grid, sizeof l->grid);
    memcpy(l->size, size, sizeof l->size);
    l->parameters = parameters_of(f, parameters);
    c->launch = l;
    queue_add(s, c);
    return CUDA_SUCCESS;
}

EXPORT result cuLaunchKernel(const kernel *f, u32 gx, u32 gy, u32 gz, u32 bx, u32 by, u32 bz, u32 shared, void *handle,
                             void **parameters, void **extra)
{
    const u32 grid[3] = {gx, gy, gz}, size[3] = {bx, by, bz};
    BEGIN(WANTS_LIVE);
    if (extra)
        END(misuse(__func__, CUDA_ERROR_NOT_SUPPORTED, "extra must be NULL"));
    END(launch_kernel(f, grid, size, shared, handle, parameters));
}

EXPORT result cuLaunchCooperativeKernel(const kernel *f, u32 gx, u32 gy, u32 gz, u32 bx, u32 by, u32 bz, u32 shared,
                                        void *handle, void **parameters)
{
    const u32 grid[3] = {gx, gy, gz}, size[3] = {bx, by, bz};
    BEGIN(WANTS_LIVE);
    END(launch_kernel(f, grid, size, shared, handle, parameters));
}
