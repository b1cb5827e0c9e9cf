/*
 * compile.h - from tree and dtypes to a program: what the parts of the compiler share.
 *
 * Every node of the tree becomes a value, in order. A value that is a number has a dtype, which is tracked apart from the
 * machine type that it is computed in: f16 + f16 is f16 although both are f32 inside. A literal keeps its number until it
 * meets a dtype; so does a choice between literals, c ? 1.0 : 0.0, which follows the operand beside it as 1.0 would.
 * A complex operation on a real value treats it as real: no imaginary 0 is multiplied.
 */
#ifndef ASH__COMPILE_H
#define ASH__COMPILE_H
#include "expr/cast.h"
#include "expr/function.h"
#include "expr/tree.h"

typedef enum ash__value_kind {
    ASH__VALUE_NONE,    /* after a failure */
    ASH__VALUE_NUMBER,
    ASH__VALUE_LITERAL,
    ASH__VALUE_CHOICE,  /* choice[index]: one of two that are literals or choices themselves */
    ASH__VALUE_RECORD,  /* operand number index, from byte offset on */
    ASH__VALUE_INNER    /* an inner array of count elements of dtype there */
} ash__value_kind;

typedef struct ash__value {
    ash__value_kind kind;
    ash_dtype dtype;
    ash__pair part;       /* NUMBER */
    ash__literal literal; /* LITERAL */
    int position;         /* of the text, for errors */
    int index;
    uint32_t offset;
    int64_t count;
} ash__value;

typedef struct ash__choice {
    int condition; /* a value of type bool */
    int leaves;
    ash__value value[2];
} ash__choice;

enum { ASH__LEAF_LIMIT = 16 }; /* literals in one choice; beyond, it takes the dtype of a literal that stands alone */

typedef struct ash__compiler {
    const char *function;
    const char *text;
    const ash__tree *tree;
    ash__builder *b;
    const ash__argument *argument;
    const ash__target *target;
    ash__value *value; /* of each node */
    ash__choice *choice;
    int choices, choice_room;
    int guard;         /* a bool value: what is computed now matters only where it holds; -1: everywhere */
    bool folding;      /* literals among themselves: f64 is no machine's here */
    int position;      /* of the node in work */
    bool failed;
} ash__compiler;

extern const ash__value ash__no_value;

/* ---- failures: the first is reported; all of them give the value NONE */
ash__value ash__compile_fail(ash__compiler *c, ash_status status, int position, const char *format, ...)
    __attribute__((format(printf, 4, 5), cold));
ash__value ash__not_defined(ash__compiler *c, const ash__fn *fn, ash_dtype dtype); /* "cbrt is not defined for c_f32" */
ash__value ash__not_ordered(ash__compiler *c, const ash__fn *fn);
/* f64 arises: an error where the device has none. what: "/ of integers" */
bool ash__allow_f64(ash__compiler *c, int position, const char *what);

/* ---- values: value.c */
ash__value ash__number(const ash__compiler *c, ash_dtype dtype, int re, int im);
ash__value ash__literal_value(const ash__compiler *c, ash__literal literal);
static inline bool ash__is_literal(const ash__value *v)
{
    return v->kind == ASH__VALUE_LITERAL || v->kind == ASH__VALUE_CHOICE;
}
/* A literal or choice as a number of dtype; a number of lower or equal kind with its parts converted; a real
 * one stays real. */
ash__value ash__settle(ash__compiler *c, const ash__value *v, ash_dtype dtype);
/* The dtype that a literal or choice takes beside another one (DEFAULT: alone). */
ash_dtype ash__settled_dtype(const ash__compiler *c, const ash__value *v, ash_dtype beside);
/* A literal or choice as i64, f64, c_i64 or c_f64; a number as it is. */
ash__value ash__alone(ash__compiler *c, const ash__value *v);
/* Brings n numbers and literals to their common dtype, which is given back; DEFAULT after a failure. */
ash_dtype ash__gather(ash__compiler *c, int n, ash__value *v);
/* condition ? x : y over whatever x and y are. */
ash__value ash__choose(ash__compiler *c, int condition, const ash__value *x, const ash__value *y);
int ash__truth(ash__compiler *c, const ash__value *v); /* x != 0, a bool */

/* ---- operations: apply.c chooses among them by family; arguments have been checked to be numbers */
ash__value ash__apply(ash__compiler *c, const ash__fn *fn, int n, ash__value *v);
ash__value ash__apply_cast(ash__compiler *c, const ash__value *v, ash_dtype to);
typedef ash__value ash__rule_of_family(ash__compiler *c, const ash__fn *fn, int n, ash__value *v);
ash__rule_of_family ash__compile_arithmetic, ash__compile_negation, ash__compile_quotient, ash__compile_division,
    ash__compile_extreme, ash__compile_clamp, ash__compile_power, ash__compile_pow, ash__compile_comparison,
    ash__compile_reversed, ash__compile_logic, ash__compile_logic_not, ash__compile_bits, ash__compile_bits_not,
    ash__compile_shift, ash__compile_choice, ash__compile_float, ash__compile_rounding, ash__compile_test,
    ash__compile_absolute, ash__compile_sign, ash__compile_square, ash__compile_real, ash__compile_imaginary,
    ash__compile_conjugate, ash__compile_argument, ash__compile_complex, ash__compile_scaling, ash__compile_exponent;
/* Integer and bool become f64, c_i32 and its like c_f64; an error where there is no f64. DEFAULT after a failure. */
ash_dtype ash__float_dtype(ash__compiler *c, const ash__fn *fn, ash_dtype dtype);
/* What a divisor is where it does not matter. */
int ash__guarded(ash__compiler *c, int divisor, int64_t harmless);

/* ---- the result: result.c */
ash__program *ash__compile_result(ash__compiler *c, const ash__value *v); /* takes c->b */

/* The whole: compile.c. NULL with an error. */
ash__program *ash__compile(const char *function, const char *text, const ash__tree *tree, int64_t count,
                           const ash__argument *argument, const ash__target *target);
#endif
