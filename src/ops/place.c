/* place.c - arrays copied into parts of others, for the operations that only move elements. */
#include "ops/place.h"

#include "core/error.h"
#include "ops/run.h"

ash_array *ash__plain(const char *function, const ash_array *a, ash_dtype dtype, bool dense, ash_resources *given)
{
    const bool is_dense = ash__dense(ASH_ROW_MAJOR, a->shape, a->stride, a->rank, (int64_t)ash_dtype_size(a->dtype));
    if (a->dtype == dtype && !a->conjugated && (is_dense || !dense))
        return ash_retain(a);
    const int64_t barrier = ash_scope_open_barrier();
    ash_resources *r = barrier < 0 ? NULL : ash__resources_on(function, ash__device(a), given);
    const ash__make make = {
        .resources = r, .dtype = dtype, .layout = dense ? ASH_ROW_MAJOR : ash__layout_like(a), .storage = a->storage};
    ash_array *b = r ? ash__array_new(function, ash__dims(a), &make) : NULL;
    if (b && ash__convert_elements(function, b, a, false, given)) {
        ash_release(b);
        b = NULL;
    }
    ash_scope_close(barrier);
    return b;
}

ash_array *ash__either_dense(const char *function, const ash_array *a, ash_layout *layout, ash_resources *given)
{
    const bool columns =
        !a->conjugated && ash__dense(ASH_COL_MAJOR, a->shape, a->stride, a->rank, (int64_t)ash_dtype_size(a->dtype)) &&
        !ash__dense(ASH_ROW_MAJOR, a->shape, a->stride, a->rank, (int64_t)ash_dtype_size(a->dtype));
    *layout = columns ? ASH_COL_MAJOR : ASH_ROW_MAJOR;
    return columns ? ash_retain(a) : ash__plain(function, a, a->dtype, true, given);
}

ash_array *ash__result_like(const char *function, const ash_array *a, ash_dims shape, ash_layout layout, ash_resources *given)
{
    const ash__make make = {.resources = ash__resources_on(function, ash__device(a), given),
                            .dtype = a->dtype,
                            .layout = layout ? layout : ash__layout_like(a),
                            .storage = a->storage,
                            .memory = a->buffer->memory};
    return make.resources ? ash__array_new(function, shape, &make) : NULL;
}

ash_status ash__copy_strided(const char *function, ash_array *out, const int64_t *shape, int64_t rank, char *to,
                             const int64_t *to_stride, const ash_array *a, const char *from, const int64_t *from_stride,
                             ash_resources *given)
{
    if (!ash__count(shape, rank))
        return ASH_OK;
    ash_resources *r = ash__resources_on(function, ash__device(out), given);
    return r ? ash__run_copy(function, r, shape, rank, (ash__span){out->buffer, to, to_stride, out->dtype},
                             (ash__span){a->buffer, (char *)(uintptr_t)from, from_stride, a->dtype})
             : ash__last_status();
}
