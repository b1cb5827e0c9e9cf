/*
 * random.c - numbers of one call of a generator, with the bits that the CPU's have: src/backend/cpu/kernels/random.c says what
 * they are. Behind numbers.c.
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

FN void make_words(u32 *word, const draw *d, u64 quad)
{
#if SECOND
    for (i32 i = 0; i < WORDS / 2; i++) {
        const u64 counter = 1 + quad * 2 * EACH + i + (d->call << 32);
        u32 x = (u32)counter, y = (u32)(counter >> 32), key = d->key[0];
        UNROLL
        for (i32 r = 0; r < 7; r++, key += 0x9e3779b9u) {
            const u32 high = ash__upper_u32(x, 0xd256d193u), low = x * 0xd256d193u;
            x = high ^ y ^ key;
            y = low;
        }
        word[2 * i] = x;
        word[2 * i + 1] = y;
    }
#else
    for (i32 i = 0; i < WORDS / 4; i++)
        ash_kernel_words(d->key[0] | (u64)d->key[1] << 32, 1 + quad * EACH + i, d->call, word + 4 * i);
#endif
}
#define WORD64(I) ((u64)word[2 * (I)] | (u64)word[2 * (I) + 1] << 32)

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
        ash__normal_f32(SCALE, word[2 * i], word[2 * i + 1], x + 2 * i);
#else
        ash__normal_f64(SCALE, WORD64(2 * i), WORD64(2 * i + 1), x + 2 * i);
#endif
#else
    for (i32 i = 0; i < NUMBERS; i++)
#if DRAWING == 2 && PER == 1
        x[i] = -ash__log_word32(word[i]);
#elif DRAWING == 2
        x[i] = -ash__log_word64(WORD64(i));
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
