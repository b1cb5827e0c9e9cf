/* map_reduce.c - a function of any arrays, folded along axes in the same pass. */
#include "core/error.h"
#include "ops/map.h"
#include "ops/reduction.h"

static ash_array *map_reduce(const ash_function *map, const char *op, ash_operands operands, const ash_reduce_options *options)
{
    static const char name[] = "ash_map_reduce";
    ash_reduce_options o;
    ash__operator by;
    if (!ash__reduce_options(name, ASH__USES_INIT | ASH__USES_WHERE, options, &o) || !ash__operator_open(name, op, &by))
        return NULL;
    const ash__reduction r = {.function = name, .map = map, .op = &by, .operands = operands};
    ash_array *out = ash__reduce_new(&r, &o);
    ash__operator_close(&by);
    return out;
}

ash_array *ash_map_reduce_opt(const char *function, const char *op, ash_operands operands, const ash_reduce_options *options)
{
    ash_function *map = ash__function_for("ash_map_reduce", function);
    ash_array *out = map ? map_reduce(map, op, operands, options) : NULL;
    ash_function_release(map);
    return out;
}

ash_array *ash_map_reduce_function_opt(const ash_function *function, const char *op, ash_operands operands,
                                       const ash_reduce_options *options)
{
    return ash__check_function("ash_map_reduce", function) ? map_reduce(function, op, operands, options) : NULL;
}

ash_status ash_map_reduce_into_opt(ash_array *out, const char *function, const char *op, ash_operands operands,
                                   const ash_reduce_options *options)
{
    static const char name[] = "ash_map_reduce_into";
    ash_reduce_options o;
    ash__operator by;
    if (!ash__reduce_options(name, ASH__USES_INIT | ASH__USES_WHERE | ASH__USES_ACCUMULATE, options, &o))
        return ash__last_status();
    ash_function *map = ash__function_for(name, function);
    if (!map || !ash__operator_open(name, op, &by)) {
        ash_function_release(map);
        return ash__last_status();
    }
    const ash__reduction r = {.function = name, .map = map, .op = &by, .operands = operands};
    const ash_status status = ash__reduce_into(&r, out, &o);
    ash__operator_close(&by);
    ash_function_release(map);
    return status;
}
