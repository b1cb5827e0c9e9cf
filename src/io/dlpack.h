/* dlpack.h - the dtypes of DLPack. */
#ifndef ASH__DLPACK_H
#define ASH__DLPACK_H
#include "ashlar/dlpack.h"
#include "core/device.h"

/* The dtype that elements of a foreign tensor have here; ASH_DTYPE_DEFAULT with a dtype error that names theirs. */
ash_dtype ash__dtype_from_dlpack(const char *function, const ash_device *device, ash_dl_dtype theirs);
/* How DLPack names a dtype; false when it does not. */
bool ash__dtype_to_dlpack(ash_dtype dtype, ash_dl_dtype *theirs);
#endif
