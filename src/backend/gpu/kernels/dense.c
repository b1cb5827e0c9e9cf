/*
 * dense.c - members of a batch, as dense.h has it, for the kernels of random numbers, products, factorizations, transforms.
 */
typedef struct batch {
    i64 first;
    i32 axes, unused;
    i64 start[4], size[8], stride[8][4];
} batch;

/* Where span k of member n begins, in bytes. */
FN i64 place_of(const batch *b, i64 n, i32 k)
{
    i64 at = b->start[k];
    n += b->first;
    for (i32 axis = b->axes - 1; axis >= 0; axis--) {
        at += n % b->size[axis] * b->stride[axis][k];
        n /= b->size[axis];
    }
    return at;
}
