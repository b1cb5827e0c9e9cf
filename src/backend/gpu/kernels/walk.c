/*
 * walk.c - places in the axes of a walk.
 */

/* Moves `at` to place `number` of axes first .. end - 1, of which the last is the fastest. */
FN void move_to(index *at, index number, int first, int end, const walk *w)
{
    for (int axis = end - 1; axis >= first; axis--) {
        const index place = axis > first ? number % w->size[axis] : number;
        number = axis > first ? number / w->size[axis] : 0;
        for (int k = 0; k < SPANS; k++)
            at[k] += place * w->stride[axis * SPANS + k];
    }
}
