/*
 * pool.c - the caching pool of a device.
 *
 * A fresh block above the C library's mapping threshold costs fifty times the arithmetic that fills it in page faults, so a
 * freed block is kept and given to the next request of its size class. Classes are powers of two in four steps: at most a
 * quarter of a block is unused. Blocks are never split or merged; those of an unused size go back to the system when the
 * limit, a failed allocation or a trim asks for it. A free block begins with the link to the next one: where the memory is not
 * the host's, a block is what the backend has to say of it, not the memory. Memory of the host and of the device have lists of
 * their own.
 *
 * A thread keeps a few small blocks of its own, its magazine, so that a small array takes no lock. To the pool these are in
 * use; the statistics count them as cached.
 *
 * Invariant: in_use + cached is what the backend has given us; in_use returns to its old value when everything is released.
 */
#include "core/pool.h"

#include <pthread.h>
#include <stdatomic.h>

#include "backend/backend.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/state.h"

enum { SMALLEST_BITS = 6, CLASSES = 4 * (63 - SMALLEST_BITS) };

typedef struct block {
    struct block *next;
} block;

/* Of one thread, for the first pool that it uses. Others read only the counts, and those under the pool's lock. */
enum { SMALL_CLASSES = 4 * (12 - SMALLEST_BITS) + 1, DEPTH = 4 }; /* blocks to 4 KiB, 4 of each class: 100 KiB at most */
typedef struct magazine {
    ash__pool *pool;
    struct magazine *next, *before;
    atomic_llong held, hits; /* bytes; requests served */
    block *list[SMALL_CLASSES];
    uint8_t count[SMALL_CLASSES];
} magazine;
static _Thread_local magazine mine;

struct ash__pool {
    pthread_mutex_t lock;
    magazine *magazines;
    const ash_device *device;
    size_t in_use, cached, peak, limit;
    int64_t requests, hits;
    block *list[2][CLASSES]; /* the device's own, the host's */
};

/* Class 4*e + q holds blocks of (4 + q) * 2^(e + SMALLEST_BITS - 2) bytes: 64, 80, 96, 112, 128, 160 ... */
static int class_of(size_t nbytes)
{
    if (nbytes <= (size_t)1 << SMALLEST_BITS)
        return 0;
    const int top = 63 - __builtin_clzll(nbytes - 1); /* 2^top <= nbytes - 1 < 2^(top + 1) */
    const size_t quarter = (size_t)1 << (top - 2);
    return 4 * (top - SMALLEST_BITS) + (int)((nbytes - 1 - ((size_t)1 << top)) / quarter) + 1;
}

static size_t class_size(int number)
{
    return (size_t)(4 + number % 4) << (number / 4 + SMALLEST_BITS - 2);
}

ash__pool *ash__pool_new(const char *function, const ash_device *device)
{
    ash__pool *pool = ash__alloc(function, 1, sizeof *pool);
    if (!pool)
        return NULL;
    pthread_mutex_init(&pool->lock, NULL);
    pool->device = device;
    return pool;
}

/* ---- magazines */

static void add_to(atomic_llong *count, int64_t change) /* of this thread's: no other writes it */
{
    atomic_store_explicit(count, atomic_load_explicit(count, memory_order_relaxed) + change, memory_order_relaxed);
}

static block *take_own(const ash__pool *pool, bool hosted, int c)
{
    block *const b = mine.pool == pool && hosted && c < SMALL_CLASSES ? mine.list[c] : NULL;
    if (b) {
        mine.list[c] = b->next;
        mine.count[c]--;
        add_to(&mine.held, -(int64_t)class_size(c));
        add_to(&mine.hits, 1);
    }
    return b;
}

/* Only while the thread's end is going to be noticed: the list must not keep a thread that has gone. */
static bool open_own(ash__pool *pool)
{
    if (mine.pool || !ash__own_state.registered)
        return mine.pool == pool && ash__own_state.registered;
    pthread_mutex_lock(&pool->lock);
    mine.pool = pool;
    mine.before = NULL;
    mine.next = pool->magazines;
    if (mine.next)
        mine.next->before = &mine;
    pool->magazines = &mine;
    pthread_mutex_unlock(&pool->lock);
    return true;
}

static bool keep_own(ash__pool *pool, block *b, bool hosted, int c)
{
    if (!hosted || c >= SMALL_CLASSES || !open_own(pool) || mine.count[c] == DEPTH)
        return false;
    b->next = mine.list[c];
    mine.list[c] = b;
    mine.count[c]++;
    add_to(&mine.held, (int64_t)class_size(c));
    return true;
}

/* This thread's blocks become the pool's. The lock is held. */
static void empty_own(ash__pool *pool)
{
    for (int c = 0; c < SMALL_CLASSES && mine.pool == pool; c++)
        while (mine.list[c]) {
            block *const b = mine.list[c];
            mine.list[c] = b->next;
            mine.count[c]--;
            b->next = pool->list[1][c];
            pool->list[1][c] = b;
            pool->in_use -= class_size(c);
            pool->cached += class_size(c);
        }
    if (mine.pool == pool)
        atomic_store_explicit(&mine.held, 0, memory_order_relaxed);
}

/* Takes a magazine off the list; what it served stays counted. The lock is held. */
static void unlist(ash__pool *pool, magazine *m)
{
    const int64_t hits = atomic_exchange(&m->hits, 0);
    pool->requests += hits;
    pool->hits += hits;
    *(m->before ? &m->before->next : &pool->magazines) = m->next;
    if (m->next)
        m->next->before = m->before;
    m->pool = NULL;
}

void ash__pool_leave(void)
{
    ash__pool *const pool = mine.pool;
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    empty_own(pool);
    unlist(pool, &mine);
    pthread_mutex_unlock(&pool->lock);
}

/* ---- blocks */

/* Gives back free blocks, the largest first, until at most keep bytes are cached. The lock is held. */
static void trim(ash__pool *pool, size_t keep)
{
    for (int at = 2 * CLASSES; at-- > 0 && pool->cached > keep;) {
        const int c = at / 2;
        block **const list = &pool->list[at % 2][c];
        while (*list && pool->cached > keep) {
            block *const b = *list;
            *list = b->next;
            pool->cached -= class_size(c);
            pool->device->backend->deallocate(pool->device, b, class_size(c));
        }
    }
}

static void *fresh(ash__pool *pool, bool hosted, size_t size)
{
    if (pool->limit)
        empty_own(pool);
    if (pool->limit && (size > pool->limit || pool->in_use + pool->cached > pool->limit - size))
        trim(pool, size > pool->limit || pool->in_use > pool->limit - size ? pool->cached : pool->limit - size - pool->in_use);
    if (pool->limit && (size > pool->limit || pool->in_use > pool->limit - size))
        return NULL;
    void *data = pool->device->backend->allocate(pool->device, hosted, size);
    if (!data)
        empty_own(pool);
    if (!data && pool->cached) {
        trim(pool, 0);
        data = pool->device->backend->allocate(pool->device, hosted, size);
    }
    return data;
}

void *ash__pool_take(ash__pool *pool, const char *function, bool hosted, size_t nbytes)
{
    const int c = nbytes <= SIZE_MAX / 4 ? class_of(nbytes) : CLASSES;
    void *data = take_own(pool, hosted, c);
    if (data)
        return data;
    size_t limit = 0, in_use = 0;
    if (c < CLASSES) {
        const size_t size = class_size(c);
        pthread_mutex_lock(&pool->lock);
        pool->requests++;
        block **const list = &pool->list[hosted][c];
        if (*list) {
            data = *list;
            *list = (*list)->next;
            pool->cached -= size;
            pool->hits++;
        } else {
            data = fresh(pool, hosted, size);
        }
        if (data)
            pool->in_use += size;
        if (pool->in_use + pool->cached > pool->peak)
            pool->peak = pool->in_use + pool->cached;
        limit = pool->limit;
        in_use = pool->in_use;
        pthread_mutex_unlock(&pool->lock);
    }
    if (!data && pool->device->backend->check && pool->device->backend->check(function, pool->device))
        return NULL; /* it is not for want of memory */
    if (!data && limit)
        ash__fail(ASH_ERR_MEMORY, function, "%s has no memory for %zu bytes: %zu are in use and the limit is %zu",
                  pool->device->name, nbytes, in_use, limit);
    else if (!data)
        ash__fail(ASH_ERR_MEMORY, function, "%s has no memory for %zu bytes", pool->device->name, nbytes);
    return data;
}

void ash__pool_give(ash__pool *pool, void *data, bool hosted, size_t nbytes)
{
    const int c = class_of(nbytes);
    block *const b = data;
    if (keep_own(pool, b, hosted, c))
        return;
    pthread_mutex_lock(&pool->lock);
    b->next = pool->list[hosted][c];
    pool->list[hosted][c] = b;
    pool->in_use -= class_size(c);
    pool->cached += class_size(c);
    pthread_mutex_unlock(&pool->lock);
}

void ash__pool_stats(ash__pool *pool, ash_pool_info *info)
{
    pthread_mutex_lock(&pool->lock);
    *info = (ash_pool_info){.in_use = pool->in_use,
                            .cached = pool->cached,
                            .peak = pool->peak,
                            .limit = pool->limit,
                            .requests = pool->requests,
                            .hits = pool->hits};
    for (magazine *m = pool->magazines; m; m = m->next) {
        const int64_t held = atomic_load_explicit(&m->held, memory_order_relaxed);
        const int64_t hits = atomic_load_explicit(&m->hits, memory_order_relaxed);
        info->in_use -= (size_t)held;
        info->cached += (size_t)held;
        info->requests += hits;
        info->hits += hits;
    }
    pthread_mutex_unlock(&pool->lock);
}

void ash__pool_limit(ash__pool *pool, size_t nbytes)
{
    pthread_mutex_lock(&pool->lock);
    pool->limit = nbytes;
    empty_own(pool);
    if (nbytes && pool->in_use + pool->cached > nbytes)
        trim(pool, pool->in_use < nbytes ? nbytes - pool->in_use : 0);
    pthread_mutex_unlock(&pool->lock);
}

void ash__pool_trim(ash__pool *pool, size_t keep)
{
    pthread_mutex_lock(&pool->lock);
    empty_own(pool);
    trim(pool, keep);
    pthread_mutex_unlock(&pool->lock);
}

void ash__pool_lock(ash__pool *pool)
{
    pthread_mutex_lock(&pool->lock);
}
void ash__pool_unlock(ash__pool *pool)
{
    pthread_mutex_unlock(&pool->lock);
}

/* The magazines of threads that do not exist in the child: what they hold stays in use there. */
void ash__pool_forked(ash__pool *pool)
{
    for (magazine *m = pool->magazines, *next; m; m = next) {
        next = m->next;
        if (m != &mine)
            unlist(pool, m);
    }
    pthread_mutex_unlock(&pool->lock);
}
