/*
 * kernels.c - the two kernels of bench/static_kernels.h, for counting instructions.
 *
 * FORM 0 has its offsets written by hand, 1 has those of static.h. Given the name of a kernel, it runs that one;
 * check_static.sh counts with and without ASH_CHECK_BOUNDS.
 */
#include <string.h>

#include <ashlar/static.h>

enum { FIELDS = 5, NODES = 4, ELEMENTS = 50, ROUNDS = 20 };

#define KERNEL(name) name
#define SIZE(axis) ((axis) == 0 ? FIELDS : NODES)
#if FORM == 0
#define SHAPES(elements) (void)0
#define U(v, i, j, k, e) ((v) + 5 * (i) + 20 * (j) + 80 * (k) + 320 * (e))
#define D(i, l) ((i) + 4 * (l))
#else
ASH_STATIC_ARRAY(state, double, ASH_COL_MAJOR, FIELDS, NODES, NODES, NODES, ASH_DYNAMIC);
ASH_STATIC_ARRAY(matrix, double, ASH_COL_MAJOR, NODES, NODES);
#define SHAPES(elements) const state shape = state_shape(elements); const matrix square = matrix_shape(); (void)square
#define U(v, i, j, k, e) state_offset(&shape, v, i, j, k, e)
#define D(i, l) matrix_offset(&square, i, l)
#endif
#include <static_kernels.h> /* from bench/, which is on the path */

/* Called where the compiler cannot follow, so that it makes nothing of the arguments. */
static void (*volatile call_derivative)(double *, const double *, const double *, ptrdiff_t) = derivative;
static void (*volatile call_flux)(double *, const double *, ptrdiff_t) = flux;

int main(int count, char **arguments)
{
    static double u[320 * ELEMENTS], f[320 * ELEMENTS], d[NODES * NODES];
    double sum = 0;
    for (int i = 0; i < 320 * ELEMENTS; i++)
        u[i] = 1 + i % 17 * 0.01 + (i % 5 == 4);
    for (int i = 0; i < NODES * NODES; i++)
        d[i] = i * 0.25 - 1;
    for (int round = 0; round < ROUNDS; round++)
        if (count > 1 && strcmp(arguments[1], "flux") == 0)
            call_flux(f, u, ELEMENTS);
        else
            call_derivative(f, u, d, ELEMENTS);
    for (int i = 0; i < 320 * ELEMENTS; i++)
        sum += f[i] * (i % 7 + 1);
    printf("%.17g\n", sum); /* the same in every form */
    return 0;
}
