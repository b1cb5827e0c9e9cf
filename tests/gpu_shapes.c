/*
 * gpu_shapes.c - reductions, scans, variances, products and maps by the kernels of GPUs, with warps and without: on opencl:0,
 * or on the device that ASHLAR_TEST_DEVICE names.
 *
 * Lengths are those at which groups, blocks and lines begin and end. Floats are folded in the same order as on cpu:0, so
 * results are the same bit for bit, however blocks follow each other. Skipped where there is no device that can be opened.
 */
#include "devices.h"

static const char *const shapes[] = {"gpu", "warp"};

/* Numbers from -1 to 1 of either sign and of all sizes down to 2^-40; integers of all sizes. */
static ash_array *numbers(ash_dtype dtype, ash_dims shape)
{
    int64_t n = dtype >= ASH_C_I8 ? 2 : 1;
    for (int64_t k = 0; k < shape.rank; k++)
        n *= shape.size[k];
    double *const x = calloc((size_t)n, sizeof *x);
    for (int64_t i = 0; i < n; i++) {
        const uint64_t bits = next_random();
        x[i] = dtype < ASH_F16 ? (double)(bits & 127) : ldexp((double)(int64_t)bits, -63 - (int)(bits % 40));
    }
    ash_array *const a = ash_from_host(x, dtype >= ASH_C_I8 ? ASH_C_F64 : ASH_F64, shape, .dtype = dtype);
    free(x);
    return a;
}

typedef struct folding {
    ash_dtype dtype;
    int64_t rank, size[2], axis; /* axis -1: all */
    ash_array *(*fold)(ash_array *a, ash_axes axes);
} folding;

static ash_array *running(ash_array *a, ash_axes axes)
{
    return ash_cumsum(a, .axes = axes);
}
static ash_array *before(ash_array *a, ash_axes axes)
{
    return ash_cumsum(a, .axes = axes, .exclusive = true);
}
static ash_array *begun(ash_array *a, ash_axes axes)
{
    return ash_scan("+", a, .axes = axes, .exclusive = true, .init = ASH_OPERAND(3));
}
static ash_array *most(ash_array *a, ash_axes axes)
{
    return ash_scan("max", a, .axes = axes);
}
static ash_array *in_place(ash_array *a, ash_axes axes)
{
    CHECK_OK(ash_scan_into(a, "+", a, .axes = axes));
    return a;
}
static ash_array *backward(ash_array *a, ash_axes axes)
{
    return ash_cumsum(ash_reverse(a), .axes = axes);
}
static ash_array *sum(ash_array *a, ash_axes axes)
{
    return ash_sum(a, .axes = axes);
}
static ash_array *least(ash_array *a, ash_axes axes)
{
    return ash_argmin(a, .axes = axes);
}
static ash_array *shifted(ash_array *a, ash_axes axes) /* by an element: at no multiple of 16 bytes */
{
    return ash_sum(ash_slice(a, 1, ASH_OPEN), .axes = axes);
}

/* Both devices, twice the second one: blocks that look back find other blocks each time. */
static void check(const folding *f)
{
    ASH_SCOPE(scope);
    ash_array *result[3];
    const uint64_t seed_now = seed;
    const ash_axes axes = f->axis < 0 ? ((ash_axes){0}) : ((ash_axes){&f->axis, 1});
    for (int d = 0; d < 3; d++) {
        ash_resources *const r = on(host_or_device(d > 0));
        const int64_t mark = ash_resources_push(r);
        seed = seed_now;
        result[d] = f->fold(numbers(f->dtype, (ash_dims){f->size, f->rank}), axes);
        ash_resources_pop(mark);
        ash_resources_release(r);
    }
    NO_ERROR();
    for (int d = 1; d < 3; d++) {
        const int64_t at = first_difference(result[0], result[d]);
        if (at >= 0)
            FAIL("%s, %s (%" PRId64 ", %" PRId64 ") along %" PRId64 ": element %" PRId64 " differs", getenv("ASHLAR_GPU_SHAPE"),
                 ash_dtype_name(f->dtype), f->size[0], f->size[1], f->axis, at);
    }
}

static void check_all_of(const folding *list, int count)
{
    for (int s = 0; s < COUNT(shapes); s++) {
        setenv("ASHLAR_GPU_SHAPE", shapes[s], 1);
        for (int k = 0; k < count; k++)
            if (list[k].dtype != ASH_F64 || ash_device_can(ash_device_open(device), ASH_CAP_F64))
                check(&list[k]);
    }
    unsetenv("ASHLAR_GPU_SHAPE");
}

static void scans(void **state)
{
    (void)state;
    static const folding list[] = {
        {ASH_F32, 2, {3, 32}, 1, running},    {ASH_F32, 2, {3, 63}, 1, running},   {ASH_F32, 2, {2, 65}, 1, running},
        {ASH_F32, 2, {2, 256}, 1, running},   {ASH_F32, 2, {2, 1000}, 1, running}, {ASH_F32, 1, {4095}, -1, running},
        {ASH_F32, 1, {4097}, -1, running},    {ASH_F32, 1, {65536}, -1, running},  {ASH_F32, 2, {3, 20001}, 1, running},
        {ASH_F32, 2, {40, 9000}, 1, running}, {ASH_F32, 1, {30001}, -1, before},   {ASH_F32, 1, {30001}, -1, begun},
        {ASH_F32, 1, {50000}, -1, in_place},  {ASH_F32, 1, {9000}, -1, backward},  {ASH_F64, 1, {70003}, -1, running},
        {ASH_F64, 2, {2, 100}, 1, before},    {ASH_I32, 1, {33333}, -1, running},  {ASH_I16, 1, {33333}, -1, most},
        {ASH_C_F32, 1, {9001}, -1, running},  {ASH_C_F32, 1, {9001}, -1, before},  {ASH_I64, 1, {12289}, -1, begun},
        {ASH_F32, 2, {100, 20}, 0, running},  {ASH_F32, 1, {1100001}, -1, running}};
    check_all_of(list, COUNT(list));
}

static void sums(void **state)
{
    (void)state;
    static const folding list[] = {
        {ASH_F32, 2, {5, 32}, 1, sum},      {ASH_F32, 2, {5, 33}, 1, sum},  {ASH_F32, 2, {5, 127}, 1, sum},
        {ASH_F32, 2, {5, 128}, 1, sum},     {ASH_F32, 2, {5, 131}, 1, sum}, {ASH_F32, 2, {7, 132}, 1, sum},
        {ASH_F32, 2, {9, 4096}, 1, sum},    {ASH_F32, 1, {4097}, -1, sum},  {ASH_F32, 1, {300007}, -1, sum},
        {ASH_F32, 1, {30007}, -1, shifted}, {ASH_F64, 1, {30007}, -1, sum}, {ASH_F64, 2, {3, 130}, 1, sum},
        {ASH_C_F32, 1, {9001}, -1, sum},    {ASH_I32, 1, {30007}, -1, sum}, {ASH_F32, 1, {30007}, -1, least},
        {ASH_U8, 1, {30007}, -1, sum}};
    check_all_of(list, COUNT(list));
}

/* In the order of operations of the other shape's kernels, where everything but columns goes. */
static void variances(void **state)
{
    (void)state;
    static const int64_t sizes[][2] = {{3, 63}, {3, 64}, {5, 100}, {2, 4096}, {1, 70000}};
    for (int k = 0; k < COUNT(sizes); k++) {
        ASH_SCOPE(scope);
        ash_array *result[2];
        const uint64_t seed_now = seed;
        for (int s = 0; s < 2; s++) {
            ash_resources *const r = on(host_or_device(1));
            const int64_t mark = ash_resources_push(r);
            setenv("ASHLAR_GPU_SHAPE", s ? "gpu" : "cpu", 1);
            seed = seed_now;
            result[s] = ash_var(numbers(ASH_F32, (ash_dims){sizes[k], 2}), .axes = ASH_AXES(1));
            ash_resources_pop(mark);
            ash_resources_release(r);
        }
        unsetenv("ASHLAR_GPU_SHAPE");
        NO_ERROR();
        CHECK(first_difference(result[0], result[1]) < 0);
    }
}

/* Sums of small integers, which are exact in every dtype, by tiles of both sizes and by matrix units where there are any. */
static void products(void **state)
{
    (void)state;
    static const struct {
        ash_dtype dtype;
        int64_t rows, inner, cols;
        bool tf32;
    } list[] = {{ASH_F32, 40, 70, 50, false},   {ASH_F32, 260, 300, 130, false}, {ASH_F32, 260, 300, 130, true},
                {ASH_F16, 40, 33, 50, false},   {ASH_F16, 140, 530, 270, false}, {ASH_BF16, 129, 35, 16, false},
                {ASH_I32, 260, 40, 140, false}, {ASH_C_F32, 70, 300, 66, false}, {ASH_F64, 70, 40, 130, false}};
    setenv("ASHLAR_GPU_SHAPE", "gpu", 1);
    for (int k = 0; k < COUNT(list); k++) {
        ASH_SCOPE(scope);
        ash_array *result[2];
        const uint64_t seed_now = seed;
        for (int d = 0; d < 2; d++) {
            ash_resources *const r = on(host_or_device(d));
            const int64_t mark = ash_resources_push(r);
            seed = seed_now;
            setenv("ASHLAR_TF32", list[k].tf32 ? "on" : "off", 1);
            ash_array *const a = numbers(ASH_I8, ASH_SHAPE(list[k].rows, list[k].inner));
            ash_array *const b = numbers(ASH_I8, ASH_SHAPE(list[k].inner, list[k].cols));
            result[d] = ash_matmul(ash_convert(ash_map("a -> a % 4", a), list[k].dtype),
                                   ash_convert(ash_map("b -> b % 3 - 1", b), list[k].dtype));
            ash_resources_pop(mark);
            ash_resources_release(r);
        }
        NO_ERROR();
        const int64_t at = first_difference(result[0], result[1]);
        if (at >= 0)
            FAIL("%s (%d, %d) by %d columns: element %" PRId64 " differs", ash_dtype_name(list[k].dtype), (int)list[k].rows,
                 (int)list[k].inner, (int)list[k].cols, at);
    }
    unsetenv("ASHLAR_TF32");
    unsetenv("ASHLAR_GPU_SHAPE");
}

/* ---- maps of long rows, whose elements are read some at once where they lie at multiples of 16 bytes */

static ash_array *affine(ash_array *a, ash_axes axes)
{
    (void)axes;
    return ash_map("a -> 3*a + 1", a);
}
static ash_array *compared(ash_array *a, ash_axes axes)
{
    (void)axes;
    return ash_map("(a, b) -> a < b", a, ash_reverse(a));
}
static ash_array *by_shift(ash_array *a, ash_axes axes)
{
    (void)axes;
    return ash_map("(a, b) -> a - b", ash_slice(a, 1, ASH_OPEN), ash_slice(a, 0, -1));
}
static ash_array *less_row(ash_array *a, ash_axes axes)
{
    (void)axes;
    return ash_map("(a, b) -> a - b", a, ash_slice(a, 0, 1));
}
static ash_array *less_column(ash_array *a, ash_axes axes)
{
    (void)axes;
    return ash_map("(a, b) -> a - b", a, ash_slice(a, 0, 1, .axes = ASH_AXES(1)));
}
static ash_array *halved(ash_array *a, ash_axes axes)
{
    (void)axes;
    CHECK_OK(ash_map_into(a, "(a, k) -> a * k", a, 0.5));
    return a;
}

static void maps(void **state)
{
    (void)state;
    enum { LONG = 1 << 16 };
    static const folding list[] = {{ASH_F32, 1, {LONG + 5}, 0, affine},      {ASH_U8, 1, {LONG + 17}, 0, affine},
                                   {ASH_F16, 1, {LONG}, 0, affine},          {ASH_C_F32, 1, {LONG + 1}, 0, affine},
                                   {ASH_I16, 1, {LONG + 7}, 0, compared},    {ASH_F64, 1, {LONG + 1}, 0, affine},
                                   {ASH_F32, 1, {LONG + 4}, 0, by_shift},    {ASH_F32, 2, {3, LONG + 8}, 0, less_row},
                                   {ASH_F32, 2, {3, LONG + 6}, 0, less_row}, {ASH_F32, 2, {3, LONG + 8}, 0, less_column},
                                   {ASH_F32, 1, {LONG + 3}, 0, halved}};
    for (int k = 0; k < COUNT(list); k++)
        if (list[k].dtype != ASH_F64 || ash_device_can(ash_device_open(device), ASH_CAP_F64))
            check(&list[k]);
}

int main(void)
{
    if (device_is_missing("gpu_shapes"))
        return SKIPPED;
    const struct CMUnitTest tests[] = {TEST(scans), TEST(sums), TEST(variances), TEST(products), TEST(maps)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
