/*
 * scan.c - running folds along lines, or row after row of columns.
 *
 * Floats are added in the order of the CPU's (src/backend/cpu/kernels/fold_scan.c): a part of 64 bytes is scanned by doubling,
 * a group is four parts, a block 4096 elements; what came before a group is one number, for f32 sums in f64. All else is exact
 * in any order, or a function whose elements keep theirs, and goes one by one. A work-item takes a block, or where there are
 * lines enough a line; with SHARED_BLOCKS blocks start from what `totals` and `carries` found.
 *
 * The axes of the walk are GROUPS that tell lines apart, FOLDED along which they run and COLUMNS. DOUBLING: floats' sums and
 * products; VECTORS: of one number, where the language has vectors; DIRECT: those lie in memory as they are.
 */
enum { BLOCK = 4096, PART = sizeof(T0) == 8 ? 8 : 16, PARTS = 4, GROUP_SIZE = PART * PARTS, STRANDS = 16 };

typedef struct params {
    walk w;
    u64 init[2];
    index items, blocks, length, width;
} params;

typedef struct carried {
    W0 x0;
    W1 x1;
} carried;

/* Element i of a line gets its result. */
FN void write(MEMORY, const index *at, index i, const walk *w, T0 x0, T1 x1)
{
    index b[SPANS];
    copy_at(b, at);
#if FOLDED <= 1
    b[0] += i * STEP0;
#else
    move_to(b, i, GROUPS, RANK, w);
#endif
    store(PASSED, b, x0, x1);
}

/* What a line starts from, and what an exclusive one shows first. A function without init starts from nothing. */
#if INIT
#define START0(P) ((const T0 *)(P)->init)[0]
#define START1(P) ((const T0 *)(P)->init)[1]
#else
#define START0(P) NEUTRAL0
#define START1(P) NEUTRAL1
#endif
#define BEGUN (INIT || !FUNCTION)

#if COLUMNS
/* ---- columns: an item is TILE of them */
KERNEL(columns, LOCAL)(MEMORY, const params p)
{
    const walk *const w = &p.w;
    const index item = (index)GROUP(0) * LOCAL + (index)LOCAL_ID;
    if (item < p.items) {
        const index tiles = (p.width + TILE - 1) / TILE, group = item / tiles, column = item % tiles * TILE;
        const int mine = p.width - column < TILE ? (int)(p.width - column) : TILE;
        W0 s0[TILE];
        W1 s1[SECONDS(TILE)];
        T0 x0[TILE];
        T1 x1[SECONDS(TILE)];
        index at[SPANS];
        begin_at(at, w);
        move_to(at, group, 0, GROUPS, w);
        for (int j = 0; j < TILE; j++) {
            s0[j] = (W0)START0(&p);
            s1[K(j)] = (W1)START1(&p);
        }
        for (index row = 0; row < p.length; row++) {
            index row_at[SPANS];
            copy_at(row_at, at);
            move_to(row_at, row, GROUPS, GROUPS + FOLDED, w);
            /* three loops, for the compiler cannot know that results do not lie where elements are read */
            for (int j = 0; j < mine; j++) {
#if COLUMNS == 1
                VALUE(row_at, column + j, &x0[j], &x1[K(j)]);
#else
                index b[SPANS];
                copy_at(b, row_at);
                move_to(b, column + j, GROUPS + FOLDED, RANK, w);
                VALUE(b, 0, &x0[j], &x1[K(j)]);
#endif
            }
            for (int j = 0; j < mine; j++) {
#if EXCLUSIVE
                const T0 old0 = row == 0 && !INIT ? (T0)(SHOWN0) : (T0)s0[j];
                const T1 old1 = row == 0 && !INIT ? (T1)(SHOWN0) : (T1)s1[K(j)];
#endif
                if (BEGUN || row > 0) {
                    FOLD_W(s0[j], s1[K(j)], (W0)x0[j], (W1)x1[K(j)]);
                } else {
                    s0[j] = (W0)x0[j];
                    s1[K(j)] = (W1)x1[K(j)];
                }
#if EXCLUSIVE
                x0[j] = old0;
                x1[K(j)] = old1;
#else
                x0[j] = (T0)s0[j];
                x1[K(j)] = (T1)s1[K(j)];
#endif
            }
            for (int j = 0; j < mine; j++) {
                index to[SPANS];
                copy_at(to, row_at);
#if COLUMNS == 1
                to[0] += (column + j) * STEP0;
#else
                move_to(to, column + j, GROUPS + FOLDED, RANK, w);
#endif
                store(PASSED, to, x0[j], x1[K(j)]);
            }
        }
    }
}
#else

/* ---- lines */

#if DOUBLING && !GROUPED
/* The sum of a group: neighbours in pairs. */
FN void group_total(T0 *v0, T1 *v1)
{
    for (int m = GROUP_SIZE / 2; m > 0; m /= 2)
        for (int j = 0; j < m; j++) {
            T0 x0 = v0[2 * j];
            T1 x1 = v1[K(2 * j)];
            FOLD_T(x0, x1, v0[2 * j + 1], v1[K(2 * j + 1)]);
            v0[j] = x0;
            v1[K(j)] = x1;
        }
}
#endif

#if !GROUPED
/* The fold of a whole block. */
#if SHARED_BLOCKS
FN void block_total(MEMORY, const index *at, index from, const params *p, W0 *t0, W1 *t1)
{
    const walk *const w = &p->w;
#if DOUBLING
    *t0 = (W0)NEUTRAL0;
    *t1 = (W1)NEUTRAL1;
    for (index k = 0; k < BLOCK; k += GROUP_SIZE) {
#if DIRECT
        const T0 x0 = TREE(LOAD(0, SOURCE(from + k))), x1 = TREE(LOAD(1, SOURCE(from + k)));
        const T0 x2 = TREE(LOAD(2, SOURCE(from + k))), x3 = TREE(LOAD(3, SOURCE(from + k)));
        FOLD_W(*t0, *t1, (W0)((x0 OPERATOR x1) OPERATOR(x2 OPERATOR x3)), 0);
#else
        T0 v0[GROUP_SIZE];
        T1 v1[SECONDS(GROUP_SIZE)];
        for (int j = 0; j < GROUP_SIZE; j++)
            read(PASSED, at, from + k + j, w, &v0[j], &v1[K(j)]);
        group_total(v0, v1);
        FOLD_W(*t0, *t1, (W0)v0[0], (W1)v1[0]);
#endif
    }
#elif FUNCTION
    T0 s0 = 0, x0 = 0;
    T1 s1 = 0, x1 = 0;
    read(PASSED, at, from, w, &s0, &s1);
    for (index k = 1; k < BLOCK; k++) {
        read(PASSED, at, from + k, w, &x0, &x1);
        FOLD_T(s0, s1, x0, x1);
    }
    *t0 = (W0)s0;
    *t1 = (W1)s1;
#else
    T0 a0[STRANDS], x0 = 0;
    T1 a1[SECONDS(STRANDS)], x1 = 0;
    for (int j = 0; j < STRANDS; j++) {
        a0[j] = NEUTRAL0;
        a1[K(j)] = NEUTRAL1;
    }
    for (index k = 0; k < BLOCK; k += STRANDS)
        for (int j = 0; j < STRANDS; j++) {
            read(PASSED, at, from + k + j, w, &x0, &x1);
            FOLD_T(a0[j], a1[K(j)], x0, x1);
        }
    for (int j = 1; j < STRANDS; j++)
        FOLD_T(a0[0], a1[0], a0[j], a1[K(j)]);
    *t0 = (W0)a0[0];
    *t1 = (W1)a1[0];
#endif
}

KERNEL(totals, LOCAL)(MEMORY, G char *memory, const params p)
{
    const index item = (index)GROUP(0) * LOCAL + (index)LOCAL_ID, line = item / p.blocks, b = item % p.blocks;
    if (item < p.items && b < p.blocks - 1) { /* nothing follows the last */
        W0 t0 = 0;
        W1 t1 = 0;
        index at[SPANS];
        begin_at(at, &p.w);
        move_to(at, line, 0, GROUPS, &p.w);
        block_total(PASSED, at, b * BLOCK, &p, &t0, &t1);
        ((G carried *)memory)[item].x0 = t0;
        ((G carried *)memory)[item].x1 = t1;
    }
}

/* Totals become what each block starts from; that of the first is the line's own start. */
KERNEL(carries, LOCAL)(MEMORY, G char *memory, const params p)
{
    const index line = (index)GROUP(0) * LOCAL + (index)LOCAL_ID;
    if (line < p.items) {
        G carried *const c = (G carried *)memory + line * p.blocks;
        W0 s0 = (W0)START0(&p);
        W1 s1 = (W1)START1(&p);
        int begun = BEGUN;
        for (index b = 0; b < p.blocks; b++) {
            const W0 t0 = c[b].x0;
            const W1 t1 = c[b].x1;
            c[b].x0 = s0;
            c[b].x1 = s1;
            if (begun) {
                FOLD_W(s0, s1, t0, t1);
            } else {
                s0 = t0;
                s1 = t1;
            }
            begun = 1;
        }
    }
}
#endif

/* One block of n elements. c: the fold of what came before, if `begun`, and then of the block too. */
FN void scan_block(MEMORY, const index *at, index from, index n, const params *p, W0 *c0, W1 *c1, int begun)
{
    const walk *const w = &p->w;
    T0 last0 = (T0)*c0; /* for the place behind it, where exclusive; written when that has been read */
    T1 last1 = (T1)*c1;
#if EXCLUSIVE && !INIT
    if (from == 0) {
        last0 = SHOWN0;
        last1 = SHOWN0;
    }
#endif
#if DOUBLING
    W0 t0 = (W0)NEUTRAL0;
    W1 t1 = (W1)NEUTRAL1;
    for (index k = 0; k < n; k += GROUP_SIZE) {
#if DIRECT
        if (n - k >= GROUP_SIZE) {
            W0 start0 = *c0;
            FOLD_W(start0, *c1, t0, t1);
            const V q0 = DOUBLED(LOAD(0, SOURCE(from + k))), q1 = DOUBLED(LOAD(1, SOURCE(from + k)));
            const V q2 = DOUBLED(LOAD(2, SOURCE(from + k))), q3 = DOUBLED(LOAD(3, SOURCE(from + k)));
            const T0 e0 = LAST(q0), e01 = e0 OPERATOR LAST(q1), e012 = e01 OPERATOR LAST(q2), b0 = (T0)start0;
            STORE(b0 OPERATOR q0, 0, TARGET(from + k));
            STORE((b0 OPERATOR e0) OPERATOR q1, 1, TARGET(from + k));
            STORE((b0 OPERATOR e01) OPERATOR q2, 2, TARGET(from + k));
            STORE((b0 OPERATOR e012) OPERATOR q3, 3, TARGET(from + k));
            FOLD_W(t0, t1, (W0)(e01 OPERATOR(LAST(q2) OPERATOR LAST(q3))), 0);
            continue;
        }
#endif
        const int m = n - k < GROUP_SIZE ? (int)(n - k) : GROUP_SIZE;
        T0 v0[GROUP_SIZE];
        T1 v1[SECONDS(GROUP_SIZE)];
        W0 so_far0 = *c0;
        W1 so_far1 = *c1;
        FOLD_W(so_far0, so_far1, t0, t1);
        if (m == GROUP_SIZE) {
            for (int j = 0; j < GROUP_SIZE; j++)
                read(PASSED, at, from + k + j, w, &v0[j], &v1[K(j)]);
        } else {
            for (int j = 0; j < GROUP_SIZE; j++) {
                v0[j] = NEUTRAL0;
                v1[K(j)] = NEUTRAL1;
            }
            for (int j = 0; j < m; j++)
                read(PASSED, at, from + k + j, w, &v0[j], &v1[K(j)]);
        }
        T0 all0, before0 = (T0)so_far0;
#if VECTORS
        V q0 = DOUBLED(LOAD(0, v0)), q1 = DOUBLED(LOAD(1, v0)), q2 = DOUBLED(LOAD(2, v0)), q3 = DOUBLED(LOAD(3, v0));
        const T0 e0 = LAST(q0), e01 = e0 OPERATOR LAST(q1), e012 = e01 OPERATOR LAST(q2);
        all0 = e01 OPERATOR(LAST(q2) OPERATOR LAST(q3));
        STORE(before0 OPERATOR q0, 0, v0);
        STORE((before0 OPERATOR e0) OPERATOR q1, 1, v0);
        STORE((before0 OPERATOR e01) OPERATOR q2, 2, v0);
        STORE((before0 OPERATOR e012) OPERATOR q3, 3, v0);
        FOLD_W(t0, t1, (W0)all0, (W1)0);
#else
        T0 b0[PARTS], e0[PARTS];
        T1 all1, before1 = (T1)so_far1, b1[PARTS], e1[PARTS];
        for (int s = 1; s < PART; s *= 2)
            for (int j = GROUP_SIZE - 1; j > 0; j--)
                if (j % PART >= s) {
                    T0 x0 = v0[j - s];
                    T1 x1 = v1[K(j - s)];
                    FOLD_T(x0, x1, v0[j], v1[K(j)]);
                    v0[j] = x0;
                    v1[K(j)] = x1;
                }
        for (int m_part = 0; m_part < PARTS; m_part++) {
            e0[m_part] = v0[m_part * PART + PART - 1];
            e1[m_part] = v1[K(m_part * PART + PART - 1)];
        }
        T0 e01 = e0[0], e012, b = e0[2];
        T1 f01 = e1[0], f012, f = e1[2];
        FOLD_T(e01, f01, e0[1], e1[1]);
        e012 = e01, f012 = f01;
        FOLD_T(e012, f012, e0[2], e1[2]);
        FOLD_T(b, f, e0[3], e1[3]);
        all0 = e01, all1 = f01;
        FOLD_T(all0, all1, b, f);
        for (int m_part = 0; m_part < PARTS; m_part++)
            b0[m_part] = before0, b1[m_part] = before1;
        FOLD_T(b0[1], b1[1], e0[0], e1[0]);
        FOLD_T(b0[2], b1[2], e01, f01);
        FOLD_T(b0[3], b1[3], e012, f012);
        for (int j = 0; j < GROUP_SIZE; j++) {
            T0 x0 = b0[j / PART];
            T1 x1 = b1[j / PART];
            FOLD_T(x0, x1, v0[j], v1[K(j)]);
            v0[j] = x0;
            v1[K(j)] = x1;
        }
        FOLD_W(t0, t1, (W0)all0, (W1)all1);
#endif
#if EXCLUSIVE
        write(PASSED, at, from + k, w, last0, last1);
        for (int j = 1; j < m; j++)
            write(PASSED, at, from + k + j, w, v0[j - 1], v1[K(j - 1)]);
        last0 = v0[m - 1];
        last1 = v1[K(m - 1)];
#else
        for (int j = 0; j < m; j++)
            write(PASSED, at, from + k + j, w, v0[j], v1[K(j)]);
#endif
    }
    FOLD_W(*c0, *c1, t0, t1);
#else
    T0 s0 = (T0)*c0, x0 = 0;
    T1 s1 = (T1)*c1, x1 = 0;
    for (index k = 0; k < n; k++) {
        read(PASSED, at, from + k, w, &x0, &x1);
        if (begun || k > 0) {
            FOLD_T(s0, s1, x0, x1);
        } else {
            s0 = x0;
            s1 = x1;
        }
#if EXCLUSIVE
        write(PASSED, at, from + k, w, last0, last1);
        last0 = s0;
        last1 = s1;
#else
        write(PASSED, at, from + k, w, s0, s1);
#endif
    }
    *c0 = (W0)s0;
    *c1 = (W1)s1;
#endif
}

KERNEL(lines, LOCAL)(MEMORY, MORE_MEMORY const params p)
{
    const index item = (index)GROUP(0) * LOCAL + (index)LOCAL_ID;
    if (item < p.items) {
        const index line = SHARED_BLOCKS ? item / p.blocks : item;
        W0 c0 = (W0)START0(&p);
        W1 c1 = (W1)START1(&p);
        index at[SPANS];
        begin_at(at, &p.w);
        move_to(at, line, 0, GROUPS, &p.w);
#if SHARED_BLOCKS
        const index from = item % p.blocks * BLOCK, n = p.length - from < BLOCK ? p.length - from : BLOCK;
        c0 = ((G const carried *)memory)[item].x0;
        c1 = ((G const carried *)memory)[item].x1;
        scan_block(PASSED, at, from, n, &p, &c0, &c1, BEGUN || from > 0);
#else
        for (index from = 0; from < p.length; from += BLOCK)
            scan_block(PASSED, at, from, p.length - from < BLOCK ? p.length - from : BLOCK, &p, &c0, &c1, BEGUN || from > 0);
#endif
    }
}
#endif /* !GROUPED: else scan_groups.c */
#endif
