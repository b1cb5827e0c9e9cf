/* operand.c - scalar operands as the bytes of one element. */
#include "core/operand.h"

#include "core/error.h"

static void put_real(ash_dtype dtype, int64_t i, double f, unsigned char *bytes)
{
    const float single = (float)f;
    const uint16_t half = dtype == ASH_BF16 ? ash__bf16_from_f64(f) : ash__f16_from_f64(f);
    switch (dtype) { /* integers: the low bytes, whatever the byte order */
#define PUT(ID, name, W)                     \
    case ASH_##ID: {                         \
        const ash__##name x = (ash__##name)i; \
        memcpy(bytes, &x, sizeof x);         \
        break;                               \
    }
        ASH__INT_TYPES(PUT)
#undef PUT
    case ASH_BOOL: bytes[0] = i != 0; break;
    case ASH_F16:
    case ASH_BF16: memcpy(bytes, &half, sizeof half); break;
    case ASH_F32: memcpy(bytes, &single, sizeof single); break;
    default: memcpy(bytes, &f, sizeof f); break;
    }
}

/* What a cast in C would make of a part that was given as a double, without its undefined cases. */
static int64_t to_integer(double x) { return x != x ? 0 : x >= 0x1p63 ? INT64_MAX : x < -0x1p63 ? INT64_MIN : (int64_t)x; }

bool ash__element_is_zero(const void *element, ash_dtype dtype)
{
    unsigned char bytes[ASH__SCALAR_BYTES];
    const size_t size = ash_dtype_size(dtype), part = ash_dtype_size(ash__part(dtype));
    memcpy(bytes, element, size);
    for (size_t end = part; ash__is_float(ash__part(dtype)) && end <= size; end += part)
        bytes[end - 1] &= 0x7f; /* the sign of a little-endian float */
    for (size_t k = 0; k < size; k++)
        if (bytes[k])
            return false;
    return true;
}

ash_status ash__operand_bytes(const char *function, const ash_operand *scalar, unsigned char bytes[ASH__SCALAR_BYTES])
{
    const ash_dtype dtype = scalar->dtype;
    memset(bytes, 0, ASH__SCALAR_BYTES);
    if (ash__is_real(dtype)) {
        put_real(dtype, scalar->value.i, ash__is_float(dtype) ? scalar->value.f : 0, bytes);
        return ASH_OK;
    }
    if (!ash__is_complex(dtype))
        return ash__fail(ASH_ERR_DTYPE, function, "a scalar cannot have dtype %d", (int)dtype);
    const ash_dtype part = ash__part(dtype);
    const double re = scalar->value.c[0], im = scalar->value.c[1];
    put_real(part, ash__is_float(part) ? 0 : to_integer(re), re, bytes);
    put_real(part, ash__is_float(part) ? 0 : to_integer(im), im, bytes + ash_dtype_size(part));
    return ASH_OK;
}
