/*
 * lapack.c - LAPACK is looked for once, by whichever thread is first, and all of them get the same answer.
 *
 * A library of another's that starts threads is not seen by the thread sanitizer, so there only its absence is tested.
 */
#include <pthread.h>

#include "linalg/lapack.h"
#include "test.h"

enum { THREADS = 4, ROUNDS = 20 };

static pthread_barrier_t start;

static void *ask(void *answer)
{
    pthread_barrier_wait(&start);
    ash_status *const status = answer;
    const bool there = ash__lapack_there("ask", status);
    if (*status)
        ash_error_clear();
    return there ? answer : NULL;
}

/* Four threads at once, again and again; each has to say the same. */
static void ask_together(bool want, ash_status want_status)
{
    for (int round = 0; round < ROUNDS; round++) {
        pthread_t thread[THREADS];
        ash_status status[THREADS];
        ash__lapack_forget();
        for (int k = 0; k < THREADS; k++)
            CHECK(pthread_create(&thread[k], NULL, ask, &status[k]) == 0);
        for (int k = 0; k < THREADS; k++) {
            void *answer;
            CHECK(pthread_join(thread[k], &answer) == 0);
            CHECK((answer != NULL) == want && status[k] == want_status);
        }
    }
}

static void opened_together(void **state)
{
    (void)state;
    ash_status status;
    const char *const setting = getenv("ASHLAR_LAPACK");
    char *const given = setting ? strdup(setting) : NULL;
    CHECK(pthread_barrier_init(&start, NULL, THREADS) == 0);
    if (!THREAD_SANITIZER && ash__lapack_there("test", &status))
        ask_together(true, ASH_OK);
    setenv("ASHLAR_LAPACK", "off", 1);
    ask_together(false, ASH_OK);
    setenv("ASHLAR_LAPACK", "/nowhere/liblapack.so", 1);
    ask_together(false, ASH_ERR_UNSUPPORTED);
    if (given)
        setenv("ASHLAR_LAPACK", given, 1);
    else
        unsetenv("ASHLAR_LAPACK");
    free(given);
    ash__lapack_forget();
    pthread_barrier_destroy(&start);
}

/* Decompositions on several threads at once, each of a matrix of its own. */
static void *decompose(void *number)
{
    const int64_t n = *(const int *)number + 20;
    bool right = true;
    for (int round = 0; round < 5 && right; round++) {
        ASH_SCOPE(scope);
        const ash_array *const a = ash_map("(i, j) -> 1.0 / (i + j + 1)", ash_insert_axis(ash_range(0.0, (double)n), 1),
                                           ash_range(0.0, (double)n));
        const ash_svd_result r = ash_svd(a);
        const ash_array *const back = ash_matmul(ash_map("(u, s) -> u*s", r.u, r.s), r.vt);
        right = ash_allclose(a, back, .rtol = 1e-12, .atol = 1e-13);
    }
    return right && !ash_failed() ? number : NULL;
}
static void used_together(void **state)
{
    (void)state;
    if (THREAD_SANITIZER) {
        print_message("[  SKIPPED ] used_together: LAPACK was not built for the thread sanitizer, which sees races in it\n");
        skip();
    }
    pthread_t thread[THREADS];
    int number[THREADS];
    for (int k = 0; k < THREADS; k++) {
        number[k] = k;
        CHECK(pthread_create(&thread[k], NULL, decompose, &number[k]) == 0);
    }
    for (int k = 0; k < THREADS; k++) {
        void *answer;
        CHECK(pthread_join(thread[k], &answer) == 0);
        CHECK(answer);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(opened_together), TEST(used_together)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
