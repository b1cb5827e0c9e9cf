/*
 * native_code.c - when programs get native code, who is told, and the memory it lies in: refused, full, shared by threads,
 * across fork.
 *
 * Each test runs in a child of its own, where no code has been made yet. It answers with its exit status.
 */
#include <errno.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <pthread.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "backend/cpu/native/code.h"
#include "backend/cpu/native/target.h"
#include "test.h"

enum { FEW = 67, SKIPPED = 77, THREADS = 4, CHAIN = 9, TEXT = 300 };

/* ---- programs that differ: chains of operations, the digits of a number in base 3 */

static int32_t step_of(int digit, int32_t z, int32_t x, int32_t y)
{
    const uint32_t a = (uint32_t)z, b = (uint32_t)x, c = (uint32_t)y;
    return (int32_t)(digit == 0 ? a + b : digit == 1 ? a * c : a ^ (b - c));
}

static int32_t chain_value(int number, int32_t x, int32_t y)
{
    int32_t z = x;
    for (int k = 0; k < CHAIN; k++, number /= 3)
        z = step_of(number % 3, z, x, y);
    return z;
}

static void chain_text(int number, char *text)
{
    static const char *const start[] = {"(", "(", "xor("}, *const end[] = {" + x)", " * y)", ", x - y)"};
    char body[256] = "x";
    for (int k = 0; k < CHAIN; k++, number /= 3) {
        char longer[256];
        snprintf(longer, sizeof longer, "%s%.200s%s", start[number % 3], body, end[number % 3]);
        memcpy(body, longer, sizeof body);
    }
    snprintf(text, TEXT, "(x, y) -> %s", body);
}

static bool chain_is_right(int number, int64_t n)
{
    char text[TEXT];
    int32_t got[FEW];
    ASH_SCOPE(scope);
    chain_text(number, text);
    ash_array *const x = ash_range(INT64_C(-30), n - 30, .dtype = ASH_I32);
    ash_array *const y = ash_range(INT64_C(5), n + 5, .dtype = ASH_I32);
    ash_array *const z = ash_map(text, x, y);
    if (ash_to_host(z, got, (size_t)n * sizeof *got) != ASH_OK)
        return false;
    for (int32_t k = 0; k < n; k++)
        if (got[k] != chain_value(number, k - 30, k + 5))
            return false;
    return true;
}

/* Twice, so that there is code the second time. */
static bool chains_are_right(int first, int count)
{
    for (int k = first; k < first + count; k++)
        if (!chain_is_right(k, FEW) || !chain_is_right(k, FEW))
            return false;
    return true;
}

/* ---- children */

static bool have_code(void)
{
    return ash__native_isa() != ASH__ISA_NONE;
}

static void in_child(const char *name, int (*run)(void))
{
    fflush(stdout);
    const pid_t pid = fork();
    CHECK(pid >= 0);
    if (pid == 0) {
        alarm(120);
        _exit(run());
    }
    int status = -1;
    CHECK(waitpid(pid, &status, 0) == pid);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    if (code == SKIPPED)
        print_message("[  SKIPPED ] %s: this system does not have it\n", name);
    else if (code)
        fail_here(__FILE__, __LINE__, "%s: check %d", name, code);
}

/* Numbers the checks of a child; a child ends at the first that fails. */
#define HOLDS(number, condition) \
    do {                         \
        if (!(condition))        \
            return number;       \
    } while (0)

/* ---- when */

static int gets_code_the_second_time(void)
{
    const int64_t programs = have_code();
    HOLDS(1, chain_is_right(1, FEW) && ash__native_count().programs == 0);
    HOLDS(2, chain_is_right(1, FEW) && ash__native_count().programs == programs);
    HOLDS(3, chain_is_right(1, FEW - 1) && ash__native_count().programs == programs);
    ash_array *const big = ash_zeros(ASH_SHAPE(300000));
    HOLDS(4, ash_item_f32(ash_max(ash_map("x -> x*3 + 2", big))) == 2 && ash__native_count().programs == 2 * programs);
    /* the same but for the constants; the first run of that program, but there is much to do */
    HOLDS(5, ash_item_f32(ash_max(ash_map("x -> x*4 + 5", big))) == 5 && ash__native_count().programs == 2 * programs);
    HOLDS(6, ash__native_count().declined == 0 && !ash_failed());
    ash_release(big);
    return 0;
}

static int says_what_is_out_of_reach(void)
{
    ash_array *const big = ash_ones(ASH_SHAPE(300000));
    HOLDS(1, ash_item_f32(ash_max(ash_map("x -> lgamma(x)", big))) == 0);
    HOLDS(2, ash__native_count().programs == 0 && ash__native_count().declined == have_code());
    return 0;
}

/* ---- refusals */

enum { RULES = 8 };
static bool refuse(const struct sock_filter *rule, int count)
{
    const struct sock_fprog filter = {(unsigned short)count, (struct sock_filter *)(uintptr_t)rule};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}
#define CALL_NUMBER BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, nr))
#define PROTECTION BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (unsigned)offsetof(struct seccomp_data, args[2]))
#define ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define REFUSE BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM)

static bool refuse_more_files(void)
{
    struct rlimit limit = {.rlim_cur = 0};
    return getrlimit(RLIMIT_NOFILE, &limit) == 0 && (limit.rlim_cur = 0, setrlimit(RLIMIT_NOFILE, &limit) == 0) && dup(0) < 0;
}

static bool refuse_memory_files(void)
{
    const struct sock_filter rule[] = {CALL_NUMBER, BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_memfd_create, 0, 1), REFUSE, ALLOW};
    return refuse(rule, COUNT(rule)) || refuse_more_files();
}

static bool refuse_execution(void)
{
    const struct sock_filter rule[] = {CALL_NUMBER,
                                       BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mprotect, 1, 0),
                                       BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_mmap, 0, 3),
                                       PROTECTION,
                                       BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, PROT_EXEC, 0, 1),
                                       REFUSE,
                                       ALLOW};
    return refuse(rule, COUNT(rule));
}

static int works_with(ash__code_kind kind)
{
    HOLDS(1, chains_are_right(0, 200));
    HOLDS(2, !have_code() || ash__code_open() == kind);
    const int64_t programs = ash__native_count().programs; /* a page for each, when flipped: not all fit */
    HOLDS(3, have_code() && kind != ASH__CODE_NONE ? programs > 50 : programs == 0);
    return 0;
}
static int works_with_memory_files(void)
{
    return works_with(ASH__CODE_TWICE);
}
static int works_without_memory_files(void)
{
    return refuse_memory_files() ? works_with(ASH__CODE_FLIP) : SKIPPED;
}
static int works_without_execution(void)
{
    return refuse_execution() ? works_with(ASH__CODE_NONE) : SKIPPED;
}
static int works_where_pages_keep_their_protection(void)
{
    enum { SET_MDWE = 65, REFUSE_EXEC_GAIN = 1 };
    return prctl(SET_MDWE, REFUSE_EXEC_GAIN, 0, 0, 0) == 0 ? works_with(ASH__CODE_TWICE) : SKIPPED;
}
static int works_with_nothing(void)
{
    enum { SET_MDWE = 65, REFUSE_EXEC_GAIN = 1 };
    if (prctl(SET_MDWE, REFUSE_EXEC_GAIN, 0, 0, 0) != 0 || !refuse_memory_files())
        return SKIPPED;
    return works_with(ASH__CODE_NONE);
}

/* ---- full memory, threads, fork */

static int forgets_when_full(void)
{
    HOLDS(1, chains_are_right(0, 1500));
    HOLDS(2, !have_code() || ash__native_count().clears >= 1);
    HOLDS(3, chains_are_right(0, 100)); /* programs whose code is gone */
    HOLDS(4, ash__native_count().bytes < ASH__CODE_BYTES);
    return 0;
}
static int forgets_when_full_and_flipped(void)
{
    return refuse_memory_files() ? forgets_when_full() : SKIPPED;
}

static void *many_chains(void *first)
{
    const int number = *(const int *)first;
    const bool right = chains_are_right(number, 1500) && chains_are_right(number + 700, 800);
    return right ? first : NULL;
}

static int threads_share_code(void)
{
    pthread_t thread[THREADS];
    int first[THREADS];
    bool right = true;
    for (int k = 0; k < THREADS; k++) {
        first[k] = 500 * k; /* half of them another's, too */
        HOLDS(1, pthread_create(&thread[k], NULL, many_chains, &first[k]) == 0);
    }
    for (int k = 0; k < THREADS; k++) {
        void *answer;
        right &= pthread_join(thread[k], &answer) == 0 && answer;
    }
    HOLDS(2, right);
    HOLDS(3, !have_code() || ash__native_count().clears >= 1);
    return 0;
}

static int child_begins_anew(void)
{
    HOLDS(1, chains_are_right(0, 100));
    const pid_t pid = fork();
    if (pid == 0) {
        const bool empty = ash__native_count().programs == 0;
        _exit(empty && chains_are_right(50, 800) && chains_are_right(0, 100) ? 0 : 1);
    }
    HOLDS(2, chains_are_right(0, 200));
    int status = -1;
    HOLDS(3, waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 0);
    HOLDS(4, chains_are_right(0, 200)); /* not overwritten */
    return 0;
}

static int shows_its_setting(void)
{
    char text[2048];
    ash_config_format(text, sizeof text);
    const char *const line = strstr(text, "native code");
    HOLDS(1, line && strncmp(line + 15, " auto ", 6) == 0);
    setenv("ASHLAR_NATIVE", "0", 1);
    ash_config_format(text, sizeof text);
    HOLDS(2, strncmp(strstr(text, "native code") + 15, " off  ", 6) == 0 && strstr(text, "ASHLAR_NATIVE"));
    return 0;
}

/* "native" lines of a trace, by whether there is code. */
static int traced[2];
static void count_traced(void *context, const char *line, size_t length)
{
    (void)context, (void)length;
    if (strstr(line, "\"event\":\"native\"") && strstr(line, "\"instructions_of\":"))
        traced[strstr(line, "\"bytes\":0") == NULL]++;
}

static int shows_in_a_trace(void)
{
    setenv("ASHLAR_NATIVE", "always", 1);
    ash_set_trace_function(count_traced, NULL);
    ash_set_trace(true);
    ash_array *const x = ash_ones(ASH_SHAPE(FEW));
    HOLDS(1, chain_is_right(7, FEW) && traced[true] == have_code() && traced[false] == 0);
    HOLDS(2, chain_is_right(7, FEW) && traced[true] == have_code()); /* made once */
    HOLDS(3, ash_item_f32(ash_max(ash_map("x -> lgamma(x)", x))) == 0 && traced[false] == have_code());
    ash_release(x);
    return 0;
}

/* Where and how long the one program in perf's file is; false: there is not one. */
static bool read_perf_map(const uint8_t **start, size_t *nbytes)
{
    char path[64], line[128] = "", more[128];
    void *at = NULL;
    snprintf(path, sizeof path, "/tmp/perf-%d.map", (int)getpid());
    FILE *const file = fopen(path, "r");
    if (!file)
        return false;
    const bool one = fgets(line, sizeof line, file) && !fgets(more, sizeof more, file);
    fclose(file);
    unlink(path);
    if (!one || sscanf(line, "%p %zx", &at, nbytes) != 2 || !strstr(line, " ashlar program 1\n"))
        return false;
    *start = at;
    return true;
}

/* What perf is told is where the code is: calls may land on its first instruction. */
static int names_programs_for_perf(void)
{
    static const uint8_t endbr64[] = {0xF3, 0x0F, 0x1E, 0xFA}, bti_c[] = {0x5F, 0x24, 0x03, 0xD5};
    const uint8_t *start = NULL;
    size_t nbytes = 0;
    setenv("ASHLAR_NATIVE", "always", 1);
    setenv("ASHLAR_PERF_MAP", "1", 1);
    HOLDS(1, chain_is_right(7, FEW) && read_perf_map(&start, &nbytes) == have_code());
    HOLDS(2, (int64_t)nbytes == ash__native_count().bytes);
    HOLDS(3, !have_code() || memcmp(start, ash__native_isa() == ASH__ISA_NEON ? bti_c : endbr64, sizeof bti_c) == 0);
    unsetenv("ASHLAR_PERF_MAP");
    HOLDS(4, chain_is_right(8, FEW) && !read_perf_map(&start, &nbytes)); /* not unless asked */
    return 0;
}

static int is_off_when_asked(void)
{
    setenv("ASHLAR_NATIVE", "0", 1);
    HOLDS(1, chains_are_right(0, 10) && ash__native_count().programs == 0);
    return 0;
}

static int is_on_when_asked(void)
{
    setenv("ASHLAR_NATIVE", "always", 1);
    HOLDS(1, chain_is_right(7, FEW) && ash__native_count().programs == have_code());
    return 0;
}

#define IN_CHILD(name)                \
    static void test_##name(void **s) \
    {                                 \
        (void)s;                      \
        in_child(#name, name);        \
    }
#define ALL(X)                                 \
    X(gets_code_the_second_time)               \
    X(says_what_is_out_of_reach)               \
    X(works_with_memory_files)                 \
    X(works_without_memory_files)              \
    X(works_without_execution)                 \
    X(works_where_pages_keep_their_protection) \
    X(works_with_nothing)                      \
    X(forgets_when_full)                       \
    X(forgets_when_full_and_flipped)           \
    X(threads_share_code)                      \
    X(child_begins_anew)                       \
    X(shows_its_setting)                       \
    X(shows_in_a_trace)                        \
    X(names_programs_for_perf)                 \
    X(is_off_when_asked)                       \
    X(is_on_when_asked)
ALL(IN_CHILD)

int main(void)
{
#define ENTRY(name) cmocka_unit_test(test_##name),
    const struct CMUnitTest tests[] = {ALL(ENTRY)};
    unsetenv("ASHLAR_NATIVE"); /* each child may say otherwise before it computes */
    return cmocka_run_group_tests(tests, NULL, NULL);
}
