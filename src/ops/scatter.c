/*
 * scatter.c - values written to the elements that a selection stands for.
 *
 * One list is one task. Of several, the offsets that they name together are listed, so many at a time; the axes that they stand
 * for come side by side, behind the whole axes before the first of them, and values whose strides do not allow that are copied
 * so. Which of several values for one element is the last does not change: those have the same place in all whole axes.
 */
#include "ops/scatter.h"

#include "core/error.h"
#include "ops/map.h"
#include "ops/place.h"
#include "ops/run.h"

enum { MOST_OFFSETS = 1 << 18 }; /* that are listed at once, where it can be helped */

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

/* What all tasks of one scatter have in common. */
typedef struct scattering {
    ash__selection *s;
    ash_array *out;
    space x;
    const ash_array *array; /* of values; NULL: element */
    const unsigned char *element;
    int64_t from_step; /* of the values along the list */
    bool accumulate;
} scattering;

/* Numbers below `bound`: times `step` bytes from `base` on they are the places of values. */
typedef struct places {
    char *base;
    int64_t step, bound;
} places;

/* count numbers of a list: the places of values first, first + 1 ... along it. */
static ash_status run(const scattering *c, const ash_array *list, int64_t count, places p, int64_t first)
{
    const ash__selection *const s = c->s;
    const space *const x = &c->x;
    int64_t shape[ASH_MAX_RANK], to[ASH_MAX_RANK], from[ASH_MAX_RANK], rank = 0;
    for (int64_t k = 0; k <= x->before + x->after; k++) {
        const axis a = k == x->before ? (axis){count, p.step, c->from_step} : x->axis[k < x->before ? k : k - 1];
        shape[rank] = a.size;
        to[rank] = a.to;
        from[rank++] = a.from;
    }
    const ash__span values = {.buffer = c->array ? c->array->buffer : NULL,
                              .data = c->array ? ash__data(c->array) + first * c->from_step : (char *)(uintptr_t)c->element,
                              .stride = from,
                              .dtype = c->out->dtype};
    const ash__span operand[2] = {values, ash__span_of(list)};
    const ash__task task = {.kind = ASH__TASK_SCATTER,
                            .function = s->function,
                            .rank = rank,
                            .shape = shape,
                            .operand_count = 2,
                            .operand = operand,
                            .out = {c->out->buffer, p.base, to, c->out->dtype},
                            .accumulate = c->accumulate,
                            .distinct = s->count == 1 && s->pick[0].distinct,
                            .bound = p.bound,
                            .axis = x->before};
    ash_resources *r = ash__resources_on(s->function, ash__device(c->out), s->given);
    return r ? ash__run_on(r, &task) : ash__last_status();
}

static ash_status run_one(const scattering *c)
{
    ash__selection *const s = c->s;
    const ash__pick *const p = &s->pick[0];
    places at = {.base = ash__data(s->view), .bound = ash__count(s->view->shape + p->axis, p->axes)};
    if (ash__pick_step(s, &s->pick[0], s->view->shape, s->view->stride, &at.step))
        return ash__last_status();
    ash_array *list = ash__may_overlap(s->pick[0].list, c->out)
                          ? ash__temporary_copy(s->function, s->pick[0].list, ASH_ROW_MAJOR, s->given)
                          : ash_retain(s->pick[0].list);
    const ash_status status = list ? run(c, list, list->size, at, 0) : ash__last_status();
    ash_release(list);
    return status;
}

/* ---- offsets of several lists together */

/* Steps of all picks, and what their numbers lead to. */
static ash_status set_steps(ash__selection *s, int64_t *step)
{
    ash_status status = ASH_OK;
    for (int64_t p = 0; p < s->count && !status; p++)
        status = ash__pick_step(s, &s->pick[p], s->view->shape, s->view->stride, &step[p]);
    return status;
}

/* Among which bytes of the view offsets along the picked axes lie, in what step; for tables that have a place for each. */
static places places_of(const ash__selection *s)
{
    int64_t low = 0, high = 0;
    uint64_t bits = 1 << 12;
    for (int64_t p = 0; p < s->count; p++)
        for (int64_t k = s->pick[p].axis; k < s->pick[p].axis + s->pick[p].axes; k++) {
            const int64_t far = (s->view->shape[k] - 1) * s->view->stride[k];
            low += far < 0 ? far : 0;
            high += far > 0 ? far : 0;
            bits |= (uint64_t)far ? (uint64_t)s->view->stride[k] : 0;
        }
    const int64_t step = (int64_t)(bits & -bits);
    return (places){ash__data(s->view) + low, step, (high - low) / step + 1};
}

/* Numbers first .. end - 1 of the first list and all of another one, as an array of the joined rank. */
static ash_array *list_along(const ash__selection *s, int64_t p, int64_t first, int64_t end)
{
    const ash_array *const list = s->pick[p].list;
    int64_t shape[ASH_MAX_RANK], stride[ASH_MAX_RANK];
    for (int64_t k = 0; k < s->count - p; k++) {
        shape[k] = k ? 1 : end - first;
        stride[k] = k ? 0 : 8;
    }
    return ash__view(s->function, list, ASH_I64, shape, stride, s->count - p, list->offset + first * 8);
}

/* Offsets of every combination, by the device, into a new array. */
static ash_array *join_lists(const ash__selection *s, const int64_t *step, const places *at, int64_t first, int64_t end)
{
    int64_t shape[ASH_MAX_RANK];
    for (int64_t p = 0; p < s->count; p++)
        shape[p] = p ? s->pick[p].list->size : end - first;
    ash_resources *r = ash__resources_on(s->function, ash__device(s->view), s->given);
    ash_array *joined = r ? ash__temporary(s->function, r, s->view->storage, ASH_I64, shape, s->count) : NULL;
    const int64_t low = at->base - ash__data(s->view);
    ash_status status = joined ? ASH_OK : ash__last_status();
    for (int64_t p = 0; p < s->count && !status; p++) {
        ash_array *const list = list_along(s, p, p ? 0 : first, p ? s->pick[p].list->size : end);
        const ash_operand operand[4] = {ash_operand_array(joined), ash_operand_array(list), ash_operand_i64(step[p]),
                                        ash_operand_i64(p ? 0 : -low)};
        status = list ? ash__map_text_to(s->function, joined,
                                         p ? "(x, j, step, from) -> x + j * step" : "(x, j, step, from) -> from + j * step",
                                         (ash_operands){operand, 4}, s->given)
                      : ash__last_status();
        ash_release(list);
    }
    const ash_operand operand[2] = {ash_operand_array(joined), ash_operand_i64(__builtin_ctzll((uint64_t)at->step))};
    if (!status)
        status = ash__map_text_to(s->function, joined, "(x, shift) -> x >> shift", (ash_operands){operand, 2}, s->given);
    if (status) {
        ash_release(joined);
        return NULL;
    }
    return joined;
}

/* The same as run_joined, with lists that the host does not read. */
static ash_status run_by_tasks(const scattering *c)
{
    ash__selection *const s = c->s;
    const places at = places_of(s);
    int64_t step[ASH_MAX_RANK], others = 1;
    ash_status status = set_steps(s, step);
    for (int64_t p = 1; p < s->count; p++)
        others *= s->pick[p].list->size;
    const int64_t all = s->pick[0].list->size, most = others < MOST_OFFSETS ? MOST_OFFSETS / others : 1;
    const int64_t barrier = status ? -1 : ash_scope_open_barrier();
    for (int64_t first = 0, end; barrier >= 0 && first < all && !status; first = end) {
        end = all - first < most ? all : first + most;
        ash_array *const list = join_lists(s, step, &at, first, end);
        status = list ? run(c, list, list->size, at, first * others) : ash__last_status();
        ash_release(list);
    }
    ash_scope_close(barrier);
    return barrier < 0 ? ash__last_status() : status;
}

/* Offsets of every combination of numbers first .. end - 1 of the first pick with those of the others, in row-major order. */
static int64_t *put_offsets(const ash__pick *pick, const int64_t *step, int64_t count, int64_t base, int64_t first, int64_t end,
                            int64_t *to)
{
    const int64_t *const index = (const int64_t *)(const void *)ash__data(pick[0].list);
    for (int64_t j = first; j < end; j++) {
        const int64_t at = base + index[j] * step[0];
        if (count == 1)
            *to++ = at;
        else
            to = put_offsets(pick + 1, step + 1, count - 1, at, 0, pick[1].list->size, to);
    }
    return to;
}

/* On the CPU, whose tasks are done when they return. Some numbers of the first list at a time, so that what they name together
 * with the others stays small. */
static ash_status run_joined(const scattering *c)
{
    ash__selection *const s = c->s;
    int64_t step[ASH_MAX_RANK], others = 1;
    const places at = {.base = ash__data(s->view), .step = 1, .bound = INT64_MAX};
    if (set_steps(s, step))
        return ash__last_status();
    for (int64_t p = 1; p < s->count; p++)
        others *= s->pick[p].list->size;
    const int64_t all = s->pick[0].list->size, most = others < MOST_OFFSETS ? MOST_OFFSETS / others : 1;
    const int64_t rows = all < most ? all : most, size = rows * others;
    const int64_t barrier = ash_scope_open_barrier();
    ash_resources *r = barrier < 0 ? NULL : ash__resources_on(s->function, ash__device(c->out), s->given);
    ash_array *list = r ? ash__temporary(s->function, r, ASH_SHARED, ASH_I64, &size, 1) : NULL;
    ash_status status = list ? ASH_OK : ash__last_status();
    for (int64_t first = 0, end; first < all && !status; first = end) {
        end = all - first < rows ? all : first + rows;
        put_offsets(s->pick, step, s->count, 0, first, end, (int64_t *)(void *)ash__data(list));
        status = run(c, list, (end - first) * others, at, first * others);
    }
    ash_release(list);
    ash_scope_close(barrier);
    return status;
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
    scattering c = {.s = s, .out = out, .element = values->element, .accumulate = accumulate};
    ash_array *array = NULL;
    if (!s->count)
        return copy_to_view(s, values);
    set_space(&c.x, s, values);
    if (values->array) {
        array = list_step(&c.x, &c.from_step) ? ash_retain(values->array) : regrouped(s, out, values, &c.x);
        if (!array)
            return ash__last_status();
        list_step(&c.x, &c.from_step);
    }
    c.array = array;
    const ash__pick *const one = s->count == 1 ? s->pick : NULL;
    const bool host = ash__on_host(ash__device(out)), offsets = one && !ash__pick_is_run(one, s->view->shape, s->view->stride);
    const ash_status status = !host && (!one || offsets) ? run_by_tasks(&c) : one ? run_one(&c) : run_joined(&c);
    ash_release(array);
    return status;
}
