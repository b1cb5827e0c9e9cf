/*
 * halo.c - borders from neighbours.
 *
 * Element (i, j, k) of the whole is the number 10000*i + 100*j + k. Each rank fills its own part and leaves -1 in the halos;
 * afterwards a place outside the whole is -1 where the grid ends there, and what lies on the other side where it is periodic.
 */
#include "harness.h"

enum { AXES = 3, OWN = 4 }; /* places of each rank along each axis */

typedef struct grid {
    MPI_Comm comm;
    int axes, size[AXES], periodic[AXES], place[AXES];
    int64_t width[AXES];
} grid;

static grid make_grid(int axes, const int *periodic, const int64_t *width)
{
    grid g = {.axes = axes};
    MPI_Dims_create(ranks, axes, g.size);
    for (int k = 0; k < axes; k++) {
        g.periodic[k] = periodic[k];
        g.width[k] = width[k];
    }
    MPI_Cart_create(MPI_COMM_WORLD, axes, g.size, g.periodic, 0, &g.comm);
    int me;
    MPI_Comm_rank(g.comm, &me);
    MPI_Cart_coords(g.comm, me, axes, g.place);
    return g;
}

/* Of the place x of this rank's array along axis k: its index in the whole, -1 outside. inside: it is no halo. */
static int64_t index_of(const grid *g, int k, int64_t x, bool *inside)
{
    const int64_t whole = (int64_t)OWN * g->size[k], i = (int64_t)OWN * g->place[k] + x - g->width[k];
    *inside = x >= g->width[k] && x < g->width[k] + OWN;
    return g->periodic[k] ? (i + whole) % whole : i >= 0 && i < whole ? i : -1;
}

/* What stands at place x: before the exchange in the halos -1. */
static double value_at(const grid *g, const int64_t *x, bool before)
{
    double value = 0;
    for (int k = 0; k < g->axes; k++) {
        bool inside;
        const int64_t i = index_of(g, k, x[k], &inside);
        if (i < 0 || (before && !inside))
            return -1;
        value = 100 * value + (double)i;
    }
    return value;
}

/* places: the array's axis for each axis of the grid */
static void visit(const grid *g, ash_array *a, const int *axis, bool before)
{
    int64_t x[AXES] = {0}, index[AXES] = {0};
    int64_t n = 1;
    for (int k = 0; k < g->axes; k++)
        n *= OWN + 2 * g->width[k];
    for (int64_t number = 0; number < n; number++) {
        int64_t rest = number;
        for (int k = g->axes; k-- > 0; rest /= OWN + 2 * g->width[k])
            index[axis[k]] = x[k] = rest % (OWN + 2 * g->width[k]);
        const double value = value_at(g, x, before);
        if (before)
            CHECK_OK(ash_set_f64_at(a, value, index, g->axes));
        else if (ash_get_f64_at(a, index, g->axes) != value) {
            FAIL("(%lld, %lld, %lld) is %g, not %g", (long long)x[0], (long long)x[1], (long long)x[2],
                 ash_get_f64_at(a, index, g->axes), value);
            return;
        }
    }
}

static ash_array *room_for(const grid *g, const int *axis, ash_layout layout)
{
    int64_t shape[AXES];
    for (int k = 0; k < g->axes; k++)
        shape[axis[k]] = OWN + 2 * g->width[k];
    return ash_zeros(((ash_dims){shape, g->axes}), .dtype = ASH_F64, .layout = layout);
}

static void every_grid(void)
{
    static const int64_t widths[][AXES] = {{2, 2, 2}, {1, 2, 0}};
    static const int straight[] = {0, 1, 2};
    for (int axes = 1; axes <= AXES; axes++)
        for (int w = 0; w < COUNT(widths); w++)
            for (int periods = 0; periods < 1 << axes; periods++) {
                ASH_SCOPE(scope);
                const int periodic[AXES] = {periods & 1, periods >> 1 & 1, periods >> 2};
                grid g = make_grid(axes, periodic, widths[w]);
                ash_array *a = room_for(&g, straight, periods % 2 ? ASH_COL_MAJOR : ASH_ROW_MAJOR);
                visit(&g, a, straight, true);
                if (w == 0)
                    CHECK_OK(ash_mpi_halo_exchange(a, g.comm, widths[w][0]));
                else
                    CHECK_OK(ash_mpi_halo_exchange(a, g.comm, 0, .widths = {widths[w], axes}));
                visit(&g, a, straight, false);
                MPI_Comm_free(&g.comm);
            }
}

static void other_axes_and_views(void)
{
    static const int turned[] = {1, 0};
    const int64_t width[] = {1, 2}, other[] = {-1, 0};
    grid g = make_grid(2, (const int[]){0, 1}, width);
    ash_array *room = ash_zeros(ASH_SHAPE(2 * (OWN + 4), 3 * (OWN + 2)), .dtype = ASH_F64);
    ash_array *a = ash_view(room, ASH_RANGE(2 * (OWN + 4) - 1, ASH_OPEN, -2), ASH_RANGE(0, 3 * (OWN + 2), 3));
    visit(&g, a, turned, true);
    CHECK_OK(ash_mpi_halo_exchange(a, g.comm, 0, .axes = {other, 2}, .widths = {width, 2}));
    visit(&g, a, turned, false);
    MPI_Comm_free(&g.comm);
}

/* Fields of several numbers at each place: the axes behind the grid's go along. */
static void records_along(void)
{
    const int periodic = 1;
    MPI_Comm line;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &ranks, &periodic, 0, &line);
    ash_array *a = ash_map("(r, i) -> c_f32(100*r + i)", rank, ash_reshape(ash_range(0, 10), ASH_SHAPE(5, 2)));
    CHECK_OK(ash_mpi_halo_exchange(a, line, 1));
    const int before = (rank + ranks - 1) % ranks, after = (rank + 1) % ranks;
    CHECK_VALUES(ash_map("real", ash_slice(a, 0, 1)), 100.0 * before + 6, 100.0 * before + 7);
    CHECK_VALUES(ash_map("real", ash_slice(a, 4, 5)), 100.0 * after + 2, 100.0 * after + 3);
    MPI_Comm_free(&line);
}

static void refused(void)
{
    const int periodic[] = {0, 1};
    int size[2] = {0, 0};
    MPI_Comm comm;
    MPI_Dims_create(ranks, 2, size);
    MPI_Cart_create(MPI_COMM_WORLD, 2, size, periodic, 0, &comm);
    ash_array *a = ash_zeros(ASH_SHAPE(4, 4));
    CHECK(ash_mpi_halo_exchange(a, MPI_COMM_WORLD, 1) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_mpi_halo_exchange: comm has no Cartesian grid");
    CHECK(ash_mpi_halo_exchange(a, comm, 2) == ASH_ERR_SHAPE);
    CHECK_ERROR(ASH_ERR_SHAPE, "axis 0 has size 4; two halos of 2 and as many elements between them are wanted");
    CHECK(ash_mpi_halo_exchange(a, comm, -1) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "the width is -1");
    CHECK(ash_mpi_halo_exchange(ash_slice(ash_squeeze(ash_slice(a, 0, 1)), 0, 4), comm, 1) == ASH_ERR_SHAPE);
    CHECK_ERROR(ASH_ERR_SHAPE, "a has rank 1; the grid of comm has 2 axes");
    CHECK(ash_mpi_halo_exchange(a, comm, 1, .axes = ASH_AXES(0, 2)) == ASH_ERR_BOUNDS);
    CHECK_ERROR(ASH_ERR_BOUNDS, "axis 2 is out of bounds for rank 2");
    CHECK(ash_mpi_halo_exchange(a, comm, 1, .axes = ASH_AXES(1, -1)) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "axis -1 is named twice");
    CHECK(ash_mpi_halo_exchange(a, comm, 1, .axes = ASH_AXES(1)) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, ".axes names 1 axes; the grid has 2");
    CHECK(ash_mpi_halo_exchange(a, comm, 1, .widths = ASH_SHAPE(1)) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, ".widths has 1 numbers; the grid has 2 axes");
    if (ranks > 1) { /* neighbours of other widths: told by those who notice, and nobody hangs */
        ash_array *b = ash_zeros(ASH_SHAPE(4 + rank, 4 + rank));
        (void)ash_mpi_halo_exchange(b, comm, 1);
        ash_error_clear();
    }
    CHECK_OK(ash_mpi_halo_exchange(a, comm, 1));
    MPI_Comm_free(&comm);
}

int main(int argc, char **argv)
{
    static const mpi_test tests[] = {TEST(every_grid), TEST(other_axes_and_views), TEST(records_along), TEST(refused)};
    return run_tests(argc, argv, tests, COUNT(tests));
}
