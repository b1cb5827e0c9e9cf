/*
 * logic.c - conditions, bit operations and shifts.
 */
#include "expr/compile.h"

ash__value ash__compile_logic(ash__compiler *c, const ash__fn *fn, int n, ash__value *v)
{
    (void)n;
    const int x = ash__truth(c, &v[0]), y = ash__truth(c, &v[1]);
    return ash__number(c, ASH_BOOL, ash__b2(c->b, fn->op, x, y), -1);
}

ash__value ash__compile_logic_not(ash__compiler *c, const ash__fn *fn, int n, ash__value *v)
{
    (void)n;
    return ash__number(c, ASH_BOOL, ash__b1(c->b, fn->op, ash__truth(c, &v[0])), -1);
}

ash__value ash__compile_choice(ash__compiler *c, const ash__fn *fn, int n, ash__value *v)
{
    (void)fn, (void)n;
    return ash__choose(c, ash__truth(c, &v[0]), &v[1], &v[2]);
}

static bool has_bits(ash__compiler *c, const ash__fn *fn, ash_dtype dtype)
{
    if (dtype == ASH_BOOL || ash__is_integer(dtype))
        return true;
    if (dtype)
        ash__compile_fail(c, ASH_ERR_DTYPE, c->position, "%s works on integers and bool, not on %s", fn->name,
                          ash_dtype_name(dtype));
    return false;
}

ash__value ash__compile_bits(ash__compiler *c, const ash__fn *fn, int n, ash__value *v)
{
    const ash_dtype dtype = ash__gather(c, n, v);
    if (!has_bits(c, fn, dtype))
        return ash__no_value;
    return ash__number(c, dtype, ash__b2(c->b, fn->op, v[0].part.re, v[1].part.re), -1);
}

ash__value ash__compile_bits_not(ash__compiler *c, const ash__fn *fn, int n, ash__value *v)
{
    const ash_dtype dtype = ash__gather(c, n, v);
    return has_bits(c, fn, dtype) ? ash__number(c, dtype, ash__b1(c->b, fn->op, v[0].part.re), -1) : ash__no_value;
}

/* ---- shifts: the dtype is that of the left side */

static ash_dtype unsigned_of(ash_dtype integer)
{
    return ash__is_signed(integer) ? (ash_dtype)(integer - ASH_I8 + ASH_U8) : integer;
}

/* A count of any integer type as one of `type` that shifts as far: counts are read as unsigned, and from the width on they
 * are all alike. */
static int shift_count(ash__builder *b, int count, ash_dtype type)
{
    ash_dtype own = ash__type_of(b, count);
    if (ash_dtype_size(own) > ash_dtype_size(type)) {
        own = unsigned_of(own);
        const int width = ash__binteger(b, own, 8 * (int64_t)ash_dtype_size(type));
        count = ash__b2(b, ASH__OP_MIN, ash__build_convert(b, count, own), width);
    }
    return ash__build_convert(b, count, type);
}

static ash__value literal_count(ash__compiler *c, const ash__value *v, ash_dtype type)
{
    const int64_t width = 8 * (int64_t)ash_dtype_size(type);
    ash__value count = *v;
    if (v->literal.is_float || v->literal.is_complex)
        return ash__compile_fail(c, ASH_ERR_DTYPE, v->position, "a shift count is an integer");
    if (!v->literal.large && v->literal.i[0] < 0)
        return ash__compile_fail(c, ASH_ERR_VALUE, v->position, "a shift count must not be negative");
    if (v->literal.large || v->literal.i[0] > width)
        count.literal = ash__literal_signed(width);
    return ash__settle(c, &count, type);
}

/* `1 << x`: a literal on the left takes the dtype of x. */
static ash_dtype left_dtype(ash__compiler *c, const ash__value *v)
{
    ash_dtype dtype = v[0].dtype;
    if (ash__is_literal(&v[0]))
        dtype = ash__settled_dtype(c, &v[0], ash__is_literal(&v[1]) ? ASH_DTYPE_DEFAULT : v[1].dtype);
    return dtype == ASH_BOOL ? ASH_I64 : dtype;
}

ash__value ash__compile_shift(ash__compiler *c, const ash__fn *fn, int n, ash__value *v)
{
    const ash_dtype dtype = left_dtype(c, v);
    if (!has_bits(c, fn, dtype))
        return ash__no_value;
    const ash__value x = ash__settle(c, &v[0], dtype);
    ash__value count = v[1].kind == ASH__VALUE_LITERAL ? literal_count(c, &v[1], dtype) : ash__alone(c, &v[1]);
    if (c->failed || n != 2)
        return ash__no_value;
    if (count.dtype == ASH_BOOL)
        count = ash__settle(c, &count, ASH_I64);
    if (!has_bits(c, fn, count.dtype))
        return ash__no_value;
    return ash__number(c, dtype, ash__b2(c->b, fn->op, x.part.re, shift_count(c->b, count.part.re, dtype)), -1);
}
