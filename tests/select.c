/*
 * select.c - elements where a mask is true, and on one side of a diagonal.
 *
 * Values are NumPy's a[mask], a[:, mask], triu and tril, written out. For many elements a loop over the host's memory says what
 * a mask leaves, for every size of element, every level of kernels that runs here, strides and threads.
 */
#include <complex.h>

#include "backend/cpu/kernels.h"
#include "test.h"

ASH_RECORD(cell, (f32, x, 2), (i16, n)); /* 10 bytes */

static ash_array *matrix(void)
{
    return ash_reshape(ash_i64(1, 2, 3, 4, 5, 6), ASH_SHAPE(2, 3));
}
static bool same(ash_array *a, const ash_array *b)
{
    return ash_equal(a, b, .identical = true);
}

static void selected(void)
{
    ash_array *m = matrix(), *odd = ash_map("x -> x % 2 == 1", m);
    CHECK_INTS(ash_select(m, odd), 1, 3, 5);
    CHECK_SHAPE(ash_select(m, odd), 3);
    CHECK_INTS(ash_select(ash_transpose(m), ash_transpose(odd)), 1, 5, 3);
    CHECK_INTS(ash_select(ash_contiguous(m, .layout = ASH_COL_MAJOR), odd), 1, 3, 5); /* row-major, whatever the layout */
    CHECK_INTS(ash_select(m, ash_broadcast_to(ash_bool(1, 0, 1), ASH_SHAPE(2, 3))), 1, 3, 4, 6);
    ash_array *rows = ash_select(m, ash_bool(0, 1), .axes = ASH_AXES(0)),
              *columns = ash_select(m, ash_bool(1, 0, 1), .axes = ASH_AXES(-1));
    CHECK_SHAPE(rows, 1, 3);
    CHECK_INTS(rows, 4, 5, 6);
    CHECK_SHAPE(columns, 2, 2);
    CHECK_INTS(columns, 1, 3, 4, 6);
    CHECK_SHAPE(ash_select(m, ash_bool(0, 0), .axes = ASH_AXES(0)), 0, 3);
    CHECK_SHAPE(ash_select(m, ash_map("x -> x > 9", m)), 0);
    CHECK_SHAPE(ash_select(ash_empty(ASH_SHAPE(0, 3)), ash_empty(ASH_SHAPE(0, 3), .dtype = ASH_BOOL)), 0);
    ash_array *seven = ash_fill_new(ASH_SHAPE(), INT64_C(7));
    CHECK_SHAPE(ash_select(seven, ash_map("x -> x == 7", seven)), 1);
    CHECK_SHAPE(ash_select(seven, ash_map("x -> x != 7", seven)), 0);
    ash_array *z = ash_reshape(ash_c_f32(1 + 2 * I, 2, 3 - I, 4 * I), ASH_SHAPE(2, 2)),
              *mask = ash_reshape(ash_bool(1, 1, 0, 1), ASH_SHAPE(2, 2));
    CHECK_FLOATS(ash_map("imag", ash_select(ash_adjoint(z), mask)), -2, 1, -4);
    CHECK(ash_storage_of(ash_select(m, odd)) == here.storage && ash_dtype_of(ash_select(z, mask)) == ASH_C_F32);
}

static void selected_records(void)
{
    cell cells[6];
    memset(cells, 0, sizeof cells);
    for (int i = 0; i < 6; i++) {
        cells[i].x[1] = (float)i;
        cells[i].n = (int16_t)(-i);
    }
    ash_array *c = ash_from_host(cells, cell_dtype(), ASH_SHAPE(2, 3)),
              *mask = ash_reshape(ash_bool(0, 1, 1, 0, 0, 1), ASH_SHAPE(2, 3));
    CHECK_INTS(ash_field(ash_select(c, mask), "n"), -1, -2, -5);
    CHECK_INTS(ash_field(ash_select(ash_transpose(c), ash_transpose(mask)), "n"), -1, -2, -5);
    CHECK_INTS(ash_field(ash_select(c, ash_bool(0, 1, 1), .axes = ASH_AXES(1)), "n"), -1, -2, -4, -5);
}

/* ---- the kernels of every level against a loop */

enum { MOST = 5000, GUARD = 64 };

static void level_selects(const ash__select_table *t, int64_t n, int64_t first, const unsigned char *mask)
{
    static unsigned char source[MOST * 16 + 16], got[MOST * 16 + GUARD], want[MOST * 16];
    static int64_t places[MOST + GUARD];
    for (size_t i = 0; i < sizeof source; i++)
        source[i] = (unsigned char)(i * 37 + (i >> 8));
    int64_t count = 0;
    for (int64_t i = 0; i < n; i++)
        count += mask[i] != 0;
    CHECK(t->count(mask, n) == count);
    for (int log = 0; log < 5; log++) {
        const size_t item = (size_t)1 << log;
        const unsigned char *const s = source + (log ? 1 : 0); /* at any address */
        size_t end = 0;
        for (int64_t i = 0; i < n; i++)
            if (mask[i]) {
                memcpy(want + end, s + (size_t)i * item, item);
                end += item;
            }
        memset(got, 0xee, sizeof got);
        t->compact[log](got, s, mask, n, count);
        if (memcmp(got, want, end) != 0)
            FAIL("%zu bytes, n = %" PRId64, item, n);
        for (size_t i = end; i < end + GUARD; i++)
            if (got[i] != 0xee)
                FAIL("%zu bytes, n = %" PRId64 ": written behind the end", item, n);
    }
    places[count] = -7;
    t->positions(places, first, mask, n, count);
    CHECK(places[count] == -7);
    for (int64_t i = 0, k = 0; i < n; i++)
        if (mask[i] && places[k++] != first + i)
            FAIL("position %" PRId64, i);
}

static void levels_agree(void **state)
{
    (void)state;
    static const int64_t sizes[] = {0,  1,   7,   8,   9,    15,   16,   17,   31,   63,  64,
                                    65, 127, 128, 130, 1000, 2047, 2048, 2049, 4096, MOST};
    static const unsigned shares[] = {0, 1, 8, 128, 250, 256}; /* of 256: how many are true */
    static unsigned char mask[MOST];
    uint32_t seed = 1;
    for (int level = 1; level <= 4; level++) {
        const ash__kernels *k = ash__cpu_kernels_at(level);
        for (int c = 0; k && c < COUNT(sizes); c++)
            for (int p = 0; p < COUNT(shares); p++) {
                for (int64_t i = 0; i < sizes[c]; i++) {
                    seed = seed * 1664525 + 1013904223;
                    mask[i] = (seed >> 24) < shares[p] ? (unsigned char)(seed >> 8 | 1) : 0; /* any byte but 0 is true */
                }
                level_selects(k->select, sizes[c], c % 2 ? INT64_C(1) << 40 : 0, mask);
            }
    }
}

/* ---- many elements, threads, strides */

static void many(void)
{
    enum { ROWS = 700, COLUMNS = 900, N = ROWS * COLUMNS };
    static int64_t want[N];
    for (int threads = 1; threads <= 3; threads++) {
        ASH_SCOPE(scope);
        CHECK_OK(ash_set_threads(threads));
        ash_array *x = ash_reshape(ash_range(0, N, .dtype = ASH_I64), ASH_SHAPE(ROWS, COLUMNS));
        ash_array *mask = ash_map("x -> x * 7919 % 13 < 5", x);
        int64_t n = 0, t = 0;
        for (int64_t i = 0; i < N; i++)
            if (i * 7919 % 13 < 5)
                want[n++] = i;
        check_ints(ash_select(x, mask), want, n, __FILE__, __LINE__);
        check_ints(ash_find(mask, .flat = true), want, n, __FILE__, __LINE__);
        ash_array *turned = ash_contiguous(x, .layout = ASH_COL_MAJOR); /* mask and elements in different orders */
        check_ints(ash_select(turned, mask), want, n, __FILE__, __LINE__);
        check_ints(ash_select(x, ash_contiguous(mask, .layout = ASH_COL_MAJOR)), want, n, __FILE__, __LINE__);
        for (int64_t j = COLUMNS; j-- > 0;) /* turned and reversed: column by column from the last, each upwards */
            for (int64_t i = ROWS; i-- > 0;)
                if ((i * COLUMNS + j) * 7919 % 13 < 5)
                    want[t++] = i * COLUMNS + j;
        ash_array *back = ash_view(ash_transpose(x), ASH_RANGE(ASH_OPEN, ASH_OPEN, -1), ASH_RANGE(ASH_OPEN, ASH_OPEN, -1));
        ash_array *back_mask =
            ash_view(ash_transpose(mask), ASH_RANGE(ASH_OPEN, ASH_OPEN, -1), ASH_RANGE(ASH_OPEN, ASH_OPEN, -1));
        check_ints(ash_select(back, back_mask), want, t, __FILE__, __LINE__);
        check_ints(ash_select(ash_convert(back, ASH_F32), back_mask), want, t, __FILE__, __LINE__);
        CHECK(same(ash_index(x, mask), ash_select(x, mask)));
    }
    CHECK_OK(ash_set_threads(0));
}

/* ---- triangles: numpy.triu and numpy.tril */

static void triangles(void)
{
    ash_array *m = matrix();
    CHECK_INTS(ash_triu(m), 1, 2, 3, 0, 5, 6);
    CHECK_INTS(ash_tril(m), 1, 0, 0, 4, 5, 0);
    CHECK_INTS(ash_triu(m, .k = 1), 0, 2, 3, 0, 0, 6);
    CHECK_INTS(ash_triu(m, .k = -1), 1, 2, 3, 4, 5, 6);
    CHECK_INTS(ash_triu(m, .k = 2), 0, 0, 3, 0, 0, 0);
    CHECK_INTS(ash_triu(m, .k = 3), 0, 0, 0, 0, 0, 0);
    CHECK_INTS(ash_triu(m, .k = INT64_MAX), 0, 0, 0, 0, 0, 0);
    CHECK_INTS(ash_triu(m, .k = INT64_MIN), 1, 2, 3, 4, 5, 6);
    CHECK_INTS(ash_tril(m, .k = 1), 1, 2, 0, 4, 5, 6);
    CHECK_INTS(ash_tril(m, .k = -1), 0, 0, 0, 4, 0, 0);
    CHECK_INTS(ash_tril(m, .k = -2), 0, 0, 0, 0, 0, 0);
    CHECK_INTS(ash_tril(m, .k = 2), 1, 2, 3, 4, 5, 6);
    CHECK_INTS(ash_tril(m, .k = INT64_MIN), 0, 0, 0, 0, 0, 0);
    CHECK_INTS(ash_triu(ash_transpose(m)), 1, 4, 0, 5, 0, 0);
    CHECK(ash_layout_of(ash_triu(ash_contiguous(m, .layout = ASH_COL_MAJOR))) == ASH_COL_MAJOR);
    CHECK_INTS(ash_tril(ash_reshape(ash_range(1, 9), ASH_SHAPE(2, 2, 2))), 1, 0, 3, 4, 5, 0, 7, 8);
    CHECK_SHAPE(ash_triu(ash_empty(ASH_SHAPE(0, 0))), 0, 0);
    CHECK_SHAPE(ash_tril(ash_empty(ASH_SHAPE(3, 0, 2))), 3, 0, 2);
    CHECK_FLOATS(ash_triu(ash_reshape(ash_f32(NAN, INFINITY, NAN, -0.0f), ASH_SHAPE(2, 2))), NAN, INFINITY, 0, 0);
    ash_array *z = ash_reshape(ash_c_f32(1 + 2 * I, 2, 3 - I, 4 * I), ASH_SHAPE(2, 2));
    CHECK_FLOATS(ash_map("imag", ash_triu(ash_adjoint(z))), -2, 1, 0, -4);
    cell cells[4];
    memset(cells, 0, sizeof cells);
    for (int i = 0; i < 4; i++)
        cells[i].n = (int16_t)(i + 1);
    ash_array *c = ash_from_host(cells, cell_dtype(), ASH_SHAPE(2, 2));
    CHECK_INTS(ash_field(ash_triu(c), "n"), 1, 2, 0, 4);
    CHECK_INTS(ash_field(ash_tril(c, .k = -1), "n"), 0, 0, 3, 0);
    CHECK_INTS(ash_field(ash_tril(ash_transpose(c)), "n"), 1, 0, 2, 4);
}

/* triu + tril below is the whole, for every dtype */
static void triangles_of_every_dtype(void)
{
    for
        EACH_DTYPE(dtype, ASH_BOOL, ASH_C_F64)
        {
            if (!ash_device_can(ash_resources_device(ash_current_resources()), ASH_CAP_F64) &&
                (dtype == ASH_F64 || dtype == ASH_C_F64))
                continue;
            ash_array *numbers = ash_convert(ash_reshape(ash_range(1, 16), ASH_SHAPE(3, 5)), ASH_I8);
            ash_array *x = dtype == ASH_BOOL ? ash_map("x -> x % 2 == 0", numbers) : ash_convert(numbers, dtype);
            ash_array *up = ash_triu(x, .k = 1), *down = ash_tril(x);
            CHECK(ash_dtype_of(up) == dtype);
            CHECK(same(ash_convert(ash_map(dtype == ASH_BOOL ? "(x, y) -> x || y" : "(x, y) -> x + y", up, down), dtype), x));
            CHECK(ash_item_bool(ash_all(ash_map("x -> x == 0", ash_diagonal(up)))));
        }
}

static void faults_here(void)
{
    ash_array *m = matrix(), *mask = ash_map("x -> x > 3", m);
    CHECK(!ash_select(m, ash_bool(1, 0, 1)));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_select: the mask has shape (3) and a (2, 3); they must be equal");
    CHECK(!ash_select(m, mask, .axes = ASH_AXES(0)));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_select: the mask has shape (2, 3); (2), the size of axis 0, is wanted");
    CHECK(!ash_select(m, ash_bool(1, 0, 1), .axes = ASH_AXES(0)));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_select: the mask has shape (3); (2), the size of axis 0, is wanted");
    CHECK(!ash_select(m, ash_bool(1, 0, 1), .axes = ASH_AXES(2)));
    CHECK_ERROR_HAS(ASH_ERR_BOUNDS, "axis 2");
    CHECK(!ash_select(m, ash_bool(1, 0, 1), .axes = ASH_AXES(0, 1)));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_select: 2 axes are given; slices are along one");
    CHECK(!ash_select(m, m));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_select: the mask is i64; bool is wanted");
    CHECK(!ash_select(m, NULL));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_select: mask is NULL");
    CHECK(!ash_triu(ash_f32(1, 2)));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_triu: a has shape (2); rank 2 or more is wanted");
    CHECK(!ash_tril(NULL));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_tril: a is NULL");
}

EVERYWHERE(select_elements, selected)
EVERYWHERE(select_records, selected_records)
EVERYWHERE(many_by_threads, many)
EVERYWHERE(triu_and_tril, triangles)
EVERYWHERE(triangle_dtypes, triangles_of_every_dtype)
EVERYWHERE(faults, faults_here)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(select_elements), TEST(select_records),  TEST(levels_agree), TEST(many_by_threads),
                                       TEST(triu_and_tril),   TEST(triangle_dtypes), TEST(faults)};
    return cmocka_run_group_tests_name("select", tests, NULL, NULL);
}
