/* ops.c - what the list of operations says of each. */
#include "expr/ops.h"

#include <stdint.h>

enum { SAME, BOOLEAN }; /* the list's S and L */

typedef struct info {
    const char *name;
    uint8_t arity, classes, result;
} info;

#define S SAME
#define L BOOLEAN
#define ENTRY(ID, arity, classes, result) [ASH__OP_##ID] = {#ID, arity, classes, result},
static const info infos[ASH__OP_COUNT] = {
    [ASH__OP_NONE] = {"NONE", 0, 0, SAME},
    [ASH__OP_LOAD] = {"LOAD", 0, ASH__BIF, SAME},
    [ASH__OP_CONSTANT] = {"CONSTANT", 0, ASH__BIF, SAME},
    [ASH__OP_CONVERT] = {"CONVERT", 1, ASH__BIF, SAME},
    [ASH__OP_NARROW] = {"NARROW", 1, ASH__I, SAME},
    [ASH__OP_ROUND16] = {"ROUND16", 1, ASH__F, SAME},
    ASH__OPS(ENTRY)};
#undef S
#undef L

int ash__op_arity(ash__op op) { return infos[op].arity; }
const char *ash__op_name(ash__op op) { return infos[op].name; }
bool ash__op_gives_bool(ash__op op) { return infos[op].result == BOOLEAN; }
unsigned ash__op_classes(ash__op op) { return infos[op].classes; }

bool ash__op_faults(ash__op op)
{
    switch (op) {
    case ASH__OP_IDIV:
    case ASH__OP_IREM:
    case ASH__OP_IFLD:
    case ASH__OP_IMOD:
    case ASH__OP_IPOW:
    case ASH__OP_NARROW:
        return true;
    default:
        return false;
    }
}

bool ash__op_costly(ash__op op)
{
    switch (op) {
    case ASH__OP_IPOW:
    case ASH__OP_FMOD:
    case ASH__OP_REMAINDER:
        return true;
    default:
        return op >= ASH__OP_CBRT && op <= ASH__OP_TGAMMA;
    }
}
