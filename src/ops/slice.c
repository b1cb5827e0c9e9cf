/* slice.c - views of a range of an axis, and of any mix of integers, ranges, whole and new axes. */
#include "ops/slice.h"

#include "ashlar/view.h"
#include "core/array.h"
#include "core/error.h"
#include "core/options.h"

static ash_status out_of_bounds(const char *function, const char *what, int64_t value, int64_t axis, int64_t size)
{
    return ash__fail(ASH_ERR_BOUNDS, function, "%s %lld is out of bounds for axis %lld of size %lld", what, (long long)value,
                     (long long)axis, (long long)size);
}

ash_status ash__at_axis(const char *function, int64_t axis, int64_t size, int64_t index, int64_t *at)
{
    if (index < -size || index >= size)
        return out_of_bounds(function, "index", index, axis, size);
    *at = index < 0 ? index + size : index;
    return ASH_OK;
}

bool ash__is_extra_zero(const ash_index *item) { return item->kind == ASH_INDEX_AT && item->start == 0; }

ash_status ash__fail_too_many(const char *function, int32_t rank)
{
    return ash__fail(ASH_ERR_ARGUMENT, function, "more indices than the %d axes of a; only integers 0 may follow", (int)rank);
}

/* Forward ranges end at most at size; backward ones start at most at size - 1 and end, when open, before element 0. */
ash_status ash__cut_axis(const char *function, int64_t axis, int64_t size, int64_t start, int64_t stop, int64_t step,
                         ash__cut *cut)
{
    if (step == 0 || step == INT64_MIN)
        return ash__fail(ASH_ERR_ARGUMENT, function, "step %lld of axis %lld; it must not be 0", (long long)step,
                         (long long)axis);
    const bool back = step < 0;
    const int64_t top = back ? size - 1 : size;
    int64_t first = back ? size - 1 : 0, end = back ? -1 : size;
    if (start != ASH_OPEN) {
        first = start < 0 ? start + size : start;
        if (start < -size || (first > top && !(back && size == 0 && first == 0)))
            return out_of_bounds(function, "start", start, axis, size);
    }
    if (stop != ASH_OPEN) {
        end = stop < 0 ? stop + size : stop;
        if (stop < -size || end > size)
            return out_of_bounds(function, "stop", stop, axis, size);
    }
    const int64_t distance = back ? first - end : end - first, stride = back ? -step : step;
    cut->step = step;
    cut->count = distance > 0 ? (distance - 1) / stride + 1 : 0;
    cut->first = cut->count ? first : 0;
    return ASH_OK;
}

ash_array *ash_slice_opt(const ash_array *a, int64_t start, int64_t stop, const ash_slice_options *options)
{
    static const char f[] = "ash_slice";
    ash_slice_options o;
    int64_t axis = 0;
    ash__cut cut;
    if (!ash__read_options(f, &o, sizeof o, options) || ash__check_array(f, "a", a))
        return NULL;
    if (o.axes.axis && o.axes.count != 1) {
        ash__fail(ASH_ERR_ARGUMENT, f, "%lld axes are given; one can be cut", (long long)o.axes.count);
        return NULL;
    }
    if (ash__check_axis(f, o.axes.axis ? o.axes.axis[0] : 0, a->rank, &axis) ||
        ash__cut_axis(f, axis, a->shape[axis], start, stop, o.step ? o.step : 1, &cut))
        return NULL;
    int64_t shape[ASH_MAX_RANK], stride[ASH_MAX_RANK];
    for (int32_t k = 0; k < a->rank; k++)
        shape[k] = a->shape[k], stride[k] = a->stride[k];
    shape[axis] = cut.count;
    stride[axis] = cut.count > 1 ? cut.step * a->stride[axis] : a->stride[axis];
    return ash__view(f, a, a->dtype, shape, stride, a->rank, a->offset + cut.first * a->stride[axis]);
}

/* What is under construction: the axes made so far, and the axis of a that comes next. */
typedef struct making {
    int64_t shape[ASH_MAX_RANK], stride[ASH_MAX_RANK], rank, offset, next;
} making;

static ash_status put_axis(const char *function, making *m, int64_t size, int64_t stride)
{
    if (m->rank == ASH_MAX_RANK)
        return ash__fail(ASH_ERR_SHAPE, function, "the view has more than %d axes", ASH_MAX_RANK);
    m->shape[m->rank] = size;
    m->stride[m->rank++] = stride;
    return ASH_OK;
}

static ash_status apply(const char *function, const ash_array *a, const ash_index *index, making *m)
{
    const int64_t axis = m->next;
    if (index->kind == ASH_INDEX_NEW)
        return put_axis(function, m, 1, axis < a->rank ? a->stride[axis] * a->shape[axis] : (int64_t)ash_dtype_size(a->dtype));
    if (axis == a->rank && ash__is_extra_zero(index))
        return ASH_OK;
    if (axis == a->rank)
        return ash__fail_too_many(function, a->rank);
    m->next++;
    int64_t at = 0;
    ash__cut cut;
    ash_status status = ASH_OK;
    switch (index->kind) {
    case ASH_INDEX_ALL:
        return put_axis(function, m, a->shape[axis], a->stride[axis]);
    case ASH_INDEX_AT:
        status = ash__at_axis(function, axis, a->shape[axis], index->start, &at);
        if (!status)
            m->offset += at * a->stride[axis];
        return status;
    case ASH_INDEX_RANGE:
        status = ash__cut_axis(function, axis, a->shape[axis], index->start, index->stop, index->step, &cut);
        if (status)
            return status;
        m->offset += cut.first * a->stride[axis];
        return put_axis(function, m, cut.count, cut.count > 1 ? cut.step * a->stride[axis] : a->stride[axis]);
    case ASH_INDEX_ARRAY:
        return ash__fail(ASH_ERR_ARGUMENT, function,
                         "a view cannot pick elements by an array; use ash_index, which copies them");
    default:
        return ash__fail(ASH_ERR_ARGUMENT, function, "unknown kind %d of index", (int)index->kind);
    }
}

ash_array *ash__view_items(const char *function, const ash_array *a, const ash_index *index, int64_t count)
{
    making m = {.offset = a->offset};
    for (int64_t i = 0; i < count; i++)
        if (apply(function, a, &index[i], &m) != ASH_OK)
            return NULL;
    for (; m.next < a->rank; m.next++)
        if (put_axis(function, &m, a->shape[m.next], a->stride[m.next]) != ASH_OK)
            return NULL;
    const bool empty = ash__count(m.shape, m.rank) == 0;
    return ash__view(function, a, a->dtype, m.shape, m.stride, m.rank, empty ? a->offset : m.offset);
}

ash_array *ash_view_at(const ash_array *a, const ash_index *index, int64_t count)
{
    static const char f[] = "ash_view";
    if (ash__check_array(f, "a", a))
        return NULL;
    if (count && !index) {
        ash__null(f, "index");
        return NULL;
    }
    return ash__view_items(f, a, index, count);
}
