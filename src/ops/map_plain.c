/*
 * map_plain.c - the usual map: a few arrays of one shape, or scalars beside them, and no options.
 *
 * On small arrays a map is all bookkeeping, so this case goes straight from the operands to the backend: no shapes to join, no
 * strides to make, nothing to copy. Whatever is not usual is left to map.c, which also words the errors.
 */
#include "core/error.h"
#include "core/operand.h"
#include "ops/map.h"
#include "ops/run.h"

enum { FEW = 3 };

typedef struct plain {
    const ash_array *like; /* what all arrays look like: out, or the first of them */
    ash_storage storage;
    int64_t count;
    ash__span span[FEW];
    ash__argument argument[FEW];
    unsigned char scalar[FEW][ASH__SCALAR_BYTES];
} plain;

static bool alike(const ash_array *a, const ash_array *b)
{
    if (a->rank != b->rank || ash__device(a) != ash__device(b))
        return false;
    for (int32_t k = 0; k < a->rank; k++)
        if (a->shape[k] != b->shape[k])
            return false;
    return true;
}

static bool take_array(plain *p, int64_t k, const ash_array *a)
{
    if (!a || a->released || (p->like && !alike(a, p->like)))
        return false;
    p->like = p->like ? p->like : a;
    p->storage = p->storage == ASH_SHARED ? p->storage : a->storage;
    p->span[k] = (ash__span){a->buffer, ash__data(a), a->stride, a->dtype};
    p->argument[k] = (ash__argument){a->dtype, a->conjugated};
    return true;
}

/* false: not the usual case; nothing has been reported. */
static bool gather(plain *p, ash_operands operands)
{
    bool f64 = false;
    if (operands.count < 1 || operands.count > FEW || !operands.operand)
        return false;
    p->count = operands.count;
    for (int64_t k = 0; k < operands.count; k++) {
        const ash_operand *o = &operands.operand[k];
        if (o->kind == ASH_OPERAND_ARRAY) {
            if (!take_array(p, k, o->value.array))
                return false;
            continue;
        }
        if (o->kind != ASH_OPERAND_SCALAR || !ash__is_real(o->dtype))
            return false;
        f64 |= o->dtype == ASH_F64;
        ash__operand_bytes("", o, p->scalar[k]); /* cannot fail: the dtype is real */
        p->span[k] = (ash__span){NULL, (char *)p->scalar[k], NULL, o->dtype};
        p->argument[k] = (ash__argument){o->dtype, false};
    }
    return p->like && (!f64 || ash__device(p->like)->f64);
}

static ash__task task_of(const char *function, const plain *p, const ash__program *program, const ash_array *out)
{
    return (ash__task){.kind = ASH__TASK_MAP,
                       .function = function,
                       .rank = out->rank,
                       .shape = out->shape,
                       .program = program,
                       .operand_count = p->count,
                       .operand = p->span,
                       .out = {out->buffer, ash__data(out), out->stride, out->dtype}};
}

static ash_status run(const ash__task *task, ash_resources *resources, const ash_array *out)
{
    if (!out->size)
        return ASH_OK;
    if (task->program->copies >= 0)
        return ash__run_copy(task->function, resources, task->shape, task->rank, task->out,
                             task->operand[task->program->copies]);
    return ash__run_on(resources, task);
}

bool ash__map_plain(const char *function, const ash_function *f, ash_operands operands, ash_array **result)
{
    plain p;
    p.like = NULL;
    p.storage = ASH_PRIVATE;
    *result = NULL;
    if (!gather(&p, operands))
        return false;
    const ash_array *const a = p.like;
    ash_resources *const resources = ash__resources_on(function, ash__device(a), NULL);
    const ash__target target = {.rule = ASH__RULE_NATURAL, .device = ash__device(a)->name, .f64 = ash__device(a)->f64};
    ash__program *program = resources ? ash__function_program(function, f, p.count, p.argument, &target) : NULL;
    if (!program)
        return true;
    const ash__make make = {.resources = resources,
                            .dtype = program->dtype,
                            .layout = ash__layout_like(a),
                            .storage = p.storage,
                            .memory = a->buffer->memory};
    ash_array *out = ash__array_new(function, ash__dims(a), &make);
    const ash__task task = out ? task_of(function, &p, program, out) : (ash__task){0};
    if (out && run(&task, resources, out)) {
        ash_release(out);
        out = NULL;
    }
    if (out && program->copies < 0 && !program->faults)
        ash__map_note(out, true, f, operands, &task);
    ash__program_release(program);
    *result = out;
    return true;
}

/* Is element i of the operand where element i of out is? */
static bool same_place(const plain *p, int64_t k, const ash_array *out)
{
    if (p->span[k].data != ash__data(out) || p->span[k].dtype != out->dtype)
        return false;
    for (int32_t axis = 0; axis < out->rank; axis++)
        if (p->span[k].stride[axis] != out->stride[axis])
            return false;
    return true;
}

bool ash__map_plain_to(const char *function, ash_array *out, const ash_function *f, ash_operands operands, ash_status *status)
{
    plain p;
    p.like = out;
    p.storage = ASH_PRIVATE;
    if (!gather(&p, operands))
        return false;
    for (int64_t k = 0; k < p.count; k++)
        if (p.span[k].buffer && !same_place(&p, k, out) && ash__may_overlap(operands.operand[k].value.array, out))
            return false;
    const ash_device *device = ash__device(out);
    ash_resources *const resources = ash__resources_on(function, device, NULL);
    const ash__target target = {
        .rule = ASH__RULE_INTO, .dtype = out->dtype, .conjugated = out->conjugated, .device = device->name, .f64 = device->f64};
    ash__program *program = resources ? ash__function_program(function, f, p.count, p.argument, &target) : NULL;
    const bool able = !program || !program->faults;
    if (program && able) {
        const ash__task task = task_of(function, &p, program, out);
        *status = run(&task, resources, out);
        if (!*status && program->copies < 0)
            ash__map_note(out, false, f, operands, &task);
    } else if (able) {
        *status = ash__last_status();
    }
    ash__program_release(program);
    return able;
}
