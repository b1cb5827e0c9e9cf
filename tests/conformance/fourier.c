/* fourier.c - Fourier transforms, and back; include/ashlar/fft.h. Their values: tests/fft.c. */
#include "matrices.h"

#include <math.h>
#include <string.h>

/* Lengths: a vector of 1031 or less, for the definition takes n^2; others as they are. */
static argument give_signal(ash_dtype dtype)
{
    int64_t shape[MODEL_RANK];
    memcpy(shape, now.shape, sizeof shape);
    if (now.edge == LONG)
        shape[0] = 360 + now.turn % 3; /* 360, 361 = 19^2, 362 = 2 * 181 */
    return give(dtype, shape, now.rank, TAME);
}

/* By the definition, of a vector. */
static model transformed(const model *a, double sign)
{
    const model x = wide(a), out = model_new(ASH_C_F64, a->shape, 1);
    const double *const in = (const double *)(const void *)x.data;
    const long double turn = 2 * 3.14159265358979323846264338327950288L / (long double)(a->size + !a->size);
    for (int64_t j = 0; j < a->size; j++) {
        long double re = 0, im = 0;
        for (int64_t k = 0; k < a->size; k++) {
            const long double angle = turn * (long double)(j * k % a->size), c = cosl(angle),
                              s = (long double)sign * sinl(angle);
            re += c * in[2 * k] - s * in[2 * k + 1];
            im += s * in[2 * k] + c * in[2 * k + 1];
        }
        ((double *)(void *)out.data)[2 * j] = (double)re;
        ((double *)(void *)out.data)[2 * j + 1] = (double)im;
    }
    return out;
}

static void check_transform(const argument *a, double sign)
{
    if (now.rank != 1 || !worked())
        return;
    const model all = transformed(&a->value, sign), want = narrow(&all, given()->dtype);
    expect(&want);
}

static void run_fft(void)
{
    const argument a = give_signal(now.dtype);
    result(ash_fft(a.array));
    check_transform(&a, -1);
}
static void run_bfft(void)
{
    const argument a = give_signal(now.dtype);
    result(ash_bfft(a.array));
    check_transform(&a, 1);
}
static void run_ifft(void)
{
    const argument a = give_signal(now.dtype);
    result(ash_fft(a.array));
    result(ash_ifft(ash_fft(a.array)));
}
static void run_fft_axis(void)
{
    const argument a = give_signal(now.dtype);
    result(ash_fft(a.array, .axes = ASH_AXES(0)));
}
static void run_fft_into(void)
{
    const argument a = give_signal(now.dtype), out = give_out(&a.value);
    result_status(ash_fft_into(out.array, out.array), &out);
    check_transform(&a, -1);
}

/* The other forms that write into an array that is there. */
static void run_backward_into(void)
{
    const argument a = give_signal(now.dtype), b = give_out(&a.value), c = give_out(&a.value);
    result_status(ash_bfft_into(b.array, a.array), &b);
    check_transform(&a, 1);
    result_status(ash_ifft_into(c.array, b.array), &c);
}
static void run_real_into(void)
{
    const argument a = give_signal(now.dtype);
    int64_t shape[MODEL_RANK];
    memcpy(shape, a.value.shape, sizeof shape);
    shape[now.rank - 1] = shape[now.rank - 1] / 2 + 1;
    const model half = model_new((ash_dtype)(now.dtype - ASH_I8 + ASH_C_I8), shape, now.rank);
    const argument spectrum = give_out(&half), back = give_out(&a.value);
    result_status(ash_rfft_into(spectrum.array, a.array), &spectrum);
    result_status(ash_irfft_into(back.array, spectrum.array), &back);
    if (worked())
        expect(&a.value);
    result_status(ash_brfft_into(back.array, spectrum.array), &back);
}

static void run_rfft(void)
{
    const argument a = give_signal(now.dtype);
    ash_array *const half = ash_rfft(a.array);
    const int64_t n = a.value.shape[now.rank - 1];
    result(half);
    if (!worked())
        return;
    result(ash_irfft(half, n));
    if (worked() && part_of(now.dtype) == given()->dtype)
        expect(&a.value);
    result(ash_brfft(half, n));
}
static void run_fft_plan(void)
{
    const argument a = give_signal(now.dtype);
    ash_fft_plan *const plan = ash_fft_plan_new(ASH_FFT_FORWARD, SHAPE_OF(a.value), .dtype = now.dtype);
    ash_array *const got = ash_fft_execute(plan, a.array);
    ash_fft_plan_release(plan);
    result(got);
    check_transform(&a, -1);
}

static void run_shift(void)
{
    const argument a = give_here(ANYTHING);
    result(ash_fftshift(a.array));
    result(ash_ifftshift(ash_fftshift(a.array)));
    expect(&a.value);
}
static void run_frequencies(void)
{
    const int64_t n = now.shape[0] + 1;
    result(ash_fftfreq(n, 0.5, .dtype = now.dtype));
    result(ash_rfftfreq(n, 0.5, .dtype = now.dtype));
}

#define FLOATING (FLOATS | COMPLEX_FLOATS)
const operation fourier_operations[] = {
    {"fft", run_fft, NUMBERS, WITH_AXES, SUMMED, SUMMED, 0},
    {"bfft", run_bfft, FLOATING, WITH_AXES, SUMMED, SUMMED, 0},
    {"ifft", run_ifft, FLOATING, WITH_AXES, SUMMED, SUMMED, 0},
    {"fft_axis", run_fft_axis, FLOATING, WITH_AXES, SUMMED, SUMMED, 0},
    {"fft_into", run_fft_into, COMPLEX_FLOATS, WITH_AXES, SUMMED, SUMMED, 0},
    {"fft_backward_into", run_backward_into, COMPLEX_FLOATS, WITH_AXES, SUMMED, SUMMED, 0},
    {"rfft_into", run_real_into, FLOATS, WITH_AXES, SUMMED, SUMMED, 0},
    {"rfft", run_rfft, REALS, WITH_AXES, SUMMED, SUMMED, 0},
    {"fft_plan", run_fft_plan, COMPLEX_FLOATS, WITH_AXES, SUMMED, SUMMED, 0},
    {"fftshift", run_shift, ALL_DTYPES, WITH_AXES, EXACT, EXACT, 0},
    {"fftfreq", run_frequencies, FLOATS, VECTORS, EXACT, EXACT, 0},
    {NULL, NULL, 0, 0, EXACT, EXACT, 0},
};
