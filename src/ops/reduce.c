/* reduce.c - folding one array by an operator that the caller names or writes. */
#include "core/error.h"
#include "ops/reduction.h"

ash_array *ash_reduce_opt(const char *op, const ash_array *a, const ash_reduce_options *options)
{
    static const char name[] = "ash_reduce";
    ash__operator by;
    if (!ash__operator_open(name, op, &by))
        return NULL;
    ash_array *out = ash__reduce_named(name, by, a, options);
    ash__operator_close(&by);
    return out;
}

ash_status ash_reduce_into_opt(ash_array *out, const char *op, const ash_array *a, const ash_reduce_options *options)
{
    static const char name[] = "ash_reduce_into";
    ash__operator by;
    if (!ash__operator_open(name, op, &by))
        return ash__last_status();
    const ash_status status = ash__reduce_named_into(name, by, out, a, options);
    ash__operator_close(&by);
    return status;
}
