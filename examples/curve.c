/* curve.c - one curve as an SVG file, some of its points marked and named. */
#include "curve.h"

#include "chart.h"

enum { MARGIN = 32 }; /* no legend stands on the right */

static void write_line(const chart *c, const curve *plot)
{
    fputs("<path fill=\"none\" stroke=\"#4e79a7\" stroke-width=\"1.6\" stroke-linejoin=\"round\" d=\"", c->file);
    for (int64_t i = 0; i < plot->points; i++)
        fprintf(c->file, "%c%.1f %.1f\n", i ? 'L' : 'M', chart_place(&c->x, plot->x[i]), chart_place(&c->y, plot->y[i]));
    fputs("\"/>\n", c->file);
}

static void write_marks(const chart *c, const curve *plot)
{
    for (int64_t k = 0; k < plot->marks; k++) {
        const int64_t i = plot->mark[k].point;
        const double x = chart_place(&c->x, plot->x[i]), y = chart_place(&c->y, plot->y[i]);
        fprintf(c->file, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" fill=\"#e15759\"/>\n<text x=\"%.1f\" y=\"%.1f\">", x, y,
                x + 8, y + 4.5);
        chart_text(c, plot->mark[k].text);
        fputs("</text>\n", c->file);
    }
}

bool curve_write(const curve *plot, const char *path)
{
    chart c = {.x = chart_axis_over(plot->x, plot->points, NULL, 0, CHART_LEFT, CHART_WIDTH - MARGIN),
               .y = chart_axis_over(plot->y, plot->points, NULL, 0, CHART_HEIGHT - CHART_BOTTOM, CHART_TOP)};
    if (!chart_open(&c, path, plot->title, plot->x_label, plot->y_label))
        return false;
    write_line(&c, plot);
    write_marks(&c, plot);
    return chart_close(&c);
}
