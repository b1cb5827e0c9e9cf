/*
 * npz.c (test) - NPZ files against those of NumPy and of Python's zipfile (tests/reference/npz.py), and the same with bytes
 * changed by hand, from the description of ZIP (PKWARE's APPNOTE).
 */
#include "files.h"

#include "core/alloc.h"
#include "io/zip.h"

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

/* ---- trees */

static ash_tree *sample(void)
{
    ash_tree *t = ash_tree_new(), *layer = ash_tree_new(), *list = ash_tree_new();
    CHECK_OK(ash_tree_put(layer, "weight", counting(0, ASH_F32, ASH_SHAPE(2, 3), ASH_COL_MAJOR)));
    CHECK_OK(ash_tree_put(layer, "scale", 0.5));
    CHECK_OK(ash_tree_push(list, ash_i64(1, -2, 3)));
    CHECK_OK(ash_tree_push(list, ash_slice(ash_u8(1, 2, 3, 4), 3, 0, .step = -2)));
    CHECK_OK(ash_tree_put(t, "layer", layer));
    CHECK_OK(ash_tree_put(t, "list", list));
    CHECK_OK(ash_tree_put(t, "zeros", ash_zeros(ASH_SHAPE(300, 300))));
    CHECK_OK(ash_tree_put(t, "\xE4\xB8\xAD", ash_c_f64(1)));
    return t;
}
static void check_sample(const ash_tree *t)
{
    CHECK(t && ash_tree_count(t) == 6 && ash_tree_arrays(t) == 6);
    ash_array *weight = ash_tree_get(t, "layer.weight");
    CHECK(ash_layout_of(weight) == ASH_COL_MAJOR);
    CHECK_FLOATS(weight, 0, 1, 2, 3, 4, 5);
    CHECK_SCALAR(ash_tree_get(t, "layer.scale"));
    CHECK_FLOATS(ash_tree_get(t, "layer.scale"), 0.5);
    CHECK_INTS(ash_tree_get(t, "list.0"), 1, -2, 3);
    CHECK_INTS(ash_tree_get(t, "list.1"), 4, 2);
    CHECK_SHAPE(ash_tree_get(t, "zeros"), 300, 300);
    CHECK_ALL(ash_tree_get(t, "zeros"), 0);
    CHECK(ash_dtype_of(ash_tree_get(t, "\xE4\xB8\xAD")) == ASH_C_F64);
}

static void trees(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    size_t stored, deflated;
    const char *path = path_of("tree.npz");
    CHECK_OK(ash_save_npz(sample(), path));
    check_sample(ash_load_npz(path));
    check_sample(ash_load_npz(path, .mapped = true));
    free(get_file(path, &stored));
    CHECK_OK(ash_save_npz(sample(), path, .compress = true));
    check_sample(ash_load_npz(path));
    unsigned char *bytes = get_file(path, &deflated);
    CHECK(deflated < stored / 100);
    CHECK_OK(ash_save_npz(sample(), path, .compress = true)); /* equal trees give equal files */
    check_bytes(path, bytes, deflated, "again");
    free(bytes);
    CHECK(!ash_load_npz(path, .mapped = true));
    CHECK_ERROR_HAS(ASH_ERR_UNSUPPORTED, "member layer.weight.npy: cannot be mapped: it is compressed");

    const ash_tree *of_numpy = ash_load_npz(FILE_OF(npz_deflated), .dtype = ASH_F64);
    CHECK(ash_tree_count(of_numpy) == 3 && ash_dtype_of(ash_tree_get(of_numpy, "n")) == ASH_F64);
    CHECK_OK(ash_save_npz(ash_tree_new(), path));
    check_bytes(path, npz_none, sizeof npz_none, "none");
    CHECK(ash_tree_count(ash_load_npz(path)) == 0);
    CHECK(!ash_load_npz(FILE_OF(npz_names)));
    CHECK_ERROR_HAS(ASH_ERR_UNSUPPORTED, "the name of an array is empty");
}

/* Every field in its wide form, as an archive of more than 4 GiB has them. */
static void wide_archives(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    for (int compress = 0; compress < 2; compress++) {
        ash__zip_wide_from = 1;
        CHECK_OK(ash_save_npz(sample(), path_of("wide.npz"), .compress = compress));
        ash__zip_wide_from = 0xFFFFFFFF;
        check_sample(ash_load_npz(path_of("wide.npz")));
    }
}

static void mapped(void **state)
{
    (void)state;
    ash_array *n = NULL;
    {
        ASH_SCOPE(scope);
        CHECK_OK(ash_save_npz(sample(), path_of("mapped.npz")));
        n = ash_retain(ash_read_npz(path_of("mapped.npz"), "list.0", .mapped = true));
        CHECK(ash_is_readonly(n) && !ash_is_view(n));
        ash_array *w = ash_read_npz(path_of("mapped.npz"), "layer.weight", .mapped = true, .writable = true);
        ash_set_f32(w, 50, 1, 2);
        CHECK_FLOATS(w, 0, 1, 2, 3, 4, 50);
    }
    CHECK_INTS(n, 1, -2, 3);
    ash_release(n);
    CHECK(!ash_read_npz(path_of("mapped.npz"), "layer.weight"));
    CHECK_ERROR_HAS(ASH_ERR_FORMAT, "its checksum is "); /* which no mapping keeps up */
    /* NumPy aligns nothing */
    CHECK(!READ(npz_stored, "n", .mapped = true));
    CHECK_ERROR_HAS(ASH_ERR_UNSUPPORTED, "member n.npy: cannot be mapped: the data begins at byte ");
    CHECK(!READ(npz_deflated, "n", .mapped = true));
    CHECK_ERROR_HAS(ASH_ERR_UNSUPPORTED, "member n.npy: cannot be mapped: it is compressed");
}

static void trees_refused(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    const char *path = put_file("kept.npz", "old", 3);
    ash_tree *t = ash_tree_new();
    CHECK(ash_save_npz(NULL, path) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_save_npz: t is NULL");
    CHECK(ash_save_npz(t, NULL) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_save_npz: path is NULL");
    CHECK(!ash_load_npz(NULL));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_load_npz: path is NULL");
    CHECK_OK(ash_tree_put(t, "note", "hello"));
    CHECK(ash_save_npz(t, path) == ASH_ERR_UNSUPPORTED);
    CHECK_ERROR(ASH_ERR_UNSUPPORTED, "ash_save_npz: note is a text; an NPZ file holds arrays and scalars");
    check_bytes(path, "old", 3, "kept");
    CHECK(ash_save_npz(sample(), "/nowhere/a.npz") == ASH_ERR_IO);
    CHECK_ERROR_HAS(ASH_ERR_IO, "ash_save_npz: cannot create /nowhere/a.npz");
}

static void memory_runs_out_in_trees(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    const ash_tree *t = sample();
    for (int compress = 0; compress < 2; compress++) {
        const char *path = put_file("kept.npz", "old", 3);
        for (int n = 1;; n++) {
            ash__fail_allocation(n);
            const ash_status status = ash_save_npz(t, path, .compress = compress);
            ash__fail_allocation(0);
            if (status == ASH_OK)
                break;
            CHECK(status == ASH_ERR_MEMORY && n < 200);
            CHECK_ERROR_HAS(ASH_ERR_MEMORY, "ash_save_npz: ");
            check_bytes(path, "old", 3, "kept");
        }
        const int64_t live = ash_live_arrays();
        for (int n = 1;; n++) {
            ash__fail_allocation(n);
            ash_tree *back = ash_load_npz(path);
            ash__fail_allocation(0);
            if (back) {
                check_sample(back);
                ash_tree_release(back);
                break;
            }
            CHECK(n < 400);
            CHECK_ERROR_HAS(ASH_ERR_MEMORY, "");
            CHECK(ash_live_arrays() == live);
        }
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
    const struct CMUnitTest tests[] = {TEST(arrays_of_numpy), TEST(names),         TEST(archives_refused),
                                       TEST(damaged_data),    TEST(cut_anywhere),  TEST(faults_of_files),
                                       TEST(memory_runs_out), TEST(trees),         TEST(wide_archives),
                                       TEST(mapped),          TEST(trees_refused), TEST(memory_runs_out_in_trees)};
    return cmocka_run_group_tests_name("npz", tests, make_folder, remove_folder);
}

#else

static void says_what_to_install(void **state)
{
    (void)state;
    CHECK(!ash_read_npz(put_file("a.npz", "", 0), "a"));
    CHECK_ERROR_HAS(ASH_ERR_UNSUPPORTED, "zlib1g-dev");
    CHECK(!ash_load_npz(path_of("a.npz")));
    CHECK_ERROR_HAS(ASH_ERR_UNSUPPORTED, "zlib1g-dev");
    ASH_SCOPE(scope);
    CHECK(ash_save_npz(ash_tree_new(), path_of("a.npz")) == ASH_ERR_UNSUPPORTED);
    CHECK_ERROR_HAS(ASH_ERR_UNSUPPORTED, "zlib1g-dev");
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(says_what_to_install)};
    return cmocka_run_group_tests_name("npz", tests, make_folder, remove_folder);
}
#endif
