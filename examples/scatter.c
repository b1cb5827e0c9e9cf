/*
 * scatter.c - a scatter plot of clustered points as an SVG file: axes with round ticks, a colour for each cluster, a cross
 * for each centroid, a legend with the sizes.
 *
 * Data coordinates go to the picture's by one affine map per axis (struct axis). Ticks are the multiples of 1, 2 or 5 times
 * a power of ten that give four to ten of them. Above MAX_POINTS points every n-th is drawn: more would only slow the viewer.
 */
#include "scatter.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

enum { WIDTH = 760, HEIGHT = 540, LEFT = 72, RIGHT = 176, TOP = 52, BOTTOM = 62, MAX_POINTS = 20000, MAX_LEGEND = 20 };

typedef struct axis {
    double low, high, step; /* data: the ends, and the distance of two ticks */
    double from, to;        /* the same ends in the picture */
} axis;

/* Tableau's ten, which stay apart for most colour-blind readers; further clusters repeat them. */
static const char *const colours[] = {"#4e79a7", "#f28e2b", "#59a14f", "#e15759", "#b07aa1",
                                      "#edc948", "#76b7b2", "#ff9da7", "#9c755f", "#79706e"};
static const char *colour(int64_t cluster)
{
    return colours[cluster % (int64_t)(sizeof colours / sizeof colours[0])];
}

static double place(const axis *a, double value)
{
    return a->from + (value - a->low) / (a->high - a->low) * (a->to - a->from);
}

static double round_step(double length)
{
    const double power = pow(10, floor(log10(length)));
    const double lead = length / power; /* 1 to 10 */
    return power * (lead < 1.5 ? 0.2 : lead < 3 ? 0.5 : lead < 7 ? 1 : 2);
}

static axis axis_over(const double *value, int64_t n, const double *more, int64_t m, double from, double to)
{
    double low = INFINITY, high = -INFINITY;
    for (int64_t i = 0; i < n + m; i++) {
        const double x = i < n ? value[i] : more[i - n];
        if (isfinite(x)) {
            low = fmin(low, x);
            high = fmax(high, x);
        }
    }
    if (!(low <= high))
        low = 0, high = 1;
    if (!(high - low > 1e-9 * fmax(fabs(low), fabs(high)))) { /* one value: a window around it */
        const double half = low == 0 ? 1 : fabs(low) / 2;
        low -= half;
        high += half;
    }
    const double margin = 0.04 * (high - low);
    return (axis){low - margin, high + margin, round_step(high - low), from, to};
}

static void write_text(FILE *file, const char *text)
{
    for (; *text; text++)
        switch (*text) {
        case '&': fputs("&amp;", file); break;
        case '<': fputs("&lt;", file); break;
        case '>': fputs("&gt;", file); break;
        case '"': fputs("&quot;", file); break;
        default: /* control characters are not allowed in XML */
            fputc((unsigned char)*text < ' ' ? ' ' : *text, file);
        }
}

static void write_head(FILE *file, const scatter *plot)
{
    fprintf(file,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\"\n"
            "     font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\" fill=\"#333333\">\n<title>",
            WIDTH, HEIGHT, WIDTH, HEIGHT);
    write_text(file, plot->title);
    fprintf(file,
            "</title>\n<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n"
            "<text x=\"%d\" y=\"32\" font-size=\"17\">",
            WIDTH, HEIGHT, LEFT);
    write_text(file, plot->title);
    fputs("</text>\n", file);
}

/* "0.30000000000000004" is no label: a tick is a whole number of steps, written to the digits of the step. */
static void write_tick(FILE *file, double tick, double step)
{
    if (fabs(tick) < step / 2)
        tick = 0;
    if (fabs(tick) >= 1e6 || step < 1e-5)
        fprintf(file, "%.4g", tick);
    else
        fprintf(file, "%.*f", step < 1 ? (int)ceil(-log10(step) - 1e-9) : 0, tick);
}

static void write_axes(FILE *file, const scatter *plot, const axis *x, const axis *y)
{
    fputs("<g stroke=\"#e3e3e3\" stroke-width=\"1\" shape-rendering=\"crispEdges\">\n", file);
    for (double k = ceil(x->low / x->step); k * x->step <= x->high; k++)
        fprintf(file, "<path d=\"M%.1f %.1fV%.1f\"/>\n", place(x, k * x->step), y->from, y->to);
    for (double k = ceil(y->low / y->step); k * y->step <= y->high; k++)
        fprintf(file, "<path d=\"M%.1f %.1fH%.1f\"/>\n", x->from, place(y, k * y->step), x->to);
    fprintf(file, "<path d=\"M%.1f %.1fV%.1fH%.1f\" stroke=\"#555555\" fill=\"none\"/>\n</g>\n", x->from, y->to, y->from,
            x->to);
    fputs("<g text-anchor=\"middle\">\n", file);
    for (double k = ceil(x->low / x->step); k * x->step <= x->high; k++) {
        fprintf(file, "<text x=\"%.1f\" y=\"%.1f\">", place(x, k * x->step), y->from + 20);
        write_tick(file, k * x->step, x->step);
        fputs("</text>\n", file);
    }
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"14\">", (x->from + x->to) / 2, y->from + 46);
    write_text(file, plot->x_label);
    fprintf(file, "</text>\n<text transform=\"translate(22 %.1f) rotate(-90)\" font-size=\"14\">", (y->from + y->to) / 2);
    write_text(file, plot->y_label);
    fputs("</text>\n</g>\n<g text-anchor=\"end\">\n", file);
    for (double k = ceil(y->low / y->step); k * y->step <= y->high; k++) {
        fprintf(file, "<text x=\"%.1f\" y=\"%.1f\">", x->from - 8, place(y, k * y->step) + 4.5);
        write_tick(file, k * y->step, y->step);
        fputs("</text>\n", file);
    }
    fputs("</g>\n", file);
}

static void write_points(FILE *file, const scatter *plot, const axis *x, const axis *y)
{
    const int64_t every = (plot->points + MAX_POINTS - 1) / MAX_POINTS;
    const double radius = plot->points <= 1000 ? 4 : plot->points <= 5000 ? 3 : 2;
    for (int64_t c = 0; c < plot->clusters; c++) {
        fprintf(file, "<g fill=\"%s\" fill-opacity=\"0.6\" stroke=\"%s\" stroke-width=\"0.6\">\n", colour(c), colour(c));
        for (int64_t i = 0; i < plot->points; i += every)
            if (plot->label[i] == c && isfinite(plot->x[i]) && isfinite(plot->y[i]))
                fprintf(file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"%g\"/>\n", place(x, plot->x[i]), place(y, plot->y[i]),
                        radius);
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

static void write_centres(FILE *file, const scatter *plot, const axis *x, const axis *y)
{
    fputs("<g fill=\"none\" stroke-linecap=\"round\">\n", file);
    for (int64_t c = 0; c < plot->clusters; c++)
        if (isfinite(plot->centre_x[c]) && isfinite(plot->centre_y[c]))
            write_cross(file, place(x, plot->centre_x[c]), place(y, plot->centre_y[c]), colour(c));
    fputs("</g>\n", file);
}

static bool write_legend(FILE *file, const scatter *plot)
{
    int64_t *size = calloc((size_t)plot->clusters + 1, sizeof *size);
    if (!size)
        return false;
    for (int64_t i = 0; i < plot->points; i++)
        if (plot->label[i] >= 0 && plot->label[i] < plot->clusters)
            size[plot->label[i]]++;
    const int x = WIDTH - RIGHT + 24;
    int y = TOP + 14;
    for (int64_t c = 0; c < plot->clusters && c < MAX_LEGEND; c++, y += 22) {
        fprintf(file, "<circle cx=\"%d\" cy=\"%d\" r=\"5\" fill=\"%s\" fill-opacity=\"0.8\"/>\n", x, y, colour(c));
        fprintf(file, "<text x=\"%d\" y=\"%.1f\">cluster %" PRId64 ": %" PRId64 "</text>\n", x + 14, y + 4.5, c + 1, size[c]);
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
    FILE *file = fopen(path, "w");
    if (!file)
        return false;
    const axis x = axis_over(plot->x, plot->points, plot->centre_x, plot->clusters, LEFT, WIDTH - RIGHT);
    const axis y = axis_over(plot->y, plot->points, plot->centre_y, plot->clusters, HEIGHT - BOTTOM, TOP);
    write_head(file, plot);
    write_axes(file, plot, &x, &y);
    write_points(file, plot, &x, &y);
    write_centres(file, plot, &x, &y);
    bool good = write_legend(file, plot);
    fputs("</svg>\n", file);
    good = !ferror(file) && good;
    return fclose(file) == 0 && good;
}
