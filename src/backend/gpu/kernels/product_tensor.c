/*
 * product_tensor.c - the product of packed matrices by the matrix units of NVIDIA's GPUs, beside product_tiles.c; CUDA alone.
 *
 * Words hold two neighbours along the inner index in 16 bits each (HALVES), or one f32 (of which tf32 keeps 10 bits of its 23).
 * A group has 128 x 128 elements, each of its 8 warps 32 x 64, as 2 x 8 products of 16 x 8. The units add in f32 without
 * rounding to nearest, so sums are carried over to totals every 256 elements. Lanes and elements: PTX ISA, "Matrix fragments
 * for mma.m16n8k16" and "mma.m16n8k8"; the two have words in the same places.
 */
enum { DEEP = 16, ROW = TILE + 8, RUN = 256 / PER_WORD, FOURS = 2 }; /* ROW: no two lanes meet in a bank */

FN void multiply(f32 *c, const u32 *a, const u32 *b)
{
    asm("mma.sync.aligned." FORM " {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

FN u32 word_of(u32 x)
{
#if PER_WORD == 1
    u32 rounded;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(rounded) : "f"(BITS_F32(x)));
    return rounded;
#else
    return x;
#endif
}

FN void fetch(u32 *to, const u32 *from, i64 words, i64 k0)
{
    UNROLL
    for (i32 f = 0; f < FOURS; f++) {
        const i32 e = (i32)LOCAL_ID * 4 + f * 1024;
        if (k0 + e / TILE < words) {
            load_4(to + 4 * f, from + k0 * TILE + e);
        } else {
            for (i32 j = 0; j < 4; j++)
                to[4 * f + j] = 0;
        }
    }
}

FN void leave(u32 *to, const u32 *from)
{
    UNROLL
    for (i32 f = 0; f < FOURS; f++) {
        const i32 e = (i32)LOCAL_ID * 4 + f * 1024;
        for (i32 j = 0; j < 4; j++)
            to[e / TILE * ROW + e % TILE + j] = word_of(from[4 * f + j]);
    }
}

KERNEL(run, 256)(G char *to, G const u32 *a, G const u32 *b, const product p)
{
    SHARED(u32, x, DEEP * ROW);
    SHARED(u32, y, DEEP * ROW);
    const i32 lane = LOCAL_ID % 32, warp = LOCAL_ID / 32, high = lane / 4, low = lane % 4;
    const i32 row = warp / 2 * 32 + high, col = warp % 2 * 64 + high; /* of fragments */
    const i64 words = (p.inner + PER_WORD - 1) / PER_WORD, across = (p.cols + TILE - 1) / TILE;
    const i64 i0 = GROUP(0) / across, j0 = GROUP(0) % across;
    a += (i64)GROUP(1) * p.a_packed + i0 * TILE * words;
    b += (i64)GROUP(1) * p.b_packed + j0 * TILE * words;
    f32 total[2][8][4], sum[2][8][4];
    u32 next_a[FOURS * 4], next_b[FOURS * 4];
    UNROLL
    for (i32 e = 0; e < 64; e++)
        (&total[0][0][0])[e] = (&sum[0][0][0])[e] = 0;
    fetch(next_a, a, words, 0);
    fetch(next_b, b, words, 0);
    for (i64 k0 = 0; k0 < words; k0 += DEEP) {
        BARRIER;
        leave(x, next_a);
        leave(y, next_b);
        BARRIER;
        if (k0 + DEEP < words) {
            fetch(next_a, a, words, k0 + DEEP);
            fetch(next_b, b, words, k0 + DEEP);
        }
        UNROLL
        for (i32 first = 0; first < DEEP; first += 8) { /* by all lanes alike, as the units want it */
            const i32 k = first + low;
            u32 u[2][4], v[2];
            UNROLL
            for (i32 r = 0; r < 2; r++) {
                const u32 *const at = x + k * ROW + row + 16 * r;
                u[r][0] = at[0];
                u[r][1] = at[8];
                u[r][2] = at[4 * ROW];
                u[r][3] = at[4 * ROW + 8];
            }
            UNROLL
            for (i32 s = 0; s < 8; s++) {
                v[0] = y[k * ROW + col + 8 * s];
                v[1] = y[(k + 4) * ROW + col + 8 * s];
                multiply(sum[0][s], u[0], v);
                multiply(sum[1][s], u[1], v);
            }
        }
        if ((k0 + DEEP) % RUN == 0 || k0 + DEEP >= words) {
            UNROLL
            for (i32 e = 0; e < 64; e++) {
                (&total[0][0][0])[e] += (&sum[0][0][0])[e];
                (&sum[0][0][0])[e] = 0;
            }
        }
    }
    G char *const c = to + place_of(&p.at, GROUP(1), 0);
    UNROLL
    for (i32 r = 0; r < 2; r++)
        UNROLL
        for (i32 s = 0; s < 8; s++)
            UNROLL
            for (i32 e = 0; e < 4; e++) {
                const i64 i = i0 * TILE + row + 16 * r + e / 2 * 8, j = j0 * TILE + col - high + 8 * s + 2 * low + e % 2;
                if (i < p.rows && j < p.cols)
                    put(c + i * p.c_row + j * p.c_col, total[r][s][e], 0, &p);
            }
}
