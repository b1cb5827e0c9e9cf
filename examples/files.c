/*
 * files.c - CSV in, NPY out, and the NPY file mapped instead of read.
 *
 * Output:
 * ash.matrix f64[3×2] row-major cpu:0
 *  [[0.5 1.0]
 *   [nan 2.0]
 *   [1.5 3.0]]
 * mean of x: 1.0
 * (3, 2) f64 again, mapped read-only: equal
 */
#include <ashlar/ashlar.h>

#include <string.h>

int main(void)
{
    ASH_SCOPE(scope);
    static const char text[] = "x,y,name\n0.5,1,a\n,2,\"b, c\"\n1.5,3,d\n";
    ash_array *a = ash_parse_csv(text, strlen(text), .columns = "x,y"); /* ash_read_csv for a file */
    ash_print(a);

    ash_array *x = ash_view(a, ASH_ALL, 0);
    printf("mean of x: %.1f\n", ash_item(ash_mean(x, .where = ASH_OPERAND(ash_map("x -> x == x", x))), double));

    static const char path[] = "points.npy";
    ash_write_npy(a, path);
    ash_array *b = ash_read_npy(path, .mapped = true);
    printf("%s %s again, mapped%s: %s\n", ash_shape_text(b), ash_dtype_name(ash_dtype_of(b)),
           ash_is_readonly(b) ? " read-only" : "", ash_equal(a, b, .identical = true) ? "equal" : "different");
    remove(path);
    if (ash_failed())
        fprintf(stderr, "%s\n", ash_error_text());
    return 0;
}
