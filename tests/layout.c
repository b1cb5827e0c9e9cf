/*
 * layout.c - the kernels that move elements, on every level of this machine, against the plain meaning of each.
 *
 * Every result lies between guard bytes at an odd address; sources end where their memory ends.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "backend/cpu/kernels.h"

enum { GUARD = 64, ROOM = 1 << 16 };

static unsigned char source[ROOM], result[ROOM], want[ROOM];

static int start(void **state)
{
    uint32_t x = 12345;
    (void)state;
    for (int k = 0; k < ROOM; k++) {
        x = x * 1664525u + 1013904223u; /* Numerical Recipes' quick generator */
        source[k] = (unsigned char)(x >> 24);
    }
    return 0;
}

static void clear(void)
{
    memset(result, 0xa5, sizeof result);
    memset(want, 0xa5, sizeof want);
}

static void check(const char *what, int level, int64_t item, int64_t a, int64_t b)
{
    for (int k = 0; k < ROOM; k++)
        if (result[k] != want[k])
            fail_msg("%s on level %d, items of %lld bytes, %lld %lld: byte %d", what, level, (long long)item, (long long)a,
                     (long long)b, k - GUARD - 1);
}

typedef void test_of_level(const ash__layout_table *t, int level, int log);

static void on_every_level(test_of_level *test)
{
    for (int level = 1; level <= 4; level++)
        if (ash__cpu_kernels_at(level))
            for (int log = 0; log < 5; log++)
                test(ash__cpu_kernels_at(level)->layout, level, log);
}

static const int64_t counts[] = {0, 1, 2, 3, 7, 15, 16, 17, 31, 33, 64, 100, 257};

/* ---- runs */

static void runs_of(const ash__layout_table *t, int level, int log)
{
    const int64_t item = (int64_t)1 << log, steps[] = {item, -item, 2 * item, -2 * item, 3 * item, item + 1, -7, 0, 33};
    for (int s = 0; s < 9; s++)
        for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
            const int64_t n = counts[c], step = steps[s], low = step < 0 && n ? (1 - n) * step : 0;
            unsigned char *const exact =
                malloc((size_t)(low + (step > 0 && n ? (n - 1) * step : 0) + item)); /* for the sanitizer */
            assert_non_null(exact);
            memcpy(exact, source, (size_t)(low + (step > 0 && n ? (n - 1) * step : 0) + item));
            clear();
            for (int64_t k = 0; k < n; k++)
                memcpy(want + GUARD + 1 + k * item, exact + low + k * step, (size_t)item);
            t->gather[log](result + GUARD + 1, exact + low, step, n);
            check("gather", level, item, step, n);
            free(exact);
            if (step < item && step > -item)
                continue; /* elements would overlap */
            clear();
            for (int64_t k = 0; k < n; k++)
                memcpy(want + GUARD + 1 + low + k * step, source + 5 + k * item, (size_t)item);
            t->scatter[log](result + GUARD + 1 + low, step, source + 5, n);
            check("scatter", level, item, step, n);
        }
}

static void runs(void **state)
{
    (void)state;
    on_every_level(runs_of);
}

/* ---- repeats */

static void repeats_of(const ash__layout_table *t, int level, int log)
{
    const int64_t item = (int64_t)1 << log, repeats[] = {1, 2, 3, 4, 5, 7, 8, 9, 15, 16, 17, 31, 64, 65, 100};
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
        clear();
        for (int64_t k = 0; k < counts[c]; k++)
            memcpy(want + GUARD + 1 + k * item, source + 9, (size_t)item);
        t->splat[log](result + GUARD + 1, source + 9, counts[c]);
        check("splat", level, item, counts[c], 0);
        for (int r = 0; r < 15 && counts[c] < 40; r++) {
            clear();
            for (int64_t k = 0; k < counts[c] * repeats[r]; k++)
                memcpy(want + GUARD + 1 + k * item, source + 3 + k / repeats[r] * item, (size_t)item);
            t->expand[log](result + GUARD + 1, source + 3, counts[c], repeats[r]);
            check("expand", level, item, counts[c], repeats[r]);
        }
        if (log == 4)
            continue;
        clear();
        for (int64_t k = 0; k < counts[c]; k++) {
            memcpy(want + GUARD + 1 + 2 * k * item, source + 1 + k * item, (size_t)item);
            memcpy(want + GUARD + 1 + (2 * k + 1) * item, source + 4000 + k * item, (size_t)item);
        }
        t->zip[log](result + GUARD + 1, source + 1, source + 4000, counts[c]);
        check("zip", level, item, counts[c], 0);
    }
}

static void repeats(void **state)
{
    (void)state;
    on_every_level(repeats_of);
}

/* ---- transposes */

static void transposes_of(const ash__layout_table *t, int level, int log)
{
    static const int64_t shapes[][2] = {{1, 1},   {0, 5},   {3, 0},   {1, 40}, {40, 1},  {4, 4},
                                        {16, 16}, {17, 33}, {33, 17}, {8, 70}, {70, 30}, {48, 32}};
    const int64_t item = (int64_t)1 << log;
    for (int s = 0; s < 12; s++)
        for (int pad = 0; pad < 3; pad++) {
            const int64_t rows = shapes[s][0], cols = shapes[s][1], ls = cols * item + pad * 3, ld = rows * item + pad * 5;
            if (GUARD + 1 + cols * ld > ROOM || rows * ls > ROOM)
                continue;
            clear();
            for (int64_t i = 0; i < rows; i++)
                for (int64_t j = 0; j < cols; j++)
                    memcpy(want + GUARD + 1 + j * ld + i * item, source + i * ls + j * item, (size_t)item);
            t->transpose[log](result + GUARD + 1, ld, source, ls, rows, cols);
            check("transpose", level, item, rows, cols);
        }
}

static void transposes(void **state)
{
    (void)state;
    on_every_level(transposes_of);
}

/* ---- the levels themselves */

static void levels(void **state)
{
    (void)state;
    static const char *const names[] = {"v1", "v2", "v3", "v4"};
    assert_non_null(ash__cpu_kernels());
    assert_ptr_equal(ash__cpu_kernels(), ash__cpu_kernels());
    assert_null(ash__cpu_kernels_at(0));
    assert_null(ash__cpu_kernels_at(5));
    for (int level = 1; level <= 4; level++) {
        const ash__kernels *const k = ash__cpu_kernels_at(level);
        if (k && strcmp(k->level, "base") != 0)
            assert_string_equal(k->level, names[level - 1]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(runs, start),
        cmocka_unit_test_setup(repeats, start),
        cmocka_unit_test_setup(transposes, start),
        cmocka_unit_test_setup(levels, start),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
