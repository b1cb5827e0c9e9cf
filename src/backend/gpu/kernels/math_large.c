/*
 * math_large.c - sine, cosine and tangent of any argument, where the CPU's functions leave large ones to libm.
 *
 * M. H. Payne and R. N. Hanek, Radian reduction for trigonometric functions, SIGNUM Newsletter 18, 1983: x = m*2^e with an
 * integer m, and of the bits of 2/pi only those matter that are not a multiple of 4 when they are multiplied by x. The product
 * with these is x*2/pi mod 4 in fixed point. No f64 is within 2^-62 of a multiple of pi/2 unless it is 0, no f32 within 2^-34.
 */

/* 64 zero bits, and 2/pi */
TABLE u64 two_over_pi[20] = {
    0,
    0xa2f9836e4e441529u,
    0xfc2757d1f534ddc0u,
    0xdb6295993c439041u,
    0xfe5163abdebbc561u,
    0xb7246e3a424dd2e0u,
    0x06492eea09d1921cu,
    0xfe1deb1cb129a73eu,
    0xe88235f52ebb4484u,
    0xe99c7026b45f7e41u,
    0x3991d639835339f4u,
    0x9c845f8bbdf9283bu,
    0x1ff897ffde05980fu,
    0xef2f118b5a0a6d1fu,
    0x6d367ecf27cb09b7u,
    0x4f463f669e5fea2du,
    0x7527bac7ebe5f17bu,
    0x3d0739f78a5292eau,
    0x6bfb5fb11f8d5d08u,
    0x56033046fc7b6babu,
};
/* 64 bits of the table from bit `at` on */
FN u64 bits_of_two_over_pi(u32 at)
{
    const u32 word = at >> 6, shift = at & 63;
    return two_over_pi[word] << shift | (shift ? two_over_pi[word + 1] >> (64 - shift) : 0);
}

/* A signed fraction of 192 bits, and the integer that it was taken from. */
typedef struct turns {
    u64 high, middle, low;
    u32 quarter, negative;
} turns;
/* m*2^e*2/pi, of e only where in the table it points to: to the nearest integer, and what is left in magnitude and sign */
FN turns turns_of(u64 m, u32 at)
{
    turns r;
    const u64 a = bits_of_two_over_pi(at), b = bits_of_two_over_pi(at + 64), c = bits_of_two_over_pi(at + 128);
    const u64 low = m * c, middle = m * b + MULHI_U64(m, c);
    const u64 high = m * a + MULHI_U64(m, b) + (middle < MULHI_U64(m, c) ? 1 : 0);
    const u64 x = high << 2 | middle >> 62, y = middle << 2 | low >> 62, z = low << 2;
    r.negative = (u32)(x >> 63);
    r.quarter = (u32)(high >> 62) + r.negative;
    r.low = r.negative ? (u64)0 - z : z;
    r.middle = r.negative ? ~y + (z == 0 ? 1 : 0) : y;
    r.high = r.negative ? ~x + (z == 0 && y == 0 ? 1 : 0) : x;
    return r;
}
/* The first 128 bits from the first one that is set; returns how many bits stood before it. */
FN u32 normalise(turns *r)
{
    const u32 words = r->high ? 0 : 1;
    const u64 x = words ? r->middle : r->high, y = words ? r->low : r->middle, z = words ? 0 : r->low;
    const u32 shift = x ? CLZ_U64(x) : 0;
    r->high = shift ? x << shift | y >> (64 - shift) : x;
    r->middle = shift ? y << shift | z >> (64 - shift) : y;
    return 64 * words + shift;
}

/* As trig_reduced, for |x| > 2^20: |x| is m*2^(e - 1075). */
FN pair large_reduced(f64 x, f64 *t)
{
    const u64 u = F64_BITS(x) & 0x7fffffffffffffffu, m = (u & 0xfffffffffffffu) | 0x10000000000000u;
    const u32 e = (u32)(u >> 52);
    turns r = turns_of(m, e < 2047 ? e - 1013 : 62);
    const bool negative = (r.negative != 0) != (x < 0);
    const f64 scale = power2_f64(-(f64)normalise(&r)), sign = negative ? -scale : scale;
    const f64 hi = (f64)(r.high >> 11) * 0x1p-53, lo = (f64)((r.high & 0x7ff) << 42 | r.middle >> 22) * 0x1p-106;
    const pair p = two_product(hi, 0.5 * PI_HI), y = fast_two_sum(p.hi, p.lo + (hi * (0.5 * PI_LO) + lo * (0.5 * PI_HI)));
    *t = INTEGER_F64 + (f64)(x < 0 ? 4 - (r.quarter & 3) : r.quarter & 3);
    return e < 2047 ? pair_of(y.hi * sign, y.lo * sign) : pair_of(x - x, 0);
}
FN pair any_reduced(f64 x, f64 *t)
{
    return abs_f64(x) <= 0x1p20 ? trig_reduced(x, t) : large_reduced(x, t);
}
FN f64 any_sin_f64(f64 x)
{
    f64 t;
    const pair r = any_reduced(x, &t);
    return sin_of_parts(r, t, x);
}
FN f64 any_cos_f64(f64 x)
{
    f64 t;
    const pair r = any_reduced(x, &t);
    return cos_of_parts(r, t);
}
FN f64 any_tan_f64(f64 x)
{
    f64 t;
    const pair r = any_reduced(x, &t);
    return tan_of_parts(r, t, x);
}

/* As trig_reduced_f32, for |x| > 2^16: |x| is m*2^(e - 150). */
FN f32 large_reduced_f32(f32 x, f32 *t)
{
    const u32 u = F32_BITS(x) & 0x7fffffffu, m = (u & 0x7fffffu) | 0x800000u, e = u >> 23;
    turns r = turns_of((u64)m, e < 255 ? e - 88 : 62);
    const bool negative = (r.negative != 0) != (x < 0);
    const f32 scale = power2_f32(-(i32)normalise(&r)), sign = negative ? -scale : scale;
    const f32 hi = (f32)(i32)(r.high >> 40) * 0x1p-24f, lo = (f32)(i32)(r.high >> 16 & 0xffffff) * 0x1p-48f;
    const f32 p = hi * 0x1.921fb6p+0f, rest = FMA_F32(hi, 0x1.921fb6p+0f, -p);
    *t = INTEGER_F32 + (f32)(i32)(x < 0 ? 4 - (r.quarter & 3) : r.quarter & 3);
    return e < 255 ? (p + (rest + (hi * -0x1.777a5cp-25f + lo * 0x1.921fb6p+0f))) * sign : x - x;
}
FN f32 any_reduced_f32(f32 x, f32 *t)
{
    return abs_f32(x) <= 0x1p16f ? trig_reduced_f32(x, t) : large_reduced_f32(x, t);
}
FN f32 any_sin_f32(f32 x)
{
    f32 t;
    const f32 r = any_reduced_f32(x, &t), y = quarter_f32(r, F32_BITS(t));
    return x == 0 ? x : y;
}
FN f32 any_cos_f32(f32 x)
{
    f32 t;
    const f32 r = any_reduced_f32(x, &t);
    return quarter_f32(r, F32_BITS(t) + 1);
}
