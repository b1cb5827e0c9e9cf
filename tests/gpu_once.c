/*
 * gpu_once.c - each kind of kernel once: on the device as it is, or on the one that ASHLAR_TEST_DEVICE names.
 *
 *     test-gpu_once [NAME...]     those calls alone; or a kernel that is wrong: planted_race, ...
 *
 * Private storage, so that nothing is left to the host, unless ASHLAR_STORAGE is shared. oclgrind.sh runs this under Oclgrind,
 * in groups.
 */
#include "gpu_once.h"

static int chosen_count;
static char **chosen;

static bool is_chosen(const char *name)
{
    for (int k = 0; k < chosen_count; k++)
        if (strcmp(chosen[k], name) == 0)
            return true;
    return chosen_count == 0;
}

static void plant(void)
{
    static const struct {
        const char *name;
        const ash_kernel *kernel;
    } planted[] = {
        {"planted_race", planted_race}, {"planted_uninitialised", planted_uninitialised}, {"planted_end", planted_end}};
    for (int k = 0; k < COUNT(planted); k++)
        if (chosen_count && is_chosen(planted[k].name))
            CHECK_OK(ash_wait(launched_kernel(planted[k].kernel)));
}

static void each_call(void)
{
    once_begin();
    for (int k = 0; k < COUNT(once_calls); k++)
        if (is_chosen(once_calls[k].name)) {
            ASH_SCOPE(scope);
            once_check_result(k, once_calls[k].run());
        }
    plant();
    once_check();
}

static void calls(void **state)
{
    (void)state;
    const char *const name = getenv("ASHLAR_TEST_DEVICE"), *const storage = getenv("ASHLAR_STORAGE");
    run_at(name && *name ? name : device, storage && strcmp(storage, "shared") == 0 ? ASH_SHARED : ASH_PRIVATE, each_call);
}

int main(int count, char **argument)
{
    static const struct CMUnitTest tests[] = {TEST(calls)};
    chosen = argument + 1;
    chosen_count = count - 1;
    if (device_is_missing("gpu_once"))
        return SKIPPED;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
