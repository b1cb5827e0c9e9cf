/*
 * map.c - functions over arrays, written as text: operands broadcast against each other and everything is one pass.
 *
 * Output:
 * ash.vector f32[4] cpu:0 [1.0 3.0 5.0 7.0]
 * ash.matrix f64[3×4] row-major cpu:0
 *  [[10.0 11.0 12.0 13.0]
 *   [20.0 21.0 22.0 23.0]
 *   [30.0 31.0 32.0 33.0]]
 * ash.vector f64[4] cpu:0 [0.0 0.5 1.0 1.0]
 * ash.vector bool[4] cpu:0 [false false  true  true]
 * ash.vector f32[4] cpu:0 [ 0.0  2.0  8.0 18.0]
 */
#include <ashlar/ashlar.h>

int main(void)
{
    ASH_SCOPE(scope);
    ash_array *x = ash_f32(0, 1, 2, 3);
    ash_print(ash_map("(x, s) -> s*x + 1", x, 2.0f)); /* a float is an operand too; a double would make the result f64 */

    /* (3, 1) against (4): rows and columns */
    ash_print(ash_map("(r, c) -> 10*r + c", ash_reshape(ash_f64(1, 2, 3), ASH_SHAPE(3, 1)), ash_f64(0, 1, 2, 3)));

    ash_print(ash_map("x -> min(f64(x) / 2, 1)", x));
    ash_print(ash_map("x -> x > 1 && x <= 3", x));

    /* into an array that is there; it may be an operand itself */
    ash_map_into(x, "x -> let s = x*x in s + s", x);
    ash_print(x);
    if (ash_failed())
        fprintf(stderr, "%s\n", ash_error_text());
    return 0;
}
