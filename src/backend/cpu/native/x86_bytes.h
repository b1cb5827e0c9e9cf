/*
 * x86_bytes.h - the bytes of x86-64 vector instructions: VEX (AVX2, masks) and EVEX (AVX-512).
 *
 * Intel 64 and IA-32 Architectures Software Developer's Manual, volume 2A: section 2.3 (VEX), 2.7 (EVEX), 2.1.5 (addresses).
 */
#ifndef ASH__X86_BYTES_H
#define ASH__X86_BYTES_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ash__x86_opcode {
    uint8_t map;    /* 1: 0F, 2: 0F38, 3: 0F3A; 0: there is no such instruction */
    uint8_t prefix; /* 0: none, 1: 66, 2: F3, 3: F2 */
    uint8_t code;
    uint8_t w; /* of EVEX; of VEX where keeps_w */
    bool evex_only, keeps_w;
} ash__x86_opcode;

typedef enum ash__x86_place { ASH__AT_REGISTER, ASH__AT_ELEMENT, ASH__AT_POINTER, ASH__AT_LITERAL } ash__x86_place;

typedef struct ash__x86_operand {
    uint8_t place;
    uint8_t reg;   /* the register, or the base: [reg + disp], ELEMENT: [reg + index*scale + disp] */
    uint8_t index; /* 0: rax, 1: rcx */
    uint8_t scale;
    bool broadcast;   /* EVEX: one element for all lanes */
    uint16_t nbytes;  /* of memory read or written: EVEX counts short displacements in these */
    uint16_t literal; /* number of the constant behind the code */
    int32_t disp;
} ash__x86_operand;

enum { ASH__X86_FIXES = 2048 };

typedef struct ash__x86_code {
    uint8_t *start, *at, *end; /* `at` moves on behind the end, where nothing is written */
    bool evex;
    int fixes;
    struct {
        int32_t at;
        uint16_t literal;
    } fix[ASH__X86_FIXES];
} ash__x86_code;

void ash__x86_bytes(ash__x86_code *c, const char *bytes, int n);
void ash__x86_word(ash__x86_code *c, uint32_t word); /* 4 bytes */
static inline bool ash__x86_fits(const ash__x86_code *c)
{
    return c->at <= c->end && c->fixes < ASH__X86_FIXES;
}
static inline ash__x86_operand ash__x86_register(int reg)
{
    return (ash__x86_operand){.place = ASH__AT_REGISTER, .reg = (uint8_t)reg};
}

/* d = op(s, m): nbytes of a vector, 16, 32 or 64; imm < 0: none. Of masks too, with long_form as the manual's L. */
void ash__x86_vex(ash__x86_code *c, ash__x86_opcode op, bool long_form, int d, int s, ash__x86_operand m, int imm);
void ash__x86_evex(ash__x86_code *c, ash__x86_opcode op, int nbytes, int d, int s, ash__x86_operand m, int mask, bool zeroing,
                   int imm);
#endif
