/* sorted.c - stable order; see sorted.h. */
#include "sorted.h"

#include <stdlib.h>
#include <string.h>

const char *const by_texts[KEYS] = {NULL, "x -> -x", "x -> real(x)", NULL};

model keys_of(const model *m, key by)
{
    const ash_dtype part = part_of(m->dtype);
    const size_t nbytes = ash_dtype_size(part);
    const model keys = model_new(by == REAL_PART ? part : m->dtype, m->shape, m->rank);
    for (int64_t i = 0; i < m->size; i++) {
        unsigned char *out = model_at(&keys, i);
        memcpy(out, model_at(m, i), keys.nbytes);
        if (by != NEGATED)
            continue;
        if (is_float(part)) {
            out[nbytes - 1] ^= 0x80;
        } else {
            uint64_t bits = 0;
            memcpy(&bits, out, nbytes);
            bits = 0 - bits; /* wraps */
            memcpy(out, &bits, nbytes);
        }
    }
    return keys;
}

/* For qsort: keys of a line, then positions, which makes it stable. */
static struct {
    const model *keys;
    int64_t start, stride;
    bool descending;
} line;

static int by_key(const void *a, const void *b)
{
    const int64_t i = *(const int64_t *)a, j = *(const int64_t *)b;
    const int order = order_of(line.keys->dtype, model_at(line.keys, line.start + i * line.stride),
                               model_at(line.keys, line.start + j * line.stride));
    return order ? (line.descending ? -order : order) : (i > j) - (i < j);
}

model sorted_positions(const model *keys, int64_t axis, bool descending)
{
    const model out = model_new(ASH_I64, keys->shape, keys->rank);
    const int64_t n = keys->shape[axis], stride = count_of(keys->shape + axis + 1, keys->rank - axis - 1);
    int64_t *order = draw_memory((size_t)(n + 1) * sizeof *order);
    for (int64_t i = 0; i < keys->size; i++) {
        if (i / stride % n)
            continue; /* no first element of a line */
        for (int64_t k = 0; k < n; k++)
            order[k] = k;
        line.keys = keys;
        line.start = i;
        line.stride = stride;
        line.descending = descending;
        qsort(order, (size_t)n, sizeof *order, by_key);
        for (int64_t k = 0; k < n; k++)
            model_i64(&out)[i + k * stride] = order[k];
    }
    return out;
}

model picked(const model *m, int64_t axis, const model *positions)
{
    const model out = model_new(m->dtype, positions->shape, positions->rank);
    for (int64_t i = 0; i < out.size; i++) {
        int64_t index[MODEL_RANK];
        index_of(positions, i, index);
        index[axis] = model_i64(positions)[i];
        model_put(&out, i, m, position_of(m, index));
    }
    return out;
}
