/*
 * power.c - x^y and pow(x, y).
 *
 * Small integer exponents that are written down become products: x^2, x^3 and x^4 have one or two roundings more than the
 * exact power (at most 1.5 units in the last place for x^4), x^-1 is 1/x. Other exponents of floats go to POW, which is more
 * accurate than a longer chain of products. Integers are raised by squaring, which is exact modulo 2^width.
 */
#include <math.h>

#include "expr/complex.h"
#include "expr/compile.h"

enum { PRODUCTS = 4, COMPLEX_PRODUCTS = 64 }; /* largest exponents that are multiplied out */

static ash__pair constant(ash__builder *b, ash_dtype machine, int64_t x)
{
    return (ash__pair){ash__binteger(b, machine, x), -1};
}

/* x^n by squaring, n >= 0. */
static ash__pair multiplied(ash__builder *b, ash__pair x, uint64_t n)
{
    ash__pair result = {-1, -1};
    if (n == 0)
        return constant(b, ash__type_of(b, x.re), 1);
    for (; n; n >>= 1) {
        if (n & 1)
            result = result.re < 0 ? x : ash__complex_mul(b, result, x);
        if (n > 1)
            x = ash__complex_mul(b, x, x);
    }
    return result;
}

/* ---- exponents that are literals */

/* An integer-valued literal exponent; false for all others. */
static bool whole_exponent(const ash__value *v, int64_t *n)
{
    if (v->kind != ASH__VALUE_LITERAL || v->literal.is_complex || v->literal.large)
        return false;
    *n = v->literal.is_float ? 0 : v->literal.i[0];
    if (!v->literal.is_float)
        return true;
    const double f = v->literal.f[0];
    if (!(fabs(f) <= COMPLEX_PRODUCTS) || f != floor(f))
        return false;
    *n = (int64_t)f;
    return true;
}

static ash__value integer_power(ash__compiler *c, const ash__value *x, int64_t n)
{
    const ash__value base = x->dtype == ASH_BOOL ? ash__settle(c, x, ASH_I64) : *x;
    if (n < 0)
        return ash__compile_fail(c, ASH_ERR_DTYPE, c->position,
                                 "an integer to a negative power is no integer; cast it, as in f32(x)^%lld", (long long)n);
    const ash__pair p = multiplied(c->b, base.part, (uint64_t)n);
    if (base.part.im >= 0 && p.im < 0)
        return ash__number(c, base.dtype, p.re, ash__binteger(c->b, ash__type_of(c->b, p.re), 0));
    return ash__number(c, base.dtype, p.re, p.im);
}

/* A float to a small whole power; false when POW is to do it. */
static bool float_power(ash__compiler *c, const ash__value *x, int64_t n, ash__value *result)
{
    ash__builder *b = c->b;
    const bool is_complex = x->part.im >= 0;
    const int64_t most = is_complex ? COMPLEX_PRODUCTS : PRODUCTS;
    if (n > most || n < (is_complex ? -most : -1))
        return false;
    const ash_dtype machine = ash__type_of(b, x->part.re);
    ash__pair p = multiplied(b, x->part, (uint64_t)(n < 0 ? -n : n));
    if (n < 0)
        p = ash__complex_div(b, constant(b, machine, 1), p);
    if (is_complex && p.im < 0)
        p.im = ash__bfloat(b, machine, 0);
    *result = ash__number(c, x->dtype, p.re, p.im);
    return true;
}

/* ---- bases that are literals: 2^x is exp2(x), and e^x is exp(x), not a power of the rounded e */

static ash__op base_op(const ash__value *v)
{
    if (v->kind != ASH__VALUE_LITERAL || v->literal.is_complex)
        return ASH__OP_NONE;
    const double base = ash__literal_part(&v->literal, 0);
    return base == 2 ? ASH__OP_EXP2 : base == 0x1.5bf0a8b145769p+1 ? ASH__OP_EXP : ASH__OP_NONE;
}

/* ---- exponents of any kind */

static ash__value complex_power(ash__compiler *c, ash_dtype dtype, const ash__value *v)
{
    const ash__pair p = ash__complex_pow(c->b, v[0].part, v[1].part);
    return ash__number(c, dtype, p.re, p.im);
}

static ash__value general_power(ash__compiler *c, const ash__fn *fn, ash__value *v, bool floats_only)
{
    const ash__op of_base = base_op(&v[0]);
    ash_dtype dtype = ash__gather(c, 2, v);
    if (dtype == ASH_BOOL)
        dtype = ASH_I64;
    if (floats_only || ash__is_complex(dtype))
        dtype = ash__float_dtype(c, fn, dtype);
    for (int k = 0; dtype && k < 2; k++)
        v[k] = ash__settle(c, &v[k], dtype);
    if (!dtype || c->failed)
        return ash__no_value;
    if (ash__is_complex(dtype))
        return complex_power(c, dtype, v);
    const int x = v[0].part.re, y = v[1].part.re;
    if (ash__is_integer(dtype))
        return ash__number(c, dtype, ash__b2(c->b, ASH__OP_IPOW, x, ash__guarded(c, y, 0)), -1);
    if (of_base != ASH__OP_NONE && !c->folding)
        return ash__number(c, dtype, ash__b1(c->b, of_base, y), -1);
    return ash__number(c, dtype, ash__b2(c->b, ASH__OP_POW, x, y), -1);
}

/* x^n for a literal n: false when it is like any other exponent. */
static bool literal_power(ash__compiler *c, const ash__fn *fn, ash__value *v, bool floats_only, ash__value *result)
{
    int64_t n;
    if (v[0].kind != ASH__VALUE_NUMBER || !whole_exponent(&v[1], &n))
        return false;
    ash__value x = v[0];
    const bool is_float = ash__is_float(ash__part(x.dtype));
    if (!is_float && !floats_only && !v[1].literal.is_float) {
        *result = integer_power(c, &x, n);
        return true;
    }
    if (!is_float) {
        const ash_dtype dtype = ash__float_dtype(c, fn, x.dtype);
        if (!dtype) {
            *result = ash__no_value;
            return true;
        }
        x = ash__settle(c, &x, dtype);
    }
    return float_power(c, &x, n, result);
}

ash__value ash__compile_power(ash__compiler *c, const ash__fn *fn, int n, ash__value *v)
{
    (void)n;
    ash__value result;
    return literal_power(c, fn, v, false, &result) ? result : general_power(c, fn, v, false);
}

ash__value ash__compile_pow(ash__compiler *c, const ash__fn *fn, int n, ash__value *v)
{
    (void)n;
    ash__value result;
    return literal_power(c, fn, v, true, &result) ? result : general_power(c, fn, v, true);
}
