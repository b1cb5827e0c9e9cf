/* lu.c - LU factors with rows exchanged, solving with them, and what they are made of. */
#include "core/error.h"
#include "core/options.h"
#include "linalg/factoring.h"
#include "ops/place.h"
#include "ops/task.h"

ash_status ash__lu_make(const ash__factor_call *c, const ash_array *a, ash_dtype dtype, ash__factor_check check,
                        ash_lu_factors *f)
{
    const int64_t count = ash__steps_of(a);
    f->lu = ash__factor_copy(c, a, dtype);
    f->pivots = f->lu ? ash__factor_beside(c, a, ASH_I64, &count, 1) : NULL;
    return f->pivots ? ash__factor_in_place(c, ASH__FACTOR_LU, false, a, f->lu, f->pivots, check) : ash__last_status();
}

ash_lu_factors ash_lu_opt(const ash_array *a, const ash_lu_options *options)
{
    ash_lu_options o;
    ash_lu_factors f = {NULL, NULL};
    if (!ash__read_options("ash_lu", &o, sizeof o, options))
        return f;
    const ash__factor_call c = {"ash_lu", o.resources};
    if (ash__check_matrix(&c, "a", a, false))
        return f;
    const int64_t scope = ash_scope_open();
    if (ash__lu_make(&c, a, ash__factor_dtype(a->dtype), o.no_check ? ASH__CHECK_NONE : ASH__CHECK_ALL, &f))
        f = (ash_lu_factors){NULL, NULL};
    ash_keep(scope, f.lu);
    ash_keep(scope, f.pivots);
    ash_scope_close(scope);
    return f;
}

/* ---- factors that are there */

ash_status ash__check_lu(const ash__factor_call *c, ash_lu_factors f, bool square)
{
    if (ash__check_matrix(c, "f.lu", f.lu, square) || ash__check_array(c->function, "f.pivots", f.pivots))
        return ash__last_status();
    if (ash__factor_dtype(f.lu->dtype) != f.lu->dtype)
        return ash__fail(ASH_ERR_DTYPE, c->function, "f.lu is %s; f32, f64, c_f32 or c_f64 is wanted",
                         ash_dtype_name(f.lu->dtype));
    if (f.pivots->dtype != ASH_I64)
        return ash__fail(ASH_ERR_DTYPE, c->function, "f.pivots are %s; i64 is wanted", ash_dtype_name(f.pivots->dtype));
    bool fits = f.pivots->rank == f.lu->rank - 1 && f.pivots->shape[f.pivots->rank - 1] == ash__steps_of(f.lu);
    for (int64_t k = 0; k < f.lu->rank - 2 && fits; k++)
        fits = f.pivots->shape[k] == f.lu->shape[k];
    if (!fits)
        return ash__fail(ASH_ERR_SHAPE, c->function, "f.lu has shape %s and f.pivots %s", ash_shape_text(f.lu),
                         ash_shape_text(f.pivots));
    return ASH_OK;
}

/* Element by element where b is. */
static bool same_mapping(const ash_array *a, const ash_array *b)
{
    return ash__data(a) == ash__data(b) && a->dtype == b->dtype && a->conjugated == b->conjugated &&
           !memcmp(a->stride, b->stride, (size_t)a->rank * sizeof *a->stride);
}

ash_status ash_lu_into_opt(ash_lu_factors f, const ash_array *a, const ash_lu_options *options)
{
    ash_lu_options o;
    if (!ash__read_options("ash_lu_into", &o, sizeof o, options))
        return ash__last_status();
    const ash__factor_call c = {"ash_lu_into", o.resources};
    if (ash__check_matrix(&c, "a", a, false) || ash__check_lu(&c, f, false) || ash__check_writable(c.function, "f.lu", f.lu) ||
        ash__check_writable(c.function, "f.pivots", f.pivots))
        return ash__last_status();
    if (!ash_same_shape(f.lu, a))
        return ash__fail(ASH_ERR_SHAPE, c.function, "a has shape %s and f.lu %s", ash_shape_text(a), ash_shape_text(f.lu));
    if (f.lu->conjugated || ash__factor_dtype(a->dtype) != f.lu->dtype)
        return ash__fail(ASH_ERR_DTYPE, c.function, "a is %s and f.lu %s%s", ash_dtype_name(a->dtype),
                         ash_dtype_name(f.lu->dtype), f.lu->conjugated ? ", conjugated" : "");
    const int64_t scope = ash_scope_open();
    ash_status status = ASH_OK;
    const ash_array *from = a;
    if (ash__may_overlap(f.lu, a) && !same_mapping(f.lu, a)) {
        from = ash__factor_copy(&c, a, f.lu->dtype);
        status = from ? ASH_OK : ash__last_status();
    }
    if (!status)
        status = ash__convert_elements(c.function, f.lu, from, false, c.given);
    if (!status)
        status =
            ash__factor_in_place(&c, ASH__FACTOR_LU, false, a, f.lu, f.pivots, o.no_check ? ASH__CHECK_NONE : ASH__CHECK_ALL);
    ash_scope_close(scope);
    return status;
}

/* ---- solving */

ash_status ash__lu_apply(const ash__factor_call *c, ash_lu_factors f, ash_array *x)
{
    ash_array *const lu = ash__plain(c->function, f.lu, x->dtype, false, c->given);
    if (!lu)
        return ash__last_status();
    const ash__factor_work work = {.say = {.op = ASH__FACTOR_LU_SOLVE}, .out = x, .operand = {lu, f.pivots}};
    const ash_status status = ash__factor_run(c, &work);
    ash_release(lu);
    return status;
}

/* In the scope that is open. */
static ash_array *solve(const ash__factor_call *c, ash_lu_factors f, const ash_array *b)
{
    ash__right r;
    if (ash__check_lu(c, f, true) || ash__check_array(c->function, "b", b))
        return NULL;
    const ash_dtype dtype = ash__right_dtype(c, f.lu, b);
    if (!dtype || ash__right_begin(&r, c, "f.lu", f.lu, f.lu->shape[f.lu->rank - 1], b, dtype) || ash__lu_apply(c, f, r.matrix))
        return NULL;
    return r.x;
}

ash_array *ash_lu_solve_opt(ash_lu_factors f, const ash_array *b, const ash_factor_options *options)
{
    ash_factor_options o;
    if (!ash__read_options("ash_lu_solve", &o, sizeof o, options))
        return NULL;
    const ash__factor_call c = {"ash_lu_solve", o.resources};
    const int64_t scope = ash_scope_open();
    ash_array *const x = ash_keep(scope, solve(&c, f, b));
    ash_scope_close(scope);
    return x;
}

ash_status ash_lu_solve_into_opt(ash_array *out, ash_lu_factors f, const ash_array *b, const ash_factor_options *options)
{
    ash_factor_options o;
    if (!ash__read_options("ash_lu_solve_into", &o, sizeof o, options))
        return ash__last_status();
    const ash__factor_call c = {"ash_lu_solve_into", o.resources};
    const int64_t scope = ash_scope_open();
    const ash_array *const x = solve(&c, f, b);
    const ash_status status = x ? ash__right_into(&c, out, x) : ash__last_status();
    ash_scope_close(scope);
    return status;
}
