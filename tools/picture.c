/*
 * picture.c - an array as a grid of cells that fits a screen, and the colours of the cells.
 *
 * A larger array is cut into blocks of nearly equal size, whose finite elements are averaged. One row is in memory at a time,
 * so that files larger than memory can be looked at.
 */
#include "picture.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- cells */

static void add(picture *p, int64_t cell, int64_t *finite, double x)
{
    if (isfinite(x)) {
        p->low = fmin(p->low, x);
        p->high = fmax(p->high, x);
        p->mean[cell] += (x - p->mean[cell]) / (double)++*finite; /* no sum that could overflow */
        return;
    }
    const cell_kind kind = isnan(x) ? CELL_NAN : x > 0 ? CELL_PLUS : CELL_MINUS;
    if (p->kind[cell] == CELL_FINITE || kind == CELL_NAN)
        p->kind[cell] = (unsigned char)kind;
    p->nan += kind == CELL_NAN;
    p->plus += kind == CELL_PLUS;
    p->minus += kind == CELL_MINUS;
}

/* n elements of row `row`, from column `first` on. */
static void add_row(picture *p, int64_t row, int64_t *finite, const double *value, int64_t n)
{
    for (int64_t j = 0; j < p->columns; j++)
        for (int64_t k = j * n / p->columns; k < (j + 1) * n / p->columns; k++)
            add(p, row * p->columns + j, &finite[j], value[k]);
}

/* The rows [first, first + count) of the array become row `row` of the picture. */
static bool add_strip(picture *p, const ash_array *a, int64_t row, int64_t first, int64_t count)
{
    const int64_t n = ash_shape(a)[1];
    double *value = malloc((size_t)n * sizeof *value);
    int64_t *finite = calloc((size_t)p->columns, sizeof *finite);
    bool good = value && finite;
    if (!good)
        tool_fail("out of memory");
    for (int64_t i = first; good && i < first + count; i++) {
        ASH_SCOPE(scope);
        const ash_array *one = ash_slice(a, i, i + 1, .axes = ASH_AXES(0));
        good = ash_to_host_as(one, value, (size_t)n * sizeof *value, ASH_F64) == ASH_OK;
        if (good)
            add_row(p, row, finite, value, n);
        else
            tool_fail_library();
    }
    free(value);
    free(finite);
    return good;
}

bool picture_make(const ash_array *a, int64_t rows, int64_t columns, picture *p)
{
    ASH_SCOPE(scope);
    if (ash_rank(a) < 2)
        a = ash_reshape(a, ASH_SHAPE(1, ASH_INFER));
    if (!a) {
        tool_fail_library();
        return false;
    }
    const int64_t n = ash_shape(a)[0], m = ash_shape(a)[1];
    *p = (picture){.rows = n < rows ? n : rows, .columns = m < columns ? m : columns, .low = INFINITY, .high = -INFINITY};
    const int64_t cells = p->rows * p->columns;
    p->mean = calloc((size_t)cells + 1, sizeof *p->mean);
    p->kind = calloc((size_t)cells + 1, sizeof *p->kind);
    if (!p->mean || !p->kind) {
        tool_fail("out of memory");
        return false;
    }
    for (int64_t i = 0; cells > 0 && i < p->rows; i++) {
        const int64_t first = i * n / p->rows;
        if (!add_strip(p, a, i, first, (i + 1) * n / p->rows - first))
            return false;
        tool_progress("looking at row %lld of %lld", (long long)first, (long long)n);
    }
    tool_progress_end();
    return true;
}

void picture_free(picture *p)
{
    free(p->mean);
    free(p->kind);
}

double picture_level(const picture *p, int64_t cell)
{
    if (!(p->high > p->low))
        return 0.5;
    /* halves, so that no difference overflows */
    const double level = (p->mean[cell] / 2 - p->low / 2) / (p->high / 2 - p->low / 2);
    return fmax(0, fmin(1, level));
}

/* ---- colours */

struct colour_map {
    const char *name;
    int count;
    colour point[16]; /* at equal distances, from 0 to 1 */
};

/* viridis: every 17th of the 256 entries of matplotlib's _cm_listed.py (S. van der Walt and N. Smith, CC0), times 255. */
static const colour_map maps[] = {
    {"viridis",
     16,
     {{68, 1, 84},
      {72, 26, 108},
      {71, 47, 125},
      {65, 68, 135},
      {57, 86, 140},
      {49, 104, 142},
      {42, 120, 142},
      {35, 136, 142},
      {31, 152, 139},
      {34, 168, 132},
      {53, 183, 121},
      {84, 197, 104},
      {122, 209, 81},
      {165, 219, 54},
      {210, 226, 27},
      {253, 231, 37}}},
    {"gray", 2, {{0, 0, 0}, {255, 255, 255}}},
};
const char *const colour_map_names = "viridis or gray";

const colour_map *colour_map_named(const char *name)
{
    for (size_t i = 0; i < sizeof maps / sizeof maps[0]; i++)
        if (strcmp(name, maps[i].name) == 0)
            return &maps[i];
    return NULL;
}

static unsigned char between(unsigned char a, unsigned char b, double t)
{
    return (unsigned char)lround(a + t * (b - a));
}

/* Colours that are in none of the maps stand for what has no level. */
colour picture_colour(const picture *p, const colour_map *map, int64_t cell)
{
    static const colour others[] = {[CELL_NAN] = {220, 50, 47}, [CELL_PLUS] = {255, 160, 220}, [CELL_MINUS] = {90, 160, 255}};
    if (p->kind[cell] != CELL_FINITE)
        return others[p->kind[cell]];
    const double at = picture_level(p, cell) * (map->count - 1);
    const int i = at < map->count - 2 ? (int)at : map->count - 2;
    const colour a = map->point[i], b = map->point[i + 1];
    return (colour){between(a.r, b.r, at - i), between(a.g, b.g, at - i), between(a.b, b.b, at - i)};
}
