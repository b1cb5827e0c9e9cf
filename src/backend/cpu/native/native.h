/*
 * native.h - native code for typed programs: what the interpreter asks for.
 *
 *     cache.c      which programs have code, and when they get it
 *     body.c       a program as vector instructions
 *     registers.c  their order and registers
 *     target.c     instruction sets
 *     x86.c        the code
 *     arm64.c      the same for AArch64
 *     code.c       memory for it
 *
 * Results have the bits that the interpreter gives (but for which NaN a NaN is), so nobody can tell whether there was code.
 * docs/native.md says more.
 */
#ifndef ASH__NATIVE_H
#define ASH__NATIVE_H
#include "backend/backend.h"
#include "expr/program.h"

/* Slot 0: the uniform values, 8 bytes for each value of the program. Then the outputs that an instruction computes from what
 * varies, then the LOADs that vary, in order: n dense elements of machine types, at any address. An output may lie exactly over
 * an operand. With a fold slot 1 is its ASH__LANES lanes instead: element i is folded into lane i mod ASH__LANES.
 *
 * Returns how many elements are done, all of which is usual: the others have to be interpreted, beginning with one of the next
 * few (a sine of a large number, a division by zero). Nothing of them has been written. Folds always do all. */
typedef int64_t ash__native_code(void *const *slot, int64_t n);

enum { ASH__NATIVE_SLOTS = 10, ASH__NATIVE_VALUES = 240, ASH__NATIVE_LOADS = 64 }; /* more, and there is no code */

/* For results that are not folded: machine values, or with f16 and bf16 rounded as the dtype is stored. */
enum { ASH__NATIVE_MACHINE = ASH__FOLD_NONE, ASH__NATIVE_STORED = 64 };

#ifndef ASH__NO_NATIVE
/* The code of a program over `elements`, of which the k-th LOAD is the same for all where bit k of uniform is set; NULL: to be
 * interpreted, this time at least. Code stays valid until ash__native_leave. end: what becomes of results, a fold or one of the
 * above. */
ash__native_code *ash__native_enter(const ash__program *program, uint64_t uniform, int end, int64_t elements);
void ash__native_leave(void);
/* A map that has had code: see ash__backend. note: of the code that ash__native_enter gave for it last, 0 if none. */
uint64_t ash__native_note(const ash__program *program, uint64_t uniform, int end);
bool ash__native_run_again(const ash__prepared *prepared);

typedef struct ash__native_counts { /* since the process started, or was forked */
    int64_t programs, bytes;        /* that have code now */
    int64_t declined, clears;
} ash__native_counts;
ash__native_counts ash__native_count(void); /* for tests */
#else
static inline ash__native_code *ash__native_enter(const ash__program *program, uint64_t uniform, int end, int64_t elements)
{
    (void)program, (void)uniform, (void)end, (void)elements;
    return 0;
}
static inline void ash__native_leave(void) {}
static inline uint64_t ash__native_note(const ash__program *program, uint64_t uniform, int end)
{
    (void)program, (void)uniform, (void)end;
    return 0;
}
static inline bool ash__native_run_again(const ash__prepared *prepared)
{
    (void)prepared;
    return false;
}
#endif
#endif
