/*
 * rng.c - generators as objects: whose they are, their states, what counts as a call; what is refused and what that leaves
 * untouched; records, single numbers, permutations.
 */
#include <pthread.h>

#include "test.h"

ASH_RECORD(point, (f32, x, 3), (bool, on), (i64, id));
ASH_RECORD(pair_of_points, (point, p, 2), (f32, weight));
ASH_RECORD(vector3, (f32, x, 3), (bf16, y));

static ash_rng_state where(const ash_rng *rng)
{
    const ash_rng_state s = ash_rng_state_of(rng);
    NO_ERROR();
    return s;
}

/* ---- objects */

static void states_are_saved(void)
{
    ash_rng *r = ash_rng_new(ASH_RNG_DEFAULT);
    CHECK(r && where(r).calls == 0 && ash_rng_kind_of(r) == ASH_RNG_DEFAULT);
    CHECK_OK(ash_rng_seed(r, (uint64_t)-5));
    CHECK(where(r).seed == UINT64_MAX - 4);
    ash_rand(ASH_SHAPE(3), .rng = r);
    ash_randn(ASH_SHAPE(3), .rng = r);
    CHECK(where(r).calls == 2);
    const ash_rng_state saved = where(r);
    const ash_array *next = ash_rand(ASH_SHAPE(9), .rng = r), *after = ash_randexp(ASH_SHAPE(9), .rng = r);
    ash_rng *other = ash_rng_new(ASH_RNG_DEFAULT);
    CHECK(where(other).seed != saved.seed); /* with a chance of 1 in 2^64 not */
    CHECK_OK(ash_rng_set_state(other, saved));
    CHECK(ash_equal(ash_rand(ASH_SHAPE(9), .rng = other), next));
    CHECK(ash_equal(ash_randexp(ASH_SHAPE(9), .rng = other), after));
    CHECK(ash_rng_retain(r) == r);
    ash_rng_release(r);
    CHECK(where(r).calls == 4); /* still there */
    ash_rng_release(r);
    ash_rng_release(other);
    ash_rng_release(NULL);
    ash_rng *second = ash_rng_new(ASH_RNG_SECOND);
    CHECK(ash_rng_kind_of(second) == ASH_RNG_SECOND);
    ash_rng_release(second);
}
EVERYWHERE(saved_states, states_are_saved)

/* What seeds the thread's generators, and what does not disturb them. */
static void defaults(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_seed(1);
    ash_rng *own = ash_rng_new(ASH_RNG_DEFAULT);
    CHECK_OK(ash_rng_seed(own, 7));
    CHECK(ash_default_rng() == ash_default_rng() && where(ash_default_rng()).calls == 0);
    ash_rand(ASH_SHAPE(2), .rng = own);
    CHECK(where(ash_default_rng()).calls == 0);
    ash_rand(ASH_SHAPE(2));
    CHECK(where(ash_default_rng()).calls == 1 && where(own).calls == 1);
    ash_resources *elsewhere = ash_resources_new("cpu:0?f64=off");
    {
        ASH_WITH_RESOURCES(elsewhere);
        CHECK(where(ash_default_rng()).seed == 1 && where(ash_default_rng()).calls == 0); /* made after ash_seed */
        ash_rand(ASH_SHAPE(2));
        ash_rand(ASH_SHAPE(2));
        CHECK(where(ash_default_rng()).calls == 2);
    }
    CHECK(where(ash_default_rng()).calls == 1); /* one for each device */
    ash_rand_into(ash_zeros(ASH_SHAPE(2), .resources = elsewhere));
    ash_seed(3);
    CHECK(where(ash_default_rng()).seed == 3 && where(own).seed == 7);
    {
        ASH_WITH_RESOURCES(elsewhere);
        CHECK(where(ash_default_rng()).seed == 3 && where(ash_default_rng()).calls == 0);
    }
    CHECK_OK(ash_seed_random());
    CHECK(where(ash_default_rng()).seed != 3);
    const ash_rng_state first = where(ash_default_rng());
    CHECK_OK(ash_seed_random());
    CHECK(where(ash_default_rng()).seed != first.seed && where(own).seed == 7);
    ash_resources_release(elsewhere);
    ash_rng_release(own);
}

/* Each ash_state has generators of its own, which end with it; so has each thread. */
static void *another_thread(void *seed)
{
    *(uint64_t *)seed = ash_rng_state_of(ash_default_rng()).seed;
    ash_rng *const kept = ash_rng_retain(ash_default_rng()); /* outlives its thread */
    return kept;
}
static void states_and_threads(void **state)
{
    (void)state;
    ash_seed(1);
    ash_state *fiber = ash_state_new();
    ash_state *const before = ash_state_swap(fiber);
    const uint64_t theirs = ash_rng_state_of(ash_default_rng()).seed;
    ash_seed(5);
    const float drawn = ash_rand_f32(NULL);
    ash_state_swap(before);
    CHECK(theirs != 1 && where(ash_default_rng()).seed == 1 && where(ash_default_rng()).calls == 0);
    ash_seed(5);
    CHECK(ash_rand_f32(NULL) == drawn);
    ash_state_release(fiber);
    pthread_t thread;
    uint64_t seed = 5;
    void *kept;
    CHECK(pthread_create(&thread, NULL, another_thread, &seed) == 0 && pthread_join(thread, &kept) == 0);
    CHECK(seed != 5 && where(kept).seed == seed && where(ash_default_rng()).seed == 5);
    ash_rng_release(kept);
}

/* Threads that share a generator get different calls, and none is lost. */
enum { SHARERS = 4, DRAWS = 50 };
typedef struct sharer {
    ash_rng *rng;
    uint64_t drawn[DRAWS];
} sharer;
static void *share(void *context)
{
    sharer *const s = context;
    for (int i = 0; i < DRAWS; i++)
        s->drawn[i] = ash_rand_u64(s->rng);
    return NULL;
}
static void shared_by_threads(void **state)
{
    (void)state;
    pthread_t thread[SHARERS];
    static sharer sharers[SHARERS];
    ash_rng *r = ash_rng_new(ASH_RNG_DEFAULT);
    CHECK_OK(ash_rng_seed(r, 1));
    for (int t = 0; t < SHARERS; t++) {
        sharers[t].rng = r;
        CHECK(pthread_create(&thread[t], NULL, share, &sharers[t]) == 0);
    }
    for (int t = 0; t < SHARERS; t++)
        CHECK(pthread_join(thread[t], NULL) == 0);
    CHECK(where(r).calls == SHARERS * DRAWS);
    CHECK_OK(ash_rng_seed(r, 1));
    for (int i = 0; i < SHARERS * DRAWS; i++) {
        const uint64_t x = ash_rand_u64(r);
        int found = 0;
        for (int k = 0; k < SHARERS * DRAWS; k++)
            found += sharers[k / DRAWS].drawn[k % DRAWS] == x;
        CHECK(found == 1);
    }
    ash_rng_release(r);
}

/* ---- single numbers are arrays without axes */

static void single_numbers(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_seed(4);
    const float u = ash_rand_f32(NULL), n = ash_randn_f32(NULL), e = ash_randexp_f32(NULL);
    const double v = ash_rand_f64(NULL), m = ash_randn_f64(NULL), g = ash_randexp_f64(NULL);
    const uint64_t w = ash_rand_u64(NULL);
    const int64_t i = ash_randint_i64(-3, 4, NULL);
    CHECK(where(ash_default_rng()).calls == 8);
    ash_seed(4);
    CHECK(ash_item(ash_rand(ASH_SHAPE()), float) == u && ash_item(ash_randn(ASH_SHAPE()), float) == n);
    CHECK(ash_item(ash_randexp(ASH_SHAPE()), float) == e);
    CHECK(ash_item(ash_rand(ASH_SHAPE(), .dtype = ASH_F64), double) == v);
    CHECK(ash_item(ash_randn(ASH_SHAPE(), .dtype = ASH_F64), double) == m);
    CHECK(ash_item(ash_randexp(ASH_SHAPE(), .dtype = ASH_F64), double) == g);
    CHECK(ash_item(ash_rand(ASH_SHAPE(), .dtype = ASH_U64), uint64_t) == w);
    CHECK(ash_item(ash_randint(-3, 4, ASH_SHAPE()), int64_t) == i);
    CHECK_OK(ash_set_default_storage(ASH_PRIVATE)); /* they are the host's all the same */
    CHECK(ash_rand_f32(NULL) > 0);
    CHECK_OK(ash_set_default_storage(ASH_SHARED));
    CHECK(ash_randint_i64(4, 4, NULL) == 0);
    CHECK_ERROR(ASH_ERR_VALUE, "ash_randint_i64: low is 4 and high 4; low must be less");
    ash_rng *r = ash_rng_new(ASH_RNG_SECOND);
    CHECK(isnan(ash_rand_f64(r)));
    CHECK_ERROR(ASH_ERR_UNSUPPORTED,
                "ash_rand_f64: the second generator draws integers, uniform f32 and normal f32, no uniform f64");
    CHECK(isnan(ash_randexp_f32(r)));
    CHECK_ERROR(ASH_ERR_UNSUPPORTED,
                "ash_randexp_f32: the second generator draws integers, uniform f32 and normal f32, no exponential f32");
    CHECK(isfinite(ash_randn_f32(r)) && where(r).calls == 1);
    ash_rng_release(r);
}

/* ---- records: each field like an array of its own, one after the other */

static void records(void **state)
{
    (void)state;
    for
        EACH_LAYOUT(layout)
        {
            ASH_SCOPE(scope);
            ash_seed(6);
            ash_array *a = ash_rand(ASH_SHAPE(3, 2), .dtype = pair_of_points_dtype(), .layout = layout);
            CHECK(where(ash_default_rng()).calls == 4);
            ash_seed(6);
            ash_array *x = ash_rand(ASH_SHAPE(3, 2, 2, 3)), *on = ash_rand(ASH_SHAPE(3, 2, 2), .dtype = ASH_BOOL);
            ash_array *id = ash_rand(ASH_SHAPE(3, 2, 2), .dtype = ASH_I64), *weight = ash_rand(ASH_SHAPE(3, 2));
            if (layout == ASH_COL_MAJOR) { /* records in the order of memory; within them nothing changes */
                x = ash_permute(ash_reshape(x, ASH_SHAPE(2, 3, 2, 3)), ASH_AXES(1, 0, 2, 3));
                on = ash_permute(ash_reshape(on, ASH_SHAPE(2, 3, 2)), ASH_AXES(1, 0, 2));
                id = ash_permute(ash_reshape(id, ASH_SHAPE(2, 3, 2)), ASH_AXES(1, 0, 2));
                weight = ash_transpose(ash_reshape(weight, ASH_SHAPE(2, 3)));
            }
            CHECK(ash_equal(ash_field(ash_field(a, "p"), "x"), x) && ash_equal(ash_field(ash_field(a, "p"), "on"), on));
            CHECK(ash_equal(ash_field(ash_field(a, "p"), "id"), id) && ash_equal(ash_field(a, "weight"), weight));
            ash_seed(6);
            ash_array *b = ash_zeros(ASH_SHAPE(3, 2), .dtype = pair_of_points_dtype(), .layout = layout);
            CHECK_OK(ash_rand_into(b));
            char memory[2][6 * sizeof(pair_of_points)];
            CHECK_OK(ash_to_host(a, memory[0], sizeof memory[0]));
            CHECK_OK(ash_to_host(b, memory[1], sizeof memory[1]));
            assert_memory_equal(memory[0], memory[1], sizeof memory[0]); /* the gaps between fields are zeros */
        }
    ASH_SCOPE(scope);
    ash_array *v = ash_randn(ASH_SHAPE(1000), .dtype = vector3_dtype());
    CHECK(fabs(ash_item(ash_mean(ash_field(v, "x")), double)) < 0.1 && ash_item(ash_any(ash_field(v, "y")), bool));
    CHECK_OK(ash_randexp_into(v));
    CHECK(ash_item(ash_min(ash_field(v, "x")), float) > 0);
    ash_seed(6);
    CHECK(!ash_randn(ASH_SHAPE(2), .dtype = point_dtype()));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_randn: no bool is normal; a float or complex dtype is wanted");
    ash_array *p = ash_zeros(ASH_SHAPE(2), .dtype = point_dtype());
    CHECK(ash_randexp_into(p) == ASH_ERR_DTYPE); /* before its first field, which could be drawn, is */
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_randexp_into: no bool is exponential; a float dtype is wanted");
    CHECK_ALL(ash_field(p, "x"), 0);
    int64_t ones[ASH_MAX_RANK];
    for (int k = 0; k < ASH_MAX_RANK; k++)
        ones[k] = 1;
    CHECK(!ash_rand(((ash_dims){ones, ASH_MAX_RANK}), .dtype = point_dtype()));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_rand: with the inner arrays of point there would be more than 32 axes");
    CHECK(where(ash_default_rng()).calls == 0);
}

/* ---- order */

static void permutations(void)
{
    ash_seed(8);
    const ash_array *p = ash_permutation(1000);
    CHECK(ash_dtype_of(p) == ASH_I64 && !ash_is_sorted(p));
    CHECK(ash_equal(ash_sort(p), ash_range(INT64_C(0), INT64_C(1000))));
    CHECK_SHAPE(ash_permutation(0), 0);
    CHECK(where(ash_default_rng()).calls == 1); /* an empty one draws nothing */
    CHECK_INTS(ash_permutation(1), 0);
    ash_seed(8);
    const ash_array *keys = ash_rand(ASH_SHAPE(1000), .dtype = ASH_U64);
    CHECK(ash_equal(p, ash_sortperm(keys)));
    ash_array *m = counting(0, ASH_I32, ASH_SHAPE(6, 4), ASH_ROW_MAJOR), *before = ash_copy(m);
    for (int64_t axis = 0; axis < 2; axis++) {
        const int64_t n = axis ? 4 : 6;
        ash_seed(8);
        const ash_array *order = ash_permutation(n);
        const ash_array *want = ash_take(m, order, .axis = axis);
        ash_seed(8);
        const ash_array *got = ash_shuffle(m, .axis = axis - 2);
        CHECK(ash_equal(got, want) && ash_equal(m, before));
        ash_array *out = ash_zeros(ASH_SHAPE(6, 4), .dtype = ASH_I32, .layout = ASH_COL_MAJOR), *same = ash_copy(m);
        ash_seed(8);
        CHECK_OK(ash_shuffle_into(out, m, .axis = axis));
        CHECK(ash_equal(out, want) && ash_equal(m, before));
        ash_seed(8);
        CHECK_OK(ash_shuffle_into(same, same, .axis = axis)); /* in place */
        CHECK(ash_equal(same, want));
    }
    CHECK_SHAPE(ash_shuffle(ash_zeros(ASH_SHAPE(0, 3))), 0, 3);
    ash_rng *r = ash_rng_new(ASH_RNG_SECOND);
    CHECK(ash_equal(ash_sort(ash_shuffle(p, .rng = r)), ash_sort(p)));
    ash_rng_release(r);
}
EVERYWHERE(orders, permutations)

/* All orders of 4 come up alike: 24 with 2000 each expected of 48000, chi square of 23 degrees below 49.7 (1 in 1000). */
static void all_orders_alike(void **state)
{
    (void)state;
    int64_t count[256] = {0}, order[4], seen = 0;
    double chi = 0;
    ash_seed(12);
    for (int i = 0; i < 48000 / SLOW; i++) {
        ASH_SCOPE(scope);
        CHECK_OK(ash_to_host(ash_permutation(4), order, sizeof order));
        count[order[0] << 6 | order[1] << 4 | order[2] << 2 | order[3]]++;
    }
    for (int i = 0; i < 256; i++) {
        const double expected = 2000.0 / SLOW, off = (double)count[i] - expected;
        seen += count[i] > 0;
        chi += count[i] ? off * off / expected : 0;
    }
    CHECK(seen == 24 && chi < 49.7);
}

/* ---- what is refused */

static void refusals(void)
{
    ash_seed(2);
    ash_array *a = ash_fill_new(ASH_SHAPE(3), 7.0f), *i = ash_fill_new(ASH_SHAPE(3), INT32_C(7));
    CHECK(!ash_randn(ASH_SHAPE(2), .dtype = ASH_I32));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_randn: no i32 is normal; a float or complex dtype is wanted");
    CHECK(ash_randn_into(i) == ASH_ERR_DTYPE);
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_randn_into: no i32 is normal; a float or complex dtype is wanted");
    CHECK(!ash_randexp(ASH_SHAPE(2), .dtype = ASH_C_F32));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_randexp: no c_f32 is exponential; a float dtype is wanted");
    CHECK(!ash_rand(ASH_SHAPE(2), .dtype = (ash_dtype)99));
    CHECK_ERROR_HAS(ASH_ERR_DTYPE, "ash_rand: ");
    CHECK(!ash_randint(0, 5, ASH_SHAPE(2), .dtype = ASH_F32));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_randint: f32 is no integer dtype");
    CHECK(ash_randint_into(a, 0, 5) == ASH_ERR_DTYPE);
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_randint_into: f32 is no integer dtype");
    CHECK(!ash_randint(0, 5, ASH_SHAPE(2), .dtype = ASH_BOOL));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_randint: bool is no integer dtype");
    CHECK(!ash_randint(0, 2.5f, ASH_SHAPE(2)));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_randint: high is f32; an integer scalar is wanted");
    CHECK(!ash_randint(i, 2, ASH_SHAPE(2)));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_randint: low is an array; an integer scalar is wanted");
    CHECK(!ash_randint(5, 5, ASH_SHAPE(0)));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_randint: low is 5 and high 5; low must be less");
    CHECK(!ash_randint(5, -INT64_C(5), ASH_SHAPE(1), .inclusive = true));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_randint: low is 5 and high -5; low must be at most high");
    CHECK(!ash_randint(-1, 256, ASH_SHAPE(1), .dtype = ASH_U8));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_randint: u8 does not hold the numbers from -1 to 255");
    CHECK(!ash_randint(0, 128, ASH_SHAPE(1), .dtype = ASH_I8, .inclusive = true));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_randint: i8 does not hold the numbers from 0 to 128");
    CHECK(!ash_randint(INT64_MIN, UINT64_MAX, ASH_SHAPE(1)));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_randint: i64 does not hold the numbers from -9223372036854775808 to 18446744073709551614");
    CHECK(ash_randint_into(i, 0, INT64_C(1) << 40) == ASH_ERR_VALUE);
    CHECK_ERROR(ASH_ERR_VALUE, "ash_randint_into: i32 does not hold the numbers from 0 to 1099511627775");
    CHECK(!ash_rand(ASH_SHAPE(-1)));
    CHECK_ERROR_HAS(ASH_ERR_SHAPE, "ash_rand: ");
    CHECK(!ash_permutation(-1));
    CHECK_ERROR_HAS(ASH_ERR_SHAPE, "ash_permutation: ");
    CHECK(!ash_permutation(3, .dtype = ASH_I32));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_permutation: a permutation is i64, not i32");
    CHECK(!ash_shuffle(ash_zeros(ASH_SHAPE())));
    CHECK_ERROR_HAS(ASH_ERR_BOUNDS, "ash_shuffle: ");
    CHECK(!ash_shuffle(a, .axis = 1));
    CHECK_ERROR_HAS(ASH_ERR_BOUNDS, "ash_shuffle: ");
    CHECK(ash_shuffle_into(i, a) == ASH_ERR_DTYPE);
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_shuffle_into: out is i32 and a f32");
    CHECK(ash_shuffle_into(ash_zeros(ASH_SHAPE(4)), a) == ASH_ERR_SHAPE);
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_shuffle_into: out has shape (4) and a (3)");
    CHECK(ash_rand_into(ash_broadcast_to(a, ASH_SHAPE(2, 3))) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_rand_into: a is read-only");
    CHECK(ash_rand_into(NULL) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_rand_into: a is NULL");
    CHECK(ash_rng_seed(NULL, 1) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_rng_seed: rng is NULL");
    CHECK(!ash_rng_new((ash_rng_kind)3));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_rng_new: kind 3; ASH_RNG_DEFAULT or ASH_RNG_SECOND was wanted");
    CHECK(ash_rng_kind_of(NULL) == 0 && ash_rng_state_of(NULL).seed == 0 && !ash_rng_retain(NULL));
    ash_error_clear();
    ash_array *gone = ash_zeros(ASH_SHAPE(2));
    ash_discard(gone);
    CHECK(ash_rand_into(gone) == ASH_ERR_RELEASED);
    CHECK_ERROR_HAS(ASH_ERR_RELEASED, "ash_rand_into: a was discarded");
    CHECK_ALL(a, 7);
    CHECK_ALL(i, 7);
    CHECK(where(ash_default_rng()).calls == 0); /* nothing that was refused counts */
}
EVERYWHERE(refused, refusals)

static void without_f64(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_resources *weak = ash_resources_new("cpu:0?f64=off");
    CHECK(!ash_rand(ASH_SHAPE(2), .dtype = ASH_F64, .resources = weak));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_rand: cpu:0?f64=off does not support f64 values; use f32");
    CHECK(!ash_randn(ASH_SHAPE(2), .dtype = ASH_C_F64, .resources = weak));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_randn: cpu:0?f64=off does not support f64 values; use f32 (in c_f64)");
    ash_array *a = ash_zeros(ASH_SHAPE(2), .resources = weak);
    CHECK(ash_rand_into(a, .resources = ash_current_resources()) == ASH_ERR_DEVICE);
    CHECK_ERROR_HAS(ASH_ERR_DEVICE, "ash_rand_into: ");
    {
        ASH_WITH_RESOURCES(weak);
        CHECK(isnan(ash_rand_f64(NULL)));
        CHECK_ERROR(ASH_ERR_DTYPE, "ash_rand_f64: cpu:0?f64=off does not support f64 values; use f32");
    }
    ash_resources_release(weak);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(saved_states), TEST(defaults), TEST(states_and_threads), TEST(shared_by_threads), TEST(single_numbers),
        TEST(records),      TEST(orders),   TEST(all_orders_alike),   TEST(refused),           TEST(without_f64),
    };
    return cmocka_run_group_tests_name("generators", tests, NULL, NULL);
}
