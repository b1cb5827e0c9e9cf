/*
 * bounds.c - how far numbers may be from what they have to be: the table of all of it.
 *
 * Integers, records and everything EXACT has the same bits, any NaN for any NaN. Otherwise |got - want| <= bound * u * size,
 * u the unit roundoff of the result's dtype; size is |want| where numbers are rounded one by one, and else the scale of the
 * numbers that were added. What is not finite is the same.
 */
#include "bounds.h"

#include <math.h>
#include <string.h>

static const struct bound {
    double f64, no_f64; /* with a device that has f64, and with one that has not */
    bool each;          /* size is |want| */
} bounds[CLOSENESSES] = {
    [ROUNDED] = {.f64 = 5, .no_f64 = 32, .each = true}, /* docs/devices.md: at most 16 ulp, which is 32 u */
    [SUMMED] = {.f64 = 32, .no_f64 = 32},
    [SOLVED] = {.f64 = 2000, .no_f64 = 2000},
};

static double unit_of(ash_dtype real)
{
    switch (real) {
    case ASH_F16:
        return 0x1p-11;
    case ASH_BF16:
        return 0x1p-8;
    case ASH_F32:
        return 0x1p-24;
    default:
        return 0x1p-53;
    }
}

static double least_of(ash_dtype real)
{
    return real == ASH_F16 ? 0x1p-24 : real == ASH_BF16 ? 0x1p-133 : real == ASH_F32 ? 0x1p-149 : 0x1p-1074;
}

static double part_at(const model *m, ash_dtype real, int64_t k)
{
    double x = 0;
    convert_element(ASH_F64, &x, real, m->data + (size_t)k * ash_dtype_size(real));
    return x;
}

static bool apart(double got, double want, double bound)
{
    if (!isfinite(got) || !isfinite(want))
        return !(got == want || (isnan(got) && isnan(want)));
    return !(fabs(got - want) <= bound);
}

int64_t first_apart(const model *got, const model *want, closeness close, double scale)
{
    const ash_dtype real = is_record(want->dtype) ? want->dtype : part_of(want->dtype);
    if (close == EXACT || is_record(want->dtype) || !is_float(real)) {
        for (int64_t i = 0; i < want->size; i++)
            if (!same_element(want->dtype, model_at(got, i), model_at(want, i)))
                return i;
        return -1;
    }
    const struct bound *const b = &bounds[close];
    const double u = unit_of(real) * (strstr(now.device, "f64=off") ? b->no_f64 : b->f64);
    const int64_t each = want->dtype == real ? 1 : 2;
    for (int64_t k = 0; k < each * want->size && !b->each; k++) {
        const double x = fabs(part_at(want, real, k));
        scale = isfinite(x) && x > scale ? x : scale;
    }
    for (int64_t k = 0; k < each * want->size; k++) {
        const double x = part_at(want, real, k), size = b->each ? fabs(x) : scale;
        if (apart(part_at(got, real, k), x, u * size + least_of(real)))
            return k / each;
    }
    return -1;
}
