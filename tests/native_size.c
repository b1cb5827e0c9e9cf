/*
 * native_size.c - how large native code is: bytes of it, and instructions of its main loop as objdump reads them.
 *
 * The limits are what was counted once: they are there so that nothing grows unseen. Smaller is better, and then they are
 * lowered. The order in which a compiler evaluates arguments in lower.c is that of some instructions, so builds by gcc and by
 * clang differ by a few; the larger count is here. With an argument, emits the code of one program twenty times, for
 * check_calls.sh.
 */
#include <stdlib.h>
#include <unistd.h>

#include "backend/cpu/native/body.h"
#include "backend/cpu/native/code.h"
#include "backend/cpu/native/native.h"
#include "backend/cpu/native/registers.h"
#include "backend/cpu/native/target.h"
#include "backend/cpu/plan.h"
#include "expr/function.h"
#include "test.h"

typedef struct limits {
    int64_t bytes, loop;
} limits;
typedef struct row {
    const char *text;
    int arguments;
    ash_dtype dtype;
    limits avx512, avx2; /* the loop does 4 vectors, or as many as the registers hold */
} row;

static const row rows[] = {
    {"x -> x + 1", 1, ASH_F32, {224, 11}, {256, 11}},
    {"a -> a*a + 1", 1, ASH_F32, {288, 19}, {288, 19}},
    {"a -> a*a + 1", 1, ASH_F64, {288, 19}, {288, 19}},
    {"(x, y) -> x*y", 2, ASH_F32, {256, 15}, {288, 15}},
    {"(x, y) -> sqrt(x*x + y*y)", 2, ASH_F32, {384, 31}, {384, 31}},
    {"(x, y) -> hypot(x, y)", 2, ASH_F32, {684, 67}, {768, 67}},
    {"x -> ((((0.1*x + 0.2)*x + 0.3)*x + 0.4)*x + 0.5)*x + 0.6", 1, ASH_F32, {544, 51}, {512, 51}},
    {"(a, x, y) -> a > 0.5 ? x : y", 3, ASH_F32, {320, 23}, {384, 23}},
    {"(x, y) -> 0.2 < x && x < 0.8 && x != y", 2, ASH_F32, {448, 39}, {512, 47}},
    {"(x, y) -> xor(x << 3, y)*x + (y >> 5)", 2, ASH_I32, {416, 35}, {448, 35}},
    {"(x, y) -> x*y + 7", 2, ASH_I64, {288, 19}, {576, 51}},
    {"(x, y) -> max(x, y) - min(x, y)", 2, ASH_F32, {576, 55}, {576, 55}},
    {"x -> abs(x)", 1, ASH_F64, {232, 11}, {288, 11}},
    {"x -> exp(x)", 1, ASH_F32, {1052, 95}, {1728, 73}},
    {"x -> exp(-x*x/2)*0.4", 1, ASH_F32, {860, 55}, {1824, 79}},
    {"x -> log(x)", 1, ASH_F32, {1184, 77}, {2016, 79}},
    {"x -> tanh(x)", 1, ASH_F32, {1348, 95}, {2784, 121}},
    {"x -> exp(x)", 1, ASH_F64, {1056, 63}, {2112, 85}},
    {"x -> sin(x)", 1, ASH_F32, {1040, 69}, {1856, 79}},
    {"x -> tgamma(x)", 1, ASH_F32, {4352, 311}, {7456, 349}},
    {"x -> x*2 + 1", 1, ASH_F16, {288, 19}, {320, 19}},
};

static ash__program *program_of(const row *r)
{
    ash_function *const f = ash_function_new(r->text);
    const ash__argument argument[3] = {{r->dtype, false}, {r->dtype, false}, {r->dtype, false}};
    const ash__target target = {.rule = ASH__RULE_NATURAL, .device = "cpu:0", .f64 = true};
    ash__program *const p = f ? ash__function_program("ash_map", f, r->arguments, argument, &target) : NULL;
    CHECK(p != NULL);
    ash_function_release(f);
    return p;
}

static size_t emit(const row *r, ash__isa isa, uint8_t *bytes, size_t room)
{
    static ash__body body;
    ash__program *const p = program_of(r);
    const int end = ash__is_half(p->dtype) ? ASH__NATIVE_STORED : ASH__NATIVE_MACHINE;
    const size_t n = ash__body_of(&body, p, 0, end, isa) ? ash__native_emit(&body, bytes, room, ASH__NO_LIMIT) : 0;
    ash__program_release(p);
    return n;
}

/* Instructions from where the first jump backwards goes to that jump. */
static int64_t loop_of(const char *file)
{
    enum { MOST = 20000 };
    static unsigned long at[MOST];
    char command[256], line[256];
    int64_t count = 0, loop = 0;
    snprintf(command, sizeof command, "objdump -D -b binary -m i386:x86-64 --no-show-raw-insn %s", file);
    FILE *const listing = popen(command, "r");
    CHECK(listing != NULL);
    while (fgets(line, sizeof line, listing)) {
        char *end;
        const unsigned long address = strtoul(line, &end, 16);
        if (end == line || *end != ':' || count == MOST)
            continue;
        at[count++] = address;
        const char *const jump = strstr(end, "\tj"), *const target = jump ? strstr(jump, "0x") : NULL;
        const unsigned long to = target ? strtoul(target, NULL, 16) : address + 1;
        for (int64_t k = count - 1; !loop && to < address && k >= 0; k--)
            if (at[k] == to)
                loop = count - k;
    }
    pclose(listing);
    return loop;
}

static bool within(const row *r, ash__isa isa, limits most, const char *file)
{
    static uint8_t bytes[ASH__CODE_MOST];
    const size_t n = emit(r, isa, bytes, sizeof bytes);
    FILE *const f = fopen(file, "wb");
    CHECK(n > 0 && f && fwrite(bytes, 1, n, f) == n && fclose(f) == 0);
    const int64_t loop = loop_of(file);
    const bool fine = (int64_t)n <= most.bytes && loop > 0 && loop <= most.loop;
    if (!fine)
        print_error("%s, %s, %s: {%zu, %lld}, at most {%lld, %lld}\n", r->text, ash_dtype_name(r->dtype),
                    ash__isa_infos[isa].name, n, (long long)loop, (long long)most.bytes, (long long)most.loop);
    return fine;
}

static void code_stays_small(void **state)
{
    (void)state;
    char file[] = P_tmpdir "/ashlar-native-XXXXXX";
    const int made = mkstemp(file);
    bool fine = true;
    CHECK(made >= 0 && close(made) == 0);
    if (ash__native_isa() == ASH__ISA_NEON || system("objdump --version > /dev/null 2>&1") != 0) {
        print_message("[  SKIPPED ] code_stays_small: there is no objdump for x86-64\n");
        return;
    }
    for (int k = 0; k < COUNT(rows); k++) {
        fine &= within(&rows[k], ASH__ISA_AVX512, rows[k].avx512, file);
        fine &= within(&rows[k], ASH__ISA_AVX2, rows[k].avx2, file);
    }
    unlink(file);
    assert_true(fine);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(code_stays_small)};
    setenv("ASHLAR_NATIVE", "off", 1);
    for (int k = 0; argc > 1 && k < COUNT(rows); k++)
        for (int times = 0; times < 20 && strcmp(rows[k].text, argv[1]) == 0 && rows[k].dtype == ASH_F32; times++) {
            static uint8_t bytes[ASH__CODE_MOST];
            if (!emit(&rows[k], ASH__ISA_AVX512, bytes, sizeof bytes))
                return 1;
        }
    return argc > 1 ? 0 : cmocka_run_group_tests(tests, NULL, NULL);
}
