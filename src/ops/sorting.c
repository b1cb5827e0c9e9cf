/*
 * sorting.c - one task of sorting, from the options of the functions of order.h.
 *
 * .by makes keys of their own, computed once; the elements then move with them. .less becomes a program of two elements, by
 * which the backend merges. Everything else sorts the elements by their own order.
 */
#include "ops/sorting.h"

#include "core/error.h"
#include "expr/function.h"
#include "ops/map.h"
#include "ops/place.h"
#include "ops/run.h"

/* ---- what the options say */

static ash_status check_options(const char *function, const ash_array *a, const ash_sort_options *o)
{
    if (o->by && o->less)
        return ash__fail(ASH_ERR_ARGUMENT, function, ".by and .less exclude each other: a key, or a comparison");
    if (o->flat && o->axes.axis)
        return ash__fail(ASH_ERR_ARGUMENT, function,
                         ".flat and .axes exclude each other: all elements, or lines along an axis");
    if (!o->flat && !o->axes.axis && a->rank > 1)
        return ash__fail(ASH_ERR_ARGUMENT, function,
                         "a has rank %d; say along which axis, as in .axes = ASH_AXES(0), or .flat = true", (int)a->rank);
    if (o->axes.axis && o->axes.count != 1)
        return ash__fail(ASH_ERR_ARGUMENT, function, "%lld axes; elements are ordered along one", (long long)o->axes.count);
    if (!o->by && !o->less && !ash__is_real(a->dtype))
        return ash__fail(ASH_ERR_DTYPE, function, "the elements are %s, which have no order; .by or .less gives one",
                         ash_dtype_name(a->dtype));
    return ASH_OK;
}

ash_array *ash__sorting_lines(const char *function, const ash_array *a, bool flat, ash_resources *given)
{
    ash_array *const plain = ash__plain(function, a, a->dtype, flat && a->rank != 1, given);
    if (!plain || !flat || a->rank == 1)
        return plain;
    const int64_t item = (int64_t)ash_dtype_size(a->dtype), barrier = ash_scope_open_barrier();
    ash_array *const vector =
        barrier < 0 ? NULL : ash__view(function, plain, plain->dtype, &plain->size, &item, 1, plain->offset);
    ash_scope_close(barrier);
    ash_release(plain);
    return vector;
}

/* ---- keys and comparisons */

static ash_array *keys_by(const ash__sorting *s, const char *by)
{
    const ash_operand operand = ash_operand_array(s->a);
    const ash_map_options o = {.resources = s->given};
    const int64_t barrier = ash_scope_open_barrier();
    ash_array *keys = barrier < 0 ? NULL : ash__map_text_new(s->function, by, (ash_operands){&operand, 1}, &o);
    ash_scope_close(barrier);
    if (keys && !ash__is_real(keys->dtype)) {
        ash__fail(ASH_ERR_DTYPE, s->function, "\"%s\" gives %s, which has no order; a real number is wanted", by,
                  ash_dtype_name(keys->dtype));
        ash_release(keys);
        return NULL;
    }
    return keys;
}

static ash__program *comparison(const ash__sorting *s, const char *less)
{
    const ash__argument argument[2] = {{s->a->dtype, false}, {s->a->dtype, false}};
    const ash_device *const device = ash__device(s->a);
    const ash__target target = {.rule = ASH__RULE_NATURAL, .device = device->name, .f64 = device->f64};
    ash_function *const f = ash__function_for(s->function, less);
    ash__program *program = f ? ash__function_program(s->function, f, 2, argument, &target) : NULL;
    ash_function_release(f);
    if (program && program->dtype != ASH_BOOL) {
        ash__fail(ASH_ERR_DTYPE, s->function, "\"%s\" gives %s; a bool is wanted: whether the first comes before the second",
                  less, ash_dtype_name(program->dtype));
        ash__program_release(program);
        return NULL;
    }
    return program;
}

ash_status ash__sorting_begin(ash__sorting *s, const char *function, const ash_array *a, const ash_sort_options *o)
{
    *s = (ash__sorting){.function = function, .given = o->resources, .descending = o->descending};
    ash_status status = ash__check_array(function, "a", a);
    if (!status)
        status = check_options(function, a, o);
    if (!status && o->axes.axis)
        status = ash__check_axis(function, o->axes.axis[0], a->rank, &s->axis);
    if (status)
        return status;
    s->a = ash__sorting_lines(function, a, o->flat, o->resources);
    if (s->a)
        s->keys = o->by ? keys_by(s, o->by) : ash_retain(s->a);
    if (s->keys && o->less)
        s->less = comparison(s, o->less);
    if (!s->keys || (o->less && !s->less)) {
        ash__sorting_end(s);
        return ash__last_status();
    }
    s->n = s->a->rank ? s->a->shape[s->axis] : 1;
    s->count = s->n;
    return ASH_OK;
}

void ash__sorting_end(ash__sorting *s)
{
    ash__program_release(s->less);
    ash_release(s->keys);
    ash_release(s->a);
}

/* ---- results */

ash_dims ash__sorting_shape(const ash__sorting *s, int64_t *size)
{
    for (int64_t k = 0; k < s->a->rank; k++)
        size[k] = k == s->axis ? s->count : s->a->shape[k];
    return (ash_dims){size, s->a->rank};
}

ash_array *ash__sorting_result(const ash__sorting *s, const ash_array *like, ash_dtype dtype)
{
    int64_t size[ASH_MAX_RANK];
    const ash__make make = {.resources = ash__resources_on(s->function, ash__device(s->a), s->given),
                            .dtype = dtype,
                            .layout = ash__layout_like(like),
                            .storage = like->storage,
                            .memory = like->buffer->memory};
    return make.resources ? ash__array_new(s->function, ash__sorting_shape(s, size), &make) : NULL;
}

/* An array over the axes of the task; rank 0 is a line of one. */
static ash__span span_of(const ash_array *a)
{
    static const int64_t one_element[1] = {0};
    return (ash__span){a->buffer, ash__data(a), a->rank ? a->stride : one_element, a->dtype};
}

ash_status ash__sorting_run(const ash__sorting *s, const ash_array *payload, ash_array *values, ash_array *positions)
{
    static const int64_t one[1] = {1};
    const ash__span operand[2] = {span_of(s->keys), span_of(payload)};
    ash_resources *const r = ash__resources_on(s->function, ash__device(s->a), s->given);
    if (!r || !s->a->size || !s->count)
        return r ? ASH_OK : ash__last_status();
    ash__task task = {.kind = ASH__TASK_SORT,
                      .function = s->function,
                      .rank = s->a->rank ? s->a->rank : 1,
                      .shape = s->a->rank ? s->a->shape : one,
                      /* with positions elements are fetched by them, not sorted once more */
                      .operand_count = values && (positions || payload != s->keys) ? 2 : 1,
                      .operand = operand,
                      .combine = s->less,
                      .axis = s->axis,
                      .descending = s->descending,
                      .first = s->first,
                      .count = s->count};
    task.out.dtype = payload->dtype;
    if (values)
        task.out = span_of(values);
    if (positions)
        task.value = span_of(positions);
    return ash__run_on(r, &task);
}

/* A new array of elements or of positions. */
static ash_array *sorted(const ash__sorting *s, bool positions)
{
    ash_array *out = ash__sorting_result(s, s->a, positions ? ASH_I64 : s->a->dtype);
    if (out && ash__sorting_run(s, s->a, positions ? NULL : out, positions ? out : NULL)) {
        ash_release(out);
        out = NULL;
    }
    return out;
}

ash_array *ash__sorting_values(const ash__sorting *s)
{
    return sorted(s, false);
}

ash_array *ash__sorting_positions(const ash__sorting *s)
{
    return sorted(s, true);
}

/* ---- outputs that are there */

ash_status ash__sorting_check_out(const ash__sorting *s, const ash_array *out, ash_dtype dtype)
{
    char have[ASH__SHAPE_TEXT], want[ASH__SHAPE_TEXT];
    int64_t size[ASH_MAX_RANK];
    const ash_dims shape = ash__sorting_shape(s, size);
    const ash_status status = ash__check_writable(s->function, "out", out);
    if (status)
        return status;
    if (ash__device(out) != ash__device(s->a))
        return ash__fail(ASH_ERR_DEVICE, s->function, "out is on %s and a on %s", ash__device(out)->name,
                         ash__device(s->a)->name);
    if (out->dtype != dtype)
        return ash__fail(ASH_ERR_DTYPE, s->function, "out is %s; %s is wanted", ash_dtype_name(out->dtype),
                         ash_dtype_name(dtype));
    bool same = out->rank == shape.rank;
    for (int64_t k = 0; same && k < shape.rank; k++)
        same = out->shape[k] == shape.size[k];
    return same ? ASH_OK
                : ash__fail(ASH_ERR_SHAPE, s->function, "out has shape %s; %s is wanted",
                            ash__shape_text(have, sizeof have, out->shape, out->rank),
                            ash__shape_text(want, sizeof want, shape.size, shape.rank));
}
