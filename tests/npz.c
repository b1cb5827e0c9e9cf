/*
 * npz.c (test) - NPZ files against those of NumPy and of Python's zipfile (tests/reference/npz.py), and the same with bytes
 * changed by hand, from the description of ZIP (PKWARE's APPNOTE).
 */
#include "files.h"

#include "core/alloc.h"

#ifdef ASH__WITH_NPZ
#include "reference/npz.h"

#define FILE_OF(name) put_file(#name ".npz", name, sizeof name)
#define READ(name, ...) ash_read_npz(FILE_OF(name), __VA_ARGS__)

static void arrays_of_numpy(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *w = READ(npz_stored, "w");
    CHECK_SHAPE(w, 2, 3);
    CHECK(ash_dtype_of(w) == ASH_F32 && !ash_is_readonly(w));
    CHECK_FLOATS(w, 0, 1, 2, 3, 4, 5);
    CHECK_INTS(READ(npz_stored, "n"), 1, -2, 3);
    CHECK_FLOATS(READ(npz_deflated, "w"), 0, 1, 2, 3, 4, 5);
    CHECK_INTS(READ(npz_deflated, "n"), 1, -2, 3);
    ash_array *zeros = READ(npz_deflated, "zeros");
    CHECK_SHAPE(zeros, 100, 100);
    CHECK_ALL(zeros, 0);
    CHECK_FLOATS(READ(npz_zip64, "w"), 0, 1, 2, 3, 4, 5);
    CHECK_INTS(READ(npz_zip64, "n"), 1, -2, 3);
    ash_array *only = READ(npz_one, NULL);
    CHECK(ash_layout_of(only) == ASH_COL_MAJOR);
    CHECK_FLOATS(only, 0, 1, 2, 3, 4, 5);
    CHECK_FLOATS(READ(npz_one, "arr_0"), 0, 1, 2, 3, 4, 5);
    CHECK_INTS(READ(npz_deflated, "w", .dtype = ASH_I16, .layout = ASH_COL_MAJOR), 0, 1, 2, 3, 4, 5);
    CHECK(!READ(npz_deflated, "n", .dtype = ASH_U8));
    CHECK_ERROR_HAS(ASH_ERR_VALUE, "element 1, -2, does not fit u8");
}

static void names(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK_INTS(READ(npz_names, "../../etc/x"), 1, -2, 3); /* a key and nothing else */
    CHECK_FLOATS(READ(npz_names, "a/b"), 0, 1, 2, 3, 4, 5);
    CHECK_INTS(READ(npz_names, "\xE4\xB8\xAD"), 1, -2, 3);
    CHECK_INTS(READ(npz_names, ""), 1, -2, 3);
    CHECK(!READ(npz_names, "readme.txt"));
    CHECK_ERROR_PARTS(ASH_ERR_BOUNDS, "ash_read_npz: ", "there is no array readme.txt; it has 4, such as ../../etc/x");
    CHECK(!READ(npz_names, NULL));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "name one of its 4 arrays, such as ../../etc/x");
    CHECK(!READ(npz_none, "a"));
    CHECK_ERROR_HAS(ASH_ERR_BOUNDS, "there is no array in it");
}

/* ---- bytes changed by hand */

enum {
    FLAGS = 8, /* of an entry of the directory */
    METHOD = 10,
    CHECKSUM = 16,
    PACKED = 20,
    SIZE = 24,
    NAME = 46
};

/* The n-th entry of the directory, from 0. */
static size_t entry(const unsigned char *file, size_t n, int number)
{
    for (size_t i = 0; i + 4 <= n; i++)
        if (memcmp(file + i, "PK\1\2", 4) == 0 && number-- == 0)
            return i;
    FAIL("no such entry");
}

/* The stored or the deflated file with `count` bytes at `at` of a directory entry changed. */
static const char *changed(bool deflated, int number, size_t at, const char *bytes, size_t count)
{
    static unsigned char file[sizeof npz_stored + sizeof npz_deflated];
    const size_t n = deflated ? sizeof npz_deflated : sizeof npz_stored;
    memcpy(file, deflated ? npz_deflated : npz_stored, n);
    memcpy(file + entry(file, n, number) + at, bytes, count);
    return put_file("changed.npz", file, n);
}

static const struct {
    bool deflated;
    int number;
    size_t at;
    const char *bytes;
    size_t count;
    ash_status status;
    const char *part;
} refused[] = {
    {false, 0, FLAGS, "\x01", 1, ASH_ERR_UNSUPPORTED, "member w.npy: it is encrypted"},
    {false, 0, METHOD, "\x0C", 1, ASH_ERR_UNSUPPORTED, "member w.npy: it is compressed by method 12"},
    {false, 0, METHOD, "\x08", 1, ASH_ERR_FORMAT, "member w.npy: its header is not what the directory says"},
    {false, 0, CHECKSUM, "\x01\x02\x03\x04", 4, ASH_ERR_FORMAT, "member w.npy: "},
    {false, 0, SIZE, "\xFF\xFF\xFF\x7F", 4, ASH_ERR_FORMAT, "member w.npy: it is stored, 2147483647 bytes, but takes 152"},
    {false, 1, SIZE, "\x97", 1, ASH_ERR_FORMAT, "member n.npy: it is stored, 151 bytes, but takes 152"},
    {false, 0, PACKED, "\xFF\xFF\xFF\x7F\xFF\xFF\xFF\x7F", 8, ASH_ERR_FORMAT,
     "member w.npy: its 2147483647 bytes do not lie before the directory"},
    {true, 2, SIZE, "\xFF\xFF\xFF\x7F", 4, ASH_ERR_FORMAT, "member zeros.npy: 2147483647 bytes cannot come out of the"},
    {true, 0, SIZE, "\x99", 1, ASH_ERR_FORMAT, "member w.npy: "},
    {true, 0, SIZE, "\x20", 1, ASH_ERR_FORMAT, "member w.npy: "},
    {false, 0, NAME, "n", 1, ASH_ERR_FORMAT, "two members are named n.npy"},
    {false, 0, NAME, "\0", 1, ASH_ERR_FORMAT, "the name of a member has a zero byte in it"},
    {false, 1, 0, "XX", 2, ASH_ERR_FORMAT, "the directory of the archive is damaged"},
};

static void archives_refused(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT(refused); i++) {
        const char *path = changed(refused[i].deflated, refused[i].number, refused[i].at, refused[i].bytes, refused[i].count);
        CHECK(!ash_read_npz(path, "w"));
        CHECK_ERROR_PARTS(refused[i].status, "ash_read_npz: ", "changed.npz: ", refused[i].part);
    }
    CHECK(!ash_read_npz(put_file("changed.npz", "no archive at all", 17), "w"));
    CHECK_ERROR_HAS(ASH_ERR_FORMAT, "no NPZ file");
    CHECK(!ash_read_npz(put_file("changed.npz", "", 0), "w"));
    CHECK_ERROR_HAS(ASH_ERR_FORMAT, "no NPZ file");
}

/* A byte of the data, then of compressed data, is another one. */
static void damaged_data(void **state)
{
    (void)state;
    unsigned char file[sizeof npz_stored + sizeof npz_deflated];
    memcpy(file, npz_stored, sizeof npz_stored);
    unsigned char *second = memmem(file + 4, sizeof npz_stored - 4, "PK\3\4", 4);
    CHECK(second);
    second[-1] ^= 1; /* the last byte of w */
    CHECK(!ash_read_npz(put_file("changed.npz", file, sizeof npz_stored), "w"));
    CHECK_ERROR_HAS(ASH_ERR_FORMAT, "member w.npy: its checksum is ");
    for (size_t i = 60; i < 120; i++) {
        ASH_SCOPE(scope);
        memcpy(file, npz_deflated, sizeof npz_deflated);
        file[i] ^= 0x55;
        CHECK(!ash_read_npz(put_file("changed.npz", file, sizeof npz_deflated), "w"));
        CHECK_ERROR_HAS(ASH_ERR_FORMAT, "member w.npy: ");
    }
}

static void cut_anywhere(void **state)
{
    (void)state;
    for (size_t n = 0; n < sizeof npz_stored; n++) {
        CHECK(!ash_read_npz(put_file("cut.npz", npz_stored, n), "w"));
        CHECK_ERROR_HAS(ASH_ERR_FORMAT, "cut.npz: ");
    }
}

static void faults_of_files(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK(!ash_read_npz(NULL, "a"));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_read_npz: path is NULL");
    CHECK(!ash_read_npz("/nowhere/a.npz", "a"));
    CHECK_ERROR(ASH_ERR_IO, "ash_read_npz: cannot open /nowhere/a.npz: No such file or directory");
    CHECK(!ash_read_npz(folder, "a"));
    CHECK_ERROR_HAS(ASH_ERR_IO, ": Is a directory");
    int ends[2];
    char path[64];
    CHECK(pipe(ends) == 0);
    CHECK(write(ends[1], npz_stored, sizeof npz_stored) == (ssize_t)sizeof npz_stored);
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    if (access(path, R_OK) == 0)
        CHECK_INTS(ash_read_npz(path, "n"), 1, -2, 3);
    close(ends[0]);
}

static void memory_runs_out(void **state)
{
    (void)state;
    const char *path = FILE_OF(npz_deflated);
    for (int n = 1;; n++) {
        ash__fail_allocation(n);
        ash_array *a = ash_read_npz(path, "zeros");
        ash__fail_allocation(0);
        if (a) {
            CHECK(n > 3);
            ash_release(a);
            break;
        }
        CHECK_ERROR_HAS(ASH_ERR_MEMORY, "ash_read_npz: ");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(arrays_of_numpy), TEST(names),           TEST(archives_refused), TEST(damaged_data),
                                       TEST(cut_anywhere),    TEST(faults_of_files), TEST(memory_runs_out)};
    return cmocka_run_group_tests_name("npz", tests, make_folder, remove_folder);
}

#else

static void says_what_to_install(void **state)
{
    (void)state;
    CHECK(!ash_read_npz(put_file("a.npz", "", 0), "a"));
    CHECK_ERROR_HAS(ASH_ERR_UNSUPPORTED, "zlib1g-dev");
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(says_what_to_install)};
    return cmocka_run_group_tests_name("npz", tests, make_folder, remove_folder);
}
#endif
