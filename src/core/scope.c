/*
 * scope.c - who holds an array or a tree: references, and the scopes that end them.
 *
 * The scopes of a thread are one stack of references, cut into segments; a segment is a scope. They live here and not in
 * the caller's frame, so that a scope whose frame was left by longjmp is closed by the next one around it. A barrier is a
 * scope that holds nothing: arrays made inside belong to the caller.
 *
 * Invariant: refs counts all references: those of the callers, which owned counts, the entries in all stacks of all threads,
 * and those of views and of trees. A release takes one of the callers', or else an entry of its thread's stack, never that of
 * a view or a tree.
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

void ash__array_end(ash__counted *one)
{
    ash_array *a = (ash_array *)(void *)one;
    while (a) { /* a loop: a chain of views may be long */
        ash_array *const parent = atomic_load(&a->parent);
        ash__array_free(a);
        a = parent && last_reference(&parent->counted.refs) ? parent : NULL;
    }
}

bool ash__counted_disown(ash__counted *one)
{
    int owned = atomic_load_explicit(&one->owned, memory_order_acquire);
    if (owned == 1 && atomic_load_explicit(&one->refs, memory_order_acquire) == 1) { /* nobody else: nothing locked */
        atomic_store_explicit(&one->owned, 0, memory_order_relaxed);
        return true;
    }
    while (owned > 0)
        if (atomic_compare_exchange_weak(&one->owned, &owned, owned - 1))
            return true;
    return false;
}

void ash__counted_drop(ash__counted *one)
{
    if (last_reference(&one->refs))
        one->end(one);
}

void ash__counted_retain(ash__counted *one)
{
    atomic_fetch_add(&one->refs, 1);
    atomic_fetch_add(&one->owned, 1);
}

/* The newest place at or above `from` where it is held, or -1. */
static int64_t held_at(const struct ash_state *s, const ash__counted *one, int64_t from)
{
    for (int64_t i = s->held_count - 1; i >= from; i--)
        if (s->held[i] == one)
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
    ash__counted **held = ash__realloc(function, s->held, room, sizeof *held);
    if (!held)
        return false;
    s->held = held;
    s->held_room = room;
    return true;
}

/* Takes a reference of the callers'. */
static void push(struct ash_state *s, ash__counted *one)
{
    ash__counted_disown(one);
    s->held[s->held_count++] = one;
}

ash__counted *ash__counted_give(const char *function, ash__counted *one)
{
    struct ash_state *s = ash__state();
    if (!one || !s->scope_count || s->scope[s->scope_count - 1].barrier)
        return one;
    if (!reserve(s, function)) {
        ash__counted_disown(one);
        ash__counted_drop(one);
        return NULL;
    }
    push(s, one);
    return one;
}

void ash__counted_release(ash__counted *one)
{
    if (atomic_load_explicit(&one->refs, memory_order_acquire) == 1 &&
        atomic_load_explicit(&one->owned, memory_order_relaxed) == 1) {
        one->end(one); /* the last holder needs no locked instruction */
        return;
    }
    if (!ash__counted_disown(one)) { /* no caller has one left: end the newest of the scopes' */
        struct ash_state *s = ash__state();
        const int64_t i = held_at(s, one, 0);
        if (i < 0)
            return;
        unhold(s, i);
        ash__counted_disown(one);
    }
    ash__counted_drop(one);
}

void ash_release(ash_array *a)
{
    if (a)
        ash__counted_release(&a->counted);
}

ash_array *ash_retain(const ash_array *a)
{
    if (!a) {
        ash__null("ash_retain", "a");
        return NULL;
    }
    ash_array *b = (ash_array *)(uintptr_t)a;
    ash__counted_retain(&b->counted);
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
        ash__counted *one = s->held[--s->held_count];
        ash__counted_drop(one);
    }
    s->scope_count = depth;
}

void ash__counted_keep(int64_t scope, ash__counted *one)
{
    struct ash_state *s = ash__state();
    const int64_t depth = depth_of(s, scope);
    const int64_t i = depth >= 0 ? held_at(s, one, s->scope[depth].first) : -1;
    if (i < 0)
        return;
    unhold(s, i);
    if (depth == 0 || s->scope[depth].barrier || s->scope[depth - 1].barrier)
        return; /* the caller's */
    push(s, one); /* cannot fail: unhold made room */
    const int64_t to = s->scope[depth].first;
    memmove(&s->held[to + 1], &s->held[to], sizeof *s->held * (size_t)(s->held_count - 1 - to));
    s->held[to] = one; /* the last entry of the scope around this one */
    for (int64_t d = depth; d < s->scope_count; d++)
        s->scope[d].first++;
}

ash_array *ash_keep(int64_t scope, ash_array *a)
{
    if (a)
        ash__counted_keep(scope, &a->counted);
    return a;
}

void ash__counted_replace(ash__counted *old, ash__counted *one)
{
    struct ash_state *s = ash__state();
    const bool scoped = old && atomic_load(&old->owned) == 0;
    const int64_t to = scoped ? held_at(s, old, 0) : -1, from = one ? held_at(s, one, 0) : -1;
    if (to >= 0 && from >= 0) { /* change places: what is ended below is the old one, in the new one's place */
        s->held[to] = one;
        s->held[from] = old;
    } else if (old && from >= 0) {
        unhold(s, from);
    }
    if (old)
        ash__counted_release(old);
}

void ash_replace(ash_array **slot, ash_array *a)
{
    if (!slot) {
        ash__null("ash_replace", "slot");
        return;
    }
    ash_array *const old = *slot;
    *slot = a;
    if (a != old)
        ash__counted_replace(old ? &old->counted : NULL, a ? &a->counted : NULL);
}
