/*
 * print.c (test) - arrays as text: the rows of the document on device arrays, higher ranks, dtypes, faults.
 */
#include "test.h"

#include "core/alloc.h"

static ash_array *ints(ash_dtype dtype, ash_layout layout, ash_dims shape, const int64_t *data)
{
    return ash_from_host(data, ASH_I64, shape, .dtype = dtype, .layout = layout);
}
#define INTS(dtype, layout, shape, ...) ints(dtype, layout, shape, (const int64_t[]){__VA_ARGS__})

static void vectors(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK_TEXT(ash_f32(3, 1, 2), "ash.vector f32[3] cpu:0 [3.0 1.0 2.0]");
    CHECK_TEXT(ash_f32(10, 2, 5), "ash.vector f32[3] cpu:0 [10.0  2.0  5.0]");
    CHECK_TEXT(ash_f32(0.25, 0.5), "ash.vector f32[2] cpu:0 [0.25  0.5]");
    CHECK_TEXT(ash_f32(0.1, 0.25), "ash.vector f32[2] cpu:0 [ 0.1 0.25]");
    CHECK_TEXT(ash_f64(1.5, -2.25, 0), "ash.vector f64[3] cpu:0 [  1.5 -2.25   0.0]");
    CHECK_TEXT(ash_f32(0, 1, 1.4142135, 1.7320508, 2),
               "ash.vector f32[5] cpu:0 [      0.0       1.0 1.4142135 1.7320508       2.0]");
    CHECK_TEXT(ash_f64(1 / 3.0, 2 / 3.0), "ash.vector f64[2] cpu:0 [0.3333333333333333 0.6666666666666666]");
    CHECK_TEXT(ash_f32(1 / 3.0, 2 / 3.0), "ash.vector f32[2] cpu:0 [0.33333334  0.6666667]");
    CHECK_TEXT(ash_f64(INFINITY, -INFINITY, NAN, -0.0, 1), "ash.vector f64[5] cpu:0 [ inf -inf  nan -0.0  1.0]");
    CHECK_TEXT(ash_f64(1e-4, 1e-6, 123456.789, 1e10),
               "ash.vector f64[4] cpu:0 [       0.0001          1e-6    123456.789 10000000000.0]");
    CHECK_TEXT(ash_f32(123456789, 0.3, 100000), "ash.vector f32[3] cpu:0 [123456790.0         0.3    100000.0]");
    CHECK_TEXT(ash_f16(0.1, 65504, 6e-8), "ash.vector f16[3] cpu:0 [    0.1 65500.0    6e-8]");
    CHECK_TEXT(ash_bf16(0.1, 3e38), "ash.vector bf16[2] cpu:0 [ 0.1 3e38]");
    CHECK_TEXT(ash_i64(INT64_MIN, INT64_MAX), "ash.vector i64[2] cpu:0 [-9223372036854775808  9223372036854775807]");
    CHECK_TEXT(ash_u64(UINT64_MAX), "ash.vector u64[1] cpu:0 [18446744073709551615]");
    CHECK_TEXT(ash_i8(-128, 127), "ash.vector i8[2] cpu:0 [-128  127]");
    CHECK_TEXT(ash_bool(true, false), "ash.vector bool[2] cpu:0 [ true false]");
    CHECK_TEXT(ash_empty(ASH_SHAPE(0), .dtype = ASH_I32), "ash.vector i32[0] cpu:0 []");
}

static void scalars(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK_TEXT(ash_fill_new(ASH_SHAPE(), 6.0f), "ash.scalar f32 cpu:0 6.0");
    CHECK_TEXT(ash_fill_new(ASH_SHAPE(), INT64_C(-7)), "ash.scalar i64 cpu:0 -7");
}

static void matrices(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    for
        EACH_LAYOUT(layout)
        {
            char want[200];
            snprintf(want, sizeof want, "ash.matrix i32[2\xC3\x97\x33] %s cpu:0\n [[1 2 3]\n  [4 5 6]]",
                     ash_layout_name(layout));
            CHECK_TEXT(INTS(ASH_I32, layout, ASH_SHAPE(2, 3), 1, 2, 3, 4, 5, 6), want);
        }
    CHECK_TEXT(INTS(ASH_I32, ASH_COL_MAJOR, ASH_SHAPE(1, 2), 1, -20),
               "ash.matrix i32[1\xC3\x97\x32] row-major cpu:0 [[  1 -20]]");
    CHECK_TEXT(INTS(ASH_I64, ASH_COL_MAJOR, ASH_SHAPE(3, 1), 1, -22, 333),
               "ash.matrix i64[3\xC3\x97\x31] row-major cpu:0\n [[  1]\n  [-22]\n  [333]]");
    CHECK_TEXT(ash_empty(ASH_SHAPE(0, 3), .dtype = ASH_I64), "ash.matrix i64[0\xC3\x97\x33] row-major cpu:0 []");
    CHECK_TEXT(ash_empty(ASH_SHAPE(2, 0)), "ash.matrix f32[2\xC3\x97\x30] row-major cpu:0\n [[]\n  []]");
    CHECK_TEXT(ash_empty(ASH_SHAPE(1, 0), .dtype = ASH_I32), "ash.matrix i32[1\xC3\x97\x30] row-major cpu:0 [[]]");
    CHECK_TEXT(ash_empty(ASH_SHAPE(0, 0), .layout = ASH_COL_MAJOR), "ash.matrix f32[0\xC3\x97\x30] row-major cpu:0 []");
    CHECK_TEXT(ash_empty(ASH_SHAPE(25, 0)),
               "ash.matrix f32[25\xC3\x97\x30] row-major cpu:0\n [[]\n  []\n  []\n  ...\n  []\n  []\n  []]");
    CHECK_TEXT(ash_from_host(((double[]){1, -10.5, NAN, 100.25}), ASH_F64, ASH_SHAPE(2, 2)),
               "ash.matrix f64[2\xC3\x97\x32] row-major cpu:0\n [[   1.0  -10.5]\n  [   nan 100.25]]");
}

static void higher_ranks(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK_TEXT(counting(0, ASH_F32, ASH_SHAPE(2, 2, 3), ASH_ROW_MAJOR),
               "ash.array f32[2\xC3\x97\x32\xC3\x97\x33] row-major cpu:0\n"
               " [[[ 0.0  1.0  2.0]\n"
               "   [ 3.0  4.0  5.0]]\n"
               "  [[ 6.0  7.0  8.0]\n"
               "   [ 9.0 10.0 11.0]]]");
    CHECK_TEXT(counting(1, ASH_I8, ASH_SHAPE(1, 1, 2), ASH_ROW_MAJOR),
               "ash.array i8[1\xC3\x97\x31\xC3\x97\x32] row-major cpu:0 [[[1 2]]]");
    CHECK_TEXT(counting(1, ASH_I8, ASH_SHAPE(1, 2, 1, 1), ASH_ROW_MAJOR),
               "ash.array i8[1\xC3\x97\x32\xC3\x97\x31\xC3\x97\x31] row-major cpu:0\n [[[[1]]\n   [[2]]]]");
    CHECK_TEXT(ash_empty(ASH_SHAPE(2, 0, 3)), "ash.array f32[2\xC3\x97\x30\xC3\x97\x33] row-major cpu:0\n [[]\n  []]");
}

static void cut_axes(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    const ash_dims one20 = ASH_SHAPE(20), one21 = ASH_SHAPE(21), one1001 = ASH_SHAPE(1001);
    CHECK_TEXT(counting(0, ASH_I32, one20, ASH_ROW_MAJOR),
               "ash.vector i32[20] cpu:0 [ 0  1  2  3  4  5  6  7  8  9 10 11 12 13 14 15 16 17 18 19]");
    CHECK_TEXT(counting(0, ASH_I32, one21, ASH_ROW_MAJOR), "ash.vector i32[21] cpu:0 [ 0  1  2 ... 18 19 20]");
    CHECK_TEXT(counting(0, ASH_I32, one1001, ASH_ROW_MAJOR), "ash.vector i32[1001] cpu:0 [   0    1    2 ...  998  999 1000]");
    CHECK_TEXT(counting(0, ASH_I64, ASH_SHAPE(500, 2), ASH_COL_MAJOR),
               "ash.matrix i64[500\xC3\x97\x32] col-major cpu:0\n [[  0   1]\n  [  2   3]\n  [  4   5]\n  ...\n  [994 995]\n  "
               "[996 997]\n  [998 999]]");
    /* 700 elements keep 7 rows, 1400 do not; 6 rows are always whole */
    char text[4096];
    ash_format(text, sizeof text, ash_zeros(ASH_SHAPE(7, 100)));
    CHECK(!strstr(text, "\n  ..."));
    ash_format(text, sizeof text, ash_zeros(ASH_SHAPE(7, 200)));
    CHECK(strstr(text, "\n  ...") != NULL);
    ash_format(text, sizeof text, ash_zeros(ASH_SHAPE(6, 200)));
    CHECK(!strstr(text, "\n  ..."));
    /* an axis is decided by its own length and the whole size; the gap stands at the depth of its rows */
    CHECK_TEXT(counting(0, ASH_I16, ASH_SHAPE(2, 21, 1), ASH_ROW_MAJOR),
               "ash.array i16[2\xC3\x97"
               "21\xC3\x97"
               "1] row-major cpu:0\n [[[ 0]\n   [ 1]\n   [ 2]\n   ...\n   [18]\n   [19]\n   [20]]\n"
               "  [[21]\n   [22]\n   [23]\n   ...\n   [39]\n   [40]\n   [41]]]");
}

static void words_after_the_device(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *a = counting(0, ASH_F32, ASH_SHAPE(2, 4), ASH_ROW_MAJOR);
    CHECK_TEXT(ash_slice(a, 0, 4, .axes = ASH_AXES(1), .step = 2),
               "ash.matrix f32[2\xC3\x97\x32] strided cpu:0 view\n [[0.0 2.0]\n  [4.0 6.0]]");
    CHECK_TEXT(ash_transpose(a),
               "ash.matrix f32[4\xC3\x97\x32] col-major cpu:0 view\n [[0.0 4.0]\n  [1.0 5.0]\n  [2.0 6.0]\n  [3.0 7.0]]");
    CHECK_TEXT(ash_fill_new(ASH_SHAPE(2), 1.5f, .storage = ASH_PRIVATE), "ash.vector f32[2] cpu:0 private [1.5 1.5]");
    ash_array *discarded = ash_i64(1, 2, 3), *matrix = ash_zeros(ASH_SHAPE(2, 2));
    CHECK_OK(ash_discard(discarded));
    CHECK_OK(ash_discard(matrix));
    CHECK_TEXT(discarded, "ash.vector i64[3] cpu:0 <released>");
    CHECK_TEXT(matrix, "ash.matrix f32[2\xC3\x97\x32] row-major cpu:0 <released>");
}

static void complex_numbers(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    const double z[] = {9.90012467, 0, -0.32436598, 1.55463542, NAN, NAN, 1, -0.0, 1e-300, 1e300};
    ash_array *a = ash_from_host(z, ASH_C_F64, ASH_SHAPE(5));
    CHECK_TEXT(a, "ash.vector c_f64[5] cpu:0 [        9.90012467+0.0i -0.32436598+1.55463542i                nan+nani"
                  "                1.0-0.0i           1e-300+1e300i]");
    CHECK_TEXT(ash_from_host(z, ASH_C_F64, ASH_SHAPE(2, 1)),
               "ash.matrix c_f64[2\xC3\x97\x31] row-major cpu:0\n [[        9.90012467+0.0i]\n  [-0.32436598+1.55463542i]]");
    CHECK_TEXT(ash_adjoint(ash_from_host(z + 2, ASH_C_F64, ASH_SHAPE(1, 1))),
               "ash.matrix c_f64[1\xC3\x97\x31] row-major cpu:0 view [[-0.32436598-1.55463542i]]");
    CHECK_TEXT(ash_from_host(((int8_t[]){1, -2, 3, 4}), ASH_C_I8, ASH_SHAPE(2)), "ash.vector c_i8[2] cpu:0 [1-2i 3+4i]");
    CHECK_TEXT(ash_from_host(((double[]){INFINITY, -INFINITY}), ASH_C_F64, ASH_SHAPE(1)),
               "ash.vector c_f64[1] cpu:0 [inf-infi]");
}

ASH_RECORD(print_point, (f32, x, 2), (f64, m));
ASH_RECORD(print_pair, (print_point, at), (bool, good), (c_f32, z));

static void records(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    const print_point points[] = {{{1, 2}, 2.5}, {{10, 20}, -1}};
    CHECK_TEXT(ash_from_host(points, print_point_dtype(), ASH_SHAPE(2)),
               "ash.vector print_point[2] cpu:0 [   (x = [1.0 2.0], m = 2.5) (x = [10.0 20.0], m = -1.0)]");
    const print_pair pair = {points[0], true, {1, -1}};
    CHECK_TEXT(ash_from_host(&pair, print_pair_dtype(), ASH_SHAPE()),
               "ash.scalar print_pair cpu:0 (at = (x = [1.0 2.0], m = 2.5), good = true, z = 1.0-1.0i)");
    enum { LONG = 400 }; /* a cell that is longer than what fits on the stack */
    int16_t numbers[LONG] = {0};
    const ash_dtype dtype = ash_dtype_record("print_long", sizeof numbers, &(ash_field_info){"\xC3\xA9", ASH_I16, 0, LONG}, 1);
    ash_array *a = ash_from_host(numbers, dtype, ASH_SHAPE(1));
    char text[2000];
    CHECK(ash_format(text, sizeof text, a) == strlen("ash.vector print_long[1] cpu:0 [(\xC3\xA9 = [])]") + 2 * LONG - 1);
    CHECK(strstr(text, " 0 0 0])]") != NULL);
}

/* As snprintf: cut to the room there is, the whole length as the answer. */
static void short_buffers(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    static const char want[] = "ash.vector i64[3] cpu:0 [1 2 3]";
    ash_array *a = ash_i64(1, 2, 3);
    for (size_t size = 0; size <= sizeof want + 1; size++) {
        char text[64];
        memset(text, '#', sizeof text);
        CHECK(ash_format(text, size, a) == sizeof want - 1);
        const size_t n = size == 0 ? 0 : size < sizeof want ? size - 1 : sizeof want - 1;
        CHECK(memcmp(text, want, n) == 0 && (size == 0 || text[n] == '\0') && text[size] == '#');
    }
    CHECK(ash_format(NULL, 0, a) == sizeof want - 1);
}

static void streams(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    FILE *file = tmpfile();
    CHECK(file);
    CHECK_OK(ash_fprint(file, ash_i64(1, 2)));
    CHECK_OK(ash_fprint(file, ash_zeros(ASH_SHAPE(2, 1))));
    rewind(file);
    char text[256] = "";
    const size_t n = fread(text, 1, sizeof text - 1, file);
    text[n] = '\0';
    fclose(file);
    assert_string_equal(text,
                        "ash.vector i64[2] cpu:0 [1 2]\nash.matrix f32[2\xC3\x97\x31] row-major cpu:0\n [[0.0]\n  [0.0]]\n");
    FILE *full = fopen("/dev/full", "w");
    if (full) {
        setvbuf(full, NULL, _IONBF, 0);
        CHECK(ash_fprint(full, ash_i64(1)) == ASH_ERR_IO);
        CHECK_ERROR_HAS(ASH_ERR_IO, "ash_fprint: cannot write: ");
        fclose(full);
    }
}

/* A pending error stays as it was, and printing a sound array works beside it. */
static void pending_errors(void **state)
{
    (void)state;
    char text[128];
    ash_array *a = ash_i64(1);
    CHECK(!ash_read_npy("/nowhere/at/all.npy"));
    ash_format(text, sizeof text, a);
    assert_string_equal(text, "ash.vector i64[1] cpu:0 [1]");
    CHECK(ash_format(text, sizeof text, NULL) == 0 && ash_print(NULL) == ASH_ERR_IO); /* passed on */
    CHECK_ERROR_HAS(ASH_ERR_IO, "ash_read_npy: cannot open /nowhere/at/all.npy");
    CHECK(ash_print(NULL) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_print: a is NULL");
    CHECK(ash_fprint(NULL, a) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_fprint: stream is NULL");
    ash_release(a);
}

/* A printed array costs no memory of the library's, however large it is. */
static void no_allocation(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    char text[4096];
    ash_array *a = ash_zeros(ASH_SHAPE(1000, 1000));
    const int64_t before = ash__allocations();
    ash_format(text, sizeof text, a);
    CHECK(ash__allocations() == before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(vectors),         TEST(scalars),        TEST(matrices),
                                       TEST(higher_ranks),    TEST(cut_axes),       TEST(words_after_the_device),
                                       TEST(complex_numbers), TEST(records),        TEST(short_buffers),
                                       TEST(streams),         TEST(pending_errors), TEST(no_allocation)};
    return cmocka_run_group_tests_name("print", tests, NULL, NULL);
}
