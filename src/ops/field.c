/* field.c - one field of every record of an array, as a view; an inner array becomes the last axis. */
#include "ashlar/view.h"
#include "core/array.h"
#include "core/error.h"

ash_array *ash_field(const ash_array *a, const char *name)
{
    static const char f[] = "ash_field";
    if (ash__check_array(f, "a", a))
        return NULL;
    if (!name) {
        ash__null(f, "name");
        return NULL;
    }
    if (!ash__is_record(a->dtype)) {
        ash__fail(ASH_ERR_DTYPE, f, "a is %s, which has no fields", ash_dtype_name(a->dtype));
        return NULL;
    }
    ash_field_info field;
    const int64_t number = ash__field_number(a->dtype, name);
    if (number < 0 || !ash_dtype_field(a->dtype, number, &field)) {
        ash__fail(ASH_ERR_ARGUMENT, f, "%s has no field %.64s", ash_dtype_name(a->dtype), name);
        return NULL;
    }
    int64_t shape[ASH_MAX_RANK], stride[ASH_MAX_RANK], rank = a->rank;
    for (int32_t k = 0; k < a->rank; k++)
        shape[k] = a->shape[k], stride[k] = a->stride[k];
    if (field.count > 1) {
        if (rank == ASH_MAX_RANK) {
            ash__fail(ASH_ERR_SHAPE, f, "the view would have rank %d; ranks 0 to %d are supported", ASH_MAX_RANK + 1,
                      ASH_MAX_RANK);
            return NULL;
        }
        shape[rank] = field.count;
        stride[rank++] = (int64_t)ash_dtype_size(field.dtype);
    }
    return ash__view(f, a, field.dtype, shape, stride, rank, a->offset + (int64_t)field.offset);
}
