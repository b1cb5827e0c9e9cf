/*
 * compare.c - comparisons, which compare numbers, not dtypes.
 *
 * A signed and an unsigned integer meet in a type that holds both; i64 and u64 are compared through the sign. A literal is
 * compared as the number that was written, also where the other side's dtype cannot hold it: x < 300 holds for every u8.
 * Only a float literal beside a float takes its dtype first, so that x == 0.1 holds for the f32 that 0.1 becomes.
 */
#include <math.h>

#include "expr/compile.h"

typedef enum relation { EQ, NE, LT, LE, GT, GE } relation;

static relation mirrored(relation r)
{
    static const relation mirror[] = {EQ, NE, GT, GE, LT, LE};
    return mirror[r];
}

static int test(ash__builder *b, relation r, int x, int y)
{
    static const ash__op op[] = {ASH__OP_EQ, ASH__OP_NE, ASH__OP_LT, ASH__OP_LE, ASH__OP_LT, ASH__OP_LE};
    return r >= GT ? ash__b2(b, op[r], y, x) : ash__b2(b, op[r], x, y);
}

/* ---- with a literal */

/* x r l for every x of a type that ends below l. */
static int always_below(ash__builder *b, relation r) { return ash__bbool(b, r == NE || r == LT || r == LE); }
static int always_above(ash__builder *b, relation r) { return ash__bbool(b, r == NE || r == GT || r == GE); }

static int with_integer(ash__builder *b, relation r, int x, const ash__literal *l)
{
    const ash_dtype type = ash__type_of(b, x);
    ash__scalar value;
    if (ash__literal_fits(l, 0, type, &value))
        return test(b, r, x, ash__build_constant(b, type, value));
    return l->large || l->i[0] > 0 ? always_below(b, r) : always_above(b, r);
}

/* An integer beside 2.5: x < 2.5 is x <= 2, and no x equals it. */
static int integer_with_float(ash__builder *b, relation r, int x, double l)
{
    const double whole = floor(l);
    if (isnan(l))
        return ash__bbool(b, r == NE);
    if (l >= 0x1p64 || l < -0x1p63)
        return l > 0 ? always_below(b, r) : always_above(b, r);
    const ash__literal n = whole >= 0 ? ash__literal_integer((uint64_t)whole) : ash__literal_signed((int64_t)whole);
    if (whole == l)
        return with_integer(b, r, x, &n);
    if (r == EQ || r == NE)
        return ash__bbool(b, r == NE);
    return with_integer(b, r == LT || r == LE ? LE : GT, x, &n);
}

/* A float beside a literal that rounds to `value` in its type: off by nothing, or the relation is that to the neighbour. */
static int float_with(ash__builder *b, relation r, int x, double value, int literal_above)
{
    const int y = ash__bfloat(b, ash__type_of(b, x), value);
    if (literal_above == 0 || literal_above == 2)
        return test(b, r, x, y);
    if (r == EQ)
        return ash__bbool(b, false);
    if (r == NE)
        return ash__bbool(b, true);
    const bool below = r == LT || r == LE;
    if (literal_above > 0)
        return test(b, below ? LE : GT, x, y);
    return test(b, below ? LT : GE, x, y);
}

static int float_with_literal(ash__builder *b, relation r, int x, ash_dtype dtype, const ash__literal *l)
{
    ash__scalar value;
    const ash_dtype machine = ash__machine(dtype);
    const bool fits = ash__literal_fits(l, 0, dtype, &value);
    if (fits && l->is_float)
        return test(b, r, x, ash__build_constant(b, machine, value));
    ash__literal_fits(l, 0, machine, &value); /* infinite when even that is too small */
    const double rounded = ash__scalar_f64(machine, value);
    return float_with(b, r, x, rounded, ash__literal_compare(l, rounded));
}

static int part_with_literal(ash__compiler *c, relation r, int x, ash_dtype dtype, const ash__literal *l)
{
    if (ash__is_float(dtype))
        return float_with_literal(c->b, r, x, dtype, l);
    if (dtype == ASH_BOOL)
        x = ash__build_convert(c->b, x, ASH_I64);
    return l->is_float ? integer_with_float(c->b, r, x, l->f[0]) : with_integer(c->b, r, x, l);
}

/* ---- numbers */

static int negative(ash__builder *b, int s) { return ash__b2(b, ASH__OP_LT, s, ash__binteger(b, ASH_I64, 0)); }

/* s (i64) r u (u64): below when s is negative, else as u64. */
static int signed_unsigned(ash__builder *b, relation r, int s, int u)
{
    const int minus = negative(b, s), same = test(b, r, ash__build_convert(b, s, ASH_U64), u);
    if (r == NE || r == LT || r == LE)
        return ash__b2(b, ASH__OP_OR, minus, same);
    return ash__b2(b, ASH__OP_AND, ash__b1(b, ASH__OP_NOT, minus), same);
}

/* The signed type that holds a signed and an unsigned one, if there is one. */
static ash_dtype holding_both(ash_dtype s, ash_dtype u)
{
    if (ash_dtype_size(s) > ash_dtype_size(u))
        return s;
    return u == ASH_U8 ? ASH_I16 : u == ASH_U16 ? ASH_I32 : u == ASH_U32 ? ASH_I64 : ASH_DTYPE_DEFAULT;
}

static int compare_parts(ash__builder *b, relation r, int x, ash_dtype a, int y, ash_dtype z)
{
    ash_dtype common = ash_dtype_promote(a, z);
    if (ash__is_integer(a) && ash__is_integer(z) && ash__is_signed(a) != ash__is_signed(z)) {
        common = ash__is_signed(a) ? holding_both(a, z) : holding_both(z, a);
        if (!common && ash__is_signed(a))
            return signed_unsigned(b, r, ash__build_convert(b, x, ASH_I64), y);
        if (!common)
            return signed_unsigned(b, mirrored(r), ash__build_convert(b, y, ASH_I64), x);
    }
    const ash_dtype machine = ash__machine(common);
    return test(b, r, ash__build_convert(b, x, machine), ash__build_convert(b, y, machine));
}

/* ---- values */

static int joined(ash__builder *b, relation r, int re, int im)
{
    return im < 0 ? re : ash__b2(b, r == EQ ? ASH__OP_AND : ASH__OP_OR, re, im);
}

static int zero_like(ash__builder *b, int x) { return ash__binteger(b, ash__type_of(b, x), 0); }

/* The imaginary part of one against that of the other, either of which may be missing; -1 when both are. */
static int compare_imaginary(ash__builder *b, relation r, const ash__value *x, const ash__value *y)
{
    const int a = x->part.im, z = y->part.im;
    if (a < 0 && z < 0)
        return -1;
    if (z < 0)
        return test(b, r, a, zero_like(b, a));
    if (a < 0)
        return test(b, r, z, zero_like(b, z));
    return compare_parts(b, r, a, ash__part(x->dtype), z, ash__part(y->dtype));
}

static int number_with_literal(ash__compiler *c, relation r, const ash__value *x, const ash__literal *l)
{
    const ash_dtype part = ash__part(x->dtype);
    const int re = part_with_literal(c, r, x->part.re, part, l);
    if (!l->is_complex)
        return joined(c->b, r, re, x->part.im < 0 ? -1 : test(c->b, r, x->part.im, zero_like(c->b, x->part.im)));
    ash__literal im = *l;
    im.i[0] = l->i[1];
    im.f[0] = l->f[1];
    const int own = x->part.im >= 0 ? x->part.im : zero_like(c->b, x->part.re);
    return joined(c->b, r, re, part_with_literal(c, r, own, part, &im));
}

static bool is_complex(const ash__value *v)
{
    return v->kind == ASH__VALUE_LITERAL ? v->literal.is_complex : v->part.im >= 0;
}

static ash__value compare(ash__compiler *c, const ash__fn *fn, relation r, const ash__value *x, const ash__value *y);

static ash__value compare_choice(ash__compiler *c, const ash__fn *fn, relation r, const ash__value *x, const ash__value *y)
{
    const ash__choice choice = c->choice[y->index];
    const ash__value a = compare(c, fn, r, x, &choice.value[0]), b = compare(c, fn, r, x, &choice.value[1]);
    return c->failed ? ash__no_value : ash__choose(c, choice.condition, &a, &b);
}

/* x is a number; a literal or choice stands on the right. */
static ash__value compare(ash__compiler *c, const ash__fn *fn, relation r, const ash__value *x, const ash__value *y)
{
    if (ash__is_literal(x))
        return compare(c, fn, mirrored(r), y, x);
    if (y->kind == ASH__VALUE_CHOICE)
        return compare_choice(c, fn, r, x, y);
    if (r > NE && (is_complex(x) || is_complex(y)))
        return ash__not_ordered(c, fn);
    if (y->kind == ASH__VALUE_LITERAL)
        return ash__number(c, ASH_BOOL, number_with_literal(c, r, x, &y->literal), -1);
    const int re = compare_parts(c->b, r, x->part.re, ash__part(x->dtype), y->part.re, ash__part(y->dtype));
    return ash__number(c, ASH_BOOL, joined(c->b, r, re, compare_imaginary(c->b, r, x, y)), -1);
}

static relation relation_of(ash__op op)
{
    return op == ASH__OP_EQ ? EQ : op == ASH__OP_NE ? NE : op == ASH__OP_LT ? LT : LE;
}

ash__value ash__compile_comparison(ash__compiler *c, const ash__fn *fn, int n, ash__value *v)
{
    (void)n;
    return compare(c, fn, relation_of(fn->op), &v[0], &v[1]);
}

ash__value ash__compile_reversed(ash__compiler *c, const ash__fn *fn, int n, ash__value *v)
{
    (void)n;
    return compare(c, fn, mirrored(relation_of(fn->op)), &v[0], &v[1]);
}
