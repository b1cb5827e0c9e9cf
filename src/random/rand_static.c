/* rand_static.c - uniform numbers into an array of a static type, in the order of its memory. */
#include "ops/static.h"

#include "ashlar/view.h"
#include "core/error.h"
#include "random/draw.h"

ash_status ash_static_rand(const ash_static_view *out)
{
    const ash__static_name f = ash__static_function(out, "rand");
    ash_array *a = ash__static_borrow(f.text, out);
    if (!a)
        return ash__last_status();
    const int64_t barrier = ash_scope_open_barrier();
    const ash_reshape_options order = {.order = out->layout, ASH_SIZED(ash_reshape_options)};
    ash_array *flat = barrier < 0 ? NULL : ash_reshape_opt(a, (ash_dims){&a->size, 1}, &order);
    const ash__wanted wanted = {.function = f.text, .drawing = ASH__DRAW_UNIFORM};
    const ash_status status = flat ? ash__draw_into(&wanted, flat) : ash__last_status();
    ash_release(flat);
    ash_scope_close(barrier);
    return ash__static_give_back(a, status);
}
