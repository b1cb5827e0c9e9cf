/* fftfreq.c - the frequencies of the numbers of a transform. */
#include "core/error.h"
#include "core/host.h"
#include "core/options.h"
#include "fft/fft.h"

/* count numbers k/(n*d), of which those from `negative` on stand for k - n; made on the host in f64. */
static ash_array *frequencies(const char *function, int64_t n, int64_t count, int64_t negative, double d,
                              const ash_make_options *options)
{
    ash_make_options o;
    if (!ash__read_options(function, &o, sizeof o, options))
        return NULL;
    if (n < 0) {
        ash__fail(ASH_ERR_SHAPE, function, "%lld numbers; 0 or more are wanted", (long long)n);
        return NULL;
    }
    const ash__make make = {.resources = o.resources,
                            .dtype = o.dtype ? o.dtype : ASH_F32,
                            .layout = o.layout,
                            .storage = o.storage,
                            .memory = o.memory};
    if (!ash__is_float(make.dtype)) {
        ash__fail(ASH_ERR_DTYPE, function, "frequencies of dtype %s; a float dtype is wanted", ash_dtype_name(make.dtype));
        return NULL;
    }
    ash_array *const out = ash__array_new(function, (ash_dims){&count, 1}, &make);
    ash__host h;
    const ash_status status = out ? ash__host_open(&h, function, out, ASH__WRITE | ASH__OWN) : ash__last_status();
    for (int64_t k = 0; !status && k < count; k++) {
        const double x = (double)(k < negative ? k : k - n) / ((double)n * d);
        char *const at = h.data + k * (int64_t)ash_dtype_size(out->dtype);
        const uint16_t half = out->dtype == ASH_F16 ? ash__f16_from_f64(x) : ash__bf16_from_f64(x);
        if (out->dtype == ASH_F64)
            *(double *)(void *)at = x;
        else if (out->dtype == ASH_F32)
            *(float *)(void *)at = (float)x;
        else
            *(uint16_t *)(void *)at = half;
    }
    if (out && ash__host_close(&h, status)) {
        ash_release(out);
        return NULL;
    }
    return out;
}

ash_array *ash_fftfreq_opt(int64_t n, double d, const ash_make_options *options)
{
    return frequencies("ash_fftfreq", n, n, n - n / 2, d, options);
}

ash_array *ash_rfftfreq_opt(int64_t n, double d, const ash_make_options *options)
{
    return frequencies("ash_rfftfreq", n, n / 2 + 1, n / 2 + 1, d, options);
}
