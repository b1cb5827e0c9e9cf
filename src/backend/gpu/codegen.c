/*
 * codegen.c - kernel text for a typed program: one line for each instruction, in the order of the program.
 *
 * Each operation that is here has the CPU's results bit for bit (any NaN for any NaN); the others have no rule, and their
 * programs run on the host. In a rule $a $b $c are operands, $T the type, $U the unsigned type that its arithmetic is done in,
 * $V the unsigned type of its width and $W its width in bits.
 */
#include <inttypes.h>
#include <string.h>

#include "backend/gpu/gpu.h"
#include "expr/program.h"

enum { LONGEST = 256 }; /* instructions of a program that a driver's compiler is to see */

typedef struct rule {
    const char *of_integer, *of_float, *of_bool;
} rule;

static const rule rules[ASH__OP_COUNT] = {
    [ASH__OP_ADD] = {"($U)$a + ($U)$b", "$a + $b", NULL},
    [ASH__OP_SUB] = {"($U)$a - ($U)$b", "$a - $b", NULL},
    [ASH__OP_MUL] = {"($U)$a * ($U)$b", "$a * $b", NULL},
    [ASH__OP_NEG] = {"($U)0 - ($U)$a", "-$a", NULL},
    [ASH__OP_ABS] = {"$a < 0 ? ($U)0 - ($U)$a : ($U)$a", "fabs($a)", NULL},
    [ASH__OP_DIV] = {NULL, "$a / $b", NULL},
    [ASH__OP_MULADD] = {"($U)$a * ($U)$b + ($U)$c", "$a * $b + $c", NULL},
    [ASH__OP_MULSUB] = {"($U)$a * ($U)$b - ($U)$c", "$a * $b - $c", NULL},
    [ASH__OP_MULMUL] = {"($U)$a * ($U)$b * ($U)$c", "($a * $b) * $c", NULL},
    [ASH__OP_SUMSQ] = {"($U)$a * ($U)$a + ($U)$b * ($U)$b", "$a * $a + $b * $b", NULL},
    [ASH__OP_SQDIFF] = {"(($U)$a - ($U)$b) * (($U)$a - ($U)$b)", "($a - $b) * ($a - $b)", NULL},
    [ASH__OP_FMA] = {NULL, "fma($a, $b, $c)", NULL},
    [ASH__OP_MIN] = {"$a < $b ? $a : $b", "min_$T($a, $b)", "$a & $b"},
    [ASH__OP_MAX] = {"$a > $b ? $a : $b", "max_$T($a, $b)", "$a | $b"},
    [ASH__OP_SIGN] = {"($a > 0) - ($a < 0)", "$a > 0 ? ($T)1 : $a < 0 ? ($T)-1 : $a", NULL},
    [ASH__OP_AND] = {"$a & $b", NULL, "$a & $b"},
    [ASH__OP_OR] = {"$a | $b", NULL, "$a | $b"},
    [ASH__OP_XOR] = {"$a ^ $b", NULL, "$a ^ $b"},
    [ASH__OP_NOT] = {"~$a", NULL, "$a ^ 1"},
    [ASH__OP_SHL] = {"($V)$b < $W ? ($U)$a << ($V)$b : ($U)0", NULL, NULL},
    [ASH__OP_SHR] = {"($V)$b < $W ? $a >> ($V)$b : $a < 0 ? ($T)-1 : ($T)0", NULL, NULL},
    [ASH__OP_EQ] = {"$a == $b", "$a == $b", "$a == $b"},
    [ASH__OP_NE] = {"$a != $b", "$a != $b", "$a != $b"},
    [ASH__OP_LT] = {"$a < $b", "$a < $b", "$a < $b"},
    [ASH__OP_LE] = {"$a <= $b", "$a <= $b", "$a <= $b"},
    [ASH__OP_SELECT] = {"$a ? $b : $c", "$a ? $b : $c", "$a ? $b : $c"},
    [ASH__OP_SQRT] = {NULL, "sqrt($a)", NULL},
    [ASH__OP_FLOOR] = {NULL, "floor($a)", NULL},
    [ASH__OP_CEIL] = {NULL, "ceil($a)", NULL},
    [ASH__OP_TRUNC] = {NULL, "trunc($a)", NULL},
    [ASH__OP_ROUND] = {NULL, "round($a)", NULL},
    [ASH__OP_RINT] = {NULL, "rint($a)", NULL},
    [ASH__OP_FDIM] = {NULL, "$a <= $b ? ($T)0 : $a - $b", NULL},
    [ASH__OP_FMIN] = {NULL, "$b != $b ? $a : $a != $a ? $b : min_$T($a, $b)", NULL},
    [ASH__OP_FMAX] = {NULL, "$b != $b ? $a : $a != $a ? $b : max_$T($a, $b)", NULL},
    [ASH__OP_COPYSIGN] = {NULL, "copysign($a, $b)", NULL},
    [ASH__OP_ISNAN] = {NULL, "$a != $a", NULL},
    [ASH__OP_ISINF] = {NULL, "fabs($a) == INFINITY", NULL},
    [ASH__OP_ISFINITE] = {NULL, "fabs($a) < INFINITY", NULL},
    [ASH__OP_ISNORMAL] = {NULL, "fabs($a) < INFINITY && fabs($a) >= LEAST_$T", NULL},
    [ASH__OP_SIGNBIT] = {NULL, "copysign(($T)1, $a) < 0", NULL},
};

static const char *rule_for(const ash__ins *ins, ash_dtype type)
{
    const rule *const r = &rules[ins->op];
    return type == ASH_BOOL ? r->of_bool : ash__is_float(type) ? r->of_float : r->of_integer;
}

/* The type that an operation is one of: that of its operands, but SELECT's condition. */
static ash_dtype type_of(const ash__ins *ins)
{
    return ash__op_gives_bool((ash__op)ins->op) ? (ash_dtype)ins->from : (ash_dtype)ins->type;
}

const char *ash__gpu_lacks(const ash__gpu *gpu, const ash__program *program)
{
    if (program->faults)
        return "no kernel reports faults yet";
    if (program->count > LONGEST)
        return "the function is too long for one kernel";
    for (int32_t k = 0; k < program->count; k++) {
        const ash__ins *const ins = &program->ins[k];
        if (ins->type == ASH_F32 && !gpu->exact_f32)
            return "the device does not round f32 as the CPU does";
        if (ins->op > ASH__OP_ROUND16 && !rule_for(ins, type_of(ins)))
            return "no kernel has all of these operations yet";
    }
    return NULL;
}

/* ---- types */

const char *ash__gpu_type(ash_dtype machine)
{
    return machine == ASH_BOOL ? "u8" : ash_dtype_name(machine);
}

static int width_of(ash_dtype machine)
{
    return 8 * (int)ash_dtype_size(machine);
}

static void put_rule(ash__text *text, const char *form, const ash__ins *ins, ash_dtype type)
{
    for (; *form; form++) {
        if (*form != '$') {
            ash__put_bytes(text, form, 1);
            continue;
        }
        switch (*++form) {
        case 'a':
            ash__put(text, "v%d", ins->arg[0]);
            break;
        case 'b':
            ash__put(text, "v%d", ins->arg[1]);
            break;
        case 'c':
            ash__put(text, "v%d", ins->arg[2]);
            break;
        case 'T':
            ash__put(text, "%s", ash__gpu_type(type));
            break;
        case 'U':
            ash__put(text, "%s", width_of(type) == 64 ? "u64" : "u32");
            break;
        case 'V':
            ash__put(text, "u%d", width_of(type));
            break;
        case 'W':
            ash__put(text, "%d", width_of(type));
            break;
        default:
            break;
        }
    }
}

/* ---- instructions */

static void put_constant(ash__text *text, const ash__ins *ins)
{
    if (ins->type == ASH_F32)
        ash__put(text, "BITS_F32(0x%08" PRIx32 "u)", (uint32_t)ins->constant.bits);
    else if (ins->type == ASH_F64)
        ash__put(text, "BITS_F64(0x%016" PRIx64 "ul)", ins->constant.bits);
    else
        ash__put(text, "(%s)0x%" PRIx64 "ul", ash__gpu_type(ins->type), ins->constant.bits);
}

/* Where an element lies: in memory k, or among the parameters. */
static void put_place(ash__text *text, const ash__gpu_form *form, int span, const char *type, uint32_t offset)
{
    const bool writes = span == 0;
    if (form->scalar[span]) {
        ash__put(text, "*(const %s *)((const char *)&w->scalar[%d] + %" PRIu32 ")", type, 2 * span, offset);
        return;
    }
    ash__put(text, "*(G %s%s *)(m%d + at[%d] + ", writes ? "" : "const ", type, span, span);
    if (form->step[span] == ASH__GPU_ANY)
        ash__put(text, "i * w->stride[(RANK - 1) * SPANS + %d]", span);
    else
        ash__put(text, "i * %d", (int)form->step[span]);
    ash__put(text, " + %" PRIu32 ")", offset);
}

/* form NULL: operands are values. */
static void put_load(ash__text *text, const ash__gpu_form *form, const ash__ins *ins)
{
    const ash_dtype from = (ash_dtype)ins->from;
    const bool narrow = from == ASH_F16 || from == ASH_BF16;
    if (!form) {
        ash__put(text, "x%d_%d", ins->arg[0], ins->offset != 0);
        return;
    }
    if (narrow)
        ash__put(text, "from_%s(", ash_dtype_name(from));
    put_place(text, form, 1 + ins->arg[0], narrow ? "u16" : ash__gpu_type(from), ins->offset);
    if (narrow)
        ash__put(text, ")");
}

static void put_convert(ash__text *text, const ash__ins *ins)
{
    const ash_dtype to = (ash_dtype)ins->type, from = (ash_dtype)ins->from;
    const int bits = width_of(to);
    if (to == ASH_BOOL)
        ash__put(text, "v%d != 0", ins->arg[0]);
    else if (!ash__is_float(from) || ash__is_float(to))
        ash__put(text, "(%s)v%d", ash__gpu_type(to), ins->arg[0]);
    else if (ash__is_signed(to))
        ash__put(text, "SATURATED(%s, -0x1p%df, 0x1p%df, (-0x%" PRIx64 "l - 1), 0x%" PRIx64 "l, v%d)", ash__gpu_type(to),
                 bits - 1, bits - 1, UINT64_MAX >> (65 - bits), UINT64_MAX >> (65 - bits), ins->arg[0]);
    else
        ash__put(text, "SATURATED(%s, 0, 0x1p%df, 0, 0x%" PRIx64 "ul, v%d)", ash__gpu_type(to), bits, UINT64_MAX >> (64 - bits),
                 ins->arg[0]);
}

static void put_instruction(ash__text *text, const ash__gpu_form *form, const ash__program *p, int32_t number)
{
    const ash__ins *const ins = &p->ins[number];
    const char *const type = ash__gpu_type((ash_dtype)ins->type);
    ash__put(text, "    const %s v%d = (%s)(", type, (int)number, type);
    switch (ins->op) {
    case ASH__OP_LOAD:
        put_load(text, form, ins);
        break;
    case ASH__OP_CONSTANT:
        put_constant(text, ins);
        break;
    case ASH__OP_CONVERT:
        put_convert(text, ins);
        break;
    case ASH__OP_ROUND16:
        ash__put(text, "from_%s(%s_of_%s(v%d))", ash_dtype_name(ins->from), ash_dtype_name(ins->from),
                 ash__gpu_type(p->ins[ins->arg[0]].type), ins->arg[0]);
        break;
    default:
        put_rule(text, rule_for(ins, type_of(ins)), ins, type_of(ins));
    }
    ash__put(text, ");\n");
}

static void put_stores(ash__text *text, const ash__gpu_form *form, const ash__program *p)
{
    const ash_dtype part = ash__part(p->dtype);
    const bool narrow = part == ASH_F16 || part == ASH_BF16;
    for (int32_t k = 0; k < p->outputs; k++) {
        const char *const type = narrow ? "u16" : ash__gpu_type(part);
        ash__put(text, "    ");
        put_place(text, form, 0, type, (uint32_t)k * (uint32_t)ash_dtype_size(part));
        if (narrow)
            ash__put(text, " = %s_of_%s(v%d);\n", ash_dtype_name(part), ash__gpu_type(p->ins[p->output[k]].type), p->output[k]);
        else
            ash__put(text, " = v%d;\n", p->output[k]);
    }
}

static void put_results(ash__text *text, const ash__program *p)
{
    for (int32_t k = 0; k < p->outputs; k++)
        ash__put(text, "    *r%d = v%d;\n", (int)k, p->output[k]);
}

/* ", f32 *r0, f32 *r1) {" */
static void put_result_parameters(ash__text *text, const ash__program *p)
{
    for (int32_t k = 0; k < p->outputs; k++)
        ash__put(text, ", %s *r%d", ash__gpu_type((ash_dtype)p->ins[p->output[k]].type), (int)k);
    ash__put(text, ")\n{\n");
}

/* ---- whole pieces */

void ash__gpu_put_head(ash__text *text, bool f64, bool wide)
{
    ash__put(text, "#define F64 %d\n#define WIDE %d\n", f64, wide);
    ash__put_bytes(text, ash__gpu_prelude_text, strlen(ash__gpu_prelude_text));
}

/* A list over all memories: "G char *m0, G const char *m1" or "m0, m1". */
static void put_memories(ash__text *text, const ash__gpu_form *form, const char *name, bool types)
{
    bool first = true;
    ash__put(text, "#define %s ", name);
    for (int k = 0; k < form->spans; k++) {
        if (form->scalar[k])
            continue;
        ash__put(text, "%s%sm%d", first ? "" : ", ", !types ? "" : k ? "G const char *" : "G char *", k);
        first = false;
    }
    ash__put(text, "\n");
}

void ash__gpu_put_walk(ash__text *text, const ash__gpu_form *form)
{
    ash__put(text, "#define RANK %d\n#define SPANS %d\n#define LOCAL %d\n", form->rank, form->spans, form->local);
    put_memories(text, form, "MEMORY", true);
    put_memories(text, form, "PASSED", false);
    ash__put(text, "typedef struct walk {\n    u64 scalar[2 * SPANS];\n"
                   "    index start[SPANS], size[RANK], stride[RANK * SPANS];\n} walk;\n");
    ash__put_bytes(text, ash__gpu_walk_text, strlen(ash__gpu_walk_text));
}

void ash__gpu_put_program(ash__text *text, const char *name, const ash__gpu_form *form, const ash__program *program,
                          bool stores)
{
    ash__put(text, "FN void %s(MEMORY, const index *at, index i, const walk *w", name);
    if (stores)
        ash__put(text, ")\n{\n");
    else
        put_result_parameters(text, program);
    for (int32_t k = 0; k < program->count; k++)
        put_instruction(text, form, program, k);
    if (stores)
        put_stores(text, form, program);
    else
        put_results(text, program);
    ash__put(text, "}\n");
}

void ash__gpu_put_function(ash__text *text, const char *name, const ash__program *program, ash_dtype operand, int parts)
{
    ash__put(text, "FN void %s(", name);
    for (int32_t k = 0; k < program->operands; k++)
        for (int part = 0; part < parts; part++)
            ash__put(text, "%sconst %s x%d_%d", k || part ? ", " : "", ash__gpu_type(ash__machine(operand)), (int)k, part);
    put_result_parameters(text, program);
    for (int32_t k = 0; k < program->count; k++)
        put_instruction(text, NULL, program, k);
    put_results(text, program);
    ash__put(text, "}\n");
}

void ash__gpu_put_copy(ash__text *text, const char *name, const ash__gpu_form *form, int word, int words)
{
    char type[8];
    snprintf(type, sizeof type, "u%d", 8 * word);
    ash__put(text, "FN void %s(MEMORY, const index *at, index i, const walk *w)\n{\n", name);
    for (int k = 0; k < words; k++) {
        ash__put(text, "    ");
        put_place(text, form, 0, type, (uint32_t)(k * word));
        ash__put(text, " = ");
        put_place(text, form, 1, type, (uint32_t)(k * word));
        ash__put(text, ";\n");
    }
    ash__put(text, "}\n");
}
