/*
 * cache.c - function strings that have been parsed before, found by their text.
 *
 * One table for all threads, under a lock, bounded: the function that has not been asked for longest makes room. In front of
 * it each thread has a small direct-mapped table by the address of the text, which serves the usual case, a literal in a
 * loop, without lock or hash. The address alone proves nothing (the memory may hold another text by now), so the texts are
 * compared. Both tables hold references: a function lives on, wherever it is held, when the other table drops it.
 *
 * A thread's table is given back when the thread ends, that of the main thread and the common table when the library goes.
 */
#include "expr/cache.h"

#include <pthread.h>
#include <string.h>

enum { SLOTS = 2048, FRONT = 64 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ash_function *slot[SLOTS];
static ash_function *newest, *oldest;
static int count;

/* ---- the table of a thread */

typedef struct front {
    const char *text[FRONT];
    ash_function *function[FRONT];
    bool registered;
} front;

static _Thread_local front own;
static pthread_key_t key;
static bool have_key;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void clear_front(void *table)
{
    front *f = table;
    for (int k = 0; k < FRONT; k++) {
        ash_function_release(f->function[k]);
        f->function[k] = NULL;
        f->text[k] = NULL;
    }
    f->registered = false;
}

/* A child of fork must not inherit a lock that some other thread held. */
static void take(void) { pthread_mutex_lock(&lock); }
static void give(void) { pthread_mutex_unlock(&lock); }

static void prepare(void)
{
    have_key = pthread_key_create(&key, clear_front) == 0;
    pthread_atfork(take, give, give);
}

/* Will the table be given back at the thread's end? */
static bool front_registered(void)
{
    if (own.registered)
        return true;
    pthread_once(&once, prepare);
    own.registered = have_key && pthread_setspecific(key, &own) == 0;
    return own.registered;
}

/* Texts are rarely aligned: the low bits of their addresses count. */
static unsigned front_slot(const char *text)
{
    const uintptr_t address = (uintptr_t)text;
    return (unsigned)(address ^ address >> 6 ^ address >> 12) % FRONT;
}

static void front_put(const char *text, ash_function *f)
{
    const unsigned k = front_slot(text);
    if (!front_registered())
        return;
    ash_function *before = own.function[k];
    own.function[k] = ash__function_retain(f);
    own.text[k] = text;
    ash_function_release(before);
}

/* ---- the table of all threads */

static uint32_t hash_of(const char *text)
{
    uint32_t h = 2166136261U; /* FNV-1a */
    for (; *text; text++)
        h = (h ^ (unsigned char)*text) * 16777619U;
    return h;
}

static ash_function *find(const char *text, uint32_t hash)
{
    ash_function *f = slot[hash % SLOTS];
    while (f && (f->hash != hash || strcmp(f->text, text) != 0))
        f = f->chain;
    return f;
}

static void unlink_age(ash_function *f)
{
    *(f->newer ? &f->newer->older : &newest) = f->older;
    *(f->older ? &f->older->newer : &oldest) = f->newer;
    f->newer = f->older = NULL;
}

static void link_newest(ash_function *f)
{
    f->older = newest;
    *(newest ? &newest->newer : &oldest) = f;
    newest = f;
}

/* Takes the oldest out; its reference is the caller's. */
static ash_function *evict(void)
{
    ash_function *f = oldest, **at = &slot[f->hash % SLOTS];
    while (*at != f)
        at = &(*at)->chain;
    *at = f->chain;
    unlink_age(f);
    f->chain = NULL;
    f->cached = false;
    count--;
    return f;
}

const ash_function *ash__function_at_hand(const char *text)
{
    const front *const f = &own;
    const unsigned k = front_slot(text);
    return f->text[k] == text && strcmp(f->function[k]->text, text) == 0 ? f->function[k] : NULL;
}

ash_function *ash__cache_find(const char *text)
{
    const ash_function *const near = ash__function_at_hand(text);
    if (near)
        return ash__function_retain((ash_function *)(uintptr_t)near);
    const uint32_t hash = hash_of(text);
    take();
    ash_function *f = find(text, hash);
    if (f) {
        unlink_age(f);
        link_newest(f);
        ash__function_retain(f);
    }
    give();
    if (f)
        front_put(text, f);
    return f;
}

ash_function *ash__cache_add(ash_function *f)
{
    ash_function *evicted = NULL;
    f->hash = hash_of(f->text);
    take();
    ash_function *before = find(f->text, f->hash);
    if (before)
        ash__function_retain(before);
    else {
        evicted = count >= ASH__FUNCTIONS ? evict() : NULL;
        f->chain = slot[f->hash % SLOTS];
        slot[f->hash % SLOTS] = f;
        f->cached = true;
        link_newest(f);
        ash__function_retain(f);
        count++;
    }
    give();
    ash_function_release(evicted);
    if (!before)
        return f;
    ash_function_release(f);
    return before;
}

int ash__cache_count(void)
{
    take();
    const int n = count;
    give();
    return n;
}

/* Other threads may still run: their tables keep what they use. */
__attribute__((destructor)) static void give_back(void)
{
    clear_front(&own);
    if (have_key)
        pthread_key_delete(key);
    have_key = false;
    take();
    ash_function *list = NULL;
    while (count > 0) {
        ash_function *f = evict();
        f->chain = list;
        list = f;
    }
    give();
    while (list) {
        ash_function *next = list->chain;
        list->chain = NULL;
        ash_function_release(list);
        list = next;
    }
}
