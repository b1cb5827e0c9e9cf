/*
 * bits.c - forms that move, shift, select and permute bits (PTX ISA, chapters "Logic and Shift" and "Integer Arithmetic").
 */
#include "lanes.h"

static u32 field_length(u32 position, u32 length, u32 width) /* of what lies inside */
{
    return position >= width ? 0 : length < width - position ? length : width - position;
}

static u64 low_bits(u32 length)
{
    return length >= 64 ? ~(u64)0 : ((u64)1 << length) - 1;
}

static u64 bfe_unsigned(u64 x, u32 position, u32 length, u32 width)
{
    position &= 255, length &= 255;
    return position >= width ? 0 : x >> position & low_bits(field_length(position, length, width));
}

/* What is above the field is its sign, or the sign of x where the field reaches past the end. */
static u64 bfe_signed(s64 x, u32 position, u32 length, u32 width)
{
    position &= 255, length &= 255;
    if (length == 0)
        return 0;
    const u32 last = position + length - 1 < width - 1 ? position + length - 1 : width - 1;
    const u64 sign = (u64)0 - ((u64)x >> last & 1);
    const u64 mask = position >= width ? 0 : low_bits(field_length(position, length, width));
    return (sign & ~mask) | ((position >= width ? 0 : (u64)x >> position) & mask);
}

static u64 bfi(u64 from, u64 into, u32 position, u32 length, u32 width)
{
    position &= 255, length &= 255;
    if (position >= width)
        return into;
    const u64 mask = low_bits(field_length(position, length, width)) << position;
    return (into & ~mask) | (from << position & mask);
}

static u32 bfind(u64 x, u32 width, int shift) /* x: nothing but what is looked for */
{
    if (x == 0)
        return ~0u;
    const u32 place = 63u - (u32)__builtin_clzll(x);
    return shift ? width - 1 - place : place;
}

static u64 reversed(u64 x, int width)
{
    u64 result = 0;
    for (int k = 0; k < width; k++)
        result |= (x >> k & 1) << (width - 1 - k);
    return result;
}

static u32 byte_of(u32 x, u32 y, u32 selector)
{
    const u32 byte = (u32)((((u64)y << 32) | x) >> 8 * (selector & 7)) & 255;
    return selector & 8 ? (byte & 128 ? 255 : 0) : byte;
}

static u32 prmt(u32 x, u32 y, u32 selectors)
{
    u32 result = 0;
    for (int k = 0; k < 4; k++)
        result |= byte_of(x, y, selectors >> 4 * k & 15) << 8 * k;
    return result;
}

/* The other modes of prmt as selectors: the table of the manual, by the low two bits of the operand. */
static u32 selectors(char mode, u32 x)
{
    static const u16 forward[4] = {0x3210, 0x4321, 0x5432, 0x6543}, backward[4] = {0x5670, 0x6701, 0x7012, 0x0123};
    static const u16 replicate[4] = {0x0000, 0x1111, 0x2222, 0x3333}, left[4] = {0x3210, 0x3211, 0x3222, 0x3333};
    static const u16 right[4] = {0x0000, 0x1110, 0x2210, 0x3210}, halves[4] = {0x1010, 0x3232, 0x1010, 0x3232};
    const u16 *const table = mode == 'f'   ? forward
                             : mode == 'b' ? backward
                             : mode == '8' ? replicate
                             : mode == 'l' ? left
                             : mode == 'r' ? right
                                           : halves;
    return table[x & 3];
}

static u32 lop3(u32 x, u32 y, u32 z, u32 table)
{
    u32 result = 0;
    for (u32 k = 0; k < 8; k++)
        if (table >> k & 1)
            result |= (k & 4 ? x : ~x) & (k & 2 ? y : ~y) & (k & 1 ? z : ~z);
    return result;
}

static u32 funnel(u32 low, u32 high, u32 shift, int left)
{
    const u64 both = (u64)high << 32 | low;
    return left ? (u32)(both << shift >> 32) : (u32)(both >> shift);
}

#define AT_MOST(X, LIMIT) ((X) < (LIMIT) ? (X) : (LIMIT))

/* clang-format off */
#define ONE_WIDTH(X, B)                                                                                                \
    X##1(mov_##B, "mov.b" #B " mov.u" #B " mov.s" #B " mov.f" #B, u##B, u##B, x)                                       \
    X##2(and_##B, "and.b" #B, u##B, u##B, u##B, x & y)                                                                 \
    X##2(or_##B, "or.b" #B, u##B, u##B, u##B, x | y)                                                                   \
    X##2(xor_##B, "xor.b" #B, u##B, u##B, u##B, x ^ y)                                                                 \
    X##1(not_##B, "not.b" #B, u##B, u##B, ~x)                                                                          \
    X##1(cnot_##B, "cnot.b" #B, u##B, u##B, x == 0)                                                                    \
    X##2(shl_##B, "shl.b" #B, u##B, u##B, u32, y >= B ? 0 : (u64)x << y)                                               \
    X##2(shr_u##B, "shr.u" #B " shr.b" #B, u##B, u##B, u32, y >= B ? 0 : x >> y)                                       \
    X##2(shr_s##B, "shr.s" #B, s##B, s##B, u32, x >> AT_MOST(y, B - 1))                                                \
    X##3(selp_##B, "selp.b" #B " selp.u" #B " selp.s" #B " selp.f" #B, u##B, u##B, u##B, pred, z ? x : y)              \
    X##3(slct_##B##_s32, "slct.b" #B ".s32 slct.u" #B ".s32 slct.s" #B ".s32 slct.f" #B ".s32", u##B, u##B, u##B, s32, \
        z >= 0 ? x : y)                                                                                                \
    X##3(slct_##B##_f32, "slct.b" #B ".f32 slct.u" #B ".f32 slct.s" #B ".f32 slct.f" #B ".f32", u##B, u##B, u##B, f32, \
        z >= 0 ? x : y)

#define FIELDS(X, B)                                                                                   \
    X##1(popc_##B, "popc.b" #B, u32, u##B, __builtin_popcountll(x))                                    \
    X##1(clz_##B, "clz.b" #B, u32, u##B, x ? __builtin_clzll(x) - 64 + B : B)                          \
    X##1(brev_##B, "brev.b" #B, u##B, u##B, reversed(x, B))                                            \
    X##3(bfe_u##B, "bfe.u" #B, u##B, u##B, u32, u32, bfe_unsigned(x, y, z, B))                         \
    X##3(bfe_s##B, "bfe.s" #B, s##B, s##B, u32, u32, bfe_signed(x, y, z, B))                           \
    X##4(bfi_##B, "bfi.b" #B, u##B, u##B, u##B, u32, u32, bfi(x, y, z, w, B))                          \
    X##1(bfind_u##B, "bfind.u" #B, u32, u##B, bfind(x, B, 0))                                          \
    X##1(bfind_s##B, "bfind.s" #B, u32, s##B, bfind(x < 0 ? (u##B) ~x : (u##B)x, B, 0))                \
    X##1(bfind_shift_u##B, "bfind.shiftamt.u" #B, u32, u##B, bfind(x, B, 1))                           \
    X##1(bfind_shift_s##B, "bfind.shiftamt.s" #B, u32, s##B, bfind(x < 0 ? (u##B) ~x : (u##B)x, B, 1))

#define PERMUTING(X)                                                                                        \
    X##3(prmt_b32, "prmt.b32", u32, u32, u32, u32, prmt(x, y, z))                                           \
    X##3(prmt_f4e, "prmt.b32.f4e", u32, u32, u32, u32, prmt(x, y, selectors('f', z)))                       \
    X##3(prmt_b4e, "prmt.b32.b4e", u32, u32, u32, u32, prmt(x, y, selectors('b', z)))                       \
    X##3(prmt_rc8, "prmt.b32.rc8", u32, u32, u32, u32, prmt(x, y, selectors('8', z)))                       \
    X##3(prmt_ecl, "prmt.b32.ecl", u32, u32, u32, u32, prmt(x, y, selectors('l', z)))                       \
    X##3(prmt_ecr, "prmt.b32.ecr", u32, u32, u32, u32, prmt(x, y, selectors('r', z)))                       \
    X##3(prmt_rc16, "prmt.b32.rc16", u32, u32, u32, u32, prmt(x, y, selectors('h', z)))                     \
    X##4(lop3_b32, "lop3.b32", u32, u32, u32, u32, u32, lop3(x, y, z, w))                                   \
    X##3(shf_l_wrap, "shf.l.wrap.b32", u32, u32, u32, u32, funnel(x, y, z & 31, 1))                         \
    X##3(shf_r_wrap, "shf.r.wrap.b32", u32, u32, u32, u32, funnel(x, y, z & 31, 0))                         \
    X##3(shf_l_clamp, "shf.l.clamp.b32", u32, u32, u32, u32, funnel(x, y, AT_MOST(z, 32), 1))               \
    X##3(shf_r_clamp, "shf.r.clamp.b32", u32, u32, u32, u32, funnel(x, y, AT_MOST(z, 32), 0))               \
    X##2(bmsk_clamp, "bmsk.clamp.b32", u32, u32, u32, x >= 32 ? 0 : low_bits(field_length(x, y, 32)) << x)  \
    X##2(bmsk_wrap, "bmsk.wrap.b32", u32, u32, u32, low_bits(field_length(x & 31, y & 31, 32)) << (x & 31))

/* Columns are words: 32 predicates at a time would do, but the decoder knows forms of lanes alone. */
#define PREDICATES(X)                                           \
    X##1P(mov_pred, "mov.pred", pred, x)                        \
    X##2P(and_pred, "and.pred", pred, pred, x & y)              \
    X##2P(or_pred, "or.pred", pred, pred, x | y)                \
    X##2P(xor_pred, "xor.pred", pred, pred, x ^ y)              \
    X##1P(not_pred, "not.pred", pred, !x)                       \
    X##3P(selp_pred, "~selp.pred", pred, pred, pred, z ? x : y)

/* Vectors of registers in one: what mov.b64 {a, b}, c and its like become. */
#define PACKING(X)                                                                                          \
    X##2(pack_2x16, "~pack.2.b32", u32, u16, u16, x | (u32)y << 16)                                         \
    X##2(pack_2x32, "~pack.2.b64", u64, u32, u32, x | (u64)y << 32)                                         \
    X##4(pack_4x16, "~pack.4.b64", u64, u16, u16, u16, u16, x | (u64)y << 16 | (u64)z << 32 | (u64)w << 48) \
    X##2(unpack_2x16, "~unpack.2.b32", u16, u32, u32, x >> 16 * y)                                          \
    X##2(unpack_2x32, "~unpack.2.b64", u32, u64, u32, x >> 32 * y)                                          \
    X##2(unpack_4x16, "~unpack.4.b64", u16, u64, u32, x >> 16 * y)

#define LIST(X)      \
    ONE_WIDTH(X, 16) \
    ONE_WIDTH(X, 32) \
    ONE_WIDTH(X, 64) \
    FIELDS(X, 32)    \
    FIELDS(X, 64)    \
    PERMUTING(X)     \
    PREDICATES(X)    \
    PACKING(X)
/* clang-format on */

DEFINE_FORMS(bit_forms, LIST)
