/* element.c - a value that a caller gave as one element of a dtype. */
#include "ops/element.h"

#include "core/convert.h"
#include "core/error.h"
#include "core/host.h"
#include "core/operand.h"

ash_status ash__element_of(const char *function, const ash_operand *value, ash_dtype dtype, bool conjugated, bool exact,
                           unsigned char element[ASH__LARGEST_ELEMENT])
{
    unsigned char bytes[ASH__SCALAR_BYTES], one[ASH__LARGEST_ELEMENT];
    const char *from = (const char *)bytes;
    ash_dtype from_dtype = value->dtype;
    int sides = conjugated ? ASH__TO_CONJUGATED : 0;
    if (ash_dtype_size(dtype) > ASH__LARGEST_ELEMENT)
        return ash__fail(ASH_ERR_UNSUPPORTED, function, "%s has %zu bytes; at most %d can be filled with",
                         ash_dtype_name(dtype), ash_dtype_size(dtype), ASH__LARGEST_ELEMENT);
    if (value->kind == ASH_OPERAND_ARRAY) {
        const ash_array *a = value->value.array;
        ash_status status = ash__check_array(function, "value", a);
        if (status)
            return status;
        if (a->size != 1)
            return ash__fail(ASH_ERR_SHAPE, function, "the value has shape %s; one element is wanted", ash_shape_text(a));
        if (ash_dtype_size(a->dtype) > sizeof one)
            return ash__fail(ASH_ERR_DTYPE, function, "%s does not convert to %s", ash_dtype_name(a->dtype),
                             ash_dtype_name(dtype));
        if ((status = ash__host_get(function, a, ash__data(a), ASH__READ, one)))
            return status;
        from = (const char *)one;
        from_dtype = a->dtype;
        sides |= a->conjugated ? ASH__FROM_CONJUGATED : 0;
    } else if (value->kind == ASH_OPERAND_SCALAR) {
        const ash_status status = ash__operand_bytes(function, value, bytes);
        if (status)
            return status;
    } else {
        return ash__null(function, "value");
    }
    if (from_dtype != dtype && (ash__is_record(from_dtype) || ash__is_record(dtype)))
        return ash__fail(ASH_ERR_DTYPE, function, "%s does not convert to %s", ash_dtype_name(from_dtype),
                         ash_dtype_name(dtype));
    return ash__convert_all(function, NULL, 0, (char *)element, NULL, dtype, from, NULL, from_dtype, exact, sides);
}
