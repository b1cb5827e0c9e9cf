/* triangular_solve.c - systems with a triangular or diagonal matrix. */
#include "ashlar/order.h"
#include "core/error.h"
#include "core/options.h"
#include "linalg/factoring.h"
#include "ops/map.h"
#include "ops/place.h"

ash_status ash__triangle_apply(const ash__factor_call *c, const ash_array *a, bool upper, bool unit, ash_array *x)
{
    ash_array *const t = a->dtype == x->dtype ? ash_retain(a) : ash__plain(c->function, a, x->dtype, false, c->given);
    if (!t)
        return ash__last_status();
    const ash__factor_work work = {
        .say = {.op = ASH__FACTOR_TRIANGULAR, .upper = upper, .unit = unit, .conjugated = t->conjugated},
        .out = x,
        .operand = {t}};
    const ash_status status = ash__factor_run(c, &work);
    ash_release(t);
    return status;
}

/* In the scope that is open. x = b a^-1 is x^T = a^-T b^T. */
ash_array *ash__triangular_solve(const ash__factor_call *c, const ash_array *a, const ash_array *b,
                                 const ash_triangular_options *o)
{
    ash__right r;
    if (ash__check_matrix(c, "a", a, true) || ash__check_array(c->function, "b", b))
        return NULL;
    const ash_dtype dtype = ash__right_dtype(c, a, b);
    const int64_t n = a->shape[a->rank - 1];
    const bool rows = o->right && b->rank > 1; /* b's rows are what is solved for */
    if (rows && b->shape[b->rank - 1] != n) {
        ash__fail(ASH_ERR_SHAPE, c->function, "b has shape %s and a %s; %lld columns are wanted", ash_shape_text(b),
                  ash_shape_text(a), (long long)n);
        return NULL;
    }
    if (!dtype || ash__right_begin(&r, c, "a", a, rows ? b->shape[b->rank - 2] : n, b, dtype))
        return NULL;
    const ash_array *const t = o->right ? ash__factor_turned(c, a, false) : a;
    ash_array *const columns = rows ? ash__factor_turned(c, r.matrix, false) : r.matrix;
    return t && columns && !ash__triangle_apply(c, t, o->upper != o->right, o->unit, columns) ? r.x : NULL;
}

ash_array *ash_triangular_solve_opt(const ash_array *a, const ash_array *b, const ash_triangular_options *options)
{
    ash_triangular_options o;
    if (!ash__read_options("ash_triangular_solve", &o, sizeof o, options))
        return NULL;
    const ash__factor_call c = {"ash_triangular_solve", o.resources};
    const int64_t scope = ash_scope_open();
    ash_array *const x = ash_keep(scope, ash__triangular_solve(&c, a, b, &o));
    ash_scope_close(scope);
    return x;
}

ash_status ash_triangular_solve_into_opt(ash_array *out, const ash_array *a, const ash_array *b,
                                         const ash_triangular_options *options)
{
    ash_triangular_options o;
    if (!ash__read_options("ash_triangular_solve_into", &o, sizeof o, options))
        return ash__last_status();
    const ash__factor_call c = {"ash_triangular_solve_into", o.resources};
    const int64_t scope = ash_scope_open();
    const ash_array *const x = ash__triangular_solve(&c, a, b, &o);
    const ash_status status = x ? ash__right_into(&c, out, x) : ash__last_status();
    ash_scope_close(scope);
    return status;
}

/* ---- a diagonal */

static ash_status check_diagonal(const ash__factor_call *c, const ash_array *d)
{
    char text[ASH__SHAPE_TEXT];
    int64_t index[ASH_MAX_RANK];
    const ash_find_options o = {.struct_size = sizeof o, .resources = c->given, .predicate = "x -> x == 0"};
    const int64_t at = ash_find_first_opt(d, &o);
    if (at < 0)
        return ash_failed() ? ash__last_status() : ASH_OK;
    ash__index_at(ASH_ROW_MAJOR, d->shape, d->rank, at, index);
    if (d->rank == 1)
        return ash__fail(ASH_ERR_VALUE, c->function, "element %lld of d is 0", (long long)at);
    return ash__fail(ASH_ERR_VALUE, c->function, "element %s of d is 0", ash__shape_text(text, sizeof text, index, d->rank));
}

/* In the scope that is open. */
ash_array *ash__diagonal_solve(const ash__factor_call *c, const ash_array *d, const ash_array *b)
{
    ash__right r;
    if (ash__check_array(c->function, "d", d) || ash__check_array(c->function, "b", b))
        return NULL;
    if (d->rank < 1) {
        ash__fail(ASH_ERR_SHAPE, c->function, "d has shape (); the elements of a diagonal are wanted");
        return NULL;
    }
    if (!ash__factor_dtype(d->dtype)) {
        ash__fail(ASH_ERR_DTYPE, c->function, "d is %s; numbers are wanted", ash_dtype_name(d->dtype));
        return NULL;
    }
    int64_t shape[ASH_MAX_RANK], stride[ASH_MAX_RANK];
    memcpy(shape, d->shape, (size_t)d->rank * sizeof *shape);
    memcpy(stride, d->stride, (size_t)d->rank * sizeof *stride);
    shape[d->rank] = 1;
    stride[d->rank] = 0;
    const ash_dtype dtype = ash__right_dtype(c, d, b);
    ash_array *const column =
        dtype && d->rank < ASH_MAX_RANK ? ash__view(c->function, d, d->dtype, shape, stride, d->rank + 1, d->offset) : NULL;
    if (!column || check_diagonal(c, d) || ash__right_begin(&r, c, "d", column, d->shape[d->rank - 1], b, dtype))
        return NULL;
    const ash_operand operand[2] = {ash_operand_array(r.matrix), ash_operand_array(column)};
    return ash__map_text_to(c->function, r.matrix, "(b, d) -> b / d", (ash_operands){operand, 2}, c->given) ? NULL : r.x;
}

ash_array *ash_diagonal_solve_opt(const ash_array *d, const ash_array *b, const ash_factor_options *options)
{
    ash_factor_options o;
    if (!ash__read_options("ash_diagonal_solve", &o, sizeof o, options))
        return NULL;
    const ash__factor_call c = {"ash_diagonal_solve", o.resources};
    const int64_t scope = ash_scope_open();
    ash_array *const x = ash_keep(scope, ash__diagonal_solve(&c, d, b));
    ash_scope_close(scope);
    return x;
}
