/*
 * product_lanes.c - the product by work-items alone, in vectors of OpenCL C: beside product_tiles.c, for processors.
 *
 * An item multiplies a block of rows of A, which lie as they are or packed one behind the other, by one packed panel of B, two
 * vectors wide. HIGH rows at a time stay in registers for a run of 256 products.
 */
enum { RUN = 256, PANEL = 2 * LANES };
#ifdef __AVX512F__
#define HIGH (8 / PLANES)
#else
#define HIGH (4 / PLANES)
#endif

KERNEL(run, 1)(G char *to, G const char *from, G const W *b, const product p)
{
    const i64 panels = (p.cols + PANEL - 1) / PANEL, panel = GROUP(0) % panels, first = GROUP(0) / panels * p.block;
    const i64 end = first + p.block < p.rows ? first + p.block : p.rows, columns = p.cols - panel * PANEL;
    const i64 start = p.a_packed ? (i64)GROUP(1) * p.a_packed * (i64)sizeof(W) : place_of(&p.at, GROUP(1), 1);
    G const W *const a = (G const W *)(from + start);
    G char *const c = to + place_of(&p.at, GROUP(1), 0) + panel * PANEL * p.c_col;
    b += (i64)GROUP(1) * p.b_packed + panel * PANEL * PLANES * p.inner;
    for (i64 i = first; i < end; i += HIGH) {
        G const W *row[HIGH];
        VEC total[PLANES][HIGH][2];
        for (i32 r = 0; r < HIGH; r++) {
            row[r] = a + (i + r < end ? i + r : end - 1) * p.a_row;
            for (i32 plane = 0; plane < PLANES; plane++)
                total[plane][r][0] = total[plane][r][1] = (VEC)(0);
        }
        for (i64 k0 = 0; k0 < p.inner; k0 += RUN) {
            const i64 k1 = k0 + RUN < p.inner ? k0 + RUN : p.inner;
            VEC sum[SUMS][HIGH][2];
            UNROLL
            for (i32 r = 0; r < HIGH; r++)
                for (i32 k = 0; k < SUMS; k++)
                    sum[k][r][0] = sum[k][r][1] = (VEC)(0);
            for (i64 k = k0; k < k1; k++) {
                const VEC b0 = VLOAD(b + k * PANEL), b1 = VLOAD(b + k * PANEL + LANES);
#if COMPLEX
                const VEC c0 = VLOAD(b + (p.inner + k) * PANEL), c1 = VLOAD(b + (p.inner + k) * PANEL + LANES);
#endif
                UNROLL
                for (i32 r = 0; r < HIGH; r++) {
                    const VEC x = (VEC)(row[r][k]);
                    sum[0][r][0] = MULADD(x, b0, sum[0][r][0]);
                    sum[0][r][1] = MULADD(x, b1, sum[0][r][1]);
#if COMPLEX
                    const VEC y = (VEC)(row[r][p.inner + k]);
                    sum[0][r][0] = MULADD(-y, c0, sum[0][r][0]);
                    sum[0][r][1] = MULADD(-y, c1, sum[0][r][1]);
                    sum[1][r][0] = MULADD(x, c0, sum[1][r][0]);
                    sum[1][r][1] = MULADD(x, c1, sum[1][r][1]);
                    sum[SUMS - 1][r][0] = MULADD(y, b0, sum[SUMS - 1][r][0]);
                    sum[SUMS - 1][r][1] = MULADD(y, b1, sum[SUMS - 1][r][1]);
#endif
                }
            }
            UNROLL
            for (i32 r = 0; r < HIGH; r++)
                for (i32 v = 0; v < 2; v++) {
                    total[0][r][v] += sum[0][r][v];
#if COMPLEX
                    total[1][r][v] += sum[1][r][v] + sum[SUMS - 1][r][v];
#endif
                }
        }
        for (i32 r = 0; r < HIGH && i + r < end; r++) {
            G char *const at = c + (i + r) * p.c_row;
#if DIRECT
            if (columns >= PANEL) {
                G W *const d = (G W *)at;
                VEC x0 = total[0][r][0], x1 = total[0][r][1];
                if (p.has_alpha) {
                    x0 *= (VEC)(*(const W *)p.alpha);
                    x1 *= (VEC)(*(const W *)p.alpha);
                }
                if (p.has_beta) {
                    x0 += (VEC)(*(const W *)p.beta) * VLOAD(d);
                    x1 += (VEC)(*(const W *)p.beta) * VLOAD(d + LANES);
                }
                VSTORE(x0, d);
                VSTORE(x1, d + LANES);
                continue;
            }
#endif
            W line[PLANES][PANEL];
            for (i32 plane = 0; plane < PLANES; plane++) {
                VSTORE(total[plane][r][0], line[plane]);
                VSTORE(total[plane][r][1], line[plane] + LANES);
            }
            for (i32 j = 0; j < PANEL && j < columns; j++)
                put(at + j * p.c_col, line[0][j], line[PLANES - 1][j], &p);
        }
    }
}
