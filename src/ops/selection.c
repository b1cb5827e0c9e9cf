/*
 * selection.c - the items of an index, read and checked, and the elements that they select.
 *
 * Lists are applied one after the other, the one that leaves the least of its axes first; all but the last into a temporary
 * array. While that goes on a list makes one axis; the shape it has is seen in the result alone. There its axes are one run,
 * for the list lies in the order of the result's layout.
 */
#include "ops/selection.h"

#include <stdio.h>

#include "core/error.h"
#include "ops/find.h"
#include "ops/indices.h"
#include "ops/map.h"
#include "ops/mask.h"
#include "ops/place.h"
#include "ops/run.h"
#include "ops/slice.h"

/* ---- reading the items */

/* What is under way: the items of the view, and how many axes of a and of the view are behind. */
typedef struct reading {
    ash__selection *s;
    const ash_array *a;
    ash_index plain[2 * ASH_MAX_RANK + 1]; /* one more than fit, which the view then refuses */
    int64_t plain_count, from_axis, view_axis;
} reading;

static void put_plain(reading *r, ash_index item)
{
    if (r->from_axis == r->a->rank && ash__is_extra_zero(&item))
        return;
    if (r->plain_count <= 2 * ASH_MAX_RANK)
        r->plain[r->plain_count++] = item;
    r->from_axis += item.kind != ASH_INDEX_NEW;
    r->view_axis += item.kind != ASH_INDEX_AT;
}

static ash_status put_pick(reading *r, ash_array *list, int64_t axes, bool distinct)
{
    ash__selection *const s = r->s;
    if (!list)
        return ash__last_status();
    if (s->count == ASH_MAX_RANK) {
        ash_release(list);
        return ash__fail(ASH_ERR_SHAPE, s->function, "more than %d items are arrays", ASH_MAX_RANK);
    }
    s->pick[s->count++] = (ash__pick){list, r->view_axis, axes, distinct, r->from_axis, distinct};
    for (int64_t k = 0; k < axes; k++)
        put_plain(r, ash_index_all());
    return ASH_OK;
}

static ash_array *mask_list(const reading *r, const ash_array *mask)
{
    const int64_t barrier = ash_scope_open_barrier();
    ash_array *const list =
        barrier < 0 ? NULL : ash__mask_positions(r->s->function, mask, ash__list_storage(mask), r->s->given);
    ash_scope_close(barrier);
    return list;
}

static ash_status read_mask(reading *r, const ash_array *mask, int64_t number)
{
    const ash_array *const a = r->a;
    if (r->from_axis + mask->rank > a->rank)
        return ash__fail_too_many(r->s->function, r->a->rank);
    for (int32_t k = 0; k < mask->rank; k++)
        if (mask->shape[k] != a->shape[r->from_axis + k]) {
            char text[ASH__SHAPE_TEXT];
            return ash__fail(ASH_ERR_SHAPE, r->s->function,
                             "index %lld is a mask of shape %s, but the axes of a from %lld on have shape %s",
                             (long long)number, ash_shape_text(mask), (long long)r->from_axis,
                             ash__shape_text(text, sizeof text, a->shape + r->from_axis, mask->rank));
        }
    return put_pick(r, mask_list(r, mask), mask->rank, true);
}

/* Checks all but the shape of an array of indices or a mask. */
static ash_status check_array(const reading *r, const ash_array *x, int64_t number)
{
    const char *const f = r->s->function;
    char name[32];
    snprintf(name, sizeof name, "index %lld", (long long)number);
    const ash_status status = ash__check_array(f, name, x);
    if (status)
        return status;
    if (ash__device(x) != ash__device(r->a))
        return ash__fail(ASH_ERR_DEVICE, f, "%s is on %s and a on %s", name, ash__device(x)->name, ash__device(r->a)->name);
    if (x->dtype != ASH_BOOL && !ash__is_integer(x->dtype))
        return ash__fail(ASH_ERR_DTYPE, f, "%s is %s; integers, or bool for a mask, are wanted", name,
                         ash_dtype_name(x->dtype));
    return ASH_OK;
}

static ash_status read_array(reading *r, const ash_array *x, int64_t number)
{
    const ash__selection *const s = r->s;
    const ash_status status = check_array(r, x, number);
    if (status)
        return status;
    if (x->dtype == ASH_BOOL)
        return read_mask(r, x, number);
    if (r->from_axis >= r->a->rank)
        return ash__fail_too_many(s->function, r->a->rank);
    return put_pick(r, ash__index_list(s->function, x, s->layout, s->given), 1, false);
}

/* The shape of the result, when the view and the lists are there. */
static ash_status set_shape(ash__selection *s)
{
    int64_t rank = s->view->rank, lines = s->view->rank, axis = 0; /* lines: the rank with one axis for each list */
    for (int64_t p = 0; p < s->count; p++) {
        rank += s->pick[p].list->rank - s->pick[p].axes;
        lines += 1 - s->pick[p].axes;
    }
    if (rank > ASH_MAX_RANK || lines > ASH_MAX_RANK)
        return ash__fail(ASH_ERR_SHAPE, s->function, "the result would have rank %lld; ranks 0 to %d are supported",
                         (long long)(rank > lines ? rank : lines), ASH_MAX_RANK);
    for (int64_t p = 0; p < s->count; p++) {
        const ash_array *const list = s->pick[p].list;
        while (axis < s->pick[p].axis)
            s->shape[s->rank++] = s->view->shape[axis++];
        for (int32_t k = 0; k < list->rank; k++)
            s->shape[s->rank++] = list->shape[k];
        axis += s->pick[p].axes;
    }
    while (axis < s->view->rank)
        s->shape[s->rank++] = s->view->shape[axis++];
    return ash__check_shape(s->function, (ash_dims){s->shape, rank}, ash_dtype_size(s->view->dtype), &s->size);
}

static void begin(ash__selection *s, const char *function, ash_layout layout, ash_resources *given)
{
    *s = (ash__selection){.function = function, .given = given, .layout = layout};
}

static ash_status finish(reading *r, ash_status status)
{
    ash__selection *const s = r->s;
    const int64_t barrier = status ? -1 : ash_scope_open_barrier();
    if (barrier >= 0)
        s->view = ash__view_items(s->function, r->a, r->plain, r->plain_count);
    ash_scope_close(barrier);
    if (!status)
        status = s->view ? set_shape(s) : ash__last_status();
    if (status)
        ash__selection_end(s);
    return status;
}

ash_status ash__select_items(ash__selection *s, const char *function, const ash_array *a, const ash_index *item, int64_t count,
                             ash_layout layout, ash_resources *given)
{
    reading r = {.s = s, .a = a};
    ash_status status = count && !item ? ash__null(function, "items") : ASH_OK;
    begin(s, function, layout, given);
    for (int64_t i = 0; i < count && !status; i++)
        if (item[i].kind == ASH_INDEX_ARRAY)
            status = read_array(&r, item[i].array, i);
        else
            put_plain(&r, item[i]);
    return finish(&r, status);
}

/* ---- one item for all axes together */

static ash_status linear_at(reading *r, int64_t index)
{
    const ash_array *const a = r->a;
    int64_t position, at[ASH_MAX_RANK];
    const ash_status status = ash__at_axis(r->s->function, 0, a->size, index, &position);
    if (status)
        return status;
    ash__index_at(ASH_ROW_MAJOR, a->shape, a->rank, position, at);
    for (int32_t k = 0; k < a->rank; k++)
        put_plain(r, ash_index_at(at[k]));
    return ASH_OK;
}

static ash_status linear_range(reading *r, const ash_index *item)
{
    const ash__selection *const s = r->s;
    const bool all = item->kind == ASH_INDEX_ALL;
    ash__cut cut;
    const ash_status status = ash__cut_axis(s->function, 0, r->a->size, all ? ASH_OPEN : item->start,
                                            all ? ASH_OPEN : item->stop, all ? 1 : item->step, &cut);
    if (status)
        return status;
    return put_pick(r, ash__index_steps(s->function, r->a, cut.first, cut.count, cut.step, s->given), r->a->rank, true);
}

static ash_status linear_mask(reading *r, const ash_array *mask)
{
    const ash_array *const a = r->a;
    if (!ash_same_shape(mask, a) && (mask->rank != 1 || mask->size != a->size))
        return ash__fail(ASH_ERR_SHAPE, r->s->function,
                         "index 0 is a mask of shape %s; the shape of a, %s, or a vector of its %lld elements is wanted",
                         ash_shape_text(mask), ash_shape_text(a), (long long)a->size);
    return put_pick(r, mask_list(r, mask), a->rank, true);
}

/* The list may be turned into offsets, and is therefore a copy. */
static ash_status linear_array(reading *r, const ash_array *x)
{
    const ash__selection *const s = r->s;
    ash_status status = check_array(r, x, 0);
    if (status)
        return status;
    if (x->dtype == ASH_BOOL)
        return linear_mask(r, x);
    ash_array *const list = ash__index_copy(s->function, x, s->layout, s->given);
    status = list ? ash__index_check(s->function, list, s->layout, 0, r->a->size, s->given) : ash__last_status();
    if (status) {
        ash_release(list);
        return status;
    }
    status = put_pick(r, list, r->a->rank, false);
    if (!status)
        r->s->pick[0].checked = true;
    return status;
}

static ash_status read_linear(reading *r, const ash_index *item)
{
    switch (item->kind) {
    case ASH_INDEX_AT:
        return linear_at(r, item->start);
    case ASH_INDEX_ALL:
    case ASH_INDEX_RANGE:
        return linear_range(r, item);
    case ASH_INDEX_ARRAY:
        return linear_array(r, item->array);
    default:
        return ash__fail(ASH_ERR_ARGUMENT, r->s->function, "a new axis makes no linear index");
    }
}

ash_status ash__select_linear(ash__selection *s, const char *function, const ash_array *a, const ash_index *item, int64_t count,
                              ash_layout layout, ash_resources *given)
{
    reading r = {.s = s, .a = a};
    ash_status status = count == 1 && !item ? ash__null(function, "items") : ASH_OK;
    begin(s, function, layout, given);
    if (count != 1)
        status = ash__fail(ASH_ERR_ARGUMENT, function, "%lld indices with .linear; one is wanted", (long long)count);
    return finish(&r, status ? status : read_linear(&r, item));
}

ash_status ash__select_axis(ash__selection *s, const char *function, const ash_array *a, int64_t axis, const ash_array *indices,
                            ash_layout layout, ash_resources *given)
{
    reading r = {.s = s, .a = a};
    ash_status status = ash__check_array(function, "indices", indices);
    begin(s, function, layout, given);
    if (!status && !ash__is_integer(indices->dtype))
        status = ash__fail(ASH_ERR_DTYPE, function, "indices are %s; an integer dtype is wanted%s",
                           ash_dtype_name(indices->dtype), indices->dtype == ASH_BOOL ? " (ash_select takes a mask)" : "");
    if (!status && ash__device(indices) != ash__device(a))
        status = ash__fail(ASH_ERR_DEVICE, function, "indices are on %s and a on %s", ash__device(indices)->name,
                           ash__device(a)->name);
    for (int64_t k = 0; k < axis && !status; k++)
        put_plain(&r, ash_index_all());
    if (!status)
        status = put_pick(&r, ash__index_list(function, indices, layout, given), 1, false);
    return finish(&r, status);
}

ash_status ash__selection_check(ash__selection *s)
{
    ash_status status = ASH_OK;
    for (int64_t p = 0; p < s->count && !status; p++) {
        ash__pick *const k = &s->pick[p];
        if (!k->checked)
            status = ash__index_check(s->function, k->list, s->layout, k->from_axis, s->view->shape[k->axis], s->given);
        k->checked = true;
    }
    return status;
}

void ash__selection_end(ash__selection *s)
{
    for (int64_t p = 0; p < s->count; p++)
        ash_release(s->pick[p].list);
    ash_release(s->view);
    s->view = NULL;
    s->count = 0;
}

/* ---- lists that stand for other than one axis */

bool ash__pick_is_run(const ash__pick *pick, const int64_t *shape, const int64_t *stride)
{
    int64_t step;
    return ash__one_step(shape + pick->axis, stride + pick->axis, pick->axes, &step);
}

static void put_host_offsets(const ash__pick *pick, const int64_t *shape, const int64_t *stride)
{
    int64_t *const position = (int64_t *)(void *)ash__data(pick->list);
    for (int64_t j = 0; j < pick->list->size; j++) {
        int64_t at = position[j], offset = 0;
        for (int64_t k = pick->axes; k-- > 0; at /= shape[k])
            offset += at % shape[k] * stride[k];
        position[j] = offset;
    }
}

static ash_status put_offsets(const ash__selection *s, ash_array *offset, const ash_array *position, const int64_t *shape,
                              const int64_t *stride, int64_t axes)
{
    int64_t inner = 1;
    ash_status status = ASH_OK;
    for (int64_t k = axes; k-- > 0 && !status; inner *= shape[k]) {
        const ash_operand operand[5] = {ash_operand_array(offset), ash_operand_array(position), ash_operand_i64(inner),
                                        ash_operand_i64(shape[k]), ash_operand_i64(stride[k])};
        const char *const column = ash__column_text(ash__device(position), ash__count(shape, axes), k, axes);
        char text[160];
        snprintf(text, sizeof text, "(offset, p, inner, n, step) -> %s%s) * step", k == axes - 1 ? "(" : "offset + (", column);
        status = ash__map_text_to(s->function, offset, text, (ash_operands){operand, 5}, s->given);
    }
    return status;
}

/* Positions become offsets by the device. */
static ash_status offset_by_tasks(const ash__selection *s, const ash__pick *pick, const int64_t *shape, const int64_t *stride)
{
    ash_array *const position = ash__temporary_copy(s->function, pick->list, s->layout, s->given);
    const ash_status status = position ? put_offsets(s, pick->list, position, shape, stride, pick->axes) : ash__last_status();
    ash_release(position);
    return status;
}

ash_status ash__pick_step(const ash__selection *s, ash__pick *pick, const int64_t *shape, const int64_t *stride, int64_t *step)
{
    shape += pick->axis, stride += pick->axis;
    if (pick->axes == 1)
        *step = stride[0];
    if (pick->axes == 1 || ash__one_step(shape, stride, pick->axes, step))
        return ASH_OK;
    *step = 1;
    if (!ash__on_host(ash__device(pick->list)))
        return offset_by_tasks(s, pick, shape, stride);
    put_host_offsets(pick, shape, stride);
    return ASH_OK;
}

/* ---- getting what is selected */

/* The axes of an array to be made by a gather, each list that is done being one axis. */
typedef struct axes {
    int64_t rank, shape[ASH_MAX_RANK], stride[ASH_MAX_RANK];
} axes;

/* What the axes of `from` become when pick p has been applied. */
static void shape_after(const ash_array *from, const ash__pick *p, axes *x)
{
    x->rank = 0;
    for (int64_t k = 0; k < p->axis; k++)
        x->shape[x->rank++] = from->shape[k];
    x->shape[x->rank++] = p->list->size;
    for (int64_t k = p->axis + p->axes; k < from->rank; k++)
        x->shape[x->rank++] = from->shape[k];
}

/* Strides of the result as the last gather sees it: the axes of a list are one, whose step is that of the fastest of them. */
static void strides_in(const ash__selection *s, const ash_array *out, axes *x)
{
    int64_t axis = 0, at = 0, n = 0;
    for (int64_t p = 0; p < s->count; p++) {
        const int64_t rank = s->pick[p].list->rank;
        while (axis < s->pick[p].axis)
            axis++, x->stride[n++] = out->stride[at++];
        x->stride[n++] = rank ? out->stride[s->layout == ASH_COL_MAJOR ? at : at + rank - 1] : 0;
        at += rank;
        axis += s->pick[p].axes;
    }
    while (at < out->rank)
        x->stride[n++] = out->stride[at++];
}

static ash_status gather(const ash__selection *s, const ash_array *from, ash__pick *p, ash_array *out, const axes *to)
{
    int64_t stride[ASH_MAX_RANK];
    if (ash__pick_step(s, p, from->shape, from->stride, &stride[p->axis]))
        return ash__last_status();
    for (int64_t k = 0; k < to->rank; k++)
        if (k != p->axis)
            stride[k] = from->stride[k < p->axis ? k : k - 1 + p->axes];
    const ash__span operand[2] = {{from->buffer, ash__data(from), stride, from->dtype}, ash__span_of(p->list)};
    const ash__task task = {.kind = ASH__TASK_GATHER,
                            .function = s->function,
                            .rank = to->rank,
                            .shape = to->shape,
                            .operand_count = 2,
                            .operand = operand,
                            .out = {out->buffer, ash__data(out), to->stride, out->dtype},
                            .axis = p->axis,
                            .bound = p->checked ? 0 : from->shape[p->axis]};
    ash_resources *r = ash__resources_on(s->function, ash__device(out), s->given);
    const ash_status status = r ? ash__run_on(r, &task) : ash__last_status();
    return status == ASH_ERR_BOUNDS ? ash__index_fail(s->function, p->list, s->layout, p->from_axis, from->shape[p->axis])
                                    : status;
}

/* How much of its axes a list leaves. */
static double share_left(const ash_array *from, const ash__pick *p)
{
    return (double)p->list->size / (double)ash__count(from->shape + p->axis, p->axes);
}

static ash_array *step_result(const ash__selection *s, const ash_array *from, axes *x)
{
    ash_resources *r = ash__resources_on(s->function, ash__device(from), s->given);
    const int64_t barrier = r ? ash_scope_open_barrier() : -1;
    ash_array *step = barrier < 0 ? NULL : ash__temporary(s->function, r, from->storage, from->dtype, x->shape, x->rank);
    ash_scope_close(barrier);
    if (step)
        memcpy(x->stride, step->stride, (size_t)x->rank * sizeof x->stride[0]);
    return step;
}

/* Applies all lists to `from`, which is replaced by each temporary in turn. */
static ash_status gather_all(ash__selection *s, ash_array **from, ash_array *out)
{
    ash__pick left[ASH_MAX_RANK];
    axes x;
    memcpy(left, s->pick, (size_t)s->count * sizeof left[0]);
    for (int64_t n = s->count; n > 0; n--) {
        int64_t best = 0;
        for (int64_t p = 1; p < n; p++)
            if (share_left(*from, &left[p]) < share_left(*from, &left[best]))
                best = p;
        shape_after(*from, &left[best], &x);
        if (n == 1) {
            strides_in(s, out, &x);
            return gather(s, *from, &left[0], out, &x);
        }
        ash_array *step = step_result(s, *from, &x);
        const ash_status status = step ? gather(s, *from, &left[best], step, &x) : ash__last_status();
        ash_release(*from);
        *from = step;
        if (status)
            return status;
        const int64_t shift = 1 - left[best].axes;
        for (int64_t p = best + 1; p < n; p++) {
            left[p - 1] = left[p];
            left[p - 1].axis += shift;
        }
    }
    return ASH_OK;
}

ash_array *ash__selection_get(ash__selection *s, const ash_array *a)
{
    /* one list is checked while it is used, if it is */
    const ash__pick *const one = s->count == 1 && s->size ? s->pick : NULL;
    if (!(one && (one->checked || s->view->shape[one->axis])) && ash__selection_check(s))
        return NULL;
    ash_array *out = ash__result_like(s->function, a, (ash_dims){s->shape, s->rank}, s->layout, s->given);
    if (!out || !s->size)
        return out;
    ash_status status;
    if (!s->count) {
        status = ash__convert_elements(s->function, out, s->view, false, s->given);
    } else {
        ash_array *from = ash__plain(s->function, s->view, s->view->dtype, false, s->given);
        status = from ? gather_all(s, &from, out) : ash__last_status();
        ash_release(from);
    }
    if (status) {
        ash_release(out);
        out = NULL;
    }
    return out;
}
