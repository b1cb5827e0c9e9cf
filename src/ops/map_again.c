/*
 * map_again.c - the map that this thread ran before, run once more.
 *
 * A loop calls the same function on the same arrays many times. An array's shape, dtype, strides and memory never change, and
 * neither does a function, so what was checked and found the first time holds the next time: it is kept for a few calls, by
 * the serial numbers of the function, of out and of the operands. Those are never given out twice, so nothing that has gone
 * is mistaken for what came after it at its address, and nothing is held: that the function is passed again says that it and
 * its programs are there. What can change from call to call is looked at each time: discarded arrays (their number is 0),
 * pushed resources, tracing, the values of scalars, and whether there still is code.
 *
 * A call is noted the first time and prepared the second, for many come only once.
 */
#include "core/error.h"
#include "core/operand.h"
#include "core/state.h"
#include "core/trace.h"
#include "ops/map.h"

enum { CALLS = 8 };

typedef struct call {
    uint64_t function, out, operand[ASH__PREPARED_OPERANDS]; /* serial numbers; 0: a new array; of a scalar its dtype */
    int64_t count;
    bool ready, scalars;
    const ash__backend *backend;
    int like;        /* the operand that a new array is like */
    ash_dtype dtype; /* of a new array */
    ash_storage storage;
    ash__prepared prepared;
} call;

static _Thread_local call calls[CALLS];

static inline call *place_of(uint64_t function, uint64_t out)
{
    call *c = &calls[(function * 3 + out) % CALLS];
    __asm__("" : "+r"(c)); /* or compilers ask for the thread's address each time */
    return c;
}

static inline uint64_t number_of(const ash_operand *o)
{
    if (o->kind == ASH_OPERAND_ARRAY)
        return o->value.array ? o->value.array->serial : 0;
    return o->kind == ASH_OPERAND_SCALAR ? (uint64_t)o->dtype << 56 : 0;
}

static inline bool is_same(const call *c, uint64_t function, uint64_t out, ash_operands operands)
{
    if (c->function != function || c->out != out || c->count != operands.count)
        return false;
    for (int64_t k = 0; k < c->count; k++)
        if (c->operand[k] != number_of(&operands.operand[k]))
            return false;
    return true;
}

static void put_scalars(call *c, ash_operands operands)
{
    for (int64_t k = 0; k < c->count; k++) {
        unsigned char bytes[ASH__SCALAR_BYTES];
        if (operands.operand[k].kind == ASH_OPERAND_ARRAY)
            continue;
        ash__operand_bytes("", &operands.operand[k], bytes); /* cannot fail: the dtype is real */
        memcpy(&c->prepared.cell[c->prepared.cell_of[k]], bytes, sizeof c->prepared.cell[0]);
    }
}

/* NULL: another call, or nothing is prepared. */
static inline call *find(const ash_function *f, uint64_t out, ash_operands operands)
{
    const uint64_t function = ash__function_serial(f);
    call *const c = place_of(function, out);
    if (!operands.operand || !c->ready || !is_same(c, function, out, operands) || ash__state()->current_count || ash__tracing())
        return NULL;
    if (c->scalars)
        put_scalars(c, operands);
    return c;
}

bool ash__map_again(const ash_array *out, const ash_function *f, ash_operands operands)
{
    call *const c = out && out->serial ? find(f, out->serial, operands) : NULL;
    if (c)
        c->ready = c->backend->run_again(&c->prepared);
    return c && c->ready;
}

bool ash__map_new_again(const char *function, const ash_function *f, ash_operands operands, ash_array **result)
{
    call *const c = find(f, 0, operands);
    if (!c)
        return false;
    ash_array *const out = *result = ash__array_alike(function, operands.operand[c->like].value.array, c->dtype, c->storage);
    if (!out)
        return true;
    c->prepared.slot[1] = ash__data(out);
    c->ready = c->backend->run_again(&c->prepared);
    if (!c->ready)
        ash_release(out);
    return c->ready;
}

/* Can ash__array_alike make it again? Of the pool's memory only: a backend of the program's own may call this thread's maps. */
static bool is_alike(const ash_array *out, const ash_array *like)
{
    bool alike = out->rank == like->rank && ash_dtype_size(out->dtype) == ash_dtype_size(like->dtype);
    for (int64_t k = 0; alike && k < 2 * (int64_t)out->rank; k++)
        alike = out->dims[k] == like->dims[k];
    return alike && out->buffer->block;
}

static void begin(call *c, uint64_t function, uint64_t serial, const ash_array *out, ash_operands operands)
{
    *c = (call){.function = function, .out = serial, .count = operands.count, .backend = ash__device(out)->backend};
    c->dtype = out->dtype;
    c->storage = out->storage;
    for (int64_t k = operands.count; k-- > 0;) {
        const bool array = operands.operand[k].kind == ASH_OPERAND_ARRAY;
        c->operand[k] = number_of(&operands.operand[k]);
        c->scalars |= !array;
        c->like = array ? (int)k : c->like;
    }
}

void ash__map_note(const ash_array *out, bool new, const ash_function *f, ash_operands operands, const ash__task *task)
{
    const uint64_t function = ash__function_serial(f), serial = new ? 0 : out->serial;
    call *const c = place_of(function, serial);
    if (!ash__device(out)->backend->prepare || out->size > ASH__PREPARED_ELEMENTS || operands.count > ASH__PREPARED_OPERANDS)
        return;
    if (!is_same(c, function, serial, operands))
        begin(c, function, serial, out, operands);
    else if (!c->ready && (!new || is_alike(out, operands.operand[c->like].value.array)))
        c->ready = c->backend->prepare(task, &c->prepared);
}
