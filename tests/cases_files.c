/*
 * cases_files.c - reports from the field about files: NPY headers that lie, the order flag, CSV that is slightly off and
 * safetensors offsets that lie (A49 to A52).
 *
 * The bytes were made by hand from the format's description; NumPy reads the good ones with the same values and refuses the
 * bad ones.
 */
#include <unistd.h>

#include "test.h"

/* A version 1 file in memory: header text padded as the format wants it, then the data. */
static const unsigned char *npy_file(const char *header, const void *data, size_t nbytes, size_t *n)
{
    static unsigned char file[4096];
    const size_t text = strlen(header), length = (10 + text + 1 + 63) / 64 * 64 - 10;
    memcpy(file, "\x93NUMPY\x01\x00", 8);
    file[8] = (unsigned char)(length & 255);
    file[9] = (unsigned char)(length >> 8);
    memset(file + 10, ' ', length);
    memcpy(file + 10, header, text);
    file[9 + length] = '\n';
    memcpy(file + 10 + length, data, nbytes);
    *n = 10 + length + nbytes;
    return file;
}

/* The same as the stored member w of an NPZ file, by hand. */
static ash_array *npz(const void *bytes, size_t n)
{
    static const unsigned char local[] = "PK\3\4\x14\0\0\0\0\0\0\0!\0", entry[] = "PK\1\2\x14\0\x14\0\0\0\0\0\0\0!\0";
    static unsigned char file[8192];
    const uint32_t size = (uint32_t)n, directory = 35 + size, length = 46 + 5, one = 1;
    uint32_t checksum = 0xFFFFFFFF;
    for (size_t i = 0; i < n; i++) {
        checksum ^= ((const unsigned char *)bytes)[i];
        for (int bit = 0; bit < 8; bit++)
            checksum = checksum >> 1 ^ (0xEDB88320 & (0 - (checksum & 1)));
    }
    const uint32_t numbers[] = {~checksum, size, size, 5};
    memset(file, 0, sizeof file);
    memcpy(file, local, sizeof local - 1);
    memcpy(file + 14, numbers, sizeof numbers);
    memcpy(file + 30, "w.npy", 5);
    if (n > 0)
        memcpy(file + 35, bytes, n);
    unsigned char *p = file + directory;
    memcpy(p, entry, sizeof entry - 1);
    memcpy(p + 16, numbers, sizeof numbers);
    memcpy(p + 46, "w.npy", 5);
    p += length;
    memcpy(p, "PK\5\6", 4);
    memcpy(p + 8, &one, 2);
    memcpy(p + 10, &one, 2);
    memcpy(p + 12, &length, 4);
    memcpy(p + 16, &directory, 4);

    char path[] = "/tmp/ashlar-npz-XXXXXX";
    const int fd = mkstemp(path);
    const size_t whole = directory + length + 22;
    CHECK(fd >= 0 && write(fd, file, whole) == (ssize_t)whole);
    close(fd);
    ash_array *a = ash_read_npz(path, "w");
    unlink(path);
    return a;
}

static void check_bytes(const void *bytes, size_t n, const char *field)
{
    CHECK(!ash_parse_npy(bytes, n));
    CHECK_ERROR_PARTS(ASH_ERR_FORMAT, "ash_parse_npy: ", field);
    CHECK(!npz(bytes, n));
#ifdef ASH__WITH_NPZ
    CHECK_ERROR_PARTS(ASH_ERR_FORMAT, "ash_read_npz: ", "member w.npy: ", field);
#else
    CHECK_ERROR_HAS(ASH_ERR_UNSUPPORTED, "zlib1g-dev");
#endif
}
static void check_header(const char *header, const void *data, size_t nbytes, const char *field)
{
    size_t n;
    const unsigned char *file = npy_file(header, data, nbytes, &n);
    check_bytes(file, n, field);
}

static void headers_that_lie(void)
{
    ash_pool_info before, after;
    CHECK_OK(ash_pool_stats(ash_default_device(), &before, sizeof before));
    check_bytes("\x93NUMPY\x02\x00\xF0\xFF\xFF\xFF", 12, "header");
    check_bytes("\x93NUMPY\x01\x00\xFF\xFF\x7B", 11, "header");
    const unsigned char data[16] = {0};
    check_header("{'descr': '|u1', 'fortran_order': False, 'shape': (4294967296, 4294967296, 16), }", data, 16, "shape");
    check_header("{'descr': '<f8', 'fortran_order': False, 'shape': (1, 9223372036854775807), }", data, 16, "shape");
    check_header("{'descr': '<f8', 'fortran_order': False, 'shape': (-1, 2), }", data, 16, "shape");
    check_bytes("\0\0\0\0\0\0\0\0\0\0", 10, "magic");
    check_header("{'descr': '<f8', 'fortran_order': False, 'shape': (3,), }", data, 16, "16");
    check_bytes("", 0, "");
    CHECK_OK(ash_pool_stats(ash_default_device(), &after, sizeof after));
    CHECK(after.in_use == before.in_use && after.peak == before.peak);
}
static void a49_headers_that_lie(void **state)
{
    (void)state;
    everywhere(headers_that_lie, false);
}

/* In both kinds of file the array is the same. */
static ash_array *npy(const char *header, const void *data, size_t nbytes)
{
    size_t n;
    const unsigned char *file = npy_file(header, data, nbytes, &n);
    ash_array *a = ash_parse_npy(file, n), *b = npz(file, n);
#ifdef ASH__WITH_NPZ
    CHECK(ash_equal(a, b) && ash_layout_of(a) == ash_layout_of(b) && ash_rank(a) == ash_rank(b));
#else
    CHECK_ERROR_HAS(ASH_ERR_UNSUPPORTED, "zlib1g-dev");
#endif
    return b ? b : a;
}

static void order_and_rank(void)
{
    const int32_t six[] = {0, 1, 2, 3, 4, 5};
    ash_array *a = npy("{'descr': '<i4', 'fortran_order': True, 'shape': (2, 3), }", six, sizeof six);
    CHECK_SHAPE(a, 2, 3);
    CHECK_INTS(a, 0, 2, 4, 1, 3, 5);
    CHECK(ash_layout_of(a) == ASH_COL_MAJOR);
    ash_array *b = npy("{'descr': '<i4', 'fortran_order': True, 'shape': (4,), }", six, 16);
    CHECK_INTS(b, 0, 1, 2, 3);
    CHECK(ash_is_contiguous(b) && ash_is_contiguous(b, .layout = ASH_COL_MAJOR));
    ash_array *swapped = npy("{'descr': '>i2', 'fortran_order': False, 'shape': (3,), }", "\x00\x01\x01\x00\xFF\xFE", 6);
    CHECK_INTS(swapped, 1, 256, -2);
}
static void rank_zero(void)
{
    const double x = 2.5;
    ash_array *c = npy("{'descr': '<f8', 'fortran_order': False, 'shape': (), }", &x, sizeof x);
    CHECK_SCALAR(c);
    CHECK_FLOATS(c, 2.5);
}

static void check_written(const ash_array *a, const char *shape, const char *order)
{
    char path[] = "/tmp/ashlar-npy-XXXXXX", file[512] = "";
    const int fd = mkstemp(path);
    CHECK(fd >= 0);
    close(fd);
    CHECK_OK(ash_write_npy(a, path));
    FILE *written = fopen(path, "rb");
    CHECK(written && fread(file, 1, sizeof file - 1, written) > 10 && memcmp(file, "\x93NUMPY", 6) == 0);
    fclose(written);
    const size_t length = (unsigned char)file[8] | (size_t)(unsigned char)file[9] << 8;
    CHECK((10 + length) % 64 == 0 && 10 + length < sizeof file);
    file[10 + length] = 0;
    CHECK(strstr(file + 10, shape) && strstr(file + 10, order));
    ash_array *back = ash_read_npy(path);
    CHECK(back && ash_same_shape(back, a) && ash_equal(back, a) && ash_dtype_of(back) == ash_dtype_of(a));
    unlink(path);
}
static void writing(void)
{
    check_written(ash_ones(ASH_SHAPE(184)), "'shape': (184,)", "'fortran_order': False");
    check_written(ash_fill_new(ASH_SHAPE(), 2.5f), "'shape': ()", "'fortran_order': False");
    check_written(counting(0, ASH_F32, ASH_SHAPE(2, 3), ASH_ROW_MAJOR), "'shape': (2, 3)", "'fortran_order': False");
    check_written(counting(0, ASH_F32, ASH_SHAPE(2, 3), ASH_COL_MAJOR), "'shape': (2, 3)", "'fortran_order': True");
    check_written(ash_transpose(counting(0, ASH_I16, ASH_SHAPE(3, 2), ASH_ROW_MAJOR)), "'shape': (2, 3)",
                  "'fortran_order': True");
    check_written(ash_zeros(ASH_SHAPE(0, 3)), "'shape': (0, 3)", "'fortran_order': False");
    check_written(ash_slice(counting(0, ASH_F32, ASH_SHAPE(4, 4), ASH_ROW_MAJOR), 3, 0, .axes = ASH_AXES(1), .step = -1),
                  "'shape': (4, 3)", "'fortran_order': False");
}
static void a50_order_and_rank(void **state)
{
    (void)state;
    everywhere(order_and_rank, false);
    everywhere(rank_zero, true);
    everywhere(writing, false);
}

/* header_length NULL: the true one. */
static void check_offsets(const char *header, const char *header_length, size_t data, const char *field)
{
    char path[] = "/tmp/ashlar-safetensors-XXXXXX";
    const uint64_t length = strlen(header);
    unsigned char bytes[256] = {0};
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(length >> 8 * i);
    if (header_length)
        memcpy(bytes, header_length, 8);
    memcpy(bytes + 8, header, length);
    const int fd = mkstemp(path);
    CHECK(fd >= 0 && write(fd, bytes, 8 + length + data) == (ssize_t)(8 + length + data));
    close(fd);
    for (int mapped = 0; mapped < 2; mapped++) {
        CHECK(!ash_read_safetensors(path, "t", .mapped = mapped));
#ifdef ASH__WITH_SAFETENSORS
        CHECK_ERROR_PARTS(ASH_ERR_FORMAT, "ash_read_safetensors: ", path, field);
#else
        CHECK_ERROR_PARTS(ASH_ERR_UNSUPPORTED, path, "libjansson-dev");
        (void)field;
#endif
    }
    unlink(path);
}
#define TENSOR(shape, offsets) "{\"t\":{\"dtype\":\"F32\",\"shape\":" shape ",\"data_offsets\":" offsets "}}"

static void offsets_that_lie(void)
{
    ash_pool_info before, after;
    CHECK_OK(ash_pool_stats(ash_default_device(), &before, sizeof before));
    check_offsets(TENSOR("[1000,1000]", "[0,4]"), NULL, 4, "tensor t: shape (1000, 1000) of F32 needs 4000000 bytes");
    check_offsets(TENSOR("[2]", "[-8,0]"), NULL, 8, "tensor t: data_offsets: -8 is negative");
    check_offsets(TENSOR("[2]", "[8,0]"), NULL, 8, "tensor t: data_offsets [8, 0]: the end comes before the begin");
    check_offsets(TENSOR("[2]", "[0]"), NULL, 8, "tensor t: data_offsets has 1 items; it must have 2");
    check_offsets(TENSOR("[2]", "[0,8]"), NULL, 4,
                  "tensor t: data_offsets [0, 8] are beyond the end: there are 4 bytes of data");
    check_offsets(TENSOR("[2]", "[0,8]"), "\xFB\xFF\xFF\xFF\xFF\xFF\xFF\xFF", 8,
                  "header length 18446744073709551611 is beyond the end");
    check_offsets(TENSOR("[2]", "[0,8]"), "\xC8\0\0\0\0\0\0\0", 8, "header length 200 is beyond the end");
    check_offsets(TENSOR("[-2]", "[0,8]"), NULL, 8, "tensor t: shape: -2 is negative");
    check_offsets(TENSOR("[4294967296,4294967296]", "[0,0]"), NULL, 0,
                  "tensor t: shape (4294967296, 4294967296) has more elements than can be addressed");
    CHECK_OK(ash_pool_stats(ash_default_device(), &after, sizeof after));
    CHECK(after.in_use == before.in_use && after.peak == before.peak);
}
static void a51_offsets_that_lie(void **state)
{
    (void)state;
    everywhere(offsets_that_lie, false);
}

#define CSV(text, ...) ash_parse_csv(text, sizeof(text) - 1, __VA_ARGS__)

static void csv_slightly_off(void)
{
    CHECK(!CSV("1,2,3\n4,5,6\n7,8\n", .dtype = ASH_F32));
    CHECK_ERROR_PARTS(ASH_ERR_FORMAT, "ash_parse_csv: ", "line 3", "2", "3");
    CHECK_FLOATS(CSV("1,2\n3,4\n\n", .dtype = ASH_F32), 1, 2, 3, 4);
    CHECK_FLOATS(CSV("1,2,\n3,4,\n", .dtype = ASH_F32), 1, 2, NAN, 3, 4, NAN); /* an empty last field */
    CHECK_FLOATS(CSV("1,2\r\n3,4", .dtype = ASH_F32), 1, 2, 3, 4);
    CHECK_SHAPE(CSV("", .dtype = ASH_F32), 0, 0);
    CHECK_INTS(CSV("8.0\n", .dtype = ASH_I8), 8); /* conversion truncates unless it is to be exact */
    CHECK(!CSV("8.5\n", .dtype = ASH_I8, .exact = true));
    CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_parse_csv: line 1, column 0: ", "8.5");
    CHECK(!CSV("300\n", .dtype = ASH_U8));
    CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_parse_csv: line 1, column 0: ", "300", "u8");
    CHECK_FLOATS(CSV("nan,inf,-inf\n", .dtype = ASH_F32, .header = ASH_HEADER_NO), NAN, INFINITY, -INFINITY);
    CHECK(!CSV("nan\n", .dtype = ASH_I64, .header = ASH_HEADER_NO));
    CHECK_ERROR_HAS(ASH_ERR_VALUE, "nan");
}
static void check_round_trip(const ash_array *a)
{
    char path[] = "/tmp/ashlar-csv-XXXXXX";
    const int fd = mkstemp(path);
    CHECK(fd >= 0);
    close(fd);
    CHECK_OK(ash_write_csv(a, path));
    ash_array *back = ash_read_csv(path, .dtype = ash_dtype_of(a));
    CHECK(back && ash_equal(ash_reshape(back, ash_dims_of(a)), a, .identical = true));
    unlink(path);
}
static void csv_round_trips(void)
{
    check_round_trip(ash_reshape(ash_i32(8, -1), ASH_SHAPE(1, 2)));
    check_round_trip(ash_reshape(ash_f32(0.1f, 1e-30f, 123456.789f, 16777216), ASH_SHAPE(2, 2)));
}
static void csv_round_trips_f64(void)
{
    check_round_trip(ash_reshape(ash_f64(0.1, 1e-300, 123456789.123456789), ASH_SHAPE(1, 3)));
    check_round_trip(ash_reshape(ash_f64(0.1, -0.0, NAN, INFINITY), ASH_SHAPE(2, 2)));
    CHECK_FLOATS(CSV("nan,inf,-inf\n", .dtype = ASH_F64, .header = ASH_HEADER_NO), NAN, INFINITY, -INFINITY);
}
static void a52_csv_slightly_off(void **state)
{
    (void)state;
    everywhere(csv_slightly_off, false);
    everywhere(csv_round_trips, false);
    everywhere(csv_round_trips_f64, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(a49_headers_that_lie), TEST(a50_order_and_rank), TEST(a51_offsets_that_lie),
                                       TEST(a52_csv_slightly_off)};
    return cmocka_run_group_tests_name("cases: files", tests, NULL, NULL);
}
