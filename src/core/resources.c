/*
 * resources.c - a device with an in-order queue: made by the program, or one default per thread and device.
 *
 * A block can make resources current; what could not be made is remembered as such (NULL on the stack), so that work inside
 * the block fails and never moves to another device.
 */
#include "backend/backend.h"
#include "core/alloc.h"
#include "core/array.h"
#include "core/error.h"
#include "core/host.h"
#include "core/implicit.h"
#include "core/state.h"
#include "core/tally.h"

ash_resources *ash__resources_new(const char *function, const ash_device *device)
{
    ash_resources *r = ash__alloc(function, 1, sizeof *r);
    if (!r)
        return NULL;
    atomic_init(&r->refs, 1);
    r->device = device;
    return r;
}

ash_resources *ash_resources_new(const char *device)
{
    static const char f[] = "ash_resources_new";
    const ash_device *d = ash__device_named(f, device);
    return d ? ash__resources_new(f, d) : NULL;
}

ash_resources *ash_resources_retain(ash_resources *resources)
{
    if (!resources)
        ash__null("ash_resources_retain", "resources");
    else
        ash__resources_hold(resources);
    return resources;
}

void ash_resources_release(ash_resources *r)
{
    if (!r || r->lasting || atomic_fetch_sub(&r->refs, 1) != 1)
        return;
    if (r->device->backend->end)
        r->device->backend->end(r);
    ash__tally_add(ASH__COUNT_RESOURCES, 1);
    ash__free(r);
}

const ash_device *ash_resources_device(const ash_resources *resources)
{
    if (!resources)
        ash__null("ash_resources_device", "resources");
    return resources ? resources->device : NULL;
}

/* ---- which resources a call uses */

/* Default resources of threads that have ended, by device. Arrays made with them may live on, so they are never freed, and
 * there are never more than there were threads at one time. The whole list is taken at once, so no address can come back
 * while somebody looks at it. */
static _Atomic(ash_resources *) idle[ASH__DEVICE_LIMIT];

void ash__resources_retire(ash_resources *r)
{
    if (!r)
        return;
    r->next = atomic_load(&idle[r->device->slot]);
    while (!atomic_compare_exchange_weak(&idle[r->device->slot], &r->next, r))
        continue;
}

static ash_resources *take_idle(const ash_device *device)
{
    ash_resources *first = atomic_exchange(&idle[device->slot], NULL);
    for (ash_resources *r = first ? first->next : NULL, *next; r; r = next) {
        next = r->next;
        ash__resources_retire(r);
    }
    return first;
}

static ash_resources *default_on(const char *function, const ash_device *device)
{
    struct ash_state *s = ash__state();
    ash_resources **slot = &s->defaults[device->slot];
    if (!*slot) {
        ash__state_register(s);
        *slot = take_idle(device);
    }
    if (!*slot) {
        *slot = ash__resources_new(function, device);
        if (*slot)
            (*slot)->lasting = true;
    }
    return *slot;
}

static ash_resources *broken(const char *function)
{
    if (ash__pending())
        ash__null(function, "resources"); /* passes the cause on */
    else
        ash__fail(ASH_ERR_DEVICE, function, "the resources of this block could not be made");
    return NULL;
}

ash_resources *ash__resources_for(const char *function, ash_resources *given)
{
    if (given)
        return given;
    const struct ash_state *s = ash__state();
    if (s->current_count) {
        ash_resources *top = s->current[s->current_count - 1];
        return top ? top : broken(function);
    }
    const ash_device *device = ash__default_device();
    return device ? default_on(function, device) : NULL;
}

ash_resources *ash__resources_on(const char *function, const ash_device *device, ash_resources *given)
{
    if (given && given->device != device) {
        ash__fail(ASH_ERR_DEVICE, function, "the operands are on %s and .resources on %s", device->name, given->device->name);
        return NULL;
    }
    if (given)
        return given;
    const struct ash_state *s = ash__state();
    ash_resources *top = s->current_count ? s->current[s->current_count - 1] : NULL;
    if (s->current_count && !top)
        return broken(function);
    return top && top->device == device ? top : default_on(function, device);
}

ash_resources *ash_current_resources(void)
{
    return ash__resources_for("ash_current_resources", NULL);
}

int64_t ash_resources_push(ash_resources *resources)
{
    static const char f[] = "ash_resources_push";
    struct ash_state *s = ash__state();
    ash__state_register(s);
    if (!resources)
        ash__null(f, "resources");
    if (s->current_count == s->current_room) {
        const int64_t room = 2 * s->current_room + 8;
        ash_resources **longer = ash__realloc(f, s->current, room, sizeof *longer);
        if (!longer)
            return s->current_count; /* the pending error stays; there is nothing to pop */
        s->current = longer;
        s->current_room = room;
    }
    if (resources)
        ash__resources_hold(resources);
    s->current[s->current_count] = resources;
    return s->current_count++;
}

void ash_resources_pop(int64_t mark)
{
    struct ash_state *s = ash__state();
    while (s->current_count > mark && mark >= 0)
        ash_resources_release(s->current[--s->current_count]);
}

/* ---- waiting */

static ash_status wait_for(ash_resources *r)
{
    ash__wait_for_resume(r);
    ash__asked++;
    const ash_status status = r->device->backend->wait(r);
    ash__asked--;
    return status;
}

ash_status ash_sync(ash_resources *resources)
{
    ash_resources *r = ash__resources_for("ash_sync", resources);
    return r ? wait_for(r) : ash__last_status();
}

ash_status ash_warm(ash_resources *resources)
{
    static const char f[] = "ash_warm";
    const ash_resources *const r = ash__resources_for(f, resources);
    if (!r)
        return ash__last_status();
    return r->device->backend->warm ? r->device->backend->warm(f, r->device) : ASH_OK;
}

bool ash_query(ash_resources *resources)
{
    ash_resources *r = ash__resources_for("ash_query", resources);
    return r && !atomic_load(&r->held) && r->device->backend->idle(r);
}

ash_status ash_wait(const ash_array *a)
{
    const ash_status status = ash__check_array("ash_wait", "a", a);
    if (status)
        return status;
    ash__wait_for_resume(a->resources);
    return ash__host_wait("ash_wait", a, ASH__READ | ASH__ASKED);
}
