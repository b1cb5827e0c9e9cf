/* pinv.c - the pseudo-inverse: v * diag(1/s) * u^H, singular values that are as good as 0 left out. */
#include "ashlar/spectral.h"
#include "ashlar/view.h"
#include "core/error.h"
#include "core/options.h"
#include "linalg/spectral.h"
#include "ops/map.h"

/* In the scope that is open. */
static ash_array *pseudo_inverse(const char *function, const ash_array *a, const ash_rank_options *o)
{
    const ash_svd_result d = ash__svd(function, a, o->resources);
    ash_array *const inverse =
        d.s ? ash__values_text(function, "(s, m, r, t) -> s > max(t, r*m) ? 1 / s : 0", d.s, o->rtol, o->atol, o->resources)
            : NULL;
    ash_array *const column = inverse ? ash_insert_axis(inverse, -1) : NULL;
    if (!column)
        return NULL;
    const ash_operand both[2] = {ash_operand_array(d.vt), ash_operand_array(column)};
    ash_array *const scaled =
        ash__map_text_new(function, "(v, s) -> v*s", (ash_operands){both, 2}, &(ash_map_options){.resources = o->resources});
    ash_array *const v = scaled ? ash_adjoint(scaled) : NULL, *const u = v ? ash_adjoint(d.u) : NULL;
    return u ? ash__multiply(function, v, u, o->resources) : NULL;
}

ash_array *ash_pinv_opt(const ash_array *a, const ash_rank_options *options)
{
    static const char f[] = "ash_pinv";
    ash_rank_options o;
    if (!ash__read_options(f, &o, sizeof o, options) || ash__check_array(f, "a", a) ||
        !ash__rank_tolerances(f, a, &o.rtol, &o.atol))
        return NULL;
    const int64_t scope = ash_scope_open();
    ash_array *const out = scope < 0 ? NULL : ash_keep(scope, pseudo_inverse(f, a, &o));
    ash_scope_close(scope);
    return out;
}
