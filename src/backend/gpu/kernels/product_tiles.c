/*
 * product_tiles.c - the product of packed matrices by groups that share memory: TILE x TILE elements a group, EACH x EACH an
 * item, in registers.
 *
 * Elements are sums in runs of 256, as on the CPU. An item has rows and columns in fours that lie side by side, and fours 64
 * apart, so that it reads four at a time and neighbours read neighbouring fours. What a group multiplies next is read while it
 * multiplies.
 */
enum { SIDE = 16, EACH = TILE / SIDE, DEEP = PLANES * sizeof(W) > 8 ? 8 : 16, SLAB = TILE * DEEP, RUN = 256 };
enum { FOURS = SLAB > 1024 ? SLAB / 1024 : 1 }; /* of a slab, for an item; of a small one only half the items have one */

/* The fours of the slab at k0: zeros behind the last one. */
FN void fetch(W *to, G const W *from, i64 inner, i64 k0)
{
    UNROLL
    for (i32 f = 0; f < FOURS * PLANES; f++) {
        const i32 e = (i32)LOCAL_ID * 4 + f / PLANES * 1024;
        if (e < SLAB && e < (inner - k0) * TILE) {
            LOAD_4(to + 4 * f, from + (f % PLANES * inner + k0) * TILE + e);
        } else {
            for (i32 j = 0; j < 4; j++)
                to[4 * f + j] = 0;
        }
    }
}

FN void leave(SHARED_WORD W *to, const W *from)
{
    UNROLL
    for (i32 f = 0; f < FOURS * PLANES; f++) {
        const i32 e = (i32)LOCAL_ID * 4 + f / PLANES * 1024;
        for (i32 j = 0; j < 4; j++)
            if (e < SLAB)
                to[f % PLANES * SLAB + e + j] = from[4 * f + j];
    }
}

FN void take(W *to, SHARED_WORD const W *from)
{
    UNROLL
    for (i32 r = 0; r < EACH; r += 4)
        LOAD_4(to + r, from + r * SIDE);
}

/* Number r of an item's rows or columns, of which the first is 4 place. */
#define NUMBER(PLACE, R) ((R) / 4 * (4 * SIDE) + 4 * (PLACE) + (R) % 4)

KERNEL(run, 256)(G char *to, G const W *a, G const W *b, const product p)
{
    SHARED(W, x, PLANES * SLAB);
    SHARED(W, y, PLANES * SLAB);
    const i32 row = LOCAL_ID / SIDE, col = LOCAL_ID % SIDE;
    const i64 across = (p.cols + TILE - 1) / TILE, i0 = GROUP(0) / across, j0 = GROUP(0) % across;
    a += (i64)GROUP(1) * p.a_packed + i0 * TILE * PLANES * p.inner;
    b += (i64)GROUP(1) * p.b_packed + j0 * TILE * PLANES * p.inner;
    W total[PLANES][EACH][EACH], sum[SUMS][EACH][EACH], next_a[FOURS * PLANES * 4], next_b[FOURS * PLANES * 4];
    for (i32 e = 0; e < PLANES * EACH * EACH; e++)
        (&total[0][0][0])[e] = 0;
    for (i32 e = 0; e < SUMS * EACH * EACH; e++)
        (&sum[0][0][0])[e] = 0;
    fetch(next_a, a, p.inner, 0);
    fetch(next_b, b, p.inner, 0);
    for (i64 k0 = 0; k0 < p.inner; k0 += DEEP) {
        BARRIER;
        leave(x, next_a);
        leave(y, next_b);
        BARRIER;
        if (k0 + DEEP < p.inner) {
            fetch(next_a, a, p.inner, k0 + DEEP);
            fetch(next_b, b, p.inner, k0 + DEEP);
        }
        UNROLL_SOME
        for (i32 k = 0; k < DEEP; k++) {
            W u[EACH], v[EACH];
            take(u, x + k * TILE + 4 * row);
            take(v, y + k * TILE + 4 * col);
#if COMPLEX
            W ui[EACH], vi[EACH];
            take(ui, x + SLAB + k * TILE + 4 * row);
            take(vi, y + SLAB + k * TILE + 4 * col);
#endif
            for (i32 r = 0; r < EACH; r++)
                for (i32 s = 0; s < EACH; s++) {
                    sum[0][r][s] = MULADD(u[r], v[s], sum[0][r][s]);
#if COMPLEX
                    sum[0][r][s] = MULADD(-ui[r], vi[s], sum[0][r][s]);
                    sum[1][r][s] = MULADD(u[r], vi[s], sum[1][r][s]);
                    sum[SUMS - 1][r][s] = MULADD(ui[r], v[s], sum[SUMS - 1][r][s]);
#endif
                }
        }
        if ((k0 + DEEP) % RUN == 0 || k0 + DEEP >= p.inner)
            for (i32 r = 0; r < EACH; r++)
                for (i32 s = 0; s < EACH; s++) {
                    total[0][r][s] += sum[0][r][s];
                    sum[0][r][s] = 0;
#if COMPLEX
                    total[1][r][s] += sum[1][r][s] + sum[SUMS - 1][r][s];
                    sum[1][r][s] = sum[SUMS - 1][r][s] = 0;
#endif
                }
    }
    G char *const c = to + place_of(&p.at, GROUP(1), 0);
    for (i32 r = 0; r < EACH; r++)
        for (i32 s = 0; s < EACH; s++) {
            const i64 i = i0 * TILE + NUMBER(row, r), j = j0 * TILE + NUMBER(col, s);
            if (i < p.rows && j < p.cols)
                put(c + i * p.c_row + j * p.c_col, total[0][r][s], total[PLANES - 1][r][s], &p);
        }
}
