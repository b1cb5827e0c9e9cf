/*
 * map.c - one element per work-item: the last axis along the first axis of the launch, all others together along the second.
 *
 * Before this text stand RANK, SPANS, LOCAL, the struct `walk`, the memories (MEMORY, PASSED), move_to and
 * `element(PASSED, at, i, w)`, which reads its operands at at[k] + i steps and writes the result. The last axis is padded to
 * whole groups: whether a group is whole is one test for all of it.
 */
KERNEL(run, LOCAL)(MEMORY, const walk w)
{
    index at[SPANS];
    for (int k = 0; k < SPANS; k++)
        at[k] = w.start[k];
    move_to(at, (index)GROUP(1), 0, RANK - 1, &w);
    const index first = (index)GROUP(0) * LOCAL, i = first + (index)LOCAL_ID;
    if (first + LOCAL <= w.size[RANK - 1])
        element(PASSED, at, i, &w);
    else if (i < w.size[RANK - 1])
        element(PASSED, at, i, &w);
}
