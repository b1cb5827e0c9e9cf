/* qr.c - QR factors by reflectors: packed for use again, or as Q and R; least squares with them. */
#include <float.h>
#include <math.h>

#include "ashlar/index.h"
#include "core/alloc.h"
#include "core/error.h"
#include "core/options.h"
#include "linalg/factoring.h"
#include "ops/map.h"
#include "ops/place.h"
#include "ops/task.h"

ash_status ash__qr_make(const ash__factor_call *c, const ash_array *a, ash_dtype dtype, ash_qr_factors *f)
{
    const int64_t count = ash__steps_of(a);
    f->qr = ash__factor_copy(c, a, dtype);
    f->tau = f->qr ? ash__factor_beside(c, a, dtype, &count, 1) : NULL;
    return f->tau ? ash__factor_in_place(c, ASH__FACTOR_QR, false, a, f->qr, f->tau, ASH__CHECK_ALL) : ash__last_status();
}

ash_status ash__reflect_apply(const ash__factor_call *c, ash_qr_factors f, bool adjoint, ash_array *x)
{
    ash_array *const qr = ash__plain(c->function, f.qr, x->dtype, false, c->given);
    ash_array *const tau = qr ? ash__plain(c->function, f.tau, x->dtype, false, c->given) : NULL;
    const ash__factor_work work = {
        .say = {.op = ASH__FACTOR_REFLECT, .adjoint = adjoint}, .out = x, .operand = {qr, tau}, .count = ash__steps_of(f.qr)};
    const ash_status status = tau ? ash__factor_run(c, &work) : ash__last_status();
    ash_release(tau);
    ash_release(qr);
    return status;
}

ash_qr_factors ash_qr_compact_opt(const ash_array *a, const ash_factor_options *options)
{
    ash_factor_options o;
    ash_qr_factors f = {NULL, NULL};
    if (!ash__read_options("ash_qr_compact", &o, sizeof o, options))
        return f;
    const ash__factor_call c = {"ash_qr_compact", o.resources};
    if (ash__check_matrix(&c, "a", a, false))
        return f;
    const int64_t scope = ash_scope_open();
    if (ash__qr_make(&c, a, ash__factor_dtype(a->dtype), &f))
        f = (ash_qr_factors){NULL, NULL};
    ash_keep(scope, f.qr);
    ash_keep(scope, f.tau);
    ash_scope_close(scope);
    return f;
}

/* ---- Q and R as matrices */

/* In the scope that is open. */
static ash_array *make_q(const ash__factor_call *c, ash_qr_factors f, bool full)
{
    ash_array *const q =
        ash__factor_identity(c, f.qr, f.qr->dtype, ash__rows_of(f.qr), full ? ash__rows_of(f.qr) : ash__steps_of(f.qr));
    return q && !ash__reflect_apply(c, f, false, q) ? q : NULL;
}

static ash_array *make_r(const ash__factor_call *c, ash_qr_factors f, bool full)
{
    const ash_triangle_options o = {.struct_size = sizeof o, .resources = c->given};
    ash_array *const top =
        ash__factor_part(c, f.qr, 0, full ? ash__rows_of(f.qr) : ash__steps_of(f.qr), 0, ash__columns_of(f.qr));
    return top ? ash_triu_opt(top, &o) : NULL;
}

ash_qr_result ash_qr_opt(const ash_array *a, const ash_qr_options *options)
{
    ash_qr_options o;
    ash_qr_result result = {NULL, NULL};
    ash_qr_factors f;
    if (!ash__read_options("ash_qr", &o, sizeof o, options))
        return result;
    const ash__factor_call c = {"ash_qr", o.resources};
    if (ash__check_matrix(&c, "a", a, false))
        return result;
    const int64_t scope = ash_scope_open();
    if (!ash__qr_make(&c, a, ash__factor_dtype(a->dtype), &f)) {
        result.q = make_q(&c, f, o.full);
        result.r = result.q ? make_r(&c, f, o.full) : NULL;
    }
    if (!result.r)
        result.q = NULL;
    ash_keep(scope, result.q);
    ash_keep(scope, result.r);
    ash_scope_close(scope);
    return result;
}

/* ---- least squares */

ash_status ash__check_rank(const ash__factor_call *c, const ash_array *qr, int64_t count, const char *what)
{
    const int64_t members = ash__count(qr->shape, qr->rank - 2),
                  most = ash__rows_of(qr) > ash__columns_of(qr) ? ash__rows_of(qr) : ash__columns_of(qr);
    const double unit = ash__part(qr->dtype) == ASH_F32 ? FLT_EPSILON : DBL_EPSILON;
    const ash_map_options o = {.struct_size = sizeof o, .resources = c->given, .layout = ASH_ROW_MAJOR};
    ash_array *const diagonal = ash__factor_diagonal(c, qr);
    const ash_operand operand = ash_operand_array(diagonal);
    if (!diagonal || !diagonal->size)
        return diagonal ? ASH_OK : ash__last_status();
    ash_array *const sizes = ash__map_text_new(c->function, "abs", (ash_operands){&operand, 1}, &o);
    double *const r = sizes ? ash__alloc(c->function, members * count, sizeof *r) : NULL;
    ash_status status = r ? ash__read_numbers(c->function, sizes, r) : ash__last_status();
    for (int64_t k = 0; k < members && !status; k++) {
        double largest = 0;
        int64_t rank = 0, first = -1;
        for (int64_t i = 0; i < count; i++)
            largest = fmax(largest, r[k * count + i]);
        for (int64_t i = 0; i < count; i++)
            if (r[k * count + i] > (double)most * unit * largest)
                rank++;
            else if (first < 0)
                first = i;
        if (rank < count)
            status = ash__fail(ASH_ERR_VALUE, c->function,
                               "a has rank %lld, and %lld is wanted: %s %lld depends on those before it%s", (long long)rank,
                               (long long)count, what, (long long)first, members > 1 ? " in a member of the batch" : "");
    }
    ash__free(r);
    return status;
}

static ash_status check_factors(const ash__factor_call *c, ash_qr_factors f)
{
    if (ash__check_matrix(c, "f.qr", f.qr, false) || ash__check_array(c->function, "f.tau", f.tau))
        return ash__last_status();
    bool fits =
        f.tau->rank == f.qr->rank - 1 && f.tau->shape[f.tau->rank - 1] == ash__steps_of(f.qr) && f.tau->dtype == f.qr->dtype;
    for (int64_t k = 0; k < f.qr->rank - 2 && fits; k++)
        fits = f.tau->shape[k] == f.qr->shape[k];
    if (!fits)
        return ash__fail(ASH_ERR_SHAPE, c->function, "f.qr is %s of shape %s and f.tau %s %s", ash_dtype_name(f.qr->dtype),
                         ash_shape_text(f.qr), ash_dtype_name(f.tau->dtype), ash_shape_text(f.tau));
    return ash__rows_of(f.qr) < ash__columns_of(f.qr)
               ? ash__fail(ASH_ERR_SHAPE, c->function, "f.qr has shape %s; at least as many rows as columns are wanted",
                           ash_shape_text(f.qr))
               : ASH_OK;
}

/* The x of least |A x - b| with the factors of a tall A; in the scope that is open. */
ash_array *ash__qr_solve(const ash__factor_call *c, ash_qr_factors f, const ash_array *b)
{
    ash__right r;
    if (check_factors(c, f) || ash__check_array(c->function, "b", b))
        return NULL;
    const ash_dtype dtype = ash__right_dtype(c, f.qr, b);
    const int64_t n = ash__columns_of(f.qr);
    if (!dtype || ash__check_rank(c, f.qr, n, "column") ||
        ash__right_begin(&r, c, "f.qr", f.qr, ash__rows_of(f.qr), b, dtype) || ash__reflect_apply(c, f, true, r.matrix))
        return NULL;
    ash_array *const top = ash__factor_part(c, r.matrix, 0, n, 0, ash__columns_of(r.matrix));
    ash_array *const upper = ash__factor_part(c, f.qr, 0, n, 0, n);
    return top && upper && !ash__triangle_apply(c, upper, true, false, top) ? ash__right_top(c, &r, n) : NULL;
}

ash_array *ash_qr_solve_opt(ash_qr_factors f, const ash_array *b, const ash_factor_options *options)
{
    ash_factor_options o;
    if (!ash__read_options("ash_qr_solve", &o, sizeof o, options))
        return NULL;
    const ash__factor_call c = {"ash_qr_solve", o.resources};
    const int64_t scope = ash_scope_open();
    ash_array *const x = ash_keep(scope, ash__qr_solve(&c, f, b));
    ash_scope_close(scope);
    return x;
}
