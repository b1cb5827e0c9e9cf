/* kernel_unchecked.h - kernels without checks of indices: rows of dense elements are loops of their own, and nothing waits. */
#ifndef KERNEL_UNCHECKED_H
#define KERNEL_UNCHECKED_H
#include <ashlar/ashlar.h>
#undef ASH_CHECK_BOUNDS
#define ASH_CHECK_BOUNDS 0

ASH_KERNEL(chosen, (in, f32, x), (in, bool, which), (in, c_f32, z), (inout, i16, count), (out, f32, y), (scalar, f32, a))
{
    const int64_t i = ASH_GLOBAL_ID(0);
    if (ASH_GET(which, i)) {
        ASH_SET(y, a * ASH_GET(x, i) + ASH_GET(z, i).im, i);
        ASH_SET(count, (int16_t)(ASH_GET(count, i) + 1), i);
    }
}

ASH_KERNEL(neighbours, (in, f32, x), (out, f32, y), (local, f32, part, 8))
{
    const int64_t k = ASH_LOCAL_ID(0);
    part[k] = ASH_GET(x, ASH_GLOBAL_ID(0));
    ASH_BARRIER();
    ASH_SET(y, part[(k + 1) % 8], ASH_GLOBAL_ID(0));
}

#endif
