/* names.h - the functions, operators and constants of the language. */
#ifndef ASH__NAMES_H
#define ASH__NAMES_H
#include <stddef.h>

#include "expr/literal.h"
#include "expr/ops.h"

/* How operands are typed and what is built: one rule per family. */
typedef enum ash__family {
    ASH__ARITHMETIC,       /* + - *: promoted; bool counts as i64 */
    ASH__NEGATION,
    ASH__QUOTIENT,         /* /: of integers f64 */
    ASH__POWER,            /* ^ */
    ASH__POW,              /* C's pow: always floats */
    ASH__DIVISION,         /* % rem div fld mod: integers stay, floats have an operation of their own */
    ASH__EXTREME,          /* min max: two operands or more */
    ASH__CLAMP,
    ASH__COMPARISON,       /* op is EQ, NE, LT, LE */
    ASH__REVERSED,         /* > >=: op is LT, LE with the operands exchanged */
    ASH__LOGIC,            /* && ||: operands are read as x != 0 */
    ASH__LOGIC_NOT,
    ASH__BITS,             /* & | xor: integers and bool */
    ASH__BITS_NOT,
    ASH__SHIFT,
    ASH__CHOICE,           /* ?: */
    ASH__FLOAT,            /* C's math functions: integers become f64 */
    ASH__ROUNDING,         /* floor ...: integers stay as they are */
    ASH__TEST,             /* isnan ...: bool */
    ASH__ABSOLUTE,         /* abs: integers stay, complex gives the modulus */
    ASH__SIGN,
    ASH__SQUARE,           /* abs2 */
    ASH__REAL,
    ASH__IMAGINARY,
    ASH__CONJUGATE,
    ASH__ARGUMENT,         /* arg */
    ASH__COMPLEX,
    ASH__SCALING,          /* ldexp scalbn */
    ASH__EXPONENT          /* ilogb */
} ash__family;

typedef struct ash__fn {
    const char *name;
    ash__family family;
    ash__op op;       /* NONE where the family says all */
    int least, most;  /* operands; a bare name has `least` of them (at least 1) */
} ash__fn;

enum { ASH__ANY_COUNT = 1024 };

const ash__fn *ash__fn_find(const char *name, size_t length); /* operators too; NULL when unknown */
/* An operator's text standing alone: as above, but "^" is xor, as in reductions. */
const ash__fn *ash__fn_bare(const char *name, size_t length);
/* "f32", "c64": a cast; ASH_DTYPE_DEFAULT when it is no plain dtype. */
ash_dtype ash__dtype_named(const char *name, size_t length);
/* pi e inf nan */
bool ash__constant_named(const char *name, size_t length, ash__literal *value);

/*
 * The nearest known name, for "did you mean": start with closest = {name, length}, offer candidates, read best. Near are
 * names one letter away, two for words of 6 letters, three from 9 on.
 */
typedef struct ash__closest {
    const char *name;
    size_t length;
    const char *best;
    size_t best_length;
    int distance;
} ash__closest;
void ash__closest_offer(ash__closest *c, const char *candidate, size_t length);
void ash__closest_offer_all(ash__closest *c); /* every function, constant and dtype */
#endif
