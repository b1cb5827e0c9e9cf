/*
 * implicit.c - counts of what operations do behind their callers' backs, and what of it is forbidden.
 */
#include "core/implicit.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/array.h"
#include "core/error.h"
#include "core/trace.h"

enum { ALL = ASH_IMPLICIT_HOST | ASH_IMPLICIT_COPY | ASH_IMPLICIT_WAIT, UNKNOWN = -1 };

_Thread_local int ash__asked;

static atomic_int forbidden = UNKNOWN; /* until the environment has been asked */
static atomic_bool by_program;
static atomic_llong host_tasks, copies, copied_bytes, waits;

/* ---- what is forbidden */

static const char *const words[] = {"host", "copy", "wait"};

/* The bits of a list of words, or UNKNOWN. */
static int bits_of(const char *text)
{
    int bits = 0;
    while (text && *text) {
        const size_t length = strcspn(text, ",");
        int bit = length == 3 && !strncmp(text, "all", 3) ? ALL : 0;
        for (int k = 0; k < 3; k++)
            bit |= length == strlen(words[k]) && !strncmp(text, words[k], length) ? 1 << k : 0;
        if (!bit)
            return UNKNOWN;
        bits |= bit;
        text += length + (text[length] == ',');
    }
    return bits;
}

/* UNKNOWN with an error. */
static int forbidden_now(void)
{
    int bits = atomic_load_explicit(&forbidden, memory_order_relaxed);
    if (bits == UNKNOWN) {
        const char *const text = getenv("ASHLAR_FORBID");
        bits = bits_of(text);
        if (bits == UNKNOWN)
            ash__fail(ASH_ERR_ARGUMENT, "ASHLAR_FORBID", "expected host, copy, wait, several with commas, or all; given %.64s",
                      text);
        else
            atomic_store(&forbidden, bits);
    }
    return bits;
}

ash_status ash_forbid(int32_t what)
{
    if (what & ~ALL)
        return ash__fail(ASH_ERR_ARGUMENT, "ash_forbid", "unknown bits in %d; ASH_IMPLICIT_HOST, _COPY and _WAIT are known",
                         (int)what);
    atomic_store(&forbidden, (int)what);
    atomic_store(&by_program, true);
    return ASH_OK;
}

const char *ash__forbidden_words(char text[24], bool *set)
{
    const int now = atomic_load(&forbidden), bits = now == UNKNOWN ? bits_of(getenv("ASHLAR_FORBID")) : now;
    *set = atomic_load(&by_program);
    text[0] = 0;
    for (int k = 0; k < 3; k++)
        if (bits & 1 << k)
            strcat(strcat(text, *text ? "," : ""), words[k]);
    return bits == UNKNOWN ? "wrong word" : bits ? text : "nothing";
}

/* ---- what happens */

ash_status ash__implicit_host(const char *function, const ash_device *device, const char *why)
{
    const int bits = forbidden_now();
    if (bits == UNKNOWN)
        return ash__last_status();
    if (bits & ASH_IMPLICIT_HOST)
        return ash__fail(ASH_ERR_UNSUPPORTED, function, "the host would do this for %s (%s), and that is forbidden",
                         device->name, why);
    atomic_fetch_add_explicit(&host_tasks, 1, memory_order_relaxed);
    if (__builtin_expect(ash__tracing(), 0)) {
        char text[256];
        snprintf(text, sizeof text, "the host does this: %.200s", why);
        ash__trace_event("host", function, device, "text", text);
    }
    return ASH_OK;
}

ash_status ash__implicit_copy(const char *function, const ash_array *a, size_t nbytes, bool to_host)
{
    const int bits = forbidden_now();
    if (bits == UNKNOWN)
        return ash__last_status();
    if (bits & ASH_IMPLICIT_COPY)
        return ash__fail(ASH_ERR_UNSUPPORTED, function,
                         "%zu bytes of %s of shape %s would be copied %s %s, and that is forbidden", nbytes,
                         ash_dtype_name(a->dtype), ash_shape_text(a), to_host ? "from" : "to", ash__device(a)->name);
    atomic_fetch_add_explicit(&copies, 1, memory_order_relaxed);
    atomic_fetch_add_explicit(&copied_bytes, (long long)nbytes, memory_order_relaxed);
    return ASH_OK;
}

ash_status ash__implicit_may_wait(const char *function, const ash_device *device)
{
    if (ash__is_asked())
        return ASH_OK;
    const int bits = forbidden_now();
    if (bits == UNKNOWN)
        return ash__last_status();
    return bits & ASH_IMPLICIT_WAIT
               ? ash__fail(ASH_ERR_UNSUPPORTED, function, "this would wait for %s, and that is forbidden", device->name)
               : ASH_OK;
}

void ash__implicit_waits(void)
{
    if (!ash__is_asked())
        atomic_fetch_add_explicit(&waits, 1, memory_order_relaxed);
}

/* ---- the counts */

ash_status ash_implicit_stats(ash_implicit_info *info, size_t size)
{
    if (!info)
        return ash__null("ash_implicit_stats", "info");
    const ash_implicit_info now = {.host_tasks = atomic_load(&host_tasks),
                                   .copies = atomic_load(&copies),
                                   .copied_bytes = atomic_load(&copied_bytes),
                                   .waits = atomic_load(&waits)};
    memset(info, 0, size);
    memcpy(info, &now, size < sizeof now ? size : sizeof now);
    return ASH_OK;
}

void ash_implicit_reset(void)
{
    atomic_store(&host_tasks, 0);
    atomic_store(&copies, 0);
    atomic_store(&copied_bytes, 0);
    atomic_store(&waits, 0);
}
