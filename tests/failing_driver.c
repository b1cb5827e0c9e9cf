/*
 * failing_driver.c - every call of the driver fails in turn: while a device is opened, and in each kind of kernel.
 *
 * A call of the library that fails has an error with its own name, OpenCL's function and code; or it did without. Afterwards
 * arguments are what they were, nothing of the driver's is left over, and the same call has the right result. Memory that the
 * driver does not have is asked for again after what is queued and what the pool keeps. Skipped where the layer or a device is
 * not there.
 */
#include "gpu_once.h"

#include <dlfcn.h>
#include <sys/wait.h>

#include "opencl_layer.h"

enum { MEMORY = 20000000, NEXT = 12 }; /* bytes that the layer lets the device have; calls one by one, and then every NEXTth */

static const layer_control *layer;

static bool find_layer(void)
{
    const char *const path = getenv("OPENCL_LAYERS");
    void *const handle = path && *path ? dlopen(path, RTLD_NOW) : NULL;
    layer = handle ? dlsym(handle, "opencl_layer") : NULL;
    return layer;
}

/* ---- opening, in children */

/* 0: no call failed any more; 1: one did, and all was well; 2: it was not. */
static int open_while_failing(int n)
{
    char settings[32];
    const pid_t child = fork();
    if (child == 0) {
        snprintf(settings, sizeof settings, "fail=%d", n);
        setenv("ASHLAR_LAYER", settings, 1);
        const bool opened = ash_device_open(device), failed = layer->failed();
        if (!opened && (!failed || !ash_failed() || strncmp(ash_error_text(), "ash_device_open: ", 17) != 0))
            fprintf(stderr, "call %d, %s: %s\n", n, failed ? layer->failed() : "none", ash_error_text()), _exit(2);
        layer->fail_at(0);
        ash_error_clear();
        if (opened && ash_item_f32(ash_sum(ash_fill_new(ASH_SHAPE(3), 2.0f, .resources = ash_resources_new(device)))) != 6)
            fprintf(stderr, "call %d, %s: %s\n", n, failed ? layer->failed() : "none", ash_error_text()), _exit(2);
        _exit(failed);
    }
    int end = 2;
    return waitpid(child, &end, 0) == child && WIFEXITED(end) ? WEXITSTATUS(end) : 2;
}

static bool opens(void)
{
    int state = 1;
    for (int n = 1; state == 1; n++)
        state = open_while_failing(n);
    return state == 0;
}

/* ---- each kind of kernel */

static void count_live(int64_t count[LAYER_KINDS])
{
    CHECK_OK(ash_sync(NULL));
    CHECK_OK(ash_pool_trim(ash_device_open(device), 0));
    for (int k = 0; k < LAYER_KINDS; k++)
        count[k] = layer->live((layer_kind)k);
}

/* The error of a call during which one of the driver's failed. */
static void check_failure(const char *name, int64_t n)
{
    ash_error e;
    char code[64];
    snprintf(code, sizeof code, "OpenCL's error %d", layer->code());
    if (!ash_error_take(&e, sizeof e))
        FAIL("%s: no error, though call %" PRId64 ", %s, failed", name, n, layer->failed());
    const bool told = strstr(e.cause, layer->failed()) && strstr(e.cause, code), full = strstr(e.cause, "has no memory for");
    if ((e.status != ASH_ERR_MEMORY && e.status != ASH_ERR_DEVICE) || strncmp(e.function, "ash_", 4) != 0 || !(told || full))
        FAIL("%s, call %" PRId64 ", %s: %s: %s", name, n, layer->failed(), e.function, e.cause);
}

/* Did no call fail? */
static bool run_failing(int call, int64_t n)
{
    ASH_SCOPE(scope);
    layer->fail_at(n ? n : INT64_MAX); /* by that, what failed before is forgotten */
    ash_array *const a = once_calls[call].run();
    const bool done = a && !ash_wait(a);
    layer->fail_at(0);
    const bool failed = layer->failed();
    if (!done && !failed)
        FAIL("%s fails although nothing was made to fail", once_calls[call].name);
    if (done)
        once_check_result(call, a);
    else
        check_failure(once_calls[call].name, n);
    return !failed;
}

static void each_call_fails(void)
{
    once_begin();
    for (int k = 0; k < COUNT(once_calls); k++) {
        int64_t before[LAYER_KINDS], after[LAYER_KINDS];
        CHECK(run_failing(k, 0));
        count_live(before);
        int64_t n = 1;
        for (; !run_failing(k, n); n += n < 10 * NEXT ? 1 : NEXT) {
            count_live(after);
            for (int kind = LAYER_QUEUES + 1; kind < LAYER_KINDS; kind++) /* queues are kept for the next resources */
                if (after[kind] != before[kind])
                    FAIL("%s, call %" PRId64 ", %s: %" PRId64 " objects of kind %d, not %" PRId64, once_calls[k].name, n,
                         layer->failed(), after[kind], kind, before[kind]);
        }
        once_check();
        CHECK(run_failing(k, 0));
    }
}

static void calls_private(void **state)
{
    (void)state;
    run_at(device, ASH_PRIVATE, each_call_fails);
}
static void calls_shared(void **state)
{
    (void)state;
    run_at(device, ASH_SHARED, each_call_fails);
}

/* ---- texts that are not compiled yet */

static void compiling(void **state)
{
    (void)state;
    ash_resources *const r = on(device);
    bool done = false;
    for (int n = 1; !done && n < 100; n++) {
        ASH_SCOPE(scope);
        char text[64];
        ash_array *const a = ash_fill_new(ASH_SHAPE(5), 3.0f, .resources = r);
        CHECK_OK(ash_wait(a));
        snprintf(text, sizeof text, "x -> x*x - %d.0f", n);
        layer->fail_at(n);
        ash_array *const b = ash_map(text, a);
        const bool made = b && !ash_wait(b);
        layer->fail_at(0);
        done = !layer->failed();
        CHECK(made || !done);
        if (!made)
            check_failure("ash_map", n);
        CHECK_ALL(ash_map(text, a), 9 - n);
    }
    CHECK(done);
    ash_resources_release(r);
}

/* ---- memory */

static void no_memory(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_resources *const r = on(device);
    ash_array *const a = ash_fill_new(ASH_SHAPE(1000), 3.0f, .resources = r);
    float host[1000] = {1};
    ash_array *const lent = ash_wrap(host, ASH_F32, 1000, ASH_SHAPE(1000), .resources = r);
    CHECK_OK(ash_wait(a));
    CHECK_OK(ash_pool_trim(ash_device_open(device), 0));
    layer->refuse("clCreateBuffer");
    CHECK(!ash_map_with("x -> x + 1f", ASH_OPERANDS(a), .storage = ASH_PRIVATE));
    CHECK_ERROR(ASH_ERR_MEMORY, "ash_map: opencl:0 has no memory for 4000 bytes");
    CHECK(!ash_map("x -> x + 1f", a)); /* host memory, which is shared with the device */
    CHECK_ERROR_PARTS(ASH_ERR_MEMORY, "ash_map: clCreateBuffer of ", " bytes failed with OpenCL's error -4, no memory");
    CHECK(ash_map_into(lent, "x -> x + 1f", lent) == ASH_ERR_MEMORY);
    CHECK_ERROR_PARTS(ASH_ERR_MEMORY, "ash_map_into: clCreateBuffer of ");
    layer->refuse("clEnqueueNDRangeKernel");
    CHECK(!ash_map("x -> x + 1f", a));
    CHECK_ERROR(ASH_ERR_MEMORY, "ash_map: clEnqueueNDRangeKernel failed with OpenCL's error -5, no memory");
    layer->refuse(NULL);
    CHECK_ALL(a, 3);
    CHECK(host[0] == 1);
    CHECK_ALL(ash_map("x -> x + 1f", a), 4);
    CHECK_OK(ash_map_into(lent, "x -> x + 1f", lent));
    CHECK(host[0] == 2 && host[999] == 1);
    ash_discard(lent);
    ash_resources_release(r);
}

/* What the pool keeps is given back where the driver has no more. */
static void pool_gives_way(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_resources *const r = on(device);
    for (int k = 0; k < 4; k++) { /* classes of blocks of different sizes, each half of the memory or more, and work on them */
        ash_array *a = ash_zeros(ASH_SHAPE(MEMORY / 8 + k * MEMORY / 50), .storage = ASH_PRIVATE, .resources = r);
        CHECK(a);
        CHECK_OK(ash_map_into(a, "x -> x + 1f", a));
        ash_release(a);
    }
    CHECK(!ash_zeros(ASH_SHAPE(MEMORY), .storage = ASH_PRIVATE, .resources = r));
    CHECK_ERROR_PARTS(ASH_ERR_MEMORY, "ash_zeros: opencl:0 has no memory for ", "bytes");
    CHECK_ALL(ash_fill_new(ASH_SHAPE(5), 1.0f, .storage = ASH_PRIVATE, .resources = r), 1);
    ash_resources_release(r);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(calls_private), TEST(calls_shared), TEST(compiling), TEST(no_memory), TEST(pool_gives_way),
    };
    char settings[32];
    if (!find_layer()) {
        printf("failing_driver: skipped: OPENCL_LAYERS does not name the layer of the tests\n");
        return SKIPPED;
    }
    if (!THREAD_SANITIZER && !opens())
        return 1;
    snprintf(settings, sizeof settings, "memory=%d", MEMORY);
    setenv("ASHLAR_LAYER", settings, 1);
    if (device_is_missing("failing_driver"))
        return SKIPPED;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
