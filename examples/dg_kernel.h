/*
 * dg_kernel.h - the right-hand side of the compressible Euler equations, for a type STATE that dg_euler.c names.
 *
 * This is the idiom for kernels over static types: the addresses are restrict parameters, and the shape alone is an index
 * object, from STATE_shape. It is included once for a type of static sizes and once for one of dynamic sizes.
 *
 * Method: discontinuous Galerkin collocation on Gauss-Lobatto nodes, in the strong form: D. A. Kopriva, Implementing Spectral
 * Methods for Partial Differential Equations, Springer 2009, chapter 8. Flux between elements: V. V. Rusanov, 1961.
 */

/* du/dt at all nodes. d: the derivative matrix, by columns; scale: 2 over the length of an element; w: weight of an end. */
static void JOIN(STATE, _rate)(double *restrict du, const double *restrict u, const double *restrict d, double scale, double w,
                               const STATE *shape)
{
    const STATE at = *shape; /* a copy of its own, so that nothing written through du can change it */
    const int nodes = (int)JOIN(STATE, _size)(&at, 1), fields = (int)JOIN(STATE, _size)(&at, 0);
    const ptrdiff_t elements = JOIN(STATE, _size)(&at, 4);
    for (ptrdiff_t i = 0; i < JOIN(STATE, _length)(&at); i++)
        du[i] = 0;
    for (ptrdiff_t e = 0; e < elements; e++)
        for (int axis = 0; axis < 3; axis++)
            for (int k = 0; k < nodes; k++)
                for (int j = 0; j < nodes; j++) {
                    double line[NODES + 2][FIELDS], flux[NODES + 2][FIELDS], face[2][FIELDS];
                    /* node l of this line, and its neighbours in the elements before and after; periodic in all directions */
#define X(l) (axis == 0 ? (l) : j)
#define Y(l) (axis == 1 ? (l) : axis == 0 ? j : k)
#define Z(l) (axis == 2 ? (l) : k)
#define PLACE(v, l, e) JOIN(STATE, _offset)(&at, v, X(l), Y(l), Z(l), e)
                    for (int v = 0; v < fields; v++) {
                        for (int l = 0; l < nodes; l++)
                            line[l + 1][v] = u[PLACE(v, l, e)];
                        line[0][v] = u[PLACE(v, nodes - 1, axis ? e : (e + elements - 1) % elements)];
                        line[nodes + 1][v] = u[PLACE(v, 0, axis ? e : (e + 1) % elements)];
                    }
                    for (int l = 0; l < nodes + 2; l++)
                        euler_flux(flux[l], line[l], axis);
                    rusanov_flux(face[0], line[0], line[1], flux[0], flux[1], axis);
                    rusanov_flux(face[1], line[nodes], line[nodes + 1], flux[nodes], flux[nodes + 1], axis);
                    for (int v = 0; v < fields; v++) {
                        for (int i = 0; i < nodes; i++) {
                            double sum = 0;
                            for (int l = 0; l < nodes; l++)
                                sum += d[i + nodes * l] * flux[l + 1][v];
                            du[PLACE(v, i, e)] -= scale * sum;
                        }
                        du[PLACE(v, 0, e)] += scale / w * (face[0][v] - flux[1][v]);
                        du[PLACE(v, nodes - 1, e)] -= scale / w * (face[1][v] - flux[nodes][v]);
                    }
#undef X
#undef Y
#undef Z
#undef PLACE
                }
}
