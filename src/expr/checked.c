/*
 * checked.c - conversion between dtypes in which an element that does not fit is a fault: core/convert.h as a program.
 *
 * A number that does not fit u8 is narrowed to it where an element is refused.
 */
#include <math.h>

#include "expr/cast.h"

static int bits_of(ash_dtype integer)
{
    return 8 * (int)ash_dtype_size(integer);
}

/* Every value of `from` is one of `to`; also where floats round. */
static bool fits(ash_dtype from, ash_dtype to)
{
    if (from == ASH_BOOL || from == to)
        return true;
    if (ash__is_float(to))
        return ash__is_float(from) ? ash_dtype_size(from) < ash_dtype_size(to) || (from == ASH_F16 && to == ASH_BF16)
                                   : to != ASH_F16 || bits_of(from) <= 8 || from == ASH_I16;
    return to != ASH_BOOL && ash__is_integer(from) && bits_of(from) < bits_of(to) &&
           (ash__is_signed(to) || !ash__is_signed(from));
}

bool ash__is_exact_in(ash_dtype from, ash_dtype to)
{
    static const int digits[] = {[ASH_F16] = 11, [ASH_BF16] = 8, [ASH_F32] = 24, [ASH_F64] = 53};
    return fits(from, to) && (!ash__is_float(to) || from == ASH_BOOL ||
                              (ash__is_float(from) ? digits[from] <= digits[to] && from != ASH_F16 + (to == ASH_BF16)
                                                   : bits_of(from) - ash__is_signed(from) <= digits[to]));
}

static int less(ash__builder *b, int x, double y) /* x < y, y a float of x's type */
{
    return ash__b2(b, ASH__OP_LT, x, ash__bfloat(b, ash__type_of(b, x), y));
}

/* Of a float that was truncated: is it from low on and less than high? */
static int within(ash__builder *b, int x, double low, double high)
{
    const int from = ash__b2(b, ASH__OP_LE, ash__bfloat(b, ash__type_of(b, x), low), x);
    return ash__b2(b, ASH__OP_AND, from, less(b, x, high));
}

/* Whether the value x of `from`, which is y in `to`, may be it. */
static int is_fit(ash__builder *b, int x, int y, ash_dtype from, ash_dtype to)
{
    if (ash__is_float(to)) {
        const int finite = ash__b1(b, ASH__OP_ISFINITE, y);
        return ash__is_float(from) ? ash__b2(b, ASH__OP_OR, finite, ash__b1(b, ASH__OP_NOT, ash__b1(b, ASH__OP_ISFINITE, x)))
                                   : finite;
    }
    if (to == ASH_BOOL)
        return within(b, x, 0, 2);
    const double top = ldexp(1, bits_of(to) - ash__is_signed(to));
    return within(b, x, ash__is_signed(to) ? -top : 0, top);
}

/* One part, converted; a fault where it does not fit. */
static int part(ash__builder *b, int x, ash_dtype from, ash_dtype to)
{
    if (ash__is_integer(from) && (ash__is_integer(to) || to == ASH_BOOL) && !fits(from, to))
        return ash__build_narrow(b, x, to);
    if (ash__is_float(from) && !ash__is_float(to))
        x = ash__b1(b, ASH__OP_TRUNC, x);
    const int y = ash__cast_part(b, x, from, to);
    if (fits(from, to))
        return y;
    const int large = ash__bselect(b, is_fit(b, x, y, from, to), ash__binteger(b, ASH_I32, 0), ash__binteger(b, ASH_I32, 256));
    const int never = ash__b2(b, ASH__OP_NE, ash__build_narrow(b, large, ASH_U8), ash__binteger(b, ASH_U8, 0));
    const ash_dtype machine = ash__type_of(b, y); /* a use of what is narrowed, which changes nothing */
    return ash__bselect(b, never, ash__is_float(machine) ? ash__bfloat(b, machine, 0) : ash__binteger(b, machine, 0), y);
}

ash__program *ash__program_checked(const char *function, ash_dtype from, bool from_conjugated, ash_dtype to, bool to_conjugated)
{
    ash__builder *const b = ash__builder_new(function, 1);
    const ash__pair x = ash__load_pair(b, 0, from, 0, from_conjugated);
    const ash_dtype from_part = ash__part(from), to_part = ash__part(to);
    ash__pair y = {part(b, x.re, from_part, to_part), -1};
    if (ash__is_complex(to))
        y.im = x.im < 0 ? ash__cast_part(b, ash__bbool(b, false), ASH_BOOL, to_part) : part(b, x.im, from_part, to_part);
    if (to_conjugated && ash__is_complex(to))
        y.im = ash__b1(b, ASH__OP_NEG, y.im);
    return ash__builder_finish(b, to, y.re, y.im);
}
