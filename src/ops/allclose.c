/*
 * allclose.c - whether two arrays are equal within a tolerance.
 *
 * |x - y| <= atol + rtol*|y| for every pair, or x == y (so that equal infinities are close). Compared in f32 for floats up to
 * f32, else in f64; integers exactly unless a tolerance is given.
 */
#include "ashlar/map.h"

#include <float.h>
#include <math.h>
#include <stdio.h>

#include "core/error.h"
#include "core/options.h"
#include "ops/compare.h"

/* sqrt of the spacing of numbers at 1: half of the digits. Integers have all of theirs. */
static double default_rtol(ash_dtype d)
{
    switch (ash__part(d)) {
    case ASH_F16:
        return sqrt(0x1p-10);
    case ASH_BF16:
        return sqrt(0x1p-7);
    case ASH_F32:
        return sqrt((double)FLT_EPSILON);
    case ASH_F64:
        return sqrt(DBL_EPSILON);
    default:
        return 0;
    }
}

static bool check_tolerances(const char *function, const ash_close_options *o)
{
    if (o->rtol >= 0 && o->atol >= 0)
        return true;
    ash__fail(ASH_ERR_ARGUMENT, function, "rtol is %g and atol %g; neither may be negative or NaN", o->rtol, o->atol);
    return false;
}

/* The dtype compared in, real: integers need f64 for their digits, where there is f64. */
static ash_dtype compute_dtype(const ash_array *a, const ash_array *b)
{
    const ash_dtype x = ash__part(a->dtype), y = ash__part(b->dtype);
    const bool single = ash__is_float(x) && x != ASH_F64 && ash__is_float(y) && y != ASH_F64;
    return single || !ash__device(a)->f64 ? ASH_F32 : ASH_F64;
}

/* Functions of x and y, r = rtol, t = atol; u and v are x and y in the dtype that is compared in. */
#define CLOSE "(x, y, r, t) -> let u = %s(x), v = %s(y) in x == y"
#define WITHIN " && abs(u - v) <= t + r*abs(v))"
#define ANY_NAN(u) "(isnan(real(" u ")) || isnan(imag(" u ")))"
#define FINITE(u) "isfinite(real(" u ")) && isfinite(imag(" u "))"
static const char real_text[] = CLOSE " || (isfinite(u) && isfinite(v)" WITHIN;
static const char real_nan_text[] = CLOSE " || (isfinite(u) && isfinite(v)" WITHIN " || (isnan(u) && isnan(v))";
static const char complex_text[] = CLOSE " || (" FINITE("u") " && " FINITE("v") WITHIN;
static const char complex_nan_text[] =
    CLOSE " || (" FINITE("u") " && " FINITE("v") WITHIN " || (" ANY_NAN("u") " && " ANY_NAN("v") ")";

static bool close(const char *function, const ash_array *a, const ash_array *b, const ash_close_options *o)
{
    char text[512];
    const ash_dtype d = compute_dtype(a, b);
    const bool complex = ash__is_complex(a->dtype) || ash__is_complex(b->dtype);
    const bool integers = !ash__is_float(ash__part(a->dtype)) && !ash__is_float(ash__part(b->dtype));
    const char *const cast = ash_dtype_name(complex ? ash__complex_of(d) : d);
    const ash_operand all[4] = {ash_operand_array(a), ash_operand_array(b), ash_operand_float(d, o->rtol),
                                ash_operand_float(d, o->atol)};
    if (integers && o->rtol == 0 && o->atol == 0) /* exact, however large */
        return ash__all_pairs(function, "(x, y) -> x == y", (ash_operands){all, 2}, o->resources);
    if (complex)
        snprintf(text, sizeof text, o->nan_equal ? complex_nan_text : complex_text, cast, cast);
    else
        snprintf(text, sizeof text, o->nan_equal ? real_nan_text : real_text, cast, cast);
    return ash__all_pairs(function, text, (ash_operands){all, 4}, o->resources);
}

bool ash_allclose_opt(const ash_array *a, const ash_array *b, const ash_close_options *options)
{
    static const char name[] = "ash_allclose";
    ash_close_options o;
    bool shape;
    if (!ash__read_options(name, &o, sizeof o, options) || !ash__compare_check(name, a, b, &shape) ||
        !check_tolerances(name, &o))
        return false;
    const ash_array *const both[2] = {a, b};
    for (int k = 0; k < 2; k++)
        if (!ash__is_real(both[k]->dtype) && !ash__is_complex(both[k]->dtype)) {
            ash__fail_operand(ASH_ERR_DTYPE, name, k, "operand %d is %s; numbers were wanted", k,
                              ash_dtype_name(both[k]->dtype));
            return false;
        }
    if (!shape)
        return false;
    if (o.rtol == 0 && o.atol == 0)
        o.rtol = fmax(default_rtol(a->dtype), default_rtol(b->dtype));
    return close(name, a, b, &o);
}
