/*
 * static.c - arrays whose sizes are fixed at compile time: the acceptance rows of the document on fixed-size arrays, then what
 * the rows leave out.
 *
 * Offsets and strides were worked out by hand from the sizes; elements are numbered so that a wrong stride shows.
 */
#include <complex.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/alloc.h"
#include "test.h"

#undef ASH_CHECK_BOUNDS
#define ASH_CHECK_BOUNDS 1 /* also where NDEBUG is defined */

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
ASH_STATIC_VALUE(square2, float, ASH_ROW_MAJOR, 2, 2);
ASH_STATIC_ARRAY(column, float, ASH_COL_MAJOR, 3, ASH_DYNAMIC);
ASH_STATIC_ARRAY(waves, double _Complex, ASH_ROW_MAJOR, 2, 2);
ASH_STATIC_ARRAY(bytes, uint8_t, ASH_ROW_MAJOR, ASH_DYNAMIC);
ASH_STATIC_ARRAY_OF(halves, uint16_t, ASH_F16, ASH_ROW_MAJOR, ASH_DYNAMIC);
ASH_STATIC_ARRAY_OF(mistaken, uint16_t, ASH_F32, ASH_ROW_MAJOR, ASH_DYNAMIC);
ASH_STATIC_ARRAY_OF(unknown, float, (ash_dtype)0, ASH_ROW_MAJOR, ASH_DYNAMIC);
ASH_STATIC_ARRAY_LIKE(mat2f, float, mat2);
ASH_STATIC_ARRAY_LIKE(tensor_counts, int32_t, tensor);
ASH_STATIC_ARRAY_LIKE(planes_bits, bool, planes);
ASH_RECORD(particle, (f32, x, 3), (f64, m));
ASH_STATIC_ARRAY_OF(cloud, particle, particle_dtype(), ASH_ROW_MAJOR, 2, ASH_DYNAMIC);

/* The squares of the integers from `at` to `end`. */
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
    CHECK_OK(mat2_rand(&k));
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

/* The stream of a vector with the same seed, in the order of the memory. */
static void row_001_32(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK_OK(ash_rng_seed(ash_default_rng(), 1));
    const ash_array *stream = ash_rand(ASH_SHAPE(6), .dtype = ASH_F64);
    mat2 m = mat2_new(3);
    CHECK_OK(ash_rng_seed(ash_default_rng(), 1));
    CHECK_OK(mat2_rand(&m));
    CHECK(m.data[0] == 0.8741119351871308 && m.data[1] == 0.6561031684921107);
    for (int64_t i = 0; i < 6; i++)
        CHECK(m.data[i] == ash_get_f64(stream, i));
    mat2_release(&m);
    square2 s = square2_new();
    CHECK_OK(square2_rand(&s));
    CHECK(s.data[0] > 0 && s.data[0] < 1 && s.data[3] != s.data[0]);
    CHECK(mat2_rand(&m) == ASH_ERR_ARGUMENT); /* released above */
    CHECK_ERROR(ASH_ERR_ARGUMENT, "mat2_rand: the array is NULL");
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

/* ---- every rank, both layouts: the offset of static.h against that of an ordinary array */

#define RANKS(LAYOUT, name)                                                                                             \
    ASH_STATIC_ARRAY(name##1, int32_t, LAYOUT, ASH_DYNAMIC);                                                            \
    ASH_STATIC_ARRAY(name##2, int32_t, LAYOUT, 3, ASH_DYNAMIC);                                                         \
    ASH_STATIC_ARRAY(name##3, int32_t, LAYOUT, ASH_DYNAMIC, 3, 2);                                                      \
    ASH_STATIC_ARRAY(name##4, int32_t, LAYOUT, 2, ASH_DYNAMIC, 3, 2);                                                   \
    ASH_STATIC_ARRAY(name##5, int32_t, LAYOUT, 2, 3, 2, 3, ASH_DYNAMIC);                                                \
    ASH_STATIC_ARRAY(name##6, int32_t, LAYOUT, ASH_DYNAMIC, 3, 2, ASH_DYNAMIC, 2, 1);                                   \
    ASH_STATIC_ARRAY(name##7, int32_t, LAYOUT, 2, 3, 2, 1, 2, 2, 3);                                                    \
    ASH_STATIC_ARRAY(name##8, int32_t, LAYOUT, ASH_DYNAMIC, ASH_DYNAMIC, ASH_DYNAMIC, ASH_DYNAMIC, ASH_DYNAMIC,         \
                     ASH_DYNAMIC, ASH_DYNAMIC, ASH_DYNAMIC);                                                            \
    ASH_STATIC_ARRAY_LIKE(name##_like8, float, name##8)
RANKS(ASH_ROW_MAJOR, row);
RANKS(ASH_COL_MAJOR, col);

/* An index into the ordinary array a, drawn; gives the offset by its strides. */
static int64_t draw_index(const ash_array *a, int64_t index[8])
{
    static uint64_t seed = 1;
    int64_t offset = 0;
    for (int64_t k = 0; k < 8; k++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        index[k] = k < ash_rank(a) ? (int64_t)(seed >> 33) % ash_shape(a)[k] : 0;
        offset += k < ash_rank(a) ? index[k] * ash_strides(a)[k] : 0;
    }
    return offset;
}
#define CHECK_RANK(name, fresh, ...)                                                                                    \
    do {                                                                                                                \
        name u = fresh;                                                                                                 \
        ash_array *a = name##_array(&u);                                                                                \
        int64_t i[8], length = 1;                                                                                       \
        CHECK(ash_rank(a) == name##_rank);                                                                              \
        for (int64_t k = 0; k < name##_rank; k++) {                                                                     \
            CHECK(ash_shape(a)[k] == name##_size(&u, k) && ash_strides(a)[k] == name##_stride(&u, k));                  \
            length *= ash_shape(a)[k];                                                                                  \
        }                                                                                                               \
        CHECK(name##_length(&u) == length && name##_size(&u, name##_rank) == -1 && name##_stride(&u, -1) == -1);        \
        for (int round = 0; round < 20; round++) {                                                                      \
            const int64_t offset = draw_index(a, i);                                                                    \
            CHECK(name##_offset(&u, __VA_ARGS__) == offset && name##_at(&u, __VA_ARGS__) == u.data + offset);           \
        }                                                                                                               \
        ash_release(a);                                                                                                 \
        name##_release(&u);                                                                                             \
    } while (0)
#define CHECK_RANKS(name)                                                                                               \
    CHECK_RANK(name##1, name##1_new(7), i[0]);                                                                          \
    CHECK_RANK(name##2, name##2_new(4), i[0], i[1]);                                                                    \
    CHECK_RANK(name##3, name##3_new(5), i[0], i[1], i[2]);                                                              \
    CHECK_RANK(name##4, name##4_new(4), i[0], i[1], i[2], i[3]);                                                        \
    CHECK_RANK(name##5, name##5_new(2), i[0], i[1], i[2], i[3], i[4]);                                                  \
    CHECK_RANK(name##6, name##6_new(2, 5), i[0], i[1], i[2], i[3], i[4], i[5]);                                         \
    CHECK_RANK(name##7, name##7_new(), i[0], i[1], i[2], i[3], i[4], i[5], i[6]);                                       \
    CHECK_RANK(name##8, name##8_new(2, 1, 3, 2, 2, 1, 2, 3), i[0], i[1], i[2], i[3], i[4], i[5], i[6], i[7]);           \
    CHECK_RANK(name##_like8, name##_like8_new(2, 1, 3, 2, 2, 1, 2, 3), i[0], i[1], i[2], i[3], i[4], i[5], i[6], i[7])

static void all_ranks(void **state)
{
    (void)state;
    CHECK_RANKS(row);
    CHECK_RANKS(col);
}

/* ---- checked accesses */

static struct {
    jmp_buf back;
    int64_t index, size, axis;
} bounds;
__attribute__((noreturn)) static void catch_bounds(int64_t index, int64_t size, int64_t axis)
{
    bounds.index = index;
    bounds.size = size;
    bounds.axis = axis;
    longjmp(bounds.back, 1);
}
#define CHECK_OUTSIDE(access, i, n, k)                                                                     \
    do {                                                                                                   \
        if (setjmp(bounds.back) == 0) {                                                                    \
            (void)(access);                                                                                \
            FAIL("%s is not caught", #access);                                                             \
        }                                                                                                  \
        CHECK(bounds.index == (i) && bounds.size == (n) && bounds.axis == (k));                            \
    } while (0)

static void out_of_bounds(void **state)
{
    (void)state;
    static double v[12];
    static vec3 w;
    static cube c;
    c = cube_wrap(v, 12, 2);
    CHECK(ash_set_bounds_handler(catch_bounds) == NULL && ash_get_bounds_handler() == catch_bounds);
    CHECK_OUTSIDE(*cube_at(&c, 2, 0, 0), 2, 2, 0);
    CHECK_OUTSIDE(*cube_at(&c, 1, 3, 0), 3, 3, 1);
    CHECK_OUTSIDE(*cube_at(&c, 1, 2, 2), 2, 2, 2);
    CHECK_OUTSIDE(*cube_at(&c, -1, 0, 0), -1, 2, 0);
    CHECK_OUTSIDE(ASH_AT(cube, &c, 0, 0, INT64_MIN) = 1, INT64_MIN, 2, 2);
    CHECK_OUTSIDE(ASH_AT(cube, &c, 0, INT64_MAX, 0) += 1, INT64_MAX, 3, 1);
    CHECK_OUTSIDE(cube_offset(&c, 0, 0, 5), 5, 2, 2);
    CHECK_OUTSIDE(*vec3_at(&w, 3), 3, 3, 0);
    CHECK_OUTSIDE(ASH_AT(vec3, &w, -1) = 1, -1, 3, 0);
    static mat2f m;
    m = mat2f_new(3);
    CHECK_OUTSIDE(*mat2f_at(&m, 1, 3), 3, 3, 1);
    CHECK_OUTSIDE(mat2f_offset(&m, 2, 0), 2, 2, 0);
    mat2f_release(&m);
    CHECK_OUTSIDE(*mat2f_at(&m, 0, 0), 0, -1, -1); /* no elements any more */
    const cube shape = cube_shape(2); /* has offsets, and no elements */
    CHECK(cube_offset(&shape, 1, 2, 1) == 11);
    CHECK_OUTSIDE(*cube_at(&shape, 0, 0, 0), 0, -1, -1);
    CHECK(ash_set_bounds_handler(NULL) == catch_bounds);
    for (int i = 0; i < 12; i++)
        CHECK(v[i] == 0);
}

/* What a process prints to stderr that has no handler, and that it is aborted. */
static void check_death(void (*body)(void), const char *want)
{
    int ends[2];
    char text[256] = "";
    CHECK(pipe(ends) == 0);
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGABRT, SIG_DFL); /* cmocka catches it, and so do sanitizers */
        dup2(ends[1], STDERR_FILENO);
        close(ends[0]);
        body();
        _exit(0);
    }
    close(ends[1]);
    size_t n = 0;
    for (ssize_t got; n < sizeof text - 1 && (got = read(ends[0], text + n, sizeof text - 1 - n)) > 0;)
        n += (size_t)got;
    close(ends[0]);
    int status = 0;
    CHECK(waitpid(child, &status, 0) == child);
    CHECK(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT);
    if (strcmp(text, want) != 0)
        FAIL("it printed %s", text);
}
static void read_past_the_end(void)
{
    const vec3 w = vec3_new();
    volatile int three = 3;
    printf("%lld", (long long)*vec3_at(&w, three));
}
static void read_private(void)
{
    CHECK_OK(ash_set_default_storage(ASH_PRIVATE));
    mat2 m = mat2_new(2);
    printf("%g", *mat2_at(&m, 0, 0));
}
static void default_handler(void **state)
{
    (void)state;
    check_death(read_past_the_end, "index 3 is out of bounds for axis 0 of size 3\n");
    check_death(read_private, "the elements are in memory that the host cannot read\n");
}

/* ---- wrapped */

static void wrapped(void **state)
{
    (void)state;
    _Alignas(double) char room[13 * sizeof(double)] = {0};
    double *const v = (double *)(void *)room;
    planes p = planes_wrap(v, 12, 2, ASH_INFER);
    CHECK(p.data == v && p.n1 == 2 && p.n2 == 2);
    p = planes_wrap(v, 12, ASH_INFER, 4);
    CHECK(p.n1 == 1 && p.n2 == 4);
    line l = line_wrap(NULL, 0, ASH_INFER);
    CHECK(l.n0 == 0 && line_length(&l) == 0 && !ash_failed());
    tensor t = tensor_wrap((float *)(void *)room, 24);
    CHECK((void *)t.data == room);
    static const struct {
        int64_t offset, length, n1, n2;
        ash_status status;
        const char *text;
    } cases[] = {
        {0, 12, ASH_INFER, ASH_INFER, ASH_ERR_ARGUMENT, "sizes of axes 1 and 2 are both to be inferred; one can be"},
        {0, 12, 3, ASH_INFER, ASH_ERR_SHAPE, "12 elements cannot be divided by the 9 of the given sizes of (3, 3, -1)"},
        {0, 12, 0, ASH_INFER, ASH_ERR_SHAPE, "12 elements cannot be divided by the 0 of the given sizes of (3, 0, -1)"},
        {0, 12, 2, 3, ASH_ERR_SHAPE, "shape (3, 2, 3) takes 18 elements, given 12"},
        {0, 12, -2, -2, ASH_ERR_SHAPE, "size -2 of axis 1 is negative"},
        {0, -12, 2, 2, ASH_ERR_ARGUMENT, "length is -12; it must not be negative"},
        {-1, 12, 2, 2, ASH_ERR_ARGUMENT, "data is NULL"},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        p = planes_wrap(cases[i].offset < 0 ? NULL : v, cases[i].length, cases[i].n1, cases[i].n2);
        CHECK_ERROR_PARTS(cases[i].status, "planes_wrap: ", cases[i].text);
        CHECK(!p.data && !p.owner && p.n1 == -1 && p.n2 == -1 && planes_length(&p) == -1);
    }
    p = planes_wrap((double *)(void *)(room + 4), 12, 2, 2);
    CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "planes_wrap: data is at ", "which is not aligned to the 8 bytes of f64");
    t = tensor_wrap((float *)(void *)room, 23);
    CHECK_ERROR(ASH_ERR_SHAPE, "tensor_wrap: shape (2, 3, 4) takes 24 elements, given 23");
    (void)t;
}

/* ---- both directions */

static void shared_both_ways(void **state)
{
    (void)state;
    mat2 m;
    {
        ASH_SCOPE(scope);
        m = mat2_new(3); /* outside of all scopes */
        ash_array *a = mat2_array(&m);
        CHECK_OK(ash_fill(a, 2.0));
        CHECK(*mat2_at(&m, 1, 2) == 2 && ash_map_host(a) == m.data);
        mat2 k = mat2_from(a);
        CHECK(k.data == m.data);
        mat2_release(&k);
        CHECK_SHAPE(mat2_parent(&m), 6);
        CHECK(ash_map_host(mat2_parent(&m)) == m.data);
    }
    CHECK(*mat2_at(&m, 1, 2) == 2);
    ash_array *a = mat2_array(&m);
    mat2_release(&m);
    CHECK(!m.data && !m.owner && m.n1 == -1);
    CHECK_ALL(a, 2); /* the array holds the memory */
    ash_release(a);
    double v[4] = {1, 2, 3, 4};
    {
        ASH_SCOPE(scope);
        mat2 lent = mat2_wrap(v, 4, 2);
        CHECK_OK(ash_map_into(mat2_array(&lent), "x -> 10*x", mat2_array(&lent)));
        CHECK(v[0] == 10 && v[3] == 40);
        CHECK_FLOATS(mat2_parent(&lent), 10, 20, 30, 40);
    }
}

/* What is no memory that a program can write as it is, is copied. */
static void copied_from(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    double v[] = {1, 2, 3, 4, 5, 6};
    ash_array *rows = ash_wrap(v, ASH_F64, 6, ASH_SHAPE(2, 3)),
              *lent = ash_wrap(v, ASH_F64, 6, ASH_SHAPE(2, 3), .layout = ASH_COL_MAJOR, .readonly = true);
    ash_array *const sources[] = {rows,
                                  lent,
                                  ash_view(ash_wrap(v, ASH_F64, 6, ASH_SHAPE(2, 3), .layout = ASH_COL_MAJOR), ASH_ALL,
                                           ASH_RANGE(2, 0, -1)),
                                  ash_convert(rows, ASH_I8),
                                  ash_broadcast_to(ash_wrap(v, ASH_F64, 1, ASH_SHAPE()), ASH_SHAPE(2, 3))};
    for (int i = 0; i < COUNT(sources); i++) {
        mat2 m = mat2_from(sources[i]);
        CHECK(m.data && m.data != v && !ash_shares_memory(m.owner, sources[i]));
        for (int64_t r = 0; r < 2; r++)
            for (int64_t c = 0; c < m.n1; c++)
                CHECK(*mat2_at(&m, r, c) == ash_get_f64(sources[i], r, c));
        mat2_release(&m);
    }
    mat2 m = mat2_from(ash_transpose(ash_wrap(v, ASH_F64, 6, ASH_SHAPE(3, 2))));
    CHECK(m.data == v); /* dense in its layout */
    mat2_release(&m);
    ash_array *z = ash_reshape(ash_c_f64(1 + 2 * I, 3, 4, 5 - 1 * I), ASH_SHAPE(2, 2));
    waves w = waves_from(ash_adjoint(z));
    CHECK(creal(*waves_at(&w, 1, 0)) == 3 && cimag(*waves_at(&w, 0, 0)) == -2 && cimag(*waves_at(&w, 1, 1)) == 1);
    waves_release(&w);
}

static void refused_sources(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    static const struct {
        const char *text;
        ash_status status;
    } wrong[] = {
        {"planes_from: a has shape (2, 2, 2), which does not fit (3, *, *)", ASH_ERR_SHAPE},
        {"planes_from: a has shape (3, 2), which does not fit (3, *, *)", ASH_ERR_SHAPE},
        {"planes_from: a has shape (), which does not fit (3, *, *)", ASH_ERR_SHAPE},
    };
    const ash_array *const sources[] = {ash_zeros(ASH_SHAPE(2, 2, 2)), ash_zeros(ASH_SHAPE(3, 2)), ash_zeros(ASH_SHAPE())};
    for (int i = 0; i < COUNT(wrong); i++) {
        const planes p = planes_from(sources[i]);
        CHECK(!p.data && !p.owner);
        CHECK_ERROR(wrong[i].status, wrong[i].text);
    }
    bytes b = bytes_from(ash_i32(1, 300));
    CHECK(!b.data);
    CHECK_ERROR(ASH_ERR_VALUE, "bytes_from: element 1, 300, does not fit u8");
    ash_array *gone = ash_f64(1, 2);
    CHECK_OK(ash_discard(gone));
    const line l = line_from(gone);
    CHECK_ERROR_HAS(ASH_ERR_RELEASED, "line_from: ");
    CHECK(!l.data);
    /* what failed is passed on, and the first cause stays */
    const mat2 m = mat2_from(ash_zeros(ASH_SHAPE(3, 3)));
    CHECK(!mat2_array(&m) && !mat2_copy(&m).owner && !ash_sum(mat2_array(&m)));
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "mat2_from: ", "(3, 3)");
    CHECK(!mat2_array(&m));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "mat2_array: the array is NULL");
    {
        ash_resources *weak = ash_resources_new("cpu:0?f64=off");
        ASH_WITH_RESOURCES(weak);
        const mat2 without = mat2_new(3), source = mat2_from(ash_zeros(ASH_SHAPE(2, 2)));
        CHECK(!without.owner && !source.owner);
        CHECK_ERROR(ASH_ERR_DTYPE, "mat2_new: cpu:0?f64=off does not support f64 values; use f32");
        double v[2] = {1, 2};
        const mat2 lent = mat2_wrap(v, 2, 1); /* the host can have them; an array on that device cannot */
        CHECK(*mat2_at(&lent, 1, 0) == 2 && !mat2_array(&lent));
        CHECK_ERROR(ASH_ERR_DTYPE, "mat2_array: cpu:0?f64=off does not support f64 values; use f32");
        ash_resources_release(weak);
    }
    const mat2 negative = mat2_new(-3);
    CHECK(!negative.data && negative.n1 == -1);
    CHECK_ERROR(ASH_ERR_SHAPE, "mat2_new: size -3 of axis 1 is negative");
    const planes large = planes_new(INT64_C(1) << 40, INT64_C(1) << 40);
    CHECK(!large.data);
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "planes_new: ", "2^63 - 1");
}

/* Shapes that cannot be counted, empty ones that can, and negative sizes, also beside a zero. */
static void a33_static_shapes(void **state)
{
    (void)state;
    const int64_t big = INT64_C(1) << 62;
    static const struct {
        int64_t n1, n2;
        const char *text;
    } wrong[] = {
        {INT64_C(1) << 62, INT64_C(1) << 62, "2^63 - 1"}, {INT64_C(1) << 60, 1, "2^63 - 1"},
        {INT64_MAX, INT64_MAX, "2^63 - 1"},               {-10, 0, "size -10 of axis 1 is negative"},
        {0, -10, "size -10 of axis 2 is negative"},       {-1, -1, "negative"},
    };
    for (int i = 0; i < COUNT(wrong); i++) {
        planes p = planes_new(wrong[i].n1, wrong[i].n2);
        CHECK(!p.data && !p.owner && p.n1 == -1 && planes_length(&p) == -1);
        CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "planes_new: ", wrong[i].text);
        if (wrong[i].n1 >= 0 && wrong[i].n2 >= 0) {
            double v[3];
            p = planes_wrap(v, 3, wrong[i].n1, wrong[i].n2);
            CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "planes_wrap: ", wrong[i].text);
        }
    }
    const int64_t empty[][2] = {{0, big}, {big, 0}, {0, 0}, {0, INT64_MAX}};
    for (int i = 0; i < COUNT(empty); i++) {
        planes p = planes_new(empty[i][0], empty[i][1]), k = planes_like(&p), c = planes_copy(&p),
               w = planes_wrap(NULL, 0, empty[i][0], empty[i][1]);
        CHECK(p.owner && planes_length(&p) == 0 && planes_length(&w) == 0 && planes_size(&w, 2) == empty[i][1]);
        planes_stride(&p, 0);
        CHECK_OK(planes_fill(&p, 1));
        CHECK_OK(planes_copy_into(&w, &c));
        ash_array *a = planes_array(&w);
        CHECK_SHAPE(a, 3, empty[i][0], empty[i][1]);
        ash_release(a);
        planes_release(&p);
        planes_release(&k);
        planes_release(&c);
    }
}

/* ---- collected */

static int next_until(void *state, ash_operand *element) /* the integers before *state, downwards, as f64 */
{
    double *at = state;
    *element = ash_operand_f64(*at);
    return (*at)-- > 0;
}
static int next_for_ever(void *state, ash_operand *element)
{
    (*(int *)state)++;
    *element = ash_operand_i64(1);
    return 1;
}
static int next_gives_up(void *state, ash_operand *element)
{
    (void)state, (void)element;
    return -1;
}

static void collected(void **state)
{
    (void)state;
    double at = 6;
    int calls = 0;
    const ash_iterator down = {next_until, &at, -1}, endless = {next_for_ever, &calls, -1}, off = {next_gives_up, NULL, -1};
    mat2 m = mat2_collect(&down); /* row by row, whatever the layout */
    CHECK(m.n1 == 3 && *mat2_at(&m, 0, 1) == 5 && *mat2_at(&m, 1, 0) == 3 && m.data[1] == 3);
    mat2_release(&m);
    at = 5;
    m = mat2_collect(&down);
    CHECK(!m.data);
    CHECK_ERROR(ASH_ERR_SHAPE, "mat2_collect: 5 elements cannot be divided by the 2 of the given sizes of (2, -1)");
    at = 6;
    const planes p = planes_collect(&down);
    CHECK(!p.data && at == 6); /* it has not been asked */
    CHECK_ERROR(ASH_ERR_ARGUMENT, "planes_collect: sizes of axes 1 and 2 are both to be inferred; one can be");
    at = 4;
    const square2 s = square2_collect(&down);
    CHECK(s.data[0] == 4 && s.data[1] == 3 && s.data[3] == 1);
    tensor t = tensor_collect(&endless);
    CHECK(!t.data && calls == 25);
    CHECK_ERROR(ASH_ERR_SHAPE, "tensor_collect: the shape takes 24 elements, the iterator gives more");
    calls = 0;
    const vec3 w = vec3_collect(&endless);
    CHECK(w.data[0] == 0 && calls == 4);
    CHECK_ERROR(ASH_ERR_SHAPE, "vec3_collect: 3 elements are wanted, the iterator gave more");
    vec3_collect(&off);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "vec3_collect: the iterator gave up after 0 elements");
    at = 2;
    const ash_iterator liar = {next_until, &at, 3};
    vec3_collect(&liar);
    CHECK_ERROR(ASH_ERR_SHAPE, "vec3_collect: the iterator says it has 3 elements and gave 2");
    at = 300;
    const ash_iterator large = {next_until, &at, -1};
    const bytes b = bytes_collect(&large);
    CHECK(!b.data);
    CHECK_ERROR(ASH_ERR_VALUE, "bytes_collect: element 0, 300.0, does not fit u8");
}

/* ---- operations that keep the type */

static void kept_types(void)
{
    column u = column_new(2), v = column_like(&u);
    const bool shared = here.storage == ASH_SHARED;
    CHECK(u.owner && v.owner && (u.data != NULL) == shared);
    CHECK_OK(column_fill(&u, 2.5f));
    CHECK_OK(column_map_into(&v, "x -> x + 1", column_array(&u)));
    CHECK_ALL(column_array(&v), 3.5);
    CHECK_OK(column_map_into(&v, "x -> 2*x", column_array(&v)));
    CHECK_ALL(column_array(&v), 7);
    CHECK(!shared || *column_at(&v, 2, 1) == 7);
    CHECK_OK(column_copy_into(&u, &v));
    CHECK_OK(column_fill(&v, 1));
    column w = column_copy(&u);
    CHECK_ALL(column_array(&w), 7);
    CHECK(ash_storage_of(w.owner) == here.storage);
    CHECK(strcmp(ash_device_name(column_device(&w)), here.device) == 0);
    column other = column_new(3);
    CHECK(column_copy_into(&u, &other) == ASH_ERR_SHAPE);
    CHECK_ERROR(ASH_ERR_SHAPE, "column_copy_into: out has shape (3, 2), a has (3, 3)");
    CHECK(column_map_into(&u, "x -> x", column_array(&other)) == ASH_ERR_SHAPE);
    CHECK_ERROR_HAS(ASH_ERR_SHAPE, "ash_map_into: ");
    CHECK(column_map_into(&u, "x -> ", column_array(&u)) != ASH_OK && ash_failed());
    ash_error_clear();
    CHECK_ALL(column_array(&u), 7);
    column moved = column_adapt(&u, ASH_OPTIONS(ash_target, .storage = shared ? ASH_PRIVATE : ASH_SHARED));
    CHECK_ALL(column_array(&moved), 7);
    CHECK((moved.data != NULL) != shared);
    column same = column_adapt(&u, NULL);
    CHECK(same.owner == u.owner);
    column *const all[] = {&u, &v, &w, &other, &moved, &same};
    for (int i = 0; i < COUNT(all); i++)
        column_release(all[i]);
    column_release(&u); /* twice is fine */
}
EVERYWHERE(operations, kept_types)

static void values(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    square2 a = square2_new(), b = a;
    CHECK(sizeof a == 4 * sizeof(float) && a.data[3] == 0);
    CHECK_OK(square2_fill(&a, 3));
    *square2_at(&a, 1, 0) = 5;
    CHECK_FLOATS(square2_array(&a), 3, 3, 5, 3);
    CHECK_OK(square2_map_into(&b, "x -> x + 1", square2_array(&a)));
    CHECK(b.data[2] == 6 && a.data[2] == 5);
    CHECK_OK(square2_copy_into(&a, &b));
    CHECK(a.data[2] == 6 && square2_copy(&a).data[2] == 6 && square2_like(&a).data[2] == 0);
    CHECK_SHAPE(square2_parent(&a), 4);
    a = square2_from(ash_from_host(((double[]){1, 2, 3, 4}), ASH_F64, ASH_SHAPE(2, 2), .layout = ASH_COL_MAJOR));
    CHECK(a.data[0] == 1 && a.data[1] == 2 && a.data[3] == 4);
    b = square2_from(ash_zeros(ASH_SHAPE(4)));
    CHECK_ERROR(ASH_ERR_SHAPE, "square2_from: a has shape (4), which does not fit (2, 2)");
    CHECK(b.data[0] == 0);
    struct {
        vec3 position, velocity;
    } body = {.velocity = {{1, 2, 3}}};
    CHECK(*vec3_at(&body.velocity, 2) == 3 && sizeof body == 6 * sizeof(int64_t));
}

static void other_elements(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    mat2f m = mat2f_from(ash_from_host(((int64_t[]){1, 2, 3, 4, 5, 6}), ASH_I64, ASH_SHAPE(2, 3)));
    CHECK(_Generic(m.data, float *: 1, default: 0) && sizeof m == sizeof(mat2));
    CHECK(*mat2f_at(&m, 1, 2) == 6 && m.data[1] == 4 && mat2f_size(&m, 1) == 3 && m.like.n1 == 3);
    CHECK(strcmp(mat2f_dims, "(2, *)") == 0 && mat2f_st1 == 2 && mat2f_dtype() == ASH_F32);
    mat2f_release(&m);
    float v[6] = {0};
    m = mat2f_wrap(v, 6, ASH_INFER);
    CHECK_OK(mat2f_fill(&m, 1.5f));
    CHECK(v[5] == 1.5f && mat2f_length(&m) == 6);
    m = mat2f_wrap(v, 5, ASH_INFER);
    CHECK_ERROR_HAS(ASH_ERR_SHAPE, "mat2f_wrap: ");
    tensor_counts c = tensor_counts_new();
    CHECK_OK(tensor_counts_fill(&c, 7));
    CHECK(*tensor_counts_at(&c, 1, 2, 3) == 7 && tensor_counts_offset(&c, 1, 2, 3) == 23);
    CHECK(ash_dtype_of(tensor_counts_array(&c)) == ASH_I32);
    tensor_counts_release(&c);
    planes_bits p = planes_bits_new(2, 5);
    CHECK(planes_bits_size(&p, 2) == 5 && planes_bits_stride(&p, 0) == 10);
    planes_bits_release(&p);

    cloud s = cloud_new(3);
    const particle one = {{1, 2, 3}, 4};
    CHECK_OK(cloud_fill(&s, one));
    CHECK(cloud_at(&s, 1, 2)->m == 4 && cloud_at(&s, 1, 2)->x[2] == 3);
    CHECK_FLOATS(ash_field(cloud_array(&s), "m"), 4, 4, 4, 4, 4, 4);
    cloud_release(&s);
    halves h = halves_from(ash_f32(1, -2));
    CHECK(*halves_at(&h, 0) == 0x3c00 && *halves_at(&h, 1) == 0xc000);
    halves_release(&h);
}

/* What a program says of its memory is looked at before anything is made of it. */
static void mistaken_types(void **state)
{
    (void)state;
    uint16_t v[4] = {0};
    mistaken m = mistaken_new(2);
    CHECK(!m.owner);
    CHECK_ERROR(ASH_ERR_DTYPE, "mistaken_new: the C type of an element has 2 bytes, f32 has 4");
    m = mistaken_wrap(v, 4, 4);
    CHECK(!m.data);
    CHECK_ERROR_HAS(ASH_ERR_DTYPE, "mistaken_wrap: ");
    const unknown u = unknown_new(2);
    CHECK(!u.owner);
    CHECK_ERROR(ASH_ERR_DTYPE, "unknown_new: unsupported dtype 0");
    double room[3] = {0};
    line l = line_wrap(room, 3, 3);
    l.n0 = INT64_MAX; /* a dynamic size is a member like any other */
    CHECK(!line_array(&l));
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "line_array: ", "2^63 - 1");
    ash_static_view view = line_view(&l);
    view.rank = 9;
    CHECK(!ash_static_new(&view));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "line_new: rank 9; ranks 1 to 8 are supported");
    view.rank = 1;
    view.layout = ASH_STRIDED;
    CHECK(!ash_static_array(&view));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "line_array: unknown layout 3");
    CHECK(!ash_static_new(NULL) && !ash_static_data(NULL));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_static_new: view is NULL");
}

/* ---- what is local costs nothing */

static double local_work(void)
{
    double room[tensor_count];
    euler_state u;
    square2 s = square2_new();
    float v[tensor_count];
    tensor t = tensor_wrap(v, tensor_count);
    double sum = 0;
    u = euler_state_wrap(room, 0, 0);
    for (int64_t i = 0; i < 2; i++)
        for (int64_t j = 0; j < 2; j++)
            ASH_AT(square2, &s, i, j) = (float)(i + 2 * j);
    for (int64_t i = 0; i < tensor_n0; i++)
        for (int64_t j = 0; j < tensor_n1; j++)
            for (int64_t k = 0; k < tensor_n2; k++)
                sum += ASH_AT(tensor, &t, i, j, k) = ASH_AT(square2, &s, i, k % 2);
    return sum + (double)euler_state_length(&u);
}

static void no_allocation(void **state)
{
    (void)state;
    ash_pool_info before, after;
    CHECK(local_work() == 36);
    CHECK_OK(ash_pool_stats(ash_default_device(), &before, sizeof before));
    const int64_t count = ash__allocations(), live = ash_live_arrays();
    CHECK(local_work() == 36);
    squares s = {1, 3};
    const ash_iterator it = {next_square, &s, 3};
    CHECK(vec3_collect(&it).data[2] == 9);
    CHECK_OK(ash_pool_stats(ash_default_device(), &after, sizeof after));
    CHECK(ash__allocations() == count && ash_live_arrays() == live && after.requests == before.requests);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(row_001_13), TEST(row_001_14), TEST(row_001_15), TEST(row_001_16), TEST(row_001_17), TEST(row_001_18),
        TEST(row_001_19), TEST(row_001_20), TEST(row_001_21), TEST(row_001_22), TEST(row_001_23), TEST(row_001_24),
        TEST(row_001_25), TEST(row_001_26), TEST(row_001_27), TEST(row_001_29), TEST(row_001_32), TEST(row_001_33),
        TEST(all_ranks), TEST(out_of_bounds), TEST(default_handler), TEST(wrapped), TEST(shared_both_ways), TEST(copied_from),
        TEST(refused_sources), TEST(a33_static_shapes), TEST(collected), TEST(operations), TEST(values), TEST(other_elements),
        TEST(mistaken_types), TEST(no_allocation),
    };
    return cmocka_run_group_tests_name("static dimensions", tests, NULL, NULL);
}
