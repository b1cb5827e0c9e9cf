/*
 * cases_broadcast.c - reports from the field about broadcasting and fusion: length 1 against length 0, expressions with many
 * inputs (A22, A23).
 */
#include "test.h"

static ash_array *plus(ash_array *a, ash_array *b) { return ash_map("(a, b) -> a + b", a, b); }

static void one_against_zero(void)
{
    CHECK_SHAPE(plus(ash_ones(ASH_SHAPE(1, 1)), ash_ones(ASH_SHAPE(0, 1))), 0, 1);
    CHECK_SHAPE(plus(ash_ones(ASH_SHAPE(2, 0)), ash_ones(ASH_SHAPE(2, 1))), 2, 0);
    CHECK_SHAPE(plus(ash_ones(ASH_SHAPE(0, 5)), ash_ones(ASH_SHAPE(1, 5))), 0, 5);
    CHECK_SHAPE(plus(ash_ones(ASH_SHAPE(2, 1, 3)), ash_ones(ASH_SHAPE(1, 0, 1))), 2, 0, 3);
    CHECK(!plus(ash_ones(ASH_SHAPE(2, 1)), ash_ones(ASH_SHAPE(0, 1))));
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_map: ", "(2, 1)", "(0, 1)", "axis 0");

    for EACH_LAYOUT(layout) {
        ash_array *x = counting(0, ASH_F32, ASH_SHAPE(4, 5, 3), layout);
        ash_array *y = ash_map("x -> 1000*x", counting(0, ASH_F32, ASH_SHAPE(1, 5, 1), layout));
        ash_array *s = plus(x, y);
        CHECK_SHAPE(s, 4, 5, 3);
        CHECK(ash_item_f32(ash_view(s, 3, 4, 2)) == 4059 && ash_item_f32(ash_sum(s)) == 121770);
    }
}
static void a22_length_one_against_zero(void **state)
{
    (void)state;
    everywhere(one_against_zero, false);
}

/* n arrays of shape (3), the i-th filled with i; one of them a scalar array, one reversed. */
static void check_sum_of(int n, double want)
{
    ASH_SCOPE(scope);
    char *text = calloc((size_t)n * 16 + 64, 1);
    ash_operand *operand = calloc((size_t)n, sizeof *operand);
    CHECK(text && operand);
    size_t at = (size_t)sprintf(text, "(x0");
    for (int i = 1; i < n; i++)
        at += (size_t)sprintf(text + at, ", x%d", i);
    at += (size_t)sprintf(text + at, ") -> x0");
    for (int i = 1; i < n; i++)
        at += (size_t)sprintf(text + at, " + x%d", i);
    for (int i = 0; i < n; i++) {
        ash_array *a = i == 7 ? ash_fill_new(ASH_SHAPE(), 7.0f) : ash_fill_new(ASH_SHAPE(3), (float)i);
        operand[i] = ash_operand_array(i == 9 ? ash_slice(a, ASH_OPEN, ASH_OPEN, .step = -1) : a);
    }
    ash_array *sum = ash_map_opt(text, ((ash_operands){operand, n}), NULL);
    if (here_host_reaches()) {
        CHECK_FLOATS(sum, want, want, want);
        CHECK(ash_item_f32(ash_map_reduce_opt(text, "max", ((ash_operands){operand, n}), NULL)) == (float)want);
    } else { /* docs/devices.md has the limit */
        CHECK(!sum);
        CHECK_ERROR_PARTS(ASH_ERR_UNSUPPORTED, "ash_map: ", here.device, "too many operands");
    }
    free(text);
    free(operand);
}
static void many_inputs(void)
{
    check_sum_of(40, 780);
    check_sum_of(200, 19900);
}
static void a23_many_inputs(void **state)
{
    (void)state;
    everywhere(many_inputs, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(a22_length_one_against_zero), TEST(a23_many_inputs)};
    return cmocka_run_group_tests_name("cases: broadcasting", tests, NULL, NULL);
}
