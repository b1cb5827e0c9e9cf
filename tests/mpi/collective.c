/* collective.c - functions that all ranks call together. */
#include "harness.h"

/* first, first + step, ... as n elements of a dtype */
static ash_array *numbers(int64_t n, double first, double step, ash_dtype dtype)
{
    return ash_convert(ash_map("(i, f, s) -> f + s*i", ash_range(0, n), first, step), dtype);
}

/* ---- 001-31 */

static void row_001_31_allreduce(void)
{
    ash_array *a = ash_fill_new(ASH_SHAPE(4), (float)(rank + 1));
    CHECK_OK(ash_mpi_allreduce(a, "+", MPI_COMM_WORLD));
    const double want = ranks * (ranks + 1) / 2;
    CHECK_VALUES(a, want, want, want, want);
}

static void row_001_31_gatherv(void)
{
    ash_array *a = ash_fill_new(ASH_SHAPE(rank + 1), rank, .dtype = ASH_I32);
    ash_array *out = rank == 0 ? ash_fill_new(ASH_SHAPE(ranks * (ranks + 1) / 2), -1) : NULL;
    static const double want[] = {0, 1, 1, 2, 2, 2, 3, 3, 3, 3};
    CHECK_OK(ash_mpi_gatherv(out, a, 0, MPI_COMM_WORLD));
    if (rank == 0)
        check_values(out, want, ranks * (ranks + 1) / 2, __FILE__, __LINE__);
}

/* ---- reductions */

static const ash_dtype all_dtypes[] = {ASH_BOOL,  ASH_I8,     ASH_I16,   ASH_I32,  ASH_I64,   ASH_U8,    ASH_U16,
                                       ASH_U32,   ASH_U64,    ASH_F16,   ASH_BF16, ASH_F32,   ASH_F64,   ASH_C_I8,
                                       ASH_C_I16, ASH_C_I32,  ASH_C_I64, ASH_C_U8, ASH_C_U16, ASH_C_U32, ASH_C_U64,
                                       ASH_C_F16, ASH_C_BF16, ASH_C_F32, ASH_C_F64};

/* What rank r gives: small numbers, so that floats are exact; signs, and for bits more than one bit. */
static ash_array *given(int r, ash_dtype dtype)
{
    if (dtype == ASH_BOOL)
        return ash_map("(i, r) -> (i + r) % 3 == 0", ash_range(0, 7), r);
    return ash_map_with("(i, r) -> (i + 1)*(r + 2) - 3*r", ASH_OPERANDS(ash_range(0, 7), r), .dtype = dtype);
}

/* The same by ash_reduce over one array that has the elements of all ranks. */
static ash_array *wanted(const char *op, ash_dtype dtype)
{
    const ash_array *rows[8];
    for (int r = 0; r < ranks; r++)
        rows[r] = given(r, dtype);
    return ash_reduce(op, ash_stack(((ash_arrays){rows, ranks})), .axes = ASH_AXES(0), .drop = true);
}

static void every_dtype_and_operator(void)
{
    static const char *const ops[] = {"+", "*", "min", "max", "&&", "||", "&", "|", "^"};
    for (int d = 0; d < COUNT(all_dtypes); d++)
        for (int i = 0; i < COUNT(ops); i++) {
            ASH_SCOPE(scope);
            /* bool + bool is i64, i8 && i8 is bool: refused here */
            const bool sum_of_bool = all_dtypes[d] == ASH_BOOL && i < 2;
            ash_array *want = sum_of_bool ? NULL : wanted(ops[i], all_dtypes[d]);
            if (want && ash_dtype_of(want) != all_dtypes[d])
                want = NULL;
            ash_error_clear();
            ash_array *a = given(rank, all_dtypes[d]), *b = ash_copy(a);
            ash_array *views = ash_fill_new(ASH_SHAPE(7, 2), 0, .dtype = all_dtypes[d]);
            ash_array *v = ash_view(views, ASH_RANGE(6, ASH_OPEN, -1), 1);
            CHECK_OK(ash_copy_into(v, a));
            const ash_status status = ash_mpi_allreduce(a, ops[i], MPI_COMM_WORLD);
            if (!want) {
                if (status != ASH_ERR_DTYPE)
                    FAIL("%s of %s is not refused", ops[i], ash_dtype_name(all_dtypes[d]));
                CHECK_ERROR(ASH_ERR_DTYPE, "ash_mpi_allreduce: ");
                continue;
            }
            if (status || !ash_equal(a, want))
                FAIL("%s of %s", ops[i], ash_dtype_name(all_dtypes[d]));
            if ((d + i) % 3) /* for a third of them: the last rank's is strided, then everybody's */
                continue;
            CHECK_OK(ash_mpi_reduce(rank == ranks - 1 ? v : b, ops[i], ranks - 1, MPI_COMM_WORLD));
            CHECK(ash_equal(rank == ranks - 1 ? v : b, rank == ranks - 1 ? want : given(rank, all_dtypes[d])));
            CHECK_OK(ash_copy_into(v, given(rank, all_dtypes[d])));
            CHECK_OK(ash_mpi_allreduce(v, ops[i], MPI_COMM_WORLD));
            CHECK(ash_equal(v, want));
            CHECK(!ash_item_bool(ash_any(ash_map("x -> x != 0", ash_view(views, ASH_ALL, 0)))));
        }
}

static void nan_and_zero(void)
{
    /* rank 0: NaN, -0; the others: 1, 0 */
    ash_array *a = rank == 0 ? ash_f32(NAN, -0.0) : ash_f32(1, 0);
    ash_array *b = ash_copy(a);
    CHECK_OK(ash_mpi_allreduce(a, "min", MPI_COMM_WORLD));
    CHECK(isnan(ash_get_f32(a, 0)) && signbit(ash_get_f32(a, 1)));
    CHECK_OK(ash_mpi_allreduce(b, "max", MPI_COMM_WORLD));
    CHECK(isnan(ash_get_f32(b, 0)) && !signbit(ash_get_f32(b, 1)) == (ranks > 1));
}

/* 2048 + 1 is no f16: 2048 and ones lose nothing when they are added in f32 and rounded once. */
static void halves_are_added_in_f32(void)
{
    if (ranks < 3)
        return;
    ash_array *a = ash_fill_new(ASH_SHAPE(3), rank == 0 ? 2048.0 : rank < 3 ? 1.0 : 0.0, .dtype = ASH_F16);
    CHECK_OK(ash_mpi_allreduce(a, "+", MPI_COMM_WORLD));
    CHECK_VALUES(a, 2050, 2050, 2050);
    ash_array *big = ash_fill_new(ASH_SHAPE(1), 60000.0, .dtype = ASH_F16);
    CHECK_OK(ash_mpi_allreduce(big, "+", MPI_COMM_WORLD));
    CHECK_VALUES(big, (double)INFINITY);
}

/* More than one piece, and elements of several numbers in them; a function that is not commutative keeps the ranks' order. */
static void large_and_ordered(void)
{
    const int64_t n = 300001;
    ash_array *whole = ash_zeros(ASH_SHAPE(n, 2), .dtype = ASH_I32);
    ash_array *v = ash_view(whole, ASH_ALL, 1);
    CHECK_OK(ash_map_into(v, "(i, r) -> i32(i % 1000) + r", ash_range(0, n), rank));
    CHECK_OK(ash_mpi_allreduce(v, "+", MPI_COMM_WORLD));
    ash_array *want = ash_map("(i, p) -> i32(i % 1000)*p + i32(p*(p - 1)/2)", ash_range(0, n), ranks);
    CHECK(ash_equal(v, want));
    ash_array *c = ash_map_with("(i, r) -> i + r", ASH_OPERANDS(ash_range(0, n), rank), .dtype = ASH_C_I8);
    CHECK_OK(ash_mpi_allreduce(c, "*", MPI_COMM_WORLD));
    for (int r = 0; r < ranks; r++) {
        ash_array *one = ash_map_with("(i, r) -> i + r", ASH_OPERANDS(ash_range(0, n), r), .dtype = ASH_C_I8);
        want = r ? ash_map("(x, y) -> x*y", want, one) : one;
    }
    CHECK(ash_equal(c, want));
    ash_array *first = ash_fill_new(ASH_SHAPE(5), rank + 7);
    CHECK_OK(ash_mpi_allreduce(first, "(x, y) -> x", MPI_COMM_WORLD));
    CHECK_VALUES(first, 7, 7, 7, 7, 7);
}

/* ---- gather, scatter */

static void gather_into_columns(void)
{
    for (int root = 0; root < ranks; root++) {
        ash_array *a = numbers(3, 10.0 * rank, 1, ASH_BF16);
        ash_array *out = ash_fill_new(ASH_SHAPE(3, ranks), -1, .dtype = ASH_BF16);
        CHECK_OK(ash_mpi_gather(rank == root ? ash_transpose(out) : NULL, a, root, MPI_COMM_WORLD));
        for (int r = 0; r < ranks && rank == root; r++)
            CHECK_VALUES(ash_view(out, ASH_ALL, r), 10.0 * r, 10.0 * r + 1, 10.0 * r + 2);
        ash_array *back = ash_fill_new(ASH_SHAPE(6), -1, .dtype = ASH_BF16);
        CHECK_OK(ash_mpi_scatter(ash_slice(back, 5, ASH_OPEN, .step = -2), ash_transpose(out), root, MPI_COMM_WORLD));
        CHECK_VALUES(back, -1, 10.0 * rank + 2, -1, 10.0 * rank + 1, -1, 10.0 * rank);
    }
}

/* Parts that begin and end inside the rows of a strided matrix. */
static void varying_parts(void)
{
    int64_t counts[8], total = 0;
    for (int r = 0; r < ranks; r++)
        total += counts[r] = r == 1 ? 0 : 2 * r + 3;
    const int64_t rows = (total + 3) / 4;
    ash_array *room = ash_fill_new(ASH_SHAPE(rows, 9), -1);
    ash_array *whole = ash_view(room, ASH_ALL, ASH_RANGE(0, 8, 2));
    ash_array *filler = NULL;
    if (rank == ranks - 1) { /* what is missing to whole rows */
        counts[rank] += rows * 4 - total;
        filler = numbers(counts[rank], 100.0 * rank, 1, ASH_I32);
    } else
        counts[ranks - 1] += rows * 4 - total;
    ash_array *a = filler ? filler : numbers(counts[rank], 100.0 * rank, 1, ASH_I32);
    for (int given_counts = 0; given_counts < 2; given_counts++) {
        CHECK_OK(ash_fill(room, -1));
        if (given_counts)
            CHECK_OK(ash_mpi_gatherv(rank ? NULL : whole, a, 0, MPI_COMM_WORLD, .counts = {counts, ranks}));
        else
            CHECK_OK(ash_mpi_gatherv(rank ? NULL : whole, a, 0, MPI_COMM_WORLD));
        if (rank == 0) {
            const ash_array *parts[8];
            for (int r = 0; r < ranks; r++)
                parts[r] = numbers(counts[r], 100.0 * r, 1, ASH_I32);
            ash_array *want = ash_concat(((ash_arrays){parts, ranks}));
            CHECK(ash_equal(ash_copy(whole), ash_reshape(want, ASH_SHAPE(rows, 4))));
            CHECK(ash_item_i64(ash_sum(ash_view(room, ASH_ALL, ASH_RANGE(1, 9, 2)))) == -4 * rows);
        }
        ash_array *back = ash_zeros(ASH_SHAPE(counts[rank]), .dtype = ASH_I32);
        if (given_counts)
            CHECK_OK(ash_mpi_scatterv(back, rank ? NULL : whole, 0, MPI_COMM_WORLD, .counts = {counts, ranks}));
        else
            CHECK_OK(ash_mpi_scatterv(back, rank ? NULL : whole, 0, MPI_COMM_WORLD));
        CHECK(ash_equal(back, a));
    }
}

/* One array of random numbers, whatever the number of ranks: each draws its own part of the stream. */
static void random_parts(void)
{
    enum { ROWS = 37, COLUMNS = 5 };
    const int64_t from = ROWS * rank / ranks, end = ROWS * (rank + 1) / ranks;
    ash_array *whole = rank == 0 ? ash_zeros(ASH_SHAPE(ROWS, COLUMNS)) : NULL;
    ash_seed(1);
    ash_array *mine = ash_rand(ASH_SHAPE(end - from, COLUMNS), .first = from * COLUMNS);
    ash_array *normal = ash_randn(ASH_SHAPE(end - from, COLUMNS), .first = from * COLUMNS);
    CHECK_OK(ash_mpi_gatherv(whole, mine, 0, MPI_COMM_WORLD));
    ash_seed(1);
    CHECK(rank || ash_equal(whole, ash_rand(ASH_SHAPE(ROWS, COLUMNS)), .identical = true));
    CHECK(rank || fabs(ash_get_f64(ash_convert(whole, ASH_F64), 0, 0) - 0.67199826) < 1e-7);
    CHECK_OK(ash_mpi_gatherv(whole, normal, 0, MPI_COMM_WORLD));
    CHECK(rank || ash_equal(whole, ash_randn(ASH_SHAPE(ROWS, COLUMNS)), .identical = true));
}

/* ---- everybody with everybody */

static void all_to_all(void)
{
    for (int strided = 0; strided < 2; strided++) {
        ash_array *room = ash_fill_new(ASH_SHAPE(2 * ranks, 3), -1.0);
        ash_array *out =
            strided ? ash_slice(room, 0, 2, .axes = ASH_AXES(1)) : ash_zeros(ASH_SHAPE(2 * ranks, 2), .dtype = ASH_F64);
        ash_array *a = numbers(4, 10.0 * rank, 1, ASH_F64);
        CHECK_OK(ash_mpi_allgather(out, a, MPI_COMM_WORLD));
        for (int r = 0; r < ranks; r++)
            CHECK_VALUES(ash_slice(out, 2 * r, 2 * r + 2), 10.0 * r, 10.0 * r + 1, 10.0 * r + 2, 10.0 * r + 3);
        ash_array *b = numbers(4 * ranks, 100.0 * rank, 1, ASH_F64);
        CHECK_OK(ash_mpi_alltoall(out, b, MPI_COMM_WORLD));
        for (int r = 0; r < ranks; r++) {
            const double x = 100.0 * r + 4 * rank;
            CHECK_VALUES(ash_slice(out, 2 * r, 2 * r + 2), x, x + 1, x + 2, x + 3);
        }
        CHECK(!strided || ash_item_f64(ash_sum(ash_view(room, ASH_ALL, 2))) == -2 * ranks);
    }
}

/* ---- what is refused, on every rank, and all works afterwards */

static void mismatches(void)
{
    ash_array *four = ash_zeros(ASH_SHAPE(4)), *other = ash_zeros(ASH_SHAPE(4), .dtype = rank ? ASH_F32 : ASH_I32);
    ash_array *sizes = ash_zeros(ASH_SHAPE(4 + rank));
    const bool several = ranks > 1;
    if (several) {
        CHECK(ash_mpi_bcast(sizes, 0, MPI_COMM_WORLD) == ASH_ERR_SHAPE);
        CHECK_ERROR(ASH_ERR_SHAPE, "ash_mpi_bcast: the number of elements is ");
        CHECK(ash_mpi_bcast(other, 0, MPI_COMM_WORLD) == ASH_ERR_DTYPE);
        CHECK_ERROR(ASH_ERR_DTYPE, "ash_mpi_bcast: not all ranks have the same dtype");
        CHECK(ash_mpi_bcast(four, rank % 2, MPI_COMM_WORLD) == ASH_ERR_ARGUMENT);
        CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_mpi_bcast: the root is ");
        CHECK(ash_mpi_allreduce(four, rank ? "+" : "*", MPI_COMM_WORLD) == ASH_ERR_ARGUMENT);
        CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_mpi_allreduce: not all ranks have the same operator");
        const int64_t some[] = {1, 2, 3, 4}, others[] = {1, 2, 4, 5};
        CHECK(ash_mpi_gatherv(NULL, ash_zeros(ASH_SHAPE(rank < 2 ? rank + 1 : 2)), 9, MPI_COMM_WORLD) == ASH_ERR_ARGUMENT);
        CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_mpi_gatherv: root is 9");
        CHECK(ash_mpi_scatterv(ash_zeros(ASH_SHAPE(rank + 1)), rank ? NULL : ash_zeros(ASH_SHAPE(ranks * (ranks + 1) / 2)), 0,
                               MPI_COMM_WORLD, .counts = {some, rank == 1 ? 0 : ranks}) != ASH_OK);
        CHECK_ERROR(ASH_ERR_ARGUMENT, rank == 1 ? ".counts has 0 numbers; there are " : "rank 1 cannot take part (argument)");
        if (ranks == 4) {
            CHECK(ash_mpi_gatherv(rank ? NULL : ash_zeros(ASH_SHAPE(10)), ash_zeros(ASH_SHAPE(rank + 1)), 0, MPI_COMM_WORLD,
                                  .counts = {rank == 1 ? others : some, 4}) == ASH_ERR_ARGUMENT);
            CHECK_ERROR(ASH_ERR_ARGUMENT, "not all ranks have the same .counts");
        }
        /* one rank has no array: it says so, the others say who it is */
        CHECK(ash_mpi_allreduce(rank == 1 ? NULL : four, "+", MPI_COMM_WORLD) == ASH_ERR_ARGUMENT);
        CHECK_ERROR(ASH_ERR_ARGUMENT,
                    rank == 1 ? "ash_mpi_allreduce: a is NULL" : "ash_mpi_allreduce: rank 1 cannot take part (argument)");
        CHECK((rank ? ash_mpi_allreduce(four, "+", MPI_COMM_WORLD) : ash_mpi_bcast(four, 0, MPI_COMM_WORLD)) ==
              ASH_ERR_ARGUMENT);
        CHECK_ERROR(ASH_ERR_ARGUMENT, "not all ranks have the same function");
    }
    ash_array *short_out = rank ? NULL : ash_zeros(ASH_SHAPE(3));
    CHECK(ash_mpi_gatherv(short_out, four, 0, MPI_COMM_WORLD) == ASH_ERR_SHAPE);
    CHECK_ERROR(ASH_ERR_SHAPE, rank ? "ash_mpi_gatherv: rank 0 cannot take part (shape)"
                                    : "ash_mpi_gatherv: out has 3 elements; the ranks have ");
    ash_array *wrong = rank ? NULL : ash_zeros(ASH_SHAPE(4 * ranks), .dtype = ASH_F64);
    CHECK(ash_mpi_gather(wrong, four, 0, MPI_COMM_WORLD) == ASH_ERR_DTYPE);
    CHECK_ERROR(ASH_ERR_DTYPE,
                rank ? "ash_mpi_gather: rank 0 cannot take part (dtype)" : "ash_mpi_gather: out is f64, but a is f32");
    CHECK(ash_mpi_bcast(four, ranks, MPI_COMM_WORLD) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_mpi_bcast: root is ");
    CHECK(ash_mpi_allgather(four, four, MPI_COMM_WORLD) != ASH_OK);
    CHECK_ERROR(ranks == 1 ? ASH_ERR_ARGUMENT : ASH_ERR_SHAPE, ranks == 1 ? "out and a share memory" : "out has 4 elements");
    CHECK(ash_mpi_allreduce(ash_broadcast_to(four, ASH_SHAPE(2, 4)), "+", MPI_COMM_WORLD) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_mpi_allreduce: a is read-only");
    CHECK(ash_mpi_allreduce(ash_zeros(ASH_SHAPE(2), .dtype = ASH_BOOL), "(x, y) -> x + y", MPI_COMM_WORLD) == ASH_ERR_DTYPE);
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_mpi_allreduce: (x, y) -> x + y of bool and bool is i64, which does not fit a");
    CHECK(ash_mpi_allreduce(four, "nonsense", MPI_COMM_WORLD) != ASH_OK);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_mpi_allreduce: nonsense: ");
    CHECK_VALUES(four, 0, 0, 0, 0);
    CHECK_OK(ash_mpi_allreduce(four, "+", MPI_COMM_WORLD));
}

/* A rank that has no memory for what a strided reduction needs: an error everywhere, and nothing has changed. */
static void one_rank_without_memory(void)
{
    ash_array *room = ash_fill_new(ASH_SHAPE(300000, 2), (float)(rank + 1)), *v = ash_view(room, ASH_ALL, 1);
    ash_pool_info info;
    CHECK_OK(ash_pool_trim(ash_default_device(), 0));
    CHECK_OK(ash_pool_stats(ash_default_device(), &info, sizeof info));
    if (rank == ranks - 1)
        CHECK_OK(ash_pool_limit(ash_default_device(), info.in_use + 1));
    CHECK(ash_mpi_allreduce(v, "+", MPI_COMM_WORLD) == ASH_ERR_MEMORY);
    CHECK_ERROR(ASH_ERR_MEMORY, rank == ranks - 1 ? "ash_" : "cannot take part (memory)");
    CHECK_OK(ash_pool_limit(ash_default_device(), 0));
    CHECK(ash_equal(room, ash_fill_new(ASH_SHAPE(300000, 2), (float)(rank + 1))));
    CHECK_OK(ash_mpi_allreduce(v, "+", MPI_COMM_WORLD));
    CHECK(ash_get_f32(v, 299999) == (float)(ranks * (ranks + 1) / 2) && ash_get_f32(room, 299999, 0) == (float)(rank + 1));
}

static void communicators(void)
{
    MPI_Comm half, inter;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, rank, &half);
    int size;
    MPI_Comm_size(half, &size);
    ash_array *a = ash_fill_new(ASH_SHAPE(2), 1);
    CHECK_OK(ash_mpi_allreduce(a, "+", half));
    CHECK_VALUES(a, size, size);
    if (ranks > 1) {
        MPI_Intercomm_create(half, 0, MPI_COMM_WORLD, 1 - rank % 2, 9, &inter);
        CHECK(ash_mpi_allreduce(a, "+", inter) == ASH_ERR_UNSUPPORTED);
        CHECK_ERROR(ASH_ERR_UNSUPPORTED, "ash_mpi_allreduce: comm is an intercommunicator");
        MPI_Comm_free(&inter);
    }
    MPI_Comm_free(&half);
    CHECK(ash_mpi_bcast(a, 0, MPI_COMM_NULL) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_mpi_bcast: comm is MPI_COMM_NULL");
}

static void empty_and_single(void)
{
    ash_array *none = ash_zeros(ASH_SHAPE(0, 3)), *one = ash_fill_new(ASH_SHAPE(), (double)rank);
    CHECK_OK(ash_mpi_bcast(none, 0, MPI_COMM_WORLD));
    CHECK_OK(ash_mpi_allreduce(none, "max", MPI_COMM_WORLD));
    CHECK_OK(ash_mpi_gatherv(rank ? NULL : ash_zeros(ASH_SHAPE(0)), none, 0, MPI_COMM_WORLD));
    CHECK_OK(ash_mpi_bcast(one, ranks - 1, MPI_COMM_WORLD));
    CHECK(ash_item_f64(one) == ranks - 1);
    ash_array *all = ash_zeros(ASH_SHAPE(ranks), .dtype = ASH_F64);
    CHECK_OK(ash_mpi_allgather(all, one, MPI_COMM_WORLD));
    CHECK(ash_item_f64(ash_sum(all)) == ranks * (ranks - 1));
}

int main(int argc, char **argv)
{
    static const mpi_test tests[] = {
        TEST(row_001_31_allreduce),
        TEST(row_001_31_gatherv),
        TEST(every_dtype_and_operator),
        TEST(nan_and_zero),
        TEST(halves_are_added_in_f32),
        TEST(large_and_ordered),
        TEST(gather_into_columns),
        TEST(varying_parts),
        TEST(random_parts),
        TEST(all_to_all),
        TEST(mismatches),
        TEST(one_rank_without_memory),
        TEST(communicators),
        TEST(empty_and_single),
    };
    return run_tests(argc, argv, tests, COUNT(tests));
}
