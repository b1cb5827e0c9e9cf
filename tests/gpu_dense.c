/*
 * gpu_dense.c - products, random numbers, transforms and factorizations on a GPU device against cpu:0, in both shapes of
 * kernels.
 *
 * Elements of factors are small integers, so that every sum is exact in every dtype and both devices must have the same bits;
 * random numbers have the same bits anyway. Transforms and factorizations are within bounds. Skipped where there is no device.
 */
#include "devices.h"

static ash_resources *place[2]; /* cpu:0, the device */

/* Integers from -3 to 3, of unsigned dtypes from 0 on, of bool 0 and 1; the same ones for the same seed. */
static ash_array *small(int where, ash_dtype dtype, ash_dims shape, ash_layout layout, uint64_t with)
{
    int64_t n = 1;
    for (int64_t k = 0; k < shape.rank; k++)
        n *= shape.size[k];
    double *const part = calloc((size_t)(2 * n + 1), sizeof *part);
    const bool signs =
        dtype != ASH_BOOL && !(dtype >= ASH_U8 && dtype <= ASH_U64) && !(dtype >= ASH_C_U8 && dtype <= ASH_C_U64);
    seed = 88172645463325252u + with * 977;
    for (int64_t i = 0; i < 2 * n; i++)
        part[i] = dtype == ASH_BOOL ? (double)(next_random() % 8 == 0) : (double)(int64_t)(next_random() % 7) - 3;
    for (int64_t i = 0; i < 2 * n; i++)
        part[i] = !signs && part[i] < 0 ? -part[i] : part[i];
    ash_array *const a = ash_from_host(part, dtype >= ASH_C_I8 ? ASH_C_F64 : ASH_F64, shape, .dtype = dtype, .layout = layout,
                                       .resources = place[where]);
    free(part);
    CHECK(a);
    return a;
}

/* The same bytes, in row-major order. */
static bool alike(const ash_array *a, const ash_array *b)
{
    if (!a || !b || ash_dtype_of(a) != ash_dtype_of(b) || ash_size(a) != ash_size(b))
        return false;
    const size_t nbytes = (size_t)ash_size(a) * ash_dtype_size(ash_dtype_of(a));
    char *const x = calloc(1, nbytes + 1), *const y = calloc(1, nbytes + 1);
    CHECK_OK(ash_to_host(a, x, nbytes));
    CHECK_OK(ash_to_host(b, y, nbytes));
    const bool same = memcmp(x, y, nbytes) == 0;
    free(x);
    free(y);
    return same;
}

/* ---- products */

enum { TURNED_A = 1, TURNED_B = 2, COLUMNS_A = 4, COLUMNS_B = 8, BACKWARD = 16, SCALED = 32, STRUCTURED = 64 };
typedef struct product {
    ash_dtype a, b;
    int64_t rows, inner, cols;
    int how;
    ash_structure structure; /* of a, rows = inner */
} product;

/* The factor itself, or the same shape by way of another array. */
static ash_array *factor_of(int where, ash_dtype dtype, int64_t rows, int64_t cols, bool turned, bool columns, uint64_t with)
{
    const ash_layout layout = columns ? ASH_COL_MAJOR : ASH_ROW_MAJOR;
    if (!turned)
        return small(where, dtype, ASH_SHAPE(rows, cols), layout, with);
    return ash_adjoint(small(where, dtype, ASH_SHAPE(cols, rows), layout, with));
}

static ash_array *product_on(int where, const product *p)
{
    ash_array *a = factor_of(where, p->a, p->rows, p->inner, p->how & TURNED_A, p->how & COLUMNS_A, 1);
    ash_array *b = factor_of(where, p->b, p->inner, p->cols, p->how & TURNED_B, p->how & COLUMNS_B, 2);
    if (p->structure == ASH_DIAGONAL)
        a = ash_view(a, 0);
    if (p->how & BACKWARD) {
        a = ash_slice(a, ASH_OPEN, ASH_OPEN, .step = -1);
        b = ash_slice(b, ASH_OPEN, ASH_OPEN, .step = -1);
    }
    if (!(p->how & SCALED))
        return ash_matmul(a, b, .a_structure = p->structure);
    ash_array *const c = small(where, ash_dtype_promote(p->a, p->b), ASH_SHAPE(p->rows, p->cols), ASH_COL_MAJOR, 3);
    CHECK_OK(ash_gemm_into(c, a, b, .alpha = ash_operand_i64(2), .beta = ash_operand_i64(3), .a_structure = p->structure));
    return c;
}

static void check_product(const product *p)
{
    ASH_SCOPE(scope);
    ash_array *const want = product_on(0, p), *const got = product_on(1, p);
    if (!alike(want, got))
        FAIL("%s (%d, %d) times %s (%d, %d), how %d, structure %d", ash_dtype_name(p->a), (int)p->rows, (int)p->inner,
             ash_dtype_name(p->b), (int)p->inner, (int)p->cols, p->how, (int)p->structure);
}

static void products(void **state)
{
    (void)state;
    static const product list[] = {
        {ASH_F32, ASH_F32, 1, 1, 1, 0, 0},
        {ASH_F32, ASH_F32, 67, 300, 35, 0, 0},
        {ASH_F32, ASH_F32, 130, 5, 70, 0, 0},
        {ASH_F32, ASH_F32, 67, 300, 35, COLUMNS_A | COLUMNS_B, 0},
        {ASH_F32, ASH_F32, 67, 30, 35, COLUMNS_A | SCALED, 0},
        {ASH_F32, ASH_F32, 67, 30, 35, COLUMNS_B | BACKWARD, 0},
        {ASH_F32, ASH_F32, 67, 300, 1, 0, 0},
        {ASH_F32, ASH_F32, 1, 300, 67, 0, 0},
        {ASH_F32, ASH_F32, 130, 30, 1, COLUMNS_A, 0},
        {ASH_F32, ASH_F32, 1, 70000, 1, 0, 0},
        {ASH_F64, ASH_F64, 67, 30, 35, SCALED, 0},
        {ASH_C_F32, ASH_C_F32, 67, 30, 35, SCALED | TURNED_A, 0},
        {ASH_C_F64, ASH_F64, 9, 30, 65, TURNED_B, 0},
        {ASH_C_F32, ASH_C_F32, 20, 30, 1, SCALED, 0},
        {ASH_F16, ASH_F16, 9, 70, 33, SCALED, 0},
        {ASH_BF16, ASH_F32, 9, 20, 33, 0, 0},
        {ASH_I8, ASH_I8, 9, 70, 33, SCALED, 0},
        {ASH_U16, ASH_I32, 9, 70, 33, 0, 0},
        {ASH_I64, ASH_I64, 9, 70, 33, SCALED, 0},
        {ASH_BOOL, ASH_BOOL, 9, 70, 33, 0, 0},
        {ASH_C_I16, ASH_C_I16, 9, 70, 33, SCALED, 0},
        {ASH_C_U16, ASH_F32, 9, 7, 33, TURNED_A, 0}, /* conjugates of unsigned numbers wrap */
        {ASH_F32, ASH_F32, 40, 40, 33, 0, ASH_SYMMETRIC_LOWER},
        {ASH_C_F32, ASH_C_F32, 40, 40, 33, 0, ASH_HERMITIAN_UPPER},
        {ASH_F32, ASH_F32, 40, 40, 33, COLUMNS_A | COLUMNS_B, ASH_TRIANGULAR_UPPER},
        {ASH_F32, ASH_F32, 40, 40, 33, SCALED, ASH_UNIT_LOWER},
        {ASH_C_F32, ASH_C_F32, 40, 40, 33, SCALED, ASH_DIAGONAL},
        {ASH_F32, ASH_F32, 40, 40, 1, 0, ASH_UNIT_UPPER},
        {ASH_F32, ASH_F32, 3, 0, 4, SCALED, 0},
    };
    for (int k = 0; k < COUNT(list); k++)
        check_product(&list[k]);
}

static void batches_of_products(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *result[2];
    for (int d = 0; d < 2; d++) {
        ash_array *const a = small(d, ASH_F32, ASH_SHAPE(3, 1, 5, 6), ASH_ROW_MAJOR, 1);
        ash_array *const b = small(d, ASH_F32, ASH_SHAPE(7, 6, 9), ASH_COL_MAJOR, 2);
        result[d] = ash_matmul(a, b);
    }
    CHECK(alike(result[0], result[1]));
}

/* ---- random numbers */

typedef struct numbers {
    ash_dtype dtype;
    int drawing; /* 0 uniform, 1 normal, 2 exponential, 3 in a range, 4 in all of a dtype */
    int64_t first;
    bool second;
} numbers;

static ash_array *numbers_on(int where, const numbers *n)
{
    ash_array *const a = ash_zeros(ASH_SHAPE(7, 150), .dtype = n->dtype, .resources = place[where]);
    ash_array *const views[] = {a, ash_slice(a, 1, 6, .step = 2),
                                ash_slice(a, ASH_OPEN, ASH_OPEN, .axes = ASH_AXES(1), .step = -3),
                                ash_slice(ash_transpose(a), 3, 100, .step = 5)};
    ash_rng *const rng = ash_rng_new(n->second ? ASH_RNG_SECOND : ASH_RNG_DEFAULT);
    CHECK(rng);
    CHECK_OK(ash_rng_seed(rng, 12345));
    for (int k = 0; k < COUNT(views); k++) {
        ash_array *const v = views[k];
        CHECK_OK(n->drawing == 0   ? ash_rand_into(v, .rng = rng, .first = n->first)
                 : n->drawing == 1 ? ash_randn_into(v, .rng = rng, .first = n->first)
                 : n->drawing == 2 ? ash_randexp_into(v, .rng = rng, .first = n->first)
                 : n->drawing == 3 ? ash_randint_into(v, 3, 100, .rng = rng, .first = n->first)
                                   : ash_randint_into(v, INT64_MIN, INT64_MAX, .rng = rng, .first = n->first));
    }
    ash_rng_release(rng);
    return a;
}

static void random_bits(void **state)
{
    static const numbers list[] = {
        {ASH_F32, 0, 0, false},   {ASH_F32, 1, 0, false},   {ASH_F32, 2, 5, false},  {ASH_F64, 0, 0, false},
        {ASH_F64, 1, 3, false},   {ASH_F64, 2, 1, false},   {ASH_F16, 0, 0, false},  {ASH_BF16, 1, 2, false},
        {ASH_C_F32, 1, 3, false}, {ASH_C_F64, 0, 1, false}, {ASH_C_I8, 0, 1, false}, {ASH_BOOL, 0, 7, false},
        {ASH_I8, 0, 0, false},    {ASH_U64, 0, 6, false},   {ASH_I16, 3, 1, false},  {ASH_I64, 4, 1, false},
        {ASH_F32, 0, 9, true},    {ASH_F32, 1, 1, true},    {ASH_I32, 3, 0, true},
    };
    (void)state;
    for (int k = 0; k < COUNT(list); k++) {
        ASH_SCOPE(scope);
        ash_array *const want = numbers_on(0, &list[k]), *const got = numbers_on(1, &list[k]);
        if (!alike(want, got))
            FAIL("%s, drawing %d from %d on", ash_dtype_name(list[k].dtype), list[k].drawing, (int)list[k].first);
    }
}

/* ---- transforms */

typedef struct transform {
    ash_dtype part;
    int64_t rows, n;
    int axis; /* 0: along the columns of (n, rows) */
} transform;

/* The root of the mean square of all differences, relative to that of b. */
static double distance(const ash_array *a, const ash_array *b)
{
    CHECK(a && b && ash_same_shape(a, b) && ash_dtype_of(a) == ash_dtype_of(b));
    const bool complex = ash_dtype_of(a) >= ASH_C_I8;
    const int64_t n = ash_size(a) * (complex ? 2 : 1);
    double *const x = calloc((size_t)n + 1, sizeof *x), *const y = calloc((size_t)n + 1, sizeof *y);
    const ash_array *const given[2] = {a, b};
    for (int d = 0; d < 2; d++) {
        double *const to = d ? y : x;
        const bool narrow = ash_dtype_of(a) == ASH_F32 || ash_dtype_of(a) == ASH_C_F32;
        float *const f = calloc((size_t)n + 1, sizeof *f);
        CHECK_OK(ash_to_host(given[d], narrow ? (void *)f : to, (size_t)n * (narrow ? sizeof *f : sizeof *to)));
        for (int64_t i = 0; narrow && i < n; i++)
            to[i] = f[i];
        free(f);
    }
    double all = 0, differences = 0;
    for (int64_t i = 0; i < n; i++) {
        all += y[i] * y[i];
        differences += (x[i] - y[i]) * (x[i] - y[i]);
    }
    free(x);
    free(y);
    return differences == 0 ? 0 : sqrt(differences / all); /* NaN stays NaN */
}

static void check_transform(const transform *t)
{
    ASH_SCOPE(scope);
    const ash_dims shape = t->axis ? ASH_SHAPE(t->rows, t->n) : ASH_SHAPE(t->n, t->rows);
    const ash_dtype complex = (ash_dtype)(t->part - ASH_I8 + ASH_C_I8);
    const double bound = 4 * (log2((double)t->n + 1) / 2 + 1) * (t->part == ASH_F64 ? 0x1p-53 : 0x1p-24);
    ash_array *z[2], *x[2], *y[2], *h[2], *back[2], *real[2];
    for (int d = 0; d < 2; d++) {
        const ash_axes axes = ASH_AXES(t->axis);
        z[d] = ash_slice(small(d, complex, shape, ASH_ROW_MAJOR, 1), ASH_OPEN, ASH_OPEN, .step = -1);
        x[d] = small(d, t->part, shape, ASH_COL_MAJOR, 2);
        y[d] = ash_fft(z[d], .axes = axes);
        back[d] = ash_ifft(z[d], .axes = axes);
        h[d] = ash_rfft(x[d], .axes = axes);
        real[d] = ash_irfft(h[d], t->n, .axes = axes);
    }
    const double all[] = {distance(y[1], y[0]), distance(back[1], back[0]), distance(h[1], h[0]), distance(real[1], real[0])};
    for (int k = 0; k < 4; k++)
        if (!(all[k] <= bound))
            FAIL("%s, n = %d, %d rows, axis %d: result %d is %g off, of %g", ash_dtype_name(t->part), (int)t->n, (int)t->rows,
                 t->axis, k, all[k], bound);
}

static void transforms(void **state)
{
    static const int64_t lengths[] = {1,  2,  3,   4,   5,   7,    8,    15,   16,   22,   31,
                                      37, 97, 100, 256, 480, 1001, 2048, 4099, 5000, 16384};
    (void)state;
    for (int k = 0; k < COUNT(lengths); k++) {
        check_transform(&(transform){ASH_F32, 1, lengths[k], 1});
        if (lengths[k] < 3000)
            check_transform(&(transform){k % 2 ? ASH_F64 : ASH_F32, 21, lengths[k], k / 2 % 2});
    }
}

/* ---- factorizations */

typedef struct factored {
    ash_dtype dtype;
    int64_t members, rows, cols;
    ash_layout layout;
} factored;

/* Random numbers, the same on both devices, which gpu_dense's random_bits is about. */
static ash_array *random_matrices(int where, ash_dtype dtype, ash_dims shape, ash_layout layout)
{
    ash_rng *const rng = ash_rng_new(ASH_RNG_DEFAULT);
    CHECK_OK(ash_rng_seed(rng, 7));
    ash_array *const a = ash_randn(shape, .dtype = dtype, .layout = layout, .rng = rng, .resources = place[where]);
    ash_rng_release(rng);
    CHECK(a);
    return a;
}

enum { RESULTS = 12 };
static int factor_on(int where, const factored *t, ash_array *result[RESULTS], bool exact[RESULTS])
{
    const int64_t m = t->members, rows = t->rows, cols = t->cols;
    ash_array *const a = random_matrices(where, t->dtype, ASH_SHAPE(m, rows, cols), t->layout);
    ash_array *const b = random_matrices(where, t->dtype, ASH_SHAPE(m, rows, 5), ASH_ROW_MAJOR);
    int count = 0;
    const ash_lu_factors lu = ash_lu(a);
    const ash_qr_factors qr = ash_qr_compact(a);
    exact[count] = true;
    result[count++] = lu.pivots;
    result[count++] = lu.lu;
    result[count++] = qr.qr;
    result[count++] = qr.tau;
    result[count++] = ash_qr(a).q;
    if (rows != cols)
        return count;
    ash_array *const square = ash_matmul(a, ash_adjoint(a));
    for (int64_t k = 0; k < m; k++)
        for (int64_t i = 0; i < rows; i++) /* well away from singular */
            CHECK_OK(ash_map_into(ash_view(square, k, i, i), "x -> x + 9f", ash_view(square, k, i, i)));
    ash_array *const l = ash_cholesky(square);
    result[count++] = l;
    result[count++] = ash_cholesky(square, .upper = true);
    result[count++] = ash_lu_solve(lu, b);
    result[count++] = ash_triangular_solve(l, b);
    result[count++] = ash_triangular_solve(ash_adjoint(l), b, .upper = true);
    result[count++] = ash_qr_solve(qr, b);
    return count;
}

static void check_factors(const factored *t)
{
    ASH_SCOPE(scope);
    ash_array *result[2][RESULTS];
    bool exact[RESULTS] = {false};
    int count = 0;
    for (int d = 0; d < 2; d++)
        count = factor_on(d, t, result[d], exact);
    const double unit = ash_dtype_size(t->dtype) == (t->dtype >= ASH_C_I8 ? 16u : 8u) ? 0x1p-53 : 0x1p-24;
    for (int k = 0; k < count; k++) {
        const double off = exact[k] ? !alike(result[1][k], result[0][k]) : distance(result[1][k], result[0][k]);
        const double bound = k == 7 || k == 10 ? 1e6 * unit : 2000 * unit; /* solves: times the matrices' condition */
        if (!(off <= (exact[k] ? 0 : bound)))
            FAIL("%s, %d of %d by %d: result %d is %g off", ash_dtype_name(t->dtype), (int)t->members, (int)t->rows,
                 (int)t->cols, k, off);
    }
}

static void factorizations(void **state)
{
    static const factored list[] = {
        {ASH_F32, 1, 5, 5, ASH_ROW_MAJOR},     {ASH_F64, 3, 70, 70, ASH_COL_MAJOR}, {ASH_F64, 1, 100, 40, ASH_ROW_MAJOR},
        {ASH_C_F64, 2, 40, 40, ASH_ROW_MAJOR}, {ASH_F32, 2, 20, 75, ASH_COL_MAJOR}, {ASH_C_F32, 1, 33, 33, ASH_COL_MAJOR},
        {ASH_F64, 40, 3, 3, ASH_ROW_MAJOR},    {ASH_F64, 1, 1, 1, ASH_ROW_MAJOR},
    };
    (void)state;
    for (int k = 0; k < COUNT(list); k++)
        check_factors(&list[k]);
}

/* What the numbers do wrong is said in the same words. */
static void faults(void **state)
{
    (void)state;
    char text[4][2][200];
    for (int d = 0; d < 2; d++) {
        ASH_SCOPE(scope);
        ash_array *const ones = ash_ones(ASH_SHAPE(40, 40), .dtype = ASH_F64, .resources = place[d]);
        ash_array *const bad = ash_copy(ones), *const eye =
                                                   ash_zeros(ASH_SHAPE(40, 40), .dtype = ASH_F64, .resources = place[d]);
        for (int64_t i = 0; i < 40; i++)
            CHECK_OK(ash_fill(ash_view(eye, i, i), i == 35 ? -1.0 : 1.0));
        CHECK_OK(ash_fill(ash_view(bad, 7, 3), NAN));
        CHECK(!ash_lu(ones).lu);
        snprintf(text[0][d], sizeof text[0][d], "%s", ash_error_text());
        CHECK(!ash_lu(bad).lu);
        snprintf(text[1][d], sizeof text[1][d], "%s", ash_error_text());
        CHECK(!ash_cholesky(eye));
        snprintf(text[2][d], sizeof text[2][d], "%s", ash_error_text());
        CHECK(!ash_cholesky(bad));
        snprintf(text[3][d], sizeof text[3][d], "%s", ash_error_text());
    }
    for (int k = 0; k < 4; k++)
        if (strcmp(text[k][0], text[k][1]) != 0)
            FAIL("\"%s\" on the device, \"%s\" on cpu:0", text[k][1], text[k][0]);
}

/* ---- */

int main(int argc, char **argv) /* with a name, that test alone */
{
    if (argc > 1)
        cmocka_set_test_filter(argv[1]);
    static const struct CMUnitTest tests[] = {
        TEST(products), TEST(batches_of_products), TEST(random_bits), TEST(transforms), TEST(factorizations), TEST(faults),
    };
    if (device_is_missing("gpu_dense"))
        return SKIPPED;
    place[0] = ash_resources_new("cpu:0");
    place[1] = ash_resources_new(device);
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    for (int d = 0; d < 2; d++)
        ash_resources_release(place[d]);
    return failures;
}
