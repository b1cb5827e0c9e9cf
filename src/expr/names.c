/* names.c - the table of functions and operators, and the search for a name that was nearly right. */
#include "expr/names.h"

#include <math.h>
#include <string.h>

#define OP(op) ASH__OP_##op

static const ash__fn functions[] = {
    {"+", ASH__ARITHMETIC, OP(ADD), 2, 2},
    {"-", ASH__ARITHMETIC, OP(SUB), 2, 2},
    {"*", ASH__ARITHMETIC, OP(MUL), 2, 2},
    {"/", ASH__QUOTIENT, OP(DIV), 2, 2},
    {"%", ASH__DIVISION, OP(IREM), 2, 2},
    {"^", ASH__POWER, OP(IPOW), 2, 2},
    {"==", ASH__COMPARISON, OP(EQ), 2, 2},
    {"!=", ASH__COMPARISON, OP(NE), 2, 2},
    {"<", ASH__COMPARISON, OP(LT), 2, 2},
    {"<=", ASH__COMPARISON, OP(LE), 2, 2},
    {">", ASH__REVERSED, OP(LT), 2, 2},
    {">=", ASH__REVERSED, OP(LE), 2, 2},
    {"&&", ASH__LOGIC, OP(AND), 2, 2},
    {"||", ASH__LOGIC, OP(OR), 2, 2},
    {"!", ASH__LOGIC_NOT, OP(NOT), 1, 1},
    {"&", ASH__BITS, OP(AND), 2, 2},
    {"|", ASH__BITS, OP(OR), 2, 2},
    {"~", ASH__BITS_NOT, OP(NOT), 1, 1},
    {"<<", ASH__SHIFT, OP(SHL), 2, 2},
    {">>", ASH__SHIFT, OP(SHR), 2, 2},
    {"xor", ASH__BITS, OP(XOR), 2, 2},
    {"?:", ASH__CHOICE, OP(SELECT), 3, 3},
    {"neg", ASH__NEGATION, OP(NEG), 1, 1},

    {"sqrt", ASH__FLOAT, OP(SQRT), 1, 1},
    {"cbrt", ASH__FLOAT, OP(CBRT), 1, 1},
    {"exp", ASH__FLOAT, OP(EXP), 1, 1},
    {"exp2", ASH__FLOAT, OP(EXP2), 1, 1},
    {"expm1", ASH__FLOAT, OP(EXPM1), 1, 1},
    {"log", ASH__FLOAT, OP(LOG), 1, 1},
    {"log2", ASH__FLOAT, OP(LOG2), 1, 1},
    {"log10", ASH__FLOAT, OP(LOG10), 1, 1},
    {"log1p", ASH__FLOAT, OP(LOG1P), 1, 1},
    {"sin", ASH__FLOAT, OP(SIN), 1, 1},
    {"cos", ASH__FLOAT, OP(COS), 1, 1},
    {"tan", ASH__FLOAT, OP(TAN), 1, 1},
    {"sinpi", ASH__FLOAT, OP(SINPI), 1, 1},
    {"cospi", ASH__FLOAT, OP(COSPI), 1, 1},
    {"asin", ASH__FLOAT, OP(ASIN), 1, 1},
    {"acos", ASH__FLOAT, OP(ACOS), 1, 1},
    {"atan", ASH__FLOAT, OP(ATAN), 1, 1},
    {"atan2", ASH__FLOAT, OP(ATAN2), 2, 2},
    {"sinh", ASH__FLOAT, OP(SINH), 1, 1},
    {"cosh", ASH__FLOAT, OP(COSH), 1, 1},
    {"tanh", ASH__FLOAT, OP(TANH), 1, 1},
    {"asinh", ASH__FLOAT, OP(ASINH), 1, 1},
    {"acosh", ASH__FLOAT, OP(ACOSH), 1, 1},
    {"atanh", ASH__FLOAT, OP(ATANH), 1, 1},
    {"pow", ASH__POW, OP(POW), 2, 2},
    {"hypot", ASH__FLOAT, OP(HYPOT), 2, 2},
    {"erf", ASH__FLOAT, OP(ERF), 1, 1},
    {"erfc", ASH__FLOAT, OP(ERFC), 1, 1},
    {"lgamma", ASH__FLOAT, OP(LGAMMA), 1, 1},
    {"tgamma", ASH__FLOAT, OP(TGAMMA), 1, 1},
    {"floor", ASH__ROUNDING, OP(FLOOR), 1, 1},
    {"ceil", ASH__ROUNDING, OP(CEIL), 1, 1},
    {"trunc", ASH__ROUNDING, OP(TRUNC), 1, 1},
    {"round", ASH__ROUNDING, OP(ROUND), 1, 1},
    {"rint", ASH__ROUNDING, OP(RINT), 1, 1},
    {"nearbyint", ASH__ROUNDING, OP(RINT), 1, 1},
    {"fmod", ASH__FLOAT, OP(FMOD), 2, 2},
    {"remainder", ASH__FLOAT, OP(REMAINDER), 2, 2},
    {"copysign", ASH__FLOAT, OP(COPYSIGN), 2, 2},
    {"nextafter", ASH__FLOAT, OP(NEXTAFTER), 2, 2},
    {"fdim", ASH__FLOAT, OP(FDIM), 2, 2},
    {"fmin", ASH__FLOAT, OP(FMIN), 2, 2},
    {"fmax", ASH__FLOAT, OP(FMAX), 2, 2},
    {"fma", ASH__FLOAT, OP(FMA), 3, 3},
    {"fabs", ASH__FLOAT, OP(ABS), 1, 1},
    {"logb", ASH__FLOAT, OP(LOGB), 1, 1},
    {"ilogb", ASH__EXPONENT, OP(LOGB), 1, 1},
    {"ldexp", ASH__SCALING, OP(LDEXP), 2, 2},
    {"scalbn", ASH__SCALING, OP(LDEXP), 2, 2},
    {"isnan", ASH__TEST, OP(ISNAN), 1, 1},
    {"isinf", ASH__TEST, OP(ISINF), 1, 1},
    {"isfinite", ASH__TEST, OP(ISFINITE), 1, 1},
    {"isnormal", ASH__TEST, OP(ISNORMAL), 1, 1},
    {"signbit", ASH__TEST, OP(SIGNBIT), 1, 1},

    {"abs", ASH__ABSOLUTE, OP(ABS), 1, 1},
    {"abs2", ASH__SQUARE, OP(MUL), 1, 1},
    {"sign", ASH__SIGN, OP(SIGN), 1, 1},
    {"min", ASH__EXTREME, OP(MIN), 2, ASH__ANY_COUNT},
    {"max", ASH__EXTREME, OP(MAX), 2, ASH__ANY_COUNT},
    {"clamp", ASH__CLAMP, OP(NONE), 3, 3},
    {"rem", ASH__DIVISION, OP(IREM), 2, 2},
    {"div", ASH__DIVISION, OP(IDIV), 2, 2},
    {"fld", ASH__DIVISION, OP(IFLD), 2, 2},
    {"mod", ASH__DIVISION, OP(IMOD), 2, 2},
    {"real", ASH__REAL, OP(NONE), 1, 1},
    {"imag", ASH__IMAGINARY, OP(NONE), 1, 1},
    {"conj", ASH__CONJUGATE, OP(NONE), 1, 1},
    {"arg", ASH__ARGUMENT, OP(ATAN2), 1, 1},
    {"complex", ASH__COMPLEX, OP(NONE), 2, 2},
};

enum { FUNCTIONS = sizeof functions / sizeof functions[0] };

static const struct constant {
    const char *name;
    double value;
} constants[] = {
    {"pi", 0x1.921fb54442d18p+1}, {"e", 0x1.5bf0a8b145769p+1}, {"inf", (double)INFINITY}, {"nan", (double)NAN}};

enum { CONSTANTS = sizeof constants / sizeof constants[0] };

static bool is(const char *known, const char *name, size_t length)
{
    return strncmp(known, name, length) == 0 && known[length] == '\0';
}

const ash__fn *ash__fn_find(const char *name, size_t length)
{
    for (int k = 0; k < FUNCTIONS; k++)
        if (is(functions[k].name, name, length))
            return &functions[k];
    return NULL;
}

const ash__fn *ash__fn_bare(const char *name, size_t length)
{
    return is("^", name, length) ? ash__fn_find("xor", 3) : ash__fn_find(name, length);
}

ash_dtype ash__dtype_named(const char *name, size_t length)
{
    char text[8];
    if (length >= sizeof text)
        return ASH_DTYPE_DEFAULT;
    memcpy(text, name, length);
    text[length] = '\0';
    return ash_dtype_from_name(text);
}

bool ash__constant_named(const char *name, size_t length, ash__literal *value)
{
    for (int k = 0; k < CONSTANTS; k++)
        if (is(constants[k].name, name, length)) {
            *value = ash__literal_float(constants[k].value);
            return true;
        }
    return false;
}

/* ---- nearly right names */

enum { LONGEST = 24 };

static int smaller(int a, int b) { return a < b ? a : b; }

/* Insertions, deletions, exchanges, and swaps of neighbours that turn a into b: three rows of the usual table. */
static int distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
    int row[3][LONGEST + 1];
    int *before = row[0], *last = row[1], *now = row[2];
    for (size_t j = 0; j <= b_length; j++)
        before[j] = last[j] = (int)j;
    for (size_t i = 1; i <= a_length; i++) {
        now[0] = (int)i;
        for (size_t j = 1; j <= b_length; j++) {
            const int change = a[i - 1] != b[j - 1];
            now[j] = smaller(smaller(last[j], now[j - 1]) + 1, last[j - 1] + change);
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                now[j] = smaller(now[j], before[j - 2] + 1);
        }
        int *free_row = before;
        before = last;
        last = now;
        now = free_row;
    }
    return last[b_length];
}

void ash__closest_offer(ash__closest *c, const char *candidate, size_t length)
{
    if (c->length > LONGEST || length > LONGEST || c->length < 2)
        return;
    const int limit = c->length <= 5 ? 1 : c->length <= 8 ? 2 : 3;
    const int d = distance(c->name, c->length, candidate, length);
    if (d > limit || d >= (int)length || (c->best && d >= c->distance))
        return;
    c->best = candidate;
    c->best_length = length;
    c->distance = d;
}

void ash__closest_offer_all(ash__closest *c)
{
    for (int k = 0; k < FUNCTIONS; k++)
        if (functions[k].name[0] >= 'a')
            ash__closest_offer(c, functions[k].name, strlen(functions[k].name));
    for (int k = 0; k < CONSTANTS; k++)
        ash__closest_offer(c, constants[k].name, strlen(constants[k].name));
    for (int d = ASH_BOOL; d < ASH__PLAIN_COUNT; d++)
        ash__closest_offer(c, ash_dtype_name((ash_dtype)d), strlen(ash_dtype_name((ash_dtype)d)));
}
