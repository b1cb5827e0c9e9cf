/*
 * reshape.c - the same elements under another shape, never copied.
 *
 * Elements are read and laid out in row-major order, or in column-major order, which is row-major order of the reversed
 * axes. Old and new axes are grouped from the front so that the groups have equal products; within a group the old axes
 * must step as one run, and the new ones take their strides from its end.
 */
#include "ashlar/view.h"
#include "core/array.h"
#include "core/error.h"
#include "core/options.h"

static void reverse(int64_t *v, int64_t n)
{
    for (int64_t i = 0, j = n - 1; i < j; i++, j--) {
        const int64_t swap = v[i];
        v[i] = v[j];
        v[j] = swap;
    }
}

/* Strides of new_shape over the old axes (sizes > 1, row-major order), or false. Neither shape is empty. */
static bool restride(const int64_t *shape, const int64_t *stride, int64_t rank, const int64_t *new_shape, int64_t new_rank,
                     int64_t *new_stride)
{
    int64_t i = 0, j = 0, step = 0;
    while (i < rank && j < new_rank) {
        int64_t old_end = i + 1, new_end = j + 1, old_count = shape[i], new_count = new_shape[j];
        while (old_count != new_count) {
            if (old_count < new_count)
                old_count *= shape[old_end++];
            else
                new_count *= new_shape[new_end++];
        }
        for (int64_t k = i; k + 1 < old_end; k++)
            if (stride[k] != stride[k + 1] * shape[k + 1])
                return false;
        step = stride[old_end - 1];
        for (int64_t k = new_end; k-- > j;) {
            new_stride[k] = step;
            step *= new_shape[k];
        }
        step = stride[old_end - 1];
        i = old_end, j = new_end;
    }
    for (; j < new_rank; j++) /* trailing axes of size 1 */
        new_stride[j] = step;
    return true;
}

ash_array *ash_reshape_opt(const ash_array *a, ash_dims shape, const ash_reshape_options *options)
{
    static const char f[] = "ash_reshape";
    ash_reshape_options o;
    int64_t size[ASH_MAX_RANK], old[ASH_MAX_RANK], stride[ASH_MAX_RANK], result[ASH_MAX_RANK] = {0}, rank = 0;
    if (!ash__read_options(f, &o, sizeof o, options) || ash__check_array(f, "a", a) ||
        ash__infer_shape(f, shape, ash_dtype_size(a->dtype), a->size, size))
        return NULL;
    if (o.order < ASH_LAYOUT_DEFAULT || o.order > ASH_COL_MAJOR) {
        ash__fail(ASH_ERR_ARGUMENT, f, "unknown order %d; expected ASH_ROW_MAJOR or ASH_COL_MAJOR", (int)o.order);
        return NULL;
    }
    const bool columns = o.order == ASH_COL_MAJOR;
    for (int32_t k = 0; k < a->rank; k++)
        if (a->shape[k] != 1)
            old[rank] = a->shape[k], stride[rank++] = a->stride[k];
    if (!a->size)
        return ash__view(f, a, a->dtype, size, result, shape.rank, a->offset);
    if (columns)
        reverse(old, rank), reverse(stride, rank), reverse(size, shape.rank);
    const int64_t item = (int64_t)ash_dtype_size(a->dtype);
    bool fits = true;
    if (rank)
        fits = restride(old, stride, rank, size, shape.rank, result);
    else
        ash__strides_for(ASH_ROW_MAJOR, size, shape.rank, item, result);
    if (columns)
        reverse(size, shape.rank), reverse(result, shape.rank);
    if (fits)
        return ash__view(f, a, a->dtype, size, result, shape.rank, a->offset);
    char text[ASH__SHAPE_TEXT];
    ash__fail(ASH_ERR_UNSUPPORTED, f,
              "the strides of a, %s of shape %s, cannot express %s in %s order without a copy; give .order = %s, or use "
              "ash_contiguous first",
              ash_layout_name(ash_layout_of(a)), ash_shape_text(a), ash__shape_text(text, sizeof text, size, shape.rank),
              columns ? "column-major" : "row-major", columns ? "ASH_ROW_MAJOR" : "ASH_COL_MAJOR");
    return NULL;
}
