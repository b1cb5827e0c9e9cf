/*
 * eigh.c - eigenvalues and vectors of symmetric and Hermitian matrices.
 *
 * LAPACK's divide and conquer (syevd, heevd) where there is a LAPACK, else rotations (jacobi.h). Only one triangle is read,
 * and of a complex diagonal its real parts: the rest of the copy is cleared. Matrices whose elements are all tiny or huge are
 * brought near 1 by a power of two first.
 */
#include "ashlar/spectral.h"
#include "core/error.h"
#include "core/options.h"
#include "linalg/jacobi.h"
#include "linalg/lapack.h"
#include "linalg/stack.h"

typedef struct decomposition {
    ash__stack s;
    char job, triangle;
    ash_array *a, *values; /* vectors replace a */
} decomposition;

/* Zeros in the triangle that is not read, and in the imaginary parts of the diagonal. */
static void clear_rest(const decomposition *d)
{
    const int64_t n = d->s.rows, item = (int64_t)ash_dtype_size(d->s.dtype);
    for (int64_t i = 0; i < d->s.count; i++)
        for (int64_t column = 0; column < n; column++) {
            char *const at = ash__stack_at(d->a, i) + column * n * item;
            const int64_t first = d->triangle == 'L' ? 0 : column + 1, end = d->triangle == 'L' ? column : n;
            memset(at + first * item, 0, (size_t)((end - first) * item));
            if (ash__is_complex(d->s.dtype))
                memset(at + column * item + item / 2, 0, (size_t)item / 2);
        }
}

static ash_status decompose(const decomposition *d)
{
    const ash__stack *const s = &d->s;
    const int64_t n = s->rows;
    char name[ASH__SHAPE_TEXT + 16];
    ash__lapack_work work = {.block = NULL};
    ash_status status;
    const bool lapack = ash__lapack_there(s->function, &status);
    if (!status && lapack)
        status = ash__lapack_eigh_work(s->function, s->resources, s->dtype, d->job, n, &work);
    for (int64_t i = 0; i < s->count && !status; i++) {
        char *const a = ash__stack_at(d->a, i), *const values = ash__stack_at(d->values, i);
        const int exponent = ash__stack_scale(s->dtype, a, n * n);
        int32_t info = 0;
        if (lapack)
            info = ash__lapack_eigh(s->dtype, d->job, d->triangle, n, a, values, &work);
        else
            status = ash__jacobi_eigh(s->function, s->dtype, d->job, d->triangle, n, a, values, &info);
        if (!info && !ash__stack_sound(s->dtype, values, n))
            info = (int32_t)n;
        if (!status && info)
            status = ash__fail(ASH_ERR_VALUE, s->function, "%sthe eigenvalues do not converge (%d of them)",
                               ash__stack_name(s, i, name, sizeof name), (int)info);
        ash__stack_unscale(s->dtype, values, n, exponent);
    }
    ash_release(work.block);
    return status;
}

static ash_status run(decomposition *d)
{
    d->a = ash__stack_copy(&d->s);
    d->values = d->a ? ash__stack_temporary(&d->s, ash__part(d->s.dtype), d->s.rows, 1) : NULL;
    if (!d->values)
        return ash__last_status();
    if (!d->a->size)
        return ASH_OK;
    if (ash__is_complex(d->s.dtype) || d->s.rows > 1)
        clear_rest(d);
    const ash_status status = ash__stack_finite(&d->s, d->a, d->triangle);
    return status ? status : decompose(d);
}

static ash_eigh_result eigh(const char *function, const ash_array *a, char job, const ash_eigh_options *options)
{
    ash_eigh_result result = {NULL, NULL};
    ash_eigh_options o;
    decomposition d = {.job = job};
    if (!ash__read_options(function, &o, sizeof o, options) || ash__stack_begin(&d.s, function, a, o.resources) ||
        ash__stack_square(&d.s))
        return result;
    d.triangle = o.upper ? 'U' : 'L';
    const int64_t barrier = ash_scope_open_barrier();
    const bool done = barrier >= 0 && !run(&d);
    ash_scope_close(barrier);
    if (done && (result.values = ash__stack_result(&d.s, d.values, true)) && job == 'V' &&
        !(result.vectors = ash__stack_result(&d.s, d.a, false))) {
        ash_release(result.values);
        result.values = NULL;
    }
    ash_release(d.a);
    ash_release(d.values);
    return result;
}

ash_eigh_result ash_eigh_opt(const ash_array *a, const ash_eigh_options *options)
{
    return eigh("ash_eigh", a, 'V', options);
}

ash_array *ash_eigvalsh_opt(const ash_array *a, const ash_eigh_options *options)
{
    return eigh("ash_eigvalsh", a, 'N', options).values;
}
