/*
 * extend.c (test) - a library made on this one: its errors, its options, its look at elements.
 */
#include "test.h"

static void errors(void **state)
{
    (void)state;
    CHECK(ash_raise(ASH_ERR_DEVICE, "other_send", "the wire is cut") == ASH_ERR_DEVICE);
    CHECK(ash_raise(ASH_ERR_SHAPE, "other_send", "never told: the first stays") == ASH_ERR_SHAPE);
    ash_error e;
    CHECK(ash_error_take(&e, sizeof e));
    CHECK(e.status == ASH_ERR_DEVICE && e.later == 1 && e.position == -1 && e.operand == -1);
    assert_string_equal(e.function, "other_send");
    assert_string_equal(e.cause, "the wire is cut");
    CHECK(ash_raise(ASH_OK, "f", "%s is a text, not a format") == ASH_ERR_INTERNAL);
    CHECK_ERROR(ASH_ERR_INTERNAL, "f: %s is a text, not a format");
    CHECK(ash_raise((ash_status)99, NULL, NULL) == ASH_ERR_INTERNAL);
    CHECK_ERROR(ASH_ERR_INTERNAL, ": ");
}

typedef struct newer_options {
    size_t struct_size;
    ash_resources *resources;
    int64_t width;
    int64_t newer;
} newer_options;

static void options(void **state)
{
    (void)state;
    struct {
        size_t struct_size;
        ash_resources *resources;
        int64_t width;
    } o;
    CHECK(ash_read_options("f", &o, sizeof o, NULL) && o.width == 0);
    newer_options given = {.width = 3, .struct_size = sizeof given};
    CHECK(ash_read_options("f", &o, sizeof o, &given) && o.width == 3);
    given.struct_size = sizeof(size_t) + sizeof(void *); /* older than .width */
    CHECK(ash_read_options("f", &o, sizeof o, &given) && o.width == 0);
    given.struct_size = 0;
    CHECK(!ash_read_options("f", &o, sizeof o, &given));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "f: struct_size is 0");
    given = (newer_options){.newer = 1, .struct_size = sizeof given};
    CHECK(!ash_read_options("f", &o, sizeof o, &given));
    CHECK_ERROR_HAS(ASH_ERR_UNSUPPORTED, "f: an option at byte ");
}

static void elements_here(void)
{
    ash_array *a = ash_zeros(ASH_SHAPE(4, 3), .dtype = ASH_C_F32, .storage = here.storage);
    ash_array *v = ash_slice(ash_slice(a, 3, ASH_OPEN, .step = -2), 1, 3, .axes = ASH_AXES(1));
    ash_elements whole, part;
    CHECK_OK(ash_elements_of("f", "a", a, true, &whole, sizeof whole));
    CHECK_OK(ash_elements_of("f", "v", v, true, &part, sizeof part));
    CHECK(whole.rank == 2 && whole.size == 12 && whole.dtype == ASH_C_F32 && whole.storage == here.storage);
    if (here_host_reaches() || whole.first)
        CHECK((char *)part.first - (char *)whole.first == (3 * 3 + 1) * 8);
    else
        CHECK(!part.first); /* no addresses */
    CHECK(part.rank == 2 && part.size == 4 && part.shape[0] == 2 && part.shape[1] == 2);
    CHECK(part.byte_stride[0] == -2 * 24 && part.byte_stride[1] == 8);
    CHECK(!part.conjugated);
    CHECK_OK(ash_elements_of("f", "a", ash_adjoint(a), false, &whole, sizeof whole));
    CHECK(whole.conjugated && whole.shape[0] == 3);

    struct {
        void *first;
        char untouched;
    } older = {NULL, 'x'};
    CHECK_OK(ash_elements_of("f", "v", v, false, (ash_elements *)(void *)&older, sizeof older.first));
    CHECK(older.first == part.first && older.untouched == 'x');
}

static void elements(void **state)
{
    (void)state;
    everywhere(elements_here, false);
}

static void elements_refused(void **state)
{
    (void)state;
    ash_elements e;
    ash_array *a = ash_zeros(ASH_SHAPE(3));
    CHECK(ash_elements_of("other_send", "a", NULL, false, &e, sizeof e) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "other_send: a is NULL");
    ash_array *repeated = ash_broadcast_to(a, ASH_SHAPE(2, 3));
    CHECK_OK(ash_elements_of("other_send", "out", repeated, false, &e, sizeof e));
    CHECK(ash_elements_of("other_send", "out", repeated, true, &e, sizeof e) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "other_send: out is read-only");
    CHECK_OK(ash_discard(a));
    CHECK(ash_elements_of("other_send", "a", a, false, &e, sizeof e) == ASH_ERR_RELEASED);
    CHECK_ERROR_HAS(ASH_ERR_RELEASED, "other_send: a was discarded");
    ash_release(repeated);
    ash_release(a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(errors), TEST(options), TEST(elements), TEST(elements_refused)};
    return cmocka_run_group_tests_name("extend", tests, NULL, NULL);
}
