/* model.c - arrays of the models; see model.h. */
#include "model.h"

#include <stdlib.h>
#include <string.h>

/* ---- memory of a draw: a block each, so that a checker of addresses sees its ends */

static void **blocks;
static int64_t block_count, block_room;

void *draw_memory(size_t nbytes)
{
    if (block_count == block_room) {
        block_room = 2 * block_room + 64;
        blocks = realloc(blocks, (size_t)block_room * sizeof *blocks);
        if (!blocks)
            abort();
    }
    void *block = calloc(nbytes + !nbytes, 1);
    if (!block)
        abort();
    return blocks[block_count++] = block;
}

void draw_memory_end(void)
{
    for (int64_t i = 0; i < block_count; i++)
        free(blocks[i]);
    free(blocks);
    blocks = NULL;
    block_count = block_room = 0;
}

/* ---- elements and indices */

int64_t count_of(const int64_t *shape, int64_t rank)
{
    int64_t n = 1;
    for (int64_t k = 0; k < rank; k++)
        n *= shape[k];
    return n;
}

model model_new(ash_dtype dtype, const int64_t *shape, int64_t rank)
{
    model m = {.dtype = dtype, .nbytes = ash_dtype_size(dtype), .rank = rank, .size = count_of(shape, rank)};
    if (rank > MODEL_RANK)
        abort();
    for (int64_t k = 0; k < rank; k++)
        m.shape[k] = shape[k];
    m.data = draw_memory((size_t)m.size * m.nbytes);
    return m;
}

model model_copy(const model *m)
{
    const model out = model_new(m->dtype, m->shape, m->rank);
    memcpy(out.data, m->data, (size_t)m->size * m->nbytes);
    return out;
}

model model_positions(const int64_t *shape, int64_t rank)
{
    const model m = model_new(ASH_I64, shape, rank);
    for (int64_t i = 0; i < m.size; i++)
        model_i64(&m)[i] = i;
    return m;
}

void *model_at(const model *m, int64_t position)
{
    if (position < 0 || position >= m->size)
        abort(); /* a fault of a model, not of the library */
    return m->data + (size_t)position * m->nbytes;
}

int64_t *model_i64(const model *m)
{
    return (int64_t *)(void *)m->data;
}

void model_put(const model *out, int64_t position, const model *in, int64_t from)
{
    memcpy(model_at(out, position), model_at(in, from), in->nbytes);
}

int64_t position_of(const model *m, const int64_t *index)
{
    int64_t position = 0;
    for (int64_t k = 0; k < m->rank; k++)
        position = position * m->shape[k] + index[k];
    return position;
}

void index_of(const model *m, int64_t position, int64_t *index)
{
    for (int64_t k = m->rank - 1; k >= 0; k--) {
        index[k] = position % m->shape[k];
        position /= m->shape[k];
    }
}

bool model_convert(model *out, const model *in, ash_dtype dtype)
{
    *out = model_new(dtype, in->shape, in->rank);
    for (int64_t i = 0; i < in->size; i++)
        if (dtype == in->dtype)
            model_put(out, i, in, i);
        else if (!convert_element(dtype, model_at(out, i), in->dtype, model_at(in, i)))
            return false;
    return true;
}

/* ---- views */

model model_cut(const model *m, const cut *cuts)
{
    int64_t shape[MODEL_RANK], rank = 0;
    for (int64_t k = 0; k < m->rank; k++)
        if (cuts[k].count >= 0)
            shape[rank++] = cuts[k].count;
    const model out = model_new(m->dtype, shape, rank);
    for (int64_t i = 0; i < out.size; i++) {
        int64_t to[MODEL_RANK], from[MODEL_RANK], j = 0;
        index_of(&out, i, to);
        for (int64_t k = 0; k < m->rank; k++)
            from[k] = cuts[k].start + (cuts[k].count >= 0 ? to[j++] * cuts[k].step : 0);
        model_put(&out, i, m, position_of(m, from));
    }
    return out;
}

model model_permute(const model *m, const int64_t *axes)
{
    int64_t shape[MODEL_RANK];
    for (int64_t k = 0; k < m->rank; k++)
        shape[k] = m->shape[axes[k]];
    const model out = model_new(m->dtype, shape, m->rank);
    for (int64_t i = 0; i < out.size; i++) {
        int64_t to[MODEL_RANK], from[MODEL_RANK];
        index_of(&out, i, to);
        for (int64_t k = 0; k < m->rank; k++)
            from[axes[k]] = to[k];
        model_put(&out, i, m, position_of(m, from));
    }
    return out;
}

model model_broadcast(const model *m, const int64_t *shape, int64_t rank)
{
    const model out = model_new(m->dtype, shape, rank);
    for (int64_t i = 0; i < out.size; i++) {
        int64_t to[MODEL_RANK], from[MODEL_RANK];
        index_of(&out, i, to);
        for (int64_t k = 0; k < m->rank; k++)
            from[k] = m->shape[k] == 1 ? 0 : to[k + rank - m->rank];
        model_put(&out, i, m, position_of(m, from));
    }
    return out;
}

model model_reshape(const model *m, const int64_t *shape, int64_t rank)
{
    model out = *m; /* the same elements in the same order */
    out.rank = rank;
    for (int64_t k = 0; k < rank; k++)
        out.shape[k] = shape[k];
    return out;
}

model model_flat(const model *m)
{
    return model_reshape(m, &m->size, 1);
}

model model_swap_last(const model *m)
{
    int64_t axes[MODEL_RANK], shape[2] = {1, m->size};
    if (m->rank < 2)
        return m->rank ? model_reshape(m, shape, 2) : *m;
    for (int64_t k = 0; k < m->rank; k++)
        axes[k] = k < m->rank - 2 ? k : 2 * m->rank - 3 - k;
    return model_permute(m, axes);
}

bool joined_shape(int64_t *shape, int64_t *rank, const int64_t *other, int64_t other_rank)
{
    const int64_t most = *rank > other_rank ? *rank : other_rank;
    int64_t joined[MODEL_RANK];
    for (int64_t k = 1; k <= most; k++) {
        const int64_t a = k <= *rank ? shape[*rank - k] : 1, b = k <= other_rank ? other[other_rank - k] : 1;
        if (a != b && a != 1 && b != 1)
            return false;
        joined[most - k] = a == 1 ? b : a;
    }
    memcpy(shape, joined, (size_t)most * sizeof *shape);
    *rank = most;
    return true;
}
