/*
 * storage.c - storage modes and the scalar-access policy, default device and storage, resources, memory backends, settings
 * from the environment.
 *
 * The environment is read once, at first use: such tests run this program again with the setting and look at what it says.
 */
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include "test.h"

static const char *program; /* argv[0] */

static const char refused[] = "%s: Scalar indexing is disallowed.\n"
                              "Invocation of %s resulted in scalar indexing of a device array.\n"
                              "This is typically caused by a loop that visits the elements one by one.\n"
                              "Such loops *do not* execute on the device, but very slowly on the host,\n"
                              "and therefore should be avoided.\n"
                              "If you want to allow scalar access, use `ash_allow_scalar` or `ASH_ALLOW_SCALAR`\n"
                              "to enable it globally or for the operations in question.";
static void check_refused(const char *name, int line)
{
    char want[1024];
    snprintf(want, sizeof want, refused, name, name);
    check_error(ASH_ERR_SCALAR_ACCESS, want, true, __FILE__, line);
}
#define CHECK_REFUSED(name) check_refused(name, __LINE__)

static ash_array *private_vector(void)
{
    return ash_from_host(((float[]){1, 2, 3}), ASH_F32, ASH_SHAPE(3), .storage = ASH_PRIVATE);
}

/* ---- the policy ---------------------------------------------------------------------------------------------------------- */

static void private_elements(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *p = private_vector();
    CHECK(isnan(ash_get_f32(p, 0)));
    CHECK_REFUSED("ash_get_f32");
    CHECK(ash_get_i32(p, 0) == 0);
    CHECK_REFUSED("ash_get_i32");
    CHECK(ash_set_f64(p, 1, 0) == ASH_ERR_SCALAR_ACCESS);
    CHECK_REFUSED("ash_set_f64");
    CHECK(isnan(ash_get_f32(ash_slice(p, 1, 2), 0)));
    CHECK_REFUSED("ash_get_f32");
    CHECK(isnan(ash_get_f32(ash_fill_new(ASH_SHAPE(), 1.0f, .storage = ASH_PRIVATE)))); /* rank 0 too */
    CHECK_REFUSED("ash_get_f32");
    CHECK(ash_map_host(p) == NULL);
    CHECK_ERROR_HAS(ASH_ERR_SCALAR_ACCESS, "ash_map_host: ");
    CHECK_FLOATS(p, 1, 2, 3);
    /* copies, items and printing are no scalar access */
    CHECK(ash_item_f32(ash_sum(p)) == 6);
    CHECK(ash_item_f32(ash_fill_new(ASH_SHAPE(1), 1.0f, .storage = ASH_PRIVATE)) == 1);
    CHECK_TEXT(ash_slice(p, 1, 3), "ash.vector f32[2] cpu:0 private view [2.0 3.0]");
    float host[3];
    CHECK_OK(ash_to_host(p, host, sizeof host));
    CHECK_OK(ash_copy_into(ash_zeros(ASH_SHAPE(3)), p));
}

static void allowed_for_the_process(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *p = private_vector();
    ash_allow_scalar(true);
    CHECK(ash_get_f32(p, 1) == 2);
    CHECK_OK(ash_set_f32(p, 5, 1));
    float *memory = ash_map_host(p);
    CHECK(memory && memory[1] == 5);
    CHECK_OK(ash_unmap_host(p));
    ash_allow_scalar(false);
    CHECK(isnan(ash_get_f32(p, 1)));
    CHECK_REFUSED("ash_get_f32");
}

static int leave_by_return(const ash_array *p)
{
    ASH_ALLOW_SCALAR;
    return ash_get_f32(p, 0) == 1 ? 1 : 0;
}
static void allowed_for_a_block(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *p = private_vector();
    CHECK(leave_by_return(p));
    {
        ASH_ALLOW_SCALAR;
        CHECK(ash_get_f32(p, 0) == 1);
        const int64_t mark = ash_scalar_push(false); /* forbidden again inside */
        CHECK(isnan(ash_get_f32(p, 0)));
        CHECK_REFUSED("ash_get_f32");
        ash_scalar_pop(mark);
        CHECK(ash_get_f32(p, 0) == 1);
        ash_get_f32(p, 99); /* an error inside does not change the policy */
        CHECK_ERROR_HAS(ASH_ERR_BOUNDS, "99");
        CHECK(ash_get_f32(p, 0) == 1);
    }
    for (int i = 0; i < 3; i++) {
        ASH_ALLOW_SCALAR;
        if (i == 0)
            continue;
        CHECK(ash_get_f32(p, i) == (float)(i + 1));
        if (i == 1)
            goto out;
    }
out:
    CHECK(isnan(ash_get_f32(p, 0)));
    CHECK_REFUSED("ash_get_f32");
    ash_allow_scalar(true);
    const int64_t mark = ash_scalar_push(false); /* a block wins over the process */
    CHECK(isnan(ash_get_f32(p, 0)));
    ash_scalar_pop(mark);
    ash_allow_scalar(false);
    CHECK_REFUSED("ash_get_f32");
}

static void *read_in_thread(void *array)
{
    const float x = ash_get_f32(array, 0);
    const bool refused_here = ash_failed();
    ash_error_clear();
    return isnan(x) && refused_here ? array : NULL;
}
static void a_block_is_of_its_thread(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *p = private_vector();
    ASH_ALLOW_SCALAR;
    pthread_t thread;
    void *answer = NULL;
    CHECK(pthread_create(&thread, NULL, read_in_thread, p) == 0 && pthread_join(thread, &answer) == 0);
    CHECK(answer == p && ash_get_f32(p, 0) == 1);
}

static void shared_elements(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *a = ash_f32(3, 1, 2);
    ash_allow_scalar(false);
    const int64_t mark = ash_scalar_push(false);
    CHECK(ash_get_f32(a, 0) == 3);
    CHECK_OK(ash_set_f32(a, 4, 0));
    CHECK(ash_map_host(a) != NULL);
    CHECK_OK(ash_unmap_host(a));
    ash_scalar_pop(mark);
    CHECK_FLOATS(a, 4, 1, 2);
}

/* ---- storage of results ---------------------------------------------------------------------------------------------------
 */

static void results_inherit(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *p = private_vector(), *s = ash_f32(1, 2, 3);
    CHECK(ash_storage_of(ash_map("x -> x", p)) == ASH_PRIVATE && ash_storage_of(ash_map("x -> x", s)) == ASH_SHARED);
    CHECK(ash_storage_of(ash_map("(x, y) -> x + y", p, s)) == ASH_SHARED); /* shared wins */
    CHECK(ash_storage_of(ash_map("(x, y) -> x + y", p, p)) == ASH_PRIVATE);
    CHECK(ash_storage_of(ash_map("(x, y) -> x + y", p, 2.0f)) == ASH_PRIVATE); /* a scalar has no storage */
    CHECK(ash_storage_of(ash_sum(p)) == ASH_PRIVATE && ash_storage_of(ash_argmax(p)) == ASH_PRIVATE);
    CHECK(ash_storage_of(ash_cumsum(p)) == ASH_PRIVATE && ash_storage_of(ash_copy(p)) == ASH_PRIVATE);
    CHECK(ash_storage_of(ash_like(p)) == ASH_PRIVATE && ash_storage_of(ash_transpose(p)) == ASH_PRIVATE);
    CHECK(ash_storage_of(ash_convert(p, ASH_I32)) == ASH_PRIVATE);
    CHECK(ash_storage_of(ash_mean(p)) == ASH_PRIVATE && ash_storage_of(ash_contiguous(p)) == ASH_PRIVATE);
    CHECK(ash_storage_of(ash_map_with("x -> x", ASH_OPERANDS(p), .storage = ASH_SHARED)) == ASH_SHARED);
    CHECK(ash_storage_of(ash_map_reduce("(x, y) -> x * y", "+", p, s)) == ASH_SHARED);
}

static void default_storage(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK(ash_storage_of(ash_f32(1)) == ASH_SHARED);
    CHECK_OK(ash_set_default_storage(ASH_PRIVATE));
    CHECK(ash_storage_of(ash_f32(1)) == ASH_PRIVATE && ash_storage_of(ash_range(0, 3)) == ASH_PRIVATE);
    CHECK(ash_storage_of(ash_zeros(ASH_SHAPE(2), .storage = ASH_SHARED)) == ASH_SHARED);
    float memory[2] = {1, 2};
    CHECK(ash_storage_of(ash_wrap(memory, ASH_F32, 2, ASH_SHAPE(2))) == ASH_SHARED); /* the host's own memory */
    CHECK(ash_set_default_storage((ash_storage)9) == ASH_ERR_ARGUMENT);
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_set_default_storage: ");
    CHECK(ash_storage_of(ash_f32(1)) == ASH_PRIVATE);
    CHECK_OK(ash_set_default_storage(ASH_SHARED));
    CHECK(ash_storage_of(ash_f32(1)) == ASH_SHARED);
}

/* ---- devices and resources */

static const char *device_of(const ash_array *a) { return ash_device_name(ash_device_of(a)); }

static void devices(void **state)
{
    (void)state;
    CHECK(ash_device_count() >= 1);
    CHECK(ash_backend_devices("cpu") == 1 && ash_backend_devices("cpu:0") == 0 && ash_backend_devices("abacus") == 0);
    CHECK(ash_backend_devices("cpu") + ash_backend_devices("opencl") + ash_backend_devices("cuda") == ash_device_count());
    CHECK(ash_backend_devices(NULL) == 0);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_backend_devices: backend is NULL");
    const ash_device *cpu = ash_device_at(0), *weak = ash_device_open("cpu:0?f64=off");
    CHECK(cpu && strcmp(ash_device_name(cpu), "cpu:0") == 0 && ash_device_open("cpu:0") == cpu);
    CHECK(ash_device_open("cpu:0?f64=off") == weak && strcmp(ash_device_name(weak), "cpu:0?f64=off") == 0);
    CHECK(ash_device_can(cpu, ASH_CAP_F64) && !ash_device_can(weak, ASH_CAP_F64));
    CHECK(ash_device_can(cpu, ASH_CAP_UNIFIED) && ash_device_can(cpu, ASH_CAP_F16));
    CHECK(ash_device_memory(cpu) > 0 && strlen(ash_device_description(cpu)) > 0);
    CHECK(!ash_device_open("cpu:7"));
    CHECK_ERROR_PARTS(ASH_ERR_DEVICE, "ash_device_open: ", "cpu:7");
    CHECK(!ash_device_open("gpu"));
    CHECK_ERROR_PARTS(ASH_ERR_DEVICE, "ash_device_open: ", "gpu");
    CHECK(!ash_device_open("cpu:0?f64=maybe"));
    CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_device_open: ", "f64=maybe", "f64=off");
    CHECK(!ash_device_at(-1));
    CHECK_ERROR_HAS(ASH_ERR_BOUNDS, "ash_device_at: ");
    CHECK(!ash_device_at(ash_device_count()));
    CHECK_ERROR_HAS(ASH_ERR_BOUNDS, "ash_device_at: ");
    CHECK(!ash_device_open(NULL));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "NULL");
}

static void default_device(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    CHECK(strcmp(device_of(ash_f32(1)), "cpu:0") == 0);
    CHECK_OK(ash_set_default_device("cpu:0?f64=off"));
    CHECK(strcmp(device_of(ash_f32(1)), "cpu:0?f64=off") == 0 &&
          strcmp(ash_device_name(ash_default_device()), "cpu:0?f64=off") == 0);
    CHECK(ash_set_default_device("tpu:0") == ASH_ERR_DEVICE);
    CHECK_ERROR_PARTS(ASH_ERR_DEVICE, "ash_set_default_device: ", "tpu:0");
    CHECK(strcmp(device_of(ash_f32(1)), "cpu:0?f64=off") == 0);
    CHECK_OK(ash_set_default_device("cpu:0"));
    CHECK(strcmp(device_of(ash_f32(1)), "cpu:0") == 0);
}

static void blocks_with_resources(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_resources *weak = ash_resources_new("cpu:0?f64=off"), *own = ash_resources_new("cpu:0");
    CHECK(weak && own && strcmp(ash_device_name(ash_resources_device(weak)), "cpu:0?f64=off") == 0);
    {
        ASH_WITH_RESOURCES(weak);
        CHECK(ash_current_resources() == weak);
        CHECK(strcmp(device_of(ash_f32(1)), "cpu:0?f64=off") == 0);
        {
            ASH_WITH_RESOURCES(own);
            CHECK(ash_current_resources() == own && ash_resources_of(ash_f64(1)) == own);
        }
        CHECK(ash_current_resources() == weak && !ash_f64(1.0));
        CHECK_ERROR(ASH_ERR_DTYPE, "ash_from_host: cpu:0?f64=off does not support f64 values; use f32");
        CHECK(strcmp(device_of(ash_f64(1.0, 2.0) ? NULL : ash_zeros(ASH_SHAPE(1), .resources = own)), "cpu:0") == 0);
        ash_error_clear();
    }
    CHECK(ash_f64(1.0, 2.0) != NULL); /* the block is over */
    ash_array *a = ash_zeros(ASH_SHAPE(3), .resources = weak), *b = ash_zeros(ASH_SHAPE(3), .resources = own);
    CHECK(!ash_map("(a, b) -> a + b", a, b)); /* operands on two devices */
    CHECK_ERROR_PARTS(ASH_ERR_DEVICE, "ash_map: ", "cpu:0?f64=off", "cpu:0");
    CHECK(!ash_map_with("a -> a", ASH_OPERANDS(a), .resources = own));
    CHECK_ERROR_PARTS(ASH_ERR_DEVICE, "ash_map: ", "cpu:0?f64=off");
    CHECK_OK(ash_sync(own));
    CHECK(ash_query(own));
    CHECK_OK(ash_wait(b));
    CHECK(ash_resources_retain(weak) == weak);
    ash_resources_release(weak);
    ash_resources_release(weak);
    ash_resources_release(own);
    CHECK_FLOATS(ash_map("x -> x + 1f", a), 1, 1, 1); /* arrays keep their queue */
    CHECK_FLOATS(ash_map("x -> x + 1", b), 1, 1, 1);
    ash_resources_release(NULL);
}

/* Resources that could not be had: the block fails, it does not move to another device. */
static void blocks_without_resources(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *a = ash_f32(1, 2);
    {
        ASH_WITH_RESOURCES(ash_resources_new("abacus:7"));
        CHECK(!ash_zeros(ASH_SHAPE(3)));
        CHECK_ERROR_PARTS(ASH_ERR_DEVICE, "ash_resources_new: ", "abacus:7", "cpu:0");
        CHECK(!ash_zeros(ASH_SHAPE(3)));
        CHECK_ERROR_HAS(ASH_ERR_DEVICE, "ash_zeros: the resources of this block could not be made");
        CHECK(!ash_f32(1));
        CHECK_ERROR_HAS(ASH_ERR_DEVICE, "ash_from_host: the resources of this block could not be made");
        CHECK(!ash_map("x -> x", a));
        ash_error_clear();
        {
            ash_resources *own = ash_resources_new("cpu:0");
            ASH_WITH_RESOURCES(own);
            ash_resources_release(own);
            CHECK(ash_zeros(ASH_SHAPE(3)) != NULL); /* a block inside has what it asked for */
        }
        CHECK(!ash_zeros(ASH_SHAPE(3)));
        ash_error_clear();
    }
    CHECK(ash_zeros(ASH_SHAPE(3)) != NULL);
    {
        ASH_WITH_RESOURCES(NULL); /* nothing pending: a mistake of its own */
        CHECK(ash_failed());
        CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "NULL");
        CHECK(!ash_zeros(ASH_SHAPE(3)));
        CHECK_ERROR_HAS(ASH_ERR_DEVICE, "ash_zeros: ");
    }
    CHECK(ash_zeros(ASH_SHAPE(3)) != NULL);
}

/* ---- memory backends */

typedef struct counted {
    int64_t given, taken, finished;
    size_t alignment;
    bool empty;
} counted;
static void *count_allocate(void *context, size_t nbytes, size_t alignment)
{
    counted *c = context;
    c->alignment = alignment;
    if (c->empty)
        return NULL;
    c->given++;
    return aligned_alloc(alignment, (nbytes + alignment - 1) / alignment * alignment);
}
static void count_deallocate(void *context, void *data, size_t nbytes)
{
    (void)nbytes;
    ((counted *)context)->taken++;
    free(data);
}
static void count_finish(void *context) { ((counted *)context)->finished++; }

static void memory_of_ones_own(void **state)
{
    (void)state;
    counted c = {0};
    ash_memory *own = ash_memory_new(&(ash_memory_functions){.struct_size = sizeof(ash_memory_functions), .name = "counted",
                                                             .allocate = count_allocate, .deallocate = count_deallocate,
                                                             .finish = count_finish, .context = &c});
    CHECK(own && strcmp(ash_memory_name(own), "counted") == 0);
    ash_array *a = ash_fill_new(ASH_SHAPE(100), 2.0f, .memory = own), *v = ash_slice(a, 1, 3), *b = ash_map("x -> x + 1f", a);
    CHECK(c.given == 2 && ash_memory_of(b) == own && c.alignment >= 16); /* results use the first operand's memory */
    CHECK_FLOATS(ash_memory_of(v) == own ? v : NULL, 2, 2);
    c.empty = true;
    CHECK(!ash_like(a));
    CHECK_ERROR_PARTS(ASH_ERR_MEMORY, "ash_like: ", "400");
    c.empty = false;
    ash_memory_release(own);
    ash_release(a);
    ash_release(b);
    CHECK(c.taken == 1 && c.finished == 0); /* the view still holds one buffer */
    ash_release(v);
    CHECK(c.taken == 2 && c.finished == 1);

    CHECK(!ash_memory_new(
        &(ash_memory_functions){.name = "unsized", .allocate = count_allocate, .deallocate = count_deallocate}));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_memory_new: struct_size is 0");
    CHECK(!ash_memory_new(&(ash_memory_functions){.struct_size = sizeof(ash_memory_functions), .name = "none"}));
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_memory_new: ");
}

static void memory_built_in(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_memory *const each[] = {ash_memory_pool(), ash_memory_malloc(), ash_memory_huge()};
    for (int i = 0; i < COUNT(each); i++) {
        ash_array *a = ash_fill_new(ASH_SHAPE(1 << 20), 3.0f, .memory = each[i]);
        CHECK(ash_memory_of(a) == each[i] && strlen(ash_memory_name(each[i])) > 0);
        CHECK(ash_item_f32(ash_sum(a)) == 3 << 20 && (uintptr_t)ash_map_host(a) % 64 == 0);
        CHECK_OK(ash_unmap_host(a));
    }
}

static void pool_limit(void **state)
{
    (void)state;
    const ash_device *cpu = ash_default_device();
    ash_pool_info info;
    CHECK_OK(ash_pool_trim(cpu, 0));
    CHECK_OK(ash_pool_stats(cpu, &info, sizeof info));
    CHECK(info.cached == 0);
    CHECK_OK(ash_pool_limit(cpu, info.in_use + (1 << 20)));
    ash_array *small = ash_zeros(ASH_SHAPE(1000)), *large = ash_zeros(ASH_SHAPE(1 << 20));
    CHECK(small && !large);
    CHECK_ERROR_PARTS(ASH_ERR_MEMORY, "ash_zeros: ", "4194304");
    CHECK_OK(ash_pool_limit(cpu, 0));
    large = ash_zeros(ASH_SHAPE(1 << 20));
    CHECK(large);
    ash_release(small);
    ash_release(large);
    ash_pool_info before;
    CHECK_OK(ash_pool_stats(cpu, &before, sizeof before));
    ash_release(ash_empty(ASH_SHAPE(1 << 20))); /* the same size again: from the cache */
    CHECK_OK(ash_pool_stats(cpu, &info, sizeof info));
    CHECK(info.requests == before.requests + 1 && info.hits == before.hits + 1 && info.in_use == before.in_use);
    struct {
        ash_pool_info known;
        size_t extra;
    } longer;
    CHECK_OK(ash_pool_stats(cpu, &longer.known, sizeof longer)); /* a caller with a newer header */
    CHECK(longer.extra == 0 && longer.known.requests == info.requests);
    size_t in_use = 99;
    CHECK_OK(ash_pool_stats(cpu, (ash_pool_info *)(void *)&in_use, sizeof in_use)); /* and with an older one */
    CHECK(in_use == info.in_use);
}

static void threads_and_config(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    const int64_t usual = ash_threads();
    CHECK(usual >= 1);
    ash_array *x = ash_linspace(0, 1, 1000003);
    ash_array *want = ash_map("x -> exp(x) * x", x), *total = ash_sum(x);
    static const int64_t counts[] = {1, 2, 3, 7};
    for (int i = 0; i < COUNT(counts); i++) {
        CHECK_OK(ash_set_threads(counts[i]));
        CHECK(ash_threads() == counts[i]);
        CHECK(ash_equal(ash_map("x -> exp(x) * x", x), want) && ash_equal(ash_sum(x), total)); /* in every bit */
    }
    CHECK_OK(ash_set_threads(0));
    CHECK(ash_threads() == usual);
    CHECK(ash_set_threads(-1) == ASH_ERR_ARGUMENT);
    CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_set_threads: ", "-1");
    char text[4096], little[8];
    const size_t n = ash_config_format(text, sizeof text);
    CHECK(n > 0 && n < sizeof text && strlen(text) == n && strstr(text, "cpu:0") && strstr(text, "shared"));
    CHECK_OK(ash_set_threads(3));
    ash_config_format(text, sizeof text);
    CHECK(strstr(text, "threads         3          set by the program\n"));
    CHECK_OK(ash_set_threads(0));
    CHECK(ash_config_format(little, sizeof little) == n && strlen(little) == sizeof little - 1);
    CHECK(ash_config_format(NULL, 0) == n);
    const ash_abi_record *abi = ash_abi();
    CHECK(abi->abi >= 1 && abi->highest_rank == 32 && (abi->backends & 1) &&
          abi->size_of_operand == (int32_t)sizeof(ash_operand) && abi->size_of_index == (int32_t)sizeof(ash_index) &&
          abi->size_of_error == (int32_t)sizeof(ash_error) && abi->size_of_dims == (int32_t)sizeof(ash_dims));
}

/* ---- settings from the environment: this program is run again */

/* What a child writes: storage and device of a new array, or the error's text. */
static int child(void)
{
    ash_array *a = ash_zeros(ASH_SHAPE(2));
    if (!a) {
        printf("%s", ash_error_text());
        ash_array *again = ash_zeros(ASH_SHAPE(2), .storage = ASH_SHARED);
        printf("|%s", again ? "made" : ash_status_name(ASH_OK));
        ash_release(again);
        ash_error_clear();
        return 0;
    }
    printf("%s %s %d", ash_storage_of(a) == ASH_PRIVATE ? "private" : "shared", device_of(a), (int)ash_threads());
    ash_release(a);
    return 0;
}
static void run_child(const char *setting, const char *value, char *said, size_t size)
{
    int ends[2];
    CHECK(pipe(ends) == 0);
    fflush(stdout);
    const pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        dup2(ends[1], STDOUT_FILENO);
        close(ends[0]);
        close(ends[1]);
        setenv(setting, value, 1);
        execl(program, program, "child", (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    size_t at = 0;
    for (ssize_t n; at + 1 < size && (n = read(ends[0], said + at, size - 1 - at)) > 0;)
        at += (size_t)n;
    said[at] = 0;
    close(ends[0]);
    int status = -1;
    CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}
static void environment(void **state)
{
    (void)state;
    char said[512];
    run_child("ASHLAR_STORAGE", "private", said, sizeof said);
    CHECK(strncmp(said, "private cpu:0 ", 14) == 0);
    run_child("ASHLAR_STORAGE", "shared", said, sizeof said);
    CHECK(strncmp(said, "shared cpu:0 ", 13) == 0);
    run_child("ASHLAR_STORAGE", "managed", said, sizeof said);
    CHECK(strncmp(said, "ASHLAR_STORAGE: expected shared or private, given managed", 57) == 0);
    run_child("ASHLAR_DEVICE", "cpu:0?f64=off", said, sizeof said);
    CHECK(strncmp(said, "shared cpu:0?f64=off ", 21) == 0);
    run_child("ASHLAR_DEVICE", "abacus:0", said, sizeof said);
    CHECK(strstr(said, "ASHLAR_DEVICE") && strstr(said, "abacus:0"));
}

int main(int argc, char **argv)
{
    if (argc == 2 && strcmp(argv[1], "child") == 0)
        return child();
    program = argv[0];
    const struct CMUnitTest tests[] = {
        TEST(private_elements), TEST(allowed_for_the_process), TEST(allowed_for_a_block), TEST(a_block_is_of_its_thread),
        TEST(shared_elements), TEST(results_inherit), TEST(default_storage), TEST(devices), TEST(default_device),
        TEST(blocks_with_resources), TEST(blocks_without_resources), TEST(memory_of_ones_own), TEST(memory_built_in),
        TEST(pool_limit), TEST(threads_and_config), TEST(environment),
    };
    return cmocka_run_group_tests_name("storage and settings", tests, NULL, NULL);
}
