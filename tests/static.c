/*
 * static.c - arrays whose sizes are fixed at compile time: the acceptance rows of the document on fixed-size arrays, then what
 * the rows leave out.
 *
 * Offsets and strides were worked out by hand from the sizes; elements are numbered so that a wrong stride shows.
 */
#undef ASH_CHECK_BOUNDS
#define ASH_CHECK_BOUNDS 1 /* also where NDEBUG is defined */
#include "test.h"

ASH_STATIC_ARRAY(euler_state, double, ASH_COL_MAJOR, 5, 4, 4, 4, ASH_DYNAMIC);
ASH_STATIC_ARRAY(euler_state2, double, ASH_COL_MAJOR, 5, 4, 4, 4, ASH_DYNAMIC);
ASH_STATIC_ARRAY(euler_rows, double, ASH_ROW_MAJOR, 5, 4, 4, 4, ASH_DYNAMIC);
ASH_STATIC_ARRAY(euler_reversed, double, ASH_ROW_MAJOR, ASH_DYNAMIC, 4, 4, 4, 5);
ASH_STATIC_ARRAY(line, double, ASH_ROW_MAJOR, ASH_DYNAMIC);
ASH_STATIC_ARRAY(pair5, double, ASH_COL_MAJOR, 5, ASH_DYNAMIC);
ASH_STATIC_ARRAY(mat2, double, ASH_COL_MAJOR, 2, ASH_DYNAMIC);
ASH_STATIC_ARRAY(cube, double, ASH_COL_MAJOR, 2, 3, ASH_DYNAMIC);
ASH_STATIC_ARRAY(tail3, double, ASH_COL_MAJOR, ASH_DYNAMIC, 3);
ASH_STATIC_ARRAY(planes, double, ASH_ROW_MAJOR, 3, ASH_DYNAMIC, ASH_DYNAMIC);
ASH_STATIC_ARRAY(tensor, float, ASH_ROW_MAJOR, 2, 3, 4);
ASH_STATIC_VALUE(vec3, int64_t, ASH_COL_MAJOR, 3);

/* The bits of the integers from 1 on, `ticks` of them, squared. */
typedef struct squares {
    int64_t at, end;
} squares;
static int next_square(void *state, ash_operand *element)
{
    squares *s = state;
    if (s->at > s->end)
        return 0;
    *element = ash_operand_i64(s->at * s->at);
    s->at++;
    return 1;
}

/* ---- rows */

static void row_001_13(void **state)
{
    (void)state;
    euler_state u = euler_state_new(3);
    euler_rows r = euler_rows_new(3);
    euler_reversed v = euler_reversed_new(3);
    static const int64_t size[] = {5, 4, 4, 4, 3}, col[] = {1, 5, 20, 80, 320}, row[] = {192, 48, 12, 3, 1},
                         reversed[] = {320, 80, 20, 5, 1};
    for (int k = 0; k < 5; k++) {
        CHECK(euler_state_size(&u, k) == size[k] && euler_state_stride(&u, k) == col[k]);
        CHECK(euler_rows_size(&r, k) == size[k] && euler_rows_stride(&r, k) == row[k]);
        CHECK(euler_reversed_size(&v, k) == size[4 - k] && euler_reversed_stride(&v, k) == reversed[k]);
    }
    CHECK(u.n4 == 3 && r.n4 == 3 && v.n0 == 3);
    CHECK(euler_state_length(&u) == 960 && euler_state_rank == 5);
    ash_array *a = euler_state_array(&u), *b = euler_rows_array(&r);
    CHECK_SHAPE(a, 5, 4, 4, 4, 3);
    CHECK_STRIDES(a, 1, 5, 20, 80, 320);
    CHECK_STRIDES(b, 192, 48, 12, 3, 1);
    ash_release(a);
    ash_release(b);
    euler_state_release(&u);
    euler_rows_release(&r);
    euler_reversed_release(&v);
}

static void row_001_14(void **state)
{
    (void)state;
    _Static_assert(euler_state_n1 == 4 && euler_state_st4 == 320, "");
    double tmp[euler_state_n1];
    CHECK(sizeof tmp == 4 * sizeof(double));
}

static void row_001_15(void **state)
{
    (void)state;
    _Static_assert(sizeof(euler_state) == sizeof(line), "");
    _Static_assert(sizeof(tensor) == 2 * sizeof(void *), "");
    CHECK(strcmp(euler_state_dims, "(5, 4, 4, 4, *)") == 0);
    CHECK(strcmp(tensor_dims, "(2, 3, 4)") == 0 && strcmp(line_dims, "(*)") == 0);
}

static void row_001_16(void **state)
{
    (void)state;
    euler_state u = euler_state_new(3);
    ash_array *a = euler_state_array(&u);
    euler_state2 u2 = euler_state2_from(a);
    CHECK(_Generic(u2, euler_state: 1, default: 0) == 0);
    CHECK(u2.data == u.data && u2.n4 == 3); /* without a copy */
    ash_release(a);
    euler_state_release(&u);
    CHECK_OK(euler_state2_fill(&u2, 1.5)); /* the memory is held */
    CHECK(*euler_state2_at(&u2, 4, 3, 3, 3, 2) == 1.5);
    euler_state2_release(&u2);
}

static void row_001_17(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    pair5 q = pair5_new(7);
    CHECK(pair5_size(&q, 0) == 5 && pair5_size(&q, 1) == 7);
    mat2 m = mat2_from(ash_from_host(((int64_t[]){10, 20, 30, 14}), ASH_I64, ASH_SHAPE(2, 2)));
    CHECK(mat2_size(&m, 0) == 2 && mat2_size(&m, 1) == 2);
    CHECK(*mat2_at(&m, 1, 0) == 30.0);
    pair5_release(&q);
    mat2_release(&m);
}

static void row_001_18(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    const ash_array *A = ash_from_host(((int64_t[]){1, 2, 3, 4, 5, 6}), ASH_I64, ASH_SHAPE(2, 3));
    mat2 m = mat2_from(A);
    CHECK(mat2_size(&m, 0) == 2 && mat2_size(&m, 1) == 3);
    CHECK(*mat2_at(&m, 1, 2) == 6.0 && *mat2_at(&m, 0, 1) == 2.0);
    mat2_release(&m);
    m = mat2_from(ash_zeros(ASH_SHAPE(3, 2)));
    CHECK(!m.data && !m.owner && m.n1 == -1);
    CHECK_ERROR(ASH_ERR_SHAPE, "mat2_from: a has shape (3, 2), which does not fit (2, *)");
}

static void row_001_19(void **state)
{
    (void)state;
    squares s = {1, 3};
    const ash_iterator it = {next_square, &s, -1};
    const vec3 w = vec3_collect(&it);
    CHECK(w.data[0] == 1 && w.data[1] == 4 && w.data[2] == 9);
    CHECK(sizeof w == 3 * sizeof(int64_t));
    for (int64_t n = 2; n <= 4; n += 2) {
        s = (squares){1, n};
        const vec3 wrong = vec3_collect(&it);
        CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "vec3_collect: ", "3");
        CHECK(wrong.data[0] == 0 && wrong.data[2] == 0);
    }
}

static void row_001_20(void **state)
{
    (void)state;
    double v[13] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13};
    cube c = cube_wrap(v, 12, ASH_INFER);
    CHECK(cube_size(&c, 0) == 2 && cube_size(&c, 1) == 3 && cube_size(&c, 2) == 2 && c.data == v && !c.owner);
    CHECK(*cube_at(&c, 1, 2, 1) == 12.0 && *cube_at(&c, 1, 0, 0) == 2.0);
    CHECK(*cube_at(&c, 0, 1, 0) == 3.0 && *cube_at(&c, 0, 0, 1) == 7.0);
    c = cube_wrap(v, 13, ASH_INFER);
    CHECK_ERROR(ASH_ERR_SHAPE, "cube_wrap: 13 elements cannot be divided by the 6 of the given sizes of (2, 3, -1)");
    CHECK(!c.data && c.n2 == -1);
}

static void row_001_21(void **state)
{
    (void)state;
    tail3 d = tail3_new(5);
    CHECK(tail3_size(&d, 0) == 5 && tail3_size(&d, 1) == 3);
    CHECK(tail3_stride(&d, 0) == 1 && tail3_stride(&d, 1) == 5 && tail3_st1 == (int)ASH_DYNAMIC);
    tail3_release(&d);
}

static void row_001_22(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK_SHAPE(ash_empty(ASH_SHAPE(mat2_n0, 3), .dtype = ASH_F64), 2, 3);
    mat2 m = mat2_new(3);
    CHECK(mat2_size(&m, 0) == 2 && m.n1 == 3);
    mat2_release(&m);
}

static void row_001_23(void **state)
{
    (void)state;
    mat2 m = mat2_new(3);
    CHECK(m.data && m.owner);
    mat2 k = mat2_like(&m);
    CHECK(k.data && k.data != m.data && mat2_size(&k, 0) == 2 && mat2_size(&k, 1) == 3);
    mat2_release(&m);
    mat2_release(&k);
}

/* The result is an ordinary array: f64 of the wanted shape. */
static void row_001_24(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    mat2 m = mat2_new(3);
    CHECK_OK(mat2_fill(&m, 2.5));
    ash_array *b = ash_map("x -> x + 1", mat2_array(&m));
    CHECK_SHAPE(b, 2, 3);
    CHECK(ash_dtype_of(b) == ASH_F64);
    CHECK_ALL(b, 3.5);
    mat2_release(&m);
}

static void row_001_25(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    double v[] = {1, 2, 3, 4, 5, 6};
    mat2 m = mat2_wrap(v, 6, 3);
    ash_array *b = ash_index(mat2_array(&m), ASH_ALL, 0);
    CHECK_SHAPE(b, 2);
    CHECK_FLOATS(b, 1, 2);
    v[0] = 9;
    CHECK_FLOATS(b, 1, 2);
}

static void row_001_26(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    double v[] = {1, 2, 3, 4, 5, 6};
    mat2 m = mat2_wrap(v, 6, 3), k = mat2_copy(&m);
    CHECK(k.data != m.data && *mat2_at(&k, 1, 2) == 6);
    CHECK_OK(mat2_fill(&k, 7.0));
    CHECK_FLOATS(mat2_array(&k), 7, 7, 7, 7, 7, 7);
    CHECK_OK(mat2_copy_into(&k, &m));
    CHECK_FLOATS(mat2_array(&k), 1, 3, 5, 2, 4, 6);
    CHECK_OK(mat2_map_into(&k, "x -> x + 1", mat2_array(&m)));
    CHECK_FLOATS(mat2_array(&k), 2, 4, 6, 3, 5, 7);
    CHECK(mat2_size(&k, 0) == 2 && mat2_size(&k, 1) == 3 && v[5] == 6);
    mat2_release(&k);
    k = mat2_from(ash_zeros(ASH_SHAPE(3, 3)));
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "mat2_from: ", "(3, 3)", "(2, *)");
}

static void row_001_27(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    mat2 m = mat2_new(3);
    CHECK_OK(mat2_fill(&m, 1));
    ash_array *a = mat2_array(&m);
    CHECK_SHAPE(ash_like(a, .dtype = ASH_F32, .shape = ASH_SHAPE(2, 3)), 2, 3);
    CHECK_SHAPE(ash_sum(a, .axes = ASH_AXES(0)), 1, 3);
    ash_array *b = ash_reshape(a, ASH_SHAPE(3, 2), .order = ASH_COL_MAJOR);
    ash_array *c = ash_reshape(a, ASH_SHAPE(6), .order = ASH_COL_MAJOR);
    CHECK_SHAPE(b, 3, 2);
    CHECK_SHAPE(c, 6);
    *mat2_at(&m, 1, 2) = 9;
    CHECK(ash_get_f64(b, 2, 1) == 9 && ash_get_f64(c, 5) == 9);
    mat2_release(&m);
}

static void row_001_29(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    mat2 m = mat2_from(ash_from_host(((int64_t[]){1, 2, 3, 4, 5, 6}), ASH_I64, ASH_SHAPE(2, 3)));
    mat2 k = mat2_adapt(&m, ASH_OPTIONS(ash_target, .storage = ASH_PRIVATE));
    CHECK(mat2_size(&k, 0) == 2 && mat2_size(&k, 1) == 3 && !k.data && k.owner);
    CHECK(ash_storage_of(mat2_array(&k)) == ASH_PRIVATE);
    CHECK_FLOATS(mat2_array(&k), 1, 2, 3, 4, 5, 6);
    mat2 l = mat2_adapt(&m, ASH_OPTIONS(ash_target, .dtype = ASH_F32));
    CHECK(!l.owner);
    CHECK_ERROR(ASH_ERR_DTYPE, "mat2_adapt: the target makes f32 of f64, which is part of the type");
    mat2_release(&m);
    mat2_release(&k);
}

static void row_001_33(void **state)
{
    (void)state;
    _Static_assert(euler_state_rank == 5 && euler_state_st2 == 20 && euler_state_n4 == (int)ASH_DYNAMIC, "");
    _Static_assert(euler_state_st0 == 1 && euler_state_n0 == 5 && euler_state_count == (int)ASH_DYNAMIC, "");
    _Static_assert(euler_rows_st4 == 1 && euler_rows_st3 == (int)ASH_DYNAMIC && euler_rows_st0 == (int)ASH_DYNAMIC, "");
    _Static_assert(euler_reversed_st0 == 320 && euler_reversed_n0 == (int)ASH_DYNAMIC, "");
    _Static_assert((int)euler_state_layout == (int)ASH_COL_MAJOR && (int)tensor_layout == (int)ASH_ROW_MAJOR, "");
    _Static_assert(tensor_count == 24 && tensor_st0 == 12 && tensor_st2 == 1 && vec3_count == 3, "");
    CHECK(euler_state_dtype() == ASH_F64 && tensor_dtype() == ASH_F32 && vec3_dtype() == ASH_I64);
    CHECK(_Generic((tensor_element *)0, float *: 1, default: 0));
    tensor t = tensor_new();
    CHECK(strcmp(ash_device_name(tensor_device(&t)), "cpu:0") == 0);
    tensor_release(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(row_001_13), TEST(row_001_14), TEST(row_001_15), TEST(row_001_16), TEST(row_001_17), TEST(row_001_18),
        TEST(row_001_19), TEST(row_001_20), TEST(row_001_21), TEST(row_001_22), TEST(row_001_23), TEST(row_001_24),
        TEST(row_001_25), TEST(row_001_26), TEST(row_001_27), TEST(row_001_29), TEST(row_001_33),
    };
    return cmocka_run_group_tests_name("static dimensions", tests, NULL, NULL);
}
