/*
 * walk.c - places in the axes of a walk.
 *
 * Lists of places are only ever indexed by constants, so that they become variables: a driver for processors keeps an array
 * in memory for each work-item, and then makes no vectors. EACH_SPAN(X) is X(0) X(1) ...
 */
FN void begin_at(index *at, const walk *w)
{
#define BEGIN(K) at[K] = w->start[K];
    EACH_SPAN(BEGIN)
}

FN void copy_at(index *to, const index *from)
{
#define COPY(K) to[K] = from[K];
    EACH_SPAN(COPY)
}

/* Moves `at` to place `number` of axes first .. end - 1, of which the last is the fastest. */
FN void move_to(index *at, index number, int first, int end, const walk *w)
{
    for (int axis = end - 1; axis >= first; axis--) {
        const index place = axis > first ? number % w->size[axis] : number;
        number = axis > first ? number / w->size[axis] : 0;
#define MOVE(K) at[K] += place * w->stride[axis * SPANS + K];
        EACH_SPAN(MOVE)
    }
}
