/*
 * reduction.c - folding a function of arrays along axes, in one pass and without a temporary.
 *
 * The elements are a typed program: the function, converted to the accumulator's dtype, and under a mask replaced by the
 * neutral element where the mask is false. The backend folds that. A given output is written at once when the backend can
 * write it (same dtype, no overlap, nothing that can fault), else by way of memory of its own.
 */
#include "ops/reduction.h"

#include <string.h>

#include "core/alloc.h"
#include "core/error.h"
#include "core/options.h"
#include "ops/map.h"
#include "ops/run.h"

/* ---- options */

bool ash__reduce_options(const char *function, unsigned uses, const ash_reduce_options *options, ash_reduce_options *o)
{
    if (!ash__read_options(function, o, sizeof *o, options))
        return false;
    const char *unused = o->init.kind && !(uses & ASH__USES_INIT)          ? "init"
                         : o->where.kind && !(uses & ASH__USES_WHERE)      ? "where"
                         : o->predicate && !(uses & ASH__USES_PREDICATE)   ? "predicate"
                         : o->population && !(uses & ASH__USES_POPULATION) ? "population"
                         : o->accumulate && !(uses & ASH__USES_ACCUMULATE) ? "accumulate"
                                                                           : NULL;
    if (unused)
        ash__fail(ASH_ERR_ARGUMENT, function, "this function has no option .%s", unused);
    return !unused;
}

/* ---- the program of the elements */

/* The elements with the test and the mask built in: operand number count is the mask. */
static ash__program *build_elements(const ash__inputs *in, const ash__program *p, bool test, const ash__folding *f)
{
    const ash_dtype machine = ash__machine(ash__part(f->dtype));
    int few[ASH__FEW], *number = in->count <= ASH__FEW ? few : ash__alloc(in->function, in->count, sizeof *number), value[2];
    ash__builder *b = number ? ash__builder_new(in->function, (int)in->total) : NULL;
    if (!b) {
        if (number != few)
            ash__free(number);
        return NULL;
    }
    for (int k = 0; k < in->count; k++)
        number[k] = k;
    ash__scalar neutral[2];
    ash__folding_neutral(f, &neutral[0], &neutral[1]);
    const int parts = ash__is_complex(f->dtype) ? 2 : 1;
    value[1] = -1;
    ash__build_program(b, p, number, value);
    if (test)
        value[0] = ash__build_convert(b, value[0], ASH_BOOL);
    const int mask = in->total > in->count ? ash__build_load(b, (int)in->count, ASH_BOOL, 0) : -1;
    for (int k = 0; k < parts; k++) {
        value[k] = ash__build_convert(b, value[k], machine);
        if (in->total > in->count)
            value[k] = ash__build_op(b, ASH__OP_SELECT, mask, value[k], ash__build_constant(b, machine, neutral[k]));
    }
    if (number != few)
        ash__free(number);
    return ash__builder_finish(b, f->dtype, value[0], parts == 2 ? value[1] : -1);
}

static ash__program *elements(ash__inputs *in, const ash_function *map, const ash__program *natural, bool test,
                              const ash__folding *f)
{
    const bool masked = in->total > in->count;
    const bool tested = test && natural->dtype != ASH_BOOL && f->dtype != ASH_BOOL; /* a cast to bool is the test itself */
    ash__program *p = natural->dtype == f->dtype ? ash__program_retain((ash__program *)(uintptr_t)natural)
                      : tested                   ? ash__inputs_program(in, map, ASH__RULE_CAST, ASH_BOOL, false)
                                                 : ash__inputs_program(in, map, ASH__RULE_CAST, f->dtype, false);
    if (!p || (!masked && !tested))
        return p;
    ash__program *built = build_elements(in, p, tested, f);
    ash__program_release(p);
    return built;
}

/* ---- a plan: all that is known before the result is */

typedef struct plan {
    ash__folding folding;
    ash__program *program;
    ash__axes axes;
} plan;

static ash_status check_neutral(const ash__reduction *r, const ash_reduce_options *o)
{
    const bool extreme = r->op->fold == ASH__FOLD_MIN || r->op->fold == ASH__FOLD_MAX;
    if (o->init.kind)
        return ASH_OK;
    if (r->op->function)
        return ash__fail(ASH_ERR_ARGUMENT, r->function, "the neutral element of \"%s\" is not known; give it as .init",
                         r->op->text);
    if (extreme && o->where.kind)
        return ash__fail(ASH_ERR_ARGUMENT, r->function, ".where may leave no element to be the %s; give .init too",
                         r->op->fold == ASH__FOLD_MIN ? "minimum" : "maximum");
    return ASH_OK;
}

/* Program and folding, for operands that are joined. out_dtype: 0, or that of the output. */
static ash_status set_program(plan *p, ash__inputs *in, const ash__reduction *r, const ash_reduce_options *o,
                              ash_dtype out_dtype)
{
    const bool test = r->test || r->op->truth;
    ash_function *own = r->map ? NULL : ash__function_open(r->function, "x -> x");
    const ash_function *map = r->map ? r->map : own;
    ash__program *natural = map ? ash__inputs_program(in, map, ASH__RULE_NATURAL, ASH_DTYPE_DEFAULT, false) : NULL;
    ash_status status = natural ? ASH_OK : ash__last_status();
    if (!status && test && ash__is_record(natural->dtype))
        status = ash__fail(ASH_ERR_DTYPE, r->function, "the elements are %s; truth values or numbers were wanted",
                           ash_dtype_name(natural->dtype));
    if (!status) {
        const ash_dtype element = test ? ASH_BOOL : r->element && !ash__is_record(natural->dtype) ? r->element : natural->dtype;
        status = ash__folding_set(r->function, r->op, element, &o->init, in->device, out_dtype, &p->folding);
    }
    if (!status)
        p->program = elements(in, map, natural, test, &p->folding);
    if (!status && !p->program)
        status = ash__last_status();
    ash__program_release(natural);
    ash_function_release(own);
    return status;
}

static void plan_end(plan *p)
{
    ash__program_release(p->program);
    ash__folding_end(&p->folding);
}

/* No elements, no init, and yet a result to be had: an extremum of nothing. */
static ash_status check_empty(const plan *p, const ash__inputs *in)
{
    char shape[ASH__SHAPE_TEXT];
    const ash__fold fold = p->folding.fold;
    if ((fold != ASH__FOLD_MIN && fold != ASH__FOLD_MAX) || p->folding.has_init || p->axes.folded ||
        !ash__count(p->axes.shape, p->axes.rank))
        return ASH_OK;
    return ash__fail(ASH_ERR_VALUE, in->function, "shape %s is empty along the reduced axes: there is no %s without .init",
                     ash__shape_text(shape, sizeof shape, in->shape, in->rank), fold == ASH__FOLD_MIN ? "minimum" : "maximum");
}

/* Folds into out, an array of the accumulator's dtype and the result's shape. */
static ash_status run(const plan *p, const ash__inputs *in, const ash_array *out, bool accumulate)
{
    int64_t stride[ASH_MAX_RANK];
    if (!out->size)
        return ASH_OK;
    ash__axes_strides(&p->axes, in->rank, out->stride, stride);
    ash__task task = {.kind = ASH__TASK_REDUCE,
                      .function = in->function,
                      .rank = in->rank,
                      .shape = in->shape,
                      .program = p->program,
                      .operand_count = in->total,
                      .operand = in->span,
                      .out = {out->buffer, ash__data(out), stride, out->dtype},
                      .fold = p->folding.fold,
                      .combine = p->folding.combine,
                      .reduced = p->axes.reduced,
                      .has_init = p->folding.has_init,
                      .accumulate = accumulate};
    memcpy(task.init, p->folding.init, sizeof task.init);
    return ash__run_on(in->resources, &task);
}

/* ---- a new array */

static ash_array *result_of(const plan *p, const ash__inputs *in)
{
    ash__make make;
    ash__inputs_like(in, p->axes.shape, p->axes.rank, &make);
    make.dtype = p->folding.result;
    return ash__array_new(in->function, (ash_dims){p->axes.shape, p->axes.rank}, &make);
}

/* By way of the accumulator's dtype, where that is not the result's. */
static ash_status run_aside(const plan *p, const ash__inputs *in, const ash__reduction *r, ash_array *out, bool accumulate)
{
    ash_array *t = ash__temporary(in->function, in->resources, out->storage, p->folding.dtype, out->shape, out->rank);
    if (!t)
        return ash__last_status();
    ash_status status = run(p, in, t, false);
    const ash_operand both[2] = {ash_operand_array(out), ash_operand_array(t)};
    if (!status)
        status = accumulate ? ash__map_text_to(in->function, out, ash__operator_function(r->op), (ash_operands){both, 2},
                                               in->resources)
                            : ash__map_text_to(in->function, out, "x -> x", (ash_operands){both + 1, 1}, in->resources);
    ash_release(t);
    return status;
}

static ash_array *reduce_joined(ash__inputs *in, const ash__reduction *r, const ash_reduce_options *o)
{
    plan p = {.program = NULL};
    ash_array *out = NULL;
    ash_status status = ash__axes_set(&p.axes, r->function, o->axes, o->drop, in->shape, in->rank);
    if (!status)
        status = set_program(&p, in, r, o, ASH_DTYPE_DEFAULT);
    if (!status)
        status = check_empty(&p, in);
    if (!status && (out = result_of(&p, in)) != NULL) {
        status = p.folding.dtype == p.folding.result ? run(&p, in, out, false) : run_aside(&p, in, r, out, false);
        if (status) {
            ash_release(out);
            out = NULL;
        }
    }
    plan_end(&p);
    return out;
}

ash_array *ash__reduce_new(const ash__reduction *r, const ash_reduce_options *o)
{
    ash__inputs in;
    if (ash__inputs_begin_where(&in, r->function, r->operands, &o->where, o->resources, NULL))
        return NULL;
    ash_array *out = check_neutral(r, o) || ash__inputs_join(&in) ? NULL : reduce_joined(&in, r, o);
    ash__inputs_end(&in);
    return out;
}

/* ---- into an array */

static ash_status into_joined(ash__inputs *in, const ash__reduction *r, ash_array *out, const ash_reduce_options *o)
{
    plan p = {.program = NULL};
    ash_status status = ash__axes_into(&p.axes, r->function, o->axes, in->shape, in->rank, ash__dims(out));
    if (!status)
        status = set_program(&p, in, r, o, out->dtype);
    if (!status && !o->accumulate)
        status = check_empty(&p, in);
    if (!status && !(o->accumulate && !p.axes.folded && !p.folding.has_init)) {
        const bool direct = p.folding.dtype == out->dtype && !out->conjugated && !p.program->faults &&
                            !(p.folding.combine && p.folding.combine->faults) && !ash__inputs_overlap(in, out);
        status = direct ? run(&p, in, out, o->accumulate) : run_aside(&p, in, r, out, o->accumulate);
    }
    plan_end(&p);
    return status;
}

ash_status ash__reduce_into(const ash__reduction *r, ash_array *out, const ash_reduce_options *o)
{
    ash__inputs in;
    ash_status status = ash__check_writable(r->function, "out", out);
    if (!status)
        status = ash__inputs_begin_where(&in, r->function, r->operands, &o->where, o->resources, out);
    if (status)
        return status;
    status = check_neutral(r, o);
    if (!status)
        status = ash__inputs_join(&in);
    if (!status)
        status = into_joined(&in, r, out, o);
    ash__inputs_end(&in);
    return status;
}

/* ---- named reductions */

ash_array *ash__reduce_named(const char *function, ash__operator op, const ash_array *a, const ash_reduce_options *options)
{
    ash_reduce_options o;
    const ash_operand operand = ash_operand_array(a);
    const ash__reduction r = {.function = function, .op = &op, .operands = {&operand, 1}};
    return ash__reduce_options(function, ASH__USES_INIT | ASH__USES_WHERE, options, &o) ? ash__reduce_new(&r, &o) : NULL;
}

ash_status ash__reduce_named_into(const char *function, ash__operator op, ash_array *out, const ash_array *a,
                                  const ash_reduce_options *options)
{
    ash_reduce_options o;
    const ash_operand operand = ash_operand_array(a);
    const ash__reduction r = {.function = function, .op = &op, .operands = {&operand, 1}};
    return ash__reduce_options(function, ASH__USES_INIT | ASH__USES_WHERE | ASH__USES_ACCUMULATE, options, &o)
               ? ash__reduce_into(&r, out, &o)
               : ash__last_status();
}

ash_array *ash__reduce_text(const char *function, const char *map, ash__operator op, ash_operands operands, ash_dtype element,
                            const ash_reduce_options *o)
{
    ash_function *f = map ? ash__function_open(function, map) : NULL;
    const ash__reduction r = {.function = function, .map = f, .op = &op, .operands = operands, .element = element};
    ash_array *out = map && !f ? NULL : ash__reduce_new(&r, o);
    ash_function_release(f);
    return out;
}
