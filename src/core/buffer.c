/*
 * buffer.c - one reference-counted allocation, from a memory backend or lent by the program.
 *
 * The headers of buffers of the pool are themselves kept for reuse, per thread, so that a small array costs no malloc.
 */
#include "core/buffer.h"

#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "core/alloc.h"
#include "core/deferred.h"
#include "core/device.h"
#include "core/error.h"
#include "core/memory.h"
#include "core/pool.h"
#include "core/state.h"
#include "core/tally.h"

static ash__buffer *new_header(const char *function)
{
    struct ash_state *s = &ash__own_state;
    ash__buffer *b = NULL;
    if (ash__allocation_fails())
        ash__fail(ASH_ERR_MEMORY, function, "no memory for %zu bytes", sizeof *b);
    else if (s->spare_buffers)
        b = s->spare_buffer[--s->spare_buffers];
    else if (!(b = malloc(sizeof *b)))
        ash__fail(ASH_ERR_MEMORY, function, "no memory for %zu bytes", sizeof *b);
    return b;
}

static void free_header(ash__buffer *b)
{
    struct ash_state *s = &ash__own_state;
    if (s->spare_buffers < ASH__SPARE && s->registered)
        s->spare_buffer[s->spare_buffers++] = b;
    else
        free(b);
}

/* Bytes from a memory backend of the host. */
static void *take(const char *function, ash_memory *memory, size_t nbytes)
{
    void *data = ash__allocation_fails() ? NULL : memory->call.allocate(memory->call.context, nbytes, ASH__ALIGN);
    if (!data) {
        ash__fail(ASH_ERR_MEMORY, function, "memory backend %s has no memory for %zu bytes", memory->name, nbytes);
    } else if ((uintptr_t)data % ASH__ALIGN) {
        ash__fail(ASH_ERR_ARGUMENT, function, "memory backend %s gave an address that is not aligned to %d bytes", memory->name,
                  ASH__ALIGN);
        memory->call.deallocate(memory->call.context, data, nbytes);
        data = NULL;
    }
    return data;
}

/* Gives bytes back to where they came from. */
static void give(ash__buffer *b)
{
    const size_t taken = b->nbytes ? b->nbytes : 1;
    if (b->block)
        ash__pool_give(b->device->pool, b->block, b->hosted, taken);
    else
        b->memory->call.deallocate(b->memory->call.context, b->data, taken);
}

ash__buffer *ash__buffer_new(const char *function, const ash_device *device, ash_memory *memory, ash_storage storage,
                             size_t nbytes)
{
    const ash__backend *const backend = device->backend;
    if (!memory)
        memory = ash_memory_pool();
    ash__state_register(&ash__own_state);
    const size_t taken = nbytes ? nbytes : 1; /* an empty buffer has an address of its own too */
    ash__buffer made = {.nbytes = nbytes, .device = device, .memory = memory};
    made.hosted = !backend->address || storage == ASH_SHARED || memory->kind != ASH__MEMORY_POOL;
    if (memory->kind != ASH__MEMORY_POOL)
        made.data = take(function, memory, taken);
    else if ((made.block = ash__pool_take(device->pool, function, made.hosted, taken)))
        made.data = backend->address ? backend->address(made.block) : made.block;
    if (!made.data)
        return NULL;
    ash__buffer *b = new_header(function);
    if (!b) {
        give(&made);
        return NULL;
    }
    ash__memory_retain(memory);
    *b = made;
    atomic_init(&b->refs, 1);
    return b;
}

ash__buffer *ash__buffer_wrap(const char *function, const ash_device *device, void *data, size_t nbytes, bool readonly,
                              bool deferred, void (*deleter)(void *context), void *context)
{
    ash__buffer *b = new_header(function);
    if (!b)
        return NULL;
    *b = (ash__buffer){.readonly = readonly,
                       .deferred = deferred,
                       .hosted = true,
                       .data = data,
                       .nbytes = nbytes,
                       .device = device,
                       .deleter = deleter,
                       .context = context};
    atomic_init(&b->refs, 1);
    if (deferred && !ash__deferred_reserve(function)) {
        free_header(b);
        return NULL;
    }
    return b;
}

ash__buffer *ash__buffer_retain(ash__buffer *buffer)
{
    atomic_fetch_add(&buffer->refs, 1);
    return buffer;
}

void ash__buffer_disclaim(ash__buffer *b)
{
    if (b->deferred)
        ash__deferred_cancel();
    b->deferred = false;
    b->deleter = NULL;
}

void ash__buffer_release(ash__buffer *b)
{
    if (!b || (atomic_load_explicit(&b->refs, memory_order_acquire) != 1 && atomic_fetch_sub(&b->refs, 1) != 1))
        return; /* the last holder needs no locked instruction */
    ash_memory *const memory = b->memory;
    ash__tally_add(ASH__COUNT_BUFFERS, 1);
    if (!memory && b->block)
        b->device->backend->lending->unwrap(b);
    else if (!memory && b->deferred)
        ash__deferred_add(b->context);
    else if (!memory && b->deleter && !ash__process_ends)
        b->deleter(b->context);
    else if (memory)
        give(b);
    free_header(b);
    ash_memory_release(memory);
}
