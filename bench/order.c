/*
 * order.c - goals 16, 17, 19 and 20: selecting by a mask, gathering by indices, sorting.
 *
 * Sorts are measured beside VQSort of the Highway library, where it was there when this was compiled. VQSort sorts in place, so
 * it is given a fresh copy each time, which counts; the library's sort writes to another array.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "ashlar/ashlar.h"
#include "bench.h"
#include "hand.h"
#include "vqsort.h"

typedef struct order {
    int64_t n;
    ash_array *a, *out, *mask, *index, *positions;
    void *from, *to; /* of a, and memory of the same size */
    uint8_t *bytes;  /* of mask */
    const int64_t *at;
    uint64_t *packed; /* key and position, for VQSort */
    ash_dtype dtype;
} order;

static uint64_t random_state = 1;
static uint64_t next_random(void) /* xorshift64*, S. Vigna, ACM TOMS 42 (2016) */
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return random_state * UINT64_C(2685821657736338717);
}

static order order_for(int64_t n, ash_dtype dtype)
{
    const size_t item = ash_dtype_size(dtype);
    order w = {.n = n, .dtype = dtype};
    w.a = ash_empty(ASH_SHAPE(n), .dtype = dtype);
    w.out = ash_zeros(ASH_SHAPE(n), .dtype = dtype);
    w.mask = ash_empty(ASH_SHAPE(n), .dtype = ASH_BOOL);
    w.index = ash_empty(ASH_SHAPE(n), .dtype = ASH_I64);
    w.positions = ash_zeros(ASH_SHAPE(n), .dtype = ASH_I64);
    w.from = ash_map_host(w.a);
    w.bytes = ash_map_host(w.mask);
    w.at = ash_map_host(w.index);
    w.to = calloc((size_t)n, item);
    w.packed = calloc((size_t)n, sizeof *w.packed);
    for (int64_t i = 0; i < n; i++) {
        const uint64_t x = next_random();
        const double unit = (double)(x >> 11) * 0x1p-53;
        if (dtype == ASH_F32)
            ((float *)w.from)[i] = (float)unit;
        else if (dtype == ASH_F64)
            ((double *)w.from)[i] = unit;
        else
            ((int64_t *)w.from)[i] = (int64_t)x;
        w.bytes[i] = (uint8_t)(next_random() >> 63);
        ((int64_t *)(uintptr_t)w.at)[i] = (int64_t)((next_random() >> 11) % (uint64_t)n);
    }
    return w;
}

static void end_order(order *w)
{
    ash_array *const arrays[] = {w->a, w->out, w->mask, w->index, w->positions};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
        ash_release(arrays[k]);
    free(w->to);
    free(w->packed);
}

/* ---- candidates */

static void ours_select(void *p) { ash_release(ash_select_opt(((order *)p)->a, ((order *)p)->mask, NULL)); }
static void ours_find(void *p) { ash_release(ash_find_opt(((order *)p)->mask, NULL)); }
static void ours_take(void *p) { ash_release(ash_take_opt(((order *)p)->a, ((order *)p)->index, NULL)); }
static void ours_sort(void *p) { ash_sort_into_opt(((order *)p)->out, ((order *)p)->a, NULL); }
static void ours_sortperm(void *p) { ash_sortperm_into_opt(((order *)p)->positions, ((order *)p)->a, NULL); }
static void by_hand_copy(void *p)
{
    order *w = p;
    hand_copy(w->to, w->from, w->n);
}
static void by_hand_take(void *p)
{
    order *w = p;
    hand_take(w->to, w->from, w->at, w->n);
}
static void vqsort_copy(void *p)
{
    order *w = p;
    memcpy(w->to, w->from, (size_t)w->n * ash_dtype_size(w->dtype));
    if (w->dtype == ASH_F32)
        vqsort_f32(w->to, (size_t)w->n);
    else if (w->dtype == ASH_F64)
        vqsort_f64(w->to, (size_t)w->n);
    else
        vqsort_i64(w->to, (size_t)w->n);
}
/* The positions of an f32 sort by packing them below the keys, without a thought for signs: the numbers are positive. */
static void vqsort_packed(void *p)
{
    order *w = p;
    const uint32_t *const bits = w->from;
    for (int64_t i = 0; i < w->n; i++)
        w->packed[i] = (uint64_t)bits[i] << 32 | (uint64_t)i;
    vqsort_u64(w->packed, (size_t)w->n);
    for (int64_t i = 0; i < w->n; i++)
        w->packed[i] &= UINT32_MAX;
}

/* The best of a few tries of time of `other` / time of ours. */
static double against(void (*other)(void *), void (*ours)(void *), order *w)
{
    double best = 0;
    for (int t = 0; t < TRIES; t++) {
        candidate c[] = {{.name = "ours", .run = ours, .context = w}, {.name = "other", .run = other, .context = w}};
        timing_run(c, 2, 3e-4);
        best = fmax(best, time_of(&c[1], w->n) / time_of(&c[0], w->n));
    }
    return best;
}

/* ---- goals */

static void bench_masks(void)
{
    static const struct {
        int64_t n;
        double goal;
    } row[] = {{4096, 0.5}, {1000000, 0.7}, {10000000, 0.7}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        order w = order_for(row[i].n, ASH_F32);
        /* half of the elements are kept: 4 + 1 bytes read and 2 written, or 1 and 4; a copy moves 8 */
        report("16", "select by a mask, half kept", w.n, against(by_hand_copy, ours_select, &w) * 7 / 8, "of copy", false,
               row[i].goal, noise(w.n));
        report("16", "find, half true", w.n, against(by_hand_copy, ours_find, &w) * 5 / 8, "of copy", false, row[i].goal,
               noise(w.n));
        end_order(&w);
    }
}

static void bench_gather(void)
{
    static const int64_t sizes[] = {60000, 1000000, 10000000};
    for (size_t i = 0; i < 3; i++) {
        order w = order_for(sizes[i], ASH_F32);
        report("17", "take, random indices, checked", w.n, against(by_hand_take, ours_take, &w), "x hand loop", false, 1.0,
               noise(w.n));
        end_order(&w);
    }
}

static void bench_sorts(void)
{
    static const ash_dtype dtypes[] = {ASH_F32, ASH_I64, ASH_F64};
    if (!vqsort_there()) {
        printf("19   skipped: the Highway library was not there (Debian: libhwy-dev)\n");
        return;
    }
    for (int64_t n = 10000; n <= 10000000; n *= n == 10000 ? 100 : 10) {
        for (size_t d = 0; d < 3; d++) {
            char what[64];
            order w = order_for(n, dtypes[d]);
            snprintf(what, sizeof what, "sort %s", ash_dtype_name(dtypes[d]));
            report("19", what, n, against(vqsort_copy, ours_sort, &w), "x VQSort", false, 0.5, noise(n));
            end_order(&w);
        }
        order w = order_for(n, ASH_F32);
        report("20", "sortperm f32, stable", n, against(vqsort_packed, ours_sortperm, &w), "x VQSort", false, 0.7, noise(n));
        end_order(&w);
    }
}

void bench_order(void)
{
    bench_masks();
    bench_gather();
    bench_sorts();
}

/* Goal 17 with two threads; sorts for comparison. */
static double with_threads(int threads, void (*ours)(void *), order *w)
{
    ash_set_threads(threads);
    double best = INFINITY;
    for (int t = 0; t < TRIES; t++) {
        candidate c = {.name = "ours", .run = ours, .context = w};
        timing_run(&c, 1, 3e-4);
        best = fmin(best, timing_min(&c));
    }
    return best;
}

void bench_order_threads(void)
{
    ash_set_threads(0);
    if (ash_threads() < 2)
        return;
    order w = order_for(1000000, ASH_F32);
    report("17", "take, two threads", w.n, with_threads(1, ours_take, &w) / with_threads(2, ours_take, &w), "x 1 thread", false,
           1.7, noise(w.n));
    report("19", "sort f32, two threads", w.n, with_threads(1, ours_sort, &w) / with_threads(2, ours_sort, &w), "x 1 thread",
           false, 1.7, noise(w.n));
    end_order(&w);
}
