/*
 * operands.h - the operands of a call, checked and joined to one iteration space.
 *
 * An array operand that has the iteration space's shape is used through its own strides; only one that is broadcast gets
 * strides of its own here. A scalar is 16 bytes in its own dtype. Usual calls allocate nothing.
 */
#ifndef ASH__OPERANDS_H
#define ASH__OPERANDS_H
#include "backend/backend.h"
#include "core/array.h"
#include "expr/function.h"

enum { ASH__FEW = 8 }; /* operands that need no block of memory */

typedef struct ash__inputs {
    const char *function;       /* the public function called */
    const ash_operand *operand; /* count of them, as given */
    const ash_array *where;     /* the mask behind them, where it is an array */
    int64_t count;              /* those that the function string takes */
    int64_t total;              /* with a mask behind them */
    const ash_device *device;
    ash_resources *resources;
    int64_t rank, size; /* the iteration space */
    int64_t shape[ASH_MAX_RANK];
    ash__span *span;         /* total */
    ash__argument *argument; /* total */
    int64_t *stride;         /* room for total * ASH_MAX_RANK */
    unsigned char (*scalar)[16];
    ash_array **copy; /* temporaries that stand for operands, ended by ash__inputs_end; NULL where there is none */
    bool copies;      /* any of them */
    void *block;
    ash__span few_span[ASH__FEW];
    ash__argument few_argument[ASH__FEW];
    unsigned char few_scalar[ASH__FEW][16];
    ash_array *few_copy[ASH__FEW];
    int64_t few_stride[ASH__FEW * ASH_MAX_RANK];
} ash__inputs;

/* Checks every operand (there, not discarded, one device) and finds the resources; an output fixes the device. The shape is
 * not set yet. On failure there is nothing to end. */
ash_status ash__inputs_begin(ash__inputs *in, const char *function, ash_operands operands, ash_resources *given,
                             const ash_array *out);
/* The same with a mask behind the operands: where, which may be not given. It takes no part in the broadcast. */
ash_status ash__inputs_begin_where(ash__inputs *in, const char *function, ash_operands operands, const ash_operand *where,
                                   ash_resources *given, const ash_array *out);
void ash__inputs_end(ash__inputs *in);

/* The iteration space is what the shapes join to, or else `shape`, to which all must broadcast. */
ash_status ash__inputs_join(ash__inputs *in);
ash_status ash__inputs_join_to(ash__inputs *in, const int64_t *shape, int64_t rank);

/* The program of f for these operands. Scalars of a dtype that the device lacks are refused by the name of the parameter. */
ash__program *ash__inputs_program(ash__inputs *in, const ash_function *f, ash__rule rule, ash_dtype dtype, bool conjugated);

/* What a result of these operands is made like: resources, storage (shared wins), memory (the first array's), and the layout
 * of the first operand that has the result's shape. */
void ash__inputs_like(const ash__inputs *in, const int64_t *shape, int64_t rank, ash__make *make);
const ash_array *ash__inputs_array(const ash__inputs *in, int64_t k); /* NULL for a scalar */

/* Gives operands that overlap out with another mapping copies of their own. */
ash_status ash__inputs_separate(ash__inputs *in, const ash_array *out);
/* Does element i of operand k lie exactly where element i of out does (of its dtype)? */
bool ash__inputs_same_mapping(const ash__inputs *in, int64_t k, const ash_array *out);
/* Does any operand, or the mask, share a byte with out? */
bool ash__inputs_overlap(const ash__inputs *in, const ash_array *out);

/* The dtype error for a scalar that device does not support. */
ash_status ash__fail_scalar(const char *function, const char *name, const ash_operand *scalar, const ash_device *device);
static inline bool ash__scalar_needs_f64(const ash_operand *o)
{
    return o->kind == ASH_OPERAND_SCALAR && (o->dtype == ASH_F64 || o->dtype == ASH_C_F64);
}
#endif
