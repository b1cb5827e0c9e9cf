/* picture.h - an array as a grid of cells that fits a screen, the colours of the cells, and the grid as a PNG file. */
#ifndef PICTURE_H
#define PICTURE_H
#include "tool.h"

/* What is in a cell: a NaN or an infinity of the elements that it stands for is never averaged away. */
typedef enum cell_kind { CELL_FINITE, CELL_NAN, CELL_PLUS, CELL_MINUS } cell_kind;

typedef struct picture {
    int64_t rows, columns;
    double *mean;             /* of the finite elements of each cell, in row-major order */
    unsigned char *kind;      /* a cell_kind each */
    double low, high;         /* of all finite elements; low > high when there is none */
    int64_t nan, plus, minus; /* how many elements */
} picture;

/* a: a vector or a matrix of real numbers, at most rows by columns cells. false after a message; to be freed in any case. */
bool picture_make(const ash_array *a, int64_t rows, int64_t columns, picture *p);
void picture_free(picture *p);
/* Where a cell's mean lies between low (0) and high (1); 1/2 where these are equal. */
double picture_level(const picture *p, int64_t cell);

typedef struct colour {
    unsigned char r, g, b;
} colour;
typedef struct colour_map colour_map;
const colour_map *colour_map_named(const char *name); /* NULL: there is none of that name */
extern const char *const colour_map_names;
colour picture_colour(const picture *p, const colour_map *map, int64_t cell);

/* Each cell a square of `scale` pixels. Gives back the exit status. */
int picture_write_png(const picture *p, const colour_map *map, int64_t scale, const char *path);
#endif
