/* task.c - whole arrays copied, filled and converted, for the operations that are made of that. */
#include "ops/task.h"

#include "core/alloc.h"
#include "core/convert.h"
#include "core/error.h"
#include "core/host.h"
#include "ops/run.h"

ash__span ash__span_of(const ash_array *a)
{
    return (ash__span){.buffer = a->buffer, .data = ash__data(a), .stride = a->stride, .dtype = a->dtype};
}

/* Copies to all elements of out from a span over its shape. */
static ash_status copy_from(const char *function, ash_array *out, ash__span from, ash_resources *given)
{
    if (!out->size)
        return ASH_OK;
    ash_resources *r = ash__resources_on(function, ash__device(out), given);
    return r ? ash__run_copy(function, r, out->shape, out->rank, ash__span_of(out), from) : ash__last_status();
}

/* Between memories that no one device reaches: by the host. */
static ash_status copy_across(const char *function, ash_array *out, const ash_array *a)
{
    ash__host to, from;
    ash_status status = ash__host_open(&from, function, a, ASH__READ | ASH__ASKED);
    if (!status) {
        status = ash__host_open(&to, function, out, ASH__WRITE | ASH__ASKED);
        const ash__span source = {a->buffer, from.data, a->stride, a->dtype};
        const ash__task task = {.kind = ASH__TASK_COPY,
                                .function = function,
                                .rank = out->rank,
                                .shape = out->shape,
                                .operand_count = 1,
                                .operand = &source,
                                .out = {out->buffer, to.data, out->stride, out->dtype}};
        if (!status)
            status = ash__cpu_backend.run(out->resources, &task);
        status = ash__host_close(&to, status);
    }
    return ash__host_close(&from, status);
}

static bool same_memory(const ash_device *a, const ash_device *b) /* as one device opened twice has */
{
    return a->backend == b->backend && a->index == b->index;
}

ash_status ash__copy_elements(const char *function, ash_array *out, const ash_array *a, ash_resources *given)
{
    if (out->size && !same_memory(ash__device(out), ash__device(a)))
        return copy_across(function, out, a);
    return copy_from(function, out, ash__span_of(a), given);
}

ash_status ash__fill_elements(const char *function, ash_array *out, const void *element, ash_resources *given)
{
    return copy_from(function, out, (ash__span){.data = (char *)(uintptr_t)element, .dtype = out->dtype}, given);
}

ash_status ash__fill_zeros(const char *function, ash_array *out, ash_resources *given)
{
    static const unsigned char zeros[4096];
    const size_t item = ash_dtype_size(out->dtype);
    void *large = item > sizeof zeros ? ash__alloc(function, 1, item) : NULL;
    if (item > sizeof zeros && !large)
        return ash__last_status();
    const ash_status status = ash__fill_elements(function, out, large ? large : zeros, given);
    ash__free(large);
    return status;
}

ash_status ash__convert_elements(const char *function, ash_array *out, const ash_array *a, bool exact, ash_resources *given)
{
    ash_status refused = ASH_OK;
    const int conjugated = (a->conjugated ? ASH__FROM_CONJUGATED : 0) | (out->conjugated ? ASH__TO_CONJUGATED : 0);
    if (a->dtype == out->dtype && (a->conjugated == out->conjugated || !ash__is_complex(a->dtype)))
        return ash__copy_elements(function, out, a, given);
    if (ash__is_record(a->dtype) || ash__is_record(out->dtype))
        return ash__fail(ASH_ERR_DTYPE, function, "%s does not convert to %s", ash_dtype_name(a->dtype),
                         ash_dtype_name(out->dtype));
    if (!out->size)
        return ASH_OK;
    if (same_memory(ash__device(out), ash__device(a)) && ash__convert_on_device(function, out, a, exact, given, &refused))
        return refused;
    ash__host to, from;
    const ash__access asked =
        refused || !same_memory(ash__device(out), ash__device(a)) ? ASH__ASKED : (ash__access)0; /* for the message */
    ash_status status = ash__host_open(&from, function, a, ASH__READ | asked);
    if (!status) {
        status = ash__host_open(&to, function, out, ASH__WRITE | asked);
        if (!status)
            status = ash__convert_all(function, out->shape, out->rank, to.data, out->stride, out->dtype, from.data, a->stride,
                                      a->dtype, exact, conjugated);
        status = ash__host_close(&to, status);
    }
    return ash__host_close(&from, status);
}

ash_array *ash__temporary_copy(const char *function, const ash_array *a, ash_layout layout, ash_resources *given)
{
    const ash__make make = {.resources = ash__resources_on(function, ash__device(a), given),
                            .dtype = a->dtype,
                            .layout = layout,
                            .storage = a->storage};
    if (!make.resources)
        return NULL;
    const int64_t barrier = ash_scope_open_barrier();
    ash_array *copy = barrier >= 0 ? ash__array_new(function, ash__dims(a), &make) : NULL;
    if (copy) {
        copy->conjugated = a->conjugated;
        if (ash__copy_elements(function, copy, a, given) != ASH_OK) {
            ash_release(copy);
            copy = NULL;
        }
    }
    ash_scope_close(barrier);
    return copy;
}
