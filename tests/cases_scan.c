/*
 * cases_scan.c - reports from the field about prefix sums: block boundaries, columns beside each other, ranks, element types
 * (A10, A11).
 *
 * Expected values: 1, 2, 3, ... by arithmetic, the rest made with NumPy when the cases were collected.
 */
#include "test.h"

static void columns_of_ones(void)
{
    static const int64_t shapes[][2] = {{1023, 2}, {1024, 5}, {1025, 2}, {2047, 5}, {5121, 5}};
    for (int s = 0; s < COUNT(shapes); s++)
        for EACH_LAYOUT(layout) {
            ASH_SCOPE(scope);
            const int64_t rows = shapes[s][0], columns = shapes[s][1];
            ash_array *c = ash_cumsum(ash_ones(ASH_SHAPE(rows, columns), .layout = layout), .axes = ASH_AXES(0));
            CHECK_SHAPE(c, rows, columns);
            float *host = calloc((size_t)(rows * columns), sizeof *host);
            CHECK_OK(ash_to_host(c, host, (size_t)(rows * columns) * sizeof *host));
            for (int64_t i = 0; i < rows; i++)
                for (int64_t k = 0; k < columns; k++)
                    CHECK(host[i * columns + k] == (float)(i + 1));
            free(host);
        }
}
static void rank_five(void)
{
    for EACH_LAYOUT(layout) {
        ash_array *x = counting(0, ASH_I64, ASH_SHAPE(1, 2, 3, 4, 5), layout);
        CHECK(ash_equal(ash_cumsum(x, .axes = ASH_AXES(0)), x));
        ash_array *c = ash_cumsum(x, .axes = ASH_AXES(1));
        CHECK_INTS(ash_view(c, 0, 1, ASH_ALL, 0, 0), 60, 100, 140);
        CHECK(ash_item_i64(ash_sum(c)) == 8910);
    }
}
static void a10_across_blocks(void **state)
{
    (void)state;
    everywhere(columns_of_ones, false);
    everywhere(rank_five, false);
}

static void small_types(void)
{
    static const ash_dtype dtypes[] = {ASH_I8, ASH_I16, ASH_I32, ASH_I64, ASH_U8, ASH_BOOL};
    for (int d = 0; d < COUNT(dtypes); d++) {
        ash_array *c = ash_cumsum(ash_ones(ASH_SHAPE(4), .dtype = dtypes[d]));
        CHECK_INTS(c, 1, 2, 3, 4);
        CHECK(ash_dtype_of(c) == (dtypes[d] == ASH_U8 ? ASH_U64 : ASH_I64));
    }
    ash_array *kept = ash_scan("+", ash_ones(ASH_SHAPE(4), .dtype = ASH_I8));
    CHECK(ash_dtype_of(kept) == ASH_I8);
    CHECK_INTS(kept, 1, 2, 3, 4);

    ash_array *eight = ash_zeros(ASH_SHAPE(8), .dtype = ASH_U32);
    CHECK_OK(ash_scan_into(eight, "+", ash_ones(ASH_SHAPE(8), .dtype = ASH_BOOL)));
    CHECK_INTS(eight, 1, 2, 3, 4, 5, 6, 7, 8);
    ash_array *many = ash_zeros(ASH_SHAPE(350), .dtype = ASH_U32);
    CHECK_OK(ash_scan_into(many, "+", ash_ones(ASH_SHAPE(350), .dtype = ASH_U8)));
    uint32_t host[350];
    CHECK_OK(ash_to_host(many, host, sizeof host));
    for (uint32_t i = 0; i < 350; i++)
        CHECK(host[i] == i + 1);
}
static void a11_small_types(void **state)
{
    (void)state;
    everywhere(small_types, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(a10_across_blocks), TEST(a11_small_types)};
    return cmocka_run_group_tests_name("cases: scans", tests, NULL, NULL);
}
