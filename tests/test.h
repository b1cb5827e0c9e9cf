/*
 * test.h - what the tests share: checks that name the place they ran in, exact texts, values read back whatever the storage
 * and the layout, and a loop over the places (device, storage) that every case has to hold in.
 *
 * Each test starts and ends the same way (TEST): inside a barrier, so that results belong to the test as they would belong
 * to a program without scopes; at its end no error may be pending and no array may be left.
 */
#ifndef ASHLAR_TEST_H
#define ASHLAR_TEST_H
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <ashlar/ashlar.h>

#include "checkers.h"

#define TEST_USE __attribute__((unused)) /* no test file uses all of this */
#define COUNT(list) ((int)(sizeof(list) / sizeof(list)[0]))

/* How much slower a checker makes the run: fewer rounds under it say the same. */
#ifndef EMULATED
#define EMULATED 0 /* the build says so that is run by an emulator */
#endif
enum { SLOW = ADDRESS_SANITIZER || THREAD_SANITIZER || EMULATED ? 10 : 1 };

typedef struct test_place {
    const char *device;
    ash_storage storage;
} test_place;
static test_place here = {"cpu:0", ASH_SHARED};

TEST_USE static bool here_has_f64(void)
{
    return !strstr(here.device, "f64=off");
}

/* What a device has no kernel for, and all that needs addresses, is for the host; it cannot reach what is private there. */
TEST_USE static bool here_host_reaches(void)
{
    return here.storage == ASH_SHARED || strncmp(here.device, "cpu:", 4) == 0;
}

typedef struct test_state {
    int64_t barrier, live, resources; /* resources: mark of a block that a failed test may have left open, or -1 */
} test_state;
static test_state test_now = {-1, 0, -1};

/* ---- checks -------------------------------------------------------------------------------------------------------------- */

__attribute__((noreturn, format(printf, 3, 4))) TEST_USE static void fail_here(const char *file, int line, const char *format,
                                                                               ...)
{
    char text[2048];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    const char *pending = ash_failed() ? ash_error_text() : "";
    print_error("on %s, %s storage: %s%s%s\n", here.device, here.storage == ASH_PRIVATE ? "private" : "shared", text,
                *pending ? "\n  pending: " : "", pending);
    _fail(file, line);
    abort(); /* not reached: _fail does not return */
}
#define FAIL(...) fail_here(__FILE__, __LINE__, __VA_ARGS__)
#define CHECK(c) ((c) ? (void)0 : fail_here(__FILE__, __LINE__, "%s", #c))
#define CHECK_OK(call) check_ok((call), #call, __FILE__, __LINE__)
#define NO_ERROR() CHECK(!ash_failed())

TEST_USE static void check_ok(ash_status status, const char *what, const char *file, int line)
{
    if (status != ASH_OK)
        fail_here(file, line, "%s: %s", what, ash_status_name(status));
}

/* The pending error has this status and exactly this text; both are taken. */
TEST_USE static void check_error(ash_status status, const char *want, bool whole, const char *file, int line)
{
    ash_error e;
    char text[sizeof e.function + sizeof e.cause + 2];
    if (!ash_error_take(&e, sizeof e))
        fail_here(file, line, "no error is pending; wanted: %s", want);
    snprintf(text, sizeof text, "%s: %s", e.function, e.cause);
    if (e.status != status)
        fail_here(file, line, "status %s, not %s; text: %s", ash_status_name(e.status), ash_status_name(status), text);
    if (whole ? strcmp(text, want) != 0 : strstr(text, want) == NULL)
        fail_here(file, line, "error text\n  got  %s\n  want %s", text, want);
}
#define CHECK_ERROR(status, text) check_error(status, text, true, __FILE__, __LINE__)
#define CHECK_ERROR_HAS(status, part) check_error(status, part, false, __FILE__, __LINE__)

/* The pending error has this status, and its text has every one of the parts. */
TEST_USE static void check_error_parts(ash_status status, const char *const *part, int count, const char *file, int line)
{
    ash_error e;
    char text[sizeof e.function + sizeof e.cause + 2];
    if (!ash_error_take(&e, sizeof e))
        fail_here(file, line, "no error is pending");
    snprintf(text, sizeof text, "%s: %s", e.function, e.cause);
    if (e.status != status)
        fail_here(file, line, "status %s, not %s; text: %s", ash_status_name(e.status), ash_status_name(status), text);
    for (int i = 0; i < count; i++)
        if (!strstr(text, part[i]))
            fail_here(file, line, "error text lacks \"%s\": %s", part[i], text);
}
#define CHECK_ERROR_PARTS(status, ...)                                                                          \
    check_error_parts(status, (const char *const[]){__VA_ARGS__}, COUNT(((const char *const[]){__VA_ARGS__})), \
                      __FILE__, __LINE__)

/* ---- texts --------------------------------------------------------------------------------------------------------------- */

TEST_USE static void check_text(const ash_array *a, const char *want, const char *file, int line)
{
    char text[8192];
    if (!a)
        fail_here(file, line, "NULL; wanted %s", want);
    const size_t n = ash_format(text, sizeof text, a);
    if (strcmp(text, want) != 0)
        fail_here(file, line, "text\n  got  %s\n  want %s", text, want);
    if (n != strlen(want))
        fail_here(file, line, "ash_format answered %zu for a text of %zu bytes", n, strlen(want));
}
/* want: as on cpu:0 with shared storage. */
TEST_USE static void check_text_here(const ash_array *a, const char *want, const char *file, int line)
{
    char adapted[8192];
    const char *device = strstr(want, "cpu:0");
    if (!device)
        fail_here(file, line, "the wanted text has no device: %s", want);
    snprintf(adapted, sizeof adapted, "%.*s%s%s%s", (int)(device - want), want, here.device,
             here.storage == ASH_PRIVATE ? " private" : "", device + strlen("cpu:0"));
    check_text(a, adapted, file, line);
}
#define CHECK_TEXT(a, text) check_text(a, text, __FILE__, __LINE__)
#define CHECK_TEXT_HERE(a, text) check_text_here(a, text, __FILE__, __LINE__)

/* ---- values: read back as f64 or i64 in row-major order; a NaN equals a NaN ------------------------------------------------
 */

TEST_USE static void check_shape(const ash_array *a, const int64_t *want, int64_t rank, const char *file, int line)
{
    if (!a)
        fail_here(file, line, "NULL where an array of rank %" PRId64 " was wanted", rank);
    bool same = ash_rank(a) == rank;
    for (int64_t k = 0; same && k < rank; k++)
        same = ash_shape(a)[k] == want[k];
    if (!same)
        fail_here(file, line, "shape %s", ash_shape_text(a));
}
#define CHECK_SHAPE(a, ...) \
    check_shape(a, (const int64_t[]){0, __VA_ARGS__} + 1, COUNT(((const int64_t[]){0, __VA_ARGS__})) - 1, __FILE__, __LINE__)
#define CHECK_SCALAR(a) check_shape(a, NULL, 0, __FILE__, __LINE__)

TEST_USE static void check_strides(const ash_array *a, const int64_t *want, int64_t rank, const char *file, int line)
{
    if (!a)
        fail_here(file, line, "NULL where an array of rank %" PRId64 " was wanted", rank);
    for (int64_t k = 0; k < rank; k++)
        if (ash_strides(a)[k] != want[k])
            fail_here(file, line, "stride %" PRId64 " of axis %" PRId64 ", not %" PRId64, ash_strides(a)[k], k, want[k]);
}
#define CHECK_STRIDES(a, ...) \
    check_strides(a, (const int64_t[]){__VA_ARGS__}, COUNT(((const int64_t[]){__VA_ARGS__})), __FILE__, __LINE__)

TEST_USE static void check_floats(const ash_array *a, const double *want, int64_t n, const char *file, int line)
{
    if (!a || ash_size(a) != n)
        fail_here(file, line, "%s where %" PRId64 " elements were wanted", a ? ash_shape_text(a) : "NULL", n);
    double *got = calloc((size_t)n + 1, sizeof *got);
    if (ash_to_host_as(a, got, (size_t)n * sizeof *got, ASH_F64) != ASH_OK)
        fail_here(file, line, "ash_to_host_as failed");
    for (int64_t i = 0; i < n; i++)
        if (!(got[i] == want[i] || (isnan(got[i]) && isnan(want[i])))) {
            const double value = got[i];
            free(got);
            fail_here(file, line, "element %" PRId64 " is %.17g, not %.17g", i, value, want[i]);
        }
    free(got);
}
#define CHECK_FLOATS(a, ...) \
    check_floats(a, (const double[]){__VA_ARGS__}, COUNT(((const double[]){__VA_ARGS__})), __FILE__, __LINE__)

TEST_USE static void check_ints(const ash_array *a, const int64_t *want, int64_t n, const char *file, int line)
{
    if (!a || ash_size(a) != n)
        fail_here(file, line, "%s where %" PRId64 " elements were wanted", a ? ash_shape_text(a) : "NULL", n);
    int64_t *got = calloc((size_t)n + 1, sizeof *got);
    if (ash_to_host_as(a, got, (size_t)n * sizeof *got, ASH_I64) != ASH_OK)
        fail_here(file, line, "ash_to_host_as failed");
    for (int64_t i = 0; i < n; i++)
        if (got[i] != want[i]) {
            const int64_t value = got[i];
            free(got);
            fail_here(file, line, "element %" PRId64 " is %" PRId64 ", not %" PRId64, i, value, want[i]);
        }
    free(got);
}
#define CHECK_INTS(a, ...) \
    check_ints(a, (const int64_t[]){__VA_ARGS__}, COUNT(((const int64_t[]){__VA_ARGS__})), __FILE__, __LINE__)

/* Every element is x. */
TEST_USE static void check_all(const ash_array *a, double x, const char *file, int line)
{
    if (!a)
        fail_here(file, line, "NULL where an array was wanted");
    const int64_t n = ash_size(a);
    double *want = calloc((size_t)n + 1, sizeof *want);
    for (int64_t i = 0; i < n; i++)
        want[i] = x;
    check_floats(a, want, n, file, line);
    free(want);
}
#define CHECK_ALL(a, x) check_all(a, x, __FILE__, __LINE__)

/* Distance in units in the last place; the same for equal numbers, two NaN or two equal infinities; else the most there is. */
TEST_USE static int64_t ulps_f64(double a, double b)
{
    int64_t i, k;
    if (a == b || (isnan(a) && isnan(b)))
        return 0;
    if (isnan(a) || isnan(b) || isinf(a) || isinf(b))
        return INT64_MAX;
    memcpy(&i, &a, sizeof i);
    memcpy(&k, &b, sizeof k);
    if ((i < 0) != (k < 0))
        return INT64_MAX;
    return i < k ? k - i : i - k;
}
TEST_USE static int64_t ulps_f32(float a, float b)
{
    int32_t i, k;
    if (a == b || (isnan(a) && isnan(b)))
        return 0;
    if (isnan(a) || isnan(b) || isinf(a) || isinf(b))
        return INT64_MAX;
    memcpy(&i, &a, sizeof i);
    memcpy(&k, &b, sizeof k);
    if ((i < 0) != (k < 0))
        return INT64_MAX;
    return i < k ? (int64_t)k - i : (int64_t)i - k;
}
#define CHECK_ULPS(got, want, most)                                                                               \
    do {                                                                                                          \
        const double got_ = (got), want_ = (want);                                                                \
        if (ulps_f64(got_, want_) > (most))                                                                       \
            FAIL("%s is %.17g (%a), not %.17g within %d ulp", #got, got_, got_, want_, (int)(most));              \
    } while (0)
#define CHECK_ULPS_F32(got, want, most)                                                                           \
    do {                                                                                                          \
        const float got_ = (got), want_ = (want);                                                                 \
        if (ulps_f32(got_, want_) > (most))                                                                       \
            FAIL("%s is %.9g (%a), not %.9g within %d ulp", #got, (double)got_, (double)got_, (double)want_,      \
                 (int)(most));                                                                                    \
    } while (0)
#define CHECK_NEAR(got, want, relative)                                                                           \
    do {                                                                                                          \
        const double got_ = (got), want_ = (want);                                                                \
        if (!(fabs(got_ - want_) <= (relative) * fabs(want_)))                                                    \
            FAIL("%s is %.17g, not %.17g within %g", #got, got_, want_, (double)(relative));                      \
    } while (0)

/* The one element that a has. */
TEST_USE static double value_of(const ash_array *a)
{
    double x = NAN;
    if (!a || ash_size(a) != 1)
        FAIL("%s where one element was wanted", a ? ash_shape_text(a) : "NULL");
    CHECK_OK(ash_to_host_as(a, &x, sizeof x, ASH_F64));
    return x;
}

/* ---- dtypes, layouts, places ----------------------------------------------------------------------------------------------
 */

TEST_USE static const ash_layout layouts[] = {ASH_ROW_MAJOR, ASH_COL_MAJOR};
TEST_USE static const ash_storage storages[] = {ASH_SHARED, ASH_PRIVATE};
#define EACH_LAYOUT(layout) (ash_layout layout = ASH_ROW_MAJOR; layout <= ASH_COL_MAJOR; layout = (ash_layout)(layout + 1))
#define EACH_DTYPE(dtype, first, last) (ash_dtype dtype = first; dtype <= last; dtype = (ash_dtype)(dtype + 1))

/* 0, 1, 2 ... n - 1 plus start in row-major order of the shape, through the host in f64: exact for what a dtype holds. */
TEST_USE static ash_array *counting(double start, ash_dtype dtype, ash_dims shape, ash_layout layout)
{
    int64_t n = 1;
    for (int64_t k = 0; k < shape.rank; k++)
        n *= shape.size[k];
    double *value = calloc((size_t)n + 1, sizeof *value);
    for (int64_t i = 0; i < n; i++)
        value[i] = start + (double)i;
    ash_array *a = ash_from_host(value, ASH_F64, shape, .dtype = dtype, .layout = layout);
    free(value);
    return a;
}

/* cpu:0, or the device that ASHLAR_TEST_DEVICE names: "opencl:0". A test is skipped where that is not there. */
TEST_USE static const char *test_device(void)
{
    const char *const name = getenv("ASHLAR_TEST_DEVICE");
    if (name && *name && !ash_device_open(name)) {
        print_message("skipped: %s\n", ash_error_text());
        skip();
    }
    return name && *name ? name : "cpu:0";
}

/* ASHLAR_TEST_FILTER=a??* runs only the tests that are named so: the cases of a program on a device where all would be slow. */
__attribute__((constructor)) TEST_USE static void set_filter(void)
{
    if (getenv("ASHLAR_TEST_FILTER"))
        cmocka_set_test_filter(getenv("ASHLAR_TEST_FILTER"));
}

/* Runs body with this device and storage. */
TEST_USE static void run_at(const char *device, ash_storage storage, void (*body)(void))
{
    ash_resources *resources = ash_resources_new(device);
    CHECK(resources);
    here = (test_place){device, storage};
    test_now.resources = ash_resources_push(resources);
    ash_resources_release(resources);
    CHECK_OK(ash_set_default_storage(storage));
    {
        ASH_SCOPE(scope);
        body();
    }
    NO_ERROR();
    ash_resources_pop(test_now.resources);
    test_now.resources = -1;
    CHECK_OK(ash_set_default_storage(ASH_SHARED));
    here = (test_place){"cpu:0", ASH_SHARED};
}

/* Runs body with cpu:0 and, where it needs no f64, with a device that lacks it; with shared and with private storage. */
TEST_USE static void everywhere(void (*body)(void), bool f64)
{
    static char weak[64];
    const char *const devices[] = {test_device(), weak};
    snprintf(weak, sizeof weak, "%.48s?f64=off", devices[0]);
    for (int d = 0; d < (f64 ? 1 : 2); d++)
        for (int s = 0; s < COUNT(storages); s++)
            run_at(devices[d], storages[s], body);
}

/* ---- the frame of each test ------------------------------------------------------------------------------------------------
 */

TEST_USE static int test_begin(void **state)
{
    (void)state;
    here = (test_place){"cpu:0", ASH_SHARED};
    ash_error_clear();
    test_now = (test_state){ash_scope_open_barrier(), ash_live_arrays(), -1};
    return 0;
}
TEST_USE static int test_end(void **state)
{
    (void)state;
    if (test_now.resources >= 0)
        ash_resources_pop(test_now.resources);
    ash_set_default_storage(ASH_SHARED);
    const bool pending = ash_failed();
    if (pending)
        print_error("an error is still pending: %s\n", ash_error_text());
    ash_scope_close(test_now.barrier);
    if (ash_live_arrays() != test_now.live)
        print_error("%" PRId64 " arrays are left over\n", ash_live_arrays() - test_now.live);
    return pending || ash_live_arrays() != test_now.live;
}
/* 0 to 14 as a matrix of 3 by 5, of bool whether 3 divides them; NULL where the device does not have the dtype. */
TEST_USE static ash_array *fifteen_numbers(ash_dtype dtype)
{
    if (!ash_device_can(ash_resources_device(ash_current_resources()), ASH_CAP_F64) &&
        (dtype == ASH_F64 || dtype == ASH_C_F64))
        return NULL;
    ash_array *numbers = ash_convert(ash_reshape(ash_range(0, 15), ASH_SHAPE(3, 5)), ASH_I8);
    return dtype == ASH_BOOL ? ash_map("x -> x % 3 == 0", numbers) : ash_convert(numbers, dtype);
}

/* A test that runs a body everywhere. */
#define EVERYWHERE(name, body)     \
    static void name(void **state) \
    {                              \
        (void)state;               \
        everywhere(body, false);   \
    }
#define TEST(function) cmocka_unit_test_setup_teardown(function, test_begin, test_end)
#endif
