/*
 * gemm_tiles.h - the tiles of a matrix product for one element type: included once for each, with T and NAME(x) defined.
 *
 * The sums of a tile stay in registers from the first product to the last. Each is one chain of multiply-adds in the order of
 * the inner index, whatever the tile, so that the shape of tiles changes no bit of the result.
 */

typedef T NAME(v4) __attribute__((vector_size(VECTOR)));
typedef T NAME(v2) __attribute__((vector_size(VECTOR / 2 > (int)sizeof(T) ? VECTOR / 2 : (int)sizeof(T))));
typedef T NAME(v1) __attribute__((vector_size(VECTOR / 4 > (int)sizeof(T) ? VECTOR / 4 : (int)sizeof(T))));
typedef NAME(v4) NAME(u4) __attribute__((aligned(sizeof(T)), may_alias)); /* at any element's address */
typedef NAME(v2) NAME(u2) __attribute__((aligned(sizeof(T)), may_alias));
typedef NAME(v1) NAME(u1) __attribute__((aligned(sizeof(T)), may_alias));

/* Q: vectors of Q quarters; W of them side by side; R rows. */
#define DEFINE_TILE(HIGH, Q, W, R)                                       \
    static void NAME(tile_##HIGH##_##Q##x##W)(const ash__tile *t)        \
    {                                                                    \
        enum { LANES = sizeof(NAME(v##Q)) / sizeof(T) };                 \
        const T *a = t->a, *b = t->b;                                    \
        const int64_t a_row = t->a_row, a_col = t->a_col;                \
        const int64_t b_row = t->b_row;                                  \
        NAME(v##Q) sum[R][W] = {0};                                      \
        for (int64_t k = t->inner; k > 0; k--, a += a_col, b += b_row) { \
            NAME(v##Q) x[W];                                             \
            EACH(w, W) x[w] = *(const NAME(u##Q) *)(b + w * LANES);      \
            EACH(r, R) EACH(w, W) sum[r][w] += a[r * a_row] * x[w];      \
        }                                                                \
        T *const c = t->c;                                               \
        const int64_t c_row = t->c_row;                                  \
        if (t->alpha) {                                                  \
            const T alpha = *(const T *)t->alpha;                        \
            NAME(v##Q) scaled[R][W];                                     \
            EACH(r, R) EACH(w, W) scaled[r][w] = alpha * sum[r][w];      \
            ROUNDED(scaled);                                             \
            EACH(r, R) EACH(w, W) sum[r][w] = scaled[r][w];              \
        }                                                                \
        if (t->add)                                                      \
            EACH(r, R) EACH(w, W) sum[r][w] += AT(Q, r, w);              \
        EACH(r, R) EACH(w, W) AT(Q, r, w) = sum[r][w];                   \
    }
#define EACH(i, n) UNROLL for (int i = 0; i < (n); i++)
#define AT(Q, r, w) (*(NAME(u##Q) *)(c + (r)*c_row + (w)*LANES))
#define TILE(HIGH, Q, W) NAME(tile_##HIGH##_##Q##x##W)
#if SMALL_TILES
#define DEFINE_TILES(HIGH, R) \
    DEFINE_TILE(HIGH, 1, 1, R) DEFINE_TILE(HIGH, 2, 1, R) DEFINE_TILE(HIGH, 4, 1, R) DEFINE_TILE(HIGH, 4, 2, R)
DEFINE_TILES(one, 1)
DEFINE_TILES(four, 4)
DEFINE_TILES(tall, HEIGHT)
#define TILES(HIGH) {TILE(HIGH, 1, 1), TILE(HIGH, 2, 1), TILE(HIGH, 4, 1), TILE(HIGH, 4, 2)}
#else
DEFINE_TILE(one, 4, 2, 1)
DEFINE_TILE(tall, 4, 2, HEIGHT)
#endif

/* Tiles that were made apart into rows and columns anywhere: c = alpha tile + beta c. The tile is scaled in place. */
static void NAME(merge)(char *c, int64_t c_row, int64_t c_col, void *tile, int64_t width, int64_t rows, int64_t cols,
                        const void *alpha, const void *beta)
{
    T *s = tile;
    const T times = alpha ? *(const T *)alpha : 1, by = beta ? *(const T *)beta : 0;
    for (int64_t i = 0; i < rows; i++, c += c_row, s += width) {
        for (int64_t j = 0; alpha && j < cols; j++)
            s[j] *= times;
        ROUNDED(*s);
        if (c_col == sizeof(T) && beta)
            for (int64_t j = 0; j < cols; j++)
                ((T *)(void *)c)[j] = s[j] + by * ((T *)(void *)c)[j];
        else if (c_col == sizeof(T))
            memcpy(c, s, (size_t)cols * sizeof(T));
        else
            for (int64_t j = 0; j < cols; j++) {
                T *const to = (T *)(void *)(c + j * c_col);
                *to = beta ? s[j] + by * *to : s[j];
            }
    }
}

/* x times a complex factor; a real one leaves no NaN where a part is infinite. NULL: 1. Out of line, and rarely needed. */
static __attribute__((noinline)) void NAME(scale)(T x[2], const T *factor)
{
    const T re = x[0], im = x[1];
    if (factor) {
        x[0] = factor[1] != 0 ? factor[0] * re - factor[1] * im : factor[0] * re;
        x[1] = factor[1] != 0 ? factor[0] * im + factor[1] * re : factor[0] * im;
    }
}

/* Rows that are only stored, or added to what is there. */
static void NAME(zip)(T *to, const T *re, const T *im, int64_t n, bool add)
{
    if (add)
        for (int64_t j = 0; j < n; j++) {
            to[2 * j] += re[j];
            to[2 * j + 1] += im[j];
        }
    else
        for (int64_t j = 0; j < n; j++) {
            to[2 * j] = re[j];
            to[2 * j + 1] = im[j];
        }
}

/* The same for the planes of complex tiles: c = alpha tile + beta c; alpha NULL: 1. */
static void NAME(merge_complex)(char *c, int64_t c_row, int64_t c_col, const void *re, const void *im, int64_t width,
                                int64_t rows, int64_t cols, const void *alpha, const void *beta)
{
    const T *r = re, *s = im, *const b = beta;
    const bool add = b && b[0] == 1 && b[1] == 0, plain = !alpha && (!b || add) && c_col == 2 * sizeof(T);
    for (int64_t i = 0; i < rows; i++, c += c_row, r += width, s += width) {
        if (plain) {
            NAME(zip)((T *)(void *)c, r, s, cols, add);
            continue;
        }
        for (int64_t j = 0; j < cols; j++) {
            T *const to = (T *)(void *)(c + j * c_col), x[2] = {r[j], s[j]}, y[2] = {0, 0};
            NAME(scale)(x, alpha);
            if (b) {
                y[0] = to[0];
                y[1] = to[1];
                NAME(scale)(y, b);
            }
            to[0] = x[0] + y[0];
            to[1] = x[1] + y[1];
        }
    }
}

/* A line of complex numbers taken apart. */
static void NAME(split)(void *re, void *im, const void *line, int64_t n)
{
    T *const r = re, *const s = im;
    const T *const x = line;
    for (int64_t i = 0; i < n; i++) {
        r[i] = x[2 * i];
        s[i] = x[2 * i + 1];
    }
}

static void NAME(negate)(void *a, int64_t n)
{
    T *const x = a;
    for (int64_t i = 0; i < n; i++)
        x[i] = -x[i];
}

static inline T NAME(total)(const NAME(v4) s[4])
{
    enum { LANES = VECTOR / sizeof(T) };
    const union {
        NAME(v4) whole;
        NAME(v2) half[2];
    } u = {(s[0] + s[1]) + (s[2] + s[3])};
    union {
        NAME(v2) half;
        T lane[LANES / 2];
    } h = {u.half[0] + u.half[1]};
    for (int lanes = LANES / 4; lanes > 0; lanes /= 2)
        for (int i = 0; i < lanes; i++)
            h.lane[i] += h.lane[i + lanes];
    return h.lane[0];
}

/* Element k goes to lane k mod 4 LANES; then the four vectors are added in pairs, and their lanes in halves. */
#define DEFINE_DOTS(R)                                                                                             \
    static inline void NAME(dots_##R)(T * sum, const T *a, int64_t step, const T *b, int64_t n)                    \
    {                                                                                                              \
        enum { LANES = VECTOR / sizeof(T) };                                                                       \
        NAME(v4) s[R][4] = {0};                                                                                    \
        for (; n >= 4 * LANES; n -= 4 * LANES, a += 4 * LANES, b += 4 * LANES)                                     \
            EACH(w, 4)                                                                                             \
            {                                                                                                      \
                const NAME(v4) y = *(const NAME(u4) *)(b + w * LANES);                                             \
                EACH(r, R) s[r][w] += *(const NAME(u4) *)(a + r * step + w * LANES) * y;                           \
            }                                                                                                      \
        EACH(w, 4)                                                                                                 \
        {                                                                                                          \
            const int64_t left = n - w * LANES, m = left < LANES ? left : LANES;                                   \
            if (m > 0) {                                                                                           \
                const NAME(v4) y = (NAME(v4))first_bytes(b + w * LANES, m * (int64_t)sizeof(T));                   \
                EACH(r, R) s[r][w] += (NAME(v4))first_bytes(a + r * step + w * LANES, m * (int64_t)sizeof(T)) * y; \
            }                                                                                                      \
        }                                                                                                          \
        EACH(r, R) sum[r] += NAME(total)(s[r]);                                                                    \
    }
DEFINE_DOTS(1)
#if HEIGHT == 8
DEFINE_DOTS(4)
#endif

static void NAME(dots)(void *sum, const void *A, int64_t step, int64_t rows, const void *b, int64_t n)
{
    const T *a = A;
    T *s = sum;
#if HEIGHT == 8
    for (; rows >= 4; rows -= 4, s += 4, a += 4 * step)
        NAME(dots_4)(s, a, step, b, n);
#endif
    for (; rows > 0; rows--, s++, a += step)
        NAME(dots_1)(s, a, step, b, n);
}

/* Four columns at a time, so that y is read and written less often. */
static void NAME(columns)(void *Y, const void *A, int64_t step, const void *X, int64_t count, int64_t n)
{
    T *const y = Y;
    const T *a = A, *x = X;
    for (; count >= 4; count -= 4, a += 4 * step, x += 4)
        ASH__IVDEP
        for (int64_t i = 0; i < n; i++)
            y[i] = y[i] + a[i] * x[0] + a[step + i] * x[1] + a[2 * step + i] * x[2] + a[3 * step + i] * x[3];
    for (; count > 0; count--, a += step, x++)
        ASH__IVDEP
        for (int64_t i = 0; i < n; i++)
            y[i] += a[i] * x[0];
}

static const T NAME(one)[2] = {1, 0}, NAME(minus_one)[1] = {(T)-1};
static const ash__product_loops NAME(loops) = {
    .item = sizeof(T),
    .one = NAME(one),
    .minus_one = NAME(minus_one),
    .width = {sizeof(NAME(v1)) / sizeof(T), sizeof(NAME(v2)) / sizeof(T), VECTOR / sizeof(T), 2 * VECTOR / sizeof(T)},
    .height = {1, 4, HEIGHT},
#if SMALL_TILES
    .tile = {TILES(one), TILES(four), TILES(tall)},
#else
    .tile = {[0][3] = TILE(one, 4, 2), [2][3] = TILE(tall, 4, 2)},
#endif
    .merge = NAME(merge),
    .merge_complex = NAME(merge_complex),
    .split = NAME(split),
    .negate = NAME(negate),
    .dots = NAME(dots),
    .columns = NAME(columns),
};
#undef DEFINE_DOTS
#undef DEFINE_TILE
#undef DEFINE_TILES
#undef EACH
#undef AT
#undef TILE
#undef TILES
#undef T
#undef NAME
