/* reduction.h - folding a function of arrays along axes: what all reductions are made of. */
#ifndef ASH__REDUCTION_H
#define ASH__REDUCTION_H
#include "ops/axes.h"
#include "ops/fold.h"

typedef struct ash__reduction {
    const char *function;    /* the public function called */
    const ash_function *map; /* what is folded, of the operands; NULL: the one operand as it is */
    const ash__operator *op;
    ash_operands operands;
    ash_dtype element; /* elements are cast to it first; 0: they stay */
    bool test;         /* elements become bool first, by x != 0 */
} ash__reduction;

ash_array *ash__reduce_new(const ash__reduction *r, const ash_reduce_options *o);
ash_status ash__reduce_into(const ash__reduction *r, ash_array *out, const ash_reduce_options *o);

/* The options of a reduction, read, and refused where the function has no use for them. */
enum { ASH__USES_INIT = 1, ASH__USES_WHERE = 2, ASH__USES_PREDICATE = 4, ASH__USES_POPULATION = 8, ASH__USES_ACCUMULATE = 16 };
bool ash__reduce_options(const char *function, unsigned uses, const ash_reduce_options *options, ash_reduce_options *o);

/* A reduction of one array by an operator of this library's own: the whole of a named function. */
ash_array *ash__reduce_named(const char *function, ash__operator op, const ash_array *a, const ash_reduce_options *options);
ash_status ash__reduce_named_into(const char *function, ash__operator op, ash_array *out, const ash_array *a,
                                  const ash_reduce_options *options);
/* With an elementwise text in front of it (NULL: none). */
ash_array *ash__reduce_text(const char *function, const char *map, ash__operator op, ash_operands operands, ash_dtype element,
                            const ash_reduce_options *o);
#endif
