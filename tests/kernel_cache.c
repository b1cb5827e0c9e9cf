/*
 * kernel_cache.c - compiled kernels in a folder: found again by another process, whole or not at all, within a bound.
 *
 * Each step is a process of its own: this program again, with the folder in its environment. It computes and prints what became
 * of its kernels. Files are damaged in ways that a reader could take for good; the sum of a file that was built on purpose is
 * right, but it is another text's. Skipped where there is no opencl:0.
 */
#include "devices.h"

#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "core/disk.h"

static const char *program; /* argv[0] */
static char folder[64];

/* ---- the child: one kernel or several, by their number, "w": warmed; "full": bytes, where no file may grow beyond 1000 */

static void put_on_full_disk(void)
{
    static const char bytes[5000];
    bool on = false;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &(struct rlimit){1000, 1000});
    if (!ash__disk_open(&on) && on)
        ash__disk_put("a device", &(ash__disk_entry){"a text", bytes, sizeof bytes});
}

static int compute(const char *kernels)
{
    ash_resources *const r = ash_resources_new(device);
    if (strcmp(kernels, "full") == 0)
        put_on_full_disk();
    if (strchr(kernels, 'w') && ash_warm(r))
        printf("cold ");
    for (int k = 0; k < atoi(kernels); k++) {
        char text[64];
        ASH_SCOPE(scope);
        snprintf(text, sizeof text, "x -> %d*x + %d", k + 2, k);
        ash_array *const x = ash_from_host(((float[]){1, 2, 3}), ASH_F32, ASH_SHAPE(3), .resources = r);
        ash_array *const y = ash_map(text, x);
        if (!y || ash_get_f32(y, 2) != (float)(3 * (k + 2) + k))
            printf("wrong ");
    }
    ash_compile_info info;
    ash_compile_stats(&info, sizeof info);
    printf("%d %d %d %d %d", (int)info.compiled, (int)info.loaded, (int)info.stored, (int)info.rejected, (int)info.unstored);
    if (ash_failed())
        printf(" %s", ash_error_text());
    ash_resources_release(r);
    return 0;
}

static pid_t start(const char *kernels, int *end)
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
        execl(program, program, kernels, (char *)NULL);
        _exit(127);
    }
    close(ends[1]);
    *end = ends[0];
    return pid;
}

static const char *finish(pid_t pid, int end)
{
    static char said[512];
    size_t at = 0;
    int status = -1;
    for (ssize_t n; at + 1 < sizeof said && (n = read(end, said + at, sizeof said - 1 - at)) > 0;)
        at += (size_t)n;
    said[at] = 0;
    close(end);
    CHECK(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    return said;
}

static const char *run(const char *kernels)
{
    int end;
    const pid_t pid = start(kernels, &end);
    return finish(pid, end);
}

static void check_run(const char *kernels, const char *want, int line)
{
    const char *const said = run(kernels);
    if (strcmp(said, want))
        FAIL("line %d: %s kernels gave \"%s\"; \"%s\" was wanted", line, kernels, said, want);
}
/* compiled, loaded, stored, rejected, unstored */
#define RUN(kernels, want) check_run(kernels, want, __LINE__)

/* ---- files */

/* The path of the file number n in the folder; "" when there are fewer. */
static const char *file_number(int n)
{
    static char path[512];
    DIR *const open = opendir(folder);
    path[0] = 0;
    for (struct dirent *e; open && (e = readdir(open));)
        if (e->d_name[0] != '.' && n-- == 0)
            snprintf(path, sizeof path, "%s/%.255s", folder, e->d_name);
    if (open)
        closedir(open);
    return path;
}

static long total(void)
{
    struct stat about;
    long sum = 0;
    for (int n = 0; *file_number(n); n++)
        sum += stat(file_number(n), &about) ? 0 : (long)about.st_size;
    return sum;
}

static void clear_folder(void)
{
    while (*file_number(0))
        CHECK(unlink(file_number(0)) == 0);
}

static int begin(void **state)
{
    strcpy(folder, "/tmp/ashlar-kernels-XXXXXX");
    CHECK(mkdtemp(folder));
    setenv("ASHLAR_KERNEL_CACHE", folder, 1);
    unsetenv("ASHLAR_KERNEL_CACHE_BYTES");
    return test_begin(state);
}

static int end(void **state)
{
    clear_folder();
    rmdir(folder);
    return test_end(state);
}

/* ---- tests */

static void found_again(void **state)
{
    (void)state;
    RUN("2", "2 0 2 0 0");
    RUN("2", "0 2 0 0 0");
    RUN("3", "1 2 1 0 0");
    RUN("0w", "0 3 0 0 0");
    RUN("3w", "0 3 0 0 0");
    setenv("ASHLAR_KERNEL_CACHE", "", 1);
    RUN("1w", "1 0 0 0 0");
}

static void two_at_once(void **state)
{
    (void)state;
    int first, second, compiled = 0, loaded = 0, sum = 0;
    const pid_t one = start("3", &first), two = start("3", &second);
    for (int k = 0; k < 2; k++) {
        int counts[5];
        const char *const said = k ? finish(two, second) : finish(one, first);
        CHECK(sscanf(said, "%d %d %d %d %d", &counts[0], &counts[1], &counts[2], &counts[3], &counts[4]) == 5);
        CHECK(counts[2] == counts[0] && !counts[3] && !counts[4]);
        compiled += counts[0], loaded += counts[1];
    }
    CHECK(compiled + loaded == 6 && compiled >= 3);
    for (; *file_number(sum); sum++)
        CHECK(!strstr(file_number(sum), "/tmp-"));
    CHECK(sum == 3);
    RUN("3", "0 3 0 0 0");
}

/* What was made of a file is not read, and is made good. */
static void damage(void (*how)(const char *path, long size))
{
    struct stat about;
    clear_folder();
    RUN("1", "1 0 1 0 0");
    CHECK(stat(file_number(0), &about) == 0);
    how(file_number(0), (long)about.st_size);
    RUN("1", "1 0 1 1 0");
    RUN("1", "0 1 0 0 0");
}

static void change_byte(const char *path, long at)
{
    FILE *const file = fopen(path, "r+b");
    CHECK(file && fseek(file, at, SEEK_SET) == 0);
    const int c = getc(file);
    CHECK(fseek(file, at, SEEK_SET) == 0 && putc(c ^ 1, file) == (c ^ 1) && fclose(file) == 0);
}

static void cut_off(const char *path, long size)
{
    CHECK(truncate(path, size - 1) == 0);
}
static void emptied(const char *path, long size)
{
    CHECK(truncate(path, size * 0) == 0);
}
static void longer(const char *path, long size)
{
    CHECK(truncate(path, size + 1) == 0);
}
static void other_magic(const char *path, long size)
{
    change_byte(path, size * 0);
}
static void other_length(const char *path, long size)
{
    change_byte(path, size * 0 + 15);
}
static void other_text(const char *path, long size)
{
    change_byte(path, size / 3);
}
static void other_end(const char *path, long size)
{
    change_byte(path, size - 1);
}
static void writable(const char *path, long size)
{
    CHECK(size && chmod(path, 0666) == 0);
}
static void a_link(const char *path, long size)
{
    CHECK(size && unlink(path) == 0 && symlink("/dev/zero", path) == 0);
}
static void nonsense(const char *path, long size)
{
    FILE *const file = fopen(path, "wb");
    CHECK(file);
    for (long k = 0; k < size; k++)
        putc((int)(k * 37), file);
    CHECK(fclose(file) == 0);
}
/* Whole, and of the right name, but of another text. */
static void of_another(const char *path, long size)
{
    char mine[512], other[512];
    (void)size;
    snprintf(mine, sizeof mine, "%s", path);
    RUN("2", "1 1 1 0 0");
    for (int n = 0; n < 2; n++)
        if (strcmp(file_number(n), mine))
            snprintf(other, sizeof other, "%s", file_number(n));
    CHECK(rename(other, mine) == 0);
}

static void damaged(void **state)
{
    (void)state;
    static void (*const how[])(const char *, long) = {cut_off,   emptied,  longer, other_magic, other_length, other_text,
                                                      other_end, writable, a_link, nonsense,    of_another};
    for (int k = 0; k < COUNT(how); k++)
        damage(how[k]);
}

/* A file whose sum is right and whose bytes are no program: the driver says so, and it is compiled. */
static void no_program(void **state)
{
    (void)state;
    char path[512];
    RUN("1", "1 0 1 0 0");
    snprintf(path, sizeof path, "%s", file_number(0));
    FILE *const file = fopen(path, "r+b");
    uint64_t head[5];
    CHECK(file && fread(head, sizeof head, 1, file) == 1);
    const size_t texts = (size_t)(head[1] + head[2]), nbytes = texts + 8;
    char *const rest = calloc(1, nbytes);
    CHECK(rest && fread(rest, texts, 1, file) == 1 && fclose(file) == 0);
    head[3] = 8;
    head[4] = 0;
    head[4] = ash__hash(head, sizeof head) ^ ash__hash(rest, nbytes) * 3;
    FILE *const again = fopen(path, "wb");
    CHECK(again && fwrite(head, sizeof head, 1, again) && fwrite(rest, nbytes, 1, again) && fclose(again) == 0);
    free(rest);
    RUN("1", "1 0 1 1 0");
}

static void bounded(void **state)
{
    (void)state;
    RUN("1", "1 0 1 0 0");
    char bound[32];
    const long one = total();
    snprintf(bound, sizeof bound, "%ld", 3 * one + one / 2);
    setenv("ASHLAR_KERNEL_CACHE_BYTES", bound, 1);
    RUN("5", "4 1 4 0 0");
    CHECK(total() <= 3 * one + one / 2 && total() >= 2 * one);
    RUN("1", "1 0 1 0 0"); /* the first was used longest ago */
    setenv("ASHLAR_KERNEL_CACHE_BYTES", "100", 1);
    clear_folder();
    RUN("1", "1 0 0 0 1"); /* larger than all may be */
    setenv("ASHLAR_KERNEL_CACHE_BYTES", "many", 1);
    const char *const said = run("1");
    CHECK(strstr(said, "ASHLAR_KERNEL_CACHE_BYTES: expected a whole number from 1 on, given many"));
}

static void not_ours(void **state)
{
    (void)state;
    char path[128];
    struct stat about;
    snprintf(path, sizeof path, "%s/letter.txt", folder);
    FILE *const file = fopen(path, "w");
    CHECK(file && fputs("mine", file) >= 0 && fclose(file) == 0);
    setenv("ASHLAR_KERNEL_CACHE_BYTES", "150000", 1);
    run("3");
    CHECK(stat(path, &about) == 0);
}

static void no_room(void **state)
{
    (void)state;
    RUN("full", "0 0 0 0 1");
    CHECK(!*file_number(0));
    setenv("ASHLAR_KERNEL_CACHE", "/dev/null/kernels", 1);
    RUN("1", "1 0 0 0 1");
    char deep[128];
    snprintf(deep, sizeof deep, "%s/made", folder);
    setenv("ASHLAR_KERNEL_CACHE", deep, 1);
    RUN("1", "1 0 1 0 0"); /* made, as its parent is there */
    CHECK(access(deep, F_OK) == 0);
    snprintf(folder + strlen(folder), sizeof folder - strlen(folder), "/made");
    clear_folder();
    CHECK(rmdir(folder) == 0);
    *strrchr(folder, '/') = 0;
}

static void by_function(void **state)
{
    (void)state;
    char long_path[2000];
    memset(long_path, 'x', sizeof long_path);
    long_path[1999] = 0;
    CHECK(ash_set_kernel_cache(long_path, 0) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_set_kernel_cache: the folder's path has 1999 bytes; at most 1023 are possible");
    CHECK_OK(ash_set_kernel_cache(NULL, 0));
}

#define STEP(function) cmocka_unit_test_setup_teardown(function, begin, end)

int main(int argc, char **argv)
{
    program = argv[0];
    if (argc > 1)
        return compute(argv[1]);
    if (device_is_missing("kernel_cache"))
        return SKIPPED;
    const struct CMUnitTest tests[] = {STEP(found_again), STEP(two_at_once), STEP(damaged), STEP(no_program),
                                       STEP(bounded),     STEP(not_ours),    STEP(no_room), STEP(by_function)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
