/*
 * zip_map.c - a function over arrays of any shapes, element by element in logical order, until the shortest ends.
 *
 * Each operand becomes a vector in the row-major order of its indices: in place where one step goes through it all, else by
 * way of a copy. Operands that share one shape keep it, and then this is ash_map without broadcasting.
 */
#include "core/error.h"
#include "core/options.h"
#include "ops/map.h"
#include "ops/run.h"

/* The step, in bytes, that goes through all elements in row-major order; false when there is none. */
static bool flat_step(const int64_t *shape, const int64_t *stride, int64_t rank, int64_t *step)
{
    int64_t next = 0;
    bool begun = false;
    *step = 0;
    for (int64_t k = rank; k-- > 0;) {
        if (shape[k] == 1)
            continue;
        if (begun && stride[k] != next)
            return false;
        *step = begun ? *step : stride[k];
        begun = true;
        if (__builtin_mul_overflow(stride[k], shape[k], &next))
            return false;
    }
    return true;
}

/* Have all array operands, and out where there is one, the same shape? */
static bool one_shape(const ash__inputs *in, const ash_array *out)
{
    const ash_array *first = out;
    for (int64_t k = 0; k < in->count; k++) {
        const ash_array *a = ash__inputs_array(in, k);
        if (a && first && !ash_same_shape(a, first))
            return false;
        first = a ? a : first;
    }
    return true;
}

static int64_t shortest(const ash__inputs *in, const ash_array *out)
{
    int64_t n = out ? out->size : INT64_MAX;
    for (int64_t k = 0; k < in->count; k++) {
        const ash_array *a = ash__inputs_array(in, k);
        n = a && a->size < n ? a->size : n;
    }
    return n;
}

/* Operand k as a vector. */
static ash_status flatten(ash__inputs *in, int64_t k, const ash_array *a)
{
    int64_t *stride = in->stride + k * ASH_MAX_RANK;
    if (!flat_step(a->shape, a->stride, a->rank, stride)) {
        ash_array *t = ash__temporary(in->function, in->resources, a->storage, a->dtype, a->shape, a->rank);
        if (!t)
            return ash__last_status();
        in->copy[k] = t;
        in->copies = true;
        const ash_status status =
            ash__run_copy(in->function, in->resources, a->shape, a->rank, ash__span_of(t), ash__span_of(a));
        if (status)
            return status;
        in->span[k].buffer = t->buffer;
        in->span[k].data = ash__data(t);
        stride[0] = (int64_t)ash_dtype_size(t->dtype);
    }
    in->span[k].stride = stride;
    return ASH_OK;
}

static ash_status flatten_all(ash__inputs *in, int64_t n)
{
    in->rank = 1;
    in->shape[0] = in->size = n;
    for (int64_t k = 0; k < in->count; k++) {
        const ash_array *a = ash__inputs_array(in, k);
        const ash_status status = a ? flatten(in, k, a) : ASH_OK;
        if (status)
            return status;
    }
    return ASH_OK;
}

/* ---- a new array */

static ash_array *zip_flat(ash__inputs *in, const ash_function *f, const ash_map_options *options)
{
    ash__make make;
    ash__program *program =
        ash__inputs_program(in, f, options->dtype ? ASH__RULE_CAST : ASH__RULE_NATURAL, options->dtype, false);
    if (!program)
        return NULL;
    const int64_t n = shortest(in, NULL);
    ash__inputs_like(in, &n, 1, &make);
    make.dtype = program->dtype;
    make.layout = options->layout;
    make.storage = options->storage ? options->storage : make.storage;
    make.memory = options->memory ? options->memory : make.memory;
    ash_array *out = ash__array_new(in->function, (ash_dims){&n, 1}, &make);
    if (out && n &&
        (flatten_all(in, n) ||
         ash__run_map(in->function, in->resources, in->shape, 1, program, in->count, in->span, ash__span_of(out)))) {
        ash_release(out);
        out = NULL;
    }
    ash__program_release(program);
    return out;
}

static ash_array *zip_new(const char *name, const ash_function *f, ash_operands operands, const ash_map_options *options)
{
    ash__inputs in;
    ash_map_options o;
    if (!ash__read_options(name, &o, sizeof o, options) || ash__inputs_begin(&in, name, operands, o.resources, NULL))
        return NULL;
    const bool together = one_shape(&in, NULL);
    ash_array *out = together || (o.dtype && ash__check_dtype(name, in.device, o.dtype)) ? NULL : zip_flat(&in, f, &o);
    ash__inputs_end(&in);
    return together ? ash__map_new(name, f, operands, &o) : out;
}

/* ---- into an array */

/* The vector t becomes the first elements of out in row-major order: whole slabs, then a part of the next, axis by axis. */
static ash_status copy_first(ash__inputs *in, ash_array *out, const ash_array *t)
{
    int64_t shape[ASH_MAX_RANK], stride[ASH_MAX_RANK], left = t->size;
    ash__span to = ash__span_of(out), from = ash__span_of(t);
    for (int64_t k = 0; k < out->rank; k++)
        shape[k] = 1;
    if (!out->rank)
        return ash__run_copy(in->function, in->resources, shape, 0, to, from);
    for (int64_t axis = 0; axis < out->rank && left; axis++) {
        const int64_t slab = ash__count(out->shape + axis + 1, out->rank - axis - 1), whole = left / slab;
        shape[axis] = whole;
        for (int64_t k = axis + 1; k < out->rank; k++)
            shape[k] = out->shape[k];
        ash__strides_for(ASH_ROW_MAJOR, shape, out->rank, (int64_t)ash_dtype_size(t->dtype), stride);
        from.stride = stride;
        const ash_status status = whole ? ash__run_copy(in->function, in->resources, shape, out->rank, to, from) : ASH_OK;
        if (status)
            return status;
        shape[axis] = 1;
        to.data += whole * out->stride[axis];
        from.data += whole * slab * (int64_t)ash_dtype_size(t->dtype);
        left -= whole * slab;
    }
    return ASH_OK;
}

/* May the elements be computed straight into out, step bytes apart? */
static bool in_place(const ash__inputs *in, const ash__program *program, const ash_array *out, int64_t *step)
{
    if (program->faults || !flat_step(out->shape, out->stride, out->rank, step))
        return false;
    for (int64_t k = 0; k < in->count; k++) {
        const ash_array *a = ash__inputs_array(in, k);
        if (a && ash__may_overlap(a, out) &&
            !(in->span[k].data == ash__data(out) && in->span[k].stride[0] == *step && a->dtype == out->dtype))
            return false;
    }
    return true;
}

static ash_status zip_first(ash__inputs *in, const ash__program *program, ash_array *out)
{
    const int64_t n = shortest(in, out);
    int64_t step;
    ash_status status = n ? flatten_all(in, n) : ASH_OK;
    if (status || !n)
        return status;
    if (in_place(in, program, out, &step)) {
        const ash__span to = {out->buffer, ash__data(out), &step, out->dtype};
        return ash__run_map(in->function, in->resources, in->shape, 1, program, in->count, in->span, to);
    }
    ash_array *t = ash__temporary(in->function, in->resources, out->storage, out->dtype, &n, 1);
    if (!t)
        return ash__last_status();
    status = ash__run_map(in->function, in->resources, in->shape, 1, program, in->count, in->span, ash__span_of(t));
    if (!status)
        status = copy_first(in, out, t);
    ash_release(t);
    return status;
}

static ash_status zip_into(const char *name, ash_array *out, const ash_function *f, ash_operands operands,
                           const ash_map_options *options)
{
    ash__inputs in;
    ash_map_options o;
    if (!ash__read_options(name, &o, sizeof o, options) || !ash__check_into_options(name, &o))
        return ash__last_status();
    ash_status status = ash__check_writable(name, "out", out);
    if (!status)
        status = ash__inputs_begin(&in, name, operands, o.resources, out);
    if (status)
        return status;
    const bool together = one_shape(&in, out);
    ash__program *program = together ? NULL : ash__inputs_program(&in, f, ASH__RULE_INTO, out->dtype, out->conjugated);
    if (!together)
        status = program ? zip_first(&in, program, out) : ash__last_status();
    ash__program_release(program);
    ash__inputs_end(&in);
    return together ? ash__map_to(name, out, f, operands, o.resources) : status;
}

/* ---- the public functions */

ash_array *ash_zip_map_opt(const char *function, ash_operands operands, const ash_map_options *options)
{
    static const char name[] = "ash_zip_map";
    ash_function *f = ash__function_for(name, function);
    ash_array *out = f ? zip_new(name, f, operands, options) : NULL;
    ash_function_release(f);
    return out;
}

ash_array *ash_zip_map_function_opt(const ash_function *function, ash_operands operands, const ash_map_options *options)
{
    static const char name[] = "ash_zip_map";
    return ash__check_function(name, function) ? zip_new(name, function, operands, options) : NULL;
}

ash_status ash_zip_map_into_opt(ash_array *out, const char *function, ash_operands operands, const ash_map_options *options)
{
    static const char name[] = "ash_zip_map_into";
    ash_function *f = ash__function_for(name, function);
    const ash_status status = f ? zip_into(name, out, f, operands, options) : ash__last_status();
    ash_function_release(f);
    return status;
}

ash_status ash_zip_map_into_function_opt(ash_array *out, const ash_function *function, ash_operands operands,
                                         const ash_map_options *options)
{
    static const char name[] = "ash_zip_map_into";
    return ash__check_function(name, function) ? zip_into(name, out, function, operands, options) : ash__last_status();
}
