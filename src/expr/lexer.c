/*
 * lexer.c - text to words.
 *
 * Numbers: 2 2.0 .5 1e-3 0x1F 0b101, with the suffixes f (2f, 2.0f; 2f0 and 1f-3 give an exponent) for f32 and i or im for
 * an imaginary one. Nothing depends on the locale. What a number runs into ("2x") is reported, not split.
 */
#include "expr/lexer.h"

#include <math.h>
#include <string.h>

#include "core/decimal.h"
#include "core/error.h"

enum { NUMBER_LIMIT = 1000 }; /* bytes of one number */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
static bool is_word(char c) { return is_letter(c) || is_digit(c); }
static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

static ash__token bad(const ash__lexer *lexer, int position, const char *what)
{
    ash__fail_text(ASH_ERR_ARGUMENT, lexer->function, lexer->text, position, "%s", what);
    return (ash__token){.kind = ASH__TOKEN_BAD, .position = position};
}

/* ---- numbers */

static int digit_of(char c, int base)
{
    const int d = is_digit(c) ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : c >= 'A' && c <= 'F' ? c - 'A' + 10 : 99;
    return d < base ? d : -1;
}

/* Digits of base 2 or 16 at p; *end behind them. false: more than 64 bits. */
static bool read_based(const char *p, int base, const char **end, uint64_t *value)
{
    *value = 0;
    for (; digit_of(*p, base) >= 0; p++) {
        if (__builtin_mul_overflow(*value, (uint64_t)base, value))
            return false;
        *value += (uint64_t)digit_of(*p, base);
    }
    *end = p;
    return true;
}

/* The bytes of a decimal number without suffix: digits, a point, and an exponent after e, or after f for f32. */
static int decimal_length(const char *p, bool *f_exponent)
{
    const char *start = p;
    *f_exponent = false;
    while (is_digit(*p))
        p++;
    if (*p == '.' && (p > start || is_digit(p[1]))) {
        p++;
        while (is_digit(*p))
            p++;
    }
    if (*p == 'e' || *p == 'E' || *p == 'f') {
        const char *q = p + 1;
        if (*q == '+' || *q == '-')
            q++;
        if (is_digit(*q)) {
            *f_exponent = *p == 'f';
            while (is_digit(*q))
                q++;
            p = q;
        }
    }
    return (int)(p - start);
}

/* Reads `length` bytes of a decimal number, where f stands for e. */
static bool read_decimal(const char *p, int length, bool f32, ash__literal *value)
{
    char text[NUMBER_LIMIT + 1];
    ash__decimal d;
    uint64_t magnitude;
    bool whole;
    memcpy(text, p, (size_t)length);
    text[length] = '\0';
    char *f = strchr(text, 'f');
    if (f)
        *f = 'e';
    ash__decimal_parse(&d, text, (size_t)length);
    if (d.kind == ASH__DECIMAL_INTEGER && !f32) {
        const bool fits = ash__decimal_to_u64(&d, &magnitude, &whole);
        *value = ash__literal_integer(fits ? magnitude : 0);
        return fits;
    }
    *value = ash__literal_float(ash__decimal_to_float(&d, f32 ? &ash__format_of_f32 : &ash__format_of_f64));
    return !isinf(value->f[0]);
}

/* i or im: the number becomes the imaginary part. */
static bool make_imaginary(ash__token *t)
{
    ash__literal *x = &t->literal;
    if (x->large)
        return false;
    x->is_complex = true;
    x->i[1] = x->i[0];
    x->f[1] = x->f[0];
    x->i[0] = 0;
    x->f[0] = 0;
    return true;
}

static ash__token finish_number(ash__lexer *lexer, ash__token t, const char *p)
{
    if (*p == 'i' && !is_word(p[p[1] == 'm' ? 2 : 1])) {
        p += p[1] == 'm' ? 2 : 1;
        if (!make_imaginary(&t))
            return bad(lexer, t.position, "the number does not fit i64");
    }
    if (is_word(*p) || (*p == '.' && is_word(p[1])))
        return bad(lexer, (int)(p - lexer->text), "a number runs into a name; write 2*x for a product");
    t.length = (int)(p - lexer->text) - t.position;
    lexer->position += t.length;
    return t;
}

static ash__token based_number(ash__lexer *lexer, ash__token t, int base)
{
    const char *digits = lexer->text + t.position + 2, *end = digits;
    uint64_t value;
    if (!read_based(digits, base, &end, &value))
        return bad(lexer, t.position, "the number does not fit 64 bits");
    if (end == digits)
        return bad(lexer, t.position, base == 16 ? "no digits after 0x" : "no digits after 0b");
    t.literal = ash__literal_integer(value);
    return finish_number(lexer, t, end);
}

static ash__token number(ash__lexer *lexer)
{
    const char *p = lexer->text + lexer->position;
    ash__token t = {.kind = ASH__TOKEN_NUMBER, .position = lexer->position};
    if (p[0] == '0' && (p[1] == 'x' || p[1] == 'X'))
        return based_number(lexer, t, 16);
    if (p[0] == '0' && (p[1] == 'b' || p[1] == 'B'))
        return based_number(lexer, t, 2);
    bool f_exponent;
    const int length = decimal_length(p, &f_exponent);
    if (length > NUMBER_LIMIT)
        return bad(lexer, t.position, "the number has too many digits");
    if (p[0] == '0' && length > 1 && is_digit(p[1]))
        return bad(lexer, t.position, "a number does not begin with 0 (in C it would be octal)");
    const bool suffix = !f_exponent && p[length] == 'f' && (!is_word(p[length + 1]) || p[length + 1] == 'i');
    t.is_f32 = suffix || f_exponent;
    if (!read_decimal(p, length, t.is_f32, &t.literal))
        return bad(lexer, t.position,
                   t.literal.is_float ? (t.is_f32 ? "the number does not fit f32" : "the number does not fit f64")
                                      : "the number does not fit 64 bits; write a float, with a point");
    return finish_number(lexer, t, p + length + (suffix ? 1 : 0));
}

/* ---- the rest */

static ash__token symbol(ash__lexer *lexer)
{
    static const char *const two[] = {"->", "==", "!=", "<=", ">=", "&&", "||", "<<", ">>"};
    const char *p = lexer->text + lexer->position;
    ash__token t = {.kind = ASH__TOKEN_SYMBOL, .position = lexer->position, .length = 1};
    if (p[0] == '*' && p[1] == '*')
        return bad(lexer, t.position, "a power is written x^2");
    for (size_t k = 0; k < sizeof two / sizeof two[0]; k++)
        if (p[0] == two[k][0] && p[1] == two[k][1])
            t.length = 2;
    if (t.length == 1 && !strchr("+-*/%^<>&|!~?:(),.[]=", p[0])) {
        char what[64];
        if (p[0] > ' ' && p[0] < 0x7f)
            snprintf(what, sizeof what, "unexpected character %c", p[0]);
        else
            snprintf(what, sizeof what, "unexpected byte 0x%02X", (unsigned)(unsigned char)p[0]);
        return bad(lexer, t.position, what);
    }
    lexer->position += t.length;
    return t;
}

ash__token ash__lexer_next(ash__lexer *lexer)
{
    const char *text = lexer->text;
    while (is_space(text[lexer->position]))
        lexer->position++;
    const int start = lexer->position;
    if (text[start] == '\0')
        return (ash__token){.kind = ASH__TOKEN_END, .position = start};
    if (is_digit(text[start]) || (text[start] == '.' && is_digit(text[start + 1])))
        return number(lexer);
    if (!is_letter(text[start]))
        return symbol(lexer);
    while (is_word(text[lexer->position]))
        lexer->position++;
    return (ash__token){.kind = ASH__TOKEN_NAME, .position = start, .length = lexer->position - start};
}
