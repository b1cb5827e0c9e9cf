/*
 * builder.c - adding instructions, each value once.
 *
 * Equal instructions are found through a hash table over all their bytes that matter, so constants are told apart by their
 * bits: 0.0 and -0.0 are two values.
 */
#include "expr/builder.h"

#include <string.h>

#include "core/alloc.h"
#include "core/error.h"

enum { FIRST_ROOM = 32 };

int ash__build_fail(ash__builder *b)
{
    if (b)
        b->failed = true;
    return -1;
}

static int broken(ash__builder *b, const char *what)
{
    ash__fail(ASH_ERR_INTERNAL, b->function, "an instruction was built with %s", what);
    return ash__build_fail(b);
}

ash__builder *ash__builder_new(const char *function, int operands)
{
    ash__builder *b = ash__alloc(function, 1, sizeof *b);
    if (!b)
        return NULL;
    b->function = function;
    b->operands = operands;
    b->room = FIRST_ROOM;
    b->slots = 4 * FIRST_ROOM;
    b->ins = ash__alloc(function, b->room, sizeof *b->ins);
    b->slot = b->ins ? ash__alloc(function, b->slots, sizeof *b->slot) : NULL;
    if (!b->slot) {
        ash__builder_free(b);
        return NULL;
    }
    return b;
}

void ash__builder_free(ash__builder *b)
{
    if (!b)
        return;
    ash__free(b->ins);
    ash__free(b->slot);
    ash__free(b);
}

static uint32_t hash_of(const ash__ins *i)
{
    uint64_t h = (uint64_t)i->op | (uint64_t)i->type << 8 | (uint64_t)i->from << 16 | (uint64_t)i->arg[0] << 32 |
                 (uint64_t)i->arg[1] << 48;
    h = (h ^ i->constant.bits) * 0x9e3779b97f4a7c15U;
    h = (h ^ h >> 32 ^ i->arg[2] ^ (uint64_t)i->offset << 16) * 0x9e3779b97f4a7c15U;
    return (uint32_t)(h >> 32);
}

static bool same(const ash__ins *x, const ash__ins *y)
{
    return x->op == y->op && x->type == y->type && x->from == y->from && x->arg[0] == y->arg[0] && x->arg[1] == y->arg[1] &&
           x->arg[2] == y->arg[2] && x->offset == y->offset && x->constant.bits == y->constant.bits;
}

/* The slot that holds the equal of ins, or the empty one where it belongs. */
static uint16_t *find(const ash__builder *b, const ash__ins *ins)
{
    const uint32_t mask = (uint32_t)b->slots - 1;
    uint32_t k = hash_of(ins) & mask;
    while (b->slot[k] && !same(&b->ins[b->slot[k] - 1], ins))
        k = (k + 1) & mask;
    return &b->slot[k];
}

static bool grow(ash__builder *b)
{
    const int room = 2 * b->room;
    ash__ins *ins = ash__realloc(b->function, b->ins, room, sizeof *ins);
    if (!ins)
        return false;
    b->ins = ins;
    uint16_t *slot = ash__alloc(b->function, 4 * (int64_t)room, sizeof *slot);
    if (!slot)
        return false;
    ash__free(b->slot);
    b->slot = slot;
    b->slots = 4 * room;
    b->room = room;
    for (int i = 0; i < b->count; i++)
        *find(b, &b->ins[i]) = (uint16_t)(i + 1);
    return true;
}

int ash__build_ins(ash__builder *b, const ash__ins *ins)
{
    uint16_t *slot = find(b, ins);
    if (*slot)
        return *slot - 1;
    if (b->count >= ASH__BUILD_LIMIT) {
        ash__fail(ASH_ERR_ARGUMENT, b->function, "the function needs more than %d operations", (int)ASH__PROGRAM_LIMIT);
        return ash__build_fail(b);
    }
    if (b->count == b->room) {
        if (!grow(b))
            return ash__build_fail(b);
        slot = find(b, ins);
    }
    b->ins[b->count] = *ins;
    *slot = (uint16_t)(b->count + 1);
    return b->count++;
}

int ash__build_load(ash__builder *b, int operand, ash_dtype dtype, uint32_t offset)
{
    if (!b || b->failed)
        return -1;
    if (operand < 0 || operand >= b->operands || !ash__is_real(dtype))
        return broken(b, "a wrong operand");
    const ash__ins ins = {.op = ASH__OP_LOAD, .type = (uint8_t)ash__machine(dtype), .from = (uint8_t)dtype,
                          .arg = {(uint16_t)operand}, .offset = offset};
    return ash__build_ins(b, &ins);
}

int ash__build_constant(ash__builder *b, ash_dtype machine, ash__scalar value)
{
    if (!b || b->failed)
        return -1;
    const size_t size = ash_dtype_size(machine);
    ash__ins ins = {.op = ASH__OP_CONSTANT, .type = (uint8_t)machine, .from = (uint8_t)machine};
    memcpy(&ins.constant, &value, size); /* the members of the union begin at one address; the rest stays 0 */
    return ash__build_ins(b, &ins);
}

/* Evaluates, simplifies, or adds. */
static int reduce(ash__builder *b, ash__ins ins)
{
    const int arity = ash__op_arity((ash__op)ins.op);
    ash__scalar x[3] = {{0}}, result;
    bool constant = true;
    for (int k = 0; k < arity; k++) {
        constant = constant && ash__is_constant(b, ins.arg[k]);
        x[k] = b->ins[ins.arg[k]].constant;
    }
    if (constant && ins.op == ASH__OP_ROUND16)
        return ash__build_constant(b, ASH_F32, ash__fold_round16((ash_dtype)ins.from, ash__constant_f64(b, ins.arg[0])));
    if (constant && ash__fold(&ins, x, &result))
        return ash__build_constant(b, (ash_dtype)ins.type, result);
    const int value = ash__simplify(b, &ins);
    return value >= 0 || b->failed ? value : ash__build_ins(b, &ins);
}

static unsigned class_of(ash_dtype machine)
{
    return machine == ASH_BOOL ? ASH__B : ash__is_float(machine) ? ASH__F : ASH__I;
}

int ash__build_op(ash__builder *b, ash__op op, int x, int y, int z)
{
    const int arg[3] = {x, y, z};
    if (!b || b->failed)
        return -1;
    const int arity = ash__op_arity(op), first = op == ASH__OP_SELECT ? 1 : 0;
    for (int k = 0; k < arity; k++)
        if (arg[k] < 0 || arg[k] >= b->count)
            return broken(b, "an operand that is no value");
    const ash_dtype type = ash__type_of(b, arg[first]);
    if (!(ash__op_classes(op) & class_of(type)) || (first && ash__type_of(b, x) != ASH_BOOL))
        return broken(b, "a type that the operation has not");
    ash__ins ins = {.op = (uint8_t)op, .type = (uint8_t)(ash__op_gives_bool(op) ? ASH_BOOL : type), .from = (uint8_t)type};
    for (int k = 0; k < arity; k++) {
        if (k >= first && ash__type_of(b, arg[k]) != type)
            return broken(b, "operands of two types");
        ins.arg[k] = (uint16_t)arg[k];
    }
    return reduce(b, ins);
}

static int build_from(ash__builder *b, ash__op op, int value, ash_dtype machine, ash_dtype from)
{
    const ash__ins ins = {.op = (uint8_t)op, .type = (uint8_t)machine, .from = (uint8_t)from, .arg = {(uint16_t)value}};
    return reduce(b, ins);
}

int ash__build_convert(ash__builder *b, int value, ash_dtype machine)
{
    if (!b || b->failed)
        return -1;
    if (value < 0 || value >= b->count)
        return broken(b, "an operand that is no value");
    const ash_dtype type = ash__type_of(b, value);
    return type == machine ? value : build_from(b, ASH__OP_CONVERT, value, machine, type);
}

int ash__build_narrow(ash__builder *b, int value, ash_dtype machine)
{
    if (!b || b->failed)
        return -1;
    if (value < 0 || value >= b->count || !ash__is_integer(ash__type_of(b, value)))
        return broken(b, "an operand that is no integer");
    const ash_dtype type = ash__type_of(b, value);
    return type == machine ? value : build_from(b, ASH__OP_NARROW, value, machine, type);
}

int ash__build_round16(ash__builder *b, int value, ash_dtype dtype)
{
    if (!b || b->failed)
        return -1;
    if (value < 0 || value >= b->count || !ash__is_float(ash__type_of(b, value)))
        return broken(b, "an operand that is no float");
    return build_from(b, ASH__OP_ROUND16, value, ASH_F32, dtype);
}

/* An instruction of another program, its operands renumbered. */
static int inline_ins(ash__builder *b, const ash__ins *i, const int *number, const int *operand)
{
    if (i->op == ASH__OP_LOAD)
        return ash__build_load(b, operand[i->arg[0]], (ash_dtype)i->from, i->offset);
    if (i->op == ASH__OP_CONSTANT)
        return ash__build_constant(b, (ash_dtype)i->type, i->constant);
    ash__ins ins = *i;
    for (int k = 0; k < ash__op_arity((ash__op)i->op); k++)
        ins.arg[k] = (uint16_t)number[i->arg[k]];
    return reduce(b, ins);
}

/* The whole of operand k, of a plain dtype. */
static int inline_copy(ash__builder *b, ash_dtype dtype, int operand, int result[2])
{
    const ash_dtype part = ash__part(dtype);
    if (ash__is_record(dtype))
        return broken(b, "a record as a number");
    result[0] = ash__build_load(b, operand, part, 0);
    result[1] = ash__is_complex(dtype) ? ash__build_load(b, operand, part, (uint32_t)ash_dtype_size(part)) : -1;
    return b->failed ? -1 : 0;
}

int ash__build_program(ash__builder *b, const ash__program *p, const int *operand, int result[2])
{
    result[0] = result[1] = -1;
    if (!b || b->failed)
        return -1;
    if (p->copies >= 0)
        return inline_copy(b, p->dtype, operand[p->copies], result);
    int *number = ash__alloc(b->function, p->count, sizeof *number);
    if (!number)
        return ash__build_fail(b);
    for (int i = 0; i < p->count && !b->failed; i++)
        number[i] = inline_ins(b, &p->ins[i], number, operand);
    if (!b->failed)
        for (int k = 0; k < p->outputs; k++)
            result[k] = number[p->output[k]];
    ash__free(number);
    return b->failed ? -1 : 0;
}
