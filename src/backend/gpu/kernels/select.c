/*
 * select.c - where a mask is true: counted in blocks, summed up, and elements or positions written.
 *
 * A group has a block. Where groups have one work-item, it puts some elements together before it writes them, so that nothing
 * depends on a guess about the mask.
 */
typedef struct u128 {
    u64 low, high;
} u128;

typedef struct choice {
    i64 n, blocks;
    i64 mask, mask_step, value, out, source, source_step; /* bytes: where each begins, and steps */
} choice;

#define MINE                                                          \
    const i64 begin = (i64)GROUP(0) * BLOCK, far = begin + BLOCK;     \
    const i64 end = far < c.n ? far : c.n;                            \
    G const char *flag = masks + c.mask;
#define FLAG(I) (u32)(*(G const u8 *)(flag + (I) * STEP))

KERNEL(count, WG)(G const char *masks, G char *counts, const choice c)
{
    MINE
    u32 own = 0;
    for (i64 i = begin + ITEM; i < end; i += WG)
        own += FLAG(i);
#if WG > 1
    SHARED(u32, s, WG);
    s[ITEM] = own;
    SUM_UP(u32, s);
    own = s[WG - 1];
#endif
    if (ITEM == 0)
        ((G u32 *)counts)[GROUP(0)] = own;
}

/* One group. */
KERNEL(sum_up, WG)(G const char *counts, G char *values, G char *totals, const choice c)
{
    G const u32 *count = (G const u32 *)counts;
    G i64 *start = (G i64 *)(values + c.value);
    i64 before = 0;
#if WG > 1
    SHARED(i64, s, WG);
    for (i64 i = 0; i < c.blocks; i += WG) {
        const i64 own = i + ITEM < c.blocks ? count[i + ITEM] : 0;
        s[ITEM] = own;
        SUM_UP(i64, s);
        if (i + ITEM < c.blocks)
            start[i + ITEM] = before + s[ITEM] - own;
        before += s[WG - 1];
        BARRIER;
    }
#else
    for (i64 i = 0; i < c.blocks; i++) {
        start[i] = before;
        before += count[i];
    }
#endif
    if (ITEM == 0)
        start[c.blocks] = *(G i64 *)totals = before;
}

#if SOURCE
#define SOURCE_MEMORY , G const char *sources
#define TAKEN(I) *(G const WORD *)(source + (I) * SOURCE_STEP)
#else
#define SOURCE_MEMORY
#define TAKEN(I) (WORD)(I)
#endif

KERNEL(move, WG)(G const char *masks, G const char *values, G char *outs SOURCE_MEMORY, const choice c)
{
#if WG > 1
    SHARED(u32, s, WG);
#endif
    MINE
    G WORD *out = (G WORD *)(outs + c.out) + ((G const i64 *)(values + c.value))[GROUP(0)];
#if SOURCE
    G const char *source = sources + c.source;
#endif
#if WG > 1
    for (i64 i = begin; i < end; i += WG) {
        const u32 own = i + ITEM < end ? FLAG(i + ITEM) : 0;
        s[ITEM] = own;
        SUM_UP(u32, s);
        if (own)
            out[s[ITEM] - 1] = TAKEN(i + ITEM);
        out += s[WG - 1];
        BARRIER;
    }
#else
    WORD kept[SOME + 1];
    for (i64 i = begin; i < end; i += SOME) {
        const u32 some = end - i < SOME ? (u32)(end - i) : SOME;
        u32 n = 0;
        for (u32 k = 0; k < some; k++) {
            kept[n] = TAKEN(i + k);
            n += FLAG(i + k);
        }
        for (u32 k = 0; k < n; k++)
            out[k] = kept[k];
        out += n;
    }
#endif
}
