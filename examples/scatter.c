/*
 * scatter.c - a scatter plot of clustered points: a colour for each cluster, a cross for each centroid, a legend with the
 * sizes.
 *
 * Above MAX_POINTS points every n-th is drawn: more would only slow the viewer.
 */
#include "scatter.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>

#include "chart.h"

enum { MAX_POINTS = 20000, MAX_LEGEND = 20 };

/* Tableau's ten, which stay apart for most colour-blind readers; further clusters repeat them. */
static const char *const colours[] = {"#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#b07aa1",
                                      "#edc948", "#76b7b2", "#ff9da7", "#9c755f", "#79706e"};
static const char *colour(int64_t cluster)
{
    return colours[cluster % (int64_t)(sizeof colours / sizeof colours[0])];
}

static void write_points(const chart *frame, const scatter *plot)
{
    FILE *file = frame->file;
    const int64_t every = (plot->points + MAX_POINTS - 1) / MAX_POINTS;
    const double radius = plot->points <= 1000 ? 4 : plot->points <= 5000 ? 3 : 2;
    for (int64_t c = 0; c < plot->clusters; c++) {
        fprintf(file, "<g fill=\"%s\" fill-opacity=\"0.6\" stroke=\"%s\" stroke-width=\"0.6\">\n", colour(c), colour(c));
        for (int64_t i = 0; i < plot->points; i += every)
            if (plot->label[i] == c && isfinite(plot->x[i]) && isfinite(plot->y[i]))
                fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%g\"/>\n", chart_place(&frame->x, plot->x[i]),
                        chart_place(&frame->y, plot->y[i]), radius);
        fputs("</g>\n", file);
    }
}

/* A cross in the cluster's colour between a white and a dark outline, so that it is seen on any crowd of points. */
static void write_cross(FILE *file, double x, double y, const char *fill)
{
    static const struct {
        const char *stroke;
        int width;
    } line[] = {{"#ffffff", 8}, {"#222222", 6}, {NULL, 3}};
    for (int i = 0; i < 3; i++)
        fprintf(file, "<path d=\"M%.1f %.1fl12 12m0 -12l-12 12\" stroke=\"%s\" stroke-width=\"%d\"/>\n", x - 6, y - 6,
                line[i].stroke ? line[i].stroke : fill, line[i].width);
}

static void write_centres(const chart *frame, const scatter *plot)
{
    FILE *file = frame->file;
    fputs("<g fill=\"none\" stroke-linecap=\"round\">\n", file);
    for (int64_t c = 0; c < plot->clusters; c++)
        if (isfinite(plot->centre_x[c]) && isfinite(plot->centre_y[c]))
            write_cross(file, chart_place(&frame->x, plot->centre_x[c]), chart_place(&frame->y, plot->centre_y[c]), colour(c));
    fputs("</g>\n", file);
}

static void write_name(const chart *frame, const scatter *plot, int64_t cluster)
{
    if (plot->names)
        chart_text(frame, plot->names[cluster]);
    else
        fprintf(frame->file, "cluster %" PRId64, cluster + 1);
}

static bool write_legend(const chart *frame, const scatter *plot)
{
    FILE *file = frame->file;
    int64_t *size = calloc((size_t)plot->clusters + 1, sizeof *size);
    if (!size)
        return false;
    for (int64_t i = 0; i < plot->points; i++)
        if (plot->label[i] >= 0 && plot->label[i] < plot->clusters)
            size[plot->label[i]]++;
    const int x = CHART_WIDTH - CHART_RIGHT + 24;
    int y = CHART_TOP + 14;
    for (int64_t c = 0; c < plot->clusters && c < MAX_LEGEND; c++, y += 22) {
        fprintf(file, "<circle cx=\"%d\" cy=\"%d\" r=\"5\" fill=\"%s\" fill-opacity=\"0.8\"/>\n", x, y, colour(c));
        fprintf(file, "<text x=\"%d\" y=\"%.1f\">", x + 14, y + 4.5);
        write_name(frame, plot, c);
        fprintf(file, ": %" PRId64 "</text>\n", size[c]);
    }
    free(size);
    if (plot->clusters > MAX_LEGEND) {
        fprintf(file, "<text x=\"%d\" y=\"%.1f\">and %" PRId64 " more</text>\n", x + 14, y + 4.5, plot->clusters - MAX_LEGEND);
        y += 22;
    }
    fputs("<g fill=\"none\" stroke-linecap=\"round\">\n", file);
    write_cross(file, x, y, "#bbbbbb");
    fprintf(file, "</g>\n<text x=\"%d\" y=\"%.1f\">centroid</text>\n", x + 14, y + 4.5);
    return true;
}

bool scatter_write(const scatter *plot, const char *path)
{
    chart c = {.x = chart_axis_over(plot->x, plot->points, plot->centre_x, plot->clusters, CHART_LEFT,
                                    CHART_WIDTH - CHART_RIGHT),
               .y = chart_axis_over(plot->y, plot->points, plot->centre_y, plot->clusters,
                                    CHART_HEIGHT - CHART_BOTTOM, CHART_TOP)};
    if (!chart_open(&c, path, plot->title, plot->x_label, plot->y_label))
        return false;
    write_points(&c, plot);
    write_centres(&c, plot);
    const bool good = write_legend(&c, plot);
    return chart_close(&c) && good;
}
