/*
 * fourier_pass.c - the function PASS: one pass of Stockham's method of radix RADIX over all rows, from x to y.
 *
 * Row j + k n/RADIX is input k of transform j, whose outputs go to rows RADIX (j - r) + r + k `before`, r = j % before: N. K.
 * Govindaraju et al., High performance discrete Fourier transforms on graphics processors, SC 2008.
 */
FN void PASS(Q W *RESTRICT yr, Q W *RESTRICT yi, Q const W *RESTRICT xr, Q const W *RESTRICT xi, G const W *RESTRICT table,
             i32 n, i32 before)
{
    const i32 m = n / RADIX;
    EACH_ROW(m)
    {
        const i32 r = row % before, to = (row - r) * RADIX + r;
        EACH_LANE
        {
            W re[RADIX], im[RADIX];
            re[0] = xr[row * WIDTH + w];
            im[0] = xi[row * WIDTH + w];
            UNROLL
            for (i32 k = 1; k < RADIX; k++) {
                const W c = table[2 * ((k - 1) * before + r)], s = table[2 * ((k - 1) * before + r) + 1];
                const W a = xr[(row + k * m) * WIDTH + w], b = xi[(row + k * m) * WIDTH + w];
                re[k] = a * c - b * s;
                im[k] = a * s + b * c;
            }
            FORM
            UNROLL
            for (i32 k = 0; k < RADIX; k++) {
                yr[(to + k * before) * WIDTH + w] = re[k];
                yi[(to + k * before) * WIDTH + w] = im[k];
            }
        }
    }
}
#undef PASS
#undef RADIX
#undef FORM
