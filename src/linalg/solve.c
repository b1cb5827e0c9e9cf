/* solve.c - systems of equations by LU. */
#include "core/error.h"
#include "core/options.h"
#include "linalg/factoring.h"

/* In the scope that is open. */
static ash_array *solve(const ash__factor_call *c, const ash_array *a, const ash_array *b)
{
    ash__right r;
    ash_lu_factors f;
    if (ash__check_matrix(c, "a", a, true) || ash__check_array(c->function, "b", b))
        return NULL;
    const ash_dtype dtype = ash__right_dtype(c, a, b);
    return !dtype || ash__right_begin(&r, c, "a", a, a->shape[a->rank - 1], b, dtype) ||
                   ash__lu_make(c, a, dtype, ASH__CHECK_ALL, &f) || ash__lu_apply(c, f, r.matrix)
               ? NULL
               : r.x;
}

ash_array *ash_solve_opt(const ash_array *a, const ash_array *b, const ash_factor_options *options)
{
    ash_factor_options o;
    if (!ash__read_options("ash_solve", &o, sizeof o, options))
        return NULL;
    const ash__factor_call c = {"ash_solve", o.resources};
    const int64_t scope = ash_scope_open();
    ash_array *const x = ash_keep(scope, solve(&c, a, b));
    ash_scope_close(scope);
    return x;
}
