/*
 * function.c - the function object: a parsed text and the programs made of it so far.
 *
 * A program is found by the dtypes of the operands and by what becomes of the result. The lists of programs only grow, at
 * their front, by compare and exchange, and are freed with the function: readers take no lock. When two threads make the same
 * program at once, both enter it, which wastes one entry and nothing else.
 */
#include "expr/cache.h"

#include <string.h>

#include "core/alloc.h"
#include "core/error.h"
#include "core/state.h"
#include "expr/compile.h"

struct ash__cached {
    ash__cached *next;
    ash__program *program;
    uint32_t target; /* rule, flags and dtype of the target */
    uint32_t count;
    uint32_t argument[]; /* dtype and flag */
};

/* ---- the object */

ash_function *ash__function_new(const char *function, const char *text)
{
    ash_function *f = ash__alloc(function, 1, sizeof *f);
    if (!f)
        return NULL;
    atomic_init(&f->refs, 1);
    f->serial = ash__serial();
    if (!ash__parse(&f->tree, function, text))
        goto failed;
    const size_t size = strlen(text) + 1;
    f->text = ash__alloc(function, (int64_t)size, 1);
    if (!f->text)
        goto failed;
    memcpy(f->text, text, size);
    return f;
failed:
    ash_function_release(f);
    return NULL;
}

ash_function *ash__function_retain(ash_function *f)
{
    atomic_fetch_add_explicit(&f->refs, 1, memory_order_relaxed);
    return f;
}

static void free_programs(ash_function *f)
{
    for (int k = 0; k < ASH__BUCKETS; k++) {
        ash__cached *entry = atomic_load_explicit(&f->bucket[k], memory_order_relaxed);
        while (entry) {
            ash__cached *next = entry->next;
            ash__program_release(entry->program);
            ash__free(entry);
            entry = next;
        }
    }
}

void ash_function_release(ash_function *function)
{
    if (!function || atomic_fetch_sub_explicit(&function->refs, 1, memory_order_acq_rel) != 1)
        return;
    free_programs(function);
    ash__tree_free(&function->tree);
    ash__free(function->text);
    ash__free(function);
}

ash_function *ash__function_open(const char *function, const char *text)
{
    if (!text) {
        ash__null(function, "function");
        return NULL;
    }
    ash_function *f = ash__cache_find(text);
    if (f)
        return f;
    f = ash__function_new(function, text);
    return f ? ash__cache_add(f) : NULL;
}

ash_function *ash_function_new(const char *text) { return ash__function_open("ash_function_new", text); }

const char *ash_function_text(const ash_function *function)
{
    if (function)
        return function->text;
    ash__null("ash_function_text", "function");
    return NULL;
}

uint64_t ash__function_serial(const ash_function *f) { return f->serial; }

int64_t ash__function_arity(const ash_function *f) { return f->tree.parameters; }

const char *ash__function_parameter(const ash_function *f, int64_t number)
{
    return number >= 0 && number < f->tree.parameters ? f->tree.name[number] : "?";
}

/* ---- its programs */

static uint32_t target_key(const ash__target *t)
{
    const uint32_t flags = (uint32_t)t->rule | (t->conjugated ? 4U : 0U) | (t->f64 ? 8U : 0U);
    return t->rule == ASH__RULE_NATURAL ? flags : flags | (uint32_t)t->dtype << 4;
}

static uint32_t argument_key(const ash__argument *a) { return (uint32_t)a->dtype << 1 | (a->conjugated ? 1U : 0U); }

static unsigned bucket_of(uint32_t target, int64_t count, const ash__argument *argument)
{
    uint32_t h = target;
    for (int64_t k = 0; k < count; k++)
        h = (h ^ argument_key(&argument[k])) * 0x9e3779b1U;
    return h >> 16 & (ASH__BUCKETS - 1);
}

static bool matches(const ash__cached *entry, uint32_t target, int64_t count, const ash__argument *argument)
{
    if (entry->target != target || entry->count != (uint32_t)count)
        return false;
    for (int64_t k = 0; k < count; k++)
        if (entry->argument[k] != argument_key(&argument[k]))
            return false;
    return true;
}

/* Enters p, unless the function holds too many already. false: no memory. */
static bool keep(const char *function, ash_function *f, unsigned bucket, uint32_t target, int64_t count,
                 const ash__argument *argument, ash__program *p)
{
    if (atomic_load_explicit(&f->programs, memory_order_relaxed) >= ASH__PROGRAMS)
        return true;
    ash__cached *entry = ash__alloc(function, 1, sizeof *entry + (size_t)count * sizeof entry->argument[0]);
    if (!entry)
        return false;
    entry->program = ash__program_retain(p);
    entry->target = target;
    entry->count = (uint32_t)count;
    for (int64_t k = 0; k < count; k++)
        entry->argument[k] = argument_key(&argument[k]);
    atomic_fetch_add_explicit(&f->programs, 1, memory_order_relaxed);
    entry->next = atomic_load_explicit(&f->bucket[bucket], memory_order_relaxed);
    while (!atomic_compare_exchange_weak_explicit(&f->bucket[bucket], &entry->next, entry, memory_order_release,
                                                  memory_order_relaxed))
        ;
    return true;
}

ash__program *ash__function_program(const char *function, const ash_function *f, int64_t count, const ash__argument *argument,
                                    const ash__target *target)
{
    const uint32_t wanted = target_key(target);
    const unsigned bucket = bucket_of(wanted, count, argument);
    ash_function *own = (ash_function *)(uintptr_t)f; /* the programs are no part of what const promises */
    for (ash__cached *e = atomic_load_explicit(&own->bucket[bucket], memory_order_acquire); e; e = e->next)
        if (matches(e, wanted, count, argument))
            return ash__program_retain(e->program);
    ash__program *p = ash__compile(function, f->text, &f->tree, count, argument, target);
    if (!p || keep(function, own, bucket, wanted, count, argument, p))
        return p;
    ash__program_release(p);
    return NULL;
}
