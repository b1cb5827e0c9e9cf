/* sortperm.c - where the elements in order come from. */
#include "core/options.h"
#include "ops/sorting.h"

ash_array *ash_sortperm_opt(const ash_array *a, const ash_sort_options *options)
{
    static const char f[] = "ash_sortperm";
    ash_sort_options o;
    ash__sorting s;
    if (!ash__read_options(f, &o, sizeof o, options) || ash__sorting_begin(&s, f, a, &o))
        return NULL;
    ash_array *const out = ash__sorting_positions(&s);
    ash__sorting_end(&s);
    return out;
}
