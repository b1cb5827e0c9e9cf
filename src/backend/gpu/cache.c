/*
 * cache.c - compiled programs of a device, by their text, in memory.
 *
 * A driver's compiler takes some hundred milliseconds, so nothing is compiled twice while there is room; then the oldest goes.
 */
#include <string.h>

#include "backend/gpu/gpu.h"
#include "core/alloc.h"

/* Of every launch's text, some thousand bytes: eight at a time, by the constant of FNV-1a and a turn that brings high bits
 * down. */
static uint64_t hash_of(const char *text, size_t length)
{
    uint64_t h = 0xcbf29ce484222325u, word = 0;
    for (; length >= sizeof word; text += sizeof word, length -= sizeof word) {
        memcpy(&word, text, sizeof word);
        h = (h ^ word) * 0x100000001b3u;
        h ^= h >> 32;
    }
    word = 0;
    memcpy(&word, text, length);
    return (h ^ word) * 0x100000001b3u;
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
    const size_t size = strlen(text) + 1;
    const uint64_t hash = hash_of(text, size - 1);
    for (int i = 0; i < gpu->count; i++)
        if (gpu->program[i].hash == hash && strcmp(gpu->program[i].text, text) == 0) {
            *program = gpu->program[i].program;
            return ASH_OK;
        }
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
