/*
 * native_arm64.c - the words of AArch64 instructions, as objdump reads them.
 *
 * On every machine where there is a binutils for AArch64; what the code computes is run where that runs (native.c).
 */
#include <unistd.h>

#include "native_programs.h"

#include "backend/cpu/native/arm64.h"
#include "backend/cpu/native/arm64_bytes.h"
#include "backend/cpu/native/code.h"
#include "backend/cpu/native/registers.h"
#include "test.h"

#define OBJDUMP "aarch64-linux-gnu-objdump"

enum { WORDS = 4096, TEXT = 80 };

static ash__arm64_code code;
static char want[WORDS][TEXT]; /* what each word is */
static char file[] = P_tmpdir "/ashlar-arm64-XXXXXX";

static bool have_objdump(const char *test)
{
    const bool have = system(OBJDUMP " --version > /dev/null 2>&1") == 0;
    if (!have)
        print_message("[  SKIPPED ] %s: there is no " OBJDUMP "\n", test);
    return have;
}

static FILE *listing_of(const uint8_t *bytes, size_t nbytes)
{
    char command[256];
    FILE *const f = fopen(file, "wb");
    CHECK(f && fwrite(bytes, 1, nbytes, f) == nbytes && fclose(f) == 0);
    snprintf(command, sizeof command, OBJDUMP " -D -b binary -m aarch64 %s", file);
    FILE *const listing = popen(command, "r");
    CHECK(listing != NULL);
    return listing;
}

/* The instruction in a line "   8:\t4ea1b800 \tfcvtzs\tv0.4s, v0.4s", without what objdump remarks; NULL: there is none. */
static char *instruction_in(char *line)
{
    char *at = strchr(line, '\t');
    at = at ? strchr(at + 1, '\t') : NULL;
    if (!at)
        return NULL;
    at++;
    char *const name_end = strchr(at, '\t'), *const remark = strstr(at, "  //");
    if (name_end)
        *name_end = ' ';
    if (remark)
        *remark = 0;
    at[strcspn(at, "\n")] = 0;
    return at;
}

static void begin(void)
{
    static uint8_t bytes[4 * WORDS];
    code = (ash__arm64_code){.start = bytes, .room = WORDS};
}

static void check_words(void)
{
    char line[256];
    int k = 0;
    CHECK(ash__arm64_fits(&code));
    FILE *const listing = listing_of(code.start, 4 * (size_t)code.at);
    while (fgets(line, sizeof line, listing)) {
        const char *const got = instruction_in(line);
        if (!got)
            continue;
        CHECK(k < code.at);
        if (strcmp(got, want[k]) != 0)
            fail_here(__FILE__, __LINE__, "word %d is %s, not %s", k, got, want[k]);
        k++;
    }
    CHECK(pclose(listing) == 0 && k == code.at);
}

/* ---- instructions of the list */

/* A pattern's d, n, m behind v, s, d, w, x, and T. */
static void fill_in(char *to, const char *pattern, const char *shape, int d, int n, int m)
{
    const char *p = strchr(pattern, ' ');
    char *at = to + snprintf(to, TEXT, "%.*s", (int)(p - pattern), pattern);
    for (; *p; p++) {
        const bool number = p > pattern && strchr("vsdwx", p[-1]) && strchr("dnm", *p);
        const char next = number ? p[1] : 'x';
        if (*p == 'T')
            at += sprintf(at, "%s", shape);
        else if (number && !(next >= 'a' && next <= 'z'))
            at += sprintf(at, "%d", *p == 'd' ? d : *p == 'n' ? n : m);
        else
            at += sprintf(at, "%c", *p);
    }
}

typedef struct listed {
    ash__arm64_op op;
    int shapes;
    const char *pattern;
} listed;
#define SHAPED(ID, word, text) {ASH__A_##ID, 3, text},
#define WORDS_ONLY(ID, word, text) {ASH__A_##ID, 2, text},
#define FIXED(ID, word, text) {ASH__A_##ID, 1, text},
static const listed list[] = {ASH__ARM64_SHAPED(SHAPED) ASH__ARM64_WORDS(WORDS_ONLY) ASH__ARM64_FIXED(FIXED)};

static void instructions_are_what_they_say(void **state)
{
    static const char *const shape[] = {[ASH__2S] = "2s", [ASH__4S] = "4s", [ASH__2D] = "2d"};
    static const int reg[][3] = {{1, 2, 4}, {16, 8, 1}, {30, 29, 15}}; /* no 31, which is no x */
    (void)state;
    if (!have_objdump("instructions_are_what_they_say"))
        return;
    begin();
    for (int k = 0; k < COUNT(list); k++)
        for (int s = 0; s < list[k].shapes; s++)
            for (int r = 0; r < COUNT(reg); r++) {
                const bool has_n = strchr(list[k].pattern, 'n') && list[k].op != ASH__A_MOVI_32;
                const bool has_m = strstr(list[k].pattern, "m.") || strstr(list[k].pattern, "xm");
                fill_in(want[code.at], list[k].pattern, shape[s], reg[r][0], reg[r][1], reg[r][2]);
                ash__arm64_put(&code, list[k].op, (ash__arm64_shape)s, reg[r][0], has_n ? reg[r][1] : 0, has_m ? reg[r][2] : 0);
            }
    check_words();
}

/* ---- those with functions of their own */

#define SAYS(...) snprintf(want[code.at], TEXT, __VA_ARGS__)

static void immediates_are_where_they_belong(void **state)
{
    static const char *const name[] = {"shl", "ushr", "sshr"}, *const shape[] = {"2s", "4s", "2d"}, size[] = "bhsdq";
    (void)state;
    if (!have_objdump("immediates_are_where_they_belong"))
        return;
    begin();
    for (int kind = 0; kind < 3; kind++)
        for (int s = 0; s < 3; s++)
            for (int count = kind > 0; count < (s == 2 ? 64 : 32) + (kind > 0); count += 3) {
                SAYS("%s v3.%s, v30.%s, #%d", name[kind], shape[s], shape[s], count);
                ash__arm64_shift_by(&code, (ash__arm64_shift)kind, (ash__arm64_shape)s, 3, 30, count);
            }
    for (int log = 0; log < 5; log++)
        for (int k = 1; k < 4096; k *= 3) {
            SAYS("ldr %c17, [x5, #%d]", size[log], k << log);
            ash__arm64_load(&code, 1 << log, 17, 5, k << log);
            SAYS("str %c31, [sp, #%d]", size[log], k << log);
            ash__arm64_store(&code, 1 << log, 31, 31, k << log);
        }
    for (int n = 1; n < 4096; n *= 5) {
        SAYS("add x2, sp, #0x%x", (unsigned)n);
        ash__arm64_add(&code, 2, 31, n);
        SAYS("sub sp, x17, #0x%x", (unsigned)n);
        ash__arm64_subtract(&code, 31, 17, n);
        SAYS("cmp x15, #0x%x", (unsigned)n);
        ash__arm64_compare(&code, 15, n);
        SAYS("ldr x7, [x16, #%d]", 8 * n);
        ash__arm64_load_x(&code, 7, 16, 8 * n);
    }
    for (int bits = 1; bits < 64; bits++) {
        SAYS("and x16, x3, #0x%llx", (1ull << bits) - 1);
        ash__arm64_low_bits(&code, 16, 3, bits);
    }
    check_words();
}

static void branches_and_literals_go_where_they_should(void **state)
{
    (void)state;
    if (!have_objdump("branches_and_literals_go_where_they_should"))
        return;
    begin();
    SAYS("b.cc 0x14");
    const int32_t skip = ash__arm64_branch_if(&code, ASH__BELOW, ASH__ARM64_LATER);
    SAYS("cbz x1, 0x14");
    const int32_t too = ash__arm64_branch_if_zero(&code, true, 1, ASH__ARM64_LATER);
    SAYS("b.cs 0x0");
    ash__arm64_branch_if(&code, ASH__NOT_BELOW, 0);
    SAYS("cbnz x16, 0x4");
    ash__arm64_branch_if_zero(&code, false, 16, 1);
    SAYS("ldr q9, 0x40");
    ash__arm64_load_literal(&code, 9, 2);
    ash__arm64_land(&code, skip);
    ash__arm64_land(&code, too);
    SAYS("ldr q31, 0x20");
    ash__arm64_load_literal(&code, 31, 0);
    SAYS("b.al 0x0");
    ash__arm64_branch_if(&code, ASH__ALWAYS, 0);
    ash__arm64_fix(&code, 8);
    check_words();
}

/* ---- whole programs */

/* Whether all is instructions, to ret, behind which literals lie. */
static bool reads_well(const uint8_t *bytes, size_t nbytes)
{
    char line[256];
    bool fine = true, begun = false, ended = false;
    FILE *const listing = listing_of(bytes, nbytes);
    while (fgets(line, sizeof line, listing)) {
        const char *const got = ended ? NULL : instruction_in(line);
        if (!got)
            continue;
        fine &= begun || strcmp(got, "bti c") == 0;
        fine &= !strstr(got, ".inst") && !strstr(got, "undefined") && !strstr(got, "udf");
        begun = true;
        ended = strcmp(got, "ret") == 0;
    }
    return pclose(listing) == 0 && fine && ended;
}

static void programs_become_instructions(void **state)
{
    static operand x[OPERANDS];
    static ash__body body;
    _Alignas(4) static uint8_t bytes[ASH__CODE_MOST + 64];
    const bool reads = have_objdump("programs_become_instructions");
    int made = 0;
    (void)state;
    for (int k = 0; k < 300; k++) {
        ash__program *const p = random_program(x, 1 + (int)below(7));
        if (p->count <= ASH__NATIVE_VALUES && ash__body_of(&body, p, 0, ASH__FOLD_NONE, ASH__ISA_NEON)) {
            const int limit = k % 3 ? ASH__NO_LIMIT : 6;
            const size_t nbytes = ash__arm64_emit(&body, bytes, ASH__CODE_MOST, limit);
            CHECK(nbytes > 0 && nbytes % 4 == 0);
            CHECK(!reads || k % 4 || reads_well(bytes, nbytes));
            const size_t room = (size_t)below((int64_t)nbytes / 4) * 4; /* less than it takes: nothing behind it is written */
            memset(bytes + room, 0xA5, 64);
            CHECK(ash__arm64_emit(&body, bytes, room, limit) == 0);
            for (int j = 0; j < 64; j++)
                CHECK(bytes[room + (size_t)j] == 0xA5);
            made++;
        }
        ash__program_release(p);
    }
    CHECK(made > 150);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(instructions_are_what_they_say),
        cmocka_unit_test(immediates_are_where_they_belong),
        cmocka_unit_test(branches_and_literals_go_where_they_should),
        cmocka_unit_test(programs_become_instructions),
    };
    const int made = mkstemp(file);
    if (made < 0 || close(made) != 0)
        return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(file);
    return failed;
}
