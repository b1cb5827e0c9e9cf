/* rand.c - uniform, normal and exponential numbers. */
#include "core/error.h"
#include "core/options.h"
#include "random/draw.h"

static ash_array *draw_new(const char *function, ash__drawing drawing, ash_dims shape, const ash_rand_options *options)
{
    ash_rand_options o;
    if (!ash__read_options(function, &o, sizeof o, options))
        return NULL;
    const ash__wanted wanted = {.function = function, .drawing = drawing, .first = o.first, .rng = o.rng, .given = o.resources};
    const ash__make make = {
        .resources = o.resources, .dtype = o.dtype, .layout = o.layout, .storage = o.storage, .memory = o.memory};
    return ash__draw_new(&wanted, shape, &make);
}

static ash_status draw_into(const char *function, ash__drawing drawing, ash_array *a, const ash_rand_into_options *options)
{
    ash_rand_into_options o;
    if (!ash__read_options(function, &o, sizeof o, options))
        return ash__last_status();
    const ash__wanted wanted = {.function = function, .drawing = drawing, .first = o.first, .rng = o.rng, .given = o.resources};
    return ash__draw_into(&wanted, a);
}

ash_array *ash_rand_opt(ash_dims shape, const ash_rand_options *options)
{
    return draw_new("ash_rand", ASH__DRAW_UNIFORM, shape, options);
}
ash_array *ash_randn_opt(ash_dims shape, const ash_rand_options *options)
{
    return draw_new("ash_randn", ASH__DRAW_NORMAL, shape, options);
}
ash_array *ash_randexp_opt(ash_dims shape, const ash_rand_options *options)
{
    return draw_new("ash_randexp", ASH__DRAW_EXPONENTIAL, shape, options);
}

ash_status ash_rand_into_opt(ash_array *a, const ash_rand_into_options *options)
{
    return draw_into("ash_rand_into", ASH__DRAW_UNIFORM, a, options);
}
ash_status ash_randn_into_opt(ash_array *a, const ash_rand_into_options *options)
{
    return draw_into("ash_randn_into", ASH__DRAW_NORMAL, a, options);
}
ash_status ash_randexp_into_opt(ash_array *a, const ash_rand_into_options *options)
{
    return draw_into("ash_randexp_into", ASH__DRAW_EXPONENTIAL, a, options);
}
