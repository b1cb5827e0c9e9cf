/*
 * fold.c - how folds and scans read: element i of the FOLDED axes, which are the last ones of the walk, behind GROUPS others.
 *
 * A value has PLANES numbers. With ARG the second is where the element is; with EMPTY there is none to read.
 */
#define K(J) (PLANES == 2 ? (J) : 0) /* into arrays of the second numbers, which have one element where there are none */
#define SECONDS(N) (PLANES == 2 ? (N) : 1)
#if PLANES == 2
#define SECOND(X) X; /* what only second numbers need: where there are none, items would meet in one element */
#else
#define SECOND(X)
#endif

FN void read(MEMORY, const index *at, index i, const walk *w, T0 *x0, T1 *x1)
{
#if EMPTY
#elif FOLDED <= 1
    VALUE(at, i, x0, x1);
#else
    index b[SPANS];
    copy_at(b, at);
    move_to(b, i, GROUPS, RANK, w);
    VALUE(b, 0, x0, x1);
#endif
#if ARG
    *x1 = i;
#endif
}
