/* to_host.c - elements copied to host memory in row-major order, as they are or converted. */
#include "core/convert.h"
#include "core/error.h"
#include "core/host.h"
#include "core/options.h"
#include "ops/task.h"

static ash_status to_host(const char *function, const ash_array *a, void *data, size_t nbytes, ash_dtype dtype, bool exact,
                          ash__access access)
{
    ash_status status = ash__check_array(function, "a", a);
    if (status)
        return status;
    const size_t item = ash_dtype_size(dtype);
    size_t wanted;
    if (!item)
        return ash__fail(ASH_ERR_DTYPE, function, "unsupported dtype %d", (int)dtype);
    if (__builtin_mul_overflow((size_t)a->size, item, &wanted) || nbytes != wanted)
        return ash__fail(ASH_ERR_SHAPE, function, "the destination has %zu bytes; %s of shape %s takes %zu", nbytes,
                         ash_dtype_name(dtype), ash_shape_text(a), wanted);
    if (!data && nbytes)
        return ash__null(function, "data");
    if (a->dtype != dtype && (ash__is_record(a->dtype) || ash__is_record(dtype)))
        return ash__fail(ASH_ERR_DTYPE, function, "%s does not convert to %s", ash_dtype_name(a->dtype), ash_dtype_name(dtype));
    ash__host h;
    int64_t stride[ASH_MAX_RANK];
    ash__strides_for(ASH_ROW_MAJOR, a->shape, a->rank, (int64_t)item, stride);
    status = ash__host_open(&h, function, a, access);
    if (!status)
        status = ash__convert_all(function, a->shape, a->rank, data, stride, dtype, h.data, a->stride, a->dtype, exact,
                                  a->conjugated ? ASH__FROM_CONJUGATED : 0);
    return ash__host_close(&h, status);
}

ash_status ash_to_host(const ash_array *a, void *data, size_t nbytes)
{
    return to_host("ash_to_host", a, data, nbytes, a ? a->dtype : ASH_DTYPE_DEFAULT, false, ASH__READ | ASH__ASKED);
}

ash_status ash__read_numbers(const char *function, const ash_array *a, double *numbers)
{
    return to_host(function, a, numbers, (size_t)a->size * sizeof *numbers, ASH_F64, false, ASH__READ | ASH__OWN);
}

ash_status ash__read_element(const char *function, const ash_array *a, ash__access access, void *element)
{
    return to_host(function, a, element, ash_dtype_size(a->dtype), a->dtype, false, access);
}

ash_status ash_to_host_as_opt(const ash_array *a, void *data, size_t nbytes, ash_dtype dtype,
                              const ash_convert_options *options)
{
    static const char f[] = "ash_to_host_as";
    ash_convert_options o;
    return ash__read_options(f, &o, sizeof o, options) ? to_host(f, a, data, nbytes, dtype, o.exact, ASH__READ | ASH__ASKED)
                                                       : ash__last_status();
}
