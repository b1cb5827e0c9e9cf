/* calls.c REPEATS FORM - maps of 16 elements: of a kept function into an array, or of a text with a new array. */
#include <stdlib.h>

#include "ashlar/ashlar.h"

int main(int count, char **argument)
{
    if (count != 3)
        return 2;
    const long repeats = strtol(argument[1], NULL, 10);
    ash_array *const a = ash_ones(ASH_SHAPE(16)), *const out = ash_zeros(ASH_SHAPE(16));
    ash_function *const f = ash_function_new("a -> a*a + 1");
    for (long k = 0; k < repeats; k++)
        if (argument[2][0] == 'k')
            ash_map_into(out, f, a);
        else
            ash_release(ash_map("(a, b) -> a + b", a, a));
    ash_function_release(f);
    ash_release(a);
    ash_release(out);
    return ash_failed();
}
