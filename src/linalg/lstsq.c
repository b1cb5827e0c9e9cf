/*
 * lstsq.c - the x of least |A x - b|, by QR.
 *
 * Of a wide A that has full rank there are many, all with A x = b: with A^H = Q R the shortest is Q R^-H b.
 */
#include "core/error.h"
#include "core/options.h"
#include "linalg/factoring.h"
#include "ops/task.h"

/* In the scope that is open. */
static ash_array *shortest(const ash__factor_call *c, const ash_array *a, const ash_array *b, ash_dtype dtype)
{
    ash__right r;
    ash_qr_factors f;
    const int64_t m = a->shape[a->rank - 2], n = a->shape[a->rank - 1];
    ash_array *const adjoint = ash__factor_turned(c, a, true);
    if (!adjoint || ash__qr_make(c, adjoint, dtype, &f) || ash__check_rank(c, f.qr, m, "row") ||
        ash__right_begin(&r, c, "a", a, m, b, dtype))
        return NULL;
    ash_array *const upper = ash__factor_part(c, f.qr, 0, m, 0, m);
    ash_array *const lower = upper ? ash__factor_turned(c, upper, true) : NULL;
    if (!lower || ash__triangle_apply(c, lower, false, false, r.matrix))
        return NULL;
    const int64_t columns = r.matrix->shape[r.matrix->rank - 1], tail[2] = {n, columns};
    ash_array *const x = ash__factor_beside(c, r.matrix, dtype, tail, r.vector ? 1 : 2);
    ash__right result = {x, x, r.vector};
    if (!x || ash__fill_zeros(c->function, x, c->given) || ash__right_column(c, &result))
        return NULL;
    ash_array *const top = ash__factor_part(c, result.matrix, 0, m, 0, columns);
    return top && !ash__copy_elements(c->function, top, r.matrix, c->given) && !ash__reflect_apply(c, f, false, result.matrix)
               ? x
               : NULL;
}

static ash_array *least_squares(const ash__factor_call *c, const ash_array *a, const ash_array *b)
{
    ash_qr_factors f;
    if (ash__check_matrix(c, "a", a, false) || ash__check_array(c->function, "b", b))
        return NULL;
    const ash_dtype dtype = ash__right_dtype(c, a, b);
    if (!dtype)
        return NULL;
    if (a->shape[a->rank - 2] < a->shape[a->rank - 1])
        return shortest(c, a, b, dtype);
    return ash__qr_make(c, a, dtype, &f) ? NULL : ash__qr_solve(c, f, b);
}

ash_array *ash_lstsq_opt(const ash_array *a, const ash_array *b, const ash_factor_options *options)
{
    ash_factor_options o;
    if (!ash__read_options("ash_lstsq", &o, sizeof o, options))
        return NULL;
    const ash__factor_call c = {"ash_lstsq", o.resources};
    const int64_t scope = ash_scope_open();
    ash_array *const x = ash_keep(scope, least_squares(&c, a, b));
    ash_scope_close(scope);
    return x;
}
