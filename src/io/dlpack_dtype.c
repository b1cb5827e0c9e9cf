/*
 * dlpack_dtype.c - the dtypes of DLPack and ours.
 *
 * A DLPack dtype is a code, a width in bits and a number of lanes; only one lane is an element here. The structs that DLPack
 * lays down are declared in ashlar/dlpack.h under names of our own; that they lie as theirs do is checked below.
 */
#include "core/dtype.h"
#include "core/error.h"
#include "io/dlpack.h"

#if UINTPTR_MAX == UINT64_MAX
/* The offsets of dlpack.h 1.x on every 64-bit platform. */
_Static_assert(sizeof(ash_dl_dtype) == 4 && offsetof(ash_dl_dtype, bits) == 1 && offsetof(ash_dl_dtype, lanes) == 2,
               "DLDataType");
_Static_assert(sizeof(ash_dl_device) == 8 && offsetof(ash_dl_device, index) == 4, "DLDevice");
_Static_assert(sizeof(ash_dl_tensor) == 48 && offsetof(ash_dl_tensor, device) == 8 && offsetof(ash_dl_tensor, rank) == 16 &&
                   offsetof(ash_dl_tensor, dtype) == 20 && offsetof(ash_dl_tensor, shape) == 24 &&
                   offsetof(ash_dl_tensor, strides) == 32 && offsetof(ash_dl_tensor, byte_offset) == 40,
               "DLTensor");
_Static_assert(sizeof(ash_dl_managed_old) == 64 && offsetof(ash_dl_managed_old, context) == 48 &&
                   offsetof(ash_dl_managed_old, deleter) == 56,
               "DLManagedTensor");
_Static_assert(sizeof(ash_dl_managed) == 80 && offsetof(ash_dl_managed, context) == 8 &&
                   offsetof(ash_dl_managed, deleter) == 16 && offsetof(ash_dl_managed, flags) == 24 &&
                   offsetof(ash_dl_managed, tensor) == 32,
               "DLManagedTensorVersioned");
#endif

static const struct {
    uint8_t code, bits;
    ash_dtype dtype;
} same[] = {
    {ASH_DL_BOOL, 8, ASH_BOOL},       {ASH_DL_INT, 8, ASH_I8},         {ASH_DL_INT, 16, ASH_I16},
    {ASH_DL_INT, 32, ASH_I32},        {ASH_DL_INT, 64, ASH_I64},       {ASH_DL_UINT, 8, ASH_U8},
    {ASH_DL_UINT, 16, ASH_U16},       {ASH_DL_UINT, 32, ASH_U32},      {ASH_DL_UINT, 64, ASH_U64},
    {ASH_DL_FLOAT, 16, ASH_F16},      {ASH_DL_BFLOAT, 16, ASH_BF16},   {ASH_DL_FLOAT, 32, ASH_F32},
    {ASH_DL_FLOAT, 64, ASH_F64},      {ASH_DL_COMPLEX, 32, ASH_C_F16}, {ASH_DL_COMPLEX, 64, ASH_C_F32},
    {ASH_DL_COMPLEX, 128, ASH_C_F64},
};
enum { SAME_COUNT = sizeof same / sizeof same[0] };

/* Codes whose width is part of their name, and the narrowest of our dtypes that has all their values. */
static const struct {
    const char *name;
    ash_dtype instead;
} small_floats[] = {
    [7] = {"float8_e3m4", ASH_F16},      [8] = {"float8_e4m3", ASH_F16},      [9] = {"float8_e4m3b11fnuz", ASH_F16},
    [10] = {"float8_e4m3fn", ASH_F16},   [11] = {"float8_e4m3fnuz", ASH_F16}, [12] = {"float8_e5m2", ASH_F16},
    [13] = {"float8_e5m2fnuz", ASH_F16}, [14] = {"float8_e8m0fnu", ASH_BF16}, [15] = {"float6_e2m3fn", ASH_F16},
    [16] = {"float6_e3m2fn", ASH_F16},   [17] = {"float4_e2m1fn", ASH_F16},
};
enum { SMALL_FLOAT_COUNT = sizeof small_floats / sizeof small_floats[0] };

/* The narrowest dtype with that code which is no narrower; else the widest. */
static ash_dtype nearest(uint8_t code, unsigned bits)
{
    ash_dtype found = ASH_DTYPE_DEFAULT;
    for (int i = 0; i < SAME_COUNT; i++)
        if (same[i].code == code && (!found || 8 * ash_dtype_size(found) < bits))
            found = same[i].dtype;
    return found;
}

static ash_dtype refuse(const char *function, const ash_device *device, ash_dl_dtype theirs)
{
    static const char *const letters[] = {
        [ASH_DL_INT] = "i", [ASH_DL_UINT] = "u", [ASH_DL_FLOAT] = "f", [ASH_DL_BFLOAT] = "bf", [ASH_DL_COMPLEX] = "c_f"};
    const unsigned bits = theirs.bits;
    if (theirs.code == ASH_DL_BOOL)
        ash__fail(ASH_ERR_DTYPE, function, "%s does not support bool values of %u bits; use 8 bits", device->name, bits);
    else if (theirs.code == ASH_DL_HANDLE)
        ash__fail(ASH_ERR_DTYPE, function, "%s does not support opaque handles", device->name);
    else if (theirs.code <= ASH_DL_COMPLEX)
        ash__fail(ASH_ERR_DTYPE, function, "%s does not support %s%u values; use %s", device->name, letters[theirs.code],
                  theirs.code == ASH_DL_COMPLEX ? bits / 2 : bits, ash_dtype_name(nearest(theirs.code, bits)));
    else if (theirs.code < SMALL_FLOAT_COUNT)
        ash__fail(ASH_ERR_DTYPE, function, "%s does not support %s values; use %s", device->name,
                  small_floats[theirs.code].name, ash_dtype_name(small_floats[theirs.code].instead));
    else
        ash__fail(ASH_ERR_DTYPE, function, "type code %u of %u bits is not known", (unsigned)theirs.code, bits);
    return ASH_DTYPE_DEFAULT;
}

ash_dtype ash__dtype_from_dlpack(const char *function, const ash_device *device, ash_dl_dtype theirs)
{
    for (int i = 0; i < SAME_COUNT; i++) {
        if (same[i].code != theirs.code || same[i].bits != theirs.bits)
            continue;
        if (theirs.lanes == 1)
            return ash__check_dtype(function, device, same[i].dtype) ? ASH_DTYPE_DEFAULT : same[i].dtype;
        ash__fail(ASH_ERR_DTYPE, function, "elements are %u lanes of %s; one lane is supported", (unsigned)theirs.lanes,
                  ash_dtype_name(same[i].dtype));
        return ASH_DTYPE_DEFAULT;
    }
    return refuse(function, device, theirs);
}

bool ash__dtype_to_dlpack(ash_dtype dtype, ash_dl_dtype *theirs)
{
    for (int i = 0; i < SAME_COUNT; i++)
        if (same[i].dtype == dtype) {
            *theirs = (ash_dl_dtype){same[i].code, same[i].bits, 1};
            return true;
        }
    return false;
}
