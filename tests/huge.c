/*
 * huge.c - arrays of more than 2^32 elements: i8 and u8 arrays of 4.3 GB, and views with stride 0 that need no memory.
 *
 * A shape of 65536 x 65537 has 2^32 + 65536 elements: a count kept in 32 bits would be 65536, and everything past 2^32 would
 * be missed. The tests on real memory need 5 to 10 GiB that are free now; they say so when they are left out.
 */
#include "test.h"

enum { ROWS = 65536, COLUMNS = 65537 };
static const int64_t elements = (int64_t)ROWS * COLUMNS; /* 4295032832 */

static double available_gib(void)
{
    FILE *file = fopen("/proc/meminfo", "r");
    char line[128];
    long long kib = 0;
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "MemAvailable: %lld kB", &kib) == 1)
            break;
    if (file)
        fclose(file);
    return (double)kib / (1024 * 1024);
}
/* True when the test may run; else it says why not. */
static bool room_for(double gib, const char *name)
{
    const double free = available_gib();
    if (SLOW > 1)
        print_message("[  SKIPPED ] %s: a checker is built in; this test needs %.0f GiB and real speed\n", name, gib);
    else if (free < gib + 1)
        print_message("[  SKIPPED ] %s: needs %.0f GiB of free memory and 1 to spare; there are %.1f\n", name, gib, free);
    else
        return true;
    return false;
}

/* ---- views of one byte, or of a row */

static void views_without_memory(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *one = ash_fill_new(ASH_SHAPE(1, 1), (uint8_t)1);
    ash_array *all = ash_broadcast_to(one, ASH_SHAPE(ROWS, COLUMNS));
    CHECK(ash_size(all) == elements && ash_nbytes(all) == (size_t)elements);
    CHECK(ash_get_u8(all, ROWS - 1, COLUMNS - 1) == 1);
    char text[1024];
    CHECK(ash_format(text, sizeof text, all) < sizeof text && strstr(text, "u8[65536×65537]"));
    CHECK(ash_get_u8(ash_slice(all, -1, ASH_OPEN), 0, COLUMNS - 1) == 1);
    CHECK_SHAPE(ash_reshape(all, ASH_SHAPE(COLUMNS, ROWS)), COLUMNS, ROWS);
    if (SLOW > 1) {
        print_message("[  SKIPPED ] sums over %" PRId64 " elements: a checker is built in\n", elements);
        return;
    }
    CHECK(ash_item_i64(ash_count(all)) == elements);
    ash_array *sum = ash_sum(all);
    CHECK(ash_dtype_of(sum) == ASH_U64 && ash_item_i64(sum) == elements);
}

static void folds_of_broadcasts(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    if (SLOW > 1) {
        print_message("[  SKIPPED ] folds over %" PRId64 " elements: a checker is built in\n", elements);
        return;
    }
    /* sum over i, k of a[i]*b[k] is the product of the sums: exact in i64 */
    ash_array *a = ash_reshape(ash_range(0, ROWS, .dtype = ASH_I32), ASH_SHAPE(ROWS, 1));
    ash_array *b = ash_fill_new(ASH_SHAPE(1, COLUMNS), INT32_C(1));
    CHECK_OK(ash_fill(ash_view(b, 0, COLUMNS - 1), 3));
    ash_array *total = ash_map_reduce("(a, b) -> i64(a) * b", "+", a, b);
    CHECK(ash_item_i64(total) == (int64_t)ROWS * (ROWS - 1) / 2 * (COLUMNS + 2));
    ash_array *rows = ash_map_reduce_with("(a, b) -> a + b", "max", ASH_OPERANDS(a, b), .axes = ASH_AXES(1), .drop = true);
    CHECK(ash_get_i32(rows, 0) == 3 && ash_get_i32(rows, ROWS - 1) == ROWS + 2);
    /* the first maximum lies past element 2^32 */
    ash_array *at = ash_argmax(ash_broadcast_to(b, ASH_SHAPE(ROWS, COLUMNS)));
    CHECK(ash_item_i64(at) == COLUMNS - 1);
    CHECK_OK(ash_fill(ash_view(a, ROWS - 1, 0), INT32_C(1000000)));
    ash_find_result found = ash_find_max(ash_broadcast_to(a, ASH_SHAPE(ROWS, COLUMNS)));
    CHECK(ash_item_i32(found.value) == 1000000 && ash_item_i64(found.index) == (int64_t)(ROWS - 1) * COLUMNS);
}

/* A row of which the last column is true, again and again: positions past 2^32, and no memory but for them. */
static void masks_of_broadcasts(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    if (SLOW > 1) {
        print_message("[  SKIPPED ] a mask of %" PRId64 " elements: a checker is built in\n", elements);
        return;
    }
    ash_array *row = ash_zeros(ASH_SHAPE(1, COLUMNS), .dtype = ASH_BOOL);
    CHECK_OK(ash_fill(ash_view(row, 0, COLUMNS - 1), true));
    ash_array *mask = ash_broadcast_to(row, ASH_SHAPE(ROWS, COLUMNS)), *at = ash_find(mask, .flat = true);
    ash_array *i = ash_range(0, ROWS);
    CHECK(ash_equal(at, ash_map("(i, n) -> i * n + n - 1", i, (int64_t)COLUMNS)));
    CHECK(ash_find_first(mask) == COLUMNS - 1 && ash_find_last(mask) == elements - 1);
    ash_array *numbers = ash_broadcast_to(ash_insert_axis(i, 1), ASH_SHAPE(ROWS, COLUMNS));
    CHECK(ash_equal(ash_select(numbers, mask), i));
}

/* ---- real memory */

static void one_array(void **state)
{
    (void)state;
    if (!room_for(5, "one_array"))
        return;
    ASH_SCOPE(scope);
    ash_array *whole = ash_empty(ASH_SHAPE(elements), .dtype = ASH_U8), *x = ash_slice(whole, 0, (INT64_C(1) << 32) + 16);
    CHECK(x && ash_size(x) == (INT64_C(1) << 32) + 16);
    CHECK_OK(ash_fill(whole, 0));
    CHECK_OK(ash_fill(x, 42));
    CHECK_INTS(ash_slice(x, -16, ASH_OPEN), 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42, 42);
    CHECK_INTS(ash_slice(whole, (INT64_C(1) << 32) + 15, (INT64_C(1) << 32) + 18), 42, 0, 0);
    CHECK(ash_item_u64(ash_sum(x)) == UINT64_C(180388627104));
    CHECK(ash_get_u8(x, INT64_C(1) << 32) == 42);

    /* a map in place, an extreme at the end, a stride over 2^31 */
    CHECK_OK(ash_map_into(whole, "x -> x + 1", whole));
    CHECK(ash_get_u8(whole, 0) == 43 && ash_get_u8(whole, (INT64_C(1) << 32) + 15) == 43 &&
          ash_get_u8(whole, elements - 1) == 1);
    CHECK_OK(ash_set_u8(whole, 200, elements - 2));
    CHECK(ash_item_i64(ash_argmax(whole)) == elements - 2 && ash_item_u8(ash_max(whole)) == 200);
    CHECK_INTS(ash_slice(whole, ASH_OPEN, ASH_OPEN, .step = INT64_C(1) << 31), 43, 43, 43);
    CHECK_INTS(ash_slice(whole, ASH_OPEN, ASH_OPEN, .step = -(elements - 1)), 1, 43);

    /* indices past 2^32 */
    ash_array *far = ash_i64(elements - 1, 0, INT64_C(1) << 32);
    CHECK_INTS(ash_take(whole, far), 1, 43, 43);
    CHECK_OK(ash_put(whole, far, ash_u8(7, 8, 9)));
    CHECK(ash_get_u8(whole, 0) == 8 && ash_get_u8(whole, INT64_C(1) << 32) == 9 && ash_get_u8(whole, elements - 1) == 7);
    CHECK_OK(ash_index_into(whole, 1, ash_slice(far, 0, 1)));
    CHECK_INTS(ash_index(whole, ash_slice(far, 0, 2)), 1, 8);

    /* folds along either axis of the same memory */
    ash_array *m = ash_reshape(whole, ASH_SHAPE(ROWS, COLUMNS));
    CHECK_OK(ash_fill(m, 1));
    CHECK_OK(ash_set_u8(m, 5, ROWS - 1, COLUMNS - 1));
    ash_array *down = ash_sum(m, .axes = ASH_AXES(0), .drop = true), *along = ash_sum(m, .axes = ASH_AXES(1), .drop = true);
    CHECK(ash_get_u64(down, 0) == ROWS && ash_get_u64(down, COLUMNS - 1) == ROWS + 4);
    CHECK(ash_get_u64(along, 0) == COLUMNS && ash_get_u64(along, ROWS - 1) == COLUMNS + 4);

    /* a scan in place: counts modulo 256 */
    CHECK_OK(ash_set_u8(m, 1, ROWS - 1, COLUMNS - 1));
    CHECK_OK(ash_scan_into(whole, "+", whole));
    static const int64_t places[] = {0,         1, 255, 256, 65535, INT64_C(1) << 31, (INT64_C(1) << 32) - 1, INT64_C(1) << 32,
                                     4295032831};
    for (int i = 0; i < COUNT(places); i++)
        CHECK(ash_get_u8(whole, places[i]) == (uint8_t)(places[i] + 1));
}

static void two_arrays(void **state)
{
    (void)state;
    if (!room_for(9, "two_arrays"))
        return;
    ASH_SCOPE(scope);
    ash_array *x = ash_fill_new(ASH_SHAPE(elements), (int8_t)-3);
    CHECK_OK(ash_set_i8(x, 7, elements - 1));
    {
        ASH_SCOPE(step);
        ash_array *y = ash_map("x -> 2*x", x);
        CHECK(ash_size(y) == elements && ash_get_i8(y, 0) == -6 && ash_get_i8(y, INT64_C(1) << 32) == -6);
        CHECK(ash_get_i8(y, elements - 1) == 14 && ash_item_i64(ash_sum(y)) == -6 * elements + 20);
    }
    {
        ASH_SCOPE(step);
        ash_array *c = ash_copy(x);
        CHECK(ash_equal(c, x));
        CHECK_OK(ash_set_i8(c, 8, elements - 1));
        CHECK(!ash_equal(c, x));
        CHECK_OK(ash_copy_range(c, 1, x, elements - 3, 3)); /* from the far end */
        CHECK_INTS(ash_slice(c, 0, 5), -3, -3, -3, 7, -3);
    }
    {
        ASH_SCOPE(step);
        ash_array *t = ash_copy(ash_transpose(ash_reshape(x, ASH_SHAPE(ROWS, COLUMNS))), .layout = ASH_ROW_MAJOR);
        CHECK(ash_get_i8(t, COLUMNS - 1, ROWS - 1) == 7 && ash_get_i8(t, COLUMNS - 1, ROWS - 2) == -3);
        CHECK(ash_item_i64(ash_sum(t)) == -3 * elements + 10);
    }
    CHECK_OK(ash_pool_trim(ash_default_device(), 0));
}

/* Parts that lie before and past element 2^32 of the whole; what is long is a view of one byte. */
static void concatenated(void **state)
{
    (void)state;
    if (!room_for(5, "concatenated"))
        return;
    ASH_SCOPE(scope);
    const int64_t half = INT64_C(1) << 31;
    ash_array *one = ash_fill_new(ASH_SHAPE(1), (int8_t)1), *tail = ash_i8(2, 3, 4);
    ash_array *head = ash_broadcast_to(one, ASH_SHAPE(2 * half));
    {
        ASH_SCOPE(step);
        ash_array *x = ash_concat(ASH_ARRAYS(tail, head, tail));
        CHECK_SHAPE(x, 2 * half + 6);
        CHECK_INTS(ash_slice(x, 0, 5), 2, 3, 4, 1, 1);
        CHECK_INTS(ash_slice(x, 2 * half - 1, ASH_OPEN), 1, 1, 1, 1, 2, 3, 4);
        CHECK(ash_item_i64(ash_sum(x)) == 2 * half + 18);
    }
    {
        ASH_SCOPE(step); /* rows of 2^31 + 3: the second row's end lies past 2^32 */
        ash_array *pair = ash_reshape(ash_i8(2, 3, 4, 5, 6, 7), ASH_SHAPE(2, 3));
        ash_array *x = ash_concat(ASH_ARRAYS(ash_broadcast_to(one, ASH_SHAPE(2, half)), pair), .axis = 1);
        CHECK_SHAPE(x, 2, half + 3);
        CHECK_INTS(ash_slice(x, half - 1, ASH_OPEN, .axes = ASH_AXES(1)), 1, 2, 3, 4, 1, 5, 6, 7);
        CHECK(ash_get_i8(x, 1, 0) == 1 && ash_item_i64(ash_sum(x)) == 2 * half + 27);
    }
    CHECK_OK(ash_pool_trim(ash_default_device(), 0));
}

/* From places past 2^32, and to such places. */
static void taken(void **state)
{
    (void)state;
    if (!room_for(5, "taken"))
        return;
    ASH_SCOPE(scope);
    const int64_t past = INT64_C(1) << 32;
    {
        ASH_SCOPE(step);
        ash_array *x = ash_fill_new(ASH_SHAPE(elements), (int8_t)1);
        CHECK_OK(ash_set_i8(x, 2, past - 1));
        CHECK_OK(ash_set_i8(x, 3, past));
        CHECK_OK(ash_set_i8(x, 4, past + 1));
        CHECK_OK(ash_set_i8(x, 5, elements - 1));
        CHECK_INTS(ash_take(x, ash_i64(0, past + 1, past, past - 1, elements - 1, 1)), 1, 4, 3, 2, 5, 1);
        CHECK(!ash_take(x, ash_i64(elements)));
        CHECK_ERROR(ASH_ERR_BOUNDS, "ash_take: index 4295032832 at (0) is out of bounds for axis 0 of size 4295032832");
        /* elements that lie 65537 bytes apart; 2^32 - 1 is 65535*65537, the first of the last row */
        ash_array *m = ash_take(ash_reshape(x, ASH_SHAPE(ROWS, COLUMNS)), ash_i64(COLUMNS - 1, 0), .axis = 1);
        CHECK_SHAPE(m, ROWS, 2);
        CHECK_INTS(ash_slice(m, -1, ASH_OPEN), 5, 2);
        CHECK(ash_item_i64(ash_sum(m)) == 2 * ROWS + 5);
    }
    {
        ASH_SCOPE(step); /* row i of the result is row i modulo 3 of a */
        ash_array *a = ash_zeros(ASH_SHAPE(3, COLUMNS), .dtype = ASH_I8);
        CHECK_OK(ash_fill(ash_slice(a, 1, 2), 1));
        CHECK_OK(ash_fill(ash_slice(a, 2, 3), 2));
        ash_array *x = ash_take(a, ash_map("i -> i % 3", ash_range(0, ROWS, .dtype = ASH_I64)));
        CHECK_SHAPE(x, ROWS, COLUMNS);
        ash_array *rows = ash_sum(x, .axes = ASH_AXES(1), .drop = true);
        const int64_t last = (ROWS - 1) % 3;
        CHECK(ash_get_i64(rows, ROWS - 1) == last * COLUMNS && ash_get_i64(rows, ROWS - 2) == (ROWS - 2) % 3 * COLUMNS);
        /* 65536 = 3*21845 + 1: every three rows sum to 3 per column, and the last row is one of zeros */
        CHECK(last == 0 && ash_item_i64(ash_sum(rows)) == INT64_C(3) * 21845 * COLUMNS);
    }
    CHECK_OK(ash_pool_trim(ash_default_device(), 0));
}

/* Counted in place: no memory but that of the elements. */
static void sorted(void **state)
{
    (void)state;
    if (!room_for(5, "sorted"))
        return;
    ASH_SCOPE(scope);
    ash_array *x = ash_fill_new(ASH_SHAPE(elements), (int8_t)1);
    CHECK_OK(ash_set_i8(x, -7, elements - 1));
    CHECK_OK(ash_set_i8(x, 9, INT64_C(1) << 32));
    CHECK_OK(ash_set_i8(x, 8, 0));
    CHECK_OK(ash_sort_into(x, x));
    CHECK_INTS(ash_slice(x, 0, 3), -7, 1, 1);
    CHECK_INTS(ash_slice(x, elements - 3, elements), 1, 8, 9);
    CHECK(ash_is_sorted(x) && ash_item_i64(ash_sum(x)) == elements - 3 - 7 + 8 + 9);
    CHECK_INTS(ash_partial_sort(x, elements - 2, 2), 8, 9);
    CHECK_OK(ash_sort_into(x, x, .descending = true));
    CHECK_INTS(ash_slice(x, 0, 3), 9, 8, 1);
    CHECK_INTS(ash_slice(x, elements - 2, elements), 1, -7);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(views_without_memory), TEST(folds_of_broadcasts), TEST(masks_of_broadcasts),
                                       TEST(one_array),            TEST(two_arrays), TEST(sorted),          TEST(concatenated),
                                       TEST(taken)};
    return cmocka_run_group_tests_name("more than 2^32 elements", tests, NULL, NULL);
}
