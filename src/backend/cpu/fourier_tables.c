/*
 * fourier_tables.c - how a length is transformed, and the factors for that; a few lengths are kept.
 *
 * Factors are roots of unity (backend/roots.c), rounded once, so that each is the nearest number to the true one, or next to
 * it at worst. Products of two factors appear only
 * between the two halves of long lines, where a table of all of them would be as long as the line.
 *
 * A length with a prime factor above 31 becomes a convolution: L. I. Bluestein, A linear filtering approach to the computation
 * of discrete Fourier transform, IEEE Transactions on Audio and Electroacoustics 18 (1970).
 */
#include <math.h>
#include <pthread.h>

#include "backend/cpu/fourier.h"
#include "backend/cpu/threads.h"
#include "backend/fourier.h"
#include "core/alloc.h"
#include "core/error.h"

enum {
    KEPT = 32,              /* lengths */
    KEPT_BYTES = 64 << 20,  /* of all their tables */
    FULL = 1 << 12,         /* lines of so many numbers have all factors between their halves in a table */
    LEAST_SPLIT = 32,       /* shorter lines are one block */
    BLOCK_BYTES = 24 << 10, /* of a block of columns, about */
    MOST_WIDTH = 64
};

/* ---- tables */

static void *table_new(const char *function, ash__transform *t, int64_t count)
{
    const size_t item = t->wide ? sizeof(double) : sizeof(float);
    if (t->tables == ASH__FOURIER_TABLES || count > (int64_t)(PTRDIFF_MAX / 16)) {
        ash__fail(ASH_ERR_MEMORY, function, "no tables for a transform of %lld numbers", (long long)t->n);
        return NULL;
    }
    char *const block = ash__alloc(function, count * (int64_t)item + ASH__FOURIER_ROW, 1);
    if (!block)
        return NULL;
    t->table[t->tables++] = block;
    t->nbytes += (size_t)count * item;
    return block + (ASH__FOURIER_ROW - (uintptr_t)block % ASH__FOURIER_ROW) % ASH__FOURIER_ROW;
}

static void put(const ash__transform *t, void *table, int64_t at, long double x)
{
    if (t->wide)
        ((double *)table)[at] = (double)x;
    else
        ((float *)table)[at] = (float)x;
}

/* Parts side by side. */
static void put_root(const ash__transform *t, void *table, int64_t at, int64_t k, int64_t n)
{
    long double x[2];
    ash__root_of(t->wide, k, n, x);
    put(t, table, 2 * at, x[0]);
    put(t, table, 2 * at + 1, x[1]);
}
static void put_planes(const ash__transform *t, void *re, void *im, int64_t at, int64_t k, int64_t n)
{
    long double x[2];
    ash__root_of(t->wide, k, n, x);
    put(t, re, at, x[0]);
    put(t, im, at, x[1]);
}

/* ---- factors of a length */

/* Radices of n, and how many; 0 when a prime factor is too large. */
static int radices(int64_t n, int radix[ASH__FOURIER_PASSES])
{
    int count = 0;
    if (n == 1)
        radix[count++] = 1;
    while (n % 8 == 0 && n != 16) {
        radix[count++] = 8;
        n /= 8;
    }
    while (n % 4 == 0) {
        radix[count++] = 4;
        n /= 4;
    }
    for (int r = 2; r <= ASH__FOURIER_ODD; r += r == 2 ? 1 : 2)
        while (n % r == 0) {
            radix[count++] = r;
            n /= r;
        }
    return n == 1 ? count : 0;
}

bool ash__transform_easy(int64_t n)
{
    int radix[ASH__FOURIER_PASSES];
    return radices(n, radix) > 0;
}

/* The least easy length from n on that also splits well: a power of two times 1, 3, 5 or 9. */
static int64_t padded_length(int64_t n)
{
    static const int64_t odd[] = {1, 3, 5, 9};
    int64_t best = INT64_MAX;
    for (int k = 0; k < 4; k++) {
        int64_t m = odd[k] * 16;
        while (m < n)
            m *= 2;
        best = m < best ? m : best;
    }
    return best;
}

static int64_t whole_rows(const ash__transform *t, int64_t n)
{
    return (n + t->lanes - 1) / t->lanes * t->lanes;
}

/* n1 of n = n1*n2 with the least to do when rows are filled up to whole vectors; 0: one block, one line wide, is no worse. */
static int64_t best_split(const ash__transform *t)
{
    int64_t best = 0, least = t->n * t->lanes;
    if (t->n < LEAST_SPLIT)
        return 0;
    for (int64_t a = 2; a * a <= t->n; a++) {
        const int64_t b = t->n / a, work = (whole_rows(t, a) * b + a * whole_rows(t, b)) / 2 + (b - a);
        if (t->n % a == 0 && work <= least) {
            best = a;
            least = work;
        }
    }
    return best;
}

static int64_t block_width(const ash__transform *t, int64_t rows, int64_t columns)
{
    const int64_t item = t->wide ? 8 : 4, most = whole_rows(t, columns);
    int64_t width = t->lanes;
    while (width < most && width * 2 <= MOST_WIDTH && rows * width * 4 * item <= BLOCK_BYTES)
        width *= 2;
    return width < most ? width : most;
}

/* ---- the forms */

static bool make_passes(const char *function, ash__transform *t)
{
    int radix[ASH__FOURIER_PASSES];
    t->form = ASH__FORM_PASSES;
    t->passes = radices(t->n, radix);
    int64_t n = t->n;
    for (int i = 0; i < t->passes; i++) {
        const int64_t r = radix[i], m = n / r;
        char *const twiddle = m > 1 ? table_new(function, t, m * (r - 1) * 2) : NULL;
        char *const root = r % 2 && r > 1 ? table_new(function, t, r * 2) : NULL;
        if ((m > 1 && !twiddle) || (r % 2 && r > 1 && !root))
            return false;
        for (int64_t p = 0; m > 1 && p < m; p++)
            for (int64_t j = 1; j < r; j++)
                put_root(t, twiddle, p * (r - 1) + j - 1, p * j, n);
        for (int64_t k = 0; root && k < r; k++)
            put_root(t, root, k, k ? r - k : 0, r); /* the conjugate */
        t->pass[i] = (ash__fourier_pass){.radix = r, .m = m, .twiddle = twiddle, .root = root};
        n = m;
    }
    return true;
}

/* Factors between the halves: row j of column c gets exp(-2*pi*i*j*c/n). */
static bool make_factors(const char *function, ash__transform *t)
{
    const int64_t rows = t->first->n, columns = t->second->n, width = t->width[0], blocks = (columns + width - 1) / width,
                  fine = (t->full ? blocks : 1) * rows * width;
    t->fine_re = table_new(function, t, fine);
    t->fine_im = t->fine_re ? table_new(function, t, fine) : NULL;
    t->coarse = t->fine_im && !t->full ? table_new(function, t, blocks * rows * 2) : NULL;
    if (!t->fine_im || (!t->full && !t->coarse))
        return false;
    for (int64_t b = 0; b < (t->full ? blocks : 1); b++)
        for (int64_t j = 0; j < rows; j++)
            for (int64_t q = 0; q < width; q++)
                put_planes(t, t->fine_re, t->fine_im, (b * rows + j) * width + q, j * (b * width + q) % t->n, t->n);
    for (int64_t b = 0; !t->full && b < blocks; b++)
        for (int64_t j = 0; j < rows; j++)
            put_root(t, t->coarse, b * rows + j, j * b * width % t->n, t->n);
    return true;
}

static ash__transform *build(const char *function, int64_t n, int wide, ash__use use);

static bool make_split(const char *function, ash__transform *t, int64_t rows)
{
    t->form = ASH__FORM_SPLIT;
    t->first = build(function, rows, t->wide, ASH__USE_BLOCK);
    t->second = t->first ? build(function, t->n / rows, t->wide, ASH__USE_BLOCK) : NULL;
    if (!t->second)
        return false;
    t->width[0] = block_width(t, t->first->n, t->second->n);
    t->width[1] = block_width(t, t->second->n, t->first->n);
    t->full = t->n <= FULL;
    return make_factors(function, t);
}

/* chirp[k] = exp(-pi*i*k^2/n), whose square runs through twice the length; its conjugate, transformed, is the filter. */
static bool make_padded(const char *function, ash__transform *t)
{
    const int64_t n = t->n, m = padded_length(2 * n - 1), item = t->wide ? 8 : 4;
    t->form = ASH__FORM_PADDED;
    t->first = ash__transform_open(function, m, t->wide, ASH__USE_LINE);
    t->fine_re = t->first ? table_new(function, t, n) : NULL;
    t->fine_im = t->fine_re ? table_new(function, t, n) : NULL;
    t->spectrum_re = t->fine_im ? table_new(function, t, m) : NULL;
    t->spectrum_im = t->spectrum_re ? table_new(function, t, m) : NULL;
    char *const work = t->spectrum_im ? ash__spare_take(ash__transform_work(t->first)) : NULL;
    if (!work) {
        if (t->spectrum_im)
            ash__fail(ASH_ERR_MEMORY, function, "no memory for the tables of a transform of %lld numbers", (long long)n);
        return false;
    }
    int64_t square = 0; /* k^2 mod 2n */
    for (int64_t k = 0; k < n; k++) {
        long double x[2];
        ash__root_of(t->wide, square, 2 * n, x);
        put(t, t->fine_re, k, x[0]);
        put(t, t->fine_im, k, x[1]);
        for (int64_t at = k ? m - k : 0; at != -1; at = at == k ? -1 : k) {
            put(t, t->spectrum_re, at, x[0] / (long double)m);
            put(t, t->spectrum_im, at, -x[1] / (long double)m);
        }
        square = (square + 2 * k + 1) % (2 * n);
    }
    const ash__kernels *const kernels = ash__cpu_kernels();
    const ash__lining l = {kernels, &kernels->fourier->loops[t->wide], item, work};
    const ash__line line = {NULL, {t->spectrum_re, t->spectrum_im}};
    ash__transform_line(&l, t->first, line, line, false, 1);
    ash__spare_give(work);
    return true;
}

static bool make_real(const char *function, ash__transform *t)
{
    const int64_t count = t->n / 2 + 1;
    t->form = ASH__FORM_REAL;
    t->first = ash__transform_open(function, t->n, t->wide, t->use == ASH__USE_REAL ? ASH__USE_LINE : ASH__USE_BLOCK);
    t->fine_re = t->first ? table_new(function, t, count) : NULL;
    t->fine_im = t->fine_re ? table_new(function, t, count) : NULL;
    for (int64_t k = 0; t->fine_im && k < count; k++)
        put_planes(t, t->fine_re, t->fine_im, k, k, 2 * t->n);
    return t->fine_im;
}

static ash__transform *build(const char *function, int64_t n, int wide, ash__use use)
{
    ash__transform *const t = ash__alloc(function, 1, sizeof *t);
    if (!t)
        return NULL;
    atomic_init(&t->refs, 1);
    t->use = use;
    t->n = n;
    t->wide = wide;
    t->lanes = ASH__FOURIER_ROW / (wide ? 8 : 4);
    const bool easy = ash__transform_easy(n);
    const int64_t rows = use == ASH__USE_LINE && easy ? best_split(t) : 0;
    const bool made = use >= ASH__USE_REAL ? make_real(function, t)
                      : !easy              ? make_padded(function, t)
                      : rows               ? make_split(function, t, rows)
                                           : make_passes(function, t);
    if (made)
        return t;
    ash__transform_close(t);
    return NULL;
}

void ash__transform_close(ash__transform *t)
{
    if (!t || atomic_fetch_sub_explicit(&t->refs, 1, memory_order_acq_rel) != 1)
        return;
    for (int k = 0; k < t->tables; k++)
        ash__free(t->table[k]);
    ash__transform_close(t->first);
    ash__transform_close(t->second);
    ash__free(t);
}

/* ---- those that are kept: the newest first */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static ash__transform *kept[KEPT];
static int count;

/* A child of fork must not inherit a lock that some other thread held. */
static void take(void)
{
    pthread_mutex_lock(&lock);
}
static void give(void)
{
    pthread_mutex_unlock(&lock);
}
static void guard_fork(void)
{
    pthread_atfork(take, give, give);
}

static ash__transform *to_front(int at)
{
    ash__transform *const t = kept[at];
    memmove(kept + 1, kept, sizeof *kept * (size_t)at);
    kept[0] = t;
    return t;
}

static ash__transform *find(int64_t n, int wide, ash__use use)
{
    ash__transform *t = NULL;
    take();
    for (int k = 0; k < count && !t; k++)
        if (kept[k]->n == n && kept[k]->wide == wide && kept[k]->use == use) {
            t = to_front(k);
            atomic_fetch_add_explicit(&t->refs, 1, memory_order_relaxed);
        }
    give();
    return t;
}

static void keep(ash__transform *t)
{
    ash__transform *gone[KEPT];
    int left = 0;
    if (t->nbytes > KEPT_BYTES)
        return;
    take();
    size_t nbytes = t->nbytes;
    for (int k = 0; k < count; k++)
        nbytes += kept[k]->nbytes;
    while (count && (count == KEPT || nbytes > KEPT_BYTES)) {
        gone[left] = kept[--count];
        nbytes -= gone[left++]->nbytes;
    }
    atomic_fetch_add_explicit(&t->refs, 1, memory_order_relaxed);
    kept[count++] = t;
    to_front(count - 1);
    give();
    while (left)
        ash__transform_close(gone[--left]);
}

static __attribute__((destructor)) void drop_all(void)
{
    take();
    while (count)
        ash__transform_close(kept[--count]);
    give();
}

ash__transform *ash__transform_open(const char *function, int64_t n, int wide, ash__use use)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, guard_fork);
    ash__transform *t = find(n, wide, use);
    if (t)
        return t;
    t = build(function, n, wide, use);
    if (t)
        keep(t);
    return t;
}
