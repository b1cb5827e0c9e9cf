/*
 * merge.c - positions of lines of elements in an order that a function of two elements gives.
 *
 * before(line, x, y): does the element at position x of a line come before the one at y? A work-item first puts RUN neighbours
 * in order by insertion; then runs are merged, each work-item writing SEGMENT positions of a merge, whose beginnings in both
 * runs it searches for (O. Green and others, Merge path, 2014). Stable: an element of the left run goes first unless the right
 * one's comes before it. Whatever the function answers, every position is written, and each is one of the line's.
 */
typedef struct merging {
    i64 n, lines, width;
} merging;

KERNEL(insert, GROUP_OF)(G const char *elements, G char *positions FAULT_MEMORY, const merging m)
{
    const i64 runs = (m.n + RUN - 1) / RUN, at = (i64)GROUP(0) * GROUP_OF + LOCAL_ID;
    if (at >= runs * m.lines)
        return;
    const i64 line = at / runs, begin = at % runs * RUN, far = begin + RUN, end = far < m.n ? far : m.n;
    G const char *x = elements + line * m.n * SIZE;
    u32 own[RUN];
    for (i64 i = begin; i < end; i++) {
        i64 to = i - begin;
        for (; to > 0 && before(x, (u32)i, own[to - 1] FAULT); to--)
            own[to] = own[to - 1];
        own[to] = (u32)i;
    }
    G u32 *position = (G u32 *)positions + line * m.n;
    for (i64 i = begin; i < end; i++)
        position[i] = own[i - begin];
}

KERNEL(merge, GROUP_OF)(G const char *elements, G const char *positions, G char *to_positions FAULT_MEMORY, const merging m)
{
    const i64 segments = (m.n + SEGMENT - 1) / SEGMENT, at = (i64)GROUP(0) * GROUP_OF + LOCAL_ID;
    if (at >= segments * m.lines)
        return;
    const i64 line = at / segments, begin = at % segments * SEGMENT, run = begin / (2 * m.width) * 2 * m.width;
    const i64 middle = run + m.width < m.n ? run + m.width : m.n;
    const i64 end = middle + m.width < m.n ? middle + m.width : m.n;
    G const char *x = elements + line * m.n * SIZE;
    G const u32 *from = (G const u32 *)positions + line * m.n;
    G u32 *to = (G u32 *)to_positions + line * m.n;
    const i64 first = middle - run, second = end - middle, out = begin - run;
    i64 low = out > second ? out - second : 0, high = out < first ? out : first;
    while (low < high) { /* how many of the outputs before come from the left run */
        const i64 half_ = low + (high - low) / 2;
        if (before(x, from[middle + out - half_ - 1], from[run + half_] FAULT))
            high = half_;
        else
            low = half_ + 1;
    }
    i64 a = run + low, b = middle + out - low;
    const i64 far = begin + SEGMENT, stop = far < end ? far : end;
    for (i64 i = begin; i < stop; i++) {
        const int right = b < end && (a >= middle || before(x, from[b], from[a] FAULT));
        to[i] = from[right ? b++ : a++];
    }
}
