/* index.c - elements picked by any mix of integers, ranges, index arrays and masks. */
#include "ashlar/index.h"
#include "core/error.h"
#include "core/options.h"
#include "ops/selection.h"

ash_array *ash_index_opt(const ash_array *a, const ash_index *items, int64_t count, const ash_index_options *options)
{
    static const char f[] = "ash_index";
    ash_index_options o;
    ash__selection s;
    if (!ash__read_options(f, &o, sizeof o, options) || ash__check_array(f, "a", a) ||
        ash__select_items(&s, f, a, items, count, ash__layout_like(a), o.resources))
        return NULL;
    ash_array *out = ash__selection_get(&s, a);
    ash__selection_end(&s);
    return out;
}
