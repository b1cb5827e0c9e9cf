/*
 * cache.c - compiled programs of a device, by their text, in memory.
 *
 * A driver's compiler takes some hundred milliseconds, so nothing is compiled twice while there is room; then the oldest goes.
 */
#include <string.h>

#include "backend/gpu/gpu.h"
#include "core/alloc.h"

static uint64_t hash_of(const char *text) /* FNV-1a */
{
    uint64_t h = 0xcbf29ce484222325u;
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 0x100000001b3u;
    return h;
}

/* Where the next program goes: an empty place, or that of the oldest, which is ended. Queued work keeps what it needs. */
static ash__gpu_program *make_room(ash__gpu *gpu)
{
    ash__gpu_program *const place = &gpu->program[gpu->next];
    gpu->next = (gpu->next + 1) % ASH__GPU_PROGRAMS;
    if (gpu->count < ASH__GPU_PROGRAMS) {
        gpu->count++;
    } else {
        gpu->driver->program_free(place->program);
        ash__free(place->text);
    }
    return place;
}

ash_status ash__gpu_compiled(const char *function, const ash_device *device, const char *text, void **program)
{
    ash__gpu *const gpu = device->state;
    const uint64_t hash = hash_of(text);
    for (int i = 0; i < gpu->count; i++)
        if (gpu->program[i].hash == hash && strcmp(gpu->program[i].text, text) == 0) {
            *program = gpu->program[i].program;
            return ASH_OK;
        }
    const size_t size = strlen(text) + 1;
    char *const kept = ash__alloc(function, 1, size);
    if (!kept)
        return ASH_ERR_MEMORY;
    const ash_status status = gpu->driver->compile(function, device, text, program);
    if (status) {
        ash__free(kept);
        return status;
    }
    memcpy(kept, text, size);
    *make_room(gpu) = (ash__gpu_program){kept, hash, *program};
    return ASH_OK;
}
