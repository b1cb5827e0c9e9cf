/*
 * product_pack.c - an operand of a product, of any dtype, strides and structure, as computed with and laid out for tiles.
 *
 * A line is a row of A or a column of B (SIDE). WIDTH lines make a panel, which holds for each k the elements of its lines side
 * by side, zeros behind the last line; of complex numbers first all real parts. A group does LINES lines and CHUNK places of
 * each, along the lines first where their elements lie side by side (K_INNER). With PER_WORD 2, of real numbers, elements are
 * 16 bits and two neighbours of a line share a word (product_tensor.c).
 */
typedef struct pack {
    batch at;
    operand s;
    i64 lines, inner, packed; /* packed: elements from one matrix to the next */
} pack;

#if PER_WORD == 2
typedef u16 packed;
#define PACKED(X) HALF_OF(X)
#else
typedef W packed;
#define PACKED(X) (X)
#endif

FN void move(G packed *to, G const char *m, const pack *p, i64 line, i64 k, i32 there)
{
    W re = 0, im = 0;
    if (there)
        load(m, &p->s, SIDE ? k : line, SIDE ? line : k, &re, &im);
    to[0] = PACKED(re);
#if PER_WORD == 2
    if (k % 2 == 0 && k + 1 == p->inner)
        to[1] = 0;
#endif
#if PLANES == 2
    to[p->inner * WIDTH] = im;
#endif
}

/* q: the panel, w: the line in it */
#if PER_WORD == 2
#define PLACE(Q, K, W_) \
    ((G packed *)d + ((((first / WIDTH + (Q)) * ((p.inner + 1) / 2) + (k0 + (K)) / 2) * WIDTH + (W_)) * 2 + (k0 + (K)) % 2))
#else
#define PLACE(Q, K, W_) (d + (((first / WIDTH + (Q)) * PLANES * p.inner + k0 + (K)) * WIDTH + (W_)))
#endif
#if LOCAL == 1
#define EACH_W for (i32 w = 0; w < WIDTH; w++)
#define EACH_K for (i32 k = 0; k < depth; k++)
#else
#define EACH_W for (i32 w = LOCAL_ID % WIDTH, once = 1; once; once = 0)
#define EACH_K for (i32 k = LOCAL_ID / WIDTH; k < depth; k += LOCAL / WIDTH)
#endif
#if K_INNER
#define EACH for (i32 q = 0; q < panels; q++) EACH_W EACH_K
#else
#define EACH EACH_K for (i32 q = 0; q < panels; q++) EACH_W
#endif

KERNEL(run, LOCAL)(G W *to, G const char *from, const pack p)
{
    const i64 chunks = (p.inner + CHUNK - 1) / CHUNK, first = GROUP(0) / chunks * LINES, k0 = GROUP(0) % chunks * CHUNK;
    const i64 left = (p.lines - first + WIDTH - 1) / WIDTH;
    const i32 panels = left < LINES / WIDTH ? (i32)left : LINES / WIDTH;
    const i32 depth = p.inner - k0 < CHUNK ? (i32)(p.inner - k0) : CHUNK;
    G const char *const m = from + place_of(&p.at, GROUP(1), SPAN);
    G W *const d = to + (i64)GROUP(1) * p.packed;
    if (first + panels * WIDTH <= p.lines) {
        EACH move(PLACE(q, k, w), m, &p, first + q * WIDTH + w, k0 + k, 1);
    } else {
        EACH move(PLACE(q, k, w), m, &p, first + q * WIDTH + w, k0 + k, first + q * WIDTH + w < p.lines);
    }
}
