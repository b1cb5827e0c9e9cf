/*
 * convert_on_device.c - checked conversion between dtypes as one task of a device.
 *
 * Which element is refused, if one is, the host finds out afterwards, for the message.
 */
#include "core/error.h"
#include "ops/run.h"

bool ash__convert_on_device(const char *function, ash_array *out, const ash_array *a, bool exact, ash_resources *given,
                            ash_status *status)
{
    const bool two = ash__is_complex(a->dtype) && !ash__is_complex(out->dtype);
    if (ash__on_host(ash__device(out)) || !out->size || two ||
        (exact && !ash__is_exact_in(ash__part(a->dtype), ash__part(out->dtype))))
        return false;
    const ash_status pending = ash__pending();
    ash_resources *const r = ash__resources_on(function, ash__device(out), given);
    ash__program *const program =
        r ? ash__program_checked(function, a->dtype, a->conjugated, out->dtype, out->conjugated) : NULL;
    const ash__span from = ash__span_of(a);
    *status =
        program ? ash__run_map(function, r, out->shape, out->rank, program, 1, &from, ash__span_of(out)) : ash__last_status();
    ash__program_release(program);
    if (*status == ASH_ERR_VALUE && !pending)
        ash_error_clear();
    return *status != ASH_ERR_VALUE;
}
