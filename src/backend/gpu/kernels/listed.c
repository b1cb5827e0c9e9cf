/*
 * listed.c - what moves elements to or from the places that a list names, one element for each work-item: see rows.h.
 *
 * WHAT says which: the numbers below. LIST is the list's type; its span comes after the result and the source.
 */
#define DOES_GATHER 1  /* 3 is the step of the source along the list */
#define DOES_SCATTER 2 /* 3 is the step of the result; with LAST, 4 is what DOES_MARK left */
#define DOES_MARK 3    /* 0: for each place, one more than the last number of the list's that names it; 1 the list */
#define DOES_CHECK 4   /* 0: set to 1 when 1, the list, has a number that is not less than N2 */
#define DOES_ADD 5     /* sums: see below */
#define DOES_COPY 6    /* elements of the source as they are */
#define DOES_WIDEN 7   /* u32 to i64 */

#if WHAT == DOES_GATHER
FN void element(MEMORY, const index *at, index i, const walk *w)
{
    G const WORD *from = (G const WORD *)(P1 + (i64)*(G const LIST *)P2 * N3);
    G WORD *to = (G WORD *)P0;
    for (int k = 0; k < WORDS; k++)
        to[k] = from[k];
}
#elif WHAT == DOES_SCATTER
FN void element(MEMORY, const index *at, index i, const walk *w)
{
    const i64 place = (i64)*(G const LIST *)P2;
    G const WORD *from = (G const WORD *)P1;
    G WORD *to = (G WORD *)(P0 + place * N3);
#if LAST
    if (((G const u32 *)m4)[place] != (u32)((P2 - (m2 + w->start[2])) / 8) + 1)
        return;
#endif
    for (int k = 0; k < WORDS; k++)
        to[k] = from[k];
}
#elif WHAT == DOES_MARK
FN void element(MEMORY, const index *at, index i, const walk *w)
{
    ATOMIC_MAX((G u32 *)m0 + *(G const i64 *)P1, (u32)i + 1);
}
#elif WHAT == DOES_CHECK
FN void element(MEMORY, const index *at, index i, const walk *w)
{
    if ((u64)*(G const i64 *)P1 >= (u64)N2)
        *(G u32 *)m0 = 1;
}
#elif WHAT == DOES_COPY
FN void element(MEMORY, const index *at, index i, const walk *w)
{
    G const WORD *from = (G const WORD *)P1;
    G WORD *to = (G WORD *)P0;
    for (int k = 0; k < WORDS; k++)
        to[k] = from[k];
}
#elif WHAT == DOES_WIDEN
FN void element(MEMORY, const index *at, index i, const walk *w)
{
#if ODD
    put_odd(P0, 8, *(G const u32 *)P1);
#else
    *(G i64 *)P0 = (i64)*(G const u32 *)P1;
#endif
}
#elif WHAT == DOES_ADD
/* 0 the result and 1 the source, with no step along the list; 2 the places in ascending order, and 3 where in the list each
 * was (u32): N4 and N4_1 are the steps of the result and the source along the list, N5 how long it is. The work-item of the
 * first of equal places adds what they all have, in the order of the list. STORED is what elements are read and written as,
 * from and to the bits of their width by OF_BITS and ITS_BITS where they lie at odd addresses. */
#if ODD
#define LOAD(P) OF_BITS(odd_bits(P, sizeof(STORED)))
#define KEEP(P, X) put_odd(P, sizeof(STORED), ITS_BITS(X))
#else
#define LOAD(P) *(G const STORED *)(P)
#define KEEP(P, X) *(G STORED *)(P) = X
#endif
FN void element(MEMORY, const index *at, index i, const walk *w)
{
    G const KEY *place = (G const KEY *)P2;
    G const u32 *from = (G const u32 *)P3;
    const i64 n = N5 - (P2 - (m2 + w->start[2])) / (i64)sizeof(KEY); /* from this one on */
    const KEY here = place[0];
    if (n < N5 && place[-1] == here)
        return;
    G char *to = P0 + (i64)here * N4;
    STORED x = LOAD(to);
    for (i64 k = 0; k < n && place[k] == here; k++) {
        const STORED y = LOAD(P1 + (i64)from[k] * N4_1);
        x = (STORED)(SUM);
    }
    KEEP(to, x);
}
#endif
