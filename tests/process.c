/*
 * process.c - the library and the process: fork while threads are at work, several threads at once, exit with arrays alive.
 *
 * A child answers with its exit status; it must use the library as if it had been started anew, whatever its parent did.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

static const char *program;

/* Enough work for every thread; the answer is known: the sum of 0 .. n - 1, doubled, is n*(n - 1). */
static bool work(int64_t n)
{
    ASH_SCOPE(scope);
    ash_array *x = ash_range(INT64_C(0), n, .dtype = ASH_I64);
    ash_array *y = ash_map("x -> 2*x", x);
    ash_array *s = ash_cumsum(x);
    return ash_item_i64(ash_sum(y)) == n * (n - 1) && ash_get_i64(s, n - 1) == n * (n - 1) / 2 && !ash_failed();
}

static int wait_for(pid_t pid)
{
    int status = -1;
    CHECK(waitpid(pid, &status, 0) == pid);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static void fork_with_threads(void **state)
{
    (void)state;
    if (THREAD_SANITIZER) {
        print_message("[  SKIPPED ] fork_with_threads: the thread sanitizer does not support it\n");
        return;
    }
    ASH_SCOPE(scope);
    CHECK_OK(ash_set_threads(4));
    CHECK(work(1 << 20)); /* the threads are there now */
    ash_array *inherited = ash_linspace(0, 1, 100001);
    const float want = ash_item_f32(ash_sum(inherited));
    for (int i = 0; i < 3; i++) {
        fflush(stdout);
        const pid_t pid = fork();
        CHECK(pid >= 0);
        if (pid == 0) {
            alarm(60); /* a child that hangs is a failure, too */
            bool right = work(1 << 20) && ash_item_f32(ash_sum(inherited)) == want;
            right = right && ash_set_threads(2) == ASH_OK && work(1 << 20);
            const pid_t second = right ? fork() : -1; /* and a child of its own */
            if (second == 0)
                _exit(work(1 << 18) ? 0 : 1);
            int status = -1;
            right =
                right && second > 0 && waitpid(second, &status, 0) == second && WIFEXITED(status) && WEXITSTATUS(status) == 0;
            _exit(right ? 0 : 1);
        }
        CHECK(work(1 << 20)); /* the parent goes on meanwhile */
        CHECK(wait_for(pid) == 0);
    }
    CHECK_OK(ash_set_threads(0));
    CHECK(work(1 << 20));
}

/* Fork while another thread is inside the library: no lock may stay taken in the child. The address sanitizer's allocator
 * itself keeps its locks over a fork, so this runs without one. */
static atomic_bool stop;
static void *keep_working(void *unused)
{
    (void)unused;
    bool right = true;
    while (!atomic_load(&stop))
        right = work(1 << 16) && right;
    return right ? "right" : NULL;
}
static void fork_beside_a_busy_thread(void **state)
{
    (void)state;
    if (SLOW > 1) {
        print_message("[  SKIPPED ] fork_beside_a_busy_thread: a sanitizer is built in\n");
        return;
    }
    atomic_store(&stop, false);
    pthread_t thread;
    CHECK(pthread_create(&thread, NULL, keep_working, NULL) == 0);
    int status = 0;
    for (int i = 0; i < 20 && status == 0; i++) {
        const pid_t pid = fork();
        if (pid == 0) {
            alarm(60);
            _exit(work(1 << 18) ? 0 : 1);
        }
        status = pid > 0 ? wait_for(pid) : -1;
    }
    atomic_store(&stop, true);
    void *answer = NULL;
    CHECK(pthread_join(thread, &answer) == 0 && answer);
    if (status != 0)
        FAIL("a child ended with %d", status);
}

/* Several threads work at once: on arrays of their own, on one that they share, with errors and scopes of their own. */
static ash_array *common;
static void *work_in_thread(void *number)
{
    const int64_t me = (int64_t)(intptr_t)number;
    for (int64_t i = 0; i < 60 / SLOW + 1; i++) {
        ASH_SCOPE(scope);
        char text[64];
        snprintf(text, sizeof text, "x -> x + %d", (int)(i % 7)); /* the cache of functions is shared */
        ash_array *y = ash_map(text, common);
        if (ash_item_i64(ash_sum(y)) != 1000 * 999 / 2 + 1000 * (i % 7))
            return NULL;
        ash_array *held = ash_retain(common), *view = ash_slice(common, me, me + 10);
        if (ash_item_i64(ash_sum(view)) != 10 * me + 45 || !ash_parent(view))
            return NULL;
        ash_release(held);
        if (ash_reshape(view, ASH_SHAPE(3, 3)) || !ash_failed())
            return NULL;
        ash_error_clear();
        if (!work(20000 + me))
            return NULL;
    }
    return "done";
}
static void threads_at_once(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    common = ash_range(INT64_C(0), INT64_C(1000), .dtype = ASH_I64);
    pthread_t thread[4];
    for (intptr_t i = 0; i < COUNT(thread); i++)
        CHECK(pthread_create(&thread[i], NULL, work_in_thread, (void *)i) == 0);
    int done = 0;
    for (int i = 0; i < COUNT(thread); i++) {
        void *answer = NULL;
        CHECK(pthread_join(thread[i], &answer) == 0);
        done += answer != NULL;
    }
    CHECK(done == COUNT(thread));
    CHECK(ash_live_arrays() - test_now.live == 1);
}

/* A thread may end with a scope open: what it holds ends with it. */
static void *leave_open(void *unused)
{
    (void)unused;
    ash_scope_open();
    return ash_f32(1, 2, 3) ? "done" : NULL;
}
static void thread_that_ends(void **state)
{
    (void)state;
    pthread_t thread;
    void *answer = NULL;
    CHECK(pthread_create(&thread, NULL, leave_open, NULL) == 0 && pthread_join(thread, &answer) == 0 && answer);
    CHECK(ash_live_arrays() == test_now.live);
}

/* Released on another thread than the one that made it. */
static void *release_there(void *array)
{
    ash_release(array);
    return ash_failed() ? NULL : "done";
}
static void released_elsewhere(void **state)
{
    (void)state;
    ash_array *a = ash_f32(1, 2, 3);
    pthread_t thread;
    void *answer = NULL;
    CHECK(pthread_create(&thread, NULL, release_there, a) == 0 && pthread_join(thread, &answer) == 0 && answer);
    CHECK(ash_live_arrays() == test_now.live);
}

/* ---- exit -------------------------------------------------------------------------------------------------------------------
 */

static void never(void *context)
{
    (void)context;
    _exit(3); /* a foreign deleter is not called at exit */
}
static int exit_with_arrays(void)
{
    static ash_array *held[3];
    static float memory[4];
    ash_scope_open();
    held[0] = ash_zeros(ASH_SHAPE(100000));
    held[1] = ash_map("x -> exp(x)", held[0]);
    held[2] = ash_wrap(memory, ASH_F32, 4, ASH_SHAPE(4), .deleter = never, .context = memory);
    const bool right = held[0] && held[1] && held[2] && work(1 << 20);
    ash_rank(NULL); /* an error stays pending, too */
    return right ? 0 : 1;
}
static void exit_alive(void **state)
{
    (void)state;
    fflush(stdout);
    const pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        execl(program, program, "exit", (char *)NULL);
        _exit(127);
    }
    CHECK(wait_for(pid) == 0);
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "exit") == 0)
        return exit_with_arrays();
    program = argv[0];
    const struct CMUnitTest tests[] = {
        TEST(fork_with_threads), TEST(fork_beside_a_busy_thread), TEST(threads_at_once), TEST(thread_that_ends),
        TEST(released_elsewhere), TEST(exit_alive),
    };
    return cmocka_run_group_tests_name("process", tests, NULL, NULL);
}
