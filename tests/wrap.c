/*
 * wrap.c - arrays over memory of any origin: where they lie, what they share, which sizes are found, what is refused.
 */
#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include "test.h"

/* ---- origins: twelve numbers, 1 to 12, somewhere */

typedef struct origin {
    const char *name;
    float *(*take)(ash_array **other); /* *other: an array that must stay */
    void (*end)(void *context);
} origin;

static int ended;
static float *number(float *p)
{
    for (int i = 0; i < 12; i++)
        p[i] = (float)(i + 1);
    return p;
}
static float *take_malloc(ash_array **other)
{
    (void)other;
    return number(malloc(12 * sizeof(float)));
}
static void end_malloc(void *context)
{
    ended++;
    free(context);
}
static float *take_static(ash_array **other)
{
    static float numbers[12];
    (void)other;
    return number(numbers);
}
static void end_static(void *context)
{
    (void)context;
    ended++;
}
static float *take_mapped(ash_array **other)
{
    char name[] = "/tmp/ashlar-wrap-XXXXXX";
    const int file = mkstemp(name);
    (void)other;
    CHECK(file >= 0 && ftruncate(file, 12 * sizeof(float)) == 0);
    void *p = mmap(NULL, 12 * sizeof(float), PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    CHECK(p != MAP_FAILED && unlink(name) == 0 && close(file) == 0);
    return number(p);
}
static void end_mapped(void *context)
{
    ended++;
    munmap(context, 12 * sizeof(float));
}
static float *take_parent(ash_array **other)
{
    *other = ash_retain(ash_parent(ash_zeros(ASH_SHAPE(3, 4))));
    return number(ash_map_host(*other));
}

static const origin origins[] = {
    {"malloc", take_malloc, end_malloc},
    {"static memory", take_static, end_static},
    {"a mapped file", take_mapped, end_mapped},
    {"the parent of another array", take_parent, end_static},
};

static void any_origin(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT(origins); i++) {
        ash_array *other = NULL;
        ended = 0;
        {
            ASH_SCOPE(scope);
            float *const p = origins[i].take(&other);
            ash_array *a = ash_wrap(p, ASH_F32, 12, ASH_SHAPE(3, ASH_INFER), .deleter = origins[i].end, .context = p);
            CHECK_SHAPE(a, 3, 4);
            CHECK(ash_map_host(a) == p && ash_map_host(ash_parent(a)) == p);
            CHECK_SHAPE(ash_parent(a), 12);
            CHECK(ash_item(ash_sum(a), float) == 78);
            CHECK_OK(ash_set_f32(a, 50, 2, 3)); /* nothing has been copied, in either direction */
            p[0] = 20;
            CHECK(p[11] == 50 && ash_get_f32(a, 0, 0) == 20);
            CHECK_OK(ash_fill(ash_slice(a, 1, 2, .axes = ASH_AXES(0)), 7.0f));
            CHECK(p[3] == 4 && p[4] == 7 && p[7] == 7 && p[8] == 9);
            CHECK(!ash_memory_of(a) && !ash_failed());
        }
        CHECK(ended == 1);
        ash_release(other);
    }
}

/* ---- the stack, read-only */

static void lent_for_reading(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    const int32_t v[] = {1, 2, 3, 4};
    ash_array *a = ash_wrap((void *)(uintptr_t)v, ASH_I32, 4, ASH_SHAPE(2, 2), .readonly = true);
    CHECK_INTS(a, 1, 2, 3, 4);
    CHECK(ash_is_readonly(a) && ash_is_readonly(ash_transpose(a)));
    CHECK(ash_fill(a, 1) == ASH_ERR_ARGUMENT);
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_fill: ");
}

/* ---- sizes that are found, and what is refused */

static void inferred_sizes(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    int16_t v[12] = {0};
    CHECK_SHAPE(ash_wrap(v, ASH_I16, 12, ASH_SHAPE(ASH_INFER)), 12);
    CHECK_SHAPE(ash_wrap(v, ASH_I16, 12, ASH_SHAPE(2, ASH_INFER, 3)), 2, 2, 3);
    CHECK_SHAPE(ash_wrap(v, ASH_I16, 12, ASH_SHAPE(12, ASH_INFER)), 12, 1);
    CHECK_SHAPE(ash_wrap(NULL, ASH_I16, 0, ASH_SHAPE(ASH_INFER)), 0);
    CHECK_SHAPE(ash_wrap(NULL, ASH_I16, 0, ASH_SHAPE(3, ASH_INFER)), 3, 0);
    CHECK_STRIDES(ash_wrap(v, ASH_I16, 12, ASH_SHAPE(2, ASH_INFER, 3), .layout = ASH_COL_MAJOR), 1, 2, 4);
}

static void refused_sizes(void **state)
{
    (void)state;
    int16_t v[12] = {0};
    const struct {
        int64_t count;
        ash_dims shape;
        ash_status status;
        const char *text;
    } cases[] = {
        {12, ASH_SHAPE(-1, -1), ASH_ERR_ARGUMENT, "sizes of axes 0 and 1 are both to be inferred; one can be"},
        {12, ASH_SHAPE(5, -1), ASH_ERR_SHAPE, "12 elements cannot be divided by the 5 of the given sizes of (5, -1)"},
        {12, ASH_SHAPE(0, -1), ASH_ERR_SHAPE, "12 elements cannot be divided by the 0 of the given sizes of (0, -1)"},
        {0, ASH_SHAPE(0, -1), ASH_ERR_SHAPE, "0 elements cannot be divided by the 0 of the given sizes of (0, -1)"},
        {12, ASH_SHAPE(3, 3), ASH_ERR_SHAPE, "shape (3, 3) takes 9 elements, given 12"},
        {12, ASH_SHAPE(-2, -6), ASH_ERR_SHAPE, "size -2 of axis 0 is negative"},
        {12, ASH_SHAPE(INT64_MAX, -1, 4), ASH_ERR_SHAPE, "2^63 - 1"},
        {-12, ASH_SHAPE(12), ASH_ERR_ARGUMENT, "count is -12; it must not be negative"},
    };
    ended = 0;
    for (int i = 0; i < COUNT(cases); i++) {
        CHECK(!ash_wrap(v, ASH_I16, cases[i].count, cases[i].shape, .deleter = end_static));
        CHECK_ERROR_PARTS(cases[i].status, "ash_wrap: ", cases[i].text);
    }
    CHECK(ended == 0); /* the memory is still the caller's */
}

static void refused_addresses(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    _Alignas(8) char bytes[64] = {0};
    for (ash_dtype dtype = ASH_BOOL; dtype <= ASH_C_F64; dtype = (ash_dtype)(dtype + 1)) {
        const size_t item = ash_dtype_size(dtype), part = dtype >= ASH_C_I8 ? item / 2 : item;
        for (size_t offset = 0; offset < 8; offset++)
            if (offset % part) {
                CHECK(!ash_wrap(bytes + offset, dtype, 2, ASH_SHAPE(2)));
                CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_wrap: data is at ", ", which is not aligned to the ",
                                  ash_dtype_name(dtype));
            } else
                CHECK_SHAPE(ash_wrap(bytes + offset, dtype, 2, ASH_SHAPE(2)), 2);
    }
}

/* ---- what an array in a scope costs */

/* Sums 1 to n through an array that nobody else sees. */
static double work(int64_t n)
{
    ASH_SCOPE(scope);
    ash_array *a = ash_empty(ASH_SHAPE(n), .dtype = ASH_F64);
    double *p = ash_map_host(a), sum = 0;
    for (int64_t i = 0; i < n; i++)
        p[i] = (double)(i + 1);
    for (int64_t i = 0; i < n; i++)
        sum += p[i];
    return sum;
}

static void one_block_from_the_pool(void **state)
{
    (void)state;
    ash_pool_info before, after;
    CHECK(work(100) == 5050);
    CHECK_OK(ash_pool_stats(ash_default_device(), &before, sizeof before));
    for (int i = 0; i < 10; i++)
        CHECK(work(100) == 5050);
    CHECK_OK(ash_pool_stats(ash_default_device(), &after, sizeof after));
    CHECK(after.requests - before.requests <= 10 && after.hits - before.hits == after.requests - before.requests);
    CHECK(after.in_use == before.in_use);
    /* over memory that is there, none */
    CHECK_OK(ash_pool_stats(ash_default_device(), &before, sizeof before));
    {
        ASH_SCOPE(scope);
        double v[4] = {1, 2, 3, 4};
        CHECK_SHAPE(ash_wrap(v, ASH_F64, 4, ASH_SHAPE(2, 2)), 2, 2);
    }
    CHECK_OK(ash_pool_stats(ash_default_device(), &after, sizeof after));
    CHECK(after.requests == before.requests);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(any_origin),     TEST(lent_for_reading),  TEST(inferred_sizes),
        TEST(refused_sizes),  TEST(refused_addresses), TEST(one_block_from_the_pool),
    };
    return cmocka_run_group_tests_name("memory of any origin", tests, NULL, NULL);
}
