/*
 * optimise.c - from the builder's list to the finished program.
 *
 * Instructions that serve one other alone become part of it, for every pass over a block costs as much as the arithmetic: a
 * product in a sum or a product, the sum of two squares, the square of a difference. The fused ones round as often as the
 * parts did. What no output needs is dropped, and the rest is renumbered in its order. Everything else was done while building.
 */
#include "core/alloc.h"
#include "core/error.h"
#include "expr/builder.h"
#include "expr/lower.h"

/* How often each live value is used; an output counts as one use. Operands come before their users: one pass backwards. */
static void count_uses(const ash__builder *b, int re, int im, uint16_t *uses)
{
    for (int i = 0; i < b->count; i++)
        uses[i] = 0;
    uses[re]++;
    if (im >= 0)
        uses[im]++;
    for (int i = b->count - 1; i >= 0; i--)
        for (int k = 0; uses[i] && k < ash__op_arity((ash__op)b->ins[i].op); k++)
            if (uses[b->ins[i].arg[k]] < UINT16_MAX)
                uses[b->ins[i].arg[k]]++;
}

static bool lone_product(const ash__builder *b, const uint16_t *uses, int value)
{
    return b->ins[value].op == ASH__OP_MUL && uses[value] == 1;
}

static bool lone_square(const ash__builder *b, const uint16_t *uses, int value)
{
    return lone_product(b, uses, value) && b->ins[value].arg[0] == b->ins[value].arg[1];
}

static void fuse(ash__ins *ins, ash__op op, uint16_t x, uint16_t y, uint16_t z)
{
    ins->op = (uint8_t)op;
    ins->arg[0] = x;
    ins->arg[1] = y;
    ins->arg[2] = z;
}

/* Sums first: a product of products can still become part of one. */
static void fuse_sum(ash__builder *b, const uint16_t *uses, ash__ins *ins)
{
    const bool add = ins->op == ASH__OP_ADD;
    const uint16_t x = ins->arg[0], y = ins->arg[1];
    const ash__ins *left = &b->ins[x], *right = &b->ins[y];
    if (add && lone_square(b, uses, x) && lone_square(b, uses, y))
        fuse(ins, ASH__OP_SUMSQ, left->arg[0], right->arg[0], 0);
    else if (lone_product(b, uses, x))
        fuse(ins, add ? ASH__OP_MULADD : ASH__OP_MULSUB, left->arg[0], left->arg[1], y);
    else if (add && lone_product(b, uses, y))
        fuse(ins, ASH__OP_MULADD, right->arg[0], right->arg[1], x);
}

static void fuse_product(ash__builder *b, const uint16_t *uses, ash__ins *ins)
{
    const uint16_t x = ins->arg[0], y = ins->arg[1];
    const ash__ins *left = &b->ins[x], *right = &b->ins[y];
    if (x == y && left->op == ASH__OP_SUB && uses[x] == 2)
        fuse(ins, ASH__OP_SQDIFF, left->arg[0], left->arg[1], 0);
    else if (lone_product(b, uses, x))
        fuse(ins, ASH__OP_MULMUL, left->arg[0], left->arg[1], y);
    else if (lone_product(b, uses, y)) /* the order of two factors does not matter */
        fuse(ins, ASH__OP_MULMUL, right->arg[0], right->arg[1], x);
}

static void fuse_all(ash__builder *b, uint16_t *uses, int re, int im)
{
    for (int i = 0; i < b->count; i++)
        if (uses[i] && (b->ins[i].op == ASH__OP_ADD || b->ins[i].op == ASH__OP_SUB))
            fuse_sum(b, uses, &b->ins[i]);
    count_uses(b, re, im, uses);
    for (int i = b->count - 1; i >= 0; i--) /* users first: what they take is no longer fused itself */
        if (uses[i] && b->ins[i].op == ASH__OP_MUL)
            fuse_product(b, uses, &b->ins[i]);
}

/* Division by a constant that is not 0 cannot fault: the smallest number by -1 wraps. */
static bool can_fault(const ash__builder *b, const ash__ins *ins)
{
    if (!ash__op_faults((ash__op)ins->op))
        return false;
    const bool division = ins->op != ASH__OP_NARROW && ins->op != ASH__OP_IPOW;
    return !division || !ash__is_constant(b, ins->arg[1]) || b->ins[ins->arg[1]].constant.bits == 0;
}

static ash__program *new_program(const char *function, int count)
{
    ash__program *p = ash__alloc(function, (int64_t)sizeof(ash__program) + count * (int64_t)sizeof(ash__ins), 1);
    if (!p)
        return NULL;
    atomic_init(&p->refs, 1);
    p->copies = -1;
    p->count = count;
    p->ins = (ash__ins *)(void *)(p + 1);
    return p;
}

/* Copies the live instructions; uses[i] becomes the new number of i. */
static void compact(const ash__builder *b, uint16_t *uses, ash__program *p)
{
    int n = 0;
    for (int i = 0; i < b->count; i++) {
        if (!uses[i])
            continue;
        const ash__op op = (ash__op)b->ins[i].op;
        ash__ins *ins = &p->ins[n];
        *ins = b->ins[i];
        for (int k = 0; k < ash__op_arity(op); k++)
            ins->arg[k] = uses[ins->arg[k]];
        p->faults = p->faults || can_fault(b, &b->ins[i]);
        p->leaves = p->leaves || ash__op_faults(op) || ash__lowered_leaves(op);
        p->transcendental = p->transcendental || ash__op_costly(op);
        uses[i] = (uint16_t)n++;
    }
}

static ash__program *finish(ash__builder *b, ash_dtype dtype, int re, int im, uint16_t *uses)
{
    count_uses(b, re, im, uses);
    fuse_all(b, uses, re, im);
    count_uses(b, re, im, uses);
    int live = 0;
    for (int i = 0; i < b->count; i++)
        live += uses[i] != 0;
    if (live > ASH__PROGRAM_LIMIT) {
        ash__fail(ASH_ERR_ARGUMENT, b->function, "the function needs %d operations; at most %d are allowed", live,
                  (int)ASH__PROGRAM_LIMIT);
        return NULL;
    }
    ash__program *p = new_program(b->function, live);
    if (!p)
        return NULL;
    compact(b, uses, p);
    p->dtype = dtype;
    p->operands = b->operands;
    p->outputs = im >= 0 ? 2 : 1;
    p->output[0] = uses[re];
    p->output[1] = im >= 0 ? uses[im] : 0;
    return p;
}

static bool right_types(const ash__builder *b, ash_dtype dtype, int re, int im)
{
    const ash_dtype machine = ash__machine(ash__part(dtype));
    if (re < 0 || ash__type_of(b, re) != machine || (im >= 0) != ash__is_complex(dtype))
        return false;
    return im < 0 || ash__type_of(b, im) == machine;
}

ash__program *ash__builder_finish(ash__builder *b, ash_dtype dtype, int re, int im)
{
    if (!b)
        return NULL;
    ash__program *p = NULL;
    if (!b->failed && !right_types(b, dtype, re, im))
        ash__fail(ASH_ERR_INTERNAL, b->function, "a program's result is no %s", ash_dtype_name(dtype));
    else if (!b->failed) {
        uint16_t *uses = ash__alloc(b->function, b->count, sizeof *uses);
        p = uses ? finish(b, dtype, re, im, uses) : NULL;
        ash__free(uses);
    }
    ash__builder_free(b);
    return p;
}

ash__program *ash__program_copy(const char *function, ash_dtype dtype, int operands, int operand)
{
    ash__program *p = new_program(function, 0);
    if (!p)
        return NULL;
    p->dtype = dtype;
    p->operands = operands;
    p->copies = operand;
    p->outputs = ash__is_complex(dtype) ? 2 : 1;
    return p;
}
