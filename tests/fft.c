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

/* The same by halves, as far as the length is even. */
static void halved(number *y, const number *x, int64_t n, int64_t step, bool backward)
{
    if (n <= 4 || n % 2) {
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
    if (n > 130)
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
static double bound_of(int64_t n, ash_dtype dtype)
{
    return (log2((double)n) / 2 + 1) * unit_of(dtype) * (easy(n) ? 1 : 2);
}

#define CHECK_TRANSFORM(a, want, count, scale, n, dtype, what)                                                          \
    do {                                                                                                                \
        const double error_ = error_of(a, want, count, scale), bound_ = bound_of(n, dtype);                             \
        if (!(error_ <= bound_))                                                                                        \
            FAIL("%s of %" PRId64 " %s: error %.3g, more than %.3g", what, (int64_t)(n), ash_dtype_name(dtype), error_, \
                 bound_);                                                                                               \
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

enum { LARGE_PRIME = 4099 };
static const int64_t some_lengths[] = {1,   2,   3,   4,    5,    6,    7,    8,    9,    11,   13,   16,   17,          31,
                                       32,  37,  40,  63,   64,   81,   97,   100,  127,  128,  243,  256,  343,         360,
                                       512, 625, 961, 1000, 1009, 1024, 1025, 1331, 2048, 2187, 2310, 4096, LARGE_PRIME, 8192};

static void lines(void)
{
    for (int i = 0; i < COUNT(some_lengths); i++) {
        if (some_lengths[i] == LARGE_PRIME) /* slow by the definition, and the same code as 1009: once is enough */
            continue;
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

/* ---- several axes */

/* x, in row-major order of the shape, transformed along one axis. */
static void along(number *x, ash_dims shape, int64_t axis, bool backward)
{
    const int64_t n = shape.size[axis];
    int64_t inner = 1, outer = 1;
    for (int64_t k = 0; k < shape.rank; k++)
        *(k < axis ? &outer : &inner) *= k == axis ? 1 : shape.size[k];
    number *y = calloc((size_t)n, sizeof *y);
    for (int64_t i = 0; i < outer; i++)
        for (int64_t j = 0; j < inner; j++) {
            number *line = x + i * n * inner + j;
            direct(y, line, n, inner, backward);
            for (int64_t k = 0; k < n; k++)
                line[k * inner] = y[k];
        }
    free(y);
}

/* The first n/2 + 1 of n along an axis. */
static int64_t halve(number *y, const number *x, ash_dims shape, int64_t axis)
{
    int64_t inner = 1, outer = 1, count = 0;
    for (int64_t k = 0; k < shape.rank; k++)
        *(k < axis ? &outer : &inner) *= k == axis ? 1 : shape.size[k];
    for (int64_t i = 0; i < outer; i++)
        for (int64_t j = 0; j <= shape.size[axis] / 2; j++)
            for (int64_t k = 0; k < inner; k++)
                y[count++] = x[(i * shape.size[axis] + j) * inner + k];
    return count;
}

static int64_t count_of(ash_dims shape)
{
    int64_t n = 1;
    for (int64_t k = 0; k < shape.rank; k++)
        n *= shape.size[k];
    return n;
}

static ash_array *shaped(const number *x, ash_dims shape, ash_dtype dtype, ash_layout layout)
{
    ash_array *flat = array_of(x, count_of(shape), dtype), *a = ash_reshape(flat, shape);
    return layout == ASH_ROW_MAJOR ? a : ash_copy(a, .layout = layout);
}

/* Every subset of the axes, complex and real, against the definition axis by axis. */
static void check_subsets(ash_dims shape, ash_dtype real, ash_layout layout)
{
    const ash_dtype dtype = real == ASH_F64 ? ASH_C_F64 : ASH_C_F32;
    const int64_t n = count_of(shape);
    number *x = calloc((size_t)n, sizeof *x), *y = calloc((size_t)n, sizeof *y), *h = calloc((size_t)n * 2, sizeof *h);
    for (uint32_t set = 0; set < UINT32_C(1) << shape.rank; set++) {
        ASH_SCOPE(scope);
        int64_t list[4], count = 0, size = 1;
        for (int64_t k = 0; k < shape.rank; k++)
            if (set >> k & 1) {
                list[count++] = set % 2 ? k : k - shape.rank;
                size *= shape.size[k];
            }
        const ash_axes axes = {list, count};
        draw(x, n, dtype);
        ash_array *a = shaped(x, shape, dtype, layout);
        for (int backward = 0; backward < 2; backward++) {
            memcpy(y, x, (size_t)n * sizeof *x);
            for (int64_t k = 0; k < shape.rank; k++)
                if (set >> k & 1)
                    along(y, shape, k, backward);
            ash_array *got = backward ? ash_bfft(a, .axes = axes) : ash_fft(a, .axes = axes);
            CHECK_TRANSFORM(got, y, n, 1, size, dtype, "a transform over axes");
            CHECK(ash_layout_of(got) == layout);
            ash_array *back = backward ? ash_fft(got, .axes = axes) : ash_ifft(got, .axes = axes);
            CHECK_TRANSFORM(back, x, n, backward ? (double)size : 1, size * size, dtype, "and back");
        }
        draw(x, n, real);
        memcpy(y, x, (size_t)n * sizeof *x);
        for (int64_t k = 0; k < shape.rank; k++)
            if (set >> k & 1)
                along(y, shape, k, false);
        a = shaped(x, shape, real, layout);
        for (int first = 0; first < 2 && count; first++) {
            const int64_t axis = (list[first ? 0 : count - 1] + shape.rank) % shape.rank, bins = halve(h, y, shape, axis);
            ash_array *half = ash_rfft(a, .axes = axes, .first = first);
            CHECK_TRANSFORM(half, h, bins, 1, size, real, "ash_rfft over axes");
            ash_array *back = ash_irfft(half, shape.size[axis], .axes = axes, .first = first);
            CHECK_TRANSFORM(back, x, n, 1, size * size, real, "ash_irfft over axes");
            ash_array *into = ash_like(back), *half_into = ash_like(half);
            CHECK_OK(ash_rfft_into(half_into, a, .axes = axes, .first = first));
            CHECK(ash_equal(half_into, half));
            CHECK_OK(ash_irfft_into(into, half, .axes = axes, .first = first));
            CHECK(ash_equal(into, back));
        }
        NO_ERROR();
    }
    free(x);
    free(y);
    free(h);
}

static void subsets(void)
{
    for
        EACH_LAYOUT(layout)
        {
            check_subsets(ASH_SHAPE(3, 4), ASH_F32, layout);
            check_subsets(ASH_SHAPE(4, 3, 5), ASH_F32, layout);
            check_subsets(ASH_SHAPE(2, 5, 3, 4), ASH_F32, layout);
            check_subsets(ASH_SHAPE(1, 7, 1, 6), ASH_F32, layout);
            check_subsets(ASH_SHAPE(37, 20), ASH_F32, layout);
            check_subsets(ASH_SHAPE(33, 40), ASH_F32, layout);
        }
}
static void more_subsets(void)
{
    for
        EACH_LAYOUT(layout)
        {
            check_subsets(ASH_SHAPE(3, 4, 2, 6), ASH_F64, layout);
            check_subsets(ASH_SHAPE(40, 63), ASH_F64, layout);
            check_subsets(ASH_SHAPE(64, 3, 16), ASH_F64, layout);
        }
}

/* Axes of arrays of rank 32 too. */
static void highest_rank(void)
{
    int64_t size[32];
    number x[24], y[24];
    for (int k = 0; k < 32; k++)
        size[k] = k == 3 ? 2 : k == 17 ? 3 : k == 31 ? 4 : 1;
    draw(x, 24, ASH_C_F32);
    memcpy(y, x, sizeof y);
    for (int64_t k = 0; k < 3; k++)
        along(y, ASH_SHAPE(2, 3, 4), k, false);
    ash_array *a = ash_reshape(array_of(x, 24, ASH_C_F32), ((ash_dims){size, 32}));
    CHECK_TRANSFORM(ash_fft(a), y, 24, 1, 24, ASH_C_F32, "ash_fft of rank 32");
    memcpy(y, x, sizeof y);
    along(y, ASH_SHAPE(2, 3, 4), 1, false);
    CHECK_TRANSFORM(ash_fft(a, .axes = ASH_AXES(-15)), y, 24, 1, 3, ASH_C_F32, "ash_fft along axis 17");
}

/* ---- lines wherever they lie: as the same lines one by one */

/* got along `axis` is what lines of a, copied out, give. */
static void check_lines(const ash_array *a, int64_t axis, const char *what)
{
    ASH_SCOPE(scope);
    const int64_t rank = ash_rank(a), n = ash_shape(a)[axis], count = ash_size(a) / (n ? n : 1);
    int64_t order[8], places = 0;
    for (int64_t k = 0; k < rank; k++)
        if (k != axis)
            order[places++] = k;
    order[places] = axis;
    const ash_axes moved = {order, rank}; /* the axis last */
    ash_array *all = ash_fft(a, .axes = ((ash_axes){&axis, 1}));
    ash_array *each = ash_reshape(ash_copy(ash_permute(a, moved), .layout = ASH_ROW_MAJOR), ASH_SHAPE(count, n));
    ash_array *got = ash_reshape(ash_copy(ash_permute(all, moved), .layout = ASH_ROW_MAJOR), ASH_SHAPE(count, n));
    const ash_dtype dtype = ash_dtype_of(got);
    double *want = calloc((size_t)n, 16);
    number *list = calloc((size_t)n, sizeof *list);
    for (int64_t k = 0; k<count; k += count> 40 ? count / 20 : 1) {
        ASH_SCOPE(line);
        CHECK_OK(ash_to_host_as(ash_fft(ash_copy(ash_view(each, k))), want, (size_t)n * 16, ASH_C_F64));
        for (int64_t i = 0; i < n; i++)
            list[i] = (number){(long double)want[2 * i], (long double)want[2 * i + 1]};
        CHECK_TRANSFORM(ash_copy(ash_view(got, k)), list, n, 1, 2 * n, dtype, what);
    }
    free(want);
    free(list);
}

static ash_array *drawn(ash_dims shape, ash_dtype dtype, ash_layout layout)
{
    const int64_t n = count_of(shape);
    number *x = calloc((size_t)n + 1, sizeof *x);
    draw(x, n, dtype);
    ash_array *a = shaped(x, shape, dtype, layout);
    free(x);
    return a;
}

static void strided(void)
{
    static const int64_t shapes[][3] = {{6, 10, 8},   {40, 3, 50},  {3, 64, 70},  {2, 100, 33}, {20, 31, 2},
                                        {5, 128, 17}, {16, 37, 16}, {1, 1000, 5}, {300, 1, 12}, {2, 300, 16}};
    for (int i = 0; i < COUNT(shapes); i++)
        for
            EACH_LAYOUT(layout)
            {
                ASH_SCOPE(scope);
                ash_array *a = drawn((ash_dims){shapes[i], 3}, ASH_C_F32, layout);
                for (int64_t axis = 0; axis < 3; axis++) {
                    check_lines(a, axis, "lines of a dense array");
                    check_lines(ash_permute(a, ASH_AXES(2, 0, 1)), axis, "lines of a turned array");
                    check_lines(ash_slice(a, ASH_OPEN, ASH_OPEN, .axes = ASH_AXES(1), .step = -1), axis, "lines reversed");
                    check_lines(ash_slice(a, 0, ASH_OPEN, .axes = ASH_AXES(2), .step = 2), axis,
                                "lines of every second column");
                    check_lines(ash_slice(a, 0, ASH_OPEN, .axes = ASH_AXES(0), .step = 2), axis, "lines of every second plane");
                    check_lines(ash_permute(ash_adjoint(a), ASH_AXES(1, 2, 0)), axis, "lines of conjugates");
                    check_lines(
                        ash_broadcast_to(ash_slice(a, 0, 1, .axes = ASH_AXES(2)), ASH_SHAPE(shapes[i][0], shapes[i][1], 9)),
                        axis, "lines of a broadcast array");
                }
            }
}

/* Long columns are turned, not made blocks of. */
static void long_columns(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    check_lines(drawn(ASH_SHAPE(10000, 20), ASH_C_F64, ASH_ROW_MAJOR), 0, "long columns");
    check_lines(drawn(ASH_SHAPE(40000, 3), ASH_C_F32, ASH_ROW_MAJOR), 0, "longer columns");
    check_lines(drawn(ASH_SHAPE(4000, 40), ASH_C_F32, ASH_ROW_MAJOR), 0, "columns in blocks");
    check_lines(drawn(ASH_SHAPE(1009, 40), ASH_C_F32, ASH_ROW_MAJOR), 0, "columns of a prime length");
    check_lines(drawn(ASH_SHAPE(20000, 8), ASH_C_F32, ASH_ROW_MAJOR), 1, "many short lines");
    check_lines(drawn(ASH_SHAPE(20, 1000, 7), ASH_C_F64, ASH_ROW_MAJOR), 2, "many short lines of an odd length");
}

/* Into parts of arrays, whose rest stays; from and into the same array; overlapping ones. */
static void into(void)
{
    static const int64_t shape[2] = {6, 10};
    ash_array *a = drawn((ash_dims){shape, 2}, ASH_C_F32, ASH_ROW_MAJOR), *want = ash_fft(a), *copy = ash_copy(a);
    ash_array *room = ash_fill_new(ASH_SHAPE(12, 30), 7.0f), *wide = ash_convert(room, ASH_C_F32);
    ash_array *part = ash_slice(ash_slice(wide, 1, 7), 2, 22, .axes = ASH_AXES(1), .step = 2);
    CHECK_OK(ash_fft_into(part, a));
    CHECK(ash_equal(part, want) && ash_equal(a, copy));
    CHECK(ash_item_f32(ash_sum(ash_map("x -> x == 7f ? 1f : 0f", wide))) == 12 * 30 - 60);
    ash_array *turned = ash_convert(ash_zeros(ASH_SHAPE(10, 6)), ASH_C_F32);
    CHECK_OK(ash_fft_into(ash_transpose(turned), a));
    CHECK(ash_allclose(ash_transpose(turned), want, .rtol = 1e-6));
    CHECK_OK(ash_fft_into(ash_adjoint(turned), a));
    CHECK(ash_allclose(ash_adjoint(turned), want, .rtol = 1e-6));
    CHECK_OK(ash_fft_into(copy, copy));
    CHECK(ash_equal(copy, want));
    CHECK_OK(ash_ifft_into(copy, copy));
    CHECK(ash_allclose(copy, a, .atol = 1e-6));
    /* one row further: as if a had been copied first */
    ash_array *rows = drawn(ASH_SHAPE(7, 10), ASH_C_F32, ASH_ROW_MAJOR);
    ash_array *low = ash_slice(rows, 0, 6), *high = ash_slice(rows, 1, 7);
    want = ash_bfft(low);
    CHECK_OK(ash_bfft_into(high, low));
    CHECK(ash_equal(high, want));
    /* a matrix onto its own transpose */
    ash_array *square = drawn(ASH_SHAPE(5, 5), ASH_C_F32, ASH_ROW_MAJOR);
    want = ash_fft(square, .axes = ASH_AXES(1));
    CHECK_OK(ash_fft_into(ash_transpose(square), square, .axes = ASH_AXES(1)));
    CHECK(ash_equal(ash_transpose(square), want));
    /* real numbers in the memory of their spectrum */
    ash_array *memory = drawn(ASH_SHAPE(6, 12), ASH_F32, ASH_ROW_MAJOR), *real = ash_slice(memory, 0, 10, .axes = ASH_AXES(1));
    ash_array *spectrum = ash_reinterpret(memory, ASH_C_F32);
    want = ash_rfft(real);
    CHECK_OK(ash_rfft_into(spectrum, real));
    CHECK(ash_equal(spectrum, want));
    ash_array *kept = ash_irfft(spectrum, 10);
    CHECK_OK(ash_irfft_into(real, spectrum));
    CHECK(ash_equal(real, kept));
}

/* ---- dtypes */

static void dtypes(void)
{
    static const int64_t values[4] = {1, 2, 3, 1};
    static const struct {
        ash_dtype from, to, real;
    } row[] = {{ASH_BOOL, ASH_C_F32, ASH_F32},     {ASH_I8, ASH_C_F32, ASH_F32},     {ASH_I16, ASH_C_F32, ASH_F32},
               {ASH_I32, ASH_C_F32, ASH_F32},      {ASH_I64, ASH_C_F32, ASH_F32},    {ASH_U8, ASH_C_F32, ASH_F32},
               {ASH_U16, ASH_C_F32, ASH_F32},      {ASH_U32, ASH_C_F32, ASH_F32},    {ASH_U64, ASH_C_F32, ASH_F32},
               {ASH_F16, ASH_C_F16, ASH_F16},      {ASH_BF16, ASH_C_BF16, ASH_BF16}, {ASH_F32, ASH_C_F32, ASH_F32},
               {ASH_C_I8, ASH_C_F32, ASH_F32},     {ASH_C_U64, ASH_C_F32, ASH_F32},  {ASH_C_F16, ASH_C_F16, ASH_F16},
               {ASH_C_BF16, ASH_C_BF16, ASH_BF16}, {ASH_C_F32, ASH_C_F32, ASH_F32}};
    for (int i = 0; i < COUNT(row); i++) {
        ASH_SCOPE(scope);
        const bool truth = row[i].from == ASH_BOOL;
        ash_array *a = ash_from_host(values, ASH_I64, ASH_SHAPE(4), .dtype = truth ? ASH_DTYPE_DEFAULT : row[i].from);
        a = truth ? ash_map("x -> x != 2", a) : a;
        CHECK(ash_dtype_of(a) == row[i].from);
        ash_array *x = ash_fft(a);
        CHECK(ash_dtype_of(x) == row[i].to);
        /* by hand: 1 2 3 1 gives 7, -2 - i, 1, -2 + i; 1 0 1 1 gives 3, i, 1, -i */
        if (truth) {
            CHECK_FLOATS(ash_map("real", x), 3, 0, 1, 0);
            CHECK_FLOATS(ash_map("imag", x), 0, 1, 0, -1);
        } else {
            CHECK_FLOATS(ash_map("real", x), 7, -2, 1, -2);
            CHECK_FLOATS(ash_map("imag", x), 0, -1, 0, 1);
        }
        CHECK_FLOATS(ash_map("real", ash_ifft(x)), 1, truth ? 0 : 2, truth ? 1 : 3, 1);
        if (row[i].from < ASH_C_I8) {
            ash_array *half = ash_rfft(a);
            CHECK(ash_dtype_of(half) == row[i].to);
            CHECK_FLOATS(ash_map("real", half), truth ? 3 : 7, truth ? 0 : -2, 1);
            ash_array *back = ash_irfft(half, 4);
            CHECK(ash_dtype_of(back) == row[i].real);
            CHECK_FLOATS(back, 1, truth ? 0 : 2, truth ? 1 : 3, 1);
            CHECK(ash_dtype_of(ash_brfft(a, 7)) == row[i].real); /* a real spectrum */
        } else {
            CHECK(!ash_rfft(a));
            CHECK_ERROR_PARTS(ASH_ERR_DTYPE, "ash_rfft: ", "real ones are wanted", ash_dtype_name(row[i].from));
        }
    }
}
static void wide_dtypes(void)
{
    ash_array *a = ash_f64(1, 2, 3, 1);
    CHECK(ash_dtype_of(ash_fft(a)) == ASH_C_F64 && ash_dtype_of(ash_rfft(a)) == ASH_C_F64);
    CHECK(ash_dtype_of(ash_irfft(ash_fft(a), 7)) == ASH_F64 && ash_dtype_of(ash_irfft(a, 6)) == ASH_F64);
    CHECK_FLOATS(ash_map("imag", ash_fft(a)), 0, -1, 0, 1);
}

/* Too large for f16 is infinite, as in all its arithmetic. */
static void overflow(void)
{
    ash_array *x = ash_map("real", ash_fft(ash_convert(ash_fill_new(ASH_SHAPE(4), 30000.0f), ASH_F16)));
    CHECK_FLOATS(x, (double)INFINITY, 0, 0, 0);
}

static void empty(void)
{
    CHECK_SHAPE(ash_fft(ash_zeros(ASH_SHAPE(0))), 0);
    CHECK_SHAPE(ash_fft(ash_zeros(ASH_SHAPE(3, 0, 2))), 3, 0, 2);
    CHECK_SHAPE(ash_ifft(ash_zeros(ASH_SHAPE(3, 0, 2)), .axes = ASH_AXES(0)), 3, 0, 2);
    CHECK_SHAPE(ash_rfft(ash_zeros(ASH_SHAPE(0, 5))), 0, 3);
    ash_array *none = ash_rfft(ash_zeros(ASH_SHAPE(5, 0)));
    CHECK_SHAPE(none, 5, 1);
    CHECK_FLOATS(ash_map("abs", none), 0, 0, 0, 0, 0);
    CHECK_SHAPE(ash_irfft(none, 0), 5, 0);
    CHECK_SHAPE(ash_irfft(ash_zeros(ASH_SHAPE(0, 3)), 5), 0, 5);
    ash_array *scalar = ash_fill_new(ASH_SHAPE(), 2.5f);
    CHECK_SCALAR(ash_fft(scalar));
    CHECK_FLOATS(ash_map("real", ash_fft(scalar)), 2.5);
    CHECK_FLOATS(ash_map("real", ash_ifft(ash_f32(3))), 3);
    CHECK_FLOATS(ash_irfft(ash_rfft(ash_f32(3)), 1), 3);
    CHECK_FLOATS(ash_map("real", ash_fft(ash_f32(3, 4), .axes = ((ash_axes){(const int64_t[]){0}, 0}))), 3, 4); /* no axis */
}

/* ---- identities */

static double norm2(const ash_array *a)
{
    return (double)ash_item_f32(ash_sum(ash_map("x -> real(x)^2 + imag(x)^2", a)));
}

static void identities(void)
{
    static const int64_t sizes[] = {15, 64, 1000, 1009, 30030, 65536, 100003};
    for (int i = 0; i < COUNT(sizes); i++) {
        ASH_SCOPE(scope);
        const int64_t n = sizes[i];
        ash_array *x = drawn(ASH_SHAPE(n), ASH_C_F32, ASH_ROW_MAJOR), *y = drawn(ASH_SHAPE(n), ASH_C_F32, ASH_ROW_MAJOR);
        ash_array *fx = ash_fft(x), *fy = ash_fft(y);
        const double scale = sqrt((double)n), close = 40 * 0x1p-24 * scale;
        CHECK_NEAR(norm2(fx), (double)n * norm2(x), 1e-5); /* Parseval */
        CHECK(ash_allclose(ash_fft(ash_map("(x, y) -> 2f*x - y", x, y)), ash_map("(x, y) -> 2f*x - y", fx, fy), .atol = close));
        /* a shift by one turns number k by k/n of a turn */
        ash_array *k = ash_range(0, n, .dtype = ASH_I64);
        ash_array *angle = ash_map("(k, s) -> s*f32(k)", k, (float)(-2 * 3.14159265358979323846 / (double)n));
        CHECK(ash_allclose(ash_fft(ash_roll(x, ASH_SHAPE(1))), ash_map("(f, t) -> f*(cos(t) + sin(t)*1im)", fx, angle),
                           .atol = close * 4));
        /* one impulse, and constant numbers */
        ash_array *impulse = ash_where(ash_map("k -> k == 0", k), 1.0f, 0.0f);
        CHECK(ash_allclose(ash_map("real", ash_fft(impulse)), ash_ones(ASH_SHAPE(n)), .atol = 1e-5));
        CHECK(ash_allclose(ash_map("real", ash_ifft(ash_ones(ASH_SHAPE(n)))), impulse, .atol = 1e-6));
        NO_ERROR();
    }
}

/* ---- reported from the field */

/* numpy.fft */
static void a39_odd_real_length(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *x = ash_f64(1, 2, 1, -1, 1.5), *bins = ash_rfft(x);
    static const double re[] = {4.5, 2.081559480312316, -1.831559480312316}, im[] = {0, -1.651098762732523, 1.608220406444071};
    static const double four[] = {1.7078898701, 2.4084392515, -0.3736696102, 0.7573404887};
    double got[6];
    CHECK_SHAPE(bins, 3);
    CHECK_OK(ash_to_host(bins, got, sizeof got));
    for (int k = 0; k < 3; k++)
        CHECK(fabs(got[2 * k] - re[k]) < 1e-12 && fabs(got[2 * k + 1] - im[k]) < 1e-12);
    ash_array *back = ash_irfft(bins, 5);
    CHECK_SHAPE(back, 5);
    CHECK(ash_allclose(back, x, .atol = 1e-12));
    back = ash_irfft(bins, 4);
    CHECK_SHAPE(back, 4);
    CHECK_OK(ash_to_host(back, got, 32));
    for (int k = 0; k < 4; k++)
        CHECK(fabs(got[k] - four[k]) < 1e-9);
    CHECK(!ash_irfft(bins, 7));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_irfft: 7 numbers have 4 bins along axis 0, but a has 3, those of 4 or 5 numbers");
    CHECK(!ash_brfft(bins, -1));
    CHECK_ERROR_HAS(ASH_ERR_SHAPE, "ash_brfft: -1 numbers have 0 bins along axis 0");
}

static void unchanged(const ash_array *a, const ash_array *copy, const char *what)
{
    if (!ash_equal(a, copy, .identical = true))
        FAIL("%s changed its argument", what);
}
static void a40_inputs_stay(void)
{
    ash_array *z = drawn(ASH_SHAPE(2, 3), ASH_C_F32, ASH_ROW_MAJOR), *whole = drawn(ASH_SHAPE(4, 6), ASH_C_F32, ASH_COL_MAJOR);
    ash_array *view = ash_slice(ash_slice(whole, 0, ASH_OPEN, .step = 2), 0, ASH_OPEN, .axes = ASH_AXES(1), .step = 2);
    static const float memory[12] = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12};
    ash_array *lent = here.storage == ASH_PRIVATE
                          ? ash_copy(z)
                          : ash_wrap((void *)(uintptr_t)memory, ASH_C_F32, 6, ASH_SHAPE(2, 3), .readonly = true);
    ash_array *const list[] = {z, view, lent, ash_copy(z, .layout = ASH_COL_MAJOR)};
    for (int i = 0; i < COUNT(list); i++) {
        ash_array *a = list[i], *copy = ash_copy(a);
        CHECK(ash_irfft(a, 4) && ash_irfft(a, 5));
        unchanged(a, copy, "ash_irfft over two axes");
        CHECK(ash_irfft(a, 4, .axes = ASH_AXES(1)) && ash_brfft(a, 3, .axes = ASH_AXES(0)));
        unchanged(a, copy, "ash_irfft over one axis");
        CHECK(ash_irfft(a, 2, .first = true) && ash_fft(a) && ash_ifft(a));
        unchanged(a, copy, "a transform");
        ash_array *out = ash_zeros(ASH_SHAPE(2, 4));
        CHECK_OK(ash_irfft_into(out, a));
        unchanged(a, copy, "ash_irfft_into");
        ash_fft_plan *plan = ash_fft_plan_new(ASH_FFT_REAL_BACKWARD, ASH_SHAPE(2, 4));
        CHECK_OK(ash_fft_execute_into(out, plan, a));
        unchanged(a, copy, "a plan");
        ash_fft_plan_release(plan);
    }
}

/* ---- plans */

static void plans(void)
{
    static const int64_t sizes[3] = {6, 5, 8};
    const ash_dims shape = {sizes, 3};
    ash_array *z = drawn(shape, ASH_C_F32, ASH_ROW_MAJOR), *x = drawn(shape, ASH_F32, ASH_ROW_MAJOR);
    ash_fft_plan *forward = ash_fft_plan_new(ASH_FFT_FORWARD, shape, .axes = ASH_AXES(0, 2));
    ash_fft_plan *back = ash_fft_plan_inverse(forward), *again = ash_fft_plan_inverse(back);
    ash_array *fz = ash_fft_execute(forward, z);
    CHECK(ash_equal(fz, ash_fft(z, .axes = ASH_AXES(0, 2))));
    CHECK(ash_equal(ash_fft_execute(back, fz), ash_ifft(fz, .axes = ASH_AXES(0, 2))));
    CHECK(ash_equal(ash_fft_execute(again, z), fz));
    /* used again, with other strides; results into arrays that are there */
    ash_array *turned = ash_copy(z, .layout = ASH_COL_MAJOR), *out = ash_like(z);
    CHECK(ash_allclose(ash_fft_execute(forward, turned), fz, .rtol = 1e-6, .atol = 1e-5));
    CHECK_OK(ash_fft_execute_into(out, forward, z));
    CHECK(ash_equal(out, fz));
    CHECK(ash_fft_plan_retain(back) == back);
    ash_fft_plan_release(back);
    ash_fft_plan_release(back);
    ash_fft_plan_release(again);
    ash_fft_plan_release(forward);
    ash_fft_plan_release(NULL);
    CHECK(!ash_fft_plan_retain(NULL));
    /* the unscaled inverse is undone by a scaled forward transform */
    ash_fft_plan *b = ash_fft_plan_new(ASH_FFT_BACKWARD, shape), *c = ash_fft_plan_inverse(b), *d = ash_fft_plan_inverse(c);
    CHECK(ash_allclose(ash_fft_execute(c, ash_fft_execute(b, z)), z, .atol = 1e-6));
    CHECK(ash_allclose(ash_fft_execute(d, z), ash_bfft(z), .rtol = 1e-6));
    ash_fft_plan_release(b);
    ash_fft_plan_release(c);
    ash_fft_plan_release(d);
    /* real numbers, either axis halved */
    for (int first = 0; first < 2; first++) {
        ash_fft_plan *r = ash_fft_plan_new(ASH_FFT_REAL, shape, .axes = ASH_AXES(1, -1), .first = first);
        ash_fft_plan *i = ash_fft_plan_inverse(r), *u = ash_fft_plan_inverse(i);
        ash_array *half = ash_fft_execute(r, x);
        CHECK(ash_equal(half, ash_rfft(x, .axes = ASH_AXES(1, 2), .first = first)));
        CHECK(ash_equal(ash_fft_execute(i, half), ash_irfft(half, first ? 5 : 8, .axes = ASH_AXES(1, 2), .first = first)));
        CHECK(ash_equal(ash_fft_execute(u, x), half));
        ash_fft_plan_release(r);
        ash_fft_plan_release(i);
        ash_fft_plan_release(u);
    }
    /* in place */
    ash_fft_plan *p = ash_fft_plan_new(ASH_FFT_FORWARD, shape, .in_place = true), *q = ash_fft_plan_inverse(p);
    ash_array *own = ash_copy(z), *want = ash_fft(z);
    CHECK_OK(ash_fft_execute_into(own, p, own));
    CHECK(ash_equal(own, want));
    CHECK_OK(ash_fft_execute_into(own, q, own));
    CHECK(ash_allclose(own, z, .atol = 1e-6));
    CHECK(!ash_fft_execute(p, own));
    CHECK_ERROR(ASH_ERR_ARGUMENT,
                "ash_fft_execute: the plan works in place, as ash_fft_execute_into(x, plan, x); a new array is not x");
    CHECK(ash_fft_execute_into(out, p, own) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_fft_execute_into: the plan works in place, and y is not x");
    ash_fft_plan_release(p);
    ash_fft_plan_release(q);
}

static void plan_faults(void)
{
    ash_fft_plan *p = ash_fft_plan_new(ASH_FFT_REAL, ASH_SHAPE(4, 6));
    ash_array *x = ash_zeros(ASH_SHAPE(4, 6)), *z = ash_rfft(x);
    CHECK(!ash_fft_execute(p, ash_zeros(ASH_SHAPE(6, 4))));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_fft_execute: x has shape (6, 4); the plan is for shape (4, 6)");
    CHECK(!ash_fft_execute(p, ash_convert(x, ASH_I32)));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_fft_execute: x is i32; the plan is for f32");
    CHECK(ash_fft_execute_into(ash_fft(x), p, x) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_fft_execute_into: y has shape (4, 6); the plan is for shape (4, 4)");
    CHECK(ash_fft_execute_into(ash_zeros(ASH_SHAPE(4, 4)), p, x) == ASH_ERR_DTYPE);
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_fft_execute_into: y is f32; the plan is for c_f32");
    CHECK(!ash_fft_execute(NULL, x));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_fft_execute: plan is NULL");
    CHECK(!ash_fft_execute(p, NULL));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_fft_execute: x is NULL");
    CHECK(ash_fft_execute_into(NULL, p, x) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_fft_execute_into: y is NULL");
    CHECK(!ash_fft_plan_inverse(NULL));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_fft_plan_inverse: plan is NULL");
    ash_fft_plan_release(p);
    p = ash_fft_plan_new(ASH_FFT_INVERSE, ASH_SHAPE(4, 4));
    CHECK(ash_fft_execute_into(z, p, z) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_fft_execute_into: y shares memory with x, and the plan does not work in place");
    ash_fft_plan_release(p);
    CHECK(!ash_fft_plan_new((ash_fft_kind)7, ASH_SHAPE(4)));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_fft_plan_new: kind 7; one of ash_fft_kind, 1 to 6, is wanted");
    CHECK(!ash_fft_plan_new(ASH_FFT_REAL, ASH_SHAPE(4), .in_place = true));
    CHECK_ERROR(ASH_ERR_ARGUMENT,
                "ash_fft_plan_new: .in_place for a transform from f32 to c_f32; it must keep the dtype and be complex");
    CHECK(!ash_fft_plan_new(ASH_FFT_FORWARD, ASH_SHAPE(4, -1)));
    CHECK_ERROR_HAS(ASH_ERR_SHAPE, "-1");
    CHECK(!ash_fft_plan_new(ASH_FFT_REAL, ASH_SHAPE()));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_fft_plan_new: no axis is given; a transform of real numbers needs one");
}

/* ---- faults */

ASH_RECORD(fft_test_pair, (f32, x), (f32, y));

static void faults(void)
{
    ash_array *a = ash_zeros(ASH_SHAPE(2, 3, 4)), *out = ash_fill_new(ASH_SHAPE(2, 3, 4), 7.0f);
    CHECK(!ash_fft(a, .axes = ASH_AXES(1, 0)));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_fft: axes (1, 0) for rank 3; an increasing sequence of valid dimensions, each from "
                                  "-3 to 2, is wanted");
    CHECK(!ash_rfft(a, .axes = ASH_AXES(1, -2)));
    CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_rfft: axes (1, -2)", "increasing sequence", "valid dimensions");
    CHECK(!ash_ifft(a, .axes = ASH_AXES(3)));
    CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_ifft: axes (3)", "increasing sequence", "valid dimensions");
    CHECK(!ash_irfft(a, 6, .axes = ASH_AXES(-4, 0)));
    CHECK_ERROR_PARTS(ASH_ERR_ARGUMENT, "ash_irfft: ", "valid dimensions");
    CHECK(!ash_irfft(a, 8));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_irfft: 8 numbers have 5 bins along axis 2, but a has 4, those of 6 or 7 numbers");
    CHECK(!ash_rfft(a, .axes = ((ash_axes){(const int64_t[]){0}, 0})));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_rfft: no axis is given; a transform of real numbers needs one");
    CHECK(!ash_fft(ash_zeros(ASH_SHAPE(3), .dtype = fft_test_pair_dtype())));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_fft: fft_test_pair has no Fourier transform; numbers are wanted");
    CHECK(!ash_fft(NULL));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_fft: a is NULL");
    CHECK(ash_fft_into(out, a) == ASH_ERR_DTYPE);
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_fft_into: out is f32; the result is c_f32");
    CHECK(ash_rfft_into(ash_fft(a), a) == ASH_ERR_SHAPE);
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_rfft_into: out has shape (2, 3, 4); the result has shape (2, 3, 3)");
    CHECK(ash_irfft_into(ash_slice(out, 0, 1), ash_rfft(a)) == ASH_ERR_SHAPE);
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_irfft_into: out has shape (1, 3, 4); the result has shape (2, 3, 4)");
    CHECK(ash_irfft_into(ash_zeros(ASH_SHAPE(4)), a) == ASH_ERR_SHAPE);
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_irfft_into: out has shape (4); the result has rank 3");
    CHECK(ash_irfft_into(out, a) == ASH_ERR_SHAPE);
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_irfft_into: 4 numbers have 3 bins along axis 2, but a has 4, those of 6 or 7 numbers");
    CHECK(ash_fft_into(NULL, a) == ASH_ERR_ARGUMENT);
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_fft_into: out is NULL");
    CHECK(ash_fft_into(ash_broadcast_to(ash_fft(ash_zeros(ASH_SHAPE(4))), ASH_SHAPE(2, 3, 4)), a) == ASH_ERR_ARGUMENT);
    CHECK_ERROR_HAS(ASH_ERR_ARGUMENT, "ash_fft_into: out");
    CHECK_ALL(out, 7);
    ash_array *gone = ash_zeros(ASH_SHAPE(4));
    ash_discard(gone);
    CHECK(!ash_fft(gone));
    CHECK_ERROR_HAS(ASH_ERR_RELEASED, "ash_fft: a");
}

/* ---- frequencies, shifts */

static void frequencies(void)
{
    CHECK_FLOATS(ash_fftfreq(8, 1), 0, 0.125, 0.25, 0.375, -0.5, -0.375, -0.25, -0.125);
    CHECK_FLOATS(ash_fftfreq(5, 0.2, .dtype = ASH_F16), 0, 1, 2, -2, -1);
    CHECK_FLOATS(ash_rfftfreq(8, 0.5), 0, 0.25, 0.5, 0.75, 1);
    CHECK_FLOATS(ash_rfftfreq(5, 0.2, .dtype = ASH_BF16), 0, 1, 2);
    CHECK_SHAPE(ash_fftfreq(0, 1), 0);
    CHECK_SHAPE(ash_rfftfreq(1, 1), 1);
    CHECK(ash_dtype_of(ash_fftfreq(3, 1)) == ASH_F32);
    CHECK(!ash_fftfreq(-1, 1));
    CHECK_ERROR(ASH_ERR_SHAPE, "ash_fftfreq: -1 numbers; 0 or more are wanted");
    CHECK(!ash_rfftfreq(4, 1, .dtype = ASH_I32));
    CHECK_ERROR(ASH_ERR_DTYPE, "ash_rfftfreq: frequencies of dtype i32; a float dtype is wanted");
    CHECK_INTS(ash_fftshift(ash_i32(0, 1, 2, -3, -2, -1)), -3, -2, -1, 0, 1, 2);
    CHECK_INTS(ash_fftshift(ash_i32(0, 1, 2, -2, -1)), -2, -1, 0, 1, 2);
    CHECK_INTS(ash_ifftshift(ash_i32(-2, -1, 0, 1, 2)), 0, 1, 2, -2, -1);
    ash_array *m = ash_reshape(ash_i32(1, 2, 3, 4, 5, 6), ASH_SHAPE(2, 3));
    CHECK_INTS(ash_fftshift(m), 6, 4, 5, 3, 1, 2);
    CHECK_INTS(ash_fftshift(m, .axes = ASH_AXES(-1)), 3, 1, 2, 6, 4, 5);
    CHECK_INTS(ash_ifftshift(m, .axes = ASH_AXES(1, 0)), 5, 6, 4, 2, 3, 1);
    CHECK_INTS(ash_ifftshift(ash_fftshift(m)), 1, 2, 3, 4, 5, 6);
    CHECK(!ash_fftshift(m, .axes = ASH_AXES(2)));
    CHECK_ERROR(ASH_ERR_BOUNDS, "ash_fftshift: axis 2 is out of bounds for rank 2");
    CHECK(!ash_ifftshift(NULL));
    CHECK_ERROR(ASH_ERR_ARGUMENT, "ash_ifftshift: a is NULL");
}
static void f64_frequencies(void)
{
    static const double want[] = {0, 1 / 1.5, 2 / 1.5, -2 / 1.5, -1 / 1.5};
    check_floats(ash_fftfreq(5, 0.3, .dtype = ASH_F64), want, 5, __FILE__, __LINE__);
}

/* ---- threads */

static void same_bits(void **state)
{
    (void)state;
    static const struct {
        int64_t size[3], rank, axis;
    } row[] = {{{1 << 20}, 1, 0},   {{300000}, 1, 0},    {{100003}, 1, 0},    {{512, 600}, 2, 0},
               {{512, 600}, 2, 1},  {{30000, 11}, 2, 0}, {{30000, 11}, 2, 1}, {{9, 40, 1000}, 3, 1},
               {{3, 131072}, 2, 1}, {{131072, 2}, 2, 0}, {{600, 1009}, 2, 1}};
    for (int i = 0; i < COUNT(row); i++)
        for (int real = 0; real < 2; real++) {
            ASH_SCOPE(scope);
            const ash_axes axes = {&row[i].axis, 1};
            ash_array *a = drawn((ash_dims){row[i].size, row[i].rank}, real ? ASH_F32 : ASH_C_F64, ASH_ROW_MAJOR);
            ash_array *first = NULL, *back = NULL;
            for (int threads = 1; threads <= 3; threads++) {
                CHECK_OK(ash_set_threads(threads));
                ash_array *got = real ? ash_rfft(a, .axes = axes) : ash_fft(a, .axes = axes);
                const int64_t n = row[i].size[row[i].axis];
                ash_array *and_back = real ? ash_irfft(got, n, .axes = axes) : ash_ifft(got, .axes = axes);
                CHECK(!first || (ash_equal(got, first, .identical = true) && ash_equal(and_back, back, .identical = true)));
                first = got;
                back = and_back;
                NO_ERROR();
            }
            CHECK(ash_allclose(back, a, .atol = real ? 1e-5 : 1e-13));
        }
    CHECK_OK(ash_set_threads(0));
}

typedef struct worker {
    const ash_fft_plan *plan;
    const ash_array *x, *want;
    bool same;
} worker;
static void *use_plan(void *context)
{
    worker *w = context;
    w->same = true;
    for (int i = 0; i < 200 / SLOW; i++) {
        ASH_SCOPE(scope);
        w->same = w->same && ash_equal(ash_fft_execute(w->plan, w->x), w->want);
        w->same = w->same && ash_fft(ash_slice(w->x, 0, i % 60 + 1)); /* other lengths, so that tables come and go */
    }
    w->same = w->same && !ash_failed();
    return NULL;
}
static void plan_of_many_threads(void **state)
{
    (void)state;
    ASH_SCOPE(scope);
    ash_array *x = drawn(ASH_SHAPE(1000), ASH_C_F32, ASH_ROW_MAJOR), *want = ash_fft(x);
    ash_fft_plan *plan = ash_fft_plan_new(ASH_FFT_FORWARD, ASH_SHAPE(1000));
    pthread_t thread[4];
    worker w[4];
    for (int i = 0; i < 4; i++) {
        w[i] = (worker){plan, x, want, false};
        CHECK(pthread_create(&thread[i], NULL, use_plan, &w[i]) == 0);
    }
    for (int i = 0; i < 4; i++) {
        CHECK(pthread_join(thread[i], NULL) == 0);
        CHECK(w[i].same);
    }
    ash_fft_plan_release(plan);
}

/* ---- FFTW */

static void same_as_fftw(void **state)
{
    (void)state;
    void *const library = dlopen("libfftw3.so.3", RTLD_NOW);
    if (!library) {
        print_message("skipped: FFTW is not installed (Debian: libfftw3-double3)\n");
        return;
    }
    void *(*plan_dft)(int, const int *, double *, double *, int, unsigned);
    void *(*plan_r2c)(int, const int *, double *, double *, unsigned);
    void (*execute)(const void *), (*destroy)(void *), (*cleanup)(void);
    *(void **)&plan_dft = dlsym(library, "fftw_plan_dft");
    *(void **)&plan_r2c = dlsym(library, "fftw_plan_dft_r2c");
    *(void **)&execute = dlsym(library, "fftw_execute");
    *(void **)&destroy = dlsym(library, "fftw_destroy_plan");
    *(void **)&cleanup = dlsym(library, "fftw_cleanup");
    CHECK(plan_dft && plan_r2c && execute && destroy && cleanup);
    static const int sizes[][3] = {{100000}, {65537}, {131072}, {510510}, {96, 250}, {31, 33, 35}, {1024, 64}, {20, 1009}};
    for (int i = 0; i < COUNT(sizes); i++) {
        ASH_SCOPE(scope);
        const unsigned estimate = 1 << 6;
        int rank = 0;
        int64_t shape[3], n = 1;
        for (; rank < 3 && sizes[i][rank]; rank++)
            n *= shape[rank] = sizes[i][rank];
        const int64_t last = shape[rank - 1], half = n / last * (last / 2 + 1);
        double *x = calloc((size_t)n, 16), *y = calloc((size_t)n, 16);
        number *want = calloc((size_t)n, sizeof *want);
        for (int sign = -1; sign <= 1; sign++) { /* 0: real numbers */
            void *plan = sign ? plan_dft(rank, sizes[i], x, y, sign, estimate) : plan_r2c(rank, sizes[i], x, y, estimate);
            for (int64_t k = 0; k < n * (sign ? 2 : 1); k++)
                x[k] = random_unit();
            ash_array *a = ash_from_host(x, sign ? ASH_C_F64 : ASH_F64, ((ash_dims){shape, rank}));
            execute(plan);
            destroy(plan);
            for (int64_t k = 0; k < n; k++)
                want[k] = (number){(long double)y[2 * k], (long double)y[2 * k + 1]};
            ash_array *got = sign < 0 ? ash_fft(a) : sign ? ash_bfft(a) : ash_rfft(a);
            CHECK_TRANSFORM(got, want, sign ? n : half, 1, n, ASH_C_F64, "what FFTW does");
        }
        free(x);
        free(y);
        free(want);
    }
    cleanup();
    dlclose(library);
}

EVERYWHERE(lines_here, lines)
EVERYWHERE(halves, half_lines)
EVERYWHERE(axes, subsets)
EVERYWHERE(rank_32, highest_rank)
EVERYWHERE(views, strided)
EVERYWHERE(into_arrays, into)
EVERYWHERE(all_dtypes, dtypes)
EVERYWHERE(f16_overflow, overflow)
EVERYWHERE(no_elements, empty)
EVERYWHERE(theorems, identities)
EVERYWHERE(a40, a40_inputs_stay)
EVERYWHERE(plans_here, plans)
EVERYWHERE(faults_of_plans, plan_faults)
EVERYWHERE(faults_here, faults)
EVERYWHERE(frequencies_here, frequencies)
static void f64_axes(void **state)
{
    (void)state;
    everywhere(more_subsets, true);
    everywhere(wide_dtypes, true);
    everywhere(f64_frequencies, true);
}

int main(void)
{
    const struct CMUnitTest tests[] = {TEST(every_length),
                                       TEST(lines_here),
                                       TEST(halves),
                                       TEST(axes),
                                       TEST(f64_axes),
                                       TEST(rank_32),
                                       TEST(views),
                                       TEST(long_columns),
                                       TEST(into_arrays),
                                       TEST(all_dtypes),
                                       TEST(f16_overflow),
                                       TEST(no_elements),
                                       TEST(theorems),
                                       TEST(a39_odd_real_length),
                                       TEST(a40),
                                       TEST(plans_here),
                                       TEST(faults_of_plans),
                                       TEST(faults_here),
                                       TEST(frequencies_here),
                                       TEST(same_bits),
                                       TEST(plan_of_many_threads),
                                       TEST(same_as_fftw)};
    return cmocka_run_group_tests_name("fft", tests, NULL, NULL);
}
