/*
 * fold.h - the operators of reductions and scans: from a text to what a backend folds with, in which dtype, from where.
 */
#ifndef ASH__FOLD_H
#define ASH__FOLD_H
#include "ops/operands.h"

/* An operator as the caller gave it. */
typedef struct ash__operator {
    const char *text; /* "+" or a function string */
    ash__fold fold;
    bool truth;             /* "&&", "||": elements are made bool first, by x != 0 */
    bool widen;             /* ash_sum and its kin: small integers are added as 64-bit ones */
    ash_function *function; /* of a function string; to be released */
} ash__operator;

/* false with an error: NULL, or a function string that does not compile. */
bool ash__operator_open(const char *function, const char *text, ash__operator *op);
void ash__operator_close(ash__operator *op);

/* How elements of one dtype are folded. */
typedef struct ash__folding {
    ash__fold fold;   /* FUNCTION where the operator is a product of complex numbers, too */
    ash_dtype dtype;  /* of the accumulator */
    ash_dtype result; /* of the result: the same, but for f16 that is folded by a function in f32 */
    bool has_init;
    unsigned char init[16]; /* as ash__task wants it */
    ash__program *combine;  /* of FUNCTION; to be released */
} ash__folding;

/*
 * The dtype rule: that of the operator on two elements ("+" on bool is i64), with 64 bits where op->widen asks; an init takes
 * part as one more element does, so a wider or higher one lifts the result. out: the dtype of a given output, or 0; a wider
 * one of the same kind is what is accumulated in. Errors: no order of complex numbers, bits of floats, records, an init
 * that does not fit, an operator without its neutral element.
 */
ash_status ash__folding_set(const char *function, const ash__operator *op, ash_dtype element, const ash_operand *init,
                            const ash_device *device, ash_dtype out, ash__folding *f);
void ash__folding_end(ash__folding *f);

/* The neutral element of f, or its init, as a value of the part's machine type: what masked-out elements become. */
void ash__folding_neutral(const ash__folding *f, ash__scalar *re, ash__scalar *im);
/* The function string that combines two results of op. */
const char *ash__operator_function(const ash__operator *op);
#endif
