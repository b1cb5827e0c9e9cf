/*
 * product_vector.c - a matrix times a vector: sums of segments of the inner index, then of the segments, in their order.
 *
 * Where the elements of a row of A lie side by side (BY_ROWS), an item alone, or a group, adds up one row; else each has rows
 * side by side, and adds up all of them, one column after the other.
 */
#if BY_ROWS
enum { EACH = LOCAL == 1 ? 16 : 1 }; /* sums side by side */
KERNEL(sums, LOCAL)(G W *to, G const char *ma, G const char *mb, const product p)
{
#if LOCAL > 1
    SHARED(W, x, LOCAL);
    SHARED(W, y, LOCAL);
#endif
    const i64 i = GROUP(0) / p.segments, s = GROUP(0) % p.segments;
    const i64 first = p.inner * s / p.segments, end = p.inner * (s + 1) / p.segments;
    G const char *const a = ma + place_of(&p.at, GROUP(1), 1), *const b = mb + place_of(&p.at, GROUP(1), 2);
    W re[EACH], im[EACH], ar, ai, br, bi;
    for (i32 e = 0; e < EACH; e++)
        re[e] = im[e] = 0;
    for (i64 k = first; k < end; k += EACH * LOCAL)
        for (i32 e = 0; e < EACH; e++) {
            const i64 at = k + e + (LOCAL > 1 ? (i64)LOCAL_ID : 0);
            if (at >= end)
                continue;
            load_a(a, &p.a, i, at, &ar, &ai);
            load_b(b, &p.b, at, 0, &br, &bi);
            re[e] += ar * br;
#if COMPLEX
            re[e] -= ai * bi;
            im[e] += ar * bi + ai * br;
#endif
        }
    for (i32 n = EACH / 2; n; n /= 2)
        for (i32 e = 0; e < n; e++) {
            re[e] += re[e + n];
            im[e] += im[e + n];
        }
#if LOCAL > 1
    x[LOCAL_ID] = re[0];
    y[LOCAL_ID] = im[0];
    for (i32 n = LOCAL / 2; n; n /= 2) {
        BARRIER;
        if (LOCAL_ID < n) {
            x[LOCAL_ID] += x[LOCAL_ID + n];
            y[LOCAL_ID] += y[LOCAL_ID + n];
        }
    }
    if (LOCAL_ID > 0)
        return;
    re[0] = x[0];
    im[0] = y[0];
#endif
    G W *const d = to + (((i64)GROUP(1) * p.rows + i) * p.segments + s) * 2;
    d[0] = re[0];
    d[1] = im[0];
}
#else
enum { EACH = LOCAL == 1 ? 64 : 1, RUN = 256 };
KERNEL(sums, LOCAL)(G W *to, G const char *ma, G const char *mb, const product p)
{
    const i64 block = GROUP(0) / p.segments, s = GROUP(0) % p.segments, row = block * EACH * LOCAL + LOCAL_ID;
    const i64 first = p.inner * s / p.segments, end = p.inner * (s + 1) / p.segments;
    const i32 count = p.rows - row < EACH ? (i32)(p.rows - row) : EACH;
    G const char *const a = ma + place_of(&p.at, GROUP(1), 1), *const b = mb + place_of(&p.at, GROUP(1), 2);
    W total[2][EACH], re[EACH], im[EACH], ar, ai, br, bi;
    for (i32 e = 0; e < EACH; e++)
        total[0][e] = total[1][e] = 0;
    for (i64 k0 = first; k0 < end; k0 += RUN) {
        for (i32 e = 0; e < EACH; e++)
            re[e] = im[e] = 0;
        for (i64 k = k0; k < k0 + RUN && k < end; k++) {
            load_b(b, &p.b, k, 0, &br, &bi);
            for (i32 e = 0; e < count; e++) {
                load_a(a, &p.a, row + e, k, &ar, &ai);
                re[e] += ar * br;
#if COMPLEX
                re[e] -= ai * bi;
                im[e] += ar * bi + ai * br;
#endif
            }
        }
        for (i32 e = 0; e < EACH; e++) {
            total[0][e] += re[e];
            total[1][e] += im[e];
        }
    }
    for (i32 e = 0; e < count; e++) {
        G W *const d = to + (((i64)GROUP(1) * p.rows + row + e) * p.segments + s) * 2;
        d[0] = total[0][e];
        d[1] = total[1][e];
    }
}
#endif

enum { MANY = 64 }; /* rows */
KERNEL(finish, LOCAL)(G const W *from, G char *to, const product p)
{
    const i64 first = (i64)GROUP(0) * MANY, end = first + MANY < p.rows ? first + MANY : p.rows;
    G char *const c = to + place_of(&p.at, GROUP(1), 0);
    for (i64 i = first + LOCAL_ID; i < end; i += LOCAL) {
        G const W *const s = from + ((i64)GROUP(1) * p.rows + i) * p.segments * 2;
        W re = 0, im = 0;
        for (i32 k = 0; k < p.segments; k++) {
            re += s[2 * k];
            im += s[2 * k + 1];
        }
        put(c + i * p.c_row, re, im, &p);
    }
}
