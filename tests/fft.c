/*
 * fft.c - Fourier transforms.
 *
 * The reference is the sum of the definition in long double, with roots of unity reduced to an eighth of a turn; long powers of
 * two have a recursive one in long double. Where FFTW is installed it is a second one.
 */
#include <complex.h>
#include <dlfcn.h>
#include <pthread.h>

#include "core/alloc.h"
#include "test.h"

typedef struct number {
    long double re, im;
} number;

/* exp(-2*pi*i*k/n) */
static number root(int64_t k, int64_t n)
{
    const long double quarter = 1.570796326794896619231321691639751442L;
    int64_t a = k % n * 4; /* quarters of a turn, times n */
    const int64_t turns = (a + n / 2) / n;
    a -= turns * n;
    const long double angle = quarter * (long double)a / (long double)n, c = cosl(angle), s = sinl(angle);
    switch (turns % 4) {
    case 0:
        return (number){c, -s};
    case 1:
        return (number){-s, -c};
    case 2:
        return (number){-c, s};
    default:
        return (number){s, c};
    }
}

static uint64_t random_state = 1;
static double random_unit(void) /* -1 to 1; xorshift64*, S. Vigna, ACM TOMS 42 (2016) */
{
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return (double)(int64_t)(random_state * UINT64_C(2685821657736338717)) * 0x1p-63;
}

/* ---- the definition */

/* y = the transform of n numbers `step` apart. */
static void direct(number *y, const number *x, int64_t n, int64_t step, bool backward)
{
    number *w = calloc((size_t)n + 1, sizeof *w);
    for (int64_t k = 0; k < n; k++) {
        w[k] = root(k, n);
        w[k].im = backward ? -w[k].im : w[k].im;
    }
    for (int64_t j = 0; j < n; j++) {
        number sum = {0, 0};
        for (int64_t k = 0, at = 0; k < n; k++) {
            const number a = x[k * step], b = w[at];
            sum.re += a.re * b.re - a.im * b.im;
            sum.im += a.re * b.im + a.im * b.re;
            at = at + j < n ? at + j : at + j - n;
        }
        y[j] = sum;
    }
    free(w);
}

/* The same for a power of two, by halves. */
static void halved(number *y, const number *x, int64_t n, int64_t step, bool backward)
{
    if (n <= 4) {
        direct(y, x, n, step, backward);
        return;
    }
    const int64_t h = n / 2;
    halved(y, x, h, 2 * step, backward);
    halved(y + h, x + step, h, 2 * step, backward);
    for (int64_t k = 0; k < h; k++) {
        number w = root(k, n);
        w.im = backward ? -w.im : w.im;
        const number a = y[k], b = y[h + k];
        const number t = {b.re * w.re - b.im * w.im, b.re * w.im + b.im * w.re};
        y[k] = (number){a.re + t.re, a.im + t.im};
        y[h + k] = (number){a.re - t.re, a.im - t.im};
    }
}

static void reference(number *y, const number *x, int64_t n, bool backward)
{
    if (n > 4096 && (n & (n - 1)) == 0)
        halved(y, x, n, 1, backward);
    else
        direct(y, x, n, 1, backward);
}

/* ---- arrays and lists */

static ash_array *array_of(const number *x, int64_t n, ash_dtype dtype)
{
    const bool complex_ = dtype >= ASH_C_I8;
    double *host = calloc((size_t)n + 1, 2 * sizeof *host);
    for (int64_t k = 0; k < n; k++)
        if (complex_) {
            host[2 * k] = (double)x[k].re;
            host[2 * k + 1] = (double)x[k].im;
        } else
            host[k] = (double)x[k].re;
    ash_array *a = ash_from_host(host, complex_ ? ASH_C_F64 : ASH_F64, ASH_SHAPE(n), .dtype = dtype);
    free(host);
    CHECK(a);
    return a;
}

/* Numbers that dtype holds exactly. */
static void draw(number *x, int64_t n, ash_dtype dtype)
{
    const bool wide = dtype == ASH_F64 || dtype == ASH_C_F64, half = dtype == ASH_F16 || dtype == ASH_C_F16;
    for (int64_t k = 0; k < n; k++) {
        double p[2] = {random_unit(), random_unit()};
        for (int i = 0; i < 2; i++)
            p[i] = wide ? p[i] : half ? nearbyint(p[i] * 512) / 512 : (double)(float)p[i];
        x[k] = (number){(long double)p[0], dtype >= ASH_C_I8 ? (long double)p[1] : 0};
    }
}

/* Root-mean-square of the difference over that of the wanted numbers. */
static double error_of(const ash_array *a, const number *want, int64_t n, double scale)
{
    CHECK(a);
    CHECK(ash_size(a) == n);
    const bool complex_ = ash_dtype_of(a) >= ASH_C_I8;
    double *got = calloc((size_t)n + 1, 2 * sizeof *got);
    CHECK_OK(ash_to_host_as(a, got, (size_t)n * (complex_ ? 16 : 8), complex_ ? ASH_C_F64 : ASH_F64));
    long double sum = 0, of = 0;
    for (int64_t k = 0; k < n; k++) {
        const long double re = (long double)got[complex_ ? 2 * k : k] - want[k].re * (long double)scale;
        const long double im = complex_ ? (long double)got[2 * k + 1] - want[k].im * (long double)scale : 0;
        sum += re * re + im * im;
        of += (want[k].re * want[k].re + (complex_ ? want[k].im * want[k].im : 0)) * (long double)(scale * scale);
    }
    free(got);
    return of > 0 ? (double)sqrtl(sum / of) : (double)sqrtl(sum);
}

static double unit_of(ash_dtype dtype)
{
    return dtype == ASH_F64 || dtype == ASH_C_F64 ? 0x1p-53 : dtype == ASH_F16 || dtype == ASH_C_F16 ? 0x1p-11 : 0x1p-24;
}
static bool easy(int64_t n)
{
    for (int64_t p = 2; p <= 31; p++)
        while (n % p == 0)
            n /= p;
    return n == 1;
}
/* What the header promises. */
static double bound_of(int64_t n, ash_dtype dtype) { return (log2((double)n) + 1) * unit_of(dtype) * (easy(n) ? 1 : 4); }

#define CHECK_TRANSFORM(a, want, count, scale, n, dtype, what)                                           \
    do {                                                                                                 \
        const double error_ = error_of(a, want, count, scale), bound_ = bound_of(n, dtype);              \
        if (!(error_ <= bound_))                                                                         \
            FAIL("%s of %" PRId64 " %s: error %.3g, more than %.3g", what, (int64_t)(n), ash_dtype_name(dtype), error_,  \
                 bound_);                                                                                \
    } while (0)

/* ---- one line of every length */

static void check_complex(int64_t n, ash_dtype dtype)
{
    ASH_SCOPE(scope);
    number *x = calloc((size_t)n, sizeof *x), *y = calloc((size_t)n, sizeof *y);
    draw(x, n, dtype);
    ash_array *a = array_of(x, n, dtype);
    reference(y, x, n, false);
    ash_array *forward = ash_fft(a);
    CHECK_TRANSFORM(forward, y, n, 1, n, dtype, "ash_fft");
    CHECK(ash_dtype_of(forward) == dtype);
    CHECK_TRANSFORM(ash_ifft(forward), x, n, 1, n * n, dtype, "ash_ifft(ash_fft)");
    reference(y, x, n, true);
    CHECK_TRANSFORM(ash_bfft(a), y, n, 1, n, dtype, "ash_bfft");
    CHECK_TRANSFORM(ash_ifft(a), y, n, 1 / (double)n, n, dtype, "ash_ifft");
    CHECK(error_of(a, x, n, 1) == 0);
    free(x);
    free(y);
}

static void check_real(int64_t n, ash_dtype dtype)
{
    ASH_SCOPE(scope);
    number *x = calloc((size_t)n, sizeof *x), *y = calloc((size_t)n, sizeof *y);
    draw(x, n, dtype);
    ash_array *a = array_of(x, n, dtype);
    reference(y, x, n, false);
    CHECK_TRANSFORM(ash_fft(a), y, n, 1, n, dtype, "ash_fft, real");
    ash_array *half = ash_rfft(a);
    CHECK_TRANSFORM(half, y, n / 2 + 1, 1, n, dtype, "ash_rfft");
    ash_array *back = ash_irfft(half, n);
    CHECK_TRANSFORM(back, x, n, 1, n * n, dtype, "ash_irfft");
    CHECK(ash_dtype_of(back) == dtype);
    CHECK_TRANSFORM(ash_brfft(half, n), x, n, (double)n, n * n, dtype, "ash_brfft");
    free(x);
    free(y);
}

static const int64_t some_lengths[] = {1,    2,    3,    4,    5,    6,    7,    8,    9,    11,   13,   16,   17,   31,
                                       32,   37,   40,   63,   64,   81,   97,   100,  127,  128,  243,  256,  343,  360,
                                       512,  625,  961,  1000, 1009, 1024, 1025, 1331, 2048, 2187, 2310, 4096, 4099, 8192};

static void lines(void)
{
    for (int i = 0; i < COUNT(some_lengths); i++) {
        check_complex(some_lengths[i], ASH_C_F32);
        check_real(some_lengths[i], ASH_F32);
    }
}

static void every_length(void **state)
{
    (void)state;
    static const ash_dtype complex_[] = {ASH_C_F32, ASH_C_F64}, real[] = {ASH_F32, ASH_F64};
    for (int64_t n = 1; n <= 130; n++)
        for (int d = 0; d < 2; d++) {
            check_complex(n, complex_[d]);
            check_real(n, real[d]);
        }
    for (int i = 0; i < COUNT(some_lengths); i++) {
        check_complex(some_lengths[i], ASH_C_F64);
        check_real(some_lengths[i], ASH_F64);
    }
    check_complex(10007, ASH_C_F64);
    check_real(10007, ASH_F32);
    for (int64_t n = 1 << 13; n <= 1 << 16; n *= 2)
        for (int d = 0; d < 2; d++) {
            check_complex(n, complex_[d]);
            check_real(n, real[d]);
        }
}

static void half_lines(void)
{
    for (int64_t n = 1; n <= 130; n += 3) {
        check_complex(n, ASH_C_F16);
        check_real(n, ASH_F16);
    }
}

EVERYWHERE(lines_here, lines)
EVERYWHERE(halves, half_lines)

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(every_length), TEST(lines_here), TEST(halves)};
    return cmocka_run_group_tests_name("fft", tests, NULL, NULL);
}
