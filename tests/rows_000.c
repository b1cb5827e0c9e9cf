/*
 * rows_000.c - the acceptance rows of the document on GPU arrays: what goes in, and exactly what comes out on cpu:0.
 *
 * The values were worked out apart from the library: by hand, or by the document itself. A row that needs a module that is
 * not built has no function here; CASES.md says what it waits for.
 */
#include <complex.h>
#include <pthread.h>
#include <unistd.h>

#include "test.h"

ASH_RECORD(particle, (f32, x), (f64, m));
ASH_RECORD(particle_f32, (f32, x), (i64, m));

static const ash_target keep = ASH_TARGET(.device = "cpu:0");
static const ash_target narrow = ASH_TARGET(.device = "cpu:0", .rule = ASH_F64_TO_F32);
static void check_tree(const ash_tree *t, const char *want, const char *file, int line)
{
    char text[1024];
    ash_tree_format(text, sizeof text, t);
    if (strcmp(text, want) != 0)
        fail_here(file, line, "text\n  got  %s\n  want %s", text, want);
}
#define CHECK_TREE(t, text) check_tree(t, text, __FILE__, __LINE__)

static const char refused[] = "%s: Scalar indexing is disallowed.\n"
                              "Invocation of %s resulted in scalar indexing of a device array.\n"
                              "This is typically caused by a loop that visits the elements one by one.\n"
                              "Such loops *do not* execute on the device, but very slowly on the host,\n"
                              "and therefore should be avoided.\n"
                              "If you want to allow scalar access, use `ash_allow_scalar` or `ASH_ALLOW_SCALAR`\n"
                              "to enable it globally or for the operations in question.";
#define CHECK_REFUSED(name)                                       \
    do {                                                          \
        char want_[1024];                                         \
        snprintf(want_, sizeof want_, refused, name, name);       \
        CHECK_ERROR(ASH_ERR_SCALAR_ACCESS, want_);                \
    } while (0)

/* Until its block ends, cpu:0 without f64 is where arrays are made. */
#define WITHOUT_F64                                               \
    ash_resources *weak_ = ash_resources_new("cpu:0?f64=off");    \
    CHECK(weak_);                                                 \
    ASH_WITH_RESOURCES(weak_);                                    \
    ash_resources_release(weak_) /* the block holds it */

static void row_000_01(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    float host[] = {1, 2, 3};
    ash_array *v = ash_from_host(host, ASH_F32, ASH_SHAPE(3));
    CHECK_TEXT(v, "ash.vector f32[3] cpu:0 [1.0 2.0 3.0]");
    CHECK(ash_rank(v) == 1 && ash_storage_of(v) == ASH_SHARED);
    host[0] = host[1] = host[2] = -1;
    CHECK_TEXT(v, "ash.vector f32[3] cpu:0 [1.0 2.0 3.0]");

    FILE *file = tmpfile();
    char line[128] = "";
    CHECK(file && ash_fprint(file, v) == ASH_OK);
    rewind(file);
    CHECK(fread(line, 1, sizeof line - 1, file) > 0);
    CHECK(strcmp(line, "ash.vector f32[3] cpu:0 [1.0 2.0 3.0]\n") == 0);
    fclose(file);
}

/* ash_print itself, with the standard output turned aside. */
static void row_000_01_stdout(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    char line[128] = "";
    FILE *file = tmpfile();
    fflush(stdout);
    const int old = dup(STDOUT_FILENO);
    CHECK(file && old >= 0 && dup2(fileno(file), STDOUT_FILENO) >= 0);
    const ash_status status = ash_print(ash_from_host(((float[]){1, 2, 3}), ASH_F32, ASH_SHAPE(3)));
    fflush(stdout);
    dup2(old, STDOUT_FILENO);
    close(old);
    CHECK_OK(status);
    rewind(file);
    CHECK(fread(line, 1, sizeof line - 1, file) > 0);
    CHECK(strcmp(line, "ash.vector f32[3] cpu:0 [1.0 2.0 3.0]\n") == 0);
    fclose(file);
}

static void row_000_02(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    float host[3] = {0};
    ash_array *v = ash_from_host(((float[]){1, 2, 3}), ASH_F32, ASH_SHAPE(3));
    ash_array *twice = ash_map("(x, s) -> x*s", v, 2.0f);
    CHECK_OK(ash_to_host(twice, host, sizeof host));
    CHECK(host[0] == 2 && host[1] == 4 && host[2] == 6 && ash_dtype_of(twice) == ASH_F32);
    CHECK_TEXT(v, "ash.vector f32[3] cpu:0 [1.0 2.0 3.0]");
    CHECK_TEXT(ash_map("x -> 2f0*x", v), "ash.vector f32[3] cpu:0 [2.0 4.0 6.0]");
}

static void row_000_03(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    float host[3] = {7, 8, 9};
    ash_array *v = ash_from_host(((float[]){1, 2, 3}), ASH_F32, ASH_SHAPE(3));
    CHECK_OK(ash_copy_into(v, ash_wrap(host, ASH_F32, 3, ASH_SHAPE(3))));
    CHECK_TEXT(v, "ash.vector f32[3] cpu:0 [7.0 8.0 9.0]");
    CHECK_OK(ash_fill(v, 5));
    CHECK_OK(ash_copy_into(ash_wrap(host, ASH_F32, 3, ASH_SHAPE(3)), v));
    CHECK(host[0] == 5 && host[1] == 5 && host[2] == 5);

    float four[4] = {1, 2, 3, 4}, two[2] = {1, 2};
    CHECK_OK(ash_copy_into(ash_wrap(four, ASH_F32, 4, ASH_SHAPE(2, 2)), v));
    CHECK(four[0] == 5 && four[1] == 5 && four[2] == 5 && four[3] == 4);
    CHECK(ash_copy_into(ash_wrap(two, ASH_F32, 2, ASH_SHAPE(2)), v) == ASH_ERR_BOUNDS);
    CHECK_ERROR_PARTS(ASH_ERR_BOUNDS, "ash_copy_into: ", "2", "3");
    CHECK(two[0] == 1 && two[1] == 2);
}

static void row_000_04(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK_TEXT(ash_zeros(ASH_SHAPE(2, 3)), "ash.matrix f32[2×3] row-major cpu:0\n [[0.0 0.0 0.0]\n  [0.0 0.0 0.0]]");
}

static void row_000_05(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK_TEXT(ash_ones(ASH_SHAPE(2, 3)), "ash.matrix f32[2×3] row-major cpu:0\n [[1.0 1.0 1.0]\n  [1.0 1.0 1.0]]");
}

static void row_000_06(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK_TEXT(ash_fill_new(ASH_SHAPE(2), INT32_C(7)), "ash.vector i32[2] cpu:0 [7 7]");
    CHECK_TEXT(ash_fill_new(ASH_SHAPE(2), 7.0), "ash.vector f64[2] cpu:0 [7.0 7.0]");
    CHECK_TEXT(ash_fill_new(ASH_SHAPE(2), 7.0f), "ash.vector f32[2] cpu:0 [7.0 7.0]");
}

static void row_000_07(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *e = ash_empty(ASH_SHAPE(2, 3), .dtype = ASH_I16);
    CHECK(ash_dtype_of(e) == ASH_I16 && ash_layout_of(e) == ASH_ROW_MAJOR && ash_nbytes(e) == 12);
    CHECK_SHAPE(e, 2, 3);
    for EACH_DTYPE(dtype, ASH_BOOL, ASH_C_F64) {
        char text[512];
        ash_array *any = ash_empty(ASH_SHAPE(2, 3), .dtype = dtype);
        CHECK(ash_dtype_of(any) == dtype && ash_nbytes(any) == 6 * ash_dtype_size(dtype));
        CHECK(ash_format(text, sizeof text, any) > 0 && strncmp(text, "ash.matrix ", 11) == 0);
    }
}

static void row_000_08(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *v = ash_from_host(((float[]){1, 2, 3}), ASH_F32, ASH_SHAPE(3));
    ash_array *l = ash_like(v), *m = ash_like(v, .dtype = ASH_I32, .shape = ASH_SHAPE(2, 2));
    CHECK_SHAPE(l, 3);
    CHECK_SHAPE(m, 2, 2);
    CHECK(ash_dtype_of(l) == ASH_F32 && ash_storage_of(l) == ASH_SHARED && !ash_shares_memory(l, v));
    CHECK(ash_dtype_of(m) == ASH_I32 && ash_storage_of(m) == ASH_SHARED);
}

static void row_000_09(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *source = ash_f64(1, 2);
    CHECK_TEXT(ash_adapt(source, .like = &narrow), "ash.vector f32[2] cpu:0 [1.0 2.0]");
    CHECK_TEXT(source, "ash.vector f64[2] cpu:0 [1.0 2.0]");
}

static void row_000_10(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *b = ash_adapt(ash_adjoint(ash_f64(1, 2)), .like = &narrow);
    CHECK_TEXT(b, "ash.matrix f32[1×2] row-major cpu:0 view [[1.0 2.0]]");
    CHECK(ash_is_view(b));
    CHECK_TEXT(ash_parent(b), "ash.vector f32[2] cpu:0 [1.0 2.0]");
}

static void row_000_11(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK_TREE(ash_tree_adapt(ash_tree_range(1, 4), .like = &narrow), "1:4");
    CHECK_TREE(ash_tree_adapt(ash_tree_range(1, 4), .dtype = ASH_F16, .storage = ASH_PRIVATE, .scalars = true), "1:4");
    CHECK(ash_live_arrays() == test_now.live);
}

static void row_000_12(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *x = ash_from_host(((double[]){1, 2}), ASH_F64, ASH_SHAPE(2)), *y = ash_copy(x);
    CHECK_TEXT(x, "ash.vector f64[2] cpu:0 [1.0 2.0]");
    CHECK_TEXT(y, "ash.vector f64[2] cpu:0 [1.0 2.0]");
    CHECK(!ash_shares_memory(x, y));
}

static void row_000_13(void **state)
{
    (void)state;
    CHECK_OK(ash_set_default_device("cpu:0?f64=off"));
    ash_pool_info before, after;
    CHECK_OK(ash_pool_stats(ash_default_device(), &before, sizeof before));
    const int64_t live = ash_live_arrays();
    ash_array *x = ash_from_host(((double[]){1, 2}), ASH_F64, ASH_SHAPE(2));
    CHECK_OK(ash_pool_stats(ash_default_device(), &after, sizeof after));
    CHECK_OK(ash_set_default_device("cpu:0"));
    CHECK(!x && ash_live_arrays() == live && after.in_use == before.in_use && after.requests == before.requests);
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_from_host: cpu:0?f64=off does not support f64 values; use f32");
}

static void row_000_14(void **state)
{
    (void)state;
    WITHOUT_F64;
    CHECK(!ash_empty(ASH_SHAPE(2), .dtype = ASH_C_F64));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_empty: cpu:0?f64=off does not support f64 values; use f32 (in c_f64)");
    CHECK(!ash_empty(ASH_SHAPE(2), .dtype = particle_dtype()));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_empty: cpu:0?f64=off does not support f64 values; use f32 (in particle.m)");
}

static void row_000_16(void **state)
{
    (void)state;
    for EACH_DTYPE(d, ASH_BOOL, ASH_C_F64) {
        ash_array *z = ash_zeros(ASH_SHAPE(2), .dtype = d);
        CHECK(z && ash_dtype_of(z) == d);
        ash_release(z);
    }
    ash_release(ash_zeros(ASH_SHAPE(2), .dtype = particle_dtype()));
    ash_release(ash_zeros(ASH_SHAPE(2), .dtype = particle_f32_dtype()));
    NO_ERROR();

    WITHOUT_F64;
    for EACH_DTYPE(d, ASH_BOOL, ASH_C_F64) {
        ash_array *z = ash_zeros(ASH_SHAPE(2), .dtype = d);
        const bool held = d != ASH_F64 && d != ASH_C_F64;
        CHECK(held == (z != NULL) && held == !ash_failed());
        ash_error_clear();
        ash_release(z);
    }
    CHECK(!ash_zeros(ASH_SHAPE(2), .dtype = particle_dtype()));
    CHECK_ERROR_HAS(ASH_ERR_DTYPE, "(in particle.m)");
    ash_release(ash_zeros(ASH_SHAPE(2), .dtype = particle_f32_dtype()));
    NO_ERROR();
}

/* A field's type is an element type, an inner array or a record; anything else does not compile. */
static int compiles(const char *record)
{
    char command[512];
    snprintf(command, sizeof command,
             "printf '#include <ashlar/ashlar.h>\\ntypedef struct node *node_ptr;\\n%s;\\nash_dtype f(void);\\n"
             "ash_dtype f(void) { return node_dtype(); }\\n' | cc -std=c17 -fsyntax-only -I../include -x c - 2>/dev/null",
             record);
    return system(command);
}
static void row_000_17(void **state)
{
    (void)state;
    if (compiles("ASH_RECORD(node, (f32, x), (f64, m, 3))") != 0) {
        print_message("[  SKIPPED ] row_000_17: there is no C compiler, or the headers are not beside this folder\n");
        return;
    }
    CHECK(compiles("ASH_RECORD(node, (f32, x), (node_ptr, next))") != 0);
    CHECK(compiles("ASH_RECORD(node, (f32, x), (i128, big))") != 0);
}

static void row_000_18(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK_TEXT(ash_map("(x, s) -> x*s", ash_f32(3, 1, 2), 2.0), "ash.vector f64[3] cpu:0 [6.0 2.0 4.0]");
    WITHOUT_F64;
    ash_array *a = ash_f32(3, 1, 2);
    CHECK(!ash_map("(x, s) -> x*s", a, 2.0));
    CHECK_ERROR(ASH_ERR_DTYPE,
                "ash_map: operand s is f64, which cpu:0?f64=off does not support; pass 2.0f or cast with f32()");
    CHECK_FLOATS(a, 3, 1, 2);
}

static void row_000_19(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *a = ash_f32(3, 1, 2);
    CHECK_OK(ash_map_into(a, "(x, s) -> x*s", a, 2.0));
    CHECK_TEXT(a, "ash.vector f32[3] cpu:0 [6.0 2.0 4.0]");
    /* computed in f64 and rounded once: 1 + 2^-24 + 2^-50 lies above the middle of two f32; with s narrowed first it
     * would be the middle, and go to 1 */
    ash_array *one = ash_f32(1);
    CHECK_OK(ash_map_into(one, "(x, s) -> x + s", one, 0x1.0000004p-24));
    CHECK_FLOATS(one, 1 + 0x1p-23);

    WITHOUT_F64;
    ash_array *b = ash_f32(3, 1, 2);
    CHECK(ash_map_into(b, "(x, s) -> x*s", b, 2.0) == ASH_ERR_DTYPE);
    CHECK_ERROR(ASH_ERR_DTYPE,
                "ash_map_into: operand s is f64, which cpu:0?f64=off does not support; pass 2.0f or cast with f32()");
    CHECK_TEXT(b, "ash.vector f32[3] cpu:0?f64=off [3.0 1.0 2.0]");
}

static void scaled_in_f32(void)
{
    ash_array *r = ash_map("(x, s) -> x*s", ash_f32(3, 1, 2), (float)2.0);
    CHECK_TEXT_HERE(r, "ash.vector f32[3] cpu:0 [6.0 2.0 4.0]");
}
static void row_000_20(void **state)
{
    (void)state;
    everywhere(scaled_in_f32, false);
}

static void squared_plus_one(void)
{
    CHECK_TEXT_HERE(ash_map("x -> x^2 + 1f0", ash_f32(3, 1, 2)), "ash.vector f32[3] cpu:0 [10.0  2.0  5.0]");
}
static void row_000_21(void **state)
{
    (void)state;
    everywhere(squared_plus_one, false);
}

static void sum_and_maximum(void)
{
    ash_array *a = ash_f32(3, 1, 2), *sum = ash_sum(a), *max = ash_max(a);
    CHECK(ash_item_f32(sum) == 6 && ash_item_f32(max) == 3);
    CHECK(ash_dtype_of(sum) == ASH_F32 && ash_dtype_of(max) == ASH_F32);
    CHECK_SCALAR(sum);
}
static void row_000_22(void **state)
{
    (void)state;
    everywhere(sum_and_maximum, false);
}

static void row_sums(void)
{
    CHECK_TEXT_HERE(ash_sum(ash_ones(ASH_SHAPE(2, 3)), .axes = ASH_AXES(1)),
                    "ash.matrix f32[2×1] row-major cpu:0\n [[3.0]\n  [3.0]]");
}
static void row_000_23(void **state)
{
    (void)state;
    everywhere(row_sums, false);
}

static void running_sum(void)
{
    CHECK_TEXT_HERE(ash_cumsum(ash_f32(3, 1, 2)), "ash.vector f32[3] cpu:0 [3.0 4.0 6.0]");
}
static void row_000_24(void **state)
{
    (void)state;
    everywhere(running_sum, false);
}

static void sorted(void)
{
    ash_array *a = ash_f32(3, 1, 2);
    CHECK_TEXT_HERE(ash_sort(a), "ash.vector f32[3] cpu:0 [1.0 2.0 3.0]");
    CHECK_FLOATS(a, 3, 1, 2);
}
static void row_000_25(void **state)
{
    (void)state;
    everywhere(sorted, false);
}

static void map_reduce_and_scan(void)
{
    ash_array *a = ash_f32(3, 1, 2);
    CHECK_TEXT_HERE(ash_sortperm(a), "ash.vector i64[3] cpu:0 [1 2 0]");
    CHECK(ash_item_f32(ash_map_reduce("x -> x^2", "+", a)) == 14);
    CHECK_TEXT_HERE(ash_scan("max", a), "ash.vector f32[3] cpu:0 [3.0 3.0 3.0]");
    CHECK_TEXT_HERE(ash_reverse(a), "ash.vector f32[3] cpu:0 [2.0 1.0 3.0]");
}
static void row_000_27(void **state)
{
    (void)state;
    everywhere(map_reduce_and_scan, false);
}

static void row_000_28(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *a = ash_f32(3, 1, 2), *w = ash_slice(a, 1, 3), *m = ash_reshape(a, ASH_SHAPE(3, 1));
    CHECK_OK(ash_set_f32(w, 8, 0));
    CHECK_OK(ash_set_f32(m, 9, 2, 0));
    CHECK_FLOATS(a, 3, 8, 9);
    CHECK(ash_shares_memory(a, w) && ash_shares_memory(a, m));
}

static void row_000_29(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *a = ash_f32(3, 1, 2);
    CHECK_OK(ash_map_into(a, "x -> x + 1f0", a));
    CHECK(ash_get_f32(a, 0) == 4);
    NO_ERROR();
}

static ash_array *private_123(void)
{
    return ash_from_host(((int64_t[]){1, 2, 3}), ASH_I64, ASH_SHAPE(3), .dtype = ASH_F32, .storage = ASH_PRIVATE);
}

static void row_000_30(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *priv = private_123();
    CHECK(ash_dtype_of(priv) == ASH_F32 && ash_storage_of(priv) == ASH_PRIVATE);
    CHECK(strcmp(ash_device_name(ash_device_of(priv)), "cpu:0") == 0);
}

static void row_000_31(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *priv = private_123();
    CHECK(isnan(ash_get_f32(priv, 0)));
    CHECK_REFUSED("ash_get_f32");
    CHECK(ash_set_f32(priv, 9, 0) == ASH_ERR_SCALAR_ACCESS);
    CHECK_REFUSED("ash_set_f32");
    CHECK_FLOATS(priv, 1, 2, 3);
}

static void row_000_32(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *priv = private_123();
    float host[3] = {0};
    CHECK_TEXT(priv, "ash.vector f32[3] cpu:0 private [1.0 2.0 3.0]");
    CHECK_OK(ash_to_host(priv, host, sizeof host));
    CHECK(host[0] == 1 && host[1] == 2 && host[2] == 3);
    CHECK(ash_item_f32(ash_sum(priv)) == 6);
    CHECK_TEXT(ash_copy(priv, .storage = ASH_SHARED), "ash.vector f32[3] cpu:0 [1.0 2.0 3.0]");
    NO_ERROR();
}

static int left_early(const ash_array *priv)
{
    ASH_ALLOW_SCALAR;
    if (ash_get_f32(priv, 0) == 1)
        return 1;
    return 0;
}

static void row_000_33(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *priv = private_123();
    {
        ASH_ALLOW_SCALAR;
        CHECK(ash_get_f32(priv, 0) == 1);
        {
            ASH_ALLOW_SCALAR;
            CHECK(ash_get_f32(priv, 1) == 2);
        }
        CHECK(ash_get_f32(priv, 2) == 3); /* the inner block has not ended the outer one's */
    }
    CHECK(isnan(ash_get_f32(priv, 0)));
    CHECK_REFUSED("ash_get_f32");
    CHECK(left_early(priv) == 1);
    CHECK(isnan(ash_get_f32(priv, 0)));
    CHECK_REFUSED("ash_get_f32");
    for (int i = 0; i < 3; i++) {
        ASH_ALLOW_SCALAR;
        CHECK(ash_get_f32(priv, i) == (float)(i + 1));
        if (i == 0)
            continue;
        break;
    }
    CHECK(isnan(ash_get_f32(priv, 0)));
    CHECK_REFUSED("ash_get_f32");
}

static void row_000_34(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *a = ash_f32(3, 1, 2);
    ash_allow_scalar(false);
    CHECK(ash_get_f32(a, 0) == 3);
    NO_ERROR();
}

/* ASHLAR_STORAGE needs a process of its own: storage.c. */
static void row_000_35(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK_OK(ash_set_default_storage(ASH_PRIVATE));
    ash_array *z = ash_zeros(ASH_SHAPE(2)), *s = ash_zeros(ASH_SHAPE(2), .storage = ASH_SHARED);
    CHECK_OK(ash_set_default_storage(ASH_SHARED));
    CHECK(ash_storage_of(z) == ASH_PRIVATE && ash_storage_of(s) == ASH_SHARED);
}

static void matrix_plus_views(void)
{
    ash_array *A = ash_from_host(((float[]){1, 2, 3, 4}), ASH_F32, ASH_SHAPE(2, 2));
    CHECK_TEXT_HERE(ash_map("(x, y) -> x + y", A, ash_transpose(A)),
                    "ash.matrix f32[2×2] row-major cpu:0\n [[2.0 5.0]\n  [5.0 8.0]]");
    CHECK_FLOATS(ash_map("(x, y) -> x + y", A, ash_permute(A, ASH_AXES(1, 0))), 2, 5, 5, 8);
    CHECK_FLOATS(ash_map("(x, y) -> x + y", A, ash_slice(A, ASH_OPEN, ASH_OPEN, .step = -1)), 4, 6, 4, 6);
    CHECK_FLOATS(ash_map("(x, y) -> x + y", A, ash_reshape(ash_reshape(A, ASH_SHAPE(4)), ASH_SHAPE(2, 2))), 2, 4, 6, 8);
    ash_array *z = ash_reshape(ash_c_f32(1.0f + 2.0f * I, 3, -1.0f * I, 5.0f - 1.0f * I), ASH_SHAPE(2, 2));
    CHECK_FLOATS(ash_map("(x, y) -> imag(x + y)", z, ash_adjoint(z)), 0, 1, -1, 0);
    CHECK_FLOATS(ash_map("(x, y) -> real(x + y)", z, ash_adjoint(z)), 2, 3, 3, 10);
}
static void row_000_36(void **state)
{
    (void)state;
    everywhere(matrix_plus_views, false);
}

static void row_000_37(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_tree *t = ash_tree_new();
    CHECK_OK(ash_tree_put(t, "weights", ash_f32(1, 2)));
    CHECK_OK(ash_tree_put(t, "scale", 2));
    CHECK_TREE(ash_tree_adapt(t, .like = &keep), "(weights = ash.vector f32[2] cpu:0 [1.0 2.0], scale = 2)");
}

static void row_000_38(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    static const ash_target weak = ASH_TARGET(.device = "cpu:0?f64=off");
    ash_tree *t = ash_tree_new();
    CHECK_OK(ash_tree_put(t, "weights", ash_f64(1, 2)));
    CHECK_OK(ash_tree_put(t, "scale", 2));
    const int64_t live = ash_live_arrays();
    CHECK(!ash_tree_adapt(t, .like = &weak));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_tree_adapt: weights: cpu:0?f64=off does not support f64 values; use f32");
    CHECK_TREE(t, "(weights = ash.vector f64[2] cpu:0 [1.0 2.0], scale = 2)");
    CHECK(ash_live_arrays() == live);
    CHECK_TREE(ash_tree_adapt(t, .device = "cpu:0?f64=off", .like = &narrow),
               "(weights = ash.vector f32[2] cpu:0?f64=off [1.0 2.0], scale = 2)");
}

static void row_000_39(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *b = ash_adapt(ash_slice(ash_f64(1, 2, 3), 1, 3), .like = &narrow);
    CHECK_TEXT(b, "ash.vector f32[2] cpu:0 view [2.0 3.0]");
    CHECK_TEXT(ash_parent(b), "ash.vector f32[3] cpu:0 [1.0 2.0 3.0]");
}

static void row_000_40(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK_TEXT(ash_adapt(ash_f32(1, 2), .dtype = ASH_F16), "ash.vector f16[2] cpu:0 [1.0 2.0]");
}

static void row_000_41(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK_TEXT(ash_adapt(ash_f64(1, 2), .storage = ASH_PRIVATE), "ash.vector f64[2] cpu:0 private [1.0 2.0]");
}

static void row_000_42_and_43(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK_OK(ash_rng_seed(ash_default_rng(), 1));
    CHECK_TEXT(ash_rand(ASH_SHAPE(2)), "ash.vector f32[2] cpu:0 [0.67199826 0.87411195]");
    ash_array *z = ash_zeros(ASH_SHAPE(2));
    CHECK_OK(ash_rand_into(z));
    CHECK_TEXT(z, "ash.vector f32[2] cpu:0 [0.23174448  0.9386339]");
}

static pthread_barrier_t seeding;
static void *draw_elsewhere(void *numbers)
{
    CHECK_OK(ash_rng_seed(ash_default_rng(), 1));
    ((float *)numbers)[0] = ash_rand_f32(NULL);
    pthread_barrier_wait(&seeding);
    pthread_barrier_wait(&seeding); /* the other thread seeds its generators here */
    ((float *)numbers)[1] = ash_rand_f32(NULL);
    return NULL;
}

static void row_000_44(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    pthread_t other;
    float numbers[2];
    CHECK(pthread_barrier_init(&seeding, NULL, 2) == 0);
    CHECK(pthread_create(&other, NULL, draw_elsewhere, numbers) == 0);
    pthread_barrier_wait(&seeding);
    ash_seed(1);
    pthread_barrier_wait(&seeding);
    CHECK(pthread_join(other, NULL) == 0);
    CHECK(pthread_barrier_destroy(&seeding) == 0);
    CHECK_TEXT(ash_rand(ASH_SHAPE(2)), "ash.vector f32[2] cpu:0 [0.67199826 0.87411195]");
    CHECK(numbers[0] == 0.67199826f && numbers[1] == 0.23174448f);
}

static void row_000_45(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    static const float first[] = {-0.4481541f, 0.26125014f, -0.85477567f, -0.33501208f};
    float got[4];
    ash_seed(1);
    ash_array *g = ash_randn(ASH_SHAPE(4));
    CHECK_OK(ash_to_host(g, got, sizeof got));
    for (int i = 0; i < 4; i++)
        CHECK_ULPS_F32(got[i], first[i], 1);
    CHECK_OK(ash_randn_into(g));
    CHECK_OK(ash_to_host(g, got, sizeof got));
    CHECK_ULPS_F32(got[0], -0.35001364f, 1);
    CHECK_ULPS_F32(got[1], -0.064419515f, 1);
}

static void row_000_46(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    static const ash_dtype drawn[] = {ASH_F32, ASH_I8, ASH_I16, ASH_I32, ASH_I64, ASH_U8, ASH_U16, ASH_U32, ASH_U64};
    static const ash_dtype others[] = {ASH_BOOL, ASH_F16, ASH_BF16, ASH_F64, ASH_C_F32, ASH_C_I32};
    ash_seed(1);
    ash_rng *r = ash_rng_new(ASH_RNG_SECOND);
    for (int i = 0; i < COUNT(drawn); i++) {
        CHECK_OK(ash_rng_seed(r, 1));
        ash_array *first = ash_rand(ASH_SHAPE(100), .dtype = drawn[i], .rng = r);
        ash_array *next = ash_rand(ASH_SHAPE(100), .dtype = drawn[i], .rng = r);
        CHECK_OK(ash_rng_seed(r, 1));
        CHECK(ash_equal(first, ash_rand(ASH_SHAPE(100), .dtype = drawn[i], .rng = r)) && !ash_equal(first, next));
    }
    CHECK_OK(ash_rng_seed(r, 1));
    ash_array *normal = ash_randn(ASH_SHAPE(7), .rng = r);
    CHECK_OK(ash_rng_seed(r, 1));
    CHECK(ash_equal(normal, ash_randn(ASH_SHAPE(7), .rng = r)));
    for (int i = 0; i < COUNT(others); i++) {
        CHECK(!ash_rand(ASH_SHAPE(2), .dtype = others[i], .rng = r));
        CHECK_ERROR_HAS(ASH_ERR_UNSUPPORTED, "ash_rand: the second generator");
        if (i > 0 && i < 5) {
            CHECK(!ash_randn(ASH_SHAPE(2), .dtype = others[i], .rng = r));
            CHECK_ERROR_HAS(ASH_ERR_UNSUPPORTED, "ash_randn: the second generator");
        }
    }
    ash_rng_release(r);
    CHECK_TEXT(ash_rand(ASH_SHAPE(2)), "ash.vector f32[2] cpu:0 [0.67199826 0.87411195]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(row_000_01), TEST(row_000_01_stdout), TEST(row_000_02), TEST(row_000_03), TEST(row_000_04), TEST(row_000_05),
        TEST(row_000_06), TEST(row_000_07),        TEST(row_000_08), TEST(row_000_09), TEST(row_000_10), TEST(row_000_11),
        TEST(row_000_12), TEST(row_000_13),        TEST(row_000_14), TEST(row_000_16), TEST(row_000_17), TEST(row_000_18),
        TEST(row_000_19), TEST(row_000_20),        TEST(row_000_21), TEST(row_000_22), TEST(row_000_23), TEST(row_000_24),
        TEST(row_000_25), TEST(row_000_27),        TEST(row_000_28), TEST(row_000_29), TEST(row_000_30), TEST(row_000_31),
        TEST(row_000_32), TEST(row_000_33),        TEST(row_000_34), TEST(row_000_35), TEST(row_000_36), TEST(row_000_37),
        TEST(row_000_38), TEST(row_000_39),        TEST(row_000_40), TEST(row_000_41), TEST(row_000_42_and_43),
        TEST(row_000_44), TEST(row_000_45),        TEST(row_000_46),
    };
    return cmocka_run_group_tests_name("rows of document 000", tests, NULL, NULL);
}
