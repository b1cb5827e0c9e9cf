/*
 * gpu_sort.c - sorting, searching, selecting, gathering and scattering on a device.
 *
 * A case is a function that makes results of random elements. It runs on cpu:0 and on opencl:0, with shared and with private
 * storage, with kernels of both shapes; the results are the same bytes. Nothing may be left to the host: a private array of the
 * device is out of its reach. Skipped where there is no device that can be opened.
 */
#include "devices.h"

enum { RESULTS = 32 };

ASH_RECORD(parcel, (u8, tag), (f32, x), (u16, n, 3));

/* ---- the same everywhere */

typedef struct results {
    void *bytes[RESULTS];
    size_t size[RESULTS];
    int count;
} results;

static results *now; /* those being made */

static void result(const ash_array *a)
{
    CHECK(a && now->count < RESULTS);
    const size_t nbytes = (size_t)ash_size(a) * ash_dtype_size(ash_dtype_of(a));
    now->bytes[now->count] = calloc(1, nbytes + 1);
    now->size[now->count] = nbytes;
    CHECK_OK(ash_to_host(a, now->bytes[now->count], nbytes));
    now->count++;
}

static results results_of(void (*body)(void), const char *where, ash_storage storage)
{
    results r = {.count = 0};
    seed = 88172645463325252u;
    now = &r;
    run_at(where, storage, body);
    return r;
}

static void compare(const results *want, const results *got)
{
    CHECK(want->count == got->count);
    for (int k = 0; k < want->count; k++) {
        if (want->size[k] != got->size[k])
            FAIL("result %d has %zu bytes, not %zu", k, got->size[k], want->size[k]);
        const unsigned char *const x = want->bytes[k], *const y = got->bytes[k];
        for (size_t i = 0; i < want->size[k]; i++)
            if (x[i] != y[i])
                FAIL("result %d differs at byte %zu of %zu", k, i, want->size[k]);
    }
}

static void end_results(results *r)
{
    for (int k = 0; k < r->count; k++)
        free(r->bytes[k]);
}

static void same_everywhere(void (*body)(void))
{
    static const char *const shapes[] = {"cpu", "gpu"};
    results want = results_of(body, "cpu:0", ASH_SHARED);
    for (int s = 0; s < COUNT(storages); s++)
        for (int k = 0; k < 2; k++) {
            setenv("ASHLAR_GPU_SHAPE", shapes[k], 1);
            results got = results_of(body, device, storages[s]);
            compare(&want, &got);
            end_results(&got);
        }
    unsetenv("ASHLAR_GPU_SHAPE");
    end_results(&want);
}
#define SAME(name, body)           \
    static void name(void **state) \
    {                              \
        (void)state;               \
        same_everywhere(body);     \
    }

/* Random elements, a third of them out of a few, so that many are equal; floats of all kinds. */
static ash_array *random_array(ash_dtype dtype, ash_dims shape)
{
    const size_t item = ash_dtype_size(dtype);
    int64_t n = 1;
    for (int64_t k = 0; k < shape.rank; k++)
        n *= shape.size[k];
    unsigned char *const bytes = calloc((size_t)n + 1, item);
    for (int64_t i = 0; i < n; i++) {
        uint64_t x = next_random();
        const float few[] = {0.0f, -0.0f, 1.5f, -2, INFINITY, -INFINITY, NAN, 7}, f = few[x >> 20 & 7];
        const double d = f;
        if (x % 3 == 0 && dtype == ASH_F32)
            memcpy(&x, &f, item);
        else if (x % 3 == 0 && dtype == ASH_F64)
            memcpy(&x, &d, item);
        else if (x % 3 == 0)
            x = x >> 20 & 3;
        x = dtype == ASH_BOOL ? x & 1 : x;
        for (size_t k = 0; k < item; k++)
            bytes[(size_t)i * item + k] = k < 8 ? (unsigned char)(x >> 8 * k) : (unsigned char)next_random();
    }
    ash_array *const a = ash_from_host(bytes, dtype, shape);
    free(bytes);
    CHECK(a);
    return a;
}

/* Integers from 0 to n - 1. */
static ash_array *random_indices(int64_t count, int64_t n)
{
    int64_t *const index = calloc((size_t)count + 1, sizeof *index);
    for (int64_t i = 0; i < count; i++)
        index[i] = (int64_t)(next_random() % (uint64_t)n);
    ash_array *const a = ash_from_host(index, ASH_I64, ASH_SHAPE(count));
    free(index);
    return a;
}

static ash_array *random_mask(ash_dims shape)
{
    return random_array(ASH_BOOL, shape);
}

/* ---- sorting */

static void vectors(void)
{
    static const ash_dtype dtypes[] = {ASH_F32, ASH_I64, ASH_U8};
    static const int64_t sizes[] = {1, 96, 97, 5000};
    for (int d = 0; d < COUNT(dtypes); d++) {
        for (int k = 0; k < COUNT(sizes); k++)
            result(ash_sort(random_array(dtypes[d], ASH_SHAPE(sizes[k]))));
        result(ash_sortperm(random_array(dtypes[d], ASH_SHAPE(9001)), .descending = true));
    }
}

static void every_dtype(void)
{
    for
        EACH_DTYPE(dtype, ASH_BOOL, ASH_F64)
    result(ash_sort(random_array(dtype, ASH_SHAPE(300)), .descending = dtype % 2));
}

static void lines(void)
{
    ash_array *const a = random_array(ASH_I16, ASH_SHAPE(5, 130, 3));
    result(ash_sort(a, .axes = ASH_AXES(0)));
    result(ash_sort(a, .axes = ASH_AXES(1), .descending = true));
    result(ash_sort(ash_transpose(a), .axes = ASH_AXES(0)));
    result(ash_sortperm(ash_reverse(a, .axes = ASH_AXES(1)), .axes = ASH_AXES(1)));
    result(ash_sort(a, .flat = true));
    result(ash_partial_sort(a, 7, 20, .axes = ASH_AXES(1)));
    const ash_top top = ash_top_k(a, 11, .axes = ASH_AXES(1));
    result(top.values);
    result(top.positions);
    ash_array *const b = ash_copy(a);
    CHECK_OK(ash_sort_into(b, b, .axes = ASH_AXES(2)));
    result(b);
}

static void payloads(void)
{
    ash_array *const keys = random_array(ASH_F32, ASH_SHAPE(400)), *const many = random_array(ASH_U16, ASH_SHAPE(3, 200));
    const ash_key_values one = ash_sort_by_key(keys, random_array(parcel_dtype(), ASH_SHAPE(400)));
    result(one.keys);
    result(one.values);
    const ash_key_values two = ash_sort_by_key(many, random_array(ASH_C_F32, ASH_SHAPE(3, 200)), .axes = ASH_AXES(1));
    result(two.keys);
    result(two.values);
    ash_array *const parcels = random_array(parcel_dtype(), ASH_SHAPE(100));
    result(ash_sort(ash_field(parcels, "x"))); /* at odd addresses */
    ash_array *const x = ash_field(parcels, "x");
    CHECK_OK(ash_sort_into(x, x, .descending = true));
    result(parcels);
}

static void comparisons(void)
{
    ash_array *const a = random_array(ASH_I32, ASH_SHAPE(1000)), *const m = random_array(ASH_U8, ASH_SHAPE(4, 150));
    result(ash_sort(a, .less = "(x, y) -> (x & 1023) < (y & 1023)"));
    result(ash_sortperm(a, .less = "(x, y) -> (x & 3) < (y & 3)", .descending = true));
    result(ash_sort(m, .axes = ASH_AXES(1), .less = "(x, y) -> x > y"));
    result(ash_sort(a, .by = "x -> x & 255"));
    CHECK(ash_sort(a, .less = "(x, y) -> x == x")); /* no order at all */
}

/* ---- gathering and scattering */

static void takes(void)
{
    static const ash_dtype dtypes[] = {ASH_U8, ASH_F16, ASH_F32, ASH_C_F64};
    for (int d = 0; d < COUNT(dtypes); d++) {
        ash_array *const a = random_array(dtypes[d], ASH_SHAPE(9, 40, 6));
        result(ash_take(a, random_indices(15, 9)));
        result(ash_take(ash_transpose(a), random_indices(300, 40), .axis = 2));
    }
    ash_array *const records = random_array(parcel_dtype(), ASH_SHAPE(50)), *const m = random_array(ASH_I32, ASH_SHAPE(30, 40));
    result(ash_take(records, random_indices(70, 50)));
    result(ash_index(m, random_indices(7, 30), random_indices(9, 40)));
    result(ash_index(m, ASH_RANGE(3, 20), random_indices(5, 40)));
    result(ash_index(m, random_mask(ASH_SHAPE(30)), 3));
    result(ash_index(ash_transpose(m), random_mask(ASH_SHAPE(40, 30))));
}

static void puts_last(void)
{
    ash_array *const v = random_array(ASH_I32, ASH_SHAPE(100)), *const m = random_array(ASH_U16, ASH_SHAPE(30, 40));
    CHECK_OK(ash_put(v, random_indices(3000, 100), random_array(ASH_I32, ASH_SHAPE(3000)))); /* the last one stays */
    result(v);
    CHECK_OK(ash_put(m, random_indices(60, 40), random_array(ASH_U16, ASH_SHAPE(30, 60)), .axis = 1));
    result(m);
    CHECK_OK(ash_index_into(m, random_array(ASH_U16, ASH_SHAPE(50, 60)), random_indices(50, 30), random_indices(60, 40)));
    result(m);
    CHECK_OK(ash_index_into(ash_reverse(m, .axes = ASH_AXES(0)), 7, random_mask(ASH_SHAPE(30, 40))));
    result(m);
    ash_array *const records = random_array(parcel_dtype(), ASH_SHAPE(40));
    CHECK_OK(ash_put(records, random_indices(90, 40), random_array(parcel_dtype(), ASH_SHAPE(90))));
    result(records);
}

static void puts_sums(void)
{
    static const ash_dtype dtypes[] = {ASH_BOOL, ASH_I8, ASH_U16, ASH_I32, ASH_U64, ASH_C_I16};
    for (int d = 0; d < COUNT(dtypes); d++) {
        ash_array *const v = random_array(dtypes[d], ASH_SHAPE(20, 3));
        CHECK_OK(ash_put(v, random_indices(500, 20), random_array(dtypes[d], ASH_SHAPE(500, 3)), .accumulate = true));
        result(v);
    }
    for (int d = 0; d < 4; d++) { /* sums of floats in the order of the list; nothing that is no number */
        const ash_dtype dtype = (const ash_dtype[]){ASH_F16, ASH_BF16, ASH_F32, ASH_F64}[d];
        ash_array *const v = ash_convert(random_indices(30, 1000), dtype);
        CHECK_OK(ash_put(v, random_indices(500, 30), ash_convert(random_indices(500, 60000), dtype), .accumulate = true));
        result(v);
    }
}

/* ---- masks */

static void masks(void)
{
    const int64_t n = 3 * 16384 + 5;
    static const ash_dtype dtypes[] = {ASH_U8, ASH_I16, ASH_F32, ASH_F64, ASH_C_F64};
    ash_array *const mask = random_mask(ASH_SHAPE(n)), *const square = random_mask(ASH_SHAPE(150, 120));
    for (int d = 0; d < COUNT(dtypes); d++)
        result(ash_select(random_array(dtypes[d], ASH_SHAPE(n)), mask));
    result(ash_find(mask));
    result(ash_find(ash_slice(mask, ASH_OPEN, ASH_OPEN, .step = -3)));
    result(ash_find(ash_transpose(square), .flat = true));
    result(ash_select(ash_transpose(random_array(ASH_I32, ASH_SHAPE(120, 150))), square));
    result(ash_select(random_array(ASH_I32, ASH_SHAPE(7)), ash_zeros(ASH_SHAPE(7), .dtype = ASH_BOOL)));
    ash_array *const parcels = random_array(parcel_dtype(), ASH_SHAPE(900));
    result(ash_select(ash_field(parcels, "x"), random_mask(ASH_SHAPE(900))));
}

/* ---- searching */

/* Integers that floats do not hold, and floats between integers. */
static ash_array *ladder(ash_dtype dtype, double from, double step)
{
    double x[101];
    for (int k = 0; k < COUNT(x); k++)
        x[k] = ash_dtype_size(dtype) == 8 || k % 25 ? floor(from + k * step) : from + k * step;
    return ash_from_host(x, ASH_F64, ASH_SHAPE(COUNT(x)), .dtype = dtype);
}

static void searches(void)
{
    static const struct {
        ash_dtype sorted, values;
    } pairs[] = {{ASH_F32, ASH_F32}, {ASH_I64, ASH_F64}, {ASH_F32, ASH_I64}, {ASH_F64, ASH_U64}, {ASH_U64, ASH_I64},
                 {ASH_I32, ASH_U64}, {ASH_F16, ASH_F64}, {ASH_U8, ASH_BF16}, {ASH_BOOL, ASH_I8}};
    for (int k = 0; k < COUNT(pairs); k++) {
        ash_array *const sorted = ash_sort(random_array(pairs[k].sorted, ASH_SHAPE(500))), *const values = random_array(
                                                                                               pairs[k].values, ASH_SHAPE(300));
        result(ash_concat(ASH_ARRAYS(ash_search_sorted(sorted, values), ash_search_sorted(sorted, values, .right = true))));
    }
    ash_array *const rungs = ladder(ASH_I64, 0x1p53 - 40, 1), *const down = ash_sort(rungs, .descending = true);
    result(ash_search_sorted(down, rungs, .descending = true));
    result(ash_search_sorted(ash_convert(rungs, ASH_F64), rungs, .right = true));
    result(ash_search_sorted(rungs, ash_convert(rungs, ASH_F32)));
    result(ash_search_sorted(ladder(ASH_F32, -20, 0.4), ladder(ASH_I8, -30, 0.6)));
}

static void histograms(void)
{
    ash_array *const numbers = ash_convert(random_indices(40000, 1000), ASH_I32);
    const ash_histogram_result plain = ash_histogram(numbers, 37, .low = ASH_OPERAND(0), .high = ASH_OPERAND(1000));
    result(plain.counts);
    result(plain.edges);
    result(ash_histogram(random_array(ASH_F32, ASH_SHAPE(5000)), 5, .low = ASH_OPERAND(-0.0), .high = ASH_OPERAND(7)).counts);
    ash_array *const edges = ash_f32(-2, -0.0f, 1.5f, 1.75f, 7, 100);
    result(ash_histogram(random_array(ASH_F32, ASH_SHAPE(5000)), 0, .edges = edges).counts);
    result(ash_histogram(numbers, 0, .edges = ash_i64(3, 5, 900, 901)).counts);
    result(ash_histogram(random_array(ASH_U64, ASH_SHAPE(5000)), 3, .low = ASH_OPERAND(0), .high = ASH_OPERAND(1e19)).counts);
}

/* ---- what cannot be done */

static void faults(void)
{
    ash_array *const a = ash_range(0, 9), *const bad = ash_i64(1, 2, 9, 3);
    CHECK(!ash_take(a, bad));
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_take: index 9 at (2) is out of bounds for axis 0 of size 9");
    CHECK(ash_put(a, bad, ash_i64(5, 6, 7, 8)) == ASH_ERR_BOUNDS);
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_put: index 9 at (2) is out of bounds for axis 0 of size 9");
    result(a); /* nothing was written */
    CHECK(!ash_index(a, ash_i64(0, -1)));
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_index: index -1 at (1) is out of bounds for axis 0 of size 9");
    result(ash_take(a, ash_empty(ASH_SHAPE(0), .dtype = ASH_I64)));
}

SAME(sorts_vectors, vectors)
SAME(sorts_every_dtype, every_dtype)
SAME(sorts_lines, lines)
SAME(sorts_with_payloads, payloads)
SAME(sorts_by_comparisons, comparisons)
SAME(takes_by_lists, takes)
SAME(puts_the_last, puts_last)
SAME(puts_sums_in_order, puts_sums)
SAME(selects_by_masks, masks)
SAME(searches_numbers, searches)
SAME(counts_between_edges, histograms)
SAME(finds_faults_first, faults)

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(sorts_vectors),        TEST(sorts_every_dtype), TEST(sorts_lines),          TEST(sorts_with_payloads),
        TEST(sorts_by_comparisons), TEST(takes_by_lists),    TEST(puts_the_last),        TEST(puts_sums_in_order),
        TEST(selects_by_masks),     TEST(searches_numbers),  TEST(counts_between_edges), TEST(finds_faults_first),
    };
    if (device_is_missing("gpu_sort"))
        return SKIPPED;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
