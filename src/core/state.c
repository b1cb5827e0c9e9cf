/*
 * state.c - per-thread state: the thread's own, which lives in thread-local storage, and those of fibers and foreign
 * runtimes, which are made and exchanged.
 */
#include "core/state.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"
#include "core/device.h"
#include "core/error.h"
#include "core/pool.h"
#include "core/tally.h"

_Thread_local struct ash_state ash__own_state;

static pthread_key_t at_end;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool have_key;

static void end_of_thread(void *state) { ash__state_clear(state); }
static void make_key(void) { have_key = pthread_key_create(&at_end, end_of_thread) == 0; }

uint64_t ash__serial_of_new_block(void)
{
    enum { BLOCK = 1 << 16 }; /* 2^48 threads or blocks of numbers: no end in sight */
    static _Atomic uint64_t blocks;
    struct ash_state *const s = &ash__own_state;
    s->serial = atomic_fetch_add_explicit(&blocks, 1, memory_order_relaxed) * BLOCK + 1;
    s->serial_end = s->serial + BLOCK;
    return s->serial++;
}

void ash__state_register(struct ash_state *state)
{
    if (state->registered || state != &ash__own_state)
        return;
    pthread_once(&once, make_key);
    if (have_key)
        pthread_setspecific(at_end, state);
    state->registered = true;
}

void ash__state_clear(struct ash_state *state)
{
    struct ash_state *const swapped = ash__own_state.swapped;
    ash__own_state.swapped = state; /* what is released below looks for its scopes here */
    if (state->scope_count)
        ash_scope_close(state->scope[0].number);
    while (state->current_count)
        ash_resources_release(state->current[--state->current_count]);
    for (int i = 0; i < ASH__DEVICE_LIMIT; i++) {
        ash__resources_retire(state->defaults[i]);
        state->defaults[i] = NULL;
        if (state->generator[i])
            ash__counted_drop(state->generator[i]);
        state->generator[i] = NULL;
    }
    while (state->spare_arrays)
        free(state->spare_array[--state->spare_arrays]);
    while (state->spare_buffers)
        free(state->spare_buffer[--state->spare_buffers]);
    ash__free(state->held);
    ash__free(state->scope);
    ash__free(state->current);
    ash__free(state->scalar);
    state->held = NULL, state->scope = NULL, state->current = NULL, state->scalar = NULL;
    state->held_room = state->scope_room = state->current_room = state->scalar_room = state->scalar_count = 0;
    if (state == &ash__own_state) {
        ash__pool_leave();
        ash__tally_unlist(&ash__own_tally);
    }
    state->registered = false;
    ash__own_state.swapped = swapped == state ? NULL : swapped;
}

bool ash__process_ends;

/* The thread that ends the process runs no destructor of its key. What foreign deleters belong to may be gone by now. */
__attribute__((destructor)) static void end_of_process(void)
{
    ash__process_ends = true;
    ash__state_clear(&ash__own_state);
}

ash_state *ash_state_new(void) { return ash__alloc("ash_state_new", 1, sizeof(struct ash_state)); }

ash_state *ash_state_swap(ash_state *state)
{
    struct ash_state *const before = ash__own_state.swapped;
    ash__own_state.swapped = state;
    return before;
}

void ash_state_release(ash_state *state)
{
    if (!state)
        return;
    ash__state_clear(state);
    ash__free(state);
}
