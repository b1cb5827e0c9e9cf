/*
 * rows_003.c - the acceptance rows of the document on device arrays for Racket, in their C form.
 *
 * The values were worked out apart from the library: by hand, or by the document itself (its Racket results). A row that
 * needs a module that is not built has no function here; CASES.md says what it waits for.
 */
#include "test.h"

static const float samples[] = {5.1f, 3.5f, 1.4f, 0.2f, 4.9f, 3.0f, 1.4f, 0.2f, 7.0f, 3.2f, 4.7f, 1.4f, 6.4f, 3.2f, 4.5f, 1.5f};

static ash_array *make_X(void) { return ash_from_host(samples, ASH_F32, ASH_SHAPE(4, 4)); }
static ash_array *make_Xf(void) { return ash_contiguous(make_X(), .layout = ASH_COL_MAJOR); }
static ash_array *make_labels(void) { return ash_empty(ASH_SHAPE(4), .dtype = ASH_I32); }
static ash_array *make_weights(void) { return ash_empty(ASH_SHAPE(4), .dtype = ASH_F64); }
static ash_array *make_one_feature(void)
{
    return ash_from_host(((float[]){5.1f, 4.9f, 7.0f}), ASH_F32, ASH_SHAPE(3, 1));
}
static bool fit_for_kmeans(const ash_array *a)
{
    return ash_rank(a) == 2 && ash_layout_of(a) == ASH_ROW_MAJOR && (ash_dtype_of(a) == ASH_F32 || ash_dtype_of(a) == ASH_F64);
}

static void row_003_01(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *X = make_X(), *b = ash_empty(ASH_SHAPE(ash_shape(X)[0], 3), .dtype = ash_dtype_of(X));
    CHECK_SHAPE(b, 4, 3);
    CHECK(ash_dtype_of(b) == ASH_F32);
}

static void row_003_02(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_resources *r = ash_resources_new("cpu:0");
    ash_array *b = ash_empty(ASH_SHAPE(3, 2), .dtype = ASH_F64, .layout = ASH_COL_MAJOR, .resources = r);
    ash_resources_release(r);
    CHECK(ash_layout_of(b) == ASH_COL_MAJOR);
    CHECK_STRIDES(b, 1, 3);
    CHECK_OK(ash_fill(b, 2.5));
    CHECK(ash_item_f64(ash_sum(b)) == 15);
}

static void row_003_03(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *b = ash_empty(ASH_SHAPE(2, 2), .dtype = ASH_F16);
    CHECK_SHAPE(b, 2, 2);
    CHECK(ash_dtype_of(b) == ASH_F16);
    CHECK(!ash_empty(ASH_SHAPE(2, 2), .dtype = (ash_dtype)99));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_empty: unsupported dtype 99");
}

static void row_003_04(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *weights = make_weights();
    CHECK(ash_size(weights) == 4 && ash_dtype_of(weights) == ASH_F64);
}

static void row_003_05(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *X = make_X();
    CHECK_SHAPE(ash_empty(ASH_SHAPE(ash_shape(X)[1]), .dtype = ash_dtype_of(X)), 4);
}

static void row_003_06(void **state)
{
    (void)state;
    static const ash_target keep = ASH_TARGET(.device = "cpu:0");
    ash_array *X = make_X(), *b = ash_adapt(X, .like = &keep);
    CHECK(b == X);
    ash_release(X);
    CHECK_SHAPE(b, 4, 4); /* one reference more */
    ash_release(b);
}

static void row_003_07(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *b = ash_from_host(((double[]){1, 2}), ASH_F64, ASH_SHAPE(1, 2), .dtype = ASH_F32);
    CHECK_SHAPE(b, 1, 2);
    CHECK(ash_dtype_of(b) == ASH_F32);
    CHECK_FLOATS(b, 1, 2);
}

static void row_003_08(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_tree *t = ash_tree_new();
    CHECK_OK(ash_tree_put(t, "X", make_X()));
    CHECK_OK(ash_tree_put(t, "labels", make_labels()));
    CHECK_OK(ash_tree_put(t, "n", 4));
    CHECK(ash_tree_arrays(t) == 2);
}

static void row_003_09(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK(fit_for_kmeans(make_X()) && !fit_for_kmeans(make_Xf()));
}

static void row_003_10(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *X = make_X(), *labels = make_labels();
    CHECK((ash_rank(X) == 2 ? ash_shape(X)[0] : 1) == 4 && (ash_rank(labels) == 2 ? ash_shape(labels)[0] : 1) == 1);
}

static void row_003_11(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    int64_t host[3] = {0};
    CHECK_OK(ash_to_host(ash_i64(1, 2, 3), host, sizeof host));
    CHECK(host[0] == 1 && host[1] == 2 && host[2] == 3);
}

static void row_003_12(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    int64_t host[4] = {0};
    CHECK_OK(ash_to_host(ash_from_host(((int64_t[]){1, 2, 3, 4}), ASH_I64, ASH_SHAPE(2, 2)), host, sizeof host));
    for (int i = 0; i < 4; i++)
        CHECK(host[i] == i + 1);
}

static void row_003_13(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *X = make_X(), *weights = make_weights(), *labels = make_labels(), *b = ash_empty(ASH_SHAPE(5, 2));
    CHECK(ash_rank(weights) == 1 && ash_shape(weights)[0] == ash_shape(X)[0]);
    CHECK(!(ash_rank(labels) == 1 && ash_shape(labels)[0] == ash_shape(b)[0]));
}

static void row_003_14(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *X = make_X();
    const int64_t *s = ash_shape(X);
    ash_array *centroids = ash_empty(ASH_SHAPE(3, s[1]));
    CHECK(s[0] == 4 && s[1] == 4 && ash_dtype_of(centroids) == ASH_F32);
    CHECK_SHAPE(centroids, 3, 4);
}

static void row_003_15(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *X = make_X();
    CHECK(ash_same_shape(X, ash_contiguous(X, .layout = ASH_COL_MAJOR)) && !ash_same_shape(X, ash_empty(ASH_SHAPE(3, 4))));
}

static void row_003_16(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *b = ash_like(ash_from_host(((int64_t[]){1, 2}), ASH_I64, ASH_SHAPE(1, 2), .dtype = ASH_I32));
    CHECK_SHAPE(b, 1, 2);
    CHECK(ash_dtype_of(b) == ASH_I32);
}

static void row_003_18(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *column = ash_empty(ASH_SHAPE(5, 1), .layout = ASH_COL_MAJOR);
    CHECK_STRIDES(column, 1, 5);
    CHECK(ash_layout_of(column) == ASH_ROW_MAJOR && ash_layout_of(make_labels()) == ASH_ROW_MAJOR);
}

static void row_003_19(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK(ash_is_contiguous(ash_empty(ASH_SHAPE(5, 1), .layout = ASH_COL_MAJOR), .layout = ASH_COL_MAJOR));
}

static void row_003_20(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    const ash_array *const each[] = {make_X(), make_labels()};
    char text[128] = "";
    size_t at = 0;
    for (int i = 0; i < 2; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "%s %s %s\n", ash_dtype_name(ash_dtype_of(each[i])),
                               ash_shape_text(each[i]), ash_layout_name(ash_layout_of(each[i])));
    CHECK(strcmp(text, "f32 (4, 4) row-major\ni32 (4) row-major\n") == 0);
}

static void row_003_21(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *X = make_X();
    CHECK(2 * ash_strides(X)[0] + 1 * ash_strides(X)[1] == 9);
}

static void row_003_22(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *Xf = make_Xf();
    CHECK(2 * ash_strides(Xf)[0] + 1 * ash_strides(Xf)[1] == 6);
}

static void row_003_23(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *X = make_X();
    const size_t e = ash_dtype_size(ash_dtype_of(X));
    CHECK((size_t)ash_strides(X)[0] * e == 16 && (size_t)ash_strides(X)[1] * e == 4);
    CHECK(ash_byte_strides(X)[0] == 16 && ash_byte_strides(X)[1] == 4);
}

static void row_003_24(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK((double)ash_nbytes(ash_empty(ASH_SHAPE(1000, 128))) / (1024 * 1024.0) == 0.48828125);
}

static void row_003_25(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *a = ash_f64(1, 2, 4.5);
    CHECK((ash_size(a) ? ash_item_f64(ash_sum(a)) / (double)ash_size(a) : NAN) == 2.5 && ash_item_f64(ash_mean(a)) == 2.5);
}

static void row_003_26(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *a = ash_empty(ASH_SHAPE(0), .dtype = ASH_F64);
    CHECK(ash_size(a) == 0 && isnan(ash_item_f64(ash_mean(a))));
    NO_ERROR();
}

static void row_003_27(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *one_feature = make_one_feature();
    CHECK(ash_is_contiguous(one_feature) && ash_is_contiguous(one_feature, .layout = ASH_COL_MAJOR));
}

static void row_003_28(void **state)
{
    (void)state;
    const int64_t live = ash_live_arrays();
    ash_array *one_feature = make_one_feature(), *b = ash_contiguous(one_feature, .layout = ASH_COL_MAJOR);
    CHECK(b == one_feature && ash_live_arrays() == live + 1);
    ash_release(b); /* one reference more: the array is still there */
    CHECK(ash_live_arrays() == live + 1 && ash_size(one_feature) == 3);
    ash_release(one_feature);
    CHECK(ash_live_arrays() == live);
}

static void row_003_29(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *Xf = make_Xf(), *one_feature = make_one_feature();
    CHECK(ash_is_contiguous(Xf, .layout = ASH_COL_MAJOR) && ash_is_contiguous(one_feature, .layout = ASH_COL_MAJOR));
    CHECK_SHAPE(Xf, 4, 4);
    CHECK_SHAPE(one_feature, 3, 1);
}

static void row_003_30(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *X = make_X();
    char text[128];
    CHECK(!ash_is_contiguous(X, .layout = ASH_COL_MAJOR));
    snprintf(text, sizeof text, "least-squares: expected a col-major matrix, given %s\n", ash_layout_name(ash_layout_of(X)));
    CHECK(strcmp(text, "least-squares: expected a col-major matrix, given row-major\n") == 0);
}

static void row_003_31(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *X = make_X(), *Xf = make_Xf();
    CHECK(ash_contiguous(Xf, .layout = ASH_COL_MAJOR) == Xf && ash_contiguous(X) == X);
}

static void row_003_32(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *X = make_X(), *Xr = ash_contiguous(ash_contiguous(X, .layout = ASH_COL_MAJOR));
    CHECK(ash_layout_of(Xr) == ASH_ROW_MAJOR && Xr != X && fit_for_kmeans(Xr) && ash_equal(X, Xr));
    CHECK_STRIDES(Xr, 4, 1);
}

static void row_003_33(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *b = ash_from_host(((int64_t[]){1, 2, 3, 4, 5, 6}), ASH_I64, ASH_SHAPE(2, 3), .dtype = ASH_I32);
    CHECK_TEXT(ash_contiguous(b, .layout = ASH_COL_MAJOR), "ash.matrix i32[2×3] col-major cpu:0\n [[1 2 3]\n  [4 5 6]]");
}

static void row_003_34(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    double host[3] = {0};
    CHECK_OK(ash_to_host(ash_f64(0.5, 0.25, 3), host, sizeof host));
    CHECK(host[0] == 0.5 && host[1] == 0.25 && host[2] == 3);
}

static void row_003_36(void **state)
{
    (void)state;
    CHECK(!ash_from_host(((int64_t[]){3000000000}), ASH_I64, ASH_SHAPE(1), .dtype = ASH_I32));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_from_host: element 0, 3000000000, does not fit i32");
}

static void row_003_37(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK(!ash_from_host(((double[]){1, NAN}), ASH_F64, ASH_SHAPE(2), .dtype = ASH_I64));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_from_host: element 1, nan, is not a finite number");
    CHECK(!ash_from_host(((double[]){1e300}), ASH_F64, ASH_SHAPE(1), .dtype = ASH_F32));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_from_host: element 0, 1e300, does not fit f32");
    CHECK_FLOATS(ash_from_host(((double[]){INFINITY, -INFINITY, NAN}), ASH_F64, ASH_SHAPE(3), .dtype = ASH_F32), INFINITY,
                 -INFINITY, NAN);
}

static ash_array *make_assigned(void)
{
    return ash_from_host(((int64_t[]){0, 2, 1, 2}), ASH_I64, ASH_SHAPE(4), .dtype = ASH_I32);
}

static void row_003_38(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *assigned = make_assigned();
    CHECK_SHAPE(assigned, 4);
    CHECK(ash_dtype_of(assigned) == ASH_I32);
}

static void row_003_39(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    int64_t size[3] = {0};
    int32_t l[4];
    CHECK_OK(ash_to_host(make_assigned(), l, sizeof l));
    for (int i = 0; i < 4; i++)
        size[l[i]]++;
    CHECK(size[0] == 1 && size[1] == 1 && size[2] == 2);
}

static void row_003_40(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    double host[2] = {0};
    ash_array *a = ash_from_host(((double[]){0.1, 0.5}), ASH_F64, ASH_SHAPE(2), .dtype = ASH_F32);
    CHECK_OK(ash_to_host_as(a, host, sizeof host, ASH_F64));
    CHECK(host[0] == 0.10000000149011612 && host[1] == 0.5);
}

static void row_003_41(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    static const char csv[] = "5.1,3.5,1.4,0.2\n7.0,3.2,4.7,1.4\n";
    ash_array *a = ash_parse_csv(csv, sizeof csv - 1, .dtype = ASH_F32);
    CHECK_SHAPE(a, 2, 4);
    CHECK_TEXT(a, "ash.matrix f32[2×4] row-major cpu:0\n [[5.1 3.5 1.4 0.2]\n  [7.0 3.2 4.7 1.4]]");
}

static void row_003_42(void **state)
{
    (void)state;
    CHECK(!ash_from_rows(ASH_ROWS(ASH_ROW(int64_t, 1, 2, 3), ASH_ROW(int64_t, 4, 5, 6), ASH_ROW(int64_t, 7, 8))));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_from_rows: row 2 has 2 elements, but row 0 has 3: [7 8]");
}

static void row_003_43(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    int64_t host[4] = {0};
    ash_array *b = ash_from_host(((int64_t[]){1, 2, 3, 4}), ASH_I64, ASH_SHAPE(2, 2), .layout = ASH_COL_MAJOR);
    CHECK_OK(ash_to_host(b, host, sizeof host));
    for (int i = 0; i < 4; i++)
        CHECK(host[i] == i + 1);
    const int64_t *memory = ash_map_host(b);
    CHECK(memory && memory[0] == 1 && memory[1] == 3 && memory[2] == 2 && memory[3] == 4);
    CHECK_OK(ash_unmap_host(b));
}

static void row_003_44(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    double c[2][2];
    char text[128];
    CHECK_OK(ash_to_host(ash_from_host(((double[]){5.0, 3.4, 6.6, 3.0}), ASH_F64, ASH_SHAPE(2, 2)), c, sizeof c));
    size_t at = 0;
    for (int i = 0; i < 2; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, "cluster %d: %.1f %.1f\n", i, c[i][0], c[i][1]);
    CHECK(strcmp(text, "cluster 0: 5.0 3.4\ncluster 1: 6.6 3.0\n") == 0);
}

static void row_003_45(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    double q[5];
    for (int i = 0; i < 5; i++)
        q[i] = sqrt(i);
    CHECK_TEXT(ash_from_host(q, ASH_F64, ASH_SHAPE(5), .dtype = ASH_F32),
               "ash.vector f32[5] cpu:0 [      0.0       1.0 1.4142135 1.7320508       2.0]");
}

static void row_003_46(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    int64_t host[3] = {9, 9, 9};
    const double mixed[] = {0.7, 2.2, -1.5};
    CHECK_OK(ash_to_host(ash_from_host(mixed, ASH_F64, ASH_SHAPE(3), .dtype = ASH_I64), host, sizeof host));
    CHECK(host[0] == 0 && host[1] == 2 && host[2] == -1);
    CHECK(!ash_from_host(mixed, ASH_F64, ASH_SHAPE(3), .dtype = ASH_I64, .exact = true));
    CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_from_host: element 0, 0.7, ");
}

static void row_003_47(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    double host[1] = {0};
    CHECK_OK(ash_to_host_as(ash_f32(0.1f), host, sizeof host, ASH_F64));
    CHECK(host[0] == 0.10000000149011612);
}

static void row_003_48(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    double host[3] = {0};
    CHECK_OK(ash_to_host_as(ash_i64(1, 2, 3), host, sizeof host, ASH_F64));
    CHECK(host[0] == 1 && host[1] == 2 && host[2] == 3);
}

static void row_003_49(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    double v[2];
    CHECK_OK(ash_to_host(ash_f64(3, 4), v, sizeof v));
    CHECK(sqrt(v[0] * v[0] + v[1] * v[1]) == 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(row_003_01), TEST(row_003_02), TEST(row_003_03), TEST(row_003_04), TEST(row_003_05), TEST(row_003_06),
        TEST(row_003_07), TEST(row_003_08), TEST(row_003_09), TEST(row_003_10), TEST(row_003_11), TEST(row_003_12),
        TEST(row_003_13), TEST(row_003_14), TEST(row_003_15), TEST(row_003_16), TEST(row_003_18), TEST(row_003_19),
        TEST(row_003_20), TEST(row_003_21), TEST(row_003_22), TEST(row_003_23), TEST(row_003_24), TEST(row_003_25),
        TEST(row_003_26), TEST(row_003_27), TEST(row_003_28), TEST(row_003_29), TEST(row_003_30), TEST(row_003_31),
        TEST(row_003_32), TEST(row_003_33), TEST(row_003_34), TEST(row_003_36), TEST(row_003_37), TEST(row_003_38),
        TEST(row_003_39), TEST(row_003_40), TEST(row_003_41), TEST(row_003_42), TEST(row_003_43), TEST(row_003_44),
        TEST(row_003_45), TEST(row_003_46), TEST(row_003_47), TEST(row_003_48), TEST(row_003_49),
    };
    return cmocka_run_group_tests_name("rows of document 003", tests, NULL, NULL);
}
