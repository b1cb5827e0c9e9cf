/* select.c - the elements, or slices along an axis, where a mask is true. */
#include "ashlar/index.h"
#include "core/error.h"
#include "core/options.h"
#include "ops/mask.h"
#include "ops/place.h"
#include "ops/selection.h"

static ash_status check_mask(const char *function, const ash_array *a, const ash_array *mask)
{
    const ash_status status = ash__check_array(function, "mask", mask);
    if (status)
        return status;
    if (mask->dtype != ASH_BOOL)
        return ash__fail(ASH_ERR_DTYPE, function, "the mask is %s; bool is wanted", ash_dtype_name(mask->dtype));
    if (ash__device(mask) != ash__device(a))
        return ash__fail(ASH_ERR_DEVICE, function, "the mask is on %s and a on %s", ash__device(mask)->name,
                         ash__device(a)->name);
    return ASH_OK;
}

static ash_array *by_items(const char *function, const ash_array *a, const ash_index *item, int64_t count, ash_layout layout,
                           ash_resources *given)
{
    ash__selection s;
    if (ash__select_items(&s, function, a, item, count, layout, given))
        return NULL;
    ash_array *out = ash__selection_get(&s, a);
    ash__selection_end(&s);
    return out;
}

static ash_array *elements(const char *function, const ash_array *a, const ash_array *mask, ash_resources *given)
{
    if (!ash_same_shape(a, mask)) {
        ash__fail(ASH_ERR_SHAPE, function, "the mask has shape %s and a %s; they must be equal", ash_shape_text(mask),
                  ash_shape_text(a));
        return NULL;
    }
    const ash_index item = ash_index_array(mask);
    if (!ash__mask_selects(a->dtype))
        return by_items(function, a, &item, 1, ASH_ROW_MAJOR, given);
    ash_array *plain = ash__plain(function, a, a->dtype, false, given);
    ash_array *out = plain ? ash__mask_select(function, plain, mask, given) : NULL;
    ash_release(plain);
    return out;
}

static ash_array *slices(const char *function, const ash_array *a, const ash_array *mask, ash_axes axes, ash_resources *given)
{
    int64_t axis;
    ash_index item[ASH_MAX_RANK];
    if (axes.count != 1) {
        ash__fail(ASH_ERR_ARGUMENT, function, "%lld axes are given; slices are along one", (long long)axes.count);
        return NULL;
    }
    if (ash__check_axis(function, axes.axis[0], a->rank, &axis))
        return NULL;
    if (mask->rank != 1 || mask->shape[0] != a->shape[axis]) {
        ash__fail(ASH_ERR_SHAPE, function, "the mask has shape %s; (%lld), the size of axis %lld, is wanted",
                  ash_shape_text(mask), (long long)a->shape[axis], (long long)axis);
        return NULL;
    }
    for (int64_t k = 0; k < axis; k++)
        item[k] = ash_index_all();
    item[axis] = ash_index_array(mask);
    return by_items(function, a, item, axis + 1, ash__layout_like(a), given);
}

ash_array *ash_select_opt(const ash_array *a, const ash_array *mask, const ash_select_options *options)
{
    static const char f[] = "ash_select";
    ash_select_options o;
    if (!ash__read_options(f, &o, sizeof o, options) || ash__check_array(f, "a", a) || check_mask(f, a, mask))
        return NULL;
    return o.axes.axis ? slices(f, a, mask, o.axes, o.resources) : elements(f, a, mask, o.resources);
}
