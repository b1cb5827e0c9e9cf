/*
 * map.c - one element per work-item: the last axis along the first axis of the launch, all others together along the second.
 *
 * Before this text stand RANK, SPANS, LOCAL, the struct `walk`, the memories (MEMORY, PASSED), move_to and
 * `element(PASSED, at, i, w)`, which reads its operands at at[k] + i steps and writes the result. The last axis is padded to
 * whole groups: whether a group is whole is one test for all of it. Places are found inside each branch, for the same reason
 * as in walk.c. With TOGETHER more than 1, of CUDA alone, a work-item has so many neighbours: EACH_TOGETHER(X) is X(k, bytes
 * of an element) for the memories that vary along the axis, which are read and written through variables.
 */
FN void element_of_row(MEMORY, index i, const walk *w)
{
    index at[SPANS];
    begin_at(at, w);
    move_to(at, (index)GROUP(1), 0, RANK - 1, w);
    element(PASSED, at, i, w);
}

#if TOGETHER > 1
template <int N> struct alignas(N) bytes {
    char x[N];
};

FN void neighbours_of_row(MEMORY, index i, const walk *w)
{
    index at[SPANS];
    begin_at(at, w);
    move_to(at, (index)GROUP(1), 0, RANK - 1, w);
#define TAKE(K, SIZE)                                \
    bytes<TOGETHER * SIZE> x##K;                     \
    auto *const here##K = m##K + at[K] + i * SIZE;   \
    if (K > 0)                                       \
        x##K = *(const bytes<TOGETHER * SIZE> *)here##K;
    EACH_TOGETHER(TAKE)
#define STAND_IN(K, SIZE) \
    m##K = x##K.x;        \
    at[K] = 0;
    EACH_TOGETHER(STAND_IN)
    UNROLL
    for (int j = 0; j < TOGETHER; j++)
        element(PASSED, at, j, w);
    *(bytes<sizeof x0> *)here0 = x0;
}

KERNEL(run, LOCAL)(MEMORY, const walk w)
{
    const index n = w.size[RANK - 1], first = ((index)GROUP(0) * LOCAL + (index)LOCAL_ID) * TOGETHER;
    if (first + TOGETHER <= n)
        neighbours_of_row(PASSED, first, &w);
    else
        for (index i = first; i < n; i++)
            element_of_row(PASSED, i, &w);
}
#else
KERNEL(run, LOCAL)(MEMORY, const walk w)
{
    const index first = (index)GROUP(0) * LOCAL, i = first + (index)LOCAL_ID;
    if (first + LOCAL <= w.size[RANK - 1])
        element_of_row(PASSED, i, &w);
    else if (i < w.size[RANK - 1])
        element_of_row(PASSED, i, &w);
}
#endif
