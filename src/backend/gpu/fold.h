/*
 * fold.h - the text that reductions and scans share: what is folded, in which types, and how results are stored.
 *
 * A value is one number, or two: the parts of a complex one, or an element and where it is. Text names their types T0 and T1
 * as elements and W0 and W1 as joined blocks: sums of f32 are joined in f64 where the device has it. FOLD_T(a0, a1, b0, b1) and
 * FOLD_W fold b, the later one, into a; FOLD_LATER is FOLD_T for a b that is later in memory too. NEUTRAL0 and NEUTRAL1 change
 * no bit of the other operand.
 */
#ifndef ASH__GPU_FOLD_H
#define ASH__GPU_FOLD_H
#include "backend/gpu/walk.h"
#include "expr/program.h"

typedef struct ash__gpu_fold {
    const ash__task *task;
    const ash__program *program; /* has instructions */
    ash__loader loader;
    ash_dtype type, wide; /* machine types of elements and of joined blocks */
    int planes;
    bool arg;    /* the second number is where the element is */
    bool empty;  /* nothing is folded: no operand is read */
    bool faults; /* some instruction can fault */
    int value;   /* the span that gets the element, or -1 */
} ash__gpu_fold;

/* Why there is no kernel, or NULL. The fold must stay where it is. Its `faults` are the form's. */
const char *ash__gpu_fold_set(ash__gpu_fold *f, const ash_device *device, const ash__task *task);
/* Bytes of one joined block in working memory. */
size_t ash__gpu_fold_bytes(const ash__gpu_fold *f, bool wide_index);
/* Types, PLANES, FOLD_T, FOLD_W, NEUTRAL0 (shown: of a sum 0.0, not -0.0) and NEUTRAL1. After the walk. */
void ash__gpu_put_fold(ash__text *text, const ash__gpu_fold *f, bool shown);
/* `element` of the program, and VALUE(at, i, x0, x1), which calls it. */
void ash__gpu_put_value(ash__text *text, const ash__gpu_fold *f, const ash__gpu_form *form);
/* Are elements what lies side by side along the last axis, as they are? Then SOURCE(I) is where element I lies. */
bool ash__gpu_fold_is_direct(const ash__gpu_fold *f, const ash__gpu_form *form);
void ash__gpu_put_source(ash__text *text, const ash__gpu_fold *f);
/* `FN void finish(MEMORY, const index *at, R0 x0, R1 x1, const u64 *init)`: init and the old result folded in, then stored.
 * R0 is W0 when joined. */
void ash__gpu_put_finish(ash__text *text, const ash__gpu_fold *f, const ash__gpu_form *form, bool joined);
/* `FN void store(MEMORY, const index *at, R0 x0, R1 x1)` alone. */
void ash__gpu_put_store(ash__text *text, const ash__gpu_fold *f, const ash__gpu_form *form, bool joined);
/* What reads and writes elements byte by byte, where there are such. */
void ash__gpu_put_odd(ash__text *text, const ash__gpu_form *form);
/* A statement that stores x, a name of machine type `from`, as the part at `offset` of the element at[span], at any address. */
void ash__gpu_put_kept(ash__text *text, const ash__gpu_form *form, int span, int offset, ash_dtype part, ash_dtype from,
                       const char *x);
#endif
