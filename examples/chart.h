/*
 * chart.h - the frame of a chart as an SVG file: title, axes with round ticks, grid, labels. What is drawn inside it is added
 * by scatter.c and curve.c.
 *
 * Data coordinates go to the picture's by one affine map per axis (struct chart_axis).
 */
#ifndef CHART_H
#define CHART_H
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { CHART_WIDTH = 760, CHART_HEIGHT = 540, CHART_LEFT = 72, CHART_RIGHT = 176, CHART_TOP = 52, CHART_BOTTOM = 62 };

typedef struct chart_axis {
    double low, high, step; /* data: the ends, and the distance of two ticks */
    double from, to;        /* the same ends in the picture */
} chart_axis;

typedef struct chart {
    FILE *file;
    chart_axis x, y;
} chart;

/* An axis that holds the finite ones of these values, with a margin, from one end of the picture to the other. more may be
 * NULL where m is 0. */
chart_axis chart_axis_over(const double *value, int64_t n, const double *more, int64_t m, double from, double to);
double chart_place(const chart_axis *axis, double value);
/* Opens the file and writes the frame. The texts are plain, in UTF-8. false, with errno set, when the file cannot be made. */
bool chart_open(chart *c, const char *path, const char *title, const char *x_label, const char *y_label);
void chart_text(const chart *c, const char *text); /* with the characters of XML escaped */
/* false, with errno set, when anything could not be written. */
bool chart_close(chart *c);
#endif
