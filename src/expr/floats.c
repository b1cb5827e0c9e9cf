/*
 * floats.c - C's mathematical functions: floats stay, integers become f64, complex numbers are split.
 */
#include "expr/complex.h"
#include "expr/compile.h"

/* The common float dtype of n operands, which they are brought to. */
static ash_dtype gather_floats(ash__compiler *c, const ash__fn *fn, int n, ash__value *v)
{
    const ash_dtype dtype = ash__float_dtype(c, fn, ash__gather(c, n, v));
    for (int k = 0; dtype && k < n; k++)
        v[k] = ash__settle(c, &v[k], dtype);
    return c->failed ? ASH_DTYPE_DEFAULT : dtype;
}

static ash__value complex_function(ash__compiler *c, const ash__fn *fn, int n, const ash__value *v, ash_dtype dtype)
{
    ash__pair result;
    if (n != 1 || !ash__complex_function(c->b, fn->op, v[0].part, &result))
        return ash__not_defined(c, fn, dtype);
    return ash__number(c, dtype, result.re, result.im);
}

ash__value ash__compile_float(ash__compiler *c, const ash__fn *fn, int n, ash__value *v)
{
    const ash_dtype dtype = gather_floats(c, fn, n, v);
    if (!dtype)
        return ash__no_value;
    if (ash__is_complex(dtype))
        return complex_function(c, fn, n, v, dtype);
    if (fn->op == ASH__OP_NEXTAFTER && ash__machine(dtype) != dtype)
        return ash__compile_fail(c, ASH_ERR_DTYPE, c->position,
                                 "nextafter is not defined for %s, which is computed in f32; cast with f32()",
                                 ash_dtype_name(dtype));
    const int x = v[0].part.re, y = n > 1 ? v[1].part.re : -1, z = n > 2 ? v[2].part.re : -1;
    return ash__number(c, dtype, ash__build_op(c->b, fn->op, x, y, z), -1);
}

ash__value ash__compile_rounding(ash__compiler *c, const ash__fn *fn, int n, ash__value *v)
{
    const ash_dtype dtype = ash__gather(c, n, v);
    if (!dtype)
        return ash__no_value;
    if (ash__is_complex(dtype))
        return ash__not_defined(c, fn, dtype);
    return ash__number(c, dtype, ash__is_float(dtype) ? ash__b1(c->b, fn->op, v[0].part.re) : v[0].part.re, -1);
}

/* The tests of an integer or bool x: always finite, never NaN, normal unless 0, signed when negative. */
static int test_integer(ash__builder *b, ash__op op, int x)
{
    const int zero = ash__binteger(b, ash__type_of(b, x), 0);
    switch (op) {
    case ASH__OP_ISFINITE:
        return ash__bbool(b, true);
    case ASH__OP_ISNORMAL:
        return ash__b2(b, ASH__OP_NE, x, zero);
    case ASH__OP_SIGNBIT:
        return ash__is_signed(ash__type_of(b, x)) ? ash__b2(b, ASH__OP_LT, x, zero) : ash__bbool(b, false);
    default:
        return ash__bbool(b, false);
    }
}

static int test_part(ash__builder *b, ash__op op, int x, ash_dtype dtype)
{
    if (!ash__is_float(dtype))
        return test_integer(b, op, x);
    if (op != ASH__OP_ISNORMAL || dtype != ASH_F16)
        return ash__b1(b, op, x);
    const int normal = ash__b2(b, ASH__OP_LE, ash__bfloat(b, ASH_F32, 0x1p-14), ash__b1(b, ASH__OP_ABS, x));
    return ash__b2(b, ASH__OP_AND, normal, ash__b1(b, ASH__OP_ISFINITE, x)); /* of f16, not of the f32 it is computed in */
}

ash__value ash__compile_test(ash__compiler *c, const ash__fn *fn, int n, ash__value *v)
{
    const ash_dtype dtype = ash__gather(c, n, v);
    if (!dtype)
        return ash__no_value;
    int x = test_part(c->b, fn->op, v[0].part.re, ash__part(dtype));
    if (v[0].part.im >= 0) {
        if (fn->op == ASH__OP_ISNORMAL || fn->op == ASH__OP_SIGNBIT)
            return ash__not_defined(c, fn, dtype);
        const int y = test_part(c->b, fn->op, v[0].part.im, ash__part(dtype));
        x = ash__b2(c->b, fn->op == ASH__OP_ISFINITE ? ASH__OP_AND : ASH__OP_OR, x, y);
    }
    return ash__number(c, ASH_BOOL, x, -1);
}

/* ldexp(x, n): the dtype of x; n, any real number, is cut to an integer. */
ash__value ash__compile_scaling(ash__compiler *c, const ash__fn *fn, int n, ash__value *v)
{
    const ash_dtype dtype = gather_floats(c, fn, 1, v);
    if (!dtype || n != 2)
        return ash__no_value;
    const ash_dtype machine = ash__machine(dtype);
    const ash__value exponent = v[1].kind == ASH__VALUE_LITERAL
                                    ? ash__settle(c, &v[1], v[1].literal.is_complex ? ASH_C_F64 : machine)
                                    : ash__settle(c, &v[1], machine);
    if (ash__is_complex(dtype) || exponent.part.im >= 0)
        return ash__not_defined(c, fn, ash__is_complex(dtype) ? dtype : exponent.dtype);
    return ash__number(c, dtype, ash__b2(c->b, fn->op, v[0].part.re, ash__build_convert(c->b, exponent.part.re, machine)), -1);
}

/* C's ilogb as i32: 0 and NaN give the smallest, infinities the largest. */
ash__value ash__compile_exponent(ash__compiler *c, const ash__fn *fn, int n, ash__value *v)
{
    const ash_dtype dtype = gather_floats(c, fn, n, v);
    if (!dtype)
        return ash__no_value;
    if (ash__is_complex(dtype))
        return ash__not_defined(c, fn, dtype);
    const int x = v[0].part.re;
    const int exponent = ash__build_convert(c->b, ash__b1(c->b, fn->op, x), ASH_I32);
    const int nan = ash__b1(c->b, ASH__OP_ISNAN, x);
    return ash__number(c, ASH_I32, ash__bselect(c->b, nan, ash__binteger(c->b, ASH_I32, INT32_MIN), exponent), -1);
}
