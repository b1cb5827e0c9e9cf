/* fourier.c - Fourier transforms, by their definition in long double; include/ashlar/fft.h. */
#include <math.h>
#include <string.h>

#include "draw.h"

enum { LONGEST = 400 }; /* axis: the definition takes the square of it; tests/fft.c has long ones */

typedef struct spectrum { /* complex numbers in row-major order */
    int64_t rank, shape[MODEL_RANK], size;
    long double *re, *im;
} spectrum;

static spectrum spectrum_new(const int64_t *shape, int64_t rank)
{
    spectrum s = {.rank = rank, .size = count_of(shape, rank)};
    memcpy(s.shape, shape, (size_t)rank * sizeof *shape);
    s.re = draw_memory((size_t)(s.size + 1) * sizeof *s.re);
    s.im = draw_memory((size_t)(s.size + 1) * sizeof *s.im);
    return s;
}

static spectrum spectrum_of(const model *m)
{
    const spectrum s = spectrum_new(m->shape, m->rank);
    for (int64_t i = 0; i < m->size; i++) {
        double x[2] = {0, 0};
        convert_element(ASH_C_F64, x, m->dtype, model_at(m, i));
        s.re[i] = (long double)x[0];
        s.im[i] = (long double)x[1];
    }
    return s;
}

static int64_t draw_short_shape(int64_t *shape, int64_t least_rank, int64_t most_rank)
{
    const int64_t rank = draw_shape(shape, least_rank, most_rank);
    for (int64_t k = 0; k < rank; k++)
        shape[k] = shape[k] < LONGEST ? shape[k] : LONGEST - random_in(0, 10);
    return rank;
}

/* The first `wanted` numbers of the definition along one axis, of n numbers. half: `given` ones are there, and the others are
 * their conjugates. */
static spectrum along(const spectrum *x, int64_t axis, int64_t given, int64_t n, int64_t wanted, bool backward, bool half)
{
    const long double turn = (backward ? 2 : -2) * 3.141592653589793238462643383279502884L / (long double)(n ? n : 1);
    int64_t shape[MODEL_RANK];
    memcpy(shape, x->shape, sizeof shape);
    shape[axis] = wanted;
    const spectrum y = spectrum_new(shape, x->rank);
    const int64_t inner = count_of(shape + axis + 1, x->rank - axis - 1), outer = count_of(shape, axis);
    long double *const root = draw_memory((size_t)(2 * n + 1) * sizeof *root); /* cosine and sine of each turn */
    for (int64_t k = 0; k < n; k++) {
        root[2 * k] = cosl(turn * (long double)k);
        root[2 * k + 1] = sinl(turn * (long double)k);
    }
    for (int64_t o = 0; o < outer; o++)
        for (int64_t j = 0; j < wanted; j++)
            for (int64_t i = 0; i < inner; i++)
                for (int64_t k = 0; k < n; k++) {
                    const bool other = half && k > n / 2;
                    const int64_t from = (o * given + (other ? n - k : k)) * inner + i, to = (o * wanted + j) * inner + i;
                    const long double re = x->re[from], *const r = root + 2 * (j * k % n), c = r[0], s = r[1];
                    long double im = other ? -x->im[from] : x->im[from];
                    if (half && 2 * k % n == 0)
                        im = 0; /* what it cannot have is not looked at */
                    y.re[to] += re * c - im * s;
                    y.im[to] += re * s + im * c;
                }
    return y;
}

static double tolerance(ash_dtype dtype)
{
    switch (part_of(dtype)) {
    case ASH_F64:
        return 1e-14;
    case ASH_F32:
        return 1e-6;
    case ASH_F16:
        return 1e-3;
    default:
        return 8e-3;
    }
}

/* got is new, of this dtype, and close to want*scale. */
static void check_close(ash_array *got, ash_dtype dtype, const spectrum *want, long double scale, const argument *a)
{
    const model as = model_new(dtype, want->shape, want->rank);
    long double most = 1;
    for (int64_t i = 0; i < want->size; i++)
        most = fmaxl(most, scale * hypotl(want->re[i], want->im[i]));
    if (got && ash_to_host(got, as.data, (size_t)as.size * as.nbytes) != ASH_OK)
        fail("the result has another size: %s", ash_error_text());
    for (int64_t i = 0; got && i < want->size; i++) {
        double x[2] = {0, 0};
        convert_element(ASH_C_F64, x, dtype, model_at(&as, i));
        const long double re = (long double)x[0] - scale * want->re[i],
                          im = is_complex(dtype) ? (long double)x[1] - scale * want->im[i] : 0;
        if (!(hypotl(re, im) <= (long double)tolerance(dtype) * most))
            fail("element %" PRId64 " is %g%+gi, not %Lg%+Lgi", i, x[0], x[1], scale * want->re[i], scale * want->im[i]);
    }
    check_new(got, &as);
    check_layout_like(got, a);
}

static ash_dtype kept_part(ash_dtype dtype)
{
    return is_float(part_of(dtype)) ? part_of(dtype) : ASH_F32;
}
static ash_dtype complex_of(ash_dtype part)
{
    return (ash_dtype)(part - ASH_I8 + ASH_C_I8);
}

/* Some axes in increasing order, or, for a fault, not so; at least `least`. */
static some_axes increasing(int64_t rank, int64_t least)
{
    some_axes x = {.wrong = draw_fault()};
    for (int64_t k = 0; k < rank; k++)
        if (one_in(2) || rank - k <= least - x.count) {
            x.axis[x.count] = k;
            x.given[x.count++] = draw_axis(rank, k);
        }
    if (x.wrong && x.count > 1 && one_in(2))
        x.given[0] = x.given[1];
    else if (x.wrong) {
        x.count = x.count ? x.count : 1;
        x.given[x.count - 1] = draw_bad_axis(rank);
    }
    say_list(" axes", x.given, x.count);
    return x;
}

static void draw_fft(void)
{
    static const char *const name[] = {"ash_fft", "ash_ifft", "ash_bfft"};
    ash_array *(*const call[])(const ash_array *, const ash_fft_options *) = {ash_fft_opt, ash_ifft_opt, ash_bfft_opt};
    int64_t shape[MODEL_RANK];
    const int64_t rank = draw_short_shape(shape, 0, 4);
    const argument *a = draw_argument("a", draw_number(), shape, rank, COUNTS);
    const int which = (int)random_in(0, 2);
    const some_axes x = increasing(rank, 0);
    const ash_fft_options options = {.axes = AXES(x.given, x.count), ASH_SIZED(ash_fft_options)};
    say(" %s", name[which]);
    ash_array *got = call[which](a->array, &options);
    if (x.wrong) {
        check_refused(!got, name[which], ONE_OF(ASH_ERR_ARGUMENT));
        return;
    }
    spectrum s = spectrum_of(&a->value);
    long double count = 1;
    for (int64_t i = 0; i < x.count; i++) {
        const int64_t n = shape[x.axis[i]];
        s = along(&s, x.axis[i], n, n, n, which, false);
        count *= n ? (long double)n : 1;
    }
    check_close(got, complex_of(kept_part(a->value.dtype)), &s, which == 1 ? 1 / count : 1, a);
}

static void draw_rfft(void)
{
    int64_t shape[MODEL_RANK];
    const int64_t rank = draw_short_shape(shape, 1, 4);
    const bool complex_ = draw_fault(), first = one_in(2);
    const argument *a = draw_argument("a", complex_ ? ASH_C_F32 : draw_real(), shape, rank, COUNTS);
    const some_axes x = increasing(rank, 1);
    const ash_fft_options options = {.axes = AXES(x.given, x.count), .first = first, ASH_SIZED(ash_fft_options)};
    say("%s", first ? " first" : "");
    ash_array *got = ash_rfft_opt(a->array, &options);
    if (x.wrong || complex_) {
        check_refused(!got, "ash_rfft", ONE_OF(ASH_ERR_ARGUMENT, ASH_ERR_DTYPE));
        return;
    }
    spectrum s = spectrum_of(&a->value);
    const int64_t halved = x.axis[first ? 0 : x.count - 1];
    for (int64_t i = 0; i < x.count; i++) {
        const int64_t k = x.axis[i], n = shape[k];
        s = along(&s, k, n, n, k == halved ? n / 2 + 1 : n, false, false);
    }
    check_close(got, complex_of(kept_part(a->value.dtype)), &s, 1, a);
}

static void draw_irfft(void)
{
    int64_t shape[MODEL_RANK];
    const int64_t rank = draw_short_shape(shape, 1, 4);
    const bool first = one_in(2), scaled = one_in(2);
    const argument *a = draw_argument("a", draw_number(), shape, rank, COUNTS);
    const some_axes x = increasing(rank, 1);
    const int64_t halved = x.axis[first ? 0 : x.count - 1], bins = shape[halved];
    const bool wrong = bins == 0 || draw_fault();
    int64_t n = bins == 1 ? one_in(2) : 2 * bins - 2 + one_in(2);
    n = wrong ? 2 * bins + (one_in(2) ? 0 : -3) : n;
    const ash_fft_options options = {.axes = AXES(x.given, x.count), .first = first, ASH_SIZED(ash_fft_options)};
    say("%s n %" PRId64 "%s", first ? " first" : "", n, scaled ? " scaled" : "");
    ash_array *got = scaled ? ash_irfft_opt(a->array, n, &options) : ash_brfft_opt(a->array, n, &options);
    if (x.wrong || wrong) {
        check_refused(!got, scaled ? "ash_irfft" : "ash_brfft", ONE_OF(ASH_ERR_ARGUMENT, ASH_ERR_SHAPE));
        return;
    }
    spectrum s = spectrum_of(&a->value);
    long double count = 1;
    for (int64_t i = 0; i < x.count; i++)
        if (x.axis[i] != halved) {
            const int64_t k = x.axis[i];
            s = along(&s, k, shape[k], shape[k], shape[k], true, false);
            count *= shape[k] ? (long double)shape[k] : 1;
        }
    s = along(&s, halved, bins, n, n, true, true);
    count *= n ? (long double)n : 1;
    check_close(got, kept_part(a->value.dtype), &s, scaled ? 1 / count : 1, a);
}

static void draw_fftshift(void)
{
    const argument *a = draw_any("a", draw_dtype(), 0, 4);
    const bool back = one_in(2);
    const some_axes x = draw_axes(a->value.rank, a->value.rank ? random_in(1, a->value.rank) : 0);
    const ash_fft_shift_options options = {.axes = AXES(x.given, x.count), ASH_SIZED(ash_fft_shift_options)};
    ash_array *got = back ? ash_ifftshift_opt(a->array, &options) : ash_fftshift_opt(a->array, &options);
    if (x.wrong) {
        check_refused(!got, back ? "ash_ifftshift" : "ash_fftshift", WRONG_AXES);
        return;
    }
    const model out = model_new(a->value.dtype, a->value.shape, a->value.rank);
    for (int64_t i = 0; i < out.size; i++) {
        int64_t index[MODEL_RANK];
        index_of(&a->value, i, index);
        for (int64_t k = 0; k < x.count; k++) {
            const int64_t axis = x.axis[k], n = out.shape[axis];
            index[axis] = (index[axis] + (back ? n - n / 2 : n / 2)) % n;
        }
        model_put(&out, position_of(&out, index), &a->value, i);
    }
    check_new(got, &out);
    check_layout_like(got, a);
}

const operation fourier_operations[] = {
    {"fft", draw_fft, 3}, {"rfft", draw_rfft, 2}, {"irfft", draw_irfft, 2}, {"fftshift", draw_fftshift, 1}, {NULL, NULL, 0},
};
