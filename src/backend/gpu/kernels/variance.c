/*
 * variance.c - means, and squared deviations from them, of blocks of an output; joined pairwise.
 *
 * As on the CPU (src/backend/cpu/variance.c): a block gets a number near its mean, then the sums of deviations from it and of
 * their squares, which also correct the mean. W is f64 where the device has it. The axes of the walk are GROUPS kept ones,
 * FOLDED and COLUMNS kept ones. Without columns LANES share a run, all of one item or, of a TEAM, each of its own; with them
 * each lane has a column.
 */
enum { BLOCK = COLUMNS ? 64 : 4096, JOINED = 64 };

typedef struct params {
    walk w;
    index items, blocks, length, width, tiles;
    W count, divisor; /* of one output: elements, and what the sum of squares is divided by */
} params;

typedef struct moment {
    W n, near, off, squares; /* the mean is near + off */
} moment;

/* Element i of the folded axes in column j. */
FN T element_at(MEMORY, const index *at, index i, index j, const walk *w)
{
    T x;
#if COLUMNS == 0 && FOLDED <= 1
    VALUE(at, i, &x, 0);
#else
    index b[SPANS];
    copy_at(b, at);
    move_to(b, i, GROUPS, GROUPS + FOLDED, w);
#if COLUMNS == 1
    VALUE(b, j, &x, 0);
#else
    move_to(b, j, GROUPS + FOLDED, RANK, w);
    VALUE(b, 0, &x, 0);
#endif
#endif
    return x;
}

FN moment joined(moment a, moment b)
{
    const W n = a.n + b.n, share = b.n / n, d = (b.near - a.near) + (b.off - a.off);
    a.squares += b.squares + d * d * (a.n * share);
    a.off += d * share;
    a.n = n;
    return a;
}

FN moment moment_of(W n, W about, W s, W q)
{
    const W squares = q - s * (s / n);
    const moment m = {n, about, s / n, squares < 0 ? 0 : squares}; /* below 0 by rounding alone */
    return m;
}

#if !EMPTY
#if TEAM > 1
/* A group has a block of an output, and each of its items a lane; sums of lanes are added up as below. */
KERNEL(blocks, TEAM)(MEMORY, G char *memory, const params p)
{
    SHARED(W, sum, TEAM);
    SHARED(W, square, TEAM);
    const walk *const w = &p.w;
    const index item = (index)GROUP(0), from = item % p.blocks * BLOCK;
    const index n = p.length - from < BLOCK ? p.length - from : BLOCK;
    const A inverse = (A)1 / (A)n;
    index at[SPANS];
    A s = 0, q = 0;
    W near = 0, s_all = 0, q_all = 0;
    begin_at(at, w);
    move_to(at, item / p.blocks, 0, GROUPS, w);
    for (index k = (index)LOCAL_ID; k < n; k += TEAM)
        s += (A)element_at(PASSED, at, from + k, 0, w) * inverse; /* a sum might overflow */
    sum[LOCAL_ID] = (W)s;
    BARRIER;
    for (int j = 0; j < TEAM; j++)
        near += sum[j];
    BARRIER;
    const A about = (A)near;
    s = 0;
    for (index k = (index)LOCAL_ID; k < n; k += TEAM) {
        const A d = (A)element_at(PASSED, at, from + k, 0, w) - about;
        s += d;
        q += d * d;
    }
    sum[LOCAL_ID] = (W)s;
    square[LOCAL_ID] = (W)q;
    BARRIER;
    if (LOCAL_ID == 0) {
        for (int j = 0; j < TEAM; j++) {
            s_all += sum[j];
            q_all += square[j];
        }
        ((G moment *)memory)[item] = moment_of((W)n, (W)about, s_all, q_all);
    }
}
#elif COLUMNS == 0
/* An item is a block of an output. A is the type to add in: wide where there is little to add. */
KERNEL(blocks, LOCAL)(MEMORY, G char *memory, const params p)
{
    const walk *const w = &p.w;
    const index item = (index)GROUP(0) * LOCAL + (index)LOCAL_ID;
    if (item < p.items) {
        const index from = item % p.blocks * BLOCK, n = p.length - from < BLOCK ? p.length - from : BLOCK;
        const A inverse = (A)1 / (A)n;
        index at[SPANS];
        A s[LANES], q[LANES];
        W near = 0, s_all = 0, q_all = 0;
        begin_at(at, w);
        move_to(at, item / p.blocks, 0, GROUPS, w);
        for (int j = 0; j < LANES; j++)
            s[j] = q[j] = 0;
        index k = 0;
        for (; k + LANES <= n; k += LANES)
            for (int j = 0; j < LANES; j++)
                s[j] += (A)element_at(PASSED, at, from + k + j, 0, w) * inverse; /* a sum might overflow */
        for (int j = 0; k + j < n; j++)
            s[j] += (A)element_at(PASSED, at, from + k + j, 0, w) * inverse;
        for (int j = 0; j < LANES; j++)
            near += (W)s[j];
        const A about = (A)near;
        for (int j = 0; j < LANES; j++)
            s[j] = q[j] = 0;
        for (k = 0; k + LANES <= n; k += LANES)
            for (int j = 0; j < LANES; j++) {
                const A d = (A)element_at(PASSED, at, from + k + j, 0, w) - about;
                s[j] += d;
                q[j] += d * d;
            }
        for (int j = 0; k + j < n; j++) {
            const A d = (A)element_at(PASSED, at, from + k + j, 0, w) - about;
            s[j] += d;
            q[j] += d * d;
        }
        for (int j = 0; j < LANES; j++) {
            s_all += (W)s[j];
            q_all += (W)q[j];
        }
        ((G moment *)memory)[item] = moment_of((W)n, (W)about, s_all, q_all);
    }
}
#else
/* An item is a block of rows of LANES columns. */
KERNEL(blocks, LOCAL)(MEMORY, G char *memory, const params p)
{
    const walk *const w = &p.w;
    const index item = (index)GROUP(0) * LOCAL + (index)LOCAL_ID;
    if (item < p.items) {
        const index column = item % p.tiles * LANES, block = item / p.tiles % p.blocks, group = item / p.tiles / p.blocks;
        const index from = block * BLOCK, n = p.length - from < BLOCK ? p.length - from : BLOCK;
        const int mine = p.width - column < LANES ? (int)(p.width - column) : LANES;
        const A inverse = (A)1 / (A)n;
        index at[SPANS];
        A about[LANES], s[LANES], q[LANES];
        begin_at(at, w);
        move_to(at, group, 0, GROUPS, w);
        for (int j = 0; j < LANES; j++)
            about[j] = s[j] = q[j] = 0;
        for (index k = 0; k < n; k++)
            for (int j = 0; j < mine; j++)
                about[j] += (A)element_at(PASSED, at, from + k, column + j, w) * inverse;
        for (index k = 0; k < n; k++)
            for (int j = 0; j < mine; j++) {
                const A d = (A)element_at(PASSED, at, from + k, column + j, w) - about[j];
                s[j] += d;
                q[j] += d * d;
            }
        for (int j = 0; j < mine; j++)
            ((G moment *)memory)[(group * p.blocks + block) * p.width + column + j] =
                moment_of((W)n, (W)about[j], (W)s[j], (W)q[j]);
    }
}
#endif
#endif

/* An item is JOINED neighbours of the blocks of an output; none of one that has no elements. */
KERNEL(join, LOCAL)(MEMORY, G char *memory, G char *to, const params p)
{
    const walk *const w = &p.w;
    const index item = (index)GROUP(0) * LOCAL + (index)LOCAL_ID;
    if (item < p.items) {
        const index chunks = p.blocks > JOINED ? (p.blocks + JOINED - 1) / JOINED : 1, column = item % p.width;
        const index chunk = item / p.width % chunks, group = item / p.width / chunks, first = chunk * JOINED;
        const int n = p.blocks - first < JOINED ? (int)(p.blocks - first) : JOINED;
        moment m[JOINED];
        for (int j = 0; j < n; j++)
            m[j] = ((G const moment *)memory)[(group * p.blocks + first + j) * p.width + column];
        for (int h = n; h > 1; h = (h + 1) / 2) {
            for (int j = 0; j < h / 2; j++)
                m[j] = joined(m[2 * j], m[2 * j + 1]);
            if (h % 2)
                m[h / 2] = m[h - 1];
        }
        if (chunks > 1) {
            ((G moment *)to)[(group * chunks + chunk) * p.width + column] = m[0];
        } else {
            index at[SPANS];
            begin_at(at, w);
            move_to(at, group, 0, GROUPS, w);
            move_to(at, column, GROUPS + FOLDED, RANK, w);
            KEEP(n > 0 && p.divisor > 0 ? m[0].squares / p.divisor : (W)NAN)
#if MEAN
            KEEP_MEAN(n > 0 ? m[0].near + m[0].off : (W)NAN)
#endif
        }
    }
}
