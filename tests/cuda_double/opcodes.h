/*
 * opcodes.h - the opcodes that are no forms over columns (lanes.h), and the function that decodes each. What is in neither
 * table is refused with its text.
 */
#ifndef DOUBLE_OPCODES_H
#define DOUBLE_OPCODES_H
#include <stdio.h>

#include "convert.h"
#include "operands.h"

enum { MOST_PARTS = 16 };
typedef struct opcode {
    word text;             /* all of it */
    word part[MOST_PARTS]; /* between the dots; the first is the name */
    int parts;
} opcode;

/* clang-format off */
#define OPCODES(X)                      \
    X("ld", decode_load)                \
    X("ldu", decode_load)               \
    X("st", decode_store)               \
    X("atom", decode_atomic)            \
    X("red", decode_atomic)             \
    X("cp", decode_copy)                \
    X("ldmatrix", decode_ldmatrix)      \
    X("mma", decode_matrix)             \
    X("bra", decode_branch)             \
    X("brx", decode_table)              \
    X("call", decode_call)              \
    X("ret", decode_return)             \
    X("exit", decode_exit)              \
    X("trap", decode_trap)              \
    X("brkpt", decode_trap)             \
    X("bar", decode_barrier)            \
    X("barrier", decode_barrier)        \
    X("membar", decode_nothing)         \
    X("fence", decode_nothing)          \
    X("prefetch", decode_nothing)       \
    X("prefetchu", decode_nothing)      \
    X("applypriority", decode_nothing)  \
    X("discard", decode_nothing)        \
    X("nanosleep", decode_nothing)      \
    X("pmevent", decode_nothing)        \
    X("shfl", decode_shuffle)           \
    X("vote", decode_vote)              \
    X("match", decode_match)            \
    X("redux", decode_reduction)        \
    X("elect", decode_elect)            \
    X("activemask", decode_active_mask) \
    X("isspacep", decode_in_space)      \
    X("cvta", decode_address)           \
    X("cvt", decode_convert)            \
    X("setp", decode_compare)           \
    X("mov", decode_move)               \
    X("add", decode_carry)              \
    X("addc", decode_carry)             \
    X("sub", decode_carry)              \
    X("subc", decode_carry)             \
    X("mad", decode_carry)              \
    X("madc", decode_carry)
/* clang-format on */

typedef void decoder(parser *p, const opcode *o);
#define OPCODE_DECODER(TEXT, FUNCTION) FUNCTION,
decoder OPCODES(OPCODE_DECODER) decode_form;

bool has(const opcode *o, const char *part);
number number_of(const opcode *o); /* the type at its end, bits as if unsigned */
_Static_assert(MOST_PARTS > 12, "atom.acquire.gpu.global.add.noftz.f16 and its like");
#endif
