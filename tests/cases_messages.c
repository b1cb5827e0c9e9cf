/*
 * cases_messages.c - reports from the field about printing, messages, wrapping and bounds (A56 to A58).
 */
#include "test.h"

static void complex_numbers_f64(void)
{
    const ash_complex_f64 z[] = {{9.90012467, 0}, {-0.32436598, 1.55463542}, {NAN, NAN}, {1, -0.0}, {1e-300, 1e300}};
    ash_array *a = ash_from_host(z, ASH_C_F64, ASH_SHAPE(5));
    CHECK_TEXT_HERE(a, "ash.vector c_f64[5] cpu:0 [        9.90012467+0.0i -0.32436598+1.55463542i                nan+nani "
                       "               1.0-0.0i           1e-300+1e300i]");
    CHECK_TEXT_HERE(ash_copy(ash_reshape(ash_slice(a, 0, 4), ASH_SHAPE(2, 2))),
                    "ash.matrix c_f64[2×2] row-major cpu:0\n [[        9.90012467+0.0i -0.32436598+1.55463542i]\n"
                    "  [               nan+nani                1.0-0.0i]]");
}
static void complex_numbers_f32(void)
{
    const ash_complex_f32 z[] = {{9.90012467f, 0}, {-0.32436598f, 1.55463542f}, {NAN, NAN}, {1, -0.0f}, {1e-30f, 1e30f}};
    ash_array *a = ash_from_host(z, ASH_C_F32, ASH_SHAPE(5));
    CHECK_TEXT_HERE(a, "ash.vector c_f32[5] cpu:0 [         9.900125+0.0i -0.32436597+1.5546354i               nan+nani "
                       "              1.0-0.0i            1e-30+1e30i]");
}
static void a56_complex_numbers(void **state)
{
    (void)state;
    everywhere(complex_numbers_f64, true);
    everywhere(complex_numbers_f32, false);
}

static void causes(void)
{
    const float host[] = {0, 1, 2, 3, 4, 5, 6, 7};
    float own[8];
    memcpy(own, host, sizeof own);
    CHECK_FLOATS(ash_from_host(&host[7], ASH_F32, ASH_SHAPE(8), .strides = ASH_SHAPE(-1)), 7, 6, 5, 4, 3, 2, 1, 0);
    ash_array *wrapped = ash_wrap(&own[7], ASH_F32, 8, ASH_SHAPE(8), .strides = ASH_SHAPE(-1));
    CHECK_STRIDES(wrapped, -1);
    CHECK_FLOATS(wrapped, 7, 6, 5, 4, 3, 2, 1, 0);
    CHECK(!ash_empty(ASH_SHAPE(INT64_C(1) << 58)));
    CHECK_ERROR_PARTS(ASH_ERR_MEMORY, "ash_empty: ", "1152921504606846976");
    CHECK(!ash_map("(x, y) -> x + y", ash_zeros(ASH_SHAPE(4, 3)), ash_zeros(ASH_SHAPE(2, 3))));
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_map: ", "(4, 3)", "(2, 3)");
    CHECK(!ash_map_reduce("(x, y) -> x * y", "+", ash_zeros(ASH_SHAPE(4)), ash_zeros(ASH_SHAPE(5))));
    CHECK_ERROR_PARTS(ASH_ERR_SHAPE, "ash_map_reduce: ", "(4)", "(5)");
    CHECK(!ash_zeros(ASH_SHAPE(2), .dtype = (ash_dtype)200));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_zeros: unsupported dtype 200");
}
static void a57_causes(void **state)
{
    (void)state;
    everywhere(causes, false);
}

static void wrapping_and_bounds(void)
{
    ASH_ALLOW_SCALAR;
    ash_array *x = ash_permute(counting(1, ASH_F32, ASH_SHAPE(3, 4, 5), ASH_ROW_MAJOR), ASH_AXES(2, 1, 0));
    ash_array *plane = ash_view(x, ASH_ALL, ASH_RANGE(0, 4), 1);
    if (here_host_reaches()) {
        const float *memory = ash_map_host(plane);
        CHECK(memory);
        for (int i = 0; i < 20; i++)
            CHECK(memory[i] == (float)(21 + i));
        CHECK_OK(ash_unmap_host(plane));
    }

    ash_array *m = counting(0, ASH_F32, ASH_SHAPE(4, 4), ASH_ROW_MAJOR);
    CHECK(isnan(ash_get_f32(m, 0, 4)));
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_get_f32: index 4 is out of bounds for axis 1 of size 4");
    CHECK(isnan(ash_get_f32(m, 4, 0)));
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_get_f32: index 4 is out of bounds for axis 0 of size 4");
    CHECK(isnan(ash_get_f32(m, -1, 0)));
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_get_f32: index -1 is out of bounds for axis 0 of size 4");
    CHECK(isnan(ash_get_f32(m, 16)));
    CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_get_f32: ", "1", "2");
    CHECK(ash_set_f32(m, 9, 0, 4) == ASH_ERR_BOUNDS);
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_set_f32: index 4 is out of bounds for axis 1 of size 4");
    CHECK(ash_get_f32(m, 1, 0) == 4);

    for EACH_LAYOUT(layout) {
        int64_t v[6] = {1, 2, 3, 4, 5, 6};
        ash_array *w = ash_wrap(v, ASH_I64, 6, ASH_SHAPE(2, 3), .layout = layout);
        CHECK_OK(ash_set_i64(w, 60, 1, 2));
        CHECK(v[5] == 60);
        v[0] = -1;
        CHECK(ash_get_i64(w, 0, 0) == -1);
    }
}
static void a58_wrapping_and_bounds(void **state)
{
    (void)state;
    everywhere(wrapping_and_bounds, false);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(a56_complex_numbers), TEST(a57_causes), TEST(a58_wrapping_and_bounds)};
    return cmocka_run_group_tests_name("cases: texts and bounds", tests, NULL, NULL);
}
