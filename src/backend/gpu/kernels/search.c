/*
 * search.c - where values belong among elements in ascending order, and how many values lie between neighbours.
 *
 * Elements and values may be of different dtypes and are compared as the numbers they are. Both become keys of the elements'
 * kind of number (0 floats, 1 signed, 2 unsigned: SORTED_KIND, VALUE_KIND), a value between two of these standing for the one
 * on the side that the search is for. LOAD_SORTED and LOAD_VALUE read an element as REAL (BITS: as an unsigned integer), i64 or
 * u64. With NUMBERS -0.0 counts as 0.0.
 */
typedef struct search {
    i64 n, count; /* values, elements */
    i64 sorted, step, value, value_step, out; /* bytes */
    i64 chunk, bins; /* of a histogram: values of a chunk */
} search;

FN u64 float_key(REAL x)
{
    const BITS top = (BITS)1 << (8 * sizeof(BITS) - 1), bits = REAL_BITS(NUMBERS && x == 0 ? (REAL)0 : x);
    return x != x ? (u64)~(BITS)0 : (u64)(bits & top ? ~bits : bits | top);
}
FN u64 signed_key(i64 x)
{
    return (u64)x ^ (u64)1 << 63;
}
#if SORTED_KIND == 0
#define SORTED_KEY float_key
#elif SORTED_KIND == 1
#define SORTED_KEY signed_key
#else
#define SORTED_KEY
#endif

/* Where x stands: 1 behind all elements, -1 before all, 0 at the key. right: what is not greater counts. */
#if SORTED_KIND == VALUE_KIND
FN int stand_in(VALUE x, int right, u64 *key)
{
    *key = SORTED_KEY(x);
    return 0;
}
#elif SORTED_KIND == 0
FN int stand_in(VALUE x, int right, u64 *key)
{
    const REAL f = (REAL)x;
    const int too_large = f >= VALUE_END;
    const VALUE back = too_large ? 0 : (VALUE)f;
    if (x == 0)
        *key = float_key(right ? (REAL)0 : -(REAL)0);
    else if (right)
        *key = float_key(f) - (too_large || back > x);
    else
        *key = float_key(f) + (!too_large && back < x);
    return 0;
}
#elif VALUE_KIND == 0
FN int stand_in(VALUE x, int right, u64 *key)
{
    const REAL whole = right ? floor(x) : ceil(x);
    if (x != x || whole >= SORTED_END)
        return 1;
    if (whole < SORTED_LEAST)
        return -1;
    *key = SORTED_KEY((SORTED)whole);
    return 0;
}
#elif SORTED_KIND == 1
FN int stand_in(VALUE x, int right, u64 *key)
{
    *key = signed_key((i64)x);
    return x >> 63 ? 1 : 0;
}
#else
FN int stand_in(VALUE x, int right, u64 *key)
{
    *key = (u64)x;
    return x < 0 ? -1 : 0;
}
#endif

/* How many of `count` elements are before x: less, or with `right` not greater. */
FN i64 place_of(G const char *sorted, i64 step, i64 count, VALUE x, int right)
{
    u64 key = 0;
    const int end = stand_in(x, right, &key);
    i64 at = 0;
    for (i64 length = count; length > 0;) {
        const i64 half_ = length / 2;
        const u64 here = SORTED_KEY(LOAD_SORTED(sorted + (at + half_) * step));
        const int before = right ? here <= key : here < key;
        at = before ? at + half_ + 1 : at;
        length = before ? length - half_ - 1 : half_;
    }
    return end > 0 ? count : end < 0 ? 0 : at;
}

#if !NUMBERS
KERNEL(find, GROUP_OF)(G const char *sorteds, G const char *values, G char *outs, const search s)
{
    const i64 i = (i64)GROUP(0) * GROUP_OF + LOCAL_ID;
    if (i >= s.n)
        return;
    const VALUE x = LOAD_VALUE(values + s.value + i * s.value_step);
    const i64 place = place_of(sorteds + s.sorted, s.step, s.count, x, RIGHT);
    ((G i64 *)(outs + s.out))[i] = DESCENDING ? s.count - place : place;
}
#else
/* The bin of a value, or -1. Where edges are about evenly spaced it is where low and scale say, give or take one; what is tried
 * is compared with its edges, so nothing depends on that. */
FN i64 bin_of(G const char *edges, i64 step, i64 bins, VALUE x, REAL low, REAL scale)
{
    const REAL guess = ((REAL)x - low) * scale;
    const i64 middle = guess > 0 ? guess < (REAL)(bins - 1) ? (i64)guess : bins - 1 : 0;
    u64 key = 0;
    if (place_of(edges + bins * step, step, 1, x, 0))
        return -1;
    if (stand_in(x, 1, &key) == 0)
        for (i64 k = middle > 0 ? middle - 1 : 0; k < bins && k <= middle + 1; k++)
            if (SORTED_KEY(LOAD_SORTED(edges + k * step)) <= key &&
                (k == bins - 1 || key < SORTED_KEY(LOAD_SORTED(edges + (k + 1) * step))))
                return k;
    return place_of(edges, step, bins, x, 1) - 1;
}
#define EDGES                                                            \
    G const char *edges = sorteds + s.sorted;                            \
    const REAL low = (REAL)LOAD_SORTED(edges);                           \
    const REAL scale = (REAL)s.bins / ((REAL)LOAD_SORTED(edges + s.bins * s.step) - low);

#if WG > 1
/* counts are 0 */
KERNEL(count, WG)(G const char *sorteds, G const char *values, G char *counts, const search s)
{
    const i64 i = (i64)GROUP(0) * WG + LOCAL_ID;
    if (i >= s.n)
        return;
    EDGES
    const i64 bin = bin_of(edges, s.step, s.bins, LOAD_VALUE(values + s.value + i * s.value_step), low, scale);
    if (bin >= 0)
        ATOMIC_COUNT((G u32 *)counts + i / s.chunk * s.bins + bin);
}
#else
KERNEL(count, WG)(G const char *sorteds, G const char *values, G char *counts, const search s)
{
    EDGES
    G u32 *count = (G u32 *)counts + (i64)GROUP(0) * s.bins;
    const i64 begin = (i64)GROUP(0) * s.chunk, far = begin + s.chunk, end = far < s.n ? far : s.n;
    for (i64 i = begin; i < end; i++) {
        const i64 bin = bin_of(edges, s.step, s.bins, LOAD_VALUE(values + s.value + i * s.value_step), low, scale);
        if (bin >= 0)
            count[bin]++;
    }
}
#endif

KERNEL(add_up, GROUP_OF)(G const char *counts, G char *outs, const search s)
{
    const i64 bin = (i64)GROUP(0) * GROUP_OF + LOCAL_ID, chunks = (s.n + s.chunk - 1) / s.chunk;
    if (bin >= s.bins)
        return;
    i64 sum = 0;
    for (i64 k = 0; k < chunks; k++)
        sum += ((G const u32 *)counts)[k * s.bins + bin];
    ((G i64 *)(outs + s.out))[bin] = sum;
}
#endif
