/*
 * fourier.c - what the kernels of Fourier transforms share: parameters, and transforms of a few numbers.
 *
 * Before this text stand W, the type of parts; WIDTH, lines that are transformed together, side by side in rows; LOCAL; and Q,
 * the memory that they are transformed in.
 */
typedef struct side {
    i64 step, base, span;        /* bytes from number to number of a whole transform; where the first one is, from one to */
                                 /* the next, or 0: by the batch */
    i64 per_line, per_k, count;  /* numbers: from line to line and along a line; how many there are */
    i32 kind, unused;            /* 0 complex, 1 real, 2 the half of what mirrors itself */
} side;
typedef struct pass {
    i32 radix, before, table; /* before: the product of earlier radices; table: where its factors begin, in complex numbers */
} pass;
typedef struct lines {
    batch at;
    side from, to;
    i64 n, whole, lines, inner, first; /* numbers of a line, of a transform; lines in all, of a transform; the first of all */
    u64 scale;                         /* of type W */
    i64 fine;                          /* of the table of twists: log2 of how many are fine */
    i32 groups, passes, swaps, pre, post, twist, by_line, plain; /* plain: 1: reading, 2: writing */
    pass pass[16];
} lines;

/* b += a, a -= b of before, in that order: sums in a, differences in b */
#define BUTTERFLY(A, B)                              \
    {                                                \
        const W sr = re[A] + re[B], si = im[A] + im[B]; \
        re[B] = re[A] - re[B];                       \
        im[B] = im[A] - im[B];                       \
        re[A] = sr;                                  \
        im[A] = si;                                  \
    }
#define TURN(A) /* times -i */    \
    {                             \
        const W keep = re[A];     \
        re[A] = im[A];            \
        im[A] = -keep;            \
    }
#define SWITCH(A, B)                                \
    {                                               \
        const W kr = re[A], ki = im[A];             \
        re[A] = re[B];                              \
        im[A] = im[B];                              \
        re[B] = kr;                                 \
        im[B] = ki;                                 \
    }
#define FORM_2 BUTTERFLY(0, 1)
#define FORM_4              \
    {                       \
        BUTTERFLY(0, 2)     \
        BUTTERFLY(1, 3)     \
        TURN(3)             \
        BUTTERFLY(0, 1)     \
        BUTTERFLY(2, 3)     \
        SWITCH(1, 2)        \
    }
#define EIGHTH(A, S, C) /* times (1 - i)/sqrt(2), (-1 - i)/sqrt(2) */  \
    {                                                                  \
        const W x = re[A], y = im[A];                                  \
        re[A] = (W)0.70710678118654752440 * (C);                       \
        im[A] = (W)0.70710678118654752440 * (S);                       \
    }
#define FORM_8                   \
    {                            \
        BUTTERFLY(0, 4)          \
        BUTTERFLY(1, 5)          \
        BUTTERFLY(2, 6)          \
        BUTTERFLY(3, 7)          \
        EIGHTH(5, y - x, x + y)  \
        TURN(6)                  \
        EIGHTH(7, -x - y, y - x) \
        BUTTERFLY(0, 2)          \
        BUTTERFLY(1, 3)          \
        TURN(3)                  \
        BUTTERFLY(4, 6)          \
        BUTTERFLY(5, 7)          \
        TURN(7)                  \
        BUTTERFLY(0, 1)          \
        BUTTERFLY(2, 3)          \
        BUTTERFLY(4, 5)          \
        BUTTERFLY(6, 7)          \
        SWITCH(1, 4)             \
        SWITCH(3, 6)             \
    }
#define FORM_3                                                                                      \
    {                                                                                               \
        const W ar = re[1] + re[2], ai = im[1] + im[2];                                             \
        const W br = (W)0.86602540378443864676 * (re[1] - re[2]), bi = (W)0.86602540378443864676 * (im[1] - im[2]); \
        const W mr = re[0] - (W)0.5 * ar, mi = im[0] - (W)0.5 * ai;                                 \
        re[0] += ar;                                                                                \
        im[0] += ai;                                                                                \
        re[1] = mr + bi;                                                                            \
        im[1] = mi - br;                                                                            \
        re[2] = mr - bi;                                                                            \
        im[2] = mi + br;                                                                            \
    }
#define C1 ((W)0.30901699437494742410)
#define C2 ((W)-0.80901699437494742410)
#define S1 ((W)0.95105651629515357212)
#define S2 ((W)0.58778525229247312917)
#define FORM_5                                                                                    \
    {                                                                                             \
        const W ar = re[1] + re[4], ai = im[1] + im[4], br = re[1] - re[4], bi = im[1] - im[4];   \
        const W cr = re[2] + re[3], ci = im[2] + im[3], dr = re[2] - re[3], di = im[2] - im[3];   \
        const W pr = re[0] + (C1 * ar + C2 * cr), pi = im[0] + (C1 * ai + C2 * ci);               \
        const W qr = re[0] + (C2 * ar + C1 * cr), qi = im[0] + (C2 * ai + C1 * ci);               \
        const W sr = S1 * br + S2 * dr, si = S1 * bi + S2 * di, tr = S2 * br - S1 * dr, ti = S2 * bi - S1 * di; \
        re[0] += ar + cr;                                                                         \
        im[0] += ai + ci;                                                                         \
        re[1] = pr + si;                                                                          \
        im[1] = pi - sr;                                                                          \
        re[2] = qr + ti;                                                                          \
        im[2] = qi - tr;                                                                          \
        re[3] = qr - ti;                                                                          \
        im[3] = qi + tr;                                                                          \
        re[4] = pr - si;                                                                          \
        im[4] = pi + sr;                                                                          \
    }

#if LOCAL == 1
#define EACH_ROW(COUNT) for (i32 row = 0; row < (COUNT); row++)
#define EACH_LANE for (i32 w = 0; w < WIDTH; w++)
#else
#define EACH_ROW(COUNT)                                                        \
    for (i32 of_all = (i32)LOCAL_ID, row, w; of_all < (COUNT) * WIDTH; of_all += LOCAL) \
        if (row = of_all / WIDTH, w = of_all % WIDTH, 1)
#define EACH_LANE
#endif
