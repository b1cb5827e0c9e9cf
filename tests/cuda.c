/*
 * cuda.c - the CUDA driver: what is said when something is missing or wrong, and where there is a device, or a double of one,
 * what the GPU layer makes of it.
 *
 * Libraries that something is wrong with stand for the driver and for NVRTC: cuda_fake/fake.c. They are looked for once in a
 * process, so that every case has a child of its own.
 */
#include "test.h"

#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backend/cuda/cuda.h"
#include "core/alloc.h"

enum { SKIPPED = 77 };
static const char device[] = "cuda:0";

/* ---- what is wrong: in children, before anything is looked for */

static const struct {
    const char *library, *nvrtc, *fault, *nvrtc_version; /* NULL: as it is; FAKE for the libraries */
    const char *want[3];
} wrong[] = {
    {"off", NULL, NULL, NULL, {"no device cuda:0: ASHLAR_CUDA_LIBRARY is off"}},
    {"libnone.so.1",
     NULL,
     NULL,
     NULL,
     {"no device cuda:0: libnone.so.1: ", "; install NVIDIA's driver, or set ASHLAR_CUDA_LIBRARY"}},
    {"libm.so.6", NULL, NULL, NULL, {"libm.so.6 has no cuInit: it is not CUDA's driver; set ASHLAR_CUDA_LIBRARY"}},
    {FAKE_OLD, NULL, NULL, NULL, {" is a driver older than CUDA 11.4; install NVIDIA's driver 470 or newer"}},
    {FAKE, NULL, "lacks=cuLaunchKernel", NULL, {" has no cuLaunchKernel of CUDA 11.4; install NVIDIA's driver 470 or newer"}},
    {FAKE,
     NULL,
     "count=0",
     NULL,
     {"no device cuda:0: CUDA knows no device: there is no NVIDIA GPU, or CUDA_VISIBLE_DEVICES hides it"}},
    {FAKE,
     NULL,
     "init=100",
     NULL,
     {"failed with CUDA error 100, NAME: there is no NVIDIA GPU, or CUDA_VISIBLE_DEVICES hides it"}},
    {FAKE,
     NULL,
     "init=34",
     NULL,
     {"this is the toolkit's stub, which only links: set ASHLAR_CUDA_LIBRARY to the driver's libcuda.so.1"}},
    {FAKE, NULL, "init=803", NULL, {"libcuda and the kernel's module are of different versions: restart the machine"}},
    {FAKE, NULL, "init=802", NULL, {"is nvidia-fabricmanager running?"}},
    {FAKE, NULL, "init=804", NULL, {"use the driver's own libcuda.so.1"}},
    {FAKE, NULL, "init=999", NULL, {"may this user open /dev/nvidia*? nvidia-smi tells more"}},
    {FAKE,
     "libnone.so.1",
     NULL,
     NULL,
     {"ash_device_open: cuda:0 needs NVRTC to compile kernels: libnone.so.1: ", ", which ASHLAR_NVRTC_LIBRARY names"}},
    {FAKE, "libm.so.6", NULL, NULL, {"libm.so.6 has no nvrtcVersion; NVRTC 11.2 or newer is needed"}},
    {FAKE, FAKE_OLD, NULL, NULL, {" has no nvrtcGetPTX; NVRTC 11.2 or newer is needed"}},
    {FAKE, FAKE, NULL, "what", {" does not tell its version and architectures; set ASHLAR_NVRTC_LIBRARY"}},
    {FAKE,
     FAKE,
     "version=12020",
     "13.0",
     {" is NVRTC 13.0 and the driver knows CUDA 12.2, which refuses its code; install a newer driver, or NVRTC 12 and set "
      "ASHLAR_NVRTC_LIBRARY"}},
    {FAKE,
     FAKE,
     "capability=61",
     NULL,
     {"ash_device_open: cuda:0 has compute capability 6.1, for which NVRTC 12.4 does not compile; install an older one, and "
      "set ASHLAR_NVRTC_LIBRARY"}},
    {FAKE,
     FAKE,
     "pointers=0",
     NULL,
     {"ash_device_open: cuda:0, Fake (compute 9.0, CUDA 12.4), has addresses of its own; one address space is needed"}},
    {FAKE,
     FAKE,
     "retain=46",
     NULL,
     {"cuDevicePrimaryCtxRetain of cuda:0 failed with CUDA error 46, NAME: another process has the device to itself"}},
    {FAKE,
     FAKE,
     "retain=2",
     NULL,
     {"cuDevicePrimaryCtxRetain of cuda:0 failed with CUDA error 2, NAME: other processes have its memory"}},
};

static void set(const char *variable, const char *value)
{
    if (value)
        setenv(variable, value, 1);
}

static bool says(int k)
{
    set("ASHLAR_CUDA_LIBRARY", wrong[k].library);
    set("ASHLAR_NVRTC_LIBRARY", wrong[k].nvrtc);
    set("FAKE_CUDA", wrong[k].fault);
    set("FAKE_NVRTC", wrong[k].nvrtc_version);
    bool right = !ash_device_open(device);
    const char *const text = ash_error_text();
    for (int i = 0; i < COUNT(wrong[k].want) && wrong[k].want[i]; i++)
        right = right && strstr(text, wrong[k].want[i]);
    if (!right)
        fprintf(stderr, "case %d: %s\n", k, text);
    return right && ash_device_open("cpu:0"); /* the library goes on */
}

/* What was opened before a fork cannot be used, and what was only looked for cannot be opened. */
static bool refuses_after_fork(int opens)
{
    set("ASHLAR_CUDA_LIBRARY", FAKE);
    set("ASHLAR_NVRTC_LIBRARY", FAKE);
    if (ash_backend_devices("cuda") != 1 || (opens && !ash_device_open(device)))
        return false;
    const pid_t child = fork();
    if (child == 0) {
        const bool refused =
            opens ? !ash_zeros(ASH_SHAPE(3), .resources = ash_resources_new(device)) : !ash_device_open(device);
        _exit(refused && (opens || strstr(ash_error_text(), "CUDA was started before this process was forked")) ? 0 : 1);
    }
    int end = 1;
    return waitpid(child, &end, 0) == child && end == 0;
}

/* ---- on a device: listing, storage, copies */

static ash_resources *on(const char *name)
{
    ash_resources *const r = ash_resources_new(name);
    CHECK(r);
    return r;
}

static void listing(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    const ash_device *const d = ash_device_open(device), *const weak = ash_device_open("cuda:0?f64=off");
    CHECK(d && weak && ash_device_open("cuda") == d && ash_backend_devices("cuda") >= 1);
    CHECK(strcmp(ash_device_name(d), device) == 0 && strstr(ash_device_description(d), "(compute "));
    CHECK(ash_device_memory(d) > 0 && ash_device_can(d, ASH_CAP_F64) && ash_device_can(d, ASH_CAP_F16));
    ash_resources *const r = on("cuda:0?f64=off");
    CHECK(!ash_zeros(ASH_SHAPE(2), .dtype = ASH_F64, .resources = r));
    CHECK_ERROR_HAS(ASH_ERR_DTYPE, "cuda:0?f64=off does not support f64 values; use f32");
    CHECK_FLOATS(ash_map("x -> x / 3f", ash_fill_new(ASH_SHAPE(2), 6.0f, .resources = r)), 2, 2);
    ash_resources_release(r);
    CHECK(!ash_device_open("cuda:63"));
    CHECK_ERROR_PARTS(ASH_ERR_DEVICE, "ash_device_open: no device cuda:63; this build has cpu:0", "cuda:0");
}

/* Of numbers 0, 1 ...: whether they are what the elements are. */
static bool counts(const ash_array *a, int64_t n, float factor)
{
    float *const x = calloc((size_t)n, sizeof *x);
    CHECK_OK(ash_to_host(a, x, (size_t)n * sizeof *x));
    bool right = true;
    for (int64_t i = 0; i < n && right; i++)
        right = x[i] == factor * (float)i;
    free(x);
    return right;
}

static float *numbers(int64_t n)
{
    float *const x = calloc((size_t)n, sizeof *x);
    for (int64_t i = 0; i < n; i++)
        x[i] = (float)i;
    return x;
}

/* Sizes around those of the pinned memory that copies go through. */
static void copies(void **state)
{
    (void)state;
    enum { HALF = ASH__CU_STAGE / sizeof(float) };
    static const int64_t size[] = {1, 100, HALF - 1, HALF, HALF + 1, 2 * HALF, 5 * HALF + 7, 333};
    ash_resources *const r = on(device);
    for (int k = 0; k < COUNT(size); k++) {
        ASH_SCOPE(scope);
        const int64_t n = size[k];
        float *const x = numbers(n);
        ash_array *const a = ash_from_host(x, ASH_F32, ASH_SHAPE(n), .storage = ASH_PRIVATE, .resources = r);
        free(x);
        CHECK(counts(a, n, 1) && counts(ash_map("x -> 2f*x", a), n, 2));
        ash_array *const shared = ash_copy(a, .storage = ASH_SHARED);
        CHECK(ash_get_f32(shared, n - 1) == (float)(n - 1));
        CHECK_OK(ash_map_into(shared, "x -> -x", shared));
        CHECK(counts(shared, n, -1));
        CHECK(counts(ash_copy(shared, .storage = ASH_PRIVATE), n, -1));
    }
    ash_resources_release(r);
}

/* Many small copies to the device, one behind the other, while kernels are queued that use them. */
static void small_copies(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_resources *const r = on(device);
    ash_array *const a = ash_zeros(ASH_SHAPE(3000), .storage = ASH_PRIVATE, .resources = r);
    float x[100];
    for (int k = 0; k < 30; k++) {
        for (int i = 0; i < COUNT(x); i++)
            x[i] = (float)(100 * k + i);
        ash_array *const part = ash_slice(a, 100 * k, 100 * k + 100);
        CHECK_OK(ash_copy_into(part, ash_from_host(x, ASH_F32, ASH_SHAPE(100), .storage = ASH_PRIVATE, .resources = r)));
    }
    CHECK(counts(a, 3000, 1));
    ash_resources_release(r);
}

/* ---- memory of the program's */

/* Between these, the test is a program with CUDA code of its own. */
static void *cuda_begin(void)
{
    void *context = NULL;
    CHECK(!ash__cu.cuDevicePrimaryCtxRetain(&context, 0) && !ash__cu.cuCtxPushCurrent(context));
    return context;
}
static void cuda_end(void)
{
    void *context;
    ash__cu.cuCtxPopCurrent(&context);
    ash__cu.cuDevicePrimaryCtxRelease(0);
}

static void lent_memory(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_resources *const r = on(device);
    static const int64_t size[] = {5, 200003};
    for (int k = 0; k < COUNT(size); k++) {
        float *const x = numbers(size[k]);
        ash_array *const a = ash_wrap(x, ASH_F32, size[k], ASH_SHAPE(size[k]), .resources = r);
        CHECK_OK(ash_map_into(a, "x -> 3f*x", a));
        CHECK(x[1] == 3 && x[size[k] - 1] == 3 * (float)(size[k] - 1) && ash_storage_of(a) == ASH_SHARED);
        CHECK(counts(ash_map("x -> x / 3f", a), size[k], 1));
        ash_discard(a);
        free(x);
    }
    void *pinned = NULL;
    cuda_begin();
    CHECK(!ash__cu.cuMemHostAlloc(&pinned, 4000, CU_MEMHOSTALLOC_DEVICEMAP));
    cuda_end();
    float *const x = pinned;
    for (int i = 0; i < 1000; i++)
        x[i] = (float)i;
    ash_array *const a = ash_wrap(x + 10, ASH_F32, 900, ASH_SHAPE(900), .resources = r);
    CHECK_OK(ash_map_into(a, "x -> -x", a));
    CHECK(x[9] == 9 && x[10] == -10 && x[909] == -909 && x[910] == 910);
    ash_discard(a);
    cuda_begin();
    CHECK(!ash__cu.cuMemFreeHost(pinned));
    cuda_end();
    ash_resources_release(r);
}

static int ended;
static void end_memory(void *context)
{
    cuda_begin();
    CHECK(!ash__cu.cuMemFree(*(uint64_t *)context));
    cuda_end();
    ended++;
}

/* Device memory of n numbers 0, 1 ... that the program allocates. */
static uint64_t own_memory(int64_t n)
{
    uint64_t pointer = 0;
    void *stream = NULL;
    float *const x = numbers(n);
    cuda_begin();
    CHECK(!ash__cu.cuMemAlloc(&pointer, (size_t)n * sizeof *x) && !ash__cu.cuStreamCreate(&stream, 0));
    CHECK(!ash__cu.cuMemcpyHtoDAsync(pointer, x, (size_t)n * sizeof *x, stream) && !ash__cu.cuStreamSynchronize(stream));
    CHECK(!ash__cu.cuStreamDestroy(stream));
    cuda_end();
    free(x);
    return pointer;
}

static void device_pointers(void **state)
{
    (void)state;
    enum { N = 1000 };
    ASH_SCOPE(scope);
    ash_resources *const r = on(device);
    uint64_t pointer = own_memory(N), found = 0;
    void *const data = (void *)(uintptr_t)pointer;
    ended = 0;
    ash_array *const a =
        ash_wrap(data, ASH_F32, N, ASH_SHAPE(10, ASH_INFER), .resources = r, .deleter = end_memory, .context = &pointer);
    CHECK(a && ash_storage_of(a) == ASH_PRIVATE && ash_shape(a)[1] == 100);
    CHECK(counts(a, N, 1));
    ash_array *const part = ash_slice(a, 2, 3);
    CHECK_OK(ash_cuda_begin(part, false, r, &found));
    CHECK(found == pointer + 200 * sizeof(float));
    CHECK_OK(ash_cuda_end(part, false, r));
    ash_release(part);
    ash_array *const b = ash_map("x -> 5f*x", a); /* may be queued still when its operand goes */
    ash_release(a);
    CHECK(counts(b, N, 5));
    CHECK_OK(ash_sync(r));
    CHECK(ended == 1);
    /* what is not all the device's is refused, and stays the program's */
    pointer = own_memory(N);
    CHECK(!ash_wrap((void *)(uintptr_t)pointer, ASH_F32, 1 << 24, ASH_SHAPE(1 << 24), .resources = r, .deleter = end_memory,
                    .context = &pointer));
    CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_wrap: 67108864 bytes from ", "are not all memory of cuda:0");
    ash_array *const c = ash_wrap((void *)(uintptr_t)pointer, ASH_F32, N, ASH_SHAPE(N), .resources = r, .readonly = true,
                                  .deferred = true, .context = &pointer);
    CHECK(ash_cuda_begin(c, true, r, &found) == ASH_ERR_ARGUMENT);
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "read-only");
    ash_release(c);
    CHECK_OK(ash_sync(r));
    void *context = NULL;
    CHECK(ended == 1 && ash_deferred(&context, 1) == 1 && context == &pointer);
    end_memory(context);
    ash_resources_release(r);
}

/* ---- streams of the program's */

static void streams(void **state)
{
    (void)state;
    enum { N = 500 };
    ASH_SCOPE(scope);
    void *stream = NULL, *found = NULL;
    uint64_t pointer = 0;
    cuda_begin();
    CHECK(!ash__cu.cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    cuda_end();
    ash_resources *const theirs = ash_cuda_resources(device, stream), *const ours = on(device);
    CHECK_OK(ash_cuda_stream(theirs, &found));
    CHECK(theirs && found == stream);
    CHECK_OK(ash_cuda_stream(ours, &found));
    CHECK(found && found != stream);
    /* the program writes between two kernels of the library that are on other queues */
    ash_array *const a = ash_fill_new(ASH_SHAPE(N), 7.0f, .storage = ASH_PRIVATE, .resources = ours);
    ash_array *const before = ash_map_with("x -> x + 1f", ASH_OPERANDS(a), .resources = ours);
    float *const x = numbers(N);
    CHECK_OK(ash_cuda_begin(a, true, theirs, &pointer));
    cuda_begin();
    CHECK(!ash__cu.cuMemcpyHtoDAsync(pointer, x, N * sizeof *x, stream));
    cuda_end();
    CHECK_OK(ash_cuda_end(a, true, theirs));
    ash_array *const after = ash_map_with("x -> 2f*x", ASH_OPERANDS(a), .resources = ours);
    ash_array *const made = ash_map_with("x -> -x", ASH_OPERANDS(after), .resources = theirs);
    CHECK(counts(after, N, 2) && counts(made, N, -2));
    ash_release(made); /* it holds their resources */
    for (int i = 0; i < N; i += 99)
        CHECK(ash_get_f32(ash_copy(before, .storage = ASH_SHARED), i) == 8);
    /* the stream may go after its resources, and what was queued there still counts */
    ash_array *const last = ash_map_with("x -> 4f*x", ASH_OPERANDS(a), .resources = ours);
    ash_array *const late = ash_map_with("x -> x / 2f", ASH_OPERANDS(last), .resources = ours);
    CHECK_OK(ash_map_into_with(a, "x -> 3f*x", ASH_OPERANDS(a), .resources = theirs));
    ash_resources_release(theirs);
    cuda_begin();
    CHECK(!ash__cu.cuStreamSynchronize(stream) && !ash__cu.cuStreamDestroy(stream));
    cuda_end();
    CHECK(counts(late, N, 2) && counts(a, N, 3));
    free(x);
    ash_resources *const legacy = ash_cuda_resources(device, NULL);
    CHECK(counts(ash_map_with("x -> x / 3f", ASH_OPERANDS(a), .resources = legacy), N, 1));
    ash_resources_release(legacy);
    ash_resources_release(ours);
    CHECK(!ash_cuda_resources("cpu:0", stream));
    CHECK_ERROR_HAS(ASH_ERR_UNSUPPORTED, "ash_cuda_resources: cpu:0 is no CUDA device");
    CHECK(ash_cuda_begin(ash_f32(1), false, NULL, &pointer) == ASH_ERR_UNSUPPORTED);
    ash_error_clear();
}

/* ---- DLPack */

static void tensors_out_and_in(void **state)
{
    (void)state;
    enum { LARGE = 100000 };
    static const struct {
        int64_t size;
        ash_storage storage;
        int64_t stream;
    } cases[] = {{LARGE, ASH_PRIVATE, 0}, {LARGE, ASH_PRIVATE, 1}, {10, ASH_PRIVATE, 2},
                 {LARGE, ASH_SHARED, 0},  {10, ASH_SHARED, 1},     {10, ASH_SHARED, -1}};
    ash_resources *const r = on(device), *const other = on(device);
    for (int k = 0; k < COUNT(cases); k++) {
        ASH_SCOPE(scope);
        const int64_t n = cases[k].size;
        float *const x = numbers(n);
        ash_array *const a = ash_from_host(x, ASH_F32, ASH_SHAPE(n), .storage = cases[k].storage, .resources = r);
        free(x);
        CHECK_OK(ash_map_into(a, "x -> 2f*x", a));
        ash_dl_managed *const m = ash_to_dlpack(a, .stream = cases[k].stream);
        CHECK(m && m->tensor.device.index == 0);
        const int kind = m->tensor.device.kind;
        CHECK(cases[k].storage == ASH_PRIVATE ? kind == ASH_DL_CUDA : kind == ASH_DL_CUDA_HOST || kind == ASH_DL_CUDA_MANAGED);
        if (cases[k].stream == -1)
            CHECK_OK(ash_wait(a));
        if (cases[k].stream > 0) { /* the consumer's side of it */
            cuda_begin();
            CHECK(!ash__cu.cuStreamSynchronize((void *)(intptr_t)cases[k].stream));
            cuda_end();
        }
        ash_array *const b = ash_from_dlpack(m, .resources = other);
        CHECK(b && ash_storage_of(b) == (kind == ASH_DL_CUDA ? ASH_PRIVATE : ASH_SHARED));
        ash_release(a);
        CHECK(counts(ash_map("x -> x / 2f", b), n, 1));
    }
    ash_resources_release(r);
    ash_resources_release(other);
}

static void tensors_refused(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_resources *const r = on(device), *const host = on("cpu:0");
    ash_array *const a = ash_fill_new(ASH_SHAPE(3), 1.0f, .storage = ASH_PRIVATE, .resources = r);
    ash_dl_managed *const m = ash_to_dlpack(a);
    CHECK(m && !ash_from_dlpack(m, .resources = host));
    CHECK_ERROR_HAS(ASH_ERR_DEVICE, "ash_from_dlpack: the tensor is on cuda:0; cpu:0 takes host memory");
    m->tensor.device.index = 3;
    CHECK(!ash_from_dlpack(m, .resources = r));
    CHECK_ERROR_HAS(ASH_ERR_DEVICE, "the tensor is on cuda:3; cuda:0 takes its own memory");
    m->deleter(m);
    CHECK(!ash_to_dlpack(ash_fill_new(ASH_SHAPE(3), 1.0f, .resources = host), .stream = 1));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_to_dlpack: stream is 1, but a is not on a CUDA device");
    ash_resources_release(r);
    ash_resources_release(host);
}

/* ---- programs, threads, processes */

static void compile_failure(void **state)
{
    (void)state;
    const ash_device *const d = ash_device_open(device);
    void *program = NULL;
    CHECK(ash__cuda_driver.compile("ash_map", d, "extern \"C\" __global__ void run(int *x) { *x = nonsense; }", &program) ==
          ASH_ERR_DEVICE);
    CHECK_ERROR_PARTS(ASH_ERR_DEVICE, "ash_map: nvrtcCompileProgram failed with NVRTC's error", "nonsense");
}

enum { THREADS = 4, ROUNDS = 10, MANY_GROUPS = 70001 };

/* More groups along the second axis than a grid of CUDA has along y. */
static void grids_turned_round(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_resources *const r = on(device);
    ash_array *const column = ash_range(0, MANY_GROUPS, .dtype = ASH_I32, .resources = r);
    ash_array *const row = ash_range(0, 3, .dtype = ASH_I32, .resources = r);
    ash_array *const a = ash_map("(x, y) -> 3*x + y", ash_insert_axis(column, 1), row);
    CHECK(ash_shape(a)[0] == MANY_GROUPS && ash_get_i32(a, 0, 0) == 0 &&
          ash_get_i32(a, MANY_GROUPS - 1, 2) == 3 * MANY_GROUPS - 1);
    CHECK(ash_item_i64(ash_sum(a)) == (int64_t)(3 * MANY_GROUPS) * (3 * MANY_GROUPS - 1) / 2);
    ash_resources_release(r);
}

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
        ash_array *const a = ash_fill_new(ASH_SHAPE(300), w->factor, .resources = w->resources);
        ash_array *const b = ash_map("(x, s) -> x*s + 0.25f", a, (float)i);
        w->right = b && ash_get_f32(b, 299) == w->factor * (float)i + 0.25f;
    }
    return NULL;
}

/* No thread but this one has ever had CUDA's context. */
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

static void forked(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_resources *const r = on(device);
    ash_array *const a = ash_fill_new(ASH_SHAPE(3), 1.0f, .resources = r);
    const pid_t child = fork();
    if (child == 0) {
        const bool refused = !ash_map("x -> x + 1f", a) && strstr(ash_error_text(), "forked");
        float x[3];
        const bool unread = ash_to_host(a, x, sizeof x) == ASH_ERR_DEVICE; /* it may not even have the memory */
        ash_resources_release(r);
        _exit(refused && unread ? 0 : 1);
    }
    int end = 1;
    CHECK(waitpid(child, &end, 0) == child && end == 0);
    CHECK_FLOATS(ash_map("x -> x + 1f", a), 2, 2, 2);
    ash_resources_release(r);
}

/* Each allocation of a first use fails in turn, and nothing is left of it. */
static void allocation_failures(void **state)
{
    (void)state;
    ash_resources *const r = on(device);
    bool done = false;
    for (int64_t n = 1; !done && n < 100; n++) {
        ASH_SCOPE(scope);
        ash_array *const a = ash_fill_new(ASH_SHAPE(5), 3.0f, .resources = r);
        ash__fail_allocation(n);
        ash_array *const b = ash_map("x -> x*x - 0.625f", a);
        ash__fail_allocation(0);
        done = b != NULL;
        if (done)
            CHECK_FLOATS(b, 8.375, 8.375, 8.375, 8.375, 8.375);
        else
            CHECK_ERROR_HAS(ASH_ERR_MEMORY, "ash_map: ");
    }
    CHECK(done);
    ash_resources_release(r);
}

/* ---- faults of the device, by the double: in children */

static bool computes(void)
{
    ASH_SCOPE(scope);
    ash_resources *const r = ash_resources_new(device);
    float x[3] = {1, 2, 3};
    ash_array *const a = ash_wrap(x, ASH_F32, 3, ASH_SHAPE(3), .resources = r);
    ash_array *const b = ash_map("x -> x + 1f", ash_copy(a, .storage = ASH_PRIVATE));
    ash_array *const large = ash_map("x -> 2f*x", ash_fill_new(ASH_SHAPE(50000), 4.0f, .resources = r));
    float y[3] = {0};
    const bool right = !ash_map_into(a, "x -> 10f*x", a) && !ash_to_host(b, y, sizeof y) && x[2] == 30 && y[2] == 4 &&
                       ash_get_f32(large, 49999) == 8;
    ash_resources_release(r);
    return right && !ash_failed();
}

static const struct {
    const char *attributes, *fail;
    const char *want[2]; /* NULL: it computes all the same */
} faults[] = {
    {"83=0,89=0", NULL, {NULL}},           /* no managed memory */
    {"89=0", NULL, {NULL}},                /* not while the host uses it */
    {"115=0", NULL, {NULL}},               /* no memory in the order of streams */
    {NULL, "cuMemAllocAsync:1=2", {NULL}}, /* tried again */
    {NULL, "cuMemHostAlloc:1+=2", {NULL}}, /* CUDA copies by itself */
    {NULL, "cuMemAllocAsync:1+=2", {"no memory", "cuda:0"}},
    {NULL, "cuModuleLoadDataEx:1=222", {"does not take what NVRTC", "install a newer driver, or NVRTC"}},
    {NULL, "cuModuleLoadDataEx:1=221", {"libnvidia-ptxjitcompiler.so.1"}},
    {NULL, "cuStreamCreate:1=2", {"cuStreamCreate of cuda:0 failed with CUDA error 2"}},
    {NULL, "cuLaunchKernel:1=701", {"runs at most", "work-items of a group of kernel run"}},
    {NULL, "launch:1=700", {"cuda:0 was lost: a kernel ended with CUDA error 700", "in a new process only"}},
    {NULL, "launch:2=719", {"cuda:0 was lost: a kernel ended with CUDA error 719"}},
    {NULL, "cuEventRecord:2=716", {"cuda:0 was lost: a kernel ended with CUDA error 716"}},
};

static bool fails_as_wanted(int k)
{
    set("CUDA_DOUBLE_ATTRIBUTES", faults[k].attributes);
    set("CUDA_DOUBLE_FAIL", faults[k].fail);
    const bool right = computes();
    const char *const text = right ? "" : ash_error_text();
    bool told = right == !faults[k].want[0];
    for (int i = 0; i < COUNT(faults[k].want) && faults[k].want[i]; i++)
        told = told && strstr(text, faults[k].want[i]);
    if (told && strstr(text, "was lost")) { /* for good, in words that say so */
        ash_error_clear();
        told = !computes() && strstr(ash_error_text(), "was lost");
    }
    if (!told)
        fprintf(stderr, "fault %d: %s\n", k, text);
    return told && ash_device_open("cpu:0");
}

static bool in_a_child(bool (*what)(int), int k)
{
    const pid_t child = fork();
    if (child == 0)
        _exit(!what(k));
    int end = 1;
    const bool right = waitpid(child, &end, 0) == child && end == 0;
    if (!right)
        printf("cuda: case %d\n", k);
    return right;
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        TEST(listing),
        TEST(copies),
        TEST(small_copies),
        TEST(lent_memory),
        TEST(device_pointers),
        TEST(streams),
        TEST(tensors_out_and_in),
        TEST(tensors_refused),
        TEST(compile_failure),
        TEST(grids_turned_round),
        TEST(threads),
        TEST(forked),
        TEST(allocation_failures),
    };
    if (THREAD_SANITIZER) {
        printf("cuda: skipped: drivers and their compilers are not seen by the thread sanitizer\n");
        return SKIPPED;
    }
    bool right = in_a_child(refuses_after_fork, 0);
    right = in_a_child(refuses_after_fork, 1) && right;
    for (int k = 0; k < COUNT(wrong); k++)
        right &= in_a_child(says, k);
    for (int k = 0; k < COUNT(faults) && getenv("CUDA_DOUBLE"); k++)
        right &= in_a_child(fails_as_wanted, k);
    if (!right)
        return 1;
    if (!ash_device_open(device)) {
        printf("cuda: the rest is skipped: %s\n", ash_error_text());
        return SKIPPED;
    }
    return cmocka_run_group_tests(tests, NULL, NULL);
}
