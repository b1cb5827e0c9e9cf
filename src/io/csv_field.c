/*
 * csv_field.c - a field of a CSV text as an element.
 *
 * Numbers are decimal, with a point whatever the locale. Integers are taken digit by digit and so are exact in 64 bits;
 * floats are rounded once, straight to their dtype. Complex numbers read a, bi, a+bi, with i or j, perhaps in parentheses.
 */
#include <math.h>

#include "core/decimal.h"
#include "io/csv.h"

static bool equals(const char *text, size_t length, const char *word)
{
    size_t i = 0;
    for (; word[i]; i++)
        if (i == length || (text[i] | 0x20) != word[i])
            return false;
    return i == length;
}

/* Without the blanks that quotes may hold. */
static ash__csv_field trimmed(const ash__csv_field *f)
{
    ash__csv_field t = *f;
    for (; t.length > 0 && (*t.text == ' ' || *t.text == '\t'); t.text++)
        t.length--;
    while (t.length > 0 && (t.text[t.length - 1] == ' ' || t.text[t.length - 1] == '\t'))
        t.length--;
    return t;
}

static bool is_missing(const ash__csv_field *f)
{
    return f->length == 0 || (f->length == 2 && f->text[0] == 'N' && f->text[1] == 'A');
}

bool ash__csv_is_missing(const ash__csv_field *f)
{
    const ash__csv_field t = trimmed(f);
    return is_missing(&t);
}

bool ash__csv_is_integer(const ash__csv_field *f)
{
    ash__decimal d;
    const ash__csv_field t = trimmed(f);
    return ash__decimal_parse(&d, t.text, t.length) == t.length && d.kind == ASH__DECIMAL_INTEGER;
}

#define STORE(T, p, x) memcpy(p, &(T){(T)(x)}, sizeof(T))

static void store_integer(char *to, ash_dtype dtype, bool negative, uint64_t magnitude)
{
    const uint64_t bits = negative ? 0 - magnitude : magnitude;
    switch (ash_dtype_size(dtype)) {
    case 1:
        STORE(uint8_t, to, bits);
        break;
    case 2:
        STORE(uint16_t, to, bits);
        break;
    case 4:
        STORE(uint32_t, to, bits);
        break;
    default:
        STORE(uint64_t, to, bits);
    }
}

/* The largest magnitude of either sign. */
static uint64_t limit(ash_dtype dtype, bool negative)
{
    const int bits = 8 * (int)ash_dtype_size(dtype);
    if (dtype == ASH_BOOL)
        return !negative;
    if (!ash__is_signed(dtype))
        return negative ? 0 : UINT64_MAX >> (64 - bits);
    return ((uint64_t)1 << (bits - 1)) - !negative;
}

static ash__csv_fault convert_integer(char *to, ash_dtype dtype, const ash__decimal *d, bool exact)
{
    uint64_t magnitude;
    bool whole;
    if (d->kind == ASH__DECIMAL_NAN || d->kind == ASH__DECIMAL_INFINITE)
        return ASH__CSV_NOT_FINITE;
    if (!ash__decimal_to_u64(d, &magnitude, &whole) || magnitude > limit(dtype, d->negative))
        return ASH__CSV_TOO_LARGE;
    if (exact && !whole)
        return ASH__CSV_NO_INTEGER;
    store_integer(to, dtype, d->negative, magnitude);
    return ASH__CSV_GOOD;
}

static const ash__float_format *format_of(ash_dtype dtype)
{
    return dtype == ASH_F64   ? &ash__format_of_f64
           : dtype == ASH_F32 ? &ash__format_of_f32
           : dtype == ASH_F16 ? &ash__format_of_f16
                              : &ash__format_of_bf16;
}

/* x is a value of the dtype. */
static void store_float(char *to, ash_dtype dtype, double x)
{
    if (dtype == ASH_F64)
        STORE(double, to, x);
    else if (dtype == ASH_F32)
        STORE(float, to, x);
    else
        STORE(uint16_t, to, dtype == ASH_F16 ? ash__f16_from_f64(x) : ash__bf16_from_f64(x));
}

static ash__csv_fault convert_float(char *to, ash_dtype dtype, const ash__decimal *d, bool exact)
{
    const double x = ash__decimal_to_float(d, format_of(dtype));
    if (isinf(x) && d->kind != ASH__DECIMAL_INFINITE)
        return ASH__CSV_TOO_LARGE;
    if (exact && dtype != ASH_F64 && !isnan(x)) {
        const double nearest = ash__decimal_to_float(d, &ash__format_of_f64);
        if (x < nearest || x > nearest)
            return ASH__CSV_INEXACT;
    }
    store_float(to, dtype, x);
    return ASH__CSV_GOOD;
}

static ash__csv_fault convert(char *to, ash_dtype real, const ash__decimal *d, bool exact)
{
    return ash__is_float(real) ? convert_float(to, real, d, exact) : convert_integer(to, real, d, exact);
}

static bool is_unit(char c)
{
    return c == 'i' || c == 'j';
}

/* a, bi, a+bi: both parts as decimals, an absent one as 0. */
static bool parse_complex(const char *text, size_t length, ash__decimal part[2])
{
    if (length >= 2 && text[0] == '(' && text[length - 1] == ')') {
        text++;
        length -= 2;
    }
    part[1] = (ash__decimal){.kind = ASH__DECIMAL_INTEGER};
    const size_t first = ash__decimal_parse(&part[0], text, length);
    if (first == 0 || first == length)
        return first > 0;
    if (first + 1 == length && is_unit(text[first])) {
        part[1] = part[0];
        part[0] = (ash__decimal){.kind = ASH__DECIMAL_INTEGER};
        return true;
    }
    if (text[first] != '+' && text[first] != '-')
        return false;
    const size_t second = ash__decimal_parse(&part[1], text + first, length - first);
    return second > 0 && first + second + 1 == length && is_unit(text[length - 1]);
}

static ash__csv_fault store_complex(char *to, ash_dtype dtype, const ash__csv_field *f, bool exact)
{
    const ash_dtype part = ash__part(dtype);
    ash__decimal d[2];
    if (!parse_complex(f->text, f->length, d))
        return ASH__CSV_NO_NUMBER;
    const ash__csv_fault fault = convert(to, part, &d[0], exact);
    return fault != ASH__CSV_GOOD ? fault : convert(to + ash_dtype_size(part), part, &d[1], exact);
}

ash__csv_fault ash__csv_store(char *to, ash_dtype dtype, const ash__csv_field *field, bool exact)
{
    ash__decimal d;
    const ash__csv_field t = trimmed(field), *f = &t;
    if (is_missing(f))
        return ASH__CSV_MISSING;
    if (ash__is_complex(dtype))
        return store_complex(to, dtype, f, exact);
    if (dtype == ASH_BOOL && (equals(f->text, f->length, "true") || equals(f->text, f->length, "false"))) {
        *to = f->length == 4;
        return ASH__CSV_GOOD;
    }
    if (ash__decimal_parse(&d, f->text, f->length) != f->length) {
        ash__decimal parts[2];
        return parse_complex(f->text, f->length, parts) && f->text[0] != '(' ? ASH__CSV_NOT_REAL : ASH__CSV_NO_NUMBER;
    }
    return convert(to, dtype, &d, exact);
}

void ash__csv_store_nan(char *to, ash_dtype dtype)
{
    const ash_dtype part = ash__part(dtype);
    store_float(to, part, NAN);
    if (ash__is_complex(dtype))
        store_float(to + ash_dtype_size(part), part, 0.0);
}
