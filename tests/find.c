/*
 * find.c - the places of what is true.
 *
 * Values are NumPy's flatnonzero, argwhere and argmax of conditions, written out.
 */
#include <complex.h>

#include "test.h"

ASH_RECORD(body, (f32, m), (i32, k));

static ash_array *matrix(void)
{
    return ash_reshape(ash_i64(0, 2, 0, 4, 0, 6), ASH_SHAPE(2, 3));
}

static void found(void)
{
    CHECK_INTS(ash_find(ash_bool(0, 1, 1, 0, 1)), 1, 2, 4);
    CHECK_INTS(ash_find(ash_i32(0, -1, 0, 7)), 1, 3);
    CHECK_INTS(ash_find(ash_f32(0, NAN, -0.0f, 1e-45f, INFINITY)), 1, 3, 4); /* NaN is not 0 */
    CHECK_INTS(ash_find(ash_f32(3, 1, 2), .predicate = "x -> x > 1f"), 0, 2);
    ash_array *m = matrix(), *at = ash_find(m);
    CHECK_SHAPE(at, 3, 2);
    CHECK_INTS(at, 0, 1, 1, 0, 1, 2);
    CHECK(ash_dtype_of(at) == ASH_I64 && ash_storage_of(at) == here.storage);
    CHECK_INTS(ash_find(m, .flat = true), 1, 3, 5);
    CHECK_INTS(ash_find(ash_contiguous(m, .layout = ASH_COL_MAJOR)), 0, 1, 1, 0, 1, 2);
    CHECK_INTS(ash_find(ash_transpose(m)), 0, 1, 1, 0, 2, 1);
    CHECK_INTS(ash_find(ash_transpose(m), .flat = true, .predicate = "x -> x == 0"), 0, 3, 4);
    CHECK_INTS(ash_find(ash_reshape(ash_range(0, 8), ASH_SHAPE(2, 2, 2)), .predicate = "x -> x % 5 == 2"), 0, 1, 0, 1, 1, 1);
    ash_array *z = ash_reshape(ash_c_f32(1 + 2 * I, 2, 3 - I, 4 * I), ASH_SHAPE(2, 2));
    CHECK_INTS(ash_find(ash_adjoint(z), .predicate = "z -> imag(z) > 0"), 0, 1);
    const body bodies[] = {{1, 2}, {3, 4}, {5, 6}};
    ash_array *b = ash_from_host(bodies, body_dtype(), ASH_SHAPE(3));
    CHECK_INTS(ash_find(b, .predicate = "b -> b.m > 2"), 1, 2);
    CHECK_INTS(ash_take(ash_f32(3, 1, 2), ash_find(ash_f32(3, 1, 2), .predicate = "x -> x > 1")), 3, 2);
}

/* Rank 0 has one position, 0; A08: nothing in, nothing out. */
static void found_in_nothing(void)
{
    ash_array *seven = ash_fill_new(ASH_SHAPE(), INT64_C(7));
    CHECK_SHAPE(ash_find(seven), 1);
    CHECK_INTS(ash_find(seven), 0);
    CHECK_SHAPE(ash_find(seven, .predicate = "x -> x > 7"), 0);
    CHECK_SHAPE(ash_find(ash_zeros(ASH_SHAPE(0, 3))), 0, 2);
    CHECK_SHAPE(ash_find(ash_zeros(ASH_SHAPE(3, 4, 2))), 0, 3);
    CHECK_SHAPE(ash_find(ash_zeros(ASH_SHAPE(3, 4, 2)), .flat = true), 0);
    CHECK(ash_find_first(seven) == 0 && ash_find_last(seven) == 0 && ash_find_first(seven, .predicate = "x -> x < 0") == -1);
    CHECK(ash_find_first(ash_zeros(ASH_SHAPE(0))) == -1 && ash_find_last(ash_zeros(ASH_SHAPE(2, 0))) == -1);
    NO_ERROR();
}

static void a08_find_in_empty(void)
{
    CHECK_SHAPE(ash_find(ash_empty(ASH_SHAPE(0), .dtype = ASH_BOOL)), 0);
    CHECK_SHAPE(ash_find(ash_bool(0, 0, 0)), 0);
    ash_array *v = ash_ones(ASH_SHAPE(2)), *e = ash_index(v, ash_empty(ASH_SHAPE(0), .dtype = ASH_I64));
    CHECK_SHAPE(e, 0);
    CHECK_SHAPE(ash_find(e), 0);
}

static void found_and_taken(void)
{
    ash_array *a = ash_f32(3, 1, 2);
    ash_array *p = ash_find(ash_map("x -> x > 1f0", a));
    CHECK_TEXT_HERE(p, "ash.vector i64[2] cpu:0 [0 2]");
    CHECK_TEXT_HERE(ash_take(a, p), "ash.vector f32[2] cpu:0 [3.0 2.0]");
}
EVERYWHERE(row_000_26, found_and_taken)

static void first_and_last(void)
{
    ash_array *m = matrix();
    CHECK(ash_find_first(m) == 1 && ash_find_last(m) == 5);
    CHECK(ash_find_first(ash_transpose(m)) == 1 && ash_find_last(ash_transpose(m)) == 5);
    CHECK(ash_find_first(m, .predicate = "x -> x > 2") == 3 && ash_find_last(m, .predicate = "x -> x < 6") == 4);
    CHECK(ash_find_first(ash_bool(0, 0, 1, 1)) == 2 && ash_find_last(ash_bool(1, 1, 0, 0)) == 1);
    CHECK(ash_find_first(ash_zeros(ASH_SHAPE(100, 100))) == -1 && ash_find_last(ash_zeros(ASH_SHAPE(5))) == -1);
    CHECK(ash_find_first(ash_f32(0, NAN)) == 1);
    ash_array *z = ash_reshape(ash_c_f32(1 + 2 * I, 2, 3 - I, 4 * I), ASH_SHAPE(2, 2));
    CHECK(ash_find_first(ash_adjoint(z), .predicate = "z -> imag(z) > 0") == 1);
    CHECK(ash_find_last(ash_adjoint(z), .predicate = "z -> imag(z) < 0") == 3);
    NO_ERROR();
}

/* One true element, at places on both sides of where blocks end. */
static void first_of_many(void)
{
    enum { ROWS = 300, COLUMNS = 5000, N = ROWS * COLUMNS };
    static const int64_t places[] = {0, 1, 4095, 4096, 4999, 5000, 12287, 12288, 100000, 777777, N - 5001, N - 4096, N - 1};
    ash_array *x = ash_zeros(ASH_SHAPE(N), .dtype = ASH_U8), *m = ash_reshape(x, ASH_SHAPE(ROWS, COLUMNS));
    ash_array *deep = ash_reshape(x, ASH_SHAPE(30, 10, 50, 100));
    for (int k = 0; k < COUNT(places); k++) {
        const int64_t at = places[k], i = at / COLUMNS, j = at % COLUMNS;
        CHECK_OK(ash_fill(ash_slice(x, at, at + 1), 1));
        CHECK(ash_find_first(x) == at && ash_find_last(x) == at);
        CHECK(ash_find_first(m) == at && ash_find_last(m) == at);
        CHECK(ash_find_first(deep) == at && ash_find_last(deep) == at);
        CHECK(ash_find_first(ash_transpose(m)) == j * ROWS + i && ash_find_last(ash_transpose(m)) == j * ROWS + i);
        CHECK_INTS(ash_find(m), i, j);
        CHECK_INTS(ash_find(deep), at / 50000, at / 5000 % 10, at / 100 % 50, at % 100);
        CHECK_OK(ash_fill(x, 0));
    }
}

static void faults_here(void)
{
    ash_array *z = ash_c_f32(1), *i = ash_i64(1, 0, 2);
    CHECK(!ash_find(z));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_find: a is c_f32, of which .predicate must say what is true");
    CHECK(ash_find_first(z) == -1);
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_find_first: a is c_f32, of which .predicate must say what is true");
    CHECK(!ash_find(i, .predicate = "x -> x + 1"));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_find: the predicate gives i64; bool is wanted");
    CHECK(ash_find_last(i, .predicate = "x -> x + 1") == -1);
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_find_last: the predicate gives i64; bool is wanted");
    CHECK(!ash_find(i, .predicate = "x -> oops > 1"));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "oops");
    CHECK(ash_find_first(i, .predicate = "x -> 1 % x == 7") == -1);
    CHECK_ERROR(ASH_ERR_VALUE, "ash_find_first: integer division by zero");
    CHECK(!ash_find(NULL));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_find: a is NULL");
    CHECK(ash_find_first(NULL) == -1);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_find_first: a is NULL");
}

EVERYWHERE(find, found)
EVERYWHERE(nothing, found_in_nothing)
EVERYWHERE(a08, a08_find_in_empty)
EVERYWHERE(find_first_and_last, first_and_last)
EVERYWHERE(find_first_of_many, first_of_many)
EVERYWHERE(faults, faults_here)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(find),  TEST(nothing), TEST(a08), TEST(row_000_26), TEST(find_first_and_last), TEST(find_first_of_many),
        TEST(faults)};
    return cmocka_run_group_tests_name("find", tests, NULL, NULL);
}
