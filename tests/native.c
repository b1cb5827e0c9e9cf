/*
 * native.c - native code against the interpreter, bit by bit, and the memory it lies in.
 *
 *     test-native [programs [every]]     random programs for each instruction set, 5000 when none is said; functions of one
 *                                        f32 in 64 (in 3200 below 100 programs), or of every one
 *
 * Programs are emitted as if there were few registers, too, so that values are spilled; operands end at an unreadable page and
 * results begin behind bytes that must stay; every length from 0 to 130 is run, and some to 700.
 */
#include <unistd.h>

#include "native_programs.h"

#include "backend/cpu/fold.h"
#include "backend/cpu/native/body.h"
#include "backend/cpu/native/code.h"
#include "backend/cpu/native/registers.h"
#include "backend/cpu/native/target.h"
#include "backend/cpu/plan.h"
#include "test.h"

static int64_t wanted = 5000;
static int sparse = 1; /* by how much fewer arguments of functions are tried */
static bool every;     /* number of f32 */

typedef struct machine { /* what one program runs on */
    const char *name;
    ash__isa isa;
    int limit; /* of registers */
    char *in[OPERANDS], *out[2];
} machine;

static bool is_there(ash__isa isa)
{
#if defined(__x86_64__)
    __builtin_cpu_init();
    if (isa == ASH__ISA_NEON)
        return false;
    if (isa == ASH__ISA_AVX512)
        return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512dq") &&
               __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("bmi2");
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi2");
#else
    return isa == ash__native_isa();
#endif
}

/* ---- running code */

typedef struct trial {
    const ash__program *program;
    const operand *x;
    ash__native_code *code;
    ash__scalar cell[ASH__NATIVE_VALUES];
    int load[ASH__NATIVE_SLOTS], loads; /* operands in the order of slots */
    int outputs;
    _Alignas(16) char want[16 * MOST];
} trial;

static uint64_t uniform_loads(const ash__program *p, const operand *x)
{
    uint64_t bits = 0;
    int loads = 0;
    for (int v = 0; v < p->count; v++)
        if (p->ins[v].op == ASH__OP_LOAD)
            bits |= (uint64_t)x[p->ins[v].arg[0]].scalar << loads++;
    return bits;
}

static void list_loads(trial *t)
{
    const ash__program *const p = t->program;
    t->loads = 0;
    for (int v = 0; v < p->count; v++) {
        const ash__ins *const i = &p->ins[v];
        t->cell[v] = i->constant;
        if (i->op == ASH__OP_LOAD && t->x[i->arg[0]].scalar && ash__is_half((ash_dtype)i->from))
            ash__load16_for(ash__cpu_kernels()->elementwise, (ash_dtype)i->from)(&t->cell[v], t->x[i->arg[0]].data, NULL, NULL,
                                                                                 1);
        else if (i->op == ASH__OP_LOAD && t->x[i->arg[0]].scalar)
            memcpy(&t->cell[v], t->x[i->arg[0]].data, ash_dtype_size((ash_dtype)i->from));
        else if (i->op == ASH__OP_LOAD)
            t->load[t->loads++] = i->arg[0];
    }
}

/* Programs whose code needs something computed before: uniform values that are neither operands nor constants. The interpreter
 * does that (plan.c), and the tests of maps run it. */
static bool needs_more(const ash__program *p, const operand *x)
{
    bool varies[ASH__NATIVE_VALUES];
    for (int v = 0; v < p->count; v++) {
        const ash__ins *const i = &p->ins[v];
        varies[v] = i->op == ASH__OP_LOAD && !x[i->arg[0]].scalar;
        for (int k = 0; k < ash__op_arity((ash__op)i->op); k++)
            varies[v] |= varies[i->arg[k]];
        if (i->op > ASH__OP_CONSTANT && !varies[v])
            return true;
    }
    return false;
}

/* Where each output goes: a loaded one is not the code's. */
static bool is_computed(const trial *t, int k)
{
    return t->program->ins[t->program->output[k]].op > ASH__OP_CONSTANT;
}

/* Where the code leaves elements, one is set to what is wanted and the code goes on behind it. */
static void run_all(const trial *t, void *const *slot, const int *out, int outputs, int64_t n)
{
    const size_t item = ash_dtype_size(ash__part(t->program->dtype)), step = ash_dtype_size(t->program->dtype);
    for (int64_t done = 0;; done++) {
        void *at[ASH__NATIVE_SLOTS];
        at[0] = slot[0];
        for (int k = 0; k < outputs; k++)
            at[1 + k] = (char *)slot[1 + k] + (size_t)done * item;
        for (int k = 0; k < t->loads; k++)
            at[1 + outputs + k] = (char *)slot[1 + outputs + k] + (size_t)done * ash_dtype_size(t->x[t->load[k]].dtype);
        const int64_t more = t->code(at, n - done);
        CHECK(more == n - done || (more >= 0 && more < n - done && t->program->leaves));
        done += more;
        if (done == n)
            return;
        for (int k = 0; k < outputs; k++)
            memcpy((char *)slot[1 + k] + (size_t)done * item, t->want + (size_t)done * step + (size_t)out[k] * item, item);
    }
}

static void run_length(const machine *m, const trial *t, int64_t n, int in_place)
{
    const size_t item = ash_dtype_size(ash__part(t->program->dtype));
    void *slot[ASH__NATIVE_SLOTS];
    int slots = 1, out[2] = {0, 0}, outputs = 0;
    slot[0] = (void *)(uintptr_t)t->cell;
    for (int k = 0; k < t->outputs; k++)
        if (is_computed(t, k)) {
            out[outputs] = k;
            slot[slots++] = m->out[outputs++] + ROOM - (size_t)n * item;
        }
    for (int k = 0; k < t->loads; k++) {
        const operand *const x = &t->x[t->load[k]];
        const size_t nbytes = (size_t)n * ash_dtype_size(x->dtype);
        slot[slots] = m->in[t->load[k]] + ROOM - nbytes;
        if (in_place == k && ash_dtype_size(x->dtype) == item)
            slot[slots] = slot[1];
        memcpy(slot[slots++], x->data, nbytes);
    }
    for (int k = 0; k < outputs; k++)
        memset((char *)slot[1 + k] - 64, 0xa5, 64);
    run_all(t, slot, out, outputs, n);
    for (int k = 0; k < outputs; k++) {
        const int64_t bad = first_difference(t->program, out[k], t->want, slot[1 + k], n);
        char text[8192];
        for (int j = -64; j < 0; j++)
            CHECK(((unsigned char *)slot[1 + k])[j] == 0xa5);
        if (bad < 0)
            continue;
        ash__program_format(text, sizeof text, t->program);
        print_message("%s, %d registers: element %lld of %lld differs\n%s", m->name, m->limit, (long long)bad, (long long)n,
                      text);
        CHECK(bad < 0);
    }
}

static void run_lengths(const machine *m, const trial *t)
{
    static const int64_t longer[] = {131, 191, 256, 257, 511, 512, 700};
    const int in_place = t->loads ? (int)below(2 * t->loads) : -1;
    for (int64_t n = 0; n <= 130; n++)
        run_length(m, t, n, in_place);
    for (size_t k = 0; k < sizeof longer / sizeof *longer; k++)
        run_length(m, t, longer[k], -1);
}

/* Whether there was code for it; 0 when there is nothing to try. */
typedef enum outcome { NOTHING, DECLINED, RUN, OUTCOMES } outcome;
static outcome try_program(const machine *m, const ash__program *p, const operand *x)
{
    static ash__body body;
    static uint8_t bytes[ASH__CODE_MOST];
    static trial t;
    size_t nbytes = 0;
    if (p->copies >= 0 || p->count > ASH__NATIVE_VALUES || p->ins[p->count - 1].op <= ASH__OP_CONSTANT || needs_more(p, x))
        return NOTHING;
    if (ash__body_of(&body, p, uniform_loads(p, x), ash__is_half(p->dtype) ? ASH__NATIVE_STORED : ASH__NATIVE_MACHINE, m->isa))
        nbytes = ash__native_emit(&body, bytes, sizeof bytes, m->limit);
    if (!nbytes)
        return DECLINED;
    t.program = p;
    t.x = x;
    t.outputs = p->outputs == 2 && p->output[0] != p->output[1] ? 2 : 1;
    list_loads(&t);
    interpret(p, x, MOST, t.want);
    t.code = ash__code_add(bytes, nbytes);
    if (!t.code) {
        CHECK(ash__code_clear());
        t.code = ash__code_add(bytes, nbytes);
    }
    CHECK(t.code != NULL);
    run_lengths(m, &t);
    return RUN;
}

static void run_programs(const char *name, ash__isa isa)
{
    machine m = {.name = name, .isa = isa};
    static operand x[OPERANDS];
    int64_t count[OUTCOMES] = {0, 0, 0};
    if (!is_there(isa)) {
        print_message("[  SKIPPED ] %s: this processor does not have it\n", name);
        return;
    }
    CHECK(ash__code_open() != ASH__CODE_NONE);
    for (int k = 0; k < OPERANDS; k++)
        m.in[k] = guarded();
    for (int k = 0; k < 2; k++)
        m.out[k] = guarded();
    for (int64_t tried = 0; tried < wanted; tried = count[RUN] + count[DECLINED]) {
        const int kinds = (int)(below(8) ? 1 + below(MACHINE_KINDS) : KINDS);
        m.limit = below(3) ? ASH__NO_LIMIT : 4 + (int)below(8);
        ash__program *const p = random_program(x, kinds);
        CHECK(p != NULL);
        count[try_program(&m, p, x)]++;
        ash__program_release(p);
    }
    print_message("%s: %lld programs, %lld more declined\n", name, (long long)count[RUN], (long long)count[DECLINED]);
    CHECK(count[RUN] > wanted / 2);
    for (int k = 0; k < OPERANDS; k++)
        munmap(m.in[k], ROOM + PAGE);
    for (int k = 0; k < 2; k++)
        munmap(m.out[k], ROOM + PAGE);
}

static void avx512_equals_the_interpreter(void **state)
{
    (void)state;
    run_programs("AVX-512", ASH__ISA_AVX512);
}
static void avx2_equals_the_interpreter(void **state)
{
    (void)state;
    run_programs("AVX2", ASH__ISA_AVX2);
}
static void neon_equals_the_interpreter(void **state)
{
    (void)state;
    run_programs("NEON", ASH__ISA_NEON);
}

/* ---- what has code: all but a list */

static bool has_code(ash__program *p, ash__isa isa)
{
    static ash__body body;
    static uint8_t bytes[ASH__CODE_MOST];
    CHECK(p != NULL);
    if (p->copies >= 0 || p->ins[p->count - 1].op <= ASH__OP_CONSTANT) { /* the absolute value of a number without a sign */
        ash__program_release(p);
        return true;
    }
    const int end = ash__is_half(p->dtype) ? ASH__NATIVE_STORED : ASH__NATIVE_MACHINE;
    const bool has = ash__body_of(&body, p, 0, end, isa) && ash__native_emit(&body, bytes, sizeof bytes, ASH__NO_LIMIT) > 0;
    ash__program_release(p);
    return has;
}

/* lgamma, and tgamma in f64, are libm's; a power of an integer is a loop for each element. */
static bool is_interpreted(ash__op op, ash_dtype type)
{
    return op == ASH__OP_LGAMMA || (op == ASH__OP_TGAMMA && type == ASH_F64) || op == ASH__OP_IPOW;
}

static void check_operation(ash__op op, ash_dtype type, ash__isa isa)
{
    ash__builder *const b = ash__builder_new("ash_map", 3);
    int x[3];
    for (int k = 0; k < 3; k++)
        x[k] = ash__build_load(b, k, op == ASH__OP_SELECT && k == 0 ? ASH_BOOL : type, 0);
    const int result = ash__build_op(b, op, x[0], x[1], x[2]);
    if (has_code(ash__builder_finish(b, ash__op_gives_bool(op) ? ASH_BOOL : type, result, -1), isa) == is_interpreted(op, type))
        fail_here(__FILE__, __LINE__, "%s of %s", ash__op_name(op), ash_dtype_name(type));
}

static void check_conversions(ash_dtype from, ash_dtype to, ash__isa isa)
{
    for (int narrow = 0; narrow < 2; narrow++) {
        ash__builder *const b = ash__builder_new("ash_map", 1);
        const int x = ash__build_load(b, 0, from, 0);
        const ash_dtype wide = ash__machine(to);
        if (ash__machine(from) == to ||
            (narrow && (ash__is_float(ash__machine(from)) || ash__is_float(wide) || from == ASH_BOOL))) {
            ash__program_release(ash__builder_finish(b, ash__machine(from), x, -1));
            continue;
        }
        const int y = narrow ? ash__build_narrow(b, x, wide) : ash__build_convert(b, x, wide);
        const int z = ash__is_half(to) ? ash__build_round16(b, y, to) : y;
        if (!has_code(ash__builder_finish(b, to, z, -1), isa))
            fail_here(__FILE__, __LINE__, "%s to %s", ash_dtype_name(from), ash_dtype_name(to));
    }
}

static void every_operation_has_code(void **state)
{
    (void)state;
    for (ash__isa isa = ASH__ISA_NONE + 1; isa < ASH__ISA_COUNT; isa++) {
        if ((isa == ASH__ISA_NEON) != (ash__native_isa() == ASH__ISA_NEON))
            continue;
        for (int t = 0; t < MACHINE_KINDS; t++)
            for (int op = ASH__OP_ROUND16 + 1; op < ASH__OP_COUNT; op++)
                if (ash__op_classes((ash__op)op) & class_of(all_types[t]))
                    check_operation((ash__op)op, all_types[t], isa);
        for (int from = 0; from < KINDS; from++)
            for (int to = 0; to < KINDS; to++)
                check_conversions(all_types[from], all_types[to], isa);
    }
}

/* ---- folds: the elements folded one block at a time, as the kernels do it */

/* Lanes as ash__fold_natively has them. */
static void fold_length(const machine *m, const trial *t, ash__fold fold, int64_t n)
{
    const ash_dtype type = t->program->dtype;
    const size_t item = ash_dtype_size(type);
    const ash_dtype lane = item >= 4 ? type : ash__is_signed(type) ? ASH_I32 : ASH_U32;
    const bool turned = ash__is_float(type) && fold == ASH__FOLD_MAX;
    const ash__fold_blocks *const blocks = ash__cpu_kernels()->fold->blocks;
    const ash__scalar neutral = ash__fold_neutral(turned ? ASH__FOLD_MIN : fold, lane, true);
    const size_t lane_bytes = ash_dtype_size(lane), room = ROOM - ASH__LANES * lane_bytes;
    char *const lanes = m->out[0] + room;
    ash__scalar want = {.bits = 0}, got = {.bits = 0};
    void *slot[ASH__NATIVE_SLOTS] = {(void *)(uintptr_t)t->cell, lanes};
    for (int k = 0; k < t->loads; k++) {
        const operand *const x = &t->x[t->load[k]];
        const size_t nbytes = (size_t)n * ash_dtype_size(x->dtype);
        slot[2 + k] = memcpy(m->in[t->load[k]] + ROOM - nbytes, x->data, nbytes);
    }
    for (size_t k = 0; k < ASH__LANES; k++)
        memcpy(lanes + k * lane_bytes, &neutral, lane_bytes);
    CHECK(t->code(slot, n) == n);
    blocks->fold[turned ? ASH__FOLD_MIN : fold][lane](&got, lanes, ASH__LANES);
    if (turned)
        got.bits ^= (uint64_t)1 << (8 * item - 1);
    blocks->fold[fold][type](&want, t->want, n);
    if (first_difference(t->program, 0, (char *)&want, (char *)&got, 1) >= 0) {
        char text[8192];
        ash__program_format(text, sizeof text, t->program);
        fail_here(__FILE__, __LINE__, "%s, %d registers: fold %d of %lld elements differs\n%.1800s", m->name, m->limit,
                  (int)fold, (long long)n, text);
    }
}

static bool try_fold(const machine *m, const ash__program *p, const operand *x)
{
    static const ash__fold folds[] = {ASH__FOLD_SUM, ASH__FOLD_PROD, ASH__FOLD_MIN, ASH__FOLD_MAX,
                                      ASH__FOLD_AND, ASH__FOLD_OR,   ASH__FOLD_XOR};
    static ash__body body;
    static uint8_t bytes[ASH__CODE_MOST];
    static trial t;
    const ash__fold fold =
        p->dtype == ASH_BOOL ? folds[2 + below(4)] : folds[below(ash__is_float(p->dtype) ? 4 : COUNT(folds))];
    size_t nbytes = 0;
    if (ash__is_half(p->dtype) || p->copies >= 0 || p->count > ASH__NATIVE_VALUES || needs_more(p, x))
        return false;
    if (ash__body_of(&body, p, uniform_loads(p, x), (int)fold, m->isa))
        nbytes = ash__native_emit(&body, bytes, sizeof bytes, m->limit);
    if (!nbytes)
        return false;
    t.program = p;
    t.x = x;
    list_loads(&t);
    interpret(p, x, MOST, t.want);
    CHECK(ash__code_clear());
    t.code = ash__code_add(bytes, nbytes);
    CHECK(t.code != NULL);
    for (int64_t n = 1; n <= MOST; n += n < 270 ? 1 : 43)
        fold_length(m, &t, fold, n);
    return true;
}

static void run_folds(const char *name, ash__isa isa)
{
    machine m = {.name = name, .isa = isa};
    static operand x[OPERANDS];
    int64_t run = 0;
    if (!is_there(isa)) {
        print_message("[  SKIPPED ] folds_equal_the_kernels: this processor has no %s\n", name);
        return;
    }
    CHECK(ash__code_open() != ASH__CODE_NONE);
    for (int k = 0; k < OPERANDS; k++)
        m.in[k] = guarded();
    m.out[0] = guarded();
    while (run < wanted / 4) {
        ash__program *const p = random_program(x, 1 + (int)below(MACHINE_KINDS));
        m.limit = below(3) ? ASH__NO_LIMIT : 4 + (int)below(8);
        CHECK(p != NULL);
        run += try_fold(&m, p, x);
        ash__program_release(p);
    }
    for (int k = 0; k < OPERANDS; k++)
        munmap(m.in[k], ROOM + PAGE);
    munmap(m.out[0], ROOM + PAGE);
}

static void folds_equal_the_kernels(void **state)
{
    (void)state;
    run_folds("AVX-512", ASH__ISA_AVX512);
    run_folds("AVX2", ASH__ISA_AVX2);
    run_folds("NEON", ASH__ISA_NEON);
}

/* ---- elementary functions: some of one f32 in 64 or of every one, all of random numbers */

/* NULL: out of reach. */
static ash__native_code *code_of(ash__op op, ash_dtype type, ash__isa isa)
{
    static ash__body body;
    static uint8_t bytes[ASH__CODE_MOST];
    ash__builder *b = ash__builder_new("ash_map", 2);
    const int x = ash__build_load(b, 0, type, 0), y = ash__op_arity(op) == 2 ? ash__build_load(b, 1, type, 0) : -1;
    ash__program *const p = ash__builder_finish(b, type, ash__build_op(b, op, x, y, -1), -1);
    const bool fine = ash__body_of(&body, p, 0, ASH__FOLD_NONE, isa);
    ash__program_release(p);
    CHECK(ash__code_open() != ASH__CODE_NONE && ash__code_clear());
    return fine ? ash__code_add(bytes, ash__native_emit(&body, bytes, sizeof bytes, ASH__NO_LIMIT)) : NULL;
}

static void check_function(ash__op op, ash__isa isa)
{
    enum { BLOCK = 1 << 16 };
    static float x[BLOCK], want[BLOCK], got[BLOCK];
    ash__kernel *const kernel = ash__kernel_for(ash__cpu_kernels()->elementwise, op, ASH_F32, 0);
    ash__native_code *const code = code_of(op, ASH_F32, isa);
    void *slot[] = {NULL, got, x};
    for (uint32_t high = 0; high < BLOCK; high += every ? 1 : 64 * (uint32_t)(SLOW * sparse)) {
        for (uint32_t low = 0; low < BLOCK; low++) {
            const uint32_t bits = high << 16 | low;
            memcpy(&x[low], &bits, sizeof bits);
        }
        kernel(want, x, NULL, NULL, BLOCK);
        CHECK(code(slot, BLOCK) == BLOCK);
        for (int k = 0; memcmp(want, got, sizeof want) != 0 && k < BLOCK; k++)
            if (memcmp(&want[k], &got[k], sizeof *want) != 0 && (want[k] == want[k] || got[k] == got[k]))
                fail_here(__FILE__, __LINE__, "%s(%a): %a, not %a", ash__op_name(op), (double)x[k], (double)got[k],
                          (double)want[k]);
    }
}

/* Numbers of all sizes, moderate ones, near 1, special ones. */
static double any_argument(int kind)
{
    const double unit = (double)(next_random() >> 11) * 0x1p-53;
    const uint64_t bits = next_random();
    double x;
    memcpy(&x, &bits, sizeof x);
    return kind == 0   ? x
           : kind == 1 ? special()
           : kind == 2 ? (unit - 0.5) * 100
           : kind == 3 ? 1 + (unit - 0.5) * 0.01
                       : unit * 2 - 1;
}

static void check_anywhere(ash__op op, ash_dtype type, ash__isa isa)
{
    enum { BLOCK = 4096 };
    static double in[2][BLOCK], want[BLOCK], got[BLOCK]; /* room for either type */
    const size_t item = ash_dtype_size(type);
    ash__kernel *const kernel = ash__kernel_for(ash__cpu_kernels()->elementwise, op, type, 0);
    ash__native_code *const code = code_of(op, type, isa);
    void *slot[] = {NULL, got, in[0], in[1]};
    for (int round = 0; code && round < 100 / (SLOW * sparse); round++) {
        for (int k = 0; k < 2 * BLOCK; k++) {
            const double x = any_argument((int)below(5));
            const float narrow = (float)x;
            memcpy((char *)in[k / BLOCK] + (size_t)(k % BLOCK) * item, type == ASH_F32 ? (const void *)&narrow : &x, item);
        }
        kernel(want, in[0], in[1], NULL, BLOCK);
        for (int64_t done = 0; done < BLOCK; done++) { /* what is left, one by one, is the kernel's */
            void *at[4] = {NULL};
            for (int k = 1; k < 4; k++)
                at[k] = (char *)slot[k] + (size_t)done * item;
            done += code(at, BLOCK - done);
            if (done < BLOCK)
                memcpy((char *)got + (size_t)done * item, (char *)want + (size_t)done * item, item);
        }
        for (size_t k = 0; k < BLOCK; k++) {
            const char *const a = (char *)want + k * item, *const b = (char *)got + k * item;
            if (memcmp(a, b, item) != 0 && !(is_nan(type, a) && is_nan(type, b)))
                fail_here(__FILE__, __LINE__, "%s of %s differs at element %d", ash__op_name(op), ash_dtype_name(type), (int)k);
        }
    }
}

static void functions_are_the_kernels(void **state)
{
    static const ash__op everywhere_in_f32[] = {ASH__OP_EXP,  ASH__OP_LOG,   ASH__OP_EXP2,
                                                ASH__OP_LOG2, ASH__OP_LOG10, ASH__OP_TANH};
    const char *const level = ash__cpu_kernels()->level;
    (void)state;
    if (strcmp(level, "v1") == 0 || strcmp(level, "v2") == 0) { /* kernels without fma differ in last places */
        print_message("[  SKIPPED ] functions_are_the_kernels: level %s has no fma\n", level);
        return;
    }
    for (ash__isa isa = ASH__ISA_NONE + 1; isa < ASH__ISA_COUNT; isa++) {
        if (!is_there(isa))
            continue;
        for (int i = 0; i < COUNT(everywhere_in_f32); i++)
            check_function(everywhere_in_f32[i], isa);
        for (int op = ASH__OP_CBRT; op <= ASH__OP_TGAMMA; op++) {
            check_anywhere((ash__op)op, ASH_F32, isa);
            check_anywhere((ash__op)op, ASH_F64, isa);
        }
    }
}

/* ---- the encoder against objdump */

/* Whether what objdump reads is instructions, from the first to the last, which is ret. */
static bool reads_well(const uint8_t *bytes, size_t nbytes, const char *file)
{
    char command[256], line[256];
    FILE *const f = fopen(file, "wb");
    bool fine = true, ended = false;
    CHECK(f && fwrite(bytes, 1, nbytes, f) == nbytes && fclose(f) == 0);
    snprintf(command, sizeof command, "objdump -D -b binary -m i386:x86-64 %s", file);
    FILE *const listing = popen(command, "r");
    CHECK(listing != NULL);
    while (fgets(line, sizeof line, listing))
        if (!ended) { /* constants lie behind it */
            fine &= !strstr(line, "(bad)") && !strstr(line, ".byte");
            ended = strstr(line, "\tret") != NULL;
        }
    return pclose(listing) == 0 && fine && ended;
}

static void objdump_reads_the_code(void **state)
{
    static const ash__isa isas[] = {ASH__ISA_AVX2, ASH__ISA_AVX512};
    static operand x[OPERANDS];
    static ash__body body;
    static uint8_t bytes[ASH__CODE_MOST];
    char file[] = P_tmpdir "/ashlar-native-XXXXXX";
    const int made = mkstemp(file);
    (void)state;
    CHECK(made >= 0 && close(made) == 0);
    if (ash__native_isa() == ASH__ISA_NEON || system("objdump --version > /dev/null 2>&1") != 0) {
        print_message("[  SKIPPED ] objdump_reads_the_code: there is no objdump for x86-64\n");
        return;
    }
    for (int k = 0; k < 200 / SLOW; k++) {
        ash__program *const p = random_program(x, 1 + (int)below(7));
        const int end = ash__is_half(p->dtype) ? ASH__NATIVE_STORED : ASH__NATIVE_MACHINE;
        if (p->count <= ASH__NATIVE_VALUES && ash__body_of(&body, p, uniform_loads(p, x), end, isas[k % 2])) {
            const size_t nbytes = ash__native_emit(&body, bytes, sizeof bytes, k % 3 ? ASH__NO_LIMIT : 6);
            CHECK(nbytes > 0 && reads_well(bytes, nbytes, file));
        }
        ash__program_release(p);
    }
    unlink(file);
}

/* For check_gdb.sh: ends by a signal within generated code. */
__attribute__((noinline)) static int64_t read_the_unreadable(void)
{
    float out[16];
    void *slot[] = {NULL, out, guarded() + ROOM};
    ash__native_code *const code = code_of(ASH__OP_NEG, ASH_F32, ash__native_isa());
    return code ? code(slot, 16) + 1 : 0;
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(avx512_equals_the_interpreter), cmocka_unit_test(avx2_equals_the_interpreter),
        cmocka_unit_test(neon_equals_the_interpreter),   cmocka_unit_test(every_operation_has_code),
        cmocka_unit_test(folds_equal_the_kernels),       cmocka_unit_test(functions_are_the_kernels),
        cmocka_unit_test(objdump_reads_the_code),
    };
    setenv("ASHLAR_NATIVE", "off", 1); /* the library interprets; what is compared is made here */
    if (argc > 1 && strcmp(argv[1], "fault") == 0)
        return (int)read_the_unreadable();
    if (argc > 1)
        wanted = atoll(argv[1]);
    if (wanted < 100)
        sparse = 50;
    every = argc > 2;
    return cmocka_run_group_tests(tests, NULL, NULL);
}
