/*
 * heat_mpi.c - heat spreads over a plate that is shared among the ranks of an MPI program: mpirun -n 4 example-heat_mpi.
 *
 * Explicit steps of the heat equation, four neighbours a point. Each rank has a block of the plate with a border of one: beside
 * another block it is filled from there before every step, at the edge of the plate it holds the edge's temperature. A point is
 * computed the same way wherever it lies, so the result is the same, bit for bit, for any number of ranks.
 *
 * Output:
 * ash.matrix f32[6×7] row-major cpu:0
 *  [[57.4 80.7 83.9 84.4 83.7 79.9 48.8]
 *   [15.0 35.6 41.9 43.1 41.6 34.2 11.5]
 *   [ 4.7 12.7 16.2 16.9 16.0 12.1  3.6]
 *   [ 1.3  3.6  4.7  5.0  4.7  3.4  1.0]
 *   [ 0.3  0.8  1.0  1.1  1.0  0.7  0.2]
 *   [ 0.0  0.0  0.1  0.1  0.1  0.0  0.0]]
 * hottest 94.758034, the sum of all bits 2d6cab42c5f
 */
#include <ashlar/ashlar.h>
#include <ashlar/mpi.h>

enum { ROWS = 48, COLUMNS = 60, STEPS = 600 };
static const int64_t plate[2] = {ROWS, COLUMNS};

typedef struct block {
    MPI_Comm grid;
    int ranks, rank;
    int size[2]; /* of the grid of ranks */
} block;

static block make_grid(void)
{
    block b = {.size = {0, 0}};
    const int periodic[2] = {0, 0};
    MPI_Comm_size(MPI_COMM_WORLD, &b.ranks);
    MPI_Dims_create(b.ranks, 2, b.size);
    MPI_Cart_create(MPI_COMM_WORLD, 2, b.size, periodic, 0, &b.grid);
    MPI_Comm_rank(b.grid, &b.rank);
    return b;
}

/* The points of a rank along an axis: first to end - 1. */
static void extent_of(const block *b, int rank, int axis, int64_t *first, int64_t *end)
{
    int place[2];
    MPI_Cart_coords(b->grid, rank, 2, place);
    *first = plate[axis] * place[axis] / b->size[axis];
    *end = plate[axis] * (place[axis] + 1) / b->size[axis];
}

/* Cold, but for the upper edge of the plate. */
static ash_array *make_block(const block *b)
{
    int64_t first[2], end[2];
    for (int k = 0; k < 2; k++)
        extent_of(b, b->rank, k, &first[k], &end[k]);
    ash_array *u = ash_zeros(ASH_SHAPE(end[0] - first[0] + 2, end[1] - first[1] + 2));
    if (first[0] == 0)
        ash_fill(ash_view(u, 0), 100);
    return u;
}

static ash_array *moved(const ash_array *u, int64_t down, int64_t right)
{
    const int64_t *n = ash_shape(u);
    return ash_view(u, ASH_RANGE(1 + down, n[0] - 1 + down), ASH_RANGE(1 + right, n[1] - 1 + right));
}

static void step(const block *b, ash_array *from, ash_array *to)
{
    ASH_SCOPE(scope);
    ash_mpi_halo_exchange(from, b->grid, 1);
    ash_map_into(moved(to, 0, 0), "(u, n, s, w, e) -> u + 0.2*(n + s + w + e - 4*u)", moved(from, 0, 0), moved(from, -1, 0),
                 moved(from, 1, 0), moved(from, 0, -1), moved(from, 0, 1));
}

/* On rank 0: each block received where it belongs. Elsewhere NULL. */
static ash_array *collect(const block *b, const ash_array *u)
{
    ash_array *whole = b->rank == 0 ? ash_empty(ASH_SHAPE(ROWS, COLUMNS)) : NULL;
    ash_mpi_request *sending = ash_mpi_isend(moved(u, 0, 0), 0, 0, b->grid);
    for (int r = 0; r < b->ranks && b->rank == 0; r++) {
        int64_t first[2], end[2];
        for (int k = 0; k < 2; k++)
            extent_of(b, r, k, &first[k], &end[k]);
        ash_mpi_recv(ash_view(whole, ASH_RANGE(first[0], end[0]), ASH_RANGE(first[1], end[1])), r, 0, b->grid);
    }
    ash_mpi_wait(sending);
    return whole;
}

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    {
        ASH_SCOPE(scope);
        block b = make_grid();
        ash_array *u = make_block(&b), *next = ash_copy(u);
        for (int i = 0; i < STEPS; i++) {
            step(&b, u, next);
            ash_array *done = next;
            next = u;
            u = done;
        }
        ash_array *hottest = ash_max(moved(u, 0, 0));
        ash_mpi_allreduce(hottest, "max", b.grid);
        ash_array *whole = collect(&b, u);
        if (b.rank == 0) {
            ash_print(ash_map("u -> round(10*u)/10", ash_view(whole, ASH_RANGE(2, ROWS, 9), ASH_RANGE(3, COLUMNS, 9))));
            printf("hottest %.6f, the sum of all bits %llx\n", (double)ash_item_f32(hottest),
                   (unsigned long long)ash_item_u64(ash_sum(ash_reinterpret(whole, ASH_U32))));
        }
        if (ash_failed())
            fprintf(stderr, "%s\n", ash_error_text());
        MPI_Comm_free(&b.grid);
    }
    MPI_Finalize();
    return 0;
}
