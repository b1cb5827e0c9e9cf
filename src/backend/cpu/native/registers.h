/*
 * registers.h - the order of a loop body's instructions and the register of each value.
 *
 * One copy of the body is planned; copy u of an unrolled body uses the same registers, moved on by u times as many as one copy
 * needs, so the scan runs once whatever the unrolling.
 */
#ifndef ASH__REGISTERS_H
#define ASH__REGISTERS_H
#include "backend/cpu/native/body.h"

enum { ASH__NO_REGISTER = -1, ASH__NO_LIMIT = 32 };

typedef struct ash__registers {
    const ash__body *m;
    bool wide;        /* AVX-512: 32 vectors, and masks k1 to k7, of which k1 is the tail's */
    int lanes;        /* elements of a vector of the widest type */
    int copies;       /* bodies that run interleaved, in registers of their own */
    int unroll;       /* bodies in the loop */
    int temps, masks; /* registers of one copy */
    int spills;       /* places of 64 bytes on the stack */
    int scratch;      /* the first of three registers for operands on their way */
    int result;       /* for results on their way to the stack */
    int accumulators; /* the first of the registers that lanes of a fold are in; one for each body. -1: no fold, or in memory */
    int count;
    uint16_t order[ASH__BODY_LIMIT];
    int16_t last[ASH__BODY_LIMIT]; /* place in the order of the last reader */
    int16_t uses[ASH__BODY_LIMIT];
    int16_t spill[ASH__BODY_LIMIT]; /* place on the stack */
    int8_t reg[ASH__BODY_LIMIT];    /* of copy 0; of constants: for all; masks: k2 is 2 */
    bool stored[ASH__BODY_LIMIT];   /* as it is */
    uint8_t fused[ASH__BODY_LIMIT]; /* not 0: a LOAD that is read from memory wherever it is used */
} ash__registers;

enum { ASH__FIRST_MASK = 2, ASH__MASK_RESULT = 5, ASH__MASK_SCRATCH = 6 }; /* the last two when masks are spilled */

/* limit: as if there were only so many vectors: for tests. False: too large. */
bool ash__registers_assign(ash__registers *r, const ash__body *m, int limit);
bool ash__commutes(unsigned op);
#endif
