/*
 * radix.c - one digit of a radix sort: counted block by block, its places summed up, keys and positions moved.
 *
 * Lines lie one behind the other, each cut into blocks; a group has one block of one line. For each line the counts are
 * ordered by digit, then by block, so that their running sums are where each block's keys with that digit go.
 *
 * Where groups have one work-item it goes through its block in order. Else each work-item has IPT neighbours, and its place
 * among those of the group with the same digit is a running sum over (digit, work-item). With WARPS a warp goes through its
 * part of the block 32 keys at a time, of which those with the same digit find each other: D. Merrill, A. Adinets, Onesweep,
 * arXiv 2206.01784, section 3.
 */
typedef struct pass {
    i64 n, block, blocks;
    u32 shift, first; /* first: positions are not there yet, key i has position i */
} pass;

#define DIGITS (1 << BITS)
#define DIGIT(K) ((u32)((K) >> p.shift) & (DIGITS - 1))
#define MINE                                                            \
    const i64 line = (i64)GROUP(1), group = (i64)GROUP(0);              \
    const i64 begin = group * p.block, far = begin + p.block;           \
    const i64 end = far < p.n ? far : p.n;                              \
    G u32 *counts = (G u32 *)where + line * DIGITS * p.blocks + group;

KERNEL(count, WG)(G const char *keys, G char *where, const pass p)
{
#if WG > 1
    SHARED(u32, c, DIGITS);
#else
    u32 c[DIGITS];
#endif
    MINE
    G const KEY *key = (G const KEY *)keys + line * p.n;
    for (u32 d = ITEM; d < DIGITS; d += WG)
        c[d] = 0;
#if WG > 1
    BARRIER;
    for (i64 i = begin + ITEM; i < end; i += WG)
        ATOMIC_COUNT(c + DIGIT(key[i]));
    BARRIER;
#else
    for (i64 i = begin; i < end; i++)
        c[DIGIT(key[i])]++;
#endif
    for (u32 d = ITEM; d < DIGITS; d += WG)
        counts[d * p.blocks] = c[d];
}

/* Running sums of counts: of a line by one work-item, or of a digit of a line by a group, which leaves its total. */
#if WG > 1
KERNEL(sum_up, WG)(G char *where, G char *totals, const pass p)
{
    SHARED(u32, s, WG);
    const i64 digit = (i64)GROUP(1) * DIGITS + (i64)GROUP(0);
    G u32 *counts = (G u32 *)where + digit * p.blocks;
    u32 before = 0;
    for (i64 i = 0; i < p.blocks; i += WG) {
        const u32 own = i + ITEM < p.blocks ? counts[i + ITEM] : 0;
        s[ITEM] = own;
        SUM_UP(u32, s);
        if (i + ITEM < p.blocks)
            counts[i + ITEM] = before + s[ITEM] - own;
        before += s[WG - 1];
        BARRIER;
    }
    if (ITEM == 0)
        ((G u32 *)totals)[digit] = before;
}
#define TOTALS_MEMORY , G char *totals
#else
KERNEL(sum_up, WG)(G char *where, const pass p)
{
    const i64 n = DIGITS * p.blocks;
    G u32 *counts = (G u32 *)where + (i64)GROUP(1) * n;
    u32 before = 0;
    for (i64 i = 0; i < n; i++) {
        const u32 own = counts[i];
        counts[i] = before;
        before += own;
    }
}
#define TOTALS_MEMORY
#endif

#if POSITIONS
#define POSITION_MEMORY , G const char *positions, G char *to_positions
#define MOVE(PLACE, K, I)                                        \
    do {                                                         \
        const u32 place_ = PLACE;                                \
        to[place_] = K;                                          \
        to_position[place_] = p.first ? (u32)(I) : position[I];  \
    } while (0)
#else
#define POSITION_MEMORY
#define MOVE(PLACE, K, I) to[PLACE] = K
#endif

KERNEL(move, WG)(G const char *keys, G char *to_keys, G char *where TOTALS_MEMORY POSITION_MEMORY, const pass p)
{
#if WG > 1
    SHARED(u32, c, DIGITS * (WARPS ? WARPS : WG));
    SHARED(u32, s, WG);
    SHARED(u32, first, DIGITS);
#else
    u32 c[DIGITS];
#endif
    MINE
    G const KEY *key = (G const KEY *)keys + line * p.n;
    G KEY *to = (G KEY *)to_keys + line * p.n;
#if POSITIONS
    G const u32 *position = (G const u32 *)positions + line * p.n;
    G u32 *to_position = (G u32 *)to_positions + line * p.n;
#endif
#if WG > 1
    const u32 all = ITEM < DIGITS ? ((G const u32 *)totals)[line * DIGITS + ITEM] : 0;
    s[ITEM] = all;
    SUM_UP(u32, s);
    if (ITEM < DIGITS)
        first[ITEM] = s[ITEM] - all + counts[ITEM * p.blocks];
    BARRIER;
#endif
#if WARPS
    const u32 lane = ITEM % 32, warp = ITEM / 32 * DIGITS;
    const i64 own = begin + ITEM / 32 * (32 * IPT) + lane;
    KEY x[IPT];
    u32 before[IPT];
    for (u32 i = ITEM; i < DIGITS * WARPS; i += WG)
        c[i] = 0;
    BARRIER;
    UNROLL
    for (u32 k = 0; k < IPT; k++) {
        const int there = own + k * 32 < end;
        x[k] = there ? key[own + k * 32] : 0;
        const u32 d = DIGIT(x[k]), alike = warp_alike(there ? d : DIGITS, BITS + 1);
        const u32 rank = POPCOUNT(alike & ((1u << lane) - 1));
        before[k] = c[warp + d] + rank;
        WARP_MEETS;
        if (there && rank == 0)
            c[warp + d] += POPCOUNT(alike);
        WARP_MEETS;
    }
    BARRIER;
    if (ITEM < DIGITS) {
        u32 sum = 0;
        for (u32 w = 0; w < WARPS; w++) {
            const u32 n = c[w * DIGITS + ITEM];
            c[w * DIGITS + ITEM] = sum;
            sum += n;
        }
    }
    BARRIER;
    UNROLL
    for (u32 k = 0; k < IPT; k++)
        if (own + k * 32 < end) {
            const u32 d = DIGIT(x[k]);
            MOVE(first[d] + c[warp + d] + before[k], x[k], own + k * 32);
        }
#elif WG > 1
    const i64 own = begin + ITEM * IPT;
    u32 before[IPT];
    for (u32 d = 0; d < DIGITS; d++)
        c[d * WG + ITEM] = 0;
    for (u32 k = 0; k < IPT; k++)
        if (own + k < end)
            before[k] = c[DIGIT(key[own + k]) * WG + ITEM]++;
    BARRIER;
    u32 sum = 0;
    for (u32 d = 0; d < DIGITS; d++)
        sum += c[ITEM * DIGITS + d];
    s[ITEM] = sum;
    SUM_UP(u32, s);
    sum = s[ITEM] - sum;
    for (u32 d = 0; d < DIGITS; d++) {
        const u32 x = c[ITEM * DIGITS + d];
        c[ITEM * DIGITS + d] = sum;
        sum += x;
    }
    BARRIER;
    for (u32 k = 0; k < IPT; k++)
        if (own + k < end) {
            const KEY x = key[own + k];
            const u32 d = DIGIT(x);
            MOVE(first[d] + (c[d * WG + ITEM] - c[d * WG]) + before[k], x, own + k);
        }
#else
    for (u32 d = 0; d < DIGITS; d++)
        c[d] = counts[d * p.blocks];
    for (i64 i = begin; i < end; i++) {
        const KEY x = key[i];
        MOVE(c[DIGIT(x)]++, x, i);
    }
#endif
}

/* Short lines: each key's place is how many come before it. */
typedef struct line_of {
    i64 n, all;
} line_of;

#if POSITIONS
KERNEL(rank, RANKERS)(G const char *keys, G char *to_keys, G char *to_positions, const line_of p)
#else
KERNEL(rank, RANKERS)(G const char *keys, G char *to_keys, const line_of p)
#endif
{
    const i64 at = (i64)GROUP(0) * RANKERS + LOCAL_ID;
    if (at >= p.all)
        return;
    const i64 line = at / p.n * p.n;
    const u32 own = (u32)(at - line), n = (u32)p.n;
    G const KEY *key = (G const KEY *)keys + line;
    const KEY x = key[own];
    u32 place = 0;
    for (u32 j = 0; j < own; j++)
        place += key[j] <= x;
    for (u32 j = own + 1; j < n; j++)
        place += key[j] < x;
    ((G KEY *)to_keys + line)[place] = x;
#if POSITIONS
    ((G u32 *)to_positions + line)[place] = own;
#endif
}
