/*
 * static.c - goal 25: kernels over static sizes beside fixed arrays of C, with and without checks, and beside dynamic sizes.
 *
 * Instructions are counted by tests/check_static.sh; these are times. Compiled as the loops of hand.c are.
 */
#include <math.h>

#include "ashlar/ashlar.h"
#include "bench.h"

enum { FIELDS = 5, NODES = 4, ELEMENTS = 50 };

#define KERNEL(name) name##_by_hand
#define SIZE(axis) ((axis) == 0 ? FIELDS : NODES)
#define SHAPES(elements) (void)0
#define U(v, i, j, k, e) ((v) + 5 * (i) + 20 * (j) + 80 * (k) + 320 * (e))
#define D(i, l) ((i) + 4 * (l))
#include "static_kernels.h"

#undef ASH_CHECK_BOUNDS
#define ASH_CHECK_BOUNDS 0
ASH_STATIC_ARRAY(state, double, ASH_COL_MAJOR, FIELDS, NODES, NODES, NODES, ASH_DYNAMIC);
ASH_STATIC_ARRAY(matrix, double, ASH_COL_MAJOR, NODES, NODES);
#define KERNEL(name) name##_static
#define SIZE(axis) ((axis) == 0 ? FIELDS : NODES)
#define SHAPES(elements) const state shape = state_shape(elements); const matrix square = matrix_shape(); (void)square
#define U(v, i, j, k, e) state_offset(&shape, v, i, j, k, e)
#define D(i, l) matrix_offset(&square, i, l)
#include "static_kernels.h"

ASH_STATIC_ARRAY(loose, double, ASH_COL_MAJOR, ASH_DYNAMIC, ASH_DYNAMIC, ASH_DYNAMIC, ASH_DYNAMIC, ASH_DYNAMIC);
ASH_STATIC_ARRAY(table, double, ASH_COL_MAJOR, ASH_DYNAMIC, ASH_DYNAMIC);
static volatile int fields = FIELDS, nodes = NODES; /* so that the compiler does not know them */
#define KERNEL(name) name##_dynamic
#define SIZE(axis) loose_size(&shape, axis)
#define SHAPES(elements)                                        \
    const int n = nodes;                                        \
    const loose shape = loose_shape(fields, n, n, n, elements); \
    const table square = table_shape(n, n);                     \
    (void)square
#define U(v, i, j, k, e) loose_offset(&shape, v, i, j, k, e)
#define D(i, l) table_offset(&square, i, l)
#include "static_kernels.h"

#undef ASH_CHECK_BOUNDS
#define ASH_CHECK_BOUNDS 1
ASH_STATIC_ARRAY(checked, double, ASH_COL_MAJOR, FIELDS, NODES, NODES, NODES, ASH_DYNAMIC);
ASH_STATIC_ARRAY(checked_matrix, double, ASH_COL_MAJOR, NODES, NODES);
#define KERNEL(name) name##_checked
#define SIZE(axis) ((axis) == 0 ? FIELDS : NODES)
#define SHAPES(elements)                                \
    const checked shape = checked_shape(elements);      \
    const checked_matrix square = checked_matrix_shape(); \
    (void)square
#define U(v, i, j, k, e) checked_offset(&shape, v, i, j, k, e)
#define D(i, l) checked_matrix_offset(&square, i, l)
#include "static_kernels.h"

typedef struct fixture {
    double u[320 * ELEMENTS], out[320 * ELEMENTS], d[NODES * NODES];
} fixture;
static volatile ptrdiff_t elements = ELEMENTS;

#define CALLS(form)                                                                              \
    static void call_derivative_##form(void *p)                                                  \
    {                                                                                            \
        derivative_##form(((fixture *)p)->out, ((fixture *)p)->u, ((fixture *)p)->d, elements); \
    }                                                                                            \
    static void call_flux_##form(void *p) { flux_##form(((fixture *)p)->out, ((fixture *)p)->u, elements); }
CALLS(by_hand)
CALLS(static)
CALLS(dynamic)
CALLS(checked)

/* One line for each form: its time / that of offsets by hand. A dynamic form has no goal. */
static void compare(const char *kernel, void (*const form[4])(void *), fixture *f)
{
    double ratio[4] = {1e9, 1e9, 1e9, 1e9}, hand = 1e9;
    for (int t = 0; t < TRIES; t++) {
        candidate c[4] = {{.name = "by hand"}, {.name = "static"}, {.name = "checked"}, {.name = "dynamic"}};
        for (int i = 0; i < 4; i++) {
            c[i].run = form[i];
            c[i].context = f;
        }
        timing_run(c, 4, 3e-4);
        hand = fmin(hand, time_of(&c[0], ELEMENTS));
        for (int i = 1; i < 4; i++)
            ratio[i] = fmin(ratio[i], time_of(&c[i], ELEMENTS) / time_of(&c[0], ELEMENTS));
    }
    char what[64];
    snprintf(what, sizeof what, "%s, static sizes", kernel);
    report("25", what, ELEMENTS, ratio[1], "x by hand", true, 1.05, noise(ELEMENTS));
    snprintf(what, sizeof what, "%s, checked", kernel);
    report("25", what, ELEMENTS, ratio[2], "x by hand", true, 1.10, noise(ELEMENTS));
    printf("   %s: %.0f ns an element by hand; dynamic sizes take %.2f times that\n", kernel, 1e9 * hand / ELEMENTS, ratio[3]);
}

void bench_static(void)
{
    static fixture f;
    for (int i = 0; i < 320 * ELEMENTS; i++)
        f.u[i] = 1 + i % 17 * 0.01 + (i % 5 == 4);
    for (int i = 0; i < NODES * NODES; i++)
        f.d[i] = i * 0.25 - 1;
    compare("derivative",
            (void (*const[])(void *)){call_derivative_by_hand, call_derivative_static, call_derivative_checked,
                                      call_derivative_dynamic},
            &f);
    compare("flux", (void (*const[])(void *)){call_flux_by_hand, call_flux_static, call_flux_checked, call_flux_dynamic}, &f);
}
