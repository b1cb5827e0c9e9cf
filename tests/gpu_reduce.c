/*
 * gpu_reduce.c - reductions, scans and variances on a device, opencl:0 unless ASHLAR_TEST_DEVICE says otherwise, against
 * cpu:0.
 *
 * Floats are folded in the same order on both, so results are the same bit for bit; where the orders differ, the case says
 * within how much. Skipped where there is no device that can be opened.
 */
#include "devices.h"

#include "xorshift.h"

/* ---- operands */

/* Integers of all sizes, or floats of which every 50th is special when asked for. */
static void fill_random(void *to, ash_dtype dtype, int64_t n, bool special)
{
    static const double rare[] = {0.0, -0.0, INFINITY, -INFINITY, NAN, 1e-40, 3e38};
    unsigned char *p = to;
    for (int64_t i = 0; i < n; i++) {
        const uint64_t bits = next_random();
        const double x =
            special && bits % 50 == 0 ? rare[bits / 50 % (uint64_t)COUNT(rare)] : (double)(int64_t)(bits >> 11) / 0x1p52 - 1.0;
        const float f = (float)x;
        if (dtype == ASH_F32)
            memcpy(p, &f, 4), p += 4;
        else if (dtype == ASH_F64)
            memcpy(p, &x, 8), p += 8;
        else if (dtype == ASH_BOOL)
            *p++ = bits % 7 != 0;
        else
            memcpy(p, &bits, ash_dtype_size(dtype)), p += ash_dtype_size(dtype);
    }
}

/* f16 and bf16 come of f32, complex numbers of two vectors. */
static ash_array *random_array(ash_dtype dtype, ash_dims shape, ash_layout layout, bool special)
{
    int64_t n = 1;
    for (int64_t k = 0; k < shape.rank; k++)
        n *= shape.size[k];
    const bool complex = dtype >= ASH_C_I8;
    const ash_dtype part = complex ? (ash_dtype)(dtype - ASH_C_I8 + ASH_I8) : dtype;
    const ash_dtype made = part == ASH_F16 || part == ASH_BF16 ? ASH_F32 : part;
    void *host = calloc((size_t)n + 1, 16);
    fill_random(host, made, complex ? 2 * n : n, special);
    ash_array *const a = ash_from_host(host, complex && made == part ? dtype : made, shape, .layout = layout);
    free(host);
    return made == part ? a : ash_convert(a, part);
}

/* ---- shapes: an operand's, what is seen of it, and the axes that are folded */

typedef ash_array *view(ash_array *a);
static ash_array *whole(ash_array *a)
{
    return a;
}
static ash_array *turned(ash_array *a)
{
    return ash_permute(a, ASH_AXES(2, 0, 1));
}
static ash_array *backwards(ash_array *a)
{
    return ash_reverse(a, .axes = ASH_AXES(0));
}
static ash_array *stepped(ash_array *a)
{
    return ash_slice(a, 1, ASH_OPEN, .axes = ASH_AXES(-1), .step = 3);
}

static const struct {
    int64_t shape[4], rank;
    view *view;
    int64_t axes[4], count; /* count 0: all */
} cases[] = {
    {{1}, 1, whole, {0}, 1},
    {{100}, 1, whole, {0}, 1},
    {{127}, 1, backwards, {0}, 1},
    {{129}, 1, whole, {0}, 1},
    {{4096}, 1, whole, {0}, 1},
    {{4097}, 1, whole, {0}, 1},
    {{70001}, 1, whole, {0}, 1},
    {{300007}, 1, stepped, {0}, 1},
    {{1000, 1}, 2, whole, {1}, 1},
    {{1000, 2}, 2, whole, {1}, 1},
    {{333, 7}, 2, whole, {1}, 1},
    {{50, 128}, 2, whole, {1}, 1},
    {{5, 5000}, 2, whole, {1}, 1},
    {{2, 300000}, 2, stepped, {1}, 1},
    {{333, 7}, 2, whole, {0}, 1},
    {{70, 100}, 2, whole, {0}, 1},
    {{5000, 3}, 2, whole, {0}, 1},
    {{100, 130}, 2, whole, {0}, 1},
    {{3, 1000}, 2, whole, {0}, 1},
    {{2000, 300}, 2, backwards, {0}, 1},
    {{200, 30}, 2, stepped, {0}, 1},
    {{40, 50, 6}, 3, whole, {0, 2}, 2},
    {{4, 300, 150}, 3, whole, {0, 2}, 2},
    {{40, 50, 6}, 3, whole, {1}, 1},
    {{40, 50, 6}, 3, turned, {0}, 1},
    {{40, 50, 6}, 3, turned, {1}, 1},
    {{40, 50, 6}, 3, turned, {0, 2}, 2},
    {{40, 50, 6}, 3, turned, {0}, 0},
    {{30, 20, 6}, 3, stepped, {0}, 0},
    {{5, 6, 7, 8}, 4, whole, {0, 2}, 2},
    {{5, 6, 7, 8}, 4, whole, {1, 3}, 2},
};

/* ---- what is done: one or two results of operand a over axes */

typedef ash_array *operation(const ash_array *a, ash_axes axes);
static ash_array *sum(const ash_array *a, ash_axes axes)
{
    return ash_sum(a, .axes = axes);
}
static ash_array *reduced(const char *op, const ash_array *a, ash_axes axes)
{
    return ash_reduce(op, a, .axes = axes);
}
static ash_array *plus(const ash_array *a, ash_axes axes)
{
    return reduced("+", a, axes);
}
static ash_array *times(const ash_array *a, ash_axes axes)
{
    return reduced("*", a, axes);
}
static ash_array *least(const ash_array *a, ash_axes axes)
{
    return ash_min(a, .axes = axes);
}
static ash_array *most(const ash_array *a, ash_axes axes)
{
    return ash_max(a, .axes = axes);
}
static ash_array *all_bits(const ash_array *a, ash_axes axes)
{
    return reduced("&", a, axes);
}
static ash_array *any_bits(const ash_array *a, ash_axes axes)
{
    return reduced("|", a, axes);
}
static ash_array *odd_bits(const ash_array *a, ash_axes axes)
{
    return reduced("^", a, axes);
}
static ash_array *arg_least(const ash_array *a, ash_axes axes)
{
    return ash_argmin(a, .axes = axes);
}
static ash_array *arg_most(const ash_array *a, ash_axes axes)
{
    return ash_argmax(a, .axes = axes);
}
static ash_array *extremes(const ash_array *a, ash_axes axes)
{
    return ash_find_min(a, .axes = axes).value;
}
static ash_array *last(const ash_array *a, ash_axes axes) /* does not commute */
{
    return ash_reduce("(a, b) -> b", a, .axes = axes, .init = ASH_OPERAND(0));
}
static ash_array *squares(const ash_array *a, ash_axes axes)
{
    return ash_map_reduce_with("(x, s) -> x*x + s*x", "+", ASH_OPERANDS(a, 3), .axes = axes);
}
static ash_array *begun(const ash_array *a, ash_axes axes)
{
    return ash_sum(a, .axes = axes, .init = ASH_OPERAND(5));
}

/* Scans: along one axis, or where `axes` names none or several, over all elements. */
static ash_array *scanned(const char *op, const ash_array *a, ash_axes axes, bool exclusive)
{
    if (axes.count == 1)
        return ash_scan(op, a, .axes = axes, .exclusive = exclusive);
    return ash_scan(op, a, .order = axes.count ? ASH_COL_MAJOR : ASH_ROW_MAJOR, .exclusive = exclusive);
}
static ash_array *running(const ash_array *a, ash_axes axes)
{
    return scanned("+", a, axes, false);
}
static ash_array *before(const ash_array *a, ash_axes axes)
{
    return scanned("+", a, axes, true);
}
static ash_array *running_most(const ash_array *a, ash_axes axes)
{
    return scanned("max", a, axes, false);
}
static ash_array *second(const ash_array *a, ash_axes axes)
{
    return scanned("(a, b) -> b", a, axes, false);
}
static ash_array *second_before(const ash_array *a, ash_axes axes)
{
    if (axes.count == 1)
        return ash_scan("(a, b) -> b", a, .axes = axes, .exclusive = true, .init = ASH_OPERAND(7));
    return ash_scan("(a, b) -> b", a, .init = ASH_OPERAND(7));
}

static const struct {
    const char *name;
    operation *operation;
    ash_dtype dtype;
    bool special;
} operations[] = {
    {"sum", sum, ASH_F32, false},           {"sum", sum, ASH_F64, false},
    {"sum", sum, ASH_I32, false},           {"sum", sum, ASH_C_F32, false},
    {"sum", sum, ASH_F16, false},           {"+", plus, ASH_I8, false},
    {"min", least, ASH_F32, true},          {"max", most, ASH_F64, true},
    {"min", least, ASH_I16, false},         {"argmin", arg_least, ASH_F32, true},
    {"argmax", arg_most, ASH_I8, false},    {"find_min", extremes, ASH_F64, true},
    {"last", last, ASH_I32, false},         {"squares", squares, ASH_F32, false},
    {"begun", begun, ASH_F32, false},       {"running", running, ASH_F32, false},
    {"running", running, ASH_F64, false},   {"before", before, ASH_F32, false},
    {"running", running, ASH_C_F32, false}, {"before", before, ASH_U8, false},
    {"before", before, ASH_F16, false},     {"running max", running_most, ASH_F64, true},
    {"second", second, ASH_I32, false},     {"second before", second_before, ASH_F32, false},
    {"*", times, ASH_I32, false},           {"&", all_bits, ASH_U16, false},
    {"|", any_bits, ASH_I64, false},        {"^", odd_bits, ASH_U8, false},
};

static void check_case(int c, int o, ash_layout layout)
{
    ASH_SCOPE(scope);
    ash_array *result[2];
    const uint64_t seed_now = seed;
    for (int d = 0; d < 2; d++) {
        ash_resources *const r = on(host_or_device(d));
        const int64_t mark = ash_resources_push(r);
        seed = seed_now;
        ash_array *const a =
            random_array(operations[o].dtype, ((ash_dims){cases[c].shape, cases[c].rank}), layout, operations[o].special);
        result[d] = operations[o].operation(cases[c].view(a),
                                            cases[c].count ? ((ash_axes){cases[c].axes, cases[c].count}) : ((ash_axes){0}));
        ash_resources_pop(mark);
        ash_resources_release(r);
    }
    NO_ERROR();
    const int64_t at = first_difference(result[0], result[1]);
    if (at >= 0)
        FAIL("%s of %s, case %d, %s: element %" PRId64 " differs", operations[o].name, ash_dtype_name(operations[o].dtype), c,
             layout == ASH_ROW_MAJOR ? "row-major" : "column-major", at);
}

/* Sums and running sums of f32 in every `most`-th shape, which go all ways there are; the others in every `every`-th. */
enum { SCANS = 15 };
static void check_cases(int most, int every)
{
    for (int o = 0; o < COUNT(operations); o++) {
        const int step = o == 0 || o == SCANS ? most : every;
        for (int c = o % step; c < COUNT(cases); c += step)
            check_case(c, o, (c + o) % 5 == 4 ? ASH_COL_MAJOR : ASH_ROW_MAJOR);
    }
}

static void as_it_is(void **state)
{
    (void)state;
    check_cases(1, 9);
}

/* The shape of kernels that the device would not take by itself. */
static void other_shape(void **state)
{
    (void)state;
    setenv("ASHLAR_GPU_SHAPE", "gpu", 1);
    check_cases(3, 9);
    setenv("ASHLAR_GPU_SHAPE", "cpu", 1);
    check_cases(7, COUNT(cases));
    unsetenv("ASHLAR_GPU_SHAPE");
}

static void wide_indices(void **state)
{
    (void)state;
    setenv("ASHLAR_GPU_WIDE", "1", 1);
    check_cases(7, 14);
    unsetenv("ASHLAR_GPU_WIDE");
}

/* Variances and means: blocks are added in other orders, so within a few units in the last place. Large means cost nothing. */
static void variances(void **state)
{
    (void)state;
    static const ash_dtype dtype[] = {ASH_F32, ASH_F64, ASH_I32};
    for (int c = 0; c < COUNT(cases); c++) {
        ASH_SCOPE(scope);
        ash_array *result[2], *mean[2];
        const uint64_t seed_now = seed;
        const ash_axes axes = cases[c].count ? ((ash_axes){cases[c].axes, cases[c].count}) : ((ash_axes){0});
        for (int d = 0; d < 2; d++) {
            ash_resources *const r = on(host_or_device(d));
            const int64_t mark = ash_resources_push(r);
            seed = seed_now;
            ash_array *a = random_array(dtype[c % 3], ((ash_dims){cases[c].shape, cases[c].rank}), ASH_ROW_MAJOR, false);
            if (c % 3 < 2)
                a = ash_map("(x, s) -> x + s", a, 1000.0f);
            result[d] = ash_var(cases[c].view(a), .axes = axes, .population = c % 2);
            mean[d] = ash_mean(cases[c].view(a), .axes = axes);
            ash_resources_pop(mark);
            ash_resources_release(r);
        }
        NO_ERROR();
        CHECK(first_difference(mean[0], mean[1]) < 0);
        const int64_t n = ash_size(result[0]);
        double *const x = calloc((size_t)n, sizeof *x), *const y = calloc((size_t)n, sizeof *y);
        CHECK_OK(ash_to_host_as(result[0], x, (size_t)n * sizeof *x, ASH_F64));
        CHECK_OK(ash_to_host_as(result[1], y, (size_t)n * sizeof *y, ASH_F64));
        for (int64_t i = 0; i < n; i++)
            if (!(fabs(x[i] - y[i]) <= (dtype[c % 3] == ASH_F32 ? 1e-5 : 1e-12) * fabs(x[i])) && !(isnan(x[i]) && isnan(y[i])))
                FAIL("case %d: variance %" PRId64 " is %g, not %g", c, i, y[i], x[i]);
        free(x);
        free(y);
    }
}

static void no_elements(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_resources *const r = on(host_or_device(1));
    const int64_t mark = ash_resources_push(r);
    CHECK_FLOATS(ash_var(ash_zeros(ASH_SHAPE(2, 0)), .axes = ASH_AXES(1)), NAN, NAN);
    CHECK_FLOATS(ash_var(ash_f32(3)), NAN);
    CHECK_FLOATS(ash_var(ash_f32(3, 5, 7)), 4);
    CHECK_FLOATS(ash_sum(ash_zeros(ASH_SHAPE(2, 0)), .axes = ASH_AXES(1)), 0, 0);
    CHECK_FLOATS(ash_sum(ash_zeros(ASH_SHAPE(2, 0)), .axes = ASH_AXES(1), .init = ASH_OPERAND(2)), 2, 2);
    ash_resources_pop(mark);
    ash_resources_release(r);
}

/* ---- elements at odd addresses, and functions that can fail: private arrays, which the host cannot help with */

ASH_RECORD(parcel, (u8, tag), (f32, x), (i64, n), (c_f32, z), (f16, h));
enum { PARCELS = 700 };

static ash_array *parcels(void)
{
    static parcel list[PARCELS];
    for (int i = 0; i < PARCELS; i++)
        list[i] = (parcel){.tag = 1,
                           .x = (float)(i % 8 - 3),
                           .n = i * 79 % PARCELS,
                           .z = {(float)(i % 5), (float)(i % 3)},
                           .h = {(uint16_t)(0x3c00 + i % 4 * 0x400)}}; /* 1, 2, 4, 8 */
    return ash_from_host(list, parcel_dtype(), ASH_SHAPE(PARCELS));
}

static ash_array *matrix_of(ash_array *a, const char *field)
{
    return ash_reshape(ash_field(a, field), ASH_SHAPE(20, 35));
}

/* In place of what a field of every 20th parcel has. */
static ash_array *into_fields(ash_array *a)
{
    ash_array *const copy = ash_copy(a), *const some = ash_slice(copy, 0, 20), *const m = matrix_of(a, "x");
    CHECK_OK(ash_sum_into(ash_reshape(ash_field(some, "x"), ASH_SHAPE(20, 1)), m, .axes = ASH_AXES(1)));
    CHECK_OK(ash_sum_into(ash_reshape(ash_field(some, "n"), ASH_SHAPE(20, 1)), matrix_of(a, "n"), .axes = ASH_AXES(1),
                          .accumulate = true));
    CHECK_OK(ash_max_into(ash_reshape(ash_field(some, "h"), ASH_SHAPE(20, 1)), matrix_of(a, "h"), .axes = ASH_AXES(1)));
    CHECK_OK(ash_scan_into(ash_field(ash_slice(copy, 20, ASH_OPEN), "z"), "+", ash_field(ash_slice(a, 20, ASH_OPEN), "z")));
    return copy;
}

static ash_array *odd_result(int number, ash_array *a)
{
    ash_array *const x = ash_field(a, "x"), *const n = ash_field(a, "n");
    switch (number) {
    case 0:
        return ash_sum(x);
    case 1:
        return ash_sum(matrix_of(a, "n"), .axes = ASH_AXES(0));
    case 2:
        return ash_argmax(n);
    case 3:
        return ash_find_min(matrix_of(a, "n"), .axes = ASH_AXES(1)).value;
    case 4:
        return ash_sum(ash_field(a, "z"));
    case 5:
        return ash_cumsum(x);
    case 6:
        return ash_scan("max", matrix_of(a, "n"), .axes = ASH_AXES(0));
    case 7:
        return ash_map_reduce("(x, n) -> x * f32(n)", "+", x, n);
    case 8:
        return ash_reduce("(a, b) -> a + b", n, .init = ASH_OPERAND(0));
    case 9:
        return ash_var(matrix_of(a, "x"), .axes = ASH_AXES(1), .population = true);
    case 10:
        return ash_reduce("(a, b) -> max(a, b)", matrix_of(a, "h"), .axes = ASH_AXES(1), .init = ASH_OPERAND(0));
    case 11:
        return ash_scan("(a, b) -> a + b", ash_slice(ash_field(a, "h"), 0, 100));
    case 12:
        return ash_var(ash_field(a, "h"), .population = true);
    case 13:
        return ash_var(matrix_of(a, "z"), .axes = ASH_AXES(1));
    default:
        return into_fields(a);
    }
}
enum { ODD_RESULTS = 15 };

static ash_array *odd_results[2][ODD_RESULTS];
static int odd_place;

static void make_odd_results(void)
{
    ash_array *const a = parcels();
    CHECK(a);
    for (int k = 0; k < ODD_RESULTS; k++)
        CHECK((odd_results[odd_place][k] = ash_retain(odd_result(k, a))));
}

/* The bytes of both, floats of variances within a few units in the last place. */
static bool alike(const ash_array *a, const ash_array *b, bool exact)
{
    static unsigned char x[PARCELS * 64], y[PARCELS * 64];
    float p, q;
    const size_t nbytes = (size_t)ash_size(a) * ash_dtype_size(ash_dtype_of(a));
    if (ash_size(a) != ash_size(b) || ash_dtype_of(a) != ash_dtype_of(b))
        return false;
    CHECK_OK(ash_to_host(a, x, nbytes));
    CHECK_OK(ash_to_host(b, y, nbytes));
    bool same = true;
    for (size_t at = 0; at + 4 <= nbytes && !exact && ash_dtype_of(a) == ASH_F32; at += 4) {
        memcpy(&p, x + at, 4);
        memcpy(&q, y + at, 4);
        same = same && fabsf(p - q) <= 1e-5f * fabsf(p);
    }
    return exact || ash_dtype_of(a) != ASH_F32 ? memcmp(x, y, nbytes) == 0 : same;
}

static void odd_addresses(void **state)
{
    (void)state;
    static const char *const shapes[] = {"cpu", "gpu"};
    odd_place = 0;
    run_at("cpu:0", ASH_SHARED, make_odd_results);
    CHECK_INTS(odd_results[0][2], 381); /* 79 * 381 = 43 * 700 - 1 */
    odd_place = 1;
    for (int s = 0; s < 2; s++) {
        setenv("ASHLAR_GPU_SHAPE", shapes[s], 1);
        run_at(device, ASH_PRIVATE, make_odd_results);
        for (int k = 0; k < ODD_RESULTS; k++) {
            if (!alike(odd_results[0][k], odd_results[1][k], k != 9 && k != 12 && k != 13))
                FAIL("result %d differs, in the shape of a %s", k, shapes[s]);
            ash_release(odd_results[1][k]);
        }
    }
    unsetenv("ASHLAR_GPU_SHAPE");
    for (int k = 0; k < ODD_RESULTS; k++)
        ash_release(odd_results[0][k]);
}

/* Each once, with the operation's name; and the device is as it was. */
static void faults_of(ash_array *n)
{
    static const char zero[] = "integer division by zero";
    ash_array *const m = ash_reshape(n, ASH_SHAPE(20, 35)), *const out = ash_zeros(ASH_SHAPE(20, 1), .dtype = ASH_I64);
    CHECK(!ash_map_reduce("x -> 5 % x", "+", n));
    CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_map_reduce: ", zero);
    CHECK(!ash_map_reduce_with("x -> 5 % x", "max", ASH_OPERANDS(m), .axes = ASH_AXES(0)));
    CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_map_reduce: ", zero);
    CHECK(ash_map_reduce_into_with(out, "x -> i64(2) ^ (x - 1)", "+", ASH_OPERANDS(m), .axes = ASH_AXES(1)) == ASH_ERR_VALUE);
    CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_map_reduce_into: ", "integer to a negative power");
    CHECK(!ash_reduce("(a, b) -> (a + b) % (b - b)", n, .init = ASH_OPERAND(0)));
    CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_reduce: ", zero);
    CHECK(!ash_scan("(a, b) -> a % (b - b)", n));
    CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_scan: ", zero);
    CHECK(!ash_scan("(a, b) -> a % (b - b)", m, .axes = ASH_AXES(0)));
    CHECK_ERROR_PARTS(ASH_ERR_VALUE, "ash_scan: ", zero);
    CHECK(ash_item_i64(ash_sum(n)) == 700 * 699 / 2);
    CHECK(ash_item_i64(ash_map_reduce("x -> 5 % (x + 1)", "+", n)) == 0 + 1 + 2 + 1 + 0 + 695 * 5);
    CHECK(ash_item_i64(ash_reduce("(a, b) -> max(a, b) % 1000", n, .init = ASH_OPERAND(0))) == 699);
}

static void make_faults(void)
{
    faults_of(ash_field(parcels(), "n"));
    faults_of(ash_copy(ash_field(parcels(), "n")));
}

static void faults(void **state)
{
    (void)state;
    static const char *const shapes[] = {"cpu", "gpu"};
    run_at("cpu:0", ASH_SHARED, make_faults);
    for (int s = 0; s < 2; s++) {
        setenv("ASHLAR_GPU_SHAPE", shapes[s], 1);
        run_at(device, ASH_PRIVATE, make_faults);
    }
    unsetenv("ASHLAR_GPU_SHAPE");
}

int main(void)
{
    if (device_is_missing("gpu_reduce"))
        return SKIPPED;
    const struct CMUnitTest tests[] = {
        TEST(as_it_is),    TEST(other_shape),   TEST(wide_indices), TEST(variances),
        TEST(no_elements), TEST(odd_addresses), TEST(faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
