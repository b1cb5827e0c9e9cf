/*
 * factor_typed.h - the kernels of factor.c for one dtype: included once for each, with NAME, T (of a part), V and U (vectors of
 * it), PARTS (2: complex) and what goes with them defined. Sizes and leading dimensions count elements, PARTS of T each.
 */

static inline V NAME(load)(const T *p)
{
    return *(const U *)p;
}
static inline void NAME(store)(T *p, V v)
{
    *(U *)p = v;
}
static inline V NAME(splat)(T x)
{
    return x - (V){0};
} /* -0.0 stays */
/* The factor of the swapped parts in a product with a number of that imaginary part. */
static inline V NAME(cross)(T im)
{
    V v = NAME(splat)(im);
    for (int i = 0; i < LANES; i += 2)
        v[i] = -im;
    return v;
}
static inline number NAME(get)(const T *p)
{
    return (number){p[0], PARTS == 2 ? p[PARTS - 1] : 0};
}
static inline void NAME(put)(T *p, number x)
{
    p[0] = (T)x.re;
    if (PARTS == 2)
        p[PARTS - 1] = (T)x.im;
}

/* ---- y[i] -= sum over p < k of x[i + p*ldx] * a[p*step], the a conjugated when conj; in pieces of `wide` vectors, the last of
 * which may reach behind y and the columns of x */

static inline __attribute__((always_inline)) void NAME(update_piece)(T *y, const T *x, int64_t ldx, int64_t k, const T *a,
                                                                     int64_t step, bool conj, int wide)
{
    V sum[4];
    for (int w = 0; w < wide; w++)
        sum[w] = NAME(load)(y + w * LANES);
    for (int64_t p = 0; p < k; p++) {
        const T *const column = x + p * ldx * PARTS, *const by = a + p * step * PARTS;
        const V re = NAME(splat)(by[0]), im = PARTS == 2 ? NAME(cross)(conj ? -by[PARTS - 1] : by[PARTS - 1]) : re;
        for (int w = 0; w < wide; w++) {
            const V v = NAME(load)(column + w * LANES);
            sum[w] -= v * re;
            if (PARTS == 2)
                sum[w] -= SWAP(v) * im;
        }
    }
    for (int w = 0; w < wide; w++)
        NAME(store)(y + w * LANES, sum[w]);
}

static APART void NAME(update)(int64_t n, T *y, const T *x, int64_t ldx, int64_t k, const T *a, int64_t step, bool conj)
{
    const int64_t parts = n * PARTS;
    int64_t i = 0;
    for (; i + 4 * LANES <= parts; i += 4 * LANES)
        NAME(update_piece)(y + i, x + i, ldx, k, a, step, conj, 4);
    for (; i < parts; i += LANES)
        NAME(update_piece)(y + i, x + i, ldx, k, a, step, conj, 1);
}

/* ---- sum of conj(x[i]) y[i] */

static APART void NAME(dot)(int64_t n, const T *x, const T *y, T *result)
{
    const int64_t parts = n * PARTS;
    V re[4] = {{0}, {0}, {0}, {0}}, im[4] = {{0}, {0}, {0}, {0}};
    int64_t i = 0;
    for (; i + 4 * LANES <= parts; i += 4 * LANES)
        for (int w = 0; w < 4; w++) {
            const V a = NAME(load)(x + i + w * LANES), b = NAME(load)(y + i + w * LANES);
            re[w] += a * b;
            if (PARTS == 2)
                im[w] += a * SWAP(b);
        }
    for (; i + LANES <= parts; i += LANES) {
        const V a = NAME(load)(x + i), b = NAME(load)(y + i);
        re[0] += a * b;
        if (PARTS == 2)
            im[0] += a * SWAP(b);
    }
    const V r = (re[0] + re[1]) + (re[2] + re[3]), s = (im[0] + im[1]) + (im[2] + im[3]);
    T sum = 0, other = 0;
    for (int l = 0; l < LANES; l++) {
        sum += r[l];
        other += l % 2 ? -s[l] : s[l];
    }
    for (; i < parts; i += PARTS) {
        ONE_BY_ONE();
        sum += x[i] * y[i];
        if (PARTS == 2) {
            sum += x[i + PARTS - 1] * y[i + PARTS - 1];
            other += x[i] * y[i + PARTS - 1] - x[i + PARTS - 1] * y[i];
        }
    }
    result[0] = sum;
    if (PARTS == 2)
        result[PARTS - 1] = other;
}

/* ---- y[i] /= d: a quotient each, since 1/d may overflow where the quotients do not */

static APART void NAME(divide)(int64_t n, T *y, number d)
{
    const bool mixed = PARTS == 2 && d.im != 0, wide = fabs(d.re) >= fabs(d.im); /* R. L. Smith, CACM 5 (1962), 435 */
    const double r = !mixed ? 0 : wide ? d.im / d.re : d.re / d.im;
    const T by = (T)(!mixed ? d.re : wide ? d.re + d.im * r : d.re * r + d.im), own = wide ? 1 : (T)r, other = wide ? (T)r : 1;
    const V den = NAME(splat)(by), same = NAME(splat)(own), cross = NAME(cross)(-other);
    for (int64_t i = 0; i < n * PARTS; i += LANES) {
        V v = NAME(load)(y + i);
        if (mixed)
            v = v * same + SWAP(v) * cross;
        NAME(store)(y + i, v / den);
    }
}

/* ---- sizes */

static inline V NAME(magnitudes)(V v)
{
    const I sign = ((I){0} + 1) << (I_PART)(8 * sizeof(T) - 1);
    const V a = (V)((I)v & ~sign);
    return PARTS == 2 ? a + SWAP(a) : a;
}
static inline T NAME(size)(const T *p)
{
    return PARTS == 2 ? NAME(magnitude)(p[0]) + NAME(magnitude)(p[PARTS - 1]) : NAME(magnitude)(p[0]);
}

/* The largest |x|, of complex numbers |re| + |im|; NaNs do not count. */
static APART T NAME(largest)(int64_t n, const T *x)
{
    const int64_t parts = n * PARTS;
    V most = {0};
    T result = 0;
    int64_t i = 0;
    for (; i + LANES <= parts; i += LANES) {
        const V a = NAME(magnitudes)(NAME(load)(x + i));
        const I more = a > most;
        most = (V)(((I)a & more) | ((I)most & ~more));
    }
    for (int l = 0; l < LANES; l++)
        result = most[l] > result ? most[l] : result;
    for (; i < parts; i += PARTS) {
        ONE_BY_ONE();
        result = NAME(size)(x + i) > result ? NAME(size)(x + i) : result;
    }
    return result;
}

static APART int64_t NAME(place_of_largest)(int64_t n, const T *x)
{
    const T most = NAME(largest)(n, x);
    for (int64_t i = 0; i < n; i++)
        if (NAME(size)(x + i * PARTS) == most)
            return i;
    return 0; /* NaN everywhere */
}

/* The first of n elements `step` bytes apart that is no finite number; n when all are. */
static int64_t NAME(finite)(const void *first, int64_t step, int64_t n)
{
    const char *p = first;
    T poison = 0; /* 0 * x is 0 for finite numbers alone */
    if (step == (int64_t)sizeof(T) * PARTS) {
        V all = {0};
        int64_t i = 0;
        for (; i + LANES <= n * PARTS; i += LANES)
            all += NAME(load)((const T *)(const void *)p + i) * (T)0;
        for (; i < n * PARTS; i++) {
            ONE_BY_ONE();
            poison += ((const T *)(const void *)p)[i] * (T)0;
        }
        for (int l = 0; l < LANES; l++)
            poison += all[l];
        if (poison == 0)
            return n;
    }
    for (int64_t i = 0; i < n; i++)
        for (int k = 0; k < PARTS; k++) {
            ONE_BY_ONE();
            if (!(NAME(magnitude)(((const T *)(const void *)(p + i * step))[k]) <= LARGEST))
                return i;
        }
    return n;
}

/* The 2-norm, without overflow or underflow on the way. */
static CALLS __attribute__((noinline)) double NAME(norm)(int64_t n, const T *x)
{
    T sum[2];
    const T most = NAME(largest)(n, x);
    if (most == 0)
        return 0;
    if (most > SAFE_LOW && most < SAFE_HIGH) {
        NAME(dot)(n, x, x, sum);
        return sqrt((double)sum[0]);
    }
    double total = 0;
    for (int64_t i = 0; i < n * PARTS; i++) {
        ONE_BY_ONE();
        total += ((double)x[i] / (double)most) * ((double)x[i] / (double)most);
    }
    return (double)most * sqrt(total);
}

/* ---- LU of m by n */

static APART void NAME(exchange)(int64_t n, T *a, int64_t ld, int64_t i, int64_t k)
{
    for (int64_t j = 0; j < n; j++)
        for (int part = 0; part < PARTS; part++) {
            T *const x = a + (j * ld + i) * PARTS + part, *const y = a + (j * ld + k) * PARTS + part;
            ONE_BY_ONE();
            const T was = *x;
            *x = *y;
            *y = was;
        }
}

/* x = l^-1 x for n elements of a column, l with ones on its diagonal. */
static APART void NAME(solve_column)(int64_t n, const T *l, int64_t ld, T *x)
{
    for (int64_t p = 0; p + 1 < n; p++) {
        const T *const column = l + p * ld * PARTS;
        const T re = x[p * PARTS], im = x[p * PARTS + PARTS - 1];
        for (int64_t i = p + 1; i < n; i++) {
            const T *const by = column + i * PARTS;
            T *const to = x + i * PARTS;
            ONE_BY_ONE();
            if (PARTS == 2) {
                to[0] = to[0] - by[0] * re + by[PARTS - 1] * im;
                to[PARTS - 1] = to[PARTS - 1] - by[0] * im - by[PARTS - 1] * re;
            } else
                to[0] -= by[0] * re;
        }
    }
}

static int64_t NAME(lu)(int64_t m, int64_t n, void *matrix, int64_t ld, int64_t *pivot)
{
    T *const a = matrix;
    int64_t fault = 0;
    for (int64_t j = 0; j < n; j++) {
        T *const column = a + j * ld * PARTS;
        const int64_t before = j < m ? j : m;
        NAME(solve_column)(before, a, ld, column);
        if (j >= m)
            continue;
        T *const rest = column + j * PARTS;
        NAME(update)(m - j, rest, a + j * PARTS, ld, j, column, 1, false);
        const int64_t best = NAME(place_of_largest)(m - j, rest);
        pivot[j] = j + best;
        if (!(NAME(size)(rest + best * PARTS) > 0 && NAME(size)(rest + best * PARTS) <= LARGEST)) {
            fault = fault ? fault : j + 1;
            continue;
        }
        if (best)
            NAME(exchange)(n, a, ld, j, j + best);
        NAME(divide)(m - j - 1, rest + PARTS, NAME(get)(rest));
    }
    return fault;
}

/* ---- Cholesky, lower, of n by n; what lies above the diagonal is not touched */

static int64_t NAME(cholesky)(int64_t n, void *matrix, int64_t ld)
{
    T *const a = matrix;
    for (int64_t j = 0; j < n; j++) {
        T *const d = a + (j * ld + j) * PARTS;
        NAME(update)(n - j, d, a + j * PARTS, ld, j, a + j * PARTS, ld, true);
        if (!(d[0] > 0 && d[0] <= LARGEST))
            return j + 1;
        NAME(put)(d, (number){sqrt((double)d[0]), 0});
        NAME(divide)(n - j - 1, d + PARTS, NAME(get)(d));
    }
    return 0;
}

/* ---- b = t^-1 b: t lower triangular, row by row, b of k columns, row by row */

static void NAME(solve)(int64_t n, const void *triangle, int64_t ldt, bool unit, void *right, int64_t ldb, int64_t k)
{
    const T *const t = triangle;
    T *const b = right;
    for (int64_t i = 0; i < n; i++) {
        const T *const row = t + i * ldt * PARTS;
        NAME(update)(k, b + i * ldb * PARTS, b, ldb, i, row, 1, false);
        if (!unit)
            NAME(divide)(k, b + i * ldb * PARTS, NAME(get)(row + i * PARTS));
    }
}

/* ---- QR of m by n. N. J. Higham 2002, chapter 19; tau and the sign of R's diagonal are LAPACK's */

/* Makes H^H x = (beta 0 ... 0); x becomes (beta v). */
static CALLS __attribute__((noinline)) number NAME(reflector)(int64_t m, T *x)
{
    const number alpha = NAME(get)(x), zero = {0, 0};
    const double rest = NAME(norm)(m - 1, x + PARTS);
    if (rest == 0 && alpha.im == 0)
        return zero;
    const double beta = -copysign(hypot(hypot(alpha.re, alpha.im), rest), alpha.re);
    NAME(divide)(m - 1, x + PARTS, (number){alpha.re - beta, alpha.im});
    NAME(put)(x, (number){beta, 0});
    return (number){(beta - alpha.re) / beta, -alpha.im / beta};
}

static CALLS void NAME(reflect)(int64_t m, int64_t n, void *matrix, int64_t ld, void *scale)
{
    T *const a = matrix, *const tau = scale, one[2] = {1, 0};
    for (int64_t j = 0; j < n && j < m; j++) {
        T *const v = a + (j * ld + j) * PARTS, *const own = tau + j * PARTS;
        T beta[2], by[2];
        NAME(put)(own, NAME(reflector)(m - j, v));
        const number t = NAME(get)(own);
        if (t.re == 0 && t.im == 0)
            continue;
        memcpy(beta, v, PARTS * sizeof(T));
        memcpy(v, one, PARTS * sizeof(T));
        for (int64_t p = j + 1; p < n; p++) {
            T *const c = a + (p * ld + j) * PARTS;
            NAME(dot)(m - j, v, c, by);
            const number w = NAME(get)(by); /* times the conjugate of tau */
            NAME(put)(by, (number){t.re * w.re + t.im * w.im, t.re * w.im - t.im * w.re});
            NAME(update)(m - j, c, v, 0, 1, by, 1, false);
        }
        memcpy(v, beta, PARTS * sizeof(T));
    }
}

/* The upper triangle t, row by row, of H1 H2 ... Hn = I - V t V^H; the columns of V have their ones and zeros.
 * R. Schreiber, C. Van Loan, SIAM J. Sci. Stat. Comput. 10 (1989), 53. */
static CALLS void NAME(join)(int64_t m, int64_t n, const void *reflectors, int64_t ld, const void *scale, void *joined)
{
    const T *const v = reflectors, *const tau = scale;
    T *const t = joined;
    memset(t, 0, (size_t)(n * n) * PARTS * sizeof(T));
    for (int64_t i = 0; i < n; i++) {
        const number own = NAME(get)(tau + i * PARTS);
        for (int64_t p = 0; p < i; p++) /* column i first holds V^H v */
            NAME(dot)(m - i, v + (p * ld + i) * PARTS, v + (i * ld + i) * PARTS, t + (p * n + i) * PARTS);
        for (int64_t p = 0; p < i; p++) {
            number sum = {0, 0};
            for (int64_t q = p; q < i; q++) {
                const number x = NAME(get)(t + (p * n + q) * PARTS), y = NAME(get)(t + (q * n + i) * PARTS);
                ONE_BY_ONE();
                sum.re += x.re * y.re - x.im * y.im;
                sum.im += x.re * y.im + x.im * y.re;
            }
            NAME(put)
            (t + (p * n + i) * PARTS, (number){-(own.re * sum.re - own.im * sum.im), -(own.re * sum.im + own.im * sum.re)});
        }
        NAME(put)(t + (i * n + i) * PARTS, own);
    }
}
