/*
 * chart.c - the frame of a chart as an SVG file.
 *
 * Ticks are the multiples of 1, 2 or 5 times a power of ten that give four to ten of them.
 */
#include "chart.h"

#include <math.h>

double chart_place(const chart_axis *a, double value)
{
    return a->from + (value - a->low) / (a->high - a->low) * (a->to - a->from);
}

static double round_step(double length)
{
    const double power = pow(10, floor(log10(length)));
    const double lead = length / power; /* 1 to 10 */
    return power * (lead < 1.5 ? 0.2 : lead < 3 ? 0.5 : lead < 7 ? 1 : 2);
}

chart_axis chart_axis_over(const double *value, int64_t n, const double *more, int64_t m, double from, double to)
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
    return (chart_axis){low - margin, high + margin, round_step(high - low), from, to};
}

void chart_text(const chart *c, const char *text)
{
    FILE *file = c->file;
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

static void write_head(const chart *c, const char *title)
{
    FILE *file = c->file;
    fprintf(file,
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" height=\"%d\" viewBox=\"0 0 %d %d\"\n"
            "     font-family=\"Helvetica, Arial, sans-serif\" font-size=\"13\" fill=\"#333333\">\n<title>",
            CHART_WIDTH, CHART_HEIGHT, CHART_WIDTH, CHART_HEIGHT);
    chart_text(c, title);
    fprintf(file,
            "</title>\n<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n"
            "<text x=\"%d\" y=\"32\" font-size=\"17\">",
            CHART_WIDTH, CHART_HEIGHT, CHART_LEFT);
    chart_text(c, title);
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

static void write_axes(const chart *c, const char *x_label, const char *y_label)
{
    FILE *file = c->file;
    const chart_axis *x = &c->x, *y = &c->y;
    fputs("<g stroke=\"#e3e3e3\" stroke-width=\"1\" shape-rendering=\"crispEdges\">\n", file);
    for (double k = ceil(x->low / x->step); k * x->step <= x->high; k++)
        fprintf(file, "<path d=\"M%.1f %.1fV%.1f\"/>\n", chart_place(x, k * x->step), y->from, y->to);
    for (double k = ceil(y->low / y->step); k * y->step <= y->high; k++)
        fprintf(file, "<path d=\"M%.1f %.1fH%.1f\"/>\n", x->from, chart_place(y, k * y->step), x->to);
    fprintf(file, "<path d=\"M%.1f %.1fV%.1fH%.1f\" stroke=\"#555555\" fill=\"none\"/>\n</g>\n", x->from, y->to, y->from,
            x->to);
    fputs("<g text-anchor=\"middle\">\n", file);
    for (double k = ceil(x->low / x->step); k * x->step <= x->high; k++) {
        fprintf(file, "<text x=\"%.1f\" y=\"%.1f\">", chart_place(x, k * x->step), y->from + 20);
        write_tick(file, k * x->step, x->step);
        fputs("</text>\n", file);
    }
    fprintf(file, "<text x=\"%.1f\" y=\"%.1f\" font-size=\"14\">", (x->from + x->to) / 2, y->from + 46);
    chart_text(c, x_label);
    fprintf(file, "</text>\n<text transform=\"translate(22 %.1f) rotate(-90)\" font-size=\"14\">", (y->from + y->to) / 2);
    chart_text(c, y_label);
    fputs("</text>\n</g>\n<g text-anchor=\"end\">\n", file);
    for (double k = ceil(y->low / y->step); k * y->step <= y->high; k++) {
        fprintf(file, "<text x=\"%.1f\" y=\"%.1f\">", x->from - 8, chart_place(y, k * y->step) + 4.5);
        write_tick(file, k * y->step, y->step);
        fputs("</text>\n", file);
    }
    fputs("</g>\n", file);
}

bool chart_open(chart *c, const char *path, const char *title, const char *x_label, const char *y_label)
{
    c->file = fopen(path, "w");
    if (!c->file)
        return false;
    write_head(c, title);
    write_axes(c, x_label, y_label);
    return true;
}

bool chart_close(chart *c)
{
    fputs("</svg>\n", c->file);
    const bool good = !ferror(c->file);
    return fclose(c->file) == 0 && good;
}
