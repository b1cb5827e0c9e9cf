/* scalar.c - one number at a time: arrays without axes, read at once. */
#include <math.h>

#include "core/host.h"
#include "random/draw.h"

bool ash__draw_one(const ash__wanted *w, ash_dtype dtype, void *x)
{
    const ash__make make = {.dtype = dtype, .storage = ASH_SHARED};
    const int64_t barrier = ash_scope_open_barrier();
    ash_array *const a = barrier < 0 ? NULL : ash__draw_new(w, (ash_dims){NULL, 0}, &make);
    const bool drawn = a && ash__host_get(w->function, a, ash__data(a), ASH__ASKED, x) == ASH_OK;
    ash_release(a);
    ash_scope_close(barrier);
    return drawn;
}

#define DEFINE_DRAW(NAME, T, DTYPE, DRAWING, NONE)                                                  \
    T NAME(ash_rng *rng)                                                                            \
    {                                                                                               \
        const ash__wanted wanted = {.function = #NAME, .drawing = ASH__DRAW_##DRAWING, .rng = rng}; \
        T x = NONE;                                                                                 \
        ash__draw_one(&wanted, DTYPE, &x);                                                          \
        return x;                                                                                   \
    }
DEFINE_DRAW(ash_rand_f32, float, ASH_F32, UNIFORM, NAN)
DEFINE_DRAW(ash_rand_f64, double, ASH_F64, UNIFORM, (double)NAN)
DEFINE_DRAW(ash_rand_u64, uint64_t, ASH_U64, UNIFORM, 0)
DEFINE_DRAW(ash_randn_f32, float, ASH_F32, NORMAL, NAN)
DEFINE_DRAW(ash_randn_f64, double, ASH_F64, NORMAL, (double)NAN)
DEFINE_DRAW(ash_randexp_f32, float, ASH_F32, EXPONENTIAL, NAN)
DEFINE_DRAW(ash_randexp_f64, double, ASH_F64, EXPONENTIAL, (double)NAN)
