/*
 * map.c - one element per work-item: the last axis along the first axis of the launch, all others together along the second.
 *
 * Before this text stand RANK, SPANS, LOCAL, the struct `walk`, the memories (MEMORY, PASSED), move_to and
 * `element(PASSED, at, i, w)`, which reads its operands at at[k] + i steps and writes the result. The last axis is padded to
 * whole groups: whether a group is whole is one test for all of it. Places are found inside each branch, for the same reason
 * as in walk.c.
 */
FN void element_of_row(MEMORY, index i, const walk *w)
{
    index at[SPANS];
    begin_at(at, w);
    move_to(at, (index)GROUP(1), 0, RANK - 1, w);
    element(PASSED, at, i, w);
}

KERNEL(run, LOCAL)(MEMORY, const walk w)
{
    const index first = (index)GROUP(0) * LOCAL, i = first + (index)LOCAL_ID;
    if (first + LOCAL <= w.size[RANK - 1])
        element_of_row(PASSED, i, &w);
    else if (i < w.size[RANK - 1])
        element_of_row(PASSED, i, &w);
}
