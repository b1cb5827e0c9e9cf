/*
 * double_driver.c - the double of libcuda as a driver: planted mistakes that it must report, queues, settings.
 *
 * A mistake that ends a context is told by an error that stays, and by words in the log; then the context is reset. Settings
 * are read when the library is loaded: those tests are this program again, in an environment of their own.
 */
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include "double.h"

extern char **environ;

static char log_path[64];

static void forget_log(void)
{
    CHECK(truncate(log_path, 0) == 0 || errno == ENOENT);
}

static void check_log(const char *words)
{
    static char text[1 << 16];
    FILE *const file = fopen(log_path, "r");
    const size_t length = file ? fread(text, 1, sizeof text - 1, file) : 0;
    text[length] = 0;
    if (file)
        fclose(file);
    if (!strstr(text, words))
        FAIL("the log lacks \"%s\": %s", words, text);
    forget_log();
}

static void reset(void)
{
    CHECK(cuDevicePrimaryCtxReset_v2(0) == 0);
    forget_log();
}

/* ---- kernels: p is a pointer, n a number */

#define KERNEL(NAME, BODY)                                                                                               \
    ".visible .entry " NAME "(.param .u64 p, .param .u64 n)\n{\n.reg .b32 %r<9>;\n.reg .b64 %d<9>;\n.reg .pred %q<3>;\n" \
    ".shared .align 4 .b8 own[64];\nld.param.u64 %d0, [p];\nld.param.u64 %d1, [n];\nmov.u32 %r0, %tid.x;\n"              \
    "mad.wide.u32 %d2, %r0, 4, %d0;\n" BODY "\nret;\n}\n"

static const char text[] = HEAD KERNEL("fill", "cvt.u32.u64 %r1, %d1; st.global.u32 [%d2], %r1;") KERNEL(
    "increment", "ld.global.u32 %r1, [%d2]; add.u32 %r1, %r1, 1; st.global.u32 [%d2], %r1;")
    KERNEL("odd", "add.u64 %d2, %d2, 2; ld.global.u32 %r1, [%d2];") KERNEL(
        "beyond_shared", "mov.u32 %r2, own; mad.lo.u32 %r2, %r0, 4, %r2; st.shared.u32 [%r2], %r0;")
        KERNEL("apart", "setp.lt.u32 %q0, %r0, 40; @%q0 bra other; bar.sync 0; bra done; other: bar.sync 0; done:") KERNEL(
            "half_comes", "setp.lt.u32 %q0, %r0, 8; @%q0 bra other; bar.sync 0; other: shfl.sync.idx.b32 %r2, %r0, 0, 31, -1;")
            KERNEL("neighbour", "mov.u32 %r2, own; mad.lo.u32 %r3, %r0, 4, %r2; st.shared.u32 [%r3], %r0; xor.b32 %r4, %r0, 1; "
                                "mad.lo.u32 %r3, %r4, 4, %r2; ld.shared.u32 %r1, [%r3];")
                KERNEL("traps", "trap;") ".visible .entry few(.param .u64 p, .param .u64 n)\n.maxntid 64, 1, 1\n{\nret;\n}\n";

static void *module;

static int launch(const char *name, unsigned threads, u64 pointer, u64 number, void *stream)
{
    void *parameter[] = {&pointer, &number};
    return cuLaunchKernel(function_of(module, name), 1, 1, 1, threads, 1, 1, 0, stream, parameter, NULL);
}

static int load_module(void **state)
{
    (void)state;
    module = module_of(text);
    forget_log();
    return 0;
}

/* ---- mistakes of kernels */

static void faults(void **state)
{
    static u32 of_the_host[64];
    static const struct {
        const char *kernel;
        unsigned threads;
        size_t nbytes; /* of the memory; 0: a pointer of the host, -1: given back, -2: none at all */
        int error;
        const char *words;
    } cases[] = {
        {"fill", 65, 256, 700, "0 bytes behind the end of allocation"},
        {"increment", 63, 250, 700, "2 of its bytes are behind the end"},
        {"odd", 1, 256, 716, "is no multiple of 4"},
        {"beyond_shared", 17, 256, 700, "of shared memory, which has 64"},
        {"fill", 1, 0, 700, "a pointer of the host?"},
        {"fill", 1, (size_t)-1, 700, "was given back"},
        {"fill", 1, (size_t)-2, 700, "a null pointer"},
        {"apart", 64, 256, 719, "wait at different barriers"},
        {"half_comes", 32, 256, 719, "divergent barrier"},
        {"neighbour", 16, 256, 719, "a race in shared memory: byte 4 was written by thread 1 with no barrier"},
        {"traps", 1, 256, 719, "trap"},
    };
    (void)state;
    for (int k = 0; k < COUNT(cases); k++) {
        u64 pointer = 0;
        module = module_of(text);
        if (cases[k].nbytes == 0)
            pointer = (u64)(uintptr_t)of_the_host;
        else if (cases[k].nbytes != (size_t)-2)
            pointer = device_bytes(cases[k].nbytes == (size_t)-1 ? 256 : cases[k].nbytes);
        if (cases[k].nbytes == (size_t)-1)
            CHECK(cuMemFree_v2(pointer) == 0);
        CHECK(launch(cases[k].kernel, cases[k].threads, pointer, 7, NULL) == 0); /* nobody knows yet */
        const int error = cuCtxSynchronize();
        if (error != cases[k].error)
            FAIL("%s: error %d, not %d", cases[k].kernel, error, cases[k].error);
        CHECK(cuMemAlloc_v2(&pointer, 16) == error); /* it stays */
        check_log(cases[k].words);
        reset();
    }
    load_module(NULL);
}

/* ---- mistakes of the host */

static void wrong_calls(void **state)
{
    u64 pointer = 0;
    u32 word = 0;
    void *parameter[] = {&pointer, &pointer}, *stream = NULL, *popped = NULL;
    (void)state;
    pointer = device_bytes(256);
    CHECK(pointer % 256 == 0 && pointer % 512 != 0); /* no more is promised */
    void *const few = function_of(module, "few");
    CHECK(cuLaunchKernel(few, 1, 1, 1, 65, 1, 1, 0, NULL, parameter, NULL) == 1);
    check_log(".maxntid");
    CHECK(cuLaunchKernel(few, 1, 65536, 1, 1, 1, 1, 0, NULL, parameter, NULL) == 1);
    check_log("the grid is too large");
    CHECK(cuLaunchKernel(few, 1, 1, 1, 1, 1, 1, 1 << 20, NULL, parameter, NULL) == 1);
    check_log("more shared memory than 48 KiB, or than was asked for");
    CHECK(cuMemcpyHtoD_v2(pointer + 8, &word, 256) == 1);
    check_log("8 of its bytes are behind the end");
    CHECK(cuMemcpyDtoH_v2(&word, (u64)(uintptr_t)&word, sizeof word) == 1);
    check_log("a pointer of the host?");
    CHECK(cuMemcpyHtoD_v2(pointer, (void *)(uintptr_t)(pointer + 64), 4) == 1); /* both of the device */
    check_log("for the host");
    CHECK(cuMemFree_v2(pointer + 1) == 1 && cuMemFree_v2(pointer) == 0 && cuMemFree_v2(pointer) == 1);
    check_log("was given back");
    CHECK(cuMemAlloc_v2(&pointer, (size_t)1 << 40) == 2 && cuMemAlloc_v2(&pointer, 0) == 1);
    CHECK(cuStreamCreate(&stream, 0) == 0 && cuStreamDestroy_v2(stream) == 0 && cuStreamSynchronize(stream) == 400);
    check_log("was destroyed");
    CHECK(cuCtxPopCurrent_v2(&popped) == 0 && popped == context && cuCtxSynchronize() == 201);
    check_log("no context is current");
    CHECK(cuCtxPushCurrent_v2(context) == 0);
}

enum { READ = 70 }; /* the status of a child that could read, and one more */

static bool crashed(int status) /* a sanitizer ends the child itself, with a status of its own */
{
    return !WIFEXITED(status) || WEXITSTATUS(status) < READ || WEXITSTATUS(status) > READ + 1;
}

static void host_crashes_at_device_memory(void **state)
{
    const u64 pointer = device_bytes(256);
    int status = 0;
    (void)state;
    const pid_t child = fork();
    if (child == 0) {
        signal(SIGSEGV, SIG_DFL);
        signal(SIGBUS, SIG_DFL);
        _exit(READ + (*(volatile int *)(uintptr_t)pointer == 0));
    }
    CHECK(child > 0 && waitpid(child, &status, 0) == child);
    CHECK(crashed(status));
    CHECK(cuMemFree_v2(pointer) == 0);
}

static void fresh_memory_is_poison(void **state)
{
    u32 word = 0;
    u64 managed = 0;
    const u64 pointer = device_bytes(256);
    (void)state;
    CHECK(cuMemcpyDtoH_v2(&word, pointer, sizeof word) == 0 && word == 0xCDCDCDCD);
    CHECK(cuMemFree_v2(pointer) == 0);
    CHECK(cuMemAllocManaged(&managed, 256, 1) == 0);
    CHECK(*(u32 *)(uintptr_t)managed == 0xCDCDCDCD);
    *(u32 *)(uintptr_t)managed = 5;
    CHECK(launch("increment", 1, managed, 0, NULL) == 0 && cuCtxSynchronize() == 0);
    CHECK(*(u32 *)(uintptr_t)managed == 6 && cuMemFree_v2(managed) == 0);
}

/* ---- queues */

/* Nothing is done before somebody waits: what two streams do to one place is in order only by an event. */
static void streams_race(void **state)
{
    void *a = NULL, *b = NULL, *event = NULL;
    u32 word = 0;
    (void)state;
    CHECK(cuStreamCreate(&a, 1) == 0 && cuStreamCreate(&b, 1) == 0 && cuEventCreate(&event, 2) == 0);
    for (int waits = 0; waits < 2; waits++) {
        const u64 pointer = device_bytes(256);
        CHECK(launch("fill", 1, pointer, 41, a) == 0 && cuEventRecord(event, a) == 0);
        if (waits)
            CHECK(cuStreamWaitEvent(b, event, 0) == 0);
        CHECK(launch("increment", 1, pointer, 0, b) == 0);
        CHECK(cuMemcpyDtoHAsync_v2(&word, pointer, sizeof word, b) == 0 && cuStreamSynchronize(b) == 0);
        CHECK(word == (waits ? 42 : 0xCDCDCDCE));
        CHECK(cuMemFree_v2(pointer) == 0);
    }
    CHECK(cuEventQuery(event) == 0 && cuEventDestroy_v2(event) == 0 && cuStreamDestroy_v2(a) == 0 &&
          cuStreamDestroy_v2(b) == 0);
}

/* Pageable bytes are taken at the call, pinned ones when the copy is done; to pinned memory nothing has come before that. */
static void pinned_and_pageable(void **state)
{
    void *pinned = NULL, *stream = NULL;
    u32 pageable = 1, word = 0;
    const u64 pointer = device_bytes(256);
    (void)state;
    CHECK(cuMemHostAlloc(&pinned, 64, 0) == 0 && cuStreamCreate(&stream, 1) == 0);
    u32 *const there = pinned;
    CHECK(cuMemcpyHtoDAsync_v2(pointer, &pageable, sizeof pageable, stream) == 0);
    pageable = 2;
    CHECK(cuMemcpyDtoHAsync_v2(&word, pointer, sizeof word, stream) == 0 && word == 1);
    *there = 1;
    CHECK(cuMemcpyHtoDAsync_v2(pointer, there, sizeof *there, stream) == 0);
    *there = 2;
    CHECK(cuMemcpyDtoHAsync_v2(&word, pointer, sizeof word, stream) == 0 && word == 2);
    CHECK(cuMemsetD32Async(pointer, 9, 4, stream) == 0 && cuMemcpyDtoHAsync_v2(there, pointer, sizeof *there, stream) == 0);
    CHECK(*there == 2 && cuStreamSynchronize(stream) == 0 && *there == 9);
    CHECK(cuStreamDestroy_v2(stream) == 0 && cuMemFreeHost(pinned) == 0 && cuMemFree_v2(pointer) == 0);
}

/* The default stream of old waits for the others, which are blocking, and they for it. */
static void default_stream(void **state)
{
    void *stream = NULL;
    u32 word = 0;
    const u64 pointer = device_bytes(256);
    (void)state;
    CHECK(cuStreamCreate(&stream, 0) == 0);
    CHECK(launch("fill", 1, pointer, 5, stream) == 0 && launch("increment", 1, pointer, 0, NULL) == 0);
    CHECK(launch("increment", 1, pointer, 0, stream) == 0 && cuStreamSynchronize(stream) == 0);
    CHECK(cuMemcpyDtoH_v2(&word, pointer, sizeof word) == 0 && word == 7);
    CHECK(cuStreamDestroy_v2(stream) == 0 && cuMemFree_v2(pointer) == 0);
}

static void ordered_allocation(void **state)
{
    void *a = NULL, *b = NULL;
    u64 pointer = 0;
    (void)state;
    CHECK(cuStreamCreate(&a, 1) == 0 && cuStreamCreate(&b, 1) == 0);
    CHECK(cuMemAllocAsync(&pointer, 256, a) == 0 && launch("fill", 1, pointer, 5, a) == 0 && cuStreamSynchronize(a) == 0);
    CHECK(cuMemFreeAsync(pointer, a) == 0 && cuMemFreeAsync(pointer, a) == 1);
    check_log("given back already");
    CHECK(cuStreamSynchronize(a) == 0);
    CHECK(cuMemAllocAsync(&pointer, 256, a) == 0 && launch("fill", 1, pointer, 5, b) == 0 && cuStreamSynchronize(b) == 700);
    check_log("which its stream has not come to");
    reset();
    load_module(NULL);
}

static int calls, error_of_call;

static void on_the_host(void *data)
{
    calls += *(int *)data;
    error_of_call = cuCtxSynchronize();
}

static void functions_of_the_host(void **state)
{
    int one = 1;
    (void)state;
    CHECK(cuLaunchHostFunc(NULL, on_the_host, &one) == 0 && calls == 0);
    CHECK(cuCtxSynchronize() == 0 && calls == 1 && error_of_call == 800);
    check_log("called by a function that is queued");
}

static void leaks(void **state)
{
    void *stream = NULL;
    (void)state;
    reset();
    device_bytes(1000);
    CHECK(cuStreamCreate(&stream, 0) == 0);
    CHECK(cuDevicePrimaryCtxReset_v2(0) == 0);
    check_log("of 1000 bytes is left");
    CHECK(cuDevicePrimaryCtxReset_v2(0) == 0);
    load_module(NULL);
}

/* ---- settings: this program again */

static int as_child(const char *what)
{
    u64 pointer[3] = {0};
    int value = 0;
    if (strcmp(what, "none") == 0) {
        void *const library = dlopen(DOUBLE, RTLD_NOW);
        void *const found = dlsym(library, "cuInit");
        int (*init)(unsigned);
        memcpy(&init, &found, sizeof init);
        return init(0) == 100 ? 0 : 1;
    }
    open_double();
    if (strcmp(what, "failing") == 0) /* the second allocation, and the first launch when it is run */
        return cuMemAlloc_v2(&pointer[0], 64) == 0 && cuMemAlloc_v2(&pointer[1], 64) == 2 &&
                       cuMemAlloc_v2(&pointer[2], 64) == 0 && !load_module(NULL) && launch("few", 1, 0, 0, NULL) == 0 &&
                       cuCtxSynchronize() == 719
                   ? 0
                   : 1;
    if (strcmp(what, "attributes") == 0)
        return cuDeviceGetAttribute(&value, 75, 0) == 0 && value == 7 && cuDeviceGetAttribute(&value, 76, 0) == 0 &&
                       value == 5 && cuDeviceGetAttribute(&value, 89, 0) == 0 && value == 0 &&
                       cuMemAlloc_v2(&pointer[0], 5000) == 2 && cuMemAlloc_v2(&pointer[0], 4000) == 0
                   ? 0
                   : 1;
    if (strcmp(what, "closed") == 0) { /* managed memory is the device's while a kernel is queued: the host crashes */
        int status = 0;
        CHECK(cuMemAllocManaged(&pointer[0], 64, 1) == 0 && !load_module(NULL));
        CHECK(launch("fill", 1, pointer[0], 5, NULL) == 0);
        const pid_t child = fork();
        if (child == 0)
            _exit(READ + (*(volatile int *)(uintptr_t)pointer[0] == 5));
        CHECK(child > 0 && waitpid(child, &status, 0) == child && crashed(status));
        return cuCtxSynchronize() == 0 && *(int *)(uintptr_t)pointer[0] == 5 ? 0 : 1;
    }
    if (strcmp(what, "old") == 0) { /* PTX 7.0 is read, 7.5 is not; nor is what is for newer devices */
        void *loaded = NULL;
        return cuModuleLoadDataEx(&loaded, HEAD, 0, NULL, NULL) == 0 &&
                       cuModuleLoadDataEx(&loaded, ".version 7.5\n.target sm_70\n.address_size 64\n", 0, NULL, NULL) == 222 &&
                       cuModuleLoadDataEx(&loaded, ".version 7.0\n.target sm_99\n.address_size 64\n", 0, NULL, NULL) == 218
                   ? 0
                   : 1;
    }
    return 2;
}

static void settings(void **state)
{
    static const struct {
        const char *what, *environment[3];
    } cases[] = {
        {"none", {"CUDA_DOUBLE_DEVICES=0"}},
        {"failing", {"CUDA_DOUBLE_FAIL=cuMemAlloc:2=2,launch:1=719"}},
        {"attributes", {"CUDA_DOUBLE_CAPABILITY=7.5", "CUDA_DOUBLE_ATTRIBUTES=89=0", "CUDA_DOUBLE_MEMORY=4096"}},
        {"closed", {"CUDA_DOUBLE_ATTRIBUTES=89=0"}},
        {"old", {"CUDA_DOUBLE_DRIVER=11040"}},
    };
    (void)state;
    for (int k = 0; k < COUNT(cases); k++) {
        char *arguments[] = {(char *)"double_driver", (char *)cases[k].what, NULL};
        const char *own[4] = {NULL};
        int status = 0, kept = 0;
        pid_t child;
        for (; kept < 3 && cases[k].environment[kept]; kept++)
            own[kept] = cases[k].environment[kept];
        CHECK(posix_spawn(&child, "/proc/self/exe", NULL, NULL, arguments, (char **)own) == 0);
        CHECK(waitpid(child, &status, 0) == child);
        if (!WIFEXITED(status) || WEXITSTATUS(status))
            FAIL("%s: status %#x", cases[k].what, (unsigned)status);
    }
}

int main(int count, char **argument)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(faults),
        cmocka_unit_test(wrong_calls),
        cmocka_unit_test(host_crashes_at_device_memory),
        cmocka_unit_test(fresh_memory_is_poison),
        cmocka_unit_test(streams_race),
        cmocka_unit_test(pinned_and_pageable),
        cmocka_unit_test(default_stream),
        cmocka_unit_test(ordered_allocation),
        cmocka_unit_test(functions_of_the_host),
        cmocka_unit_test(leaks),
        cmocka_unit_test(settings),
    };
    if (count > 1)
        return as_child(argument[1]);
    snprintf(log_path, sizeof log_path, "double-%ld.log", (long)getpid());
    setenv("CUDA_DOUBLE_LOG", log_path, 1);
    open_double();
    const int failed = cmocka_run_group_tests(tests, load_module, NULL);
    CHECK(cuDevicePrimaryCtxRelease_v2(0) == 0);
    unlink(log_path);
    return failed;
}
