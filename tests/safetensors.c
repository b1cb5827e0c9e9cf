/*
 * safetensors.c (test) - files that the reference implementation wrote (tests/reference/safetensors.py), and tables by hand.
 */
#include "files.h"

#include <complex.h>
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

/* ---- trees */

static void check_tree(const ash_tree *t, const char *want, const char *file, int line)
{
    char text[2048];
    if (!t)
        fail_here(file, line, "NULL; wanted %s", want);
    ash_tree_format(text, sizeof text, t);
    if (strcmp(text, want) != 0)
        fail_here(file, line, "tree\n  got  %s\n  want %s", text, want);
}
#define CHECK_TREE(t, text) check_tree(t, text, __FILE__, __LINE__)

/* What the reference wrote is loaded and written again, to the byte. */
#define CHECK_AGAIN(name)                                                                                  \
    do {                                                                                                   \
        CHECK_OK(ash_save_safetensors(ash_load_safetensors(FILE_OF(name)), path_of("again.safetensors"))); \
        check_bytes(path_of("again.safetensors"), name, sizeof name, #name);                               \
    } while (0)

static void written_as_the_reference_does(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK_AGAIN(st_every);
    CHECK_AGAIN(st_two);
    CHECK_AGAIN(st_metadata);
    CHECK_AGAIN(st_shapes);
    CHECK_AGAIN(st_none);
    /* strided, turned and column-major arrays are written in row-major order, conjugated ones with conjugated values */
    ash_array *b = counting(0, ASH_I32, ASH_SHAPE(2, 6), ASH_COL_MAJOR);
    ash_tree *t = ash_tree_new();
    CHECK_OK(ash_tree_put(t, "a", ash_f32(1, 2)));
    CHECK_OK(ash_tree_put(t, "b", ash_map("x -> i32(x / 2)", ash_slice(b, 0, 6, .axes = ASH_AXES(1), .step = 2))));
    CHECK_OK(ash_save_safetensors(t, path_of("again.safetensors")));
    CHECK_INTS(ash_read_safetensors(path_of("again.safetensors"), "b"), 0, 1, 2, 3, 4, 5);
    const ash_complex_f32 z = {1, 2};
    t = ash_tree_new();
    CHECK_OK(ash_tree_put(t, "z", ash_adjoint(ash_from_host(&z, ASH_C_F32, ASH_SHAPE(1, 1)))));
    CHECK_OK(ash_save_safetensors(t, path_of("again.safetensors")));
    CHECK_TEXT(ash_read_safetensors(path_of("again.safetensors"), "z"),
               "ash.matrix c_f32[1\xC3\x97\x31] row-major cpu:0 [[1.0-2.0i]]");
}

static void trees(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK_TREE(ash_load_safetensors(FILE_OF(st_two)),
               "(a = ash.vector f32[2] cpu:0 [1.0 2.0], b = ash.matrix i32[2\xC3\x97\x33] "
               "row-major cpu:0 [[0 1 2] [3 4 5]])");
    ash_tree *foreign = ash_load_safetensors(FILE_OF(st_metadata));
    CHECK_TREE(foreign, "(x = ash.vector i16[1] cpu:0 [7], __metadata__ = (format = \"pt\"))");
    CHECK(strcmp(ash_tree_get_text(foreign, "__metadata__.format"), "pt") == 0);
    CHECK_TREE(ash_load_safetensors(FILE_OF(st_none)), "()");
    ash_tree *narrow = ash_load_safetensors(FILE_OF(st_two), .dtype = ASH_F16);
    CHECK(ash_dtype_of(ash_tree_get(narrow, "b")) == ASH_F16 && ash_dtype_of(ash_tree_get(narrow, "a")) == ASH_F16);
    CHECK(!ash_load_safetensors(FILE_OF(st_names)));
    CHECK_ERROR_HAS(ASH_ERR_UNSUPPORTED, "the name of an entry is empty");
    CHECK(!ash_load_safetensors(FILE_OF(st_f8)));
    CHECK_ERROR_HAS(ASH_ERR_UNSUPPORTED, "tensor w: dtype F8_E4M3 is not supported");
}

/* All kinds of leaves, there and back; branches become dots in names, which ash_tree_find takes for the same path. */
static void every_leaf_comes_back(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    const char *path = path_of("leaves.safetensors");
    ash_tree *t = ash_tree_new(), *layer = ash_tree_new(), *list = ash_tree_new(), *others = ash_tree_new();
    CHECK_OK(ash_tree_put(layer, "weight", ash_f32(1, 2)));
    CHECK_OK(ash_tree_put(layer, "rate", 0.1f));
    CHECK_OK(ash_tree_push(list, ash_u8(3)));
    CHECK_OK(ash_tree_push(list, (bool)true));
    CHECK_OK(ash_tree_put(others, "format", "pt"));
    CHECK_OK(ash_tree_put(t, "layer", layer));
    CHECK_OK(ash_tree_put(t, "list", list));
    CHECK_OK(ash_tree_put(t, "text", "ashlar:text:\"\\\n\xE4\xB8\xAD"));
    CHECK_OK(ash_tree_put(t, "epochs", INT64_MIN));
    CHECK_OK(ash_tree_put(t, "most", UINT64_MAX));
    CHECK_OK(ash_tree_put(t, "inf", -INFINITY));
    CHECK_OK(ash_tree_put(t, "zero", -0.0));
    CHECK_OK(ash_tree_put(t, "nan", (float)NAN));
    CHECK_OK(ash_tree_put(t, "z", 1.0 - 2.5 * I));
    CHECK_OK(ash_tree_put(t, "all", ash_tree_range(-5, INT64_MAX)));
    CHECK_OK(ash_tree_put(t, "empty", ""));
    CHECK_OK(ash_tree_put(t, "__metadata__", others));
    CHECK_OK(ash_save_safetensors(t, path));
    ash_tree *back = ash_load_safetensors(path);
    CHECK(back && ash_tree_count(back) == 14 && ash_tree_arrays(back) == 2);
    CHECK_FLOATS(ash_tree_get(back, "layer.weight"), 1, 2);
    CHECK_INTS(ash_tree_get(back, "list.0"), 3);
    char text[1024];
    const ash_tree *const entry = ash_tree_child(back, "layer.rate");
    ash_tree_format(text, sizeof text, entry);
    CHECK(strcmp(text, "0.1") == 0);
    ash_operand scalar;
    CHECK_OK(ash_tree_get_scalar(back, "layer.rate", &scalar));
    CHECK(scalar.dtype == ASH_F32 && scalar.value.f == (double)0.1f);
    CHECK_OK(ash_tree_get_scalar(back, "list.1", &scalar));
    CHECK(scalar.dtype == ASH_BOOL && scalar.value.i == 1);
    CHECK_OK(ash_tree_get_scalar(back, "most", &scalar));
    CHECK(scalar.dtype == ASH_U64 && (uint64_t)scalar.value.i == UINT64_MAX);
    CHECK_OK(ash_tree_get_scalar(back, "z", &scalar));
    CHECK(scalar.dtype == ASH_C_F64 && scalar.value.c[0] == 1 && scalar.value.c[1] == -2.5);
    CHECK(ash_tree_get_i64(back, "epochs") == INT64_MIN);
    CHECK(ash_tree_get_f64(back, "inf") == -(double)INFINITY && signbit(ash_tree_get_f64(back, "zero")));
    CHECK(isnan(ash_tree_get_f64(back, "nan")));
    CHECK(strcmp(ash_tree_get_text(back, "text"), "ashlar:text:\"\\\n\xE4\xB8\xAD") == 0);
    CHECK(strcmp(ash_tree_get_text(back, "empty"), "") == 0);
    CHECK(strcmp(ash_tree_get_text(back, "__metadata__.format"), "pt") == 0);
    int64_t first, end;
    CHECK_OK(ash_tree_get_range(back, "all", &first, &end));
    CHECK(first == -5 && end == INT64_MAX);
    /* once more: nothing changes any more */
    size_t n;
    unsigned char *bytes = get_file(path, &n);
    CHECK_OK(ash_save_safetensors(back, path_of("once_more.safetensors")));
    check_bytes(path_of("once_more.safetensors"), bytes, n, "once more");
    free(bytes);
}

static void mapped_trees(void **state)
{
    (void)state;
    ash_array *b = NULL;
    {
        ASH_SCOPE(scope);
        ash_tree *t = ash_load_safetensors(FILE_OF(st_every), .mapped = true);
        CHECK(ash_tree_count(t) == 14);
        for (int64_t i = 0; i < 14; i++)
            CHECK(ash_is_readonly(ash_tree_get(ash_tree_at(t, i), NULL)));
        b = ash_retain(ash_tree_get(t, "f64"));
    }
    CHECK_FLOATS(b, 0, 1, -1e300); /* the mapping lives as long as the last of its arrays */
    ash_release(b);
}

static void trees_refused(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    const char *path = put_file("kept.safetensors", "old", 3);
    ash_tree *t = ash_tree_new();
    CHECK(ash_save_safetensors(NULL, path) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_save_safetensors: t is NULL");
    CHECK(ash_save_safetensors(t, NULL) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_save_safetensors: path is NULL");
    CHECK(ash_save_safetensors(ash_tree_range(0, 1), path) == ASH_ERR_ARGUMENT);
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "t is a leaf");
    CHECK_OK(ash_tree_put(t, "z", ash_c_f64(1)));
    CHECK(ash_save_safetensors(t, path) == ASH_ERR_DTYPE);
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_save_safetensors: z is c_f64, which safetensors files do not have");
    t = ash_tree_new();
    ash_tree *inner = ash_tree_new();
    CHECK_OK(ash_tree_put(inner, "b", ash_i32(1)));
    CHECK_OK(ash_tree_put(t, "a.b", ash_i32(2)));
    CHECK_OK(ash_tree_put(t, "a", inner));
    CHECK(ash_save_safetensors(t, path) == ASH_ERR_ARGUMENT);
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "two leaves have the path a.b");
    t = ash_tree_new();
    CHECK_OK(ash_tree_put(t, "\xFF", ash_i32(2)));
    CHECK(ash_save_safetensors(t, path) == ASH_ERR_VALUE);
    CHECK_ERROR_HAS(ASH_ERR_VALUE, "no UTF-8");
    t = ash_tree_new();
    CHECK_OK(ash_tree_put(t, "__metadata__", ash_i32(2)));
    CHECK(ash_save_safetensors(t, path) == ASH_ERR_ARGUMENT);
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "cannot be called __metadata__");
    check_bytes(path, "old", 3, "kept");
    CHECK(!ash_load_safetensors(made("{\"__metadata__\":{\"n\":\"ashlar:i8:300\"}}", NULL, 0)));
    CHECK_ERROR_HAS(ASH_ERR_FORMAT, "'ashlar:i8:300' is no value");
    CHECK(!ash_load_safetensors(made("{\"__metadata__\":{\"t\":\"ashlar:text:\"},\"t\":{\"dtype\":\"U8\",\"shape\":[0],"
                                     "\"data_offsets\":[0,0]}}",
                                     NULL, 0)));
    CHECK_ERROR_HAS(ASH_ERR_FORMAT, "__metadata__: t is the name of a tensor too");
    CHECK(!ash_load_safetensors(made("{\"__metadata__\":{\"__metadata__\":\"ashlar:text:\",\"format\":\"pt\"}}", NULL, 0)));
    CHECK_ERROR_HAS(ASH_ERR_FORMAT, "__metadata__ is the name of a value too");
}

static void memory_runs_out_in_trees(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    const char *path = put_file("kept.safetensors", "old", 3);
    ash_tree *t = ash_tree_new(), *inner = ash_tree_new();
    CHECK_OK(ash_tree_put(inner, "x", ash_i32(1, 2)));
    CHECK_OK(ash_tree_put(inner, "n", 5));
    CHECK_OK(ash_tree_put(t, "inner", inner));
    CHECK_OK(ash_tree_put(t, "y", ash_transpose(counting(0, ASH_F32, ASH_SHAPE(2, 3), ASH_ROW_MAJOR))));
    for (int n = 1;; n++) {
        ash__fail_allocation(n);
        const ash_status status = ash_save_safetensors(t, path);
        ash__fail_allocation(0);
        if (status == ASH_OK)
            break;
        CHECK(status == ASH_ERR_MEMORY && n < 100);
        CHECK_ERROR_HAS(ASH_ERR_MEMORY, "ash_save_safetensors: ");
        check_bytes(path, "old", 3, "kept");
    }
    const int64_t live = ash_live_arrays();
    for (int mapped = 0; mapped < 2; mapped++)
        for (int n = 1;; n++) {
            ash__fail_allocation(n);
            ash_tree *back = ash_load_safetensors(path, .mapped = mapped);
            ash__fail_allocation(0);
            if (back) {
                CHECK(ash_tree_count(back) == 3);
                ash_tree_release(back);
                break;
            }
            CHECK(n < 200);
            CHECK_ERROR_HAS(ASH_ERR_MEMORY, "");
            CHECK(ash_live_arrays() == live);
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
    const struct CMUnitTest tests[] = {TEST(every_dtype),
                                       TEST(shapes),
                                       TEST(names),
                                       TEST(conversions),
                                       TEST(mapped),
                                       TEST(tables_taken),
                                       TEST(tables_refused),
                                       TEST(cut_anywhere),
                                       TEST(faults_of_files),
                                       TEST(written_as_the_reference_does),
                                       TEST(trees),
                                       TEST(every_leaf_comes_back),
                                       TEST(mapped_trees),
                                       TEST(trees_refused),
                                       TEST(memory_runs_out_in_trees),
                                       TEST(memory_runs_out)};
    return cmocka_run_group_tests_name("safetensors", tests, make_folder, remove_folder);
}

#else

static void says_what_to_install(void **state)
{
    (void)state;
    CHECK(!ash_read_safetensors(put_file("a.safetensors", "", 0), "a"));
    CHECK_ERROR_HAS(ASH_ERR_UNSUPPORTED, "libjansson-dev");
    CHECK(!ash_load_safetensors(path_of("a.safetensors")));
    CHECK_ERROR_HAS(ASH_ERR_UNSUPPORTED, "libjansson-dev");
    ASH_SCOPE(scope);
    CHECK(ash_save_safetensors(ash_tree_new(), path_of("a.safetensors")) == ASH_ERR_UNSUPPORTED);
    CHECK_ERROR_HAS(ASH_ERR_UNSUPPORTED, "libjansson-dev");
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(says_what_to_install)};
    return cmocka_run_group_tests_name("safetensors", tests, make_folder, remove_folder);
}
#endif
