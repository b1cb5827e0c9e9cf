/*
 * scan.c - running folds along one axis, or through all elements in logical order.
 *
 * The dtype rule and the operators are those of reductions: the last element of an inclusive scan is the reduction. Out has
 * a's shape. An output that is given is written at once when it has the accumulator's dtype and shares no memory with a, or
 * is a itself; else by way of memory of its own.
 */
#include "ops/scanning.h"

#include <string.h>

#include "core/error.h"
#include "core/options.h"
#include "ops/map.h"
#include "ops/run.h"

typedef struct plan {
    ash__folding folding;
    ash__program *program;
    int64_t axis; /* -1: all elements */
    bool col_major, exclusive;
} plan;

static ash_status check_options(const char *function, const ash__operator *op, const ash_array *a, const ash_scan_options *o,
                                plan *p)
{
    p->axis = -1;
    p->col_major = o->order == ASH_COL_MAJOR;
    p->exclusive = o->exclusive;
    if (o->order < ASH_LAYOUT_DEFAULT || o->order > ASH_COL_MAJOR)
        return ash__fail(ASH_ERR_ARGUMENT, function, "order %d; ASH_ROW_MAJOR or ASH_COL_MAJOR was wanted", (int)o->order);
    if (o->axes.axis && o->axes.count != 1)
        return ash__fail(ASH_ERR_ARGUMENT, function, "%lld axes; a scan goes along one, or without .axes through all elements",
                         (long long)o->axes.count);
    if (o->axes.axis && o->order)
        return ash__fail(ASH_ERR_ARGUMENT, function, ".order is for a scan through all elements, and .axes names an axis");
    if (o->exclusive && !o->init.kind && (op->function || op->fold == ASH__FOLD_MIN || op->fold == ASH__FOLD_MAX))
        return ash__fail(ASH_ERR_ARGUMENT, function, "an exclusive scan by \"%s\" starts with .init, which was not given",
                         op->text);
    return o->axes.axis ? ash__check_axis(function, o->axes.axis[0], a->rank, &p->axis) : ASH_OK;
}

/* out_dtype: 0, or that of the output */
static ash_status plan_begin(plan *p, ash__inputs *in, const ash__operator *op, const ash_scan_options *o, ash_dtype out_dtype)
{
    const ash_dtype given = in->argument[0].dtype;
    ash_status status = check_options(in->function, op, in->operand[0].value.array, o, p);
    if (!status)
        status = ash__inputs_join(in);
    if (!status)
        status =
            ash__folding_set(in->function, op, op->truth && (ash__is_real(given) || ash__is_complex(given)) ? ASH_BOOL : given,
                             &o->init, in->device, out_dtype, &p->folding);
    if (status)
        return status;
    ash_function *f = ash__function_open(in->function, "x -> x");
    p->program = f ? ash__inputs_program(in, f, ASH__RULE_CAST, p->folding.dtype, false) : NULL;
    ash_function_release(f);
    return p->program ? ASH_OK : ash__last_status();
}

static void plan_end(plan *p)
{
    ash__program_release(p->program);
    ash__folding_end(&p->folding);
}

static ash_status run(const plan *p, const ash__inputs *in, const ash_array *out)
{
    if (!in->size)
        return ASH_OK;
    ash__task task = {.kind = ASH__TASK_SCAN,
                      .function = in->function,
                      .rank = in->rank,
                      .shape = in->shape,
                      .program = p->program,
                      .operand_count = 1,
                      .operand = in->span,
                      .out = ash__span_of(out),
                      .fold = p->folding.fold,
                      .combine = p->folding.combine,
                      .has_init = p->folding.has_init,
                      .axis = p->axis,
                      .col_major = p->col_major,
                      .exclusive = p->exclusive};
    memcpy(task.init, p->folding.init, sizeof task.init);
    return ash__run_on(in->resources, &task);
}

static ash_status run_aside(const plan *p, const ash__inputs *in, ash_array *out)
{
    ash_array *t = ash__temporary(in->function, in->resources, out->storage, p->folding.dtype, in->shape, in->rank);
    if (!t)
        return ash__last_status();
    const ash_operand operand = ash_operand_array(t);
    ash_status status = run(p, in, t);
    if (!status)
        status = ash__map_text_to(in->function, out, "x -> x", (ash_operands){&operand, 1}, in->resources);
    ash_release(t);
    return status;
}

ash_array *ash__scan_new(const char *function, const ash__operator *op, const ash_array *a, const ash_scan_options *options)
{
    ash_scan_options o;
    ash__inputs in;
    ash__make make;
    plan p = {.program = NULL};
    ash_array *out = NULL;
    const ash_operand operand = ash_operand_array(a);
    if (!ash__read_options(function, &o, sizeof o, options) ||
        ash__inputs_begin(&in, function, (ash_operands){&operand, 1}, o.resources, NULL))
        return NULL;
    if (!plan_begin(&p, &in, op, &o, ASH_DTYPE_DEFAULT)) {
        ash__inputs_like(&in, in.shape, in.rank, &make);
        make.dtype = p.folding.result;
        out = ash__array_new(function, (ash_dims){in.shape, in.rank}, &make);
    }
    if (out && (p.folding.dtype == p.folding.result ? run(&p, &in, out) : run_aside(&p, &in, out))) {
        ash_release(out);
        out = NULL;
    }
    plan_end(&p);
    ash__inputs_end(&in);
    return out;
}

/* May the backend write out itself? */
static bool direct(const plan *p, const ash__inputs *in, const ash_array *out)
{
    const ash_array *a = in->operand[0].value.array;
    if (p->folding.dtype != out->dtype || out->conjugated || p->program->faults ||
        (p->folding.combine && p->folding.combine->faults))
        return false;
    return !ash__may_overlap(a, out) || ash__inputs_same_mapping(in, 0, out);
}

static ash_status into_joined(ash__inputs *in, plan *p, const ash__operator *op, ash_array *out, const ash_scan_options *o)
{
    char have[ASH__SHAPE_TEXT], want[ASH__SHAPE_TEXT];
    const ash_array *a = in->operand[0].value.array;
    const ash_status status = plan_begin(p, in, op, o, out->dtype);
    if (status)
        return status;
    if (!ash_same_shape(a, out))
        return ash__fail(ASH_ERR_SHAPE, in->function, "out has shape %s and a %s; a scan keeps the shape",
                         ash__shape_text(have, sizeof have, out->shape, out->rank),
                         ash__shape_text(want, sizeof want, a->shape, a->rank));
    return direct(p, in, out) ? run(p, in, out) : run_aside(p, in, out);
}

ash_status ash__scan_into(const char *function, const ash__operator *op, ash_array *out, const ash_array *a,
                          const ash_scan_options *options)
{
    ash_scan_options o;
    ash__inputs in;
    plan p = {.program = NULL};
    const ash_operand operand = ash_operand_array(a);
    if (!ash__read_options(function, &o, sizeof o, options))
        return ash__last_status();
    ash_status status = ash__check_writable(function, "out", out);
    if (!status)
        status = ash__inputs_begin(&in, function, (ash_operands){&operand, 1}, o.resources, out);
    if (status)
        return status;
    status = into_joined(&in, &p, op, out, &o);
    plan_end(&p);
    ash__inputs_end(&in);
    return status;
}

ash_array *ash_scan_opt(const char *op, const ash_array *a, const ash_scan_options *options)
{
    static const char name[] = "ash_scan";
    ash__operator by;
    if (!ash__operator_open(name, op, &by))
        return NULL;
    ash_array *out = ash__scan_new(name, &by, a, options);
    ash__operator_close(&by);
    return out;
}

ash_status ash_scan_into_opt(ash_array *out, const char *op, const ash_array *a, const ash_scan_options *options)
{
    static const char name[] = "ash_scan_into";
    ash__operator by;
    if (!ash__operator_open(name, op, &by))
        return ash__last_status();
    const ash_status status = ash__scan_into(name, &by, out, a, options);
    ash__operator_close(&by);
    return status;
}
