/*
 * fft.h - Fourier transforms: of complex and of real numbers, forward and backward, over any axes, of any length.
 *
 * X[j] is the sum over k of x[k]*exp(-2*pi*i*j*k/n), along each axis in turn; a backward transform has a plus there, and the
 * inverse is the backward one divided by the count of numbers transformed together, the product of the sizes along the axes.
 *
 * Axes    .axes are in increasing order after negative ones are counted from the end; they need not be neighbours. Others, and
 *         axes that are not there, are ASH_ERR_ARGUMENT. Default all.
 * Real    The transform of real numbers has X[n - j] = conj(X[j]), so the last of the axes, with .first the first of them,
 *         keeps n/2 + 1 of its n numbers only. The way back needs n, which n/2 + 1 does not tell. Imaginary parts that such a
 *         spectrum cannot have (of X[0], and of X[n/2] for even n) are not looked at.
 * Dtype   f64 and c_f64 are computed in f64, all others in f32. The result has parts of f64, f32, f16 or bf16 as the argument
 *         has; bool and integers, complex ones too, give f32. f16 and bf16 are rounded once, at the end.
 * Exact   The root-mean-square error is below (log2(n)/2 + 1)*u of the root-mean-square of the result, u being 2^-24 or 2^-53
 *         and n the count of numbers transformed together; twice that where n has a prime factor above 31. The same bits for
 *         any number of threads; they may differ between processors, and between a line alone and among others. NaN and
 *         infinity spread over their line.
 * Source  Stockham's autosort algorithm with radices up to 31, C. Van Loan, Computational Frameworks for the Fast Fourier
 *         Transform, SIAM 1992; lengths with larger prime factors by convolution, L. I. Bluestein, IEEE Transactions on Audio
 *         and Electroacoustics 18 (1970).
 */
#ifndef ASHLAR_FFT_H
#define ASHLAR_FFT_H
#include "array.h"
#include "base.h"
ASH__BEGIN

typedef enum ash_fft_kind {
    ASH_FFT_FORWARD = 1,       /* ash_fft */
    ASH_FFT_INVERSE = 2,       /* ash_ifft */
    ASH_FFT_BACKWARD = 3,      /* ash_bfft */
    ASH_FFT_REAL = 4,          /* ash_rfft */
    ASH_FFT_REAL_INVERSE = 5,  /* ash_irfft */
    ASH_FFT_REAL_BACKWARD = 6, /* ash_brfft */
    ASH_FFT_KIND_LAST = 0x7fffffff
} ash_fft_kind;

typedef struct ash_fft_plan ash_fft_plan;

typedef struct ash_fft_options {
    size_t struct_size;
    ash_resources *resources;
    ash_axes axes; /* default all */
    bool first;    /* of real numbers: the first of the axes is halved, not the last */
} ASH__KEYWORDS ash_fft_options;

typedef struct ash_fft_plan_options {
    size_t struct_size;
    ash_resources *resources;
    ash_dtype dtype; /* of the argument; default c_f32, of ASH_FFT_REAL f32 */
    ash_axes axes;   /* default all */
    bool first;
    bool in_place;   /* the result takes the place of the argument; complex kinds, and dtypes that stay */
} ASH__KEYWORDS ash_fft_plan_options;

typedef struct ash_fft_shift_options {
    size_t struct_size;
    ash_resources *resources;
    ash_axes axes; /* in any order; default all */
} ASH__KEYWORDS ash_fft_shift_options;

/**
 * The transform of complex numbers, or of real ones taken as complex; not scaled.
 *
 * Shape   that of a.
 * Dtype   complex, as above.
 *
 * @param a        borrowed and not changed; any strides, either storage.
 * @param options  .axes.
 * @return         a new array in a's storage and layout, its scope's or the caller's; NULL with ASH_ERR_ARGUMENT (axes),
 *                 ASH_ERR_DTYPE (records), ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_fft_opt(const ash_array *a, const ash_fft_options *options ASH__DEFAULT);

/**
 * The inverse of ash_fft: ash_ifft(ash_fft(a)) is a again, up to rounding.
 *
 * Shape   that of a.
 * Dtype   complex, as above.
 *
 * @param a        borrowed and not changed.
 * @param options  .axes.
 * @return         a new array, its scope's or the caller's; NULL with an error as from ash_fft.
 */
ASH_API ash_array *ash_ifft_opt(const ash_array *a, const ash_fft_options *options ASH__DEFAULT);

/**
 * The same without the division: the backward transform.
 *
 * Shape   that of a.
 * Dtype   complex, as above.
 *
 * @param a        borrowed and not changed.
 * @param options  .axes.
 * @return         a new array, its scope's or the caller's; NULL with an error as from ash_fft.
 */
ASH_API ash_array *ash_bfft_opt(const ash_array *a, const ash_fft_options *options ASH__DEFAULT);

/**
 * The transform of real numbers: the half of it that says everything.
 *
 * Shape   that of a, with n/2 + 1 in place of n along the last of the axes, or the first one with .first.
 * Dtype   complex, as above; a is real or bool.
 *
 * @param a        borrowed and not changed; rank at least 1.
 * @param options  .axes, .first.
 * @return         a new array, its scope's or the caller's; NULL with an error as from ash_fft; ASH_ERR_DTYPE for complex
 *                 numbers, ASH_ERR_ARGUMENT when there is no axis.
 */
ASH_API ash_array *ash_rfft_opt(const ash_array *a, const ash_fft_options *options ASH__DEFAULT);

/**
 * The inverse of ash_rfft: ash_irfft(ash_rfft(x), n) is x again, n numbers along the halved axis.
 *
 * Shape   that of a, with n in place of n/2 + 1.
 * Dtype   real, as above.
 *
 * @param a        borrowed and not changed: half a spectrum.
 * @param n        of the real numbers: 2*(bins - 1) or 2*bins - 1 for so many bins along the halved axis.
 * @param options  .axes, .first.
 * @return         a new array, its scope's or the caller's; NULL with an error as from ash_fft; ASH_ERR_SHAPE when n and the
 *                 bins do not fit.
 */
ASH_API ash_array *ash_irfft_opt(const ash_array *a, int64_t n, const ash_fft_options *options ASH__DEFAULT);

/**
 * The same without the division.
 *
 * Shape   that of a, with n in place of n/2 + 1.
 * Dtype   real, as above.
 *
 * @param a        borrowed and not changed: half a spectrum.
 * @param n        of the real numbers.
 * @param options  .axes, .first.
 * @return         a new array, its scope's or the caller's; NULL with an error as from ash_irfft.
 */
ASH_API ash_array *ash_brfft_opt(const ash_array *a, int64_t n, const ash_fft_options *options ASH__DEFAULT);

/**
 * The same into an array that is there, of the result's shape and dtype; out may be a, or overlap it. The n of real numbers is
 * that of out.
 *
 * Shape   out has the result's.
 * Dtype   out has the result's.
 *
 * @param out      written, any strides; untouched when anything fails.
 * @param a        borrowed; not changed where it does not overlap out.
 * @param options  .axes; of real numbers .first.
 * @return         ASH_OK, ASH_ERR_SHAPE, ASH_ERR_DTYPE, ASH_ERR_DEVICE, ASH_ERR_ARGUMENT (read-only; axes), ASH_ERR_RELEASED or
 *                 ASH_ERR_MEMORY.
 */
ASH_API ash_status ash_fft_into_opt(ash_array *out, const ash_array *a, const ash_fft_options *options ASH__DEFAULT);
ASH_API ash_status ash_ifft_into_opt(ash_array *out, const ash_array *a, const ash_fft_options *options ASH__DEFAULT);
ASH_API ash_status ash_bfft_into_opt(ash_array *out, const ash_array *a, const ash_fft_options *options ASH__DEFAULT);
ASH_API ash_status ash_rfft_into_opt(ash_array *out, const ash_array *a, const ash_fft_options *options ASH__DEFAULT);
ASH_API ash_status ash_irfft_into_opt(ash_array *out, const ash_array *a, const ash_fft_options *options ASH__DEFAULT);
ASH_API ash_status ash_brfft_into_opt(ash_array *out, const ash_array *a, const ash_fft_options *options ASH__DEFAULT);

/**
 * A transform that is checked once and used often, from any thread: ash_fft_plan_new(ASH_FFT_REAL, ASH_SHAPE(480, 640)).
 *
 * Shape   that of the numbers that are transformed; of ASH_FFT_REAL_INVERSE and ASH_FFT_REAL_BACKWARD that of the real
 *         numbers, which the transform gives.
 *
 * @param kind     which transform.
 * @param shape    of rank 0 to 32.
 * @param options  .dtype, .axes, .first; .in_place: then argument and result are one array, else they share no memory.
 * @return         the caller's, to be ended by ash_fft_plan_release; NULL with ASH_ERR_ARGUMENT, ASH_ERR_SHAPE, ASH_ERR_DTYPE
 *                 or ASH_ERR_MEMORY.
 */
ASH_API ash_fft_plan *ash_fft_plan_new_opt(ash_fft_kind kind, ash_dims shape,
                                           const ash_fft_plan_options *options ASH__DEFAULT);

/**
 * The plan that undoes another one: of the forward transform the inverse, of the backward one the forward one divided by the
 * count of numbers.
 *
 * @param plan  borrowed.
 * @return      the caller's; NULL with ASH_ERR_ARGUMENT or ASH_ERR_MEMORY.
 */
ASH_API ash_fft_plan *ash_fft_plan_inverse(const ash_fft_plan *plan);

/**
 * One more reference to a plan.
 *
 * @param plan  NULL is fine.
 * @return      the same plan; the reference is the caller's.
 */
ASH_API ash_fft_plan *ash_fft_plan_retain(ash_fft_plan *plan);

/**
 * Ends a reference to a plan.
 *
 * @param plan  NULL is fine.
 */
ASH_API void ash_fft_plan_release(ash_fft_plan *plan);

/**
 * The transform of a plan.
 *
 * Shape   x has the plan's; the result as from the function of that kind.
 * Dtype   x has the plan's.
 *
 * @param plan  borrowed; not one that works in place.
 * @param x     borrowed and not changed.
 * @return      a new array, its scope's or the caller's; NULL with ASH_ERR_ARGUMENT (another shape, which is named with the
 *              plan's; an in-place plan), ASH_ERR_DTYPE, ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_fft_execute(const ash_fft_plan *plan, const ash_array *x);

/**
 * The same into an array that is there: ash_fft_execute_into(y, plan, x).
 *
 * Shape   y and x have the plan's.
 * Dtype   y and x have the plan's.
 *
 * @param y     written; untouched when anything fails. Of an in-place plan it is x; else it shares no memory with x.
 * @param plan  borrowed.
 * @param x     borrowed; not changed but by an in-place plan.
 * @return      ASH_OK, ASH_ERR_ARGUMENT (another shape; memory that is shared, or is not), ASH_ERR_DTYPE, ASH_ERR_DEVICE,
 *              ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_status ash_fft_execute_into(ash_array *y, const ash_fft_plan *plan, const ash_array *x);

/**
 * The frequencies of the n numbers of a transform: 0, 1, ... and then the negative ones, -n/2 (rounded up) to -1, over n*d.
 *
 * Shape   (n).
 * Dtype   .dtype, default f32; a float.
 * Units   cycles per unit of d.
 * Exact   each is the true quotient of the integer and n*d in f64, rounded to the dtype.
 *
 * @param n        of the numbers, 0 or more.
 * @param d        the distance of two samples; 1 gives cycles per sample.
 * @param options  .dtype .layout .storage .resources .memory.
 * @return         a new vector, its scope's or the caller's; NULL with ASH_ERR_SHAPE (a negative n), ASH_ERR_DTYPE or an error
 *                 as from ash_empty.
 */
ASH_API ash_array *ash_fftfreq_opt(int64_t n, double d, const ash_make_options *options ASH__DEFAULT);

/**
 * The frequencies of half a spectrum: 0, 1, ... n/2 over n*d.
 *
 * Shape   (n/2 + 1).
 * Dtype   .dtype, default f32; a float.
 * Units   cycles per unit of d.
 * Exact   as ash_fftfreq.
 *
 * @param n        of the real numbers, 0 or more.
 * @param d        the distance of two samples.
 * @param options  .dtype .layout .storage .resources .memory.
 * @return         a new vector, its scope's or the caller's; NULL with an error as from ash_fftfreq.
 */
ASH_API ash_array *ash_rfftfreq_opt(int64_t n, double d, const ash_make_options *options ASH__DEFAULT);

/**
 * Elements moved so that frequency 0 is in the middle, at n/2 along each axis.
 *
 * Shape   that of a.
 * Dtype   that of a, any.
 * Exact   yes.
 *
 * @param a        borrowed.
 * @param options  .axes.
 * @return         a new array, its scope's or the caller's; NULL with ASH_ERR_BOUNDS, ASH_ERR_ARGUMENT (an axis twice),
 *                 ASH_ERR_RELEASED or ASH_ERR_MEMORY.
 */
ASH_API ash_array *ash_fftshift_opt(const ash_array *a, const ash_fft_shift_options *options ASH__DEFAULT);

/**
 * The inverse of ash_fftshift, which for odd sizes is another function.
 *
 * Shape   that of a.
 * Dtype   that of a, any.
 * Exact   yes.
 *
 * @param a        borrowed.
 * @param options  .axes.
 * @return         a new array, its scope's or the caller's; NULL with an error as from ash_fftshift.
 */
ASH_API ash_array *ash_ifftshift_opt(const ash_array *a, const ash_fft_shift_options *options ASH__DEFAULT);

ASH__END

#if !defined(__cplusplus) && !defined(ASHLAR_CDEF)
#define ash_fft(...) ASH__KW1(ash_fft_opt, ash_fft_options, __VA_ARGS__, ASH_SIZED(ash_fft_options))
#define ash_ifft(...) ASH__KW1(ash_ifft_opt, ash_fft_options, __VA_ARGS__, ASH_SIZED(ash_fft_options))
#define ash_bfft(...) ASH__KW1(ash_bfft_opt, ash_fft_options, __VA_ARGS__, ASH_SIZED(ash_fft_options))
#define ash_rfft(...) ASH__KW1(ash_rfft_opt, ash_fft_options, __VA_ARGS__, ASH_SIZED(ash_fft_options))
#define ash_irfft(...) ASH__KW2(ash_irfft_opt, ash_fft_options, __VA_ARGS__, ASH_SIZED(ash_fft_options))
#define ash_brfft(...) ASH__KW2(ash_brfft_opt, ash_fft_options, __VA_ARGS__, ASH_SIZED(ash_fft_options))
#define ash_fft_into(...) ASH__KW2(ash_fft_into_opt, ash_fft_options, __VA_ARGS__, ASH_SIZED(ash_fft_options))
#define ash_ifft_into(...) ASH__KW2(ash_ifft_into_opt, ash_fft_options, __VA_ARGS__, ASH_SIZED(ash_fft_options))
#define ash_bfft_into(...) ASH__KW2(ash_bfft_into_opt, ash_fft_options, __VA_ARGS__, ASH_SIZED(ash_fft_options))
#define ash_rfft_into(...) ASH__KW2(ash_rfft_into_opt, ash_fft_options, __VA_ARGS__, ASH_SIZED(ash_fft_options))
#define ash_irfft_into(...) ASH__KW2(ash_irfft_into_opt, ash_fft_options, __VA_ARGS__, ASH_SIZED(ash_fft_options))
#define ash_brfft_into(...) ASH__KW2(ash_brfft_into_opt, ash_fft_options, __VA_ARGS__, ASH_SIZED(ash_fft_options))
#define ash_fft_plan_new(...) \
    ASH__KW2(ash_fft_plan_new_opt, ash_fft_plan_options, __VA_ARGS__, ASH_SIZED(ash_fft_plan_options))
#define ash_fftfreq(...) ASH__KW2(ash_fftfreq_opt, ash_make_options, __VA_ARGS__, ASH_SIZED(ash_make_options))
#define ash_rfftfreq(...) ASH__KW2(ash_rfftfreq_opt, ash_make_options, __VA_ARGS__, ASH_SIZED(ash_make_options))
#define ash_fftshift(...) ASH__KW1(ash_fftshift_opt, ash_fft_shift_options, __VA_ARGS__, ASH_SIZED(ash_fft_shift_options))
#define ash_ifftshift(...) ASH__KW1(ash_ifftshift_opt, ash_fft_shift_options, __VA_ARGS__, ASH_SIZED(ash_fft_shift_options))
#endif
#endif
