/*
 * simplify.c - simpler instructions for the same value, bit for bit.
 *
 * x + 0.0 stays (it turns -0.0 into 0.0), x - 0.0 does not; division by a constant stays a division unless the constant is
 * a power of two, whose reciprocal is exact. The payload and the sign of a NaN may change.
 */
#include "expr/builder.h"

#include <float.h>
#include <math.h>

static const ash__ins *at(const ash__builder *b, int value) { return &b->ins[value]; }
static ash__op op_of(const ash__builder *b, int value) { return (ash__op)b->ins[value].op; }
static bool is_float(const ash__ins *i) { return ash__is_float((ash_dtype)i->from); }

static bool is_number(const ash__builder *b, int value, double x)
{
    return ash__is_constant(b, value) && ash__constant_f64(b, value) == x;
}

static bool is_zero(const ash__builder *b, int value, bool negative)
{
    return is_number(b, value, 0) && (signbit(ash__constant_f64(b, value)) != 0) == negative;
}

/* All bits of the type set: true, or -1. */
static bool is_ones(const ash__builder *b, int value)
{
    const ash_dtype type = ash__type_of(b, value);
    return ash__is_constant(b, value) &&
           at(b, value)->constant.bits == ash__scalar_from_i64(type, type == ASH_BOOL ? 1 : -1).bits;
}

/* k when value is the constant 2^k of an integer type, else -1. */
static int log2_of(const ash__builder *b, int value)
{
    if (!ash__is_constant(b, value))
        return -1;
    const ash_dtype type = ash__type_of(b, value);
    const int64_t x = ash__scalar_i64(type, at(b, value)->constant);
    if (x == 0 || ((uint64_t)x & ((uint64_t)x - 1)) != 0 || (ash__is_signed(type) && x < 0))
        return -1;
    int k = 0;
    while ((uint64_t)x >> k != 1)
        k++;
    return k;
}

static int zero_of(ash__builder *b, const ash__ins *i) { return ash__binteger(b, (ash_dtype)i->type, 0); }

/* Operands of commutative operations: constants last, else in order of their numbers, so that a+b and b+a are one value. */
static void order(const ash__builder *b, ash__ins *i)
{
    const uint16_t x = i->arg[0], y = i->arg[1];
    const bool cx = ash__is_constant(b, x), cy = ash__is_constant(b, y);
    if (cx != cy ? cx : x > y) {
        i->arg[0] = y;
        i->arg[1] = x;
    }
}

static int simplify_add(ash__builder *b, ash__ins *i)
{
    order(b, i);
    const int x = i->arg[0], y = i->arg[1];
    if (is_zero(b, y, is_float(i)))
        return x;
    if (op_of(b, y) == ASH__OP_NEG)
        return ash__b2(b, ASH__OP_SUB, x, at(b, y)->arg[0]);
    return op_of(b, x) == ASH__OP_NEG ? ash__b2(b, ASH__OP_SUB, y, at(b, x)->arg[0]) : -1;
}

static int simplify_sub(ash__builder *b, const ash__ins *i)
{
    const int x = i->arg[0], y = i->arg[1];
    if (is_zero(b, y, false))
        return x;
    if (!is_float(i) && x == y)
        return zero_of(b, i);
    if (!is_float(i) && is_number(b, x, 0))
        return ash__b1(b, ASH__OP_NEG, y);
    return op_of(b, y) == ASH__OP_NEG ? ash__b2(b, ASH__OP_ADD, x, at(b, y)->arg[0]) : -1;
}

static int simplify_mul(ash__builder *b, ash__ins *i)
{
    order(b, i);
    const int x = i->arg[0], y = i->arg[1];
    if (is_number(b, y, 1))
        return x;
    if (!is_float(i) && is_number(b, y, 0))
        return y;
    if (is_number(b, y, -1))
        return ash__b1(b, ASH__OP_NEG, x);
    const bool left = op_of(b, x) == ASH__OP_NEG, right = op_of(b, y) == ASH__OP_NEG; /* signs move outwards, into constants */
    if (left && ash__is_constant(b, y))
        return ash__b2(b, ASH__OP_MUL, at(b, x)->arg[0], ash__b1(b, ASH__OP_NEG, y));
    if (!left && !right)
        return -1;
    const int product = ash__b2(b, ASH__OP_MUL, left ? at(b, x)->arg[0] : x, right ? at(b, y)->arg[0] : y);
    return left && right ? product : ash__b1(b, ASH__OP_NEG, product);
}

/* 1/y for a power of two y such that both are normal numbers; 0 otherwise. */
static double exact_reciprocal(ash_dtype type, double y)
{
    int exponent;
    const int limit = type == ASH_F32 ? FLT_MAX_EXP - 2 : DBL_MAX_EXP - 2;
    if (!isfinite(y) || fabs(frexp(y, &exponent)) != 0.5)
        return 0;
    return exponent > -limit && exponent < limit ? 1 / y : 0;
}

static int simplify_div(ash__builder *b, const ash__ins *i)
{
    const int x = i->arg[0], y = i->arg[1];
    if (!ash__is_constant(b, y))
        return -1;
    const double r = exact_reciprocal((ash_dtype)i->type, ash__constant_f64(b, y));
    return r != 0 ? ash__b2(b, ASH__OP_MUL, x, ash__bfloat(b, (ash_dtype)i->type, r)) : -1;
}

static int simplify_integer_division(ash__builder *b, const ash__ins *i)
{
    const ash__op op = (ash__op)i->op;
    const ash_dtype type = (ash_dtype)i->type;
    const int x = i->arg[0], k = log2_of(b, i->arg[1]);
    const bool floored = op == ASH__OP_IFLD || op == ASH__OP_IMOD || !ash__is_signed(type);
    if (k < 0 || (!floored && k > 0))
        return -1;
    if (op == ASH__OP_IDIV || op == ASH__OP_IFLD)
        return ash__b2(b, ASH__OP_SHR, x, ash__binteger(b, type, k));
    return ash__b2(b, ASH__OP_AND, x, ash__binteger(b, type, (int64_t)(((uint64_t)1 << k) - 1)));
}

static int simplify_unary(ash__builder *b, const ash__ins *i)
{
    const int x = i->arg[0];
    const ash__op inner = op_of(b, x);
    switch ((ash__op)i->op) {
    case ASH__OP_NEG:
        return inner == ASH__OP_NEG ? at(b, x)->arg[0] : -1;
    case ASH__OP_ABS:
        if (ash__is_integer((ash_dtype)i->type) && !ash__is_signed((ash_dtype)i->type))
            return x;
        return inner == ASH__OP_ABS ? x : inner == ASH__OP_NEG ? ash__b1(b, ASH__OP_ABS, at(b, x)->arg[0]) : -1;
    default: /* rounding what has been rounded to an integer */
        return inner >= ASH__OP_FLOOR && inner <= ASH__OP_RINT ? x : -1;
    }
}

static int simplify_not(ash__builder *b, const ash__ins *i)
{
    const ash__ins *inner = at(b, i->arg[0]);
    const int x = inner->arg[0], y = inner->arg[1];
    switch ((ash__op)inner->op) {
    case ASH__OP_NOT:
        return x;
    case ASH__OP_EQ:
        return ash__b2(b, ASH__OP_NE, x, y);
    case ASH__OP_NE:
        return ash__b2(b, ASH__OP_EQ, x, y);
    case ASH__OP_LT: /* not of floats: a NaN makes both false */
        return is_float(inner) ? -1 : ash__b2(b, ASH__OP_LE, y, x);
    case ASH__OP_LE:
        return is_float(inner) ? -1 : ash__b2(b, ASH__OP_LT, y, x);
    default:
        return -1;
    }
}

static int simplify_bits(ash__builder *b, ash__ins *i)
{
    order(b, i);
    const int x = i->arg[0], y = i->arg[1];
    const bool zero = is_number(b, y, 0), ones = is_ones(b, y);
    switch ((ash__op)i->op) {
    case ASH__OP_AND:
        return x == y || ones ? x : zero ? y : -1;
    case ASH__OP_OR:
        return x == y || zero ? x : ones ? y : -1;
    default:
        return x == y ? zero_of(b, i) : zero ? x : ones ? ash__b1(b, ASH__OP_NOT, x) : -1;
    }
}

static int simplify_compare(ash__builder *b, ash__ins *i)
{
    const bool equality = i->op == ASH__OP_EQ || i->op == ASH__OP_NE;
    if (equality)
        order(b, i);
    const int x = i->arg[0], y = i->arg[1];
    if (x == y && !is_float(i))
        return ash__bbool(b, i->op == ASH__OP_EQ || i->op == ASH__OP_LE);
    if (!equality || i->from != ASH_BOOL || !ash__is_constant(b, y))
        return -1;
    return at(b, y)->constant.b == (i->op == ASH__OP_EQ) ? x : ash__b1(b, ASH__OP_NOT, x);
}

static int simplify_select(ash__builder *b, const ash__ins *i)
{
    const int c = i->arg[0], x = i->arg[1], y = i->arg[2];
    if (x == y)
        return x;
    if (ash__is_constant(b, c))
        return at(b, c)->constant.b ? x : y;
    if (i->type == ASH_BOOL && ash__is_constant(b, x) && ash__is_constant(b, y))
        return at(b, x)->constant.b ? c : ash__b1(b, ASH__OP_NOT, c);
    return op_of(b, c) == ASH__OP_NOT ? ash__bselect(b, at(b, c)->arg[0], y, x) : -1;
}

/* Does every value of `from` have an equal in `to`? */
static bool lossless(ash_dtype from, ash_dtype to)
{
    const size_t f = ash_dtype_size(from), t = ash_dtype_size(to);
    if (from == ASH_BOOL || to == ASH_BOOL)
        return from == ASH_BOOL;
    if (ash__is_float(from))
        return ash__is_float(to) && t >= f;
    if (ash__is_float(to))
        return t == 8 ? f <= 4 : f <= 2;
    return ash__is_signed(from) ? ash__is_signed(to) && t >= f : ash__is_signed(to) ? t > f : t >= f;
}

/* A conversion of a conversion that lost nothing. Not integer, float, integer: the second one saturates, a direct one wraps. */
static int simplify_convert(ash__builder *b, ash__ins *i)
{
    const ash__ins *inner = at(b, i->arg[0]);
    if (inner->op != ASH__OP_CONVERT)
        return -1;
    const ash_dtype from = (ash_dtype)inner->from, via = (ash_dtype)i->from, to = (ash_dtype)i->type;
    if (!lossless(from, via) || (!ash__is_float(from) && ash__is_float(via) && ash__is_integer(to)))
        return -1;
    return ash__build_convert(b, inner->arg[0], to);
}

/* What is a value of the narrow dtype already. */
static int simplify_round16(const ash__builder *b, const ash__ins *i)
{
    const ash__ins *inner = at(b, i->arg[0]);
    return (inner->op == ASH__OP_ROUND16 || inner->op == ASH__OP_LOAD) && inner->from == i->from ? i->arg[0] : -1;
}

int ash__simplify(ash__builder *b, ash__ins *i)
{
    switch ((ash__op)i->op) {
    case ASH__OP_ADD:
        return simplify_add(b, i);
    case ASH__OP_SUB:
        return simplify_sub(b, i);
    case ASH__OP_MUL:
        return simplify_mul(b, i);
    case ASH__OP_DIV:
        return simplify_div(b, i);
    case ASH__OP_IDIV:
    case ASH__OP_IREM:
    case ASH__OP_IFLD:
    case ASH__OP_IMOD:
        return simplify_integer_division(b, i);
    case ASH__OP_NEG:
    case ASH__OP_ABS:
    case ASH__OP_FLOOR:
    case ASH__OP_CEIL:
    case ASH__OP_TRUNC:
    case ASH__OP_ROUND:
    case ASH__OP_RINT:
        return simplify_unary(b, i);
    case ASH__OP_MIN:
    case ASH__OP_MAX:
        order(b, i);
        return i->arg[0] == i->arg[1] ? i->arg[0] : -1;
    case ASH__OP_AND:
    case ASH__OP_OR:
    case ASH__OP_XOR:
        return simplify_bits(b, i);
    case ASH__OP_NOT:
        return simplify_not(b, i);
    case ASH__OP_SHL:
    case ASH__OP_SHR:
        return is_number(b, i->arg[1], 0) ? i->arg[0] : -1;
    case ASH__OP_EQ:
    case ASH__OP_NE:
    case ASH__OP_LT:
    case ASH__OP_LE:
        return simplify_compare(b, i);
    case ASH__OP_SELECT:
        return simplify_select(b, i);
    case ASH__OP_CONVERT:
        return simplify_convert(b, i);
    case ASH__OP_ROUND16:
        return simplify_round16(b, i);
    default:
        return -1;
    }
}
