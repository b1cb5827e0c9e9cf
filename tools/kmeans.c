/*
 * kmeans.c - `ashlar kmeans`: clusters the rows of a file.
 *
 * k-means++ seeding (D. Arthur, S. Vassilvitskii, SODA 2007), then Lloyd's algorithm (IEEE Trans. Inf. Theory 28, 1982) until
 * no label changes; the run with the least inertia, the sum of squared distances to the nearest centroid, is kept. A cluster
 * that loses all its points takes the point farthest from its own centroid. In f64, and with a generator of random numbers of
 * its own, so a seed gives the same clusters on every machine.
 *
 * Memory: n*k distances at a time; (n, k, d) is only ever walked.
 */
#include "tool.h"

#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "scatter.h"

typedef struct settings {
    int64_t k, seed, runs, steps;
    const char *svg, *labels, *centroids, *axes;
    tool_source source;
} settings;

/* Of one run, or the best so far. The arrays belong to the scope they were made in. */
typedef struct clustering {
    ash_array *centres, *labels;
    double inertia;
    int64_t steps;
} clustering;

/* splitmix64: G. Steele, D. Lea, C. Flood, OOPSLA 2014. In [0, 1). */
static double uniform(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (double)((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

static ash_array *distances(const ash_array *points, const ash_array *centres)
{
    ASH_SCOPE(scope);
    return ash_keep(scope, ash_map_reduce_with("(x, c) -> (x - c)^2", "+",
                                               ASH_OPERANDS(ash_insert_axis(points, 1), ash_insert_axis(centres, 0)),
                                               .axes = ASH_AXES(2), .drop = true));
}

/* The first point beyond a random part of the running sum of weights: a point drawn in proportion to its weight. */
static int64_t draw(const ash_array *weight, uint64_t *random)
{
    ASH_SCOPE(scope);
    const int64_t n = ash_size(weight);
    const ash_array *running = ash_cumsum(weight);
    const double total = tool_f64(ash_view(running, -1));
    if (!(total > 0)) /* all points coincide with centres: any will do */
        return (int64_t)(uniform(random) * (double)n);
    const int64_t chosen = tool_i64(ash_count(ash_map("(r, t) -> r <= t", running, uniform(random) * total)));
    return chosen < n ? chosen : n - 1;
}

static ash_array *starting_points(const ash_array *points, int64_t k, uint64_t *random)
{
    ASH_SCOPE(scope);
    const int64_t n = ash_shape(points)[0];
    ash_array *centres = ash_empty(ASH_SHAPE(k, ash_shape(points)[1]), .dtype = ASH_F64);
    ash_array *weight = ash_fill_new(ASH_SHAPE(n), 1.0);
    for (int64_t j = 0; j < k && !ash_failed(); j++) {
        ASH_SCOPE(step);
        ash_copy_into(ash_view(centres, j), ash_view(points, draw(weight, random)));
        const ash_array *to_last = ash_squeeze(distances(points, ash_slice(centres, j, j + 1)), .axes = ASH_AXES(1));
        if (j == 0)
            ash_copy_into(weight, to_last);
        else
            ash_map_into(weight, "min", weight, to_last);
    }
    return ash_keep(scope, centres);
}

/* Gives each empty cluster the point that is farthest from its centroid, one point to each. */
static void reseed_empty(const ash_array *points, ash_array *centres, const ash_array *size, ash_array *own_distance)
{
    const int64_t k = ash_size(size);
    int64_t *count = malloc((size_t)k * sizeof *count);
    if (count && ash_to_host_as(size, count, (size_t)k * sizeof *count, ASH_I64) == ASH_OK)
        for (int64_t j = 0; j < k; j++) {
            if (count[j] > 0)
                continue;
            ASH_SCOPE(scope);
            const int64_t farthest = tool_i64(ash_argmax(own_distance));
            ash_copy_into(ash_view(centres, j), ash_view(points, farthest));
            ash_fill(ash_view(own_distance, farthest), 0.0);
        }
    free(count);
}

static ash_array *means(const ash_array *points, const ash_array *labels, const ash_array *centres, ash_array *own_distance)
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
    ash_array *moved = ash_map("(s, n) -> s / n", sum, size);
    reseed_empty(points, moved, size, own_distance);
    return ash_keep(scope, moved);
}

/* One run from its own starting points. What is returned belongs to the caller's scope. */
static clustering one_run(const ash_array *points, const settings *how, uint64_t *random, int64_t number)
{
    ASH_SCOPE(scope);
    clustering c = {.centres = starting_points(points, how->k, random)};
    ash_find_result found = ash_find_min(distances(points, c.centres), .axes = ASH_AXES(1), .drop = true);
    for (; c.steps < how->steps && !ash_failed(); c.steps++) {
        ASH_SCOPE(step);
        tool_progress("kmeans: run %" PRId64 " of %" PRId64 ", step %" PRId64, number, how->runs, c.steps + 1);
        ash_replace(&c.centres, means(points, found.index, c.centres, found.value));
        ash_find_result now = ash_find_min(distances(points, c.centres), .axes = ASH_AXES(1), .drop = true);
        const bool same = ash_equal(now.index, found.index);
        ash_replace(&found.index, now.index);
        ash_replace(&found.value, now.value);
        if (same)
            break;
    }
    c.inertia = tool_f64(ash_sum(found.value));
    c.centres = ash_keep(scope, c.centres);
    c.labels = ash_keep(scope, found.index);
    return c;
}

static clustering best_run(const ash_array *points, const settings *how)
{
    ASH_SCOPE(scope);
    uint64_t random = (uint64_t)how->seed;
    clustering best = {0};
    for (int64_t i = 0; i < how->runs && !ash_failed(); i++) {
        ASH_SCOPE(this_run);
        const clustering c = one_run(points, how, &random, i + 1);
        if (best.centres && !(c.inertia < best.inertia))
            continue;
        ash_release(best.centres);
        ash_release(best.labels);
        best = c;
        ash_keep(this_run, best.centres);
        ash_keep(this_run, best.labels);
    }
    ash_keep(scope, best.centres);
    ash_keep(scope, best.labels);
    return best;
}

/* ---- what is printed and drawn: everything on the host ---- */

typedef struct host_result {
    int64_t n, k, d, *label, *size;
    double *centre; /* k x d */
    int64_t axis[2]; /* the columns that are drawn */
    char **names;
} host_result;

static bool fetch(host_result *h, const clustering *c)
{
    h->label = malloc((size_t)h->n * sizeof *h->label);
    h->size = calloc((size_t)h->k, sizeof *h->size);
    h->centre = malloc((size_t)(h->k * h->d) * sizeof *h->centre);
    if (!h->label || !h->size || !h->centre || !h->names) {
        tool_fail("out of memory");
        return false;
    }
    if (ash_to_host_as(c->labels, h->label, (size_t)h->n * sizeof *h->label, ASH_I64) != ASH_OK ||
        ash_to_host_as(c->centres, h->centre, (size_t)(h->k * h->d) * sizeof *h->centre, ASH_F64) != ASH_OK) {
        tool_fail_library();
        return false;
    }
    for (int64_t i = 0; i < h->n; i++)
        h->size[h->label[i]]++;
    return true;
}

static const double *sort_centre; /* qsort has no context */
static int64_t sort_width;
static int by_centre(const void *a, const void *b)
{
    const double *x = sort_centre + *(const int64_t *)a * sort_width, *y = sort_centre + *(const int64_t *)b * sort_width;
    for (int64_t j = 0; j < sort_width; j++)
        if (x[j] != y[j])
            return x[j] < y[j] ? -1 : 1;
    return 0;
}

/* Which cluster comes first is chance: in order of their centroids, equal clusters print equally for every seed. */
static bool put_in_order(host_result *h)
{
    const size_t width = (size_t)h->d * sizeof(double);
    int64_t *order = malloc((size_t)h->k * 2 * sizeof *order);
    double *centre = malloc((size_t)h->k * width);
    if (!order || !centre) {
        free(centre);
        free(order);
        tool_fail("out of memory");
        return false;
    }
    int64_t *rank = order + h->k;
    for (int64_t j = 0; j < h->k; j++)
        order[j] = j;
    sort_centre = h->centre;
    sort_width = h->d;
    qsort(order, (size_t)h->k, sizeof *order, by_centre);
    for (int64_t j = 0; j < h->k; j++) {
        memcpy(centre + j * h->d, h->centre + order[j] * h->d, width);
        rank[order[j]] = j;
    }
    memcpy(h->centre, centre, (size_t)h->k * width);
    memset(h->size, 0, (size_t)h->k * sizeof *h->size);
    for (int64_t i = 0; i < h->n; i++)
        h->size[h->label[i] = rank[h->label[i]]]++;
    free(centre);
    free(order);
    return true;
}

static void print_clusters(const host_result *h, const clustering *c, const settings *how)
{
    printf("%" PRId64 " points, %" PRId64 " columns, k = %" PRId64, h->n, h->d, h->k);
    printf(", best of %" PRId64 " runs, seed %" PRId64 "\n\n", how->runs, how->seed);
    printf("cluster      size");
    for (int64_t j = 0; j < h->d; j++)
        printf("  %14s", h->names[j]);
    for (int64_t i = 0; i < h->k; i++) {
        printf("\n%7" PRId64 "  %8" PRId64, i + 1, h->size[i]);
        for (int64_t j = 0; j < h->d; j++)
            printf("  %14.6g", h->centre[i * h->d + j]);
    }
    printf("\n\ninertia %.4f\n", c->inertia);
}

/* "2,3", two columns of the result; by default the two with the greatest variance, in their order. */
static bool choose_axes(const ash_array *points, const settings *how, int64_t d, int64_t axis[2])
{
    axis[0] = 0;
    axis[1] = d > 1;
    if (how->axes) {
        char *comma, *end = NULL;
        axis[0] = strtoll(how->axes, &comma, 10);
        if (*comma == ',')
            axis[1] = strtoll(comma + 1, &end, 10);
        if (end && *end == '\0' && axis[0] >= 0 && axis[0] < d && axis[1] >= 0 && axis[1] < d)
            return true;
        tool_fail("--axes is %s; it must be two columns from 0 to %" PRId64 ", such as 0,1", how->axes, d - 1);
        return false;
    }
    if (d <= 2)
        return true;
    ASH_SCOPE(scope);
    ash_array *spread = ash_var(points, .axes = ASH_AXES(0), .drop = true, .population = true);
    axis[0] = tool_i64(ash_argmax(spread));
    ash_fill(ash_view(spread, axis[0]), -1.0);
    axis[1] = tool_i64(ash_argmax(spread));
    if (axis[0] > axis[1]) {
        const int64_t first = axis[1];
        axis[1] = axis[0];
        axis[0] = first;
    }
    if (!ash_failed())
        return true;
    tool_fail_library();
    return false;
}

static int draw_plot(const ash_array *points, const host_result *h, const settings *how)
{
    ASH_SCOPE(scope);
    const int64_t *axis = h->axis;
    const size_t bytes = (size_t)h->n * sizeof(double);
    double *x = malloc(bytes), *y = malloc(bytes), *centre = malloc((size_t)h->k * 2 * sizeof *centre);
    int status = x && y && centre ? TOOL_OK : tool_fail("out of memory");
    if (status == TOOL_OK && (ash_to_host(ash_view(points, ASH_ALL, axis[0]), x, bytes) != ASH_OK ||
                              ash_to_host(ash_view(points, ASH_ALL, axis[1]), y, bytes) != ASH_OK))
        status = tool_fail_library();
    for (int64_t j = 0; j < h->k && status == TOOL_OK; j++) {
        centre[j] = h->centre[j * h->d + axis[0]];
        centre[h->k + j] = h->centre[j * h->d + axis[1]];
    }
    char title[128];
    snprintf(title, sizeof title, "%" PRId64 " points in %" PRId64 " clusters (k-means)", h->n, h->k);
    const scatter plot = {.title = title, .x_label = h->names[axis[0]], .y_label = h->names[axis[1]],
                          .points = h->n, .x = x, .y = y, .label = h->label,
                          .clusters = h->k, .centre_x = centre, .centre_y = centre ? centre + h->k : NULL};
    if (status == TOOL_OK && !scatter_write(&plot, how->svg))
        status = tool_fail("%s: %s", how->svg, strerror(errno));
    free(centre);
    free(y);
    free(x);
    return status;
}

static int report(const ash_array *points, const clustering *c, const settings *how, host_result *h)
{
    if (!fetch(h, c) || !put_in_order(h))
        return TOOL_FAILED;
    tool_progress_end();
    print_clusters(h, c, how);
    int status = TOOL_OK;
    if (how->labels)
        status = tool_write(ash_from_host(h->label, ASH_I64, ASH_SHAPE(h->n)), how->labels, "cluster", NULL);
    if (how->centroids && status == TOOL_OK)
        status = tool_write(ash_from_host(h->centre, ASH_F64, ASH_SHAPE(h->k, h->d)), how->centroids, NULL, NULL);
    if (how->svg && status == TOOL_OK)
        status = draw_plot(points, h, how);
    return status;
}

/* n x d, f64, all numbers finite; NULL after a message. A vector is a column. */
static ash_array *read_points(const char *path, const settings *how)
{
    tool_source source = how->source;
    source.dtype = ASH_F64;
    ash_array *points = tool_read(path, &source);
    if (points && ash_rank(points) == 1)
        points = ash_insert_axis(points, 1);
    if (!points)
        return NULL;
    if (ash_rank(points) != 2) {
        tool_fail("%s has shape %s; points are the rows of a matrix", path, ash_shape_text(points));
        return NULL;
    }
    if (ash_shape(points)[0] < how->k || ash_shape(points)[1] == 0) {
        tool_fail("%s has shape %s; %" PRId64 " clusters need as many points", path, ash_shape_text(points), how->k);
        return NULL;
    }
    /* x - x is NaN for an infinity as well */
    const ash_array *bad = ash_map_reduce_with("x -> x - x != 0", "||", ASH_OPERANDS(points),
                                               .axes = ASH_AXES(1), .drop = true);
    const int64_t count = tool_i64(ash_count(bad)), row = tool_i64(ash_argmax(bad));
    if (ash_failed()) {
        tool_fail_library();
        return NULL;
    }
    if (count > 0) {
        tool_fail("%s: row %" PRId64 " has a missing value or an infinity (%" PRId64 " such rows)", path, row, count);
        return NULL;
    }
    return points;
}

static int cluster_file(const char *path, const settings *how)
{
    const ash_array *points = read_points(path, how);
    if (!points)
        return TOOL_FAILED;
    host_result h = {.n = ash_shape(points)[0], .k = how->k, .d = ash_shape(points)[1]};
    if (how->svg && !choose_axes(points, how, h.d, h.axis))
        return TOOL_FAILED;
    const clustering c = best_run(points, how);
    if (!c.centres || ash_failed())
        return tool_fail_library();
    h.names = tool_column_names(path, &how->source, h.d);
    const int status = report(points, &c, how, &h);
    free(h.names);
    free(h.centre);
    free(h.size);
    free(h.label);
    return status;
}

static int run(int argc, char **argv)
{
    static const struct option options[] = {
        {"k", required_argument, NULL, 'k'},         {"seed", required_argument, NULL, 's'},
        {"runs", required_argument, NULL, 'r'},      {"steps", required_argument, NULL, 'm'},
        {"columns", required_argument, NULL, 'c'},   {"separator", required_argument, NULL, 'p'},
        {"svg", required_argument, NULL, 'v'},       {"axes", required_argument, NULL, 'a'},
        {"labels", required_argument, NULL, 'l'},    {"centroids", required_argument, NULL, 'o'},
        {0}};
    settings how = {.seed = 1, .runs = 10, .steps = 300};
    for (int option; (option = getopt_long(argc, argv, ":", options, NULL)) != -1;) {
        bool good = true;
        switch (option) {
        case 'k': good = tool_integer(&tool_kmeans, "--k", optarg, 1, 1000000, &how.k); break;
        case 's': good = tool_integer(&tool_kmeans, "--seed", optarg, 0, INT64_MAX, &how.seed); break;
        case 'r': good = tool_integer(&tool_kmeans, "--runs", optarg, 1, INT64_MAX, &how.runs); break;
        case 'm': good = tool_integer(&tool_kmeans, "--steps", optarg, 1, INT64_MAX, &how.steps); break;
        case 'c': how.source.columns = optarg; break;
        case 'p': how.source.separator = optarg; break;
        case 'v': how.svg = optarg; break;
        case 'a': how.axes = optarg; break;
        case 'l': how.labels = optarg; break;
        case 'o': how.centroids = optarg; break;
        default: return tool_bad_option(&tool_kmeans, argv, option);
        }
        if (!good)
            return TOOL_USAGE;
    }
    if (how.k == 0)
        return tool_fail_usage(&tool_kmeans, "the number of clusters is missing: --k N");
    if (argc - optind != 1)
        return tool_fail_usage(&tool_kmeans, argc == optind ? "a file is missing" : "one file at a time");
    if (!tool_writable(how.labels) || !tool_writable(how.centroids))
        return TOOL_FAILED;
    return cluster_file(argv[optind], &how);
}

const tool_command tool_kmeans = {
    "kmeans", "--k N [OPTIONS] FILE", "Clusters the rows of a file",
    "  --k N             the number of clusters\n"
    "  --seed N          of the random starting points, default 1; equal seeds give equal clusters\n"
    "  --runs N          take the best of so many runs, default 10\n"
    "  --steps N         the most steps of a run, default 300\n"
    "  --columns LIST    columns of a CSV file: 0:4, 0,2,-1, or names from its first line\n"
    "  --separator CHAR  of a CSV file; default a comma, a tab for .tsv\n"
    "  --svg FILE        a scatter plot\n"
    "  --axes X,Y        the columns to plot, counted among the chosen ones; default the two of greatest variance\n"
    "  --labels FILE     the cluster of each row, from 0, as .npy or .csv\n"
    "  --centroids FILE  the centroids as .npy or .csv\n\n"
    "Prints centroids, cluster sizes and inertia, the sum of squared distances to the nearest centroid. Clusters are\n"
    "ordered by their centroids.\n"
    "  ashlar kmeans iris.csv --columns 0:4 --k 3 --svg iris.svg\n", run};
