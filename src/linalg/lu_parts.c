/* lu_parts.c - P, L and U of packed LU factors, and what a factor's diagonal says of it. */
#include "ashlar/index.h"
#include "core/error.h"
#include "core/host.h"
#include "core/options.h"
#include "linalg/factoring.h"
#include "ops/map.h"
#include "ops/reduction.h"
#include "ops/task.h"

/* ---- P */

/* The exchanges done to 0, 1, 2 ... n - 1. */
static bool permute(int64_t *row, int64_t n, const int64_t *pivot, int64_t steps)
{
    for (int64_t i = 0; i < n; i++)
        row[i] = i;
    for (int64_t i = 0; i < steps; i++) {
        if (pivot[i] < i || pivot[i] >= n)
            return false;
        const int64_t was = row[i];
        row[i] = row[pivot[i]];
        row[pivot[i]] = was;
    }
    return true;
}

/* In the scope that is open. */
static ash_array *permutation(const ash__factor_call *c, ash_lu_factors f)
{
    const int64_t m = ash__rows_of(f.lu), steps = ash__steps_of(f.lu), members = ash__count(f.lu->shape, f.lu->rank - 2);
    ash_array *const p = ash__factor_beside(c, f.lu, ASH_I64, &m, 1);
    ash_array *const pivots = p ? ash__factor_copy(c, f.pivots, ASH_I64) : NULL;
    ash_array *const dense = pivots ? ash_contiguous(pivots) : NULL;
    ash__host to, from;
    ash_status status = dense ? ash__host_open(&from, c->function, dense, ASH__READ) : ash__last_status();
    if (!dense)
        return NULL;
    if (!status) {
        status = ash__host_open(&to, c->function, p, ASH__WRITE);
        for (int64_t k = 0; k < members && !status; k++)
            if (!permute((int64_t *)(void *)to.data + k * m, m, (const int64_t *)(const void *)from.data + k * steps, steps))
                status = ash__fail(ASH_ERR_VALUE, c->function, "a pivot is not a row at or below its own");
        status = ash__host_close(&to, status);
    }
    return ash__host_close(&from, status) ? NULL : p;
}

/* ---- L and U */

static ash_array *lower(const ash__factor_call *c, ash_lu_factors f)
{
    const ash_triangle_options o = {.struct_size = sizeof o, .resources = c->given, .k = -1};
    ash_array *const part = ash__factor_part(c, f.lu, 0, ash__rows_of(f.lu), 0, ash__steps_of(f.lu));
    ash_array *const l = part ? ash_tril_opt(part, &o) : NULL;
    return l && !ash__factor_unit(c, l) ? l : NULL;
}

static ash_array *upper(const ash__factor_call *c, ash_lu_factors f)
{
    const ash_triangle_options o = {.struct_size = sizeof o, .resources = c->given};
    ash_array *const part = ash__factor_part(c, f.lu, 0, ash__steps_of(f.lu), 0, ash__columns_of(f.lu));
    return part ? ash_triu_opt(part, &o) : NULL;
}

static ash_array *part_of(const char *function, ash_lu_factors f, const ash_factor_options *options,
                          ash_array *(*make)(const ash__factor_call *c, ash_lu_factors f))
{
    ash_factor_options o;
    if (!ash__read_options(function, &o, sizeof o, options))
        return NULL;
    const ash__factor_call c = {function, o.resources};
    if (ash__check_lu(&c, f, false))
        return NULL;
    const int64_t scope = ash_scope_open();
    ash_array *const made = ash_keep(scope, make(&c, f));
    ash_scope_close(scope);
    return made;
}

ash_array *ash_lu_permutation_opt(ash_lu_factors f, const ash_factor_options *options)
{
    return part_of("ash_lu_permutation", f, options, permutation);
}
ash_array *ash_lu_lower_opt(ash_lu_factors f, const ash_factor_options *options)
{
    return part_of("ash_lu_lower", f, options, lower);
}
ash_array *ash_lu_upper_opt(ash_lu_factors f, const ash_factor_options *options)
{
    return part_of("ash_lu_upper", f, options, upper);
}

/* ---- the diagonal */

/* In the scope that is open. */
static ash_array *info(const ash__factor_call *c, const ash_array *factor)
{
    static const ash__operator least_of = {.text = "min", .fold = ASH__FOLD_MIN};
    const int64_t n = ash__steps_of(factor), last = -1;
    if (!n) {
        ash_array *const none = ash__factor_beside(c, factor, ASH_I64, NULL, 0);
        return none && !ash__fill_zeros(c->function, none, c->given) ? none : NULL;
    }
    ash_array *const diagonal = ash__factor_diagonal(c, factor);
    ash_array *const order = ash_range(1, n + 1, .dtype = ASH_I64, .storage = factor->storage,
                                       .resources = ash__resources_on(c->function, ash__device(factor), c->given));
    if (!diagonal || !order)
        return NULL;
    const ash_operand operand[3] = {ash_operand_array(diagonal), ash_operand_array(order), ash_operand_i64(INT64_MAX)};
    const ash_reduce_options o = {.struct_size = sizeof o, .resources = c->given, .axes = {&last, 1}, .drop = true};
    ash_array *const first = ash__reduce_text(c->function, "(x, k, none) -> x == 0 || !isfinite(abs(x)) ? k : none", least_of,
                                              (ash_operands){operand, 3}, ASH_DTYPE_DEFAULT, &o);
    const ash_operand found[2] = {ash_operand_array(first), operand[2]};
    return first && !ash__map_text_to(c->function, first, "(k, none) -> k == none ? 0 : k", (ash_operands){found, 2}, c->given)
               ? first
               : NULL;
}

ash_array *ash_factor_info_opt(const ash_array *factor, const ash_factor_options *options)
{
    ash_factor_options o;
    if (!ash__read_options("ash_factor_info", &o, sizeof o, options))
        return NULL;
    const ash__factor_call c = {"ash_factor_info", o.resources};
    if (ash__check_matrix(&c, "factor", factor, false))
        return NULL;
    const int64_t scope = ash_scope_open();
    ash_array *const made = ash_keep(scope, info(&c, factor));
    ash_scope_close(scope);
    return made;
}
