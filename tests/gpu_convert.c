/*
 * gpu_convert.c - conversion between dtypes on a device: what cpu:0 gives and what it refuses, in its words, without the host.
 *
 * cpu:0 is asked of one value after the other which it takes; convert.c tests it against values by hand. Skipped where there is
 * no opencl:0.
 */
#include "devices.h"

static const double values[] = {0,           -0.0,         1,          -1,         0.5,      -0.99,         1.99,
                                2,           100.7,        127,        127.9,      128,      -128,          -128.5,
                                -129,        255,          255.5,      256,        32767.5,  32768,         -32769,
                                65504,       65519,        65520,      65535,      65536,    2147483647,    2147483648,
                                -2147483648, -2147483649., 4294967295, 4294967296, 16777217, 9.1e18,        9.3e18,
                                -9.3e18,     1.8e19,       1.9e19,     3.4e38,     3.41e38,  -3.4028236e38, 1e300,
                                1e-40,       1e-310,       NAN,        INFINITY,   -INFINITY};

static const ash_dtype pairs[][2] = {{ASH_F32, ASH_I32},  {ASH_F32, ASH_U8},   {ASH_F32, ASH_BOOL},  {ASH_F32, ASH_U64},
                                     {ASH_F32, ASH_F16},  {ASH_F32, ASH_BF16}, {ASH_F64, ASH_F32},   {ASH_F64, ASH_I64},
                                     {ASH_F16, ASH_I8},   {ASH_BF16, ASH_F16}, {ASH_I64, ASH_I32},   {ASH_I64, ASH_U64},
                                     {ASH_U64, ASH_I64},  {ASH_I32, ASH_U16},  {ASH_U16, ASH_F16},   {ASH_I64, ASH_F32},
                                     {ASH_I64, ASH_BOOL}, {ASH_BOOL, ASH_F64}, {ASH_F32, ASH_C_I16}, {ASH_C_F32, ASH_C_I32}};

/* Those of the values that `from` can hold, and that cpu:0 takes or not when they become `to`. */
static ash_array *some(ash_dtype from, ash_dtype to, bool taken, ash_resources *r)
{
    double kept[COUNT(values)];
    int n = 0;
    for (int k = 0; k < COUNT(values); k++) {
        ash_array *const one = ash_from_host(&values[k], ASH_F64, ASH_SHAPE(1), .dtype = from);
        ash_array *const as = one ? ash_convert(one, to) : NULL;
        if (one && (as != NULL) == taken)
            kept[n++] = values[k];
        ash_error_clear();
        ash_release(one);
        ash_release(as);
    }
    return ash_from_host(kept, ASH_F64, ASH_SHAPE(n), .dtype = from, .resources = r, .storage = ASH_PRIVATE);
}

static void check_pair(ash_dtype from, ash_dtype to, ash_resources *r)
{
    ASH_SCOPE(scope);
    ash_array *const good[] = {some(from, to, true, NULL), some(from, to, true, r)};
    ash_array *const bad[] = {some(from, to, false, NULL), some(from, to, false, r)};
    CHECK(good[0] && good[1] && bad[0] && bad[1]);
    CHECK_OK(ash_forbid(ASH_IMPLICIT_HOST | ASH_IMPLICIT_COPY));
    ash_array *const want = ash_convert(good[0], to), *const got = ash_convert(good[1], to);
    const int64_t at = first_difference(want, got);
    if (at >= 0)
        FAIL("%s to %s differs at %d", ash_dtype_name(from), ash_dtype_name(to), (int)at);
    for (int64_t k = 0; k < ash_size(bad[0]); k += 5) {
        char text[256];
        CHECK(!ash_convert(ash_slice(bad[0], k, ASH_OPEN), to));
        snprintf(text, sizeof text, "%s", ash_error_text());
        CHECK(!ash_convert(ash_slice(bad[1], k, ASH_OPEN), to));
        const char *const said = ash_error_text();
        if (strcmp(said, text))
            FAIL("%s to %s: \"%s\" is wanted: %s", ash_dtype_name(from), ash_dtype_name(to), text, said);
    }
    CHECK_OK(ash_forbid(0));
}

static void like_cpu(void **state)
{
    (void)state;
    ash_resources *const r = on(device);
    for (int k = 0; k < COUNT(pairs); k++)
        check_pair(pairs[k][0], pairs[k][1], r);
    ash_resources_release(r);
}

/* Exactly: by the device where no value changes, whatever it is. */
static void exact(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_resources *const r = on(device);
    ash_array *const a = ash_from_host(((double[]){1, -0.0, 2049}), ASH_F64, ASH_SHAPE(3), .dtype = ASH_F32, .resources = r);
    ash_implicit_reset();
    ash_array *const wide = ash_convert(a, ASH_F64, .exact = true);
    ash_implicit_info info;
    CHECK_OK(ash_implicit_stats(&info, sizeof info));
    CHECK(wide && ash_get_f64(wide, 2) == 2049 && info.host_tasks == 0);
    CHECK(!ash_convert(a, ASH_F16, .exact = true));
    CHECK_ERROR_HAS(ASH_ERR_VALUE, "element 2, 2049.0, ");
    ash_resources_release(r);
}

/* Either side or both may hold conjugates: of an integer part, in its own dtype. */
static void conjugated(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_resources *const r = on(device);
    const double z[] = {1, 2, -128, -128};
    ash_array *result[2][3];
    for (int d = 0; d < 2; d++) {
        ash_resources *const where = d ? r : NULL;
        ash_array *const a = ash_from_host(z, ASH_C_F64, ASH_SHAPE(1, 2), .dtype = ASH_C_I8, .resources = where);
        ash_array *const to = ash_adjoint(ash_zeros(ASH_SHAPE(1, 2), .dtype = ASH_C_F32, .resources = where));
        CHECK_OK(ash_forbid(ASH_IMPLICIT_HOST));
        CHECK_OK(ash_copy_into(to, ash_transpose(a)));
        result[d][0] = ash_copy(ash_adjoint(a));
        result[d][1] = ash_convert(ash_adjoint(a), ASH_C_I16);
        result[d][2] = ash_copy(ash_parent(to));
        CHECK_OK(ash_forbid(0));
    }
    for (int k = 0; k < 3; k++)
        CHECK(first_difference(result[0][k], result[1][k]) < 0);
    ash_resources_release(r);
}

int main(void)
{
    if (device_is_missing("gpu_convert"))
        return SKIPPED;
    const struct CMUnitTest tests[] = {TEST(like_cpu), TEST(exact), TEST(conjugated)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
