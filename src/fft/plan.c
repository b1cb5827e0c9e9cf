/* plan.c - transforms that are checked once: a counted description of one, which nothing changes. */
#include <stdatomic.h>

#include "core/alloc.h"
#include "core/error.h"
#include "core/options.h"
#include "fft/fft.h"

struct ash_fft_plan {
    atomic_int refs;
    bool in_place;
    ash__fft what; /* function: of the call that uses it */
};

static ash_fft_plan *plan_of(const ash__fft *what, bool in_place)
{
    ash_fft_plan *const plan = ash__alloc(what->function, 1, sizeof *plan);
    if (plan) {
        atomic_init(&plan->refs, 1);
        plan->in_place = in_place;
        plan->what = *what;
    }
    return plan;
}

ash_fft_plan *ash_fft_plan_new_opt(ash_fft_kind kind, ash_dims shape, const ash_fft_plan_options *options)
{
    static const char f[] = "ash_fft_plan_new";
    ash_fft_plan_options o;
    ash__fft what;
    int64_t count;
    if (!ash__read_options(f, &o, sizeof o, options))
        return NULL;
    if (kind < ASH_FFT_FORWARD || kind > ASH_FFT_REAL_BACKWARD) {
        ash__fail(ASH_ERR_ARGUMENT, f, "kind %d; one of ash_fft_kind, %d to %d, is wanted", (int)kind, ASH_FFT_FORWARD,
                  ASH_FFT_REAL_BACKWARD);
        return NULL;
    }
    const ash_dtype dtype = o.dtype ? o.dtype : kind == ASH_FFT_REAL ? ASH_F32 : ASH_C_F32;
    if (ash__check_shape(f, shape, 2 * sizeof(double), &count) || ash__fft_set(&what, f, kind, shape, dtype, o.axes, o.first))
        return NULL;
    if (o.in_place && what.to != what.from) {
        ash__fail(ASH_ERR_ARGUMENT, f, ".in_place for a transform from %s to %s; it must keep the dtype and be complex",
                  ash_dtype_name(what.from), ash_dtype_name(what.to));
        return NULL;
    }
    return plan_of(&what, o.in_place);
}

ash_fft_plan *ash_fft_plan_inverse(const ash_fft_plan *plan)
{
    static const char f[] = "ash_fft_plan_inverse";
    static const ash_fft_kind other[] = {
        [ASH_FFT_FORWARD] = ASH_FFT_BACKWARD,   [ASH_FFT_INVERSE] = ASH_FFT_FORWARD,   [ASH_FFT_BACKWARD] = ASH_FFT_FORWARD,
        [ASH_FFT_REAL] = ASH_FFT_REAL_BACKWARD, [ASH_FFT_REAL_INVERSE] = ASH_FFT_REAL, [ASH_FFT_REAL_BACKWARD] = ASH_FFT_REAL};
    if (!plan) {
        ash__null(f, "plan");
        return NULL;
    }
    ash__fft what = plan->what;
    what.function = f;
    what.kind = other[plan->what.kind];
    what.scale = what.size ? 1 / ((double)what.size * plan->what.scale) : 1;
    what.from = plan->what.to;
    what.to = what.kind == ASH_FFT_REAL_BACKWARD ? ash__part(what.from) : ash__complex_of(what.from);
    return plan_of(&what, plan->in_place);
}

ash_fft_plan *ash_fft_plan_retain(ash_fft_plan *plan)
{
    if (plan)
        atomic_fetch_add_explicit(&plan->refs, 1, memory_order_relaxed);
    return plan;
}

void ash_fft_plan_release(ash_fft_plan *plan)
{
    if (plan && atomic_fetch_sub_explicit(&plan->refs, 1, memory_order_acq_rel) == 1)
        ash__free(plan);
}

static ash_status check_fits(const char *function, const char *name, const ash_array *a, ash_dims want, ash_dtype dtype)
{
    char text[ASH__SHAPE_TEXT];
    bool same = a->rank == want.rank;
    for (int64_t k = 0; same && k < want.rank; k++)
        same = a->shape[k] == want.size[k];
    if (!same)
        return ash__fail(ASH_ERR_ARGUMENT, function, "%s has shape %s; the plan is for shape %s", name, ash_shape_text(a),
                         ash__shape_text(text, sizeof text, want.size, want.rank));
    if (a->dtype != dtype)
        return ash__fail(ASH_ERR_DTYPE, function, "%s is %s; the plan is for %s", name, ash_dtype_name(a->dtype),
                         ash_dtype_name(dtype));
    return ASH_OK;
}

/* The plan for this call, and whether x fits it. */
static ash_status begin(ash__fft *what, const char *function, const ash_fft_plan *plan, const ash_array *x)
{
    if (!plan)
        return ash__null(function, "plan");
    *what = plan->what;
    what->function = function;
    const ash_status status = ash__check_array(function, "x", x);
    return status ? status : check_fits(function, "x", x, ash__fft_from(what), what->from);
}

ash_array *ash_fft_execute(const ash_fft_plan *plan, const ash_array *x)
{
    static const char f[] = "ash_fft_execute";
    ash__fft what;
    if (begin(&what, f, plan, x))
        return NULL;
    if (plan->in_place) {
        ash__fail(ASH_ERR_ARGUMENT, f, "the plan works in place, as ash_fft_execute_into(x, plan, x); a new array is not x");
        return NULL;
    }
    return ash__fft_new(&what, x, NULL);
}

static ash_status check_places(const char *function, const ash_fft_plan *plan, const ash_array *y, const ash_array *x)
{
    if (ash__device(y) != ash__device(x))
        return ash__fail(ASH_ERR_DEVICE, function, "y is on %s and x on %s", ash__device(y)->name, ash__device(x)->name);
    if (plan->in_place && !ash__fft_same(y, x))
        return ash__fail(ASH_ERR_ARGUMENT, function, "the plan works in place, and y is not x");
    if (!plan->in_place && ash__may_overlap(y, x))
        return ash__fail(ASH_ERR_ARGUMENT, function, "y shares memory with x, and the plan does not work in place");
    return ASH_OK;
}

ash_status ash_fft_execute_into(ash_array *y, const ash_fft_plan *plan, const ash_array *x)
{
    static const char f[] = "ash_fft_execute_into";
    ash__fft what;
    ash_status status = ash__check_writable(f, "y", y);
    if (!status)
        status = begin(&what, f, plan, x);
    if (!status)
        status = check_fits(f, "y", y, ash__fft_to(&what), what.to);
    if (!status)
        status = check_places(f, plan, y, x);
    return status ? status : ash__fft_into(&what, y, x, NULL);
}
