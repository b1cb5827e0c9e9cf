/*
 * format.c - one element as text.
 *
 * Floats show the fewest digits that read back in their own dtype (decimal.c), with at least one after the point; below
 * 1e-5 and from 1e16 on they have an exponent. Nothing depends on the locale.
 */
#include "core/format.h"

#include <math.h>

#include "core/convert.h"
#include "core/decimal.h"
#include "core/record.h"
#include "core/text.h"

enum { FLOAT_ROOM = 32 }; /* "-2.2250738585072014e-308" */

static void put_zeros(char **to, int n)
{
    for (int i = 0; i < n; i++)
        *(*to)++ = '0';
}

static void put_digits(char **to, const char *digit, int n)
{
    memcpy(*to, digit, (size_t)n);
    *to += n;
}

/* d1.d2d3...e[-]x, or d1e[-]x */
static void put_scientific(char **to, const char *digit, int count, int exponent)
{
    put_digits(to, digit, 1);
    if (count > 1) {
        *(*to)++ = '.';
        put_digits(to, digit + 1, count - 1);
    }
    *(*to)++ = 'e';
    if (exponent < 0) {
        *(*to)++ = '-';
        exponent = -exponent;
    }
    for (int unit = exponent >= 100 ? 100 : exponent >= 10 ? 10 : 1; unit > 0; unit /= 10)
        *(*to)++ = (char)('0' + exponent / unit % 10);
}

static void put_positional(char **to, const char *digit, int count, int point)
{
    if (point <= 0) {
        put_digits(to, "0.", 2);
        put_zeros(to, -point);
        put_digits(to, digit, count);
        return;
    }
    put_digits(to, digit, count < point ? count : point);
    put_zeros(to, point - count);
    *(*to)++ = '.';
    if (count > point)
        put_digits(to, digit + point, count - point);
    else
        *(*to)++ = '0';
}

/* x of the format's dtype into room for FLOAT_ROOM bytes, without a final 0; the length. */
static size_t write_float(char *buffer, double x, const ash__float_format *format)
{
    char digit[17], *to = buffer;
    int point;
    if (isnan(x)) {
        put_digits(&to, "nan", 3);
        return 3;
    }
    if (signbit(x))
        *to++ = '-';
    x = fabs(x);
    if (isinf(x)) {
        put_digits(&to, "inf", 3);
    } else if (x == 0) {
        put_digits(&to, "0.0", 3);
    } else {
        const int count = ash__shortest(digit, &point, x, format);
        if (point < -4 || point > 16)
            put_scientific(&to, digit, count, point - 1);
        else
            put_positional(&to, digit, count, point);
    }
    return (size_t)(to - buffer);
}

static size_t write_integer(char *buffer, bool negative, uint64_t magnitude)
{
    char reversed[20];
    size_t n = 0, length = 0;
    do
        reversed[n++] = (char)('0' + magnitude % 10);
    while (magnitude /= 10);
    if (negative)
        buffer[length++] = '-';
    while (n > 0)
        buffer[length++] = reversed[--n];
    return length;
}

/* A signed integer, its magnitude taken without overflow. */
static size_t write_signed(char *buffer, int64_t x)
{
    return write_integer(buffer, x < 0, x < 0 ? 0 - (uint64_t)x : (uint64_t)x);
}

#define LOAD(T, p) (*(T *)memcpy(&(T){0}, p, sizeof(T)))

/* One real element; the length. */
static size_t write_real(char *buffer, ash_dtype dtype, const char *p)
{
    switch ((int)dtype) {
    case ASH_BOOL:
        memcpy(buffer, *p ? "true" : "false", 5);
        return *p ? 4 : 5;
    case ASH_I8:
        return write_signed(buffer, LOAD(int8_t, p));
    case ASH_I16:
        return write_signed(buffer, LOAD(int16_t, p));
    case ASH_I32:
        return write_signed(buffer, LOAD(int32_t, p));
    case ASH_I64:
        return write_signed(buffer, LOAD(int64_t, p));
    case ASH_U8:
        return write_integer(buffer, false, LOAD(uint8_t, p));
    case ASH_U16:
        return write_integer(buffer, false, LOAD(uint16_t, p));
    case ASH_U32:
        return write_integer(buffer, false, LOAD(uint32_t, p));
    case ASH_U64:
        return write_integer(buffer, false, LOAD(uint64_t, p));
    case ASH_F16:
        return write_float(buffer, (double)ash__f16_to_f32(LOAD(uint16_t, p)), &ash__format_of_f16);
    case ASH_BF16:
        return write_float(buffer, (double)ash__bf16_to_f32(LOAD(uint16_t, p)), &ash__format_of_bf16);
    case ASH_F32:
        return write_float(buffer, (double)LOAD(float, p), &ash__format_of_f32);
    case ASH_F64:
        return write_float(buffer, LOAD(double, p), &ash__format_of_f64);
    default:
        buffer[0] = '?';
        return 1;
    }
}

/* a+bi with no space inside; a NaN shows no sign. */
static void put_complex(ash__text *text, ash_dtype dtype, const char *p, bool conjugate)
{
    const ash_dtype part = ash__part(dtype);
    const size_t size = ash_dtype_size(part);
    char copy[16], cell[FLOAT_ROOM];
    memcpy(copy, p, 2 * size);
    if (conjugate)
        ash__conjugate(copy, dtype, 1);
    ash__put_bytes(text, cell, write_real(cell, part, copy));
    const size_t n = write_real(cell, part, copy + size);
    if (cell[0] != '-')
        ash__put_bytes(text, "+", 1);
    ash__put_bytes(text, cell, n);
    ash__put_bytes(text, "i", 1);
}

static void put_element(ash__text *text, ash_dtype dtype, const char *p, bool conjugate);

/* (x = [1.0 2.0], m = 2.0) */
static void put_record(ash__text *text, const ash__record_type *record, const char *p)
{
    for (int64_t i = 0; i < record->count; i++) {
        const ash_field_info *f = &record->field[i];
        const size_t size = ash_dtype_size(f->dtype);
        ash__put(text, "%s%s = ", i ? ", " : "(", f->name);
        if (f->count > 1)
            ash__put_bytes(text, "[", 1);
        for (int64_t k = 0; k < f->count; k++) {
            if (k)
                ash__put_bytes(text, " ", 1);
            put_element(text, f->dtype, p + f->offset + (size_t)k * size, false);
        }
        if (f->count > 1)
            ash__put_bytes(text, "]", 1);
    }
    ash__put_bytes(text, ")", 1);
}

static void put_element(ash__text *text, ash_dtype dtype, const char *p, bool conjugate)
{
    char cell[FLOAT_ROOM];
    const ash__record_type *record = ash__record_of(dtype);
    if (record)
        put_record(text, record, p);
    else if (ash__is_complex(dtype))
        put_complex(text, dtype, p, conjugate);
    else
        ash__put_bytes(text, cell, write_real(cell, dtype, p));
}

static ash__text text_over(char *buffer, size_t size)
{
    if (size > 0)
        buffer[0] = '\0';
    return (ash__text){buffer, size, 0};
}

size_t ash__format_element(char *buffer, size_t size, ash_dtype dtype, const char *element, bool conjugate)
{
    ash__text text = text_over(buffer, size);
    put_element(&text, dtype, element, conjugate);
    return text.length;
}

size_t ash__format_f64(char *buffer, size_t size, double x)
{
    return ash__format_element(buffer, size, ASH_F64, (const char *)&x, false);
}

size_t ash__format_f32(char *buffer, size_t size, float x)
{
    return ash__format_element(buffer, size, ASH_F32, (const char *)&x, false);
}
