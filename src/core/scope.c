/*
 * scope.c - who holds an array: references, and the scopes that end them.
 *
 * The scopes of a thread are one stack of references, cut into segments; a segment is a scope. They live here and not in
 * the caller's frame, so that a scope whose frame was left by longjmp is closed by the next one around it. A barrier is a
 * scope that holds nothing: arrays made inside belong to the caller.
 *
 * Invariant: a->refs counts all references: those of the callers, which a->owned counts, the entries for a in all stacks of
 * all threads, and the views made from a. A release takes one of the callers', or else an entry of its thread's stack, never
 * that of a view.
 */
#include <stdlib.h>
#include <string.h>

#include "core/alloc.h"
#include "core/array.h"
#include "core/error.h"
#include "core/state.h"
#include "core/tally.h"

int64_t ash_live_arrays(void) { return ash__tally_sum(ASH__COUNT_ARRAYS); }

/* ---- references */

/* The last holder needs no locked instruction: nobody else can come or go. */
static bool last_reference(atomic_int *refs)
{
    return atomic_load_explicit(refs, memory_order_acquire) == 1 || atomic_fetch_sub(refs, 1) == 1;
}

/* Ends an array and, in a loop rather than by recursion, the parents that only it held. */
static void destroy(ash_array *a)
{
    while (a) {
        ash_array *const parent = atomic_load(&a->parent);
        ash__array_free(a);
        a = parent && last_reference(&parent->refs) ? parent : NULL;
    }
}

bool ash__disown(ash_array *a)
{
    int owned = atomic_load_explicit(&a->owned, memory_order_acquire);
    if (owned == 1 && atomic_load_explicit(&a->refs, memory_order_acquire) == 1) { /* no other holder, no locked instruction */
        atomic_store_explicit(&a->owned, 0, memory_order_relaxed);
        return true;
    }
    while (owned > 0)
        if (atomic_compare_exchange_weak(&a->owned, &owned, owned - 1))
            return true;
    return false;
}

void ash__drop(ash_array *a)
{
    if (last_reference(&a->refs))
        destroy(a);
}

/* The newest place at or above `from` where a is held, or -1. */
static int64_t held_at(const struct ash_state *s, const ash_array *a, int64_t from)
{
    for (int64_t i = s->held_count - 1; i >= from; i--)
        if (s->held[i] == a)
            return i;
    return -1;
}

/* Takes entry i out of the stack; its reference passes to the caller. */
static void unhold(struct ash_state *s, int64_t i)
{
    atomic_fetch_add(&s->held[i]->owned, 1);
    memmove(&s->held[i], &s->held[i + 1], sizeof *s->held * (size_t)(s->held_count - i - 1));
    s->held_count--;
    for (int64_t d = s->scope_count; d-- > 0 && s->scope[d].first > i;)
        s->scope[d].first--;
}

static bool reserve(struct ash_state *s, const char *function)
{
    if (s->held_count < s->held_room)
        return true;
    const int64_t room = 2 * s->held_room + 16;
    ash_array **held = ash__realloc(function, s->held, room, sizeof *held);
    if (!held)
        return false;
    s->held = held;
    s->held_room = room;
    return true;
}

/* Takes a reference of the callers'. */
static void push(struct ash_state *s, ash_array *a)
{
    ash__disown(a);
    s->held[s->held_count++] = a;
}

ash_array *ash__scope_hold(const char *function, ash_array *a)
{
    struct ash_state *s = ash__state();
    if (!a || !s->scope_count || s->scope[s->scope_count - 1].barrier)
        return a;
    if (!reserve(s, function)) {
        ash__disown(a);
        ash__drop(a);
        return NULL;
    }
    push(s, a);
    return a;
}

void ash_release(ash_array *a)
{
    if (!a)
        return;
    if (!ash__disown(a)) { /* no caller has one left: end the newest of the scopes' */
        struct ash_state *s = ash__state();
        const int64_t i = held_at(s, a, 0);
        if (i < 0)
            return;
        unhold(s, i);
        ash__disown(a);
    }
    ash__drop(a);
}

ash_array *ash_retain(const ash_array *a)
{
    if (!a) {
        ash__null("ash_retain", "a");
        return NULL;
    }
    ash_array *b = (ash_array *)(uintptr_t)a;
    atomic_fetch_add(&b->refs, 1);
    atomic_fetch_add(&b->owned, 1);
    return b;
}

ash_array *ash_share(const ash_array *a)
{
    if (!a) {
        ash__null("ash_share", "a");
        return NULL;
    }
    return ash__scope_hold("ash_share", ash_retain(a));
}

/* ---- scopes */

static int64_t open_scope(const char *function, bool barrier)
{
    struct ash_state *s = ash__state();
    ash__state_register(s);
    if (s->scope_count == s->scope_room) {
        const int64_t room = 2 * s->scope_room + 8;
        ash__scope *scope = ash__realloc(function, s->scope, room, sizeof *scope);
        if (!scope)
            return -1;
        s->scope = scope;
        s->scope_room = room;
    }
    s->scope[s->scope_count++] = (ash__scope){.first = s->held_count, .number = ++s->scope_number, .barrier = barrier};
    return s->scope_number;
}
int64_t ash_scope_open(void) { return open_scope("ash_scope_open", false); }
int64_t ash_scope_open_barrier(void) { return open_scope("ash_scope_open_barrier", true); }

/* The place of a scope in the stack, or -1 when it has been closed (or never was). */
static int64_t depth_of(const struct ash_state *s, int64_t number)
{
    for (int64_t d = s->scope_count; d-- > 0 && s->scope[d].number >= number;)
        if (s->scope[d].number == number)
            return d;
    return -1;
}

void ash_scope_close(int64_t scope)
{
    struct ash_state *s = ash__state();
    const int64_t depth = depth_of(s, scope);
    if (depth < 0)
        return;
    const int64_t first = s->scope[depth].first;
    while (s->held_count > first) {
        ash_array *a = s->held[--s->held_count];
        ash__drop(a);
    }
    s->scope_count = depth;
}

ash_array *ash_keep(int64_t scope, ash_array *a)
{
    struct ash_state *s = ash__state();
    const int64_t depth = a ? depth_of(s, scope) : -1;
    const int64_t i = depth >= 0 ? held_at(s, a, s->scope[depth].first) : -1;
    if (i < 0)
        return a;
    unhold(s, i);
    if (depth == 0 || s->scope[depth].barrier || s->scope[depth - 1].barrier)
        return a; /* the caller's */
    push(s, a); /* cannot fail: unhold made room */
    const int64_t to = s->scope[depth].first;
    memmove(&s->held[to + 1], &s->held[to], sizeof *s->held * (size_t)(s->held_count - 1 - to));
    s->held[to] = a; /* the last entry of the scope around this one */
    for (int64_t d = depth; d < s->scope_count; d++)
        s->scope[d].first++;
    return a;
}

void ash_replace(ash_array **slot, ash_array *a)
{
    if (!slot) {
        ash__null("ash_replace", "slot");
        return;
    }
    struct ash_state *s = ash__state();
    ash_array *const old = *slot;
    if (a == old)
        return;
    const bool scoped = old && atomic_load(&old->owned) == 0;
    const int64_t to = scoped ? held_at(s, old, 0) : -1, from = a ? held_at(s, a, 0) : -1;
    if (to >= 0 && from >= 0) { /* change places: what is ended below is the old one, in the new one's place */
        s->held[to] = a;
        s->held[from] = old;
    } else if (old && from >= 0) {
        unhold(s, from);
    }
    *slot = a;
    ash_release(old);
}
