/* gpu_once_kernel.h - the user kernel of gpu_once.h, and three that are wrong, for a checker to find. */
#ifndef GPU_ONCE_KERNEL_H
#define GPU_ONCE_KERNEL_H
#include <ashlar/ashlar.h>

/* The sums of groups of 64, as trees in local memory. */
ASH_KERNEL(once_sums, (in, f32, x), (out, f32, sums), (local, f32, part, 64))
{
    const int64_t k = ASH_LOCAL_ID(0);
    part[k] = ASH_GET(x, ASH_GLOBAL_ID(0));
    ASH_BARRIER();
    for (int64_t step = 32; step > 0; step /= 2) {
        if (k < step)
            part[k] += part[k + step];
        ASH_BARRIER();
    }
    if (k == 0)
        ASH_SET(sums, part[0], ASH_GROUP_ID(0));
}

/* No second barrier: an element is read that another work-item writes. */
ASH_KERNEL(planted_race, (in, f32, x), (out, f32, y), (local, f32, part, 64))
{
    const int64_t k = ASH_LOCAL_ID(0);
    part[k] = 0;
    ASH_BARRIER();
    part[k] += ASH_GET(x, k);
    ASH_SET(y, part[63 - k], k);
}

/* Nothing was written to half of it. */
ASH_KERNEL(planted_uninitialised, (in, f32, x), (out, f32, y), (local, f32, part, 128))
{
    const int64_t k = ASH_LOCAL_ID(0);
    part[k] = ASH_GET(x, k);
    ASH_BARRIER();
    ASH_SET(y, part[127 - k], k);
}

/* One work-item reads beyond the end. */
ASH_KERNEL(planted_end, (in, f32, x), (out, f32, y), (local, f32, part, 64))
{
    const int64_t k = ASH_LOCAL_ID(0);
    part[k] = ASH_GET(x, k);
    ASH_BARRIER();
    ASH_SET(y, part[k + 1], k);
}
#endif
