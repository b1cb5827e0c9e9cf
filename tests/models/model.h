/*
 * model.h - the array that a slow and plain model works on: dtype, shape, and the elements in row-major order.
 *
 * Everything a model makes lives until the draw ends (draw_memory).
 */
#ifndef MODELS_MODEL_H
#define MODELS_MODEL_H
#include "number.h"

enum { MODEL_RANK = 14 };

typedef struct model {
    ash_dtype dtype;
    size_t nbytes; /* of an element */
    int64_t rank, shape[MODEL_RANK], size;
    unsigned char *data;
} model;

void *draw_memory(size_t nbytes); /* zeros */
void draw_memory_end(void);

int64_t count_of(const int64_t *shape, int64_t rank);
model model_new(ash_dtype dtype, const int64_t *shape, int64_t rank); /* zeros */
model model_copy(const model *m);
model model_positions(const int64_t *shape, int64_t rank); /* i64: 0, 1, 2 ... */
void *model_at(const model *m, int64_t position);
int64_t *model_i64(const model *m); /* the elements of a model of i64 */
void model_put(const model *out, int64_t position, const model *in, int64_t from);

/* The row-major position of an index, and the index of a position. */
int64_t position_of(const model *m, const int64_t *index);
void index_of(const model *m, int64_t position, int64_t *index);

/* Another dtype; false when an element does not fit. */
bool model_convert(model *out, const model *in, ash_dtype dtype);

/* Views, by index arithmetic. Of each axis start, step and number of elements; a count of -1 takes one and drops the axis. */
typedef struct cut {
    int64_t start, step, count;
} cut;
model model_cut(const model *m, const cut *cuts);
model model_permute(const model *m, const int64_t *axes);
model model_broadcast(const model *m, const int64_t *shape, int64_t rank);
model model_reshape(const model *m, const int64_t *shape, int64_t rank);
model model_flat(const model *m);      /* a vector */
model model_swap_last(const model *m); /* transpose */
bool joined_shape(int64_t *shape, int64_t *rank, const int64_t *other, int64_t other_rank);
#endif
