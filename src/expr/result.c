/*
 * result.c - what a function gives, as it is stored.
 *
 * Three rules: the function's own dtype; into an array, where a lower kind (complex to float to integer) needs a cast that the
 * user writes, a narrower integer or bool is checked element by element, and all else is converted with one rounding; or as
 * a cast. A result that is an operand's elements as they lie in memory becomes a copy.
 */
#include "expr/compile.h"

/* bool is the narrowest integer: 0 and 1 fit it */
static int level_of(ash_dtype dtype)
{
    return dtype == ASH_BOOL || ash__is_integer(dtype) ? 1 : ash__is_float(dtype) ? 2 : 3;
}

/* Is `to` of a lower kind, itself or in its parts? */
static bool loses_kind(ash_dtype from, ash_dtype to)
{
    return (ash__is_complex(from) && !ash__is_complex(to)) || level_of(ash__part(from)) > level_of(ash__part(to));
}

static ash__value needs_cast(ash__compiler *c, const ash__value *v, ash_dtype from)
{
    return ash__compile_fail(c, ASH_ERR_DTYPE, v->position, "the result is %s and out is %s; cast in the function: %s(...)",
                             ash_dtype_name(from), ash_dtype_name(c->target->dtype), ash_dtype_name(c->target->dtype));
}

/* Does integer or bool `to` hold every value of `from`? */
static bool holds(ash_dtype to, ash_dtype from)
{
    if (from == ASH_BOOL || to == from)
        return true;
    if (to == ASH_BOOL)
        return false;
    const size_t t = ash_dtype_size(to), f = ash_dtype_size(from);
    return ash__is_signed(to) == ash__is_signed(from) ? t >= f : ash__is_signed(to) && t > f;
}

static int store_part(ash__builder *b, int x, ash_dtype from, ash_dtype to)
{
    const bool whole = !ash__is_float(from) && !ash__is_float(to);
    if (whole && !holds(to, from))
        return ash__build_narrow(b, x, to);
    /* stored from f32, f16 and bf16 are rounded by the store itself; anything else is rounded here, once */
    if (ash__machine(to) != to && ash__is_float(from) && ash__machine(from) == ASH_F32)
        return x;
    return ash__cast_part(b, x, from, to);
}

static ash__value store_number(ash__compiler *c, const ash__value *v, ash_dtype to)
{
    const ash_dtype part = ash__part(to), from = ash__part(v->dtype);
    if (loses_kind(v->dtype, to))
        return needs_cast(c, v, v->dtype);
    ash__value result = ash__number(c, to, store_part(c->b, v->part.re, from, part), -1);
    if (ash__is_complex(to))
        result.part.im =
            v->part.im >= 0 ? store_part(c->b, v->part.im, from, part) : ash__binteger(c->b, ash__machine(part), 0);
    return result;
}

/* Literals take the dtype they are stored as, so that no f64 arises on the way; a choice does so in both branches. */
static ash__value store_literal(ash__compiler *c, const ash__value *v, ash_dtype to)
{
    if (v->kind == ASH__VALUE_CHOICE) {
        const ash__choice choice = c->choice[v->index];
        const ash__value x = store_literal(c, &choice.value[0], to), y = store_literal(c, &choice.value[1], to);
        return c->failed ? ash__no_value : ash__choose(c, choice.condition, &x, &y);
    }
    const ash_dtype alone = ash__literal_dtype(&v->literal, ASH_DTYPE_DEFAULT);
    const bool truth =
        to == ASH_BOOL && alone == ASH_I64 && !v->literal.large && (v->literal.i[0] == 0 || v->literal.i[0] == 1);
    if (loses_kind(alone, to) && !(to == ASH_BOOL && alone == ASH_I64))
        return needs_cast(c, v, alone);
    if (truth)
        return ash__number(c, ASH_BOOL, ash__bbool(c->b, v->literal.i[0] == 1), -1);
    ash__value x = ash__settle(c, v, ash__is_complex(alone) ? to : ash__part(to));
    return c->failed ? ash__no_value : store_number(c, &x, to);
}

static ash__value stored(ash__compiler *c, const ash__value *v)
{
    const ash_dtype to = c->target->dtype;
    switch (c->target->rule) {
    case ASH__RULE_INTO:
        return ash__is_literal(v) ? store_literal(c, v, to) : store_number(c, v, to);
    case ASH__RULE_CAST:
        return ash__apply_cast(c, v, to);
    default:
        return ash__alone(c, v);
    }
}

/* A record, or an inner array: only the operand as a whole can be a result, and only as what it is. */
static ash__program *store_record(ash__compiler *c, const ash__value *v)
{
    const ash__target *t = c->target;
    if (v->kind == ASH__VALUE_INNER)
        ash__compile_fail(c, ASH_ERR_DTYPE, v->position, "the field has %lld elements; take one, from [0] to [%lld]",
                          (long long)v->count, (long long)v->count - 1);
    else if (v->dtype != c->argument[v->index].dtype)
        ash__compile_fail(c, ASH_ERR_DTYPE, v->position, "the result is a record inside a record, %s; take a field of it",
                          ash_dtype_name(v->dtype));
    else if (t->rule != ASH__RULE_NATURAL && t->dtype != v->dtype)
        ash__compile_fail(c, ASH_ERR_DTYPE, v->position, "the result is %s and out is %s", ash_dtype_name(v->dtype),
                          ash_dtype_name(t->dtype));
    const bool failed = c->failed;
    const int operands = c->b->operands;
    ash__builder_free(c->b);
    c->b = NULL;
    return failed ? NULL : ash__program_copy(c->function, v->dtype, operands, v->index);
}

/* The operand whose elements these parts are, as they lie in memory; -1. */
static int copied_operand(const ash__compiler *c, const ash__value *v)
{
    const ash_dtype part = ash__part(v->dtype);
    const ash__ins *re = &c->b->ins[v->part.re];
    if (re->op != ASH__OP_LOAD || re->from != part || re->offset != 0 || c->argument[re->arg[0]].dtype != v->dtype)
        return -1;
    if (v->part.im < 0)
        return re->arg[0];
    const ash__ins *im = &c->b->ins[v->part.im];
    const bool next =
        im->op == ASH__OP_LOAD && im->from == part && im->arg[0] == re->arg[0] && im->offset == ash_dtype_size(part);
    return next ? re->arg[0] : -1;
}

ash__program *ash__compile_result(ash__compiler *c, const ash__value *v)
{
    if (!c->failed && (v->kind == ASH__VALUE_RECORD || v->kind == ASH__VALUE_INNER))
        return store_record(c, v);
    const ash_dtype to = c->target->dtype;
    if (!c->failed && c->target->rule != ASH__RULE_NATURAL && !ash__is_real(to) && !ash__is_complex(to))
        ash__compile_fail(c, ASH_ERR_DTYPE, v->position, "the result is a number and out is %s", ash_dtype_name(to));
    ash__value result = c->failed ? ash__no_value : stored(c, v);
    if (!c->failed && c->target->conjugated && result.part.im >= 0)
        result.part.im = ash__b1(c->b, ASH__OP_NEG, result.part.im);

    ash__builder *b = c->b;
    c->b = NULL;
    if (c->failed || b->failed) {
        ash__builder_free(b);
        return NULL;
    }
    c->b = b;
    const int operand = copied_operand(c, &result);
    c->b = NULL;
    if (operand < 0)
        return ash__builder_finish(b, result.dtype, result.part.re, result.part.im);
    const int operands = b->operands;
    ash__builder_free(b);
    return ash__program_copy(c->function, result.dtype, operands, operand);
}
