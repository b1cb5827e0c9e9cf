/*
 * arg.c - where the smallest and the largest elements are, along axes.
 *
 * The index counts the reduced axes in row-major order, whatever the layout. Of equal elements the first is meant, and a NaN
 * is both the smallest and the largest: x[argmax(x)] is max(x).
 */
#include "core/error.h"
#include "ops/map.h"
#include "ops/reduction.h"
#include "ops/run.h"

static ash_status check(const ash__inputs *in, const ash__axes *axes, ash__fold fold)
{
    char shape[ASH__SHAPE_TEXT];
    const ash_dtype d = in->argument[0].dtype;
    if (!ash__is_real(d))
        return ash__fail(ASH_ERR_DTYPE, in->function, "the elements are %s, which have no order", ash_dtype_name(d));
    if (!axes->folded && ash__count(axes->shape, axes->rank))
        return ash__fail(ASH_ERR_VALUE, in->function, "shape %s is empty along the reduced axes: there is no %s",
                         ash__shape_text(shape, sizeof shape, in->shape, in->rank),
                         fold == ASH__FOLD_MIN ? "minimum" : "maximum");
    return ASH_OK;
}

static ash_status run(ash__inputs *in, const ash__axes *axes, ash__fold fold, ash_array *index, ash_array *value)
{
    int64_t stride[ASH_MAX_RANK], value_stride[ASH_MAX_RANK];
    ash_function *f = ash__function_open(in->function, "x -> x");
    ash__program *program = f ? ash__inputs_program(in, f, ASH__RULE_NATURAL, ASH_DTYPE_DEFAULT, false) : NULL;
    ash_function_release(f);
    if (!program)
        return ash__last_status();
    ash__axes_strides(axes, in->rank, index->stride, stride);
    ash__task task = {.kind = ASH__TASK_ARG,
                      .function = in->function,
                      .rank = in->rank,
                      .shape = in->shape,
                      .program = program,
                      .operand_count = 1,
                      .operand = in->span,
                      .out = {index->buffer, ash__data(index), stride, ASH_I64},
                      .fold = fold,
                      .reduced = axes->reduced};
    if (value) {
        ash__axes_strides(axes, in->rank, value->stride, value_stride);
        task.value = (ash__span){value->buffer, ash__data(value), value_stride, value->dtype};
    }
    const ash_status status = index->size ? ash__run_on(in->resources, &task) : ASH_OK;
    ash__program_release(program);
    return status;
}

static ash_find_result find_joined(ash__inputs *in, const ash_reduce_options *o, ash__fold fold, bool with_value)
{
    const ash_find_result none = {NULL, NULL};
    ash_find_result result = none;
    ash__axes axes;
    ash__make make;
    if (ash__inputs_join(in) || ash__axes_set(&axes, in->function, o->axes, o->drop, in->shape, in->rank) ||
        check(in, &axes, fold))
        return none;
    const ash_dims shape = {axes.shape, axes.rank};
    ash__inputs_like(in, axes.shape, axes.rank, &make);
    if (with_value) {
        make.dtype = in->argument[0].dtype;
        result.value = ash__array_new(in->function, shape, &make);
    }
    make.dtype = ASH_I64;
    result.index = with_value && !result.value ? NULL : ash__array_new(in->function, shape, &make);
    if (result.index && !run(in, &axes, fold, result.index, result.value))
        return result;
    ash_release(result.index);
    ash_release(result.value);
    return none;
}

static ash_find_result find(const char *function, ash__fold fold, const ash_array *a, const ash_reduce_options *options,
                            bool with_value)
{
    ash_reduce_options o;
    ash__inputs in;
    const ash_operand operand = ash_operand_array(a);
    ash_find_result result = {NULL, NULL};
    if (!ash__reduce_options(function, 0, options, &o) ||
        ash__inputs_begin(&in, function, (ash_operands){&operand, 1}, o.resources, NULL))
        return result;
    result = find_joined(&in, &o, fold, with_value);
    ash__inputs_end(&in);
    return result;
}

ash_array *ash_argmin_opt(const ash_array *a, const ash_reduce_options *options)
{
    return find("ash_argmin", ASH__FOLD_MIN, a, options, false).index;
}

ash_array *ash_argmax_opt(const ash_array *a, const ash_reduce_options *options)
{
    return find("ash_argmax", ASH__FOLD_MAX, a, options, false).index;
}

ash_find_result ash_find_min_opt(const ash_array *a, const ash_reduce_options *options)
{
    return find("ash_find_min", ASH__FOLD_MIN, a, options, true);
}

ash_find_result ash_find_max_opt(const ash_array *a, const ash_reduce_options *options)
{
    return find("ash_find_max", ASH__FOLD_MAX, a, options, true);
}
