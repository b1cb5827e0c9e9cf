/* x86_bytes.c - prefixes, register numbers and addresses of vector instructions. */
#include "backend/cpu/native/x86_bytes.h"

#include <string.h>

enum { RSP = 4, RBP = 5 };

static void byte(ash__x86_code *c, int value)
{
    if (c->at < c->end)
        *c->at = (uint8_t)value;
    c->at++;
}

void ash__x86_bytes(ash__x86_code *c, const char *bytes, int n)
{
    for (int k = 0; k < n; k++)
        byte(c, bytes[k]);
}

void ash__x86_word(ash__x86_code *c, uint32_t word)
{
    for (int k = 0; k < 4; k++)
        byte(c, (int)(word >> (8 * k) & 255));
}

/* ModRM, SIB and displacement. after: bytes of the instruction that follow. */
static void address(ash__x86_code *c, int reg, ash__x86_operand m, int after)
{
    const int r = (reg & 7) << 3, base = m.reg & 7;
    if (m.place == ASH__AT_REGISTER) {
        byte(c, 0xC0 | r | base);
        return;
    }
    if (m.place ==
        ASH__AT_LITERAL) { /* [rip + distance]: known once the constants are placed; counted from the next instruction */
        byte(c, r | 5);
        if (c->fixes < ASH__X86_FIXES) {
            c->fix[c->fixes].at = (int32_t)(c->at - c->start);
            c->fix[c->fixes].literal = m.literal;
        }
        c->fixes++;
        ash__x86_word(c, (uint32_t) - (4 + after));
        return;
    }
    const int unit = c->evex && m.nbytes ? m.nbytes : 1, short_disp = m.disp / unit;
    const bool is_short = short_disp * unit == m.disp && short_disp >= -128 && short_disp < 128;
    const int mod = !m.disp && base != RBP ? 0 : is_short ? 1 : 2;
    if (m.place == ASH__AT_ELEMENT) {
        byte(c, mod << 6 | r | 4);
        byte(c, __builtin_ctz((unsigned)m.scale) << 6 | m.index << 3 | base);
    } else {
        byte(c, mod << 6 | r | base);
        if (base == RSP)
            byte(c, RSP << 3 | RSP); /* no index */
    }
    if (mod == 1)
        byte(c, short_disp & 255);
    else if (mod == 2)
        ash__x86_word(c, (uint32_t)m.disp);
}

void ash__x86_vex(ash__x86_code *c, ash__x86_opcode op, bool long_form, int d, int s, ash__x86_operand m, int imm)
{
    const bool evex = c->evex;
    const int r = d & 8 ? 0 : 0x80, b = m.place != ASH__AT_LITERAL && (m.reg & 8) ? 0 : 0x20, w = op.keeps_w && op.w ? 0x80 : 0;
    const int last = (~s & 15) << 3 | (long_form ? 4 : 0) | op.prefix;
    if (op.map == 1 && b && !w) {
        byte(c, 0xC5);
        byte(c, r | last);
    } else {
        byte(c, 0xC4);
        byte(c, r | 0x40 | b | op.map);
        byte(c, w | last);
    }
    byte(c, op.code);
    c->evex = false; /* displacements are bytes */
    address(c, d, m, imm >= 0);
    c->evex = evex;
    if (imm >= 0)
        byte(c, imm);
}

void ash__x86_evex(ash__x86_code *c, ash__x86_opcode op, int nbytes, int d, int s, ash__x86_operand m, int mask, bool zeroing,
                   int imm)
{
    const bool memory = m.place != ASH__AT_REGISTER;
    const int r = d & 8 ? 0 : 0x80, r2 = d & 16 ? 0 : 0x10, x = !memory && (m.reg & 16) ? 0 : 0x40;
    const int b = m.place != ASH__AT_LITERAL && (m.reg & 8) ? 0 : 0x20;
    const int length = nbytes == 64 ? 2 : nbytes == 32;
    byte(c, 0x62);
    byte(c, r | x | b | r2 | op.map);
    byte(c, op.w << 7 | (~s & 15) << 3 | 4 | op.prefix);
    byte(c, (zeroing && mask) << 7 | length << 5 | (memory && m.broadcast) << 4 | (s & 16 ? 0 : 8) | mask);
    byte(c, op.code);
    address(c, d, m, imm >= 0);
    if (imm >= 0)
        byte(c, imm);
}
