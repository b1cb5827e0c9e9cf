/*
 * literal.h - the numbers written in a function string, and what follows from them alone.
 *
 * A literal has no dtype yet: it is an integer of 64 bits, signed or not, or an f64, or two of them (complex). It takes a
 * dtype when it meets one.
 */
#ifndef ASH__LITERAL_H
#define ASH__LITERAL_H
#include "core/dtype.h"
#include "expr/program.h"

typedef struct ash__literal {
    bool is_float;
    bool is_complex;
    bool large;      /* an integer from 2^63 on: i[0] holds its bits. Never complex. */
    int64_t i[2];    /* real and imaginary part of an integer */
    double f[2];     /* of a float */
} ash__literal;

ash__literal ash__literal_integer(uint64_t magnitude);
ash__literal ash__literal_signed(int64_t value);
ash__literal ash__literal_float(double value);

/* A part (0 real, 1 imaginary) as a number; integers are rounded to f64. */
double ash__literal_part(const ash__literal *x, int part);
/* Part as a value of the real dtype's machine type (f16 and bf16 rounded to themselves): false when it is an integer that
 * the dtype does not hold, or a finite number too large for a float. A float literal needs a float dtype. */
bool ash__literal_fits(const ash__literal *x, int part, ash_dtype real, ash__scalar *value);
/* The dtype it takes beside an operand of dtype `beside`; alone, beside bool: integers i64, floats f64. */
ash_dtype ash__literal_dtype(const ash__literal *x, ash_dtype beside);
char *ash__literal_text(char buffer[64], const ash__literal *x);

/* -1, 0, 1: the real literal below, equal to or above y; 2 when either is NaN. Exact. */
int ash__literal_compare(const ash__literal *x, double y);

typedef enum ash__exact {
    ASH__EXACT_NO,       /* not for these operands: computed in i64 or f64 like anything else */
    ASH__EXACT_DONE,
    ASH__EXACT_OVERFLOW, /* the integer result has more than 64 bits */
    ASH__EXACT_NEGATIVE  /* an integer to a negative power, or shifted by one */
} ash__exact;
/* Integer literals: x op y for + - * << and power (IPOW); NEG of x alone. */
ash__exact ash__literal_exact(ash__op op, const ash__literal *x, const ash__literal *y, ash__literal *result);
#endif
