/* fft.h - what a Fourier transform of arrays of one shape and dtype is, and running it. */
#ifndef ASH__FFT_H
#define ASH__FFT_H
#include "ashlar/fft.h"
#include "core/array.h"

typedef struct ash__fft {
    const char *function; /* the public function called */
    ash_fft_kind kind;
    double scale;
    int64_t rank, size;               /* size: numbers transformed together */
    int64_t shape[ASH_MAX_RANK];      /* of the numbers that are or would be real: n, not n/2 + 1 */
    int64_t half[ASH_MAX_RANK];       /* real kinds: that of the half spectrum; else shape */
    int64_t axis[ASH_MAX_RANK], axes; /* ascending */
    int64_t real;                     /* the axis that is halved; -1 for complex kinds */
    ash_dtype from, to;               /* dtypes */
    ash_dtype part;                   /* f32 or f64: what is computed in */
} ash__fft;

static inline bool ash__fft_backward(ash_fft_kind kind)
{
    return kind != ASH_FFT_FORWARD && kind != ASH_FFT_REAL;
}
/* shape as above; first: the first axis is halved and not the last. */
ash_status ash__fft_set(ash__fft *x, const char *function, ash_fft_kind kind, ash_dims shape, ash_dtype from, ash_axes axes,
                        bool first);
ash_dims ash__fft_from(const ash__fft *x); /* shapes of argument and result */
ash_dims ash__fft_to(const ash__fft *x);
/* For an argument of that shape and dtype. */
ash_array *ash__fft_new(const ash__fft *x, const ash_array *a, ash_resources *given);
/* out is checked; it may be a, or overlap it. */
ash_status ash__fft_into(const ash__fft *x, ash_array *out, const ash_array *a, ash_resources *given);
/* Do both lie in exactly the same memory? */
bool ash__fft_same(const ash_array *out, const ash_array *a);
#endif
