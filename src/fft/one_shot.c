/* one_shot.c - transforms of one array, from the options to the result. */
#include "core/error.h"
#include "core/options.h"
#include "fft/fft.h"

/* The shape of the numbers that are or would be real: that of a, but along the halved axis of a half spectrum n. */
static ash_status shape_of(const char *function, const ash_array *a, int64_t n, const ash__fft *x, int64_t *shape)
{
    for (int32_t k = 0; k < a->rank; k++)
        shape[k] = a->shape[k];
    if (x->kind <= ASH_FFT_REAL)
        return ASH_OK;
    const int64_t bins = a->shape[x->real];
    if (n < 0 || n / 2 + 1 != bins)
        return ash__fail(ASH_ERR_SHAPE, function,
                         "%lld numbers have %lld bins along axis %lld, but a has %lld, those of %lld or %lld numbers",
                         (long long)n, (long long)(n < 0 ? 0 : n / 2 + 1), (long long)x->real, (long long)bins,
                         (long long)(bins ? 2 * bins - 2 : 0), (long long)(bins ? 2 * bins - 1 : 0));
    shape[x->real] = n;
    return ASH_OK;
}

/* x for a. With out, along the halved axis as many numbers as that has. */
static ash_status begin(ash__fft *x, const char *function, ash_fft_kind kind, const ash_array *out, const ash_array *a,
                        int64_t n, const ash_fft_options *o)
{
    int64_t shape[ASH_MAX_RANK];
    ash_status status = ash__check_array(function, "a", a);
    if (!status)
        status = ash__fft_set(x, function, kind, ash__dims(a), a->dtype, o->axes, o->first);
    if (!status && out && out->rank != a->rank)
        status =
            ash__fail(ASH_ERR_SHAPE, function, "out has shape %s; the result has rank %d", ash_shape_text(out), (int)a->rank);
    if (!status && out && x->real >= 0)
        n = out->shape[x->real];
    if (!status)
        status = shape_of(function, a, n, x, shape);
    return status ? status : ash__fft_set(x, function, kind, (ash_dims){shape, a->rank}, a->dtype, o->axes, o->first);
}

static ash_array *transform(const char *function, ash_fft_kind kind, const ash_array *a, int64_t n,
                            const ash_fft_options *options)
{
    ash_fft_options o;
    ash__fft x;
    if (!ash__read_options(function, &o, sizeof o, options) || begin(&x, function, kind, NULL, a, n, &o))
        return NULL;
    return ash__fft_new(&x, a, o.resources);
}

static ash_status check_out(const ash__fft *x, const ash_array *out, const ash_array *a)
{
    char text[ASH__SHAPE_TEXT];
    const ash_dims want = ash__fft_to(x);
    bool same = out->rank == want.rank;
    for (int64_t k = 0; same && k < want.rank; k++)
        same = out->shape[k] == want.size[k];
    if (!same)
        return ash__fail(ASH_ERR_SHAPE, x->function, "out has shape %s; the result has shape %s", ash_shape_text(out),
                         ash__shape_text(text, sizeof text, want.size, want.rank));
    if (out->dtype != x->to)
        return ash__fail(ASH_ERR_DTYPE, x->function, "out is %s; the result is %s", ash_dtype_name(out->dtype),
                         ash_dtype_name(x->to));
    if (ash__device(out) != ash__device(a))
        return ash__fail(ASH_ERR_DEVICE, x->function, "out is on %s and a on %s", ash__device(out)->name, ash__device(a)->name);
    return ASH_OK;
}

static ash_status into(const char *function, ash_fft_kind kind, ash_array *out, const ash_array *a,
                       const ash_fft_options *options)
{
    ash_fft_options o;
    ash__fft x;
    if (!ash__read_options(function, &o, sizeof o, options))
        return ash__last_status();
    ash_status status = ash__check_writable(function, "out", out);
    if (!status)
        status = begin(&x, function, kind, out, a, -1, &o);
    if (!status)
        status = check_out(&x, out, a);
    return status ? status : ash__fft_into(&x, out, a, o.resources);
}

#define DEFINE(name, kind)                                                    \
    ash_array *name##_opt(const ash_array *a, const ash_fft_options *options) \
    {                                                                         \
        return transform(#name, kind, a, -1, options);                        \
    }                                                                         \
    DEFINE_INTO(name, kind)
#define DEFINE_SIZED(name, kind)                                                         \
    ash_array *name##_opt(const ash_array *a, int64_t n, const ash_fft_options *options) \
    {                                                                                    \
        return transform(#name, kind, a, n, options);                                    \
    }                                                                                    \
    DEFINE_INTO(name, kind)
#define DEFINE_INTO(name, kind)                                                                    \
    ash_status name##_into_opt(ash_array *out, const ash_array *a, const ash_fft_options *options) \
    {                                                                                              \
        return into(#name "_into", kind, out, a, options);                                         \
    }

DEFINE(ash_fft, ASH_FFT_FORWARD)
DEFINE(ash_ifft, ASH_FFT_INVERSE)
DEFINE(ash_bfft, ASH_FFT_BACKWARD)
DEFINE(ash_rfft, ASH_FFT_REAL)
DEFINE_SIZED(ash_irfft, ASH_FFT_REAL_INVERSE)
DEFINE_SIZED(ash_brfft, ASH_FFT_REAL_BACKWARD)
