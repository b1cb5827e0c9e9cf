/*
 * product_tiles.c - the product of packed matrices by groups that share memory: 64 x 64 elements a group, 4 x 4 an item.
 *
 * Elements are sums in runs of 256, as on the CPU. Items of a row of the group take columns 16 apart, so that neighbours read
 * neighbouring words.
 */
enum { TILE = 64, DEEP = 8, SIDE = 16, EACH = 4, RUN = 256 };

KERNEL(run, 256)(G char *to, G const W *a, G const W *b, const product p)
{
    SHARED(W, x, PLANES * 512);
    SHARED(W, y, PLANES * 512);
    const i32 row = LOCAL_ID / SIDE, col = LOCAL_ID % SIDE;
    const i64 across = (p.cols + TILE - 1) / TILE, i0 = GROUP(0) / across, j0 = GROUP(0) % across;
    a += (i64)GROUP(1) * p.a_packed + i0 * TILE * PLANES * p.inner;
    b += (i64)GROUP(1) * p.b_packed + j0 * TILE * PLANES * p.inner;
    W total[PLANES][EACH][EACH], sum[SUMS][EACH][EACH];
    for (i32 e = 0; e < PLANES * EACH * EACH; e++)
        (&total[0][0][0])[e] = 0;
    for (i32 e = 0; e < SUMS * EACH * EACH; e++)
        (&sum[0][0][0])[e] = 0;
    for (i64 k0 = 0; k0 < p.inner; k0 += DEEP) {
        const i64 left = (p.inner - k0) * TILE;
        BARRIER;
        for (i32 e = (i32)LOCAL_ID; e < TILE * DEEP; e += SIDE * SIDE)
            for (i32 plane = 0; plane < PLANES; plane++) {
                const i64 at = (plane * p.inner + k0) * TILE + e;
                x[plane * TILE * DEEP + e] = e < left ? a[at] : (W)0;
                y[plane * TILE * DEEP + e] = e < left ? b[at] : (W)0;
            }
        BARRIER;
        for (i32 k = 0; k < DEEP; k++)
            for (i32 r = 0; r < EACH; r++)
                for (i32 s = 0; s < EACH; s++) {
                    const W u = x[k * TILE + row + SIDE * r], v = y[k * TILE + col + SIDE * s];
#if COMPLEX
                    const W ui = x[(DEEP + k) * TILE + row + SIDE * r], vi = y[(DEEP + k) * TILE + col + SIDE * s];
                    sum[0][r][s] = MULADD(u, v, sum[0][r][s]);
                    sum[0][r][s] = MULADD(-ui, vi, sum[0][r][s]);
                    sum[1][r][s] = MULADD(u, vi, sum[1][r][s]);
                    sum[SUMS - 1][r][s] = MULADD(ui, v, sum[SUMS - 1][r][s]);
#else
                    sum[0][r][s] = MULADD(u, v, sum[0][r][s]);
#endif
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
            const i64 i = i0 * TILE + row + SIDE * r, j = j0 * TILE + col + SIDE * s;
            if (i < p.rows && j < p.cols)
                put(c + i * p.c_row + j * p.c_col, total[0][r][s], total[PLANES - 1][r][s], &p);
        }
}
