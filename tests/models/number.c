/* number.c - elements as exact numbers; see number.h. */
#include "number.h"

#include <string.h>

ash_dtype record_dtype(record which)
{
    static ash_dtype dtypes[RECORDS];
    if (!dtypes[SPOT]) {
        dtypes[SPOT] = spot_dtype();
        dtypes[COLOR] = color_dtype();
        dtypes[ODD] = odd_dtype();
    }
    return dtypes[which];
}

bool is_record(ash_dtype dtype)
{
    return dtype >= ASH_RECORD_FIRST;
}
bool is_complex(ash_dtype dtype)
{
    return dtype >= ASH_C_I8 && dtype <= ASH_C_F64;
}
bool is_float(ash_dtype dtype)
{
    return dtype >= ASH_F16 && dtype <= ASH_F64;
}
bool is_integer(ash_dtype dtype)
{
    return dtype >= ASH_I8 && dtype <= ASH_U64;
}
bool is_signed(ash_dtype dtype)
{
    return dtype >= ASH_I8 && dtype <= ASH_I64;
}
bool is_real(ash_dtype dtype)
{
    return dtype >= ASH_BOOL && dtype <= ASH_F64;
}
ash_dtype part_of(ash_dtype dtype)
{
    return is_complex(dtype) ? (ash_dtype)(dtype - ASH_C_I8 + ASH_I8) : dtype;
}

static ash_dtype promoted_real(ash_dtype a, ash_dtype b)
{
    const size_t na = ash_dtype_size(a), nb = ash_dtype_size(b);
    if (a == b || b == ASH_BOOL)
        return a;
    if (a == ASH_BOOL)
        return b;
    if (is_float(a) != is_float(b))
        return is_float(a) ? a : b;
    if (na != nb)
        return na > nb ? a : b;
    return is_float(a) ? ASH_F32 : is_signed(a) ? b : a; /* f16 with bf16; one signed, one unsigned */
}

ash_dtype promoted(ash_dtype a, ash_dtype b)
{
    if (is_record(a) || is_record(b))
        return a == b ? a : ASH_DTYPE_DEFAULT;
    const ash_dtype part = promoted_real(part_of(a), part_of(b));
    return is_complex(a) || is_complex(b) ? (ash_dtype)(part - ASH_I8 + ASH_C_I8) : part;
}

/* ---- real elements */

static const struct format {
    int digits, exponent; /* bits */
} formats[] = {[ASH_F16] = {10, 5}, [ASH_BF16] = {7, 8}, [ASH_F32] = {23, 8}, [ASH_F64] = {52, 11}};

static uint64_t bits_of(ash_dtype real, const void *element)
{
    uint64_t bits = 0;
    memcpy(&bits, element, ash_dtype_size(real)); /* the low bytes come first on every machine there is */
    return bits;
}

static number float_of(ash_dtype real, uint64_t bits)
{
    const struct format f = formats[real];
    const int most = (1 << f.exponent) - 1, bias = most >> 1;
    const int exponent = (int)(bits >> f.digits) & most;
    const uint64_t digits = bits & ((UINT64_C(1) << f.digits) - 1);
    number x = {FINITE, bits >> (f.digits + f.exponent) & 1, digits, 1 - bias - f.digits};
    if (exponent == most) {
        x.kind = digits ? NOT_A_NUMBER : INFINITE;
    } else if (exponent) {
        x.digits |= UINT64_C(1) << f.digits;
        x.exponent += exponent - 1;
    }
    return x;
}

number number_of(ash_dtype real, const void *element)
{
    const uint64_t bits = bits_of(real, element);
    if (is_float(real))
        return float_of(real, bits);
    const int unused = 64 - 8 * (int)ash_dtype_size(real);
    const bool negative = is_signed(real) && (bits << unused) >> 63;
    return (number){FINITE, negative, negative ? (0 - (bits << unused)) >> unused : bits, 0};
}

static bool store_integer(ash_dtype real, number x, void *element)
{
    const size_t nbytes = ash_dtype_size(real);
    const int width = real == ASH_BOOL ? 1 : 8 * (int)nbytes - is_signed(real);
    const uint64_t most = UINT64_MAX >> (64 - width);
    uint64_t size = x.digits;
    if (x.kind != FINITE)
        return false;
    for (int e = x.exponent; size && e < 0; e++)
        size >>= 1;
    for (int e = x.exponent; size && e > 0; e--) {
        if (size >> 63)
            return false;
        size <<= 1;
    }
    if (x.negative && size ? !is_signed(real) || size > most + 1 : size > most)
        return false;
    const uint64_t bits = x.negative ? 0 - size : size;
    memcpy(element, &bits, nbytes);
    return true;
}

/* digits / 2^shift to the nearest, and to even when there are two. */
static uint64_t rounded(uint64_t digits, int shift)
{
    if (shift <= 0)
        return digits << -shift;
    if (shift > 64)
        return 0;
    const uint64_t whole = shift == 64 ? 0 : digits >> shift, half = UINT64_C(1) << (shift - 1);
    const uint64_t rest = digits & (half | (half - 1));
    return whole + (rest > half || (rest == half && (whole & 1)));
}

static bool store_float(ash_dtype real, number x, void *element)
{
    const struct format f = formats[real];
    const uint64_t infinity = ((UINT64_C(1) << f.exponent) - 1) << f.digits;
    const int least = 2 - (1 << (f.exponent - 1)); /* exponent of the smallest normal number */
    uint64_t bits = x.kind == INFINITE ? infinity : x.kind == NOT_A_NUMBER ? infinity | UINT64_C(1) << (f.digits - 1) : 0;
    if (x.kind == FINITE && x.digits) {
        int first = x.exponent + 63;
        for (uint64_t digits = x.digits; !(digits >> 63); digits <<= 1)
            first--;
        const int unit = (first > least ? first : least) - f.digits;
        bits = rounded(x.digits, unit - x.exponent);
        if (first > least) /* the leading digit, which is not stored, makes one more of the exponent; so does a carry */
            bits += (uint64_t)(first - least) << f.digits;
        if (bits >= infinity)
            return false;
    }
    bits |= (uint64_t)x.negative << (f.digits + f.exponent);
    memcpy(element, &bits, ash_dtype_size(real));
    return true;
}

bool number_store(ash_dtype real, number x, void *element)
{
    return is_float(real) ? store_float(real, x, element) : store_integer(real, x, element);
}

static int compare_sizes(number a, number b)
{
    if (a.kind != b.kind)
        return a.kind == INFINITE ? 1 : -1;
    if (a.kind == INFINITE || (!a.digits && !b.digits))
        return 0;
    if (!a.digits || !b.digits)
        return a.digits ? 1 : -1;
    for (; !(a.digits >> 63); a.digits <<= 1)
        a.exponent--;
    for (; !(b.digits >> 63); b.digits <<= 1)
        b.exponent--;
    if (a.exponent != b.exponent)
        return a.exponent > b.exponent ? 1 : -1;
    return (a.digits > b.digits) - (a.digits < b.digits);
}

static bool is_zero(number x)
{
    return x.kind == FINITE && !x.digits;
}

int number_compare(number a, number b)
{
    if (is_zero(a) && is_zero(b))
        return 0;
    if (a.negative != b.negative)
        return a.negative ? -1 : 1;
    return a.negative ? compare_sizes(b, a) : compare_sizes(a, b);
}

int order_of(ash_dtype real, const void *a, const void *b)
{
    return order_of_numbers(number_of(real, a), number_of(real, b));
}

int order_of_numbers(number x, number y)
{
    if (x.kind == NOT_A_NUMBER || y.kind == NOT_A_NUMBER)
        return (x.kind == NOT_A_NUMBER) - (y.kind == NOT_A_NUMBER);
    return is_zero(x) && is_zero(y) ? y.negative - x.negative : number_compare(x, y);
}

/* ---- elements of any dtype */

static const char *second_part(ash_dtype dtype, const void *element)
{
    return (const char *)element + ash_dtype_size(part_of(dtype));
}

bool convert_element(ash_dtype to, void *out, ash_dtype from, const void *in)
{
    const ash_dtype part = part_of(from);
    const number re = number_of(part, in);
    const number im = is_complex(from) ? number_of(part, second_part(from, in)) : (number){FINITE, false, 0, 0};
    if (!is_complex(to))
        return is_zero(im) && number_store(to, re, out);
    return number_store(part_of(to), re, out) && number_store(part_of(to), im, (char *)out + ash_dtype_size(part_of(to)));
}

bool is_true(ash_dtype dtype, const void *element)
{
    return !is_zero(number_of(part_of(dtype), element)) ||
           (is_complex(dtype) && !is_zero(number_of(part_of(dtype), second_part(dtype, element))));
}

static bool same_real(ash_dtype real, const void *a, const void *b)
{
    return memcmp(a, b, ash_dtype_size(real)) == 0 ||
           (is_float(real) && number_of(real, a).kind == NOT_A_NUMBER && number_of(real, b).kind == NOT_A_NUMBER);
}

bool same_element(ash_dtype dtype, const void *a, const void *b)
{
    if (is_record(dtype))
        return memcmp(a, b, dtype == record_dtype(SPOT) ? offsetof(spot, n) + sizeof(int16_t) : ash_dtype_size(dtype)) == 0;
    return same_real(part_of(dtype), a, b) &&
           (!is_complex(dtype) || same_real(part_of(dtype), second_part(dtype, a), second_part(dtype, b)));
}

void conjugate_element(ash_dtype dtype, void *element)
{
    const ash_dtype part = part_of(dtype);
    const size_t nbytes = ash_dtype_size(part);
    unsigned char *im = (unsigned char *)element + nbytes;
    if (!is_complex(dtype))
        return;
    if (is_float(part)) {
        im[nbytes - 1] ^= 0x80;
        return;
    }
    const uint64_t bits = 0 - bits_of(part, im); /* integers wrap */
    memcpy(im, &bits, nbytes);
}
