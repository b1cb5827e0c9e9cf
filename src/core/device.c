/*
 * device.c - devices: found through the list of backends, opened by name, kept for the process's life.
 *
 * A name is BACKEND:INDEX, and after a question mark capabilities that are to be taken away: cpu:0?f64=off. Each spelling
 * that is opened is a device of its own, but all openings of one device share its pool. The table is bounded and only
 * grows, so that a device pointer never dies and reading needs no lock.
 */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "core/alloc.h"
#include "core/dtype.h"
#include "core/error.h"
#include "core/pool.h"
#include "core/state.h"
#include "core/tally.h"

static ash_device devices[ASH__DEVICE_LIMIT];
static atomic_int opened; /* devices below this one are complete */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_once_t once = PTHREAD_ONCE_INIT;
static _Atomic(const ash_device *) default_device; /* NULL: ask the environment */
static atomic_bool default_by_program;

/* ---- fork: locks are taken around it, so that a child finds them free */

static void before_fork(void)
{
    pthread_mutex_lock(&lock);
    for (int i = 0; i < atomic_load(&opened); i++)
        if (!strchr(devices[i].name, '?'))
            ash__pool_lock(devices[i].pool);
}

static void in_parent(void)
{
    for (int i = 0; i < atomic_load(&opened); i++)
        if (!strchr(devices[i].name, '?'))
            ash__pool_unlock(devices[i].pool);
    pthread_mutex_unlock(&lock);
}

static void in_child(void)
{
    for (int i = 0; i < atomic_load(&opened); i++)
        if (!strchr(devices[i].name, '?'))
            ash__pool_forked(devices[i].pool);
    pthread_mutex_unlock(&lock);
}

/* Before a fork, handlers run from the newest to the oldest, so the counts' has to be older: whoever opens a device has this
 * lock when it is counted. */
static void guard_fork(void)
{
    ash__tally_add(ASH__COUNT_ARRAYS, 0);
    pthread_atfork(before_fork, in_parent, in_child);
}

/* ---- opening */

static const ash_device *find_opened(const char *name)
{
    for (int i = 0, n = atomic_load_explicit(&opened, memory_order_acquire); i < n; i++)
        if (strcmp(devices[i].name, name) == 0)
            return &devices[i];
    return NULL;
}

static ash_status no_device(const char *function, const char *name, const ash__backend *backend)
{
    const char *const why = backend && backend->missing ? backend->missing() : NULL;
    if (why)
        return ash__fail(ASH_ERR_DEVICE, function, "no device %.64s: %s", name, why);
    char list[256] = "";
    size_t length = 0;
    for (int b = 0; ash__backends[b]; b++)
        for (int i = 0, n = ash__backends[b]->count(); i < n && length < sizeof list - 32; i++)
            length +=
                (size_t)snprintf(list + length, sizeof list - length, "%s%s:%d", length ? ", " : "", ash__backends[b]->name, i);
    return ash__fail(ASH_ERR_DEVICE, function, "no device %.64s; this build has %s", name, list);
}

/* Splits "cpu:0" into backend and index; "cpu" is "cpu:0". */
static const ash__backend *parse_base(const char *name, size_t length, int *index)
{
    for (int b = 0; ash__backends[b]; b++) {
        const size_t n = strlen(ash__backends[b]->name);
        if (length < n || strncmp(name, ash__backends[b]->name, n) != 0)
            continue;
        *index = 0;
        if (length == n)
            return ash__backends[b];
        if (name[n] != ':' || length == n + 1 || length > n + 5)
            continue;
        for (size_t i = n + 1; i < length; i++) {
            if (name[i] < '0' || name[i] > '9')
                return NULL;
            *index = 10 * *index + (name[i] - '0');
        }
        return ash__backends[b];
    }
    return NULL;
}

/* Takes away what follows the question mark: f64=off, f16=off, joined by &. */
static ash_status take_away(const char *function, ash_device *device, const char *list)
{
    while (*list) {
        const size_t length = strcspn(list, "&");
        if (length == 7 && strncmp(list, "f64=off", 7) == 0)
            device->f64 = false;
        else if (length == 7 && strncmp(list, "f16=off", 7) == 0)
            device->f16 = false;
        else
            return ash__fail(ASH_ERR_ARGUMENT, function, "unknown capability %.*s of %s; f64=off and f16=off can be given",
                             (int)length, list, device->name);
        list += length + (list[length] == '&');
    }
    return ASH_OK;
}

/* The device without capabilities taken away owns the pool; it is opened first. The lock is held. */
static const ash_device *open_locked(const char *function, const char *name)
{
    const ash_device *known = find_opened(name);
    if (known)
        return known;
    const size_t length = strcspn(name, "?");
    int index = 0;
    const ash__backend *backend = parse_base(name, length, &index);
    if (!backend || index >= backend->count() || strlen(name) >= sizeof devices[0].name) {
        no_device(function, name, backend);
        return NULL;
    }
    const ash_device *base = NULL;
    if (name[length]) {
        char base_name[sizeof devices[0].name];
        snprintf(base_name, sizeof base_name, "%s:%d", backend->name, index);
        base = open_locked(function, base_name);
        if (!base)
            return NULL;
    }
    const int slot = atomic_load(&opened);
    if (slot == ASH__DEVICE_LIMIT) {
        ash__fail(ASH_ERR_DEVICE, function, "%d devices are open; no more can be", ASH__DEVICE_LIMIT);
        return NULL;
    }
    ash_device *d = &devices[slot];
    if (base)
        *d = *base;
    else
        *d = (ash_device){.backend = backend, .index = index};
    d->slot = slot;
    if (name[length])
        snprintf(d->name, sizeof d->name, "%s:%d%s", backend->name, index, name + length);
    else
        snprintf(d->name, sizeof d->name, "%s:%d", backend->name, index);
    known = find_opened(d->name); /* "cpu" is "cpu:0" */
    if (known)
        return known;
    if (!base && (backend->open(function, d) != ASH_OK || !(d->pool = ash__pool_new(function, d))))
        return NULL;
    if (take_away(function, d, name[length] ? name + length + 1 : "") != ASH_OK)
        return NULL;
    atomic_store_explicit(&opened, slot + 1, memory_order_release);
    return d;
}

static const ash_device *open_device(const char *function, const char *name)
{
    if (!name) {
        ash__null(function, "name");
        return NULL;
    }
    const ash_device *device = find_opened(name);
    if (device)
        return device;
    pthread_once(&once, guard_fork);
    pthread_mutex_lock(&lock);
    device = open_locked(function, name);
    pthread_mutex_unlock(&lock);
    return device;
}

/* The process's pools hold nothing that is used any more once it ends. */
__attribute__((destructor)) static void end_of_process(void)
{
    for (int i = 0; i < atomic_load(&opened); i++)
        if (!strchr(devices[i].name, '?'))
            ash__pool_trim(devices[i].pool, 0);
}

/* ---- public */

const ash_device *ash_device_open(const char *name) { return open_device("ash_device_open", name); }
const ash_device *ash__device_named(const char *function, const char *name) { return open_device(function, name); }

int64_t ash_device_count(void)
{
    int64_t n = 0;
    for (int b = 0; ash__backends[b]; b++)
        n += ash__backends[b]->count();
    return n;
}

int64_t ash_backend_devices(const char *backend)
{
    if (!backend) {
        ash__null("ash_backend_devices", "backend");
        return 0;
    }
    for (int b = 0; ash__backends[b]; b++)
        if (strcmp(ash__backends[b]->name, backend) == 0)
            return ash__backends[b]->count();
    return 0;
}

const ash_device *ash_device_at(int64_t number)
{
    int64_t left = number;
    for (int b = 0; ash__backends[b] && left >= 0; b++) {
        if (left < ash__backends[b]->count()) {
            char name[64];
            snprintf(name, sizeof name, "%s:%lld", ash__backends[b]->name, (long long)left);
            return open_device("ash_device_at", name);
        }
        left -= ash__backends[b]->count();
    }
    ash__fail(ASH_ERR_BOUNDS, "ash_device_at", "device %lld is out of bounds; there are %lld", (long long)number,
              (long long)ash_device_count());
    return NULL;
}

const char *ash_device_name(const ash_device *device)
{
    if (!device)
        ash__null("ash_device_name", "device");
    return device ? device->name : "";
}

const char *ash_device_description(const ash_device *device)
{
    if (!device)
        ash__null("ash_device_description", "device");
    return device ? device->description : "";
}

bool ash_device_can(const ash_device *device, ash_capability capability)
{
    if (!device) {
        ash__null("ash_device_can", "device");
        return false;
    }
    switch (capability) {
    case ASH_CAP_F64: return device->f64;
    case ASH_CAP_F16: return device->f16;
    case ASH_CAP_UNIFIED: return device->unified;
    }
    ash__fail(ASH_ERR_ARGUMENT, "ash_device_can", "unknown capability %d", (int)capability);
    return false;
}

size_t ash_device_memory(const ash_device *device)
{
    if (!device)
        ash__null("ash_device_memory", "device");
    return device ? device->memory : 0;
}

const ash_device *ash__default_device(void)
{
    const ash_device *device = atomic_load(&default_device);
    if (device)
        return device;
    const char *name = getenv("ASHLAR_DEVICE");
    device = open_device(name && *name ? "ASHLAR_DEVICE" : "ash_default_device", name && *name ? name : "cpu:0");
    if (device)
        atomic_store(&default_device, device);
    return device;
}

const char *ash__chosen_device(void)
{
    const ash_device *device = atomic_load(&default_by_program) ? atomic_load(&default_device) : NULL;
    return device ? device->name : NULL;
}

const ash_device *ash_default_device(void) { return ash__default_device(); }

ash_status ash_set_default_device(const char *name)
{
    const ash_device *device = open_device("ash_set_default_device", name);
    if (!device)
        return ash__last_status();
    atomic_store(&default_device, device);
    atomic_store(&default_by_program, true);
    return ASH_OK;
}

ash_status ash__check_dtype(const char *function, const ash_device *device, ash_dtype dtype)
{
    char place[128] = "";
    if (ash__kind_of(dtype) == ASH__KIND_NONE)
        return ash__fail(ASH_ERR_DTYPE, function, "unsupported dtype %d", (int)dtype);
    if (!device->f64 && ash__holds_f64(dtype, place, sizeof place))
        return ash__fail(ASH_ERR_DTYPE, function, "%s does not support f64 values; use f32%s", device->name, place);
    return ASH_OK;
}

/* ---- pool */

static bool known(const char *function, const ash_device *device)
{
    if (!device)
        ash__null(function, "device");
    return device;
}

ash_status ash_pool_stats(const ash_device *device, ash_pool_info *info, size_t size)
{
    static const char f[] = "ash_pool_stats";
    if (!known(f, device) || !info)
        return ash__null(f, device ? "info" : "device");
    ash_pool_info all;
    ash__pool_stats(device->pool, &all);
    memset(info, 0, size);
    memcpy(info, &all, size < sizeof all ? size : sizeof all);
    return ASH_OK;
}

ash_status ash_pool_limit(const ash_device *device, size_t nbytes)
{
    if (!known("ash_pool_limit", device))
        return ash__last_status();
    ash__pool_limit(device->pool, nbytes);
    return ASH_OK;
}

ash_status ash_pool_trim(const ash_device *device, size_t keep)
{
    if (!known("ash_pool_trim", device))
        return ash__last_status();
    ash__pool_trim(device->pool, keep);
    return ASH_OK;
}
