/*
 * sort_keys.c - quicksort by parting, out of place, and stable positions by sorting keys that hold them.
 *
 * A piece of keys lies in `data`, has as much room in `other`, and is to end up in one of the two. It is cut at one of its
 * keys: one side stays at the front of its memory, the other goes to the front of the other memory, so that each of the two
 * has again as much room as keys, and the side that must end up elsewhere is the one that moves. No pass copies anything back,
 * and each reads and writes in sequence. Few keys are sorted in registers; on levels that cannot, what fits the cache is
 * sorted by its bytes.
 *
 * Equal keys: of each piece a bound is known that no key is below. Cutting at a key equal to it splits off all keys like it,
 * which are in order already. When cuts go wrong too often, the piece is sorted by its bytes, so time is at most in
 * proportion to n log n.
 *
 * Threads take pieces from a list; the result does not depend on who does what.
 */
#include "backend/cpu/sort_keys.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "backend/cpu/threads.h"

enum {
    SHARED = 32768,   /* keys: larger pieces are offered to other threads */
    WAITING = 64,     /* pieces in the list */
    SAMPLE = 32,      /* keys to choose a bound from; of large pieces 4 times as many, of small ones a quarter */
    SMALL = 2048,
    LARGE = 16384,
    IN_CACHE = 32768, /* keys: sorted by bytes in the cache */
    SPINS = 2000
};

typedef struct piece {
    char *data, *other;
    int64_t n, at;   /* at: of its first key in the order of all */
    uint64_t least;  /* no key is below */
    int cuts;        /* left, before it is sorted by bytes */
    bool to_other;   /* where it is to end up */
} piece;

/* What threads share. */
typedef struct list {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    piece waiting[WAITING];
    atomic_int count, busy; /* pieces in the list; threads that have one. Written under the lock */
} list;

typedef struct sorter {
    const ash__sort_table *table;
    int width;
    int64_t few, first, end;
    list *list; /* NULL: one thread does all */
} sorter;

static uint64_t key_at(const sorter *s, const char *keys, int64_t i)
{
    return s->width ? ((const uint64_t *)(const void *)keys)[i] : ((const uint32_t *)(const void *)keys)[i];
}

static size_t item_of(const sorter *s)
{
    return s->width ? 8 : 4;
}

/* ---- one piece */

/* The middle one of some keys from all over the piece. */
static uint64_t choose_bound(const sorter *s, const piece *p)
{
    uint64_t sample[4 * SAMPLE], room[4 * SAMPLE];
    const int64_t count = p->n < SMALL ? SAMPLE / 4 : p->n < LARGE ? SAMPLE : 4 * SAMPLE, step = p->n / count;
    for (int64_t i = 0; i < count; i++) {
        /* not evenly spaced, or keys in a pattern of that length would be seen from one side alone */
        const int64_t at = i * step + (int64_t)((uint64_t)(i + 1) * 0x9e3779b97f4a7c15u >> 33) % step;
        sample[i] = key_at(s, p->data, at);
    }
    if (s->table->few[1])
        s->table->sort_few[1](sample, sample, count);
    else
        ash__radix_sort(1, sample, room, count, false);
    return sample[count / 2];
}

/* Machines without vectors of masks: both stores are made and one of them counts. */
#define DEFINE_PART(K)                                                                                     \
    static int64_t part_##K(void *data, void *other, uint64_t bound, bool keep_upper, int64_t n)           \
    {                                                                                                      \
        K *const d = data, *const o = other;                                                               \
        int64_t kept = 0;                                                                                  \
        for (int64_t i = 0; i < n; i++) {                                                                  \
            const K x = d[i];                                                                              \
            d[kept] = x;                                                                                   \
            o[i - kept] = x;                                                                               \
            kept += (x < bound) ^ keep_upper;                                                              \
        }                                                                                                  \
        return kept;                                                                                       \
    }
DEFINE_PART(uint32_t)
DEFINE_PART(uint64_t)

static int64_t part(const sorter *s, const piece *p, uint64_t bound)
{
    if (s->table->part[s->width])
        return s->table->part[s->width](p->data, p->other, bound, p->to_other, p->n);
    return (s->width ? part_uint64_t : part_uint32_t)(p->data, p->other, bound, p->to_other, p->n);
}

/* Cuts p: it keeps the lower keys, none where these are in order already; *upper gets the others. */
static void cut(const sorter *s, piece *p, piece *upper)
{
    const uint64_t key = choose_bound(s, p), highest = s->width ? UINT64_MAX : UINT32_MAX;
    const bool alike = key == p->least;
    const size_t item = item_of(s);
    if (alike && key == highest) { /* all are */
        if (p->to_other)
            memcpy(p->other, p->data, (size_t)p->n * item);
        p->n = upper->n = 0;
        return;
    }
    const uint64_t bound = alike ? key + 1 : key;
    const int64_t stay = part(s, p, bound), go = p->n - stay, lower = p->to_other ? go : stay;
    char *const data = p->data, *const other = p->other;
    *upper = (piece){p->to_other ? data : other, p->to_other ? other + (size_t)lower * item : data + (size_t)lower * item,
                     p->n - lower, p->at + lower, bound, p->cuts - 1, true};
    p->data = p->to_other ? other : data;
    p->other = (p->to_other ? data : other) + (size_t)upper->n * item;
    p->n = alike ? 0 : lower;
    p->to_other = false;
    p->cuts--;
}

static void finish(const sorter *s, const piece *p)
{
    if (p->n <= s->table->few[s->width])
        s->table->sort_few[s->width](p->to_other ? p->other : p->data, p->data, p->n);
    else
        ash__radix_sort(s->width, p->data, p->other, p->n, p->to_other);
}

/* Does any key of p matter? */
static bool wanted(const sorter *s, const piece *p)
{
    return p->n > 0 && p->at < s->end && p->at + p->n > s->first;
}

/* Puts p into the list for another thread; false where it has to be done here. */
static bool offer(const sorter *s, const piece *p)
{
    list *const l = s->list;
    if (!l || p->n <= SHARED)
        return false;
    pthread_mutex_lock(&l->lock);
    const bool room = l->count < WAITING;
    if (room) {
        l->waiting[l->count] = *p;
        l->count++;
        pthread_cond_signal(&l->changed);
    }
    pthread_mutex_unlock(&l->lock);
    return room;
}

/* The larger side is next in the loop, so that calls are nested log2(n) deep. */
static void sort_piece(const sorter *s, piece p)
{
    while (wanted(s, &p)) {
        piece upper;
        if (p.n <= s->few || !p.cuts) {
            finish(s, &p);
            return;
        }
        cut(s, &p, &upper);
        if (!wanted(s, &upper))
            continue;
        if (wanted(s, &p) && !offer(s, &upper)) {
            sort_piece(s, p.n < upper.n ? p : upper);
            p = p.n < upper.n ? upper : p;
        } else if (!wanted(s, &p)) {
            p = upper;
        }
    }
}

/* ---- threads */

/* Waits for a piece; false when there is none and nobody can make one. The lock is held. */
static bool next_piece(list *l)
{
    for (int spin = 0; !l->count && l->busy && spin < SPINS; spin++) {
        pthread_mutex_unlock(&l->lock);
        for (int k = 0; k < 64 && !l->count && l->busy; k++)
            __asm__ volatile("" ::: "memory");
        sched_yield();
        pthread_mutex_lock(&l->lock);
    }
    while (!l->count && l->busy)
        pthread_cond_wait(&l->changed, &l->lock);
    return l->count > 0;
}

static void work(void *context, int64_t part)
{
    (void)part;
    const sorter *const s = context;
    list *const l = s->list;
    pthread_mutex_lock(&l->lock);
    while (next_piece(l)) {
        l->count--;
        const piece p = l->waiting[l->count];
        l->busy++;
        pthread_mutex_unlock(&l->lock);
        sort_piece(s, p);
        pthread_mutex_lock(&l->lock);
        l->busy--;
        if (!l->busy)
            pthread_cond_broadcast(&l->changed);
    }
    pthread_mutex_unlock(&l->lock);
}

static void sort_by_threads(sorter *s, piece all)
{
    list l = {.waiting = {all}, .count = 1};
    pthread_mutex_init(&l.lock, NULL);
    pthread_cond_init(&l.changed, NULL);
    s->list = &l;
    ash__parallel(ash__thread_count(), work, s);
    pthread_cond_destroy(&l.changed);
    pthread_mutex_destroy(&l.lock);
}

static int log2_of(int64_t n)
{
    return n > 1 ? 64 - __builtin_clzll((unsigned long long)(n - 1)) : 0; /* rounded up */
}

void ash__sort_keys(int width, void *data, void *other, int64_t n, int64_t first, int64_t end, bool threads)
{
    const ash__sort_table *const table = ash__cpu_kernels()->sort;
    sorter s = {.table = table,
                .width = width,
                .few = table->few[width] ? table->few[width] : IN_CACHE,
                .first = first,
                .end = end};
    const piece all = {data, other, n, 0, 0, 2 * log2_of(n) + 8, false};
    if (threads && n > 2 * SHARED && ash__thread_count() > 1)
        sort_by_threads(&s, all);
    else
        sort_piece(&s, all);
}

/* ---- positions
 *
 * Key and position are packed into one number of 64 bits, the position below. All are different, so any way to sort them
 * is stable. Of keys of 8 bytes, as many bits are packed as there is room for, the highest in which any two differ; where
 * these are equal the next ones decide. */

typedef struct packing {
    int width, bits; /* bits of a position */
    const void *keys;
    uint64_t *other;
    bool threads;
} packing;

static uint64_t low_bits(int count)
{
    return count >= 64 ? UINT64_MAX : ((uint64_t)1 << count) - 1;
}

static uint64_t packed_key(const packing *p, int64_t i)
{
    return p->width ? ((const uint64_t *)p->keys)[i] : ((const uint32_t *)p->keys)[i];
}

/* Bits of the keys, counted from the lowest, up to the highest in which two of them differ. */
static int differing_bits(const packing *p, int64_t n)
{
    uint64_t differ = 0;
    const uint64_t one = packed_key(p, 0);
    if (p->width)
        for (int64_t i = 0; i < n; i++)
            differ |= ((const uint64_t *)p->keys)[i] ^ one;
    else
        for (int64_t i = 0; i < n; i++)
            differ |= ((const uint32_t *)p->keys)[i] ^ one;
    return differ ? 64 - __builtin_clzll(differ) : 0;
}

/* Numbers of the keys at 0 to n - 1. The loops have nothing in them that keeps them from being vectorised. */
static void pack_all(const packing *p, uint64_t *at, int64_t n, int shift, uint64_t taken)
{
    const int bits = p->bits;
    if (p->width) {
        const uint64_t *const key = p->keys;
        for (int64_t i = 0; i < n; i++)
            at[i] = (key[i] >> shift & taken) << bits | (uint64_t)i;
    } else {
        const uint32_t *const key = p->keys;
        for (int64_t i = 0; i < n; i++)
            at[i] = (key[i] >> shift & taken) << bits | (uint64_t)i;
    }
}

/* Sorts n numbers that hold positions by bits below `top` of the keys of these positions; all: by position i at i. */
static void sort_packed(const packing *p, uint64_t *at, int64_t n, int top, bool all)
{
    const int shift = top > 64 - p->bits ? top - (64 - p->bits) : 0;
    const uint64_t positions = low_bits(p->bits), taken = low_bits(top - shift);
    if (all)
        pack_all(p, at, n, shift, taken);
    for (int64_t i = 0; !all && i < n; i++) {
        const uint64_t position = at[i] & positions;
        at[i] = (packed_key(p, (int64_t)position) >> shift & taken) << p->bits | position;
    }
    ash__sort_keys(1, at, p->other, n, 0, n, p->threads);
    for (int64_t i = 0, next; shift && i < n; i = next) {
        for (next = i + 1; next < n && at[next] >> p->bits == at[i] >> p->bits;)
            next++;
        if (next - i > 1)
            sort_packed(p, at + i, next - i, shift, false);
    }
}

/* The positions of keys from low to high, in ascending order, to `at`: how many. *below: how many keys are less than low. */
static int64_t positions_between(const packing *p, int64_t n, uint64_t low, uint64_t high, uint64_t *at, int64_t *below)
{
    int64_t count = 0;
    *below = 0;
    for (int64_t i = 0; i < n; i++) {
        const uint64_t key = packed_key(p, i);
        at[count] = (uint64_t)i;
        count += (key >= low) & (key <= high);
        *below += key < low;
    }
    return count;
}

/* Where part of the order is wanted: the keys at its ends are found first, and what lies between them is sorted. */
static int64_t candidates(const packing *p, int64_t n, int64_t first, int64_t end, uint64_t *at, int64_t *below)
{
    const size_t item = p->width ? 8 : 4;
    uint64_t bound[2] = {0, UINT64_MAX};
    for (int k = 0; k < 2; k++) {
        const int64_t rank = k ? end - 1 : first;
        if (rank == (k ? n - 1 : 0))
            continue; /* no key is beyond that end */
        memcpy(at, p->keys, (size_t)n * item);
        ash__sort_keys(p->width, at, p->other, n, rank, rank + 1, p->threads);
        bound[k] = p->width ? at[rank] : ((const uint32_t *)(const void *)at)[rank];
    }
    return positions_between(p, n, bound[0], bound[1], at, below);
}

void ash__sort_positions(int width, const void *keys, int64_t n, int64_t first, int64_t end, int64_t *position,
                         uint64_t *packed, uint64_t *other, bool threads)
{
    const packing p = {width, log2_of(n), keys, other, threads};
    const bool all = first == 0 && end == n;
    int64_t count = n, below = 0;
    if (first >= end)
        return;
    if (!all)
        count = candidates(&p, n, first, end, packed, &below);
    sort_packed(&p, packed, count, differing_bits(&p, n), all);
    const uint64_t positions = low_bits(p.bits);
    for (int64_t i = first; i < end; i++)
        position[i - first] = (int64_t)(packed[i - below] & positions);
}
