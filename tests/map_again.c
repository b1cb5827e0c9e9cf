/*
 * map_again.c - the same call again and again: what may have changed in between is seen, and what was there is not confused.
 *
 * A map of few elements is prepared when it comes the second time (src/ops/map_again.c), so each case calls several times
 * before it changes something. That prepared calls are quick is tests/check_calls.sh.
 */
#include <pthread.h>

#include "test.h"

enum { TIMES = 4 };

static void values_are_read_anew(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_function *const f = ash_function_new("(x, s) -> x*s + 1");
    ash_array *const x = ash_f32(1, 2, 3), *const y = ash_zeros(ASH_SHAPE(3));
    for (int k = 0; k < TIMES; k++) {
        ash_fill(x, (float)k);
        CHECK_OK(ash_map_into(y, f, x, 2.0f));
        CHECK_ALL(y, 2 * k + 1);
        CHECK_ALL(ash_map(f, x, 2.0f), 2 * k + 1);
        CHECK_OK(ash_map_into(y, "(x, s) -> x*s + 1", x, 3.0f));
        CHECK_ALL(y, 3 * k + 1);
    }
    ash_function_release(f);
    NO_ERROR();
}

/* The scalar's value is another one each time, and now and then its dtype: the result's dtype follows. */
static void scalars_change(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *const x = ash_i32(1, 2, 3);
    for (int k = 0; k < 3 * TIMES; k++) {
        ash_array *const whole = ash_map("(x, s) -> x*0 + s", x, k), *const part = ash_map("(x, s) -> x*0 + s", x, k + 0.5);
        CHECK(ash_dtype_of(whole) == ASH_I32 && ash_dtype_of(part) == ASH_F64);
        CHECK_ALL(whole, k);
        CHECK_ALL(part, k + 0.5);
    }
    NO_ERROR();
}

/* A scalar that the function does not look at is nowhere, least of all where a number of the function's is. */
static void unused_scalars_change(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *const x = ash_f32(1, 1, 1), *const y = ash_zeros(ASH_SHAPE(3));
    for (int k = 0; k < TIMES; k++) {
        CHECK_OK(ash_map_into(y, "(s, x) -> 2 - x*7", (float)(k + 10), x));
        CHECK_ALL(y, -5);
        CHECK_ALL(ash_map("(x, s, t) -> 5 - x", x, k + 20, (float)(k + 30)), 4);
    }
    NO_ERROR();
}

static void new_arrays_are_new(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *const x = counting(0, ASH_F64, ASH_SHAPE(2, 3), ASH_COL_MAJOR), *result[TIMES];
    for (int k = 0; k < TIMES; k++) {
        result[k] = ash_map("x -> x + 0.5", x);
        CHECK(ash_layout_of(result[k]) == ASH_COL_MAJOR && ash_dtype_of(result[k]) == ASH_F64);
        CHECK_SHAPE(result[k], 2, 3);
        for (int j = 0; j < k; j++)
            CHECK(ash_map_host(result[j]) != ash_map_host(result[k]));
    }
    for (int k = 0; k < TIMES; k++)
        CHECK_FLOATS(result[k], 0.5, 1.5, 2.5, 3.5, 4.5, 5.5);
    NO_ERROR();
}

/* Another array, function or out where one was: each is let go, and what comes next may lie at its address. */
static void addresses_come_again(void **state)
{
    (void)state;
    static const char *const text[] = {"x -> x + 1", "x -> x + 2", "x -> x*x"};
    for (int k = 0; k < 60; k++) {
        const float value = (float)(k % 7);
        ash_array *const x = ash_fill_new(ASH_SHAPE(k % 2 ? 5 : 4), value);
        ash_array *const y = ash_zeros(ASH_SHAPE(k % 2 ? 5 : 4), .dtype = k % 3 ? ASH_F32 : ASH_F64);
        ash_function *const f = ash_function_new(text[k % COUNT(text)]);
        const float want = k % 3 == 2 ? value * value : value + (float)(k % 3 + 1);
        for (int j = 0; j < TIMES; j++) {
            CHECK_OK(ash_map_into(y, f, x));
            CHECK_ALL(y, want);
        }
        ash_function_release(f);
        ash_release(y);
        ash_release(x);
    }
    NO_ERROR();
}

static void discarded_arrays_are_refused(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_function *const f = ash_function_new("x -> x + 1");
    ash_array *const x = ash_f32(1, 2), *const y = ash_zeros(ASH_SHAPE(2)), *const z = ash_zeros(ASH_SHAPE(2));
    for (int k = 0; k < TIMES; k++) {
        CHECK_OK(ash_map_into(y, f, x));
        CHECK_OK(ash_map_into(z, f, y));
    }
    CHECK_OK(ash_discard(y));
    CHECK(ash_map_into(y, f, x) == ASH_ERR_RELEASED);
    CHECK_ERROR(ASH_ERR_RELEASED, "ash_map_into: out was discarded: its storage has been given back");
    CHECK(ash_map_into(z, f, y) == ASH_ERR_RELEASED);
    CHECK_ERROR(ASH_ERR_RELEASED, "ash_map_into: operand 0 was discarded: its storage has been given back");
    CHECK(!ash_map(f, y));
    CHECK_ERROR(ASH_ERR_RELEASED, "ash_map: operand 0 was discarded: its storage has been given back");
    CHECK_FLOATS(z, 3, 4);
    ash_function_release(f);
}

/* Over an operand, beside it in one buffer, and where the two overlap: as if the operand had been copied first. */
static void out_may_share_memory(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *const a = ash_f32(0, 1, 2, 3, 4, 5, 6, 7);
    ash_array *const low = ash_slice(a, 0, 4), *const high = ash_slice(a, 4, 8);
    ash_array *const one = ash_slice(a, 1, 5);
    for (int k = 0; k < TIMES; k++) {
        CHECK_OK(ash_copy_into(a, ash_f32(0, 1, 2, 3, 4, 5, 6, 7)));
        CHECK_OK(ash_map_into(low, "x -> x + 1", low));
        CHECK_OK(ash_map_into(high, "x -> x + 10", low));
        CHECK_OK(ash_map_into(one, "x -> 2*x", low));
        CHECK_FLOATS(a, 1, 2, 4, 6, 8, 12, 13, 14);
    }
    NO_ERROR();
}

static int lines;
static void count_line(void *context, const char *line, size_t length)
{
    (void)context, (void)length;
    lines += strstr(line, "\"event\":\"task\"") != NULL;
}

static void traces_tell_of_each(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *const x = ash_f32(1, 2), *const y = ash_zeros(ASH_SHAPE(2));
    for (int k = 0; k < TIMES; k++)
        CHECK_OK(ash_map_into(y, "x -> x + 1", x));
    ash_set_trace_function(count_line, NULL);
    ash_set_trace(true);
    for (int k = 0; k < TIMES; k++)
        CHECK_OK(ash_map_into(y, "x -> x + 1", x));
    ash_set_trace(false);
    ash_set_trace_function(NULL, NULL);
    assert_int_equal(lines, TIMES);
}

/* Faults are looked for each time, and a result that did not come about leaves out as it was. */
static void faults_are_found(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *const x = ash_i32(6, 8), *const d = ash_i32(1, 2), *const y = ash_zeros(ASH_SHAPE(2), .dtype = ASH_I32);
    for (int k = 0; k < TIMES; k++)
        CHECK_OK(ash_map_into(y, "(x, d) -> div(x, d)", x, d));
    CHECK_OK(ash_fill(d, 0));
    CHECK(ash_map_into(y, "(x, d) -> div(x, d)", x, d) == ASH_ERR_VALUE);
    ash_error_clear();
    CHECK_INTS(y, 6, 4);
}

static void *many_calls(void *context)
{
    ash_function *const f = context;
    ASH_SCOPE(scope);
    ash_array *const x = ash_zeros(ASH_SHAPE(16)), *const y = ash_zeros(ASH_SHAPE(16));
    for (int k = 0; k < 2000; k++) {
        ash_fill(x, (float)k);
        if (ash_map_into(y, f, x) || ash_item_f32(ash_slice(y, 7, 8)) != (float)k + 1)
            return context;
    }
    return NULL;
}

static void threads_share_functions(void **state)
{
    (void)state;
    enum { THREADS = 3 };
    pthread_t thread[THREADS];
    void *wrong = NULL;
    ash_function *const f = ash_function_new("x -> x + 1");
    for (int k = 0; k < THREADS; k++)
        assert_int_equal(pthread_create(&thread[k], NULL, many_calls, f), 0);
    for (int k = 0; k < THREADS; k++) {
        void *result;
        pthread_join(thread[k], &result);
        wrong = result ? result : wrong;
    }
    assert_null(wrong);
    ash_function_release(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(values_are_read_anew),
        cmocka_unit_test(scalars_change),
        cmocka_unit_test(unused_scalars_change),
        cmocka_unit_test(new_arrays_are_new),
        cmocka_unit_test(addresses_come_again),
        cmocka_unit_test(out_may_share_memory),
        cmocka_unit_test(discarded_arrays_are_refused),
        cmocka_unit_test(traces_tell_of_each),
        cmocka_unit_test(faults_are_found),
        cmocka_unit_test(threads_share_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
