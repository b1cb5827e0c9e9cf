/* transfer.c - arrays from process to process. */
#include "harness.h"

static int next_rank(void)
{
    return (rank + 1) % ranks;
}
static int last_rank(void)
{
    return (rank + ranks - 1) % ranks;
}

static void a55_sections(void)
{
    /* values 0..59 in memory order, column-major: rows 0, 2, ... 18 */
    ash_array *memory = ash_range(0, 60, .dtype = ASH_I32);
    ash_array *a = ash_reshape(memory, ASH_SHAPE(20, 3), .order = ASH_COL_MAJOR);
    ash_array *rows = ash_slice(a, 0, 20, .step = 2);
    ash_array *got = ash_zeros(ASH_SHAPE(30), .dtype = ASH_I32);
    ash_mpi_request *request = ash_mpi_isend(rows, rank, 5, MPI_COMM_WORLD, .order = ASH_COL_MAJOR);
    CHECK_OK(ash_mpi_recv(got, rank, 5, MPI_COMM_WORLD));
    CHECK_OK(ash_mpi_wait(request));
    CHECK_VALUES(got, 0, 2, 4, 6, 8, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 30, 32, 34, 36, 38, 40, 42, 44, 46, 48, 50, 52, 54,
                 56, 58);
    CHECK(ash_item_i64(ash_sum(got)) == 870);

    ash_array *whole = ash_fill_new(ASH_SHAPE(20, 3), -1, .layout = ASH_COL_MAJOR);
    ash_array *into = ash_slice(whole, 0, 20, .step = 2);
    request = ash_mpi_isend(got, rank, 6, MPI_COMM_WORLD);
    CHECK_OK(ash_mpi_recv(into, rank, 6, MPI_COMM_WORLD, .order = ASH_COL_MAJOR));
    CHECK_OK(ash_mpi_wait(request));
    CHECK(ash_equal(into, rows));
    CHECK(ash_item_i64(ash_sum(ash_slice(whole, 1, 20, .step = 2))) == -30);
    CHECK(ash_equal(ash_slice(whole, 1, 20, .step = 2), ash_fill_new(ASH_SHAPE(10, 3), -1)));
}

/* An array of that many elements that nobody touches: pages of zeros that are never there. */
static void a55_large_counts(void)
{
    const int64_t counts[] = {INT64_C(2147483656), INT64_C(2048) * 1024 * 1024};
    for (int i = 0; i < COUNT(counts); i++) {
        float one = 0;
        const int64_t zero = 0;
        ash_array *a = i ? ash_broadcast_to(ash_wrap(&one, ASH_F32, 1, ASH_SHAPE(1)), ASH_SHAPE(2048, 1024, 1024))
                         : ash_broadcast_to(ash_wrap(&one, ASH_F32, 1, ASH_SHAPE(1)), ((ash_dims){counts, 1}));
        ash_mpi_message m = ash_mpi_buffer(a);
        MPI_Count size = -1;
        (void)zero;
        CHECK(m.datatype != MPI_DATATYPE_NULL && m.count == 1);
        CHECK(MPI_Type_size_x(m.datatype, &size) == MPI_SUCCESS && size == counts[i] * 4);
        ash_mpi_buffer_release(&m);
        CHECK(m.datatype == MPI_DATATYPE_NULL);
    }
}

/* 001-31: arrays and views around the ring */
static void ring(void)
{
    ash_array *a = ash_map("(x, r) -> x + 10*r", ash_range(0, 6), rank);
    ash_array *b = ash_zeros(ASH_SHAPE(6), .dtype = ASH_I64);
    CHECK_OK(ash_mpi_sendrecv(a, next_rank(), b, last_rank(), 3, MPI_COMM_WORLD));
    const double r = 10.0 * last_rank();
    CHECK_VALUES(b, r, r + 1, r + 2, r + 3, r + 4, r + 5);
    if (ranks == 1)
        return;
    ash_array *whole = ash_fill_new(ASH_SHAPE(6), INT64_C(-1));
    if (rank == 0)
        CHECK_OK(ash_mpi_send(ash_slice(a, 0, 2), 1, 0, MPI_COMM_WORLD));
    if (rank == 1) {
        CHECK_OK(ash_mpi_recv(ash_slice(whole, 1, 3), 0, 0, MPI_COMM_WORLD));
        CHECK_VALUES(whole, -1, 0, 1, -1, -1, -1);
    }
}

static void bcast_views(void)
{
    for (int root = 0; root < ranks; root++) {
        ash_array *a = ash_zeros(ASH_SHAPE(3, 4), .dtype = ASH_F64, .layout = rank % 2 ? ASH_COL_MAJOR : ASH_ROW_MAJOR);
        if (rank == root)
            CHECK_OK(ash_copy_into(a, ash_reshape(ash_range(0, 12, .dtype = ASH_F64), ASH_SHAPE(3, 4))));
        CHECK_OK(ash_mpi_bcast(a, root, MPI_COMM_WORLD));
        CHECK_VALUES(a, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    }
}

int main(int argc, char **argv)
{
    static const mpi_test tests[] = {TEST(a55_sections), TEST(a55_large_counts), TEST(ring), TEST(bcast_views)};
    return run_tests(argc, argv, tests, COUNT(tests));
}
