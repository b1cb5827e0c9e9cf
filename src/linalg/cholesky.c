/* cholesky.c - Cholesky factors, and solving with them. */
#include "core/error.h"
#include "core/options.h"
#include "linalg/factoring.h"

ash_array *ash__cholesky_make(const ash__factor_call *c, const ash_array *a, ash_dtype dtype, bool upper,
                              ash__factor_check check)
{
    ash_array *const l = ash__factor_copy(c, a, dtype);
    return l && !ash__factor_in_place(c, ASH__FACTOR_CHOLESKY, upper, a, l, NULL, check) ? l : NULL;
}

ash_array *ash_cholesky_opt(const ash_array *a, const ash_cholesky_options *options)
{
    ash_cholesky_options o;
    if (!ash__read_options("ash_cholesky", &o, sizeof o, options))
        return NULL;
    const ash__factor_call c = {"ash_cholesky", o.resources};
    if (ash__check_matrix(&c, "a", a, true))
        return NULL;
    const int64_t scope = ash_scope_open();
    ash_array *const l =
        ash__cholesky_make(&c, a, ash__factor_dtype(a->dtype), o.upper, o.no_check ? ASH__CHECK_NONE : ASH__CHECK_ALL);
    ash_keep(scope, l);
    ash_scope_close(scope);
    return l;
}

ash_status ash_cholesky_into_opt(ash_array *out, const ash_array *a, const ash_cholesky_options *options)
{
    ash_cholesky_options o;
    if (!ash__read_options("ash_cholesky_into", &o, sizeof o, options))
        return ash__last_status();
    const ash__factor_call c = {"ash_cholesky_into", o.resources};
    if (ash__check_matrix(&c, "a", a, true))
        return ash__last_status();
    const int64_t scope = ash_scope_open();
    const ash_array *const l =
        ash__cholesky_make(&c, a, ash__factor_dtype(a->dtype), o.upper, o.no_check ? ASH__CHECK_NONE : ASH__CHECK_ALL);
    const ash_status status = l ? ash__right_into(&c, out, l) : ash__last_status();
    ash_scope_close(scope);
    return status;
}

/* L L^H x = b, or U^H U x = b; in the scope that is open. */
ash_array *ash__cholesky_solve(const ash__factor_call *c, const ash_array *l, const ash_array *b, bool upper)
{
    ash__right r;
    if (ash__check_matrix(c, "l", l, true) || ash__check_array(c->function, "b", b))
        return NULL;
    const ash_dtype dtype = ash__right_dtype(c, l, b);
    ash_array *const adjoint = dtype ? ash__factor_turned(c, l, true) : NULL;
    if (!adjoint || ash__right_begin(&r, c, "l", l, l->shape[l->rank - 1], b, dtype))
        return NULL;
    const ash_array *const first = upper ? adjoint : l, *const second = upper ? l : adjoint;
    return ash__triangle_apply(c, first, false, false, r.matrix) || ash__triangle_apply(c, second, true, false, r.matrix) ? NULL
                                                                                                                          : r.x;
}

ash_array *ash_cholesky_solve_opt(const ash_array *l, const ash_array *b, const ash_cholesky_options *options)
{
    ash_cholesky_options o;
    if (!ash__read_options("ash_cholesky_solve", &o, sizeof o, options))
        return NULL;
    const ash__factor_call c = {"ash_cholesky_solve", o.resources};
    const int64_t scope = ash_scope_open();
    ash_array *const x = ash_keep(scope, ash__cholesky_solve(&c, l, b, o.upper));
    ash_scope_close(scope);
    return x;
}

ash_status ash_cholesky_solve_into_opt(ash_array *out, const ash_array *l, const ash_array *b,
                                       const ash_cholesky_options *options)
{
    ash_cholesky_options o;
    if (!ash__read_options("ash_cholesky_solve_into", &o, sizeof o, options))
        return ash__last_status();
    const ash__factor_call c = {"ash_cholesky_solve_into", o.resources};
    const int64_t scope = ash_scope_open();
    const ash_array *const x = ash__cholesky_solve(&c, l, b, o.upper);
    const ash_status status = x ? ash__right_into(&c, out, x) : ash__last_status();
    ash_scope_close(scope);
    return status;
}
