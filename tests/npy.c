/*
 * npy.c (test) - NPY files against those that NumPy writes (tests/reference/npy.py), and headers made by hand.
 */
#include "files.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/alloc.h"
#include "core/dtype.h"

#include "reference/npy.h"

#define PARSE(name) ash_parse_npy(name, sizeof name)

#define FILE_OF(name) put_file(#name ".npy", name, sizeof name)

/* What ash_write_npy writes is this, to the byte. */
static void check_written(const ash_array *a, const unsigned char *want, size_t n, const char *name)
{
    static unsigned char got[4096];
    const char *path = path_of("written.npy");
    CHECK_OK(ash_write_npy(a, path));
    FILE *file = fopen(path, "rb");
    CHECK(file);
    const size_t length = fread(got, 1, sizeof got, file);
    fclose(file);
    if (length != n || memcmp(got, want, n) != 0) {
        size_t at = 0;
        while (at < n && at < length && got[at] == want[at])
            at++;
        FAIL("%s: %zu bytes, not %zu; the first difference is at byte %zu: %.200s", name, length, n, at,
             (const char *)got + 10);
    }
}
#define CHECK_WRITTEN(a, name) check_written(a, name, sizeof name, #name)

static const struct {
    const char *name;
    ash_dtype dtype;
    const unsigned char *bytes;
    size_t size;
} plain[] = {
    {"npy_bool", ASH_BOOL, npy_bool, sizeof npy_bool},     {"npy_i8", ASH_I8, npy_i8, sizeof npy_i8},
    {"npy_i16", ASH_I16, npy_i16, sizeof npy_i16},         {"npy_i32", ASH_I32, npy_i32, sizeof npy_i32},
    {"npy_i64", ASH_I64, npy_i64, sizeof npy_i64},         {"npy_u8", ASH_U8, npy_u8, sizeof npy_u8},
    {"npy_u16", ASH_U16, npy_u16, sizeof npy_u16},         {"npy_u32", ASH_U32, npy_u32, sizeof npy_u32},
    {"npy_u64", ASH_U64, npy_u64, sizeof npy_u64},         {"npy_f16", ASH_F16, npy_f16, sizeof npy_f16},
    {"npy_f32", ASH_F32, npy_f32, sizeof npy_f32},         {"npy_f64", ASH_F64, npy_f64, sizeof npy_f64},
    {"npy_c_f32", ASH_C_F32, npy_c_f32, sizeof npy_c_f32}, {"npy_c_f64", ASH_C_F64, npy_c_f64, sizeof npy_c_f64},
};

static void every_dtype(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    for (int i = 0; i < COUNT(plain); i++) {
        ash_array *a = ash_parse_npy(plain[i].bytes, plain[i].size);
        CHECK_SHAPE(a, 2, 3);
        CHECK(ash_dtype_of(a) == plain[i].dtype && ash_layout_of(a) == ASH_ROW_MAJOR && !ash_is_readonly(a));
        const bool b = plain[i].dtype == ASH_BOOL;
        CHECK_FLOATS(a, 0, 1, b ? 1 : 2, b ? 1 : 3, b ? 1 : 4, b ? 1 : 5);
        check_written(a, plain[i].bytes, plain[i].size, plain[i].name);
        ash_array *file = ash_read_npy(put_file(plain[i].name, plain[i].bytes, plain[i].size));
        CHECK_FLOATS(file, 0, 1, b ? 1 : 2, b ? 1 : 3, b ? 1 : 4, b ? 1 : 5);
        ash_array *mapped = ash_read_npy(path_of(plain[i].name), .mapped = true);
        CHECK_FLOATS(mapped, 0, 1, b ? 1 : 2, b ? 1 : 3, b ? 1 : 4, b ? 1 : 5);
        CHECK(ash_is_readonly(mapped) && !ash_is_view(mapped));
    }
}

static void shapes_and_orders(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *fortran = PARSE(npy_fortran);
    CHECK_SHAPE(fortran, 2, 3);
    CHECK(ash_layout_of(fortran) == ASH_COL_MAJOR);
    CHECK_FLOATS(fortran, 0, 1, 2, 3, 4, 5);
    CHECK_WRITTEN(fortran, npy_fortran);
    ash_array *row_major = ash_parse_npy(npy_fortran, sizeof npy_fortran, .layout = ASH_ROW_MAJOR);
    CHECK(ash_layout_of(row_major) == ASH_ROW_MAJOR);
    CHECK_FLOATS(row_major, 0, 1, 2, 3, 4, 5);
    CHECK_WRITTEN(row_major, npy_f32);
    ash_array *scalar = PARSE(npy_scalar);
    CHECK_SCALAR(scalar);
    CHECK_FLOATS(scalar, 2.5);
    CHECK_WRITTEN(scalar, npy_scalar);
    CHECK_WRITTEN(ash_i32(0, 1, 2), npy_vector);
    ash_array *empty = PARSE(npy_empty);
    CHECK_SHAPE(empty, 0, 3);
    CHECK_WRITTEN(empty, npy_empty);
    ash_array *rank5 = PARSE(npy_rank5);
    CHECK_SHAPE(rank5, 1, 2, 1, 2, 1);
    CHECK_INTS(rank5, 0, 1, 2, 3);
    CHECK_WRITTEN(rank5, npy_rank5);
    /* strided and turned views are written in row-major order, transposed ones as they lie */
    ash_array *f = counting(0, ASH_F32, ASH_SHAPE(2, 6), ASH_ROW_MAJOR);
    ash_array *steps = ash_slice(f, 0, 6, .axes = ASH_AXES(1), .step = 2);
    const float values[] = {0, 2, 4, 6, 8, 10};
    unsigned char want[sizeof npy_f32];
    memcpy(want, npy_f32, sizeof want);
    memcpy(want + sizeof want - sizeof values, values, sizeof values);
    check_written(steps, want, sizeof want, "strided");
    ash_array *turned = ash_transpose(ash_from_host(((float[]){0, 1, 2, 3, 4, 5}), ASH_F32, ASH_SHAPE(3, 2),
                                                    .layout = ASH_COL_MAJOR, .strides = ASH_SHAPE(1, 3)));
    CHECK_WRITTEN(turned, npy_f32);
}

static void other_byte_order(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK_INTS(PARSE(npy_big_i16), 1, 256, -2);
    CHECK_FLOATS(PARSE(npy_big_f32), 1.5, -2, (double)1e-30f);
    CHECK_FLOATS(PARSE(npy_big_f64), 1.5, -2, 1e-300);
    ash_complex_f32 z[2];
    CHECK_OK(ash_to_host(PARSE(npy_big_c_f32), z, sizeof z));
    CHECK(z[0].re == 1 && z[0].im == 2 && z[1].re == 0 && z[1].im == -3);
    CHECK(!ash_read_npy(FILE_OF(npy_big_f32), .mapped = true));
    CHECK_ERROR_PARTS(ASH_ERR_UNSUPPORTED,
                      "ash_read_npy: ", "npy_big_f32.npy: cannot be mapped: its byte order is not this machine's");
}

static void versions(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK_INTS(PARSE(npy_version2), 0, 1, 2);
    CHECK_INTS(PARSE(npy_version3), 0, 1, 2);
    unsigned char other[sizeof npy_vector];
    memcpy(other, npy_vector, sizeof other);
    other[6] = 4;
    CHECK(!PARSE(other));
    CHECK_ERROR(ASH_ERR_FORMAT, "ash_parse_npy: version 4.0 of the format is not known; 1.0, 2.0 and 3.0 are");
}

ASH_RECORD(npy_point, (f32, x, 3), (f64, m));
ASH_RECORD(npy_mixed, (u8, tag), (f64, m), (f16, h), (bool, good));
ASH_RECORD(npy_both, (npy_point, at), (i32, n));

static void records(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    /* without a name asked for, a record is called "record", and one inside by its field */
    CHECK_TEXT(PARSE(npy_points), "ash.vector record[2] cpu:0 [ (x = [1.0 2.0 3.0], m = 0.5) (x = [4.0 5.0 6.0], m = -0.5)]");
    CHECK_TEXT(PARSE(npy_nested), "ash.vector record[2] cpu:0 [  (at = (x = [1.0 2.0 3.0], m = 0.5), n = 7) (at = (x = [4.0 "
                                  "5.0 6.0], m = -0.5), n = -7)]");
    ash_array *points = ash_parse_npy(npy_points, sizeof npy_points, .dtype = npy_point_dtype());
    CHECK(points && ash_dtype_of(points) == npy_point_dtype());
    CHECK_WRITTEN(points, npy_points);
    ash_array *both = ash_parse_npy(npy_nested, sizeof npy_nested, .dtype = npy_both_dtype());
    CHECK(both && ash_dtype_of(both) == npy_both_dtype());
    CHECK_WRITTEN(both, npy_nested);
    CHECK(!ash_parse_npy(npy_points, sizeof npy_points, .dtype = npy_mixed_dtype()));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_parse_npy: the file's elements are other records, not npy_mixed");
    CHECK(!ash_parse_npy(npy_points, sizeof npy_points, .dtype = ASH_F32));
    CHECK_ERROR_HAS(ASH_ERR_DTYPE, "other records, not f32");
    /* packed in the file, aligned in memory */
    ash_array *mixed = ash_parse_npy(npy_packed, sizeof npy_packed, .dtype = npy_mixed_dtype());
    npy_mixed got[2];
    CHECK_OK(ash_to_host(mixed, got, sizeof got));
    CHECK(got[0].tag == 1 && got[0].m == 0.5 && got[0].good && got[1].tag == 2 && got[1].m == -0.5 && !got[1].good);
    CHECK(ash__f16_to_f32(got[0].h.bits) == 1.5f && ash__f16_to_f32(got[1].h.bits) == -1.5f);
    ash_array *turned = ash_parse_npy(npy_packed_big, sizeof npy_packed_big, .dtype = npy_mixed_dtype());
    CHECK_TEXT(turned, "ash.vector npy_mixed[2] cpu:0 [   (tag = 1, m = 0.5, h = 1.5, good = true) (tag = 2, m = -0.5, h = "
                       "-1.5, good = false)]");
    CHECK(!ash_read_npy(FILE_OF(npy_packed), .mapped = true));
    CHECK_ERROR_HAS(ASH_ERR_UNSUPPORTED, "cannot be mapped: its records are not laid out as in memory");
    ash_array *mapped = ash_read_npy(FILE_OF(npy_points), .mapped = true, .dtype = npy_point_dtype());
    CHECK_TEXT(mapped, "ash.vector npy_point[2] cpu:0 [ (x = [1.0 2.0 3.0], m = 0.5) (x = [4.0 5.0 6.0], m = -0.5)]");
    CHECK_TEXT(PARSE(npy_unicode), "ash.vector record[2] cpu:0 [(\xE4\xB8\xAD\xC3\xA9 = 1) (\xE4\xB8\xAD\xC3\xA9 = 2)]");
    CHECK_TEXT(PARSE(npy_latin1), "ash.vector record[2] cpu:0 [(\xC3\xA9'\\ = 1) (\xC3\xA9'\\ = 2)]");
    CHECK_TEXT(PARSE(npy_table), "ash.vector record[1] cpu:0 [(t = [1 2 3 4])]");
}

/* Written and read back: dtypes that NumPy does not have, and gaps without what memory held before. */
static void written_and_read(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    const char *path = path_of("round.npy");
    const double z[] = {1, -2, 3, 4, 5, -6};
    for
        EACH_DTYPE(dtype, ASH_BOOL, ASH_C_F64)
        {
            const bool b = dtype == ASH_BOOL, u = ash__part(dtype) >= ASH_U8 && ash__part(dtype) <= ASH_U64;
            const double y[] = {1, 0, 1, 1, 0, 0}, positive[] = {1, 2, 3, 4, 5, 6};
            ash_array *a = ash_from_host(b   ? y
                                         : u ? positive
                                             : z,
                                         ash__is_complex(dtype) ? ASH_C_F64 : ASH_F64, ASH_SHAPE(3), .dtype = dtype);
            CHECK_OK(ash_write_npy(a, path));
            ash_array *back = ash_read_npy(path);
            CHECK(back && ash_dtype_of(back) == dtype);
            char one[512], two[512];
            ash_format(one, sizeof one, a);
            ash_format(two, sizeof two, back);
            assert_string_equal(one, two);
        }
    npy_both pair;
    memset(&pair, 0xAA, sizeof pair);
    pair.at.x[0] = 1, pair.at.x[1] = 2, pair.at.x[2] = 3, pair.at.m = 4, pair.n = 5;
    CHECK_OK(ash_write_npy(ash_wrap(&pair, npy_both_dtype(), 1, ASH_SHAPE(1)), path));
    char bytes[1024];
    FILE *file = fopen(path, "rb");
    const size_t n = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    CHECK(n > 64 && !memchr(bytes + n - sizeof pair, 0xAA, sizeof pair));
    /* a conjugating view is written with conjugated values */
    CHECK_OK(ash_write_npy(ash_adjoint(ash_from_host(z, ASH_C_F64, ASH_SHAPE(1, 1))), path));
    CHECK_TEXT(ash_read_npy(path), "ash.matrix c_f64[1\xC3\x97\x31] row-major cpu:0 [[1.0+2.0i]]");
}

static void conversions(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK_FLOATS(ash_parse_npy(npy_f64, sizeof npy_f64, .dtype = ASH_F32), 0, 1, 2, 3, 4, 5);
    CHECK_INTS(ash_parse_npy(npy_big_f32, sizeof npy_big_f32, .dtype = ASH_I32), 1, -2, 0);
    CHECK(!ash_parse_npy(npy_big_f32, sizeof npy_big_f32, .dtype = ASH_I32, .exact = true));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_parse_npy: element 0, 1.5, is not an integer");
    CHECK(!ash_parse_npy(npy_big_i16, sizeof npy_big_i16, .dtype = ASH_U8));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_parse_npy: element 1, 256, does not fit u8");
    ash_array *columns = ash_parse_npy(npy_i16, sizeof npy_i16, .dtype = ASH_F64, .layout = ASH_COL_MAJOR);
    CHECK(ash_layout_of(columns) == ASH_COL_MAJOR);
    CHECK_FLOATS(columns, 0, 1, 2, 3, 4, 5);
    /* two raw bytes are bf16 when asked for */
    CHECK_FLOATS(ash_parse_npy(npy_no_raw2, sizeof npy_no_raw2, .dtype = ASH_BF16), 1, 2);
    /* a device without f64 reads a file of f64 into f32, and refuses it as it is */
    ash_resources *single = ash_resources_new("cpu:0?f64=off");
    CHECK_FLOATS(ash_parse_npy(npy_f64, sizeof npy_f64, .dtype = ASH_F32, .resources = single), 0, 1, 2, 3, 4, 5);
    CHECK(!ash_parse_npy(npy_f64, sizeof npy_f64, .resources = single));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_parse_npy: cpu:0?f64=off does not support f64 values; use f32");
    ash_resources_release(single);
}

static void unsupported(void **state)
{
    (void)state;
    static const struct {
        const unsigned char *bytes;
        size_t size;
        const char *text;
    } cases[] = {
        {npy_no_strings, sizeof npy_no_strings, "descr '|S2': strings are not supported"},
        {npy_no_unicode, sizeof npy_no_unicode, "descr '<U2': strings are not supported"},
        {npy_no_objects, sizeof npy_no_objects, "descr '|O': Python objects are not supported"},
        {npy_no_dates, sizeof npy_no_dates, "descr '<M8[D]': dates and times are not supported"},
        {npy_no_times, sizeof npy_no_times, "descr '<m8[s]': dates and times are not supported"},
        {npy_no_long, sizeof npy_no_long, "descr '<f16': does not support f128 values; use f64"},
        {npy_no_raw, sizeof npy_no_raw, "descr '|V3': raw bytes are not supported"},
        {npy_no_raw2, sizeof npy_no_raw2, "descr '|V2': two raw bytes; give .dtype = ASH_BF16 if they are bf16 values"},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        char text[256];
        CHECK(!ash_parse_npy(cases[i].bytes, cases[i].size));
        snprintf(text, sizeof text, "ash_parse_npy: %s", cases[i].text);
        CHECK_ERROR(ASH_ERR_UNSUPPORTED, text);
    }
}

/* ---- headers made by hand */

/* A version 1 file with this text. */
static ash_array *with_header(const char *header, size_t data)
{
    static unsigned char file[4096];
    const size_t length = strlen(header);
    memset(file, 0, sizeof file);
    memcpy(file, "\x93NUMPY\x01", 7);
    file[8] = (unsigned char)(length & 255);
    file[9] = (unsigned char)(length >> 8);
    memcpy(file + 10, header, length);
    unsigned char *exact = malloc(10 + length + data); /* so that a read past the end is seen */
    CHECK(exact);
    memcpy(exact, file, 10 + length + data);
    ash_array *a = ash_parse_npy(exact, 10 + length + data);
    free(exact);
    return a;
}

static void headers_taken(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }",
        "{'shape': (2, 3), 'fortran_order': False, 'descr': '<f4'}",
        "{\"descr\":\"<f4\",\"fortran_order\":False,\"shape\":(2,3)}\n",
        " { 'descr' : '=f4' , 'fortran_order' : True , 'shape' : ( 2L , 3L , ) , } \n ",
        "{'descr': u'<f4', 'fortran_order': False, 'shape': (2, 3)}",
    };
    for (int i = 0; i < COUNT(texts); i++) {
        ash_array *a = with_header(texts[i], 24);
        CHECK_SHAPE(a, 2, 3);
        ash_release(a);
    }
    ash_array *more = with_header(texts[0], 100); /* bytes behind the data are left alone */
    CHECK_SHAPE(more, 2, 3);
    ash_release(more);
    ash_array *empty = with_header("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 4611686018427387904, 8), }", 0);
    CHECK_SHAPE(empty, 0, 4611686018427387904, 8);
    ash_release(empty);
}

static void headers_refused(void **state)
{
    (void)state;
    static const struct {
        const char *header;
        const char *part;
        ash_status status;
    } cases[] = {
        {"", "header: the text ends where '{' is wanted", ASH_ERR_FORMAT},
        {"[]", "header: '{' is wanted at byte 0", ASH_ERR_FORMAT},
        {"{}", "the key 'descr' is missing", ASH_ERR_FORMAT},
        {"{'descr': '<f4'}", "the key 'fortran_order' is missing", ASH_ERR_FORMAT},
        {"{'descr': '<f4', 'fortran_order': False}", "the key 'shape' is missing", ASH_ERR_FORMAT},
        {"{'descr': '<f4', 'descr': '<f4'}", "the key 'descr' is there twice", ASH_ERR_FORMAT},
        {"{'descr': '<f4', 'extra': 1}", "the key 'extra' is not known", ASH_ERR_FORMAT},
        {"{'descr': '<f4', 'fortran_order': 0, 'shape': ()}", "True or False for fortran_order", ASH_ERR_FORMAT},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3)}", "',' is wanted", ASH_ERR_FORMAT},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': 3}", "'(' is wanted", ASH_ERR_FORMAT},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (3,)} x", "the end is wanted", ASH_ERR_FORMAT},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (-1, 2)}", "shape: a size is negative", ASH_ERR_FORMAT},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999,)}", "shape: a size is above 2^63 - 1",
         ASH_ERR_FORMAT},
        {"{'descr': '|u1', 'fortran_order': False, 'shape': (4294967296, 4294967296, 16)}",
         "shape (4294967296, 4294967296, 16) has more elements than can be addressed", ASH_ERR_FORMAT},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (1, 9223372036854775807)}",
         "shape (1, 9223372036854775807) has more elements", ASH_ERR_FORMAT},
        {"{'descr': '<f8', 'fortran_order': False, 'shape': (3,)}",
         "shape (3) of 8-byte elements needs 24 bytes of data; there are 16", ASH_ERR_FORMAT},
        {"{'descr': '<f3', 'fortran_order': False, 'shape': ()}", "descr '<f3' is no dtype", ASH_ERR_FORMAT},
        {"{'descr': 'float', 'fortran_order': False, 'shape': ()}", "descr 'float' is no dtype", ASH_ERR_FORMAT},
        {"{'descr': '<i16', 'fortran_order': False, 'shape': ()}", "descr '<i16': does not support i128 values; use i64",
         ASH_ERR_UNSUPPORTED},
        {"{'descr': '', 'fortran_order': False, 'shape': ()}", "descr '' is no dtype", ASH_ERR_FORMAT},
        {"{'descr': [], 'fortran_order': False, 'shape': ()}", "descr: a record without fields", ASH_ERR_FORMAT},
        {"{'descr': [('a', '<f4'), ('a', '<f4')], 'fortran_order': False, 'shape': ()}", "descr: two fields are named a",
         ASH_ERR_FORMAT},
        {"{'descr': [('', '<f4')], 'fortran_order': False, 'shape': ()}", "descr: a field of dtype '<f4' has no name",
         ASH_ERR_FORMAT},
        {"{'descr': [('a', '<f4', (0,))], 'fortran_order': False, 'shape': ()}", "an inner shape has no element",
         ASH_ERR_UNSUPPORTED},
        {"{'descr': [('a', '<f4', (65536, 65536))], 'fortran_order': False, 'shape': ()}",
         "an inner shape has too many elements", ASH_ERR_UNSUPPORTED},
        {"{'descr': [('a', '<f8', (2147483647,))], 'fortran_order': False, 'shape': ()}", "a record of 2^31 bytes or more",
         ASH_ERR_UNSUPPORTED},
        {"{'descr': [('a', '<f4')", "header: the text ends where ']' is wanted", ASH_ERR_FORMAT},
        {"{'descr': 'unfinished", "header: the text ends where '", ASH_ERR_FORMAT},
        {"{'descr': '\\x4", "a hexadecimal digit", ASH_ERR_FORMAT},
        {"{'descr': [[[[[[[[[[[[[[[[[[", "'(' is wanted", ASH_ERR_FORMAT},
        {"{'descr': '<f4', 'fortran_order': False, 'shape': "
         "(1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1,1)}",
         "shape: more than 32 axes", ASH_ERR_UNSUPPORTED},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        CHECK(!with_header(cases[i].header, 16));
        CHECK_ERROR_PARTS(cases[i].status, "ash_parse_npy: ", cases[i].part);
    }
    static const struct {
        const char *bytes;
        size_t size;
        const char *text;
    } files[] = {
        {"", 0, "no NPY file: the magic string is missing"},
        {"\0\0\0\0\0\0\0\0\0\0", 10, "no NPY file: the magic string is missing"},
        {"\x93NUMPY\x01", 7, "the header is cut off: 7 bytes"},
        {"\x93NUMPY\x02\x00\x10\x00", 10, "the header is cut off: 10 bytes"},
        {"\x93NUMPY\x02\x00\xF0\xFF\xFF\xFF", 12, "header length 4294967280 is beyond the end: 0 bytes follow"},
        {"\x93NUMPY\x01\x00\xFF\xFF\x7B", 11, "header length 65535 is beyond the end: 1 bytes follow"},
    };
    for (int i = 0; i < COUNT(files); i++) {
        char text[128];
        CHECK(!ash_parse_npy(files[i].bytes, files[i].size));
        snprintf(text, sizeof text, "ash_parse_npy: %s", files[i].text);
        CHECK_ERROR(ASH_ERR_FORMAT, text);
    }
}

/* Every beginning of a file is refused, and nothing behind it is read. */
static void cut_anywhere(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof npy_nested; n++) {
        unsigned char *exact = malloc(n + !n);
        CHECK(exact);
        memcpy(exact, npy_nested, n);
        CHECK(!ash_parse_npy(exact, n));
        CHECK_ERROR_HAS(ASH_ERR_FORMAT, "ash_parse_npy: ");
        free(exact);
    }
}

/* ---- files */

static void mapped_files(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    const char *path = FILE_OF(npy_i32);
    ash_array *a = ash_read_npy(path, .mapped = true);
    CHECK(ash_set_i32(a, 7, 0, 0) == ASH_ERR_ARGUMENT);
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "read-only");
    ash_array *w = ash_read_npy(path, .mapped = true, .writable = true);
    CHECK_OK(ash_set_i32(w, 7, 0, 1));
    CHECK_INTS(a, 0, 7, 2, 3, 4, 5); /* both see the file's pages */
    ash_array *row = ash_slice(w, 1, 2);
    ash_release(w);
    CHECK_OK(ash_set_i32(row, 9, 0, 2)); /* a view keeps the mapping */
    CHECK_INTS(ash_read_npy(path), 0, 7, 2, 3, 4, 9);
    CHECK(!ash_read_npy(path, .mapped = true, .dtype = ASH_F32));
    CHECK_ERROR_HAS(ASH_ERR_UNSUPPORTED, "cannot be mapped as f32: its elements are i32");
    CHECK(!ash_read_npy(path, .mapped = true, .layout = ASH_COL_MAJOR));
    CHECK_ERROR_HAS(ASH_ERR_UNSUPPORTED, "cannot be mapped as col-major: it is row-major");
    CHECK(!ash_read_npy(path, .writable = true));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_read_npy: .writable is for .mapped arrays");
    CHECK(!ash_read_npy(path, .mapped = true, .memory = ash_memory_malloc()));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, ".memory cannot be given with .mapped");
    CHECK(!ash_parse_npy(npy_i32, sizeof npy_i32, .mapped = true));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, ".mapped is for files");
    /* a header that an old NumPy aligned to 16 bytes is fine, an odd one is not */
    static const char header[] = "{'descr': '<f8', 'fortran_order': False, 'shape': (1,)}";
    unsigned char odd[10 + sizeof header - 1 + 8] = "\x93NUMPY\x01";
    odd[8] = sizeof header - 1;
    memcpy(odd + 10, header, sizeof header - 1);
    CHECK(!ash_read_npy(FILE_OF(odd), .mapped = true));
    CHECK_ERROR_HAS(ASH_ERR_UNSUPPORTED, "cannot be mapped: the data begins at byte 65, which is not aligned for f64");
    CHECK_FLOATS(ash_read_npy(FILE_OF(odd)), 0);
}

static void faults_of_files(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK(!ash_read_npy(NULL));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_read_npy: path is NULL");
    CHECK(!ash_read_npy("/nowhere/a.npy"));
    CHECK_ERROR(ASH_ERR_IO, "ash_read_npy: cannot open /nowhere/a.npy: No such file or directory");
    CHECK(!ash_read_npy(folder));
    CHECK_ERROR_HAS(ASH_ERR_IO, ": Is a directory");
    CHECK(!ash_read_npy(path_of("written.npy"), .dtype = (ash_dtype)99));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_read_npy: unsupported dtype 99");
    ash_array *a = ash_i32(0, 1, 2);
    CHECK(ash_write_npy(NULL, path_of("x.npy")) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_write_npy: a is NULL");
    CHECK(ash_write_npy(a, NULL) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_write_npy: path is NULL");
    CHECK(ash_write_npy(a, "/nowhere/a.npy") == ASH_ERR_IO);
    CHECK_ERROR(ASH_ERR_IO, "ash_write_npy: cannot create /nowhere/a.npy: No such file or directory");
    CHECK(ash_write_npy(a, folder) == ASH_ERR_IO);
    CHECK_ERROR_HAS(ASH_ERR_IO, "ash_write_npy: cannot create ");
    if (access("/dev/full", W_OK) == 0) { /* a device is written directly and not replaced */
        CHECK(ash_write_npy(a, "/dev/full") == ASH_ERR_IO);
        CHECK_ERROR_HAS(ASH_ERR_IO, "ash_write_npy: cannot write /dev/full: ");
        CHECK(access("/dev/full", W_OK) == 0);
        CHECK_OK(ash_write_npy(a, "/dev/null"));
    }
}

/* An old file keeps its mode, a link stays a link, and a failure leaves everything as it was. */
static void files_are_replaced_whole(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    char path[256], link[256];
    struct stat s;
    snprintf(path, sizeof path, "%s", put_file("old.npy", "old", 3));
    snprintf(link, sizeof link, "%s", path_of("link.npy"));
    CHECK(chmod(path, 0640) == 0 && symlink("old.npy", link) == 0);
    CHECK_OK(ash_write_npy(ash_i32(0, 1, 2), link));
    CHECK(lstat(link, &s) == 0 && S_ISLNK(s.st_mode));
    CHECK(stat(path, &s) == 0 && (s.st_mode & 0777) == 0640);
    CHECK_INTS(ash_read_npy(path), 0, 1, 2);
    unlink(link);

    /* every allocation fails in turn: until all is well the old file stays */
    ash_array *a = ash_slice(ash_i64(1, 2, 3, 4), 0, 4, .step = 2);
    for (int n = 1;; n++) {
        ash__fail_allocation(n);
        const ash_status status = ash_write_npy(a, path);
        ash__fail_allocation(0);
        if (status == ASH_OK)
            break;
        CHECK(status == ASH_ERR_MEMORY && n < 20);
        CHECK_ERROR_HAS(ASH_ERR_MEMORY, "ash_write_npy: ");
        CHECK_INTS(ash_read_npy(path), 0, 1, 2);
    }
    CHECK_INTS(ash_read_npy(path), 1, 3);
}

static void memory_runs_out(void **state)
{
    (void)state;
    const char *path = FILE_OF(npy_packed);
    for (int way = 0; way < 3; way++)
        for (int n = 1;; n++) {
            ash__fail_allocation(n);
            ash_array *a = way == 0   ? PARSE(npy_nested)
                           : way == 1 ? ash_read_npy(path)
                                      : ash_parse_npy(npy_f64, sizeof npy_f64, .dtype = ASH_F32, .layout = ASH_COL_MAJOR);
            ash__fail_allocation(0);
            if (a) {
                CHECK(n > 2);
                ash_release(a);
                break;
            }
            CHECK_ERROR_HAS(ASH_ERR_MEMORY, "npy: ");
        }
}

static void pipes(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    int ends[2];
    char path[64];
    CHECK(pipe(ends) == 0);
    CHECK(write(ends[1], npy_vector, sizeof npy_vector) == (ssize_t)sizeof npy_vector);
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    if (access(path, R_OK) == 0)
        CHECK_INTS(ash_read_npy(path), 0, 1, 2);
    close(ends[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(every_dtype),     TEST(shapes_and_orders),        TEST(other_byte_order), TEST(versions),
        TEST(records),         TEST(written_and_read),         TEST(conversions),      TEST(unsupported),
        TEST(headers_taken),   TEST(headers_refused),          TEST(cut_anywhere),     TEST(mapped_files),
        TEST(faults_of_files), TEST(files_are_replaced_whole), TEST(memory_runs_out),  TEST(pipes)};
    return cmocka_run_group_tests_name("npy", tests, make_folder, remove_folder);
}
