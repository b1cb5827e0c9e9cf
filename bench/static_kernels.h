/*
 * static_kernels.h - the derivative along three axes and the flux of the Euler equations on u[5][4][4][4][elements], for one
 * way of finding elements. Included again and again, with
 *
 *     KERNEL(name)             the function's name
 *     SHAPES(elements)         declarations that U and D need
 *     U(v, i, j, k, e)         offset of a value; D(i, l): of an element of the derivative matrix
 *     SIZE(axis)               of u
 */
void KERNEL(derivative)(double *restrict du, const double *restrict u, const double *restrict d, ptrdiff_t elements);
void KERNEL(flux)(double *restrict f, const double *restrict u, ptrdiff_t elements);

void KERNEL(derivative)(double *restrict du, const double *restrict u, const double *restrict d, ptrdiff_t elements)
{
    SHAPES(elements);
    for (ptrdiff_t e = 0; e < elements; e++)
        for (ptrdiff_t k = 0; k < SIZE(3); k++)
            for (ptrdiff_t j = 0; j < SIZE(2); j++)
                for (ptrdiff_t i = 0; i < SIZE(1); i++)
                    for (ptrdiff_t v = 0; v < SIZE(0); v++) {
                        double sum = 0;
                        for (ptrdiff_t l = 0; l < SIZE(1); l++)
                            sum += d[D(i, l)] * u[U(v, l, j, k, e)] + d[D(j, l)] * u[U(v, i, l, k, e)] +
                                   d[D(k, l)] * u[U(v, i, j, l, e)];
                        du[U(v, i, j, k, e)] = sum;
                    }
}

void KERNEL(flux)(double *restrict f, const double *restrict u, ptrdiff_t elements)
{
    SHAPES(elements);
    for (ptrdiff_t e = 0; e < elements; e++)
        for (ptrdiff_t k = 0; k < SIZE(3); k++)
            for (ptrdiff_t j = 0; j < SIZE(2); j++)
                for (ptrdiff_t i = 0; i < SIZE(1); i++) {
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
#undef KERNEL
#undef SHAPES
#undef U
#undef D
#undef SIZE
