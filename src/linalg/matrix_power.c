/* matrix_power.c - whole powers of square matrices, by squaring: at most 2*log2(n) products. */
#include "ashlar/spectral.h"
#include "ashlar/view.h"
#include "core/error.h"
#include "core/options.h"
#include "linalg/spectral.h"

/* a to the power n >= 1, in the scope that is open. */
static ash_array *raised(const char *function, const ash_array *a, uint64_t n, ash_resources *given)
{
    ash_array *square = ash_copy(a, .resources = given), *product = NULL;
    for (; square; n >>= 1) {
        if (n & 1) {
            ash_replace(&product, product ? ash__multiply(function, product, square, given) : ash_share(square));
            if (!product || n == 1)
                return product;
        }
        ash_replace(&square, ash__multiply(function, square, square, given));
    }
    return NULL;
}

static ash_array *any_power(const char *function, const ash_array *a, int64_t n, ash_resources *given)
{
    const int64_t size = a->shape[a->rank - 1];
    if (n > 0)
        return raised(function, a, (uint64_t)n, given);
    if (n < 0) {
        ash_array *const inverse = ash__inverse(function, a, ASH__CHECK_ALL, given);
        return inverse ? raised(function, inverse, -(uint64_t)n, given) : NULL;
    }
    ash_array *const one = ash_eye(size, .dtype = a->dtype, .resources = ash__resources_on(function, ash__device(a), given),
                                   .storage = a->storage);
    ash_array *const all = one ? ash_broadcast_to(one, ash__dims(a)) : NULL;
    return all ? ash_copy(all, .layout = ash__layout_like(a), .resources = given) : NULL;
}

ash_array *ash_matrix_power_opt(const ash_array *a, int64_t power, const ash_spectral_options *options)
{
    static const char f[] = "ash_matrix_power";
    ash_spectral_options o;
    if (!ash__read_options(f, &o, sizeof o, options) || ash__check_matrix(&(ash__factor_call){f, o.resources}, "a", a, true))
        return NULL;
    const int64_t scope = ash_scope_open();
    ash_array *const out = scope < 0 ? NULL : ash_keep(scope, any_power(f, a, power, o.resources));
    ash_scope_close(scope);
    return out;
}
