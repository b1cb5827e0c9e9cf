/*
 * arm64.c - AArch64 code for a program: f(slots, n) with x0 = table of pointers, x1 = elements left, x2 and up = pointers to
 * the elements that come next.
 *
 * An unrolled loop, single vectors, then single elements, spread over a register, with the same instructions. Vectors have 16
 * bytes of the widest type; narrower values fill 8 of them, and what a register has above is never stored. There are no
 * operands in memory and no masks but lanes of ones. x16 and x17 are for passing use, x15 points to the lanes of a fold.
 *
 * Invariant: nothing outside elements 0 .. n - 1 of any slot is read or written.
 */
#include "backend/cpu/native/arm64.h"

#include <string.h>

#include "backend/cpu/native/arm64_bytes.h"
#include "backend/cpu/native/lowering.h"
#include "backend/cpu/native/registers.h"

enum { N = 0, LEFT = 1, FIRST_SLOT = 2, LANES = 15, PASSING = 16, PASSING_TOO = 17, FRAME = 29, STACK = 31 };
enum { UNSAVED = 21, SCRATCH = 29, SPILL_BYTES = 16, SAVED = 8, SAVED_BYTES = 64, LITERAL_WORDS = 4, LEAVES = 64 };
_Static_assert(FIRST_SLOT + ASH__SLOT_LIMIT <= LANES, "a register for each slot");

typedef struct generator {
    ash__arm64_code c;
    ash__registers r;
    const ash__body *m;
    bool tail, failed;
    int first; /* of the bodies that run interleaved now */
    int literals, leaves;
    struct { /* branches to the end, out of the bodies from `first` on */
        int32_t at;
        int first;
    } leave[LEAVES];
    uint16_t literal[ASH__BODY_LIMIT];    /* values */
    uint16_t literal_of[ASH__BODY_LIMIT]; /* numbers of values in that list */
} generator;

/* ---- operands */

/* v8 to v15 are the caller's and come last; v29 to v31 are for operands on their way. */
static int vector(int number)
{
    return number < SAVED ? number : number < UNSAVED ? number + 8 : number < SCRATCH ? number - UNSAVED + SAVED : number;
}
static int scratch(int k)
{
    return SCRATCH + k;
}
static const ash__body_ins *ins_of(const generator *g, int v)
{
    return &g->m->ins[v];
}
static int register_of(const generator *g, int v, int u)
{
    const int copy = u & (g->r.copies - 1);
    return vector(g->r.reg[v] + (ash__is_constant(ins_of(g, v)) ? 0 : copy * g->r.temps));
}
static ash__arm64_shape shape_of(const generator *g, unsigned lane)
{
    return ash__lane_bytes(lane) == 8 ? ASH__2D : g->r.lanes == 4 ? ASH__4S : ASH__2S;
}
static int item_of(const ash__body_ins *i) /* bytes in memory */
{
    const int narrow = ash__narrow_bytes(i->from);
    return i->from == ASH_BOOL ? 1 : narrow ? narrow : ash__lane_bytes(i->type);
}
static int pointer(const ash__body_ins *i)
{
    return FIRST_SLOT + i->place;
}

static void put(generator *g, ash__arm64_op op, unsigned lane, int d, int n, int m)
{
    ash__arm64_put(&g->c, op, shape_of(g, lane), d, n, m);
}
static void put_fixed(generator *g, ash__arm64_op op, int d, int n, int m)
{
    ash__arm64_put(&g->c, op, ASH__4S, d, n, m);
}
static void move(generator *g, int d, int n)
{
    if (d != n)
        put_fixed(g, ASH__A_ORR, d, n, n);
}

/* d = mask ? yes : no; none of these is another's place but by being the same value. */
static void choose(generator *g, int d, int mask, int yes, int no)
{
    if (d == no) {
        put_fixed(g, ASH__A_BIT, d, yes, mask);
    } else if (d == yes) {
        put_fixed(g, ASH__A_BIF, d, no, mask);
    } else {
        move(g, d, mask);
        put_fixed(g, ASH__A_BSL, d, yes, no);
    }
}

/* ---- memory */

static void spread(generator *g, int nbytes, int reg, int base)
{
    static const uint8_t op[] = {[1] = ASH__A_SPREAD_1, [2] = ASH__A_SPREAD_2, [4] = ASH__A_SPREAD_4, [8] = ASH__A_SPREAD_8};
    put_fixed(g, (ash__arm64_op)op[nbytes], reg, base, 0);
}

/* What was loaded, in lanes. */
static void widen(generator *g, const ash__body_ins *i, int reg)
{
    const bool is_signed = i->from != ASH_BOOL && ash__is_signed((ash_dtype)i->from);
    const int item = item_of(i), lane = ash__lane_bytes(i->type);
    if (i->from == ASH_F16) {
        put_fixed(g, ASH__A_FCVTL_HALF, reg, reg, 0);
        return;
    }
    if (item == 1)
        put_fixed(g, is_signed ? ASH__A_SXTL_BYTES : ASH__A_UXTL_BYTES, reg, reg, 0);
    if (item <= 2)
        put_fixed(g, is_signed ? ASH__A_SXTL_HALVES : ASH__A_UXTL_HALVES, reg, reg, 0);
    if (item <= 2 && lane == 8)
        put_fixed(g, ASH__A_UXTL, reg, reg, 0);
    if (ash__is_mask(i->type))
        put(g, ASH__A_NEG, i->type, reg, reg, 0);
}

static void load_to(generator *g, int reg, const ash__body_ins *i, int u)
{
    const int nbytes = g->r.lanes * item_of(i);
    if (g->tail)
        spread(g, item_of(i), reg, pointer(i));
    else
        ash__arm64_load(&g->c, nbytes, reg, pointer(i), u * nbytes);
    widen(g, i, reg);
}

/* A constant, in all lanes. */
static void constant_to(generator *g, int reg, int v)
{
    const ash__body_ins *const i = ins_of(g, v);
    if (i->op == ASH__M_CELL) {
        ash__arm64_add(&g->c, PASSING, FIRST_SLOT, 8 * i->place);
        spread(g, item_of(i), reg, PASSING);
        widen(g, i, reg);
        return;
    }
    if (g->literal_of[v] == ASH__NO_VALUE) {
        g->literal_of[v] = (uint16_t)g->literals;
        g->literal[g->literals++] = (uint16_t)v;
    }
    ash__arm64_load_literal(&g->c, reg, g->literal_of[v]);
}

/* The k-th source of an instruction. */
static int source(generator *g, const ash__body_ins *i, int k, int u)
{
    const int v = i->arg[k], to = scratch(k);
    const ash__body_ins *const x = ins_of(g, v);
    if (g->r.reg[v] != ASH__NO_REGISTER)
        return register_of(g, v, u);
    if (ash__is_constant(x))
        constant_to(g, to, v);
    else if (g->r.fused[v])
        load_to(g, to, x, u);
    else
        ash__arm64_load(&g->c, SPILL_BYTES, to, STACK, SPILL_BYTES * g->r.spill[v]);
    return to;
}

/* What a result has in memory, in the register given back: narrow integers hold what fits. */
static int narrowed(generator *g, const ash__body_ins *i, int a, int to)
{
    const int item = item_of(i);
    if (item > 2)
        return a;
    if (i->from == ASH_F16) {
        put_fixed(g, ASH__A_FCVTN_HALF, to, a, 0);
        return to;
    }
    if (ash__lane_bytes(i->type) == 8) {
        put_fixed(g, ASH__A_XTN, to, a, 0);
        a = to;
    }
    put_fixed(g, ASH__A_XTN_WORDS, to, a, 0);
    if (item == 1)
        put_fixed(g, ASH__A_XTN_HALVES, to, to, 0);
    if (ash__is_mask(i->type))
        put_fixed(g, ASH__A_NEG_BYTES, to, to, 0);
    return to;
}

static void emit_store(generator *g, const ash__body_ins *i, int u)
{
    const int item = item_of(i), a = narrowed(g, i, source(g, i, 0, u), scratch(1));
    const int nbytes = g->tail ? item : g->r.lanes * item;
    ash__arm64_store(&g->c, nbytes, a, pointer(i), u * nbytes);
}

/* ---- arithmetic */

#define OP(ID) (1 + ASH__A_##ID) /* 0: there is none */
static const uint8_t table[ASH__M_COUNT][4] = {
    /* f32, f64, i32, i64 */
    [ASH__M_ADD] = {OP(FADD), OP(FADD), OP(ADD), OP(ADD)},
    [ASH__M_SUB] = {OP(FSUB), OP(FSUB), OP(SUB), OP(SUB)},
    [ASH__M_MUL] = {OP(FMUL), OP(FMUL), OP(MUL)},
    [ASH__M_DIV] = {OP(FDIV), OP(FDIV)},
    [ASH__M_MIN] = {OP(FMIN), OP(FMIN), OP(SMIN)},
    [ASH__M_MAX] = {OP(FMAX), OP(FMAX), OP(SMAX)},
    [ASH__M_MINU] = {0, 0, OP(UMIN)},
    [ASH__M_MAXU] = {0, 0, OP(UMAX)},
    [ASH__M_AND] = {OP(AND), OP(AND), OP(AND), OP(AND)},
    [ASH__M_OR] = {OP(ORR), OP(ORR), OP(ORR), OP(ORR)},
    [ASH__M_XOR] = {OP(EOR), OP(EOR), OP(EOR), OP(EOR)},
    [ASH__M_ANDN] = {OP(BIC), OP(BIC), OP(BIC), OP(BIC)},
    [ASH__M_KEEP] = {OP(AND), OP(AND), OP(AND), OP(AND)},
    [ASH__M_SQRT] = {OP(FSQRT), OP(FSQRT)},
    [ASH__M_IABS] = {0, 0, OP(ABS), OP(ABS)},
    [ASH__M_NOT] = {OP(NOT), OP(NOT), OP(NOT), OP(NOT)},
};

static unsigned as_number(unsigned lane) /* masks as integers as wide */
{
    return lane == ASH__LANE_M32 ? ASH__LANE_I32 : lane == ASH__LANE_M64 ? ASH__LANE_I64 : lane;
}

/* Modulo 2^64: low*low + 2^32*(low*high + high*low). a and b may be scratch 0 and 1. */
static void product_64(generator *g, int d, int a, int b)
{
    const int sum = scratch(2);
    put_fixed(g, ASH__A_REV64, sum, b, 0);
    put_fixed(g, ASH__A_MUL_WORDS, sum, sum, a);
    put_fixed(g, ASH__A_UADDLP, sum, sum, 0);
    ash__arm64_shift_by(&g->c, ASH__SHL, ASH__2D, sum, sum, 32);
    put_fixed(g, ASH__A_XTN, scratch(0), a, 0);
    put_fixed(g, ASH__A_XTN, scratch(1), b, 0);
    put_fixed(g, ASH__A_UMLAL, sum, scratch(0), scratch(1));
    move(g, d, sum);
}
static void low_product_64(generator *g, int d, int a, int b)
{
    put_fixed(g, ASH__A_XTN, scratch(0), a, 0);
    put_fixed(g, ASH__A_XTN, scratch(1), b, 0);
    put_fixed(g, ASH__A_UMULL, d, scratch(0), scratch(1));
}
static void extreme_64(generator *g, unsigned op, int d, int a, int b)
{
    const bool is_signed = op == ASH__M_MIN || op == ASH__M_MAX, most = op == ASH__M_MAX || op == ASH__M_MAXU;
    put(g, is_signed ? ASH__A_CMGT : ASH__A_CMHI, ASH__LANE_I64, scratch(2), a, b);
    choose(g, d, scratch(2), most ? a : b, most ? b : a);
}

/* One or two sources, in registers. */
static void arithmetic(generator *g, unsigned op, unsigned lane, int d, int a, int b)
{
    const int code = table[op][as_number(lane)];
    if (code && op == ASH__M_ANDN)
        put_fixed(g, ASH__A_BIC, d, b, a);
    else if (code)
        put(g, (ash__arm64_op)(code - 1), lane, d, a, b);
    else if (lane == ASH__LANE_I64 && op == ASH__M_MUL)
        product_64(g, d, a, b);
    else if (lane == ASH__LANE_I64 && op == ASH__M_MULLOW)
        low_product_64(g, d, a, b);
    else if (lane == ASH__LANE_I64 && op >= ASH__M_MIN && op <= ASH__M_MAXU)
        extreme_64(g, op, d, a, b);
    else
        g->failed = true;
}

/* By a literal. */
static void shift_by(generator *g, const ash__body_ins *i, int d, int a, uint64_t count)
{
    static const ash__arm64_shift kind[] = {ASH__SHL, ASH__USHR, ASH__SSHR};
    const uint64_t bits = 8 * (unsigned)ash__lane_bytes(i->type), most = i->op == ASH__M_SHL ? bits - 1 : bits;
    if (count == 0)
        move(g, d, a);
    else if (count > most && i->op != ASH__M_SAR)
        put_fixed(g, ASH__A_EOR, d, a, a);
    else
        ash__arm64_shift_by(&g->c, kind[i->op - ASH__M_SHL], shape_of(g, i->type), d, a, (int)(count < most ? count : most));
}

/* The instructions look at the lowest byte of a count, to the right where it is negative; larger counts are cut, or what they
 * give is put out. */
static void emit_shift(generator *g, const ash__body_ins *i, int d, int u)
{
    const int a = source(g, i, 0, u), count = scratch(2), turned = scratch(1);
    const ash__body_ins *const by = ins_of(g, i->arg[1]);
    if (by->op == ASH__M_LITERAL) {
        shift_by(g, i, d, a, by->bits);
        return;
    }
    int b = source(g, i, 1, u);
    const ash__arm64_op op = i->op == ASH__M_SAR ? ASH__A_SSHL : ASH__A_USHL;
    if (ash__lane_bytes(i->type) == 4) {
        put(g, ASH__A_MOVI_32, i->type, count, 0, 0);
        put(g, ASH__A_UMIN, i->type, count, count, b);
        if (i->op != ASH__M_SHL)
            put(g, ASH__A_NEG, i->type, count, count, 0);
        put(g, op, i->type, d, a, count);
        return;
    }
    if (i->op == ASH__M_SAR) {
        g->failed = true; /* body.c makes it of others */
        return;
    }
    ash__arm64_shift_by(&g->c, ASH__USHR, ASH__2D, count, b, 6);
    put(g, ASH__A_IS_ZERO, i->type, count, count, 0);
    if (i->op == ASH__M_SHR) {
        put(g, ASH__A_NEG, i->type, turned, b, 0);
        b = turned;
    }
    put(g, op, i->type, d, a, b);
    put_fixed(g, ASH__A_AND, d, d, count);
}

static void emit_round(generator *g, const ash__body_ins *i, int d, int u)
{
    static const ash__arm64_op op[] = {ASH__A_FRINTN, ASH__A_FRINTM, ASH__A_FRINTP, ASH__A_FRINTZ};
    put(g, op[i->imm - ASH__ROUND_NEAREST], i->type, d, source(g, i, 0, u), 0);
}

static void emit_fma(generator *g, const ash__body_ins *i, int d, int u)
{
    const int a = source(g, i, 0, u), b = source(g, i, 1, u), c = source(g, i, 2, u);
    const int sum = d == c || (d != a && d != b) ? d : scratch(2);
    move(g, sum, c);
    put(g, ASH__A_FMLA, i->type, sum, a, b);
    move(g, d, sum);
}

/* ---- comparisons */

static void emit_unordered(generator *g, const ash__body_ins *i, int d, int a, int b)
{
    if (a == b) {
        put(g, ASH__A_FCMEQ, i->from, d, a, a);
    } else { /* no order: neither at least, nor less */
        put(g, ASH__A_FCMGE, i->from, scratch(2), a, b);
        put(g, ASH__A_FCMGT, i->from, d, b, a);
        put_fixed(g, ASH__A_ORR, d, d, scratch(2));
    }
    put_fixed(g, ASH__A_NOT, d, d, 0);
}

static void emit_compare(generator *g, const ash__body_ins *i, int d, int u)
{
    static const uint8_t floats[ASH__RELATIONS] = {ASH__A_FCMEQ, ASH__A_FCMGT, ASH__A_FCMGE, 0, ASH__A_FCMEQ};
    static const uint8_t wholes[ASH__RELATIONS] = {ASH__A_CMEQ, ASH__A_CMGT, ASH__A_CMGE, 0,
                                                   ASH__A_CMEQ, ASH__A_CMHI, ASH__A_CMHS};
    const int a = source(g, i, 0, u), b = source(g, i, 1, u);
    const bool equal = i->imm == ASH__IS_EQUAL || i->imm == ASH__IS_NOT_EQUAL; /* less is greater the other way round */
    if (i->imm == ASH__IS_UNORDERED) {
        emit_unordered(g, i, d, a, b);
        return;
    }
    put(g, (ash__arm64_op)(i->from <= ASH__LANE_F64 ? floats : wholes)[i->imm], i->from, d, equal ? a : b, equal ? b : a);
    if (i->imm == ASH__IS_NOT_EQUAL)
        put_fixed(g, ASH__A_NOT, d, d, 0);
}

/* ---- conversions */

/* With one rounding: one after the other. */
static void f32_of_64(generator *g, bool is_signed, int d, int a)
{
    const ash__arm64_op op = is_signed ? ASH__A_SCVTF_X : ASH__A_UCVTF_X;
    put_fixed(g, ASH__A_FMOV_X_D, PASSING, a, 0);
    put_fixed(g, ASH__A_UMOV_UPPER, PASSING_TOO, a, 0);
    put_fixed(g, op, scratch(1), PASSING, 0);
    put_fixed(g, op, scratch(2), PASSING_TOO, 0);
    put_fixed(g, ASH__A_ZIP1, d, scratch(1), scratch(2));
}

static void to_float(generator *g, const ash__body_ins *i, bool is_signed, int d, int a)
{
    const ash__arm64_op op = is_signed ? ASH__A_SCVTF : ASH__A_UCVTF;
    if (i->from == ASH__LANE_F32 || i->from == ASH__LANE_F64) {
        put_fixed(g, i->from == ASH__LANE_F32 ? ASH__A_FCVTL : ASH__A_FCVTN, d, a, 0);
    } else if (i->from == ASH__LANE_I64 && i->type == ASH__LANE_F32) {
        f32_of_64(g, is_signed, d, a);
    } else if (i->from == ASH__LANE_I32 && i->type == ASH__LANE_F64) {
        put_fixed(g, is_signed ? ASH__A_SXTL : ASH__A_UXTL, d, a, 0);
        put(g, op, i->type, d, d, 0);
    } else {
        put(g, op, i->type, d, a, 0);
    }
}

/* What is out of range becomes the nearest integer that there is, and NaN 0. */
static void to_integer(generator *g, const ash__body_ins *i, bool is_signed, int d, int a)
{
    const ash__arm64_op op = is_signed ? ASH__A_FCVTZS : ASH__A_FCVTZU;
    const bool wide = ash__lane_bytes(i->type) == 8;
    if (!ash__is_float_lane((ash__lane)i->from)) { /* masks too, whose lanes are the same */
        is_signed |= ash__is_mask(i->type);
        put_fixed(g, !wide ? ASH__A_XTN : is_signed ? ASH__A_SXTL : ASH__A_UXTL, d, a, 0);
    } else if (i->from == ASH__LANE_F32 && wide) {
        put_fixed(g, ASH__A_FCVTL, d, a, 0);
        put(g, op, i->type, d, d, 0);
    } else {
        put(g, op, i->from, d, a, 0);
        if (i->from == ASH__LANE_F64 && !wide)
            put_fixed(g, is_signed ? ASH__A_SQXTN : ASH__A_UQXTN, d, d, 0);
    }
}

static void emit_convert(generator *g, const ash__body_ins *i, int d, int u)
{
    const int a = source(g, i, 0, u);
    if (ash__is_float_lane((ash__lane)i->type))
        to_float(g, i, i->op == ASH__M_CONVERT, d, a);
    else
        to_integer(g, i, i->op == ASH__M_CONVERT, d, a);
}

/* ---- folds: their lanes are in memory, each vector's behind those of the one before, all around */

static void emit_fold(generator *g, const ash__body_ins *i, int u)
{
    const int nbytes = (g->tail ? 1 : g->r.lanes) * ash__lane_bytes(i->type), lanes = scratch(1);
    const int a = source(g, i, 0, u);
    ash__arm64_load(&g->c, nbytes, lanes, LANES, u * nbytes);
    arithmetic(g, i->imm, i->type, lanes, a, lanes);
    ash__arm64_store(&g->c, nbytes, lanes, LANES, u * nbytes);
}

static void advance_lanes(generator *g, const ash__body_ins *i, int step)
{
    ash__arm64_add(&g->c, LANES, LANES, step * ash__lane_bytes(i->type));
    put_fixed(g, ASH__A_SUB_X, PASSING, LANES, pointer(i));
    ash__arm64_low_bits(&g->c, PASSING, PASSING, __builtin_ctz((unsigned)(ASH__LANES * ash__lane_bytes(i->type))));
    put_fixed(g, ASH__A_ADD_X, LANES, PASSING, pointer(i));
}

/* ---- leaving: nothing of the bodies that run interleaved has been stored */

static void emit_leave(generator *g, const ash__body_ins *i, int u)
{
    const int mask = source(g, i, 0, u);
    if (shape_of(g, i->type) == ASH__2S) { /* nobody knows what is above */
        put_fixed(g, ASH__A_FMOV_X_D, PASSING, mask, 0);
    } else {
        put_fixed(g, ASH__A_UMAXV, scratch(1), mask, 0);
        put_fixed(g, ASH__A_FMOV_W_S, PASSING, scratch(1), 0);
    }
    const int32_t at = ash__arm64_branch_if_zero(&g->c, false, PASSING, ASH__ARM64_LATER);
    if (g->leaves == LEAVES) {
        g->failed = true;
        return;
    }
    g->leave[g->leaves].at = at;
    g->leave[g->leaves++].first = g->first;
}

/* ---- one instruction */

static void emit_plain(generator *g, const ash__body_ins *i, int d, int u)
{
    const int a = source(g, i, 0, u), b = ash__sources_of(i->op) == 2 ? source(g, i, 1, u) : 0;
    arithmetic(g, i->op, i->type, d, a, b);
}

static void emit_to(generator *g, int v, int d, int u)
{
    const ash__body_ins *const i = ins_of(g, v);
    switch (i->op) {
    case ASH__M_LOAD:
        load_to(g, d, i, u);
        break;
    case ASH__M_CELL: /* of truth values */
        constant_to(g, d, v);
        break;
    case ASH__M_SHL:
    case ASH__M_SHR:
    case ASH__M_SAR:
        emit_shift(g, i, d, u);
        break;
    case ASH__M_ROUND:
        emit_round(g, i, d, u);
        break;
    case ASH__M_FMA:
        emit_fma(g, i, d, u);
        break;
    case ASH__M_COMPARE:
        emit_compare(g, i, d, u);
        break;
    case ASH__M_SELECT: {
        const int mask = source(g, i, 0, u), yes = source(g, i, 1, u);
        choose(g, d, mask, yes, source(g, i, 2, u));
        break;
    }
    case ASH__M_CONVERT:
    case ASH__M_CONVERTU:
        emit_convert(g, i, d, u);
        break;
    default:
        emit_plain(g, i, d, u);
    }
}

static void emit(generator *g, int v, int u)
{
    const ash__body_ins *const i = ins_of(g, v);
    const bool spilled = g->r.spill[v] != ASH__NO_REGISTER;
    if (ash__is_result(i->op)) {
        if (i->op == ASH__M_STORE)
            emit_store(g, i, u);
        else if (i->op == ASH__M_FOLD)
            emit_fold(g, i, u);
        else
            emit_leave(g, i, u);
        return;
    }
    if (g->r.reg[v] == ASH__NO_REGISTER && !spilled) /* read where it lies */
        return;
    const int d = spilled ? vector(g->r.result) : register_of(g, v, u);
    emit_to(g, v, d, u);
    if (spilled)
        ash__arm64_store(&g->c, SPILL_BYTES, d, STACK, SPILL_BYTES * g->r.spill[v]);
}

/* ---- loops */

static void emit_bodies(generator *g, int count)
{
    for (g->first = 0; g->first < count; g->first += g->r.copies)
        for (int at = 0; at < g->r.count; at++)
            for (int u = g->first; u < count && u < g->first + g->r.copies; u++)
                emit(g, g->r.order[at], u);
}

static void advance(generator *g, int step)
{
    for (int v = 0; v < g->m->count; v++) {
        const ash__body_ins *const i = ins_of(g, v);
        if (i->op == ASH__M_LOAD || i->op == ASH__M_STORE)
            ash__arm64_add(&g->c, pointer(i), pointer(i), step * item_of(i));
        else if (i->op == ASH__M_FOLD)
            advance_lanes(g, i, step);
    }
    ash__arm64_subtract(&g->c, LEFT, LEFT, step);
}

/* While there are that many vectors. */
static void emit_whole(generator *g, int count)
{
    const int step = count * g->r.lanes;
    g->tail = false;
    ash__arm64_compare(&g->c, LEFT, step);
    const int32_t skip = ash__arm64_branch_if(&g->c, ASH__BELOW, ASH__ARM64_LATER), top = g->c.at;
    emit_bodies(g, count);
    advance(g, step);
    ash__arm64_compare(&g->c, LEFT, step);
    ash__arm64_branch_if(&g->c, ASH__NOT_BELOW, top);
    ash__arm64_land(&g->c, skip);
}

static void emit_rest(generator *g)
{
    g->tail = true;
    const int32_t skip = ash__arm64_branch_if_zero(&g->c, true, LEFT, ASH__ARM64_LATER), top = g->c.at;
    emit_bodies(g, 1);
    advance(g, 1);
    ash__arm64_branch_if_zero(&g->c, false, LEFT, top);
    ash__arm64_land(&g->c, skip);
}

/* ---- the function */

static bool saves_vectors(const generator *g)
{
    int most = g->r.copies * g->r.temps;
    for (int v = 0; v < g->m->count; v++)
        if (ash__is_constant(ins_of(g, v)) && g->r.reg[v] >= most)
            most = g->r.reg[v] + 1;
    return most > UNSAVED || g->r.result >= UNSAVED;
}

/* v8 to v15, in pairs, above the frame's 16 bytes; the word is that of the first pair, at the stack pointer itself. */
static void move_saved(generator *g, uint32_t word)
{
    for (uint32_t k = 0; k < 8; k += 2)
        ash__arm64_word(&g->c, word | (2 + k) << 15 | (SAVED + k + 1) << 10 | STACK << 5 | (SAVED + k));
}

static void emit_start(generator *g, bool saves)
{
    const int frame = 16 + (saves ? SAVED_BYTES : 0);
    ash__arm64_word(&g->c, 0xD503245F);                                         /* bti c */
    ash__arm64_word(&g->c, 0xA9807BFD | ((uint32_t)(-frame / 8) & 0x7F) << 15); /* stp x29, x30, [sp, -frame]! */
    ash__arm64_add(&g->c, FRAME, STACK, 0);                                     /* a frame that debuggers can walk */
    if (saves)
        move_saved(g, 0x6D000000); /* stp d8, d9, [sp, 16] ... */
    if (g->r.spills)
        ash__arm64_subtract(&g->c, STACK, STACK, SPILL_BYTES * g->r.spills);
    for (int k = 0; k < g->m->slots; k++)
        ash__arm64_load_x(&g->c, FIRST_SLOT + k, N, 8 * k);
    ash__arm64_add(&g->c, N, LEFT, 0);
    for (int v = 0; v < g->m->count; v++) {
        const ash__body_ins *const i = ins_of(g, v);
        if (ash__is_constant(i) && g->r.reg[v] != ASH__NO_REGISTER)
            constant_to(g, vector(g->r.reg[v]), v);
        if (i->op == ASH__M_FOLD)
            ash__arm64_add(&g->c, LANES, pointer(i), 0);
    }
}

/* Gives back the number of elements done: those taken off x1, and those of bodies before the ones that were left. */
static void emit_end(generator *g, bool saves)
{
    const int32_t end = g->c.at;
    for (int k = 0; k < g->leaves; k++)
        if (g->leave[k].first == 0)
            ash__arm64_land(&g->c, g->leave[k].at);
    put_fixed(g, ASH__A_SUB_X, N, N, LEFT);
    if (g->r.spills)
        ash__arm64_add(&g->c, STACK, FRAME, 0);
    if (saves)
        move_saved(g, 0x6D400000);                                                             /* ldp */
    ash__arm64_word(&g->c, 0xA8C07BFD | (uint32_t)(16 + (saves ? SAVED_BYTES : 0)) / 8 << 15); /* ldp x29, x30, [sp], frame */
    ash__arm64_word(&g->c, 0xD65F03C0);                                                        /* ret */
    for (int k = 0; k < g->leaves; k++) {
        if (g->leave[k].first == 0)
            continue;
        ash__arm64_land(&g->c, g->leave[k].at);
        ash__arm64_add(&g->c, N, N, g->leave[k].first * g->r.lanes);
        ash__arm64_branch_if(&g->c, ASH__ALWAYS, end);
    }
}

static void emit_literals(generator *g)
{
    while (g->c.at % LITERAL_WORDS)
        ash__arm64_word(&g->c, 0);
    const int32_t pool = g->c.at;
    for (int k = 0; k < g->literals; k++) {
        const ash__body_ins *const i = ins_of(g, g->literal[k]);
        for (int j = 0; j < LITERAL_WORDS; j++)
            ash__arm64_word(&g->c, (uint32_t)(ash__lane_bytes(i->type) == 8 && j % 2 ? i->bits >> 32 : i->bits));
    }
    ash__arm64_fix(&g->c, pool);
}

size_t ash__arm64_emit(const ash__body *m, uint8_t *code, size_t room, int limit)
{
    generator g;
    g.m = m;
    g.c.start = code;
    g.c.at = g.c.fixes = 0;
    g.c.room = (int32_t)(room / 4);
    g.tail = g.failed = false;
    g.literals = g.leaves = 0;
    memset(g.literal_of, 0xFF, sizeof g.literal_of);
    if (!ash__registers_assign(&g.r, m, limit))
        return 0;
    const bool saves = saves_vectors(&g);
    emit_start(&g, saves);
    emit_whole(&g, g.r.unroll);
    if (g.r.unroll > 1)
        emit_whole(&g, 1);
    emit_rest(&g);
    emit_end(&g, saves);
    emit_literals(&g);
    return ash__arm64_fits(&g.c) && !g.failed ? 4 * (size_t)g.c.at : 0;
}
