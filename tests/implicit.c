/*
 * implicit.c - what operations do behind their callers' backs: counted, and errors where that is forbidden.
 *
 * On opencl:0 a function of 60 operands has no kernel, a conversion to another dtype that is checked element by element is the
 * host's, and the number of elements that ash_find gives is waited for. Skipped where there is no such device, but for what
 * holds of cpu:0: nothing is ever implicit there.
 */
#include "devices.h"

enum { EVERYTHING = ASH_IMPLICIT_HOST | ASH_IMPLICIT_COPY | ASH_IMPLICIT_WAIT };

static ash_implicit_info counts(void)
{
    ash_implicit_info info;
    CHECK_OK(ash_implicit_stats(&info, sizeof info));
    return info;
}

/* x + x + ...: too many operands for a kernel. */
static ash_array *of_many(const ash_array *a)
{
    enum { COUNT_OF = 60 };
    char text[1024] = "(x0", *end = text + strlen(text);
    ash_operand operand[COUNT_OF];
    for (int k = 0; k < COUNT_OF; k++)
        operand[k] = ash_operand_array(a);
    for (int k = 1; k < COUNT_OF; k++)
        end += sprintf(end, ", x%d", k);
    end += sprintf(end, ") -> x0");
    for (int k = 1; k < COUNT_OF; k++)
        end += sprintf(end, " + x%d", k);
    return ash_map_opt(text, (ash_operands){operand, COUNT_OF}, NULL);
}

static ash_array *ones(ash_resources *r, ash_storage storage)
{
    return ash_fill_new(ASH_SHAPE(3), 1.0f, .resources = r, .storage = storage);
}

static void cpu_has_none(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_implicit_reset();
    CHECK_OK(ash_forbid(EVERYTHING));
    ash_array *const a = ash_range(0, 100, .dtype = ASH_F32, .storage = ASH_PRIVATE);
    CHECK(ash_convert(a, ASH_I16) && ash_size(ash_find(a, .predicate = "x -> x > 3")) == 96 && ash_sort(a));
    CHECK(ash_item_f32(ash_sum(a)) == 4950);
    const ash_implicit_info now = counts();
    CHECK(!now.host_tasks && !now.copies && !now.copied_bytes && !now.waits);
    CHECK_OK(ash_forbid(0));
}

static void arguments(void **state)
{
    (void)state;
    CHECK(ash_forbid(8) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_forbid: unknown bits in 8; ASH_IMPLICIT_HOST, _COPY and _WAIT are known");
    CHECK(ash_set_batch(0) == ASH_ERR_ARGUMENT && ash_set_batch(33) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_set_batch: 0 launches; 1 to 32 can be given");
    CHECK(ash_implicit_stats(NULL, 8) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_implicit_stats: info is NULL");
}

static void host_tasks(ash_resources *r)
{
    ash_array *const first = ones(r, ASH_SHARED), *const a = ones(r, ASH_SHARED); /* a kernel's first run is waited for */
    CHECK(ash_item_f32(ash_sum(of_many(a))) == 180 && counts().host_tasks == 1 && counts().waits == 1);
    ash_release(first);
    CHECK_OK(ash_forbid(ASH_IMPLICIT_HOST));
    CHECK(!of_many(a));
    CHECK_ERROR(ASH_ERR_UNSUPPORTED, "ash_map: the host would do this for opencl:0 (the function has too many operands for a "
                                     "kernel), and that is forbidden");
    CHECK(counts().host_tasks == 1);
    CHECK_FLOATS(ash_map("x -> x + 1f", a), 2, 2, 2);
}

/* A private array as one number: its four bytes come to the host. */
static void copies(ash_resources *r)
{
    ash_array *const one = ash_sum(ones(r, ASH_PRIVATE)), *const a = ones(r, ASH_PRIVATE);
    CHECK_OK(ash_fill(a, one));
    CHECK(counts().copies == 1 && counts().copied_bytes == 4 && !counts().host_tasks);
    CHECK_FLOATS(a, 3, 3, 3);
    CHECK_OK(ash_forbid(ASH_IMPLICIT_COPY));
    CHECK(ash_fill(a, one) == ASH_ERR_UNSUPPORTED);
    CHECK_ERROR(ASH_ERR_UNSUPPORTED,
                "ash_fill: 4 bytes of f32 of shape () would be copied from opencl:0, and that is forbidden");
    CHECK(counts().copies == 1);
    CHECK_FLOATS(a, 3, 3, 3); /* asked for, as everything below */
    CHECK(ash_item_f32(one) == 3);
    CHECK_TEXT(one, "ash.scalar f32 opencl:0 private 3.0");
    CHECK(counts().copies == 1);
}

static void waits(ash_resources *r)
{
    ash_array *const a = ones(r, ASH_PRIVATE);
    CHECK_OK(ash_sync(r));
    CHECK(!counts().waits);
    CHECK(ash_size(ash_find(a, .predicate = "x -> x > 0")) == 3 && counts().waits > 0);
    const int64_t before = counts().waits;
    CHECK_OK(ash_sync(r));
    CHECK_OK(ash_wait(a));
    CHECK_FLOATS(ash_map("x -> x + 1f", a), 2, 2, 2);
    CHECK(counts().waits == before);
    CHECK_OK(ash_forbid(ASH_IMPLICIT_WAIT));
    CHECK(!ash_find(a, .predicate = "x -> x > 0"));
    CHECK_ERROR(ASH_ERR_UNSUPPORTED, "ash_find: this would wait for opencl:0, and that is forbidden");
    CHECK_FLOATS(ash_map("x -> x + 2f", a), 3, 3, 3);
}

static void on_device(void (*body)(ash_resources *r))
{
    ASH_SCOPE(scope);
    ash_resources *const r = on(device);
    {
        ASH_WITH_RESOURCES(r);
        ash_implicit_reset();
        body(r);
    }
    CHECK_OK(ash_forbid(0));
    ash_resources_release(r);
}

#define ON_DEVICE(name, body)      \
    static void name(void **state) \
    {                              \
        (void)state;               \
        on_device(body);           \
    }
ON_DEVICE(the_host_works, host_tasks)
ON_DEVICE(elements_are_copied, copies)
ON_DEVICE(a_call_waits, waits)

int main(void)
{
    const struct CMUnitTest anywhere[] = {TEST(cpu_has_none), TEST(arguments)};
    const struct CMUnitTest devices[] = {TEST(the_host_works), TEST(elements_are_copied), TEST(a_call_waits)};
    const int failures = cmocka_run_group_tests_name("implicit", anywhere, NULL, NULL);
    if (failures || device_is_missing("implicit, devices"))
        return failures;
    return cmocka_run_group_tests_name("implicit, devices", devices, NULL, NULL);
}
