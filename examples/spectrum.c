/*
 * spectrum.c - the cycle of the sun: the power spectrum of the yearly sunspot numbers, 1700 to 2008.
 *
 * 309 years: a length that is no power of two, and odd. The mean is taken off, a real transform gives 155 frequencies, and
 * |z|^2 / n is the power at each. The cycle of eleven years that H. Schwabe found in 1843 is the three highest lines. With a
 * path as its argument the program draws the spectrum.
 *
 * Output:
 * 309 years, mean 49.75
 * power   67506 at a period of 11.04 years
 * power   35910 at a period of  9.97 years
 * power   22804 at a period of 10.66 years
 * the variance from the spectrum 1631.12, from the numbers 1631.12
 */
#include <ashlar/ashlar.h>

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "curve.h"

enum { PEAKS = 3 };

static bool draw(const ash_array *frequency, const ash_array *power, const int64_t *peak, const char *path)
{
    ASH_SCOPE(scope);
    const int64_t n = ash_shape(power)[0];
    const size_t nbytes = (size_t)n * sizeof(double);
    double *x = malloc(nbytes), *y = malloc(nbytes);
    bool good = x && y && ash_to_host(frequency, x, nbytes) == ASH_OK &&
                ash_to_host(ash_map("p -> p/1000", power), y, nbytes) == ASH_OK;
    curve_mark mark[PEAKS];
    for (int k = 0; good && k < PEAKS; k++) {
        mark[k].point = peak[k];
        snprintf(mark[k].text, sizeof mark[k].text, "%.2f years", 1 / x[peak[k]]);
    }
    const curve plot = {.title = "Sunspots, 1700 to 2008: power spectrum", .x_label = "cycles per year",
                        .y_label = "power / 1000", .points = n, .x = x, .y = y, .marks = PEAKS, .mark = mark};
    if (good && !curve_write(&plot, path)) {
        fprintf(stderr, "%s: %s\n", path, strerror(errno));
        good = false;
    }
    free(y);
    free(x);
    return good;
}

int main(int argc, char **argv)
{
    ASH_SCOPE(scope);
    const ash_array *numbers = ash_view(ash_read_csv("examples/data/sunspots.csv", .dtype = ASH_F64), ASH_ALL, 1);
    const int64_t n = ash_shape(numbers)[0];
    const ash_array *mean = ash_mean(numbers);
    const ash_array *wave = ash_map("(x, m) -> x - m", numbers, mean);
    const ash_array *power = ash_map("(z, n) -> abs(z)^2 / n", ash_rfft(wave), (double)n);
    const ash_array *frequency = ash_rfftfreq(n, 1.0, .dtype = ASH_F64);

    int64_t peak[PEAKS];
    if (ash_to_host(ash_slice(ash_sortperm(power, .descending = true), 0, PEAKS), peak, sizeof peak) != ASH_OK) {
        fprintf(stderr, "%s\n", ash_error_text()); /* of whichever step failed */
        return 1;
    }
    printf("%d years, mean %.2f\n", (int)n, ash_item(mean, double));
    for (int k = 0; k < PEAKS; k++)
        printf("power %7.0f at a period of %5.2f years\n", ash_get_f64(power, peak[k]), 1 / ash_get_f64(frequency, peak[k]));
    /* Parseval: of an odd length every line but the first stands for two */
    printf("the variance from the spectrum %.2f, from the numbers %.2f\n", 2 * ash_item(ash_sum(power), double) / (double)n,
           ash_item(ash_var(numbers, .population = true), double));

    if (argc < 2 || draw(frequency, power, peak, argv[1]))
        return 0;
    if (ash_failed())
        fprintf(stderr, "%s\n", ash_error_text());
    return 1;
}
