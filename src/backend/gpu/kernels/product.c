/*
 * product.c - what the kernels of products share: parameters, and how an element of the result is written.
 *
 * Before this text stand W (what is computed with), COMPLEX, C_PART(P), C_PUT(P, X) and C_BYTES, of a part of the result.
 */
typedef struct product {
    batch at; /* spans 0, 1, 2: c, a, b */
    operand a, b;
    i64 c_row, c_col, rows, cols, inner;
    i64 a_row, a_packed, b_packed; /* elements: from row to row of A as tiles read it; of a packed matrix, 0: in place */
    u64 alpha[2], beta[2];         /* of type W */
    i32 has_alpha, has_beta, block, segments;
} product;

/* c = alpha (re + i im) + beta c */
FN void put(G char *c, W re, W im, const product *p)
{
    const W *const alpha = (const W *)p->alpha, *const beta = (const W *)p->beta;
    W x = re, y = im;
#if COMPLEX
    const W ai = *(const W *)&p->alpha[1], bi = *(const W *)&p->beta[1];
    if (p->has_alpha) {
        x = alpha[0] * re - ai * im;
        y = alpha[0] * im + ai * re;
    }
    if (p->has_beta) {
        const W cr = C_PART(c), ci = C_PART(c + C_BYTES);
        x += beta[0] * cr - bi * ci;
        y += beta[0] * ci + bi * cr;
    }
    C_PUT(c + C_BYTES, y);
#else
    if (p->has_alpha)
        x *= alpha[0];
    if (p->has_beta)
        x += beta[0] * C_PART(c);
#endif
    C_PUT(c, x);
}

/* Sums of a tile: real parts, and of complex numbers both halves of the imaginary ones apart, so that the transposed product
 * has the same bits. */
enum { SUMS = COMPLEX ? 3 : 1 };
