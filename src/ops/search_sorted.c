/*
 * search_sorted.c - where values belong in a sorted vector.
 *
 * The backend counts the elements of an ascending vector that are less, or not greater. A descending one is that read from
 * its end: what stands before a value there are all elements but those that are less (with .right) or not greater.
 */
#include "core/error.h"
#include "core/operand.h"
#include "core/options.h"
#include "ashlar/order.h"
#include "ops/operands.h"
#include "ops/place.h"
#include "ops/run.h"

static ash_status check_sorted(const char *function, const ash_array *sorted)
{
    const ash_status status = ash__check_array(function, "sorted", sorted);
    if (status)
        return status;
    if (sorted->rank != 1)
        return ash__fail(ASH_ERR_SHAPE, function, "sorted has rank %d; a vector is wanted", (int)sorted->rank);
    return ash__is_real(sorted->dtype) ? ASH_OK
                                       : ash__fail(ASH_ERR_DTYPE, function, "sorted holds %s, which have no order",
                                                   ash_dtype_name(sorted->dtype));
}

/* A scalar as an array of rank 0 beside `sorted`. */
static ash_array *array_of(const char *function, const ash_operand *value, const ash_array *sorted, ash_resources *given)
{
    unsigned char bytes[ASH__SCALAR_BYTES];
    const ash_device *const device = ash__device(sorted);
    ash_resources *const r = ash__resources_on(function, device, given);
    if (!r || ash__operand_bytes(function, value, bytes))
        return NULL;
    if (ash__scalar_needs_f64(value) && !device->f64) {
        ash__fail_scalar(function, "values", value, device);
        return NULL;
    }
    ash_array *a = ash__temporary(function, r, sorted->storage, value->dtype, NULL, 0);
    if (a && ash__fill_elements(function, a, bytes, given)) {
        ash_release(a);
        a = NULL;
    }
    return a;
}

/* The values, dense, to be released. */
static ash_array *values_of(const char *function, const ash_operand *values, const ash_array *sorted, ash_layout *layout,
                            ash_resources *given)
{
    const bool scalar = values->kind == ASH_OPERAND_SCALAR;
    *layout = ASH_ROW_MAJOR;
    if (!scalar && ash__check_array(function, "values", values->value.array))
        return NULL;
    const ash_dtype dtype = scalar ? values->dtype : values->value.array->dtype;
    if (!ash__is_real(dtype)) {
        ash__fail(ASH_ERR_DTYPE, function, "values are %s, which have no order", ash_dtype_name(dtype));
        return NULL;
    }
    if (!scalar && ash__device(values->value.array) != ash__device(sorted)) {
        ash__fail(ASH_ERR_DEVICE, function, "values are on %s and sorted on %s", ash__device(values->value.array)->name,
                  ash__device(sorted)->name);
        return NULL;
    }
    if (!scalar)
        return ash__either_dense(function, values->value.array, layout, given);
    const int64_t barrier = ash_scope_open_barrier();
    ash_array *const a = barrier < 0 ? NULL : array_of(function, values, sorted, given);
    ash_scope_close(barrier);
    return a;
}

static ash_status run(const char *function, ash_array *out, const ash_array *sorted, const ash_array *values,
                      const ash_search_options *o)
{
    const int64_t n = sorted->shape[0], step = sorted->stride[0], item[2] = {(int64_t)ash_dtype_size(values->dtype), 8};
    const int64_t from_end = -step;
    const ash__span operand[2] = {
        {sorted->buffer, ash__data(sorted) + (o->descending && n ? (n - 1) * step : 0), o->descending ? &from_end : &step,
         sorted->dtype},
        {values->buffer, ash__data(values), &item[0], values->dtype}};
    const ash__task task = {.kind = ASH__TASK_SEARCH,
                            .function = function,
                            .rank = 1,
                            .shape = &values->size,
                            .operand_count = 2,
                            .operand = operand,
                            .out = {out->buffer, ash__data(out), &item[1], ASH_I64},
                            .right = o->right != o->descending,
                            .descending = o->descending,
                            .count = n};
    ash_resources *const r = ash__resources_on(function, ash__device(out), o->resources);
    return !r ? ash__last_status() : out->size ? ash__run_on(r, &task) : ASH_OK;
}

static ash_array *search(const char *function, const ash_array *sorted, const ash_array *values, ash_layout layout,
                         const ash_search_options *o)
{
    const ash__make make = {.resources = ash__resources_on(function, ash__device(sorted), o->resources),
                            .dtype = ASH_I64,
                            .layout = layout,
                            .storage = sorted->storage == ASH_SHARED ? ASH_SHARED : values->storage,
                            .memory = values->buffer->memory};
    ash_array *out = make.resources ? ash__array_new(function, ash__dims(values), &make) : NULL;
    if (out && run(function, out, sorted, values, o)) {
        ash_release(out);
        out = NULL;
    }
    return out;
}

ash_array *ash_search_sorted_opt(const ash_array *sorted, const ash_operand *values, const ash_search_options *options)
{
    static const char f[] = "ash_search_sorted";
    ash_search_options o;
    ash_layout layout;
    if (!ash__read_options(f, &o, sizeof o, options) || check_sorted(f, sorted))
        return NULL;
    if (!values || values->kind == ASH_OPERAND_NONE) {
        ash__null(f, "values");
        return NULL;
    }
    ash_array *const v = values_of(f, values, sorted, &layout, o.resources);
    ash_array *const out = v ? search(f, sorted, v, layout, &o) : NULL;
    ash_release(v);
    return out;
}
