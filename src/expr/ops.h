/*
 * ops.h - the operations of typed programs: the one list that the parser, every evaluator and the kernel generators share.
 *
 * X(ID, arity, classes, result)
 *   classes   machine types the operation exists for: B bool, I integers, F floats (or-ed)
 *   result    S: the type of its operands; L: bool
 * The operation's type is that of its operands a (and b); SELECT's condition is bool and its type that of b and c.
 * Complex arithmetic never gets here: the compiler splits it into real and imaginary parts.
 */
#ifndef ASH__OPS_H
#define ASH__OPS_H
#include <stdbool.h>

enum { ASH__B = 1, ASH__I = 2, ASH__F = 4, ASH__IF = 6, ASH__BI = 3, ASH__BIF = 7 };

#define ASH__OPS(X)                                                                                                     \
    /* arithmetic; integers wrap */                                                                                     \
    X(ADD, 2, ASH__IF, S) X(SUB, 2, ASH__IF, S) X(MUL, 2, ASH__IF, S) X(NEG, 1, ASH__IF, S) X(ABS, 1, ASH__IF, S)       \
    X(DIV, 2, ASH__F, S)                                                                                                \
    X(MULADD, 3, ASH__IF, S) /* a*b + c, two roundings */                                                               \
    X(MULSUB, 3, ASH__IF, S) /* a*b - c, two roundings */                                                               \
    X(MULMUL, 3, ASH__IF, S) /* (a*b)*c, two roundings */                                                               \
    X(SUMSQ, 2, ASH__IF, S)  /* a*a + b*b, three roundings */                                                           \
    X(SQDIFF, 2, ASH__IF, S) /* (a - b)*(a - b), two roundings */                                                       \
    X(FMA, 3, ASH__F, S)     /* a*b + c, one rounding */                                                                \
    X(MIN, 2, ASH__BIF, S)   /* NaN if either is; -0.0 below 0.0 */                                                     \
    X(MAX, 2, ASH__BIF, S)                                                                                              \
    X(SIGN, 1, ASH__IF, S)   /* -1, 0, 1; of 0.0, -0.0 and NaN: the argument */                                         \
    /* integer division; division by zero is a fault; the smallest number by -1 wraps */                                \
    X(IDIV, 2, ASH__I, S)    /* toward zero */                                                                          \
    X(IREM, 2, ASH__I, S)    /* sign of the dividend */                                                                 \
    X(IFLD, 2, ASH__I, S)    /* toward minus infinity */                                                                \
    X(IMOD, 2, ASH__I, S)    /* sign of the divisor */                                                                  \
    X(IPOW, 2, ASH__I, S)    /* wraps; a negative exponent is a fault unless the base is 1 or -1 */                     \
    /* bits; a shift by the width or more gives 0 (SHR of a negative number: -1); counts are read as unsigned */        \
    X(AND, 2, ASH__BI, S) X(OR, 2, ASH__BI, S) X(XOR, 2, ASH__BI, S) X(NOT, 1, ASH__BI, S) /* of bool: logical */       \
    X(SHL, 2, ASH__I, S) X(SHR, 2, ASH__I, S)                                                                           \
    /* comparisons: false when either is NaN, but NE */                                                                 \
    X(EQ, 2, ASH__BIF, L) X(NE, 2, ASH__BIF, L) X(LT, 2, ASH__BIF, L) X(LE, 2, ASH__BIF, L)                             \
    X(SELECT, 3, ASH__BIF, S) /* a ? b : c */                                                                           \
    /* floats */                                                                                                        \
    X(SQRT, 1, ASH__F, S) X(CBRT, 1, ASH__F, S)                                                                         \
    X(EXP, 1, ASH__F, S) X(EXP2, 1, ASH__F, S) X(EXPM1, 1, ASH__F, S)                                                   \
    X(LOG, 1, ASH__F, S) X(LOG2, 1, ASH__F, S) X(LOG10, 1, ASH__F, S) X(LOG1P, 1, ASH__F, S)                            \
    X(SIN, 1, ASH__F, S) X(COS, 1, ASH__F, S) X(TAN, 1, ASH__F, S)                                                      \
    X(SINPI, 1, ASH__F, S) X(COSPI, 1, ASH__F, S)                                                                       \
    X(ASIN, 1, ASH__F, S) X(ACOS, 1, ASH__F, S) X(ATAN, 1, ASH__F, S) X(ATAN2, 2, ASH__F, S)                            \
    X(SINH, 1, ASH__F, S) X(COSH, 1, ASH__F, S) X(TANH, 1, ASH__F, S)                                                   \
    X(ASINH, 1, ASH__F, S) X(ACOSH, 1, ASH__F, S) X(ATANH, 1, ASH__F, S)                                                \
    X(POW, 2, ASH__F, S) X(HYPOT, 2, ASH__F, S)                                                                         \
    X(ERF, 1, ASH__F, S) X(ERFC, 1, ASH__F, S) X(LGAMMA, 1, ASH__F, S) X(TGAMMA, 1, ASH__F, S)                          \
    X(FLOOR, 1, ASH__F, S) X(CEIL, 1, ASH__F, S) X(TRUNC, 1, ASH__F, S)                                                 \
    X(ROUND, 1, ASH__F, S) /* halves away from zero */                                                                  \
    X(RINT, 1, ASH__F, S)  /* halves to even */                                                                         \
    X(FMOD, 2, ASH__F, S) X(REMAINDER, 2, ASH__F, S)                                                                    \
    X(FLDMOD, 2, ASH__F, S) /* x - floor(x/y)*y: sign of the divisor */                                                 \
    X(FDIM, 2, ASH__F, S) X(FMIN, 2, ASH__F, S) X(FMAX, 2, ASH__F, S) /* C's: a NaN gives way to a number */            \
    X(COPYSIGN, 2, ASH__F, S) X(NEXTAFTER, 2, ASH__F, S)                                                                \
    X(LDEXP, 2, ASH__F, S) /* a * 2^trunc(b) */                                                                         \
    X(LOGB, 1, ASH__F, S)                                                                                               \
    X(ISNAN, 1, ASH__F, L) X(ISINF, 1, ASH__F, L) X(ISFINITE, 1, ASH__F, L) X(ISNORMAL, 1, ASH__F, L)                   \
    X(SIGNBIT, 1, ASH__F, L)

typedef enum ash__op {
    ASH__OP_NONE,
    ASH__OP_LOAD,     /* element of an operand, widened to its machine type */
    ASH__OP_CONSTANT,
    ASH__OP_CONVERT,  /* between machine types: float to integer truncates and saturates, NaN gives 0; integers wrap;
                       * to bool: x != 0; rounding to f32 is to nearest even */
    ASH__OP_NARROW,   /* integer to a smaller one or to bool; a value that does not fit is a fault */
    ASH__OP_ROUND16,  /* f32 or f64 rounded to f16 (from = ASH_F16) or bf16, as a value of machine type f32 */
#define ASH__OP_ID(ID, arity, classes, result) ASH__OP_##ID,
    ASH__OPS(ASH__OP_ID)
#undef ASH__OP_ID
    ASH__OP_COUNT
} ash__op;

/* Faults that kernels report by or-ing into the int that their last argument points to. */
enum { ASH__FAULT_DIVIDE = 1, ASH__FAULT_VALUE = 2, ASH__FAULT_POWER = 4 };

int ash__op_arity(ash__op op);          /* 0 for LOAD and CONSTANT */
const char *ash__op_name(ash__op op);   /* "ADD" */
bool ash__op_gives_bool(ash__op op);
unsigned ash__op_classes(ash__op op);
bool ash__op_faults(ash__op op);
bool ash__op_costly(ash__op op);        /* much more than an addition: elementary functions */
#endif
