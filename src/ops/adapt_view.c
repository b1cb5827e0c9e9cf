/*
 * adapt_view.c - views rebuilt over an adapted array.
 *
 * A view is strides and an offset over the bytes of its base, however many views lie between the two. Where a byte of the base
 * went is found in two steps: its distance from the lowest element, divided by the strides from the largest down, gives the
 * index of the element; and the byte within it lies in a field whose new place is known. The first element of the
 * view gives the new offset, the second one along each axis a new stride; the last ones have to agree, or there is none.
 */
#include "core/error.h"
#include "core/record.h"
#include "ops/adapt.h"

/* The way from bytes of the base to those of the new one. */
typedef struct way {
    const ash_array *from, *to;
    ash_dtype view_from, view_to;  /* of the elements asked for */
    int64_t low;                   /* of from: its lowest byte in the buffer */
    int count, axis[ASH_MAX_RANK]; /* of from: those that take steps, the largest first */
} way;

static int64_t magnitude(int64_t x)
{
    return x < 0 ? -x : x;
}

/* false when elements of the base overlap: a byte has no one place then. */
static bool begin(way *w, const ash_array *from, const ash_array *to)
{
    int64_t low, high, span = (int64_t)ash_dtype_size(from->dtype);
    w->from = from;
    w->to = to;
    ash__extent(from->shape, from->stride, from->rank, &low, &high);
    w->low = from->offset + low;
    w->count = 0;
    for (int k = 0; k < from->rank; k++) {
        if (from->shape[k] < 2 || !from->stride[k])
            continue;
        int at = w->count++;
        for (; at > 0 && magnitude(from->stride[w->axis[at - 1]]) < magnitude(from->stride[k]); at--)
            w->axis[at] = w->axis[at - 1];
        w->axis[at] = k;
    }
    bool apart = true;
    for (int i = w->count; i-- > 0;) { /* each step leaves all that lies within it behind */
        const int64_t step = magnitude(from->stride[w->axis[i]]);
        apart &= step >= span;
        span += (from->shape[w->axis[i]] - 1) * step;
    }
    return apart;
}

/* Byte `at` of an element of dtype `from`, where a view's element begins, in one of dtype `to`; -1 when it shows bytes that
 * were converted to something else, or more than the `room` bytes that stay together. */
static int64_t byte_within(const way *w, ash_dtype from, ash_dtype to, int64_t at, int64_t room)
{
    if (from == to)
        return w->view_from == w->view_to && (int64_t)ash_dtype_size(w->view_from) <= room ? at : -1;
    if (w->view_from == from)
        return at == 0 && w->view_to == to ? 0 : -1;
    if (ash__is_complex(from)) {
        const int64_t half = (int64_t)ash_dtype_size(ash__part(from));
        const bool same = w->view_from == ash__part(from) && w->view_to == ash__part(to) && ash__is_complex(to);
        return same && at % half == 0 ? at / half * (int64_t)ash_dtype_size(ash__part(to)) : -1;
    }
    const ash__record_type *a = ash__record_of(from), *b = ash__record_of(to);
    for (int64_t i = 0; a && b && i < a->count; i++) {
        const int64_t item = (int64_t)ash_dtype_size(a->field[i].dtype), into = at - (int64_t)a->field[i].offset;
        if (into < 0 || into >= item * a->field[i].count)
            continue;
        const int64_t inner =
            byte_within(w, a->field[i].dtype, b->field[i].dtype, into % item, item * a->field[i].count - into);
        return inner < 0 ? -1
                         : (int64_t)(b->field[i].offset + (size_t)(into / item) * ash_dtype_size(b->field[i].dtype)) + inner;
    }
    return -1;
}

/* Where byte `at` of the base's buffer, at which an element of the view begins, is in the new one's. false: nowhere. */
static bool find(const way *w, int64_t at, int64_t *found)
{
    int64_t rest = at - w->low;
    *found = w->to->offset;
    for (int i = 0; i < w->count; i++) {
        const int k = w->axis[i];
        const int64_t step = magnitude(w->from->stride[k]), last = w->from->shape[k] - 1;
        const int64_t q = rest / step < last ? rest / step : last;
        rest -= q * step;
        *found += (w->from->stride[k] > 0 ? q : last - q) * w->to->stride[k];
    }
    const int64_t within = rest < 0 || rest >= (int64_t)ash_dtype_size(w->from->dtype)
                               ? -1
                               : byte_within(w, w->from->dtype, w->to->dtype, rest, INT64_MAX);
    *found += within;
    return within >= 0;
}

/* Of an axis that takes no step. */
static int64_t idle_stride(const way *w, int64_t stride)
{
    const int64_t from = (int64_t)ash_dtype_size(w->view_from), to = (int64_t)ash_dtype_size(w->view_to);
    return stride % from == 0 ? stride / from * to : to;
}

static bool map_strides(const way *w, const ash_array *v, int64_t *stride, int64_t *offset)
{
    int64_t far = v->offset, want, got;
    for (int k = 0; k < v->rank; k++)
        stride[k] = idle_stride(w, v->stride[k]);
    if (!v->size)
        return true;
    if (!find(w, v->offset, offset))
        return false;
    want = *offset;
    for (int k = 0; k < v->rank; k++) {
        if (v->shape[k] < 2)
            continue;
        if (!find(w, v->offset + v->stride[k], &stride[k]))
            return false;
        stride[k] -= *offset;
        const int64_t last = v->shape[k] - 1;
        if (!find(w, v->offset + last * v->stride[k], &got) || got != *offset + last * stride[k])
            return false;
        far += last * v->stride[k];
        want += last * stride[k];
    }
    return find(w, far, &got) && got == want;
}

static bool repeats(const ash_array *v)
{
    for (int k = 0; k < v->rank; k++)
        if (v->shape[k] > 1 && !v->stride[k])
            return true;
    return false;
}

ash_status ash__adapt_view(const char *function, const ash_array *v, ash_dtype dtype, const ash__adapted *up, ash_array **b)
{
    way w = {.view_from = v->dtype, .view_to = dtype};
    int64_t stride[ASH_MAX_RANK], offset = up->base_to->offset;
    *b = NULL;
    if (!begin(&w, up->base_from, up->base_to) || !map_strides(&w, v, stride, &offset))
        return ASH_OK;
    *b = ash__view(function, up->to, dtype, v->shape, stride, v->rank, offset);
    if (!*b)
        return ash__last_status();
    (*b)->conjugated = v->conjugated && ash__is_complex(dtype);
    (*b)->readonly |= (v->readonly && !up->from->readonly) || repeats(v);
    return ASH_OK;
}
