/*
 * adapt_target.c - what a target asks for, and what becomes of element types.
 *
 * A target may take what it does not give from another one (.like). Element types are one choice: a target that gives .dtype,
 * .floats or .rule takes none of them from elsewhere; so is the place, .device or .resources.
 */
#include "core/alloc.h"
#include "core/error.h"
#include "core/options.h"
#include "core/record.h"
#include "ops/adapt.h"

enum { LIKES = 16 }; /* targets behind each other; more are a circle */

static ash_status read_place(ash__target *to, const ash_target *o)
{
    if (to->resources || (!o->device && !o->resources))
        return ASH_OK;
    const ash_device *device = o->device ? ash__device_named(to->function, o->device) : o->resources->device;
    if (!device)
        return ash__last_status();
    if (o->resources && o->resources->device != device)
        return ash__fail(ASH_ERR_ARGUMENT, to->function, ".device is %s and .resources are on %s", device->name,
                         o->resources->device->name);
    to->resources = ash__resources_on(to->function, device, o->resources);
    return to->resources ? ASH_OK : ash__last_status();
}

static ash_status check_types(const char *function, const ash_target *o)
{
    if (!!o->dtype + !!o->floats + !!o->rule > 1)
        return ash__fail(ASH_ERR_ARGUMENT, function, "%s and %s are both given; they exclude each other",
                         o->dtype ? ".dtype" : ".floats", o->dtype && o->floats ? ".floats" : ".rule");
    if (o->dtype && ash__kind_of(o->dtype) == ASH__KIND_NONE)
        return ash__fail(ASH_ERR_DTYPE, function, "unsupported dtype %d", (int)o->dtype);
    if (o->floats && !ash__is_float(o->floats))
        return ash__fail(ASH_ERR_ARGUMENT, function, ".floats is %s; it must be f16, bf16, f32 or f64",
                         ash_dtype_name(o->floats));
    if (o->rule < ASH_RULE_NONE || o->rule > ASH_F64_TO_F32)
        return ash__fail(ASH_ERR_ARGUMENT, function, "unknown rule %d; there is ASH_F64_TO_F32", (int)o->rule);
    return ASH_OK;
}

static ash_status read_types(ash__target *to, const ash_target *o)
{
    const ash_status status = check_types(to->function, o);
    if (status)
        return status;
    const bool given = to->dtype || to->floats || to->rule;
    if (!given) {
        to->dtype = o->dtype;
        to->floats = o->floats;
        to->rule = o->rule;
    }
    if (!given || to->rule)
        to->bf16 |= o->bf16;
    return ASH_OK;
}

static ash_status read_one(ash__target *to, const ash_target *o)
{
    const ash_status status = read_types(to, o);
    if (status)
        return status;
    if (o->storage < ASH_STORAGE_DEFAULT || o->storage > ASH_PRIVATE)
        return ash__fail(ASH_ERR_ARGUMENT, to->function, "unknown storage %d; expected ASH_SHARED or ASH_PRIVATE",
                         (int)o->storage);
    to->storage = to->storage ? to->storage : o->storage;
    to->memory = to->memory ? to->memory : o->memory;
    to->scalars |= o->scalars;
    return read_place(to, o);
}

ash_status ash__read_target(const char *function, ash__target *to, const ash_target *from)
{
    ash_target o = {.like = from};
    *to = (ash__target){.function = function};
    for (int depth = 0; o.like; depth++) {
        if (depth > LIKES)
            return ash__fail(ASH_ERR_ARGUMENT, function, "more than %d targets take from each other by .like", LIKES);
        if (!ash__read_options(function, &o, sizeof o, o.like))
            return ash__last_status();
        const ash_status status = read_one(to, &o);
        if (status)
            return status;
    }
    if (to->bf16 && !to->rule)
        return ash__fail(ASH_ERR_ARGUMENT, function, ".bf16 says what .rule does; give both");
    return ASH_OK;
}

/* ---- element types */

static ash_dtype real_to(const ash__target *t, ash_dtype part)
{
    if (t->floats)
        return ash__is_float(part) ? t->floats : part;
    if (t->rule == ASH_F64_TO_F32 && (part == ASH_F64 || (part == ASH_BF16 && t->bf16)))
        return ASH_F32;
    return part;
}

static ash_dtype plain_to(const ash__target *t, ash_dtype dtype)
{
    const ash_dtype part = real_to(t, ash__part(dtype));
    return ash__is_complex(dtype) ? ash__complex_of(part) : part;
}

static ash_status record_to(const ash__target *t, ash_dtype dtype, ash_dtype *to);

static ash_status field_to(const ash__target *t, ash_dtype dtype, ash_dtype *to)
{
    if (ash__is_record(dtype))
        return record_to(t, dtype, to);
    *to = plain_to(t, dtype);
    return ASH_OK;
}

static size_t round_up(size_t n, size_t alignment)
{
    return (n + alignment - 1) / alignment * alignment;
}

/* Records nest at most ASH__RECORD_DEPTH deep. */
static ash_status record_to(const ash__target *t, ash_dtype dtype, ash_dtype *to)
{
    const ash__record_type *r = ash__record_of(dtype);
    ash_field_info *field = ash__alloc(t->function, r->count, sizeof *field);
    ash_status status = field ? ASH_OK : ash__last_status();
    size_t end = 0, alignment = 1;
    bool changed = false;
    for (int64_t i = 0; i < r->count && !status; i++) {
        field[i] = r->field[i];
        status = field_to(t, r->field[i].dtype, &field[i].dtype);
        if (status)
            break;
        const size_t aligned = ash__alignment_of(field[i].dtype);
        changed |= field[i].dtype != r->field[i].dtype;
        alignment = aligned > alignment ? aligned : alignment;
        field[i].offset = round_up(end, aligned);
        end = field[i].offset + (size_t)field[i].count * ash_dtype_size(field[i].dtype);
    }
    *to = dtype;
    if (!status && changed) {
        *to = ash__record_new(t->function, r->name, round_up(end, alignment), field, r->count);
        status = *to ? ASH_OK : ash__last_status();
    }
    ash__free(field);
    return status;
}

ash_status ash__target_dtype(const ash__target *t, ash_dtype dtype, ash_dtype *to)
{
    if (!t->dtype)
        return field_to(t, dtype, to);
    if (t->dtype != dtype && (ash__is_record(dtype) || ash__is_record(t->dtype)))
        return ash__fail(ASH_ERR_DTYPE, t->function, "%s does not convert to %s", ash_dtype_name(dtype),
                         ash_dtype_name(t->dtype));
    *to = t->dtype;
    return ASH_OK;
}
