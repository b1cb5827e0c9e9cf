/*
 * reduce.c - folds along axes, in the order of operations of the CPU's (src/backend/cpu/reduce.c): 128 lanes, blocks of 32
 * rows of them, blocks joined pairwise.
 *
 * A team of TEAM work-items has LANES lanes each: one work-item with all of them on a processor, where the compiler makes
 * vectors of the loops over lanes; or 32 with four each, or 128 with one, whose lanes meet between them first. The axes of the
 * walk are GROUPS kept ones, FOLDED folded ones, then COLUMNS kept ones and RUN folded ones, of which either may be none. With
 * BLOCKED, what a team folded is a partial result for `join`.
 */
enum { WIDTH = TEAM * LANES, BLOCK = 4096, WAYS = 8 };

typedef struct params {
    walk w;
    u64 init[2];
    index items, each;          /* to be shared out; how many of them, or of blocks, a team does */
    index blocks;               /* of an output: partial results */
    index length;               /* elements of an output, or rows */
    index width, lanes, tiles;  /* columns; rows that are folded side by side; tiles of columns */
    index run;                  /* elements of a run inside a column */
} params;

typedef struct partial {
    W0 x0;
#if PLANES == 2
    W1 x1;
#endif
} partial;

FN void put_partial(G char *memory, index number, W0 x0, W1 x1)
{
    G partial *const to = (G partial *)memory + number;
    to->x0 = x0;
#if PLANES == 2
    to->x1 = x1;
#endif
}

/* Halves: lane j with j + h. The result is in lane 0. */
#define FOLD_HALVES(FROM)                                                \
    for (int h = (FROM) / 2; h > 0; h /= 2)                              \
        for (int j = 0; j < h; j++)                                      \
            FOLD_T(a0[j], a1[K(j)], a0[j + h], a1[K(j + h)]);

#if TEAM > 1
#define TEAM_MEMORY(N) \
    SHARED(T0, s0, N); \
    SECOND(SHARED(T1, s1, N))
#define TEAM_FIRST ((index)(LOCAL_ID % TEAM) * LANES)
#define TEAM_NUMBER ((index)GROUP(0) * (LOCAL / TEAM) + (index)(LOCAL_ID / TEAM))
#else
#define TEAM_MEMORY(N)
#define TEAM_FIRST 0
#define TEAM_NUMBER ((index)GROUP(0) * LOCAL + (index)LOCAL_ID)
#endif

/* for J = 0 .. N - 1; IN_REGISTERS: where no variable can index, over all LANES, which are few. */
#if IN_REGISTERS
#define EACH_LANE(J, N) UNROLL for (int J = 0; J < LANES; J++) if (J < (N))
#else
#define EACH_LANE(J, N) for (int J = 0; J < (N); J++)
#endif

/* ---- short runs, side by side: an item is an output, and SIDE of them are folded at once */
#if KIND == SHORTS
KERNEL(shorts, LOCAL)(MEMORY, const params p)
{
    const walk *const w = &p.w;
    const index first = TEAM_NUMBER * p.each, end = first + p.each < p.items ? first + p.each : p.items;
    for (index item = first; item < end; item += SIDE) {
        const int m = end - item < SIDE ? (int)(end - item) : SIDE, n = (int)p.length;
        T0 a0[LANES * SIDE];
        T1 a1[SECONDS(LANES * SIDE)];
        for (int j = IN_REGISTERS ? 0 : n * SIDE; j < LANES * SIDE; j++) {
            a0[j] = NEUTRAL0;
            a1[K(j)] = NEUTRAL1;
        }
        EACH_LANE(j, n)
            for (int q = 0; q < SIDE; q++) {
                index at[SPANS];
                begin_at(at, w);
                move_to(at, q < m ? item + q : item, 0, GROUPS, w);
                read(PASSED, at, j, w, &a0[j * SIDE + q], &a1[K(j * SIDE + q)]);
            }
        for (int h = LANES / 2; h > 0; h /= 2)
            for (int j = 0; j < h * SIDE; j++)
                FOLD_T(a0[j], a1[K(j)], a0[j + h * SIDE], a1[K(j + h * SIDE)]);
        for (int q = 0; q < m; q++) {
            index at[SPANS];
            begin_at(at, w);
            move_to(at, item + q, 0, GROUPS, w);
            finish(PASSED, at, a0[q], a1[K(q)], p.init);
        }
    }
}
#endif

/* ---- runs: an item is a block of an output, or all of it */
#if KIND == RUNS
KERNEL(runs, LOCAL)(MEMORY, MORE_MEMORY const params p)
{
    TEAM_MEMORY(SWAP_ROOM(TEAM, TEAM))
    const walk *const w = &p.w;
    const index first = TEAM_NUMBER * p.each, end = first + p.each < p.items ? first + p.each : p.items;
    for (index item = first; item < end; item++) {
        const index output = BLOCKED ? item / p.blocks : item, from = BLOCKED ? item % p.blocks * BLOCK : 0;
        const index rest = p.length - from, n = BLOCKED && rest > BLOCK ? BLOCK : rest;
        index at[SPANS];
        T0 a0[LANES], x0 = 0;
        T1 a1[SECONDS(LANES)], x1 = 0;
        begin_at(at, w);
        move_to(at, output, 0, GROUPS, w);
        if (n < WIDTH) {
            const index mine = n - TEAM_FIRST < 0 ? 0 : n - TEAM_FIRST < LANES ? n - TEAM_FIRST : LANES;
            for (int j = IN_REGISTERS ? 0 : mine; j < LANES; j++) {
                a0[j] = NEUTRAL0;
                a1[K(j)] = NEUTRAL1;
            }
            EACH_LANE(j, mine)
                read(PASSED, at, from + TEAM_FIRST + j, w, &a0[j], &a1[K(j)]);
        } else {
            index k = WIDTH;
#if FOURS
            T0 x[4];
            LOAD_4(a0, SOURCE(from + TEAM_FIRST));
            UNROLL_SOME
            for (; k + WIDTH <= n; k += WIDTH) {
                LOAD_4(x, SOURCE(from + k + TEAM_FIRST));
                for (int j = 0; j < 4; j++)
                    FOLD_LATER(a0[j], a1[0], x[j], x1);
            }
#else
            for (int j = 0; j < LANES; j++)
                read(PASSED, at, from + TEAM_FIRST + j, w, &a0[j], &a1[K(j)]);
            for (; k + WIDTH <= n; k += WIDTH)
                for (int j = 0; j < LANES; j++) {
                    read(PASSED, at, from + k + TEAM_FIRST + j, w, &x0, &x1);
                    FOLD_LATER(a0[j], a1[K(j)], x0, x1);
                }
#endif
            EACH_LANE(j, n - k - TEAM_FIRST < LANES ? n - k - TEAM_FIRST : LANES) {
                read(PASSED, at, from + k + TEAM_FIRST + j, w, &x0, &x1);
                FOLD_T(a0[j], a1[K(j)], x0, x1);
            }
        }
#if TEAM > 1
        UNROLL_TAKING
        for (int h = TEAM / 2; h > 0; h /= 2)
            for (int j = 0; j < LANES; j++) {
                TAKE_ABOVE(x0, s0, a0[j], h, TEAM);
#if PLANES == 2
                TAKE_ABOVE(x1, s1, a1[j], h, TEAM);
#endif
                FOLD_T(a0[j], a1[K(j)], x0, x1);
            }
#endif
        FOLD_HALVES(LANES)
#if TEAM > 1
        if (LOCAL_ID % TEAM == 0)
#endif
        {
#if BLOCKED
            put_partial(partials, item, a0[0], a1[0]);
#else
            finish(PASSED, at, a0[0], a1[0], p.init);
#endif
        }
    }
}
#endif

/* ---- columns: an item is a segment of the blocks of a tile of columns */
#if KIND == TILES || KIND == DENSE || KIND == SCATTERED

/* The value in one row of a column: an element, or a short run of them. */
FN void cell(MEMORY, const index *at, index row, index column, const params *p, T0 *x0, T1 *x1)
{
    const walk *const w = &p->w;
    index b[SPANS];
    copy_at(b, at);
    move_to(b, row, GROUPS, GROUPS + FOLDED, w);
#if RUN
    T0 a0[RUN_LANES];
    T1 a1[SECONDS(RUN_LANES)];
    move_to(b, column, GROUPS + FOLDED, GROUPS + FOLDED + COLUMNS, w);
    for (int j = 0; j < RUN_LANES; j++) {
        a0[j] = NEUTRAL0;
        a1[K(j)] = NEUTRAL1;
        if (j < p->run) {
            index c[SPANS];
            copy_at(c, b);
            move_to(c, j, GROUPS + FOLDED + COLUMNS, RANK, w);
            VALUE(c, 0, &a0[j], &a1[K(j)]);
        }
    }
    FOLD_HALVES(RUN_LANES)
    *x0 = a0[0];
    *x1 = a1[0];
#elif COLUMNS == 1
    VALUE(b, column, x0, x1);
#else
    move_to(b, column, GROUPS + FOLDED, RANK, w);
    VALUE(b, 0, x0, x1);
#endif
#if ARG
    *x1 = row;
#endif
}

/* Number l of pattern k of the block whose rows begin at `from`. */
FN void read_cell(MEMORY, const index *at, const index *block_at, index from, index k, index l, index column, index w_tile,
                  const params *p, T0 *x0, T1 *x1)
{
#if KIND == TILES
    cell(PASSED, at, from + k, column + l, p, x0, x1);
#elif KIND == DENSE
    const walk *const w = &p->w;
    VALUE(block_at, k * (p->lanes * w_tile) + l, x0, x1);
#if ARG
    *x1 = from + k * p->lanes + l / w_tile;
#endif
#else
    cell(PASSED, at, from + k * p->lanes + l / w_tile, l % w_tile, p, x0, x1);
#endif
}

KERNEL(columns, LOCAL)(MEMORY, MORE_MEMORY const params p)
{
    TEAM_MEMORY(TEAM)
    const walk *const w = &p.w;
    const index item = TEAM_NUMBER, tile = item % p.tiles, unit = item / p.tiles, segment = unit % p.blocks;
    const index group = unit / p.blocks;
    const index column = tile * WIDTH, wide = p.width - column < WIDTH ? p.width - column : WIDTH;
    const index pattern = p.lanes * wide, block_rows = 32 * p.lanes, begin = segment * p.each * block_rows;
    const index end = begin + p.each * block_rows < p.length ? begin + p.each * block_rows : p.length;
    const index mine = pattern - TEAM_FIRST < 0 ? 0 : pattern - TEAM_FIRST < LANES ? pattern - TEAM_FIRST : LANES;
    index at[SPANS], block_at[SPANS];
    T0 a0[LANES], x0 = 0;
    T1 a1[SECONDS(LANES)], x1 = 0;
    W0 level0[LEVELS * LANES];
    W1 level1[SECONDS(LEVELS * LANES)];
    int depth = 0, count = 0;
    begin_at(at, w);
    move_to(at, group, 0, GROUPS, w);
    for (index from = begin; from < end; from += block_rows) {
        const index n = (end - from < block_rows ? end - from : block_rows) * wide;
        index k = 1;
        copy_at(block_at, at);
        move_to(block_at, from, GROUPS, GROUPS + FOLDED, w);
        for (int j = 0; j < LANES; j++) {
            a0[j] = NEUTRAL0;
            a1[K(j)] = NEUTRAL1;
        }
        if (n < pattern)
            k = 0; /* fewer rows than lanes */
        else
            for (int j = 0; j < mine; j++)
                read_cell(PASSED, at, block_at, from, 0, TEAM_FIRST + j, column, wide, &p, &a0[j], &a1[K(j)]);
        for (; (k + 1) * pattern <= n; k++)
            for (int j = 0; j < mine; j++) {
                read_cell(PASSED, at, block_at, from, k, TEAM_FIRST + j, column, wide, &p, &x0, &x1);
                FOLD_LATER(a0[j], a1[K(j)], x0, x1);
            }
        for (int j = 0; j < mine && k * pattern + TEAM_FIRST + j < n; j++) {
            read_cell(PASSED, at, block_at, from, k, TEAM_FIRST + j, column, wide, &p, &x0, &x1);
            FOLD_T(a0[j], a1[K(j)], x0, x1);
        }
#if TEAM > 1 && KIND != TILES
        BARRIER;
        s0[LOCAL_ID] = a0[0];
        SECOND(s1[LOCAL_ID] = a1[0])
        BARRIER;
        for (index h = p.lanes / 2; h > 0; h /= 2) {
            if (TEAM_FIRST < h * wide) {
                a0[0] = s0[LOCAL_ID], x0 = s0[LOCAL_ID + h * wide];
                SECOND(a1[0] = s1[LOCAL_ID])
                SECOND(x1 = s1[LOCAL_ID + h * wide])
                FOLD_T(a0[0], a1[0], x0, x1);
                s0[LOCAL_ID] = a0[0];
                SECOND(s1[LOCAL_ID] = a1[0])
            }
            BARRIER;
        }
#else
        for (index h = p.lanes / 2; h > 0; h /= 2)
            for (index j = 0; j < h * wide; j++)
                FOLD_T(a0[j], a1[K(j)], a0[j + h * wide], a1[K(j + h * wide)]);
#endif
        /* the carries of a binary counter: level k holds the join of 2^k blocks */
        for (int j = 0; j < LANES; j++) {
            level0[depth * LANES + j] = a0[j];
            level1[K(depth * LANES + j)] = a1[K(j)];
        }
        depth++;
        for (int carry = count++; carry & 1; carry >>= 1, depth--)
            for (int j = 0; j < LANES; j++)
                FOLD_W(level0[(depth - 2) * LANES + j], level1[K((depth - 2) * LANES + j)], level0[(depth - 1) * LANES + j],
                       level1[K((depth - 1) * LANES + j)]);
    }
    for (; depth > 1; depth--)
        for (int j = 0; j < LANES; j++)
            FOLD_W(level0[(depth - 2) * LANES + j], level1[K((depth - 2) * LANES + j)], level0[(depth - 1) * LANES + j],
                   level1[K((depth - 1) * LANES + j)]);
    for (int j = 0; j < LANES && TEAM_FIRST + j < wide; j++)
        put_partial(partials, (group * p.blocks + segment) * p.width + column + TEAM_FIRST + j, level0[j], level1[K(j)]);
}
#endif

/* ---- by a function: an item is a chunk of an output, whose elements keep their order */
#if KIND == CHUNKS
KERNEL(chunks, LOCAL)(MEMORY, MORE_MEMORY const params p)
{
    const walk *const w = &p.w;
    const index item = TEAM_NUMBER, outputs = p.items / p.blocks;
    if (item < p.items) {
        const index output = item % outputs, chunk = item / outputs, from = chunk * p.each;
        const index n = p.length - from < p.each ? p.length - from : p.each;
        index at[SPANS];
        T0 a0[WAYS], x0 = 0;
        T1 a1[SECONDS(WAYS)], x1 = 0;
        begin_at(at, w);
        move_to(at, output, 0, GROUPS, w);
        if (n % WAYS == 0 && n > 0) { /* as many chains at once */
            const index q = n / WAYS;
            for (int j = 0; j < WAYS; j++)
                read(PASSED, at, from + j * q, w, &a0[j], &a1[K(j)]);
            for (index i = 1; i < q; i++)
                for (int j = 0; j < WAYS; j++) {
                    read(PASSED, at, from + j * q + i, w, &x0, &x1);
                    FOLD_T(a0[j], a1[K(j)], x0, x1);
                }
            for (int h = 1; h < WAYS; h *= 2)
                for (int j = 0; j < WAYS; j += 2 * h)
                    FOLD_T(a0[j], a1[K(j)], a0[j + h], a1[K(j + h)]);
        } else {
            a0[0] = ((const T0 *)p.init)[0]; /* where nothing is read */
            a1[0] = ((const T0 *)p.init)[1];
            read(PASSED, at, from, w, &a0[0], &a1[0]);
            for (index i = 1; i < n; i++) {
                read(PASSED, at, from + i, w, &x0, &x1);
                FOLD_T(a0[0], a1[0], x0, x1);
            }
        }
#if BLOCKED
        put_partial(partials, output * p.blocks + chunk, a0[0], a1[0]);
#else
        finish(PASSED, at, a0[0], a1[0], p.init);
#endif
    }
}
#endif

/* ---- joining: an item is JOINED neighbours of the blocks of an output */
#if BLOCKED
KERNEL(join, JOIN_LOCAL)(MEMORY, G char *partials, G char *to, const params p)
{
    const walk *const w = &p.w;
    const index item = (index)GROUP(0) * JOIN_LOCAL + (index)LOCAL_ID;
    if (item < p.items) {
        const index column = item % p.width, chunks = (p.blocks + JOINED - 1) / JOINED;
        const index chunk = item / p.width % chunks, group = item / p.width / chunks, first = chunk * JOINED;
        const int n = p.blocks - first < JOINED ? (int)(p.blocks - first) : JOINED;
        W0 a0[JOINED];
        W1 a1[SECONDS(JOINED)];
        for (int j = 0; j < n; j++) {
            G const partial *const x = (G const partial *)partials + ((group * p.blocks + first + j) * p.width + column);
            a0[j] = x->x0;
#if PLANES == 2
            a1[j] = x->x1;
#endif
        }
        for (int m = n; m > 1; m = (m + 1) / 2) {
            for (int j = 0; j < m / 2; j++) {
                W0 x0 = a0[2 * j];
                W1 x1 = a1[K(2 * j)];
                FOLD_W(x0, x1, a0[2 * j + 1], a1[K(2 * j + 1)]);
                a0[j] = x0;
                a1[K(j)] = x1;
            }
            if (m % 2) {
                a0[m / 2] = a0[m - 1];
                a1[K(m / 2)] = a1[K(m - 1)];
            }
        }
        if (chunks > 1) {
            put_partial(to, (group * chunks + chunk) * p.width + column, a0[0], a1[0]);
        } else {
            index at[SPANS];
            begin_at(at, w);
            move_to(at, group, 0, GROUPS, w);
            move_to(at, column, GROUPS + FOLDED, GROUPS + FOLDED + COLUMNS, w);
            finish(PASSED, at, a0[0], a1[0], p.init);
        }
    }
}
#endif
