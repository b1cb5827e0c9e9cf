/* apply.c - ash_apply1, ash_apply2, ash_apply: the values and the errors of ash_map, and results that no scope holds. */
#include "test.h"

static void gives_what_map_gives(void)
{
    ASH_SCOPE(scope);
    ash_function *twice = ash_function_new("x -> 2*x"), *plus = ash_function_new("+"), *clamp = ash_function_new("clamp");
    ash_array *column = ash_reshape(ash_f32(1, 2), ASH_SHAPE(2, 1)), *row = ash_f32(10, 20, 30);
    ash_array *one = ash_apply1(twice, row), *two = ash_apply2(plus, column, row);
    CHECK_SHAPE(two, 2, 3);
    CHECK_FLOATS(one, 20, 40, 60);
    CHECK_FLOATS(two, 11, 21, 31, 12, 22, 32);
    const ash_operand operands[] = {ash_operand_array(row), ash_operand_f32(15), ash_operand_f32(25)};
    ash_array *three = ash_apply(clamp, operands, 3);
    CHECK_FLOATS(three, 15, 20, 25);
    ash_release(one);
    ash_release(two);
    ash_release(three);
    ash_function_release(twice);
    ash_function_release(plus);
    ash_function_release(clamp);
}

static void values_everywhere(void **state)
{
    (void)state;
    everywhere(gives_what_map_gives, false);
}

static void results_are_the_callers(void **state)
{
    (void)state;
    ash_function *twice = ash_function_new("x -> 2*x");
    const int64_t scope = ash_scope_open();
    ash_array *out = ash_apply1(twice, ash_f32(1, 2));
    ash_scope_close(scope);
    CHECK_FLOATS(out, 2, 4);
    ash_release(out);
    ash_function_release(twice);
}

static void says_what_is_wrong(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_function *plus = ash_function_new("+");
    CHECK(!ash_apply2(plus, ash_f32(1, 2), ash_f32(1, 2, 3)));
    CHECK_ERROR_HAS(ASH_ERR_SHAPE, "(3)");
    CHECK(!ash_apply2(plus, ash_f32(1, 2), NULL));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_map");
    CHECK(!ash_apply1(NULL, ash_f32(1, 2)));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_map");
    ash_function_release(plus);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(values_everywhere),
        TEST(results_are_the_callers),
        TEST(says_what_is_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
