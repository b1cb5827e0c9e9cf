/*
 * unique.c - the different elements, where they were first seen, how often, and which of them each element is.
 *
 * Expected values by hand and from NumPy (unique with return_index, return_inverse, return_counts); for long arrays the
 * identities hold: values[inverse] is the array, counts sum to its size, positions are the first ones.
 */
#include "test.h"

ASH_RECORD(star, (f32, mass), (i16, number));

static void small(void)
{
    ash_array *a = ash_i32(3, 1, 3, 2, 1);
    ash_unique_result u = ash_unique(a);
    CHECK_TEXT_HERE(u.values, "ash.vector i32[3] cpu:0 [3 1 2]");
    CHECK(!u.positions && !u.inverse && !u.counts);
    u = ash_unique(a, .positions = true, .inverse = true, .counts = true);
    CHECK_INTS(u.values, 3, 1, 2);
    CHECK_INTS(u.positions, 0, 1, 3);
    CHECK_INTS(u.inverse, 0, 1, 0, 2, 1);
    CHECK_INTS(u.counts, 2, 2, 1);
    u = ash_unique(a, .sorted = true, .positions = true, .inverse = true, .counts = true);
    CHECK_INTS(u.values, 1, 2, 3);
    CHECK_INTS(u.positions, 1, 3, 0);
    CHECK_INTS(u.inverse, 2, 0, 2, 1, 0);
    CHECK_INTS(u.counts, 2, 1, 2);
    ash_array *m = ash_transpose(ash_reshape(ash_u8(1, 2, 2, 7, 1, 1), ASH_SHAPE(2, 3)));
    u = ash_unique(m, .inverse = true, .counts = true);
    CHECK_INTS(u.values, 1, 7, 2);
    CHECK_SHAPE(u.inverse, 3, 2);
    CHECK_INTS(u.inverse, 0, 1, 2, 0, 2, 0);
    CHECK_INTS(u.counts, 3, 1, 2);
    CHECK_INTS(ash_unique(ash_bool(true, false, true)).values, 1, 0);
    CHECK(ash_storage_of(u.values) == here.storage && ash_storage_of(u.counts) == here.storage);
}

static void edges(void)
{
    ash_unique_result u = ash_unique(ash_empty(ASH_SHAPE(0, 3)), .positions = true, .inverse = true, .counts = true);
    CHECK_SHAPE(u.values, 0);
    CHECK_SHAPE(u.positions, 0);
    CHECK_SHAPE(u.inverse, 0, 3);
    CHECK_SHAPE(u.counts, 0);
    u = ash_unique(ash_fill_new(ASH_SHAPE(), 5.0f), .inverse = true, .counts = true);
    CHECK_FLOATS(u.values, 5);
    CHECK_SHAPE(u.inverse, );
    CHECK_INTS(u.inverse, 0);
    CHECK_INTS(u.counts, 1);
    /* NaNs are alike, the zeros are not */
    u = ash_unique(ash_f32(NAN, 0.0f, -0.0f, -NAN, 0.0f), .counts = true, .inverse = true);
    CHECK_TEXT_HERE(u.values, "ash.vector f32[3] cpu:0 [ nan  0.0 -0.0]");
    CHECK_INTS(u.inverse, 0, 1, 2, 0, 1);
    CHECK_INTS(u.counts, 2, 2, 1);
}

static void by_a_key(void)
{
    ash_unique_result u = ash_unique(ash_i32(-2, 2, 1, -1, 3), .by = "abs", .counts = true, .inverse = true);
    CHECK_INTS(u.values, -2, 1, 3);
    CHECK_INTS(u.inverse, 0, 0, 1, 1, 2);
    CHECK_INTS(u.counts, 2, 2, 1);
    const star stars[] = {{2, 1}, {1, 2}, {2, 3}};
    star got[2];
    u = ash_unique(ash_from_host(stars, star_dtype(), ASH_SHAPE(3)), .by = "s -> s.mass", .sorted = true);
    CHECK_OK(ash_to_host(u.values, got, sizeof got));
    CHECK(got[0].number == 2 && got[1].number == 1);
    CHECK_SHAPE(ash_unique(ash_c_f32(1, 1, 2), .by = "z -> real(z)").values, 2);
    CHECK(!ash_unique(ash_c_f32(1)).values);
    CHECK_ERROR_HAS(ASH_ERR_DTYPE, "ash_unique: the elements are c_f32, which have no order");
}

static void identities(void)
{
    for (int sorted = 0; sorted < 2; sorted++) {
        ash_array *a = ash_map("i -> i16(i*7919 % 1013)", ash_reshape(ash_range(0, 30000), ASH_SHAPE(300, 100)));
        ash_unique_result u = ash_unique(a, .sorted = sorted, .positions = true, .inverse = true, .counts = true);
        ash_array *flat = ash_reshape(a, ASH_SHAPE(30000));
        CHECK_SHAPE(u.values, 1013);
        CHECK(ash_equal(ash_take(u.values, u.inverse), a) && ash_equal(ash_take(flat, u.positions), u.values));
        CHECK(ash_item_i64(ash_sum(u.counts)) == 30000);
        CHECK(ash_is_sorted(sorted ? u.values : u.positions));
        /* the number of each is counted where it first occurs: 30000 = 29*1013 + 623 */
        CHECK(ash_equal(u.counts, ash_map("p -> p < 623 ? i64(30) : i64(29)", u.positions)));
    }
}

EVERYWHERE(small_arrays, small)
EVERYWHERE(empty_and_special, edges)
EVERYWHERE(keys, by_a_key)
EVERYWHERE(long_arrays, identities)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(small_arrays), TEST(empty_and_special), TEST(keys), TEST(long_arrays)};
    return cmocka_run_group_tests_name("different elements", tests, NULL, NULL);
}
