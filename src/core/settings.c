/*
 * settings.c - what a program or its environment can set: storage of new arrays, scalar access, threads,
 * native code, tracing, LAPACK, OpenCL, CUDA.
 *
 * A function wins over the environment, the environment over what is built in. A wrong word in the environment is an error
 * at first use that names the variable.
 */
#include "core/settings.h"

#include <errno.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "core/alloc.h"
#include "core/disk.h"
#include "core/error.h"
#include "core/implicit.h"
#include "core/state.h"
#include "core/text.h"

static atomic_int storage_set;       /* 0: ask the environment */
static atomic_bool storage_by_program;
static atomic_bool scalar_allowed;   /* for the process */
static atomic_bool threads_set;

/* ---- numbers */

ash_status ash__setting_number(const char *variable, int64_t low, int64_t high, int64_t *value)
{
    const char *const word = getenv(variable);
    char *end = NULL, most[32] = "on";
    if (!word || !*word)
        return ASH_OK;
    errno = 0;
    const long long number = strtoll(word, &end, 10);
    if (high < INT64_MAX)
        snprintf(most, sizeof most, "to %lld", (long long)high);
    if (errno || *end || number < low || number > high)
        return ash__fail(ASH_ERR_ARGUMENT, variable, "expected a whole number from %lld %s, given %.64s", (long long)low, most,
                         word);
    *value = number;
    return ASH_OK;
}

/* ---- storage */

/* 0 for a word that is neither. */
static ash_storage environment_storage(const char **word)
{
    *word = getenv("ASHLAR_STORAGE");
    if (!*word || !**word || strcmp(*word, "shared") == 0)
        return ASH_SHARED;
    return strcmp(*word, "private") == 0 ? ASH_PRIVATE : ASH_STORAGE_DEFAULT;
}

ash_storage ash__storage_for(const char *function, ash_storage given)
{
    if (given == ASH_SHARED || given == ASH_PRIVATE)
        return given;
    if (given != ASH_STORAGE_DEFAULT) {
        ash__fail(ASH_ERR_ARGUMENT, function, "unknown storage %d; expected ASH_SHARED or ASH_PRIVATE", (int)given);
        return ASH_STORAGE_DEFAULT;
    }
    const int set = atomic_load_explicit(&storage_set, memory_order_relaxed);
    if (set)
        return (ash_storage)set;
    const char *word;
    const ash_storage storage = environment_storage(&word);
    if (!storage)
        ash__fail(ASH_ERR_ARGUMENT, "ASHLAR_STORAGE", "expected shared or private, given %.64s", word);
    else
        atomic_store(&storage_set, (int)storage);
    return storage;
}

ash_status ash_set_default_storage(ash_storage storage)
{
    if (storage != ASH_SHARED && storage != ASH_PRIVATE)
        return ash__fail(ASH_ERR_ARGUMENT, "ash_set_default_storage", "unknown storage %d; expected ASH_SHARED or ASH_PRIVATE",
                         (int)storage);
    atomic_store(&storage_set, (int)storage);
    atomic_store(&storage_by_program, true);
    return ASH_OK;
}

/* ---- scalar access */

void ash_allow_scalar(bool allowed) { atomic_store(&scalar_allowed, allowed); }

int64_t ash_scalar_push(bool allowed)
{
    struct ash_state *s = ash__state();
    ash__state_register(s);
    if (s->scalar_count == s->scalar_room) {
        const int64_t room = 2 * s->scalar_room + 8;
        bool *longer = ash__realloc("ash_scalar_push", s->scalar, room, sizeof *longer);
        if (!longer)
            return s->scalar_count;
        s->scalar = longer;
        s->scalar_room = room;
    }
    s->scalar[s->scalar_count] = allowed;
    return s->scalar_count++;
}

void ash_scalar_pop(int64_t mark)
{
    struct ash_state *s = ash__state();
    if (mark >= 0 && mark < s->scalar_count)
        s->scalar_count = mark;
}

bool ash__scalar_allowed(void)
{
    const struct ash_state *s = ash__state();
    return s->scalar_count ? s->scalar[s->scalar_count - 1] : atomic_load(&scalar_allowed);
}

/* ---- threads of the CPU device */

ash_status ash_set_threads(int64_t count)
{
    if (count < 0 || count > 1024)
        return ash__fail(ASH_ERR_ARGUMENT, "ash_set_threads", "%lld threads; 0 to 1024 can be given", (long long)count);
    atomic_store(&threads_set, count != 0);
    return ash__cpu_backend.set_threads(count);
}

int64_t ash_threads(void) { return ash__cpu_backend.threads(); }

/* ---- native code */

/* 0 for a word that is none. */
static ash__native_use environment_native(void)
{
    const char *const word = getenv("ASHLAR_NATIVE");
    if (!word || !*word || strcmp(word, "auto") == 0)
        return ASH__NATIVE_AUTO;
    if (strcmp(word, "0") == 0 || strcmp(word, "off") == 0)
        return ASH__NATIVE_OFF;
    return strcmp(word, "always") == 0 ? ASH__NATIVE_ALWAYS : (ash__native_use)0;
}

ash__native_use ash__native_setting(void)
{
    static atomic_int set; /* results are the same either way: a wrong word is no error, and ash_config_print shows it */
    int use = atomic_load_explicit(&set, memory_order_relaxed);
    if (!use) {
        use = environment_native() ? (int)environment_native() : (int)ASH__NATIVE_AUTO;
        atomic_store(&set, use);
    }
    return (ash__native_use)use;
}

static const char *native_word(void)
{
#ifdef ASH__NO_NATIVE
    return "not built";
#else
    static const char *const word[] = {"wrong word", "off", "auto", "always"};
    return word[environment_native()];
#endif
}

/* ---- libraries and devices; NULL where a variable is not set or empty */

static const char *word_of(const char *variable)
{
    const char *const word = getenv(variable);
    return word && *word ? word : NULL;
}

const char *ash__lapack_setting(void) { return word_of("ASHLAR_LAPACK"); }
const char *ash__opencl_setting(void) { return word_of("ASHLAR_OPENCL"); }
const char *ash__opencl_platform_setting(void) { return word_of("ASHLAR_OPENCL_PLATFORM"); }
const char *ash__cuda_setting(void) { return word_of("ASHLAR_CUDA_LIBRARY"); }
const char *ash__nvrtc_setting(void) { return word_of("ASHLAR_NVRTC_LIBRARY"); }
const char *ash__cublas_setting(void) { return word_of("ASHLAR_CUBLAS_LIBRARY"); }
const char *ash__cufft_setting(void) { return word_of("ASHLAR_CUFFT_LIBRARY"); }
const char *ash__cusolver_setting(void) { return word_of("ASHLAR_CUSOLVER_LIBRARY"); }
ash__whose ash__cuda_libraries_setting(void)
{
    const char *const word = word_of("ASHLAR_CUDA_LIBRARIES");
    return word && strcmp(word, "ours") == 0 ? ASH__WHOSE_OURS
           : word && strcmp(word, "theirs") == 0 ? ASH__WHOSE_THEIRS
                                                 : ASH__WHOSE_AUTO;
}
const char *ash__gpu_shape_setting(void) { return word_of("ASHLAR_GPU_SHAPE"); }
bool ash__gpu_wide_setting(void) { return word_of("ASHLAR_GPU_WIDE"); }

bool ash__tf32_setting(void)
{
    const char *const word = word_of("ASHLAR_TF32");
    return word && strcmp(word, "0") != 0 && strcmp(word, "off") != 0;
}

/* ---- batches of launches */

static atomic_int batch; /* 0: ask the environment */
static atomic_bool batch_by_program;
enum { USUAL_BATCH = 16, LARGEST_BATCH = 32 };

ash_status ash_set_batch(int64_t launches)
{
    if (launches < 1 || launches > LARGEST_BATCH)
        return ash__fail(ASH_ERR_ARGUMENT, "ash_set_batch", "%lld launches; 1 to %d can be given", (long long)launches,
                         LARGEST_BATCH);
    atomic_store(&batch, (int)launches);
    atomic_store(&batch_by_program, true);
    return ASH_OK;
}

ash_status ash__batch_setting(int *launches)
{
    int64_t asked = USUAL_BATCH;
    *launches = atomic_load_explicit(&batch, memory_order_relaxed);
    if (*launches)
        return ASH_OK;
    const ash_status status = ash__setting_number("ASHLAR_BATCH", 1, LARGEST_BATCH, &asked);
    if (!status)
        atomic_store(&batch, (int)asked);
    *launches = (int)asked;
    return status;
}

/* ---- all of them */

static void put_setting(ash__text *text, const char *name, const char *value, bool set, const char *variable)
{
    const char *word = getenv(variable);
    ash__put(text, "%-15s %-10s %s\n", name, value, set ? "set by the program" : word && *word ? variable : "built in");
}

size_t ash_config_format(char *buffer, size_t size)
{
    ash__text text = {buffer, size, 0};
    const char *word, *device = ash__chosen_device(), *from_environment = getenv("ASHLAR_DEVICE");
    const bool storage_chosen = atomic_load(&storage_by_program);
    const ash_storage storage = storage_chosen ? (ash_storage)atomic_load(&storage_set) : environment_storage(&word);
    char threads[24], words[24], number[24];
    char folder[256];
    size_t limit;
    bool by_program;
    snprintf(threads, sizeof threads, "%lld", (long long)ash_threads());
    ash__put(&text, "%-15s %s\n%-15s", "version", ash_abi()->version_text, "devices");
    for (int b = 0; ash__backends[b]; b++)
        for (int i = 0, n = ash__backends[b]->count(); i < n; i++)
            ash__put(&text, " %s:%d", ash__backends[b]->name, i);
    ash__put(&text, "\n");
    put_setting(&text, "default device", device ? device : from_environment && *from_environment ? from_environment : "cpu:0",
                device, "ASHLAR_DEVICE");
    put_setting(&text, "storage", storage == ASH_PRIVATE ? "private" : storage == ASH_SHARED ? "shared" : "wrong word",
                storage_chosen, "ASHLAR_STORAGE");
    put_setting(&text, "scalar access", ash__scalar_allowed() ? "allowed" : "refused", ash__scalar_allowed(), "");
    put_setting(&text, "threads", threads, atomic_load(&threads_set), "ASHLAR_THREADS");
    put_setting(&text, "cpu level", ash__cpu_backend.level(), false, "ASHLAR_CPU_LEVEL");
    put_setting(&text, "native code", native_word(), false, "ASHLAR_NATIVE");
    word = ash__trace_setting(&by_program);
    put_setting(&text, "trace", word, by_program, "ASHLAR_TRACE");
    word = ash__disk_words(folder, sizeof folder, &limit, &by_program);
    put_setting(&text, "kernel cache", word, by_program, "ASHLAR_KERNEL_CACHE");
    snprintf(number, sizeof number, "%zu", limit);
    put_setting(&text, "  bytes", number, by_program, "ASHLAR_KERNEL_CACHE_BYTES");
    const char *const asked = word_of("ASHLAR_BATCH");
    const int now = atomic_load(&batch);
    snprintf(number, sizeof number, "%d", now ? now : USUAL_BATCH);
    put_setting(&text, "batch", !now && asked ? asked : number, atomic_load(&batch_by_program), "ASHLAR_BATCH");
    put_setting(&text, "gpu shape", ash__gpu_shape_setting() ? ash__gpu_shape_setting() : "by device", false,
                "ASHLAR_GPU_SHAPE");
    put_setting(&text, "gpu indices", ash__gpu_wide_setting() ? "64 bits" : "by size", false, "ASHLAR_GPU_WIDE");
    word = ash__forbidden_words(words, &by_program);
    put_setting(&text, "forbidden", word, by_program, "ASHLAR_FORBID");
    put_setting(&text, "lapack", ash__lapack_setting() ? ash__lapack_setting() : "looked for", false, "ASHLAR_LAPACK");
    put_setting(&text, "opencl", ash__opencl_setting() ? ash__opencl_setting() : "looked for", false, "ASHLAR_OPENCL");
    put_setting(&text, "opencl platform", ash__opencl_platform_setting() ? ash__opencl_platform_setting() : "all", false,
                "ASHLAR_OPENCL_PLATFORM");
    put_setting(&text, "cuda", ash__cuda_setting() ? ash__cuda_setting() : "looked for", false, "ASHLAR_CUDA_LIBRARY");
    put_setting(&text, "nvrtc", ash__nvrtc_setting() ? ash__nvrtc_setting() : "looked for", false, "ASHLAR_NVRTC_LIBRARY");
    static const char *const whose[] = {
        [ASH__WHOSE_AUTO] = "auto", [ASH__WHOSE_OURS] = "ours", [ASH__WHOSE_THEIRS] = "theirs"};
    put_setting(&text, "cuda libraries", whose[ash__cuda_libraries_setting()], false, "ASHLAR_CUDA_LIBRARIES");
    put_setting(&text, "cublas", ash__cublas_setting() ? ash__cublas_setting() : "looked for", false, "ASHLAR_CUBLAS_LIBRARY");
    put_setting(&text, "cufft", ash__cufft_setting() ? ash__cufft_setting() : "looked for", false, "ASHLAR_CUFFT_LIBRARY");
    put_setting(&text, "cusolver", ash__cusolver_setting() ? ash__cusolver_setting() : "looked for", false,
                "ASHLAR_CUSOLVER_LIBRARY");
    put_setting(&text, "tf32", ash__tf32_setting() ? "on" : "off", false, "ASHLAR_TF32");
    return text.length;
}

void ash_config_print(void)
{
    char text[8192];
    ash_config_format(text, sizeof text);
    fputs(text, stdout);
}
