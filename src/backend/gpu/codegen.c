/*
 * codegen.c - kernel text for a typed program: one line for each instruction, in the order of the program.
 *
 * rules.c says how each operation is written, library.c has the functions that rules call. What faults is or-ed, from a
 * variable of each element, into a word of working memory, and the values are those of the CPU's kernels.
 */
#include <inttypes.h>
#include <string.h>

#include "backend/gpu/gpu.h"
#include "backend/gpu/library.h"
#include "backend/gpu/rules.h"
#include "expr/program.h"

enum {
    LONGEST = 1024, /* instructions of a program that a driver's compiler is to see */
    FORM = 192      /* bytes of a rule with everything put in */
};

/* The type that an operation is one of: that of its operands, but SELECT's condition. */
static ash_dtype type_of(const ash__ins *ins)
{
    return ash__op_gives_bool((ash__op)ins->op) ? (ash_dtype)ins->from : (ash_dtype)ins->type;
}

const char *ash__gpu_too_long(const ash__program *program)
{
    return program->count > LONGEST ? "the function is too long for one kernel" : NULL;
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

/* The address of an element's part, in a memory or among the parameters, as a pointer to `type`. */
static void put_address(ash__text *text, const ash__gpu_form *form, int span, const char *type, uint32_t offset)
{
    const bool writes = span == 0;
    if (form->scalar[span]) {
        ash__put(text, "((const %s *)((const char *)&w->scalar[%d] + %" PRIu32 "))", type, 2 * span, offset);
        return;
    }
    ash__put(text, "((G %s%s *)(m%d + at[%d] + ", writes ? "" : "const ", type, span, span);
    if (form->step[span] == ASH__GPU_ANY)
        ash__put(text, "i * w->stride[(RANK - 1) * SPANS + %d]", span);
    else
        ash__put(text, "i * %d", (int)form->step[span]);
    ash__put(text, " + %" PRIu32 "))", offset);
}

static void put_place(ash__text *text, const ash__gpu_form *form, int span, const char *type, uint32_t offset)
{
    ash__put(text, "*");
    put_address(text, form, span, type, offset);
}

/* Elements of one byte are at no odd address. */
static bool by_bytes(const ash__gpu_form *form, int span, ash_dtype dtype)
{
    return form->odd[span] && width_of(dtype) > 8;
}

/* "from_f16(", "BITS_F32(": what makes a value of bits; and its end. */
static const char *reading(ash_dtype dtype, bool bytes)
{
    switch (dtype) {
    case ASH_F16:
        return "from_f16(";
    case ASH_BF16:
        return "from_bf16(";
    case ASH_F32:
        return bytes ? "BITS_F32(" : "";
    case ASH_F64:
        return bytes ? "BITS_F64(" : "";
    default:
        return "";
    }
}

/* form NULL: operands are values. */
static void put_load(ash__text *text, const ash__gpu_form *form, const ash__ins *ins)
{
    const ash_dtype from = (ash_dtype)ins->from;
    const int span = 1 + ins->arg[0];
    if (!form) {
        ash__put(text, "x%d_%d", ins->arg[0], ins->offset != 0);
        return;
    }
    const bool bytes = by_bytes(form, span, from);
    const char *const before = reading(from, bytes);
    ash__put(text, "%s", before);
    if (bytes) {
        ash__put(text, "(u%d)odd_bits(", width_of(from));
        put_address(text, form, span, "char", ins->offset);
        ash__put(text, ", %d)", width_of(from) / 8);
    } else {
        put_place(text, form, span, from == ASH_F16 || from == ASH_BF16 ? "u16" : ash__gpu_type(from), ins->offset);
    }
    ash__put(text, "%s", *before ? ")" : "");
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
    case ASH__OP_NARROW:
        put_convert(text, ins);
        break;
    case ASH__OP_ROUND16:
        ash__put(text, "from_%s(%s_of_%s(v%d))", ash_dtype_name(ins->from), ash_dtype_name(ins->from),
                 ash__gpu_type(p->ins[ins->arg[0]].type), ins->arg[0]);
        break;
    default:
        put_rule(text, ash__gpu_rule(ins, type_of(ins)), ins, type_of(ins));
    }
    ash__put(text, ");\n");
}

/* After the instruction, what it does to `bad`. */
static void put_fault(ash__text *text, const ash__program *p, int32_t number)
{
    const ash__ins *const ins = &p->ins[number];
    switch (ins->op) {
    case ASH__OP_IDIV:
    case ASH__OP_IREM:
    case ASH__OP_IFLD:
    case ASH__OP_IMOD:
        ash__put(text, "    bad |= v%d == 0 ? %du : 0u;\n", ins->arg[1], ASH__FAULT_DIVIDE);
        break;
    case ASH__OP_IPOW:
        if (ash__is_signed((ash_dtype)ins->type))
            ash__put(text, "    bad |= v%d < 0 && v%d != 1 && v%d != -1 ? %du : 0u;\n", ins->arg[1], ins->arg[0], ins->arg[0],
                     ASH__FAULT_POWER);
        break;
    case ASH__OP_NARROW:
        ash__put(text, "    bad |= (%s)v%d != v%d || (v%d < 0) != (v%d < 0) ? %du : 0u;\n", ash__gpu_type((ash_dtype)ins->from),
                 (int)number, ins->arg[0], (int)number, ins->arg[0], ASH__FAULT_VALUE);
        break;
    default:
        break;
    }
}

static void put_instructions(ash__text *text, const ash__gpu_form *form, const ash__program *p, bool faults)
{
    if (faults)
        ash__put(text, "    u32 bad = 0;\n");
    for (int32_t k = 0; k < p->count; k++) {
        put_instruction(text, form, p, k);
        if (faults)
            put_fault(text, p, k);
    }
    if (faults)
        ash__put(text, "    if (bad)\n        ATOMIC_OR(fault, bad);\n");
}

/* The library's functions that the program calls. form NULL: operands are values. */
static void put_library(ash__text *text, const ash__gpu_form *form, const ash__program *p)
{
    ash__gpu_needs needs = {0};
    for (int k = 0; form && k < form->spans; k++)
        if (form->odd[k])
            ash__gpu_need(&needs, k ? "odd_bits" : "put_odd");
    for (int32_t k = 0; k < p->count; k++)
        if (p->ins[k].op > ASH__OP_ROUND16) {
            char buffer[FORM];
            ash__text rule = {buffer, sizeof buffer, 0};
            put_rule(&rule, ash__gpu_rule(&p->ins[k], type_of(&p->ins[k])), &p->ins[k], type_of(&p->ins[k]));
            ash__gpu_need(&needs, buffer);
        }
    ash__gpu_put_needs(text, &needs);
}

/* The value of an output as it is stored: a number, or its bits. */
static void put_stored(ash__text *text, const ash__program *p, int k, bool bytes)
{
    const ash_dtype part = ash__part(p->dtype);
    if (part == ASH_F16 || part == ASH_BF16)
        ash__put(text, "%s_of_%s(v%d)", ash_dtype_name(part), ash__gpu_type(p->ins[p->output[k]].type), p->output[k]);
    else if (bytes && ash__is_float(part))
        ash__put(text, "F%d_BITS(v%d)", width_of(part), p->output[k]);
    else if (bytes)
        ash__put(text, "(u%d)v%d", width_of(part), p->output[k]);
    else
        ash__put(text, "v%d", p->output[k]);
}

static void put_stores(ash__text *text, const ash__gpu_form *form, const ash__program *p)
{
    const ash_dtype part = ash__part(p->dtype);
    const bool bytes = by_bytes(form, 0, part), narrow = part == ASH_F16 || part == ASH_BF16;
    for (int32_t k = 0; k < p->outputs; k++) {
        const uint32_t offset = (uint32_t)k * (uint32_t)ash_dtype_size(part);
        ash__put(text, "    ");
        if (bytes) {
            ash__put(text, "put_odd(");
            put_address(text, form, 0, "char", offset);
            ash__put(text, ", %d, ", width_of(part) / 8);
        } else {
            put_place(text, form, 0, narrow ? "u16" : ash__gpu_type(part), offset);
            ash__put(text, " = ");
        }
        put_stored(text, p, k, bytes);
        ash__put(text, bytes ? ");\n" : ";\n");
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

void ash__gpu_put_text(ash__text *text, const char *words)
{
    ash__put_bytes(text, words, strlen(words));
}

void ash__gpu_put_head(ash__text *text, bool f64, bool wide)
{
    ash__put(text, "#define F64 %d\n#define WIDE %d\n", f64, wide);
    ash__gpu_put_text(text, ash__gpu_prelude_text);
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
    if (form->faults)
        ash__put(text, types ? ", G u32 *fault" : ", fault");
    ash__put(text, "\n");
}

void ash__gpu_put_walk(ash__text *text, const ash__gpu_form *form)
{
    ash__put(text, "#define RANK %d\n#define SPANS %d\n#define LOCAL %d\n", form->rank, form->spans, form->local);
    put_memories(text, form, "MEMORY", true);
    put_memories(text, form, "PASSED", false);
    ash__put(text, "#define EACH_SPAN(X)");
    for (int k = 0; k < form->spans; k++)
        ash__put(text, " X(%d)", k);
    ash__put(text, "\n");
    ash__put(text, "typedef struct walk {\n    u64 scalar[2 * SPANS];\n"
                   "    index start[SPANS], size[RANK], stride[RANK * SPANS];\n} walk;\n");
    ash__gpu_put_text(text, ash__gpu_walk_text);
}

void ash__gpu_put_program(ash__text *text, const char *name, const ash__gpu_form *form, const ash__program *program,
                          bool stores)
{
    put_library(text, form, program);
    ash__put(text, "FN void %s(MEMORY, const index *at, index i, const walk *w", name);
    if (stores)
        ash__put(text, ")\n{\n");
    else
        put_result_parameters(text, program);
    put_instructions(text, form, program, form->faults);
    if (stores)
        put_stores(text, form, program);
    else
        put_results(text, program);
    ash__put(text, "}\n");
}

void ash__gpu_put_function(ash__text *text, const char *name, const ash__program *program, ash_dtype operand, int parts,
                           bool faults)
{
    put_library(text, NULL, program);
    ash__put(text, "FN void %s(%s", name, faults ? "G u32 *fault, " : "");
    for (int32_t k = 0; k < program->operands; k++)
        for (int part = 0; part < parts; part++)
            ash__put(text, "%sconst %s x%d_%d", k || part ? ", " : "", ash__gpu_type(ash__machine(operand)), (int)k, part);
    put_result_parameters(text, program);
    put_instructions(text, NULL, program, faults);
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
