/* diag.c - matrices made of their diagonals: zeros, and each vector copied to its place. */
#include "ashlar/linalg.h"
#include "core/error.h"
#include "core/options.h"
#include "ops/place.h"
#include "ops/task.h"

typedef struct bands {
    const char *function;
    const ash_array *const *vector;
    const int64_t *diagonal;
    int64_t count;
    ash_dtype dtype;
    ash_storage storage;
    int64_t size; /* of the matrix */
    ash_resources *given;
} bands;

static int64_t rows_below(int64_t diagonal)
{
    return diagonal < 0 ? -diagonal : 0;
}
static int64_t columns_before(int64_t diagonal)
{
    return diagonal > 0 ? diagonal : 0;
}

static ash_status take(bands *m, int64_t k)
{
    const ash_array *const v = m->vector[k], *const first = m->vector[0];
    const int64_t d = m->diagonal[k];
    const ash_status status = ash__check_array(m->function, m->count > 1 ? "a vector" : "v", v);
    int64_t size;
    if (status)
        return status;
    if (v->rank != 1)
        return ash__fail_operand(ASH_ERR_SHAPE, m->function, (int)k, "vector %lld has shape %s", (long long)k,
                                 ash_shape_text(v));
    if (ash__device(v) != ash__device(first))
        return ash__fail_operand(ASH_ERR_DEVICE, m->function, (int)k, "vector %lld is on %s and vector 0 on %s", (long long)k,
                                 ash__device(v)->name, ash__device(first)->name);
    for (int64_t i = 0; i < k; i++)
        if (m->diagonal[i] == d)
            return ash__fail(ASH_ERR_ARGUMENT, m->function, "diagonal %lld is given twice", (long long)d);
    if (d == INT64_MIN || __builtin_add_overflow(v->shape[0], d < 0 ? -d : d, &size))
        return ash__fail(ASH_ERR_SHAPE, m->function, "diagonal %lld is too far from the main one", (long long)d);
    m->size = size > m->size ? size : m->size;
    m->storage = v->storage == ASH_SHARED ? ASH_SHARED : m->storage;
    const ash_dtype joined = k == 0 || v->dtype == m->dtype ? v->dtype : ash_dtype_promote(m->dtype, v->dtype);
    if (!joined)
        return ash__fail_operand(ASH_ERR_DTYPE, m->function, (int)k, "vector %lld is %s, and those before it %s", (long long)k,
                                 ash_dtype_name(v->dtype), ash_dtype_name(m->dtype));
    m->dtype = joined;
    return ASH_OK;
}

static ash_status put(const bands *m, ash_array *out, int64_t k)
{
    const int64_t d = m->diagonal[k], step = out->stride[0] + out->stride[1];
    ash_array *plain = ash__plain(m->function, m->vector[k], out->dtype, false, m->given);
    if (!plain)
        return ash__last_status();
    char *const to = ash__data(out) + rows_below(d) * out->stride[0] + columns_before(d) * out->stride[1];
    const ash_status status =
        ash__copy_strided(m->function, out, plain->shape, 1, to, &step, plain, ash__data(plain), plain->stride, m->given);
    ash_release(plain);
    return status;
}

static ash_array *make(bands *m, ash_dtype dtype, ash_layout layout)
{
    ash_status status = ASH_OK;
    m->storage = ASH_PRIVATE;
    for (int64_t k = 0; k < m->count && !status; k++)
        status = take(m, k);
    if (status)
        return NULL;
    const ash_array *const first = m->vector[0];
    const ash__make wanted = {.resources = ash__resources_on(m->function, ash__device(first), m->given),
                              .dtype = dtype ? dtype : m->dtype,
                              .layout = layout,
                              .storage = m->storage,
                              .memory = first->buffer->memory};
    const int64_t shape[2] = {m->size, m->size};
    ash_array *out = wanted.resources ? ash__array_new(m->function, (ash_dims){shape, 2}, &wanted) : NULL;
    if (!out)
        return NULL;
    status = ash__fill_zeros(m->function, out, m->given);
    for (int64_t k = 0; k < m->count && !status; k++)
        status = put(m, out, k);
    if (status) {
        ash_release(out);
        return NULL;
    }
    return out;
}

ash_array *ash_diag_opt(const ash_array *v, const ash_diag_options *options)
{
    static const char name[] = "ash_diag";
    ash_diag_options o;
    if (!ash__read_options(name, &o, sizeof o, options))
        return NULL;
    bands m = {.function = name, .vector = &v, .diagonal = &o.k, .count = 1, .given = o.resources};
    return make(&m, 0, o.layout);
}

ash_array *ash_banded_opt(ash_arrays vectors, ash_dims diagonals, const ash_banded_options *options)
{
    static const char name[] = "ash_banded";
    ash_banded_options o;
    if (!ash__read_options(name, &o, sizeof o, options))
        return NULL;
    if (vectors.count < 1 || vectors.count != diagonals.rank) {
        ash__fail(ASH_ERR_ARGUMENT, name, "%lld vectors and %lld diagonals are given; one of each belong together",
                  (long long)vectors.count, (long long)diagonals.rank);
        return NULL;
    }
    if (!vectors.array || !diagonals.size) {
        ash__null(name, vectors.array ? "diagonals" : "vectors");
        return NULL;
    }
    bands m = {
        .function = name, .vector = vectors.array, .diagonal = diagonals.size, .count = vectors.count, .given = o.resources};
    return make(&m, o.dtype, o.layout);
}
