/* rank.c - what singular values tell: the rank, and how close a matrix is to a singular one. */
#include <float.h>
#include <math.h>

#include "ashlar/spectral.h"
#include "core/error.h"
#include "core/options.h"
#include "linalg/norm.h"
#include "linalg/spectral.h"
#include "ops/map.h"
#include "ops/reduction.h"

static const ash__operator sum = {.text = "+", .fold = ASH__FOLD_SUM, .widen = true},
                           smallest = {.text = "min", .fold = ASH__FOLD_MIN}, largest = {.text = "max", .fold = ASH__FOLD_MAX};

/* The extreme of each row of singular values; 0 where a row has none. */
static ash_array *extreme(const char *function, const ash_array *values, ash__operator op, bool drop, ash_resources *given)
{
    const int64_t last = -1;
    const ash_operand operand = ash_operand_array(values);
    ash_reduce_options o = {.resources = given, .axes = {&last, 1}, .drop = drop};
    if (!values->shape[values->rank - 1])
        o.init = ash_operand_float(values->dtype, 0);
    return ash__reduce_text(function, NULL, op, (ash_operands){&operand, 1}, ASH_DTYPE_DEFAULT, &o);
}

bool ash__rank_tolerances(const char *function, const ash_array *a, double *rtol, double *atol)
{
    if (!(*rtol >= 0 && *atol >= 0)) {
        ash__fail(ASH_ERR_ARGUMENT, function, "rtol is %g and atol %g; neither may be negative or NaN", *rtol, *atol);
        return false;
    }
    if (*rtol == 0 && *atol == 0 && a->rank >= 2) {
        const ash_dtype part = ash__part(a->dtype);
        const int64_t m = a->shape[a->rank - 2], n = a->shape[a->rank - 1];
        const bool single = part == ASH_F16 || part == ASH_BF16 || part == ASH_F32;
        *rtol = (double)(m > n ? m : n) * (single ? (double)FLT_EPSILON : DBL_EPSILON);
    }
    return true;
}

ash_array *ash__values_text(const char *function, const char *text, const ash_array *values, double rtol, double atol,
                            ash_resources *given)
{
    ash_array *const most = extreme(function, values, largest, false, given);
    if (!most)
        return NULL;
    const ash_operand operand[4] = {ash_operand_array(values), ash_operand_array(most), ash_operand_float(values->dtype, rtol),
                                    ash_operand_float(values->dtype, atol)};
    return ash__map_text_new(function, text, (ash_operands){operand, 4}, &(ash_map_options){.resources = given});
}

/* In a scope of its own, as is what follows. */
static ash_array *rank(const char *function, const ash_array *a, const ash_rank_options *o)
{
    const int64_t last = -1;
    ash_array *const values = ash__svdvals(function, a, o->resources);
    ash_array *const counts =
        values ? ash__values_text(function, "(s, m, r, t) -> s > max(t, r*m)", values, o->rtol, o->atol, o->resources) : NULL;
    const ash_operand operand = ash_operand_array(counts);
    const ash_reduce_options along = {.resources = o->resources, .axes = {&last, 1}, .drop = true};
    return counts ? ash__reduce_text(function, NULL, sum, (ash_operands){&operand, 1}, ASH_DTYPE_DEFAULT, &along) : NULL;
}

ash_array *ash_matrix_rank_opt(const ash_array *a, const ash_rank_options *options)
{
    static const char f[] = "ash_matrix_rank";
    ash_rank_options o;
    if (!ash__read_options(f, &o, sizeof o, options) || ash__check_array(f, "a", a) ||
        !ash__rank_tolerances(f, a, &o.rtol, &o.atol))
        return NULL;
    const int64_t scope = ash_scope_open();
    ash_array *const out = scope < 0 ? NULL : ash_keep(scope, rank(f, a, &o));
    ash_scope_close(scope);
    return out;
}

/* ---- condition */

static ash_array *quotient(const char *function, const char *text, const ash_array *x, const ash_array *y, ash_resources *given)
{
    const ash_operand both[2] = {ash_operand_array(x), ash_operand_array(y)};
    return x && y ? ash__map_text_new(function, text, (ash_operands){both, 2}, &(ash_map_options){.resources = given}) : NULL;
}

/* The largest singular value by the smallest: infinite where that is 0; 0 of a matrix without elements. */
static ash_array *by_values(const char *function, const ash_array *a, ash_resources *given)
{
    ash_array *const values = ash__svdvals(function, a, given);
    ash_array *const most = values ? extreme(function, values, largest, true, given) : NULL;
    ash_array *const least = most ? extreme(function, values, smallest, true, given) : NULL;
    return quotient(function, values && values->shape[values->rank - 1] ? "(x, y) -> y == 0 ? inf : x / y" : "(x, y) -> x",
                    most, least, given);
}

/* The norm by that of the inverse: infinite where there is none. */
static ash_array *by_inverse(const char *function, const ash_array *a, double p, ash_resources *given)
{
    if (ash__check_matrix(&(ash__factor_call){function, given}, "a", a, true))
        return NULL;
    const bool empty = a->shape[a->rank - 1] == 0;
    ash_array *const inverse = ash__inverse(function, a, ASH__CHECK_FINITE, given);
    ash_array *const whole = inverse ? ash_convert(a, inverse->dtype) : NULL;
    ash_array *const x = whole ? ash__opnorm(function, whole, p, given) : NULL;
    return quotient(function, empty ? "(x, y) -> x" : "(x, y) -> isfinite(y) ? x*y : inf", x,
                    x ? ash__opnorm(function, inverse, p, given) : NULL, given);
}

ash_array *ash_cond_opt(const ash_array *a, const ash_opnorm_options *options)
{
    static const char f[] = "ash_cond";
    ash_opnorm_options o;
    double p;
    if (!ash__read_options(f, &o, sizeof o, options) || ash__check_array(f, "a", a) || ash__norm_order(f, &o.p, 2, &p))
        return NULL;
    if (p != 1 && p != 2 && !(isinf(p) && p > 0)) {
        ash__fail(ASH_ERR_ARGUMENT, f, ".p is %g; 1, 2 or inf are wanted", p);
        return NULL;
    }
    const int64_t scope = ash_scope_open();
    ash_array *const quotient_of = scope < 0 ? NULL : p == 2 ? by_values(f, a, o.resources) : by_inverse(f, a, p, o.resources);
    ash_array *const out = ash_keep(scope, quotient_of);
    ash_scope_close(scope);
    return out;
}
