/*
 * plan.h - what the interpreter runs: a program with its kernels chosen and a place for every value.
 *
 * Values live in slots (addresses). A uniform value, one that is the same for all elements, is computed once, by the
 * prologue; a moving one lies in an operand and is read there; all others are written to temporaries of one block each,
 * which are used again as soon as their last reader has run. A step is one kernel over one block, or a feed.
 *
 * Invariant: a step writes to one of its operands exactly or to memory that none of them touches.
 */
#ifndef ASH__PLAN_H
#define ASH__PLAN_H
#include "backend/cpu/feed.h"
#include "backend/cpu/interpret.h"
#include "backend/cpu/native/native.h"

/* run NULL: slot d is where feed number a finds the block's elements, which it may write to slot b. */
typedef struct ash__step {
    ash__kernel *run;
    uint16_t d, a, b, c;
} ash__step;

typedef struct ash__moving {
    const char *start, *base; /* element 0: before ash__evaluator_base, and now */
    int32_t item;             /* bytes from element to element */
    uint16_t slot, operand;
} ash__moving;

typedef struct ash__uniform { /* a scalar operand, or an element that does not vary over the axes walked */
    const char *start, *base;
    uint8_t dtype; /* in memory */
    uint16_t slot, operand;
} ash__uniform;

typedef struct ash__splat { /* a uniform value for a kernel that wants a block */
    uint16_t d, a;
    int32_t log;
} ash__splat;

typedef enum ash__output_kind {
    ASH__OUTPUT_RESULT, /* a kernel writes it where it is wanted */
    ASH__OUTPUT_MOVING, /* lies in an operand */
    ASH__OUTPUT_FEED,   /* a feed finds it */
    ASH__OUTPUT_UNIFORM
} ash__output_kind;

typedef struct ash__output {
    ash__output_kind kind;
    uint16_t slot;  /* of the value */
    uint16_t place; /* slot with the address to write to */
    int32_t log;    /* machine size: 1 << log bytes */
    char *buffer;   /* for evaluator->limit elements */
} ash__output;

struct ash__evaluator {
    const ash__program *program; /* the task's, or for a copy the one below, which loads the operand's parts */
    ash__program copy;
    ash__ins copy_ins[2];
    const ash__kernels *kernels;
    int64_t limit; /* most elements of one call */
    int64_t block; /* elements of one step */
    int faults;
    bool stored;     /* native code rounds f16 and bf16 results */
    bool direct;     /* results can be written to a dense destination as they are */
    bool prefetch;   /* memory is far away and computing slow: fetch the next block meanwhile */
    int32_t outputs; /* distinct ones: 1 when real and imaginary part are one value */
    int32_t steps, prologue_steps, movings, feeds, uniforms, splats;
    void **slot;
    ash__step *step, *prologue; /* prologue: of uniform values, run with one element */
    ash__moving *moving;
    ash__uniform *uniform;
    ash__splat *splat;
    ash__feed *feed;
    ash__output output[2];
    ash__native_code *native;                /* NULL: steps compute; else they only feed, and this does the rest */
    ash__native_code *native_fold;           /* the same, folding into lanes; of reductions, NULL where there is none */
    ash__evaluator *careful;                 /* without native code: for the elements that it leaves; NULL: it leaves none */
    ash__scalar *scalar;                     /* its uniform values */
    uint16_t native_slot[ASH__NATIVE_SLOTS]; /* the slots it works on */
    int32_t native_slots;
    uint16_t *operand_of_feed;
    char *stage[2]; /* f16 and bf16 parts of complex results */
    char *spare[2]; /* memory to give back; NULL when the caller's sufficed */
};

/* Plans task->program over the axes (see ash__evaluator_new) for up to `limit` elements a call. arena: memory to use first.
 * ASH_OK, and ash__plan_end afterwards; or a status that nothing has been said about yet: jobs run on other threads. */
ash_status ash__plan(ash__evaluator *e, const ash__task *task, const int64_t *axis, int64_t rank, int64_t limit, char *arena,
                     size_t size);
void ash__plan_end(ash__evaluator *e);
ash_status ash__plan_fail(const ash__task *task, ash_status status); /* reports it */
/* Computes the uniform values again after a change of base. */
void ash__plan_prologue(ash__evaluator *e);

/* dense.c: elements first to first + n - 1, in row-major order, of a task whose operands are all dense or scalars; false, and
 * nothing written, for any other. */
bool ash__map_dense(const ash__task *task, int64_t first, int64_t n, int *faults);

static inline int ash__arity_of(const ash__ins *i)
{
#define ASH__OP_ARITY(ID, arity, classes, result) [ASH__OP_##ID] = arity,
    static const uint8_t arity[ASH__OP_COUNT] = {
        [ASH__OP_CONVERT] = 1, [ASH__OP_NARROW] = 1, [ASH__OP_ROUND16] = 1, ASH__OPS(ASH__OP_ARITY)};
#undef ASH__OP_ARITY
    return arity[i->op];
}
static inline bool ash__can_fault(const ash__ins *i)
{
    return i->op == ASH__OP_NARROW || (i->op >= ASH__OP_IDIV && i->op <= ASH__OP_IPOW);
}
static inline int ash__log_size(ash_dtype real) /* 1 << log bytes of a real dtype in memory */
{
    static const uint8_t log[ASH__REAL_COUNT] = {
        [ASH_BOOL] = 0, [ASH_I8] = 0,  [ASH_I16] = 1, [ASH_I32] = 2,  [ASH_I64] = 3, [ASH_U8] = 0, [ASH_U16] = 1,
        [ASH_U32] = 2,  [ASH_U64] = 3, [ASH_F16] = 1, [ASH_BF16] = 1, [ASH_F32] = 2, [ASH_F64] = 3};
    return log[real];
}
static inline bool ash__is_half(ash_dtype d)
{
    return d == ASH_F16 || d == ASH_BF16;
}
#endif
