/*
 * native_maps.c - maps and folds with native code against those without, whatever the layout.
 *
 * Two children compute the same list, one with ASHLAR_NATIVE=always and one with off, and leave results and errors in memory
 * that the parent compares, any NaN being equal to any NaN. Elements that code leaves to the interpreter (sines of large
 * numbers, divisions by zero) are strewn among the others.
 */
#include <math.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"
#include "xorshift.h"

enum { ROWS = 37, COLUMNS = 53, MANY = ROWS * COLUMNS, ROOM = 64 << 20, TEXT = 160 };

typedef struct record { /* of one result; its bytes follow */
    char name[TEXT];
    ash_dtype dtype;
    int64_t nbytes;
} record;

static char *next; /* where the next record goes */

static void put(const char *layout, const char *function, ash_dtype dtype, ash_array *result)
{
    record *const r = (record *)(void *)next;
    snprintf(r->name, sizeof r->name, "%s of %s, %s", function, ash_dtype_name(dtype), layout);
    r->nbytes = 0;
    if (ash_failed()) {
        snprintf(r->name, sizeof r->name, "%s", ash_error_text());
    } else {
        r->dtype = ash_dtype_of(result);
        r->nbytes = (int64_t)ash_nbytes(result);
        ash_to_host(result, r + 1, (size_t)r->nbytes);
    }
    next += sizeof *r + (size_t)(r->nbytes + 63) / 64 * 64;
    ash_release(result);
}

/* ---- operands */

static bool is_float(ash_dtype dtype)
{
    return dtype == ASH_F32 || dtype == ASH_F64 || dtype == ASH_F16 || dtype == ASH_BF16;
}

static double element(ash_dtype dtype, int kind, bool strewn)
{
    const double unit = (double)(next_random() >> 11) * 0x1p-53;
    static const double large[] = {0x1p17, -0x1p21, 1e30, INFINITY, NAN, 0, -0.0, 0x1p70};
    if (strewn && next_random() % 150 == 0)
        return is_float(dtype) ? large[next_random() % 8] : kind ? 0 : 0x1p62;
    if (is_float(dtype))
        return kind == 0 ? (unit - 0.5) * 100 : unit * 8 - 3;
    const double whole = floor((unit - 0.5) * (kind ? 40 : 200));
    return kind && whole == 0 ? 7 : dtype != ASH_U8 && dtype != ASH_U32 && dtype != ASH_U64 ? whole : fabs(whole);
}

/* n elements with those of `strewn` among them; kind 1: second operands, of integers not 0. */
static ash_array *operand(ash_dtype dtype, int64_t n, int kind, bool strewn)
{
    double *const x = malloc((size_t)n * sizeof *x);
    CHECK(x != NULL);
    for (int64_t k = 0; k < n; k++)
        x[k] = element(dtype, kind, strewn);
    ash_array *const wide = ash_from_host(x, ASH_F64, ASH_SHAPE(n));
    ash_array *const a = ash_convert(wide, dtype);
    free(x);
    ash_release(wide);
    return a;
}

/* ---- the list */

static void run_layouts(const char *function, ash_dtype dtype, bool strewn)
{
    static const int64_t few[] = {1, 3, 17, 64, 130, MANY};
    char text[TEXT];
    snprintf(text, sizeof text, "(x, y) -> %s", function);
    ash_array *const x = operand(dtype, 2 * MANY, 0, strewn), *const y = operand(dtype, 2 * MANY, 1, strewn);
    for (size_t k = 0; k < COUNT(few); k++) {
        ash_array *const a = ash_slice(x, 5, 5 + few[k]), *const b = ash_slice(y, 1, 1 + few[k]);
        put("dense", function, dtype, ash_map(text, a, b));
        ash_release(a);
        ash_release(b);
    }
    ash_array *const a = ash_slice(x, 0, 2 * MANY, .step = 2), *const b = ash_slice(y, 0, MANY);
    put("strided", function, dtype, ash_map(text, a, b));
    put("one for all", function, dtype, ash_map(text, b, 3));
    ash_array *const grid = ash_reshape(b, ASH_SHAPE(ROWS, COLUMNS)), *const turned = ash_transpose(grid);
    ash_array *const column = ash_slice(turned, 0, 1, .axes = ASH_AXES(1));
    put("turned", function, dtype, ash_map(text, turned, turned));
    put("rows", function, dtype, ash_map(text, turned, column));
    put("sum", function, dtype, ash_map_reduce(text, "+", a, b));
    put("sums of columns", function, dtype, ash_map_reduce_with(text, "+", ASH_OPERANDS(grid, grid), .axes = ASH_AXES(0)));
    static const char *const folds[] = {"*", "min", "max", "&&", "||"};
    for (size_t k = 0; k < COUNT(folds); k++)
        put(folds[k], function, dtype, ash_map_reduce(text, folds[k], a, b));
    ash_array *const over = ash_copy(b);
    ash_map_into(over, text, over, a);
    put("in place", function, dtype, over);
    ash_release(column);
    ash_release(turned);
    ash_release(grid);
    ash_release(a);
    ash_release(b);
    ash_release(x);
    ash_release(y);
}

static void run_list(void)
{
    static const char *const floats[] = {
        "sin(x)*y",
        "cos(x + y)",
        "tan(x)",
        "x % y",
        "mod(x, y) + 1",
        "remainder(x, y)",
        "exp(x)*y + 1",
        "ldexp(x, y)",
        "nextafter(x, y)",
        "f16(x*y) + x",
        "bf16(x) - y",
        "f16(x / y)",
        "bf16(x*x + y)",
        "sin(x) > cos(y)",
        "min(x, y)*2",
        "complex(sin(x), y)",
        "x > y ? sin(x) : log(y)",
        "x",
    };
    static const char *const wholes[] = {"div(x, y)",     "rem(x, y)*x + 1",         "fld(x, y)",
                                         "mod(x, y) - y", "div(x, y) + sin(f64(x))", "xor(x << 2, y) + (y >> 1)",
                                         "f32(x) / y"};
    static const ash_dtype float_types[] = {ASH_F32, ASH_F64, ASH_F16, ASH_BF16};
    static const ash_dtype whole_types[] = {ASH_I32, ASH_I64, ASH_U8, ASH_I16, ASH_U32, ASH_U64};
    for (size_t k = 0; k < COUNT(floats); k++)
        for (size_t t = 0; t < COUNT(float_types); t++)
            run_layouts(floats[k], float_types[t], k % 2 || t % 2);
    for (size_t k = 0; k < COUNT(wholes); k++)
        for (size_t t = 0; t < COUNT(whole_types); t++)
            for (int strewn = 0; strewn < 2; strewn++)
                run_layouts(wholes[k], whole_types[t], strewn);
}

/* Shared memory with the results of a child for whom ASHLAR_NATIVE is `setting`. */
static char *results(const char *setting)
{
    char *const memory = mmap(NULL, ROOM, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CHECK(memory != MAP_FAILED);
    const pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        setenv("ASHLAR_NATIVE", setting, 1);
        next = memory;
        run_list();
        _exit(0);
    }
    int status = -1;
    CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return memory;
}

static bool is_nan(ash_dtype part, const char *at)
{
    uint16_t h;
    float f;
    double d;
    if (part == ASH_F16 || part == ASH_BF16)
        return memcpy(&h, at, sizeof h), (h & 0x7fff) > (part == ASH_F16 ? 0x7c00 : 0x7f80);
    if (part == ASH_F32)
        return memcpy(&f, at, sizeof f), f != f;
    return part == ASH_F64 && (memcpy(&d, at, sizeof d), d != d);
}

static void compare(const record *a, const record *b)
{
    const char *const x = (const char *)(a + 1), *const y = (const char *)(b + 1);
    const bool is_complex = a->dtype == ASH_C64 || a->dtype == ASH_C128;
    const ash_dtype part = a->dtype == ASH_C64 ? ASH_F32 : a->dtype == ASH_C128 ? ASH_F64 : a->dtype;
    const int64_t item = (int64_t)ash_dtype_size(a->dtype) / (1 + is_complex);
    if (strcmp(a->name, b->name) != 0 || a->nbytes != b->nbytes || a->dtype != b->dtype)
        FAIL("with native code: %s; without: %s", a->name, b->name);
    for (int64_t k = 0; k < a->nbytes; k += item)
        if (memcmp(x + k, y + k, (size_t)item) != 0 && !(is_nan(part, x + k) && is_nan(part, y + k)))
            FAIL("%s: element %d differs", a->name, (int)(k / item));
}

static void maps_are_the_same(void **state)
{
    char *const natively = results("always"), *const interpreted = results("off");
    const char *a = natively, *b = interpreted;
    int64_t records = 0;
    (void)state;
    for (const record *r = (const record *)(const void *)a; r->name[0]; r = (const record *)(const void *)a, records++) {
        compare(r, (const record *)(const void *)b);
        a += sizeof *r + (size_t)(r->nbytes + 63) / 64 * 64;
        b += sizeof *r + (size_t)(r->nbytes + 63) / 64 * 64;
    }
    CHECK(((const record *)(const void *)b)->name[0] == 0 && records > 1000);
    munmap(natively, ROOM);
    munmap(interpreted, ROOM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(maps_are_the_same)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
