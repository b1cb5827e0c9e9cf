/*
 * histogram.c - how many elements fall into each of a row of bins.
 *
 * Edges are made on the host, in f64. The backend compares elements with edges as numbers, so what is counted is exact for the
 * edges that are returned.
 */
#include <math.h>

#include "ashlar/order.h"
#include "core/error.h"
#include "core/host.h"
#include "core/options.h"
#include "ops/compare.h"
#include "ops/place.h"
#include "ops/reduction.h"
#include "ops/run.h"
#include "ops/task.h"

static const ash__operator min_of = {.text = "min", .fold = ASH__FOLD_MIN}, max_of = {.text = "max", .fold = ASH__FOLD_MAX};

/* ---- the range */

/* The least or the largest element. An integer that f64 does not hold may be rounded to the inside: the next f64 then. */
static ash_status extreme(const char *function, bool largest, const ash_array *a, ash_resources *given, double *value)
{
    const ash_reduce_options o = {.struct_size = sizeof o, .resources = given};
    const ash__operator op = largest ? max_of : min_of;
    const int64_t barrier = ash_scope_open_barrier();
    ash_array *const x = barrier < 0 ? NULL : ash__reduce_named(function, op, a, &o);
    const ash_status status = x ? ash__read_numbers(function, x, value) : ash__last_status();
    ash_release(x);
    ash_scope_close(barrier);
    if (!status && (a->dtype == ASH_I64 || a->dtype == ASH_U64) && fabs(*value) >= 0x1p53)
        *value = nextafter(*value, largest ? INFINITY : -INFINITY);
    return status;
}

/* A scalar of an option, as f64. */
static ash_status scalar(const char *function, const char *name, const ash_operand *x, double *value)
{
    const bool real = x->kind == ASH_OPERAND_SCALAR && ash__is_real(x->dtype);
    if (!real)
        return ash__fail(ASH_ERR_ARGUMENT, function, ".%s is %s; a real scalar is wanted", name,
                         x->kind == ASH_OPERAND_SCALAR ? ash_dtype_name(x->dtype) : "an array");
    *value = ash__is_float(x->dtype) ? x->value.f : x->dtype == ASH_U64 ? (double)(uint64_t)x->value.i : (double)x->value.i;
    return ASH_OK;
}

static ash_status find_range(const char *function, const ash_array *a, const ash_histogram_options *o, double range[2])
{
    const ash_operand *const given[2] = {&o->low, &o->high};
    static const char *const name[2] = {"low", "high"};
    ash_status status = ASH_OK;
    range[0] = 0;
    range[1] = 1;
    for (int k = 0; k < 2 && !status; k++)
        if (given[k]->kind)
            status = scalar(function, name[k], given[k], &range[k]);
        else if (a->size)
            status = extreme(function, k, a, o->resources, &range[k]);
    if (status)
        return status;
    for (int k = 0; k < 2; k++)
        if (!isfinite(range[k]))
            return given[k]->kind
                       ? ash__fail(ASH_ERR_ARGUMENT, function, ".%s is %g; a finite number is wanted", name[k], range[k])
                       : ash__fail(ASH_ERR_VALUE, function, "an element is %g; with .low and .high such are left out",
                                   range[k]);
    if (range[0] == range[1] && !o->low.kind && !o->high.kind) {
        range[0] = fmin(range[0] - 0.5, nextafter(range[0], -INFINITY));
        range[1] = fmax(range[1] + 0.5, nextafter(range[1], INFINITY));
    }
    return range[0] < range[1] && isfinite(range[1] - range[0])
               ? ASH_OK
               : ash__fail(ASH_ERR_ARGUMENT, function,
                           "the range from %g to %g; the first must be less, and the difference finite", range[0], range[1]);
}

/* ---- the edges */

static ash_array *edges_between(const char *function, const ash_array *a, int64_t bins, const double range[2],
                                ash_resources *given)
{
    const bool narrow = ash__is_float(a->dtype) && a->dtype != ASH_F64;
    const int64_t size = bins + 1;
    const ash__make make = {.resources = ash__resources_on(function, ash__device(a), given),
                            .dtype = narrow ? ASH_F32 : ASH_F64,
                            .storage = a->storage};
    ash_array *const edges = make.resources ? ash__array_new(function, (ash_dims){&size, 1}, &make) : NULL;
    const double step = (range[1] - range[0]) / (double)bins;
    ash__host h;
    const ash_status status = edges ? ash__host_open(&h, function, edges, ASH__WRITE | ASH__OWN) : ash__last_status();
    for (int64_t k = 0; !status && k <= bins; k++) {
        const double x = k == bins ? range[1] : range[0] + (double)k * step;
        if (narrow)
            ((float *)(void *)h.data)[k] = (float)x;
        else
            ((double *)(void *)h.data)[k] = x;
    }
    if (edges && ash__host_close(&h, status)) {
        ash_release(edges);
        return NULL;
    }
    return edges;
}

static ash_status check_edges(const char *function, const ash_array *a, int64_t bins, const ash_histogram_options *o)
{
    const ash_array *const e = o->edges;
    const ash_status status = ash__check_array(function, ".edges", e);
    if (status)
        return status;
    if (o->low.kind || o->high.kind)
        return ash__fail(ASH_ERR_ARGUMENT, function, ".edges and .%s exclude each other", o->low.kind ? "low" : "high");
    if (ash__device(e) != ash__device(a))
        return ash__fail(ASH_ERR_DEVICE, function, ".edges are on %s and a on %s", ash__device(e)->name, ash__device(a)->name);
    if (e->rank != 1 || e->shape[0] < 2)
        return ash__fail(ASH_ERR_SHAPE, function, ".edges have rank %d and %lld elements; a vector of 2 or more is wanted",
                         (int)e->rank, (long long)e->size);
    if (!ash__is_real(e->dtype))
        return ash__fail(ASH_ERR_DTYPE, function, ".edges are %s, which have no order", ash_dtype_name(e->dtype));
    if (bins && bins != e->shape[0] - 1)
        return ash__fail(ASH_ERR_ARGUMENT, function, "%lld bins and %lld edges; 0 or %lld bins are wanted", (long long)bins,
                         (long long)e->shape[0], (long long)e->shape[0] - 1);
    return ASH_OK;
}

/* Do they ascend, NaN nowhere? */
static bool ascend(const char *function, const ash_array *edges, ash_resources *given)
{
    const int64_t size = edges->shape[0] - 1, barrier = ash_scope_open_barrier();
    ash_array *const first =
        barrier < 0 ? NULL : ash__view(function, edges, edges->dtype, &size, edges->stride, 1, edges->offset);
    ash_array *const second =
        first ? ash__view(function, edges, edges->dtype, &size, edges->stride, 1, edges->offset + edges->stride[0]) : NULL;
    bool yes = false;
    if (second) {
        const ash_operand pair[2] = {ash_operand_array(first), ash_operand_array(second)};
        yes = ash__all_pairs(function, edges->dtype == ASH_BOOL ? "(x, y) -> !x || y" : "(x, y) -> x <= y",
                             (ash_operands){pair, 2}, given);
        if (!yes) /* after a failure to find out, the first cause stays */
            ash__fail(ASH_ERR_VALUE, function, ".edges do not ascend");
    }
    ash_release(first);
    ash_release(second);
    ash_scope_close(barrier);
    return yes;
}

/* ---- the counts */

static ash_array *count(const char *function, const ash_array *a, const ash_array *edges, ash_resources *given)
{
    ash_layout layout;
    const int64_t bins = edges->shape[0] - 1, item = (int64_t)ash_dtype_size(a->dtype), eight = 8;
    const ash__make make = {.resources = ash__resources_on(function, ash__device(a), given),
                            .dtype = ASH_I64,
                            .storage = a->storage,
                            .memory = a->buffer->memory};
    ash_array *const dense = make.resources ? ash__either_dense(function, a, &layout, given) : NULL;
    ash_array *out = dense ? ash__array_new(function, (ash_dims){&bins, 1}, &make) : NULL;
    if (out) {
        const ash__span operand[2] = {ash__span_of(edges), {dense->buffer, ash__data(dense), &item, dense->dtype}};
        const ash__task task = {.kind = ASH__TASK_HISTOGRAM,
                                .function = function,
                                .rank = 1,
                                .shape = &dense->size,
                                .operand_count = 2,
                                .operand = operand,
                                .out = {out->buffer, ash__data(out), &eight, ASH_I64},
                                .count = edges->shape[0]};
        if (ash__run_on(make.resources, &task)) {
            ash_release(out);
            out = NULL;
        }
    }
    ash_release(dense);
    return out;
}

ash_histogram_result ash_histogram_opt(const ash_array *a, int64_t bins, const ash_histogram_options *options)
{
    static const char f[] = "ash_histogram";
    const ash_histogram_result none = {NULL, NULL};
    ash_histogram_result result = none;
    ash_histogram_options o;
    double range[2];
    if (!ash__read_options(f, &o, sizeof o, options) || ash__check_array(f, "a", a))
        return none;
    if (!ash__is_real(a->dtype)) {
        ash__fail(ASH_ERR_DTYPE, f, "the elements are %s, which have no order", ash_dtype_name(a->dtype));
        return none;
    }
    if (bins < (o.edges ? 0 : 1)) {
        ash__fail(ASH_ERR_ARGUMENT, f, "%lld bins; 1 or more are wanted", (long long)bins);
        return none;
    }
    if (o.edges ? check_edges(f, a, bins, &o) != ASH_OK || !ascend(f, o.edges, o.resources)
                : find_range(f, a, &o, range) != ASH_OK)
        return none;
    result.edges = o.edges ? ash_share(o.edges) : edges_between(f, a, bins, range, o.resources);
    result.counts = result.edges ? count(f, a, result.edges, o.resources) : NULL;
    if (result.counts)
        return result;
    ash_release(result.edges);
    return none;
}
