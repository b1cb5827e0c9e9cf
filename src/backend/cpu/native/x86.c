/*
 * x86.c - x86-64 code for a program: f(slots, n) with rdi = table of pointers, rsi = n, rax = element index.
 *
 * AVX-512: an unrolled loop, then single vectors under the mask k1, every operation of which is masked: lanes behind the end
 * raise nothing and touch no memory. AVX2: an unrolled loop, single vectors, then single elements, spread over an xmm register,
 * with the same instructions.
 *
 * Invariant: nothing outside elements 0 .. n - 1 of any slot is read or written.
 */
#include "backend/cpu/native/x86.h"

#include <string.h>

#include "backend/cpu/native/registers.h"
#include "backend/cpu/native/x86_bytes.h"

typedef ash__x86_opcode opcode;
typedef ash__x86_operand operand;

enum {
    RCX = 1,
    RDX = 2,
    RBX = 3,
    RSP = 4,
    FIRST_SAVED = 5,
    MASK_OF_TAIL = 1,
    LITERAL_BYTES = 32,
    SPILL_BYTES = 64,
    EXITS = 256
};
enum { BELOW = 2, NOT_BELOW = 3, NOT_ZERO = 5, NOT_ABOVE = 6 }; /* conditions of jumps */
static const uint8_t slot_reg[ASH__SLOT_LIMIT] = {RDX, 8,  9,  10, 11,
                                                  RBX, 12, 13, 14, 15}; /* from FIRST_SAVED on the caller's */

typedef struct generator {
    ash__x86_code c;
    ash__registers r;
    const ash__body *m;
    bool wide, tail, failed;
    bool folds; /* into lanes in memory */
    int literals;
    uint16_t literal[ASH__BODY_LIMIT];    /* values */
    uint16_t literal_of[ASH__BODY_LIMIT]; /* numbers of values in that list */
    int first;                            /* body of the copies that are being written */
    int exits;
    struct {
        uint8_t *from; /* where the distance of a jump ends */
        int done;      /* elements behind rax that are stored */
    } exit[EXITS];
} generator;

/* ---- which instruction */

#define FLOATS(c)                \
    {1, 0, c, 0, false, false},  \
    {                            \
        1, 1, c, 1, false, false \
    }
#define WHOLES(m, c)            \
    {m, 1, c, 0, false, true},  \
    {                           \
        m, 1, c, 1, false, true \
    }
#define WHOLES_EVEX(m, c)       \
    {m, 1, c, 0, false, false}, \
    {                           \
        m, 1, c, 1, true, false \
    } /* the 64-bit one is AVX-512's */
#define NOTHING \
    {           \
        0       \
    }
static const opcode table[ASH__M_COUNT][4] = {
    /* f32, f64, i32, i64 */
    [ASH__M_ADD] = {FLOATS(0x58), {1, 1, 0xFE, 0, false, false}, {1, 1, 0xD4, 1, false, false}},
    [ASH__M_SUB] = {FLOATS(0x5C), {1, 1, 0xFA, 0, false, false}, {1, 1, 0xFB, 1, false, false}},
    [ASH__M_MUL] = {FLOATS(0x59), WHOLES_EVEX(2, 0x40)},
    [ASH__M_DIV] = {FLOATS(0x5E)},
    [ASH__M_MIN] = {FLOATS(0x5D), WHOLES_EVEX(2, 0x39)},
    [ASH__M_MAX] = {FLOATS(0x5F), WHOLES_EVEX(2, 0x3D)},
    [ASH__M_MINU] = {NOTHING, NOTHING, WHOLES_EVEX(2, 0x3B)},
    [ASH__M_MAXU] = {NOTHING, NOTHING, WHOLES_EVEX(2, 0x3F)},
    [ASH__M_MULLOW] = {NOTHING, NOTHING, NOTHING, {1, 1, 0xF4, 1, false, false}},
    [ASH__M_AND] = {FLOATS(0x54), {1, 1, 0xDB, 0, false, false}, {1, 1, 0xDB, 1, false, false}},
    [ASH__M_ANDN] = {FLOATS(0x55), {1, 1, 0xDF, 0, false, false}, {1, 1, 0xDF, 1, false, false}},
    [ASH__M_OR] = {FLOATS(0x56), {1, 1, 0xEB, 0, false, false}, {1, 1, 0xEB, 1, false, false}},
    [ASH__M_XOR] = {FLOATS(0x57), {1, 1, 0xEF, 0, false, false}, {1, 1, 0xEF, 1, false, false}},
    [ASH__M_SHL] = {NOTHING, NOTHING, WHOLES(2, 0x47)},
    [ASH__M_SHR] = {NOTHING, NOTHING, WHOLES(2, 0x45)},
    [ASH__M_SAR] = {NOTHING, NOTHING, WHOLES_EVEX(2, 0x46)},
    [ASH__M_SCALE] = {{2, 1, 0x2C, 0, true, false}, {2, 1, 0x2C, 1, true, false}},
    [ASH__M_SQRT] = {FLOATS(0x51)},
    [ASH__M_ROUND] = {{3, 1, 0x08, 0, false, false}, {3, 1, 0x09, 1, false, false}},
    [ASH__M_IABS] = {NOTHING, NOTHING, {2, 1, 0x1E, 0, false, false}, {2, 1, 0x1F, 1, true, false}},
    [ASH__M_FMA] = {{2, 1, 0xA8, 0, false, true}, {2, 1, 0xA8, 1, false, true}},
};
enum { FMA_132 = 0x98, FMA_213 = 0xA8, FMA_231 = 0xB8 };

/* [to][from]; floats to integers truncate */
static const opcode conversion[ASH__LANE_COUNT][ASH__LANE_COUNT] = {
    [ASH__LANE_F32] = {[ASH__LANE_F64] = {1, 1, 0x5A, 1, false, false},
                       [ASH__LANE_I32] = {1, 0, 0x5B, 0, false, false},
                       [ASH__LANE_I64] = {1, 0, 0x5B, 1, true, false}},
    [ASH__LANE_F64] = {[ASH__LANE_F32] = {1, 0, 0x5A, 0, false, false},
                       [ASH__LANE_I32] = {1, 2, 0xE6, 0, false, false},
                       [ASH__LANE_I64] = {1, 2, 0xE6, 1, true, false}},
    [ASH__LANE_I32] = {[ASH__LANE_F32] = {1, 2, 0x5B, 0, false, false},
                       [ASH__LANE_F64] = {1, 1, 0xE6, 1, false, false},
                       [ASH__LANE_I64] = {2, 2, 0x35, 0, false, false}},
    [ASH__LANE_I64] = {[ASH__LANE_F32] = {1, 1, 0x7A, 0, true, false},
                       [ASH__LANE_F64] = {1, 1, 0x7A, 1, true, false},
                       [ASH__LANE_I32] = {2, 1, 0x25, 0, false, false}},
    [ASH__LANE_M32] = {[ASH__LANE_M64] = {2, 2, 0x35, 0, false, false}},
    [ASH__LANE_M64] = {[ASH__LANE_M32] = {2, 1, 0x25, 0, false, false}},
};
static const opcode conversion_unsigned[4][4] = {
    [ASH__LANE_F32] = {[ASH__LANE_I32] = {1, 3, 0x7A, 0, true, false}, [ASH__LANE_I64] = {1, 3, 0x7A, 1, true, false}},
    [ASH__LANE_F64] = {[ASH__LANE_I32] = {1, 2, 0x7A, 0, true, false}, [ASH__LANE_I64] = {1, 2, 0x7A, 1, true, false}},
    [ASH__LANE_I32] = {[ASH__LANE_F32] = {1, 0, 0x78, 0, true, false},
                       [ASH__LANE_F64] = {1, 0, 0x78, 1, true, false},
                       [ASH__LANE_I64] = {2, 2, 0x35, 0, false, false}},
    [ASH__LANE_I64] = {[ASH__LANE_F32] = {1, 1, 0x78, 0, true, false},
                       [ASH__LANE_F64] = {1, 1, 0x78, 1, true, false},
                       [ASH__LANE_I32] = {2, 1, 0x35, 0, false, false}},
};

/* Vectors and single elements of 4 and 8 bytes, to and from memory. */
static const opcode load[2] = {{1, 0, 0x10, 0, false, false}, {1, 1, 0x10, 1, false, false}};
static const opcode store[2] = {{1, 0, 0x11, 0, false, false}, {1, 1, 0x11, 1, false, false}};
static const opcode store_one[2] = {{1, 2, 0x11, 0, false, false}, {1, 3, 0x11, 1, false, false}};
static const opcode move = {1, 0, 0x28, 0, false, false}, move_wide = {1, 1, 0x28, 1, false, false};
static const opcode spread[2] = {{2, 1, 0x18, 0, false, false}, {2, 1, 0x19, 1, false, false}};
static const opcode spread_pair = {1, 3, 0x12, 1, false, false}; /* 8 bytes to xmm */
/* Bytes */
static const opcode spread_byte = {2, 1, 0x78, 0, false, false}, test_bytes = {2, 1, 0x26, 0, true, false};
static const opcode load_bytes = {1, 3, 0x6F, 0, true, false}, store_bytes = {1, 3, 0x7F, 0, true, false};
static const opcode load_8_bytes = {1, 2, 0x7E, 1, false, false}, store_8_bytes = {1, 1, 0xD6, 1, false, false};
static const opcode store_4_bytes = {1, 1, 0x7E, 0, false, false}, insert_byte = {3, 1, 0x20, 0, false, false};
static const opcode extract_byte = {3, 1, 0x14, 0, false, false};
static const opcode widen_bytes[2] = {{2, 1, 0x31, 0, false, false}, {2, 1, 0x32, 0, false, false}};
static const opcode absolute_bytes = {2, 1, 0x1C, 0, false, false}, minus_bytes = {1, 1, 0xF8, 0, false, false};
static const opcode pack_lanes = {1, 1, 0x6B, 0, false, false}, pack_words = {1, 1, 0x63, 0, false, false};
static const opcode mask_to_bytes = {2, 2, 0x28, 0, true, false};
/* Integers of 1 and 2 bytes: to lanes of 4, signed and unsigned, and back */
static const opcode widen_narrow[2][2] = {{{2, 1, 0x31, 0, false, false}, {2, 1, 0x33, 0, false, false}},
                                          {{2, 1, 0x21, 0, false, false}, {2, 1, 0x23, 0, false, false}}};
static const opcode cut_narrow[2] = {{2, 2, 0x31, 0, true, false}, {2, 2, 0x33, 0, true, false}};
static const opcode widen_f16 = {2, 1, 0x13, 0, false, false}, round_f16 = {3, 1, 0x1D, 0, false, false};
static const opcode spread_word = {2, 1, 0x79, 0, false, false}, insert_word = {1, 1, 0xC4, 0, false, false};
static const opcode extract_word = {3, 1, 0x15, 0, false, false};
static const opcode pack_lanes_unsigned = {2, 1, 0x2B, 0, false, false}, pack_words_unsigned = {1, 1, 0x67, 0, false, false};
/* Parts of vectors */
static const opcode upper_half = {3, 1, 0x39, 0, false, false}, shuffle = {1, 0, 0xC6, 0, false, false};
static const opcode exclusive_or = {1, 0, 0x57, 0, false, false}, equal_lanes = {1, 1, 0x76, 0, false, false};
static const opcode load_mask = {1, 0, 0x90, 0, false, false}, store_mask = {1, 0, 0x91, 0, false, false};
static const opcode not_mask = {1, 0, 0x44, 0, false, false};
enum { EVEN_LANES = 0x88 };

/* ---- operands */

static bool is_single(const generator *g) /* one element in an xmm register */
{
    return g->tail && !g->wide;
}
static int width(const generator *g, int lane_bytes)
{
    return is_single(g) ? 16 : g->r.lanes * lane_bytes;
}
static int of_8(int lane_bytes)
{
    return lane_bytes == 8;
}
static const ash__body_ins *ins_of(const generator *g, int v)
{
    return &g->m->ins[v];
}
static int bytes_of(const generator *g, int v)
{
    return ash__lane_bytes(ins_of(g, v)->type);
}
static bool in_masks(const generator *g, int v)
{
    return g->wide && ash__is_mask(ins_of(g, v)->type);
}
static int scratch(const generator *g, int k)
{
    return g->r.scratch + k;
}
static int register_of(const generator *g, int v, int u)
{
    const int copy = u & (g->r.copies - 1);
    if (ash__is_constant(ins_of(g, v)))
        return g->r.reg[v];
    return g->r.reg[v] + copy * (in_masks(g, v) ? g->r.masks : g->r.temps);
}

static void put(generator *g, opcode op, int nbytes, int d, int s, operand m, bool masked, int imm)
{
    if (!op.map || (op.evex_only && !g->wide))
        g->failed = true;
    else if (g->wide)
        ash__x86_evex(&g->c, op, nbytes, d, s, m, masked ? MASK_OF_TAIL : 0, masked, imm);
    else
        ash__x86_vex(&g->c, op, nbytes == 32, d, s, m, imm);
}
static void put_registers(generator *g, opcode op, int nbytes, int d, int s, int m, int imm)
{
    put(g, op, nbytes, d, s, ash__x86_register(m), false, imm);
}

static int item_of(const ash__body_ins *i) /* bytes in memory */
{
    const int narrow = ash__narrow_bytes(i->from);
    return i->from == ASH_BOOL ? 1 : narrow ? narrow : ash__lane_bytes(i->type);
}
static operand element(const generator *g, const ash__body_ins *i, int u)
{
    const int item = item_of(i), nbytes = g->r.lanes * item;
    return (operand){.place = ASH__AT_ELEMENT,
                     .reg = slot_reg[i->place],
                     .scale = (uint8_t)item,
                     .nbytes = (uint16_t)nbytes,
                     .disp = u * nbytes};
}
static operand on_stack(const generator *g, int v)
{
    const int nbytes = in_masks(g, v) ? 2 : width(g, bytes_of(g, v));
    return (operand){.place = ASH__AT_POINTER, .reg = RSP, .nbytes = (uint16_t)nbytes, .disp = SPILL_BYTES * g->r.spill[v]};
}
static operand constant(generator *g, int v)
{
    const ash__body_ins *const i = ins_of(g, v);
    const uint16_t nbytes = (uint16_t)ash__lane_bytes(i->type);
    if (i->op == ASH__M_CELL)
        return (operand){
            .place = ASH__AT_POINTER, .reg = slot_reg[0], .broadcast = true, .nbytes = nbytes, .disp = 8 * (int32_t)i->place};
    if (g->literal_of[v] == ASH__NO_VALUE) {
        g->literal_of[v] = (uint16_t)g->literals;
        g->literal[g->literals++] = (uint16_t)v;
    }
    return (operand){.place = ASH__AT_LITERAL, .broadcast = true, .nbytes = nbytes, .literal = g->literal_of[v]};
}

static opcode widening(const ash__body_ins *i)
{
    return i->from == ASH_F16 ? widen_f16 : widen_narrow[ash__is_signed((ash_dtype)i->from)][ash__narrow_bytes(i->from) == 2];
}

/* A constant for all lanes of the whole register. */
static void spread_to(generator *g, int reg, int v)
{
    const ash__body_ins *const i = ins_of(g, v);
    const int all = g->wide ? 64 : 32, narrow = i->op == ASH__M_CELL ? ash__narrow_bytes(i->from) : 0;
    operand from = constant(g, v);
    from.broadcast = false;
    if (!narrow) {
        put(g, spread[of_8(ash__lane_bytes(i->type))], all, reg, 0, from, false, -1);
        return;
    }
    from.nbytes = (uint16_t)narrow;
    put(g, narrow == 2 ? spread_word : spread_byte, 32, reg, 0, from, false, -1);
    put_registers(g, widening(i), all, reg, 0, reg, -1);
}

static void load_narrow(generator *g, int reg, const ash__body_ins *i, int u)
{
    const operand from = element(g, i, u);
    const int s = scratch(g, 0);
    if (!is_single(g)) {
        put(g, widening(i), width(g, 4), reg, 0, from, g->tail, -1);
        return;
    }
    put_registers(g, exclusive_or, 16, s, s, s, -1);
    put(g, item_of(i) == 2 ? insert_word : insert_byte, 16, s, s, from, false, 0);
    put_registers(g, widening(i), 16, reg, 0, s, -1);
}

static void load_to(generator *g, int reg, const ash__body_ins *i, int u)
{
    const int nbytes = ash__lane_bytes(i->type);
    operand from = element(g, i, u);
    if (!is_single(g))
        put(g, load[of_8(nbytes)], width(g, nbytes), reg, 0, from, g->tail, -1);
    else
        put(g, nbytes == 8 ? spread_pair : spread[0], 16, reg, 0, from, false, -1);
}

static void move_stack(generator *g, int v, int reg, bool to_stack)
{
    const int wide = of_8(bytes_of(g, v));
    if (in_masks(g, v))
        ash__x86_vex(&g->c, to_stack ? store_mask : load_mask, false, reg, 0, on_stack(g, v), -1);
    else
        put(g, to_stack ? store[wide] : load[wide], width(g, bytes_of(g, v)), reg, 0, on_stack(g, v), false, -1);
}

/* The k-th source of an instruction, in a register. */
static int in_register(generator *g, int v, int u, int k)
{
    const ash__body_ins *const i = ins_of(g, v);
    const int to = in_masks(g, v) ? ASH__MASK_SCRATCH + k : scratch(g, k);
    if (g->r.reg[v] != ASH__NO_REGISTER)
        return register_of(g, v, u);
    if (ash__is_constant(i))
        spread_to(g, to, v);
    else if (g->r.fused[v])
        load_to(g, to, i, u);
    else
        move_stack(g, v, to, false);
    return to;
}

/* The same, or memory, where the instruction takes any. */
static operand anywhere(generator *g, int v, int u, int k)
{
    const ash__body_ins *const i = ins_of(g, v);
    if (g->r.reg[v] == ASH__NO_REGISTER) {
        if (i->op == ASH__M_LITERAL || (g->wide && ash__is_constant(i) && !ash__narrow_bytes(i->from)))
            return constant(g, v);
        if (g->r.fused[v] && !is_single(g))
            return element(g, i, u);
        if (g->r.spill[v] != ASH__NO_REGISTER && !in_masks(g, v))
            return on_stack(g, v);
    }
    return ash__x86_register(in_register(g, v, u, k));
}

/* ---- one operation */

static void emit_fma(generator *g, const ash__body_ins *i, int d, int u)
{
    const int nbytes = width(g, ash__lane_bytes(i->type));
    const bool masked = g->tail && g->wide;
    opcode op = table[ASH__M_FMA][i->type];
    int va = i->arg[0], vb = i->arg[1];
    if (g->r.reg[va] == ASH__NO_REGISTER && g->r.reg[vb] != ASH__NO_REGISTER) { /* a in a register, if any is */
        va = i->arg[1];
        vb = i->arg[0];
    }
    const int a = in_register(g, va, u, 0);
    const operand b = anywhere(g, vb, u, 1);
    const bool b_here = b.place == ASH__AT_REGISTER && b.reg == d;
    if (d != a && !b_here) { /* d = a*b + d */
        const int c = in_register(g, i->arg[2], u, 2);
        if (c != d)
            put_registers(g, move, nbytes, d, 0, c, -1);
        op.code = FMA_231;
        put(g, op, nbytes, d, a, b, masked, -1);
    } else if (b.place != ASH__AT_REGISTER) { /* d = d*b + c */
        op.code = FMA_132;
        put(g, op, nbytes, d, in_register(g, i->arg[2], u, 2), b, masked, -1);
    } else { /* d = s*d + c */
        op.code = FMA_213;
        put(g, op, nbytes, d, d == a ? b.reg : a, anywhere(g, i->arg[2], u, 2), masked, -1);
    }
}

static void emit_compare(generator *g, const ash__body_ins *i, int d, int u)
{
    static const uint8_t floats[ASH__RELATIONS] = {0x00, 0x11, 0x12, 0x03, 0x04}; /* quiet, but less and less or equal */
    static const uint8_t wholes[ASH__RELATIONS] = {0, 1, 2, 0, 4, 1, 2};
    const int lane = ash__lane_bytes(i->from), nbytes = width(g, lane);
    if (i->from <= ASH__LANE_F64) {
        const opcode op = {1, of_8(lane) ? 1 : 0, 0xC2, (uint8_t)of_8(lane), false, false};
        const int a = in_register(g, i->arg[0], u, 0);
        const operand b = anywhere(g, i->arg[1], u, 1);
        if (g->wide)
            ash__x86_evex(&g->c, op, nbytes, d, a, b, g->tail ? MASK_OF_TAIL : 0, false, floats[i->imm]);
        else
            put(g, op, nbytes, d, a, b, false, floats[i->imm]);
    } else if (g->wide) {
        const bool is_unsigned = i->imm == ASH__IS_BELOW || i->imm == ASH__IS_BELOW_EQUAL;
        const opcode op = {3, 1, is_unsigned ? 0x1E : 0x1F, (uint8_t)of_8(lane), true, false};
        const int a = in_register(g, i->arg[0], u, 0);
        ash__x86_evex(&g->c, op, nbytes, d, a, anywhere(g, i->arg[1], u, 1), g->tail ? MASK_OF_TAIL : 0, false, wholes[i->imm]);
    } else { /* equal, or less: greater the other way round */
        static const opcode equal[2] = {{1, 1, 0x76, 0, false, false}, {2, 1, 0x29, 0, false, false}};
        static const opcode greater[2] = {{1, 1, 0x66, 0, false, false}, {2, 1, 0x37, 0, false, false}};
        const bool less = i->imm == ASH__IS_LESS;
        const int a = in_register(g, i->arg[less], u, 0);
        put(g, less ? greater[of_8(lane)] : equal[of_8(lane)], nbytes, d, a, anywhere(g, i->arg[!less], u, 1), false, -1);
    }
}

static void emit_select(generator *g, const ash__body_ins *i, int d, int u)
{
    const int lane = ash__lane_bytes(i->type), mask = in_register(g, i->arg[0], u, 0);
    const int no = in_register(g, i->arg[2], u, 2);
    const bool loaded = g->r.fused[i->arg[1]]; /* behind the end only masked operations may read memory, and this is none */
    const operand yes = loaded ? ash__x86_register(in_register(g, i->arg[1], u, 1)) : anywhere(g, i->arg[1], u, 1);
    if (g->wide)
        ash__x86_evex(&g->c, (opcode){2, 1, 0x65, (uint8_t)of_8(lane), true, false}, width(g, lane), d, no, yes, mask, false,
                      -1);
    else
        put(g, (opcode){3, 1, of_8(lane) ? 0x4B : 0x4A, 0, false, false}, width(g, lane), d, no, yes, false, mask << 4);
}

static void emit_keep(generator *g, const ash__body_ins *i, int d, int u)
{
    const int lane = ash__lane_bytes(i->type), mask = in_register(g, i->arg[0], u, 0);
    if (g->wide)
        ash__x86_evex(&g->c, of_8(lane) ? move_wide : move, width(g, lane), d, 0,
                      ash__x86_register(in_register(g, i->arg[1], u, 1)), mask, true, -1);
    else
        put(g, table[ASH__M_AND][ASH__LANE_F32], width(g, lane), d, mask, anywhere(g, i->arg[1], u, 1), false, -1);
}

/* The even 4-byte lanes of a vector of 8-byte lanes. */
static void emit_lower_halves(generator *g, int d, int a)
{
    if (is_single(g)) {
        put_registers(g, shuffle, 16, d, a, a, EVEN_LANES);
        return;
    }
    put_registers(g, upper_half, 32, a, 0, scratch(g, 1), 1); /* the destination is the last operand */
    put_registers(g, shuffle, 16, d, a, scratch(g, 1), EVEN_LANES);
}

static void emit_convert(generator *g, const ash__body_ins *i, int d, int u)
{
    const int to = ash__lane_bytes(i->type), from = ash__lane_bytes(i->from);
    const int nbytes = width(g, to > from ? to : from);
    const opcode op = i->op == ASH__M_CONVERT ? conversion[i->type][i->from] : conversion_unsigned[i->type][i->from];
    const bool halves = (i->type == ASH__LANE_I32 && i->from == ASH__LANE_I64) || i->type == ASH__LANE_M32;
    if (!halves)
        put(g, op, nbytes, d, 0, anywhere(g, i->arg[0], u, 1), g->tail && g->wide, -1);
    else if (g->wide) /* the destination is the last operand */
        put(g, op, nbytes, in_register(g, i->arg[0], u, 0), 0, ash__x86_register(d), g->tail, -1);
    else
        emit_lower_halves(g, d, in_register(g, i->arg[0], u, 0));
}

static void emit_logic(generator *g, const ash__body_ins *i, int d, int u)
{
    const int a = in_register(g, i->arg[0], u, 0), lane = ash__lane_bytes(i->type);
    if (i->op == ASH__M_NOT && g->wide) {
        ash__x86_vex(&g->c, not_mask, false, d, 0, ash__x86_register(a), -1);
    } else if (i->op == ASH__M_NOT) {
        put_registers(g, equal_lanes, 32, scratch(g, 1), scratch(g, 1), scratch(g, 1), -1);
        put_registers(g, exclusive_or, width(g, lane), d, a, scratch(g, 1), -1);
    } else if (g->wide) {
        static const uint8_t code[ASH__M_COUNT] = {
            [ASH__M_AND] = 0x41, [ASH__M_OR] = 0x45, [ASH__M_XOR] = 0x47, [ASH__M_ANDN] = 0x42};
        ash__x86_vex(&g->c, (opcode){1, 0, code[i->op], 0, false, false}, true, d, a,
                     ash__x86_register(in_register(g, i->arg[1], u, 1)), -1);
    } else {
        put(g, table[i->op][ASH__LANE_F32], width(g, lane), d, a, anywhere(g, i->arg[1], u, 1), false, -1);
    }
}

/* ---- truth values in memory: bytes 0 and 1 */

/* Lanes of 0 or 1, in scratch 0, to masks. */
static void mask_of_ones(generator *g, int d, opcode minus, int nbytes)
{
    put_registers(g, exclusive_or, 32, scratch(g, 1), scratch(g, 1), scratch(g, 1), -1);
    put_registers(g, minus, nbytes, d, scratch(g, 1), scratch(g, 0), -1);
}

static void emit_cell_mask(generator *g, const ash__body_ins *i, int d)
{
    const operand from = {.place = ASH__AT_POINTER, .reg = slot_reg[0], .nbytes = 1, .disp = 8 * (int32_t)i->place};
    put(g, spread_byte, g->wide ? 16 : 32, scratch(g, 0), 0, from, false, -1);
    if (g->wide)
        put_registers(g, test_bytes, 16, d, scratch(g, 0), scratch(g, 0), -1);
    else
        mask_of_ones(g, d, minus_bytes, 32);
}

static void load_mask_bytes(generator *g, const ash__body_ins *i, int d, int u)
{
    operand from = element(g, i, u);
    const int lane = ash__lane_bytes(i->type), s = scratch(g, 0);
    if (g->wide) {
        if (g->tail)
            from.nbytes = 16; /* as far as the instruction goes, but for the mask */
        if (g->tail)
            put(g, load_bytes, 16, s, 0, from, true, -1);
        else
            put(g, g->r.lanes == 16 ? load[0] : load_8_bytes, 16, s, 0, from, false, -1);
        put_registers(g, test_bytes, 16, d, s, s, -1);
        return;
    }
    if (is_single(g)) {
        put_registers(g, exclusive_or, 16, s, s, s, -1);
        put(g, insert_byte, 16, s, s, from, false, 0);
    } else {
        put(g, widen_bytes[of_8(lane)], width(g, lane), s, 0, from, false, -1);
    }
    mask_of_ones(g, d, table[ASH__M_SUB][of_8(lane) ? ASH__LANE_I64 : ASH__LANE_I32], width(g, lane));
}

static void store_mask_wide(generator *g, const ash__body_ins *i, int a, int u)
{
    const operand to = element(g, i, u);
    const int s = scratch(g, 0);
    put_registers(g, mask_to_bytes, 16, s, 0, a, -1);
    put_registers(g, absolute_bytes, 16, s, 0, s, -1);
    if (g->tail)
        ash__x86_evex(&g->c, store_bytes, 16, s, 0, to, MASK_OF_TAIL, false, -1);
    else
        put(g, g->r.lanes == 16 ? store[0] : store_8_bytes, 16, s, 0, to, false, -1);
}

static void store_mask_bytes(generator *g, const ash__body_ins *i, int a, int u)
{
    const operand to = element(g, i, u);
    const int s = scratch(g, 1), lane = ash__lane_bytes(i->type);
    if (is_single(g)) {
        put_registers(g, absolute_bytes, 16, s, 0, a, -1);
        put(g, extract_byte, 16, s, 0, to, false, 0);
        return;
    }
    if (width(g, lane) == 32) {
        put_registers(g, upper_half, 32, a, 0, s, 1);
        put_registers(g, of_8(lane) ? shuffle : pack_lanes, 16, s, a, s, of_8(lane) ? EVEN_LANES : -1);
        a = s;
    }
    if (g->r.lanes == 4)
        put_registers(g, pack_lanes, 16, s, a, a, -1);
    put_registers(g, pack_words, 16, s, s, s, -1);
    put_registers(g, absolute_bytes, 16, s, 0, s, -1);
    put(g, g->r.lanes == 4 ? store_4_bytes : store_8_bytes, 16, s, 0, to, false, -1);
}

/* Lanes hold what fits: packing saturates nothing. */
static void store_narrow(generator *g, const ash__body_ins *i, int a, int u)
{
    const operand to = element(g, i, u);
    const bool is_signed = ash__is_signed((ash_dtype)i->from), words = item_of(i) == 2;
    const opcode lanes = is_signed ? pack_lanes : pack_lanes_unsigned;
    const int s = scratch(g, 1);
    if (g->wide) {
        const bool is_f16 = i->from == ASH_F16; /* to nearest even */
        ash__x86_evex(&g->c, is_f16 ? round_f16 : cut_narrow[words], width(g, 4), a, 0, to, g->tail ? MASK_OF_TAIL : 0, false,
                      is_f16 ? 0 : -1);
        return;
    }
    if (i->from == ASH_F16 && !is_single(g)) {
        put(g, round_f16, width(g, 4), a, 0, to, false, 0);
        return;
    }
    if (i->from == ASH_F16) {
        put_registers(g, round_f16, 16, a, 0, s, 0);
        a = s;
    }
    if (is_single(g)) {
        put(g, words ? extract_word : extract_byte, 16, a, 0, to, false, 0);
        return;
    }
    if (g->r.lanes == 8) {
        put_registers(g, upper_half, 32, a, 0, s, 1);
        put_registers(g, lanes, 16, s, a, s, -1);
    } else {
        put_registers(g, lanes, 16, s, a, a, -1);
    }
    if (!words)
        put_registers(g, is_signed ? pack_words : pack_words_unsigned, 16, s, s, s, -1);
    const int nbytes = g->r.lanes * item_of(i);
    put(g, nbytes == 16 ? store[0] : nbytes == 8 ? store_8_bytes : store_4_bytes, 16, s, 0, to, false, -1);
}

static void emit_store(generator *g, const ash__body_ins *i, int u)
{
    const int a = in_register(g, i->arg[0], u, 0), lane = ash__lane_bytes(i->type);
    if (ash__is_mask(i->type) && g->wide)
        store_mask_wide(g, i, a, u);
    else if (ash__is_mask(i->type))
        store_mask_bytes(g, i, a, u);
    else if (ash__narrow_bytes(i->from))
        store_narrow(g, i, a, u);
    else if (is_single(g))
        put(g, store_one[of_8(lane)], 16, a, 0, element(g, i, u), false, -1);
    else if (g->wide)
        ash__x86_evex(&g->c, store[of_8(lane)], width(g, lane), a, 0, element(g, i, u), g->tail ? MASK_OF_TAIL : 0, false, -1);
    else
        put(g, store[of_8(lane)], width(g, lane), a, 0, element(g, i, u), false, -1);
}

/* lanes = lanes op x; of floats the smallest. Behind the end lanes keep what they have. */
static void emit_fold_wide(generator *g, const ash__body_ins *i, int u)
{
    const int lanes = g->r.accumulators + u, nbytes = width(g, ash__lane_bytes(i->type)), mask = g->tail ? MASK_OF_TAIL : 0;
    if (i->imm != ASH__M_MIN || i->type > ASH__LANE_F64) {
        ash__x86_evex(&g->c, table[i->imm][i->type], nbytes, lanes, lanes, anywhere(g, i->arg[0], u, 1), mask, false, -1);
        return;
    }
    const int x = in_register(g, i->arg[0], u, 1), s = scratch(g, 0);
    put_registers(g, table[ASH__M_MIN][i->type], nbytes, s, x, lanes, -1);
    ash__x86_evex(&g->c, table[ASH__M_MIN][i->type], nbytes, lanes, lanes, ash__x86_register(x), mask, false, -1);
    ash__x86_evex(&g->c, table[ASH__M_OR][i->type], nbytes, lanes, lanes, ash__x86_register(s), mask, false, -1);
}

/* The same in memory, where rcx is the lane of the first element. */
static void emit_fold_memory(generator *g, const ash__body_ins *i, int u)
{
    const int lane = ash__lane_bytes(i->type), nbytes = width(g, lane), s = scratch(g, 0), t = scratch(g, 2);
    const int x = in_register(g, i->arg[0], u, 1);
    const operand at = {
        .place = ASH__AT_ELEMENT, .reg = slot_reg[i->place], .index = RCX, .scale = (uint8_t)lane, .disp = u * nbytes};
    if (is_single(g))
        put(g, lane == 8 ? spread_pair : spread[0], 16, s, 0, at, false, -1);
    else
        put(g, load[of_8(lane)], nbytes, s, 0, at, false, -1);
    if (i->imm == ASH__M_MIN && i->type <= ASH__LANE_F64) {
        put_registers(g, table[ASH__M_MIN][i->type], nbytes, t, x, s, -1);
        put_registers(g, table[ASH__M_MIN][i->type], nbytes, s, s, x, -1);
        put_registers(g, table[ASH__M_OR][i->type], nbytes, s, s, t, -1);
    } else {
        put_registers(g, table[i->imm][i->type], nbytes, s, s, x, -1);
    }
    put(g, is_single(g) ? store_one[of_8(lane)] : store[of_8(lane)], nbytes, s, 0, at, false, -1);
}

static void emit_load(generator *g, const ash__body_ins *i, int d, int u)
{
    if (ash__is_mask(i->type))
        load_mask_bytes(g, i, d, u);
    else if (ash__narrow_bytes(i->from))
        load_narrow(g, d, i, u);
    else
        load_to(g, d, i, u);
}

/* One or two sources, the last of them in memory or not. */
static void emit_plain(generator *g, const ash__body_ins *i, int d, int u)
{
    const int nbytes = width(g, ash__lane_bytes(i->type));
    const opcode op = table[i->op][i->type];
    const int imm = i->op == ASH__M_ROUND ? i->imm : -1;
    int va = i->arg[0], vb = i->arg[1];
    if (ash__sources_of(i->op) == 1) {
        put(g, op, nbytes, d, 0, anywhere(g, va, u, 1), g->tail && g->wide, imm);
        return;
    }
    if (ash__commutes(i->op) && g->r.reg[va] == ASH__NO_REGISTER && g->r.reg[vb] != ASH__NO_REGISTER) {
        va = i->arg[1];
        vb = i->arg[0];
    }
    const int a = in_register(g, va, u, 0);
    put(g, op, nbytes, d, a, anywhere(g, vb, u, 1), g->tail && g->wide, -1);
}

static void emit_to(generator *g, const ash__body_ins *i, int d, int u)
{
    switch (i->op) {
    case ASH__M_LOAD:
        emit_load(g, i, d, u);
        break;
    case ASH__M_CELL:
        emit_cell_mask(g, i, d);
        break;
    case ASH__M_FMA:
        emit_fma(g, i, d, u);
        break;
    case ASH__M_COMPARE:
        emit_compare(g, i, d, u);
        break;
    case ASH__M_SELECT:
        emit_select(g, i, d, u);
        break;
    case ASH__M_KEEP:
        emit_keep(g, i, d, u);
        break;
    case ASH__M_CONVERT:
    case ASH__M_CONVERTU:
        emit_convert(g, i, d, u);
        break;
    default:
        if (ash__is_mask(i->type))
            emit_logic(g, i, d, u);
        else
            emit_plain(g, i, d, u);
    }
}

/* ---- jumps */

static void text(generator *g, const char *bytes, int n)
{
    ash__x86_bytes(&g->c, bytes, n);
}

/* To a place known already, or NULL; returns where the distance ends. */
static uint8_t *jump(generator *g, int condition, const uint8_t *to)
{
    const char code[2] = {0x0F, (char)(0x80 | condition)};
    text(g, code, 2);
    ash__x86_word(&g->c, to ? (uint32_t)(to - (g->c.at + 4)) : 0);
    return g->c.at;
}
static void land(generator *g, uint8_t *from)
{
    const uint32_t distance = (uint32_t)(g->c.at - from);
    if (ash__x86_fits(&g->c))
        memcpy(from - 4, &distance, 4);
}

/* To the end, if a lane of the mask is set: of the first one alone where there is one element, and in front of the end in a
 * tail. */
static void emit_leave(generator *g, const ash__body_ins *i, int u)
{
    const int mask = in_register(g, i->arg[0], u, 0), few = g->r.lanes == 8;
    if (g->wide) {
        const opcode any = {1, (uint8_t)few, g->tail ? 0x99 : 0x98, 0, false, false}; /* ktest, kortest */
        ash__x86_vex(&g->c, any, false, mask, 0, ash__x86_register(g->tail ? MASK_OF_TAIL : mask), -1);
    } else if (is_single(g)) {
        put_registers(g, (opcode){1, 0, 0x50, 0, false, false}, 16, RCX, 0, mask, -1); /* vmovmskps ecx, mask; test cl, 1 */
        text(g, "\xF6\xC1\x01", 3);
    } else {
        put_registers(g, (opcode){2, 1, 0x0E, 0, false, false}, width(g, ash__lane_bytes(i->type)), mask, 0, mask, -1);
    }
    uint8_t *const from = jump(g, NOT_ZERO, NULL);
    if (g->exits < EXITS) {
        g->exit[g->exits].from = from;
        g->exit[g->exits].done = g->first * g->r.lanes;
    }
    g->exits++;
}

static void emit(generator *g, int v, int u)
{
    const ash__body_ins *const i = ins_of(g, v);
    const bool spilled = g->r.spill[v] != ASH__NO_REGISTER;
    if (ash__is_result(i->op)) {
        if (i->op == ASH__M_STORE)
            emit_store(g, i, u);
        else if (i->op == ASH__M_FOLD)
            (g->wide ? emit_fold_wide : emit_fold_memory)(g, i, u);
        else
            emit_leave(g, i, u);
        return;
    }
    if (g->r.reg[v] == ASH__NO_REGISTER && !spilled) /* read where it lies */
        return;
    const int d = !spilled ? register_of(g, v, u) : in_masks(g, v) ? ASH__MASK_RESULT : g->r.result;
    emit_to(g, i, d, u);
    if (spilled)
        move_stack(g, v, d, true);
}

/* ---- loops */

/* Bodies number start .. end - 1. */
static void emit_bodies(generator *g, int start, int end, bool tail)
{
    g->tail = tail;
    for (int first = g->first = start; first < end; first = g->first += g->r.copies)
        for (int at = 0; at < g->r.count; at++)
            for (int u = first; u < end && u < first + g->r.copies; u++)
                emit(g, g->r.order[at], u);
}

static void align_loop(generator *g)
{
    static const char nothing[9][10] = {"\x90",
                                        "\x66\x90",
                                        "\x0F\x1F\x00",
                                        "\x0F\x1F\x40\x00",
                                        "\x0F\x1F\x44\x00\x00",
                                        "\x66\x0F\x1F\x44\x00\x00",
                                        "\x0F\x1F\x80\x00\x00\x00\x00",
                                        "\x0F\x1F\x84\x00\x00\x00\x00\x00",
                                        "\x66\x0F\x1F\x84\x00\x00\x00\x00\x00"};
    for (int n = (int)(-(g->c.at - g->c.start) & 31); n > 0;) {
        const int m = n < 9 ? n : 9;
        text(g, nothing[m - 1], m);
        n -= m;
    }
}

static void add_index(generator *g, int n)
{
    text(g, "\x48\x05", 2); /* add rax, n */
    ash__x86_word(&g->c, (uint32_t)n);
}

/* Where lanes of a fold are in memory: mov ecx, eax; and ecx, 127 */
static void emit_lane(generator *g)
{
    if (g->folds)
        text(g, "\x89\xC1\x83\xE1\x7F", 5);
}

/* While rax is below n rounded down to `count` vectors. */
static void emit_whole(generator *g, int count)
{
    const int step = count * g->r.lanes;
    text(g, "\x48\x89\xF7\x48\x81\xE7", 6); /* mov rdi, rsi; and rdi, -step */
    ash__x86_word(&g->c, (uint32_t)-step);
    text(g, "\x48\x39\xF8", 3); /* cmp rax, rdi */
    uint8_t *const skip = jump(g, NOT_BELOW, NULL);
    align_loop(g);
    const uint8_t *const top = g->c.at;
    emit_lane(g);
    emit_bodies(g, 0, count, false);
    add_index(g, step);
    text(g, "\x48\x39\xF8", 3);
    jump(g, BELOW, top);
    land(g, skip);
}

/* k1 for the next vector, when rdi elements are left: ones for lanes and no more, because bytes are moved 16 at a time. */
static void emit_mask(generator *g)
{
    text(g, "\xB9", 1); /* mov ecx, ones; bzhi ecx, ecx, edi; kmovw k1, ecx */
    ash__x86_word(&g->c, (1u << g->r.lanes) - 1);
    text(g, "\xC4\xE2\x40\xF5\xC9\xC5\xF8\x92\xC9", 9);
}

/* What is left: vectors under a mask, or single elements. */
static void emit_rest(generator *g)
{
    text(g, "\x48\x39\xF0", 3); /* cmp rax, rsi */
    uint8_t *const skip = jump(g, NOT_BELOW, NULL);
    const uint8_t *const top = g->c.at;
    if (g->wide) {
        text(g, "\x48\x89\xF7\x48\x29\xC7", 6); /* mov rdi, rsi; sub rdi, rax */
        emit_mask(g);
    }
    emit_lane(g);
    emit_bodies(g, 0, 1, true);
    add_index(g, g->wide ? g->r.lanes : 1);
    text(g, "\x48\x39\xF0", 3);
    jump(g, BELOW, top);
    land(g, skip);
}

/* The same where each vector has lanes of its own: the bodies one after the other, as far as it takes. */
static void emit_rest_of_fold(generator *g)
{
    uint8_t *out[ASH__LANES / 8 + 1];
    int outs = 0;
    text(g, "\x48\x89\xF7\x48\x29\xC7", 6);
    out[outs++] = jump(g, NOT_ABOVE, NULL);
    for (int u = 0; u < g->r.unroll; u++) {
        const char less[4] = {0x48, (char)0x83, (char)0xEF, (char)g->r.lanes}; /* sub rdi, lanes */
        emit_mask(g);
        emit_bodies(g, u, u + 1, true);
        text(g, less, 4);
        out[outs++] = jump(g, NOT_ABOVE, NULL);
    }
    while (outs)
        land(g, out[--outs]);
}

/* Lanes of a fold, between its slot and the registers. */
static void move_lanes(generator *g, bool to_memory)
{
    for (int v = 0; v < g->m->count; v++) {
        const ash__body_ins *const i = ins_of(g, v);
        if (i->op != ASH__M_FOLD || !g->wide)
            continue;
        const int lane = ash__lane_bytes(i->type), nbytes = g->r.lanes * lane;
        for (int u = 0; u < g->r.unroll; u++) {
            const operand at = {
                .place = ASH__AT_POINTER, .reg = slot_reg[i->place], .nbytes = (uint16_t)nbytes, .disp = u * nbytes};
            put(g, to_memory ? store[of_8(lane)] : load[of_8(lane)], nbytes, g->r.accumulators + u, 0, at, false, -1);
        }
    }
}

/* ---- the function */

static void push_or_pop(generator *g, bool pop)
{
    for (int k = FIRST_SAVED; k < g->m->slots; k++) {
        const int reg = slot_reg[pop ? g->m->slots - 1 - (k - FIRST_SAVED) : k];
        const char code[2] = {0x41, (char)((pop ? 0x58 : 0x50) | (reg & 7))};
        text(g, reg >= 8 ? code : code + 1, reg >= 8 ? 2 : 1);
    }
}

static void emit_start(generator *g)
{
    text(g, "\xF3\x0F\x1E\xFA\x55\x48\x89\xE5", 8); /* endbr64; push rbp; mov rbp, rsp: a frame that debuggers can walk */
    push_or_pop(g, false);
    if (g->r.spills) {
        text(g, "\x48\x81\xEC", 3); /* sub rsp, bytes; and rsp, -64 */
        ash__x86_word(&g->c, (uint32_t)(SPILL_BYTES * g->r.spills));
        text(g, "\x48\x83\xE4\xC0", 4);
    }
    for (int k = 0; k < g->m->slots; k++) { /* mov reg, [rdi + 8*k] */
        const int reg = slot_reg[k];
        const char code[4] = {(char)(0x48 | (reg & 8) >> 1), (char)0x8B, (char)(0x47 | (reg & 7) << 3), (char)(8 * k)};
        text(g, code, 4);
    }
    for (int v = 0; v < g->m->count; v++)
        if (ash__is_constant(ins_of(g, v)) && g->r.reg[v] != ASH__NO_REGISTER)
            spread_to(g, g->r.reg[v], v);
    text(g, "\x31\xC0", 2); /* xor eax, eax */
}

static void emit_end(generator *g)
{
    const int saved = g->m->slots > FIRST_SAVED ? g->m->slots - FIRST_SAVED : 0;
    text(g, "\x48\x89\xF0", 3); /* mov rax, rsi: all are done */
    const uint8_t *const end = g->c.at;
    text(g, "\xC5\xF8\x77", 3); /* vzeroupper */
    if (g->r.spills) {
        const char code[4] = {0x48, (char)0x8D, 0x65, (char)(-8 * saved)}; /* lea rsp, [rbp - 8*saved] */
        text(g, code, 4);
    }
    push_or_pop(g, true);
    text(g, "\x5D\xC3", 2); /* pop rbp; ret */
    for (int k = 0; k < g->exits && k < EXITS; k++) {
        land(g, g->exit[k].from);
        if (k + 1 < g->exits && g->exit[k + 1].done == g->exit[k].done)
            continue;
        add_index(g, g->exit[k].done);
        text(g, "\xE9", 1); /* jmp */
        ash__x86_word(&g->c, (uint32_t)(end - (g->c.at + 4)));
    }
}

/* One element each for AVX-512, a vector of it for AVX2. */
static void emit_literals(generator *g)
{
    int32_t at[ASH__BODY_LIMIT];
    static const char gap[LITERAL_BYTES];
    text(g, gap, (int)(-(g->c.at - g->c.start) & (LITERAL_BYTES - 1)));
    for (int k = 0; k < g->literals; k++) {
        const ash__body_ins *const i = ins_of(g, g->literal[k]);
        const int nbytes = ash__lane_bytes(i->type);
        at[k] = (int32_t)(g->c.at - g->c.start);
        for (int done = 0; done < (g->wide ? nbytes : LITERAL_BYTES); done += nbytes) {
            ash__x86_word(&g->c, (uint32_t)i->bits);
            if (nbytes == 8)
                ash__x86_word(&g->c, (uint32_t)(i->bits >> 32));
        }
    }
    for (int k = 0; k < g->c.fixes && ash__x86_fits(&g->c); k++) {
        uint8_t *const place = g->c.start + g->c.fix[k].at;
        int32_t distance;
        memcpy(&distance, place, 4);
        distance += at[g->c.fix[k].literal] - g->c.fix[k].at;
        memcpy(place, &distance, 4);
    }
}

size_t ash__x86_emit(const ash__body *m, uint8_t *code, size_t room, int limit)
{
    generator g;
    g.m = m;
    g.wide = g.c.evex = m->isa == ASH__ISA_AVX512;
    g.c.start = g.c.at = code;
    g.c.end = code + room;
    g.c.fixes = 0;
    g.tail = g.failed = false;
    g.literals = g.exits = 0;
    memset(g.literal_of, 0xFF, sizeof g.literal_of);
    if (!ash__registers_assign(&g.r, m, limit))
        return 0;
    g.folds = !g.wide && m->ins[m->count - 1].op == ASH__M_FOLD;
    emit_start(&g);
    move_lanes(&g, false);
    emit_whole(&g, g.r.unroll);
    if (!g.wide && g.r.unroll > 1)
        emit_whole(&g, 1);
    if (g.r.accumulators >= 0)
        emit_rest_of_fold(&g);
    else
        emit_rest(&g);
    move_lanes(&g, true);
    emit_end(&g);
    emit_literals(&g);
    return ash__x86_fits(&g.c) && !g.failed && g.exits <= EXITS ? (size_t)(g.c.at - code) : 0;
}
