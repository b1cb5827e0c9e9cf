/* make.c - new arrays: uninitialised, of one value, like another. */
#include "core/convert.h"
#include "core/error.h"
#include "core/options.h"
#include "ops/element.h"
#include "ops/task.h"

static ash__make make_of(const ash_make_options *o)
{
    return (ash__make){
        .resources = o->resources, .dtype = o->dtype, .layout = o->layout, .storage = o->storage, .memory = o->memory};
}

ash_array *ash_empty_opt(ash_dims shape, const ash_make_options *options)
{
    ash_make_options o;
    if (!ash__read_options("ash_empty", &o, sizeof o, options))
        return NULL;
    const ash__make make = make_of(&o);
    return ash__array_new("ash_empty", shape, &make);
}

/* Fills a with an integer; releases it when that fails. */
static ash_array *filled(const char *function, ash_array *a, int64_t value, ash_resources *resources)
{
    char element[16];
    if (!a)
        return NULL;
    ash_status status;
    if (!value)
        status = ash__fill_zeros(function, a, resources);
    else if (ash__is_record(a->dtype))
        status = ash__fail(ASH_ERR_DTYPE, function, "no number is a %s", ash_dtype_name(a->dtype));
    else {
        ash__convert_run(element, 0, a->dtype, (const char *)&value, 0, ASH_I64, 1, false);
        status = ash__fill_elements(function, a, element, resources);
    }
    if (status) {
        ash_release(a);
        a = NULL;
    }
    return a;
}

ash_array *ash_zeros_opt(ash_dims shape, const ash_make_options *options)
{
    ash_make_options o;
    if (!ash__read_options("ash_zeros", &o, sizeof o, options))
        return NULL;
    const ash__make make = make_of(&o);
    return filled("ash_zeros", ash__array_new("ash_zeros", shape, &make), 0, o.resources);
}

ash_array *ash_ones_opt(ash_dims shape, const ash_make_options *options)
{
    ash_make_options o;
    if (!ash__read_options("ash_ones", &o, sizeof o, options))
        return NULL;
    const ash__make make = make_of(&o);
    return filled("ash_ones", ash__array_new("ash_ones", shape, &make), 1, o.resources);
}

static ash_status fill(const char *function, ash_array *a, const ash_operand *value, bool exact, ash_resources *resources)
{
    unsigned char element[ASH__LARGEST_ELEMENT];
    const ash_status status = ash__element_of(function, value, a->dtype, a->conjugated, exact, element);
    return status ? status : ash__fill_elements(function, a, element, resources);
}

ash_array *ash_fill_new_opt(ash_dims shape, const ash_operand *value, const ash_make_options *options)
{
    static const char f[] = "ash_fill_new";
    ash_make_options o;
    if (!ash__read_options(f, &o, sizeof o, options))
        return NULL;
    if (!value || value->kind == ASH_OPERAND_NONE ||
        (value->kind == ASH_OPERAND_ARRAY && ash__check_array(f, "value", value->value.array))) {
        ash__null(f, "value");
        return NULL;
    }
    ash__make make = make_of(&o);
    if (!make.dtype)
        make.dtype = value->kind == ASH_OPERAND_ARRAY ? value->value.array->dtype : value->dtype;
    ash_array *a = ash__array_new(f, shape, &make);
    if (a && fill(f, a, value, false, o.resources) != ASH_OK) {
        ash_release(a);
        return NULL;
    }
    return a;
}

ash_status ash_fill_opt(ash_array *a, const ash_operand *value, const ash_fill_options *options)
{
    static const char f[] = "ash_fill";
    ash_fill_options o;
    if (!ash__read_options(f, &o, sizeof o, options))
        return ash__last_status();
    const ash_status status = ash__check_writable(f, "a", a);
    if (status || !value)
        return status ? status : ash__null(f, "value");
    return fill(f, a, value, o.exact, o.resources);
}

ash_array *ash_like_opt(const ash_array *a, const ash_like_options *options)
{
    static const char f[] = "ash_like";
    ash_like_options o;
    if (!ash__read_options(f, &o, sizeof o, options) || ash__check_array(f, "a", a))
        return NULL;
    const ash_dims shape = o.shape.size || o.shape.rank ? o.shape : ash__dims(a);
    ash_memory *own = a->buffer->memory; /* NULL for foreign memory, which cannot make more: the pool then */
    const ash__make make = {.resources = o.resources ? o.resources : ash__resources_on(f, ash__device(a), NULL),
                            .dtype = o.dtype ? o.dtype : a->dtype,
                            .layout = o.layout ? o.layout : ash__layout_like(a),
                            .storage = o.storage ? o.storage : a->storage,
                            .memory = o.memory ? o.memory : own};
    return make.resources ? ash__array_new(f, shape, &make) : NULL;
}
