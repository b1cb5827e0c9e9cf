/* threads.c - the thread pool: every part once, on one thread each time; nested, from many threads, across fork. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "ashlar/error.h"
#include "backend/cpu/threads.h"
#include "checkers.h"

enum { MOST = 1000 };

static atomic_int calls[MOST];
static pthread_t runner[MOST];

static void count_part(void *context, int64_t part)
{
    (void)context;
    atomic_fetch_add(&calls[part], 1);
    runner[part] = pthread_self();
}

static void expect_once(int64_t parts)
{
    for (int64_t k = 0; k < parts; k++)
        assert_int_equal(atomic_exchange(&calls[k], 0), 1);
}

static void every_part_runs_once(void **state)
{
    (void)state;
    static const int64_t parts[] = {0, 1, 2, 3, 4, 7, 64, MOST};
    for (int64_t threads = 1; threads <= 5; threads++) {
        assert_int_equal(ash__set_thread_count(threads), ASH_OK);
        assert_int_equal(ash__thread_count(), threads);
        for (int round = 0; round < 200; round++)
            for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
                ash__parallel(parts[k], count_part, NULL);
                expect_once(parts[k]);
            }
    }
}

/* Shares are contiguous: parts that one thread ran lie together. */
static void shares_are_contiguous(void **state)
{
    (void)state;
    assert_int_equal(ash__set_thread_count(3), ASH_OK);
    for (int round = 0; round < 200; round++) {
        int changes = 0;
        ash__parallel(9, count_part, NULL);
        expect_once(9);
        for (int k = 1; k < 9; k++)
            changes += !pthread_equal(runner[k], runner[k - 1]);
        assert_true(changes <= 2);
        assert_true(pthread_equal(runner[0], pthread_self()));
    }
}

static void inner_part(void *context, int64_t part)
{
    (void)context;
    atomic_fetch_add(&calls[part], 1);
}

static void nested_part(void *context, int64_t part)
{
    (void)part;
    if (ash__parts_for(1 << 30, 0) == 1)
        ash__parallel(4, inner_part, context);
}

static void nested_jobs_run_inline(void **state)
{
    (void)state;
    assert_int_equal(ash__set_thread_count(3), ASH_OK);
    for (int round = 0; round < 50; round++) {
        ash__parallel(6, nested_part, NULL);
        for (int k = 0; k < 4; k++)
            assert_int_equal(atomic_exchange(&calls[k], 0), 6);
    }
}

static void add_part(void *context, int64_t part)
{
    ((int64_t *)context)[part] += part;
}

static void *use_pool(void *context)
{
    int64_t sums[16] = {0};
    for (int round = 0; round < 500; round++)
        ash__parallel(16, add_part, sums);
    for (int64_t k = 0; k < 16; k++)
        if (sums[k] != 500 * k)
            return context;
    return ash__scratch(1000) && ash__scratch(100000) ? NULL : context;
}

static void several_threads_use_it(void **state)
{
    (void)state;
    pthread_t thread[4];
    void *failed;
    assert_int_equal(ash__set_thread_count(3), ASH_OK);
    for (int k = 0; k < 4; k++)
        assert_int_equal(pthread_create(&thread[k], NULL, use_pool, thread), 0);
    assert_null(use_pool(thread));
    for (int k = 0; k < 4; k++) {
        assert_int_equal(pthread_join(thread[k], &failed), 0);
        assert_null(failed);
    }
}

static void sleeping_workers_wake(void **state)
{
    (void)state;
    const struct timespec pause = {0, 3000000};
    assert_int_equal(ash__set_thread_count(4), ASH_OK);
    for (int round = 0; round < 20; round++) {
        nanosleep(&pause, NULL);
        ash__parallel(64, count_part, NULL);
        expect_once(64);
    }
}

/* The thread sanitizer ends a forked child that starts a thread. */
static void skip_under_thread_sanitizer(const char *name)
{
    if (THREAD_SANITIZER) {
        print_message("[  SKIPPED ] %s: the thread sanitizer does not support a forked child that starts threads\n", name);
        skip();
    }
}

/* The child has no workers; it must start its own, and end. */
static void forked_children_start_their_own(void **state)
{
    (void)state;
    skip_under_thread_sanitizer(__func__);
    assert_int_equal(ash__set_thread_count(3), ASH_OK);
    ash__parallel(3, count_part, NULL);
    expect_once(3);
    for (int round = 0; round < 5; round++) {
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            int wrong = 0;
            for (int k = 0; k < 100; k++)
                ash__parallel(8, count_part, NULL);
            for (int k = 0; k < 8; k++)
                wrong |= atomic_load(&calls[k]) != 100;
            exit(wrong); /* through the destructors */
        }
        int status;
        ash__parallel(3, count_part, NULL);
        expect_once(3);
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
    }
}

static void exit_part(void *context, int64_t part)
{
    (void)context;
    if (part == 1)
        exit(7);
}

/* exit() from a job, whichever thread runs it, ends the process and does not wait for itself. */
static void exit_from_a_job(void **state)
{
    (void)state;
    skip_under_thread_sanitizer(__func__);
    for (int round = 0; round < 4; round++) {
        const pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            ash__parallel(2, exit_part, NULL);
            for (;;)
                pause();
        }
        int status;
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 7);
    }
}

static void counts_and_thresholds(void **state)
{
    (void)state;
    assert_int_equal(ash__set_thread_count(-1), ASH_ERR_ARGUMENT);
    assert_string_equal(ash_error_text(), "ash_set_threads: -1 threads; it must be 0 (one per processor) to 1024");
    assert_int_equal(ash__set_thread_count(4), ASH_OK);
    assert_int_equal(ash__parts_for(262143, 0), 1);
    assert_int_equal(ash__parts_for(262144, 0), 2);
    assert_int_equal(ash__parts_for(0, 5000), 2);
    assert_int_equal(ash__parts_for(0, 4999), 1);
    assert_int_equal(ash__parts_for(INT64_MAX, INT64_MAX), 4);
    assert_int_equal(ash__set_thread_count(0), ASH_OK);
    assert_true(ash__thread_count() >= 1);
}

static void memory_is_kept(void **state)
{
    (void)state;
    char *const a = ash__scratch(100);
    assert_non_null(a);
    assert_int_equal((uintptr_t)a % 64, 0);
    assert_ptr_equal(ash__scratch(50), a);
    void *blocks[8];
    for (int k = 0; k < 8; k++) {
        blocks[k] = ash__spare_take((size_t)(k + 1) * 10000);
        assert_non_null(blocks[k]);
        assert_int_equal((uintptr_t)blocks[k] % 64, 0);
        memset(blocks[k], k, (size_t)(k + 1) * 10000);
    }
    for (int k = 0; k < 8; k++)
        ash__spare_give(blocks[k]);
    void *const again = ash__spare_take(60000); /* the four largest are kept */
    bool kept = false;
    for (int k = 4; k < 8; k++)
        kept |= again == blocks[k];
    assert_true(kept);
    ash__spare_give(again);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_part_runs_once),   cmocka_unit_test(shares_are_contiguous),
        cmocka_unit_test(nested_jobs_run_inline), cmocka_unit_test(several_threads_use_it),
        cmocka_unit_test(sleeping_workers_wake),  cmocka_unit_test(forked_children_start_their_own),
        cmocka_unit_test(exit_from_a_job),        cmocka_unit_test(counts_and_thresholds),
        cmocka_unit_test(memory_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
