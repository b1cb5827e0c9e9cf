/*
 * fold.h - what reductions, arg-reductions, variances and scans share: elements by the run, the order of axes, results to
 * strided memory, and partial results joined in a fixed tree.
 */
#ifndef ASH__CPU_FOLD_H
#define ASH__CPU_FOLD_H
#include "backend/cpu/cpu.h"
#include "backend/cpu/feed.h"
#include "backend/cpu/interpret.h"

enum { ASH__PLANES = 2 }; /* a complex number is two real ones, folded side by side */

/* Into how many parts to split a fold of so many elements. */
int64_t ash__fold_parts(const ash__task *task, int64_t elements);

/* ---- axes */

typedef struct ash__axis_list {
    int64_t axis[ASH_MAX_RANK];
    int64_t rank;
    int64_t count; /* positions: the product of the sizes */
} ash__axis_list;
void ash__axis_list_add(ash__axis_list *list, const ash__task *task, int64_t axis);
void ash__axis_list_append(ash__axis_list *list, const ash__axis_list *more);
/* Those axes of more than one element whose bit is set, slowest first: by the operands' strides, so that walking them in
 * order goes through memory in order; logical: by number. */
void ash__axis_list_sorted(ash__axis_list *list, const ash__task *task, uint32_t bits, bool logical);
/* The axes with a bit set in `bits` at the fast end, moved from list to tail. */
void ash__axis_list_split(ash__axis_list *list, const ash__task *task, uint32_t bits, ash__axis_list *tail);

/* ---- elements */

/* What an evaluator computed last: asking for few elements at a time costs one call for many of them. */
typedef struct ash__window {
    ash__evaluator *evaluator;
    int64_t first, count, log; /* elements held; 1 << log bytes each */
    const char *plane[ASH__PLANES];
} ash__window;
/* Elements first .. first + n - 1 (n <= ASH__FOLD_BLOCK) as plane[0] and, complex, plane[1]. What is computed with them goes
 * no further than element end - 1. */
void ash__window_get(ash__window *w, int64_t first, int64_t n, int64_t end, const char *plane[ASH__PLANES]);

/* ---- results */

/* Positions of some axes of an output, numbered, and how machine values are stored there. */
typedef struct ash__sink {
    ash__path path;
    int64_t memory[3 * (ASH_MAX_RANK + 1)];
    ash_dtype dtype;
    const ash__kernels *kernels;
    char *scratch; /* ASH__SINK_SCRATCH bytes */
} ash__sink;
enum { ASH__SINK_RUN = 1024, ASH__SINK_SCRATCH = ASH__SINK_RUN * 48 }; /* elements; up to 16 + 2*16 bytes each */
void ash__sink_set(ash__sink *s, const ash__span *span, const ash__task *task, const ash__axis_list *axes, char *scratch);
/* n machine values of type `type` (that of dtype's part; F64 for F32, F16 and BF16 too, rounded once) to positions first on. */
void ash__sink_put(ash__sink *s, int64_t first, int64_t n, ash_dtype type, const char *const plane[ASH__PLANES]);
/* What is there, widened to type. */
void ash__sink_get(ash__sink *s, int64_t first, int64_t n, ash_dtype type, char *const plane[ASH__PLANES]);
/* Where n machine values of type may be written instead of being put; NULL when they have to be put. */
char *ash__sink_direct(const ash__sink *s, int64_t first, int64_t n, ash_dtype type);

/* ---- partial results */

/*
 * Partial results joined pairwise, as they come, like the carries of a binary counter: level k holds the join of 2^k of
 * them. The tree depends on their number alone, and joining parts that each joined a power of two of them gives the same
 * tree: so it does not depend on how the work was shared out.
 */
typedef struct ash__counter {
    void (*join)(void *context, char *earlier, const char *later);
    void *context;
    char *level;   /* room for ash__counter_levels() results */
    size_t nbytes; /* of one */
    int64_t count;
    int depth;
} ash__counter;
static inline int ash__counter_levels(int64_t count)
{
    return 66 - __builtin_clzll((unsigned long long)count | 1);
}
/* Where to write the next partial result, before ash__counter_push. */
static inline char *ash__counter_next(const ash__counter *c)
{
    return c->level + (size_t)c->depth * c->nbytes;
}
void ash__counter_push(ash__counter *c);
/* As n times that, for what is the join of n already: n a power of two that divides the number so far. */
void ash__counter_push_joined(ash__counter *c, int64_t n);
/* The join of all, at c->level. */
char *ash__counter_end(ash__counter *c);

/* Blocks in each of about `wanted` segments of `blocks` blocks: a power of two. */
int64_t ash__segment_blocks(int64_t blocks, int64_t wanted);

/* Bytes of machine type `type`. */
static inline size_t ash__type_size(ash_dtype type)
{
    return ash_dtype_size(type);
}
/* The fold of n elements of an evaluator from `first` on, of machine type `type`, by code that computes and folds them at once;
 * false where there is none. */
bool ash__fold_natively(ash__evaluator *e, ash__fold fold, ash_dtype type, int64_t first, int64_t n, ash__scalar *value);
/* The neutral element of a fold: exact is the one that changes no bit (-0.0 for sums of floats), else the one to be shown. */
ash__scalar ash__fold_neutral(ash__fold fold, ash_dtype type, bool exact);
#endif
