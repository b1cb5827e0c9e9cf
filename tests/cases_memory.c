/*
 * cases_memory.c - reports from the field about memory and queues: everything comes back to the pool, uploads may be
 * overwritten at once, reads wait, blocks are not handed out twice (A45 to A48, as far as the CPU device concerns them).
 */
#include <pthread.h>
#include <unistd.h>

#include "test.h"

static ash_pool_info pool(void)
{
    ash_pool_info info;
    CHECK_OK(ash_pool_stats(ash_default_device(), &info, sizeof info));
    return info;
}

static void reads_wait(void)
{
    ash_array *x = ash_zeros(ASH_SHAPE(1 << 20)), *tail = ash_slice(x, -1, ASH_OPEN);
    float host[1] = {0};
    for (int round = 0; round < 30 / SLOW; round++) {
        CHECK_OK(ash_fill(x, 0));
        for (int i = 0; i < 40; i++)
            CHECK_OK(ash_map_into(x, "x -> x + 1", x));
        CHECK_OK(ash_to_host(tail, host, sizeof host));
        CHECK(host[0] == 40);
        {
            ASH_SCOPE(scope);
            ash_array *places = ash_map("i -> 1048575 - 1048575*i", ash_range(0, 2)); /* just made, the last and the first */
            CHECK_FLOATS(ash_index(x, places), 40, 40);
        }
        if (here.storage == ASH_PRIVATE) {
            CHECK(isnan(ash_get_f32(x, 0)));
            CHECK_ERROR_PARTS(ASH_ERR_SCALAR_ACCESS, "ash_get_f32: ", "ash_allow_scalar", "ASH_ALLOW_SCALAR");
        }
        ASH_ALLOW_SCALAR;
        CHECK(ash_get_f32(x, 0) == 40 && ash_get_f32(x, (1 << 20) - 1) == 40 && ash_get_f32(tail, 0) == 40);
        if (!here_host_reaches()) {
            CHECK(!ash_map_host(x));
            CHECK_ERROR_PARTS(ASH_ERR_UNSUPPORTED, "ash_map_host: ", here.device, "private");
            continue;
        }
        const float *memory = ash_map_host(x);
        CHECK(memory && memory[12345] == 40);
        CHECK_OK(ash_unmap_host(x));
    }
}
static void a45_reads_wait(void **state)
{
    (void)state;
    everywhere(reads_wait, false);
}

static void *read_back(void *array)
{
    static double host[10];
    return ash_to_host(array, host, sizeof host) == ASH_OK ? host : NULL;
}
static void uploads(void)
{
    for (int round = 0; round < 1000 / SLOW; round++) {
        ASH_SCOPE(scope);
        double *host = malloc(10 * sizeof *host);
        CHECK(host);
        for (int i = 0; i < 10; i++)
            host[i] = i + 1;
        ash_array *a = ash_from_host(host, ASH_F64, ASH_SHAPE(5, 2));
        for (int i = 0; i < 10; i++)
            host[i] = -1;
        free(host);
        CHECK_FLOATS(a, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
        if (round % 50 == 0) {
            pthread_t thread;
            void *back = NULL;
            CHECK(pthread_create(&thread, NULL, read_back, a) == 0 && pthread_join(thread, &back) == 0 && back);
            for (int i = 0; i < 10; i++)
                CHECK(((double *)back)[i] == i + 1);
        }
    }
    const int64_t n = 8 << 20; /* 64 MB */
    double *large = malloc((size_t)n * sizeof *large);
    CHECK(large);
    for (int64_t i = 0; i < n; i++)
        large[i] = (double)(i % 1000);
    ash_array *a = ash_from_host(large, ASH_F64, ASH_SHAPE(n));
    memset(large, 0xff, (size_t)n * sizeof *large);
    free(large);
    CHECK(ash_item_f64(ash_sum(a)) == 8388 * 499500.0 + 607 * 608 / 2);
}
static void a46_uploads(void **state)
{
    (void)state;
    everywhere(uploads, true);
}

/* Two threads with queues of their own pass blocks through one pool; each must see its own values only. */
static void *fill_and_drop(void *unused)
{
    (void)unused;
    ash_resources *queue = ash_resources_new("cpu:0");
    for (int round = 0; queue && round < 1000 / SLOW; round++) {
        ash_array *a = ash_empty(ASH_SHAPE(10000), .resources = queue);
        ash_map_into_with(a, "x -> 123f", ASH_OPERANDS(a), .resources = queue);
        ash_release(a);
    }
    ash_resources_release(queue);
    return ash_failed() ? NULL : "done";
}
static void *fill_and_look(void *unused)
{
    (void)unused;
    bool right = true;
    ash_resources *queue = ash_resources_new("cpu:0");
    for (int round = 0; queue && round < 1000 / SLOW; round++) {
        float host[10000];
        ash_array *a = ash_empty(ASH_SHAPE(10000), .resources = queue);
        ash_fill(a, 7, .resources = queue);
        ash_array *b = ash_map("x -> 2*x", a);
        right = right && ash_to_host(b, host, sizeof host) == ASH_OK;
        for (int i = 0; i < 10000; i++)
            right = right && host[i] == 14;
        ash_release(a);
        ash_release(b);
    }
    ash_resources_release(queue);
    return right && !ash_failed() ? "done" : NULL;
}
static void a47_blocks_of_two_queues(void **state)
{
    (void)state;
    pthread_t a, b;
    void *done_a = NULL, *done_b = NULL;
    CHECK(pthread_create(&a, NULL, fill_and_drop, NULL) == 0 && pthread_create(&b, NULL, fill_and_look, NULL) == 0);
    CHECK(pthread_join(a, &done_a) == 0 && pthread_join(b, &done_b) == 0);
    CHECK(done_a && done_b);
}

static ash_array *bytes(int64_t n) { return ash_empty(ASH_SHAPE(n), .dtype = ASH_U8); }

static void blocks_come_back(void)
{
    static ash_array *held[1024];
    const size_t start = pool().in_use;
    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < 1024; i++)
            CHECK((held[i] = bytes(512 * (i + 1))) != NULL);
        CHECK(pool().in_use >= start + 512u * 1024 * 1025 / 2);
        for (int i = 0; i < 1024; i++) /* every other one first: neighbours are freed last */
            ash_release(held[i / 512 + 2 * (i % 512)]);
        CHECK(pool().in_use == start);
    }
    ash_release(bytes(512 * 2048));
    ash_array *a = bytes(512 * 1024), *b = bytes(1024);
    CHECK(a && b);
    ash_release(a);
    ash_release(b);
    CHECK(pool().in_use == start);
}
static void temporaries_do_not_pile_up(void)
{
    const int64_t n = 10 << 20; /* 40 MB */
    CHECK_OK(ash_pool_trim(ash_default_device(), 0));
    CHECK(pool().cached == 0);
    const size_t start = pool().in_use;
    ash_array *x = ash_fill_new(ASH_SHAPE(n), 0.5f);
    for (int i = 0; i < 1000; i++) {
        ash_array *y = ash_empty(ASH_SHAPE(n));
        CHECK(y);
        ash_release(y);
    }
    for (int i = 0; i < 20 / SLOW; i++) {
        ash_array *y = ash_map("sin", x);
        CHECK(y);
        ash_release(y);
    }
    CHECK(pool().in_use + pool().cached <= start + 4u * 40 * (1 << 20));
    ash_release(x);
    CHECK(pool().in_use == start);
    CHECK_OK(ash_pool_trim(ash_default_device(), 0));
    CHECK(pool().cached == 0 && pool().in_use == start);
}
static void small_and_empty_blocks(void)
{
    const size_t start = pool().in_use;
    static const int64_t sizes[] = {32, 0, 1, 16, 63, 64, 65, 256};
    for (int i = 0; i < COUNT(sizes); i++) {
        ash_array *a = bytes(sizes[i]);
        CHECK(a && ash_nbytes(a) == (size_t)sizes[i]);
        ASH_ALLOW_SCALAR;
        if (sizes[i] > 0)
            CHECK((uintptr_t)ash_map_host(a) % 64 == 0 && ash_unmap_host(a) == ASH_OK);
        ash_release(a);
    }
    CHECK(pool().in_use == start);
}
static void a48_everything_comes_back(void **state)
{
    (void)state;
    for (int s = 0; s < COUNT(storages); s++) { /* the caller owns every array: no scope */
        here.storage = storages[s];
        CHECK_OK(ash_set_default_storage(storages[s]));
        blocks_come_back();
        temporaries_do_not_pile_up();
        small_and_empty_blocks();
    }
    CHECK_OK(ash_set_default_storage(ASH_SHARED));
}

/* ---- what threads keep for themselves is neither lost nor counted as in use */

enum { KEPT = 50 };
static pthread_barrier_t met;

/* Small blocks of many sizes: some go back while all others of their size are out, some one by one. */
static void *make_and_drop(void *unused)
{
    (void)unused;
    ash_array *a[KEPT];
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < KEPT; i++)
            a[i] = ash_zeros(ASH_SHAPE(1 + i * 23));
        for (int i = 0; i < KEPT; i++)
            ash_release(a[i]);
    }
    pthread_barrier_wait(&met); /* the other thread looks now */
    pthread_barrier_wait(&met);
    return ash_failed() ? NULL : "done";
}

static void threads_keep_blocks(void **state)
{
    (void)state;
    pthread_t thread;
    void *answer = NULL;
    CHECK(pthread_barrier_init(&met, NULL, 2) == 0);
    const ash_pool_info start = pool();
    CHECK(pthread_create(&thread, NULL, make_and_drop, NULL) == 0);
    pthread_barrier_wait(&met);
    const ash_pool_info during = pool();
    CHECK(during.in_use == start.in_use && during.cached > 0 && during.requests == start.requests + 3 * KEPT);
    pthread_barrier_wait(&met);
    CHECK(pthread_join(thread, &answer) == 0 && answer);
    const ash_pool_info after = pool();
    CHECK(after.in_use == start.in_use && after.cached == during.cached && after.hits == during.hits);
    CHECK_OK(ash_pool_trim(ash_default_device(), 0));
    CHECK(pool().cached == 0 && pool().in_use == start.in_use);
    pthread_barrier_destroy(&met);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(a45_reads_wait), TEST(a46_uploads), TEST(a47_blocks_of_two_queues),
                                       TEST(a48_everything_comes_back), TEST(threads_keep_blocks)};
    return cmocka_run_group_tests_name("cases: memory", tests, NULL, NULL);
}
