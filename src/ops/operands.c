/*
 * operands.c - the operands of a call, checked and joined to one iteration space.
 *
 * Shapes join by the broadcasting rule: last axes aligned, a missing leading axis counts as 1, and 1 gives way to any size,
 * 0 included. Where an operand has the whole shape its own strides serve; else an axis that it does not vary along gets
 * stride 0.
 */
#include "ops/operands.h"

#include <stdio.h>
#include <string.h>

#include "core/alloc.h"
#include "core/error.h"
#include "core/format.h"
#include "core/operand.h"
#include "ops/run.h"

/* ---- scalars */

ash_status ash__fail_scalar(const char *function, const char *name, const ash_operand *scalar, const ash_device *device)
{
    char value[ASH__CELL];
    if (scalar->dtype == ASH_C_F64)
        return ash__fail(ASH_ERR_DTYPE, function,
                         "%s is c_f64, which %s does not support; pass a float _Complex or cast with c_f32()", name,
                         device->name);
    ash__format_f64(value, sizeof value, scalar->value.f);
    if (strspn(value, "0123456789.e-") == strlen(value)) /* not inf or nan, which have no suffix */
        return ash__fail(ASH_ERR_DTYPE, function, "%s is f64, which %s does not support; pass %sf or cast with f32()", name,
                         device->name, value);
    return ash__fail(ASH_ERR_DTYPE, function, "%s is f64, which %s does not support; pass a float or cast with f32()", name,
                     device->name);
}

/* ---- checking */

static ash_status check_array(const char *function, int k, const ash_array *a)
{
    char name[32];
    if (__builtin_expect(a && !a->released, 1))
        return ASH_OK;
    if (!a)
        return ash__null_operand(function, k);
    snprintf(name, sizeof name, "operand %d", k);
    return ash__check_array(function, name, a);
}

static ash_status check_operand(ash__inputs *in, int k, const ash_operand *o)
{
    if (o->kind == ASH_OPERAND_ARRAY) {
        const ash_array *a = o->value.array;
        const ash_status status = check_array(in->function, k, a);
        if (status)
            return status;
        if (!in->device)
            in->device = ash__device(a);
        else if (in->device != ash__device(a))
            return ash__fail_operand(ASH_ERR_DEVICE, in->function, k, "operand %d is on %s and the others on %s; copy it there",
                                     k, ash__device(a)->name, in->device->name);
        return ASH_OK;
    }
    if (o->kind == ASH_OPERAND_SCALAR) {
        if (ash__is_real(o->dtype) || ash__is_complex(o->dtype))
            return ASH_OK;
        return ash__fail_operand(ASH_ERR_DTYPE, in->function, k, "operand %d is a scalar of dtype %s; a number was wanted", k,
                                 ash_dtype_name(o->dtype));
    }
    return ash__fail_operand(ASH_ERR_ARGUMENT, in->function, k, "operand %d is neither an array nor a scalar", k);
}

/* The mask: its own words, for the user gave it as an option. */
static ash_status check_where(ash__inputs *in, const ash_operand *where)
{
    const bool array = where->kind == ASH_OPERAND_ARRAY;
    if (array) {
        const ash_status status = ash__check_array(in->function, "where", where->value.array);
        if (status)
            return status;
        if (in->device && in->device != ash__device(where->value.array))
            return ash__fail(ASH_ERR_DEVICE, in->function, "where is on %s and the operands on %s; copy it there",
                             ash__device(where->value.array)->name, in->device->name);
    }
    const ash_dtype dtype = array ? where->value.array->dtype : where->dtype;
    if ((!array && where->kind != ASH_OPERAND_SCALAR) || dtype != ASH_BOOL)
        return ash__fail(ASH_ERR_DTYPE, in->function, "where is %s; a bool array or scalar was wanted", ash_dtype_name(dtype));
    return ASH_OK;
}

/* Places the lists: inside the struct, or in one block when there are many operands. */
static ash_status make_room(ash__inputs *in)
{
    in->block = NULL;
    in->copies = false;
    if (__builtin_expect(in->total <= ASH__FEW, 1)) {
        in->span = in->few_span;
        in->argument = in->few_argument;
        in->scalar = in->few_scalar;
        in->copy = in->few_copy;
        in->stride = in->few_stride;
        return ASH_OK;
    }
    struct many {
        unsigned char scalar[16];
        ash__span span;
        ash__argument argument;
        ash_array *copy;
        int64_t stride[ASH_MAX_RANK];
    };
    const int64_t n = in->total;
    char *p = ash__alloc(in->function, n, sizeof(struct many));
    if (!p)
        return ASH_ERR_MEMORY;
    in->block = p;
    in->scalar = (unsigned char(*)[16])(void *)p, p += n * (int64_t)sizeof *in->scalar;
    in->span = (ash__span *)(void *)p, p += n * (int64_t)sizeof *in->span;
    in->copy = (ash_array **)(void *)p, p += n * (int64_t)sizeof *in->copy;
    in->stride = (int64_t *)(void *)p, p += n * (int64_t)sizeof *in->stride * ASH_MAX_RANK;
    in->argument = (ash__argument *)(void *)p;
    return ASH_OK;
}

/* Fills list entry k. */
static void place(ash__inputs *in, int64_t k, const ash_operand *o)
{
    in->copy[k] = NULL;
    if (o->kind == ASH_OPERAND_ARRAY) {
        const ash_array *a = o->value.array;
        in->span[k] = ash__span_of(a);
        in->argument[k] = (ash__argument){a->dtype, a->conjugated};
    } else {
        ash__operand_bytes(in->function, o, in->scalar[k]); /* the dtype has been checked */
        in->span[k] = (ash__span){NULL, (char *)in->scalar[k], NULL, o->dtype};
        in->argument[k] = (ash__argument){o->dtype, false};
    }
}

ash_status ash__inputs_begin_where(ash__inputs *in, const char *function, ash_operands operands, const ash_operand *where,
                                   ash_resources *given, const ash_array *out)
{
    in->function = function;
    in->operand = operands.operand;
    in->count = operands.count;
    in->total = operands.count + (where->kind != ASH_OPERAND_NONE);
    in->device = out ? ash__device(out) : NULL;
    in->where = where->kind == ASH_OPERAND_ARRAY ? where->value.array : NULL;
    in->rank = 0;
    if (operands.count < 0 || operands.count >= ASH__OPERAND_LIMIT || (operands.count && !operands.operand))
        return ash__fail(ASH_ERR_ARGUMENT, function, "%lld operands; 0 to %d are possible", (long long)operands.count,
                         ASH__OPERAND_LIMIT - 1);
    ash_status status = ASH_OK;
    for (int64_t k = 0; k < operands.count && !status; k++)
        status = check_operand(in, (int)k, &operands.operand[k]);
    if (!status && in->total > in->count)
        status = check_where(in, where);
    if (status)
        return status;
    in->resources = in->device ? ash__resources_on(function, in->device, given) : ash__resources_for(function, given);
    if (!in->resources)
        return ash__last_status();
    in->device = in->resources->device;
    status = make_room(in);
    for (int64_t k = 0; k < operands.count && !status; k++)
        place(in, k, &operands.operand[k]);
    if (!status && in->total > in->count)
        place(in, in->count, where);
    return status;
}

ash_status ash__inputs_begin(ash__inputs *in, const char *function, ash_operands operands, ash_resources *given,
                             const ash_array *out)
{
    static const ash_operand no_mask = {.kind = ASH_OPERAND_NONE};
    return ash__inputs_begin_where(in, function, operands, &no_mask, given, out);
}

void ash__inputs_end(ash__inputs *in)
{
    for (int64_t k = 0; in->copies && k < in->total; k++)
        ash_release(in->copy[k]);
    if (in->block)
        ash__free(in->block);
}

const ash_array *ash__inputs_array(const ash__inputs *in, int64_t k)
{
    return in->operand[k].kind == ASH_OPERAND_ARRAY ? in->operand[k].value.array : NULL;
}

/* ---- joining */

static bool same_shape(const int64_t *a, int64_t a_rank, const int64_t *b, int64_t b_rank)
{
    if (a_rank != b_rank)
        return false;
    for (int64_t k = 0; k < a_rank; k++)
        if (a[k] != b[k])
            return false;
    return true;
}

/* Strides of array operand k along the axes of the iteration space; false when its shape does not broadcast to it. */
static bool spread(ash__inputs *in, int64_t k, const ash_array *a)
{
    int64_t *stride = in->stride + k * ASH_MAX_RANK;
    const int64_t lead = in->rank - a->rank;
    if (lead < 0)
        return false;
    for (int64_t axis = 0; axis < lead; axis++)
        stride[axis] = 0;
    for (int64_t axis = 0; axis < a->rank; axis++) {
        if (a->shape[axis] != 1 && a->shape[axis] != in->shape[lead + axis])
            return false;
        stride[lead + axis] = a->shape[axis] == 1 ? 0 : a->stride[axis];
    }
    in->span[k].stride = stride;
    return true;
}

static ash_status spread_all(ash__inputs *in, bool given)
{
    for (int64_t k = 0; k < in->count; k++) {
        const ash_array *a = ash__inputs_array(in, k);
        if (!a || same_shape(a->shape, a->rank, in->shape, in->rank) || spread(in, k, a))
            continue;
        char have[ASH__SHAPE_TEXT], want[ASH__SHAPE_TEXT];
        return ash__fail_operand(ASH_ERR_SHAPE, in->function, (int)k,
                                 "operand %d has shape %s, which does not broadcast to %s %s", (int)k,
                                 ash__shape_text(have, sizeof have, a->shape, a->rank), given ? "out's" : "the joined",
                                 ash__shape_text(want, sizeof want, in->shape, in->rank));
    }
    return ASH_OK;
}

/* The mask does not make the iteration space larger. */
static ash_status spread_mask(ash__inputs *in)
{
    const ash_array *a = in->where;
    if (!a || spread(in, in->count, a))
        return ASH_OK;
    char have[ASH__SHAPE_TEXT], want[ASH__SHAPE_TEXT];
    return ash__fail(ASH_ERR_SHAPE, in->function, "where has shape %s, which does not broadcast to the operands' %s",
                     ash__shape_text(have, sizeof have, a->shape, a->rank),
                     ash__shape_text(want, sizeof want, in->shape, in->rank));
}

ash_status ash__inputs_join(ash__inputs *in)
{
    const ash_array *first = NULL;
    bool equal = true;
    in->rank = 0;
    in->size = 1;
    for (int64_t k = 0; k < in->count; k++) {
        const ash_array *a = ash__inputs_array(in, k);
        if (!a)
            continue;
        if (!first) {
            first = a;
            in->rank = a->rank;
            in->size = a->size;
            memcpy(in->shape, a->shape, sizeof *in->shape * (size_t)a->rank);
        } else if (!same_shape(a->shape, a->rank, in->shape, in->rank)) {
            equal = false;
            if (ash__broadcast(in->function, (int)k, in->shape, &in->rank, a->shape, a->rank))
                return ASH_ERR_SHAPE;
        }
    }
    ash_status status = equal ? ASH_OK : ash__check_shape(in->function, (ash_dims){in->shape, in->rank}, 1, &in->size);
    if (!status && !equal)
        status = spread_all(in, false);
    return status || in->total == in->count ? status : spread_mask(in);
}

ash_status ash__inputs_join_to(ash__inputs *in, const int64_t *shape, int64_t rank)
{
    in->rank = rank;
    in->size = ash__count(shape, rank);
    memcpy(in->shape, shape, sizeof *shape * (size_t)rank);
    return spread_all(in, true);
}

/* ---- programs */

/* Is every f64 value of the program a scalar operand as it was given, and used by f32(x) alone? Then the caller has cast it. */
static bool only_cast(const ash__program *p)
{
    for (int32_t i = 0; i < p->count; i++) {
        const ash__ins *ins = &p->ins[i];
        const bool cast = ins->op == ASH__OP_CONVERT && ins->type == ASH_F32;
        if (ins->type == ASH_F64 && ins->op != ASH__OP_LOAD)
            return false;
        for (int j = 0; j < ash__op_arity((ash__op)ins->op); j++)
            if (!cast && p->ins[ins->arg[j]].type == ASH_F64)
                return false;
    }
    return ash__part(p->dtype) != ASH_F64;
}

static ash_status narrow_scalars(ash__inputs *in, const ash_function *f)
{
    if (in->count != ash__function_arity(f))
        return ASH_OK; /* the compiler reports that */
    for (int64_t k = 0; k < in->count; k++) {
        const ash_operand *o = &in->operand[k];
        if (!ash__scalar_needs_f64(o) || ash__part(in->argument[k].dtype) != ASH_F64)
            continue;
        const ash__target any = {.rule = ASH__RULE_NATURAL, .device = in->device->name, .f64 = true};
        ash__program *p = ash__function_program(in->function, f, in->count, in->argument, &any);
        if (!p)
            return ash__last_status();
        const bool castable = only_cast(p);
        ash__program_release(p);
        if (!castable) {
            char name[80];
            snprintf(name, sizeof name, "operand %s", ash__function_parameter(f, k));
            return ash__fail_scalar(in->function, name, o, in->device);
        }
        ash_operand narrow = *o;
        narrow.dtype = o->dtype == ASH_F64 ? ASH_F32 : ASH_C_F32;
        place(in, k, &narrow);
    }
    return ASH_OK;
}

static bool has_f64_scalar(const ash__inputs *in)
{
    for (int64_t k = 0; k < in->count; k++)
        if (ash__scalar_needs_f64(&in->operand[k]))
            return true;
    return false;
}

ash__program *ash__inputs_program(ash__inputs *in, const ash_function *f, ash__rule rule, ash_dtype dtype, bool conjugated)
{
    if (!in->device->f64 && has_f64_scalar(in) && narrow_scalars(in, f))
        return NULL;
    const ash__target target = {
        .rule = rule, .dtype = dtype, .conjugated = conjugated, .device = in->device->name, .f64 = in->device->f64};
    return ash__function_program(in->function, f, in->count, in->argument, &target);
}

/* ---- results */

void ash__inputs_like(const ash__inputs *in, const int64_t *shape, int64_t rank, ash__make *make)
{
    const ash_array *first = NULL, *model = NULL;
    ash_storage storage = ASH_STORAGE_DEFAULT;
    for (int64_t k = 0; k < in->count; k++) {
        const ash_array *a = ash__inputs_array(in, k);
        if (!a)
            continue;
        first = first ? first : a;
        storage = storage == ASH_SHARED ? storage : a->storage;
        if (!model && same_shape(a->shape, a->rank, shape, rank))
            model = a;
    }
    make->resources = in->resources;
    make->layout = model ? ash__layout_like(model) : ASH_ROW_MAJOR;
    make->storage = storage;
    make->memory = first ? first->buffer->memory : NULL;
}

/* ---- overlap */

bool ash__inputs_overlap(const ash__inputs *in, const ash_array *out)
{
    for (int64_t k = 0; k < in->count; k++) {
        const ash_array *a = ash__inputs_array(in, k);
        if (a && ash__may_overlap(a, out))
            return true;
    }
    return in->where && ash__may_overlap(in->where, out);
}

/* Then reading an element before writing it is enough. */
bool ash__inputs_same_mapping(const ash__inputs *in, int64_t k, const ash_array *out)
{
    if (in->span[k].data != ash__data(out) || in->span[k].dtype != out->dtype)
        return false;
    for (int64_t axis = 0; axis < in->rank; axis++)
        if (in->shape[axis] > 1 && in->span[k].stride[axis] != out->stride[axis])
            return false;
    return true;
}

/* Operand k moves to memory of its own; axes along which it does not vary are not multiplied. */
static ash_status copy_operand(ash__inputs *in, int64_t k, const ash_array *a)
{
    int64_t shape[ASH_MAX_RANK];
    int64_t *stride = in->stride + k * ASH_MAX_RANK;
    for (int64_t axis = 0; axis < in->rank; axis++)
        shape[axis] = in->span[k].stride[axis] ? in->shape[axis] : in->shape[axis] != 0;
    ash_array *t = ash__temporary(in->function, in->resources, a->storage, a->dtype, shape, in->rank);
    if (!t)
        return ash__last_status();
    in->copy[k] = t;
    in->copies = true;
    const ash_status status = ash__run_copy(in->function, in->resources, shape, in->rank, ash__span_of(t), in->span[k]);
    for (int64_t axis = 0; axis < in->rank; axis++)
        stride[axis] = in->span[k].stride[axis] ? t->stride[axis] : 0;
    in->span[k] = (ash__span){t->buffer, ash__data(t), stride, t->dtype};
    return status;
}

ash_status ash__inputs_separate(ash__inputs *in, const ash_array *out)
{
    for (int64_t k = 0; k < in->count; k++) {
        const ash_array *a = ash__inputs_array(in, k);
        if (!a || !ash__may_overlap(a, out) || ash__inputs_same_mapping(in, k, out))
            continue;
        const ash_status status = copy_operand(in, k, a);
        if (status)
            return status;
    }
    return ASH_OK;
}
