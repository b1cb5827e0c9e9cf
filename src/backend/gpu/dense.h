/*
 * dense.h - what random numbers, products, factorizations and transforms share on a device: batches, element access, texts.
 */
#ifndef ASH__GPU_DENSE_H
#define ASH__GPU_DENSE_H
#include "backend/gpu/walk.h"

/* ---- batches: leading axes, merged where all spans allow it. The struct `batch` of kernels/dense.c. */
enum { ASH__GPU_BATCH_AXES = 8, ASH__GPU_BATCH_SPANS = 4 };
typedef struct ash__gpu_batch {
    int64_t first; /* the member that a launch begins with */
    int32_t axes, unused;
    int64_t start[ASH__GPU_BATCH_SPANS]; /* bytes, in the memory of each span */
    int64_t size[ASH__GPU_BATCH_AXES], stride[ASH__GPU_BATCH_AXES][ASH__GPU_BATCH_SPANS];
} ash__gpu_batch;
/* NULL, or why not: too many axes. Members are counted in row-major order. */
const char *ash__gpu_batch_set(ash__gpu_batch *b, const int64_t *shape, int64_t rank, int spans, const ash__span *const *span);

/* ---- texts */

/* Is every element of the span at a whole multiple of its parts' size? */
bool ash__gpu_span_aligned(const ash__span *span, int64_t rank);
/* "#define NAME(P) ..." that reads a part of this dtype at P as work type W. */
void ash__gpu_put_reader(ash__text *text, const char *name, ash_dtype part);
/* "#define NAME(P, X) ..." that writes X of type W to P. */
void ash__gpu_put_writer(ash__text *text, const char *name, ash_dtype part, ash_dtype work);
/* Puts the prelude and kernels/dense.c. */
void ash__gpu_put_dense(ash__text *text, const ash_device *device);

static inline int64_t ash__gpu_parts(int64_t n, int64_t size)
{
    return (n + size - 1) / size;
}

/* ---- products inside other tasks: product.c */

/* Working memory that several products of one task use one after the other; begins as zeros. */
typedef struct ash__gpu_room {
    void *memory[3]; /* packed A, packed B, sums */
    size_t nbytes[3];
} ash__gpu_room;

typedef struct ash__gpu_matrix {
    void *memory;
    int64_t row, col; /* steps in bytes */
    bool conjugated;
} ash__gpu_matrix;

/* Do rows of elements of so many bytes lie in order, one after the other or with gaps? *lead: elements from row to row. Where
 * an axis has one element, its step is anything. */
static inline bool ash__gpu_rows_in_order(int64_t rows, int64_t cols, int64_t row, int64_t col, int64_t element, int64_t *lead)
{
    const int64_t step = rows == 1 ? cols * element : row;
    *lead = step / element;
    return (cols == 1 || col == element) && step >= cols * element && step % element == 0;
}

/* c = c + factor a b for `count` members, without `add` c = factor a b; all of one float or complex dtype. c is rows by cols,
 * a has `inner` columns; span 0, 1, 2 of the batch are c, a, b. c shares no element with a or b. */
typedef struct ash__gpu_multiplying {
    ash__gpu_batch at;
    int64_t count, rows, cols, inner;
    ash_dtype dtype;
    ash__gpu_matrix c, a, b;
    double factor;
    bool add;
} ash__gpu_multiplying;
ash_status ash__gpu_multiply(ash__gpu_work *w, ash__gpu_room *room, const ash__gpu_multiplying *what);

/* ---- kinds of tasks. *why: set, and nothing done, when there is no kernel for this task: why not. */

ash_status ash__gpu_random(ash_resources *resources, const ash__task *task, const char **why);
ash_status ash__gpu_product(ash_resources *resources, const ash__task *task, const char **why);
ash_status ash__gpu_factor(ash_resources *resources, const ash__task *task, const char **why);
ash_status ash__gpu_fourier(ash_resources *resources, const ash__task *task, const char **why);

extern const char ash__gpu_dense_text[], ash__gpu_element_text[], ash__gpu_product_pack_text[], ash__gpu_product_text[],
    ash__gpu_product_tiles_text[], ash__gpu_product_tensor_text[], ash__gpu_product_lanes_text[],
    ash__gpu_product_vector_text[], ash__gpu_product_rows_text[], ash__gpu_random_text[], ash__gpu_fourier_text[],
    ash__gpu_fourier_pass_text[], ash__gpu_fourier_lines_text[], ash__gpu_factor_text[];
#endif
