/*
 * plan.c - chooses kernels for a program and places its values.
 *
 * One pass over the instructions. Operands are fetched just before their first use, so that few blocks are live at a time; a
 * result takes the place of an operand that dies with it where the sizes allow, which is then still in L1. All memory is
 * taken in two pieces, tables and blocks, from the caller's arena when they fit there: a small program on a small array
 * allocates nothing.
 */
#include "backend/cpu/plan.h"

#include "backend/cpu/threads.h"
#include "core/error.h"

enum {
    NONE = 0xffff,
    FAR = 1 << 20,      /* bytes that no longer fit L2 */
    FARTHER = 24 << 20, /* bytes that no longer fit L3 */
    FAR_BLOCK = 256,    /* elements of a block that is computed while the next is fetched from memory */
    NEAR_BYTES = 32768, /* of L1, for temporaries */
    WINDOWS = 2 << 20,  /* bytes for windows of transposed operands: some of them in L2, the rest in L3 */
    SKEW = 192          /* between temporaries, so that they do not compete for the same cache sets */
};

typedef enum value_state { PENDING, UNIFORM, READY } value_state;

typedef struct planner {
    ash__evaluator *e;
    const ash__task *task;
    const ash__ins *ins;
    const int64_t *axis;
    int64_t rank, elements;
    char *bump, *end;
    ash__scalar *scalar; /* of each value: uniform ones */
    uint16_t *last;      /* instruction that reads a value last; NONE: an output, or given back already */
    uint16_t *splat;     /* slot of a uniform value's block, or NONE */
    uint16_t *temp;      /* of each slot, or NONE */
    uint16_t *idle;      /* temporaries that can be used again */
    uint8_t *state;
    int idle_count, temps, slots, nothing, faults;
    int width; /* log of the widest value */
    size_t budget;
    int64_t *numbers; /* for paths */
    ash_status status;
} planner;

static void *take(planner *p, size_t nbytes)
{
    char *const at = p->bump;
    p->bump += (nbytes + 15) & ~(size_t)15;
    return at;
}

static int64_t loads_of(const ash__program *program)
{
    int64_t n = 0;
    for (int32_t v = 0; v < program->count; v++)
        n += program->ins[v].op == ASH__OP_LOAD;
    return n;
}

/* ---- places */

static uint16_t new_slot(planner *p)
{
    p->temp[p->slots] = NONE;
    p->e->slot[p->slots] = NULL;
    return (uint16_t)p->slots++;
}

static void give_temporary(planner *p, uint16_t slot)
{
    if (p->temp[slot] != NONE)
        p->idle[p->idle_count++] = p->temp[slot];
}

static void take_temporary(planner *p, uint16_t slot)
{
    p->temp[slot] = p->idle_count ? p->idle[--p->idle_count] : (uint16_t)p->temps++;
}

static int output_number(const planner *p, int v)
{
    const ash__program *const program = p->e->program;
    return program->output[0] == v ? 0 : p->e->outputs == 2 && program->output[1] == v ? 1 : -1;
}

/* The temporaries of operands that instruction v reads last. same_size: only those that v's result may take. */
static void give_operands(planner *p, int v, int arity, bool same_size)
{
    const ash__ins *const i = &p->ins[v];
    for (int k = 0; k < arity; k++) {
        const uint16_t x = i->arg[k];
        if (p->last[x] != v || (same_size && ash__log_size(p->ins[x].type) != ash__log_size(i->type)))
            continue;
        p->last[x] = NONE;
        if (p->state[x] == READY)
            give_temporary(p, x);
    }
}

/* ---- operands */

typedef enum lie { LIE_UNIFORM, LIE_RUN, LIE_OTHER } lie;

/* How an operand lies over the axes walked; *step: bytes between the elements of a run. */
static lie how_it_lies(const planner *p, const ash__span *span, int64_t *step)
{
    bool varies = false;
    int64_t expected = 0;
    *step = 0;
    if (!span->buffer || !span->stride)
        return LIE_UNIFORM;
    for (int64_t k = p->rank - 1; k >= 0; k--) {
        const int64_t size = p->task->shape[p->axis[k]], stride = span->stride[p->axis[k]];
        if (size == 1)
            continue;
        if (!varies)
            *step = stride;
        else if (stride != expected)
            return LIE_OTHER;
        varies = true;
        expected = stride * size;
    }
    return varies && *step ? LIE_RUN : LIE_UNIFORM;
}

static bool is_aligned(const planner *p, const ash__span *span, const char *start, int log)
{
    uint64_t bits = (uint64_t)(uintptr_t)start;
    for (int64_t k = 0; k < p->task->rank; k++)
        bits |= (uint64_t)span->stride[k];
    return (bits & (((uint64_t)1 << log) - 1)) == 0;
}

static void add_feed(planner *p, const ash__ins *i, char *start, bool aligned, uint16_t slot, uint16_t place)
{
    ash__evaluator *const e = p->e;
    const ash__span *const span = &p->task->operand[i->arg[0]];
    ash__feed *const f = &e->feed[e->feeds];
    ash__path_set(&f->path, start, ash__log_size(i->from), e->kernels->layout, p->task->shape, span->stride, p->axis, p->rank,
                  p->numbers);
    p->numbers += 3 * (p->rank + 1);
    ash__feed_set(f, aligned, e->block, p->elements, &p->budget);
    e->operand_of_feed[e->feeds] = i->arg[0];
    e->step[e->steps++] = (ash__step){NULL, slot, (uint16_t)e->feeds++, place, (uint16_t)p->nothing};
}

/* The elements as they are stored: slot `slot` will point to them. A feed may write them to slot `place`. */
static bool add_raw(planner *p, const ash__ins *i, uint16_t slot, uint16_t place)
{
    ash__evaluator *const e = p->e;
    const ash__span *const span = &p->task->operand[i->arg[0]];
    const int log = ash__log_size(i->from);
    char *const start = span->data + i->offset;
    int64_t step;
    const lie how = how_it_lies(p, span, &step);
    const bool aligned = is_aligned(p, span, start, log);
    if (how == LIE_RUN && step == (int64_t)1 << log && aligned) {
        e->moving[e->movings++] = (ash__moving){start, start, 1 << log, slot, i->arg[0]};
        return true;
    }
    add_feed(p, i, start, aligned, slot, place);
    return false;
}

static void fetch(planner *p, uint16_t v)
{
    const ash__ins *const i = &p->ins[v];
    const int k = output_number(p, v);
    p->state[v] = READY;
    if (ash__is_half(i->from) && !p->e->native) { /* widened: raw bits first */
        const uint16_t raw = new_slot(p), place = new_slot(p);
        if (!add_raw(p, i, raw, place))
            take_temporary(p, place);
        if (k < 0)
            take_temporary(p, v);
        else
            p->e->output[k].kind = ASH__OUTPUT_RESULT;
        const uint16_t none = (uint16_t)p->nothing;
        p->e->step[p->e->steps++] = (ash__step){ash__load16_for(p->e->kernels->elementwise, i->from), v, raw, none, none};
        give_temporary(p, place);
        return;
    }
    const uint16_t place = new_slot(p);
    const bool moving = add_raw(p, i, v, place);
    if (k >= 0) {
        p->e->output[k].kind = moving ? ASH__OUTPUT_MOVING : ASH__OUTPUT_FEED;
        p->e->output[k].place = place;
    } else if (!moving) {
        take_temporary(p, place);
        p->temp[v] = p->temp[place]; /* given back with v; the feed sets v's address itself */
    }
}

static void add_uniform(planner *p, uint16_t v)
{
    ash__evaluator *const e = p->e;
    const ash__ins *const i = &p->ins[v];
    const char *const start = p->task->operand[i->arg[0]].data + i->offset;
    e->uniform[e->uniforms++] = (ash__uniform){start, start, i->from, v, i->arg[0]};
}

/* ---- instructions */

static ash__kernel *unary_kernel(const ash__elementwise_table *t, const ash__ins *i, ash_dtype from)
{
    if (i->op == ASH__OP_CONVERT)
        return ash__convert_for(t, from, i->type);
    if (i->op == ASH__OP_NARROW)
        return ash__narrow_for(t, from, i->type);
    return ash__kernel_for(t, (ash__op)i->op, from, 0);
}

static uint16_t splat_of(planner *p, uint16_t v)
{
    if (p->splat[v] == NONE) {
        const uint16_t s = new_slot(p);
        p->temp[s] = (uint16_t)p->temps++; /* never used again: it is written once */
        p->e->splat[p->e->splats++] = (ash__splat){s, v, ash__log_size(p->ins[v].type)};
        p->splat[v] = s;
    }
    return p->splat[v];
}

/* The kernel that reads the most of the scalar operands in place; *bits becomes what it does read so. */
static ash__kernel *kernel_with_scalars(const ash__elementwise_table *t, ash__op op, ash_dtype type, unsigned *bits)
{
    const unsigned all = *bits;
    ash__kernel *const best = ash__kernel_for(t, op, type, all);
    if (best)
        return best;
    for (unsigned want = 3; want > 0; want--)
        for (unsigned b = all; b > 0; b = (b - 1) & all)
            if ((unsigned)__builtin_popcount(b) == want) {
                ash__kernel *const kernel = ash__kernel_for(t, op, type, b);
                if (kernel) {
                    *bits = b;
                    return kernel;
                }
            }
    *bits = 0;
    return ash__kernel_for(t, op, type, 0);
}

/* Appends the step that computes v from slots x; a rounding has two, with the 16 bits in slot d. */
static void add_steps(planner *p, ash__step *list, int32_t *count, int v, ash__kernel *kernel, uint16_t d, const uint16_t x[3])
{
    const ash__ins *const i = &p->ins[v];
    const uint16_t none = (uint16_t)p->nothing;
    if (!kernel) {
        p->status = ASH_ERR_INTERNAL;
        return;
    }
    list[(*count)++] = (ash__step){kernel, d, x[0], x[1], ash__can_fault(i) ? (uint16_t)p->faults : x[2]};
    if (i->op == ASH__OP_ROUND16)
        list[(*count)++] = (ash__step){ash__load16_for(p->e->kernels->elementwise, i->from), (uint16_t)v, d, none, none};
}

static void add_prologue(planner *p, int v, ash_dtype type)
{
    ash__evaluator *const e = p->e;
    const ash__elementwise_table *const t = e->kernels->elementwise;
    const ash__ins *const i = &p->ins[v];
    const int arity = ash__arity_of(i);
    uint16_t x[3] = {(uint16_t)p->nothing, (uint16_t)p->nothing, (uint16_t)p->nothing};
    for (int k = 0; k < arity; k++)
        x[k] = i->arg[k];
    uint16_t d = (uint16_t)v;
    ash__kernel *kernel = arity == 1 ? unary_kernel(t, i, type) : ash__kernel_for(t, (ash__op)i->op, type, 0);
    if (i->op == ASH__OP_ROUND16) {
        d = new_slot(p);
        e->slot[d] = take(p, sizeof(ash__scalar));
        kernel = ash__store16_for(t, i->from, type);
    }
    add_steps(p, e->prologue, &e->prologue_steps, v, kernel, d, x);
    p->state[v] = UNIFORM;
    e->slot[v] = &p->scalar[v];
}

static void place_result(planner *p, int v)
{
    const int k = output_number(p, v);
    p->state[v] = READY;
    if (k >= 0)
        p->e->output[k].kind = ASH__OUTPUT_RESULT;
    else
        take_temporary(p, (uint16_t)v);
}

static void add_operation(planner *p, int v)
{
    ash__evaluator *const e = p->e;
    const ash__elementwise_table *const t = e->kernels->elementwise;
    const ash__ins *const i = &p->ins[v];
    const int arity = ash__arity_of(i);
    const ash_dtype type = p->ins[i->arg[i->op == ASH__OP_SELECT]].type;
    uint16_t x[3] = {(uint16_t)p->nothing, (uint16_t)p->nothing, (uint16_t)p->nothing};
    unsigned scalars = 0;
    for (int k = 0; k < arity; k++) {
        x[k] = i->arg[k];
        if (p->state[x[k]] == PENDING)
            fetch(p, x[k]);
        scalars |= (unsigned)(p->state[x[k]] == UNIFORM) << k;
    }
    if (scalars == (1u << arity) - 1) {
        add_prologue(p, v, type);
        return;
    }
    if (e->native) {
        const int output = output_number(p, v);
        p->state[v] = READY;
        if (output >= 0)
            e->output[output].kind = ASH__OUTPUT_RESULT;
        return;
    }
    unsigned in_place = scalars;
    ash__kernel *kernel;
    uint16_t d = (uint16_t)v;
    if (i->op == ASH__OP_ROUND16) {
        kernel = ash__store16_for(t, i->from, type);
        d = new_slot(p);
        take_temporary(p, d);
    } else {
        kernel = arity == 1 ? unary_kernel(t, i, type) : kernel_with_scalars(t, (ash__op)i->op, type, &in_place);
    }
    for (int k = 0; k < arity; k++)
        if ((scalars & ~in_place) >> k & 1)
            x[k] = splat_of(p, x[k]);
    if (i->op != ASH__OP_ROUND16)
        give_operands(p, v, arity, true);
    place_result(p, v);
    add_steps(p, e->step, &e->steps, v, kernel, d, x);
    give_operands(p, v, arity, false);
    if (d != v)
        give_temporary(p, d);
}

/* ---- native code */

static bool varies(const planner *p, int v)
{
    const ash__ins *const i = &p->ins[v];
    for (int k = 0; k < ash__arity_of(i); k++)
        if (p->state[i->arg[k]] != UNIFORM)
            return true;
    return i->op == ASH__OP_LOAD && p->state[v] != UNIFORM;
}

static void enter_native(planner *p)
{
    ash__evaluator *const e = p->e;
    const ash__program *const program = e->program;
    uint64_t uniform = 0;
    int loads = 0;
    if (program->count > ASH__NATIVE_VALUES || p->ins[program->count - 1].op <= ASH__OP_CONSTANT)
        return;
    for (int v = 0; v < program->count; v++)
        if (p->ins[v].op == ASH__OP_LOAD && loads < ASH__NATIVE_LOADS)
            uniform |= (uint64_t)(p->state[v] == UNIFORM) << loads++;
    for (int k = 0; k < program->outputs; k++)
        if (p->ins[program->output[k]].op == ASH__OP_LOAD && ash__is_half(p->ins[program->output[k]].from))
            return; /* which nothing would widen */
    e->stored = p->task->kind == ASH__TASK_MAP && program->outputs == 1 && ash__is_half(program->dtype);
    e->native = ash__native_enter(program, uniform, e->stored ? ASH__NATIVE_STORED : ASH__NATIVE_MACHINE, p->elements);
    e->stored &= e->native != NULL;
    const bool folds = p->task->kind == ASH__TASK_REDUCE || p->task->kind == ASH__TASK_ARG;
    if (e->native && folds && program->outputs == 1)
        e->native_fold = ash__native_enter(program, uniform, (int)p->task->fold, p->elements);
    e->native_slots = 0;
    e->scalar = p->scalar;
}

/* The slots in the order of native.h, once the outputs are planned. */
static void list_native_slots(planner *p)
{
    ash__evaluator *const e = p->e;
    for (int k = 0; k < e->outputs; k++)
        if (e->output[k].kind == ASH__OUTPUT_RESULT && p->ins[e->output[k].slot].op != ASH__OP_LOAD)
            e->native_slot[e->native_slots++] = e->output[k].place;
    for (int v = 0; v < e->program->count; v++)
        if (p->ins[v].op == ASH__OP_LOAD && varies(p, v))
            e->native_slot[e->native_slots++] = (uint16_t)v;
    if (e->feeds == 0 && p->temps == 0)
        e->block = e->limit;
}

/* ---- the whole */

/* Bytes of arena that the tables of a plan need. */
static size_t room(const ash__program *program, int64_t rank)
{
    const size_t c = (size_t)program->count, loads = (size_t)loads_of(program);
    const size_t numbers = (size_t)(3 * (rank + 1)) * sizeof(int64_t);
    return (4 * c + 2) * (sizeof(void *) + sizeof(uint16_t)) + 4 * c * sizeof(ash__step) + c * (2 * sizeof(ash__scalar) + 9) +
           (c + 4 * c) * sizeof(uint16_t) +
           loads * (sizeof(ash__moving) + sizeof(ash__uniform) + sizeof(ash__feed) + 2 + numbers) + c * sizeof(ash__splat) +
           c * 16 + 16 * 16;
}

static void take_tables(planner *p)
{
    ash__evaluator *const e = p->e;
    const size_t c = (size_t)e->program->count, loads = (size_t)loads_of(e->program);
    e->slot = take(p, (4 * c + 2) * sizeof *e->slot);
    p->scalar = take(p, c * sizeof *p->scalar);
    e->step = take(p, 2 * c * sizeof *e->step);
    e->prologue = take(p, 2 * c * sizeof *e->prologue);
    e->moving = take(p, loads * sizeof *e->moving);
    e->uniform = take(p, loads * sizeof *e->uniform);
    e->splat = take(p, c * sizeof *e->splat);
    e->feed = take(p, loads * sizeof *e->feed);
    e->operand_of_feed = take(p, loads * sizeof *e->operand_of_feed);
    p->numbers = take(p, loads * (size_t)(3 * (p->rank + 1)) * sizeof(int64_t));
    p->temp = take(p, (4 * c + 2) * sizeof *p->temp);
    p->last = take(p, c * sizeof *p->last);
    p->splat = take(p, c * sizeof *p->splat);
    p->idle = take(p, 3 * c * sizeof *p->idle);
    p->state = take(p, c);
}

/* States, last readers, the width of values; says how many elements a block has. */
static void survey(planner *p)
{
    ash__evaluator *const e = p->e;
    const ash__program *const program = e->program;
    bool plain = true;
    int64_t traffic = 0, step;
    for (int v = 0; v < program->count; v++) {
        const ash__ins *const i = &p->ins[v];
        const int arity = ash__arity_of(i), log = ash__log_size(i->type);
        p->last[v] = NONE;
        p->splat[v] = NONE;
        p->temp[v] = NONE;
        p->state[v] = PENDING;
        for (int k = 0; k < arity; k++)
            p->last[i->arg[k]] = (uint16_t)v;
        p->width = log > p->width ? log : p->width;
        plain &= i->op <= ASH__OP_CONSTANT && !(i->op == ASH__OP_LOAD && ash__is_half(i->from));
        e->slot[v] = NULL;
        if (i->op == ASH__OP_CONSTANT) {
            p->state[v] = UNIFORM;
            p->scalar[v] = i->constant;
            e->slot[v] = &p->scalar[v];
        } else if (i->op == ASH__OP_LOAD && how_it_lies(p, &p->task->operand[i->arg[0]], &step) == LIE_UNIFORM) {
            p->state[v] = UNIFORM;
            e->slot[v] = &p->scalar[v];
            add_uniform(p, (uint16_t)v);
        } else if (i->op == ASH__OP_LOAD) {
            traffic += p->elements << ash__log_size(i->from);
        }
    }
    for (int k = 0; k < program->outputs; k++)
        p->last[program->output[k]] = NONE;
    e->prefetch = program->transcendental && traffic > FAR;
    e->block = plain || e->limit <= ASH__BLOCK * 3 / 2 ? e->limit : ASH__BLOCK;
    if (e->prefetch && traffic > FARTHER && e->block > FAR_BLOCK)
        e->block = FAR_BLOCK;
}

static void plan_outputs(planner *p)
{
    ash__evaluator *const e = p->e;
    e->outputs = e->program->outputs == 2 && e->program->output[0] == e->program->output[1] ? 1 : e->program->outputs;
    for (int k = 0; k < e->outputs; k++) {
        const uint16_t v = e->program->output[k];
        ash__output *const o = &e->output[k];
        o->slot = o->place = v;
        o->log = e->stored ? 1 : ash__log_size(p->ins[v].type);
        o->kind = ASH__OUTPUT_UNIFORM;
        o->buffer = NULL;
    }
    for (int v = 0; v < e->program->count && p->status == ASH_OK; v++)
        if (p->ins[v].op > ASH__OP_CONSTANT)
            add_operation(p, v);
    for (int k = 0; k < e->outputs && p->status == ASH_OK; k++) {
        const uint16_t v = e->program->output[k];
        if (p->state[v] == PENDING)
            fetch(p, v);
    }
}

static char *memory_for(planner *p, size_t nbytes, int number)
{
    char *const at = (char *)(((uintptr_t)p->bump + 63) & ~(uintptr_t)63);
    if (p->end && at <= p->end && nbytes <= (size_t)(p->end - at)) {
        p->bump = at + nbytes;
        return at;
    }
    p->e->spare[number] = ash__spare_take(nbytes);
    return p->e->spare[number];
}

/* Fewer elements when the temporaries would push each other out of L1; not 512 f32, which meet a prefetch pathology. */
static void shrink_block(planner *p)
{
    ash__evaluator *const e = p->e;
    while (e->block > FAR_BLOCK && e->limit > FAR_BLOCK && ((int64_t)p->temps * e->block << p->width) > NEAR_BYTES)
        e->block = e->block > 640 ? 640 : FAR_BLOCK;
}

static ash_status place_blocks(planner *p)
{
    ash__evaluator *const e = p->e;
    shrink_block(p);
    const size_t temporary = ash__round_up((size_t)e->block << p->width) + (e->block > 64 ? SKEW : 0);
    const bool half = ash__is_half(ash__part(e->program->dtype)), staged = half || e->program->outputs == 2;
    size_t total = (size_t)p->temps * temporary;
    for (int k = 0; k < e->outputs; k++)
        total += ash__round_up((size_t)e->limit << e->output[k].log) + (staged ? ash__round_up((size_t)e->limit * 2) : 0);
    for (int k = 0; k < e->feeds; k++)
        total += ash__round_up(e->feed[k].nbytes);
    char *at = memory_for(p, total, 1);
    if (!at)
        return ASH_ERR_MEMORY;
    for (int s = 0; s < p->slots; s++)
        if (p->temp[s] != NONE)
            e->slot[s] = at + p->temp[s] * temporary;
    at += (size_t)p->temps * temporary;
    for (int k = 0; k < e->outputs; k++) {
        e->output[k].buffer = at;
        at += ash__round_up((size_t)e->limit << e->output[k].log);
        e->stage[k] = at;
        at += staged ? ash__round_up((size_t)e->limit * 2) : 0;
    }
    for (int k = 0; k < e->feeds; k++) {
        e->feed[k].memory = at;
        at += ash__round_up(e->feed[k].nbytes);
    }
    return ASH_OK;
}

/* A program that names an operand to be copied, written out. */
static const ash__program *written_out(ash__evaluator *e, const ash__program *program)
{
    if (program->copies < 0)
        return program;
    const ash_dtype part = ash__part(program->dtype), machine = ash__machine(part);
    e->copy = (ash__program){.dtype = program->dtype,
                             .count = program->outputs,
                             .outputs = program->outputs,
                             .output = {0, 1},
                             .operands = program->operands,
                             .copies = -1,
                             .ins = e->copy_ins};
    for (int k = 0; k < program->outputs; k++)
        e->copy_ins[k] = (ash__ins){.op = ASH__OP_LOAD,
                                    .type = (uint8_t)machine,
                                    .from = (uint8_t)part,
                                    .arg = {(uint16_t)program->copies},
                                    .offset = (uint32_t)((size_t)k << ash__log_size(part))};
    return &e->copy;
}

static ash_status plan(ash__evaluator *e, const ash__task *task, const int64_t *axis, int64_t rank, int64_t limit, char *arena,
                       size_t size, bool natively)
{
    const ash__program *const program = written_out(e, task->program);
    planner p = {.e = e, .task = task, .ins = program->ins, .axis = axis, .rank = rank, .elements = 1, .budget = WINDOWS};
    for (int64_t k = 0; k < rank; k++)
        p.elements *= task->shape[axis[k]];
    e->program = program;
    e->kernels = ash__cpu_kernels();
    e->limit = limit;
    e->faults = 0;
    e->steps = e->prologue_steps = e->movings = e->feeds = e->uniforms = e->splats = 0;
    e->spare[0] = e->spare[1] = NULL;
    e->native = e->native_fold = NULL;
    e->careful = NULL;
    e->stored = false;
    p.bump = arena;
    p.end = arena ? arena + size : NULL;
    p.bump = memory_for(&p, room(program, rank), 0);
    if (!p.bump)
        return ASH_ERR_MEMORY;
    take_tables(&p);
    survey(&p);
    if (natively)
        enter_native(&p);
    p.slots = program->count;
    p.faults = new_slot(&p);
    p.nothing = new_slot(&p);
    e->slot[p.faults] = &e->faults;
    plan_outputs(&p);
    if (e->native)
        list_native_slots(&p);
    if (e->spare[0]) /* the arena is still whole */
        p.bump = arena;
    if (p.status == ASH_OK)
        p.status = place_blocks(&p);
    if (p.status != ASH_OK)
        return p.status;
    const ash__output *const o = &e->output[0];
    e->direct = program->outputs == 1 && ash__is_real(program->dtype) && (!ash__is_half(program->dtype) || e->stored) &&
                (o->kind != ASH__OUTPUT_RESULT || o->slot == program->count - 1);
    ash__plan_prologue(e);
    return ASH_OK;
}

/* For the elements that native code leaves. */
static ash_status plan_rest(ash__evaluator *e, const ash__task *task, const int64_t *axis, int64_t rank)
{
    ash__evaluator *const careful = ash__spare_take(sizeof *careful);
    const ash_status status = careful ? plan(careful, task, axis, rank, e->limit, NULL, 0, false) : ASH_ERR_MEMORY;
    if (status == ASH_OK)
        e->careful = careful;
    else if (careful)
        ash__spare_give(careful);
    return status;
}

ash_status ash__plan(ash__evaluator *e, const ash__task *task, const int64_t *axis, int64_t rank, int64_t limit, char *arena,
                     size_t size)
{
    ash_status status = plan(e, task, axis, rank, limit, arena, size, true);
    if (status == ASH_OK && e->native && e->program->leaves)
        status = plan_rest(e, task, axis, rank);
    if (status != ASH_OK)
        ash__plan_end(e);
    return status;
}

void ash__plan_end(ash__evaluator *e)
{
    if (e->careful) {
        ash__plan_end(e->careful);
        ash__spare_give(e->careful);
    }
    e->careful = NULL;
    for (int k = 0; k < 2; k++)
        if (e->spare[k])
            ash__spare_give(e->spare[k]);
    if (e->native)
        ash__native_leave();
    if (e->native_fold)
        ash__native_leave();
    e->native = e->native_fold = NULL;
    e->spare[0] = e->spare[1] = NULL;
}

ash_status ash__plan_fail(const ash__task *task, ash_status status)
{
    if (status == ASH_ERR_MEMORY)
        return ash__fail(status, task->function, "no memory for the temporaries of %d instructions", (int)task->program->count);
    return ash__fail(status, task->function, "an operation of the program has no loop on cpu:0");
}
