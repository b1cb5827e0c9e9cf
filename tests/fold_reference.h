/*
 * fold_reference.h - what folds are, one element at a time: expected values for the tests of the CPU's reductions and scans.
 */
#ifndef ASHLAR_FOLD_REFERENCE_H
#define ASHLAR_FOLD_REFERENCE_H
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "ashlar/error.h"
#include "backend/cpu/cpu.h"
#include "backend/cpu/kernels.h"
#include "backend/cpu/threads.h"

#define USE __attribute__((unused)) /* no test uses all of this */

static const ash_dtype machine_types[] = {ASH_BOOL, ASH_I8,  ASH_I16, ASH_I32, ASH_I64, ASH_U8,
                                          ASH_U16,  ASH_U32, ASH_U64, ASH_F32, ASH_F64};
enum { TYPES = sizeof machine_types / sizeof machine_types[0] };

static uint64_t state = 88172645463325252u;

USE static uint64_t bits_of_chance(void)
{
    state ^= state << 13;
    state ^= state >> 7;
    return state ^= state << 17;
}

/* ---- the definition, one element at a time; floats through f64, which holds every f32 */

USE static double as_double(ash_dtype t, const void *p)
{
    float f;
    double d;
    if (t == ASH_F32)
        return memcpy(&f, p, 4), (double)f;
    return memcpy(&d, p, 8), d;
}

USE static void set_double(ash_dtype t, void *p, double x)
{
    const float f = (float)x;
    if (t == ASH_F32)
        memcpy(p, &f, 4);
    else
        memcpy(p, &x, 8);
}

static int64_t as_signed(ash_dtype t, const void *p)
{
    switch (t) {
    case ASH_I8:
        return *(const int8_t *)p;
    case ASH_I16:
        return *(const int16_t *)p;
    case ASH_I32:
        return *(const int32_t *)p;
    case ASH_I64:
        return *(const int64_t *)p;
    case ASH_BOOL:
    case ASH_U8:
        return *(const uint8_t *)p;
    case ASH_U16:
        return *(const uint16_t *)p;
    case ASH_U32:
        return *(const uint32_t *)p;
    default:
        return (int64_t) * (const uint64_t *)p;
    }
}

static double least(double x, double y)
{
    if (x != x || y != y)
        return (double)NAN;
    return x < y || (x == y && signbit(x)) ? x : y;
}

USE static double greatest(double x, double y)
{
    return -least(-x, -y);
}

/* *d = fold of *d and *a. */
USE static void define(ash__fold fold, ash_dtype t, void *d, const void *a)
{
    const size_t size = ash_dtype_size(t);
    if (t >= ASH_F32) {
        const double x = as_double(t, d), y = as_double(t, a);
        set_double(t, d,
                   fold == ASH__FOLD_SUM    ? x + y
                   : fold == ASH__FOLD_PROD ? x * y
                   : fold == ASH__FOLD_MIN  ? least(x, y)
                                            : greatest(x, y));
        return;
    }
    const int64_t x = as_signed(t, d), y = as_signed(t, a);
    const uint64_t u = (uint64_t)x, v = (uint64_t)y;
    const bool less = t == ASH_U64 ? u < v : x < y;
    uint64_t r = 0;
    switch (fold) {
    case ASH__FOLD_SUM:
        r = u + v;
        break;
    case ASH__FOLD_PROD:
        r = u * v;
        break;
    case ASH__FOLD_MIN:
        r = less ? u : v;
        break;
    case ASH__FOLD_MAX:
        r = less ? v : u;
        break;
    case ASH__FOLD_AND:
        r = u & v;
        break;
    case ASH__FOLD_OR:
        r = u | v;
        break;
    default:
        r = u ^ v;
        break;
    }
    memcpy(d, &r, size); /* little-endian: the low bytes, that is modulo 2^bits */
}

USE static bool same(ash_dtype t, const void *x, const void *y)
{
    if (t >= ASH_F32 && as_double(t, x) != as_double(t, x))
        return as_double(t, y) != as_double(t, y);
    return memcmp(x, y, ash_dtype_size(t)) == 0;
}

/* ---- arrays of any layout */

enum { MOST_AXES = 5, LAYOUTS = 6 };
enum { ROWS_FIRST, COLUMNS_FIRST, REVERSED, EVERY_OTHER, LAST_REPEATED, FIRST_REPEATED };

typedef struct grid {
    ash_dtype dtype;
    int64_t rank, shape[MOST_AXES], stride[MOST_AXES], count;
    char *data, *block;
    ash__buffer buffer;
} grid;

/* Memory for an array laid out in one of the ways above; bytes are 0x5a. */
USE static void grid_make(grid *g, ash_dtype dtype, int64_t rank, const int64_t *shape, int layout)
{
    const int64_t item = (int64_t)ash_dtype_size(dtype);
    int64_t step = item, offset = 0;
    memset(g, 0, sizeof *g);
    g->dtype = dtype;
    g->rank = rank;
    g->count = 1;
    for (int64_t i = 0; i < rank; i++) {
        const int64_t k = layout == COLUMNS_FIRST ? i : rank - 1 - i;
        const bool repeated = (layout == LAST_REPEATED && k == rank - 1) || (layout == FIRST_REPEATED && k == 0);
        g->shape[k] = shape[k];
        g->stride[k] = repeated ? 0 : step * (layout == EVERY_OTHER ? 2 : 1);
        if (layout == REVERSED && k % 2 == 0 && shape[k]) {
            offset += (shape[k] - 1) * step;
            g->stride[k] = -step;
        }
        step *= repeated ? 1 : (layout == EVERY_OTHER ? 2 : 1) * (shape[k] ? shape[k] : 1);
        g->count *= shape[k];
    }
    g->block = malloc((size_t)(step + item));
    assert_non_null(g->block);
    memset(g->block, 0x5a, (size_t)(step + item));
    g->data = g->block + offset;
}

USE static void grid_free(grid *g)
{
    free(g->block);
}

USE static ash__span grid_span(grid *g)
{
    return (ash__span){&g->buffer, g->data, g->stride, g->dtype};
}

/* The address at a logical index; and the next index in row-major order (false after the last). */
USE static char *grid_at(const grid *g, const int64_t *index)
{
    char *p = g->data;
    for (int64_t k = 0; k < g->rank; k++)
        p += index[k] * g->stride[k];
    return p;
}
USE static bool grid_next(const grid *g, int64_t *index)
{
    for (int64_t k = g->rank - 1; k >= 0; k--) {
        if (++index[k] < g->shape[k])
            return true;
        index[k] = 0;
    }
    return false;
}

/* An element as machine values: f16 and bf16 as f32, complex as two. */
typedef struct machine_value {
    char part[2][8];
} machine_value;
USE static machine_value grid_read(const grid *g, const char *p)
{
    machine_value v;
    const ash_dtype part = ash__part(g->dtype);
    memset(&v, 0, sizeof v);
    for (int k = 0; k < (ash__is_complex(g->dtype) ? 2 : 1); k++, p += ash_dtype_size(part)) {
        uint16_t half;
        memcpy(&half, p, 2 <= ash_dtype_size(part) ? 2 : 0);
        const float f = part == ASH_F16 ? ash__f16_to_f32(half) : part == ASH_BF16 ? ash__bf16_to_f32(half) : 0;
        if (part == ASH_F16 || part == ASH_BF16)
            memcpy(v.part[k], &f, 4);
        else
            memcpy(v.part[k], p, ash_dtype_size(part));
    }
    return v;
}
USE static void grid_write(const grid *g, char *p, double x)
{
    const ash_dtype part = ash__part(g->dtype);
    for (int k = 0; k < (ash__is_complex(g->dtype) ? 2 : 1); k++, p += ash_dtype_size(part), x = -x - 1) {
        const int64_t i = part < ASH_F16 ? (int64_t)x : 0; /* a float may be NaN here */
        const uint16_t half = part == ASH_F16 ? ash__f16_from_f64(x) : ash__bf16_from_f64(x);
        if (part >= ASH_F32)
            set_double(part, p, x);
        else if (part >= ASH_F16)
            memcpy(p, &half, 2);
        else if (part == ASH_BOOL)
            *p = (char)(i & 1);
        else
            memcpy(p, &i, ash_dtype_size(part));
    }
}
/* Small integers, whose sums are exact in any order; spread: anything. */
USE static void grid_fill(grid *g, bool anything)
{
    int64_t index[MOST_AXES] = {0};
    if (!g->count)
        return;
    do {
        const uint64_t r = bits_of_chance();
        grid_write(g, grid_at(g, index), anything ? (double)(int64_t)(r >> 12) / 0x1p51 - 1 : (double)(int)(r >> 40 & 15) - 7);
    } while (grid_next(g, index));
}

/* ---- programs */

/* Operand 0 converted to dtype (of its kind, or wider). */
USE static ash__program *load_program(ash_dtype from, ash_dtype to)
{
    ash__builder *const b = ash__builder_new("test", 1);
    const ash_dtype part = ash__part(from), machine = ash__machine(ash__part(to));
    const int re = ash__build_convert(b, ash__build_load(b, 0, part, 0), machine);
    const int im =
        ash__is_complex(to) ? ash__build_convert(b, ash__build_load(b, 0, part, (uint32_t)ash_dtype_size(part)), machine) : -1;
    ash__program *const p = ash__builder_finish(b, to, re, im);
    assert_non_null(p);
    return p;
}

/*
 * The composition of x -> a*x + b after that of earlier ones, an associative function that does not commute: a pair is a
 * complex number, (a1, b1) then (a2, b2) is (a1*a2, b1*a2 + b2).
 */
USE static ash__program *compose_program(ash_dtype dtype)
{
    ash__builder *const b = ash__builder_new("test", 2);
    const ash_dtype part = ash__part(dtype);
    const uint32_t size = (uint32_t)ash_dtype_size(part);
    const int a1 = ash__build_load(b, 0, part, 0), b1 = ash__build_load(b, 0, part, size), a2 = ash__build_load(b, 1, part, 0),
              b2 = ash__build_load(b, 1, part, size);
    const int a = ash__build_op(b, ASH__OP_MUL, a1, a2, -1);
    const int c = ash__build_op(b, ASH__OP_ADD, ash__build_op(b, ASH__OP_MUL, b1, a2, -1), b2, -1);
    ash__program *const p = ash__builder_finish(b, dtype, a, c);
    assert_non_null(p);
    return p;
}
USE static void compose(int64_t d[2], const int64_t x[2])
{
    d[1] = (int64_t)((uint64_t)d[1] * (uint64_t)x[0] + (uint64_t)x[1]);
    d[0] = (int64_t)((uint64_t)d[0] * (uint64_t)x[0]);
}

/* ---- the same bits on every level: each runs in a child, for a process chooses its level once */

USE static uint64_t digest_of(const void *data, size_t n, uint64_t hash) /* FNV-1a */
{
    const unsigned char *const p = data;
    for (size_t i = 0; i < n; i++)
        hash = (hash ^ p[i]) * UINT64_C(1099511628211);
    return hash;
}

#if defined(__x86_64__)
#include <sys/wait.h>
#include <unistd.h>

USE static uint64_t digest_on(int level, uint64_t (*work)(void))
{
    int ends[2];
    uint64_t digest = 0;
    assert_int_equal(pipe(ends), 0);
    const pid_t child = fork();
    if (child == 0) {
        const char name[3] = {'v', (char)('0' + level), 0};
        setenv("ASHLAR_CPU_LEVEL", name, 1);
        digest = work();
        _exit(write(ends[1], &digest, sizeof digest) == sizeof digest ? 0 : 1);
    }
    assert_true(child > 0);
    close(ends[1]);
    const ssize_t got = read(ends[0], &digest, sizeof digest);
    int status = 1;
    close(ends[0]);
    assert_true(waitpid(child, &status, 0) == child);
    assert_int_equal(status, 0);
    assert_int_equal(got, sizeof digest);
    return digest;
}

/* Call it before anything else has chosen a level. */
USE static void check_levels(uint64_t (*work)(void))
{
    const uint64_t first = digest_on(1, work);
    for (int level = 2; level <= 4; level++)
        assert_int_equal(digest_on(level, work), first); /* a level that is not here falls back to a lower one */
}
#else
USE static void check_levels(uint64_t (*work)(void))
{
    (void)work();
}
#endif
#endif
