/*
 * body.c - a typed program written with what vector instructions do.
 *
 * Every sequence gives the bits of the interpreter's kernels (kernels/elementwise_*.c, convert.c): they are those kernels,
 * in one or two of the ways that compilers know. What AVX2 lacks (products, extrema and unsigned comparisons of 64-bit
 * integers ...) is made of what it has, or not at all.
 */
#include <float.h>
#include <math.h>

#include "backend/cpu/native/lowering.h"
#include "backend/cpu/native/native.h"
#include "expr/lower.h"

enum { NO = ASH__NO_VALUE, MOST_VALUES = ASH__BODY_LIMIT };

/* ---- instructions */

static int put(ash__lowering *l, ash__body_ins i)
{
    ash__body *const m = l->m;
    if (m->count == ASH__BODY_LIMIT)
        l->failed = true;
    if (l->failed)
        return 0;
    m->ins[m->count] = i;
    return m->count++;
}

int ash__lower_1(ash__lowering *l, ash__body_op op, ash__lane type, int a)
{
    return put(l, (ash__body_ins){.op = (uint8_t)op, .type = (uint8_t)type, .from = (uint8_t)type, .arg = {(uint16_t)a}});
}

int ash__lower_2(ash__lowering *l, ash__body_op op, ash__lane type, int a, int b)
{
    return put(
        l, (ash__body_ins){.op = (uint8_t)op, .type = (uint8_t)type, .from = (uint8_t)type, .arg = {(uint16_t)a, (uint16_t)b}});
}

int ash__lower_3(ash__lowering *l, ash__body_op op, ash__lane type, int a, int b, int c)
{
    return put(l, (ash__body_ins){.op = (uint8_t)op,
                                  .type = (uint8_t)type,
                                  .from = (uint8_t)type,
                                  .arg = {(uint16_t)a, (uint16_t)b, (uint16_t)c}});
}

int ash__lower_literal(ash__lowering *l, ash__lane type, uint64_t bits)
{
    if (ash__lane_bytes(type) == 4)
        bits &= 0xffffffffu;
    for (int k = 0; k < l->m->count; k++)
        if (l->m->ins[k].op == ASH__M_LITERAL && l->m->ins[k].type == type && l->m->ins[k].bits == bits)
            return k;
    return put(l, (ash__body_ins){.op = ASH__M_LITERAL, .type = (uint8_t)type, .bits = bits});
}

int ash__lower_number(ash__lowering *l, ash__lane type, double x) /* exact in the type */
{
    ash__scalar bits = {.f64 = x};
    if (type == ASH__LANE_F32)
        bits = (ash__scalar){.f32 = (float)x};
    else if (type != ASH__LANE_F64)
        bits.i64 = (int64_t)x;
    return ash__lower_literal(l, type, bits.bits);
}

/* ---- masks */

static ash__lane mask_for(const ash__lowering *l, ash__lane type)
{
    return l->wide || ash__lane_bytes(type) == 4 ? ASH__LANE_M32 : ASH__LANE_M64;
}

/* The mask for lanes of this width. */
static int fitted(ash__lowering *l, int mask, ash__lane type)
{
    const ash__lane wanted = mask_for(l, type);
    const ash__body_ins i = {
        .op = ASH__M_CONVERT, .type = (uint8_t)wanted, .from = l->m->ins[mask].type, .arg = {(uint16_t)mask}};
    if (i.from == i.type || l->failed)
        return mask;
    for (int k = 0; k < l->m->count; k++)
        if (l->m->ins[k].op == i.op && l->m->ins[k].type == i.type && l->m->ins[k].from == i.from &&
            l->m->ins[k].arg[0] == mask)
            return k;
    return put(l, i);
}

int ash__lower_select(ash__lowering *l, ash__lane type, int mask, int a, int b)
{
    const ash__body_ins *const no = &l->m->ins[b];
    if (no->op == ASH__M_LITERAL && no->bits == 0)
        return ash__lower_keep(l, type, mask, a);
    return ash__lower_3(l, ASH__M_SELECT, type, fitted(l, mask, type), a, b);
}
int ash__lower_keep(ash__lowering *l, ash__lane type, int mask, int a)
{
    return ash__lower_2(l, ASH__M_KEEP, type, fitted(l, mask, type), a);
}
static int not_of(ash__lowering *l, int mask)
{
    return ash__lower_1(l, ASH__M_NOT, (ash__lane)l->m->ins[mask].type, mask);
}

int ash__lower_relation(ash__lowering *l, ash__relation relation, ash__lane type, int a, int b)
{
    return put(l, (ash__body_ins){.op = ASH__M_COMPARE,
                                  .type = (uint8_t)mask_for(l, type),
                                  .from = (uint8_t)type,
                                  .imm = (uint8_t)relation,
                                  .arg = {(uint16_t)a, (uint16_t)b}});
}

/* AVX2 compares integers for equal and for signed less alone. */
static int compare(ash__lowering *l, ash__relation relation, ash__lane type, int a, int b)
{
    if (l->wide || l->neon || ash__is_float_lane(type) || relation == ASH__IS_EQUAL || relation == ASH__IS_LESS)
        return ash__lower_relation(l, relation, type, a, b);
    if (relation == ASH__IS_NOT_EQUAL)
        return not_of(l, ash__lower_relation(l, ASH__IS_EQUAL, type, a, b));
    if (relation == ASH__IS_LESS_EQUAL)
        return not_of(l, ash__lower_relation(l, ASH__IS_LESS, type, b, a));
    const int sign = ash__lower_literal(l, type, ash__sign_bit(type));
    a = ash__lower_2(l, ASH__M_XOR, type, a, sign);
    b = ash__lower_2(l, ASH__M_XOR, type, b, sign);
    return compare(l, relation == ASH__IS_BELOW ? ASH__IS_LESS : ASH__IS_LESS_EQUAL, type, a, b);
}

/* ---- arithmetic */

/* a - b, which may be there already. */
static int difference(ash__lowering *l, ash__lane type, int a, int b)
{
    for (int k = l->m->count - 1; k >= 0; k--) {
        const ash__body_ins *const i = &l->m->ins[k];
        if (i->op == ASH__M_SUB && i->type == type && i->arg[0] == a && i->arg[1] == b)
            return k;
    }
    return ash__lower_2(l, ASH__M_SUB, type, a, b);
}

static int product(ash__lowering *l, ash__lane type, int a, int b)
{
    if (type != ASH__LANE_I64 || l->wide || l->neon)
        return ash__lower_2(l, ASH__M_MUL, type, a, b);
    /* modulo 2^64: low*low + 2^32*(low*high + high*low) */
    const int half = ash__lower_literal(l, type, 32);
    const int left = ash__lower_2(l, ASH__M_MULLOW, type, a, ash__lower_2(l, ASH__M_SHR, type, b, half));
    const int right = ash__lower_2(l, ASH__M_MULLOW, type, ash__lower_2(l, ASH__M_SHR, type, a, half), b);
    const int upper = ash__lower_2(l, ASH__M_SHL, type, ash__lower_2(l, ASH__M_ADD, type, left, right), half);
    return ash__lower_2(l, ASH__M_ADD, type, ash__lower_2(l, ASH__M_MULLOW, type, a, b), upper);
}

static int negative(ash__lowering *l, ash__lane type, int a)
{
    if (ash__is_float_lane(type))
        return ash__lower_2(l, ASH__M_XOR, type, a, ash__lower_literal(l, type, ash__sign_bit(type)));
    return ash__lower_2(l, ASH__M_SUB, type, ash__lower_literal(l, type, 0), a);
}

int ash__lower_magnitude(ash__lowering *l, ash__lane type, int a)
{
    if (ash__is_float_lane(type))
        return ash__lower_2(l, ASH__M_AND, type, a, ash__lower_literal(l, type, ash__sign_bit(type) - 1));
    if (type == ASH__LANE_I32 || l->wide || l->neon)
        return ash__lower_1(l, ASH__M_IABS, type, a);
    return ash__lower_select(l, type, ash__lower_relation(l, ASH__IS_LESS, type, a, ash__lower_literal(l, type, 0)),
                             negative(l, type, a), a);
}

/* NaN if either is, and -0.0 below 0.0. Both of x86's answers are the same but for zeros and NaNs: or-ed, the zeros give -0.0
 * and a NaN stays one, because its exponent is all ones; and-ed, the zeros give 0.0, and NaNs are seen to apart. */
static int smaller(ash__lowering *l, ash__lane type, int a, int b)
{
    const int first = ash__lower_2(l, ASH__M_MIN, type, a, b);
    return l->neon ? first : ash__lower_2(l, ASH__M_OR, type, first, ash__lower_2(l, ASH__M_MIN, type, b, a));
}
static int larger_number(ash__lowering *l, ash__lane type, int a, int b)
{
    const int first = ash__lower_2(l, ASH__M_MAX, type, a, b);
    return l->neon ? first : ash__lower_2(l, ASH__M_AND, type, first, ash__lower_2(l, ASH__M_MAX, type, b, a));
}
static int larger(ash__lowering *l, ash__lane type, int a, int b)
{
    const int number_of = larger_number(l, type, a, b);
    if (l->neon)
        return number_of;
    return ash__lower_select(l, type, ash__lower_relation(l, ASH__IS_UNORDERED, type, a, b),
                             ash__lower_2(l, ASH__M_ADD, type, a, b), number_of);
}

/* C's: a NaN gives way to a number. */
static int number_of_two(ash__lowering *l, ash__lane type, int a, int b, int both)
{
    const int left = ash__lower_select(l, type, ash__lower_relation(l, ASH__IS_UNORDERED, type, a, a), b, both);
    return ash__lower_select(l, type, ash__lower_relation(l, ASH__IS_UNORDERED, type, b, b), a, left);
}

static int extreme(ash__lowering *l, ash__lane type, bool is_signed, bool most, int a, int b)
{
    if (ash__is_float_lane(type))
        return most ? larger(l, type, a, b) : smaller(l, type, a, b);
    if (type == ASH__LANE_I32 || l->wide)
        return ash__lower_2(l, most ? is_signed ? ASH__M_MAX : ASH__M_MAXU : is_signed ? ASH__M_MIN : ASH__M_MINU, type, a, b);
    const int less = compare(l, is_signed ? ASH__IS_LESS : ASH__IS_BELOW, type, most ? b : a, most ? a : b);
    return ash__lower_select(l, type, less, a, b);
}

static int signum(ash__lowering *l, ash__lane type, bool is_signed, int a)
{
    const int zero = ash__lower_literal(l, type, 0), one = ash__lower_number(l, type, 1);
    if (ash__is_float_lane(type)) {
        const int rest =
            ash__lower_select(l, type, ash__lower_relation(l, ASH__IS_LESS, type, a, zero), ash__lower_number(l, type, -1), a);
        return ash__lower_select(l, type, ash__lower_relation(l, ASH__IS_LESS, type, zero, a), one, rest);
    }
    if (!is_signed)
        return ash__lower_keep(l, type, compare(l, ASH__IS_NOT_EQUAL, type, a, zero), one);
    return ash__lower_2(l, ASH__M_SUB, type, ash__lower_keep(l, type, ash__lower_relation(l, ASH__IS_LESS, type, zero, a), one),
                        ash__lower_keep(l, type, ash__lower_relation(l, ASH__IS_LESS, type, a, zero), one));
}

static int shifted_right(ash__lowering *l, ash__lane type, bool is_signed, int a, int b)
{
    if (!is_signed)
        return ash__lower_2(l, ASH__M_SHR, type, a, b);
    if (type == ASH__LANE_I32 || l->wide)
        return ash__lower_2(l, ASH__M_SAR, type, a, b);
    const int sign = ash__lower_keep(l, type, ash__lower_relation(l, ASH__IS_LESS, type, a, ash__lower_literal(l, type, 0)),
                                     ash__lower_literal(l, type, UINT64_MAX));
    return ash__lower_2(l, ASH__M_XOR, type, ash__lower_2(l, ASH__M_SHR, type, ash__lower_2(l, ASH__M_XOR, type, a, sign), b),
                        sign);
}

int ash__lower_rounded(ash__lowering *l, ash__lane type, int mode, int a)
{
    return put(l, (ash__body_ins){.op = ASH__M_ROUND, .type = (uint8_t)type, .imm = (uint8_t)mode, .arg = {(uint16_t)a}});
}

int ash__lower_with_sign(ash__lowering *l, ash__lane type, int a, int b)
{
    const int sign = ash__lower_2(l, ASH__M_AND, type, b, ash__lower_literal(l, type, ash__sign_bit(type)));
    return ash__lower_2(l, ASH__M_OR, type, ash__lower_magnitude(l, type, a), sign);
}

/* ---- conversions */

int ash__lower_convert(ash__lowering *l, bool is_signed, ash__lane from, ash__lane to, int a)
{
    return put(l, (ash__body_ins){.op = is_signed ? ASH__M_CONVERT : ASH__M_CONVERTU,
                                  .type = (uint8_t)to,
                                  .from = (uint8_t)from,
                                  .arg = {(uint16_t)a}});
}

int ash__lower_as(ash__lowering *l, ash__lane type, int a) /* the same bits */
{
    l->failed |=
        ash__lane_bytes(type) != ash__lane_bytes(l->m->ins[a].type); /* operations say what they take their operands for */
    return a;
}

/* u32 to f64, exactly, by way of the signed conversion. */
static int f64_of_u32(ash__lowering *l, int a)
{
    const int moved = ash__lower_2(l, ASH__M_XOR, ASH__LANE_I32, a, ash__lower_literal(l, ASH__LANE_I32, 0x80000000u));
    const int converted = ash__lower_convert(l, true, ASH__LANE_I32, ASH__LANE_F64, moved);
    return ash__lower_2(l, ASH__M_ADD, ASH__LANE_F64, converted, ash__lower_number(l, ASH__LANE_F64, 0x1p31));
}

/* The halves are placed into the mantissas of 2^84 and 2^52, so that only the last addition rounds; a sign bit is turned into
 * 2^63 more, which is taken off again. */
static int f64_of_64(ash__lowering *l, bool is_signed, int a)
{
    const ash__lane I = ASH__LANE_I64, F = ASH__LANE_F64;
    const uint64_t high_bits = 0x4530000000000000u | (is_signed ? 0x80000000u : 0);
    const int high = ash__lower_2(l, ASH__M_XOR, I, ash__lower_2(l, ASH__M_SHR, I, a, ash__lower_literal(l, I, 32)),
                                  ash__lower_literal(l, I, high_bits));
    const int low = ash__lower_2(l, ASH__M_OR, I, ash__lower_2(l, ASH__M_AND, I, a, ash__lower_literal(l, I, 0xffffffffu)),
                                 ash__lower_literal(l, I, 0x4330000000000000u));
    const int off = ash__lower_number(l, F, is_signed ? 0x1p84 + 0x1p63 + 0x1p52 : 0x1p84 + 0x1p52);
    return ash__lower_2(l, ASH__M_ADD, F, ash__lower_2(l, ASH__M_SUB, F, ash__lower_as(l, F, high), off),
                        ash__lower_as(l, F, low));
}

/* An integer of 64 bits that f64 holds and that is rounded to f32 as a is: where a needs more than 53 bits, the lower 11 become
 * one bit that says whether any of them was set. */
static int short_of(ash__lowering *l, bool is_signed, int a)
{
    const ash__lane I = ASH__LANE_I64;
    const int rest = ash__lower_literal(l, I, 0x7ff), off = ash__lower_literal(l, I, is_signed ? (uint64_t)1 << 53 : 0);
    const int carry = ash__lower_2(l, ASH__M_ADD, I, ash__lower_2(l, ASH__M_AND, I, a, rest), rest);
    const int sticky = ash__lower_2(l, ASH__M_ANDN, I, rest, ash__lower_2(l, ASH__M_OR, I, a, carry));
    const int moved = is_signed ? ash__lower_2(l, ASH__M_ADD, I, a, off) : a;
    const int high = ash__lower_2(l, ASH__M_SHR, I, moved, ash__lower_literal(l, I, is_signed ? 54 : 53));
    const int fits = ash__lower_relation(l, ASH__IS_EQUAL, I, high, ash__lower_literal(l, I, 0));
    return ash__lower_select(l, I, fits, a, sticky);
}

static int float_of_integer(ash__lowering *l, bool is_signed, ash__lane from, ash__lane to, int a)
{
    if (l->wide || l->neon || (from == ASH__LANE_I32 && is_signed))
        return ash__lower_convert(l, is_signed, from, to, a);
    if (from == ASH__LANE_I32)
        return to == ASH__LANE_F64 ? f64_of_u32(l, a)
                                   : ash__lower_convert(l, true, ASH__LANE_F64, ASH__LANE_F32, f64_of_u32(l, a));
    if (to == ASH__LANE_F64)
        return f64_of_64(l, is_signed, a);
    return ash__lower_convert(l, true, ASH__LANE_F64, to, f64_of_64(l, is_signed, short_of(l, is_signed, a)));
}

/* Out of range x86 gives the smallest integer, which is right below and has to be put right above; NaN gives 0. */
static int signed_of_float(ash__lowering *l, ash__lane from, ash__lane to, int a)
{
    const bool narrow = to == ASH__LANE_I32;
    if (l->neon)
        return ash__lower_convert(l, true, from, to, a);
    const int limit = ash__lower_number(l, from, narrow ? 0x1p31 : 0x1p63),
              most = ash__lower_literal(l, to, ash__sign_bit(to) - 1);
    const int above = ash__lower_relation(l, ASH__IS_LESS_EQUAL, from, limit, a);
    const int number_of = ash__lower_select(l, to, above, most, ash__lower_convert(l, true, from, to, a));
    return ash__lower_select(l, to, ash__lower_relation(l, ASH__IS_UNORDERED, from, a, a), ash__lower_literal(l, to, 0),
                             number_of);
}

/* Out of range above AVX-512 gives all ones, which is right; AVX2 converts x or x - 2^31. */
static int unsigned_of_float(ash__lowering *l, ash__lane from, ash__lane to, int a)
{
    if (l->neon)
        return ash__lower_convert(l, false, from, to, a);
    const int positive = ash__lower_relation(l, ASH__IS_LESS, from, ash__lower_number(l, from, 0), a);
    if (l->wide)
        return ash__lower_keep(l, to, positive, ash__lower_convert(l, false, from, to, a));
    const int half = ash__lower_number(l, from, 0x1p31), upper = ash__lower_relation(l, ASH__IS_LESS_EQUAL, from, half, a);
    const int low = ash__lower_select(l, from, upper, ash__lower_2(l, ASH__M_SUB, from, a, half), a);
    const int top = ash__lower_keep(l, to, upper, ash__lower_literal(l, to, ash__sign_bit(to)));
    const int number_of = ash__lower_2(l, ASH__M_XOR, to, ash__lower_convert(l, true, from, to, low), top);
    const int above = ash__lower_relation(l, ASH__IS_LESS_EQUAL, from, ash__lower_number(l, from, 0x1p32), a);
    return ash__lower_keep(l, to, positive, ash__lower_select(l, to, above, ash__lower_literal(l, to, UINT64_MAX), number_of));
}

/* The integer that a float of size below 2^51 is, by the low bits of a larger one. */
static int integer_in(ash__lowering *l, int a)
{
    const int magic = ash__lower_number(l, ASH__LANE_F64, 0x1.8p52);
    return ash__lower_2(l, ASH__M_SUB, ASH__LANE_I64, ash__lower_2(l, ASH__M_ADD, ASH__LANE_F64, a, magic), magic);
}

/* 64 bits without an instruction for it: the upper and the lower half apart. */
static int halves_of_float(ash__lowering *l, bool is_signed, int a)
{
    const ash__lane F = ASH__LANE_F64, I = ASH__LANE_I64;
    const int whole = ash__lower_rounded(l, F, ASH__ROUND_TRUNC, a), half = ash__lower_number(l, F, 0x1p32);
    const int high =
        ash__lower_rounded(l, F, ASH__ROUND_FLOOR, ash__lower_2(l, ASH__M_MUL, F, whole, ash__lower_number(l, F, 0x1p-32)));
    const int low = ash__lower_2(l, ASH__M_SUB, F, whole, ash__lower_2(l, ASH__M_MUL, F, high, half));
    const int upper = ash__lower_2(l, ASH__M_SHL, I, integer_in(l, high), ash__lower_literal(l, I, 32));
    const int number_of = ash__lower_2(l, ASH__M_ADD, I, upper, integer_in(l, low));
    const int limit = ash__lower_number(l, F, is_signed ? 0x1p63 : 0x1p64);
    const int most = ash__lower_literal(l, I, is_signed ? INT64_MAX : UINT64_MAX);
    const int top = ash__lower_select(l, I, ash__lower_relation(l, ASH__IS_LESS_EQUAL, F, limit, a), most, number_of);
    if (!is_signed)
        return ash__lower_keep(l, I, ash__lower_relation(l, ASH__IS_LESS, F, ash__lower_number(l, F, 0), a), top);
    const int below = ash__lower_relation(l, ASH__IS_LESS, F, a, ash__lower_number(l, F, -0x1p63));
    const int all = ash__lower_select(l, I, below, ash__lower_literal(l, I, (uint64_t)1 << 63), top);
    return ash__lower_keep(l, I, ash__lower_relation(l, ASH__IS_EQUAL, F, a, a), all);
}

static int integer_of_float(ash__lowering *l, bool is_signed, ash__lane from, ash__lane to, int a)
{
    if (!l->wide && !l->neon && to == ASH__LANE_I64)
        return halves_of_float(l, is_signed, from == ASH__LANE_F32 ? ash__lower_convert(l, true, from, ASH__LANE_F64, a) : a);
    return is_signed ? signed_of_float(l, from, to, a) : unsigned_of_float(l, from, to, a);
}

/* ---- types */

/* ASH__LANE_COUNT: not within reach. */
static ash__lane lane_of(ash_dtype type)
{
    switch (type) {
    case ASH_BOOL:
        return ASH__LANE_M32;
    case ASH_I8:
    case ASH_U8:
    case ASH_I16:
    case ASH_U16:
    case ASH_I32:
    case ASH_U32:
        return ASH__LANE_I32;
    case ASH_I64:
    case ASH_U64:
        return ASH__LANE_I64;
    case ASH_F32:
        return ASH__LANE_F32;
    case ASH_F64:
        return ASH__LANE_F64;
    default:
        return ASH__LANE_COUNT;
    }
}

/* The low bits of a lane, extended. */
static int narrowed(ash__lowering *l, ash_dtype to, int a)
{
    const ash__lane I = ASH__LANE_I32;
    const int bits = 8 * ash__narrow_bytes(to);
    if (!bits)
        return a;
    if (!ash__is_signed(to))
        return ash__lower_2(l, ASH__M_AND, I, a, ash__lower_literal(l, I, (1u << bits) - 1));
    const int count = ash__lower_literal(l, I, (uint64_t)(32 - bits));
    return ash__lower_2(l, ASH__M_SAR, I, ash__lower_2(l, ASH__M_SHL, I, a, count), count);
}

static int clamped(ash__lowering *l, ash_dtype to, int a)
{
    const ash__lane I = ASH__LANE_I32;
    const int bits = 8 * ash__narrow_bytes(to), is_signed = ash__is_signed(to);
    const int64_t most = ((int64_t)1 << (bits - is_signed)) - 1;
    const int low = ash__lower_2(l, ASH__M_MAX, I, a, ash__lower_literal(l, I, is_signed ? (uint64_t)(-most - 1) : 0));
    return ash__lower_2(l, ASH__M_MIN, I, low, ash__lower_literal(l, I, (uint64_t)most));
}

static int converted(ash__lowering *l, ash_dtype from, ash_dtype to, int a)
{
    const ash__lane x = lane_of(from), y = lane_of(to);
    if (x == ASH__LANE_COUNT || y == ASH__LANE_COUNT) {
        l->failed = true;
        return 0;
    }
    if (from == ASH_BOOL)
        return to == ASH_BOOL ? a : ash__lower_keep(l, y, a, ash__lower_number(l, y, 1));
    if (to == ASH_BOOL)
        return compare(l, ASH__IS_NOT_EQUAL, x, a, ash__lower_literal(l, x, 0));
    if (ash__is_float_lane(x) && ash__is_float_lane(y))
        return x == y ? a : ash__lower_convert(l, true, x, y, a);
    if (ash__is_float_lane(x) && ash__narrow_bytes(to))
        return clamped(l, to, signed_of_float(l, x, y, a));
    if (ash__is_float_lane(x))
        return integer_of_float(l, ash__is_signed(to), x, y, a);
    if (ash__is_float_lane(y))
        return float_of_integer(l, ash__is_signed(from) || ash__narrow_bytes(from), x, y, a);
    return narrowed(l, to, x == y ? a : ash__lower_convert(l, ash__is_signed(from), x, y, a));
}

/* ---- what can fault: elements that do make the code leave them, and the interpreter says what is wrong */

static void leave(ash__lowering *l, int mask)
{
    put(l, (ash__body_ins){.op = ASH__M_LEAVE, .type = l->m->ins[mask].type, .arg = {(uint16_t)mask}});
}

static int either(ash__lowering *l, int p, int q)
{
    const ash__lane type = (ash__lane)l->m->ins[p].type;
    return ash__lower_2(l, ASH__M_OR, type, p, fitted(l, q, type));
}

/* Integer to a smaller one, to one of the other sign, or to bool. What does not come back as it was does not fit. */
static int checked(ash__lowering *l, ash_dtype from, ash_dtype to, int a)
{
    const ash__lane x = lane_of(from), y = lane_of(to);
    const int result = converted(l, from, to, a);
    if (from == ASH_BOOL)
        return result;
    if (to == ASH_BOOL) {
        leave(l, compare(l, ASH__IS_BELOW, x, ash__lower_number(l, x, 1), a));
        return result;
    }
    const int back = x == y ? result : ash__lower_convert(l, ash__is_signed(to), y, x, result);
    const int changed = compare(l, ASH__IS_NOT_EQUAL, x, back, a);
    if (ash__is_signed(from) == ash__is_signed(to))
        leave(l, changed);
    else /* a sign bit is a value on the one side */
        leave(l, either(l, changed, ash__lower_relation(l, ASH__IS_LESS, x, back, ash__lower_literal(l, x, 0))));
    return result;
}

enum {
    SAFE_BITS = 51
}; /* of integers of 64 bits whose quotient is taken in f64, and converted without an instruction for it */

/* Do any of a and b not fit SAFE_BITS and a sign? */
static int are_long(ash__lowering *l, bool is_signed, int a, int b)
{
    const ash__lane I = ASH__LANE_I64;
    if (is_signed) {
        const int off = ash__lower_literal(l, I, (uint64_t)1 << SAFE_BITS);
        a = ash__lower_2(l, ASH__M_ADD, I, a, off);
        b = ash__lower_2(l, ASH__M_ADD, I, b, off);
    }
    const int count = ash__lower_literal(l, I, (uint64_t)SAFE_BITS + is_signed);
    const int high = ash__lower_2(l, ASH__M_SHR, I, ash__lower_2(l, ASH__M_OR, I, a, b), count);
    return compare(l, ASH__IS_NOT_EQUAL, I, high, ash__lower_literal(l, I, 0));
}

/* Toward zero, b not 0: in floating point, which is exact (kernels/elementwise_int.c). */
static int quotient(ash__lowering *l, ash_dtype type, int a, int b)
{
    const ash__lane lane = lane_of(type), F = ash__narrow_bytes(type) ? ASH__LANE_F32 : ASH__LANE_F64;
    const bool is_signed = ash__is_signed(type) || ash__narrow_bytes(type);
    if (lane == ASH__LANE_I64)
        leave(l, are_long(l, is_signed, a, b));
    const int x = float_of_integer(l, is_signed || lane == ASH__LANE_I64, lane, F, a);
    const int y = float_of_integer(l, is_signed || lane == ASH__LANE_I64, lane, F, b);
    const int q = ash__lower_2(l, ASH__M_DIV, F, x, y);
    if (lane == ASH__LANE_I64)
        return integer_in(l, ash__lower_rounded(l, F, ASH__ROUND_TRUNC, q));
    if (l->neon && is_signed && F == ASH__LANE_F64) /* -2^31 / -1, which wraps and does not saturate */
        return ash__lower_convert(l, true, ASH__LANE_I64, lane, ash__lower_convert(l, true, F, ASH__LANE_I64, q));
    return is_signed ? ash__lower_convert(l, true, F, lane, q) : unsigned_of_float(l, F, lane, q);
}

static int divided(ash__lowering *l, ash__op op, ash_dtype type, int a, int b)
{
    const ash__lane lane = lane_of(type);
    const int zero = ash__lower_literal(l, lane, 0);
    leave(l, compare(l, ASH__IS_EQUAL, lane, b, zero));
    const int q = narrowed(l, type, quotient(l, type, a, b));
    if (op == ASH__OP_IDIV || (op == ASH__OP_IFLD && !ash__is_signed(type)))
        return q;
    const int r = narrowed(l, type, ash__lower_2(l, ASH__M_SUB, lane, a, product(l, lane, q, b)));
    if (op == ASH__OP_IREM || !ash__is_signed(type))
        return r;
    const int other = ash__lower_relation(l, ASH__IS_LESS, lane, ash__lower_2(l, ASH__M_XOR, lane, r, b), zero);
    const int off =
        ash__lower_2(l, ASH__M_AND, (ash__lane)l->m->ins[other].type, other, compare(l, ASH__IS_NOT_EQUAL, lane, r, zero));
    if (op == ASH__OP_IMOD)
        return ash__lower_2(l, ASH__M_ADD, lane, r, ash__lower_keep(l, lane, off, b));
    return ash__lower_2(l, ASH__M_SUB, lane, q, ash__lower_keep(l, lane, off, ash__lower_number(l, lane, 1)));
}

/* ---- operations of programs */

static int lower_logic(ash__lowering *l, ash__op op, int a, int b, int c)
{
    const ash__lane type = (ash__lane)l->m->ins[a].type;
    const int y = fitted(l, b, type), z = fitted(l, c, type);
    switch (op) {
    case ASH__OP_MIN:
    case ASH__OP_AND:
        return ash__lower_2(l, ASH__M_AND, type, a, y);
    case ASH__OP_MAX:
    case ASH__OP_OR:
        return ash__lower_2(l, ASH__M_OR, type, a, y);
    case ASH__OP_NE:
    case ASH__OP_XOR:
        return ash__lower_2(l, ASH__M_XOR, type, a, y);
    case ASH__OP_EQ:
        return not_of(l, ash__lower_2(l, ASH__M_XOR, type, a, y));
    case ASH__OP_LT:
        return ash__lower_2(l, ASH__M_ANDN, type, a, y);
    case ASH__OP_LE:
        return not_of(l, ash__lower_2(l, ASH__M_ANDN, type, y, a));
    case ASH__OP_NOT:
        return not_of(l, a);
    case ASH__OP_SELECT:
        return ash__lower_2(l, ASH__M_OR, type, ash__lower_2(l, ASH__M_AND, type, a, y),
                            ash__lower_2(l, ASH__M_ANDN, type, a, z));
    default:
        l->failed = true;
        return 0;
    }
}

static int lower_tests(ash__lowering *l, ash__op op, ash__lane type, int a)
{
    const bool narrow = type == ASH__LANE_F32;
    const int size = ash__lower_magnitude(l, type, a);
    const int largest = ash__lower_number(l, type, narrow ? (double)FLT_MAX : DBL_MAX);
    switch (op) {
    case ASH__OP_ISINF:
        return ash__lower_relation(l, ASH__IS_LESS, type, largest, size);
    case ASH__OP_ISFINITE:
        return ash__lower_relation(l, ASH__IS_LESS_EQUAL, type, size, largest);
    case ASH__OP_ISNORMAL: {
        const int least = ash__lower_number(l, type, narrow ? (double)FLT_MIN : DBL_MIN);
        const int normal = ash__lower_relation(l, ASH__IS_LESS_EQUAL, type, least, size);
        return ash__lower_2(l, ASH__M_AND, mask_for(l, type), normal,
                            ash__lower_relation(l, ASH__IS_LESS_EQUAL, type, size, largest));
    }
    default: {
        const ash__lane bits = narrow ? ASH__LANE_I32 : ASH__LANE_I64; /* SIGNBIT */
        return ash__lower_relation(l, ASH__IS_LESS, bits, ash__lower_as(l, bits, a), ash__lower_literal(l, bits, 0));
    }
    }
}

static int lower_float(ash__lowering *l, ash__op op, ash__lane type, int a, int b, int c)
{
    switch (op) {
    case ASH__OP_DIV:
        return ash__lower_2(l, ASH__M_DIV, type, a, b);
    case ASH__OP_FMA:
        return ash__lower_3(l, ASH__M_FMA, type, a, b, c);
    case ASH__OP_SQRT:
        return ash__lower_1(l, ASH__M_SQRT, type, a);
    case ASH__OP_FLOOR:
        return ash__lower_rounded(l, type, ASH__ROUND_FLOOR, a);
    case ASH__OP_CEIL:
        return ash__lower_rounded(l, type, ASH__ROUND_CEIL, a);
    case ASH__OP_TRUNC:
        return ash__lower_rounded(l, type, ASH__ROUND_TRUNC, a);
    case ASH__OP_RINT:
        return ash__lower_rounded(l, type, ASH__ROUND_NEAREST, a);
    case ASH__OP_ROUND: { /* the largest number below 0.5: 0.5 itself would lift that number to 1 */
        const int half = ash__lower_number(l, type, type == ASH__LANE_F32 ? 0x1.fffffep-2 : 0x1.fffffffffffffp-2);
        return ash__lower_rounded(l, type, ASH__ROUND_TRUNC,
                                  ash__lower_2(l, ASH__M_ADD, type, a, ash__lower_with_sign(l, type, half, a)));
    }
    case ASH__OP_FDIM:
        return ash__lower_select(l, type, ash__lower_relation(l, ASH__IS_LESS_EQUAL, type, a, b),
                                 ash__lower_literal(l, type, 0), ash__lower_2(l, ASH__M_SUB, type, a, b));
    case ASH__OP_FMIN:
        return number_of_two(l, type, a, b, smaller(l, type, a, b));
    case ASH__OP_FMAX:
        return number_of_two(l, type, a, b, larger_number(l, type, a, b));
    case ASH__OP_COPYSIGN:
        return ash__lower_with_sign(l, type, a, b);
    case ASH__OP_ISNAN:
        return ash__lower_relation(l, ASH__IS_UNORDERED, type, a, a);
    case ASH__OP_ISINF:
    case ASH__OP_ISFINITE:
    case ASH__OP_ISNORMAL:
    case ASH__OP_SIGNBIT:
        return lower_tests(l, op, type, a);
    default:
        l->failed = true;
        return 0;
    }
}

static int lower_integer(ash__lowering *l, ash__op op, ash__lane type, bool is_signed, int a, int b)
{
    switch (op) {
    case ASH__OP_AND:
        return ash__lower_2(l, ASH__M_AND, type, a, b);
    case ASH__OP_OR:
        return ash__lower_2(l, ASH__M_OR, type, a, b);
    case ASH__OP_XOR:
        return ash__lower_2(l, ASH__M_XOR, type, a, b);
    case ASH__OP_NOT:
        return ash__lower_2(l, ASH__M_XOR, type, a, ash__lower_literal(l, type, UINT64_MAX));
    case ASH__OP_SHL:
        return ash__lower_2(l, ASH__M_SHL, type, a, b);
    case ASH__OP_SHR:
        return shifted_right(l, type, is_signed, a, b);
    default:
        l->failed = true;
        return 0;
    }
}

static int lower_arithmetic(ash__lowering *l, ash__op op, ash_dtype from, int a, int b, int c)
{
    const ash__lane type = lane_of(from);
    const bool is_signed = !ash__is_integer(from) || ash__is_signed(from);
    switch (op) {
    case ASH__OP_ADD:
        return ash__lower_2(l, ASH__M_ADD, type, a, b);
    case ASH__OP_SUB:
        return ash__lower_2(l, ASH__M_SUB, type, a, b);
    case ASH__OP_MUL:
        return product(l, type, a, b);
    case ASH__OP_NEG:
        return negative(l, type, a);
    case ASH__OP_ABS:
        return is_signed ? ash__lower_magnitude(l, type, a) : a;
    case ASH__OP_MULADD:
        return ash__lower_2(l, ASH__M_ADD, type, product(l, type, a, b), c);
    case ASH__OP_MULSUB:
        return ash__lower_2(l, ASH__M_SUB, type, product(l, type, a, b), c);
    case ASH__OP_MULMUL:
        return product(l, type, product(l, type, a, b), c);
    case ASH__OP_SUMSQ:
        return ash__lower_2(l, ASH__M_ADD, type, product(l, type, a, a), product(l, type, b, b));
    case ASH__OP_SQDIFF: {
        const int difference = ash__lower_2(l, ASH__M_SUB, type, a, b);
        return product(l, type, difference, difference);
    }
    case ASH__OP_MIN:
    case ASH__OP_MAX:
        return extreme(l, type, is_signed, op == ASH__OP_MAX, a, b);
    case ASH__OP_SIGN:
        return signum(l, type, is_signed, a);
    case ASH__OP_EQ:
        return compare(l, ASH__IS_EQUAL, type, a, b);
    case ASH__OP_NE:
        return compare(l, ASH__IS_NOT_EQUAL, type, a, b);
    case ASH__OP_LT:
        return compare(l, is_signed ? ASH__IS_LESS : ASH__IS_BELOW, type, a, b);
    case ASH__OP_LE:
        return compare(l, is_signed ? ASH__IS_LESS_EQUAL : ASH__IS_BELOW_EQUAL, type, a, b);
    case ASH__OP_SELECT:
        return ash__lower_select(l, type, a, b, c);
    default:
        return ash__is_float_lane(type) ? lower_float(l, op, type, a, b, c) : lower_integer(l, op, type, is_signed, a, b);
    }
}

/* Operations that may leave something above the low bits of a narrow integer. */
static bool may_overflow(ash__op op)
{
    return op <= ASH__OP_SQDIFF || op == ASH__OP_NOT || op == ASH__OP_SHL;
}

/* ---- the whole */

static int value(ash__lowering *l, int v)
{
    const ash__lane type = lane_of((ash_dtype)l->program->ins[v].type);
    if (l->of[v] != NO)
        return l->of[v];
    if (type == ASH__LANE_COUNT)
        l->failed = true;
    l->of[v] = (uint16_t)put(
        l, (ash__body_ins){.op = ASH__M_CELL, .type = (uint8_t)type, .from = l->program->ins[v].type, .place = (uint16_t)v});
    return l->of[v];
}

/* y * 2^k, k in the low bits of t: in two factors, so that neither overflows and a subnormal is rounded once, or by AVX-512's
 * instruction for it. */
static int scaled(ash__lowering *l, ash__lane type, int y, int t)
{
    const bool narrow = type == ASH__LANE_F32;
    const ash__lane I = narrow ? ASH__LANE_I32 : ASH__LANE_I64;
    const int magic = ash__lower_number(l, type, narrow ? 0x1.8p23 : 0x1.8p52), one = ash__lower_literal(l, I, 1);
    if (l->wide)
        return ash__lower_2(l, ASH__M_SCALE, type, y, difference(l, type, t, magic));
    const int bias = ash__lower_literal(l, I, narrow ? 127 : 1023), bits = ash__lower_literal(l, I, narrow ? 23 : 52);
    const int k = ash__lower_2(l, ASH__M_SUB, I, t, magic), off = ash__lower_literal(l, I, narrow ? 512 : 4096);
    const int lifted = ash__lower_2(l, ASH__M_SHR, I, ash__lower_2(l, ASH__M_ADD, I, k, off), one);
    const int half = ash__lower_2(l, ASH__M_SUB, I, lifted, ash__lower_literal(l, I, narrow ? 256 : 2048));
    const int rest = ash__lower_2(l, ASH__M_SUB, I, k, half);
    const int p = ash__lower_2(l, ASH__M_SHL, I, ash__lower_2(l, ASH__M_ADD, I, half, bias), bits);
    const int q = ash__lower_2(l, ASH__M_SHL, I, ash__lower_2(l, ASH__M_ADD, I, rest, bias), bits);
    return ash__lower_2(l, ASH__M_MUL, type, ash__lower_2(l, ASH__M_MUL, type, y, p), q);
}

static int lower_function(ash__lowering *l, ash__op op, ash_dtype type, int a, int b);
static int rounded16(ash__lowering *l, ash_dtype half, ash_dtype type, int a);

/* Instruction i, whose operands are of type `from` and values x of the body. */
static int lower(ash__lowering *l, const ash__ins *i, ash_dtype from, const int x[3])
{
    if (l->failed || lane_of(from) == ASH__LANE_COUNT) {
        l->failed = true;
        return 0;
    }
    switch (i->op) {
    case ASH__OP_CONVERT:
        return converted(l, from, (ash_dtype)i->type, x[0]);
    case ASH__OP_NARROW:
        return checked(l, from, (ash_dtype)i->type, x[0]);
    case ASH__OP_ROUND16:
        return rounded16(l, (ash_dtype)i->from, from, x[0]);
    case ASH__OP_IDIV:
    case ASH__OP_IREM:
    case ASH__OP_IFLD:
    case ASH__OP_IMOD:
        return divided(l, (ash__op)i->op, from, x[0], x[1]);
    case ASH__LOW_BITS: /* operations say what they take their operands for */
        return x[0];
    case ASH__LOW_SCALE:
        return scaled(l, lane_of(from), x[0], x[1]);
    case ASH__LOW_LEAVE:
        leave(l, x[0]);
        return 0;
    default:
        break;
    }
    if (from == ASH_BOOL)
        return lower_logic(l, (ash__op)i->op, x[0], x[1], x[2]);
    if (ash__is_written_out((ash__op)i->op))
        return lower_function(l, (ash__op)i->op, from, x[0], x[1]);
    const int result = lower_arithmetic(l, (ash__op)i->op, from, x[0], x[1], x[2]);
    return may_overflow((ash__op)i->op) ? narrowed(l, from, result) : result;
}

static int arity_of(unsigned op)
{
    return op < ASH__OP_COUNT ? ash__op_arity((ash__op)op) : op == ASH__LOW_SCALE ? 2 : 1;
}

/* A sequence, its arguments being values a and b of the body. */
static int written_out(ash__lowering *l, const ash__lowered *f, int arguments, int a, int b)
{
    int of[ASH__LOWERED_MOST] = {a, b};
    if (f->count > ASH__LOWERED_MOST)
        l->failed = true;
    for (int v = arguments; v < f->count && !l->failed; v++) {
        const ash__ins *const i = &f->ins[v];
        const int arity = arity_of(i->op);
        int x[3] = {0, 0, 0};
        for (int k = 0; k < 3; k++)
            x[k] = of[i->arg[k < arity ? k : 0]];
        of[v] = i->op == ASH__OP_CONSTANT ? ash__lower_literal(l, lane_of((ash_dtype)i->type), i->constant.bits)
                                          : lower(l, i, (ash_dtype)i->from, x);
    }
    return l->failed ? 0 : of[f->result];
}

static int lower_function(ash__lowering *l, ash__op op, ash_dtype type, int a, int b)
{
    ash__lowered f;
    l->failed |= !ash__lower(&f, op, type);
    return l->failed ? 0 : written_out(l, &f, ash__op_arity(op), a, b);
}

static int rounded16(ash__lowering *l, ash_dtype half, ash_dtype type, int a)
{
    ash__lowered f;
    ash__lower_round16(&f, half, type);
    return written_out(l, &f, 1, a, a);
}

static int lower_value(ash__lowering *l, int v)
{
    const ash__ins *const i = &l->program->ins[v];
    const int arity = ash__op_arity((ash__op)i->op);
    int x[3] = {0, 0, 0};
    for (int k = 0; k < arity; k++)
        x[k] = value(l, i->arg[k]);
    for (int k = arity; k < 3; k++)
        x[k] = x[0];
    return lower(l, i, (ash_dtype)l->program->ins[i->arg[i->op == ASH__OP_SELECT]].type, x);
}

/* Whether value v is uniform; loads are counted. */
static bool survey(ash__lowering *l, int v, uint64_t uniform, int *loads)
{
    const ash__ins *const i = &l->program->ins[v];
    if (i->op == ASH__OP_LOAD)
        return uniform >> (*loads)++ & 1;
    for (int k = 0; k < ash__op_arity((ash__op)i->op); k++)
        if (!l->uniform[i->arg[k]])
            return false;
    return true;
}

/* An operand: of f16 there are conversions on the way, of bf16 the bits. */
static int loaded(ash__lowering *l, ash_dtype from, int place)
{
    const ash_dtype bits = from == ASH_BF16 ? ASH_U16 : from;
    const ash__lane type = lane_of(bits == ASH_F16 ? ASH_F32 : bits);
    l->failed |= type == ASH__LANE_COUNT;
    const int v =
        put(l, (ash__body_ins){.op = ASH__M_LOAD, .type = (uint8_t)type, .from = (uint8_t)bits, .place = (uint16_t)place});
    return from == ASH_BF16 ? ash__lower_2(l, ASH__M_SHL, type, v, ash__lower_literal(l, type, 16)) : v;
}

/* Value a as it is stored, f16 and bf16 rounded; *dtype: in memory. f16 is rounded on the way, once. */
static int as_stored(ash__lowering *l, ash_dtype *dtype, const ash__ins *i, int a)
{
    if (*dtype != ASH_BF16)
        return a;
    if (i->op != ASH__OP_ROUND16 || i->from != ASH_BF16)
        a = rounded16(l, ASH_BF16, ASH_F32, a);
    *dtype = ASH_U16;
    return ash__lower_2(l, ASH__M_SHR, ASH__LANE_I32, a, ash__lower_literal(l, ASH__LANE_I32, 16));
}

/* Outputs that an instruction computes from what varies; the others lie in memory. */
static bool is_stored(const ash__lowering *l, int v)
{
    return !l->uniform[v] && l->program->ins[v].op != ASH__OP_LOAD;
}

static void add_stores(ash__lowering *l, bool stored)
{
    const ash__program *const p = l->program;
    const int outputs = p->outputs == 2 && p->output[0] == p->output[1] ? 1 : p->outputs;
    int place = 1;
    for (int k = 0; k < outputs; k++) {
        const int v = p->output[k];
        if (!is_stored(l, v))
            continue;
        ash_dtype dtype = stored ? ash__part(p->dtype) : (ash_dtype)p->ins[v].type;
        const int a = as_stored(l, &dtype, &p->ins[v], l->of[v]);
        put(l, (ash__body_ins){.op = ASH__M_STORE,
                               .type = l->m->ins[a].type,
                               .from = (uint8_t)dtype,
                               .place = (uint16_t)place++,
                               .arg = {(uint16_t)a}});
    }
    l->failed |= place == 1;
}

/* ASH__M_COUNT: none. */
static ash__body_op folding(ash__fold fold, ash_dtype type)
{
    const bool is_signed = ash__is_signed(type) || ash__is_float(type);
    switch (fold) {
    case ASH__FOLD_SUM:
        return ASH__M_ADD;
    case ASH__FOLD_PROD:
        return ASH__M_MUL;
    case ASH__FOLD_MIN:
        return is_signed ? ASH__M_MIN : ASH__M_MINU;
    case ASH__FOLD_MAX:
        return is_signed ? ASH__M_MAX : ASH__M_MAXU;
    case ASH__FOLD_AND:
        return ASH__M_AND;
    case ASH__FOLD_OR:
        return ASH__M_OR;
    case ASH__FOLD_XOR:
        return ASH__M_XOR;
    default:
        return ASH__M_COUNT;
    }
}

static bool leaves(const ash__lowering *l)
{
    for (int k = 0; k < l->m->count; k++)
        if (l->m->ins[k].op == ASH__M_LEAVE)
            return true;
    return false;
}

/* Lanes are of 4 or 8 bytes: numbers of 8 and 16 bits are extended, bool is 0 or 1. Of floats only the smallest is folded, for
 * x86's extremes make -0.0 and NaN of it by an or: the largest is the smallest of negated ones. */
static void add_fold(ash__lowering *l, ash__fold fold)
{
    const ash__program *const p = l->program;
    const int v = p->output[0];
    const ash_dtype type = (ash_dtype)p->ins[v].type;
    ash__body_op op = folding(fold, type);
    if (p->outputs != 1 || leaves(l) || !is_stored(l, v) || op == ASH__M_COUNT) {
        l->failed = true;
        return;
    }
    const ash__lane lane = type == ASH_BOOL ? ASH__LANE_I32 : lane_of(type);
    const bool is_extreme = op == ASH__M_MIN || op == ASH__M_MAX || op == ASH__M_MINU || op == ASH__M_MAXU;
    if (!l->wide && !l->neon && lane == ASH__LANE_I64 && (is_extreme || op == ASH__M_MUL)) /* more than an instruction */
        l->failed = true;
    int a = l->of[v];
    if (type == ASH_BOOL)
        a = ash__lower_keep(l, lane, a, ash__lower_number(l, lane, 1));
    if (ash__is_float(type) && op == ASH__M_MAX) {
        a = negative(l, lane, a);
        op = ASH__M_MIN;
    }
    put(l, (ash__body_ins){.op = ASH__M_FOLD,
                           .type = (uint8_t)lane,
                           .from = (uint8_t)type,
                           .imm = (uint8_t)op,
                           .place = 1,
                           .arg = {(uint16_t)a}});
}

static int count_stores(const ash__lowering *l)
{
    const ash__program *const p = l->program;
    const bool two = p->outputs == 2 && p->output[0] != p->output[1];
    return is_stored(l, p->output[0]) + (two && is_stored(l, p->output[1]));
}

bool ash__body_of(ash__body *m, const ash__program *program, uint64_t uniform, int end, ash__isa isa)
{
    ash__lowering l = {.m = m, .program = program, .wide = isa == ASH__ISA_AVX512, .neon = isa == ASH__ISA_NEON};
    int loads = 0;
    *m = (ash__body){.isa = isa};
    if (isa == ASH__ISA_NONE || program->copies >= 0 || program->count > MOST_VALUES)
        return false;
    for (int v = 0; v < program->count; v++) {
        l.of[v] = NO;
        l.uniform[v] = survey(&l, v, uniform, &loads);
        if (loads > 64)
            return false;
    }
    m->slots = 1 + count_stores(&l);
    for (int v = 0; v < program->count && !l.failed; v++) {
        const ash__ins *const i = &program->ins[v];
        if (l.uniform[v])
            continue;
        l.of[v] = (uint16_t)(i->op == ASH__OP_LOAD ? loaded(&l, (ash_dtype)i->from, m->slots++) : lower_value(&l, v));
    }
    if (!l.failed && end && end != ASH__NATIVE_STORED)
        add_fold(&l, (ash__fold)end);
    else if (!l.failed)
        add_stores(&l, end == ASH__NATIVE_STORED);
    return !l.failed && m->slots <= ASH__SLOT_LIMIT;
}
