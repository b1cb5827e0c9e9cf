/*
 * dg_euler.c - a discontinuous Galerkin method for the compressible Euler equations, on u[variable, i, j, k, element] of which
 * four sizes are known at compile time.
 *
 * A wave of density moves with the gas through a row of cubes whose ends meet; after one time unit it is where it was, so the
 * error is known. The kernel is compiled for static and for dynamic sizes: the results are the same bits. With the argument
 * `time` both are timed.
 *
 * Output:
 * u has shape (5, 4, 4, 4, 16) and strides 1 5 20 80 320
 * mass 1.000000, changed by less than 1e-12: yes
 * largest error of the density after one period: 1.0e-05
 * static and dynamic sizes give the same bits: yes
 */
#include <math.h>
#include <string.h>
#include <time.h>

#include <ashlar/ashlar.h>

enum { FIELDS = 5, NODES = 4, ELEMENTS = 16, STEPS = 640 };
static const double gas = 1.4;

ASH_STATIC_ARRAY(euler, double, ASH_COL_MAJOR, FIELDS, NODES, NODES, NODES, ASH_DYNAMIC);
ASH_STATIC_ARRAY(loose, double, ASH_COL_MAJOR, ASH_DYNAMIC, ASH_DYNAMIC, ASH_DYNAMIC, ASH_DYNAMIC, ASH_DYNAMIC);
ASH_STATIC_VALUE(matrix, double, ASH_COL_MAJOR, NODES, NODES);

/* ---- physics: u is density, momentum along three axes, energy */

static double pressure(const double u[FIELDS])
{
    return (gas - 1) * (u[4] - (u[1] * u[1] + u[2] * u[2] + u[3] * u[3]) / (2 * u[0]));
}

static void euler_flux(double f[FIELDS], const double u[FIELDS], int axis)
{
    const double speed = u[1 + axis] / u[0], p = pressure(u);
    for (int v = 0; v < FIELDS; v++)
        f[v] = u[v] * speed;
    f[1 + axis] += p;
    f[4] += p * speed;
}

/* The mean of both fluxes, less the jump times the fastest wave. */
static void rusanov_flux(double f[FIELDS], const double a[FIELDS], const double b[FIELDS], const double fa[FIELDS],
                         const double fb[FIELDS], int axis)
{
    const double speed_a = fabs(a[1 + axis] / a[0]) + sqrt(gas * pressure(a) / a[0]),
                 speed_b = fabs(b[1 + axis] / b[0]) + sqrt(gas * pressure(b) / b[0]), speed = fmax(speed_a, speed_b);
    for (int v = 0; v < FIELDS; v++)
        f[v] = 0.5 * (fa[v] + fb[v]) - 0.5 * speed * (b[v] - a[v]);
}

#define JOIN_(a, b) a##b
#define JOIN(a, b) JOIN_(a, b)
#define STATE euler
#include "dg_kernel.h"
#undef STATE
#define STATE loose
#include "dg_kernel.h"

/* ---- nodes of Gauss and Lobatto on [-1, 1] */

static const double weight[NODES] = {1.0 / 6, 5.0 / 6, 5.0 / 6, 1.0 / 6};
static double node(int i)
{
    const double inner = sqrt(0.2);
    const double x[NODES] = {-1, -inner, inner, 1};
    return x[i];
}

/* The derivative at node i of the polynomial that is 1 at node j and 0 at the others. */
static matrix derivative(void)
{
    matrix d = matrix_new();
    for (int i = 0; i < NODES; i++)
        for (int j = 0; j < NODES; j++)
            for (int m = 0; m < NODES; m++) {
                double product = 1 / (node(j) - node(m)); /* of the factors of that polynomial, one differentiated */
                if (m == j)
                    continue;
                for (int l = 0; l < NODES; l++)
                    if (l != j && l != m)
                        product *= (node(i) - node(l)) / (node(j) - node(l));
                ASH_AT(matrix, &d, i, j) += product;
            }
    return d;
}

/* ---- the run */

static double wave(double x) { return 1 + 0.2 * sin(6.283185307179586 * x); }
static double place(int64_t e, int i) { return ((double)e + (node(i) + 1) / 2) / ELEMENTS; }

static void start(euler *u)
{
    const double speed[3] = {1, 0.5, -0.25}, p = 1;
    for (int64_t e = 0; e < u->n4; e++)
        for (int k = 0; k < euler_n3; k++)
            for (int j = 0; j < euler_n2; j++)
                for (int i = 0; i < euler_n1; i++) {
                    const double density = wave(place(e, i));
                    double energy = p / (gas - 1);
                    ASH_AT(euler, u, 0, i, j, k, e) = density;
                    for (int a = 0; a < 3; a++) {
                        ASH_AT(euler, u, 1 + a, i, j, k, e) = density * speed[a];
                        energy += density * speed[a] * speed[a] / 2;
                    }
                    ASH_AT(euler, u, 4, i, j, k, e) = energy;
                }
}

/* The sum of the density by weights, relative to that of a gas of density 1; *error: its largest distance from the wave. */
static double mass(const euler *u, double *error)
{
    double sum = 0;
    *error = 0;
    for (int64_t e = 0; e < u->n4; e++)
        for (int k = 0; k < euler_n3; k++)
            for (int j = 0; j < euler_n2; j++)
                for (int i = 0; i < euler_n1; i++) {
                    const double density = *euler_at(u, 0, i, j, k, e);
                    sum += density * weight[i] * weight[j] * weight[k] / 8;
                    *error = fmax(*error, fabs(density - wave(place(e, i))));
                }
    return sum / (double)u->n4;
}

typedef void rate_function(euler *du, const euler *u, const matrix *d);
static void static_rate(euler *du, const euler *u, const matrix *d)
{
    const euler shape = euler_shape(u->n4);
    euler_rate(du->data, u->data, d->data, 2.0 * ELEMENTS, weight[0], &shape);
}
static void dynamic_rate(euler *du, const euler *u, const matrix *d)
{
    static volatile int fields = FIELDS, nodes = NODES; /* so that the compiler does not know them after all */
    const loose shape = loose_shape(fields, nodes, nodes, nodes, u->n4);
    loose_rate(du->data, u->data, d->data, 2.0 * ELEMENTS, weight[0], &shape);
}

/* Three stages of Runge and Kutta, by C.-W. Shu and S. Osher, 1988. */
static void run(euler *u, rate_function *rate)
{
    ASH_SCOPE(scope);
    const double dt = 1.0 / STEPS;
    const matrix d = derivative();
    euler u1 = euler_like(u), du = euler_like(u);
    ash_array *now = euler_array(u), *next = euler_array(&u1), *change = euler_array(&du); /* the same memory */
    for (int step = 0; step < STEPS; step++) {
        rate(&du, u, &d);
        ash_map_into(next, "(u, r, t) -> u + t*r", now, change, dt);
        rate(&du, &u1, &d);
        ash_map_into(next, "(u, v, r, t) -> (3*u + v + t*r)/4", now, next, change, dt);
        rate(&du, &u1, &d);
        ash_map_into(now, "(u, v, r, t) -> (u + 2*v + 2*t*r)/3", now, next, change, dt);
    }
    euler_release(&u1);
    euler_release(&du);
}

/* Seconds of one call, the least of many. */
static double seconds(euler *u, rate_function *rate)
{
    const matrix d = derivative();
    euler du = euler_like(u);
    double best = 1;
    for (int round = 0; round < 200; round++) {
        struct timespec begin, end;
        timespec_get(&begin, TIME_UTC);
        rate(&du, u, &d);
        timespec_get(&end, TIME_UTC);
        best = fmin(best, (double)(end.tv_sec - begin.tv_sec) + 1e-9 * (double)(end.tv_nsec - begin.tv_nsec));
    }
    euler_release(&du);
    return best;
}

int main(int count, char **arguments)
{
    ASH_SCOPE(scope);
    euler u = euler_new(ELEMENTS), v = euler_new(ELEMENTS);
    if (ash_failed()) {
        fprintf(stderr, "%s\n", ash_error_text());
        return 1;
    }
    printf("u has shape %s and strides %d %d %d %d %d\n", ash_shape_text(euler_array(&u)), euler_st0, euler_st1, euler_st2,
           euler_st3, euler_st4);
    double error;
    start(&u);
    start(&v);
    const double before = mass(&u, &error);
    run(&u, static_rate);
    run(&v, dynamic_rate);
    const double after = mass(&u, &error);
    printf("mass %.6f, changed by less than 1e-12: %s\n", after, fabs(after - before) < 1e-12 ? "yes" : "no");
    printf("largest error of the density after one period: %.1e\n", error);
    printf("static and dynamic sizes give the same bits: %s\n",
           ash_equal(euler_array(&u), euler_array(&v)) ? "yes" : "no");
    if (count > 1 && strcmp(arguments[1], "time") == 0)
        printf("one right-hand side: static sizes %.1f us, dynamic sizes %.1f us\n", 1e6 * seconds(&u, static_rate),
               1e6 * seconds(&v, dynamic_rate));
    euler_release(&u);
    euler_release(&v);
    if (ash_failed())
        fprintf(stderr, "%s\n", ash_error_text());
    return 0;
}
