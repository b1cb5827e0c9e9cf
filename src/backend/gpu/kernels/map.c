/*
 * map.c - one element per work-item: the last axis along the first axis of the launch, all others together along the second.
 *
 * Before this text stand RANK, SPANS, LOCAL, the struct `walk`, the memories (MEMORY, PASSED) and
 * `element(PASSED, at, i, w)`, which reads its operands at at[k] + i steps and writes the result. The last axis is padded to
 * whole groups: whether a group is whole is one test for all of it.
 */
KERNEL(run, LOCAL)(MEMORY, const walk w)
{
    index at[SPANS], row = (index)GROUP(1);
    for (int k = 0; k < SPANS; k++)
        at[k] = w.start[k];
    for (int axis = RANK - 2; axis >= 0; axis--) {
        const index place = row % w.size[axis];
        row /= w.size[axis];
        for (int k = 0; k < SPANS; k++)
            at[k] += place * w.stride[axis * SPANS + k];
    }
    const index first = (index)GROUP(0) * LOCAL, i = first + (index)LOCAL_ID;
    if (first + LOCAL <= w.size[RANK - 1])
        element(PASSED, at, i, &w);
    else if (i < w.size[RANK - 1])
        element(PASSED, at, i, &w);
}
