/*
 * cache.c - compiled programs of a device, by their text: in memory, and in a folder where the program asked for one.
 *
 * A driver's compiler takes some hundred milliseconds, so nothing is compiled twice while there is room; then the oldest goes.
 * It works without the device's lock: other threads go on, and wait only for a text that they need too.
 */
#include <stdlib.h>
#include <string.h>

#include "backend/gpu/gpu.h"
#include "core/alloc.h"
#include "core/disk.h"
#include "core/trace.h"

/* The place of a text, or -1. */
static int place_of(const ash__gpu *gpu, const char *text, uint64_t hash)
{
    for (int i = 0; i < gpu->count; i++)
        if (gpu->program[i].hash == hash && gpu->program[i].text && strcmp(gpu->program[i].text, text) == 0)
            return i;
    return -1;
}

/* Where the next program goes: an empty place, or that of the oldest, which is ended. Queued work keeps what it needs. Those
 * that are being compiled stay: there are fewer than there are places, since each has a thread. */
static ash__gpu_program *make_room(ash__gpu *gpu)
{
    while (gpu->count == ASH__GPU_PROGRAMS && gpu->program[gpu->next].text && !gpu->program[gpu->next].program)
        gpu->next = (gpu->next + 1) % ASH__GPU_PROGRAMS;
    ash__gpu_program *const place = &gpu->program[gpu->next];
    gpu->next = (gpu->next + 1) % ASH__GPU_PROGRAMS;
    if (gpu->count < ASH__GPU_PROGRAMS)
        gpu->count++;
    if (place->program)
        gpu->driver->program_free(place->program);
    ash__free(place->text);
    return place;
}

/* From the folder; false: it is not there. */
static bool load(const ash_device *device, const char *text, void **program)
{
    const ash__gpu *const gpu = device->state;
    ash__disk_entry entry;
    void *held = NULL;
    if (!gpu->driver->program_load || !ash__disk_get(gpu->identity, text, &entry, &held))
        return false;
    const bool loaded = gpu->driver->program_load(NULL, device, entry.bytes, entry.nbytes, program) == ASH_OK;
    free(held);
    ash__compile_counts(loaded ? ASH__LOADED : ASH__REJECTED);
    return loaded;
}

static __attribute__((cold, noinline)) void trace(const char *function, const ash_device *device, const char *text, bool loaded,
                                                  ash_status status, double start)
{
    ash__trace t;
    ash__trace_begin(&t, "compile", function, device);
    ash__trace_flag(&t, "from_disk", loaded);
    ash__trace_number(&t, "bytes", (int64_t)strlen(text));
    if (status)
        ash__trace_words(&t, "failed", ash_status_name(status));
    ash__trace_time(&t, start);
    ash__trace_end(&t);
}

/* Without the lock. *fresh: to be stored when it has run. */
static ash_status make_program(const char *function, const ash_device *device, const char *text, void **program, bool *fresh)
{
    const ash__gpu *const gpu = device->state;
    bool on = false;
    const double start = ash__trace_clock();
    ash_status status = ash__disk_open(&on);
    const bool loaded = !status && on && load(device, text, program);
    if (!status && !loaded)
        status = gpu->driver->compile(function, device, text, program);
    *fresh = on && !loaded && gpu->driver->program_binary;
    if (!status && !loaded)
        ash__compile_counts(ASH__COMPILED);
    if (__builtin_expect(start > 0, 0))
        trace(function, device, text, loaded, status, start);
    return status;
}

static ash_status add_program(const char *function, const ash_device *device, const char *text, uint64_t hash)
{
    ash__gpu *const gpu = device->state;
    const size_t size = strlen(text) + 1;
    void *made = NULL;
    bool fresh;
    char *const kept = ash__alloc(function, 1, size);
    if (!kept)
        return ASH_ERR_MEMORY;
    memcpy(kept, text, size);
    ash__gpu_program *const place = make_room(gpu);
    *place = (ash__gpu_program){.text = kept, .hash = hash};
    pthread_mutex_unlock(&gpu->lock);
    const ash_status status = make_program(function, device, text, &made, &fresh);
    pthread_mutex_lock(&gpu->lock);
    if (status) {
        ash__free(kept);
        *place = (ash__gpu_program){.text = NULL};
    } else {
        place->program = made;
        place->fresh = fresh;
    }
    pthread_cond_broadcast(&gpu->compiled);
    return status;
}

ash_status ash__gpu_compiled(const char *function, const ash_device *device, const char *text, ash__gpu_program **program)
{
    ash__gpu *const gpu = device->state;
    const uint64_t hash = ash__hash(text, strlen(text));
    for (;;) {
        const int at = place_of(gpu, text, hash);
        if (at >= 0 && gpu->program[at].program) {
            *program = &gpu->program[at];
            return ASH_OK;
        }
        if (at >= 0) {
            pthread_cond_wait(&gpu->compiled, &gpu->lock);
            continue;
        }
        const ash_status status = add_program(function, device, text, hash);
        if (status)
            return status;
    }
}

void ash__gpu_store(ash__gpu *gpu, const char *text)
{
    ash__disk_entry entry = {.text = text};
    void *bytes = NULL;
    const int at = place_of(gpu, text, ash__hash(text, strlen(text)));
    if (at < 0 || !gpu->program[at].fresh)
        return;
    gpu->program[at].fresh = false;
    const ash_status status = gpu->driver->program_binary(NULL, gpu->program[at].program, &bytes, &entry.nbytes);
    entry.bytes = bytes;
    if (status) {
        ash__compile_counts(ASH__UNSTORED);
        return;
    }
    pthread_mutex_unlock(&gpu->lock);
    ash__disk_put(gpu->identity, &entry);
    free(bytes);
    pthread_mutex_lock(&gpu->lock);
}

typedef struct warming {
    const char *function;
    const ash_device *device;
    ash_status status;
} warming;

/* Found by its text, as any; the file is read once more. */
static bool warm_one(void *context, const ash__disk_entry *entry)
{
    warming *const w = context;
    ash__gpu *const gpu = w->device->state;
    ash__gpu_program *program;
    pthread_mutex_lock(&gpu->lock);
    if (gpu->count < ASH__GPU_PROGRAMS)
        w->status = ash__gpu_compiled(w->function, w->device, entry->text, &program);
    const bool more = !w->status && gpu->count < ASH__GPU_PROGRAMS;
    pthread_mutex_unlock(&gpu->lock);
    return more;
}

ash_status ash__gpu_warm(const char *function, const ash_device *device)
{
    const ash__gpu *const gpu = device->state;
    warming w = {.function = function, .device = device};
    bool on = false;
    if ((w.status = ash__gpu_check_process(function, gpu)) || (w.status = ash__disk_open(&on)) || !on ||
        !gpu->driver->program_load)
        return w.status;
    ash__disk_each(gpu->identity, warm_one, &w);
    return w.status;
}
