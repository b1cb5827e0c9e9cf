/* fftshift.c - frequency 0 moved to the middle of each axis, and back. */
#include "core/error.h"
#include "core/options.h"
#include "fft/fft.h"
#include "ops/place.h"

static ash_array *shifted(const char *function, const ash_array *a, bool back, const ash_fft_shift_options *options)
{
    ash_fft_shift_options o;
    int64_t shift[ASH_MAX_RANK];
    uint32_t bits;
    if (!ash__read_options(function, &o, sizeof o, options) || ash__check_array(function, "a", a) ||
        ash__check_axes(function, o.axes, a->rank, &bits))
        return NULL;
    const int64_t count = o.axes.axis ? o.axes.count : a->rank;
    for (int64_t i = 0; i < count; i++) {
        const int64_t axis = !o.axes.axis ? i : o.axes.axis[i] < 0 ? o.axes.axis[i] + a->rank : o.axes.axis[i];
        const int64_t half = a->shape[axis] / 2;
        shift[i] = back ? -half : half;
    }
    return ash__roll(function, a, (ash_dims){shift, count}, o.axes, o.resources);
}

ash_array *ash_fftshift_opt(const ash_array *a, const ash_fft_shift_options *options)
{
    return shifted("ash_fftshift", a, false, options);
}

ash_array *ash_ifftshift_opt(const ash_array *a, const ash_fft_shift_options *options)
{
    return shifted("ash_ifftshift", a, true, options);
}
