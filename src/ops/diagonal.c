/* diagonal.c - the diagonal of two axes as the last axis of a view. */
#include "ashlar/view.h"
#include "core/array.h"
#include "core/error.h"
#include "core/options.h"

ash_array *ash_diagonal_opt(const ash_array *a, const ash_diagonal_options *options)
{
    static const char f[] = "ash_diagonal";
    ash_diagonal_options o;
    uint32_t bits = 0;
    int64_t rows = a ? a->rank - 2 : 0, columns = a ? a->rank - 1 : 0;
    if (!ash__read_options(f, &o, sizeof o, options) || ash__check_array(f, "a", a))
        return NULL;
    if (a->rank < 2) {
        ash__fail(ASH_ERR_SHAPE, f, "a has shape %s; a diagonal runs along two axes", ash_shape_text(a));
        return NULL;
    }
    if (o.axes.axis && o.axes.count != 2) {
        ash__fail(ASH_ERR_ARGUMENT, f, "%lld axes are given; a diagonal runs along two", (long long)o.axes.count);
        return NULL;
    }
    if (o.axes.axis && (ash__check_axes(f, o.axes, a->rank, &bits) || ash__check_axis(f, o.axes.axis[0], a->rank, &rows) ||
                        ash__check_axis(f, o.axes.axis[1], a->rank, &columns)))
        return NULL;
    int64_t shape[ASH_MAX_RANK], stride[ASH_MAX_RANK], rank = 0, offset = a->offset, length = 0;
    for (int32_t k = 0; k < a->rank; k++)
        if (k != rows && k != columns)
            shape[rank] = a->shape[k], stride[rank++] = a->stride[k];
    if (o.offset > -a->shape[rows] && o.offset < a->shape[columns]) {
        const int64_t down = o.offset < 0 ? -o.offset : 0, right = o.offset > 0 ? o.offset : 0;
        length = a->shape[rows] - down < a->shape[columns] - right ? a->shape[rows] - down : a->shape[columns] - right;
        offset += down * a->stride[rows] + right * a->stride[columns];
    }
    shape[rank] = length;
    stride[rank++] = a->stride[rows] + a->stride[columns];
    return ash__view(f, a, a->dtype, shape, stride, rank, offset);
}
