/* take.c - elements, or slices along an axis, from the places an array of indices names. */
#include "ashlar/index.h"
#include "core/error.h"
#include "core/options.h"
#include "core/shape.h"
#include "ops/selection.h"

ash_array *ash_take_opt(const ash_array *a, const ash_array *indices, const ash_take_options *options)
{
    static const char f[] = "ash_take";
    ash_take_options o;
    ash__selection s;
    int64_t axis;
    if (!ash__read_options(f, &o, sizeof o, options) || ash__check_array(f, "a", a) ||
        ash__check_axis(f, o.axis, a->rank, &axis) ||
        ash__select_axis(&s, f, a, axis, indices, ash__layout_like(a), o.resources))
        return NULL;
    ash_array *out = ash__selection_get(&s, a);
    ash__selection_end(&s);
    return out;
}
