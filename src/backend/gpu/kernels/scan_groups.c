/*
 * scan_groups.c - running folds along lines by groups: beside scan.c, for GPUs.
 *
 * Item i of a group has element i of a line, SWEEPS times LOCAL of them in a block, so that neighbours are read together. The
 * order of operations is that of scan.c: parts by doubling, groups of four parts, their totals one after the other, and what
 * came before a block as one number. With SHARED_BLOCKS a group has one block of a line, which starts from what `totals` and
 * `carries` found; or, with LOOK_BACK, from what the blocks before it have published: the nearest one that knew what it starts
 * from, and the totals since, which are folded from there on in their order, whichever block that was. Blocks are numbered as
 * groups begin, so those before one are under way. D. Merrill, M. Garland, Single-pass parallel prefix scan with decoupled
 * look-back, NVIDIA NVR-2016-002.
 */
enum { BLOCK_SIZE = LOCAL * SWEEPS, PARTS_HERE = BLOCK_SIZE / PART, GROUPS_HERE = BLOCK_SIZE / GROUP_SIZE };

typedef struct rooms {
    T0 swap0[SWAP_ROOM(LOCAL, PART)], end0[PARTS_HERE], base0[PARTS_HERE];
    T1 swap1[SECONDS(SWAP_ROOM(LOCAL, PART))], end1[SECONDS(PARTS_HERE)], base1[SECONDS(PARTS_HERE)];
    W0 before0[GROUPS_HERE + 1]; /* the last one: of the whole block */
    W1 before1[SECONDS(GROUPS_HERE + 1)];
    W0 total0[LOCAL];
    W1 total1[SECONDS(LOCAL)];
    index tile;
    u32 nearest;
} rooms;

/* Parts are scanned, groups are totalled, and before gets what comes before each in the block. All items come together. */
FN void scan_parts(MEMORY, const index *at, index from, index n, const walk *w, SHARED_WORD rooms *r, T0 *q0, T1 *q1)
{
    UNROLL_TAKING
    for (int s = 0; s < SWEEPS; s++) {
        const index i = s * LOCAL + (index)LOCAL_ID;
        T0 x0 = NEUTRAL0, y0;
        T1 x1 = NEUTRAL1, y1 = 0;
        if (i < n)
            read(PASSED, at, from + i, w, &x0, &x1);
        UNROLL_TAKING
        for (int d = 1; d < PART; d *= 2) {
            TAKE_BELOW(y0, r->swap0, x0, d, PART);
#if PLANES == 2
            TAKE_BELOW(y1, r->swap1, x1, d, PART);
#endif
            if (LOCAL_ID % PART >= d) {
                FOLD_T(y0, y1, x0, x1);
                x0 = y0;
                x1 = y1;
            }
        }
        if (LOCAL_ID % PART == PART - 1) {
            r->end0[i / PART] = x0;
            SECOND(r->end1[K(i / PART)] = x1)
        }
        q0[s] = x0;
        q1[K(s)] = x1;
    }
    BARRIER;
    for (int g = (int)LOCAL_ID; g < GROUPS_HERE; g += LOCAL) {
        T0 x0 = r->end0[4 * g], y0 = r->end0[4 * g + 2], e0 = r->end0[4 * g + 1], f0 = r->end0[4 * g + 3];
        T1 x1 = r->end1[K(4 * g)], y1 = r->end1[K(4 * g + 2)], e1 = r->end1[K(4 * g + 1)], f1 = r->end1[K(4 * g + 3)];
        FOLD_T(x0, x1, e0, e1);
        FOLD_T(y0, y1, f0, f1);
        FOLD_T(x0, x1, y0, y1);
        r->total0[g] = (W0)x0;
        SECOND(r->total1[K(g)] = (W1)x1)
    }
    BARRIER;
    if (LOCAL_ID <= GROUPS_HERE) {
        W0 t0 = (W0)NEUTRAL0;
        W1 t1 = (W1)NEUTRAL1;
        for (int g = 0; g < (int)LOCAL_ID; g++) {
            const W0 x0 = r->total0[g];
            const W1 x1 = r->total1[K(g)];
            FOLD_W(t0, t1, x0, x1);
        }
        r->before0[LOCAL_ID] = t0;
        SECOND(r->before1[K(LOCAL_ID)] = t1)
    }
    BARRIER;
}

#if SHARED_BLOCKS && !LOOK_BACK
KERNEL(totals, LOCAL)(MEMORY, G char *memory, const params p)
{
    SHARED(rooms, r, 1);
    const index tile = (index)GROUP(0), line = tile / p.blocks, b = tile % p.blocks;
    T0 q0[SWEEPS];
    T1 q1[SECONDS(SWEEPS)];
    index at[SPANS];
    begin_at(at, &p.w);
    move_to(at, line, 0, GROUPS, &p.w);
    if (b == p.blocks - 1)
        return; /* nothing follows the last */
    scan_parts(PASSED, at, b * BLOCK_SIZE, BLOCK_SIZE, &p.w, r, q0, q1);
    if (LOCAL_ID == 0) {
        ((G carried *)memory)[tile].x0 = r->before0[GROUPS_HERE];
        SECOND(((G carried *)memory)[tile].x1 = r->before1[K(GROUPS_HERE)])
    }
}

/* Totals become what each block starts from. One group for each line. */
KERNEL(carries, LOCAL)(MEMORY, G char *memory, const params p)
{
    SHARED(rooms, r, 1);
    G carried *const c = (G carried *)memory + (index)GROUP(0) * p.blocks;
    W0 s0 = (W0)START0(&p);
    W1 s1 = (W1)START1(&p);
    for (index first = 0; first < p.blocks; first += LOCAL) {
        const index b = first + (index)LOCAL_ID;
        const int n = p.blocks - first < LOCAL ? (int)(p.blocks - first) : LOCAL;
        if (b < p.blocks - 1) { /* the last one has none */
            r->total0[LOCAL_ID] = c[b].x0;
            SECOND(r->total1[K(LOCAL_ID)] = c[b].x1)
        } else if (b < p.blocks) {
            r->total0[LOCAL_ID] = (W0)NEUTRAL0;
            SECOND(r->total1[K(LOCAL_ID)] = (W1)NEUTRAL1)
        }
        BARRIER;
        if (LOCAL_ID == 0)
            for (int k = 0; k < n; k++) {
                const W0 t0 = r->total0[k];
                const W1 t1 = r->total1[K(k)];
                r->total0[k] = s0;
                SECOND(r->total1[K(k)] = s1)
                FOLD_W(s0, s1, t0, t1);
            }
        BARRIER;
        if (b < p.blocks) {
            c[b].x0 = r->total0[LOCAL_ID];
            SECOND(c[b].x1 = r->total1[K(LOCAL_ID)])
        }
        BARRIER;
    }
}
#endif

#if LOOK_BACK
/* In memory, of all blocks: their totals, what is before them and they too, how much of that is there; how many have begun. */
#define BLOCK_TOTAL(M, TILES, T) ((volatile G carried *)(M) + (T))
#define BLOCK_ALL(M, TILES, T) ((volatile G carried *)(M) + (TILES) + (T))
#define BLOCK_STATE(M, TILES, T) ((volatile G u32 *)(M + 2 * (TILES) * (index)sizeof(carried)) + (T))
enum { TOTAL_THERE = 1, ALL_THERE = 2 };

FN void publish(volatile G carried *to, volatile G u32 *state, W0 x0, W1 x1, u32 there)
{
    to->x0 = x0;
    SECOND(to->x1 = x1)
    FENCE;
    *state = there;
}

/* What block `tile` starts from, which is not the first of its line: to total0[0]. */
FN void look_back(G char *memory, index tiles, index tile, SHARED_WORD rooms *r)
{
    index end = tile; /* the blocks from here on are known to have totals alone */
    for (;;) {
        const index k = end - 1 - (index)LOCAL_ID;
        u32 there = 0;
        if (LOCAL_ID == 0)
            r->nearest = LOCAL;
        BARRIER;
        while (k >= 0 && there == 0)
            there = *BLOCK_STATE(memory, tiles, k);
        FENCE; /* by the item that has seen the state, before others read what was published with it */
        if (there == ALL_THERE)
            ATOMIC_LEAST(&r->nearest, (u32)LOCAL_ID);
        BARRIER;
        const u32 nearest = r->nearest;
        BARRIER;
        end -= nearest < LOCAL ? (index)nearest : LOCAL;
        if (nearest < LOCAL)
            break;
    }
    W0 c0 = BLOCK_ALL(memory, tiles, end - 1)->x0;
    W1 c1 = BLOCK_ALL(memory, tiles, end - 1)->x1;
    for (index first = end; first < tile; first += LOCAL) {
        const int n = tile - first < LOCAL ? (int)(tile - first) : LOCAL;
        if (LOCAL_ID < n) {
            r->total0[LOCAL_ID] = BLOCK_TOTAL(memory, tiles, first + (index)LOCAL_ID)->x0;
            SECOND(r->total1[K(LOCAL_ID)] = BLOCK_TOTAL(memory, tiles, first + (index)LOCAL_ID)->x1)
        }
        BARRIER;
        if (LOCAL_ID == 0)
            for (int k = 0; k < n; k++) {
                const W0 t0 = r->total0[k];
                const W1 t1 = r->total1[K(k)];
                FOLD_W(c0, c1, t0, t1);
            }
        BARRIER;
    }
    if (LOCAL_ID == 0) {
        r->total0[0] = c0;
        r->total1[0] = c1;
    }
    BARRIER;
}
#endif

KERNEL(lines, LOCAL)(MEMORY, MORE_MEMORY const params p)
{
    SHARED(rooms, r, 1);
    const walk *const w = &p.w;
    T0 q0[SWEEPS];
    T1 q1[SECONDS(SWEEPS)];
    index at[SPANS];
    W0 c0 = (W0)START0(&p);
    W1 c1 = (W1)START1(&p);
    index tile = (index)GROUP(0);
#if LOOK_BACK
    if (LOCAL_ID == 0)
        r->tile = (index)ATOMIC_COUNT((G u32 *)(memory + 2 * p.items * (index)sizeof(carried)) + p.items);
    BARRIER;
    tile = r->tile;
#endif
    const index first = SHARED_BLOCKS ? tile % p.blocks : 0, end = SHARED_BLOCKS ? first + 1 : p.blocks;
    begin_at(at, w);
    move_to(at, SHARED_BLOCKS ? tile / p.blocks : tile, 0, GROUPS, w);
#if SHARED_BLOCKS && !LOOK_BACK
    c0 = ((G const carried *)memory)[tile].x0;
    c1 = ((G const carried *)memory)[tile].x1;
#endif
    for (index b = first; b < end; b++) {
        const index from = b * BLOCK_SIZE, rest = p.length - from, n = rest < BLOCK_SIZE ? rest : BLOCK_SIZE;
        scan_parts(PASSED, at, from, n, w, r, q0, q1);
#if LOOK_BACK
        if (b > 0) {
            if (LOCAL_ID == 0)
                publish(BLOCK_TOTAL(memory, p.items, tile), BLOCK_STATE(memory, p.items, tile), r->before0[GROUPS_HERE],
                        r->before1[K(GROUPS_HERE)], TOTAL_THERE);
            look_back(memory, p.items, tile, r);
            c0 = r->total0[0];
            c1 = r->total1[0];
        }
        if (LOCAL_ID == 0) {
            W0 all0 = c0;
            W1 all1 = c1;
            FOLD_W(all0, all1, r->before0[GROUPS_HERE], r->before1[K(GROUPS_HERE)]);
            publish(BLOCK_ALL(memory, p.items, tile), BLOCK_STATE(memory, p.items, tile), all0, all1, ALL_THERE);
        }
#endif
        for (int part = (int)LOCAL_ID; part < PARTS_HERE; part += LOCAL) {
            const int g = part / PARTS * PARTS;
            W0 start0 = c0;
            W1 start1 = c1;
            FOLD_W(start0, start1, r->before0[part / PARTS], r->before1[K(part / PARTS)]);
            T0 x0 = (T0)start0, y0 = r->end0[g];
            T1 x1 = (T1)start1, y1 = r->end1[K(g)];
            for (int k = g + 1; k < part; k++)
                FOLD_T(y0, y1, r->end0[k], r->end1[K(k)]);
            if (part > g)
                FOLD_T(x0, x1, y0, y1);
            r->base0[part] = x0;
            SECOND(r->base1[K(part)] = x1)
        }
        BARRIER;
        UNROLL_TAKING
        for (int s = 0; s < SWEEPS; s++) {
            const index i = s * LOCAL + (index)LOCAL_ID, part = i / PART;
            T0 x0 = r->base0[part], y0 = q0[s];
            T1 x1 = r->base1[K(part)], y1 = q1[K(s)];
#if EXCLUSIVE
            TAKE_BELOW(y0, r->swap0, q0[s], 1, PART);
#if PLANES == 2
            TAKE_BELOW(y1, r->swap1, q1[s], 1, PART);
#endif
            if (LOCAL_ID % PART > 0) {
                FOLD_T(x0, x1, y0, y1);
            } else if (part > 0) { /* what is before the part: all of the one before it */
                x0 = r->base0[part - 1];
                x1 = r->base1[K(part - 1)];
                FOLD_T(x0, x1, r->end0[part - 1], r->end1[K(part - 1)]);
            } else if (!INIT && from == 0) {
                x0 = SHOWN0;
                x1 = SHOWN0;
            }
#else
            FOLD_T(x0, x1, y0, y1);
#endif
            if (i < n)
                write(PASSED, at, from + i, w, x0, x1);
        }
        FOLD_W(c0, c1, r->before0[GROUPS_HERE], r->before1[K(GROUPS_HERE)]);
        BARRIER;
    }
}
