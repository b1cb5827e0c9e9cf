/*
 * interpret.h - the block interpreter: runs a typed program over dense blocks.
 *
 *     ash__plan     a program with its kernels chosen and its temporaries placed (once per program and level)
 *     ash__feed     where the operands of one block come from: any strided, broadcast operand as dense memory
 */
#ifndef ASH__INTERPRET_H
#define ASH__INTERPRET_H
#include "backend/cpu/kernels.h"

enum { ASH__BLOCK = 1024 }; /* elements of a block: 4 to 8 KiB a temporary stays in L1; 512 f32 meet a prefetch pathology */

/*
 * An evaluator of a task's program over its iteration space, flattened in the given order of axes. Elements are numbered
 * 0 to count-1 in that order. One per thread: it holds cursors and scratch.
 */
typedef struct ash__evaluator ash__evaluator;

/* axes: the task's axes from slowest to fastest, rank of them, all or those wanted; size[k] their sizes. The order decides
 * which element has which number. NULL with a memory error. */
ash__evaluator *ash__evaluator_new(const ash__task *task, const int64_t *axis, int64_t rank);
void ash__evaluator_free(ash__evaluator *e);
/* Addresses one position of the axes that are not walked: added to every operand's pointer, in bytes, per operand. An operand
 * that does not vary over the walk is read again only when its address changes, not when its memory does. */
void ash__evaluator_base(ash__evaluator *e, const int64_t *offset);
/* Computes elements first .. first + n - 1 (n <= ASH__FOLD_BLOCK) as dense machine values (f16, bf16: f32). *re and *im point
 * to memory of the evaluator, or straight into an operand, valid until the next call; *im is NULL for real results. */
void ash__evaluate(ash__evaluator *e, int64_t first, int64_t n, const void **re, const void **im);
/* Do all elements lie densely in operands? Then what ash__evaluate points to goes on behind the n elements. */
bool ash__evaluates_in_place(const ash__evaluator *e);
/* The same, stored as the program's dtype to dense memory, aligned to its parts (complex interleaved, f16, bf16 rounded). */
void ash__evaluate_into(ash__evaluator *e, int64_t first, int64_t n, void *out);
/* Folds the elements into ASH__LANES lanes by the fold of the task, a reduction: element first + i into lane i mod ASH__LANES.
 * The lanes hold what changes nothing at first. False, and nothing done: not here, for so many elements. */
bool ash__evaluate_fold(ash__evaluator *e, int64_t first, int64_t n, void *lanes);
bool ash__evaluates_folds(const ash__evaluator *e); /* if not, that is always false */
int ash__evaluator_faults(const ash__evaluator *e); /* fault bits so far */
#endif
