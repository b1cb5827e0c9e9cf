/*
 * opencl.c - the OpenCL driver and what the GPU layer makes of it: devices, maps and copies against cpu:0, errors, queues.
 *
 * Expected values are those of cpu:0, bit for bit, any NaN for any NaN. A driver compiles each kernel for a tenth of a second,
 * so one function holds all operations of a dtype, and a second operand chooses among them. Skipped where there is no device
 * that can be opened.
 */
#include "devices.h"

#include <ctype.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backend/opencl/opencl.h"
#include "core/alloc.h"

/* ---- operations */

/* One function of operands a, b, c of dtype, and k: result number k of the list. */
static void check_operations(ash_dtype dtype, const char *const *list, int count)
{
    char text[8192] = "(a, b, c, k) -> ", *end = text + strlen(text);
    unsigned char bytes[3][MANY * 8];
    for (int i = 0; i < count; i++) {
        if (i + 1 < count)
            end += snprintf(end, sizeof text - (size_t)(end - text), "k == %d ? ", i);
        end += snprintf(end, sizeof text - (size_t)(end - text), "%s(%s)%s", ash_dtype_name(dtype), list[i],
                        i + 1 < count ? " : " : "");
    }
    for (int k = 0; k < 3; k++)
        random_elements(bytes[k], dtype);
    ash_array *result[2];
    const char *const where[] = {"cpu:0", device};
    for (int d = 0; d < 2; d++) {
        ash_resources *const r = on(where[d]);
        ash_array *operand[3];
        for (int k = 0; k < 3; k++)
            operand[k] = ash_from_host(bytes[k], dtype, ASH_SHAPE(MANY), .resources = r);
        ash_array *const number = ash_insert_axis(ash_range(0, count, .dtype = ASH_I16, .resources = r), 1);
        trace_begin();
        result[d] = ash_map(text, operand[0], operand[1], operand[2], number);
        const char *const told = trace_end();
        if (strstr(told, "the host does this"))
            FAIL("no kernel for %s: %s", ash_dtype_name(dtype), strstr(told, "the host does this"));
        ash_resources_release(r);
    }
    NO_ERROR();
    const int64_t at = first_difference(result[0], result[1]);
    if (at >= 0)
        FAIL("%s of %s, element %d, differs from that of cpu:0", list[at / MANY], ash_dtype_name(dtype), (int)(at % MANY));
}

static void floats(void **state)
{
    (void)state;
    static const char *const list[] = {
        "a + b",          "a - b",      "a * b",      "-a",         "abs(a)",         "a / b",          "min(a, b)",
        "max(a, b)",      "sign(a)",    "a*b + c",    "a*b - c",    "a*b*c",          "a*a + b*b",      "(a - b)^2",
        "fma(a, b, c)",   "sqrt(a)",    "floor(a)",   "ceil(a)",    "trunc(a)",       "round(a)",       "rint(a)",
        "copysign(a, b)", "fdim(a, b)", "fmin(a, b)", "fmax(a, b)", "isnan(a)",       "isinf(a)",       "isfinite(a)",
        "isnormal(a)",    "signbit(a)", "a == b",     "a != b",     "a < b",          "a <= b",         "a > b",
        "i8(a)",          "i16(a)",     "i32(a)",     "i64(a)",     "u8(a)",          "u16(a)",         "u32(a)",
        "u64(a)",         "f16(a)",     "bf16(a)",    "bool(a)",    "a > 0 && b > 0", "a > 0 || b > 0", "!(a > 0)",
        "a > b ? a : c"};
    for (ash_dtype d = ASH_F16; d <= ASH_F64; d = (ash_dtype)(d + 1)) {
        ASH_SCOPE(scope);
        if (d == ASH_F64 && !ash_device_can(ash_device_open(device), ASH_CAP_F64))
            continue;
        check_operations(d, list, COUNT(list) / 2);
        check_operations(d, list + COUNT(list) / 2, COUNT(list) - COUNT(list) / 2);
    }
}

static void integers(void **state)
{
    (void)state;
    static const char *const list[] = {
        "a + b",  "a - b",     "a * b",     "-a",     "abs(a)", "min(a, b)", "max(a, b)", "sign(a)",      "a*b + c", "a*b - c",
        "a*b*c",  "a*a + b*b", "(a - b)^2", "a & b",  "a | b",  "xor(a, b)", "~a",        "a << b",       "a >> b",  "a << 3",
        "a >> 3", "a == b",    "a != b",    "a < b",  "a <= b", "i8(a)",     "i16(a)",    "i32(a)",       "i64(a)",  "u8(a)",
        "u16(a)", "u32(a)",    "u64(a)",    "f32(a)", "f16(a)", "bf16(a)",   "bool(a)",   "a > b ? a : c"};
    for (ash_dtype d = ASH_I8; d <= ASH_U64; d = (ash_dtype)(d + 1)) {
        ASH_SCOPE(scope);
        check_operations(d, list, COUNT(list));
    }
}

static void bools(void **state)
{
    (void)state;
    static const char *const list[] = {
        "a & b",  "a | b", "xor(a, b)", "!a",        "a && b",    "a || b",    "a == b",
        "a != b", "a < b", "a <= b",    "min(a, b)", "max(a, b)", "a ? b : c", "i64(a) + i64(b) > 1"};
    ASH_SCOPE(scope);
    check_operations(ASH_BOOL, list, COUNT(list));
}

/* ---- shapes, strides, layouts */

typedef ash_array *view(ash_array *a); /* of a cube of 6 by 20 by 7 */
static ash_array *whole(ash_array *a)
{
    return a;
}
static ash_array *turned(ash_array *a)
{
    return ash_permute(a, ASH_AXES(2, 0, 1));
}
static ash_array *backwards(ash_array *a)
{
    return ash_reverse(a, .axes = ASH_AXES(0, 2));
}
static ash_array *stepped(ash_array *a)
{
    return ash_slice(a, 1, ASH_OPEN, .axes = ASH_AXES(1), .step = 3);
}
static ash_array *spread(ash_array *a)
{
    return ash_index(a, 2, ASH_ALL, ASH_ALL);
}
static ash_array *row(ash_array *a)
{
    return ash_reshape(ash_contiguous(a), ASH_SHAPE(840));
}
static ash_array *one(ash_array *a)
{
    return ash_index(a, 1, 2, 3);
}
static ash_array *none(ash_array *a)
{
    return ash_slice(a, 0, 0, .axes = ASH_AXES(1));
}
static ash_array *line(ash_array *a)
{
    return ash_index(a, ASH_ALL, 2, 3);
}

static const struct {
    const char *name;
    view *first, *second;
    ash_layout layout;
} shapes[] = {
    {"whole", whole, whole, ASH_ROW_MAJOR},
    {"column-major", whole, whole, ASH_COL_MAJOR},
    {"turned", turned, turned, ASH_ROW_MAJOR},
    {"backwards", backwards, whole, ASH_ROW_MAJOR},
    {"stepped", stepped, stepped, ASH_COL_MAJOR},
    {"spread", spread, whole, ASH_ROW_MAJOR},
    {"row", row, row, ASH_ROW_MAJOR},
    {"one", one, one, ASH_ROW_MAJOR},
    {"none", none, none, ASH_ROW_MAJOR},
    {"line", line, line, ASH_ROW_MAJOR},
    {"scalar array", whole, one, ASH_ROW_MAJOR},
};

static void shapes_and_strides(void **state)
{
    (void)state;
    for (int i = 0; i < COUNT(shapes); i++) {
        ASH_SCOPE(scope);
        const char *const where[] = {"cpu:0", device};
        ash_array *result[2], *copy[2];
        for (int d = 0; d < 2; d++) {
            ash_resources *const r = on(where[d]);
            const int64_t mark = ash_resources_push(r);
            ash_array *const a = counting(1, ASH_F32, ASH_SHAPE(6, 20, 7), ASH_ROW_MAJOR);
            ash_array *const b = counting(-400, ASH_I16, ASH_SHAPE(6, 20, 7), ASH_COL_MAJOR);
            result[d] = ash_map_with("(a, b) -> a / b + 2f", ASH_OPERANDS(shapes[i].first(a), shapes[i].second(b)),
                                     .layout = shapes[i].layout);
            copy[d] = ash_copy(shapes[i].first(b), .layout = shapes[i].layout);
            ash_resources_pop(mark);
            ash_resources_release(r);
        }
        NO_ERROR();
        if (first_difference(result[0], result[1]) >= 0 || first_difference(copy[0], copy[1]) >= 0)
            FAIL("%s: element %" PRId64 " of the map, %" PRId64 " of the copy", shapes[i].name,
                 first_difference(result[0], result[1]), first_difference(copy[0], copy[1]));
    }
}

/* The sizes around a group's. */
static void lengths(void **state)
{
    (void)state;
    static const int64_t size[] = {1, 2, 15, 16, 17, 255, 256, 257, 511, 512, 513, 100003};
    ash_resources *const r = on(device);
    for (int i = 0; i < COUNT(size); i++) {
        ASH_SCOPE(scope);
        ash_array *const a = ash_range(0, size[i], .dtype = ASH_I32, .resources = r);
        ash_array *const b = ash_map("(x, s) -> x*3 - s", a, 5);
        CHECK(ash_size(b) == size[i]);
        for (int64_t k = 0; k < size[i]; k += k < 600 ? 1 : 997)
            if (ash_get_i32(b, k) != 3 * k - 5)
                FAIL("element %" PRId64 " of %" PRId64 " is %d", k, size[i], (int)ash_get_i32(b, k));
    }
    ash_resources_release(r);
}

/* In place, overlapping, complex, records, fills: as on cpu:0. */
static void others(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_resources *const r = on(device);
    const int64_t mark = ash_resources_push(r);
    ash_array *const a = ash_f32(1, 2, 3, 4, 5);
    CHECK_OK(ash_map_into(a, "x -> 2f*x", a));
    CHECK_FLOATS(a, 2, 4, 6, 8, 10);
    CHECK_OK(ash_map_into(ash_slice(a, 1, ASH_OPEN), "x -> x + 1f", ash_slice(a, 0, 4)));
    CHECK_FLOATS(a, 2, 3, 5, 7, 9);
    CHECK_OK(ash_fill(a, 7.0f));
    CHECK_ALL(a, 7);
    ash_array *const z = ash_map("(x, y) -> complex(x, y) * complex(x, y)", ash_f32(1, 2), ash_f32(3, -1));
    CHECK_FLOATS(ash_map("real", z), -8, 3);
    CHECK_FLOATS(ash_map("imag", ash_adjoint(z)), -6, 4);
    CHECK_FLOATS(ash_sum(ash_f32(1, 2, 3)), 6);
    CHECK_FLOATS(ash_sort(ash_f32(3, 1, 2)), 1, 2, 3);
    CHECK(!ash_map("(x, y) -> x % y", ash_i32(1, 2), ash_i32(1, 0)));
    CHECK_ERROR(ASH_ERR_VALUE, "ash_map: integer division by zero");
    ash_resources_pop(mark);
    ash_resources_release(r);
}

/* A range of 2 GiB, of which two pages are touched, needs indices of 64 bits. */
static void wide_indices(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    const size_t nbytes = (size_t)1 << 31;
    uint8_t *const memory = mmap(NULL, nbytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        print_message("[  SKIPPED ] no address space for 2 GiB: indices of 64 bits\n");
        skip();
    }
    memory[0] = 3;
    memory[nbytes - 1] = 5;
    ash_resources *const r = on(device);
    ash_array *const all = ash_wrap(memory, ASH_U8, (int64_t)nbytes, ASH_SHAPE((int64_t)nbytes), .resources = r);
    ash_array *const ends = ash_slice(all, 0, ASH_OPEN, .step = (int64_t)nbytes - 1);
    CHECK_INTS(ash_map("x -> x + 1", ends), 4, 6);
    CHECK_OK(ash_map_into(ends, "x -> 2*x", ends));
    CHECK(memory[0] == 6 && memory[nbytes - 1] == 10 && memory[1] == 0);
    ash_resources_release(r);
    ash_discard(all);
    munmap(memory, nbytes);
}

/* ---- devices, errors, queues */

static void listing(void **state)
{
    (void)state;
    const ash_device *const d = ash_device_open(device), *const weak = ash_device_open("opencl:0?f64=off");
    CHECK(d && weak && ash_device_open("opencl") == d);
    CHECK(strcmp(ash_device_name(d), device) == 0 && ash_device_count() >= 2);
    CHECK(ash_device_memory(d) > 0 && *ash_device_description(d) && ash_device_can(d, ASH_CAP_UNIFIED));
    CHECK(!ash_device_can(weak, ASH_CAP_F64));
    bool listed = false;
    for (int64_t i = 0; i < ash_device_count(); i++)
        listed = listed || ash_device_at(i) == d;
    CHECK(listed);
    ash_error_clear(); /* devices that are listed and cannot be opened */
    CHECK(!ash_device_open("opencl:63"));
    CHECK_ERROR_PARTS(ASH_ERR_DEVICE, "ash_device_open: no device opencl:63; this build has cpu:0, opencl:0");
    ash_resources *const r = on("opencl:0?f64=off");
    CHECK(!ash_zeros(ASH_SHAPE(2), .dtype = ASH_F64, .resources = r));
    CHECK_ERROR_HAS(ASH_ERR_DTYPE, "opencl:0?f64=off does not support f64 values; use f32");
    ASH_SCOPE(scope);
    CHECK_FLOATS(ash_map("x -> x / 3f", ash_fill_new(ASH_SHAPE(2), 6.0f, .resources = r)), 2, 2);
    ash_resources_release(r);
}

static void compile_failure(void **state)
{
    (void)state;
    void *program = NULL;
    CHECK(ash__opencl_driver.compile("test", ash_device_open(device), "__kernel void run() { not_declared; }", &program));
    CHECK_ERROR_PARTS(ASH_ERR_DEVICE, "test: clBuildProgram failed: ", "not_declared");
    CHECK(!ash__opencl_driver.compile("test", ash_device_open(device), "__kernel void other() {}", &program));
    void *event = NULL;
    bool fresh;
    CHECK(ash__opencl_driver.launch("test", NULL, program, &(ash__launch){.local = 1}, &event, &fresh));
    CHECK_ERROR_HAS(ASH_ERR_DEVICE, "test: clCreateKernel failed with OpenCL's error ");
    ash__opencl_driver.program_free(program);
}

/* Two queues, one after the other on the same array; released while their results live. */
static void two_resources(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_resources *const first = on(device), *const second = on(device);
    ash_array *const a = ash_range(0, 1000, .dtype = ASH_F32, .resources = first);
    ash_array *const b = ash_map_with("x -> 2f*x", ASH_OPERANDS(a), .resources = second);
    ash_array *const c = ash_map_with("(x, y) -> y - x", ASH_OPERANDS(a, b), .resources = first);
    ash_resources_release(first);
    ash_resources_release(second);
    CHECK_OK(ash_wait(c));
    for (int k = 0; k < 1000; k += 37)
        CHECK(ash_get_f32(c, k) == (float)k);
    ash_array *const cpu = ash_f32(1, 2);
    CHECK(!ash_map("(x, y) -> x + y", cpu, c));
    CHECK_ERROR_PARTS(ASH_ERR_DEVICE, "cpu:0", "opencl:0");
}

/* The sum of numbers 0, 1 ... of an array, by one function of `count` operands. */
static bool sum_of_many(ash_array *a, int count)
{
    ash_operand operand[64];
    char head[512] = "(", body[512] = "";
    for (int k = 0; k < count; k++) {
        operand[k] = k % 7 == 6 ? ash_operand_f32(2.0f) : ash_operand_array(ash_map("(x, k) -> x + k", a, (float)k));
        snprintf(head + strlen(head), sizeof head - strlen(head), "%sx%d", k ? ", " : "", k);
        snprintf(body + strlen(body), sizeof body - strlen(body), "%sx%d", k ? " + " : "", k);
    }
    char text[1100];
    snprintf(text, sizeof text, "%s) -> %s", head, body);
    float want = 0;
    for (int k = 0; k < count; k++)
        want += k % 7 == 6 ? 2 : (float)k;
    ash_array *const sum = ash_map_opt(text, (ash_operands){operand, count}, NULL);
    return sum && ash_get_f32(sum, 2) == want;
}

/* What has no kernel runs on the host, and the trace says so. */
static void trace_tells(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_resources *const r = on(device);
    ash_array *const a = ash_fill_new(ASH_SHAPE(3), 0.0f, .resources = r);
    trace_begin();
    CHECK(ash_map("x -> x + 1f", a) && sum_of_many(a, 20));
    CHECK(!strstr(trace_end(), "the host does this"));
    trace_begin();
    CHECK(sum_of_many(a, 60));
    CHECK(strstr(trace_end(),
                 "\"event\":\"host\",\"function\":\"ash_map\",\"device\":\"opencl:0\",\"text\":\"the host does this: the "
                 "function has too many operands for a kernel\"}\n"));
    ash_resources_release(r);
}

static void forked(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_resources *const r = on(device);
    ash_array *const a = ash_fill_new(ASH_SHAPE(3), 1.0f, .resources = r);
    const pid_t child = fork();
    if (child == 0) {
        const bool refused = !ash_map("x -> x + 1f", a) && strstr(ash_error_text(), "forked");
        ash_resources_release(r);
        _exit(refused ? 0 : 1);
    }
    int end = 1;
    CHECK(waitpid(child, &end, 0) == child && end == 0);
    CHECK_FLOATS(ash_map("x -> x + 1f", a), 2, 2, 2);
    ash_resources_release(r);
}

/* Each allocation of a first use fails in turn, and nothing is left of it. */
static void allocation_fails(const char *text, double want)
{
    ash_resources *const r = on(device);
    bool done = false;
    for (int64_t n = 1; !done && n < 100; n++) {
        ASH_SCOPE(scope);
        ash_array *const a = ash_fill_new(ASH_SHAPE(5), 3.0f, .resources = r);
        ash__fail_allocation(n);
        ash_array *const b = ash_map(text, a);
        ash__fail_allocation(0);
        done = b != NULL;
        if (done)
            CHECK_ALL(b, want);
        else
            CHECK_ERROR_HAS(ASH_ERR_MEMORY, "ash_map: ");
    }
    CHECK(done);
    ash_resources_release(r);
}

static void allocation_failures(void **state)
{
    (void)state;
    allocation_fails("x -> x*x - 0.625f", 8.375);
    allocation_fails("x -> i32(17) % i32(x)", 2); /* can fault: a word of working memory */
}

/* Threads compile and launch at once, on resources of their own and on shared ones. */
enum { THREADS = 4, ROUNDS = 50 };
typedef struct worker {
    pthread_t thread;
    ash_resources *resources;
    float factor;
    bool right;
} worker;

static void *work(void *context)
{
    worker *const w = context;
    w->right = true;
    for (int i = 0; i < ROUNDS && w->right; i++) {
        ASH_SCOPE(scope);
        ash_array *const a = ash_fill_new(ASH_SHAPE(1000), w->factor, .resources = w->resources);
        ash_array *const b = ash_map(i % 2 ? "(x, s) -> x*s + 0.25f" : "(x, s) -> x*s - 0.25f", a, (float)i);
        w->right = b && ash_get_f32(b, 999) == w->factor * (float)i + (i % 2 ? 0.25f : -0.25f);
    }
    return NULL;
}

static void threads(void **state)
{
    (void)state;
    ash_resources *const shared = on(device);
    worker list[THREADS];
    for (int k = 0; k < THREADS; k++) {
        list[k] = (worker){.resources = k < 2 ? shared : on(device), .factor = (float)(k + 1)};
        CHECK(pthread_create(&list[k].thread, NULL, work, &list[k]) == 0);
    }
    for (int k = 0; k < THREADS; k++) {
        pthread_join(list[k].thread, NULL);
        if (k >= 2)
            ash_resources_release(list[k].resources);
        CHECK(list[k].right);
    }
    ash_resources_release(shared);
}

/* ---- without OpenCL: in children, before anything is looked for */

static bool says(const char *variable, const char *setting, const char *want)
{
    const pid_t child = fork();
    if (child == 0) {
        setenv(variable, setting, 1);
        const bool right = !ash_device_open(device) && strstr(ash_error_text(), want) && ash_device_count() == 1;
        if (!right)
            fprintf(stderr, "%s: no error with \"%s\"\n", setting, want);
        _exit(right ? 0 : 1);
    }
    int end = 1;
    return waitpid(child, &end, 0) == child && end == 0;
}

/* With the device's platform alone, its name in capitals, the device is there in a process of its own. */
static bool platform_chosen(void)
{
    const char *const open = strrchr(ash_device_open(device)->description, '(');
    char name[64] = "";
    for (size_t k = 0; open && open[k + 1] && open[k + 1] != ')' && k + 1 < sizeof name; k++)
        name[k] = (char)toupper((unsigned char)open[k + 1]);
    setenv("ASHLAR_OPENCL_PLATFORM", name, 1);
    const pid_t child = fork();
    if (child == 0) {
        execl("/proc/self/exe", "test-opencl", "is it there?", (char *)NULL);
        _exit(2);
    }
    int end = 1;
    unsetenv("ASHLAR_OPENCL_PLATFORM");
    return waitpid(child, &end, 0) == child && end == 0;
}

int main(int count, char **word)
{
    if (count > 1)
        return ash_device_open(device) ? 0 : fprintf(stderr, "%s %s\n", word[1], ash_error_text());
    static const struct CMUnitTest tests[] = {
        TEST(floats),
        TEST(integers),
        TEST(bools),
        TEST(shapes_and_strides),
        TEST(lengths),
        TEST(others),
        TEST(wide_indices),
        TEST(listing),
        TEST(compile_failure),
        TEST(two_resources),
        TEST(trace_tells),
        TEST(forked),
        TEST(allocation_failures),
        TEST(threads),
    };
    if (THREAD_SANITIZER) {
        printf("opencl: skipped: drivers and their threads are not seen by the thread sanitizer\n");
        return SKIPPED;
    }
    if (!says("ASHLAR_OPENCL", "off", "no device opencl:0: ASHLAR_OPENCL is off") ||
        !says("ASHLAR_OPENCL", "libnone.so", "libnone.so") ||
        !says("ASHLAR_OPENCL", "libm.so.6", "libm.so.6 has no clGetPlatformIDs"))
        return 1;
    const bool told =
        says("ASHLAR_OPENCL_PLATFORM", "no such", "no platform of OpenCL has \"no such\" (ASHLAR_OPENCL_PLATFORM)");
    if (device_is_missing("opencl"))
        return SKIPPED;
    if (!told || !platform_chosen())
        return 1;
    const int failures = cmocka_run_group_tests(tests, NULL, NULL);
    ash_set_default_device(device); /* the process ends with arrays alive and work queued, compiled or not */
    ash_array *left = ash_zeros(ASH_SHAPE(1000000), .storage = ASH_PRIVATE);
    for (int k = 0; k < 100; k++)
        left = ash_map("x -> sin(x) + 1f", left);
    ash_array *const other = ash_map("x -> x / 3f - 1f", left);
    return failures || !left || !other;
}
