/*
 * warm.c - calls made ahead in the background: what they compile need not be compiled again, and what they say of errors.
 */
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "devices.h"
#include "test.h"

static int64_t compiled(void)
{
    ash_compile_info info;
    ash_compile_stats(&info, sizeof info);
    return info.compiled;
}

static void map_and_sum(void *context)
{
    ash_array *const x = ash_zeros(ASH_SHAPE(4, 5)), *const y = ash_sum(ash_map("x -> x*3 + 11", x));
    *(float *)context = y ? ash_item_f32(y) : -1;
}

static void kernels_are_there(const char *name)
{
    float sum = 0;
    ash_resources *const r = ash_resources_new(name);
    CHECK(r != NULL);
    const int64_t mark = ash_resources_push(r), before = compiled();
    ash_warming *const warming = ash_warm_start(map_and_sum, &sum, NULL);
    CHECK(warming != NULL);
    CHECK_OK(ash_warm_wait(warming));
    CHECK(sum == 220);
    const int64_t after = compiled();
    CHECK((after > before) == (strcmp(name, "cpu:0") != 0));
    {
        ASH_SCOPE(scope);
        ash_array *const x = ash_ones(ASH_SHAPE(30, 7));
        CHECK_ALL(ash_map("x -> x*3 + 11", x), 14);
    }
    CHECK(compiled() == after);
    ash_resources_pop(mark);
    ash_resources_release(r);
    NO_ERROR();
}

static void what_is_warm_is_not_compiled(void **state)
{
    (void)state;
    kernels_are_there("cpu:0");
    if (!device_is_missing("warm"))
        kernels_are_there(device);
}

static void fail_in_a_map(void *context)
{
    (void)context;
    ash_release(ash_map("(x, y) -> x + y", ash_ones(ASH_SHAPE(2)), ash_ones(ASH_SHAPE(3))));
}

static void errors_come_back(void **state)
{
    (void)state;
    ash_warming *const warming = ash_warm_start(fail_in_a_map, NULL, NULL);
    CHECK(warming != NULL && !ash_failed());
    CHECK(ash_warm_wait(warming) == ASH_ERR_SHAPE);
    CHECK_ERROR_HAS(ASH_ERR_SHAPE, "ash_map: ");
}

static atomic_bool may_end;
static void wait_for_word(void *context)
{
    (void)context;
    while (!atomic_load(&may_end))
        usleep(1000);
}

static void it_says_when_it_is_done(void **state)
{
    (void)state;
    ash_warming *const slow = ash_warm_start(wait_for_word, NULL, NULL), *const folder = ash_warm_start(NULL, NULL, NULL);
    CHECK(slow && folder && !ash_warm_done(slow));
    CHECK_OK(ash_warm_wait(folder));
    CHECK(!ash_warm_done(slow));
    const pid_t child = fork();
    if (child == 0) /* has no such thread */
        _exit(ash_warm_done(slow) && ash_warm_wait(slow) == ASH_ERR_ARGUMENT ? 0 : 1);
    int status = -1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child && status == 0);
    atomic_store(&may_end, true);
    CHECK_OK(ash_warm_wait(slow));
    CHECK(ash_warm_done(NULL));
    CHECK_OK(ash_warm_wait(NULL));
}

/* A process that ends while calls go on waits for them, and does not crash. */
static void processes_end(void **state)
{
    (void)state;
    const pid_t child = fork();
    if (child == 0) {
        static float sum;
        exit(ash_warm_start(map_and_sum, &sum, NULL) ? 0 : 1);
    }
    int status = -1;
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(processes_end), /* first: before there are threads that fork leaves behind */
        cmocka_unit_test(what_is_warm_is_not_compiled),
        cmocka_unit_test(errors_come_back),
        cmocka_unit_test(it_says_when_it_is_done),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
