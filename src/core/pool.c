/*
 * pool.c - the caching pool of a device.
 *
 * A fresh block above the C library's mapping threshold costs fifty times the arithmetic that fills it in page faults, so a
 * freed block is kept and given to the next request of its size class. Classes are powers of two in four steps: at most a
 * quarter of a block is unused. Blocks are never split or merged; those of an unused size go back to the system when the
 * limit, a failed allocation or a trim asks for it. A free block holds the link to the next one.
 *
 * Invariant: in_use + cached is what the backend has given us; in_use returns to its old value when everything is released.
 */
#include "core/pool.h"

#include <pthread.h>
#include <stdatomic.h>

#include "backend/backend.h"
#include "core/alloc.h"
#include "core/error.h"

enum { SMALLEST_BITS = 6, CLASSES = 4 * (63 - SMALLEST_BITS) };

typedef struct block {
    struct block *next;
} block;

struct ash__pool {
    pthread_mutex_t lock;
    const ash_device *device;
    size_t in_use, cached, peak, limit;
    int64_t requests, hits;
    block *list[CLASSES];
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

/* Gives back free blocks, the largest first, until at most keep bytes are cached. The lock is held. */
static void trim(ash__pool *pool, size_t keep)
{
    for (int c = CLASSES; c-- > 0 && pool->cached > keep;)
        while (pool->list[c] && pool->cached > keep) {
            block *const b = pool->list[c];
            pool->list[c] = b->next;
            pool->cached -= class_size(c);
            pool->device->backend->deallocate(pool->device, b, class_size(c));
        }
}

static void *fresh(ash__pool *pool, size_t size)
{
    if (pool->limit && (size > pool->limit || pool->in_use + pool->cached > pool->limit - size))
        trim(pool, size > pool->limit || pool->in_use > pool->limit - size ? pool->cached : pool->limit - size - pool->in_use);
    if (pool->limit && (size > pool->limit || pool->in_use > pool->limit - size))
        return NULL;
    void *data = pool->device->backend->allocate(pool->device, size);
    if (!data && pool->cached) {
        trim(pool, 0);
        data = pool->device->backend->allocate(pool->device, size);
    }
    return data;
}

void *ash__pool_take(ash__pool *pool, const char *function, size_t nbytes)
{
    const int c = nbytes <= SIZE_MAX / 4 ? class_of(nbytes) : CLASSES;
    void *data = NULL;
    size_t limit = 0, in_use = 0;
    if (c < CLASSES) {
        const size_t size = class_size(c);
        pthread_mutex_lock(&pool->lock);
        pool->requests++;
        if (pool->list[c]) {
            data = pool->list[c];
            pool->list[c] = pool->list[c]->next;
            pool->cached -= size;
            pool->hits++;
        } else {
            data = fresh(pool, size);
        }
        if (data)
            pool->in_use += size;
        if (pool->in_use + pool->cached > pool->peak)
            pool->peak = pool->in_use + pool->cached;
        limit = pool->limit;
        in_use = pool->in_use;
        pthread_mutex_unlock(&pool->lock);
    }
    if (!data && limit)
        ash__fail(ASH_ERR_MEMORY, function, "%s has no memory for %zu bytes: %zu are in use and the limit is %zu",
                  pool->device->name, nbytes, in_use, limit);
    else if (!data)
        ash__fail(ASH_ERR_MEMORY, function, "%s has no memory for %zu bytes", pool->device->name, nbytes);
    return data;
}

void ash__pool_give(ash__pool *pool, void *data, size_t nbytes)
{
    const int c = class_of(nbytes);
    block *const b = data;
    pthread_mutex_lock(&pool->lock);
    b->next = pool->list[c];
    pool->list[c] = b;
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
    pthread_mutex_unlock(&pool->lock);
}

void ash__pool_limit(ash__pool *pool, size_t nbytes)
{
    pthread_mutex_lock(&pool->lock);
    pool->limit = nbytes;
    if (nbytes && pool->in_use + pool->cached > nbytes)
        trim(pool, pool->in_use < nbytes ? nbytes - pool->in_use : 0);
    pthread_mutex_unlock(&pool->lock);
}

void ash__pool_trim(ash__pool *pool, size_t keep)
{
    pthread_mutex_lock(&pool->lock);
    trim(pool, keep);
    pthread_mutex_unlock(&pool->lock);
}

void ash__pool_lock(ash__pool *pool) { pthread_mutex_lock(&pool->lock); }
void ash__pool_unlock(ash__pool *pool) { pthread_mutex_unlock(&pool->lock); }
