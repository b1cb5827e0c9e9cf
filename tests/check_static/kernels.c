/*
 * kernels.c - the derivative along three axes and the Euler flux on u[5][4][4][4][elements], for counting instructions.
 *
 * FORM 0 has its offsets written by hand, 1 has those of static.h, 2 those of static.h where every size is dynamic. Given the
 * name of a kernel, it runs that one; check_static.sh counts with and without ASH_CHECK_BOUNDS.
 */
#include <ashlar/static.h>

enum { FIELDS = 5, NODES = 4, ELEMENTS = 50, ROUNDS = 20 };

#if FORM == 0
#define SHAPES(elements) (void)0
#define U(v, i, j, k, e) ((v) + 5 * (i) + 20 * (j) + 80 * (k) + 320 * (e))
#define D(i, l) ((i) + 4 * (l))
#else
#if FORM == 1
ASH_STATIC_ARRAY(state, double, ASH_COL_MAJOR, FIELDS, NODES, NODES, NODES, ASH_DYNAMIC);
ASH_STATIC_ARRAY(matrix, double, ASH_COL_MAJOR, NODES, NODES);
#define SHAPES(elements) const state shape = state_shape(elements); const matrix square = matrix_shape(); (void)square
#else
ASH_STATIC_ARRAY(state, double, ASH_COL_MAJOR, ASH_DYNAMIC, ASH_DYNAMIC, ASH_DYNAMIC, ASH_DYNAMIC, ASH_DYNAMIC);
ASH_STATIC_ARRAY(matrix, double, ASH_COL_MAJOR, ASH_DYNAMIC, ASH_DYNAMIC);
static volatile int fields = FIELDS, nodes = NODES; /* so that the compiler does not know them */
#define SHAPES(elements)                                                      \
    const int n = nodes;                                                      \
    const state shape = state_shape(fields, n, n, n, elements);               \
    const matrix square = matrix_shape(n, n); (void)square
#endif
#define U(v, i, j, k, e) state_offset(&shape, v, i, j, k, e)
#define D(i, l) matrix_offset(&square, i, l)
#endif
#if FORM == 2
#define COUNT_OF(axis) state_size(&shape, axis)
#else
#define COUNT_OF(axis) ((axis) == 0 ? FIELDS : NODES)
#endif

void derivative(double *restrict du, const double *restrict u, const double *restrict d, ptrdiff_t elements);
void flux(double *restrict f, const double *restrict u, ptrdiff_t elements);

void derivative(double *restrict du, const double *restrict u, const double *restrict d, ptrdiff_t elements)
{
    SHAPES(elements);
    for (ptrdiff_t e = 0; e < elements; e++)
        for (ptrdiff_t k = 0; k < COUNT_OF(3); k++)
            for (ptrdiff_t j = 0; j < COUNT_OF(2); j++)
                for (ptrdiff_t i = 0; i < COUNT_OF(1); i++)
                    for (ptrdiff_t v = 0; v < COUNT_OF(0); v++) {
                        double sum = 0;
                        for (ptrdiff_t l = 0; l < COUNT_OF(1); l++)
                            sum += d[D(i, l)] * u[U(v, l, j, k, e)] + d[D(j, l)] * u[U(v, i, l, k, e)] +
                                   d[D(k, l)] * u[U(v, i, j, l, e)];
                        du[U(v, i, j, k, e)] = sum;
                    }
}

void flux(double *restrict f, const double *restrict u, ptrdiff_t elements)
{
    SHAPES(elements);
    for (ptrdiff_t e = 0; e < elements; e++)
        for (ptrdiff_t k = 0; k < COUNT_OF(3); k++)
            for (ptrdiff_t j = 0; j < COUNT_OF(2); j++)
                for (ptrdiff_t i = 0; i < COUNT_OF(1); i++) {
                    const double density = u[U(0, i, j, k, e)], inverse = 1 / density, energy = u[U(4, i, j, k, e)];
                    const double x = u[U(1, i, j, k, e)] * inverse, y = u[U(2, i, j, k, e)] * inverse,
                                 z = u[U(3, i, j, k, e)] * inverse;
                    const double pressure = 0.4 * (energy - 0.5 * density * (x * x + y * y + z * z));
                    f[U(0, i, j, k, e)] = density * x;
                    f[U(1, i, j, k, e)] = density * x * x + pressure;
                    f[U(2, i, j, k, e)] = density * x * y;
                    f[U(3, i, j, k, e)] = density * x * z;
                    f[U(4, i, j, k, e)] = (energy + pressure) * x;
                }
}

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
