/*
 * reduce.c - folds: along axes or over everything, with a start, over a part, with a function first; and running ones.
 *
 * Output:
 * ash.vector f32[2] cpu:0 [ 6.0 15.0]
 * ash.matrix f32[1×3] row-major cpu:0 [[5.0 7.0 9.0]]
 * ash.scalar f32 cpu:0 91.0
 * ash.scalar f32 cpu:0 12.0
 * mean 3.5, standard deviation 1.871
 * ash.vector i64[2] cpu:0 [2 2]
 * ash.matrix f32[2×3] row-major cpu:0
 *  [[1.0 2.0 3.0]
 *   [5.0 7.0 9.0]]
 */
#include <ashlar/ashlar.h>

int main(void)
{
    ASH_SCOPE(scope);
    ash_array *a = ash_from_rows(ASH_ROWS(ASH_ROW(float, 1, 2, 3), ASH_ROW(float, 4, 5, 6)));
    ash_print(ash_sum(a, .axes = ASH_AXES(1), .drop = true));
    ash_print(ash_sum(a, .axes = ASH_AXES(0))); /* the rank is kept unless the axis is dropped */
    ash_print(ash_map_reduce("x -> x^2", "+", a));

    /* the even numbers only */
    ash_print(ash_sum(a, .where = ASH_OPERAND(ash_map("x -> x % 2 == 0", a))));

    printf("mean %g, standard deviation %.4g\n", (double)ash_item(ash_mean(a), float), (double)ash_item(ash_std(a), float));
    ash_print(ash_argmax(a, .axes = ASH_AXES(1), .drop = true));
    ash_print(ash_cumsum(a, .axes = ASH_AXES(0)));
    if (ash_failed())
        fprintf(stderr, "%s\n", ash_error_text());
    return 0;
}
