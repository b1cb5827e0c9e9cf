/*
 * small.c - maps of few elements, at once.
 *
 * Planning takes longer than computing when an array has a few hundred elements. Where all operands are dense or scalars,
 * and nothing has to be converted on the way in or out, the instructions are run one after the other as they are read.
 * Whatever else there is, this gives up before anything has been written, and map.c goes the usual way.
 */
#include "backend/cpu/plan.h"

enum {
    MOST_VALUES = 24,
    MOST_ELEMENTS = 1024,
    ROOM = 16384 /* bytes for temporaries, on the stack */
};

typedef struct small {
    const ash__task *task;
    const ash__elementwise_table *table;
    int64_t n;
    const void *at[MOST_VALUES];
    uint8_t last[MOST_VALUES];   /* which value reads it last */
    uint32_t uniform, temporary; /* bit v: value v is one element, lies in room */
    char *room;
    int faults;
} small;

static bool is_dense(const ash__task *task, const int64_t *stride, int64_t item)
{
    for (int64_t k = task->rank - 1; k >= 0; k--) {
        if (task->shape[k] == 1)
            continue;
        if (stride[k] != item)
            return false;
        item *= task->shape[k];
    }
    return true;
}

static bool load(small *s, int v, const ash__ins *i)
{
    const ash__span *const x = &s->task->operand[i->arg[0]];
    const int64_t item = (int64_t)1 << ash__log_size(i->from);
    s->at[v] = x->data + i->offset;
    if (ash__is_half(i->from) || (uintptr_t)s->at[v] % (uintptr_t)item != 0)
        return false;
    if (!x->buffer || s->n == 1) {
        s->uniform |= 1u << v;
        return true;
    }
    return x->stride && is_dense(s->task, x->stride, item);
}

/* Last readers. The room that temporaries may take at most, or more than there is. */
static int64_t survey(small *s, const ash__program *program)
{
    int64_t values = 0;
    int width = 0;
    for (int v = 0; v < program->count; v++) {
        const ash__ins *const i = &program->ins[v];
        const int arity = ash__arity_of(i), log = ash__log_size(i->type);
        width = log > width ? log : width;
        for (int k = 0; k < arity; k++)
            s->last[i->arg[k]] = (uint8_t)v;
        values += arity > 0;
    }
    return (values - 1) * ((s->n << width) + 63);
}

/* Where v goes: over an operand that it reads last and whose elements are as wide, or to new room. */
static void *place(small *s, int v, const ash__ins *i)
{
    const ash__ins *const ins = s->task->program->ins;
    const int log = ash__log_size(i->type), arity = ash__arity_of(i);
    s->temporary |= 1u << v;
    for (int k = 0; k < arity; k++) {
        const int x = i->arg[k];
        if ((s->temporary >> x & 1) && s->last[x] == v && ash__log_size(ins[x].type) == log)
            return (void *)(uintptr_t)s->at[x];
    }
    char *const at = s->room;
    s->room += (((size_t)s->n << log) + 63) & ~(size_t)63;
    return at;
}

static bool operate(small *s, int v, const ash__ins *i, void *d)
{
    const int arity = ash__arity_of(i);
    const void *x[3] = {NULL, NULL, NULL};
    unsigned scalars = 0;
    for (int k = 0; k < arity; k++) {
        x[k] = s->at[i->arg[k]];
        scalars |= (s->uniform >> i->arg[k] & 1) << k;
    }
    if (s->n == 1)
        scalars = 0;
    const ash_dtype from = s->task->program->ins[i->arg[i->op == ASH__OP_SELECT]].type;
    ash__kernel *const kernel = i->op > ASH__OP_ROUND16    ? ash__kernel_for(s->table, (ash__op)i->op, from, scalars)
                                : scalars                  ? NULL
                                : i->op == ASH__OP_CONVERT ? ash__convert_for(s->table, from, i->type)
                                : i->op == ASH__OP_NARROW  ? ash__narrow_for(s->table, from, i->type)
                                                           : NULL;
    if (!kernel)
        return false;
    kernel(d, x[0], x[1], ash__can_fault(i) ? &s->faults : x[2], s->n);
    s->at[v] = d;
    return true;
}

bool ash__map_small(const ash__task *task, int64_t elements, int *faults)
{
    const ash__program *const program = task->program;
    const ash_dtype dtype = program->dtype;
    _Alignas(64) char room[ROOM];
    small s = {.task = task, .n = elements};
    if (elements > MOST_ELEMENTS || program->count > MOST_VALUES || program->count == 0 || ash__is_half(dtype) ||
        !ash__is_real(dtype))
        return false;
    const int last = program->count - 1;
    const int64_t item = (int64_t)1 << ash__log_size(dtype);
    if (program->output[0] != last || program->ins[last].op <= ASH__OP_CONSTANT || !is_dense(task, task->out.stride, item) ||
        (uintptr_t)task->out.data % (uintptr_t)item != 0)
        return false;
    if (survey(&s, program) > ROOM)
        return false;
    s.table = ash__cpu_kernels()->elementwise;
    s.room = room;
    for (int v = 0; v <= last; v++) {
        const ash__ins *const i = &program->ins[v];
        bool fine = true;
        if (i->op == ASH__OP_LOAD) {
            fine = load(&s, v, i);
        } else if (i->op == ASH__OP_CONSTANT) {
            s.at[v] = &i->constant;
            s.uniform |= 1u << v;
        } else {
            fine = operate(&s, v, i, v == last ? task->out.data : place(&s, v, i));
        }
        if (!fine)
            return false;
    }
    *faults |= s.faults;
    return true;
}
