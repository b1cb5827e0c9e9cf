/* sum.c - sums and products along axes. Small integers are added as 64-bit ones. */
#include "ops/reduction.h"

static const ash__operator sum = {.text = "+", .fold = ASH__FOLD_SUM, .widen = true};
static const ash__operator prod = {.text = "*", .fold = ASH__FOLD_PROD, .widen = true};

ash_array *ash_sum_opt(const ash_array *a, const ash_reduce_options *options)
{
    return ash__reduce_named("ash_sum", sum, a, options);
}

ash_status ash_sum_into_opt(ash_array *out, const ash_array *a, const ash_reduce_options *options)
{
    return ash__reduce_named_into("ash_sum_into", sum, out, a, options);
}

ash_array *ash_prod_opt(const ash_array *a, const ash_reduce_options *options)
{
    return ash__reduce_named("ash_prod", prod, a, options);
}

ash_status ash_prod_into_opt(ash_array *out, const ash_array *a, const ash_reduce_options *options)
{
    return ash__reduce_named_into("ash_prod_into", prod, out, a, options);
}
