/*
 * first.c - the program to read first: literals, a fused map, a file, a broadcast reduction, one check at the end.
 *
 * Output:
 * ash.vector f32[3] cpu:0 [10.0  2.0  5.0]
 * ash.vector i64[3] cpu:0 [53 59 38]
 */
#include <ashlar/ashlar.h>

int main(void)
{
    ASH_SCOPE(scope); /* arrays made here are released at the end of the block */
    ash_array *a = ash_f32(3, 1, 2);                     /* a vector from literals */
    ash_array *b = ash_map("a -> a^2 + 1f", a);          /* one fused pass */
    ash_print(b);

    ash_array *X = ash_read_csv("examples/data/iris.csv", .columns = "0:4", .dtype = ASH_F32);
    ash_array *C = ash_view(X, ASH_RANGE(0, 150, 50), ASH_ALL); /* rows 0, 50 and 100: a view, nothing is copied */

    /* pairwise squared distances, broadcast and reduced without a temporary */
    ash_array *D = ash_map_reduce_with("(x, c) -> (x - c)^2", "+", ASH_OPERANDS(ash_insert_axis(X, 1), ash_insert_axis(C, 0)),
                                       .axes = ASH_AXES(2), .drop = true);
    ash_array *label = ash_argmin(D, .axes = ASH_AXES(1), .drop = true);
    ash_array *size = ash_map_reduce_with("(l, c) -> l == c", "+", ASH_OPERANDS(ash_insert_axis(label, 1), ash_range(0, 3)),
                                          .axes = ASH_AXES(0), .drop = true);
    ash_print(size);

    if (ash_failed()) { /* one check at the end of a chain */
        fprintf(stderr, "%s\n", ash_error_text());
        return 1;
    }
    return 0;
}
