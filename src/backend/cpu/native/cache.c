/*
 * cache.c - which programs have native code.
 *
 * A program is interpreted the first time, unless there is much to do, and gets code the second time: code pays after some
 * 1e5 elements. Programs that differ in their constants alone share it. What has been found is noted in the program, as the
 * generation of the table and the number of an entry, so that the usual call takes no lock.
 *
 * Entries are never changed within a generation. When the table or the memory for code is full, all is forgotten at once and a
 * new generation begins; that needs that nobody is inside. Who goes inside counts up in one of several places, so that threads
 * seldom meet there, and then looks whether the memory is closed; who wants to clear closes it and then adds the places up.
 * Both are sequentially consistent, so one of them sees the other. Who finds it closed interprets.
 */
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "backend/cpu/kernels.h"
#include "backend/cpu/native/body.h"
#include "backend/cpu/native/code.h"
#include "backend/cpu/native/registers.h"
#include "backend/cpu/native/target.h"
#include "core/settings.h"
#include "core/trace.h"

enum {
    ENTRIES = 1024,
    MOST_ENTRIES = 700,
    KEYS = 256 << 10, /* bytes for keys */
    LARGE = 100000,   /* elements times instructions: worth code at once */
    PLACES_LOG = 6,   /* places to count in */
    SEEN = 1,         /* a program's note: it has been run */
    GENERATION_SHIFT = 16
};

typedef struct entry {
    uint64_t hash; /* 0: free */
    uint64_t uniform;
    int end;
    ash__native_code *code; /* NULL: out of reach */
    uint64_t *key;
    size_t words;
} entry;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    _Alignas(64) atomic_int count; /* of those inside; who leaves on another thread takes it off another place */
} inside[1 << PLACES_LOG];
static atomic_bool closed;
static _Atomic uint64_t generation = 1;
static entry table[ENTRIES];
static uint64_t *keys;
static size_t keys_used; /* words */
static int64_t entries;
static ash__native_counts counts;

/* ---- inside */

static atomic_int *my_place(void)
{
    const uint64_t self = (uint64_t)(uintptr_t)pthread_self();
    return &inside[self * 0x9E3779B97F4A7C15u >> (64 - PLACES_LOG)].count;
}

void ash__native_leave(void)
{
    atomic_fetch_sub_explicit(my_place(), 1, memory_order_release);
}

static bool go_inside(void)
{
    atomic_fetch_add(my_place(), 1);
    if (!atomic_load(&closed))
        return true;
    ash__native_leave();
    return false;
}

/* False: somebody is inside. Nobody has gone inside unseen: a count is read too high at worst. */
static bool close_memory(void)
{
    int sum = 0;
    atomic_store(&closed, true);
    for (int k = 0; k < 1 << PLACES_LOG; k++)
        sum += atomic_load(&inside[k].count);
    if (sum != 0)
        atomic_store(&closed, false);
    return sum == 0;
}

/* ---- fork: the lock is taken around it, and the child begins without code */

static void take(void)
{
    pthread_mutex_lock(&lock);
}
static void give(void)
{
    pthread_mutex_unlock(&lock);
}
static void forget(void)
{
    memset(table, 0, sizeof table);
    keys_used = 0;
    entries = 0;
    counts.programs = counts.bytes = 0;
    atomic_fetch_add(&generation, 1);
}
static void begin_child(void)
{
    forget();
    counts = (ash__native_counts){0, 0, 0, 0};
    ash__code_forked();
    for (int k = 0; k < 1 << PLACES_LOG; k++)
        atomic_store(&inside[k].count, 0);
    atomic_store(&closed, false);
    give();
}

static bool prepare(void) /* whether there can be code at all */
{
    static bool guarded;
    if (!guarded)
        guarded = pthread_atfork(take, give, begin_child) == 0;
    if (!guarded || ash__code_open() == ASH__CODE_NONE)
        return false;
    if (!keys) {
        void *const memory = mmap(NULL, KEYS, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        keys = memory == MAP_FAILED ? NULL : memory;
    }
    return keys;
}

/* ---- keys: all of a program but its constants, which are uniform values, and the numbers of its operands */

static uint64_t mixed(uint64_t h, uint64_t word)
{
    h = (h ^ word) * 0xD6E8FEB86659FD93u;
    return h ^ h >> 32;
}

static size_t put_key(uint64_t *to, const ash__program *p, uint64_t uniform, int end)
{
    size_t n = 0;
    to[n++] = (uint64_t)end | (end == ASH__NATIVE_STORED ? (uint64_t)p->dtype << 32 : 0);
    to[n++] = uniform;
    to[n++] = (uint64_t)p->count << 48 | (uint64_t)p->outputs << 32 | (uint64_t)p->output[0] << 16 | p->output[1];
    for (int v = 0; v < p->count; v++) {
        const ash__ins *const i = &p->ins[v];
        const uint64_t what = (uint64_t)i->op << 56 | (uint64_t)i->type << 48 | (uint64_t)i->from << 40;
        const bool plain = i->op > ASH__OP_CONSTANT;
        to[n++] = what | (plain ? (uint64_t)i->arg[0] << 24 | (uint64_t)i->arg[1] << 12 | i->arg[2] : 0);
    }
    return n;
}

static uint64_t hash_of(const uint64_t *key, size_t words)
{
    uint64_t h = words;
    for (size_t k = 0; k < words; k++)
        h = mixed(h, key[k]);
    return h | 1;
}

/* The entry with this key, or the free one where it belongs. */
static entry *find(uint64_t hash, const uint64_t *key, size_t words)
{
    for (size_t k = hash >> 32;; k++) {
        entry *const e = &table[k % ENTRIES];
        if (!e->hash || (e->hash == hash && e->words == words && memcmp(e->key, key, words * sizeof *key) == 0))
            return e;
    }
}

/* ---- making code */

static bool clear(void)
{
    if (!close_memory())
        return false;
    const bool cleared = ash__code_clear();
    if (cleared) {
        forget();
        counts.clears++;
    }
    atomic_store(&closed, false);
    return cleared;
}

/* Is the interpreter the better choice? Where most of the work is on integers of 8 and 16 bits, it has vectors of them, not of
 * lanes they are extended in; and compilers arrange a few long functions better than one scan does. */
static bool is_better_interpreted(const ash__program *p)
{
    int narrow = 0, wide = 0;
    for (int v = 0; v < p->count; v++) {
        const ash__ins *const i = &p->ins[v];
        const bool works = i->op > ASH__OP_ROUND16 && i->from != ASH_BOOL;
        if (i->op == ASH__OP_POW || i->op == ASH__OP_ASINH || i->op == ASH__OP_ACOSH || i->op == ASH__OP_ATANH)
            return true;
        narrow += works && ash__narrow_bytes(i->from);
        wide += (works && !ash__narrow_bytes(i->from)) || i->op == ASH__OP_CONVERT;
    }
    return narrow > wide;
}

static __attribute__((cold, noinline)) void trace(const ash__program *p, size_t nbytes, ash__isa isa)
{
    const char *const name = ash__isa_infos[isa].name;
    ash__trace t;
    ash__trace_begin(&t, "native", NULL, NULL);
    ash__trace_words(&t, "instructions_of", name);
    ash__trace_number(&t, "instructions", p->count);
    ash__trace_number(&t, "bytes", (int64_t)nbytes); /* 0: out of reach, and interpreted */
    ash__trace_end(&t);
}

/* For perf, where ASHLAR_PERF_MAP is set: which program an address belongs to. */
static void tell_perf(ash__native_code *code, size_t nbytes, int64_t number)
{
    char path[64];
    uintptr_t address;
    const char *const word = getenv("ASHLAR_PERF_MAP");
    if (!word || strcmp(word, "1") != 0)
        return;
    snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid()); /* where perf looks */
    const int file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return;
    memcpy(&address, &code, sizeof address);
    dprintf(file, "%lx %lx ashlar program %d\n", (unsigned long)address, (unsigned long)nbytes, (int)number);
    close(file);
}

/* False: no room, and no clearing now. *code: NULL when the program is out of reach. */
static bool make(const ash__program *p, uint64_t uniform, int end, ash__native_code **code)
{
    static ash__body body;
    static uint8_t bytes[ASH__CODE_MOST];
    static int64_t made;
    const ash__isa isa = ash__native_isa();
    size_t nbytes = 0;
    *code = NULL;
    if ((!is_better_interpreted(p) || ash__native_setting() == ASH__NATIVE_ALWAYS) && ash__body_of(&body, p, uniform, end, isa))
        nbytes = ash__native_emit(&body, bytes, sizeof bytes, ASH__NO_LIMIT);
    if (ash__tracing())
        trace(p, nbytes, isa);
    if (!nbytes) {
        counts.declined++;
        return true;
    }
    *code = ash__code_add(bytes, nbytes);
    if (!*code && clear())
        *code = ash__code_add(bytes, nbytes);
    if (*code)
        tell_perf(*code, nbytes, ++made);
    counts.programs += *code != NULL;
    counts.bytes += *code ? (int64_t)nbytes : 0;
    return *code;
}

static entry *add(const ash__program *p, uint64_t uniform, int end, uint64_t hash, const uint64_t *key, size_t words)
{
    ash__native_code *code;
    if ((entries >= MOST_ENTRIES || (keys_used + words) * sizeof *keys > KEYS) && !clear())
        return NULL;
    if (!make(p, uniform, end, &code))
        return NULL;
    entry *const e = find(hash, key, words); /* after making, which may have cleared the table */
    *e = (entry){hash, uniform, end, code, keys + keys_used, words};
    memcpy(e->key, key, words * sizeof *key);
    keys_used += words;
    entries++;
    return e;
}

static ash__native_code *look_up(const ash__program *p, uint64_t uniform, int end)
{
    uint64_t key[ASH__NATIVE_VALUES + 3];
    ash__native_code *code = NULL;
    take();
    if (prepare()) {
        const size_t words = put_key(key, p, uniform, end);
        const uint64_t hash = hash_of(key, words);
        entry *e = find(hash, key, words);
        if (!e->hash)
            e = add(p, uniform, end, hash, key, words);
        if (e) {
            code = e->code;
            atomic_store_explicit((_Atomic uint64_t *)(uintptr_t)&p->native,
                                  atomic_load(&generation) << GENERATION_SHIFT | (uint64_t)(e - table), memory_order_release);
        }
        if (code && !go_inside()) /* closed for good: the library goes */
            code = NULL;
    }
    give();
    return code;
}

/* ---- the interface */

static bool is_wanted(const ash__program *p, uint64_t note, int64_t elements)
{
    const ash__native_use use = ash__native_setting();
    if (use != ASH__NATIVE_AUTO)
        return use == ASH__NATIVE_ALWAYS;
    if (note || elements >= LARGE || elements * p->count >= LARGE)
        return true;
    atomic_store_explicit((_Atomic uint64_t *)(uintptr_t)&p->native, SEEN, memory_order_relaxed);
    return false;
}

/* The entry of a note while it is of this generation; the caller is inside. */
static const entry *entry_of(uint64_t note)
{
    return note > SEEN && note >> GENERATION_SHIFT == atomic_load(&generation) ? &table[note % (1 << GENERATION_SHIFT)] : NULL;
}

ash__native_code *ash__native_enter(const ash__program *program, uint64_t uniform, int end, int64_t elements)
{
    const uint64_t note = atomic_load_explicit((_Atomic uint64_t *)(uintptr_t)&program->native, memory_order_acquire);
    if (note > SEEN && go_inside()) {
        const entry *const e = entry_of(note);
        if (e && e->uniform == uniform && e->end == end) {
            ash__native_code *const code = e->code;
            if (!code)
                ash__native_leave();
            return code;
        }
        ash__native_leave();
    }
    if (program->count > ASH__NATIVE_VALUES || !is_wanted(program, note, elements) || ash__native_isa() == ASH__ISA_NONE)
        return NULL;
    return look_up(program, uniform, end);
}

uint64_t ash__native_note(const ash__program *program, uint64_t uniform, int end)
{
    const uint64_t note = atomic_load_explicit((_Atomic uint64_t *)(uintptr_t)&program->native, memory_order_acquire);
    if (!go_inside())
        return 0;
    const entry *const e = entry_of(note);
    const bool has = e && e->uniform == uniform && e->end == end && e->code;
    ash__native_leave();
    return has ? note : 0;
}

bool ash__native_run_again(const ash__prepared *p)
{
    if (!go_inside())
        return false;
    const entry *const e = entry_of(p->note);
    if (e)
        e->code(p->slot, p->n);
    ash__native_leave();
    return e;
}

ash__native_counts ash__native_count(void)
{
    take();
    const ash__native_counts c = counts;
    give();
    return c;
}

/* Other threads may still run: then the memory stays. */
__attribute__((destructor)) static void give_back(void)
{
    take();
    if (close_memory()) {
        ash__code_close();
        if (keys)
            munmap(keys, KEYS);
        keys = NULL;
        forget();
    }
    give();
}
