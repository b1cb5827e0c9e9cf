/*
 * cases_alias.c - reports from the field about writing in place: operands that overlap the output, copies within one buffer,
 * writes that must stay inside their view (A19 to A21).
 *
 * Everything must be as if the inputs had been copied first; the expected values follow by hand.
 */
#include "test.h"

static void own_transpose(void)
{
    for EACH_LAYOUT(layout) {
        ash_array *h = counting(1, ASH_F32, ASH_SHAPE(2, 2), layout);
        CHECK_OK(ash_map_into(h, "(x, y) -> x + y", h, ash_transpose(h)));
        CHECK_FLOATS(h, 2, 5, 5, 8);

        ash_array *big = counting(0, ASH_F32, ASH_SHAPE(512, 512), layout);
        CHECK_OK(ash_map_into(big, "(x, y) -> x + y", big, ash_transpose(big)));
        float *host = calloc(512 * 512, sizeof *host);
        CHECK_OK(ash_to_host(big, host, 512 * 512 * sizeof *host));
        for (int i = 0; i < 512; i++)
            for (int k = 0; k < 512; k++)
                CHECK(host[512 * i + k] == (float)(513 * (i + k)));
        free(host);

        ash_array *same = counting(1, ASH_F32, ASH_SHAPE(2, 2), layout);
        CHECK_OK(ash_map_into(same, "(x, y) -> x + y", same, same));
        CHECK_FLOATS(same, 2, 4, 6, 8);
    }
}
static void own_first_row(void)
{
    for EACH_LAYOUT(layout) {
        ash_array *a = ash_from_host(((float[]){2, 4, 8, 6, 12, 16}), ASH_F32, ASH_SHAPE(2, 3), .layout = layout);
        CHECK_OK(ash_map_into(a, "(x, y) -> x / y", a, ash_slice(a, 0, 1)));
        CHECK_FLOATS(a, 1, 1, 1, 3, 3, 2);

        ash_array *b = ash_empty(ASH_SHAPE(2, 5000), .layout = layout);
        CHECK_OK(ash_fill(ash_slice(b, 0, 1), 2));
        CHECK_OK(ash_fill(ash_slice(b, 1, 2), 6));
        CHECK_OK(ash_map_into(b, "(x, y) -> x / y", b, ash_slice(b, 0, 1)));
        CHECK_ALL(ash_slice(b, 0, 1), 1);
        CHECK_ALL(ash_slice(b, 1, 2), 3);
    }
}
static void a19_overlapping_operands(void **state)
{
    (void)state;
    everywhere(own_transpose, false);
    everywhere(own_first_row, false);
}

static void overlapping_copies(void)
{
    ash_array *v = counting(1, ASH_I64, ASH_SHAPE(10), ASH_ROW_MAJOR);
    CHECK_OK(ash_copy_into(ash_slice(v, 1, 10), ash_slice(v, 0, 9)));
    CHECK_INTS(v, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    ash_array *w = counting(1, ASH_I64, ASH_SHAPE(10), ASH_ROW_MAJOR);
    CHECK_OK(ash_copy_into(ash_slice(w, 0, 9), ash_slice(w, 1, 10)));
    CHECK_INTS(w, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10);
    ash_array *r = counting(1, ASH_I64, ASH_SHAPE(10), ASH_ROW_MAJOR);
    CHECK_OK(ash_copy_into(r, ash_slice(r, ASH_OPEN, ASH_OPEN, .step = -1)));
    CHECK_INTS(r, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1);

    ash_array *q = counting(1, ASH_I64, ASH_SHAPE(10), ASH_ROW_MAJOR);
    CHECK_OK(ash_copy_range(q, 1, q, 0, 9));
    CHECK_INTS(q, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    CHECK_OK(ash_copy_range(q, 0, q, 1, 9));
    CHECK_INTS(q, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9);
    ash_array *m = counting(0, ASH_F32, ASH_SHAPE(300, 300), ASH_ROW_MAJOR), *t = ash_copy(ash_transpose(m));
    CHECK_OK(ash_copy_into(m, ash_transpose(m)));
    CHECK(ash_equal(m, t));
}
static void a20_overlapping_copies(void **state)
{
    (void)state;
    everywhere(overlapping_copies, false);
}

static void writes_inside_views(void)
{
    static const ash_dtype dtypes[] = {ASH_I8, ASH_I16, ASH_F32, ASH_I64, ASH_C_I64};
    for (int d = 0; d < COUNT(dtypes); d++)
        for EACH_LAYOUT(layout) {
            ash_array *one = ash_ones(ASH_SHAPE(3), .dtype = dtypes[d], .layout = layout);
            CHECK_OK(ash_fill(ash_slice(one, 1, 2), 0));
            CHECK_FLOATS(one, 1, 0, 1);

            ash_array *m = counting(1, dtypes[d], ASH_SHAPE(2, 3), layout);
            CHECK_OK(ash_fill(ash_view(m, ASH_ALL, 0), 7));
            CHECK_FLOATS(m, 7, 2, 3, 7, 5, 6);

            ash_array *src = counting(0, dtypes[d], ASH_SHAPE(6, 2), layout);
            ash_array *dst = ash_zeros(ASH_SHAPE(5, 2), .dtype = dtypes[d], .layout = layout);
            CHECK_OK(ash_copy_into(ash_slice(dst, 1, 3), ash_slice(src, 2, 4)));
            CHECK_FLOATS(dst, 0, 0, 4, 5, 6, 7, 0, 0, 0, 0);
        }
    for EACH_LAYOUT(layout) {
        ash_array *a = ash_empty(ASH_SHAPE(10, 2), .layout = layout);
        ash_array *i = ash_range(-5, 5, .dtype = ASH_F32);
        CHECK_OK(ash_copy_into(ash_view(a, ASH_ALL, 0), i));
        CHECK_OK(ash_copy_into(ash_view(a, ASH_ALL, 1), i));
        ash_array *lower = ash_slice(a, 2, 10);
        CHECK_OK(ash_map_into(lower, "(x, y) -> x < 0 ? -y : y", lower, lower));
        for (int64_t k = 0; k < 2; k++)
            CHECK_FLOATS(ash_view(a, ASH_ALL, k), -5, -4, 3, 2, 1, 0, 1, 2, 3, 4);
    }
}
static void a21_writes_stay_inside(void **state)
{
    (void)state;
    everywhere(writes_inside_views, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(a19_overlapping_operands), TEST(a20_overlapping_copies),
                                       TEST(a21_writes_stay_inside)};
    return cmocka_run_group_tests_name("cases: in place", tests, NULL, NULL);
}
