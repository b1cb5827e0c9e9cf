/*
 * gpu_reduce.c - reductions, scans and variances on opencl:0 against cpu:0.
 *
 * Floats are folded in the same order on both, so results are the same bit for bit; where the orders differ, the case says
 * within how much. Skipped where there is no device that can be opened.
 */
#include "devices.h"

#include "xorshift.h"

static const char *const where[] = {"cpu:0", "opencl:0"};

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
        ash_resources *const r = on(where[d]);
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
            ash_resources *const r = on(where[d]);
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
    ash_resources *const r = on(where[1]);
    const int64_t mark = ash_resources_push(r);
    CHECK_FLOATS(ash_var(ash_zeros(ASH_SHAPE(2, 0)), .axes = ASH_AXES(1)), NAN, NAN);
    CHECK_FLOATS(ash_var(ash_f32(3)), NAN);
    CHECK_FLOATS(ash_var(ash_f32(3, 5, 7)), 4);
    CHECK_FLOATS(ash_sum(ash_zeros(ASH_SHAPE(2, 0)), .axes = ASH_AXES(1)), 0, 0);
    CHECK_FLOATS(ash_sum(ash_zeros(ASH_SHAPE(2, 0)), .axes = ASH_AXES(1), .init = ASH_OPERAND(2)), 2, 2);
    ash_resources_pop(mark);
    ash_resources_release(r);
}

int main(void)
{
    if (device_is_missing("gpu_reduce"))
        return SKIPPED;
    const struct CMUnitTest tests[] = {
        TEST(as_it_is), TEST(other_shape), TEST(wide_indices), TEST(variances), TEST(no_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
