/*
 * settings.c - what a program or its environment can set: storage of new arrays, scalar access, threads, tracing.
 *
 * A function wins over the environment, the environment over what is built in. A wrong word in the environment is an error
 * at first use that names the variable.
 */
#include "core/settings.h"

#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/backend.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/state.h"
#include "core/text.h"

static atomic_int storage_set;       /* by the program; 0: not */
static atomic_bool scalar_allowed;   /* for the process */
static atomic_int trace_set;         /* 0: ask the environment; 1: off; 2: on */
static atomic_bool threads_set;

/* ---- storage */

/* 0 for a word that is neither. */
static ash_storage environment_storage(const char **word)
{
    *word = getenv("ASHLAR_STORAGE");
    if (!*word || !**word || strcmp(*word, "shared") == 0)
        return ASH_SHARED;
    return strcmp(*word, "private") == 0 ? ASH_PRIVATE : ASH_STORAGE_DEFAULT;
}

ash_storage ash__storage_for(const char *function, ash_storage given)
{
    if (given == ASH_SHARED || given == ASH_PRIVATE)
        return given;
    if (given != ASH_STORAGE_DEFAULT) {
        ash__fail(ASH_ERR_ARGUMENT, function, "unknown storage %d; expected ASH_SHARED or ASH_PRIVATE", (int)given);
        return ASH_STORAGE_DEFAULT;
    }
    const int set = atomic_load_explicit(&storage_set, memory_order_relaxed);
    if (set)
        return (ash_storage)set;
    const char *word;
    const ash_storage storage = environment_storage(&word);
    if (!storage)
        ash__fail(ASH_ERR_ARGUMENT, "ASHLAR_STORAGE", "expected shared or private, given %.64s", word);
    else
        atomic_store(&storage_set, (int)storage);
    return storage;
}

ash_status ash_set_default_storage(ash_storage storage)
{
    if (storage != ASH_SHARED && storage != ASH_PRIVATE)
        return ash__fail(ASH_ERR_ARGUMENT, "ash_set_default_storage", "unknown storage %d; expected ASH_SHARED or ASH_PRIVATE",
                         (int)storage);
    atomic_store(&storage_set, (int)storage);
    return ASH_OK;
}

/* ---- scalar access */

void ash_allow_scalar(bool allowed) { atomic_store(&scalar_allowed, allowed); }

int64_t ash_scalar_push(bool allowed)
{
    struct ash_state *s = ash__state();
    ash__state_register(s);
    if (s->scalar_count == s->scalar_room) {
        const int64_t room = 2 * s->scalar_room + 8;
        bool *longer = ash__realloc("ash_scalar_push", s->scalar, room, sizeof *longer);
        if (!longer)
            return s->scalar_count;
        s->scalar = longer;
        s->scalar_room = room;
    }
    s->scalar[s->scalar_count] = allowed;
    return s->scalar_count++;
}

void ash_scalar_pop(int64_t mark)
{
    struct ash_state *s = ash__state();
    if (mark >= 0 && mark < s->scalar_count)
        s->scalar_count = mark;
}

bool ash__scalar_allowed(void)
{
    const struct ash_state *s = ash__state();
    return s->scalar_count ? s->scalar[s->scalar_count - 1] : atomic_load(&scalar_allowed);
}

/* ---- threads of the CPU device */

ash_status ash_set_threads(int64_t count)
{
    if (count < 0 || count > 1024)
        return ash__fail(ASH_ERR_ARGUMENT, "ash_set_threads", "%lld threads; 0 to 1024 can be given", (long long)count);
    atomic_store(&threads_set, count != 0);
    return ash__cpu_backend.set_threads(count);
}

int64_t ash_threads(void) { return ash__cpu_backend.threads(); }

/* ---- tracing */

void ash_set_trace(bool on) { atomic_store(&trace_set, on ? 2 : 1); }

bool ash__tracing(void)
{
    int set = atomic_load_explicit(&trace_set, memory_order_relaxed);
    if (!set) {
        const char *word = getenv("ASHLAR_TRACE");
        set = word && *word && strcmp(word, "0") != 0 ? 2 : 1;
        atomic_store(&trace_set, set);
    }
    return set == 2;
}

/* ---- all of them */

static const char *source_of(bool set, const char *variable)
{
    const char *word = getenv(variable);
    return set ? "set by the program" : word && *word ? variable : "built in";
}

size_t ash_config_format(char *buffer, size_t size)
{
    ash__text text = {buffer, size, 0};
    const char *word;
    const ash_storage from_environment = environment_storage(&word);
    const int storage = atomic_load(&storage_set) ? atomic_load(&storage_set) : (int)from_environment;
    const char *device = getenv("ASHLAR_DEVICE");
    const char *level = getenv("ASHLAR_CPU_LEVEL");
    ash__put(&text, "version         %s\n", ash_abi()->version_text);
    ash__put(&text, "devices        ");
    for (int b = 0; ash__backends[b]; b++)
        for (int i = 0, n = ash__backends[b]->count(); i < n; i++)
            ash__put(&text, " %s:%d", ash__backends[b]->name, i);
    ash__put(&text, "\ndefault device  %s (ASHLAR_DEVICE, ash_set_default_device)\n", device && *device ? device : "cpu:0");
    ash__put(&text, "storage         %s (%s)\n",
             storage == ASH_PRIVATE  ? "private"
             : storage == ASH_SHARED ? "shared"
                                     : "a wrong word",
             source_of(atomic_load(&storage_set) && (int)from_environment != atomic_load(&storage_set), "ASHLAR_STORAGE"));
    ash__put(&text, "scalar access   %s to private arrays (ash_allow_scalar)\n", ash__scalar_allowed() ? "allowed" : "refused");
    ash__put(&text, "threads         %lld (%s)\n", (long long)ash_threads(),
             source_of(atomic_load(&threads_set), "ASHLAR_THREADS"));
    ash__put(&text, "cpu level       %s\n", level && *level ? level : "the best this processor has");
    ash__put(&text, "trace           %s (%s)\n", ash__tracing() ? "on" : "off", source_of(false, "ASHLAR_TRACE"));
    return text.length;
}

void ash_config_print(void)
{
    char text[2048];
    ash_config_format(text, sizeof text);
    fputs(text, stdout);
}
