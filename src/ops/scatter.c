/*
 * scatter.c - values written to the elements that a selection stands for.
 *
 * One list is one task. Of several, the offsets that they name together are listed first; the axes that they stand for then
 * come side by side, behind the whole axes before the first of them, and values whose strides do not allow that are copied so.
 * Which of several values for one element is the last does not change: those have the same place in all whole axes.
 */
#include "ops/scatter.h"

#include "core/error.h"
#include "ops/place.h"
#include "ops/run.h"

ash_array *ash__values_for(const char *function, const ash_array *out, const ash_array *a, bool dense, bool exact,
                           ash_resources *given)
{
    const int64_t item = (int64_t)ash_dtype_size(a->dtype);
    const bool conjugates = ash__is_complex(out->dtype) && a->conjugated != out->conjugated;
    if (a->dtype == out->dtype && !conjugates && !ash__may_overlap(out, a) &&
        (!dense || ash__dense(ASH_ROW_MAJOR, a->shape, a->stride, a->rank, item)))
        return ash_retain(a);
    ash_resources *r = ash__resources_on(function, ash__device(out), given);
    const int64_t barrier = r ? ash_scope_open_barrier() : -1;
    ash_array *copy = barrier < 0 ? NULL : ash__temporary(function, r, out->storage, out->dtype, a->shape, a->rank);
    if (copy) {
        copy->conjugated = out->conjugated && ash__is_complex(out->dtype);
        if (ash__convert_elements(function, copy, a, exact, given)) {
            ash_release(copy);
            copy = NULL;
        }
    }
    ash_scope_close(barrier);
    return copy;
}

/* ---- the iteration space of the task */

typedef struct axis {
    int64_t size, to, from; /* bytes to the next element in the view and in the values */
} axis;

/* before the list, its own, and behind it */
typedef struct space {
    int64_t before, listed, after;
    axis axis[ASH_MAX_RANK]; /* whole axes before, whole axes after */
    axis list[ASH_MAX_RANK];
} space;

static void set_space(space *x, const ash__selection *s, const ash__values *values)
{
    const ash_array *const view = s->view;
    int64_t at = 0, axis_of_view = 0;
    *x = (space){.before = 0};
    for (int64_t p = 0; p <= s->count; p++) {
        const int64_t end = p < s->count ? s->pick[p].axis : view->rank;
        for (; axis_of_view < end; axis_of_view++, at++) {
            x->axis[x->before + x->after] = (axis){view->shape[axis_of_view], view->stride[axis_of_view], values->stride[at]};
            *(p ? &x->after : &x->before) += 1;
        }
        if (p == s->count)
            break;
        for (int32_t k = 0; k < s->pick[p].list->rank; k++, at++)
            x->list[x->listed++] = (axis){s->shape[at], 0, values->stride[at]};
        axis_of_view += s->pick[p].axes;
    }
}

/* The step of the values along all axes of the lists together; false where they do not step as one. */
static bool list_step(const space *x, int64_t *step)
{
    int64_t next = -1;
    *step = 0;
    for (int64_t k = x->listed; k-- > 0;) {
        if (x->list[k].size == 1)
            continue;
        if (next >= 0 && x->list[k].from != x->list[next].from * x->list[next].size)
            return false;
        *step = next < 0 ? x->list[k].from : *step;
        next = k;
    }
    return true;
}

/* ---- one list of all */

/* Offsets of every combination of the picks from p on, in row-major order, beginning at `base`. */
static int64_t *put_offsets(ash__pick *const pick, const int64_t *step, int64_t count, int64_t base, int64_t *to)
{
    const int64_t *const index = (const int64_t *)(const void *)ash__data(pick[0].list);
    for (int64_t j = 0; j < pick[0].list->size; j++) {
        const int64_t at = base + index[j] * step[0];
        if (count == 1)
            *to++ = at;
        else
            to = put_offsets(pick + 1, step + 1, count - 1, at, to);
    }
    return to;
}

/* The list for the task, and the bytes that one of its numbers stands for. The caller's alone. */
static ash_array *joined_list(ash__selection *s, const ash_array *out, int64_t *to_step)
{
    const ash_array *const view = s->view;
    int64_t step[ASH_MAX_RANK], count = 1;
    for (int64_t p = 0; p < s->count; p++) {
        step[p] = ash__pick_step(&s->pick[p], view->shape, view->stride);
        count *= s->pick[p].list->size;
    }
    *to_step = s->count == 1 ? step[0] : 1;
    if (s->count == 1 && !ash__may_overlap(s->pick[0].list, out))
        return ash_retain(s->pick[0].list);
    if (s->count == 1)
        return ash__temporary_copy(s->function, s->pick[0].list, ASH_ROW_MAJOR, s->given);
    ash_resources *r = ash__resources_on(s->function, ash__device(out), s->given);
    const int64_t barrier = r ? ash_scope_open_barrier() : -1;
    ash_array *list = barrier < 0 ? NULL : ash__temporary(s->function, r, ASH_SHARED, ASH_I64, &count, 1);
    ash_scope_close(barrier);
    if (list)
        put_offsets(s->pick, step, s->count, 0, (int64_t *)(void *)ash__data(list));
    return list;
}

/* The values with the axes of the lists side by side, behind the whole axes before them. */
static ash_array *regrouped(const ash__selection *s, const ash_array *out, const ash__values *values, space *x)
{
    int64_t shape[ASH_MAX_RANK], from[ASH_MAX_RANK], rank = 0;
    for (int64_t k = 0; k < x->before + x->after + x->listed; k++) {
        axis *const a = k < x->before               ? &x->axis[k]
                        : k < x->before + x->listed ? &x->list[k - x->before]
                                                    : &x->axis[k - x->listed];
        shape[rank] = a->size;
        from[rank++] = a->from;
    }
    ash_resources *r = ash__resources_on(s->function, ash__device(out), s->given);
    const int64_t barrier = r ? ash_scope_open_barrier() : -1;
    ash_array *copy = barrier < 0 ? NULL : ash__temporary(s->function, r, out->storage, out->dtype, shape, rank);
    ash_scope_close(barrier);
    if (copy && ash__copy_strided(s->function, copy, shape, rank, ash__data(copy), copy->stride, values->array,
                                  ash__data(values->array), from, s->given)) {
        ash_release(copy);
        copy = NULL;
    }
    for (int64_t k = 0; copy && k < rank; k++)
        if (k < x->before)
            x->axis[k].from = copy->stride[k];
        else if (k < x->before + x->listed)
            x->list[k - x->before].from = copy->stride[k];
        else
            x->axis[k - x->listed].from = copy->stride[k];
    return copy;
}

/* ---- the task */

static ash_status run(const ash__selection *s, ash_array *out, space *x, const ash_array *list, int64_t to_step,
                      const ash_array *array, const unsigned char *element, bool accumulate)
{
    int64_t shape[ASH_MAX_RANK], to[ASH_MAX_RANK], from[ASH_MAX_RANK], step, rank = 0;
    list_step(x, &step);
    for (int64_t k = 0; k <= x->before + x->after; k++) {
        const axis a = k == x->before ? (axis){list->size, to_step, step} : x->axis[k < x->before ? k : k - 1];
        shape[rank] = a.size;
        to[rank] = a.to;
        from[rank++] = a.from;
    }
    const ash__span values = {.buffer = array ? array->buffer : NULL,
                              .data = array ? ash__data(array) : (char *)(uintptr_t)element,
                              .stride = from,
                              .dtype = out->dtype};
    const ash__span operand[2] = {values, ash__span_of(list)};
    const ash__task task = {.kind = ASH__TASK_SCATTER,
                            .function = s->function,
                            .rank = rank,
                            .shape = shape,
                            .operand_count = 2,
                            .operand = operand,
                            .out = {out->buffer, ash__data(s->view), to, out->dtype},
                            .accumulate = accumulate,
                            .distinct = s->count == 1 && s->pick[0].distinct,
                            .axis = x->before};
    ash_resources *r = ash__resources_on(s->function, ash__device(out), s->given);
    return r ? ash__run_on(r, &task) : ash__last_status();
}

static ash_status copy_to_view(const ash__selection *s, const ash__values *values)
{
    if (!values->array)
        return ash__fill_elements(s->function, s->view, values->element, s->given);
    return ash__copy_strided(s->function, s->view, s->shape, s->rank, ash__data(s->view), s->view->stride, values->array,
                             ash__data(values->array), values->stride, s->given);
}

ash_status ash__scatter(ash__selection *s, ash_array *out, const ash__values *values, bool accumulate)
{
    space x;
    int64_t to_step, step;
    if (!s->count && !accumulate)
        return copy_to_view(s, values);
    set_space(&x, s, values);
    ash_array *list = joined_list(s, out, &to_step);
    ash_array *array = !list || !values->array ? NULL
                       : list_step(&x, &step)  ? ash_retain(values->array)
                                               : regrouped(s, out, values, &x);
    const ash_status status = !list || (values->array && !array)
                                  ? ash__last_status()
                                  : run(s, out, &x, list, to_step, array, values->element, accumulate);
    ash_release(array);
    ash_release(list);
    return status;
}
