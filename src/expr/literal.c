/*
 * literal.c - arithmetic of literals that must not wrap, and the dtype that a literal takes.
 */
#include "expr/literal.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#include "core/format.h"
#include "expr/builder.h"

ash__literal ash__literal_integer(uint64_t magnitude)
{
    return (ash__literal){.large = magnitude > INT64_MAX, .i = {(int64_t)magnitude}};
}

ash__literal ash__literal_signed(int64_t value) { return (ash__literal){.i = {value}}; }
ash__literal ash__literal_float(double value) { return (ash__literal){.is_float = true, .f = {value}}; }

double ash__literal_part(const ash__literal *x, int part)
{
    if (x->is_float)
        return x->f[part];
    return x->large && part == 0 ? (double)(uint64_t)x->i[0] : (double)x->i[part];
}

/* ---- dtypes */

static bool fits_integer(const ash__literal *x, int part, ash_dtype dtype, ash__scalar *value)
{
    const int64_t i = x->i[part];
    const bool large = x->large && part == 0;
    *value = ash__scalar_from_i64(dtype, i);
    if (dtype == ASH_U64)
        return large || i >= 0;
    return !large && ash__scalar_i64(dtype, *value) == i;
}

static bool fits_float(const ash__literal *x, int part, ash_dtype dtype, ash__scalar *value)
{
    const double f = ash__literal_part(x, part);
    const bool large = x->large && part == 0;
    if (dtype == ASH_F16 || dtype == ASH_BF16)
        *value = ash__fold_round16(dtype, f);
    else if (dtype == ASH_F32 && !x->is_float) /* once, not by way of f64 */
        value->bits = 0, value->f32 = large ? (float)(uint64_t)x->i[part] : (float)x->i[part];
    else
        *value = ash__scalar_from_f64(dtype, f);
    return !isfinite(f) || isfinite(ash__scalar_f64(ash__machine(dtype), *value));
}

bool ash__literal_fits(const ash__literal *x, int part, ash_dtype real, ash__scalar *value)
{
    if (ash__is_float(real))
        return fits_float(x, part, real, value);
    return !x->is_float && fits_integer(x, part, real, value);
}

ash_dtype ash__literal_dtype(const ash__literal *x, ash_dtype beside)
{
    const ash_dtype part = ash__part(beside);
    ash_dtype real = part;
    if (x->is_float)
        real = ash__is_float(part) ? part : ASH_F64;
    else if (part < ASH_I8 || part > ASH_F64)
        real = ASH_I64;
    return x->is_complex ? ash__complex_of(real) : real;
}

static void part_text(char *buffer, size_t size, const ash__literal *x, int part)
{
    if (x->is_float)
        ash__format_f64(buffer, size, x->f[part]);
    else if (x->large)
        snprintf(buffer, size, "%llu", (unsigned long long)x->i[part]);
    else
        snprintf(buffer, size, "%lld", (long long)x->i[part]);
}

char *ash__literal_text(char buffer[64], const ash__literal *x)
{
    char re[30], im[30];
    part_text(re, sizeof re, x, 0);
    part_text(im, sizeof im, x, 1);
    if (x->is_complex)
        snprintf(buffer, 64, "%s%s%si", re, im[0] == '-' ? "" : "+", im);
    else
        snprintf(buffer, 64, "%s", re);
    return buffer;
}

/* ---- comparison */

int ash__literal_compare(const ash__literal *x, double y)
{
    if (isnan(y) || (x->is_float && isnan(x->f[0])))
        return 2;
    if (x->is_float)
        return (x->f[0] > y) - (x->f[0] < y);
    const double below = x->large ? 0.0 : -0x1p63, end = x->large ? 0x1p64 : 0x1p63;
    if (y >= end)
        return -1;
    if (y < below)
        return 1;
    const double whole = floor(y); /* in range: compared as integers, and then the rest of y */
    if (x->large) {
        const uint64_t a = (uint64_t)x->i[0], b = (uint64_t)whole;
        return a != b ? (a > b) - (a < b) : -(y > whole);
    }
    const int64_t a = x->i[0], b = (int64_t)whole;
    return a != b ? (a > b) - (a < b) : -(y > whole);
}

/* ---- exact arithmetic: sign and magnitude, so that the largest u64 and the smallest i64 are both in range */

typedef struct integer {
    bool negative;
    uint64_t magnitude;
} integer;

static integer integer_of(const ash__literal *x)
{
    const bool negative = !x->large && x->i[0] < 0;
    return (integer){negative, negative ? 0 - (uint64_t)x->i[0] : (uint64_t)x->i[0]};
}

static ash__exact give(integer x, bool overflow, ash__literal *result)
{
    if (overflow || (x.negative && x.magnitude > (uint64_t)1 << 63))
        return ASH__EXACT_OVERFLOW;
    *result = x.negative ? ash__literal_signed((int64_t)(0 - x.magnitude)) : ash__literal_integer(x.magnitude);
    return ASH__EXACT_DONE;
}

static ash__exact add(integer x, integer y, ash__literal *result)
{
    integer r = {x.negative, 0};
    bool overflow = false;
    if (x.negative == y.negative)
        overflow = __builtin_add_overflow(x.magnitude, y.magnitude, &r.magnitude);
    else if (x.magnitude >= y.magnitude)
        r.magnitude = x.magnitude - y.magnitude;
    else
        r = (integer){y.negative, y.magnitude - x.magnitude};
    return give(r, overflow, result);
}

static bool multiply(integer x, integer y, integer *r)
{
    r->negative = x.negative != y.negative;
    return __builtin_mul_overflow(x.magnitude, y.magnitude, &r->magnitude);
}

static ash__exact power(integer x, integer y, ash__literal *result)
{
    integer r = {false, 1};
    bool overflow = false;
    if (y.negative)
        return ASH__EXACT_NEGATIVE;
    if (x.magnitude <= 1) /* the only bases whose exponent may be large */
        r = (integer){x.negative && (y.magnitude & 1), y.magnitude ? x.magnitude : 1};
    else if (y.magnitude > 64)
        overflow = true;
    else
        for (uint64_t k = 0; k < y.magnitude && !overflow; k++)
            overflow = multiply(r, x, &r);
    return give(r, overflow, result);
}

static ash__exact shift(integer x, integer y, ash__literal *result)
{
    if (y.negative)
        return ASH__EXACT_NEGATIVE;
    if (x.magnitude == 0 || y.magnitude < 64)
        return give((integer){x.negative, x.magnitude << (x.magnitude ? y.magnitude : 0)},
                    x.magnitude && x.magnitude << y.magnitude >> y.magnitude != x.magnitude, result);
    return ASH__EXACT_OVERFLOW;
}

ash__exact ash__literal_exact(ash__op op, const ash__literal *x, const ash__literal *y, ash__literal *result)
{
    if (x->is_float || x->is_complex || (y && (y->is_float || y->is_complex)))
        return ASH__EXACT_NO;
    const integer a = integer_of(x), b = y ? integer_of(y) : (integer){false, 0};
    integer r;
    switch (op) {
    case ASH__OP_NEG:
        return give((integer){!a.negative && a.magnitude, a.magnitude}, false, result);
    case ASH__OP_ADD:
        return add(a, b, result);
    case ASH__OP_SUB:
        return add(a, (integer){!b.negative, b.magnitude}, result);
    case ASH__OP_MUL: {
        const bool overflow = multiply(a, b, &r);
        return give(r, overflow, result);
    }
    case ASH__OP_IPOW:
        return power(a, b, result);
    case ASH__OP_SHL:
        return shift(a, b, result);
    default:
        return ASH__EXACT_NO;
    }
}
