/*
 * devices.h - what tests of a device share: results beside those of cpu:0, elements of all kinds, and what a trace says.
 */
#ifndef DEVICES_H
#define DEVICES_H
#include "test.h"

#include <unistd.h>

#include "xorshift.h"

enum { SKIPPED = 77 };
static const char *device = "opencl:0"; /* or what ASHLAR_TEST_DEVICE names */

__attribute__((constructor)) static void choose_device(void)
{
    const char *const given = getenv("ASHLAR_TEST_DEVICE");
    device = given && *given ? given : device;
}

/* Why a test program of devices has to be skipped is printed. */
TEST_USE static bool device_is_missing(const char *program)
{
    if (THREAD_SANITIZER)
        printf("%s: skipped: drivers and their threads are not seen by the thread sanitizer\n", program);
    else if (!ash_device_open(device))
        printf("%s: skipped: %s\n", program, ash_error_text());
    else
        return false;
    return true;
}

/* ---- the same on both devices */

TEST_USE static const char *host_or_device(int d)
{
    return d ? device : "cpu:0";
}

static inline bool is_nan_at(const unsigned char *p, ash_dtype dtype)
{
    uint16_t h;
    float f;
    double d;
    memcpy(&h, p, sizeof h);
    switch (dtype) {
    case ASH_F16:
        return (h & 0x7fff) > 0x7c00;
    case ASH_BF16:
        return (h & 0x7fff) > 0x7f80;
    case ASH_F32:
        return memcpy(&f, p, sizeof f), isnan(f);
    case ASH_F64:
        return memcpy(&d, p, sizeof d), isnan(d);
    default:
        return false;
    }
}

/* Elements in row-major order; complex ones by parts. The first that differs, or -1. */
static inline int64_t first_difference(const ash_array *a, const ash_array *b)
{
    if (!a || !b || ash_dtype_of(a) != ash_dtype_of(b) || ash_size(a) != ash_size(b))
        return 0;
    const ash_dtype dtype = ash_dtype_of(a), part = dtype >= ASH_C_I8 ? (ash_dtype)(dtype - ASH_C_I8 + ASH_I8) : dtype;
    const size_t nbytes = (size_t)ash_size(a) * ash_dtype_size(dtype), item = ash_dtype_size(part);
    unsigned char *x = calloc(1, nbytes + 16), *y = calloc(1, nbytes + 16);
    int64_t at = -1;
    CHECK_OK(ash_to_host(a, x, nbytes));
    CHECK_OK(ash_to_host(b, y, nbytes));
    for (size_t i = 0; i < nbytes && at < 0; i += item)
        if (memcmp(x + i, y + i, item) != 0 && !(is_nan_at(x + i, part) && is_nan_at(y + i, part)))
            at = (int64_t)(i / item);
    free(x);
    free(y);
    return at;
}

TEST_USE static ash_resources *on(const char *name)
{
    ash_resources *r = ash_resources_new(name);
    CHECK(r);
    return r;
}

/* Random bits, and the values at the ends; of bool 0 and 1. */
enum { MANY = 601 };
static inline void random_elements(void *to, ash_dtype dtype)
{
    static const float special[] = {
        0.0f,  -0.0f,    1.0f,     -1.0f,         0.5f,           -0.5f,         1.5f,    2.5f,        INFINITY, -INFINITY,
        NAN,   127.5f,   -128.5f,  255.5f,        32767.5f,       2147483648.0f, 9.3e18f, -9.3e18f,    1.9e19f,  1e-40f,
        6e-8f, 65519.0f, 65520.0f, 4294967296.0f, -2147483904.0f, 16777217.0f,   1e30f,   0.49999997f,
    };
    unsigned char *p = to;
    const size_t item = ash_dtype_size(dtype);
    for (int64_t i = 0; i < MANY; i++, p += item) {
        const uint64_t bits = next_random();
        const float f = special[bits % (uint64_t)COUNT(special)];
        const double d = f;
        const uint64_t top = 1ull << (8 * item - 1);
        const uint64_t ends[] = {0, 1, UINT64_MAX, top, top - 1}, end = ends[bits % (uint64_t)COUNT(ends)];
        if (dtype == ASH_BOOL)
            *p = bits & 1;
        else if (i % 3 == 0 && dtype == ASH_F32)
            memcpy(p, &f, item);
        else if (i % 3 == 0 && dtype == ASH_F64)
            memcpy(p, &d, item);
        else if (i % 3 == 0 && dtype < ASH_F16)
            memcpy(p, &end, item);
        else
            memcpy(p, &bits, item);
    }
}

/* ---- what a trace says: stderr goes to a file meanwhile */

static FILE *trace_file;
static int kept_stderr;

TEST_USE static void trace_begin(void)
{
    trace_file = tmpfile();
    CHECK(trace_file);
    fflush(stderr);
    kept_stderr = dup(STDERR_FILENO);
    dup2(fileno(trace_file), STDERR_FILENO);
    ash_set_trace(true);
}

TEST_USE static const char *trace_end(void)
{
    static char text[131072];
    ash_set_trace(false);
    dup2(kept_stderr, STDERR_FILENO);
    close(kept_stderr);
    rewind(trace_file);
    text[fread(text, 1, sizeof text - 1, trace_file)] = 0;
    fclose(trace_file);
    return text;
}
#endif
