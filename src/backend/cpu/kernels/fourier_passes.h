/*
 * fourier_passes.h - the passes of a Fourier transform for one type T of real numbers; NAME(x) makes the names.
 *
 * A block holds complex numbers as two planes, real and imaginary parts, in rows: row k is element k of as many transforms as
 * a row is long. A pass of radix r over n = r*m rows is one step of Stockham's autosort algorithm with decimation in
 * frequency: with w = exp(-2*pi*i/n),
 *
 *     out row r*p + j = w^(p*j) * sum over k of (in row p + m*k) * exp(-2*pi*i*j*k/r),    p < m, j < r
 *
 * and what is left are r transforms of m rows, whose rows are r times as long. Everything is vectors along the rows, whatever
 * the radix: nothing is shuffled. The inverse transform is the same with the planes exchanged.
 *
 * C. Van Loan, Computational Frameworks for the Fast Fourier Transform, SIAM 1992, sections 1.7 and 2.2.
 */
typedef T NAME(vec) __attribute__((vector_size(WIDE)));
typedef T NAME(loose) __attribute__((vector_size(WIDE), aligned(sizeof(T)), may_alias));
#define V NAME(vec)
enum { NAME(LANES) = WIDE / (int)sizeof(T) };

typedef struct NAME(cv) { /* as many complex numbers as a vector is long */
    V re, im;
} NAME(cv);
#define CV NAME(cv)

INLINE V NAME(load)(const T *p)
{
    return *(const NAME(loose) *)(const void *)p;
}
INLINE void NAME(store)(T *p, V x)
{
    *(NAME(loose) *)(void *)p = x;
}
INLINE CV NAME(add)(CV a, CV b)
{
    return (CV){a.re + b.re, a.im + b.im};
}
INLINE CV NAME(sub)(CV a, CV b)
{
    return (CV){a.re - b.re, a.im - b.im};
}
/* times -i */
INLINE CV NAME(down)(CV a)
{
    return (CV){a.im, -a.re};
}
INLINE CV NAME(times)(CV a, T re, T im)
{
    return (CV){a.re * re - a.im * im, a.re * im + a.im * re};
}

/* ---- transforms of r numbers, in place */

INLINE void NAME(dft2)(CV *a)
{
    const CV d = NAME(sub)(a[0], a[1]);
    a[0] = NAME(add)(a[0], a[1]);
    a[1] = d;
}

INLINE void NAME(dft4)(CV *a)
{
    const CV s0 = NAME(add)(a[0], a[2]), d0 = NAME(sub)(a[0], a[2]), s1 = NAME(add)(a[1], a[3]),
             d1 = NAME(down)(NAME(sub)(a[1], a[3]));
    a[0] = NAME(add)(s0, s1);
    a[1] = NAME(add)(d0, d1);
    a[2] = NAME(sub)(s0, s1);
    a[3] = NAME(sub)(d0, d1);
}

INLINE void NAME(dft8)(CV *a)
{
    const T h = (T)0.70710678118654752440084436210484904;
    CV even[4], odd[4];
    for (int k = 0; k < 4; k++) {
        even[k] = NAME(add)(a[k], a[k + 4]);
        odd[k] = NAME(sub)(a[k], a[k + 4]);
    }
    odd[1] = (CV){(odd[1].re + odd[1].im) * h, (odd[1].im - odd[1].re) * h};
    odd[2] = NAME(down)(odd[2]);
    odd[3] = (CV){(odd[3].im - odd[3].re) * h, -(odd[3].re + odd[3].im) * h};
    NAME(dft4)(even);
    NAME(dft4)(odd);
    for (int k = 0; k < 4; k++) {
        a[2 * k] = even[k];
        a[2 * k + 1] = odd[k];
    }
}

/* r odd; root[k] is exp(2*pi*i*k/r), real and imaginary part. The sums and differences of elements k and r - k meet cosines
 * and sines alone. */
INLINE void NAME(dft_odd)(CV *a, int r, const T *root)
{
    const int h = r / 2;
    CV sum[ASH__FOURIER_ODD / 2], dif[ASH__FOURIER_ODD / 2];
    CV total = a[0];
    for (int k = 0; k < h; k++) {
        sum[k] = NAME(add)(a[k + 1], a[r - 1 - k]);
        dif[k] = NAME(sub)(a[k + 1], a[r - 1 - k]);
        total = NAME(add)(total, sum[k]);
    }
    for (int j = 1; j <= h; j++) {
        CV even = a[0], odd = {dif[0].re * root[2 * j + 1], dif[0].im * root[2 * j + 1]};
        for (int k = 0, at = j; k < h; k++) {
            const T c = root[2 * at], s = root[2 * at + 1];
            even = (CV){even.re + sum[k].re * c, even.im + sum[k].im * c};
            if (k)
                odd = (CV){odd.re + dif[k].re * s, odd.im + dif[k].im * s};
            at = at + j < r ? at + j : at + j - r;
        }
        odd = NAME(down)(odd);
        a[j] = NAME(add)(even, odd);
        a[r - j] = NAME(sub)(even, odd);
    }
    a[0] = total;
}

/* known: r where it is a constant, else 0. */
INLINE void NAME(dft)(CV *a, int known, int r, const T *root)
{
    if (known == 2)
        NAME(dft2)(a);
    else if (known == 4)
        NAME(dft4)(a);
    else if (known == 8)
        NAME(dft8)(a);
    else if (known != 1)
        NAME(dft_odd)(a, r, root);
}

/* ---- passes */

/* One p. w: r - 1 factors w^p, w^2p ..., or NULL for ones. Offsets are elements. */
INLINE void NAME(rows)(const ash__fourier_pass *x, int known, int r, int64_t p, const T *w, const T *root)
{
    const T *const re = (const T *)x->from_re + p * x->from_step, *const im = (const T *)x->from_im + p * x->from_step;
    T *const to_re = (T *)x->to_re + p * r * x->to_step, *const to_im = (T *)x->to_im + p * r * x->to_step;
    const int64_t ahead = x->m * x->from_step, below = x->to_step;
    for (int64_t q = 0; q < x->width; q += NAME(LANES)) {
        CV a[ASH__FOURIER_ODD];
        for (int k = 0; k < r; k++)
            a[k] = (CV){NAME(load)(re + k * ahead + q), NAME(load)(im + k * ahead + q)};
        NAME(dft)(a, known, r, root);
        for (int k = 1; w && k < r; k++)
            a[k] = NAME(times)(a[k], w[2 * k - 2], w[2 * k - 1]);
        for (int k = 0; k < r; k++) {
            NAME(store)(to_re + k * below + q, a[k].re);
            NAME(store)(to_im + k * below + q, a[k].im);
        }
    }
}

INLINE void NAME(pass)(const ash__fourier_pass *x, int r, const T *root)
{
    const T *const w = x->twiddle;
    NAME(rows)(x, r, r, 0, NULL, root);
    for (int64_t p = 1; p < x->m; p++)
        NAME(rows)(x, r, r, p, w + p * (r - 1) * 2, root);
}

static void NAME(pass1)(const ash__fourier_pass *x)
{
    NAME(pass)(x, 1, NULL);
}
static void NAME(pass2)(const ash__fourier_pass *x)
{
    NAME(pass)(x, 2, NULL);
}
static void NAME(pass3)(const ash__fourier_pass *x)
{
    NAME(pass)(x, 3, x->root);
}
static void NAME(pass4)(const ash__fourier_pass *x)
{
    NAME(pass)(x, 4, NULL);
}
static void NAME(pass5)(const ash__fourier_pass *x)
{
    NAME(pass)(x, 5, x->root);
}
static void NAME(pass7)(const ash__fourier_pass *x)
{
    NAME(pass)(x, 7, x->root);
}
static void NAME(pass8)(const ash__fourier_pass *x)
{
    NAME(pass)(x, 8, NULL);
}
static void NAME(pass_odd)(const ash__fourier_pass *x)
{
    const T *const w = x->twiddle;
    for (int64_t p = 0, r = x->radix; p < x->m; p++)
        NAME(rows)(x, 0, (int)r, p, p ? w + p * (r - 1) * 2 : NULL, x->root);
}

/* ---- into planes and out of them */

static void NAME(split)(void *RE, void *IM, int64_t step, const void *Z, int64_t z_step, int64_t rows, int64_t n)
{
    for (int64_t r = 0; r < rows; r++) {
        T *const re = (T *)RE + r * step, *const im = (T *)IM + r * step;
        const T *const z = (const T *)Z + r * z_step * 2;
        int64_t i = 0;
        for (; i + NAME(LANES) <= n; i += NAME(LANES)) {
            const V a = NAME(load)(z + 2 * i), b = NAME(load)(z + 2 * i + NAME(LANES));
            NAME(store)(re + i, EVENS(a, b));
            NAME(store)(im + i, ODDS(a, b));
        }
        for (; i < n; i++) {
            ONE_BY_ONE;
            re[i] = z[2 * i];
            im[i] = z[2 * i + 1];
        }
    }
}

static void NAME(join)(void *Z, int64_t z_step, const void *RE, const void *IM, int64_t step, double scale, int64_t rows,
                       int64_t n)
{
    const T by = (T)scale;
    for (int64_t r = 0; r < rows; r++) {
        const T *const re = (const T *)RE + r * step, *const im = (const T *)IM + r * step;
        T *const z = (T *)Z + r * z_step * 2;
        int64_t i = 0;
        for (; i + NAME(LANES) <= n; i += NAME(LANES)) {
            const V a = NAME(load)(re + i) * by, b = NAME(load)(im + i) * by;
            NAME(store)(z + 2 * i, LOWS(a, b));
            NAME(store)(z + 2 * i + NAME(LANES), HIGHS(a, b));
        }
        for (; i < n; i++) {
            ONE_BY_ONE;
            z[2 * i] = re[i] * by;
            z[2 * i + 1] = im[i] * by;
        }
    }
}

/* ---- products */

static void NAME(multiply)(void *D_RE, void *D_IM, const void *A_RE, const void *A_IM, const void *B_RE, const void *B_IM,
                           int64_t n)
{
    T *const d_re = D_RE, *const d_im = D_IM;
    const T *const a_re = A_RE, *const a_im = A_IM, *const b_re = B_RE, *const b_im = B_IM;
    ASH__IVDEP
    for (int64_t i = 0; i < n; i++) {
        const T re = a_re[i] * b_re[i] - a_im[i] * b_im[i], im = a_re[i] * b_im[i] + a_im[i] * b_re[i];
        d_re[i] = re;
        d_im[i] = im;
    }
}

static void NAME(turn)(void *RE, void *IM, const void *FINE_RE, const void *FINE_IM, const void *COARSE, int64_t rows,
                       int64_t width)
{
    const T *const coarse = COARSE;
    for (int64_t r = 0; r < rows; r++) {
        T *const re = (T *)RE + r * width, *const im = (T *)IM + r * width;
        const T *const fine_re = (const T *)FINE_RE + r * width, *const fine_im = (const T *)FINE_IM + r * width;
        for (int64_t q = 0; q < width; q += NAME(LANES)) {
            CV a = {NAME(load)(re + q), NAME(load)(im + q)};
            const CV b = {NAME(load)(fine_re + q), NAME(load)(fine_im + q)};
            a = (CV){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
            a = coarse ? NAME(times)(a, coarse[2 * r], coarse[2 * r + 1]) : a;
            NAME(store)(re + q, a.re);
            NAME(store)(im + q, a.im);
        }
    }
}

/* ---- real numbers: n of them were transformed as h = n/2 complex ones; root[k] is exp(-2*pi*i*k/n), in planes */

static void NAME(unpack)(void *RE, void *IM, const void *ROOT_RE, const void *ROOT_IM, int64_t h)
{
    T *const re = RE, *const im = IM;
    const T *const c = ROOT_RE, *const s = ROOT_IM;
    const T first = re[0];
    re[0] = first + im[0];
    re[h] = first - im[0];
    im[0] = im[h] = 0;
    ASH__IVDEP
    for (int64_t k = 1; k < (h + 1) / 2; k++) {
        const int64_t j = h - k;
        const T e_re = (T)0.5 * (re[k] + re[j]), e_im = (T)0.5 * (im[k] - im[j]);
        const T o_re = (T)0.5 * (im[k] + im[j]), o_im = (T)0.5 * (re[j] - re[k]);
        const T t_re = o_re * c[k] - o_im * s[k], t_im = o_re * s[k] + o_im * c[k];
        re[k] = e_re + t_re;
        im[k] = e_im + t_im;
        re[j] = e_re - t_re;
        im[j] = t_im - e_im;
    }
    if (h > 1 && h % 2 == 0)
        im[h / 2] = -im[h / 2];
}

static void NAME(pack)(void *RE, void *IM, const void *ROOT_RE, const void *ROOT_IM, int64_t h)
{
    T *const re = RE, *const im = IM;
    const T *const c = ROOT_RE, *const s = ROOT_IM;
    const T first = re[0], last = re[h];
    re[0] = first + last;
    im[0] = first - last;
    ASH__IVDEP
    for (int64_t k = 1; k < (h + 1) / 2; k++) {
        const int64_t j = h - k;
        const T e_re = re[k] + re[j], e_im = im[k] - im[j];
        const T d_re = re[k] - re[j], d_im = im[k] + im[j];
        const T t_re = d_re * s[k] - d_im * c[k], t_im = d_re * c[k] + d_im * s[k]; /* i * d * conj(root) */
        re[k] = e_re + t_re;
        im[k] = e_im + t_im;
        re[j] = e_re - t_re;
        im[j] = t_im - e_im;
    }
    if (h > 1 && h % 2 == 0) {
        re[h / 2] *= 2;
        im[h / 2] *= -2;
    }
}

/* The same for rows of `width` lines. */
static void NAME(unpack_rows)(void *RE, void *IM, const void *ROOT_RE, const void *ROOT_IM, int64_t h, int64_t width)
{
    T *const re = RE, *const im = IM;
    const T *const c = ROOT_RE, *const s = ROOT_IM, half = (T)0.5;
    for (int64_t q = 0; q < width; q += NAME(LANES)) {
        const V first = NAME(load)(re + q), second = NAME(load)(im + q);
        NAME(store)(re + q, first + second);
        NAME(store)(re + h * width + q, first - second);
        NAME(store)(im + q, (V){0});
        NAME(store)(im + h * width + q, (V){0});
    }
    for (int64_t k = 1; k <= h / 2; k++)
        for (int64_t q = 0; q < width; q += NAME(LANES)) {
            const int64_t i = k * width + q, j = (h - k) * width + q;
            const CV a = {NAME(load)(re + i), NAME(load)(im + i)}, b = {NAME(load)(re + j), NAME(load)(im + j)};
            const CV e = {half * (a.re + b.re), half * (a.im - b.im)}, o = {half * (a.im + b.im), half * (b.re - a.re)};
            const CV t = NAME(times)(o, c[k], s[k]);
            NAME(store)(re + j, e.re - t.re);
            NAME(store)(im + j, t.im - e.im);
            NAME(store)(re + i, e.re + t.re);
            NAME(store)(im + i, e.im + t.im);
        }
}

static void NAME(pack_rows)(void *RE, void *IM, const void *ROOT_RE, const void *ROOT_IM, int64_t h, int64_t width)
{
    T *const re = RE, *const im = IM;
    const T *const c = ROOT_RE, *const s = ROOT_IM;
    for (int64_t q = 0; q < width; q += NAME(LANES)) {
        const V first = NAME(load)(re + q), last = NAME(load)(re + h * width + q);
        NAME(store)(re + q, first + last);
        NAME(store)(im + q, first - last);
    }
    for (int64_t k = 1; k <= h / 2; k++)
        for (int64_t q = 0; q < width; q += NAME(LANES)) {
            const int64_t i = k * width + q, j = (h - k) * width + q;
            const CV a = {NAME(load)(re + i), NAME(load)(im + i)}, b = {NAME(load)(re + j), NAME(load)(im + j)};
            const CV e = {a.re + b.re, a.im - b.im}, d = {-(a.im + b.im), a.re - b.re}; /* d: times i */
            const CV t = NAME(times)(d, c[k], -s[k]);
            NAME(store)(re + j, e.re - t.re);
            NAME(store)(im + j, t.im - e.im);
            NAME(store)(re + i, e.re + t.re);
            NAME(store)(im + i, e.im + t.im);
        }
}

static void NAME(copy)(void *D, int64_t d_step, const void *S, int64_t s_step, double scale, int64_t rows, int64_t n)
{
    const T by = (T)scale;
    for (int64_t r = 0; r < rows; r++) {
        T *const d = (T *)D + r * d_step;
        const T *const s = (const T *)S + r * s_step;
        int64_t i = 0;
        for (; i + NAME(LANES) <= n; i += NAME(LANES))
            NAME(store)(d + i, NAME(load)(s + i) * by);
        for (; i < n; i++) {
            ONE_BY_ONE;
            d[i] = s[i] * by;
        }
    }
}
