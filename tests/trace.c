/*
 * trace.c - lines of JSON: each is parsed by Jansson, and its fields are those of docs/observing.md.
 *
 * Texts of any bytes come from dtypes, whose names a program makes, and from kernels.
 */
#include "devices.h"

#include <fcntl.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/trace.h"

#ifdef ASH__WITH_SAFETENSORS
#include <jansson.h>

static const char *program; /* argv[0] */

/* ---- lines */

enum { LINES = 512 };
static char *lines[LINES];
static int line_count;

static void keep(void *context, const char *line, size_t length)
{
    CHECK(context == lines && line[length] == 0 && length > 2 && line[length - 1] == '\n' && !strchr(line, '\n')[1]);
    if (line_count < LINES)
        lines[line_count++] = strdup(line);
}

static void begin(void)
{
    while (line_count)
        free(lines[--line_count]);
    ash_set_trace_function(keep, lines);
    ash_set_trace(true);
}

static void end(void)
{
    ash_set_trace(false);
    ash_set_trace_function(NULL, NULL);
}

/* The next line with such an event from number *at on. */
static json_t *next(const char *event, int *at)
{
    while (*at < line_count) {
        json_error_t error;
        json_t *const object = json_loads(lines[(*at)++], JSON_REJECT_DUPLICATES, &error);
        if (!object)
            FAIL("%s: %s", error.text, lines[*at - 1]);
        if (strcmp(json_string_value(json_object_get(object, "event")), event) == 0)
            return object;
        json_decref(object);
    }
    FAIL("no %s among %d lines", event, line_count);
    return NULL;
}

static const char *text_of(const json_t *object, const char *key)
{
    const char *const text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static int64_t number_of(const json_t *object, const char *key)
{
    const json_t *const value = json_object_get(object, key);
    CHECK(json_is_integer(value));
    return json_integer_value(value);
}

/* ---- tests */

static void tasks(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *const a = ash_zeros(ASH_SHAPE(2, 3));
    int at = 0;
    begin();
    ash_array *const b = ash_map("(x, y) -> x*y + 2f", a, a);
    end();
    CHECK(b);
    json_t *const task = next("task", &at);
    CHECK(json_real_value(json_object_get(task, "time")) > 1.7e9 && number_of(task, "thread") >= 1);
    CHECK(!strcmp(text_of(task, "function"), "ash_map") && !strcmp(text_of(task, "device"), "cpu:0"));
    CHECK(!strcmp(text_of(task, "kind"), "map") && number_of(task, "us") >= 0 && number_of(task, "instructions") > 2);
    const json_t *const shape = json_object_get(task, "shape"), *const operands = json_object_get(task, "operands");
    CHECK(json_array_size(shape) == 2 && json_integer_value(json_array_get(shape, 1)) == 3);
    CHECK(json_array_size(operands) == 2 && !strcmp(json_string_value(json_array_get(operands, 0)), "f32"));
    CHECK(!strcmp(text_of(task, "result"), "f32") && strstr(text_of(task, "program"), "\n"));
    json_decref(task);
    CHECK_FLOATS(b, 2, 2, 2, 2, 2, 2);
}

static void failures(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *const a = ash_i32(1, 2), *const zero = ash_i32(0, 1);
    int at = 0;
    begin();
    CHECK(!ash_map("(a, b) -> a % b", a, zero));
    end();
    ash_error_clear();
    json_t *const task = next("task", &at);
    CHECK(strcmp(text_of(task, "failed"), "value") == 0);
    json_decref(task);
}

/* Any bytes, UTF-8 or not, of any length. */
static void strings(void **state)
{
    (void)state;
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"", ""},
        {"plain", "plain"},
        {"a \"b\" \\ /", "a \"b\" \\ /"},
        {"\n\t\r\x01\x1f\x7f", "\n\t\r\x01\x1f\x7f"},
        {"\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80", "\xc3\xa9 \xe2\x82\xac \xf0\x9f\x98\x80"},
        {"\xff", "\xef\xbf\xbd"},
        {"\xc0\x80", "\xef\xbf\xbd\xef\xbf\xbd"},                                 /* too long a form */
        {"\xe0\x9f\xbf", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},                 /* the same */
        {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},                 /* half of a pair */
        {"\xf4\x90\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"}, /* beyond the last character */
        {"\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd"},                                 /* cut off */
    };
    for (int k = 0; k < COUNT(cases); k++) {
        ash__trace t;
        int at = 0;
        begin();
        ash__trace_begin(&t, "word", NULL, NULL);
        ash__trace_words(&t, "text", cases[k].text);
        ash__trace_end(&t);
        end();
        json_t *const object = next("word", &at);
        if (strcmp(text_of(object, "text"), cases[k].want))
            FAIL("case %d: %s", k, lines[0]);
        json_decref(object);
    }
    char long_one[2000];
    for (int first = 1; first < 256; first += 3) {
        ash__trace t;
        int at = 0;
        for (int k = 0; k < COUNT(long_one) - 1; k++)
            long_one[k] = (char)(first + k % 7 ? first + k % 7 : 1);
        long_one[COUNT(long_one) - 1] = 0;
        begin();
        ash__trace_begin(&t, "word", long_one, NULL);
        ash__trace_words(&t, "text", long_one);
        ash__trace_end(&t);
        end();
        json_decref(next("word", &at));
    }
}

/* The most that a line can have: names and shapes as long as they get. */
static void longest_line(void **state)
{
    (void)state;
    ash__trace t;
    char worst[1000];
    int64_t shape[32];
    int at = 0;
    memset(worst, 1, sizeof worst - 1);
    worst[sizeof worst - 1] = 0;
    for (int k = 0; k < 32; k++)
        shape[k] = INT64_MIN;
    begin();
    ash__trace_begin(&t, "task", worst, ash_device_open("cpu:0"));
    ash__trace_words(&t, "kind", "histogram");
    ash__trace_numbers(&t, "shape", shape, 32);
    for (int k = 0; k < 9; k++) {
        ash__trace_key(&t, (const char *const[]){"a", "b", "c", "d", "e", "f", "g", "h", "i"}[k]);
        ash__trace_string(&t, worst, ASH__TRACE_NAME);
    }
    ash__trace_words(&t, "program", worst);
    ash__trace_number(&t, "instructions", INT64_MIN);
    ash__trace_time(&t, 0);
    ash__trace_end(&t);
    end();
    json_decref(next("task", &at));
}

static void *map_often(void *context)
{
    ash_array *const a = ash_zeros(ASH_SHAPE(5));
    for (int k = 0; k < 20; k++)
        ash_release(ash_map("x -> x + 1f", a));
    ash_release(a);
    return context;
}

/* Whole lines, whatever the threads do. */
static void threads(void **state)
{
    (void)state;
    pthread_t thread[4];
    int at = 0, seen = 0;
    begin();
    for (int k = 0; k < 4; k++)
        CHECK(pthread_create(&thread[k], NULL, map_often, NULL) == 0);
    for (int k = 0; k < 4; k++)
        pthread_join(thread[k], NULL);
    end();
    while (at < line_count) {
        json_t *const object = json_loads(lines[at++], 0, NULL);
        CHECK(object);
        seen += strcmp(text_of(object, "kind"), "map") == 0;
        json_decref(object);
    }
    CHECK(seen == 80);
}

/* What a program's function computes is not traced, and no lock is held against it. */
static void compute(void *context, const char *line, size_t length)
{
    ASH_SCOPE(scope);
    (void)line, (void)length;
    *(float *)context += ash_item_f32(ash_sum(ash_map("x -> x + 1f", ash_zeros(ASH_SHAPE(2)))));
}

static void function_computes(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    float sum = 0;
    ash_set_trace_function(compute, &sum);
    ash_set_trace(true);
    CHECK(ash_sum(ash_zeros(ASH_SHAPE(3))));
    end();
    CHECK(sum >= 2);
}

static int child(void)
{
    ash_array *const a = ash_zeros(ASH_SHAPE(2));
    ash_release(ash_map("x -> x + 1f", a));
    ash_release(a);
    return 0;
}

/* ASHLAR_TRACE names a file: lines are added to it, by several processes. */
static void to_a_file(void **state)
{
    (void)state;
    char path[] = "/tmp/ashlar-trace-XXXXXX", line[ASH__TRACE_LINE];
    int status, found = 0;
    const int made = mkstemp(path);
    CHECK(made >= 0);
    for (int k = 0; k < 2; k++) {
        const pid_t pid = fork();
        if (pid == 0) {
            setenv("ASHLAR_TRACE", path, 1);
            execl(program, program, "child", (char *)NULL);
            _exit(127);
        }
        CHECK(waitpid(pid, &status, 0) == pid && status == 0);
    }
    FILE *const file = fdopen(made, "r");
    CHECK(file);
    while (fgets(line, sizeof line, file)) {
        json_t *const object = json_loads(line, 0, NULL);
        CHECK(object);
        found += strcmp(text_of(object, "function"), "ash_map") == 0;
        json_decref(object);
    }
    fclose(file);
    unlink(path);
    CHECK(found == 2);
}

/* ---- on a device */

static void of_a_device(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    if (device_is_missing("trace, devices"))
        return;
    ash_resources *const r = on(device);
    ash_array *const a = ash_fill_new(ASH_SHAPE(3), 1.0f, .resources = r, .storage = ASH_PRIVATE);
    int at = 0;
    begin();
    CHECK_FLOATS(ash_map("x -> x*16f + 5f", a), 21, 21, 21);
    end();
    json_t *const compile = next("compile", &at);
    CHECK(!strcmp(text_of(compile, "function"), "ash_map") && !strcmp(text_of(compile, "device"), "opencl:0"));
    CHECK(json_is_false(json_object_get(compile, "from_disk")) && number_of(compile, "bytes") > 1000 &&
          number_of(compile, "us") > 0);
    json_decref(next("task", &at));
    json_t *const copy = next("copy", &at);
    CHECK(!strcmp(text_of(copy, "to"), "host") && number_of(copy, "bytes") == 12 && number_of(copy, "us") >= 0);
    CHECK(json_is_true(json_object_get(copy, "asked")));
    json_decref(compile);
    json_decref(copy);
    begin();
    CHECK(ash_size(ash_find(a)) == 3);
    end();
    at = 0;
    for (bool found = false; !found;) { /* among what else it is made of */
        json_t *const task = next("task", &at);
        found = strcmp(text_of(task, "kind"), "select") == 0;
        json_decref(task);
    }
    ash_resources_release(r);
}

int main(int argc, char **argv)
{
    program = argv[0];
    if (argc > 1)
        return child();
    const struct CMUnitTest tests[] = {TEST(tasks),   TEST(failures),          TEST(strings),   TEST(longest_line),
                                       TEST(threads), TEST(function_computes), TEST(to_a_file), TEST(of_a_device)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
#else
int main(void)
{
    puts("trace: skipped: built without Jansson, which reads the lines");
    return SKIPPED;
}
#endif
