/*
 * gpu_math.c - every operation of typed programs in kernel text, against cpu:0: bit for bit, any NaN for any NaN, or within a
 * bound where the device has its own form.
 *
 * Where cpu:0 has no fused multiply-add, its elementary functions are not those of a device; then 4 last places are allowed.
 */
#include "devices.h"

#include "backend/cpu/kernels.h"
#include "reference/math_values.h"

enum { ELEMENTS = 3000, STRICT = 0, LOOSE = 4 };

/* Last places between two numbers; 0 for two NaN. */
static int64_t places(ash_dtype dtype, const void *a, const void *b, int64_t i)
{
    if (dtype == ASH_F32) {
        const float x = ((const float *)a)[i], y = ((const float *)b)[i];
        int32_t u, v;
        memcpy(&u, &x, sizeof u);
        memcpy(&v, &y, sizeof v);
        u = u < 0 ? INT32_MIN - u : u;
        v = v < 0 ? INT32_MIN - v : v;
        const bool same = memcmp(&x, &y, sizeof x) == 0 || (x != x && y != y);
        return same ? 0 : x != x || y != y ? INT64_MAX : u == v ? 1 : llabs((int64_t)u - v);
    }
    const double x = ((const double *)a)[i], y = ((const double *)b)[i];
    int64_t u, v;
    memcpy(&u, &x, sizeof u);
    memcpy(&v, &y, sizeof v);
    u = u < 0 ? INT64_MIN - u : u;
    v = v < 0 ? INT64_MIN - v : v;
    const bool same = memcmp(&x, &y, sizeof x) == 0 || (x != x && y != y);
    return same ? 0 : x != x || y != y || (u < 0) != (v < 0) ? INT64_MAX : u == v ? 1 : llabs(u - v);
}

/* ---- elements: those where cases meet, random bits, and random numbers of every size that matters */

static double number(int64_t i)
{
    static const double edges[] = {
        0.0,        -0.0,    1.0,
        -1.0,       0.5,     -0.5,
        2.0,        3.0,     -3.0,
        0.25,       1.5,     2.5,
        -2.5,       1e-5,    -1e-5,
        1e-10,      1e-300,  -1e-300,
        4e-324,     1e-40,   1e300,
        -1e300,     1e30,    -1e30,
        710.0,      709.5,   -745.1,
        -746.0,     88.7,    89.0,
        -103.9,     -104.1,  1023.9,
        1024.0,     -1075.0, 127.9,
        128.0,      -150.0,  0.7853981633974483,
        1048576,    1.6e6,   1048577,
        65536,      65537,   1e5,
        3.4e38,     -3.4e38, 1.7e308,
        1e15,       4.5e15,  9e15,
        1.0000001,  0.99999, 22.5,
        171.0,      171.7,   -170.5,
        35.2,       1e-8,    -0.9999,
        2147483648, 4.2e9,   -2.2e9,
        1e19,       1e22,
    };
    if (i < COUNT(edges))
        return edges[i];
    if (i == COUNT(edges) || i == COUNT(edges) + 1)
        return i == COUNT(edges) ? (double)INFINITY : -(double)INFINITY;
    if (i == COUNT(edges) + 2)
        return (double)NAN;
    const double unit = (double)(next_random() >> 11) * 0x1p-53 * 2 - 1;
    static const double sizes[] = {1, 1, 3, 10, 100, 800, 1e6, 1e9, 1e30, 1e-6};
    return unit * sizes[next_random() % COUNT(sizes)];
}

static void fill(ash_dtype dtype, void *to, bool first)
{
    for (int64_t i = 0; i < ELEMENTS; i++) {
        const uint64_t bits = next_random();
        const double x = number(first ? i : (int64_t)(next_random() % 400));
        const float f = (float)x;
        const bool raw = i % 3 == 2;
        if (dtype == ASH_F32)
            memcpy((float *)to + i, raw ? (const void *)&bits : (const void *)&f, sizeof f);
        else
            memcpy((double *)to + i, raw ? (const void *)&bits : (const void *)&x, sizeof x);
    }
}

static const void *host(const ash_array *a, void *to, size_t nbytes)
{
    CHECK_OK(ash_to_host(a, to, nbytes));
    return to;
}

/* ---- functions of floats */

static const struct {
    const char *text;
    int64_t f64, f32, alone; /* last places from cpu:0; f32 of a device without f64. -1: OpenCL has no bound */
    bool fused;              /* uses fused multiply-adds */
} functions[] = {
    {"sqrt(a)", 0, 0, 0, false},         {"cbrt(a)", 0, 0, 2, true},          {"exp(a)", 0, 0, 0, true},
    {"exp2(a)", 0, 0, 0, true},          {"expm1(a)", 0, 0, 3, true},         {"log(a)", 0, 0, 0, true},
    {"log2(a)", 0, 0, 0, true},          {"log10(a)", 0, 0, 0, true},         {"log1p(a)", 0, 0, 2, true},
    {"sin(a)", 1, 2, 2, true},           {"cos(a)", 1, 2, 2, true},           {"tan(a)", 2, 1, 5, true},
    {"sinpi(a)", 0, 0, 4, true},         {"cospi(a)", 0, 0, 4, true},         {"asin(a)", 0, 0, 4, true},
    {"acos(a)", 0, 0, 4, true},          {"atan(a)", 0, 0, 5, true},          {"sinh(a)", 0, 0, 4, true},
    {"cosh(a)", 0, 0, 4, true},          {"tanh(a)", 0, 0, 0, true},          {"asinh(a)", 0, 0, 4, true},
    {"acosh(a)", 0, 0, 4, true},         {"atanh(a)", 0, 0, 5, true},         {"erf(a)", 0, 0, 16, true},
    {"erfc(a)", 0, 0, 16, true},         {"lgamma(a)", 16, 1, -1, false},     {"tgamma(a)", 16, 1, 16, false},
    {"atan2(a, b)", 0, 0, 6, true},      {"pow(a, b)", 0, 0, 16, true},       {"hypot(a, b)", 0, 0, 4, true},
    {"fmod(a, b)", 0, 0, 0, false},      {"remainder(a, b)", 0, 0, 0, false}, {"mod(a, b)", 0, 0, 0, false},
    {"nextafter(a, b)", 0, 0, 0, false}, {"ldexp(a, b)", 0, 0, 0, false},     {"logb(a)", 0, 0, 0, false},
};

static void check_function(int which, ash_dtype dtype, const char *const name, const void *const bytes[2])
{
    static double kept[2][ELEMENTS];
    const size_t nbytes = ELEMENTS * ash_dtype_size(dtype);
    char text[64];
    snprintf(text, sizeof text, "(a, b) -> %s", functions[which].text);
    if (!strchr(functions[which].text, 'b') || !strstr(functions[which].text, ", b"))
        snprintf(text, sizeof text, "a -> %s", functions[which].text);
    const char *const where[] = {"cpu:0", name};
    for (int d = 0; d < 2; d++) {
        ASH_SCOPE(scope);
        ash_resources *const r = on(where[d]);
        ash_array *const a = ash_from_host(bytes[0], dtype, ASH_SHAPE(ELEMENTS), .resources = r);
        ash_array *const b = ash_from_host(bytes[1], dtype, ASH_SHAPE(ELEMENTS), .resources = r);
        trace_begin();
        ash_array *const y = text[0] == '(' ? ash_map(text, a, b) : ash_map(text, a);
        const char *const told = trace_end();
        CHECK(y && !strstr(told, "the host does this"));
        host(y, kept[d], nbytes);
        ash_resources_release(r);
    }
    const bool fused = strcmp(ash__cpu_kernels()->level, "v3") >= 0 || !functions[which].fused;
    const bool unbound = strncmp(name, "cuda", 4) == 0 && dtype == ASH_F64 && strcmp(functions[which].text, "lgamma(a)") == 0;
    const int64_t own = unbound                     ? -1 /* CUDA's, around its roots below -2 */
                        : strcmp(name, device) != 0 ? functions[which].alone
                        : dtype == ASH_F32          ? functions[which].f32
                                                    : functions[which].f64;
    const int64_t bound = own < 0 ? INT64_MAX : own + (fused ? STRICT : LOOSE);
    for (int64_t i = 0; i < ELEMENTS; i++)
        if (places(dtype, kept[0], kept[1], i) > bound) {
            if (dtype == ASH_F32)
                FAIL("%s on %s: a = %a, b = %a: %a, not %a", functions[which].text, name, ((const float *)bytes[0])[i],
                     ((const float *)bytes[1])[i], ((float *)kept[1])[i], ((float *)kept[0])[i]);
            FAIL("%s on %s: a = %a, b = %a: %a, not %a", functions[which].text, name, ((const double *)bytes[0])[i],
                 ((const double *)bytes[1])[i], kept[1][i], kept[0][i]);
        }
}

static void floats(void **state)
{
    (void)state;
    static double a[ELEMENTS], b[ELEMENTS];
    for (ash_dtype d = ASH_F32; d <= ASH_F64; d = (ash_dtype)(d + 1)) {
        if (d == ASH_F64 && !ash_device_can(ash_device_open(device), ASH_CAP_F64))
            continue;
        fill(d, a, true);
        fill(d, b, false);
        for (int k = 0; k < COUNT(functions); k++)
            check_function(k, d, device, (const void *const[]){a, b});
    }
}

static void floats_without_f64(void **state)
{
    (void)state;
    static double a[ELEMENTS], b[ELEMENTS];
    char without_f64[64];
    snprintf(without_f64, sizeof without_f64, "%s?f64=off", device);
    fill(ASH_F32, a, true);
    fill(ASH_F32, b, false);
    for (int k = 0; k < COUNT(functions); k++)
        check_function(k, ASH_F32, without_f64, (const void *const[]){a, b});
}

/* What the device has its own form for, against mpmath: arguments whose reduction by pi is hardest are among them. */
static const struct {
    int op;
    const char *text;
    int64_t bound;
} alone[] = {{ASH__OP_SIN, "sin", 1}, {ASH__OP_COS, "cos", 1}, {ASH__OP_TAN, "tan", 2}, {ASH__OP_TGAMMA, "tgamma", 16}};

static void references(void **state)
{
    (void)state;
    static double x[COUNT(values)], want[COUNT(values)], got[COUNT(values)];
    if (!ash_device_can(ash_device_open(device), ASH_CAP_F64))
        skip();
    for (int k = 0; k < COUNT(alone); k++) {
        ASH_SCOPE(scope);
        ash_resources *const r = on(device);
        int64_t n = 0, most = 0;
        for (int i = 0; i < COUNT(values); i++)
            if (values[i].op == alone[k].op) {
                x[n] = values[i].x;
                want[n++] = values[i].hi;
            }
        host(ash_map(alone[k].text, ash_from_host(x, ASH_F64, ASH_SHAPE(n), .resources = r)), got, (size_t)n * sizeof got[0]);
        for (int64_t i = 0; i < n; i++) {
            const int64_t off = places(ASH_F64, got, want, i);
            most = off > most ? off : most;
            if (off > alone[k].bound)
                FAIL("%s(%a) is %a, not %a", alone[k].text, x[i], got[i], want[i]);
        }
        if (getenv("ASHLAR_MATH_REPORT"))
            print_message("%s: %" PRId64 " last places at most, of %" PRId64 " values\n", alone[k].text, most, n);
        ash_resources_release(r);
    }
}

/* ---- integers */

typedef struct outcome {
    unsigned char bytes[MANY * 8];
    ash_status status;
    char text[160];
} outcome;

static void compare(const outcome *want, const outcome *got, const char *text, ash_dtype dtype)
{
    if (want->status != got->status || strcmp(want->text, got->text) != 0)
        FAIL("%s of %s: \"%s\", not \"%s\"", text, ash_dtype_name(dtype), got->text, want->text);
    for (int i = 0; i < MANY * 8; i++)
        if (want->bytes[i] != got->bytes[i])
            FAIL("%s of %s: byte %d is %02x, not %02x", text, ash_dtype_name(dtype), i, got->bytes[i], want->bytes[i]);
}

/* out = text(a, b), what was left in out, and the error. */
static outcome into(const char *name, const char *text, ash_dtype out, ash_dtype in, const void *a, const void *b)
{
    outcome o = {.status = ASH_OK};
    ASH_SCOPE(scope);
    ash_resources *const r = on(name);
    ash_array *const to = ash_zeros(ASH_SHAPE(MANY), .dtype = out, .resources = r);
    ash_array *const x = ash_from_host(a, in, ASH_SHAPE(MANY), .resources = r);
    ash_array *const y = ash_from_host(b, in, ASH_SHAPE(MANY), .resources = r);
    trace_begin();
    o.status = text[0] == '(' ? ash_map_into(to, text, x, y) : ash_map_into(to, text, x);
    const char *const told = trace_end();
    CHECK(!strstr(told, "the host does this"));
    snprintf(o.text, sizeof o.text, "%s", o.status ? ash_error_text() : "");
    ash_error_clear();
    ash_to_host(to, o.bytes, sizeof o.bytes / 8 * ash_dtype_size(out));
    ash_resources_release(r);
    return o;
}

static void both(const char *text, ash_dtype out, ash_dtype in, const void *a, const void *b)
{
    const outcome want = into("cpu:0", text, out, in, a, b), got = into(device, text, out, in, a, b);
    compare(&want, &got, text, in);
}

static int64_t element(const void *at, ash_dtype dtype, int64_t i)
{
    int64_t x = 0;
    memcpy(&x, (const char *)at + (size_t)i * ash_dtype_size(dtype), ash_dtype_size(dtype));
    return x;
}

static void divisions(void **state)
{
    (void)state;
    static const char *const list[] = {"(a, b) -> div(a, b)", "(a, b) -> a % b", "(a, b) -> fld(a, b)", "(a, b) -> mod(a, b)"};
    static unsigned char a[MANY * 8], b[MANY * 8];
    for (ash_dtype d = ASH_I8; d <= ASH_U64; d = (ash_dtype)(d + 1))
        for (int k = 0; k < COUNT(list); k++) {
            random_elements(a, d);
            random_elements(b, d);
            both(list[k], d, d, a, b); /* with zeros among the divisors */
            for (int64_t i = 0; i < MANY; i++)
                if (element(b, d, i) == 0)
                    b[(size_t)i * ash_dtype_size(d)] = 7;
            both(list[k], d, d, a, b);
        }
    both("a -> div(a, 7)", ASH_I32, ASH_I32, a, a);
    both("a -> mod(a, -7)", ASH_I32, ASH_I32, a, a);
}

static void powers(void **state)
{
    (void)state;
    static unsigned char a[MANY * 8], b[MANY * 8];
    for (ash_dtype d = ASH_I8; d <= ASH_U64; d = (ash_dtype)(d + 1)) {
        random_elements(a, d);
        random_elements(b, d);
        both("(a, b) -> a^b", d, d, a, b);
        for (int64_t i = 0; i < MANY; i++)
            b[(size_t)(i + 1) * ash_dtype_size(d) - 1] &= 0x7f;
        both("(a, b) -> a^b", d, d, a, b);
    }
}

static void narrowing(void **state)
{
    (void)state;
    static unsigned char a[MANY * 8], fitting[MANY * 8];
    for (ash_dtype from = ASH_I8; from <= ASH_U64; from = (ash_dtype)(from + 1))
        for (ash_dtype to = ASH_BOOL; to <= ASH_U64; to = (ash_dtype)(to + 1)) {
            random_elements(a, from);
            memset(fitting, 0, sizeof fitting);
            for (int64_t i = 0; i < MANY; i++)
                fitting[(size_t)i * ash_dtype_size(from)] = to == ASH_BOOL ? i & 1 : i & 0x7f;
            both("a -> a", to, from, fitting, fitting);
            both("a -> a", to, from, a, a);
        }
}

/* ---- elements anywhere */

/* Fields of packed records of one byte and one number: at any address. */
static ash_array *askew(void *bytes, ash_dtype dtype, ash_resources *r)
{
    const int64_t size = (int64_t)ash_dtype_size(dtype), room = 50 * (size + 1);
    ash_array *const all = ash_wrap(bytes, ASH_U8, room, ASH_SHAPE(50, size + 1), .resources = r);
    return ash_reinterpret(ash_slice(all, 1, ASH_OPEN, .axes = ASH_AXES(1)), dtype);
}

static void odd_addresses(void **state)
{
    (void)state;
    static const ash_dtype types[] = {ASH_I16, ASH_U32, ASH_I64, ASH_F16, ASH_BF16, ASH_F32, ASH_F64, ASH_C_F32};
    for (int k = 0; k < COUNT(types); k++) {
        static unsigned char from[1024], kept[1024], to[2][1024];
        for (int i = 0; i < COUNT(from); i++)
            kept[i] = next_random() >> 20 & 0x3f; /* no NaN */
        for (int d = 0; d < 2; d++) {
            ASH_SCOPE(scope);
            ash_resources *const r = on(d ? device : "cpu:0");
            memcpy(from, kept, sizeof from);
            memset(to[d], 7, sizeof to[d]);
            trace_begin();
            CHECK_OK(ash_map_into(askew(to[d], types[k], r), "x -> x + x", askew(from, types[k], r)));
            CHECK_OK(ash_wait(askew(to[d], types[k], r)));
            const char *const told = trace_end();
            CHECK(!strstr(told, "the host does this"));
            ash_resources_release(r);
        }
        for (int i = 0; i < COUNT(kept); i++)
            CHECK(to[0][i] == to[1][i]);
    }
}

ASH_RECORD(body, (f32, mass), (i64, number), (f64, x));

static void records(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_resources *const r = on(device);
    const int64_t mark = ash_resources_push(r);
    const body host[3] = {{.mass = 1.5f, .number = 2, .x = 0.25}, {.mass = 3, .number = -4, .x = 1}, {.x = 9}};
    ash_array *const a = ash_from_host(host, body_dtype(), ASH_SHAPE(3));
    trace_begin();
    ash_array *const sums = ash_map("b -> f64(b.mass) + f64(b.number) + b.x", ash_slice(a, ASH_OPEN, ASH_OPEN, .step = -1));
    ash_array *const copy = ash_copy(a);
    CHECK_OK(ash_map_into(ash_field(copy, "x"), "b -> b.x*2.0", a));
    const char *const told = trace_end();
    CHECK(!strstr(told, "the host does this"));
    CHECK_FLOATS(sums, 9, 0, 3.75);
    CHECK_FLOATS(ash_field(copy, "x"), 0.5, 2, 18);
    CHECK_FLOATS(ash_field(copy, "mass"), 1.5, 3, 0);
    ash_resources_pop(mark);
    ash_resources_release(r);
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(floats), TEST(floats_without_f64), TEST(references),    TEST(divisions),
        TEST(powers), TEST(narrowing),          TEST(odd_addresses), TEST(records),
    };
    if (device_is_missing("gpu_math"))
        return SKIPPED;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
