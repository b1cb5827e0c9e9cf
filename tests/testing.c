/*
 * testing.c (test) - queues held busy, and counts of what was given back: on every device there is.
 */
#include <pthread.h>
#include <stdatomic.h>
#include <time.h>

#include "ashlar/testing.h"
#include "test.h"

static ash_ended ended(void)
{
    ash_ended e;
    CHECK_OK(ash_count_ended(&e, sizeof e));
    return e;
}

static void arguments(void **state)
{
    (void)state;
    CHECK(ash_count_ended(NULL, 0) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_count_ended: ended is NULL");
    CHECK(ash_queue_hold(NULL) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_queue_hold: resources is NULL");
    ash_queue_resume(NULL);
    CHECK(!ash_failed());
    ash_ended older = {.resources = 7, .failures = 7}; /* a caller that knows the first count only */
    CHECK_OK(ash_count_ended(&older, sizeof older.buffers));
    CHECK(older.resources == 7 && older.failures == 7);
}

/* Arrays share buffers, which share resources: each counts when its last holder goes. */
static void counts_on(const char *device)
{
    const ash_ended before = ended();
    ash_resources *r = ash_resources_new(device);
    ash_array *a = ash_empty(ASH_SHAPE(10), .resources = r);
    ash_array *v = ash_slice(a, 2, 5);
    ash_array *large = ash_empty(ASH_SHAPE(16 << 20), .resources = r);
    CHECK(r && a && v && large);
    ash_resources_release(r);
    ash_release(a);
    CHECK(ended().buffers == before.buffers && ended().resources == before.resources);
    ash_release(v);
    CHECK(ended().buffers == before.buffers + 1 && ended().resources == before.resources);
    CHECK_OK(ash_discard(large));
    CHECK(ended().buffers == before.buffers + 2 && ended().resources == before.resources);
    ash_release(large);
    CHECK(ended().buffers == before.buffers + 2 && ended().resources == before.resources + 1);
    CHECK_OK(ash_pool_trim(ash_device_open(device), 0));
    CHECK(ended().failures == before.failures && ended().failures == 0);
}

typedef struct waiter {
    ash_resources *resources;
    ash_array *array; /* NULL: waits for the resources */
    atomic_bool done;
} waiter;

static void *wait_in_thread(void *w)
{
    waiter *const mine = w;
    const ash_status status = mine->array ? ash_wait(mine->array) : ash_sync(mine->resources);
    atomic_store(&mine->done, true);
    return status ? mine : NULL;
}

static void pause_ms(int ms)
{
    nanosleep(&(struct timespec){.tv_nsec = ms * 1000000L}, NULL);
}

static void holds_on(const char *device)
{
    ash_resources *r = ash_resources_new(device), *other = ash_resources_new(device);
    ash_array *a = ash_zeros(ASH_SHAPE(3), .resources = r);
    CHECK(a);
    CHECK_OK(ash_sync(r)); /* of the zeros */
    CHECK(ash_query(r));
    CHECK_OK(ash_queue_hold(r));
    CHECK_OK(ash_queue_hold(r)); /* holds are counted */
    CHECK(!ash_query(r) && ash_query(other));
    CHECK_OK(ash_sync(other));
    float host[3] = {1, 1, 1};
    CHECK_OK(ash_fill(a, 2.0f)); /* work goes on */
    waiter waits[2] = {{.resources = r}, {.array = a}};
    pthread_t threads[2];
    for (int i = 0; i < 2; i++)
        CHECK(pthread_create(&threads[i], NULL, wait_in_thread, &waits[i]) == 0);
    pause_ms(20);
    ash_queue_resume(r);
    pause_ms(20);
    CHECK(!ash_query(r) && !atomic_load(&waits[0].done) && !atomic_load(&waits[1].done));
    ash_queue_resume(r);
    for (int i = 0; i < 2; i++) {
        void *failure = r;
        CHECK(pthread_join(threads[i], &failure) == 0 && !failure && atomic_load(&waits[i].done));
    }
    ash_queue_resume(r); /* not held: nothing happens */
    CHECK(ash_query(r));
    CHECK_OK(ash_to_host(a, host, sizeof host));
    CHECK(host[0] == 2 && host[2] == 2);
    ash_release(a);

    const int64_t gone = ended().resources; /* a hold keeps what it holds */
    CHECK_OK(ash_queue_hold(r));
    ash_resources_release(r);
    CHECK(ended().resources == gone);
    ash_queue_resume(r);
    CHECK(ended().resources == gone + 1);
    ash_resources_release(other);
}

/* Whatever can be opened here. */
static void on_devices(void (*check)(const char *device))
{
    for (int64_t i = 0; i < ash_device_count(); i++) {
        const ash_device *device = ash_device_at(i);
        if (device)
            check(ash_device_name(device));
        else
            ash_error_clear();
    }
}
static void counts(void **state)
{
    (void)state;
    on_devices(counts_on);
}
static void holds(void **state)
{
    (void)state;
    on_devices(holds_on);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(arguments), cmocka_unit_test(counts), cmocka_unit_test(holds)};
    return cmocka_run_group_tests_name("testing", tests, NULL, NULL);
}
