/*
 * csv.c (test) - CSV texts in and out: the values were worked out by hand from RFC 4180 and docs/files.md.
 */
#include "test.h"

#include <sys/stat.h>
#include <unistd.h>

#include "core/alloc.h"

#define CSV(text, ...) ash_parse_csv(text, sizeof(text) - 1, __VA_ARGS__)
#define READ(text) ash_parse_csv(text, sizeof(text) - 1)

static char folder[] = "/tmp/ashlar-csv-XXXXXX";

static const char *path_of(const char *name)
{
    static char path[4][256];
    static int turn;
    char *to = path[turn++ % 4];
    snprintf(to, sizeof path[0], "%s/%s", folder, name);
    return to;
}

static const char *put_file(const char *name, const char *text)
{
    const char *path = path_of(name);
    FILE *file = fopen(path, "wb");
    CHECK(file && fwrite(text, 1, strlen(text), file) == strlen(text) && fclose(file) == 0);
    return path;
}

static void check_file(const char *path, const char *want)
{
    char text[4096];
    FILE *file = fopen(path, "rb");
    CHECK(file);
    text[fread(text, 1, sizeof text - 1, file)] = '\0';
    if (strcmp(text, want) != 0)
        FAIL("the file holds\n%s\nand not\n%s", text, want);
    fclose(file);
}

static void lines_and_ends(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "1,2\n3,4\n",         "1,2\n3,4",           "1,2\r\n3,4\r\n",         "1,2\r\n3,4",
        "1,2\r3,4\r",         "1,2\n3,4\n\n",       "\n\n1,2\n\n3,4\n \t \n", "\xEF\xBB\xBF\x31,2\n3,4\n",
        " 1 ,\t2\n3  , 4 \n", "\"1\",2\n3,\"4\"\n", "\"1\" , \"2\"\n3,4",     "+1,2\n3,4",
        "\" 1 \",2\n3,4",
    };
    for (int i = 0; i < COUNT(texts); i++) {
        ash_array *a = ash_parse_csv(texts[i], strlen(texts[i]));
        CHECK_SHAPE(a, 2, 2);
        CHECK(ash_dtype_of(a) == ASH_I64 && ash_layout_of(a) == ASH_ROW_MAJOR);
        CHECK_INTS(a, 1, 2, 3, 4);
        ash_release(a);
    }
    ash_array *one = READ("5");
    CHECK_SHAPE(one, 1, 1);
    CHECK_INTS(one, 5);
    ash_release(one);
}

static void inferred_dtypes(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    static const struct {
        const char *text;
        ash_dtype dtype;
    } cases[] = {
        {"1\n-2\n", ASH_I64},
        {"1\n2.0\n", ASH_F64},
        {"1\n1e3\n", ASH_F64},
        {"1\nnan\n", ASH_F64},
        {"1,\n2,3\n", ASH_F64},
        {"1,NA\n2,3\n", ASH_F64},
        {"9223372036854775807\n", ASH_I64},
        {"", ASH_F64},
        {"a,b\n", ASH_F64},
        {"a,b\n1,2\n", ASH_I64},
        {"inf\n", ASH_F64},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        ash_array *a = ash_parse_csv(cases[i].text, strlen(cases[i].text));
        CHECK(a);
        if (ash_dtype_of(a) != cases[i].dtype)
            FAIL("\"%s\" is %s", cases[i].text, ash_dtype_name(ash_dtype_of(a)));
    }
    CHECK_SHAPE(READ(""), 0, 0);
    CHECK_SHAPE(READ("\n\n"), 0, 0);
    CHECK_SHAPE(READ("a,b\n"), 0, 2);
    CHECK_SHAPE(CSV("", .dtype = ASH_I8), 0, 0);
    /* exact beyond 2^53; too large is an error, never a float */
    CHECK_INTS(READ("9007199254740993\n-9223372036854775808\n"), 9007199254740993, INT64_MIN);
    CHECK(!READ("1\n9223372036854775808\n"));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_parse_csv: line 2, column 0: 9223372036854775808 does not fit i64");
    CHECK_TEXT(CSV("18446744073709551615\n", .dtype = ASH_U64),
               "ash.matrix u64[1\xC3\x97\x31] row-major cpu:0 [[18446744073709551615]]");
}

static void headers(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK_INTS(READ("a,b\n1,2\n"), 1, 2);
    CHECK_INTS(CSV("1,2\n3,4\n", .header = ASH_HEADER_YES), 3, 4);
    CHECK(!CSV("a,b\n1,2\n", .header = ASH_HEADER_NO));
    CHECK_ERROR(ASH_ERR_FORMAT, "ash_parse_csv: line 1, column 0: \"a\" is not a number");
    /* one number among the chosen fields makes it a line of data */
    CHECK(!READ("a,1\n2,3\n"));
    CHECK_ERROR(ASH_ERR_FORMAT, "ash_parse_csv: line 1, column 0: \"a\" is not a number");
    CHECK_INTS(CSV("a,1\n2,3\n", .columns = "1"), 1, 3);
    CHECK_INTS(CSV("x,1\n2,3\n", .columns = "0"), 2);
    CHECK_FLOATS(READ(",\n1,2\n"), NAN, NAN, 1, 2); /* nothing but missing values is no header */
    CHECK_INTS(READ("\"a \"\"quoted\"\" name\",\"with,comma\"\n1,2\n"), 1, 2);
    CHECK_INTS(CSV("true,false\nfalse,true\n", .dtype = ASH_BOOL), 1, 0, 0, 1);
}

static const char iris[] =
    "sepal length,sepal width,\"petal, length\",2024,species\n5.1,3.5,1.4,0.2,setosa\n7.0,3.2,4.7,1.4,versicolor\n";
#define IRIS(...) ash_parse_csv(iris, sizeof iris - 1, .header = ASH_HEADER_YES, __VA_ARGS__) /* a name is a number */

static void columns(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *a = IRIS(.columns = "0:4", .dtype = ASH_F64);
    CHECK_SHAPE(a, 2, 4);
    CHECK_FLOATS(a, 5.1, 3.5, 1.4, 0.2, 7.0, 3.2, 4.7, 1.4);
    CHECK_FLOATS(IRIS(.columns = "3,0"), 0.2, 5.1, 1.4, 7.0);
    CHECK_FLOATS(IRIS(.columns = ":2"), 5.1, 3.5, 7.0, 3.2);
    CHECK_FLOATS(IRIS(.columns = "2:-1"), 1.4, 0.2, 4.7, 1.4);
    CHECK_FLOATS(IRIS(.columns = " -2 , -5 : -4 "), 0.2, 5.1, 1.4, 7.0);
    CHECK_FLOATS(IRIS(.columns = "sepal width"), 3.5, 3.2);
    CHECK_FLOATS(IRIS(.columns = "\"petal, length\",\"2024\", sepal length"), 1.4, 0.2, 5.1, 4.7, 1.4, 7.0);
    CHECK_FLOATS(IRIS(.columns = "1,1"), 3.5, 3.5, 3.2, 3.2);
    CHECK_SHAPE(IRIS(.columns = "2:2"), 2, 0);
    ash_array *t = IRIS(.columns = "0:4", .dtype = ASH_F32, .layout = ASH_COL_MAJOR);
    CHECK(ash_layout_of(t) == ASH_COL_MAJOR);
    CHECK_STRIDES(t, 1, 2);

    static const struct {
        const char *spec;
        ash_status status;
        const char *text;
    } bad[] = {
        {"5", ASH_ERR_BOUNDS, ".columns: column 5 is out of bounds for 5 columns"},
        {"-6", ASH_ERR_BOUNDS, ".columns: column -6 is out of bounds for 5 columns"},
        {"0:6", ASH_ERR_BOUNDS, ".columns: column 5 is out of bounds for 5 columns"},
        {"-6:2", ASH_ERR_BOUNDS, ".columns: column -6 is out of bounds for 5 columns"},
        {"", ASH_ERR_ARGUMENT, ".columns has an empty item"},
        {"1,,2", ASH_ERR_ARGUMENT, ".columns has an empty item"},
        {"0,", ASH_ERR_ARGUMENT, ".columns has an empty item"},
        {"2024", ASH_ERR_BOUNDS, ".columns: column 2024 is out of bounds for 5 columns"},
        {"colour", ASH_ERR_ARGUMENT, ".columns: no column of the header is named \"colour\""},
        {"species", ASH_ERR_FORMAT, "line 2, column 4 (species): \"setosa\" is not a number"},
    };
    for (int i = 0; i < COUNT(bad); i++) {
        char text[256];
        CHECK(!IRIS(.columns = bad[i].spec));
        snprintf(text, sizeof text, "ash_parse_csv: %s", bad[i].text);
        CHECK_ERROR(bad[i].status, text);
    }
    CHECK(!ash_parse_csv(iris, sizeof iris - 1, .columns = "species", .header = ASH_HEADER_NO));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_parse_csv: .columns has names, which need a header, and .header is ASH_HEADER_NO");
    CHECK_INTS(CSV("1,2\n3,4\n", .columns = "\"2\""), 4); /* a name makes the first line a header */
    CHECK(!CSV("", .columns = "0"));
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_parse_csv: .columns: column 0 is out of bounds for 0 columns");
}

static void separators_quotes_comments(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK_INTS(CSV("1;2\n3;4\n", .separator = ';'), 1, 2, 3, 4);
    CHECK_INTS(CSV("1\t2\n3\t4\n", .separator = '\t'), 1, 2, 3, 4);
    CHECK_INTS(CSV("  1   2\n3 \t 4  \n", .separator = ' '), 1, 2, 3, 4);
    CHECK_INTS(CSV("'1','2'\n3,4\n", .quote = '\''), 1, 2, 3, 4);
    CHECK_INTS(CSV("# first\n1,2\n#,,,\n3,4\n#", .comment = '#'), 1, 2, 3, 4);
    CHECK_INTS(CSV("junk\nmore,junk,\"\n1,2\n", .skip = 2), 1, 2);
    CHECK_SHAPE(CSV("1,2\n", .skip = 5), 0, 0);
    /* line ends in quotes do not end the record, and count as lines */
    CHECK_INTS(CSV("a,\"b\nc\"\n1,2\n", .header = ASH_HEADER_YES), 1, 2);
    CHECK(!CSV("a,\"b\r\nc\"\n1,2\n3\n", .header = ASH_HEADER_YES));
    CHECK_ERROR(ASH_ERR_FORMAT, "ash_parse_csv: line 4 has 1 field, expected 2");
    CHECK(!READ("1,\"2\n3,4\n"));
    CHECK_ERROR(ASH_ERR_FORMAT, "ash_parse_csv: line 1, column 1: the quote is not closed");
    CHECK(!READ("1,2\n3,\"4\"5\n"));
    CHECK_ERROR(ASH_ERR_FORMAT, "ash_parse_csv: line 2, column 1: text follows the closing quote");
    CHECK(!READ("\xFF\xFE\x31\x00"));
    CHECK_ERROR(ASH_ERR_FORMAT, "ash_parse_csv: line 1: the text is UTF-16; it must be UTF-8");
}

static void ragged_lines(void **state)
{
    (void)state;
    CHECK(!READ("1,2,3\n4,5,6\n7,8\n"));
    CHECK_ERROR(ASH_ERR_FORMAT, "ash_parse_csv: line 3 has 2 fields, expected 3");
    CHECK(!READ("a,b\n\n1,2\n1,2,3\n"));
    CHECK_ERROR(ASH_ERR_FORMAT, "ash_parse_csv: line 4 has 3 fields, expected 2");
    ash_array *trailing = READ("1,2,\n3,4,\n"); /* an empty last field is a missing value */
    CHECK_SHAPE(trailing, 2, 3);
    CHECK_FLOATS(trailing, 1, 2, NAN, 3, 4, NAN);
    ash_release(trailing);
}

static void missing_values(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK_FLOATS(CSV("1,,NA,\"\"\n1,2,3,4\n", .dtype = ASH_F32), 1, NAN, NAN, NAN, 1, 2, 3, 4);
    CHECK(!CSV("1,2\n3,\n", .dtype = ASH_I32));
    CHECK_ERROR(ASH_ERR_FORMAT, "ash_parse_csv: line 2, column 1: the value is missing");
    CHECK(!CSV("x,y\n1,2\n3,\n", .missing = ASH_MISSING_ERROR));
    CHECK_ERROR(ASH_ERR_FORMAT, "ash_parse_csv: line 3, column 1 (y): the value is missing");
    CHECK(!CSV("1\n", .missing = ASH_MISSING_NAN, .dtype = ASH_I32));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_parse_csv: .missing = ASH_MISSING_NAN needs a dtype of floats; i32 has no NaN");
    CHECK_TEXT(CSV("1,\n", .dtype = ASH_C_F32), "ash.matrix c_f32[1\xC3\x97\x32] row-major cpu:0 [[1.0+0.0i nan+0.0i]]");
}

static void values_refused(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        ash_dtype dtype;
        bool exact;
        ash_status status;
        const char *want;
    } cases[] = {
        {"300", ASH_U8, false, ASH_ERR_VALUE, "300 does not fit u8"},
        {"-1", ASH_U8, false, ASH_ERR_VALUE, "-1 does not fit u8"},
        {"128", ASH_I8, false, ASH_ERR_VALUE, "128 does not fit i8"},
        {"2", ASH_BOOL, false, ASH_ERR_VALUE, "2 does not fit bool"},
        {"3000000000", ASH_I32, false, ASH_ERR_VALUE, "3000000000 does not fit i32"},
        {"1e300", ASH_F32, false, ASH_ERR_VALUE, "1e300 does not fit f32"},
        {"1e400", ASH_F64, false, ASH_ERR_VALUE, "1e400 does not fit f64"},
        {"65520", ASH_F16, false, ASH_ERR_VALUE, "65520 does not fit f16"},
        {"nan", ASH_I64, false, ASH_ERR_VALUE, "nan is not a finite number"},
        {"-inf", ASH_U8, false, ASH_ERR_VALUE, "-inf is not a finite number"},
        {"8.5", ASH_I8, true, ASH_ERR_VALUE, "8.5 is not an integer"},
        {"0.1", ASH_F32, true, ASH_ERR_VALUE, "0.1 is not exactly representable in f32"},
        {"1+2i", ASH_F64, false, ASH_ERR_VALUE, "1+2i is not a real number"},
        {"0x10", ASH_F64, false, ASH_ERR_FORMAT, "\"0x10\" is not a number"},
        {"1 2", ASH_F64, false, ASH_ERR_FORMAT, "\"1 2\" is not a number"},
        {"1.2.3", ASH_F64, false, ASH_ERR_FORMAT, "\"1.2.3\" is not a number"},
        {"true", ASH_F64, false, ASH_ERR_FORMAT, "\"true\" is not a number"},
        {"yes", ASH_BOOL, false, ASH_ERR_FORMAT, "\"yes\" is not a bool"},
        {"1e", ASH_F64, false, ASH_ERR_FORMAT, "\"1e\" is not a number"},
        {"1+2", ASH_C_F64, false, ASH_ERR_FORMAT, "\"1+2\" is not a number"},
        {"a\x01very long text that would fill the message and more", ASH_F64, false, ASH_ERR_FORMAT,
         "\"a?very long text that would fill the message...\" is not a number"},
    };
    for (int i = 0; i < COUNT(cases); i++) {
        char text[256];
        CHECK(!ash_parse_csv(cases[i].text, strlen(cases[i].text), .dtype = cases[i].dtype, .exact = cases[i].exact,
                             .header = ASH_HEADER_NO));
        snprintf(text, sizeof text, "ash_parse_csv: line 1, column 0: %s", cases[i].want);
        CHECK_ERROR(cases[i].status, text);
    }
}

static void values_taken(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK_INTS(CSV("8.0,8.9,-0.5,1e1,12.5e1\n", .dtype = ASH_I8), 8, 8, 0, 10, 125);
    CHECK_INTS(CSV("8.0,1e2,-128\n", .dtype = ASH_I8, .exact = true), 8, 100, -128);
    CHECK_INTS(CSV("9007199254740993.0,9.007199254740993e15\n", .dtype = ASH_I64, .exact = true), 9007199254740993,
               9007199254740993);
    CHECK_FLOATS(CSV("nan,inf,-inf,Infinity,-NaN\n", .header = ASH_HEADER_NO), NAN, INFINITY, -INFINITY, INFINITY, NAN);
    CHECK_INTS(CSV("true,FALSE,1,0\n", .dtype = ASH_BOOL), 1, 0, 1, 0);
    CHECK_FLOATS(CSV("0.5,nan,0.25\n", .dtype = ASH_F32, .exact = true), 0.5, NAN, 0.25);
    CHECK_FLOATS(CSV("5.1,3.5,1.4,0.2\n7.0,3.2,4.7,1.4\n", .dtype = ASH_F32), (double)5.1f, 3.5, (double)1.4f, (double)0.2f, 7,
                 (double)3.2f, (double)4.7f, (double)1.4f);
    CHECK_TEXT(CSV("1+2i,3,-4j\n(1-1e3j),nan+nani,inf-infi\n", .dtype = ASH_C_F32),
               "ash.matrix c_f32[2\xC3\x97\x33] row-major cpu:0\n [[   1.0+2.0i    3.0+0.0i    0.0-4.0i]\n  [1.0-1000.0i    "
               "nan+nani    inf-infi]]");
    /* once: 1 + 2^-24 + a little is above halfway between two f32, though its nearest f64 lies on the half */
    CHECK_FLOATS(CSV("1.0000000596046447753906250000001\n", .dtype = ASH_F32), 1 + 0x1p-23);
    CHECK_FLOATS(CSV("1.00000005960464477539062500\n", .dtype = ASH_F32), 1);
}

static void options_refused(void **state)
{
    (void)state;
    CHECK(!CSV("1", .separator = '"'));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_parse_csv: .separator, .quote and .comment must differ");
    CHECK(!CSV("1", .separator = '\n'));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "cannot be a line end");
    CHECK(!CSV("1", .header = 3));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_parse_csv: .header must be ASH_HEADER_YES or ASH_HEADER_NO");
    CHECK(!CSV("1", .missing = -1));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, ".missing must be");
    CHECK(!CSV("1", .skip = -1));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, ".skip must not be negative");
    CHECK(!CSV("1", .dtype = (ash_dtype)99));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_parse_csv: unsupported dtype 99");
    CHECK(!CSV("1", .layout = ASH_STRIDED));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_parse_csv: unknown layout 3");
    CHECK(!ash_parse_csv(NULL, 1));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_parse_csv: text is NULL");
    ash_array *nothing = ash_parse_csv(NULL, 0);
    CHECK_SHAPE(nothing, 0, 0);
    ash_release(nothing);
}

/* ---- files */

static void written(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    const char *path = path_of("w.csv");
    CHECK_OK(ash_write_csv(ash_from_host(((int32_t[]){8, -1}), ASH_I32, ASH_SHAPE(1, 2)), path));
    check_file(path, "8,-1\n");
    CHECK_OK(ash_write_csv(ash_f64(0.1, 1e-300, 123456789.123456789), path));
    check_file(path, "0.1\n1e-300\n123456789.12345679\n");
    CHECK_OK(ash_write_csv(counting(0, ASH_F32, ASH_SHAPE(2, 2), ASH_COL_MAJOR), path, .header = "a;b", .separator = ';'));
    check_file(path, "a;b\n0.0;1.0\n2.0;3.0\n");
    CHECK_OK(ash_write_csv(ash_transpose(counting(0, ASH_I8, ASH_SHAPE(2, 2), ASH_ROW_MAJOR)), path));
    check_file(path, "0,2\n1,3\n");
    CHECK_OK(ash_write_csv(ash_bool(true, false), path));
    check_file(path, "true\nfalse\n");
    CHECK_OK(ash_write_csv(ash_empty(ASH_SHAPE(0, 3)), path));
    check_file(path, "");
    const double z[] = {1, 2, NAN, -0.0};
    CHECK_OK(ash_write_csv(ash_adjoint(ash_from_host(z, ASH_C_F64, ASH_SHAPE(2, 1))), path));
    check_file(path, "1.0-2.0i,nan+0.0i\n");

    CHECK(ash_write_csv(ash_zeros(ASH_SHAPE()), path) == ASH_ERR_SHAPE);
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_write_csv: a has rank 0; a vector or a matrix can be written");
    CHECK(ash_write_csv(ash_zeros(ASH_SHAPE(1, 1, 1)), path) == ASH_ERR_SHAPE);
    CHECK_ERROR_HAS(ASH_ERR_SHAPE, "a has rank 3");
    CHECK(ash_write_csv(ash_i8(1), path, .separator = '.') == ASH_ERR_ARGUMENT);
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, ".separator '.' could not be told");
    CHECK(ash_write_csv(ash_i8(1), "/nowhere/w.csv") == ASH_ERR_IO);
    CHECK_ERROR(ASH_ERR_IO, "ash_write_csv: cannot create /nowhere/w.csv: No such file or directory");
    CHECK(ash_write_csv(ash_i8(1), NULL) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_write_csv: path is NULL");
    check_file(path, "1.0-2.0i,nan+0.0i\n"); /* none of this touched it */
}

/* Reads back what was written: the same bits, for every dtype and hard values. */
static void round_trips(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    const char *path = path_of("round.csv");
    for
        EACH_DTYPE(dtype, ASH_BOOL, ASH_C_F64)
        {
            unsigned char bytes[64 * 16], back[sizeof bytes];
            uint32_t seed = 12345;
            for (size_t i = 0; i < sizeof bytes; i++) {
                seed = seed * 1664525U + 1013904223U;
                bytes[i] = (unsigned char)(seed >> 24);
                if (dtype == ASH_BOOL)
                    bytes[i] &= 1;
            }
            const size_t size = ash_dtype_size(dtype) * 64;
            ash_array *a = ash_from_host(bytes, dtype, ASH_SHAPE(16, 4));
            CHECK_OK(ash_write_csv(a, path));
            ash_array *b = ash_read_csv(path, .dtype = dtype, .header = ASH_HEADER_NO);
            CHECK_OK(ash_to_host(b, back, size));
            char one[200], two[200];
            for (size_t i = 0; i < 64; i++) { /* a NaN comes back as a NaN, everything else to the bit */
                const size_t item = ash_dtype_size(dtype);
                ash_array *x = ash_wrap(bytes + i * item, dtype, 1, ASH_SHAPE()),
                          *y = ash_wrap(back + i * item, dtype, 1, ASH_SHAPE());
                ash_format(one, sizeof one, x);
                ash_format(two, sizeof two, y);
                assert_string_equal(one, two);
                if (!strstr(one, "nan"))
                    CHECK(memcmp(bytes + i * item, back + i * item, item) == 0);
                ash_release(x);
                ash_release(y);
            }
        }
}

static void faults_of_files(void **state)
{
    (void)state;
    CHECK(!ash_read_csv(NULL));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_read_csv: path is NULL");
    CHECK(!ash_read_csv("/nowhere/a.csv"));
    CHECK_ERROR(ASH_ERR_IO, "ash_read_csv: cannot open /nowhere/a.csv: No such file or directory");
    CHECK(!ash_read_csv(folder));
    CHECK_ERROR_HAS(ASH_ERR_IO, "ash_read_csv: cannot read ");
    char text[300];
    const char *path = put_file("bad.csv", "x\n1\ntwo\n");
    CHECK(!ash_read_csv(path));
    snprintf(text, sizeof text, "ash_read_csv: %s: line 3, column 0 (x): \"two\" is not a number", path);
    CHECK_ERROR(ASH_ERR_FORMAT, text);
    CHECK(!ash_read_csv(path, .columns = "y"));
    snprintf(text, sizeof text, "ash_read_csv: %s: .columns: no column of the header is named \"y\"", path);
    CHECK_ERROR(ASH_ERR_ARGUMENT, text);
}

static void memory_runs_out(void **state)
{
    (void)state;
    const char *path = put_file("memory.csv", "a,b,c\n1,2,3\n4,5,6\n");
    for (int n = 1;; n++) {
        ash__fail_allocation(n);
        ash_array *a = ash_read_csv(path, .columns = "a,2");
        ash__fail_allocation(0);
        if (a) {
            CHECK(n > 4);
            CHECK_INTS(a, 1, 3, 4, 6);
            ash_release(a);
            break;
        }
        CHECK_ERROR_HAS(ASH_ERR_MEMORY, "ash_read_csv: ");
    }
}

static void pipes(void **state)
{
    (void)state;
    int ends[2];
    char path[64];
    CHECK(pipe(ends) == 0);
    CHECK(write(ends[1], "1,2\n3,4\n", 8) == 8);
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    if (access(path, R_OK) == 0) {
        ash_array *a = ash_read_csv(path);
        CHECK_INTS(a, 1, 2, 3, 4);
        ash_release(a);
    }
    close(ends[0]);
}

static int make_folder(void **state)
{
    (void)state;
    return mkdtemp(folder) ? 0 : -1;
}
static int remove_folder(void **state)
{
    (void)state;
    char command[300];
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(lines_and_ends),
                                       TEST(inferred_dtypes),
                                       TEST(headers),
                                       TEST(columns),
                                       TEST(separators_quotes_comments),
                                       TEST(ragged_lines),
                                       TEST(missing_values),
                                       TEST(values_refused),
                                       TEST(values_taken),
                                       TEST(options_refused),
                                       TEST(written),
                                       TEST(round_trips),
                                       TEST(faults_of_files),
                                       TEST(memory_runs_out),
                                       TEST(pipes)};
    return cmocka_run_group_tests_name("csv", tests, make_folder, remove_folder);
}
