/*
 * interface.c - the forms that the header's macros take: operands of every C type, lists, keywords, nested calls, compiled
 * functions, and the program that the documentation opens with.
 *
 * Expected values follow by hand; a form that does not compile would be found before any test runs.
 */
#include <complex.h>
#include <unistd.h>

#include "test.h"

static void operands_of_every_type(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *a = ash_f32(3, 1, 2);
    const ash_array *fixed = a; /* const arrays and qualified scalars are operands too */
    const float s = 2.5f;
    volatile double d = 0.5;
    const int64_t big = INT64_C(1) << 40;
    bool yes = true;
    CHECK_TEXT(ash_map("(x, s) -> s*x", fixed, s), "ash.vector f32[3] cpu:0 [7.5 2.5 5.0]");
    CHECK_TEXT(ash_map("(x, s) -> s*x", a, 2), "ash.vector f32[3] cpu:0 [6.0 2.0 4.0]");
    CHECK_TEXT(ash_map("(x, d) -> d*x", a, d), "ash.vector f64[3] cpu:0 [1.5 0.5 1.0]");
    CHECK_TEXT(ash_map("(b, x) -> x + b", big, ash_i64(1, 2)), "ash.vector i64[2] cpu:0 [1099511627777 1099511627778]");
    CHECK_TEXT(ash_map("(c, x) -> c ? x : -x", yes, a), "ash.vector f32[3] cpu:0 [3.0 1.0 2.0]");
    CHECK_TEXT(ash_map("(x, y) -> x + y", 1, 2), "ash.scalar i32 cpu:0 3");
}

/* The dtype of a scalar is that of its C type. */
static void dtypes_of_scalars(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
#define SCALAR(type, value, want) CHECK(ash_dtype_of(ash_map("x -> x", (type)(value))) == (want))
    SCALAR(bool, 1, ASH_BOOL);
    SCALAR(signed char, -1, ASH_I8);
    SCALAR(short, -1, ASH_I16);
    SCALAR(int, -1, ASH_I32);
    SCALAR(long, -1, sizeof(long) == 8 ? ASH_I64 : ASH_I32);
    SCALAR(long long, -1, ASH_I64);
    SCALAR(unsigned char, 1, ASH_U8);
    SCALAR(unsigned short, 1, ASH_U16);
    SCALAR(unsigned, 1, ASH_U32);
    SCALAR(unsigned long, 1, sizeof(long) == 8 ? ASH_U64 : ASH_U32);
    SCALAR(unsigned long long, 1, ASH_U64);
    SCALAR(float, 1, ASH_F32);
    SCALAR(double, 1, ASH_F64);
    SCALAR(float _Complex, 1, ASH_C_F32);
    SCALAR(double _Complex, 1, ASH_C_F64);
    CHECK(ash_item_u64(ash_map("x -> x", UINT64_MAX)) == UINT64_MAX);
    CHECK(ash_item_c_f64(ash_map("x -> x", 1 + 2 * I)).im == 2);
    CHECK(ash_dtype_of(ash_map("x -> x", ash_operand_float(ASH_F16, 0.1))) == ASH_F16); /* what C has no type for */
    CHECK_FLOATS(ash_map("x -> x", ash_operand_float(ASH_BF16, 0.1)), 0x1.9ap-4);
    CHECK_FLOATS(ash_map("z -> abs(z)", ash_operand_complex(ASH_C_F16, 3, 4)), 5);
}

static void literals_of_every_dtype(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK_TEXT(ash_bool(true, false), "ash.vector bool[2] cpu:0 [ true false]");
    CHECK_TEXT(ash_i8(-128, 127), "ash.vector i8[2] cpu:0 [-128  127]");
    CHECK_TEXT(ash_u64(UINT64_MAX), "ash.vector u64[1] cpu:0 [18446744073709551615]");
    CHECK_TEXT(ash_f16(0.1, 65504), "ash.vector f16[2] cpu:0 [    0.1 65500.0]");
    CHECK_TEXT(ash_bf16(0.1, 1), "ash.vector bf16[2] cpu:0 [0.1 1.0]");
    CHECK_TEXT(ash_f32(0.1, 1e-6, 1e16), "ash.vector f32[3] cpu:0 [ 0.1 1e-6 1e16]");
    CHECK_TEXT(ash_c_f32(1 + 2 * I), "ash.vector c_f32[1] cpu:0 [1.0+2.0i]");
    CHECK_TEXT(ash_i16(), "ash.vector i16[0] cpu:0 []");
    CHECK(ash_dtype_of(ash_u8(1)) == ASH_U8 && ash_dtype_of(ash_u16(1)) == ASH_U16 && ash_dtype_of(ash_u32(1)) == ASH_U32 &&
          ash_dtype_of(ash_i32(1)) == ASH_I32 && ash_dtype_of(ash_c_f64(1)) == ASH_C_F64);
    CHECK(!ash_f16(1e6)); /* the store checks the range */
    CHECK_ERROR(ASH_ERR_VALUE, "ash_from_host: element 0, 1000000.0, does not fit f16");
}

static void many_and_nested(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *a = ash_f32(3, 1, 2);
    const float s = 2.5f;
    ash_array *sum = ash_map("(a,b,c,d,e,f,g,h,i,j,k,l,m,n,o,p) -> a+b+c+d+e+f+g+h+i+j+k+l+m+n+o+p", a, 1, a, 1, a, 1, a, 1, a,
                             1, a, 1, a, 1, a, s);
    CHECK_TEXT(sum, "ash.vector f32[3] cpu:0 [33.5 17.5 25.5]");
    const int64_t before = ash_live_arrays(); /* an argument is evaluated once */
    ash_array *deep = ash_map("(x, y) -> x + y", ash_map("x -> 2*x", ash_map("x -> x - 1", a)), ash_sum(ash_map("x -> x", a)));
    CHECK_TEXT(deep, "ash.vector f32[3] cpu:0 [10.0  6.0  8.0]");
    CHECK(ash_live_arrays() - before == 5);
}

static void compiled_functions(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *a = ash_f32(3, 1, 2), *b = ash_zeros(ASH_SHAPE(3));
    ash_function *f = ash_function_new("(x, y) -> (x - y)^2");
    const ash_function *g = f;
    CHECK(f && strcmp(ash_function_text(f), "(x, y) -> (x - y)^2") == 0);
    CHECK_TEXT(ash_map(f, a, 1), "ash.vector f32[3] cpu:0 [4.0 0.0 1.0]");
    CHECK_TEXT(ash_map(g, ash_i64(3, 1), 1), "ash.vector i64[2] cpu:0 [4 0]"); /* the dtypes come with the operands */
    CHECK_OK(ash_map_into(b, g, a, a));
    CHECK_FLOATS(b, 0, 0, 0);
    CHECK(ash_item_f32(ash_map_reduce(g, "+", a, 1)) == 5);
    CHECK_FLOATS(ash_zip_map(g, a, ash_f32(1, 1)), 4, 0);
    CHECK_TEXT(ash_map_with(g, ASH_OPERANDS(a, 1), .dtype = ASH_F64), "ash.vector f64[3] cpu:0 [4.0 0.0 1.0]");
    ash_function_release(f);
    ash_function_release(NULL);
    CHECK(!ash_function_new("x ->"));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_function_new: ");
    CHECK(!ash_function_new(NULL));
    CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_function_new: ", "NULL");
    CHECK(!ash_map((const char *)NULL, a));
    CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_map: ", "NULL");
}

static void keywords(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *square = ash_reshape(ash_f32(1, 2, 3, 4), ASH_SHAPE(2, 2));
    ash_array *F = ash_map_with("x -> x", ASH_OPERANDS(square), .layout = ASH_COL_MAJOR);
    CHECK_STRIDES(F, 1, 2);
    CHECK_TEXT(ash_map_reduce_with("(x, y) -> x * y", "+", ASH_OPERANDS(square, F), .axes = ASH_AXES(0), .init = ASH_OPERAND(1),
                                   .drop = true),
               "ash.vector f32[2] cpu:0 [11.0 21.0]");
    ash_array *a = ash_f32(3, 1, 2), *ones = ash_ones(ASH_SHAPE(2, 3));
    CHECK(ash_item_f32(ash_sum(a)) == 6 && ash_item(ash_max(a), float) == 3);
    CHECK_TEXT(ash_sum(ones, .axes = ASH_AXES(1), .drop = true), "ash.vector f32[2] cpu:0 [3.0 3.0]");
    CHECK_TEXT(ash_sum(ones, .axes = ASH_AXES(), .init = ASH_OPERAND(0.5f)), /* over no axis: not the same as no list */
               "ash.matrix f32[2×3] row-major cpu:0\n [[1.5 1.5 1.5]\n  [1.5 1.5 1.5]]");
    CHECK_SCALAR(ash_sum(ones, .axes = ASH_ALL_AXES));
    CHECK_TEXT(ash_sum(a, .where = ASH_OPERAND(ash_bool(true, false, true))), "ash.scalar f32 cpu:0 5.0");
    ash_array *m = ash_reshape(ash_i32(3, 1, 2, 9, 8, 7), ASH_SHAPE(2, 3));
    CHECK_TEXT(ash_cumsum(m), "ash.matrix i64[2×3] row-major cpu:0\n [[ 3  4  6]\n  [15 23 30]]");
    CHECK_TEXT(ash_cumsum(m, .axes = ASH_AXES(0)), "ash.matrix i64[2×3] row-major cpu:0\n [[ 3  1  2]\n  [12  9  9]]");
    const int64_t prefix = 0; /* the first none of a */
    CHECK_SHAPE(ash_slice(a, 0, prefix), 0);
    /* the same without a macro, as a foreign-function interface calls */
    const int64_t axis = 1;
    const ash_reduce_options by_hand = {.axes = {&axis, 1}, .drop = true, ASH_SIZED(ash_reduce_options)};
    CHECK_FLOATS(ash_sum_opt(ones, &by_hand), 3, 3);
    CHECK_FLOATS(ash_sum_opt(ones, ASH_OPTIONS(ash_reduce_options, .axes = ASH_AXES(1), .drop = true)), 3, 3);
    CHECK(ash_item_f32(ash_sum_opt(ones, NULL)) == 6);
}

/* The program that the documentation opens with, but for rows taken by an index array. */
static void first_program(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    char path[] = "/tmp/ashlar-points-XXXXXX";
    static const char points[] = "5.1,3.5,1.4,0.2,setosa\n7.0,3.2,4.7,1.4,versicolor\n6.3,3.3,6.0,2.5,virginica\n";
    const int fd = mkstemp(path);
    CHECK(fd >= 0 && write(fd, points, sizeof points - 1) == (ssize_t)sizeof points - 1);
    close(fd);
    ash_array *b = ash_map("a -> a^2 + 1f", ash_f32(3, 1, 2));
    CHECK_TEXT(b, "ash.vector f32[3] cpu:0 [10.0  2.0  5.0]");
    ash_array *X = ash_read_csv(path, .columns = "0:4", .dtype = ASH_F32);
    unlink(path);
    ash_array *C = ash_slice(X, 0, ASH_OPEN, .step = 2);
    ash_array *D = ash_map_reduce_with("(x, c) -> (x - c)^2", "+", ASH_OPERANDS(ash_insert_axis(X, 1), ash_insert_axis(C, 0)),
                                       .axes = ASH_AXES(2), .drop = true);
    CHECK_TEXT(ash_argmin(D, .axes = ASH_AXES(1), .drop = true), "ash.vector i64[3] cpu:0 [0 1 1]");
    /* squares of distances by hand, times 100 and rounded: (5.1-6.3)^2 + (3.5-3.3)^2 + (1.4-6)^2 + (0.2-2.5)^2 = 27.93 */
    CHECK_INTS(ash_map("x -> i64(x * 100 + 0.5f)", D), 0, 2793, 1603, 340, 2793, 0);
    NO_ERROR();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(operands_of_every_type), TEST(dtypes_of_scalars), TEST(literals_of_every_dtype), TEST(many_and_nested),
        TEST(compiled_functions), TEST(keywords), TEST(first_program),
    };
    return cmocka_run_group_tests_name("interface", tests, NULL, NULL);
}
