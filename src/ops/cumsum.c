/* cumsum.c - running sums and products. Small integers are added as 64-bit ones. */
#include "ops/scanning.h"

static const ash__operator sum = {.text = "+", .fold = ASH__FOLD_SUM, .widen = true};
static const ash__operator prod = {.text = "*", .fold = ASH__FOLD_PROD, .widen = true};

ash_array *ash_cumsum_opt(const ash_array *a, const ash_scan_options *options)
{
    return ash__scan_new("ash_cumsum", &sum, a, options);
}
ash_array *ash_cumprod_opt(const ash_array *a, const ash_scan_options *options)
{
    return ash__scan_new("ash_cumprod", &prod, a, options);
}
