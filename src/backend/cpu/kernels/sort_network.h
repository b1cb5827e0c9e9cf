/*
 * sort_network.h - sorting a few keys in vector registers. Included once per width by sort.c, with the operations of
 * sort_vectors.h, and these defined:
 *
 *     KEY, LANES, MASK       the type of a key, how many of them are a vector, a type with a bit for each
 *     F(name)                the name of a function for this width
 *
 * Up to ROWS vectors are a matrix. First its columns are sorted, all at once, by exchanges between rows (K. E. Batcher, Sorting
 * networks and their applications, AFIPS 32 (1968)). Then 1, 2, 4 ... neighbouring columns, read one below the other, are
 * merged with as many beside them by bitonic steps: partners are mirrored first, then half as far apart each time; only
 * distances of whole columns move lanes. Last, the matrix is transposed, so that its columns follow each other in memory: each
 * interleaving of the first half of the rows with the second rotates the bits of (row, lane) by one.
 */

#define ALL ((MASK)((1u << LANES) - 1))

/* Rows a and b, a < b, in order. */
#define EXCHANGE(a, b)                      \
    do {                                    \
        const V low = F(least)(v[a], v[b]); \
        v[b] = F(most)(v[a], v[b]);         \
        v[a] = low;                         \
    } while (0);

INLINE void F(sort_columns)(V *v, const int rows)
{
    if (rows == 2) {
        NETWORK2(EXCHANGE)
    } else if (rows == 4) {
        NETWORK4(EXCHANGE)
    } else if (rows == 8) {
        NETWORK8(EXCHANGE)
    } else if (rows == 16) {
        NETWORK16(EXCHANGE)
    }
}

/* Keeps the smaller of each lane and its partner, in the lanes of the mask the larger. */
INLINE V F(keep)(V v, V partner, MASK larger)
{
    return F(choose)(larger, F(least)(v, partner), F(most)(v, partner));
}

/* Lanes in which bit d is set. */
INLINE MASK F(upper)(const int d)
{
    MASK m = 0;
    for (int l = 0; l < LANES; l++)
        m |= (MASK)((l & d ? 1u : 0u) << l);
    return m;
}

/* Merges `width` sorted columns with the `width` beside them. */
INLINE void F(merge_columns)(V *v, const int rows, const int width)
{
    const MASK upper = F(upper)(width);
    UNROLL
    for (int r = 0; r < (rows + 1) / 2; r++) {
        const int other = rows - 1 - r;
        const V mine = F(turn)(v[r], 2 * width - 1), theirs = F(turn)(v[other], 2 * width - 1);
        v[r] = F(keep)(v[r], theirs, upper);
        if (other != r)
            v[other] = F(keep)(v[other], mine, upper);
    }
    UNROLL
    for (int d = width / 2; d >= 1; d /= 2) {
        const MASK far = F(upper)(d);
        UNROLL
        for (int r = 0; r < rows; r++)
            v[r] = F(keep)(v[r], F(turn)(v[r], d), far);
    }
    UNROLL
    for (int d = rows / 2; d >= 1; d /= 2) {
        UNROLL
        for (int r = 0; r < rows; r++)
            if (!(r & d))
                EXCHANGE(r, r + d)
    }
}

INLINE void F(transpose_rows)(V *v, const int rows)
{
    UNROLL
    for (int n = rows; n > 1; n /= 2) {
        V w[ROWS];
        UNROLL
        for (int r = 0; r < rows / 2; r++) {
            w[2 * r] = F(zip)(v[r], v[r + rows / 2], 0);
            w[2 * r + 1] = F(zip)(v[r], v[r + rows / 2], 1);
        }
        UNROLL
        for (int r = 0; r < rows; r++)
            v[r] = w[r];
    }
}

/* The lanes of row r that hold keys, of n keys in all. */
INLINE MASK F(filled)(int64_t n, int r)
{
    const int64_t left = n - (int64_t)r * LANES;
    return left >= LANES ? ALL : left <= 0 ? 0 : (MASK)((1u << left) - 1);
}

INLINE void F(sort_matrix)(KEY *final, const KEY *keys, int64_t n, const int rows)
{
    V v[ROWS];
    UNROLL
    for (int r = 0; r < rows; r++)
        v[r] = F(load)(keys + r * LANES, F(filled)(n, r));
    F(sort_columns)(v, rows);
    F(merge_columns)(v, rows, 1);
    F(merge_columns)(v, rows, 2);
    if (LANES >= 8)
        F(merge_columns)(v, rows, 4);
    if (LANES == 16)
        F(merge_columns)(v, rows, 8);
    F(transpose_rows)(v, rows);
    UNROLL
    for (int r = 0; r < rows; r++)
        F(store)(final + r * LANES, F(filled)(n, r), v[r]);
}

/* n <= ROWS * LANES keys in order, in the same place or another. */
static void F(sort_few)(void *final, const void *keys, int64_t n)
{
    if (n <= LANES)
        F(sort_matrix)(final, keys, n, 1);
    else if (n <= 2 * LANES)
        F(sort_matrix)(final, keys, n, 2);
    else if (n <= 4 * LANES)
        F(sort_matrix)(final, keys, n, 4);
    else if (ROWS == 8 || n <= 8 * LANES)
        F(sort_matrix)(final, keys, n, 8);
    else
        F(sort_matrix)(final, keys, n, ROWS);
}

/* Whole vectors are stored on either side: data has been read that far, and other has the room. The last is stored in part. */
INLINE int64_t F(part_all)(KEY *d, KEY *o, V limit, const bool upper, int64_t n)
{
    int64_t kept = 0, i = 0;
    for (; i + 8 * LANES <= n; i += 8 * LANES) {
        V v[8];
        MASK stay[8], go[8];
        UNROLL
        for (int r = 0; r < 8; r++) {
            v[r] = F(load)(d + i + r * LANES, ALL);
            stay[r] = upper ? F(not_below)(v[r], limit) : F(below)(v[r], limit);
            go[r] = upper ? F(below)(v[r], limit) : F(not_below)(v[r], limit);
        }
        UNROLL
        for (int r = 0; r < 8; r++) {
            F(store)(d + kept, ALL, F(pack)(stay[r], v[r]));
            F(store)(o + (i + r * LANES - kept), ALL, F(pack)(go[r], v[r]));
            kept += __builtin_popcount(stay[r]);
        }
    }
    for (; i < n; i += LANES) {
        const MASK there = F(filled)(n - i, 0);
        const V v = F(load)(d + i, there);
        const MASK below = F(below)(v, limit) & there, others = F(not_below)(v, limit) & there;
        const MASK stay = upper ? others : below, go = upper ? below : others;
        F(store)(d + kept, F(filled)(__builtin_popcount(stay), 0), F(pack)(stay, v));
        F(store)(o + (i - kept), F(filled)(__builtin_popcount(go), 0), F(pack)(go, v));
        kept += __builtin_popcount(stay);
    }
    return kept;
}

/* Parts n keys at a bound, in their order: those on one side stay, at the front of data, the others go to other (of room for
 * n). Returns how many stay. */
static int64_t F(part)(void *data, void *other, uint64_t bound, bool keep_upper, int64_t n)
{
    const V limit = F(all)((KEY)bound);
    return keep_upper ? F(part_all)(data, other, limit, true, n) : F(part_all)(data, other, limit, false, n);
}
#undef EXCHANGE
#undef ALL
