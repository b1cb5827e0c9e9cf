/*
 * harness.h - tests that run as one process of an MPI program: every rank runs every test.
 *
 * A failed check says where and on which rank, and the test goes on: a rank that stopped would leave the others waiting. Each
 * test begins and ends as those of test.h do: in a barrier scope, with no error pending and no array left at its end.
 */
#ifndef ASHLAR_TESTS_MPI_HARNESS_H
#define ASHLAR_TESTS_MPI_HARNESS_H
#include <ashlar/ashlar.h>
#include <ashlar/mpi.h>

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(list) ((int)(sizeof(list) / sizeof(list)[0]))

static int rank, ranks, failures, threads_given;
static const char *test_name;

__attribute__((format(printf, 3, 4), unused)) static void fail_here(const char *file, int line, const char *format, ...)
{
    char text[1024];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    const char *pending = ash_failed() ? ash_error_text() : "";
    failures++;
    fprintf(stderr, "%s:%d: %s, rank %d of %d: %s%s%s\n", file, line, test_name, rank, ranks, text,
            *pending ? "\n  pending: " : "", pending);
}
#define CHECK(c) ((c) ? (void)0 : fail_here(__FILE__, __LINE__, "%s", #c))
/* without the call's text, which nested macros make very long */
#define CHECK_OK(call) ((call) == ASH_OK ? (void)0 : fail_here(__FILE__, __LINE__, "a call failed"))
#define FAIL(...) fail_here(__FILE__, __LINE__, __VA_ARGS__)

/* The elements in row-major order, as f64. */
__attribute__((unused)) static void check_values(const ash_array *a, const double *want, int64_t n, const char *file, int line)
{
    double *got = calloc((size_t)n + 1, sizeof *got);
    if (!a || ash_size(a) != n || ash_to_host_as(a, got, (size_t)n * sizeof *got, ASH_F64) != ASH_OK)
        fail_here(file, line, "%s where %lld elements were wanted", a ? ash_shape_text(a) : "NULL", (long long)n);
    else
        for (int64_t i = 0; i < n; i++)
            if (!(got[i] == want[i] || (isnan(got[i]) && isnan(want[i])))) {
                fail_here(file, line, "element %lld is %.17g, not %.17g", (long long)i, got[i], want[i]);
                break;
            }
    free(got);
}
#define CHECK_VALUES(a, ...) \
    check_values(a, (const double[]){__VA_ARGS__}, COUNT(((const double[]){__VA_ARGS__})), __FILE__, __LINE__)

/* The pending error has this status, and its text this part; it is taken. */
__attribute__((unused)) static void check_error(ash_status status, const char *part, const char *file, int line)
{
    ash_error e;
    char text[sizeof e.function + sizeof e.cause + 2];
    if (!ash_error_take(&e, sizeof e)) {
        fail_here(file, line, "no error is pending; wanted: %s", part);
        return;
    }
    snprintf(text, sizeof text, "%s: %s", e.function, e.cause);
    if (e.status != status || !strstr(text, part))
        fail_here(file, line, "%s: %s\n  wanted %s: %s", ash_status_name(e.status), text, ash_status_name(status), part);
}
#define CHECK_ERROR(status, part) check_error(status, part, __FILE__, __LINE__)

typedef struct mpi_test {
    const char *name;
    void (*run)(void);
} mpi_test;
#define TEST(name)  \
    {               \
#name, name \
    }

/* What main returns. The tests of one list, on all ranks, one after another. */
__attribute__((unused)) static int run_tests(int argc, char **argv, const mpi_test *tests, int count)
{
    int all = 0;
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &threads_given);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    for (int i = 0; i < count; i++) {
        const int64_t barrier = ash_scope_open_barrier(), scope = ash_scope_open(), live = ash_live_arrays();
        test_name = tests[i].name;
        tests[i].run();
        ash_scope_close(scope);
        if (ash_failed())
            FAIL("an error is left pending");
        if (ash_live_arrays() != live)
            FAIL("%lld arrays are left", (long long)(ash_live_arrays() - live));
        ash_scope_close(barrier);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    MPI_Allreduce(&failures, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    if (rank == 0)
        printf("%d tests on %d ranks, %d failures\n", count, ranks, all);
    MPI_Finalize();
    return all != 0;
}
#endif
