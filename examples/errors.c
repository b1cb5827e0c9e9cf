/*
 * errors.c - an error waits until it is taken, and what was made with the failed array fails with it: one check is enough.
 *
 * Output:
 * ash_map: unknown name squrt; did you mean sqrt?
 *   x -> squrt(x)
 *        ^
 * status shape from ash_map
 * nothing pending: yes
 */
#include <ashlar/ashlar.h>

int main(void)
{
    ASH_SCOPE(scope);
    ash_array *a = ash_f32(1, 4, 9);
    ash_array *root = ash_map("x -> squrt(x)", a);
    ash_array *sum = ash_sum(ash_map("x -> x + 1", root)); /* NULL goes in, NULL comes out; the first cause stays */
    if (!sum)
        printf("%s\n", ash_error_text());

    ash_error error; /* the parts of an error: for a binding, or to act on the status */
    ash_map("(x, y) -> x + y", a, ash_f32(1, 2));
    if (ash_error_take(&error, sizeof error))
        printf("status %s from %s\n", ash_status_name(error.status), error.function);
    printf("nothing pending: %s\n", ash_failed() ? "no" : "yes");
    return 0;
}
