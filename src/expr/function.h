/*
 * function.h - function strings: text to syntax tree (once), tree and dtypes to typed program (once per dtypes, cached).
 */
#ifndef ASH__FUNCTION_H
#define ASH__FUNCTION_H
#include "ashlar/map.h"
#include "expr/program.h"

typedef struct ash__argument {
    ash_dtype dtype;
    bool conjugated;
} ash__argument;

typedef enum ash__rule {
    ASH__RULE_NATURAL, /* the function's own result dtype */
    ASH__RULE_INTO,    /* stored into dtype: a lower kind is an error that asks for a cast; a narrower integer or bool is
                        * checked (ASH__OP_NARROW); wider and floats are converted and rounded once */
    ASH__RULE_CAST     /* converted to dtype as a cast would */
} ash__rule;

typedef struct ash__target {
    ash__rule rule;
    ash_dtype dtype;      /* INTO, CAST */
    bool conjugated;      /* the destination is an adjoint: the conjugate is stored */
    const char *device;   /* for messages */
    bool f64;             /* may the program hold f64? */
} ash__target;

/* From the cache of texts (bounded, shared by all threads), with one reference for the caller: ash_function_release. */
ash_function *ash__function_open(const char *function, const char *text);
/* The same without a reference, if this thread has had it before: until it opens another. Else NULL. */
const ash_function *ash__function_at_hand(const char *text);
uint64_t ash__function_serial(const ash_function *f);                     /* no other function has or had it */
int64_t ash__function_arity(const ash_function *f);                       /* parameters */
const char *ash__function_parameter(const ash_function *f, int64_t number); /* its name; "x" for a bare name's */

/* The program for these argument dtypes; one reference for the caller. NULL with an error: wrong count (argument), no such
 * arithmetic (dtype), all with the caret into the text. `function` is the public function's name. */
ash__program *ash__function_program(const char *function, const ash_function *f, int64_t count, const ash__argument *argument,
                                    const ash__target *target);
#endif
