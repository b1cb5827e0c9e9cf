/*
 * arithmetic.c - + - * / and what is made of them: integer division, extremes, squares, parts of complex numbers.
 *
 * Integers stay what promotion makes them and wrap; bool counts as i64. Division of complex numbers is in complex.c.
 */
#include "expr/complex.h"
#include "expr/compile.h"

/* The common dtype of n values, in which bool has become i64. */
static ash_dtype gather_numbers(ash__compiler *c, int n, ash__value *v)
{
    const ash_dtype dtype = ash__gather(c, n, v);
    if (dtype != ASH_BOOL)
        return dtype;
    for (int k = 0; k < n; k++)
        v[k] = ash__settle(c, &v[k], ASH_I64);
    return ASH_I64;
}

/* A value of the given parts: complex if it has an imaginary one. */
static ash__value pair_value(const ash__compiler *c, ash_dtype dtype, ash__pair x)
{
    return ash__number(c, x.im < 0 ? ash__part(dtype) : dtype, x.re, x.im);
}

ash__value ash__compile_arithmetic(ash__compiler *c, const ash__fn *fn, int n, ash__value *v)
{
    const ash_dtype dtype = gather_numbers(c, n, v);
    if (!dtype)
        return ash__no_value;
    const ash__pair x = v[0].part, y = v[1].part;
    if (fn->op == ASH__OP_MUL)
        return pair_value(c, dtype, ash__complex_mul(c->b, x, y));
    return pair_value(c, dtype, fn->op == ASH__OP_ADD ? ash__complex_add(c->b, x, y) : ash__complex_sub(c->b, x, y));
}

ash__value ash__compile_negation(ash__compiler *c, const ash__fn *fn, int n, ash__value *v)
{
    (void)fn;
    const ash_dtype dtype = gather_numbers(c, n, v);
    return dtype ? pair_value(c, dtype, ash__complex_neg(c->b, v[0].part)) : ash__no_value;
}

ash__value ash__compile_quotient(ash__compiler *c, const ash__fn *fn, int n, ash__value *v)
{
    const ash_dtype dtype = ash__float_dtype(c, fn, ash__gather(c, n, v));
    if (!dtype)
        return ash__no_value;
    const ash__value x = ash__settle(c, &v[0], dtype), y = ash__settle(c, &v[1], dtype);
    return pair_value(c, dtype, ash__complex_div(c->b, x.part, y.part));
}

/* Floats: % and rem are C's fmod; div and fld round the quotient; mod has the sign of the divisor. */
static int divide_floats(ash__builder *b, ash__op op, int x, int y)
{
    switch (op) {
    case ASH__OP_IREM:
        return ash__b2(b, ASH__OP_FMOD, x, y);
    case ASH__OP_IMOD:
        return ash__b2(b, ASH__OP_FLDMOD, x, y);
    default:
        return ash__b1(b, op == ASH__OP_IDIV ? ASH__OP_TRUNC : ASH__OP_FLOOR, ash__b2(b, ASH__OP_DIV, x, y));
    }
}

ash__value ash__compile_division(ash__compiler *c, const ash__fn *fn, int n, ash__value *v)
{
    const ash_dtype dtype = gather_numbers(c, n, v);
    if (!dtype)
        return ash__no_value;
    if (ash__is_complex(dtype))
        return ash__not_defined(c, fn, dtype);
    const int x = v[0].part.re, y = v[1].part.re;
    if (ash__is_float(dtype))
        return ash__number(c, dtype, divide_floats(c->b, fn->op, x, y), -1);
    if (c->folding && ash__is_constant(c->b, y) && c->b->ins[y].constant.bits == 0)
        return ash__compile_fail(c, ASH_ERR_VALUE, c->position, "division by zero");
    return ash__number(c, dtype, ash__b2(c->b, fn->op, x, ash__guarded(c, y, 1)), -1);
}

ash__value ash__compile_extreme(ash__compiler *c, const ash__fn *fn, int n, ash__value *v)
{
    const ash_dtype dtype = ash__gather(c, n, v);
    if (!dtype)
        return ash__no_value;
    if (ash__is_complex(dtype))
        return ash__not_ordered(c, fn);
    int x = v[0].part.re;
    for (int k = 1; k < n; k++)
        x = ash__b2(c->b, fn->op, x, v[k].part.re);
    return ash__number(c, dtype, x, -1);
}

ash__value ash__compile_clamp(ash__compiler *c, const ash__fn *fn, int n, ash__value *v)
{
    const ash_dtype dtype = ash__gather(c, n, v);
    if (!dtype)
        return ash__no_value;
    if (ash__is_complex(dtype))
        return ash__not_ordered(c, fn);
    const int above = ash__b2(c->b, ASH__OP_MAX, v[0].part.re, v[1].part.re);
    return ash__number(c, dtype, ash__b2(c->b, ASH__OP_MIN, above, v[2].part.re), -1);
}

/* ---- absolute values and signs */

ash__value ash__compile_absolute(ash__compiler *c, const ash__fn *fn, int n, ash__value *v)
{
    ash_dtype dtype = gather_numbers(c, n, v);
    if (!dtype)
        return ash__no_value;
    if (!ash__is_complex(dtype))
        return ash__number(c, dtype, ash__b1(c->b, ASH__OP_ABS, v[0].part.re), -1);
    dtype = ash__float_dtype(c, fn, dtype);
    if (!dtype)
        return ash__no_value;
    const ash__value x = ash__settle(c, &v[0], dtype);
    return ash__number(c, ash__part(dtype), ash__b2(c->b, ASH__OP_HYPOT, x.part.re, x.part.im), -1);
}

ash__value ash__compile_sign(ash__compiler *c, const ash__fn *fn, int n, ash__value *v)
{
    const ash_dtype dtype = gather_numbers(c, n, v);
    if (!dtype)
        return ash__no_value;
    if (ash__is_complex(dtype))
        return ash__not_defined(c, fn, dtype);
    return ash__number(c, dtype, ash__b1(c->b, ASH__OP_SIGN, v[0].part.re), -1);
}

ash__value ash__compile_square(ash__compiler *c, const ash__fn *fn, int n, ash__value *v)
{
    const ash_dtype dtype = gather_numbers(c, n, v);
    if (!dtype)
        return ash__no_value;
    int sum = ash__b2(c->b, fn->op, v[0].part.re, v[0].part.re);
    if (v[0].part.im >= 0)
        sum = ash__b2(c->b, ASH__OP_ADD, sum, ash__b2(c->b, fn->op, v[0].part.im, v[0].part.im));
    return ash__number(c, ash__part(dtype), sum, -1);
}

/* ---- complex numbers and their parts */

ash__value ash__compile_real(ash__compiler *c, const ash__fn *fn, int n, ash__value *v)
{
    (void)fn, (void)n;
    return ash__number(c, ash__part(v[0].dtype), v[0].part.re, -1);
}

ash__value ash__compile_imaginary(ash__compiler *c, const ash__fn *fn, int n, ash__value *v)
{
    (void)fn, (void)n;
    const ash_dtype part = ash__part(v[0].dtype);
    return ash__number(c, part, v[0].part.im >= 0 ? v[0].part.im : ash__binteger(c->b, ash__machine(part), 0), -1);
}

ash__value ash__compile_conjugate(ash__compiler *c, const ash__fn *fn, int n, ash__value *v)
{
    (void)fn, (void)n;
    ash__pair x = v[0].part;
    if (x.im >= 0)
        x.im = ash__b1(c->b, ASH__OP_NEG, x.im);
    return pair_value(c, v[0].dtype, x);
}

ash__value ash__compile_argument(ash__compiler *c, const ash__fn *fn, int n, ash__value *v)
{
    const ash_dtype dtype = ash__float_dtype(c, fn, ash__gather(c, n, v));
    if (!dtype)
        return ash__no_value;
    const ash__value x = ash__settle(c, &v[0], dtype);
    const int im = x.part.im >= 0 ? x.part.im : ash__bfloat(c->b, ash__machine(dtype), 0);
    return ash__number(c, ash__part(dtype), ash__b2(c->b, fn->op, im, x.part.re), -1);
}

ash__value ash__compile_complex(ash__compiler *c, const ash__fn *fn, int n, ash__value *v)
{
    const ash_dtype dtype = gather_numbers(c, n, v);
    if (!dtype)
        return ash__no_value;
    if (ash__is_complex(dtype))
        return ash__not_defined(c, fn, dtype);
    return ash__number(c, ash__complex_of(dtype), v[0].part.re, v[1].part.re);
}
