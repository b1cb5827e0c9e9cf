/*
 * scopes.c - who releases what: scopes, keeping a result, a loop that holds one array.
 *
 * Output:
 * ash.vector f64[3] cpu:0 [1.0 2.0 3.0]
 * root of 2: 1.414213562
 * arrays left: 0
 */
#include <ashlar/ashlar.h>

/* A function that makes arrays opens a scope of its own and keeps what it returns: all else is released with the block. */
static ash_array *sorted_ends(const ash_array *a)
{
    ASH_SCOPE(scope);
    const ash_extrema_result ends = ash_extrema(a);
    ash_array *middle = ash_map("(lo, hi) -> (lo + hi) / 2", ends.min, ends.max);
    ash_array *result = ash_empty(ASH_SHAPE(3), .dtype = ash_dtype_of(a));
    ash_copy_into(ash_view(result, 0), ends.min);
    ash_copy_into(ash_view(result, 1), middle);
    ash_copy_into(ash_view(result, 2), ends.max);
    return ash_keep(scope, result);
}

static double root_of_two(void)
{
    ASH_SCOPE(scope);
    ash_array *x = ash_f64(1);
    for (int i = 0; i < 6; i++) {
        ASH_SCOPE(step); /* what one step makes ends with the step */
        ash_replace(&x, ash_map("x -> (x + 2/x) / 2", x)); /* held where the old x was; that one ends now */
    }
    return ash_get_f64(x, 0);
}

int main(void)
{
    {
        ASH_SCOPE(scope);
        ash_print(sorted_ends(ash_f64(3, 1, 2)));
        printf("root of 2: %.9f\n", root_of_two());
    }
    printf("arrays left: %lld\n", (long long)ash_live_arrays());
    if (ash_failed())
        fprintf(stderr, "%s\n", ash_error_text());
    return 0;
}
