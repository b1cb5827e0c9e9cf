/*
 * fourier_tables.c - roots of unity for transforms on a device, made on the host and kept for some lengths.
 *
 * They are those of the CPU (backend/roots.c), rounded once.
 */
#include "backend/gpu/fourier_tables.h"

#include <pthread.h>
#include <string.h>

#include "backend/fourier.h"
#include "core/alloc.h"
#include "core/error.h"

enum { KEPT = 24, KEPT_BYTES = 64 << 20 };

typedef struct table {
    ash__roots what;
    void *data;
    size_t nbytes;
} table;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of these */
static table kept[KEPT];
static int next;
static size_t all_bytes;

static void put(const ash__roots *what, void *data, int64_t at, long double re, long double im)
{
    if (what->wide) {
        ((double *)data)[2 * at] = (double)re;
        ((double *)data)[2 * at + 1] = (double)im;
    } else {
        ((float *)data)[2 * at] = (float)re;
        ((float *)data)[2 * at + 1] = (float)im;
    }
}

/* Number `at` becomes exp(-2*pi*i*k/n), 0 <= k < n < 2^60. */
static void put_root(const ash__roots *what, void *data, int64_t at, int64_t k, int64_t n)
{
    long double x[2];
    ash__root_of(what->wide, k, n, x);
    put(what, data, at, x[0], x[1]);
}

int64_t ash__roots_count(const ash__roots *what)
{
    int64_t count = 0;
    switch (what->kind) {
    case ASH__ROOTS_PASSES:
        for (int k = 0; k < what->passes; k++)
            count += (what->radix[k] - 1) * what->before[k] + what->radix[k];
        return count ? count : 1;
    case ASH__ROOTS_TWIST:
        return what->fine + (what->n + what->fine - 1) / what->fine;
    case ASH__ROOTS_CHIRP:
        return what->n;
    case ASH__ROOTS_KERNEL:
    default:
        return what->padded;
    }
}

/* The factors of each pass, then the roots of its radix. */
static void fill_passes(const ash__roots *what, void *data)
{
    int64_t at = 0;
    for (int p = 0; p < what->passes; p++) {
        const int64_t before = what->before[p], radix = what->radix[p];
        for (int64_t k = 1; k < radix; k++)
            for (int64_t r = 0; r < before; r++)
                put_root(what, data, at++, k * r, before * radix);
        for (int64_t k = 0; k < radix; k++)
            put_root(what, data, at++, k, radix);
    }
}

/* exp(-i*pi*k^2/n), of which k^2 counts modulo 2n; n is 2^29 at most */
static void put_chirp(const ash__roots *what, void *data, int64_t at, int64_t k)
{
    put_root(what, data, at, k * k % (2 * what->n), 2 * what->n);
}

static void conjugate_all(const ash__roots *what, void *data)
{
    for (int64_t k = 0; k < what->padded; k++)
        if (what->wide)
            ((double *)data)[2 * k + 1] = -((double *)data)[2 * k + 1];
        else
            ((float *)data)[2 * k + 1] = -((float *)data)[2 * k + 1];
}

static void fill(const ash__roots *what, void *data)
{
    switch (what->kind) {
    case ASH__ROOTS_PASSES:
        fill_passes(what, data);
        break;
    case ASH__ROOTS_TWIST:
        for (int64_t k = 0; k < what->fine; k++)
            put_root(what, data, k, k % what->n, what->n);
        for (int64_t k = 0; k * what->fine < what->n; k++)
            put_root(what, data, what->fine + k, k * what->fine, what->n);
        break;
    case ASH__ROOTS_CHIRP:
        for (int64_t k = 0; k < what->n; k++)
            put_chirp(what, data, k, k);
        break;
    case ASH__ROOTS_KERNEL: /* the chirp's conjugate, around 0 */
        for (int64_t k = 0; k < what->padded; k++)
            put(what, data, k, 0, 0);
        for (int64_t k = 0; k < what->n; k++) {
            put_chirp(what, data, k, k);
            put_chirp(what, data, k ? what->padded - k : 0, k);
        }
        conjugate_all(what, data);
        break;
    }
}

static void drop(table *t)
{
    all_bytes -= t->nbytes;
    ash__free(t->data);
    *t = (table){0};
}

/* The lock is held. */
static const table *find(const char *function, const ash__roots *what)
{
    for (int k = 0; k < KEPT; k++)
        if (kept[k].data && memcmp(&kept[k].what, what, sizeof *what) == 0)
            return &kept[k];
    const int64_t count = ash__roots_count(what), size = what->wide ? 16 : 8;
    void *const data = ash__alloc(function, count, (size_t)size);
    if (!data)
        return NULL;
    fill(what, data);
    for (int k = 0; k < KEPT && all_bytes > KEPT_BYTES; k++)
        drop(&kept[k]);
    table *const t = &kept[next];
    next = (next + 1) % KEPT;
    drop(t);
    *t = (table){*what, data, (size_t)(count * size)};
    all_bytes += t->nbytes;
    return t;
}

ash_status ash__roots_upload(ash__gpu_work *w, const ash__roots *what, void **memory)
{
    pthread_mutex_lock(&lock);
    const table *const t = find(w->function, what);
    const ash_status status = t ? ash__gpu_upload(w, t->data, t->nbytes, memory) : ASH_ERR_MEMORY;
    pthread_mutex_unlock(&lock);
    return status;
}
