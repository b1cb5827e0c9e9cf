/*
 * make.c - making arrays, and what an array is: filled, like another, ranges, from host data and rows, wrapped, collected,
 * converted, copied; elements; options structs of another version of the library.
 *
 * Expected values follow by hand. Texts in full are those that the documentation promises.
 */
#include <complex.h>

#include "test.h"

ASH_RECORD(pixel, (u8, r), (u8, g), (u8, b));
ASH_RECORD(sample, (f32, at), (pixel, colour), (f64, weight));

/* ---- filled ----------------------------------------------------------------------------------------------------------------
 */

static void every_dtype_filled(void)
{
    for EACH_DTYPE(dtype, ASH_BOOL, ASH_C_F32) {
        if (dtype == ASH_F64)
            continue; /* not everywhere */
        for EACH_LAYOUT(layout) {
            ash_array *z = ash_zeros(ASH_SHAPE(3, 2), .dtype = dtype, .layout = layout);
            ash_array *o = ash_ones(ASH_SHAPE(3, 2), .dtype = dtype, .layout = layout);
            CHECK_ALL(z, 0);
            CHECK_ALL(o, 1);
            CHECK(ash_layout_of(o) == layout && ash_storage_of(o) == here.storage &&
                  ash_nbytes(o) == 6 * ash_dtype_size(dtype));
            CHECK_OK(ash_fill(z, 1));
            CHECK(ash_equal(z, o));
        }
    }
    CHECK_SCALAR(ash_zeros(ASH_SHAPE()));
    CHECK_FLOATS(ash_ones(ASH_SHAPE()), 1);
    ash_array *empty = ash_zeros(ASH_SHAPE(3, 0, 2));
    CHECK(ash_size(empty) == 0 && ash_nbytes(empty) == 0);
    CHECK_OK(ash_fill(empty, 3));
    CHECK(ash_dtype_of(ash_fill_new(ASH_SHAPE(2), (int8_t)7)) == ASH_I8);
    CHECK(ash_dtype_of(ash_fill_new(ASH_SHAPE(2), UINT64_C(7))) == ASH_U64);
    CHECK(ash_dtype_of(ash_fill_new(ASH_SHAPE(2), 1.0f * I)) == ASH_C_F32);
    CHECK_INTS(ash_fill_new(ASH_SHAPE(2), 7.9f, .dtype = ASH_I32), 7, 7);
    CHECK(ash_item_u64(ash_fill_new(ASH_SHAPE(1), UINT64_MAX)) == UINT64_MAX);
}
static void fills_refused(void)
{
    ash_array *a = ash_i32(1, 2);
    CHECK(ash_fill(a, 3e9f) == ASH_ERR_VALUE);
    CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_fill: ", "3000000000", "i32");
    CHECK(ash_fill(a, NAN) == ASH_ERR_VALUE);
    CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_fill: ", "nan");
    CHECK(ash_fill(a, 0.5f, .exact = true) == ASH_ERR_VALUE);
    CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_fill: ", "0.5");
    CHECK_INTS(a, 1, 2);
    CHECK(!ash_zeros(ASH_SHAPE(2), .layout = ASH_STRIDED));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_zeros: ");
    CHECK(!ash_zeros(ASH_SHAPE(2), .storage = (ash_storage)7));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_zeros: ");
}
static void filled(void **state)
{
    (void)state;
    everywhere(every_dtype_filled, false);
    everywhere(fills_refused, false);
}

static void large_fill(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *a = ash_fill_new(ASH_SHAPE(10000000), (int8_t)3);
    CHECK(ash_item_i64(ash_sum(a)) == 30000000 && ash_get_i8(a, 9999999) == 3);
}

/* ---- like another */

static void alike(void)
{
    ash_array *f = ash_ones(ASH_SHAPE(2, 3), .dtype = ASH_I16, .layout = ASH_COL_MAJOR);
    ash_array *l = ash_like(f);
    CHECK_SHAPE(l, 2, 3);
    CHECK(ash_dtype_of(l) == ASH_I16 && ash_layout_of(l) == ASH_COL_MAJOR && ash_storage_of(l) == here.storage);
    CHECK(ash_layout_of(ash_like(f, .layout = ASH_ROW_MAJOR)) == ASH_ROW_MAJOR);
    CHECK(ash_storage_of(ash_like(f, .storage = ASH_PRIVATE)) == ASH_PRIVATE);
    CHECK(ash_storage_of(ash_like(f, .storage = ASH_SHARED)) == ASH_SHARED);
    CHECK_SCALAR(ash_like(f, .shape = ASH_SHAPE()));
    ash_array *of_view = ash_like(ash_slice(f, ASH_OPEN, ASH_OPEN, .step = -1));
    CHECK(!ash_is_view(of_view) && ash_size(of_view) == 6);
    CHECK(ash_memory_of(ash_like(ash_zeros(ASH_SHAPE(2), .memory = ash_memory_malloc()))) == ash_memory_malloc());
    CHECK(ash_memory_of(f) == ash_memory_pool());
}
static void like(void **state)
{
    (void)state;
    everywhere(alike, false);
}

/* ---- ranges */

static void ranges_of_integers(void)
{
    ash_array *r = ash_range(0, 5);
    CHECK_INTS(r, 0, 1, 2, 3, 4);
    CHECK_INTS(ash_range(INT64_C(3), INT64_C(-3), .step = ASH_OPERAND(INT64_C(-2))), 3, 1, -1);
    CHECK_SHAPE(ash_range(3, 3), 0);
    CHECK_SHAPE(ash_range(3, 0), 0);
    CHECK_INTS(ash_range(0, 10, .step = ASH_OPERAND(4)), 0, 4, 8);
    CHECK_FLOATS(ash_range(0.0f, 1.0f, .step = ASH_OPERAND(0.25f)), 0, 0.25, 0.5, 0.75);
    ash_array *f = ash_range(-5, 5, .dtype = ASH_F32);
    CHECK(ash_dtype_of(f) == ASH_F32 && ash_size(f) == 10);
    CHECK(!ash_range(0, 5, .step = ASH_OPERAND(0)));
    CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_range: ", "step", "0");
    CHECK(!ash_range(0, 300, .dtype = ASH_I8));
    CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_range: ", "i8");
}
static void spaced(void)
{
    CHECK_FLOATS(ash_linspace(0, 1, 5), 0, 0.25, 0.5, 0.75, 1);
    CHECK_FLOATS(ash_linspace(0, 1, 4, .exclusive = true), 0, 0.25, 0.5, 0.75);
    CHECK_FLOATS(ash_linspace(1, -1, 3), 1, 0, -1);
    CHECK_FLOATS(ash_linspace(7, 9, 1), 7);
    CHECK_SHAPE(ash_linspace(7, 9, 0), 0);
    CHECK(ash_dtype_of(ash_linspace(0, 1, 2)) == ASH_F32);
    CHECK_INTS(ash_linspace(0, 10, 11, .dtype = ASH_I32), 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    CHECK(!ash_linspace(0, 1, -1));
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_linspace: ", "-1");
}
static void identities(void)
{
    CHECK_FLOATS(ash_eye(2), 1, 0, 0, 1);
    CHECK_SHAPE(ash_eye(2, .columns = 4), 2, 4);
    CHECK_FLOATS(ash_eye(2, .columns = 3, .diagonal = 1), 0, 1, 0, 0, 0, 1);
    CHECK_FLOATS(ash_eye(3, .columns = 2, .diagonal = -1), 0, 0, 1, 0, 0, 1);
    ash_array *c = ash_eye(3, .columns = 2, .layout = ASH_COL_MAJOR, .value = ASH_OPERAND((int16_t)5));
    CHECK_INTS(c, 5, 0, 0, 5, 0, 0);
    CHECK(ash_dtype_of(c) == ASH_I16 && ash_layout_of(c) == ASH_COL_MAJOR);
    CHECK_SHAPE(ash_eye(0), 0, 0);
    CHECK_SHAPE(ash_eye(0, .columns = 3), 0, 3);
    CHECK_ALL(ash_eye(2, .diagonal = 7), 0);
    CHECK(ash_item_f32(ash_sum(ash_eye(500, .columns = 300))) == 300);
    CHECK(!ash_eye(-1));
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_eye: ", "-1");
}
static void ranges(void **state)
{
    (void)state;
    everywhere(ranges_of_integers, false);
    everywhere(spaced, false);
    everywhere(identities, false);
}

/* ---- from the host and back */

static void host_data(void)
{
    const int16_t table[6] = {1, 2, 3, 4, 5, 6};
    for EACH_LAYOUT(layout) {
        ash_array *a = ash_from_host(table, ASH_I16, ASH_SHAPE(2, 3), .layout = layout);
        CHECK_INTS(a, 1, 2, 3, 4, 5, 6);
        CHECK(ash_layout_of(a) == layout);
        int16_t back[6] = {0};
        CHECK_OK(ash_to_host(a, back, sizeof back));
        CHECK(memcmp(back, table, sizeof table) == 0);
        CHECK_OK(ash_to_host(ash_transpose(a), back, sizeof back));
        CHECK(back[0] == 1 && back[1] == 4 && back[5] == 6);
    }
    CHECK_INTS(ash_from_host(table, ASH_I16, ASH_SHAPE(3, 2), .strides = ASH_SHAPE(1, 3)), 1, 4, 2, 5, 3, 6);
    CHECK_INTS(ash_from_host(table + 5, ASH_I16, ASH_SHAPE(3), .strides = ASH_SHAPE(-2)), 6, 4, 2);
    CHECK_INTS(ash_from_host(table, ASH_I16, ASH_SHAPE(2, 2), .strides = ASH_SHAPE(0, 1), .dtype = ASH_I8), 1, 2, 1, 2);
    CHECK(!ash_from_host(table, ASH_I16, ASH_SHAPE(2, 3), .strides = ASH_SHAPE(1)));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_from_host: ");
    CHECK_SHAPE(ash_from_host(NULL, ASH_F32, ASH_SHAPE(0, 2)), 0, 2);
    CHECK(!ash_from_host(NULL, ASH_F32, ASH_SHAPE(2)));
    CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_from_host: ", "NULL");
    CHECK(!ash_from_host(table, (ash_dtype)0, ASH_SHAPE(2)));
    CHECK_ERROR_HAS(ASH_ERR_DTYPE, "ash_from_host: ");

    float host[3] = {9, 9, 9};
    ash_array *a = ash_f32(1, 2, 3);
    CHECK(ash_to_host(a, host, sizeof host[0]) == ASH_ERR_SHAPE);
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_to_host: ", "4", "12");
    CHECK(host[0] == 9);
    int8_t bytes[3];
    CHECK_OK(ash_to_host_as(a, bytes, sizeof bytes, ASH_I8));
    CHECK(bytes[0] == 1 && bytes[2] == 3);
    CHECK(ash_to_host_as(ash_f32(1, 300, 0), bytes, sizeof bytes, ASH_I8) == ASH_ERR_VALUE);
    CHECK_ERROR(ASH_ERR_VALUE, "ash_to_host_as: element 1, 300.0, does not fit i8");
    CHECK(ash_to_host_as(ash_f32(0.5f), bytes, 1, ASH_I8, .exact = true) == ASH_ERR_VALUE);
    CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_to_host_as: element 0, 0.5, ");
    CHECK(ash_to_host_as(a, bytes, 2, ASH_I8) == ASH_ERR_SHAPE);
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_to_host_as: ", "2", "3");
}
static void exact_conversions(void)
{
    const double wide[] = {1, 0x1p24 + 1};
    CHECK(!ash_from_host(wide, ASH_F64, ASH_SHAPE(2), .dtype = ASH_F32, .exact = true));
    CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_from_host: element 1, 16777217.0, ", "f32");
    CHECK_FLOATS(ash_from_host(wide, ASH_F64, ASH_SHAPE(2), .dtype = ASH_F32), 1, 0x1p24);
    CHECK_INTS(ash_from_host(wide, ASH_F64, ASH_SHAPE(2), .dtype = ASH_I32, .exact = true), 1, 16777217);
    CHECK(!ash_from_host(((int64_t[]){2}), ASH_I64, ASH_SHAPE(1), .dtype = ASH_BOOL));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_from_host: element 0, 2, does not fit bool");
    CHECK(!ash_from_host(((ash_complex_f32[]){{1, 2}}), ASH_C_F32, ASH_SHAPE(1), .dtype = ASH_F32));
    CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_from_host: element 0, 1.0+2.0i, ");
    CHECK_FLOATS(ash_from_host(((ash_complex_f32[]){{1, 0}}), ASH_C_F32, ASH_SHAPE(1), .dtype = ASH_F32), 1);
}
static void from_and_to_host(void **state)
{
    (void)state;
    everywhere(host_data, false);
    everywhere(exact_conversions, false);
}

static void rows(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK_TEXT(ash_from_rows(ASH_ROWS(ASH_ROW(double, 5.1, 3.5), ASH_ROW(double, 4.9, 3.0)), .dtype = ASH_F32),
               "ash.matrix f32[2×2] row-major cpu:0\n [[5.1 3.5]\n  [4.9 3.0]]");
    CHECK(!ash_from_rows(ASH_ROWS(ASH_ROW(int32_t, 1, 2), ASH_ROW(int32_t, 5))));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_from_rows: row 1 has 1 element, but row 0 has 2: [5]");
    CHECK_TEXT(ash_from_rows(ASH_ROWS(ASH_ROW(float, 0))), "ash.matrix f32[1×1] row-major cpu:0 [[0.0]]");
    CHECK_SHAPE(ash_from_rows(ASH_ROWS(ASH_ROW(float), ASH_ROW(float))), 2, 0);
    double table[3][2] = {{1, 2}, {3, 4}, {5, 6}};
    ash_row row[3];
    for (int i = 0; i < 3; i++)
        row[i] = (ash_row){table[i], ASH_F64, 2};
    CHECK_TEXT(ash_from_rows(((ash_rows){row, 3}), .layout = ASH_COL_MAJOR),
               "ash.matrix f64[3×2] col-major cpu:0\n [[1.0 2.0]\n  [3.0 4.0]\n  [5.0 6.0]]");
    CHECK(!ash_from_rows(ASH_ROWS(ASH_ROW(double, 1), ASH_ROW(double, 1e10)), .dtype = ASH_I32));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_from_rows: element (1, 0), 10000000000.0, does not fit i32");
}

static int deleted;
static void count_and_free(void *context)
{
    deleted++;
    free(context);
}
static void wrapped(void **state)
{
    (void)state;
    deleted = 0;
    {
        ASH_SCOPE(scope);
        double *given = calloc(4, sizeof *given);
        ash_array *mine = ash_wrap(given, ASH_F64, 4, ASH_SHAPE(4), .deleter = count_and_free, .context = given);
        ash_array *tail = ash_view(mine, ASH_RANGE(2, 4));
        ash_release(mine); /* early, inside the scope that holds it: the view still holds the memory */
        CHECK(deleted == 0 && ash_item_f64(ash_sum(tail)) == 0);
    }
    CHECK(deleted == 1);
    int64_t v[6] = {1, 2, 3, 4, 5, 6};
    {
        ASH_SCOPE(scope);
        CHECK_INTS(ash_wrap(v, ASH_I64, 6, ASH_SHAPE(3, 2), .strides = ASH_SHAPE(1, 3)), 1, 4, 2, 5, 3, 6);
        CHECK_INTS(ash_wrap(v, ASH_I64, 6, ASH_SHAPE(2, 3), .layout = ASH_COL_MAJOR), 1, 3, 5, 2, 4, 6);
        CHECK_INTS(ash_wrap(v, ASH_I64, 1, ASH_SHAPE()), 1);
        CHECK_SHAPE(ash_wrap(NULL, ASH_I64, 0, ASH_SHAPE(0)), 0);
        CHECK(!ash_wrap(NULL, ASH_I64, 2, ASH_SHAPE(2)));
        CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_wrap: ", "NULL");
        CHECK(!ash_wrap(v, ASH_I64, -1, ASH_SHAPE(1)));
        CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_wrap: ", "-1");
        CHECK(!ash_wrap(v, ASH_I64, 6, ASH_SHAPE(2, 2)));
        CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_wrap: ", "6", "4");
    }
    /* a runtime that cannot be called from foreign threads asks for its contexts instead */
    void *contexts[2] = {NULL, NULL};
    ash_release(ash_wrap(v, ASH_I64, 6, ASH_SHAPE(6), .deferred = true, .context = &v[1]));
    CHECK(ash_deferred(contexts, 2) == 1 && contexts[0] == &v[1] && ash_deferred(contexts, 2) == 0);
}

/* ---- collected */

static int next_odd(void *state, ash_operand *out) /* 7, 8, 9 without 8 */
{
    int *i = state;
    while (++*i == 8)
        ;
    *out = ASH_OPERAND((int64_t)*i);
    return *i <= 9;
}
static int next_for_ever(void *state, ash_operand *out)
{
    (void)state;
    *out = ASH_OPERAND(1.0f);
    return 1;
}
static int next_mixed(void *state, ash_operand *out)
{
    int *i = state;
    *out = *i == 0 ? ASH_OPERAND(1) : ASH_OPERAND(2.5);
    return (*i)++ < 2;
}
static int next_nothing(void *state, ash_operand *out)
{
    (void)state, (void)out;
    return 0;
}
static int next_gives_up(void *state, ash_operand *out)
{
    (void)state, (void)out;
    return -1;
}
static int next_complex(void *state, ash_operand *out)
{
    int *i = state;
    *out = *i == 0 ? ASH_OPERAND(INT64_C(1)) : ASH_OPERAND(2 + 3 * I);
    return (*i)++ < 2;
}
static ash_dtype on_empty(void *context)
{
    return *(const ash_dtype *)context;
}
static int next_counted(void *state, ash_operand *out)
{
    *out = ASH_OPERAND(++*(int *)state);
    return 1;
}
/* An iterator that lies about its length, or does not end, is left as soon as that shows. */
static void collected_in_time(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    int at = 0;
    const ash_iterator endless = {next_counted, &at, -1}, five = {next_counted, &at, 5};
    CHECK(!ash_collect(&five) && at == 6);
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_collect: the iterator says it has 5 elements and gave at least 6");
    at = 0;
    CHECK(!ash_collect(&endless, .shape = ASH_SHAPE(2, 3)) && at == 7);
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_collect: the shape takes 6 elements, the iterator gives more");
    at = 0;
    CHECK(!ash_collect(&endless, .limit = 10) && at == 11);
    CHECK_ERROR_HAS(ASH_ERR_VALUE, "raise .limit");
    at = 0;
    CHECK(!ash_collect(&endless, .shape = ASH_SHAPE(2, -3)) && at == 0);
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_collect: size -3 of axis 1 is negative");
    CHECK(!ash_collect(&endless, .shape = ASH_SHAPE(ASH_INFER, ASH_INFER)) && at == 0);
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_collect: sizes of axes 0 and 1 are both to be inferred");
}
static void collected(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    int at = 6;
    const ash_iterator odd = {next_odd, &at, -1}, mix = {next_mixed, &at, -1}, endless = {next_for_ever, NULL, -1},
                       none = {next_nothing, NULL, -1}, off = {next_gives_up, NULL, -1}, numbers = {next_complex, &at, -1};
    CHECK_TEXT(ash_collect(&odd), "ash.vector i64[2] cpu:0 [7 9]");
    at = 6;
    CHECK_TEXT(ash_collect(&odd, .dtype = ASH_F64), "ash.vector f64[2] cpu:0 [7.0 9.0]");
    at = 6;
    CHECK_SHAPE(ash_collect(&odd, .shape = ASH_SHAPE(2, 1)), 2, 1);
    at = 6;
    CHECK(!ash_collect(&odd, .shape = ASH_SHAPE(3)));
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_collect: ", "2", "3");
    CHECK(!ash_collect(&endless, .limit = 100));
    CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_collect: ", "100", ".limit");
    at = 0;
    CHECK(!ash_collect(&mix));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_collect: cannot infer a dtype: element 0 is i32, element 1 is f64; give .dtype");
    at = 0;
    CHECK_TEXT(ash_collect(&mix, .dtype = ASH_F32), "ash.vector f32[2] cpu:0 [1.0 2.5]");
    at = 0;
    CHECK_TEXT(ash_collect(&mix, .infer = ASH_INFER_NUMBER), "ash.vector f64[2] cpu:0 [1.0 2.5]");
    CHECK(!ash_collect(&none));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_collect: cannot infer a dtype: the iterator is empty; give .dtype");
    CHECK(ash_size(ash_collect(&none, .dtype = ASH_I32)) == 0);
    ash_dtype given = ASH_I16;
    CHECK_TEXT(ash_collect(&none, .on_empty = on_empty, .context = &given), "ash.vector i16[0] cpu:0 []");
    CHECK(ash_dtype_of(ash_collect(&none, .dtype = ASH_U8, .on_empty = on_empty, .context = &given)) == ASH_U8);
    given = ASH_DTYPE_DEFAULT; /* it does not know either */
    CHECK(!ash_collect(&none, .on_empty = on_empty, .context = &given));
    CHECK_ERROR_HAS(ASH_ERR_DTYPE, "the iterator is empty");
    CHECK(ash_dtype_of(ash_collect(&none, .infer = ASH_INFER_NUMBER, .on_empty = on_empty, .context = &given)) == ASH_F64);
    at = 6;
    CHECK_TEXT(ash_collect(&odd, .shape = ASH_SHAPE(1, ASH_INFER)), "ash.matrix i64[1×2] row-major cpu:0 [[7 9]]");
    at = 6;
    CHECK(!ash_collect(&odd, .shape = ASH_SHAPE(3, ASH_INFER)));
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_collect: ", "2 elements", "(3, -1)");
    at = 8;
    CHECK_TEXT(ash_collect(&odd, .shape = ASH_SHAPE()), "ash.scalar i64 cpu:0 9");
    CHECK(ash_dtype_of(ash_collect(&none, .infer = ASH_INFER_NUMBER)) == ASH_F64);
    at = 0;
    CHECK(!ash_collect(&numbers, .infer = ASH_INFER_NUMBER));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_collect: cannot infer a dtype: element 1, 2.0+3.0i, is not a real number");
    CHECK(!ash_collect(&off, .dtype = ASH_F32));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_collect: ");
    at = 6;
    const ash_iterator liar = {next_odd, &at, 5};
    CHECK(!ash_collect(&liar));
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_collect: ", "2", "5");
    at = 0;
    CHECK(!ash_collect(&mix, .dtype = ASH_I32, .exact = true));
    CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_collect: element 1, 2.5, ");
}

/* ---- copies and conversions */

static void copies(void)
{
    for EACH_LAYOUT(layout) {
        ash_array *a = counting(1, ASH_F32, ASH_SHAPE(2, 3), layout), *c = ash_copy(a);
        CHECK(ash_equal(a, c) && !ash_shares_memory(a, c) && !ash_is_view(c) && ash_layout_of(c) == layout);
        CHECK(ash_layout_of(ash_copy(a, .layout = ASH_COL_MAJOR)) == ASH_COL_MAJOR);
        CHECK(ash_storage_of(ash_copy(a, .storage = ASH_PRIVATE)) == ASH_PRIVATE);
        CHECK(ash_storage_of(ash_copy(a, .storage = ASH_SHARED)) == ASH_SHARED);
        CHECK_FLOATS(ash_copy(ash_slice(a, ASH_OPEN, ASH_OPEN, .step = -1)), 4, 5, 6, 1, 2, 3);
        ash_array *i = ash_convert(a, ASH_I16);
        CHECK(ash_dtype_of(i) == ASH_I16 && ash_layout_of(i) == layout);
        ash_array *back = ash_slice(a, ASH_OPEN, ASH_OPEN, .step = -1); /* strided: no layout that was asked for */
        CHECK(ash_convert(back, ASH_F32) == back && ash_convert(a, ASH_F32, .layout = layout) == a);
        CHECK(ash_is_contiguous(ash_convert(back, ASH_F32, .layout = ASH_ROW_MAJOR)));
        CHECK_INTS(i, 1, 2, 3, 4, 5, 6);
        CHECK_OK(ash_copy_into(i, ash_map("x -> x + 10", a)));
        CHECK_INTS(i, 11, 12, 13, 14, 15, 16);
        CHECK(ash_copy_into(i, ash_f32(1, 2, 3, 1e6f, 5, 6)) == ASH_ERR_VALUE);
        CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_copy_into: element 3, ", "i16");
        CHECK(ash_copy_into(i, ash_f32(0.5f), .exact = true) == ASH_ERR_VALUE);
        CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_copy_into: ", "0.5");
    }
    /* linear order on both sides, the shapes need not match */
    ash_array *nine = ash_zeros(ASH_SHAPE(3, 3)), *four = ash_reshape(ash_f32(1, 2, 3, 4), ASH_SHAPE(2, 2));
    CHECK_OK(ash_copy_into(nine, four));
    CHECK_FLOATS(nine, 1, 2, 3, 4, 0, 0, 0, 0, 0);
    ash_array *same = ash_f32(1, 2);
    CHECK_OK(ash_copy_into(same, same));
    CHECK_FLOATS(same, 1, 2);
    CHECK(!ash_convert(ash_f32(1, NAN), ASH_I32));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_convert: element 1, nan, is not a finite number");
    CHECK(!ash_convert(ash_f32(1.5f), ASH_I32, .exact = true));
    CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_convert: element 0, 1.5, ");
}
static void ranges_copied(void)
{
    ash_array *a = ash_i32(0, 1, 2, 3, 4), *b = ash_i32(10, 11, 12);
    CHECK_OK(ash_copy_range(a, 1, b, 0, 3));
    CHECK_INTS(a, 0, 10, 11, 12, 4);
    CHECK_OK(ash_copy_range(a, 1000, b, -7, 0)); /* nothing to copy, wherever */
    CHECK(ash_copy_range(a, 0, b, 0, -1) == ASH_ERR_ARGUMENT);
    CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_copy_range: ", "-1");
    CHECK(ash_copy_range(a, 3, b, 0, 3) == ASH_ERR_BOUNDS);
    CHECK_ERROR_PARTS(ASH_ERR_BOUNDS, "ash_copy_range: ", "5");
    CHECK(ash_copy_range(a, 0, b, 2, 2) == ASH_ERR_BOUNDS);
    CHECK_ERROR_PARTS(ASH_ERR_BOUNDS, "ash_copy_range: ", "3");
    CHECK(ash_copy_range(a, -1, b, 0, 1) == ASH_ERR_BOUNDS);
    CHECK_ERROR_PARTS(ASH_ERR_BOUNDS, "ash_copy_range: ", "-1");
    CHECK(ash_copy_range(a, INT64_MAX, b, 0, INT64_MAX) == ASH_ERR_BOUNDS);
    CHECK_ERROR_HAS(ASH_ERR_BOUNDS, "ash_copy_range: ");
    CHECK_INTS(a, 0, 10, 11, 12, 4);
    ash_array *m = counting(0, ASH_I32, ASH_SHAPE(2, 2), ASH_COL_MAJOR);
    CHECK_OK(ash_copy_range(m, 1, b, 0, 2)); /* positions in row-major order whatever the layout */
    CHECK_INTS(m, 0, 10, 11, 3);
    CHECK_OK(ash_copy_range(ash_transpose(m), 0, b, 2, 1));
    CHECK_INTS(m, 12, 10, 11, 3);
}
static void given_back(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *a = ash_f32(1, 2);
    CHECK(ash_convert(a, ASH_F32) == a && ash_contiguous(a) == a);
    CHECK(ash_convert(a, ASH_F64) != a);
    CHECK(ash_copy(a) != a);
}
static void copy_and_convert(void **state)
{
    (void)state;
    everywhere(copies, false);
    everywhere(ranges_copied, false);
}

static void records(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    const sample host[2] = {{0.5f, {1, 2, 3}, 0.25}, {1.5f, {4, 5, 6}, 0.75}};
    ash_array *a = ash_from_host(host, sample_dtype(), ASH_SHAPE(2)), *c = ash_copy(a);
    CHECK_TEXT(a, "ash.vector sample[2] cpu:0 [(at = 0.5, colour = (r = 1, g = 2, b = 3), weight = 0.25) "
                  "(at = 1.5, colour = (r = 4, g = 5, b = 6), weight = 0.75)]");
    CHECK_INTS(ash_field(ash_field(c, "colour"), "g"), 2, 5);
    CHECK(sample_dtype() == sample_dtype() && sample_dtype() >= ASH_RECORD_FIRST && sample_dtype() != pixel_dtype());
    CHECK(strcmp(ash_dtype_name(pixel_dtype()), "pixel") == 0 && ash_dtype_size(pixel_dtype()) == 3);
    CHECK(ash_dtype_field_count(sample_dtype()) == 3);
    CHECK_OK(ash_copy_into(c, ash_slice(a, ASH_OPEN, ASH_OPEN, .step = -1)));
    CHECK_FLOATS(ash_field(c, "at"), 1.5, 0.5);
    CHECK(!ash_map("x -> x + 1", a));
    CHECK_ERROR_PARTS(ASH_ERR_DTYPE, "ash_map: ", "sample");
    CHECK(!ash_sum(a));
    CHECK_ERROR_PARTS(ASH_ERR_DTYPE, "ash_sum: ", "sample");
    CHECK(!ash_convert(a, ASH_F32));
    CHECK_ERROR_PARTS(ASH_ERR_DTYPE, "ash_convert: ", "sample");
    CHECK_FLOATS(ash_map("x -> x.at * 2f", a), 1, 3);
    CHECK_FLOATS(ash_map("x -> x.weight + x.colour.r", a), 1.25, 4.75);
}

/* ---- elements */

static void elements(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *m = counting(0, ASH_I32, ASH_SHAPE(2, 3), ASH_COL_MAJOR);
    CHECK(ash_get_i32(m, 1, 2) == 5 && ash_get_f64(m, 0, 1) == 1 && ash_get_i8(m, 1, 0) == 3 && ash_get_u64(m, 1, 1) == 4);
    CHECK(ash_get_c_f64(m, 1, 2).re == 5 && ash_get_bool(m, 0, 1));
    CHECK_OK(ash_set_i32(m, -1, 0, 0));
    CHECK(ash_get_u8(m, 0, 0) == 0);
    CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_get_u8: ", "-1", "u8");
    CHECK_OK(ash_set_f32(m, -1.5f, 0, 0)); /* stored as host data are: toward zero; what does not fit is refused */
    CHECK(ash_set_f64(m, 3e9, 0, 0) == ASH_ERR_VALUE);
    CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_set_f64: ", "3000000000", "i32");
    CHECK(ash_set_f32(m, NAN, 0, 0) == ASH_ERR_VALUE);
    CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_set_f32: ", "nan");
    CHECK(ash_get_i32(m, 0, 0) == -1);
    CHECK(ash_get_i32(m, 1) == 0);
    CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_get_i32: ", "1", "2");
    ash_array *s = ash_fill_new(ASH_SHAPE(), 2.5);
    CHECK(ash_get_f64(s) == 2.5 && ash_item(s, double) == 2.5 && ash_item_f32(s) == 2.5f);
    CHECK(isnan(ash_item_f32(ash_fill_new(ASH_SHAPE(), 0.1)))); /* not a value of f32 */
    CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_item_f32: ", "0.1", "f32");
    CHECK(ash_item(ash_fill_new(ASH_SHAPE(1, 1), 7), int64_t) == 7);
    CHECK(ash_item_i64(ash_f32(1, 2)) == 0);
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_item_i64: ", "2");
    CHECK(ash_item_i32(s) == 0);
    CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_item_i32: ", "2.5");
    CHECK(!ash_item_bool(NULL));
    CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_item_bool: ", "NULL");
    CHECK(ash_get_f32(ash_f16(0.1), 0) == 0x1.998p-4f && ash_get_f32(ash_bf16(0.1), 0) == 0x1.9ap-4f);
    ash_array *h = ash_f16(0);
    CHECK_OK(ash_set_f32(h, 1.5f, 0));
    CHECK(ash_get_f64(h, 0) == 1.5);
    ash_array *z = ash_c_f64(1 + 2 * I);
    CHECK(isnan(ash_get_f64(z, 0)));
    CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_get_f64: ", "1.0+2.0i");
}

static void questions(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK(ash_rank(NULL) == -1);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_rank: a is NULL");
    CHECK(ash_shape(NULL)[0] == -1 && ash_shape(NULL)[31] == -1);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_shape: a is NULL");
    CHECK(ash_strides(NULL)[5] == -1 && ash_byte_strides(NULL)[31] == -1 && ash_size(NULL) == -1 && ash_nbytes(NULL) == 0);
    ash_error_clear();
    CHECK(!ash_zeros(ASH_SHAPE(ash_shape(NULL)[0]))); /* no crash, and the first cause */
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_shape: a is NULL");
    CHECK(ash_dtype_of(NULL) == ASH_DTYPE_DEFAULT && !ash_is_view(NULL) && !ash_device_of(NULL) && !ash_same_shape(NULL, NULL));
    ash_error_clear();
    ash_array *a = ash_zeros(ASH_SHAPE(2, 3, 4), .dtype = ASH_C_F64);
    CHECK(strcmp(ash_shape_text(a), "(2, 3, 4)") == 0 && strcmp(ash_shape_text(ash_f32(1)), "(1)") == 0);
    CHECK(strcmp(ash_shape_text(ash_zeros(ASH_SHAPE())), "()") == 0);
    CHECK(ash_nbytes(a) == 24 * 16 && ash_byte_strides(a)[0] == 192 && ash_byte_strides(a)[2] == 16);
    CHECK(strcmp(ash_layout_name(ASH_ROW_MAJOR), "row-major") == 0 &&
          strcmp(ash_layout_name(ASH_COL_MAJOR), "col-major") == 0 && strcmp(ash_layout_name(ASH_STRIDED), "strided") == 0);
    CHECK_SHAPE(ash_zeros(ash_dims_of(a)), 2, 3, 4);
    ash_array *e = ash_zeros(ASH_SHAPE(2, 0)); /* an empty array reports strides 0 and is in both layouts */
    CHECK_STRIDES(e, 0, 0);
    CHECK(ash_layout_of(e) == ASH_ROW_MAJOR && ash_is_contiguous(e, .layout = ASH_COL_MAJOR));
    CHECK(ash_equal(ash_f64(NAN), ash_f64(NAN)) == false && ash_equal(ash_f64(NAN), ash_f64(NAN), .identical = true));
    CHECK(ash_equal(ash_f64(0.0), ash_f64(-0.0)) && !ash_equal(ash_f64(0.0), ash_f64(-0.0), .identical = true));
    CHECK(!ash_equal(ash_f32(1, 2), ash_reshape(ash_f32(1, 2), ASH_SHAPE(2, 1))));
}

/* ---- options structs of another version */

static void option_versions(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *n = ash_i32(1, 0, 1);
    const ash_reduce_options unsized = {.drop = true};
    CHECK(!ash_sum_opt(n, &unsized));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_sum: struct_size is 0; set it to the size of the options struct");
    struct {
        ash_reduce_options known;
        int64_t extra;
    } newer = {.known = {.drop = true, .struct_size = sizeof newer}};
    CHECK(ash_item(ash_sum_opt(n, &newer.known), int32_t) == 2);
    newer.extra = 1;
    CHECK(!ash_sum_opt(n, &newer.known));
    CHECK_ERROR_HAS(ASH_ERR_UNSUPPORTED, "ash_sum: ");
    const ash_reduce_options older = {.struct_size = offsetof(ash_reduce_options, init), .axes = ASH_AXES(0)};
    CHECK_TEXT(ash_sum_opt(n, &older), "ash.vector i64[1] cpu:0 [2]");
    const ash_make_options empty = {.dtype = ASH_F64};
    CHECK(!ash_zeros_opt(ASH_SHAPE(2), &empty));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_zeros: struct_size is 0");
    CHECK(ash_dtype_of(ash_zeros_opt(ASH_SHAPE(2), NULL)) == ASH_F32);
    const ash_make_options short_one = {
        .struct_size = offsetof(ash_make_options, layout), .dtype = ASH_I8, .layout = ASH_STRIDED};
    CHECK(ash_dtype_of(ash_zeros_opt(ASH_SHAPE(2, 2), &short_one)) == ASH_I8); /* what lies beyond its size is not read */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(filled),    TEST(large_fill), TEST(like),       TEST(ranges),           TEST(from_and_to_host),
        TEST(rows),      TEST(wrapped),    TEST(collected),  TEST(collected_in_time), TEST(copy_and_convert), TEST(given_back),
        TEST(records),   TEST(elements),   TEST(questions),  TEST(option_versions),
    };
    return cmocka_run_group_tests_name("making arrays", tests, NULL, NULL);
}
