/* gemm_into.c - c = alpha a b + beta c. */
#include "ashlar/linalg.h"
#include "core/error.h"
#include "core/options.h"
#include "linalg/product.h"

ash_status ash_gemm_into_opt(ash_array *c, const ash_array *a, const ash_array *b, const ash_gemm_options *options)
{
    static const char name[] = "ash_gemm_into";
    ash_gemm_options o;
    ash__factors f;
    if (!ash__read_options(name, &o, sizeof o, options))
        return ash__last_status();
    ash_status status;
    if (!o.resources && !o.alpha.kind && !o.beta.kind && !o.a_structure && !o.b_structure &&
        ash__plain_product_into(name, c, a, b, &status))
        return status;
    status = ash__check_writable(name, "c", c);
    if (!status)
        status = ash__factors_begin(&f, name, a, b, o.a_structure, o.b_structure, c, o.resources);
    return status ? status : ash__factors_into(&f, c, &o.alpha, &o.beta);
}
