/*
 * views.c - slices, transposes, reshapes: arrays over the memory of another one. Writing to a view writes there.
 *
 * Output:
 * ash.matrix f32[2×4] strided cpu:0 view
 *  [[ 0.0  1.0  2.0  3.0]
 *   [ 8.0  9.0 10.0 11.0]]
 * ash.vector f32[3] cpu:0 view [11.0  7.0  3.0]
 * ash.matrix f32[4×3] col-major cpu:0 view
 *  [[ 0.0  4.0  8.0]
 *   [ 1.0  5.0  9.0]
 *   [ 2.0  6.0 10.0]
 *   [ 3.0  7.0 11.0]]
 * ash.matrix f32[3×4] row-major cpu:0
 *  [[ 0.0 -1.0  2.0  3.0]
 *   [ 4.0 -1.0  6.0  7.0]
 *   [ 8.0 -1.0 10.0 11.0]]
 */
#include <ashlar/ashlar.h>

int main(void)
{
    ASH_SCOPE(scope);
    ash_array *a = ash_reshape(ash_range(0, 12, .dtype = ASH_F32), ASH_SHAPE(3, 4));
    a = ash_copy(a); /* a reshape is a view as well; the copy stands on its own */
    ash_print(ash_slice(a, ASH_OPEN, ASH_OPEN, .axes = ASH_AXES(0), .step = 2));
    ash_print(ash_view(a, ASH_RANGE(2, ASH_OPEN, -1), -1)); /* rows backwards, the last column */
    ash_print(ash_transpose(a));
    ash_fill(ash_view(a, ASH_ALL, 1), -1);
    ash_print(a);
    if (ash_failed())
        fprintf(stderr, "%s\n", ash_error_text());
    return 0;
}
