/*
 * solve.c - systems of equations: by LU, or as the structure of the matrix allows.
 *
 * A matrix that is known by one triangle is filled in for LU, or, when it is positive definite, factored as it stands.
 */
#include "ashlar/spectral.h"
#include "core/error.h"
#include "core/options.h"
#include "linalg/factoring.h"
#include "ops/map.h"

/* What ASH_SYMMETRIC_LOWER and the like say. */
typedef struct triangle {
    bool mirrored, hermitian, triangular, unit, upper;
} triangle;

static triangle triangle_of(ash_structure s)
{
    return (triangle){.mirrored = s >= ASH_SYMMETRIC_LOWER && s <= ASH_HERMITIAN_UPPER,
                      .hermitian = s == ASH_HERMITIAN_LOWER || s == ASH_HERMITIAN_UPPER,
                      .triangular = s >= ASH_TRIANGULAR_LOWER && s <= ASH_UNIT_UPPER,
                      .unit = s == ASH_UNIT_LOWER || s == ASH_UNIT_UPPER,
                      .upper = s == ASH_SYMMETRIC_UPPER || s == ASH_HERMITIAN_UPPER || s == ASH_TRIANGULAR_UPPER ||
                               s == ASH_UNIT_UPPER};
}

/* All of a matrix of which one triangle is given; the diagonal of a Hermitian one counts as real. */
static ash_array *filled(const ash__factor_call *c, const ash_array *a, triangle t)
{
    const bool conjugated = t.hermitian && ash__is_complex(a->dtype);
    const ash_mirror_options o = {.struct_size = sizeof o, .resources = c->given, .upper = t.upper, .conjugated = conjugated};
    ash_array *const all = ash_mirror_opt(a, &o), *const diagonal = all && conjugated ? ash__factor_diagonal(c, all) : NULL;
    const ash_operand own = ash_operand_array(diagonal);
    if (!all || !conjugated)
        return all;
    return diagonal && !ash__map_text_to(c->function, diagonal, "x -> real(x)", (ash_operands){&own, 1}, c->given) ? all : NULL;
}

static ash_array *by_cholesky(const ash__factor_call *c, const ash_array *a, const ash_array *b, bool upper)
{
    const ash_dtype dtype = ash__right_dtype(c, a, b);
    const ash_array *const l = dtype ? ash__cholesky_make(c, a, dtype, upper, ASH__CHECK_ALL) : NULL;
    return l ? ash__cholesky_solve(c, l, b, upper) : NULL;
}

static ash_array *by_lu(const ash__factor_call *c, const ash_array *a, const ash_array *b)
{
    ash__right r;
    ash_lu_factors f;
    const ash_dtype dtype = ash__right_dtype(c, a, b);
    return !dtype || ash__right_begin(&r, c, "a", a, a->shape[a->rank - 1], b, dtype) ||
                   ash__lu_make(c, a, dtype, ASH__CHECK_ALL, &f) || ash__lu_apply(c, f, r.matrix)
               ? NULL
               : r.x;
}

static ash_status check_options(const ash__factor_call *c, const ash_array *a, const ash_solve_options *o, triangle t)
{
    if (o->structure < ASH_STRUCTURE_DEFAULT || o->structure > ASH_DIAGONAL)
        return ash__fail(ASH_ERR_ARGUMENT, c->function, "unknown structure %d", (int)o->structure);
    const bool hermitian = o->structure <= ASH_GENERAL || t.hermitian || (t.mirrored && !ash__is_complex(a->dtype));
    return o->positive && !hermitian
               ? ash__fail(ASH_ERR_ARGUMENT, c->function, ".positive is for general and Hermitian matrices")
               : ASH_OK;
}

/* In the scope that is open. */
static ash_array *solve(const ash__factor_call *c, const ash_array *a, const ash_array *b, const ash_solve_options *o)
{
    const triangle t = triangle_of(o->structure);
    const bool diagonal = o->structure == ASH_DIAGONAL;
    if ((diagonal ? ash__check_array(c->function, "a", a) : ash__check_matrix(c, "a", a, true)) ||
        ash__check_array(c->function, "b", b) || check_options(c, a, o, t))
        return NULL;
    if (diagonal)
        return ash__diagonal_solve(c, a, b);
    if (o->positive)
        return by_cholesky(c, a, b, t.upper);
    if (t.triangular)
        return ash__triangular_solve(c, a, b, &(ash_triangular_options){.upper = t.upper, .unit = t.unit});
    const ash_array *const all = t.mirrored ? filled(c, a, t) : a;
    return all ? by_lu(c, all, b) : NULL;
}

ash_array *ash_solve_opt(const ash_array *a, const ash_array *b, const ash_solve_options *options)
{
    ash_solve_options o;
    if (!ash__read_options("ash_solve", &o, sizeof o, options))
        return NULL;
    const ash__factor_call c = {"ash_solve", o.resources};
    const int64_t scope = ash_scope_open();
    ash_array *const x = ash_keep(scope, solve(&c, a, b, &o));
    ash_scope_close(scope);
    return x;
}
