/*
 * kernel.c - heat in a plate by a kernel of one's own: tiles in the memory of a group, and a random walk that says the same.
 *
 * The temperature inside is the mean of the four neighbours; three sides are kept at 0 and one at 1. The first kernel takes
 * steps of that, the second asks for one point what random walks from it find at the edge: in the middle both say 1/4. This
 * file is also the text that a device's compiler is given, which is why the host's part stands in `#if ASH_HOST`.
 *
 * Output:
 * after 2000 steps on a plate of 34 by 34 the middle is 0.250
 * 100000 random walks from the middle: 0.25
 */
#include <ashlar/ashlar.h>

enum { N = 34, TILE = 8, SIDE = TILE + 2 }; /* with the edges; what a group computes, and what it reads */

ASH_KERNEL(step, (in, f32, from, 2), (inout, f32, to, 2), (local, f32, tile, SIDE * SIDE))
{
    const int64_t i = ASH_GLOBAL_ID(0) + 1, j = ASH_GLOBAL_ID(1) + 1;
    const int64_t first_i = i - ASH_LOCAL_ID(0) - 1, first_j = j - ASH_LOCAL_ID(1) - 1;
    for (int64_t k = ASH_LOCAL_ID(0) * TILE + ASH_LOCAL_ID(1); k < SIDE * SIDE; k += TILE * TILE)
        tile[k] = ASH_GET(from, first_i + k / SIDE, first_j + k % SIDE);
    ASH_BARRIER();
    const int64_t k = (ASH_LOCAL_ID(0) + 1) * SIDE + ASH_LOCAL_ID(1) + 1;
    ASH_SET(to, 0.25f * (tile[k - SIDE] + tile[k + SIDE] + tile[k - 1] + tile[k + 1]), i, j);
}

ASH_KERNEL(walk, (inout, u32, hot), (random, r))
{
    int32_t i = N / 2, j = N / 2;
    ASH_SEED(r, 2026);
    while (i > 0 && i < N && j > 0 && j < N) {
        const uint32_t way = ASH_RAND_U32(r) >> 30;
        i += way == 0 ? 1 : way == 1 ? -1 : 0;
        j += way == 2 ? 1 : way == 3 ? -1 : 0;
    }
    if (i == 0)
        ASH_ATOMIC_ADD(ASH_PLACE(hot, 0), 1);
}

#if ASH_HOST
int main(void)
{
    ASH_SCOPE(scope);
    ash_array *a = ash_zeros(ASH_SHAPE(N, N)), *b;
    ash_fill(ash_view(a, 0, ASH_RANGE(1, N - 1)), 1.0f);
    b = ash_copy(a);
    for (int k = 0; k < 2000; k += 2) {
        ash_launch(step, ASH_OPERANDS(a, b), .global = ASH_SHAPE(N - 2, N - 2), .local = ASH_SHAPE(TILE, TILE));
        ash_launch(step, ASH_OPERANDS(b, a), .global = ASH_SHAPE(N - 2, N - 2), .local = ASH_SHAPE(TILE, TILE));
    }
    const ash_array *middle = ash_view(a, ASH_RANGE(N / 2 - 1, N / 2 + 1), ASH_RANGE(N / 2 - 1, N / 2 + 1));
    printf("after 2000 steps on a plate of %d by %d the middle is %.3f\n", N, N, (double)ash_item(ash_mean(middle), float));

    enum { WALKS = 100000 };
    ash_array *hot = ash_zeros(ASH_SHAPE(1), .dtype = ASH_U32);
    ash_launch(walk, ASH_OPERANDS(hot), .global = ASH_SHAPE(WALKS));
    printf("%d random walks from the middle: %.2f\n", WALKS, ash_item_f64(ash_map("n -> f64(n)", hot)) / WALKS);
    if (ash_failed())
        fprintf(stderr, "%s\n", ash_error_text());
    return 0;
}
#endif
