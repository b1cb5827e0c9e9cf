/* opnorm.c - norms of matrices as operators: the largest sum of a column or of a row, or the largest singular value. */
#include "ashlar/spectral.h"

#include <math.h>

#include "core/error.h"
#include "core/options.h"
#include "linalg/norm.h"
#include "linalg/spectral.h"
#include "ops/map.h"
#include "ops/reduction.h"

static const ash__operator sum = {.text = "+", .fold = ASH__FOLD_SUM}, largest = {.text = "max", .fold = ASH__FOLD_MAX};

/* The largest of the sums along `axis` of the last two; 0 where there is none. */
static ash_array *largest_sum(const char *function, const ash_array *a, int64_t axis, ash_dtype compute, ash_dtype result,
                              ash_resources *given)
{
    char text[48];
    const int64_t last = -1;
    const ash_operand operand = ash_operand_array(a);
    snprintf(text, sizeof text, "x -> abs(%s(x))",
             ash_dtype_name(ash__is_complex(a->dtype) ? ash__complex_of(compute) : compute));
    const ash_reduce_options along = {.resources = given, .axes = {&axis, 1}, .drop = true};
    const ash_reduce_options rest = {
        .resources = given, .axes = {&last, 1}, .drop = true, .init = ash_operand_float(compute, 0)};
    const int64_t barrier = ash_scope_open_barrier();
    ash_array *const sums =
        barrier < 0 ? NULL : ash__reduce_text(function, text, sum, (ash_operands){&operand, 1}, ASH_DTYPE_DEFAULT, &along);
    const ash_operand of_sums = ash_operand_array(sums);
    ash_array *const most =
        sums ? ash__reduce_text(function, NULL, largest, (ash_operands){&of_sums, 1}, ASH_DTYPE_DEFAULT, &rest) : NULL;
    ash_scope_close(barrier);
    ash_array *const out = most ? ash__norm_rounded(function, most, result, given) : NULL;
    ash_release(most);
    ash_release(sums);
    return out;
}

/* The first of each row of singular values; 0 where there is none. */
static ash_array *largest_value(const char *function, const ash_array *a, ash_dtype result, ash_resources *given)
{
    const int64_t last = -1;
    const int64_t barrier = ash_scope_open_barrier();
    ash_array *const values = barrier < 0 ? NULL : ash__svdvals(function, a, given);
    const ash_operand of_values = ash_operand_array(values);
    const ash_reduce_options rest = {
        .resources = given, .axes = {&last, 1}, .drop = true, .init = ash_operand_float(values ? values->dtype : ASH_F32, 0)};
    ash_array *const most =
        values ? ash__reduce_text(function, NULL, largest, (ash_operands){&of_values, 1}, ASH_DTYPE_DEFAULT, &rest) : NULL;
    ash_scope_close(barrier);
    ash_array *const out = most ? ash__norm_rounded(function, most, result, given) : NULL;
    ash_release(most);
    ash_release(values);
    return out;
}

ash_array *ash__opnorm(const char *function, const ash_array *a, double p, ash_resources *given)
{
    ash_dtype compute, result;
    if (ash__norm_dtypes(function, a, &compute, &result))
        return NULL;
    if (p == 2)
        return largest_value(function, a, result, given);
    return largest_sum(function, a, p == 1 ? -2 : -1, compute, result, given);
}

ash_array *ash_opnorm_opt(const ash_array *a, const ash_opnorm_options *options)
{
    static const char f[] = "ash_opnorm";
    ash_opnorm_options o;
    double p;
    if (!ash__read_options(f, &o, sizeof o, options) || ash__check_matrices(f, "a", a, false) ||
        ash__norm_order(f, &o.p, 2, &p))
        return NULL;
    if (p != 1 && p != 2 && !(isinf(p) && p > 0)) {
        ash__fail(ASH_ERR_ARGUMENT, f, ".p is %g; 1, 2 or inf are wanted", p);
        return NULL;
    }
    return ash__opnorm(f, a, p, o.resources);
}
