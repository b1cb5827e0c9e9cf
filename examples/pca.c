/*
 * pca.c - Fisher's irises in two dimensions: principal components by the singular value decomposition.
 *
 * The rows, centred, are A = U S V'. The rows of V' are the directions, the squares of S over n - 1 the variances along them,
 * and A V are the flowers in the new coordinates. With a path as its argument the program draws the first two of those.
 *
 * Output:
 * component 1: standard deviation 2.0563, 92.46 % of the variance, direction  0.3614 -0.0845  0.8567  0.3583
 * component 2: standard deviation 0.4926,  5.31 % of the variance, direction  0.6566  0.7302 -0.1734 -0.0755
 * component 3: standard deviation 0.2797,  1.71 % of the variance, direction -0.5820  0.5979  0.0762  0.5458
 * component 4: standard deviation 0.1544,  0.52 % of the variance, direction  0.3155 -0.3197 -0.4798  0.7537
 * two components keep 97.77 % of the variance
 */
#include <ashlar/ashlar.h>

#include <errno.h>
#include <math.h>
#include <string.h>

#include "scatter.h"

enum { COLUMNS = 4, SPECIES = 3, EACH = 50, FLOWERS = SPECIES * EACH };

/* Which of a direction and its opposite comes out is chance; this is the one whose largest component is positive. */
static ash_array *turned(const ash_array *vt)
{
    ASH_SCOPE(scope);
    return ash_keep(scope, ash_map("(v, least, most) -> -least > most ? -v : v", vt, ash_min(vt, .axes = ASH_AXES(1)),
                                   ash_max(vt, .axes = ASH_AXES(1))));
}

/* A colour for each species, a cross at its mean. */
static bool draw(const ash_array *flowers, const char *path)
{
    ASH_SCOPE(scope);
    const ash_array *means = ash_mean(ash_reshape(flowers, ASH_SHAPE(SPECIES, EACH, ASH_INFER)), .axes = ASH_AXES(1),
                                      .drop = true);
    double x[FLOWERS], y[FLOWERS], mean_x[SPECIES], mean_y[SPECIES];
    int64_t label[FLOWERS];
    if (ash_to_host(ash_view(flowers, ASH_ALL, 0), x, sizeof x) != ASH_OK ||
        ash_to_host(ash_view(flowers, ASH_ALL, 1), y, sizeof y) != ASH_OK ||
        ash_to_host(ash_view(means, ASH_ALL, 0), mean_x, sizeof mean_x) != ASH_OK ||
        ash_to_host(ash_view(means, ASH_ALL, 1), mean_y, sizeof mean_y) != ASH_OK)
        return false;
    for (int i = 0; i < FLOWERS; i++)
        label[i] = i / EACH; /* the table is in this order: setosa, versicolor, virginica */
    static const char *const names[SPECIES] = {"setosa", "versicolor", "virginica"};
    const scatter plot = {.title = "Iris: 150 flowers of 3 species (principal components)", .x_label = "first component (cm)",
                          .y_label = "second component (cm)", .points = FLOWERS, .x = x, .y = y, .label = label,
                          .clusters = SPECIES, .names = names, .centre_x = mean_x, .centre_y = mean_y};
    if (scatter_write(&plot, path))
        return true;
    fprintf(stderr, "%s: %s\n", path, strerror(errno));
    return false;
}

int main(int argc, char **argv)
{
    ASH_SCOPE(scope);
    const ash_array *table = ash_read_csv("examples/data/iris.csv", .columns = "0:4", .dtype = ASH_F64);
    const ash_array *centred = ash_map("(x, m) -> x - m", table, ash_mean(table, .axes = ASH_AXES(0)));
    const ash_svd_result svd = ash_svd(centred);
    const ash_array *directions = turned(svd.vt);
    const ash_array *flowers = ash_matmul(centred, ash_transpose(directions));

    double s[COLUMNS], direction[COLUMNS][COLUMNS], all = 0;
    if (ash_to_host(svd.s, s, sizeof s) != ASH_OK || ash_to_host(directions, direction, sizeof direction) != ASH_OK) {
        fprintf(stderr, "%s\n", ash_error_text()); /* of whichever step failed */
        return 1;
    }
    for (int k = 0; k < COLUMNS; k++)
        all += s[k] * s[k];
    for (int k = 0; k < COLUMNS; k++) {
        printf("component %d: standard deviation %.4f, %5.2f %% of the variance, direction", k + 1, s[k] / sqrt(FLOWERS - 1),
               100 * s[k] * s[k] / all);
        for (int j = 0; j < COLUMNS; j++)
            printf(" %7.4f", direction[k][j]);
        printf("\n");
    }
    printf("two components keep %.2f %% of the variance\n", 100 * (s[0] * s[0] + s[1] * s[1]) / all);

    if (argc < 2 || draw(flowers, argv[1]))
        return 0;
    if (ash_failed())
        fprintf(stderr, "%s\n", ash_error_text());
    return 1;
}
