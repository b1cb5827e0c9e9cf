/*
 * builder.h - a program in the making.
 *
 * Instructions are added one by one; each is first evaluated if its operands are constants, then simplified where that
 * changes no bit, then looked for among the earlier ones. So equal values have equal numbers at any moment. What turned out
 * not to be needed is dropped by ash__builder_finish.
 *
 * A failure is reported once and leaves the builder failed: every later call gives -1.
 */
#ifndef ASH__BUILDER_H
#define ASH__BUILDER_H
#include "expr/program.h"

enum { ASH__BUILD_LIMIT = 32768 }; /* instructions before dead ones are dropped; a number fits uint16_t */

struct ash__builder {
    const char *function;
    int operands;
    bool failed;
    ash__ins *ins;
    int count, room;
    uint16_t *slot; /* hash table of instruction numbers plus 1; 0: empty */
    int slots;      /* a power of 2, at least twice count */
};

/* Adds ins as it stands, or finds its equal. */
int ash__build_ins(ash__builder *b, const ash__ins *ins);
int ash__build_fail(ash__builder *b); /* marks b as failed; -1 */
void ash__builder_free(ash__builder *b); /* without a program */

/* fold.c: the value of an instruction whose operands are x, of type ins->from; false where it is left to run time. */
bool ash__fold(const ash__ins *ins, const ash__scalar x[3], ash__scalar *result);
ash__scalar ash__fold_round16(ash_dtype to, double x);
/* simplify.c: the number of an earlier value that ins equals, or -1; may put a simpler instruction into *ins. */
int ash__simplify(ash__builder *b, ash__ins *ins);

/* The copy of one operand, whatever its dtype. */
ash__program *ash__program_copy(const char *function, ash_dtype dtype, int operands, int operand);

/* ---- reading */
static inline const ash__ins *ash__ins_at(const ash__builder *b, int value) { return &b->ins[value]; }
static inline ash_dtype ash__type_of(const ash__builder *b, int value) { return (ash_dtype)b->ins[value].type; }
static inline bool ash__is_constant(const ash__builder *b, int value)
{
    return value >= 0 && b->ins[value].op == ASH__OP_CONSTANT;
}
/* A constant of any type as a number; exact but for 64-bit integers above 2^53. */
double ash__constant_f64(const ash__builder *b, int value);
ash__scalar ash__scalar_from_f64(ash_dtype machine, double x); /* bool and integers: x is one */
ash__scalar ash__scalar_from_i64(ash_dtype machine, int64_t x); /* wraps */
int64_t ash__scalar_i64(ash_dtype machine, ash__scalar x);      /* of bool and integers; u64 by its bits */
double ash__scalar_f64(ash_dtype machine, ash__scalar x);

/* ---- shorthands */
static inline int ash__b1(ash__builder *b, ash__op op, int x) { return ash__build_op(b, op, x, -1, -1); }
static inline int ash__b2(ash__builder *b, ash__op op, int x, int y) { return ash__build_op(b, op, x, y, -1); }
static inline int ash__bselect(ash__builder *b, int c, int x, int y) { return ash__build_op(b, ASH__OP_SELECT, c, x, y); }
static inline int ash__bfloat(ash__builder *b, ash_dtype machine, double x)
{
    return ash__build_constant(b, machine, ash__scalar_from_f64(machine, x));
}
static inline int ash__binteger(ash__builder *b, ash_dtype machine, int64_t x)
{
    return ash__build_constant(b, machine, ash__scalar_from_i64(machine, x));
}
static inline int ash__bbool(ash__builder *b, bool x) { return ash__binteger(b, ASH_BOOL, x); }
#endif
