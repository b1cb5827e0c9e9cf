/* scatter.h - a scatter plot of clustered points as an SVG file. */
#ifndef SCATTER_H
#define SCATTER_H
#include <stdbool.h>
#include <stdint.h>

typedef struct scatter {
    const char *title, *x_label, *y_label; /* plain text in UTF-8 */
    int64_t points;
    const double *x, *y;  /* points that are not finite are left out */
    const int64_t *label; /* cluster of each point, 0 to clusters - 1 */
    int64_t clusters;
    const char *const *names; /* of the clusters; NULL: "cluster 1" and so on */
    const double *centre_x, *centre_y;
} scatter;

/* false, with errno set, when the file cannot be written. */
bool scatter_write(const scatter *plot, const char *path);
#endif
