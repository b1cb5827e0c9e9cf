/*
 * records.c - arrays of C structs: described once, fields as views, fields in function strings.
 *
 * Output:
 * ash.vector particle[2] cpu:0 [(x = [1.0 2.0 3.0], m = 2.0) (x = [0.0 0.0 0.0], m = 4.0)]
 * ash.vector f64[2] cpu:0 view [2.0 4.0]
 * ash.vector f64[2] cpu:0 [1.0 2.0]
 */
#include <ashlar/ashlar.h>

ASH_RECORD(particle, (f32, x, 3), (f64, m));

int main(void)
{
    ASH_SCOPE(scope);
    const particle host[] = {{{1, 2, 3}, 2}, {{0, 0, 0}, 4}};
    ash_array *p = ash_from_host(host, particle_dtype(), ASH_SHAPE(2));
    ash_print(p);
    ash_print(ash_field(p, "m"));
    ash_print(ash_map("p -> p.m / 2", p));
    if (ash_failed())
        fprintf(stderr, "%s\n", ash_error_text());
    return 0;
}
