/*
 * dense.c - maps whose operands are all dense or scalars, without a plan.
 *
 * Planning takes longer than computing when an array has a few hundred elements, and buys nothing here: no element has to be
 * looked for, and none is converted on the way in or out. The instructions are run one after the other as they are read, for
 * the first block; what they did is noted and done again for the others. Whatever else there is, this gives up before
 * anything has been written, and map.c goes the usual way.
 */
#include "backend/cpu/cpu.h"
#include "backend/cpu/plan.h"
#include "core/shape.h"

enum {
    MOST_VALUES = 24,
    NEAR_BYTES = 1 << 20, /* of a costly program's arrays: beyond, its plan fetches ahead */
    ROOM = 16384          /* bytes for temporaries, on the stack */
};

/* One kernel call; what lies in memory of its own moves on by `item` bytes an element from block to block. */
typedef struct call {
    ash__kernel *kernel;
    char *at[4]; /* d, a, b, c */
    int32_t item[4];
} call;

typedef struct dense {
    const ash__task *task;
    const ash__elementwise_table *table;
    int64_t first, n; /* elements of the first block */
    const void *at[MOST_VALUES];
    uint8_t last[MOST_VALUES];   /* which value reads it last */
    uint32_t uniform, temporary; /* bit v: value v is one element, lies in room */
    call *call;                  /* NULL: one operation, one block: nothing to note */
    char *room;
    int faults;
} dense;

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

static bool load(dense *s, int v, const ash__ins *i)
{
    const ash__span *const x = &s->task->operand[i->arg[0]];
    const int64_t item = (int64_t)1 << ash__log_size(i->from);
    s->at[v] = x->data + i->offset;
    if (ash__is_half(i->from) || (uintptr_t)s->at[v] % (uintptr_t)item != 0)
        return false;
    if (!x->buffer) {
        s->uniform |= 1u << v;
        return true;
    }
    s->at[v] = x->data + i->offset + s->first * item;
    return x->stride && is_dense(s->task, x->stride, item);
}

/* Last readers. The room that temporaries may take at most. One operation needs none, and then one block will do. */
static int64_t survey(dense *s, const ash__program *program)
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
    if (values == 1)
        s->call = NULL;
    else if (s->n > ASH__BLOCK)
        s->n = ASH__BLOCK;
    return (values - 1) * ((s->n << width) + 63);
}

/* Where v goes: over an operand that it reads last and whose elements are as wide, or to new room. */
static void *place(dense *s, int v, const ash__ins *i)
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

static void note(dense *s, int v, const ash__ins *i, ash__kernel *kernel, char *d, const void *const x[3])
{
    const int arity = ash__arity_of(i);
    *s->call = (call){kernel, {d, d, d, d}, {0, 0, 0, 0}}; /* what is not used points somewhere too: no arithmetic on NULL */
    s->call->item[0] = s->temporary >> v & 1 ? 0 : 1 << ash__log_size(i->type);
    for (int k = 0; k < 3; k++)
        if (x[k])
            s->call->at[k + 1] = (char *)(uintptr_t)x[k];
    for (int k = 0; k < arity; k++)
        if (!((s->uniform | s->temporary) >> i->arg[k] & 1))
            s->call->item[k + 1] = 1 << ash__log_size(s->task->program->ins[i->arg[k]].type);
    s->call++;
}

/* NULL: there is none for such operands. */
static ash__kernel *kernel_of(const dense *s, const ash__ins *i)
{
    const ash_dtype from = s->task->program->ins[i->arg[i->op == ASH__OP_SELECT]].type;
    unsigned scalars = 0;
    for (int k = 0; k < ash__arity_of(i); k++)
        scalars |= (s->uniform >> i->arg[k] & 1) << k;
    return i->op > ASH__OP_ROUND16    ? ash__kernel_for(s->table, (ash__op)i->op, from, scalars)
           : scalars                  ? NULL
           : i->op == ASH__OP_CONVERT ? ash__convert_for(s->table, from, i->type)
           : i->op == ASH__OP_NARROW  ? ash__narrow_for(s->table, from, i->type)
                                      : NULL;
}

static bool operate(dense *s, int v, const ash__ins *i, void *d)
{
    const int arity = ash__arity_of(i);
    const void *x[3] = {NULL, NULL, NULL};
    ash__kernel *const kernel = kernel_of(s, i);
    if (!kernel)
        return false;
    for (int k = 0; k < arity; k++)
        x[k] = s->at[i->arg[k]];
    if (ash__can_fault(i))
        x[2] = &s->faults;
    kernel(d, x[0], x[1], x[2], s->n);
    s->at[v] = d;
    if (s->call)
        note(s, v, i, kernel, d, x);
    return true;
}

/* The blocks after the first. */
static void repeat(const call *first, const call *end, int64_t done, int64_t n)
{
    for (int64_t m; done < n; done += m) {
        m = n - done < ASH__BLOCK ? n - done : ASH__BLOCK;
        for (const call *c = first; c < end; c++)
            c->kernel(c->at[0] + done * c->item[0], c->at[1] + done * c->item[1], c->at[2] + done * c->item[2],
                      c->at[3] + done * c->item[3], m);
    }
}

/* Is the result what the last instruction computes, stored as it is, side by side? */
static bool has_dense_result(const ash__task *task)
{
    const ash__program *const program = task->program;
    const int last = program->count - 1;
    if (last < 0 || !ash__is_real(program->dtype))
        return false;
    const int64_t item = (int64_t)1 << ash__log_size(program->dtype);
    return program->output[0] == last && program->ins[last].op > ASH__OP_CONSTANT && is_dense(task, task->out.stride, item) &&
           ((uintptr_t)task->out.data & ((uintptr_t)item - 1)) == 0;
}

static bool is_simple(const ash__task *task, int64_t n)
{
    const ash__program *const program = task->program;
    const int64_t item = (int64_t)ash_dtype_size(program->dtype);
    if (program->count > MOST_VALUES || (program->transcendental && n * item * (task->operand_count + 1) > NEAR_BYTES))
        return false;
    return !ash__is_half(program->dtype) && has_dense_result(task);
}

/* ---- native code */

static void widen(ash__scalar *to, const char *from, ash_dtype half)
{
    uint16_t bits;
    memcpy(&bits, from, sizeof bits);
    ash__load16_for(ash__cpu_kernels()->elementwise, half)(to, &bits, NULL, NULL, 1);
}

/* Slots and uniform values for native code; false where an operand is neither dense nor one element, or a value is uniform
 * without being an operand or a constant: all of them is what a plan is for. */
static bool place_natively(const ash__task *task, int64_t first, ash__scalar *cell, void **slot, uint64_t *uniform)
{
    const ash__program *const program = task->program;
    bool varies[ASH__NATIVE_VALUES];
    int loads = 0, slots = 2;
    *uniform = 0;
    for (int v = 0; v < program->count; v++) {
        const ash__ins *const i = &program->ins[v];
        varies[v] = false;
        if (i->op == ASH__OP_CONSTANT) {
            cell[v] = i->constant;
        } else if (i->op == ASH__OP_LOAD) {
            const ash__span *const x = &task->operand[i->arg[0]];
            const int log = ash__log_size(i->from);
            if (slots == ASH__NATIVE_SLOTS || loads == ASH__NATIVE_LOADS)
                return false;
            varies[v] = x->buffer != NULL;
            if (varies[v] && !(x->stride && is_dense(task, x->stride, (int64_t)1 << log)))
                return false;
            if (varies[v])
                slot[slots++] = x->data + i->offset + (first << log);
            else if (ash__is_half(i->from))
                widen(&cell[v], x->data + i->offset, (ash_dtype)i->from);
            else
                memcpy(&cell[v], x->data + i->offset, (size_t)1 << log);
            *uniform |= (uint64_t)!varies[v] << loads++;
        } else {
            for (int k = 0; k < ash__arity_of(i); k++)
                varies[v] |= varies[i->arg[k]];
            if (!varies[v])
                return false;
        }
    }
    return true;
}

/* ---- the whole */

/* Elements `first` to first + n - 1; dry: only whether it can be done. False, and nothing written: it cannot. */
static bool interpret(const ash__task *task, int64_t first, int64_t n, int *faults, bool dry)
{
    const ash__program *const program = task->program;
    _Alignas(64) char room[ROOM];
    call calls[MOST_VALUES];
    dense s;
    s.task = task;
    s.table = ash__cpu_kernels()->elementwise;
    s.first = first;
    s.n = n;
    s.uniform = s.temporary = 0;
    s.call = calls;
    s.room = room;
    s.faults = 0;
    if (!is_simple(task, n) || survey(&s, program) > ROOM)
        return false;
    const int last = program->count - 1;
    for (int v = 0; v <= last; v++) {
        const ash__ins *const i = &program->ins[v];
        bool fine = true;
        if (i->op == ASH__OP_LOAD) {
            fine = load(&s, v, i);
        } else if (i->op == ASH__OP_CONSTANT) {
            s.at[v] = &i->constant;
            s.uniform |= 1u << v;
        } else if (dry) {
            fine = kernel_of(&s, i) != NULL;
        } else {
            char *const out = task->out.data + first * ((int64_t)1 << ash__log_size(i->type));
            fine = operate(&s, v, i, v == last ? out : place(&s, v, i));
        }
        if (!fine)
            return false;
    }
    if (!dry && s.call)
        repeat(calls, s.call, s.n, n);
    *faults |= s.faults;
    return true;
}

/* Where native code leaves elements, the interpreter does a piece, a longer one each time: who leaves once will again. */
static bool map_natively(const ash__task *task, int64_t first, int64_t n, int *faults)
{
    const ash__program *const program = task->program;
    const int last = program->count - 1;
    ash__scalar cell[ASH__NATIVE_VALUES];
    void *slot[ASH__NATIVE_SLOTS];
    uint64_t uniform;
    if (last < 0 || last >= ASH__NATIVE_VALUES || !has_dense_result(task) || !place_natively(task, first, cell, slot, &uniform))
        return false;
    if (program->leaves && !interpret(task, first, n, faults, true))
        return false;
    ash__native_code *const code =
        ash__native_enter(program, uniform, ash__is_half(program->dtype) ? ASH__NATIVE_STORED : ASH__NATIVE_MACHINE, n);
    if (!code)
        return false;
    slot[0] = cell;
    slot[1] = task->out.data + (first << ash__log_size(program->dtype));
    int64_t done = code(slot, n);
    for (int64_t piece = ASH__BLOCK, m; done < n; piece *= 2) {
        m = n - done < piece ? n - done : piece;
        interpret(task, first + done, m, faults, false);
        done += m;
        if (done < n && place_natively(task, first + done, cell, slot, &uniform)) {
            slot[1] = task->out.data + ((first + done) << ash__log_size(program->dtype));
            done += code(slot, n - done);
        }
    }
    ash__native_leave();
    return true;
}

/* Only where all that is left to do is to enter the code: results side by side, no element left to the interpreter. */
bool ash__map_prepare(const ash__task *task, ash__prepared *p)
{
    const ash__program *const program = task->program;
    const int end = ash__is_half(program->dtype) ? ASH__NATIVE_STORED : ASH__NATIVE_MACHINE;
    ash__scalar cell[ASH__NATIVE_VALUES];
    void *slot[ASH__NATIVE_SLOTS];
    uint64_t uniform;
    const int64_t n = ash__count(task->shape, task->rank);
    if (n < 1 || n > ASH__PREPARED_ELEMENTS || program->count < 1 || program->count > ASH__PREPARED_VALUES || program->leaves ||
        task->operand_count > ASH__PREPARED_OPERANDS || !has_dense_result(task) ||
        !place_natively(task, 0, cell, slot, &uniform))
        return false;
    *p = (ash__prepared){.note = ash__native_note(program, uniform, end), .n = n};
    slot[0] = p->cell;
    slot[1] = task->out.data;
    memset(p->cell_of, ASH__PREPARED_VALUES, sizeof p->cell_of);
    int slots = 2, loads[ASH__PREPARED_OPERANDS] = {0};
    for (int v = 0; v < program->count; v++) {
        const ash__ins *const i = &program->ins[v];
        if (i->op == ASH__OP_CONSTANT)
            p->cell[v] = cell[v].bits;
        if (i->op != ASH__OP_LOAD)
            continue;
        const ash__span *const x = &task->operand[i->arg[0]];
        slots += x->buffer != NULL;
        p->cell_of[i->arg[0]] = (uint8_t)v;
        if (loads[i->arg[0]]++ && !x->buffer) /* which would have two cells */
            return false;
        if (!x->buffer && ash__is_half(i->from))
            return false;
    }
    if (slots > 2 + ASH__PREPARED_OPERANDS)
        return false;
    memcpy(p->slot, slot, (size_t)slots * sizeof *slot);
    return p->note;
}

bool ash__map_dense(const ash__task *task, int64_t first, int64_t n, int *faults)
{
    return map_natively(task, first, n, faults) || interpret(task, first, n, faults, false);
}
