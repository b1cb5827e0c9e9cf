/*
 * det.c - determinants from the LU factors: the product of the pivots, negative when the number of exchanges is odd.
 *
 * A pivot of 0 makes the determinant exactly 0, whatever the others are.
 */
#include "core/error.h"
#include "core/options.h"
#include "linalg/factoring.h"
#include "ops/map.h"
#include "ops/reduction.h"
#include "ops/task.h"

static const ash__operator sum = {.text = "+", .fold = ASH__FOLD_SUM}, product = {.text = "*", .fold = ASH__FOLD_PROD},
                           any = {.text = "||", .fold = ASH__FOLD_OR, .truth = true};

/* Of the LU factors: the pivots, and over the batch axes whether one is 0 and the sign of the exchanges. */
typedef struct parts {
    ash_array *diagonal, *zero, *sign;
} parts;

static ash_array *fold(const ash__factor_call *c, const char *text, ash__operator op, const ash_operand *operand, int64_t count)
{
    const int64_t last = -1;
    const ash_reduce_options o = {.struct_size = sizeof o, .resources = c->given, .axes = {&last, 1}, .drop = true};
    return ash__reduce_text(c->function, text, op, (ash_operands){operand, count}, ASH_DTYPE_DEFAULT, &o);
}

/* In the scope that is open; false with an error. */
static bool take_apart(const ash__factor_call *c, const ash_array *a, parts *p)
{
    ash_lu_factors f;
    if (ash__check_matrix(c, "a", a, true) || ash__lu_make(c, a, ash__factor_dtype(a->dtype), ASH__CHECK_FINITE, &f))
        return false;
    ash_array *const steps = ash_range(0, a->shape[a->rank - 1], .dtype = ASH_I64, .storage = a->storage,
                                       .resources = ash__resources_on(c->function, ash__device(a), c->given));
    p->diagonal = steps ? ash__factor_diagonal(c, f.lu) : NULL;
    if (!p->diagonal)
        return false;
    const ash_operand pivots[2] = {ash_operand_array(f.pivots), ash_operand_array(steps)},
                      diagonal = ash_operand_array(p->diagonal);
    p->sign = fold(c, "(p, k) -> p == k ? 1 : -1", product, pivots, 2);
    p->zero = p->sign ? fold(c, "x -> x == 0", any, &diagonal, 1) : NULL;
    return p->zero != NULL;
}

static ash_array *map(const ash__factor_call *c, const char *text, const ash_array *x, const ash_array *y, const ash_array *z)
{
    const ash_operand operand[3] = {ash_operand_array(x), ash_operand_array(y), ash_operand_array(z)};
    const ash_map_options o = {.struct_size = sizeof o, .resources = c->given};
    return x && y ? ash__map_text_new(c->function, text, (ash_operands){operand, z ? 3 : 2}, &o) : NULL;
}

/* ---- the determinant */

static ash_array *determinant(const ash__factor_call *c, const ash_array *a)
{
    parts p;
    if (!take_apart(c, a, &p))
        return NULL;
    const ash_operand diagonal = ash_operand_array(p.diagonal);
    return map(c, "(d, sign, zero) -> zero ? 0 : d * sign", fold(c, NULL, product, &diagonal, 1), p.sign, p.zero);
}

ash_array *ash_det_opt(const ash_array *a, const ash_factor_options *options)
{
    ash_factor_options o;
    if (!ash__read_options("ash_det", &o, sizeof o, options))
        return NULL;
    const ash__factor_call c = {"ash_det", o.resources};
    const int64_t scope = ash_scope_open();
    ash_array *const x = ash_keep(scope, determinant(&c, a));
    ash_scope_close(scope);
    return x;
}

/* ---- its logarithm */

static ash_slogdet_result logarithm(const ash__factor_call *c, const ash_array *a)
{
    parts p;
    const ash_slogdet_result none = {NULL, NULL};
    if (!take_apart(c, a, &p))
        return none;
    const ash_operand diagonal = ash_operand_array(p.diagonal);
    const char *const direction = ash__is_complex(p.diagonal->dtype) ? "x -> x / abs(x)" : "x -> x < 0 ? x - x - 1 : x - x + 1";
    ash_array *const signs = fold(c, direction, product, &diagonal, 1);
    ash_array *const logs = signs ? fold(c, "x -> log(abs(x))", sum, &diagonal, 1) : NULL;
    const ash_slogdet_result r = {map(c, "(s, sign, zero) -> zero ? 0 : s * sign", signs, p.sign, p.zero), logs};
    return r.sign && r.logabsdet ? r : none;
}

ash_slogdet_result ash_slogdet_opt(const ash_array *a, const ash_factor_options *options)
{
    ash_factor_options o;
    ash_slogdet_result r = {NULL, NULL};
    if (!ash__read_options("ash_slogdet", &o, sizeof o, options))
        return r;
    const ash__factor_call c = {"ash_slogdet", o.resources};
    const int64_t scope = ash_scope_open();
    r = logarithm(&c, a);
    ash_keep(scope, r.sign);
    ash_keep(scope, r.logabsdet);
    ash_scope_close(scope);
    return r;
}

/* In the scope that is open. */
static ash_array *log_determinant(const ash__factor_call *c, const ash_array *a)
{
    const ash_slogdet_result r = logarithm(c, a);
    if (!r.sign)
        return NULL;
    if (ash__is_complex(r.sign->dtype))
        return map(c, "(s, l) -> log(s) + l", r.sign, r.logabsdet, NULL);
    const ash_operand sign = ash_operand_array(r.sign);
    const ash_reduce_options all = {.struct_size = sizeof all, .resources = c->given};
    ash_array *const negative =
        ash__reduce_text(c->function, "x -> x < 0", any, (ash_operands){&sign, 1}, ASH_DTYPE_DEFAULT, &all);
    bool is = false;
    if (!negative || ash__read_element(c->function, negative, ASH__READ | ASH__OWN, &is))
        return NULL;
    if (is)
        ash__fail(ASH_ERR_VALUE, c->function, "the determinant%s is negative; ash_slogdet gives its sign and its size",
                  r.sign->size > 1 ? " of a member of the batch" : "");
    return is ? NULL : r.logabsdet;
}

ash_array *ash_logdet_opt(const ash_array *a, const ash_factor_options *options)
{
    ash_factor_options o;
    if (!ash__read_options("ash_logdet", &o, sizeof o, options))
        return NULL;
    const ash__factor_call c = {"ash_logdet", o.resources};
    const int64_t scope = ash_scope_open();
    ash_array *const x = ash_keep(scope, log_determinant(&c, a));
    ash_scope_close(scope);
    return x;
}
