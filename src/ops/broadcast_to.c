/* broadcast_to.c - an array as if it were larger: axes of size 1 repeat their element. The result is read-only. */
#include "ashlar/view.h"
#include "core/array.h"
#include "core/error.h"

ash_array *ash_broadcast_to(const ash_array *a, ash_dims shape)
{
    static const char f[] = "ash_broadcast_to";
    int64_t count, stride[ASH_MAX_RANK];
    if (ash__check_array(f, "a", a) || ash__check_shape(f, shape, ash_dtype_size(a->dtype), &count))
        return NULL;
    bool repeats = false, fits = a->rank <= shape.rank;
    for (int64_t k = 0; k < shape.rank && fits; k++) {
        const int64_t from = k - (shape.rank - a->rank);
        const int64_t size = from < 0 ? 1 : a->shape[from];
        fits = size == shape.size[k] || size == 1;
        stride[k] = size == shape.size[k] && from >= 0 ? a->stride[from] : 0;
        repeats |= size != shape.size[k] && shape.size[k] > 1;
    }
    if (!fits) {
        char text[ASH__SHAPE_TEXT];
        ash__fail(ASH_ERR_SHAPE, f, "shape %s does not broadcast to %s", ash_shape_text(a),
                  ash__shape_text(text, sizeof text, shape.size, shape.rank));
        return NULL;
    }
    if (count == 0)
        for (int64_t k = 0; k < shape.rank; k++)
            stride[k] = 0;
    ash_array *v = ash__view(f, a, a->dtype, shape.size, stride, shape.rank, a->offset);
    if (v)
        v->readonly |= repeats;
    return v;
}
