/* kernel_wrong.h - a text that no device's compiler takes. */
#include <ashlar/ashlar.h>

ASH_KERNEL(wrong_on_a_device, (out, f32, y))
{
#if !ASH_HOST
    float x = 1.0f
#else
    float x = 1.0f;
#endif
    ASH_SET(y, x, ASH_GLOBAL_ID(0));
}
