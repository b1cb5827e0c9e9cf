/*
 * decimal.c - floats as decimal text and back.
 *
 * Both directions rest on scaled integers: floor(w * 2^a * 10^b) with the news whether anything was cut off. Where 5^|b| fits
 * 64 bits they are computed in 128 bits, which serves nearly all numbers that people write; else in a fixed bignum. Both
 * ways are exact, so the results do not depend on which was taken.
 *
 * Out: the decimals that read back as x form an interval that ends halfway to its neighbours. It is scaled so that it is one
 * to some dozens of units long; the fewest digits are those of the multiple of the highest power of ten in it (G. L. Steele
 * and J. L. White, How to print floating-point numbers accurately, PLDI 1990; the interval arithmetic is that of U. Adams,
 * Ryu: fast float-to-string conversion, PLDI 2018, without its tables).
 * In: W. D. Clinger, How to read floating point numbers accurately, PLDI 1990: exact products for small numbers, else 64
 * leading bits and one that says whether bits follow; a text too long for 64 bits is decided in the bignum.
 */
#include "core/decimal.h"

#include <float.h>
#include <math.h>
#include <string.h>

const ash__float_format ash__format_of_f16 = {11, -24, 15};
const ash__float_format ash__format_of_bf16 = {8, -133, 127};
const ash__float_format ash__format_of_f32 = {24, -149, 127};
const ash__float_format ash__format_of_f64 = {53, -1074, 1023};

__extension__ typedef unsigned __int128 u128;

enum {
    LIMBS = 100,      /* 3200 bits: 770 digits over 10^-343, or 2^971 * 5^27, with room to shift */
    POWERS = 28,      /* 5^27 is the last power of 5 below 2^64 */
    SIGNIFICANT = 770 /* decimal digits that can matter: halfway between two f64 there are at most 768 */
};

static const uint64_t power5[POWERS] = {1U,
                                        5U,
                                        25U,
                                        125U,
                                        625U,
                                        3125U,
                                        15625U,
                                        78125U,
                                        390625U,
                                        1953125U,
                                        9765625U,
                                        48828125U,
                                        244140625U,
                                        1220703125U,
                                        6103515625U,
                                        30517578125U,
                                        152587890625U,
                                        762939453125U,
                                        3814697265625U,
                                        19073486328125U,
                                        95367431640625U,
                                        476837158203125U,
                                        2384185791015625U,
                                        11920928955078125U,
                                        59604644775390625U,
                                        298023223876953125U,
                                        1490116119384765625U,
                                        7450580596923828125U};

/* ---- bignums: little-endian limbs, no leading zero limb */

typedef struct big {
    int count;
    uint32_t limb[LIMBS];
} big;

static void big_set(big *b, uint64_t x)
{
    b->count = 0;
    for (; x; x >>= 32)
        b->limb[b->count++] = (uint32_t)x;
}

/* b = b * factor + addend */
static void big_multiply(big *b, uint32_t factor, uint32_t addend)
{
    uint64_t carry = addend;
    for (int i = 0; i < b->count; i++) {
        carry += (uint64_t)b->limb[i] * factor;
        b->limb[i] = (uint32_t)carry;
        carry >>= 32;
    }
    if (carry)
        b->limb[b->count++] = (uint32_t)carry;
}

static void big_power5(big *b, int64_t power)
{
    for (; power >= 13; power -= 13)
        big_multiply(b, 1220703125U, 0); /* 5^13 is the last below 2^32 */
    big_multiply(b, (uint32_t)power5[power], 0);
}

static void big_shift_left(big *b, int64_t bits)
{
    if (b->count == 0)
        return;
    const int limbs = (int)(bits / 32), rest = (int)(bits % 32);
    b->limb[b->count] = 0;
    for (int i = b->count; i >= 0; i--) {
        const uint64_t pair = (uint64_t)b->limb[i] << 32 | (i > 0 ? b->limb[i - 1] : 0);
        b->limb[i + limbs] = (uint32_t)(pair >> (32 - rest));
    }
    memset(b->limb, 0, (size_t)limbs * sizeof b->limb[0]);
    b->count += limbs + 1;
    while (b->count > 0 && b->limb[b->count - 1] == 0)
        b->count--;
}

static int64_t big_bits(const big *b)
{
    return b->count == 0 ? 0 : 32 * (int64_t)b->count - __builtin_clz(b->limb[b->count - 1]);
}

/* floor(b / 2^bits), which must be below 2^64; *exact: nothing was cut off. */
static uint64_t big_shifted(const big *b, int64_t bits, bool *exact)
{
    uint64_t result = 0;
    *exact = true;
    for (int i = 0; i < b->count; i++) {
        const int64_t at = 32 * (int64_t)i - bits; /* where the limb's lowest bit goes */
        const uint64_t limb = b->limb[i];
        if (at >= 0) {
            if (at < 64)
                result |= limb << at;
        } else if (at > -32) {
            result |= limb >> -at;
            *exact = *exact && (limb & (((uint64_t)1 << -at) - 1)) == 0;
        } else {
            *exact = *exact && limb == 0;
        }
    }
    return result;
}

static int big_compare(const big *a, const big *b)
{
    if (a->count != b->count)
        return a->count < b->count ? -1 : 1;
    for (int i = a->count - 1; i >= 0; i--)
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

/* a -= b, a >= b */
static void big_subtract(big *a, const big *b)
{
    int64_t borrow = 0;
    for (int i = 0; i < a->count; i++) {
        const int64_t x = (int64_t)a->limb[i] - (i < b->count ? b->limb[i] : 0) + borrow;
        a->limb[i] = (uint32_t)x;
        borrow = x >> 32;
    }
    while (a->count > 0 && a->limb[a->count - 1] == 0)
        a->count--;
}

static void big_halve(big *b)
{
    for (int i = 0; i < b->count; i++)
        b->limb[i] = b->limb[i] >> 1 | (i + 1 < b->count ? b->limb[i + 1] << 31 : 0);
    while (b->count > 0 && b->limb[b->count - 1] == 0)
        b->count--;
}

/* floor(a / b), which must be below 2^64, bit by bit; a becomes the remainder, b is used up. */
static uint64_t big_divide(big *a, big *b)
{
    uint64_t quotient = 0;
    big_shift_left(b, 63);
    for (int bit = 63; bit >= 0; bit--, big_halve(b)) {
        quotient <<= 1;
        if (big_compare(a, b) >= 0) {
            big_subtract(a, b);
            quotient |= 1;
        }
    }
    return quotient;
}

/* ---- out */

static uint64_t scaled_big(uint64_t w, int a, int b, bool *exact)
{
    big n, d;
    big_set(&n, w);
    if (b >= 0) {
        big_power5(&n, b);
        if (a + b >= 0)
            big_shift_left(&n, a + b);
        return big_shifted(&n, a + b >= 0 ? 0 : -(a + b), exact);
    }
    big_set(&d, 1);
    big_power5(&d, -b);
    if (a + b >= 0)
        big_shift_left(&n, a + b);
    else
        big_shift_left(&d, -(a + b));
    const uint64_t quotient = big_divide(&n, &d);
    *exact = n.count == 0;
    return quotient;
}

/* floor(w * 2^a * 10^b), which must be below 2^63; w < 2^57. *exact: nothing was cut off. */
static uint64_t scaled(uint64_t w, int a, int b, bool *exact)
{
    const int shift = a + b;
    if (b >= 0 && b < POWERS && shift > -128 && shift <= 0) {
        const u128 product = (u128)w * power5[b];
        const uint64_t result = (uint64_t)(product >> -shift);
        *exact = ((u128)result << -shift) == product;
        return result;
    }
    if (b < 0 && -b < POWERS && shift >= 0 && shift < 70) {
        const u128 n = (u128)w << shift;
        *exact = n % power5[-b] == 0;
        return (uint64_t)(n / power5[-b]);
    }
    return scaled_big(w, a, b, exact);
}

/* The least k with 10^k >= 2^n. */
static int decimal_exponent(int n)
{
    return (int)ceil((double)n * 0.30102999566398119521);
}

/* Writes x without leading zeros; the number of digits. */
static int put_digits(char *digit, uint64_t x)
{
    char reversed[20];
    int n = 0;
    do
        reversed[n++] = (char)('0' + x % 10);
    while (x /= 10);
    for (int i = 0; i < n; i++)
        digit[i] = reversed[n - 1 - i];
    return n;
}

int ash__shortest(char digit[17], int *point, double x, const ash__float_format *format)
{
    int e;
    const double fraction = frexp(x, &e);
    e -= format->bits;
    if (e < format->lowest)
        e = format->lowest;
    const uint64_t m = (uint64_t)(e == format->lowest ? ldexp(x, -e) : ldexp(fraction, format->bits));

    /* In units of 2^(e - 2): x, and the ends of the interval, which is narrower below a power of two. The ends belong to it
     * when m is even, for then they are rounded to m. */
    const bool closer = m == (uint64_t)1 << (format->bits - 1) && e > format->lowest;
    const bool inclusive = (m & 1) == 0;
    const int k = decimal_exponent(1 - e); /* 2^e * 10^k is from 2 to 20, so that the interval holds an integer */
    bool exact_low, exact_high, exact_twice;
    uint64_t low = scaled(4 * m - (closer ? 1 : 2), e - 2, k, &exact_low);
    uint64_t high = scaled(4 * m + 2, e - 2, k, &exact_high);
    const uint64_t twice = scaled(8 * m, e - 2, k, &exact_twice);
    low += !(exact_low && inclusive);
    high -= exact_high && !inclusive;

    uint64_t p = 1;
    int zeros = 0;
    while (p <= high / 10 && (low + 10 * p - 1) / (10 * p) <= high / (10 * p)) {
        p *= 10;
        zeros++;
    }

    /* the multiples of p around x; at least one is in the interval */
    const uint64_t below = twice / 2 / p * p, above = below + p, middle = 2 * below + p;
    uint64_t best = twice < middle || (twice == middle && exact_twice && below / p % 2 == 0) ? below : above;
    if (below < low)
        best = above;
    else if (above > high)
        best = below;
    const int count = put_digits(digit, best / p);
    *point = count + zeros - k;
    return count;
}

/* ---- in */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Does text begin with word, in any case? */
static bool begins(const char *text, size_t n, const char *word)
{
    size_t i = 0;
    for (; word[i]; i++)
        if (i == n || (text[i] | 0x20) != word[i])
            return false;
    return true;
}

static size_t parse_word(ash__decimal *d, const char *text, size_t n)
{
    if (begins(text, n, "nan")) {
        d->kind = ASH__DECIMAL_NAN;
        return 3;
    }
    if (!begins(text, n, "inf"))
        return 0;
    d->kind = ASH__DECIMAL_INFINITE;
    return begins(text, n, "infinity") ? 8 : 3;
}

/* [+-] digits after the letter e; the bytes used, letter included, or 0. */
static size_t parse_exponent(int64_t *exponent, const char *text, size_t n)
{
    size_t i = 1;
    if (n < 2 || (text[0] | 0x20) != 'e')
        return 0;
    const bool negative = text[1] == '-';
    i += negative || text[1] == '+';
    if (i == n || !is_digit(text[i]))
        return 0;
    int64_t value = 0;
    for (; i < n && is_digit(text[i]); i++)
        if (value < 1000000000000000) /* beyond any number of digits in memory */
            value = 10 * value + (text[i] - '0');
    *exponent += negative ? -value : value;
    return i;
}

/* Takes one digit into head as long as it fits 64 bits; then only remembers what is cut off. */
static void take_digit(ash__decimal *d, int digit, bool after_point, bool *full)
{
    uint64_t head;
    if (!*full && !__builtin_mul_overflow(d->head, 10U, &head) && !__builtin_add_overflow(head, (uint64_t)digit, &head)) {
        d->head = head;
        d->exponent -= after_point;
        return;
    }
    *full = true;
    d->more = d->more || digit != 0;
    d->exponent += !after_point;
}

size_t ash__decimal_parse(ash__decimal *d, const char *text, size_t n)
{
    *d = (ash__decimal){.kind = ASH__DECIMAL_NONE};
    size_t i = 0;
    if (n > 0 && (text[0] == '-' || text[0] == '+')) {
        d->negative = text[0] == '-';
        i = 1;
    }
    const size_t word = parse_word(d, text + i, n - i);
    if (word > 0)
        return i + word;

    bool point = false, any = false, full = false;
    d->digits = text + i;
    for (; i < n; i++) {
        if (is_digit(text[i])) {
            any = true;
            take_digit(d, text[i] - '0', point, &full);
        } else if (text[i] == '.' && !point) {
            point = true;
        } else {
            break;
        }
    }
    d->end = text + i;
    if (!any)
        return 0;
    const size_t used = parse_exponent(&d->exponent, text + i, n - i);
    d->kind = point || used ? ASH__DECIMAL_FLOAT : ASH__DECIMAL_INTEGER;
    return i + used;
}

/* (top + a rest below 1, not 0 when rest is set) * 2^e, top >= 2^63, rounded to the format. */
static double round_to_format(uint64_t top, int64_t e, bool rest, const ash__float_format *format)
{
    int64_t drop = 64 - format->bits;
    if (e + 63 > format->highest)
        return INFINITY;
    if (e + drop < format->lowest)
        drop = format->lowest - e;
    if (drop > 64)
        return 0.0;
    const uint64_t cut = drop == 64 ? top : top & (((uint64_t)1 << drop) - 1), half = (uint64_t)1 << (drop - 1);
    uint64_t m = drop == 64 ? 0 : top >> drop;
    m += cut > half || (cut == half && (rest || (m & 1)));
    const double x = ldexp((double)m, (int)(e + drop));
    return x >= ldexp(1.0, format->highest) * 2 ? INFINITY : x;
}

/* n / d with n < 2^64, as 64 leading bits. */
static double divide_small(uint64_t n, uint64_t d, int64_t e, const ash__float_format *format)
{
    const int shift = __builtin_clzll(n);
    const u128 wide = (u128)(n << shift) << 64, quotient = wide / d; /* 2^64 < quotient < 2^128, as d < 2^63 */
    bool rest = wide % d != 0;
    const uint64_t high = (uint64_t)(quotient >> 64);
    const int up = __builtin_clzll(high);
    const uint64_t top = (uint64_t)(quotient >> (64 - up));
    rest = rest || (u128)top << (64 - up) != quotient;
    return round_to_format(top, e - shift - up, rest, format);
}

static double multiply_small(uint64_t n, uint64_t f, int64_t e, const ash__float_format *format)
{
    const u128 product = (u128)n * f;
    const uint64_t high = (uint64_t)(product >> 64);
    const int bits = high ? 128 - __builtin_clzll(high) : 64 - __builtin_clzll((uint64_t)product);
    if (bits <= 64)
        return round_to_format((uint64_t)product << (64 - bits), e - (64 - bits), false, format);
    const uint64_t top = (uint64_t)(product >> (bits - 64));
    return round_to_format(top, e + (bits - 64), (u128)top << (bits - 64) != product, format);
}

/* All digits that can matter into n; the power of ten that goes with them, and whether a rest was left out. */
static int64_t big_digits(big *n, const ash__decimal *d, bool *rest)
{
    int64_t exponent = d->exponent;
    int taken = 0;
    uint64_t head = 0; /* filled as take_digit does */
    bool full = false;
    big_set(n, 0);
    *rest = false;
    for (const char *p = d->digits; p < d->end; p++) {
        if (*p == '.')
            continue;
        const uint32_t digit = (uint32_t)(*p - '0');
        uint64_t next;
        if (!full && !__builtin_mul_overflow(head, 10U, &next) && !__builtin_add_overflow(next, (uint64_t)digit, &next)) {
            head = next;
        } else {
            full = true;
            if (taken < SIGNIFICANT)
                exponent--; /* a digit beyond head */
        }
        if (taken < SIGNIFICANT) {
            big_multiply(n, 10, digit);
            taken += taken > 0 || digit != 0;
        } else {
            *rest = *rest || digit != 0;
        }
    }
    return exponent;
}

static double round_big(const ash__decimal *d, const ash__float_format *format)
{
    big n, divisor;
    bool rest, exact = true;
    const int64_t power = big_digits(&n, d, &rest);
    uint64_t top;
    int64_t e;
    if (power >= 0) {
        big_power5(&n, power);
        const int64_t shift = big_bits(&n) - 64;
        if (shift < 0)
            big_shift_left(&n, -shift);
        top = big_shifted(&n, shift < 0 ? 0 : shift, &exact);
        e = power + shift;
    } else {
        big_set(&divisor, 1);
        big_power5(&divisor, -power);
        /* the quotient is made to have 64 bits, or 63 */
        const int64_t shift = big_bits(&divisor) + 63 - big_bits(&n);
        if (shift >= 0)
            big_shift_left(&n, shift);
        else
            big_shift_left(&divisor, -shift);
        top = big_divide(&n, &divisor);
        exact = n.count == 0;
        e = power - shift;
        if (top >> 63 == 0) {
            top <<= 1; /* 63 bits are plenty: the lost one is told by rest, half never lies there */
            e--;
        }
    }
    return round_to_format(top, e, rest || !exact, format);
}

/* The head times a power of ten, rounded once. */
static double round_head(uint64_t head, int64_t exponent, const ash__decimal *d, const ash__float_format *format)
{
    if (exponent >= 0 && exponent < POWERS)
        return multiply_small(head, power5[exponent], exponent, format);
    if (exponent < 0 && -exponent < POWERS)
        return divide_small(head, power5[-exponent], exponent, format);
    return round_big(d, format);
}

static double magnitude(const ash__decimal *d, const ash__float_format *format)
{
    static const double power10[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                     1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    if (d->kind == ASH__DECIMAL_NAN)
        return NAN;
    if (d->kind == ASH__DECIMAL_INFINITE)
        return INFINITY;
    if (d->head == 0 && !d->more)
        return 0.0;
    /* both operands exact and one rounding, where double arithmetic is no wider than double */
    if (FLT_EVAL_METHOD == 0 && !d->more && format->bits == 53 && d->head < (uint64_t)1 << 53 && d->exponent >= -22 &&
        d->exponent <= 22)
        return d->exponent < 0 ? (double)d->head / power10[-d->exponent] : (double)d->head * power10[d->exponent];
    /* 20 digits of head: far out, whatever the rest is */
    if (d->exponent > 400)
        return INFINITY;
    if (d->exponent < -400)
        return 0.0;
    if (!d->more)
        return round_head(d->head, d->exponent, d, format);
    if (d->head < UINT64_MAX && d->exponent > -POWERS && d->exponent < POWERS) {
        const double low = round_head(d->head, d->exponent, d, format), high = round_head(d->head + 1, d->exponent, d, format);
        if (low == high) /* the cut digits cannot matter */
            return low;
    }
    return round_big(d, format);
}

double ash__decimal_to_float(const ash__decimal *d, const ash__float_format *format)
{
    const double x = magnitude(d, format);
    return d->negative ? -x : x;
}

bool ash__decimal_to_u64(const ash__decimal *d, uint64_t *result, bool *whole)
{
    uint64_t x = d->head;
    int64_t exponent = d->exponent;
    *whole = !d->more;
    if (d->kind != ASH__DECIMAL_INTEGER && d->kind != ASH__DECIMAL_FLOAT)
        return false;
    if (d->more && exponent > 0) /* head with one digit more is above 64 bits: that is why the rest was cut off */
        return false;
    for (; exponent > 0 && x != 0; exponent--)
        if (__builtin_mul_overflow(x, 10U, &x))
            return false;
    for (; exponent < 0 && x != 0; exponent++) {
        *whole = *whole && x % 10 == 0;
        x /= 10;
    }
    *result = x;
    return true;
}
