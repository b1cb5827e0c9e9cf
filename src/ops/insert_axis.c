/* insert_axis.c - axes of size 1 put in and taken out. */
#include "ashlar/view.h"
#include "core/array.h"
#include "core/error.h"
#include "core/options.h"

ash_array *ash_insert_axis(const ash_array *a, int64_t axis)
{
    static const char f[] = "ash_insert_axis";
    int64_t at = 0, shape[ASH_MAX_RANK], stride[ASH_MAX_RANK];
    if (ash__check_array(f, "a", a) || ash__check_axis(f, axis, a->rank + 1, &at))
        return NULL;
    if (a->rank == ASH_MAX_RANK) {
        ash__fail(ASH_ERR_SHAPE, f, "the view would have rank %d; ranks 0 to %d are supported", ASH_MAX_RANK + 1, ASH_MAX_RANK);
        return NULL;
    }
    for (int64_t k = 0; k <= a->rank; k++) {
        const int64_t from = k - (k > at);
        shape[k] = k == at ? 1 : a->shape[from];
        stride[k] = k != at ? a->stride[from] : at < a->rank ? a->stride[at] * a->shape[at] : (int64_t)ash_dtype_size(a->dtype);
    }
    return ash__view(f, a, a->dtype, shape, stride, a->rank + 1, a->offset);
}

ash_array *ash_squeeze_opt(const ash_array *a, const ash_squeeze_options *options)
{
    static const char f[] = "ash_squeeze";
    ash_squeeze_options o;
    uint32_t out = 0;
    int64_t shape[ASH_MAX_RANK], stride[ASH_MAX_RANK], rank = 0;
    if (!ash__read_options(f, &o, sizeof o, options) || ash__check_array(f, "a", a) ||
        ash__check_axes(f, o.axes, a->rank, &out))
        return NULL;
    for (int32_t k = 0; k < a->rank; k++) {
        if (out >> k & 1 && o.axes.axis && a->shape[k] != 1) {
            ash__fail(ASH_ERR_SHAPE, f, "axis %d has size %lld; only axes of size 1 can be left out", (int)k,
                      (long long)a->shape[k]);
            return NULL;
        }
        if (!(out >> k & 1) || a->shape[k] != 1)
            shape[rank] = a->shape[k], stride[rank++] = a->stride[k];
    }
    return ash__view(f, a, a->dtype, shape, stride, rank, a->offset);
}
