/* adapt_elements.c - elements converted as a target asks, records field by field. */
#include <stdio.h>

#include "core/error.h"
#include "core/record.h"
#include "ops/adapt.h"
#include "ops/task.h"

/* One field of every record, as ash_field shows it; of an inner array one element (number), or all along a last axis. */
static ash_array *part(const char *function, const ash_array *a, const ash_field_info *field, bool all, int64_t number)
{
    const int64_t item = (int64_t)ash_dtype_size(field->dtype);
    int64_t shape[ASH_MAX_RANK], stride[ASH_MAX_RANK], rank = a->rank;
    for (int32_t k = 0; k < a->rank; k++)
        shape[k] = a->shape[k], stride[k] = a->stride[k];
    if (all) {
        shape[rank] = field->count;
        stride[rank++] = item;
    }
    return ash__view(function, a, field->dtype, shape, stride, rank, a->offset + (int64_t)field->offset + number * item);
}

static ash_status convert(const char *function, ash_array *out, const ash_array *a, bool *placed);

static ash_status convert_field(const char *function, ash_array *out, const ash_array *a, const ash_field_info *to,
                                const ash_field_info *from, bool *placed)
{
    const bool all = from->count > 1 && a->rank < ASH_MAX_RANK;
    const int64_t times = all ? 1 : from->count;
    ash_status status = ASH_OK;
    for (int64_t k = 0; k < times && !status; k++) {
        ash_array *x = part(function, a, from, all, k), *y = x ? part(function, out, to, all, k) : NULL;
        status = y ? convert(function, y, x, placed) : ash__last_status();
        ash_release(x);
        ash_release(y);
    }
    return status;
}

/* "y: " before what failed, then "at." before the place of that; unless an older error is pending. */
static void name_place(const char *name, bool *placed)
{
    char place[300];
    snprintf(place, sizeof place, "%s%s", name, *placed ? "." : ": ");
    *placed = true;
    ash__error_place(place);
}

static ash_status convert_records(const char *function, ash_array *out, const ash_array *a, bool *placed)
{
    const ash__record_type *to = ash__record_of(out->dtype), *from = ash__record_of(a->dtype);
    const bool pending = ash__pending();
    ash_status status = ASH_OK;
    for (int64_t i = 0; i < from->count && !status; i++) {
        status = convert_field(function, out, a, &to->field[i], &from->field[i], placed);
        if (status && !pending)
            name_place(from->field[i].name, placed);
    }
    return status;
}

static ash_status convert(const char *function, ash_array *out, const ash_array *a, bool *placed)
{
    return out->dtype != a->dtype && ash__is_record(a->dtype) ? convert_records(function, out, a, placed)
                                                              : ash__convert_elements(function, out, a, false, NULL);
}

ash_status ash__adapt_elements(const char *function, ash_array *out, const ash_array *a)
{
    bool placed = false;
    return convert(function, out, a, &placed);
}
