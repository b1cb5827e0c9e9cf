/*
 * body.h - a program as vector instructions see it: what the generators of native code read.
 *
 * A typed program says SIGN or CONVERT; a processor has compares, selects and bits. ash__body_of writes the first as the
 * second, once for each instruction set, and says no where it cannot: the interpreter then runs the program. Values are
 * vectors of 4 or 8 bytes a lane; integers of either sign share a type, because only some operations tell them apart, and
 * those of 8 and 16 bits lie extended in lanes of 4 bytes. Truth values are masks: registers of their own in AVX-512, else
 * lanes of all ones or zeros that are as wide as what was compared.
 *
 * Uniform values, the same for every element, have been computed before the code runs: the code finds value v of the program
 * 8*v bytes into a table, so that no byte of theirs is in an executable page and programs that differ in their constants share
 * code.
 */
#ifndef ASH__BODY_H
#define ASH__BODY_H
#include "backend/cpu/kernels.h"

typedef enum ash__isa { ASH__ISA_NONE, ASH__ISA_AVX2, ASH__ISA_AVX512, ASH__ISA_NEON, ASH__ISA_COUNT } ash__isa;

typedef enum ash__lane {
    ASH__LANE_F32,
    ASH__LANE_F64,
    ASH__LANE_I32,
    ASH__LANE_I64,
    ASH__LANE_M32, /* masks: of 4-byte and of 8-byte lanes; one and the same in AVX-512 */
    ASH__LANE_M64,
    ASH__LANE_COUNT
} ash__lane;

/* X(ID, sources): floats MIN and MAX are x86's: a < b ? a : b, so b when either is NaN or both are zeros; with NEON they are
 * the library's: NaN when either is, and -0.0 below 0.0. */
/* clang-format off */
#define ASH__BODY_OPS(X)                                                                                        \
    X(LOAD, 0)    /* element of slot `place`; from: the dtype in memory */                                      \
    X(CELL, 0)    /* uniform value number `place`; from: its dtype */                                           \
    X(LITERAL, 0) /* bits: a constant of the generator's own */                                                 \
    X(STORE, 1)   /* to slot `place`; from: the dtype in memory */                                              \
    X(FOLD, 1)    /* into lanes at slot `place`, by the operation imm: an ash__body_op; MIN of floats: the or   \
                   * of MIN both ways */                                                                        \
    X(LEAVE, 1)   /* of a mask: if any is set, the code ends before these elements; nothing of them is stored */ \
    X(ADD, 2) X(SUB, 2) X(MUL, 2) X(DIV, 2) X(MIN, 2) X(MAX, 2) X(MINU, 2) X(MAXU, 2)                           \
    X(MULLOW, 2)  /* I64: the product of the low halves */                                                      \
    X(AND, 2) X(OR, 2) X(XOR, 2) X(ANDN, 2) /* ANDN: ~a & b; of masks too */                                    \
    X(SHL, 2) X(SHR, 2) X(SAR, 2) /* counts as unsigned: as many as a lane has bits give 0, or the sign */      \
    X(SCALE, 2)   /* floats, AVX-512: a * 2^floor(b) */                                                         \
    X(SQRT, 1) X(IABS, 1)                                                                                       \
    X(ROUND, 1)   /* imm: x86's mode */                                                                         \
    X(FMA, 3)     /* a*b + c */                                                                                 \
    X(COMPARE, 2) /* imm: an ash__relation; from: the type compared */                                          \
    X(NOT, 1)     /* of a mask */                                                                               \
    X(SELECT, 3)  /* a ? b : c */                                                                               \
    X(KEEP, 2)    /* a ? b : 0 */                                                                               \
    X(CONVERT, 1) /* from `from` to the type, signed; floats to integers as the processor does */                         \
    X(CONVERTU, 1) /* the same, the integer being unsigned */
/* clang-format on */

typedef enum ash__body_op {
#define ASH__BODY_ID(ID, sources) ASH__M_##ID,
    ASH__BODY_OPS(ASH__BODY_ID)
#undef ASH__BODY_ID
        ASH__M_COUNT
} ash__body_op;

typedef enum ash__relation {
    ASH__IS_EQUAL,
    ASH__IS_LESS,
    ASH__IS_LESS_EQUAL,
    ASH__IS_UNORDERED, /* floats: either is NaN */
    ASH__IS_NOT_EQUAL, /* floats: or unordered */
    ASH__IS_BELOW,     /* unsigned integers */
    ASH__IS_BELOW_EQUAL,
    ASH__RELATIONS
} ash__relation;

typedef struct ash__body_ins {
    uint8_t op;   /* ash__body_op */
    uint8_t type; /* ash__lane of the result; STORE: of what is stored */
    uint8_t from;
    uint8_t imm;
    uint16_t arg[3];
    uint16_t place;
    uint64_t bits;
} ash__body_ins;

enum {
    ASH__BODY_LIMIT = 240, /* instructions */
    ASH__SLOT_LIMIT = 10,  /* the table of uniform values, results, operands */
    ASH__NO_VALUE = 0xffff
};

typedef struct ash__body {
    ash__isa isa;
    int count, slots;
    ash__body_ins ins[ASH__BODY_LIMIT];
} ash__body;

/*
 * Slot 0 is the table of uniform values, then come the outputs that an instruction computes from what varies, then the LOADs
 * that vary, in order. uniform: bit k, the k-th LOAD is the same for all elements. False: not within reach.
 *
 * end: as ash__native_enter has it (native.h). With a fold the one output is not stored but folded into ASH__LANES lanes:
 * element i into lane i mod ASH__LANES.
 */
bool ash__body_of(ash__body *m, const ash__program *program, uint64_t uniform, int end, ash__isa isa);

static inline bool ash__is_mask(unsigned lane)
{
    return lane >= ASH__LANE_M32;
}
static inline int ash__lane_bytes(unsigned lane)
{
    return lane == ASH__LANE_F64 || lane == ASH__LANE_I64 || lane == ASH__LANE_M64 ? 8 : 4;
}
/* Bytes of an element that is narrower in memory than its lane; 0: it is not. */
static inline int ash__narrow_bytes(unsigned dtype)
{
    return dtype == ASH_I8 || dtype == ASH_U8 ? 1 : dtype == ASH_I16 || dtype == ASH_U16 || dtype == ASH_F16 ? 2 : 0;
}
static inline int ash__sources_of(unsigned op)
{
#define ASH__BODY_SOURCES(ID, sources) sources,
    static const uint8_t count[ASH__M_COUNT] = {ASH__BODY_OPS(ASH__BODY_SOURCES)};
#undef ASH__BODY_SOURCES
    return count[op];
}
static inline bool ash__is_result(unsigned op) /* no value */
{
    return op == ASH__M_STORE || op == ASH__M_FOLD || op == ASH__M_LEAVE;
}
/* Values that stay the same throughout the loop, whose registers are never given back. */
static inline bool ash__is_constant(const ash__body_ins *i)
{
    return i->op == ASH__M_LITERAL || (i->op == ASH__M_CELL && !ash__is_mask(i->type));
}
#endif
