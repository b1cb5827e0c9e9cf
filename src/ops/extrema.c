/* extrema.c - the smallest and the largest elements along axes. */
#include "ops/reduction.h"

static const ash__operator min = {.text = "min", .fold = ASH__FOLD_MIN};
static const ash__operator max = {.text = "max", .fold = ASH__FOLD_MAX};

ash_array *ash_min_opt(const ash_array *a, const ash_reduce_options *options)
{
    return ash__reduce_named("ash_min", min, a, options);
}

ash_status ash_min_into_opt(ash_array *out, const ash_array *a, const ash_reduce_options *options)
{
    return ash__reduce_named_into("ash_min_into", min, out, a, options);
}

ash_array *ash_max_opt(const ash_array *a, const ash_reduce_options *options)
{
    return ash__reduce_named("ash_max", max, a, options);
}

ash_status ash_max_into_opt(ash_array *out, const ash_array *a, const ash_reduce_options *options)
{
    return ash__reduce_named_into("ash_max_into", max, out, a, options);
}

ash_extrema_result ash_extrema_opt(const ash_array *a, const ash_reduce_options *options)
{
    static const char name[] = "ash_extrema";
    ash_extrema_result result = {ash__reduce_named(name, min, a, options), NULL};
    if (result.min)
        result.max = ash__reduce_named(name, max, a, options);
    if (!result.max) {
        ash_release(result.min);
        result.min = NULL;
    }
    return result;
}
