/* index_into.c - values written to elements that are picked by any mix of integers, ranges, index arrays and masks. */
#include "ashlar/index.h"
#include "core/error.h"
#include "core/options.h"
#include "ops/element.h"
#include "ops/scatter.h"

static ash_status put_element(ash__selection *s, ash_array *out, const ash_operand *value, bool exact)
{
    unsigned char element[ASH__LARGEST_ELEMENT];
    const ash_status status = ash__element_of(s->function, value, out->dtype, out->conjugated, exact, element);
    return status ? status : ash__scatter(s, out, &(ash__values){.element = element}, false);
}

/* The values' strides over the selection's shape: their own, or those of as many elements in row-major order. */
static ash_status put_array(ash__selection *s, ash_array *out, const ash_array *value, bool exact)
{
    ash__values v = {.array = NULL};
    bool same = value->rank == s->rank;
    for (int64_t k = 0; k < s->rank && same; k++)
        same = value->shape[k] == s->shape[k];
    ash_array *const array = ash__values_for(s->function, out, value, !same, exact, s->given);
    if (!array)
        return ash__last_status();
    v.array = array;
    if (same)
        memcpy(v.stride, array->stride, (size_t)s->rank * sizeof v.stride[0]);
    else
        ash__strides_for(ASH_ROW_MAJOR, s->shape, s->rank, (int64_t)ash_dtype_size(out->dtype), v.stride);
    const ash_status status = ash__scatter(s, out, &v, false);
    ash_release(array);
    return status;
}

static ash_status put(ash__selection *s, ash_array *out, const ash_operand *value, bool exact)
{
    char text[ASH__SHAPE_TEXT];
    if (!s->size)
        return ASH_OK;
    if (!value || value->kind == ASH_OPERAND_NONE)
        return ash__null(s->function, "value");
    if (value->kind == ASH_OPERAND_SCALAR)
        return put_element(s, out, value, exact);
    const ash_array *const a = value->value.array;
    const ash_status status = ash__check_array(s->function, "value", a);
    if (status)
        return status;
    if (ash__device(a) != ash__device(out))
        return ash__fail(ASH_ERR_DEVICE, s->function, "value is on %s and out on %s", ash__device(a)->name,
                         ash__device(out)->name);
    if (!a->rank)
        return put_element(s, out, value, exact);
    if (a->size != s->size)
        return ash__fail(ASH_ERR_SHAPE, s->function, "value has shape %s, %lld elements, but %lld are selected, of shape %s",
                         ash_shape_text(a), (long long)a->size, (long long)s->size,
                         ash__shape_text(text, sizeof text, s->shape, s->rank));
    return put_array(s, out, a, exact);
}

ash_status ash_index_into_opt(ash_array *out, const ash_operand *value, const ash_index *items, int64_t count,
                              const ash_index_into_options *options)
{
    static const char f[] = "ash_index_into";
    ash_index_into_options o;
    ash__selection s;
    if (!ash__read_options(f, &o, sizeof o, options))
        return ash__last_status();
    ash_status status = ash__check_writable(f, "out", out);
    if (!status)
        status = (o.linear ? ash__select_linear : ash__select_items)(&s, f, out, items, count, ASH_ROW_MAJOR, o.resources);
    if (status)
        return status;
    status = ash__selection_check(&s);
    if (!status)
        status = put(&s, out, value, o.exact);
    ash__selection_end(&s);
    return status;
}
