/* put.c - slices along an axis written, or added, to the places that an array of indices names. */
#include "ashlar/index.h"
#include "core/error.h"
#include "core/options.h"
#include "ops/element.h"
#include "ops/scatter.h"

/* Strides of values broadcast to the selection's shape. */
static ash_status broadcast(const ash__selection *s, const ash_array *values, int64_t *stride)
{
    const int64_t missing = s->rank - values->rank;
    bool fits = missing >= 0;
    for (int64_t k = 0; k < s->rank && fits; k++) {
        const int64_t size = k < missing ? 1 : values->shape[k - missing];
        stride[k] = size == 1 ? 0 : values->stride[k - missing];
        fits = size == 1 || size == s->shape[k];
    }
    char text[ASH__SHAPE_TEXT];
    return fits ? ASH_OK
                : ash__fail(ASH_ERR_SHAPE, s->function, "values have shape %s, which does not broadcast to %s",
                            ash_shape_text(values), ash__shape_text(text, sizeof text, s->shape, s->rank));
}

static ash_status put_array(ash__selection *s, ash_array *a, const ash_array *values, const ash_put_options *o)
{
    ash__values v = {.array = NULL};
    ash_status status = ash__check_array(s->function, "values", values);
    if (!status && ash__device(values) != ash__device(a))
        status = ash__fail(ASH_ERR_DEVICE, s->function, "values are on %s and a on %s", ash__device(values)->name,
                           ash__device(a)->name);
    if (!status)
        status = broadcast(s, values, v.stride);
    if (status || !s->size)
        return status;
    ash_array *const array = ash__values_for(s->function, a, values, false, o->exact, o->resources);
    if (!array)
        return ash__last_status();
    v.array = array;
    status = broadcast(s, array, v.stride);
    if (!status)
        status = ash__scatter(s, a, &v, o->accumulate);
    ash_release(array);
    return status;
}

static ash_status put(ash__selection *s, ash_array *a, const ash_operand *values, const ash_put_options *o)
{
    unsigned char element[ASH__LARGEST_ELEMENT];
    if (!values || values->kind == ASH_OPERAND_NONE)
        return ash__null(s->function, "values");
    if (o->accumulate && ash__is_record(a->dtype))
        return ash__fail(ASH_ERR_DTYPE, s->function, "%s cannot be added", ash_dtype_name(a->dtype));
    if (values->kind == ASH_OPERAND_ARRAY)
        return put_array(s, a, values->value.array, o);
    const ash_status status = ash__element_of(s->function, values, a->dtype, a->conjugated, o->exact, element);
    return status || !s->size ? status : ash__scatter(s, a, &(ash__values){.element = element}, o->accumulate);
}

ash_status ash_put_opt(ash_array *a, const ash_array *indices, const ash_operand *values, const ash_put_options *options)
{
    static const char f[] = "ash_put";
    ash_put_options o;
    ash__selection s;
    int64_t axis;
    if (!ash__read_options(f, &o, sizeof o, options))
        return ash__last_status();
    ash_status status = ash__check_writable(f, "a", a);
    if (!status)
        status = ash__check_axis(f, o.axis, a->rank, &axis);
    if (!status)
        status = ash__select_axis(&s, f, a, axis, indices, ASH_ROW_MAJOR, o.resources);
    if (status)
        return status;
    status = ash__selection_check(&s);
    if (!status)
        status = put(&s, a, values, &o);
    ash__selection_end(&s);
    return status;
}
