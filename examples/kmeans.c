/*
 * kmeans.c - Fisher's irises in three clusters: k-means with nothing but whole-array operations.
 *
 * Lloyd's algorithm (S. P. Lloyd, Least squares quantization in PCM, IEEE Trans. Inf. Theory 28, 1982) from the starting
 * points of k-means++ (D. Arthur, S. Vassilvitskii, SODA 2007), the best of ten runs. Points are the rows of an n x d array,
 * centroids of a k x d array; everything between them is a broadcast over (n, k, d) that is reduced in the pass that
 * computes it, so no array of that size ever exists.
 *
 *     kmeans [CSV [SVG]]
 */
#include <ashlar/ashlar.h>

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "scatter.h"

enum { CLUSTERS = 3, COLUMNS = 4, RUNS = 10, MAX_STEPS = 100 };
static const char *const names[COLUMNS] = {"sepal length", "sepal width", "petal length", "petal width"};

/* Numbers in [0, 1), the same on every machine: splitmix64 (Steele, Lea, Flood, OOPSLA 2014). */
static double uniform(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

/* n x k squared distances: (n, 1, d) against (1, k, d), the last axis summed on the way. */
static ash_array *distances(const ash_array *points, const ash_array *centres)
{
    ASH_SCOPE(scope);
    return ash_keep(scope, ash_map_reduce_with("(x, c) -> (x - c)^2", "+",
                                               ASH_OPERANDS(ash_insert_axis(points, 1), ash_insert_axis(centres, 0)),
                                               .axes = ASH_AXES(2), .drop = true));
}

static ash_array *nearest(const ash_array *points, const ash_array *centres)
{
    ASH_SCOPE(scope);
    return ash_keep(scope, ash_argmin(distances(points, centres), .axes = ASH_AXES(1), .drop = true));
}

static double inertia_of(const ash_array *points, const ash_array *centres)
{
    ASH_SCOPE(scope);
    return ash_item(ash_sum(ash_min(distances(points, centres), .axes = ASH_AXES(1))), double);
}

/* The mean of the points with each label; a centre that no point is near stays where it is. */
static ash_array *means(const ash_array *points, const ash_array *labels, const ash_array *centres)
{
    ASH_SCOPE(scope);
    const int64_t k = ash_shape(centres)[0];
    const ash_array *label = ash_reshape(labels, ASH_SHAPE(ASH_INFER, 1, 1));
    const ash_array *cluster = ash_reshape(ash_range(0, k), ASH_SHAPE(1, k, 1));
    const ash_array *sum = ash_map_reduce_with("(x, l, c) -> l == c ? x : 0.0", "+",
                                               ASH_OPERANDS(ash_insert_axis(points, 1), label, cluster),
                                               .axes = ASH_AXES(0), .drop = true);
    const ash_array *size = ash_map_reduce_with("(l, c) -> l == c", "+", ASH_OPERANDS(label, cluster),
                                                .axes = ASH_AXES(0), .drop = true);
    return ash_keep(scope, ash_map("(s, n, c) -> n > 0 ? s / n : c", sum, size, centres));
}

/* k-means++: each next centre is a point, drawn in proportion to its squared distance to the nearest centre so far. */
static ash_array *starting_points(const ash_array *points, int64_t k, uint64_t *random)
{
    ASH_SCOPE(scope);
    const int64_t n = ash_shape(points)[0];
    ash_array *centres = ash_empty(ASH_SHAPE(k, ash_shape(points)[1]), .dtype = ash_dtype_of(points));
    int64_t chosen = (int64_t)(uniform(random) * (double)n);
    for (int64_t j = 0; j < k; j++) {
        ash_copy_into(ash_view(centres, j), ash_view(points, chosen));
        const ash_array *so_far = ash_slice(centres, 0, j + 1);
        const ash_array *running = ash_cumsum(ash_min(distances(points, so_far), .axes = ASH_AXES(1), .drop = true));
        const double target = uniform(random) * ash_item(ash_view(running, -1), double);
        chosen = ash_item(ash_count(ash_map("(r, t) -> r <= t", running, target)), int64_t); /* the first beyond it */
        chosen = chosen < n ? chosen : n - 1;
    }
    return ash_keep(scope, centres);
}

/* Moves the centres until no label changes. */
static ash_array *lloyd(const ash_array *points, ash_array *start)
{
    ASH_SCOPE(scope);
    ash_array *centres = start;
    ash_array *labels = nearest(points, centres);
    for (int step = 0; step < MAX_STEPS && !ash_failed(); step++) {
        ash_replace(&centres, means(points, labels, centres));
        ash_array *before = ash_share(labels);
        ash_replace(&labels, nearest(points, centres));
        if (ash_equal(labels, before))
            break;
        ash_release(before);
    }
    return ash_keep(scope, centres);
}

static int by_first_column(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static ash_array *best_of_runs(const ash_array *points, int64_t k, int runs)
{
    ASH_SCOPE(scope);
    uint64_t random = 1;
    ash_array *best = NULL;
    for (int run = 0; run < runs && !ash_failed(); run++) {
        ASH_SCOPE(this_run);
        ash_array *centres = lloyd(points, starting_points(points, k, &random));
        if (!best || inertia_of(points, centres) < inertia_of(points, best)) {
            ash_release(best);
            best = ash_keep(this_run, centres);
        }
    }
    return ash_keep(scope, best);
}

static void print_clusters(double centre[CLUSTERS][COLUMNS], const int64_t *label, int64_t n)
{
    printf("cluster  size");
    for (int j = 0; j < COLUMNS; j++)
        printf("  %12s", names[j]);
    for (int c = 0; c < CLUSTERS; c++) {
        int64_t size = 0;
        for (int64_t i = 0; i < n; i++)
            size += label[i] == c;
        printf("\n%7d  %4" PRId64, c + 1, size);
        for (int j = 0; j < COLUMNS; j++)
            printf("  %12.4f", centre[c][j]);
    }
    putchar('\n');
}

/* The clearest two of the four measurements: petal length and width. */
static bool draw(const char *path, const ash_array *points, double centre[CLUSTERS][COLUMNS], const int64_t *label)
{
    ASH_SCOPE(scope);
    const int64_t n = ash_shape(points)[0];
    double *x = malloc((size_t)n * sizeof *x), *y = malloc((size_t)n * sizeof *y), cx[CLUSTERS], cy[CLUSTERS];
    bool good = x && y && ash_to_host(ash_view(points, ASH_ALL, 2), x, (size_t)n * sizeof *x) == ASH_OK &&
                ash_to_host(ash_view(points, ASH_ALL, 3), y, (size_t)n * sizeof *y) == ASH_OK;
    for (int c = 0; c < CLUSTERS; c++) {
        cx[c] = centre[c][2];
        cy[c] = centre[c][3];
    }
    const scatter plot = {.title = "Iris: 150 flowers in 3 clusters (k-means)", .x_label = "petal length (cm)",
                          .y_label = "petal width (cm)", .points = n, .x = x, .y = y, .label = label,
                          .clusters = CLUSTERS, .centre_x = cx, .centre_y = cy};
    if (good && !scatter_write(&plot, path)) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        good = false;
    }
    free(y);
    free(x);
    return good;
}

static bool run(const char *csv, const char *svg)
{
    ASH_SCOPE(scope);
    const ash_array *points = ash_read_csv(csv, .columns = "0:4", .dtype = ASH_F64);
    const ash_array *found = best_of_runs(points, CLUSTERS, RUNS);
    const int64_t n = ash_shape(points)[0];

    /* Which cluster comes first is chance; in order of their first column the output is the same for every seed. */
    double centre[CLUSTERS][COLUMNS];
    if (ash_to_host(found, centre, sizeof centre) != ASH_OK)
        return false;
    qsort(centre, CLUSTERS, sizeof centre[0], by_first_column);
    const ash_array *centres = ash_from_host(centre, ASH_F64, ASH_SHAPE(CLUSTERS, COLUMNS));

    int64_t *label = malloc((size_t)n * sizeof *label);
    bool good = label && ash_to_host(nearest(points, centres), label, (size_t)n * sizeof *label) == ASH_OK;
    if (good) {
        printf("%" PRId64 " flowers, k = %d, best of %d runs\n\n", n, CLUSTERS, RUNS);
        print_clusters(centre, label, n);
        printf("\ninertia %.4f\n", inertia_of(points, centres));
        good = draw(svg, points, centre, label);
    }
    free(label);
    return good;
}

int main(int argc, char **argv)
{
    const char *svg = argc > 2 ? argv[2] : "iris.svg";
    const bool good = run(argc > 1 ? argv[1] : "examples/data/iris.csv", svg);
    if (ash_failed()) /* one check for all of the above */
        fprintf(stderr, "%s\n", ash_error_text());
    else if (good)
        printf("scatter plot in %s\n", svg);
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
