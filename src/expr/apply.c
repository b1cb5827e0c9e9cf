/*
 * apply.c - applying a function or operator to values: literals among themselves first, then the rule of its family.
 *
 * Literals alone are computed in i64 and f64 by building the operation on constants, which leaves a constant, which is a
 * literal again. Integer results that i64 would wrap are computed exactly, or refused.
 */
#include "expr/compile.h"

static ash__rule_of_family *const rules[] = {
    [ASH__ARITHMETIC] = ash__compile_arithmetic,
    [ASH__NEGATION] = ash__compile_negation,
    [ASH__QUOTIENT] = ash__compile_quotient,
    [ASH__POWER] = ash__compile_power,
    [ASH__POW] = ash__compile_pow,
    [ASH__DIVISION] = ash__compile_division,
    [ASH__EXTREME] = ash__compile_extreme,
    [ASH__CLAMP] = ash__compile_clamp,
    [ASH__COMPARISON] = ash__compile_comparison,
    [ASH__REVERSED] = ash__compile_reversed,
    [ASH__LOGIC] = ash__compile_logic,
    [ASH__LOGIC_NOT] = ash__compile_logic_not,
    [ASH__BITS] = ash__compile_bits,
    [ASH__BITS_NOT] = ash__compile_bits_not,
    [ASH__SHIFT] = ash__compile_shift,
    [ASH__CHOICE] = ash__compile_choice,
    [ASH__FLOAT] = ash__compile_float,
    [ASH__ROUNDING] = ash__compile_rounding,
    [ASH__TEST] = ash__compile_test,
    [ASH__ABSOLUTE] = ash__compile_absolute,
    [ASH__SIGN] = ash__compile_sign,
    [ASH__SQUARE] = ash__compile_square,
    [ASH__REAL] = ash__compile_real,
    [ASH__IMAGINARY] = ash__compile_imaginary,
    [ASH__CONJUGATE] = ash__compile_conjugate,
    [ASH__ARGUMENT] = ash__compile_argument,
    [ASH__COMPLEX] = ash__compile_complex,
    [ASH__SCALING] = ash__compile_scaling,
    [ASH__EXPONENT] = ash__compile_exponent,
};

int ash__guarded(ash__compiler *c, int divisor, int64_t harmless)
{
    if (c->failed || c->guard < 0 || ash__is_constant(c->b, divisor))
        return divisor;
    return ash__bselect(c->b, c->guard, divisor, ash__binteger(c->b, ash__type_of(c->b, divisor), harmless));
}

ash_dtype ash__float_dtype(ash__compiler *c, const ash__fn *fn, ash_dtype dtype)
{
    char what[64];
    const ash_dtype part = ash__part(dtype);
    if (!dtype || ash__is_float(part))
        return dtype;
    snprintf(what, sizeof what, "%s of integers", fn->name);
    if (!ash__allow_f64(c, c->position, what))
        return ASH_DTYPE_DEFAULT;
    return ash__is_complex(dtype) ? ASH_C_F64 : ASH_F64;
}

/* ---- literals among themselves */

/* A number that came out constant, as a literal; bool and what is not constant stay numbers. */
static ash__value back_to_literal(ash__compiler *c, const ash__value *v)
{
    const ash_dtype part = ash__part(v->dtype);
    const bool is_complex = v->part.im >= 0;
    if (c->failed || !ash__is_constant(c->b, v->part.re) || (is_complex && !ash__is_constant(c->b, v->part.im)))
        return *v;
    ash__literal l = {.is_float = part == ASH_F64, .is_complex = is_complex};
    if (part != ASH_F64 && part != ASH_I64 && part != ASH_U64)
        return *v;
    for (int k = 0; k < (is_complex ? 2 : 1); k++) {
        const ash__scalar x = c->b->ins[k ? v->part.im : v->part.re].constant;
        l.f[k] = l.is_float ? x.f64 : 0;
        l.i[k] = l.is_float ? 0 : x.i64;
    }
    l.large = part == ASH_U64 && l.i[0] < 0;
    return ash__literal_value(c, l);
}

/* Numbers that i64 does not hold take u64 together, if they can. */
static ash_dtype common_integer(const ash__value *v, int n)
{
    bool large = false;
    for (int k = 0; k < n; k++)
        large = large || v[k].literal.large;
    return large ? ASH_U64 : ASH_DTYPE_DEFAULT;
}

static ash__value fold_literals(ash__compiler *c, const ash__fn *fn, int n, ash__value *v)
{
    ash__literal exact;
    if (n <= 2)
        switch (ash__literal_exact(fn->op, &v[0].literal, n == 2 ? &v[1].literal : NULL, &exact)) {
        case ASH__EXACT_DONE:
            return ash__literal_value(c, exact);
        case ASH__EXACT_OVERFLOW:
            return ash__compile_fail(c, ASH_ERR_VALUE, c->position,
                                     "the number does not fit 64 bits; compute with floats, as in 2.0^64");
        case ASH__EXACT_NEGATIVE:
            if (fn->op == ASH__OP_SHL)
                return ash__compile_fail(c, ASH_ERR_VALUE, c->position, "a shift count must not be negative");
            return ash__compile_fail(c, ASH_ERR_VALUE, c->position,
                                     "an integer to a negative power; write a float, as in 2.0^-1");
        case ASH__EXACT_NO:
            break;
        }
    const bool compared = fn->family == ASH__COMPARISON || fn->family == ASH__REVERSED;
    const ash_dtype common = common_integer(v, n);
    const bool outer = c->folding;
    c->folding = true;
    const bool power = fn->family == ASH__POWER || fn->family == ASH__POW; /* its exponent may stay a literal */
    for (int k = 0; k < (power ? 1 : n); k++)
        v[k] = ash__settle(c, &v[k], ash__settled_dtype(c, &v[k], compared ? common_integer(&v[k], 1) : common));
    ash__value result = c->failed ? ash__no_value : rules[fn->family](c, fn, n, v);
    c->folding = outer;
    result = back_to_literal(c, &result);
    if (!c->failed && result.kind == ASH__VALUE_NUMBER && ash__part(result.dtype) == ASH_F64)
        ash__allow_f64(c, c->position, fn->name);
    return c->failed ? ash__no_value : result;
}

/* f(condition ? x : y) is condition ? f(x) : f(y): the first choice among the operands is taken apart. */
static ash__value distribute(ash__compiler *c, const ash__fn *fn, int n, ash__value *v, int which)
{
    enum { MOST = 3 };
    const ash__choice choice = c->choice[v[which].index];
    ash__value result[2];
    for (int side = 0; side < 2; side++) {
        ash__value w[MOST];
        for (int k = 0; k < n; k++)
            w[k] = k == which ? choice.value[side] : v[k];
        result[side] = ash__apply(c, fn, n, w);
        if (c->failed)
            return ash__no_value;
    }
    return ash__choose(c, choice.condition, &result[0], &result[1]);
}

/* Leaves of all operands together: what taking every choice apart would give. */
static bool distributable(const ash__compiler *c, int n, const ash__value *v)
{
    int leaves = 1;
    for (int k = 0; k < n && leaves <= ASH__LEAF_LIMIT; k++)
        leaves *= v[k].kind == ASH__VALUE_CHOICE ? c->choice[v[k].index].leaves : 1;
    return n <= 3 && leaves <= ASH__LEAF_LIMIT;
}

static ash__value apply_to_literals(ash__compiler *c, const ash__fn *fn, int n, ash__value *v)
{
    int which = -1;
    for (int k = 0; k < n && which < 0; k++)
        which = v[k].kind == ASH__VALUE_CHOICE ? k : -1;
    if (which < 0)
        return fold_literals(c, fn, n, v);
    if (distributable(c, n, v))
        return distribute(c, fn, n, v, which);
    for (int k = 0; k < n; k++)
        v[k] = ash__alone(c, &v[k]);
    return c->failed ? ash__no_value : rules[fn->family](c, fn, n, v);
}

/* ---- any values */

static bool check_number(ash__compiler *c, const ash__value *v)
{
    if (v->kind == ASH__VALUE_RECORD)
        ash__compile_fail(c, ASH_ERR_DTYPE, c->position, "no arithmetic on %s", ash_dtype_name(v->dtype));
    if (v->kind == ASH__VALUE_INNER)
        ash__compile_fail(c, ASH_ERR_DTYPE, v->position, "the field has %lld elements; take one, from [0] to [%lld]",
                          (long long)v->count, (long long)v->count - 1);
    return !c->failed && v->kind != ASH__VALUE_NONE;
}

ash__value ash__apply(ash__compiler *c, const ash__fn *fn, int n, ash__value *v)
{
    bool literals = n > 0;
    for (int k = 0; k < n; k++) {
        if (!check_number(c, &v[k]))
            return ash__no_value;
        literals = literals && ash__is_literal(&v[k]);
    }
    const bool by_truth = fn->family == ASH__LOGIC || fn->family == ASH__LOGIC_NOT || fn->family == ASH__CHOICE;
    return literals && !by_truth ? apply_to_literals(c, fn, n, v) : rules[fn->family](c, fn, n, v);
}

/* ---- casts */

static ash__value cast_number(ash__compiler *c, const ash__value *v, ash_dtype to)
{
    const ash__pair x = ash__cast(c->b, v->part, v->dtype, to);
    return ash__number(c, to, x.re, x.im);
}

/* A literal is cast as the i64 or f64 that it would be alone, on a device without f64 too; integers from 2^63 on as u64. */
static ash__value cast_literal(ash__compiler *c, const ash__value *v, ash_dtype to)
{
    const bool outer = c->folding;
    c->folding = true;
    const ash__value alone = ash__settle(c, v, ash__settled_dtype(c, v, v->literal.large ? ASH_U64 : ASH_DTYPE_DEFAULT));
    c->folding = outer;
    return c->failed ? ash__no_value : cast_number(c, &alone, to);
}

static ash__value cast_choice(ash__compiler *c, const ash__value *v, ash_dtype to)
{
    const ash__choice choice = c->choice[v->index];
    const ash__value x = ash__apply_cast(c, &choice.value[0], to), y = ash__apply_cast(c, &choice.value[1], to);
    return c->failed ? ash__no_value : ash__choose(c, choice.condition, &x, &y);
}

ash__value ash__apply_cast(ash__compiler *c, const ash__value *v, ash_dtype to)
{
    char what[32];
    if (!check_number(c, v))
        return ash__no_value;
    snprintf(what, sizeof what, "%s()", ash_dtype_name(to));
    if (ash__part(to) == ASH_F64 && !ash__allow_f64(c, c->position, what))
        return ash__no_value;
    if (v->kind == ASH__VALUE_CHOICE)
        return cast_choice(c, v, to);
    return v->kind == ASH__VALUE_LITERAL ? cast_literal(c, v, to) : cast_number(c, v, to);
}
