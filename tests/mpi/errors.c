/*
 * errors.c - before MPI and after it, its errors as ours, and what is left when it ends.
 *
 * Not over run_tests: it calls MPI_Init and MPI_Finalize at times of its own.
 */
#include "harness.h"

#include <pthread.h>

static void without_mpi(const char *want)
{
    ash_array *a = ash_zeros(ASH_SHAPE(3));
    CHECK(ash_mpi_send(a, 0, 0, MPI_COMM_WORLD) == ASH_ERR_DEVICE);
    CHECK_ERROR(ASH_ERR_DEVICE, want);
    CHECK(ash_mpi_recv(a, 0, 0, MPI_COMM_WORLD) == ASH_ERR_DEVICE);
    CHECK_ERROR(ASH_ERR_DEVICE, want);
    CHECK(ash_mpi_isend(a, 0, 0, MPI_COMM_WORLD) == NULL);
    CHECK_ERROR(ASH_ERR_DEVICE, want);
    CHECK(ash_mpi_allreduce(a, "+", MPI_COMM_WORLD) == ASH_ERR_DEVICE);
    CHECK_ERROR(ASH_ERR_DEVICE, want);
    CHECK(ash_mpi_gatherv(a, a, 0, MPI_COMM_WORLD) == ASH_ERR_DEVICE);
    CHECK_ERROR(ASH_ERR_DEVICE, want);
    CHECK(ash_mpi_halo_exchange(a, MPI_COMM_WORLD, 1) == ASH_ERR_DEVICE);
    CHECK_ERROR(ASH_ERR_DEVICE, want);
    CHECK(ash_mpi_buffer(a).datatype == MPI_DATATYPE_NULL);
    CHECK_ERROR(ASH_ERR_DEVICE, want);
    CHECK(ash_mpi_free_datatypes() == 0);
    ash_release(a);
}

/* The program's handlers are back after every call, whether it failed or not. */
static void check_handlers(void)
{
    MPI_Errhandler now;
    MPI_Comm_get_errhandler(MPI_COMM_WORLD, &now);
    CHECK(now == MPI_ERRORS_ARE_FATAL);
    MPI_Errhandler_free(&now);
}

static void refused_arguments(void)
{
    ash_array *a = ash_zeros(ASH_SHAPE(3));
    CHECK(ash_mpi_send(a, ranks, 0, MPI_COMM_WORLD) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_mpi_send: dest is ");
    CHECK(ash_mpi_send(a, rank, -7, MPI_COMM_WORLD) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_mpi_send: ");
    CHECK(ash_mpi_recv(a, -99, 0, MPI_COMM_WORLD) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_mpi_recv: source is -99; the communicator has ranks 0 to ");
    CHECK(ash_mpi_send(NULL, rank, 0, MPI_COMM_WORLD) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_mpi_send: a is NULL");
    CHECK(ash_mpi_recv(ash_broadcast_to(a, ASH_SHAPE(2, 3)), rank, 0, MPI_COMM_WORLD) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_mpi_recv: a is read-only");
    CHECK(ash_mpi_send(a, rank, 0, MPI_COMM_WORLD, .order = ASH_STRIDED) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_mpi_send: .order is 3");
    CHECK(ash_mpi_wait(NULL) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_mpi_wait: request is NULL");
    CHECK(!ash_mpi_test(NULL));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_mpi_test: request is NULL");
    /* the first failure of a chain stays */
    CHECK(ash_mpi_wait(ash_mpi_isend(ash_map("x -> squrt(x)", a), rank, 0, MPI_COMM_WORLD)) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_map: ");
    CHECK(ash_mpi_sendrecv(a, rank, ash_slice(a, 0, 2), rank, 0, MPI_COMM_WORLD) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_mpi_sendrecv: a and out share memory");
    const ash_mpi_options unsized = {.order = ASH_ROW_MAJOR};
    CHECK(ash_mpi_send_opt(a, rank, 0, MPI_COMM_WORLD, &unsized) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_mpi_send: struct_size is 0");
    CHECK(ash_mpi_bcast_opt(a, 0, MPI_COMM_WORLD, &unsized) == ASH_ERR_ARGUMENT); /* on every rank */
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_mpi_bcast: struct_size is 0");
    check_handlers();
}

static void refused_arrays(void)
{
    ash_array *c = ash_zeros(ASH_SHAPE(2, 2), .dtype = ASH_C_F32), *p = ash_zeros(ASH_SHAPE(2), .storage = ASH_PRIVATE);
    CHECK(ash_mpi_send(ash_adjoint(c), rank, 0, MPI_COMM_WORLD) == ASH_ERR_UNSUPPORTED);
    CHECK_ERROR(ASH_ERR_UNSUPPORTED, "ash_mpi_send: a is a conjugated view");
    CHECK(ash_mpi_send(p, rank, 0, MPI_COMM_WORLD) == ASH_ERR_UNSUPPORTED);
    CHECK_ERROR(ASH_ERR_UNSUPPORTED, "ash_mpi_send: a is in private storage");
    CHECK(ash_mpi_bcast(p, 0, MPI_COMM_WORLD) == ASH_ERR_UNSUPPORTED);
    CHECK_ERROR(ASH_ERR_UNSUPPORTED, "ash_mpi_bcast: a is in private storage");
    CHECK_OK(ash_discard(c));
    CHECK(ash_mpi_send(c, rank, 0, MPI_COMM_WORLD) == ASH_ERR_RELEASED);
    CHECK_ERROR(ASH_ERR_RELEASED, "ash_mpi_send: a was discarded");
    /* the adjoint of a real array is a transpose, whose memory holds its numbers */
    ash_array *real = ash_reshape(ash_range(0, 6), ASH_SHAPE(2, 3)), *got = ash_zeros(ASH_SHAPE(6));
    CHECK(ash_mpi_sendrecv(ash_adjoint(real), rank, got, rank, 0, MPI_COMM_WORLD) == ASH_ERR_SHAPE);
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_mpi_sendrecv: the message from rank ");
    got = ash_zeros(ASH_SHAPE(6), .dtype = ASH_I64);
    CHECK_OK(ash_mpi_sendrecv(ash_adjoint(real), rank, got, rank, 0, MPI_COMM_WORLD)); /* the first message has gone */
    CHECK_VALUES(got, 0, 3, 1, 4, 2, 5);
}

/* A message that does not fit stays where it is. */
static void sizes(void)
{
    ash_array *five = ash_range(0, 5), *four = ash_fill_new(ASH_SHAPE(4), INT64_C(-1)),
              *six = ash_fill_new(ASH_SHAPE(6), INT64_C(-1));
    ash_mpi_received info;
    ash_mpi_request *sending = ash_mpi_isend(five, rank, 4, MPI_COMM_WORLD);
    CHECK(ash_mpi_recv(four, rank, 4, MPI_COMM_WORLD) == ASH_ERR_SHAPE);
    CHECK_ERROR(ASH_ERR_SHAPE, "has 40 bytes; a has shape (4), 32 bytes of i64");
    CHECK_VALUES(four, -1, -1, -1, -1);
    CHECK(ash_mpi_recv(six, rank, 4, MPI_COMM_WORLD) == ASH_ERR_SHAPE);
    CHECK_ERROR(ASH_ERR_SHAPE, "48 bytes of i64 (pass .shorter = true to take fewer)");
    CHECK_OK(ash_mpi_recv(six, MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, .shorter = true, .received = &info));
    CHECK_VALUES(six, 0, 1, 2, 3, 4, -1);
    CHECK(info.source == rank && info.tag == 4 && info.count == 5);
    CHECK_OK(ash_mpi_wait(sending));

    /* a request finds out when the message has come */
    /* sent first: Open MPI 4.1 cuts a message to itself without a word when the receive was there before it */
    ash_mpi_request *both[2] = {ash_mpi_isend(five, rank, 5, MPI_COMM_WORLD)};
    both[1] = ash_mpi_irecv(four, rank, 5, MPI_COMM_WORLD);
    CHECK(ash_mpi_wait_all(both, 2) == ASH_ERR_SHAPE);
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_mpi_wait: ");
    ash_mpi_request *longer[] = {ash_mpi_irecv(six, rank, 5, MPI_COMM_WORLD), ash_mpi_isend(five, rank, 5, MPI_COMM_WORLD)};
    CHECK(ash_mpi_wait_all(longer, 2) == ASH_ERR_SHAPE);
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_mpi_wait: the message from rank ");
    ash_mpi_request *fine[] = {ash_mpi_irecv(six, rank, 5, MPI_COMM_WORLD, .shorter = true, .received = &info), NULL,
                               ash_mpi_isend(five, rank, 5, MPI_COMM_WORLD)};
    CHECK_OK(ash_mpi_wait_all(fine, 3));
    CHECK(info.count == 5 && info.tag == 5);
    check_handlers();

    CHECK_OK(ash_mpi_send(five, MPI_PROC_NULL, 0, MPI_COMM_WORLD));
    CHECK_OK(ash_mpi_recv(four, MPI_PROC_NULL, 0, MPI_COMM_WORLD, .received = &info));
    CHECK(info.source == MPI_PROC_NULL && info.count == 0);
}

static void wrong_sizes_around(void)
{
    /* all around the ring, too long to be sent before they are taken: nobody hangs */
    ash_array *longer_one = ash_zeros(ASH_SHAPE(200001)), *shorter_one = ash_zeros(ASH_SHAPE(200000));
    CHECK(ash_mpi_sendrecv(longer_one, (rank + 1) % ranks, shorter_one, (rank + ranks - 1) % ranks, 6, MPI_COMM_WORLD) ==
          ASH_ERR_SHAPE);
    CHECK_ERROR(ASH_ERR_SHAPE, "has 800004 bytes; a has shape (200000)");
}

/* The memory is held, whatever becomes of the array. */
static void held(void)
{
    ash_array *a = ash_range(0, 100000), *b = ash_zeros(ASH_SHAPE(100000), .dtype = ASH_I64);
    ash_mpi_request *sending = ash_mpi_isend(a, rank, 1, MPI_COMM_WORLD);
    CHECK_OK(ash_discard(a));
    CHECK(!ash_mpi_test(sending)); /* too long to go before anybody takes it */
    ash_mpi_request *receiving = ash_mpi_irecv(ash_slice(b, ASH_OPEN, ASH_OPEN, .step = -1), rank, 1, MPI_COMM_WORLD);
    while (!ash_mpi_test(receiving))
        ;
    CHECK(ash_mpi_test(receiving));
    CHECK_OK(ash_mpi_wait(receiving));
    CHECK_OK(ash_mpi_wait(sending));
    CHECK(ash_equal(b, ash_map("i -> 99999 - i", ash_range(0, 100000))));
}

/* ---- threads: one failing must not put back the handler under another */

enum { THREADS = 4, ROUNDS = 100 };

static void *exchange_with_self(void *number)
{
    const int tag = (int)(intptr_t)number;
    intptr_t faults = 0;
    for (int i = 0; i < ROUNDS; i++) {
        ASH_SCOPE(scope);
        ash_array *a = ash_map("(i, t) -> i + t", ash_range(0, 50 + i), tag), *b = ash_like(a);
        ash_mpi_request *sending = ash_mpi_isend(ash_slice(a, ASH_OPEN, ASH_OPEN, .step = -1), rank, tag, MPI_COMM_WORLD);
        faults += ash_mpi_send(a, ranks + tag, tag, MPI_COMM_WORLD) != ASH_ERR_ARGUMENT;
        faults += ash_mpi_send(a, rank, -5, MPI_COMM_WORLD) != ASH_ERR_ARGUMENT;
        ash_error_clear();
        faults += ash_mpi_recv(ash_slice(b, ASH_OPEN, ASH_OPEN, .step = -1), rank, tag, MPI_COMM_WORLD) != ASH_OK;
        faults += ash_mpi_wait(sending) != ASH_OK || !ash_equal(a, b);
    }
    return (void *)faults;
}

static void threads(void)
{
    pthread_t thread[THREADS];
    if (threads_given < MPI_THREAD_MULTIPLE)
        return;
    for (intptr_t i = 0; i < THREADS; i++)
        CHECK(pthread_create(&thread[i], NULL, exchange_with_self, (void *)(i + 1)) == 0);
    for (int i = 0; i < THREADS; i++) {
        void *faults;
        pthread_join(thread[i], &faults);
        CHECK(!faults);
    }
    check_handlers();
    ash_mpi_free_datatypes();
}

/* ---- the cache of datatypes */

static void datatypes(void)
{
    CHECK(ash_mpi_free_datatypes() == 0);
    ash_array *a = ash_zeros(ASH_SHAPE(200));
    ash_mpi_message first = ash_mpi_buffer(ash_slice(a, 0, 200, .step = 2));
    ash_mpi_message same = ash_mpi_buffer(ash_slice(a, 1, 200, .step = 2));
    CHECK(first.datatype == same.datatype && (char *)same.address - (char *)first.address == 4);
    ash_mpi_buffer_release(&same);
    for (int step = 3; step < 120; step++) {
        ash_mpi_message m = ash_mpi_buffer(ash_slice(a, 0, 200, .step = step));
        ash_mpi_buffer_release(&m);
    }
    CHECK(ash_mpi_free_datatypes() == 1); /* that of the first message */
    MPI_Count size = 0;
    CHECK(MPI_Type_size_x(first.datatype, &size) == MPI_SUCCESS && size == 400);
    ash_mpi_buffer_release(&first);
    ash_mpi_buffer_release(&first);
    ash_mpi_buffer_release(NULL);
    CHECK(ash_mpi_free_datatypes() == 0);
    ash_mpi_message dense = ash_mpi_buffer(a);
    CHECK(dense.count == 200 && dense.datatype == MPI_FLOAT);
    ash_mpi_buffer_release(&dense);
    CHECK(ash_mpi_free_datatypes() == 0);
    first = ash_mpi_buffer(ash_slice(a, 0, 200, .step = 2)); /* MPI_Finalize frees it */
}

int main(int argc, char **argv)
{
    static const mpi_test tests[] = {TEST(refused_arguments),  TEST(refused_arrays), TEST(sizes),
                                     TEST(wrong_sizes_around), TEST(held),           TEST(threads),
                                     TEST(datatypes)};
    test_name = "without_mpi";
    without_mpi("MPI is not initialised; call MPI_Init first");
    const int failed = run_tests(argc, argv, tests, COUNT(tests));
    failures = 0;
    without_mpi("MPI was finalised; call this before MPI_Finalize");
    return failed || failures;
}
