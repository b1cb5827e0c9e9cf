/*
 * shape.c - arithmetic of shapes and strides.
 *
 * Invariant: a shape that has passed ash__check_shape has a product of sizes, and of bytes, that fits int64_t, so nothing
 * after it needs a checked multiply. In an empty array no stride is ever used; they are reported as 0.
 */
#include "core/shape.h"

#include "core/error.h"
#include "core/text.h"

static ash_status check_rank(const char *function, ash_dims shape)
{
    if (shape.rank < 0 || shape.rank > ASH_MAX_RANK)
        return ash__fail(ASH_ERR_SHAPE, function, "rank %lld; ranks 0 to %d are supported", (long long)shape.rank,
                         ASH_MAX_RANK);
    if (shape.rank && !shape.size)
        return ash__null(function, "shape");
    return ASH_OK;
}

ash_status ash__check_shape(const char *function, ash_dims shape, size_t item, int64_t *count)
{
    const ash_status status = check_rank(function, shape);
    if (status)
        return status;
    bool empty = false;
    for (int64_t k = 0; k < shape.rank; k++) {
        if (shape.size[k] < 0)
            return ash__fail(ASH_ERR_SHAPE, function, "size %lld of axis %lld is negative", (long long)shape.size[k],
                             (long long)k);
        empty |= shape.size[k] == 0;
    }
    int64_t n = empty ? 0 : 1, nbytes = 0;
    for (int64_t k = 0; k < shape.rank && !empty; k++)
        if (__builtin_mul_overflow(n, shape.size[k], &n)) {
            char text[ASH__SHAPE_TEXT];
            return ash__fail(ASH_ERR_SHAPE, function, "shape %s has more elements than the 2^63 - 1 that can be counted",
                             ash__shape_text(text, sizeof text, shape.size, shape.rank));
        }
    if (item > INT64_MAX || __builtin_mul_overflow(n, (int64_t)item, &nbytes)) {
        char text[ASH__SHAPE_TEXT];
        return ash__fail(ASH_ERR_SHAPE, function,
                         "shape %s of %zu-byte elements takes more bytes than the 2^63 - 1 that can be counted",
                         ash__shape_text(text, sizeof text, shape.size, shape.rank), item);
    }
    *count = n;
    return ASH_OK;
}

/* The place of ASH_INFER, or -1; size[] has 1 there. */
static ash_status find_inferred(const char *function, ash_dims shape, int64_t *size, int64_t *inferred)
{
    *inferred = -1;
    for (int64_t k = 0; k < shape.rank; k++) {
        size[k] = shape.size[k];
        if (size[k] != ASH_INFER)
            continue;
        if (*inferred >= 0)
            return ash__fail(ASH_ERR_ARGUMENT, function, "sizes of axes %lld and %lld are both to be inferred; one can be",
                             (long long)*inferred, (long long)k);
        *inferred = k;
        size[k] = 1;
    }
    return ASH_OK;
}

ash_status ash__infer_shape(const char *function, ash_dims shape, size_t item, int64_t count, int64_t *size)
{
    int64_t inferred = -1, known = 0;
    char text[ASH__SHAPE_TEXT];
    ash_status status = check_rank(function, shape);
    if (!status)
        status = find_inferred(function, shape, size, &inferred);
    if (!status)
        status = ash__check_shape(function, (ash_dims){size, shape.rank}, item, &known);
    if (status)
        return status;
    ash__shape_text(text, sizeof text, shape.size, shape.rank);
    if (inferred < 0 && known != count)
        return ash__fail(ASH_ERR_SHAPE, function, "shape %s takes %lld elements, given %lld", text, (long long)known,
                         (long long)count);
    if (inferred >= 0 && (known == 0 || count % known))
        return ash__fail(ASH_ERR_SHAPE, function, "%lld elements cannot be divided by the %lld of the given sizes of %s",
                         (long long)count, (long long)known, text);
    if (inferred >= 0)
        size[inferred] = count / known;
    return ASH_OK;
}

int64_t ash__count(const int64_t *shape, int64_t rank)
{
    int64_t n = 1;
    for (int64_t k = 0; k < rank; k++)
        if (shape[k] == 0)
            return 0;
    for (int64_t k = 0; k < rank; k++)
        n *= shape[k];
    return n;
}

void ash__strides_for(ash_layout layout, const int64_t *shape, int64_t rank, int64_t item, int64_t *stride)
{
    const bool empty = ash__count(shape, rank) == 0;
    int64_t step = item;
    for (int64_t k = 0; k < rank; k++) {
        const int64_t axis = layout == ASH_COL_MAJOR ? k : rank - 1 - k;
        stride[axis] = empty ? 0 : step;
        step *= empty ? 1 : shape[axis];
    }
}

bool ash__one_step(const int64_t *shape, const int64_t *stride, int64_t rank, int64_t *step)
{
    int64_t next = -1;
    *step = 0;
    for (int64_t k = rank; k-- > 0;) {
        if (shape[k] == 1)
            continue;
        if (next >= 0 && stride[k] != stride[next] * shape[next])
            return false;
        *step = next < 0 ? stride[k] : *step;
        next = k;
    }
    return true;
}

bool ash__dense(ash_layout layout, const int64_t *shape, const int64_t *stride, int64_t rank, int64_t item)
{
    if (ash__count(shape, rank) == 0)
        return true;
    int64_t step = item;
    for (int64_t k = 0; k < rank; k++) {
        const int64_t axis = layout == ASH_COL_MAJOR ? k : rank - 1 - k;
        if (shape[axis] != 1 && stride[axis] != step)
            return false;
        step *= shape[axis];
    }
    return true;
}

void ash__index_at(ash_layout layout, const int64_t *shape, int64_t rank, int64_t position, int64_t *index)
{
    for (int64_t i = 0; i < rank; i++) {
        const int64_t k = layout == ASH_COL_MAJOR ? i : rank - 1 - i;
        index[k] = position % shape[k];
        position /= shape[k];
    }
}

void ash__extent(const int64_t *shape, const int64_t *stride, int64_t rank, int64_t *low, int64_t *high)
{
    *low = *high = 0;
    for (int64_t k = 0; k < rank; k++) {
        const int64_t reach = (shape[k] - 1) * stride[k];
        *(reach < 0 ? low : high) += reach;
    }
}

ash_status ash__check_axis(const char *function, int64_t axis, int64_t rank, int64_t *out)
{
    if (axis < -rank || axis >= rank)
        return ash__fail(ASH_ERR_BOUNDS, function, "axis %lld is out of bounds for rank %lld", (long long)axis,
                         (long long)rank);
    *out = axis < 0 ? axis + rank : axis;
    return ASH_OK;
}

ash_status ash__check_axes(const char *function, ash_axes axes, int64_t rank, uint32_t *bits)
{
    *bits = 0;
    if (!axes.axis) {
        *bits = rank ? 0xFFFFFFFFu >> (32 - rank) : 0;
        return ASH_OK;
    }
    for (int64_t i = 0; i < axes.count; i++) {
        int64_t k = 0;
        const ash_status status = ash__check_axis(function, axes.axis[i], rank, &k);
        if (status)
            return status;
        if (*bits >> k & 1)
            return ash__fail(ASH_ERR_ARGUMENT, function, "axis %lld is given twice", (long long)axes.axis[i]);
        *bits |= UINT32_C(1) << k;
    }
    return ASH_OK;
}

ash_status ash__broadcast(const char *function, int operand, int64_t *out, int64_t *rank, const int64_t *shape,
                          int64_t shape_rank)
{
    int64_t joined[ASH_MAX_RANK];
    const int64_t top = *rank > shape_rank ? *rank : shape_rank;
    for (int64_t k = 0; k < top; k++) { /* from the last axis: missing leading axes count as 1 */
        const int64_t x = k < *rank ? out[*rank - 1 - k] : 1, y = k < shape_rank ? shape[shape_rank - 1 - k] : 1;
        if (x != y && x != 1 && y != 1) {
            char a[ASH__SHAPE_TEXT], b[ASH__SHAPE_TEXT];
            return ash__fail_operand(ASH_ERR_SHAPE, function, operand,
                                     "shapes %s and %s do not broadcast: axis %lld has sizes %lld and %lld",
                                     ash__shape_text(a, sizeof a, out, *rank), ash__shape_text(b, sizeof b, shape, shape_rank),
                                     (long long)(top - 1 - k), (long long)x, (long long)y);
        }
        joined[top - 1 - k] = x == 1 ? y : x; /* 1 against 0 is 0 */
    }
    for (int64_t k = 0; k < top; k++)
        out[k] = joined[k];
    *rank = top;
    return ASH_OK;
}

char *ash__shape_text(char *buffer, size_t size, const int64_t *shape, int64_t rank)
{
    ash__text text = {buffer, size, 0};
    ash__put(&text, "(");
    for (int64_t k = 0; k < rank; k++)
        ash__put(&text, "%s%lld", k ? ", " : "", (long long)shape[k]);
    ash__put(&text, ")");
    return buffer;
}

/* ---- walks */

/* Axes from slowest to fastest: by the stride of the first array, then of the others; ties keep row-major order. */
static bool slower(const int64_t *const *stride, int count, int64_t a, int64_t b)
{
    for (int k = 0; k < count; k++) {
        const int64_t x = stride[k][a] < 0 ? -stride[k][a] : stride[k][a], y = stride[k][b] < 0 ? -stride[k][b] : stride[k][b];
        if (x != y)
            return x > y;
    }
    return a < b;
}

static int64_t order_axes(int64_t *axis, bool logical, const int64_t *shape, int64_t rank, int count,
                          const int64_t *const *stride)
{
    int64_t n = 0;
    for (int64_t k = 0; k < rank; k++)
        if (shape[k] != 1)
            axis[n++] = k;
    for (int64_t i = 1; !logical && i < n; i++)
        for (int64_t j = i; j > 0 && slower(stride, count, axis[j], axis[j - 1]); j--) {
            const int64_t swap = axis[j];
            axis[j] = axis[j - 1];
            axis[j - 1] = swap;
        }
    return n;
}

static bool continues(const ash__walk *w, int64_t inner_size, const int64_t *const *stride, int64_t inner, int64_t outer)
{
    for (int k = 0; k < w->count; k++)
        if (stride[k][outer] != stride[k][inner] * inner_size)
            return false;
    return true;
}

bool ash__walk_begin(ash__walk *w, bool logical, const int64_t *shape, int64_t rank, int count, char *const *data,
                     const int64_t *const *stride)
{
    w->count = count;
    w->rank = 0;
    w->run = 1;
    for (int k = 0; k < count; k++)
        w->at[k] = data[k], w->step[k] = 0;
    if (ash__count(shape, rank) == 0)
        return false;
    int64_t axis[ASH_MAX_RANK];
    int64_t left = order_axes(axis, logical, shape, rank, count, stride);
    if (!left)
        return true;
    const int64_t fast = axis[--left];
    w->run = shape[fast];
    for (int k = 0; k < count; k++)
        w->step[k] = stride[k][fast];
    while (left && continues(w, w->run, stride, fast, axis[left - 1]))
        w->run *= shape[axis[--left]];
    for (int64_t i = 0; i < left; i++) {
        w->size[i] = shape[axis[i]];
        w->index[i] = 0;
        for (int k = 0; k < count; k++)
            w->stride[k][i] = stride[k][axis[i]];
    }
    w->rank = left;
    return true;
}

bool ash__walk_next(ash__walk *w)
{
    for (int64_t i = w->rank; i-- > 0;) {
        for (int k = 0; k < w->count; k++)
            w->at[k] += w->stride[k][i];
        if (++w->index[i] < w->size[i])
            return true;
        for (int k = 0; k < w->count; k++)
            w->at[k] -= w->stride[k][i] * w->size[i];
        w->index[i] = 0;
    }
    return false;
}
