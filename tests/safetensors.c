/*
 * safetensors.c (test) - files that the reference implementation wrote (tests/reference/safetensors.py), and tables by hand.
 */
#include "files.h"

#include <sys/stat.h>

#include "core/alloc.h"

#ifdef ASH__WITH_SAFETENSORS
#include "reference/safetensors.h"

#define FILE_OF(name) put_file(#name ".safetensors", name, sizeof name)
#define READ(name, ...) ash_read_safetensors(FILE_OF(name), __VA_ARGS__)

/* A file of this header and n bytes of data. */
static const char *made(const char *header, const void *data, size_t n)
{
    static unsigned char file[1 << 16];
    const size_t length = strlen(header);
    CHECK(8 + length + n <= sizeof file);
    for (int i = 0; i < 8; i++)
        file[i] = (unsigned char)(length >> 8 * i);
    memcpy(file + 8, header, length);
    if (n > 0)
        memcpy(file + 8 + length, data, n);
    return put_file("made.safetensors", file, 8 + length + n);
}

static const struct {
    const char *name;
    ash_dtype dtype;
    double value[3];
} every[] = {{"bool", ASH_BOOL, {1, 0, 1}},
             {"u8", ASH_U8, {0, 1, 255}},
             {"i8", ASH_I8, {0, 1, -128}},
             {"u16", ASH_U16, {0, 1, 65535}},
             {"i16", ASH_I16, {0, 1, -32768}},
             {"u32", ASH_U32, {0, 1, 4294967295.0}},
             {"i32", ASH_I32, {0, 1, -2147483648.0}},
             {"u64", ASH_U64, {0, 1, 9007199254740992.0}},
             {"i64", ASH_I64, {0, 1, -9007199254740992.0}},
             {"f16", ASH_F16, {0, 1, -1.5}},
             {"bf16", ASH_BF16, {0, 1, -1.5}},
             {"f32", ASH_F32, {0, 1, -1.5}},
             {"f64", ASH_F64, {0, 1, -1e300}}};

static void every_dtype(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    const char *path = FILE_OF(st_every);
    for (int i = 0; i < COUNT(every); i++) {
        ash_array *a = ash_read_safetensors(path, every[i].name);
        CHECK_SHAPE(a, 3);
        CHECK(ash_dtype_of(a) == every[i].dtype && !ash_is_readonly(a));
        check_floats(a, every[i].value, 3, __FILE__, __LINE__);
    }
    ash_complex_f32 z[3];
    CHECK_OK(ash_to_host(ash_read_safetensors(path, "c_f32"), z, sizeof z));
    CHECK(z[1].re == 1 && z[1].im == 0 && z[2].re == -1.5f && z[2].im == 2);
}

static void shapes(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *b = READ(st_two, "b");
    CHECK_SHAPE(b, 2, 3);
    CHECK_INTS(b, 0, 1, 2, 3, 4, 5);
    ash_array *columns = READ(st_two, "b", .layout = ASH_COL_MAJOR, .dtype = ASH_F32);
    CHECK(ash_layout_of(columns) == ASH_COL_MAJOR);
    CHECK_FLOATS(columns, 0, 1, 2, 3, 4, 5);
    CHECK_SCALAR(READ(st_shapes, "scalar"));
    CHECK_FLOATS(READ(st_shapes, "scalar"), 2.5);
    CHECK_SHAPE(READ(st_shapes, "empty"), 0, 3);
    CHECK_SHAPE(READ(st_shapes, "rank5"), 1, 2, 1, 2, 1);
    CHECK_INTS(READ(st_metadata, "x"), 7);
    CHECK_INTS(READ(st_metadata, NULL), 7);
}

static void names(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK_INTS(READ(st_names, ""), 1);
    CHECK_INTS(READ(st_names, "a \"quoted\" \\ name"), 2);
    CHECK_INTS(READ(st_names, "layer.0.weight"), 3);
    CHECK_INTS(READ(st_names, "\xE4\xB8\xAD\xF0\x9F\x98\x80\n"), 4);
    CHECK_INTS(ash_read_safetensors(
                   made("{\"\\u4e2d\\ud83d\\ude00\":{\"dtype\":\"U8\",\"shape\":[1],\"data_offsets\":[0,1]}}", "\x05", 1),
                   "\xE4\xB8\xAD\xF0\x9F\x98\x80"),
               5);
    CHECK(!READ(st_two, "c"));
    CHECK_ERROR_PARTS(ASH_ERR_BOUNDS, "ash_read_safetensors: ", "there is no tensor c; it has 2, such as a");
    CHECK(!READ(st_two, NULL));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "name one of its 2 tensors, such as a");
    CHECK(!READ(st_none, "a"));
    CHECK_ERROR_HAS(ASH_ERR_BOUNDS, "there is no tensor in it");
}

static void conversions(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK_INTS(READ(st_every, "f32", .dtype = ASH_I8), 0, 1, -1);
    CHECK(!READ(st_every, "f32", .dtype = ASH_I8, .exact = true));
    CHECK_ERROR_HAS(ASH_ERR_VALUE, "element 2, -1.5, is not an integer");
    CHECK(!READ(st_every, "u16", .dtype = ASH_U8));
    CHECK_ERROR_HAS(ASH_ERR_VALUE, "element 2, 65535, does not fit u8");
    /* a tensor of a dtype that is not known here does not stand in the way of the others */
    CHECK_FLOATS(READ(st_f8, "scales"), 3);
    CHECK(!READ(st_f8, "w"));
    CHECK_ERROR_HAS(ASH_ERR_UNSUPPORTED, "tensor w: dtype F8_E4M3 is not supported");
    ash_resources *single = ash_resources_new("cpu:0?f64=off");
    CHECK_FLOATS(READ(st_shapes, "scalar", .dtype = ASH_F32, .resources = single), 2.5);
    CHECK(!READ(st_shapes, "scalar", .resources = single));
    CHECK_ERROR_HAS(ASH_ERR_DTYPE, "does not support f64 values; use f32");
    ash_resources_release(single);
}

static void mapped(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    const char *path = FILE_OF(st_every);
    for (int i = 0; i < COUNT(every); i++) {
        ash_array *a = ash_read_safetensors(path, every[i].name, .mapped = true);
        CHECK(ash_is_readonly(a) && !ash_is_view(a) && ash_dtype_of(a) == every[i].dtype);
        check_floats(a, every[i].value, 3, __FILE__, __LINE__);
    }
    ash_array *w = READ(st_two, "b", .mapped = true, .writable = true);
    ash_set_i32(w, 50, 1, 2);
    ash_release(w);
    CHECK_INTS(ash_read_safetensors(path_of("st_two.safetensors"), "b"), 0, 1, 2, 3, 4, 50);
    CHECK(!READ(st_two, "b", .mapped = true, .dtype = ASH_F32));
    CHECK_ERROR_HAS(ASH_ERR_UNSUPPORTED, "tensor b: cannot be mapped as f32: its elements are i32");
    CHECK(!READ(st_two, "b", .writable = true));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, ".writable is for .mapped arrays");
    /* not padded: fine to read, not to map */
    const char *odd = made("{\"x\":{\"dtype\":\"F32\",\"shape\":[1],\"data_offsets\":[0,4]}}", "\0\0\x80\x3F", 4);
    CHECK_FLOATS(ash_read_safetensors(odd, "x"), 1);
    CHECK(!ash_read_safetensors(odd, "x", .mapped = true));
    CHECK_ERROR_HAS(ASH_ERR_UNSUPPORTED,
                    "tensor x: cannot be mapped: the data begins at byte 62, which is not aligned for f32");
}

#define ONE(dtype, shape, offsets) "{\"t\":{\"dtype\":\"" dtype "\",\"shape\":" shape ",\"data_offsets\":" offsets "}}"
#define TWO(first, second)                                                \
    "{\"a\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":" first "}," \
    "\"b\":{\"dtype\":\"U8\",\"shape\":[4],\"data_offsets\":" second "}}"

/* By hand, from the description of the format. */
static const struct {
    const char *header;
    size_t data; /* bytes of it */
    const char *part;
} refused[] = {
    {ONE("F32", "[1]", "[0,4]"), 3, "tensor t: data_offsets [0, 4] are beyond the end: there are 3 bytes of data"},
    {ONE("F32", "[1]", "[0,4]"), 5, "1 bytes follow the data of the last tensor"},
    {"{}", 1, "1 bytes follow the data of the last tensor"},
    {TWO("[0,4]", "[5,9]"), 9, "tensor b: data_offsets [5, 9] leave a gap: they must begin at 4"},
    {TWO("[4,8]", "[5,9]"), 9, "tensor a: data_offsets [4, 8] leave a gap: they must begin at 0"},
    {TWO("[0,4]", "[3,7]"), 7, "tensor b: data_offsets [3, 7] overlap those of tensor a, [0, 4]"},
    {TWO("[0,4]", "[0,4]"), 4, "overlap"},
    {ONE("F32", "[1]", "[0,5]"), 5, "tensor t: shape (1) of F32 needs 4 bytes; data_offsets [0, 5] hold 5"},
    {ONE("F4", "[3]", "[0,2]"), 2, "tensor t: shape (3) of F4 needs 2 bytes"},
    {ONE("F99", "[1]", "[0,4]"), 4, "tensor t: dtype 'F99' is not known"},
    {ONE("f32", "[1]", "[0,4]"), 4, "tensor t: dtype 'f32' is not known"},
    {ONE("F32", "[1.0]", "[0,4]"), 4, "tensor t: shape holds a number with a fraction"},
    {ONE("F32", "[1e0]", "[0,4]"), 4, "tensor t: shape holds a number with a fraction or an exponent"},
    {ONE("F32", "[\\\"1\\\"]", "[0,4]"), 4, "header, byte"},
    {ONE("F32", "[\"1\"]", "[0,4]"), 4, "tensor t: shape holds a string"},
    {ONE("F32", "[null]", "[0,4]"), 4, "tensor t: shape holds null"},
    {ONE("F32", "1", "[0,4]"), 4, "tensor t: shape is an integer"},
    {ONE("F32", "[18446744073709551616]", "[0,4]"), 4, "too big integer"},
    {ONE("F32", "[1]", "[0,4,8]"), 4, "tensor t: data_offsets has 3 items"},
    {ONE("F32", "[1]", "[0,true]"), 4, "tensor t: data_offsets holds a truth value"},
    {ONE("F32", "[1]", "{}"), 4, "tensor t: data_offsets is an object"},
    {ONE("F32", "[1]", "[0,9223372036854775807]"), 4, "are beyond the end"},
    {ONE("U8", "[9223372036854775807]", "[0,4]"), 4, "shape (9223372036854775807) has more elements"},
    {"{\"t\":{\"shape\":[1],\"data_offsets\":[0,4]}}", 4, "tensor t: dtype is missing"},
    {"{\"t\":{\"dtype\":\"F32\",\"data_offsets\":[0,4]}}", 4, "tensor t: shape is missing"},
    {"{\"t\":{\"dtype\":\"F32\",\"shape\":[1]}}", 4, "tensor t: data_offsets is missing"},
    {"{\"t\":{\"dtype\":4,\"shape\":[1],\"data_offsets\":[0,4]}}", 4, "tensor t: dtype is an integer"},
    {"{\"t\":[1]}", 4, "tensor t: it is an array"},
    {"{\"t\":null}", 4, "tensor t: it is null"},
    {"{\"__metadata__\":[]}", 0, "__metadata__ is an array; it must be an object of strings"},
    {"{\"__metadata__\":{\"n\":1}}", 0, "__metadata__: n is an integer; it must be a string"},
    {"{\"a\":{},\"a\":{}}", 0, "duplicate"},
    {"{\"t\":{\"dtype\":\"U8\",\"dtype\":\"U8\",\"shape\":[0],\"data_offsets\":[0,0]}}", 0, "duplicate"},
    {"{\"a\\u0000b\":{}}", 0, "header, byte"},
    {"{\"\xFF\":{}}", 0, "header, byte"},
    {"{\"\\ud800\":{}}", 0, "header, byte"},
    {"{} {}", 0, "header, byte"},
    {"{", 0, "header, byte"},
    {"[]", 0, "does not begin with '{'"},
    {" {}", 0, "does not begin with '{'"},
    {"", 0, "does not begin with '{'"},
    {"{\"t\":1e999}", 0, "header, byte"},
};

static void tables_refused(void **state)
{
    (void)state;
    const char zeros[16] = {0};
    for (int i = 0; i < COUNT(refused); i++) {
        CHECK(!ash_read_safetensors(made(refused[i].header, zeros, refused[i].data), "t"));
        CHECK_ERROR_PARTS(ASH_ERR_FORMAT, "ash_read_safetensors: ", "made.safetensors: ", refused[i].part);
    }
    /* lists in lists: the parser stops before its stack does */
    static char deep[20001] = "{\"t\":";
    memset(deep + 5, '[', sizeof deep - 6);
    CHECK(!ash_read_safetensors(made(deep, zeros, 0), "t"));
    CHECK_ERROR_HAS(ASH_ERR_FORMAT, "depth");
    CHECK(!ash_read_safetensors(
        made(ONE("U8", "[1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1]", "[0,1]"), zeros, 1), "t"));
    CHECK_ERROR_HAS(ASH_ERR_UNSUPPORTED, "tensor t: shape: more than 32 axes");
}

/* What the reference takes as well: fields that are not known, sizes in any order, nothing in the data. */
static void tables_taken(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK_INTS(
        ash_read_safetensors(
            made("{\"t\":{\"data_offsets\":[0,2],\"more\":{\"x\":[1.5]},\"shape\":[2],\"dtype\":\"U8\"}}  \n", "\1\2", 2), "t"),
        1, 2);
    CHECK_INTS(ash_read_safetensors(made(TWO("[4,8]", "[0,4]"), "\1\2\3\4\5\6\7\10", 8), "a"), 5, 6, 7, 8);
    CHECK_SHAPE(ash_read_safetensors(made(ONE("F64", "[4294967296,4294967296,0]", "[0,0]"), NULL, 0), NULL), 4294967296,
                4294967296, 0);
    /* any byte but 0 is true */
    CHECK_INTS(ash_read_safetensors(made(ONE("BOOL", "[3]", "[0,3]"), "\0\1\7", 3), "t"), 0, 1, 1);
}

static void cut_anywhere(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof st_two; n++) {
        CHECK(!ash_read_safetensors(put_file("cut.safetensors", st_two, n), "a"));
        CHECK_ERROR_HAS(ASH_ERR_FORMAT, "cut.safetensors: ");
        CHECK(!ash_read_safetensors(path_of("cut.safetensors"), "a", .mapped = true));
        CHECK_ERROR_HAS(ASH_ERR_FORMAT, "cut.safetensors: ");
    }
}

static void faults_of_files(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK(!ash_read_safetensors(NULL, "a"));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_read_safetensors: path is NULL");
    CHECK(!ash_read_safetensors("/nowhere/a.safetensors", "a"));
    CHECK_ERROR(ASH_ERR_IO, "ash_read_safetensors: cannot open /nowhere/a.safetensors: No such file or directory");
    CHECK(!ash_read_safetensors(folder, "a"));
    CHECK_ERROR_HAS(ASH_ERR_IO, ": Is a directory");
    int ends[2];
    char path[64];
    CHECK(pipe(ends) == 0);
    CHECK(write(ends[1], st_two, sizeof st_two) == (ssize_t)sizeof st_two);
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    if (access(path, R_OK) == 0)
        CHECK_INTS(ash_read_safetensors(path, "b"), 0, 1, 2, 3, 4, 5);
    close(ends[0]);
}

static void memory_runs_out(void **state)
{
    (void)state;
    const char *path = FILE_OF(st_two);
    for (int way = 0; way < 2; way++)
        for (int n = 1;; n++) {
            ash__fail_allocation(n);
            ash_array *a = ash_read_safetensors(path, "b", .mapped = way == 1);
            ash__fail_allocation(0);
            if (a) {
                CHECK(n > 2);
                ash_release(a);
                break;
            }
            CHECK_ERROR_HAS(ASH_ERR_MEMORY, "ash_read_safetensors: ");
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(every_dtype),     TEST(shapes),         TEST(names),          TEST(conversions),
                                       TEST(mapped),          TEST(tables_taken),   TEST(tables_refused), TEST(cut_anywhere),
                                       TEST(faults_of_files), TEST(memory_runs_out)};
    return cmocka_run_group_tests_name("safetensors", tests, make_folder, remove_folder);
}

#else

static void says_what_to_install(void **state)
{
    (void)state;
    CHECK(!ash_read_safetensors(put_file("a.safetensors", "", 0), "a"));
    CHECK_ERROR_HAS(ASH_ERR_UNSUPPORTED, "libjansson-dev");
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(says_what_to_install)};
    return cmocka_run_group_tests_name("safetensors", tests, make_folder, remove_folder);
}
#endif
