/*
 * dtype.c - what is known of an element type: name, size, kind, promotion; and the narrow floats.
 *
 * Plain dtypes are described by tables that are indexed by their number; records by record.c. Promotion looks at dtypes
 * alone, never at values. The narrow floats are rounded straight from the bits of a double, so that there is one rounding
 * whatever the source was: every other real dtype but 64-bit integers fits a double exactly.
 */
#include "core/dtype.h"

#include <math.h>
#include <stdio.h>

#include "core/record.h"
#include "core/text.h"

typedef struct plain {
    const char *name;
    uint8_t size, alignment;
    ash__kind kind;
} plain;

static const plain plains[ASH__PLAIN_COUNT] = {
    [ASH_BOOL] = {"bool", 1, 1, ASH__KIND_BOOL},
    [ASH_I8] = {"i8", 1, 1, ASH__KIND_SIGNED},
    [ASH_I16] = {"i16", 2, _Alignof(int16_t), ASH__KIND_SIGNED},
    [ASH_I32] = {"i32", 4, _Alignof(int32_t), ASH__KIND_SIGNED},
    [ASH_I64] = {"i64", 8, _Alignof(int64_t), ASH__KIND_SIGNED},
    [ASH_U8] = {"u8", 1, 1, ASH__KIND_UNSIGNED},
    [ASH_U16] = {"u16", 2, _Alignof(uint16_t), ASH__KIND_UNSIGNED},
    [ASH_U32] = {"u32", 4, _Alignof(uint32_t), ASH__KIND_UNSIGNED},
    [ASH_U64] = {"u64", 8, _Alignof(uint64_t), ASH__KIND_UNSIGNED},
    [ASH_F16] = {"f16", 2, _Alignof(uint16_t), ASH__KIND_FLOAT},
    [ASH_BF16] = {"bf16", 2, _Alignof(uint16_t), ASH__KIND_FLOAT},
    [ASH_F32] = {"f32", 4, _Alignof(float), ASH__KIND_FLOAT},
    [ASH_F64] = {"f64", 8, _Alignof(double), ASH__KIND_FLOAT},
    [ASH_C_I8] = {"c_i8", 2, 1, ASH__KIND_COMPLEX},
    [ASH_C_I16] = {"c_i16", 4, _Alignof(int16_t), ASH__KIND_COMPLEX},
    [ASH_C_I32] = {"c_i32", 8, _Alignof(int32_t), ASH__KIND_COMPLEX},
    [ASH_C_I64] = {"c_i64", 16, _Alignof(int64_t), ASH__KIND_COMPLEX},
    [ASH_C_U8] = {"c_u8", 2, 1, ASH__KIND_COMPLEX},
    [ASH_C_U16] = {"c_u16", 4, _Alignof(uint16_t), ASH__KIND_COMPLEX},
    [ASH_C_U32] = {"c_u32", 8, _Alignof(uint32_t), ASH__KIND_COMPLEX},
    [ASH_C_U64] = {"c_u64", 16, _Alignof(uint64_t), ASH__KIND_COMPLEX},
    [ASH_C_F16] = {"c_f16", 4, _Alignof(uint16_t), ASH__KIND_COMPLEX},
    [ASH_C_BF16] = {"c_bf16", 4, _Alignof(uint16_t), ASH__KIND_COMPLEX},
    [ASH_C_F32] = {"c_f32", 8, _Alignof(float), ASH__KIND_COMPLEX},
    [ASH_C_F64] = {"c_f64", 16, _Alignof(double), ASH__KIND_COMPLEX},
};

static bool is_plain(ash_dtype dtype)
{
    return dtype >= ASH_BOOL && dtype < (ash_dtype)ASH__PLAIN_COUNT;
}

ash__kind ash__kind_of(ash_dtype dtype)
{
    if (is_plain(dtype))
        return plains[dtype].kind;
    return ash__record_of(dtype) ? ASH__KIND_RECORD : ASH__KIND_NONE;
}

const char *ash_dtype_name(ash_dtype dtype)
{
    if (is_plain(dtype))
        return plains[dtype].name;
    const ash__record_type *record = ash__record_of(dtype);
    return record ? record->name : "?";
}

size_t ash_dtype_size(ash_dtype dtype)
{
    if (is_plain(dtype))
        return plains[dtype].size;
    const ash__record_type *record = ash__record_of(dtype);
    return record ? record->size : 0;
}

size_t ash__alignment_of(ash_dtype dtype)
{
    if (is_plain(dtype))
        return plains[dtype].alignment;
    const ash__record_type *record = ash__record_of(dtype);
    return record ? record->alignment : 1;
}

ash_dtype ash_dtype_from_name(const char *name)
{
    if (!name)
        return ASH_DTYPE_DEFAULT;
    for (int d = ASH_BOOL; d < ASH__PLAIN_COUNT; d++)
        if (strcmp(plains[d].name, name) == 0)
            return (ash_dtype)d;
    if (strcmp(name, "c64") == 0)
        return ASH_C64;
    return strcmp(name, "c128") == 0 ? ASH_C128 : ASH_DTYPE_DEFAULT;
}

/* bool < integers < floats; within a kind the wider; at equal width unsigned before signed, and f32 above f16 and bf16. */
static ash_dtype promote_real(ash_dtype a, ash_dtype b)
{
    if (a == b)
        return a;
    const int rank_a = a == ASH_BOOL ? 0 : ash__is_integer(a) ? 1 : 2;
    const int rank_b = b == ASH_BOOL ? 0 : ash__is_integer(b) ? 1 : 2;
    if (rank_a != rank_b)
        return rank_a > rank_b ? a : b;
    if (plains[a].size != plains[b].size)
        return plains[a].size > plains[b].size ? a : b;
    if (rank_a == 2)
        return ASH_F32; /* f16 with bf16: neither holds the other */
    return ash__is_signed(a) ? b : a;
}

ash_dtype ash_dtype_promote(ash_dtype a, ash_dtype b)
{
    if (!is_plain(a) || !is_plain(b))
        return ASH_DTYPE_DEFAULT;
    const ash_dtype part = promote_real(ash__part(a), ash__part(b));
    return ash__is_complex(a) || ash__is_complex(b) ? ash__complex_of(part) : part;
}

/* Appends ".m.x" for the first f64 inside record; false when there is none. */
static bool find_f64(const ash__record_type *record, ash__text *place)
{
    for (int64_t i = 0; i < record->count; i++) {
        const ash_field_info *f = &record->field[i];
        const size_t before = place->length;
        const ash__record_type *inner = ash__record_of(f->dtype);
        ash__put(place, ".%s", f->name);
        if (inner ? find_f64(inner, place) : ash__part(f->dtype) == ASH_F64)
            return true;
        place->length = before;
    }
    return false;
}

bool ash__holds_f64(ash_dtype dtype, char *place, size_t size)
{
    ash__text text = {place, size, 0};
    if (size > 0)
        place[0] = '\0';
    if (dtype == ASH_F64)
        return true;
    const ash__record_type *record = ash__record_of(dtype);
    if (!record && ash__part(dtype) != ASH_F64)
        return false;
    ash__put(&text, " (in %s", ash_dtype_name(dtype));
    const bool found = !record || find_f64(record, &text);
    if (found)
        ash__put(&text, ")");
    else if (size > 0)
        place[0] = '\0';
    return found;
}

/*
 * x rounded to nearest even in a format of `mantissa` stored bits and exponent bias `bias`, the IEEE way: subnormals,
 * infinities, NaN with the high bits of its payload and the quiet bit. A carry out of the mantissa moves into the exponent,
 * and out of the highest exponent to infinity, by itself.
 */
static uint16_t narrow(double x, int mantissa, int bias)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    const uint64_t fraction = bits & 0xfffffffffffffU;
    const int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
    const uint16_t sign = (uint16_t)(bits >> 63 << 15);
    const uint16_t infinity = (uint16_t)((2 * bias + 1) << mantissa);
    const int cut = 52 - mantissa;

    if (exponent == 1024) /* infinity or NaN */
        return (uint16_t)(sign | infinity | (fraction ? 1U << (mantissa - 1) | (unsigned)(fraction >> cut) : 0));
    if (exponent > bias)
        return sign | infinity;

    /* below the normal range the hidden bit is written out and everything shifts right */
    const int shift = exponent >= 1 - bias ? cut : cut + (1 - bias - exponent);
    const uint64_t whole = exponent >= 1 - bias ? fraction : fraction | (uint64_t)1 << 52;
    if (shift > 60) /* also f64 subnormals: far below half of the smallest */
        return sign;
    const uint64_t rest = whole & (((uint64_t)1 << shift) - 1), half = (uint64_t)1 << (shift - 1);
    uint64_t result = whole >> shift;
    if (exponent >= 1 - bias)
        result |= (uint64_t)(exponent + bias) << mantissa;
    result += rest > half || (rest == half && (result & 1));
    return (uint16_t)(sign | result);
}

uint16_t ash__f16_from_f64(double x)
{
    return narrow(x, 10, 15);
}

uint16_t ash__bf16_from_f64(double x)
{
    return narrow(x, 7, 127);
}

float ash__f16_to_f32(uint16_t h)
{
    const uint32_t sign = (uint32_t)(h & 0x8000U) << 16, magnitude = h & 0x7fffU;
    uint32_t bits;
    if (magnitude < 0x400) { /* zero and subnormals: a whole number of 2^-24 */
        const float f = (float)magnitude * 0x1p-24F;
        return sign ? -f : f;
    }
    if (magnitude >= 0x7c00) /* infinity, NaN */
        bits = sign | 0x7f800000U | (magnitude & 0x3ffU) << 13;
    else
        bits = sign | (magnitude + ((127 - 15) << 10)) << 13;
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}
