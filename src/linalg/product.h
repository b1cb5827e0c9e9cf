/* product.h - two operands of a product, checked and brought to one batch of matrices. */
#ifndef ASH__LINALG_PRODUCT_H
#define ASH__LINALG_PRODUCT_H
#include "backend/product.h"
#include "core/array.h"

/* Which axes of an operand are those of its matrices; the others lead. */
typedef enum ash__factor_kind {
    ASH__FACTOR_MATRIX,
    ASH__FACTOR_ROW,     /* one axis, that of the columns */
    ASH__FACTOR_COLUMN,  /* one axis, that of the rows */
    ASH__FACTOR_DIAGONAL /* one axis, that of both */
} ash__factor_kind;

typedef struct ash__factors {
    const char *function;
    const ash_array *factor[2]; /* a and b */
    ash__factor_kind kind[2];
    ash_structure structure[2];
    bool conjugated[2]; /* read as that */
    ash_dtype dtype;    /* the promotion of both */
    ash_resources *resources;
    int64_t inner;
    int64_t rank, shape[ASH_MAX_RANK];         /* of the batch, rows and columns */
    int64_t stride[2][ASH_MAX_RANK];           /* bytes, of a and b over that */
    int64_t out_rank, out_shape[ASH_MAX_RANK]; /* without the axes that vectors lack */
} ash__factors;

/* Checks a and b (there, on one device, dtypes, structures, shapes); for ash_matmul's shape rule. out fixes the device; it may
 * be NULL. */
ash_status ash__factors_begin(ash__factors *f, const char *function, const ash_array *a, const ash_array *b,
                              ash_structure a_structure, ash_structure b_structure, const ash_array *out, ash_resources *given);
/* The same for a row times a column, or a column times a row: vectors a and b. */
ash_status ash__factors_vectors(ash__factors *f, const char *function, const ash_array *a, const ash_array *b,
                                ash__factor_kind a_kind, ash__factor_kind b_kind, ash_resources *given);
/* A new array for their product, and the product in it. dtype, layout, storage and memory: what was asked for, or 0. */
ash_array *ash__factors_new(const ash__factors *f, ash_dtype dtype, ash_layout layout, ash_storage storage, ash_memory *memory);
/* out = alpha a b + beta out; out has been checked to be writable. alpha and beta: kind NONE where they are not given. */
ash_status ash__factors_into(const ash__factors *f, ash_array *out, const ash_operand *alpha, const ash_operand *beta);

/* product_plain.c: the usual cases without detours. false: not one of them, and nothing has been done or reported. */
bool ash__plain_product(const char *function, const ash_array *a, const ash_array *b, ash_array **out);
bool ash__plain_product_into(const char *function, ash_array *out, const ash_array *a, const ash_array *b, ash_status *status);

/* A scalar, or an array of one element, as one element of out's dtype, which must not be of a lower kind. name: ".alpha". */
ash_status ash__scale_of(const char *function, const char *name, const ash_operand *value, const ash_array *out,
                         unsigned char element[16]);
#endif
