/* transfer.c - arrays from process to process. */
#include "harness.h"

#include <sys/mman.h>

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

/* An array of that many elements, over memory that is never there: nobody touches it. */
static void a55_large_counts(void)
{
    const int64_t more = INT64_C(2147483656), box[] = {2048, 1024, 1024}, whole = INT64_C(2147483648);
    const struct {
        int64_t count;
        ash_dims shape;
    } cases[] = {{more, {&more, 1}}, {whole, {box, 3}}};
    for (int i = 0; i < COUNT(cases); i++) {
        const size_t nbytes = (size_t)cases[i].count * 4;
        void *memory = mmap(NULL, nbytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        ash_array *a = ash_wrap(memory, ASH_F32, cases[i].count, cases[i].shape);
        ash_array *v = ash_slice(a, ASH_OPEN, ASH_OPEN, .step = -1); /* whole or by the row: strided */
        ash_mpi_message m = ash_mpi_buffer(a), n = ash_mpi_buffer(v);
        MPI_Count size = -1, elements = -1;
        CHECK(m.datatype != MPI_DATATYPE_NULL && m.count == 1 && m.address == memory);
        CHECK(MPI_Type_size_x(m.datatype, &size) == MPI_SUCCESS && size / 4 == cases[i].count);
        MPI_Aint least, extent;
        CHECK(MPI_Type_get_true_extent(m.datatype, &least, &extent) == MPI_SUCCESS && least == 0);
        CHECK((size_t)extent == nbytes);
        CHECK(n.count == 1 && MPI_Type_size_x(n.datatype, &elements) == MPI_SUCCESS && elements == size);
        ash_mpi_buffer_release(&m);
        ash_mpi_buffer_release(&n);
        CHECK(m.datatype == MPI_DATATYPE_NULL);
        munmap(memory, nbytes);
    }
}

/* Around the ring, and a view into a view. */
static void row_001_31_messages(void)
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

static void row_001_31_bcast(void)
{
    for (int root = 0; root < ranks; root++) {
        ash_array *a = ash_zeros(ASH_SHAPE(3, 4), .dtype = ASH_F64, .layout = rank % 2 ? ASH_COL_MAJOR : ASH_ROW_MAJOR);
        if (rank == root)
            CHECK_OK(ash_copy_into(a, ash_reshape(ash_range(0, 12, .dtype = ASH_F64), ASH_SHAPE(3, 4))));
        CHECK_OK(ash_mpi_bcast(a, root, MPI_COMM_WORLD));
        CHECK_VALUES(a, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11);
    }
}

/* ---- every dtype, every kind of view */

ASH_RECORD(particle, (f32, x, 3), (bool, fixed), (c_f64, spin));

/* 24 elements of any bits; of bool, 0 and 1. */
static ash_array *any_bits(ash_dtype dtype)
{
    const int64_t shape[] = {4, 6, (int64_t)ash_dtype_size(dtype)};
    ash_array *a = ash_zeros(((ash_dims){shape, 2}), .dtype = dtype);
    const bool is_bool = dtype == ASH_BOOL, parts = !is_bool && shape[2] > 1;
    ash_array *number = ash_reshape(ash_range(0, parts ? 24 * shape[2] : 24), ((ash_dims){shape, parts ? 3 : 2}));
    ash_array *bytes = is_bool ? a : ash_reinterpret(a, ASH_U8, .add_axis = parts);
    const ash_status status =
        ash_map_into(bytes, is_bool ? "(i, r) -> (i + r) % 3 == 1" : "(i, r) -> u8(i*37 + 11 + r)", number, rank);
    CHECK_OK(status);
    return a;
}

/* The same bits in the same places. */
static bool same_bits(const ash_array *a, const ash_array *b)
{
    char x[24 * 64], y[24 * 64];
    const size_t n = ash_nbytes(a);
    return ash_same_shape(a, b) && n == ash_nbytes(b) && n <= sizeof x && ash_to_host(a, x, n) == ASH_OK &&
           ash_to_host(b, y, n) == ASH_OK && memcmp(x, y, n) == 0;
}

static void every_dtype_and_view(void)
{
    enum { VIEWS = 6 };
    const ash_dtype last = ASH_C_F64;
    for (int d = ASH_BOOL; d <= (int)last + 1; d++) {
        const ash_dtype dtype = d <= (int)last ? (ash_dtype)d : particle_dtype();
        for (int i = 0; i < VIEWS; i++) {
            ASH_SCOPE(scope);
            ash_array *a = any_bits(dtype), *room = ash_zeros(ASH_SHAPE(6, 16), .dtype = dtype);
            ash_array *const views[VIEWS] = {
                a,
                ash_transpose(a),
                ash_slice(a, ASH_OPEN, ASH_OPEN, .step = -1),
                ash_view(a, ASH_RANGE(3, 0, -2), ASH_RANGE(5, 0, -3)),
                ash_broadcast_to(ash_slice(a, 1, 2), ASH_SHAPE(4, 6)),
                ash_view(ash_reshape(a, ASH_SHAPE(2, 2, 3, 2)), ASH_ALL, 1, ASH_ALL, ASH_RANGE(1, ASH_OPEN, -1))};
            const ash_array *v = views[i];
            /* into another layout: columns of the room, the last one first */
            int64_t rows = ash_shape(v)[0], rest = ash_size(v) / rows;
            ash_array *flat = ash_view(room, ASH_RANGE(0, rows), ASH_RANGE(15, 15 - rest, -1));
            ash_mpi_request *sending = ash_mpi_isend(v, next_rank(), i, MPI_COMM_WORLD);
            CHECK_OK(ash_mpi_recv(flat, last_rank(), i, MPI_COMM_WORLD));
            CHECK_OK(ash_mpi_wait(sending));
            if (ranks == 1)
                if (!same_bits(ash_copy(flat), ash_reshape(ash_copy(v, .layout = ASH_ROW_MAJOR), ASH_SHAPE(rows, rest))))
                    FAIL("view %d of %s is received wrong", i, ash_dtype_name(dtype));
            /* back again: what was sent comes home */
            ash_array *home = ash_zeros(ash_dims_of(v), .dtype = dtype, .layout = ASH_COL_MAJOR);
            CHECK_OK(ash_mpi_sendrecv(flat, last_rank(), home, next_rank(), 7, MPI_COMM_WORLD));
            if (!same_bits(home, v))
                FAIL("view %d of %s", i, ash_dtype_name(dtype));
        }
    }
}

/* The other side may know nothing of arrays. */
static void plain_mpi(void)
{
    ash_array *a = ash_zeros(ASH_SHAPE(3, 2), .dtype = ASH_F64, .layout = ASH_COL_MAJOR);
    const double plain[] = {1, 2, 3, 4, 5, 6};
    double back[6] = {0};
    MPI_Request request;
    MPI_Isend(plain, 6, MPI_DOUBLE, next_rank(), 2, MPI_COMM_WORLD, &request);
    CHECK_OK(ash_mpi_recv(a, last_rank(), 2, MPI_COMM_WORLD));
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK_VALUES(a, 1, 2, 3, 4, 5, 6);
    ash_mpi_message m = ash_mpi_buffer(ash_slice(a, ASH_OPEN, ASH_OPEN, .step = -2));
    MPI_Sendrecv(m.address, m.count, m.datatype, next_rank(), 3, back, 4, MPI_DOUBLE, last_rank(), 3, MPI_COMM_WORLD,
                 MPI_STATUS_IGNORE);
    CHECK(back[0] == 5 && back[1] == 6 && back[2] == 1 && back[3] == 2 && back[4] == 0);
    ash_mpi_buffer_release(&m);
}

#ifdef ASHLAR_STATIC_H
/* 001-31: an array whose sizes are fixed at compile time, through its view. */
ASH_STATIC_ARRAY(field, double, ASH_COL_MAJOR, 3, ASH_DYNAMIC);

static void row_001_31_static(void)
{
    field u = field_new(4), v = field_new(4);
    ash_array *a = field_array(&u), *b = field_array(&v);
    CHECK_OK(ash_map_into(a, "(i, r) -> i + 100*r", ash_reshape(ash_range(0, 12), ASH_SHAPE(3, 4)), rank));
    CHECK_OK(ash_mpi_sendrecv(a, next_rank(), b, last_rank(), 8, MPI_COMM_WORLD));
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 4; j++)
            CHECK(*field_at(&v, i, j) == 4 * i + j + 100 * last_rank());
    CHECK_OK(ash_mpi_allreduce(b, "max", MPI_COMM_WORLD));
    CHECK(*field_at(&v, 2, 3) == 11 + 100 * (ranks - 1));
    ash_release(a);
    ash_release(b);
    field_release(&u);
    field_release(&v);
}
#endif

static int64_t blocks(void)
{
    ash_pool_info info;
    CHECK_OK(ash_pool_stats(ash_default_device(), &info, sizeof info));
    return info.requests;
}

/* 001-31: no dense copy is made of a view: not a block of memory is asked for. */
static void row_001_31_no_copy(void)
{
    ash_array *room = ash_zeros(ASH_SHAPE(64, 64 * ranks), .dtype = ASH_F64);
    ash_array *v = ash_slice(room, 0, 64 * ranks, .axes = ASH_AXES(1), .step = 2);
    ash_array *part = ash_slice(ash_zeros(ASH_SHAPE(64, 64), .dtype = ASH_F64), 0, 64, .axes = ASH_AXES(1), .step = 2);
    const int64_t before = blocks();
    CHECK_OK(ash_mpi_wait(ash_mpi_isend(part, MPI_PROC_NULL, 0, MPI_COMM_WORLD)));
    CHECK_OK(ash_mpi_bcast(v, 0, MPI_COMM_WORLD));
    CHECK_OK(ash_mpi_gatherv(v, part, 0, MPI_COMM_WORLD));
    CHECK_OK(ash_mpi_scatter(part, v, 0, MPI_COMM_WORLD));
    CHECK_OK(ash_mpi_allgather(v, part, MPI_COMM_WORLD));
    ash_mpi_request *request = ash_mpi_irecv(part, last_rank(), 1, MPI_COMM_WORLD);
    CHECK_OK(ash_mpi_send(ash_slice(v, 0, 32, .axes = ASH_AXES(1)), next_rank(), 1, MPI_COMM_WORLD));
    CHECK_OK(ash_mpi_wait(request));
    CHECK(blocks() == before);
}

int main(int argc, char **argv)
{
    static const mpi_test tests[] = {
        TEST(a55_sections),      TEST(a55_large_counts),     TEST(row_001_31_messages),
        TEST(row_001_31_bcast),  TEST(row_001_31_no_copy),
#ifdef ASHLAR_STATIC_H
        TEST(row_001_31_static),
#endif
        TEST(plain_mpi),         TEST(every_dtype_and_view),
    };
    return run_tests(argc, argv, tests, COUNT(tests));
}
