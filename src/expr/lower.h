/*
 * lower.h - elementary functions as programs: what each is made of, operation by operation.
 *
 * Whoever makes code of programs asks for the sequence of a function and then knows plain operations only. The sequences are
 * those of the C text that the kernels of the CPU and of GPU devices are compiled from (backend/cpu/kernels/math_*.h, which
 * say whose methods they are and how good), as levels with fma compile it: the same bits, which tests/lower.c proves.
 */
#ifndef ASH__LOWER_H
#define ASH__LOWER_H
#include "expr/program.h"

/* Operations that occur in sequences alone. */
enum {
    ASH__LOW_BITS = ASH__OP_COUNT, /* the bits of an operand of type `from` read as another type that is as wide */
    ASH__LOW_SCALE, /* a * 2^k, rounded once; b = k + 1.5 * 2^23 (f64: 2^52), so that its low bits are k; |k| < 256 (2048) */
    ASH__LOW_LEAVE, /* no value; a: bool, true where the sequence is not meant for the arguments and its result is wrong */
    ASH__LOW_COUNT
};

enum { ASH__LOWERED_MOST = 384 };

typedef struct ash__lowered {
    int count, result;               /* values, and the one that is the function's */
    ash__ins ins[ASH__LOWERED_MOST]; /* LOAD of operand 0 is the first argument, of operand 1 the second */
} ash__lowered;

/* The functions, and of the other operations of floats those that no processor has: remainders, nextafter, ldexp, logb. Not
 * lgamma, which is libm's; tgamma in f32 alone. */
bool ash__is_written_out(ash__op op);
/* type: ASH_F32 or ASH_F64. False: not written out. */
bool ash__lower(ash__lowered *f, ash__op op, ash_dtype type);
/* ROUND16 to half, of f32 or f64. */
void ash__lower_round16(ash__lowered *f, ash_dtype half, ash_dtype type);
/* Whether the sequence has a LEAVE. */
bool ash__lowered_leaves(ash__op op);
#endif
