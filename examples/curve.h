/* curve.h - one curve as an SVG file, some of its points marked and named. */
#ifndef CURVE_H
#define CURVE_H
#include <stdbool.h>
#include <stdint.h>

typedef struct curve_mark {
    int64_t point; /* which of the points */
    char text[24]; /* stands beside it */
} curve_mark;

typedef struct curve {
    const char *title, *x_label, *y_label; /* plain text in UTF-8 */
    int64_t points;
    const double *x, *y; /* all finite */
    int64_t marks;
    const curve_mark *mark;
} curve;

/* false, with errno set, when the file cannot be written. */
bool curve_write(const curve *plot, const char *path);
#endif
