// The library from C++17: the functions behind the macros, options by name, scopes as objects.
#include <ashlar/ashlar.h>

#include <cstdio>
#include <cstring>
#include <vector>

static int failures;
#define CHECK(c) ((c) ? (void)0 : (void)(failures++, std::fprintf(stderr, "%s:%d: failed: %s\n", __FILE__, __LINE__, #c)))

static void maps_and_sums()
{
    ASH_SCOPE(scope);
    const std::vector<float> v = {3, 1, 2};
    const int64_t n = 3, axis = 0, last = 2;
    ash_array *a = ash_from_host_opt(v.data(), ASH_F32, ash_dims{&n, 1});
    const ash_operand operands[] = {ash_operand_array(a), ash_operand_f32(2.5f)};
    ash_array *b = ash_map_opt("(x, s) -> s*x", ash_operands{operands, 2});
    CHECK(ash_get_f32_at(b, &axis, 1) == 7.5f);

    auto scan = ash_options<ash_scan_options>();
    scan.exclusive = true;
    ash_array *running = ash_cumsum_opt(b, &scan);
    CHECK(ash_get_f32_at(running, &last, 1) == 10.0f);

    auto reduce = ash_options<ash_reduce_options>();
    reduce.axes = ash_axes{&axis, 1};
    reduce.init = ash_operand_f32(1.0f);
    ash_array *sum = ash_sum_opt(b, &reduce);
    CHECK(ash_rank(sum) == 1 && ash_get_f32_at(sum, &axis, 1) == 16.0f);
}

static void resources_and_errors()
{
    ash_resources *weak = ash_resources_new("cpu:0?f64=off");
    ASH_WITH_RESOURCES(weak);
    const int64_t n = 3;
    auto f64 = ash_options<ash_make_options>();
    f64.dtype = ASH_F64;
    CHECK(!ash_zeros_opt(ash_dims{&n, 1}, &f64));
    CHECK(std::strstr(ash_error_text(), "does not support f64"));
    ash_resources_release(weak);
}

static void exchanges()
{
    const float v[] = {3, 1, 2};
    const int64_t n = 3, at = 2;
    ash_array *a = ash_from_host_opt(v, ASH_F32, ash_dims{&n, 1});
    ash_dl_managed *managed = ash_to_dlpack_opt(a);
    ash_release(a);
    ash_array *b = ash_from_dlpack_opt(managed);
    CHECK(b && ash_get_f32_at(b, &at, 1) == 2.0f);
    ash_release(b);
}

struct layer {
    ash_array *weight;
    float rate;
};
struct model {
    layer layers[2];
    ash_array *index;
};
static const ash_member layer_members[] = {ASH_ARRAY_MEMBER(layer, weight)};
static const ash_member model_members[] = {ASH_STRUCT_MEMBER(model, layer, layers, layer_members),
                                           ASH_ARRAY_MEMBER(model, index)};
static const ash_struct_info model_info = ASH_STRUCT_INFO(model, model_members);

static void trees_and_targets()
{
    ASH_SCOPE(scope);
    const std::vector<double> v = {1, 2};
    const int64_t n = 2;
    ash_array *a = ash_from_host_opt(v.data(), ASH_F64, ash_dims{&n, 1});
    const ash_operand two = ash_operand_i32(2);
    ash_tree *t = ash_tree_new();
    CHECK(ash_tree_put_array(t, "a", a) == ASH_OK && ash_tree_put_scalar(t, "n", &two) == ASH_OK);
    auto narrow = ash_options<ash_target>();
    narrow.rule = ASH_F64_TO_F32;
    char text[128];
    ash_tree_format(text, sizeof text, ash_tree_adapt_opt(t, &narrow));
    CHECK(!std::strcmp(text, "(a = ash.vector f32[2] cpu:0 [1.0 2.0], n = 2)"));

    const model in = {{{a, 0.5f}, {a, 0.25f}}, nullptr};
    model out = {};
    CHECK(ash_adapt_struct_opt(&out, &in, &model_info, &narrow) == ASH_OK);
    CHECK(ash_dtype_of(out.layers[1].weight) == ASH_F32 && out.layers[0].weight == out.layers[1].weight);
    CHECK(out.layers[1].rate == 0.25f && !out.index);
}

ASH_STATIC_ARRAY(mat2, double, ASH_COL_MAJOR, 2, ASH_DYNAMIC);
ASH_STATIC_ARRAY_LIKE(mat2f, float, mat2);
ASH_STATIC_VALUE(vec3, int, ASH_ROW_MAJOR, 3);
static_assert(mat2_n0 == 2 && mat2_st1 == 2 && mat2_n1 < 0 && vec3_count == 3, "constants");
static_assert(sizeof(mat2) == 3 * sizeof(void *) && sizeof(vec3) == 3 * sizeof(int), "sizes");

struct outside {
    int64_t index, size, axis;
};
[[noreturn]] static void throw_outside(int64_t index, int64_t size, int64_t axis) { throw outside{index, size, axis}; }

static void static_arrays()
{
    ASH_SCOPE(scope);
    std::vector<double> v = {1, 2, 3, 4, 5, 6};
    mat2 m = mat2_wrap(v.data(), 6, ASH_INFER);
    CHECK(mat2_size(&m, 1) == 3 && *mat2_at(&m, 1, 2) == 6 && mat2_dtype() == ASH_F64);
    ASH_AT(mat2, &m, 0, 0) += 10;
    CHECK(v[0] == 11);
    mat2f f = mat2f_from(mat2_array(&m));
    CHECK(*mat2f_at(&f, 0, 0) == 11 && mat2f_size(&f, 1) == 3 && mat2f_offset(&f, 1, 1) == 3);
    mat2f g = mat2f_new(4);
    CHECK(mat2f_fill(&g, 2.5f) == ASH_OK && g.data[7] == 2.5f);
    vec3 w = vec3_new();
    CHECK(vec3_fill(&w, 7) == ASH_OK && w.data[2] == 7);
    ash_set_bounds_handler(throw_outside);
    try {
        *mat2_at(&m, 2, 0) = 1;
        failures++; // not reached
    } catch (const outside &o) {
        CHECK(o.index == 2 && o.size == 2 && o.axis == 0);
    }
    ash_set_bounds_handler(nullptr);
    mat2f_release(&f);
    mat2f_release(&g);
}

ASH_KERNEL(scaled, (in, f32, x), (out, f32, y), (scalar, f32, a), (inout, u32, counts), (local, i32, seen, 4), (random, r))
{
    const int64_t i = ASH_GLOBAL_ID(0), k = ASH_LOCAL_ID(0);
    seen[k] = 1;
    ASH_BARRIER();
    ASH_ATOMIC_ADD(ASH_PLACE(counts, 0), static_cast<uint32_t>(seen[3 - k]));
    const float u = ASH_RAND_F32(r);
    ASH_SET(y, u > 0 && u <= 1 ? a * ASH_GET(x, i) : 0.0f, i);
}

static void kernels()
{
    ASH_SCOPE(scope);
    const float v[] = {3, 1, 2, 4};
    const int64_t n = 4, one = 1, last = 3, zero = 0;
    auto u32 = ash_options<ash_make_options>();
    u32.dtype = ASH_U32;
    ash_array *x = ash_from_host_opt(v, ASH_F32, ash_dims{&n, 1}), *y = ash_zeros_opt(ash_dims{&n, 1});
    ash_array *counts = ash_zeros_opt(ash_dims{&one, 1}, &u32);
    const ash_operand operands[] = {ash_operand_array(x), ash_operand_array(y), ash_operand_f32(2.5f),
                                    ash_operand_array(counts)};
    auto options = ash_options<ash_launch_options>();
    options.local = ash_dims{&n, 1};
    CHECK(ash_launch_opt(scaled, ash_operands{operands, 4}, &options) == ASH_OK);
    CHECK(ash_get_f32_at(y, &last, 1) == 10.0f && ash_get_u32_at(counts, &zero, 1) == 4);
}

int main()
{
    kernels();
    static_arrays();
    maps_and_sums();
    resources_and_errors();
    exchanges();
    trees_and_targets();
    CHECK(ash_live_arrays() == 0 && !ash_failed());
    return failures != 0;
}
