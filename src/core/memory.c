/*
 * memory.c - memory backends: where the bytes of arrays come from.
 *
 * Built in are the device's pool, plain malloc, and huge pages; a program adds its own. A backend lives as long as a buffer
 * from it does.
 */
#include "core/memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "core/alloc.h"
#include "core/error.h"
#include "core/options.h"

static void *plain_allocate(void *context, size_t nbytes, size_t alignment)
{
    (void)context;
    return aligned_alloc(alignment, (nbytes + alignment - 1) / alignment * alignment);
}

static void plain_deallocate(void *context, void *data, size_t nbytes)
{
    (void)context, (void)nbytes;
    free(data);
}

/* Linux maps 2 MiB pages where the block is aligned to them and the advice is heeded; elsewhere this is plain memory. */
static void *huge_allocate(void *context, size_t nbytes, size_t alignment)
{
    (void)alignment;
    void *data = plain_allocate(context, nbytes, (size_t)2 << 20);
#ifdef MADV_HUGEPAGE
    if (data)
        madvise(data, nbytes, MADV_HUGEPAGE);
#endif
    return data;
}

static ash_memory pool = {.refs = 1, .kind = ASH__MEMORY_POOL, .permanent = true, .name = "pool"};
static ash_memory plain = {.refs = 1,
                           .kind = ASH__MEMORY_USER,
                           .permanent = true,
                           .name = "malloc",
                           .call = {.allocate = plain_allocate, .deallocate = plain_deallocate}};
static ash_memory huge = {.refs = 1,
                          .kind = ASH__MEMORY_USER,
                          .permanent = true,
                          .name = "huge",
                          .call = {.allocate = huge_allocate, .deallocate = plain_deallocate}};

ash_memory *ash_memory_pool(void) { return &pool; }
ash_memory *ash_memory_malloc(void) { return &plain; }
ash_memory *ash_memory_huge(void) { return &huge; }

ash_memory *ash_memory_new(const ash_memory_functions *functions)
{
    static const char f[] = "ash_memory_new";
    ash_memory_functions call;
    if (!functions) {
        ash__null(f, "functions");
        return NULL;
    }
    if (!ash__read_options(f, &call, sizeof call, functions))
        return NULL;
    if (!call.allocate || !call.deallocate) {
        ash__fail(ASH_ERR_ARGUMENT, f, "%s is NULL; a memory backend needs both", call.allocate ? "deallocate" : "allocate");
        return NULL;
    }
    ash_memory *memory = ash__alloc(f, 1, sizeof *memory);
    if (!memory)
        return NULL;
    atomic_init(&memory->refs, 1);
    memory->kind = ASH__MEMORY_USER;
    snprintf(memory->name, sizeof memory->name, "%s", call.name ? call.name : "user");
    memory->call = call;
    memory->call.name = memory->name;
    return memory;
}

ash_memory *ash__memory_retain(ash_memory *memory)
{
    if (memory && !memory->permanent)
        atomic_fetch_add(&memory->refs, 1);
    return memory;
}

void ash_memory_release(ash_memory *memory)
{
    if (!memory || memory->permanent || atomic_fetch_sub(&memory->refs, 1) != 1)
        return;
    if (memory->call.finish)
        memory->call.finish(memory->call.context);
    ash__free(memory);
}

const char *ash_memory_name(const ash_memory *memory) { return memory ? memory->name : "foreign"; }
