/*
 * random.c - numbers of one call of a generator, with the bits that the CPU's have: src/backend/cpu/kernels/random.c says what
 * they are. No multiplication is fused with an addition here.
 *
 * An item makes the words of QUADS times 4 elements of the stream, which begin at a counter whatever they need, then the
 * numbers. Before this text stand PARTS (numbers of an element), PER (words of a number), SECOND (the generator), SCALE (of the
 * logarithm in a normal number), BYTES (of a number), DENSE, DRAWING (0 uniform, 1 normal, 2 exponential, 3 range), KIND (what
 * is made: 0 bool, 1 integer, 2 float), W (which becomes a number) and STORE(P, X).
 */
typedef struct draw {
    batch at;
    i64 elements, quad, skipped; /* the first one is number `skipped` of quad number `quad` of the stream */
    u64 call, low, span;
    u32 key[2];
    i32 conjugate, unused;
} draw;

enum { EACH = PARTS * PER, WORDS = QUADS * 4 * EACH, NUMBERS = QUADS * 4 * PARTS };

/* ---- words */

#define HIGH_PRODUCT(A, B) ((u32)((u64)(A) * (B) >> 32))

FN void make_words(u32 *word, const draw *d, u64 quad)
{
#if SECOND
    for (i32 i = 0; i < WORDS / 2; i++) {
        const u64 counter = 1 + quad * 2 * EACH + i + (d->call << 32);
        u32 x = (u32)counter, y = (u32)(counter >> 32), key = d->key[0];
        UNROLL
        for (i32 r = 0; r < 7; r++, key += 0x9e3779b9u) {
            const u32 high = HIGH_PRODUCT(x, 0xd256d193u), low = x * 0xd256d193u;
            x = high ^ y ^ key;
            y = low;
        }
        word[2 * i] = x;
        word[2 * i + 1] = y;
    }
#else
    const u32 c2 = (u32)d->call, c3 = (u32)(d->call >> 32);
    for (i32 i = 0; i < WORDS / 4; i++) {
        const u64 counter = 1 + quad * EACH + i;
        u32 x0 = (u32)counter, x1 = (u32)(counter >> 32), x2 = c2, x3 = c3, k0 = d->key[0], k1 = d->key[1];
        UNROLL
        for (i32 r = 0; r < 10; r++, k0 += 0x9e3779b9u, k1 += 0xbb67ae85u) {
            const u32 high0 = HIGH_PRODUCT(x0, 0xd2511f53u), low0 = x0 * 0xd2511f53u;
            const u32 high1 = HIGH_PRODUCT(x2, 0xcd9e8d57u), low1 = x2 * 0xcd9e8d57u;
            x0 = high1 ^ x1 ^ k0;
            x1 = low1;
            x2 = high0 ^ x3 ^ k1;
            x3 = low0;
        }
        word[4 * i] = x0;
        word[4 * i + 1] = x1;
        word[4 * i + 2] = x2;
        word[4 * i + 3] = x3;
    }
#endif
}
#define WORD64(I) ((u64)word[2 * (I)] | (u64)word[2 * (I) + 1] << 32)

/* ---- logarithms of (w + 1/2) / 2^bits, and normal numbers */

#if KIND == 2 && DRAWING > 0
#if PER == 1
FN f32 log_word(u32 w)
{
    const f32 high = (f32)(i32)(w >> 16) * 0x1p16f, low = (f32)(i32)(w & 0xffff) + 0.5f;
    const u32 e = (F32_BITS(high + low) + (0x3f800000u - 0x3f3504f3u)) & 0x7f800000u;
    const f32 f = ((high - BITS_F32(e)) + low) * BITS_F32(0x7f000000u - e);
    const f32 k = (f32)((i32)(e >> 23) - (127 + 32));
    f32 p = 0x1.1b4126p-4f;
    p = p * f + -0x1.e2e8ecp-4f;
    p = p * f + 0x1.e650fap-4f;
    p = p * f + -0x1.fb4354p-4f;
    p = p * f + 0x1.2332bcp-3f;
    p = p * f + -0x1.5562e2p-3f;
    p = p * f + 0x1.99a546p-3f;
    p = p * f + -0x1.ffffeep-3f;
    p = p * f + 0x1.555546p-2f;
    return k * 0x1.63p-1f + (f + (-0.5f * f * f + (k * -0x1.bd0106p-13f + f * f * f * p)));
}
FN void normal_pair(f32 *x, u32 u, u32 w)
{
    const f32 high = (f32)(i32)(u >> 16) * 0x1p-18f, low = ((f32)(i32)(u >> 3 & 0x1fff) + 0.5f) * 0x1p-31f;
    const f32 y = high + low, rest = (high - y) + low, z = y * y;
    const f32 p = ((-0x1.2da132p-1f * z + 0x1.465ee8p+1f) * z + -0x1.4abbbap+2f) * z + -0x1.a0f36cp-24f;
    const f32 q = ((0x1.d47d64p-3f * z + -0x1.55b146p+0f) * z + 0x1.03c1aep+2f) * z + -0x1.3bd3ccp+2f;
    const f32 s = y * 0x1.921fb6p+1f + (y * p + rest * 0x1.921fb6p+1f), c = 1 + (z * q - rest * (y * 0x1.3bd3ccp+3f));
    const f32 r = sqrt(SCALE * log_word(w)), sine = u & 1 ? c : s, cosine = u & 1 ? s : c;
    x[0] = r * BITS_F32(F32_BITS(sine) ^ (u & 2) << 30);
    x[1] = r * BITS_F32(F32_BITS(cosine) ^ (u & 4) << 29);
}
#else
FN f64 log_word(u64 w)
{
    const f64 high = BITS_F64(w >> 32 | 0x4530000000000000u) - 0x1p84;
    const f64 low = BITS_F64((w & 0xffffffffu) | 0x4330000000000000u) - (0x1p52 - 0.5);
    const u64 e = (F64_BITS(high + low) + (0x3ff0000000000000u - 0x3fe6a09e667f3bcdu)) & 0x7ff0000000000000u;
    const f64 f = ((high - BITS_F64(e)) + low) * BITS_F64(0x7fe0000000000000u - e), square = 0.5 * f * f;
    const f64 k = BITS_F64(e >> 52 | 0x4330000000000000u) - (0x1p52 + 1023 + 64), s = f / (2 + f), z = s * s;
    f64 r = 0x1.2e940322e9f8fp-3;
    r = r * z + 0x1.39adf12264ae8p-3;
    r = r * z + 0x1.7465b96d2a135p-3;
    r = r * z + 0x1.c71c54e50bb10p-3;
    r = r * z + 0x1.2492493ddd71dp-2;
    r = r * z + 0x1.9999999985764p-2;
    r = r * z + 0x1.555555555557cp-1;
    return k * 0x1.62e42ffp-1 - ((square - (s * (0.5 * f * f + z * r) + k * -0x1.718432a1b0e26p-35)) - f);
}
FN void normal_pair(f64 *x, u64 u, u64 w)
{
    const f64 y = ((f64)(u >> 3) + 0.5) * 0x1p-63, z = y * y;
    f64 p = -0x1.6c5b93983c0b1p-16, q = -0x1.bc3f652f0c265p-16;
    p = p * z + 0x1.e8eed159ae936p-12;
    p = p * z + -0x1.e3074b502de1fp-8;
    p = p * z + 0x1.50783485cc006p-4;
    p = p * z + -0x1.32d2cce62ac24p-1;
    p = p * z + 0x1.466bc6775aad9p+1;
    p = p * z + -0x1.4abbce625be53p+2;
    p = p * z + -0x1.b7812aeef4b9fp-1;
    q = q * z + -0x1.96cc84820f57ap-14;
    q = q * z + 0x1.f99fdfbce35afp-10;
    q = q * z + -0x1.a6d1c789b5d12p-6;
    q = q * z + 0x1.e1f506619f819p-3;
    q = q * z + -0x1.55d3c7e3b8a8ep+0;
    q = q * z + 0x1.03c1f081b5a34p+2;
    q = q * z + -0x1.3bd3cc9be45dep+2;
    const f64 s = y * p + 4 * y, c = 1 + z * q;
    const f64 r = sqrt(SCALE * log_word(w)), sine = u & 1 ? c : s, cosine = u & 1 ? s : c;
    x[0] = r * BITS_F64(F64_BITS(sine) ^ (u & 2) << 62);
    x[1] = r * BITS_F64(F64_BITS(cosine) ^ (u & 4) << 61);
}
#endif
#endif

/* ---- numbers */

FN void make_numbers(W *x, const u32 *word, const draw *d)
{
#if DRAWING == 3
    for (i32 i = 0; i < NUMBERS; i++) {
#if PER == 2
        x[i] = (W)(d->low + ((word[2 * i + 1] * d->span + (word[2 * i] * d->span >> 32)) >> 32));
#else
        const u64 below = WORD64(2 * i), above = WORD64(2 * i + 1), carry = MULHI_U64(below, d->span);
        const u64 whole = above * d->span, high = MULHI_U64(above, d->span);
        x[i] = (W)(d->low + (d->span ? high + (whole + carry < whole) : above));
#endif
    }
#elif KIND == 0
    for (i32 i = 0; i < NUMBERS; i++)
        x[i] = (W)(word[i] & 1);
#elif KIND == 1
    for (i32 i = 0; i < NUMBERS; i++)
        x[i] = (W)(PER == 2 ? WORD64(i) : (u64)word[i]);
#elif DRAWING == 1
    for (i32 i = 0; i < NUMBERS / 2; i++)
#if PER == 1
        normal_pair(x + 2 * i, word[2 * i], word[2 * i + 1]);
#else
        normal_pair(x + 2 * i, WORD64(2 * i), WORD64(2 * i + 1));
#endif
#else
    for (i32 i = 0; i < NUMBERS; i++)
#if DRAWING == 2 && PER == 1
        x[i] = -log_word(word[i]);
#elif DRAWING == 2
        x[i] = -log_word(WORD64(i));
#elif PER == 1
        x[i] = (f32)word[i] * 0x1p-32f + 0x1p-33f;
#else
        x[i] = (f64)WORD64(i) * 0x1p-64 + 0x1p-65;
#endif
#endif
}

KERNEL(run, LOCAL)(G char *to, const draw d)
{
    const i64 unit = (i64)GROUP(0) * LOCAL + LOCAL_ID, first = unit * QUADS * 4 - d.skipped; /* it may not be there */
    u32 word[WORDS];
    W x[NUMBERS];
    if (first >= d.elements)
        return;
    make_words(word, &d, (u64)d.quad + (u64)unit * QUADS);
    make_numbers(x, word, &d);
#if PARTS == 2
    if (d.conjugate)
        for (i32 i = 1; i < NUMBERS; i += 2)
            x[i] = -x[i];
#endif
#if DENSE
    G char *const dense = to + d.at.start[0] + first * (PARTS * BYTES);
    if (first >= 0 && first + QUADS * 4 <= d.elements) {
        for (i32 i = 0; i < NUMBERS; i++)
            STORE(dense + i * BYTES, x[i]);
        return;
    }
#endif
    for (i32 i = 0; i < QUADS * 4; i++)
        if (first + i >= 0 && first + i < d.elements) {
            G char *const p = to + place_of(&d.at, first + i, 0);
            for (i32 k = 0; k < PARTS; k++)
                STORE(p + k * BYTES, x[i * PARTS + k]);
        }
}
