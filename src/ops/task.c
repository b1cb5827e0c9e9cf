/* task.c - whole arrays copied, filled and converted, for the operations that are made of that. */
#include "ops/task.h"

#include "core/alloc.h"
#include "core/convert.h"
#include "core/error.h"
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

ash_status ash__copy_elements(const char *function, ash_array *out, const ash_array *a, ash_resources *given)
{
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
    const int conjugated = (a->conjugated ? ASH__FROM_CONJUGATED : 0) | (out->conjugated ? ASH__TO_CONJUGATED : 0);
    if (a->dtype == out->dtype && (a->conjugated == out->conjugated || !ash__is_complex(a->dtype)))
        return ash__copy_elements(function, out, a, given);
    if (ash__is_record(a->dtype) || ash__is_record(out->dtype))
        return ash__fail(ASH_ERR_DTYPE, function, "%s does not convert to %s", ash_dtype_name(a->dtype),
                         ash_dtype_name(out->dtype));
    ash_resources *r = ash__resources_on(function, ash__device(out), given);
    ash_status status = r ? r->device->backend->wait(r) : ash__last_status();
    return status ? status
                  : ash__convert_all(function, out->shape, out->rank, ash__data(out), out->stride, out->dtype, ash__data(a),
                                     a->stride, a->dtype, exact, conjugated);
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
