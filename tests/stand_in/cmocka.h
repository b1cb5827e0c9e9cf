/*
 * cmocka.h - stands in for cmocka where that is not to be had: in builds for another processor.
 *
 * What the tests use of it: tables of tests with fixtures, checks that end a test, messages. A failed check jumps back to the
 * loop over the tests.
 */
#ifndef TEST_STAND_IN_CMOCKA_H
#define TEST_STAND_IN_CMOCKA_H
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define STAND_IN_USE __attribute__((unused))

struct CMUnitTest {
    const char *name;
    void (*test)(void **state);
    int (*setup)(void **state), (*teardown)(void **state);
};

enum { STAND_IN_FAILED = 1, STAND_IN_SKIPPED };
static jmp_buf stand_in_loop STAND_IN_USE;

__attribute__((format(printf, 1, 2))) STAND_IN_USE static void print_message(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vprintf(format, list);
    va_end(list);
    fflush(stdout);
}
__attribute__((format(printf, 1, 2))) STAND_IN_USE static void print_error(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
}

__attribute__((noreturn)) STAND_IN_USE static void _fail(const char *file, int line)
{
    print_error("%s:%d: error: Failure!\n", file, line);
    longjmp(stand_in_loop, STAND_IN_FAILED);
}
#define skip() longjmp(stand_in_loop, STAND_IN_SKIPPED)
#define fail_msg(...) (print_error(__VA_ARGS__), print_error("\n"), _fail(__FILE__, __LINE__))

#define STAND_IN_ASSERT(c) ((c) ? (void)0 : (print_error("%s\n", #c), _fail(__FILE__, __LINE__)))
#define assert_true(c) STAND_IN_ASSERT(c)
#define assert_false(c) STAND_IN_ASSERT(!(c))
#define assert_null(p) STAND_IN_ASSERT((p) == NULL)
#define assert_non_null(p) STAND_IN_ASSERT((p) != NULL)
#define assert_ptr_equal(a, b) STAND_IN_ASSERT((const void *)(a) == (const void *)(b))
#define assert_ptr_not_equal(a, b) STAND_IN_ASSERT((const void *)(a) != (const void *)(b))
#define assert_int_equal(a, b) STAND_IN_ASSERT((intmax_t)(a) == (intmax_t)(b))
#define assert_int_not_equal(a, b) STAND_IN_ASSERT((intmax_t)(a) != (intmax_t)(b))
#define assert_string_equal(a, b) STAND_IN_ASSERT(strcmp(a, b) == 0)
#define assert_memory_equal(a, b, n) STAND_IN_ASSERT(memcmp(a, b, n) == 0)

#define cmocka_unit_test(f) \
    {                       \
#f, f, NULL, NULL   \
    }
#define cmocka_unit_test_setup(f, setup) \
    {                                    \
#f, f, setup, NULL               \
    }
#define cmocka_unit_test_setup_teardown(f, setup, teardown) \
    {                                                       \
#f, f, setup, teardown                              \
    }
#define cmocka_set_test_filter(pattern) ((void)(pattern)) /* all are run */
#define cmocka_run_group_tests(tests, setup, teardown) cmocka_run_group_tests_name(#tests, tests, setup, teardown)
#define cmocka_run_group_tests_name(name, tests, setup, teardown) \
    stand_in_run(name, tests, sizeof(tests) / sizeof(tests)[0], setup, teardown)

/* How one test ended: 0, STAND_IN_FAILED or STAND_IN_SKIPPED. */
STAND_IN_USE static int stand_in_run_one(const struct CMUnitTest *t, void **state)
{
    if (t->setup && t->setup(state) != 0)
        return STAND_IN_FAILED;
    const int outcome = setjmp(stand_in_loop);
    if (outcome == 0)
        t->test(state);
    if (t->teardown && t->teardown(state) != 0)
        return STAND_IN_FAILED;
    return outcome;
}

STAND_IN_USE static int stand_in_run(const char *name, const struct CMUnitTest *tests, size_t count, int (*setup)(void **state),
                                     int (*teardown)(void **state))
{
    static const char *const words[] = {"       OK ", "  FAILED  ", "  SKIPPED "};
    void *state = NULL;
    int failed = 0;
    if (setup && setup(&state) != 0)
        return 1;
    for (size_t k = 0; k < count; k++) {
        void *own = state;
        const int outcome = stand_in_run_one(&tests[k], &own);
        print_message("[%s] %s\n", words[outcome], tests[k].name);
        failed += outcome == STAND_IN_FAILED;
    }
    if (teardown && teardown(&state) != 0)
        failed++;
    print_message("%s: %d tests, %d failed\n", name, (int)count, failed);
    return failed;
}
#endif
