/*
 * eig.c - eigenvalues and right eigenvectors of any square matrices, by LAPACK (geev); complex also for real matrices.
 */
#include "ashlar/spectral.h"
#include "core/error.h"
#include "core/options.h"
#include "linalg/lapack.h"
#include "linalg/stack.h"
#include "ops/run.h"

typedef struct decomposition {
    ash__stack s;
    char job;
    ash_array *a, *values, *vectors;     /* complex */
    ash_array *raw_values, *raw_vectors; /* as LAPACK writes them: of a real dtype others than the above */
} decomposition;

static ash_status take(decomposition *d)
{
    const bool real = ash__is_real(d->s.dtype), vectors = d->job == 'V';
    const ash_dtype complex = ash__complex_of(d->s.dtype);
    const int64_t n = d->s.rows, values_shape = 2 * n, vectors_shape[2] = {n, n};
    d->a = ash__stack_copy(&d->s);
    d->values = d->a ? ash__stack_temporary(&d->s, complex, n, 1) : NULL;
    d->vectors = d->values && vectors ? ash__stack_temporary(&d->s, complex, n, n) : NULL;
    if (!d->values || (vectors && !d->vectors))
        return ash__last_status();
    if (!real)
        return ASH_OK;
    d->raw_values = ash__temporary(d->s.function, d->s.resources, ASH_SHARED, d->s.dtype, &values_shape, 1);
    if (d->raw_values && vectors)
        d->raw_vectors = ash__temporary(d->s.function, d->s.resources, ASH_SHARED, d->s.dtype, vectors_shape, 2);
    return d->raw_values && (!vectors || d->raw_vectors) ? ASH_OK : ash__last_status();
}

/* From LAPACK's real form: a value with an imaginary part is followed by its conjugate, and so is its vector. */
#define DEFINE_UNPACK(T)                                                                     \
    static void unpack_##T(int64_t n, const T *w, const T *v, T(*values)[2], T(*vectors)[2]) \
    {                                                                                        \
        for (int64_t k = 0; k < n; k++) {                                                    \
            values[k][0] = w[k];                                                             \
            values[k][1] = w[n + k];                                                         \
        }                                                                                    \
        for (int64_t k = 0; v && k < n; k++) {                                               \
            const bool pair = w[n + k] != 0 && k + 1 < n;                                    \
            for (int64_t i = 0; i < n; i++) {                                                \
                const T re = v[k * n + i], im = pair ? v[(k + 1) * n + i] : 0;               \
                vectors[k * n + i][0] = re;                                                  \
                vectors[k * n + i][1] = im;                                                  \
                if (pair) {                                                                  \
                    vectors[(k + 1) * n + i][0] = re;                                        \
                    vectors[(k + 1) * n + i][1] = -im;                                       \
                }                                                                            \
            }                                                                                \
            k += pair;                                                                       \
        }                                                                                    \
    }
DEFINE_UNPACK(float)
DEFINE_UNPACK(double)

static void unpack(const decomposition *d, int64_t i)
{
    void *const w = ash__data(d->raw_values), *const v = d->raw_vectors ? ash__data(d->raw_vectors) : NULL;
    void *const values = ash__stack_at(d->values, i), *const vectors = d->vectors ? ash__stack_at(d->vectors, i) : NULL;
    if (d->s.dtype == ASH_F64)
        unpack_double(d->s.rows, w, v, values, vectors);
    else
        unpack_float(d->s.rows, w, v, values, vectors);
}

static ash_status decompose(const decomposition *d)
{
    const ash__stack *const s = &d->s;
    const int64_t n = s->rows;
    const bool real = ash__is_real(s->dtype);
    char name[ASH__SHAPE_TEXT + 16];
    ash__lapack_work work = {.block = NULL};
    ash_status status = ash__lapack_need(s->function);
    if (!status)
        status = ash__lapack_eig_work(s->function, s->resources, s->dtype, d->job, n, &work);
    for (int64_t i = 0; i < s->count && !status; i++) {
        char *const values = real ? ash__data(d->raw_values) : ash__stack_at(d->values, i);
        char *const vectors = d->job == 'N' ? values : real ? ash__data(d->raw_vectors) : ash__stack_at(d->vectors, i);
        char *const a = ash__stack_at(d->a, i);
        const int exponent = ash__stack_scale(s->dtype, a, n * n);
        int32_t info = ash__lapack_eig(s->dtype, d->job, n, a, values, vectors, &work);
        if (!info && !ash__stack_sound(s->dtype, values, 2 * n))
            info = (int32_t)n;
        if (info)
            status = ash__fail(ASH_ERR_VALUE, s->function, "%sthe eigenvalues do not converge (%d of them)",
                               ash__stack_name(s, i, name, sizeof name), (int)info);
        if (real && !status)
            unpack(d, i); /* first: an imaginary part may be lost below */
        ash__stack_unscale(s->dtype, ash__stack_at(d->values, i), 2 * n, exponent);
    }
    ash_release(work.block);
    return status;
}

static ash_status run(decomposition *d)
{
    ash_status status = take(d);
    if (status || !d->a->size)
        return status;
    status = ash__stack_finite(&d->s, d->a, 0);
    return status ? status : decompose(d);
}

static ash_eig_result eig(const char *function, const ash_array *a, char job, const ash_spectral_options *options)
{
    ash_eig_result result = {NULL, NULL};
    ash_spectral_options o;
    decomposition d = {.job = job};
    if (!ash__read_options(function, &o, sizeof o, options) || ash__stack_begin(&d.s, function, a, o.resources) ||
        ash__stack_square(&d.s))
        return result;
    const int64_t barrier = ash_scope_open_barrier();
    const bool done = barrier >= 0 && !run(&d);
    ash_scope_close(barrier);
    if (done && (result.values = ash__stack_result(&d.s, d.values, true)) && job == 'V' &&
        !(result.vectors = ash__stack_result(&d.s, d.vectors, false))) {
        ash_release(result.values);
        result.values = NULL;
    }
    ash_release(d.a);
    ash_release(d.values);
    ash_release(d.vectors);
    ash_release(d.raw_values);
    ash_release(d.raw_vectors);
    return result;
}

ash_eig_result ash_eig_opt(const ash_array *a, const ash_spectral_options *options)
{
    return eig("ash_eig", a, 'V', options);
}

ash_array *ash_eigvals_opt(const ash_array *a, const ash_spectral_options *options)
{
    return eig("ash_eigvals", a, 'N', options).values;
}
