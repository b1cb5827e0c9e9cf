/* index.c - elements picked by any mix of integers, ranges, index arrays and masks. */
#include "ashlar/index.h"
#include "core/error.h"
#include "core/options.h"
#include "ops/mask.h"
#include "ops/selection.h"

/* Only a mask of the shape of a, whose elements can be selected in one pass? */
static bool is_whole_mask(const ash_array *a, const ash_index *items, int64_t count)
{
    if (count != 1 || !items || items->kind != ASH_INDEX_ARRAY || a->conjugated || !ash__mask_selects(a->dtype))
        return false;
    const ash_array *const mask = items->array;
    return mask && !mask->released && mask->dtype == ASH_BOOL && ash__device(mask) == ash__device(a) && ash_same_shape(mask, a);
}

ash_array *ash_index_opt(const ash_array *a, const ash_index *items, int64_t count, const ash_index_options *options)
{
    static const char f[] = "ash_index";
    ash_index_options o;
    ash__selection s;
    if (!ash__read_options(f, &o, sizeof o, options) || ash__check_array(f, "a", a))
        return NULL;
    if (is_whole_mask(a, items, count))
        return ash__mask_select(f, a, items[0].array, o.resources);
    if ((o.linear ? ash__select_linear : ash__select_items)(&s, f, a, items, count, ash__layout_like(a), o.resources))
        return NULL;
    ash_array *out = ash__selection_get(&s, a);
    ash__selection_end(&s);
    return out;
}
