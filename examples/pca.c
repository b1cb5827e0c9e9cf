/*
 * pca.c - principal components: how few directions tell most of what four measurements of 150 flowers tell.
 *
 * Run in the root of the source tree. The shares are those of any other program for this data set; singular values need no
 * LAPACK here, and take one where it is found.
 *
 * Output:
 * share of the variance 92.46 % 5.31 % 1.71 % 0.52 %
 * two directions keep 97.77 %
 * of rank 2: (150, 2), the mean error of a measurement is 0.122
 */
#include <ashlar/ashlar.h>

int main(void)
{
    ASH_SCOPE(scope);
    ash_array *X = ash_read_csv("examples/data/iris.csv", .columns = "0:4", .dtype = ASH_F64);
    ash_array *centred = ash_map("(x, m) -> x - m", X, ash_mean(X, .axes = ASH_AXES(0)));

    /* the rows of vt are the directions, and the squares of s what they explain */
    const ash_svd_result d = ash_svd(centred);
    ash_array *share = ash_map("(s, all) -> 100*(s/all)^2", d.s, ash_norm(centred));
    printf("share of the variance");
    for (int64_t k = 0; k < 4; k++)
        printf(" %.2f %%", ash_get_f64(share, k));
    printf("\ntwo directions keep %.2f %%\n", ash_item(ash_sum(ash_slice(share, 0, 2)), double));

    /* each flower by two numbers, and back */
    const ash_array *directions = ash_slice(d.vt, 0, 2);
    ash_array *flat = ash_matmul(centred, ash_transpose(directions));
    ash_array *error = ash_map("(x, y) -> x - y", centred, ash_matmul(flat, directions));
    printf("of rank 2: %s, the mean error of a measurement is %.3f\n", ash_shape_text(flat),
           ash_item(ash_mean(ash_map("abs", error)), double));
    if (ash_failed())
        fprintf(stderr, "%s\n", ash_error_text());
    return 0;
}
