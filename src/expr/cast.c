/*
 * cast.c - conversion between plain dtypes as instructions.
 *
 * f32 cannot hold every integer, and a value that was rounded to f32 must not be rounded to f16 or bf16 again. So wide
 * integers become short ones first that round alike: beyond the range of f16 they are cut off, which leaves them infinite,
 * and for bf16 low bits are shifted out with a last bit that says whether any of them was set ("sticky").
 */
#include "expr/cast.h"

ash__pair ash__load_pair(ash__builder *b, int operand, ash_dtype dtype, uint32_t offset, bool conjugated)
{
    const ash_dtype part = ash__part(dtype);
    ash__pair x = {ash__build_load(b, operand, part, offset), -1};
    if (!ash__is_complex(dtype))
        return x;
    x.im = ash__build_load(b, operand, part, offset + (uint32_t)ash_dtype_size(part));
    if (conjugated)
        x.im = ash__b1(b, ASH__OP_NEG, x.im);
    return x;
}

static int f16_from_wide(ash__builder *b, int x, ash_dtype type)
{
    const int64_t beyond = 131072; /* f16 ends below 65520 */
    x = ash__b2(b, ASH__OP_MIN, x, ash__binteger(b, type, beyond));
    if (ash__is_signed(type))
        x = ash__b2(b, ASH__OP_MAX, x, ash__binteger(b, type, -beyond));
    return ash__build_round16(b, ash__build_convert(b, x, ASH_F32), ASH_F16);
}

/* m, where it is 2^least or more, shifted right by count, with the lost bits or-ed into the last; *scale takes 2^count. */
static int shift_sticky(ash__builder *b, int m, ash_dtype type, int least, int count, int *scale)
{
    const int lost = ash__b2(b, ASH__OP_AND, m, ash__binteger(b, type, ((int64_t)1 << count) - 1));
    const int sticky = ash__build_convert(b, ash__b2(b, ASH__OP_NE, lost, ash__binteger(b, type, 0)), type);
    const int high = ash__b2(b, ASH__OP_SHR, m, ash__binteger(b, type, count));
    const int large = ash__b2(b, ASH__OP_LE, ash__binteger(b, type, (int64_t)1 << least), m);
    const int factor =
        ash__bselect(b, large, ash__bfloat(b, ASH_F32, (double)((int64_t)1 << count)), ash__bfloat(b, ASH_F32, 1));
    *scale = ash__b2(b, ASH__OP_MUL, *scale, factor);
    return ash__bselect(b, large, ash__b2(b, ASH__OP_OR, high, sticky), m);
}

/* The magnitude ends below 2^24, so that f32 holds it, and keeps 8 bits, one to round by and the sticky one. */
static int bf16_from_wide(ash__builder *b, int x, ash_dtype type)
{
    const bool is_signed = ash__is_signed(type);
    const ash_dtype natural = ash_dtype_size(type) == 8 ? ASH_U64 : ASH_U32;
    int scale = ash__bfloat(b, ASH_F32, 1);
    int m = ash__build_convert(b, is_signed ? ash__b1(b, ASH__OP_ABS, x) : x, natural);
    if (natural == ASH_U64) {
        m = shift_sticky(b, m, natural, 44, 20, &scale);
        m = shift_sticky(b, m, natural, 34, 10, &scale);
        m = shift_sticky(b, m, natural, 24, 10, &scale);
    } else
        m = shift_sticky(b, m, natural, 24, 8, &scale);
    int f = ash__b2(b, ASH__OP_MUL, ash__build_convert(b, m, ASH_F32), scale);
    if (is_signed) {
        const int negative = ash__b2(b, ASH__OP_LT, x, ash__binteger(b, type, 0));
        f = ash__bselect(b, negative, ash__b1(b, ASH__OP_NEG, f), f);
    }
    return ash__build_round16(b, f, ASH_BF16);
}

static int cast_to_16(ash__builder *b, int x, ash_dtype from, ash_dtype to)
{
    if (ash__is_float(from))
        return ash__build_round16(b, x, to);
    if (ash_dtype_size(from) <= 2) /* bool, and integers that f32 holds */
        return ash__build_round16(b, ash__build_convert(b, x, ASH_F32), to);
    return to == ASH_F16 ? f16_from_wide(b, x, from) : bf16_from_wide(b, x, from);
}

int ash__cast_part(ash__builder *b, int x, ash_dtype from, ash_dtype to)
{
    return to == ASH_F16 || to == ASH_BF16 ? cast_to_16(b, x, from, to) : ash__build_convert(b, x, to);
}

ash__pair ash__cast(ash__builder *b, ash__pair x, ash_dtype from, ash_dtype to)
{
    const ash_dtype part = ash__part(from), to_part = ash__part(to);
    if (to == ASH_BOOL && x.im >= 0) {
        const int re = ash__build_convert(b, x.re, ASH_BOOL), im = ash__build_convert(b, x.im, ASH_BOOL);
        return (ash__pair){ash__b2(b, ASH__OP_OR, re, im), -1};
    }
    ash__pair y = {ash__cast_part(b, x.re, part, to_part), -1};
    if (!ash__is_complex(to))
        return y;
    y.im = x.im >= 0 ? ash__cast_part(b, x.im, part, to_part) : ash__binteger(b, ash__machine(to_part), 0);
    return y;
}

ash__program *ash__program_cast(const char *function, ash_dtype from, bool conjugated, ash_dtype to)
{
    if (from == to && !(conjugated && ash__is_complex(from)))
        return ash__program_copy(function, to, 1, 0);
    ash__builder *b = ash__builder_new(function, 1);
    const ash__pair x = ash__cast(b, ash__load_pair(b, 0, from, 0, conjugated), from, to);
    return ash__builder_finish(b, to, x.re, x.im);
}
