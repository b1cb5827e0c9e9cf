/*
 * svd.c - singular values and vectors of matrices.
 *
 * LAPACK's divide and conquer (gesdd) where there is a LAPACK, else rotations of pairs of columns (jacobi.h). Matrices whose
 * elements are all tiny or huge are brought near 1 by a power of two first, which changes no digit of the result.
 */
#include "ashlar/spectral.h"
#include "core/error.h"
#include "core/options.h"
#include "linalg/jacobi.h"
#include "linalg/lapack.h"
#include "linalg/spectral.h"
#include "linalg/stack.h"

typedef struct decomposition {
    ash__stack s;
    char job; /* as gesdd has it: 'N', 'S', 'A' */
    ash_array *a, *u, *values, *vt;
} decomposition;

static ash_status take(decomposition *d)
{
    const int64_t m = d->s.rows, n = d->s.columns, k = m < n ? m : n;
    d->a = ash__stack_copy(&d->s);
    d->values = d->a ? ash__stack_temporary(&d->s, ash__part(d->s.dtype), k, 1) : NULL;
    if (!d->values)
        return ash__last_status();
    if (d->job == 'N')
        return ASH_OK;
    d->u = ash__stack_temporary(&d->s, d->s.dtype, m, d->job == 'A' ? m : k);
    d->vt = d->u ? ash__stack_temporary(&d->s, d->s.dtype, d->job == 'A' ? n : k, n) : NULL;
    return d->vt ? ASH_OK : ash__last_status();
}

/* All matrices of a temporary become the identity. */
static void set_identity(const ash_array *temporary)
{
    const int64_t n = temporary->shape[1] < temporary->shape[2] ? temporary->shape[1] : temporary->shape[2];
    const double one = 1;
    const float one_single = 1;
    memset(ash__data(temporary), 0, (size_t)temporary->size * ash_dtype_size(temporary->dtype));
    for (int64_t i = 0; i < temporary->shape[0]; i++)
        for (int64_t k = 0; k < n; k++) {
            char *const at = ash__stack_at(temporary, i) + k * (temporary->stride[1] + temporary->stride[2]);
            if (ash__part(temporary->dtype) == ASH_F64)
                memcpy(at, &one, sizeof one);
            else
                memcpy(at, &one_single, sizeof one_single);
        }
}

static char *matrix(const ash_array *temporary, int64_t i)
{
    return temporary ? ash__stack_at(temporary, i) : NULL;
}

static ash_status fail(const decomposition *d, int64_t i, int32_t info)
{
    char name[ASH__SHAPE_TEXT + 16];
    return ash__fail(ASH_ERR_VALUE, d->s.function, "%sthe singular values do not converge (%d of them)",
                     ash__stack_name(&d->s, i, name, sizeof name), (int)info);
}

static ash_status decompose(decomposition *d)
{
    const ash__stack *const s = &d->s;
    const int64_t m = s->rows, n = s->columns, k = m < n ? m : n;
    ash__lapack_work work = {.block = NULL};
    ash_status status;
    const bool lapack = ash__lapack_there(s->function, &status);
    if (!status && lapack)
        status = ash__lapack_svd_work(s->function, s->resources, s->dtype, d->job, m, n, &work);
    for (int64_t i = 0; i < s->count && !status; i++) {
        char *const a = matrix(d->a, i), *const u = matrix(d->u, i), *const vt = matrix(d->vt, i);
        char *const values = matrix(d->values, i);
        const int exponent = ash__stack_scale(s->dtype, a, m * n);
        int32_t info = 0;
        if (lapack)
            info = ash__lapack_svd(s->dtype, d->job, m, n, a, values, u, vt, &work);
        else
            status = ash__jacobi_svd(s->function, s->dtype, d->job, m, n, a, values, u, vt, &info);
        if (!info && !ash__stack_sound(s->dtype, values, k))
            info = (int32_t)k;
        if (!status && info)
            status = fail(d, i, info);
        ash__stack_unscale(s->dtype, values, k, exponent);
    }
    ash_release(work.block);
    return status;
}

static ash_status run(decomposition *d)
{
    ash_status status = take(d);
    if (!status)
        status = ash__stack_finite(&d->s, d->a, 0);
    if (status || !d->s.count)
        return status;
    if (d->s.rows && d->s.columns)
        return decompose(d);
    if (d->u) {
        set_identity(d->u);
        set_identity(d->vt);
    }
    return ASH_OK;
}

static void end(decomposition *d)
{
    ash_release(d->a);
    ash_release(d->u);
    ash_release(d->values);
    ash_release(d->vt);
}

static ash_svd_result svd(const char *function, const ash_array *a, char job, ash_resources *given)
{
    ash_svd_result result = {NULL, NULL, NULL};
    decomposition d = {.job = job};
    if (ash__stack_begin(&d.s, function, a, given))
        return result;
    const int64_t barrier = ash_scope_open_barrier();
    const bool done = barrier >= 0 && !run(&d);
    ash_scope_close(barrier);
    if (done && (result.s = ash__stack_result(&d.s, d.values, true)) && job != 'N') {
        result.u = ash__stack_result(&d.s, d.u, false);
        result.vt = result.u ? ash__stack_result(&d.s, d.vt, false) : NULL;
        if (!result.vt) {
            ash_release(result.u);
            ash_release(result.s);
            result = (ash_svd_result){NULL, NULL, NULL};
        }
    }
    end(&d);
    return result;
}

ash_svd_result ash_svd_opt(const ash_array *a, const ash_svd_options *options)
{
    static const char f[] = "ash_svd";
    ash_svd_options o;
    if (!ash__read_options(f, &o, sizeof o, options))
        return (ash_svd_result){NULL, NULL, NULL};
    return svd(f, a, o.full ? 'A' : 'S', o.resources);
}

ash_svd_result ash__svd(const char *function, const ash_array *a, ash_resources *given)
{
    return svd(function, a, 'S', given);
}

ash_array *ash__svdvals(const char *function, const ash_array *a, ash_resources *given)
{
    return svd(function, a, 'N', given).s;
}

ash_array *ash_svdvals_opt(const ash_array *a, const ash_spectral_options *options)
{
    static const char f[] = "ash_svdvals";
    ash_spectral_options o;
    return ash__read_options(f, &o, sizeof o, options) ? ash__svdvals(f, a, o.resources) : NULL;
}
