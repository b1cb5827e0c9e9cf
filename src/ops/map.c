/*
 * map.c - a function over the elements of arrays, broadcast and fused into one pass.
 *
 * A map has one task: the typed program of the function for these dtypes, the operands over the joined shape, an output.
 * Writing into an array is as if the inputs had been copied first, and a program that can fault writes to memory of its own,
 * so that the output is untouched when it does.
 */
#include "ops/map.h"

#include "core/error.h"
#include "core/options.h"
#include "ops/run.h"

/* ---- functions */

ash_function *ash__function_for(const char *function, const char *text)
{
    if (!text) {
        ash__null(function, "the function");
        return NULL;
    }
    return ash__function_open(function, text);
}

bool ash__check_function(const char *function, const ash_function *f)
{
    if (!f)
        ash__null(function, "the function");
    return f != NULL;
}

/* ---- a new array */

static ash_array *map_joined(ash__inputs *in, const ash_function *f, const ash_map_options *options)
{
    ash__make make;
    ash_array *out = NULL;
    if (ash__inputs_join(in))
        return NULL;
    ash__program *program =
        ash__inputs_program(in, f, options->dtype ? ASH__RULE_CAST : ASH__RULE_NATURAL, options->dtype, false);
    if (!program)
        return NULL;
    ash__inputs_like(in, in->shape, in->rank, &make);
    make.dtype = program->dtype;
    make.layout = options->layout ? options->layout : make.layout;
    make.storage = options->storage ? options->storage : make.storage;
    make.memory = options->memory ? options->memory : make.memory;
    out = ash__array_new(in->function, (ash_dims){in->shape, in->rank}, &make);
    if (out && in->size &&
        ash__run_map(in->function, in->resources, in->shape, in->rank, program, in->count, in->span, ash__span_of(out))) {
        ash_release(out);
        out = NULL;
    }
    ash__program_release(program);
    return out;
}

ash_array *ash__map_new(const char *function, const ash_function *f, ash_operands operands, const ash_map_options *options)
{
    ash__inputs in;
    if (ash__inputs_begin(&in, function, operands, options->resources, NULL))
        return NULL;
    if (options->dtype && ash__check_dtype(function, in.device, options->dtype)) {
        ash__inputs_end(&in);
        return NULL;
    }
    ash_array *out = map_joined(&in, f, options);
    ash__inputs_end(&in);
    return out;
}

ash_array *ash__map_text_new(const char *function, const char *text, ash_operands operands, const ash_map_options *options)
{
    ash_function *f = ash__function_open(function, text);
    ash_array *out = f ? ash__map_new(function, f, operands, options) : NULL;
    ash_function_release(f);
    return out;
}

/* ---- into an array */

/* By way of memory of its own, for a program that may fault. */
static ash_status map_aside(ash__inputs *in, const ash__program *program, ash_array *out)
{
    ash_array *t = ash__temporary(in->function, in->resources, out->storage, out->dtype, in->shape, in->rank);
    if (!t)
        return ash__last_status();
    ash_status status =
        ash__run_map(in->function, in->resources, in->shape, in->rank, program, in->count, in->span, ash__span_of(t));
    if (!status)
        status = ash__run_copy(in->function, in->resources, in->shape, in->rank, ash__span_of(out), ash__span_of(t));
    ash_release(t);
    return status;
}

ash_status ash__map_inputs(ash__inputs *in, const ash__program *program, ash_array *out)
{
    if (!in->size)
        return ASH_OK;
    if (program->faults)
        return map_aside(in, program, out);
    const ash_status status = ash__inputs_separate(in, out);
    return status ? status
                  : ash__run_map(in->function, in->resources, in->shape, in->rank, program, in->count, in->span,
                                 ash__span_of(out));
}

ash_status ash__map_to(const char *function, ash_array *out, const ash_function *f, ash_operands operands, ash_resources *given)
{
    ash__inputs in;
    ash_status status = ash__inputs_begin(&in, function, operands, given, out);
    if (status)
        return status;
    status = ash__inputs_join_to(&in, out->shape, out->rank);
    ash__program *program = status ? NULL : ash__inputs_program(&in, f, ASH__RULE_INTO, out->dtype, out->conjugated);
    if (!status)
        status = program ? ash__map_inputs(&in, program, out) : ash__last_status();
    ash__program_release(program);
    ash__inputs_end(&in);
    return status;
}

ash_status ash__map_text_to(const char *function, ash_array *out, const char *text, ash_operands operands, ash_resources *given)
{
    ash_function *f = ash__function_open(function, text);
    const ash_status status = f ? ash__map_to(function, out, f, operands, given) : ash__last_status();
    ash_function_release(f);
    return status;
}

bool ash__check_into_options(const char *function, const ash_map_options *o)
{
    const char *name = o->dtype ? "dtype" : o->layout ? "layout" : o->storage ? "storage" : o->memory ? "memory" : NULL;
    if (name)
        ash__fail(ASH_ERR_ARGUMENT, function, ".%s cannot be chosen; out is there already", name);
    return !name;
}

/* ---- the public functions */

static ash_array *map(const ash_function *f, ash_operands operands, const ash_map_options *options)
{
    static const char name[] = "ash_map";
    ash_map_options o;
    ash_array *out;
    if (!options && ash__map_plain(name, f, operands, &out))
        return out;
    return ash__read_options(name, &o, sizeof o, options) ? ash__map_new(name, f, operands, &o) : NULL;
}

ash_array *ash_map_opt(const char *function, ash_operands operands, const ash_map_options *options)
{
    ash_array *out;
    const ash_function *const near = function && !options ? ash__function_at_hand(function) : NULL;
    if (near && ash__map_new_again("ash_map", near, operands, &out))
        return out;
    ash_function *f = ash__function_for("ash_map", function);
    out = f ? map(f, operands, options) : NULL;
    ash_function_release(f);
    return out;
}

ash_array *ash_map_function_opt(const ash_function *function, ash_operands operands, const ash_map_options *options)
{
    ash_array *out;
    if (function && !options && ash__map_new_again("ash_map", function, operands, &out))
        return out;
    return ash__check_function("ash_map", function) ? map(function, operands, options) : NULL;
}

static ash_status map_into(const char *name, ash_array *out, const ash_function *f, ash_operands operands,
                           const ash_map_options *options)
{
    ash_map_options o;
    ash_status status = ash__check_writable(name, "out", out);
    if (status || (!options && ash__map_plain_to(name, out, f, operands, &status)))
        return status;
    if (!ash__read_options(name, &o, sizeof o, options) || !ash__check_into_options(name, &o))
        return ash__last_status();
    return ash__map_to(name, out, f, operands, o.resources);
}

ash_status ash_map_into_opt(ash_array *out, const char *function, ash_operands operands, const ash_map_options *options)
{
    static const char name[] = "ash_map_into";
    const ash_function *const near = function && !options ? ash__function_at_hand(function) : NULL;
    if (near && ash__map_again(out, near, operands))
        return ASH_OK;
    ash_function *f = ash__function_for(name, function);
    const ash_status status = f ? map_into(name, out, f, operands, options) : ash__last_status();
    ash_function_release(f);
    return status;
}

ash_status ash_map_into_function_opt(ash_array *out, const ash_function *function, ash_operands operands,
                                     const ash_map_options *options)
{
    static const char name[] = "ash_map_into";
    if (function && !options && ash__map_again(out, function, operands))
        return ASH_OK;
    return ash__check_function(name, function) ? map_into(name, out, function, operands, options) : ash__last_status();
}
