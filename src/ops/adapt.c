/*
 * adapt.c - arrays brought to another device, storage or element type.
 *
 * A chain of views, which may be long, is adapted from its base down. What was adapted is remembered, so that arrays with a
 * common parent have one again.
 */
#include "ops/adapt.h"

#include <stdlib.h>

#include "core/alloc.h"
#include "core/error.h"
#include "ops/task.h"

ash_status ash__adapt_begin(ash__adaptation *m, const char *function, const ash_target *target)
{
    *m = (ash__adaptation){.pending = ash__pending(), .barrier = -1};
    const ash_status status = ash__read_target(function, &m->target, target);
    if (status)
        return status;
    m->barrier = ash_scope_open_barrier();
    return m->barrier < 0 ? ash__last_status() : ASH_OK;
}

void ash__adapt_end(ash__adaptation *m)
{
    for (int64_t i = 0; i < m->count; i++)
        ash_release(m->list[i].to);
    ash__free(m->list);
    ash__places_free(&m->seen);
    ash_scope_close(m->barrier);
}

void ash__adapt_place(const ash__adaptation *m, const char *place)
{
    if (!m->pending)
        ash__error_place(place);
}

/* Takes the caller's reference to one->to, also when it fails. */
static const ash__adapted *remember(ash__adaptation *m, ash__adapted one)
{
    const char *f = m->target.function;
    ash_status status = ASH_OK;
    if (m->count == m->room) {
        const int64_t room = 2 * m->room + 4;
        ash__adapted *list = ash__realloc(f, m->list, room, sizeof *list);
        status = list ? ASH_OK : ash__last_status();
        if (list)
            m->list = list, m->room = room;
    }
    if (!status)
        status = ash__places_add(f, &m->seen, one.from, m->count);
    if (status) {
        ash_release(one.to);
        return NULL;
    }
    m->list[m->count] = one;
    return &m->list[m->count++];
}

static const ash__adapted *seen(const ash__adaptation *m, const ash_array *a)
{
    const int64_t number = ash__places_find(&m->seen, a);
    return number < 0 ? NULL : &m->list[number];
}

/* ---- bases */

static bool satisfies(const ash__target *t, const ash_array *a, ash_dtype dtype)
{
    return a->dtype == dtype && (!t->resources || t->resources->device == ash__device(a)) &&
           (!t->storage || t->storage == a->storage) && (!t->memory || t->memory == a->buffer->memory);
}

/* Byte strides of a dense array whose axes lie in the order of those of a. */
static void strides_in_order(const ash_array *a, int64_t item, int64_t *stride)
{
    int order[ASH_MAX_RANK];
    for (int k = 0; k < a->rank; k++) { /* the smallest step first, of equal ones the last axis */
        int at = k;
        for (; at > 0 && llabs(a->stride[order[at - 1]]) >= llabs(a->stride[k]); at--)
            order[at] = order[at - 1];
        order[at] = k;
    }
    for (int i = 0; i < a->rank; i++) {
        stride[order[i]] = a->size ? item : 0;
        item *= a->shape[order[i]];
    }
}

/* A new array for the elements of a, dense, its axes in the same order. */
static ash_array *room_for(const ash__target *t, const ash_array *a, ash_dtype dtype)
{
    const int64_t item = (int64_t)ash_dtype_size(a->dtype);
    const bool rows = ash__dense(ASH_ROW_MAJOR, a->shape, a->stride, a->rank, item);
    const bool columns = !rows && ash__dense(ASH_COL_MAJOR, a->shape, a->stride, a->rank, item);
    const ash__make make = {.resources = t->resources ? t->resources : ash__resources_on(t->function, ash__device(a), NULL),
                            .dtype = dtype,
                            .layout = columns ? ASH_COL_MAJOR : ASH_ROW_MAJOR,
                            .storage = t->storage ? t->storage : a->storage,
                            .memory = t->memory ? t->memory : a->buffer->memory};
    ash_array *b = make.resources ? ash__array_new(t->function, ash__dims(a), &make) : NULL;
    if (!b || rows || columns)
        return b;
    int64_t stride[ASH_MAX_RANK];
    strides_in_order(a, (int64_t)ash_dtype_size(dtype), stride);
    ash_array *ordered =
        ash__array_over(t->function, b->buffer, b->resources, b->storage, dtype, a->shape, stride, a->rank, 0, NULL);
    ash_release(b);
    return ordered;
}

static ash_array *converted(const ash__target *t, const ash_array *a, ash_dtype dtype)
{
    ash_array *b = room_for(t, a, dtype);
    if (!b)
        return NULL;
    b->conjugated = a->conjugated && ash__is_complex(dtype);
    ash_status status = ASH_OK;
    if (ash__is_record(dtype) && dtype != a->dtype)
        status = ash__fill_zeros(t->function, b, NULL); /* the gaps between fields */
    if (!status)
        status = ash__adapt_elements(t->function, b, a);
    if (status) {
        ash_release(b);
        return NULL;
    }
    return b;
}

/* ---- views */

/* The array that a is a view of, when it takes part; NULL: a is a base. */
static const ash_array *above(const ash__target *t, const ash_array *a)
{
    const ash_array *parent = a->view ? atomic_load(&a->parent) : NULL;
    if (!parent || parent->released)
        return NULL;
    const bool refused = t->dtype && parent->dtype != t->dtype && ash__is_record(parent->dtype);
    return refused && !ash__is_record(a->dtype) ? NULL : parent;
}

/* One array, with its parent adapted already. */
static const ash__adapted *adapt_one(ash__adaptation *m, const ash_array *a, const ash__adapted *up)
{
    const ash__target *t = &m->target;
    ash_dtype dtype;
    if (ash__target_dtype(t, a->dtype, &dtype))
        return NULL;
    const bool stays = up ? up->to == up->from && a->dtype == dtype : satisfies(t, a, dtype);
    if (stays)
        return remember(m,
                        (ash__adapted){a, ash_retain(a), up ? up->base_from : a, up ? up->base_to : (ash_array *)(uintptr_t)a});
    ash_array *b = NULL;
    if (up && ash__adapt_view(t->function, a, dtype, up, &b))
        return NULL;
    if (b)
        return remember(m, (ash__adapted){a, b, up->base_from, up->base_to});
    b = converted(t, a, dtype);
    return b ? remember(m, (ash__adapted){a, b, a, b}) : NULL;
}

ash_array *ash__adapt_array(ash__adaptation *m, const ash_array *a)
{
    const char *f = m->target.function;
    const ash_array *few[16], **chain = few, *top = a;
    int64_t count = 0;
    if (ash__check_array(f, "a", a))
        return NULL;
    for (; top && !seen(m, top); top = above(&m->target, top))
        count++;
    if (count > 16 && !(chain = ash__alloc(f, count, sizeof *chain)))
        return NULL;
    const ash_array *one = a;
    for (int64_t i = 0; i < count; i++, one = above(&m->target, one))
        chain[i] = one;

    const ash__adapted *now = top ? seen(m, top) : NULL;
    for (int64_t i = count; i-- > 0;) {
        now = adapt_one(m, chain[i], now);
        if (!now) {
            if (i > 0)
                ash__adapt_place(m, "its parent: ");
            break;
        }
    }
    if (chain != few)
        ash__free(chain);
    return now ? now->to : NULL;
}

ash_array *ash_adapt_opt(const ash_array *a, const ash_target *target)
{
    static const char f[] = "ash_adapt";
    ash__adaptation m;
    ash_array *b = ash__adapt_begin(&m, f, target) ? NULL : ash__adapt_array(&m, a);
    if (b)
        ash_retain(b);
    ash__adapt_end(&m);
    return ash__scope_hold(f, b);
}
