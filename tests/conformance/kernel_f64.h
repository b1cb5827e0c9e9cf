/* kernel_f64.h - as kernel_texts.h, for devices that have f64. */
#ifndef CONFORMANCE_KERNEL_F64_H
#define CONFORMANCE_KERNEL_F64_H
#include <ashlar/ashlar.h>

ASH_KERNEL(move_f64, (in, f64, x, any), (inout, f64, y, any))
{
    const int64_t k = ASH_GLOBAL_ID(0);
    ASH_SET_NTH(y, ASH_NTH(x, k), k);
}
#endif
