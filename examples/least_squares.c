/*
 * least_squares.c - a linear model of a real table: employment in the United States, 1947 to 1962.
 *
 * Longley's table (examples/data/README.md) is hard: its columns are nearly dependent, the condition number is 5e9. By way of
 * the normal equations, whose condition number is the square of that, no digit would be left; Householder's QR keeps nine or
 * more. The coefficients to compare with are certified by NIST (Statistical Reference Datasets, Longley).
 *
 * Output:
 *                        found       certified
 * intercept        -3482258.63     -3482258.63
 * deflator          15.0618723      15.0618723
 * gnp             -0.035819179    -0.035819179
 * unemployed       -2.02022980     -2.02022980
 * armed forces     -1.03322687     -1.03322687
 * population       -0.05110411     -0.05110411
 * year              1829.15146      1829.15146
 * residual standard deviation 304.8541, certified 304.8541
 * R squared 0.995479, certified 0.995479
 */
#include <ashlar/ashlar.h>

#include <math.h>

enum { COEFFICIENTS = 7 };
static const struct {
    const char *name;
    double value; /* NIST, to the digits of a double */
    int decimals; /* to print */
} certified[COEFFICIENTS] = {
    {"intercept", -3482258.63459582, 2},      {"deflator", 15.0618722713733, 7},     {"gnp", -0.358191792925910e-01, 9},
    {"unemployed", -2.02022980381683, 8},     {"armed forces", -1.03322686717359, 8}, {"population", -0.511041056535807e-01, 8},
    {"year", 1829.15146461355, 5},
};

int main(void)
{
    ASH_SCOPE(scope);
    const ash_array *table = ash_read_csv("examples/data/longley.csv", .dtype = ASH_F64);
    const int64_t n = ash_shape(table)[0];
    const ash_array *y = ash_view(table, ASH_ALL, 0);
    const ash_array *A = ash_concat(ASH_ARRAYS(ash_ones(ASH_SHAPE(n, 1), .dtype = ASH_F64), ash_slice(table, 1, ASH_OPEN,
                                                                                                   .axes = ASH_AXES(1))),
                                    .axis = 1);

    const ash_array *x = ash_lstsq(A, y);
    const double squares = ash_item(ash_map_reduce("(y, m) -> (y - m)^2", "+", y, ash_matmul(A, x)), double);
    const double total = ash_item(ash_map_reduce("(y, m) -> (y - m)^2", "+", y, ash_mean(y)), double);

    double found[COEFFICIENTS];
    if (ash_to_host(x, found, sizeof found) != ASH_OK) { /* or any step before */
        fprintf(stderr, "%s\n", ash_error_text());
        return 1;
    }
    printf("%-12s %15s %15s\n", "", "found", "certified");
    for (int k = 0; k < COEFFICIENTS; k++)
        printf("%-12s %15.*f %15.*f\n", certified[k].name, certified[k].decimals, found[k], certified[k].decimals,
               certified[k].value);
    printf("residual standard deviation %.4f, certified 304.8541\n", sqrt(squares / (double)(n - COEFFICIENTS)));
    printf("R squared %.6f, certified 0.995479\n", 1 - squares / total);
    return 0;
}
