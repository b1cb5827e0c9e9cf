/* inv.c - the inverse of a matrix: A X = I by LU. */
#include "core/error.h"
#include "core/options.h"
#include "linalg/factoring.h"

/* In the scope that is open. */
static ash_array *invert(const ash__factor_call *c, const ash_array *a)
{
    ash_lu_factors f;
    if (ash__check_matrix(c, "a", a, true) || ash__lu_make(c, a, ash__factor_dtype(a->dtype), ASH__CHECK_ALL, &f))
        return NULL;
    const int64_t n = a->shape[a->rank - 1];
    ash_array *const x = ash__factor_identity(c, f.lu, f.lu->dtype, n, n);
    return x && !ash__lu_apply(c, f, x) ? x : NULL;
}

ash_array *ash_inv_opt(const ash_array *a, const ash_factor_options *options)
{
    ash_factor_options o;
    if (!ash__read_options("ash_inv", &o, sizeof o, options))
        return NULL;
    const ash__factor_call c = {"ash_inv", o.resources};
    const int64_t scope = ash_scope_open();
    ash_array *const x = ash_keep(scope, invert(&c, a));
    ash_scope_close(scope);
    return x;
}
