/* decimal.h - floats as decimal text and back, exactly, for every float dtype; no locale, no allocation. */
#ifndef ASH__DECIMAL_H
#define ASH__DECIMAL_H
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A binary float format: values are m * 2^e, m < 2^bits, e >= lowest, below 2^(highest + 1). */
typedef struct ash__float_format {
    int bits, lowest, highest;
} ash__float_format;
extern const ash__float_format ash__format_of_f16, ash__format_of_bf16, ash__format_of_f32, ash__format_of_f64;

/*
 * The fewest decimal digits that read back as x in its format, and of these the nearest to x: x is 0.d1d2... * 10^*point.
 * x > 0, finite and a value of the format. Gives back the number of digits, 1 to 17; no 0 after the text.
 */
int ash__shortest(char digit[17], int *point, double x, const ash__float_format *format);

typedef enum ash__decimal_kind {
    ASH__DECIMAL_NONE,
    ASH__DECIMAL_INTEGER, /* digits only */
    ASH__DECIMAL_FLOAT,   /* a point or an exponent too */
    ASH__DECIMAL_INFINITE,
    ASH__DECIMAL_NAN
} ash__decimal_kind;

/* What stands in a text: (-1)^negative * (head + a rest below 1) * 10^exponent; the rest is 0 unless `more`. */
typedef struct ash__decimal {
    ash__decimal_kind kind;
    bool negative, more;
    uint64_t head;
    int64_t exponent;
    const char *digits, *end; /* where digits and point stand, for when head is not enough: borrowed from the text */
} ash__decimal;

/* Reads [+-] digits [. digits] [e [+-] digits], or inf, infinity, nan in any case. Gives back the bytes used, 0 for none. */
size_t ash__decimal_parse(ash__decimal *d, const char *text, size_t n);
/* Correctly rounded to nearest even; infinite when too large. */
double ash__decimal_to_float(const ash__decimal *d, const ash__float_format *format);
/* The number without its sign, cut to an integer; *whole says that nothing was cut. false when it is 2^64 or more. */
bool ash__decimal_to_u64(const ash__decimal *d, uint64_t *magnitude, bool *whole);
#endif
