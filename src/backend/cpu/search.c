/*
 * search.c - how many elements of a sorted vector come before each of some values.
 *
 * Bisection without branches, eight values at a time, so that eight loads are on their way at once. Values of another dtype are
 * compared as the numbers they are: an integer between two floats, say 2^53 + 1, is replaced by the float above it when the
 * elements less than it are counted, by the one below when those not greater are.
 */
#include "backend/cpu/search.h"

#include <math.h>

#include "backend/cpu/cpu.h"
#include "backend/cpu/plan.h"
#include "backend/cpu/sort_keys.h"
#include "backend/cpu/threads.h"
#include "core/error.h"

/* ---- bisection */

#define LESS(a, b) ((a) < (b))
#define NOT_GREATER(a, b) ((a) <= (b))
#define DEFINE_BISECTION(NAME, K, BEFORE)                                                               \
    static void NAME(const K *keys, int64_t count, const K *value, int64_t n, int64_t *position)        \
    {                                                                                                   \
        for (int64_t i = 0; i < n; i += 8) {                                                            \
            const int lanes = n - i < 8 ? (int)(n - i) : 8;                                             \
            int64_t at[8] = {0};                                                                        \
            K x[8] = {0};                                                                               \
            for (int l = 0; l < lanes; l++)                                                             \
                x[l] = value[i + l];                                                                    \
            int64_t length = count;                                                                     \
            for (; length > 1; length -= length / 2)                                                    \
                for (int l = 0; l < 8; l++)                                                             \
                    at[l] += BEFORE(keys[at[l] + length / 2 - 1], x[l]) ? length / 2 : 0;               \
            for (int l = 0; l < lanes; l++)                                                             \
                position[i + l] = at[l] + (length && BEFORE(keys[at[l]], x[l]));                        \
        }                                                                                               \
    }
DEFINE_BISECTION(bisect_less_32, uint32_t, LESS)
DEFINE_BISECTION(bisect_less_64, uint64_t, LESS)
DEFINE_BISECTION(bisect_to_32, uint32_t, NOT_GREATER)
DEFINE_BISECTION(bisect_to_64, uint64_t, NOT_GREATER)

static void bisect(const ash__searcher *s, const void *value, int64_t n, int64_t *position)
{
    if (s->width)
        (s->right ? bisect_to_64 : bisect_less_64)(s->keys, s->count, value, n, position);
    else
        (s->right ? bisect_to_32 : bisect_less_32)(s->keys, s->count, value, n, position);
}

/* ---- keys of one dtype */

/* -0.0 has the key just below that of 0.0. */
static void join_zeros(const ash__searcher *s, ash_dtype dtype, void *keys, int64_t n)
{
    const uint64_t minus_zero = (UINT64_C(1) << (8 * ash_dtype_size(dtype) - 1)) - 1;
    if (!s->numbers || !ash__is_float(dtype))
        return;
    if (s->width)
        for (int64_t i = 0; i < n; i++)
            ((uint64_t *)keys)[i] += ((uint64_t *)keys)[i] == minus_zero;
    else
        for (int64_t i = 0; i < n; i++)
            ((uint32_t *)keys)[i] += ((uint32_t *)keys)[i] == minus_zero;
}

/* ---- numbers of any dtype */

typedef struct number {
    ash__kind kind; /* FLOAT, SIGNED or UNSIGNED */
    double f;
    int64_t i;
    uint64_t u;
} number;

static number read_number(ash_dtype dtype, const char *p)
{
    number x = {.kind = ASH__KIND_UNSIGNED};
    uint16_t h;
    switch (dtype) {
#define READ(ID, T, W)                  \
    case ASH_##ID: {                    \
        ash__##T v;                     \
        memcpy(&v, p, sizeof v);        \
        x.f = (double)v;                \
        x.i = (int64_t)v;               \
        x.u = (uint64_t)v;              \
        break;                          \
    }
        ASH__BOOL_TYPE(READ)
        ASH__INT_TYPES(READ)
#undef READ
    case ASH_F16:
    case ASH_BF16:
        memcpy(&h, p, sizeof h);
        x.f = (double)(dtype == ASH_F16 ? ash__f16_to_f32(h) : ash__bf16_to_f32(h));
        break;
    case ASH_F32: {
        float v;
        memcpy(&v, p, sizeof v);
        x.f = (double)v;
        break;
    }
    default:
        memcpy(&x.f, p, sizeof x.f);
    }
    if (ash__is_float(dtype))
        x.kind = ASH__KIND_FLOAT;
    else if (ash__is_signed(dtype))
        x.kind = ASH__KIND_SIGNED;
    return x;
}

static uint64_t float_key(double x, bool numbers)
{
    uint64_t bits;
    if (isnan(x))
        return UINT64_MAX;
    if (numbers && x == 0)
        x = 0;
    memcpy(&bits, &x, sizeof bits);
    return bits >> 63 ? ~bits : bits | UINT64_C(1) << 63;
}

static uint64_t signed_key(int64_t x)
{
    return (uint64_t)x ^ UINT64_C(1) << 63;
}

static uint64_t own_key(const ash__searcher *s, number x)
{
    return x.kind == ASH__KIND_FLOAT    ? float_key(x.f, s->numbers)
           : x.kind == ASH__KIND_SIGNED ? signed_key(x.i)
                                        : x.u;
}

/* What a value is replaced by among the keys of the vector, or where it belongs if that is at one of the ends. */
typedef struct stand_in {
    uint64_t key;
    int end; /* 0: the key decides; -1: before all, 1: behind all */
} stand_in;

/* The float next to an integer on the side searched for; of the two zeros the one that leaves both on the same side. */
static stand_in integer_among_floats(const ash__searcher *s, number x)
{
    const bool is_signed = x.kind == ASH__KIND_SIGNED;
    double f = is_signed ? (double)x.i : (double)x.u;
    const __int128_t exact = is_signed ? (__int128_t)x.i : (__int128_t)x.u;
    if (f == 0)
        f = s->right ? 0.0 : -0.0;
    else if (s->right && (__int128_t)f > exact)
        f = nextafter(f, -INFINITY);
    else if (!s->right && (__int128_t)f < exact)
        f = nextafter(f, INFINITY);
    return (stand_in){float_key(f, s->numbers), 0};
}

static stand_in float_among_integers(const ash__searcher *s, double x, bool is_signed)
{
    const double low = is_signed ? -0x1p63 : 0, high = is_signed ? 0x1p63 : 0x1p64;
    const double whole = s->right ? floor(x) : ceil(x);
    if (isnan(x) || whole >= high)
        return (stand_in){0, 1};
    if (whole < low)
        return (stand_in){0, -1};
    return (stand_in){is_signed ? signed_key((int64_t)whole) : (uint64_t)whole, 0};
}

static stand_in integer_among_others(number x, bool is_signed)
{
    if (is_signed)
        return x.u > INT64_MAX ? (stand_in){0, 1} : (stand_in){signed_key((int64_t)x.u), 0};
    return x.i < 0 ? (stand_in){0, -1} : (stand_in){(uint64_t)x.i, 0};
}

static stand_in stand_in_for(const ash__searcher *s, number x)
{
    const bool floats = ash__is_float(s->sorted), is_signed = ash__is_signed(s->sorted);
    if (floats != (x.kind == ASH__KIND_FLOAT))
        return floats ? integer_among_floats(s, x) : float_among_integers(s, x.f, is_signed);
    if (floats || is_signed == (x.kind == ASH__KIND_SIGNED))
        return (stand_in){own_key(s, x), 0};
    return integer_among_others(x, is_signed);
}

/* ---- the searcher */

static int width_of(ash_dtype sorted, ash_dtype values)
{
    return sorted != values || ash_dtype_size(sorted) == 8;
}

size_t ash__searcher_bytes(ash_dtype sorted, ash_dtype values, int64_t count)
{
    const size_t item = ash_dtype_size(sorted), key = width_of(sorted, values) ? 8 : 4;
    return ((size_t)count * (key + item) + 63) / 64 * 64; /* elements are gathered behind the keys */
}

void ash__searcher_load(ash__searcher *s, const char *sorted, int64_t stride)
{
    s->width = width_of(s->sorted, s->values);
    if (s->sorted == s->values) {
        char *const dense = (char *)s->keys + ((size_t)s->count << (s->width ? 3 : 2));
        s->kernels->layout->gather[ash__log_size(s->sorted)](dense, sorted, stride, s->count);
        s->kernels->sort->encode[s->sorted](s->keys, dense, ash__key_flip(s->sorted, false), s->count);
        join_zeros(s, s->sorted, s->keys, s->count);
        return;
    }
    for (int64_t i = 0; i < s->count; i++)
        ((uint64_t *)s->keys)[i] = own_key(s, read_number(s->sorted, sorted + i * stride));
}

static void search_numbers(const ash__searcher *s, const char *values, int64_t n, int64_t *position)
{
    uint64_t key[ASH__SEARCH_BLOCK];
    signed char end[ASH__SEARCH_BLOCK];
    const size_t item = ash_dtype_size(s->values);
    for (int64_t i = 0; i < n; i++) {
        const stand_in x = stand_in_for(s, read_number(s->values, values + (size_t)i * item));
        key[i] = x.key;
        end[i] = (signed char)x.end;
    }
    bisect(s, key, n, position);
    for (int64_t i = 0; i < n; i++)
        position[i] = end[i] ? end[i] > 0 ? s->count : 0 : position[i];
}

void ash__search(const ash__searcher *s, const char *values, int64_t n, int64_t *position)
{
    uint64_t key[ASH__SEARCH_BLOCK], aligned[ASH__SEARCH_BLOCK];
    const size_t item = ash_dtype_size(s->values);
    if (s->sorted != s->values) {
        search_numbers(s, values, n, position);
        return;
    }
    if ((uintptr_t)values % item)
        values = memcpy(aligned, values, (size_t)n * item);
    s->kernels->sort->encode[s->values](key, values, ash__key_flip(s->values, false), n);
    join_zeros(s, s->values, key, n);
    bisect(s, key, n, position);
}

/* ---- the task */

typedef struct searching {
    const ash__task *task;
    ash__searcher searcher;
    int64_t parts;
} searching;

static void search_part(void *context, int64_t part)
{
    const searching *const s = context;
    const ash__task *const t = s->task;
    const int64_t n = t->shape[0], item = (int64_t)ash_dtype_size(t->operand[1].dtype);
    int64_t at = ash__part_start(n, part, s->parts);
    const int64_t end = ash__part_start(n, part + 1, s->parts);
    for (int64_t m; at < end; at += m) {
        int64_t *const position = (int64_t *)(void *)t->out.data + at;
        m = end - at < ASH__SEARCH_BLOCK ? end - at : ASH__SEARCH_BLOCK;
        ash__search(&s->searcher, t->operand[1].data + at * item, m, position);
        for (int64_t i = 0; t->descending && i < m; i++)
            position[i] = t->count - position[i];
    }
}

ash_status ash__cpu_search(const ash__task *task)
{
    const ash_dtype sorted = task->operand[0].dtype, values = task->operand[1].dtype;
    const int64_t n = task->shape[0];
    searching s = {.task = task,
                   .searcher = {.kernels = ash__cpu_kernels(),
                                .sorted = sorted,
                                .values = values,
                                .count = task->count,
                                .right = task->right}};
    const size_t nbytes = ash__searcher_bytes(sorted, values, task->count) + 64; /* of no elements too */
    s.searcher.keys = ash__work_take(task, nbytes);
    if (!s.searcher.keys)
        return ash__last_status();
    ash__searcher_load(&s.searcher, task->operand[0].data, task->operand[0].stride[0]);
    s.parts = ash__parts_for(n * 8, n * 5);
    ash__parallel(s.parts, search_part, &s);
    ash__work_give(task, s.searcher.keys, nbytes);
    return ASH_OK;
}
