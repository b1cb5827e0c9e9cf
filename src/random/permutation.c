/*
 * permutation.c - numbers, and slices of arrays, in random order: the stable order of as many random keys of 64 bits.
 *
 * Any two orders of n slices are equally likely but for equal keys, whose chance is below n^2 / 2^65.
 */
#include "core/error.h"
#include "core/options.h"
#include "ops/place.h"
#include "ops/selection.h"
#include "ops/sorting.h"
#include "ops/task.h"
#include "random/draw.h"

/* In the caller's scope. */
static ash_array *permutation(const ash__wanted *w, int64_t n, const ash__make *make)
{
    const ash_sort_options order = {.struct_size = sizeof order, .resources = w->given};
    ash__make of_keys = *make;
    ash__sorting s;
    of_keys.dtype = ASH_U64;
    const int64_t barrier = ash_scope_open_barrier();
    ash_array *const keys = barrier < 0 ? NULL : ash__draw_new(w, (ash_dims){&n, 1}, &of_keys);
    ash_scope_close(barrier);
    ash_array *out = NULL;
    if (keys && !ash__sorting_begin(&s, w->function, keys, &order)) {
        out = ash__sorting_positions(&s);
        ash__sorting_end(&s);
    }
    ash_release(keys);
    return out;
}

ash_array *ash_permutation_opt(int64_t n, const ash_rand_options *options)
{
    static const char f[] = "ash_permutation";
    ash_rand_options o;
    if (!ash__read_options(f, &o, sizeof o, options))
        return NULL;
    if (o.dtype && o.dtype != ASH_I64) {
        ash__fail(ASH_ERR_DTYPE, f, "a permutation is i64, not %s", ash_dtype_name(o.dtype));
        return NULL;
    }
    if (o.first) {
        ash__fail(ASH_ERR_ARGUMENT, f, "a permutation is no part of another one: .first is not for it");
        return NULL;
    }
    const ash__wanted wanted = {.function = f, .drawing = ASH__DRAW_UNIFORM, .rng = o.rng, .given = o.resources};
    const ash__make make = {.resources = o.resources, .layout = o.layout, .storage = o.storage, .memory = o.memory};
    return permutation(&wanted, n, &make);
}

/* A new array of a's slices along the axis, in the caller's scope. */
static ash_array *shuffled(const char *function, const ash_array *a, const ash_shuffle_options *o)
{
    const ash__wanted wanted = {.function = function, .drawing = ASH__DRAW_UNIFORM, .rng = o->rng, .given = o->resources};
    const ash__make make = {.resources = ash__resources_on(function, ash__device(a), o->resources), .storage = ASH_SHARED};
    ash__selection s;
    int64_t axis;
    if (!make.resources || ash__check_axis(function, o->axis, a->rank, &axis))
        return NULL;
    const int64_t barrier = ash_scope_open_barrier();
    ash_array *const order = barrier < 0 ? NULL : permutation(&wanted, a->shape[axis], &make);
    ash_scope_close(barrier);
    ash_array *out = NULL;
    if (order && !ash__select_axis(&s, function, a, axis, order, ash__layout_like(a), o->resources)) {
        out = ash__selection_get(&s, a);
        ash__selection_end(&s);
    }
    ash_release(order);
    return out;
}

ash_array *ash_shuffle_opt(const ash_array *a, const ash_shuffle_options *options)
{
    static const char f[] = "ash_shuffle";
    ash_shuffle_options o;
    return ash__read_options(f, &o, sizeof o, options) && !ash__check_array(f, "a", a) ? shuffled(f, a, &o) : NULL;
}

static ash_status check_out(const char *function, const ash_array *out, const ash_array *a)
{
    ash_status status = ash__check_writable(function, "out", out);
    if (!status)
        status = ash__check_array(function, "a", a);
    if (status)
        return status;
    if (ash__device(out) != ash__device(a))
        return ash__fail(ASH_ERR_DEVICE, function, "out is on %s and a on %s", ash__device(out)->name, ash__device(a)->name);
    if (out->dtype != a->dtype)
        return ash__fail(ASH_ERR_DTYPE, function, "out is %s and a %s", ash_dtype_name(out->dtype), ash_dtype_name(a->dtype));
    if (!ash_same_shape(out, a))
        return ash__fail(ASH_ERR_SHAPE, function, "out has shape %s and a %s", ash_shape_text(out), ash_shape_text(a));
    return ASH_OK;
}

ash_status ash_shuffle_into_opt(ash_array *out, const ash_array *a, const ash_shuffle_options *options)
{
    static const char f[] = "ash_shuffle_into";
    ash_shuffle_options o;
    if (!ash__read_options(f, &o, sizeof o, options))
        return ash__last_status();
    ash_status status = check_out(f, out, a);
    if (status)
        return status;
    const int64_t barrier = ash_scope_open_barrier();
    ash_array *const t = barrier < 0 ? NULL : shuffled(f, a, &o);
    status = t ? ash__convert_elements(f, out, t, false, o.resources) : ash__last_status();
    ash_release(t);
    ash_scope_close(barrier);
    return status;
}
